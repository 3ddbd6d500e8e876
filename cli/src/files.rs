//! From arguments to files: the engine finds and opens them; here it gets a progress bar and the messages of the command.

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use skelmap::archive::{Address, SideCar};
use skelmap::mapping::Opener;
use skelmap::model::Clip;
use skelmap::{Asset, Format};
pub(crate) use skelmap_batch::Source;
pub(crate) use skelmap_batch::columns::name_of;
use skelmap_batch::columns::{ADDRESS_COLUMN, Entry, fields};
use skelmap_batch::items::{Fault, Item, Loaded, Need, Options, Sources};
use skelmap_batch::pair::Unread;
pub(crate) use skelmap_batch::pair::stem_of;
use skelmap_batch::{Find, Run, is_remote};

use crate::arguments::{Choosing, Inputs};
use crate::messages;
use crate::outcome::{Failure, Tally};
use crate::output::complain;
use crate::progress::Progress;
use crate::report::{self, Cell, Query, Report, RowWriter};
use crate::text::near_names;

/// Opens a file or entry that the command cannot do without.
pub(crate) fn load(source: &Source, path: &Path) -> Result<Loaded, Failure> {
    source.open_path(path).map_err(Failure::nothing_read)
}

/// Everything at the paths and addresses of the arguments.
pub(crate) fn find(source: &Source, inputs: &Inputs) -> Result<Sources, Failure> {
    find_told(source, &inputs.to_find())
}

/// Everything at paths and addresses that is chosen.
pub(crate) fn find_at(source: &Source, paths: &[PathBuf], choosing: &Choosing) -> Result<Sources, Failure> {
    find_told(source, &choosing.to_find(paths))
}

/// Everything that is asked for. Names folders without a file, and patterns that leave nothing.
pub(crate) fn find_told(source: &Source, find: &Find) -> Result<Sources, Failure> {
    let sources = find.sources(source)?;
    tell_empty(find, &sources);
    note_filter(find, &sources, source);
    Ok(sources)
}

/// The animations of `--anim` that are chosen. Says at once where patterns leave none.
pub(crate) fn find_anim(source: &Source, paths: &[PathBuf], choosing: &Choosing) -> Result<Sources, Failure> {
    let find = choosing.to_find(paths);
    let sources = find.sources(source)?;
    tell_empty(&find, &sources);
    if let Some(filter) = find.filter_of_all(&sources, source) {
        complain(format!("--anim: no animation left by {filter}"));
    }
    Ok(sources)
}

/// Notes the patterns that left no asset, for the end of the command.
pub(crate) fn note_filter(find: &Find, sources: &Sources, source: &Source) {
    if let Some(filter) = find.filter_of_all(sources, source) {
        messages::note_filter(filter);
    }
}

/// The addresses of the assets whose rows are asked for, in the order of the query.
pub(crate) fn addresses(source: &Source, sources: &Sources, query: &Query) -> Result<Vec<String>, Failure> {
    let fields = fields();
    let query = Query { columns: vec![ADDRESS_COLUMN.key.to_owned()], ..query.clone() };
    let plan = query.plan(&fields, report::Format::Csv)?;
    let found = Arc::new(Mutex::new(Vec::new()));
    let mut report = Report::with_writer(Box::new(Addresses(Arc::clone(&found))), fields, plan);
    let options = Options { parse: source.parse, ..Options::default() };
    let work = |item: &Item| item.row(&source.opener, &options).map(Entry::from);
    each_item(sources, None, source, options.need(), work, |entry| report.row(&entry))?;
    if let (Some(_), Some(filter)) = (report.dropped_all(), &query.filter) {
        messages::note_filter(format!("--where '{filter}'"));
    }
    report.end()?;
    let addresses = std::mem::take(&mut *found.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(addresses)
}

/// Collects the first cell of each row.
struct Addresses(Arc<Mutex<Vec<String>>>);

impl RowWriter for Addresses {
    fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
        let mut found = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        found.extend(cells.iter().map(ToString::to_string));
        Ok(())
    }

    fn end(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}

/// Names the folders among several paths that have no file. Of one path alone, the end of the command tells.
pub(crate) fn tell_empty(Find { paths, .. }: &Find, sources: &Sources) {
    const MAX_FOLDERS_NAMED: usize = 16;
    let folders = paths.iter().filter(|path| paths.len() > 1 && path.is_dir());
    for folder in folders.take(MAX_FOLDERS_NAMED) {
        if !sources.items().iter().any(|item| item.address().path().starts_with(folder)) {
            complain(format!(
                "{}: no file to look at in this folder (--hidden, --no-ignore and --follow find more)",
                folder.display()
            ));
        }
    }
}

/// Checks that a path is no address in a store. The message has the address.
pub(crate) fn check_local(path: &Path) -> Result<(), String> {
    if is_remote(path) {
        return Err(format!("{}: addresses of stores are not taken here: download the file", path.display()));
    }
    Ok(())
}

/// The asset in a file that the command cannot do without.
pub(crate) fn asset<'a>(loaded: &'a Loaded, path: &Path) -> Result<Asset<'a>, Failure> {
    loaded.asset().map_err(|error| Failure::findings(error).in_file(path))
}

/// The failure of a command that cannot use assets of this format.
pub(crate) fn other_format(path: &Path, format: Format, expected: &str) -> Failure {
    Failure::usage(format!("this is {format}, expected {expected}")).in_file(path)
}

/// The clip with a name.
pub(crate) fn find_clip<'a>(path: &Path, clips: &[Clip<'a>], name: &str) -> Result<Clip<'a>, Failure> {
    let found = clips.iter().find(|clip| clip.name().is_some_and(|own| own.matches(name)));
    let missing = || match clips {
        [clip] if clip.name().is_none() => "the animation has no name: leave out --sequence".to_owned(),
        _ => no_sequence(name, clips),
    };
    found.copied().ok_or_else(|| Failure::usage(missing()).in_file(path))
}

/// The message about a sequence that does not exist.
pub(crate) fn no_sequence(name: &str, clips: &[Clip<'_>]) -> String {
    format!("there is no sequence {name:?} ({})", near_names(name, names_of(clips).iter().map(String::as_str)))
}

/// The names of clips that have one.
pub(crate) fn names_of(clips: &[Clip<'_>]) -> Vec<String> {
    clips.iter().filter_map(|clip| Some(clip.name()?.to_string())).collect()
}

/// Counts an asset that cannot be read, and says why.
pub(crate) fn count_unread(tally: &mut Tally, unread: &Unread) {
    tally.count(true, unread.is_unreadable);
    complain(format!("{}: {}", unread.address, unread.message));
}

/// Opens every item, computes a result in parallel and prints the results in the order of the items.
pub(crate) fn each_of<T: Send>(
    sources: &Sources,
    jobs: Option<NonZeroUsize>,
    source: &Source,
    work: impl Fn(&Item, Result<Loaded, Fault>) -> Option<T> + Sync,
    print: impl FnMut(T) -> io::Result<()> + Send,
) -> io::Result<()> {
    let work = |item: &Item| work(item, item.load(&source.opener, &source.parse)?);
    each_item(sources, jobs, source, Need::Content, work, print)
}

/// Computes a result for every item in parallel and prints the results in the order of the items. Shows progress on a terminal.
pub(crate) fn each_item<T: Send>(
    sources: &Sources,
    jobs: Option<NonZeroUsize>,
    source: &Source,
    need: Need,
    work: impl Fn(&Item) -> Option<T> + Sync,
    mut print: impl FnMut(T) -> io::Result<()> + Send,
) -> io::Result<()> {
    let bar = Progress::of_run();
    let watch = bar.watch();
    let run = Run { jobs, watch: Some(&watch) };
    run.items(sources, source, need, work, |result| bar.suspend(|| print(result)))
}

/// Runs work on as many threads as the arguments ask for.
pub(crate) fn in_pool<T: Send>(
    jobs: Option<NonZeroUsize>,
    total: usize,
    work: impl FnOnce() -> T + Send,
) -> io::Result<T> {
    Run { jobs, watch: None }.in_pool(total, work)
}

/// The side-car beside an asset. Only ActorX animations have one.
pub(crate) fn side_car_of(loaded: &Loaded, address: &Address, opener: &Opener) -> io::Result<Option<SideCar>> {
    match loaded.asset() {
        Ok(Asset::ActorxPsa(_)) => SideCar::beside(address, opener),
        _ => Ok(None),
    }
}
