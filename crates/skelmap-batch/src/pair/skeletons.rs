//! The standard skeletons (0 A.D.) of the mods that meshes lie in, or of those that the user names.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::items::Fault;
use crate::mods::{Mods, Skeletons};
use skelmap::archive::Address;

use crate::Source;

/// What a mod has its models in, and its skeletons.
const ART: &str = "art";
const SKELETONS: &str = "art/skeletons";

/// The standard skeletons of each mesh.
#[derive(Debug, Default)]
pub struct Known {
    /// Those of the mods that the user names, for all meshes.
    named: Option<Arc<Skeletons>>,
    /// Those of the mod that a mesh lies in, by the mod.
    found: HashMap<PathBuf, Option<Arc<Skeletons>>>,
    /// The mods that cannot be opened, and why: their meshes are compared all the same.
    pub faults: Vec<(PathBuf, Fault)>,
}

/// Why there are no skeletons in the mods that the user names.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KnownError {
    /// A mod cannot be opened.
    #[error("{}: {}", Address::find(.path), .fault.message)]
    Mod {
        /// The mod.
        path: PathBuf,
        /// Its fault.
        fault: Fault,
    },
    /// The mods have no skeletons.
    #[error("there are no skeletons ({SKELETONS}/) in these mods")]
    Empty,
}

impl Known {
    /// Reads the skeletons of mods; of none, they are looked for where each mesh lies.
    ///
    /// # Errors
    /// A mod that cannot be opened, and mods without skeletons.
    pub fn of(mods: &[PathBuf], source: &Source) -> Result<Self, KnownError> {
        if mods.is_empty() {
            return Ok(Self::default());
        }
        let mods = Mods::open(mods, &source.opener, &source.limits)
            .map_err(|(path, fault)| KnownError::Mod { path, fault })?;
        let skeletons = Skeletons::of(&mods);
        if skeletons.is_empty() {
            return Err(KnownError::Empty);
        }
        Ok(Self { named: Some(Arc::new(skeletons)), ..Self::default() })
    }

    /// The skeletons for a mesh.
    pub fn of_mesh(&mut self, mesh: &Address, source: &Source) -> Option<Arc<Skeletons>> {
        if let Some(skeletons) = &self.named {
            return Some(Arc::clone(skeletons));
        }
        let (root, faults) = (root(mesh)?, &mut self.faults);
        let read = |root: &PathBuf| {
            let mods = Mods::open(std::slice::from_ref(root), &source.opener, &source.limits)
                .map_err(|fault| faults.push(fault));
            let skeletons = Skeletons::of(&mods.ok()?);
            (!skeletons.is_empty()).then(|| Arc::new(skeletons))
        };
        self.found.entry(root).or_insert_with_key(read).clone()
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
