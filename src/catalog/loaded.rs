//! An asset's bytes, and the narrow copy where its records are wider than the format's.

use crate::actorx::{Narrow, to_narrow};
use crate::asset::{Asset, ParseOptions};
use crate::error::{Error, ErrorKind};
use crate::mapping::Mapping;
use crate::quirk::Quirk;

/// The bytes of an asset, proven once: [`asset`](Loaded::asset) gives the view.
///
/// Records wider than the format's, which no slice can view, are narrowed in a copy
/// ([`to_narrow`](crate::actorx::to_narrow)), and the [`quirks`](Loaded::quirks) say so.
#[derive(Clone, Debug)]
pub struct Loaded {
    bytes: Mapping<'static>,
    narrow: Option<Result<Narrow, Error>>,
    options: ParseOptions,
}

impl Loaded {
    /// Takes the bytes of an asset, to be parsed with these options.
    pub fn new(bytes: Mapping<'static>, options: &ParseOptions) -> Self {
        let too_wide = |error: Error| matches!(error.kind(), ErrorKind::RecordTooWide { .. });
        let narrow = match Asset::parse_with(&bytes, options) {
            Err(error) if too_wide(error) => Some(to_narrow(&bytes)),
            _ => None,
        };
        Self { bytes, narrow, options: *options }
    }

    /// The view.
    ///
    /// # Errors
    /// Those of [`Asset::parse_with`], and of [`to_narrow`](crate::actorx::to_narrow).
    pub fn asset(&self) -> Result<Asset<'_>, Error> {
        match &self.narrow {
            None => Asset::parse_with(&self.bytes, &self.options),
            Some(Ok(narrow)) => Asset::parse_with(&narrow.bytes, &self.options),
            Some(Err(error)) => Err(*error),
        }
    }

    /// The bytes as they are in the file or archive.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// All oddities: of the narrow copy's making first, then the view's. No allocation.
    pub fn quirks<'a>(&'a self, asset: &Asset<'a>) -> impl Iterator<Item = Quirk> + use<'a> {
        let of_copy = match &self.narrow {
            Some(Ok(narrow)) => narrow.quirks.as_slice(),
            _ => &[],
        };
        of_copy.iter().copied().chain(asset.quirks())
    }
}
