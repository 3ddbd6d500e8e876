//! glTF as files of a game: meshes, their animations, and an actor.

mod actor;
mod files;
mod options;
mod paths;
mod rows;
mod skeletons;
#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use skelmap::archive::Address;
use skelmap_write::pyrogenesis::{AnimationReport, MeshReport};
use skelmap_write::{ImportReport, actorx};

pub use self::options::GameOptions;
pub use self::rows::fields;
pub use crate::kind::GameKind;
pub use crate::walk::is_gltf;

use self::files::Maker;
use self::skeletons::Known;
use crate::columns::name_of;
use crate::convert::{Conversion, ConvertError, ConvertOptions, Converted, Event, OutputError, Replace, convert};
use crate::items::Sources;
use crate::names::{Roots, Taken, numbered};
use crate::originals::Originals;
use crate::place::joined;
use crate::record::{Record, settings};
use crate::save::Work;
use crate::text::first_names;
use crate::unfinished::{Between, create_folders};
use crate::walk::{Met, Patterns, Walk};
use crate::{PatternError, Run, Source, Target, Watch, begins_as_archive};

/// What is converted, where to, and how.
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "the caller makes it")]
pub struct Making<'m> {
    /// Files in `.glb` or `.gltf`, and folders of such.
    pub paths: &'m [PathBuf],
    /// How folders are walked.
    pub walk: &'m Walk,
    /// Only files of folders that match one of these patterns: see [`Find::glob`](crate::Find::glob).
    pub glob: &'m [String],
    /// A folder, or a file in `.pmd`, `.psk` or `.pskx`.
    pub output: &'m Path,
    /// The choices.
    pub options: &'m GameOptions,
    /// The number of threads.
    pub jobs: Option<NonZeroUsize>,
    /// Files and folders that no output replaces, besides the inputs: those that the glTF files were made of.
    pub sources: &'m [PathBuf],
    /// Whether outputs that exist are replaced.
    pub force: bool,
    /// Whether what an earlier run made of the same GLB with the same options is kept, and what it made of another content replaced. For a folder of outputs.
    pub resume: bool,
}

/// Extensions of files that people may expect from other conversions. A folder may have any other one, as `mod.v2` has.
const OTHERS: [&str; 10] = ["glb", "gltf", "obj", "dae", "fbx", "gsa", "uemodel", "ueanim", "zip", "xml"];

/// Why nothing can be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// Several inputs, and one output.
    #[error("{count} files would be made, and the output is one: name a folder")]
    ManyIntoFile {
        /// The number of inputs.
        count: usize,
    },
    /// The name of the output has another extension than the kind that is asked for.
    #[error("{}: {} asks for another kind of file than this name", Address::find(path), to.extension())]
    OtherKind {
        /// The output.
        path: PathBuf,
        /// The kind that is asked for.
        to: GameKind,
    },
    /// The target reads files of another kind.
    #[error("{target} does not read files in .{}", kind.extension())]
    OtherTarget {
        /// The target.
        target: Target,
        /// The kind that is asked for.
        kind: GameKind,
    },
    /// The output is an animation.
    #[error("the output is a mesh (.pmd, .psk), and its animations lie beside it: this names an animation")]
    NamesAnimation,
    /// The output is a file of a kind that is not made from glTF.
    #[error("{}: the output is a mesh (.pmd, .psk, .pskx) or a folder", Address::find(.0))]
    NoMesh(PathBuf),
    /// The target reads glTF as it is.
    #[error("{} reads glTF: nothing to convert", .0.title())]
    ReadsGltf(Target),
    /// Outputs that replace those of the game have names of their own.
    #[error("the output gets another name (horse.dae.cached.pmd) to replace a model of the game: name a folder")]
    OwnName,
    /// One output, or files in between, of which no record is kept.
    #[error("nothing to go on with: {0}")]
    NoRecord(&'static str),
    /// A file of another kind among files of glTF.
    #[error("{}: expected .glb or .gltf, as the other files", Address::find(.0))]
    NoGltf(PathBuf),
    /// No input.
    #[error("no file in .glb or .gltf")]
    NoInput,
    /// A file of skeletons, or the mesh that tells the axes, cannot be read.
    #[error("{}: {message}", Address::find(path))]
    Unread {
        /// The file.
        path: PathBuf,
        /// The cause.
        message: String,
    },
    /// The conversion to glTF in between.
    #[error(transparent)]
    Convert(#[from] ConvertError),
    /// A pattern for names that has no meaning.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// The error of the listener, or of the system; [`Interrupted`](io::ErrorKind::Interrupted) if the work was stopped.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A file of a game, or why it was not made.
#[derive(Debug)]
#[non_exhaustive]
pub struct GameFile {
    /// The glTF file.
    pub input: PathBuf,
    /// The file that was written, or would have been.
    pub output: PathBuf,
    /// What was made, with the number of bytes.
    pub done: Result<(Made, u64), OutputError>,
    /// What people should know.
    pub notes: Vec<String>,
    /// Whether the input could not be read.
    pub is_unread: bool,
}

/// What was made.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Made {
    /// A mesh of 0 A.D.
    Mesh(ImportReport, MeshReport),
    /// An animation of 0 A.D.
    Animation(AnimationReport),
    /// A mesh of `ActorX`.
    Psk(ImportReport, actorx::MeshReport),
    /// An animation of `ActorX`.
    Psa(actorx::AnimationReport),
    /// An actor.
    Actor,
    /// Nothing: an earlier run made the files of this input.
    Kept,
}

/// Makes the files. Those of an input are written all, or none of them. Calls the listener with each, in the order of the inputs.
///
/// # Errors
/// Options that contradict the output; files of the options that cannot be read; the error of the listener.
pub fn make(
    making: &Making<'_>,
    source: &Source,
    watch: Option<&Watch>,
    listener: &mut (dyn FnMut(&GameFile) -> io::Result<()> + Send),
) -> Result<(), GameError> {
    let Making { paths, options, .. } = *making;
    let output = &paths::in_mod(making.output);
    let output = output.as_path();
    let inputs = find(making)?;
    if let Some(path) = paths.iter().find(|path| !path.is_dir() && !is_gltf(path)) {
        return Err(GameError::NoGltf(path.clone()));
    }
    if output == Path::new("-") {
        return Err(GameError::ManyIntoFile { count: inputs.len().max(2) });
    }
    if !output.is_dir() && output.extension().is_some_and(|own| own.eq_ignore_ascii_case("psa")) {
        return Err(GameError::NamesAnimation);
    }
    let is_other = |own: &OsStr| OTHERS.iter().any(|other| own.eq_ignore_ascii_case(other));
    if !output.is_dir() && output.extension().is_some_and(is_other) {
        return Err(GameError::NoMesh(output.to_owned()));
    }
    let named = GameKind::of(output).filter(|_| !output.is_dir());
    let is_file = named.is_some();
    let kind = match (named, options.to) {
        (Some(named), Some(to)) if named != to => {
            return Err(GameError::OtherKind { path: output.to_owned(), to });
        }
        (named, to) => named.or(to).or(options.target.and_then(Target::kind)).unwrap_or(GameKind::Pmd),
    };
    if let Some(target) = options.target.filter(|target| target.kind().is_none()) {
        return Err(GameError::ReadsGltf(target));
    }
    if options.replaces && is_file && !output.with_extension("").to_string_lossy().ends_with(paths::CACHED) {
        return Err(GameError::OwnName);
    }
    if let Some(target) = options.target.filter(|target| !target.takes(kind)) {
        return Err(GameError::OtherTarget { target, kind });
    }
    if making.resume && is_file {
        return Err(GameError::NoRecord("the output is one file"));
    }
    match inputs.len() {
        0 => return Err(GameError::NoInput),
        count if is_file && count > 1 => return Err(GameError::ManyIntoFile { count }),
        _ => {}
    }
    let known = Known::read(options, kind, source, || {
        std::iter::once(output).chain(paths.iter().map(PathBuf::as_path)).map(Path::to_owned)
    })?;
    let (roots, mut taken) = (Roots::new(paths), Taken::default());
    let mut jobs = Vec::new();
    for input in inputs {
        let place = if is_file {
            Ok(output.to_owned())
        } else {
            roots.base_of(&Address::of_file(input.clone())).map(|base| {
                let base = numbered(&base, taken.add(&base));
                joined(output, format!("{}{}", base.display(), files::end(options, kind)).as_ref())
            })
        };
        jobs.push((input, place));
    }
    let tables = options.skeletons.iter().chain(&options.like).chain(making.sources).cloned();
    let maker = Maker {
        kind,
        options,
        known: &known,
        source,
        originals: Originals::new(paths.iter().cloned().chain(tables)),
        work: Work::new(b"game"),
        folder: (!is_file).then_some(output),
        claimed: Mutex::default(),
        cleaned: Mutex::default(),
        record: (!is_file).then(|| Record::read(output, None)),
        settings: settings(
            &GameOptions { to: Some(kind), ..options.clone() },
            known.files.iter().chain(&options.like),
            &source.parse,
        ),
        force: making.force,
        resume: making.resume,
    };
    if !is_file {
        create_folders(output)?;
    }
    let work = |(input, place): &(PathBuf, Result<PathBuf, _>)| match place {
        Ok(place) => maker.make(input, place),
        Err(error) => vec![GameFile {
            input: input.clone(),
            output: PathBuf::new(),
            done: Err(OutputError::new(error)),
            notes: Vec::new(),
            is_unread: false,
        }],
    };
    let tell = |files: Vec<GameFile>| files.iter().try_for_each(&mut *listener);
    Ok(Run { jobs: making.jobs, watch }.jobs(&jobs, work, tell)?)
}

/// Makes files of one family from those of another: meshes with the animations that belong to them become glTF in a temporary folder, and that becomes files of
/// the game. The outputs lie below the output as the meshes lie below the paths.
///
/// # Errors
/// Those of [`make`] and of [`convert`].
pub fn make_from_assets(
    making: &Making<'_>,
    sources: &Sources,
    source: &Source,
    watch: Option<&Watch>,
    listener: &mut (dyn FnMut(&GameFile) -> io::Result<()> + Send),
) -> Result<(), GameError> {
    if making.resume {
        return Err(GameError::NoRecord(
            "files of one family become those of another by way of glTF, which is not kept",
        ));
    }
    let folder = Between::new()?;
    let mut options = ConvertOptions {
        textures: false,
        sequences: making.options.sequences.clone(),
        // One file tells the names of bones; a folder or an archive has many.
        skeleton: making.options.skeletons.first().filter(|path| path.is_file() && !is_archive(path)).cloned(),
        ..ConvertOptions::default()
    };
    (options.gltf.keep_unused, options.gltf.keep_degenerate) = (true, true);
    options.gltf.metres = making.options.metres;
    let (given, output) = (Sources::find(&[], &source.opener, &source.limits), folder.path().join("gltf"));
    let output = output.as_path();
    let conversion = Conversion {
        paths: making.paths,
        sources,
        animations: &[],
        given: &given,
        output,
        options: &options,
        jobs: making.jobs,
        dry_run: false,
        resume: false,
        replace: Replace::Nothing,
        shard: None,
    };
    let unused = convert(&conversion, source, watch, &mut |event| match event {
        Event::Output(Converted { address, done: Err(error), .. }) => {
            let error = OutputError { message: error.message.clone(), cause: error.cause };
            listener(&GameFile {
                input: address.path().to_owned(),
                output: PathBuf::new(),
                done: Err(error),
                notes: Vec::new(),
                is_unread: true,
            })
        }
        Event::Unread(unread) => {
            let error = OutputError::new(&unread.message);
            let input = unread.address.path().to_owned();
            listener(&GameFile { input, output: PathBuf::new(), done: Err(error), notes: Vec::new(), is_unread: true })
        }
        _ => Ok(()),
    })?;
    if let Some(first) = unused.first() {
        let names = first_names(unused.iter().map(name_of), unused.len());
        listener(&GameFile {
            input: first.path().to_owned(),
            output: PathBuf::new(),
            done: Err(OutputError::new(format!("belongs to no mesh: {names}"))),
            notes: Vec::new(),
            is_unread: false,
        })?;
    }
    // Nothing became glTF, and the reasons are told.
    if !output.is_dir() {
        return Ok(());
    }
    let paths = [output.to_owned()];
    let making = Making { paths: &paths, walk: &Walk::all(), glob: &[], sources: making.paths, ..*making };
    make(&making, source, watch, &mut |file| {
        // The name that the mesh has below its path.
        let input = file.input.strip_prefix(output).unwrap_or(&file.input).with_extension("");
        let done = match &file.done {
            Ok(done) => Ok(*done),
            Err(error) => Err(OutputError { message: error.message.clone(), cause: error.cause }),
        };
        let (notes, is_unread) = (file.notes.clone(), file.is_unread);
        listener(&GameFile { input, output: file.output.clone(), done, notes, is_unread })
    })
}

fn is_archive(path: &Path) -> bool {
    begins_as_archive(path).unwrap_or(false)
}

/// The glTF files of paths and of the folders among them. O(files).
///
/// # Errors
/// A folder that cannot be walked.
pub fn find(making: &Making<'_>) -> Result<Vec<PathBuf>, GameError> {
    making.walk.check()?;
    let patterns = Patterns::new(making.glob, making.walk.ignore_case).map_err(PatternError::from)?;
    let mut found = Vec::new();
    for path in making.paths {
        if !path.is_dir() {
            found.extend(Some(path.clone()).filter(|path| is_gltf(path)));
            continue;
        }
        for met in making.walk.files(path) {
            match met {
                Met::File(file) if is_gltf(&file) => {
                    let is_wanted = patterns.has(file.strip_prefix(path).unwrap_or(&file));
                    found.extend(Some(file).filter(|_| is_wanted));
                }
                Met::File(_) | Met::Other(_) => {}
                Met::Failed { path, error } => {
                    return Err(GameError::Unread { path, message: error.to_string() });
                }
            }
        }
    }
    Ok(found)
}
