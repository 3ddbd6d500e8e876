//! Limits for archives.

/// Limits for the resources that an archive can request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Limits {
    /// The maximum number of entries. The index has 4 bytes for each entry. Default: 1,048,576.
    pub entries: u64,
    /// The maximum size of one deflated entry after inflation. Default: 256 MiB.
    pub inflated: u64,
    /// The maximum size of the directory. An [`Archive`](super::Archive) does not copy the directory, a
    /// [`Directory`](super::Directory) does. A directory of 4 GiB or more is always refused. Default: 256 MiB.
    pub directory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { entries: 1 << 20, inflated: 256 << 20, directory: 256 << 20 }
    }
}
