//! The third family: SWAT 3 animations, by the same means as the others.

pub(crate) mod agree;
mod allocation;
mod damage;
mod edits;
mod frames;
mod hostile;
mod layouts;
mod messages;
mod owned;
mod property;
mod samples;
mod statistics;
mod verdicts;

use crate::support::corpus_actorx::Case;
use crate::support::corpus_swat3::cases;

/// A file of the corpus, by its path below `swat3/`.
fn corpus(file: &str) -> Vec<u8> {
    let path = format!("swat3/{file}");
    let found = cases().into_iter().find(|case: &Case| case.file == path);
    found.unwrap_or_else(|| panic!("no {file} in the corpus")).bytes
}
