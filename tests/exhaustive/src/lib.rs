//! What holds for any bytes whatever, in the reader and in the crates that stand on it: one function for each capability, which panics
//! where something does not hold. The fuzz targets and the tests of this package call these functions.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "tests cast small numbers they wrote themselves"
)]
#![allow(clippy::missing_panics_doc, reason = "a panic is how a target fails")]

pub mod catalog;
pub mod gltf;
pub mod gsa;
pub mod mods;
pub mod preview;
pub mod remote;
pub mod road;

use test_support::any_bytes::Target;

/// What is about archives.
const ARCHIVES: [Target; 1] = [Target { name: "catalog", run: catalog::catalog, longest: 4096 }];

/// What is about files of SWAT 3.
const SWAT3: [Target; 1] = [Target { name: "gsa_edits", run: gsa::gsa_edits, longest: 256 }];

/// What is about files of any family.
const FILES: [Target; 6] = [
    Target { name: "loose", run: catalog::loose, longest: 2048 },
    Target { name: "actor", run: mods::actor, longest: 2048 },
    Target { name: "from_gltf", run: road::from_gltf, longest: 4096 },
    Target { name: "remote", run: remote::remote, longest: 8192 },
    // These: a mesh and an animation.
    Target { name: "gltf", run: gltf::gltf, longest: 4096 },
    Target { name: "preview", run: preview::preview, longest: 4096 },
];

/// Every target, with the name of its family, `archive` or `any`: where its seeds and its dictionary lie.
pub fn targets() -> impl Iterator<Item = (&'static str, Target)> {
    let above = ARCHIVES.map(|target| ("archive", target)).into_iter().chain(FILES.map(|target| ("any", target)));
    test_support::any_bytes::targets().chain(above).chain(SWAT3.map(|target| ("swat3", target)))
}

/// The target of this name.
pub fn target(name: &str) -> Target {
    let found = targets().find(|(_, target)| target.name == name);
    found.unwrap_or_else(|| panic!("no target is called {name:?}")).1
}
