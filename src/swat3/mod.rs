//! SWAT 3: animations (`.gsa`, versions 4.1 and 4.2), although the layout of one section is not known.
//!
//! [`Gsa`] is the way in. No real file was at hand when this was written: what is known comes from the one public description of
//! the format and from arithmetic, and the tests run on files made by that description. What holds for certain are the sizes and
//! the order of the sections; the place where the skeleton ends is found by proof; the skeleton itself is handed out as bytes,
//! and as bones where a layout is [inferred](Gsa::infer_layout) or [given](BoneLayout). Values are as stored.

#[cfg(feature = "std")]
mod check;
#[cfg(feature = "std")]
pub mod edit;
mod event;
mod frame;
mod gsa;
mod infer;
mod record;
mod search;
mod skeleton;

pub use event::{Event, EventKind, Events, is_event_name};
#[cfg(feature = "std")]
pub use frame::FrameIndex;
pub use frame::{Frame, Frames, RotationTrack};
#[cfg(feature = "std")]
pub use gsa::GsaLayout;
pub use gsa::{Gsa, GsaVersion, Options, PLAYBACK_FPS, SkeletonOption, Uniqueness};
pub use infer::{Inference, NotInferred};
pub use record::{BoneId, FrameHead, Quat};
pub use skeleton::{Bone, BoneLayout, Bones, Field, LayoutError, NameForm, Skeleton};
