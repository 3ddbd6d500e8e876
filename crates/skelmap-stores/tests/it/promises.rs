//! The promises of `SECURITY.md` about stores have tests.

use test_support::promises::{missing, named};

#[test]
fn every_test_of_stores_that_a_promise_names_exists() {
    let names = named(Some("(s)"));
    assert!(names.len() >= 5, "{names:?}");
    assert_eq!(missing(&names), [""; 0]);
}
