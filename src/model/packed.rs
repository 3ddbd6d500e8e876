//! Keys as samplers read them: a transform, or the bytes of a file in place.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::channel::{Keys, Rows};
use super::maths::NO_TURN;
use super::transform::Transform;
use crate::bytes::{Vec3, Vec4, records};

/// A key that is blended.
pub(super) trait Key: Copy {
    fn translation(&self) -> [f32; 3];
    fn rotation(&self) -> [f32; 4];
}

impl Key for Transform {
    #[inline]
    fn translation(&self) -> [f32; 3] {
        self.translation
    }

    #[inline]
    fn rotation(&self) -> [f32; 4] {
        self.rotation
    }
}

/// A key in place: `SIZE` bytes with a translation at `T` and a rotation at `R`. Where the compiler knows these
/// numbers, reading a key costs no check.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned)]
#[repr(transparent)]
pub(super) struct Packed<const SIZE: usize, const T: usize, const R: usize>([u8; SIZE]);

impl<const SIZE: usize, const T: usize, const R: usize> Packed<SIZE, T, R> {
    /// The keys of all frames, where they have this very layout.
    fn of<'a>(rows: &Rows<'a>, tracks: usize) -> Option<&'a [Self]> {
        let (rotations, translations) = (rows.rotations.as_ref()?, rows.translations.as_ref()?);
        let bytes = rotations.packed(R, SIZE, tracks)?;
        core::ptr::eq(bytes, translations.packed(T, SIZE, tracks)?).then(|| records(bytes))
    }
}

/// The keys of a clip in place, where translations and rotations lie side by side at a distance that most formats have.
#[derive(Clone, Copy, Debug)]
pub(super) enum PackedKeys<'a> {
    Of28(&'a [Packed<28, 0, 12>]),
    Of32(&'a [Packed<32, 0, 12>]),
}

impl<'a> PackedKeys<'a> {
    pub(super) fn of(keys: &Keys<'a>, tracks: usize) -> Option<Self> {
        let Keys::Rows(rows) = keys else { return None };
        Packed::of(rows, tracks).map(Self::Of28).or_else(|| Packed::of(rows, tracks).map(Self::Of32))
    }
}

impl<const SIZE: usize, const T: usize, const R: usize> Key for Packed<SIZE, T, R> {
    #[inline]
    fn translation(&self) -> [f32; 3] {
        let value = self.0.get(T..).and_then(|bytes| Vec3::ref_from_prefix(bytes).ok());
        value.map_or([0.0; 3], |(value, _)| value.get())
    }

    #[inline]
    fn rotation(&self) -> [f32; 4] {
        let value = self.0.get(R..).and_then(|bytes| Vec4::ref_from_prefix(bytes).ok());
        value.map_or(NO_TURN, |(value, _)| value.get())
    }
}
