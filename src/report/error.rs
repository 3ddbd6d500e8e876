//! Errors about bytes: the fault, the section and the byte. Errors about files are [`crate::mapping::OpenError`].

use alloc::{format, string::String, vec::Vec};
use core::fmt::{self, Display, Formatter};

use super::checks::only;
use super::code::Code;
use super::codes;
use super::section::Section;

/// A fault in the bytes of a file, or a request that the file cannot answer.
///
/// Small, `Copy`, comparable, without allocation. `Display` is one sentence that can follow `path: `.
///
/// ```
/// use skelmap::{ErrorKind, actorx::Psa};
///
/// let error = Psa::parse(b"version https://git-lfs.github.com/spec/v1\n").unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::GitLfsPointer);
/// assert_eq!(error.offset(), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Error {
    kind: ErrorKind,
    section: Section,
    offset: u64,
}

const _: () = assert!(size_of::<Error>() <= 64);

impl Error {
    pub(crate) const fn new(kind: ErrorKind, section: Section, offset: u64) -> Self {
        Self { kind, section, offset }
    }

    pub(crate) const fn with_kind(self, kind: ErrorKind) -> Self {
        Self::new(kind, self.section, self.offset)
    }

    /// The stable name of the fault. O(1).
    pub const fn code(&self) -> Code {
        self.kind.code()
    }

    /// The kind of fault.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// The chunk or section with the fault.
    pub const fn section(&self) -> Section {
        self.section
    }

    /// The byte of the file at which the section begins (for a chunk: its header).
    pub const fn offset(&self) -> u64 {
        self.offset
    }
}

/// An object with the code, the message, the section and its first byte.
#[cfg(feature = "serde")]
impl serde::Serialize for Error {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use alloc::string::ToString as _;
        use serde::ser::SerializeStruct as _;
        let mut object = serializer.serialize_struct("Error", 4)?;
        object.serialize_field("code", &self.code())?;
        object.serialize_field("message", &self.to_string())?;
        object.serialize_field("section", &self.section)?;
        object.serialize_field("offset", &self.offset)?;
        object.end()
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.section, self.offset) {
            (Section::FILE, 0) => write!(f, "{}", self.kind),
            // The name of the section is damaged text.
            (_, offset) if matches!(self.kind, ErrorKind::CrlfDamaged) => {
                write!(f, "{}; from byte {offset} on, nothing can be read", self.kind)
            }
            // The fault is in the request, not in a byte.
            _ if matches!(
                self.kind,
                ErrorKind::FrameOutOfRange { .. } | ErrorKind::BoneOutOfRange { .. } | ErrorKind::TooManyPalettes
            ) =>
            {
                write!(f, "{}", self.kind)
            }
            (section, offset) => write!(f, "at byte {offset} ({section}): {}", self.kind),
        }
    }
}

crate::kinds! {
    /// The kinds of fault. Each has a stable [`code`](ErrorKind::code).
    #[derive(Copy)]
    pub enum ErrorKind {
        /// The file has no bytes.
        Empty = codes::EMPTY, "the file is empty";
        /// The first bytes belong to no known format.
        UnknownFormat {
            /// The first bytes.
            first: FirstBytes,
        } = codes::UNKNOWN_FORMAT, "not a known model or animation format: it begins with {first}";
        /// A known format, but not the requested one (two formats use the extension `.psa`).
        OtherFormat {
            /// The format, with its article.
            found: &'static str,
        } = codes::OTHER_FORMAT, "this is {found}, not a file of the requested format";
        /// A known format that this crate does not read, or an archive instead of an entry.
        UnsupportedFormat {
            /// The format, with its article, and its meaning.
            found: &'static str,
        } = codes::UNSUPPORTED_FORMAT, "this is {found}";
        /// A Git LFS pointer instead of the file.
        GitLfsPointer = codes::GIT_LFS, "this is a Git LFS pointer, not the file itself (run `git lfs pull`)";
        /// The chunks are damaged, and a carriage return precedes every line feed: a text conversion damaged the file.
        CrlfDamaged = codes::CRLF,
            "the file looks damaged by a conversion of line endings to CR LF, such as by Git or FTP (every 0A byte follows a 0D); fetch \
             it again as binary";
        /// A header or fixed part is cut off.
        Truncated {
            /// Bytes needed.
            needed: u64,
            /// Bytes left in the file.
            left: u64,
        } = codes::TRUNCATED, "this part needs {needed} bytes, but the file has only {left} left: it is cut off or damaged";
        /// The records of a header exceed the rest of the file.
        RecordsOverrun {
            /// Records in the header.
            count: u32,
            /// Bytes per record in the header.
            size: u64,
            /// Bytes left in the file after the header.
            left: u64,
        } = codes::RECORDS_OVERRUN,
            "{count} records of {size} bytes need {} bytes, but the file has only {left} left: it is cut off or damaged",
            u128::from(*count).saturating_mul((*size).into());
        /// A part of the file is too large to be read at once.
        OutOfMemory {
            /// Bytes needed.
            needed: u64,
        } = codes::OUT_OF_MEMORY, "{needed} bytes are too many to be read at once";
        /// Records smaller or larger than the format's record, so no slice can view them. No file with larger ones is known.
        RecordSize {
            /// The size as stored.
            size: u32,
            /// The size of the format's record.
            known: u32,
        } = if *size < *known { codes::RECORD_TOO_SMALL } else { codes::RECORD_TOO_WIDE },
            "records of {size} bytes, expected {known}{}",
            if size < known { "" } else { "; skelmap does not read longer records" };
        /// An unknown version. The engine rejects version 0 too.
        Version {
            /// The version as stored.
            version: u32,
        } = codes::VERSION, "version {version} is not known";
        /// An animation without frames.
        NoFrames = codes::NO_FRAMES, "there are no frames, expected at least one";
        /// A clip without a rate cannot convert a time in seconds to a frame.
        NoRate = codes::NO_RATE, "there is no rate, so a time in seconds has no frame";
        /// Bytes after the last section.
        TrailingBytes {
            /// Bytes left over.
            count: u64,
        } = codes::TRAILING_BYTES, "{count} bytes are left over after the last section";
        /// A time without a pose.
        Time {
            /// The bits of the requested time.
            bits: u32,
        } = codes::TIME,
            "there is no pose at {} ms: expected a time of at least 0 and fewer than 2^31 frames",
            f32::from_bits(*bits);
        /// A buffer of the wrong length.
        BufferSize {
            /// Elements needed.
            needed: u64,
            /// Elements given.
            given: u64,
        } = codes::BUFFER_SIZE, "the buffer has {given} elements, expected {needed}";
        /// An animation with a different number of bones than the mesh.
        BoneCount {
            /// Bones of the mesh.
            mesh: u64,
            /// Bones of the animation.
            animation: u64,
        } = codes::BONE_COUNT,
            "the animation has {animation} bones, the mesh {mesh}: {}",
            if *mesh == 0 { "a mesh without bones cannot be animated" } else { "it is for another skeleton" };
        /// A frame that does not exist.
        FrameOutOfRange {
            /// The requested frame.
            frame: u64,
            /// Frames in the file.
            count: u64,
        } = codes::FRAME_OUT_OF_RANGE, "frame {frame} does not exist; the animation has {}", only(*count, "frame", "frames");
        /// A bone that does not exist.
        BoneOutOfRange {
            /// The requested bone.
            bone: u64,
            /// Bones in the file.
            count: u64,
        } = codes::BONE_OUT_OF_RANGE, "bone {bone} does not exist; the file has {}", only(*count, "bone", "bones");
        /// With the requested number of joints in each, a mesh needs more than 256 palettes.
        TooManyPalettes = codes::TOO_MANY_PALETTES, "with the requested number of joints in each skin, the mesh needs more than 256 skins";
        /// A fault in files of one family. The `codes` module of the family declares it.
        #[non_exhaustive]
        Family {
            /// The code of the fault.
            code: Code,
            /// The values in the message.
            values: [u32; 5],
        } = *code, "{}", Message(*code, values);
    }
}

const _: () = assert!(size_of::<ErrorKind>() <= 32);

impl ErrorKind {
    /// Checks that a buffer has the needed length.
    pub(crate) fn check_buffer(given: usize, needed: usize) -> Result<(), Self> {
        if given == needed {
            return Ok(());
        }
        Err(Self::BufferSize { needed: crate::bytes::to_u64(needed), given: crate::bytes::to_u64(given) })
    }
}

impl Code {
    /// An error of one family with the values of its message.
    pub(crate) fn with<const N: usize>(self, values: [u32; N]) -> ErrorKind {
        let mut all = [0; 5];
        all.iter_mut().zip(values).for_each(|(slot, value)| *slot = value);
        ErrorKind::Family { code: self, values: all }
    }
}

/// The message of an error of one family.
struct Message<'a>(Code, &'a [u32; 5]);

impl Display for Message<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.write(self.1, f)
    }
}

/// The first bytes of a file, at most eight. `Display` gives them as escaped text and as hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FirstBytes {
    bytes: [u8; 8],
    len: u8,
}

impl FirstBytes {
    pub(crate) fn of(file: &[u8]) -> Self {
        let mut bytes = [0; 8];
        let len = bytes.iter_mut().zip(file).map(|(to, from)| *to = *from).count();
        Self { bytes, len: u8::try_from(len).unwrap_or(8) }
    }

    /// The bytes.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.len)).unwrap_or_default()
    }
}

impl Display for FirstBytes {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let digits: Vec<String> = self.as_bytes().iter().map(|byte| format!("{byte:02X}")).collect();
        write!(f, "`{}` ({})", self.as_bytes().escape_ascii(), digits.join(" "))
    }
}
