//! Edits of one animation.

use std::io::Write;
use std::ops::Range;

use skelmap::actorx::{Bone, Config, Psa, Sequence};
use skelmap::shared::to_u64;
use skelmap::{Name, Text};

use super::config::{self, Fate, Fates, SplitSideCars};
use super::error::EditError;
use super::names::{Index, check_unique, folded, renamed};
use super::output::{Columns, Item, Output, Part};
use super::source::{Role, Source, track_time};

/// Counts of what an edit of an animation changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct PsaEditReport {
    /// Bytes written.
    pub bytes: u64,
    /// Sequences written.
    pub sequences: usize,
    /// Frames of these sequences.
    pub frames: u64,
    /// Bones written.
    pub bones: usize,
    /// Sequences left out.
    pub dropped_sequences: usize,
    /// Sequences with a new name.
    pub renamed_sequences: usize,
    /// Sequences with a new rate.
    pub rated_sequences: usize,
    /// Sequences with fewer frames.
    pub trimmed_sequences: usize,
    /// Bones left out.
    pub dropped_bones: usize,
    /// Bones with a new name.
    pub renamed_bones: usize,
    /// Sequences that declared frames without keys: the output declares the frames that it has.
    pub mended_sequences: usize,
    /// Chunks left out: records of a kind that readers take from an earlier chunk, and curves of dropped sequences.
    pub dropped_chunks: usize,
    /// Scale keys left out because they belong to no sequence.
    pub dropped_scale_keys: u64,
}

/// Edits of an animation, written as a new file.
///
/// All names are those of the file, whatever else is asked; they match without regard to ASCII case, and the first of several
/// elements of one name is meant. A new request about a sequence replaces the previous one of its kind.
///
/// **Every byte that is not asked about stays**: order, ids and flags of chunks, records, keys, unknown chunks. An edit that asks
/// for nothing gives the file. Renaming and new rates change records alone. Where frames or bones are dropped, keys move as
/// they are, and the first frames of sequences are their running sum; `TrackTime` stays in its unit, frames or seconds; scale
/// keys and curves follow their sequences. The time that is stored in keys stays: no reader uses it.
///
/// ```
/// use skelmap::actorx::Psa;
/// use skelmap_write::edit::PsaEdit;
///
/// let bytes = std::fs::read("../../tests/corpus/actorx/anim/sequences.psa")?;
/// let animation = Psa::parse(&bytes)?;
/// let mut edit = PsaEdit::new(&animation);
/// edit.keep(&["Walk"])?.rename("Walk", "Walk_Slow")?.set_rate("Walk", 12.0)?.trim("Walk", 0..2)?;
/// let mut edited = Vec::new();
/// let report = edit.write(&mut edited)?;
/// assert_eq!((report.sequences, report.frames), (1, 2));
/// assert_eq!(Psa::parse(&edited)?.sequence("walk_slow").and_then(|walk| walk.rate()), Some(12.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PsaEdit<'a> {
    source: Source<'a>,
    sequence_names: Index,
    bone_names: Index,
    sequences: Vec<SequenceEdit>,
    bones: Vec<BoneEdit>,
    copies_shared: bool,
}

#[derive(Clone, Debug, Default)]
struct SequenceEdit {
    is_dropped: bool,
    name: Option<Name<64>>,
    rate: Option<f32>,
    frames: Option<Range<usize>>,
}

#[derive(Clone, Debug, Default)]
struct BoneEdit {
    is_dropped: bool,
    name: Option<Name<64>>,
}

impl<'a> PsaEdit<'a> {
    /// An edit that asks for nothing. O(chunks + sequences + bones).
    pub fn new(animation: &Psa<'a>) -> Self {
        let source = Source::new(animation);
        Self {
            sequence_names: Index::new("sequence", sequence_names(&source)),
            bone_names: Index::new("bone", bone_names(&source)),
            sequences: vec![SequenceEdit::default(); source.sequences.len()],
            bones: vec![BoneEdit::default(); source.bone_count()],
            source,
            copies_shared: false,
        }
    }

    /// Drops all sequences but those with these names. Of several sequences with one name, all are kept. O(names + sequences).
    ///
    /// # Errors
    /// [`EditError::Unknown`] for a name that no sequence has.
    pub fn keep(&mut self, names: &[impl AsRef<str>]) -> Result<&mut Self, EditError> {
        let mut kept = std::collections::HashSet::new();
        for name in names {
            let index = self.sequence_index(name.as_ref())?;
            kept.extend(self.source.sequences.get(index).map(|sequence| folded(sequence.name())));
        }
        Ok(self.keep_if(|sequence| kept.contains(&folded(sequence.name()))))
    }

    /// Drops the sequences for which `keep` returns false, in addition to those that are dropped already. O(sequences).
    pub fn keep_if(&mut self, mut keep: impl FnMut(&Sequence<'a>) -> bool) -> &mut Self {
        for (edit, sequence) in self.sequences.iter_mut().zip(&self.source.sequences) {
            edit.is_dropped |= !keep(sequence);
        }
        self
    }

    /// Gives a sequence a new name. Its curves keep their place and get an id with the new name. O(1).
    ///
    /// # Errors
    /// [`EditError::Unknown`]; [`EditError::Name`] for a name that cannot be stored.
    pub fn rename(&mut self, old: &str, new: &str) -> Result<&mut Self, EditError> {
        let index = self.sequence_index(old)?;
        if let (Some(edit), Some(info)) = (self.sequences.get_mut(index), self.source.psa.infos().get(index)) {
            edit.name = Some(renamed(info.name(), new)?);
        }
        Ok(self)
    }

    /// Gives a sequence another number of frames per second: it plays faster or slower. O(1).
    ///
    /// # Errors
    /// [`EditError::Unknown`]; [`EditError::NotPositive`].
    pub fn set_rate(&mut self, sequence: &str, rate: f32) -> Result<&mut Self, EditError> {
        let index = self.sequence_index(sequence)?;
        if !(rate.is_finite() && rate > 0.0) {
            return Err(EditError::NotPositive { what: "rate", value: rate });
        }
        if let Some(edit) = self.sequences.get_mut(index) {
            edit.rate = Some(rate);
        }
        Ok(self)
    }

    /// Keeps a range of the frames of a sequence, at least one. O(1).
    ///
    /// # Errors
    /// [`EditError::Unknown`]; [`EditError::Frames`].
    pub fn trim(&mut self, sequence: &str, frames: Range<usize>) -> Result<&mut Self, EditError> {
        let index = self.sequence_index(sequence)?;
        let count = self.source.sequences.get(index).map_or(0, Sequence::frame_count);
        if frames.is_empty() || frames.end > count {
            return Err(EditError::Frames { name: sequence.to_owned(), range: frames, count });
        }
        if let Some(edit) = self.sequences.get_mut(index) {
            edit.frames = Some(frames);
        }
        Ok(self)
    }

    /// Gives a bone a new name. Spaces that pad the old name pad the new one. O(1).
    ///
    /// # Errors
    /// [`EditError::Unknown`]; [`EditError::Name`] for a name that cannot be stored.
    pub fn rename_bone(&mut self, old: &str, new: &str) -> Result<&mut Self, EditError> {
        let index = self.bone_index(old)?;
        if let (Some(edit), Some(bone)) = (self.bones.get_mut(index), self.source.psa.bones().get(index)) {
            edit.name = Some(renamed(bone.name(), new)?);
        }
        Ok(self)
    }

    /// Drops a bone and its track in all sequences: the mesh then has the bone's pose. Tracks of bones below it stay relative to it,
    /// as the mesh has it; in the list, its parent becomes theirs. O(1).
    ///
    /// # Errors
    /// [`EditError::Unknown`]; [`EditError::FirstBone`] for the first bone, whose rotations follow another rule.
    pub fn drop_bone(&mut self, name: &str) -> Result<&mut Self, EditError> {
        let index = self.bone_index(name)?;
        if index == 0 {
            return Err(EditError::FirstBone { name: name.to_owned() });
        }
        if let Some(edit) = self.bones.get_mut(index) {
            edit.is_dropped = true;
        }
        Ok(self)
    }

    /// Allows an output in which each of several sequences that share frames has a copy of them. Without this, such an output is an
    /// error: a small file can have many sequences of the same frames.
    pub fn copy_shared_frames(&mut self) -> &mut Self {
        self.copies_shared = true;
        self
    }

    /// Writes the edited file. O(output) in time; keys are written from the file, without a copy.
    ///
    /// # Errors
    /// [`EditError`]: two elements would have one name, no sequence would be left, sequences share frames, curves would change
    /// their owner, too many records, and errors of the output. Nothing is written before the checks.
    pub fn write(&self, out: &mut impl Write) -> Result<PsaEditReport, EditError> {
        self.check_names()?;
        let is_resized = self.is_resized();
        let mut report = self.counted();
        if report.sequences == 0 && report.dropped_sequences > 0 {
            return Err(EditError::NothingLeft);
        }
        let items = self.kept().map(|(sequence, edit)| self.item(sequence, edit)).collect();
        let bones = self.bones.iter().any(|bone| bone.is_dropped || bone.name.is_some());
        let columns = if report.dropped_bones > 0 { Columns::Runs(self.runs()) } else { Columns::All };
        let output = Output {
            parts: vec![Part { source: &self.source, columns }],
            bones: bones.then(|| self.edited_bones()),
            items,
            moves_keys: is_resized,
            copies_shared: self.copies_shared,
        };
        let written = output.write(out)?;
        report.bytes = written.bytes;
        report.mended_sequences = written.mended;
        report.dropped_chunks = report.dropped_chunks.saturating_add(written.dropped_chunks);
        report.dropped_scale_keys = written.dropped_scale_keys;
        Ok(report)
    }

    /// Writes the side-car of the edited file: lines of dropped sequences and bones are left out, names and bone numbers follow.
    /// Every other byte stays, also the kind of line ends. O(side-car + sequences + bones) in time and memory.
    ///
    /// # Errors
    /// Errors of names as [`write`](Self::write) has; [`EditError::SideCar`], [`EditError::TooLarge`]; [`EditError::Write`].
    pub fn write_config(&self, config: &Config<'_>, out: &mut impl Write) -> Result<(), EditError> {
        self.check_names()?;
        let mut sequences = Fates::default();
        for (edit, sequence) in self.sequences.iter().zip(&self.source.sequences) {
            sequences.add(sequence.name(), edit.is_dropped, edit.name.as_ref());
        }
        let (mut bones, mut numbers, mut next) = (Fates::default(), Vec::new(), 0_u32);
        for (edit, bone) in self.bones.iter().zip(self.source.psa.bones()) {
            bones.add(bone.name().text(), edit.is_dropped, edit.name.as_ref());
            numbers.push((!edit.is_dropped).then_some(next));
            next = next.saturating_add(u32::from(!edit.is_dropped));
        }
        let is_resized = self.bones.iter().any(|bone| bone.is_dropped);
        let numbers = is_resized.then_some(numbers);
        let edited = config::edited(config, &Fate { sequences, bones, numbers: numbers.as_deref() })?;
        out.write_all(&edited)?;
        Ok(())
    }

    fn sequence_index(&self, name: &str) -> Result<usize, EditError> {
        self.sequence_names.find(name, || sequence_names(&self.source))
    }

    fn bone_index(&self, name: &str) -> Result<usize, EditError> {
        self.bone_names.find(name, || bone_names(&self.source))
    }

    fn check_names(&self) -> Result<(), EditError> {
        let names = self.kept().map(|(sequence, edit)| match &edit.name {
            Some(name) => (name.text(), true),
            None => (sequence.name(), false),
        });
        check_unique("sequences", names)?;
        let bones = self.bones.iter().zip(self.source.psa.bones()).filter(|(edit, _)| !edit.is_dropped);
        let names = bones.map(|(edit, bone)| match &edit.name {
            Some(name) => (name.text(), true),
            None => (bone.name().text(), false),
        });
        check_unique("bones", names)
    }

    /// The kept sequences with their edits.
    fn kept(&self) -> impl Iterator<Item = (&Sequence<'a>, &SequenceEdit)> + Clone {
        self.source.sequences.iter().zip(&self.sequences).filter(|(_, edit)| !edit.is_dropped)
    }

    /// Whether frames or bones are dropped.
    fn is_resized(&self) -> bool {
        let is_cut = |sequence: &Sequence<'_>, edit: &SequenceEdit| {
            edit.is_dropped || edit.frames.as_ref().is_some_and(|frames| frames.len() < sequence.frame_count())
        };
        self.source.sequences.iter().zip(&self.sequences).any(|(sequence, edit)| is_cut(sequence, edit))
            || self.bones.iter().any(|bone| bone.is_dropped)
    }

    fn item(&self, sequence: &Sequence<'a>, edit: &SequenceEdit) -> Item<'a> {
        let mut info = *sequence.info();
        if let Some(name) = &edit.name {
            info = info.with_name(name);
        }
        if let Some(rate) = edit.rate.filter(|rate| *rate != info.rate()) {
            let frames = usize::try_from(info.frames()).unwrap_or(usize::MAX);
            let time = track_time(&info, self.source.time_unit, frames, rate);
            info = time.map_or(info, |time| info.with_track_time(time)).with_rate(rate);
        }
        let frames = edit.frames.clone().unwrap_or(0..sequence.frame_count());
        Item { part: 0, sequence: *sequence, info, frames, is_trimmed: edit.frames.is_some() }
    }

    /// The kept bones as runs of neighbours.
    fn runs(&self) -> Vec<Range<usize>> {
        let mut runs: Vec<Range<usize>> = Vec::new();
        for (index, _) in self.bones.iter().enumerate().filter(|(_, edit)| !edit.is_dropped) {
            match runs.last_mut() {
                Some(run) if run.end == index => run.end = index.saturating_add(1),
                _ => runs.push(index..index.saturating_add(1)),
            }
        }
        runs
    }

    /// The records of the kept bones, with their names and parents. O(bones).
    fn edited_bones(&self) -> Vec<Bone> {
        let stored = self.source.psa.bones();
        let parents = Parents::new(stored, &self.bones);
        let mut edited = Vec::with_capacity(stored.len());
        for (index, (bone, edit)) in stored.iter().zip(&self.bones).enumerate() {
            if edit.is_dropped {
                continue;
            }
            let mut bone = *bone;
            if let Some(name) = &edit.name {
                bone = bone.with_name(name);
            }
            edited.push((index, bone));
        }
        if edited.len() == stored.len() {
            return edited.into_iter().map(|(_, bone)| bone).collect();
        }
        let numbered = edited.into_iter().map(|(index, bone)| parents.mended(index, bone));
        numbered.collect()
    }

    fn counted(&self) -> PsaEditReport {
        let mut report = PsaEditReport::default();
        for ((sequence, edit), curves) in self.source.sequences.iter().zip(&self.sequences).zip(&self.source.curves) {
            let frames = edit.frames.as_ref().map_or(sequence.frame_count(), Range::len);
            if edit.is_dropped {
                report.dropped_sequences = report.dropped_sequences.saturating_add(1);
                report.dropped_chunks = report.dropped_chunks.saturating_add(usize::from(curves.is_some()));
                continue;
            }
            let info = sequence.info();
            let one = |is: bool, count: &mut usize| *count = count.saturating_add(usize::from(is));
            one(true, &mut report.sequences);
            one(edit.name.is_some_and(|name| name.raw() != info.name().raw()), &mut report.renamed_sequences);
            one(edit.rate.is_some_and(|rate| rate != info.rate()), &mut report.rated_sequences);
            one(frames < sequence.frame_count(), &mut report.trimmed_sequences);
            report.frames = report.frames.saturating_add(to_u64(frames));
        }
        let bones = self.bones.iter().zip(self.source.psa.bones());
        let is_renamed = |edit: &BoneEdit, bone: &Bone| edit.name.is_some_and(|name| name.raw() != bone.name().raw());
        report.renamed_bones = bones.filter(|(edit, bone)| !edit.is_dropped && is_renamed(edit, bone)).count();
        report.dropped_bones = self.bones.iter().filter(|edit| edit.is_dropped).count();
        report.bones = self.bones.len().saturating_sub(report.dropped_bones);
        report
    }
}

fn sequence_names<'s, 'a>(source: &'s Source<'a>) -> impl Iterator<Item = Text<'a>> + use<'s, 'a> {
    source.sequences.iter().map(Sequence::name)
}

fn bone_names<'a>(source: &Source<'a>) -> impl Iterator<Item = Text<'a>> + use<'a> {
    source.psa.bones().iter().map(|bone| bone.name().text())
}

/// The parents of bones after others are dropped.
struct Parents {
    /// For each bone: its index in the output.
    numbers: Vec<Option<usize>>,
    /// For each bone: the nearest bone above it that is kept; for a kept bone, itself. `None` where no bone above it is.
    nearest: Vec<Option<usize>>,
    stored: Vec<Option<usize>>,
    /// Children in the file, and in the output.
    before: Vec<usize>,
    after: Vec<usize>,
}

impl Parents {
    /// O(bones).
    fn new(bones: &[Bone], edits: &[BoneEdit]) -> Self {
        let mut next = 0_usize;
        let number = |edit: &BoneEdit| {
            let own = (!edit.is_dropped).then_some(next);
            next = next.saturating_add(usize::from(own.is_some()));
            own
        };
        let numbers: Vec<_> = edits.iter().map(number).collect();
        let parent = |(index, bone): (usize, &Bone)| {
            let parent = usize::try_from(bone.parent_index()).ok()?;
            (parent != index && parent < bones.len()).then_some(parent)
        };
        let stored: Vec<_> = bones.iter().enumerate().map(parent).collect();
        let nearest = nearest_kept(&stored, &numbers);
        let mut parents = Self { before: vec![0; bones.len()], after: vec![0; bones.len()], numbers, nearest, stored };
        for index in 0..bones.len() {
            let add = |counts: &mut Vec<usize>, parent: Option<usize>| {
                if let Some(count) = parent.and_then(|parent| counts.get_mut(parent)) {
                    *count = count.saturating_add(1);
                }
            };
            add(&mut parents.before, parents.stored.get(index).copied().flatten());
            if parents.numbers.get(index).copied().flatten().is_some() {
                let above = parents.above(index);
                add(&mut parents.after, above);
            }
        }
        parents
    }

    /// The parent of a kept bone among kept bones.
    fn above(&self, index: usize) -> Option<usize> {
        let parent = self.stored.get(index).copied().flatten()?;
        self.nearest.get(parent).copied().flatten().filter(|above| *above != index)
    }

    /// The record of a kept bone. A number that was not the true one stays.
    fn mended(&self, index: usize, bone: Bone) -> Bone {
        let count = |counts: &[usize]| counts.get(index).and_then(|count| i32::try_from(*count).ok()).unwrap_or(0);
        let (before, after) = (count(&self.before), count(&self.after));
        let bone = if bone.child_count() == before { bone.with_child_count(after) } else { bone };
        if self.stored.get(index).copied().flatten().is_none() {
            // A root, or a parent that does not exist: an own index moves with the bone.
            let number = self.numbers.get(index).copied().flatten().and_then(|number| i32::try_from(number).ok());
            let is_own = usize::try_from(bone.parent_index()) == Ok(index);
            return number.filter(|_| is_own).map_or(bone, |number| bone.with_parent_index(number));
        }
        let above = self.above(index).and_then(|above| self.numbers.get(above).copied().flatten());
        // Without a bone above it, the bone is a further root.
        bone.with_parent_index(above.and_then(|above| i32::try_from(above).ok()).unwrap_or(-1))
    }
}

/// For each bone, the nearest bone at or above it that is kept. O(bones): each path is walked once, also around cycles.
fn nearest_kept(parents: &[Option<usize>], numbers: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut nearest: Vec<Option<Option<usize>>> = vec![None; parents.len()];
    let mut path = Vec::new();
    for start in 0..parents.len() {
        let (mut at, mut found) = (Some(start), None);
        while let Some(index) = at {
            match nearest.get_mut(index) {
                Some(slot @ None) => {
                    if numbers.get(index).copied().flatten().is_some() {
                        *slot = Some(Some(index));
                        found = Some(index);
                        break;
                    }
                    // Until the end of this path is known: a path that comes back here has no end.
                    *slot = Some(None);
                    path.push(index);
                    at = parents.get(index).copied().flatten();
                }
                Some(Some(known)) => {
                    found = *known;
                    break;
                }
                None => break,
            }
        }
        for index in path.drain(..) {
            if let Some(slot) = nearest.get_mut(index) {
                *slot = Some(found);
            }
        }
    }
    nearest.into_iter().map(Option::flatten).collect()
}

/// The sequences of an animation, each as a file of its own: one after the other, without a walk over all others.
///
/// ```
/// use skelmap::actorx::Psa;
/// use skelmap_write::edit::{Merge, Split};
///
/// let bytes = std::fs::read("../../tests/corpus/actorx/anim/sequences.psa")?;
/// let split = Split::new(&Psa::parse(&bytes)?)?;
/// let mut files = vec![Vec::new(); split.len()];
/// for (index, file) in files.iter_mut().enumerate() {
///     split.write(index, file)?;
/// }
/// // The way back gives the bytes back.
/// let parts = files.iter().map(|file| Psa::parse(file)).collect::<Result<Vec<_>, _>>()?;
/// let mut merged = Vec::new();
/// Merge::new(&parts).write(&mut merged)?;
/// assert_eq!(merged, bytes);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Split<'a> {
    source: Source<'a>,
}

/// All files of a split together may have this many times the bytes of their source, and [`SPLIT_MIN`] bytes.
const SPLIT_TIMES: u64 = 64;
const SPLIT_MIN: u64 = 1 << 26;

impl<'a> Split<'a> {
    /// A split of an animation. O(chunks + sequences).
    ///
    /// # Errors
    /// [`EditError::TooLarge`] if all files together are far larger than the animation: each has all bones and unknown chunks.
    pub fn new(animation: &Psa<'a>) -> Result<Self, EditError> {
        let source = Source::new(animation);
        let size = to_u64(animation.bytes().len());
        let common = source.chunks.iter().filter(|(role, _)| matches!(role, Role::Bones | Role::Other));
        let common = common.map(|(_, placed)| to_u64(placed.chunk.body.len()).saturating_add(32));
        let common = common.fold(0, u64::saturating_add).saturating_mul(to_u64(source.sequences.len()));
        // Frames may be shared. Scale keys are half as large as keys.
        let frames =
            source.sequences.iter().map(|sequence| to_u64(sequence.frame_count())).fold(0, u64::saturating_add);
        let keys = frames.saturating_mul(to_u64(source.bone_count())).saturating_mul(48);
        let (needed, limit) = (common.saturating_add(keys), size.saturating_mul(SPLIT_TIMES).max(SPLIT_MIN));
        if needed > limit {
            return Err(EditError::TooLarge { needed, limit });
        }
        Ok(Self { source })
    }

    /// Number of files: one for each sequence.
    pub fn len(&self) -> usize {
        self.source.sequences.len()
    }

    /// Whether there is no sequence.
    pub fn is_empty(&self) -> bool {
        self.source.sequences.is_empty()
    }

    /// A sequence, for the name of its file.
    pub fn sequence(&self, index: usize) -> Option<&Sequence<'a>> {
        self.source.sequences.get(index)
    }

    /// The side-cars of all files. The side-car is read once. O(side-car + sequences).
    pub fn side_cars<'c>(&self, config: &Config<'c>) -> SplitSideCars<'c> {
        SplitSideCars::new(config, sequence_names(&self.source))
    }

    /// Writes the file of one sequence: what [`PsaEdit::keep_if`] gives for it. O(output).
    ///
    /// # Errors
    /// [`EditError::NoSequence`], [`EditError::Write`].
    pub fn write(&self, index: usize, out: &mut impl Write) -> Result<PsaEditReport, EditError> {
        let count = self.len();
        let sequence = *self.sequence(index).ok_or(EditError::NoSequence { index, count })?;
        let frames = 0..sequence.frame_count();
        let mut report = PsaEditReport {
            sequences: 1,
            frames: to_u64(frames.len()),
            bones: self.source.bone_count(),
            dropped_sequences: count.saturating_sub(1),
            ..PsaEditReport::default()
        };
        let output = Output {
            parts: vec![Part { source: &self.source, columns: Columns::All }],
            bones: None,
            items: vec![Item { part: 0, sequence, info: *sequence.info(), frames, is_trimmed: false }],
            moves_keys: count > 1,
            copies_shared: false,
        };
        let written = output.write(out)?;
        report.bytes = written.bytes;
        report.mended_sequences = written.mended;
        report.dropped_chunks = written.dropped_chunks;
        report.dropped_scale_keys = written.dropped_scale_keys;
        Ok(report)
    }
}

/// An edit that keeps one sequence, by index, for further edits; to write all sequences and their side-cars, see [`Split`].
/// O(chunks + sequences + bones).
///
/// # Errors
/// [`EditError::NoSequence`].
pub fn split<'a>(animation: &Psa<'a>, index: usize) -> Result<PsaEdit<'a>, EditError> {
    let mut edit = PsaEdit::new(animation);
    let count = edit.sequences.len();
    if index >= count {
        return Err(EditError::NoSequence { index, count });
    }
    edit.keep_if(|sequence| sequence.index() == index);
    Ok(edit)
}
