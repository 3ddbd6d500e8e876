//! A store that lies, with every input that a fuzzer found something with.

#[path = "../../../../tests/exhaustive/src/remote.rs"]
mod any_bytes;

use any_bytes::remote;

use crate::support::corpus::file;

#[test]
fn a_first_answer_with_another_range_than_asked_for_is_refused() {
    // A store sends bytes 0 to 2 as bytes 1 to 3.
    remote(&file("found/remote-other-range.bin"));
}
