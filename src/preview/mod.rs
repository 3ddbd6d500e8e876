//! Pictures of models, and pages that play them.
//!
//! A [`Figure`] is a model in one pose, a [`Camera`] sees it, and a [`Renderer`] makes a [`Picture`] of it: without a window,
//! without a graphics card, some thousand models in a second.

mod camera;
mod canvas;
mod figure;
mod info;
mod page;
mod picture;
mod renderer;

pub use camera::Camera;
pub use figure::Figure;
pub use page::{Page, PageError};
pub use picture::Picture;
pub use renderer::Renderer;
