//! `mod.json`: the name of a mod, and the mods that it stands on.

use serde::Deserialize;

/// What `mod.json` says.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Manifest {
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) dependencies: Vec<String>,
}

/// The name in a dependency: `0ad` in `0ad>=0.0.26`.
pub(super) fn required(dependency: &str) -> &str {
    dependency.split(['<', '>', '=']).next().unwrap_or_default().trim()
}
