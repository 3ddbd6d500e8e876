//! Side-cars: text files beside ActorX animations, in the same folder or archive.

use std::io;
use std::path::{Path, PathBuf};

use super::address::Address;
use super::error::{AddressError, ArchiveErrorKind};
use super::open::OpenArchive;
use crate::actorx::Config;
use crate::limits::Limits;
use crate::mapping::{Mapping, Opener, Store, first_bytes, split_query};
use crate::model::{Clip, TrackSources};

/// The extensions of side-cars, in the order of the search.
const EXTENSIONS: [&str; 3] = ["config", "CONFIG", "Config"];

/// The maximum size of a side-car.
const MAX_SIDE_CAR_BYTES: u64 = 64 << 20;

/// A side-car and its address.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SideCar {
    /// The address.
    pub address: Address,
    /// The text.
    pub bytes: Mapping<'static>,
}

impl SideCar {
    /// The side-car beside an animation: the file or entry in the same folder with the same name and the extension `.config`,
    /// `.CONFIG` or `.Config`, the first that exists in this order; `None` if none exists.
    ///
    /// A loose side-car is read, not mapped. The opener opens the archive.
    ///
    /// ```
    /// use skelmap::{archive::{Address, SideCar}, mapping::Opener};
    ///
    /// let animation = Address::find("tests/corpus/actorx/config/ten_keys.psa");
    /// println!("{:?}", SideCar::beside(&animation, &Opener::reading())?.map(|found| found.bytes.len()));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// A side-car that cannot be read, is larger than 64 MiB, or is not a regular file. The message has its address. This is an
    /// error because an animation without its side-car may look right and be wrong.
    pub fn beside(animation: &Address, opener: &Opener) -> io::Result<Option<Self>> {
        let Some(name) = animation.entry() else {
            return match opener.store_of(animation.location()) {
                Some((store, location)) => beside_object(&**store, location),
                None => beside_file(animation.path()),
            };
        };
        let archive = OpenArchive::open(animation.location(), opener, &Limits::default());
        let archive = archive.map_err(|error| failed(animation, &error.into_io()))?;
        beside_entry(animation.path(), &archive, name)
    }

    /// The sources of each track of a clip, for
    /// [`Binding::with_sources`](crate::model::Binding::with_sources). O(bytes + bones).
    pub fn to_sources(&self, clip: &Clip<'_>) -> Vec<TrackSources> {
        Config::new(&self.bytes).to_sources(clip)
    }
}

/// Where the side-car of an animation may be. O(1).
#[doc(hidden)] // For those who protect what they read.
pub fn places_beside(animation: &Path) -> impl Iterator<Item = PathBuf> + use<'_> {
    EXTENSIONS.into_iter().map(|extension| animation.with_extension(extension))
}

/// The side-car beside a file.
///
/// # Errors
/// A side-car that cannot be read or is too large.
pub fn beside_file(animation: &Path) -> io::Result<Option<SideCar>> {
    for path in places_beside(animation) {
        let address = Address::of_file(&path);
        let metadata = match path.metadata() {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(failed(&address, &error)),
        };
        if !metadata.is_file() {
            return Err(failed(&address, &io::Error::other("is not a regular file")));
        }
        check_size(&address, metadata.len())?;
        // At most the stated size: a file of `/proc` states 0 and may not end.
        let bytes = first_bytes(&path, metadata.len()).map_err(|error| failed(&address, &error))?;
        return Ok(Some(SideCar { address, bytes: bytes.into() }));
    }
    Ok(None)
}

/// The side-car beside an object. A store that hides its objects refuses access, so a refusal means that no side-car exists.
///
/// # Errors
/// A side-car that cannot be read or is too large.
pub fn beside_object(store: &dyn Store, animation: &str) -> io::Result<Option<SideCar>> {
    let (path, query) = split_query(animation);
    for extension in EXTENSIONS {
        let location = with_extension(path, extension);
        let address = Address::of_file(&location);
        let object = match store.open(&format!("{location}{query}")) {
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied) => continue,
            opened => opened.map_err(|error| failed(&address, &error))?,
        };
        check_size(&address, object.size())?;
        let bytes = object.read(0..object.size()).map_err(|error| failed(&address, &error))?;
        return Ok(Some(SideCar { address, bytes }));
    }
    Ok(None)
}

/// The side-car beside an entry of an archive.
///
/// # Errors
/// A side-car that cannot be read or is too large.
pub fn beside_entry(path: &Path, archive: &OpenArchive, animation: &str) -> io::Result<Option<SideCar>> {
    for extension in EXTENSIONS {
        let name = with_extension(animation, extension);
        let address = Address::of_entry(path, name.as_str());
        let entry = match archive.entry(&name) {
            Err(error) if matches!(error.kind(), ArchiveErrorKind::NoSuchEntry) => continue,
            found => found.map_err(|error| failed(&address, &io::Error::new(io::ErrorKind::InvalidData, error)))?,
        };
        check_size(&address, entry.size())?;
        let bytes = archive.open_entry(entry).map_err(|error: AddressError| failed(&address, &error.into_io()))?;
        return Ok(Some(SideCar { address, bytes }));
    }
    Ok(None)
}

/// An entry's name with another extension.
fn with_extension(name: &str, extension: &str) -> String {
    Path::new(name).with_extension(extension).to_string_lossy().into_owned()
}

fn check_size(address: &Address, size: u64) -> io::Result<()> {
    if size > MAX_SIDE_CAR_BYTES {
        return Err(failed(address, &io::Error::other("is larger than 64 MiB")));
    }
    Ok(())
}

fn failed(address: &Address, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("side-car {address}: {error}"))
}
