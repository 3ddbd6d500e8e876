//! What the fuzz targets run: the comparisons of the tests, which live with the tests.

#![allow(dead_code, unused_imports, reason = "the tests use more of these modules than the targets do")]

#[path = "../../tests/it/agree.rs"]
mod agree;
#[path = "../../tests/it/any_bytes/mod.rs"]
pub mod any_bytes;
#[path = "../../tests/it/naive/mod.rs"]
mod naive;
#[path = "../../tests/it/support/mod.rs"]
mod support;

#[path = "../../tests/it/pyrogenesis"]
mod pyrogenesis {
    pub(crate) mod agree;
}

#[path = "../../tests/it/swat3"]
mod swat3 {
    pub(crate) mod agree;
}
