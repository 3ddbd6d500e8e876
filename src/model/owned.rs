//! Owned forms of the views: the bytes and the layout, without a lifetime.

use core::fmt::{self, Debug, Formatter};

use super::layout::Layout;
use crate::report::Error;

/// Bytes and their layout: a view that can be stored, sent to another thread and put into an `Arc`.
///
/// `B` owns the bytes: a `Mapping`, a `Vec<u8>`, an `Arc<[u8]>`. Its `as_ref` must return the same bytes each time. Otherwise
/// views are empty or have wrong records, but reads stay inside the bytes.
///
/// Each family names its owned forms (`actorx::PsaBuf` and so on); [`AssetBuf`](crate::AssetBuf) holds a file of any
/// format.
///
/// ```
/// use std::sync::Arc;
/// use skelmap::{actorx::PsaBuf, mapping::Mapping};
///
/// let animation = Arc::new(PsaBuf::parse(Mapping::read("tests/corpus/actorx/anim/classic.psa")?)?);
/// let there = Arc::clone(&animation);
/// let keys = std::thread::spawn(move || there.view().keys().len()).join().expect("the thread runs");
/// assert_eq!(keys, animation.view().keys().len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Owned<B, L> {
    bytes: B,
    layout: L,
}

impl<B: AsRef<[u8]>, L: Layout> Owned<B, L> {
    /// Parses the bytes and stores them. Costs the same as the view's `parse`.
    ///
    /// # Errors
    /// Those of the view's `parse`, with the bytes.
    pub fn parse(bytes: B) -> Result<Self, ParseError<B>> {
        Self::parse_with(bytes, &L::Options::default())
    }

    /// [`parse`](Owned::parse) with options.
    ///
    /// # Errors
    /// Those of the view's `parse_with`, with the bytes.
    pub fn parse_with(bytes: B, options: &L::Options) -> Result<Self, ParseError<B>> {
        match L::parse(bytes.as_ref(), options) {
            Ok(layout) => {
                let layout = layout.keep(bytes.as_ref());
                Ok(Self { bytes, layout })
            }
            Err(error) => Err(ParseError { error, bytes }),
        }
    }

    /// The view. O(1).
    pub fn view(&self) -> L::View<'_> {
        self.layout.view(self.bytes.as_ref())
    }

    /// The owner of the bytes.
    pub const fn bytes(&self) -> &B {
        &self.bytes
    }

    /// Returns the bytes.
    pub fn into_bytes(self) -> B {
        self.bytes
    }
}

impl<B: AsRef<[u8]>, L: Layout> Debug for Owned<B, L> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Owned").field("bytes", &self.bytes.as_ref().len()).field("layout", &self.layout).finish()
    }
}

/// The error of a failed parse, with the bytes. `Error::from` keeps the error alone: an error that travels, for instance through `anyhow`, should
/// not keep a file in memory.
///
/// ```
/// use skelmap::{AssetBuf, Error};
///
/// fn load(bytes: Vec<u8>) -> Result<AssetBuf<Vec<u8>>, Box<dyn std::error::Error + Send + Sync>> {
///     Ok(AssetBuf::parse(bytes).map_err(Error::from)?)
/// }
/// assert!(load(Vec::new()).is_err());
/// ```
#[derive(thiserror::Error)]
#[error("{error}")]
#[non_exhaustive]
pub struct ParseError<B> {
    /// The error.
    pub error: Error,
    /// The bytes, unchanged.
    pub bytes: B,
}

impl<B> Debug for ParseError<B> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.error, f)
    }
}

impl<B> From<ParseError<B>> for Error {
    fn from(error: ParseError<B>) -> Self {
        error.error
    }
}
