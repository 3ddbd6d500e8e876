//! `skelmap extract`: entries of an archive as files, below one folder and nowhere else.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::iter::Peekable;
use std::path::{Path, PathBuf};

use clap::Args;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use skelmap::archive::{Address, ArchiveError, Entry, OpenArchive};
use skelmap::catalog::is_partial;

use crate::files::{Source, progress};
use crate::messages::summarize;
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::complain;
use crate::save::{self, Work, Written};
use crate::text::{counted, size};

/// Extract assets and other files from an archive, below one folder.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap extract public.zip -o out/
  skelmap extract public.zip 'art/animation/**/*.psa' -o out/
  skelmap extract public.zip -o out/ --resume

A pattern is compared with whole names: * does not cross /, ** does. Names that lead out of the folder are refused. Checksums are \
checked. An existing file stays and is an error, unless --force replaces it or, with --resume, it has the same content. A file appears \
complete or not at all: it is written as .skelmap-*.part and then renamed.")]
pub(crate) struct Extract {
    /// The archive.
    #[arg(value_name = "ARCHIVE")]
    path: PathBuf,
    /// Which entries [default: all].
    #[arg(value_name = "GLOB")]
    patterns: Vec<String>,
    /// The folder to write to.
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
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
    let mut bytes = 0;
    let mut fits = |entry: &Entry<'_>| {
        bytes += entry.compressed_size();
        bytes <= AHEAD
    };
    while let Some(entry) = entries.next_if(|entry| batch.len() < BATCH && fits(entry)) {
        batch.push(entry);
    }
    Some(batch)
}

pub(crate) fn run(arguments: &Extract, source: &Source) -> Ended {
    let place = Address::find(&arguments.path);
    let patterns = patterns(&arguments.patterns).map_err(Failure::usage)?;
    let opened = OpenArchive::open(&arguments.path, &source.opener, &source.limits);
    let archive = opened.map_err(|error| Failure::nothing_read(error.into_io()).in_file(place.path()))?;
    let is_wanted = |entry: &Entry<'_>| {
        !entry.name().is_folder() && (patterns.is_empty() || patterns.is_match(entry.name().to_string()))
    };
    // Counted first and found again: a list would take more memory than the index of the archive.
    let mut attempt = Attempt { work: Work::new(b"skelmap extract"), cleaned: HashSet::new() };
    let progress = progress(archive.entries().filter(is_wanted).count());
    let (mut written, mut bytes, mut kept, mut failed, mut is_cut) = (0_u64, 0_u64, 0_u64, 0_u64, false);
    let mut wanted = archive.entries().filter(is_wanted).peekable();
    let batches = std::iter::from_fn(|| next_batch(&mut wanted));
    let entries = batches.inspect(|batch| archive.prefetch(batch.iter().copied())).flatten();
    for entry in entries {
        match extract(&archive, &entry, arguments, &mut attempt) {
            Ok(Done::Written) => (written, bytes) = (written + 1, bytes + entry.size()),
            Ok(Done::Kept) => kept += 1,
            Err(Stopped { message, is_last }) => {
                failed += 1;
                progress.suspend(|| complain(format!("{}: {message}", place.path().display())));
                is_cut = is_last;
                if is_last {
                    break;
                }
            }
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    let there = if kept > 0 { format!(", {kept} there already") } else { String::new() };
    summarize(format!("{} extracted, {}{there}, {failed} failed", counted(written, "file"), size(bytes)));
    match (written + kept, failed) {
        (0, 0) => Err(Failure::nothing_read(format!("{}: no entry matches", place.path().display()))),
        (_, 0) => Ok(Outcome::Clean),
        _ => Ok(if is_cut { Outcome::NotWritten } else { Outcome::Findings }),
    }
}

fn patterns(patterns: &[String]) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(GlobBuilder::new(pattern).literal_separator(true).build()?);
    }
    set.build()
}

/// Why an entry was not extracted.
struct Stopped {
    message: String,
    /// No other entry can be extracted either: the disk is full, or the folder cannot be written to.
    is_last: bool,
}

/// The result for an entry.
enum Done {
    Written,
    /// It exists already with the same content.
    Kept,
}

impl From<ArchiveError> for Stopped {
    fn from(error: ArchiveError) -> Self {
        Self { message: error.to_string(), is_last: false }
    }
}

/// What the entries of a run have in common.
struct Attempt {
    work: Work,
    /// The folders from which the unfinished files of killed runs are removed.
    cleaned: HashSet<Option<PathBuf>>,
}

/// Writes one entry.
fn extract(
    archive: &OpenArchive,
    entry: &Entry<'_>,
    arguments: &Extract,
    attempt: &mut Attempt,
) -> Result<Done, Stopped> {
    let name = entry.name();
    let refused = |kind| Stopped { message: format!("entry {name:?}: {kind}"), is_last: false };
    let relative = name.to_safe_path().map_err(refused)?;
    // A name means the last entry that has it.
    if archive.entry(&name.to_string()).is_ok_and(|last| last.index() != entry.index()) {
        let message = format!("entry {name:?}: a later entry has the same name, and is extracted in its place");
        return Err(Stopped { message, is_last: false });
    }
    if is_partial(Path::new(&relative)) {
        let message = format!("entry {name:?}: unfinished files of this command have such names");
        return Err(Stopped { message, is_last: false });
    }
    let opened =
        archive.open_entry(entry).map_err(|error| Stopped { message: error.into_io().to_string(), is_last: false })?;
    let data: &[u8] = &opened;
    archive.check(entry, data)?;
    let folder = &arguments.output;
    let no_folder =
        |error| Stopped { message: format!("cannot write below {}: {error}", folder.display()), is_last: true };
    fs::create_dir_all(folder).map_err(no_folder)?;
    let failed = |error: io::Error| {
        let is_full = matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
        Stopped { message: format!("entry {name:?}: {error}"), is_last: is_full }
    };
    let path = below(folder, Path::new(&relative)).map_err(failed)?;
    if arguments.resume && holds(&path, data).map_err(failed)? {
        return Ok(Done::Kept);
    }
    if attempt.cleaned.insert(path.parent().map(Path::to_owned)) {
        attempt.work.remove_orphans(&path);
    }
    let written = Written::new(&attempt.work, &path, arguments.force, |out| copy(data, out)).map_err(failed)?;
    save::persist(vec![written]).map_err(|(_, error)| failed(error))?;
    Ok(Done::Written)
}

/// Copies in pieces through the buffer. If the archive becomes shorter meanwhile, this process touches the missing bytes and ends with
/// its status for that; a system call would fail with "bad address".
fn copy(data: &[u8], out: &mut BufWriter<&mut File>) -> io::Result<()> {
    data.chunks(1 << 15).try_for_each(|piece| out.write_all(piece))
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

/// The path below a folder. Makes the folders in between; none of them may be a link, which could lead elsewhere.
fn below(folder: &Path, relative: &Path) -> io::Result<PathBuf> {
    let mut path = folder.to_owned();
    let parents = relative.parent().into_iter().flat_map(Path::components);
    for part in parents {
        path.push(part);
        match path.symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => {
                let message = format!("{} exists and is not a folder", path.display());
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir(&path)?,
            Err(error) => return Err(error),
        }
    }
    path.push(relative.file_name().unwrap_or_default());
    Ok(path)
}
