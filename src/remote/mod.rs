//! Objects in stores, read in parts: `s3://`, `gs://`, `az://`, `https://` and `http://`.
//!
//! [`Remote`] connects to stores and counts requests and bytes. [`Object`] is one object: a [`ReadAt`](crate::ReadAt),
//! so that every parser of headers reads it, and a source of whole ranges. The first answer about an object pins it: an
//! object that changes while it is read is an error, never a mixture of old bytes and new ones.
//!
//! Stores may be hostile. Nothing is allocated because a store states a size, no body is read further than was asked,
//! and [`Options::max_bytes`] is a limit for everything together.
//!
//! ```no_run
//! use skelmap::remote::Remote;
//!
//! let remote = Remote::new(Default::default());
//! let object = remote.object("https://example.org/art/walk.psa")?;
//! let bytes = object.read(0..object.size())?;
//! println!("{:?}, {:?}", skelmap::Asset::parse(&bytes)?.summary(), remote.usage());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod address;
pub mod codes;
mod error;
mod meter;
mod object;
mod pieces;
mod session;
mod store;

pub use address::is_address;
pub(crate) use address::shown;
#[cfg(feature = "archive")]
pub(crate) use address::{without_query, without_user};
pub use error::{RemoteError, RemoteErrorKind};
pub use meter::Usage;
pub use object::{Object, ObjectParts, Prefetch};
pub use object_store;
pub use session::{Options, Remote};
pub use store::Listed;
