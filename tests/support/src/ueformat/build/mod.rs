//! Writes UEFormat files field by field, with a name for every offset that a test may want to damage.
//!
//! [`Ue`] is a header and a tree of sections; [`model`], [`animation`] and [`pose`] make one of an asset in Unreal's own space, for any
//! version. Nothing makes the parts of an asset agree. Independent of the crate and of the naive reader.

// Each user needs a different part.
#![allow(dead_code, unreachable_pub)]

pub mod random;
mod sections;
pub mod zstd;

use std::collections::BTreeMap;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

pub use super::asset::*;
pub use crate::built::Built;
pub use sections::{animation, model, pose};

pub const MAGIC: [u8; 8] = *b"UEFORMAT";

/// The choices of a writer: the layout of bones in version 10, and sections without elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// A bone of version 10 ends in its scale: 48 bytes and the name, instead of 36.
    pub has_bone_scale: bool,
    /// Sections without elements are written, as the author's library does. CUE4Parse leaves them out.
    pub writes_empty: bool,
}

impl Style {
    /// As the author's library writes.
    pub const LIBRARY: Self = Self { has_bone_scale: false, writes_empty: true };
    /// As CUE4Parse writes.
    pub const CUE4PARSE: Self = Self { has_bone_scale: true, writes_empty: false };
}

/// A header and the sections of the root.
#[derive(Clone, Debug)]
pub struct Ue {
    pub identifier: Name,
    pub version: u8,
    pub name: Name,
    /// Written since version 10.
    pub path: Name,
    /// Bytes before the sections: frames and rate in animations before version 7.
    pub preamble: Marked,
    pub sections: Vec<Section>,
    /// After the body.
    pub trailing: Vec<u8>,
}

#[derive(Clone, Debug)]
pub struct Section {
    pub name: Name,
    /// The count in the file, true or not. For a set and for levels, the writer counts instead.
    pub count: i32,
    pub body: Body,
}

#[derive(Clone, Debug)]
pub enum Body {
    /// Elements. Their count stands in the data in version 10, and before its size in versions 0 to 9.
    Array(Marked),
    /// Fields, or the data of an unknown section; version 10 writes no count.
    Record(Marked),
    /// Sections. The count is 1 in versions 0 to 9 and the number of sections in version 10.
    Set(Vec<Section>),
    Levels(Vec<Level>),
}

/// A level of detail: its sections.
#[derive(Clone, Debug)]
pub struct Level {
    pub name: Name,
    pub sections: Vec<Section>,
}

/// Bytes, and where their named parts begin.
#[derive(Clone, Debug, Default)]
pub struct Marked {
    pub bytes: Vec<u8>,
    marks: Vec<(String, usize)>,
}

impl Section {
    pub fn new(name: &str, count: usize, body: Body) -> Self {
        Self { name: name.as_bytes().to_vec(), count: count as i32, body }
    }

    /// A section of no known name.
    pub fn unknown(name: &str, bytes: &[u8]) -> Self {
        Self::new(name, 1, Body::Record(Marked::from(bytes)))
    }
}

impl From<&[u8]> for Marked {
    fn from(bytes: &[u8]) -> Self {
        Self { bytes: bytes.to_vec(), marks: Vec::new() }
    }
}

impl Marked {
    /// Names the place where the next field begins.
    pub fn mark(&mut self, name: impl Into<String>) -> &mut Self {
        self.marks.push((name.into(), self.bytes.len()));
        self
    }

    pub fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    pub fn u8(&mut self, value: u8) -> &mut Self {
        self.raw(&[value])
    }

    pub fn u16(&mut self, value: u16) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    pub fn i32(&mut self, value: i32) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    pub fn u32(&mut self, value: u32) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    pub fn f32s(&mut self, values: &[f32]) -> &mut Self {
        for value in values {
            self.raw(&value.to_le_bytes());
        }
        self
    }

    /// A length and its bytes.
    pub fn name(&mut self, name: &[u8]) -> &mut Self {
        self.count(name).raw(name)
    }

    /// The number of elements.
    pub fn count<T>(&mut self, elements: &[T]) -> &mut Self {
        self.i32(elements.len() as i32)
    }

    /// Writes parts behind one another, with the names of their parts under a prefix.
    fn nested(&mut self, prefix: &str, part: &Self) -> &mut Self {
        let start = self.bytes.len();
        for (name, at) in &part.marks {
            // An element's own name begins with `#`.
            let is_own = name.is_empty() || name.starts_with(['#', '.']);
            let separator = if is_own || prefix.is_empty() { "" } else { "/" };
            self.marks.push((format!("{prefix}{separator}{name}"), start + at));
        }
        self.raw(&part.bytes)
    }

    fn built(self) -> Built {
        Built::new(self.bytes, self.marks.into_iter().collect::<BTreeMap<_, _>>())
    }
}

impl Ue {
    pub fn new(identifier: &str, version: u8, sections: Vec<Section>) -> Self {
        Self {
            identifier: identifier.as_bytes().to_vec(),
            version,
            name: b"Own".to_vec(),
            path: b"/Game/Own".to_vec(),
            preamble: Marked::default(),
            sections,
            trailing: Vec::new(),
        }
    }

    /// The file with another object name.
    #[must_use]
    pub fn named(self, name: impl AsRef<[u8]>) -> Self {
        Self { name: name.as_ref().to_vec(), ..self }
    }

    /// The section with a path such as `LODS/0/VERTICES`.
    ///
    /// # Panics
    /// If there is none.
    pub fn section(&mut self, path: &str) -> &mut Section {
        let (last, folders) = split(path);
        let sections = self.list(folders.unwrap_or_default());
        let found = sections.iter_mut().find(|section| section.name == last.as_bytes());
        found.unwrap_or_else(|| panic!("no section {path}"))
    }

    /// The list of sections below a path such as `LODS/0` or `SKELETON`, or of the root for an empty path.
    pub fn list(&mut self, path: &str) -> &mut Vec<Section> {
        if path.is_empty() { &mut self.sections } else { within(&mut self.sections, path) }
    }

    /// The file without compression.
    ///
    /// Offsets: `magic`, `identifier`, `version`, `name`, `path` (version 10), `is_compressed`, `body`, `root.count` (version 10),
    /// `trailing`, `end`; for a section by its path, such as `LODS/0/VERTICES`: the path itself (its name), `.count`, `.size`, `.data`,
    /// `.end`; for an element of it `#0`, and the fields behind its name such as `#0.parent`; for a level `LODS/0`, and `.size` or
    /// `.count` and `.end`.
    pub fn build(&self) -> Built {
        let mut out = Marked::default();
        out.mark("magic").raw(&MAGIC);
        out.mark("identifier").name(&self.identifier);
        out.mark("version").u8(self.version);
        out.mark("name").name(&self.name);
        if self.version >= NEWEST {
            out.mark("path").name(&self.path);
        }
        out.mark("is_compressed").u8(0);
        out.mark("body").nested("preamble", &self.preamble);
        if self.version >= NEWEST {
            out.mark("root.count").count(&self.sections);
        }
        out.nested("", &written(&self.sections, self.version));
        out.mark("trailing").raw(&self.trailing);
        out.mark("end");
        out.built()
    }

    /// The file with its body compressed.
    pub fn pack(&self, packing: Packing) -> Built {
        pack(&self.build(), packing)
    }
}

fn split(path: &str) -> (&str, Option<&str>) {
    path.rsplit_once('/').map_or((path, None), |(folders, last)| (last, Some(folders)))
}

fn within<'s>(sections: &'s mut [Section], path: &str) -> &'s mut Vec<Section> {
    let (first, rest) = path.split_once('/').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let found = sections.iter_mut().find(|section| section.name == first.as_bytes());
    match &mut found.unwrap_or_else(|| panic!("no section {first}")).body {
        Body::Set(sections) => match rest {
            None => sections,
            Some(rest) => within(sections, rest),
        },
        Body::Levels(levels) => {
            let level = rest.and_then(|level| level.parse::<usize>().ok()).expect("the number of a level");
            &mut levels[level].sections
        }
        Body::Array(_) | Body::Record(_) => panic!("{first} holds no sections"),
    }
}

fn written(sections: &[Section], version: u8) -> Marked {
    let mut out = Marked::default();
    for section in sections {
        let path = String::from_utf8_lossy(&section.name).into_owned();
        let mut data = Marked::default();
        let is_set = version >= NEWEST;
        match &section.body {
            Body::Array(elements) => {
                if is_set {
                    data.mark(".count").i32(section.count);
                }
                data.nested("", elements);
            }
            Body::Record(fields) => {
                data.nested("", fields);
            }
            Body::Set(sections) => {
                if is_set {
                    data.mark(".count").count(sections);
                }
                data.nested("", &written(sections, version));
            }
            Body::Levels(levels) => {
                if is_set {
                    data.mark(".count").count(levels);
                }
                for (at, level) in levels.iter().enumerate() {
                    let body = written(&level.sections, version);
                    let at = format!("{at}");
                    data.mark(at.clone()).name(&level.name);
                    if is_set {
                        data.mark(format!("{at}.count")).count(&level.sections);
                    } else {
                        data.mark(format!("{at}.size")).count(&body.bytes);
                    }
                    data.nested(&at, &body).mark(format!("{at}.end"));
                }
            }
        }
        out.mark(path.clone()).name(&section.name);
        if !is_set {
            let count = match &section.body {
                Body::Set(_) => 1,
                Body::Levels(levels) => levels.len() as i32,
                Body::Array(_) | Body::Record(_) => section.count,
            };
            out.mark(format!("{path}.count")).i32(count);
        }
        out.mark(format!("{path}.size")).count(&data.bytes);
        out.mark(format!("{path}.data")).nested(&path, &data).mark(format!("{path}.end"));
    }
    out
}

/// How a body is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    Gzip,
    /// One frame that says its size.
    Zstd,
    /// One frame that does not.
    ZstdWithoutSize,
}

impl Packing {
    pub const ALL: [Self; 3] = [Self::Gzip, Self::Zstd, Self::ZstdWithoutSize];

    pub fn name(self) -> &'static str {
        match self {
            Self::Gzip => "GZIP",
            Self::Zstd | Self::ZstdWithoutSize => "ZSTD",
        }
    }

    /// # Panics
    /// Never: writing to memory does not fail.
    pub fn pack(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Gzip => {
                let mut out = GzEncoder::new(Vec::new(), Compression::new(6));
                out.write_all(bytes).expect("memory");
                out.finish().expect("memory")
            }
            Self::Zstd => zstd::frame(bytes, true),
            Self::ZstdWithoutSize => zstd::frame(bytes, false),
        }
    }
}

/// The file with its body compressed. The bytes after the body (`trailing`) stay as they are.
///
/// Offsets: those of the header, and `compression`, `unpacked_size`, `packed_size`, `packed`, `trailing`, `end`.
pub fn pack(plain: &Built, packing: Packing) -> Built {
    let (body, trailing) = (plain.offset("body"), plain.offset("trailing"));
    let packed = packing.pack(&plain.bytes[body..trailing]);
    packed_as(plain, packing.name(), (trailing - body) as i32, &packed)
}

/// The file with any bytes in place of its body; the header calls them compressed.
pub fn packed_as(plain: &Built, compression: &str, unpacked_size: i32, packed: &[u8]) -> Built {
    let is_compressed = plain.offset("is_compressed");
    let mut out = Marked::from(&plain.bytes[..is_compressed]);
    let header = plain.offsets().filter(|(_, at)| *at <= is_compressed);
    out.marks = header.map(|(name, at)| (name.to_owned(), at)).collect();
    out.u8(1);
    out.mark("compression").name(compression.as_bytes());
    out.mark("unpacked_size").i32(unpacked_size);
    out.mark("packed_size").count(packed);
    out.mark("packed").raw(packed);
    out.mark("trailing").raw(&plain.bytes[plain.offset("trailing")..]);
    out.mark("end");
    out.built()
}

/// The bytes with one byte changed.
#[must_use]
pub fn flipped(mut bytes: Vec<u8>, at: usize) -> Vec<u8> {
    bytes[at] ^= 0xFF;
    bytes
}
