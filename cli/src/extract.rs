//! `skelmap extract`: entries of an archive as files, below one folder and nowhere else.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use skelmap::archive::{Archive, ArchiveError, Entry, Inflater};

use crate::Outcome;
use crate::cli::Extract;
use crate::files::{Source, progress};
use crate::print::{self, clean, counted};
use crate::save;

pub(crate) fn run(arguments: &Extract, source: &Source) -> Outcome {
    let patterns = match patterns(&arguments.patterns) {
        Ok(patterns) => patterns,
        Err(error) => {
            print::complain(format_args!("{}", clean(error)));
            return Outcome::Usage;
        }
    };
    let path = clean(arguments.path.display());
    let file = match source.opener.for_parts().open(&arguments.path) {
        Ok(file) => file,
        Err(error) => {
            print::complain(format_args!("{}", clean(error)));
            return Outcome::NothingRead;
        }
    };
    let archive = match Archive::parse_with(&file, &source.limits) {
        Ok(archive) => archive,
        Err(error) => {
            print::complain(format_args!("{path}: {}", clean(error)));
            return Outcome::NothingRead;
        }
    };
    let is_meant = |entry: &Entry<'_>| {
        !entry.name().is_folder() && (patterns.is_empty() || patterns.is_match(entry.name().to_string()))
    };
    let meant: Vec<Entry<'_>> = archive.entries().filter(is_meant).collect();
    let progress = progress(meant.len());
    let mut inflater = Inflater::new();
    let (mut written, mut bytes, mut kept, mut failed) = (0_u64, 0_u64, 0_u64, 0_u64);
    for entry in &meant {
        match extract(&archive, entry, &mut inflater, arguments) {
            Ok(Done::Written) => (written, bytes) = (written + 1, bytes + entry.size()),
            Ok(Done::Kept) => kept += 1,
            Err(Stopped { message, is_last }) => {
                failed += 1;
                progress.suspend(|| print::complain(format_args!("{path}: {}", clean(message))));
                if is_last {
                    break;
                }
            }
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    let (files, size) = (counted(written, "file"), print::size(bytes));
    let there = if kept > 0 { format!(", {kept} there already") } else { String::new() };
    print::complain(format_args!("{files} extracted, {size}{there}, {failed} failed"));
    match (written + kept, failed) {
        (0, 0) => {
            print::complain(format_args!("{path}: no entry matches"));
            Outcome::NothingRead
        }
        (_, 0) => Outcome::Clean,
        _ => Outcome::Findings,
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
    /// It is the same with every other: there is no room, or no folder to write below.
    is_last: bool,
}

/// What became of an entry.
enum Done {
    Written,
    /// It was there already, the same.
    Kept,
}

impl From<ArchiveError> for Stopped {
    fn from(error: ArchiveError) -> Self {
        Self { message: error.to_string(), is_last: false }
    }
}

/// Writes one entry, or tells what went wrong.
fn extract(
    archive: &Archive<'_>,
    entry: &Entry<'_>,
    inflater: &mut Inflater,
    arguments: &Extract,
) -> Result<Done, Stopped> {
    let name = entry.name();
    let refused = |kind| Stopped { message: format!("entry {name:?}: {kind}"), is_last: false };
    let relative = name.to_safe_path().map_err(refused)?;
    let data = archive.read(entry, inflater)?;
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
    save::save(&path, arguments.force, |out| copy(data, out)).map_err(failed)?;
    Ok(Done::Written)
}

/// In pieces that go through the buffer: where the archive was cut short meanwhile, it is this process that touches what is lost and
/// so ends as it should, and not the system, which would call it a bad address.
fn copy(data: &[u8], out: &mut BufWriter<&mut File>) -> io::Result<()> {
    data.chunks(1 << 15).try_for_each(|piece| out.write_all(piece))
}

/// Whether a file is there and holds just this data.
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

/// The path below a folder, whose own folders are made. None of those may be a link, which could lead elsewhere.
fn below(folder: &Path, relative: &Path) -> io::Result<PathBuf> {
    let mut path = folder.to_owned();
    let parents = relative.parent().into_iter().flat_map(Path::components);
    for part in parents {
        path.push(part);
        match path.symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => {
                let message = format!("{} is there and is no folder", path.display());
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir(&path)?,
            Err(error) => return Err(error),
        }
    }
    path.push(relative.file_name().unwrap_or_default());
    Ok(path)
}
