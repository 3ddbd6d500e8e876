//! Events: names at a frame; the prefix gives the type (SWAT 3 reference, section 2.3).

use core::fmt::{self, Debug, Formatter};

use zerocopy::little_endian::U16;

use crate::bytes::{Cursor, Text, counted};

/// An event of a frame: a name as stored, without the final NUL.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Event<'a>(&'a [u8]);

/// The type of an event, from its prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EventKind<'a> {
    /// `sound=NAME`: play this sound.
    Sound(Text<'a>),
    /// `itemsound=NAME`: play this sound for the item in hand, such as `magout_1911` for `magout`.
    ItemSound(Text<'a>),
    /// Any other event. The game's files have four more types with unknown names.
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

    /// The text after the prefix; the whole event for [`Other`](EventKind::Other).
    pub const fn value(&self) -> Text<'a> {
        match self {
            Self::Sound(value) | Self::ItemSound(value) | Self::Other(value) => *value,
        }
    }
}

impl<'a> Event<'a> {
    /// An event of this name, without the NUL.
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

    /// The type of the event. Prefixes are case-sensitive.
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

/// Whether a file can store these bytes as an event: no control characters, and a length of 16 bits.
///
/// The search for the frames uses this rule: a file with other events cannot be read.
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

counted!(Events<'a>.left => Event<'a>, |events: &mut Self| {
    let mut cursor = Cursor::new(events.bytes);
    let stored = next_event(&mut cursor)?;
    events.bytes = cursor.rest();
    stored.split_last().map(|(_, name)| Event(name))
});

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

/// The number of printable bytes before the first other byte.
pub(super) fn printable_length(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| is_printable(**byte)).count()
}
