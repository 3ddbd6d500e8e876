//! What the formats of all families have in common: layouts, summaries, rigs, and what is built on them.

mod head;
mod layout;
mod matching;
mod owned;
mod rig;

pub use head::Summary;
pub(crate) use head::{CodeSet, Head, read_part, read_span};
pub use layout::Layout;
pub(crate) use layout::{Description, Info};
pub use matching::{Match, Matcher, Verdict};
pub use owned::{Owned, ParseError};
pub(crate) use rig::{Rig, RigBone, RigRole};
