//! Whether animations can play on meshes: what `match`, `convert`, `view` and `sheet` ask, with the same evidence.
//!
//! The rule is [`skelmap::Match::can_play`]; here is what it is asked about: meshes and animations with distances and lengths, and the
//! skeletons of mods.

mod actors;
mod belong;
mod found;
mod matches;
mod places;
mod stem;

use self::actors::Actors;
pub(crate) use self::actors::is_moving;
pub use self::actors::{Dress, Joins};
pub use self::belong::{Evidence, Level, Member, Wanted};
pub(crate) use self::belong::{Question, belong};
pub use self::found::{Found, Unread, survey};
use self::found::{Identity, identity};
use self::places::Folder;
pub(crate) use self::stem::level_of_detail;
use self::stem::subjects;
pub use self::stem::{stem, stem_of};

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::Source;
use crate::items::{Fault, Item};
pub use crate::lengths::Stretch;
use crate::lengths::{Lengths, MAX_NAMES};
use crate::mods::{Mods, Skeletons};
use crate::regular::{is_absence, may_be_file};
use skelmap::actorx::Config;
use skelmap::archive::Address;
use skelmap::model::{Bone, Distances, Skeleton, TrackSources, still_tracks};
use skelmap::{Asset, Format, Match, Matcher, Verdict};

/// A mesh, prepared for many animations. It does not keep the file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Model {
    /// Where it lies.
    pub address: Address,
    /// Its format.
    pub format: Format,
    matcher: Matcher,
    rest: Option<Distances>,
    lengths: Option<Lengths>,
    /// For each bone, whether it moves points; empty for an animation in the place of a mesh.
    weighted: Vec<bool>,
    bones: Bones,
    /// Where it lies, the same however the path is spelled.
    identity: Arc<Identity>,
    /// What its name is about.
    subject: String,
    folder: Folder,
    points: usize,
    /// The skeletons of the mod that the mesh belongs to.
    pub skeletons: Option<Arc<Skeletons>>,
}

/// A mesh and how an animation goes with it.
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "three parts of one answer")]
pub struct Pair<'m> {
    /// The mesh.
    pub model: &'m Model,
    /// How its bones and those of the animation match.
    pub found: Match,
    /// The skeleton whose parents told which distances count.
    pub skeleton: Option<&'m str>,
}

/// The names and parents of bones.
#[derive(Clone, Debug, Default)]
struct Bones {
    names: Vec<String>,
    parents: Vec<Option<usize>>,
}

impl Bones {
    fn of(skeleton: &Skeleton<'_>) -> Self {
        if !skeleton.has_names() {
            return Self::default();
        }
        let of = |bone: Bone<'_>| (bone.name.map(|name| name.to_string()).unwrap_or_default(), bone.parent);
        let (names, parents) = skeleton.bones().map(of).unzip();
        Self { names, parents }
    }

    fn parent(&self, bone: usize) -> Option<&String> {
        self.names.get((*self.parents.get(bone)?)?)
    }
}

/// A bone with another parent in the animation.
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "three names")]
pub struct Reparented {
    /// The bone.
    pub bone: String,
    /// Its parent in the mesh.
    pub in_mesh: Option<String>,
    /// Its parent in the animation.
    pub in_animation: Option<String>,
}

/// The bones that differ, by name. All lists are empty for formats without names.
#[derive(Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "five lists")]
pub struct Differences {
    /// Those that both have.
    pub matched: Vec<String>,
    /// Those that the animation has not.
    pub missing: Vec<String>,
    /// Those that the mesh has not.
    pub extra: Vec<String>,
    /// Those that have another parent in the animation.
    pub reparented: Vec<Reparented>,
    /// Bones that move points and stand still.
    pub still: Vec<String>,
}

/// An animation, prepared for many meshes.
#[derive(Debug)]
pub struct Moves<'a> {
    asset: &'a Asset<'a>,
    distances: Option<Distances>,
    lengths: Option<Lengths>,
    /// What the side-car says; nothing without one.
    sources: Option<Vec<TrackSources>>,
    /// For each track, whether it stands still.
    still: Option<Vec<bool>>,
}

impl<'a> Moves<'a> {
    /// Measures the first sequence of an animation.
    ///
    /// # Errors
    /// A side-car that cannot be read.
    pub fn of(asset: &'a Asset<'a>, item: &Item) -> Result<Self, Fault> {
        let Some(clip) = asset.clips().next() else {
            return Ok(Self { asset, distances: None, lengths: None, sources: None, still: None });
        };
        let lengths = Lengths::of_clip(&clip);
        let side_car = lengths.as_ref().map(|_| item.side_car()).transpose()?.flatten();
        let sources = side_car.map(|side_car| Config::new(&side_car.bytes).to_sources(&clip));
        let (distances, still) = (Distances::of_clip(&clip), still_tracks(asset.clips()));
        Ok(Self { asset, distances, lengths, sources, still })
    }
}

impl Model {
    /// `None` for what is no mesh and cannot stand in for one.
    pub fn of(address: Address, asset: &Asset<'_>) -> Option<Self> {
        let matcher = Matcher::new(asset)?;
        let rest = asset.mesh().and_then(|mesh| Distances::of_mesh(&mesh));
        let lengths = asset.mesh().and_then(|mesh| Lengths::of_mesh(&mesh));
        let weighted = asset.mesh().map(|mesh| mesh.to_weighted_bones()).unwrap_or_default();
        let bones = asset.skeleton().map(|skeleton| Bones::of(&skeleton)).unwrap_or_default();
        let (subject, folder) = (stem::subject(&stem_of(&address)), Folder::of(&address));
        let points = asset.mesh().map_or(0, |mesh| mesh.point_count());
        let (format, skeletons, identity) = (asset.format(), None, Arc::new(identity(&address)));
        Some(Self {
            address,
            format,
            matcher,
            rest,
            lengths,
            weighted,
            bones,
            identity,
            subject,
            folder,
            points,
            skeletons,
        })
    }

    /// The number of names of bones that [`differences`](Self::differences) may copy for an animation.
    pub fn name_count(&self) -> usize {
        self.bones.names.len()
    }

    /// Whether distances between bones tell something, because bones have no names.
    pub const fn has_distances(&self) -> bool {
        self.rest.is_some()
    }

    /// How an animation goes with the mesh; `None` for one of another family.
    pub fn compare(&self, moves: &Moves<'_>) -> Option<Pair<'_>> {
        let mut pair = Pair { model: self, found: self.matcher.compare(moves.asset)?, skeleton: None };
        let (rest, moved) = (self.rest.as_ref(), moves.distances.as_ref());
        let along = self.skeletons.as_ref().zip(rest.zip(moved).filter(|_| pair.found.is_counted()));
        match along.and_then(|(skeletons, (rest, moved))| skeletons.change(rest, moved)) {
            Some((change, skeleton)) => (pair.found.length_change, pair.skeleton) = (Some(change), Some(skeleton)),
            None => pair.found = pair.found.measured(rest, moved),
        }
        Some(pair)
    }

    /// How the animation changes the lengths of bones, where names join most of them.
    pub fn stretch(&self, found: &Match, moves: &Moves<'_>) -> Option<Stretch> {
        let is_joined = found.by_name && matches!(found.verdict(), Verdict::Exact | Verdict::Fits | Verdict::InPart);
        let (rest, moved) = self.lengths.as_ref().zip(moves.lengths.as_ref()).filter(|_| is_joined)?;
        let change = rest.change(moved, found, moves.sources.as_deref().unwrap_or_default())?;
        let names = change.bones.iter().take(MAX_NAMES).filter_map(|bone| self.bones.names.get(*bone).cloned());
        let has_side_car = (moves.asset.format() == Format::ActorxPsa).then_some(moves.sources.is_some());
        Some(Stretch { names: names.collect(), has_side_car, change })
    }

    /// The bones that move points and that no sequence of the animation moves; `None` where that is not known, or the two do not match.
    pub fn still(&self, found: &Match, moves: &Moves<'_>) -> Option<Vec<usize>> {
        let still = moves.still.as_ref().filter(|_| found.matched > 0 && !self.weighted.is_empty())?;
        let bone_of =
            |track: usize| if found.by_name { (*found.bones.get(track)?)?.try_into().ok() } else { Some(track) };
        let bones = still.iter().enumerate().filter(|(_, is_still)| **is_still).filter_map(|(track, _)| bone_of(track));
        Some(bones.filter(|bone| self.weighted.get(*bone) == Some(&true)).collect())
    }

    /// The bones in which the mesh and an animation differ, and those of them that stand still.
    pub fn differences(&self, found: &Match, animation: &Asset<'_>, still: &[usize]) -> Differences {
        let mut differences = Differences::default();
        if !found.by_name {
            return differences;
        }
        differences.still = still.iter().filter_map(|bone| self.bones.names.get(*bone).cloned()).collect();
        let moved = animation.skeleton().map(|skeleton| Bones::of(&skeleton)).unwrap_or_default();
        let mut is_moved = vec![false; self.bones.names.len()];
        for ((track, name), bone) in moved.names.iter().enumerate().zip(&found.bones) {
            let Some(bone) = bone.and_then(|bone| usize::try_from(bone).ok()) else {
                differences.extra.push(name.clone());
                continue;
            };
            is_moved.get_mut(bone).into_iter().for_each(|own| *own = true);
            differences.matched.push(name.clone());
            let (in_mesh, in_animation) = (self.bones.parent(bone), moved.parent(track));
            let is_same = match (in_mesh, in_animation) {
                (Some(one), Some(other)) => one.trim_end().eq_ignore_ascii_case(other.trim_end()),
                (one, other) => one == other,
            };
            if !is_same && !found.is_flat {
                let (in_mesh, in_animation) = (in_mesh.cloned(), in_animation.cloned());
                differences.reparented.push(Reparented { bone: name.clone(), in_mesh, in_animation });
            }
        }
        let missing = self.bones.names.iter().zip(&is_moved).filter(|(_, is_moved)| !**is_moved);
        differences.missing = missing.map(|(name, _)| name.clone()).collect();
        differences
    }
}

/// The best mesh for an animation: one that an actor joins with the animation; else one that the name of the animation is about and whose bones it
/// mostly has; else the one with the best match, of equal ones the nearest, and then the one of the most points.
pub fn best<'m>(pairs: impl IntoIterator<Item = Pair<'m>>, animation: &Address, joins: &Joins) -> Option<Pair<'m>> {
    let joined = joins.of(animation);
    let (folder, names) = (Folder::of(animation), subjects(&stem_of(animation)));
    let key = |pair: &Pair<'_>| {
        let Model { subject, folder: own, points, .. } = pair.model;
        let about = names.iter().position(|name| name == subject).filter(|_| is_sound(&pair.found));
        let is_joined = joined.is_some_and(|meshes| meshes.contains(&pair.model.identity));
        (!is_joined, about.unwrap_or(usize::MAX), rank(&pair.found), folder.distance(own), std::cmp::Reverse(*points))
    };
    pairs.into_iter().reduce(|best, other| if key(&other) < key(&best) { other } else { best })
}

/// Mods that cannot be opened, and why.
pub type Faults = Vec<(PathBuf, Fault)>;

/// What the mods in which meshes lie tell of each; and the mods that cannot be opened, and why.
///
/// # Errors
/// A system that starts no thread.
pub fn dresses(
    meshes: &[&Found<'_>],
    threads: Option<NonZeroUsize>,
    source: &Source,
) -> std::io::Result<(Vec<Dress>, Faults)> {
    let (actors, faults) = Actors::of(meshes, &[], threads, source)?;
    Ok((actors.dresses, faults))
}

/// Whether a name may join a mesh and an animation: they share most bones of both.
fn is_sound(found: &Match) -> bool {
    found.is_counted() || belong::shares_most(found)
}

/// Changes of lengths that differ by less are equal. Copies of a skeleton differ by rounding.
const EQUAL_CHANGE: f64 = 0.001;

/// The order from the best match to the worst.
pub fn rank(found: &Match) -> impl PartialOrd + use<> {
    let change = (found.length_change.unwrap_or(0.0) / EQUAL_CHANGE).round();
    (found.verdict(), -found.percent_of_mesh() - found.percent_of_animation(), found.reparented, change)
}

/// What a mod has its models in, its skeletons, and its actors.
const ART: &str = "art";
const SKELETONS: &str = "art/skeletons";
const ACTORS: &str = "art/actors";

/// The standard skeletons of each mesh.
#[derive(Debug, Default)]
pub struct Known {
    /// Those of the mods that the user names, for all meshes.
    named: Option<Arc<Skeletons>>,
    /// Those of the mod that a mesh lies in, by the mod.
    found: HashMap<PathBuf, Option<Arc<Skeletons>>>,
    /// The mods that cannot be opened, and why: their meshes are compared all the same.
    pub faults: Vec<(PathBuf, Fault)>,
}

/// Why there are no skeletons in the mods that the user names.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KnownError {
    /// A mod cannot be opened.
    #[error("{}: {}", Address::find(.path), .fault.message)]
    Mod {
        /// The mod.
        path: PathBuf,
        /// Its fault.
        fault: Fault,
    },
    /// The mods have no skeletons.
    #[error("there are no skeletons ({SKELETONS}/) in these mods")]
    Empty,
}

impl Known {
    /// Reads the skeletons of mods; of none, they are looked for where each mesh lies.
    ///
    /// # Errors
    /// A mod that cannot be opened, and mods without skeletons.
    pub fn of(mods: &[PathBuf], source: &Source) -> Result<Self, KnownError> {
        if mods.is_empty() {
            return Ok(Self::default());
        }
        let mods = Mods::open(mods, &source.opener, &source.limits)
            .map_err(|(path, fault)| KnownError::Mod { path, fault })?;
        let skeletons = Skeletons::of(&mods);
        if skeletons.is_empty() {
            return Err(KnownError::Empty);
        }
        Ok(Self { named: Some(Arc::new(skeletons)), ..Self::default() })
    }

    /// The skeletons for a mesh.
    pub fn of_mesh(&mut self, mesh: &Address, source: &Source) -> Option<Arc<Skeletons>> {
        if let Some(skeletons) = &self.named {
            return Some(Arc::clone(skeletons));
        }
        let (root, faults) = (root(mesh)?, &mut self.faults);
        let read = |root: &PathBuf| {
            let mods = Mods::open(std::slice::from_ref(root), &source.opener, &source.limits)
                .map_err(|fault| faults.push(fault));
            let skeletons = Skeletons::of(&mods.ok()?);
            (!skeletons.is_empty()).then(|| Arc::new(skeletons))
        };
        self.found.entry(root).or_insert_with_key(read).clone()
    }
}

/// The most folders called `art` above a mesh that are looked at.
const MAX_ROOTS: usize = 8;

/// The archive or folder of the mod that a mesh lies in.
fn root(mesh: &Address) -> Option<PathBuf> {
    let path = mesh.path();
    if let Some(entry) = mesh.entry() {
        return (Path::new(entry).starts_with(ART) && may_be_file(path)).then(|| path.to_owned());
    }
    let arts = path.ancestors().skip(1).filter(|folder| folder.file_name().is_some_and(|name| name == ART));
    let mut roots: Vec<&Path> = arts.filter_map(Path::parent).collect();
    // The outermost one: no mod lies in the files of another.
    roots.reverse();
    let roots = roots.into_iter().take(MAX_ROOTS);
    let mut roots = roots.map(|root| if root.as_os_str().is_empty() { Path::new(".") } else { root });
    // What cannot be looked at may be there: opening the mod tells.
    let is_there =
        |folder: PathBuf| folder.metadata().map_or_else(|error| !is_absence(&error), |metadata| metadata.is_dir());
    let root = roots.find(|root| [SKELETONS, ACTORS].iter().any(|folder| is_there(root.join(folder))));
    root.map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use skelmap::archive::Limits;
    use skelmap::mapping::Mapping;
    use test_support::actorx::build::{Anim, Bone, IDENTITY, Mesh};
    use test_support::build_zip::{Entry, Zip};
    use test_support::with;

    use super::*;
    use crate::items::Sources;

    /// Bones of these names, each the child of the one before.
    fn bones(names: &str) -> Vec<Bone> {
        let bone = |(name, parent): (&str, i32)| Bone::new(name, parent.max(0), [0.0, 0.0, 5.0], IDENTITY);
        names.split(' ').zip(-1..).map(bone).collect()
    }

    /// A mesh with bones of these names. More columns make it larger.
    pub(super) fn mesh(names: &str, columns: u32) -> Vec<u8> {
        let bones = bones(names);
        let count = u32::try_from(bones.len()).expect("few bones");
        Mesh { bones, ..Mesh::sheet(columns, 2, count) }.chunks().into()
    }

    /// An animation of one frame with bones of these names.
    pub(super) fn animation(names: &str) -> Vec<u8> {
        Anim::sway(bones(names), &[("Walk", 1, 30.0)]).chunks().into()
    }

    pub(super) fn archive<N: AsRef<[u8]>>(files: &[(N, Vec<u8>)]) -> Sources {
        let entries = files.iter().map(|(name, bytes)| Entry::stored(name, bytes));
        let bytes = Mapping::from(Zip::of(entries).build().bytes);
        Sources::of_archive("all.zip", bytes, &Limits::default()).expect("an archive")
    }

    /// Gives a mesh, an animation, and how they match to a function.
    fn both<T>(of_mesh: &str, moved: Vec<u8>, look: impl FnOnce(&Model, &Match, &Moves<'_>) -> T) -> T {
        let sources = archive(&[("mesh.psk", mesh(of_mesh, 2)), ("walk.psa", moved)]);
        let source = Source::default();
        let load = |item: &Item| item.load(&source.opener, &source.parse).expect("an asset").expect("a file");
        let [of_mesh, moved] = sources.items() else { panic!("two files") };
        let (opened, other) = (load(of_mesh), load(moved));
        let model = Model::of(of_mesh.address(), &opened.asset().expect("a mesh")).expect("a model");
        let asset = other.asset().expect("an animation");
        let moves = Moves::of(&asset, moved).expect("moves");
        let found = model.compare(&moves).expect("a match").found;
        look(&model, &found, &moves)
    }

    #[test]
    fn lengths_are_compared_where_names_join_half_of_the_bones_of_an_animation() {
        let compared = |moved: &str| {
            both("a b c d e f", animation(moved), |model, found, moves| {
                assert_eq!(model.name_count(), 6);
                model.stretch(found, moves).map(|stretch| stretch.change.compared)
            })
        };
        // The root is not compared.
        assert_eq!(compared("a b x"), Some(1));
        assert_eq!(compared("a b x y z"), None);
    }

    #[test]
    fn bones_stand_still_where_the_animation_has_bones_of_the_mesh() {
        // Two frames, of which the second moves all bones but the first.
        let still = |moved: &str| {
            let mut anim = Anim::sway(bones(moved), &[("Walk", 2, 30.0)]);
            anim.keys[2] = anim.keys[0];
            both("a b", anim.chunks().into(), Model::still)
        };
        assert_eq!(still("b x"), Some(vec![1]));
        assert_eq!(still("x y"), None);
    }

    #[test]
    fn matches_are_ranked_by_their_bones_and_then_by_distances() {
        let named = |matched, missing, extra| {
            with(Match::default(), |found| {
                (found.matched, found.missing, found.extra, found.by_name) = (matched, missing, extra, true);
            })
        };
        assert!(rank(&named(9, 1, 0)) < rank(&named(5, 5, 0)));
        assert!(rank(&named(9, 0, 1)) < rank(&named(5, 0, 5)));
        let changed = |change| with(Match::by_count(3, 3), |found| found.length_change = Some(change));
        assert!(rank(&changed(0.05)) < rank(&changed(0.06)));
        assert!(rank(&changed(0.0501)) == rank(&changed(0.0504)), "the same skeleton");
    }

    #[test]
    fn of_equal_meshes_the_first_is_the_best() {
        let bytes = mesh("a b", 2);
        let model = |name| Model::of(Address::of_file(name), &Asset::parse(&bytes).expect("a mesh")).expect("a model");
        let models = ["x/one.psk", "x/two.psk"].map(model);
        let pair = |model| Pair { model, found: Match::by_count(2, 2), skeleton: None };
        let found = best(models.iter().map(pair), &Address::of_file("x/walk.psa"), &Joins::default()).expect("a pair");
        assert_eq!(found.model.address, models[0].address);
    }

    #[test]
    fn the_mod_of_a_mesh_has_actors_or_skeletons_or_is_an_archive() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let mesh = Address::of_file(folder.join("art/meshes/a.pmd"));
        fs::create_dir_all(folder.join("art/meshes")).expect("made");
        assert_eq!(root(&mesh), None);
        fs::create_dir(folder.join(ACTORS)).expect("made");
        assert_eq!(root(&mesh), Some(folder.to_owned()));
        let archive = folder.join("a.zip");
        fs::write(&archive, "").expect("written");
        assert_eq!(root(&Address::of_entry(&archive, "art/meshes/a.pmd")), Some(archive.clone()));
        assert_eq!(root(&Address::of_entry(&archive, "meshes/a.pmd")), None);
        assert_eq!(root(&Address::of_entry(folder, "art/meshes/a.pmd")), None, "a folder is no archive");
    }
}
