//! What holds for any bytes whatever: one function for each capability, which panics where something does not hold.
//!
//! Here: what the reader gives. The package `exhaustive` has the targets of the crates above it.
//! The fuzz targets call these functions, and so do the tests, with every file of the corpus and every input that a fuzzer
//! ever found something with. Those of a family lie in its folder.

pub mod archive;
pub mod asset;

use super::{FAMILIES, model};

/// Something that any bytes must pass.
#[derive(Clone, Copy)]
pub struct Target {
    pub name: &'static str,
    pub run: fn(&[u8]),
    /// Of the inputs that fuzzing makes up, in bytes: second readers are slow on purpose.
    pub longest: usize,
}

/// What is about archives.
const ARCHIVES: [Target; 1] = [Target { name: "archive", run: archive::archive, longest: 4096 }];

/// What is about files of any family.
const FILES: [Target; 2] = [
    Target { name: "check", run: asset::check, longest: 2048 },
    // A mesh and an animation.
    Target { name: "model", run: model::any_bytes::model, longest: 4096 },
];

/// Every target of the reader, with the name of its family, `archive` or `any`: where its seeds and its dictionary lie.
pub fn targets() -> impl Iterator<Item = (&'static str, Target)> {
    let of_families = FAMILIES.iter().flat_map(|family| family.targets.iter().map(|target| (family.name, *target)));
    of_families.chain(ARCHIVES.map(|target| ("archive", target))).chain(FILES.map(|target| ("any", target)))
}

/// The target of this name.
pub fn target(name: &str) -> Target {
    let found = targets().find(|(_, target)| target.name == name);
    found.unwrap_or_else(|| panic!("no target is called {name:?}")).1
}

/// Floats to compare: every NaN is the same one, since arithmetic may give any.
pub fn comparable<'a>(floats: impl IntoIterator<Item = &'a f32>) -> Vec<u32> {
    floats.into_iter().map(|float| if float.is_nan() { f32::NAN.to_bits() } else { float.to_bits() }).collect()
}
