//! Conversions: meshes with their animations as glTF, OBJ or pages.

mod actors;
mod asked;
mod attached;
mod converter;
mod decoded;
mod error;
mod images;
mod jobs;
mod library;
mod materials;
mod near;
mod options;
mod output;
mod painter;
mod prepare;
mod props;
mod rows;
mod sets;
mod tables;
mod target;
mod textures;

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::catalogue::Shard;
use crate::items::{Fault, Sources};
use crate::names::{Roots, Taken};
use crate::originals::Originals;
use crate::text::first_names;
use crate::{Run, Watch};
use skelmap::archive::Address;

use self::actors::Cast;
use self::asked::Asked;
pub use self::converter::{Converted, Done, Output, position};
use self::converter::{Converter, Planner, read_skeletons};
pub use self::error::{Cause, ConvertError, OutputError};
pub use self::jobs::{Job, Plan, join};
use self::library::share;
pub use self::options::{AnimationFiles, ConvertOptions, Kind, OptionError, options_of_json};
pub use self::painter::{Clothes, Painter};
pub use self::rows::fields;
pub use self::sets::{Set, Sets};
use self::tables::read_table;
use self::target::Target;
use self::textures::Textures;
use crate::mods::Mods;
use crate::pair::{Unread, Wanted, survey};
use crate::record::{Record, settings};
use crate::{Source, save};

/// What is converted, where to, and how.
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "the caller makes it")]
pub struct Conversion<'c> {
    /// The paths that lead to the sources, below which the names of outputs begin.
    pub paths: &'c [PathBuf],
    /// The assets.
    pub sources: &'c Sources,
    /// Animations for all meshes, in place of those among the sources: the paths, and what they lead to.
    pub animations: &'c [PathBuf],
    /// The assets among them.
    pub given: &'c Sources,
    /// A folder, a file, or - for standard output.
    pub output: &'c Path,
    /// The choices.
    pub options: &'c ConvertOptions,
    /// The number of threads.
    pub jobs: Option<NonZeroUsize>,
    /// Whether nothing is written, and each output is only [`Done::Planned`].
    pub dry_run: bool,
    /// Whether outputs are kept that an earlier run has made of the same files with the same options.
    pub resume: bool,
    /// Which files are replaced.
    pub replace: Replace,
    /// A part of the outputs.
    pub shard: Option<Shard>,
}

/// Which files an output may replace. The files of outputs that [`Conversion::resume`] makes again are replaced as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "nothing lies between these")]
pub enum Replace {
    /// None.
    #[default]
    Nothing,
    /// Pages, which are made again from their models.
    Pages,
    /// Any, but for inputs.
    Everything,
}

/// What a conversion says as it goes.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'e> {
    /// An input that cannot be read.
    Unread(&'e Unread),
    /// The outputs are known, and the first of them is about to be written.
    Begin {
        /// Whether standard output has the file.
        is_silent: bool,
    },
    /// A result.
    Output(&'e Converted),
    /// Something that the arguments ask for and that is not there.
    Missing(Missing<'e>),
    /// The outputs are made of far more bytes than the inputs have, because many have the same files. Said before the first is written.
    Large {
        /// The bytes of the inputs of each output, together.
        made: u64,
        /// The bytes of the inputs.
        read: u64,
    },
    /// An actor that has no output, and why.
    NoOutput(&'e str),
    /// A mod that cannot be opened, whose skeletons are not known.
    Mod(&'e Path, &'e Fault),
}

/// Something that the options or inputs name, and that no output has.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Missing<'e> {
    /// A sequence, and the sequences that there are, in words.
    #[error("no animation has a sequence {0}{known}", known = in_brackets(.1))]
    Sequence(&'e str, &'e str),
    /// A sequence that has a new name, and the sequences that there are.
    #[error("no animation has a sequence {0}{known}", known = in_brackets(.1))]
    Renamed(&'e str, &'e str),
    /// More names of sequences that do not exist.
    #[error("{0} more names of sequences that no animation has")]
    Others(usize),
    /// An image that cannot be used, and why.
    #[error("{0}: {1}")]
    Image(&'e Path, &'e str),
    /// A folder of images that has none for a material.
    #[error("{0}: no image has the name of a material")]
    Folder(&'e Path),
    /// Materials that images are for.
    #[error("no mesh has a material {0}")]
    Materials(&'e str),
    /// An animation that no mesh plays, and why.
    #[error("{0}: left out: {1}")]
    Animation(&'e Address, &'e str),
}

fn in_brackets(names: &str) -> String {
    if names.is_empty() { String::new() } else { format!(" ({names})") }
}

/// A run is told of as large if its outputs are made of so many times the bytes of the inputs, and of so many bytes. Real mods have 1.5 times.
const MANY: u64 = 4;
const MIN_MANY: u64 = 256 << 20;

/// A run is refused whose outputs are made of so many times the bytes of the inputs, and of so many bytes: a small archive can name a large
/// animation a million times.
const MAX_MANY: u64 = 64;
const MAX_MADE: u64 = 16 << 30;

/// Takes what a conversion says.
pub type Listener<'l> = dyn FnMut(Event<'_>) -> io::Result<()> + Send + 'l;

/// What no output replaces.
fn originals(conversion: &Conversion<'_>, textures: Option<&Textures>) -> Originals {
    let Conversion { paths, animations, options, .. } = *conversion;
    let tables = [&options.texture_map, &options.rename, &options.skeleton].into_iter().flatten();
    let read = paths.iter().chain(animations).chain(tables).chain(&options.texture_folders).cloned();
    let images = textures.into_iter().flat_map(Textures::given_images).map(|image| image.path().to_owned());
    Originals::new(read.chain(images))
}

/// The options for the record. The kind that the output's name says is the same choice as one that is asked for.
fn settings_of(options: &ConvertOptions, kind: Kind, source: &Source) -> String {
    let files = [&options.skeleton, &options.texture_map, &options.rename];
    settings(&ConvertOptions { to: Some(kind), ..options.clone() }, files.into_iter().flatten(), &source.parse)
}

/// Converts, and returns the animations that no mesh plays.
///
/// # Errors
/// Options that contradict each other or the output; an input that the options name and that cannot be read; the error of the listener.
pub fn convert(
    conversion: &Conversion<'_>,
    source: &Source,
    watch: Option<&Watch>,
    listener: &mut Listener<'_>,
) -> Result<Vec<Address>, ConvertError> {
    let Conversion { paths, sources, animations, given, output, options, jobs, shard, .. } = *conversion;
    let target = Target::new(output, options.to)?;
    check(conversion, &target)?;
    let roots = Roots::new(paths).with(animations).with(&options.texture_folders);
    let textures = options.textures.then(|| Textures::new(source, options)).transpose()?;
    let renamed = options.rename.as_deref().map(read_table).transpose()?.unwrap_or_default();
    let skeletons = options.skeleton.as_deref().map(|path| read_skeletons(path, source)).transpose()?;
    let has_actors = !options.actors.is_empty();
    let is_library = options.animation_files == AnimationFiles::Library;
    let (found, unread) = if has_actors { Default::default() } else { survey(sources, paths, jobs, source, watch)? };
    let (of_animations, unread_animations) = survey(given, animations, jobs, source, watch)?;
    for unread in unread.iter().chain(&unread_animations) {
        listener(Event::Unread(unread))?;
    }
    if !animations.is_empty() && of_animations.is_empty() {
        return Err(ConvertError::NoAnimation);
    }
    let mut taken = Taken::default();
    if target.is_folder() && target.kind() == Kind::Html {
        // The index of the pages.
        taken.add(Path::new("index"));
    }
    let wanted = Wanted { level: options.fits, min_percent: options.min_percent, is_one: !target.is_folder() };
    let mods = has_actors.then(|| Mods::open(paths, &source.opener, &source.limits)).transpose();
    let mods = mods.map_err(|(path, fault)| ConvertError::Mod { path, fault })?;
    let cast = mods.as_ref().map(|mods| Cast::of(mods, options, source, jobs)).transpose()?;
    let mut plan = match &cast {
        Some(cast) => cast.plan(&mut taken),
        None => join(&found, &of_animations, &roots, &mut taken, &wanted, jobs, source)?,
    };
    if is_library {
        share(&mut plan.jobs, &roots, &mut taken);
    }
    for why in cast.iter().flat_map(Cast::broken) {
        listener(Event::NoOutput(why))?;
    }
    for (path, fault) in &plan.faults {
        listener(Event::Mod(path, fault))?;
    }
    if plan.jobs.len() > 1 && !target.is_folder() {
        let alone = plan.jobs.iter().find(|job| job.mesh.is_none()).map(|job| job.first.address());
        let alone = alone.filter(|_| plan.jobs.iter().any(|job| job.mesh.is_some()));
        return Err(ConvertError::ManyIntoFile { files: plan.jobs.len() as u64, alone });
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
        originals: originals(conversion, textures.as_ref()),
        conversion,
        options,
        settings: settings_of(options, target.kind(), source),
        roots,
        target,
        textures,
        skeletons,
        asked: Asked::new(&options.sequences, renamed),
        work: save::Work::new(shard.map(|shard| shard.to_string()).unwrap_or_default().as_bytes()),
        record,
    };
    if conversion.dry_run {
        listener(Event::Begin { is_silent: false })?;
        Planner::new(&converter).tell(&plan.jobs, listener)?;
        if shard.is_none() {
            converter.asked.tell_missing(listener)?;
        }
        return Ok(plan.unused);
    }
    let (made, read) = plan.bytes();
    if made > MAX_MADE.max(read.saturating_mul(MAX_MANY)) {
        return Err(ConvertError::TooLarge { made, read });
    }
    if converter.target.is_folder() && made > MIN_MANY && made > read.saturating_mul(MANY) {
        listener(Event::Large { made, read })?;
    }
    converter.remove_orphans(&plan.jobs);
    listener(Event::Begin { is_silent })?;
    let is_full = |row: &Converted| row.done.as_ref().is_err_and(|error| error.cause == Cause::Full);
    // Where the disk is full, what is left is not tried. All that was made is told.
    let is_cut = AtomicBool::new(false);
    let work = |job: &Job<'_>| {
        let rows = if is_cut.load(Ordering::Relaxed) { Vec::new() } else { converter.convert(job) };
        if rows.iter().any(is_full) {
            is_cut.store(true, Ordering::Relaxed);
        }
        rows
    };
    let tell = |rows: Vec<Converted>| rows.iter().try_for_each(|row| listener(Event::Output(row)));
    Run { jobs, watch }.jobs(&plan.jobs, work, tell)?;
    if shard.is_some() || is_cut.into_inner() {
        return Ok(plan.unused);
    }
    tell_missing(&converter, &plan, listener)?;
    Ok(plan.unused)
}

/// Options that exclude each other, or the target.
fn check(conversion: &Conversion<'_>, target: &Target) -> Result<(), ConvertError> {
    let options = conversion.options;
    let has_actors = !options.actors.is_empty();
    let is_library = options.animation_files == AnimationFiles::Library;
    if options.frame.is_some() && target.kind() != Kind::Obj {
        return Err(ConvertError::FrameOfMotion);
    }
    if options.each_clip && !target.is_folder() {
        return Err(ConvertError::EachClipIntoFile);
    }
    if conversion.resume && !target.is_folder() {
        return Err(ConvertError::ResumeOfFile);
    }
    if has_actors && (options.each_clip || !matches!(target.kind(), Kind::Glb | Kind::Gltf)) {
        let message = "an actor is one file of glTF: no OBJ, no page, and no file for each sequence";
        return Err(ConvertError::Actors(message.to_owned()));
    }
    if is_library && (has_actors || options.each_clip || !target.is_folder() || target.kind() == Kind::Obj) {
        return Err(ConvertError::Library);
    }
    Ok(())
}

/// Says what the options ask for and no output has.
fn tell_missing(converter: &Converter<'_>, plan: &Plan<'_>, listener: &mut Listener<'_>) -> io::Result<()> {
    converter.asked.tell_missing(listener)?;
    if let Some(textures) = &converter.textures {
        let (failed, unused) = textures.failed();
        for (path, why) in &failed {
            listener(Event::Missing(Missing::Image(path, why)))?;
        }
        for folder in unused {
            listener(Event::Missing(Missing::Folder(folder)))?;
        }
    }
    let unused: Vec<&str> = converter.textures.iter().flat_map(Textures::unused).collect();
    if !unused.is_empty() {
        listener(Event::Missing(Missing::Materials(&first_names(unused.iter(), unused.len()))))?;
    }
    plan.refused.iter().try_for_each(|(animation, why)| listener(Event::Missing(Missing::Animation(animation, why))))
}
