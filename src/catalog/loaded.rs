//! The bytes of an opened asset, and its view.

use crate::family::{Asset, AssetBuf, ParseOptions};
use crate::mapping::Mapping;
use crate::model::ParseError;
use crate::report::Error;

/// An opened asset, parsed once.
#[derive(Debug)]
pub struct Loaded(Result<AssetBuf<Mapping<'static>>, ParseError<Mapping<'static>>>);

impl Loaded {
    /// Parses the bytes of an asset with options.
    pub fn new(bytes: Mapping<'static>, options: &ParseOptions) -> Self {
        Self(AssetBuf::parse_with(bytes, options))
    }

    /// The view. O(1).
    ///
    /// # Errors
    /// Those of [`Asset::parse_with`].
    pub fn asset(&self) -> Result<Asset<'_>, Error> {
        self.0.as_ref().map(AssetBuf::view).map_err(|failed| failed.error)
    }

    /// The bytes of the file or entry.
    pub fn bytes(&self) -> &[u8] {
        match &self.0 {
            Ok(asset) => asset.bytes(),
            Err(failed) => &failed.bytes,
        }
    }
}
