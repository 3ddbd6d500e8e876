//! Which files are made of what: each mesh with the animations that fit it, each other animation alone.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::num::NonZeroUsize;
use std::path::{Component, PathBuf};
use std::sync::Arc;

use crate::items::{Fault, Item, Loaded, Need, Options, Sources};
use crate::{Run, Watch};
use rayon::prelude::*;
use skelmap::archive::Address;
use skelmap::{Format, Match, Matcher};

use super::error::{ConvertError, OutputError};
use super::names::{Taken, base_of, numbered, stem_of};
use crate::Source;

use crate::pair::{Known, Model, Moves, rank};

use crate::text::counted;

/// The most inputs that stay open until their job is done, and their bytes.
const MAX_KEPT: usize = 16;
const MAX_KEPT_BYTES: u64 = 256 << 20;

/// An asset of the arguments.
#[derive(Debug)]
#[non_exhaustive]
pub struct Found<'s> {
    /// Where it lies.
    pub item: &'s Item,
    /// Its format.
    pub format: Format,
    /// Equal for assets of one format with equal skeletons.
    skeleton: u32,
    /// A pipe, which can be read only once, or one of few inputs.
    kept: Option<Arc<Loaded>>,
}

/// A format, the hash of a skeleton and the number of its bones.
type Key = (&'static str, Option<String>, Option<u64>);

/// The headers of an asset, and the asset if it stays open.
type Looked = (Format, Key, Option<Arc<Loaded>>);

/// What an output is made of. A run may have a million jobs, so that names are computed when they are needed.
#[derive(Debug)]
#[non_exhaustive]
pub struct Job<'s> {
    /// The asset by which the output is named: the mesh, or the animation alone.
    pub first: &'s Found<'s>,
    /// The mesh; `None` for an animation alone.
    pub mesh: Option<&'s Found<'s>>,
    /// The animations of the mesh, or the one alone.
    pub animations: Box<[&'s Found<'s>]>,
    /// The number in the name of the output, because others have its name.
    number: u32,
    /// Animations that cannot play on the mesh, as a note: the first ones, and the number of all.
    left_out: Option<Box<(Vec<String>, usize)>>,
}

/// The animations that a note names.
const MAX_NAMED: usize = 3;

impl<'s> Job<'s> {
    fn new(first: &'s Found<'s>, animations: Box<[&'s Found<'s>]>, inputs: &[PathBuf], taken: &mut Taken) -> Self {
        let number = base_of(&first.address(), inputs).map_or(1, |wanted| taken.add(&wanted));
        Self { first, mesh: Some(first).filter(|first| first.format.is_mesh()), animations, number, left_out: None }
    }

    /// The animations and the mesh.
    pub(crate) fn found(&self) -> impl Iterator<Item = &'s Found<'s>> {
        self.animations.iter().copied().chain(self.mesh)
    }

    /// The name of the output without its extension; and the name without a number, if the output has one because another has this name.
    pub(crate) fn base(&self, inputs: &[PathBuf]) -> Result<(PathBuf, Option<PathBuf>), OutputError> {
        let wanted = base_of(&self.first.address(), inputs).map_err(OutputError::new)?;
        let name = numbered(&wanted, self.number);
        let other = Some(wanted).filter(|wanted| *wanted != name);
        Ok((name, other))
    }

    /// Remembers an animation that cannot play on the mesh.
    fn leave_out(&mut self, animation: &Found<'_>, found: &Match) {
        let (named, count) = &mut **self.left_out.get_or_insert_default();
        *count += 1;
        if named.len() < MAX_NAMED {
            named.push(format!("{} ({found})", crate::columns::name_of(&animation.address())));
        }
    }

    /// A note on the animations that cannot play on the mesh.
    pub(crate) fn note(&self) -> Option<String> {
        let (named, count) = &**self.left_out.as_ref()?;
        let more = count - named.len();
        let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
        Some(format!("{} left out: {}{rest}", counted(*count as u64, "animation"), named.join("; ")))
    }

    /// Bytes to read, for a balance of work.
    pub(crate) fn size_hint(&self) -> u64 {
        self.found().fold(0, |sum, found| sum.saturating_add(found.item.size_hint()))
    }
}

/// An asset that cannot be read.
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "an address and a fault")]
pub struct Unread {
    /// Where it lies.
    pub address: Address,
    /// Why it cannot be read.
    pub message: String,
    /// Whether it cannot be opened. Otherwise its data is damaged.
    pub is_unreadable: bool,
}

impl Found<'_> {
    /// The asset with its bytes.
    ///
    /// # Errors
    /// A file that cannot be opened.
    pub fn load(&self, source: &Source) -> Result<Arc<Loaded>, Fault> {
        if let Some(kept) = &self.kept {
            return Ok(Arc::clone(kept));
        }
        let gone = || Err(io::Error::other("is no asset any more").into());
        self.item.load(&source.opener, &source.parse).unwrap_or_else(gone).map(Arc::new)
    }

    /// Where it lies.
    pub fn address(&self) -> Address {
        self.item.address()
    }

    /// The archive that the asset is in.
    fn archive(&self) -> Option<PathBuf> {
        let address = self.address();
        address.entry().map(|_| address.path().to_owned())
    }

    /// The name of the file: see [`stem_of`].
    pub fn name(&self) -> String {
        stem_of(&self.address())
    }
}

/// Reads the headers of all items. `paths`: where the items were found.
///
/// # Errors
/// [`Interrupted`](io::ErrorKind::Interrupted) if the work was stopped.
pub fn survey<'s>(
    sources: &'s Sources,
    paths: &[PathBuf],
    jobs: Option<NonZeroUsize>,
    source: &Source,
    watch: Option<&Watch>,
) -> io::Result<(Vec<Found<'s>>, Vec<Unread>)> {
    let options = Options { parse: source.parse, joins: true, ..Options::default() };
    let (mut found, mut unread) = (Vec::new(), Vec::new());
    let mut skeletons: HashMap<Key, u32> = HashMap::new();
    // A file that the arguments name and a folder holds is one asset. One path has no asset twice.
    let mut seen = (paths.len() > 1).then(HashSet::new);
    let mut items = sources.items().iter();
    // The inputs of few jobs stay open, so that each is opened once.
    let bytes = || sources.items().iter().fold(0, |sum, item| item.size_hint().saturating_add(sum));
    let is_kept = sources.items().len() <= MAX_KEPT && bytes() <= MAX_KEPT_BYTES;
    let work = |item: &Item| Some(look(item, is_kept, source, &options));
    let take = |result| {
        let Some(item) = items.next() else { return Ok(()) };
        if item.is_shadowed() {
            let message = "a later entry has the same name, and is converted in its place".to_owned();
            unread.push(Unread { address: item.address(), message, is_unreadable: false });
            return Ok(());
        }
        if seen.as_mut().is_some_and(|seen| !seen.insert(identity(item))) {
            return Ok(());
        }
        match result {
            None => {}
            Some(Ok((format, key, kept))) => {
                let next = u32::try_from(skeletons.len()).unwrap_or(u32::MAX);
                found.push(Found { item, format, skeleton: *skeletons.entry(key).or_insert(next), kept });
            }
            Some(Err(own)) => unread.push(own),
        }
        Ok(())
    };
    Run { jobs, watch }.items(sources, source, Need::Headers, work, take)?;
    Ok((found, unread))
}

/// Where an item lies.
fn identity(item: &Item) -> (PathBuf, Option<String>) {
    let address = item.address();
    let path = address.path().components().filter(|part| *part != Component::CurDir).collect();
    (path, address.entry().map(ToOwned::to_owned))
}

/// The headers of an item; `None` for a file in a folder that is no asset.
///
/// `is_kept`: the asset stays open.
fn look(item: &Item, is_kept: bool, source: &Source, options: &Options) -> Option<Result<Looked, Unread>> {
    let address = item.address();
    let is_stream = address.entry().is_none() && address.path().metadata().is_ok_and(|metadata| !metadata.is_file());
    let (row, kept) = if is_stream || is_kept {
        let opened = item.load(&source.opener, &source.parse)?;
        let row = crate::columns::row(&address, &opened, options);
        (row, opened.ok().map(Arc::new))
    } else {
        (item.row(&source.opener, options)?, None)
    };
    if let Some(error) = &row.error {
        return Some(Err(Unread { address, message: error.message.clone(), is_unreadable: row.is_unreadable() }));
    }
    let format = Format::ALL.iter().copied().find(|format| Some(format.code()) == row.format)?;
    let key = (format.code(), row.joins.and_then(|joins| joins.skeleton_hash), row.summary.bones);
    Some(Ok((format, key, kept)))
}

/// What the jobs of a run are made from.
#[derive(Debug)]
#[non_exhaustive]
pub struct Plan<'s> {
    /// The jobs, in the order of the meshes.
    pub jobs: Vec<Job<'s>>,
    /// Animations that no mesh plays.
    pub unused: usize,
    /// Those of them that the arguments name, and why.
    pub refused: Vec<(Address, String)>,
    /// Mods that cannot be opened, whose skeletons are not known.
    pub faults: Faults,
}

/// Mods that cannot be opened, and why.
type Faults = Vec<(PathBuf, Fault)>;

/// Animations of one skeleton, and one of them, opened.
type Group = (Vec<usize>, Option<Arc<Loaded>>);

/// A mesh and an animation, by their numbers, and how they match.
struct Compared {
    mesh: usize,
    animation: usize,
    found: Match,
}

/// The meshes that are in memory at a time while distances are measured.
const MAX_MODELS: usize = 4096;

/// Joins meshes and animations: of the animations that can play on a mesh, those that belong to it. `given`: the animations that the
/// arguments name for all meshes. `inputs`: the paths below which names of outputs begin. `taken`: names that no output may have.
/// `min_percent`: see [`Match::can_play`].
///
/// # Errors
/// Animations that are given, and no mesh; a system that starts no thread.
pub fn join<'s>(
    found: &'s [Found<'s>],
    given: &'s [Found<'s>],
    inputs: &[PathBuf],
    mut taken: Taken,
    min_percent: f64,
    threads: Option<NonZeroUsize>,
    source: &Source,
) -> Result<Plan<'s>, ConvertError> {
    let (meshes, own): (Vec<&Found<'_>>, Vec<_>) = found.iter().partition(|found| found.format.is_mesh());
    if meshes.is_empty() && !given.is_empty() {
        return Err(ConvertError::NoMesh);
    }
    let candidates: Vec<&Found<'_>> = if given.is_empty() { own } else { given.iter().collect() };
    let candidates: Vec<_> = candidates.into_iter().filter(|found| !found.format.is_mesh()).collect();
    let (playing, refused, faults) = compare(&meshes, &candidates, given.is_empty(), min_percent, threads, source)?;
    let (mut used, mut jobs) = (vec![false; candidates.len()], Vec::new());
    for (mesh, mut animations) in meshes.iter().zip(playing) {
        animations.sort_unstable();
        // The mods of a folder often have files of the same name: those of the same archive come first.
        let archive = mesh.archive();
        let is_beside = |index: &usize| candidates.get(*index).is_some_and(|own| own.archive() == archive);
        if given.is_empty() && animations.iter().any(is_beside) {
            animations.retain(is_beside);
        }
        for index in &animations {
            used.get_mut(*index).into_iter().for_each(|used| *used = true);
        }
        let animations = animations.iter().filter_map(|index| candidates.get(*index).copied()).collect();
        jobs.push(Job::new(mesh, animations, inputs, &mut taken));
    }
    let is_unused = |index: usize| used.get(index) == Some(&false);
    let mut best: HashMap<usize, &Match> = HashMap::new();
    for Compared { mesh, animation, found } in refused.iter().filter(|own| is_unused(own.animation)) {
        if let Some((job, own)) = jobs.get_mut(*mesh).zip(candidates.get(*animation)) {
            job.leave_out(own, found);
        }
        let own = best.entry(*animation).or_insert(found);
        if rank(found) < rank(own) {
            *own = found;
        }
    }
    let has_mesh = |animation: &Found<'_>| meshes.iter().any(|mesh| mesh.format.is_related_to(animation.format));
    let (mut unused, mut refused_by_all) = (0, Vec::new());
    for (index, animation) in candidates.iter().enumerate() {
        if !given.is_empty() || has_mesh(animation) {
            unused += usize::from(is_unused(index));
            if is_unused(index) && animation.item.is_named() {
                let why = best.get(&index).map(ToString::to_string);
                let why = why.unwrap_or_else(|| "it is of another family than the meshes".to_owned());
                refused_by_all.push((animation.address(), why));
            }
        } else {
            jobs.push(Job::new(animation, Box::new([*animation]), inputs, &mut taken));
        }
    }
    Ok(Plan { jobs, unused, refused: refused_by_all, faults })
}

/// For each mesh the animations that belong to it and can play on it; and of those that cannot, the pairs that are worth a word.
/// `is_found`: the animations are among the files, not given for all meshes.
fn compare(
    meshes: &[&Found<'_>],
    candidates: &[&Found<'_>],
    is_found: bool,
    min_percent: f64,
    threads: Option<NonZeroUsize>,
    source: &Source,
) -> io::Result<(Vec<Vec<usize>>, Vec<Compared>, Faults)> {
    let groups = group(candidates, source);
    // A number of bones alone says little where there are several meshes.
    let is_open = is_found && meshes.len() > 1;
    let mut known: HashMap<u32, Vec<(usize, Match)>> = HashMap::new();
    let (mut playing, mut counted, mut refused) = (vec![Vec::new(); meshes.len()], Vec::new(), Vec::new());
    for (index, (mesh, playing)) in meshes.iter().zip(&mut playing).enumerate() {
        let name = mesh.name();
        for (group, found) in known.entry(mesh.skeleton).or_insert_with(|| compare_groups(mesh, &groups, source)) {
            let animations = groups.get(*group).map(|(animations, _)| animations.as_slice()).unwrap_or_default();
            for (animation, own) in animations.iter().filter_map(|at| Some((*at, candidates.get(*at)?))) {
                let pair = |found: &Match| Compared { mesh: index, animation, found: found.clone() };
                if found.is_counted() && (!is_open || begins_with(&own.name(), &name)) {
                    counted.push(pair(found));
                } else if !found.is_counted() && found.can_play(min_percent) {
                    playing.push(animation);
                } else if own.item.is_named() {
                    refused.push(pair(found));
                }
            }
        }
    }
    let faults = measure(&mut counted, meshes, candidates, threads, source)?;
    for pair in counted {
        match playing.get_mut(pair.mesh) {
            Some(playing) if pair.found.can_play(min_percent) => playing.push(pair.animation),
            _ => refused.push(pair),
        }
    }
    Ok((playing, refused, faults))
}

/// Measures how distances between bones without names change. `pairs` are in the order of the meshes.
fn measure(
    pairs: &mut [Compared],
    meshes: &[&Found<'_>],
    candidates: &[&Found<'_>],
    jobs: Option<NonZeroUsize>,
    source: &Source,
) -> io::Result<Faults> {
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
            let Some(found) = candidates.get(animation) else { return };
            let Some(opened) = found.load(source).ok() else { return };
            let Ok(asset) = opened.asset() else { return };
            let Ok(moves) = Moves::of(&asset, found.item) else { return };
            for pair in pairs {
                if let Some(own) = models.get(&pair.mesh).and_then(|model| model.compare(&moves)) {
                    pair.found = own.found;
                }
            }
        };
        let total = by_animation.len();
        Run { jobs, watch: None }.in_pool(total, || by_animation.into_par_iter().for_each(measure))?;
    }
    Ok(skeletons.faults)
}

/// Groups animations by their skeletons, in the order of their first ones.
fn group(candidates: &[&Found<'_>], source: &Source) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut known: HashMap<u32, usize> = HashMap::new();
    for (index, found) in candidates.iter().enumerate() {
        let group = *known.entry(found.skeleton).or_insert_with(|| {
            groups.push((Vec::new(), found.load(source).ok()));
            groups.len() - 1
        });
        groups.get_mut(group).into_iter().for_each(|(animations, _)| animations.push(index));
    }
    groups
}

/// How the animations of the groups go with a mesh.
fn compare_groups(mesh: &Found<'_>, groups: &[Group], source: &Source) -> Vec<(usize, Match)> {
    let opened = mesh.load(source).ok();
    let asset = opened.as_ref().and_then(|opened| opened.asset().ok());
    let Some(matcher) = asset.as_ref().and_then(Matcher::new) else { return Vec::new() };
    let compared =
        |(index, (_, example)): (usize, &Group)| Some((index, matcher.compare(&example.as_ref()?.asset().ok()?)?));
    groups.iter().enumerate().filter_map(compared).collect()
}

/// Whether a name is another one, or begins with it and goes on with a new word.
fn begins_with(name: &str, start: &str) -> bool {
    let (name, start) = (name.to_lowercase(), start.to_lowercase());
    name.strip_prefix(&start).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_animation_is_named_after_its_mesh() {
        assert!(
            begins_with("horse_gallop", "horse") && begins_with("Horse", "horse") && begins_with("horse-2", "Horse")
        );
        assert!(!begins_with("horseman_walk", "horse") && !begins_with("a_horse", "horse"));
    }
}
