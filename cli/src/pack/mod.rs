//! `skelmap pack`: files and folders as an archive that can be mapped well.

mod stored;

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::NonEmptyStringValueParser;
use crc32fast::Hasher;
use skelmap::Format;
use skelmap::archive::EntryName;
use skelmap_batch::{Met, Walk, begins_as_archive, real_path};

use self::stored::Archive;
use crate::arguments::{local, number};
use crate::files::check_local;
use crate::messages::{self, summarize};
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::{complain, stdout};
use crate::progress::{Progress, Unit};
use crate::sink::is_stdout;
use crate::text::{counted, size};
use skelmap_batch::originals::Originals;
use skelmap_batch::save::{self, is_reserved};

/// Write an archive that can be mapped well: every entry stored, its data aligned.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap pack mymod/ -o mymod.zip
  skelmap pack mymod/ -o mymod.pyromod --align 4096

The contents of a folder go to the root of the archive, sorted by name and all with one date: the same files always give the same \
archive. Every ZIP program can read it. Left out of folders: .git, .DS_Store, Thumbs.db, .skelmap-*, and what --exclude names. Links are followed; \
links to files outside of their folder, and links to nothing, are named. If a file cannot be packed, all such files are named and nothing is written. OUT \
appears complete or not at all: it is written as .skelmap-*.part and then renamed.

Exit status: 0 written; 2 a name cannot be packed; 3 nothing could be read; 5 a file cannot be read, or OUT exists already or cannot be \
written.")]
pub(crate) struct Pack {
    /// Files and folders.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The archive to write.
    #[arg(short, long, value_name = "OUT", value_parser = local())]
    output: PathBuf,
    /// The data of each entry begins at a multiple of this: a power of two up to 32768.
    #[arg(long, value_name = "BYTES", default_value_t = 64, value_parser = number("expected a power of two from 1 to 32768", |align: &u16| align.is_power_of_two()))]
    align: u16,
    /// Leave out files and folders of folders that match, as a line of .gitignore does; can be given several times.
    #[arg(long, value_name = "GLOB", value_parser = NonEmptyStringValueParser::new())]
    exclude: Vec<String>,
    /// Print the names in the archive, and write nothing.
    #[arg(long)]
    dry_run: bool,
    /// Replace OUT if it exists.
    #[arg(long)]
    force: bool,
}

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
    let Found { members, left_out, outside, dangling } = Found::of(arguments)?;
    messages::count(members.len() as u64);
    for path in &outside {
        complain(format!("{}: a link to a file outside of its folder, which is packed", path.display()));
    }
    let bytes = members.iter().fold(0, |sum, member| member.size.saturating_add(sum));
    let size = size(bytes);
    let left_out = match left_out {
        0 => String::new(),
        count => format!("; {} left out (.git, .DS_Store, Thumbs.db, .skelmap-*)", counted(count, "file")),
    };
    let files = counted(members.len() as u64, "file");
    for path in &dangling {
        complain(format!("{}: a link to nothing, which is left out", path.display()));
    }
    if arguments.dry_run {
        let mut out = stdout();
        members.iter().try_for_each(|member| writeln!(out, "{}", member.name))?;
        out.flush()?;
        summarize(format!("{files} to pack, {size}{left_out}"));
        return Ok(Outcome::Clean);
    }
    // An archive in a folder that is packed is left out, and may be replaced.
    let read = arguments.paths.iter().filter(|path| path.is_file()).cloned();
    Originals::new(read).check(&arguments.output).map_err(|error| Failure::usage(error).in_file(&arguments.output))?;
    let progress = Progress::new(Unit::Bytes, bytes);
    let packed = save::save(&arguments.output, arguments.force, |out| {
        let mut archive = Archive::new(out, arguments.align);
        for member in &members {
            let file = open(&member.path).map_err(|error| of_file(&member.path, &error))?;
            archive.add(&member.name, member.size, Input { file, member, progress: &progress, crc: Hasher::new() })?;
        }
        archive.finish().map(drop)
    });
    progress.finish_and_clear();
    packed.map_err(|error| Failure::not_written(error).in_file(&arguments.output))?;
    summarize(format!("{files} packed, {size}{left_out}"));
    Ok(Outcome::Clean)
}

/// A file that is packed. Its errors name it; errors of the archive do not.
struct Input<'a> {
    file: File,
    member: &'a Member,
    progress: &'a Progress,
    /// The checksum of what was read.
    crc: Hasher,
}

impl Read for Input<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(bytes).map_err(|error| of_file(&self.member.path, &error))?;
        self.crc.update(bytes.get(..read).unwrap_or_default());
        self.progress.inc(read.try_into().unwrap_or(u64::MAX));
        Ok(read)
    }
}

fn of_file(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// What is packed.
struct Found {
    /// All files, sorted by their names in the archive.
    members: Vec<Member>,
    /// The number of files of other programs that are left out.
    left_out: u64,
    /// Links to files outside of their folder.
    outside: Vec<PathBuf>,
    /// Links to nothing whose names promise no asset.
    dangling: Vec<PathBuf>,
}

impl Found {
    /// All files. If any file cannot be packed, all such files are named and nothing is packed: half a mod is worse than none.
    fn of(arguments: &Pack) -> Result<Self, Failure> {
        let walk = Walk { exclude: arguments.exclude.clone(), ..Walk::all() };
        walk.check()?;
        let (mut outside, mut dangling) = (Vec::new(), Vec::new());
        // A link is no output, which is said when it is written.
        let is_file = arguments.output.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
        let output = real_path(&arguments.output).ok().filter(|_| is_file);
        let is_output = |path: &Path| output.is_some() && real_path(path).ok() == output;
        let (mut members, mut unnamed, mut unreadable, mut left_out) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for root in &arguments.paths {
            if is_output(root) {
                unnamed.push(format!("{}: is the output too", root.display()));
            }
            if let Err(message) = check_local(root) {
                unnamed.push(message);
                continue;
            }
            let base = match root.metadata() {
                Ok(metadata) if metadata.is_dir() => root.as_path(),
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    unreadable.push(format!("{}: {error}", root.display()));
                    continue;
                }
                _ => root.parent().unwrap_or(Path::new("")),
            };
            let is_outside = outside_of(root);
            for met in walk.files(root) {
                match met {
                    Met::File(path) | Met::Other(path) | Met::Failed { path, .. } if is_foreign(&path, root) => {
                        left_out += 1;
                    }
                    // The archive that is packed anew.
                    Met::File(path) if is_output(&path) && begins_as_archive(&path).unwrap_or(false) => {}
                    Met::File(path) if is_output(&path) => {
                        unnamed.push(format!("{}: is the output too", path.display()));
                    }
                    Met::File(path) => match (name_of(&path, base), size_of(&path)) {
                        (Err(reason), _) => unnamed.push(format!("{}: {reason}", path.display())),
                        (_, Err(error)) => unreadable.push(format!("{}: {error}", path.display())),
                        (Ok(name), Ok(size)) => {
                            if is_outside(&path) {
                                outside.push(path.clone());
                            }
                            members.push(Member { name, path, size });
                        }
                    },
                    Met::Failed { path, .. } if is_empty_link(&path) => dangling.push(path),
                    Met::Failed { path, error } => unreadable.push(format!("{}: {error}", path.display())),
                    Met::Other(path) => unreadable.push(format!("{}: is not a regular file", path.display())),
                    _ => {}
                }
            }
        }
        members.sort_by(|one, other| one.name.cmp(&other.name));
        for (one, other) in members.iter().zip(members.iter().skip(1)).filter(|(one, other)| one.name == other.name) {
            unnamed.push(format!("{} and {} would both be {}", one.path.display(), other.path.display(), one.name));
        }
        if !unnamed.is_empty() || !unreadable.is_empty() {
            unreadable.extend(dangling.iter().map(|path| format!("{}: is a link to nothing", path.display())));
        }
        let (outcome, mut messages) = match (unnamed.is_empty(), unreadable.is_empty()) {
            (true, true) if members.is_empty() => return Err(Failure::usage("there is no file to pack")),
            (true, true) => return Ok(Self { members, left_out, outside, dangling }),
            (true, false) if members.is_empty() => (Outcome::NothingRead, unreadable),
            (true, false) => (Outcome::NotWritten, unreadable),
            (false, _) => (Outcome::Usage, [unnamed, unreadable].concat()),
        };
        let last = messages.pop().unwrap_or_default();
        messages.iter().for_each(complain);
        Err(Failure::Stopped(outcome, last))
    }
}

/// Whether a path below a folder leads to a file elsewhere.
fn outside_of(root: &Path) -> impl Fn(&Path) -> bool + use<> {
    let real = real_path(root).ok().filter(|real| real.is_dir());
    move |path| {
        let is_below = |real: &PathBuf| real_path(path).is_ok_and(|path| path.starts_with(real));
        real.as_ref().is_some_and(|real| !is_below(real))
    }
}

/// Whether a path is a dangling link without the name of a model.
fn is_empty_link(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    let mut known = Format::ALL.iter().flat_map(|format| format.extensions());
    path.is_symlink() && !path.exists() && !known.any(|known| extension.eq_ignore_ascii_case(known))
}

/// Whether a path below a folder is what version control, file managers and this command keep there.
fn is_foreign(path: &Path, root: &Path) -> bool {
    let below = path.strip_prefix(root).unwrap_or(Path::new(""));
    is_reserved(path) || below.iter().any(|part| [".git", ".DS_Store", "Thumbs.db"].iter().any(|name| part == *name))
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
