//! From arguments to files: what the library finds, opened by one policy, many at a time, with progress.

use std::io;
use std::num::NonZeroUsize;
use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use skelmap::archive::{Address, AddressError, Limits};
use skelmap::catalog::{Fault, Item, Loaded, Sources};
use skelmap::mapping::{Mapping, Opener};
use skelmap::{Asset, ParseOptions};

use crate::cli::Inputs;

/// No machine gains from more threads than this.
const MOST_THREADS: usize = 256;

/// How files are opened and how strictly they are taken.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) opener: Opener,
    pub(crate) parse: ParseOptions,
    pub(crate) limits: Limits,
}

impl Source {
    pub(crate) fn new(opener: Opener, parse: ParseOptions) -> Self {
        Self { opener, parse, limits: Limits::default() }
    }

    /// Opens what lies at an address.
    pub(crate) fn open(&self, address: &Address) -> Result<Loaded, AddressError> {
        Ok(Loaded::new(address.open(&self.opener)?, &self.parse))
    }

    /// Opens an item, all of it; `None` for what is passed over.
    fn load(&self, item: &Item) -> Option<Result<Loaded, Fault>> {
        item.load(&self.opener, &self.parse)
    }

    /// Everything at the paths and addresses of the arguments.
    pub(crate) fn find(&self, inputs: &Inputs) -> Sources {
        Sources::find(&inputs.paths, &self.opener, &self.limits)
    }
}

/// Opens every item and hands what `work` makes of it to `print`, in the items' order. Shows progress on a terminal.
pub(crate) fn each_of<T: Send>(
    sources: &Sources,
    jobs: Option<NonZeroUsize>,
    source: &Source,
    work: impl Fn(&Item, Result<Loaded, Fault>) -> Option<T> + Sync,
    print: impl FnMut(T) -> io::Result<()> + Send,
) -> io::Result<()> {
    each_item(sources, jobs, |item| work(item, source.load(item)?), print)
}

/// Hands what `work` makes of every item to `print`, in the items' order. Shows progress on a terminal.
pub(crate) fn each_item<T: Send>(
    sources: &Sources,
    jobs: Option<NonZeroUsize>,
    work: impl Fn(&Item) -> Option<T> + Sync,
    mut print: impl FnMut(T) -> io::Result<()> + Send,
) -> io::Result<()> {
    // More threads than files would only be started and stopped.
    let total = sources.items().len();
    let threads = jobs.map_or(0, |jobs| jobs.get().min(total.max(1)).min(MOST_THREADS));
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads);
    // Where no thread can be started, the one that there is does it.
    let pool = pool(threads).build().or_else(|_| pool(1).use_current_thread().build()).map_err(io::Error::other)?;
    let progress = progress(total);
    let counted = |item: &Item| {
        let result = work(item);
        progress.inc(1);
        result
    };
    pool.install(|| sources.each_item(counted, |result| progress.suspend(|| print(result))))?;
    progress.finish_and_clear();
    Ok(())
}

/// A bar on standard error, on a terminal only.
pub(crate) fn progress(total: usize) -> ProgressBar {
    // Draws only on a terminal, and only for work that lasts.
    let bar = ProgressBar::with_draw_target(total.try_into().ok(), ProgressDrawTarget::stderr_with_hz(8));
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} files, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// A side-car above this size is none.
const LARGEST_SIDE_CAR: usize = 64 << 20;

/// The side-car beside an asset, where that is of the one format that has them.
pub(crate) fn side_car_of(loaded: &Loaded, address: &Address, opener: &Opener) -> io::Result<Option<SideCar>> {
    match loaded.asset() {
        Ok(Asset::ActorxPsa(_)) => side_car(address, opener),
        _ => Ok(None),
    }
}

/// The side-car beside an item, as [`side_car_of`]; in an archive, which is open and may hold many, without going through all of its
/// directory again.
pub(crate) fn side_car_of_item(loaded: &Loaded, item: &Item, opener: &Opener) -> io::Result<Option<SideCar>> {
    let address = item.address();
    match loaded.asset() {
        Ok(Asset::ActorxPsa(_)) if address.entry().is_some() => match item.entry_side_car() {
            Ok(found) => Ok(found.map(|(address, bytes)| SideCar { address, bytes })),
            Err(error) => Err(io::Error::new(io::ErrorKind::InvalidData, format!("side-car: {error}"))),
        },
        _ => side_car_of(loaded, &address, opener),
    }
}

/// The bytes of the side-car beside an animation, in the same folder or archive; `None` where there is none.
///
/// One that is there and cannot be read is an error: without it the animation may look right and be wrong. A loose one is read, for
/// it is small; one in an archive is taken from wherever `opener` has the archive.
pub(crate) fn side_car(animation: &Address, opener: &Opener) -> io::Result<Option<SideCar>> {
    let reading = Opener::reading();
    let opener = if animation.entry().is_some() { opener } else { &reading };
    for extension in ["config", "CONFIG", "Config"] {
        let beside = match animation.entry() {
            Some(entry) => {
                let entry = Path::new(entry).with_extension(extension);
                Address::of_entry(animation.path(), entry.to_string_lossy())
            }
            None => Address::of_file(animation.path().with_extension(extension)),
        };
        let failed = |error: io::Error| io::Error::new(error.kind(), format!("side-car {beside}: {error}"));
        if beside.entry().is_none() {
            let metadata = match beside.path().metadata() {
                Ok(metadata) => metadata,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(failed(error)),
            };
            if !metadata.is_file() {
                return Err(failed(io::Error::other("is no regular file")));
            }
        }
        let bytes = match beside.open(opener) {
            Ok(bytes) => bytes,
            Err(AddressError::Archive { error, .. }) if is_missing(&error) => continue,
            Err(error) => return Err(failed(error.into_io())),
        };
        if bytes.len() > LARGEST_SIDE_CAR {
            return Err(failed(io::Error::other("is of no sensible size")));
        }
        return Ok(Some(SideCar { address: beside, bytes }));
    }
    Ok(None)
}

fn is_missing(error: &skelmap::archive::ArchiveError) -> bool {
    matches!(error.kind(), skelmap::archive::ArchiveErrorKind::NoSuchEntry)
}

/// A side-car and where it was found.
#[derive(Debug)]
pub(crate) struct SideCar {
    pub(crate) address: Address,
    pub(crate) bytes: Mapping<'static>,
}
