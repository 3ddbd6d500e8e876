//! The whole corpus: the cases of every family, and their manifest.

use std::io;
use std::path::Path;

use super::corpus_actorx::{self, Case, manifest};
use super::corpus_pyrogenesis;
use super::corpus_swat3;

/// Every case, in manifest order.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = corpus_actorx::cases();
    cases.extend(corpus_pyrogenesis::cases());
    cases.extend(corpus_swat3::cases());
    cases
}

/// Writes every file and the manifest below `dir`.
///
/// # Errors
/// Whatever the file system says.
pub(crate) fn write_all(dir: &Path) -> io::Result<()> {
    corpus_actorx::write_all(dir)?;
    corpus_pyrogenesis::write(dir)?;
    corpus_swat3::write(dir)?;
    std::fs::write(dir.join("MANIFEST.json"), manifest(&cases()))
}
