//! Edits of ActorX files and of SWAT 3 animations: what stays to the byte, what follows what, and what is refused.

mod bytes;
mod exec;
mod gsa;
mod hostile;
mod merged;
mod meshes;
mod sequences;
mod side_cars;

use std::path::Path;

use skelmap::actorx::Psa;
use skelmap_write::edit::{EditError, PsaEdit, PsaEditReport};
use test_support::actorx::build::{Anim, chain};
use test_support::corpus;

/// A chunk, read by a walk of a few lines that shares nothing with the library.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Raw {
    id: String,
    flag: u32,
    size: i32,
    count: i32,
    body: Vec<u8>,
}

fn walk(mut file: &[u8]) -> Vec<Raw> {
    let mut chunks = Vec::new();
    while !file.is_empty() {
        let int = |at: usize| i32::from_le_bytes(file[at..at + 4].try_into().unwrap());
        let id = file[..20].split(|byte| *byte == 0).next().unwrap();
        let (size, count) = (int(24), int(28));
        let end = 32 + size as usize * count as usize;
        let body = file[32..end].to_vec();
        chunks.push(Raw { id: String::from_utf8_lossy(id).into_owned(), flag: int(20) as u32, size, count, body });
        file = &file[end..];
    }
    chunks
}

fn body(file: &[u8], id: &str) -> Vec<u8> {
    walk(file).into_iter().find(|chunk| chunk.id == id).unwrap_or_else(|| panic!("no {id}")).body
}

/// A field of a record of 168 bytes.
fn info_int(file: &[u8], sequence: usize, at: usize) -> i32 {
    let infos = body(file, "ANIMINFO");
    i32::from_le_bytes(infos[sequence * 168 + at..][..4].try_into().unwrap())
}

fn info_float(file: &[u8], sequence: usize, at: usize) -> f32 {
    f32::from_bits(info_int(file, sequence, at) as u32)
}

/// Three bones; `Walk` of 4 frames, `Run` of 3 and `Idle` of 5.
fn three() -> Anim {
    let mut anim = Anim::sway(chain(3), &[("Walk", 4, 30.0), ("Run", 3, 20.0), ("Idle", 5, 10.0)]);
    // Every key has a number of its own.
    for (index, key) in anim.keys.iter_mut().enumerate() {
        key.position = [index as f32, 0.5, -1.0];
    }
    anim
}

/// The file after edits.
fn edited(file: &[u8], ask: impl FnOnce(&mut PsaEdit<'_>) -> Result<(), EditError>) -> (Vec<u8>, PsaEditReport) {
    let psa = Psa::parse(file).unwrap();
    let mut edit = PsaEdit::new(&psa);
    ask(&mut edit).unwrap();
    let mut out = Vec::new();
    let report = edit.write(&mut out).unwrap();
    assert_eq!(report.bytes, out.len() as u64);
    Psa::parse(&out).unwrap();
    (out, report)
}

/// The error of edits, which write nothing.
fn refused(file: &[u8], ask: impl FnOnce(&mut PsaEdit<'_>) -> Result<(), EditError>) -> String {
    let psa = Psa::parse(file).unwrap();
    let mut edit = PsaEdit::new(&psa);
    let mut out = Vec::new();
    let error = ask(&mut edit).and_then(|()| edit.write(&mut out).map(drop)).unwrap_err();
    assert!(out.is_empty());
    error.to_string()
}

/// The files of the corpus and all samples: the name below their folder, and the bytes.
fn files(extensions: &[&str]) -> Vec<(String, Vec<u8>)> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = [Some(corpus::folder()), Some(workspace.join("corpus")), corpus::samples("actorx")];
    let mut files = Vec::new();
    for folder in folders.into_iter().flatten() {
        for path in corpus::below(&folder, extensions) {
            let name = path.strip_prefix(&folder).unwrap().to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
            files.push((name, std::fs::read(path).unwrap()));
        }
    }
    files
}
