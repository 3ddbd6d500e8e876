//! The output of an edit of animations: the chunks of one file with the sequences of one file or more.

use std::collections::{HashMap, HashSet};
use std::io::{BufWriter, Write};
use std::ops::Range;

use skelmap::actorx::{AnimInfo, AnimKey, Bone, Chunk, ChunkHeader, ChunkId, Sequence};
use skelmap::shared::{to_u64, to_usize};
use zerocopy::IntoBytes;

use super::error::EditError;
use super::source::{KEY, Placed, Role, SCALE, Source, header, id_name, is_curves, track_time};

/// Bytes that are collected before a write. Whole sequences are written from the source.
const BUFFER: usize = 1 << 16;

/// A scale key without scale, at time 1.
const NO_SCALE: [f32; 4] = [1.0; 4];

/// The tracks of a source in the output.
#[derive(Clone, Debug)]
pub(super) enum Columns {
    /// All, in their order.
    All,
    /// Some, in their order: runs of neighbours.
    Runs(Vec<Range<usize>>),
    /// For each bone of the output, its track.
    Mapped(Vec<Track>),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Track {
    /// A track of the source.
    Stored(usize),
    /// A track of the source with the other rule of rotations: the first bone has its own.
    Conjugated(usize),
    /// The same key in every frame.
    Rest(AnimKey),
}

/// A file that gives sequences.
#[derive(Debug)]
pub(super) struct Part<'a, 's> {
    pub(super) source: &'s Source<'a>,
    pub(super) columns: Columns,
}

/// A sequence of the output.
#[derive(Clone, Debug)]
pub(super) struct Item<'a> {
    /// The index of its part.
    pub(super) part: usize,
    pub(super) sequence: Sequence<'a>,
    pub(super) info: AnimInfo,
    pub(super) frames: Range<usize>,
    /// Whether the edit cuts its frames.
    pub(super) is_trimmed: bool,
}

/// The output of an edit. Its chunks are those of the first part.
#[derive(Debug)]
pub(super) struct Output<'a, 's> {
    pub(super) parts: Vec<Part<'a, 's>>,
    /// The bones, where they change.
    pub(super) bones: Option<Vec<Bone>>,
    pub(super) items: Vec<Item<'a>>,
    /// Whether the keys are written sequence by sequence. Otherwise, they and all that describes them stay as stored.
    pub(super) moves_keys: bool,
    /// Whether each of the sequences that share frames gets a copy.
    pub(super) copies_shared: bool,
}

/// The bytes of copies of shared frames that an edit may write without a question, or this many times those of the frames that the file has.
const MIN_COPIED: u64 = 1 << 27;
const COPIED_TIMES: u64 = 64;
const KEY_BYTES: u64 = 32;

/// Numbers about an output that its caller reports.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Written {
    pub(super) bytes: u64,
    pub(super) frames: u64,
    /// Sequences whose declared number of frames is not that of their keys.
    pub(super) mended: usize,
    /// Scale keys that are written for sequences without any.
    pub(super) filled_scale_keys: u64,
    /// Chunks of the inputs that the output does not have.
    pub(super) dropped_chunks: usize,
    /// Scale keys that belong to no sequence.
    pub(super) dropped_scale_keys: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scales {
    None,
    /// A scale key for every key, filled for sequences that have none.
    PerKey,
    /// Scale keys for the sequences that have them: these are flagged.
    Flagged,
}

impl<'a> Output<'a, '_> {
    fn part(&self, item: &Item<'a>) -> Option<&Part<'a, '_>> {
        self.parts.get(item.part)
    }

    /// Bones of the output.
    fn width(&self) -> usize {
        let stored = self.parts.first().map_or(0, |part| part.source.bone_count());
        self.bones.as_ref().map_or(stored, Vec::len)
    }

    /// Writes the file. Every limit is checked before the first byte. O(output), memory for its records of sequences and a frame.
    pub(super) fn write(mut self, out: &mut impl Write) -> Result<Written, EditError> {
        let mut written = Written::default();
        if self.moves_keys {
            self.number(&mut written)?;
        }
        written.frames = self.items.iter().map(|item| to_u64(item.frames.len())).fold(0, u64::saturating_add);
        let scales = self.scales();
        let (curves, extra_strays) = self.curves();
        written.dropped_chunks = extra_strays;
        self.check_curves(&curves)?;
        let counts = self.counts(scales, &mut written)?;
        let Some(first) = self.parts.first() else { return Err(EditError::NoFiles) };
        let file = first.source.psa.bytes();
        let mut out = Counted { out: BufWriter::with_capacity(BUFFER, out), bytes: 0 };
        let mut curves = curves.into_iter().peekable();
        let has_scales = first.source.chunk(Role::Scales).is_some();
        for (role, placed) in &first.source.chunks {
            while let Some(curve) = curves.next_if(|curve| curve.at < placed.at) {
                self.write_curves(&curve, &mut out)?;
            }
            self.write_chunk(*role, placed, file, &counts, &mut out)?;
            if *role == Role::Duplicate && self.moves_keys {
                written.dropped_chunks = written.dropped_chunks.saturating_add(1);
            }
            if *role == Role::Keys && !has_scales && counts.scale_keys > 0 {
                let other = self.parts.iter().find_map(|part| part.source.chunk(Role::Scales));
                let flag = other.map_or(0, |placed| placed.chunk.type_flag);
                let id = other.map(|placed| *placed.chunk.id).or_else(|| ChunkId::new(b"SCALEKEYS"));
                if let Some(id) = id {
                    out.write(ChunkHeader::new(id, flag, 16, counts.scale_keys).as_bytes())?;
                    self.write_scales(scales, &mut out)?;
                }
            }
        }
        for curve in curves {
            self.write_curves(&curve, &mut out)?;
        }
        out.out.flush()?;
        written.bytes = out.bytes;
        Ok(written)
    }

    /// Gives the sequences their first frames and what follows from their number of frames and bones.
    fn number(&mut self, written: &mut Written) -> Result<(), EditError> {
        let width = self.width();
        let mut wanted: Vec<u64> = vec![0; self.parts.len()];
        let mut next = 0_u64;
        for item in &mut self.items {
            let (part, count) = (self.parts.get(item.part), item.frames.len());
            let (info, stored) = (item.info, item.sequence.info());
            let mut edited = info.with_first_raw_frame(int("frames", next)?);
            let keys = to_u64(count).saturating_mul(to_u64(width));
            if to_u64(count) != u64::from(stored.frames()) {
                edited = edited.with_raw_frame_count(int("frames", to_u64(count))?);
                edited = edited.with_key_quotum(int("keys", keys)?);
                let time = part.and_then(|part| track_time(stored, part.source.time_unit, count, info.rate()));
                edited = time.map_or(edited, |time| edited.with_track_time(time));
                written.mended = written.mended.saturating_add(usize::from(!item.is_trimmed));
            }
            if part.is_some_and(|part| !matches!(part.columns, Columns::All)) {
                edited = edited.with_key_quotum(int("keys", keys)?);
                edited = edited.with_total_bones(int("bones", to_u64(width))?);
            }
            item.info = edited;
            next = next.saturating_add(to_u64(count));
            if let Some(sum) = wanted.get_mut(item.part) {
                *sum = sum.saturating_add(to_u64(count));
            }
        }
        for (part, needed) in self.parts.iter().zip(wanted) {
            let stored = part.source.frame_count();
            if needed > stored && !self.copies_shared {
                return Err(EditError::SharedFrames { stored, needed });
            }
            let bytes = |frames: u64| frames.saturating_mul(to_u64(width)).saturating_mul(KEY_BYTES);
            let limit = bytes(stored).saturating_mul(COPIED_TIMES).max(MIN_COPIED);
            if bytes(needed) > limit {
                return Err(EditError::TooLarge { needed: bytes(needed), limit });
            }
        }
        Ok(())
    }

    /// How the output stores scale keys.
    fn scales(&self) -> Scales {
        let moving = || self.items.iter().filter(|item| !item.frames.is_empty());
        let has = |item: &Item<'a>| {
            self.part(item).is_some_and(|part| part.source.scale_keys(&item.sequence, &item.frames).is_some())
        };
        if !moving().any(has) {
            Scales::None
        } else if moving().any(|item| !has(item)) && moving().all(|item| has(item) == (item.info.root_include() == 1)) {
            Scales::Flagged
        } else {
            Scales::PerKey
        }
    }

    fn counts(&self, scales: Scales, written: &mut Written) -> Result<Counts, EditError> {
        let width = to_u64(self.width());
        let keys_of = |item: &Item<'a>| to_u64(item.frames.len()).saturating_mul(width);
        let sum = |has_scale: Option<bool>| {
            let items = self.items.iter().filter(|item| {
                let has = || {
                    self.part(item).is_some_and(|part| part.source.scale_keys(&item.sequence, &item.frames).is_some())
                };
                has_scale.is_none_or(|wanted| has() == wanted)
            });
            items.map(keys_of).fold(0, u64::saturating_add)
        };
        let keys = sum(None);
        let scale_keys = match scales {
            Scales::None => 0,
            Scales::PerKey => keys,
            Scales::Flagged => sum(Some(true)),
        };
        if scales == Scales::PerKey {
            written.filled_scale_keys = sum(Some(false));
        }
        if self.moves_keys {
            let stray = self.parts.iter().filter(|part| part.source.has_stray_scale_keys);
            written.dropped_scale_keys =
                stray.map(|part| to_u64(part.source.psa.scale_keys().len())).fold(0, u64::saturating_add);
        }
        let infos = to_u64(self.items.len());
        Ok(Counts {
            bones: int("bones", width)?,
            infos: int("sequences", infos)?,
            keys: int("keys", if self.moves_keys { keys } else { 0 })?,
            scale_keys: int("scale keys", if self.moves_keys { scale_keys } else { 0 })?,
            flags: int("flags", infos.saturating_mul(width)).or_else(|error| {
                let is_used = self.parts.first().is_some_and(|part| part.source.chunk(Role::Flags).is_some());
                if is_used && self.moves_keys { Err(error) } else { Ok(0) }
            })?,
            scales,
        })
    }

    fn write_chunk(
        &self,
        role: Role,
        placed: &Placed<'_>,
        file: &[u8],
        counts: &Counts,
        out: &mut Counted<impl Write>,
    ) -> Result<(), EditError> {
        let chunk = &placed.chunk;
        let head = |count: i32, size: i32, out: &mut Counted<_>| {
            // Writers disagree on the record size of an empty chunk.
            let size = if count == 0 { chunk.declared_size } else { size };
            out.write(ChunkHeader::new(*chunk.id, chunk.type_flag, size, count).as_bytes())
        };
        match role {
            Role::Bones if self.bones.is_some() => {
                head(counts.bones, 120, out)?;
                out.write(self.bones.as_deref().unwrap_or_default().as_bytes())
            }
            Role::Infos => {
                head(counts.infos, 168, out)?;
                self.items.iter().try_for_each(|item| out.write(item.info.as_bytes()))
            }
            Role::Keys if self.moves_keys => {
                head(counts.keys, 32, out)?;
                self.items.iter().try_for_each(|item| self.write_keys(item, out))
            }
            Role::Scales if self.moves_keys => {
                head(counts.scale_keys, 16, out)?;
                self.write_scales(counts.scales, out)
            }
            Role::Flags if self.moves_keys => {
                head(counts.flags, 1, out)?;
                self.items.iter().try_for_each(|item| self.write_flags(item, out))
            }
            Role::Duplicate if self.moves_keys => Ok(()),
            _ => {
                out.write(header(file, chunk))?;
                out.write(chunk.body)
            }
        }
    }

    fn write_keys(&self, item: &Item<'a>, out: &mut Counted<impl Write>) -> Result<(), EditError> {
        let Some(part) = self.part(item) else { return Ok(()) };
        let keys = part.source.keys(&item.sequence, &item.frames);
        let Columns::Mapped(tracks) = &part.columns else {
            return write_columns(keys, part, KEY, out);
        };
        for frame in keys.chunks_exact(row(part, KEY)) {
            for track in tracks {
                let key = |bone: usize| record(frame, bone, KEY);
                match track {
                    Track::Stored(bone) => out.write(key(*bone))?,
                    Track::Conjugated(bone) => out.write(&conjugated(key(*bone)))?,
                    Track::Rest(key) => out.write(key.as_bytes())?,
                }
            }
        }
        Ok(())
    }

    fn write_scales(&self, scales: Scales, out: &mut Counted<impl Write>) -> Result<(), EditError> {
        let no_scale = NO_SCALE.map(f32::to_le_bytes);
        for item in self.items.iter().filter(|_| scales != Scales::None) {
            let Some(part) = self.part(item) else { continue };
            match part.source.scale_keys(&item.sequence, &item.frames) {
                Some(keys) => {
                    let Columns::Mapped(tracks) = &part.columns else {
                        write_columns(keys, part, SCALE, out)?;
                        continue;
                    };
                    for frame in keys.chunks_exact(row(part, SCALE)) {
                        for track in tracks {
                            match track {
                                Track::Stored(bone) | Track::Conjugated(bone) => {
                                    out.write(record(frame, *bone, SCALE))?;
                                }
                                Track::Rest(_) => out.write(no_scale.as_bytes())?,
                            }
                        }
                    }
                }
                None if scales == Scales::PerKey => {
                    for _ in 0..item.frames.len().saturating_mul(self.width()) {
                        out.write(no_scale.as_bytes())?;
                    }
                }
                None => {}
            }
        }
        Ok(())
    }

    fn write_flags(&self, item: &Item<'a>, out: &mut Counted<impl Write>) -> Result<(), EditError> {
        let Some(part) = self.part(item) else { return Ok(()) };
        let stored = part.source.flags(item.sequence.index());
        let Columns::Mapped(tracks) = &part.columns else {
            return match stored {
                Some(flags) => write_columns(flags, part, 1, out),
                None => (0..self.width()).try_for_each(|_| out.write(&[0])),
            };
        };
        for track in tracks {
            match track {
                Track::Stored(bone) | Track::Conjugated(bone) => {
                    out.write(stored.map_or(&[0], |row| record(row, *bone, 1)))?;
                }
                // Neither translation nor rotation: the mesh has the pose.
                Track::Rest(_) => out.write(&[3])?,
            }
        }
        Ok(())
    }

    /// The chunks of curves in the order of the output, and the number of chunks of other files that the output does not have.
    fn curves(&self) -> (Vec<Curves<'a>>, usize) {
        let mut curves = Vec::new();
        for (index, item) in self.items.iter().enumerate() {
            let of_sequence = self.part(item).and_then(|part| *part.source.curves.get(item.sequence.index())?);
            if let Some(Placed { at, chunk }) = of_sequence {
                curves.push(Curves { at, part: item.part, item: index, chunk });
            }
        }
        let Some((first, others)) = self.parts.split_first() else { return (curves, 0) };
        // The curves of further files follow those of the first, or the chunk that curves follow.
        let last_curve = curves.iter().filter(|curve| curve.part == 0).map(|curve| curve.at).max();
        let core = first.source.chunks.iter().filter(|(role, _)| !matches!(role, Role::Other | Role::Duplicate));
        let anchor = last_curve.or_else(|| core.map(|(_, placed)| placed.at).max()).unwrap_or(0);
        // First by file and place, so that curves of further files keep their order at one place.
        curves.sort_by_key(|curve| (curve.part, curve.at));
        for curve in curves.iter_mut().filter(|curve| curve.part > 0) {
            curve.at = anchor;
        }
        curves.sort_by_key(|curve| curve.at);
        (curves, left_out(first.source, others))
    }

    /// Checks that readers assign each chunk of curves to its sequence. O(sequences + chunks).
    fn check_curves(&self, curves: &[Curves<'a>]) -> Result<(), EditError> {
        let strays = self.parts.iter().take(1).flat_map(|part| &part.source.chunks);
        let strays = strays.filter(|(_, placed)| is_curves(placed.chunk.id.as_bytes()));
        let stray = |placed: &Placed<'a>| {
            let id = placed.chunk.id.as_bytes();
            (placed.at, id.strip_suffix(b":CUR").unwrap_or(id).to_vec(), None)
        };
        let mut all: Vec<(usize, Vec<u8>, Option<usize>)> = strays.map(|(_, placed)| stray(placed)).collect();
        if all.is_empty() && curves.is_empty() {
            return Ok(());
        }
        for curve in curves {
            let name = self.items.get(curve.item).map(|item| id_name(&item.info).to_vec());
            all.push((curve.at, name.unwrap_or_default(), Some(curve.item)));
        }
        all.sort_by_key(|(at, ..)| *at);
        let mut queues: HashMap<Vec<u8>, Vec<Option<usize>>> = HashMap::new();
        for (_, name, item) in all.into_iter().rev() {
            queues.entry(name).or_default().push(item);
        }
        let mut owners = vec![false; self.items.len()];
        for curve in curves {
            if let Some(owner) = owners.get_mut(curve.item) {
                *owner = true;
            }
        }
        for ((index, item), has_curves) in self.items.iter().enumerate().zip(owners) {
            let next = queues.get_mut(id_name(&item.info)).and_then(Vec::pop);
            if next != has_curves.then_some(Some(index)) {
                return Err(EditError::Curves { name: item.info.name().text().to_string() });
            }
        }
        Ok(())
    }

    fn write_curves(&self, curves: &Curves<'a>, out: &mut Counted<impl Write>) -> Result<(), EditError> {
        let Some(item) = self.items.get(curves.item) else { return Ok(()) };
        let Some(part) = self.part(item) else { return Ok(()) };
        let chunk = &curves.chunk;
        let (name, body) = (id_name(&item.info), chunk.body);
        let is_named = id_name(item.sequence.info()) == name;
        let stored = to_usize(chunk.record_size.into()).saturating_sub(CURVE_NAME) / 4;
        let range = item.frames.start.min(stored)..item.frames.end.min(stored);
        let is_cut = self.moves_keys && to_u64(item.frames.len()) != u64::from(item.sequence.declared_frame_count());
        if is_named && !is_cut {
            out.write(header(part.source.psa.bytes(), chunk))?;
            return out.write(body);
        }
        let mut id = name.to_vec();
        id.extend_from_slice(b":CUR");
        let id = if is_named { Some(*chunk.id) } else { ChunkId::new(&id) };
        let id = id.ok_or_else(|| EditError::Curves { name: item.info.name().text().to_string() })?;
        if !is_cut || chunk.record_size < 128 {
            let (size, count) = (chunk.declared_size, chunk.declared_count);
            out.write(ChunkHeader::new(id, chunk.type_flag, size, count).as_bytes())?;
            return out.write(body);
        }
        let size = int("bytes", to_u64(CURVE_NAME.saturating_add(range.len().saturating_mul(4))))?;
        out.write(ChunkHeader::new(id, chunk.type_flag, size, chunk.declared_count).as_bytes())?;
        let bytes = |frame: usize| CURVE_NAME.saturating_add(frame.saturating_mul(4));
        for curve in body.chunks_exact(to_usize(chunk.record_size.into())) {
            out.write(curve.get(..CURVE_NAME).unwrap_or_default())?;
            out.write(curve.get(bytes(range.start)..bytes(range.end)).unwrap_or_default())?;
        }
        Ok(())
    }
}

/// Bytes of the name of a curve.
const CURVE_NAME: usize = 128;

/// The curves of a sequence of the output.
#[derive(Clone, Copy, Debug)]
struct Curves<'a> {
    at: usize,
    part: usize,
    item: usize,
    chunk: Chunk<'a>,
}

/// Records of the output.
#[derive(Clone, Copy, Debug)]
struct Counts {
    bones: i32,
    infos: i32,
    keys: i32,
    scale_keys: i32,
    flags: i32,
    scales: Scales,
}

/// The number of chunks of further files that the output does not have: unknown ones that the first file does not have byte for
/// byte, and flags where the first file has none. O(bytes of these chunks).
fn left_out<'a>(first: &Source<'a>, others: &[Part<'a, '_>]) -> usize {
    let others = || others.iter().flat_map(|part| &part.source.chunks);
    let has_flags = first.chunk(Role::Flags).is_some();
    let flags = others().filter(|(role, _)| *role == Role::Flags && !has_flags).count();
    let mut unknown = others().filter(|(role, _)| *role == Role::Other).map(|(_, placed)| &placed.chunk).peekable();
    if unknown.peek().is_none() {
        return flags;
    }
    let key = |chunk: &Chunk<'a>| (chunk.id.as_bytes().to_vec(), chunk.body);
    let known: HashSet<_> =
        first.chunks.iter().filter(|(role, _)| *role == Role::Other).map(|(_, placed)| key(&placed.chunk)).collect();
    unknown.filter(|chunk| !known.contains(&key(chunk))).count().saturating_add(flags)
}

/// A count as a file stores it.
pub(super) fn int(what: &'static str, count: u64) -> Result<i32, EditError> {
    i32::try_from(count).map_err(|_| EditError::TooMany { what, count })
}

/// Bytes of a row of a part; at least one.
fn row(part: &Part<'_, '_>, size: usize) -> usize {
    part.source.bone_count().saturating_mul(size).max(1)
}

fn record(row: &[u8], bone: usize, size: usize) -> &[u8] {
    let start = bone.saturating_mul(size);
    row.get(start..start.saturating_add(size)).unwrap_or_default()
}

/// Writes rows: as one slice, or the runs of each row.
fn write_columns(
    bytes: &[u8],
    part: &Part<'_, '_>,
    size: usize,
    out: &mut Counted<impl Write>,
) -> Result<(), EditError> {
    let Columns::Runs(runs) = &part.columns else { return out.write(bytes) };
    for row in bytes.chunks_exact(row(part, size)) {
        for run in runs {
            let run = run.start.saturating_mul(size)..run.end.saturating_mul(size);
            out.write(row.get(run).unwrap_or_default())?;
        }
    }
    Ok(())
}

/// A key with the conjugate of its rotation.
fn conjugated(key: &[u8]) -> [u8; KEY] {
    let mut bytes = [0; KEY];
    if key.len() == KEY {
        bytes.copy_from_slice(key);
    }
    // The signs of x, y and z, which begin at byte 12.
    for byte in [15, 19, 23] {
        if let Some(high) = bytes.get_mut(byte) {
            *high ^= 0x80;
        }
    }
    bytes
}

/// A writer that counts.
struct Counted<W: Write> {
    out: BufWriter<W>,
    bytes: u64,
}

impl<W: Write> Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), EditError> {
        self.out.write_all(bytes)?;
        self.bytes = self.bytes.saturating_add(to_u64(bytes.len()));
        Ok(())
    }
}
