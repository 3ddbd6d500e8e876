//! Archives of stored entries whose data is aligned, by APPNOTE 6.3.10.
//!
//! rawzip 0.5 cannot write one like it: it never goes back in its output, so that the local header of each file has the sizes and the
//! checksum 0, and a data descriptor follows the data. A program that reads a ZIP file as a stream cannot find the end of stored data
//! then.

use std::io::{self, Seek, SeekFrom, Write};

use super::Input;

/// From this number on, a size or an offset needs the long form (ZIP64).
const LARGE: u64 = u32::MAX as u64;

/// The version of the format that the long form needs, and that of all else.
const LONG_VERSION: u16 = 45;
const VERSION: u16 = 10;

/// The bytes of a local header before the name.
const LOCAL: u64 = 30;

/// An archive that is being written.
pub(super) struct Archive<W> {
    out: W,
    /// The bytes that are written.
    at: u64,
    alignment: u16,
    directory: Vec<u8>,
    entries: u64,
}

/// A file in the archive.
struct Entry<'a> {
    name: &'a str,
    start: u64,
    is_large: bool,
    alignment: u16,
    size: u64,
    crc: u32,
}

impl<W: Write + Seek> Archive<W> {
    /// An archive at the beginning of an output. `alignment`: a power of two, of which the place of all data is a multiple.
    pub(super) const fn new(out: W, alignment: u16) -> Self {
        Self { out, at: 0, alignment, directory: Vec::new(), entries: 0 }
    }

    /// Adds a file. `size`: the expected number of its bytes.
    pub(super) fn add(&mut self, name: &str, size: u64, mut data: Input<'_>) -> io::Result<()> {
        let mut entry =
            Entry { name, start: self.at, is_large: size >= LARGE, alignment: self.alignment, size: 0, crc: 0 };
        // The header is written again when the checksum is known.
        let placeholder = entry.header(b"PK\x03\x04", &[])?;
        self.out.write_all(&placeholder)?;
        entry.size = io::copy(&mut data, &mut self.out)?;
        entry.crc = data.crc.finalize();
        if !entry.is_large && entry.size >= LARGE {
            return Err(io::Error::other(format!("{name}: the file grew beyond 4 GiB while it was read")));
        }
        self.out.seek(SeekFrom::Start(entry.start))?;
        self.out.write_all(&entry.header(b"PK\x03\x04", &[])?)?;
        self.at = entry.start + placeholder.len() as u64 + entry.size;
        self.out.seek(SeekFrom::Start(self.at))?;
        // No comment, the first disk, and on Unix a file that all may read.
        let attributes = [&[0; 6][..], &(0o100_644_u32 << 16).to_le_bytes(), &short(entry.start)].concat();
        self.directory.extend(entry.header(b"PK\x01\x02\x0A\x03", &attributes)?);
        self.entries += 1;
        Ok(())
    }

    /// Writes the directory and the end.
    pub(super) fn finish(mut self) -> io::Result<W> {
        let (start, size, entries) = (self.at, self.directory.len() as u64, self.entries);
        let mut end = self.directory;
        if entries > u64::from(u16::MAX) || size.max(start) > LARGE {
            end.extend(b"PK\x06\x06");
            end.extend(44_u64.to_le_bytes());
            end.extend([LONG_VERSION; 2].map(u16::to_le_bytes).concat());
            end.extend([0; 8]);
            end.extend([entries, entries, size, start].map(u64::to_le_bytes).concat());
            end.extend(b"PK\x06\x07\0\0\0\0");
            end.extend((start + size).to_le_bytes());
            end.extend(1_u32.to_le_bytes());
        }
        end.extend(b"PK\x05\x06\0\0\0\0");
        end.extend([u16::try_from(entries).unwrap_or(u16::MAX); 2].map(u16::to_le_bytes).concat());
        end.extend([size, start].map(short).concat());
        end.extend([0; 2]);
        self.out.write_all(&end)?;
        Ok(self.out)
    }
}

/// The four bytes of a number, which are all ones if it has the long form.
fn short(number: u64) -> [u8; 4] {
    u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes()
}

impl Entry<'_> {
    /// The extra fields: the long form of numbers, and the padding in front of the data.
    fn extra(&self) -> Vec<u8> {
        let sizes = [self.size; 2].into_iter().filter(|_| self.is_large);
        let long: Vec<u8> =
            sizes.chain(Some(self.start).filter(|start| *start >= LARGE)).flat_map(u64::to_le_bytes).collect();
        let mut extra = Vec::new();
        if !long.is_empty() {
            extra.extend([1, 0, u8::try_from(long.len()).unwrap_or(u8::MAX), 0]);
            extra.extend(long);
        }
        let (alignment, end) = (u64::from(self.alignment), self.start + LOCAL + (self.name.len() + extra.len()) as u64);
        let missing = end.next_multiple_of(alignment) - end;
        // A field has a header of four bytes, and this one begins with the alignment.
        let padding = (missing..).step_by(self.alignment.into()).find(|padding| *padding == 0 || *padding >= 6);
        if let Some(rest) = padding.and_then(|padding| u16::try_from(padding).ok()?.checked_sub(4)) {
            extra.extend([0xA11E, rest, self.alignment].map(u16::to_le_bytes).concat());
            extra.resize(extra.len() + usize::from(rest) - 2, 0);
        }
        extra
    }

    /// The header of the data or of the directory, whose fields have other ones before and between them.
    fn header(&self, before: &[u8], between: &[u8]) -> io::Result<Vec<u8>> {
        let extra = self.extra();
        let version = if self.is_large || self.start >= LARGE { LONG_VERSION } else { VERSION };
        let flags = if self.name.is_ascii() { 0 } else { 1 << 11 };
        // The first date that ZIP has.
        let (method, time, date) = (0, 0, 1 << 5 | 1);
        let size = if self.is_large { u64::MAX } else { self.size };
        let lengths = [self.name.len(), extra.len()].map(u16::try_from);
        let [Ok(name), Ok(rest)] = lengths else {
            return Err(io::Error::other(format!("{}: the name is too long", self.name)));
        };
        let mut header = before.to_vec();
        header.extend([version, flags, method, time, date].map(u16::to_le_bytes).concat());
        header.extend(self.crc.to_le_bytes());
        header.extend([size; 2].map(short).concat());
        header.extend([name, rest].map(u16::to_le_bytes).concat());
        header.extend([between, self.name.as_bytes(), &extra].concat());
        Ok(header)
    }
}
