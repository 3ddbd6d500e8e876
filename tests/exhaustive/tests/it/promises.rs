//! The promises of `SECURITY.md` that the long proofs hold have tests.

use test_support::promises::{missing, named};

#[test]
fn every_exhaustive_test_that_a_promise_names_exists() {
    let names = named(Some("(e)"));
    assert!(names.len() > 10, "{names:?}");
    assert_eq!(missing(&names), [""; 0]);
    assert_eq!(missing(&["no_such::test".to_owned()]), ["no_such::test"]);
}
