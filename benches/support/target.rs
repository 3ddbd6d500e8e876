//! The target folder, where files of benchmarks are kept.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The target folder: the one above this program that cargo marked.
pub fn folder() -> PathBuf {
    let program = env::current_exe().expect("the system knows the path of this program");
    let marked = |folder: &&Path| folder.join("CACHEDIR.TAG").is_file();
    program.ancestors().find(marked).expect("cargo marks its target folder").to_owned()
}

/// The path of a file of benchmarks.
pub fn file(name: &str) -> PathBuf {
    folder().join("tmp").join(name)
}

/// Writes a file that appears when it is complete.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let unfinished = path.with_extension("part");
    fs::write(&unfinished, bytes)?;
    fs::rename(&unfinished, path)
}
