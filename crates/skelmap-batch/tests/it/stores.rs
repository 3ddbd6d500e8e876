//! A store of the user's own: rows of its objects.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Mutex};

use skelmap::ParseOptions;
use skelmap::archive::Limits;
use skelmap::mapping::{Mapping, Object, Opener, Store};
use skelmap_batch::items::{Item, Need, Options, Sources};
use skelmap_batch::{Run, Source, Watch};
use test_support::build_zip::{Entry, Zip};
use test_support::store::store;

#[test]
fn rows_of_an_own_store_are_those_of_its_objects_and_a_fault_has_the_code_of_the_store() {
    let (opener, requests) = store();
    let rows = |address: &str| {
        let sources = Sources::find(&[PathBuf::from(address)], &opener, &Limits::default());
        sources.rows(&Options::default()).collect::<Vec<_>>()
    };
    let found = rows("memory://mods/");
    assert!(found.iter().all(|row| row.error.is_none()), "{found:?}");
    assert!(found.len() > 3, "two files and the entries of an archive");
    assert!(requests.load(SeqCst) <= 6 + 3 * found.len());
    let codes = |address: &str| rows(address)[0].error.as_ref().map(|fault| (fault.kind, fault.message.clone()));
    assert_eq!(codes("memory://full.psa"), Some(("out-of-memory", "the store is full".to_owned())));
    assert_eq!(codes("memory://nothing.psa").unwrap().0, "not-found");
}

/// What was asked for ahead: the archive, and the number of ranges.
type Asked = Arc<Mutex<Vec<(String, usize)>>>;

/// Archives in a store without lists.
#[derive(Debug, Default)]
struct Archives(BTreeMap<String, Mapping<'static>>, Asked);

#[derive(Debug)]
struct One(String, Mapping<'static>, Asked);

impl Store for Archives {
    fn owns(&self, address: &str) -> bool {
        address.starts_with("archives://")
    }

    fn open(&self, address: &str) -> io::Result<Arc<dyn Object>> {
        let bytes = self.0.get(address).ok_or(io::ErrorKind::NotFound)?;
        Ok(Arc::new(One(address.to_owned(), bytes.clone(), Arc::clone(&self.1))))
    }
}

impl Object for One {
    fn size(&self) -> u64 {
        self.1.len() as u64
    }

    fn read(&self, range: Range<u64>) -> io::Result<Mapping<'static>> {
        let [start, end] = [range.start, range.end].map(|at| usize::try_from(at).unwrap());
        self.1.part(start..end).ok_or(io::ErrorKind::UnexpectedEof.into())
    }

    fn prefetch(&self, ranges: Vec<Range<u64>>) {
        self.2.lock().unwrap().push((self.0.clone(), ranges.len()));
    }
}

/// The entries of archives with entries of so many compressed bytes, and what is asked for of them.
fn stored(archives: &[(&str, &[usize])]) -> (Sources, Source, Asked) {
    let mut store = Archives::default();
    for (address, sizes) in archives {
        let entry = |(index, size): (usize, &usize)| {
            Entry::deflated(format!("{index}.psk"), []).with(|entry| entry.body = Some(vec![0; *size]))
        };
        let zip = Zip::of(sizes.iter().enumerate().map(entry)).build();
        store.0.insert((*address).to_owned(), zip.bytes.into());
    }
    let asked = Arc::clone(&store.1);
    let source = Source::new(Opener::reading().with_store(Arc::new(store)), ParseOptions::default());
    let paths: Vec<PathBuf> = archives.iter().map(|(address, _)| address.into()).collect();
    (Sources::find(&paths, &source.opener, &Limits::default()), source, asked)
}

#[test]
fn a_run_that_was_asked_to_stop_asks_a_store_for_nothing_more() {
    let (mut sources, source, asked) = stored(&[("archives://hundred.zip", &[9; 100])]);
    sources.set_batch(1);
    assert_eq!(sources.items().len(), 100);
    let watch = Watch::default();
    let run = Run { jobs: None, watch: Some(&watch) };
    let ended = run.items(
        &sources,
        &source,
        Need::Content,
        |_| Some(()),
        |()| {
            watch.stop();
            Ok(())
        },
    );
    assert_eq!(ended.unwrap_err().kind(), io::ErrorKind::Interrupted);
    // The first batch, the second, which is asked for meanwhile, and the third with the second.
    let ranges: usize = asked.lock().unwrap().iter().map(|(_, ranges)| ranges).sum();
    assert!((1..=3).contains(&ranges), "{ranges} of 100");
}

/// What is asked for of each archive, batch by batch.
fn asked_of(archives: &[(&str, &[usize])]) -> Vec<(String, usize)> {
    let (sources, _, asked) = stored(archives);
    assert_eq!(sources.map(Need::Content, |_| Some(())).count(), sources.items().len());
    let asked = asked.lock().unwrap();
    asked.clone()
}

#[test]
fn each_archive_of_a_batch_is_asked_for_its_own_entries() {
    let [one, other] = ["archives://one.zip", "archives://other.zip"];
    let asked = asked_of(&[(one, &[1, 2]), (other, &[3, 4, 5])]);
    assert_eq!(asked, [(one.to_owned(), 2), (other.to_owned(), 3)]);
}

/// With each entry, 30 bytes of its header, 5 of its name and 64 of extra fields are asked for.
#[test]
fn stores_are_asked_for_16_mib_ahead_and_no_more() {
    const HALF: usize = (8 << 20) - 99;
    let batches = |sizes: &[usize]| -> Vec<usize> {
        asked_of(&[("archives://large.zip", sizes)]).into_iter().map(|(_, ranges)| ranges).collect()
    };
    assert_eq!(batches(&[HALF, HALF, 1]), [2, 1]);
    assert_eq!(batches(&[HALF + 1, HALF, 1]), [1, 2]);
}

/// The docs of [`Sources`]: extensions of assets are objects, and anything else is a prefix, if the store lists objects below it.
#[test]
fn an_address_is_an_object_or_a_prefix_by_its_name() {
    let (opener, _) = store();
    let found = |address: &str| Sources::find(&[PathBuf::from(address)], &opener, &Limits::default());
    let names = |address: &str| found(address).items().iter().map(Item::address).collect::<Vec<_>>();
    assert!(names("memory://mods/").len() > 3);
    assert_eq!(names("memory://mods"), names("memory://mods/"));
    // An object is not looked for in a list.
    assert!(found("memory://mods/fox.psk").items().iter().all(Item::is_named));
    // A store without lists has no prefixes, and what may be an object is opened as one.
    let (_, source, _) = stored(&[]);
    let kind = |address: &str| {
        let sources = Sources::find(&[PathBuf::from(address)], &source.opener, &Limits::default());
        let kinds: Vec<_> = sources.rows(&Options::default()).map(|row| row.error.map(|fault| fault.kind)).collect();
        kinds
    };
    assert_eq!(kind("archives://mods/"), [Some("io")]);
    assert_eq!(kind("archives://mods"), [Some("not-found")]);
}
