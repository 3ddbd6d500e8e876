//! `skelmap convert`: meshes with their animations as glTF or OBJ.

mod converter;
mod hierarchy;
mod images;
pub(crate) mod jobs;
pub(crate) mod names;
mod near;
mod options;
mod output;
mod record;
mod rows;
mod target;
mod textures;

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use clap::error::ErrorKind;
use clap::{Args, Parser};
use skelmap_batch::catalogue::Shard;
use skelmap_batch::{Run, Watch};

use self::converter::Converter;
pub(crate) use self::converter::{Converted, Done, position};
use self::hierarchy::Skeletons;
use self::jobs::{Job, Joining, Unread, join, survey};
pub(crate) use self::names::stem;
use self::options::Writing;
use self::record::Record;
use self::rows::Tally;
pub(crate) use self::rows::fields;
use self::target::{Kind, Target};
use self::textures::Textures;
use crate::arguments::{CanPlay, Inputs, Parsing, bytes};
use crate::files::Source;
use crate::outcome::{Ended, Failure};
use crate::output::complain;
use crate::progress::Bar;
use crate::report::{self, Format, Report};
use crate::save::Work;
use crate::text::counted;
use crate::walking::Walking;

/// Convert meshes with their animations to glTF, or to OBJ.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
#[expect(clippy::struct_excessive_bools, reason = "a flag each")]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
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
    playing: CanPlay,
    #[command(flatten)]
    writing: Writing,
    /// Go on after a stop: keep what an earlier run has made of the same files with the same options, write the rest.
    #[arg(long)]
    resume: bool,
    /// The largest page (html): with more animations, it is refused (K, M, G: times 1024).
    #[arg(long, value_name = "BYTES", default_value = "64M", value_parser = bytes, hide_short_help = true)]
    max_size: u64,
    /// Replace outputs that exist.
    #[arg(long)]
    force: bool,
    /// Format of the report.
    #[arg(long, value_parser = report::formats(), default_value = "table")]
    format: Format,
}

const HELP: &str = "\
Examples:
  skelmap convert Fox.psk Fox.psa -o Fox.glb
  skelmap convert mods/ -o out/ --resume
  skelmap convert public.zip -o out/ --format jsonl > report.jsonl
  skelmap convert horse.pmd --anim animations/ -o horse.gltf
  skelmap convert Fox.psk Fox.psa -o walk.obj --sequence walk --frame 10

Each mesh gets the animations among PATH that can play on it, as `skelmap match --fits` decides. Bones with names (ActorX): nine tenths of \
the animation's bones are in the mesh (--min-bones says how many), or all of the mesh's in the animation. Bones of Pyrogenesis have no \
names: mesh and animation have the same number of bones, and the bones keep their distances; with several meshes and without --anim, an \
animation goes to the mesh whose name its own name begins with (horse.pmd, horse_gallop.psa). An animation that is left out, though its \
bones or the arguments point to the mesh, is in the notes of the output. The side-car (.config) beside an animation is applied. Animations of a family without a mesh among \
PATH are converted alone, to a skeleton with its motion; of SWAT 3, only rotations are known, and the bones stand at one place.

Textures are found by the names of materials, directly or by MATERIAL.mat, MESH.props.txt or MESH.uc: first in the folder of the mesh, \
then in the folders in it, then in those beside it, or in its archive. PNG and JPEG are embedded as they are, DDS, TGA and BMP as PNG.

Outputs lie in OUT as the meshes lie in PATH. Names that collide are numbered, which the report says. A file appears complete or not at \
all. OUT/.skelmap-convert.jsonl says what was made of what, for --resume. FBX and USD are not written.

Exit status: 0 all written or kept; 1 a file cannot be read, an output cannot be made, or an animation that the arguments name, also in a \
folder of --anim, cannot play on any mesh; 3 nothing could be read; 5 an output exists already or cannot be written, or none could be made.

JSON keys (schema 1): schema, path, entry, output, status (written, kept, skipped, failed), bytes, bones, triangles, animations, textures, \
dropped_triangles, unused_vertices, computed_normals, weaker_influences, dropped_influences, unweighted_points, clips_without_frames, \
clips_without_rate, clips_beyond_limits, dropped_morphs, additive_clips, unmatched_tracks, unmoved_bones, misplaced_bones, \
misplaced_attachments, cut_bones, notes, error.";

/// What a conversion says as it goes.
pub(crate) enum Event<'e> {
    Unread(&'e Unread),
    /// The outputs are known, and the first of them is about to be written. `is_silent`: standard output has the file.
    Begin {
        is_silent: bool,
    },
    Output(&'e Converted),
    /// Something that the arguments ask for and that is not there.
    Missing(String),
    /// An output could not be written: the disk is full, or the folder is read-only.
    Unwritable,
}

/// Takes what a conversion says.
pub(crate) type Listener<'l> = dyn FnMut(Event<'_>) -> io::Result<()> + Send + 'l;

pub(crate) fn run(arguments: &Convert, source: &Source) -> Ended {
    let is_seen = arguments.format == Format::Table && io::stdout().is_terminal();
    let (mut tally, mut report, mut silent) = (Tally::new(is_seen), None, false);
    let unused = convert(arguments, None, source, None, &mut |event| {
        match event {
            Event::Unread(unread) => tally.count_unread(unread),
            Event::Begin { is_silent } => {
                silent = is_silent;
                report = if silent { None } else { Some(report::print(fields(), arguments.format)?) };
            }
            Event::Output(row) => {
                tally.count(row, silent);
                report.as_mut().map_or(Ok(()), |report| report.row(row))?;
            }
            Event::Unwritable => tally.refuse(),
            Event::Missing(message) => {
                tally.fail();
                complain(message);
            }
        }
        Ok(())
    })?;
    report.map_or(Ok(()), Report::end)?;
    Ok(tally.outcome(unused, !arguments.anim.is_empty()))
}

/// Converts, and returns the number of animations that fit no mesh. `shard`: a part of the outputs. `watch`: shows no progress, and can be
/// stopped.
pub(crate) fn convert(
    arguments: &Convert,
    shard: Option<Shard>,
    source: &Source,
    watch: Option<&Watch>,
    listener: &mut Listener<'_>,
) -> Result<usize, Failure> {
    let target = Target::new(&arguments.output, arguments.to)?;
    if arguments.frame.is_some() && target.kind() != Kind::Obj {
        return Err(Failure::usage("--frame is for OBJ: glTF has all frames"));
    }
    if arguments.each_clip && !target.is_folder() {
        return Err(Failure::usage("--each-clip writes several files: name a folder with -o"));
    }
    if arguments.resume && !target.is_folder() {
        return Err(Failure::usage("--resume goes on in a folder of outputs: name a folder with -o"));
    }
    let textures = (!arguments.no_textures).then(|| Textures::new(source, &arguments.texture));
    let textures = textures.transpose().map_err(Failure::nothing_read)?;
    let skeletons = arguments.skeleton.as_deref().map(Skeletons::read).transpose()?;
    let sources = source.find(&arguments.inputs)?;
    let given = source.find_at(&arguments.anim, &arguments.inputs.walking)?;
    let (found, unread) = survey(&sources, &arguments.inputs.paths, arguments.inputs.jobs, source, watch)?;
    let (of_animations, unread_animations) = survey(&given, &arguments.anim, arguments.inputs.jobs, source, watch)?;
    for unread in unread.iter().chain(&unread_animations) {
        listener(Event::Unread(unread))?;
    }
    if !arguments.anim.is_empty() && of_animations.is_empty() {
        return Err(Failure::nothing_read("--anim: no animation can be read"));
    }
    let mut plan = join(&found, &of_animations, arguments.joining(), source)?;
    if plan.jobs.len() > 1 && !target.is_folder() {
        let files = counted(plan.jobs.len() as u64, "file");
        let alone = plan.jobs.iter().filter(|job| job.mesh().is_none()).map(|job| job.first().address()).next();
        let why = match alone.filter(|_| plan.jobs.iter().any(|job| job.mesh().is_some())) {
            Some(alone) => {
                format!(", because {alone} is an animation of another family than the mesh: leave it out, or")
            }
            None => ":".to_owned(),
        };
        return Err(Failure::usage(format!("{files} would be written{why} name a folder with -o")));
    }
    if let Some(shard) = shard {
        let mut is_kept = shard.choose(plan.jobs.iter().map(Job::size_hint).collect()).into_iter();
        plan.jobs.retain(|_| is_kept.next() == Some(true));
    }
    let record = match &target {
        Target::Folder(folder, _) => Some(Record::read(folder, shard)),
        Target::File(..) | Target::Stdout(_) => None,
    };
    let is_silent = matches!(target, Target::Stdout(_));
    let converter = Converter {
        source,
        options: arguments.writing.to_options(),
        inputs: &arguments.inputs.paths,
        target,
        textures,
        skeletons,
        sequences: arguments.sequence.clone(),
        frame: arguments.frame,
        each_clip: arguments.each_clip,
        resume: arguments.resume,
        force: arguments.force,
        is_unwritable: AtomicBool::default(),
        most_bytes: usize::try_from(arguments.max_size).unwrap_or(usize::MAX),
        work: Work::new(shard.map(|shard| shard.to_string()).unwrap_or_default().as_bytes()),
        record,
        arguments: format!("{} {:?}", arguments.for_record(), source.parse),
        additive_base: arguments.writing.additive_base(),
        found_sequences: Mutex::default(),
    };
    converter.remove_orphans(&plan.jobs);
    listener(Event::Begin { is_silent })?;
    let work = |job: &Job<'_>| converter.convert(job);
    let bar = Bar::default();
    let own = bar.watch();
    let run = Run { jobs: arguments.inputs.jobs, watch: Some(watch.unwrap_or(&own)) };
    run.jobs(&plan.jobs, work, |rows: Vec<Converted>| {
        bar.suspend(|| rows.iter().try_for_each(|row| listener(Event::Output(row))))
    })?;
    bar.finish();
    if converter.is_unwritable.into_inner() {
        listener(Event::Unwritable)?;
    }
    let unused_textures: Vec<String> = converter.textures.iter().flat_map(Textures::unused).map(Into::into).collect();
    let found = converter.found_sequences.into_inner().unwrap_or_else(PoisonError::into_inner);
    for sequence in arguments.sequence.iter().filter(|sequence| shard.is_none() && !found.contains(*sequence)) {
        listener(Event::Missing(format!("--sequence: no animation has a sequence {sequence}")))?;
    }
    for material in unused_textures.iter().filter(|_| shard.is_none()) {
        listener(Event::Missing(format!("--texture: no mesh has a material {material}")))?;
    }
    for (animation, why) in plan.refused.iter().filter(|_| shard.is_none()) {
        listener(Event::Missing(format!("{animation}: left out: {why}")))?;
    }
    Ok(plan.unused)
}

/// The arguments of the command without its name.
#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
struct Alone {
    #[command(flatten)]
    convert: Convert,
}

impl Convert {
    fn joining(&self) -> Joining<'_> {
        Joining { inputs: &self.inputs.paths, min_percent: self.playing.min_percent, jobs: self.inputs.jobs }
    }

    /// The arguments of another command that converts.
    pub(crate) fn of(options: Vec<OsString>, paths: &[PathBuf]) -> Result<Self, clap::Error> {
        let paths = paths.iter().map(Into::into);
        Ok(Alone::try_parse_from(options.into_iter().chain(["--".into()]).chain(paths))?.convert)
    }

    /// The arguments for a folder of outputs that may be repeated: what is there from the same files with the same options is kept.
    pub(crate) fn repeatable(
        folder: &Path,
        paths: &[PathBuf],
        options: &[OsString],
        jobs: Option<NonZeroUsize>,
    ) -> Result<Self, clap::Error> {
        let own = ["--resume", "--force", "--output"].map(OsString::from);
        let named = own.into_iter().chain([folder.into(), "--".into()]).chain(paths.iter().map(Into::into));
        let mut convert = Alone::try_parse_from(options.iter().cloned().chain(named))?.convert;
        if convert.inputs.parsing != Parsing::default() {
            return Err(clap::Error::raw(ErrorKind::UnknownArgument, "error: files are parsed as the work says"));
        }
        (convert.inputs.jobs, convert.inputs.walking) = (jobs, Walking::all());
        Ok(convert)
    }

    /// What outputs depend on beside their inputs.
    fn for_record(&self) -> String {
        let Self { sequence, frame, skeleton, texture, no_textures, writing, max_size, .. } = self;
        let skeleton =
            skeleton.as_ref().map(|path| (path, path.metadata().and_then(|metadata| metadata.modified()).ok()));
        let version = env!("CARGO_PKG_VERSION");
        format!("{version} {sequence:?} {frame:?} {skeleton:?} {texture:?} {no_textures} {writing:?} {max_size}")
    }
}
