//! What the catalogue's benchmarks are made of: an archive and loose files, and as little as any program needs to read them.

// The writers of test files: corpus, tests and benchmarks share them.
#[path = "../../../tests/it/pyrogenesis/build.rs"]
mod build_pyrogenesis;
#[path = "../../../tests/it/support/build_zip.rs"]
#[allow(clippy::cast_possible_truncation, reason = "lengths and offsets of ZIP have 16 and 32 bits")]
mod build_zip;

pub(crate) mod files;
pub(crate) mod floor;
pub(crate) mod open;
