//! The forms in which the rows of a catalogue are written.

use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};

use super::Line;
use crate::cli::CatalogFormat;
use crate::ls::{CSV_HEADING, csv_record};
use crate::print::{self, or_blank};

/// Writes lines in one of the forms.
pub(super) enum Writer {
    Jsonl(BufWriter<File>),
    Csv(Box<csv::Writer<File>>),
    #[cfg(feature = "parquet")]
    Parquet(Box<super::parquet::Table>),
}

const JOINS_HEADING: [&str; 8] = [
    "sequence_names",
    "skeleton_hash",
    "content_hash",
    "sequence_index",
    "sequence",
    "sequence_frames",
    "sequence_rate",
    "sequence_duration_s",
];

/// The first line of a catalogue as CSV, as it is written.
pub(super) fn csv_heading() -> String {
    let titles: Vec<&str> = CSV_HEADING.iter().chain(&JOINS_HEADING).copied().collect();
    titles.join(",") + "\n"
}

impl Writer {
    /// Goes on at the end of a file; a new one gets its heading.
    pub(super) fn new(mut file: File, format: CatalogFormat) -> io::Result<Self> {
        let begun = file.seek(SeekFrom::End(0))? > 0;
        match format {
            CatalogFormat::Jsonl => Ok(Self::Jsonl(BufWriter::with_capacity(1 << 16, file))),
            CatalogFormat::Csv => {
                let mut csv = csv::WriterBuilder::new().has_headers(false).from_writer(file);
                if !begun {
                    print::written(csv.write_record(CSV_HEADING.iter().chain(&JOINS_HEADING)))?;
                }
                Ok(Self::Csv(Box::new(csv)))
            }
            #[cfg(feature = "parquet")]
            CatalogFormat::Parquet => Ok(Self::Parquet(Box::new(super::parquet::Table::new(file)?))),
            #[cfg(not(feature = "parquet"))]
            CatalogFormat::Parquet => {
                Err(io::Error::new(io::ErrorKind::Unsupported, "this skelmap was built without the feature `parquet`"))
            }
        }
    }

    pub(super) fn line(&mut self, line: &Line<'_>) -> io::Result<()> {
        match self {
            Self::Jsonl(out) => {
                print::json(&mut *out, line)?;
                out.write_all(b"\n")
            }
            Self::Csv(csv) => {
                let joins = line.row.joins.as_ref();
                let keys = line.sequence;
                let rest = [
                    // As JSON: a name may hold anything.
                    joins.map_or_else(String::new, |joins| {
                        serde_json::to_string(&joins.sequence_names).unwrap_or_default()
                    }),
                    or_blank(joins.and_then(|joins| joins.skeleton_hash.as_ref())),
                    or_blank(joins.and_then(|joins| joins.content_hash.as_ref())),
                    or_blank(keys.and_then(|keys| keys.sequence_index)),
                    or_blank(keys.and_then(|keys| keys.sequence.as_ref())),
                    or_blank(keys.and_then(|keys| keys.sequence_frames)),
                    or_blank(keys.and_then(|keys| keys.sequence_rate)),
                    or_blank(keys.and_then(|keys| keys.sequence_duration_s)),
                ];
                print::written(csv.write_record(csv_record(line.row).iter().chain(&rest)))
            }
            #[cfg(feature = "parquet")]
            Self::Parquet(table) => table.line(line),
        }
    }

    pub(super) fn end(self) -> io::Result<()> {
        let file = match self {
            Self::Jsonl(out) => out.into_inner().map_err(io::IntoInnerError::into_error)?,
            Self::Csv(csv) => csv.into_inner().map_err(|error| io::Error::other(error.to_string()))?,
            #[cfg(feature = "parquet")]
            Self::Parquet(table) => table.end()?,
        };
        file.sync_all()
    }
}
