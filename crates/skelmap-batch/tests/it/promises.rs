//! The promises of `SECURITY.md` about many files have tests.

use test_support::promises::{missing, named};

#[test]
fn every_test_of_many_files_that_a_promise_names_exists() {
    let names = named(Some("(b)"));
    assert!(names.len() >= 3, "{names:?}");
    assert_eq!(missing(&names), [""; 0]);
}
