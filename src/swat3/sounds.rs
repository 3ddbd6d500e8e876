//! Checks that a mod has the sounds that the events of its animations name.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};

use super::codes;
use super::event::EventKind;
use super::gsa::{EVENTS, Gsa};
use crate::report::{Finding, Place, Report, Short};

/// The names of the sounds of a mod, without regard to ASCII case: its sound files, and the words in its
/// sound lists (`sounds.dat`, `modsounds.dat`, `missionsounds.dat`). The format of these lists is unknown, so
/// each word counts as a name.
///
/// ```
/// use skelmap::swat3::{Gsa, Sounds};
///
/// let bytes = std::fs::read("tests/corpus/swat3/gsa/reload.gsa")?;
/// let animation = Gsa::parse(&bytes)?;
/// let mut sounds = Sounds::default();
/// assert!(animation.check_sounds(&sounds).is_empty()); // no sound is known
/// sounds.add_file("sounds/step.wav");
/// assert_eq!(animation.check_sounds(&sounds)[0].code.name(), "sound-missing");
/// sounds.add_list(b"magin_1911 magin.wav\r\nmagout_1911 magout.wav\r\n");
/// assert!(animation.check_sounds(&sounds).is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Sounds(BTreeSet<Vec<u8>>);

impl Sounds {
    /// The extensions of sound files.
    const EXTENSIONS: [&str; 4] = ["wav", "mp3", "ogg", "aif"];

    /// Whether a file with this name is a list of sounds.
    pub fn is_list(path: &str) -> bool {
        let path = path.to_ascii_lowercase();
        path.ends_with("sounds.dat")
    }

    /// Adds the name of a file if it is a sound. O(log names).
    pub fn add_file(&mut self, path: &str) {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
        if let Some((stem, _)) = name.rsplit_once('.').filter(|(_, end)| Self::EXTENSIONS.contains(end)) {
            self.0.insert(stem.as_bytes().to_vec());
        }
    }

    /// Adds the words of a list of sounds. O(bytes * log names).
    pub fn add_list(&mut self, text: &[u8]) {
        let is_of_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || !byte.is_ascii();
        let words = text.split(|byte| !is_of_word(byte)).filter(|word| !word.is_empty());
        self.0.extend(words.map(<[u8]>::to_ascii_lowercase));
    }

    fn has(&self, name: &[u8]) -> bool {
        self.0.contains(&name.to_ascii_lowercase())
    }

    /// Whether a sound with this name exists for some item: `magout_1911` for `magout`.
    fn has_for_item(&self, name: &[u8]) -> bool {
        let mut first = name.to_ascii_lowercase();
        first.push(b'_');
        self.0.range(first.clone()..).next().is_some_and(|found| found.starts_with(&first)) || self.has(name)
    }
}

impl Gsa<'_> {
    /// Reports events that name a sound which the mod does not have. The game may have it. Nothing is
    /// reported if no sound of the mod is known. The index of a finding is that of the frame. O(events * log
    /// names).
    pub fn check_sounds(&self, sounds: &Sounds) -> Vec<Finding> {
        // One finding for each name, whatever the frame.
        let mut report = Report::new(1);
        let (mut missing, mut told) = (report.tally(), BTreeSet::new());
        for (frame, event) in self.events().filter(|_| !sounds.0.is_empty()) {
            let (name, is_found) = match event.kind() {
                EventKind::Sound(name) => (name, sounds.has(name.as_bytes())),
                EventKind::ItemSound(name) => (name, sounds.has_for_item(name.as_bytes())),
                EventKind::Other(_) => continue,
            };
            if !is_found && !name.as_bytes().is_empty() && told.insert(event.as_bytes()) {
                missing.hit(frame, || {
                    let event: String = format!("{:?}", Short(event.text()));
                    format!("the event {event} of frame {frame} names a sound that no file of the mod has")
                });
            }
        }
        report.add(codes::SOUND_MISSING, Place { section: EVENTS, offset: self.frames_offset() }, missing);
        report.into_findings()
    }
}
