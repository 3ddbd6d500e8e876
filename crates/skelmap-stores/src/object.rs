//! One object: its size, its version, and its bytes.

use core::cell::Cell;
use core::fmt::{self, Debug, Formatter};
use core::ops::Range;
use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use bytes::Bytes;
use futures_util::StreamExt;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, GetResult, ObjectMeta, ObjectStore};
use skelmap::mapping::{Mapping, Object};
use skelmap::shared::{to_u64, to_usize};
use skelmap::{ReadAt, Windowed};

use super::error::RemoteError;
use super::session::Remote;

/// One object in a store, in the version of the first answer. A clone is free.
///
/// Each read is one request, unless [`prefetch`](Object::prefetch) has already read the bytes; [`ObjectParts`] serves
/// small, adjacent reads. After a failure (the object changed, the store is unreachable, the limit is reached), all later calls
/// fail at once, so that thousands of readers do not wait for the same error.
///
/// Calls block the thread and may come from any thread, including those of an asynchronous runtime.
#[derive(Clone)]
pub struct RemoteObject {
    inner: Arc<Inner>,
}

struct Inner {
    remote: Remote,
    store: Arc<dyn ObjectStore>,
    meta: ObjectMeta,
    /// The part from the first answer.
    first: (u64, Bytes),
    /// Prefetched ranges that have arrived.
    prefetched: RwLock<Pieces>,
    /// Prefetched ranges that are not awaited yet.
    pending: Mutex<Vec<Fetching>>,
    failed: OnceLock<RemoteError>,
}

/// The first request for a file: the headers of most files.
pub(super) const HEAD: GetRange = GetRange::Bounded(0..4 << 10);

/// The first request for an archive: the end of its directory, with the longest comment.
pub(super) const END: GetRange = GetRange::Suffix(128 << 10);

/// The maximum size of all windows of [`ObjectParts`] together.
const MAX_WINDOW_BYTES: u64 = 16 << 20;

impl RemoteObject {
    /// An object of any store of `object_store`, for example one in memory or one with the caller's credentials.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use skelmap_stores::{Remote, RemoteObject, object_store::memory::InMemory};
    ///
    /// let remote = Remote::new(Default::default());
    /// let missing = RemoteObject::open(&remote, Arc::new(InMemory::new()), "art/walk.psa");
    /// assert_eq!(missing.unwrap_err().to_string(), "there is no such object");
    /// ```
    ///
    /// # Errors
    /// [`RemoteError`] if the first bytes cannot be read.
    pub fn open(remote: &Remote, store: Arc<dyn ObjectStore>, path: &str) -> Result<Self, RemoteError> {
        let path = Path::parse(path).map_err(RemoteError::address)?;
        Self::begin(remote, store, path, HEAD)
    }

    /// Requests the first bytes, the size and the version.
    pub(super) fn begin(
        remote: &Remote,
        store: Arc<dyn ObjectStore>,
        path: Path,
        first: GetRange,
    ) -> Result<Self, RemoteError> {
        let asked = Arc::clone(&store);
        let (meta, first) = remote.wait(async move { begin(&*asked, &path, first).await })??;
        Ok(Self::new(remote, store, meta, first))
    }

    /// An object with its size, its version and a part of its bytes. Makes no request.
    pub(super) fn new(remote: &Remote, store: Arc<dyn ObjectStore>, meta: ObjectMeta, first: (u64, Bytes)) -> Self {
        let (prefetched, pending, failed) = (RwLock::default(), Mutex::default(), OnceLock::new());
        Self { inner: Arc::new(Inner { remote: remote.clone(), store, meta, first, prefetched, pending, failed }) }
    }

    /// Size of the object in bytes.
    pub fn size(&self) -> u64 {
        self.inner.meta.size
    }

    /// The bytes of a range, as far as the object has them. One request, or concurrent requests of 8 MiB; none if the bytes are
    /// in memory.
    ///
    /// # Errors
    /// [`RemoteError`]; [`TooLarge`](RemoteError::TooLarge) for more than
    /// [`Options::max_object`](super::Options::max_object).
    pub fn read(&self, range: Range<u64>) -> Result<Bytes, RemoteError> {
        let limit = self.inner.remote.options().max_object;
        let range = range.start.min(self.size())..range.end.min(self.size());
        if range.is_empty() {
            return Ok(Bytes::new());
        }
        let size = range.end.saturating_sub(range.start);
        if size > limit {
            return Err(RemoteError::TooLarge { size, limit });
        }
        if let Some(bytes) = self.known(range.clone()) {
            return Ok(bytes);
        }
        if let Some(failed) = self.inner.failed.get() {
            return Err(failed.clone());
        }
        let parts = self.wait(self.fetch(split(range.clone()).collect()))?;
        let pieces: Pieces = parts.into_iter().collect();
        pieces.range(range).ok_or_else(|| RemoteError::unavailable("a part is missing"))
    }

    /// Bytes that are in memory.
    fn known(&self, range: Range<u64>) -> Option<Bytes> {
        let (start, first) = &self.inner.first;
        let place = |at: u64| at.checked_sub(*start).map(to_usize).filter(|at| *at <= first.len());
        match (place(range.start), place(range.end)) {
            (Some(from), Some(to)) if from <= to => Some(first.slice(from..to)),
            _ => self.inner.prefetched.read().unwrap_or_else(PoisonError::into_inner).range(range),
        }
    }

    /// Starts fetching ranges. The answers arrive in any order.
    fn fetch(&self, ranges: Vec<Range<u64>>) -> Fetching {
        let (sender, receiver) = std::sync::mpsc::channel();
        let count = ranges.len();
        for range in ranges {
            let (object, sender) = (self.clone(), sender.clone());
            self.inner.remote.spawn(async move {
                let start = range.start;
                let fetched = object.fetch_one(range).await;
                // The receiver is gone.
                let _ = sender.send(fetched.map(|bytes| (start, bytes)));
            });
        }
        Fetching { receiver, count }
    }

    /// Waits for ranges. The first error is kept.
    fn wait(&self, fetching: Fetching) -> Result<Vec<(u64, Bytes)>, RemoteError> {
        let answers = fetching.receiver.into_iter().take(fetching.count);
        let parts: Result<Vec<_>, RemoteError> = answers.collect();
        let parts = parts.and_then(|parts| {
            let is_whole = parts.len() == fetching.count;
            is_whole
                .then_some(parts)
                .ok_or_else(|| RemoteError::unavailable("the system cannot start threads for requests"))
        });
        parts.inspect_err(|error| {
            let _ = self.inner.failed.set(error.clone());
        })
    }

    /// One request.
    async fn fetch_one(&self, range: Range<u64>) -> Result<Bytes, RemoteError> {
        let inner = &*self.inner;
        let _permit = inner.remote.permit().await;
        let tag = inner.meta.e_tag.clone().filter(|tag| !tag.starts_with("W/"));
        let options = GetOptions { range: Some(GetRange::Bounded(range.clone())), if_match: tag, ..Default::default() };
        let got = inner.store.get_opts(&inner.meta.location, options).await?;
        if !is_same(&inner.meta, &got.meta) {
            return Err(RemoteError::Changed);
        }
        let expected = range.start..range.end.min(inner.meta.size);
        body(got, expected).await
    }
}

/// Whether two answers are about the same version. A weak tag equals the strong one. An answer without a tag after one with a tag
/// is about another version: nothing else tells two versions of one size and second apart.
fn is_same(first: &ObjectMeta, other: &ObjectMeta) -> bool {
    let tag = |meta: &ObjectMeta| meta.e_tag.as_deref().map(|tag| tag.trim_start_matches("W/").to_owned());
    let is_same_tag = match (tag(first), tag(other)) {
        (Some(first), Some(other)) => first == other,
        (Some(_), None) => false,
        (None, _) => first.last_modified == other.last_modified,
    };
    is_same_tag && first.size == other.size
}

/// The first request of an object. If the object is empty, or the store cannot read from the end, its size is requested first.
async fn begin(
    store: &dyn ObjectStore,
    path: &Path,
    first: GetRange,
) -> Result<(ObjectMeta, (u64, Bytes)), RemoteError> {
    let options = GetOptions { range: Some(first.clone()), ..Default::default() };
    let error = match store.get_opts(path, options).await {
        Ok(got) => {
            let meta = got.meta.clone();
            let expected = first.as_range(meta.size).unwrap_or(0..0);
            return Ok((meta, (expected.start, body(got, expected).await?)));
        }
        Err(error @ (object_store::Error::Generic { .. } | object_store::Error::NotSupported { .. })) => {
            RemoteError::from(error)
        }
        Err(error) => return Err(error.into()),
    };
    let head =
        store.get_opts(path, GetOptions { head: true, ..Default::default() }).await.map_err(|_| error.clone())?;
    if head.meta.size == 0 || first == END && !matches!(error, RemoteError::Limit { .. }) {
        return Ok((head.meta, (0, Bytes::new())));
    }
    Err(error)
}

/// The bytes of an answer, if they are the expected range.
async fn body(got: GetResult, expected: Range<u64>) -> Result<Bytes, RemoteError> {
    if got.range != expected {
        let reason = format!("requested bytes {} to {}, but received others", expected.start, expected.end);
        return Err(RemoteError::NoRanges { reason: reason.into() });
    }
    let asked = expected.end.saturating_sub(expected.start);
    let wrong = |sent: Box<str>| RemoteError::Length { asked, sent };
    let mut stream = got.into_stream();
    let first = stream.next().await.transpose()?.unwrap_or_default();
    if to_u64(first.len()) == asked {
        return Ok(first);
    }
    let mut all = first.to_vec();
    while let Some(part) = stream.next().await.transpose()? {
        if to_u64(all.len()).saturating_add(to_u64(part.len())) > asked {
            return Err(wrong("more".into()));
        }
        all.extend_from_slice(&part);
    }
    if to_u64(all.len()) == asked { Ok(all.into()) } else { Err(wrong(all.len().to_string().into())) }
}

/// Copies bytes to the beginning of a buffer, as far as it has space, and returns their number.
fn copy(bytes: &[u8], into: &mut [u8]) -> usize {
    let Ok(copied) = bytes.read_at(0, into);
    copied
}

/// Requested ranges.
struct Fetching {
    receiver: Receiver<Result<(u64, Bytes), RemoteError>>,
    count: usize,
}

impl Debug for RemoteObject {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let meta = &self.inner.meta;
        f.debug_struct("RemoteObject").field("path", &meta.location).field("size", &meta.size).finish_non_exhaustive()
    }
}

impl Object for RemoteObject {
    fn size(&self) -> u64 {
        self.size()
    }

    fn read(&self, range: Range<u64>) -> io::Result<Mapping<'static>> {
        Ok(Mapping::from_owner(self.read(range)?))
    }

    fn is_versioned(&self) -> bool {
        self.inner.meta.e_tag.is_some()
    }

    fn parts(&self) -> Box<dyn ReadAt<Error = io::Error> + '_> {
        Box::new(ObjectParts::new(self))
    }

    /// Adjacent ranges are in one request, and many requests run concurrently.
    fn prefetch(&self, ranges: Vec<Range<u64>>) {
        if self.inner.failed.get().is_some() {
            return;
        }
        let missing = {
            let known = self.inner.prefetched.read().unwrap_or_else(PoisonError::into_inner);
            ranges.into_iter().filter_map(|range| known.missing(range)).collect()
        };
        let fetching = self.fetch(coalesce(missing));
        self.inner.pending.lock().unwrap_or_else(PoisonError::into_inner).push(fetching);
    }

    /// Drops the ranges of the previous call.
    fn advance(&self) {
        let pending = core::mem::take(&mut *self.inner.pending.lock().unwrap_or_else(PoisonError::into_inner));
        let arrived: Pieces = pending.into_iter().filter_map(|fetching| self.wait(fetching).ok()).flatten().collect();
        *self.inner.prefetched.write().unwrap_or_else(PoisonError::into_inner) = arrived;
    }
}

impl ReadAt for RemoteObject {
    type Error = RemoteError;

    fn size(&self) -> u64 {
        self.size()
    }

    /// One request, unless the bytes are in memory.
    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize, RemoteError> {
        let bytes = self.read(offset..offset.saturating_add(to_u64(into.len())))?;
        Ok(copy(&bytes, into))
    }
}

/// An object that is read in small parts, like a file: adjacent reads share a request. Like
/// [`FileParts`](skelmap::mapping::FileParts), it is `Send`, not `Sync`. Its errors contain a [`RemoteError`].
#[derive(Debug)]
pub struct ObjectParts {
    object: Windowed<Limited>,
}

impl ObjectParts {
    /// The parts of an object, in the windows of [`Windowed`]. All windows together have at most 16 MiB: headers need less, and
    /// a store that invents terabytes of them is abandoned.
    pub fn new(object: &RemoteObject) -> Self {
        let limited = Limited { object: object.clone(), left: Cell::new(MAX_WINDOW_BYTES) };
        Self { object: Windowed::with_windows(limited, 4 << 10, 1 << 10) }
    }
}

impl ReadAt for ObjectParts {
    type Error = io::Error;

    fn size(&self) -> u64 {
        self.object.size()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> io::Result<usize> {
        let end = offset.saturating_add(to_u64(into.len())).min(self.size());
        if let Some(bytes) = self.object.source().object.known(offset..end.max(offset)) {
            return Ok(copy(&bytes, into));
        }
        Ok(self.object.read_at(offset, into)?)
    }
}

/// An object with a limit on the bytes that are read.
#[derive(Debug)]
struct Limited {
    object: RemoteObject,
    /// The remaining bytes.
    left: Cell<u64>,
}

impl ReadAt for Limited {
    type Error = RemoteError;

    fn size(&self) -> u64 {
        self.object.size()
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize, RemoteError> {
        let left = self.left.get().checked_sub(to_u64(into.len()));
        self.left.set(left.ok_or_else(|| RemoteError::unavailable("its headers do not end within 16 MiB"))?);
        self.object.read_at(offset, into)
    }
}

/// The gap between two ranges up to which they are read together: a request costs more time than these bytes.
const GAP: u64 = 64 << 10;

/// The maximum size of a request. A longer range becomes several concurrent requests.
pub(super) const MAX_REQUEST_BYTES: u64 = 8 << 20;

/// Joins adjacent ranges and splits long ones. The result is sorted, without empty ranges.
pub(super) fn coalesce(mut wanted: Vec<Range<u64>>) -> Vec<Range<u64>> {
    wanted.retain(|range| !range.is_empty());
    wanted.sort_unstable_by_key(|range| range.start);
    let mut joined: Vec<Range<u64>> = Vec::new();
    for range in wanted {
        match joined.last_mut() {
            Some(last) if range.start <= last.end.saturating_add(GAP) => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined.into_iter().flat_map(split).collect()
}

/// Requests of at most [`MAX_REQUEST_BYTES`] bytes each.
pub(super) fn split(range: Range<u64>) -> impl Iterator<Item = Range<u64>> {
    let starts = (range.start..range.end).step_by(to_usize(MAX_REQUEST_BYTES));
    starts.map(move |start| start..start.saturating_add(MAX_REQUEST_BYTES).min(range.end))
}

/// Parts of an object, by their first byte.
#[derive(Debug, Default)]
pub(super) struct Pieces(BTreeMap<u64, Bytes>);

impl FromIterator<(u64, Bytes)> for Pieces {
    /// The longer of two pieces at one offset is kept.
    fn from_iter<I: IntoIterator<Item = (u64, Bytes)>>(parts: I) -> Self {
        let mut pieces = BTreeMap::new();
        for (start, bytes) in parts {
            let known: &mut Bytes = pieces.entry(start).or_default();
            if known.len() < bytes.len() {
                *known = bytes;
            }
        }
        Self(pieces)
    }
}

impl Pieces {
    /// The bytes from an offset to the end of its piece. Pieces may overlap; the last one that begins before the offset is
    /// used.
    fn from(&self, offset: u64) -> Option<Bytes> {
        let (start, bytes) = self.0.range(..=offset).next_back()?;
        let skipped = usize::try_from(offset.checked_sub(*start)?).ok()?;
        (skipped < bytes.len()).then(|| bytes.slice(skipped..))
    }

    /// The rest of a range from its first missing byte on.
    pub(super) fn missing(&self, range: Range<u64>) -> Option<Range<u64>> {
        let mut start = range.start;
        while start < range.end {
            let Some(found) = self.from(start) else { return Some(start..range.end) };
            start = start.saturating_add(to_u64(found.len()));
        }
        None
    }

    /// A range, in one piece if it lies in one piece; `None` if a byte is missing.
    pub(super) fn range(&self, range: Range<u64>) -> Option<Bytes> {
        let length = usize::try_from(range.end.checked_sub(range.start)?).ok()?;
        if length == 0 {
            return Some(Bytes::new());
        }
        let first = self.from(range.start)?;
        if first.len() >= length {
            return Some(first.slice(..length));
        }
        let mut all = Vec::with_capacity(length);
        while all.len() < length {
            let part = self.from(range.start.saturating_add(to_u64(all.len())))?;
            let rest = length.saturating_sub(all.len()).min(part.len());
            all.extend_from_slice(part.get(..rest)?);
        }
        Some(all.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(parts: &[(u64, &'static str)]) -> Pieces {
        parts.iter().map(|(start, text)| (*start, Bytes::from(*text))).collect()
    }

    #[test]
    fn pieces_are_put_together_as_far_as_they_reach() {
        let pieces = pieces(&[(10, "abc"), (10, "abcdef"), (10, "ab"), (14, "efgh"), (20, "xyz")]);
        let text = |range: Range<u64>| pieces.range(range).map(|own| String::from_utf8(own.to_vec()).unwrap());
        for (range, expected) in [
            (10..16, Some("abcdef")),
            (11..13, Some("bc")),
            (10..18, Some("abcdefgh")),
            (12..19, None),
            (20..23, Some("xyz")),
            (20..24, None),
            (9..11, None),
            (30..30, Some("")),
        ] {
            assert_eq!(text(range.clone()).as_deref(), expected, "{range:?}");
        }
        for (range, expected) in
            [(10..18, None), (10..19, Some(18..19)), (9..12, Some(9..12)), (20..23, None), (22..25, Some(23..25))]
        {
            assert_eq!(pieces.missing(range.clone()), expected, "{range:?}");
        }
    }
}
