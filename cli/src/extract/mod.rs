//! `skelmap extract`: entries of an archive as files, below one folder and nowhere else.

mod wanted;

use std::collections::HashMap;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::iter::Peekable;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use skelmap::archive::{Address, AddressError, Entry, OpenArchive};
use skelmap::mapping::Mapping;

use crate::arguments::{local, place};
use crate::files::Source;
use crate::messages::{self, summarize};
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::{complain, stdout};
use crate::progress::Progress;
use crate::sink::is_stdout;
use crate::text::{counted, size};
use skelmap_batch::originals::Originals;
use skelmap_batch::place::{Place, below};
use skelmap_batch::save::{self, EXISTS, Saver, Work, is_busy, is_reserved};
use skelmap_batch::unfinished::create_folders;
use skelmap_batch::{Patterns, real_path};
use wanted::Wanted;

/// Extract assets and other files from an archive, below one folder.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap extract public.zip -o out/
  skelmap extract public.zip '*horse*' -o out/ --dry-run
  skelmap extract public.zip 'art/animation/**/*.psa' -o out/ --flat
  skelmap extract 'public.zip!/art/meshes/' -o out/ --resume

In a glob, * does not cross /, and ** does. A glob that matches no entry is named, and the status is 1, or 3 if no glob matches. \
'public.zip!/art/x.psa' is one entry, 'public.zip!/art/' what is below a folder; the name of a source (horse.dae) is the file that 0 A.D. has made of it.

Names that lead out of the folder are refused. Checksums are checked. An existing file stays and is an error, unless --force replaces it \
or, with --resume, it has the same content. A file appears complete or not at all: it is written as .skelmap-*.part and then renamed.

Exit status: 0 all is there; 1 an entry is damaged or refused, or a glob matches nothing; 3 nothing could be read, or no glob matches; 5 a \
file exists already or cannot be written; 6 another run writes a file.")]
#[expect(clippy::struct_excessive_bools, reason = "a flag each")]
pub(crate) struct Extract {
    /// The archive, or an entry or a folder in it.
    #[arg(value_name = "ARCHIVE", value_parser = place())]
    path: PathBuf,
    /// Which entries [default: all]. `'*horse*'` is compared with the name of each file and of each folder on the way to
    /// it, `'skeletal/*.pmd'` with the last parts of a name, `'/art/*'` with whole names; `'art/'` is all in folders of this name, and
    /// `'!*.psa'` leaves these out.
    #[arg(value_name = "GLOB", value_parser = NonEmptyStringValueParser::new())]
    globs: Vec<String>,
    /// Ignore the case of letters in globs.
    #[arg(short, long)]
    ignore_case: bool,
    /// The folder to write to.
    #[arg(short, long, value_name = "DIR", value_parser = local())]
    output: PathBuf,
    /// Write all files into the folder itself. Two entries with one file name are an error, unless they are equal.
    #[arg(long)]
    flat: bool,
    /// Print the paths that would be written, and write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Continue a run that was stopped: skip files that exist with the same content.
    #[arg(long)]
    resume: bool,
    /// Replace files that exist.
    #[arg(long)]
    force: bool,
}

/// The most bytes of a batch after its first entry.
const AHEAD: u64 = 16 << 20;

/// The most entries of a batch.
const BATCH: usize = 1024;

/// The entries to prepare for next: at least one, and more up to a limit of bytes.
fn next_batch<'a>(entries: &mut Peekable<impl Iterator<Item = Entry<'a>>>) -> Option<Vec<Entry<'a>>> {
    let mut batch = vec![entries.next()?];
    let mut bytes = 0_u64;
    let mut fits = |entry: &Entry<'_>| {
        bytes = bytes.saturating_add(entry.compressed_size());
        bytes <= AHEAD
    };
    while let Some(entry) = entries.next_if(|entry| batch.len() < BATCH && fits(entry)) {
        batch.push(entry);
    }
    Some(batch)
}

pub(crate) fn run(arguments: &Extract, source: &Source) -> Ended {
    if is_stdout(&arguments.output) {
        let message = "entries are written to a folder, not to standard output: give -o DIR a name, or use skelmap cat";
        return Err(Failure::usage(message));
    }
    let place = Address::find(&arguments.path);
    let (unwanted, patterns): (Vec<String>, Vec<String>) =
        arguments.globs.iter().cloned().partition(|glob| glob.starts_with('!'));
    let globs = skelmap_batch::globs(&patterns, arguments.ignore_case).map_err(Failure::usage)?;
    let unwanted = Patterns::new(&unwanted, arguments.ignore_case).map_err(Failure::usage)?;
    let opened = OpenArchive::open(place.location(), &source.opener, &source.limits);
    let archive = &opened.map_err(|error| Failure::nothing_read(error.into_io()).in_file(place.path()))?;
    let nothing = |message| Failure::nothing_read(message).in_file(place.path());
    let wanted = &Wanted::new(&patterns, globs, unwanted, archive, place.entry()).map_err(nothing)?;
    // Counted first and found again: a list would take more memory than the index of the archive.
    let (total, unmatched) = wanted.count(archive);
    if total == 0 && unmatched.is_empty() {
        return Err(nothing("there is nothing to extract".to_owned()));
    }
    for message in &unmatched {
        complain(format!("{}: {message}", place.path().display()));
    }
    if total == 0 {
        return Ok(Outcome::NothingRead);
    }
    let (saver, originals) = (Saver::new(Work::new(b"skelmap extract")), Originals::new([place.path().to_owned()]));
    let run = Run { archive, arguments, saver, known: HashMap::new(), originals, flat: HashMap::new(), backslashes: 0 };
    messages::count(total as u64);
    let outcome = run.all(wanted, total, &place)?;
    Ok(if unmatched.is_empty() { outcome } else { outcome.max(Outcome::Findings) })
}

/// The most files that exist and are named.
const MAX_EXISTING: u64 = 3;

/// The end of an entry at fault.
fn of_entry(entry: &Entry<'_>, why: impl Display) -> Failure {
    Failure::findings(format!("entry {:?}: {why}", entry.name()))
}

/// The end of an entry that cannot be written: [`Outcome::NotWritten`] if its file is there and must not be replaced,
/// [`Failure::Output`] if no other entry can be written either.
fn of_output(entry: &Entry<'_>, error: &io::Error) -> Failure {
    let failure = of_entry(entry, error);
    match error.kind() {
        io::ErrorKind::AlreadyExists if error.to_string() == EXISTS => {
            Failure::Stopped(Outcome::NotWritten, failure.to_string())
        }
        _ if is_busy(error) => Failure::Stopped(Outcome::Busy, failure.to_string()),
        // Another folder may do better.
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::FileTooLarge => {
            Failure::Stopped(Outcome::NotWritten, failure.to_string())
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Failure::Output(io::Error::other(failure.to_string()))
        }
        _ => failure,
    }
}

/// What the entries of a run have in common.
struct Run<'a> {
    archive: &'a OpenArchive,
    arguments: &'a Extract,
    saver: Saver,
    /// The files of this run by their paths in lower case.
    known: HashMap<String, PathBuf>,
    /// The archive, which none of its entries replaces.
    originals: Originals,
    /// The entries of the files in a flat folder.
    flat: HashMap<String, usize>,
    /// The number of names that have backslashes between folders.
    backslashes: u64,
}

impl Run<'_> {
    /// Extracts all that is wanted.
    fn all(mut self, wanted: &Wanted<'_>, total: usize, place: &Address) -> Ended {
        let is_dry = self.arguments.dry_run;
        let (mut out, progress) = (stdout(), Progress::of_files(total));
        let (mut written, mut bytes, mut kept, mut failed) = (0_u64, 0_u64, 0_u64, 0_u64);
        let (mut existing, mut shut, mut busy, mut is_cut) = (0, 0, 0, false);
        let archive = self.archive;
        let mut entries = archive.entries().filter(|entry| wanted.has(entry)).peekable();
        let batches = std::iter::from_fn(|| next_batch(&mut entries));
        let prepared = batches.inspect(|batch| {
            if !is_dry {
                archive.prefetch(batch.iter().copied());
            }
        });
        for entry in prepared.flatten() {
            match self.extract(&entry) {
                Ok(Some(path)) => {
                    (written, bytes) = (written + 1, bytes.saturating_add(entry.size()));
                    if is_dry {
                        writeln!(out, "{}", path.display())?;
                    }
                }
                Ok(None) => kept += 1,
                Err(failure) => {
                    failed += 1;
                    let is_existing =
                        matches!(&failure, Failure::Stopped(Outcome::NotWritten, text) if text.ends_with(EXISTS));
                    existing += u64::from(is_existing);
                    let is_shut = !is_existing && matches!(failure, Failure::Stopped(Outcome::NotWritten, _));
                    shut += u64::from(is_shut);
                    let is_busy = matches!(failure, Failure::Stopped(Outcome::Busy, _));
                    busy += u64::from(is_busy);
                    let is_told = [(is_existing, existing), (is_shut, shut), (is_busy, busy)];
                    if is_told.iter().all(|(is_of, count)| !is_of || *count <= MAX_EXISTING) {
                        progress.suspend(|| complain(format!("{}: {failure}", place.path().display())));
                    }
                    is_cut = matches!(failure, Failure::Output(_));
                    if is_cut {
                        break;
                    }
                }
            }
            progress.inc(1);
        }
        progress.finish_and_clear();
        out.flush()?;
        if existing > 0 {
            let files = counted(existing, "file");
            complain(format!(
                "{files} there already: --resume skips those with the same content, --force replaces all"
            ));
        }
        if shut > MAX_EXISTING {
            complain(format!("{} cannot be written", counted(shut, "file")));
        }
        if busy > 0 {
            complain(format!("another run writes {}: --resume goes on when it has ended", counted(busy, "file")));
        }
        let there = if kept > 0 { format!(", {kept} there already") } else { String::new() };
        let slashes = match self.backslashes {
            0 => String::new(),
            count => format!(", {} with backslashes for folders", counted(count, "name")),
        };
        let verb = if is_dry { "to extract" } else { "extracted" };
        summarize(format!("{} {verb}, {}{there}{slashes}, {failed} failed", counted(written, "file"), size(bytes)));
        Ok(match failed {
            0 => Outcome::Clean,
            _ if is_cut || existing + shut > 0 => Outcome::NotWritten,
            _ if busy > 0 => Outcome::Busy,
            _ => Outcome::Findings,
        })
    }

    /// Writes one entry. Returns the path; `None` if the file is there with the same content.
    fn extract(&mut self, entry: &Entry<'_>) -> Result<Option<PathBuf>, Failure> {
        let relative = self.relative(entry)?;
        if let Some(other) = self.flat.get(&relative).and_then(|index| self.archive.get(*index)) {
            return self.same(entry, &other);
        }
        self.backslashes += u64::from(entry.name().has_backslash());
        let path = if self.arguments.dry_run { self.plan(entry, &relative) } else { self.write(entry, &relative) }?;
        if self.arguments.flat {
            self.flat.insert(relative, entry.index());
        }
        Ok(path)
    }

    /// The path of an entry below the folder.
    fn relative(&self, entry: &Entry<'_>) -> Result<String, Failure> {
        let name = entry.name();
        let mut relative = name.to_safe_path().map_err(|kind| of_entry(entry, kind))?;
        // A name means the last entry that has it.
        if self.archive.entry(&name.to_string()).is_ok_and(|last| last.index() != entry.index()) {
            return Err(of_entry(entry, "a later entry has the same name, and is extracted in its place"));
        }
        if is_reserved(Path::new(&relative)) {
            return Err(of_entry(entry, "files that this command makes for itself have such names"));
        }
        if let (true, Some((_, file))) = (self.arguments.flat, relative.rsplit_once('/')) {
            relative = file.to_owned();
        }
        Ok(relative)
    }

    /// The data of an entry.
    fn open(&self, entry: &Entry<'_>) -> Result<Mapping<'static>, Failure> {
        self.archive.open_entry(entry).map_err(AddressError::into_io).map_err(Failure::findings)
    }

    /// The data of an entry, which has its checksum.
    fn checked(&self, entry: &Entry<'_>) -> Result<Mapping<'static>, Failure> {
        let data = self.open(entry)?;
        self.archive.check(entry, &data).map_err(Failure::findings)?;
        Ok(data)
    }

    /// Two entries for one file of a flat folder are one if they are equal.
    fn same(&self, entry: &Entry<'_>, other: &Entry<'_>) -> Result<Option<PathBuf>, Failure> {
        if self.checked(entry)?[..] == self.open(other)?[..] {
            return Ok(None);
        }
        Err(of_entry(entry, format!("entry {:?} has the same file name and other content", other.name())))
    }

    /// What a run would do with an entry. The data is read only where it is compared.
    fn plan(&self, entry: &Entry<'_>, relative: &str) -> Result<Option<PathBuf>, Failure> {
        let failed = |error: io::Error| of_output(entry, &error);
        let path = below(&self.arguments.output, Path::new(relative), false).map_err(failed)?;
        if self.arguments.resume && path.exists() && holds(&path, &self.open(entry)?).map_err(failed)? {
            return Ok(None);
        }
        save::replaceable(&path, self.arguments.force).and_then(|_| self.originals.check(&path)).map_err(failed)?;
        Ok(Some(path))
    }

    fn write(&mut self, entry: &Entry<'_>, relative: &str) -> Result<Option<PathBuf>, Failure> {
        let Extract { output: folder, resume, force, .. } = self.arguments;
        let data = self.checked(entry)?;
        let no_folder = |error| io::Error::other(format!("cannot write below {}: {error}", folder.display()));
        create_folders(folder).map_err(no_folder)?;
        let failed = |error: io::Error| of_output(entry, &error);
        let place = Place::below(folder, Path::new(relative)).map_err(failed)?;
        let path = place.path().to_owned();
        // Where case does not count, names that differ in it alone are one file.
        let other = self.known.entry(path.to_string_lossy().to_lowercase()).or_insert_with(|| path.clone());
        if *other != path && real_path(other).is_ok_and(|other| real_path(&path).is_ok_and(|own| own == other)) {
            return Err(failed(io::Error::other("has, on this system, the name of another entry that was extracted")));
        }
        if *resume && holds(place.held(), &data).map_err(failed)? {
            return Ok(None);
        }
        self.originals.check(&path).map_err(failed)?;
        // In pieces through the buffer: if the archive becomes shorter meanwhile, this process touches the missing bytes and ends with
        // its status for that; a system call would fail with "bad address".
        let saved =
            self.saver.save(&place, *force, |out| data.chunks(1 << 15).try_for_each(|piece| out.write_all(piece)));
        match saved {
            // Another run has written it since.
            Err(_) if *resume && holds(place.held(), &data).is_ok_and(|is_same| is_same) => Ok(None),
            saved => saved.map(|()| Some(path)).map_err(failed),
        }
    }
}

/// Whether a file exists and has exactly this data.
fn holds(path: &Path, mut data: &[u8]) -> io::Result<bool> {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_file() && metadata.len() == data.len() as u64 => {}
        _ => return Ok(false),
    }
    let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
    loop {
        let part = file.fill_buf()?;
        match (part.len(), data.strip_prefix(part)) {
            (0, _) => return Ok(data.is_empty()),
            (_, None) => return Ok(false),
            (length, Some(rest)) => {
                data = rest;
                file.consume(length);
            }
        }
    }
}
