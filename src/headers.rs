//! The headers of a file in any source.

use alloc::vec::Vec;

use crate::bytes::ReadAt;
use crate::family::{Format, ParseOptions};
use crate::model::{Head, Names, Summary};
use crate::report::{Code, ReadError};

/// The content of a file's headers, read from any source without the bulk of the file.
///
/// The numbers equal [`Asset::summary`](crate::Asset::summary) and [`Asset::quirks`](crate::Asset::quirks) of the whole file:
/// one description of the layout serves both. A file is read whole only if its header does not say where the frames begin.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Headers {
    /// The format.
    pub format: Format,
    /// The counts.
    pub summary: Summary,
    /// The codes of the quirks, each once, in file order.
    pub quirks: Vec<Code>,
    /// The names, if they were asked for.
    pub names: Option<Names>,
}

impl Headers {
    /// Reads the headers of a source. O(chunks + sequences) requests at most.
    ///
    /// # Errors
    /// Those of [`Asset::parse_with`](crate::Asset::parse_with), and those of the source.
    pub fn read<R: ReadAt + ?Sized>(source: &R, options: &ParseOptions) -> Result<Self, ReadError<R::Error>> {
        Self::read_as(Format::sniff_source(source)?, source, options, false)
    }

    /// The same for a source whose format is known, with or without the names of sequences and bones.
    ///
    /// # Errors
    /// Those of [`read`](Self::read).
    pub fn read_as<R: ReadAt + ?Sized>(
        format: Format,
        source: &R,
        options: &ParseOptions,
        with_names: bool,
    ) -> Result<Self, ReadError<R::Error>> {
        let Head { summary, quirks, names } = format.head(source, options, with_names)?;
        Ok(Self { format, summary, quirks, names })
    }
}
