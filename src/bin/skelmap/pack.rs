//! `skelmap pack`: files and folders as an archive that maps well.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use skelmap::archive::EntryName;
use walkdir::WalkDir;
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
        Err(message) => {
            print::complain(format_args!("{}", clean(message)));
            return Outcome::Usage;
        }
    };
    let progress = progress(members.len());
    let packed = save::save(&arguments.output, arguments.force, |out| {
        let mut zip = ZipWriter::new(out);
        for member in &members {
            let options = SimpleFileOptions::default()
                .compression_method(CompressionMethod::Stored)
                .with_alignment(arguments.align)
                // The first moment that ZIP knows, whatever the files say.
                .last_modified_time(DateTime::default())
                .unix_permissions(0o644)
                .large_file(member.size >= LARGE);
            let failed = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", member.path.display()));
            zip.start_file(member.name.as_str(), options).map_err(|error| failed(error.into()))?;
            io::copy(&mut File::open(&member.path).map_err(failed)?, &mut zip).map_err(failed)?;
            progress.inc(1);
        }
        save::to_disk(zip.finish()?)
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

/// All files, in the order of their names in the archive.
fn members(arguments: &Pack) -> Result<Vec<Member>, String> {
    let output = arguments.output.canonicalize().ok();
    let mut members = Vec::new();
    for path in &arguments.paths {
        let root = if path.is_dir() { path.as_path() } else { path.parent().unwrap_or(Path::new("")) };
        for entry in WalkDir::new(path).follow_links(true) {
            let entry = match entry {
                Ok(entry) => entry,
                // A link back up: what is there has been seen.
                Err(error) if error.loop_ancestor().is_some() => continue,
                Err(error) => return Err(error.to_string()),
            };
            let is_partial = entry.file_name().to_str().is_some_and(|name| name.starts_with(".skelmap-"));
            if !entry.file_type().is_file()
                || is_partial
                || (output.is_some() && entry.path().canonicalize().ok() == output)
            {
                continue;
            }
            let name = name_of(entry.path().strip_prefix(root).unwrap_or(entry.path()))
                .ok_or_else(|| format!("{}: the name is not UTF-8, which archives have", entry.path().display()))?;
            if let Err(reason) = EntryName::new(name.as_bytes()).to_safe_path() {
                return Err(format!("{}: {reason}", entry.path().display()));
            }
            let size = entry.metadata().map_err(|error| error.to_string())?.len();
            members.push(Member { name, path: entry.into_path(), size });
        }
    }
    members.sort_by(|one, other| one.name.cmp(&other.name));
    if let Some([one, other]) = members.windows(2).find(|pair| matches!(pair, [one, other] if one.name == other.name)) {
        return Err(format!("{} and {} would both be {}", one.path.display(), other.path.display(), one.name));
    }
    if members.is_empty() { Err("there is no file to pack".to_owned()) } else { Ok(members) }
}

/// The parts of a path joined by `/`.
fn name_of(path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
    parts.map(|parts| parts.join("/"))
}
