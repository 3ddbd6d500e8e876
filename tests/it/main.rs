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
mod any_bytes;
mod archive;
mod bounds;
mod byte_changes;
mod chunks;
mod corpus;
mod findings;
mod found;
#[cfg(unix)]
mod hazards;
mod hierarchy;
mod hostile;
mod mapping;
mod messages;
mod names;
mod native;
mod owned;
mod plain;
mod property;
mod pyrogenesis;
mod quirks;
mod samples;
mod sequences;
mod serialized;
mod sidecar;
mod skinning;
mod swat3;
mod truncation;
