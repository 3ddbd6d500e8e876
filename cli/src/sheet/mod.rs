//! `skelmap sheet`: thumbnails of many models in one picture, or as files.

mod grid;
mod thumb;

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::RangedU64ValueParser;
use rayon::prelude::*;

use self::grid::Grid;
pub(crate) use self::thumb::{Look, Thumb};
use crate::arguments::{Inputs, Members, Textures, local, place};
use crate::files::{self, Source, count_unread};
use crate::messages::summarize;
use crate::outcome::{Ended, Failure, Outcome, Tally, Unmade};
use crate::output::{Output, complain};
use crate::progress::Progress;
use crate::sink::Sink;
use crate::text::counted;
use skelmap_batch::convert::{Cause, Job, OutputError, Painter, join};
use skelmap_batch::names::{Roots, Taken, numbered};
use skelmap_batch::originals::Originals;
use skelmap_batch::pair::{Dress, Faults, Found, Member, dresses, survey};
use skelmap_batch::place::Place;
use skelmap_batch::save::{Saver, Work};
use skelmap_batch::unfinished::create_folders;

/// The most thumbnails of a sheet: no program shows a larger picture.
const MAX_THUMBS: usize = 1 << 14;

/// The most pixels along an edge of a sheet.
const MAX_EDGE: u32 = 65_500;

/// Draw a thumbnail of each model: onto one contact sheet, or into a folder.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap sheet mods/ -o sheet.png
  skelmap sheet horse.pmd gallop.psa --film 8 -o gallop.png
  skelmap sheet public.zip --thumbs thumbs/ --size 256

The sheet has a thumbnail of each mesh, with its name, its counts, and the errors and warnings of the check; files that cannot be read \
come first, with the reason in red. Where there is no mesh, the animations are drawn: a line for each bone (ActorX), a cross for each \
bone (Pyrogenesis, whose bones have no parents), or the axes of each bone in rows (SWAT 3, where places are not known). Meshes \
wear the textures that `convert` gives them, in a build with the feature textures; other materials have colours. A film shows frames of the first \
sequence that fits, evenly from the first frame to the last. With -o and one mesh that PATH names, the other PATHs are searched for its \
animations.

Models are seen from the front and the right, as far as the file tells: games turn theirs. Points far away from all others do not make a model small.

The exit status is 1 if a file cannot be read or drawn, or if an animation that is named cannot play on a mesh. Findings of the check do not count.")]
pub(crate) struct Sheet {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// The picture, a PNG file; - is standard output.
    #[arg(short, long, value_name = "FILE", required_unless_present = "thumbs", value_parser = local())]
    output: Option<PathBuf>,
    /// Write each thumbnail as a PNG file into this folder, named as `convert` names its outputs. They are transparent.
    #[arg(long, value_name = "DIR", value_parser = local())]
    thumbs: Option<PathBuf>,
    /// Draw N frames of an animation in place of one picture at rest.
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u32>::new().range(1..=64))]
    film: Option<u32>,
    /// The sequence or action of the film [default: the first one that fits].
    #[arg(long, value_name = "NAME", requires = "film")]
    sequence: Option<String>,
    /// Animations for all meshes, in place of those among PATH: files, folders or archives; can be given several times.
    #[arg(long, value_name = "PATH", requires = "film", value_parser = place())]
    anim: Vec<PathBuf>,
    #[command(flatten)]
    playing: Members,
    #[command(flatten)]
    textures: Textures,
    /// Draw animations beside the meshes too.
    #[arg(long)]
    animations: bool,
    /// Pixels of each edge of a picture.
    #[arg(long, value_name = "N", default_value_t = 160, value_parser = RangedU64ValueParser::<u32>::new().range(16..=2048))]
    size: u32,
    /// Models in a row of the sheet [default: so that the sheet is a little wider than high].
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u32>::new().range(1..=1024))]
    per_row: Option<u32>,
    /// Light letters on a dark sheet.
    #[arg(long)]
    dark: bool,
    /// Replace outputs that exist.
    #[arg(long)]
    force: bool,
}

/// A mesh, with the animations of which a film shows one; or an animation alone.
pub(crate) struct Model<'s> {
    pub(crate) found: &'s Found<'s>,
    pub(crate) animations: &'s [Member<'s>],
    pub(crate) dress: Dress,
}

impl<'s> Model<'s> {
    fn of_job(job: &'s Job<'_>) -> Self {
        let animations = job.mesh.map_or(&[][..], |_| &job.animations);
        Self { found: job.first, animations, dress: job.dress.clone() }
    }
}

/// The models of files without animations for them: all, or only the meshes if there are any.
pub(crate) fn models<'s>(
    found: &'s [Found<'s>],
    is_all: bool,
    jobs: Option<NonZeroUsize>,
    source: &Source,
) -> io::Result<Vec<Model<'s>>> {
    let meshes: Vec<_> = found.iter().filter(|found| found.format.is_mesh()).collect();
    let (dresses, faults) = dresses(&meshes, jobs, source)?;
    complain_of_mods(&faults);
    let mut dressed = dresses.into_iter();
    let is_all = is_all || meshes.is_empty();
    let model = |found: &'s Found<'s>| {
        let dress = if found.format.is_mesh() { dressed.next() } else { None };
        Model { found, animations: &[], dress: dress.unwrap_or_default() }
    };
    Ok(found.iter().filter(|found| is_all || found.format.is_mesh()).map(model).collect())
}

fn complain_of_mods(faults: &Faults) {
    for (path, fault) in faults {
        complain(format!("{}: {}", path.display(), fault.message));
    }
}

pub(crate) fn run(arguments: &Sheet, source: &Source) -> Ended {
    let Sheet {
        inputs,
        output,
        thumbs,
        film,
        sequence,
        anim,
        playing,
        textures,
        animations,
        size,
        per_row,
        dark,
        force,
    } = arguments;
    let sink = output.as_deref().map(|output| Sink::new(Some(output)));
    let read = [inputs.paths.as_slice(), anim, &textures.to_paths()].concat();
    if let Some(sink) = sink {
        sink.check_extension(&["png"], "expected a name in .png")?;
        sink.check_binary("-o sheet.png")?;
        sink.check_picture(*force, &read)?;
    }
    let sources = files::find(source, inputs)?;
    let given = files::find_anim(source, anim, &inputs.choosing)?;
    let look_at = |sources, paths| survey(sources, paths, inputs.jobs, source, Some(&Progress::of_run().watch()));
    let (found, unread) = look_at(&sources, inputs.paths.as_slice())?;
    let roots = Roots::new(&inputs.paths);
    let (of_animations, unread_animations) = look_at(&given, anim.as_slice())?;
    let mut refused = Vec::new();
    let jobs;
    let models: Vec<Model<'_>> = if film.is_some() && found.iter().any(|found| found.format.is_mesh()) {
        let plan = join(
            &found,
            &of_animations,
            &roots,
            &mut Taken::default(),
            &playing.to_wanted(output.is_some() && !animations),
            inputs.jobs,
            source,
        )?;
        complain_of_mods(&plan.faults);
        refused = plan.refused;
        jobs = plan.jobs;
        let drawn = jobs.iter().filter(|job| *animations || job.mesh.is_some());
        drawn.map(Model::of_job).collect()
    } else {
        models(&found, *animations, inputs.jobs, source)?
    };
    let mut tally = Tally::default();
    unread.iter().chain(&unread_animations).for_each(|unread| count_unread(&mut tally, unread));
    let count = unread.len() + models.len();
    if count == 0 {
        return Err(Failure::nothing_read("no model found"));
    }
    if tally.unreadable == count as u64 {
        return Ok(Outcome::of(tally));
    }
    let drawing = Drawing {
        source,
        look: Look { size: *size, frames: *film },
        sequence: sequence.as_deref(),
        roots: &roots,
        jobs: inputs.jobs,
        folder: thumbs.as_deref(),
        inner: Path::new(""),
        originals: Originals::new(read),
        force: *force,
        painter: Painter::new(source, &textures.to_options(), *size)?,
    };
    drawing.prepare()?;
    let mut unmade = Unmade::default();
    let mut add = |thumb: &Thumb, model: &Found<'_>, saved: Result<Option<PathBuf>, OutputError>| {
        let saved = saved.inspect_err(|error| unmade.add(&model.address(), error, false));
        tally.count(saved.is_err() || thumb.pictures.is_empty(), false);
        if let (true, Some((_, message))) = (thumb.pictures.is_empty(), &thumb.faults) {
            complain(format!("{}: {message}", model.address()));
        }
        Ok(())
    };
    let drawn = if let Some(sink) = sink {
        let grid = grid(count, drawing.look, *per_row, *dark)?;
        let draw = |sheet: &mut grid::Sheet<'_, &mut Output>| {
            unread.iter().try_for_each(|unread| sheet.add(&Thumb::of_unread(unread)))?;
            drawing.each(&models, |thumb, model, saved| {
                add(thumb, model, saved)?;
                sheet.add(thumb)
            })
        };
        sink.write(*force, |out| grid.write(out, draw))
    } else {
        drawing.each(&models, add).map_err(Failure::not_written)
    };
    unmade.tell(false);
    drawn?;
    for (animation, why) in &refused {
        complain(format!("{animation}: left out: {why}"));
    }
    summarize(format!("{} drawn, {} failed", counted(tally.files - tally.bad, "model"), tally.bad));
    let outcome = Outcome::of(tally).max(unmade.outcome());
    Ok(if refused.is_empty() { outcome } else { outcome.max(Outcome::Findings) })
}

/// The places of so many thumbnails on a sheet.
fn grid(count: usize, look: Look, per_row: Option<u32>, is_dark: bool) -> Result<Grid, Failure> {
    let grid = u32::try_from(count).ok().filter(|_| count <= MAX_THUMBS);
    let grid = grid.map(|count| Grid::new(count, look, per_row, is_dark));
    grid.filter(|grid| grid.size().0 <= MAX_EDGE && grid.size().1 <= MAX_EDGE).ok_or_else(|| {
        let models = counted(count as u64, "model");
        Failure::usage(format!("{models} are too many for one picture of this size: use --thumbs"))
    })
}

/// Thumbnails that are drawn before the first of them is given away.
const BATCH: usize = 64;

/// How thumbnails are drawn, and where their files go.
pub(crate) struct Drawing<'a> {
    pub(crate) source: &'a Source,
    pub(crate) look: Look,
    /// The sequence or action of a film; none for the first.
    pub(crate) sequence: Option<&'a str>,
    /// The paths of the arguments, below which the names of files begin.
    pub(crate) roots: &'a Roots,
    pub(crate) jobs: Option<NonZeroUsize>,
    /// The folder of the files, if they are wanted.
    pub(crate) folder: Option<&'a Path>,
    /// The folder in it that has the files, or nothing.
    pub(crate) inner: &'a Path,
    /// What no thumbnail replaces.
    pub(crate) originals: Originals,
    pub(crate) force: bool,
    pub(crate) painter: Painter,
}

impl Drawing<'_> {
    pub(crate) fn prepare(&self) -> Result<(), Failure> {
        let Some(folder) = self.folder else { return Ok(()) };
        if folder.metadata().is_ok_and(|metadata| !metadata.is_dir()) {
            return Err(Failure::usage("is a file, expected a folder").in_file(folder));
        }
        create_folders(folder).map_err(|error| Failure::not_written(error).in_file(folder))
    }

    /// Draws the thumbnails, and gives them to a function in their order, with the path of the file below the folder. A full disk ends the work.
    pub(crate) fn each(
        &self,
        models: &[Model<'_>],
        mut take: impl FnMut(&Thumb, &Found<'_>, Result<Option<PathBuf>, OutputError>) -> io::Result<()> + Send,
    ) -> io::Result<()> {
        let progress = Progress::of_files(models.len());
        let (mut taken, mut saver) = (Taken::default(), Saver::new(Work::new(b"skelmap sheet")));
        files::in_pool(self.jobs, models.len(), || {
            models.chunks(BATCH).try_for_each(|batch| {
                let draw = |model: &Model<'_>| {
                    let thumb = Thumb::draw(model, self);
                    progress.inc(1);
                    thumb
                };
                let thumbs: Vec<Thumb> = batch.par_iter().map(draw).collect();
                thumbs.iter().zip(batch).try_for_each(|(thumb, model)| {
                    let saved = self.save(thumb, model.found, &mut taken, &mut saver);
                    let is_full = saved.as_ref().is_err_and(|error| error.cause == Cause::Full);
                    take(thumb, model.found, saved)?;
                    if is_full { Err(io::Error::other("the disk is full")) } else { Ok(()) }
                })
            })
        })??;
        progress.finish_and_clear();
        Ok(())
    }

    /// Writes the pictures of a thumbnail, one file for each frame of a film. Returns the path of the first.
    fn save(
        &self,
        thumb: &Thumb,
        model: &Found<'_>,
        taken: &mut Taken,
        saver: &mut Saver,
    ) -> Result<Option<PathBuf>, OutputError> {
        let Some(folder) = self.folder else { return Ok(None) };
        let base = self.roots.base_of(&model.address());
        let base = base.map_err(|error| OutputError::of("no file", &io::Error::other(error.to_string())))?;
        let base = numbered(&base, taken.add(&base));
        let mut first = None;
        for (index, picture) in thumb.pictures.iter().enumerate() {
            let suffix = if self.look.frames.is_some() { format!("-{index}") } else { String::new() };
            let name = PathBuf::from(format!("{}{suffix}.png", base.display()));
            let named = |error: io::Error| OutputError::of_place(folder.join(self.inner).join(&name).display(), &error);
            let place = Place::below(folder, &self.inner.join(&name)).map_err(named)?;
            self.originals.check_picture(place.path()).map_err(named)?;
            saver.save(&place, self.force, |out| out.write_all(&picture.to_png())).map_err(named)?;
            first = first.or(Some(name));
        }
        Ok(first)
    }
}
