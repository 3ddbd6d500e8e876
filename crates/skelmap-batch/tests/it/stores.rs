//! A store of the user's own: rows of its objects.

use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;

use skelmap::ParseOptions;
use skelmap::archive::Limits;
use skelmap::mapping::{Listed, Mapping, Object, Opener, Store};
use skelmap_batch::items::{Need, Options, Sources};
use skelmap_batch::{Run, Source, Watch};
use test_support::corpus::file;
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

/// A hundred times the same object, and the number of times that a batch was asked for.
#[derive(Debug, Default)]
struct Hundred(Arc<AtomicUsize>);

#[derive(Debug)]
struct One(Mapping<'static>, Arc<AtomicUsize>);

impl Store for Hundred {
    fn owns(&self, address: &str) -> bool {
        address.starts_with("hundred://")
    }

    fn open(&self, _: &str) -> io::Result<Arc<dyn Object>> {
        Ok(Arc::new(One(file("actorx/mesh/classic.psk").into(), Arc::clone(&self.0))))
    }

    fn list(&self, prefix: &str) -> io::Result<Vec<Listed>> {
        (0..100)
            .map(|index| Ok(Listed { address: format!("{prefix}{index}.psk"), object: self.open(prefix)? }))
            .collect()
    }
}

impl Object for One {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, range: Range<u64>) -> io::Result<Mapping<'static>> {
        let [start, end] = [range.start, range.end].map(|at| usize::try_from(at).unwrap());
        self.0.part(start..end).ok_or(io::ErrorKind::UnexpectedEof.into())
    }

    fn prefetch(&self, _: Vec<Range<u64>>) {
        self.1.fetch_add(1, SeqCst);
    }
}

#[test]
fn a_run_that_was_asked_to_stop_asks_a_store_for_nothing_more() {
    let asked = Arc::new(AtomicUsize::new(0));
    let opener = Opener::reading().with_store(Arc::new(Hundred(Arc::clone(&asked))));
    let mut sources = Sources::find(&[PathBuf::from("hundred://")], &opener, &Limits::default());
    sources.set_batch(1);
    assert_eq!(sources.items().len(), 100);
    let (watch, source) = (Watch::default(), Source::new(opener, ParseOptions::default()));
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
    assert!(asked.load(SeqCst) <= 3, "{} of 100", asked.load(SeqCst));
}
