//! What `info` says of a folder or an archive: how much is in it, and the next command.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use skelmap::archive::{Address, OpenArchive};
use skelmap_batch::items::{Fault, Options};
use skelmap_batch::{Named, begins_as_archive};

use crate::arguments::Choosing;
use crate::files::{self, Source};
use crate::outcome::{Failure, Outcome};
use crate::output::{BOLD, styled_stdout};
use crate::text::{clean, counted, size};

/// A folder or an archive, in words.
pub(super) struct Overview {
    what: String,
    /// The assets of each format.
    formats: BTreeMap<&'static str, u64>,
    bad: u64,
}

impl Overview {
    const ARCHIVE: &str = "ZIP archive";

    const FOLDER: &str = "folder of an archive";

    /// What holds files at a path; `None` for a file.
    fn kind(path: &Path) -> Option<&'static str> {
        match Address::find(path).entry() {
            Some("") => Some(Self::ARCHIVE),
            Some(entry) => entry.ends_with('/').then_some(Self::FOLDER),
            None if path.is_dir() => Some("folder"),
            None => begins_as_archive(path).unwrap_or(false).then_some(Self::ARCHIVE),
        }
    }

    /// The same; `None` also for what cannot be opened: in rows, it is a file with an error.
    pub(super) fn readable_kind(path: &Path, source: &Source) -> Option<&'static str> {
        Self::kind(path).filter(|_| Self::fault(path, source).is_none())
    }

    /// Why an archive, or a folder in it, cannot be opened.
    pub(super) fn fault(path: &Path, source: &Source) -> Option<Fault> {
        Self::kind(path).filter(|kind| [Self::ARCHIVE, Self::FOLDER].contains(kind))?;
        let address = Address::find(path);
        match OpenArchive::open(address.location(), &source.opener, &source.limits) {
            Ok(archive) => Named::find(&archive, address.entry().unwrap_or_default()).err().map(Fault::from),
            Err(error) => Some(error.into()),
        }
    }

    /// `None` for the address of a file or entry.
    pub(super) fn of(path: &PathBuf, source: &Source) -> Result<Option<Self>, Failure> {
        let what = match Self::kind(path) {
            Some(Self::ARCHIVE) => archive(Address::find(path).path(), source)?,
            Some(kind) => kind.to_owned(),
            None => return Ok(None),
        };
        let sources = files::find_at(source, std::slice::from_ref(path), &Choosing::default())?;
        let options = Options { parse: source.parse, ..Options::default() };
        let mut overview = Self { what, formats: BTreeMap::new(), bad: 0 };
        let row = |item: &skelmap_batch::items::Item| item.row(&source.opener, &options);
        files::each_item(&sources, None, source, options.need(), row, |row| {
            match row.format.filter(|_| row.error.is_none()) {
                Some(format) => *overview.formats.entry(format).or_insert(0) += 1,
                None => overview.bad += 1,
            }
            Ok(())
        })?;
        Ok(Some(overview))
    }

    pub(super) const fn outcome(&self) -> Outcome {
        if self.bad > 0 { Outcome::Findings } else { Outcome::Clean }
    }

    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let mut out = styled_stdout();
        let shown = clean(path.display());
        writeln!(out, "{BOLD}{shown}{BOLD:#}\n{}", self.what)?;
        let assets = counted(self.formats.values().sum(), "asset");
        let formats: Vec<String> = self.formats.iter().map(|(format, count)| format!("{count} {format}")).collect();
        let bad = if self.bad > 0 { format!("; {} cannot be read", self.bad) } else { String::new() };
        let colon = if formats.is_empty() { "" } else { ": " };
        writeln!(out, "{assets}{colon}{}{bad}", formats.join(", "))?;
        writeln!(out, "to list them: skelmap ls PATH; to see one: skelmap info 'a path that ls prints'")?;
        out.flush()
    }
}

/// What an archive is.
fn archive(path: &Path, source: &Source) -> Result<String, Failure> {
    let archive = OpenArchive::open(path, &source.opener, &source.limits);
    let archive = archive.map_err(Failure::nothing_read)?;
    let bytes = path.metadata().map_or(0, |metadata| metadata.len());
    let entries = archive.entries().len() as u64;
    let entries = counted(entries, "entry");
    Ok(format!("ZIP archive, {} ({bytes} bytes), {entries}", size(bytes)))
}
