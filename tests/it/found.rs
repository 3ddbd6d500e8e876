//! Whatever holds for any bytes holds for every file of the corpus, and for each input that a fuzzer found something with.

use std::fs;
use std::path::{Path, PathBuf};

use crate::any_bytes::TARGETS;

/// Every file below a folder of the corpus, in name order.
fn files(folder: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(folder);
    let mut found = Vec::new();
    let mut folders = vec![root];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

#[test]
fn every_file_of_the_corpus_passes_every_target() {
    let files = files("");
    assert!(files.len() > 500);
    for file in files {
        let bytes = fs::read(&file).unwrap();
        println!("{}: {} bytes", file.display(), bytes.len());
        TARGETS.iter().for_each(|(_, target)| target(&bytes));
    }
}
