//! Conversions: meshes with their animations as glTF, OBJ or pages. `command` has the arguments of `skelmap convert`; the rest knows none, so
//! that `view`, `bulk` and Python use it too.

mod command;
mod converter;
mod error;
mod hierarchy;
mod images;
pub(crate) mod jobs;
pub(crate) mod names;
mod near;
mod options;
mod output;
mod record;
mod rows;
mod target;
mod textures;

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use skelmap_batch::catalogue::Shard;
use skelmap_batch::items::Sources;
use skelmap_batch::{Run, Watch};

pub(crate) use self::command::{Convert, run};
use self::converter::Converter;
pub(crate) use self::converter::{Converted, Done, position};
use self::hierarchy::Skeletons;
use self::jobs::{Job, Joining, Unread, join, survey};
pub(crate) use self::names::stem;
pub use self::options::{ConvertOptions, Kind, OptionError, options_of_json};
use self::record::{Record, settings};
pub(crate) use self::rows::fields;
use self::target::Target;
use self::textures::Textures;
use crate::files::Source;
use crate::outcome::Failure;
use crate::progress::Bar;
use crate::save::Work;
use crate::text::counted;

/// What is converted, where to, and how.
pub(crate) struct Conversion<'c> {
    /// The paths that lead to the sources, below which the names of outputs begin.
    pub(crate) paths: &'c [PathBuf],
    pub(crate) sources: &'c Sources,
    /// Animations for all meshes, in place of those among the sources: the paths, and what they lead to.
    pub(crate) animations: &'c [PathBuf],
    pub(crate) given: &'c Sources,
    /// A folder, a file, or - for standard output.
    pub(crate) output: &'c Path,
    pub(crate) options: &'c ConvertOptions,
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Whether outputs are kept that an earlier run has made of the same files with the same options.
    pub(crate) resume: bool,
    /// Whether outputs that exist are replaced.
    pub(crate) force: bool,
    /// A part of the outputs.
    pub(crate) shard: Option<Shard>,
}

/// What a conversion says as it goes.
pub(crate) enum Event<'e> {
    Unread(&'e Unread),
    /// The outputs are known, and the first of them is about to be written. `is_silent`: standard output has the file.
    Begin {
        is_silent: bool,
    },
    Output(&'e Converted),
    /// Something that the arguments ask for and that is not there.
    Missing(String),
    /// An output could not be written: the disk is full, or the folder is read-only.
    Unwritable,
}

/// Takes what a conversion says.
pub(crate) type Listener<'l> = dyn FnMut(Event<'_>) -> io::Result<()> + Send + 'l;

/// Converts, and returns the number of animations that no mesh plays. `watch`: shows no progress, and can be stopped.
pub(crate) fn convert(
    conversion: &Conversion<'_>,
    source: &Source,
    watch: Option<&Watch>,
    listener: &mut Listener<'_>,
) -> Result<usize, Failure> {
    let Conversion { paths, sources, animations, given, output, options, jobs, resume, force, shard } = *conversion;
    let target = Target::new(output, options.to)?;
    if options.frame.is_some() && target.kind() != Kind::Obj {
        return Err(Failure::usage("--frame is for OBJ: glTF has all frames"));
    }
    if options.each_clip && !target.is_folder() {
        return Err(Failure::usage("--each-clip writes several files: name a folder with -o"));
    }
    if resume && !target.is_folder() {
        return Err(Failure::usage("--resume goes on in a folder of outputs: name a folder with -o"));
    }
    let textures = options.textures.then(|| Textures::new(source, &options.images));
    let textures = textures.transpose().map_err(Failure::nothing_read)?;
    let skeletons = options.skeleton.as_deref().map(Skeletons::read).transpose()?;
    let (found, unread) = survey(sources, paths, jobs, source, watch)?;
    let (of_animations, unread_animations) = survey(given, animations, jobs, source, watch)?;
    for unread in unread.iter().chain(&unread_animations) {
        listener(Event::Unread(unread))?;
    }
    if !animations.is_empty() && of_animations.is_empty() {
        return Err(Failure::nothing_read("--anim: no animation can be read"));
    }
    let mut plan =
        join(&found, &of_animations, Joining { inputs: paths, min_percent: options.min_percent, jobs }, source)?;
    if plan.jobs.len() > 1 && !target.is_folder() {
        let files = counted(plan.jobs.len() as u64, "file");
        let alone = plan.jobs.iter().filter(|job| job.mesh().is_none()).map(|job| job.first().address()).next();
        let why = match alone.filter(|_| plan.jobs.iter().any(|job| job.mesh().is_some())) {
            Some(alone) => {
                format!(", because {alone} is an animation of another family than the mesh: leave it out, or")
            }
            None => ":".to_owned(),
        };
        return Err(Failure::usage(format!("{files} would be written{why} name a folder with -o")));
    }
    if let Some(shard) = shard {
        let mut is_kept = shard.choose(plan.jobs.iter().map(Job::size_hint).collect()).into_iter();
        plan.jobs.retain(|_| is_kept.next() == Some(true));
    }
    let record = match &target {
        Target::Folder(folder, _) => Some(Record::read(folder, shard)),
        Target::File(..) | Target::Stdout(_) => None,
    };
    let is_silent = matches!(target, Target::Stdout(_));
    let converter = Converter {
        source,
        options,
        settings: settings(options, &source.parse),
        inputs: paths,
        target,
        textures,
        skeletons,
        resume,
        force,
        is_unwritable: AtomicBool::default(),
        work: Work::new(shard.map(|shard| shard.to_string()).unwrap_or_default().as_bytes()),
        record,
        found_sequences: Mutex::default(),
    };
    converter.remove_orphans(&plan.jobs);
    listener(Event::Begin { is_silent })?;
    let work = |job: &Job<'_>| converter.convert(job);
    let bar = Bar::default();
    let own = bar.watch();
    let run = Run { jobs, watch: Some(watch.unwrap_or(&own)) };
    run.jobs(&plan.jobs, work, |rows: Vec<Converted>| {
        bar.suspend(|| rows.iter().try_for_each(|row| listener(Event::Output(row))))
    })?;
    bar.finish();
    if converter.is_unwritable.into_inner() {
        listener(Event::Unwritable)?;
    }
    let unused_textures: Vec<String> = converter.textures.iter().flat_map(Textures::unused).map(Into::into).collect();
    let found = converter.found_sequences.into_inner().unwrap_or_else(PoisonError::into_inner);
    for sequence in options.sequences.iter().filter(|sequence| shard.is_none() && !found.contains(*sequence)) {
        listener(Event::Missing(format!("--sequence: no animation has a sequence {sequence}")))?;
    }
    for material in unused_textures.iter().filter(|_| shard.is_none()) {
        listener(Event::Missing(format!("--texture: no mesh has a material {material}")))?;
    }
    for (animation, why) in plan.refused.iter().filter(|_| shard.is_none()) {
        listener(Event::Missing(format!("{animation}: left out: {why}")))?;
    }
    Ok(plan.unused)
}
