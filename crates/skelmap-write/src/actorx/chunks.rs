//! Chunks: a header, and records.

use std::io::{self, Write};

use skelmap::actorx::{ChunkHeader, ChunkId};
use zerocopy::{Immutable, IntoBytes};

use super::ActorxError;

/// The type flag of the exporters of Unreal.
const FLAG: u32 = 1_999_801;

/// Writes the header of a chunk of records of a type.
pub(super) fn write_header<T>(id: &str, count: usize, out: &mut impl Write) -> Result<(), ActorxError> {
    let limit = usize::try_from(i32::MAX).unwrap_or(usize::MAX);
    let number =
        |value: usize, what| i32::try_from(value).map_err(|_| ActorxError::TooMany { count: value, what, limit });
    let (size, count) = (number(size_of::<T>(), "bytes in a record")?, number(count, "records in a chunk")?);
    let id = ChunkId::new(id.as_bytes()).ok_or_else(|| io::Error::other("an id has at most 20 bytes"))?;
    Ok(out.write_all(ChunkHeader::new(id, FLAG, size, count).as_bytes())?)
}

/// Writes a chunk.
pub(super) fn write_chunk<T: IntoBytes + Immutable>(
    id: &str,
    records: &[T],
    out: &mut impl Write,
) -> Result<(), ActorxError> {
    write_header::<T>(id, records.len(), out)?;
    Ok(out.write_all(records.as_bytes())?)
}

/// Writes the chunk without records that begins a file.
pub(super) fn write_head(id: &str, out: &mut impl Write) -> Result<(), ActorxError> {
    write_header::<()>(id, 0, out)
}
