//! Names in fields of a fixed size.

use core::fmt::{self, Debug, Formatter};
use core::hash::{Hash, Hasher};

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use super::text::{Text, before_nul, trim_spaces};

/// A name in a field of `N` bytes: ends at the first NUL or fills the field.
///
/// Bytes after the NUL may be garbage, and old exporters pad with spaces before it (ActorX reference, section 1.3).
/// Nothing is trimmed: [`as_bytes`](Name::as_bytes) gives the name as stored, [`key`](Name::key) the form for look-ups.
///
/// As in Unreal, names are equal, and have equal hashes, if their keys are equal without regard to ASCII case.
#[derive(Clone, Copy, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(transparent)]
pub struct Name<const N: usize>([u8; N]);

impl<const N: usize> Name<N> {
    /// A field with this name and zeros behind it; `None` if the name has a NUL, or leaves no room for one.
    ///
    /// ```
    /// use skelmap::Name;
    ///
    /// let name = Name::<64>::new(b"Bip01 Head").ok_or("too long")?;
    /// assert!(name.matches("bip01 head") && name.is_terminated());
    /// assert!(Name::<64>::new(&[b'x'; 64]).is_none());
    /// # Ok::<(), &str>(())
    /// ```
    pub fn new(name: &[u8]) -> Option<Self> {
        let mut field = [0; N];
        let (own, rest) = field.split_at_mut_checked(name.len())?;
        if rest.is_empty() || name.contains(&0) {
            return None;
        }
        own.copy_from_slice(name);
        Some(Self(field))
    }

    /// The whole field.
    pub const fn raw(&self) -> &[u8; N] {
        &self.0
    }

    /// The name as stored: the bytes before the first NUL, or all of them.
    pub fn as_bytes(&self) -> &[u8] {
        before_nul(&self.0)
    }

    /// The name without trailing ASCII spaces, for look-ups.
    pub fn key(&self) -> &[u8] {
        trim_spaces(self.as_bytes())
    }

    /// The [`key`](Name::key) as text.
    pub fn text(&self) -> Text<'_> {
        Text::new(self.key())
    }

    /// Whether this is the name `other`. Ignores ASCII case and trailing spaces. O(N).
    pub fn matches(&self, other: &str) -> bool {
        self.text().matches(other)
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

impl<const N: usize> Default for Name<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize, const M: usize> PartialEq<Name<M>> for Name<N> {
    fn eq(&self, other: &Name<M>) -> bool {
        self.key().eq_ignore_ascii_case(other.key())
    }
}

impl<const N: usize> Eq for Name<N> {}

impl<const N: usize> Hash for Name<N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().iter().for_each(|byte| state.write_u8(byte.to_ascii_lowercase()));
        state.write_u8(0xFF);
    }
}

impl<const N: usize> Debug for Name<N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Text::new(self.as_bytes()).fmt(f)
    }
}
