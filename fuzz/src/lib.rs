//! What the fuzz targets run: the comparisons of the tests, which live with the tests.

#[path = "../../tests/it/support/mod.rs"]
pub mod support;
