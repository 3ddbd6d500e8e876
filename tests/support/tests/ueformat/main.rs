//! The builder, the naive reader and the corpus of UEFormat agree with one another and with the samples.

#![allow(
    clippy::cast_possible_truncation,
    clippy::float_cmp,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "tests cast small numbers they wrote themselves"
)]

mod corpus;
mod round_trip;
mod samples;
