//! Text for people: control characters escaped, numbers with their nouns and units.

use std::fmt::Display;
use std::path::MAIN_SEPARATOR;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Text in which invisible characters are escaped, so that a name in a file can neither control a terminal nor reverse a line.
pub(crate) fn clean(text: impl Display) -> String {
    let text = text.to_string();
    if is_plain(&text) || !text.contains(is_invisible) {
        return text;
    }
    text.chars().map(|c| if is_invisible(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}

/// Whether a text has visible ASCII characters and blanks only, as nearly all texts: no tables of Unicode are needed then.
fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// The columns of a terminal that a text takes.
pub(crate) fn width(text: &str) -> usize {
    if is_plain(text) { text.len() } else { text.width() }
}

/// Whether a character is a control character, a line separator, a mark that changes the writing direction, or has no shape.
pub(crate) fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}')
        || matches!(c, '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// A number in at most six characters, with k, M and G for thousands, millions and more.
pub(crate) fn figure(number: f64) -> String {
    /// From which number on a unit is used, and what it is.
    const UNITS: [(f64, f64, &str); 4] = [(1e12, 1e12, "T"), (1e9, 1e9, "G"), (1e6, 1e6, "M"), (1e4, 1e3, "k")];
    let large = UNITS.iter().find(|(least, ..)| number.abs() >= *least);
    let (number, unit) = large.map_or((number, ""), |(_, unit, name)| (number / unit, *name));
    let decimals = match number.abs() {
        _ if number.fract() == 0.0 => 0,
        size if size >= 99.95 => 0,
        size if size >= 9.995 => 1,
        _ => 2,
    };
    // Of the two zeros, 0 is the one without a sign.
    format!("{:.decimals$}{unit}", number + 0.0)
}

/// The first 60 characters of a text.
pub(crate) fn short(text: impl Display) -> String {
    const MAX_CHARS: usize = 60;
    let text = clean(text);
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// A message without its middle, if a name in it is so long that it fills a terminal: the first and the last 1,000 characters.
pub(crate) fn cut(text: String) -> String {
    const END: usize = 1_000;
    let start = text.char_indices().nth(END).map_or(text.len(), |(at, _)| at);
    let end = text.char_indices().nth_back(END - 1).map_or(0, |(at, _)| at);
    match (text.get(..start), text.get(start..end), text.get(end..)) {
        (Some(first), Some(left), Some(last)) if !left.is_empty() => {
            format!("{first}… ({} bytes left out) …{last}", left.len())
        }
        _ => text,
    }
}

/// How many bytes of these characters fit into a width.
fn fitting(characters: impl Iterator<Item = char>, width: usize) -> usize {
    let mut used = 0;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= width
    };
    characters.take_while(fits).map(char::len_utf8).sum()
}

/// A path that is wider than a terminal has room, cut where people need it least. The name of the file stays, with as many of the
/// folders around it as fit, and with the first folder if there is room left. Of a name that does not fit alone, the stem stays; of a
/// stem that does not fit, its start and its end.
pub(crate) fn shortened(path: &str, width: usize) -> String {
    if path.width() <= width {
        return path.to_owned();
    }
    let room = width.saturating_sub(1);
    // Where each part begins, with its separator.
    let parts = || path.rmatch_indices(['/', MAIN_SEPARATOR]).filter(|(at, _)| *at > 0).map(|(at, _)| at);
    let tail = |at: usize| path.get(at..).unwrap_or_default();
    let Some(end) = parts().map(tail).take_while(|end| end.width() <= room).last() else {
        let name = parts().next().map_or(path, |at| tail(at + 1));
        return shortened_name(name, width);
    };
    let first = parts().next_back().and_then(|at| path.get(..=at)).unwrap_or_default();
    let has_room = first.width() + end.width() <= room;
    format!("{}…{end}", if has_room { first } else { "" })
}

/// The name of a file that is wider than a terminal has room.
fn shortened_name(name: &str, width: usize) -> String {
    if name.width() <= width {
        return name.to_owned();
    }
    let room = width.saturating_sub(1);
    let stem = name.find('.').filter(|at| *at > 0).and_then(|at| name.get(..at)).unwrap_or(name);
    if stem.width() <= room && stem.len() < name.len() {
        return format!("{stem}…");
    }
    let end = fitting(stem.chars().rev(), room / 2);
    let end = stem.get(stem.len().saturating_sub(end)..).unwrap_or_default();
    let start = stem.get(..fitting(stem.chars(), room.saturating_sub(end.width()))).unwrap_or_default();
    format!("{start}…{end}")
}

/// The words of a text on lines of a width. A word that is wider is broken.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for mut word in text.split(' ') {
        if !line.is_empty() && line.width() + 1 + word.width() > width {
            lines.push(std::mem::take(&mut line));
        } else if !line.is_empty() {
            line.push(' ');
        }
        while word.width() > width {
            let length = fitting(word.chars(), width.max(2));
            let (start, rest) = word.split_at_checked(length).unwrap_or((word, ""));
            lines.push(start.to_owned());
            word = rest;
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

/// A number with its noun: `1 bone`, `2 bones`.
pub(crate) fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A number of bytes with a unit: `2.45 KiB`.
pub(crate) fn size(bytes: u64) -> String {
    indicatif::HumanBytes(bytes).to_string()
}

/// The end of a message that stands for `count` equal ones.
pub(crate) fn and_more(count: u64) -> String {
    match count {
        0 | 1 => String::new(),
        count => format!(" (and {} more)", count - 1),
    }
}

/// How many of the pairs of neighbours two texts have in common, in percent.
pub(crate) fn likeness(one: &str, other: &str) -> usize {
    let pairs = |text: &str| text.len().saturating_sub(1);
    let all = pairs(one) + pairs(other);
    let is_shared = |pair: &&[u8]| other.as_bytes().windows(2).any(|own| own == *pair);
    let shared = one.as_bytes().windows(2).filter(is_shared).count();
    (200 * shared).checked_div(all).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_of_more_than_two_thousand_characters_has_no_middle() {
        for character in ["a", "é", "🦊"] {
            let whole = character.repeat(2_000);
            assert_eq!(cut(whole.clone()), whole);
            let end = character.repeat(1_000);
            let left = 5 * character.len();
            assert_eq!(cut(character.repeat(2_005)), format!("{end}… ({left} bytes left out) …{end}"));
        }
        assert_eq!(cut("short".to_owned()), "short");
    }

    #[test]
    fn a_zero_has_no_sign() {
        assert_eq!([-0.0, 0.0, -0.5, 12_500.0].map(figure), ["0", "0", "-0.50", "12.5k"]);
    }

    #[test]
    fn a_long_path_keeps_the_name_of_its_file_and_the_folders_around_it() {
        assert_eq!(shortened("art/meshes/fox.psk", 18), "art/meshes/fox.psk");
        assert_eq!(shortened("art/meshes/fox.psk", 17), "…/meshes/fox.psk");
        assert_eq!(shortened("art/meshes/fox.psk", 14), "art/…/fox.psk");
        assert_eq!(shortened("art/meshes/fox.psk", 9), "…/fox.psk");
        assert_eq!(shortened("art/meshes/skeletal/horse.dae.cached.pmd", 36), "art/…/skeletal/horse.dae.cached.pmd");
        assert_eq!(shortened("art/meshes/skeletal/horse.dae.cached.pmd", 32), "…/skeletal/horse.dae.cached.pmd");
        assert_eq!(shortened("骨骼/骨骼/骨.psk", 12), "…/骨.psk");
        assert_eq!(shortened("骨骼/骨骼/骨.psk", 13), "…/骨骼/骨.psk");
        for width in 0..45 {
            for path in [
                "art/骨骼/meshes/fox.psk",
                "art/meshes/skeletal/horse.dae.cached.pmd",
                "a/骨骼骨骼骨骼",
                "/x",
                "//",
                "..psk",
            ] {
                assert!(shortened(path, width).width() <= width.max(1), "{path} {width}");
            }
        }
    }

    #[test]
    fn a_name_that_does_not_fit_keeps_its_stem_or_both_ends_of_it() {
        assert_eq!(shortened("art/horse_gallop.dae.cached.psa", 13), "horse_gallop…");
        assert_eq!(shortened("art/horse_idle_03.dae.cached.psa", 11), "horse…le_03");
        assert_eq!(shortened("art/meshes/the_long_fox.psk", 10), "the_l…_fox");
        assert_eq!(shortened("no_extension_at_all", 9), "no_e…_all");
    }

    #[test]
    fn no_line_is_wider_than_asked_and_no_word_is_lost() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("a abcdefghij b", 4), ["a", "abcd", "efgh", "ij b"]);
        assert_eq!(wrapped("骨骼骨", 4), ["骨骼", "骨"]);
        assert_eq!(wrapped("", 4), [""]);
    }

    /// Unicode's characters that control or have no shape: categories Cc, Cf, Zl and Zp, with the tags.
    #[test]
    fn invisible_characters_are_escaped_and_others_are_not() {
        let invisible = "\0\n\u{1b}\u{7f}\u{85}\u{ad}\u{61c}\u{180e}\u{200b}\u{200f}\u{2028}\u{2029}\u{202e}\u{2060}\u{2066}\
                         \u{206f}\u{feff}\u{fff9}\u{fffb}\u{e0001}\u{e007f}";
        for c in invisible.chars() {
            assert_eq!(clean(format!("a{c}b")), format!("a{}b", c.escape_unicode()));
        }
        for c in " ~\u{a0}\u{ac}\u{ae}é\u{2010}\u{2027}\u{202f}日\u{1f98a}".chars() {
            assert_eq!(clean(format!("a{c}b")), format!("a{c}b"));
        }
    }
}
