//! Paths as text, and back.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use skelmap::archive::Address;

use crate::markup::percent_encoded;

/// The prefix of a path that is not Unicode.
const START: &str = "file://";

/// The path and the entry of an address, as rows have them.
pub fn path_and_entry(address: &Address) -> (String, Option<String>) {
    (path_text(address.path()).into_owned(), address.entry().map(ToOwned::to_owned))
}

/// A path as text that [`path_of`] converts back: the path itself, or a `file:` address of the absolute path if the path is not
/// Unicode (on Unix; other systems replace such characters).
///
/// ```
/// use skelmap_batch::path_text;
///
/// assert_eq!(path_text("mods/a.psk".as_ref()), "mods/a.psk");
/// # #[cfg(unix)] {
/// use std::os::unix::ffi::OsStrExt;
/// let path = std::ffi::OsStr::from_bytes(b"/mods/\xE9p\xE9e.psk");
/// assert_eq!(path_text(path.as_ref()), "file:///mods/%E9p%E9e.psk");
/// # }
/// ```
pub fn path_text(path: &Path) -> Cow<'_, str> {
    match path.to_str() {
        Some(text) => text.into(),
        None => escaped(path).unwrap_or_else(|| path.display().to_string()).into(),
    }
}

/// The address of the absolute path, on Unix.
fn escaped(path: &Path) -> Option<String> {
    let path = std::path::absolute(path).ok().filter(|_| cfg!(unix))?;
    Some(format!("{START}{}", percent_encoded(path.as_os_str().as_encoded_bytes(), b"-._~/")))
}

/// The path that a text means: the path of a `file:` address, or the text itself. A file with exactly this name has priority.
///
/// ```
/// use skelmap_batch::path_of;
///
/// assert_eq!(path_of("mods/a.psk".as_ref()), std::path::Path::new("mods/a.psk"));
/// # #[cfg(unix)]
/// assert_eq!(path_of("file:///mods/a%20b.psk".as_ref()), std::path::Path::new("/mods/a b.psk"));
/// ```
pub fn path_of(text: &OsStr) -> PathBuf {
    let whole = PathBuf::from(text);
    let escaped = text.to_str().and_then(|text| text.strip_prefix(START)).filter(|path| path.starts_with('/'));
    match escaped {
        Some(escaped) if !whole.exists() => unescaped(escaped).unwrap_or(whole),
        _ => whole,
    }
}

fn unescaped(text: &str) -> Option<PathBuf> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut digit = || char::from(rest.next()?).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        bytes.push(if byte == b'%' { digit()? << 4 | digit()? } else { byte });
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStringExt;

        Some(std::ffi::OsString::from_vec(bytes).into())
    }
    #[cfg(not(unix))]
    {
        // `file:///C:/mods`
        let text = String::from_utf8(bytes).ok()?;
        let drive = text.strip_prefix('/').filter(|text| text.as_bytes().get(1) == Some(&b':'));
        Some(drive.unwrap_or(&text).into())
    }
}
