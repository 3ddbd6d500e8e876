//! `skelmap pack`: files and folders as an archive that can be mapped well.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use skelmap::archive::EntryName;
use skelmap::catalog::{Met, walk};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::files::prove_local;
use crate::messages::summarize;
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::complain;
use crate::progress::Progress;
use crate::save;
use crate::sink::is_stdout;
use crate::text::{counted, size};

/// Write an archive that can be mapped well: every entry stored, its data aligned.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap pack mymod/ -o mymod.zip
  skelmap pack mymod/ -o mymod.pyromod --align 4096

The contents of a folder go to the root of the archive, sorted by name and all with one date: the same files always give the same \
archive. Every ZIP program can read it. Links are followed; .git, .DS_Store and Thumbs.db in folders are left out. If a file cannot be packed, all such files are named and nothing is written. OUT appears \
complete or not at all: it is written as .skelmap-*.part and then renamed.")]
pub(crate) struct Pack {
    /// Files and folders.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The archive to write.
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    /// The data of each entry begins at a multiple of this: a power of two up to 32768.
    #[arg(long, value_name = "BYTES", default_value_t = 64, value_parser = parse_alignment)]
    align: u16,
    /// Replace OUT if it exists.
    #[arg(long)]
    force: bool,
}

fn parse_alignment(text: &str) -> Result<u16, String> {
    let alignment = text.parse().ok().filter(|alignment: &u16| alignment.is_power_of_two());
    alignment.ok_or_else(|| "expected a power of two from 1 to 32768".to_owned())
}

/// From this size on, an entry needs the long form of sizes (ZIP64).
const LARGE: u64 = u32::MAX as u64;

/// A file and its name in the archive.
struct Member {
    name: String,
    path: PathBuf,
    size: u64,
}

pub(crate) fn run(arguments: &Pack) -> Ended {
    if is_stdout(&arguments.output) {
        return Err(Failure::usage("an archive is written to a file, not to standard output: give -o OUT a name"));
    }
    let (members, left_out) = match members(arguments) {
        Ok(found) => found,
        Err((outcome, messages)) => {
            messages.iter().for_each(complain);
            return Ok(outcome);
        }
    };
    let progress = Progress::of_bytes(members.iter().fold(0, |sum, member| member.size.saturating_add(sum)));
    let packed = save::save(&arguments.output, arguments.force, |out| {
        let mut zip = ZipWriter::new(FailsOnce { out, end: 0, has_failed: false });
        for member in &members {
            add(&mut zip, member, arguments.align, &progress)?;
        }
        save::to_disk(zip.finish().map_err(unwrapped)?.out)
    })
    .and_then(|()| save::sync_folder(&arguments.output));
    progress.finish_and_clear();
    packed.map_err(|error| Failure::not_written(error).in_file(&arguments.output))?;
    let size = size(members.iter().map(|member| member.size).sum());
    let left_out =
        if left_out > 0 { format!("; {left_out} of .git, .DS_Store and Thumbs.db left out") } else { String::new() };
    summarize(format!("{} packed, {size}{left_out}", counted(members.len() as u64, "file")));
    Ok(Outcome::Clean)
}

/// Adds a file.
fn add(zip: &mut ZipWriter<impl Write + Seek>, member: &Member, alignment: u16, progress: &Progress) -> io::Result<()> {
    let file = open(&member.path).map_err(|error| of_file(&member.path, &error))?;
    let mut input = Input { file, member, progress };
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .with_alignment(alignment)
        // The first date that ZIP has.
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644)
        .large_file(member.size >= LARGE);
    zip.start_file(member.name.as_str(), options).map_err(unwrapped)?;
    io::copy(&mut input, zip).map(drop)
}

/// The error of the system inside of an error of the archive's writer.
fn unwrapped(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// A file that is packed. Its errors name it; errors of the archive do not.
struct Input<'a> {
    file: File,
    member: &'a Member,
    progress: &'a Progress,
}

impl Read for Input<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(bytes).map_err(|error| of_file(&self.member.path, &error))?;
        self.progress.inc(read.try_into().unwrap_or(u64::MAX));
        Ok(read)
    }
}

fn of_file(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// A writer that accepts and ignores everything after its first error: `ZipWriter` writes the end of the archive when it is dropped,
/// and would print another error.
struct FailsOnce<W> {
    out: W,
    /// The end of the archive so far.
    end: u64,
    has_failed: bool,
}

impl<W: Write + Seek> Write for FailsOnce<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.has_failed {
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes);
        self.has_failed = written.is_err();
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.has_failed { Ok(()) } else { self.out.flush().inspect_err(|_| self.has_failed = true) }
    }
}

impl<W: Write + Seek> Seek for FailsOnce<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if self.has_failed {
            return Ok(self.end);
        }
        let at = self.out.seek(to).inspect_err(|_| self.has_failed = true)?;
        self.end = self.end.max(at);
        Ok(at)
    }
}

/// Why nothing is packed: the exit status and the messages.
type Refused = (Outcome, Vec<String>);

/// All files, sorted by their names in the archive. If any file cannot be packed, all such files are named and nothing is packed:
/// half a mod is worse than none. Besides, how many files of other programs were left out.
fn members(arguments: &Pack) -> Result<(Vec<Member>, u64), Refused> {
    let output = arguments.output.canonicalize().ok();
    let is_output = |path: &Path| output.is_some() && path.canonicalize().ok() == output;
    let (mut members, mut unnamed, mut unreadable, mut left_out) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for root in &arguments.paths {
        if is_output(root) {
            unnamed.push(format!("{}: is the output too", root.display()));
        }
        let base = if root.is_dir() { root.as_path() } else { root.parent().unwrap_or(Path::new("")) };
        if let Err(message) = prove_local(root) {
            unnamed.push(message);
            continue;
        }
        for met in walk(root) {
            match met {
                Met::File(path) | Met::Other(path) | Met::Failed { path, .. } if is_foreign(&path, root) => {
                    left_out += 1;
                }
                Met::File(path) if is_output(&path) => {}
                Met::File(path) => match (name_of(&path, base), size_of(&path)) {
                    (Err(reason), _) => unnamed.push(format!("{}: {reason}", path.display())),
                    (_, Err(error)) => unreadable.push(format!("{}: {error}", path.display())),
                    (Ok(name), Ok(size)) => members.push(Member { name, path, size }),
                },
                Met::Failed { path, error } => unreadable.push(format!("{}: {error}", path.display())),
                Met::Other(path) => unreadable.push(format!("{}: is not a regular file", path.display())),
                _ => {}
            }
        }
    }
    members.sort_by(|one, other| one.name.cmp(&other.name));
    for pair in members.windows(2) {
        if let [one, other] = pair {
            if one.name == other.name {
                let message = format!("{} and {} would both be {}", one.path.display(), other.path.display(), one.name);
                unnamed.push(message);
            }
        }
    }
    match (unnamed.is_empty(), unreadable.is_empty()) {
        (true, true) if members.is_empty() => Err((Outcome::Usage, vec!["there is no file to pack".to_owned()])),
        (true, true) => Ok((members, left_out)),
        (true, false) if members.is_empty() => Err((Outcome::NothingRead, unreadable)),
        (true, false) => Err((Outcome::NotWritten, unreadable)),
        (false, _) => Err((Outcome::Usage, [unnamed, unreadable].concat())),
    }
}

/// Whether a path below a folder is what version control and file managers keep there.
fn is_foreign(path: &Path, root: &Path) -> bool {
    let below = path.strip_prefix(root).unwrap_or(Path::new(""));
    below.iter().any(|part| [".git", ".DS_Store", "Thumbs.db"].iter().any(|name| part == *name))
}

/// The size of a file, which is proven to be readable.
fn size_of(path: &Path) -> io::Result<u64> {
    let mut file = open(path)?;
    while let Err(error) = file.read(&mut [0]) {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    Ok(file.metadata()?.len())
}

/// Opens a file. Reads do not wait for bytes of a file such as `/proc/kmsg`, which may never come: that is an error.
fn open(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    #[cfg(target_os = "linux")]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    options.read(true).open(path)
}

/// The parts of a path below a folder, joined by `/`.
fn name_of(path: &Path, base: &Path) -> Result<String, String> {
    let parts: Option<Vec<&str>> = path.strip_prefix(base).unwrap_or(path).iter().map(|part| part.to_str()).collect();
    let name = parts.ok_or("the name is not UTF-8, which archives need")?.join("/");
    EntryName::new(name.as_bytes()).to_safe_path().map_err(|reason| reason.to_string())?;
    Ok(name)
}
