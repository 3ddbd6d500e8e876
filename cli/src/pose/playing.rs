//! The arguments of `pose` and `skin`: which sequence, which times, which space.

use clap::Args;
use skelmap::model::{Mesh, Space};

use crate::arguments::{Parsing, UNIT, metres};
use crate::outcome::Failure;

/// The space of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum OutputSpace {
    /// As in the file.
    File,
    /// glTF: right-handed, y up, metres.
    Gltf,
    /// Unreal Engine: left-handed, z up, centimetres.
    Unreal,
}

impl OutputSpace {
    pub(super) const fn target(self) -> Option<Space> {
        match self {
            Self::File => None,
            Self::Gltf => Some(Space::GLTF),
            Self::Unreal => Some(Space::UNREAL),
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Gltf => "gltf",
            Self::Unreal => "unreal",
        }
    }
}

/// Which sequence, at which times, in which space.
#[derive(Debug, Args)]
pub(crate) struct Playing {
    /// The sequence of an animation that has several.
    #[arg(long, value_name = "NAME")]
    pub(super) sequence: Option<String>,
    /// Time in milliseconds; can be given several times.
    #[arg(long, value_name = "MS", allow_negative_numbers = true, value_parser = milliseconds)]
    pub(super) at: Vec<f32>,
    /// Frame, counted from 0; can be given several times.
    #[arg(long, value_name = "N")]
    pub(super) frame: Vec<usize>,
    /// Every frame.
    #[arg(long, conflicts_with_all = ["at", "frame"])]
    pub(super) all: bool,
    /// Blend the last frame into the first. Without it, the pose stays that of the last frame. (Pyrogenesis: for the length of one
    /// frame; then time starts again, as in the game.)
    #[arg(long = "loop")]
    pub(super) looped: bool,
    /// Space of the output.
    #[arg(long, value_enum, default_value_t = OutputSpace::File)]
    pub(super) space: OutputSpace,
    /// How many metres one unit of an ActorX file is, which the file does not say; for --space gltf and unreal.
    #[arg(long, value_name = "METRES", default_value_t = UNIT, value_parser = metres)]
    pub(super) scale: f32,
    #[command(flatten)]
    pub(crate) parsing: Parsing,
}

/// A time that can have a pose. The message has the number as it was given.
fn milliseconds(text: &str) -> Result<f32, String> {
    let ms: f32 = text.parse().map_err(|_| "expected a number".to_owned())?;
    let is_time = ms.is_finite() && ms >= 0.0;
    is_time.then_some(ms).ok_or_else(|| format!("there is no pose at {text} ms: expected a time from 0 to 3.4e38"))
}

impl Playing {
    pub(super) fn has_times(&self) -> bool {
        self.all || !self.at.is_empty() || !self.frame.is_empty()
    }

    pub(super) fn check_times(&self) -> Result<(), Failure> {
        if self.has_times() { Ok(()) } else { Err(Failure::usage("choose a time: --at MS, --frame N or --all")) }
    }

    /// A mesh in the space of the output.
    pub(super) fn placed<'m>(&self, mesh: &Mesh<'m>) -> Mesh<'m> {
        match self.space.target() {
            Some(space) if mesh.space().metres().is_none() => mesh.with_metres(self.scale).in_space(space),
            Some(space) => mesh.in_space(space),
            None => *mesh,
        }
    }
}
