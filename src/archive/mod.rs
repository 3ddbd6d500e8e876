//! Mod archives, read in place: ZIP files. The archives `.pyromod` (0 A.D.) and `.res` (SWAT 3) are ZIP files too.
//!
//! [`Archive`] reads only the central directory. The data of a *stored* entry is a slice of the archive's bytes, at any
//! alignment. An [`Inflater`] with a bounded, reusable buffer unpacks the data of a *deflated* entry. [`Address`] names a file
//! or an entry in one line of text.
//!
//! Archives may be hostile. Stated sizes are never allocated unchecked. An error names the entry.

// Why not the crate rawzip (0.5.2): it walks a directory and has no access by index. Measured for 36,051 entries (3.2 MB), an
// index on top of it takes 40 bytes for each entry (its wayfinder, and the offset of the name) instead of 4, and 192 us instead
// of 98; reading the directory of an object takes 51 reads with a buffer of 66 KiB instead of 2; the error of a damaged
// directory has no entry number; overlaps, shadowed names and limits must be checked here anyway. The tests use it as a second
// reader.

mod address;
pub mod codes;
mod directory;
mod end;
mod entry;
mod error;
mod index;
mod inflate;
mod lookup;
mod name;
mod open;
mod record;
mod records;
mod side_car;
mod zip;

pub use crate::limits::Limits;
pub use address::Address;
pub use directory::Directory;
pub use entry::{Entries, Entry, EntryKey, Method};
pub use error::{AddressError, ArchiveError, ArchiveErrorKind, DirectoryError};
pub use inflate::Inflater;
pub use name::EntryName;
pub use open::OpenArchive;
// For skelmap-batch, which asks stores and disks for entries before it reads them.
#[doc(hidden)]
pub use open::whole;
pub use side_car::SideCar;
// For skelmap-batch, whose items have their archives and objects open.
#[doc(hidden)]
pub use side_car::{beside_entry, beside_file, beside_object, places_beside};
pub use zip::Archive;
