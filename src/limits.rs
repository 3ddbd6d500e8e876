//! Limits for what files can request: archives, and compressed files.

/// Limits for the resources that an archive or a compressed file can request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Limits {
    /// The maximum number of entries. The index has 4 bytes for each entry. Default: 1,048,576.
    pub entries: u64,
    /// The maximum size of one deflated entry after inflation, and of a compressed UEFormat file after unpacking. Default: 256 MiB.
    pub inflated: u64,
    /// The maximum number of bytes that one byte of a compressed UEFormat body may become; 64 KiB are allowed in addition. Default: 1032, the
    /// maximum of gzip.
    pub ratio: u64,
    /// The maximum size of the directory. An [`Archive`](crate::archive::Archive) does not copy the directory, a
    /// [`Directory`](crate::archive::Directory) does. A directory of 4 GiB or more is always refused. Default: 256 MiB.
    pub directory: u64,
}

/// One byte of deflated data inflates to at most this many bytes.
pub(crate) const MAX_FROM_ONE: u64 = 1032;

impl Default for Limits {
    fn default() -> Self {
        Self { entries: 1 << 20, inflated: 256 << 20, ratio: MAX_FROM_ONE, directory: 256 << 20 }
    }
}
