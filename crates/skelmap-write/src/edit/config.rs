//! Side-cars: their lines after an edit.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::Write;
use std::ops::Range;

use skelmap::actorx::{Config, Entry};
use skelmap::shared::to_u64;
use skelmap::{Name, Text};

use super::error::EditError;
use super::names::folded;

/// What becomes of the elements of one kind, by their folded names.
#[derive(Debug, Default)]
pub(super) struct Fates {
    by_name: HashMap<String, Vec<Option<Vec<u8>>>>,
    known: HashSet<(String, Option<Vec<u8>>)>,
    /// New names, folded, that no element of the file had.
    new: HashMap<String, String>,
}

impl Fates {
    /// Adds an element. Of equal elements, one is enough.
    pub(super) fn add(&mut self, name: Text<'_>, is_dropped: bool, new: Option<&Name<64>>) {
        let key = folded(name);
        if let Some(new) = new.filter(|_| !is_dropped) {
            self.new.insert(folded(new.text()), new.text().to_string());
        }
        let fate = new.map(|new| new.key().to_vec());
        let is_new = !is_dropped && self.known.insert((key.clone(), fate.clone()));
        // A name of which all elements are dropped has an empty list.
        let fates = self.by_name.entry(key).or_default();
        if is_new {
            fates.push(fate);
        }
    }

    /// What becomes of a name: for each element that has it and stays, its new name, if any. `None` for a name that no element has.
    fn get(&self, name: Text<'_>) -> Option<&[Option<Vec<u8>>]> {
        self.by_name.get(&folded(name)).map(Vec::as_slice)
    }

    /// Checks that a line about a name that no element has does not get an owner.
    fn check_unowned(&self, name: Text<'_>) -> Result<(), EditError> {
        match self.new.get(&folded(name)) {
            Some(name) => Err(EditError::SideCar { name: name.clone() }),
            None => Ok(()),
        }
    }
}

/// What becomes of all that lines name.
#[derive(Debug)]
pub(super) struct Fate<'a> {
    pub(super) sequences: Fates,
    pub(super) bones: Fates,
    /// For each bone, its new index, where indices change.
    pub(super) numbers: Option<&'a [Option<u32>]>,
}

/// The side-car after an edit. O(side-car).
pub(super) fn edited(config: &Config<'_>, fate: &Fate<'_>) -> Result<Vec<u8>, EditError> {
    let bytes = config.bytes();
    let mut edited = Vec::with_capacity(bytes.len());
    let mut entries = config.entries().peekable();
    for (number, line) in (1..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
        let entry = entries.next_if(|(own, _)| *own == number).map(|(_, entry)| entry);
        let line = Line(line);
        match entry {
            Some(Entry::RemoveTrack { sequence, bone, .. }) => {
                line.write_track(sequence, bone, fate, &mut edited)?;
            }
            Some(Entry::UseTranslation(bone) | Entry::ForceMeshTranslation(bone)) => {
                line.write_bone(bone, &fate.bones, &mut edited)?;
            }
            _ => edited.extend_from_slice(line.0),
        }
        check_size(bytes, &edited)?;
    }
    Ok(edited)
}

/// An edited side-car has at most this many times the bytes of the stored one, and 1 MiB.
const MAX_TIMES: usize = 64;
const MIN_LIMIT: usize = 1 << 20;

/// Checks that lines are not repeated without limit: each of many sequences with one name may get another name.
fn check_size(stored: &[u8], edited: &[u8]) -> Result<(), EditError> {
    let limit = stored.len().saturating_mul(MAX_TIMES).max(MIN_LIMIT);
    if edited.len() > limit {
        return Err(EditError::TooLarge { needed: to_u64(edited.len()), limit: to_u64(limit) });
    }
    Ok(())
}

/// The lines about tracks of the file's own sequences, each with an end. O(side-car).
pub(super) fn tracks(config: &Config<'_>, fate: &Fate<'_>) -> Result<Vec<u8>, EditError> {
    let (bytes, mut edited) = (config.bytes(), Vec::new());
    let mut entries = config.entries().peekable();
    for (number, line) in (1..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
        let Some((_, Entry::RemoveTrack { sequence, bone, .. })) = entries.next_if(|(own, _)| *own == number) else {
            continue;
        };
        let is_bone = fate.numbers.is_none_or(|numbers| usize::try_from(bone).is_ok_and(|bone| bone < numbers.len()));
        if is_bone && fate.sequences.get(sequence).is_some() {
            Line(line).write_track(sequence, bone, fate, &mut edited)?;
            check_size(bytes, &edited)?;
        }
    }
    if edited.last().is_some_and(|last| *last != b'\n') {
        edited.extend_from_slice(line_end(bytes));
    }
    Ok(edited)
}

/// The line end of a side-car: that of its first line.
fn line_end(bytes: &[u8]) -> &'static [u8] {
    let first = bytes.split_inclusive(|byte| *byte == b'\n').next().unwrap_or_default();
    if first.ends_with(b"\r\n") { b"\r\n" } else { b"\n" }
}

/// A side-car to which lines about tracks are added at its end.
#[derive(Debug, Default)]
pub(super) struct Joined {
    bytes: Vec<u8>,
    /// Whether lines were added: these are about tracks and have an end, so that further ones follow as they are.
    has_tracks: bool,
}

impl Joined {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, has_tracks: false }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Adds the lines of [`tracks`]. O(lines); the first call looks for the last heading.
    pub(super) fn add_tracks(&mut self, lines: &[u8]) {
        if lines.is_empty() {
            return;
        }
        if !self.has_tracks {
            self.end_with_heading(lines);
            self.has_tracks = true;
        }
        self.bytes.extend_from_slice(lines);
    }

    /// Ends the side-car so that lines about tracks can follow.
    fn end_with_heading(&mut self, lines: &[u8]) {
        let bytes = &mut self.bytes;
        let end = if bytes.is_empty() { line_end(lines) } else { line_end(bytes) };
        if bytes.last().is_some_and(|last| *last != b'\n') {
            bytes.extend_from_slice(end);
        }
        let mut headings = bytes.rsplit(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let last = headings.find(|line| line.starts_with(b"[") && line.ends_with(b"]"));
        let name = last.and_then(|line| line.strip_prefix(b"[")?.strip_suffix(b"]")).map(<[u8]>::trim_ascii);
        if !name.is_some_and(|name| name.eq_ignore_ascii_case(b"RemoveTracks")) {
            bytes.extend_from_slice(b"[RemoveTracks]");
            bytes.extend_from_slice(end);
        }
    }
}

/// The side-cars of the files of a split. From [`Split::side_cars`](super::Split::side_cars).
#[derive(Clone, Debug)]
pub struct SplitSideCars<'c> {
    bytes: &'c [u8],
    /// The lines that all files have.
    common: Vec<u8>,
    /// For each name, its lines: where they stand in the side-car, and how many bytes of `common` are before them.
    own: Vec<Vec<(usize, Range<usize>)>>,
    /// For each sequence, the index of its name.
    names: Vec<usize>,
}

impl<'c> SplitSideCars<'c> {
    /// `names`: those of all sequences. O(side-car + sequences) in time and memory.
    pub(super) fn new<'n>(config: &Config<'c>, names: impl Iterator<Item = Text<'n>>) -> Self {
        let mut indices: HashMap<String, usize> = HashMap::new();
        let index_of = |name: Text<'n>| {
            let next = indices.len();
            *indices.entry(folded(name)).or_insert(next)
        };
        let names: Vec<usize> = names.map(index_of).collect();
        let mut own: Vec<Vec<(usize, Range<usize>)>> = vec![Vec::new(); indices.len()];
        let (bytes, mut common, mut end) = (config.bytes(), Vec::new(), 0_usize);
        let mut entries = config.entries().peekable();
        for (number, line) in (1..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
            let start = end;
            end = start.saturating_add(line.len());
            let lines = match entries.next_if(|(own, _)| *own == number) {
                Some((_, Entry::RemoveTrack { sequence, .. })) => {
                    indices.get(&folded(sequence)).and_then(|index| own.get_mut(*index))
                }
                _ => None,
            };
            let Some(lines) = lines else {
                common.extend_from_slice(line);
                continue;
            };
            match lines.last_mut() {
                Some((before, lines)) if *before == common.len() && lines.end == start => lines.end = end,
                _ => lines.push((common.len(), start..end)),
            }
        }
        Self { bytes, common, own, names }
    }

    /// Writes the side-car of one sequence: what [`PsaEdit::write_config`](super::PsaEdit::write_config) gives where only this sequence is kept.
    /// O(output), without allocation.
    ///
    /// # Errors
    /// [`EditError::NoSequence`], [`EditError::Write`].
    pub fn write(&self, index: usize, out: &mut impl Write) -> Result<(), EditError> {
        let count = self.names.len();
        let name = *self.names.get(index).ok_or(EditError::NoSequence { index, count })?;
        let mut written = 0_usize;
        for (before, lines) in self.own.get(name).into_iter().flatten() {
            out.write_all(self.common.get(written..*before).unwrap_or_default())?;
            out.write_all(self.bytes.get(lines.clone()).unwrap_or_default())?;
            written = *before;
        }
        out.write_all(self.common.get(written..).unwrap_or_default())?;
        Ok(())
    }
}

/// What a side-car says about all sequences: whether bones but the root take their translations from the mesh, and the bones
/// that do not follow this, folded.
pub(super) fn common(config: Option<&Config<'_>>) -> (bool, BTreeSet<String>, BTreeSet<String>) {
    let mut common = (false, BTreeSet::new(), BTreeSet::new());
    for (_, entry) in config.into_iter().flat_map(Config::entries) {
        match entry {
            Entry::RotationOnly(is_on) => common.0 = is_on,
            Entry::UseTranslation(bone) => {
                common.1.insert(folded(bone));
            }
            Entry::ForceMeshTranslation(bone) => {
                common.2.insert(folded(bone));
            }
            _ => {}
        }
    }
    common
}

/// A line with its end.
struct Line<'a>(&'a [u8]);

impl Line<'_> {
    /// Writes the line once for each fate of a name, which stands at `start..end`.
    fn write_named(&self, (start, end): (usize, usize), fates: &[Option<Vec<u8>>], out: &mut Vec<u8>) {
        let (before, rest) = self.0.split_at_checked(start).unwrap_or((self.0, &[]));
        let (stored, after) = rest.split_at_checked(end.saturating_sub(start)).unwrap_or((rest, &[]));
        for fate in fates {
            // A line that is repeated needs an end.
            if out.last().is_some_and(|last| *last != b'\n') && fates.len() > 1 {
                out.push(b'\n');
            }
            out.extend_from_slice(before);
            out.extend_from_slice(fate.as_deref().unwrap_or(stored));
            out.extend_from_slice(after);
        }
    }

    /// A line with the name of a bone.
    fn write_bone(&self, bone: Text<'_>, bones: &Fates, out: &mut Vec<u8>) -> Result<(), EditError> {
        let Some(fates) = bones.get(bone) else {
            bones.check_unowned(bone)?;
            out.extend_from_slice(self.0);
            return Ok(());
        };
        for name in fates.iter().flatten() {
            if name.starts_with(b"[") && name.ends_with(b"]") {
                return Err(EditError::SideCar { name: Text::new(name).to_string() });
            }
        }
        let end = self.0.trim_ascii_end().len();
        self.write_named((end.saturating_sub(bone.as_bytes().len()), end), fates, out);
        Ok(())
    }

    /// A line `Sequence.Bone=parts`.
    fn write_track(&self, sequence: Text<'_>, bone: u32, fate: &Fate<'_>, out: &mut Vec<u8>) -> Result<(), EditError> {
        let Some(fates) = fate.sequences.get(sequence) else {
            fate.sequences.check_unowned(sequence)?;
            out.extend_from_slice(self.0);
            return Ok(());
        };
        let last = |bytes: &[u8], separator| bytes.iter().rposition(|byte| *byte == separator).unwrap_or(0);
        let equals = last(self.0, b'=');
        let key = self.0.get(..equals).unwrap_or_default();
        let dot = last(key, b'.');
        let name_end = key.get(..dot).unwrap_or_default().trim_ascii_end().len();
        let name_start = name_end.saturating_sub(sequence.as_bytes().len());
        let index = usize::try_from(bone).unwrap_or(usize::MAX);
        // A number that no bone has stays one.
        let renumbered = match fate.numbers.and_then(|numbers| numbers.get(index)) {
            Some(None) => return Ok(()),
            Some(Some(new)) if *new != bone => *new,
            _ => {
                self.write_named((name_start, name_end), fates, out);
                return Ok(());
            }
        };
        let digits = key.get(dot.saturating_add(1)..).unwrap_or_default();
        let digits_start = equals.saturating_sub(digits.trim_ascii_start().len());
        let digits_end = equals.saturating_sub(digits.len().saturating_sub(digits.trim_ascii_end().len()));
        let mut line = self.0.get(..digits_start).unwrap_or_default().to_vec();
        line.extend_from_slice(renumbered.to_string().as_bytes());
        line.extend_from_slice(self.0.get(digits_end..).unwrap_or_default());
        Line(&line).write_named((name_start, name_end), fates, out);
        Ok(())
    }
}
