//! Draws the meshes and clips of [`skelmap`] as pictures, and as HTML pages that play them.
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
//! A [`Figure`] is a model in one pose, a [`Camera`] its view, and a [`Renderer`] makes a [`Picture`]: without a window or a
//! GPU, at some thousand models per second. A [`Page`] is one HTML file that plays the animations of a model in a browser and
//! makes no network requests.

mod camera;
mod canvas;
mod content;
mod figure;
mod info;
mod markup;
mod page;
mod picture;
mod renderer;
mod texture;

pub use camera::Camera;
pub use content::Page;
pub use figure::Figure;
pub use markup::{escaped, is_invisible};
pub use page::PageError;
pub use picture::Picture;
pub use renderer::Renderer;
pub use texture::Texture;

/// Compiles and runs the program of README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
