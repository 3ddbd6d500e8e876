//! The files near a mesh: in folders or in its archive.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use skelmap::archive::{Address, OpenArchive};

use super::images::{EXTENSIONS, ImageError, NOT_DECODED};
use crate::Source;
use crate::pair::stem;
use crate::regular::{may_be_file, read_regular};
use crate::save::folder_of;

/// Files by their names in lower case, without what caches add. Those of a name in different folders are sorted.
type Listed = HashMap<String, Vec<PathBuf>>;

/// An archive, if it can be opened, and its entries.
type Entries = (Option<OpenArchive>, Listed);

/// Lists of files that are made once each, for all meshes of a run.
#[derive(Debug, Default)]
pub(super) struct Lists {
    /// The files in a folder, and those in the folders in it.
    own: Mutex<HashMap<PathBuf, Arc<Listed>>>,
    below: Mutex<HashMap<PathBuf, Arc<Listed>>>,
    archives: Mutex<HashMap<PathBuf, Arc<Entries>>>,
}

/// The files near a mesh.
#[derive(Debug)]
pub(super) enum Near {
    /// The nearest first.
    Folders(Vec<Arc<Listed>>),
    Archive(Arc<Entries>, Address),
}

impl Lists {
    pub(super) fn near(&self, address: &Address, source: &Source) -> Near {
        if address.entry().is_some() {
            let list = known(&self.archives, address.path(), |path| {
                // Of an archive in a store, nothing near is looked for: it would be read as a whole.
                let open = || OpenArchive::open(path, &source.opener, &source.limits).ok();
                let archive = may_be_file(path).then(open).flatten();
                let names =
                    archive.iter().flat_map(|archive| archive.entries()).map(|entry| entry.name().to_string().into());
                let listed = by_name(names.collect());
                (archive, listed)
            });
            return Near::Archive(list, address.clone());
        }
        let folder = folder_of(address.path());
        let mut lists = vec![
            known(&self.own, folder, |folder| by_name(files_in(folder))),
            known(&self.below, folder, |folder| by_name(files_below(folder))),
        ];
        if let Some(above) = folder.canonicalize().ok().and_then(|folder| Some(folder.parent()?.to_owned())) {
            lists.push(known(&self.below, &above, |folder| by_name(files_below(folder))));
        }
        Near::Folders(lists)
    }
}

/// The list of a place, made if it is not known yet.
fn known<L>(lists: &Mutex<HashMap<PathBuf, Arc<L>>>, place: &Path, list: impl FnOnce(&Path) -> L) -> Arc<L> {
    let lock = || lists.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = lock().get(place) {
        return Arc::clone(known);
    }
    let made = Arc::new(list(place));
    Arc::clone(lock().entry(place.to_owned()).or_insert(made))
}

impl Near {
    /// These files, all equally near.
    pub(super) fn of_files(files: Vec<PathBuf>) -> Self {
        Self::Folders(vec![Arc::new(by_name(files))])
    }

    /// The nearest image of a name; of equally near ones, that of the preferred kind.
    ///
    /// An image that this build cannot decode is the last choice: the report names it.
    pub(super) fn image(&self, name: &str) -> Option<PathBuf> {
        let (others, decoded): (Vec<_>, Vec<_>) = EXTENSIONS.iter().partition(|own| NOT_DECODED.contains(own));
        [decoded, others].iter().find_map(|extensions| self.image_of(name, extensions))
    }

    fn image_of(&self, name: &str, extensions: &[&str]) -> Option<PathBuf> {
        let names = extensions.iter().map(|extension| format!("{name}.{extension}").to_lowercase());
        let found = names.enumerate().filter_map(|(order, name)| Some((self.nearest(&name)?, order)));
        found.max_by_key(|((nearness, _), order)| (*nearness, Reverse(*order))).map(|((_, path), _)| path.clone())
    }

    /// The nearest file of a name, and how near it is. O(log files).
    pub(super) fn nearest(&self, name: &str) -> Option<(usize, &PathBuf)> {
        match self {
            Self::Folders(lists) => {
                let found = lists.iter().enumerate().find_map(|(order, list)| Some((order, list.get(name)?.first()?)));
                found.map(|(order, path)| (lists.len() - order, path))
            }
            Self::Archive(list, mesh) => nearest(list.1.get(name)?, Path::new(mesh.entry()?)),
        }
    }

    /// The place of an image, and whether it is told as one that the arguments give.
    pub(super) fn place(&self, image: &Address) -> (PathBuf, bool) {
        match (self, image.entry()) {
            (Self::Archive(_, mesh), Some(entry)) if image.path() == mesh.path() => (PathBuf::from(entry), false),
            (Self::Folders(_), None) => (image.path().to_owned(), false),
            _ => (PathBuf::from(image.to_string()), true),
        }
    }

    /// Where a file is: no file of another archive or folder has the same address.
    pub(super) fn address(&self, path: &Path) -> Address {
        match self {
            Self::Folders(_) => Address::of_file(path),
            Self::Archive(_, mesh) => Address::of_entry(mesh.path(), path.to_string_lossy()),
        }
    }

    /// The size of a file, as the directory of the archive or the file system states it.
    pub(super) fn size(&self, path: &Path) -> u64 {
        match self {
            Self::Folders(_) => path.metadata().map_or(0, |metadata| metadata.len()),
            Self::Archive(list, _) => {
                let entry = list.0.as_ref().and_then(|archive| archive.entry(&path.to_string_lossy()).ok());
                entry.map_or(0, |entry| entry.size())
            }
        }
    }

    pub(super) fn read(&self, path: &Path, most: u64) -> Result<Vec<u8>, ImageError> {
        let archive = match self {
            Self::Folders(_) => return read(path, most),
            Self::Archive(list, _) => list.0.as_ref().ok_or("the archive cannot be opened")?,
        };
        let entry = archive.entry(&path.to_string_lossy())?;
        if entry.size() > most {
            return Err(too_large(most));
        }
        Ok(archive.open_entry(entry)?.to_vec())
    }
}

/// The number of folders that two entries have in common.
fn in_common(one: &Path, other: &Path) -> usize {
    one.components().zip(other.components()).take_while(|(one, other)| one == other).count()
}

/// Of sorted paths the first that has the most folders in common with a mesh, and their number. O(log paths).
fn nearest<'p>(paths: &'p [PathBuf], mesh: &Path) -> Option<(usize, &'p PathBuf)> {
    let at = paths.partition_point(|path| path.as_path() < mesh);
    let beside = [at.checked_sub(1), Some(at)].into_iter().flatten().filter_map(|index| paths.get(index));
    let most = beside.map(|path| in_common(path, mesh)).max()?;
    let folder: PathBuf = mesh.components().take(most).collect();
    let first = paths.partition_point(|path| path.as_path() < folder.as_path());
    paths.get(first).map(|path| (most, path))
}

/// The files in a folder, in the order of their names. No links, which may lead anywhere.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut files: Vec<PathBuf> = files.map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// The files in the folders in a folder.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.path()).collect();
    folders.sort();
    folders.iter().flat_map(|folder| files_in(folder)).collect()
}

/// Only what textures may be found by: images and texts.
fn by_name(paths: Vec<PathBuf>) -> Listed {
    let mut files = Listed::new();
    for path in paths {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let name = match extension.as_str() {
            "txt" | "mat" | "json" | "uc" => path.file_name().unwrap_or_default().to_string_lossy().to_lowercase(),
            // Caches add to a name: `horse.png.cached.dds` is an image of the name `horse`.
            _ if EXTENSIONS.contains(&extension.as_str()) => format!("{}.{extension}", stem(&path).to_lowercase()),
            _ => continue,
        };
        files.entry(name).or_default().push(path);
    }
    for paths in files.values_mut() {
        paths.sort();
    }
    files
}

/// The bytes of a file that has no more than so many.
pub(super) fn read(path: &Path, most: u64) -> Result<Vec<u8>, ImageError> {
    let bytes = read_regular(path, most + 1)?;
    if bytes.len() as u64 > most { Err(too_large(most)) } else { Ok(bytes) }
}

fn too_large(most: u64) -> ImageError {
    format!("is larger than {}", crate::text::size(most)).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use test_support::build_zip::{Entry, Zip};

    /// An archive that was not opened, with a mesh in it.
    fn of_archive(mesh: &str) -> Near {
        Near::Archive(Arc::default(), Address::of_entry("mod.zip", mesh))
    }

    #[test]
    fn an_image_of_another_archive_or_of_a_folder_is_told_with_its_whole_address() {
        let (file, own) = (Address::of_file("a.png"), Address::of_entry("mod.zip", "b.png"));
        let other = Address::of_entry("other.zip", "b.png");
        let near = of_archive("m.psk");
        assert_eq!(near.place(&own), ("b.png".into(), false));
        assert_eq!(near.place(&other), ("other.zip!/b.png".into(), true));
        assert_eq!(near.place(&file), ("a.png".into(), true));
        let near = Near::of_files(Vec::new());
        assert_eq!(near.place(&file), ("a.png".into(), false));
        assert_eq!(near.place(&own), ("mod.zip!/b.png".into(), true));
    }

    #[test]
    fn the_nearest_entry_shares_the_most_folders_with_a_mesh_and_is_the_first_of_these() {
        let found = |paths: &[&str], mesh: &str| {
            let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            nearest(&paths, Path::new(mesh)).map(|(most, path)| (most, path.to_string_lossy().into_owned()))
        };
        let is = |most: usize, path: &str| Some((most, path.to_owned()));
        assert_eq!(found(&[], "m.psk"), None);
        assert_eq!(found(&["a/x.png"], "m.psk"), is(0, "a/x.png"));
        assert_eq!(found(&["a/x.png", "b/x.png"], "z.psk"), is(0, "a/x.png"));
        assert_eq!(found(&["a/x.png", "b/c/x.png", "b/x.png"], "b/c/m.psk"), is(2, "b/c/x.png"));
        let deep = ["a/x.png", "b/c/x.png", "b/d/x.png"];
        assert_eq!(found(&deep, "b/m.psk"), is(1, "b/c/x.png"));
        assert_eq!(found(&deep, "b/z/m.psk"), is(1, "b/c/x.png"));
        assert_eq!(found(&deep, "b/d/m.psk"), is(2, "b/d/x.png"));
        assert_eq!(found(&["x.png"], "x.png/m.psk"), is(1, "x.png"), "an entry may have the name of a folder");
    }

    #[test]
    fn only_images_and_texts_are_listed() {
        let paths = ["Fur.PNG", "a/fur.png.cached.dds", "Fur.mat", "fur.psk", "fur.xcf", "fur"].map(PathBuf::from);
        let listed = by_name(paths.to_vec());
        let mut names: Vec<_> = listed.keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["fur.dds", "fur.mat", "fur.png"]);
    }

    #[test]
    fn a_file_with_more_bytes_than_are_asked_for_is_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, archive) = (folder.path().join("a.mat"), folder.path().join("a.zip"));
        fs::write(&file, "12345").expect("written");
        fs::write(&archive, Zip::of([Entry::stored("a.mat", "12345")]).build().bytes).expect("written");
        let lists = Lists::default();
        for (mesh, path) in [
            (Address::of_file(folder.path().join("m.psk")), file),
            (Address::of_entry(archive, "m.psk"), "a.mat".into()),
        ] {
            let near = lists.near(&mesh, &Source::default());
            assert_eq!(near.read(&path, 5).expect("five bytes"), b"12345");
            for most in [3, 4] {
                let error = near.read(&path, most).expect_err("too long");
                assert_eq!(error.to_string(), format!("is larger than {most} B"));
            }
        }
    }
}
