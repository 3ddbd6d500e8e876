//! Rows of many assets: read in parallel, returned in order.

use std::cell::Cell;
use std::io;
use std::path::Path;

use rayon::prelude::*;

use super::cold::{is_cold, waiting_threads};
use super::loaded::Loaded;
use super::row::{Fault, Joins, Options, Row};
use super::source::{Item, Place, Sources};
use crate::bytes::to_u64;
use crate::family::{ParseOptions, sniff_source};
use crate::mapping::{FileParts, Opener};
use crate::report::ReadError;

/// The number of items in a batch. The results of a batch are returned before the next batch begins.
const BATCH: usize = 1024;

/// The most bytes of a batch after inflation, unless it is one entry. Deflate makes a thousand bytes of one.
const BATCH_INFLATED: u64 = 256 << 20;

impl Sources {
    /// Opens every item and returns the results of `work`. See [`map`](Sources::map).
    pub fn each<'s, T: Send + 's>(
        &'s self,
        options: &'s ParseOptions,
        work: impl Fn(&Item, Result<Loaded, Fault>) -> Option<T> + Sync + 's,
    ) -> impl Iterator<Item = T> + 's {
        self.map(move |item| work(item, item.load(self.opener(), options)?))
    }

    /// The row of every asset, in order. Reads headers only, unless the content is hashed. See [`map`](Sources::map).
    ///
    /// ```
    /// use skelmap::catalog::Sources;
    /// use skelmap::mapping::Opener;
    ///
    /// let sources = Sources::find(&["tests/corpus/archive".into()], &Opener::reading(), &Default::default());
    /// let bones: u64 = sources.rows(&Default::default()).filter_map(|row| row.summary.bones).sum();
    /// assert!(bones > 0);
    /// ```
    pub fn rows<'s>(&'s self, options: &'s Options) -> impl Iterator<Item = Row> + 's {
        self.map(move |item| item.row(self.opener(), options))
    }

    /// The results of `work` for every item, in the order of the items. Runs in batches on the rayon pool that advances
    /// the iterator: memory for 1024 results, or fewer if their entries inflate to more than 256 MiB together. A batch
    /// whose files are not in memory runs on 32 threads, which wait for the disk together, if that pool has a thread
    /// for each processor.
    pub fn map<'s, T: Send + 's>(
        &'s self,
        work: impl Fn(&Item) -> Option<T> + Sync + 's,
    ) -> impl Iterator<Item = T> + 's {
        let mut left = self.items();
        let mut waiting = None;
        let batches = std::iter::from_fn(move || {
            let (batch, rest) = left.split_at_checked(batch_length(left)).filter(|(batch, _)| !batch.is_empty())?;
            left = rest;
            let results = || batch.par_iter().map(&work).collect::<Vec<Option<T>>>();
            if !is_cold(batch) {
                return Some(results());
            }
            let threads = waiting.get_or_insert_with(waiting_threads);
            Some(threads.as_ref().map_or_else(&results, |threads| threads.install(results)))
        });
        batches.flatten().flatten()
    }
}

/// The number of items in the next batch: at least one of them.
fn batch_length(items: &[Item]) -> usize {
    let mut inflated = 0_u64;
    let fits = |item: &&Item| {
        let first = inflated == 0;
        inflated = inflated.saturating_add(item.inflated_size());
        first || inflated <= BATCH_INFLATED
    };
    items.iter().take(BATCH).take_while(fits).count()
}

impl Item {
    /// The asset, opened; `None` for a file in a folder that is no asset.
    pub fn load(&self, opener: &Opener, options: &ParseOptions) -> Option<Result<Loaded, Fault>> {
        Some(self.open(opener)?.map(|bytes| Loaded::new(bytes, options)))
    }

    /// The row of the asset; `None` for a file in a folder that is no asset.
    pub fn row(&self, opener: &Opener, options: &Options) -> Option<Row> {
        let address = self.address();
        let (path, entry) = (address.path().display().to_string(), address.entry().map(ToOwned::to_owned));
        if let Some((file, is_promised)) = self.as_file().filter(|_| !options.content_hash && !options.extent) {
            match read_headers(file, is_promised, &path, options) {
                Ok(Read::Row(row)) => return Some(*row),
                Ok(Read::PassedOver) => return None,
                // A file without a size, or a failed read: opening the whole file gives the fault.
                Ok(Read::Whole) | Err(_) => {}
            }
        }
        if let Some(row) = self.cold_row(&path, entry.as_deref(), options) {
            return Some(row);
        }
        Some(match self.open(opener)? {
            Ok(bytes) => Row::of(path, entry, &bytes, options),
            Err(fault) => Row { joins: options.joins.then(Joins::default), ..Row::unreadable(path, entry, fault) },
        })
    }
}

impl Item {
    /// The row of a stored entry whose headers are not in memory, from the file of the archive; `None` where the map of
    /// the archive serves.
    fn cold_row(&self, path: &str, entry: Option<&str>, options: &Options) -> Option<Row> {
        let Place::Entry { archive, entry: number } = &self.place else { return None };
        if options.content_hash || options.extent {
            return None;
        }
        let file = archive.cold_file()?;
        let record = archive.entry(*number)?;
        let size = to_u64(archive.archive.bytes().len());
        let parts = FileParts::shared(file, size, WINDOW.take());
        let row = archive
            .archive
            .stored_in(&record, &parts)
            .and_then(|data| Row::of_headers(path.to_owned(), entry.map(ToOwned::to_owned), &data, options).ok());
        WINDOW.set(parts.into_buffer());
        row
    }
}

/// The result of reading a file in parts.
enum Read {
    Row(Box<Row>),
    /// A file in a folder that is no asset.
    PassedOver,
    /// The whole file must be read.
    Whole,
}

thread_local! {
    /// The buffer in which this thread reads files.
    static WINDOW: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// The row of a file, from its headers. `is_promised`: the name promises an asset.
fn read_headers(file: &Path, is_promised: bool, path: &str, options: &Options) -> io::Result<Read> {
    let parts = FileParts::open_with(file, WINDOW.take())?;
    let read = match sniff_source(&parts) {
        _ if parts.size() == 0 => Ok(Read::Whole),
        Err(ReadError::Format(_)) if !is_promised => Ok(Read::PassedOver),
        _ => Row::of_headers(path.to_owned(), None, &parts, options).map(|row| Read::Row(Box::new(row))),
    };
    WINDOW.set(parts.into_buffer());
    read
}
