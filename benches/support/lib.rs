//! What the benchmarks are made of: files to read, loops over their records, and pairs to compare. Not published.
#![allow(
    clippy::missing_errors_doc,
    clippy::missing_panics_doc,
    clippy::return_self_not_must_use,
    reason = "for the benchmarks alone"
)]
#![allow(missing_docs, missing_debug_implementations, reason = "the benchmarks of this repository are the only users")]

pub mod catalog;
pub mod compare;
pub mod files;
pub mod kernels;
pub mod mapping;
pub mod model;
pub mod open;
pub mod parsed;
pub mod placed;
pub mod pyrogenesis;
pub mod run;
pub mod swat3;
mod table;
pub mod target;
