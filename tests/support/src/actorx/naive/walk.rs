//! The chunk walk: which bytes are headers, how long each body is, and what is odd about them.

use super::{Bad, Chunk, bad, up_to_nul};
use crate::family;

const HEADER: usize = 32;

/// Values the reference knows for `TypeFlag`; anything else is uninitialised memory of an old writer.
const TYPE_FLAGS: [u32; 7] = [0, 1_999_801, 2_003_321, 20_090_127, 20_100_422, 20_210_917, 20_220_723];

const KNOWN_IDS: [&str; 36] = [
    "ACTRHEAD",
    "PNTS0000",
    "VTXW0000",
    "FACE0000",
    "FACE3200",
    "MATT0000",
    "REFSKELT",
    "REFSKEL0",
    "RAWWEIGHTS",
    "RAWW0000",
    "VERTEXCOLOR",
    "VTXNORMS",
    "VTXTANGS",
    "MRPHINFO",
    "MRPHDATA",
    "MORPHNAMES",
    "SKELSOCK",
    "VTXW3200",
    "PHYSICS0",
    "SHAPEELEMS",
    "ANIMHEAD",
    "BONENAMES",
    "ANIMINFO",
    "ANIMKEYS",
    "SCALEKEYS",
    "ANIMFLAGS",
    "ANIXHEAD",
    "SEQUENCES",
    "WRLDHEAD",
    "WORLDACTORS",
    "WORLDACTORS::2",
    "WORLDACTORS::3",
    "WORLDLIGHTS",
    "INSTMATERIAL",
    "ACTORMATERIALS",
    "LANDSCAPE",
];

/// Ids of the reference's table that carry a number or a name of their own.
const KNOWN_PREFIXES: [&str; 5] = ["EXTRAUV", "MORPHTARGET", "POSTRACK ", "ROTTRACK ", "SCLTRACK "];

fn u32_at(b: &[u8], o: usize) -> u32 {
    u32::from_le_bytes([b[o], b[o + 1], b[o + 2], b[o + 3]])
}

fn i32_at(b: &[u8], o: usize) -> i32 {
    i32::from_le_bytes([b[o], b[o + 1], b[o + 2], b[o + 3]])
}

fn is_known(id: &[u8]) -> bool {
    KNOWN_IDS.iter().any(|known| id == known.as_bytes())
        || KNOWN_PREFIXES.iter().any(|prefix| id.starts_with(prefix.as_bytes()))
        || id.ends_with(b":CUR")
}

/// Tells a mesh (`true`) from an animation by the first chunk.
pub(super) fn recognise(b: &[u8]) -> Result<bool, Bad> {
    if b.is_empty() {
        return Err(bad("empty", b"file", 0));
    }
    if !super::begins(b) {
        return Err(bad(family::stranger(b), b"file", 0));
    }
    if b.len() < HEADER {
        return Err(bad("truncated", b"chunk header", 0));
    }
    Ok(b.starts_with(b"ACTRHEAD"))
}

/// Lists the chunks of a recognised file, and the quirks in the order they are met.
pub(super) fn walk(b: &[u8], mesh: bool) -> Result<(Vec<Chunk>, Vec<&'static str>), Bad> {
    let mut chunks: Vec<Chunk> = Vec::new();
    let mut quirks = Vec::new();
    let mut at = 0;
    while at < b.len() {
        if b.len() - at < HEADER {
            return Err(bad("truncated", b"chunk header", at));
        }
        let mut chunk = declared(b, at)?;
        header_quirks(&chunk, &mut quirks);
        fit_body(b, &mut chunk, &mut quirks)?;
        check_record_size(&chunk, mesh)?;
        if at > 0 && (chunk.id == b"ACTRHEAD" || chunk.id == b"ANIMHEAD") {
            quirks.push("duplicate-head");
        }
        if let Some(place) = singleton(&chunk.id, mesh) {
            let taken = chunks.iter().any(|earlier| earlier.count > 0 && singleton(&earlier.id, mesh) == Some(place));
            if taken && chunk.count > 0 {
                quirks.push("duplicate-chunk");
            }
        }
        at = chunk.body.end;
        chunks.push(chunk);
    }
    Ok((chunks, quirks))
}

/// A header as written; its body may still reach past the end of the file.
fn declared(b: &[u8], at: usize) -> Result<Chunk, Bad> {
    let mut raw_id = [0; 20];
    raw_id.copy_from_slice(&b[at..at + 20]);
    let id = up_to_nul(&raw_id).to_vec();
    let declared_size = i32_at(b, at + 24);
    let declared_count = i32_at(b, at + 28);
    let Ok(count) = u32::try_from(declared_count) else {
        return Err(bad("negative-count", &id, at));
    };
    let record_size = match u32::try_from(declared_size) {
        Ok(size) => size,
        Err(_) if count == 0 => 0,
        Err(_) => return Err(bad("negative-size", &id, at)),
    };
    Ok(Chunk {
        id,
        raw_id,
        offset: at as u64,
        type_flag: u32_at(b, at + 20),
        record_size,
        count,
        declared_size,
        declared_count,
        body: at + HEADER..at + HEADER,
    })
}

fn header_quirks(chunk: &Chunk, quirks: &mut Vec<&'static str>) {
    if chunk.raw_id[chunk.id.len()..].iter().any(|&byte| byte != 0) {
        quirks.push("id-garbage");
    }
    if chunk.id.is_empty() || !chunk.id.iter().all(|byte| (0x20..=0x7E).contains(byte)) {
        quirks.push("odd-chunk-id");
    }
    if !TYPE_FLAGS.contains(&chunk.type_flag) {
        quirks.push("type-flag");
    }
}

/// Whether the file ends here or another header follows.
fn lands(b: &[u8], end: u64) -> bool {
    let length = b.len() as u64;
    end == length || (end < length && plausible(b, end).is_some())
}

/// The id of the header at `at`, if the bytes there look like one.
fn plausible(b: &[u8], at: u64) -> Option<&[u8]> {
    let at = usize::try_from(at).ok()?;
    if at > b.len() || b.len() - at < HEADER {
        return None;
    }
    let id = up_to_nul(&b[at..at + 20]);
    let curve = id.ends_with(b":CUR") && !id.iter().any(|&byte| byte < 0x20);
    let plain = (4..=19).contains(&id.len())
        && id.iter().all(|&c| c.is_ascii_alphanumeric() || c == b'_' || c == b':' || c == b' ');
    if !curve && !plain {
        return None;
    }
    let size = i32_at(b, at + 24);
    let count = i32_at(b, at + 28);
    if count < 0 || size < 0 || (size > 4096 && !id.ends_with(b":CUR")) {
        return None;
    }
    let body = u64::from(size.unsigned_abs()) * u64::from(count.unsigned_abs());
    let fits = body <= (b.len() - at - HEADER) as u64;
    (is_known(id) || fits).then_some(id)
}

/// Settles the body, with the record size or count that the bytes speak for where the header lies.
fn fit_body(b: &[u8], chunk: &mut Chunk, quirks: &mut Vec<&'static str>) -> Result<(), Bad> {
    let start = chunk.body.start as u64;
    let count = u64::from(chunk.count);
    let end_with = |size: u64| start + size * count;
    if chunk.count > 0 && !lands(b, end_with(u64::from(chunk.record_size))) {
        let header = chunk.body.start - HEADER;
        match (chunk.id.as_slice(), chunk.record_size) {
            (b"FACE3200", 20) if lands(b, end_with(18)) => {
                chunk.record_size = 18;
                quirks.push("face-record-size");
            }
            (id, 16) if id.starts_with(b"EXTRAUV") && lands(b, end_with(8)) => {
                chunk.record_size = 8;
                quirks.push("uv-record-size");
            }
            (b"MRPHINFO", 68) | (b"SKELSOCK", 164) => {
                if let Some(count) = shorter_count(b, chunk) {
                    chunk.count = count;
                    quirks.push("short-body");
                }
            }
            (b"FACE0000", 12) if lands(b, end_with(16)) => {
                return Err(bad("native-long", &chunk.id, header));
            }
            (b"MATT0000", 88) if lands(b, end_with(104)) => {
                return Err(bad("native-long", &chunk.id, header));
            }
            (b"REFSKELT" | b"BONENAMES", 120) if lands(b, end_with(124)) => {
                return Err(bad("native-long", &chunk.id, header));
            }
            _ => {}
        }
    }
    let length = u64::from(chunk.record_size) * u64::from(chunk.count);
    if length > (b.len() - chunk.body.start) as u64 {
        return Err(bad("records-overrun", &chunk.id, chunk.body.start - HEADER));
    }
    chunk.body.end += usize::try_from(length).unwrap();
    Ok(())
}

/// How many records there really are where the writer counted ones it then skipped.
fn shorter_count(b: &[u8], chunk: &Chunk) -> Option<u32> {
    for k in 0..chunk.count {
        let end = chunk.body.start as u64 + u64::from(chunk.record_size) * u64::from(k);
        if end > b.len() as u64 {
            return None;
        }
        let next = plausible(b, end);
        let found = if chunk.id == b"MRPHINFO" {
            next == Some(b"MRPHDATA".as_slice())
        } else {
            // A socket's name and the zeros after it look like the header of a chunk without records.
            let size = |end: u64| i32::from_le_bytes(b[end as usize + 24..][..4].try_into().unwrap());
            end == b.len() as u64 || next.is_some_and(is_known) && size(end) > 0
        };
        if found {
            return Some(k);
        }
    }
    None
}

/// The record size of the chunks a reader looks into, `:CUR` apart.
fn known_size(id: &[u8], mesh: bool) -> Option<u32> {
    Some(match (mesh, id) {
        (true, b"PNTS0000" | b"FACE0000" | b"RAWWEIGHTS" | b"RAWW0000" | b"VTXNORMS") => 12,
        (true, b"VTXW0000" | b"VTXTANGS") | (false, b"SCALEKEYS") => 16,
        (true, b"FACE3200") => 18,
        (true, b"MATT0000") => 88,
        (true, b"REFSKELT" | b"REFSKEL0") | (false, b"BONENAMES") => 120,
        (true, b"VERTEXCOLOR") => 4,
        (true, b"MRPHINFO") => 68,
        (true, b"MRPHDATA") => 28,
        (true, b"SKELSOCK") => 164,
        (true, id) if id.starts_with(b"EXTRAUV") => 8,
        (false, b"ANIMINFO") => 168,
        (false, b"ANIMKEYS") => 32,
        _ => return None,
    })
}

fn check_record_size(chunk: &Chunk, mesh: bool) -> Result<(), Bad> {
    if chunk.count == 0 {
        return Ok(());
    }
    let header = chunk.body.start - HEADER;
    let size = chunk.record_size;
    if !mesh && chunk.id.ends_with(b":CUR") {
        if size < 128 || (size - 128) % 4 != 0 {
            return Err(bad("record-too-small", &chunk.id, header));
        }
        return Ok(());
    }
    match known_size(&chunk.id, mesh) {
        Some(known) if size < known => Err(bad("record-too-small", &chunk.id, header)),
        Some(known) if size > known => Err(bad("record-too-wide", &chunk.id, header)),
        _ => Ok(()),
    }
}

/// The one place in a file that a chunk id, or its alias, claims.
fn singleton(id: &[u8], mesh: bool) -> Option<&[u8]> {
    if id.starts_with(b"EXTRAUV") || known_size(id, mesh).is_none() {
        return None;
    }
    Some(match id {
        b"FACE3200" => b"FACE0000",
        b"REFSKEL0" => b"REFSKELT",
        b"RAWW0000" => b"RAWWEIGHTS",
        _ => id,
    })
}
