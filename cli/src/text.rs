//! Text for people: control characters escaped, numbers with their nouns and units.

use std::path::MAIN_SEPARATOR;

use skelmap_batch::text::is_plain;
pub(crate) use skelmap_batch::text::{
    and_more, clean, counted, figure, first_names, is_invisible, likeness, near_names, nearest, short, size,
};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The columns of a terminal that a text takes.
pub(crate) fn width(text: &str) -> usize {
    if is_plain(text) { text.len() } else { text.width() }
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
}
