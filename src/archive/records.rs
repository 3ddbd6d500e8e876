//! The records of a directory of an archive.

use super::name::EntryName;
use super::record::Record;

/// The records of a directory: its bytes, and the offset of each record.
#[derive(Clone, Copy)]
pub(super) struct Records<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) places: &'a [u32],
    pub(super) base: u64,
}

impl<'a> Records<'a> {
    /// Empty only if the bytes are not the indexed bytes.
    #[inline]
    pub(super) fn at(self, place: u32) -> Record<'a> {
        let bytes = usize::try_from(place).ok().and_then(|place| self.bytes.get(place..));
        bytes.and_then(|bytes| Record::parse(bytes, self.base)).unwrap_or_default()
    }

    #[inline]
    pub(super) fn get(self, index: usize) -> Option<Record<'a>> {
        self.places.get(index).map(|place| self.at(*place))
    }

    /// The names, in the order of the directory.
    pub(super) fn names(self) -> impl ExactSizeIterator<Item = EntryName<'a>> + DoubleEndedIterator {
        self.places.iter().map(move |place| self.at(*place).name)
    }
}
