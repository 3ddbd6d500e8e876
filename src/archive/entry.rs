//! The entries of an archive, as its directory describes them.

use alloc::string::{String, ToString};
use core::fmt::{self, Debug, Formatter};
use core::ops::Range;

use super::error::{ArchiveError, ArchiveErrorKind};
use super::name::EntryName;
use super::record::Record;
use super::records::Records;
use crate::bytes::mapped;

/// The compression of an entry's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// No compression.
    Stored,
    /// Deflate.
    Deflated,
    /// Another compression, by its number in ZIP. skelmap cannot read such data.
    Other(u16),
}

/// The name of a compression in the specification of ZIP (4.4.5).
pub(super) const fn method_name(number: u16) -> &'static str {
    match number {
        1 => "SHRUNK",
        2 => "REDUCE1",
        3 => "REDUCE2",
        4 => "REDUCE3",
        5 => "REDUCE4",
        6 => "IMPLODED",
        9 => "DEFLATE64",
        12 => "BZIP2",
        14 => "LZMA",
        93 => "ZSTD",
        95 => "XZ",
        98 => "PPMD",
        99 => "AES",
        _ => "UNKNOWN",
    }
}

/// An entry of an archive, as the directory describes it. Borrows the [`Archive`](super::Archive) or the
/// [`Directory`](super::Directory).
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    pub(super) index: usize,
    pub(super) record: Record<'a>,
}

/// An entry to open: a name, or an [`Entry`] that was found before in the same archive. Made of either.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_enums, reason = "an entry is named or known")]
pub enum EntryKey<'a> {
    /// The name, as [`Directory::entry`](super::Directory::entry) takes it.
    Name(&'a str),
    /// The entry itself.
    Entry(Entry<'a>),
}

impl<'a> From<&'a str> for EntryKey<'a> {
    fn from(name: &'a str) -> Self {
        Self::Name(name)
    }
}

impl<'a> From<&&'a str> for EntryKey<'a> {
    fn from(name: &&'a str) -> Self {
        Self::Name(name)
    }
}

impl<'a> From<&'a String> for EntryKey<'a> {
    fn from(name: &'a String) -> Self {
        Self::Name(name)
    }
}

impl<'a> From<Entry<'a>> for EntryKey<'a> {
    fn from(entry: Entry<'a>) -> Self {
        Self::Entry(entry)
    }
}

impl<'a> From<&Entry<'a>> for EntryKey<'a> {
    fn from(entry: &Entry<'a>) -> Self {
        Self::Entry(*entry)
    }
}

impl<'a> Entry<'a> {
    #[inline]
    pub(super) fn find(records: Records<'a>, index: usize) -> Option<Self> {
        Some(Self { index, record: records.get(index)? })
    }

    /// The index of the entry in the directory.
    pub const fn index(&self) -> usize {
        self.index
    }

    /// The name.
    pub const fn name(&self) -> EntryName<'a> {
        self.record.name
    }

    /// Size of the data, from the directory.
    pub const fn size(&self) -> u64 {
        self.record.size
    }

    /// Size of the data inside the archive, from the directory.
    pub const fn compressed_size(&self) -> u64 {
        self.record.compressed
    }

    /// The compression of the data.
    pub const fn method(&self) -> Method {
        match self.record.method {
            0 => Method::Stored,
            8 => Method::Deflated,
            other => Method::Other(other),
        }
    }

    /// The offset of the local header in the archive, from the directory. Entries do not overlap: reading them in the order of
    /// this offset reads the archive forward.
    pub const fn header_offset(&self) -> u64 {
        self.record.local
    }

    /// The checksum (CRC-32) of the data, from the directory.
    pub const fn crc32(&self) -> u32 {
        self.record.crc32
    }

    /// Checks that the data has the stated size.
    pub(super) fn check_size(&self, found: u64) -> Result<(), ArchiveError> {
        let stated = self.size();
        if found == stated {
            return Ok(());
        }
        let kind = ArchiveErrorKind::Size { stated, found: found.to_string().into() };
        Err(ArchiveError::of_entry(kind, self.name()))
    }
}

impl Debug for Entry<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name()).field("size", &self.size()).finish_non_exhaustive()
    }
}

/// The entries of an archive, in the order of its directory.
#[derive(Clone)]
pub struct Entries<'a> {
    records: Records<'a>,
    indexes: Range<usize>,
}

impl<'a> Entries<'a> {
    pub(super) const fn new(records: Records<'a>) -> Self {
        Self { records, indexes: 0..records.places.len() }
    }
}

mapped!(Entries<'a>.indexes => Entry<'a>, |entries: &Self, index| Entry::find(entries.records, index));

impl Debug for Entries<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
