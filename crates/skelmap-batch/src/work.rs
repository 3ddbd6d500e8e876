//! The work of `skelmap catalog` and `skelmap check` for another program, as functions that are safe to repeat: whatever ends a call,
//! another call with the same arguments does what is left, and a call that finds all done does nothing. The Python package stands on
//! this.
//!
//! A file of rows is complete as soon as it has its name: it is written under a name of its own and renamed. The name stands for the
//! question. A file that is there stays as it is, so other inputs, options or shards need other names. Of two calls at once for one file,
//! the first to finish gives it its name.
//!
//! What a killed call leaves is a file that no other call uses. The next call for the same output removes it, where the file system
//! has locks. For this, each call reads the names in the folder of the output.

use std::io::{self, ErrorKind};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use crate::items::{Fault, Item, Loaded, Sources};
use skelmap::mapping::Opener;
use skelmap::{ParseOptions, Severity};

use crate::catalogue::{Rows, Shard, entry, format_of};
use crate::check::{Checked, Findings, Places, check};
use crate::columns::{Entry, shown};
use crate::convert::{Conversion, ConvertOptions, Done, Event, Replace, Sets, convert};
use crate::originals::Originals;
use crate::query::Report;
use crate::report::{Format, Output, buffered};
use crate::save;
use crate::{Find, Run, Source, Watch};

/// What to read, and how.
#[derive(Clone, Debug)]
pub struct Work {
    /// Files, folders, archives, and addresses of entries.
    pub paths: Vec<PathBuf>,
    /// How files are opened.
    pub opener: Opener,
    /// How files are parsed.
    pub parse: ParseOptions,
    /// Part I of N parts of the work.
    pub shard: Option<(u64, u64)>,
    /// Whether a file that cannot be opened or read is an error of the whole work. Otherwise it is a row with an error. Damaged data is
    /// always a row.
    pub all_readable: bool,
    /// The number of threads; one for each processor by default.
    pub jobs: Option<NonZeroUsize>,
}

/// The numbers of what was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Assets.
    pub assets: u64,
    /// Rows, or findings.
    pub rows: u64,
    /// Assets with an error.
    pub bad: u64,
}

/// What a conversion did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "three numbers, what failed, and what was left")]
pub struct Outputs {
    /// Outputs that this call wrote.
    pub written: u64,
    /// Outputs that were there, made from the same files with the same options.
    pub kept: u64,
    /// Outputs for which there is nothing to write.
    pub skipped: u64,
    /// Originals that cannot be read, and outputs that cannot be made.
    pub failures: Vec<String>,
    /// The addresses of the animations that belong to no mesh, though there are meshes of their family.
    pub unused: Vec<String>,
}

impl Work {
    /// Everything at these paths: files are read, one thread for each processor.
    pub fn new<P: AsRef<Path>>(paths: &[P]) -> Self {
        Self {
            paths: paths.iter().map(|path| path.as_ref().to_owned()).collect(),
            opener: Opener::reading(),
            parse: ParseOptions::default(),
            shard: None,
            all_readable: false,
            jobs: None,
        }
    }

    fn find(&self, watch: &Watch) -> io::Result<Sources> {
        let shard = self.shard()?;
        let mut sources = Find::all(&self.paths).sources(&self.source()).map_err(io::Error::other)?;
        if let Some(shard) = shard {
            shard.keep(&mut sources);
        }
        watch.check_running().map(|()| sources)
    }

    fn source(&self) -> Source {
        Source::new(self.opener.clone(), self.parse)
    }

    fn run<'w>(&self, watch: &'w Watch) -> Run<'w> {
        Run { jobs: self.jobs, watch: Some(watch) }
    }

    fn shard(&self) -> io::Result<Option<Shard>> {
        let no_such_part = || io::Error::new(ErrorKind::InvalidInput, "expected a shard (I, N) with I from 1 to N");
        self.shard.map(|(index, count)| Shard::new(index, count).ok_or_else(no_such_part)).transpose()
    }

    /// Counts an asset. An error if its fault is one of reading, which another attempt may not have, and all assets must be readable.
    fn count(
        &self,
        counts: &mut Counts,
        fault: Option<&Fault>,
        is_unreadable: bool,
        address: impl FnOnce() -> String,
    ) -> io::Result<()> {
        counts.assets += 1;
        counts.bad += u64::from(fault.is_some());
        let is_failure = is_unreadable && self.all_readable;
        match fault.filter(|fault| is_failure && !fault.kind.starts_with("zip-")) {
            None => Ok(()),
            Some(fault) => {
                let kind = if fault.kind == "not-found" { ErrorKind::NotFound } else { ErrorKind::Other };
                Err(io::Error::new(kind, format!("{}: {}", address(), fault.message)))
            }
        }
    }

    fn each_row(
        &self,
        rows: Rows,
        sources: &Sources,
        watch: &Watch,
        mut each: impl FnMut(&Entry) -> io::Result<()> + Send,
    ) -> io::Result<Counts> {
        let source = self.source();
        let (options, per) = (rows.options(&source), rows.per);
        let work = |item: &Item| entry(item, &self.opener, &options, per);
        let mut counts = Counts::default();
        self.run(watch).items(sources, &source, options.need(), work, |entry| {
            let row = &entry.row;
            let address = || shown(&row.path, row.entry.as_deref());
            self.count(&mut counts, row.error.as_ref(), row.is_unreadable(), address)?;
            entry.each_row(|entry| {
                counts.rows += 1;
                each(entry)
            })
        })?;
        Ok(counts)
    }

    /// Writes a file of rows, unless it is there.
    fn write(
        &self,
        output: &Path,
        watch: &Watch,
        write: impl FnOnce(Output, Format, &Sources) -> io::Result<Counts>,
    ) -> io::Result<Option<Counts>> {
        let unknown = || io::Error::new(ErrorKind::InvalidInput, "expected a name in .jsonl, .csv or .parquet");
        let format = format_of(output).ok_or_else(unknown)?;
        Originals::new(self.paths.iter().cloned()).check(output)?;
        save::Work::of(output).remove_orphans(output);
        // A link to a file is one; a folder, or a link to nothing, is in the way.
        if output.is_file() {
            return Ok(None);
        }
        match self.write_new(output, watch, |out, sources| write(out, format, sources)) {
            Ok(counts) => Ok(Some(counts)),
            // Another call was faster: before this one looked, while this one looked for files, or while this one wrote.
            Err(error) if is_there(&error) && output.is_file() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes a file of rows that is not there.
    fn write_new(
        &self,
        output: &Path,
        watch: &Watch,
        write: impl FnOnce(Output, &Sources) -> io::Result<Counts>,
    ) -> io::Result<Counts> {
        save::replaceable(output, false)?;
        // A run that is stopped before there is a row leaves nothing to be removed.
        let sources = self.find(watch)?;
        let mut counts = Counts::default();
        save::save(output, false, |out| {
            counts = write(buffered(out.get_ref().try_clone()?), &sources)?;
            Ok(())
        })?;
        Ok(counts)
    }

    /// Writes the rows of a catalogue to a file: JSON lines, CSV or Parquet by its extension. `None`: the file was there.
    ///
    /// # Errors
    /// A file that is one of the inputs, has another extension or cannot be written; [`Interrupted`](ErrorKind::Interrupted) if the work was
    /// stopped.
    pub fn catalog_to(&self, output: &Path, rows: Rows, watch: &Watch) -> io::Result<Option<Counts>> {
        self.write(output, watch, |out, format, sources| {
            let mut report = Report::to(out, rows.fields(), format, false)?;
            let counts = self.each_row(rows, sources, watch, |entry| report.row(entry))?;
            report.end().map(|()| counts)
        })
    }

    /// Reads all data and writes what is wrong with it to a file: a row for each finding (CSV, Parquet) or for each asset (JSON lines).
    /// `None`: the file was there. `level`: the lowest severity to report.
    ///
    /// # Errors
    /// Those of [`catalog_to`](Self::catalog_to).
    pub fn check_to(&self, output: &Path, level: Severity, watch: &Watch) -> io::Result<Option<Counts>> {
        self.write(output, watch, |out, format, sources| {
            let mut findings = Findings::to(out, format)?;
            let places = Places::of(&self.paths);
            let work = |item: &Item, opened: Result<Loaded, Fault>| Some(check(item, &opened, level, 1, None, &places));
            let mut counts = Counts::default();
            self.run(watch).loaded(sources, &self.source(), work, |checked: Checked| {
                let address = || checked.place.to_string();
                self.count(&mut counts, checked.error.as_ref(), checked.is_unreadable, address)?;
                counts.rows += checked.findings().len() as u64;
                findings.add(&checked)
            })?;
            findings.end().map(|()| counts)
        })
    }

    /// The rows of a catalogue in memory, with their schema.
    ///
    /// # Errors
    /// [`Interrupted`](ErrorKind::Interrupted) if the work was stopped.
    #[cfg(feature = "tables")]
    pub fn catalog(
        &self,
        rows: Rows,
        watch: &Watch,
    ) -> io::Result<(arrow_schema::SchemaRef, Vec<arrow_array::RecordBatch>, Counts)> {
        let mut arrow = crate::report::Arrow::new(rows.fields());
        let counts = self.each_row(rows, &self.find(watch)?, watch, |entry| arrow.row(entry))?;
        let (schema, batches) = arrow.end()?;
        Ok((schema, batches, counts))
    }

    /// Converts meshes with their animations into a folder, as `skelmap convert --resume --force` does. `animations`: for all meshes, in
    /// place of those among the paths.
    /// Each file appears complete or not at all. What is there from the same files with the same options is kept, everything else that has
    /// the name of an output is replaced. Shards may share a folder.
    ///
    /// # Errors
    /// Options that contradict each other, inputs without an asset where one is asked for, a folder that cannot be written to;
    /// [`Interrupted`](ErrorKind::Interrupted) if the work was stopped. An output that cannot be made is not an error:
    /// [`failures`](Outputs::failures) lists it, and the next call tries again.
    pub fn convert_to(
        &self,
        folder: &Path,
        animations: &[PathBuf],
        options: &ConvertOptions,
        watch: &Watch,
    ) -> io::Result<Outputs> {
        let (source, shard) = (self.source(), self.shard()?);
        let find = |paths: &[PathBuf]| Find::all(paths).sources(&source).map_err(io::Error::other);
        let conversion = Conversion {
            paths: &self.paths,
            sources: &find(&self.paths)?,
            animations,
            given: &find(animations)?,
            output: folder,
            options,
            jobs: self.jobs,
            dry_run: false,
            resume: true,
            replace: Replace::Everything,
            shard,
        };
        let mut done = Outputs::default();
        let unused = convert(&conversion, &source, Some(watch), &mut |event| {
            match event {
                Event::Unread(unread) if self.all_readable && unread.is_unreadable => {
                    return Err(io::Error::other(format!("{}: {}", unread.address, unread.message)));
                }
                Event::Unread(unread) => done.failures.push(format!("{}: {}", unread.address, unread.message)),
                Event::Output(row) => match &row.done {
                    Ok(Done::Written(_)) => done.written += 1,
                    Ok(Done::Kept) => done.kept += 1,
                    Ok(Done::Skipped | Done::Planned { .. }) => done.skipped += 1,
                    Err(message) => done.failures.push(format!("{}: {message}", row.address)),
                },
                Event::Missing(missing) => done.failures.push(missing.to_string()),
                Event::NoOutput(why) => done.failures.push(why.to_owned()),
                Event::Mod(path, fault) => done.failures.push(format!("{}: {}", path.display(), fault.message)),
                Event::Begin { .. } | Event::Large { .. } => {}
            }
            Ok(())
        })?;
        done.unused = unused.iter().map(ToString::to_string).collect();
        Ok(done)
    }

    /// Finds each mesh with the animations, the textures and the names of bones that belong to it. A part of the work is no part of a set, so
    /// shards are ignored.
    ///
    /// # Errors
    /// Options that name what is not there; [`Interrupted`](ErrorKind::Interrupted) if the work was stopped. A path that leads to nothing is no
    /// error: [`faults`](Sets::faults) lists it.
    pub fn sets(&self, options: &ConvertOptions, watch: &Watch) -> io::Result<Sets> {
        Ok(Sets::find(&self.paths, &self.source(), options, self.jobs, Some(watch))?)
    }
}

/// Whether a file is not written because one of that name is there.
fn is_there(error: &io::Error) -> bool {
    error.kind() == ErrorKind::AlreadyExists || save::is_busy(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_appears_while_another_call_writes_it_is_no_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let output = folder.path().join("a.jsonl");
        let work = Work::new::<&Path>(&[]);
        let late = |text: &'static str| {
            let output = output.clone();
            move |_: Output, _: &Sources| std::fs::write(output, text).map(|()| Counts::default())
        };
        // The other call gives the name while this one writes.
        let done = work.write(&output, &Watch::default(), |out, _, sources| late("a")(out, sources));
        assert!(done.expect("no error").is_none());
        assert_eq!(std::fs::read(&output).expect("a file"), b"a");
        // The other call was faster before this one looked whether it may write.
        let error = work.write_new(&output, &Watch::default(), late("b")).expect_err("a file is there");
        assert!(is_there(&error), "{error}");
        assert_eq!(std::fs::read(&output).expect("a file"), b"a");
    }

    #[test]
    fn only_a_file_that_is_there_is_why_it_is_not_written() {
        assert!(is_there(&ErrorKind::AlreadyExists.into()));
        assert!(!is_there(&ErrorKind::NotFound.into()) && !is_there(&io::Error::other("full")));
    }

    #[test]
    fn what_cannot_be_read_is_counted_and_an_error_where_all_must_be_readable() {
        let fault = |kind| Fault { kind, section: None, offset: None, message: "no such file".to_owned() };
        let counted = |all_readable, kind, is_unreadable| {
            let (work, mut counts) = (Work { all_readable, ..Work::new::<&Path>(&[]) }, Counts::default());
            let done = work.count(&mut counts, Some(&fault(kind)), is_unreadable, || "a.psk".to_owned());
            assert_eq!((counts.assets, counts.bad), (1, 1));
            done.map_err(|error| (error.kind(), error.to_string()))
        };
        let text = || "a.psk: no such file".to_owned();
        assert_eq!(counted(true, "not-found", true), Err((ErrorKind::NotFound, text())));
        assert_eq!(counted(true, "unreadable", true), Err((ErrorKind::Other, text())));
        assert_eq!(counted(true, "zip-damaged", true), Ok(()), "damage, which another attempt finds again");
        assert_eq!([counted(true, "not-found", false), counted(false, "not-found", true)], [Ok(()), Ok(())]);
    }
}
