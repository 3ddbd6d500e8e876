//! `skelmap mod --bones`: the names and parents of the bones of a mesh.

use skelmap_batch::items::SCHEMA;
use skelmap_batch::mods::{Candidate, Naming, Survey};

use super::Mod;
use crate::files::Source;
use crate::messages::summarize;
use crate::outcome::{Ended, Failure, Outcome};
use crate::report::{self, Field, Look, boolean, double, field, integer, text};
use crate::row::SCHEMA_COLUMN;
use crate::text::counted;

/// A bone in a skeleton that the mesh may have.
pub(crate) struct BoneLine<'a> {
    candidate: &'a Candidate,
    is_decided: bool,
    index: usize,
}

impl BoneLine<'_> {
    fn parent(&self) -> Option<usize> {
        self.candidate.skeleton.bones.get(self.index)?.parent
    }

    fn name_of(&self, bone: usize) -> Option<&str> {
        self.candidate.skeleton.bones.get(bone).map(|bone| bone.name.as_str())
    }
}

pub(crate) fn fields<'a>() -> Vec<Field<BoneLine<'a>>> {
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
        field(text("skeleton").means("the id of the standard skeleton"), |line| id(line.candidate).into()),
        field(decided, |line| line.is_decided.into()),
        field(change, |line| line.candidate.change.into()),
        field(file, |line| line.candidate.file.as_str().into()),
    ]
}

pub(super) fn run(arguments: &Mod, survey: &Survey<'_>, source: &Source, mesh: &str) -> Ended {
    let path = if mesh.starts_with("art/") { mesh.to_owned() } else { format!("art/meshes/{mesh}") };
    let failed = |message: String| Failure::nothing_read(format!("{path}: {message}"));
    let naming = survey.naming(&path, &source.parse).map_err(|fault| failed(fault.message))?;
    let naming = naming.ok_or_else(|| failed("no mod has this mesh as the game reads it".to_owned()))?;
    if naming.candidates.is_empty() {
        let message = format!("{path}: no standard skeleton has {}", counted_bones(&naming));
        return Err(Failure::findings(message));
    }
    let asked = arguments.skeleton.as_deref().map(|name| asked(&naming, name)).transpose()?;
    let decided = asked.or_else(|| naming.decided());
    let shown: Vec<&Candidate> = decided.map_or_else(|| naming.candidates.iter().collect(), |one| vec![one]);
    let mut report = report::print(fields(), arguments.format)?;
    for candidate in &shown {
        for index in 0..naming.bones {
            report.row(&BoneLine { candidate, is_decided: decided.is_some(), index })?;
        }
    }
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
