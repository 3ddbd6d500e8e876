//! The tests of the command: each runs the program and looks at what it prints, writes and ends with.
//!
//! Builders, the corpus and the naive readers are those of the library's tests.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "tests cast small numbers they wrote themselves"
)]
#![allow(clippy::float_cmp, reason = "what is read is what was written, to the bit")]
mod broken_arms;
mod can_play;
mod catalog;
mod check_more;
mod cli;
mod command;
mod convert;
mod convert_again;
mod diff;
mod dump;
#[cfg(unix)]
mod hazards;
mod help;
mod info;
#[cfg(target_os = "linux")]
mod limits;
mod manual;
mod match_skeletons;
mod moddata;
mod plot;
mod pose;
mod promises;
mod pyrogenesis;
mod query;
mod real_archive;
#[cfg(feature = "stores")]
mod remote;
mod schema;
mod services;
mod sheet;
mod stats;
mod swat3;
mod view;
// Needs what Linux has: `/proc`, `/dev/full`, limits that the shell sets, its words for errors.
#[cfg(target_os = "linux")]
mod world;
