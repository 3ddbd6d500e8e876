//! The command `skelmap`.

use std::process::ExitCode;

fn main() -> ExitCode {
    skelmap_cli::run(std::env::args_os()).into()
}
