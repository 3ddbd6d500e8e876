//! `skelmap sheet`: thumbnails of many models in one picture, or as files.

mod drawing;
mod grid;
mod label;
mod thumb;

use std::path::PathBuf;

use clap::Args;
use clap::builder::RangedU64ValueParser;
use skelmap::archive::Address;

pub(crate) use self::drawing::Drawing;
use self::grid::Grid;
pub(crate) use self::thumb::{Look, Subject, Thumb};
use crate::arguments::{CanPlay, Inputs, place};
use crate::files::{self, Source, count_unread};
use crate::messages::summarize;
use crate::outcome::{Ended, Failure, Outcome, Tally};
use crate::output::complain;
use crate::progress::Progress;
use crate::sink::Sink;
use crate::text::counted;
use skelmap_batch::convert::{Found, Unread, join, survey};

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
bone (Pyrogenesis, whose bones have no parents), or the axes of each bone in rows (SWAT 3, where places are not known). Materials have \
colours, no textures. A film shows frames of the first sequence that fits, evenly from the first frame to the last.

Models of ActorX are seen from the front right; those of 0 A.D. too. Points far away from all others do not make a model small.

The exit status is 1 if a file cannot be read or drawn, or if an animation that is named cannot play on a mesh. Findings of the check do not count.")]
pub(crate) struct Sheet {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// The picture, a PNG file; - is standard output.
    #[arg(short, long, value_name = "FILE", required_unless_present = "thumbs")]
    output: Option<PathBuf>,
    /// Write each thumbnail as a PNG file into this folder, named as `convert` names its outputs. They are transparent.
    #[arg(long, value_name = "DIR")]
    thumbs: Option<PathBuf>,
    /// Draw N frames of an animation in place of one picture at rest.
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u32>::new().range(1..=64))]
    film: Option<u32>,
    /// Animations for all meshes, in place of those among PATH: files, folders or archives; can be given several times.
    #[arg(long, value_name = "PATH", requires = "film", value_parser = place())]
    anim: Vec<PathBuf>,
    #[command(flatten)]
    playing: CanPlay,
    /// Draw animations beside the meshes too.
    #[arg(long)]
    all: bool,
    /// Pixels of each edge of a picture.
    #[arg(long, value_name = "N", default_value_t = 160, value_parser = RangedU64ValueParser::<u32>::new().range(16..=2048))]
    size: u32,
    /// Models in a row of the sheet [default: so that the sheet is a little wider than high].
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u32>::new().range(1..=1024))]
    columns: Option<u32>,
    /// Light letters on a dark sheet.
    #[arg(long)]
    dark: bool,
    /// Replace outputs that exist.
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(arguments: &Sheet, source: &Source) -> Ended {
    let sink = arguments.output.as_deref().map(|output| Sink::new(Some(output)));
    if let Some(sink) = sink {
        sink.check_extension(&["png"], "expected a name in .png")?;
        sink.check_binary("-o sheet.png")?;
        sink.check(arguments.force, &arguments.inputs.paths)?;
    }
    let sources = files::find(source, &arguments.inputs)?;
    let given = files::find_at(source, &arguments.anim, &arguments.inputs.walking)?;
    let look_at =
        |sources, paths| survey(sources, paths, arguments.inputs.jobs, source, Some(&Progress::of_run().watch()));
    let (found, unread) = look_at(&sources, arguments.inputs.paths.as_slice())?;
    let (of_animations, unread_animations) = look_at(&given, arguments.anim.as_slice())?;
    let mut refused = Vec::new();
    let subjects = subjects(arguments, &found, &of_animations, &unread, &mut refused, source)?;
    let mut tally = Tally::default();
    for unread in unread.iter().chain(&unread_animations) {
        count_unread(&mut tally, unread);
    }
    if subjects.is_empty() {
        return Err(Failure::nothing_read("no model found"));
    }
    if tally.unreadable == subjects.len() as u64 {
        return Ok(Outcome::of(tally));
    }
    let drawing = Drawing {
        source,
        look: Look { size: arguments.size, frames: arguments.film },
        inputs: &arguments.inputs.paths,
        jobs: arguments.inputs.jobs,
        folder: arguments.thumbs.as_deref(),
        force: arguments.force,
    };
    drawing.prepare()?;
    let mut count = |thumb: &Thumb, subject: &Subject<'_>| match (subject, &thumb.faults) {
        (Subject::Bad(_), _) => {}
        (Subject::Model(model, _), Some((_, message))) if thumb.pictures.is_empty() => {
            tally.count(true, false);
            complain(format!("{}: {message}", model.address()));
        }
        _ => tally.count(false, false),
    };
    let mut lost = 0;
    match sink {
        Some(sink) => {
            let grid = grid(arguments, subjects.len(), drawing.look)?;
            let draw = |out| {
                grid.write(out, |sheet| {
                    drawing.each(&subjects, |thumb, subject, _| {
                        count(thumb, subject);
                        sheet.add(thumb)
                    })
                })
            };
            sink.write(arguments.force, draw)?;
        }
        None => drawing
            .each(&subjects, |thumb, subject, file| {
                let is_lost = matches!(subject, Subject::Model(..)) && file.is_none() && !thumb.pictures.is_empty();
                if is_lost {
                    lost += 1;
                } else {
                    count(thumb, subject);
                }
                Ok(())
            })
            .map_err(Failure::not_written)?,
    }
    (0..lost).for_each(|_| tally.count(true, false));
    for (animation, why) in &refused {
        complain(format!("{animation}: left out: {why}"));
    }
    summarize(format!("{} drawn, {} failed", counted(tally.files - tally.bad, "model"), tally.bad));
    let outcome = Outcome::of(tally);
    Ok(if refused.is_empty() { outcome } else { outcome.max(Outcome::Findings) })
}

/// What the sheet shows, bad files first.
fn subjects<'s>(
    arguments: &Sheet,
    found: &'s [Found<'s>],
    given: &'s [Found<'s>],
    unread: &'s [Unread],
    refused: &mut Vec<(Address, String)>,
    source: &Source,
) -> Result<Vec<Subject<'s>>, Failure> {
    let mut subjects: Vec<Subject<'s>> = unread.iter().map(Subject::Bad).collect();
    let has_mesh = found.iter().any(|found| found.format.is_mesh());
    if arguments.film.is_some() && has_mesh {
        let Inputs { paths, jobs, .. } = &arguments.inputs;
        let plan = join(found, given, paths, arguments.playing.min_percent, *jobs, source)?;
        for (path, fault) in &plan.faults {
            complain(format!("{}: {}", path.display(), fault.message));
        }
        refused.extend(plan.refused);
        let jobs = plan.jobs.iter().filter(|job| arguments.all || job.mesh.is_some());
        subjects.extend(jobs.map(|job| Subject::Model(job.first, job.mesh.and(job.animations.first().copied()))));
    } else {
        let shown = found.iter().filter(|found| arguments.all || !has_mesh || found.format.is_mesh());
        subjects.extend(shown.map(|found| Subject::Model(found, None)));
    }
    Ok(subjects)
}

/// Where the thumbnails lie on the sheet.
fn grid(arguments: &Sheet, count: usize, look: Look) -> Result<Grid, Failure> {
    let fitting = u32::try_from(count).ok().filter(|_| count <= MAX_THUMBS);
    let grid = fitting.map(|count| Grid::new(count, look, arguments.columns, arguments.dark));
    let grid = grid.filter(|grid| grid.size().0 <= MAX_EDGE && grid.size().1 <= MAX_EDGE);
    let models = counted(count as u64, "model");
    grid.ok_or_else(|| Failure::usage(format!("{models} are too many for one picture of this size: use --thumbs")))
}
