//! Bytes of files: mapped, read, or borrowed. The only module with `unsafe`.
//!
//! [`Mapping`] holds the bytes. [`Opener`] opens many files by one policy. [`FileParts`] reads parts of a file. [`Store`] is
//! storage other than the file system, such as a bucket.
//!
//! # Mapping or reading
//! Reading makes a copy: later changes of the file have no effect. A map copies nothing, but it *is* the file: writes of other
//! programs appear in a `&[u8]`, which Rust assumes to be constant. So mapping is `unsafe` and reading is not. A map under a
//! lease (feature `lease`, Linux) becomes a copy only when another program wants to write.
//!
//! | the file is | [`read`](Mapping::read) | [`map`](Mapping::map), [`auto`](Opener::auto) | [`leasing`](Opener::leasing) |
//! |---|---|---|---|
//! | truncated | no effect | access to the lost bytes kills the process (SIGBUS) | the other program waits for the copy; then no effect |
//! | changed in place | no effect | the bytes change | the other program waits for the copy; then no effect |
//! | replaced by a rename | no effect | no effect: the old bytes stay | no effect |
//! | deleted | no effect | no effect: the old bytes stay | no effect |
//!
//! Windows does not allow truncating, replacing or deleting a mapped file.
//!
//! A file that changes *while it is read* can give a mixture of old and new bytes. Views over bytes that change after parsing
//! return other values or none. They never panic and never read outside of the bytes, because each access checks its range.
//! Some programs bypass a lease, but not by accident: see [`leasing`](Opener::leasing).
//!
//! Reading a small file is faster than mapping it. [`Opener::auto`] chooses by size.
//!
//! # Alternatives that do not help
//! * A private map (`MAP_PRIVATE`): truncation removes all bytes that were not accessed before, as in a shared map.
//! * A clone of the file (`FICLONE`): only Btrfs, XFS and a few other file systems support it, and this program must be allowed
//!   to write to the same file system.
//! * A sealed copy in memory (`memfd`): it costs as much as reading.
//! * A handler for SIGBUS that maps zeros over lost bytes: the program continues with invented data.

#![allow(unsafe_code)]
// The docs are built with all features.
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
