//! What is told of mods: a line for each file that an actor names, and for each that none names.

use std::collections::BTreeSet;

use skelmap::archive::Address;

use super::{Candidate, Manifest, ModFile, Mods, Part, Survey, Trouble, Unit};
use crate::items::SCHEMA;
use crate::report::{Cell, Column, Field, Kind, Look, field, integer, text};
use crate::text::counted;

/// How a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// The game can use it.
    Fine,
    /// The game converts it; its bones are not known.
    Source,
    /// It is not there.
    Missing,
    /// It cannot be read.
    Unreadable,
    /// An animation with another number of bones than the mesh.
    Misfit,
    /// No actor names it.
    Unused,
}

impl State {
    /// The name in reports.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Source => "source",
            Self::Missing => "missing",
            Self::Unreadable => "unreadable",
            Self::Misfit => "misfit",
            Self::Unused => "unused",
        }
    }

    /// Whether the game shows that something is wrong.
    pub const fn is_broken(self) -> bool {
        matches!(self, Self::Missing | Self::Unreadable | Self::Misfit)
    }
}

/// A file that an actor names, or that none names.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Line {
    /// How it is.
    pub state: State,
    kind: &'static str,
    name: String,
    file: String,
    bones: Option<u64>,
    /// The mesh that an animation does not fit, and its bones.
    mesh: Option<(String, u64)>,
    address: Option<Address>,
    message: Option<String>,
    /// The actor that names it, below `art/actors/`.
    pub actor: Option<String>,
}

impl Line {
    fn new(state: State, kind: &'static str, file: &str) -> Self {
        let (name, file) = (String::new(), file.to_owned());
        Self { state, kind, name, file, bones: None, mesh: None, address: None, message: None, actor: None }
    }
}

/// The columns of lines.
pub fn fields() -> Vec<Field<Line>> {
    vec![
        field(integer("schema").json(), |_| SCHEMA.into()),
        field(text("state"), |line: &Line| line.state.code().into()),
        field(text("kind"), |line| line.kind.into()),
        field(text("name").minor(1), |line| Some(line.name.as_str()).filter(|name| !name.is_empty()).into()),
        field(integer("bones").minor(2), |line| line.bones.into()),
        field(text("actor").minor(3), |line| line.actor.as_deref().into()),
        field(text("mesh").data(), |line| line.mesh.as_ref().map(|(mesh, _)| mesh).into()),
        field(integer("mesh_bones").data(), |line| line.mesh.as_ref().map(|(_, bones)| *bones).into()),
        field(text("path").data(), |line| line.address.as_ref().map(crate::row::path).into()),
        field(text("entry").data(), |line| line.address.as_ref().and_then(Address::entry).into()),
        field(text("message").data(), |line| line.message.as_ref().into()),
        field(text("message").titled("meaning").look(Look::Notes).table(), |line| line.message.as_ref().into()),
        field(text("file").look(Look::Path), |line| Cell::from(line.file.as_str())),
    ]
}

/// The lines of mods: what is wrong with a mod itself, with its skeletons, the files of actors, and what no actor names.
pub fn lines<'s>(mods: &'s Mods, survey: &'s Survey<'_>) -> impl Iterator<Item = Line> + 's {
    let skeletons = survey.broken_skeletons.iter();
    let skeletons = skeletons.map(|(file, fault)| unreadable(mods, "skeleton", *file, &fault.message));
    let units = survey.units.iter().flat_map(|unit| of_unit(mods, survey, unit));
    let unused = survey.unused.iter().map(|file| unused(mods, *file));
    mods.manifests().iter().flat_map(of_mod).chain(skeletons).chain(units).chain(unused)
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

/// What all lines say together.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Tally {
    /// The lines of files that are missing, unreadable or misfits.
    pub broken: u64,
    missing: BTreeSet<String>,
    unreadable: BTreeSet<String>,
}

impl Tally {
    /// Counts a line.
    pub fn count(&mut self, line: &Line) {
        self.broken += u64::from(line.state.is_broken());
        match line.state {
            State::Missing => drop(self.missing.insert(line.file.clone())),
            State::Unreadable => drop(self.unreadable.insert(line.file.clone())),
            _ => {}
        }
    }

    /// The numbers in words.
    pub fn summary(&self, survey: &Survey<'_>) -> String {
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

/// A bone in a skeleton that the mesh may have.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "a bone and where it is")]
pub struct BoneLine<'a> {
    /// The skeleton.
    pub candidate: &'a Candidate,
    /// Whether it is known to be that of the mesh.
    pub is_decided: bool,
    /// The bone.
    pub index: usize,
}

impl BoneLine<'_> {
    fn parent(&self) -> Option<usize> {
        self.candidate.skeleton.bones.get(self.index)?.parent
    }

    fn name_of(&self, bone: usize) -> Option<&str> {
        self.candidate.skeleton.bones.get(bone).map(|bone| bone.name.as_str())
    }
}

/// The columns of bones.
pub fn bone_fields<'a>() -> Vec<Field<BoneLine<'a>>> {
    vec![
        field(integer("schema").json(), |_| SCHEMA.into()),
        field(integer("bone"), |line| line.index.into()),
        field(text("bone_name").titled("name"), |line| line.name_of(line.index).into()),
        field(integer("parent"), |line| line.parent().into()),
        field(text("parent_name"), |line| line.parent().and_then(|parent| line.name_of(parent)).into()),
        field(text("skeleton"), |line| line.candidate.skeleton.id.as_str().into()),
        field(text("decided").data(), |line| line.is_decided.into()),
        field(Column::new("change", Kind::Double).look(Look::Decimals(4)), |line| line.candidate.change.into()),
        field(text("file").look(Look::Path), |line| line.candidate.file.as_str().into()),
    ]
}
