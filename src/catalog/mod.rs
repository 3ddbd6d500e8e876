//! Many assets at once: files, folders and archives become rows, in parallel and always in the same order.
//!
//! [`Sources`] finds what there is, [`Sources::rows`] reads it, headers only, and hands out a [`Row`] for each asset. A file that
//! cannot be read is a row with its [`Fault`]; nothing stops at it.

mod headers;
mod loaded;
mod row;
mod run;
mod source;
mod walk;

pub use loaded::Loaded;
pub use row::{Fault, Joins, Row, SCHEMA};
pub use run::Options;
pub use source::{Item, Sources};
pub use walk::{Met, walk};
