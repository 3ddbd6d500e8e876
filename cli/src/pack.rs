//! `skelmap pack`: files and folders as an archive that maps well.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use skelmap::archive::EntryName;
use skelmap::catalog::{Met, walk};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::Outcome;
use crate::cli::Pack;
use crate::files::progress;
use crate::print::{self, clean, counted};
use crate::save;

/// From this size on, an entry's sizes do not fit the short form.
const LARGE: u64 = u32::MAX as u64;

/// A file and what it is called in the archive.
struct Member {
    name: String,
    path: PathBuf,
    size: u64,
}

pub(crate) fn run(arguments: &Pack) -> Outcome {
    let members = match members(arguments) {
        Ok(members) => members,
        Err((outcome, messages)) => {
            for message in messages {
                print::complain(format_args!("{}", clean(message)));
            }
            return outcome;
        }
    };
    let progress = progress(members.len());
    let packed = save::save(&arguments.output, arguments.force, |out| {
        let mut zip = ZipWriter::new(FailsOnce { out, end: 0, has_failed: false });
        for member in &members {
            add(&mut zip, member, arguments.align)?;
            progress.inc(1);
        }
        save::to_disk(zip.finish().map_err(unwrapped)?.out)
    });
    progress.finish_and_clear();
    if let Err(error) = packed {
        print::complain(format_args!("{}: {}", clean(arguments.output.display()), clean(error)));
        return Outcome::Findings;
    }
    let size = print::size(members.iter().map(|member| member.size).sum());
    print::complain(format_args!("{} packed, {size}", counted(members.len() as u64, "file")));
    Outcome::Clean
}

/// Adds a file.
fn add(zip: &mut ZipWriter<impl Write + Seek>, member: &Member, alignment: u16) -> io::Result<()> {
    let mut input = Input { file: File::open(&member.path).map_err(|error| of_file(&member.path, &error))?, member };
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .with_alignment(alignment)
        // The first moment that ZIP knows, whatever the files say.
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644)
        .large_file(member.size >= LARGE);
    zip.start_file(member.name.as_str(), options).map_err(unwrapped)?;
    io::copy(&mut input, zip).map(drop)
}

/// The system's own words, which the archive's writer hides.
fn unwrapped(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// A file that is read, whose errors name it: those of the archive that is written do not.
struct Input<'a> {
    file: File,
    member: &'a Member,
}

impl Read for Input<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.read(bytes).map_err(|error| of_file(&self.member.path, &error))
    }
}

fn of_file(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// A writer that fails once and then takes everything: an archive's writer that is given up writes the archive's end first, and
/// would say that it cannot.
struct FailsOnce<W> {
    out: W,
    /// The furthest place that was written to.
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

/// Why there is nothing to pack: the exit status and the words.
type Failed = (Outcome, Vec<String>);

/// All files, in the order of their names in the archive. Whatever cannot be packed is named, and then nothing is: half a mod is
/// worse than none.
fn members(arguments: &Pack) -> Result<Vec<Member>, Failed> {
    let output = arguments.output.canonicalize().ok();
    let is_output = |path: &Path| output.is_some() && path.canonicalize().ok() == output;
    let (mut members, mut unnamed, mut unreadable) = (Vec::new(), Vec::new(), Vec::new());
    for root in &arguments.paths {
        if is_output(root) {
            unnamed.push(format!("{}: is the output, too", root.display()));
        }
        let base = if root.is_dir() { root.as_path() } else { root.parent().unwrap_or(Path::new("")) };
        for met in walk(root) {
            match met {
                Met::File(path) if is_output(&path) => {}
                Met::File(path) => match (name_of(&path, base), size_of(&path)) {
                    (Err(reason), _) => unnamed.push(format!("{}: {reason}", path.display())),
                    (_, Err(error)) => unreadable.push(format!("{}: {error}", path.display())),
                    (Ok(name), Ok(size)) => members.push(Member { name, path, size }),
                },
                Met::Failed { path, error } if path == *root && error.kind() == io::ErrorKind::NotFound => {
                    unnamed.push(format!("{}: {error}", path.display()));
                }
                Met::Failed { path, error } => unreadable.push(format!("{}: {error}", path.display())),
                Met::Other(path) => unreadable.push(format!("{}: is no regular file", path.display())),
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
        (true, true) => Ok(members),
        (true, false) => Err((Outcome::Findings, unreadable)),
        (false, _) => Err((Outcome::Usage, [unnamed, unreadable].concat())),
    }
}

/// The size of a file that can be opened and begun to be read.
fn size_of(path: &Path) -> io::Result<u64> {
    let mut file = File::open(path)?;
    while let Err(error) = file.read(&mut [0]) {
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    Ok(file.metadata()?.len())
}

/// The parts of a path below a folder joined by `/`.
fn name_of(path: &Path, base: &Path) -> Result<String, String> {
    let parts: Option<Vec<&str>> = path.strip_prefix(base).unwrap_or(path).iter().map(|part| part.to_str()).collect();
    let name = parts.ok_or("the name is not UTF-8, which archives have")?.join("/");
    EntryName::new(name.as_bytes()).to_safe_path().map_err(|reason| reason.to_string())?;
    Ok(name)
}
