//! What the catalogue's benchmarks are made of: an archive and loose files, and as little as any program needs to read them.

pub(crate) mod files;
pub(crate) mod floor;
pub(crate) mod open;
