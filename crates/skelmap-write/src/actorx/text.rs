//! Names in fields of 64 bytes.

use std::collections::{HashMap, HashSet};

use skelmap::Name;

use super::MAX_NAME;

/// The characters of Windows-1252 from 0x80 to 0x9F that others do not have there.
const HIGH: [(char, u8); 27] = [
    ('€', 0x80),
    ('‚', 0x82),
    ('ƒ', 0x83),
    ('„', 0x84),
    ('…', 0x85),
    ('†', 0x86),
    ('‡', 0x87),
    ('ˆ', 0x88),
    ('‰', 0x89),
    ('Š', 0x8A),
    ('‹', 0x8B),
    ('Œ', 0x8C),
    ('Ž', 0x8E),
    ('‘', 0x91),
    ('’', 0x92),
    ('“', 0x93),
    ('”', 0x94),
    ('•', 0x95),
    ('–', 0x96),
    ('—', 0x97),
    ('˜', 0x98),
    ('™', 0x99),
    ('š', 0x9A),
    ('›', 0x9B),
    ('œ', 0x9C),
    ('ž', 0x9E),
    ('Ÿ', 0x9F),
];

/// A character in Windows-1252, the code page of old tools; `_` for one that it does not have.
fn byte(character: char) -> u8 {
    let of_table = || HIGH.iter().find(|(own, _)| *own == character).map(|(_, byte)| *byte);
    match u8::try_from(u32::from(character)) {
        Ok(byte @ (0x20..=0x7E | 0xA0..=0xFF)) => byte,
        _ => of_table().unwrap_or(b'_'),
    }
}

/// Names, each once: two that differ in case alone are one for engines.
#[derive(Default)]
pub(super) struct Names {
    taken: HashSet<Vec<u8>>,
    /// For what stands before a number, the next number to try: a name that occurs a thousand times is not tried a million times.
    next: HashMap<Vec<u8>, u32>,
    /// Names that were cut, numbered, or have a character less.
    pub(super) changed: usize,
}

impl Names {
    /// The name in a field. `otherwise`: for an empty one.
    pub(super) fn add(&mut self, name: &str, otherwise: &str) -> Name<64> {
        let wanted = if name.trim().is_empty() { otherwise } else { name };
        let bytes: Vec<u8> = wanted.trim_end().chars().map(byte).take(MAX_NAME).collect();
        let mut own = bytes.clone();
        let (mut number, mut is_new) = (2_u32, self.taken.insert(own.to_ascii_lowercase()));
        while !is_new {
            let end = format!("_{number}");
            own.clone_from(&bytes);
            own.truncate(MAX_NAME.saturating_sub(end.len()));
            let next = self.next.entry(own.to_ascii_lowercase()).or_insert(number);
            if number < *next {
                // Perhaps with one digit more, and less before it.
                number = *next;
                continue;
            }
            number = number.saturating_add(1);
            *next = number;
            own.extend(end.bytes());
            is_new = self.taken.insert(own.to_ascii_lowercase());
        }
        self.changed = self.changed.saturating_add((skelmap::Text::new(&own).to_string() != name).into());
        Name::new(&own).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_of_the_old_code_page_and_each_occurs_once() {
        let mut names = Names::default();
        let text = |name: Name<64>| name.text().to_string();
        assert_eq!(text(names.add("Épaule", "")), "Épaule");
        assert_eq!(text(names.add("épaule€", "")), "épaule€");
        assert_eq!(names.changed, 0);
        assert_eq!(text(names.add("腕", "")), "_");
        assert_eq!(text(names.add("ROOT", "")), "ROOT");
        assert_eq!(text(names.add("root", "")), "root_2");
        assert_eq!(text(names.add("  ", "None")), "None");
        assert_eq!(text(names.add(&"x".repeat(80), "")), "x".repeat(63));
        assert_eq!(text(names.add(&"x".repeat(80), "")), format!("{}_2", "x".repeat(61)));
        assert_eq!(names.changed, 5);
    }

    #[test]
    fn the_code_page_is_the_one_that_names_are_read_with() {
        for (character, byte) in HIGH {
            assert_eq!(skelmap::Text::new(&[byte]).to_string(), character.to_string());
        }
    }
}
