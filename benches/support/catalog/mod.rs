//! What the catalogue's benchmarks are made of: an archive and loose files, and as little as any program needs to read them.

pub mod files;
pub mod floor;
pub mod open;
