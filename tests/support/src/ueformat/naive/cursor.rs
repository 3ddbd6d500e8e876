//! A place in some bytes, and how the primitive types are copied from there.

use crate::ueformat::asset::{Name, Rotation, Vector};

/// Bytes with a name, which errors begin with, their offset in the unpacked file, and how many of them are read.
#[derive(Clone)]
pub(super) struct Cursor<'b> {
    pub(super) path: String,
    bytes: &'b [u8],
    base: usize,
    at: usize,
}

impl<'b> Cursor<'b> {
    pub(super) fn new(path: impl Into<String>, bytes: &'b [u8], base: usize) -> Self {
        Self { path: path.into(), bytes, base, at: 0 }
    }

    /// An error here: with the offset, and the offset at which these bytes end.
    pub(super) fn error(&self, what: impl std::fmt::Display) -> String {
        self.error_at(self.position(), what)
    }

    pub(super) fn error_at(&self, offset: usize, what: impl std::fmt::Display) -> String {
        format!("{}: {what}, at byte {offset} of {}", self.path, self.base + self.bytes.len())
    }

    /// The offset in the unpacked file.
    pub(super) fn position(&self) -> usize {
        self.base + self.at
    }

    /// The next bytes on their own.
    pub(super) fn part(&mut self, path: impl Into<String>, size: usize) -> Result<Self, String> {
        let base = self.position();
        Ok(Self::new(path, self.take(size)?, base))
    }

    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(super) fn rest(&self) -> &'b [u8] {
        &self.bytes[self.at..]
    }

    pub(super) fn take(&mut self, size: usize) -> Result<&'b [u8], String> {
        if size > self.left() {
            return Err(self.error(format!("{size} bytes are needed, {} are there", self.left())));
        }
        let taken = &self.bytes[self.at..self.at + size];
        self.at += size;
        Ok(taken)
    }

    fn fixed<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let mut own = [0; N];
        own.copy_from_slice(self.take(N)?);
        Ok(own)
    }

    pub(super) fn u8(&mut self) -> Result<u8, String> {
        self.fixed().map(u8::from_le_bytes)
    }

    pub(super) fn u16(&mut self) -> Result<u16, String> {
        self.fixed().map(u16::from_le_bytes)
    }

    pub(super) fn i32(&mut self) -> Result<i32, String> {
        self.fixed().map(i32::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, String> {
        self.fixed().map(u32::from_le_bytes)
    }

    pub(super) fn f32(&mut self) -> Result<f32, String> {
        self.fixed().map(f32::from_le_bytes)
    }

    pub(super) fn colour(&mut self) -> Result<[u8; 4], String> {
        self.fixed()
    }

    fn floats<const N: usize>(&mut self) -> Result<[f32; N], String> {
        let mut own = [0.0; N];
        for number in &mut own {
            *number = self.f32()?;
        }
        Ok(own)
    }

    pub(super) fn pair(&mut self) -> Result<[f32; 2], String> {
        self.floats()
    }

    pub(super) fn vector(&mut self) -> Result<Vector, String> {
        self.floats()
    }

    pub(super) fn rotation(&mut self) -> Result<Rotation, String> {
        self.floats()
    }

    /// A size or a count.
    pub(super) fn size(&mut self, what: &str) -> Result<usize, String> {
        let at = self.position();
        let size = self.i32()?;
        usize::try_from(size).map_err(|_| self.error_at(at, format!("negative {what} {size}")))
    }

    pub(super) fn name(&mut self) -> Result<Name, String> {
        let length = self.size("length")?;
        self.take(length).map(<[u8]>::to_vec)
    }

    /// A count, and as many elements of at least `least` bytes.
    pub(super) fn list<T>(
        &mut self,
        least: usize,
        mut one: impl FnMut(&mut Self) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let count = self.size("count")?;
        self.check_count(count, least)?;
        (0..count).map(|_| one(self)).collect()
    }

    pub(super) fn check_count(&self, count: usize, least: usize) -> Result<(), String> {
        let needed = count as u64 * least as u64;
        if needed <= self.left() as u64 {
            return Ok(());
        }
        Err(self.error(format!("{count} elements need {needed} bytes, {} are there", self.left())))
    }
}
