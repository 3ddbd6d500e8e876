//! The bones that animations move, of all skeletons of a mod.

use alloc::{collections::BTreeMap, format, vec, vec::Vec};

use super::hierarchy::Hierarchy;
use super::matching::Match;
use super::mesh::Mesh;
use super::skeleton::Skeleton;
use crate::report::{Report, codes, named};

/// The maximum number of tracks of all skeletons: some tens of megabytes. A mod with more gives no evidence.
const MAX_TRACKS: usize = 1 << 18;

/// The minimum percentage of an animation's tracks that the mesh must have.
const MIN_PERCENT_OF_TRACKS: f64 = 50.0;

/// The maximum number of skeletons: each is compared with each mesh.
const MAX_SKELETONS: usize = 1 << 12;

/// The bones that the animations of a mod move.
///
/// Filled by [`add`](MovedBones::add) for each animation, and used by [`Asset::check_still`](crate::Asset::check_still) for
/// each mesh. Bones with names are kept by name; the others by index, together for all animations of one family and number of
/// bones.
///
/// ```
/// use skelmap::{Asset, model::MovedBones};
///
/// let (mesh, walk) = (std::fs::read("corpus/fox.psk")?, std::fs::read("corpus/fox.psa")?);
/// let mut moved = MovedBones::default();
/// moved.add(&Asset::parse(&walk)?);
/// for finding in Asset::parse(&mesh)?.check_still(&moved) {
///     println!("{}", finding.message);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MovedBones {
    /// The tracks of each name, in the order of their skeletons.
    by_name: BTreeMap<Vec<u8>, Vec<Track>>,
    /// The number of each list of names.
    skeletons: BTreeMap<Vec<Vec<u8>>, usize>,
    /// For each number of tracks of a family, whether a track is moved.
    by_index: BTreeMap<(&'static str, usize), Vec<bool>>,
    tracks: usize,
    skeleton_count: usize,
}

/// A track of the skeleton of animations.
#[derive(Clone, Copy, Debug)]
struct Track {
    skeleton: usize,
    is_moved: bool,
}

/// The tracks of a skeleton that match bones of a mesh.
#[derive(Clone, Copy, Debug, Default)]
struct Shared {
    bones: usize,
    /// Whether one of them is moved, by an animation that can play on the mesh.
    is_moved: bool,
}

impl MovedBones {
    /// Adds the tracks of an animation: for each, whether it stands still.
    pub(crate) fn add_tracks(&mut self, family: &'static str, skeleton: &Skeleton<'_>, still: &[bool]) {
        let names = skeleton.to_names().filter(|names| names.len() == still.len());
        let is_new = match &names {
            Some(names) => !self.skeletons.contains_key(names),
            None => !self.by_index.contains_key(&(family, still.len())),
        };
        if is_new {
            self.tracks = self.tracks.saturating_add(still.len());
            self.skeleton_count = self.skeleton_count.saturating_add(1);
        }
        if self.is_full() {
            return;
        }
        let moved = still.iter().map(|is_still| !is_still);
        let Some(names) = names else {
            let own = self.by_index.entry((family, still.len())).or_insert_with(|| vec![false; still.len()]);
            own.iter_mut().zip(moved).for_each(|(own, is_moved)| *own |= is_moved);
            return;
        };
        let next = self.skeletons.len();
        let number = *self.skeletons.entry(names.clone()).or_insert(next);
        for (name, is_moved) in names.into_iter().zip(moved) {
            let tracks = self.by_name.entry(name).or_default();
            match tracks.binary_search_by_key(&number, |track| track.skeleton) {
                Ok(at) => tracks.get_mut(at).into_iter().for_each(|track| track.is_moved |= is_moved),
                Err(at) => tracks.insert(at, Track { skeleton: number, is_moved }),
            }
        }
    }

    /// Whether animations were left out, so that nothing is known about any bone.
    const fn is_full(&self) -> bool {
        self.tracks > MAX_TRACKS || self.skeleton_count > MAX_SKELETONS
    }

    /// For each bone of a mesh, whether an animation moves it or an ancestor; `None` without a moving animation that can play
    /// on the mesh.
    fn of(&self, family: &'static str, skeleton: &Skeleton<'_>) -> Option<Vec<bool>> {
        let moved = match skeleton.to_names() {
            _ if self.is_full() => None,
            Some(names) => self.of_names(&names),
            None => self.by_index.get(&(family, skeleton.bone_count())).cloned(),
        };
        let mut moved = moved.filter(|moved| moved.contains(&true))?;
        for (bone, parent) in Hierarchy::new(skeleton).bones() {
            let is_carried = parent.and_then(|parent| moved.get(parent)) == Some(&true);
            moved.get_mut(bone).into_iter().for_each(|own| *own |= is_carried);
        }
        Some(moved)
    }

    /// Animations count if they can play on the mesh, even with half of their tracks: more animations move more bones, so fewer
    /// bones are reported.
    fn of_names(&self, names: &[Vec<u8>]) -> Option<Vec<bool>> {
        let mut shared = vec![Shared::default(); self.skeletons.len()];
        let tracks_of = |name: &Vec<u8>| self.by_name.get(name).into_iter().flatten();
        for track in names.iter().flat_map(tracks_of) {
            if let Some(own) = shared.get_mut(track.skeleton) {
                own.bones = own.bones.saturating_add(1);
                own.is_moved |= track.is_moved;
            }
        }
        for (tracks, number) in &self.skeletons {
            if let Some(own) = shared.get_mut(*number) {
                let found = Match::of_names(names.len(), tracks.len(), own.bones);
                own.is_moved &= found.can_play(MIN_PERCENT_OF_TRACKS);
            }
        }
        let belongs = |track: &Track| shared.get(track.skeleton).is_some_and(|own| own.is_moved);
        let is_moved = |track: &Track| track.is_moved && belongs(track);
        let any = shared.iter().any(|own| own.is_moved);
        any.then(|| names.iter().map(|name| tracks_of(name).any(is_moved)).collect())
    }

    /// Reports bones that move points although no animation moves them.
    pub(crate) fn check(&self, family: &'static str, mesh: &Mesh<'_>, report: &mut Report) {
        let skeleton = mesh.skeleton();
        let Some(moved) = self.of(family, &skeleton) else { return };
        let mut tally = report.tally(codes::WEIGHTS_STILL, mesh.bones_place());
        for (bone, (has_weight, is_moved)) in mesh.to_weighted_bones().into_iter().zip(moved).enumerate() {
            tally.hit_if(has_weight && !is_moved, bone, || {
                let own = named("bone", bone, skeleton.name(bone).unwrap_or_default());
                format!("{own} moves points, but no animation moves the bone")
            });
        }
        report.add([tally]);
    }
}
