//! A finished file that knows where its parts are, so that tests can damage it by name.

use std::collections::BTreeMap;

/// The bytes of a file, and where its named parts begin. What only one family does with it lies in the family's `build`.
#[derive(Clone, Debug)]
pub struct Built {
    pub bytes: Vec<u8>,
    offsets: BTreeMap<String, usize>,
}

impl Built {
    pub fn new(bytes: Vec<u8>, offsets: BTreeMap<String, usize>) -> Self {
        Self { bytes, offsets }
    }

    /// # Panics
    /// If nothing has that name.
    pub fn offset(&self, name: &str) -> usize {
        *self.offsets.get(name).unwrap_or_else(|| panic!("no offset is named {name}"))
    }

    /// Every named offset, in the order of their names.
    pub fn offsets(&self) -> impl Iterator<Item = (&str, usize)> {
        self.offsets.iter().map(|(name, at)| (name.as_str(), *at))
    }

    /// Overwrites bytes at a named offset.
    #[must_use]
    pub fn patch(mut self, name: &str, new: &[u8]) -> Self {
        let at = self.offset(name);
        self.bytes[at..at + new.len()].copy_from_slice(new);
        self
    }

    #[must_use]
    pub fn patch_u16(self, name: &str, value: u16) -> Self {
        self.patch(name, &value.to_le_bytes())
    }

    #[must_use]
    pub fn patch_u32(self, name: &str, value: u32) -> Self {
        self.patch(name, &value.to_le_bytes())
    }

    #[must_use]
    pub fn patch_u64(self, name: &str, value: u64) -> Self {
        self.patch(name, &value.to_le_bytes())
    }

    #[must_use]
    pub fn patch_i32(self, name: &str, value: i32) -> Self {
        self.patch(name, &value.to_le_bytes())
    }

    /// Ends the file `distance` bytes after a named offset, or before it.
    #[must_use]
    pub fn cut(mut self, name: &str, distance: isize) -> Self {
        let at = self.offset(name).checked_add_signed(distance).filter(|at| *at <= self.bytes.len());
        self.bytes.truncate(at.unwrap_or_else(|| panic!("{name} is not that long")));
        self
    }
}

impl From<Built> for Vec<u8> {
    fn from(built: Built) -> Self {
        built.bytes
    }
}
