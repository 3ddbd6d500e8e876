//! `skelmap convert`: arguments, and what the run says.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use clap::builder::{NonEmptyStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args};
use serde::{Deserialize, Serialize, Serializer};
use skelmap::archive::Address;
use skelmap_batch::Target;
use skelmap_batch::columns::name_of;
use skelmap_batch::convert::{
    AnimationFiles, Cause, Conversion, ConvertError, ConvertOptions, Converted, Done, Event, Kind, Missing, Replace,
    convert, fields,
};
use skelmap_batch::game::GameKind;
use skelmap_batch::pair::Level;
use skelmap_export::{Additive, ExportOptions};

use crate::arguments::{
    Inputs, MaxOutput, Members, Textures, UNIT, bytes, local, metres, needs, number, place, target,
};
use crate::files::{self, Source};
use crate::game::{self, Game, GameRun};
use crate::messages::{no_asset, summarize};
use crate::outcome::{Ended, Failure, Outcome, Unmade};
use crate::output::complain;
use crate::progress::Progress;
use crate::report::{self, Format, Report};
use crate::sink::{has_extension, is_stdout};
use crate::text::{counted, first_names, size};

/// Convert meshes with their animations to glTF or OBJ, and glTF to files of games.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
#[expect(clippy::struct_excessive_bools, reason = "a flag each")]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// The folder to write to; or a file in .glb, .gltf or .obj for one mesh; or - for standard output.
    #[arg(short, long, value_name = "OUT", value_parser = local())]
    output: PathBuf,
    /// The kind of the files [default: by the extension of OUT, else glb].
    #[arg(long, value_name = "KIND", value_parser = kinds())]
    to: Option<To>,
    /// The program that should read the outputs: 0ad, ut99, ut2004, udk, umodel, blender, bevy, godot, unity.
    ///
    /// Sets the kind, and what the program keeps. A file that it would refuse is not written; `skelmap check --for` says more.
    #[arg(long = "for", value_name = "TARGET", value_parser = target(), hide_possible_values = true)]
    target: Option<Target>,
    /// Animations for all meshes, in place of those among PATH: files, folders or archives; can be given several times.
    #[arg(long, value_name = "PATH", value_parser = place())]
    anim: Vec<PathBuf>,
    /// Only the sequence of this name; can be given several times.
    #[arg(long, value_name = "NAME")]
    sequence: Vec<String>,
    /// Write a file for each actor of 0 A.D. of this name, with its props, in place of each mesh; can be given several times: horse, 'athenians/*'.
    #[arg(long, value_name = "GLOB", value_parser = NonEmptyStringValueParser::new(), conflicts_with_all = ["anim", "each_clip", "frame", "glob", "exclude", "fits", "min_percent"])]
    actor: Vec<String>,
    /// Write a file for each actor.
    #[arg(
        long,
        conflicts_with_all = ["actor", "anim", "each_clip", "frame", "glob", "exclude", "fits", "min_percent"]
    )]
    actors: bool,
    /// The variant that actors show where they have one of this name; can be given several times.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    variant: Vec<String>,
    /// Write a file for each sequence: MESH@SEQUENCE.
    #[arg(long)]
    each_clip: bool,
    /// Where animations go that several meshes of one skeleton share: into the file of each, or into one file more for each skeleton
    /// (library), with the first of the meshes: `MESH_animations`.
    #[arg(long, value_name = "each|library", default_value = "each", value_parser = animation_files(), hide_short_help = true)]
    animations: AnimationFiles,
    /// The level of detail of meshes, counted from 0; the last one of a mesh with fewer. `skelmap info` lists them (UEFormat).
    #[arg(long, value_name = "N", default_value_t = 0, hide_short_help = true)]
    lod: usize,
    /// The frame of an OBJ, counted from 0 [default: the rest pose; with --each-clip the first frame].
    #[arg(long, value_name = "N")]
    frame: Option<usize>,
    /// A file of 0 A.D. with skeletons (art/skeletons/*.xml): Pyrogenesis bones get names and parents.
    ///
    /// From glTF, it says which bone each joint is. Can then be given several times, also with folders [default: the nearest art/skeletons].
    #[arg(long, value_name = "FILE")]
    skeleton: Vec<PathBuf>,
    #[command(flatten)]
    textures: Textures,
    /// A file with SEQUENCE=NAME in each line, for the names in the output; or a JSON object of these.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    rename: Option<PathBuf>,
    #[command(flatten)]
    playing: Members,
    #[command(flatten)]
    writing: Writing,
    #[command(flatten)]
    game: Game,
    /// Write nothing: list the outputs, and why each animation belongs to its mesh.
    ///
    /// All of it with --format json, and the bytes of the inputs. The run alone finds damage, limits that are passed, additive sequences, which it
    /// leaves out, and what --resume keeps; and it tells equal names of sequences apart.
    #[arg(long)]
    dry_run: bool,
    /// Go on after a stop: keep what an earlier run has made of the same files.
    ///
    /// With other options, and of files that have changed, outputs are written again.
    #[arg(long)]
    resume: bool,
    /// The largest page (html): with more animations, it is refused (K, M, G: times 1024).
    #[arg(long, value_name = "BYTES", default_value = "64M", value_parser = bytes, hide_short_help = true)]
    max_size: u64,
    #[command(flatten)]
    largest: MaxOutput,
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
  skelmap convert public.zip --actor 'athenians/*' -o out/
  skelmap convert Fox.psk Fox.psa -o walk.obj --sequence walk --frame 10
  skelmap convert horse.glb -o mymod/art/meshes/horse.pmd --new-actor

Each mesh gets the animations that belong to it: those that actors of 0 A.D. join with it, else those whose name is about it (skPigMesh, \
skPigAnims; horse, horse_gallop), where both share most bones. An animation without such a mesh goes, by the names of its bones, to the \
nearest meshes with the same skeleton, else to the mesh with the most of its bones. Without names of bones (0 A.D.), it goes to no mesh if there are several. --fits exact, fits or any gives each mesh more: `skelmap match \
--fits` tells what can play. A file that the arguments name, and that belongs to no other mesh, only needs to be able to play. With one \
file as OUT and one mesh that PATH names, the other PATHs are searched for its animations. Animations in one file have different names: \
the action in the game, the sequence, or FILE: SEQUENCE. An animation that is left out, though its \
bones or the arguments point to the mesh, is in the notes of the output. The side-car (.config) beside an animation is applied. Animations of a family without a mesh among \
PATH are converted alone, to a skeleton with its motion; of SWAT 3, only rotations are known, and the bones stand at one place.

Meshes of a mod of 0 A.D. wear the texture that the first actor gives them, have the names and parents of bones of the skeleton that fits, and \
play `Idle` first. With --actor, PATHs are mods (later ones hide the files of those before), and each actor is a file: of each group of \
variants the one of a name in --variant, else the first that has a frequency; with its props at their prop points, whose animations play with \
those of the same name. As in the game, props take the variants that were chosen for the model around, and are left out where the mesh has no \
such point. A material with alpha_blending (art/materials/) becomes a mask.

Textures are found by the names of materials, directly or by MATERIAL.mat, MATERIAL.json (FModel), MESH.props.txt or MESH.uc: first in the folder of the mesh, \
then in the folders in it, then in those beside it, or in its archive. PNG and JPEG are embedded as they are, DDS, TGA and BMP as PNG.

From glTF (.glb, .gltf) into 0 A.D.: a mesh (.pmd), its animations (.psa, in art/animation where OUT is in art/meshes) and, with --new-actor, an \
actor. The joints become the bones of the skeleton that has their names, of --skeleton or of the nearest art/skeletons. A rig made in Blender and \
a model that came from the game have different axes: --axes, --like or the directions of the bones tell which. Frames are 1/30 s; --frames says which \
of them are written. The report says what was cut, computed, renamed and dropped.

Outputs lie in OUT as the meshes lie in PATH. Names that collide are numbered, which the report says. A file appears complete or not at \
all. OUT/.skelmap-convert.jsonl says what was made of what, for --resume. FBX and USD are not written.

Exit status: 0 all written or kept; 1 a file cannot be read, an output cannot be made, or an animation that the arguments name, also in a \
folder of --anim, cannot play on any mesh; 3 nothing could be read; 5 an output exists already or cannot be written, or none could be \
made; 6 another run writes an output.

`skelmap columns convert` lists the columns and the keys of JSON.";

/// The kind of the files that are written.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(untagged)]
enum To {
    Gltf(Kind),
    Game(GameKind),
}

/// The kinds with their help.
fn kinds() -> impl TypedValueParser<Value = To> {
    let kinds = [
        PossibleValue::new("glb").help("Binary glTF: one file"),
        PossibleValue::new("gltf").help("glTF as JSON, with a .bin beside it"),
        PossibleValue::new("obj").help("Wavefront OBJ: a shape without bones"),
        PossibleValue::new("html").help("A page that plays the model in a browser: see `skelmap view`"),
        PossibleValue::new("pmd").help("From glTF: a mesh of 0 A.D., and its animations (.psa)"),
        PossibleValue::new("psk").help("From glTF: a mesh of ActorX with what games read, and its animations (.psa)"),
        PossibleValue::new("pskx").help("The same with normals, all UV sets and colours, for tools"),
    ];
    PossibleValuesParser::new(kinds).try_map(|name| serde_json::from_value(name.into()))
}

fn animation_files() -> impl TypedValueParser<Value = AnimationFiles> {
    PossibleValuesParser::new(["each", "library"]).try_map(|name| serde_json::from_value(name.into()))
}

impl Convert {
    fn to_options(&self) -> Result<ConvertOptions, Failure> {
        if !self.variant.is_empty() && self.actor.is_empty() && !self.actors {
            return Err(Failure::usage("--variant chooses what actors show: it needs --actor or --actors"));
        }
        let to = match self.to {
            Some(To::Gltf(kind)) => Some(kind),
            _ => None,
        };
        if self.skeleton.len() > 1 {
            return Err(Failure::usage("one --skeleton gives bones their names: several are for files of games"));
        }
        let mut gltf: ExportOptions =
            serde_json::to_value(&self.writing).and_then(serde_json::from_value).map_err(Failure::usage)?;
        if let Some(target) = self.target {
            target.adjust(&mut gltf);
        }
        Ok(ConvertOptions {
            to,
            sequences: self.sequence.clone(),
            actors: if self.actors { vec!["**".to_owned()] } else { self.actor.clone() },
            variants: self.variant.clone(),
            each_clip: self.each_clip,
            animation_files: self.animations,
            lod: self.lod,
            frame: self.frame,
            skeleton: self.skeleton.first().cloned(),
            rename: self.rename.clone(),
            fits: self.playing.fits,
            min_percent: self.playing.can_play.min_percent,
            max_bytes: self.max_size,
            max_output: self.largest.max_output,
            additive_base: self.writing.additive.1.clone(),
            gltf,
            ..self.textures.to_options()
        })
    }
}

impl Convert {
    /// Makes files of games. What says how glTF is written has no meaning there.
    fn run_game(&self, source: &Source) -> Ended {
        let mut given: ExportOptions =
            serde_json::to_value(&self.writing).and_then(serde_json::from_value).map_err(Failure::usage)?;
        // The unit has a meaning in both directions.
        given.metres = ExportOptions::default().metres;
        let is_default = given == ExportOptions::default();
        let to = match self.to {
            Some(To::Game(kind)) => Some(kind),
            Some(To::Gltf(_)) => {
                return Err(Failure::usage("--to: from glTF, files of games are made (pmd, psk, pskx)"));
            }
            None => None,
        };
        let for_gltf = [
            (!self.anim.is_empty(), "--anim"),
            (!self.actor.is_empty() || self.actors, "--actor"),
            (self.each_clip, "--each-clip"),
            (self.frame.is_some(), "--frame"),
            (self.lod != 0, "--lod"),
            (self.rename.is_some(), "--rename"),
            (self.dry_run, "--dry-run"),
            (!is_default, "the choices of how glTF is written (--yaw, --compact and their like)"),
            (self.playing.fits != Level::default(), "--fits"),
            (!self.variant.is_empty(), "--variant"),
            (self.animations != AnimationFiles::Each, "--animations"),
            (self.textures.to_options() != ConvertOptions::default(), "what is about textures"),
        ];
        if let Some((_, name)) = for_gltf.into_iter().find(|(is_given, _)| *is_given) {
            return Err(Failure::usage(format!("{name}: not for files of games, which are made from glTF")));
        }
        game::run(
            &GameRun {
                inputs: &self.inputs,
                output: &self.output,
                game: &self.game,
                skeletons: &self.skeleton,
                sequences: &self.sequence,
                to,
                target: self.target,
                metres: self.writing.metres,
                max_output: self.largest.max_output,
                force: self.force,
                resume: self.resume,
                format: self.format,
            },
            source,
        )
    }
}

pub(crate) fn run(arguments: &Convert, source: &Source) -> Ended {
    let to = match arguments.to {
        Some(To::Game(kind)) => Some(kind),
        _ => None,
    };
    let of_target = arguments.target.and_then(Target::kind).filter(|_| arguments.to.is_none());
    if game::is_asked(&arguments.inputs, &arguments.output, to.or(of_target)) {
        return arguments.run_game(source);
    }
    let is_seen = arguments.format == Format::Table && io::stdout().is_terminal();
    let is_file = || has_extension(&arguments.output, &["glb", "gltf", "obj", "html"]) && !arguments.output.is_dir();
    let is_of_one = is_stdout(&arguments.output) || is_file();
    let (mut tally, mut report, mut silent) =
        (OutputCounts { is_seen, is_of_one, ..OutputCounts::default() }, None, false);
    let (sources, given) = (
        files::find(source, &arguments.inputs)?,
        files::find_anim(source, &arguments.anim, &arguments.inputs.choosing)?,
    );
    let conversion = Conversion {
        paths: &arguments.inputs.paths,
        sources: &sources,
        animations: &arguments.anim,
        given: &given,
        output: &arguments.output,
        options: &arguments.to_options()?,
        jobs: arguments.inputs.jobs,
        dry_run: arguments.dry_run,
        resume: arguments.resume,
        replace: if arguments.force { Replace::Everything } else { Replace::Nothing },
        shard: None,
    };
    let is_glb = matches!(arguments.to, None | Some(To::Gltf(Kind::Glb)));
    if arguments.output == Path::new("-") && is_glb && io::stdout().is_terminal() {
        return Err(Failure::usage("standard output is a terminal: send a GLB to a file or to another program"));
    }
    let bar = Progress::of_run();
    let unused = convert(&conversion, source, Some(&bar.watch()), &mut |event| {
        bar.suspend(|| {
            match event {
                Event::Unread(unread) => {
                    complain(format!("{}: {}", unread.address, unread.message));
                    tally.failed += 1;
                    tally.unreadable += u64::from(unread.is_unreadable);
                }
                Event::Begin { is_silent } => {
                    silent = is_silent;
                    report = if silent { None } else { Some(report::print(fields(), arguments.format)?) };
                }
                Event::Output(row) => {
                    check_reader(row)?;
                    tally.count(row, silent);
                    report.as_mut().map_or(Ok(()), |report| report.row(row))?;
                }
                Event::Missing(_) | Event::NoOutput(_) | Event::Mod(..) => {
                    tally.failed += 1;
                    tell(&event);
                }
                _ => tell(&event),
            }
            Ok(())
        })
    })?;
    bar.finish_and_clear();
    report.map_or(Ok(()), Report::end)?;
    Ok(tally.outcome(&unused, arguments.playing.fits, !arguments.anim.is_empty()))
}

/// Ends a command whose output has no reader any more, as all commands end then.
pub(crate) fn check_reader(row: &Converted) -> io::Result<()> {
    let is_closed = row.done.as_ref().is_err_and(|error| error.cause == Cause::Closed);
    if is_closed { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
}

/// Says what is missing, in the words of the arguments.
pub(crate) fn tell(event: &Event<'_>) {
    match event {
        Event::Missing(missing @ Missing::Sequence(..)) => complain(format!("--sequence: {missing}")),
        Event::Missing(missing @ Missing::Renamed(..)) => complain(format!("--rename: {missing}")),
        Event::Missing(missing @ Missing::Folder(_)) => complain(format!("--texture-dir: {missing}")),
        Event::Missing(missing @ Missing::Materials(_)) => complain(format!("--texture, --texture-map: {missing}")),
        Event::Missing(missing @ Missing::Image(..)) => complain(format!("--texture: {missing}")),
        Event::Missing(missing) => complain(missing),
        Event::NoOutput(why) => complain(why),
        Event::Large { made, read } => {
            let sizes = format!("{} from {} of input", size(*made), size(*read));
            complain(format!("the outputs are made of {sizes}: many have the same files (--dry-run lists them)"));
        }
        Event::Mod(path, fault) => complain(format!("{}: {}", path.display(), fault.message)),
        _ => {}
    }
}

/// The errors of the engine in the words of the arguments.
impl From<ConvertError> for Failure {
    fn from(error: ConvertError) -> Self {
        match error {
            ConvertError::Io(error) => Self::Output(error),
            ConvertError::Skeletons { .. } => Self::findings(error),
            ConvertError::NoAnimation => Self::nothing_read(format!("--anim: {error}")),
            ConvertError::NotDecoded(path) => {
                let what = "images that are neither PNG nor JPEG need";
                Self::usage(format!("--texture {}: {}", path.display(), needs(what, "textures")))
            }
            ConvertError::Image { .. } => Self::nothing_read(format!("--texture {error}")),
            ConvertError::Actors(message) => Self::usage(format!("--actor: {message}")),
            error if error.is_unreadable() => Self::nothing_read(error),
            ConvertError::FrameOfMotion => Self::usage("--frame is for OBJ: glTF has all frames"),
            ConvertError::Library => Self::usage(format!("--animations library: {error}")),
            ConvertError::EachClipIntoFile => Self::usage("--each-clip writes several files: name a folder with -o"),
            ConvertError::ResumeOfFile => Self::usage("--resume goes on in a folder of outputs: name a folder with -o"),
            ConvertError::ManyIntoFile { alone: Some(_), .. } => {
                Self::usage(format!("{error}: leave it out, or name a folder with -o"))
            }
            ConvertError::ManyIntoFile { .. } => Self::usage(format!("{error}: name a folder with -o")),
            ConvertError::TwoFilesToStdout => Self::usage(format!("--to {error}")),
            ConvertError::OtherKind { path, to } => {
                let message = format!("--to {} asks for another kind of file than this name", to.extension());
                Self::usage(message).in_file(&path)
            }
            ConvertError::NoMesh => Self::usage("--anim is for meshes, but no mesh is given"),
            error => Self::usage(error),
        }
    }
}

/// How files are written, by the names that options have.
#[derive(Debug, Args, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "a flag each")]
struct Writing {
    /// How many metres one unit of an ActorX or UEFormat file is, which the file does not say. Games of Unreal Engine 3 to 5 use centimetres. All
    /// other files are in metres.
    #[arg(long = "scale", value_name = "METRES", default_value_t = UNIT, value_parser = metres, hide_short_help = true)]
    metres: f32,
    /// The axis of the file that points up, for models that lie on their back.
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true, value_parser = ["x", "y", "z", "-x", "-y", "-z"], hide_short_help = true)]
    up: Option<String>,
    /// Turn the models around the axis that points up, counter-clockwise seen from above.
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true, default_value_t = 0.0, value_parser = number("expected a number", |degrees: &f32| degrees.is_finite()), hide_short_help = true)]
    yaw: f32,
    /// Influences for each vertex. With 4 instead of all, vertices of real files move by up to 7.4 mm.
    #[arg(long, value_name = "N", default_value = "4", value_parser = PossibleValuesParser::new(["4", "8"]).map(|count| if count == "8" { 8_u8 } else { 4 }), hide_short_help = true)]
    influences: u8,
    /// The most joints of a skin, from 32: 256 for Bevy. A mesh whose skeleton has more is written as several, each with a skin of the joints that it needs.
    /// For GLB and glTF.
    #[arg(long, value_name = "N", value_parser = number("expected a number from 32 to 65535", |most: &u16| *most >= 32), hide_short_help = true)]
    max_joints: Option<u16>,
    /// Vertex colours: as masks, which viewers ignore, as paint, or none.
    #[arg(long, default_value = "masks", value_parser = ["masks", "paint", "none"], hide_short_help = true)]
    colors: String,
    /// The most UV sets.
    #[arg(long, value_name = "N", default_value_t = 8, hide_short_help = true)]
    uv_sets: usize,
    /// Write UV sets that no texture uses.
    #[arg(long, hide_short_help = true)]
    keep_unused: bool,
    /// Write triangles that use a vertex twice: nobody sees them, but the mesh can be written back as it was.
    #[arg(long, hide_short_help = true)]
    keep_degenerate: bool,
    /// Write the records of 0 A.D. files beside what glTF makes of them: written back, the files have the same bytes. Includes --keep-unused and --keep-degenerate.
    #[arg(long, hide_short_help = true)]
    exact: bool,
    /// Leave out keys for bones that a sequence neither moves nor places elsewhere than the bind pose: smaller, but programs that change from
    /// one sequence to another leave such bones where they are.
    #[arg(long, hide_short_help = true)]
    sparse: bool,
    /// Leave out morph targets.
    #[arg(long = "no-morphs", action = ArgAction::SetFalse, hide_short_help = true)]
    morphs: bool,
    /// Write the coarser levels of detail too, as nodes that a program can show in place of the mesh (`MSFT_lod`). Programs that do not know them
    /// show the finest, or that of --lod. For GLB and glTF (UEFormat).
    #[arg(long, hide_short_help = true)]
    levels: bool,
    /// Leave out sockets and prop points.
    #[arg(long = "no-attachments", action = ArgAction::SetFalse, hide_short_help = true)]
    attachments: bool,
    /// Close the loop of every animation: a last key repeats the first.
    #[arg(long = "loop", hide_short_help = true)]
    loops: bool,
    /// Write the rotations of keys in 16 bits for each component: half the size, wrong by less than 0.0001.
    #[arg(long, hide_short_help = true)]
    short_rotations: bool,
    /// Small files: vertices in 16 and 8 bits (`KHR_mesh_quantization`), and only the keys without which a vertex would move by more than
    /// --tolerance. The report has what was reached. For GLB and glTF.
    #[arg(long, hide_short_help = true)]
    compact: bool,
    /// The most that --compact moves a vertex, as a part of the model's size. The default is 0.1 mm of 1.8 m.
    #[arg(long, value_name = "PART", default_value_t = 1.0 / 18_000.0, value_parser = number("expected a number from 0", |part: &f32| part.is_finite() && *part >= 0.0), requires = "compact", hide_short_help = true)]
    tolerance: f32,
    /// What becomes of sequences that look additive: skip, or play them on the bind pose or on the first frame of SEQUENCE, with
    /// rotations added in the space of the parent bone (local) or of the mesh.
    #[arg(long, value_name = "skip|local|mesh[=SEQUENCE]", default_value = "skip", value_parser = additive, hide_short_help = true)]
    #[serde(serialize_with = "without_base")]
    additive: (Additive, Option<String>),
}

fn without_base<S: Serializer>((kind, _): &(Additive, Option<String>), serializer: S) -> Result<S::Ok, S::Error> {
    kind.serialize(serializer)
}

fn additive(text: &str) -> Result<(Additive, Option<String>), &'static str> {
    let (kind, base) = text.split_once('=').map_or((text, None), |(kind, base)| (kind, Some(base.to_owned())));
    match (kind, base) {
        ("skip", None) => Ok((Additive::Skip, None)),
        ("local", base) => Ok((Additive::Local, base)),
        ("mesh", base) => Ok((Additive::Mesh, base)),
        _ => Err("expected skip, local, mesh, local=SEQUENCE or mesh=SEQUENCE"),
    }
}

/// The numbers of files, for the last line and the exit status.
#[derive(Default)]
struct OutputCounts {
    written: u64,
    kept: u64,
    failed: u64,
    unreadable: u64,
    /// The animations in the outputs that were written, and 1 for an output that is kept.
    animations: u64,
    unmade: Unmade,
    /// The bytes of the inputs of outputs that would be written.
    planned: Option<u64>,
    /// Whether people see the rows, which have the errors.
    is_seen: bool,
    /// Whether there is one output, and not a folder of them.
    is_of_one: bool,
}

impl OutputCounts {
    /// `is_silent`: there is no report.
    fn count(&mut self, row: &Converted, is_silent: bool) {
        match &row.done {
            Ok(Done::Written(output)) => {
                self.written += 1;
                self.animations += output.report.animations as u64;
            }
            Ok(Done::Kept | Done::Skipped) => {
                self.kept += 1;
                self.animations += 1;
            }
            Ok(Done::Planned { bytes, animations }) => {
                self.written += 1;
                self.animations += *animations as u64;
                *self.planned.get_or_insert(0) += bytes;
            }
            Err(error) => {
                self.failed += 1;
                self.unmade.add(&row.address, error, self.is_seen);
            }
        }
        if is_silent && row.done.is_ok() {
            row.remarks().iter().for_each(|remark| complain(format!("{}: {remark}", row.address)));
        }
    }

    /// `unused`: animations that belong to no mesh. `is_asked`: the arguments name animations, of which one at least is expected.
    fn outcome(&self, unused: &[Address], level: Level, is_asked: bool) -> Outcome {
        let Self { written, kept, failed, unreadable, .. } = *self;
        let kept_text = if kept > 0 { format!(", {kept} kept or skipped") } else { String::new() };
        let verb = match self.planned {
            Some(bytes) => format!("to write, from {} of input", size(bytes)),
            None => "written".to_owned(),
        };
        summarize(format!("{} {verb}{kept_text}, {failed} failed", counted(written, "file")));
        self.unmade.tell(true);
        if self.unmade.has(Cause::Full) {
            let more = if self.is_of_one { "" } else { ": the run has stopped; --resume goes on" };
            complain(format!("the disk is full{more}"));
        }
        if !unused.is_empty() {
            let verb = if unused.len() == 1 { "belongs" } else { "belong" };
            let animations = counted(unused.len() as u64, "animation");
            let names = first_names(unused.iter().map(name_of), unused.len());
            let hint = match level {
                Level::Own | Level::Exact => {
                    " (--fits fits gives each mesh all that can play on it, --fits any all that share a bone with it)"
                }
                _ => "",
            };
            summarize(format!("{animations} {verb} to no mesh: {names}{hint}"));
        }
        match (written + kept, failed) {
            (0, failed) if failed == unreadable => {
                if failed == 0 {
                    complain(no_asset());
                }
                Outcome::NothingRead
            }
            _ if self.unmade.outcome() > Outcome::Findings => self.unmade.outcome(),
            (0, _) => Outcome::NotWritten,
            (_, 0) if !is_asked || self.animations > 0 => Outcome::Clean,
            _ => Outcome::Findings,
        }
    }
}
