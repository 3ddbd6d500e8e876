//! The arguments of `convert` that say how a file is written.

use clap::{Args, ValueEnum};
use skelmap::model::Axis;
use skelmap_export::{Additive, Colors, ExportOptions, InfluenceCount};

use crate::arguments::{UNIT, metres};

/// How files are written.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "a flag each")]
pub(crate) struct Writing {
    /// How many metres one unit of an ActorX file is, which the file does not say. Games of Unreal Engine 3 to 5 use centimetres.
    #[arg(long, value_name = "METRES", default_value_t = UNIT, value_parser = metres, hide_short_help = true)]
    scale: f32,
    /// The axis of the file that points up, for models that lie on their back.
    #[arg(long, value_name = "AXIS", allow_hyphen_values = true, value_enum, hide_short_help = true)]
    up: Option<Up>,
    /// Turn the models around the axis that points up, counter-clockwise seen from above.
    #[arg(long, value_name = "DEGREES", allow_negative_numbers = true, default_value_t = 0.0, value_parser = degrees, hide_short_help = true)]
    yaw: f32,
    /// Influences for each vertex. With 4 instead of all, vertices of real files move by up to 7.4 mm.
    #[arg(long, value_name = "N", default_value = "4", value_parser = ["4", "8"], hide_short_help = true)]
    influences: String,
    /// Vertex colours: as masks, which viewers ignore, as paint, or none.
    #[arg(long, value_enum, default_value_t = VertexColors::Masks, hide_short_help = true)]
    colors: VertexColors,
    /// The most UV sets.
    #[arg(long, value_name = "N", default_value_t = 8, hide_short_help = true)]
    uv_sets: usize,
    /// Leave out morph targets.
    #[arg(long, hide_short_help = true)]
    no_morphs: bool,
    /// Leave out sockets and prop points.
    #[arg(long, hide_short_help = true)]
    no_attachments: bool,
    /// Close the loop of every animation: a last key repeats the first.
    #[arg(long = "loop", hide_short_help = true)]
    looped: bool,
    /// Write the rotations of keys in 16 bits for each component: half the size, wrong by less than 0.0001.
    #[arg(long, hide_short_help = true)]
    short_rotations: bool,
    /// What becomes of sequences that look additive: skip, or play them on the bind pose or on the first frame of SEQUENCE, with
    /// rotations added in the space of the parent bone (local) or of the mesh.
    #[arg(long, value_name = "skip|local|mesh[=SEQUENCE]", default_value = "skip", value_parser = additive, hide_short_help = true)]
    additive: (Additive, Option<String>),
}

/// An axis of a file, and its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Up {
    X,
    Y,
    Z,
    #[value(name = "-x")]
    MinusX,
    #[value(name = "-y")]
    MinusY,
    #[value(name = "-z")]
    MinusZ,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum VertexColors {
    Masks,
    Paint,
    None,
}

impl Writing {
    pub(super) fn to_options(&self) -> ExportOptions {
        let up = |up| match up {
            Up::X => (Axis::X, false),
            Up::Y => (Axis::Y, false),
            Up::Z => (Axis::Z, false),
            Up::MinusX => (Axis::X, true),
            Up::MinusY => (Axis::Y, true),
            Up::MinusZ => (Axis::Z, true),
        };
        let colors = match self.colors {
            VertexColors::Masks => Colors::Masks,
            VertexColors::Paint => Colors::Paint,
            VertexColors::None => Colors::None,
        };
        ExportOptions {
            metres: self.scale,
            up: self.up.map(up),
            yaw: self.yaw,
            influences: if self.influences == "8" { InfluenceCount::Eight } else { InfluenceCount::Four },
            colors,
            uv_sets: self.uv_sets,
            morphs: !self.no_morphs,
            attachments: !self.no_attachments,
            loops: self.looped,
            short_rotations: self.short_rotations,
            additive: self.additive.0,
        }
    }

    /// The name of the sequence that additive ones are played on.
    pub(super) fn additive_base(&self) -> Option<String> {
        self.additive.1.clone()
    }
}

fn degrees(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|degrees: &f32| degrees.is_finite()).ok_or_else(|| "expected a number".to_owned())
}

fn additive(text: &str) -> Result<(Additive, Option<String>), String> {
    let (kind, base) = text.split_once('=').map_or((text, None), |(kind, base)| (kind, Some(base.to_owned())));
    match (kind, base) {
        ("skip", None) => Ok((Additive::Skip, None)),
        ("local", base) => Ok((Additive::Local, base)),
        ("mesh", base) => Ok((Additive::Mesh, base)),
        _ => Err("expected skip, local, mesh, local=SEQUENCE or mesh=SEQUENCE".to_owned()),
    }
}
