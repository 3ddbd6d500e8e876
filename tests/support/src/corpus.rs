//! The corpus: files that are each about one thing, what a reader must say of them, and their manifest.
//!
//! The families make the files; what a case is, and how all of them get on disk, is said here.

#![allow(unreachable_pub)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::{FAMILIES, family};

/// A corpus file and what a reader must say about it.
#[derive(Clone, Debug)]
pub struct Case {
    /// Path below the corpus folder.
    pub file: &'static str,
    pub about: &'static str,
    /// Where the behaviour is specified.
    pub source: &'static str,
    pub bytes: Vec<u8>,
    /// Side-cars, by path below the corpus folder.
    pub extra: Vec<(&'static str, Vec<u8>)>,
    pub expect: Expect,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Expect {
    Ok(Good),
    Error { kind: &'static str, section: &'static str, offset: u64 },
}

/// What a readable file holds; `None` where the format has no such thing.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Good {
    pub format: &'static str,
    pub bones: Option<u64>,
    pub points: Option<u64>,
    pub wedges: Option<u64>,
    pub faces: Option<u64>,
    pub materials: Option<u64>,
    /// The wedges' own set and the extra ones; 0 without wedges.
    pub uv_sets: Option<u64>,
    pub sequences: Option<u64>,
    /// Summed over the sequences.
    pub frames: Option<u64>,
    /// Summed over the sequences that have a rate.
    pub duration_s: Option<f64>,
    /// Sorted, each once.
    pub quirks: Vec<&'static str>,
    /// Sorted, each once; with the side-car, where there is one.
    pub findings: Vec<&'static str>,
}

impl Good {
    #[must_use]
    pub fn quirks(mut self, codes: &[&'static str]) -> Self {
        self.quirks = codes.to_vec();
        self
    }

    #[must_use]
    pub fn findings(mut self, codes: &[&'static str]) -> Self {
        self.findings = codes.to_vec();
        self
    }
}

impl Case {
    #[must_use]
    pub fn beside(mut self, file: &'static str, text: impl AsRef<[u8]>) -> Self {
        self.extra.push((file, text.as_ref().to_vec()));
        self
    }
}

/// The cases of every family, in manifest order.
pub fn cases() -> Vec<Case> {
    FAMILIES.iter().flat_map(|family| (family.cases)()).collect()
}

/// A case of the corpus, by its path below it.
pub fn case(file: &str) -> Case {
    let found = (family::of(file).cases)().into_iter().find(|case| case.file == file);
    found.unwrap_or_else(|| panic!("no {file} in the corpus"))
}

/// The folder of the corpus: in the package, or in the workspace around it.
pub fn folder() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = package.ancestors().map(|folder| folder.join("tests/corpus"));
    folders.into_iter().find(|corpus| corpus.join("MANIFEST.json").is_file()).unwrap_or_default()
}

/// A case whose file is readable.
pub fn ok(
    file: &'static str,
    about: &'static str,
    source: &'static str,
    bytes: impl Into<Vec<u8>>,
    good: Good,
) -> Case {
    Case { file, about, source, bytes: bytes.into(), extra: Vec::new(), expect: Expect::Ok(good) }
}

/// The kind of an error, its section and its byte.
pub type Fault = (&'static str, &'static str, u64);

/// A case whose file is not readable.
pub fn fault(
    file: &'static str,
    about: &'static str,
    source: &'static str,
    bytes: impl Into<Vec<u8>>,
    (kind, section, offset): Fault,
) -> Case {
    let expect = Expect::Error { kind, section, offset };
    Case { file, about, source, bytes: bytes.into(), extra: Vec::new(), expect }
}

/// A file of the corpus on disk, by its path below it.
pub fn file(path: &str) -> Vec<u8> {
    let path = folder().join(path);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The folder with the real files of a family, or `None` (and a message) where `SKELMAP_SAMPLES` names none.
pub fn samples(family: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("SKELMAP_SAMPLES").map(|samples| PathBuf::from(samples).join(family));
    if folder.is_none() {
        println!("skipped: SKELMAP_SAMPLES is not set");
    }
    folder
}

/// The files with one of the extensions below a folder, in name order.
pub fn below(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let own = path.extension().unwrap_or_default().to_ascii_lowercase();
            if path.is_dir() {
                folders.push(path);
            } else if extensions.iter().any(|extension| own == *extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Writes every file and the manifest below `dir`.
///
/// # Errors
/// Whatever the file system says.
pub fn write_all(dir: &Path) -> io::Result<()> {
    let cases = cases();
    for case in &cases {
        write(&dir.join(case.file), &case.bytes)?;
        for (file, bytes) in &case.extra {
            write(&dir.join(file), bytes)?;
        }
    }
    write(&dir.join("MANIFEST.json"), manifest(&cases).as_bytes())
}

#[derive(Serialize)]
struct Manifest<'a> {
    schema: u32,
    files: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    file: &'a str,
    about: &'a str,
    source: &'a str,
    sha256: String,
    bytes: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    extra: Vec<Extra<'a>>,
    expect: &'a Expect,
}

#[derive(Serialize)]
struct Extra<'a> {
    file: &'a str,
    sha256: String,
    bytes: usize,
}

/// The text of `MANIFEST.json`.
pub fn manifest(cases: &[Case]) -> String {
    let files = cases.iter().map(|case| Entry {
        file: case.file,
        about: case.about,
        source: case.source,
        sha256: sha256(&case.bytes),
        bytes: case.bytes.len(),
        extra: case
            .extra
            .iter()
            .map(|(file, bytes)| Extra { file, sha256: sha256(bytes), bytes: bytes.len() })
            .collect(),
        expect: &case.expect,
    });
    let manifest = Manifest { schema: 1, files: files.collect() };
    serde_json::to_string_pretty(&manifest).expect("a manifest is plain data") + "\n"
}

pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes)
}

/// The SHA-256 of bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
