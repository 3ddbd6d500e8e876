//! The numbers of files.

/// The numbers of files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "three numbers")]
pub struct Tally {
    /// All files.
    pub files: u64,
    /// Files with an error.
    pub bad: u64,
    /// Those of them that cannot be opened.
    pub unreadable: u64,
}

impl Tally {
    /// Counts a file.
    pub fn count(&mut self, is_bad: bool, is_unreadable: bool) {
        self.files += 1;
        self.bad += u64::from(is_bad);
        self.unreadable += u64::from(is_unreadable);
    }
}
