//! Events: what the game is told to do at a frame. Raw bytes, typed by their prefix (SWAT 3 reference, section 2.3).

use core::fmt::{self, Debug, Formatter};
use core::iter::FusedIterator;

use zerocopy::little_endian::U16;

use crate::cursor::Cursor;
use crate::text::Text;

/// An event of a frame: a name as stored, without the NUL that ends it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Event<'a>(&'a [u8]);

/// What an event asks for, by its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EventKind<'a> {
    /// `sound=NAME`: play the sound of this name.
    Sound(Text<'a>),
    /// `itemsound=NAME`: play the sound of this name for the item in hand, such as `magout_1911` for `magout`.
    ItemSound(Text<'a>),
    /// Any other event. Four more kinds were seen in the game's files; what they are called is not known.
    Other(Text<'a>),
}

impl<'a> EventKind<'a> {
    /// `sound`, `itemsound` or `other`.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Sound(_) => "sound",
            Self::ItemSound(_) => "itemsound",
            Self::Other(_) => "other",
        }
    }

    /// What follows the prefix; the whole event where it has none of the two.
    pub const fn value(&self) -> Text<'a> {
        match self {
            Self::Sound(value) | Self::ItemSound(value) | Self::Other(value) => *value,
        }
    }
}

impl<'a> Event<'a> {
    /// An event of these bytes, which are a name without the NUL.
    pub const fn new(name: &'a [u8]) -> Self {
        Self(name)
    }

    /// The bytes as stored, without the NUL.
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// The whole event as text.
    pub const fn text(self) -> Text<'a> {
        Text::new(self.0)
    }

    /// What the event asks for. Prefixes are told apart in the case in which they are documented.
    pub fn kind(self) -> EventKind<'a> {
        if let Some(name) = self.0.strip_prefix(b"sound=") {
            return EventKind::Sound(Text::new(name));
        }
        match self.0.strip_prefix(b"itemsound=") {
            Some(name) => EventKind::ItemSound(Text::new(name)),
            None => EventKind::Other(self.text()),
        }
    }
}

impl Debug for Event<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.text().fmt(f)
    }
}

/// Whether a file may hold these bytes as an event: no control character, and short enough for its length to be stored.
///
/// This grammar is part of how the frames are found, so an event outside of it would make the file unreadable.
pub fn is_event_name(name: &[u8]) -> bool {
    name.len() < usize::from(u16::MAX) && name.iter().all(|byte| is_printable(*byte))
}

pub(super) const fn is_printable(byte: u8) -> bool {
    byte >= 0x20 && byte != 0x7F
}

/// The events of a frame, in file order.
#[derive(Clone)]
pub struct Events<'a> {
    bytes: &'a [u8],
    left: u16,
}

impl<'a> Events<'a> {
    pub(super) const fn new(bytes: &'a [u8], count: u16) -> Self {
        Self { bytes, left: count }
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        self.left = self.left.checked_sub(1)?;
        let mut cursor = Cursor::new(self.bytes);
        let stored = next_event(&mut cursor)?;
        self.bytes = cursor.rest();
        stored.split_last().map(|(_, name)| Event(name))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::from(self.left), Some(usize::from(self.left)))
    }
}

impl ExactSizeIterator for Events<'_> {}
impl FusedIterator for Events<'_> {}

impl Debug for Events<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

/// The next event as stored, the NUL included.
pub(super) fn next_event<'a>(cursor: &mut Cursor<'a>) -> Option<&'a [u8]> {
    let length = cursor.read::<U16>()?.get();
    cursor.take(1, length.into())
}

/// How many bytes can be printed before the first that cannot.
pub(super) fn printable_length(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| is_printable(**byte)).count()
}
