#![cfg_attr(feature = "catalog", doc = include_str!("../README.md"))]
#![cfg_attr(not(feature = "catalog"), doc = "Skeletal meshes and animations, read in place.")]
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
// The docs are those of all features; without some of them a few links have no end.
#![cfg_attr(not(feature = "catalog"), allow(rustdoc::broken_intra_doc_links))]
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

extern crate alloc;

mod bytes;
mod every_code;
mod family;
mod fit;
mod headers;
pub mod model;
mod report;

pub mod actorx;
pub mod pyrogenesis;
pub mod swat3;

#[cfg(feature = "archive")]
pub mod archive;
#[cfg(feature = "catalog")]
pub mod catalog;
#[cfg(feature = "gltf")]
pub mod gltf;
#[cfg(feature = "std")]
pub mod mapping;
#[cfg(feature = "remote")]
pub mod remote;

#[cfg(feature = "bytemuck")]
pub use bytes::AsNative;
pub use bytes::{Column, Float, Name, ReadAt, Text, Track, Vec2, Vec3, Vec4};
pub use family::{Asset, AssetBuf, AssetLayout, Format, ParseOptions};
pub use headers::Headers;
pub use model::{Layout, Match, Matcher, Owned, ParseError, Summary, Verdict};
pub use report::{
    Code, Error, ErrorKind, Finding, FirstBytes, Quirk, ReadError, Section, SectionRange, Severity, codes,
};
