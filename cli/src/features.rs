//! What a build lacks: the answer names the line that installs it.

use std::fmt::Display;
use std::path::PathBuf;

use skelmap_batch::is_remote;

use crate::outcome::Failure;

/// The message on something that needs a feature.
pub(crate) fn needs(what: impl Display, feature: &str) -> String {
    format!("{what} a build with {feature}: cargo install --locked --path cli --features full")
}

/// A path, which is no address of a store in a build that reads none.
pub(crate) fn readable(path: PathBuf) -> Result<PathBuf, String> {
    if cfg!(not(feature = "stores")) && is_remote(&path) {
        return Err(needs("addresses of stores need", "stores"));
    }
    Ok(path)
}

/// Checks that Parquet can be written, if that is asked for.
pub(crate) fn check_parquet(is_asked: bool) -> Result<(), Failure> {
    if cfg!(not(feature = "tables")) && is_asked {
        return Err(Failure::usage(needs("Parquet needs", "tables")));
    }
    Ok(())
}
