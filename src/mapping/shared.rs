//! The bytes of a file, shared by clones and parts.

use core::fmt::{self, Debug, Formatter};
use core::ops::{Deref, Range};
use std::sync::Arc;

#[cfg(all(feature = "lease", target_os = "linux"))]
use super::lease::Leased;

/// The bytes of a file: mapped, read, borrowed, or owned by another type. One type for all, so that users need no type
/// parameter.
///
/// Dereferences to `[u8]`. A clone and a [`part`](Mapping::part) share the bytes and cost O(1). `Send` and `Sync`.
///
/// ```
/// use skelmap::mapping::Mapping;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let file = Mapping::read("tests/corpus/actorx/anim/classic.psa")?;
/// let animation = skelmap::actorx::Psa::parse(&file)?;
/// assert_eq!(animation.bytes().len(), file.len());
/// # Ok(())
/// # }
/// ```
///
/// Bytes of the program, without a copy:
///
/// ```
/// use std::sync::Arc;
/// use skelmap::mapping::Mapping;
///
/// let shared: Arc<[u8]> = Arc::new([1, 2, 3]);
/// let bytes = Mapping::from(shared.clone());
/// assert_eq!(bytes.as_ptr(), shared.as_ptr());
/// assert_eq!(*Mapping::from(vec![1, 2, 3]), [1, 2, 3]);
/// assert_eq!(*Mapping::borrowed(b"abc"), *b"abc");
/// ```
#[derive(Clone)]
pub struct Mapping<'a> {
    pub(super) owner: Owner<'a>,
    /// The range of this mapping in the owner's bytes.
    pub(super) part: Range<usize>,
}

#[derive(Clone)]
pub(super) enum Owner<'a> {
    Borrowed(&'a [u8]),
    Owned(Arc<dyn AsRef<[u8]> + Send + Sync>),
    #[cfg(feature = "mmap")]
    Mapped(Arc<memmap2::Mmap>),
    #[cfg(all(feature = "lease", target_os = "linux"))]
    Leased(Arc<Leased>),
}

impl Mapping<'static> {
    /// The bytes of any owner, for example `bytes::Bytes`, without a copy. O(1); one allocation of the owner's size
    /// (not of its bytes').
    ///
    /// The owner returns its bytes at each access. If they differ, so do the values.
    ///
    /// ```
    /// use skelmap::mapping::Mapping;
    ///
    /// let downloaded = bytes::Bytes::from_static(b"PSSA");
    /// let bytes = Mapping::from_owner(downloaded.clone());
    /// assert_eq!(bytes.as_ptr(), downloaded.as_ptr());
    /// ```
    pub fn from_owner(owner: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        Self { part: 0..owner.as_ref().len(), owner: Owner::Owned(Arc::new(owner)) }
    }
}

#[cfg(feature = "archive")]
impl Mapping<'static> {
    /// The bytes for a view: a compressed UEFormat file is unpacked into memory by [`ueformat::unpack`](crate::ueformat::unpack); all other
    /// bytes are returned as they are, O(1). [`Opener::open`](super::Opener::open) does this by itself.
    ///
    /// ```
    /// use skelmap::{archive::Limits, mapping::Mapping, ueformat::Model};
    ///
    /// let bytes = Mapping::from(std::fs::read("tests/corpus/ueformat/model/gzip.uemodel")?);
    /// assert!(Model::parse(&bytes).is_err(), "compressed");
    /// assert!(Model::parse(&bytes.unpacked(&Limits::default())?).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`ueformat::unpack`](crate::ueformat::unpack), with the bytes.
    pub fn unpacked(self, limits: &crate::limits::Limits) -> Result<Self, crate::ParseError<Self>> {
        match crate::ueformat::unpack(&self, limits) {
            Ok(None) => Ok(self),
            Ok(Some(unpacked)) => Ok(unpacked.into()),
            Err(error) => Err(crate::ParseError { error, bytes: self }),
        }
    }
}

impl<'a> Mapping<'a> {
    /// Bytes that live elsewhere in memory. O(1).
    pub const fn borrowed(bytes: &'a [u8]) -> Self {
        Self { owner: Owner::Borrowed(bytes), part: 0..bytes.len() }
    }

    /// Whether the bytes are a memory map of the file. `false` after a map under a lease was copied because another program
    /// wanted to write. O(1).
    pub fn is_mapped(&self) -> bool {
        match &self.owner {
            Owner::Borrowed(_) | Owner::Owned(_) => false,
            #[cfg(feature = "mmap")]
            Owner::Mapped(_) => true,
            #[cfg(all(feature = "lease", target_os = "linux"))]
            Owner::Leased(leased) => !leased.is_copied(),
        }
    }

    /// Whether the bytes are a memory map under a lease ([`Opener::leasing`](super::Opener::leasing)): a program that wants to
    /// change the file must wait. One system call.
    #[cfg(feature = "lease")]
    pub fn is_leased(&self) -> bool {
        match &self.owner {
            #[cfg(target_os = "linux")]
            Owner::Leased(leased) => leased.is_held(),
            _ => false,
        }
    }

    /// A part that shares the bytes; `None` if the range is out of bounds. O(1), without a copy.
    ///
    /// ```
    /// use skelmap::mapping::Mapping;
    ///
    /// let whole = Mapping::from(vec![1, 2, 3, 4]);
    /// assert_eq!(&whole.part(1..3).ok_or("not inside")?[..], [2, 3]);
    /// assert!(whole.part(3..5).is_none());
    /// # Ok::<(), &str>(())
    /// ```
    pub fn part(&self, part: Range<usize>) -> Option<Self> {
        let (start, end) = (self.part.start.checked_add(part.start)?, self.part.start.checked_add(part.end)?);
        (start <= end && end <= self.part.end).then(|| Self { owner: self.owner.clone(), part: start..end })
    }
}

impl Deref for Mapping<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        let whole: &[u8] = match &self.owner {
            Owner::Borrowed(bytes) => bytes,
            Owner::Owned(owner) => (**owner).as_ref(),
            #[cfg(feature = "mmap")]
            Owner::Mapped(map) => map,
            #[cfg(all(feature = "lease", target_os = "linux"))]
            Owner::Leased(leased) => leased.bytes(),
        };
        whole.get(self.part.clone()).unwrap_or_default()
    }
}

impl AsRef<[u8]> for Mapping<'_> {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl<'a> From<&'a [u8]> for Mapping<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::borrowed(bytes)
    }
}

impl From<Vec<u8>> for Mapping<'static> {
    fn from(bytes: Vec<u8>) -> Self {
        Self::from_owner(bytes)
    }
}

impl From<Arc<[u8]>> for Mapping<'static> {
    fn from(bytes: Arc<[u8]>) -> Self {
        Self::from_owner(bytes)
    }
}

impl Debug for Mapping<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let place = match &self.owner {
            Owner::Borrowed(_) => "borrowed",
            Owner::Owned(_) => "owned",
            #[cfg(feature = "mmap")]
            Owner::Mapped(_) => "mapped",
            #[cfg(all(feature = "lease", target_os = "linux"))]
            Owner::Leased(_) => "leased",
        };
        write!(f, "Mapping({} bytes {place})", self.len())
    }
}
