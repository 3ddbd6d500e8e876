//! The long tests of the command: the worst files within a limit on memory. CI runs them optimised
//! (`cargo test --profile exhaustive -p skelmap-cli --test long`); `cargo test` leaves them out.

#![allow(clippy::cast_possible_truncation, reason = "tests cast small numbers they wrote themselves")]

// Limits that the shell sets.
#[cfg(target_os = "linux")]
mod memory;

#[cfg(target_os = "linux")]
#[test]
fn every_long_test_of_the_command_that_a_promise_names_exists() {
    use test_support::promises::{missing, named};

    let names = named(Some("(l)"));
    assert!(!names.is_empty());
    assert_eq!(missing(&names), [""; 0]);
}
