//! Unpacks a compressed body: the result is the same file without compression.

use alloc::vec::Vec;
use std::io::{self, Read};

use flate2::bufread::GzDecoder;

use super::codes;
use super::header::{ANIMATION, Compression, Header, MODEL, POSE, Packed};
use crate::bytes::{to_u64, to_usize};
use crate::limits::Limits;
use crate::report::{Error, ErrorKind, ReadError, Section};

const BODY: Section = Section::named("body");

/// The header, if the bytes begin a file of one of the three kinds.
fn header(bytes: &[u8]) -> Option<Result<Header, Error>> {
    let kind = [MODEL, ANIMATION, POSE].into_iter().find(|kind| bytes.starts_with(kind))?;
    Some(Header::read(bytes, kind).map_err(ReadError::into_format))
}

/// Whether a file is a UEFormat file with a compressed body: [`unpack`] gives the bytes that the views read. A damaged header gives
/// `false`, because the views report it. O(1).
pub fn is_compressed(bytes: &[u8]) -> bool {
    matches!(header(bytes), Some(Ok(Header { packed: Some(_), .. })))
}

/// The same file without compression; `None` for a file that is not compressed, of whatever format. The header states the size: it is
/// compared with the limits before anything is allocated, and the buffer grows with the data.
///
/// ```
/// use skelmap::{archive::Limits, ueformat};
///
/// let bytes = std::fs::read("tests/corpus/ueformat/model/gzip.uemodel")?;
/// let unpacked = ueformat::unpack(&bytes, &Limits::default())?.ok_or("not compressed")?;
/// println!("{} bones", ueformat::Model::parse(&unpacked)?.bone_count());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of the header; `unpacked-limit` for a size over [`Limits::inflated`] or [`Limits::ratio`]; `unpacked-size`, `compressed-data`; and
/// [`OutOfMemory`](ErrorKind::OutOfMemory).
pub fn unpack(bytes: &[u8], limits: &Limits) -> Result<Option<Vec<u8>>, Error> {
    let Some(header) = header(bytes).transpose()? else { return Ok(None) };
    let Some(packed) = header.packed else { return Ok(None) };
    let at = |kind| Error::new(kind, BODY, header.body);
    let Packed { unpacked, packed: size, flag, .. } = packed;
    let is_over = u64::from(unpacked) > limits.inflated
        || u64::from(unpacked) > u64::from(size).saturating_mul(limits.ratio).saturating_add(MIN_LIMIT);
    if is_over {
        return Err(at(codes::UNPACKED_LIMIT.with([unpacked, size])));
    }
    let start = to_usize(header.body);
    let data = bytes.get(start..).and_then(|rest| rest.get(..to_usize(size.into()))).unwrap_or_default();
    // The header up to the flag, which is 0, and the body.
    let head = bytes.get(..to_usize(flag)).unwrap_or_default();
    let mut out = Vec::new();
    let expected = to_usize(to_u64(head.len()).saturating_add(1));
    out.try_reserve(expected).map_err(|_| at(ErrorKind::OutOfMemory { needed: to_u64(expected) }))?;
    out.extend_from_slice(head);
    out.push(0);
    let before = out.len();
    let mut left = data;
    let read = match packed.compression {
        Compression::Gzip => {
            let mut decoder = GzDecoder::new(left);
            let read = read_up_to(&mut decoder, unpacked, &mut out);
            left = decoder.into_inner();
            read
        }
        Compression::Zstd => unzstd(&mut left, unpacked, &mut out),
    };
    match read {
        Err(error) if error.kind() == io::ErrorKind::OutOfMemory => {
            return Err(at(ErrorKind::OutOfMemory { needed: unpacked.into() }));
        }
        Err(_) => return Err(at(codes::COMPRESSED_DATA.with([looks_like(data, packed.compression)]))),
        Ok(()) => {}
    }
    let found = out.len().saturating_sub(before);
    if to_u64(found) != u64::from(unpacked) {
        let found = if to_u64(found) > unpacked.into() { u32::MAX } else { u32::try_from(found).unwrap_or(u32::MAX) };
        return Err(at(codes::UNPACKED_SIZE.with([unpacked, found])));
    }
    // What follows the member or frame, or the compressed data, stays behind the body, where the views report it. Before version 10, where the
    // sections reach up to the end of the file, it would be read as one of them, and is left out.
    let behind = bytes.get(start.saturating_add(data.len())..).unwrap_or_default();
    for rest in [left, behind].into_iter().filter(|_| header.version >= FIRST_COUNTED) {
        out.try_reserve(rest.len()).map_err(|_| at(ErrorKind::OutOfMemory { needed: to_u64(rest.len()) }))?;
        out.extend_from_slice(rest);
    }
    Ok(Some(out))
}

/// A decoder of Zstandard gives nothing out before its window is full, so that the window is memory that a frame can claim. All decoders should
/// take 8 MiB (RFC 8878, section 3.1.1.1.2).
const MAX_WINDOW: u64 = 8 << 20;

/// Unpacks a frame, and moves the data behind it.
fn unzstd(data: &mut &[u8], stated: u32, out: &mut Vec<u8>) -> io::Result<()> {
    let invalid = || io::Error::from(io::ErrorKind::InvalidData);
    let window = window_of(data).ok_or_else(invalid)?;
    if window > MAX_WINDOW.max(stated.into()) {
        return Err(invalid());
    }
    let mut decoder = ruzstd::decoding::StreamingDecoder::new(data).map_err(|_| invalid())?;
    read_up_to(&mut decoder, stated, out)
}

/// The bytes of the window of a frame; `None` for bytes that are no frame.
fn window_of(frame: &[u8]) -> Option<u64> {
    let rest = frame.strip_prefix(&[0x28, 0xB5, 0x2F, 0xFD])?;
    let [descriptor, rest @ ..] = rest else { return None };
    if descriptor & 0x20 == 0 {
        let exponent = rest.first()? >> 3;
        let mantissa = rest.first()? & 7;
        let base = 1_u64.checked_shl(u32::from(exponent).saturating_add(10))?;
        return base.checked_add((base >> 3).checked_mul(mantissa.into())?);
    }
    // A single segment: the window is the content, whose size comes after the id of a dictionary.
    let id = [0_usize, 1, 2, 4].get(usize::from(descriptor & 3))?;
    let content = rest.get(*id..)?;
    match descriptor >> 6 {
        0 => content.first().map(|size| u64::from(*size)),
        1 => content.first_chunk().map(|size| u64::from(u16::from_le_bytes(*size)).saturating_add(256)),
        2 => content.first_chunk().map(|size| u64::from(u32::from_le_bytes(*size))),
        _ => content.first_chunk().map(|size| u64::from_le_bytes(*size)),
    }
}

/// The first version in which a body counts its sections.
const FIRST_COUNTED: u8 = 10;

/// Bytes that any compressed body may have.
const MIN_LIMIT: u64 = 64 << 10;

/// Reads at most one byte more than stated.
fn read_up_to(from: &mut impl Read, stated: u32, out: &mut Vec<u8>) -> io::Result<()> {
    let mut left = to_usize(u64::from(stated).saturating_add(1));
    let mut block = alloc::vec![0; left.min(BLOCK)];
    while left > 0 {
        let most = left.min(block.len());
        let read = match from.read(block.get_mut(..most).unwrap_or_default()) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let got = block.get(..read).unwrap_or_default();
        out.try_reserve(got.len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
        out.extend_from_slice(got);
        left = left.saturating_sub(read);
    }
    Ok(())
}

const BLOCK: usize = 128 << 10;

/// 1 for gzip data that is called Zstandard, 2 for the other way round.
fn looks_like(data: &[u8], compression: Compression) -> u32 {
    match (compression, data) {
        (Compression::Zstd, [0x1F, 0x8B, ..]) => 1,
        (Compression::Gzip, [0x28, 0xB5, 0x2F, 0xFD, ..]) => 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8878, section 3.1.1.1: the window descriptor, and the four sizes of a content size.
    #[test]
    fn the_window_of_a_frame_is_that_of_its_header() {
        let of = |header: &[u8]| window_of(&[&[0x28, 0xB5, 0x2F, 0xFD], header].concat());
        assert_eq!(
            [0x00, 0x01, 0x58, 0xFF].map(|own| of(&[0, own])),
            [1024, 1152, 2 << 20, 0x03C0_0000_0000].map(Some)
        );
        assert_eq!(of(&[0x20, 7]), Some(7));
        assert_eq!(of(&[0x60, 1, 2]), Some(256 + 0x201));
        assert_eq!(of(&[0xA0, 1, 2, 3, 4]), Some(0x0403_0201));
        assert_eq!(of(&[0xE0, 1, 0, 0, 0, 0, 0, 0, 0x80]), Some(0x8000_0000_0000_0001));
        assert_eq!(of(&[0x23, 9, 9, 9, 9, 7]), Some(7), "behind the id of a dictionary");
        assert_eq!((of(&[]), of(&[0]), of(&[0xE0, 1]), window_of(b"gzip data")), (None, None, None, None));
    }
}
