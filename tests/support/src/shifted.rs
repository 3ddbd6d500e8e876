//! The same bytes at another alignment.

/// The same bytes so many bytes after a place that is aligned for everything.
pub struct Shifted {
    buffer: Vec<u8>,
    start: usize,
}

impl Shifted {
    pub fn by(distance: usize, bytes: &[u8]) -> Self {
        let mut buffer = vec![0xA5; bytes.len() + 32];
        let start = buffer.as_ptr().align_offset(16) + distance;
        buffer[start..start + bytes.len()].copy_from_slice(bytes);
        let shifted = Self { buffer, start };
        assert_eq!(shifted.of(bytes.len()).as_ptr().addr() % 16, distance);
        shifted
    }

    pub fn of(&self, length: usize) -> &[u8] {
        &self.buffer[self.start..self.start + length]
    }
}
