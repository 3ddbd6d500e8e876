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
        || u64::from(unpacked) > u64::from(size).saturating_mul(limits.ratio).saturating_add(LEAST);
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
    // What the decoder leaves: it takes no byte more than the member or the frame has.
    let mut left = data;
    let read = match packed.compression {
        Compression::Gzip => read_up_to(GzDecoder::new(&mut left), unpacked, &mut out),
        Compression::Zstd => match ruzstd::decoding::StreamingDecoder::new(&mut left) {
            Ok(decoder) => read_up_to(decoder, unpacked, &mut out),
            Err(_) => Err(io::ErrorKind::InvalidData.into()),
        },
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

/// The first version in which a body counts its sections.
const FIRST_COUNTED: u8 = 10;

/// Bytes that any compressed body may have.
const LEAST: u64 = 64 << 10;

/// Reads at most one byte more than stated.
fn read_up_to(mut from: impl Read, stated: u32, out: &mut Vec<u8>) -> io::Result<()> {
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
