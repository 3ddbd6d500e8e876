//! The inputs of a run, which no output replaces; and files that earlier runs have made, which outputs may replace.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use skelmap::Format;
use skelmap::archive::{Address, places_beside};

use crate::built::built_path;
use crate::regular::{is_archive, read_regular, real_path};

/// The paths that a run reads from.
#[derive(Debug, Default)]
pub struct Originals {
    paths: Vec<PathBuf>,
    real: OnceLock<Real>,
}

/// The paths without links.
#[derive(Debug)]
struct Real {
    files: HashSet<PathBuf>,
    folders: HashSet<PathBuf>,
}

impl Originals {
    /// Files, folders and addresses. The side-car of an animation is read with it.
    pub fn new(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        Self { paths: paths.into_iter().collect(), real: OnceLock::new() }
    }

    /// Checks that a file is no input: none of the files and archives, and no asset or archive in one of the folders. O(1) after the first time, and
    /// at once for a file that is not there.
    ///
    /// # Errors
    /// A file that is one.
    pub fn check(&self, output: &Path) -> io::Result<()> {
        let Ok(real) = real_path(output) else { return Ok(()) };
        let is_input = self.real().files.contains(&real) || (self.is_in_folder(&real) && is_asset(&real));
        if is_input { Err(io::Error::other("is one of the inputs")) } else { Ok(()) }
    }

    /// Checks that a file that a picture would replace is no input, and no image beside the inputs: these may be textures. Pictures that earlier
    /// runs have drawn may be replaced.
    ///
    /// # Errors
    /// A file that is one.
    pub fn check_picture(&self, output: &Path) -> io::Result<()> {
        self.check(output)?;
        if self.has_above(output) && !is_picture(output) {
            let message = "lies beside the inputs, and may be a texture: choose another folder or name";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
        }
        Ok(())
    }

    /// Whether a file lies in one of the folders.
    pub fn has_above(&self, file: &Path) -> bool {
        real_path(file).is_ok_and(|real| self.is_in_folder(&real))
    }

    fn is_in_folder(&self, real: &Path) -> bool {
        real.ancestors().skip(1).any(|above| self.real().folders.contains(above))
    }

    fn real(&self) -> &Real {
        self.real.get_or_init(|| {
            let real = self.paths.iter().flat_map(|path| {
                let address = Address::find(path);
                // A source is what the game has made of it.
                let built = || built_path(address.path()).and_then(|built| real_path(&built).ok());
                let side_cars: Vec<_> = if is_animation(address.path()) {
                    places_beside(address.path()).filter_map(|path| real_path(&path).ok()).collect()
                } else {
                    Vec::new()
                };
                real_path(address.path()).ok().or_else(built).into_iter().chain(side_cars)
            });
            let (folders, files) = real.partition(|path| path.is_dir());
            Real { files, folders }
        })
    }
}

/// Whether a file is an animation that may have a side-car.
fn is_animation(path: &Path) -> bool {
    matches!(Format::sniff(&first_of(path)), Ok(Format::ActorxPsa))
}

/// Whether a file is an asset or an archive, by its first bytes, or a side-car, by its name.
fn is_asset(path: &Path) -> bool {
    let first = first_of(path);
    is_archive(&first) || Format::sniff(&first).is_ok() || places_beside(path).any(|place| place == path)
}

fn first_of(path: &Path) -> Vec<u8> {
    read_regular(path, Format::SNIFF_LEN as u64).unwrap_or_default()
}

/// Every page has these bytes near its beginning, and every picture these.
const PAGE: &[u8] = b"<meta name=\"generator\" content=\"skelmap\">";
const PICTURE: &[u8] = b"tEXtSoftware\0skelmap";

/// Where they are looked for.
const HEAD: u64 = 512;

/// Whether a file is a page that an earlier run has made.
pub fn is_page(path: &Path) -> bool {
    has_mark(path, PAGE)
}

/// Whether a file is a picture that an earlier run has drawn.
pub fn is_picture(path: &Path) -> bool {
    has_mark(path, PICTURE)
}

fn has_mark(path: &Path, mark: &[u8]) -> bool {
    read_regular(path, HEAD).is_ok_and(|head| head.windows(mark.len()).any(|bytes| bytes == mark))
}
