//! Errors about a source: its bytes, or reading them.

use core::convert::Infallible;

use super::error::Error;
use crate::bytes::ReadAt;

/// Why a source gave no headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError<E> {
    /// The bytes are no file of a format that is read.
    #[error("{0}")]
    Format(Error),
    /// The source could not be read.
    #[error("cannot read: {0}")]
    Source(E),
}

/// What reading a source gives.
pub(crate) type ReadResult<T, R> = Result<T, ReadError<<R as ReadAt>::Error>>;

impl<E> From<Error> for ReadError<E> {
    fn from(error: Error) -> Self {
        Self::Format(error)
    }
}

impl ReadError<Infallible> {
    /// The error about the bytes; a slice has no other.
    pub(crate) fn into_format(self) -> Error {
        match self {
            Self::Format(error) => error,
            Self::Source(never) => match never {},
        }
    }
}
