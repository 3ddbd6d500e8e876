//! Errors of archives and of their entries.

use alloc::{boxed::Box, format, string::String};
use core::fmt::Display;
use std::io;
use std::path::PathBuf;

use super::codes;
use crate::mapping::OpenError;
use crate::report::{Code, ReadError};

/// A fault in an archive, or in one of its entries.
///
/// `Display` is one sentence that can follow `path: `.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{kind}", entry.as_ref().map_or_else(String::new, |entry| format!("entry {entry:?}: ")))]
pub struct ArchiveError {
    kind: ArchiveErrorKind,
    entry: Option<Box<str>>,
}

crate::kinds! {
    /// The kinds of fault. Each has a stable [`code`](ArchiveErrorKind::code).
    pub enum ArchiveErrorKind {
        /// The file has no end of a central directory, or an end whose offset lies outside of the file: not a ZIP archive, or a
        /// truncated one.
        NoDirectory = codes::NO_DIRECTORY,
            "the directory (the list of entries at the end) is missing: this is not a ZIP archive, or it is cut off";
        /// The directory is damaged.
        Directory {
            /// Entries before the damage.
            entries: u64,
            /// The damage.
            reason: String,
        } = codes::DIRECTORY, "the directory is damaged after {entries} entries: {reason}";
        /// The directory has a different number of entries than its end states.
        EntryCount {
            /// The number stated.
            stated: u64,
            /// The number found.
            found: u64,
        } = codes::ENTRY_COUNT, "the directory has {found} entries, but its end states {stated}";
        /// The archive has more entries than the limit.
        TooManyEntries {
            /// Entries stated.
            count: u64,
            /// The limit.
            limit: u64,
        } = codes::TOO_MANY_ENTRIES, "there are {count} entries, more than the limit of {limit}";
        /// The directory is larger than the limit.
        DirectoryTooLarge {
            /// Bytes of the directory.
            size: u64,
            /// The limit.
            limit: u64,
        } = codes::DIRECTORY_TOO_LARGE, "the directory has {size} bytes, more than the limit of {limit}";
        /// Two entries share bytes, as in a ZIP bomb.
        Overlap {
            /// The name of the other entry.
            other: Box<str>,
        } = codes::OVERLAP, "its bytes overlap those of {other:?}";
        /// The data of the entry lies outside of the archive, or the local header is damaged.
        LocalHeader {
            /// The offset of the local header.
            offset: u64,
        } = codes::LOCAL_HEADER, "its local header at byte {offset} is damaged, or its data ends after the archive";
        /// The local header has a different name than the directory.
        LocalName {
            /// The name in the local header.
            local: Box<str>,
        } = codes::LOCAL_NAME, "its local header has the name {local:?}";
        /// A compression or encryption that skelmap does not read.
        Unsupported {
            /// The compression or encryption.
            method: Box<str>,
        } = codes::UNSUPPORTED, "it is {method}, which skelmap cannot read";
        /// The entry is larger than the limit.
        TooLarge {
            /// Bytes stated.
            size: u64,
            /// The limit.
            limit: u64,
        } = codes::TOO_LARGE, "the archive states {size} bytes of data, more than the limit of {limit}";
        /// The data has a different size than the directory states.
        Size {
            /// Bytes stated.
            stated: u64,
            /// The size of the data: a number, or `more`.
            found: Box<str>,
        } = codes::SIZE, "the archive states {stated} bytes of data, but the data has {found}: the archive is damaged";
        /// The compressed data is damaged.
        Deflate = codes::DEFLATE, "its compressed data is damaged";
        /// The data has a different checksum than the directory states.
        Checksum {
            /// The checksum stated.
            stated: u32,
            /// The checksum of the data.
            found: u32,
        } = codes::CHECKSUM, "its checksum is {found:08X}, expected {stated:08X}";
        /// No entry has the name.
        NoSuchEntry = codes::NO_SUCH_ENTRY, "there is no such entry";
        /// The name is not a path below a folder: it is absolute, has `..` or a drive, or has another meaning on some system.
        UnsafeName {
            /// The fault of the name.
            reason: &'static str,
        } = codes::UNSAFE_NAME, "the name is not safe as a path: {reason}";
    }
}

impl ArchiveError {
    pub(super) const fn of_archive(kind: ArchiveErrorKind) -> Self {
        Self { kind, entry: None }
    }

    pub(super) fn of_entry(kind: ArchiveErrorKind, entry: impl Display) -> Self {
        Self { kind, entry: Some(format!("{entry}").into()) }
    }

    /// The stable name of the fault.
    pub const fn code(&self) -> Code {
        self.kind.code()
    }

    /// The kind of fault.
    pub const fn kind(&self) -> &ArchiveErrorKind {
        &self.kind
    }

    /// The name of the entry with the fault; `None` for a fault of the archive.
    pub fn entry(&self) -> Option<&str> {
        self.entry.as_deref()
    }
}

/// Why a directory or an entry cannot be located in a source.
pub type DirectoryError<E> = ReadError<E, ArchiveError>;

/// Why the file or entry at an [`Address`](super::Address) cannot be opened.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AddressError {
    /// The file cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The archive or the entry cannot be read.
    #[error("{}: {error}", path.display())]
    Archive {
        /// The path of the archive.
        path: PathBuf,
        /// The fault.
        #[source]
        error: ArchiveError,
    },
}

impl AddressError {
    /// The error without the path, for callers that print the path themselves.
    pub fn into_io(self) -> io::Error {
        match self {
            Self::Open(error) => error.into_io(),
            Self::Archive { error, .. } => io::Error::new(io::ErrorKind::InvalidData, error),
        }
    }
}
