//! UEFormat: models, animations and poses of all versions, and what is compressed.

mod allocation;
mod corpus;
mod damage;
mod hostile;
mod messages;
mod round_trip;
mod samples;

use test_support::ueformat::corpus::case;

/// A file of the corpus, by its path below `ueformat/`.
fn file(path: &str) -> Vec<u8> {
    case(&format!("ueformat/{path}")).bytes
}
