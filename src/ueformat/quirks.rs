//! The oddities that the parser accepts: a bit for each kind, and its first place on demand.

use super::codes;
use super::part::Found;
use crate::report::codes as shared;
use crate::report::{Code, Quirk, Section};

/// The kinds of oddities.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Oddity {
    UnknownSection,
    DuplicateSection,
    SectionRest,
    CountHigh,
    RootMetadata,
    BonesUnclear,
    FramesNegative,
    FramesUnlikely,
    Trailing,
}

use Oddity::{
    BonesUnclear, CountHigh, DuplicateSection, FramesNegative, FramesUnlikely, RootMetadata, SectionRest, Trailing,
    UnknownSection,
};

const ALL: [Oddity; 9] = [
    UnknownSection,
    DuplicateSection,
    SectionRest,
    CountHigh,
    RootMetadata,
    BonesUnclear,
    FramesNegative,
    FramesUnlikely,
    Trailing,
];

impl Oddity {
    const fn bit(self) -> u32 {
        match self {
            UnknownSection => 1,
            DuplicateSection => 1 << 1,
            SectionRest => 1 << 2,
            CountHigh => 1 << 3,
            RootMetadata => 1 << 4,
            BonesUnclear => 1 << 5,
            FramesNegative => 1 << 6,
            FramesUnlikely => 1 << 7,
            Trailing => 1 << 8,
        }
    }

    const fn code(self) -> Code {
        match self {
            UnknownSection => codes::UNKNOWN_SECTION,
            DuplicateSection => codes::DUPLICATE_SECTION,
            SectionRest => codes::SECTION_REST,
            CountHigh => codes::COUNT_HIGH,
            RootMetadata => codes::ROOT_METADATA,
            BonesUnclear => codes::BONES_UNCLEAR,
            FramesNegative => codes::FRAMES_NEGATIVE,
            FramesUnlikely => codes::FRAMES_UNLIKELY,
            Trailing => shared::TRAILING_BYTES,
        }
    }
}

/// What a walk over the sections notes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Notes {
    /// The kinds that occur.
    pub(super) bits: u32,
    /// A kind whose first place is asked, and that place.
    asked: Option<Oddity>,
    place: Option<(Section, u64)>,
}

impl Notes {
    pub(super) fn add(&mut self, oddity: Oddity, section: Section, offset: u64) {
        self.bits |= oddity.bit();
        if self.asked == Some(oddity) && self.place.is_none() {
            self.place = Some((section, offset));
        }
    }

    pub(super) fn rest(&mut self, found: &Found, left: u64) {
        if left > 0 {
            self.add(SectionRest, found.section, found.at);
        }
    }
}

/// The quirks of these kinds, in the order of their places. `walk` walks over the file again for each kind. No allocation.
pub(super) fn quirks(bits: u32, walk: &dyn Fn(&mut Notes)) -> impl Iterator<Item = Quirk> + use<> {
    let mut all = ALL.map(|oddity| {
        if bits & oddity.bit() == 0 {
            return None;
        }
        let mut notes = Notes { asked: Some(oddity), ..Notes::default() };
        walk(&mut notes);
        notes.place.map(|(section, offset)| Quirk::new(oddity.code(), section, offset))
    });
    all.sort_by_key(|quirk| quirk.map_or(u64::MAX, |quirk| quirk.offset));
    all.into_iter().flatten()
}
