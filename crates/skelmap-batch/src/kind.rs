//! The kinds of files for games.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// The kind of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(clippy::exhaustive_enums, reason = "a new kind is for every caller to know")]
pub enum GameKind {
    /// Meshes and animations of Pyrogenesis (0 A.D.): `.pmd` and `.psa`.
    Pmd,
    /// Meshes and animations of Unreal `ActorX`, with what games read: `.psk` and `.psa`.
    Psk,
    /// The same with normals, all UV sets and colours, for tools: `.pskx` and `.psa`.
    Pskx,
}

impl GameKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Pmd, Self::Psk, Self::Pskx];

    /// The kind of a mesh with this name.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        Self::ALL.into_iter().find(|kind| extension.eq_ignore_ascii_case(kind.extension()))
    }

    /// The extension of a mesh.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Pmd => "pmd",
            Self::Psk => "psk",
            Self::Pskx => "pskx",
        }
    }
}
