//! From paths to files: folders walked in a fixed order, files opened and parsed, many at a time.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;
use skelmap::actorx::{Narrow, to_narrow};
use skelmap::mapping::{Mapping, OpenError, Opener};
use skelmap::pyrogenesis::Strictness;
use skelmap::swat3::{self, Gsa};
use skelmap::{Asset, Error, ErrorKind, Format, Quirk};
use walkdir::WalkDir;

use crate::cli::Inputs;

/// Files handed to the threads at a time; their results are printed before the next are begun.
const BATCH: usize = 256;

/// No machine gains from more threads than this.
const MOST_THREADS: usize = 256;

/// Names that promise one of the formats: such a file is worth a word even where its content is something else.
const EXTENSIONS: [&str; 5] = ["psk", "pskx", "psa", "pmd", "gsa"];

/// A path to look at, or what the walk of a folder stumbled over.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) path: PathBuf,
    /// Named on the command line, and so owed an answer whatever it is.
    named: bool,
    failed: Option<io::Error>,
}

/// What came of a path.
#[derive(Debug)]
pub(crate) enum Opened {
    /// Parsed; the bytes are alive in it.
    File(Loaded),
    /// Some other file in a folder: no business of ours.
    PassedOver,
    /// Not to be opened or read.
    Unreadable(io::Error),
}

/// How files are opened and how strictly they are taken.
#[derive(Debug)]
pub(crate) struct Source {
    opener: Opener,
    taken: Taken,
}

impl Source {
    pub(crate) const fn new(opener: Opener, taken: Taken) -> Self {
        Self { opener, taken }
    }

    /// How SWAT 3 animations are taken.
    pub(crate) const fn swat3_options(&self) -> &swat3::Options {
        &self.taken.swat3
    }
}

/// How strictly files are taken, where their format has a choice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken {
    pub(crate) pyrogenesis: Strictness,
    pub(crate) swat3: swat3::Options,
}

impl Taken {
    fn parse(self, bytes: &[u8]) -> Result<Asset<'_>, Error> {
        match Format::sniff(bytes) {
            Ok(Format::Swat3Gsa) => Gsa::parse_with(bytes, &self.swat3).map(Asset::Swat3Gsa),
            _ => Asset::parse_as(bytes, self.pyrogenesis),
        }
    }
}

/// A file's bytes, and the narrow copy where records were wider than the format's.
#[derive(Debug)]
pub(crate) struct Loaded {
    bytes: Mapping<'static>,
    narrow: Option<Result<Narrow, Error>>,
    taken: Taken,
}

impl Loaded {
    pub(crate) fn open(path: &Path, source: &Source) -> Result<Self, OpenError> {
        let bytes = source.opener.open(path)?;
        let too_wide = |error: Error| matches!(error.kind(), ErrorKind::RecordTooWide { .. });
        let narrow = match source.taken.parse(&bytes) {
            Err(error) if too_wide(error) => Some(to_narrow(&bytes)),
            _ => None,
        };
        Ok(Self { bytes, narrow, taken: source.taken })
    }

    pub(crate) fn asset(&self) -> Result<Asset<'_>, Error> {
        match &self.narrow {
            None => self.taken.parse(&self.bytes),
            Some(Ok(narrow)) => self.taken.parse(&narrow.bytes),
            Some(Err(error)) => Err(*error),
        }
    }

    /// The side-car beside the file, where the file is of the one format that has them.
    pub(crate) fn side_car(&self, path: &Path) -> io::Result<Option<SideCar>> {
        match self.asset() {
            Ok(Asset::ActorxPsa(_)) => side_car(path),
            _ => Ok(None),
        }
    }

    pub(crate) fn len(&self) -> u64 {
        self.bytes.len().try_into().unwrap_or(u64::MAX)
    }

    /// The bytes as they are in the file.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// All oddities of the file: of the narrow copy's making first, then the view's.
    pub(crate) fn quirks(&self, asset: &Asset<'_>) -> Vec<Quirk> {
        let mut quirks = match &self.narrow {
            Some(Ok(narrow)) => narrow.quirks.clone(),
            _ => Vec::new(),
        };
        quirks.extend(asset.quirks());
        quirks
    }
}

/// All paths to look at: those named, folders replaced by the files below them in name order.
pub(crate) fn expand(paths: &[PathBuf]) -> Vec<Input> {
    let mut inputs = Vec::new();
    for path in paths {
        if !path.is_dir() {
            inputs.push(Input { path: path.clone(), named: true, failed: None });
            continue;
        }
        for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
            match entry {
                Ok(entry) if entry.file_type().is_file() => {
                    inputs.push(Input { path: entry.into_path(), named: false, failed: None });
                }
                Ok(_) => {}
                // A link back up: what is there has been seen.
                Err(error) if error.loop_ancestor().is_some() => {}
                Err(error) => {
                    let path = error.path().unwrap_or(path).to_owned();
                    inputs.push(Input { path, named: true, failed: Some(error.into()) });
                }
            }
        }
    }
    inputs
}

/// Opens every input and hands what `work` makes of it to `print`, in the inputs' order. Shows progress on a terminal.
pub(crate) fn each<T: Send>(
    inputs: &Inputs,
    source: &Source,
    work: impl Fn(&Path, &Opened) -> Option<T> + Sync,
    mut print: impl FnMut(T) -> io::Result<()>,
) -> io::Result<()> {
    let files = expand(&inputs.paths);
    // More threads than files would only be started and stopped.
    let threads = inputs.jobs.map_or(0, |jobs| jobs.get().min(files.len().max(1)).min(MOST_THREADS));
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(io::Error::other)?;
    let progress = progress(files.len());
    for batch in files.chunks(BATCH) {
        let results: Vec<Option<T>> = pool.install(|| {
            let opened = batch.par_iter().map(|input| {
                let result = work(&input.path, &open(input, source));
                progress.inc(1);
                result
            });
            opened.collect()
        });
        progress.suspend(|| results.into_iter().flatten().try_for_each(&mut print))?;
    }
    progress.finish_and_clear();
    Ok(())
}

fn open(input: &Input, source: &Source) -> Opened {
    if let Some(error) = &input.failed {
        return Opened::Unreadable(io::Error::new(error.kind(), error.to_string()));
    }
    if !input.named && !is_promised(&input.path) {
        match sniff(&input.path) {
            Ok(true) => {}
            Ok(false) => return Opened::PassedOver,
            Err(error) => return Opened::Unreadable(error),
        }
    }
    match Loaded::open(&input.path, source) {
        Ok(loaded) => Opened::File(loaded),
        Err(error) => Opened::Unreadable(error.into_io()),
    }
}

/// Whether a name promises one of the formats.
pub(crate) fn is_promised(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Whether the first bytes of a file are those of a known format.
fn sniff(path: &Path) -> io::Result<bool> {
    let mut first = Vec::with_capacity(Format::SNIFF_LEN);
    let limit = u64::try_from(Format::SNIFF_LEN).unwrap_or(u64::MAX);
    File::open(path)?.take(limit).read_to_end(&mut first)?;
    Ok(Format::sniff(&first).is_ok())
}

fn progress(total: usize) -> ProgressBar {
    // Draws only on a terminal, and only for work that lasts.
    let bar = ProgressBar::with_draw_target(total.try_into().ok(), ProgressDrawTarget::stderr_with_hz(8));
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} files, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// A side-car above this size is none.
const LARGEST_SIDE_CAR: u64 = 64 << 20;

/// The bytes of the side-car beside an animation; `None` where there is none.
///
/// One that is there and cannot be read is an error: without it the animation may look right and be wrong.
pub(crate) fn side_car(animation: &Path) -> io::Result<Option<SideCar>> {
    for extension in ["config", "CONFIG", "Config"] {
        let path = animation.with_extension(extension);
        let failed = |error: io::Error| io::Error::new(error.kind(), format!("side-car {}: {error}", path.display()));
        let metadata = match path.metadata() {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(failed(error)),
        };
        if !metadata.is_file() || metadata.len() > LARGEST_SIDE_CAR {
            return Err(failed(io::Error::other("is no regular file of a sensible size")));
        }
        let bytes = Mapping::read(&path).map_err(|error| failed(error.into_io()))?;
        return Ok(Some(SideCar { path, bytes }));
    }
    Ok(None)
}

/// A side-car and where it was found.
#[derive(Debug)]
pub(crate) struct SideCar {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Mapping<'static>,
}
