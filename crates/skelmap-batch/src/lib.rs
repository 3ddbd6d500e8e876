#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(test),
    deny(
        clippy::exit,
        clippy::expect_used,
        clippy::get_unwrap,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::todo,
        clippy::unimplemented,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

pub mod arrays;
mod built;
pub mod catalogue;
pub mod check;
pub mod codes;
pub mod columns;
pub mod convert;
pub mod diff;
pub mod edit;
pub mod game;
mod ignored;

pub mod items;
mod kind;
mod lengths;
mod limit;
pub mod lines;
mod losses;
pub mod markup;
pub mod mods;
pub mod names;
pub mod originals;
pub mod pair;
pub mod partial;
mod path_text;
pub mod place;
pub mod query;
mod record;
mod regular;
pub mod report;
mod run;
pub mod save;
pub mod stats;
mod targets;
pub mod text;
pub mod unfinished;
mod walk;
mod work;

pub use built::Named;
pub use ignored::is_repository;
pub use lengths::{LengthChange, Lengths};
pub use limit::{Limited, MAX_OUTPUT_RATIO, MIN_OUTPUT_LIMIT, OutputLimit, TooLarge};
pub use path_text::{path_and_entry, path_of, path_text};
pub use regular::{begins_as_archive, real_path};
pub use run::{Find, Run, Source, Tally, Watch, is_remote};
pub use targets::Target;
pub use walk::{Ignore, Met, PatternError, Patterns, Walk, globs};
pub use work::{Counts, Outputs, Work};
