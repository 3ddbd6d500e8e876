//! The entries of an archive, as its directory describes them.

use core::fmt::{self, Debug, Formatter};
use core::iter::Enumerate;
use core::slice;

use rawzip::CompressionMethod;

use super::name::EntryName;
use super::record::Record;
use crate::bytes::mapped;

/// The compression of an entry's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// No compression.
    Stored,
    /// Deflate.
    Deflated,
    /// Another compression, by its number in ZIP. Such data is not read.
    Other(u16),
}

/// An entry of an archive, as the directory describes it. Borrows the [`Archive`](super::Archive).
#[derive(Clone, Copy)]
pub struct Entry<'a> {
    index: usize,
    pub(super) record: &'a Record,
    name: EntryName<'a>,
}

impl<'a> Entry<'a> {
    pub(super) fn new(index: usize, record: &'a Record, bytes: &'a [u8]) -> Self {
        Self { index, record, name: record.name(bytes) }
    }

    /// The index of the entry in the directory.
    pub const fn index(&self) -> usize {
        self.index
    }

    /// The name.
    pub const fn name(&self) -> EntryName<'a> {
        self.name
    }

    /// Bytes of the data, as the directory states.
    pub const fn size(&self) -> u64 {
        self.record.size
    }

    /// Bytes of the data inside the archive, as the directory states.
    pub const fn compressed_size(&self) -> u64 {
        self.record.compressed
    }

    /// The compression of the data.
    pub const fn method(&self) -> Method {
        match self.record.method {
            CompressionMethod::STORE => Method::Stored,
            CompressionMethod::DEFLATE => Method::Deflated,
            other => Method::Other(other.as_u16()),
        }
    }
}

impl Debug for Entry<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).field("size", &self.size()).finish_non_exhaustive()
    }
}

/// The entries of an archive, in the order of its directory.
#[derive(Clone)]
pub struct Entries<'a> {
    bytes: &'a [u8],
    records: Enumerate<slice::Iter<'a, Record>>,
}

impl<'a> Entries<'a> {
    pub(super) fn new(records: &'a [Record], bytes: &'a [u8]) -> Self {
        Self { bytes, records: records.iter().enumerate() }
    }
}

mapped!(Entries<'a>.records => Entry<'a>, |entries: &Self, (index, record)| {
    Some(Entry::new(index, record, entries.bytes))
});

impl Debug for Entries<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
