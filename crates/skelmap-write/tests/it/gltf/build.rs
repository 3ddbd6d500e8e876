//! Builds GLB files from JSON and arrays.

pub(crate) use test_support::build_glb::Glb;
