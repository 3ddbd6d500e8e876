//! Names as the converter of 0 A.D. compares them.

/// A name as the game cleans it: a letter or `_` first, then letters, digits, `_` and `-`; any other byte is `_`.
///
/// ```
/// assert_eq!(skelmap_write::clean_name("Bip01 Spine.001"), "Bip01_Spine_001");
/// ```
pub fn clean(name: &str) -> String {
    let allowed = |(index, byte): (usize, u8)| {
        let is_kept =
            byte.is_ascii_alphabetic() || byte == b'_' || index > 0 && (byte.is_ascii_digit() || byte == b'-');
        char::from(if is_kept { byte } else { b'_' })
    };
    name.bytes().enumerate().map(allowed).collect()
}

/// The name of an attachment, if this is the name of its node: what follows `prop-` or `prop_`, where the fifth byte may be any that cleaning turns
/// into `_`.
pub(crate) fn prop_name(node: &str) -> Option<&str> {
    let cleaned = clean(node);
    let is_prop = cleaned.starts_with("prop-") || cleaned.starts_with("prop_");
    if !is_prop {
        return None;
    }
    // A character of several bytes stands for several bytes in the cleaned name.
    Some(node.get(5..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cleaned_as_the_game_does() {
        assert_eq!(clean("-a b.c-1"), "_a_b_c-1");
        assert_eq!(clean("1É"), "___");
        assert_eq!(clean(""), "");
    }

    #[test]
    fn attachments_are_named_behind_their_prefix() {
        assert_eq!(prop_name("prop-head"), Some("head"));
        assert_eq!(prop_name("prop.x"), Some("x"));
        assert_eq!(prop_name("Prop-head"), None);
        assert_eq!(prop_name("propÉx"), Some(""), "the second byte of a character is no place to cut");
        assert_eq!(prop_name("notprop-x"), None);
    }
}
