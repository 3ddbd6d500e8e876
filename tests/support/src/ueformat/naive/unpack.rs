//! Compressed bodies: gzip by a library, zstd frames of raw and RLE blocks by hand.

use std::io::Read as _;

/// The bytes of a frame, and how many packed bytes it has. At most one byte more than the size is wanted.
pub type Unpack = fn(packed: &[u8], size: usize) -> Result<(Vec<u8>, usize), String>;

/// The first member of a gzip file.
pub(super) fn gzip(packed: &[u8], size: usize) -> Result<(Vec<u8>, usize), String> {
    let mut rest = packed;
    let mut bytes = Vec::new();
    // A decoder of bytes in memory takes no byte more than the member has.
    let decoder = flate2::bufread::GzDecoder::new(&mut rest);
    decoder.take(size as u64 + 1).read_to_end(&mut bytes).map_err(|error| format!("gzip: {error}"))?;
    Ok((bytes, packed.len() - rest.len()))
}

/// The first frame, if it has no compressed block. Its checksum is not compared.
pub fn zstd_without_compression(packed: &[u8], size: usize) -> Result<(Vec<u8>, usize), String> {
    let mut at = 0;
    let mut take = |count: usize| {
        let taken = packed.get(at..at + count).ok_or("zstd: the frame is cut short")?;
        at += count;
        Ok::<_, String>(taken)
    };
    let magic = take(4)?;
    if magic.starts_with(&[0x1F, 0x8B]) {
        return Err("zstd: no frame, the data looks like gzip".into());
    }
    if magic != [0x28, 0xB5, 0x2F, 0xFD] {
        return Err("zstd: no frame".into());
    }
    let descriptor = take(1)?[0];
    let (is_single, has_checksum) = (descriptor & 0x20 != 0, descriptor & 0x04 != 0);
    if descriptor & 0x08 != 0 {
        return Err("zstd: a reserved bit is set".into());
    }
    if !is_single {
        take(1)?;
    }
    take([0, 1, 2, 4][usize::from(descriptor & 3)])?;
    let size_bytes = match descriptor >> 6 {
        0 => usize::from(is_single),
        1 => 2,
        2 => 4,
        _ => 8,
    };
    let field = take(size_bytes)?.iter().rev().fold(0, |number: u64, byte| number << 8 | u64::from(*byte));
    let stated = match size_bytes {
        0 => None,
        2 => Some(field + 256),
        _ => Some(field),
    };
    let mut bytes = Vec::new();
    loop {
        let header = take(3)?;
        let header = u32::from_le_bytes([header[0], header[1], header[2], 0]);
        let length = (header >> 3) as usize;
        if length > 128 * 1024 {
            return Err("zstd: a block is too long".into());
        }
        match header >> 1 & 3 {
            0 => bytes.extend_from_slice(take(length)?),
            1 => {
                let byte = take(1)?[0];
                bytes.resize(bytes.len() + length, byte);
            }
            2 => return Err("zstd: a compressed block, which this reader cannot unpack".into()),
            _ => return Err("zstd: a block of a reserved kind".into()),
        }
        if bytes.len() > size {
            return Ok((bytes, at));
        }
        if header & 1 == 1 {
            break;
        }
    }
    if has_checksum {
        take(4)?;
    }
    if stated.is_some_and(|stated| stated != bytes.len() as u64) {
        return Err("zstd: the frame's size of the content is wrong".into());
    }
    Ok((bytes, at))
}
