//! SWAT 3: animations (`.gsa`, versions 4.1 and 4.2).
//!
//! [`Gsa`] is the view. No real file was available for this module: the facts come from the only public description of the
//! format and from arithmetic, and the tests use files made from that description. The sizes and the order of the sections are
//! certain. The format of the skeleton is unknown: a search finds its end, and its content is bytes, or bones by a layout that
//! is [inferred](Gsa::infer_layout) or [given](BoneLayout). Values are as stored.
//!
//! The page [`format`](mod@format), the "SWAT 3 reference" of these docs, has all known facts about the format.

mod bones;
mod check;
pub mod codes;
mod event;
#[allow(clippy::doc_markdown, reason = "names of the format")]
#[doc = include_str!("../../docs/formats/swat3.md")]
pub mod format {}
mod frame;
mod gsa;
mod header;
mod infer;
mod model;
mod options;
mod record;
mod search;

pub use bones::{Bone, BoneLayout, Bones, Field, LayoutError, NameForm};
pub use event::{Event, EventKind, Events, is_event_name};
pub use frame::{Frame, FrameIndex, Frames, RotationTrack};
pub use gsa::{Gsa, GsaLayout, PLAYBACK_FPS};
pub use infer::{Inference, NotInferred};
pub use options::{GsaVersion, Options, SkeletonOption, Uniqueness};
pub use record::{BoneId, FrameHead, Quat};

/// An owned animation, with an index if its frames differ in length; [`view`](crate::Owned::view) gives the [`Gsa`].
pub type GsaBuf<B> = crate::model::Owned<B, GsaLayout>;
