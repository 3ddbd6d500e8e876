//! Thumbnails of many models, drawn on all cores, and their files.

use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::thumb::{Look, Subject, Thumb};
use crate::files::{self, Source};
use crate::outcome::Failure;
use crate::output::complain;
use crate::progress::Progress;
use skelmap_batch::convert::{Taken, base_of, numbered};
use skelmap_batch::save::{Saver, Work, below};

/// Thumbnails that are drawn before the first of them is given away.
const BATCH: usize = 64;

/// How thumbnails are drawn, and where their files go.
pub(crate) struct Drawing<'a> {
    pub(crate) source: &'a Source,
    pub(crate) look: Look,
    /// The paths of the arguments, below which the names of files begin.
    pub(crate) inputs: &'a [PathBuf],
    pub(crate) jobs: Option<NonZeroUsize>,
    /// The folder of the files, if they are wanted.
    pub(crate) folder: Option<&'a Path>,
    pub(crate) force: bool,
}

impl Drawing<'_> {
    pub(crate) fn prepare(&self) -> Result<(), Failure> {
        let Some(folder) = self.folder else { return Ok(()) };
        if folder.metadata().is_ok_and(|metadata| !metadata.is_dir()) {
            return Err(Failure::usage("is a file, expected a folder").in_file(folder));
        }
        fs::create_dir_all(folder).map_err(|error| Failure::not_written(error).in_file(folder))
    }

    /// Draws the thumbnails, and gives them to a function in their order, with the path of the file below the folder.
    pub(crate) fn each(
        &self,
        subjects: &[Subject<'_>],
        mut take: impl FnMut(&Thumb, &Subject<'_>, Option<PathBuf>) -> io::Result<()> + Send,
    ) -> io::Result<()> {
        let progress = Progress::of_files(subjects.len());
        let (mut taken, mut saver) = (Taken::default(), Saver::new(Work::new(b"skelmap sheet")));
        files::in_pool(self.jobs, subjects.len(), || {
            subjects.chunks(BATCH).try_for_each(|batch| {
                let draw = |subject: &Subject<'_>| {
                    let thumb = subject.draw(self.look, self.source);
                    progress.inc(1);
                    thumb
                };
                let thumbs: Vec<Thumb> = batch.par_iter().map(draw).collect();
                for (thumb, subject) in thumbs.iter().zip(batch) {
                    let saved = self.save(thumb, subject, &mut taken, &mut saver)?;
                    take(thumb, subject, saved)?;
                }
                Ok::<(), io::Error>(())
            })
        })??;
        progress.finish_and_clear();
        Ok(())
    }

    /// Writes the pictures of a thumbnail, one file for each frame of a film. Returns the path of the first.
    fn save(
        &self,
        thumb: &Thumb,
        subject: &Subject<'_>,
        taken: &mut Taken,
        saver: &mut Saver,
    ) -> io::Result<Option<PathBuf>> {
        let (Some(folder), Subject::Model(model, _)) = (self.folder, subject) else { return Ok(None) };
        // A name that cannot be that of a file has a place on the sheet, and no file.
        let Ok(base) = base_of(&model.address(), self.inputs)
            .inspect_err(|message| complain(format!("{}: no file: {message}", model.address())))
        else {
            return Ok(None);
        };
        let base = numbered(&base, taken.add(&base));
        let mut first = None;
        for (index, picture) in thumb.pictures.iter().enumerate() {
            let suffix = if self.look.frames.is_some() { format!("-{index}") } else { String::new() };
            let name = PathBuf::from(format!("{}{suffix}.png", base.display()));
            let named =
                |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", folder.join(&name).display()));
            let path = below(folder, &name, true).map_err(named)?;
            saver.save(&path, self.force, |out| out.write_all(&picture.to_png())).map_err(named)?;
            first = first.or(Some(name));
        }
        Ok(first)
    }
}
