//! What other files of a mod say: its sounds, for the events of SWAT 3 animations; and its animations, for the weights of meshes.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use crate::items::{Fault, Item, Loaded};
use skelmap::archive::Address;
use skelmap::codes::WEIGHTS_STILL;
use skelmap::model::MovedBones;
use skelmap::shared::to_u64;
use skelmap::swat3::{EventKind, Gsa, codes};
use skelmap::{Asset, Format, Severity};

use super::{CheckError, Checked, Found};
use crate::columns::name_of;
use crate::{Find, Run, Source};

/// The longest list of sounds that is read: those of the game are far below.
const MAX_LIST_BYTES: usize = 16 << 20;

/// The characters of an event in a message: an event may be as long as the file.
const MAX_CHARS: usize = 60;

/// The sounds among the inputs, which are looked for when the first animation names one.
#[derive(Debug)]
pub(super) struct ModSounds<'a> {
    find: &'a Find,
    source: &'a Source,
    found: OnceLock<Sounds>,
}

impl<'a> ModSounds<'a> {
    pub(crate) const fn new(find: &'a Find, source: &'a Source) -> Self {
        Self { find, source, found: OnceLock::new() }
    }

    /// Adds what is found about the sounds of an animation.
    pub(crate) fn add_to(&self, checked: &mut Checked, opened: &Result<Loaded, Fault>, level: Severity) {
        let is_animation = checked.format == Some(Format::Swat3Gsa.code()) && codes::SOUND_MISSING.severity() >= level;
        let Some(Ok(loaded)) = is_animation.then_some(opened) else { return };
        let Ok(Asset::Swat3Gsa(animation)) = loaded.asset() else { return };
        if animation.events().any(|(_, event)| !matches!(event.kind(), EventKind::Other(_))) {
            checked.reported.extend(missing(&animation, self.found.get_or_init(|| self.find()), &checked.place));
        }
    }

    /// A list that cannot be read has no names.
    fn find(&self) -> Sounds {
        let mut sounds = Sounds::default();
        let find = Find { others: true, ..self.find.clone() };
        let Ok(sources) = find.sources(self.source) else { return sounds };
        for address in sources.items().iter().map(Item::address) {
            let name = address.to_string();
            sounds.add_file(&name);
            if let Some(list) = name
                .to_ascii_lowercase()
                .ends_with("sounds.dat")
                .then(|| address.open(&self.source.opener).ok())
                .flatten()
            {
                sounds.add_list(list.get(..MAX_LIST_BYTES).unwrap_or(&list));
            }
        }
        sounds
    }
}

/// The names of the sounds of a mod, in any ASCII case: its sound files, and the words in its lists of sounds (`sounds.dat`,
/// `modsounds.dat`, `missionsounds.dat`). The format of these lists is not known, so that each word in them counts as a name.
#[derive(Clone, Debug, Default)]
pub(super) struct Sounds(BTreeSet<Vec<u8>>);

impl Sounds {
    /// The extensions of sound files.
    const EXTENSIONS: [&str; 4] = ["wav", "mp3", "ogg", "aif"];

    /// Adds the name of a file if it is a sound. O(log names).
    fn add_file(&mut self, path: &str) {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
        if let Some((stem, _)) = name.rsplit_once('.').filter(|(_, end)| Self::EXTENSIONS.contains(end)) {
            self.0.insert(stem.as_bytes().to_vec());
        }
    }

    /// Adds the words of a list of sounds. O(bytes * log names).
    fn add_list(&mut self, text: &[u8]) {
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

/// What is said of the events of an animation that name a sound which the mod does not have. The game may have it; nothing is reported where
/// no sound of the mod is known. The index is that of the first frame, and the count that of the names. O(events * log names).
fn missing(animation: &Gsa<'_>, sounds: &Sounds, place: &Arc<Address>) -> Option<Found> {
    let (mut first, mut told) = (None, BTreeSet::new());
    for (frame, event) in animation.events().filter(|_| !sounds.0.is_empty()) {
        let (name, is_found) = match event.kind() {
            EventKind::Sound(name) => (name, sounds.has(name.as_bytes())),
            EventKind::ItemSound(name) => (name, sounds.has_for_item(name.as_bytes())),
            _ => continue,
        };
        if !is_found && !name.as_bytes().is_empty() && told.insert(event.as_bytes()) {
            first.get_or_insert((frame, event));
        }
    }
    let (frame, event) = first?;
    let text = event.text();
    let start: String = text.chars().take(MAX_CHARS).collect();
    let end = if text.chars().nth(MAX_CHARS).is_some() { "…" } else { "" };
    Some(Found {
        place: Arc::clone(place),
        severity: codes::SOUND_MISSING.severity(),
        code: codes::SOUND_MISSING.name(),
        section: Some("events".to_owned()),
        offset: Some(animation.frames_offset()),
        index: u64::try_from(frame).ok(),
        count: to_u64(told.len()),
        message: format!("the event {start:?}{end} of frame {frame} names a sound that no file of the mod has"),
        is_error: false,
    })
}

/// What the animations among the inputs move; `None` if nobody asks.
#[derive(Debug)]
pub(super) struct ModMotion(Option<MovedBones>);

impl ModMotion {
    /// Reads the animations among the inputs, if there are other files too and notes are asked for. An animation that cannot be
    /// read moves nothing.
    pub(crate) fn find(find: &Find, source: &Source, level: Severity, run: Run<'_>) -> Result<Self, CheckError> {
        if WEIGHTS_STILL.severity() < level {
            return Ok(Self(None));
        }
        let mut animations = Find { others: true, ..find.clone() }.sources(source)?;
        let total = animations.items().len();
        animations.retain(is_animation);
        if !(1..total).contains(&animations.items().len()) {
            return Ok(Self(None));
        }
        let mut moved = MovedBones::default();
        let work = |_: &Item, opened: Result<Loaded, Fault>| opened.ok();
        run.loaded(&animations, source, work, |loaded| {
            if let Ok(animation) = loaded.asset() {
                moved.add(&animation);
            }
            Ok(())
        })?;
        Ok(Self(Some(moved)))
    }

    /// Adds what is found about the weights of a mesh.
    pub(crate) fn add_to(&self, checked: &mut Checked, opened: &Result<Loaded, Fault>) {
        let Some((moved, Ok(loaded))) = self.0.as_ref().map(|moved| (moved, opened)) else { return };
        let Ok(asset) = loaded.asset() else { return };
        let found = asset.check_still(moved);
        let place = Arc::clone(&checked.place);
        checked.reported.extend(found.into_iter().map(|finding| Found::of_finding(&place, finding)));
    }
}

/// Whether an item is a file or an entry with the name of an animation. What can be read only once is none.
fn is_animation(item: &Item) -> bool {
    let address = item.address();
    let name = name_of(&address).to_ascii_lowercase();
    let has_extension = |own: &&str| name.strip_suffix(*own).is_some_and(|stem| stem.ends_with('.'));
    // The formats of animations, in families whose meshes are read.
    let plays = |format: &&Format| {
        !format.is_mesh() && Format::ALL.iter().any(|other| other.is_mesh() && other.is_related_to(**format))
    };
    let mut extensions = Format::ALL.iter().filter(plays).flat_map(|format| format.extensions());
    extensions.any(has_extension) && address.path().is_file()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::check::{CheckOptions, Checker};

    /// The sound of the good animation is `step`. What is missing is a note.
    #[test]
    fn sounds_that_are_missing_are_told_at_the_level_of_notes_only() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("clap.wav"), b"x").expect("written");
        let [(name, animation), ..] = &test_support::swat3::good::files()[..] else { panic!("a file") };
        fs::write(folder.path().join(name), animation).expect("written");
        let (find, source) = (Find::all(&[folder.path()]), Source::default());
        let told = |level| {
            let options = CheckOptions { level, ..CheckOptions::default() };
            let checker = Checker::new(&find, &source, &options, Run::default()).expect("a checker");
            let sources = checker.sources().expect("found");
            let mut items = sources.items().iter();
            let item = items.find(|item| item.promises_asset()).expect("the animation");
            let opened = item.load(&source.opener, &source.parse).expect("an asset");
            let found = checker.check(item, &opened).reported;
            found.iter().filter(|found| found.code == "sound-missing").count()
        };
        assert_eq!((told(Severity::Note), told(Severity::Warning)), (1, 0));
    }

    /// No mesh is of the family of SWAT 3.
    #[test]
    fn files_that_can_move_a_mesh_are_animations() {
        let folder = tempfile::tempdir().expect("a folder");
        let names = ["a.psa", "b.PSA", "c.gsa", "d.psk", "epsa", "f.pmd"];
        for name in names {
            fs::write(folder.path().join(name), b"x").expect("written");
        }
        let items = Find::all(&[folder.path()]).sources(&Source::default()).expect("found");
        let found = items.items().iter().filter(|item| is_animation(item)).map(|item| name_of(&item.address()));
        assert_eq!(found.collect::<Vec<_>>(), ["a.psa", "b.PSA"]);
    }
}
