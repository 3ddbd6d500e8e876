//! Rows of many assets: read in parallel, returned in order.

use std::cell::Cell;
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;

use rayon::prelude::*;

use super::ahead::Ahead;
use super::cold::{is_cold, read_ahead_of, waiting_threads};
use super::item::{Item, Place};
use super::loaded::Loaded;
use super::row::{Fault, Joins, Need, Options, Row};
use super::source::Sources;
use super::to_u64;
use skelmap::ReadAt;
use skelmap::ReadError;
use skelmap::mapping::{FileParts, Opener};
use skelmap::{Format, ParseOptions};

/// The most bytes of a batch that stores are asked for before the batch is worked on.
const BATCH_ASKED: u64 = 16 << 20;

/// The number of items in a batch. The results of a batch are returned before the next batch begins.
const BATCH: usize = 1024;

/// The most bytes of a batch after inflation, unless it is one entry. Deflate makes a thousand bytes of one.
const BATCH_INFLATED: u64 = 256 << 20;

impl Sources {
    /// Opens every item and returns the results of `work`. See [`map`](Sources::map).
    ///
    /// All that can be wrong with an item is in four places: [`Asset::check`](skelmap::Asset::check) and
    /// [`quirks`](skelmap::Asset::quirks) of its asset, its [`side_car`](Item::side_car), and its checksum
    /// ([`check_checksum`](Item::check_checksum)).
    pub fn each<'s, T: Send + 's>(
        &'s self,
        options: &'s ParseOptions,
        work: impl Fn(&Item, Result<Loaded, Fault>) -> Option<T> + Sync + 's,
    ) -> impl Iterator<Item = T> + 's {
        self.map(Need::Content, move |item| work(item, item.load(self.opener(), options)?))
    }

    /// The row of every asset, in order. Reads headers only, unless the content is hashed. See [`map`](Sources::map).
    ///
    /// ```
    /// use skelmap_batch::items::Sources;
    /// use skelmap::mapping::Opener;
    ///
    /// let sources = Sources::find(&["../../tests/corpus/archive".into()], &Opener::reading(), &Default::default());
    /// let bones: u64 = sources.rows(&Default::default()).filter_map(|row| row.summary.bones).sum();
    /// assert!(bones > 0);
    /// ```
    pub fn rows<'s>(&'s self, options: &'s Options) -> impl Iterator<Item = Row> + 's {
        self.map(options.need(), move |item| item.row(self.opener(), options))
    }

    /// The results of `work` for every item, in the order of the items. Runs in batches on the rayon pool that advances
    /// the iterator: memory for 1024 results, or fewer if their entries inflate to more than 256 MiB together. A batch
    /// whose files are not in memory runs on 64 threads, which wait for the disk or for a store together, if that pool
    /// has a thread for each processor. While a batch is worked on, stores are asked for 16 MiB of the next.
    pub fn map<'s, T: Send + 's>(
        &'s self,
        need: Need,
        work: impl Fn(&Item) -> Option<T> + Sync + 's,
    ) -> impl Iterator<Item = T> + 's {
        let mut batches = Batches::new(self.items(), need);
        let mut waiting = None;
        let batches = std::iter::from_fn(move || {
            let batch = batches.next()?;
            let results = || batch.par_iter().map(&work).collect::<Vec<Option<T>>>();
            if !is_cold(batch) {
                return Some(results());
            }
            if need == Need::Content {
                read_ahead_of(batch);
            }
            let threads = waiting.get_or_insert_with(waiting_threads);
            Some(threads.as_ref().map_or_else(&results, |threads| threads.install(results)))
        });
        batches.flatten().flatten()
    }
}

/// The items in batches. What stores have of a batch is here when the batch is given, and the next batch is asked for.
struct Batches<'s> {
    batch: &'s [Item],
    left: &'s [Item],
    need: Need,
    ahead: Ahead,
}

impl<'s> Batches<'s> {
    fn new(items: &'s [Item], need: Need) -> Self {
        let (batch, left) = split_batch(items, need);
        Self { batch, left, need, ahead: Ahead::begin(batch, need) }
    }

    fn next(&mut self) -> Option<&'s [Item]> {
        let (next, left) = split_batch(self.left, self.need);
        let batch = std::mem::replace(&mut self.batch, next);
        self.left = left;
        self.ahead.turn(next, self.need);
        (!batch.is_empty()).then_some(batch)
    }
}

/// The next batch and the rest. A batch has at least one item, if there is one.
fn split_batch(items: &[Item], need: Need) -> (&[Item], &[Item]) {
    let (mut inflated, mut asked) = (0_u64, 0_u64);
    let fits = |item: &&Item| {
        let first = inflated == 0 && asked == 0;
        inflated = inflated.saturating_add(item.inflated_size());
        asked = asked.saturating_add(item.bytes_ahead(need));
        first || inflated <= BATCH_INFLATED && asked <= BATCH_ASKED
    };
    let length = items.iter().take(BATCH).take_while(fits).count();
    items.split_at_checked(length).unwrap_or((items, &[]))
}

impl Item {
    /// The asset, opened; `None` for a file in a folder that is no asset.
    pub fn load(&self, opener: &Opener, options: &ParseOptions) -> Option<Result<Loaded, Fault>> {
        Some(self.open(opener)?.map(|bytes| Loaded::new(bytes, options)))
    }

    /// The row of the asset; `None` for a file in a folder that is no asset.
    pub fn row(&self, opener: &Opener, options: &Options) -> Option<Row> {
        let read = match options.need() {
            Need::Headers => self.row_of_headers(options),
            Need::Content => Err(Unread::Whole),
        };
        let bytes = match read {
            Ok(row) => return row,
            Err(Unread::Failed(fault)) => Err(fault),
            Err(Unread::Whole) => self.open(opener)?,
        };
        let (path, entry) = self.names();
        Some(match bytes {
            Ok(bytes) => Row::of(path, entry, &bytes, options),
            Err(fault) => Row { joins: options.joins.then(Joins::default), ..Row::unreadable(path, entry, fault) },
        })
    }

    /// The row of the asset from a source that is read in parts; `None` for a file in a folder that is no asset.
    fn row_of_headers(&self, options: &Options) -> Result<Option<Row>, Unread> {
        let row = |source: &dyn ReadAt<Error = io::Error>| {
            let (path, entry) = self.names();
            Row::of_headers(path, entry, source, options)
        };
        let is_cold = self.is_cold.load(Ordering::Relaxed);
        match &self.place {
            Place::File(_) => {
                let (file, is_promised) = self.as_file().ok_or(Unread::Whole)?;
                // After a failed read, opening the whole file gives the fault.
                read_headers(file, is_promised, is_cold, row).unwrap_or(Err(Unread::Whole))
            }
            Place::Entry { archive, entry: number } => {
                let record = archive.entry(*number).ok_or(Unread::Whole)?;
                let mut buffer = WINDOW.take();
                let read = match archive.mapped_file(is_cold) {
                    Some((map, file)) => {
                        let parts = FileParts::shared(file, to_u64(map.bytes().len()), buffer);
                        let data = map.stored_in(&record, &parts);
                        let read = data.and_then(|data| row(&data).ok()).map(Ok);
                        buffer = parts.into_buffer();
                        read
                    }
                    None => archive.archive.with_stored(&record, &mut buffer, row),
                };
                WINDOW.set(buffer);
                let read = read.ok_or(Unread::Whole)?;
                read.map(Some).map_err(|error| Unread::Failed((&error).into()))
            }
            Place::Object(item) => {
                let read = item.open().and_then(|object| row(&*object.parts()));
                read.map(Some).map_err(|error| Unread::Failed((&error).into()))
            }
            Place::Stream(_) | Place::Failed(_) => Err(Unread::Whole),
        }
    }
}

/// Why there is no row of headers alone.
enum Unread {
    /// The whole item must be read.
    Whole,
    /// The item cannot be read.
    Failed(Fault),
}

thread_local! {
    /// The buffer in which this thread reads files.
    static WINDOW: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// The row of a file, from its headers. `is_promised`: the name promises an asset.
fn read_headers(
    file: &Path,
    is_promised: bool,
    is_cold: bool,
    row: impl Fn(&dyn ReadAt<Error = io::Error>) -> io::Result<Row>,
) -> io::Result<Result<Option<Row>, Unread>> {
    let parts = FileParts::open_for(file, WINDOW.take(), is_cold)?;
    let is_other = || !is_promised && matches!(Format::sniff_source(&parts), Err(ReadError::Format(_)));
    let read = if parts.size() == 0 {
        Ok(Err(Unread::Whole))
    } else if is_other() {
        Ok(Ok(None))
    } else {
        row(&parts).map(|row| Ok(Some(row)))
    };
    WINDOW.set(parts.into_buffer());
    read
}
