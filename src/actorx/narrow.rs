//! A copy of a file whose records carry more than the format's, without the surplus.

use alloc::vec::Vec;

use super::chunk::{Chunk, Chunks};
use super::layout::known_size;
use crate::error::Error;
use crate::format::Format;
use crate::quirk::{Quirk, QuirkKind};

/// A file copied with every record cut to the format's size, and what was cut.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Narrow {
    /// The copy, which [`Psk::parse`](super::Psk::parse) or [`Psa::parse`](super::Psa::parse) reads.
    pub bytes: Vec<u8>,
    /// A [`QuirkKind::WideRecords`] for each chunk that was cut, with its place in the original.
    pub quirks: Vec<Quirk>,
}

/// Copies a file in which records are wider than the format's, so that no slice can view them
/// ([`RecordTooWide`](crate::ErrorKind::RecordTooWide)): each record keeps its known prefix (ActorX reference, section 1.1).
///
/// Copies every other chunk as it is. O(file) in time and memory. No such file is known from the wild.
///
/// # Errors
/// Those of the chunk walk, and of [`Format::sniff`].
pub fn to_narrow(bytes: &[u8]) -> Result<Narrow, Error> {
    let format = Format::sniff(bytes)?;
    let mut narrow = Narrow { bytes: Vec::new(), quirks: Vec::new() };
    for chunk in Chunks::new(bytes) {
        let chunk = chunk?;
        match known_size(format, &chunk) {
            Some(known) if chunk.count > 0 && chunk.record_size > known => {
                narrow.quirks.push(chunk.quirk(QuirkKind::WideRecords));
                copy_header(&mut narrow.bytes, &chunk, known.to_le_bytes());
                copy_prefixes(&mut narrow.bytes, &chunk, known);
            }
            _ => {
                copy_header(&mut narrow.bytes, &chunk, chunk.declared_size.to_le_bytes());
                narrow.bytes.extend_from_slice(chunk.body);
            }
        }
    }
    Ok(narrow)
}

fn copy_header(to: &mut Vec<u8>, chunk: &Chunk<'_>, record_size: [u8; 4]) {
    to.extend_from_slice(chunk.id.raw());
    to.extend_from_slice(&chunk.type_flag.to_le_bytes());
    to.extend_from_slice(&record_size);
    to.extend_from_slice(&chunk.declared_count.to_le_bytes());
}

/// Copies the first `known` bytes of each record, of which there are more.
fn copy_prefixes(to: &mut Vec<u8>, chunk: &Chunk<'_>, known: u32) {
    let wide = usize::try_from(chunk.record_size).unwrap_or(usize::MAX);
    let known = usize::try_from(known).unwrap_or(usize::MAX);
    for record in chunk.body.chunks_exact(wide) {
        to.extend_from_slice(record.get(..known).unwrap_or(record));
    }
}
