// README's examples are doctests; some of them need this feature.
#![cfg_attr(feature = "catalog", doc = include_str!("../README.md"))]
#![cfg_attr(not(feature = "catalog"), doc = "Skeletal meshes and animations, read in place.")]
#![cfg_attr(not(any(feature = "std", test)), no_std)]
// The docs are those of all features; without `std` some links have no end.
#![cfg_attr(not(feature = "std"), allow(rustdoc::broken_intra_doc_links))]
// What may panic, wrap or truncate is not written at all; the few exceptions stand where they are needed, each with its reason.
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

#[cfg(feature = "std")]
extern crate alloc;

pub mod actorx;
#[cfg(feature = "archive")]
pub mod archive;
mod asset;
#[cfg(feature = "catalog")]
pub mod catalog;
mod cursor;
mod error;
#[cfg(feature = "std")]
mod finding;
mod format;
#[cfg(feature = "std")]
pub mod mapping;
#[cfg(feature = "std")]
mod matching;
#[cfg(feature = "std")]
mod owned;
pub mod pyrogenesis;
mod quirk;
mod record;
mod section;
pub mod swat3;
mod text;
mod track;

pub use asset::{Asset, ParseOptions, Summary};
pub use error::{Error, ErrorKind, FirstBytes};
#[cfg(feature = "std")]
pub use finding::{Finding, FindingCode, Severity};
pub use format::Format;
#[cfg(feature = "std")]
pub use matching::{Match, Matcher, Verdict};
#[cfg(feature = "std")]
pub use owned::{GsaBuf, Layout, Owned, PmdBuf, PsaBuf, PskBuf, PyrogenesisPsaBuf};
pub use quirk::{Quirk, QuirkKind};
pub use record::{Float, Name, Vec2, Vec3, Vec4};
pub use section::{Section, SectionRange};
pub use text::Text;
pub use track::Track;
