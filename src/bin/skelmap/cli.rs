//! The arguments and the help texts.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

const AFTER_HELP: &str = "\
Data goes to standard output, everything else to standard error. Exit status: 0 clean, 1 findings or a bad file, 2 wrong usage, \
3 nothing could be read.

Examples:
  skelmap ls mods/                               what is in a folder, found by content
  skelmap info Grunt.psk                         chunks, bones, materials, quirks
  skelmap check --format jsonl art/ | jq .       findings, one JSON object a file
  skelmap dump Walk.psa --what keys --sequence Walk --bone Pelvis
  skelmap skin horse.pmd --anim gallop.psa --at 250 --loop --format csv
  skelmap gsa events SWAT3/                      every sound that animations start";

/// Reads skeletal meshes and animations in place: lists, describes, checks and dumps them.
#[derive(Debug, Parser)]
#[command(version, after_help = AFTER_HELP, max_term_width = 120)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Read files into memory instead of mapping large ones. Slower, but safe while other programs write to them: a mapped file
    /// that is cut short meanwhile ends this program by a signal (SIGBUS).
    #[arg(long, global = true)]
    pub(crate) no_map: bool,
    /// Accept every Pyrogenesis file that the game accepts, and report what is odd about it, instead of only what its tools
    /// write.
    #[arg(long, global = true)]
    pub(crate) engine: bool,
    /// Read the skeletons of SWAT 3 animations by the layout in this file, as `info --layout` prints it, instead of inferring it.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) gsa_layout: Option<PathBuf>,
    /// Accept up to three zero bytes after the last frame of a SWAT 3 animation, and report them.
    #[arg(long, global = true)]
    pub(crate) trailing_zeros: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List assets, a row each; folders are walked, files are told apart by content.
    #[command(after_help = "\
Examples:
  skelmap ls .
  skelmap ls --format csv mods/ > assets.csv
  skelmap ls --format jsonl art/ | jq 'select(.bones > 100) | .path'

In a folder, files of other kinds are passed over, unless their name ends in .psk, .pskx, .psa, .pmd or .gsa: then the row says \
why they cannot be read. A path named on the command line always gives a row.

JSON keys (schema 1): schema, path, entry, format, bytes, bones, points, wedges, faces, materials, uv_sets, sequences, frames, \
duration_s, quirks, error {kind, section, offset, message}; null where a key does not apply.")]
    Ls(Ls),
    /// Describe one file: chunks, counts, bones, materials, sequences, quirks, side-car.
    #[command(after_help = "\
Examples:
  skelmap info Walk.psa
  skelmap info --format json Walk.psa | jq '.details.sequences[].name'
  skelmap info --layout Stand.GSA > bones.layout; skelmap ls --gsa-layout bones.layout SWAT3/

JSON: the keys of `skelmap ls --help`, and `details` with chunks, bones, materials, sequences, quirks, side_car and gsa.

How the bones of a SWAT 3 skeleton are laid out is not documented. --layout prints what the names in the file give, and what speaks \
for each part of it; what it prints can be edited and handed to --gsa-layout. README tells how to help settle the layout.")]
    Info(Info),
    /// Read all data and report what is wrong with it.
    #[command(after_help = "\
Examples:
  skelmap check Grunt.psk
  skelmap check --level note mods/
  skelmap check --format csv mods/ > findings.csv

A side-car (.config) beside an animation is checked too. Exit status 1 if anything is reported. JSON keys (schema 1): schema, \
path, entry, format, findings [{severity, code, section, offset, index, count, message}], quirks [{code, section, offset, \
message}], error.")]
    Check(Check),
    /// Print the pose of a Pyrogenesis animation at a time: a matrix for each bone, as the game computes it.
    #[command(after_help = "\
Examples:
  skelmap pose gallop.psa --at 250 --loop
  skelmap pose gallop.psa --at 0 --at 33.3 --at 66.7 --format f32 > poses.bin

Matrices are in model space, column by column: the translation is in m12, m13 and m14. f32: little-endian floats, [time][bone][16]. \
JSON keys (schema 1): schema, path, entry, loop, bones, poses [{at_ms, matrices [bone][16]}]; a \
float that is not finite is null.")]
    Pose(Pose),
    /// Print the vertices of a Pyrogenesis mesh as an animation moves them, as the game computes them.
    #[command(after_help = "\
Examples:
  skelmap skin horse.pmd --anim gallop.psa --at 250 --loop --format csv
  skelmap skin horse.pmd --anim gallop.psa --at 250 --format f32 > vertices.bin

The animation must have as many bones as the mesh, which is all that the game asks. f32: little-endian floats, \
[vertex][position 3, normal 3]. JSON keys (schema 1): schema, path, entry, animation, at_ms, loop, vertices [{position, normal}].")]
    Skin(Skin),
    /// Print the records of one array as CSV, JSON lines, JSON or a table.
    #[command(after_help = "\
Examples:
  skelmap dump Grunt.psk --what points > points.csv
  skelmap dump Walk.psa --what keys --sequence Walk --bone Pelvis
  skelmap dump Walk.psa --what sequences --format table
  skelmap dump Face.pskx --what deltas --morph smile --format jsonl
  skelmap dump horse.pmd --what vertices
  skelmap dump Walk.GSA --what rotations --bone 4

Values are as stored: nothing is mirrored, conjugated or normalised. In JSON, a float that is not finite is null.")]
    Dump(Dump),
    /// SWAT 3 animations: list the events of many, edit one.
    #[command(subcommand)]
    Gsa(Gsa),
}

#[derive(Debug, Subcommand)]
pub(crate) enum Gsa {
    /// List every event of many animations: frame, time, kind and name.
    #[command(after_help = "\
Examples:
  skelmap gsa events BG1_Secure.GSA
  skelmap gsa events --format csv SWAT3/ > events.csv
  skelmap gsa events --format jsonl SWAT3/ | jq -r 'select(.kind == \"itemsound\").name' | sort -u

Frames are counted from 0; the time is the frame's in the game, which plays 10 frames per second whatever the file says. kind is \
sound, itemsound or other; name is what follows `sound=` or `itemsound=`, else the whole event. JSON keys (schema 1): schema, \
path, entry, frame, time_s, kind, name, error. A file that cannot be read gives a row with its error.")]
    Events(Events),
    /// Add, remove and rename events, convert between versions 4.1 and 4.2, keep some frames; write the result to another file.
    #[command(after_help = "\
Examples:
  skelmap gsa edit Reload.GSA -o New.GSA --add 11:itemsound=magout --add 19:itemsound=magin
  skelmap gsa edit Old.GSA -o New.GSA --to-version 4.2 --add 12:sound=cuff
  skelmap gsa edit Walk.GSA -o Quiet.GSA --remove 'sound=step' --remove 4:sound=cough
  skelmap gsa edit Walk.GSA -o New.GSA --rename sound=step sound=step_metal
  skelmap gsa edit Walk.GSA -o Still.GSA --from 3 --to 3

Frame numbers are those of the input, counted from 0. Edits happen in this order: to version 4.2, remove, rename, add, keep, to \
version 4.1. What is not edited is written byte for byte. OUT appears complete or not at all: it is written under another name, \
read back and then renamed.")]
    Edit(Edit),
}

#[derive(Debug, Args)]
pub(crate) struct Events {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Form of the output.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Version {
    /// Frames without events.
    #[value(name = "4.1")]
    V4_1,
    /// Frames with events.
    #[value(name = "4.2")]
    V4_2,
}

#[derive(Debug, Args)]
pub(crate) struct Edit {
    /// The animation.
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,
    /// Where the result goes.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Replace OUT if it exists; it may be FILE itself.
    #[arg(long)]
    pub(crate) force: bool,
    /// Convert to this version. To 4.1 only without events.
    #[arg(long, value_name = "VERSION", value_enum)]
    pub(crate) to_version: Option<Version>,
    /// Add an event to the end of a frame's; may be given several times.
    #[arg(long, value_name = "FRAME:EVENT")]
    pub(crate) add: Vec<String>,
    /// Remove every event of this name, or that of one frame; may be given several times.
    #[arg(long, value_name = "[FRAME:]EVENT")]
    pub(crate) remove: Vec<String>,
    /// Remove all events.
    #[arg(long)]
    pub(crate) clear: bool,
    /// Give every event of the first name the second; may be given several times.
    #[arg(long, value_names = ["EVENT", "NEW"], num_args = 2)]
    pub(crate) rename: Vec<String>,
    /// The first frame to keep.
    #[arg(long, value_name = "FRAME")]
    pub(crate) from: Option<usize>,
    /// The last frame to keep.
    #[arg(long, value_name = "FRAME")]
    pub(crate) to: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Aligned columns for people.
    Table,
    /// One JSON document.
    Json,
    /// One JSON object a line.
    Jsonl,
    /// Comma-separated values with a header.
    Csv,
}

#[derive(Debug, Args)]
pub(crate) struct Inputs {
    /// Files and folders.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Files read at the same time [default: one for each processor]. The order of the output does not depend on it.
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<std::num::NonZeroUsize>,
}

#[derive(Debug, Args)]
pub(crate) struct Ls {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Form of the output.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Info {
    /// The file.
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,
    /// Form of the output (csv: the row of `ls`).
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
    /// Only the layout of the bones of a SWAT 3 animation, in the form that --gsa-layout reads.
    #[arg(long)]
    pub(crate) layout: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Level {
    /// Everything, oddities without consequence included.
    Note,
    /// What readers may stumble over.
    Warning,
    /// What is plainly wrong.
    Error,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// The least grave findings to report.
    #[arg(long, value_enum, default_value_t = Level::Warning)]
    pub(crate) level: Level,
    /// Form of the output (table: a line for each finding).
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    /// Chunk headers.
    Chunks,
    /// Positions of an ActorX mesh.
    Points,
    /// Vertices of a Pyrogenesis mesh: position, normal, bones and weights.
    Vertices,
    /// Corners of faces: point, texture coordinate.
    Wedges,
    /// Triangles.
    Faces,
    /// Material slots.
    Materials,
    /// Bones with their bind pose.
    Bones,
    /// Which bones move which points.
    #[value(alias = "weights")]
    Influences,
    /// Vertex colours.
    #[value(alias = "colours")]
    Colors,
    /// Texture coordinates of all UV sets, or of one (--set).
    Uvs,
    /// Normals.
    Normals,
    /// Tangents.
    Tangents,
    /// Morph targets.
    Morphs,
    /// Deltas of all morph targets, or of one (--morph).
    Deltas,
    /// Attachment sockets.
    Sockets,
    /// Sequences of an animation.
    Sequences,
    /// Keys of all sequences, or of one (--sequence), of all bones or of one (--bone).
    Keys,
    /// Scale keys, chosen like keys.
    ScaleKeys,
    /// Blend-shape curves, of all sequences or of one (--sequence).
    Curves,
    /// Bone states of a Pyrogenesis animation, of all bones or of one (--bone).
    States,
    /// Prop points of a Pyrogenesis mesh.
    Props,
    /// Rotations of a SWAT 3 animation, of all animated bones or of one (--bone).
    Rotations,
    /// Frames of a SWAT 3 animation: origin, rotation, root offset and number of events.
    Frames,
    /// Events of a SWAT 3 animation.
    Events,
    /// What the side-car beside an animation says, bone by bone and sequence by sequence.
    SideCar,
}

#[derive(Debug, Args)]
pub(crate) struct Dump {
    /// The file.
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,
    /// The array.
    #[arg(long, value_enum)]
    pub(crate) what: What,
    /// Only this sequence: the first of this name, in any case.
    #[arg(long, value_name = "NAME")]
    pub(crate) sequence: Option<String>,
    /// Only this bone: its name in any case, or its index.
    #[arg(long, value_name = "NAME|INDEX")]
    pub(crate) bone: Option<String>,
    /// Only this UV set, counted from 0.
    #[arg(long, value_name = "N")]
    pub(crate) set: Option<usize>,
    /// Only this morph target: the first of this name, in any case.
    #[arg(long, value_name = "NAME")]
    pub(crate) morph: Option<String>,
    /// Form of the output.
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    pub(crate) format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NumberFormat {
    /// One JSON object.
    Json,
    /// Comma-separated values with a header.
    Csv,
    /// Little-endian floats and nothing else.
    F32,
}

#[derive(Debug, Args)]
pub(crate) struct Pose {
    /// The animation.
    #[arg(value_name = "PSA")]
    pub(crate) path: PathBuf,
    /// Time in milliseconds; may be given several times.
    #[arg(long, value_name = "MS", required = true, allow_negative_numbers = true)]
    pub(crate) at: Vec<f32>,
    /// Blend the last frame into the first. Without it the last frame stands still for its length; after that, time starts over in
    /// either case.
    #[arg(long = "loop")]
    pub(crate) looped: bool,
    /// Form of the output.
    #[arg(long, value_enum, default_value_t = NumberFormat::Json)]
    pub(crate) format: NumberFormat,
}

#[derive(Debug, Args)]
pub(crate) struct Skin {
    /// The mesh.
    #[arg(value_name = "PMD")]
    pub(crate) path: PathBuf,
    /// The animation.
    #[arg(long, value_name = "PSA")]
    pub(crate) anim: PathBuf,
    /// Time in milliseconds.
    #[arg(long, value_name = "MS", allow_negative_numbers = true)]
    pub(crate) at: f32,
    /// Blend the last frame into the first. Without it the last frame stands still for its length; after that, time starts over in
    /// either case.
    #[arg(long = "loop")]
    pub(crate) looped: bool,
    /// Form of the output.
    #[arg(long, value_enum, default_value_t = NumberFormat::Json)]
    pub(crate) format: NumberFormat,
}
