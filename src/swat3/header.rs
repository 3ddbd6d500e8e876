//! The header of an animation: magic, version and frame rate (SWAT 3 reference, section 2.1).

use super::codes;
use super::options::GsaVersion;
use crate::bytes::{Cursor, Span, record, to_u64};
use crate::report::{Error, ErrorKind, Section};

pub(super) const HEADER: Section = Section::named("header");

/// The first bytes of a SWAT 3 animation (SWAT 3 reference, section 2.1).
pub(super) const MAGIC: [u8; 16] =
    [0xCF, 0xD0, 0x09, 0xA8, 0x2A, 0x1F, 0xD2, 0x11, 0x87, 0x49, 0x00, 0x20, 0xAF, 0xE6, 0x36, 0xEE];

/// The last bytes of the magic. The public description repeats them (section 2.1).
const MAGIC_NODE: [u8; 6] = [0x00, 0x20, 0xAF, 0xE6, 0x36, 0xEE];

record! {
    /// The fields after the magic, 8 bytes.
    pub(super) struct Header[8] {
        /// Minor number of the version.
        minor: u8,
        /// Major number of the version.
        major: u8,
        /// Unknown.
        unknown_0: U16,
        /// Frames per second. The game ignores the field.
        frame_rate: U16,
        /// Unknown.
        unknown_1: U16,
    }
}

/// The version, and the range of the fields after the magic.
pub(super) fn read_header(bytes: &[u8]) -> Result<(GsaVersion, Span), Error> {
    let rest = bytes.get(MAGIC.len()..).unwrap_or_default();
    let is_doubled = rest.starts_with(&MAGIC_NODE) && bytes.len() >= MAGIC.len().saturating_add(size_of::<Header>());
    let begin = if is_doubled { MAGIC.len().saturating_add(MAGIC_NODE.len()) } else { MAGIC.len() };
    let span = Span::new(to_u64(begin), to_u64(size_of::<Header>()));
    let Some(header) = Cursor::new(bytes.get(begin..).unwrap_or_default()).read::<Header>() else {
        let kind = ErrorKind::Truncated { needed: span.end(), left: to_u64(bytes.len()) };
        return Err(Error::new(kind, HEADER, 0));
    };
    match (header.major(), header.minor()) {
        (4, 1) => Ok((GsaVersion::V4_1, span)),
        (4, 2) => Ok((GsaVersion::V4_2, span)),
        (major, minor) => Err(Error::new(codes::GSA_VERSION.with([major.into(), minor.into()]), HEADER, to_u64(begin))),
    }
}
