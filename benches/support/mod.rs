//! What the benchmarks are made of: files to read, loops over their records, and pairs to compare.

// The one writer of test files: corpus, tests and benchmarks share it.
#[path = "../../tests/it/actorx/build.rs"]
mod build;

// What that writer is made of.
#[path = "../../tests/it/support/built.rs"]
mod built;

pub(crate) mod compare;
pub(crate) mod files;
pub(crate) mod kernels;
pub(crate) mod open;
pub(crate) mod parsed;
pub(crate) mod placed;
pub(crate) mod run;
mod table;
