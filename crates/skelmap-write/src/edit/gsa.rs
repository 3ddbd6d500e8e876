//! Edits of a SWAT 3 animation: events, versions and ranges of frames. No edit changes the skeleton, whose layout is unknown.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::Write;
use std::ops::Range;

use skelmap::Text;
use skelmap::shared::{to_u64, to_usize};
use skelmap::swat3::{Event, Gsa, GsaVersion, is_event_name};
use zerocopy::IntoBytes;

use super::error::{EditError, KnownNames};

/// Counts of what an edit of an animation changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct GsaEditReport {
    /// Bytes written.
    pub bytes: u64,
    /// Frames written.
    pub frames: usize,
    /// Events added.
    pub added_events: usize,
    /// Events removed from frames that are kept.
    pub removed_events: usize,
    /// Events with a new name.
    pub renamed_events: usize,
}

/// Edits of a SWAT 3 animation, written as a new file.
///
/// **Every byte that is not asked about stays.** An edit that asks for nothing gives the file. Frames and names are those of the file,
/// whatever else is asked. A name is the bytes of an event, such as `sound=step`, or, where these are not UTF-8, its text as
/// [`Text`] shows it; case matters.
///
/// ```
/// use skelmap::swat3::{Gsa, GsaVersion};
/// use skelmap_write::edit::GsaEdit;
///
/// let bytes = std::fs::read("../../tests/corpus/swat3/gsa/plain.gsa")?;
/// let animation = Gsa::parse(&bytes)?;
/// let mut edit = GsaEdit::new(&animation);
/// edit.set_version(GsaVersion::V4_2).add_event(0, "sound=cuff")?;
/// let mut edited = Vec::new();
/// edit.write(&mut edited)?;
/// assert_eq!(Gsa::parse(&edited)?.events().count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GsaEdit<'a> {
    gsa: Gsa<'a>,
    /// The frames that have an event of a name, in ascending order. Made when the first name is asked about.
    names: Option<HashMap<Cow<'a, [u8]>, Vec<usize>>>,
    version: Option<GsaVersion>,
    kept: Range<usize>,
    clears: bool,
    removed: HashMap<Vec<u8>, Removed>,
    renamed: HashMap<Vec<u8>, Vec<u8>>,
    added: BTreeMap<usize, Vec<Vec<u8>>>,
    /// The bytes of all names that are asked for.
    asked_bytes: usize,
}

/// Where the events of a name are removed.
#[derive(Clone, Debug, Default)]
struct Removed {
    is_everywhere: bool,
    frames: BTreeSet<usize>,
}

/// An edited file has at most this many times the bytes of the stored one with all names that are asked for, and 1 MiB.
const MAX_TIMES: usize = 64;
const MIN_LIMIT: usize = 1 << 20;

impl<'a> GsaEdit<'a> {
    /// An edit that asks for nothing. O(1).
    pub fn new(animation: &Gsa<'a>) -> Self {
        Self {
            gsa: *animation,
            names: None,
            version: None,
            kept: 0..animation.frame_count(),
            clears: false,
            removed: HashMap::new(),
            renamed: HashMap::new(),
            added: BTreeMap::new(),
            asked_bytes: 0,
        }
    }

    /// Writes the file in a version: from 4.1 to 4.2, each frame gets an event count of 0; from 4.2 to 4.1, the count is removed.
    ///
    /// The quirk [`EVENT_COUNT_WORDS`](skelmap::swat3::codes::EVENT_COUNT_WORDS) is corrected, even if the version stays. O(1).
    pub fn set_version(&mut self, version: GsaVersion) -> &mut Self {
        self.version = Some(version);
        self
    }

    /// Keeps a range of frames, at least one. Values stay as stored: origins and root offsets remain relative to the first frame
    /// of the original animation. The last request counts. O(1).
    ///
    /// # Errors
    /// [`EditError::FrameRange`] if the range is empty or reaches past the last frame.
    pub fn trim(&mut self, frames: Range<usize>) -> Result<&mut Self, EditError> {
        let count = self.gsa.frame_count();
        if frames.is_empty() || frames.end > count {
            return Err(EditError::FrameRange { range: frames, count });
        }
        self.kept = frames;
        Ok(self)
    }

    /// Adds an event after the stored events of a frame and those added before.
    ///
    /// # Errors
    /// [`EditError::NoFrame`]; [`EditError::EventName`] for a name that cannot be stored.
    pub fn add_event(&mut self, frame: usize, name: impl AsRef<[u8]>) -> Result<&mut Self, EditError> {
        self.check_frame(frame)?;
        let name = self.new_name(name.as_ref())?;
        self.added.entry(frame).or_default().push(name);
        Ok(self)
    }

    /// Removes all events of a name. The first request about names is O(events), each other one O(1).
    ///
    /// # Errors
    /// [`EditError::Unknown`].
    pub fn remove_events(&mut self, name: impl AsRef<[u8]>) -> Result<&mut Self, EditError> {
        let name = self.known_name(name.as_ref())?;
        self.removed.entry(name).or_default().is_everywhere = true;
        Ok(self)
    }

    /// Removes the events of a name from a frame.
    ///
    /// # Errors
    /// [`EditError::NoFrame`]; [`EditError::NoEvent`] if the frame has no such event.
    pub fn remove_events_at(&mut self, frame: usize, name: impl AsRef<[u8]>) -> Result<&mut Self, EditError> {
        self.check_frame(frame)?;
        let name = name.as_ref();
        let frames = self.names().get(name).map(Vec::as_slice).unwrap_or_default();
        if frames.binary_search(&frame).is_err() {
            let stored = self.gsa.frame(frame).map(|frame| KnownNames::of(frame.events().map(Event::text)));
            let (name, known) = (Text::new(name).to_string(), stored.unwrap_or_default());
            return Err(EditError::NoEvent { frame, name, known });
        }
        self.removed.entry(name.to_vec()).or_default().frames.insert(frame);
        Ok(self)
    }

    /// Removes all events of the file. O(1).
    pub fn clear_events(&mut self) -> &mut Self {
        self.clears = true;
        self
    }

    /// Gives all events of a name another one. The last request about a name counts. An event that is removed gets no name.
    ///
    /// # Errors
    /// [`EditError::Unknown`]; [`EditError::EventName`] for a name that cannot be stored.
    pub fn rename_events(&mut self, old: impl AsRef<[u8]>, new: impl AsRef<[u8]>) -> Result<&mut Self, EditError> {
        let old = self.known_name(old.as_ref())?;
        let new = self.new_name(new.as_ref())?;
        self.renamed.insert(old, new);
        Ok(self)
    }

    /// Writes the edited animation. O(file). It is made in memory and read back first, with the
    /// [options](Gsa::options) of the view: in a file with little evidence (a single frame, zeros at the end), an edit could change
    /// the meaning of other bytes.
    ///
    /// # Errors
    /// [`EditError::NoEvents`], [`EditError::HasEvents`], [`EditError::DroppedFrame`], [`EditError::TooManyEvents`],
    /// [`EditError::TooLarge`]; [`EditError::NotReadBack`], [`EditError::OtherReading`]; [`EditError::Write`].
    pub fn write(&self, out: &mut impl Write) -> Result<GsaEditReport, EditError> {
        let (edited, report) = self.edited()?;
        self.check_reading(&edited)?;
        out.write_all(&edited)?;
        Ok(report)
    }

    /// The version and the number of event counts in each frame after the edit.
    fn form(&self) -> (GsaVersion, u8) {
        match self.version {
            Some(version) => (version, version.event_count_words()),
            None => (self.gsa.version(), self.gsa.event_count_words()),
        }
    }

    fn check_frame(&self, frame: usize) -> Result<(), EditError> {
        let count = self.gsa.frame_count();
        if frame < count { Ok(()) } else { Err(EditError::NoFrame { frame, count }) }
    }

    /// The frames of each name.
    fn names(&mut self) -> &HashMap<Cow<'a, [u8]>, Vec<usize>> {
        self.names.get_or_insert_with(|| {
            let mut names: HashMap<Cow<'a, [u8]>, Vec<usize>> = HashMap::new();
            for (frame, event) in self.gsa.events() {
                for form in forms(event.as_bytes()) {
                    let frames = names.entry(form).or_default();
                    if frames.last() != Some(&frame) {
                        frames.push(frame);
                    }
                }
            }
            names
        })
    }

    /// A name that an event of the file has.
    fn known_name(&mut self, name: &[u8]) -> Result<Vec<u8>, EditError> {
        if self.names().contains_key(name) {
            return Ok(name.to_vec());
        }
        let mut met = HashSet::new();
        let distinct = self.gsa.events().filter(|(_, event)| met.insert(event.as_bytes()));
        let known = KnownNames::of(distinct.map(|(_, event)| event.text()));
        Err(EditError::Unknown { kind: "event", name: Text::new(name).to_string(), known })
    }

    /// A name that an event can have.
    fn new_name(&mut self, name: &[u8]) -> Result<Vec<u8>, EditError> {
        if !is_event_name(name) {
            return Err(EditError::EventName { name: Text::new(name).to_string() });
        }
        self.asked_bytes = self.asked_bytes.saturating_add(name.len());
        Ok(name.to_vec())
    }

    fn is_removed(&self, frame: usize, name: &[u8]) -> bool {
        let is_meant = |own: &Removed| own.is_everywhere || own.frames.contains(&frame);
        self.clears
            || (!self.removed.is_empty() && forms(name).any(|form| self.removed.get(&*form).is_some_and(is_meant)))
    }

    /// The new name of an event.
    fn new_name_of(&self, name: &[u8]) -> Option<&[u8]> {
        if self.renamed.is_empty() {
            return None;
        }
        forms(name).find_map(|form| self.renamed.get(&*form)).map(Vec::as_slice)
    }

    /// The events of a frame after the edit.
    fn events<'s>(
        &'s self,
        frame: usize,
        stored: impl Iterator<Item = Event<'s>>,
        events: &mut Vec<&'s [u8]>,
        report: &mut GsaEditReport,
    ) {
        let count = |number: &mut usize| *number = number.saturating_add(1);
        events.clear();
        for name in stored.map(Event::as_bytes) {
            if self.is_removed(frame, name) {
                count(&mut report.removed_events);
            } else if let Some(new) = self.new_name_of(name) {
                count(&mut report.renamed_events);
                events.push(new);
            } else {
                events.push(name);
            }
        }
        for name in self.added.get(&frame).into_iter().flatten() {
            count(&mut report.added_events);
            events.push(name);
        }
    }

    /// The edited file.
    fn edited(&self) -> Result<(Vec<u8>, GsaEditReport), EditError> {
        let (version, words) = self.form();
        if let Some(frame) = self.added.keys().find(|frame| !self.kept.contains(frame)) {
            return Err(EditError::DroppedFrame { frame: *frame });
        }
        if !self.added.is_empty() && self.version.is_none() && (version != GsaVersion::V4_2 || words == 0) {
            return Err(EditError::NoEvents(version));
        }
        let bytes = self.gsa.bytes();
        let limit = bytes.len().saturating_add(self.asked_bytes).saturating_mul(MAX_TIMES).max(MIN_LIMIT);
        let mut edited = Vec::with_capacity(bytes.len());
        let mut report = GsaEditReport { frames: self.kept.len(), ..GsaEditReport::default() };
        self.add_start(version, &mut edited);
        let mut events = Vec::new();
        for (index, frame) in self.gsa.frames().enumerate().take(self.kept.end).skip(self.kept.start) {
            self.events(index, frame.events(), &mut events, &mut report);
            if words == 0 && !events.is_empty() {
                return Err(EditError::HasEvents { frame: index });
            }
            let count = u16::try_from(events.len()).map_err(|_| EditError::TooManyEvents { frame: index })?;
            edited.extend_from_slice(frame.head().as_bytes());
            edited.extend_from_slice(frame.rotations().as_bytes());
            for _ in 0..words {
                edited.extend_from_slice(&count.to_le_bytes());
            }
            for name in &events {
                add_event(name, &mut edited)?;
                if edited.len() > limit {
                    return Err(EditError::TooLarge { needed: to_u64(edited.len()), limit: to_u64(limit) });
                }
            }
        }
        edited.extend_from_slice(bytes.get(frames_end(&self.gsa)..).unwrap_or_default());
        report.bytes = to_u64(edited.len());
        Ok((edited, report))
    }

    /// Adds all bytes before the frames.
    fn add_start(&self, version: GsaVersion, edited: &mut Vec<u8>) {
        let bytes = self.gsa.bytes();
        let (at_version, at_frames) = (to_usize(self.gsa.header_offset()), to_usize(self.gsa.frames_offset()));
        let (_, minor) = version.numbers();
        let before_count = at_frames.saturating_sub(size_of::<u16>());
        // A range inside the frames, whose number has 16 bits.
        let count = u16::try_from(self.kept.len()).unwrap_or(u16::MAX);
        edited.extend_from_slice(bytes.get(..at_version).unwrap_or_default());
        edited.push(minor);
        edited.extend_from_slice(bytes.get(at_version.saturating_add(1)..before_count).unwrap_or_default());
        edited.extend_from_slice(&count.to_le_bytes());
    }

    /// Checks that the edited file is read as the same skeleton and rotations.
    fn check_reading(&self, edited: &[u8]) -> Result<(), EditError> {
        let after = Gsa::parse_with(edited, self.gsa.options()).map_err(EditError::NotReadBack)?;
        let place = |view: &Gsa<'_>| (view.marker_offset(), view.rotation_count());
        let rest = |view: &Gsa<'_>| view.bytes().len().saturating_sub(frames_end(view));
        let is_same = place(&after) == place(&self.gsa)
            && (after.version(), after.event_count_words()) == self.form()
            && after.frame_count() == self.kept.len()
            && rest(&after) == rest(&self.gsa);
        if is_same { Ok(()) } else { Err(EditError::OtherReading) }
    }
}

/// The byte at which the last frame ends: the end of the file, unless allowed zeros follow.
fn frames_end(animation: &Gsa<'_>) -> usize {
    let [.., frames] = animation.sections();
    to_usize(frames.offset.saturating_add(frames.bytes))
}

/// The names of an event: its bytes and, where these are not UTF-8, its text.
fn forms(name: &[u8]) -> impl Iterator<Item = Cow<'_, [u8]>> {
    let text = Text::new(name);
    let shown = text.as_str().is_none().then(|| Cow::Owned(text.to_string().into_bytes()));
    std::iter::once(Cow::Borrowed(name)).chain(shown)
}

/// Adds an event as files store it. Its name was checked, or is that of the file.
fn add_event(name: &[u8], edited: &mut Vec<u8>) -> Result<(), EditError> {
    let length = u16::try_from(name.len()).ok().and_then(|length| length.checked_add(1));
    let Some(length) = length else {
        return Err(EditError::EventName { name: Text::new(name).to_string() });
    };
    edited.extend_from_slice(&length.to_le_bytes());
    edited.extend_from_slice(name);
    edited.push(0);
    Ok(())
}
