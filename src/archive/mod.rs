//! Mod archives, read in place: ZIP files. The archives `.pyromod` (0 A.D.) and `.res` (SWAT 3) are ZIP files too.
//!
//! [`Archive`] reads the central directory and nothing else. The data of a *stored* entry is a slice of the archive's
//! bytes, at any alignment. The data of a *deflated* entry goes through an [`Inflater`], whose buffer is bounded and
//! can be used again. [`Address`] names a file or an entry in one line of text.
//!
//! Archives may be hostile. A size is never allocated because an archive states it. An error names the entry.

// Directories are not read by the crate rawzip (0.5.2), which walks a directory and has no access by index. For 36,051 entries
// (3.2 MB), measured side by side: an index on it takes 40 bytes an entry (its wayfinder, and the place of the name) in place of 4,
// and 192 us in place of 98; the directory of an object is 51 reads through a buffer of 66 KiB in place of 2; the error of a damaged
// directory does not say after how many entries; and overlaps, shadowed names and limits would still be checked here. The tests
// compare with it as a second reader.

mod address;
pub mod codes;
mod directory;
mod end;
mod entry;
mod error;
mod index;
mod inflate;
mod limits;
mod lookup;
mod name;
mod open;
mod record;
mod records;
mod side_car;
mod zip;

pub use address::Address;
pub use directory::Directory;
pub use entry::{Entries, Entry, Method};
pub use error::{AddressError, ArchiveError, ArchiveErrorKind, DirectoryError};
pub use inflate::Inflater;
pub use limits::Limits;
pub use name::EntryName;
pub use open::OpenArchive;
// For skelmap-batch, which asks stores and disks for entries before it reads them.
#[doc(hidden)]
pub use open::whole;
pub use side_car::SideCar;
// For skelmap-batch, whose items have their archives and objects open.
#[doc(hidden)]
pub use side_car::{beside_entry, beside_file, beside_object};
pub use zip::Archive;
