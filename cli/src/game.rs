//! `skelmap convert` into files of games: arguments, and what the run says.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde::de::DeserializeOwned;
use skelmap_batch::Target;
use skelmap_batch::convert::Cause;
use skelmap_batch::game::{
    GameError, GameFile, GameKind, GameOptions, Made, Making, fields, find, is_gltf, make, make_from_assets,
};
use skelmap_write::pyrogenesis::{Frames, JointAxes, UnknownBones};

use crate::arguments::{Inputs, place};
use crate::files::{self, Source};
use crate::messages::summarize;
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::complain;
use crate::progress::Progress;
use crate::report::{self, Format};
use crate::text::counted;

/// The heading of the options.
const GAMES: &str = "From glTF into games";

// The choices of files for games.
#[derive(Debug, Args)]
pub(crate) struct Game {
    /// Whose axes the joints of a glTF file have: a rig made in Blender, or a model that came from the game [default: as the file or --like tells].
    #[arg(long, value_name = "AXES", value_parser = axes(), help_heading = GAMES, hide_short_help = true)]
    axes: Option<JointAxes>,
    /// A mesh of the game with the same skeleton: it tells the axes of the joints.
    #[arg(long, value_name = "MESH", value_parser = place(), help_heading = GAMES, hide_short_help = true)]
    like: Option<PathBuf>,
    /// Bones are the joints in their own order: for a new creature, or where no file of skeletons has its names.
    #[arg(long, conflicts_with = "skeleton", help_heading = GAMES, hide_short_help = true)]
    joint_order: bool,
    /// What becomes of joints that the skeleton does not have.
    #[arg(long, value_name = "RULE", default_value = "parent", value_parser = unknown(), help_heading = GAMES, hide_short_help = true)]
    unknown: UnknownBones,
    /// The frames of animations with keys at frames 0 to N.
    #[arg(long, value_name = "FRAMES", default_value = "auto", value_parser = frames(), help_heading = GAMES, hide_short_help = true)]
    frames: Frames,
    /// The mesh node of a glTF file with several.
    #[arg(long, value_name = "NAME", help_heading = GAMES, hide_short_help = true)]
    object: Option<String>,
    /// Write an actor for each mesh: with its animations, in art/actors.
    #[arg(long, help_heading = GAMES, hide_short_help = true)]
    new_actor: bool,
    /// Name outputs as what the game made of its own sources (horse.dae.cached.pmd): they replace models of the game.
    #[arg(long, help_heading = GAMES, hide_short_help = true)]
    replaces: bool,
}

/// A value of an option, by its name.
fn named<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    values: impl Into<PossibleValuesParser>,
) -> impl TypedValueParser<Value = T> {
    values.into().try_map(|name| serde_json::from_value(name.into()))
}

fn axes() -> impl TypedValueParser<Value = JointAxes> {
    named(PossibleValuesParser::new([
        PossibleValue::new("blender").help("Bones along +y: a rig made in Blender"),
        PossibleValue::new("game").help("Those of the game: a model that came from it"),
    ]))
}

fn unknown() -> impl TypedValueParser<Value = UnknownBones> {
    named(PossibleValuesParser::new([
        PossibleValue::new("parent").help("The nearest joint above moves their vertices"),
        PossibleValue::new("drop").help("Their influence is lost, as in the game's own converter"),
        PossibleValue::new("refuse").help("An error"),
    ]))
}

fn frames() -> impl TypedValueParser<Value = Frames> {
    named(PossibleValuesParser::new([
        PossibleValue::new("auto").help("loop where the last is equal to the first, else all"),
        PossibleValue::new("all").help("0 to N"),
        PossibleValue::new("loop").help("0 to N - 1: the last repeats the first"),
        PossibleValue::new("engine").help("0 to N - 2, as the game's own converter"),
    ]))
}

/// What a run into games is made of.
pub(crate) struct GameRun<'r> {
    pub(crate) inputs: &'r Inputs,
    pub(crate) output: &'r Path,
    pub(crate) game: &'r Game,
    pub(crate) skeletons: &'r [PathBuf],
    pub(crate) sequences: &'r [String],
    pub(crate) to: Option<GameKind>,
    pub(crate) target: Option<Target>,
    pub(crate) metres: f32,
    pub(crate) max_output: Option<u64>,
    pub(crate) force: bool,
    pub(crate) resume: bool,
    pub(crate) format: Format,
}

/// Whether the arguments ask for files of games: the kind, the name of the output, or an input.
pub(crate) fn is_asked(inputs: &Inputs, output: &Path, to: Option<GameKind>) -> bool {
    to.is_some() || GameKind::of(output).is_some() || inputs.paths.iter().any(|path| is_gltf(path))
}

pub(crate) fn run(run: &GameRun<'_>, source: &Source) -> Ended {
    let game = run.game;
    let of_target = run.target.and_then(Target::kind);
    let kind = GameKind::of(run.output).or(run.to).or(of_target).unwrap_or(GameKind::Pmd);
    let of_pmd = [
        (game.new_actor, "--new-actor"),
        (game.replaces, "--replaces"),
        (game.joint_order, "--joint-order"),
        (game.like.is_some(), "--like"),
        (game.frames != Frames::default(), "--frames"),
        (game.unknown != UnknownBones::default(), "--unknown"),
        // It names the bones of files of 0 A.D. that become others.
        (!run.skeletons.is_empty() && run.inputs.paths.iter().all(|path| is_gltf(path)), "--skeleton"),
    ];
    if let Some((_, name)) = of_pmd.into_iter().find(|(is_given, _)| *is_given && kind != GameKind::Pmd) {
        return Err(Failure::usage(format!("{name} is for files of 0 A.D. (.pmd)")));
    }
    let options = GameOptions {
        to: run.to,
        target: run.target,
        metres: run.metres,
        max_output: run.max_output,
        skeletons: run.skeletons.to_vec(),
        joint_order: game.joint_order,
        axes: game.axes,
        like: game.like.clone(),
        unknown: game.unknown,
        frames: game.frames,
        object: game.object.clone(),
        sequences: run.sequences.to_vec(),
        new_actor: game.new_actor,
        replaces: game.replaces,
    };
    let making = Making {
        paths: &run.inputs.paths,
        walk: &run.inputs.choosing.walking.to_walk(),
        glob: &run.inputs.choosing.glob,
        output: run.output,
        options: &options,
        jobs: run.inputs.jobs,
        sources: &[],
        force: run.force,
        resume: run.resume,
    };
    let mut report = report::print(fields(), run.format)?;
    let mut counts = Counts::default();
    let bar = Progress::of_run();
    let mut tell = |file: &GameFile| {
        bar.suspend(|| {
            counts.count(file);
            report.row(file)
        })
    };
    let watch = bar.watch();
    let made = if find(&making)?.is_empty() {
        // Assets of another family: by way of glTF.
        let sources = files::find(source, run.inputs)?;
        make_from_assets(&making, &sources, source, Some(&watch), &mut tell)
    } else {
        make(&making, source, Some(&watch), &mut tell)
    };
    bar.finish_and_clear();
    report.end()?;
    made?;
    if !run.sequences.is_empty() && counts.animations == 0 && counts.failed == 0 {
        return Err(Failure::findings(format!("--sequence: no animation has the name {}", run.sequences.join(", "))));
    }
    Ok(counts.outcome())
}

/// The numbers of files, for the last line and the exit status.
#[derive(Default)]
struct Counts {
    meshes: u64,
    animations: u64,
    actors: u64,
    kept: u64,
    failed: u64,
    unread: u64,
    is_unwritten: bool,
    is_busy: bool,
}

/// The most errors that are told.
const MAX_TOLD: u64 = 20;

impl Counts {
    fn count(&mut self, file: &GameFile) {
        match &file.done {
            Ok((Made::Mesh(..) | Made::Psk(..), _)) => self.meshes += 1,
            Ok((Made::Animation(_) | Made::Psa(_), _)) => self.animations += 1,
            Ok((Made::Kept, _)) => self.kept += 1,
            Ok((_, _)) => self.actors += 1,
            Err(error) => {
                self.failed += 1;
                self.unread += u64::from(file.is_unread);
                self.is_unwritten |= error.cause != Cause::Content;
                self.is_busy |= error.cause == Cause::Busy;
                if self.failed <= MAX_TOLD {
                    complain(format!("{}: {error}", file.input.display()));
                }
            }
        }
    }

    fn outcome(&self) -> Outcome {
        let actors = if self.actors > 0 { format!(", {}", counted(self.actors, "actor")) } else { String::new() };
        let (meshes, animations) = (counted(self.meshes, "mesh"), counted(self.animations, "animation"));
        let kept = if self.kept > 0 { format!(", {} kept", counted(self.kept, "input")) } else { String::new() };
        summarize(format!("{meshes}, {animations}{actors} written{kept}, {} failed", self.failed));
        match (self.meshes, self.failed) {
            (_, 0) => Outcome::Clean,
            _ if self.is_busy => Outcome::Busy,
            _ if self.is_unwritten => Outcome::NotWritten,
            (0, failed) if failed == self.unread => Outcome::NothingRead,
            _ => Outcome::Findings,
        }
    }
}

/// The errors of the engine in the words of the arguments.
impl From<GameError> for Failure {
    fn from(error: GameError) -> Self {
        match error {
            GameError::Io(error) => Self::Output(error),
            GameError::Convert(error) => error.into(),
            GameError::ManyIntoFile { .. } => Self::usage(format!("{error} with -o")),
            error @ (GameError::Unread { .. } | GameError::NoInput) => Self::nothing_read(error),
            error => Self::usage(error),
        }
    }
}
