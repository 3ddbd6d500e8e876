//! The input of the exporter: a mesh with its animations, or a skeleton with its motion.

use std::borrow::Cow;
use std::sync::Arc;

use skelmap::model::{Alpha, Binding, Clip, Mesh};
use skelmap::shared::to_usize;
use skelmap::{Asset, SectionRange};

/// The content of a file.
///
/// Without a mesh, the skeleton is that of the first animation. If only rotations are known (SWAT 3), all bones become nodes at
/// one position.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Document<'d> {
    /// The name of the mesh in glTF, and of its node; none if empty.
    pub name: String,
    /// The mesh.
    pub mesh: Option<Mesh<'d>>,
    /// The animations, in the order of the file.
    pub animations: Vec<Animation<'d>>,
    /// The clip whose first frame is the base of additive clips, if they are written. The default is the bind pose.
    pub additive_base: Option<Animation<'d>>,
    /// The images of the materials. Images without bytes are ignored.
    pub images: Vec<Image<'d>>,
    /// For each material of the mesh, the image with its colours: an index into [`images`](Document::images).
    pub textures: Vec<Option<usize>>,
    /// The level of detail of the mesh, for `extras`: 0 is the finest.
    pub level_of_detail: Option<u32>,
    /// What the alpha of the images means, if another file than the mesh says it.
    pub alpha: Option<Alpha>,
    /// Names and parents of the bones, if they are known from elsewhere: one for each bone, every parent before its children.
    /// The bones of Pyrogenesis then form a tree. Between keys, such a tree differs from the game, which interpolates in model
    /// space (median 1.9 mm, maximum 2.1 m in 554 animations).
    pub hierarchy: Vec<HierarchyBone>,
    /// Whether the animations play on other meshes too, whose bind poses may differ: they have a key for each part that a track has, also where
    /// that of this mesh is the same.
    pub is_shared: bool,
    /// The records of the mesh as its file stores them, for [`ExportOptions::exact`](crate::ExportOptions::exact).
    pub stored: Option<Stored<'d>>,
    /// Models at attachments of the mesh, which move with it. OBJ and pages leave them out.
    pub attached: Vec<Attached<'d>>,
}

/// A model at an attachment of another: a rider on a horse. Its animations play with those of the same name.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "made by callers")]
pub struct Attached<'d> {
    /// The name of the attachment.
    pub point: String,
    /// The name of the model.
    pub name: String,
    /// The model. What several attachments share is written once.
    pub document: Arc<Document<'d>>,
}

/// A clip for the output.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Animation<'d> {
    /// The clip.
    pub clip: Clip<'d>,
    /// Which track moves which bone of the mesh. Ignored without a mesh. Clips of one animation share it.
    pub binding: Arc<Binding>,
    /// The name in the output: that of the clip, or another one.
    pub name: String,
    /// More names: the output has the animation once for each, with the same keys.
    pub aliases: Vec<Alias>,
    /// Events at certain times, for `extras`.
    pub events: Vec<AnimationEvent>,
    /// Where the clip comes from, for `extras`.
    pub origin: Origin,
    /// The records of the clip as its file stores them, for [`ExportOptions::exact`](crate::ExportOptions::exact).
    pub stored: Option<Stored<'d>>,
}

/// The records of a file of Pyrogenesis as they are stored. glTF has normals and rotations of unit length, weights of sum 1, and texture coordinates from the top of the
/// image: numbers that do not become again what they were.
#[derive(Clone, Copy, Debug)]
pub struct Stored<'d> {
    /// Vertices of a mesh, states of an animation.
    pub(crate) records: &'d [u8],
    /// The bones of a mesh in their bind pose.
    pub(crate) bones: &'d [u8],
}

impl<'d> Stored<'d> {
    /// The records of a file; `None` for a family whose files are not written back byte by byte.
    pub fn of(asset: &Asset<'d>) -> Option<Self> {
        let bytes = asset.bytes();
        let part = |range: &SectionRange| {
            let end = range.offset.saturating_add(range.bytes);
            bytes.get(to_usize(range.offset)..to_usize(end)).unwrap_or_default()
        };
        match asset {
            Asset::PyrogenesisPmd(mesh) => {
                let [vertices, _, bones, _] = mesh.sections();
                Some(Self { records: part(&vertices), bones: part(&bones) })
            }
            Asset::PyrogenesisPsa(animation) => {
                let [_, states] = animation.sections();
                Some(Self { records: part(&states), bones: &[] })
            }
            _ => None,
        }
    }
}

/// Another name of an animation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "made by callers")]
pub struct Alias {
    /// The name in the output.
    pub name: String,
    /// The name under which a game plays it, in place of [`Origin::actions`].
    pub action: String,
}

/// Where an animation comes from. What is empty is not written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "made by callers")]
pub struct Origin {
    /// The name of the file.
    pub file: String,
    /// The name of the sequence in the file.
    pub sequence: String,
    /// The names under which a game plays it.
    pub actions: Vec<String>,
}

impl<'d> Animation<'d> {
    /// A clip with its own name and no events.
    pub fn new(clip: &Clip<'d>, binding: impl Into<Arc<Binding>>) -> Self {
        let name = clip.name().map(|name| name.to_string()).unwrap_or_default();
        let (aliases, events) = (Vec::new(), Vec::new());
        Self { clip: *clip, binding: binding.into(), name, aliases, events, origin: Origin::default(), stored: None }
    }

    /// A clip of a file without a mesh.
    pub fn of_clip(clip: &Clip<'d>) -> Self {
        Self::new(clip, Binding::default())
    }
}

/// An event in an animation, such as the start of a sound.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[expect(clippy::exhaustive_structs, reason = "two values from the caller")]
pub struct AnimationEvent {
    /// Seconds after the start.
    pub time: f64,
    /// The name of the event.
    pub name: String,
}

/// A texture.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "made by callers")]
pub struct Image<'d> {
    /// The name.
    pub name: String,
    /// The kind of the bytes.
    pub media_type: MediaType,
    /// The file.
    pub bytes: Cow<'d, [u8]>,
}

/// The kinds of images that glTF embeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "glTF 2.0 has these two")]
pub enum MediaType {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
}

impl MediaType {
    /// The type of a file with these first bytes; `None` for any other file.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => Some(Self::Png),
            [0xFF, 0xD8, 0xFF, ..] => Some(Self::Jpeg),
            _ => None,
        }
    }

    /// The usual extension of a file.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
        }
    }
}

/// The name and the parent of a bone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "two values from the caller")]
pub struct HierarchyBone {
    /// The name.
    pub name: String,
    /// The index of the parent, which is smaller than the bone's own; `None` for a root.
    pub parent: Option<usize>,
}

impl<'d> Document<'d> {
    /// A mesh without animations.
    pub fn of_mesh(mesh: &Mesh<'d>) -> Self {
        Self { mesh: Some(*mesh), ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use test_support::actorx::build::Mesh as Sheet;
    use test_support::pyrogenesis::build::{Pmd, Psa, State};

    /// A vertex has 52 bytes with one set of coordinates, and a bone 28.
    #[test]
    fn the_records_of_a_file_of_pyrogenesis_are_its_vertices_and_bones_or_its_states() {
        let pmd = Pmd::grid(3, 4, 5, 1);
        let built = pmd.build();
        let stored = Stored::of(&Asset::parse(&built.bytes).unwrap()).unwrap();
        let part = |start: &str, bytes: usize| built.bytes.get(built.offset(start)..).unwrap().get(..bytes).unwrap();
        assert_eq!(stored.bones, part("bind", 5 * State::SIZE));
        assert_eq!(stored.records, part("vertices", 12 * 52));

        let built = Psa::walk(3, 4).build();
        let stored = Stored::of(&Asset::parse(&built.bytes).unwrap()).unwrap();
        let states = built.bytes.get(built.offset("states")..).unwrap();
        assert_eq!((stored.records.len(), stored.records), (3 * 4 * State::SIZE, states));
        assert!(stored.bones.is_empty());

        let bytes: Vec<u8> = Sheet::sheet(3, 3, 1).chunks().into();
        assert!(Stored::of(&Asset::parse(&bytes).unwrap()).is_none());
    }
}
