//! Aligned native twins of the bulk records, for GPU upload and maths crates that want `Pod` types.

use alloc::borrow::Cow;

use bytemuck::Pod;
use zerocopy::IntoBytes as _;

use super::cursor::Record;

/// A bulk record that has an aligned native twin of the same size.
pub trait Twin: Record + Copy {
    /// The twin.
    type Native: Pod + From<Self>;
}

/// Slices of bulk records as slices of native values.
///
/// Every bulk record has a twin: a `Pod` struct with the same fields, aligned and native, or an array of floats.
///
/// ```
/// use skelmap::{AsNative, actorx::Psa};
///
/// let bytes = std::fs::read("tests/corpus/actorx/anim/classic.psa")?;
/// let keys = Psa::parse(&bytes)?.keys();
/// // In place where the bytes are aligned, else a copy:
/// let keys = keys.to_native();
/// let upload: &[u8] = bytemuck::cast_slice(&keys);
/// assert_eq!(upload.len(), keys.len() * 32);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait AsNative {
    /// The twin of the records.
    type Native: Pod;

    /// The records as native values, in place: `None` on a big-endian host, or where the bytes are not aligned. O(1),
    /// no copy.
    fn as_native(&self) -> Option<&[Self::Native]>;

    /// The records as native values: in place where they can be, else a copy. O(1) or O(records).
    fn to_native(&self) -> Cow<'_, [Self::Native]>;
}

impl<R: Twin> AsNative for [R] {
    type Native = R::Native;

    fn as_native(&self) -> Option<&[R::Native]> {
        const { assert!(size_of::<R>() == size_of::<R::Native>()) };
        if cfg!(target_endian = "big") {
            return None;
        }
        bytemuck::try_cast_slice(self.as_bytes()).ok()
    }

    fn to_native(&self) -> Cow<'_, [R::Native]> {
        self.as_native().map_or_else(|| self.iter().map(|record| R::Native::from(*record)).collect(), Cow::Borrowed)
    }
}
