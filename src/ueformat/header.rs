//! The header of a file (UEFormat reference, section 2).

use zerocopy::little_endian::I32;

use super::codes;
use super::extent::Extent;
use crate::bytes::{ReadAt, Reader, to_u64};
use crate::report::codes as shared;
use crate::report::{Error, ErrorKind, ReadError, ReadResult, Section};

/// The first bytes of the three kinds: the magic and the length and the text of the identifier.
pub(super) const MODEL: &[u8] = b"UEFORMAT\x07\0\0\0UEMODEL";
pub(super) const ANIMATION: &[u8] = b"UEFORMAT\x06\0\0\0UEANIM";
pub(super) const POSE: &[u8] = b"UEFORMAT\x06\0\0\0UEPOSE";

pub(super) const HEADER: Section = Section::named("header");

/// The newest version.
pub(super) const NEWEST: u8 = 10;

/// How a body is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Compression {
    /// A member of gzip (RFC 1952).
    Gzip,
    /// A frame of Zstandard (RFC 8878).
    Zstd,
}

impl Compression {
    /// The name as files have it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Gzip => "GZIP",
            Self::Zstd => "ZSTD",
        }
    }
}

/// What the header says of a compressed body.
#[cfg_attr(not(feature = "archive"), expect(dead_code, reason = "only what unpacks asks for the rest"))]
#[derive(Clone, Copy, Debug)]
pub(super) struct Packed {
    pub(super) compression: Compression,
    /// Bytes of the body after and before unpacking, as the header states them.
    pub(super) unpacked: u32,
    pub(super) packed: u32,
    /// The offset of the flag that says whether the body is compressed: there, the unpacked file differs.
    pub(super) flag: u64,
}

/// The header of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) version: u8,
    pub(super) name: Extent,
    pub(super) path: Extent,
    pub(super) packed: Option<Packed>,
    /// The offset of the body.
    pub(super) body: u64,
}

impl Header {
    /// Reads the header of a file that has one of the three kinds.
    pub(super) fn read<R: ReadAt + Copy>(source: R, kind: &[u8]) -> ReadResult<Self, R> {
        let mut fields = Fields { reader: Reader::new(source) };
        let size = source.size();
        if size >= u64::from(u32::MAX) {
            return Err(Error::new(ErrorKind::OutOfMemory { needed: size }, HEADER, 0).into());
        }
        fields.skip(to_u64(kind.len()))?;
        let at = fields.reader.position();
        let version = fields.byte()?;
        if version > NEWEST {
            return Err(Error::new(ErrorKind::Version { version: version.into() }, HEADER, at).into());
        }
        let name = fields.text()?;
        let path = if version >= 10 { fields.text()? } else { Extent::default() };
        let flag = fields.reader.position();
        let packed = if fields.byte()? == 0 { None } else { Some(fields.packed(flag)?) };
        Ok(Self { version, name, path, packed, body: fields.reader.position() })
    }

    /// The error of a view over a file whose body is compressed.
    pub(super) fn check_unpacked(&self) -> Result<(), Error> {
        match self.packed {
            None => Ok(()),
            Some(Packed { unpacked, .. }) => Err(Error::new(codes::COMPRESSED.with([unpacked]), HEADER, 0)),
        }
    }
}

/// The maximum number of bytes of a name. Unreal has names of at most 1,023 characters.
pub(super) const MAX_NAME: u32 = 4096;

struct Fields<R> {
    reader: Reader<R>,
}

impl<R: ReadAt + Copy> Fields<R> {
    fn fail(&self, kind: ErrorKind) -> Error {
        Error::new(kind, HEADER, self.reader.position())
    }

    fn skip(&mut self, count: u64) -> Result<Extent, Error> {
        let start = self.reader.position();
        let taken = self.reader.skip(count, 1);
        let left = self.reader.left();
        taken
            .map(|span| Extent::new(start, span.end()))
            .ok_or_else(|| self.fail(ErrorKind::Truncated { needed: count, left }))
    }

    fn byte(&mut self) -> ReadResult<u8, R> {
        let read = self.reader.read::<u8>().map_err(ReadError::Source)?;
        read.ok_or_else(|| self.fail(ErrorKind::Truncated { needed: 1, left: 0 }).into())
    }

    /// A number that is 0 or more.
    fn length(&mut self) -> ReadResult<u32, R> {
        let at = self.fail(ErrorKind::Empty);
        let Some(length) = self.reader.read::<I32>().map_err(ReadError::Source)? else {
            let left = self.reader.left();
            return Err(self.fail(ErrorKind::Truncated { needed: 4, left }).into());
        };
        u32::try_from(length.get())
            .map_err(|_| at.with_kind(shared::NEGATIVE_SIZE.with([u32::from_le_bytes(length.to_bytes())])).into())
    }

    fn text(&mut self) -> ReadResult<Extent, R> {
        let at = self.fail(ErrorKind::Empty);
        let length = self.length()?;
        let text = self.skip(length.into())?;
        if length > MAX_NAME {
            return Err(at.with_kind(codes::NAME_LENGTH.with([length, MAX_NAME])).into());
        }
        Ok(text)
    }

    fn packed(&mut self, flag: u64) -> ReadResult<Packed, R> {
        let at = self.fail(ErrorKind::Empty);
        let length = self.length()?;
        Fields { reader: self.reader }.skip(length.into())?;
        let mut name = [0; 20];
        for (slot, _) in name.iter_mut().zip(0..length) {
            *slot = self.byte()?;
        }
        // The rest of a long name.
        self.skip(u64::from(length).saturating_sub(20))?;
        let compression = match name.split(|byte| *byte == 0).next().unwrap_or_default() {
            b"GZIP" => Compression::Gzip,
            b"ZSTD" => Compression::Zstd,
            _ => {
                let mut words = [0; 5];
                for (word, four) in words.iter_mut().zip(name.chunks_exact(4)) {
                    *word = four.try_into().map_or(0, u32::from_le_bytes);
                }
                return Err(at.with_kind(codes::COMPRESSION.with(words)).into());
            }
        };
        let (unpacked, packed) = (self.length()?, self.length()?);
        let left = self.reader.left();
        if u64::from(packed) > left {
            return Err(self.fail(ErrorKind::Truncated { needed: packed.into(), left }).into());
        }
        Ok(Packed { compression, unpacked, packed, flag })
    }
}
