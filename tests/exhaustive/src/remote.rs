//! Stores that lie: what is read of an object is an error, or the bytes of the object.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use skelmap::archive::Directory;
use skelmap::mapping::Object;
use skelmap::{Headers, ParseOptions, ReadAt};
use skelmap_stores::object_store::path::Path;
use skelmap_stores::object_store::{
    Attributes, CopyOptions, Error, Extensions, GetOptions, GetRange, GetResult, GetResultPayload, ListResult,
    MultipartUpload, ObjectMeta, ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use skelmap_stores::{ObjectParts, Options, Remote, RemoteObject};

use test_support::any_bytes::archive::limits;
use test_support::with;

/// A store with one object. Each byte of the script says how one answer lies; the script begins again after its end.
#[derive(Debug)]
struct Liar {
    bytes: Bytes,
    script: Vec<u8>,
    answers: AtomicUsize,
}

impl Display for Liar {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("a store that lies")
    }
}

fn refused() -> Error {
    Error::NotSupported { source: "no".into() }
}

fn generic() -> Error {
    Error::Generic { store: "liar", source: "out of order".into() }
}

/// The range that is asked for, as far as the object goes.
fn asked(range: Option<&GetRange>, size: u64) -> Option<Range<u64>> {
    let range = match range {
        None => 0..size,
        Some(GetRange::Bounded(range)) => range.start..range.end.min(size),
        Some(GetRange::Offset(start)) => *start..size,
        Some(GetRange::Suffix(length)) => size.saturating_sub(*length)..size,
    };
    (range.start < range.end || size == 0).then_some(range)
}

impl Liar {
    fn answer(&self, location: &Path, options: &GetOptions) -> Result<GetResult> {
        let number = self.answers.fetch_add(1, Ordering::Relaxed);
        let lie = self.script.get(number % self.script.len().max(1)).copied().unwrap_or(0);
        let size = self.bytes.len() as u64;
        let Some(mut range) = asked(options.range.as_ref(), size) else { return Err(generic()) };
        let mut body = self.bytes.slice(range.start as usize..range.end as usize);
        let mut meta = ObjectMeta {
            location: location.clone(),
            last_modified: std::time::UNIX_EPOCH.into(),
            size,
            e_tag: (lie & 0x80 == 0).then(|| "tag".to_owned()),
            version: None,
        };
        let mut end = None;
        // Half of the answers are true.
        match lie & 0x1F {
            1 => return Err(generic()),
            2 => return Err(Error::NotFound { path: location.to_string(), source: "no".into() }),
            3 => return Err(Error::Precondition { path: location.to_string(), source: "no".into() }),
            4 => return Err(refused()),
            5 => meta.size = u64::MAX,
            6 => meta.size /= 2,
            7 => meta.size += 1,
            8 => meta.e_tag = Some("W/tag".to_owned()),
            9 => (meta.e_tag, body) = (Some("other".to_owned()), Bytes::from(vec![lie; body.len()])),
            10 => body = body.slice(..body.len() / 2),
            11 => body = [&body[..], &[lie; 9]].concat().into(),
            12 => range = range.start + 1..range.end + 1,
            13 => range = 0..u64::MAX,
            14 => (range.start, range.end) = (range.end, range.start),
            15 => (range, body) = (0..size, self.bytes.clone()),
            16 => end = Some(generic()),
            17 => body = Bytes::new(),
            _ => {}
        }
        // The body in pieces, of which some are empty.
        let step = usize::from(lie >> 5 & 3) * 700 + 1;
        let pieces = if step == 1 { vec![body] } else { body.chunks(step).map(Bytes::copy_from_slice).collect() };
        let pieces = pieces.into_iter().flat_map(|piece| [Ok(Bytes::new()), Ok(piece)]).chain(end.map(Err));
        let payload = GetResultPayload::Stream(stream::iter(pieces.collect::<Vec<_>>()).boxed());
        Ok(GetResult { payload, meta, range, attributes: Attributes::new(), extensions: Extensions::default() })
    }
}

#[async_trait::async_trait]
impl ObjectStore for Liar {
    async fn put_opts(&self, _: &Path, _: PutPayload, _: PutOptions) -> Result<PutResult> {
        Err(refused())
    }

    async fn put_multipart_opts(&self, _: &Path, _: PutMultipartOptions) -> Result<Box<dyn MultipartUpload>> {
        Err(refused())
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        self.answer(location, &options)
    }

    fn delete_stream(&self, _: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        stream::once(async { Err(refused()) }).boxed()
    }

    fn list(&self, _: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        stream::once(async { Err(refused()) }).boxed()
    }

    async fn list_with_delimiter(&self, _: Option<&Path>) -> Result<ListResult> {
        Err(refused())
    }

    async fn copy_opts(&self, _: &Path, _: &Path, _: CopyOptions) -> Result<()> {
        Err(refused())
    }
}

/// The connections of all inputs, with limits that no honest input meets.
static REMOTE: LazyLock<Remote> = LazyLock::new(|| {
    Remote::new(with(Options::default(), |own| {
        own.max_object = 1 << 20;
        own.retries = 0;
    }))
});

/// The input is the length of a script, the script, and an object. A store that states another size from the first answer on is
/// believed: a read gives bytes of the object, or fails.
pub fn remote(bytes: &[u8]) {
    let Some((length, rest)) = bytes.split_first() else { return };
    let (script, bytes) = rest.split_at_checked(usize::from(*length % 32)).unwrap_or((rest, &[]));
    let open = || {
        let store =
            Liar { bytes: Bytes::copy_from_slice(bytes), script: script.to_vec(), answers: AtomicUsize::new(0) };
        RemoteObject::open(&REMOTE, Arc::new(store), "x.psa")
    };
    // Other bytes have another tag: they are refused, unless they come first, or some answers have no tag.
    let is_other = |lie: &u8| lie & 0x1F == 9;
    let is_unpinned =
        script.first().is_some_and(is_other) || script.iter().any(is_other) && script.iter().any(|lie| lie & 0x80 != 0);
    let is_same = |first: &[u8], at: u64| {
        let found = bytes.get(at as usize..).and_then(|rest| rest.get(..first.len()));
        first.is_empty() || found == Some(first) || is_unpinned
    };
    let places = [0..10, 0..5000, 1..2, 4000..9000, 100..100];
    if let Ok(object) = open() {
        for range in places.clone() {
            let end = range.end.min(object.size());
            if let Ok(read) = object.read(range.start.min(end)..end) {
                assert!(is_same(&read, range.start.min(end)), "{range:?}");
            }
        }
    }
    if let Ok(object) = open() {
        object.prefetch(places.to_vec());
        object.advance();
        let parts = ObjectParts::new(&object);
        for range in places {
            let mut into = vec![0; (range.end - range.start) as usize];
            if let Ok(read) = parts.read_at(range.start, &mut into) {
                assert!(is_same(&into[..read], range.start), "{range:?}");
            }
        }
    }
    let is_true = script.iter().all(|lie| lie & 0x9F == 0);
    let options = ParseOptions::default();
    let read = open().map(|object| {
        let headers = Headers::read(&ObjectParts::new(&object), &options);
        let directory = Directory::read(&object, &limits()).map(|directory| directory.len());
        (headers, directory)
    });
    if is_true && !bytes.is_empty() {
        let (headers, directory) = read.expect("a store that tells the truth");
        let expected = Headers::read(bytes, &options);
        assert_eq!(headers.map(|headers| headers.summary).ok(), expected.map(|headers| headers.summary).ok());
        let expected = Directory::read(bytes, &limits()).map(|directory| directory.len());
        assert_eq!(directory.ok(), expected.ok());
    }
}
