//! `skelmap mod`: what the actors of 0 A.D. mods are made of, and what is wrong with it.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use skelmap_batch::mods::{
    BoneLine, Candidate, Line, LineCounts, Mods, Naming, State, Survey, bone_fields, fields, lines,
};
use skelmap_batch::query::unless_enough;
use skelmap_batch::{PatternError, Patterns};

use crate::arguments::{Parsing, input};
use crate::files::{Source, in_pool};
use crate::messages::{self, summarize};
use crate::outcome::{Ended, Failure, Outcome};
use crate::query::Query;
use crate::query::tell_dropped;
use crate::report::{self, Format};
use crate::text::counted;

/// Tell what the actors of 0 A.D. mods are made of, and what is missing or does not fit.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap mod public.zip --broken
  skelmap mod public.zip mymod/ --actor fauna/horse
  skelmap mod public.zip --unused --format csv
  skelmap mod public.zip --glob '*.psa' --where 'state == \"misfit\"' --sort -bones
  skelmap mod public.zip --bones skeletal/horse.dae

A row for each file that an actor names, its variants included. A PATH is an archive, or a folder with art/ or with archives. A file of \
a later mod hides those of the same path before it: name the mods that a mod depends on first. Exit status 1: a file of \
these actors is missing, unreadable or a misfit.

--bones finds the standard skeleton (art/skeletons/) of a mesh: the only one of its number of bones; or the one whose bones keep their length in up to eight animations of the mesh, while those of the next change by at least twice as much and by 0.01 of the size of the skeleton (change). If it is not decided, the bones of each are printed, the best first.

`skelmap columns mod` explains the columns, the states and the keys of JSON.")]
pub(crate) struct Mod {
    /// Mods: archives and folders, later ones over those before; addresses of archives in stores.
    #[arg(required = true, value_name = "PATH", value_parser = input())]
    paths: Vec<PathBuf>,
    /// Only actors whose path below art/actors/ contains TEXT.
    #[arg(long, value_name = "TEXT")]
    actor: Option<String>,
    /// Only what is missing, unreadable or a misfit.
    #[arg(long)]
    broken: bool,
    /// Only meshes and animations that no actor names.
    #[arg(long, conflicts_with_all = ["actor", "broken"])]
    unused: bool,
    /// The names and parents of the bones of a mesh below art/meshes/.
    #[arg(long, value_name = "MESH", conflicts_with_all = ["actor", "broken", "unused", "glob"])]
    bones: Option<String>,
    /// The skeleton of the mesh, by its id, its title or the name of its file.
    #[arg(long, value_name = "NAME", requires = "bones")]
    skeleton: Option<String>,
    #[command(flatten)]
    query: Query,
    /// Only files that match, by their paths below the root of the mod, or with !GLOB those that do not; can be repeated.
    #[arg(long, value_name = "GLOB", value_parser = NonEmptyStringValueParser::new())]
    glob: Vec<String>,
    /// Patterns of --glob match in any case.
    #[arg(short, long)]
    ignore_case: bool,
    /// Format of the output.
    #[arg(long, value_parser = report::formats(), default_value = "table")]
    format: Format,
    /// The number of files read at the same time [default: one per processor].
    #[arg(long, value_name = "N", hide_short_help = true)]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) parsing: Parsing,
}

pub(crate) fn run(arguments: &Mod, source: &Source) -> Ended {
    let mods = Mods::open(&arguments.paths, &source.opener, &source.limits)
        .map_err(|(path, fault)| Failure::nothing_read(fault.message).in_file(&path))?;
    let survey = in_pool(arguments.jobs, usize::MAX, || Survey::of(&mods, &source.parse))?;
    messages::count(survey.units.len() as u64);
    if let Some(mesh) = &arguments.bones {
        return print_bones(arguments, &survey, source, mesh);
    }
    if survey.units.is_empty() {
        return Err(Failure::nothing_read("there are no actors (art/actors/) in these mods"));
    }
    let query = arguments.query.to_query();
    let patterns = Patterns::new(&arguments.glob, arguments.ignore_case).map_err(PatternError::from)?;
    let mut report = report::print_query(fields(), arguments.format, &query)?;
    let mut tally = LineCounts::default();
    let mut show = |line: &Line| {
        if !arguments.is_about(line) {
            return Ok(());
        }
        tally.count(line);
        if arguments.shows(line) && patterns.has(&line.file) { report.row(line) } else { Ok(()) }
    };
    if let Some(text) = arguments.actor.as_ref().filter(|_| !survey.units.iter().any(|unit| arguments.has(&unit.actor)))
    {
        return Err(Failure::nothing_read(format!("no actor is called {text}")));
    }
    unless_enough(lines(&survey).try_for_each(|line| show(&line)))?;
    tell_dropped(&report, &query);
    report.end()?;
    summarize(tally.summary(&survey));
    Ok(if tally.broken == 0 { Outcome::Clean } else { Outcome::Findings })
}

impl Mod {
    /// Whether a line is about an actor that is asked for.
    fn is_about(&self, line: &Line) -> bool {
        self.actor.is_none() || line.actor.as_ref().is_some_and(|actor| self.has(actor))
    }

    /// Whether the path of an actor is asked for.
    fn has(&self, actor: &str) -> bool {
        self.actor.as_ref().is_none_or(|text| actor.contains(text))
    }

    fn shows(&self, line: &Line) -> bool {
        if self.unused { line.state == State::Unused } else { !self.broken || line.state.is_broken() }
    }
}

/// Prints the names and parents of the bones of a mesh.
fn print_bones(arguments: &Mod, survey: &Survey<'_>, source: &Source, mesh: &str) -> Ended {
    let path = if mesh.starts_with("art/") { mesh.to_owned() } else { format!("art/meshes/{mesh}") };
    let failed = |message: String| Failure::nothing_read(format!("{path}: {message}"));
    let naming = survey.namer().naming(&path, &source.parse).map_err(|fault| failed(fault.message))?;
    let naming = naming.ok_or_else(|| failed("no mod has this mesh as the game reads it".to_owned()))?;
    if naming.candidates.is_empty() {
        let message = format!("{path}: no standard skeleton has {}", counted_bones(&naming));
        return Err(Failure::findings(message));
    }
    let asked = arguments.skeleton.as_deref().map(|name| asked(&naming, name)).transpose()?;
    let decided = asked.or_else(|| naming.decided());
    let shown: Vec<&Candidate> = decided.map_or_else(|| naming.candidates.iter().collect(), |one| vec![one]);
    let query = arguments.query.to_query();
    let mut report = report::print_query(bone_fields(), arguments.format, &query)?;
    let mut bones = shown.iter().flat_map(|candidate| (0..naming.bones).map(move |index| (candidate, index)));
    let is_decided = decided.is_some();
    unless_enough(bones.try_for_each(|(candidate, index)| report.row(&BoneLine { candidate, is_decided, index })))?;
    tell_dropped(&report, &query);
    report.end()?;
    summarize(format!("{path}: {}", evidence(&naming, decided, asked.is_some())));
    Ok(Outcome::Clean)
}

fn id(candidate: &Candidate) -> &str {
    &candidate.skeleton.id
}

fn counted_bones(naming: &Naming) -> String {
    counted(u64::try_from(naming.bones).unwrap_or(u64::MAX), "bone")
}

/// The skeleton that `--skeleton` means, by its id, its title or the name of its file.
fn asked<'n>(naming: &'n Naming, name: &str) -> Result<&'n Candidate, Failure> {
    let is_meant = |candidate: &&Candidate| {
        let file = candidate.file.rsplit('/').next().unwrap_or_default();
        [id(candidate), &candidate.skeleton.title, file.trim_end_matches(".xml")].contains(&name)
    };
    let mut meant = naming.candidates.iter().filter(is_meant);
    match (meant.next(), meant.next()) {
        (Some(one), None) => Ok(one),
        (found, _) => {
            let fault = if found.is_some() { "several skeletons have" } else { "no skeleton has" };
            let (bones, names) = (counted_bones(naming), names(naming));
            Err(Failure::usage(format!("--skeleton: {fault} {bones} and the name {name}; those of {bones}: {names}")))
        }
    }
}

/// The skeletons with their files and changes.
fn names(naming: &Naming) -> String {
    let name = |one: &Candidate| {
        let change = one.change.map(|change| format!(", change {change:.4}")).unwrap_or_default();
        format!("{} ({}{change})", id(one), one.file)
    };
    naming.candidates.iter().map(name).collect::<Vec<_>>().join("; ")
}

/// Why the skeleton is this one, or one of these.
fn evidence(naming: &Naming, decided: Option<&Candidate>, is_asked: bool) -> String {
    let animations = counted(u64::try_from(naming.animations).unwrap_or(u64::MAX), "animation");
    let bones = counted_bones(naming);
    match decided {
        Some(one) if is_asked => format!("{} by --skeleton", id(one)),
        Some(one) if naming.candidates.len() == 1 => format!("{}, the only skeleton of {bones}", id(one)),
        Some(one) => format!("{} by the lengths of bones in {animations}: {}", id(one), names(naming)),
        None => format!("one of these (--skeleton says which), by {bones} and {animations}: {}", names(naming)),
    }
}
