//! Meshes, animations and mod archives in S3, Google Cloud Storage, Azure and on web servers: a [`Store`] for
//! [skelmap].
//!
//! An archive of gigabytes is not downloaded. Its directory takes two requests, an asset in it one, and adjacent headers share
//! a request:
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use skelmap::mapping::Opener;
//! use skelmap_stores::Remote;
//!
//! let remote = Remote::new(Default::default());
//! let opener = Opener::reading().with_store(Arc::new(remote.clone()));
//! let walk = opener.open("s3://mods/art/walk.psa")?;
//! println!("{:?}, {:?}", skelmap::Asset::parse(&walk)?.summary(), remote.usage());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Everything in skelmap that takes an [`Opener`] accepts such addresses: archives, entries of archives
//! (`s3://mods/public.zip!/art/x.psa`), side-cars, and the catalogue.
//!
//! | to | use |
//! |---|---|
//! | open addresses like paths | [`Opener::with_store`] and [`Remote`] |
//! | read the parts of one object | [`Remote::object`], a [`ReadAt`](skelmap::ReadAt), and [`ObjectParts`] for small reads |
//! | list the objects below a prefix | [`Remote::list`] |
//! | use a client with your own credentials | [`RemoteObject::open`] with any store of [`object_store`] |
//! | limit bytes, requests and time | [`Options`] |
//! | measure the cost | [`Remote::usage`] |
//!
//! Promises, each held by a test in `tests/it`:
//! * The first answer about an object pins its version. Replacing an object while it is read is an error, never a mixture of
//!   old and new bytes (`an_object_that_is_replaced_meanwhile_is_an_error_and_never_a_mixture`).
//! * No allocation depends on a size that a store states, no body is read beyond the requested range, and
//!   [`Options::max_bytes`] limits everything together (`the_limit_of_bytes_holds_for_everything_together`).
//! * No error repeats a query, a user name, a password or a text of the server
//!   (`nothing_of_an_address_that_may_be_secret_is_in_an_error`).
//!
//! Calls block the thread. They may come from any thread, including those of an asynchronous runtime.
//!
//! [`Store`]: skelmap::mapping::Store
//! [`Opener`]: skelmap::mapping::Opener
//! [`Opener::with_store`]: skelmap::mapping::Opener::with_store

/// Compiles the programs of README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod address;
mod client;
pub mod codes;
mod error;
mod meter;
mod object;
mod session;
mod store;

pub use error::RemoteError;
pub use meter::Usage;
pub use object::{ObjectParts, RemoteObject};
pub use object_store;
pub use session::{Options, Remote};
