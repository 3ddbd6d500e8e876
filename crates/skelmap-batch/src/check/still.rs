//! What the animations of a mod move, for the weights of its meshes.

use std::sync::Arc;

use crate::items::{Fault, Item, Loaded};
use skelmap::codes::WEIGHTS_STILL;
use skelmap::model::MovedBones;
use skelmap::{Format, Severity};

use super::{CheckError, Checked, Found};
use crate::columns::name_of;
use crate::{Find, Run, Source};

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
    let mut formats = Format::ALL.iter().filter(|format| plays_on_meshes(**format));
    let has_extension = formats.any(|format| format.extensions().iter().any(|own| has_extension(&name, own)));
    has_extension && address.path().is_file()
}

fn has_extension(name: &str, extension: &str) -> bool {
    name.strip_suffix(extension).is_some_and(|stem| stem.ends_with('.'))
}

/// Whether a format is that of animations, in a family whose meshes are read.
fn plays_on_meshes(format: Format) -> bool {
    !format.is_mesh() && Format::ALL.iter().any(|other| other.is_mesh() && other.is_related_to(format))
}
