//! The container: a walk over chunk headers that recovers the broken record sizes which tools are known to have written.
//!
//! Nothing here knows what a mesh or an animation is; no record is read.

use core::fmt::{self, Debug, Display, Formatter};
use core::iter::FusedIterator;

use zerocopy::little_endian::{I32, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::cursor::{Cursor, to_u64};
use crate::error::{Error, ErrorKind};
use crate::quirk::{Quirk, QuirkKind};
use crate::section::Section;
use crate::text::before_nul;

/// A chunk id: 20 bytes, of which those before the first NUL count. What follows the NUL may be garbage.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(transparent)]
pub struct ChunkId([u8; 20]);

impl ChunkId {
    /// The id: the bytes before the first NUL.
    pub fn as_bytes(&self) -> &[u8] {
        before_nul(&self.0)
    }

    /// All 20 bytes as stored.
    pub const fn raw(&self) -> &[u8; 20] {
        &self.0
    }

    /// The id as the name of a section in errors, quirks and findings.
    pub const fn section(&self) -> Section {
        Section::from_raw(self.0)
    }

    /// Whether this is an id that some writer or reader of the format uses (ActorX reference, section 2).
    fn is_known(&self) -> bool {
        const KNOWN: [&[u8]; 36] = [
            b"ACTRHEAD",
            b"PNTS0000",
            b"VTXW0000",
            b"FACE0000",
            b"FACE3200",
            b"MATT0000",
            b"REFSKELT",
            b"RAWWEIGHTS",
            b"VERTEXCOLOR",
            b"VTXNORMS",
            b"VTXTANGS",
            b"MRPHINFO",
            b"MRPHDATA",
            b"MORPHNAMES",
            b"SKELSOCK",
            b"VTXW3200",
            b"PHYSICS0",
            b"SHAPEELEMS",
            b"ANIMHEAD",
            b"BONENAMES",
            b"ANIMINFO",
            b"ANIMKEYS",
            b"SCALEKEYS",
            b"ANIMFLAGS",
            b"ANIXHEAD",
            b"SEQUENCES",
            b"WRLDHEAD",
            b"INSTMATERIAL",
            b"ACTORMATERIALS",
            b"WORLDACTORS",
            b"WORLDACTORS::2",
            b"WORLDACTORS::3",
            b"WORLDLIGHTS",
            b"LANDSCAPE",
            b"REFSKEL0",
            b"RAWW0000",
        ];
        const PREFIXES: [&[u8]; 5] = [b"EXTRAUV", b"MORPHTARGET", b"POSTRACK ", b"ROTTRACK ", b"SCLTRACK "];
        let id = self.as_bytes();
        KNOWN.contains(&id) || id.ends_with(b":CUR") || PREFIXES.iter().any(|prefix| id.starts_with(prefix))
    }

    /// Whether the id could be one at all: what a walk that lost its way may trust (ActorX reference, section 7).
    fn is_plausible(&self) -> bool {
        let id = self.as_bytes();
        let letters = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b' ');
        let curves = is_curve_id(id) && id.iter().all(|byte| *byte >= 0x20);
        curves || (4..=19).contains(&id.len()) && id.iter().all(letters)
    }
}

impl Display for ChunkId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.section(), f)
    }
}

impl Debug for ChunkId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "ChunkId({self})")
    }
}

/// Whether the id is that of Maya's blend curves: the first letters of a sequence's name and `:CUR`.
pub(crate) fn is_curve_id(id: &[u8]) -> bool {
    id.ends_with(b":CUR")
}

/// Whether the id is that of an extra UV set, in any of its spellings (ActorX reference, section 3.9).
pub(crate) fn is_uv_id(id: &[u8]) -> bool {
    id.starts_with(b"EXTRAUV")
}

/// A chunk header as stored, 32 bytes.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct ChunkHeader {
    id: ChunkId,
    type_flag: U32,
    data_size: I32,
    data_count: I32,
}

const _: () = assert!(size_of::<ChunkHeader>() == 32 && align_of::<ChunkHeader>() == 1);

/// Bytes of a chunk header.
pub(super) const HEADER_LEN: u64 = 32;

/// Type flags that known writers use (ActorX reference, section 1.2).
const TYPE_FLAGS: [u32; 7] = [0, 1_999_801, 2_003_321, 20_090_127, 20_100_422, 20_210_917, 20_220_723];

/// Record sizes above this are implausible in a walk that lost its way.
const LARGEST_PLAUSIBLE_RECORD: i32 = 4096;

/// One chunk of a file: its header's facts and its body in place.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Chunk<'a> {
    /// The id as stored.
    pub id: &'a ChunkId,
    /// A fingerprint of the writer; says nothing about the layout (ActorX reference, section 1.2).
    pub type_flag: u32,
    /// Byte at which the header begins; the body follows 32 bytes later.
    pub offset: u64,
    /// Bytes per record as the header states them.
    pub declared_size: i32,
    /// Records as the header counts them.
    pub declared_count: i32,
    /// Bytes per record in the body: as declared, unless a quirk was recovered. 0 where a chunk without records states less.
    pub record_size: u32,
    /// Records in the body: as declared, unless a quirk was recovered.
    pub count: u32,
    /// The records, `record_size` times `count` bytes.
    pub body: &'a [u8],
    pub(crate) start: usize,
    recovered: Option<QuirkKind>,
}

impl Chunk<'_> {
    pub(crate) fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.id.section(), self.offset)
    }

    pub(crate) fn quirk(&self, kind: QuirkKind) -> Quirk {
        Quirk { kind, section: self.id.section(), offset: self.offset }
    }

    /// What is odd about this chunk by itself, in a fixed order.
    pub(crate) fn own_quirks(&self) -> [Option<QuirkKind>; 4] {
        let id = self.id.as_bytes();
        let garbage = self.id.raw().iter().skip(id.len()).any(|byte| *byte != 0);
        let printable = !id.is_empty() && id.iter().all(|byte| matches!(byte, 0x20..=0x7E));
        [
            garbage.then_some(QuirkKind::IdGarbage),
            (!printable).then_some(QuirkKind::OddChunkId),
            (!TYPE_FLAGS.contains(&self.type_flag)).then_some(QuirkKind::TypeFlag),
            self.recovered,
        ]
    }
}

impl Debug for Chunk<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chunk")
            .field("id", self.id)
            .field("type_flag", &self.type_flag)
            .field("offset", &self.offset)
            .field("record_size", &self.record_size)
            .field("count", &self.count)
            .finish_non_exhaustive()
    }
}

/// The chunks of a file in file order: known and unknown, empty and repeated ones.
///
/// Stops after the first error. Each step is O(1) but for a recovery, and a whole walk is linear in the file. The iterator does
/// not look at what kind of file it is; [`Psk::parse`](super::Psk::parse) and [`Psa::parse`](super::Psa::parse) do.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bytes = std::fs::read("corpus/actorx/mesh/classic.psk")?;
/// for chunk in skelmap::actorx::Chunks::new(&bytes) {
///     let chunk = chunk?;
///     println!("{} at {}: {} records of {} bytes", chunk.id, chunk.offset, chunk.count, chunk.record_size);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Chunks<'a> {
    cursor: Cursor<'a>,
    failed: bool,
}

impl<'a> Chunks<'a> {
    /// A walk from the first byte. O(1), reads nothing.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { cursor: Cursor::new(bytes), failed: false }
    }

    fn step(&mut self) -> Result<Chunk<'a>, Error> {
        let offset = to_u64(self.cursor.position());
        let left = self.cursor.rest().len();
        let Some(header) = self.cursor.read::<ChunkHeader>() else {
            let kind = ErrorKind::Truncated { needed: HEADER_LEN, left: to_u64(left) };
            return Err(Error::new(kind, Section::CHUNK_HEADER, offset));
        };
        let fail = |kind| Err(Error::new(kind, header.id.section(), offset));
        let (declared_size, declared_count) = (header.data_size.get(), header.data_count.get());
        let Ok(count) = u32::try_from(declared_count) else {
            return fail(ErrorKind::NegativeCount { count: declared_count });
        };
        let size = match u32::try_from(declared_size) {
            Ok(size) => size,
            Err(_) if count == 0 => 0,
            Err(_) => return fail(ErrorKind::NegativeSize { size: declared_size }),
        };
        let body = match self.body(header, size, count) {
            Ok(body) => body,
            Err(kind) => return fail(kind),
        };
        let start = self.cursor.position();
        let Some(bytes) = self.cursor.take(body.size, body.count) else {
            let left = to_u64(self.cursor.rest().len());
            return fail(ErrorKind::RecordsOverrun { count: body.count, size: body.size, left });
        };
        Ok(Chunk {
            id: &header.id,
            type_flag: header.type_flag.get(),
            offset,
            declared_size,
            declared_count,
            record_size: body.size,
            count: body.count,
            body: bytes,
            start,
            recovered: body.recovered,
        })
    }

    /// The true extent of a body, which a handful of tools wrote wrongly (ActorX reference, section 7). The declared one stands
    /// whenever the next header, or the end of the file, proves it.
    fn body(&self, header: &ChunkHeader, size: u32, count: u32) -> Result<Body, ErrorKind> {
        let declared = Body { size, count, recovered: None };
        if count == 0 || self.lands(size, count) {
            return Ok(declared);
        }
        let native_long = |actual| ErrorKind::NativeLong { declared: size, actual };
        match (header.id.as_bytes(), size) {
            (b"FACE3200", 20) if self.lands(18, count) => {
                Ok(Body { size: 18, recovered: Some(QuirkKind::FaceRecordSize), ..declared })
            }
            (id, 16) if is_uv_id(id) && self.lands(8, count) => {
                Ok(Body { size: 8, recovered: Some(QuirkKind::UvRecordSize), ..declared })
            }
            (b"MRPHINFO", 68) => {
                Ok(self.cut(declared, |next| next.is_some_and(|next| next.id.as_bytes() == b"MRPHDATA")))
            }
            (b"SKELSOCK", 164) => {
                // A socket's name followed by zeros looks like the header of an empty chunk.
                let is_chunk = |next: &ChunkHeader| next.id.is_known() && next.data_size.get() > 0;
                Ok(self.cut(declared, |next| next.is_none_or(is_chunk)))
            }
            (b"FACE0000", 12) if self.lands(16, count) => Err(native_long(16)),
            (b"MATT0000", 88) if self.lands(104, count) => Err(native_long(104)),
            (b"REFSKELT" | b"BONENAMES", 120) if self.lands(124, count) => Err(native_long(124)),
            _ => Ok(declared),
        }
    }

    /// The body up to the first place among its records where `ends` accepts the header there (`None`: the file ends there).
    /// Linear in the records passed over, which no later step passes again.
    fn cut(&self, declared: Body, ends: impl Fn(Option<&ChunkHeader>) -> bool) -> Body {
        for count in 0..declared.count {
            let Some(next) = self.cursor.ahead(declared.size, count) else { break };
            if next.rest().is_empty() && ends(None) || plausible_header(next).is_some_and(|next| ends(Some(next))) {
                return Body { count, recovered: Some(QuirkKind::ShortBody), ..declared };
            }
        }
        declared
    }

    /// Whether a body of this extent is followed by the end of the file or by something that looks like a header.
    fn lands(&self, size: u32, count: u32) -> bool {
        let next = self.cursor.ahead(size, count);
        next.is_some_and(|next| next.rest().is_empty() || plausible_header(next).is_some())
    }
}

/// The extent of a chunk's body.
#[derive(Clone, Copy)]
struct Body {
    size: u32,
    count: u32,
    recovered: Option<QuirkKind>,
}

/// The header at the cursor, if what is there looks like a header (ActorX reference, section 7).
///
/// A known id is believed whatever its body, since that body may be one of the broken ones.
fn plausible_header(mut at: Cursor<'_>) -> Option<&ChunkHeader> {
    let header = at.read::<ChunkHeader>()?;
    if !header.id.is_plausible() {
        return None;
    }
    let count = u32::try_from(header.data_count.get()).ok()?;
    let size = u32::try_from(header.data_size.get()).ok()?;
    let size_is_plausible = header.data_size.get() <= LARGEST_PLAUSIBLE_RECORD || is_curve_id(header.id.as_bytes());
    let fits = || header.id.is_known() || at.ahead(size, count).is_some();
    (size_is_plausible && fits()).then_some(header)
}

/// Whether what is at the start of these bytes looks like a header: where each is followed by one, or by the end, a walk looks at
/// nothing else.
#[cfg(feature = "catalog")]
pub(crate) fn looks_like_header(bytes: &[u8]) -> bool {
    plausible_header(Cursor::new(bytes)).is_some()
}

impl<'a> Iterator for Chunks<'a> {
    type Item = Result<Chunk<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || self.cursor.rest().is_empty() {
            return None;
        }
        let step = self.step();
        self.failed = step.is_err();
        Some(step)
    }
}

impl FusedIterator for Chunks<'_> {}

/// The error with its cause, if the whole file shows that a text conversion broke it: a CR LF somewhere, and no line feed
/// without a carriage return before it (ActorX reference, section 7, row 8). Reads the file up to the first such line feed.
pub(crate) fn blame_line_ends(bytes: &[u8], error: Error) -> Error {
    let broken_walk = matches!(
        error.kind(),
        ErrorKind::Truncated { .. }
            | ErrorKind::RecordsOverrun { .. }
            | ErrorKind::NegativeCount { .. }
            | ErrorKind::NegativeSize { .. }
    );
    let bare = |pair: &[u8]| matches!(pair, [before, b'\n'] if *before != b'\r');
    let converted = bytes.contains(&b'\n') && bytes.first() != Some(&b'\n') && !bytes.windows(2).any(bare);
    if broken_walk && converted { error.with_kind(ErrorKind::CrlfDamaged) } else { error }
}
