//! The plan of a file: its models, the JSON, and the pieces of the binary buffer in order.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::sync::Arc;

use skelmap::model::maths::Rotation;
use skelmap::model::{Binding, Clip, Mesh, Part, Transform};

use crate::compact::Cube;
use crate::document::Document;
use crate::json::{self, Root};
use crate::motion::{Base, Channel, Keys};
use crate::options::ExportOptions;
use crate::reduce::Reach;
use crate::report::ExportReport;
use crate::rig::Rig;

/// A clip in the output.
pub(crate) struct Written<'p> {
    pub(crate) clip: Clip<'p>,
    /// The offsets of its tracks, where they lie one after the other.
    pub(crate) starts: Vec<u32>,
    pub(crate) binding: Arc<Binding>,
    pub(crate) is_additive: bool,
}

impl Written<'_> {
    /// The clip with access to its tracks by index.
    pub(crate) fn listed(&self) -> Clip<'_> {
        self.clip.listed(&self.starts)
    }
}

/// The whole output.
pub(crate) struct Plan<'p> {
    pub(crate) options: &'p ExportOptions,
    pub(crate) models: Vec<Model<'p>>,
    pub(crate) report: ExportReport,
    pub(crate) root: Root,
    pub(crate) pieces: Vec<Piece<'p>>,
    pub(crate) length: u64,
    pub(crate) known: Known,
    /// Animations by their names in lower case.
    pub(crate) names: HashMap<String, usize>,
    /// Of the limits of the file.
    pub(crate) spent: Spent,
}

/// What animations have taken of the limits of a file.
#[derive(Clone, Copy, Default)]
pub(crate) struct Spent {
    /// Keys that were read.
    pub(crate) keys: u64,
    /// Keys of which some may be left out.
    pub(crate) reduced: usize,
    /// Frames in lists of those that have a key.
    pub(crate) frames: usize,
    /// Channels that were prepared, and those of models wherever they are.
    pub(crate) channels: usize,
    pub(crate) placed: usize,
}

/// A model. Its nodes are added wherever it is.
pub(crate) struct Model<'p> {
    pub(crate) document: &'p Document<'p>,
    /// In the space of glTF.
    pub(crate) mesh: Option<Mesh<'p>>,
    pub(crate) rig: Rig,
    pub(crate) clips: Vec<Written<'p>>,
    pub(crate) base: Option<Base>,
    pub(crate) report: ExportReport,
    /// The rotation of the model.
    pub(crate) turn: Rotation,
    /// Whether a vertex is bound to the model itself.
    pub(crate) has_model_joint: bool,
    /// The shape of the mesh, and those of its coarser levels of detail, of one mesh each.
    pub(crate) shape: Shape,
    pub(crate) coarser: Vec<Shape>,
    /// What the bones move, if keys are left out.
    pub(crate) reach: Option<Reach>,
    pub(crate) points: Vec<Point>,
    pub(crate) motions: Vec<Played>,
}

/// A mesh at one level of detail.
#[derive(Default)]
pub(crate) struct Shape {
    /// The indices of the meshes: one for each skin, or one without a skin.
    pub(crate) meshes: Vec<u32>,
    /// The skins; none if the places of the bones are not known.
    pub(crate) skins: Vec<Skin>,
    /// The cube around the vertices, if they are stored in small numbers.
    pub(crate) cube: Option<Cube>,
}

/// A skin: the accessor of its inverse bind matrices, and its joints.
pub(crate) struct Skin {
    pub(crate) inverse_bind: u32,
    /// Numbers of bones; the number after the last bone is the model.
    pub(crate) joints: Vec<usize>,
}

/// An attachment: its name, its bone and its node.
pub(crate) struct Point {
    pub(crate) name: String,
    pub(crate) bone: Option<usize>,
    pub(crate) place: Transform,
    /// The name of the node.
    pub(crate) own_name: String,
    /// In the space of the file.
    pub(crate) stored: Transform,
}

/// An animation of a model, for the nodes of the model wherever it is: the bone and the part of each channel.
pub(crate) struct Played {
    pub(crate) name: String,
    pub(crate) extras: Option<json::AnimationExtras>,
    pub(crate) samplers: Vec<json::Sampler>,
    pub(crate) channels: Vec<(usize, Part)>,
}

/// A part of the binary buffer.
#[derive(Debug)]
pub(crate) enum Piece<'p> {
    Bytes(Cow<'p, [u8]>),
    /// Times of keys.
    Times {
        keys: Keys,
        count: usize,
        rate: f64,
    },
    /// A value, so many times.
    Constant {
        part: Part,
        value: [f32; 4],
        count: usize,
    },
    /// The keys of a channel of a model: one for each frame, or those of some frames.
    Values {
        model: usize,
        clip: usize,
        channel: Channel,
        frames: Option<Vec<u32>>,
    },
}

/// What a view is used for. glTF asks for a view of its own for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Use {
    /// Vertices of so many bytes.
    Vertices(u32),
    Indices,
    InverseBind,
    Morph,
    Image,
    Keys,
    /// The records of a file.
    Stored,
}

/// A view that grows until it is closed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    pub(crate) index: u32,
    pub(crate) start: u64,
    pub(crate) of: Use,
}

/// Where a content is: the view, and the bytes before it.
pub(crate) type Place = (u32, u64);

/// What is stored, by its digest. The hasher has secret keys, so that no file is made to collide with another content.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) hasher: RandomState,
    pub(crate) pieces: HashMap<(Use, u128), Place>,
    /// The digests of what is known of pieces before all of their content is read, and the first piece of each: its index and its place, as
    /// long as nothing else had the digest.
    pub(crate) samples: HashMap<(Use, u128), Option<(usize, Place)>>,
    pub(crate) objects: HashMap<(&'static str, u128), u32>,
    /// The JSON of the last object.
    pub(crate) json: Vec<u8>,
}
