//! Maya's blend-shape curves: chunks with the name of a sequence. The record size depends on the number of frames.

use super::chunk::Chunk;
use super::record::AnimInfo;
use crate::bytes::{Cursor, Float, Name, records};

/// Bytes of a curve's name; the weights follow.
const NAME_LEN: u32 = 128;
/// Bytes of a sequence's name in the id of a curve chunk.
const ID_NAME_LEN: usize = 14;

/// The curves of one sequence (see [`Psa::curves_of`](super::Psa::curves_of)). Chunk `<name>:CUR`: 128 bytes and a weight for
/// each frame, for each curve (ActorX reference, section 4.4).
#[derive(Clone, Copy, Debug)]
pub struct CurveChunk<'a> {
    pub(super) chunk: Chunk<'a>,
}

/// The weights of one blend shape over the frames of a sequence.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Curve<'a> {
    /// The blend shape's name.
    pub name: &'a Name<128>,
    /// A weight for each frame.
    pub weights: &'a [Float],
}

impl<'a> CurveChunk<'a> {
    /// The chunk. Its id has the first 14 bytes of the sequence's name.
    pub const fn chunk(&self) -> &Chunk<'a> {
        &self.chunk
    }

    /// The part of the sequence's name in the id.
    pub(super) fn owner(&self) -> &'a [u8] {
        let id = self.chunk.id.as_bytes();
        id.strip_suffix(b":CUR").unwrap_or(id)
    }

    /// The number of weights in each curve.
    pub const fn frame_count(&self) -> u32 {
        self.chunk.record_size.saturating_sub(NAME_LEN) / 4
    }

    /// The curves.
    pub fn curves(&self) -> impl Iterator<Item = Curve<'a>> + use<'a> {
        let mut cursor = Cursor::new(self.chunk.body);
        let frames = self.frame_count();
        core::iter::from_fn(move || {
            let name = cursor.read()?;
            Some(Curve { name, weights: records(cursor.take(4, frames)?) })
        })
    }
}

/// The record size: as stored, rounded up to a name and whole weights.
pub(super) fn record_size(stated: u32) -> u32 {
    stated.max(NAME_LEN).checked_next_multiple_of(4).unwrap_or(u32::MAX)
}

/// The part of a sequence's name in the id of its curve chunk.
pub(super) fn id_name(info: &AnimInfo) -> &[u8] {
    let name = info.name().key();
    name.get(..ID_NAME_LEN).unwrap_or(name)
}
