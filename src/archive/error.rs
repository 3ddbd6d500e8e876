//! What is wrong with an archive, and with which entry of it.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt::{self, Display, Formatter};

/// A fault in an archive, or in one of its entries.
///
/// `Display` is one sentence fit to follow `path: `.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ArchiveError {
    kind: ArchiveErrorKind,
    entry: Option<Box<str>>,
}

/// The kinds of fault. Each has a stable [`code`](ArchiveErrorKind::code).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveErrorKind {
    /// There is no end of a central directory, or none that tells a place inside the file: no ZIP archive, or one that is cut
    /// short.
    #[error("there is no end of a ZIP directory: this is no archive, or it is cut short")]
    NoDirectory,
    /// The directory cannot be read to its end.
    #[error("the directory is damaged after {entries} entries: {reason}")]
    Directory {
        /// Entries read before it.
        entries: u64,
        /// What was met.
        reason: String,
    },
    /// The directory has another number of entries than its end says.
    #[error("the end of the directory says {stated} entries, {found} are there")]
    EntryCount {
        /// The number stated.
        stated: u64,
        /// The number found.
        found: u64,
    },
    /// More entries than the limit allows.
    #[error("there are {count} entries, more than the limit of {limit}")]
    TooManyEntries {
        /// Entries stated.
        count: u64,
        /// The limit.
        limit: u64,
    },
    /// Two entries share bytes, as in an archive made to blow up.
    #[error("its bytes overlap those of {other:?}")]
    Overlap {
        /// The name of the other entry.
        other: Box<str>,
    },
    /// The entry's data lies outside of the archive, or its local header is damaged.
    #[error("its local header at byte {offset} is damaged or its data reaches past the archive")]
    LocalHeader {
        /// Where the local header should be.
        offset: u64,
    },
    /// The local header gives another name than the directory.
    #[error("its local header calls it {local:?}")]
    LocalName {
        /// The name in the local header.
        local: Box<str>,
    },
    /// A way to compress or encrypt that is not supported.
    #[error("it is {method}, which skelmap does not read")]
    Unsupported {
        /// What it is.
        method: Box<str>,
    },
    /// The entry is larger than the limit allows.
    #[error("it says it has {size} bytes, more than the limit of {limit}")]
    TooLarge {
        /// Bytes stated.
        size: u64,
        /// The limit.
        limit: u64,
    },
    /// The data does not give as many bytes as the directory says.
    #[error("it says it has {stated} bytes, its data {found}")]
    Size {
        /// Bytes stated.
        stated: u64,
        /// What the data gives: a number, or that it is more.
        found: Box<str>,
    },
    /// The compressed data is damaged.
    #[error("its compressed data is damaged")]
    Deflate,
    /// The data has another checksum than the directory says.
    #[error("its checksum is {found:08X}, expected {stated:08X}")]
    Checksum {
        /// The checksum stated.
        stated: u32,
        /// That of the data.
        found: u32,
    },
    /// No entry has the name asked for.
    #[error("there is no such entry")]
    NoSuchEntry,
    /// The name cannot be a path below a folder: absolute, with `..`, with a drive, or otherwise not portable.
    #[error("its name is no path below a folder: {reason}")]
    UnsafeName {
        /// What is wrong with it.
        reason: &'static str,
    },
}

impl ArchiveErrorKind {
    /// The stable name of this kind, as the command line prints it.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoDirectory => "zip-no-directory",
            Self::Directory { .. } => "zip-directory",
            Self::EntryCount { .. } => "zip-entry-count",
            Self::TooManyEntries { .. } => "zip-too-many-entries",
            Self::Overlap { .. } => "zip-overlap",
            Self::LocalHeader { .. } => "zip-local-header",
            Self::LocalName { .. } => "zip-local-name",
            Self::Unsupported { .. } => "zip-unsupported",
            Self::TooLarge { .. } => "zip-too-large",
            Self::Size { .. } => "zip-size",
            Self::Deflate => "zip-deflate",
            Self::Checksum { .. } => "zip-checksum",
            Self::NoSuchEntry => "zip-no-such-entry",
            Self::UnsafeName { .. } => "zip-unsafe-name",
        }
    }
}

impl ArchiveError {
    pub(super) const fn of_archive(kind: ArchiveErrorKind) -> Self {
        Self { kind, entry: None }
    }

    pub(crate) fn of_entry(kind: ArchiveErrorKind, entry: impl Display) -> Self {
        Self { kind, entry: Some(alloc::format!("{entry}").into()) }
    }

    /// What is wrong.
    pub const fn kind(&self) -> &ArchiveErrorKind {
        &self.kind
    }

    /// The name of the entry that is wrong; `None` where it is the archive.
    pub fn entry(&self) -> Option<&str> {
        self.entry.as_deref()
    }
}

impl Display for ArchiveError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.entry {
            Some(entry) => write!(f, "entry {entry:?}: {}", self.kind),
            None => write!(f, "{}", self.kind),
        }
    }
}
