//! How a file is written.

use skelmap::model::Axis;

/// How a mesh and its clips are written.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::exhaustive_structs, reason = "made by struct update from its default")]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct ExportOptions {
    /// Metres in a unit of files that do not say it: a centimetre by default.
    pub metres: f32,
    /// The axis of the file that points up, and whether it does so with its negative end. By default that of the family;
    /// some models lie on their back.
    pub up: Option<(Axis, bool)>,
    /// Degrees by which the model is turned around the axis that points up, counter-clockwise seen from above.
    pub yaw: f32,
    /// Influences for each vertex: 4 or 8. The strongest are kept.
    pub influences: InfluenceCount,
    /// What vertex colours are written as.
    pub colors: Colors,
    /// The most UV sets.
    pub uv_sets: usize,
    /// Whether morph targets are written.
    pub morphs: bool,
    /// Whether sockets and prop points are written, as nodes.
    pub attachments: bool,
    /// Whether a last key repeats the first, so that a loop closes.
    pub loops: bool,
    /// Whether rotations of keys are written in 16 bits for each component. They differ by less than 0.0001 from floats,
    /// and the keys take half of the room.
    pub short_rotations: bool,
    /// What becomes of clips that are played on top of another.
    pub additive: Additive,
}

/// The number of influences for each vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "one set of joints, or two")]
pub enum InfluenceCount {
    /// Four: every program reads them.
    Four,
    /// Eight, in two sets.
    Eight,
}

/// What vertex colours are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "there is no fourth way")]
pub enum Colors {
    /// As `_COLOR_0`, which viewers ignore: in 7 of 8 real files the colours are masks and not paint.
    Masks,
    /// As `COLOR_0`, which viewers multiply with the material.
    Paint,
    /// Not at all.
    None,
}

/// What becomes of clips that look additive: see [`Binding::is_additive`](skelmap::model::Binding::is_additive).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "Unreal Engine has these two kinds")]
pub enum Additive {
    /// They are left out: the file does not say of which kind they are.
    Skip,
    /// Rotations are added in the space of the parent bone.
    Local,
    /// Rotations are added in the space of the mesh.
    Mesh,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self {
            metres: 0.01,
            up: None,
            yaw: 0.0,
            influences: InfluenceCount::Four,
            colors: Colors::Masks,
            uv_sets: 8,
            morphs: true,
            attachments: true,
            loops: false,
            short_rotations: false,
            additive: Additive::Skip,
        }
    }
}
