//! `skelmap mod`: what the actors of 0 A.D. mods are made of, and what is wrong with it.

mod bones;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use skelmap::archive::Address;
use skelmap_batch::items::SCHEMA;
use skelmap_batch::mods::{Manifest, ModFile, Mods, Part, PartKind, Survey, Trouble, Unit};

pub(crate) use self::bones::fields as bone_fields;
use crate::arguments::{Parsing, input};
use crate::files::{Source, in_pool};
use crate::messages::{self, summarize};
use crate::outcome::{Ended, Failure, Outcome};
use crate::report::{self, Cell, Field, Format, Look, Values, field, integer, text};
use crate::row::{ENTRY_COLUMN, PATH_COLUMN, SCHEMA_COLUMN};
use crate::text::counted;

/// Tell what the actors of 0 A.D. mods are made of, and what is missing or does not fit.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap mod public.zip --broken
  skelmap mod public.zip mymod/ --actor fauna/horse
  skelmap mod public.zip --unused --format csv
  skelmap mod public.zip --bones skeletal/horse.dae

A row for each file that an actor names, its variants included. A PATH is an archive, or a folder with art/ or with archives. A file of \
a later mod hides those of the same path before it: name the mods that a mod depends on first. \
state: fine, source (the game converts it; its bones are not known), missing, unreadable, misfit (an animation with another number \
of bones than the mesh, a row for each such mesh) or unused (a mesh or an animation that no actor names). Exit status 1: a file of \
these actors is missing, unreadable or a misfit.

--bones finds the standard skeleton (art/skeletons/) of a mesh: the only one of its number of bones; or the one whose bones keep their length in up to eight animations of the mesh, while those of the next change by at least twice as much and by 0.01 of the size of the skeleton (change). If it is not decided, the bones of each are printed, the best first.

`skelmap columns mod` lists the columns and the keys of JSON.")]
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
    #[arg(long, value_name = "MESH", conflicts_with_all = ["actor", "broken", "unused"])]
    bones: Option<String>,
    /// The skeleton of the mesh, by its id, its title or the name of its file.
    #[arg(long, value_name = "NAME", requires = "bones")]
    skeleton: Option<String>,
    /// Format of the output.
    #[arg(long, value_parser = report::formats(), default_value = "table")]
    format: Format,
    /// The number of files read at the same time [default: one per processor].
    #[arg(long, value_name = "N", hide_short_help = true)]
    jobs: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) parsing: Parsing,
}

/// How a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Fine,
    Source,
    Missing,
    Unreadable,
    Misfit,
    Unused,
}

impl State {
    const ALL: [Self; 6] = [Self::Fine, Self::Source, Self::Missing, Self::Unreadable, Self::Misfit, Self::Unused];

    const fn code(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Source => "source",
            Self::Missing => "missing",
            Self::Unreadable => "unreadable",
            Self::Misfit => "misfit",
            Self::Unused => "unused",
        }
    }

    const fn is_broken(self) -> bool {
        matches!(self, Self::Missing | Self::Unreadable | Self::Misfit)
    }
}

/// A file that an actor names, or that none names.
pub(crate) struct Line {
    state: State,
    kind: &'static str,
    name: String,
    file: String,
    bones: Option<u64>,
    /// The mesh that an animation does not fit, and its bones.
    mesh: Option<(String, u64)>,
    address: Option<Address>,
    message: Option<String>,
    actor: Option<String>,
}

impl Line {
    fn new(state: State, kind: &'static str, file: &str) -> Self {
        let (name, file) = (String::new(), file.to_owned());
        Self { state, kind, name, file, bones: None, mesh: None, address: None, message: None, actor: None }
    }
}

/// The kinds of lines: those of parts, and of files that are not parts.
fn kinds() -> Vec<&'static str> {
    let parts = PartKind::ALL.map(PartKind::code);
    parts.into_iter().chain(["actor", "skeleton", "mod"]).collect()
}

pub(crate) fn fields() -> Vec<Field<Line>> {
    let state = text("state").of(Values::OneOf(|| State::ALL.map(State::code).to_vec())).means(
        "the state of the file; source: the game converts it, so its bones are not known; misfit: an animation with another number of \
         bones than the mesh, with a row for each such mesh",
    );
    let kind = text("kind").of(Values::OneOf(kinds)).means(
        "the use of the file by the actor; actor: the actor itself, which cannot be read; skeleton: a file of skeletons that cannot be \
         read; mod: a mod that another depends on, or mod.json",
    );
    let name =
        text("name").drop_order(1).nullable().means("the name of an animation or a texture; the point of a prop");
    let actor = text("actor").drop_order(3).nullable().means("the actor that names the file, below art/actors/");
    let mesh = text("mesh").nullable().data().means("the mesh that the animation does not fit");
    let mesh_bones = integer("mesh_bones").nullable().data().means("the number of bones of that mesh");
    let path = PATH_COLUMN.nullable().data();
    let path = path.means("the file that the game reads, or the archive of an entry; null if it is missing");
    let message = text("message").nullable().means("the fault in words");
    let file = text("file").look(Look::Path).means(
        "the file that the actor names, below the root of the mod, with the extension of its source; for unused, the file that exists",
    );
    vec![
        field(SCHEMA_COLUMN.json(), |_| SCHEMA.into()),
        field(state, |line: &Line| line.state.code().into()),
        field(kind, |line| line.kind.into()),
        field(name, |line| Some(line.name.as_str()).filter(|name| !name.is_empty()).into()),
        field(integer("bones").drop_order(2).nullable().means("the number of bones"), |line| line.bones.into()),
        field(actor, |line| line.actor.as_deref().into()),
        field(mesh, |line| line.mesh.as_ref().map(|(mesh, _)| mesh).into()),
        field(mesh_bones, |line| line.mesh.as_ref().map(|(_, bones)| *bones).into()),
        field(path, |line| line.address.as_ref().map(crate::row::path).into()),
        field(ENTRY_COLUMN.data(), |line| line.address.as_ref().and_then(Address::entry).into()),
        field(message.data(), |line| line.message.as_ref().into()),
        field(message.titled("meaning").look(Look::Notes).table(), |line| line.message.as_ref().into()),
        field(file, |line| Cell::from(line.file.as_str())),
    ]
}

pub(crate) fn run(arguments: &Mod, source: &Source) -> Ended {
    let mods = Mods::open(&arguments.paths, &source.opener, &source.limits)
        .map_err(|(path, fault)| Failure::nothing_read(fault.message).in_file(&path))?;
    let survey = in_pool(arguments.jobs, usize::MAX, || Survey::of(&mods, &source.parse))?;
    messages::count(survey.units.len() as u64);
    if let Some(mesh) = &arguments.bones {
        return bones::run(arguments, &survey, source, mesh);
    }
    if survey.units.is_empty() {
        return Err(Failure::nothing_read("there are no actors (art/actors/) in these mods"));
    }
    let mut report = report::print(fields(), arguments.format)?;
    let mut tally = Tally::default();
    let mut show = |line: &Line| {
        if !arguments.is_about(line) {
            return Ok(());
        }
        tally.count(line);
        if arguments.shows(line) { report.row(line) } else { Ok(()) }
    };
    mods.manifests().iter().flat_map(of_mod).try_for_each(|line| show(&line))?;
    for (file, fault) in &survey.broken_skeletons {
        show(&unreadable(&mods, "skeleton", *file, &fault.message))?;
    }
    for unit in &survey.units {
        of_unit(&mods, &survey, unit).iter().try_for_each(&mut show)?;
    }
    survey.unused.iter().try_for_each(|file| show(&unused(&mods, *file)))?;
    report.end()?;
    summarize(tally.summary(&survey));
    Ok(if tally.broken == 0 { Outcome::Clean } else { Outcome::Findings })
}

impl Mod {
    /// Whether a line is about an actor that is asked for.
    fn is_about(&self, line: &Line) -> bool {
        let contains = |text: &String| line.actor.as_ref().is_some_and(|actor| actor.contains(text));
        self.actor.as_ref().is_none_or(contains)
    }

    fn shows(&self, line: &Line) -> bool {
        if self.unused { line.state == State::Unused } else { !self.broken || line.state.is_broken() }
    }
}

/// What is wrong with a mod itself.
fn of_mod(manifest: &Manifest) -> Vec<Line> {
    let mod_of = |state, file: &str, message: String| Line {
        message: Some(message),
        address: Some(Address::of_file(&manifest.path)),
        ..Line::new(state, "mod", file)
    };
    let missing = manifest
        .missing
        .iter()
        .map(|needed| mod_of(State::Missing, needed, format!("{} needs this mod before it", manifest.path.display())));
    let fault = manifest.fault.iter().map(|fault| mod_of(State::Unreadable, "mod.json", fault.message.clone()));
    missing.chain(fault).collect()
}

/// The lines of an actor.
fn of_unit(mods: &Mods, survey: &Survey<'_>, unit: &Unit) -> Vec<Line> {
    let actor = unit.actor.strip_prefix("art/actors/").unwrap_or(&unit.actor);
    let fault = unit.fault.iter().map(|fault| Line {
        message: Some(fault.message.clone()),
        address: mods.file(&unit.actor).map(|file| mods.address(file)),
        actor: Some(actor.to_owned()),
        ..Line::new(State::Unreadable, "actor", &unit.actor)
    });
    let mut lines: Vec<_> = fault.collect();
    for part in &unit.parts {
        let troubles = survey.troubles(unit, part);
        if troubles.is_empty() {
            lines.push(of_part(mods, survey, actor, part, None));
        }
        lines.extend(troubles.into_iter().map(|trouble| of_part(mods, survey, actor, part, Some(trouble))));
    }
    lines
}

fn of_part(mods: &Mods, survey: &Survey<'_>, actor: &str, part: &Part, trouble: Option<Trouble>) -> Line {
    let model = survey.model(part);
    let bones = model.and_then(|model| model.bones.clone().ok());
    let state = match (&trouble, bones) {
        (Some(Trouble::Missing), _) => State::Missing,
        (Some(Trouble::Unreadable(_)), _) => State::Unreadable,
        (Some(_), _) => State::Misfit,
        (None, Some(None)) => State::Source,
        (None, _) => State::Fine,
    };
    let bones = bones.flatten();
    let mut line = Line::new(state, part.kind.code(), &part.file);
    match trouble {
        Some(Trouble::Misfit { mesh, bones: of_mesh }) => {
            let own = counted(bones.unwrap_or_default(), "bone");
            line.message = Some(format!("has {own}, and {mesh} has {of_mesh}: the game does not play it"));
            line.mesh = Some((mesh, of_mesh));
        }
        Some(Trouble::Unreadable(fault)) => line.message = Some(fault.message),
        _ => {}
    }
    let (name, actor) = (part.name.clone(), Some(actor.to_owned()));
    Line { name, bones, address: survey.file(part).map(|file| mods.address(file)), actor, ..line }
}

fn unreadable(mods: &Mods, kind: &'static str, file: ModFile<'_>, message: &str) -> Line {
    let (address, message) = (Some(mods.address(file)), Some(message.to_owned()));
    Line { address, message, ..Line::new(State::Unreadable, kind, file.name()) }
}

fn unused(mods: &Mods, file: ModFile<'_>) -> Line {
    let kind = if file.name().starts_with("art/meshes/") { "mesh" } else { "animation" };
    Line { address: Some(mods.address(file)), ..Line::new(State::Unused, kind, file.name()) }
}

/// What the last line says, and the exit status.
#[derive(Default)]
struct Tally {
    broken: u64,
    missing: BTreeSet<String>,
    unreadable: BTreeSet<String>,
}

impl Tally {
    fn count(&mut self, line: &Line) {
        self.broken += u64::from(line.state.is_broken());
        match line.state {
            State::Missing => drop(self.missing.insert(line.file.clone())),
            State::Unreadable => drop(self.unreadable.insert(line.file.clone())),
            _ => {}
        }
    }

    fn summary(&self, survey: &Survey<'_>) -> String {
        let number = |count: usize, noun| counted(u64::try_from(count).unwrap_or(u64::MAX), noun);
        format!(
            "{}; {} of {} and {}, {} of them unfit; {} missing, {} unreadable; {} used by no actor",
            number(survey.units.len(), "actor"),
            number(survey.pairs, "pair"),
            number(survey.meshes, "mesh").replace("meshs", "meshes"),
            number(survey.animations, "animation"),
            survey.misfits,
            number(self.missing.len(), "file"),
            self.unreadable.len(),
            number(survey.unused.len(), "model"),
        )
    }
}
