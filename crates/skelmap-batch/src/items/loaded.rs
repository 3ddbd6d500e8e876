//! The bytes of an opened asset, and its view.

use skelmap::Error;
use skelmap::mapping::Mapping;
use skelmap::model::ParseError;
use skelmap::{Asset, AssetBuf, Format, ParseOptions};

/// An opened asset, parsed once.
#[derive(Debug)]
pub struct Loaded {
    parsed: Result<AssetBuf<Mapping<'static>>, ParseError<Mapping<'static>>>,
    format: Option<Format>,
}

impl Loaded {
    /// Parses the bytes of an asset with options.
    pub fn new(bytes: Mapping<'static>, options: &ParseOptions) -> Self {
        let parsed = AssetBuf::parse_with(bytes, options);
        let format = match &parsed {
            Ok(asset) => Some(asset.view().format()),
            Err(failed) => Format::sniff(&failed.bytes).ok(),
        };
        Self { parsed, format }
    }

    /// The view. O(1).
    ///
    /// # Errors
    /// Those of [`Asset::parse_with`].
    pub fn asset(&self) -> Result<Asset<'_>, Error> {
        self.parsed.as_ref().map(AssetBuf::view).map_err(|failed| failed.error)
    }

    /// The format, also of an asset that cannot be parsed; `None` if it is unknown.
    pub const fn format(&self) -> Option<Format> {
        self.format
    }

    /// The bytes of the file or entry.
    pub fn bytes(&self) -> &[u8] {
        match &self.parsed {
            Ok(asset) => asset.bytes(),
            Err(failed) => &failed.bytes,
        }
    }
}
