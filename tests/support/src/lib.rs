//! What the tests, the benchmarks and the fuzz targets of all packages share: builders of files, the corpus, second readers that share
//! no code with skelmap, and what holds for any bytes. Nothing here needs a crate that stands on the reader.
//!
//! Each family has a folder. A new family is that folder, and two lines here: its module and its place in the list.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "tests cast small numbers they wrote themselves"
)]
#![allow(
    missing_docs,
    missing_debug_implementations,
    clippy::missing_panics_doc,
    clippy::missing_errors_doc,
    reason = "a reader of these has the code at hand, and a panic is how a test fails"
)]
#![allow(clippy::float_cmp, reason = "what is read is what was written, to the bit")]

pub mod any_bytes;
pub mod build_glb;
pub mod build_zip;
pub mod built;
pub mod corpus;
pub mod family;
pub mod figure;
#[cfg(feature = "glb")]
pub mod glb;
pub mod promises;
pub mod server;
pub mod shifted;
pub mod show;
pub mod store;
#[cfg(unix)]
pub mod victim;
pub mod worst;

pub mod actorx;
pub mod model;
pub mod pyrogenesis;
pub mod swat3;
pub mod ueformat;

use family::Family;

/// Every family that the library reads.
pub const FAMILIES: &[Family] = &[actorx::FAMILY, pyrogenesis::FAMILY, swat3::FAMILY, ueformat::FAMILY];

/// A value with a change: options are made of their default.
pub fn with<T>(mut own: T, change: impl FnOnce(&mut T)) -> T {
    change(&mut own);
    own
}
