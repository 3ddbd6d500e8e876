#![doc = include_str!("../README.md")]

pub mod arrays;
pub mod catalogue;
pub mod check;
pub mod codes;
pub mod diff;
mod find;
pub mod lines;
pub mod markup;
pub mod partial;
pub mod query;
pub mod report;
pub mod row;
mod run;
pub mod save;
mod source;
pub mod stats;
mod tally;
pub mod text;
pub mod unfinished;
mod watch;
mod work;

pub use find::{Find, PatternError, Walk, globs};
pub use run::Run;
pub use source::Source;
pub use tally::Tally;
pub use watch::Watch;
pub use work::{Counts, Work};
