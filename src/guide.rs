//! A guide for programs that use skelmap: pages to read, without items.
//!
//! 1. [`quick_start`]: from nothing to a skinned mesh, and to the arrays of a renderer.
//! 2. [`spaces`]: axes, units, and which way a triangle faces.
//! 3. [`skinning`]: side-cars, influences, additive clips, skeletons alone.
//! 4. [`archives`]: mod archives, read in place.
//! 5. [`errors`]: what a damaged file does.
//! 6. [`performance`]: what is fast, and what a copy costs.
//! 7. [`upgrading`]: what a release may change, and what it may not.

#[doc = include_str!("guide/quick_start.md")]
pub mod quick_start {}
#[doc = include_str!("guide/spaces.md")]
pub mod spaces {}
#[doc = include_str!("guide/skinning.md")]
pub mod skinning {}
#[doc = include_str!("guide/archives.md")]
pub mod archives {}
#[doc = include_str!("guide/errors.md")]
pub mod errors {}
#[doc = include_str!("guide/performance.md")]
pub mod performance {}
#[doc = include_str!("guide/upgrading.md")]
pub mod upgrading {}
