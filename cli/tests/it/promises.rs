//! The promises of `SECURITY.md` about the command have tests.

use test_support::promises::{missing, named};

#[test]
fn every_test_of_the_command_that_a_promise_names_exists() {
    let names = named(Some("(c)"));
    assert!(names.len() > 10, "{names:?}");
    assert_eq!(missing(&names), [""; 0]);
    assert_eq!(missing(&["no_such::test".to_owned()]), ["no_such::test"]);
}
