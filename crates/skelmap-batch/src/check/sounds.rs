//! The sounds of a mod, for the events of SWAT 3 animations.

use std::sync::{Arc, OnceLock};

use crate::items::{Fault, Item, Loaded, Sources};
use skelmap::swat3::{EventKind, Sounds, codes};
use skelmap::{Asset, Format, Severity};

use super::{Checked, Found};
use crate::{Find, PatternError, Source};

/// The longest list of sounds that is read: those of the game are far below.
const MAX_LIST_BYTES: usize = 16 << 20;

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
            let found = animation.check_sounds(self.found.get_or_init(|| self.find()));
            let place = Arc::clone(&checked.place);
            checked.reported.extend(found.into_iter().map(|finding| Found::of_finding(&place, finding)));
        }
    }

    fn sources(&self) -> Result<Sources, PatternError> {
        Find { others: true, ..self.find.clone() }.sources(self.source)
    }

    /// A list that cannot be read has no names.
    fn find(&self) -> Sounds {
        let mut sounds = Sounds::default();
        let Ok(sources) = self.sources() else { return sounds };
        for address in sources.items().iter().map(Item::address) {
            let name = address.to_string();
            sounds.add_file(&name);
            if let Some(list) = Sounds::is_list(&name).then(|| address.open(&self.source.opener).ok()).flatten() {
                sounds.add_list(list.get(..MAX_LIST_BYTES).unwrap_or(&list));
            }
        }
        sounds
    }
}
