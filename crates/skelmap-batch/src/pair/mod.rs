//! Whether animations can play on meshes: what `match`, `convert`, `view` and `sheet` ask, with the same evidence.
//!
//! The rule is [`skelmap::Match::can_play`]; here is what it is asked about: meshes and animations with distances and lengths, and the
//! skeletons of mods.

mod lengths;
mod model;
mod skeletons;

pub use self::lengths::Stretch;
pub use self::model::{Differences, Model, Moves, Pair, Reparented, rank};
pub use self::skeletons::{Known, KnownError};
