//! Addresses of objects: from text to a store and a path in it.

use object_store::path::Path;
use skelmap::mapping::shown;
use url::Url;

use super::error::RemoteError;

/// The schemes of addresses.
const SCHEMES: [(&str, Scheme); 5] = [
    ("s3://", Scheme::S3),
    ("gs://", Scheme::Google),
    ("az://", Scheme::Azure),
    ("https://", Scheme::Http),
    ("http://", Scheme::Http),
];

/// A kind of store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scheme {
    S3,
    Google,
    Azure,
    Http,
}

/// The scheme of an address and the rest of it. The address begins with `s3://`, `gs://`, `az://`, `https://` or `http://`, in any case.
pub(super) fn scheme(text: &str) -> Option<(Scheme, &str)> {
    SCHEMES.iter().find_map(|(start, scheme)| {
        let (own, rest) = text.split_at_checked(start.len())?;
        own.eq_ignore_ascii_case(start).then_some((*scheme, rest))
    })
}

/// The parts of an address.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) scheme: Scheme,
    /// The address of the store: `s3://bucket`, `https://host:port/?query`.
    pub(super) store: String,
    pub(super) path: Path,
    /// Whether the address ends with `/` and means the objects below it.
    pub(super) is_prefix: bool,
}

impl Parts {
    /// Keys of buckets are used unchanged. The path of an `https` address is percent-encoded, as in a browser.
    pub(super) fn parse(text: &str) -> Result<Self, RemoteError> {
        let (scheme, rest) = scheme(text).ok_or_else(|| RemoteError::address("the scheme is unknown"))?;
        if scheme == Scheme::Http {
            return Self::of_url(text);
        }
        let (bucket, key) = rest.split_once('/').unwrap_or((rest, ""));
        if bucket.is_empty() || bucket.contains(['@', ':', '?', '#', '%']) {
            return Err(RemoteError::address("the name of the bucket is missing or invalid"));
        }
        let path = Path::parse(key).map_err(RemoteError::address)?;
        let store = text.get(..text.len().saturating_sub(key.len())).unwrap_or_default().trim_end_matches('/');
        Ok(Self { scheme, store: store.to_owned(), path, is_prefix: key.is_empty() || key.ends_with('/') })
    }

    fn of_url(text: &str) -> Result<Self, RemoteError> {
        // The message of the parser does not repeat the text.
        let mut url = Url::parse(text).map_err(RemoteError::address)?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(RemoteError::address("it contains a user name or a password, which is not allowed"));
        }
        url.set_fragment(None);
        let path = Path::from_url_path(url.path()).map_err(|_| RemoteError::address("its path has an empty part"))?;
        let is_prefix = url.path().ends_with('/');
        url.set_path("/");
        Ok(Self { scheme: Scheme::Http, store: url.into(), path, is_prefix })
    }
}

/// The address of an object that a store listed below `prefix`, which begins with the address of the store.
pub(super) fn listed(parts: &Parts, path: &Path) -> String {
    match parts.scheme {
        Scheme::Http => {
            let store = shown(&parts.store);
            let store = store.trim_end_matches('/');
            let mut url = Url::parse(store).ok();
            if let Some(mut segments) = url.as_mut().and_then(|url| url.path_segments_mut().ok()) {
                segments.clear().extend(path.parts().map(|part| part.as_ref().to_owned()));
            }
            url.map_or_else(|| format!("{store}/{path}"), String::from)
        }
        _ => format!("{}/{path}", parts.store),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_has_a_name_of_its_own_letters() {
        let parts = Parts::parse("s3://bucket/a/b.psk").unwrap();
        assert_eq!((parts.store.as_str(), parts.path.as_ref(), parts.is_prefix), ("s3://bucket", "a/b.psk", false));
        for text in
            ["s3://", "s3:///key", "gs://a@b/key", "az://a:b/key", "s3://a?b/key", "s3://a#b/key", "s3://a%62/key"]
        {
            assert!(matches!(Parts::parse(text), Err(RemoteError::Address { .. })), "{text}");
        }
    }

    #[test]
    fn a_web_address_has_no_name_and_no_password() {
        let parts = Parts::parse("http://host:81/a%20b/c.psk?sig=1#part").unwrap();
        assert_eq!((parts.store.as_str(), parts.path.as_ref()), ("http://host:81/?sig=1", "a b/c.psk"));
        for text in ["https://user@host/a", "https://:word@host/a", "https://user:word@host/a"] {
            assert!(matches!(Parts::parse(text), Err(RemoteError::Address { .. })), "{text}");
        }
    }

    /// Keys of buckets are as they are; paths of the web are percent-encoded, and a query is not shown.
    #[test]
    fn an_object_of_a_list_has_the_address_that_opens_it() {
        for (prefix, expected) in [
            ("s3://bucket/a b/", "s3://bucket/a b/c d.psk"),
            ("https://host/a%20b/?sig=1", "https://host/a%20b/c%20d.psk"),
            ("http://host:81/", "http://host:81/a%20b/c%20d.psk"),
        ] {
            let parts = Parts::parse(prefix).unwrap();
            let path = Path::parse("a b/c d.psk").unwrap();
            let found = listed(&parts, &path);
            assert_eq!(found, expected);
            assert_eq!(Parts::parse(&found).unwrap().path, path);
        }
    }
}
