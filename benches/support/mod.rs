//! What the benchmarks are made of: files to read, loops over their records, and pairs to compare.

pub(crate) mod compare;
pub(crate) mod files;
pub(crate) mod kernels;
pub(crate) mod open;
pub(crate) mod parsed;
pub(crate) mod placed;
pub(crate) mod run;
mod table;

use test_support::actorx::build;
