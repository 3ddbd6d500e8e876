//! The names of the files that 0 A.D. makes of sources. Actors and the reports on mods name the sources.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use skelmap::archive::{ArchiveError, Entry, OpenArchive};

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
        _ => vec![cached_texture(source)],
    }
}

/// The entry of a name, or of what the game has made of the source of this name.
pub(crate) fn entry_or_built<'a>(archive: &'a OpenArchive, name: &str) -> Result<Entry<'a>, ArchiveError> {
    let built = || built_names(name).iter().find_map(|name| archive.entry(name).ok());
    archive.entry(name).or_else(|error| built().ok_or(error))
}

/// The file in the place of a source that is not there.
pub(crate) fn built_path(source: &Path) -> Option<PathBuf> {
    // Another error of the system is told of.
    source.metadata().err().filter(|error| error.kind() == ErrorKind::NotFound)?;
    let names = built_names(source.file_name()?.to_str()?);
    names.into_iter().map(|name| source.with_file_name(name)).find(|path| path.is_file())
}
