//! Stores: storage other than the file system, with bytes under addresses.

use core::error::Error;
use core::fmt::Debug;
use core::ops::Range;
use std::io;
use std::sync::Arc;

use super::shared::Mapping;
use crate::bytes::{ReadAt, Windowed, to_u64};
use crate::report::Code;

/// Storage of bytes under addresses: a bucket, a web server, a database.
///
/// An [`Opener`](super::Opener) with a store accepts the addresses of the store as paths, and so does everything that takes an
/// opener: archives, [`Address`](crate::archive::Address), side-cars. The crate `skelmap-stores` has stores for S3, Google
/// Cloud, Azure and HTTP. Your own store needs these lines:
///
/// ```
/// use std::collections::HashMap;
/// use std::ops::Range;
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use std::io;
///
/// use skelmap::mapping::{Mapping, Object, Opener, Store};
///
/// #[derive(Debug, Default)]
/// struct Memory {
///     objects: HashMap<String, Mapping<'static>>,
///     requests: Arc<AtomicUsize>,
/// }
///
/// #[derive(Debug)]
/// struct Stored(Mapping<'static>, Arc<AtomicUsize>);
///
/// impl Store for Memory {
///     fn owns(&self, address: &str) -> bool {
///         address.starts_with("memory://")
///     }
///
///     fn open(&self, address: &str) -> io::Result<Arc<dyn Object>> {
///         let bytes = self.objects.get(address).ok_or(io::ErrorKind::NotFound)?;
///         Ok(Arc::new(Stored(bytes.clone(), self.requests.clone())))
///     }
/// }
///
/// impl Object for Stored {
///     fn size(&self) -> u64 {
///         self.0.len() as u64
///     }
///
///     fn read(&self, range: Range<u64>) -> io::Result<Mapping<'static>> {
///         self.1.fetch_add(1, Ordering::Relaxed);
///         self.0.part(range.start as usize..range.end as usize).ok_or(io::ErrorKind::UnexpectedEof.into())
///     }
/// }
///
/// let mut store = Memory::default();
/// store.objects.insert("memory://fox.psa".into(), Mapping::read("corpus/fox.psa")?);
/// let requests = store.requests.clone();
/// let opener = Opener::reading().with_store(Arc::new(store));
/// let fox = opener.open("memory://fox.psa")?;
/// assert_eq!(skelmap::Asset::parse(&fox)?.clips().count(), 2);
/// assert_eq!(requests.load(Ordering::Relaxed), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Calls may block, and come from many threads concurrently.
///
/// A store's error is an [`io::Error`] with the original error inside. [`NotFound`](io::ErrorKind::NotFound) and
/// [`PermissionDenied`](io::ErrorKind::PermissionDenied) have their usual meaning: a side-car that is not found or not allowed
/// does not exist. A [`StoreError`] inside gives the error a [`Code`], which rows contain.
pub trait Store: Debug + Send + Sync {
    /// Whether a text is an address of this store. Called for every path; makes no request.
    fn owns(&self, address: &str) -> bool;

    /// Opens the object at an address. All later reads are of the same version of the object, or fail.
    ///
    /// # Errors
    /// The error of the store.
    fn open(&self, address: &str) -> io::Result<Arc<dyn Object>>;

    /// [`open`](Store::open) for an archive: its end is read first.
    ///
    /// # Errors
    /// The error of the store.
    fn open_archive(&self, address: &str) -> io::Result<Arc<dyn Object>> {
        self.open(address)
    }

    /// The kind of thing that an address names, as far as its text shows. Makes no request.
    fn target(&self, address: &str) -> Target {
        if address.ends_with('/') { Target::Prefix } else { Target::Either }
    }

    /// The objects below a prefix, sorted by name.
    ///
    /// # Errors
    /// The error of the store; [`Unsupported`](io::ErrorKind::Unsupported) for a store without lists.
    fn list(&self, prefix: &str) -> io::Result<Vec<Listed>> {
        let _ = prefix;
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// The kind of thing that an address names. See [`Store::target`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "these are all cases")]
pub enum Target {
    /// One object.
    Object,
    /// All objects whose addresses begin with this one.
    Prefix,
    /// Either of them.
    Either,
}

/// An object that a store listed.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "made by stores")]
pub struct Listed {
    /// The address.
    pub address: String,
    /// The object. Its size is known, and the first read makes the first request.
    pub object: Arc<dyn Object>,
}

/// One object of a [`Store`], in one version.
pub trait Object: Debug + Send + Sync {
    /// Number of bytes. O(1).
    fn size(&self) -> u64;

    /// The bytes of a range inside the object. One request.
    ///
    /// # Errors
    /// The error of the store. Reading an object that was replaced since it was opened is an error.
    fn read(&self, range: Range<u64>) -> io::Result<Mapping<'static>>;

    /// Whether the store tells versions of the object apart by more than size and date. If not, entries of an archive are read with
    /// their checksums. The default is yes.
    fn is_versioned(&self) -> bool {
        true
    }

    /// The object as a source of small reads, which are combined into fewer requests. The default is a
    /// [`Windowed`].
    fn parts(&self) -> Box<dyn ReadAt<Error = io::Error> + '_> {
        Box::new(Windowed::new(Whole(self)))
    }

    /// Requests ranges that are read soon, without waiting. [`advance`](Object::advance) waits for them. The default does
    /// nothing.
    fn prefetch(&self, ranges: Vec<Range<u64>>) {
        let _ = ranges;
    }

    /// Waits for the prefetched ranges, which serve reads until the next call. Errors are returned by the reads.
    fn advance(&self) {}
}

/// An object as a source: one request for each read.
struct Whole<'a, O: ?Sized>(&'a O);

impl<O: Object + ?Sized> ReadAt for Whole<'_, O> {
    type Error = io::Error;

    fn size(&self) -> u64 {
        self.0.size()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let end = offset.saturating_add(to_u64(into.len())).min(self.size());
        if offset >= end {
            return Ok(0);
        }
        let Ok(read) = (*self.0.read(offset..end)?).read_at(0, into);
        Ok(read)
    }
}

impl ReadAt for dyn Object {
    type Error = io::Error;

    fn size(&self) -> u64 {
        Object::size(self)
    }

    /// One request.
    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        Whole(self).read_at(offset, into)
    }
}

/// An error of a store with a code, for use inside an [`io::Error`].
///
/// `Display` shows the original error, which is the [`source`](Error::source).
///
/// ```
/// use skelmap::{codes, mapping::StoreError};
///
/// let error = std::io::Error::other(StoreError::new(codes::OUT_OF_MEMORY, "the cache is full"));
/// assert_eq!(StoreError::code_of(&error).map(|code| code.name()), Some("out-of-memory"));
/// ```
#[derive(Debug, thiserror::Error)]
#[error("{source}")]
pub struct StoreError {
    code: Code,
    source: Box<dyn Error + Send + Sync>,
}

impl StoreError {
    /// An error with a code.
    pub fn new(code: Code, error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { code, source: error.into() }
    }

    /// The code of an error of a store; `None` for other errors.
    pub fn code_of(error: &io::Error) -> Option<Code> {
        error.get_ref()?.downcast_ref::<Self>().map(|error| error.code)
    }
}
