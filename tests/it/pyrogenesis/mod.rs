//! The second family: Pyrogenesis meshes and animations, by the same means as the first.

pub(crate) mod agree;
mod allocation;
mod corpus;
mod damage;
mod messages;
mod owned;
mod poses;
mod property;
mod samples;

use crate::support::corpus_actorx::Case;
use crate::support::corpus_pyrogenesis::cases;

/// A file of the corpus, by its path below `pyrogenesis/`.
fn corpus(file: &str) -> Vec<u8> {
    let path = format!("pyrogenesis/{file}");
    let found = cases().into_iter().find(|case: &Case| case.file == path);
    found.unwrap_or_else(|| panic!("no {file} in the corpus")).bytes
}
