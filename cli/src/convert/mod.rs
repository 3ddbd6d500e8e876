//! `skelmap convert`: meshes with their animations as glTF or OBJ.

mod hierarchy;
mod images;
mod jobs;
mod names;
mod options;
mod textures;
mod write;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::Args;
use skelmap::catalog::{SCHEMA, Sources};
use skelmap::gltf::Report as Loss;

use self::hierarchy::Skeletons;
use self::jobs::{Unread, join, survey};
use self::options::Writing;
use self::textures::Textures;
use self::write::{Converted, Converter, Done, Kind};
use crate::arguments::Inputs;
use crate::files::{self, Source};
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::complain;
use crate::report::{Cell, Field, Format, Look, Report, field, integer, text};
use crate::row::path_and_entry;
use crate::text::counted;

/// Convert meshes with their animations to glTF, or to OBJ.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
#[expect(clippy::struct_excessive_bools, reason = "a flag each")]
pub(crate) struct Convert {
    #[command(flatten)]
    inputs: Inputs,
    /// The folder to write to; or a file in .glb, .gltf or .obj for one mesh; or - for standard output.
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// The kind of the files [default: by the extension of OUT, else glb].
    #[arg(long, value_enum, value_name = "KIND")]
    to: Option<Kind>,
    /// Animations for all meshes, in place of those among PATH: files, folders or archives; can be given several times.
    #[arg(long, value_name = "PATH")]
    anim: Vec<PathBuf>,
    /// Only the sequence of this name; can be given several times.
    #[arg(long, value_name = "NAME")]
    sequence: Vec<String>,
    /// Write a file for each sequence: MESH@SEQUENCE.
    #[arg(long)]
    each_clip: bool,
    /// The frame of an OBJ, counted from 0 [default: the rest pose].
    #[arg(long, value_name = "N")]
    frame: Option<usize>,
    /// A file of 0 A.D. with standard skeletons (art/skeletons/*.xml): Pyrogenesis bones get names and parents.
    #[arg(long, value_name = "FILE")]
    skeleton: Option<PathBuf>,
    /// An image for all materials, or MATERIAL=IMAGE; can be given several times.
    #[arg(long, value_name = "IMAGE")]
    texture: Vec<String>,
    /// Leave out textures.
    #[arg(long, conflicts_with = "texture")]
    no_textures: bool,
    #[command(flatten)]
    writing: Writing,
    /// Keep outputs that are there and not older than their inputs.
    #[arg(long)]
    resume: bool,
    /// Replace outputs that exist.
    #[arg(long)]
    force: bool,
    /// Format of the report.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

const HELP: &str = "\
Examples:
  skelmap convert Fox.psk Fox.psa -o Fox.glb
  skelmap convert mods/ -o out/ --resume
  skelmap convert public.zip -o out/ --format jsonl > report.jsonl
  skelmap convert horse.pmd --anim animations/ -o horse.gltf
  skelmap convert Fox.psk Fox.psa -o walk.obj --sequence walk --frame 10

Each mesh gets the animations among PATH that fit it. Bones with names (ActorX) decide: nine tenths of the animation's bones are in the \
mesh, or all of the mesh's in the animation; of an animation that the arguments name, one bone. Bones of Pyrogenesis have no names: with several meshes, an animation goes to the mesh whose name its own name begins with (horse.pmd, horse_gallop.psa); with one mesh \
or with --anim, the number of bones decides. The side-car (.config) beside an animation is applied. Animations of a family without a mesh \
among PATH are converted alone, to a skeleton with its motion; of SWAT 3, only rotations are known, and the bones stand at one place.

Textures are found by the names of materials: images beside the mesh, in folders beside it or in its archive, directly or by \
MATERIAL.mat, MESH.props.txt or MESH.uc. PNG and JPEG are embedded as they are, DDS, TGA and BMP as PNG.

Outputs lie in OUT as the meshes lie in PATH. Names that collide are numbered, which the report says. A file appears complete or not at \
all. FBX and USD are not written.

JSON keys (schema 1): schema, path, entry, output, status (written, kept, failed), bytes, bones, triangles, animations, textures, \
dropped_triangles, unused_vertices, computed_normals, weaker_influences, clips_without_frames, clips_without_rate, additive_clips, \
unmatched_tracks, unmoved_bones, misplaced_bones, misplaced_attachments, cut_bones, notes, error.";

/// Where outputs go.
pub(crate) enum Target {
    Stdout(Kind),
    File(PathBuf, Kind),
    Folder(PathBuf, Kind),
}

impl Target {
    fn new(arguments: &Convert) -> Result<Self, Failure> {
        let output = arguments.output.as_path();
        if output == Path::new("-") {
            let kind = arguments.to.unwrap_or(Kind::Glb);
            if kind == Kind::Gltf {
                return Err(Failure::usage("--to gltf writes two files, and standard output is one: use glb"));
            }
            if io::stdout().is_terminal() && kind == Kind::Glb {
                return Err(Failure::usage(
                    "standard output is a terminal: send a GLB to a file or to another program",
                ));
            }
            return Ok(Self::Stdout(kind));
        }
        let extension = output.extension().unwrap_or_default().to_ascii_lowercase();
        let kinds = [Kind::Glb, Kind::Gltf, Kind::Obj];
        let named = kinds.into_iter().find(|kind| extension == kind.extension()).filter(|_| !output.is_dir());
        match (named, arguments.to) {
            (Some(named), Some(to)) if named != to => {
                let message = format!("--to {} asks for another kind of file than this name", to.extension());
                Err(Failure::usage(message).in_file(output))
            }
            (Some(named), _) => Ok(Self::File(output.to_owned(), named)),
            (None, to) => Ok(Self::Folder(output.to_owned(), to.unwrap_or(Kind::Glb))),
        }
    }

    const fn kind(&self) -> Kind {
        match self {
            Self::Stdout(kind) | Self::File(_, kind) | Self::Folder(_, kind) => *kind,
        }
    }

    /// The path of an output; `None` for standard output.
    fn path(&self, base: &Path) -> Option<PathBuf> {
        match self {
            Self::Stdout(_) => None,
            Self::File(path, _) => Some(path.clone()),
            Self::Folder(folder, kind) => {
                let mut path = folder.join(base).into_os_string();
                path.push(format!(".{}", kind.extension()));
                Some(path.into())
            }
        }
    }

    const fn is_folder(&self) -> bool {
        matches!(self, Self::Folder(..))
    }
}

pub(crate) fn run(arguments: &Convert, source: &Source) -> Ended {
    let target = Target::new(arguments)?;
    if arguments.frame.is_some() && target.kind() != Kind::Obj {
        return Err(Failure::usage("--frame is for OBJ: glTF has all frames"));
    }
    if arguments.each_clip && !target.is_folder() {
        return Err(Failure::usage("--each-clip writes several files: name a folder with -o"));
    }
    let skeletons = arguments.skeleton.as_deref().map(Skeletons::read).transpose()?;
    let (sources, given) =
        (source.find(&arguments.inputs), Sources::find(&arguments.anim, &source.opener, &source.limits));
    let (found, unread) = survey(&sources, arguments.inputs.jobs, source)?;
    let (of_animations, unread_animations) = survey(&given, arguments.inputs.jobs, source)?;
    let mut tally = Tally::default();
    for unread in unread.iter().chain(&unread_animations) {
        tally.count_unread(unread);
    }
    if !arguments.anim.is_empty() && of_animations.is_empty() {
        return Err(Failure::nothing_read("--anim: no animation can be read"));
    }
    let plan = join(&found, &of_animations, &arguments.inputs.paths, source)?;
    if plan.jobs.len() > 1 && !target.is_folder() {
        let meshes = counted(plan.jobs.len() as u64, "file");
        return Err(Failure::usage(format!("{meshes} would be written: name a folder with -o")));
    }
    let is_silent = matches!(target, Target::Stdout(_));
    let converter = Converter {
        source,
        options: arguments.writing.to_options(),
        target,
        textures: (!arguments.no_textures).then(|| Textures::new(source, &arguments.texture)),
        skeletons,
        sequences: arguments.sequence.clone(),
        frame: arguments.frame,
        each_clip: arguments.each_clip,
        resume: arguments.resume,
        force: arguments.force,
    };
    let mut report = if is_silent { None } else { Some(Report::new(fields(), arguments.format)?) };
    files::each_job(
        &plan.jobs,
        arguments.inputs.jobs,
        |job| converter.convert(job),
        |rows| {
            rows.into_iter().try_for_each(|row| {
                tally.count(&row, is_silent);
                report.as_mut().map_or(Ok(()), |report| report.row(&row))
            })
        },
    )?;
    report.map_or(Ok(()), Report::end)?;
    Ok(tally.outcome(plan.unused))
}

impl Converted {
    fn loss(&self) -> Option<&Loss> {
        match &self.done {
            Ok(Done::Written { report, .. }) => Some(report),
            _ => None,
        }
    }

    const fn status(&self) -> &'static str {
        match &self.done {
            Ok(Done::Kept) => "kept",
            Ok(Done::Written { .. }) => "written",
            Err(_) => "failed",
        }
    }

    fn bytes(&self) -> Option<u64> {
        match &self.done {
            Ok(Done::Written { bytes, .. }) => *bytes,
            _ => None,
        }
    }

    fn textures(&self) -> Option<usize> {
        match &self.done {
            Ok(Done::Written { textures, .. }) => Some(*textures),
            _ => None,
        }
    }

    /// What people should know: the error, or what was left out and found.
    fn remarks(&self) -> Vec<String> {
        let mut remarks: Vec<String> = match &self.done {
            Err(message) => vec![format!("ERROR {message}")],
            Ok(Done::Kept) => vec!["kept".to_owned()],
            Ok(Done::Written { .. }) => Vec::new(),
        };
        remarks.extend(self.notes.iter().cloned());
        let Some(loss) = self.loss() else { return remarks };
        let mut add = |count: usize, noun: &str, remark: &str| {
            if count > 0 {
                remarks.push(format!("{} {remark}", counted(count as u64, noun)));
            }
        };
        add(loss.additive_clips, "additive sequence", "(see --additive)");
        add(loss.clips_without_frames, "sequence", "without frames");
        add(loss.clips_without_rate, "sequence", "without a rate: 30 frames per second");
        add(loss.unmatched_tracks, "track", "without a bone");
        add(loss.unmoved_bones.min(if loss.animations > 0 { usize::MAX } else { 0 }), "bone", "without a track");
        add(loss.dropped_triangles, "triangle", "left out");
        add(loss.misplaced_bones, "bone", "without a place");
        add(loss.misplaced_attachments, "attachment", "without a place");
        add(loss.cut_bones, "bone", "in a circle of parents");
        remarks
    }
}

/// A column for a number of the report.
macro_rules! losses {
    ($($name:ident),+ $(,)?) => {
        [$(field(integer(stringify!($name)).data(), |row: &Converted| row.loss().map(|loss| loss.$name).into())),+]
    };
}

fn fields() -> Vec<Field<Converted>> {
    let mut fields = vec![
        field(integer("schema").json(), |_| SCHEMA.into()),
        field(text("path").data(), |row: &Converted| path_and_entry(&row.address).0.into()),
        field(text("entry").data(), |row| path_and_entry(&row.address).1.into()),
        field(text("status").data(), |row| row.status().into()),
        field(integer("bytes").titled("size").look(Look::Size), |row| row.bytes().into()),
        field(integer("bones"), |row| row.loss().map(|loss| loss.bones).into()),
        field(integer("triangles"), |row| row.loss().map(|loss| loss.triangles).into()),
        field(integer("animations"), |row| row.loss().map(|loss| loss.animations).into()),
        field(integer("textures"), |row| row.textures().into()),
    ];
    fields.extend(losses![
        dropped_triangles,
        unused_vertices,
        computed_normals,
        weaker_influences,
        clips_without_frames,
        clips_without_rate,
        additive_clips,
        unmatched_tracks,
        unmoved_bones,
        misplaced_bones,
        misplaced_attachments,
        cut_bones,
    ]);
    fields.push(field(text("output"), |row| row.output.as_ref().map(|path| path.display().to_string()).into()));
    fields.push(field(text("notes").json(), |row| Cell::list(|| row.notes.iter())));
    fields.push(field(text("notes").flat(), |row| row.notes.join("; ").into()));
    fields.push(field(text("error").data(), |row| row.done.as_ref().err().into()));
    fields.push(field(text("notes").table(), |row| row.remarks().join("; ").into()));
    fields
}

/// The numbers of files, for the last line and the exit status.
#[derive(Default)]
struct Tally {
    written: u64,
    kept: u64,
    failed: u64,
    unreadable: u64,
}

impl Tally {
    fn count_unread(&mut self, unread: &Unread) {
        complain(format!("{}: {}", unread.address, unread.message));
        self.failed += 1;
        self.unreadable += u64::from(unread.is_unreadable);
    }

    /// `is_silent`: there is no report.
    fn count(&mut self, row: &Converted, is_silent: bool) {
        match &row.done {
            Ok(Done::Written { .. }) => self.written += 1,
            Ok(Done::Kept) => self.kept += 1,
            Err(message) => {
                self.failed += 1;
                complain(format!("{}: {message}", row.address));
            }
        }
        if is_silent && row.done.is_ok() {
            row.remarks().iter().for_each(|remark| complain(format!("{}: {remark}", row.address)));
        }
    }

    fn outcome(&self, unused: usize) -> Outcome {
        let Self { written, kept, failed, unreadable } = *self;
        let kept_text = if kept > 0 { format!(", {kept} kept") } else { String::new() };
        complain(format!("{} written{kept_text}, {failed} failed", counted(written, "file")));
        if unused > 0 {
            let verb = if unused == 1 { "fits" } else { "fit" };
            complain(format!("{} {verb} no mesh (skelmap match says why)", counted(unused as u64, "animation")));
        }
        match (written + kept, failed) {
            (0, failed) if failed == unreadable => {
                if failed == 0 {
                    complain("no asset found");
                }
                Outcome::NothingRead
            }
            (_, 0) => Outcome::Clean,
            _ => Outcome::Findings,
        }
    }
}
