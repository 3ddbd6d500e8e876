//! Which animations belong to which mesh.
//!
//! [`Match::can_play`] tells what can play. Many animations can play on many meshes, and most of them are not meant: of the meshes on which
//! an animation can play, it belongs to those that actors join it with, else to those that its name is about, else to those with its
//! skeleton. [`Level`] asks for more.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use skelmap::{Format, Match, Verdict};

use super::actors::{Actors, Dress};
use super::found::Found;
use super::matches::{Matches, Numbered};
use super::places::Places;
use super::stem::{subject, subjects};
use super::{Faults, Known, Model, Moves, is_sound, rank};
use crate::{Run, Source};

/// Which animations a mesh gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::exhaustive_enums, reason = "a new level is for every caller to know")]
pub enum Level {
    /// Those that belong to it.
    #[default]
    Own,
    /// Those that have its bones and parents, too.
    Exact,
    /// All that can play on it.
    Fits,
    /// All that share a bone with it, whether they can play or not.
    Any,
}

impl Level {
    /// All levels.
    pub const ALL: [Self; 4] = [Self::Own, Self::Exact, Self::Fits, Self::Any];

    /// The stable name.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Exact => "exact",
            Self::Fits => "fits",
            Self::Any => "any",
        }
    }
}

/// Why a mesh has an animation, the strongest reason first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Evidence {
    /// An actor joins them.
    Actor,
    /// Their names are about the same.
    Name,
    /// The same bones and parents, and no mesh by name.
    Skeleton,
    /// Of all meshes, this one has the most of its bones; or there is no other.
    Best,
    /// The caller asks for it.
    Asked,
}

impl Evidence {
    /// The stable name.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Actor => "actor",
            Self::Name => "name",
            Self::Skeleton => "skeleton",
            Self::Best => "best",
            Self::Asked => "asked",
        }
    }
}

/// An animation of a mesh.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Member<'s> {
    /// The animation.
    pub animation: &'s Found<'s>,
    /// Why the mesh has it.
    pub evidence: Evidence,
    /// The names under which actors play it.
    pub names: Vec<String>,
}

impl<'s> Member<'s> {
    /// An animation without a mesh.
    pub(crate) fn alone(animation: &'s Found<'s>) -> Self {
        Self { animation, evidence: Evidence::Asked, names: Vec::new() }
    }
}

/// A mesh and an animation, by their numbers, and how they match.
#[derive(Clone, Debug)]
pub(crate) struct Compared {
    pub(crate) mesh: usize,
    pub(crate) animation: usize,
    pub(crate) found: Arc<Match>,
    evidence: Evidence,
}

/// What the caller wants.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "made by callers")]
pub struct Wanted {
    /// Which animations a mesh gets.
    pub level: Level,
    /// See [`Match::can_play`].
    pub min_percent: f64,
    /// Whether there is one output. Then the one mesh that the arguments name is converted; other meshes beside it are only looked at.
    pub is_one: bool,
}

/// What is asked.
pub(crate) struct Question<'q, 's> {
    pub(crate) meshes: &'q [&'s Found<'s>],
    pub(crate) animations: &'q [&'s Found<'s>],
    /// Meshes that are not asked about. An animation that is about one of them belongs to it.
    pub(crate) others: &'q [&'s Found<'s>],
    /// Whether the animations are for all meshes, and not found among them.
    pub(crate) is_given: bool,
    pub(crate) wanted: &'q Wanted,
    pub(crate) threads: Option<NonZeroUsize>,
    pub(crate) source: &'q Source,
}

/// The answer.
pub(crate) struct Sets<'s> {
    /// For each mesh its animations, the strongest evidence first: those of actors in their order, `Idle` before all others, and those of equal
    /// evidence in the order of the question.
    pub(crate) members: Vec<Vec<Member<'s>>>,
    /// For each mesh, what actors and skeletons tell of it.
    pub(crate) dresses: Vec<Dress>,
    /// For each animation, whether a mesh plays it.
    pub(crate) used: Vec<bool>,
    /// The animations that no mesh plays, and that are worth a word.
    pub(crate) refused: Refused,
    /// Mods that cannot be opened, whose actors and skeletons are not known.
    pub(crate) faults: Faults,
}

/// Animations that no mesh plays although the arguments name them or an actor does.
#[derive(Default)]
pub(crate) struct Refused {
    /// By the number of a mesh, the first animations that cannot play on it, and the number of all.
    pub(crate) of_meshes: BTreeMap<usize, (Numbered, usize)>,
    /// By the number of an animation, its best match.
    pub(crate) best: HashMap<usize, Arc<Match>>,
}

/// The animations that are named for a mesh.
const MAX_REFUSED: usize = 3;

impl Refused {
    fn add(&mut self, mesh: usize, animation: usize, found: &Arc<Match>) {
        let (named, count) = self.of_meshes.entry(mesh).or_default();
        *count += 1;
        if named.len() < MAX_REFUSED {
            named.push((animation, Arc::clone(found)));
        }
        let best = self.best.entry(animation).or_insert_with(|| Arc::clone(found));
        if rank(found) < rank(best) {
            *best = Arc::clone(found);
        }
    }
}

/// The most pairs of a mesh and an animation in a run.
const MAX_PAIRS: usize = 1 << 21;

/// The most meshes of one name that are compared with an animation of this name, before its folder and behind it in the order of folders.
const MAX_NEAR: usize = 64;

/// An animation of fewer bones has the skeleton of every prop.
const MIN_BONES: u64 = 3;

/// The percentage of the bones of an animation and of a mesh that they share, where their names are the evidence.
const MIN_SHARED: f64 = 50.0;

/// Decides which animations belong to which mesh. O(meshes * animations), with a comparison of bones for each two skeletons that share one.
///
/// # Errors
/// Too many pairs; a system that starts no thread.
pub(crate) fn belong<'s>(question: &Question<'_, 's>) -> io::Result<Sets<'s>> {
    let Question { meshes, animations, source, .. } = *question;
    let Wanted { level, min_percent, .. } = *question.wanted;
    let matches = Matches::of(meshes, animations, Some(min_percent).filter(|_| level < Level::Any), source)?;
    let (actors, mut faults) = Actors::of(meshes, animations, question.threads, source)?;
    let places = Places::of(meshes, question.others, animations);
    let owners = Owners::of(question, &places, |mesh, animation| matches.get(mesh, animation));
    let is_free = |animation| !actors.has(animation) && !owners.is_owned(animation);
    let is_asked =
        |animation, candidate: &Found<'_>| candidate.item.is_named() && (question.is_given || is_free(animation));
    let (mut found, mut counted) = (Vec::new(), Vec::new());
    let (mut choices, mut count): (BTreeMap<usize, Choice>, usize) = (BTreeMap::new(), 0);
    for (mesh, own) in meshes.iter().enumerate() {
        for (group, matched) in matches.of_mesh(mesh) {
            let is_alike = is_exact(matched);
            let can_play = matched.can_play(min_percent);
            for (animation, candidate) in group.iter().filter_map(|at| Some((*at, animations.get(*at)?))) {
                let pair = |evidence| Compared { mesh, animation, found: Arc::clone(matched), evidence };
                let is_of_level = match level {
                    Level::Own => false,
                    Level::Exact => is_alike || matched.is_counted(),
                    Level::Fits | Level::Any => true,
                };
                let evidence = if actors.join(mesh, animation).is_some() {
                    Evidence::Actor
                } else if owners.has(animation, mesh) && !actors.has(animation) {
                    Evidence::Name
                } else if is_of_level || is_asked(animation, candidate) {
                    Evidence::Asked
                } else if is_free(animation) && (meshes.len() == 1 || !matched.is_counted()) {
                    Evidence::Best
                } else {
                    continue;
                };
                let is_one_of_many = evidence == Evidence::Best && meshes.len() > 1;
                if matched.is_counted() && evidence != Evidence::Actor && level < Level::Any {
                    counted.push(pair(evidence));
                } else if is_one_of_many {
                    if can_play && shares_most(matched) && matched.matched >= MIN_BONES {
                        let far = places.distance(mesh, animation);
                        let choice = choices.entry(animation).or_default();
                        let before = choice.pairs.len();
                        choice.add(Compared { evidence: Evidence::of(is_alike), ..pair(evidence) }, far, own);
                        count = (count + choice.pairs.len()).saturating_sub(before);
                    }
                } else if can_play || evidence == Evidence::Name || level == Level::Any {
                    found.push(pair(evidence));
                }
                if found.len() + counted.len() + count > MAX_PAIRS {
                    let message = "more than 2,097,152 pairs of a mesh and an animation: convert fewer at once";
                    return Err(io::Error::other(message));
                }
            }
        }
    }
    faults.extend(measure(&mut counted, question)?);
    let (fitting, refused): (Vec<_>, Vec<_>) = counted.into_iter().partition(|pair| pair.found.can_play(min_percent));
    let all = found.into_iter().chain(fitting).chain(choices.into_values().flat_map(|choice| choice.pairs));
    let mut members: Vec<Vec<(_, Member<'s>)>> = meshes.iter().map(|_| Vec::new()).collect();
    let mut used = vec![false; animations.len()];
    for pair in all {
        let animation = animations.get(pair.animation).copied();
        if let Some((members, animation)) = members.get_mut(pair.mesh).zip(animation) {
            let joined = actors.join(pair.mesh, pair.animation);
            let (order, names) = joined.map(|joined| (joined.order(), joined.names.clone())).unwrap_or_default();
            let rank = (pair.evidence, order, pair.animation);
            members.push((rank, Member { animation, evidence: pair.evidence, names }));
            used.get_mut(pair.animation).into_iter().for_each(|used| *used = true);
        }
    }
    let members = members.into_iter().map(|mut own| {
        own.sort_by_key(|(rank, _)| *rank);
        own.into_iter().map(|(_, member)| member).collect()
    });
    let is_unused = |animation: usize| used.get(animation) == Some(&false);
    let mut told = Refused::default();
    for pair in refused.iter().filter(|pair| is_unused(pair.animation)) {
        told.add(pair.mesh, pair.animation, &pair.found);
    }
    let known: HashSet<(usize, usize)> = refused.iter().map(|pair| (pair.mesh, pair.animation)).collect();
    let (joined, mut left) = (actors.pairs(), MAX_PAIRS);
    for (animation, candidate) in animations.iter().enumerate().filter(|(animation, _)| is_unused(*animation)) {
        let is_asked = is_asked(animation, candidate);
        if !is_asked && !actors.has(animation) {
            continue;
        }
        let all = if is_asked { 0..meshes.len() } else { 0..0 };
        let joined = joined.range((animation, 0)..=(animation, usize::MAX)).map(|(_, mesh)| *mesh);
        for mesh in all.chain(joined.filter(|_| !is_asked)).take(left) {
            left -= 1;
            let is_related = meshes.get(mesh).is_some_and(|mesh| mesh.format.is_related_to(candidate.format));
            if is_related && !known.contains(&(mesh, animation)) {
                matches.or_none(mesh, animation).into_iter().for_each(|found| told.add(mesh, animation, &found));
            }
        }
    }
    let members = members.collect();
    Ok(Sets { members, dresses: actors.dresses, used, refused: told, faults })
}

impl Evidence {
    const fn of(is_alike: bool) -> Self {
        if is_alike { Self::Skeleton } else { Self::Best }
    }
}

/// Whether both have the same bones and parents.
fn is_exact(found: &Match) -> bool {
    found.verdict() == Verdict::Exact && found.reparented == 0
}

/// Whether a mesh and an animation share most bones of both.
pub(super) fn shares_most(found: &Match) -> bool {
    found.percent_of_mesh().min(found.percent_of_animation()) >= MIN_SHARED
}

/// The meshes of an animation that no actor and no name joins with one: all with its skeleton in the nearest folder, or the best one.
#[derive(Default)]
struct Choice {
    pairs: Vec<Compared>,
    /// The distance and the size of the mesh.
    far: usize,
    size: u64,
}

impl Choice {
    /// Takes a mesh in, if none is better. Of equal ones the nearest counts, and then the largest; of those with the very skeleton, all that
    /// are nearest.
    fn add(&mut self, pair: Compared, far: usize, mesh: &Found<'_>) {
        let size = mesh.item.size_hint();
        let Some(best) = self.pairs.first() else {
            (self.pairs, self.far, self.size) = (vec![pair], far, size);
            return;
        };
        let own = (pair.evidence, rank(&pair.found), far);
        let known = (best.evidence, rank(&best.found), self.far);
        let is_better = own < known || own == known && pair.evidence == Evidence::Best && size > self.size;
        if is_better {
            (self.pairs, self.far, self.size) = (vec![pair], far, size);
        } else if own == known && pair.evidence == Evidence::Skeleton {
            self.pairs.push(pair);
        }
    }
}

/// Meshes by what their names are about.
type BySubject = HashMap<String, Vec<(usize, Format)>>;

/// The meshes that animations are about, by name.
struct Owners {
    /// For each animation the meshes of the question, sorted; and whether it is about any mesh.
    of_animations: Vec<(Vec<usize>, bool)>,
}

impl Owners {
    fn of<'m>(
        question: &Question<'_, '_>,
        places: &Places,
        match_of: impl Fn(usize, usize) -> Option<&'m Arc<Match>>,
    ) -> Self {
        let by_subject = |wanted: &dyn Fn(usize) -> bool| {
            let mut all: BySubject = HashMap::new();
            let meshes = question.meshes.iter().chain(question.others).enumerate();
            for (number, mesh) in meshes.filter(|(number, _)| wanted(*number)) {
                all.entry(subject(&mesh.name())).or_default().push((number, mesh.format));
            }
            // Of folders in order, those near one in the tree are near it in the list.
            for meshes in all.values_mut() {
                meshes.sort_by_key(|(mesh, _)| places.of_mesh(*mesh));
            }
            all
        };
        let near = |all: &[(usize, Format)], animation: usize| {
            let folder = places.of_animation(animation);
            let at = all.partition_point(|(mesh, _)| places.of_mesh(*mesh) < folder);
            let (first, end) = (at.saturating_sub(MAX_NEAR), all.len().min(at + MAX_NEAR));
            all.get(first..end).map(<[_]>::to_vec).unwrap_or_default()
        };
        let is_mesh = |number: usize| number < question.meshes.len();
        // The very name is enough if most bones are shared. A name that only begins so must be able to play.
        let may_own = |mesh: usize, animation: usize, is_same: bool| {
            !is_mesh(mesh)
                || match_of(mesh, animation)
                    .is_some_and(|found| is_sound(found) && (is_same || found.can_play(question.wanted.min_percent)))
        };
        // The meshes of these that an animation is about, the nearest or all.
        let owners_in = |meshes: &BySubject, animation: usize, found: &Found<'_>, is_nearest: bool| {
            subjects(&found.name()).iter().enumerate().find_map(|(at, subject)| {
                let all = meshes.get(subject).map(|all| near(all, animation)).unwrap_or_default().into_iter();
                let related = all.filter(|(_, format)| format.is_related_to(found.format)).map(|(mesh, _)| mesh);
                let sound: Vec<_> = related
                    .filter(|mesh| may_own(*mesh, animation, at == 0))
                    .map(|mesh| (places.distance(mesh, animation), mesh))
                    .collect();
                let nearest = sound.iter().map(|(far, _)| *far).min()?;
                let near = sound.into_iter().filter(|(far, _)| !is_nearest || *far == nearest);
                let mut own: Vec<_> = near.map(|(_, mesh)| mesh).collect();
                own.retain(|mesh| is_mesh(*mesh));
                own.sort_unstable();
                Some(own)
            })
        };
        let all = by_subject(&|_| true);
        let of_animation = |(animation, found): (usize, &&Found<'_>)| {
            let own = owners_in(&all, animation, found, true);
            let is_owned = own.is_some();
            (own.unwrap_or_default(), is_owned)
        };
        let mut of_animations: Vec<_> = question.animations.iter().enumerate().map(of_animation).collect();
        if question.is_given {
            // What is given is for all meshes of the name, although it lies beside another one. Of animations of one name, as in an archive and
            // beside it, a mesh gets the nearest.
            let asked = by_subject(&is_mesh);
            let name = |animation: &Found<'_>| animation.name().to_lowercase();
            let named = of_animations.iter().zip(question.animations);
            let mut taken: HashSet<(usize, String)> =
                named.flat_map(|((own, _), found)| own.iter().map(|mesh| (*mesh, name(found)))).collect();
            for (animation, ((own, _), found)) in of_animations.iter_mut().zip(question.animations).enumerate() {
                let others = owners_in(&asked, animation, found, false).unwrap_or_default();
                own.extend(others.into_iter().filter(|mesh| taken.insert((*mesh, name(found)))));
                own.sort_unstable();
            }
        }
        Self { of_animations }
    }

    fn has(&self, animation: usize, mesh: usize) -> bool {
        self.of_animations.get(animation).is_some_and(|(own, _)| own.binary_search(&mesh).is_ok())
    }

    fn is_owned(&self, animation: usize) -> bool {
        self.of_animations.get(animation).is_some_and(|(_, is_owned)| *is_owned)
    }
}

/// The meshes that are in memory at a time while distances are measured.
const MAX_MODELS: usize = 4096;

/// Measures how distances between bones without names change. `pairs` are in the order of the meshes.
fn measure(pairs: &mut [Compared], question: &Question<'_, '_>) -> io::Result<Faults> {
    let Question { meshes, animations, threads, source, .. } = *question;
    let mut skeletons = Known::default();
    for some in pairs.chunk_by_mut(|one, other| one.mesh / MAX_MODELS == other.mesh / MAX_MODELS) {
        let mut models: HashMap<usize, Model> = HashMap::new();
        let mut by_animation: BTreeMap<usize, Vec<&mut Compared>> = BTreeMap::new();
        for pair in some {
            if let (Entry::Vacant(vacant), Some(mesh)) = (models.entry(pair.mesh), meshes.get(pair.mesh)) {
                let opened = mesh.load(source).ok();
                let asset = opened.as_ref().and_then(|opened| opened.asset().ok());
                if let Some(mut model) = asset.and_then(|asset| Model::of(mesh.address(), &asset)) {
                    model.skeletons = skeletons.of_mesh(&model.address, source);
                    vacant.insert(model);
                }
            }
            by_animation.entry(pair.animation).or_default().push(pair);
        }
        let measure = |(animation, pairs): (usize, Vec<&mut Compared>)| {
            // What cannot be read is told of when it is converted.
            let Some(found) = animations.get(animation) else { return };
            let Some(opened) = found.load(source).ok() else { return };
            let Ok(asset) = opened.asset() else { return };
            let Ok(moves) = Moves::of(&asset, found.item) else { return };
            for pair in pairs {
                if let Some(own) = models.get(&pair.mesh).and_then(|model| model.compare(&moves)) {
                    pair.found = Arc::new(own.found);
                }
            }
        };
        let total = by_animation.len();
        Run { jobs: threads, watch: None }.in_pool(total, || by_animation.into_par_iter().for_each(measure))?;
    }
    Ok(skeletons.faults)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use test_support::pyrogenesis::build::{Pmd, Psa, State};
    use test_support::with;

    use super::super::found::survey;
    use super::super::tests::{animation, archive, mesh};
    use super::*;
    use crate::columns::name_of;
    use crate::items::Sources;

    fn wanted(level: Level) -> Wanted {
        Wanted { level, min_percent: Match::MIN_PERCENT, is_one: false }
    }

    /// Answers the question about all meshes but those in a folder `other`. `given`: the animations that the arguments name.
    fn ask<T>(
        sources: &Sources,
        given: Option<&Sources>,
        level: Level,
        answer: impl FnOnce(&Question<'_, '_>, Sets<'_>) -> T,
    ) -> T {
        let (source, is_given) = (Source::default(), given.is_some());
        let found = |sources| survey(sources, &[], None, &source, None).expect("assets").0;
        let (found, given) = (found(sources), given.map(found));
        let (meshes, own): (Vec<&Found<'_>>, Vec<_>) = found.iter().partition(|found| found.format.is_mesh());
        let is_other = |mesh: &&Found<'_>| mesh.address().entry().is_some_and(|name| name.starts_with("other/"));
        let (mut others, meshes): (Vec<_>, Vec<_>) = meshes.into_iter().partition(is_other);
        let (beside, given): (Vec<_>, Vec<_>) = given.iter().flatten().partition(|found| found.format.is_mesh());
        others.extend(beside);
        let animations = if is_given { given } else { own };
        let question = Question {
            meshes: &meshes,
            animations: &animations,
            others: &others,
            is_given,
            wanted: &wanted(level),
            threads: NonZeroUsize::new(1),
            source: &source,
        };
        let sets = belong(&question).expect("sets");
        answer(&question, sets)
    }

    /// A line for each mesh: its name, and those of its animations with the reasons.
    fn lines(question: &Question<'_, '_>, sets: &Sets<'_>) -> Vec<String> {
        let of_member = |member: &Member<'_>| {
            let names = member.names.iter().map(|name| format!(" '{name}'")).collect::<Vec<_>>().concat();
            format!(" {} by {}{names}", name_of(&member.animation.address()), member.evidence.code())
        };
        let line = |(mesh, members): (&&Found<'_>, &Vec<Member<'_>>)| {
            let members: Vec<String> = members.iter().map(of_member).collect();
            format!("{}:{}", name_of(&mesh.address()), members.join(","))
        };
        question.meshes.iter().zip(&sets.members).map(line).collect()
    }

    fn told(files: &[(&str, Vec<u8>)], level: Level) -> Vec<String> {
        ask(&archive(files), None, level, |question, sets| lines(question, &sets))
    }

    #[test]
    fn a_mesh_names_three_animations_that_it_refuses_and_counts_all() {
        let mut refused = Refused::default();
        let found = |matched, missing, extra| {
            Arc::new(with(Match::default(), |found| {
                (found.matched, found.missing, found.extra, found.by_name) = (matched, missing, extra, true);
            }))
        };
        // 1 of 8 and 1 of 4 bones; a quarter and an eighth are as good.
        let all = [(0, found(1, 7, 7)), (1, found(1, 7, 3)), (2, found(1, 3, 7))];
        for (mesh, found) in &all {
            refused.add(*mesh, 9, found);
        }
        assert!(Arc::ptr_eq(&refused.best[&9], &all[1].1), "the best, and the first of equal ones");
        (0..3).for_each(|animation| refused.add(0, animation, &all[0].1));
        let (named, count) = &refused.of_meshes[&0];
        let named: Vec<usize> = named.iter().map(|(animation, _)| *animation).collect();
        assert_eq!((named, *count), (vec![9, 0, 1], 4));
    }

    #[test]
    fn an_animation_of_no_mesh_belongs_to_the_best_the_nearest_or_the_largest() {
        let (three, four) = (|| mesh("a b c", 2), |columns| mesh("a b c d", columns));
        let cases = [
            (
                "the larger",
                vec![("x/1.psk", four(2)), ("x/2.psk", four(9))],
                &["1.psk:", "2.psk: walk.psa by best"][..],
            ),
            ("no smaller", vec![("x/1.psk", four(9)), ("x/2.psk", four(2))], &["1.psk: walk.psa by best", "2.psk:"]),
            ("the first", vec![("x/1.psk", four(2)), ("x/2.psk", four(2))], &["1.psk: walk.psa by best", "2.psk:"]),
            ("the nearer", vec![("a/1.psk", four(9)), ("x/2.psk", four(2))], &["1.psk:", "2.psk: walk.psa by best"]),
            ("no farther", vec![("x/1.psk", four(2)), ("y/2.psk", four(9))], &["1.psk: walk.psa by best", "2.psk:"]),
            (
                "all near ones with the skeleton",
                vec![("x/1.psk", three()), ("x/2.psk", three()), ("y/3.psk", three())],
                &["1.psk: walk.psa by skeleton", "2.psk: walk.psa by skeleton", "3.psk:"],
            ),
            (
                "the skeleton",
                vec![("x/1.psk", four(2)), ("y/2.psk", three())],
                &["1.psk:", "2.psk: walk.psa by skeleton"],
            ),
            ("still", vec![("w/1.psk", three()), ("x/2.psk", four(2))], &["1.psk: walk.psa by skeleton", "2.psk:"]),
        ];
        for (case, mut files, expected) in cases {
            files.push(("x/walk.psa", animation("a b c")));
            assert_eq!(told(&files, Level::Own), expected, "{case}");
        }
    }

    #[test]
    fn of_several_meshes_one_gets_an_animation_if_they_share_half_of_the_bones_and_three() {
        let of_two = |bones: &str, moved: &str| {
            told(&[("1.psk", mesh(bones, 2)), ("2.psk", mesh(bones, 2)), ("walk.psa", animation(moved))], Level::Own)
        };
        assert_eq!(of_two("a b c d e f", "a b c"), ["1.psk: walk.psa by best", "2.psk:"]);
        assert_eq!(of_two("a b c d e f g", "a b c"), ["1.psk:", "2.psk:"], "3 of 7");
        assert_eq!(of_two("a b c", "a b"), ["1.psk:", "2.psk:"], "a prop");
        assert_eq!(of_two("a b c d e f", "a b c d e x"), ["1.psk:", "2.psk:"], "it cannot play");
        let one = [("1.psk", mesh("a b c d e f g", 2)), ("walk.psa", animation("a b"))];
        assert_eq!(told(&one, Level::Own), ["1.psk: walk.psa by best"], "there is no other");
    }

    #[test]
    fn the_very_name_is_enough_if_most_bones_are_shared() {
        let about = |path, moved| {
            let meshes = [("hero.psk", mesh("a b c d e f", 2)), ("troll.psk", mesh("a b c d e z", 2))];
            told(&[&meshes[..], &[(path, animation(moved))]].concat(), Level::Own)
        };
        assert_eq!(about("hero.psa", "a b c d e z"), ["hero.psk: hero.psa by name", "troll.psk:"]);
        assert_eq!(about("hero_run.psa", "a b c d e z"), ["hero.psk:", "troll.psk: hero_run.psa by skeleton"]);
        assert_eq!(about("hero_run.psa", "a b c d e"), ["hero.psk: hero_run.psa by name", "troll.psk:"]);
        assert_eq!(about("hero.psa", "a q r s t u"), ["hero.psk:", "troll.psk:"]);
    }

    #[test]
    fn an_animation_that_is_about_a_mesh_beside_those_of_the_question_belongs_to_none_of_them() {
        let own = [("troll.psk", mesh("a b c", 2)), ("hero.psa", animation("a b c"))];
        assert_eq!(told(&own, Level::Own), ["troll.psk: hero.psa by best"]);
        let other = [("other/hero.psk", mesh("x y z", 2))];
        assert_eq!(told(&[&own[..], &other].concat(), Level::Own), ["troll.psk:"]);
    }

    #[test]
    fn of_meshes_of_one_name_64_before_the_folder_of_an_animation_and_64_behind_are_compared() {
        let mesh = mesh("a b c", 2);
        let names: Vec<String> = (0..65).map(|level| format!("a/hero_lod{level}.psk")).collect();
        let mut files: Vec<(&str, Vec<u8>)> = names.iter().map(|name| (name.as_str(), mesh.clone())).collect();
        let has = |files: &[(&str, Vec<u8>)]| {
            told(files, Level::Own).into_iter().map(|line| !line.ends_with(':')).collect::<Vec<_>>()
        };
        files.push(("a/hero.psa", animation("a b c")));
        assert_eq!(has(&files), [vec![true; 64], vec![false]].concat());
        *files.last_mut().expect("the animation") = ("b/hero.psa", animation("a b c"));
        files.push(("b/hero.psk", mesh));
        assert_eq!(has(&files), [vec![false; 65], vec![true]].concat(), "the nearest one is behind 65 others");
    }

    #[test]
    fn each_level_adds_animations() {
        let files = [
            ("hero.psk", mesh("a b c", 2)),
            ("troll.psk", mesh("a b c", 2)),
            ("hero.psa", animation("a b c")),
            ("hero_up.psa", animation("a b")),
        ];
        let hero = "hero.psk: hero.psa by name, hero_up.psa by name";
        assert_eq!(told(&files, Level::Own), [hero, "troll.psk:"]);
        assert_eq!(told(&files, Level::Exact), [hero, "troll.psk: hero.psa by asked"]);
        assert_eq!(told(&files, Level::Fits), [hero, "troll.psk: hero.psa by asked, hero_up.psa by asked"]);
    }

    /// Bones on a line at these places.
    fn line(places: &[f32]) -> Vec<State> {
        places.iter().map(|x| State { t: [*x, 0.0, 0.0], ..State::REST }).collect()
    }

    fn counted(places: &[f32]) -> (Vec<u8>, Vec<u8>) {
        let (count, states) = (u32::try_from(places.len()).expect("few"), line(places));
        (
            Pmd { bind: states.clone(), ..Pmd::grid(2, 2, count, 1) }.build().bytes,
            Psa::new(count, 1, states).build().bytes,
        )
    }

    #[test]
    fn of_bones_without_names_the_distances_count_unless_all_is_asked_for() {
        let ((mesh, _), (_, other)) = (counted(&[0.0, 1.0, 3.0, 7.0]), counted(&[0.0, 9.0, 4.0, 30.0]));
        let files = [("snake.pmd", mesh), ("crab.psa", other)];
        assert_eq!(told(&files, Level::Fits), ["snake.pmd:"]);
        assert_eq!(told(&files, Level::Any), ["snake.pmd: crab.psa by asked"]);
        let (mesh, other) = counted(&[]);
        assert_eq!(told(&[("a.pmd", mesh), ("b.psa", other)], Level::Any), ["a.pmd:"], "they share no bone");
    }

    fn write(folder: &Path, files: &[(&str, &[u8])]) {
        for (name, bytes) in files {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, bytes).expect("written");
        }
    }

    fn find(paths: &[std::path::PathBuf]) -> Sources {
        let Source { opener, limits, .. } = Source::default();
        Sources::find(paths, &opener, &limits)
    }

    #[test]
    fn an_animation_that_is_given_and_refused_has_its_best_match() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let files = [("hardly.psa", animation("a x y z u v")), ("not.psa", animation("x y z"))];
        write(folder, &[("hero.psk", &mesh("a b c d e f", 2)), ("hardly.psa", &files[0].1), ("not.psa", &files[1].1)]);
        let given = find(&[folder.join("hardly.psa"), folder.join("not.psa")]);
        ask(&find(&[folder.join("hero.psk")]), Some(&given), Level::Own, |question, sets| {
            assert_eq!(lines(question, &sets), ["hero.psk:"]);
            let of = |animation| {
                let Match { matched, missing, extra, by_name, .. } = *sets.refused.best[&animation];
                (matched, missing, extra, by_name)
            };
            assert_eq!([of(0), of(1)], [(1, 5, 5, true), (0, 6, 3, true)]);
            assert_eq!(sets.refused.of_meshes[&0].1, 2);
        });
    }

    #[test]
    fn animations_that_are_given_for_a_mesh_belong_to_it_although_they_lie_beside_another_of_its_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        let (hero, walk) = (mesh("a b c", 2), animation("a b c"));
        let files: [(&str, &[u8]); 5] = [
            ("mine/hero.psk", &hero),
            ("mod/hero.psk", &hero),
            ("mod/hero_walk.psa", &walk),
            ("mod/troll.psk", &hero),
            ("mod/troll_walk.psa", &walk),
        ];
        write(folder, &files);
        let own = find(&[folder.join("mine")]);
        ask(&own, Some(&find(&[folder.join("mod")])), Level::Own, |question, sets| {
            assert_eq!(lines(question, &sets), ["hero.psk: hero_walk.psa by name"], "the troll keeps its own");
        });
        // Those of its own come with those beside another one. Of two of a name, it gets the nearest.
        write(folder, &[("other/hero.psk", &hero), ("other/hero_jump.psa", &walk), ("other/hero_walk.psa", &walk)]);
        ask(&find(&[folder.join("mod/hero.psk")]), Some(&find(&[folder.to_owned()])), Level::Own, |question, sets| {
            assert_eq!(lines(question, &sets), ["hero.psk: hero_walk.psa by name, hero_jump.psa by name"]);
            let members = &sets.members[0];
            assert!(members[0].animation.address().to_string().ends_with("mod/hero_walk.psa"), "{members:?}");
        });
        // However many meshes of the name lie between.
        let many: Vec<String> = (0..200).map(|number| format!("many/{number:03}/hero.psk")).collect();
        write(folder, &many.iter().map(|name| (name.as_str(), hero.as_slice())).collect::<Vec<_>>());
        write(folder, &[("many/100/hero_walk.psa", &walk)]);
        let two = find(&[folder.join("mine"), folder.join("other/hero.psk")]);
        ask(&two, Some(&find(&[folder.join("many")])), Level::Own, |question, sets| {
            assert_eq!(lines(question, &sets), ["hero.psk: hero_walk.psa by name"; 2], "for all meshes of the name");
        });
        ask(&own, Some(&find(&[folder.join("many")])), Level::Own, |question, sets| {
            assert_eq!(lines(question, &sets), ["hero.psk: hero_walk.psa by name"]);
        });
    }

    #[test]
    fn actors_join_animations_under_sixteen_names_at_most_and_what_they_join_belongs_to_no_other_mesh() {
        let (mesh, three) = counted(&[0.0, 1.0, 3.0]);
        let (_, four) = counted(&[0.0, 1.0, 3.0, 7.0]);
        let many =
            (10..27).map(|name| format!("<animation name='{name}' file='many.psa'/>")).collect::<Vec<_>>().concat();
        let actor = |animations: &str| {
            format!(
                "<actor><group><variant><mesh>hero.dae</mesh><animations>{animations}</animations></variant></group></actor>"
            )
        };
        let troll = |name: &str| format!("<animation name='{name}' file='troll.psa'/>");
        let folder = tempfile::tempdir().expect("a folder");
        let wide = "<animation name='wide' file='wide.psa'/>";
        let first = actor(&[troll("walk"), troll(""), troll("run"), many, wide.to_owned()].concat());
        let second = actor(&[troll("run"), troll("jump")].concat());
        write(
            folder.path(),
            &[
                ("art/actors/1.xml", first.as_bytes()),
                ("art/actors/2.xml", second.as_bytes()),
                ("art/meshes/hero.pmd", &mesh),
                ("art/meshes/troll.pmd", &mesh),
                ("art/animation/many.psa", &three),
                ("art/animation/troll.psa", &three),
                ("art/animation/wide.psa", &four),
            ],
        );
        ask(&find(&[folder.path().to_owned()]), None, Level::Own, |question, sets| {
            let many = (10..26).map(|name| format!(" '{name}'")).collect::<Vec<_>>().concat();
            let hero = format!("hero.pmd: troll.psa by actor 'walk' 'run' 'jump', many.psa by actor{many}");
            assert_eq!(lines(question, &sets), [&hero, "troll.pmd:"]);
            // An actor joins it, and it has another number of bones.
            let Match { matched, missing, extra, by_name, .. } = *sets.refused.best[&2];
            assert_eq!((matched, missing, extra, by_name), (0, 3, 4, false));
            assert_eq!(
                sets.refused.of_meshes.iter().map(|(mesh, (_, count))| (*mesh, *count)).collect::<Vec<_>>(),
                [(0, 1)]
            );
        });
    }

    /// Of 256 meshes and 256 animations, all share one bone of three. The last animation comes behind 65,536 pairs.
    #[test]
    fn of_very_many_pairs_those_are_kept_that_can_play_or_share_most() {
        let own = |bones: &str, number: usize| format!("root {bones}{number} {bones}{number}b");
        let meshes = (0..256).map(|number| {
            let bones = if number == 3 { "root m2 q e f g h".to_owned() } else { own("m", number) };
            (format!("m{number:03}.psk"), mesh(&bones, 2))
        });
        let animations = (0..256).map(|number| (format!("a{number:03}.psa"), animation(&own("a", number))));
        let last = ("z.psa".to_owned(), animation("root m2 q"));
        let files: Vec<(String, Vec<u8>)> = meshes.chain(animations).chain([last]).collect();
        ask(&archive(&files), None, Level::Any, |question, sets| {
            assert!(sets.members.iter().all(|members| members.len() == 257), "all share a bone");
            let Question { meshes, animations, source, .. } = *question;
            let matches = Matches::of(meshes, animations, Some(Match::MIN_PERCENT), source).expect("few enough");
            let is_kept = |mesh, animation| matches.get(mesh, animation).is_some();
            assert!(is_kept(255, 255) && is_kept(0, 256), "the first 65,537");
            assert!(!is_kept(1, 256), "a third of the bones");
            assert!(is_kept(2, 256), "two thirds, which is not enough to play");
            assert!(is_kept(3, 256), "all bones of the animation, and three of seven of the mesh");
        });
    }
}
