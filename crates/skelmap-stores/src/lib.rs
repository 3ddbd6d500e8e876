//! Meshes, animations and mod archives in S3, Google Cloud Storage, Azure and on web servers: a [`Store`] for
//! [skelmap](skelmap).
//!
//! An archive of gigabytes is not downloaded. Its directory takes two requests, an asset in it one, and headers that lie close
//! together come in one request:
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
//! Everything of skelmap that takes an [`Opener`] takes such addresses: archives, entries of archives (`s3://mods/public.zip!/art/x.psa`),
//! side-cars, and the catalogue.
//!
//! | to | use |
//! |---|---|
//! | open addresses where paths are opened | [`Opener::with_store`] and [`Remote`] |
//! | read the parts of one object | [`Remote::object`], a [`ReadAt`](skelmap::ReadAt), and [`ObjectParts`] for small reads |
//! | list what is below a prefix | [`Remote::list`] |
//! | use a client with your own credentials | [`RemoteObject::open`] with any store of [`object_store`] |
//! | limit bytes, requests and time | [`Options`] |
//! | know what it cost | [`Remote::usage`] |
//!
//! Promises, each held by a test in `tests/it`:
//! * The first answer about an object pins its version. An object that is replaced while it is read is an error, never a
//!   mixture of old bytes and new ones (`an_object_that_is_replaced_meanwhile_is_an_error_and_never_a_mixture`).
//! * Nothing is allocated because a store states a size, no body is read further than was asked, and
//!   [`Options::max_bytes`] is a limit for everything together (`the_limit_of_bytes_holds_for_everything_together`).
//! * No error repeats a query, a name, a password or a text that a server sent
//!   (`nothing_of_an_address_that_may_be_secret_is_in_an_error`).
//!
//! The calls block the thread. They may come from any thread, from those of an asynchronous runtime too.
//!
//! [`Store`]: skelmap::mapping::Store
//! [`Opener`]: skelmap::mapping::Opener
//! [`Opener::with_store`]: skelmap::mapping::Opener::with_store

#![cfg_attr(
    not(test),
    deny(
        clippy::arithmetic_side_effects,
        clippy::as_conversions,
        clippy::exit,
        clippy::expect_used,
        clippy::get_unwrap,
        clippy::indexing_slicing,
        clippy::mem_forget,
        clippy::panic,
        clippy::string_slice,
        clippy::todo,
        clippy::unimplemented,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

/// The programs of README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod address;
pub mod codes;
mod error;
mod meter;
mod number;
mod object;
mod pieces;
mod session;
mod store;

pub use address::is_address;
pub use error::{RemoteError, RemoteErrorKind};
pub use meter::Usage;
pub use object::{ObjectParts, RemoteObject};
pub use object_store;
pub use session::{Options, Remote};
