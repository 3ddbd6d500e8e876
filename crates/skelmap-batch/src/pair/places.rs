//! How far apart assets lie.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use skelmap::archive::Address;

use super::found::{Found, identity};

/// More steps than there are in an archive.
const OTHER_ARCHIVE: usize = 1 << 20;

/// The archive that an asset lies in, and the parts of the path of its folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Folder {
    archive: Option<PathBuf>,
    parts: Vec<String>,
}

impl Folder {
    pub(super) fn of(address: &Address) -> Self {
        let (path, entry) = identity(address);
        let whole = entry.as_ref().map_or_else(|| path.clone(), |entry| path.join(entry));
        let folder = whole.parent().unwrap_or(Path::new(""));
        let parts = folder.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        Self { archive: entry.map(|_| path), parts }
    }

    /// The steps from one folder to another. All in one archive are nearer than those outside.
    pub(super) fn distance(&self, other: &Self) -> usize {
        let (one, two) = (&self.parts, &other.parts);
        let common = one.iter().zip(two).take_while(|(one, two)| one == two).count();
        let steps = one.len() + two.len() - 2 * common;
        if self.archive == other.archive { steps } else { steps + OTHER_ARCHIVE }
    }
}

/// The folders of the assets of a question.
pub(super) struct Places {
    meshes: Vec<u32>,
    others: Vec<u32>,
    animations: Vec<u32>,
    folders: Vec<Folder>,
}

impl Places {
    /// `others`: further meshes.
    pub(super) fn of(meshes: &[&Found<'_>], others: &[&Found<'_>], animations: &[&Found<'_>]) -> Self {
        let (mut known, mut folders) = (HashMap::new(), Vec::new());
        let mut number = |found: &&Found<'_>| {
            *known.entry(Folder::of(&found.address())).or_insert_with_key(|folder| {
                folders.push(folder.clone());
                u32::try_from(folders.len() - 1).unwrap_or(u32::MAX)
            })
        };
        let meshes = meshes.iter().map(&mut number).collect();
        let others = others.iter().map(&mut number).collect();
        let animations = animations.iter().map(&mut number).collect();
        Self { meshes, others, animations, folders }
    }

    /// The steps from the folder of an animation to that of a mesh.
    pub(super) fn distance(&self, mesh: usize, animation: usize) -> usize {
        let both = self.of_mesh(mesh).zip(self.of_animation(animation));
        both.map_or(usize::MAX, |(mesh, animation)| mesh.distance(animation))
    }

    /// The folder of a mesh, or of another mesh behind all meshes.
    pub(super) fn of_mesh(&self, mesh: usize) -> Option<&Folder> {
        self.folder(self.meshes.get(mesh).or_else(|| self.others.get(mesh.checked_sub(self.meshes.len())?)))
    }

    pub(super) fn of_animation(&self, animation: usize) -> Option<&Folder> {
        self.folder(self.animations.get(animation))
    }

    fn folder(&self, number: Option<&u32>) -> Option<&Folder> {
        self.folders.get(usize::try_from(*number?).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_as_far_apart_as_the_steps_between_them_and_archives_farther() {
        let file = |path: &str| Folder::of(&Address::of_file(path));
        let entry = |name: &str| Folder::of(&Address::of_entry("x/a.zip", name));
        // Up from b, and down to c and d.
        assert_eq!(file("x/b/1.psk").distance(&file("x/c/d/2.psa")), 3);
        assert_eq!(entry("b/1.psk").distance(&entry("c/d/2.psa")), 3);
        assert_eq!(entry("b/1.psk").distance(&entry("b/2.psa")), 0);
        // Up from b and from the archive.
        assert_eq!(entry("b/1.psk").distance(&file("x/2.psa")), 2 + OTHER_ARCHIVE);
        assert_eq!(entry("1.psk").distance(&file("x/a.zip/2.psa")), OTHER_ARCHIVE);
    }
}
