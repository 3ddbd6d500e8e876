//! The two containers: attribute sets of version 10, and chunks of versions 0 to 9.

use std::collections::BTreeMap;

use super::Odd;
use super::cursor::Cursor;
use crate::ueformat::asset::{NEWEST, Name};

pub(super) struct Reader {
    pub(super) version: u8,
    pub(super) bone_size: Option<usize>,
    pub(super) odd: Vec<Odd>,
}

/// A section by its path; the count of a chunk stands before its data.
pub(super) struct Section<'b> {
    name: Name,
    /// The offset of its name.
    pub(super) start: usize,
    count: Option<i32>,
    pub(super) data: Cursor<'b>,
}

/// The sections of a list by their names.
pub(super) struct Known<'b>(BTreeMap<Name, Section<'b>>);

impl<'b> Known<'b> {
    pub(super) fn take(&mut self, name: &str) -> Option<Section<'b>> {
        self.0.remove(name.as_bytes())
    }

    pub(super) fn has_any(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.0.contains_key(name.as_bytes()))
    }
}

impl Reader {
    pub(super) fn odd(&mut self, word: &'static str, section: impl Into<String>) {
        self.odd.push(Odd { word, section: section.into() });
    }

    fn child(path: &str, name: &[u8]) -> String {
        let name = String::from_utf8_lossy(name);
        if path == "root" { name.into_owned() } else { format!("{path}/{name}") }
    }

    /// A section where the cursor stands.
    fn section<'b>(&self, cursor: &mut Cursor<'b>) -> Result<Section<'b>, String> {
        let start = cursor.position();
        let mut name = cursor.name()?;
        // Zero bytes at the end are not part of a name. No known name has more than 20 bytes.
        if name.len() <= 20 {
            name.truncate(name.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1));
        }
        let count = if self.version >= NEWEST { None } else { Some(cursor.i32()?) };
        let set = cursor.path.clone();
        cursor.path = Self::child(&set, &name);
        let size = cursor.size("size")?;
        let data = cursor.part(cursor.path.clone(), size)?;
        cursor.path = set;
        Ok(Section { name, start, count, data })
    }

    /// A set where the cursor stands, of as many sections as it says; or all that is left, in versions 0 to 9.
    pub(super) fn set<'b>(&self, cursor: &mut Cursor<'b>) -> Result<Vec<Section<'b>>, String> {
        let mut sections = Vec::new();
        if self.version >= NEWEST {
            for _ in 0..cursor.size("count")? {
                sections.push(self.section(cursor)?);
            }
        } else {
            while cursor.left() > 0 {
                sections.push(self.section(cursor)?);
            }
        }
        Ok(sections)
    }

    /// The first section of each name, if the reader knows it.
    pub(super) fn known<'b>(&mut self, sections: Vec<Section<'b>>, names: &[&str]) -> Known<'b> {
        let mut known = BTreeMap::new();
        for section in sections {
            let path = section.data.path.clone();
            if !names.iter().any(|name| name.as_bytes() == section.name) {
                self.odd("section-unknown", path);
            } else if known.contains_key(&section.name) {
                self.odd("section-twice", path);
            } else {
                known.insert(section.name.clone(), section);
            }
        }
        Known(known)
    }

    /// Bytes that nothing reads.
    pub(super) fn end(&mut self, cursor: &Cursor<'_>) {
        if cursor.left() > 0 {
            self.odd("trailing-bytes", cursor.path.clone());
        }
    }

    /// The elements of a section, none if there is no section.
    ///
    /// A fault of CUE4Parse (reference, 3.4): the count of some chunks includes empty assets, which it did not write. The size is right.
    pub(super) fn array<T>(
        &mut self,
        section: Option<Section<'_>>,
        least: usize,
        one: impl FnMut(&mut Self, &mut Cursor<'_>) -> Result<T, String>,
    ) -> Result<Vec<T>, String> {
        let Some(section) = section else { return Ok(Vec::new()) };
        let (elements, cursor) = self.elements(&section, least, one)?;
        self.end(&cursor);
        Ok(elements)
    }

    /// The elements, and where they end.
    pub(super) fn elements<'b, T>(
        &mut self,
        section: &Section<'b>,
        least: usize,
        mut one: impl FnMut(&mut Self, &mut Cursor<'b>) -> Result<T, String>,
    ) -> Result<(Vec<T>, Cursor<'b>), String> {
        let mut cursor = section.data.clone();
        let count = match section.count {
            None => cursor.size("count")?,
            Some(count) => {
                usize::try_from(count).map_err(|_| cursor.error_at(section.start, format!("negative count {count}")))?
            }
        };
        let stops_at_size = section.count.is_some() && matches!(section.name.as_slice(), b"MORPHTARGETS" | b"SOCKETS");
        if !stops_at_size {
            cursor.check_count(count, least)?;
        }
        let path = cursor.path.clone();
        let mut elements = Vec::new();
        while elements.len() < count {
            if stops_at_size && cursor.left() == 0 {
                self.odd("count-too-high", path.clone());
                break;
            }
            cursor.path = format!("{path}#{}", elements.len());
            elements.push(one(self, &mut cursor)?);
        }
        cursor.path = path;
        Ok((elements, cursor))
    }
}
