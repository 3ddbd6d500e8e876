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
    let places = Places::of(question);
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
        let mut by_subject: HashMap<String, Vec<(usize, Format)>> = HashMap::new();
        for (number, mesh) in question.meshes.iter().chain(question.others).enumerate() {
            by_subject.entry(subject(&mesh.name())).or_default().push((number, mesh.format));
        }
        // Of folders in order, those near one in the tree are near it in the list.
        for all in by_subject.values_mut() {
            all.sort_by_key(|(mesh, _)| places.of_mesh(*mesh));
        }
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
                || match_of(mesh, animation).is_some_and(|found| {
                    is_sound(found) && (found.is_counted() || is_same || found.can_play(question.wanted.min_percent))
                })
        };
        let of_animation = |(animation, found): (usize, &&Found<'_>)| {
            for (at, subject) in subjects(&found.name()).iter().enumerate() {
                let all = by_subject.get(subject).map(|all| near(all, animation)).unwrap_or_default();
                let all = all.into_iter();
                let related = all.filter(|(_, format)| format.is_related_to(found.format)).map(|(mesh, _)| mesh);
                let sound: Vec<_> = related
                    .filter(|mesh| may_own(*mesh, animation, at == 0))
                    .map(|mesh| (places.distance(mesh, animation), mesh))
                    .collect();
                if let Some(nearest) = sound.iter().map(|(far, _)| *far).min() {
                    let mut own: Vec<_> =
                        sound.into_iter().filter(|(far, _)| *far == nearest).map(|own| own.1).collect();
                    own.retain(|mesh| is_mesh(*mesh));
                    own.sort_unstable();
                    return (own, true);
                }
            }
            (Vec::new(), false)
        };
        Self { of_animations: question.animations.iter().enumerate().map(of_animation).collect() }
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
