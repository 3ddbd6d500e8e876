//! The model of all families: what tests and fuzz targets share.

pub mod agree;
pub mod any_bytes;
pub mod compare;
pub mod naive;
