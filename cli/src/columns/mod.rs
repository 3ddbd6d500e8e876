//! `skelmap columns`: what the columns and keys of reports mean.

mod records;

use std::collections::HashSet;

use clap::Args;

use crate::outcome::{Ended, Outcome};
use crate::report::{self, Column, Field, Format, field, text};
use crate::{gsa, matching, row};
use records::{DUMP, POSE, SKIN, STORED};

/// List the columns of every table and the keys of its JSON, with units and meaning.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap columns
  skelmap columns --format csv > columns.csv

dump, pose, skin: the columns of CSV. docs/schema.json describes the JSON of every command, for programs.")]
pub(crate) struct Columns {
    /// Format of the output.
    #[arg(long, value_parser = report::formats(), default_value = "table")]
    format: Format,
}

/// A column of a command.
struct Listed {
    command: &'static str,
    name: &'static str,
    /// The heading in tables, if it is another.
    heading: Option<&'static str>,
    meaning: Option<&'static str>,
}

/// The key; the heading of a column that only tables have.
const fn name(column: &Column) -> &'static str {
    if column.key.is_empty() { column.title } else { column.key }
}

pub(crate) fn run(arguments: &Columns) -> Ended {
    let fields = vec![
        field(text("command"), |listed: &Listed| listed.command.into()),
        field(text("column"), |listed| listed.name.into()),
        field(text("heading"), |listed| listed.heading.into()),
        field(text("meaning"), |listed| listed.meaning.into()),
    ];
    let mut report = report::print(fields, arguments.format)?;
    listed().iter().try_for_each(|listed| report.row(listed))?;
    report.end()?;
    Ok(Outcome::Clean)
}

fn listed() -> Vec<Listed> {
    let mut all = Vec::new();
    let mut seen = HashSet::new();
    let assets = row::fields().len();
    add(&mut all, &mut seen, "ls", &row::fields());
    add(&mut all, &mut seen, "catalog", row::catalogue_fields(true, true).get(assets..).unwrap_or_default());
    add(&mut all, &mut seen, "check", &skelmap_batch::check::finding_fields());
    add(&mut all, &mut seen, "match", &matching::fields());
    add(&mut all, &mut seen, "mod", &skelmap_batch::mods::fields());
    add(&mut all, &mut seen, "mod", &skelmap_batch::mods::bone_fields());
    add(&mut all, &mut seen, "diff", &skelmap_batch::diff::fields());
    add(&mut all, &mut seen, "convert", &skelmap_batch::convert::fields());
    add(&mut all, &mut seen, "stats", &skelmap_batch::stats::fields());
    add(&mut all, &mut seen, "gsa events", &gsa::fields());
    for (command, columns) in [("dump", &DUMP[..]), ("dump", &STORED), ("pose", &POSE), ("skin", &SKIN)] {
        let listed = |(name, meaning): &(&'static str, &'static str)| Listed {
            command,
            name,
            heading: None,
            meaning: Some(meaning),
        };
        all.extend(columns.iter().map(listed));
    }
    all
}

/// Adds the columns of a command, each key once.
fn add<R>(
    all: &mut Vec<Listed>,
    seen: &mut HashSet<(&'static str, &'static str)>,
    command: &'static str,
    fields: &[Field<R>],
) {
    let own = fields.iter().map(|field| field.column).filter(|column| seen.insert((command, name(column))));
    all.extend(own.map(|column| {
        let name = name(&column);
        let heading = Some(column.title).filter(|title| *title != name);
        Listed { command, name, heading, meaning: meaning(name) }
    }));
}

fn meaning(key: &str) -> Option<&'static str> {
    MEANINGS.iter().find(|(own, _)| *own == key).map(|(_, meaning)| *meaning)
}

/// The meanings of keys. A key means the same in every report.
const MEANINGS: [(&str, &str); 121] = [
    ("schema", "the number of the schema of the JSON"),
    ("path", "the file; for an entry of an archive, the archive"),
    ("entry", "the name in the archive"),
    ("archive", "the archive that the next rows are in"),
    ("lengths_compared", "bones whose lengths in the mesh and in the first sequence were compared"),
    ("lengths_changed", "bones that have another length in the animation: the model is torn there"),
    ("length_ratio", "how many times as long the bones are in the animation: the median"),
    ("bones_still", "bones of the mesh that move points and that no sequence of the animation moves"),
    ("change", "added, removed, changed, moved, turned or reparented"),
    ("what", "what differs: a file, a count, a bone, a material, a track, ..."),
    ("before", "what it was: a size, a number, a place; the old path of a file that moved"),
    ("after", "what it is"),
    ("difference", "the largest difference: a distance in the unit of the file, or an angle in radians"),
    ("format", "by content: actorx.psk, actorx.psa, pyrogenesis.pmd, pyrogenesis.psa or swat3.gsa"),
    ("bytes", "the size of the file, in bytes"),
    ("bones", "the number of bones"),
    ("points", "the number of points; of vertices in a Pyrogenesis mesh"),
    ("wedges", "the number of wedges: corners with UVs of their own"),
    ("faces", "the number of triangles"),
    ("materials", "the number of materials"),
    ("uv_sets", "the number of UV sets"),
    ("sequences", "the number of sequences"),
    ("frames", "the number of frames of all sequences that are stored"),
    ("duration_s", "seconds of all sequences, each at its own rate"),
    ("quirks", "codes of what was recovered while the file was read (skelmap explain CODE)"),
    ("error", "why the file cannot be read, or why the output was not written"),
    ("error_kind", "the code of the error"),
    ("error_section", "the section of the file that is wrong"),
    ("error_offset", "the byte at which it is wrong"),
    ("error_message", "what is wrong"),
    ("sequence_names", "the names of the sequences; with --per sequence, none"),
    ("skeleton_hash", "equal if the bones have the same names and parents in the same order"),
    ("content_hash", "a hash of the bytes (XXH3, 128 bits), with --content-hash"),
    ("sequence_index", "the index of the sequence, from 0"),
    ("sequence", "the name of the sequence"),
    ("sequence_frames", "the number of its frames"),
    ("sequence_rate", "its frames in a second, as stored"),
    ("sequence_duration_s", "its seconds"),
    ("min", "the lowest corner of the box around the mesh in its bind pose, in units of the file"),
    ("max", "the highest corner"),
    ("min_x", "the box around the mesh in its bind pose, in units of the file"),
    ("min_y", "the same along y"),
    ("min_z", "the same along z"),
    ("max_x", "the other side of the box"),
    ("max_y", "the same along y"),
    ("max_z", "the same along z"),
    ("height", "the extent along the axis that points up, in units of the file"),
    ("metres", "metres in a unit; empty where the file does not say"),
    ("severity", "error, warning or note"),
    ("code", "what is wrong, as a code (skelmap explain CODE)"),
    ("section", "the section of the file"),
    ("offset", "the byte of the file"),
    ("index", "the index of the record, from 0"),
    ("count", "how many there are of this kind in the section"),
    ("message", "the same in words"),
    ("verdict", "exact, fits, in-part, same-count, hardly or not (skelmap match --help)"),
    ("mesh", "the mesh that an animation is compared with; of an entry, the archive"),
    ("mesh_entry", "the name of the mesh in the archive"),
    ("is_flat", "whether the animation has no hierarchy, although the mesh has one"),
    ("length_change", "how much distances between bones without names change, as a part of the size of the skeleton"),
    ("next", "what to do"),
    ("bone_names", "the bones that are in both, in one of them, or have other parents"),
    ("meaning", "what the verdict means, and what to do"),
    ("matched", "bones of the animation that the mesh has"),
    ("of mesh", "matched bones in hundredths of the bones of the mesh"),
    ("of anim", "matched bones in hundredths of the bones of the animation"),
    ("missing", "bones of the mesh that the animation does not move"),
    ("extra", "bones of the animation that the mesh does not have"),
    ("reparented", "bones with another parent"),
    ("by_name", "whether names decided; otherwise the number of bones did"),
    ("percent_of_mesh", "matched bones in hundredths of the bones of the mesh"),
    ("percent_of_animation", "matched bones in hundredths of the bones of the animation"),
    ("status", "written, kept, skipped or failed"),
    ("triangles", "triangles in the output"),
    ("animations", "animations in the output"),
    ("textures", "textures in the output"),
    ("dropped_triangles", "triangles that name a vertex twice, or one that is not there or has no finite position"),
    ("unused_vertices", "vertices that no triangle uses"),
    ("computed_normals", "vertices whose normal is not in the file"),
    ("weaker_influences", "influences weaker than those that were kept"),
    ("dropped_influences", "influences without a positive weight, or of a point or bone that is not there"),
    ("unweighted_points", "points without an influence in a mesh with bones: they follow bone 0"),
    ("clips_without_frames", "sequences that were left out because they have no frames"),
    ("clips_without_rate", "sequences without a rate that gives ascending times: they play at 30 frames in a second"),
    ("clips_beyond_limits", "sequences that were left out because the file would have too many keys"),
    ("dropped_morphs", "morph targets that were left out because there would be too many"),
    ("additive_clips", "sequences that look additive: left out, or played on their base (--additive)"),
    ("unmatched_tracks", "tracks that move no bone of the mesh, in the sequence that has the most of them"),
    ("unmoved_bones", "bones without a track, in the sequence that has the most of them"),
    ("misplaced_bones", "bones whose bind pose is not finite: they stand at their parent"),
    ("misplaced_attachments", "sockets and prop points without a place: they are left out"),
    ("cut_bones", "bones in a circle, cut into roots"),
    ("output", "the file that was written"),
    ("notes", "what people should know besides"),
    ("column", "the column that is summarized"),
    ("values", "assets that have a value"),
    ("nulls", "assets of the format to which the column does not apply"),
    ("least", "the least value"),
    ("p25", "25 % of the values lie below"),
    ("p50", "half of the values lie below"),
    ("p75", "75 % of the values lie below"),
    ("p95", "95 % of the values lie below"),
    ("greatest", "the greatest value"),
    ("edges", "the values between which the bars lie, one more than bars"),
    ("bars", "the number of values in each bar"),
    ("histogram", "the bars, as high as the number of values in them"),
    ("frame", "the frame, from 0"),
    ("time_s", "seconds in the game, which plays 10 frames in a second"),
    (
        "kind",
        "of an event: sound, itemsound or other; of a file in a mod: mesh, animation, texture, prop, variant, level, actor, skeleton or mod",
    ),
    ("name", "the name of a sound or the whole event; of an animation or a texture in an actor; the point of a prop"),
    ("state", "fine, source (bones not known), missing, unreadable, misfit or unused"),
    ("actor", "the actor that names the file, below art/actors/"),
    (
        "file",
        "the file that the actor names, below the root of the mod; for unused, the file that is there; with --bones, that of the skeleton",
    ),
    ("mesh_bones", "the number of its bones"),
    ("bone", "the index of the bone, from 0"),
    ("bone_name", "its name in the standard skeleton"),
    ("parent", "the index of its parent; empty for a root"),
    ("parent_name", "the name of its parent"),
    ("skeleton", "the id of the standard skeleton; in match, the one whose parents were used"),
    ("decided", "whether the skeleton is known; otherwise it is one of those in the report"),
    (
        "change",
        "the mean change of the lengths of bones in animations of the mesh, relative to the size of the skeleton",
    ),
];
