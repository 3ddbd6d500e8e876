//! The whole corpus: the cases of every family, and their manifest.

use std::io;
use std::path::{Path, PathBuf};

use super::corpus_actorx::{self, Case, manifest};
use super::corpus_pyrogenesis;
use super::corpus_swat3;

/// Where the corpus lies: in the folder of the package, or of the workspace around it.
pub(crate) fn folder() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package
        .ancestors()
        .map(|folder| folder.join("corpus"))
        .find(|corpus| corpus.join("MANIFEST.json").is_file())
        .unwrap_or_default()
}

#[allow(dead_code, reason = "for the tests of the command")]
/// A file of the corpus, by its path below it.
pub(crate) fn file(path: &str) -> Vec<u8> {
    let path = folder().join(path);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The folder with the real files of a family, or `None` (and a message) where `SKELMAP_SAMPLES` names none.
pub(crate) fn samples(family: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("SKELMAP_SAMPLES").map(|samples| PathBuf::from(samples).join(family));
    if folder.is_none() {
        println!("skipped: SKELMAP_SAMPLES is not set");
    }
    folder
}

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
