//! The pieces that records of every family are made of: vectors, quaternions and fixed-size names, all of alignment 1.
//!
//! Fields are little-endian bytes and private; accessors return native values. The `zerocopy` implementations are how this
//! crate reads them and are no part of its public promise. A family's own records live in its own `record` module.

use core::fmt::{self, Debug, Formatter};

use zerocopy::little_endian::F32;
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::text::{Text, before_nul, trim_spaces};

/// One float, 4 bytes.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(transparent)]
pub struct Float(F32);

/// Two floats, 8 bytes: a texture coordinate.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(transparent)]
pub struct Vec2([F32; 2]);

/// Three floats, 12 bytes: a position, an offset or a normal.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(transparent)]
pub struct Vec3([F32; 3]);

/// Four floats, 16 bytes: a quaternion with the scalar last, or a tangent.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(transparent)]
pub struct Vec4([F32; 4]);

const _: () = assert!(size_of::<Float>() == 4 && align_of::<Float>() == 1);
const _: () = assert!(size_of::<Vec2>() == 8 && align_of::<Vec2>() == 1);
const _: () = assert!(size_of::<Vec3>() == 12 && align_of::<Vec3>() == 1);
const _: () = assert!(size_of::<Vec4>() == 16 && align_of::<Vec4>() == 1);

impl Float {
    /// The native float.
    #[inline]
    pub const fn get(&self) -> f32 {
        self.0.get()
    }
}

impl Vec2 {
    /// The two components in file order, as native floats.
    #[inline]
    pub const fn get(&self) -> [f32; 2] {
        let [x, y] = &self.0;
        [x.get(), y.get()]
    }
}

impl Vec3 {
    pub(crate) const fn new([x, y, z]: [f32; 3]) -> Self {
        Self([F32::new(x), F32::new(y), F32::new(z)])
    }

    /// The three components in file order, as native floats.
    #[inline]
    pub const fn get(&self) -> [f32; 3] {
        let [x, y, z] = &self.0;
        [x.get(), y.get(), z.get()]
    }
}

impl Vec4 {
    pub(crate) const fn new([x, y, z, w]: [f32; 4]) -> Self {
        Self([F32::new(x), F32::new(y), F32::new(z), F32::new(w)])
    }

    /// The four components in file order (x, y, z, w), as native floats.
    #[inline]
    pub const fn get(&self) -> [f32; 4] {
        let [x, y, z, w] = &self.0;
        [x.get(), y.get(), z.get(), w.get()]
    }
}

impl Debug for Float {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl Debug for Vec2 {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl Debug for Vec3 {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

impl Debug for Vec4 {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// A name in a field of `N` bytes: ends at the first NUL or fills the field.
///
/// Bytes after the NUL may be garbage, and old exporters pad with spaces before it (ActorX reference, section 1.3). Nothing is
/// trimmed from the stored bytes: [`as_bytes`](Name::as_bytes) gives the name as written, [`key`](Name::key) the form to look
/// names up by.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(transparent)]
pub struct Name<const N: usize>([u8; N]);

impl<const N: usize> Name<N> {
    /// The whole field.
    pub const fn raw(&self) -> &[u8; N] {
        &self.0
    }

    /// The name as stored: the bytes before the first NUL, or all of them.
    pub fn as_bytes(&self) -> &[u8] {
        before_nul(&self.0)
    }

    /// The name without trailing ASCII spaces: what to look names up by.
    pub fn key(&self) -> &[u8] {
        trim_spaces(self.as_bytes())
    }

    /// The [`key`](Name::key) as text.
    pub fn text(&self) -> Text<'_> {
        Text::new(self.key())
    }

    /// Whether this is the name `other`: in any ASCII case, trailing spaces ignored. O(N).
    pub fn matches(&self, other: &str) -> bool {
        self.text().matches(other)
    }

    /// Whether two fields hold the same name: in any ASCII case, trailing spaces ignored. O(N).
    pub fn same_as<const M: usize>(&self, other: &Name<M>) -> bool {
        self.key().eq_ignore_ascii_case(other.key())
    }

    /// The bytes after the first NUL; empty if the name fills the field.
    pub fn tail(&self) -> &[u8] {
        let mut parts = self.0.splitn(2, |byte| *byte == 0);
        parts.next();
        parts.next().unwrap_or_default()
    }

    /// Whether a NUL ends the name inside the field.
    pub fn is_terminated(&self) -> bool {
        self.as_bytes().len() < N
    }
}

impl<const N: usize> Debug for Name<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Text::new(self.as_bytes()).fmt(f)
    }
}
