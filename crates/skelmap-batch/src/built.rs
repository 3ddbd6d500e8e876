//! The names of the files that 0 A.D. makes of sources. Actors and the reports on mods name the sources.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use skelmap::archive::{Address, ArchiveError, Entry, OpenArchive};

/// The file that the game makes of a model for COLLADA: `horse.dae.cached.pmd`.
pub(crate) fn cached_model(stem: &str, extension: &str) -> String {
    format!("{stem}.dae.cached.{extension}")
}

/// The file that the game makes of a texture: `horse.png.cached.dds`.
pub(crate) fn cached_texture(source: &str) -> String {
    format!("{source}.cached.dds")
}

/// The names that a file of a mod may have in the place of a source.
fn built_names(source: &str) -> Vec<String> {
    let Some((stem, extension)) = source.rsplit_once('.') else { return Vec::new() };
    match extension {
        "dae" => {
            let both = ["pmd", "psa"].map(|kind| [cached_model(stem, kind), format!("{stem}.{kind}")]);
            both.into_iter().flatten().collect()
        }
        kind @ ("pmd" | "psa") => vec![cached_model(stem, kind)],
        "bmp" | "dds" | "jpeg" | "jpg" | "png" | "tga" => vec![cached_texture(source)],
        _ => Vec::new(),
    }
}

/// What a name in an archive means.
#[derive(Debug, PartialEq)]
pub enum Named {
    /// The index of a file, or of what 0 A.D. has made of the source of this name.
    Entry(usize),
    /// A folder: the beginning of the names below it. That of the whole archive is empty.
    Folder(String),
}

impl Named {
    /// Finds what a name means. A folder needs no entry of its own; one that has it goes before what is made of a source. O(1) for a file,
    /// O(number of entries) for other names.
    ///
    /// # Errors
    /// That of the name.
    pub fn find(archive: &OpenArchive, name: &str) -> Result<Self, ArchiveError> {
        let folder = folder_of(name);
        let is_below = |entry: Entry<'_>| entry.name().to_string().starts_with(&folder);
        match entry_or_built(archive, name) {
            Ok(entry) if !entry.name().is_folder() => Ok(Self::Entry(entry.index())),
            Err(error) if !folder.is_empty() && !archive.entries().any(is_below) => Err(error),
            _ => Ok(Self::Folder(folder)),
        }
    }
}

/// What the names of entries below a folder begin with; nothing for the whole archive.
fn folder_of(name: &str) -> String {
    match name.trim_end_matches('/') {
        "" => String::new(),
        name => format!("{name}/"),
    }
}

/// The entry of a name, or of what 0 A.D. has made of the source of this name: `horse.dae.cached.pmd` for `horse.dae`. A folder that
/// has an entry is no source. O(1).
///
/// # Errors
/// That of the name.
pub(crate) fn entry_or_built<'a>(archive: &'a OpenArchive, name: &str) -> Result<Entry<'a>, ArchiveError> {
    let built = || {
        let found = built_names(name).iter().find_map(|name| archive.entry(name).ok());
        found.filter(|_| archive.entry(&folder_of(name)).is_err())
    };
    archive.entry(name).or_else(|error| built().ok_or(error))
}

/// The address of what 0 A.D. has made of a source that is not there.
pub(crate) fn built_address(source: &Address, open: impl FnOnce() -> Option<OpenArchive>) -> Option<Address> {
    let Some(name) = source.entry() else { return built_path(source.path()).map(Address::of_file) };
    let archive = Some(name).filter(|name| !built_names(name).is_empty()).and_then(|_| open())?;
    let entry = entry_or_built(&archive, name).ok()?.name().to_string();
    (entry != name).then(|| Address::of_entry(source.path(), entry))
}

/// The file in the place of a source that is not there.
pub(crate) fn built_path(source: &Path) -> Option<PathBuf> {
    // Another error of the system is told of.
    source.metadata().err().filter(|error| error.kind() == ErrorKind::NotFound)?;
    let names = built_names(source.file_name()?.to_str()?);
    names.into_iter().map(|name| source.with_file_name(name)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names in `art/` of the game: models and animations are made of COLLADA, textures of images.
    #[test]
    fn a_source_has_the_names_of_what_the_game_makes_of_it() {
        let mesh = ["horse.dae.cached.pmd", "horse.pmd", "horse.dae.cached.psa", "horse.psa"];
        assert_eq!(built_names("horse.dae"), mesh);
        assert_eq!(built_names("a/horse.pmd"), ["a/horse.dae.cached.pmd"]);
        assert_eq!(built_names("horse.psa"), ["horse.dae.cached.psa"]);
        assert_eq!(built_names("horse.png"), ["horse.png.cached.dds"]);
        assert!(built_names("horse").is_empty() && built_names("horse.psk").is_empty());
    }

    #[test]
    fn a_file_is_found_in_the_place_of_a_source_that_is_not_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let made = path("horse.dae.cached.psa");
        std::fs::write(&made, "").expect("written");
        assert_eq!(built_path(&path("horse.dae")).as_ref(), Some(&made));
        assert_eq!(built_path(&path("horse.psa")).as_ref(), Some(&made));
        assert_eq!(built_path(&path("cow.dae")), None);
        std::fs::write(path("horse.psa"), "").expect("written");
        assert_eq!(built_path(&path("horse.psa")), None, "the file itself is there");
    }
}
