//! Pyrogenesis: meshes, animations, poses and skinning.

mod allocation;
mod findings;
mod messages;
mod owned;
mod poses;
mod verdicts;

use test_support::corpus::case;

/// A file of the corpus, by its path below `pyrogenesis/`.
fn corpus(file: &str) -> Vec<u8> {
    case(&format!("pyrogenesis/{file}")).bytes
}
