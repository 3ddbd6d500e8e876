//! Where the records of an array are from.

use skelmap::Format;

use super::column::{Column, Kind};

/// Where an array is from, if rows say it.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "an address in two parts")]
pub struct Place {
    /// The path of a file, or of an archive.
    pub path: String,
    /// The name in the archive.
    pub entry: Option<String>,
    /// Both together.
    pub address: String,
    /// The format of the file.
    pub format: Option<Format>,
}

impl Place {
    /// The columns of a place.
    pub const COLUMNS: [Column; 4] = [
        Column::new("path", Kind::Text).means("the file, where the arguments name several; for an entry, the archive"),
        Column::new("entry", Kind::Text)
            .nullable()
            .means("the name in the archive, where the arguments name several files"),
        Column::new("address", Kind::Text)
            .means("the file or entry as every command takes it, where the arguments name several"),
        Column::new("format", Kind::Text).nullable().means("the format of the file, where the arguments name several"),
    ];
}
