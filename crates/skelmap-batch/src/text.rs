//! Text for people: control characters escaped, numbers with their nouns and units.

pub use skelmap_preview::is_invisible;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt::Display;

/// Text in which invisible characters are escaped, so that a name in a file can neither control a terminal nor reverse a line.
pub fn clean(text: impl Display) -> String {
    let text = text.to_string();
    if is_plain(&text) || !text.contains(is_invisible) {
        return text;
    }
    text.chars().map(|c| if is_invisible(c) { c.escape_unicode().to_string() } else { c.to_string() }).collect()
}

/// Whether a text has visible ASCII characters and blanks only, as nearly all texts: no tables of Unicode are needed then.
pub fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// A number in at most six characters, with k, M and G for thousands, millions and more.
pub fn figure(number: f64) -> String {
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
pub fn short(text: impl Display) -> String {
    first_chars(clean(text), 60)
}

/// The first 256 characters of a text: names in files have up to a thousand, and reports repeat them.
pub fn beginning(text: String) -> String {
    first_chars(text, 256)
}

fn first_chars(text: String, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// Adds a remark on a number of things: `2 bones without a track`. None on zero of them.
pub(crate) fn add_remark(remarks: &mut Vec<String>, count: usize, noun: &str, remark: &str) {
    if count > 0 {
        remarks.push(format!("{} {remark}", counted(count as u64, noun)));
    }
}

/// A number with its noun: `1 bone`, `2 bones`.
pub fn counted(count: u64, noun: &str) -> String {
    let plural = match noun.strip_suffix("vertex") {
        Some(before) => format!("{before}vertices"),
        None if noun.ends_with("sh") => format!("{noun}es"),
        None => match noun.strip_suffix('y') {
            Some(before) if !before.ends_with(['a', 'e', 'o', 'u']) => format!("{before}ies"),
            _ => format!("{noun}s"),
        },
    };
    format!("{count} {}", if count == 1 { noun } else { &plural })
}

/// The most names in a list for people.
const MAX_NAMES: usize = 5;

/// The first names of a list, and the number of the others: `a, b and 7 more`.
pub fn first_names(names: impl Iterator<Item = impl AsRef<str>>, count: usize) -> String {
    let names: Vec<_> = names.take(MAX_NAMES).map(|name| name.as_ref().to_owned()).collect();
    let more = count - names.len();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{rest}", names.join(", "))
}

/// The most names that are compared with a word.
pub(crate) const MAX_COMPARED: usize = 1 << 12;

/// The first names of a list, each once, by their likeness to a word, and the number of the others, up to a limit: for people who gave a name that does not exist.
pub fn near_names<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    let lower = word.to_lowercase();
    let mut known = HashSet::new();
    let mut names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty() && known.insert(*name)).collect();
    let is_cut = names.len() > MAX_COMPARED;
    names.truncate(MAX_COMPARED);
    names.sort_by_cached_key(|name| Reverse(likeness(&lower, &name.to_lowercase())));
    if is_cut {
        names.truncate(MAX_NAMES);
    }
    let more = if is_cut { " and more" } else { "" };
    first_names(names.iter().map(short), names.len()) + more
}

/// The end of a message that stands for `count` equal ones.
pub fn and_more(count: u64) -> String {
    match count {
        0 | 1 => String::new(),
        count => format!(" (and {} more like this)", count - 1),
    }
}

/// How many of the pairs of neighbours two texts have in common, in percent. Of long texts, the beginnings are compared.
pub fn likeness(one: &str, other: &str) -> usize {
    const MAX_BYTES: usize = 64;
    let [one, other] = [one, other].map(|text| text.as_bytes().get(..MAX_BYTES).unwrap_or(text.as_bytes()));
    let pairs = |text: &[u8]| text.len().saturating_sub(1);
    let all = pairs(one) + pairs(other);
    let is_shared = |pair: &&[u8]| other.windows(2).any(|own| own == *pair);
    let shared = one.windows(2).filter(is_shared).count();
    (200 * shared).checked_div(all).unwrap_or(0)
}

/// The least likeness of a name that is worth a hint, in percent.
pub const MIN_LIKENESS: usize = 40;

/// The name that is most like a word in any case, if one is like it.
pub fn nearest<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let lower = word.to_lowercase();
    let near = names.map(|name| (likeness(&lower, &name.to_lowercase()), name)).max_by_key(|(likeness, _)| *likeness);
    near.filter(|(likeness, _)| *likeness >= MIN_LIKENESS).map(|(_, name)| name)
}

/// A number of bytes with a unit: `2.45 KiB`.
#[expect(clippy::cast_precision_loss, reason = "two decimals are shown")]
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let (mut number, mut unit) = (bytes as f64, None);
    let mut units = UNITS.iter();
    while number >= 1024.0 {
        let Some(next) = units.next() else { break };
        (number, unit) = (number / 1024.0, Some(next));
    }
    unit.map_or_else(|| format!("{bytes} B"), |unit| format!("{number:.2} {unit}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_has_no_sign() {
        assert_eq!([-0.0, 0.0, -0.5, 12_500.0].map(figure), ["0", "0", "-0.50", "12.5k"]);
    }

    #[test]
    fn a_figure_has_three_digits_at_least_and_six_characters_at_most() {
        let cases = [
            (9.994, "9.99"),
            (9.995, "10.0"),
            (-99.94, "-99.9"),
            (99.95, "100"),
            (1234.5, "1234"),
            (9_999.4, "9999"),
            (10_000.0, "10k"),
            (1e6, "1M"),
            (-2.5e9, "-2.50G"),
            (1e12, "1T"),
        ];
        for (number, expected) in cases {
            assert_eq!(figure(number), expected, "{number}");
        }
    }

    #[test]
    fn a_noun_has_its_plural() {
        let nouns = [(1, "mesh"), (2, "mesh"), (0, "vertex"), (3, "bone"), (2, "entry"), (2, "key")];
        let counts = nouns.map(|(count, noun)| counted(count, noun));
        assert_eq!(counts, ["1 mesh", "2 meshes", "0 vertices", "3 bones", "2 entries", "2 keys"]);
    }

    #[test]
    fn a_list_has_five_names_and_the_number_of_the_others() {
        let names = |count: usize| first_names((0..count).map(|name| name.to_string()), count);
        assert_eq!([1, 5, 6].map(names), ["0", "0, 1, 2, 3, 4", "0, 1, 2, 3, 4 and 1 more"]);
    }

    #[test]
    fn the_names_that_are_most_like_a_word_come_first() {
        let names = ["run", "walk_fast", "Walk", "idle", "die", "jump"];
        assert_eq!(near_names("walks", ["run", "Walk"]), "Walk, run");
        assert_eq!(near_names("walk", names), "Walk, walk_fast, run, idle, die and 1 more");
        assert_eq!(near_names("walk", ["run", "", "walk_a", "run"]), "walk_a, run");
        // The beginnings of long names are compared and shown.
        let long = format!("walk{}", "x".repeat(1 << 20));
        assert_eq!(near_names(&long, [long.as_str(), "run"]), format!("walk{}…, run", "x".repeat(56)));
        assert_eq!(near_names("walk", []), "");
        let many: Vec<String> = (0..5000).map(|number| number.to_string()).collect();
        assert!(near_names("walk", many.iter().map(String::as_str)).ends_with(" and more"));
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
