//! Rows of many assets: read in parallel, handed out in order.

use rayon::prelude::*;

use super::headers::{self, Read};
use super::loaded::Loaded;
use super::row::{Fault, Joins, Row};
use super::source::{Item, Opened, Sources};
use crate::asset::{Asset, ParseOptions};
use crate::mapping::Opener;

/// Items handed to the threads at a time; their results are handed out before the next are begun.
const BATCH: usize = 1024;

/// Bytes that the entries of a batch may be inflated to, but for a single one: what comes of them is held, and deflate makes a
/// thousand bytes of one.
const BATCH_INFLATED: u64 = 256 << 20;

/// What rows hold, and how assets are taken.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "made by struct update from its default")]
pub struct Options {
    /// How strictly assets are taken.
    pub parse: ParseOptions,
    /// Whether rows have what tables are joined on.
    pub joins: bool,
    /// Whether that has a hash of the content, for which all of every asset is read.
    pub content_hash: bool,
}

impl Sources {
    /// Opens every item, all of it, and hands what `work` makes of it to `give`. As [`each_item`](Sources::each_item).
    ///
    /// # Errors
    /// Those of `give`.
    pub fn each<T: Send, E>(
        &self,
        opener: &Opener,
        options: &ParseOptions,
        work: impl Fn(&Item, Result<Loaded, Fault>) -> Option<T> + Sync,
        give: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        self.each_item(|item| work(item, item.load(opener, options)?), give)
    }

    /// Hands out the row of every asset, in the items' order, until `give` fails. Reads headers only, unless the content is to be
    /// hashed. As [`each_item`](Sources::each_item).
    ///
    /// ```
    /// use skelmap::catalog::{Options, Sources};
    /// use skelmap::mapping::Opener;
    ///
    /// let opener = Opener::reading();
    /// let sources = Sources::find(&["corpus/archive".into()], &opener, &Default::default());
    /// let mut bones = 0;
    /// sources.rows(&opener, &Options::default(), |row| {
    ///     bones += row.summary.bones.unwrap_or(0);
    ///     Ok::<(), std::convert::Infallible>(())
    /// })?;
    /// assert!(bones > 0);
    /// # Ok::<(), std::convert::Infallible>(())
    /// ```
    ///
    /// # Errors
    /// Those of `give`.
    pub fn rows<E>(&self, opener: &Opener, options: &Options, give: impl FnMut(Row) -> Result<(), E>) -> Result<(), E> {
        self.each_item(|item| item.row(opener, options), give)
    }

    /// Hands what `work` makes of every item to `give`, in the items' order, until that fails. Runs on the threads of the current
    /// rayon pool; memory for 1024 results, or fewer where their entries are inflated to more than 256 MiB together.
    ///
    /// # Errors
    /// Those of `give`.
    pub fn each_item<T: Send, E>(
        &self,
        work: impl Fn(&Item) -> Option<T> + Sync,
        mut give: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut left = self.items();
        while let Some((batch, rest)) = left.split_at_checked(batch_length(left)).filter(|(batch, _)| !batch.is_empty())
        {
            left = rest;
            let results: Vec<Option<T>> = batch.par_iter().map(&work).collect();
            results.into_iter().flatten().try_for_each(&mut give)?;
        }
        Ok(())
    }
}

/// How many of some items are a batch, at least one where there is one.
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
    /// Opens it, all of it; `None` for what is passed over.
    pub fn load(&self, opener: &Opener, options: &ParseOptions) -> Option<Result<Loaded, Fault>> {
        match self.open(opener) {
            Opened::PassedOver => None,
            Opened::Failed(fault) => Some(Err(fault)),
            Opened::Bytes(bytes) => Some(Ok(Loaded::new(bytes, options))),
        }
    }

    /// The row of this asset; `None` for what is passed over.
    pub fn row(&self, opener: &Opener, options: &Options) -> Option<Row> {
        if let Some((path, promised)) = self.as_file().filter(|_| !options.content_hash) {
            let row =
                |asset: &Asset<'_>, bytes| Row::of_headers(path.display().to_string(), asset, bytes, options.joins);
            match headers::read(path, promised, &options.parse, row) {
                Ok(Read::Headers(row)) => return Some(row),
                Ok(Read::PassedOver) => return None,
                // What is wrong or odd, the whole file tells.
                Ok(Read::Whole) | Err(_) => {}
            }
        }
        let address = self.address();
        let (path, entry) = (address.path().display().to_string(), address.entry().map(ToOwned::to_owned));
        Some(match self.load(opener, &options.parse)? {
            Err(fault) => {
                let joins = options.joins.then(Joins::default);
                Row { joins, ..Row::unreadable(path, entry, fault) }
            }
            Ok(loaded) => {
                let row = Row::of(path, entry, &loaded);
                if options.joins { row.joined(&loaded, options.content_hash) } else { row }
            }
        })
    }
}
