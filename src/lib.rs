//! Skeletal meshes and animations, read **in place**: Unreal ActorX (`.psk`, `.pskx`, `.psa`), UEFormat (FModel: `.uemodel`,
//! `.ueanim`, `.uepose`), Pyrogenesis (0 A.D.: `.pmd`, `.psa`) and SWAT 3 (`.gsa`), loose, in ZIP archives or in stores. A file
//! is checked once; then typed slices of its bytes are handed out.
//!
//! ```
//! use skelmap::{Asset, mapping::Mapping};
//!
//! let bytes = Mapping::read("corpus/fox.psa")?;
//! let asset = Asset::parse(&bytes)?; // any format, by content
//! for clip in asset.clips() {
//!     println!("{:?}: {} frames", clip.name(), clip.frame_count());
//! }
//! assert_eq!(asset.clips().count(), 2, "walk and idle");
//! assert_eq!(asset.quirks().count(), 0, "nothing was repaired");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The [`guide`] leads from the first file to an engine.
//!
//! | to | use |
//! |---|---|
//! | open a file | [`mapping::Mapping`], or any `&[u8]`; [`mapping::Opener`] to choose between reading and mapping |
//! | parse a file of any format | [`Asset`], which borrows the bytes; [`AssetBuf`], which owns them |
//! | detect the format | [`Format::sniff`] |
//! | use bones, meshes and clips of any family in one way | [`Asset::skeleton`], [`Asset::mesh`], [`Asset::clips`], in [`model`] |
//! | read the values of one format in place | [`actorx`], [`ueformat`], [`pyrogenesis`], [`swat3`] |
//! | get the levels of detail of a mesh | [`model::Mesh::levels`] |
//! | list oddities and faults | [`Asset::quirks`], [`Asset::check`] |
//! | find animations that fit a mesh | [`Matcher`] |
//! | sample an animation, skin a mesh | [`model::Binding`], [`model::Skin`] |
//! | play an animation without a mesh, blend and add poses, get the motion of the root | [`model::Binding::of_clip`], [`model::Hierarchy`], [`mod@model::pose`], [`model::Binding::root_motion`] |
//! | get vertices, joints and indices for a renderer | [`model::Mesh::to_vertices`] |
//! | convert to glTF and OBJ | the crate [`skelmap-export`](https://docs.rs/skelmap-export) |
//! | make pictures and pages that play | the crate [`skelmap-preview`](https://docs.rs/skelmap-preview) |
#![cfg_attr(
    feature = "archive",
    doc = "| read an archive, or name its entries | [`archive::Archive`], [`archive::Address`] |"
)]
//! | read many files, folders and archives in parallel, and the mods of 0 A.D. | the crate `skelmap-batch` |
#![cfg_attr(
    feature = "std",
    doc = "| read from S3, Google Cloud Storage, Azure and HTTP | the crate `skelmap-stores` |"
)]
#![cfg_attr(feature = "std", doc = "| read from your own storage | [`mapping::Store`] |")]
//!
//! | feature | gives |
//! |---|---|
//! | `std` (default) | files: [`mapping`]. Without it the views need only `alloc` |
//! | `mmap` (default) | memory maps: [`mapping::Mapping::map`], [`mapping::Opener::auto`] |
#![cfg_attr(
    feature = "lease",
    doc = "| `lease` | maps of files that others may write to (Linux): [`mapping::Opener::leasing`] |"
)]
#![cfg_attr(
    feature = "archive",
    doc = "| `archive` | mod archives: [`archive`]; compressed UEFormat files: [`mapping::Mapping::unpacked`] |"
)]
#![cfg_attr(
    feature = "bytemuck",
    doc = "| `bytemuck` | aligned twins of records, for uploads and casts: [`AsNative`] |"
)]
//! | `glam-033`, `glam-034`, `mint-05` | [`model::Transform`] converts to the types of maths crates |
//! | `serde` | summaries, errors, codes, findings and options serialize |
//!
//! The modules of the families document the formats byte by byte.
#![cfg_attr(not(any(feature = "std", test)), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
// The docs are built with all features; without them, a few links are broken.
#![cfg_attr(not(feature = "archive"), allow(rustdoc::broken_intra_doc_links))]
// Code that may panic, wrap or truncate is denied; each exception has its reason beside it.
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
mod check;
mod family;
mod fit;
mod headers;
#[cfg(feature = "archive")]
mod limits;
pub mod model;
mod report;

/// Compiles and runs the programs of README.
#[cfg(all(doctest, feature = "archive"))]
#[doc = include_str!("../README.md")]
mod readme {}

// Pages alone. Their programs need files, archives and threads.
#[cfg(any(doc, all(doctest, feature = "archive", feature = "mmap")))]
pub mod guide;

pub mod actorx;
pub mod pyrogenesis;
pub mod swat3;
pub mod ueformat;

#[cfg(feature = "archive")]
pub mod archive;
#[cfg(feature = "std")]
pub mod mapping;

#[cfg(feature = "bytemuck")]
pub use bytes::AsNative;
#[cfg(feature = "std")]
pub use bytes::Windowed;
pub use bytes::{Column, Float, Name, ReadAt, Text, Track, Vec2, Vec3, Vec4};
pub use family::{Asset, AssetBuf, AssetLayout, Format, ParseOptions};
pub use headers::Headers;
pub use model::{Layout, Match, Matcher, Owned, ParseError, Summary, Verdict};
pub use report::{
    Code, Error, ErrorKind, Finding, FirstBytes, Quirk, ReadError, Section, SectionRange, Severity, codes,
};

/// For the other crates of this workspace: the parts of the macro `codes!`, and conversions of lengths.
#[doc(hidden)]
pub mod shared {
    pub use crate::bytes::{to_u32, to_u64, to_usize};
    pub use crate::report::{Code, Description, Severity, UNIT_TOLERANCE, WEIGHT_SUM_TOLERANCE};
}
