//! Errors while reading a source: faults in its bytes, and failed reads.

use core::convert::Infallible;

use super::error::Error;
use crate::bytes::ReadAt;

/// Why headers, or the directory of an archive, could not be read from a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError<E, F = Error> {
    /// The bytes are not a file of a supported format, or a damaged one.
    #[error("{0}")]
    Format(F),
    /// The source could not be read.
    #[error("cannot read: {0}")]
    Source(#[source] E),
}

/// The result of reading a source.
pub(crate) type ReadResult<T, R> = Result<T, ReadError<<R as ReadAt>::Error>>;

impl<E, F> From<F> for ReadError<E, F> {
    fn from(error: F) -> Self {
        Self::Format(error)
    }
}

impl<F> ReadError<Infallible, F> {
    /// The error about the bytes; reading a slice never fails.
    pub(crate) fn into_format(self) -> F {
        match self {
            Self::Format(error) => error,
            Self::Source(never) => match never {},
        }
    }
}
