//! The binary buffer and its views, accessors and objects. Each content is stored once.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher as _, Hash, Hasher};
use std::io::{BufWriter, Result, Write};
use std::num::NonZero;

use serde::Serialize;
use skelmap::model::Part;
use skelmap::shared::{to_u32, to_u64, to_usize};

use crate::compact::to_short;
use crate::json::{Accessor, BufferView, INDEX_TARGET, VERTEX_TARGET};
use crate::motion::{Channel, Keys, time, value_bytes};
use crate::plan::{Known, Open, Piece, Place, Plan, Use};
use crate::report::write_floats;

impl Use {
    fn view(self) -> BufferView {
        let (byte_stride, target) = match self {
            Self::Vertices(stride) => (Some(stride), Some(VERTEX_TARGET)),
            Self::Indices => (None, Some(INDEX_TARGET)),
            Self::InverseBind | Self::Morph | Self::Image | Self::Keys | Self::Stored => (None, None),
        };
        BufferView { byte_stride, target, ..BufferView::default() }
    }
}

/// The bytes at each end of a content that tell most contents apart.
const SAMPLE: usize = 64;

/// The hash of what is written, and its length.
struct Digest<H> {
    hash: H,
    length: u64,
}

impl<H: Hasher + Clone> Digest<H> {
    /// 128 bits: the hash, and that of one byte more.
    fn to_number(&self) -> u128 {
        let mut longer = self.hash.clone();
        longer.write_u8(0);
        u128::from(self.hash.finish()) << 64 | u128::from(longer.finish())
    }
}

impl<H: Hasher> Write for Digest<H> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.hash.write(bytes);
        self.length = self.length.saturating_add(to_u64(bytes.len()));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

impl<'p> Plan<'p> {
    /// Adds a piece at the end of the buffer, aligned to four bytes, for `place`; or returns the place of the one with its content. Also
    /// returns its length.
    fn add_piece(&mut self, of: Use, piece: Piece<'p>, place: Place) -> Result<(Place, u64)> {
        if let Some((sample, length)) = self.sample(&piece) {
            match self.known.samples.insert((of, sample), None) {
                None => {
                    self.known.samples.insert((of, sample), Some((self.pieces.len(), place)));
                    self.pieces.push(piece);
                    self.length = self.length.saturating_add(length.next_multiple_of(4));
                    return Ok((place, length));
                }
                Some(Some((index, place))) => {
                    if let Some(first) = self.pieces.get(index) {
                        let digest = self.digest(first)?;
                        self.known.pieces.insert((of, digest.to_number()), place);
                    }
                }
                Some(None) => {}
            }
        }
        let digest = self.digest(&piece)?;
        match self.known.pieces.entry((of, digest.to_number())) {
            Entry::Occupied(known) => Ok((*known.get(), digest.length)),
            Entry::Vacant(new) => {
                new.insert(place);
                self.pieces.push(piece);
                self.length = self.length.saturating_add(digest.length.next_multiple_of(4));
                Ok((place, digest.length))
            }
        }
    }

    fn digest(&self, piece: &Piece<'_>) -> Result<Digest<impl Hasher + Clone + use<>>> {
        let mut digest = Digest { hash: self.known.hasher.build_hasher(), length: 0 };
        let mut out = BufWriter::with_capacity(BLOCK, &mut digest);
        write_piece(self, piece, &mut out)?;
        out.flush()?;
        drop(out);
        Ok(digest)
    }

    /// For the keys of a channel and for long bytes, a digest of some of them, and their length in bytes. Only pieces with the same are read
    /// a second time.
    fn sample(&self, piece: &Piece<'_>) -> Option<(u128, u64)> {
        let mut digest = Digest { hash: self.known.hasher.build_hasher(), length: 0 };
        if let Piece::Bytes(bytes) = piece {
            let (first, last) = (bytes.first_chunk::<SAMPLE>()?, bytes.last_chunk::<SAMPLE>()?);
            digest.hash.write_usize(bytes.len());
            digest.hash.write(first);
            digest.hash.write(last);
            return Some((digest.to_number(), to_u64(bytes.len())));
        }
        let Piece::Values { model, clip, channel: Channel { bone, part, .. }, frames } = piece else { return None };
        let model = self.models.get(*model)?;
        let written = model.clips.get(*clip)?;
        let clip = written.listed();
        let motion = model.motion_of(written, &clip, self.options);
        let count = to_u64(frames.as_ref().map_or(motion.frame_count(), Vec::len));
        let size = value_bytes(*part, self.options.is_short(*part));
        digest.hash.write_u64(count);
        digest.hash.write_u64(size);
        Hash::hash_slice(frames.as_deref().unwrap_or_default(), &mut digest.hash);
        Hash::hash_slice(motion.values().sample(*bone, *part).as_flattened(), &mut digest.hash);
        Some((digest.to_number(), count.saturating_mul(size)))
    }

    /// Adds bytes with a view of their own. Returns the view.
    pub(crate) fn add_bytes(&mut self, of: Use, bytes: Cow<'p, [u8]>) -> Result<u32> {
        let (start, own) = (self.length, to_u32(self.root.buffer_views.len()));
        let ((view, _), byte_length) = self.add_piece(of, Piece::Bytes(bytes), (own, 0))?;
        if view == own {
            self.root.buffer_views.push(BufferView { byte_offset: NonZero::new(start), byte_length, ..of.view() });
        }
        Ok(view)
    }

    /// Begins a view. Until it is closed, only [`add_keys`](Plan::add_keys) adds to the buffer.
    pub(crate) fn open_view(&self, of: Use) -> Open {
        Open { index: to_u32(self.root.buffer_views.len()), start: self.length, of }
    }

    pub(crate) fn close_view(&mut self, open: Open) {
        let byte_length = self.length.saturating_sub(open.start);
        if byte_length > 0 {
            let byte_offset = NonZero::new(open.start);
            self.root.buffer_views.push(BufferView { byte_offset, byte_length, ..open.of.view() });
        }
    }

    /// Adds an accessor for a piece, which goes to the end of an open view.
    pub(crate) fn add_keys(&mut self, open: Open, mut accessor: Accessor, piece: Piece<'p>) -> Result<u32> {
        let end = (open.index, self.length.saturating_sub(open.start));
        let ((view, offset), _) = self.add_piece(open.of, piece, end)?;
        (accessor.buffer_view, accessor.byte_offset) = (Some(view), NonZero::new(offset));
        self.add_accessor(accessor)
    }

    pub(crate) fn add_accessor(&mut self, accessor: Accessor) -> Result<u32> {
        once(&mut self.known, &mut self.root.accessors, "accessor", 0, accessor)
    }
}

/// Bytes that are hashed at once.
const BLOCK: usize = 1 << 12;

/// Adds an object of a kind to its list, unless the list has it. Objects with different values of `apart` are kept apart. Returns its index.
pub(crate) fn once<T: Serialize>(
    known: &mut Known,
    list: &mut Vec<T>,
    kind: &'static str,
    apart: u32,
    object: T,
) -> Result<u32> {
    let mut digest = Digest { hash: known.hasher.build_hasher(), length: 0 };
    digest.hash.write_u32(apart);
    known.json.clear();
    serde_json::to_writer(&mut known.json, &object)?;
    digest.hash.write(&known.json);
    Ok(*known.objects.entry((kind, digest.to_number())).or_insert_with(|| {
        list.push(object);
        to_u32(list.len().saturating_sub(1))
    }))
}

/// Writes the content of a piece.
pub(crate) fn write_piece(plan: &Plan<'_>, piece: &Piece<'_>, out: &mut impl Write) -> Result<()> {
    match piece {
        Piece::Bytes(bytes) => out.write_all(bytes)?,
        Piece::Times { keys, count, rate } => {
            let end = time(count.saturating_sub(1), *rate);
            match keys {
                Keys::Every => (0..*count).try_for_each(|frame| write_floats(out, &[time(frame, *rate)]))?,
                Keys::First => write_floats(out, &[0.0])?,
                Keys::Ends => write_floats(out, &[0.0, end])?,
            }
        }
        Piece::Constant { part, value, count } => {
            (0..*count).try_for_each(|_| write_values(&[*value], *part, plan.options.is_short(*part), out))?;
        }
        Piece::Values { model, clip, channel: Channel { bone, part, .. }, frames } => {
            let Some(model) = plan.models.get(*model) else { return Ok(()) };
            let Some(written) = model.clips.get(*clip) else { return Ok(()) };
            let clip = written.listed();
            let mut values = model.motion_of(written, &clip, plan.options).values();
            values.start(*bone, *part);
            let is_short = plan.options.is_short(*part);
            let Some(frames) = frames.as_deref().filter(|frames| !values.only(frames)) else {
                while let Some(block) = values.next_block() {
                    write_values(block, *part, is_short, out)?;
                }
                return Ok(());
            };
            let (mut first, mut kept) = (0_usize, Vec::new());
            let mut frames = frames.iter().map(|frame| to_usize((*frame).into())).peekable();
            while let Some(block) = values.next_block() {
                let after = first.saturating_add(block.len());
                let own = core::iter::from_fn(|| frames.next_if(|frame| *frame < after));
                kept.clear();
                kept.extend(own.filter_map(|frame| block.get(frame.saturating_sub(first))));
                write_values(&kept, *part, is_short, out)?;
                first = after;
            }
        }
    }
    Ok(())
}

/// Values that are turned into bytes at once.
const ROWS: usize = 64;

pub(crate) fn write_values(values: &[[f32; 4]], part: Part, is_short: bool, out: &mut impl Write) -> Result<()> {
    match part {
        Part::Rotation if is_short => write_rows(values, out, |row| row.map(|x| to_short(x).to_le_bytes())),
        Part::Rotation => write_rows(values, out, |row| row.map(f32::to_le_bytes)),
        Part::Translation | Part::Scale => write_rows(values, out, |[x, y, z, _]| [x, y, z].map(f32::to_le_bytes)),
    }
}

fn write_rows<const N: usize, const SIZE: usize>(
    values: &[[f32; 4]],
    out: &mut impl Write,
    to_bytes: impl Fn([f32; 4]) -> [[u8; SIZE]; N],
) -> Result<()> {
    let mut rows = [[[0; SIZE]; N]; ROWS];
    for block in values.chunks(ROWS) {
        rows.iter_mut().zip(block).for_each(|(row, value)| *row = to_bytes(*value));
        out.write_all(rows.get(..block.len()).unwrap_or_default().as_flattened().as_flattened())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    use skelmap::Asset;
    use test_support::actorx::build::Mesh;

    use crate::document::Document;
    use crate::options::ExportOptions;

    /// The number of bytes, and their sum.
    #[derive(Clone, Default)]
    struct Sum(u64, u64);

    impl Hasher for Sum {
        fn write(&mut self, bytes: &[u8]) {
            self.0 += to_u64(bytes.len());
            self.1 += bytes.iter().map(|byte| u64::from(*byte)).sum::<u64>();
        }

        fn finish(&self) -> u64 {
            self.0 << 32 | self.1
        }
    }

    #[test]
    fn a_digest_is_the_hash_and_that_of_a_byte_more() {
        let mut digest = Digest { hash: Sum::default(), length: 0 };
        assert_eq!(digest.write(&[7, 8]).unwrap(), 2);
        assert_eq!(digest.write(&[9]).unwrap(), 1);
        digest.flush().unwrap();
        assert_eq!((digest.to_number(), digest.length), (0x3_0000_0018_0000_0004_0000_0018, 3));
        // The byte is not added to what is hashed.
        assert_eq!(digest.hash.finish(), 0x3_0000_0018);
    }

    /// Most contents differ in their lengths or their ends. Those that do not are compared whole, and short ones are read once in any case.
    #[test]
    fn long_bytes_are_told_apart_by_their_lengths_and_64_bytes_at_each_end() {
        let bytes: Vec<u8> = Mesh::sheet(3, 3, 1).chunks().into();
        let mesh = Asset::parse(&bytes).unwrap().mesh().unwrap();
        let (document, options) = (Document::of_mesh(&mesh), ExportOptions::default());
        let plan = Plan::new(&document, &options, None).unwrap();
        let sample = |length: usize, other: Option<usize>| {
            let mut bytes = vec![1; length];
            if let Some(place) = other {
                bytes[place] = 2;
            }
            plan.sample(&Piece::Bytes(Cow::Owned(bytes)))
        };
        let (digest, length) = sample(1000, None).unwrap();
        assert_eq!(length, 1000);
        assert_eq!([64, 500, 935].map(|place| sample(1000, Some(place))), [Some((digest, 1000)); 3]);
        for found in [sample(1000, Some(0)), sample(1000, Some(63)), sample(1000, Some(936)), sample(1001, None)] {
            assert_ne!(found.unwrap().0, digest);
        }
        assert_eq!((sample(64, None).map(|(_, length)| length), sample(63, None)), (Some(64), None));
    }
}
