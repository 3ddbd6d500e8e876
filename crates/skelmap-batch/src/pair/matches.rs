//! How the skeletons of meshes go with those of animations.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;
use std::sync::Arc;

use skelmap::{Match, Matcher};

use super::found::Found;
use super::is_sound;
use crate::Source;

/// Numbers of animations or of groups of them, and how they match.
pub(super) type Numbered = Vec<(usize, Arc<Match>)>;

/// The number of the bones of a skeleton, and whether they have names.
type Bones = (usize, bool);

/// What skeletons must share for a comparison: a name, or the number of bones if one of them has no names.
#[derive(PartialEq, Eq, Hash)]
enum Shared {
    Name(Vec<u8>),
    Count(Bones),
}

/// The most pairs of different skeletons that are compared, and that are kept: 4,096 of meshes and 4,096 of animations that share a bone, and a
/// quarter of these pairs that share most.
const MAX_COMPARED: usize = 1 << 24;
const MAX_KEPT: usize = 1 << 22;

/// From so many pairs on, only those are kept that matter: `root` alone is in most skeletons.
const MANY: usize = 1 << 16;

/// The bones of the meshes that are in memory at a time while skeletons are compared.
const MAX_BONES: usize = 1 << 20;

/// How the skeletons of the meshes go with those of the animations. What shares nothing is not compared, and not kept.
pub(super) struct Matches {
    /// The animations of each skeleton, in the order of their first ones.
    groups: Vec<Vec<usize>>,
    /// The bones of each group; `None` if the first animation cannot be read.
    group_bones: Vec<Option<Bones>>,
    /// For each animation, the number of its group.
    group_of: Vec<usize>,
    /// For each mesh, the number of its skeleton.
    skeleton_of: Vec<u32>,
    /// By the number of a skeleton: its bones, and its matches with groups, in their order. They have no list of bones.
    of_skeletons: HashMap<u32, (Bones, Numbered)>,
    /// The pairs of skeletons that were compared, and those that were kept.
    compared: usize,
    kept: usize,
}

impl Matches {
    /// `min_percent`: of very many pairs, those that neither can play nor share most bones are left out; `None` keeps them.
    ///
    /// # Errors
    /// Too many pairs of skeletons.
    pub(super) fn of(
        meshes: &[&Found<'_>],
        animations: &[&Found<'_>],
        min_percent: Option<f64>,
        source: &Source,
    ) -> io::Result<Self> {
        let (mut groups, mut group_of): (Vec<Vec<usize>>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut known: HashMap<u32, usize> = HashMap::new();
        for (index, found) in animations.iter().enumerate() {
            let group = *known.entry(found.skeleton).or_insert(groups.len());
            if group == groups.len() {
                groups.push(Vec::new());
            }
            groups.get_mut(group).into_iter().for_each(|group| group.push(index));
            group_of.push(group);
        }
        let group_bones = vec![None; groups.len()];
        let skeleton_of = meshes.iter().map(|mesh| mesh.skeleton).collect();
        let mut own =
            Self { groups, group_bones, group_of, skeleton_of, of_skeletons: HashMap::new(), compared: 0, kept: 0 };
        let mut seen = HashSet::new();
        let mut rest = meshes.iter().filter(|mesh| seen.insert(mesh.skeleton)).peekable();
        while rest.peek().is_some() {
            let (mut some, mut index, mut bones) = (Vec::new(), HashMap::<Shared, Vec<usize>>::new(), 0);
            while let Some(mesh) = rest.next_if(|_| bones < MAX_BONES) {
                // What cannot be read is told of when it is converted.
                let Ok(opened) = mesh.load(source) else { continue };
                let Ok(asset) = opened.asset() else { continue };
                let Some((matcher, skeleton)) = Matcher::new(&asset).zip(asset.skeleton()) else { continue };
                let (of_mesh, names) = (skeleton.bone_count(), skeleton.to_names());
                let own_bones = (of_mesh, names.is_some());
                let shared = names.into_iter().flatten().map(Shared::Name).chain([Shared::Count(own_bones)]);
                for shared in shared {
                    let same = index.entry(shared).or_default();
                    // Bones of one skeleton can have one name.
                    if same.last() != Some(&some.len()) {
                        same.push(some.len());
                    }
                }
                own.of_skeletons.insert(mesh.skeleton, (own_bones, Vec::new()));
                some.push((mesh.skeleton, matcher));
                bones = bones.saturating_add(of_mesh);
            }
            own.compare(&some, &index, animations, min_percent, source)?;
        }
        Ok(own)
    }

    /// Compares each group with the meshes that share something with it.
    fn compare(
        &mut self,
        some: &[(u32, Matcher)],
        index: &HashMap<Shared, Vec<usize>>,
        animations: &[&Found<'_>],
        min_percent: Option<f64>,
        source: &Source,
    ) -> io::Result<()> {
        for (number, group) in self.groups.iter().enumerate() {
            let first = group.first().and_then(|first| animations.get(*first));
            let Some(Ok(opened)) = first.map(|first| first.load(source)) else { continue };
            let Ok(asset) = opened.asset() else { continue };
            let Some(skeleton) = asset.skeleton() else { continue };
            let (count, names) = (skeleton.bone_count(), skeleton.to_names());
            let has_names = names.is_some();
            self.group_bones.get_mut(number).into_iter().for_each(|bones| *bones = Some((count, has_names)));
            let mut keys: HashSet<Shared> = names.into_iter().flatten().map(Shared::Name).collect();
            keys.insert(Shared::Count((count, false)));
            if !has_names {
                keys.insert(Shared::Count((count, true)));
            }
            let meshes: BTreeSet<usize> = keys.iter().filter_map(|key| index.get(key)).flatten().copied().collect();
            for (skeleton, matcher) in meshes.into_iter().filter_map(|mesh| some.get(mesh)) {
                self.compared += 1;
                if self.compared > MAX_COMPARED || self.kept > MAX_KEPT {
                    return Err(io::Error::other(
                        "too many pairs of skeletons that share bones: convert fewer at once",
                    ));
                }
                let Some(mut found) = matcher.compare(&asset).filter(|found| found.matched > 0) else { continue };
                let is_worth = |least: f64| is_sound(&found) || found.can_play(least);
                if self.kept > MANY && !min_percent.is_none_or(is_worth) {
                    continue;
                }
                found.bones = Vec::new();
                self.kept += 1;
                if let Some((_, of_groups)) = self.of_skeletons.get_mut(skeleton) {
                    of_groups.push((number, Arc::new(found)));
                }
            }
        }
        Ok(())
    }

    /// The groups that share something with a mesh, and how they match.
    pub(super) fn of_mesh(&self, mesh: usize) -> impl Iterator<Item = (&[usize], &Arc<Match>)> {
        let of_skeleton = self.skeleton_of.get(mesh).and_then(|skeleton| self.of_skeletons.get(skeleton));
        let of_groups = of_skeleton.into_iter().flat_map(|(_, of_groups)| of_groups);
        of_groups.filter_map(|(group, found)| Some((self.groups.get(*group)?.as_slice(), found)))
    }

    /// How a mesh and an animation match; `None` if they share nothing.
    pub(super) fn get(&self, mesh: usize, animation: usize) -> Option<&Arc<Match>> {
        let (_, of_groups) = self.of_skeletons.get(self.skeleton_of.get(mesh)?)?;
        let group = self.group_of.get(animation)?;
        let at = of_groups.binary_search_by_key(group, |(group, _)| *group).ok()?;
        of_groups.get(at).map(|(_, found)| found)
    }

    /// How a mesh and an animation match, also if they share nothing; `None` if one of them cannot be read.
    pub(super) fn or_none(&self, mesh: usize, animation: usize) -> Option<Arc<Match>> {
        self.get(mesh, animation).map(Arc::clone).or_else(|| {
            let ((of_mesh, has_names), _) = *self.of_skeletons.get(self.skeleton_of.get(mesh)?)?;
            let (of_animation, all_have_names) = (*self.group_bones.get(*self.group_of.get(animation)?)?)?;
            let mut none = Match::default();
            (none.missing, none.extra) = (of_mesh as u64, of_animation as u64);
            none.by_name = has_names && all_have_names;
            Some(Arc::new(none))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::found::survey;
    use super::super::tests::{animation, archive, mesh};
    use super::*;

    #[test]
    fn skeletons_are_compared_and_kept_up_to_the_limits() {
        let (source, sources) = (Source::default(), archive(&[("a.psk", mesh("a", 2)), ("b.psa", animation("a"))]));
        let (found, _) = survey(&sources, &[], None, &source, None).expect("assets");
        let (meshes, animations): (Vec<&Found<'_>>, Vec<_>) = found.iter().partition(|found| found.format.is_mesh());
        let compared = |compared: usize, kept: usize| {
            let mut matches = Matches::of(&[], &animations, None, &source).expect("few enough");
            (matches.compared, matches.kept) = (compared, kept);
            let opened = meshes[0].load(&source).expect("a file");
            let matcher = Matcher::new(&opened.asset().expect("a mesh")).expect("a mesh");
            let index = HashMap::from([(Shared::Name(b"a".to_vec()), vec![0])]);
            let done = matches.compare(&[(0, matcher)], &index, &animations, None, &source);
            done.is_ok().then_some((matches.compared, matches.kept))
        };
        assert_eq!(compared(0, 0), Some((1, 1)));
        assert_eq!(compared(MAX_COMPARED - 1, MAX_KEPT), Some((MAX_COMPARED, MAX_KEPT + 1)));
        assert_eq!(compared(MAX_COMPARED, 0), None);
        assert_eq!(compared(0, MAX_KEPT + 1), None);
    }

    #[test]
    fn what_shares_nothing_is_told_by_the_numbers_of_bones() {
        let of_pyrogenesis = test_support::pyrogenesis::build::Psa::walk(2, 1).build().bytes;
        let files = [("a.psk", mesh("a b c", 2)), ("b.psa", animation("x")), ("c.psa", of_pyrogenesis)];
        let (source, sources) = (Source::default(), archive(&files));
        let (found, _) = survey(&sources, &[], None, &source, None).expect("assets");
        let (meshes, animations): (Vec<&Found<'_>>, Vec<_>) = found.iter().partition(|found| found.format.is_mesh());
        let matches = Matches::of(&meshes, &animations, None, &source).expect("few enough");
        let told = |animation| {
            let Match { matched, missing, extra, by_name, .. } = *matches.or_none(0, animation).expect("a match");
            (matched, missing, extra, by_name)
        };
        assert_eq!(told(0), (0, 3, 1, true));
        assert_eq!(told(1), (0, 3, 2, false), "its bones have no names");
    }
}
