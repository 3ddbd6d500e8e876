//! What the actors and skeletons of mods tell of meshes: animations, names, textures, bones.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use rayon::prelude::*;
use skelmap::archive::Address;
use skelmap::pyrogenesis::skeleton::StandardSkeleton;

use super::found::{Found, Identity, identity};
use super::{Faults, Model, root};
use crate::mods::{Mods, Skin, Survey};
use crate::{Run, Source};

/// What a mod tells of a mesh, besides its animations.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Dress {
    /// The texture that the first actor gives the mesh.
    pub texture: Option<Address>,
    /// Whether the texture lets through what is behind.
    pub is_transparent: bool,
    /// The names and parents of its bones.
    pub skeleton: Option<Arc<StandardSkeleton>>,
}

/// What the actors of the mods say that the meshes lie in.
#[derive(Default)]
pub(super) struct Actors {
    /// By the numbers of a mesh and of an animation.
    joins: HashMap<(usize, usize), Joined>,
    /// For each animation, whether an actor joins it with any mesh.
    joined: Vec<bool>,
    /// For each mesh.
    pub(super) dresses: Vec<Dress>,
}

/// How actors join a mesh and an animation.
#[derive(Default)]
pub(super) struct Joined {
    /// The number of pairs before the first of this one.
    order: usize,
    /// The names under which actors play the animation, in the order of the actors.
    pub(super) names: Vec<String>,
}

/// The most names of an animation on a mesh.
const MAX_NAMES: usize = 16;

/// The animation in which a unit stands, which is shown first.
const IDLE: &str = "idle";

impl Joined {
    /// The place among the animations of a mesh.
    pub(super) fn order(&self) -> (bool, usize) {
        (is_moving(&self.names), self.order)
    }
}

/// Whether an animation of these names is not the one in which a unit stands.
pub(crate) fn is_moving(names: &[String]) -> bool {
    names.iter().all(|name| !name.eq_ignore_ascii_case(IDLE))
}

/// The most texts of a mod that are named because the system cannot read them.
const MAX_UNREAD: usize = 8;

impl Actors {
    /// Reads the actors of the mods in which meshes of the question lie.
    pub(super) fn of(
        meshes: &[&Found<'_>],
        animations: &[&Found<'_>],
        threads: Option<NonZeroUsize>,
        source: &Source,
    ) -> std::io::Result<(Self, Faults)> {
        let mut own = Self {
            joins: HashMap::new(),
            joined: vec![false; animations.len()],
            dresses: vec![Dress::default(); meshes.len()],
        };
        let addresses: Vec<Address> = meshes.iter().map(|mesh| mesh.address()).collect();
        let (meshes, animations) = (numbers(meshes), numbers(animations));
        let faults =
            each_mod(addresses.iter(), threads, source, |survey| own.add(survey, &meshes, &animations, source))?;
        Ok((own, faults))
    }

    fn add(&mut self, survey: &Survey<'_>, meshes: &Numbers, animations: &Numbers, source: &Source) {
        let number = |all: &Numbers, address: &Address| all.get(&identity(address)).copied();
        let (mut mesh_of, mut animation_of) = (HashMap::new(), HashMap::new());
        let mut sources = Vec::new();
        for (source, file) in survey.models() {
            let address = file.address();
            if let Some(mesh) = number(meshes, &address) {
                mesh_of.insert(file.name, mesh);
                sources.push((source, mesh));
            }
            animation_of.extend(number(animations, &address).map(|own| (file.name, own)));
        }
        for (order, join) in survey.joins().enumerate() {
            let Some(animation) = animation_of.get(join.animation.name) else { continue };
            self.joined.get_mut(*animation).into_iter().for_each(|joined| *joined = true);
            let Some(mesh) = mesh_of.get(join.mesh.name) else { continue };
            let first = || Joined { order, names: Vec::new() };
            let names = &mut self.joins.entry((*mesh, *animation)).or_insert_with(first).names;
            let is_new = || !join.name.is_empty() && names.iter().all(|name| name != join.name);
            if names.len() < MAX_NAMES && is_new() {
                names.push(join.name.to_owned());
            }
        }
        for Skin { mesh, texture, is_transparent } in survey.skins() {
            let dress = mesh_of.get(mesh.name).and_then(|mesh| self.dresses.get_mut(*mesh));
            if let Some(own) = dress.filter(|own| own.texture.is_none()) {
                (own.texture, own.is_transparent) = (Some(texture.address()), is_transparent);
            }
        }
        if !sources.is_empty() {
            let namer = survey.namer();
            let decided = sources.into_par_iter().map(|(path, mesh)| (mesh, namer.decide(path, &source.parse)));
            for (mesh, skeleton) in decided.collect::<Vec<_>>() {
                self.dresses
                    .get_mut(mesh)
                    .into_iter()
                    .for_each(|own| own.skeleton = own.skeleton.take().or(skeleton.clone()));
            }
        }
    }

    /// How actors join a mesh and an animation.
    pub(super) fn join(&self, mesh: usize, animation: usize) -> Option<&Joined> {
        self.joins.get(&(mesh, animation))
    }

    /// The pairs of an animation and a mesh that actors join, in order.
    pub(super) fn pairs(&self) -> BTreeSet<(usize, usize)> {
        self.joins.keys().map(|(mesh, animation)| (*animation, *mesh)).collect()
    }

    /// Whether an actor joins an animation with any mesh.
    pub(super) fn has(&self, animation: usize) -> bool {
        self.joined.get(animation) == Some(&true)
    }
}

/// Which meshes the actors of mods join with an animation.
#[derive(Debug, Default)]
pub struct Joins {
    meshes: HashMap<Identity, HashSet<Arc<Identity>>>,
    /// Mods that cannot be opened, whose actors are not known.
    pub faults: Faults,
}

impl Joins {
    /// Reads the actors of the mods in which meshes lie.
    ///
    /// # Errors
    /// A system that starts no thread.
    pub fn new(meshes: &[Model], threads: Option<NonZeroUsize>, source: &Source) -> std::io::Result<Self> {
        let mut own = Self::default();
        let wanted: HashSet<Arc<Identity>> = meshes.iter().map(|mesh| Arc::clone(&mesh.identity)).collect();
        own.faults = each_mod(meshes.iter().map(|mesh| &mesh.address), threads, source, |survey| {
            let mut known: HashMap<&str, Option<Arc<Identity>>> = HashMap::new();
            for join in survey.joins() {
                let wanted = || wanted.get(&identity(&join.mesh.address())).cloned();
                if let Some(mesh) = known.entry(join.mesh.name).or_insert_with(wanted) {
                    let animation = identity(&join.animation.address());
                    own.meshes.entry(animation).or_default().insert(Arc::clone(mesh));
                }
            }
        })?;
        Ok(own)
    }

    /// The meshes of an animation.
    pub(super) fn of(&self, animation: &Address) -> Option<&HashSet<Arc<Identity>>> {
        if self.meshes.is_empty() {
            return None;
        }
        self.meshes.get(&identity(animation))
    }
}

/// Gives each mod in which meshes lie to a function. Returns those that cannot be opened.
fn each_mod<'a>(
    meshes: impl Iterator<Item = &'a Address>,
    threads: Option<NonZeroUsize>,
    source: &Source,
    mut take: impl FnMut(&Survey<'_>) + Send,
) -> std::io::Result<Faults> {
    let mut roots: Vec<PathBuf> = meshes.filter_map(root).collect();
    roots.sort_unstable();
    roots.dedup();
    let mut faults = Faults::new();
    // One pool for all: the threads of a pool end some time after it.
    Run { jobs: threads, watch: None }.in_pool(usize::MAX, || {
        for root in roots {
            match Mods::open(std::slice::from_ref(&root), &source.opener, &source.limits) {
                Ok(mods) => {
                    let survey = Survey::of(&mods, &source.parse);
                    take(&survey);
                    // Nobody knows what these texts say.
                    faults
                        .extend(survey.unread().map(|(file, fault)| (root.join(file), fault.clone())).take(MAX_UNREAD));
                }
                Err(fault) => faults.push(fault),
            }
        }
    })?;
    Ok(faults)
}

/// The numbers of assets.
type Numbers = HashMap<Identity, usize>;

fn numbers(all: &[&Found<'_>]) -> Numbers {
    all.iter().enumerate().map(|(number, found)| (identity(&found.address()), number)).collect()
}
