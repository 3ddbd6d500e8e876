//! Errors while reading a source: faults in its bytes, and failed reads.

use core::convert::Infallible;

use super::error::Error;
use crate::bytes::ReadAt;

/// Why the headers of a source could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError<E> {
    /// The bytes are not a file of a supported format.
    #[error("{0}")]
    Format(Error),
    /// The source could not be read.
    #[error("cannot read: {0}")]
    Source(E),
}

/// The result of reading a source.
pub(crate) type ReadResult<T, R> = Result<T, ReadError<<R as ReadAt>::Error>>;

impl<E> From<Error> for ReadError<E> {
    fn from(error: Error) -> Self {
        Self::Format(error)
    }
}

impl ReadError<Infallible> {
    /// The error about the bytes; reading a slice never fails.
    pub(crate) fn into_format(self) -> Error {
        match self {
            Self::Format(error) => error,
            Self::Source(never) => match never {},
        }
    }
}
