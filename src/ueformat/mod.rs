//! UEFormat: models (`.uemodel`), animations (`.ueanim`) and poses (`.uepose`) of CUE4Parse, FModel and FortnitePorting, versions 0 to 10.
//!
//! [`Model`], [`Animation`] and [`Pose`] are the views. Large lists (vertices, indices, weights, keys) are slices of the file. Bones, tracks
//! and materials have names of different lengths inside, so they are read one after the other. Values are as stored: from version 8 on
//! Unreal's own, left-handed and z up; before, y is negated.
//!
//! Most files are compressed. [`Mapping`](crate::mapping::Mapping) and [`Opener`](crate::mapping::Opener) unpack them (feature `archive`);
//! `unpack` does so for bytes in memory.
//!
//! No file of CUE4Parse itself was available for this module: the facts come from the source of its writers and readers, and the tests use
//! files of the format author's own library and of an own writer.
//!
//! The page [`format`](mod@format), the "UEFormat reference" of these docs, has all known facts about the formats.

mod animation;
mod check;
pub mod codes;
mod extent;
#[allow(clippy::doc_markdown, reason = "names of the format")]
#[doc = include_str!("../../docs/formats/ueformat.md")]
pub mod format {}
mod header;
mod items;
mod level;
mod model;
mod part;
mod pose;
mod quirks;
mod record;
mod source;
#[cfg(feature = "archive")]
mod unpack;

pub use animation::{Animation, AnimationLayout};
pub use header::Compression;
pub use model::{Level, Model, ModelLayout, Options};
pub use pose::{NamedPose, Pose, PoseLayout};
pub use record::{
    Bone, BoneTrack, ColorSet, Curve, CurveInfluence, CurveKey, Hull, Index, Influence, Material, Morph, MorphDelta,
    PoseBone, RotationKey, SignedNormal, Socket, UvSet, VectorKey, VirtualBone,
};
#[cfg(feature = "bytemuck")]
pub use record::{
    CurveInfluenceNative, CurveKeyNative, MorphDeltaNative, RotationKeyNative, SignedNormalNative, VectorKeyNative,
};
#[cfg(feature = "archive")]
pub use unpack::{is_compressed, unpack};

use crate::model::Owned;

/// An owned model; [`view`](Owned::view) gives the [`Model`].
pub type ModelBuf<B> = Owned<B, ModelLayout>;
/// An owned animation; [`view`](Owned::view) gives the [`Animation`].
pub type AnimationBuf<B> = Owned<B, AnimationLayout>;
/// An owned list of poses; [`view`](Owned::view) gives the [`Pose`].
pub type PoseBuf<B> = Owned<B, PoseLayout>;
