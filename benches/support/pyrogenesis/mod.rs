//! What the Pyrogenesis benchmarks are made of: loops over records, and the usual reader to compare with.

// The one writer of test files: corpus, tests and benchmarks share it.
#[path = "../../../tests/it/pyrogenesis/build.rs"]
pub(crate) mod build;

pub(crate) mod kernels;
pub(crate) mod parsed;
