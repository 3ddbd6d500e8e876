//! The container of both formats (magic, version, payload size), and the strictness of parsing.

use zerocopy::little_endian::U32;

use super::codes;
use crate::bytes::{ReadAt, Reader, Record, Span, record, to_u64};
use crate::report::{Error, ErrorKind, ReadError, ReadResult, Section};

/// Options for parsing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Options {
    /// The accepted oddities.
    pub strictness: Strictness,
}

impl Options {
    /// Options with these accepted oddities.
    pub const fn new(strictness: Strictness) -> Self {
        Self { strictness }
    }

    /// Accepts all files of the engine's loader: [`Strictness::Engine`].
    pub const ENGINE: Self = Self { strictness: Strictness::Engine };
}

/// The accepted oddities of a file.
///
/// ```
/// use skelmap::pyrogenesis::{Options, Psa};
///
/// let bytes = std::fs::read("tests/corpus/pyrogenesis/psa/version_2.psa")?;
/// assert!(Psa::parse(&bytes).is_err());
/// assert!(Psa::parse_with(&bytes, &Options::ENGINE).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Strictness {
    /// Files of the engine's own tools: a known version, no bytes after the last section, and in animations at least one frame
    /// and a positive frame length.
    #[default]
    Strict,
    /// Exactly the files that the engine's loader accepts (Pyrogenesis reference, sections 0 and 1): any version from 1, unread
    /// bytes in the payload, no frames, any frame length. Each of these is a quirk. Counts that abort the loader are errors.
    /// Files that crash the engine at the first pose are parsed, but their pose is an error.
    Engine,
}

record! {
    /// Magic, version and payload size, 12 bytes (Pyrogenesis reference, section 1). For writers: readers have the views.
    pub struct Header[12] {
        /// `PSMD` or `PSSA`.
        magic: u8x4 => with_magic,
        /// The version.
        version: U32 => with_version,
        /// Bytes after the header.
        data_size: U32 => with_data_size,
    }
}

pub(super) const HEADER: Section = Section::named("header");
pub(super) const END: Section = Section::named("end");

/// A payload, read section by section.
pub(super) struct Payload<R> {
    pub(super) version: u32,
    reader: Reader<R>,
}

impl<R: ReadAt + Copy> Payload<R> {
    /// Checks the header in the engine's order: size, payload size, version. The caller has checked the magic.
    pub(super) fn open(source: R) -> ReadResult<Self, R> {
        let mut reader = Reader::new(source);
        let fail = |kind| Err(Error::new(kind, HEADER, 0).into());
        let Some(header) = reader.read::<Header>().map_err(ReadError::Source)? else {
            return fail(ErrorKind::Truncated { needed: to_u64(size_of::<Header>()), left: source.size() });
        };
        let (payload, stated) = (reader.left(), header.data_size());
        if u64::from(stated) != payload {
            let [high, low] = halves(payload);
            return fail(codes::DATA_SIZE.with([stated, high, low]));
        }
        match header.version() {
            0 => fail(ErrorKind::Version { version: 0 }),
            version => Ok(Self { version, reader }),
        }
    }

    /// The byte at which the next section begins.
    pub(super) const fn offset(&self) -> u64 {
        self.reader.position()
    }

    pub(super) fn left(&self) -> u64 {
        self.reader.left()
    }

    /// One record, as a section.
    #[inline]
    pub(super) fn read<T: Record>(&mut self, section: Section) -> ReadResult<T, R> {
        match self.reader.read().map_err(ReadError::Source)? {
            Some(record) => Ok(record),
            None => Err(self.truncated::<T>(section).into()),
        }
    }

    /// Skips one record, as a section, without reading it.
    #[inline]
    pub(super) fn skip<T: Record>(&mut self, section: Section) -> Result<(), Error> {
        self.reader.skip(to_u64(size_of::<T>()), 1).map(|_| ()).ok_or_else(|| self.truncated::<T>(section))
    }

    #[cold]
    fn truncated<T>(&self, section: Section) -> Error {
        let kind = ErrorKind::Truncated { needed: to_u64(size_of::<T>()), left: self.left() };
        Error::new(kind, section, self.offset())
    }

    #[inline]
    pub(super) fn read_u32(&mut self, section: Section) -> Result<u32, ReadError<R::Error>> {
        self.read::<U32>(section).map(U32::get)
    }

    /// The range of `count` records of type `T`.
    #[inline]
    pub(super) fn records<T>(&mut self, section: Section, count: u32) -> Result<Span, Error> {
        self.sized_records(section, to_u64(size_of::<T>()), count)
    }

    /// The range of `count` records of `size` bytes each.
    #[inline]
    pub(super) fn sized_records(&mut self, section: Section, size: u64, count: u32) -> Result<Span, Error> {
        self.reader.skip(size, count).ok_or_else(|| {
            let kind = ErrorKind::RecordsOverrun { count, size, left: self.left() };
            Error::new(kind, section, self.offset())
        })
    }

    /// A length, and the range of this number of bytes.
    #[inline]
    pub(super) fn string(&mut self, section: Section) -> ReadResult<Span, R> {
        let length = self.read_u32(section)?;
        Ok(self.records::<u8>(section, length)?)
    }

    /// Ends the payload. Bytes after the last section are an error in strict mode.
    pub(super) fn end(&self, strictness: Strictness) -> Result<u64, Error> {
        let left = self.left();
        if left > 0 && strictness == Strictness::Strict {
            return Err(Error::new(ErrorKind::TrailingBytes { count: left }, END, self.offset()));
        }
        Ok(left)
    }

    /// In strict mode, rejects a version that no tool writes.
    pub(super) fn limit_version(&self, newest: u32, strictness: Strictness) -> Result<(), Error> {
        if self.version > newest && strictness == Strictness::Strict {
            return Err(Error::new(ErrorKind::Version { version: self.version }, HEADER, 0));
        }
        Ok(())
    }
}

/// The high and the low half of a number.
fn halves(number: u64) -> [u32; 2] {
    let [a, b, c, d, e, f, g, h] = number.to_be_bytes();
    [u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h])]
}
