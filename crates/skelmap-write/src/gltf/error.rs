//! Why a glTF file cannot be read.

use std::fmt::{self, Display, Formatter};

/// Why a glTF file cannot be read: with the element of its JSON, as in `accessors[3].bufferView`.
#[derive(Debug, thiserror::Error)]
#[error("{}{kind}", if path.is_empty() { String::new() } else { format!("{path}: ") })]
#[non_exhaustive]
pub struct GltfError {
    /// The element of the JSON; empty for the file as a whole.
    pub path: String,
    /// The cause.
    pub kind: GltfErrorKind,
}

/// The most characters of a name in an error: a name may be as long as the file.
const MAX_CHARS: usize = 64;

/// A name for an error.
pub(crate) fn short(name: &str) -> String {
    let mut found: String = name.chars().take(MAX_CHARS).collect();
    if found.len() < name.len() {
        found.push_str("...");
    }
    found
}

/// The cause of a [`GltfError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GltfErrorKind {
    /// The file has neither the magic of GLB nor JSON.
    #[error("is no glTF: expected GLB (`glTF`) or JSON")]
    NoGltf,
    /// Another version than 2.
    #[error("has version {0}; only version 2 is supported")]
    Version(String),
    /// A file or a chunk ends before its stated length.
    #[error("ends after {left} of {stated} bytes")]
    Truncated {
        /// The stated length.
        stated: u64,
        /// The bytes that there are.
        left: u64,
    },
    /// The JSON cannot be read.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// An extension that is required and not supported.
    #[error("needs the extension {0}, which is not supported")]
    Extension(String),
    /// A number of an element that does not exist.
    #[error("is {index}, but there are {count} {list}")]
    Missing {
        /// The number.
        index: u64,
        /// The list.
        list: &'static str,
        /// The length of the list.
        count: usize,
    },
    /// A value that is not allowed there.
    #[error("{0}")]
    Invalid(&'static str),
    /// Elements that reach past the end of their view, or a view past the end of its buffer.
    #[error("reaches byte {end} of {length}")]
    Range {
        /// The end of the range.
        end: u64,
        /// The bytes that there are.
        length: u64,
    },
    /// A node that is below two others, or below itself.
    #[error("is below two nodes, or below itself")]
    NoTree,
    /// A buffer in another file that cannot be read.
    #[error("{uri}: {error}")]
    Buffer {
        /// The file, as the JSON names it.
        uri: String,
        /// The cause.
        error: std::io::Error,
    },
    /// More than a limit allows.
    #[error("is more than the limit of {limit} {what}")]
    Limit {
        /// The limit.
        limit: u64,
        /// What is counted.
        what: &'static str,
    },
    /// No mesh to convert, or more than one.
    #[error("{0}")]
    Objects(Objects),
}

/// The meshes among which one must be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Objects {
    /// The requested name, if any.
    pub asked: Option<String>,
    /// The names of the nodes with a mesh: at most 16.
    pub names: Vec<String>,
    /// The number of nodes with a mesh.
    pub count: usize,
}

impl Display for Objects {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (&self.asked, self.count) {
            (_, 0) => f.write_str("has no mesh in its scene")?,
            (Some(asked), _) => write!(f, "no single mesh node is named {asked:?}")?,
            (None, count) => write!(f, "has {count} mesh nodes, and one must be chosen")?,
        }
        if !self.names.is_empty() {
            let more = if self.count > self.names.len() { ", ..." } else { "" };
            write!(f, ": {}{more}", self.names.join(", "))?;
        }
        Ok(())
    }
}

impl GltfErrorKind {
    /// This cause at an element.
    pub(crate) fn at(self, path: impl Display) -> GltfError {
        GltfError { path: path.to_string(), kind: self }
    }
}
