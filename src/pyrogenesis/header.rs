//! The container of both formats: magic, version, size of the payload, and how strictly they are taken.

use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::cursor::{Cursor, Record, Span, to_u64};
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::section::Section;

/// How odd a file may be.
///
/// ```
/// use skelmap::pyrogenesis::{Psa, Strictness};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bytes = std::fs::read("corpus/pyrogenesis/psa/version_2.psa")?;
/// assert!(Psa::parse(&bytes).is_err());
/// assert!(Psa::parse_as(&bytes, Strictness::Engine).is_ok());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Strictness {
    /// What the engine's own tools write: a known version, nothing after the last section, and in animations at least one frame
    /// and a frame length above zero.
    #[default]
    Strict,
    /// Exactly what the engine's loader accepts (Pyrogenesis reference, sections 0 and 1): any version from 1, unread bytes
    /// inside the payload, no frames, any frame length. Each is reported as a quirk. Counts that make the loader abort are an
    /// error here; files that load and then crash the engine at the first pose load here too, and the pose is the error.
    Engine,
}

/// Magic, version and payload size, 12 bytes (section 1).
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Header {
    magic: [u8; 4],
    version: U32,
    data_size: U32,
}

const _: () = assert!(size_of::<Header>() == 12 && align_of::<Header>() == 1);

pub(super) const HEADER: Section = Section::named("header");
pub(super) const END: Section = Section::named("end");

/// Reads a payload section by section; knows where each begins.
pub(super) struct Payload<'a> {
    pub(super) version: u32,
    cursor: Cursor<'a>,
}

impl<'a> Payload<'a> {
    /// Checks the header in the engine's order: size, magic and payload size, version.
    pub(super) fn open(bytes: &'a [u8], format: Format) -> Result<Self, Error> {
        match Format::sniff(bytes)? {
            found if found == format => {}
            other => return Err(other.not_asked_for()),
        }
        let mut cursor = Cursor::new(bytes);
        let fail = |kind| Err(Error::new(kind, HEADER, 0));
        let Some(header) = cursor.read::<Header>() else {
            return fail(ErrorKind::Truncated { needed: to_u64(size_of::<Header>()), left: to_u64(bytes.len()) });
        };
        let payload = to_u64(cursor.rest().len());
        let stated = header.data_size.get();
        if u64::from(stated) != payload {
            return fail(ErrorKind::DataSize { stated, actual: payload });
        }
        match header.version.get() {
            0 => fail(ErrorKind::Version { version: 0 }),
            version => Ok(Self { version, cursor }),
        }
    }

    /// The byte at which the next section begins.
    pub(super) fn offset(&self) -> u64 {
        to_u64(self.cursor.position())
    }

    pub(super) fn position(&self) -> usize {
        self.cursor.position()
    }

    pub(super) fn left(&self) -> u64 {
        to_u64(self.cursor.rest().len())
    }

    /// One record, as a section of its own.
    pub(super) fn read<T: Record>(&mut self, section: Section) -> Result<&'a T, Error> {
        let (offset, left) = (self.offset(), self.left());
        let needed = to_u64(size_of::<T>());
        self.cursor.read().ok_or(Error::new(ErrorKind::Truncated { needed, left }, section, offset))
    }

    pub(super) fn read_u32(&mut self, section: Section) -> Result<u32, Error> {
        self.read::<U32>(section).map(|value| value.get())
    }

    /// `count` records of type `T`: their range.
    pub(super) fn records<T>(&mut self, section: Section, count: u32) -> Result<Span, Error> {
        self.sized_records(section, u32::try_from(size_of::<T>()).unwrap_or(u32::MAX), count)
    }

    /// `count` records of `size` bytes each: their range.
    pub(super) fn sized_records(&mut self, section: Section, size: u32, count: u32) -> Result<Span, Error> {
        let (start, offset, left) = (self.position(), self.offset(), self.left());
        let kind = ErrorKind::RecordsOverrun { count, size, left };
        let bytes = self.cursor.take(size, count).ok_or(Error::new(kind, section, offset))?;
        Ok(Span::new(start, bytes.len()))
    }

    /// A length and that many bytes: their range.
    pub(super) fn string(&mut self, section: Section) -> Result<Span, Error> {
        let length = self.read_u32(section)?;
        self.records::<u8>(section, length)
    }

    /// Ends the payload: bytes that no section claims are an error where they are not allowed.
    pub(super) fn end(&self, strictness: Strictness) -> Result<u64, Error> {
        let left = self.left();
        if left > 0 && strictness == Strictness::Strict {
            return Err(Error::new(ErrorKind::TrailingBytes { count: left }, END, self.offset()));
        }
        Ok(left)
    }

    /// Refuses versions that no tool writes.
    pub(super) fn limit_version(&self, newest: u32, strictness: Strictness) -> Result<(), Error> {
        if self.version > newest && strictness == Strictness::Strict {
            return Err(Error::new(ErrorKind::Version { version: self.version }, HEADER, 0));
        }
        Ok(())
    }
}
