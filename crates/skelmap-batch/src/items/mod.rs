//! Many assets at once: files, folders and archives become rows, read in parallel, in a constant order.
//!
//! [`Sources`] finds the items. [`Sources::rows`] reads their headers and gives a [`Row`] for each asset. A file that
//! cannot be read is a row with its [`Fault`] and does not stop the others.

mod ahead;
mod archive;
pub mod codes;
mod cold;
mod item;
mod loaded;
mod object;
mod row;
mod sources;

pub use item::Item;
pub use loaded::Loaded;
pub use row::{Extent, Fault, Joins, Need, Options, Row, SCHEMA};
pub use sources::Sources;

/// A count in 64 bits.
pub(crate) fn to_u64(count: usize) -> u64 {
    count.try_into().unwrap_or(u64::MAX)
}
