//! Errors about objects in stores.

use core::error::Error;
use core::fmt::Display;
use std::io;

use skelmap::mapping::StoreError;

use super::codes;

skelmap::kinds! {
    /// An error about an object in a store, or about access to it. Each has a stable [`code`](RemoteError::code).
    ///
    /// `Display` is one sentence that can follow `address: `. It contains no credentials: neither the query of an address nor
    /// the store's text about a request is repeated, except the status and the numbers of a range.
    pub enum RemoteError {
        /// The text is not an address.
        Address {
            /// The fault of the text.
            reason: Box<str>,
        } = codes::REMOTE_ADDRESS, "not an address of an object: {reason}";
        /// The object does not exist.
        NotFound = codes::REMOTE_NOT_FOUND, "there is no such object";
        /// The store refuses the request.
        Denied {
            /// The answer.
            reason: Box<str>,
        } = codes::REMOTE_DENIED, "the server refuses access: {reason}";
        /// The object was replaced.
        Changed = codes::REMOTE_CHANGED, "the file on the server changed while it was read; read it again";
        /// The server ignores ranges.
        NoRanges {
            /// The answer.
            reason: Box<str>,
        } = codes::REMOTE_NO_RANGES, "the server does not support range requests: {reason}; download the file first";
        /// The length of the body differs from its header.
        Length {
            /// Requested bytes.
            asked: u64,
            /// Bytes sent: a number, or `more`.
            sent: Box<str>,
        } = codes::REMOTE_LENGTH, "requested {asked} bytes, but the server sent {sent}";
        /// The object is too large to be read as a whole.
        TooLarge {
            /// Bytes, as the store states.
            size: u64,
            /// The limit.
            limit: u64,
        } = codes::REMOTE_TOO_LARGE, "the object has {size} bytes, more than the limit of {limit}";
        /// The limit for all requests together is reached.
        Limit {
            /// The limit.
            limit: u64,
        } = codes::REMOTE_LIMIT, "the download limit of {limit} bytes is reached";
        /// The store cannot be reached, or answers with an error.
        Unavailable {
            /// The last answer.
            reason: Box<str>,
        } = codes::REMOTE_UNAVAILABLE, "no data from the server: {reason}";
        /// The server redirects to an address that is not followed.
        Redirect {
            /// The rule.
            reason: &'static str,
        } = codes::REMOTE_REDIRECT, "the redirect is refused: {reason}";
        /// The server has no lists.
        NoList = codes::REMOTE_NO_LIST, "the server does not list objects; name the objects themselves";
    }
}

impl RemoteError {
    pub(super) fn address(reason: impl Display) -> Self {
        Self::Address { reason: reason.to_string().into() }
    }

    pub(super) fn unavailable(reason: impl Display) -> Self {
        Self::Unavailable { reason: reason.to_string().into() }
    }
}

impl From<object_store::Error> for RemoteError {
    fn from(error: object_store::Error) -> Self {
        use object_store::Error as Store;
        // An error of the meter.
        if let Some(own) = causes(&error).find_map(|cause| cause.downcast_ref::<Self>()) {
            return own.clone();
        }
        let reason = reason(&error);
        match error {
            Store::NotFound { .. } => Self::NotFound,
            Store::Precondition { .. } | Store::NotModified { .. } => Self::Changed,
            Store::PermissionDenied { .. } | Store::Unauthenticated { .. } => Self::Denied { reason },
            Store::InvalidPath { .. } => Self::Address { reason },
            // The types of these errors are private to their crate.
            _ if reason.starts_with("Range request not supported") || reason.contains("non-partial response") => {
                Self::NoRanges { reason: "it answers with the whole file".into() }
            }
            // An error of a list is only recognisable by its status.
            _ if reason.starts_with("it answers 404") => Self::NotFound,
            _ if ["it answers 401", "it answers 403"].iter().any(|status| reason.starts_with(status)) => {
                Self::Denied { reason }
            }
            _ if RANGES.iter().any(|text| reason.contains(text)) => Self::NoRanges { reason },
            _ => Self::Unavailable { reason },
        }
    }
}

/// The start of errors about ranges.
const RANGES: [&str; 3] = ["Content-Range", "CONTENT_RANGE", "Requested "];

/// An error and its causes.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |error: &&'a (dyn Error + 'static)| (*error).source())
}

/// The deepest cause in one short line. Outer causes contain the address and its query, which may have credentials; the deepest
/// one does not. The body of an error response is left out.
pub(super) fn reason(error: &object_store::Error) -> Box<str> {
    const STATUS: &str = "Server returned non-2xx status code: ";
    if let Some(found) = causes(error).find_map(|cause| content_range(&cause.to_string())) {
        return format!("its Content-Range is {found}, expected `bytes FIRST-LAST/SIZE`").into();
    }
    let last = causes(error).last().map(ToString::to_string).unwrap_or_default();
    let last = match last.split_once(STATUS) {
        Some((_, status)) => {
            format!("it answers {}", status.split(": ").next().unwrap_or_default().trim_end_matches(':'))
        }
        None => last,
    };
    // Quoted text may be a part of a credential that cannot be parsed.
    let line = last.split(['\n', '"', '`']).next().unwrap_or_default();
    line.chars().filter(|char| !char.is_control()).take(160).collect::<String>().trim().into()
}

/// The value of an invalid `Content-Range` header, from the text of the error. A value is only repeated if all its characters
/// can occur in a range.
fn content_range(text: &str) -> Option<String> {
    if text.starts_with("Content-Range header contained") {
        return Some("other text".to_owned());
    }
    let value = text.strip_prefix("Failed to parse value for CONTENT_RANGE header: ")?.trim_matches('"');
    let numbers = value.strip_prefix("bytes").unwrap_or(value);
    let is_range = value.len() <= 80 && numbers.chars().all(|char| char.is_ascii_digit() || " -/*".contains(char));
    Some(if is_range { format!("`{value}`") } else { "other text".to_owned() })
}

/// Whether an error or one of its causes begins with a text.
pub(super) fn begins(error: &object_store::Error, start: &str) -> bool {
    causes(error).any(|cause| cause.to_string().starts_with(start))
}

impl From<RemoteError> for io::Error {
    fn from(error: RemoteError) -> Self {
        let kind = match error {
            RemoteError::NotFound => io::ErrorKind::NotFound,
            RemoteError::Denied { .. } => io::ErrorKind::PermissionDenied,
            RemoteError::Address { .. } => io::ErrorKind::InvalidInput,
            _ => io::ErrorKind::Other,
        };
        Self::new(kind, StoreError::new(error.code(), error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(error: object_store::Error) -> RemoteError {
        error.into()
    }

    fn other(text: &str) -> object_store::Error {
        object_store::Error::Generic { store: "store", source: text.into() }
    }

    #[test]
    fn errors_of_a_store_have_the_kind_of_what_happened() {
        use object_store::Error as Store;
        let (path, source) = (|| "a".to_owned(), || "why".into());
        assert!(matches!(found(Store::NotFound { path: path(), source: source() }), RemoteError::NotFound));
        assert!(matches!(found(Store::Precondition { path: path(), source: source() }), RemoteError::Changed));
        assert!(matches!(found(Store::NotModified { path: path(), source: source() }), RemoteError::Changed));
        assert!(matches!(
            found(Store::PermissionDenied { path: path(), source: source() }),
            RemoteError::Denied { .. }
        ));
        assert!(matches!(found(Store::Unauthenticated { path: path(), source: source() }), RemoteError::Denied { .. }));
        let address = object_store::path::Path::parse("a//b").unwrap_err();
        assert!(matches!(found(Store::InvalidPath { source: address }), RemoteError::Address { .. }));
        let status =
            |code: u16| other(&format!("Server returned non-2xx status code: {code} Some Words: body with secrets"));
        assert!(matches!(found(status(404)), RemoteError::NotFound));
        for code in [401, 403] {
            let RemoteError::Denied { reason } = found(status(code)) else { panic!("{code}") };
            assert_eq!(&*reason, format!("it answers {code} Some Words"));
        }
        assert!(matches!(found(status(500)), RemoteError::Unavailable { .. }));
        assert!(matches!(found(other("Range request not supported by the server")), RemoteError::NoRanges { .. }));
        assert!(matches!(found(other("Requested 3..5, got 0..9")), RemoteError::NoRanges { .. }));
        assert!(matches!(found(other("nothing known")), RemoteError::Unavailable { .. }));
        // One of our own, inside of theirs.
        let own = Store::Generic { store: "store", source: Box::new(RemoteError::Changed) };
        assert!(matches!(found(own), RemoteError::Changed));
    }

    #[test]
    fn errors_are_those_of_the_system_where_it_has_them() {
        let reason = || "why".into();
        let kind = |error: RemoteError| io::Error::from(error).kind();
        assert_eq!(kind(RemoteError::NotFound), io::ErrorKind::NotFound);
        assert_eq!(kind(RemoteError::Denied { reason: reason() }), io::ErrorKind::PermissionDenied);
        assert_eq!(kind(RemoteError::Address { reason: reason() }), io::ErrorKind::InvalidInput);
        assert_eq!(kind(RemoteError::Unavailable { reason: reason() }), io::ErrorKind::Other);
    }

    #[test]
    fn a_reason_is_one_short_line_without_what_may_be_secret() {
        assert_eq!(&*reason(&other("first\nsecond")), "first");
        assert_eq!(&*reason(&other("bad header \"secret\"")), "bad header");
        assert_eq!(reason(&other(&"x".repeat(500))).len(), 160);
        let range = |value: &str| {
            reason(&other(&format!("Failed to parse value for CONTENT_RANGE header: \"{value}\""))).into_string()
        };
        assert!(range("bytes 0-9/1").contains("`bytes 0-9/1`"));
        assert!(range("bytes secret").contains("is other text"));
        let (long, longer) = ("1".repeat(80), "1".repeat(81));
        assert!(range(&long).contains(&long) && range(&longer).contains("is other text"));
        assert!(reason(&other("Content-Range header contained invalid bytes")).contains("is other text"));
        assert!(begins(&other("Range of a kind"), "Range") && !begins(&other("A Range"), "Range"));
    }
}
