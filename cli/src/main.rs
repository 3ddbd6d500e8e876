//! The command `skelmap`.

use std::process::ExitCode;

fn main() -> ExitCode {
    skelmap_cli::run_process().into()
}
