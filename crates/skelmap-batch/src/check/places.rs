//! Where files are in their repository: one name for each file, however the arguments name it and wherever the repository lies.

use std::collections::HashMap;
use std::env;
use std::path::{Component, Path, PathBuf};

use skelmap::archive::Address;

use crate::ignored::is_repository;
use crate::markup::percent_encoded;
use crate::{is_remote, path_text};

/// What begins the name of a file whose path is not Unicode: the rest has its bytes as an address has them.
pub(super) const ESCAPED: &str = "file:";

/// The folder that files are named in, and where the paths of the arguments lead.
#[derive(Debug)]
pub(crate) struct Places {
    /// The repository that the working folder and the first path are in; else that of the first path, else the working folder.
    root: PathBuf,
    here: PathBuf,
    /// The paths of the arguments, and the same without links and steps upwards.
    given: HashMap<PathBuf, PathBuf>,
}

impl Places {
    pub(crate) fn of(paths: &[PathBuf]) -> Self {
        let here = env::current_dir().and_then(|here| here.canonicalize()).unwrap_or_default();
        let files = paths.iter().filter(|path| !is_remote(path)).map(|path| Address::find(path).path().to_owned());
        let given: Vec<_> = files.map(|path| (resolved(&path, &here), path)).collect();
        let first = given.first().map_or(here.as_path(), |(first, _)| first);
        let of_here = repository(&here);
        let root = of_here.filter(|root| first.starts_with(root)).or_else(|| repository(first)).or(of_here);
        let root = root.unwrap_or(&here).to_owned();
        Self { root, here, given: given.into_iter().map(|(resolved, path)| (path, resolved)).collect() }
    }

    /// The path of a file below the root, with slashes; elsewhere the absolute path.
    pub(super) fn name(&self, path: &Path) -> String {
        if is_remote(path) {
            return path_text(path).into_owned();
        }
        let below = path.ancestors().find_map(|above| Some((self.given.get(above)?, path.strip_prefix(above).ok()?)));
        let whole = match below {
            Some((above, below)) => above.iter().chain(below).collect(),
            None => plain(&self.here.join(path)),
        };
        let Ok(own) = whole.strip_prefix(&self.root) else { return absolute(&whole) };
        match own.to_str() {
            Some(own) if cfg!(windows) => own.replace('\\', "/"),
            Some(own) => own.to_owned(),
            None => format!("{ESCAPED}{}", percent_encoded(own.as_os_str().as_encoded_bytes(), b"-._~/")),
        }
    }
}

/// An absolute path as the services take it. Where the paths of links are resolved, Windows says so in a prefix that is not for people.
fn absolute(path: &Path) -> String {
    let text = path_text(path);
    if !cfg!(windows) {
        return text.into_owned();
    }
    let text = text.strip_prefix(r"\\?\").unwrap_or(&text);
    let text = text.strip_prefix(r"UNC\").map_or_else(|| text.to_owned(), |share| format!(r"\\{share}"));
    text.replace('\\', "/")
}

/// A path without steps upwards, and without links on the way to a file. A file that is a link keeps its name.
fn resolved(path: &Path, here: &Path) -> PathBuf {
    let whole = here.join(path);
    let whole = match (whole.is_dir(), whole.parent(), whole.file_name()) {
        (false, Some(folder), Some(name)) => folder.canonicalize().map(|folder| folder.join(name)),
        _ => whole.canonicalize(),
    };
    whole.unwrap_or_else(|_| plain(&here.join(path)))
}

/// A path without `.` and `..`, by its text alone.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, part| {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
        plain
    })
}

/// The nearest repository above a path.
fn repository(path: &Path) -> Option<&Path> {
    path.ancestors().find(|folder| is_repository(folder))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A repository with a folder `art`, in which is `a.psk`.
    fn repository_of_art() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("a path");
        fs::create_dir(root.join(".git")).expect("made");
        fs::write(root.join(".git/HEAD"), "").expect("written");
        fs::create_dir(root.join("art")).expect("made");
        fs::write(root.join("art/a.psk"), b"x").expect("written");
        (folder, root)
    }

    #[test]
    fn a_path_is_made_plain_by_its_text() {
        assert_eq!(plain(Path::new("./a/../b/./c")), Path::new("b/c"));
        assert_eq!(plain(Path::new("/a/b/../../c")), Path::new("/c"));
    }

    #[test]
    fn files_are_named_in_the_repository_that_they_are_in() {
        let (_folder, root) = repository_of_art();
        let places = Places::of(&["s3://bucket/mods".into(), root.join("art")]);
        assert_eq!(places.name(&root.join("art/a.psk")), "art/a.psk");
        assert_eq!(places.name(Path::new("s3://bucket/mods/a.psk")), "s3://bucket/mods/a.psk");
        let elsewhere = tempfile::tempdir().expect("a folder");
        let outside = elsewhere.path().canonicalize().expect("a path").join("b.psk");
        assert_eq!(places.name(&outside), absolute(&outside));
        if !cfg!(windows) {
            assert_eq!(Path::new(&absolute(&outside)), outside);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_file_has_a_name_of_its_own_and_a_link_to_a_folder_has_none() {
        let (_folder, root) = repository_of_art();
        let [file, folder] = ["art/link.psk", "way"].map(|name| root.join(name));
        std::os::unix::fs::symlink(root.join("art/a.psk"), &file).expect("made");
        std::os::unix::fs::symlink(root.join("art"), &folder).expect("made");
        assert_eq!(Places::of(std::slice::from_ref(&file)).name(&file), "art/link.psk");
        assert_eq!(Places::of(std::slice::from_ref(&folder)).name(&folder.join("a.psk")), "art/a.psk");
        assert_eq!(Places::of(&[root.join("art")]).name(&root.join("art/a\\b.psk")), "art/a\\b.psk");
    }
}
