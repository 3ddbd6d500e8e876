//! Text of files in HTML and SVG: no letter of a name is markup, and letters that nobody sees are made visible.

use std::fmt::Write as _;

pub use skelmap_preview::escaped;

/// A relative path as an address: what browsers and other readers of addresses take for more than a letter is written as its bytes.
pub fn to_link(path: &str) -> String {
    percent_encoded(path.replace('\\', "/").as_bytes(), b"-._~/@")
}

/// Bytes as a part of an address: letters, digits and those of `kept` as they are, others as `%` and two hexadecimal digits.
pub(crate) fn percent_encoded(bytes: &[u8], kept: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for byte in bytes {
        if byte.is_ascii_alphanumeric() || kept.contains(byte) {
            text.push(char::from(*byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_markup_and_turn_no_text() {
        let shown = escaped("<a href=\"x\">'&\u{202E}\0");
        assert_eq!(shown, "&lt;a href=&quot;x&quot;&gt;&#39;&amp;\u{27E8}U+202E\u{27E9}\u{27E8}U+0000\u{27E9}");
        // XML 1.0, production 2: a document has no U+FFFE and U+FFFF.
        assert_eq!(escaped("\u{FFFD}\u{FFFE}\u{FFFF}"), "\u{FFFD}\u{27E8}U+FFFE\u{27E9}\u{27E8}U+FFFF\u{27E9}");
    }
}
