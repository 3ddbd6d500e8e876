//! The container: a walk over chunk headers that recovers from the wrong record sizes of known tools.
//!
//! This module knows neither meshes nor animations and reads no records.

use core::fmt::{self, Debug, Display, Formatter};
use core::iter::FusedIterator;

use zerocopy::little_endian::{I32, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::codes;
use super::table::{is_curve_id, is_known, is_uv_id};
use crate::bytes::{ReadAt, Reader, Span, before_nul, to_u64, to_usize};
use crate::report::{Code, Error, ErrorKind, Quirk, ReadError, ReadResult, Section, SectionStart};

/// A chunk id: 20 bytes. The id ends before the first NUL; later bytes may be garbage.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(transparent)]
pub struct ChunkId([u8; 20]);

impl ChunkId {
    /// This id with zeros behind it; `None` for more than 20 bytes.
    pub fn new(id: &[u8]) -> Option<Self> {
        let mut raw = [0; 20];
        raw.get_mut(..id.len())?.copy_from_slice(id);
        Some(Self(raw))
    }

    /// The id: the bytes before the first NUL.
    pub fn as_bytes(&self) -> &[u8] {
        before_nul(&self.0)
    }

    /// All 20 bytes as stored.
    pub const fn raw(&self) -> &[u8; 20] {
        &self.0
    }

    /// The id as a section name in errors, quirks and findings.
    pub const fn section(&self) -> Section {
        Section::from_raw(self.0)
    }

    /// Whether a chunk may have this id: the test for recovery (ActorX reference, section 7).
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

/// The header of a chunk, for writers; readers have [`Chunk`]. 32 bytes (ActorX reference, section 1.1).
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct ChunkHeader {
    id: ChunkId,
    type_flag: U32,
    data_size: I32,
    data_count: I32,
}

const _: () = assert!(size_of::<ChunkHeader>() == 32 && align_of::<ChunkHeader>() == 1);

impl ChunkHeader {
    /// The header of a chunk of `count` records of `size` bytes each.
    pub const fn new(id: ChunkId, type_flag: u32, size: i32, count: i32) -> Self {
        Self { id, type_flag: U32::new(type_flag), data_size: I32::new(size), data_count: I32::new(count) }
    }

    /// The bytes as stored.
    pub fn as_bytes(&self) -> &[u8] {
        IntoBytes::as_bytes(self)
    }
}

pub(super) const HEADER_LEN: u64 = 32;

/// Type flags that known writers use (ActorX reference, section 1.2).
const TYPE_FLAGS: [u32; 7] = [0, 1_999_801, 2_003_321, 20_090_127, 20_100_422, 20_210_917, 20_220_723];

/// Recovery does not accept larger record sizes.
const MAX_PLAUSIBLE_RECORD: i32 = 4096;
const MAX_CHUNKS: u32 = 1 << 21; // 64 MiB of headers: a sparse file can state any number.

/// One chunk of a source: its header and the range of its body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) id: ChunkId,
    pub(super) type_flag: u32,
    pub(super) offset: u64,
    pub(super) declared_size: i32,
    pub(super) declared_count: i32,
    pub(super) record_size: u32,
    pub(super) count: u32,
    pub(super) body: Span,
    recovered: Option<Code>,
}

impl Extent {
    pub(super) fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.id.section(), self.offset)
    }

    pub(super) fn place(&self) -> SectionStart {
        SectionStart { section: self.id.section(), offset: self.offset }
    }

    /// The quirks of this chunk alone, in a fixed order.
    pub(super) fn quirks(&self) -> [Option<Code>; 4] {
        let id = self.id.as_bytes();
        let garbage = self.id.raw().iter().skip(id.len()).any(|byte| *byte != 0);
        let printable = !id.is_empty() && id.iter().all(|byte| matches!(byte, 0x20..=0x7E));
        [
            garbage.then_some(codes::ID_GARBAGE),
            (!printable).then_some(codes::ODD_CHUNK_ID),
            (!TYPE_FLAGS.contains(&self.type_flag)).then_some(codes::TYPE_FLAG),
            self.recovered,
        ]
    }

    pub(super) fn quirk(&self, code: Code) -> Quirk {
        Quirk::new(code, self.id.section(), self.offset)
    }
}

/// The chunks of a source in file order. Ends after the first error.
#[derive(Clone)]
pub(super) struct Walk<R> {
    reader: Reader<R>,
    left: u32,
}

impl<R: ReadAt + Copy> Walk<R> {
    pub(super) fn new(source: R) -> Self {
        Self { reader: Reader::new(source), left: MAX_CHUNKS }
    }

    fn step(&mut self) -> ReadResult<Extent, R> {
        let (offset, left) = (self.reader.position(), self.reader.left());
        if self.left == 1 {
            return Err(Error::new(ErrorKind::OutOfMemory { needed: left }, Section::FILE, offset).into());
        }
        let Some(header) = self.reader.read::<ChunkHeader>().map_err(ReadError::Source)? else {
            let kind = ErrorKind::Truncated { needed: HEADER_LEN, left };
            return Err(Error::new(kind, Section::named("chunk header"), offset).into());
        };
        let fail = |kind| Error::new(kind, header.id.section(), offset);
        let (declared_size, declared_count) = (header.data_size.get(), header.data_count.get());
        let count =
            u32::try_from(declared_count).map_err(|_| fail(codes::NEGATIVE_COUNT.with([signed(declared_count)])))?;
        let size = match u32::try_from(declared_size) {
            Ok(size) => size,
            Err(_) if count == 0 => 0,
            Err(_) => return Err(fail(codes::NEGATIVE_SIZE.with([signed(declared_size)])).into()),
        };
        let body = self.body(&header, Body { size, count, recovered: None }, fail)?;
        let left = self.reader.left();
        let overrun = || fail(ErrorKind::RecordsOverrun { count: body.count, size: body.size.into(), left });
        let span = self.reader.skip(body.size.into(), body.count).ok_or_else(overrun)?;
        Ok(Extent {
            id: header.id,
            type_flag: header.type_flag.get(),
            offset,
            declared_size,
            declared_count,
            record_size: body.size,
            count: body.count,
            body: span,
            recovered: body.recovered,
        })
    }

    /// The true extent of a body: some tools wrote wrong record sizes (ActorX reference, section 7). The declared extent is
    /// used if a header or the end of the file follows it.
    fn body(&self, header: &ChunkHeader, declared: Body, fail: impl Fn(ErrorKind) -> Error) -> ReadResult<Body, R> {
        let Body { size, count, .. } = declared;
        if count == 0 || self.lands(size, count)? {
            return Ok(declared);
        }
        let native_long = |actual| Err(fail(codes::NATIVE_LONG.with([size, actual])).into());
        match (header.id.as_bytes(), size) {
            (b"FACE3200", 20) if self.lands(18, count)? => {
                Ok(Body { size: 18, recovered: Some(codes::FACE_RECORD_SIZE), ..declared })
            }
            (id, 16) if is_uv_id(id) && self.lands(8, count)? => {
                Ok(Body { size: 8, recovered: Some(codes::UV_RECORD_SIZE), ..declared })
            }
            (b"MRPHINFO", 68) => self.cut(declared, |next| next.is_some_and(|next| next.id.as_bytes() == b"MRPHDATA")),
            (b"SKELSOCK", 164) => {
                // A socket's name followed by zeros resembles the header of an empty chunk.
                let is_chunk = |next: &ChunkHeader| is_known(next.id.as_bytes()) && next.data_size.get() > 0;
                self.cut(declared, |next| next.is_none_or(is_chunk))
            }
            (b"FACE0000", 12) if self.lands(16, count)? => native_long(16),
            (b"MATT0000", 88) if self.lands(104, count)? => native_long(104),
            (b"REFSKELT" | b"BONENAMES", 120) if self.lands(124, count)? => native_long(124),
            _ => Ok(declared),
        }
    }

    /// The body up to the first record at which `ends` accepts a header (`None`: the end of the file). O(records before it); no
    /// later step reads them again.
    fn cut(&self, declared: Body, ends: impl Fn(Option<&ChunkHeader>) -> bool) -> ReadResult<Body, R> {
        for count in 0..declared.count {
            let Some(next) = self.reader.ahead(declared.size.into(), count) else { break };
            let is_end = next.left() == 0 && ends(None);
            if is_end || plausible_header(next).map_err(ReadError::Source)?.is_some_and(|next| ends(Some(&next))) {
                return Ok(Body { count, recovered: Some(codes::SHORT_BODY), ..declared });
            }
        }
        Ok(declared)
    }

    /// Whether the end of the file, or a plausible header, follows a body of this extent.
    fn lands(&self, size: u32, count: u32) -> ReadResult<bool, R> {
        match self.reader.ahead(size.into(), count) {
            None => Ok(false),
            Some(next) => Ok(next.left() == 0 || plausible_header(next).map_err(ReadError::Source)?.is_some()),
        }
    }
}

const fn signed(number: i32) -> u32 {
    u32::from_le_bytes(number.to_le_bytes())
}

#[derive(Clone, Copy)]
struct Body {
    size: u32,
    count: u32,
    recovered: Option<Code>,
}

/// The header at the reader, if it is plausible (ActorX reference, section 7). A known id may have an implausible size: its
/// body may be one that needs recovery.
fn plausible_header<R: ReadAt + Copy>(mut at: Reader<R>) -> Result<Option<ChunkHeader>, R::Error> {
    let Some(header) = at.read::<ChunkHeader>()?.filter(|header| header.id.is_plausible()) else { return Ok(None) };
    let sizes = (u32::try_from(header.data_size.get()), u32::try_from(header.data_count.get()));
    let (Ok(size), Ok(count)) = sizes else { return Ok(None) };
    let id = || header.id.as_bytes();
    let size_is_plausible = header.data_size.get() <= MAX_PLAUSIBLE_RECORD || is_curve_id(id());
    let is_plausible = size_is_plausible && (at.ahead(size.into(), count).is_some() || is_known(id()));
    Ok(is_plausible.then_some(header))
}

impl<R: ReadAt + Copy> Iterator for Walk<R> {
    type Item = ReadResult<Extent, R>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.left == 0 || self.reader.left() == 0 {
            return None;
        }
        let step = self.step();
        self.left = if step.is_err() { 0 } else { self.left.saturating_sub(1) };
        Some(step)
    }
}

/// One chunk of a file: the values of its header, and its body in place.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct Chunk<'a> {
    /// The id as stored.
    pub id: &'a ChunkId,
    /// A hint to the writer, without effect on the layout (ActorX reference, section 1.2).
    pub type_flag: u32,
    /// The byte at which the header begins; the body follows 32 bytes later.
    pub offset: u64,
    /// Bytes per record, as stored.
    pub declared_size: i32,
    /// Number of records, as stored.
    pub declared_count: i32,
    /// Bytes per record in the body: as declared, unless a quirk corrects it. 0 for a negative size without records.
    pub record_size: u32,
    /// Number of records in the body: as declared, unless a quirk corrects it.
    pub count: u32,
    /// The records, `record_size` times `count` bytes.
    pub body: &'a [u8],
}

impl<'a> Chunk<'a> {
    fn new(bytes: &'a [u8], extent: &Extent) -> Option<Self> {
        let Extent { type_flag, offset, declared_size, declared_count, record_size, count, .. } = *extent;
        let (id, _) = ChunkId::ref_from_prefix(bytes.get(to_usize(offset)..)?).ok()?;
        let body = extent.body.bytes_of(bytes);
        Some(Self { id, type_flag, offset, declared_size, declared_count, record_size, count, body })
    }

    pub(super) fn place(&self) -> SectionStart {
        SectionStart { section: self.id.section(), offset: self.offset }
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

/// The chunks of a file in file order: known, unknown, empty and repeated.
///
/// Stops after the first error. A step is O(1) without recovery; a whole walk is O(file). The iterator accepts any file;
/// [`Psk::parse`](super::Psk::parse) and [`Psa::parse`](super::Psa::parse) check the format.
///
/// ```
/// let bytes = std::fs::read("tests/corpus/actorx/mesh/classic.psk")?;
/// for chunk in skelmap::actorx::Chunks::new(&bytes) {
///     let chunk = chunk?;
///     println!("{} at {}: {} records of {} bytes", chunk.id, chunk.offset, chunk.count, chunk.record_size);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Chunks<'a> {
    bytes: &'a [u8],
    walk: Walk<&'a [u8]>,
}

impl<'a> Chunks<'a> {
    /// Starts at the first byte. O(1), reads nothing.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, walk: Walk::new(bytes) }
    }
}

impl<'a> Iterator for Chunks<'a> {
    type Item = Result<Chunk<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.walk.next()? {
            Ok(extent) => Chunk::new(self.bytes, &extent).map(Ok),
            Err(error) => Some(Err(error.into_format())),
        }
    }
}

impl FusedIterator for Chunks<'_> {}

impl Debug for Chunks<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chunks").field("failed", &(self.walk.left == 0)).finish_non_exhaustive()
    }
}

/// The error, or [`ErrorKind::CrlfDamaged`] if a text conversion damaged the file: it has line feeds, and a carriage return
/// before each (ActorX reference, section 7, row 8). Reads up to the first line feed without a carriage return, at most 64 MiB.
pub(super) fn blame_line_ends<R: ReadAt + ?Sized>(source: &R, error: ReadError<R::Error>) -> ReadError<R::Error> {
    let ReadError::Format(broken) = error else { return error };
    let is_of_walk = matches!(broken.kind(), ErrorKind::Truncated { .. } | ErrorKind::RecordsOverrun { .. })
        || [codes::NEGATIVE_COUNT, codes::NEGATIVE_SIZE].contains(&broken.code());
    match is_of_walk.then(|| is_converted(source)) {
        Some(Ok(true)) => broken.with_kind(ErrorKind::CrlfDamaged).into(),
        Some(Err(failed)) => ReadError::Source(failed),
        Some(Ok(false)) | None => error,
    }
}

/// Limits of the test: the first line feed must be within 1 MiB; at most 64 MiB are read. In random bytes, one in 256 is a line
/// feed.
const FIRST_LINE: u64 = 1 << 20;
const MAX_LINES: u64 = 1 << 26;

/// Whether line feeds exist and a carriage return precedes each.
fn is_converted<R: ReadAt + ?Sized>(source: &R) -> Result<bool, R::Error> {
    let (mut block, mut offset, mut before, mut seen) = ([0; 4096], 0_u64, 0, false);
    while offset < source.size().min(if seen { MAX_LINES } else { FIRST_LINE }) {
        let read = source.read_at(offset, &mut block)?;
        for byte in block.get(..read).unwrap_or_default() {
            if *byte == b'\n' {
                if before != b'\r' {
                    return Ok(false);
                }
                seen = true;
            }
            before = *byte;
        }
        if read < block.len() {
            break;
        }
        offset = offset.saturating_add(to_u64(read));
    }
    Ok(seen)
}
