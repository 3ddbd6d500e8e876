//! The layout of the bones, inferred from their names and confirmed by tests (SWAT 3 reference, section 6.2).
//!
//! Names with lengths, at a constant distance up to the end of the skeleton, determine the size of the bytes around them. Tests
//! over all bones then find ids, parents and rotations.

use zerocopy::little_endian::{I16, U16};

use super::bones::{Bone, BoneLayout, Field, MAX_BONES, NameForm, read_field};
use super::record::Quat;
use super::search::is_about_unit;
use crate::bytes::Cursor;

/// An inferred layout and its evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inference {
    /// The layout. A test has confirmed each of its fields; the position is never inferred.
    pub layout: BoneLayout,
    /// Number of bones.
    pub bones: usize,
    /// Whether the frames confirm the number of bones. Otherwise the animated ids only give a lower bound.
    pub bones_by_frames: bool,
    /// Places in a bone at which a short is the index of the bone. If exactly one exists, the id is inferred.
    pub id_places: usize,
    /// Places in a bone at which a short is -1 or the index of an earlier bone. If exactly one exists, the parent is inferred.
    pub parent_places: usize,
    /// Places in a bone at which four floats have unit length, and the first and the last are not zero in all bones. If exactly
    /// one exists, the rotation is inferred.
    pub rotation_places: usize,
}

/// The reason for a missing layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotInferred {
    /// The file was parsed with [`SkeletonOption::Opaque`](super::SkeletonOption::Opaque).
    #[error("the options do not ask for bones")]
    Opaque,
    /// No run of at least three names at a constant distance ends at the skeleton's end.
    #[error("no sequence of names with lengths, at a constant distance, ends at the end of the skeleton")]
    NoRun,
    /// Before the run at the skeleton's end, there is space for more bones, or there are more names.
    #[error("the skeleton has several sequences of names")]
    SeveralRuns,
    /// The number of names differs from that of the frames or the animated ids.
    #[error("the skeleton has {names} names, but the frames have {}{bones} bones", if *exact { "" } else { "at least " })]
    BoneCount {
        /// Names in the run.
        names: usize,
        /// Bones by the frames or the animated ids.
        bones: usize,
        /// Whether `bones` is the exact number; otherwise a lower bound.
        exact: bool,
    },
}

/// The range of bytes of a name with its NUL.
const NAME_LENGTHS: core::ops::RangeInclusive<u16> = 2..=64;
/// The minimum number of bytes of a name and its length.
const MIN_NAME: usize = 4;
const MIN_BONES: usize = 3;

/// Infers the layout of a skeleton, which is all of `bytes`. `bones`: the number of bones by the frames, or a lower bound if it
/// is not `exact`. O(bytes).
pub(super) fn infer(bytes: &[u8], bones: usize, exact: bool) -> Result<Inference, NotInferred> {
    let run = last_run(bytes)?;
    let layout = run.layout(bytes.len())?;
    let names = run.names;
    if names < bones || (exact && names != bones) {
        return Err(NotInferred::BoneCount { names, bones, exact });
    }
    let mut inference =
        Inference { layout, bones: names, bones_by_frames: exact, id_places: 0, parent_places: 0, rotation_places: 0 };
    inference.check_fields(bytes);
    Ok(inference)
}

/// Names at a constant distance.
struct Run {
    /// The byte at which the length of the first name begins.
    start: usize,
    /// The byte at which the last name ends.
    end: usize,
    /// Bytes from the end of a name to the length of the next.
    gap: usize,
    names: usize,
    /// Names before the first one of the run.
    before: usize,
}

impl Run {
    /// The layout of the bones, if the run contains all names of the skeleton.
    fn layout(&self, skeleton: usize) -> Result<BoneLayout, NotInferred> {
        let parts = skeleton.checked_sub(self.end).and_then(|post| {
            let pre = self.gap.checked_sub(post)?;
            Some((self.start.checked_sub(pre)?, pre, post))
        });
        let (prologue, pre, post) = parts.ok_or(NotInferred::NoRun)?;
        if self.before > 1 || prologue >= self.gap.saturating_add(MIN_NAME) {
            return Err(NotInferred::SeveralRuns);
        }
        if self.names < MIN_BONES || self.names > usize::from(MAX_BONES) {
            return Err(NotInferred::NoRun);
        }
        let small = |size| u16::try_from(size).map_err(|_| NotInferred::NoRun);
        Ok(BoneLayout { prologue: small(prologue)?, ..BoneLayout::new(small(pre)?, NameForm::U16, small(post)?) })
    }
}

/// The run of names at the end of the skeleton.
fn last_run(bytes: &[u8]) -> Result<Run, NotInferred> {
    let mut before = 0_usize;
    let mut first = next_name(bytes, 0).ok_or(NotInferred::NoRun)?;
    loop {
        let (start, first_end) = first;
        let mut last = next_name(bytes, first_end).ok_or(NotInferred::NoRun)?;
        let gap = last.0.saturating_sub(first_end);
        let mut names = 2_usize;
        while let Some(next) = last.1.checked_add(gap).and_then(|at| name_at(bytes, at)) {
            last = next;
            names = names.saturating_add(1);
        }
        if bytes.len().saturating_sub(last.1) <= gap {
            return Ok(Run { start, end: last.1, gap, names, before });
        }
        before = before.saturating_add(names).saturating_sub(1);
        first = last;
    }
}

/// The byte at which the next name's length begins, and the byte at which the name ends.
fn next_name(bytes: &[u8], from: usize) -> Option<(usize, usize)> {
    (from..bytes.len()).find_map(|at| name_at(bytes, at))
}

fn name_at(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let mut cursor = Cursor::new(bytes.get(at..)?);
    let length = cursor.read::<U16>().map(|length| length.get()).filter(|length| NAME_LENGTHS.contains(length))?;
    let is_name = match cursor.take(1, length.into())? {
        [first, rest @ .., 0] => first.is_ascii_alphabetic() && rest.iter().all(|byte| matches!(byte, 0x20..=0x7E)),
        _ => false,
    };
    let end = at.checked_add(cursor.position())?;
    is_name.then_some((at, end))
}

impl Inference {
    /// Finds each field for which exactly one place passes the test over all bones.
    fn check_fields(&mut self, bytes: &[u8]) {
        let layout = self.layout;
        let count = self.bones;
        let bones = || layout.bones(bytes, 0).of_checked_names().up_to(count);
        let is_rotation = |field: Field| {
            let rotation = |bone: Bone<'_>| read_field::<Quat>(bone.pre(), bone.post(), field).map(Quat::get);
            let somewhere =
                |part: fn([f32; 4]) -> f32| bones().any(|bone| rotation(bone).is_some_and(|found| part(found) != 0.0));
            bones().all(|bone| rotation(bone).is_some_and(is_about_unit))
                // Three floats of unit length beside a zero are a direction, such as the row of a matrix.
                && somewhere(|[first, ..]| first)
                && somewhere(|[.., last]| last)
        };
        let (places, rotation) = only(fields(layout.post, 16, Field::Post).filter(|field| is_rotation(*field)));
        (self.rotation_places, self.layout.rotation) = (places, rotation);
        let shorts = |field: Field| {
            bones().map(move |bone| read_field::<I16>(bone.pre(), bone.post(), field).map(|short| short.get()))
        };
        let outside_rotation = |field: &Field| match (field, rotation) {
            (Field::Post(at), Some(Field::Post(begin))) => {
                at.saturating_add(2) <= begin || *at >= begin.saturating_add(16)
            }
            _ => true,
        };
        let places =
            || fields(layout.pre, 2, Field::Pre).chain(fields(layout.post, 2, Field::Post).filter(outside_rotation));
        let is_id = |field: &Field| shorts(*field).eq((0..).take(count).map(Some));
        let is_parent = |field: &Field| {
            let earlier = (0..)
                .zip(shorts(*field))
                .all(|(index, short)| short.is_some_and(|parent| (-1..index).contains(&parent)));
            earlier && shorts(*field).any(|parent| parent >= Some(0))
        };
        (self.id_places, self.layout.id) = only(places().filter(is_id));
        (self.parent_places, self.layout.parent) = only(places().filter(is_parent));
    }
}

/// Every place for a value of `size` bytes in `length` bytes.
fn fields(length: u16, size: u16, side: fn(u16) -> Field) -> impl Iterator<Item = Field> {
    let places = length.checked_sub(size).map(|last| 0..=last);
    places.into_iter().flatten().map(side)
}

/// The number of fields, and the field if it is unique.
fn only(mut fields: impl Iterator<Item = Field>) -> (usize, Option<Field>) {
    let first = fields.next();
    match fields.count() {
        0 => (usize::from(first.is_some()), first),
        others => (others.saturating_add(1), None),
    }
}
