//! The tests of the crate: a module per subject, each test named after the sentence it proves.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "tests cast small numbers they wrote themselves"
)]
#![allow(clippy::float_cmp, reason = "values are equal to the bit")]

mod actorx;
mod edit;
mod gltf;
mod pyrogenesis;

#[test]
fn every_test_that_a_promise_names_exists() {
    use test_support::promises::{missing, named};

    let names = named(Some("(w)"));
    assert!(!names.is_empty());
    assert_eq!(missing(&names), [""; 0]);
}
