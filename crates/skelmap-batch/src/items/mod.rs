//! Many assets at once: files, folders and archives become rows, read in parallel, in a constant order.
//!
//! [`Sources`] finds the items. [`Sources::rows`] reads their headers and gives a [`Row`] for each asset. A file that
//! cannot be read is a row with its [`Fault`] and does not stop the others.

mod item;
mod row;
mod sources;

pub use item::{Item, Loaded};
pub(crate) use item::{Place, SharedArchive};
pub use row::{Extent, Fault, Joins, Need, Options, Row, SCHEMA};
pub use sources::Sources;
pub(crate) use sources::in_batches;
