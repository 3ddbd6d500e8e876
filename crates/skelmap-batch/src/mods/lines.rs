//! What is told of mods: a line for each file that an actor names, and for each that none names.

use std::collections::BTreeSet;

use skelmap::archive::Address;

use super::{Candidate, Manifest, ModFile, Part, PartKind, Survey, Unit};
use crate::columns::{ADDRESS_COLUMN, ENTRY_COLUMN, PATH_COLUMN, SCHEMA_COLUMN, address_cell};
use crate::items::{Fault, SCHEMA};
use crate::report::{Cell, Field, Look, Values, boolean, double, field, integer, text};
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
    /// All states.
    pub const ALL: [Self; 6] = [Self::Fine, Self::Source, Self::Missing, Self::Unreadable, Self::Misfit, Self::Unused];

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
    /// The file, below the root of the mod.
    pub file: String,
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

    fn of_file(state: State, kind: &'static str, file: &ModFile<'_>) -> Self {
        Self { address: Some(file.address()), ..Self::new(state, kind, file.name) }
    }
}

/// The kinds of lines: those of parts, and of files that are not parts.
fn kinds() -> Vec<&'static str> {
    let parts = PartKind::ALL.map(PartKind::code);
    parts.into_iter().chain(["actor", "skeleton", "mod"]).collect()
}

/// The columns of lines.
pub fn fields() -> Vec<Field<Line>> {
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
    let address = ADDRESS_COLUMN.nullable();
    let address = address.means("the file that the game reads, as every command takes it; null if it is missing");
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
        field(path, |line| line.address.as_ref().map(crate::columns::path).into()),
        field(ENTRY_COLUMN.data(), |line| line.address.as_ref().and_then(Address::entry).into()),
        field(address.data(), |line| line.address.as_ref().map(address_cell).into()),
        field(message.data(), |line| line.message.as_ref().into()),
        field(message.titled("meaning").look(Look::Notes).table(), |line| line.message.as_ref().into()),
        field(file, |line| Cell::from(line.file.as_str())),
    ]
}

/// The lines of mods: what is wrong with a mod itself, with its skeletons, the files of actors, and what no actor names.
pub fn lines<'s>(survey: &'s Survey<'_>) -> impl Iterator<Item = Line> + 's {
    let unreadable = |(file, fault): &(ModFile<'_>, Fault)| Line {
        message: Some(fault.message.clone()),
        ..Line::of_file(State::Unreadable, "skeleton", file)
    };
    let skeletons = survey.broken_skeletons.iter().map(unreadable);
    let units = survey.units.iter().flat_map(|unit| of_unit(survey, unit));
    let unused = survey.unused.iter().map(|file| {
        let kind = if file.name.starts_with("art/meshes/") { "mesh" } else { "animation" };
        Line::of_file(State::Unused, kind, file)
    });
    survey.mods.manifests().iter().flat_map(of_mod).chain(skeletons).chain(units).chain(unused)
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
fn of_unit(survey: &Survey<'_>, unit: &Unit) -> Vec<Line> {
    let actor = unit.actor.strip_prefix("art/actors/").unwrap_or(&unit.actor);
    let fault = unit.fault.iter().map(|fault| Line {
        message: Some(fault.message.clone()),
        address: survey.mods.file(&unit.actor).map(|file| file.address()),
        actor: Some(actor.to_owned()),
        ..Line::new(State::Unreadable, "actor", &unit.actor)
    });
    let mut lines: Vec<_> = fault.collect();
    for part in &unit.parts {
        lines
            .extend(of_part(survey, unit, part).into_iter().map(|line| Line { actor: Some(actor.to_owned()), ..line }));
    }
    lines
}

/// The line of a file of an actor; of an animation, a line for each mesh that it does not fit.
fn of_part(survey: &Survey<'_>, unit: &Unit, part: &Part) -> Vec<Line> {
    let mut line = Line { name: part.name.clone(), ..Line::new(State::Fine, part.kind.code(), &part.file) };
    let Some(file) = survey.file(part) else { return vec![Line { state: State::Missing, ..line }] };
    line.address = Some(file.address());
    match survey.bones(part) {
        Err(fault) => return vec![Line { state: State::Unreadable, message: Some(fault.message.clone()), ..line }],
        Ok(bones) => line.bones = bones,
    }
    let misfit = |(mesh, bones): (&str, u64)| {
        let own = counted(line.bones.unwrap_or_default(), "bone");
        let message = format!("has {own}, and {mesh} has {bones}: the game does not play it");
        Line { state: State::Misfit, message: Some(message), mesh: Some((mesh.to_owned(), bones)), ..line.clone() }
    };
    let misfits: Vec<Line> = survey.misfits(unit, part).into_iter().map(misfit).collect();
    if !misfits.is_empty() {
        return misfits;
    }
    if line.bones.is_none() && matches!(part.kind, PartKind::Mesh | PartKind::Animation) {
        line.state = State::Source;
    }
    vec![line]
}

/// What all lines say together.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LineCounts {
    /// The lines of files that are missing, unreadable or misfits.
    pub broken: u64,
    missing: BTreeSet<String>,
    unreadable: BTreeSet<String>,
}

impl LineCounts {
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
        let number = |count: usize, noun| counted(count as u64, noun);
        let pairs = if survey.pairs == 0 {
            "no mesh with an animation".to_owned()
        } else {
            format!(
                "{} of {} and {}, {} of these pairs incompatible",
                number(survey.pairs, "pair"),
                number(survey.meshes, "mesh"),
                number(survey.animations, "animation"),
                survey.misfits,
            )
        };
        format!(
            "{}; {pairs}; {} missing, {} unreadable; {} used by no actor",
            number(survey.units.len(), "actor"),
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
    let parent = integer("parent").nullable().means("the index of the parent bone; null for a root");
    let decided = boolean("decided").data().means(
        "whether the skeleton is known; otherwise there are rows for each skeleton that the mesh may have, the best first",
    );
    let change = double("change").look(Look::Decimals(4)).nullable().means(
        "the mean change of the lengths of bones in animations of the mesh, relative to the size of the skeleton; null without animations",
    );
    let file = text("file").look(Look::Path).means("the file of the skeleton, below the root of the mod");
    vec![
        field(SCHEMA_COLUMN.json(), |_| SCHEMA.into()),
        field(integer("bone").means("the index of the bone, from 0"), |line: &BoneLine<'_>| line.index.into()),
        field(text("bone_name").titled("name").means("the name of the bone in the standard skeleton"), |line| {
            line.name_of(line.index).into()
        }),
        field(parent, |line| line.parent().into()),
        field(text("parent_name").nullable().means("the name of the parent bone"), |line| {
            line.parent().and_then(|parent| line.name_of(parent)).into()
        }),
        field(text("skeleton").means("the id of the standard skeleton"), |line| {
            line.candidate.skeleton.id.as_str().into()
        }),
        field(decided, |line| line.is_decided.into()),
        field(change, |line| line.candidate.change.into()),
        field(file, |line| line.candidate.file.as_str().into()),
    ]
}
