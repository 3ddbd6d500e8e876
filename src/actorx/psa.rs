//! The animation view: `.psa`. Sequences are in the module `sequence`.

use alloc::{string::ToString, vec::Vec};

use super::chunk::{Chunk, Chunks, Extent, HEADER_LEN, Walk, blame_line_ends};
use super::codes;
use super::curve::{CurveChunk, id_name};
use super::keep::{Kept, chunk_quirks, chunk_sections, keep, place_of, quirks_of};
use super::layout::{Options, PsaLayout};
use super::record::{AnimInfo, AnimKey, Bone, ScaleKey};
use super::sequence::{Keys, Numbering, Sequence, Sequences, Tables};
use super::table::{is_curve_id, is_head_id};
use crate::bytes::{ReadAt, records, slices, to_u64};
use crate::model::{Description, Head, Info, Names, Skeleton, Summary, add_codes, read_part};
use crate::report::{Code, Error, Quirk, ReadResult, Section, SectionRange, SectionStart};

/// An animation, read in place: bones, sequences and keys.
///
/// `Copy`; every slice borrows the file. Keys are **frame-major**: all bones of frame 0, then all bones of frame 1
/// (ActorX reference, section 4.2). [`PsaBuf`](super::PsaBuf) is the owned form.
///
/// ```
/// use skelmap::actorx::Psa;
///
/// let bytes = std::fs::read("tests/corpus/actorx/anim/classic.psa")?;
/// let animation = Psa::parse(&bytes)?;
/// for sequence in animation.sequences() {
///     println!("{}: {} frames at {} fps", sequence.name(), sequence.frame_count(), sequence.info().rate());
///     for (bone, key) in animation.bones().iter().zip(sequence.frame(0)?) {
///         println!("  {}: {:?}", bone.name().text(), key.translation());
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Psa<'a> {
    bytes: &'a [u8],
    layout: PsaLayout,
}

/// The required chunks of an animation. They may be empty.
const REQUIRED: [&str; 3] = ["BONENAMES", "ANIMINFO", "ANIMKEYS"];

impl Description for PsaLayout {
    type View<'a> = Psa<'a>;
    type Options = Options;

    const INFO: Info = Info {
        code: "actorx.psa",
        title: "an ActorX animation (`ANIMHEAD`)",
        extensions: &["psa"],
        skeletons: "unreal",
    };

    fn is_format(first: &[u8]) -> bool {
        is_head_id(first, b"ANIMHEAD")
    }

    fn find<R: ReadAt + ?Sized>(source: &R, _: &Options) -> ReadResult<Self, R> {
        Self::of_chunks(source, |_, _, _| {})
    }

    fn into_view(self, bytes: &[u8]) -> Psa<'_> {
        Psa { bytes, layout: self }
    }

    fn head<R: ReadAt + ?Sized>(source: &R, _: &Options, with_names: bool) -> ReadResult<Head, R> {
        let mut quirks = Vec::new();
        let layout = Self::of_chunks(source, |index, extent, kept| {
            add_codes(&mut quirks, quirks_of(index, extent, kept));
        })?;
        let infos = read_part(source, layout.infos)?;
        let infos: &[AnimInfo] = records(&infos);
        let mut names = None;
        if with_names {
            let skeleton = Bone::skeleton(records(&read_part(source, layout.bones)?)).to_key();
            names =
                Some(Names { sequences: infos.iter().map(|info| info.name().text().to_string()).collect(), skeleton });
        }
        add_codes(&mut quirks, layout.numbering_quirks(infos).map(|(_, code)| code));
        Ok(Head { summary: layout.summary(infos), quirks, names })
    }
}

impl PsaLayout {
    /// Walks over the chunks and calls `each` with each.
    fn of_chunks<R: ReadAt + ?Sized>(source: &R, mut each: impl FnMut(usize, &Extent, Kept)) -> ReadResult<Self, R> {
        let mut layout = Self::default();
        let mut missing = REQUIRED.map(Some);
        for (index, extent) in Walk::new(source).enumerate() {
            let extent = extent.map_err(|error| blame_line_ends(source, error))?;
            let kept = keep(&mut layout, &extent)?;
            each(index, &extent, kept);
            let id = extent.id.as_bytes();
            for name in missing.iter_mut().filter(|name| name.is_some_and(|name| name.as_bytes() == id)) {
                *name = None;
            }
        }
        match missing.into_iter().flatten().next() {
            Some(name) => Err(Error::new(codes::MISSING_CHUNK.with([]), Section::named(name), source.size()).into()),
            None => Ok(layout),
        }
    }

    /// The tables that sequences are made from.
    fn tables<'a>(&self, infos: &'a [AnimInfo]) -> Tables<'a> {
        Tables {
            infos,
            keys: self.keys.count::<AnimKey>(),
            scale_keys: self.scale_keys.count::<ScaleKey>(),
            bones: self.bones.count::<Bone>(),
        }
    }

    fn summary(&self, infos: &[AnimInfo]) -> Summary {
        let tables = self.tables(infos);
        let numbering = Numbering::of(&tables);
        let places = || numbering.places(&tables);
        let seconds = places().filter_map(|(info, _, frames)| info.duration_of(frames));
        Summary {
            bones: Some(self.bones.count::<Bone>()),
            sequences: Some(to_u64(infos.len())),
            frames: Some(places().map(|(.., frames)| frames).fold(0, u64::saturating_add)),
            duration_s: Some(seconds.fold(0.0, |sum, duration| sum + duration)),
            ..Summary::default()
        }
    }

    /// The quirks of shared frames and scale keys, each with the id of its chunk.
    fn numbering_quirks(&self, infos: &[AnimInfo]) -> impl Iterator<Item = (&'static [u8], Code)> + use<> {
        let numbering = Numbering::of(&self.tables(infos));
        let of_infos = numbering.frames_quirk(infos).map(|code| (b"ANIMINFO".as_slice(), code));
        let of_scales = numbering.scales_quirk().map(|code| (b"SCALEKEYS".as_slice(), code));
        [of_infos, of_scales].into_iter().flatten()
    }
}

impl<'a> Psa<'a> {
    /// The file.
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// All chunks in file order, known and unknown.
    pub fn chunks(&self) -> impl Iterator<Item = Chunk<'a>> + Clone + use<'a> {
        Chunks::new(self.bytes).map_while(Result::ok)
    }

    /// The quirks of the file: chunk by chunk, then those of numbering. O(chunks + sequences), no allocation.
    pub fn quirks(&self) -> impl Iterator<Item = Quirk> + use<'a> {
        let bytes = self.bytes;
        let located = self.layout.numbering_quirks(self.infos()).filter_map(move |(id, code)| {
            let mut extents = Walk::new(bytes).map_while(Result::ok);
            let extent = extents.find(|extent| extent.id.as_bytes() == id && extent.count > 0)?;
            Some(extent.quirk(code))
        });
        chunk_quirks::<PsaLayout>(bytes).chain(located)
    }

    /// The counts of the file, from headers and the records of sequences. O(sequences).
    pub fn summary(&self) -> Summary {
        self.layout.summary(self.infos())
    }

    /// The place of a chunk that this view reads.
    pub(super) fn place(&self, id: &str) -> SectionStart {
        place_of(self.bytes, self.layout, id)
    }

    /// The places of the chunks, in file order. O(chunks) for all.
    pub fn sections(&self) -> impl Iterator<Item = SectionRange> + use<'a> {
        chunk_sections(self.bytes)
    }

    /// Number of bones: the number of keys in a frame. O(1).
    pub fn bone_count(&self) -> usize {
        self.bones().len()
    }

    slices! { 'a
        /// The bones, in the order of a frame's keys. Only the names are reliable.
        bones in bones: Bone;
        /// The records of the sequences, as stored.
        infos in infos: AnimInfo;
        /// All keys of all sequences: frame after frame, with a key for each bone.
        keys in keys: AnimKey;
        /// All scale keys, as stored; empty in most files. [`Sequence`] assigns them to sequences.
        scale_keys in scale_keys: ScaleKey;
    }

    /// The hierarchy of the bones as stored. Many writers leave it empty; the mesh has the true hierarchy.
    pub fn skeleton(&self) -> Skeleton<'a> {
        Bone::skeleton(self.bones())
    }

    /// The sequences in file order. O(sequences) for the first, then O(1) each.
    pub fn sequences(&self) -> Sequences<'a> {
        let keys = Keys {
            keys: self.keys(),
            scale_keys: self.scale_keys(),
            bones: self.bones(),
            // The header lies before the records.
            offset: self.layout.keys.start().saturating_sub(HEADER_LEN),
        };
        Sequences::new(&self.layout.tables(self.infos()), keys)
    }

    /// A sequence by index. O(sequences); for many sequences, collect [`sequences`](Psa::sequences).
    pub fn sequence_at(&self, index: usize) -> Option<Sequence<'a>> {
        self.sequences().nth(index)
    }

    /// The first sequence with this name, without regard to ASCII case. O(sequences).
    pub fn sequence(&self, name: &str) -> Option<Sequence<'a>> {
        self.sequences().find(|sequence| sequence.info().name().matches(name))
    }

    /// The key of a bone in a frame of a sequence, by index. O(sequences); for many keys, see [`Sequence::key`].
    pub fn key(&self, sequence: usize, frame: usize, bone: usize) -> Option<&'a AnimKey> {
        self.sequence_at(sequence)?.key(frame, bone)
    }

    /// Maya's blend-shape curves, one chunk for each sequence with curves. O(chunks) for all.
    pub fn curves(&self) -> impl Iterator<Item = CurveChunk<'a>> + use<'a> {
        self.chunks().filter(|chunk| is_curve_id(chunk.id.as_bytes())).map(|chunk| CurveChunk { chunk })
    }

    /// The curves of a sequence. O(chunks + sequences).
    ///
    /// The id of a curve chunk has the first 14 bytes of the sequence's name. If several names begin with them, the chunks
    /// belong to these sequences in order: the exporter writes a chunk for each.
    pub fn curves_of(&self, sequence: &Sequence<'a>) -> Option<CurveChunk<'a>> {
        let name = id_name(sequence.info());
        let before = self.infos().iter().take(sequence.index()).filter(|info| id_name(info) == name).count();
        self.curves().filter(|curves| curves.owner() == name).nth(before)
    }
}
