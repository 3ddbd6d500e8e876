//! The headers of a file in any source.

use alloc::vec::Vec;

use crate::bytes::ReadAt;
use crate::family::{Format, ParseOptions, sniff_source};
use crate::model::{Head, Summary};
use crate::report::{Code, ReadError};

/// The content of a file's headers, read from any source without the bulk of the file.
///
/// The numbers equal [`Asset::summary`](crate::Asset::summary) and [`Asset::quirks`](crate::Asset::quirks) of
/// the whole file: one description of the layout serves both. A file is read whole only if its header does
/// not say where the frames begin.
///
/// ```
/// use skelmap::Headers;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let bytes = std::fs::read("tests/corpus/actorx/anim/classic.psa")?;
/// let headers = Headers::read(bytes.as_slice(), &Default::default()).map_err(|error| error.to_string())?;
/// println!("{}: {:?} frames", headers.format, headers.summary.frames);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Headers {
    /// The format.
    pub format: Format,
    /// The counts.
    pub summary: Summary,
    /// The codes of the quirks, each once, in file order.
    pub quirks: Vec<Code>,
}

impl Headers {
    /// Reads the headers of a source. O(chunks + sequences) requests at most.
    ///
    /// # Errors
    /// Those of [`Asset::parse_with`](crate::Asset::parse_with), and those of the source.
    pub fn read<R: ReadAt + ?Sized>(source: &R, options: &ParseOptions) -> Result<Self, ReadError<R::Error>> {
        let format = sniff_source(source)?;
        let Head { summary, quirks, .. } = format.head(source, options, false)?;
        Ok(Self { format, summary, quirks: quirks.into_vec() })
    }
}
