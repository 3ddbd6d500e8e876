//! Writes zstd frames of raw and RLE blocks: valid frames without a compressor (RFC 8878).

const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
/// The largest block.
pub const MAX_BLOCK: usize = 128 * 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Raw = 0,
    Rle = 1,
}

fn block(out: &mut Vec<u8>, kind: Kind, size: usize, is_last: bool, body: &[u8]) {
    let header = (size as u32) << 3 | (kind as u32) << 1 | u32::from(is_last);
    out.extend_from_slice(&header.to_le_bytes()[..3]);
    out.extend_from_slice(body);
}

/// A frame header: with the size of the content, or with the size of a window of 2 MiB alone.
fn header(size: Option<usize>) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    if let Some(size) = size {
        // Four bytes of size, one segment.
        out.push(0xA0);
        out.extend_from_slice(&(size as u32).to_le_bytes());
    } else {
        out.extend_from_slice(&[0x00, 11 << 3]);
    }
    out
}

/// One frame: bytes that repeat become an RLE block, the others raw blocks.
pub fn frame(bytes: &[u8], says_size: bool) -> Vec<u8> {
    let mut out = header(says_size.then_some(bytes.len()));
    if bytes.is_empty() {
        block(&mut out, Kind::Raw, 0, true, &[]);
    }
    let count = bytes.len().div_ceil(MAX_BLOCK);
    for (at, part) in bytes.chunks(MAX_BLOCK).enumerate() {
        let is_last = at + 1 == count;
        if part.len() > 1 && part.iter().all(|byte| *byte == part[0]) {
            block(&mut out, Kind::Rle, part.len(), is_last, &part[..1]);
        } else {
            block(&mut out, Kind::Raw, part.len(), is_last, part);
        }
    }
    out
}

/// The frame of zero bytes: 4 bytes for each 128 KiB.
pub fn bomb(size: usize, says_size: bool) -> Vec<u8> {
    let mut out = header(says_size.then_some(size));
    let mut left = size;
    loop {
        let part = left.min(MAX_BLOCK);
        left -= part;
        block(&mut out, Kind::Rle, part, left == 0, &[0]);
        if left == 0 {
            return out;
        }
    }
}
