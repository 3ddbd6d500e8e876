//! `skelmap extract`: entries of an archive as files, below one folder and nowhere else.

use std::fs;
use std::io::{self, Write};
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
    let (mut written, mut bytes, mut failed) = (0_u64, 0_u64, 0_u64);
    for entry in &meant {
        match extract(&archive, entry, &mut inflater, arguments) {
            Ok(size) => (written, bytes) = (written + 1, bytes + size),
            Err(Stopped { message, is_full }) => {
                failed += 1;
                progress.suspend(|| print::complain(format_args!("{path}: {}", clean(message))));
                if is_full {
                    break;
                }
            }
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    let (files, size) = (counted(written, "file"), print::size(bytes));
    print::complain(format_args!("{files} extracted, {size}, {failed} failed"));
    match (written, failed) {
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
    /// There is no room for any other either.
    is_full: bool,
}

impl From<ArchiveError> for Stopped {
    fn from(error: ArchiveError) -> Self {
        Self { message: error.to_string(), is_full: false }
    }
}

/// Writes one entry; gives its size, or what went wrong.
fn extract(
    archive: &Archive<'_>,
    entry: &Entry<'_>,
    inflater: &mut Inflater,
    arguments: &Extract,
) -> Result<u64, Stopped> {
    let name = entry.name();
    let refused = |kind| Stopped { message: format!("entry {name:?}: {kind}"), is_full: false };
    let relative = name.to_safe_path().map_err(refused)?;
    let data = archive.read(entry, inflater)?;
    archive.check(entry, data)?;
    let failed = |error: io::Error| {
        let is_full = matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
        Stopped { message: format!("entry {name:?}: {error}"), is_full }
    };
    let path = below(&arguments.output, Path::new(&relative)).map_err(failed)?;
    save::save(&path, arguments.force, |out| out.write_all(data)).map_err(failed)?;
    Ok(entry.size())
}

/// The path below a folder, whose own folders are made. None of those may be a link, which could lead elsewhere.
fn below(folder: &Path, relative: &Path) -> io::Result<PathBuf> {
    let mut path = folder.to_owned();
    fs::create_dir_all(&path)?;
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
