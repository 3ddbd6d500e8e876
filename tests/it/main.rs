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

mod actorx;
mod pyrogenesis;
mod swat3;
mod ueformat;

mod agree;
mod archive;
mod corpus;
mod dependencies;
mod good;
#[cfg(unix)]
mod hazards;
mod mapping;
mod model;
mod plain;
// Some of the tests that it names are for Linux.
#[cfg(target_os = "linux")]
mod promises;
mod serialized;
mod sources;
mod windowed;
