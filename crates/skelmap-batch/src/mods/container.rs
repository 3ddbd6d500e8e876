//! An archive or a folder with files of a mod.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::xml::MAX_XML_BYTES;
use crate::items::Fault;
use crate::{Met, Walk};
use skelmap::Headers;
use skelmap::ParseOptions;
use skelmap::archive::{Address, Limits, OpenArchive};
use skelmap::mapping::{FileParts, Mapping, Opener};

/// The folder of a mod with what this module reads.
const ART: &str = "art/";
/// The description of a mod.
pub(super) const MANIFEST: &str = "mod.json";
/// What the name of a file ends in that hides a file or folder of the mods before.
const DELETED: &str = ".DELETED";

#[derive(Debug)]
pub(super) enum Container {
    Archive(OpenArchive),
    Folder(PathBuf),
}

/// The names of the files in a container.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// The path below the mod's root, and the index of the entry.
    pub(super) files: Vec<(String, u32)>,
    /// The paths of the mods before that are hidden.
    pub(super) deleted: HashSet<String>,
}

impl Names {
    fn add(&mut self, name: String, entry: u32) {
        if !name.starts_with(ART) && name != MANIFEST {
            return;
        }
        match name.strip_suffix(DELETED) {
            Some(path) => drop(self.deleted.insert(path.to_owned())),
            None => self.files.push((name, entry)),
        }
    }
}

impl Container {
    /// The containers at a path, the last of which hides the others: an archive; or the archives in a folder and the folder.
    pub(super) fn open_all(path: &Path, opener: &Opener, limits: &Limits) -> Result<Vec<Self>, Fault> {
        let archive = |path: &Path| OpenArchive::open(path, opener, limits).map(Self::Archive);
        if !path.is_dir() {
            return Ok(vec![archive(path).map_err(|error| Fault::from(&error))?]);
        }
        let entries = path.read_dir().and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let entries = entries.map_err(|error| Fault::from(&error))?;
        let mut archives: Vec<_> = entries.iter().map(std::fs::DirEntry::path).collect();
        archives.retain(|path| path.extension().is_some_and(|end| end == "zip") && path.is_file());
        archives.sort();
        let opened = archives.iter().map(|path| archive(path)).collect::<Result<Vec<_>, _>>();
        let mut all = opened.map_err(|error| Fault::from(&error))?;
        all.push(Self::Folder(path.to_owned()));
        Ok(all)
    }

    pub(super) fn names(&self) -> Names {
        let mut names = Names::default();
        match self {
            Self::Archive(archive) => {
                for entry in archive.entries() {
                    let index = u32::try_from(entry.index());
                    if let (Ok(index), Ok(name)) = (index, entry.name().to_safe_path()) {
                        names.add(name, index);
                    }
                }
            }
            Self::Folder(root) => {
                let manifest = root.join(MANIFEST);
                let manifest = manifest.is_file().then_some(Met::File(manifest));
                for met in Walk::all().files(&root.join(ART)).chain(manifest) {
                    let Met::File(path) = met else { continue };
                    let parts = path.strip_prefix(root).ok().map(Path::components);
                    let parts =
                        parts.map(|parts| parts.map(|part| part.as_os_str().to_str()).collect::<Option<Vec<_>>>());
                    if let Some(Some(parts)) = parts {
                        names.add(parts.join("/"), 0);
                    }
                }
            }
        }
        names
    }

    /// The address of a file.
    pub(super) fn address(&self, name: &str, entry: u32) -> Address {
        match self {
            Self::Archive(archive) => {
                let index = usize::try_from(entry).ok();
                let entry = index.and_then(|index| archive.get(index)).map(|entry| entry.name().to_string());
                Address::of_entry(archive.path(), entry.unwrap_or_else(|| name.to_owned()))
            }
            Self::Folder(root) => Address::of_file(root.join(name)),
        }
    }

    /// The bytes of a text, of at most 1 MiB.
    pub(super) fn read_text(&self, name: &str, entry: u32, opener: &Opener) -> Result<Mapping<'static>, Fault> {
        let size = match self {
            Self::Archive(archive) => entry_of(archive, entry)?.size(),
            Self::Folder(root) => root.join(name).metadata().map_err(|error| Fault::from(&error))?.len(),
        };
        if size > MAX_XML_BYTES {
            let message = "is larger than 1 MiB, the limit for such files";
            return Err((&std::io::Error::new(std::io::ErrorKind::FileTooLarge, message)).into());
        }
        self.read(name, entry, opener)
    }

    pub(super) fn read(&self, name: &str, entry: u32, opener: &Opener) -> Result<Mapping<'static>, Fault> {
        match self {
            Self::Archive(archive) => archive.open_entry(&entry_of(archive, entry)?).map_err(|error| (&error).into()),
            Self::Folder(root) => opener.open(root.join(name)).map_err(|error| error.io().into()),
        }
    }

    /// The headers of a model.
    pub(super) fn headers(
        &self,
        name: &str,
        entry: u32,
        opener: &Opener,
        options: &ParseOptions,
    ) -> Result<Headers, Fault> {
        let of_source = |source: &dyn skelmap::ReadAt<Error = std::io::Error>| {
            Ok::<_, std::io::Error>(match Headers::read(source, options) {
                Ok(headers) => Ok(headers),
                Err(skelmap::ReadError::Format(error)) => Err(Fault::from(error)),
                Err(skelmap::ReadError::Source(error)) => return Err(error),
            })
        };
        let read = match self {
            Self::Archive(archive) => {
                let record = entry_of(archive, entry)?;
                archive
                    .with_stored(&record, &mut Vec::new(), of_source)
                    .map(|read| read.map_err(|error| (&error).into()))
            }
            Self::Folder(root) => {
                let parts = FileParts::open(root.join(name)).map_err(|error| Fault::from(&error))?;
                Some(of_source(&parts).map_err(|error| (&error).into()))
            }
        };
        if let Some(read) = read {
            return read.and_then(|headers| headers);
        }
        let bytes = self.read(name, entry, opener)?;
        Headers::read(&*bytes, options).map_err(|error| match error {
            skelmap::ReadError::Format(error) => error.into(),
            skelmap::ReadError::Source(never) => match never {},
        })
    }
}

fn entry_of(archive: &OpenArchive, entry: u32) -> Result<skelmap::archive::Entry<'_>, Fault> {
    let found = usize::try_from(entry).ok().and_then(|entry| archive.get(entry));
    found.ok_or_else(|| Fault::from(&std::io::Error::from(std::io::ErrorKind::NotFound)))
}

/// Whether a path or a folder above it is in a set.
pub(super) fn is_below(path: &str, set: &HashSet<String>) -> bool {
    set.contains(path) || path.match_indices('/').any(|(at, _)| path.get(..at).is_some_and(|above| set.contains(above)))
}
