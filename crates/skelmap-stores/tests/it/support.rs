//! The rooms of the other tests that these use.

#![allow(dead_code, unused_imports, unreachable_pub, reason = "a part is used")]

#[path = "../../../../tests/it/support/build_zip.rs"]
pub(crate) mod build_zip;
#[path = "../../../../tests/it/support/built.rs"]
pub(crate) mod built;
#[path = "../../../../tests/it/support/server.rs"]
pub(crate) mod server;

pub(crate) mod corpus {
    use std::path::{Path, PathBuf};

    pub(crate) fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus")
    }

    pub(crate) fn file(name: &str) -> Vec<u8> {
        std::fs::read(folder().join(name)).unwrap()
    }
}
