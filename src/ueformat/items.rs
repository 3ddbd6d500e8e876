//! The items with names inside, read from bytes that the layout has checked.

use super::extent::Items;
use super::record::{
    Bone, BoneHead, BoneTrack, ColorSet, Curve, CurveInfluence, Hull, Material, MaterialRange, Morph, Place, PoseBone,
    Socket, UvSet, VirtualBone,
};
use crate::bytes::{Cursor, Marks, Record, Text, Vec3, records};
use crate::model::{BoneChain, ChainedBone, Skeleton, Transform};

/// Items in file order: an iterator with known length.
pub(super) struct Iter<'a, T> {
    cursor: Cursor<'a>,
    left: u32,
    read: fn(&mut Cursor<'a>) -> Option<T>,
}

impl<'a, T> Iter<'a, T> {
    pub(super) fn new(items: Items, bytes: &'a [u8], read: fn(&mut Cursor<'a>) -> Option<T>) -> Self {
        Self { cursor: Cursor::new(items.extent.bytes_of(bytes)), left: items.count, read }
    }
}

impl<T> Iterator for Iter<'_, T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        self.left = self.left.checked_sub(1)?;
        (self.read)(&mut self.cursor)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.left).unwrap_or(usize::MAX);
        (left, Some(left))
    }
}

impl<T> ExactSizeIterator for Iter<'_, T> {}
impl<T> core::iter::FusedIterator for Iter<'_, T> {}

#[inline]
fn count(cursor: &mut Cursor<'_>) -> Option<u32> {
    u32::try_from(cursor.read::<zerocopy::little_endian::I32>()?.get()).ok()
}

/// A name.
#[inline]
fn name<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    let length = count(cursor)?;
    cursor.take(1, length).map(text)
}

/// The maximum number of zero bytes at the end of a name that do not belong to it. Names are read more often than once, so that all of them would
/// be too much work for a name of nothing else.
const MAX_ZEROS: usize = 16;

/// The bytes of a name as text. Zero bytes at its end do not belong to it, up to [`MAX_ZEROS`].
#[inline]
pub(super) fn text(mut bytes: &[u8]) -> Text<'_> {
    for _ in 0..MAX_ZEROS {
        let [head @ .., 0] = bytes else { break };
        bytes = head;
    }
    Text::new(bytes)
}

#[inline]
fn array<'a, T: Record>(cursor: &mut Cursor<'a>) -> Option<&'a [T]> {
    let count = count(cursor)?;
    Some(records(cursor.take(u32::try_from(size_of::<T>()).ok()?, count)?))
}

fn bone<'a>(cursor: &mut Cursor<'a>, is_scaled: bool) -> Option<Bone<'a>> {
    let (name, head) = (name(cursor)?, cursor.read::<BoneHead>()?);
    let scale = if is_scaled { Some(cursor.read::<Vec3>()?.get()) } else { None };
    let (parent, position, rotation) = (head.parent(), head.position(), head.rotation());
    Some(Bone { name, parent, position, rotation, scale })
}

fn plain_bone<'a>(cursor: &mut Cursor<'a>) -> Option<Bone<'a>> {
    bone(cursor, false)
}

fn scaled_bone<'a>(cursor: &mut Cursor<'a>) -> Option<Bone<'a>> {
    bone(cursor, true)
}

/// The bones in these bytes.
pub(super) fn bones(bytes: &[u8], count: u32, is_scaled: bool) -> Iter<'_, Bone<'_>> {
    Iter { cursor: Cursor::new(bytes), left: count, read: if is_scaled { scaled_bone } else { plain_bone } }
}

/// The skeleton of the bones in these bytes.
pub(super) fn skeleton(bytes: &[u8], count: u32, marks: Marks, is_scaled: bool) -> Skeleton<'_> {
    fn read(bytes: &[u8], is_scaled: u64) -> Option<(ChainedBone<'_>, usize)> {
        let mut cursor = Cursor::new(bytes);
        let own = bone(&mut cursor, is_scaled != 0)?;
        let scale = own.scale.unwrap_or([1.0; 3]);
        let bind = Some(Transform { translation: own.position, rotation: own.rotation, scale });
        Some((ChainedBone { name: own.name, parent: Some(own.parent), bind }, cursor.position()))
    }
    let chain = BoneChain { bytes, marks, read, number: is_scaled.into() };
    Skeleton::of_chain(usize::try_from(count).unwrap_or(usize::MAX), chain)
}

pub(super) fn socket<'a>(cursor: &mut Cursor<'a>) -> Option<Socket<'a>> {
    let (name, bone, place) = (name(cursor)?, name(cursor)?, cursor.read::<Place>()?);
    let (position, rotation, scale) = (place.position(), place.rotation(), place.scale());
    Some(Socket { name, bone, position, rotation, scale })
}

pub(super) fn virtual_bone<'a>(cursor: &mut Cursor<'a>) -> Option<VirtualBone<'a>> {
    Some(VirtualBone { source: name(cursor)?, target: name(cursor)?, name: name(cursor)? })
}

pub(super) fn hull<'a>(cursor: &mut Cursor<'a>) -> Option<Hull<'a>> {
    Some(Hull { name: name(cursor)?, vertices: array(cursor)?, indices: array(cursor)? })
}

pub(super) fn uv_set<'a>(cursor: &mut Cursor<'a>) -> Option<UvSet<'a>> {
    Some(UvSet { name: None, uvs: array(cursor)? })
}

pub(super) fn named_uv_set<'a>(cursor: &mut Cursor<'a>) -> Option<UvSet<'a>> {
    Some(UvSet { name: Some(name(cursor)?), uvs: array(cursor)? })
}

pub(super) fn named_colors<'a>(cursor: &mut Cursor<'a>) -> Option<ColorSet<'a>> {
    Some(ColorSet { name: Some(name(cursor)?), colors: array(cursor)? })
}

/// Colours without a name and a number.
#[expect(clippy::unnecessary_wraps, reason = "as the other items are read")]
pub(super) fn all_colors<'a>(cursor: &mut Cursor<'a>) -> Option<ColorSet<'a>> {
    Some(ColorSet { name: None, colors: records(cursor.rest()) })
}

pub(super) fn material<'a>(cursor: &mut Cursor<'a>) -> Option<Material<'a>> {
    let (name, range) = (name(cursor)?, cursor.read::<MaterialRange>()?);
    Some(Material { name, path: None, first_index: range.first_index(), face_count: range.face_count() })
}

pub(super) fn material_with_path<'a>(cursor: &mut Cursor<'a>) -> Option<Material<'a>> {
    let (name, path, range) = (name(cursor)?, Some(name(cursor)?), cursor.read::<MaterialRange>()?);
    Some(Material { name, path, first_index: range.first_index(), face_count: range.face_count() })
}

pub(super) fn morph<'a>(cursor: &mut Cursor<'a>) -> Option<Morph<'a>> {
    Some(Morph { name: name(cursor)?, deltas: array(cursor)? })
}

pub(super) fn track<'a>(cursor: &mut Cursor<'a>) -> Option<BoneTrack<'a>> {
    let name = name(cursor)?;
    Some(BoneTrack { name, positions: array(cursor)?, rotations: array(cursor)?, scales: array(cursor)? })
}

pub(super) fn curve<'a>(cursor: &mut Cursor<'a>) -> Option<Curve<'a>> {
    Some(Curve { name: name(cursor)?, keys: array(cursor)? })
}

pub(super) fn curve_name<'a>(cursor: &mut Cursor<'a>) -> Option<Text<'a>> {
    name(cursor)
}

pub(super) fn pose_bone<'a>(cursor: &mut Cursor<'a>) -> Option<PoseBone<'a>> {
    let (name, place) = (name(cursor)?, cursor.read::<Place>()?);
    Some(PoseBone { name, position: place.position(), rotation: place.rotation(), scale: place.scale() })
}

/// The parts of a pose: its name, the bytes and the number of its bones, and the values of curves.
pub(super) fn pose<'a>(cursor: &mut Cursor<'a>) -> Option<(Text<'a>, &'a [u8], u32, &'a [CurveInfluence])> {
    let (name, bones) = (name(cursor)?, count(cursor)?);
    let bytes = cursor.rest();
    let start = cursor.position();
    for _ in 0..bones {
        pose_bone(cursor)?;
    }
    let own = bytes.get(..cursor.position().checked_sub(start)?)?;
    Some((name, own, bones, array(cursor)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_to_16_zero_bytes_at_the_end_of_a_name_do_not_belong_to_it() {
        for zeros in [0, 1, 15, 16, 17, 1000] {
            let name = [b"fox".as_slice(), &vec![0; zeros]].concat();
            assert_eq!(text(&name).as_bytes().len(), 3 + zeros.saturating_sub(16), "{zeros}");
        }
        assert_eq!(text(&[0; 3]).as_bytes(), b"");
        assert_eq!(text(b"\0fox").as_bytes(), b"\0fox");
    }
}
