//! The structure of a body: sections, arrays and items (UEFormat reference, section 3), checked in any source.

use zerocopy::little_endian::I32;

use super::codes;
use super::extent::{Extent, Items};
use super::header::MAX_NAME;
use super::quirks::{Notes, Oddity};
use crate::bytes::{Marks, ReadAt, Reader, Record, to_u64};
use crate::report::codes as shared;
use crate::report::{Error, ErrorKind, ReadError, ReadResult, Section};

/// A field of an item.
#[derive(Clone, Copy, Debug)]
pub(super) enum Field {
    /// A length and as many bytes.
    Name,
    /// So many bytes.
    Fixed(u32),
    /// A number, and as many records of so many bytes.
    Array(u32),
    /// A number, and as many items.
    Items(&'static [Self]),
}

use Field::{Array, Fixed, Name};

pub(super) const BONE: &[Field] = &[Name, Fixed(32)];
pub(super) const SCALED_BONE: &[Field] = &[Name, Fixed(44)];
pub(super) const SOCKET: &[Field] = &[Name, Name, Fixed(40)];
pub(super) const VIRTUAL_BONE: &[Field] = &[Name, Name, Name];
pub(super) const MATERIAL: &[Field] = &[Name, Fixed(8)];
pub(super) const MATERIAL_WITH_PATH: &[Field] = &[Name, Name, Fixed(8)];
pub(super) const UV_SET: &[Field] = &[Array(8)];
pub(super) const NAMED_UV_SET: &[Field] = &[Name, Array(8)];
pub(super) const COLOR_SET: &[Field] = &[Name, Array(4)];
pub(super) const MORPH: &[Field] = &[Name, Array(28)];
pub(super) const HULL: &[Field] = &[Name, Array(12), Array(4)];
pub(super) const TRACK: &[Field] = &[Name, Array(16), Array(20), Array(16)];
pub(super) const CURVE: &[Field] = &[Name, Array(8)];
pub(super) const POSE_BONE: &[Field] = &[Name, Fixed(40)];
pub(super) const POSE: &[Field] = &[Name, Field::Items(POSE_BONE), Array(8)];
pub(super) const CURVE_NAME: &[Field] = &[Name];

/// The least number of bytes of an item.
const fn least(shape: &[Field]) -> u32 {
    let (mut rest, mut sum) = (shape, 0_u32);
    while let [field, tail @ ..] = rest {
        let size = match field {
            Fixed(size) => *size,
            Name | Array(_) | Field::Items(_) => 4,
        };
        sum = sum.saturating_add(size);
        rest = tail;
    }
    sum
}

/// A part of a body, read in order up to its end.
#[derive(Clone, Copy)]
pub(super) struct Part<R> {
    reader: Reader<R>,
    end: u64,
    /// Whose part this is, in errors.
    section: Section,
    version: u8,
}

/// A section: its name, its place, and the number of elements where the header has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) section: Section,
    /// The offset of its header.
    pub(super) at: u64,
    /// Before version 10, the number of elements as stored.
    count: Option<i32>,
    pub(super) data: Extent,
}

impl<R: ReadAt + Copy> Part<R> {
    /// The part of a source between two offsets.
    pub(super) fn new(source: R, start: u64, end: u64, section: Section, version: u8) -> Self {
        let reader = Reader::new(source);
        let at_start = reader.ahead(start, 1).unwrap_or(reader);
        Self { reader: at_start, end: end.min(source.size()), section, version }
    }

    /// The data of a section.
    pub(super) fn inside(&self, found: &Found) -> Self {
        Self { section: found.section, ..self.within(found.data) }
    }

    /// A range of this part.
    pub(super) fn within(&self, range: Extent) -> Self {
        let back = Reader::new(self.reader.source());
        Self { reader: back.ahead(range.start(), 1).unwrap_or(back), end: range.end(), ..*self }
    }

    pub(super) const fn position(&self) -> u64 {
        self.reader.position()
    }

    pub(super) const fn end(&self) -> u64 {
        self.end
    }

    #[inline]
    pub(super) const fn left(&self) -> u64 {
        self.end.saturating_sub(self.reader.position())
    }

    #[cold]
    pub(super) fn error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.section, self.position())
    }

    /// The error about bytes that this part does not have.
    #[cold]
    fn short(&self, needed: u64) -> Error {
        let left = self.left();
        if self.end == self.reader.size() {
            return self.error(ErrorKind::Truncated { needed, left });
        }
        let [needed, left] = [needed, left].map(|bytes| u32::try_from(bytes).unwrap_or(u32::MAX));
        self.error(codes::SECTION_END.with([needed, left]))
    }

    #[inline]
    pub(super) fn read<T: Record>(&mut self) -> ReadResult<T, R> {
        if to_u64(size_of::<T>()) > self.left() {
            return Err(self.short(to_u64(size_of::<T>())).into());
        }
        let read = self.reader.read().map_err(ReadError::Source)?;
        read.ok_or_else(|| self.short(to_u64(size_of::<T>())).into())
    }

    /// Skips `count` records of `size` bytes.
    #[inline]
    pub(super) fn skip(&mut self, size: u32, count: u32) -> Result<Extent, Error> {
        let (start, bytes) = (self.position(), u64::from(size).saturating_mul(count.into()));
        let is_there = bytes <= self.left() && self.reader.skip(size.into(), count).is_some();
        if is_there { Ok(Extent::new(start, self.position())) } else { Err(self.overrun(size, count)) }
    }

    #[cold]
    pub(super) fn overrun(&self, size: u32, count: u32) -> Error {
        if size == 1 || self.end != self.reader.size() {
            return self.short(u64::from(size).saturating_mul(count.into()));
        }
        self.error(ErrorKind::RecordsOverrun { count, size: size.into(), left: self.left() })
    }

    /// A size or a number, 0 or more.
    #[inline]
    fn number(&mut self, code: crate::report::Code) -> ReadResult<u32, R> {
        let before = *self;
        let number = self.read::<I32>()?;
        let at = |kind| before.error(kind).into();
        u32::try_from(number.get()).map_err(|_| at(code.with([u32::from_le_bytes(number.to_bytes())])))
    }

    #[inline]
    pub(super) fn count(&mut self) -> ReadResult<u32, R> {
        self.number(shared::NEGATIVE_COUNT)
    }

    pub(super) fn size(&mut self) -> ReadResult<u32, R> {
        self.number(shared::NEGATIVE_SIZE)
    }

    #[inline]
    pub(super) fn name(&mut self) -> ReadResult<Extent, R> {
        let before = *self;
        let length = self.number(shared::NEGATIVE_SIZE)?;
        let name = self.skip(1, length)?;
        if length > MAX_NAME {
            return Err(before.error(codes::NAME_LENGTH.with([length, MAX_NAME])).into());
        }
        Ok(name)
    }

    /// The next section: its header is read, its data skipped.
    pub(super) fn section(&mut self) -> ReadResult<Found, R> {
        let at = self.position();
        let length = self.number(shared::NEGATIVE_SIZE)?;
        let (mut raw, mut name) = ([0; 20], *self);
        self.skip(1, length)?;
        let short = usize::try_from(length).unwrap_or(usize::MAX).min(raw.len());
        name.reader.read_into(raw.get_mut(..short).unwrap_or_default()).map_err(ReadError::Source)?;
        // A longer name is none of those that are known, which zero bytes follow here.
        if to_u64(raw.len()) < length.into() {
            if let Some(last @ 0) = raw.last_mut() {
                *last = b'.';
            }
        }
        let section = Section::from_raw(raw);
        let count = if self.version >= 10 { None } else { Some(self.read::<I32>()?.get()) };
        let named = Self { section, ..*self };
        let mut named = named;
        let size = named.number(shared::NEGATIVE_SIZE)?;
        let data = named.skip(1, size)?;
        self.reader = named.reader;
        Ok(Found { section, at, count, data })
    }

    /// The sections of this part: in version 10 as many as a number says, before it all up to the end.
    pub(super) fn sections(&mut self, mut each: impl FnMut(Found, &Self) -> ReadResult<(), R>) -> ReadResult<(), R> {
        if self.version >= 10 {
            for _ in 0..self.count()? {
                let found = self.section()?;
                each(found, self)?;
            }
        } else {
            while self.left() > 0 {
                let found = self.section()?;
                each(found, self)?;
            }
        }
        Ok(())
    }

    /// The number of elements of a section, with the reader behind it.
    pub(super) fn elements(&self, found: &Found) -> ReadResult<(Self, u32), R> {
        let mut part = self.inside(found);
        let count = match found.count {
            None => part.count()?,
            Some(count) => u32::try_from(count).map_err(|_| {
                Error::new(
                    shared::NEGATIVE_COUNT.with([u32::from_le_bytes(count.to_le_bytes())]),
                    found.section,
                    found.at,
                )
            })?,
        };
        Ok((part, count))
    }

    /// A section of records of `size` bytes.
    pub(super) fn records(&self, found: &Found, size: u32, notes: &mut Notes) -> ReadResult<Extent, R> {
        let (mut part, count) = self.elements(found)?;
        let records = part.skip(size, count)?;
        notes.rest(found, part.left());
        Ok(records)
    }

    /// A section of items, at most `most`. The marks get the offsets of some of them.
    pub(super) fn items(
        &self,
        found: &Found,
        shape: &'static [Field],
        most: u32,
        notes: &mut Notes,
        marks: Option<&mut Marks>,
    ) -> ReadResult<Items, R> {
        let (mut part, count) = self.elements(found)?;
        // Before version 10, CUE4Parse counts morph targets and sockets that it does not write (reference, section 3.4).
        let may_be_fewer = self.version < 10 && (found.section == MORPHS || found.section == SOCKETS);
        let fit = u32::try_from(part.left().checked_div(least(shape).into()).unwrap_or(0)).unwrap_or(u32::MAX);
        if count > fit && !may_be_fewer {
            return Err(part.overrun(least(shape), count).into());
        }
        let too_many = || Error::new(codes::TOO_MANY.with([count, most]), found.section, found.at);
        if count > most && !may_be_fewer {
            return Err(too_many().into());
        }
        let start = part.position();
        let mut unused = Marks::default();
        let marks = marks.unwrap_or(&mut unused);
        *marks = Marks::new(count.min(fit));
        let mut index = 0_u32;
        while index < count && !(may_be_fewer && part.left() == 0) {
            if index == most {
                return Err(too_many().into());
            }
            marks.note(index, part.position().saturating_sub(start));
            part.item(shape)?;
            index = index.saturating_add(1);
        }
        if index < count {
            notes.add(Oddity::CountHigh, found.section, found.at);
        }
        let extent = Extent::new(start, part.position());
        notes.rest(found, part.left());
        Ok(Items { extent, count: index })
    }

    /// Skips an item.
    #[inline]
    pub(super) fn item(&mut self, shape: &'static [Field]) -> ReadResult<(), R> {
        for field in shape {
            match *field {
                Name => {
                    self.name()?;
                }
                Fixed(size) => {
                    self.skip(size, 1)?;
                }
                Array(size) => {
                    let count = self.count()?;
                    self.skip(size, count)?;
                }
                Field::Items(inner) => {
                    // Items in items have no items of their own.
                    for _ in 0..self.count()? {
                        for field in inner {
                            match *field {
                                Name => {
                                    self.name()?;
                                }
                                Fixed(size) => {
                                    self.skip(size, 1)?;
                                }
                                Array(_) | Field::Items(_) => {}
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

pub(super) const MORPHS: Section = Section::named("MORPHTARGETS");
pub(super) const SOCKETS: Section = Section::named("SOCKETS");
