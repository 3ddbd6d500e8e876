//! The sequences that options ask for, by their names.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use skelmap::model::Clip;
use skelmap_export::Alias;

use super::{Event, Listener, Missing};
use crate::pair::Member;
use crate::text::{MAX_COMPARED, near_names, short};

/// The most names that do not exist that are told.
const MAX_TOLD: usize = 16;

/// What a run knows of the sequences that its options name.
#[derive(Debug, Default)]
pub(super) struct Asked<'o> {
    /// The sequences that are wanted; all of them if it is empty.
    wanted: &'o [String],
    /// New names of sequences, by the names in lower case.
    renamed: HashMap<String, String>,
    /// Those that were found.
    found: Mutex<HashSet<String>>,
    /// The first of the sequences and actions that the options do not name.
    others: Mutex<BTreeSet<String>>,
}

impl<'o> Asked<'o> {
    /// `wanted`: no names stand for all sequences. `renamed`: sequences, and their new names.
    pub(super) fn new(wanted: &'o [String], renamed: Vec<(String, String)>) -> Self {
        let renamed = renamed.into_iter().map(|(name, new)| (name.to_lowercase(), new)).collect();
        Self { wanted, renamed, ..Self::default() }
    }

    /// Whether all sequences are wanted, under their own names.
    pub(super) fn is_all(&self) -> bool {
        self.wanted.is_empty() && self.renamed.is_empty()
    }

    /// Whether something that has these names is wanted. What has no name is one of all.
    pub(super) fn has(&self, names: &[String]) -> bool {
        if self.wanted.is_empty() || names.is_empty() {
            return true;
        }
        let is_same = |one: &str, other: &str| one.trim_end().eq_ignore_ascii_case(other.trim_end());
        let is_name = |wanted: &&String| names.iter().any(|name| is_same(wanted, name));
        let found: Vec<&String> = self.wanted.iter().filter(is_name).collect();
        if found.is_empty() {
            for name in names {
                self.note_other(name);
            }
        }
        self.found().extend(found.iter().copied().cloned());
        !found.is_empty()
    }

    /// The new name of a sequence.
    pub(super) fn renamed(&self, name: &str) -> Option<String> {
        if self.renamed.is_empty() {
            return None;
        }
        let Some((name, new)) = self.renamed.get_key_value(&name.trim_end().to_lowercase()) else {
            self.note_other(name);
            return None;
        };
        self.found().insert(name.clone());
        Some(new.clone())
    }

    /// The names of a sequence: by the actions of its file, or as a table says; there is one at least. Models of an actor play one action
    /// together, so that it has the name of each action; other meshes have that of the first. `own`: the name in its file. `usual`: its name
    /// without actions.
    pub(super) fn aliases<'a>(
        &'a self,
        own: Option<&'a String>,
        actions: &[String],
        is_of_actor: bool,
        usual: String,
    ) -> impl Iterator<Item = Alias> + use<'a, 'o> {
        let is_asked = |name: &String| self.has(std::slice::from_ref(name));
        let mut actions = actions.to_vec();
        if is_of_actor {
            actions.retain(|action| own.is_some_and(is_asked) || is_asked(action));
        } else {
            actions.truncate(1);
        }
        if actions.is_empty() {
            actions.push(usual);
        }
        actions.into_iter().map(move |action| {
            let new = own.and_then(|own| self.renamed(own)).or_else(|| self.renamed(&action));
            Alias { name: new.unwrap_or_else(|| action.clone()), action }
        })
    }

    /// Notes that an output that is kept may have all of them.
    pub(super) fn note_all(&self) {
        self.found().extend(self.wanted.iter().chain(self.renamed.keys()).cloned());
    }

    /// Says which were not found.
    pub(super) fn tell_missing(&self, listener: &mut Listener<'_>) -> io::Result<()> {
        let (found, others) = (self.found(), self.others());
        let near = |name: &str| near_names(name, others.iter().map(String::as_str));
        let is_missing = |name: &&String| !found.contains(*name);
        let wanted: Vec<_> = self.wanted.iter().filter(is_missing).collect();
        for name in wanted.iter().take(MAX_TOLD) {
            listener(Event::Missing(Missing::Sequence(&short(name), &near(name))))?;
        }
        let mut renamed: Vec<_> = self.renamed.keys().filter(is_missing).collect();
        renamed.sort();
        for name in renamed.iter().take(MAX_TOLD) {
            listener(Event::Missing(Missing::Renamed(&short(name), &near(name))))?;
        }
        let told = |all: usize| all.saturating_sub(MAX_TOLD);
        match told(wanted.len()) + told(renamed.len()) {
            0 => Ok(()),
            // A long list of names is no slip of the fingers.
            more => listener(Event::Missing(Missing::Others(more))),
        }
    }

    fn note_other(&self, name: &str) {
        let mut others = self.others();
        // One more, so that the message says that there are more.
        if others.len() <= MAX_COMPARED {
            others.insert(name.to_owned());
        }
    }

    fn found(&self) -> MutexGuard<'_, HashSet<String>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn others(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.others.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The names by which a clip can be asked for: its own, and those under which actors play its animation.
pub(super) fn names_of(clip: &Clip<'_>, member: &Member<'_>) -> Vec<String> {
    clip.name().map(|name| name.to_string()).into_iter().chain(member.names.iter().cloned()).collect()
}
