//! Which files are made of what: each mesh with the animations that fit it, each other animation alone.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use skelmap::archive::Address;

use super::error::{ConvertError, OutputError};
use crate::Source;
use crate::names::{Roots, Taken, numbered};
use crate::pair::{Dress, Faults, Found, Member, Question, Wanted, belong};
use crate::text::{beginning, counted};

/// What an output is made of. A run may have a million jobs, so that names are computed when they are needed.
#[derive(Debug)]
#[non_exhaustive]
pub struct Job<'s> {
    /// The asset by which the output is named: the mesh, or the animation alone.
    pub first: &'s Found<'s>,
    /// The mesh; `None` for an animation alone.
    pub mesh: Option<&'s Found<'s>>,
    /// The animations of the mesh, or the one alone.
    pub animations: Box<[Member<'s>]>,
    /// What the mod of the mesh tells of it.
    pub dress: Dress,
    /// Models at prop points of the mesh.
    pub props: Vec<(String, Arc<Job<'s>>)>,
    /// Whether it is a model of an actor.
    pub(super) is_of_actor: bool,
    /// Whether it is for its animations alone: its mesh wears no textures.
    pub(super) is_library: bool,
    /// What could not be found for it.
    pub(super) notes: Vec<String>,
    /// What the output is named by in place of the first asset, and the name of the output.
    pub(super) named: Option<(Address, PathBuf)>,
    /// The number in the name of the output, because others have its name.
    number: u32,
    /// Animations that cannot play on the mesh, as a note: the first ones, and the number of all.
    left_out: Option<Box<(Vec<String>, usize)>>,
}

impl<'s> Job<'s> {
    fn new(
        first: &'s Found<'s>,
        animations: Box<[Member<'s>]>,
        dress: Dress,
        roots: &Roots,
        taken: &mut Taken,
    ) -> Self {
        let number = roots.base_of(&first.address()).map_or(1, |wanted| taken.add(&wanted));
        Self {
            props: Vec::new(),
            is_of_actor: false,
            is_library: false,
            notes: Vec::new(),
            named: None,
            first,
            mesh: Some(first).filter(|first| first.format.is_mesh()),
            animations,
            dress,
            number,
            left_out: None,
        }
    }

    /// A model of an actor.
    pub(super) fn of_actor(mesh: &'s Found<'s>, animations: Box<[Member<'s>]>, dress: Dress) -> Self {
        Self { is_of_actor: true, ..Self::new(mesh, animations, dress, &Roots::default(), &mut Taken::default()) }
    }

    /// A mesh with animations that others share.
    pub(super) fn of_library(mesh: &'s Found<'s>, animations: Box<[Member<'s>]>, dress: Dress) -> Self {
        Self { is_library: true, ..Self::new(mesh, animations, dress, &Roots::default(), &mut Taken::default()) }
    }

    /// Names the output after an actor or as a library.
    pub(super) fn name(&mut self, address: Address, output: PathBuf, taken: &mut Taken) {
        self.number = taken.add(&output);
        self.named = Some((address, output));
    }

    /// The models at prop points, at any depth, each once and after its own. How deep they lie is bounded where they are chosen.
    pub(super) fn all_props(&self) -> Vec<&Self> {
        let (mut all, mut seen) = (Vec::new(), HashSet::new());
        self.add_props(&mut all, &mut seen);
        all
    }

    fn add_props<'j>(&'j self, all: &mut Vec<&'j Self>, seen: &mut HashSet<*const Self>) {
        for (_, prop) in &self.props {
            if seen.insert(Arc::as_ptr(prop)) {
                prop.add_props(all, seen);
                all.push(prop);
            }
        }
    }

    /// What the output is named by: the actor, or the first asset.
    pub fn address(&self) -> Address {
        self.named.as_ref().map_or_else(|| self.first.address(), |(address, _)| address.clone())
    }

    /// The animations and the mesh.
    pub(crate) fn found(&self) -> impl Iterator<Item = &'s Found<'s>> {
        self.animations.iter().map(|member| member.animation).chain(self.mesh)
    }

    /// The name of the output without its extension; and the name without a number, if the output has one because another has this name.
    pub(crate) fn base(&self, roots: &Roots) -> Result<(PathBuf, Option<PathBuf>), OutputError> {
        let wanted = match &self.named {
            Some((_, name)) => name.clone(),
            None => roots.base_of(&self.first.address()).map_err(OutputError::new)?,
        };
        let name = numbered(&wanted, self.number);
        let other = Some(wanted).filter(|wanted| *wanted != name);
        Ok((name, other))
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
        let props = self.all_props().into_iter().flat_map(Self::found);
        self.found().chain(props).fold(0, |sum, found| sum.saturating_add(found.item.size_hint()))
    }
}

/// The most notes of a model.
const MAX_NOTES: usize = 64;

/// Adds the beginning of a note, if it is new. Of more than 64, the last one says that there are more.
pub(super) fn add_note(notes: &mut Vec<String>, note: String) {
    const MORE: &str = "and more that is left out";
    let note = beginning(note);
    if notes.len() < MAX_NOTES && !notes.contains(&note) {
        notes.push(if notes.len() + 1 < MAX_NOTES { note } else { MORE.to_owned() });
    }
}

/// What the jobs of a run are made from.
#[derive(Debug)]
#[non_exhaustive]
pub struct Plan<'s> {
    /// The jobs, in the order of the meshes.
    pub jobs: Vec<Job<'s>>,
    /// Animations that no mesh plays.
    pub unused: Vec<Address>,
    /// Those of them that the arguments name, and why.
    pub refused: Vec<(Address, String)>,
    /// Mods that cannot be opened, whose skeletons are not known.
    pub faults: Faults,
}

impl Plan<'_> {
    /// The bytes that outputs are made of, and those of the inputs.
    pub(super) fn bytes(&self) -> (u64, u64) {
        let mut known = HashSet::new();
        let (mut made, mut read) = (0_u64, 0_u64);
        for job in self.jobs.iter().flat_map(|job| job.all_props().into_iter().chain([job])) {
            for found in job.found() {
                let bytes = found.item.size_hint();
                made = made.saturating_add(bytes);
                if known.insert(std::ptr::from_ref(found.item)) {
                    read = read.saturating_add(bytes);
                }
            }
        }
        (made, read)
    }
}

/// Joins meshes with the animations that belong to them. `given`: the animations that the arguments name for all meshes. `roots`: the paths
/// below which names of outputs begin. `taken`: names that no output may have.
///
/// # Errors
/// Animations that are given, and no mesh; a system that starts no thread.
pub fn join<'s>(
    found: &'s [Found<'s>],
    given: &'s [Found<'s>],
    roots: &Roots,
    taken: &mut Taken,
    wanted: &Wanted,
    threads: Option<NonZeroUsize>,
    source: &Source,
) -> Result<Plan<'s>, ConvertError> {
    let (mut meshes, own): (Vec<&Found<'_>>, Vec<_>) = found.iter().partition(|found| found.format.is_mesh());
    if meshes.is_empty() && !given.is_empty() {
        return Err(ConvertError::NoMesh);
    }
    let is_given = !given.is_empty();
    let candidates: Vec<&Found<'_>> = if is_given { given.iter().collect() } else { own };
    let (mut others, candidates): (Vec<&Found<'_>>, Vec<_>) =
        candidates.into_iter().partition(|found| found.format.is_mesh());
    let is_of_one = wanted.is_one && meshes.iter().filter(|mesh| mesh.item.is_named()).count() == 1;
    if is_of_one {
        let (named, rest) = meshes.into_iter().partition(|mesh| mesh.item.is_named());
        meshes = named;
        others.extend(rest);
    }
    let question =
        Question { meshes: &meshes, animations: &candidates, others: &others, is_given, wanted, threads, source };
    let sets = belong(&question)?;
    let jobs = meshes.iter().zip(sets.members).zip(sets.dresses);
    let mut jobs: Vec<Job<'_>> =
        jobs.map(|((mesh, members), dress)| Job::new(mesh, members.into_boxed_slice(), dress, roots, taken)).collect();
    let is_unused = |index: usize| sets.used.get(index) == Some(&false);
    for (mesh, (named, count)) in sets.refused.of_meshes {
        if let Some(job) = jobs.get_mut(mesh) {
            let name = |animation: usize| candidates.get(animation).map(|own| crate::columns::name_of(&own.address()));
            let named = named.into_iter().filter_map(|(own, found)| Some(format!("{} ({found})", name(own)?)));
            job.left_out = Some(Box::new((named.collect(), count)));
        }
    }
    let has_mesh = |animation: &Found<'_>| meshes.iter().any(|mesh| mesh.format.is_related_to(animation.format));
    let is_nothing_used = !sets.used.contains(&true);
    let (mut unused, mut refused) = (Vec::new(), Vec::new());
    for (index, animation) in candidates.iter().enumerate() {
        if is_given || is_of_one || has_mesh(animation) {
            if !is_unused(index) {
                continue;
            }
            // Beside the one mesh that is asked about, others may be that the animation belongs to. Where nothing of what is given belongs to
            // the mesh, this is worth a word.
            if !is_of_one || animation.item.is_named() || is_given && is_nothing_used {
                unused.push(animation.address());
            }
            if animation.item.is_named() {
                let why = sets.refused.best.get(&index).map(ToString::to_string);
                let why = why.unwrap_or_else(|| "it is of another family than the meshes".to_owned());
                refused.push((animation.address(), why));
            }
        } else {
            jobs.push(Job::new(animation, Box::new([Member::alone(animation)]), Dress::default(), roots, taken));
        }
    }
    Ok(Plan { jobs, unused, refused, faults: sets.faults })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::items::Sources;

    /// Files that nobody reads, of so many bytes.
    fn sources(files: &[(&str, usize)]) -> (tempfile::TempDir, Sources) {
        let root = tempfile::tempdir().expect("a folder");
        for (name, length) in files {
            std::fs::write(root.path().join(name), vec![0; *length]).expect("written");
        }
        let source = Source::default();
        let sources = Sources::find(&[root.path().to_owned()], &source.opener, &source.limits);
        (root, sources)
    }

    fn job<'s>(mesh: &'s Found<'s>, animation: &'s Found<'s>) -> Job<'s> {
        Job::of_actor(mesh, Box::new([Member::alone(animation)]), Dress::default())
    }

    #[test]
    fn an_input_of_several_outputs_is_read_once_and_made_into_each() {
        let (_root, sources) = sources(&[("a.pmd", 100), ("b.pmd", 200), ("c.psa", 50)]);
        let found: Vec<_> = sources.items().iter().filter_map(Found::of_mod).collect();
        let [a, b, c] = &found[..] else { panic!("{found:?}") };
        let mut jobs = vec![job(a, c), job(b, c)];
        let plan = |jobs| Plan { jobs, unused: Vec::new(), refused: Vec::new(), faults: Vec::new() }.bytes();
        assert_eq!(plan(Vec::new()), (0, 0));
        assert_eq!([a, c].map(Found::sequences), [Some(0), Some(1)]);
        jobs[0].props = vec![("head".to_owned(), Arc::new(job(b, c)))];
        assert_eq!(plan(jobs), (100 + 50 + 2 * (200 + 50), 100 + 200 + 50));
    }

    #[test]
    fn a_note_names_the_first_animations_and_counts_the_others() {
        let (_root, sources) = sources(&[("a.pmd", 0), ("c.psa", 0)]);
        let found: Vec<_> = sources.items().iter().filter_map(Found::of_mod).collect();
        let mut job = job(&found[0], &found[1]);
        assert_eq!(job.note(), None);
        let mut note = |count| {
            job.left_out = Some(Box::new((vec!["a".to_owned(), "b".to_owned()], count)));
            job.note().unwrap_or_default()
        };
        assert_eq!(note(2), "2 animations left out: a; b");
        assert_eq!(note(5), "5 animations left out: a; b; and 3 more");
    }

    #[test]
    fn a_model_has_64_notes_at_most_each_once() {
        let mut notes = Vec::new();
        for index in (0..62).chain(0..62) {
            add_note(&mut notes, index.to_string());
        }
        let first: Vec<String> = (0..63).map(|index| index.to_string()).collect();
        assert_eq!(notes, first[..62]);
        add_note(&mut notes, "62".to_owned());
        assert_eq!(notes, first);
        for index in 63..70 {
            add_note(&mut notes, index.to_string());
            assert_eq!((notes.len(), &notes[..63]), (64, &first[..]));
            assert_eq!(notes[63], "and more that is left out");
        }
    }
}
