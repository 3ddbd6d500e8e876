//! Where outputs go: standard output, a file, or a folder.

use std::io;
use std::path::{Path, PathBuf};

use super::error::ConvertError;
use super::options::Kind;
use crate::place::{Place, joined};
use crate::unfinished::create_folders;

/// Extensions of other programs' files, which nobody gives to a folder.
const FOREIGN: [&str; 10] = ["3ds", "blend", "dae", "fbx", "ply", "stl", "usd", "usda", "usdc", "usdz"];

/// Where outputs go.
pub(super) enum Target {
    Stdout(Kind),
    File(PathBuf, Kind),
    Folder(PathBuf, Kind),
}

impl Target {
    pub(super) fn new(output: &Path, asked: Option<Kind>) -> Result<Self, ConvertError> {
        if output == Path::new("-") {
            let kind = asked.unwrap_or(Kind::Glb);
            if kind == Kind::Gltf {
                return Err(ConvertError::TwoFilesToStdout);
            }
            return Ok(Self::Stdout(kind));
        }
        let extension = output.extension().unwrap_or_default().to_ascii_lowercase();
        if FOREIGN.iter().any(|foreign| extension == *foreign) && !output.is_dir() {
            return Err(ConvertError::ForeignKind(output.to_owned()));
        }
        let kinds = [Kind::Glb, Kind::Gltf, Kind::Obj, Kind::Html];
        let named = kinds.into_iter().find(|kind| extension == kind.extension()).filter(|_| !output.is_dir());
        match (named, asked) {
            (Some(named), Some(to)) if named != to => Err(ConvertError::OtherKind { path: output.to_owned(), to }),
            (Some(named), _) => Ok(Self::File(output.to_owned(), named)),
            (None, _) if output.metadata().is_ok_and(|metadata| !metadata.is_dir()) => {
                Err(ConvertError::NoFolder(output.to_owned()))
            }
            (None, to) => Ok(Self::Folder(output.to_owned(), to.unwrap_or(Kind::Glb))),
        }
    }

    pub(super) const fn kind(&self) -> Kind {
        match self {
            Self::Stdout(kind) | Self::File(_, kind) | Self::Folder(_, kind) => *kind,
        }
    }

    /// The path of an output; `None` for standard output.
    pub(super) fn path(&self, base: &Path) -> Option<PathBuf> {
        match self {
            Self::Stdout(_) => None,
            Self::File(path, _) => Some(path.clone()),
            Self::Folder(folder, kind) => {
                let mut path = joined(folder, base).into_os_string();
                path.push(format!(".{}", kind.extension()));
                Some(path.into())
            }
        }
    }

    /// The place of an output. Folders below that of all outputs are made, and no link there is followed.
    pub(super) fn place(&self, path: &Path) -> io::Result<Place> {
        if let Self::Folder(folder, _) = self {
            create_folders(folder)?;
            return Place::below(folder, path.strip_prefix(folder).unwrap_or(path));
        }
        Ok(Place::of(path))
    }

    pub(super) const fn is_folder(&self) -> bool {
        matches!(self, Self::Folder(..))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_whose_name_tells_no_kind_is_no_folder_of_outputs() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("notes"), "").expect("written");
        fs::create_dir(path("made.glb")).expect("made");
        let target = |name: &str| Target::new(&path(name), None);
        assert!(matches!(target("notes"), Err(ConvertError::NoFolder(own)) if own == path("notes")));
        for name in ["", "new", "made.glb"] {
            assert!(matches!(target(name), Ok(Target::Folder(_, Kind::Glb))), "{name}");
        }
        assert!(matches!(target("new.glb"), Ok(Target::File(_, Kind::Glb))));
    }
}
