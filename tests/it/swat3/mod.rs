//! SWAT 3: animations and their events.

mod allocation;
mod fields;
mod frames;
mod hostile;
mod layouts;
mod messages;
mod owned;
mod verdicts;

use test_support::corpus::case;

/// A file of the corpus, by its path below `swat3/`.
fn corpus(file: &str) -> Vec<u8> {
    case(&format!("swat3/{file}")).bytes
}
