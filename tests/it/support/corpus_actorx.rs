//! The `ActorX` corpus: a small file for every variant, quirk, finding and fault of the reference.
//!
//! Expectations are written by hand from the reference; no reader, ours included, computes them.

#![allow(unreachable_pub)]

mod anim;
mod anim_findings;
mod damage;
mod mesh;
mod mesh_findings;
mod mesh_odd;
pub mod sample;
mod sidecar;

use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::build::{Built, Chunks};

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
#[derive(Clone, Debug, PartialEq, Serialize)]
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
    fn quirks(mut self, codes: &[&'static str]) -> Self {
        self.quirks = codes.to_vec();
        self
    }

    fn findings(mut self, codes: &[&'static str]) -> Self {
        self.findings = codes.to_vec();
        self
    }
}

impl Case {
    fn beside(mut self, file: &'static str, text: impl AsRef<[u8]>) -> Self {
        self.extra.push((file, text.as_ref().to_vec()));
        self
    }
}

/// Every case, in manifest order.
pub fn cases() -> Vec<Case> {
    let mut cases = mesh::cases();
    cases.extend(mesh_odd::cases());
    cases.extend(mesh_findings::cases());
    cases.extend(anim::cases());
    cases.extend(anim_findings::cases());
    cases.extend(sidecar::cases());
    cases.extend(damage::cases());
    cases
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

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, bytes)
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// What the cases are made from: a file in the making, a finished one, or bare bytes.
trait IntoBytes {
    fn into_bytes(self) -> Vec<u8>;
}

impl IntoBytes for Chunks {
    fn into_bytes(self) -> Vec<u8> {
        self.build().bytes
    }
}

impl IntoBytes for Built {
    fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

impl IntoBytes for Vec<u8> {
    fn into_bytes(self) -> Vec<u8> {
        self
    }
}

fn ok(file: &'static str, about: &'static str, source: &'static str, bytes: impl IntoBytes, good: Good) -> Case {
    Case { file, about, source, bytes: bytes.into_bytes(), extra: Vec::new(), expect: Expect::Ok(good) }
}

fn fault(
    file: &'static str,
    about: &'static str,
    source: &'static str,
    bytes: impl IntoBytes,
    (kind, section, offset): (&'static str, &'static str, u64),
) -> Case {
    let expect = Expect::Error { kind, section, offset };
    Case { file, about, source, bytes: bytes.into_bytes(), extra: Vec::new(), expect }
}
