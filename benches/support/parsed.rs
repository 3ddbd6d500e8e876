//! The usual way to read such a file: all of it into memory, then field by field into structs.

use std::fs;
use std::path::Path;

use super::kernels::Key;

pub struct ParsedKey {
    position: [f32; 3],
    rotation: [f32; 4],
    time: f32,
}

impl Key for ParsedKey {
    fn position(&self) -> [f32; 3] {
        self.position
    }

    fn rotation(&self) -> [f32; 4] {
        self.rotation
    }

    fn time(&self) -> f32 {
        self.time
    }
}

/// The keys of a file, `None` if it has none.
pub fn read_keys(path: &Path) -> Option<Vec<ParsedKey>> {
    let bytes = fs::read(path).ok()?;
    let mut rest = bytes.as_slice();
    loop {
        let (header, after) = rest.split_at_checked(32)?;
        let length = number(header, 24)?.checked_mul(number(header, 28)?)?;
        let (body, next) = after.split_at_checked(length)?;
        if header.starts_with(b"ANIMKEYS\0") {
            return Some(body.chunks_exact(32).map(key).collect());
        }
        rest = next;
    }
}

fn key(bytes: &[u8]) -> ParsedKey {
    let float = |index: usize| f32::from_le_bytes([0, 1, 2, 3].map(|byte| bytes[4 * index + byte]));
    ParsedKey {
        position: [float(0), float(1), float(2)],
        rotation: [float(3), float(4), float(5), float(6)],
        time: float(7),
    }
}

fn number(header: &[u8], offset: usize) -> Option<usize> {
    u32::from_le_bytes(*header.get(offset..)?.first_chunk()?).try_into().ok()
}
