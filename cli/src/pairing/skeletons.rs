//! The standard skeletons (0 A.D.) of the mods that meshes lie in, or of those that the user names.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skelmap::archive::Address;
use skelmap_batch::mods::{Mods, Skeletons};

use crate::files::Source;
use crate::outcome::Failure;
use crate::output::complain;

/// What a mod has its models in, and its skeletons.
const ART: &str = "art";
const SKELETONS: &str = "art/skeletons";

/// The skeletons of each mesh.
pub(crate) enum Known {
    /// Those of the mods that the user names, for all meshes.
    Named(Arc<Skeletons>),
    /// Those of the mod that a mesh lies in, by the mod.
    Found(HashMap<PathBuf, Option<Arc<Skeletons>>>),
}

impl Known {
    /// Reads the skeletons of mods; of none, they are looked for where each mesh lies.
    pub(crate) fn of(mods: &[PathBuf], source: &Source) -> Result<Self, Failure> {
        if mods.is_empty() {
            return Ok(Self::Found(HashMap::new()));
        }
        let mods = Mods::open(mods, &source.opener, &source.limits)
            .map_err(|(path, fault)| Failure::nothing_read(fault.message).in_file(&path))?;
        let skeletons = Skeletons::of(&mods);
        if skeletons.is_empty() {
            return Err(Failure::nothing_read("--mod: there are no skeletons (art/skeletons/) in these mods"));
        }
        Ok(Self::Named(Arc::new(skeletons)))
    }

    /// The skeletons for a mesh.
    pub(crate) fn of_mesh(&mut self, mesh: &Address, source: &Source) -> Option<Arc<Skeletons>> {
        match self {
            Self::Named(skeletons) => Some(Arc::clone(skeletons)),
            Self::Found(found) => {
                let root = root(mesh)?;
                found.entry(root).or_insert_with_key(|root| read(root, source)).clone()
            }
        }
    }
}

/// The archive or folder of the mod that a mesh lies in.
fn root(mesh: &Address) -> Option<PathBuf> {
    let path = mesh.path();
    if let Some(entry) = mesh.entry() {
        return (Path::new(entry).starts_with(ART) && path.is_file()).then(|| path.to_owned());
    }
    let art = path.ancestors().skip(1).find(|folder| folder.file_name().is_some_and(|name| name == ART))?;
    let root = art.parent().filter(|root| !root.as_os_str().is_empty()).unwrap_or(Path::new("."));
    root.join(SKELETONS).is_dir().then(|| root.to_owned())
}

/// The skeletons of a mod; `None` if it has none. A mod that cannot be opened is named: its meshes are compared all the same.
fn read(root: &Path, source: &Source) -> Option<Arc<Skeletons>> {
    let mods = Mods::open(&[root.to_owned()], &source.opener, &source.limits)
        .map_err(|(path, fault)| complain(format!("{}: {}", path.display(), fault.message)))
        .ok()?;
    let skeletons = Skeletons::of(&mods);
    (!skeletons.is_empty()).then(|| Arc::new(skeletons))
}
