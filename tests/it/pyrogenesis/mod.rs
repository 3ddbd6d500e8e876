//! Pyrogenesis: meshes, animations, poses and skinning.

mod allocation;
mod damage;
mod findings;
mod messages;
mod millions;
mod mod_files;
mod owned;
mod poses;
mod property;
mod samples;
mod verdicts;

use crate::support::corpus::case;

/// A file of the corpus, by its path below `pyrogenesis/`.
fn corpus(file: &str) -> Vec<u8> {
    case(&format!("pyrogenesis/{file}")).bytes
}
