//! Which names `.ignore` and `.gitignore` leave out, in the order of precedence that search tools have.
//!
//! The walk of the crate `ignore` reads such files also if they are pipes or have no end. So this module reads them, with limits. The lines have
//! the meaning that the crate gives them.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::regular::{is_absence, read_regular};

/// The most bytes of the files of rules that hold in a folder: its own and those of the folders above. A rule takes up to a thousand times
/// its bytes in memory.
const MAX_BYTES: u64 = 256 << 10;

/// The most files of rules that hold in a folder: each is asked about each entry.
const MAX_FILES: usize = 64;

/// A file of rules that cannot be read.
pub(crate) type Unread = (PathBuf, io::Error);

/// The rules of a folder.
#[derive(Debug)]
struct Rules {
    folder: PathBuf,
    ignore: Gitignore,
    git: Gitignore,
    /// Whether this is the first folder of a repository. Rules of git hold in repositories, and those above a repository do not.
    is_repository: bool,
    /// The bytes of the files of rules in the folder and above.
    bytes: u64,
    /// The number of these files.
    files: usize,
    /// Whether one of them cannot be read.
    is_unread: bool,
}

/// The rules of the folders on the way to the entry that a walk is at.
#[derive(Debug)]
pub(crate) struct Ignored {
    /// The first folder of the walk as it was given, and without links.
    root: (PathBuf, PathBuf),
    /// The folders, from the root of the file system on.
    stack: Vec<Rules>,
}

impl Ignored {
    /// The rules that hold below a folder. What cannot be read goes to `unread`.
    pub(crate) fn new(root: (PathBuf, PathBuf), unread: &mut impl Extend<Unread>) -> Self {
        let mut own = Self { root, stack: Vec::new() };
        let mut folders: Vec<PathBuf> = own.root.1.ancestors().map(Path::to_owned).collect();
        folders.reverse();
        for folder in folders {
            own.enter(folder, unread);
        }
        own
    }

    /// Whether the rules leave out a file or folder, or let it in; `None` without a rule for it. The paths come in the order of folders, as a walk
    /// gives them.
    pub(crate) fn decide(&mut self, path: &Path, is_folder: bool, unread: &mut impl Extend<Unread>) -> Option<bool> {
        let place = place(&self.root, path);
        let folder = place.parent().unwrap_or(&place);
        while self.stack.last().is_some_and(|rules| !folder.starts_with(&rules.folder)) {
            self.stack.pop();
        }
        if self.stack.last().is_none_or(|rules| rules.folder != folder) {
            self.enter(folder.to_owned(), unread);
        }
        if self.stack.last().is_some_and(|rules| rules.is_unread) {
            return Some(true);
        }
        let decided = |matched: Match<_>| match matched {
            Match::None => None,
            Match::Ignore(_) => Some(true),
            Match::Whitelist(_) => Some(false),
        };
        let inner = || self.stack.iter().rev();
        let of_ignore = inner().find_map(|rules| decided(rules.ignore.matched(&place, is_folder)));
        of_ignore.or_else(|| {
            let repository = inner().position(|rules| rules.is_repository)?;
            inner().take(repository + 1).find_map(|rules| decided(rules.git.matched(&place, is_folder)))
        })
    }

    fn enter(&mut self, folder: PathBuf, unread: &mut impl Extend<Unread>) {
        let above = self.stack.last().map(|rules| (rules.bytes, rules.files, rules.is_unread));
        let (mut bytes, mut files, mut is_unread) = above.unwrap_or_default();
        let (root, real) = &self.root;
        let mut rules = |name| {
            let read = read(&folder.join(name), MAX_BYTES.saturating_sub(bytes)).and_then(|text| {
                bytes = bytes.saturating_add(text.len() as u64);
                files += usize::from(!text.is_empty());
                if files > MAX_FILES && !text.is_empty() {
                    return Err(not_walked(&io::Error::other(
                        "is, with those above it, more than 64 files of its kind",
                    )));
                }
                Ok(parsed(&folder, &text))
            });
            read.unwrap_or_else(|error| {
                is_unread = true;
                let shown = folder.strip_prefix(real).map_or_else(|_| folder.clone(), |below| root.join(below));
                unread.extend([(shown.join(name), error)]);
                Gitignore::empty()
            })
        };
        let (ignore, git) = (rules(".ignore"), rules(".gitignore"));
        let is_repository = is_repository(&folder);
        self.stack.push(Rules { folder, ignore, git, is_repository, bytes, files, is_unread });
    }
}

/// The path of an entry of a walk without links, by the first folder of the walk as it was given and without links.
pub(crate) fn place((root, real): &(PathBuf, PathBuf), path: &Path) -> PathBuf {
    path.strip_prefix(root).map_or_else(|_| path.to_owned(), |below| real.join(below))
}

/// A file of rules; an empty text if there is none.
fn read(path: &Path, most: u64) -> io::Result<String> {
    // A folder of this name is not meant, nor is a link to nothing.
    if path.metadata().map_or_else(|error| is_absence(&error), |metadata| metadata.is_dir()) {
        return Ok(String::new());
    }
    let bytes = match read_regular(path, most.saturating_add(1)) {
        Ok(bytes) if bytes.len() as u64 > most => {
            Err(io::Error::other("has, with the files of its kind above it, more than 256 KiB"))
        }
        read => read,
    };
    let bytes = bytes.map_err(|error| not_walked(&error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn not_walked(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{error}, so that its folder is not walked (--no-ignore walks it)"))
}

/// The rules in the lines of a file. A line without a meaning is passed over.
fn parsed(folder: &Path, text: &str) -> Gitignore {
    if text.is_empty() {
        return Gitignore::empty();
    }
    let mut builder = GitignoreBuilder::new(folder);
    for line in text.strip_prefix('\u{feff}').unwrap_or(text).lines() {
        // As the crate does: other lines still have a meaning.
        let _meaningless = builder.add_line(None, line).is_err();
    }
    builder.build().unwrap_or_else(|_| Gitignore::empty())
}

/// Whether a folder is the root of a repository, or of another tree of one. Git takes no folder that is only called so.
pub fn is_repository(folder: &Path) -> bool {
    let git = folder.join(".git");
    git.is_file() || git.join("HEAD").is_file() || folder.join(".jj").join("repo").exists()
}

/// Whether a name begins with a dot.
pub(crate) fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().first() == Some(&b'.')
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The rules of a folder, without those of the folders above, which other programs own.
    fn below(root: &Path) -> Ignored {
        Ignored { root: (root.to_owned(), root.to_owned()), stack: Vec::new() }
    }

    /// Whether a file `a.psk` in a folder is left out, and the files of rules that cannot be read so far.
    fn decide(own: &mut Ignored, folder: &Path, unread: &mut Vec<Unread>) -> (Option<bool>, usize) {
        let decided = own.decide(&folder.join("a.psk"), false, unread);
        (decided, unread.len())
    }

    fn write(folder: &Path, names: &[&str], text: &str) {
        for name in names {
            fs::write(folder.join(name), text).expect("written");
        }
    }

    #[test]
    fn the_rules_of_each_folder_are_read_when_the_walk_enters_it() {
        let root = tempfile::tempdir().expect("a folder");
        let inner = root.path().join("inner");
        fs::create_dir(&inner).expect("made");
        fs::write(inner.join(".ignore"), "a.psk\n").expect("written");
        let (mut own, mut unread) = (below(root.path()), Vec::new());
        assert_eq!(decide(&mut own, root.path(), &mut unread), (None, 0));
        assert_eq!(decide(&mut own, &inner, &mut unread), (Some(true), 0));
        assert_eq!(decide(&mut own, root.path(), &mut unread), (None, 0), "the rules of another folder are left");
    }

    /// The docs of the limit: 64 files that hold in a folder. Empty ones have no rules.
    #[test]
    fn a_folder_with_the_rules_of_more_than_64_files_is_not_walked() {
        for names in [&[".ignore", ".gitignore"][..], &[".gitignore"]] {
            let root = tempfile::tempdir().expect("a folder");
            let (mut own, mut unread) = (below(root.path()), Vec::new());
            let mut folder = root.path().to_owned();
            for _ in 0..64 / names.len() {
                folder.push("d");
                fs::create_dir(&folder).expect("made");
                write(&folder, names, "b\n");
                assert_eq!(decide(&mut own, &folder, &mut unread), (None, 0));
            }
            let full = folder.clone();
            folder.push("empty");
            fs::create_dir(&folder).expect("made");
            write(&folder, names, "");
            assert_eq!(decide(&mut own, &folder, &mut unread), (None, 0), "without rules of its own");
            let one_more = full.join("more");
            fs::create_dir(&one_more).expect("made");
            fs::write(one_more.join(names[0]), "b\n").expect("written");
            assert_eq!(decide(&mut own, &one_more, &mut unread), (Some(true), 1));
            let (path, error) = &unread[0];
            assert_eq!(*path, one_more.join(names[0]));
            assert!(error.to_string().starts_with("is, with those above it, more than 64 files"), "{error}");
        }
    }

    #[test]
    fn rules_that_are_longer_than_what_is_left_are_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(".ignore");
        fs::write(&path, "*.psk").expect("written");
        assert_eq!(read(&path, 5).expect("five bytes"), "*.psk");
        for most in [0, 3, 4] {
            let error = read(&path, most).expect_err("too long");
            assert!(error.to_string().starts_with("has, with the files of its kind above it, more than"), "{error}");
        }
    }
}
