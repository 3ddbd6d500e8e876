//! What the tests, the tests of the command and the fuzz targets have in common.
//!
//! The rooms of a family that all three use lie in its folder, beside its tests; `family.rs` there names them. A new family is that
//! folder, a `mod` line in `main.rs`, and two lines here: its module and its place in the list.

#![allow(dead_code, unused_imports, reason = "each of the three uses a part")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "tests cast small numbers they wrote themselves"
)]
#![allow(unreachable_pub, reason = "the fuzz targets are another crate")]

pub mod any_bytes;
pub mod build_zip;
pub mod built;
pub mod corpus;
pub mod family;
pub mod figure;
pub mod glb;
pub mod promises;
pub mod server;
pub mod shifted;
pub mod show;
#[cfg(unix)]
pub mod victim;
pub mod worst;

#[path = "../actorx/family.rs"]
pub mod actorx;
#[path = "../model/shared.rs"]
pub mod model;
#[path = "../pyrogenesis/family.rs"]
pub mod pyrogenesis;
#[path = "../swat3/family.rs"]
pub mod swat3;

use family::Family;

/// Every family that the library reads.
pub const FAMILIES: &[Family] = &[actorx::FAMILY, pyrogenesis::FAMILY, swat3::FAMILY];
