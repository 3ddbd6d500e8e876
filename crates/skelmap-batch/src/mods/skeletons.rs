//! Standard skeletons (`art/skeletons/*.xml`): the parents of their bones as evidence for animations, and which one a mesh has.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::actor::{PartKind, Unit};
use super::list::{ModFile, Mods};
use super::skeleton_file::parse_skeletons;
use super::survey::Survey;
use crate::items::Fault;
use skelmap::model::Distances;
use skelmap::pyrogenesis::skeleton::StandardSkeleton;
use skelmap::pyrogenesis::{BoneState, Pmd, Psa};
use skelmap::{Asset, ParseOptions};

/// The most bones of all skeletons that are kept. The game has 1,300.
const MAX_BONES: usize = 1 << 17;

/// The standard skeletons of mods (`art/skeletons/`): their parents of bones are evidence for animations.
///
/// ```no_run
/// use skelmap::Asset;
/// use skelmap::mapping::Opener;
/// use skelmap::model::Distances;
/// use skelmap_batch::mods::{Mods, Skeletons};
///
/// let mods = Mods::open(&["public.zip".into()], &Opener::reading(), &Default::default())
///     .map_err(|(path, fault)| format!("{}: {}", path.display(), fault.message))?;
/// let skeletons = Skeletons::of(&mods);
/// let (mesh, animation) = (std::fs::read("horse.pmd")?, std::fs::read("horse_walk.psa")?);
/// let (mesh, animation) = (Asset::parse(&mesh)?, Asset::parse(&animation)?);
/// let rest = mesh.mesh().and_then(|mesh| Distances::of_mesh(&mesh)).ok_or("no distances")?;
/// let moved = animation.clips().next().and_then(|clip| Distances::of_clip(&clip)).ok_or("no distances")?;
/// if let Some((change, skeleton)) = skeletons.change(&rest, &moved) {
///     println!("{change} in {skeleton}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Skeletons {
    by_count: BTreeMap<usize, Vec<Standard>>,
}

/// A skeleton, its file, and the parents of its bones.
#[derive(Clone, Debug)]
struct Standard {
    file: String,
    skeleton: Arc<StandardSkeleton>,
    parents: Vec<Option<usize>>,
}

impl Mods {
    /// The standard skeletons with their files, in the order of the files. A file that cannot be read is skipped: it is in
    /// [`Survey::broken_skeletons`](super::Survey::broken_skeletons).
    pub fn skeletons(&self) -> impl Iterator<Item = (ModFile<'_>, StandardSkeleton)> {
        self.files("art/skeletons/", ".xml").into_iter().flat_map(|file| {
            let read = self.read(file).ok().and_then(|bytes| parse_skeletons(&bytes).ok());
            read.into_iter().flat_map(|file| file.standard).map(move |skeleton| (file, skeleton))
        })
    }
}

impl Skeletons {
    /// Reads the standard skeletons of mods. Of those with the same bones, the first is kept; of one number of bones, 64.
    pub fn of(mods: &Mods) -> Self {
        let mut own = Self::default();
        let mut left = MAX_BONES;
        for (file, skeleton) in mods.skeletons().filter(|(_, skeleton)| skeleton.bones.len() <= Distances::MAX_BONES) {
            let parents: Vec<_> = skeleton.bones.iter().map(|bone| bone.parent).collect();
            let same_count = own.by_count.entry(parents.len()).or_default();
            let is_new = same_count.iter().all(|other| other.skeleton.bones != skeleton.bones);
            if same_count.len() < MAX_CANDIDATES && is_new {
                let Some(rest) = left.checked_sub(parents.len()) else { break };
                left = rest;
                same_count.push(Standard { file: file.name.to_owned(), skeleton: Arc::new(skeleton), parents });
            }
        }
        own
    }

    /// Whether no skeleton was found.
    pub fn is_empty(&self) -> bool {
        self.by_count.is_empty()
    }

    /// How much an animation changes the distances between the bones of a mesh and their neighbours in a skeleton
    /// ([`Distances::change_along`]), and the id of that skeleton: of those with this number of bones, the one in which the distances
    /// change least. `None` where no skeleton has this number of bones. O(skeletons * bones²).
    pub fn change(&self, rest: &Distances, animation: &Distances) -> Option<(f64, &str)> {
        let changes = self.of_count(rest.bone_count()).iter().filter_map(|one| {
            let change = rest.change_along(animation, &one.parents)?;
            Some((change, one.skeleton.id.as_str()))
        });
        changes.reduce(|best, other| if other.0 < best.0 { other } else { best })
    }

    /// Those of so many bones.
    fn of_count(&self, bones: usize) -> &[Standard] {
        self.by_count.get(&bones).map_or(&[], Vec::as_slice)
    }
}

/// The most animations of a mesh that are looked at, and the frames of each.
const MAX_ANIMATIONS: usize = 8;
const FRAMES: usize = 8;
/// The most places of bones that are kept: 1,220 animations of 64 bones have 620,000. Animations beyond tell nothing.
const MAX_PLACES: usize = 1 << 22;
/// The most skeletons that are compared. The game has up to six of one number of bones.
const MAX_CANDIDATES: usize = 64;

/// The change of the best skeleton and that of the next, where the best is meant. Chosen on the 171 meshes of release 26 for which
/// several skeletons have the right number of bones: carts and bows of four bones, which any skeleton explains, stay undecided.
const MAX_GOOD: f64 = 0.015;
const MIN_OTHER: f64 = 0.010;
/// The change of the next is so many times that of the best at least.
const CLEAR: f64 = 2.0;
/// The most change of a skeleton that has the name of the mesh.
const MAX_NAMED: f64 = 0.05;

/// The standard skeletons that a mesh may have.
///
/// Bones keep their length: in the right skeleton, the distance of a bone to its parent is the same in the bind pose and in the
/// animations of the mesh.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Naming {
    /// The path of the mesh.
    pub mesh: String,
    /// The number of bones of the mesh.
    pub bones: usize,
    /// The number of its animations that were looked at.
    pub animations: usize,
    /// The skeletons of that number of bones, the best first.
    pub candidates: Vec<Candidate>,
}

/// A standard skeleton that a mesh may have.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Candidate {
    /// The file of the skeleton, below the mod's root.
    pub file: String,
    /// The skeleton.
    pub skeleton: Arc<StandardSkeleton>,
    /// The change of the distance between a bone and its parent, relative to the size of the mesh's skeleton: the mean over bones,
    /// frames and animations. `None` without animations and without bones that have parents.
    pub change: Option<f64>,
}

impl Naming {
    /// The skeleton of the mesh: the only one of its number of bones; or the one whose bones keep their length while those of the others do
    /// not; or the one whose bones nearly keep their length and whose name has the most words of the name of the mesh.
    pub fn decided(&self) -> Option<&Candidate> {
        let (best, next) = match self.candidates.as_slice() {
            [only] => return Some(only),
            [best, next, ..] => (best, next),
            [] => return None,
        };
        let is_clear = |own, other| own <= MAX_GOOD && other >= MIN_OTHER && other >= own * CLEAR;
        best.change
            .zip(next.change)
            .filter(|(own, other)| is_clear(*own, *other))
            .map_or_else(|| self.named(), |_| Some(best))
    }

    fn named(&self) -> Option<&Candidate> {
        let of_mesh: Vec<String> = words(&stem(&self.mesh)).collect();
        let common = |name: &str| {
            let own: Vec<String> = words(name).collect();
            if own.iter().all(|word| of_mesh.contains(word)) { own.len() } else { 0 }
        };
        let sound = self.candidates.iter().filter(|one| one.change.is_some_and(|change| change <= MAX_NAMED));
        let counted = sound.map(|one| (common(&stem(&one.file)).max(common(&one.skeleton.id)), one));
        let mut counted: Vec<_> = counted.filter(|(count, _)| *count > 0).collect();
        counted.sort_by_key(|(count, _)| Reverse(*count));
        match counted.as_slice() {
            [(_, only)] => Some(only),
            [(most, best), (next, _), ..] if most > next => Some(best),
            _ => None,
        }
    }
}

/// The words of a name, in lower case.
fn words(name: &str) -> impl Iterator<Item = String> {
    name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

fn stem(path: &str) -> std::borrow::Cow<'_, str> {
    Path::new(path).file_stem().unwrap_or_default().to_string_lossy()
}

/// Names the bones of the meshes of a mod: it has read the skeletons, and knows the actors of each mesh.
#[derive(Debug)]
pub struct Namer<'s, 'm> {
    survey: &'s Survey<'m>,
    skeletons: Skeletons,
    /// The actors that name a mesh.
    units: HashMap<&'s str, Vec<&'s Unit>>,
    frames: Mutex<Frames>,
}

/// Some frames of the animations that were read, which many meshes share.
#[derive(Debug, Default)]
struct Frames {
    /// By the paths of the animations.
    known: HashMap<String, Option<Arc<[Places]>>>,
    /// The number of all places.
    places: usize,
}

impl<'m> Survey<'m> {
    /// Reads all skeletons.
    pub fn namer(&self) -> Namer<'_, 'm> {
        let mut units: HashMap<&str, Vec<&Unit>> = HashMap::new();
        for unit in &self.units {
            unit.of_kind(PartKind::Mesh).for_each(|mesh| units.entry(&mesh.file).or_default().push(unit));
        }
        Namer { survey: self, skeletons: Skeletons::of(self.mods), units, frames: Mutex::default() }
    }
}

impl Namer<'_, '_> {
    /// The skeleton of a mesh that actors name, if it is [decided](Naming::decided). Files are read only if several skeletons have its number of
    /// bones.
    pub(crate) fn decide(&self, source: &str, options: &ParseOptions) -> Option<Arc<StandardSkeleton>> {
        let bones = self.survey.bones_of(source)?;
        match self.skeletons.of_count(bones) {
            [] => None,
            [only] => Some(Arc::clone(&only.skeleton)),
            _ => Some(Arc::clone(&self.naming(source, options).ok()??.decided()?.skeleton)),
        }
    }

    /// The standard skeletons that a mesh may have. `source`: the path of the mesh, with the extension of the source. `None` if no mod
    /// has the mesh as the game reads it. Reads the mesh and eight animations that actors join with it.
    ///
    /// # Errors
    /// A mesh that cannot be read.
    pub fn naming(&self, source: &str, options: &ParseOptions) -> Result<Option<Naming>, Fault> {
        let mods = self.survey.mods;
        let Some(file) = mods.built(source, "pmd") else { return Ok(None) };
        let loaded = mods.load(file, options)?;
        let Asset::PyrogenesisPmd(mesh) = loaded.asset()? else { return Ok(None) };
        let rest = positions(mesh.bones());
        let frames: Vec<_> = self
            .animations_of(source)
            .iter()
            .filter_map(|path| self.frames(path, &mesh, options))
            .take(MAX_ANIMATIONS)
            .collect();
        let of_standard = |one: &Standard| Candidate {
            file: one.file.clone(),
            change: mean(frames.iter().filter_map(|frames| change(&one.skeleton, &rest, frames))),
            skeleton: Arc::clone(&one.skeleton),
        };
        let mut candidates: Vec<_> = self.skeletons.of_count(rest.len()).iter().map(of_standard).collect();
        let by_change = |one: &Candidate| one.change.unwrap_or(f64::INFINITY);
        candidates.sort_by(|one, other| by_change(one).total_cmp(&by_change(other)));
        Ok(Some(Naming { mesh: source.to_owned(), bones: rest.len(), animations: frames.len(), candidates }))
    }

    /// Animations that actors join with a mesh, in name order.
    fn animations_of(&self, mesh: &str) -> BTreeSet<&str> {
        let joined = self.units.get(mesh).into_iter().flatten();
        let all = joined.flat_map(|unit| unit.of_kind(PartKind::Animation));
        all.map(|part| part.file.as_str()).collect::<BTreeSet<_>>()
    }

    /// The places of bones in some frames of an animation; `None` for one that does not fit.
    fn frames(&self, path: &str, mesh: &Pmd<'_>, options: &ParseOptions) -> Option<Arc<[Places]>> {
        let lock = || self.frames.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().known.get(path).cloned();
        let frames = known.unwrap_or_else(|| {
            if lock().places > MAX_PLACES {
                return None;
            }
            let read = self.read_frames(path, options);
            let mut own = lock();
            own.places += read.iter().flat_map(|frames| frames.iter()).map(Vec::len).sum::<usize>();
            own.known.entry(path.to_owned()).or_insert(read).clone()
        });
        frames.filter(|frames| frames.first().is_some_and(|places| places.len() == mesh.bone_count()))
    }

    fn read_frames(&self, path: &str, options: &ParseOptions) -> Option<Arc<[Places]>> {
        let file = self.survey.mods.built(path, "psa")?;
        let loaded = self.survey.mods.load(file, options).ok()?;
        let Ok(Asset::PyrogenesisPsa(animation)) = loaded.asset() else { return None };
        Some(some_frames(&animation).into())
    }
}

/// The place of each bone; `None` for a bone that the converter found no joint for, or whose place is not finite.
type Places = Vec<Option<[f32; 3]>>;

fn positions(states: &[BoneState]) -> Places {
    let place = |state: &BoneState| {
        let (place, turn) = (state.translation(), state.rotation());
        let is_joint = place != [0.0; 3] || turn != [0.0, 0.0, 0.0, 1.0];
        (is_joint && place.iter().all(|number| number.is_finite())).then_some(place)
    };
    states.iter().map(place).collect()
}

fn some_frames(animation: &Psa<'_>) -> Vec<Places> {
    let step = animation.frame_count().div_ceil(FRAMES).max(1);
    let frames = (0..animation.frame_count()).step_by(step);
    frames.filter_map(|frame| animation.frame(frame).ok().map(positions)).collect()
}

/// The change of the lengths of bones in the frames of an animation.
fn change(skeleton: &StandardSkeleton, rest: &Places, frames: &[Places]) -> Option<f64> {
    let size = size(rest)?;
    let of_bone = |(bone, parent): (usize, usize)| {
        let at_rest = distance(rest, bone, parent)?;
        mean(frames.iter().filter_map(|frame| Some((distance(frame, bone, parent)? - at_rest).abs() / size)))
    };
    let bones = skeleton.bones.iter().enumerate().filter_map(|(index, bone)| Some((index, bone.parent?)));
    mean(bones.filter_map(of_bone))
}

/// The diagonal of the box around the bones.
fn size(places: &Places) -> Option<f64> {
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for place in places.iter().flatten() {
        low.iter_mut().zip(place).for_each(|(low, own)| *low = low.min(*own));
        high.iter_mut().zip(place).for_each(|(high, own)| *high = high.max(*own));
    }
    let size = length(high, low);
    (size.is_finite() && size > 0.0).then_some(size)
}

fn distance(places: &Places, one: usize, other: usize) -> Option<f64> {
    Some(length((*places.get(one)?)?, (*places.get(other)?)?))
}

fn length(one: [f32; 3], other: [f32; 3]) -> f64 {
    one.iter().zip(other).map(|(one, other)| (f64::from(*one) - f64::from(other)).powi(2)).sum::<f64>().sqrt()
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count.saturating_add(1)));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use skelmap::archive::Limits;
    use skelmap::mapping::Opener;
    use test_support::pyrogenesis::build::{Pmd, Psa};

    use super::*;

    /// The skeletons of a mod with this file.
    fn read(text: &str) -> Skeletons {
        let root = tempfile::tempdir().expect("a folder");
        let folder = root.path().join("art/skeletons");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("all.xml"), format!("<skeletons>{text}</skeletons>")).expect("written");
        Skeletons::of(&Mods::open(&[root.path().to_owned()], &Opener::reading(), &Limits::default()).expect("a mod"))
    }

    fn skeleton(id: &str, bones: impl IntoIterator<Item = String>) -> String {
        let bones = bones.into_iter().map(|name| format!("<bone name='{name}'/>")).collect::<Vec<_>>().concat();
        format!("<standard_skeleton id='{id}'>{bones}</standard_skeleton>")
    }

    #[test]
    fn skeletons_of_512_bones_are_kept_and_64_of_one_number_of_bones() {
        let bones = |count: usize| (0..count).map(|bone| bone.to_string());
        let large = read(&[skeleton("a", bones(512)), skeleton("b", bones(513))].concat());
        assert_eq!([512, 513].map(|count| large.of_count(count).len()), [1, 0]);
        let of_two = |id: usize, name: usize| skeleton(&id.to_string(), [name.to_string(), "b".to_owned()]);
        let many: String = (0..66).map(|id| of_two(id, id)).collect();
        assert_eq!(read(&many).of_count(2).len(), 64);
        let same = read(&[of_two(1, 7), of_two(2, 7), of_two(3, 8)].concat());
        let ids: Vec<&str> = same.of_count(2).iter().map(|one| one.skeleton.id.as_str()).collect();
        assert_eq!(ids, ["1", "3"], "of the same bones, the first");
    }

    /// The skeleton of a mesh of these candidates: ids and changes.
    fn decided(mesh: &str, candidates: &[(&str, f64)]) -> Option<String> {
        let candidate = |(id, change): &(&str, f64)| Candidate {
            file: format!("art/skeletons/{id}.xml"),
            skeleton: Arc::new(StandardSkeleton { id: (*id).to_owned(), title: String::new(), bones: Vec::new() }),
            change: Some(*change),
        };
        let candidates = candidates.iter().map(candidate).collect();
        let naming = Naming { mesh: format!("art/meshes/{mesh}.dae"), bones: 5, animations: 1, candidates };
        naming.decided().map(|one| one.skeleton.id.clone())
    }

    #[test]
    fn a_skeleton_is_meant_if_bones_keep_their_length_in_it_and_in_no_other() {
        let of_two = |own, other| decided("cart", &[("a", own), ("b", other)]);
        let first = Some("a".to_owned());
        assert_eq!(of_two(0.015, 0.030), first);
        assert_eq!(of_two(0.016, 0.100), None, "bones do not keep their length");
        assert_eq!(of_two(0.005, 0.010), first);
        assert_eq!(of_two(0.002, 0.009), None, "they keep it in the other, too");
        assert_eq!(of_two(0.010, 0.019), None, "the other is nearly as good");
    }

    #[test]
    fn a_skeleton_is_meant_if_its_name_has_the_most_words_of_that_of_the_mesh() {
        let of = |candidates: &[(&str, f64)]| decided("horse_rider-2", candidates);
        assert_eq!(of(&[("bear", 0.02), ("Horse", 0.05)]).as_deref(), Some("Horse"));
        assert_eq!(of(&[("bear", 0.02), ("horse", 0.051)]), None, "bones do not nearly keep their length");
        assert_eq!(of(&[("bear", 0.02), ("cat", 0.06)]), None);
        assert_eq!(of(&[("horse", 0.02), ("horse__rider", 0.03)]).as_deref(), Some("horse__rider"));
        assert_eq!(of(&[("horse", 0.02), ("rider", 0.03)]), None, "both have one word");
        assert_eq!(of(&[("horse_bear", 0.02), ("rider", 0.03)]).as_deref(), Some("rider"), "no mesh of a bear");
    }

    /// Looks for the skeleton of a mesh of three bones with an animation of two frames, among so many, where so many places are kept
    /// already. Whether it is found, and how many places are kept then.
    fn look(skeletons: usize, kept: usize) -> (bool, usize) {
        let root = tempfile::tempdir().expect("a folder");
        let write = |path: &str, bytes: &[u8]| {
            let path = root.path().join("art").join(path);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, bytes).expect("written");
        };
        let animation = "<animations><animation name='walk' file='walk.psa'/></animations>";
        let variant = format!("<variant><mesh>one.pmd</mesh>{animation}</variant>");
        write("actors/a.xml", format!("<actor><group>{variant}</group></actor>").as_bytes());
        write("meshes/one.pmd", &Pmd::grid(2, 2, 3, 1).build().bytes);
        write("animation/walk.psa", &Psa::walk(3, 2).build().bytes);
        let of_three = |id: usize| skeleton(&id.to_string(), (0..3).map(|bone| format!("{id}.{bone}")));
        let all: String = (0..skeletons).map(of_three).collect();
        write("skeletons/all.xml", format!("<skeletons>{all}</skeletons>").as_bytes());
        let mods = Mods::open(&[root.path().to_owned()], &Opener::reading(), &Limits::default()).expect("a mod");
        let options = ParseOptions::default();
        let survey = Survey::of(&mods, &options);
        let namer = survey.namer();
        let places = |change: usize| {
            let mut frames = namer.frames.lock().expect("no panic");
            frames.places += change;
            frames.places
        };
        places(kept);
        let found = namer.decide("art/meshes/one.pmd", &options);
        (found.is_some(), places(0))
    }

    #[test]
    fn animations_are_read_if_several_skeletons_have_the_number_of_bones_and_within_a_limit() {
        assert_eq!(look(0, 0), (false, 0));
        assert_eq!(look(1, 0), (true, 0));
        assert_eq!(look(2, 0), (false, 6), "no bone has a parent, which tells nothing");
        assert_eq!(look(2, MAX_PLACES), (false, MAX_PLACES + 6));
        assert_eq!(look(2, MAX_PLACES + 1), (false, MAX_PLACES + 1));
    }

    #[test]
    fn what_has_one_place_has_no_size_and_nothing_has_no_mean() {
        assert_eq!(size(&vec![Some([1.0, 2.0, 3.0]), None]), None);
        assert_eq!(size(&vec![None]), None);
        assert_eq!(size(&vec![Some([0.0, 0.0, 4.0]), Some([3.0, 0.0, 0.0])]), Some(5.0));
        assert_eq!(mean([].into_iter()), None);
        assert_eq!(mean([1.0, 2.0, 6.0].into_iter()), Some(3.0));
    }
}
