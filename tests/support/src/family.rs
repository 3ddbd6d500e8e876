//! What the tests about all families ask of each.

use skelmap::{Asset, Error};

use super::FAMILIES;
use super::any_bytes::Target;
use super::corpus::Case;
use super::model::naive::{Mesh, Motion};
use super::show::Out;
use super::worst::Worst;

/// A family of formats, as its folder `tests/it/NAME` describes it.
pub struct Family {
    /// Its folder in `tests/it` and in the corpus, its dictionary in `fuzz/dictionaries`, and where its real files lie.
    pub name: &'static str,
    /// Its files of the corpus, in manifest order.
    pub cases: fn() -> Vec<Case>,
    /// Every code of the reference that these files are about, as README and the command line name them.
    pub codes: Codes,
    /// Its files below `corpus/` of the package, which are good to look at: by name.
    pub good: fn() -> Vec<(&'static str, Vec<u8>)>,
    /// Whether a file begins as one of the family does, in the second reader's view.
    pub begins: fn(&[u8]) -> bool,
    /// Compares all that the crate and the second reader say about any bytes, in every way to read them.
    pub agree: fn(&[u8]),
    /// The error of the parser that a file's name asks for.
    pub error: fn(file: &str, bytes: &[u8]) -> Option<Error>,
    /// Asks an asset of the family everything that it can be asked.
    pub read_all: fn(&Asset<'_>),
    /// Shows every field of an asset of the family, though the bytes behind it may have changed since it was parsed.
    pub show_all: fn(&Asset<'_>, Out<'_>),
    /// What the second reader counts in a sound file.
    pub count: fn(&Case) -> Counts,
    /// The mesh of a file, in the naive evaluation.
    pub mesh: fn(&[u8]) -> Option<Mesh>,
    /// The clips of a file, in the naive evaluation.
    pub motions: fn(&[u8]) -> Option<Vec<Motion>>,
    /// What animations of the family begin with.
    pub animations: &'static [&'static [u8]],
    /// An animation with the bones of a mesh of the family.
    pub partner_of_mesh: fn(&[u8]) -> Option<Vec<u8>>,
    /// A mesh with the bones of an animation of the family.
    pub partner_of_animation: fn(&[u8]) -> Option<Vec<u8>>,
    /// What any bytes must pass.
    pub targets: &'static [Target],
    /// The plainest files of the corpus, and the target that reads each: small enough for Miri.
    pub plain: &'static [(&'static str, &'static str)],
    /// The worst files of any size.
    pub worst: &'static [Worst],
}

/// The codes that the files of a family are about, each sorted.
pub struct Codes {
    pub quirks: &'static [&'static str],
    pub findings: &'static [&'static str],
    pub errors: &'static [&'static str],
}

/// What a second reader counts in a sound file; none where the format has no such thing.
#[derive(Debug, Default, PartialEq)]
pub struct Counts {
    pub bones: Option<u64>,
    pub points: Option<u64>,
    pub wedges: Option<u64>,
    pub faces: Option<u64>,
    pub uv_sets: Option<u64>,
    pub sequences: Option<u64>,
    pub frames: Option<u64>,
    /// In the order met.
    pub quirks: Vec<&'static str>,
}

/// The family of a file of the corpus.
pub fn of(file: &str) -> &'static Family {
    let found = FAMILIES.iter().find(|family| file.starts_with(&format!("{}/", family.name)));
    found.unwrap_or_else(|| panic!("{file} is of no family"))
}

/// How files of other programs begin, from the documents of their formats.
pub const OF_OTHER_PROGRAMS: [&[u8]; 13] = [
    &[0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A],
    &[0xFF, 0xD8, 0xFF],
    b"DDS ",
    b"BM",
    b"glTF",
    b"Kaydara FBX Binary",
    b"BLENDER",
    b"<?xml",
    &0x9E2A_83C1_u32.to_le_bytes(),
    b"7z\xBC\xAF\x27\x1C",
    b"Rar!",
    &[0x1F, 0x8B],
    b"%PDF",
];

/// What a second reader says of a file that is not its own.
pub fn stranger(bytes: &[u8]) -> &'static str {
    if bytes.is_empty() {
        "empty"
    } else if FAMILIES.iter().any(|family| (family.begins)(bytes)) {
        "other-format"
    } else if bytes.starts_with(b"version https://git-lfs") {
        "git-lfs"
    } else if [b"Pmd".as_slice(), b"ANIXHEAD", b"WRLDHEAD", b"PK\x03\x04", b"UEFORMAT"]
        .iter()
        .any(|start| bytes.starts_with(start))
        || OF_OTHER_PROGRAMS.iter().any(|start| bytes.starts_with(start))
    {
        "unsupported-format"
    } else {
        "unknown-format"
    }
}
