//! Several animations as one.

use std::collections::{HashMap, HashSet};
use std::io::Write;

use skelmap::actorx::{AnimKey, Bone, Config, Psa, Sequence};
use skelmap::shared::{to_u32, to_u64};
use skelmap::{Name, Text};

use super::config::{self, Fate, Fates, Joined};
use super::error::EditError;
use super::names::folded;
use super::output::{Columns, Item, Output, Part, Track};
use super::source::Source;

/// Counts of what a merge did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct MergeReport {
    /// Bytes written.
    pub bytes: u64,
    /// Files merged.
    pub files: usize,
    /// Sequences written.
    pub sequences: usize,
    /// Frames written.
    pub frames: u64,
    /// Bones written: those of the first file.
    pub bones: usize,
    /// Sequences with a number after their name, because an earlier one has the name.
    pub numbered_sequences: usize,
    /// Files whose bones differ from those of the first: their tracks are found by name.
    pub mapped_files: usize,
    /// Tracks of these files that the first file has no bone for. They are left out.
    pub dropped_tracks: usize,
    /// Bones that these files have no track for. They get the rest pose of the first file in every frame.
    pub filled_tracks: usize,
    /// Keys of these bones.
    pub filled_keys: u64,
    /// Bones among them without a rotation in the first file: UModel leaves the pose empty. They get no rotation.
    pub tracks_without_rest: usize,
    /// Tracks that are the first in one list of bones and not in the other: their rotations are conjugated, as the rule asks.
    pub conjugated_tracks: usize,
    /// Scale keys without scale, for sequences that have none while others have.
    pub filled_scale_keys: u64,
    /// Sequences that declared frames without keys: the output declares the frames that it has.
    pub mended_sequences: usize,
    /// Chunks left out: unknown ones of further files that the first file does not have byte for byte, and records of a kind that
    /// readers take from an earlier chunk.
    pub dropped_chunks: usize,
    /// Scale keys left out because they belong to no sequence.
    pub dropped_scale_keys: u64,
}

/// A merge of animations into one file: the chunks of the first, with the sequences of all, in order.
///
/// Files whose bones have the names of the first, in the same order, give their keys as they are. In any other file, tracks are
/// found by name, without regard to ASCII case; bones without a track get the rest pose of the first file. The first track of a
/// file has its own rule of rotations; a track that becomes or ceases to be the first is rewritten for it.
///
/// Merging one file gives the file. See [`Split`](super::Split) for the way there.
///
/// ```
/// use skelmap::actorx::Psa;
/// use skelmap_write::edit::Merge;
///
/// let bytes = std::fs::read("../../corpus/fox.psa")?;
/// let fox = Psa::parse(&bytes)?;
/// let mut merged = Vec::new();
/// let report = Merge::new(&[fox, fox]).number_duplicates().write(&mut merged)?;
/// assert_eq!(report.numbered_sequences, fox.sequences().len());
/// let first = fox.sequence_at(0).ok_or("no sequence")?;
/// assert!(Psa::parse(&merged)?.sequence(&format!("{}_2", first.name())).is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Merge<'a> {
    sources: Vec<Source<'a>>,
    duplicates: Duplicates,
    copies_shared: bool,
}

/// What a merge does with a name that several files have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Duplicates {
    Refuse,
    Number,
    Keep,
}

/// Keys that a merge may fill without a question (128 MiB), or this many times the keys of the files that they are for.
const MIN_FILLED: u64 = 1 << 22;
const FILLED_TIMES: u64 = 64;

/// Writes the sequences of all files as one file, with the defaults of [`Merge`].
///
/// # Errors
/// Those of [`Merge::write`].
pub fn merge(files: &[Psa<'_>], out: &mut impl Write) -> Result<MergeReport, EditError> {
    Merge::new(files).write(out)
}

impl<'a> Merge<'a> {
    /// A merge of files, in order. O(chunks + sequences).
    pub fn new(files: &[Psa<'a>]) -> Self {
        let sources = files.iter().map(Source::new).collect();
        Self { sources, duplicates: Duplicates::Refuse, copies_shared: false }
    }

    /// Gives a sequence whose name an earlier one has the name with a number: `walk_2`. Without this, a name that two files have is an
    /// error.
    #[must_use]
    pub fn number_duplicates(mut self) -> Self {
        self.duplicates = Duplicates::Number;
        self
    }

    /// Keeps names that several files have. This is the way back for a split of a file that has several sequences with one name.
    #[must_use]
    pub fn keep_duplicates(mut self) -> Self {
        self.duplicates = Duplicates::Keep;
        self
    }

    /// Allows copies of frames that sequences share, as [`PsaEdit::copy_shared_frames`](super::PsaEdit::copy_shared_frames) does.
    #[must_use]
    pub fn copy_shared_frames(mut self) -> Self {
        self.copies_shared = true;
        self
    }

    /// Writes the merged file. O(output) in time; memory for the records of sequences and the bones of a file.
    ///
    /// # Errors
    /// [`EditError`]: no file, two files with a sequence of one name, a file without any bone of the first, far more filled keys
    /// than stored ones, sequences that share frames, curves that would change their owner, too many records, and errors of the
    /// output. Nothing is written before the checks.
    pub fn write(&self, out: &mut impl Write) -> Result<MergeReport, EditError> {
        let mut report = MergeReport { files: self.sources.len(), ..MergeReport::default() };
        let first = self.sources.first().ok_or(EditError::NoFiles)?;
        report.bones = first.bone_count();
        let names = self.names()?;
        let bones = ByName::new(first.psa.bones());
        let mut parts = Vec::with_capacity(self.sources.len());
        let (mut own_keys, mut filled_keys) = (0_u64, 0_u64);
        for (file, source) in self.sources.iter().enumerate() {
            let columns = bones.columns(source, file, first.psa.bones(), &mut report)?;
            if let Columns::Mapped(tracks) = &columns {
                let frames = source.sequences.iter().map(|sequence| to_u64(sequence.frame_count()));
                let frames = frames.fold(0, u64::saturating_add);
                let filled = tracks.iter().filter(|track| matches!(track, Track::Rest(_))).count();
                filled_keys = filled_keys.saturating_add(frames.saturating_mul(to_u64(filled)));
                own_keys = own_keys.saturating_add(to_u64(source.psa.keys().len()));
            }
            parts.push(Part { source, columns });
        }
        let limit = own_keys.saturating_mul(FILLED_TIMES).max(MIN_FILLED);
        if filled_keys > limit {
            let bytes = |keys: u64| keys.saturating_mul(32);
            return Err(EditError::TooLarge { needed: bytes(filled_keys), limit: bytes(limit) });
        }
        report.filled_keys = filled_keys;
        let sequences = self
            .sources
            .iter()
            .enumerate()
            .flat_map(|(part, source)| source.sequences.iter().map(move |sequence| (part, sequence)));
        let items: Vec<_> =
            sequences.zip(&names).map(|((part, sequence), name)| item(part, sequence, name.as_ref())).collect();
        report.sequences = items.len();
        report.numbered_sequences = names.iter().flatten().count();
        let moves_keys = self.sources.len() > 1;
        let output = Output { parts, bones: None, items, moves_keys, copies_shared: self.copies_shared };
        let written = output.write(out)?;
        report.bytes = written.bytes;
        report.frames = written.frames;
        report.filled_scale_keys = written.filled_scale_keys;
        report.mended_sequences = written.mended;
        report.dropped_chunks = written.dropped_chunks;
        report.dropped_scale_keys = written.dropped_scale_keys;
        Ok(report)
    }

    /// Writes the side-car of the merged file: that of the first file, then the `[RemoveTracks]` lines of all others, with their new
    /// names and bone numbers. `None` is a file without a side-car. O(side-cars + sequences + bones) in time and memory.
    ///
    /// # Errors
    /// [`EditError::SideCars`] where side-cars say different things about all sequences; errors of names as [`write`](Self::write)
    /// has; [`EditError::SideCar`], [`EditError::TooLarge`]; [`EditError::Write`].
    pub fn write_config(&self, configs: &[Option<Config<'_>>], out: &mut impl Write) -> Result<(), EditError> {
        let first = self.sources.first().ok_or(EditError::NoFiles)?;
        let names = self.names()?;
        let mut names = names.iter();
        let bones = ByName::new(first.psa.bones());
        let config_of = |file: usize| configs.get(file).and_then(Option::as_ref);
        let common = config::common(config_of(0));
        let mut joined = Joined::default();
        for (file, source) in self.sources.iter().enumerate() {
            let mut sequences = Fates::default();
            for (sequence, name) in source.sequences.iter().zip(names.by_ref()) {
                sequences.add(sequence.name(), false, name.as_ref());
            }
            if file > 0 && config::common(config_of(file)) != common {
                return Err(EditError::SideCars { file });
            }
            let Some(config) = config_of(file) else { continue };
            let columns = bones.columns(source, file, first.psa.bones(), &mut MergeReport::default())?;
            let numbers = numbers(&columns, source.bone_count());
            let mut kept = Fates::default();
            for bone in source.psa.bones() {
                kept.add(bone.name().text(), false, None);
            }
            let fate = Fate { sequences, bones: kept, numbers: numbers.as_deref() };
            if file == 0 {
                joined = Joined::new(config::edited(config, &fate)?);
            } else {
                joined.add_tracks(&config::tracks(config, &fate)?);
            }
        }
        out.write_all(joined.bytes())?;
        Ok(())
    }

    /// The new name of each sequence, if it gets one.
    fn names(&self) -> Result<Vec<Option<Name<64>>>, EditError> {
        let sequences = || {
            let of_file = |(file, source)| {
                let source: &Source<'a> = source;
                source.sequences.iter().map(move |sequence| (file, sequence))
            };
            self.sources.iter().enumerate().flat_map(of_file)
        };
        if self.duplicates != Duplicates::Number {
            // Names of one file may repeat, as they did before.
            let mut owners: HashMap<String, usize> = HashMap::new();
            for (file, sequence) in sequences() {
                let owner = *owners.entry(folded(sequence.name())).or_insert(file);
                if owner != file && self.duplicates == Duplicates::Refuse {
                    return Err(EditError::Taken { kind: "sequences", name: sequence.name().to_string() });
                }
            }
            return Ok(sequences().map(|_| None).collect());
        }
        // Numbers must not meet names that follow.
        let mut taken: HashSet<String> = sequences().map(|(_, sequence)| folded(sequence.name())).collect();
        let (mut seen, mut next) = (HashSet::new(), HashMap::new());
        let name = |(_, sequence): (usize, &Sequence<'a>)| {
            let own = folded(sequence.name());
            if seen.insert(own) {
                return Ok(None);
            }
            let key = sequence.info().name().key();
            let base = key.get(..MAX_BASE).map_or(key, whole_characters);
            let number: &mut u32 = next.entry(folded(Text::new(base))).or_insert(2);
            loop {
                let numbered = [base, b"_", number.to_string().as_bytes()].concat();
                *number = number.saturating_add(1);
                if taken.insert(folded(Text::new(&numbered))) {
                    let name = Name::new(&numbered);
                    return Ok(Some(name.ok_or_else(|| EditError::Name { name: sequence.name().to_string() })?));
                }
            }
        };
        sequences().map(name).collect()
    }
}

/// Bytes of a name that a number follows: 63, without `_` and the digits of any number.
const MAX_BASE: usize = 52;

/// The bytes without a character of UTF-8 that is cut at their end.
fn whole_characters(bytes: &[u8]) -> &[u8] {
    let is_cut = |error: &std::str::Utf8Error| error.error_len().is_none();
    match std::str::from_utf8(bytes) {
        Err(error) if is_cut(&error) => bytes.get(..error.valid_up_to()).unwrap_or(bytes),
        _ => bytes,
    }
}

fn item<'a>(part: usize, sequence: &Sequence<'a>, name: Option<&Name<64>>) -> Item<'a> {
    let info = *sequence.info();
    let info = name.map_or(info, |name| info.with_name(name));
    Item { part, sequence: *sequence, info, frames: 0..sequence.frame_count(), is_trimmed: false }
}

/// For each bone of a file, its index in the output; `None` where all stay.
fn numbers(columns: &Columns, bones: usize) -> Option<Vec<Option<u32>>> {
    let Columns::Mapped(tracks) = columns else { return None };
    let mut numbers = vec![None; bones];
    for (to, track) in tracks.iter().enumerate() {
        if let Track::Stored(from) | Track::Conjugated(from) = track {
            if let Some(number) = numbers.get_mut(*from) {
                *number = Some(to_u32(to));
            }
        }
    }
    Some(numbers)
}

/// The bones of the first file, by name. Of several bones with one name, each is told by its place among them.
struct ByName {
    indices: HashMap<String, Vec<usize>>,
    count: usize,
}

impl ByName {
    fn new(bones: &[Bone]) -> Self {
        let mut indices: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, bone) in bones.iter().enumerate() {
            indices.entry(folded(bone.name().text())).or_default().push(index);
        }
        Self { indices, count: bones.len() }
    }

    /// The tracks of a file in the order of the first file's bones. O(bones).
    fn columns(
        &self,
        source: &Source<'_>,
        file: usize,
        first: &[Bone],
        report: &mut MergeReport,
    ) -> Result<Columns, EditError> {
        let own = source.psa.bones();
        let same = |(one, other): (&Bone, &Bone)| {
            one.name() == other.name() || folded(one.name().text()) == folded(other.name().text())
        };
        if file == 0 || own.len() == first.len() && own.iter().zip(first).all(same) {
            return Ok(Columns::All);
        }
        let mut tracks: Vec<Option<Track>> = vec![None; self.count];
        let mut used: HashMap<&str, usize> = HashMap::new();
        let mut found = 0_usize;
        for (from, bone) in own.iter().enumerate() {
            let Some((name, places)) = self.indices.get_key_value(&folded(bone.name().text())) else { continue };
            let place = used.entry(name).or_default();
            let to = places.get(*place).copied();
            *place = place.saturating_add(1);
            let Some((to, slot)) = to.and_then(|to| Some((to, tracks.get_mut(to)?))) else { continue };
            let is_moved = (from == 0) != (to == 0);
            *slot = Some(if is_moved { Track::Conjugated(from) } else { Track::Stored(from) });
            report.conjugated_tracks = report.conjugated_tracks.saturating_add(usize::from(is_moved));
            found = found.saturating_add(1);
        }
        if found == 0 && !source.sequences.is_empty() && !source.psa.keys().is_empty() {
            return Err(EditError::NoCommonBone { file });
        }
        report.mapped_files = report.mapped_files.saturating_add(1);
        report.dropped_tracks = report.dropped_tracks.saturating_add(own.len().saturating_sub(found));
        report.filled_tracks = report.filled_tracks.saturating_add(first.len().saturating_sub(found));
        let filled = tracks.into_iter().zip(first).map(|(track, bone)| {
            track.unwrap_or_else(|| {
                let is_empty = bone.rotation() == [0.0; 4];
                report.tracks_without_rest = report.tracks_without_rest.saturating_add(usize::from(is_empty));
                let rotation = if is_empty { [0.0, 0.0, 0.0, 1.0] } else { bone.rotation() };
                let key = AnimKey::default().with_translation(bone.translation());
                Track::Rest(key.with_rotation(rotation).with_time(1.0))
            })
        });
        Ok(Columns::Mapped(filled.collect()))
    }
}
