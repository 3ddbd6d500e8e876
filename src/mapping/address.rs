//! Addresses as text: the one rule for their form, and hiding their secrets. A store says which addresses it owns.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

const SCHEME_END: &str = "://";

/// The schemes of buckets, where a key may contain `?` and `#`.
const BUCKETS: [&str; 3] = ["s3", "gs", "az"];

/// The scheme of an address, and the rest; `None` for a path. One letter is a drive, and `file` names a path.
fn scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(SCHEME_END)?;
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    let is_scheme = scheme.len() > 1 && scheme.starts_with(|first: char| first.is_ascii_alphabetic());
    let is_scheme = is_scheme && scheme.bytes().all(is_word) && !scheme.eq_ignore_ascii_case("file");
    is_scheme.then_some((scheme, rest))
}

/// Whether a text has the form of an address in a store: a scheme, `://`, and the rest.
///
/// ```
/// use skelmap::mapping::is_address;
///
/// assert!(is_address("s3://bucket/mods/public.zip"));
/// assert!(!is_address("mods/public.zip"));
/// assert!(!is_address("file:///mods/public.zip"));
/// ```
pub fn is_address(text: &str) -> bool {
    scheme(text).is_some()
}

/// The address without its query, which may have credentials, and the query.
#[cfg(feature = "archive")]
pub(crate) fn split_query(text: &str) -> (&str, &str) {
    text.split_at_checked(without_query(text).len()).unwrap_or((text, ""))
}

fn without_query(text: &str) -> &str {
    match scheme(text) {
        Some((scheme, _)) if !BUCKETS.iter().any(|bucket| scheme.eq_ignore_ascii_case(bucket)) => {
            text.split(['?', '#']).next().unwrap_or(text)
        }
        _ => text,
    }
}

/// The printable form of an address: without its query, and with `***` instead of a name and a password before the host. A path
/// is not changed.
///
/// ```
/// use skelmap::mapping::shown;
///
/// assert_eq!(shown("https://me:word@example.org/a.psa?sig=1"), "https://***@example.org/a.psa");
/// ```
pub fn shown(address: &str) -> Cow<'_, str> {
    let shown = without_query(address);
    let Some((scheme, rest)) = scheme(shown) else { return shown.into() };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    match host.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}{SCHEME_END}***@{host}{path}").into(),
        None => shown.into(),
    }
}

/// The printable form of a path: an address without secrets.
pub(crate) fn shown_path(path: &Path) -> PathBuf {
    path.to_str().map_or_else(|| path.to_owned(), |text| shown(text).as_ref().into())
}

/// Removes secrets from a text: names and passwords in addresses, and queries, which may be signatures. An address ends at a
/// space or a quote.
///
/// ```
/// use skelmap::mapping::without_secrets;
///
/// assert_eq!(without_secrets("cannot open s3://b/a.psa?sig=1 now"), "cannot open s3://b/a.psa now");
/// ```
pub fn without_secrets(text: &str) -> String {
    let (mut shown, mut rest) = (String::new(), text);
    while let Some((before, after)) = rest.split_once(SCHEME_END) {
        let length = after.find(|c: char| c.is_whitespace() || "'\"`".contains(c)).unwrap_or(after.len());
        let (address, left) = after.split_at(length);
        let (place, query) = address.split_at(address.find(['?', '#']).unwrap_or(address.len()));
        let (host, path) = place.split_at(place.find('/').unwrap_or(place.len()));
        let host = host.rsplit_once('@').map_or_else(|| host.to_owned(), |(_, host)| format!("***@{host}"));
        let end = if query.ends_with(':') { ":" } else { "" };
        shown.extend([before, SCHEME_END, &host, path, end]);
        rest = left;
    }
    shown + rest
}
