//! Mod archives read in place: ZIP files, which `.pyromod` (0 A.D.) and `.res` (SWAT 3) are too.
//!
//! [`Archive`] indexes the central directory and touches nothing else. An entry that is *stored* is a slice of the archive's
//! bytes, at whatever alignment; one that is *deflated* goes through an [`Inflater`], whose buffer is reused and bounded. Names and
//! sizes come from strangers: what an archive merely claims is never allocated, and errors name the entry.

mod address;
mod error;
mod index;
mod inflate;
mod name;

#[cfg(feature = "catalog")]
pub(crate) use address::open_entry;
pub use address::{Address, AddressError};
pub use error::{ArchiveError, ArchiveErrorKind};
#[cfg(feature = "catalog")]
pub(crate) use index::Index as ArchiveIndex;
pub use index::{Archive, Entries, Entry, Limits, Method};
pub use inflate::Inflater;
pub use name::EntryName;
