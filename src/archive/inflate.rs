//! Inflates deflated data into one reusable buffer. The buffer never grows beyond the size that the data can have.

use alloc::{borrow::ToOwned, string::ToString, vec::Vec};
use core::fmt::{self, Debug, Formatter};

use flate2::{Decompress, FlushDecompress, Status};

use super::error::ArchiveErrorKind;
use crate::bytes::to_u64;
use crate::limits::MAX_FROM_ONE;

/// Inflates the data of entries, one after the other, into an internal buffer.
///
/// ```
/// use skelmap::archive::{Archive, Inflater};
///
/// let archive = Archive::parse(std::fs::read("tests/corpus/archive/mod.zip")?)?;
/// let mut inflater = Inflater::new();
/// for entry in archive.entries() {
///     archive.check(&entry, archive.read(&entry, &mut inflater)?)?;
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Inflater {
    state: Decompress,
    /// One byte more than the largest data so far.
    buffer: Vec<u8>,
    /// Bytes of the last inflated data.
    length: usize,
}

impl Inflater {
    /// An inflater with an empty buffer.
    pub fn new() -> Self {
        Self { state: Decompress::new(false), buffer: Vec::new(), length: 0 }
    }

    /// Inflates raw deflate data with a stated size.
    pub(super) fn inflate(&mut self, data: &[u8], stated: u64, limit: u64) -> Result<&[u8], ArchiveErrorKind> {
        if stated > limit {
            return Err(ArchiveErrorKind::TooLarge { size: stated, limit });
        }
        let most = to_u64(data.len()).saturating_mul(MAX_FROM_ONE);
        if stated > most {
            return Err(ArchiveErrorKind::Size { stated, found: alloc::format!("at most {most}").into() });
        }
        let size = usize::try_from(stated).map_err(|_| ArchiveErrorKind::TooLarge { size: stated, limit })?;
        // One byte more than stated, to detect a larger size. The rest of a longer buffer is not used, so that the result does
        // not depend on earlier data.
        let length = size.saturating_add(1);
        if self.buffer.len() < length {
            self.buffer = alloc::vec![0; length];
        }
        self.state.reset(false);
        let out = self.buffer.get_mut(..length).unwrap_or_default();
        let status = self.state.decompress(data, out, FlushDecompress::Finish);
        self.length = usize::try_from(self.state.total_out()).unwrap_or(usize::MAX).min(length);
        let ended = match status {
            Ok(Status::StreamEnd) => true,
            Ok(_) if self.length > size => false,
            Ok(_) | Err(_) => return Err(ArchiveErrorKind::Deflate),
        };
        if self.length != size {
            let found = if ended { self.length.to_string() } else { "more".to_owned() };
            return Err(ArchiveErrorKind::Size { stated, found: found.into() });
        }
        Ok(self.buffer.get(..size).unwrap_or_default())
    }

    /// The buffer, with the last inflated data.
    pub fn into_buffer(mut self) -> Vec<u8> {
        self.buffer.truncate(self.length);
        self.buffer
    }
}

impl Default for Inflater {
    fn default() -> Self {
        Self::new()
    }
}

impl Debug for Inflater {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Inflater").field("capacity", &self.buffer.len()).finish_non_exhaustive()
    }
}
