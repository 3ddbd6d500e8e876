//! The command, run in the folder of the checkout, so that paths of the corpus are what people type.

use std::process::{Command, Output};

use test_support::corpus::folder;

/// The command, to be given arguments.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skelmap"));
    command.current_dir(folder().parent().expect("the corpus lies in the checkout"));
    command
}

/// Runs the command.
pub(crate) fn skelmap(arguments: &[&str]) -> Output {
    command().args(arguments).output().expect("the command starts")
}

/// The keys of a row of `ls`, in order.
pub(crate) const LS_KEYS: [&str; 16] = [
    "schema",
    "path",
    "entry",
    "format",
    "bytes",
    "bones",
    "points",
    "wedges",
    "faces",
    "materials",
    "uv_sets",
    "sequences",
    "frames",
    "duration_s",
    "quirks",
    "error",
];
