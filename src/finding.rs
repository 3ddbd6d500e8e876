//! What the semantic checks report: codes, severities and where.

use alloc::{format, string::String, vec::Vec};
use core::fmt::{self, Debug, Display, Formatter};

use crate::section::Section;
use crate::text::Text;

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum Severity {
    /// Odd, seen in good files, without consequence for a careful reader.
    Note,
    /// Suspicious: readers may stumble, or the result may look wrong.
    Warning,
    /// Wrong: an index without a record, a value that is no number.
    Error,
}

impl Severity {
    /// `note`, `warning` or `error`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

impl Display for Severity {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

/// One fault or oddity in the data of a file. Records of one section with the same fault are one finding, which names the first.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bytes = std::fs::read("corpus/actorx/mesh/face_wedge.psk")?;
/// let findings = skelmap::actorx::Psk::parse(&bytes)?.check();
/// assert_eq!(findings[0].code.code(), "face-wedge");
/// assert_eq!(findings[0].severity, skelmap::Severity::Error);
/// println!("{}", findings[0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// How grave it is.
    pub severity: Severity,
    /// What it is.
    pub code: FindingCode,
    /// The chunk or section it is in.
    pub section: Section,
    /// The byte at which that section begins (for a chunk: its header; for a side-car: 0).
    pub offset: u64,
    /// The first record it was found in, counted from 0 (in a side-car: the line, counted from 1). `None` where it is about the
    /// section as a whole.
    pub index: Option<u64>,
    /// Number of records it was found in, at least 1.
    pub count: u64,
    /// The finding in words, about the first record.
    pub message: String,
}

impl Display for Finding {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}] {} at byte {}: {}", self.severity, self.code, self.section, self.offset, self.message)?;
        match self.count {
            0 | 1 => Ok(()),
            2 => write!(f, " (and 1 more)"),
            count => write!(f, " (and {} more)", count.saturating_sub(1)),
        }
    }
}

/// The kinds of finding. Each has a stable [`code`](FindingCode::code).
///
/// The severity given is the usual one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum FindingCode {
    /// `not-finite` (error): a float is infinite or not a number.
    NotFinite,
    /// `wedge-point` (error): a wedge refers to a point past the last.
    WedgePoint,
    /// `face-wedge` (error): a face refers to a wedge past the last.
    FaceWedge,
    /// `face-vertex` (error): a face refers to a vertex past the last.
    FaceVertex,
    /// `face-material` (warning): a face refers to a material past the last.
    FaceMaterial,
    /// `weight-point` (error): an influence refers to a point that does not exist.
    WeightPoint,
    /// `weight-bone` (error): an influence refers to a bone that does not exist.
    WeightBone,
    /// `weight-value` (warning): a weight is below 0 or above 1.
    WeightValue,
    /// `weight-sum` (warning): a point's weights do not sum to one, by more than 0.01. Found in good files too.
    WeightSum,
    /// `point-unweighted` (note): no bone moves the point, in a mesh with bones and influences.
    PointUnweighted,
    /// `vertex-unweighted` (error): no bone moves the vertex, in a mesh with bones; the engine reads past its matrices.
    VertexUnweighted,
    /// `model-bound` (note): a vertex moves with the model and with no bone; its bone index is the number of bones.
    ModelBound,
    /// `no-uvs` (warning): vertices without any UV set.
    NoUvs,
    /// `prop-bone` (error): a prop point hangs on a bone that does not exist.
    PropBone,
    /// `bone-parent` (warning): a parent past the last bone, or a bone that is its own parent; it is read as a root.
    BoneParent,
    /// `bone-cycle` (error): parents run in a circle; it is cut at its lowest bone.
    BoneCycle,
    /// `bone-order` (note): a parent comes after its child.
    BoneOrder,
    /// `bone-extra-root` (note): a root besides bone 0.
    BoneExtraRoot,
    /// `rotation-zero` (warning; note where nothing may use it): a rotation of four zeros.
    RotationZero,
    /// `rotation-unit` (warning): a rotation's squared length differs from one by more than 0.01.
    RotationUnit,
    /// `normal-unit` (warning): a normal's squared length differs from one by more than 0.01.
    NormalUnit,
    /// `count-mismatch` (warning): colours or UVs that are not one per wedge, normals or tangents that are not one per point.
    CountMismatch,
    /// `morph-count` (error): the morph targets count other than as many deltas as there are.
    MorphCount,
    /// `morph-point` (error): a morph delta refers to a point that does not exist.
    MorphPoint,
    /// `socket-bone` (warning): a socket hangs on a bone that no bone is named after.
    SocketBone,
    /// `name-duplicate` (note): two bones or two sequences have the same name in any ASCII case, or two prop points the very same.
    NameDuplicate,
    /// `name-unterminated` (note): a name fills its field without a NUL.
    NameUnterminated,
    /// `name-garbage` (note): bytes after a name's NUL are not zero.
    NameGarbage,
    /// `name-padded` (note): spaces at the end of a name; look-ups ignore them.
    NamePadded,
    /// `name-encoding` (note): a name is not UTF-8; shown as Windows-1252.
    NameEncoding,
    /// `name-empty` (note): a bone, sequence, material, prop point or event without a name.
    NameEmpty,
    /// `wedge-padding` (note): garbage in the bytes of a wedge that mean nothing.
    WedgePadding,
    /// `face-degenerate` (note): a face uses a wedge or vertex twice.
    FaceDegenerate,
    /// `sequence-range` (error): a sequence's frames are not all in the file.
    SequenceRange,
    /// `key-count` (warning): the keys are not as many as the sequences' frames times the bones.
    KeyCount,
    /// `sequence-overlap` (note): two sequences share frames.
    SequenceOverlap,
    /// `sequence-rate` (warning): the frames per second are zero, negative or no number.
    SequenceRate,
    /// `sequence-bones` (warning): a sequence states another number of bones than there are.
    SequenceBones,
    /// `key-quotum` (note): a sequence states another number of keys than its frames times the bones.
    KeyQuotum,
    /// `curve-size` (warning): a curve chunk belongs to no sequence, or has not one weight per frame of it.
    CurveSize,
    /// `unread-chunk` (note): a chunk with records that no view reads, though [`chunks`](crate::actorx::Psk::chunks) lists it.
    UnreadChunk,
    /// `frame-origin` (note): a frame that is not at the origin or is turned (SWAT 3); in the game's files none is.
    FrameOrigin,
    /// `root-offset` (note): the first frame's root is not where it starts (SWAT 3).
    RootOffset,
    /// `frame-rate` (note): the file states other than the 10 frames per second that the game plays (SWAT 3).
    FrameRate,
    /// `frame-count` (warning): so many frames that a signed short would be negative (SWAT 3).
    FrameCount,
    /// `bone-count` (warning): the skeleton has other than as many names as the frames are of bones (SWAT 3). Is the file cut short?
    BoneCount,
    /// `event-kind` (note): an event that is neither a sound nor an item's sound (SWAT 3).
    EventKind,
    /// `config-line` (warning): a line of the side-car fits no rule.
    ConfigLine,
    /// `config-sequence` (warning): the side-car names a sequence that the animation does not have.
    ConfigSequence,
    /// `config-bone` (warning): the side-car names a bone that the animation does not have.
    ConfigBone,
}

impl FindingCode {
    /// The stable name of this kind, as the command line prints it.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotFinite => "not-finite",
            Self::WedgePoint => "wedge-point",
            Self::FaceWedge => "face-wedge",
            Self::FaceVertex => "face-vertex",
            Self::FaceMaterial => "face-material",
            Self::WeightPoint => "weight-point",
            Self::WeightBone => "weight-bone",
            Self::WeightValue => "weight-value",
            Self::WeightSum => "weight-sum",
            Self::PointUnweighted => "point-unweighted",
            Self::VertexUnweighted => "vertex-unweighted",
            Self::ModelBound => "model-bound",
            Self::NoUvs => "no-uvs",
            Self::PropBone => "prop-bone",
            Self::BoneParent => "bone-parent",
            Self::BoneCycle => "bone-cycle",
            Self::BoneOrder => "bone-order",
            Self::BoneExtraRoot => "bone-extra-root",
            Self::RotationZero => "rotation-zero",
            Self::RotationUnit => "rotation-unit",
            Self::NormalUnit => "normal-unit",
            Self::CountMismatch => "count-mismatch",
            Self::MorphCount => "morph-count",
            Self::MorphPoint => "morph-point",
            Self::SocketBone => "socket-bone",
            Self::NameDuplicate => "name-duplicate",
            Self::NameUnterminated => "name-unterminated",
            Self::NameGarbage => "name-garbage",
            Self::NamePadded => "name-padded",
            Self::NameEncoding => "name-encoding",
            Self::NameEmpty => "name-empty",
            Self::WedgePadding => "wedge-padding",
            Self::FaceDegenerate => "face-degenerate",
            Self::SequenceRange => "sequence-range",
            Self::KeyCount => "key-count",
            Self::SequenceOverlap => "sequence-overlap",
            Self::SequenceRate => "sequence-rate",
            Self::SequenceBones => "sequence-bones",
            Self::KeyQuotum => "key-quotum",
            Self::CurveSize => "curve-size",
            Self::UnreadChunk => "unread-chunk",
            Self::FrameOrigin => "frame-origin",
            Self::RootOffset => "root-offset",
            Self::FrameRate => "frame-rate",
            Self::FrameCount => "frame-count",
            Self::BoneCount => "bone-count",
            Self::EventKind => "event-kind",
            Self::ConfigLine => "config-line",
            Self::ConfigSequence => "config-sequence",
            Self::ConfigBone => "config-bone",
        }
    }
}

impl Display for FindingCode {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

/// Where findings are made: a section and its offset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) section: Section,
    pub(crate) offset: u64,
}

/// Collects findings: at most one for each kind and section, however many records have the fault.
#[derive(Debug, Default)]
pub(crate) struct Report {
    findings: Vec<Finding>,
}

impl Report {
    /// Adds what a tally found, if it found anything.
    pub(crate) fn add(&mut self, severity: Severity, code: FindingCode, place: Place, tally: Tally) {
        if let Some((index, message)) = tally.first {
            let Place { section, offset } = place;
            self.findings.push(Finding { severity, code, section, offset, index, count: tally.count, message });
        }
    }

    /// Adds a finding about a section as a whole.
    pub(crate) fn add_whole(&mut self, severity: Severity, code: FindingCode, place: Place, message: String) {
        self.add(severity, code, place, Tally { first: Some((None, message)), count: 1 });
    }

    /// The findings, gravest first, else in the order made.
    pub(crate) fn into_findings(mut self) -> Vec<Finding> {
        self.findings.sort_by_key(|finding| core::cmp::Reverse(finding.severity));
        self.findings
    }
}

/// Counts the records with one fault and keeps the words about the first.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    first: Option<(Option<u64>, String)>,
    count: u64,
}

impl Tally {
    /// Counts a record; `message` is called for the first one only.
    pub(crate) fn hit(&mut self, index: usize, message: impl FnOnce() -> String) {
        self.count = self.count.saturating_add(1);
        if self.first.is_none() {
            self.first = Some((u64::try_from(index).ok(), message()));
        }
    }

    /// Counts a record if `wrong`.
    pub(crate) fn hit_if(&mut self, wrong: bool, index: usize, message: impl FnOnce() -> String) {
        if wrong {
            self.hit(index, message);
        }
    }
}

/// A name in a message: of a long one the start, which is enough to know it by. Some names are as long as the file.
pub(crate) struct Short<'a>(pub(crate) Text<'a>);

impl Debug for Short<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let most = 60;
        let start: String = self.0.chars().take(most).collect();
        write!(f, "{start:?}{}", if self.0.chars().nth(most).is_some() { "…" } else { "" })
    }
}

/// How many records are tested before the result is looked at: lets the test run without a branch per record.
const BLOCK: usize = 64;

/// Calls `wrong` for every record that is not `sound`. Fast where all are: the test runs branch-free over blocks.
pub(crate) fn scan<T>(records: &[T], sound: impl Fn(&T) -> bool, mut wrong: impl FnMut(usize, &T)) {
    for (index, block) in records.chunks(BLOCK).enumerate() {
        if block.iter().fold(true, |all, record| all & sound(record)) {
            continue;
        }
        let first = index.saturating_mul(BLOCK);
        for (index, record) in block.iter().enumerate().filter(|(_, record)| !sound(record)) {
            wrong(first.saturating_add(index), record);
        }
    }
}

/// Whether all floats are finite, without a branch.
#[inline]
pub(crate) fn all_finite<const N: usize>(floats: [f32; N]) -> bool {
    floats.iter().fold(true, |all, float| all & float.is_finite())
}

/// How far a weight may leave the range 0 to 1.
const WEIGHT_TOLERANCE: f32 = 1e-3;
/// How far the weights of a point or vertex may sum from one.
pub(crate) const WEIGHT_SUM_TOLERANCE: f32 = 0.01;

/// Whether a weight is from 0 to 1; true for one that is no number, which is another fault.
pub(crate) fn is_weight(weight: f32) -> bool {
    weight.is_nan() || (-WEIGHT_TOLERANCE..=1.0 + WEIGHT_TOLERANCE).contains(&weight)
}

/// How far a squared length may be from one.
const UNIT_TOLERANCE: f32 = 0.01;

/// Whether a rotation or normal has unit length; true for one that is not finite, which is another fault.
#[inline]
pub(crate) fn is_unit<const N: usize>(vector: [f32; N]) -> bool {
    let squared = vector.iter().map(|component| component * component).sum::<f32>();
    (squared - 1.0).abs() <= UNIT_TOLERANCE || !all_finite(vector)
}

/// Reports floats that are not finite in records of a section.
pub(crate) fn check_finite<T, const N: usize>(
    report: &mut Report,
    place: Place,
    records: &[T],
    floats: impl Fn(&T) -> [f32; N],
) {
    let mut tally = Tally::default();
    scan(
        records,
        |record| all_finite(floats(record)),
        |index, record| tally.hit(index, || format!("record {index} holds {:?}", floats(record))),
    );
    report.add(Severity::Error, FindingCode::NotFinite, place, tally);
}

/// Reports rotations that are zero or not of unit length.
pub(crate) fn check_rotations<T>(
    report: &mut Report,
    place: Place,
    zero: Severity,
    records: &[T],
    rotation: impl Fn(&T) -> [f32; 4],
) {
    let (mut zeros, mut off) = (Tally::default(), Tally::default());
    scan(
        records,
        |record| is_unit(rotation(record)),
        |index, record| match rotation(record) {
            [0.0, 0.0, 0.0, 0.0] => zeros.hit(index, || format!("record {index} has the rotation 0, 0, 0, 0")),
            other => {
                off.hit(index, || format!("record {index} has the rotation {other:?}, which is not of unit length"));
            }
        },
    );
    report.add(zero, FindingCode::RotationZero, place, zeros);
    report.add(Severity::Warning, FindingCode::RotationUnit, place, off);
}
