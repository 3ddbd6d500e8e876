//! Bytes of files: mapped, read, or borrowed. The only module with `unsafe`.
//!
//! [`Mapping`] holds the bytes. [`Opener`] opens many files by one policy. [`FileParts`] reads a few places of a file.
//! [`Store`] is a place other than the file system, such as a bucket.
//!
//! # Mapping or reading
//! A file that is read is a copy: nothing that happens to the file later changes the bytes. A map copies nothing, but a
//! map *is* the file: what other programs write to the file appears in a `&[u8]`, which Rust takes for constant. So
//! mapping is `unsafe` and reading is not. A map under a lease (feature `lease`, Linux) becomes a copy when another
//! program wants to write, and not before.
//!
//! | the file is | [`read`](Mapping::read) | [`map`](Mapping::map), [`auto`](Opener::auto) | [`leasing`](Opener::leasing) |
//! |---|---|---|---|
//! | truncated | no effect | access to the lost bytes kills the process (SIGBUS) | the other program waits for the copy; then no effect |
//! | changed in place | no effect | the bytes change | the other program waits for the copy; then no effect |
//! | replaced by a rename | no effect | no effect: the old bytes stay | no effect |
//! | deleted | no effect | no effect: the old bytes stay | no effect |
//!
//! On Windows the system refuses to truncate a mapped file.
//!
//! While a file *is being* read, the copy can hold old bytes and new ones. Views over bytes that change after parsing
//! give other values or none. They never panic and never reach outside of the bytes, because each access checks its
//! range. Some programs get round a lease, none by accident: see [`leasing`](Opener::leasing).
//!
//! Reading a small file is faster than mapping it. [`Opener::auto`] chooses by size.
//!
//! # What does not help
//! * A private map (`MAP_PRIVATE`): a truncation takes every byte that was not accessed before, as from a shared map.
//! * A clone of the file (`FICLONE`): only Btrfs, XFS and a few other file systems can make one, and this program must
//!   be allowed to write to the same file system.
//! * A sealed copy in memory (`memfd`): it costs as much as reading.
//! * A handler for SIGBUS that puts zeros in the place of the lost bytes: the program goes on with data that nobody
//!   wrote.

#![allow(unsafe_code)]
// The docs are those of all features.
#![cfg_attr(not(feature = "lease"), allow(rustdoc::broken_intra_doc_links))]

mod address;
#[cfg_attr(not(all(feature = "mmap", target_os = "linux")), path = "no_cache.rs")]
// For skelmap-batch, which reads cold files on more threads.
#[doc(hidden)]
pub mod cache;
mod error;
#[cfg(all(feature = "lease", target_os = "linux"))]
mod lease;
mod opener;
mod parts;
mod shared;
mod store;

#[cfg(feature = "archive")]
pub(crate) use address::split_query;
pub use address::{is_address, shown, without_secrets};
pub use error::OpenError;
pub use opener::{MAP_FROM, Opener, UNSIZED_LIMIT};
pub use parts::FileParts;
// For skelmap-batch, which looks at the first bytes of every file of a folder.
#[cfg(feature = "archive")]
#[doc(hidden)]
pub use parts::first_bytes;
pub use shared::Mapping;
pub use store::{Listed, Object, Store, StoreError, Target};
