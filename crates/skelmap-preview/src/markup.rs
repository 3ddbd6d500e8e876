//! Escapes text of files for HTML and SVG, and makes invisible characters visible.

use std::fmt::Write as _;

/// Escapes a text for HTML and XML, in an element or an attribute. Invisible characters become `⟨U+202E⟩`.
///
/// ```
/// assert_eq!(skelmap_preview::escaped("<a>\u{202E}"), "&lt;a&gt;\u{27E8}U+202E\u{27E9}");
/// ```
pub fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter if is_invisible(letter) => {
                let _ = write!(escaped, "\u{27E8}U+{:04X}\u{27E9}", u32::from(letter));
            }
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Whether a character is a control character, a line separator, a mark of the writing direction, has no shape, or is none: the last two code
/// points of each plane, of which XML forbids U+FFFE and U+FFFF.
///
/// ```
/// assert!(skelmap_preview::is_invisible('\u{FFFF}') && !skelmap_preview::is_invisible('\u{FFFD}'));
/// ```
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || u32::from(c) & 0xFFFE == 0xFFFE
        || matches!(c, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}')
        || matches!(c, '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}
