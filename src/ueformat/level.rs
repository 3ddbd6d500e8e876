//! A level of detail: its sections and their items (UEFormat reference, section 5.1).

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

use super::extent::{Extent, Items};
use super::model::MAX_ITEMS;
use super::part::{COLOR_SET, Found, MATERIAL, MATERIAL_WITH_PATH, MORPH, MORPHS, NAMED_UV_SET, Part, UV_SET};
use super::quirks::{Notes, Oddity};
use crate::bytes::ReadAt;
use crate::report::{ReadResult, Section};

pub(super) const VERTICES: Section = Section::named("VERTICES");
pub(super) const NORMALS: Section = Section::named("NORMALS");
pub(super) const TANGENTS: Section = Section::named("TANGENTS");
pub(super) const INDICES: Section = Section::named("INDICES");
pub(super) const UVS: Section = Section::named("TEXCOORDS");
pub(super) const COLORS: Section = Section::named("VERTEXCOLORS");
pub(super) const MATERIALS: Section = Section::named("MATERIALS");
pub(super) const WEIGHTS: Section = Section::named("WEIGHTS");

/// The maximum number of materials of a level, and of its UV sets. A triangle finds its material in the list of materials, and Unreal has
/// 8 UV sets.
pub(super) const MAX_MATERIALS: u32 = 256;
pub(super) const MAX_UV_SETS: u32 = 64;

/// The layout of a level.
#[derive(Clone, Copy, Debug, Default, FromBytes, Immutable, IntoBytes, KnownLayout)]
#[repr(C)]
pub(super) struct LevelLayout {
    pub(super) name: Extent,
    pub(super) vertices: Extent,
    pub(super) normals: Extent,
    pub(super) tangents: Extent,
    pub(super) indices: Extent,
    pub(super) weights: Extent,
    pub(super) uvs: Items,
    pub(super) colors: Items,
    pub(super) materials: Items,
    pub(super) morphs: Items,
    /// A bit for each section that was there.
    seen: u32,
}

/// Bytes of a stored normal.
pub(super) const fn normal_size(version: u8) -> u32 {
    if version == 0 { 12 } else { 16 }
}

impl LevelLayout {
    /// Takes a section of a level; `false` if a level has no such section.
    pub(super) fn take<R: ReadAt + Copy>(
        &mut self,
        part: &Part<R>,
        found: &Found,
        version: u8,
        notes: &mut Notes,
    ) -> ReadResult<bool, R> {
        let bit = match found.section {
            VERTICES => 1,
            NORMALS => 1 << 1,
            TANGENTS => 1 << 2,
            INDICES => 1 << 3,
            UVS => 1 << 4,
            COLORS => 1 << 5,
            MATERIALS => 1 << 6,
            WEIGHTS => 1 << 7,
            MORPHS => 1 << 8,
            _ => return Ok(false),
        };
        if self.seen & bit != 0 {
            notes.add(Oddity::DuplicateSection, found.section, found.at);
            return Ok(true);
        }
        self.seen |= bit;
        match found.section {
            VERTICES => self.vertices = part.records(found, 12, notes)?,
            NORMALS => self.normals = part.records(found, normal_size(version), notes)?,
            TANGENTS => self.tangents = part.records(found, 12, notes)?,
            INDICES => self.indices = part.records(found, 4, notes)?,
            WEIGHTS => self.weights = part.records(found, 10, notes)?,
            UVS => {
                let shape = if version >= 10 { NAMED_UV_SET } else { UV_SET };
                self.uvs = part.items(found, shape, MAX_UV_SETS, notes, None)?;
            }
            // One set without a name.
            COLORS if version < 2 => {
                let colors = part.records(found, 4, notes)?;
                self.colors = Items { extent: colors, count: u32::from(!colors.is_empty()) };
            }
            COLORS => self.colors = part.items(found, COLOR_SET, MAX_UV_SETS, notes, None)?,
            MATERIALS => {
                let shape = if version >= 6 { MATERIAL_WITH_PATH } else { MATERIAL };
                self.materials = part.items(found, shape, MAX_MATERIALS, notes, None)?;
            }
            _ => self.morphs = part.items(found, MORPH, MAX_ITEMS, notes, None)?,
        }
        Ok(true)
    }

    /// Whether the level has any section of its own.
    pub(super) const fn has_sections(&self) -> bool {
        self.seen != 0
    }

    /// Reads a level of version 4 or later: its name, before version 10 its size, and its sections.
    pub(super) fn read<R: ReadAt + Copy>(part: &mut Part<R>, version: u8, notes: &mut Notes) -> ReadResult<Self, R> {
        let mut level = Self { name: part.name()?, ..Self::default() };
        let mut own = *part;
        if version < 10 {
            let size = part.size()?;
            let sections = part.skip(1, size)?;
            own = part.within(sections);
        }
        own.sections(|found, own| level.take_or_note(own, &found, version, notes))?;
        if version >= 10 {
            *part = own;
        }
        Ok(level)
    }

    fn take_or_note<R: ReadAt + Copy>(
        &mut self,
        part: &Part<R>,
        found: &Found,
        version: u8,
        notes: &mut Notes,
    ) -> ReadResult<(), R> {
        if !self.take(part, found, version, notes)? {
            notes.add(Oddity::UnknownSection, found.section, found.at);
        }
        Ok(())
    }
}
