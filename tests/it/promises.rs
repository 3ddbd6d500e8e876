//! The promises of `SECURITY.md` about the library have tests.

use test_support::promises::{missing, named};

#[test]
fn every_test_of_the_library_that_a_promise_names_exists() {
    let names = named(None);
    assert!(names.len() > 30, "{names:?}");
    assert_eq!(missing(&names), [""; 0]);
    assert_eq!(missing(&["no_such::test".to_owned()]), ["no_such::test"]);
}
