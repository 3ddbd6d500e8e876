//! The animation view: `.psa`. What a sequence is made of lives in `sequence`.

use super::chunk::{Chunk, Chunks, HEADER_LEN, blame_line_ends, is_curve_id};
use super::curve::{CurveChunk, id_name};
use super::layout::{heads_and_duplicates, keep_first, prove_size};
use super::record::{AnimInfo, AnimKey, Bone, ScaleKey};
use super::sequence::{Numbering, Sequence, Sequences, Tables};
use super::skeleton::Skeleton;
use crate::cursor::{Span, to_u64};
use crate::error::{Error, ErrorKind};
use crate::format::Format;
use crate::quirk::{Quirk, QuirkKind};
use crate::section::Section;

/// An animation, read in place: bones, sequences and keys.
///
/// `Copy`; every slice borrows the file. Keys are **frame-major**: all bones of frame 0, then all bones of frame 1 (ActorX
/// reference, section 4.2). For a form to store, see [`PsaBuf`](crate::PsaBuf).
///
/// ```
/// use skelmap::actorx::Psa;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bytes = std::fs::read("corpus/actorx/anim/classic.psa")?;
/// let animation = Psa::parse(&bytes)?;
/// for sequence in animation.sequences() {
///     println!("{}: {} frames at {} fps", sequence.name(), sequence.frame_count(), sequence.rate());
///     for (bone, key) in animation.bones().iter().zip(sequence.frame(0)?) {
///         println!("  {}: {:?}", bone.name().text(), key.position());
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Psa<'a> {
    bytes: &'a [u8],
    layout: PsaLayout,
}

/// Where the parts of an animation lie, without a lifetime: what [`PsaBuf`](crate::PsaBuf) keeps beside the bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct PsaLayout {
    bones: Span,
    infos: Span,
    keys: Span,
    scale_keys: Span,
}

/// The chunks that an animation must have, though they may be empty.
const REQUIRED: [&str; 3] = ["BONENAMES", "ANIMINFO", "ANIMKEYS"];

impl PsaLayout {
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Error> {
        match Format::sniff(bytes)? {
            Format::ActorxPsa => {}
            other => return Err(other.not_asked_for()),
        }
        Self::of_chunks(bytes).map_err(|error| blame_line_ends(bytes, error))
    }

    fn of_chunks(bytes: &[u8]) -> Result<Self, Error> {
        let mut layout = Self::default();
        let mut met = [false; REQUIRED.len()];
        for chunk in Chunks::new(bytes) {
            let chunk = chunk?;
            prove_size(Format::ActorxPsa, &chunk)?;
            let id = chunk.id.as_bytes();
            if let Some(slot) = layout.slot(id) {
                keep_first(slot, &chunk);
            }
            met.iter_mut().zip(REQUIRED).filter(|(_, name)| name.as_bytes() == id).for_each(|(met, _)| *met = true);
        }
        match REQUIRED.iter().zip(met).find(|(_, met)| !met) {
            Some((name, _)) => Err(Error::new(ErrorKind::MissingChunk, Section::named(name), to_u64(bytes.len()))),
            None => Ok(layout),
        }
    }

    /// Where the range of a chunk goes of which there may be only one.
    fn slot(&mut self, id: &[u8]) -> Option<&mut Span> {
        Some(match id {
            b"BONENAMES" => &mut self.bones,
            b"ANIMINFO" => &mut self.infos,
            b"ANIMKEYS" => &mut self.keys,
            b"SCALEKEYS" => &mut self.scale_keys,
            _ => return None,
        })
    }

    pub(crate) const fn view<'a>(&self, bytes: &'a [u8]) -> Psa<'a> {
        Psa { bytes, layout: *self }
    }
}

impl<'a> Psa<'a> {
    /// Reads the chunk headers and proves every count and size; touches no record. O(chunks), no allocation.
    ///
    /// Chunks may come in any order; unknown ones are skipped (and listed by [`chunks`](Psa::chunks)). What was odd is in
    /// [`quirks`](Psa::quirks).
    ///
    /// # Errors
    /// Those of [`Format::sniff`]; [`OtherFormat`](ErrorKind::OtherFormat) for a mesh or for the unrelated `.psa` of
    /// Pyrogenesis; a header that is cut off or announces what the file does not hold; records of the wrong size;
    /// [`MissingChunk`](ErrorKind::MissingChunk) without `BONENAMES`, `ANIMINFO` or `ANIMKEYS`; a file that a text conversion
    /// damaged.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, Error> {
        Ok(PsaLayout::parse(bytes)?.view(bytes))
    }

    /// The file.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// All chunks in file order, known and unknown.
    pub fn chunks(&self) -> impl Iterator<Item = Chunk<'a>> + Clone + use<'a> {
        Chunks::new(self.bytes).map_while(Result::ok)
    }

    /// What was odd and how it was read: chunk by chunk, then the numbering of frames and scale keys.
    /// O(chunks + sequences), no allocation.
    pub fn quirks(&self) -> impl Iterator<Item = Quirk> + use<'a> {
        let layout = self.layout;
        let numbering = Numbering::of(&self.tables());
        let of_infos = numbering.frames_quirk(self.infos()).map(|kind| (b"ANIMINFO".as_slice(), kind));
        let of_scales = numbering.scales_quirk().map(|kind| (b"SCALEKEYS".as_slice(), kind));
        let chunks = self.chunks();
        let located = [of_infos, of_scales].into_iter().flatten().filter_map(move |(id, kind): (&[u8], QuirkKind)| {
            let mut candidates = chunks.clone();
            let chunk = candidates.find(|chunk| chunk.id.as_bytes() == id && chunk.count > 0)?;
            Some(chunk.quirk(kind))
        });
        heads_and_duplicates(self.bytes, move |id| ({ layout }).slot(id).copied()).chain(located)
    }

    /// The bones that the keys of a frame belong to, in key order. Only their names are to be trusted.
    pub fn bones(&self) -> &'a [Bone] {
        self.layout.bones.of(self.bytes)
    }

    /// The bones' hierarchy as stored. Many writers leave it empty in animations; the mesh has the true one.
    pub fn skeleton(&self) -> Skeleton<'a> {
        Skeleton::new(self.bones())
    }

    /// The sequences' records as stored.
    pub fn infos(&self) -> &'a [AnimInfo] {
        self.layout.infos.of(self.bytes)
    }

    /// All keys of all sequences: frame after frame, in each a key per bone.
    pub fn keys(&self) -> &'a [AnimKey] {
        self.layout.keys.of(self.bytes)
    }

    /// All scale keys as stored; empty in most files. [`Sequence`] assigns them.
    pub fn scale_keys(&self) -> &'a [ScaleKey] {
        self.layout.scale_keys.of(self.bytes)
    }

    /// The sequences in file order, their frames resolved. O(sequences) to begin and then O(1) each.
    pub fn sequences(&self) -> Sequences<'a> {
        Sequences::new(self.tables())
    }

    /// A sequence by index. O(sequences), so run through [`sequences`](Psa::sequences) to see all.
    pub fn sequence_at(&self, index: usize) -> Option<Sequence<'a>> {
        self.sequences().nth(index)
    }

    /// The first sequence of this name, in any ASCII case. O(sequences).
    pub fn sequence(&self, name: &str) -> Option<Sequence<'a>> {
        self.sequences().find(|sequence| sequence.info().name().matches(name))
    }

    /// One bone's key in one frame of a sequence, each by index. O(sequences): for more than one key, take the sequence first.
    pub fn key(&self, sequence: usize, frame: usize, bone: usize) -> Option<&'a AnimKey> {
        self.sequence_at(sequence)?.key(frame, bone)
    }

    /// Maya's blend-shape curves, one chunk per sequence that has them. O(chunks) to run through.
    pub fn curves(&self) -> impl Iterator<Item = CurveChunk<'a>> + use<'a> {
        self.chunks().filter(|chunk| is_curve_id(chunk.id.as_bytes())).map(CurveChunk::new)
    }

    /// The curves of a sequence, if it has any. O(chunks + sequences).
    ///
    /// A curve chunk's id holds 14 bytes of its sequence's name. Where several sequences begin alike, the first chunk belongs to
    /// the first of them and so on: the exporter writes one for each, even an empty one.
    pub fn curves_of(&self, sequence: &Sequence<'a>) -> Option<CurveChunk<'a>> {
        let name = id_name(sequence.info());
        let before = self.infos().iter().take(sequence.index()).filter(|info| id_name(info) == name).count();
        self.curves().filter(|curves| curves.owner() == name).nth(before)
    }

    fn tables(&self) -> Tables<'a> {
        Tables {
            infos: self.infos(),
            keys: self.keys(),
            scale_keys: self.scale_keys(),
            bones: self.bones().len(),
            keys_offset: to_u64(self.layout.keys.start()).saturating_sub(HEADER_LEN),
        }
    }
}
