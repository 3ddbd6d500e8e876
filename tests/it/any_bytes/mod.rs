//! What holds for any bytes whatever: one function for each capability, which panics where something does not hold.
//!
//! The fuzz targets call these functions, and so do the tests, with every file of the corpus and every input that a fuzzer
//! ever found something with.

#![allow(unreachable_pub, reason = "the fuzz targets are another crate")]

mod actorx;
mod archive;
mod asset;
mod catalog;
mod pyrogenesis;
mod swat3;

pub use actorx::{chunks, psa, psk, side_car};
pub(crate) use actorx::{gathered, same_side_car};
pub use archive::archive;
pub(crate) use archive::{lies_in, survey};
pub use asset::check;
pub use catalog::{catalog, loose};
pub use pyrogenesis::{pmd, pyrogenesis_psa};
pub use swat3::{gsa, layout};

/// Something that any bytes must pass.
pub type Target = fn(&[u8]);

/// Every target that needs the library alone, by the name of its fuzz target.
pub const TARGETS: [(&str, Target); 12] = [
    ("chunks", chunks),
    ("psk", psk),
    ("psa", psa),
    ("side_car", side_car),
    ("pmd", pmd),
    ("pyrogenesis_psa", pyrogenesis_psa),
    ("gsa", gsa),
    ("layout", layout),
    ("archive", archive),
    ("catalog", catalog),
    ("loose", loose),
    ("check", check),
];

/// Floats to compare: every NaN is the same one, since arithmetic may give any.
fn comparable<'a>(floats: impl IntoIterator<Item = &'a f32>) -> Vec<u32> {
    floats.into_iter().map(|float| if float.is_nan() { f32::NAN.to_bits() } else { float.to_bits() }).collect()
}
