//! The integration tests: a module per behaviour, each test named after the sentence it proves.
//!
//! What is expected comes from the builder that wrote the file, from the naive reader, from the corpus manifest or from
//! another program's reader, never from the crate.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "tests cast small numbers they wrote themselves"
)]
#![allow(clippy::float_cmp, reason = "what is read is what was written, to the bit")]

mod naive;
mod support;

mod agree;
mod allocation;
#[cfg(feature = "std")]
#[cfg_attr(
    not(feature = "catalog"),
    allow(dead_code, unused_imports, reason = "`found` and the fuzz targets use all of it")
)]
mod any_bytes;
#[cfg(feature = "archive")]
mod archive;
#[cfg(feature = "std")]
mod bounds;
mod byte_changes;
#[cfg(feature = "cli")]
mod catalog;
mod chunks;
#[cfg(feature = "cli")]
mod cli;
mod corpus;
#[cfg(feature = "std")]
mod findings;
#[cfg(feature = "catalog")]
mod found;
#[cfg(all(feature = "mmap", unix))]
mod hazards;
mod hierarchy;
mod hostile;
#[cfg(feature = "std")]
mod mapping;
mod messages;
mod names;
#[cfg(feature = "bytemuck")]
mod native;
#[cfg(feature = "std")]
mod owned;
#[cfg(feature = "archive")]
mod plain;
mod property;
mod pyrogenesis;
mod quirks;
#[cfg(all(feature = "catalog", feature = "mmap"))]
mod real_archive;
mod samples;
mod sequences;
#[cfg(feature = "serde")]
mod serialized;
#[cfg(feature = "std")]
mod sidecar;
#[cfg(feature = "std")]
mod skinning;
mod swat3;
mod truncation;
mod unsafe_code;
// Needs what Linux has: `/proc`, `/dev/full`, limits that the shell sets, its words for errors.
#[cfg(all(feature = "cli", target_os = "linux"))]
mod world;
