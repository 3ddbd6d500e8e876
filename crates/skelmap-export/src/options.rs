//! Export options.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use skelmap::model::{Axis, Part, VertexOptions};

/// Options for writing a mesh and its clips.
///
/// The fields have the same names elsewhere: in JSON, in Python, and with `-` for `_` in the command.
///
/// ```
/// use skelmap_export::{ExportOptions, InfluenceCount};
///
/// let options: ExportOptions = serde_json::from_str(r#"{"up": "-z", "influences": 8, "colors": "paint"}"#)?;
/// assert_eq!((options.influences, options.metres), (InfluenceCount::Eight, 0.01));
/// assert!(serde_json::from_str::<ExportOptions>(r#"{"colours": "paint"}"#).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "independent choices")]
pub struct ExportOptions {
    /// Metres in a unit, for files that do not state it: a centimetre by default.
    #[serde(deserialize_with = "length")]
    pub metres: f32,
    /// The up axis of the file, and whether its negative end points up. The default is that of the family;
    /// some models lie on their back.
    #[serde(with = "axis")]
    pub up: Option<(Axis, bool)>,
    /// Degrees by which the model is rotated about the up axis, counterclockwise seen from above.
    #[serde(deserialize_with = "degrees")]
    pub yaw: f32,
    /// Influences for each vertex: 4 or 8. The strongest are kept.
    pub influences: InfluenceCount,
    /// The most joints of a skin of a mesh, from 32 (smaller numbers count as 32): Bevy, for one, takes 256. A mesh whose skeleton has more is
    /// written as one or several, each with a skin of the joints that move its vertices; all bones stay nodes. The limit of morph targets is that
    /// of all meshes together.
    #[serde(deserialize_with = "joints")]
    pub max_joints: Option<u16>,
    /// The output of vertex colours.
    pub colors: Colors,
    /// The maximum number of UV sets.
    pub uv_sets: usize,
    /// Whether UV sets are written that no texture uses.
    pub keep_unused: bool,
    /// Whether triangles are written that use a vertex twice: nobody sees them, but the mesh can be written back as it was.
    pub keep_degenerate: bool,
    /// Whether the records of the file are written beside what glTF makes of them ([`Stored`](crate::Stored)), so that files of Pyrogenesis can be written back with
    /// the same bytes. Implies [`keep_unused`](Self::keep_unused) and [`keep_degenerate`](Self::keep_degenerate).
    pub exact: bool,
    /// Whether a clip has only keys for bones that it moves or places elsewhere than the bind pose. By default it has a key also for what other
    /// clips of the file move: programs that change clips leave such bones where they are.
    pub sparse: bool,
    /// Whether morph targets are written.
    pub morphs: bool,
    /// Whether the levels of detail behind that of the mesh are written too, as nodes that a program can show in its place (`MSFT_lod`): Babylon.js
    /// shows the coarsest while it loads the others, and programs that do not know the extension show the mesh alone. Only in glTF.
    pub levels: bool,
    /// Whether sockets and prop points are written, as nodes.
    pub attachments: bool,
    /// Whether a last key repeats the first one, so that a loop closes.
    pub loops: bool,
    /// Whether rotations are written in 16 bits for each component. They differ by less than 0.0001 from floats, and keys need
    /// half the space.
    pub short_rotations: bool,
    /// Whether vertices are written in 16 and 8 bits (`KHR_mesh_quantization`), and keys are left out that [`tolerance`] makes needless.
    ///
    /// [`tolerance`]: ExportOptions::tolerance
    pub compact: bool,
    /// The most that a compact file may move a vertex in any frame, as a part of the largest edge of the model's bounding box: by default
    /// 1/18,000, which is 0.1 mm of 1.8 m. [`ExportReport::skin_error`](crate::ExportReport::skin_error) has what was reached.
    #[serde(deserialize_with = "length")]
    pub tolerance: f32,
    /// The treatment of clips that are played on top of another.
    pub additive: Additive,
}

/// The number of influences for each vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
#[expect(clippy::exhaustive_enums, reason = "one set of joints, or two")]
pub enum InfluenceCount {
    /// Four: all programs read them.
    Four,
    /// Eight, in two sets.
    Eight,
}

/// The output of vertex colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::exhaustive_enums, reason = "there is no fourth way")]
pub enum Colors {
    /// As `_COLOR_0`, which viewers ignore: in 7 of 8 real files, the colours are masks and not paint.
    Masks,
    /// As `COLOR_0`, which viewers multiply with the material.
    Paint,
    /// Left out.
    None,
}

/// The treatment of clips that look additive: see [`Binding::is_additive`](skelmap::model::Binding::is_additive).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::exhaustive_enums, reason = "Unreal Engine has these two kinds")]
pub enum Additive {
    /// They are left out: the file does not state their kind.
    Skip,
    /// Rotations are added in the space of the parent bone.
    Local,
    /// Rotations are added in the space of the mesh.
    Mesh,
}

impl Additive {
    /// The name in options, and in `extras` of clips that are played on a base.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Skip => "skip",
            Self::Local => "local",
            Self::Mesh => "mesh",
        }
    }
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self {
            metres: 0.01,
            up: None,
            yaw: 0.0,
            influences: InfluenceCount::Four,
            max_joints: None,
            colors: Colors::Masks,
            uv_sets: 8,
            keep_unused: false,
            keep_degenerate: false,
            exact: false,
            sparse: false,
            morphs: true,
            levels: false,
            attachments: true,
            loops: false,
            short_rotations: false,
            compact: false,
            tolerance: 1.0 / 18_000.0,
            additive: Additive::Skip,
        }
    }
}

impl ExportOptions {
    /// Whether the keys of a part are 16 bits.
    pub(crate) fn is_short(&self, part: Part) -> bool {
        self.short_rotations && part == Part::Rotation
    }
}

impl TryFrom<u8> for InfluenceCount {
    type Error = &'static str;

    fn try_from(count: u8) -> Result<Self, Self::Error> {
        match count {
            4 => Ok(Self::Four),
            8 => Ok(Self::Eight),
            _ => Err("expected 4 or 8"),
        }
    }
}

impl From<InfluenceCount> for u8 {
    fn from(influences: InfluenceCount) -> Self {
        match influences {
            InfluenceCount::Four => 4,
            InfluenceCount::Eight => 8,
        }
    }
}

fn length<'de, D: Deserializer<'de>>(from: D) -> Result<f32, D::Error> {
    let metres = f32::deserialize(from)?;
    if metres.is_finite() && metres > 0.0 { Ok(metres) } else { Err(D::Error::custom("expected a number above 0")) }
}

fn degrees<'de, D: Deserializer<'de>>(from: D) -> Result<f32, D::Error> {
    let degrees = f32::deserialize(from)?;
    if degrees.is_finite() { Ok(degrees) } else { Err(D::Error::custom("expected a number")) }
}

fn joints<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u16>, D::Error> {
    let most = Option::<u16>::deserialize(from)?;
    if most.is_none_or(|most| most >= VertexOptions::MIN_JOINTS) {
        Ok(most)
    } else {
        Err(D::Error::custom("expected a number from 32"))
    }
}

/// An axis and its direction as text: `z` or `-z`.
mod axis {
    use super::{Axis, Deserialize, Deserializer, Serialize, Serializer};
    use serde::de::Error as _;

    const AXES: [(Axis, bool); 6] =
        [(Axis::X, false), (Axis::Y, false), (Axis::Z, false), (Axis::X, true), (Axis::Y, true), (Axis::Z, true)];
    const NAMES: &[&str] = &["x", "y", "z", "-x", "-y", "-z"];

    #[expect(clippy::ref_option, clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(super) fn serialize<S: Serializer>(axis: &Option<(Axis, bool)>, to: S) -> Result<S::Ok, S::Error> {
        let name = AXES.iter().zip(NAMES).find(|(own, _)| Some(**own) == *axis).map(|(_, name)| name);
        name.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<(Axis, bool)>, D::Error> {
        let Some(name) = Option::<String>::deserialize(from)? else { return Ok(None) };
        let axis = AXES.iter().zip(NAMES).find(|(_, own)| **own == name).map(|(axis, _)| *axis);
        axis.map(Some).ok_or_else(|| D::Error::unknown_variant(&name, NAMES))
    }
}
