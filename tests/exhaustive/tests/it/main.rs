//! The long proofs: every file of the corpus, every real file and many thousand generated ones, cut and changed in every way, through
//! both readers; files of a million records. `cargo test` does not run them,
//! `cargo test --profile exhaustive -p skelmap-exhaustive` does.

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

mod archive;
mod bounds;
mod found;
mod model;
mod promises;
mod write;
