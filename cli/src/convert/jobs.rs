//! Which files are made of what: each mesh with the animations that fit it, each other animation alone.

use std::collections::{HashMap, HashSet};
use std::io;
use std::num::NonZeroUsize;
use std::path::{Component, Path, PathBuf};

use skelmap::archive::Address;
use skelmap::catalog::{Fault, Item, Loaded, Need, Options, Sources};
use skelmap::{Asset, Format, Match, Matcher, Verdict};
use skelmap_batch::{Run, Watch};

use super::names::{Taken, base_of, numbered, stem};
use crate::files::Source;
use crate::outcome::Failure;
use crate::progress::Bar;

/// An asset of the arguments.
pub(crate) struct Found<'s> {
    pub(crate) item: &'s Item,
    pub(crate) format: Format,
    /// Equal for assets of one format with equal skeletons.
    skeleton: u32,
    /// A pipe, which can be read only once. In a box, because pipes are rare and assets many.
    kept: Option<Box<Loaded>>,
}

/// A format, the hash of a skeleton and the number of its bones.
type Key = (&'static str, Option<String>, Option<u64>);

/// What an output is made of. A run may have a million jobs, so that names are computed when they are needed.
pub(crate) struct Job<'s> {
    parts: Parts<'s>,
    /// The number in the name of the output, because others have its name.
    number: u32,
}

enum Parts<'s> {
    Mesh(&'s Found<'s>, Box<[&'s Found<'s>]>),
    Animation(&'s Found<'s>),
}

/// The name of an output without its extension.
pub(crate) struct Base {
    pub(crate) name: PathBuf,
    /// The name without a number, if the output has one because another has this name.
    pub(crate) wanted: Option<PathBuf>,
}

impl<'s> Job<'s> {
    fn new(parts: Parts<'s>, inputs: &[PathBuf], taken: &mut Taken) -> Self {
        let mut job = Self { parts, number: 1 };
        if let Ok(wanted) = base_of(&job.first().address(), inputs) {
            job.number = taken.add(&wanted);
        }
        job
    }

    pub(crate) const fn mesh(&self) -> Option<&'s Found<'s>> {
        match &self.parts {
            Parts::Mesh(mesh, _) => Some(mesh),
            Parts::Animation(_) => None,
        }
    }

    pub(crate) fn animations(&self) -> &[&'s Found<'s>] {
        match &self.parts {
            Parts::Mesh(_, animations) => animations,
            Parts::Animation(animation) => std::slice::from_ref(animation),
        }
    }

    /// The asset by which the output is named.
    pub(crate) const fn first(&self) -> &'s Found<'s> {
        match &self.parts {
            Parts::Mesh(first, _) | Parts::Animation(first) => first,
        }
    }

    /// The animations and the mesh.
    pub(crate) fn found(&self) -> impl Iterator<Item = &'s Found<'s>> {
        self.animations().iter().copied().chain(self.mesh())
    }

    pub(crate) fn base(&self, inputs: &[PathBuf]) -> Result<Base, String> {
        let wanted = base_of(&self.first().address(), inputs)?;
        let name = numbered(&wanted, self.number);
        Ok(Base { wanted: Some(wanted).filter(|wanted| *wanted != name), name })
    }

    /// Bytes to read, for a balance of work.
    pub(crate) fn size_hint(&self) -> u64 {
        self.found().fold(0, |sum, found| sum.saturating_add(found.item.size_hint()))
    }
}

/// An asset that cannot be read.
pub(crate) struct Unread {
    pub(crate) address: Address,
    pub(crate) message: String,
    pub(crate) is_unreadable: bool,
}

impl Found<'_> {
    /// The asset with its bytes.
    pub(crate) fn load(&self, source: &Source) -> Result<Opened<'_>, Fault> {
        match &self.kept {
            Some(loaded) => Ok(Opened::Kept(loaded)),
            None => match self.item.load(&source.opener, &source.parse) {
                Some(loaded) => loaded.map(|loaded| Opened::Now(Box::new(loaded))),
                None => Err((&std::io::Error::other("is no asset any more")).into()),
            },
        }
    }

    pub(crate) fn address(&self) -> Address {
        self.item.address()
    }

    /// The archive that the asset is in.
    fn archive(&self) -> Option<PathBuf> {
        let address = self.address();
        address.entry().map(|_| address.path().to_owned())
    }

    pub(crate) fn name(&self) -> String {
        let address = self.address();
        stem(address.entry().map_or_else(|| address.path(), Path::new))
    }
}

/// An opened asset.
pub(crate) enum Opened<'k> {
    Kept(&'k Loaded),
    Now(Box<Loaded>),
}

impl Opened<'_> {
    pub(crate) fn asset(&self) -> Result<Asset<'_>, Fault> {
        match self {
            Self::Kept(loaded) => loaded.asset(),
            Self::Now(loaded) => loaded.asset(),
        }
        .map_err(Fault::from)
    }
}

/// Reads the headers of all items. `paths`: where the items were found.
pub(crate) fn survey<'s>(
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
    let work = |item: &Item| Some(look(item, source, &options));
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
            Some(Ok(Looked { format, skeleton, kept })) => {
                let next = u32::try_from(skeletons.len()).unwrap_or(u32::MAX);
                let skeleton = *skeletons.entry(skeleton).or_insert(next);
                found.push(Found { item, format, skeleton, kept });
            }
            Some(Err((message, is_unreadable))) => {
                unread.push(Unread { address: item.address(), message, is_unreadable });
            }
        }
        Ok(())
    };
    let own = Bar::default().watch();
    let run = Run { jobs, watch: Some(watch.unwrap_or(&own)) };
    run.items(sources, source, Need::Headers, work, take)?;
    Ok((found, unread))
}

/// Where an item lies.
fn identity(item: &Item) -> (PathBuf, Option<String>) {
    let address = item.address();
    let path = address.path().components().filter(|part| *part != Component::CurDir).collect();
    (path, address.entry().map(ToOwned::to_owned))
}

/// The headers of an asset.
struct Looked {
    format: Format,
    skeleton: Key,
    kept: Option<Box<Loaded>>,
}

/// The headers of an item; `None` for a file in a folder that is no asset.
fn look(item: &Item, source: &Source, options: &Options) -> Option<Result<Looked, (String, bool)>> {
    let address = item.address();
    let is_stream = address.entry().is_none() && address.path().metadata().is_ok_and(|metadata| !metadata.is_file());
    let (row, kept) = if is_stream {
        let opened = item.load(&source.opener, &source.parse)?;
        let row = crate::row::row(&address, &opened, options);
        (row, opened.ok().map(Box::new))
    } else {
        (item.row(&source.opener, options)?, None)
    };
    if let Some(error) = &row.error {
        return Some(Err((error.message.clone(), row.is_unreadable())));
    }
    let format = Format::ALL.iter().copied().find(|format| Some(format.code()) == row.format)?;
    let skeleton = (format.code(), row.joins.and_then(|joins| joins.skeleton_hash), row.summary.bones);
    Some(Ok(Looked { format, skeleton, kept }))
}

/// What the jobs of a run are made from.
pub(crate) struct Plan<'s> {
    pub(crate) jobs: Vec<Job<'s>>,
    /// Animations that fit no mesh.
    pub(crate) unused: usize,
}

/// Animations of one skeleton, and one of them, opened.
struct Group<'k> {
    animations: Vec<usize>,
    example: Option<Opened<'k>>,
}

/// Joins meshes and animations. `given`: the animations that the arguments name for all meshes.
pub(crate) fn join<'s>(
    found: &'s [Found<'s>],
    given: &'s [Found<'s>],
    inputs: &[PathBuf],
    source: &Source,
) -> Result<Plan<'s>, Failure> {
    let (meshes, own): (Vec<&Found<'_>>, Vec<_>) = found.iter().partition(|found| found.format.is_mesh());
    if meshes.is_empty() && !given.is_empty() {
        return Err(Failure::usage("--anim is for meshes, and there is none"));
    }
    let candidates: Vec<&Found<'_>> = if given.is_empty() { own } else { given.iter().collect() };
    let candidates: Vec<_> = candidates.into_iter().filter(|found| !found.format.is_mesh()).collect();
    let groups = group(&candidates, source);
    // A number of bones alone says little where there are several meshes.
    let is_open = given.is_empty() && meshes.len() > 1;
    let (mut taken, mut used) = (Taken::default(), vec![false; candidates.len()]);
    let mut fitting: HashMap<u32, Vec<(usize, Match)>> = HashMap::new();
    let mut jobs = Vec::new();
    for mesh in &meshes {
        let fitting = fitting.entry(mesh.skeleton).or_insert_with(|| fitting_groups(mesh, &groups, source));
        let name = mesh.name();
        let of_group = |(group, found): &(usize, Match)| {
            let is_taken = |index: &usize| {
                candidates.get(*index).is_some_and(|own| {
                    let is_asked = !given.is_empty() || own.item.is_named();
                    is_fitting(found, is_asked) && (found.by_name || !is_open || begins_with(&own.name(), &name))
                })
            };
            let all = groups.get(*group).map(|group| group.animations.as_slice()).unwrap_or_default();
            all.iter().copied().filter(is_taken).collect::<Vec<usize>>()
        };
        let mut animations: Vec<usize> = fitting.iter().flat_map(of_group).collect();
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
        jobs.push(Job::new(Parts::Mesh(mesh, animations), inputs, &mut taken));
    }
    let has_mesh = |animation: &Found<'_>| meshes.iter().any(|mesh| mesh.format.is_related_to(animation.format));
    let mut unused = 0;
    for (animation, is_used) in candidates.iter().zip(used) {
        if !given.is_empty() || has_mesh(animation) {
            unused += usize::from(!is_used);
        } else {
            jobs.push(Job::new(Parts::Animation(animation), inputs, &mut taken));
        }
    }
    Ok(Plan { jobs, unused })
}

/// Groups animations by their skeletons, in the order of their first ones.
fn group<'k>(candidates: &[&'k Found<'_>], source: &Source) -> Vec<Group<'k>> {
    let mut groups: Vec<Group<'k>> = Vec::new();
    let mut known: HashMap<u32, usize> = HashMap::new();
    for (index, found) in candidates.iter().enumerate() {
        let group = *known.entry(found.skeleton).or_insert_with(|| {
            groups.push(Group { animations: Vec::new(), example: found.load(source).ok() });
            groups.len() - 1
        });
        groups.get_mut(group).into_iter().for_each(|group| group.animations.push(index));
    }
    groups
}

/// How the animations of the groups go with a mesh. Groups without a common bone are left out.
fn fitting_groups(mesh: &Found<'_>, groups: &[Group<'_>], source: &Source) -> Vec<(usize, Match)> {
    let opened = mesh.load(source).ok();
    let asset = opened.as_ref().and_then(|opened| opened.asset().ok());
    let Some(matcher) = asset.as_ref().and_then(Matcher::new) else { return Vec::new() };
    let fits = |(index, group): (usize, &Group<'_>)| {
        let found = matcher.compare(&group.example.as_ref()?.asset().ok()?)?;
        (found.verdict() != Verdict::Not).then_some((index, found))
    };
    groups.iter().enumerate().filter_map(fits).collect()
}

/// Whether an animation goes with a mesh. One that the arguments name needs a common bone; one that was found needs nine tenths of its
/// bones in the mesh, or all of the mesh's.
fn is_fitting(found: &Match, is_asked: bool) -> bool {
    is_asked || matches!(found.verdict(), Verdict::Exact | Verdict::Fits) || found.percent_of_animation() >= 90.0
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
