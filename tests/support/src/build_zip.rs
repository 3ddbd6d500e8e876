//! Writes ZIP archives field by field, with a name for every offset a test may want to damage.
//!
//! After PKWARE's APPNOTE 6.3.10, sections 4.3 (records), 4.4 (fields) and 4.5.3 (ZIP64). Independent of the crate and of
//! what it reads archives with; only deflate is another's.

// Each user needs a different part.
#![allow(dead_code, unreachable_pub)]

use std::collections::BTreeMap;
use std::io::Write as _;

pub use crate::built::Built;

pub const STORED: u16 = 0;
pub const DEFLATED: u16 = 8;

/// General purpose flags (4.4.4).
pub const ENCRYPTED: u16 = 1;
pub const DESCRIPTOR: u16 = 1 << 3;
pub const UTF8: u16 = 1 << 11;

pub const LOCAL: [u8; 4] = *b"PK\x03\x04";
pub const CENTRAL: [u8; 4] = *b"PK\x01\x02";
pub const END: [u8; 4] = *b"PK\x05\x06";

/// The systems that an archive may be made by (4.4.2), above the version of the specification.
pub const DOS: u16 = 20;
pub const UNIX: u16 = 0x031E;

/// Midday, 1 January 2000.
const TIME: u16 = 12 << 11;
const DATE: u16 = 20 << 9 | 1 << 5 | 1;

const U32: u32 = u32::MAX;

/// A data descriptor after the data (4.3.9), and zeros in its place in the local header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descriptor {
    None,
    Bare,
    /// After the signature that most writers put before it.
    Signed,
}

/// How the end of the directory is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Plain,
    /// A ZIP64 record and locator, and in the plain record nothing but that there is more.
    Zip64,
    /// A ZIP64 record and locator beside a plain record with the same numbers.
    Both,
}

#[derive(Clone, Debug)]
pub struct Entry {
    pub name: Vec<u8>,
    /// In the local header; None for the same.
    pub local_name: Option<Vec<u8>>,
    pub data: Vec<u8>,
    pub method: u16,
    /// What lies in the archive; None for the data, deflated if the method says so.
    pub body: Option<Vec<u8>>,
    pub flags: u16,
    pub made_by: u16,
    pub version: u16,
    pub attributes: u32,
    pub local_extra: Vec<u8>,
    pub central_extra: Vec<u8>,
    pub comment: Vec<u8>,
    pub descriptor: Descriptor,
    /// Sizes and offset in a ZIP64 field, however small they are.
    pub zip64: bool,
    /// Data at a multiple of the first and the second, by an extra field of padding.
    pub aligned: Option<(usize, usize)>,
    /// No bytes of its own: its record points to the local header of the entry so numbered.
    pub shares: Option<usize>,
    /// Before its local header.
    pub gap: Vec<u8>,
}

impl Entry {
    pub fn stored(name: impl AsRef<[u8]>, data: impl AsRef<[u8]>) -> Self {
        Self {
            name: name.as_ref().to_vec(),
            local_name: None,
            data: data.as_ref().to_vec(),
            method: STORED,
            body: None,
            flags: 0,
            made_by: DOS,
            version: 20,
            attributes: 0,
            local_extra: Vec::new(),
            central_extra: Vec::new(),
            comment: Vec::new(),
            descriptor: Descriptor::None,
            zip64: false,
            aligned: None,
            shares: None,
            gap: Vec::new(),
        }
    }

    pub fn deflated(name: impl AsRef<[u8]>, data: impl AsRef<[u8]>) -> Self {
        Self { method: DEFLATED, ..Self::stored(name, data) }
    }

    /// The name ends in `/`.
    pub fn folder(name: impl AsRef<[u8]>) -> Self {
        Self { version: 20, attributes: 0x10, ..Self::stored(name, []) }
    }

    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// What lies in the archive.
    pub fn body(&self) -> Vec<u8> {
        match (&self.body, self.method) {
            (Some(body), _) => body.clone(),
            (None, DEFLATED) => deflate(&self.data),
            (None, _) => self.data.clone(),
        }
    }
}

/// Deflated without a header.
pub fn deflate(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(data).expect("a vector takes everything");
    encoder.finish().expect("a vector takes everything")
}

/// The checksum of 4.4.7, a byte at a time.
pub fn crc32(data: &[u8]) -> u32 {
    !data.iter().fold(u32::MAX, |crc, byte| CRC_OF_BYTE[usize::from(crc as u8 ^ byte)] ^ crc >> 8)
}

const CRC_OF_BYTE: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut crc, mut bit) = (byte as u32, 0);
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
};

/// An extra field (4.5.1).
pub fn extra(id: u16, data: &[u8]) -> Vec<u8> {
    [&id.to_le_bytes(), &(data.len() as u16).to_le_bytes(), data].concat()
}

#[derive(Clone, Debug)]
pub struct Zip {
    /// Before the archive.
    pub prefix: Vec<u8>,
    /// Whether offsets count it.
    pub prefix_counts: bool,
    pub entries: Vec<Entry>,
    /// The entries by number, in the directory's order; None for their own.
    pub order: Option<Vec<usize>>,
    /// Between the directory and its end.
    pub after_directory: Vec<u8>,
    pub end: End,
    pub comment: Vec<u8>,
    /// Whether the parts of entries have names, which cost more than all else where entries are many.
    pub is_named: bool,
}

impl Zip {
    pub fn of(entries: impl IntoIterator<Item = Entry>) -> Self {
        Self {
            prefix: Vec::new(),
            prefix_counts: true,
            entries: entries.into_iter().collect(),
            order: None,
            after_directory: Vec::new(),
            end: End::Plain,
            comment: Vec::new(),
            is_named: true,
        }
    }

    #[must_use]
    pub fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Offsets, entries by their number whatever the directory's order: `local#0` and its fields `.version`, `.flags`,
    /// `.method`, `.crc`, `.packed`, `.size`, `.name_length`, `.extra_length`, `.name`, `.extra`; `data#0`,
    /// `data#0.end`, `descriptor#0`; `directory`; `central#0` with the same fields and `.made_by`,
    /// `.comment_length`, `.offset`, `.comment`, and `.zip64` where it has such a field; `end64` with `.length`,
    /// `.entries_here`, `.entries`, `.directory_size`, `.directory_offset`; `locator` and `locator.offset`; `end` with
    /// `.entries_here`, `.entries`, `.directory_size`, `.directory_offset`, `.comment_length`, `.comment`.
    pub fn build(&self) -> Built {
        let mut out = Writer { is_named: self.is_named, ..Writer::default() };
        out.raw(&self.prefix);
        let base = if self.prefix_counts { 0 } else { self.prefix.len() as u64 };
        let mut places: Vec<u64> = Vec::new();
        let mut sizes: Vec<(u64, u32)> = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            let body = entry.body();
            let size = (body.len() as u64, crc32(&entry.data));
            if let Some(other) = entry.shares {
                places.push(places[other]);
                sizes.push(size);
                continue;
            }
            out.raw(&entry.gap);
            places.push(out.len() - base);
            sizes.push(size);
            out.local(index, entry, &body, size.1);
        }
        let directory = out.len();
        out.mark("directory");
        let own: Vec<usize> = (0..self.entries.len()).collect();
        let order = self.order.as_ref().unwrap_or(&own);
        for index in order {
            let (packed, crc) = sizes[*index];
            out.central(*index, &self.entries[*index], packed, crc, places[*index]);
        }
        out.raw(&self.after_directory);
        out.end(self, order.len() as u64, out.len() - directory, directory - base, base);
        Built::new(out.bytes, out.offsets)
    }
}

impl Built {
    /// Where the data of an entry lies.
    pub fn data(&self, entry: usize) -> std::ops::Range<usize> {
        self.offset(&format!("data#{entry}"))..self.offset(&format!("data#{entry}.end"))
    }
}

#[derive(Default)]
struct Writer {
    is_named: bool,
    bytes: Vec<u8>,
    offsets: BTreeMap<String, usize>,
}

impl Writer {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn mark(&mut self, name: impl Into<String>) -> &mut Self {
        self.offsets.insert(name.into(), self.bytes.len());
        self
    }

    /// What the parts of an entry are named by, if they are.
    fn place(&self, what: &str, entry: usize) -> String {
        if self.is_named { format!("{what}#{entry}") } else { String::new() }
    }

    /// A part of an entry, if the entry has a name.
    fn mark_in(&mut self, at: &str, part: &str) -> &mut Self {
        match (at, part) {
            ("", _) => self,
            (at, "") => self.mark(at),
            (at, part) => self.mark(format!("{at}.{part}")),
        }
    }

    fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    fn u16(&mut self, value: u16) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    fn u32(&mut self, value: u32) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    fn u64(&mut self, value: u64) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    /// A local header (4.3.7), the data and its descriptor.
    fn local(&mut self, index: usize, entry: &Entry, body: &[u8], crc: u32) {
        let at = self.place("local", index);
        let name = entry.local_name.as_ref().unwrap_or(&entry.name);
        let (mut flags, mut stated) = (entry.flags, (crc, body.len() as u64, entry.data.len() as u64));
        if entry.descriptor != Descriptor::None {
            flags |= DESCRIPTOR;
            stated = (0, 0, 0);
        }
        let (crc_stated, packed, size) = stated;
        let mut fields = Vec::new();
        if entry.zip64 {
            // Here both sizes are obligatory.
            fields.extend(extra(1, &[size.to_le_bytes(), packed.to_le_bytes()].concat()));
        }
        fields.extend(&entry.local_extra);
        if let Some((modulus, residue)) = entry.aligned {
            let start = self.bytes.len() + 30 + name.len() + fields.len() + 4;
            fields.extend(extra(0xD935, &vec![0; (residue + modulus - start % modulus) % modulus]));
        }
        self.mark_in(&at, "").raw(&LOCAL);
        self.mark_in(&at, "version").u16(if entry.zip64 { 45 } else { entry.version });
        self.mark_in(&at, "flags").u16(flags);
        self.mark_in(&at, "method").u16(entry.method).u16(TIME).u16(DATE);
        self.mark_in(&at, "crc").u32(crc_stated);
        self.mark_in(&at, "packed").u32(if entry.zip64 { U32 } else { packed as u32 });
        self.mark_in(&at, "size").u32(if entry.zip64 { U32 } else { size as u32 });
        self.mark_in(&at, "name_length").u16(name.len() as u16);
        self.mark_in(&at, "extra_length").u16(fields.len() as u16);
        self.mark_in(&at, "name").raw(name);
        self.mark_in(&at, "extra").raw(&fields);
        let data = self.place("data", index);
        self.mark_in(&data, "").raw(body).mark_in(&data, "end");
        if entry.descriptor == Descriptor::None {
            return;
        }
        let at = self.place("descriptor", index);
        self.mark_in(&at, "");
        if entry.descriptor == Descriptor::Signed {
            self.raw(b"PK\x07\x08");
        }
        self.u32(crc);
        for size in [body.len(), entry.data.len()] {
            if entry.zip64 {
                self.u64(size as u64)
            } else {
                self.u32(size as u32)
            };
        }
    }

    /// A record of the directory (4.3.12).
    fn central(&mut self, index: usize, entry: &Entry, packed: u64, crc: u32, place: u64) {
        let at = self.place("central", index);
        let size = entry.data.len() as u64;
        let mut fields = Vec::new();
        if entry.zip64 {
            fields = extra(1, &[size, packed, place].map(u64::to_le_bytes).concat());
        }
        fields.extend(&entry.central_extra);
        let flags = if entry.descriptor == Descriptor::None { 0 } else { DESCRIPTOR };
        let small = |value: u64| if entry.zip64 { U32 } else { value as u32 };
        self.mark_in(&at, "").raw(&CENTRAL);
        self.mark_in(&at, "made_by").u16(entry.made_by);
        self.mark_in(&at, "version").u16(if entry.zip64 { 45 } else { entry.version });
        self.mark_in(&at, "flags").u16(entry.flags | flags);
        self.mark_in(&at, "method").u16(entry.method).u16(TIME).u16(DATE);
        self.mark_in(&at, "crc").u32(crc);
        self.mark_in(&at, "packed").u32(small(packed));
        self.mark_in(&at, "size").u32(small(size));
        self.mark_in(&at, "name_length").u16(entry.name.len() as u16);
        self.mark_in(&at, "extra_length").u16(fields.len() as u16);
        self.mark_in(&at, "comment_length").u16(entry.comment.len() as u16);
        // The disk, and what the data is.
        self.u16(0).u16(0).u32(entry.attributes);
        self.mark_in(&at, "offset").u32(small(place));
        self.mark_in(&at, "name").raw(&entry.name).mark_in(&at, "extra");
        if entry.zip64 {
            self.mark_in(&at, "zip64");
        }
        self.raw(&fields);
        self.mark_in(&at, "comment").raw(&entry.comment);
    }

    /// The end of the directory (4.3.14 to 4.3.16); the ZIP64 record's place is counted like any other.
    fn end(&mut self, zip: &Zip, entries: u64, size: u64, offset: u64, base: u64) {
        if zip.end != End::Plain {
            let place = self.len() - base;
            self.mark("end64").raw(b"PK\x06\x06").mark("end64.length").u64(44).u16(45).u16(45).u32(0).u32(0);
            self.mark("end64.entries_here").u64(entries).mark("end64.entries").u64(entries);
            self.mark("end64.directory_size").u64(size).mark("end64.directory_offset").u64(offset);
            self.mark("locator").raw(b"PK\x06\x07").u32(0).mark("locator.offset").u64(place).u32(1);
        }
        let only64 = zip.end == End::Zip64;
        let (entries, size, offset) =
            if only64 { (u16::MAX, U32, U32) } else { (entries as u16, size as u32, offset as u32) };
        self.mark("end").raw(&END).u16(0).u16(0);
        self.mark("end.entries_here").u16(entries).mark("end.entries").u16(entries);
        self.mark("end.directory_size").u32(size).mark("end.directory_offset").u32(offset);
        self.mark("end.comment_length").u16(zip.comment.len() as u16).mark("end.comment").raw(&zip.comment);
    }
}

/// Bytes that no compression shortens, the same for the same seed.
pub fn noise(length: usize, seed: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2_654_435_761) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        (state >> 11) as u8
    };
    (0..length).map(|_| next()).collect()
}

/// Bytes that compress well.
pub fn text(lines: usize) -> Vec<u8> {
    (0..lines).flat_map(|line| format!("line {line}: the quick brown fox\n").into_bytes()).collect()
}
