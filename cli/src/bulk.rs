//! The work of `skelmap convert` for another program, as a function that is safe to repeat, like those of [`skelmap_batch::Work`].

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use skelmap_batch::catalogue::Shard;
use skelmap_batch::{Watch, Work};

use crate::convert::{self, Done, Event};
pub use crate::convert::{ConvertOptions, Kind, OptionError, options_of_json};
use crate::files::Source;
use crate::walking::Walking;

/// What a conversion did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conversion {
    /// Outputs that this call wrote.
    pub written: u64,
    /// Outputs that were there, made from the same files with the same options.
    pub kept: u64,
    /// Outputs for which there is nothing to write.
    pub skipped: u64,
    /// Inputs that cannot be read, and outputs that cannot be made.
    pub failures: Vec<String>,
}

/// Converts meshes with their animations into a folder, as `skelmap convert --resume --force` does. `animations`: for all meshes, in
/// place of those among the paths.
/// Each file appears complete or not at all. What is there from the same files with the same options is kept, everything else that has
/// the name of an output is replaced. Shards may share a folder.
///
/// # Errors
/// Options that contradict each other, inputs without an asset where one is asked for, a folder that cannot be written to;
/// [`Interrupted`](ErrorKind::Interrupted) if the work was stopped. An output that cannot be made is not an error:
/// [`failures`](Conversion::failures) lists it, and the next call tries again.
pub fn convert_to(
    work: &Work,
    folder: &Path,
    animations: &[PathBuf],
    options: &ConvertOptions,
    watch: &Watch,
) -> io::Result<Conversion> {
    let no_such_part = || io::Error::new(ErrorKind::InvalidInput, "expected a shard (I, N) with I from 1 to N");
    let shard = work.shard.map(|(index, count)| Shard::new(index, count).ok_or_else(no_such_part)).transpose()?;
    let (source, walking) = (Source::new(work.opener.clone(), work.parse), Walking::all());
    let conversion = convert::Conversion {
        paths: &work.paths,
        sources: &source.find_at(&work.paths, &walking)?,
        animations,
        given: &source.find_at(animations, &walking)?,
        output: folder,
        options,
        jobs: work.jobs,
        resume: true,
        force: true,
        shard,
    };
    let mut done = Conversion::default();
    convert::convert(&conversion, &source, Some(watch), &mut |event| {
        match event {
            Event::Unread(unread) if work.all_readable && unread.is_unreadable => {
                return Err(io::Error::other(format!("{}: {}", unread.address, unread.message)));
            }
            Event::Unread(unread) => done.failures.push(format!("{}: {}", unread.address, unread.message)),
            Event::Output(row) => match &row.done {
                Ok(Done::Written { .. }) => done.written += 1,
                Ok(Done::Kept) => done.kept += 1,
                Ok(Done::Skipped) => done.skipped += 1,
                Err(message) => done.failures.push(format!("{}: {message}", row.address)),
            },
            Event::Missing(message) => done.failures.push(message),
            Event::Begin { .. } | Event::Unwritable => {}
        }
        Ok(())
    })?;
    Ok(done)
}
