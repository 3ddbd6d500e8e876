//! An animation in its parts: sequences, and chunks with what an edit does to them.

use std::collections::HashMap;
use std::ops::Range;

use skelmap::actorx::{AnimInfo, Chunk, ChunkHeader, Psa, Sequence};
use skelmap::shared::{to_u64, to_usize};
use zerocopy::IntoBytes;

/// What an edit does to a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Bones,
    Infos,
    Keys,
    Scales,
    /// `ANIMFLAGS`: a byte for each bone of each sequence.
    Flags,
    /// A chunk with records of a kind that occurs once: readers use another.
    Duplicate,
    /// Any other chunk: it stays.
    Other,
}

/// A chunk with its place among the chunks of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed<'a> {
    pub(super) at: usize,
    pub(super) chunk: Chunk<'a>,
}

/// An animation in its parts. O(chunks + sequences) to make, and in memory.
#[derive(Clone, Debug)]
pub(super) struct Source<'a> {
    pub(super) psa: Psa<'a>,
    pub(super) sequences: Vec<Sequence<'a>>,
    /// The chunks in file order, without the curves of sequences.
    pub(super) chunks: Vec<(Role, Placed<'a>)>,
    /// For each sequence, its chunk of curves.
    pub(super) curves: Vec<Option<Placed<'a>>>,
    pub(super) time_unit: TimeUnit,
    /// Whether the file has scale keys that belong to no sequence.
    pub(super) has_stray_scale_keys: bool,
    flags: Option<&'a [u8]>,
}

/// The unit of `TrackTime`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimeUnit {
    Frames,
    Seconds,
}

/// The chunks that occur once.
const KINDS: [(&[u8], Role); 4] =
    [(b"BONENAMES", Role::Bones), (b"ANIMINFO", Role::Infos), (b"ANIMKEYS", Role::Keys), (b"SCALEKEYS", Role::Scales)];

pub(super) fn is_curves(id: &[u8]) -> bool {
    id.ends_with(b":CUR")
}

/// The part of a sequence's name in the id of its curves: at most 14 bytes.
pub(super) fn id_name(info: &AnimInfo) -> &[u8] {
    let name = info.name().key();
    name.get(..14).unwrap_or(name)
}

impl<'a> Source<'a> {
    pub(super) fn new(psa: &Psa<'a>) -> Self {
        let sequences: Vec<_> = psa.sequences().collect();
        let is_stray = !sequences.iter().any(Sequence::has_scale_keys);
        let mut source = Self {
            psa: *psa,
            sequences,
            chunks: Vec::new(),
            curves: Vec::new(),
            time_unit: time_unit(psa.infos()),
            has_stray_scale_keys: is_stray && !psa.scale_keys().is_empty(),
            flags: None,
        };
        // Readers use the first chunk with records, or else the first.
        let mut used = [None::<(usize, bool)>; KINDS.len()];
        let mut by_name: HashMap<&[u8], Vec<Placed<'a>>> = HashMap::new();
        for (at, chunk) in psa.chunks().enumerate() {
            let id = chunk.id.as_bytes();
            if let Some(owner) = id.strip_suffix(b":CUR") {
                by_name.entry(owner).or_default().push(Placed { at, chunk });
                continue;
            }
            let mut role = Role::Other;
            if let Some(kind) = KINDS.iter().position(|(known, _)| *known == id) {
                let is_filled = chunk.count > 0;
                // An empty one stays, whichever is used.
                role = if is_filled { Role::Duplicate } else { Role::Other };
                if let Some(slot) = used.get_mut(kind) {
                    if slot.is_none_or(|(_, filled)| is_filled && !filled) {
                        *slot = Some((source.chunks.len(), is_filled));
                    }
                }
            } else if source.flags.is_none() && source.is_flags(&chunk) {
                role = Role::Flags;
                source.flags = Some(chunk.body);
            }
            source.chunks.push((role, Placed { at, chunk }));
        }
        for ((_, role), slot) in KINDS.iter().zip(used) {
            if let Some((own, _)) = slot.and_then(|(index, _)| source.chunks.get_mut(index)) {
                *own = *role;
            }
        }
        // The chunks of one name belong to the sequences of this name in order.
        let mut queues: HashMap<&[u8], std::vec::IntoIter<Placed<'a>>> =
            by_name.into_iter().map(|(name, chunks)| (name, chunks.into_iter())).collect();
        for info in psa.infos() {
            source.curves.push(queues.get_mut(id_name(info)).and_then(Iterator::next));
        }
        let stray = queues.into_values().flatten().map(|placed| (Role::Other, placed));
        source.chunks.extend(stray);
        source.chunks.sort_by_key(|(_, placed)| placed.at);
        source
    }

    /// Whether this is a chunk with a byte for each bone of each sequence.
    fn is_flags(&self, chunk: &Chunk<'_>) -> bool {
        let needed = to_u64(self.sequences.len()).checked_mul(to_u64(self.bone_count()));
        chunk.id.as_bytes() == b"ANIMFLAGS"
            && chunk.record_size == 1
            && chunk.count > 0
            && needed == Some(chunk.count.into())
    }

    pub(super) fn bone_count(&self) -> usize {
        self.psa.bone_count()
    }

    /// Frames with a key for every bone.
    pub(super) fn frame_count(&self) -> u64 {
        to_u64(self.psa.keys().len()).checked_div(to_u64(self.bone_count())).unwrap_or(0)
    }

    pub(super) fn chunk(&self, role: Role) -> Option<&Placed<'a>> {
        self.chunks.iter().find(|(own, _)| *own == role).map(|(_, placed)| placed)
    }

    /// The bytes of `ANIMFLAGS` for a sequence, one for each bone.
    pub(super) fn flags(&self, sequence: usize) -> Option<&'a [u8]> {
        rows(self.flags?, self.bone_count(), 1, &(sequence..sequence.saturating_add(1)))
    }

    /// The keys of frames of a sequence, as bytes.
    pub(super) fn keys(&self, sequence: &Sequence<'a>, frames: &Range<usize>) -> &'a [u8] {
        rows(sequence.keys().as_bytes(), self.bone_count(), KEY, frames).unwrap_or_default()
    }

    /// The scale keys of frames of a sequence, as bytes; `None` if it has none, or fewer.
    pub(super) fn scale_keys(&self, sequence: &Sequence<'a>, frames: &Range<usize>) -> Option<&'a [u8]> {
        let all = sequence.scale_keys();
        if all.is_empty() { None } else { rows(all.as_bytes(), self.bone_count(), SCALE, frames) }
    }
}

/// Bytes of a key.
pub(super) const KEY: usize = 32;
/// Bytes of a scale key.
pub(super) const SCALE: usize = 16;

/// A range of rows of `width` records of `size` bytes.
fn rows<'a>(bytes: &'a [u8], width: usize, size: usize, range: &Range<usize>) -> Option<&'a [u8]> {
    let row = width.checked_mul(size)?;
    bytes.get(range.start.checked_mul(row)?..range.end.checked_mul(row)?)
}

/// The header of a chunk as stored.
pub(super) fn header<'a>(file: &'a [u8], chunk: &Chunk<'_>) -> &'a [u8] {
    let start = to_usize(chunk.offset);
    file.get(start..start.saturating_add(size_of::<ChunkHeader>())).unwrap_or_default()
}

/// The unit of a file's track times: that of the first sequence whose time tells.
fn time_unit(infos: &[AnimInfo]) -> TimeUnit {
    let mut units = infos.iter().filter(|info| info.rate() != 1.0).filter_map(own_time_unit);
    units.next().unwrap_or(TimeUnit::Frames)
}

/// The unit of the track time of a sequence.
fn own_time_unit(info: &AnimInfo) -> Option<TimeUnit> {
    let (frames, time, rate) = (f64::from(info.frames()), f64::from(info.track_time()), f64::from(info.rate()));
    let is = |expected: f64| expected > 0.0 && ((time - expected) / expected).abs() < 1e-4;
    if is(frames) {
        Some(TimeUnit::Frames)
    } else if rate > 0.0 && is(frames / rate) {
        Some(TimeUnit::Seconds)
    } else {
        None
    }
}

/// The track time of a sequence with another number of frames or another rate; `None` if the stored one follows no rule.
pub(super) fn track_time(stored: &AnimInfo, file: TimeUnit, frames: usize, rate: f32) -> Option<f32> {
    let own = own_time_unit(stored)?;
    // At one frame per second, both units agree.
    let unit = if stored.rate() == 1.0 { file } else { own };
    let frames = to_f32(frames);
    Some(if unit == TimeUnit::Seconds { frames / rate } else { frames })
}

#[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "times are floats, whatever they lose")]
fn to_f32(frames: usize) -> f32 {
    frames as f32
}
