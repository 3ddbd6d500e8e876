//! The arguments and the help texts.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

const AFTER_HELP: &str = "\
Data goes to standard output, everything else to standard error. Exit status: 0 clean, 1 findings or a bad file, 2 wrong usage, \
3 nothing could be read, 4 a mapped file was cut short by another program: what was printed is not all, 129, 130 or 143 \
stopped by SIGHUP, Ctrl-C or SIGTERM while a file was being written, of which nothing is left.

Examples:
  skelmap ls mods/                               what is in a folder, found by content
  skelmap info Grunt.psk                         chunks, bones, materials, quirks
  skelmap check --format jsonl art/ | jq .       findings, one JSON object a file
  skelmap dump Walk.psa --what keys --sequence Walk --bone Pelvis
  skelmap skin horse.pmd --anim gallop.psa --at 250 --loop --format csv
  skelmap match Grunt.psk animations/            which animations fit a mesh
  skelmap catalog mods/ -o assets.jsonl          a row for every asset, archives included
  skelmap gsa events SWAT3/                      every sound that animations start";

/// Reads skeletal meshes and animations in place: lists, describes, checks and dumps them.
#[derive(Debug, Parser)]
#[command(version, after_help = AFTER_HELP, max_term_width = 120)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) opening: Opening,
    /// Accept every Pyrogenesis file that the game accepts, and report what is odd about it, instead of only what its tools
    /// write.
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) engine: bool,
    /// Read the skeletons of SWAT 3 animations by the layout in this file, as `info --layout` prints it, instead of inferring it.
    #[arg(long, global = true, value_name = "FILE", help_heading = "Global options")]
    pub(crate) gsa_layout: Option<PathBuf>,
    /// Accept up to three zero bytes after the last frame of a SWAT 3 animation, and report them.
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) trailing_zeros: bool,
}

/// How files are opened.
#[derive(Debug, Args)]
pub(crate) struct Opening {
    /// Read files into memory instead of mapping large ones. Slower, but safe while other programs write to them: what is written to
    /// a mapped file is seen or not, and if one is cut short, this program ends with status 4, or by a signal where the system is not
    /// Linux.
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) no_map: bool,
    /// Map large files under a lease, so that other programs may write to them: they wait until this one has a copy (those that ask
    /// not to wait, as GNU truncate does, are told to try again). For that, it must not be stopped (Ctrl-Z) for longer than 45 seconds
    /// meanwhile. Files that cannot be leased are read: those of other users, those
    /// that are open for writing, those on network file systems, and all where the system is not Linux.
    #[arg(long, global = true, conflicts_with = "no_map", help_heading = "Global options")]
    pub(crate) lease: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List assets, a row each; folders are walked, files are told apart by content.
    #[command(after_help = "\
Examples:
  skelmap ls .
  skelmap ls --format csv mods/ > assets.csv
  skelmap ls public.zip
  skelmap ls --format jsonl art/ | jq 'select(.bones > 100) | .path'

In a folder, files of other kinds are passed over, unless their name ends in .psk, .pskx, .psa, .pmd or .gsa: then the row says \
why they cannot be read; files named .zip, .pyromod or .res that begin as archives do are opened as such. In an archive, entries are told by those names \
alone. A path named on the command line always gives a row; an entry of an archive is named like mod.zip!/art/x.psa.

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

A side-car (.config) beside an animation is checked too, and in an archive the checksum. Exit status 1 if anything is reported. JSON keys (schema 1): schema, \
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
    /// Write a row for every asset of files, folders and archives to one file: JSON lines, CSV or Parquet.
    #[command(after_help = "\
Examples:
  skelmap catalog public.zip -o assets.jsonl
  skelmap catalog mods/ -o assets.csv --per sequence
  skelmap catalog mods/ -o part-2.jsonl --shard 2/4
  skelmap catalog mods/ -o assets.jsonl --resume

A row has the keys of `skelmap ls --help`, and what tables are joined on: sequence_names, skeleton_hash (equal where the bones have the \
same names and parents in the same order) and content_hash (with --content-hash, which reads everything). With --per sequence an asset \
gives a row for each of its sequences, with sequence_index, sequence, sequence_frames, sequence_rate and sequence_duration_s, which are \
null for an asset without any; sequence_names is empty then. A file that cannot be read is a row with its error.

--shard I/N does the I-th of N parts of the work, which are about equal in bytes and together are everything; every machine must see \
the same files; a part may be nothing. The file appears when it is complete; until then it is FILE.part (FILE.HASH.part with --engine, \
--gsa-layout or --trailing-zeros), from which --resume goes on with the last asset in it, if the rows before are those of the first \
assets and made with the same options (not for Parquet, of which nothing is left when it is stopped). A FILE.part that is there is given \
up with --force only, and not while another run writes it.")]
    Catalog(Catalog),
    /// Extract assets and other files from an archive, below one folder.
    #[command(after_help = "\
Examples:
  skelmap extract public.zip -o out/
  skelmap extract public.zip 'art/animation/**/*.psa' -o out/
  skelmap extract public.zip -o out/ --resume

A pattern is matched against whole names: * does not cross /, ** does. Names that lead out of the folder are refused. Checksums are \
compared. A file that exists is kept, and an error, unless --force replaces it or, with --resume, its content is the same. A file \
appears complete or not at all: it is written beside its place as .skelmap-*.part and then renamed.")]
    Extract(Extract),
    /// Tell which animations fit a mesh: bones matched, missing and extra, and what that means.
    #[command(after_help = "\
Examples:
  skelmap match Grunt.psk Walk.psa
  skelmap match Grunt.psk animations/ --fits
  skelmap match public.zip!/art/meshes/skeletal/horse.dae.cached.pmd public.zip --fits --format csv

ActorX bones are matched by name, in any case and without blanks at the end; Pyrogenesis and SWAT 3 bones by their number, which is all \
that those games ask. missing: bones of the mesh that the animation does not move; extra: bones of the animation that the mesh does \
not have. verdict: exact, fits, in-part, hardly or not. JSON keys (schema 1): schema, path, entry, verdict, matched, missing, extra, \
reparented, by_name, percent_of_mesh, percent_of_animation, message.")]
    Match(Match),
    /// Write an archive that maps well: every entry stored, its data aligned.
    #[command(after_help = "\
Examples:
  skelmap pack mymod/ -o mymod.zip
  skelmap pack mymod/ -o mymod.pyromod --align 4096

The contents of a folder go to the root of the archive, in name order, with one and the same date, so that the same files always give \
the same archive. Any program that reads ZIP reads it. If a file cannot be packed, all such files are named and nothing is written. OUT \
appears complete or not at all: it is written beside it as .skelmap-*.part and then renamed.")]
    Pack(Pack),
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
path, entry, frame, time_s, kind, name, error. In JSON and CSV, a file that cannot be read gives a row with its error.")]
    Events(Events),
    /// Add, remove and rename events, convert between versions 4.1 and 4.2, keep some frames; write the result to another file.
    #[command(after_help = "\
Examples:
  skelmap gsa edit Reload.GSA -o New.GSA --add 11:itemsound=magout --add 19:itemsound=magin
  skelmap gsa edit Old.GSA -o New.GSA --to-version 4.2 --add 12:sound=cuff
  skelmap gsa edit Walk.GSA -o Quiet.GSA --remove 'sound=step' --remove 4:sound=cough
  skelmap gsa edit Walk.GSA -o New.GSA --rename sound=step sound=step_metal
  skelmap gsa edit Walk.GSA -o Still.GSA --from 3 --to 3

Frame numbers are those of the input, counted from 0. Events are named as in the file (itemsound=magout) or, where that is not \
UTF-8, as they are shown. Edits happen in this order: to version 4.2, remove, rename, add, keep, to version 4.1. What is not edited is \
written byte for byte. OUT appears complete or not at all: it is written beside it as .skelmap-*.part, read back and then renamed. A \
file that is replaced keeps its permissions, but not its owner, links and attributes.")]
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
pub(crate) enum CatalogFormat {
    /// One JSON object a line.
    Jsonl,
    /// Comma-separated values with a header.
    Csv,
    /// Apache Parquet, if this command was built with the feature `parquet`.
    Parquet,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Per {
    /// A row for each asset.
    Asset,
    /// A row for each sequence of each asset.
    Sequence,
}

#[derive(Debug, Args)]
pub(crate) struct Catalog {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// The file to write.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Form of the file [default: what its name ends in].
    #[arg(long, value_enum)]
    pub(crate) format: Option<CatalogFormat>,
    /// What a row is.
    #[arg(long, value_enum, default_value_t = Per::Asset)]
    pub(crate) per: Per,
    /// Do the I-th of N parts of the work.
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    pub(crate) shard: Option<Shard>,
    /// Go on where an earlier run was stopped.
    #[arg(long)]
    pub(crate) resume: bool,
    /// Hash the content of every asset.
    #[arg(long)]
    pub(crate) content_hash: bool,
    /// Replace FILE if it exists.
    #[arg(long)]
    pub(crate) force: bool,
}

/// The i-th of n parts, counted from 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shard {
    pub(crate) index: u64,
    pub(crate) count: u64,
}

fn parse_shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
    match parts {
        Some((index, count)) if (1..=count).contains(&index) => Ok(Shard { index, count }),
        _ => Err("expected I/N with I from 1 to N, such as 2/4".to_owned()),
    }
}

#[derive(Debug, Args)]
pub(crate) struct Extract {
    /// The archive.
    #[arg(value_name = "ARCHIVE")]
    pub(crate) path: PathBuf,
    /// Which entries [default: all].
    #[arg(value_name = "GLOB")]
    pub(crate) patterns: Vec<String>,
    /// The folder to write below.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Go on where an earlier run was stopped: a file that is there with the same content is taken for extracted.
    #[arg(long)]
    pub(crate) resume: bool,
    /// Replace files that exist.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Match {
    /// The mesh. For SWAT 3, whose meshes are not read, an animation that is known to fit.
    #[arg(value_name = "MESH")]
    pub(crate) mesh: PathBuf,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Only animations that fit: exact and fits.
    #[arg(long)]
    pub(crate) fits: bool,
    /// Form of the output.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct Pack {
    /// Files and folders.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// The archive to write.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Bytes of which the place of each entry's data is a multiple: a power of two up to 32768.
    #[arg(long, value_name = "BYTES", default_value_t = 64, value_parser = parse_alignment)]
    pub(crate) align: u16,
    /// Replace OUT if it exists.
    #[arg(long)]
    pub(crate) force: bool,
}

fn parse_alignment(text: &str) -> Result<u16, String> {
    let alignment = text.parse().ok().filter(|alignment: &u16| alignment.is_power_of_two());
    alignment.ok_or_else(|| "expected a power of two from 1 to 32768".to_owned())
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
    pub(crate) add: Vec<OsString>,
    /// Remove every event of this name, or that of one frame; may be given several times.
    #[arg(long, value_name = "[FRAME:]EVENT")]
    pub(crate) remove: Vec<OsString>,
    /// Remove all events.
    #[arg(long)]
    pub(crate) clear: bool,
    /// Give every event of the first name the second; may be given several times.
    #[arg(long, value_names = ["EVENT", "NEW"], num_args = 2)]
    pub(crate) rename: Vec<OsString>,
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
    /// Files, folders, archives, and entries of archives (`mod.zip!/art/x.psa`).
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
