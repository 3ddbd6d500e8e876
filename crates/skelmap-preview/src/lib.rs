//! Pictures of the meshes and clips that [`skelmap`] reads, and HTML pages that play them.
//!
//! ```
//! use skelmap::Asset;
//! use skelmap_preview::{Camera, Figure, Renderer};
//!
//! let bytes = std::fs::read("../../corpus/fox.psk")?;
//! let figure = Figure::of_mesh(&Asset::parse(&bytes)?.mesh().ok_or("no mesh")?)?;
//! let picture = Renderer::new(256, 256).draw(&figure, &Camera::around(&figure));
//! let png = picture.to_png(); // bytes for a file, or `to_data_url()` for a page
//! assert!(png.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Figure`] is a model in one pose, a [`Camera`] sees it, and a [`Renderer`] makes a [`Picture`] of it: without a window and
//! without a graphics card, some thousand models in a second. A [`Page`] is one HTML file that plays the animations of a model in
//! a browser and needs nothing from the network.
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

mod camera;
mod canvas;
mod content;
mod figure;
mod info;
mod markup;
mod page;
mod picture;
mod renderer;

pub use camera::Camera;
pub use content::Page;
pub use figure::Figure;
pub use markup::{escaped, is_invisible};
pub use page::PageError;
pub use picture::Picture;
pub use renderer::Renderer;

/// The program of README is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
