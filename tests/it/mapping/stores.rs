//! A store of the user's own: its addresses work where paths do, in few requests, and no part that may be secret is shown.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use skelmap::archive::{Address, OpenArchive, SideCar};
use skelmap::catalog::{Options, Sources};
use skelmap::mapping::{Listed, Mapping, Object, Opener, Store, StoreError, is_address, shown, without_secrets};
use skelmap::{Asset, codes};
use test_support::corpus::{file, folder};

/// Objects in memory, by their addresses; and the requests so far.
#[derive(Debug, Default)]
struct Memory {
    objects: BTreeMap<String, Mapping<'static>>,
    requests: Arc<AtomicUsize>,
}

#[derive(Debug)]
struct Stored(Mapping<'static>, Arc<AtomicUsize>);

impl Store for Memory {
    fn owns(&self, address: &str) -> bool {
        address.starts_with("memory://")
    }

    fn open(&self, address: &str) -> io::Result<Arc<dyn Object>> {
        if address.contains("full") {
            return Err(io::Error::other(StoreError::new(codes::OUT_OF_MEMORY, "the store is full")));
        }
        let bytes = self.objects.get(address).ok_or(io::ErrorKind::NotFound)?;
        Ok(Arc::new(Stored(bytes.clone(), Arc::clone(&self.requests))))
    }

    fn list(&self, prefix: &str) -> io::Result<Vec<Listed>> {
        let below = self.objects.keys().filter(|address| address.starts_with(prefix));
        below.map(|address| Ok(Listed { address: address.clone(), object: self.open(address)? })).collect()
    }
}

impl Object for Stored {
    fn size(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, range: Range<u64>) -> io::Result<Mapping<'static>> {
        self.1.fetch_add(1, SeqCst);
        self.0.part(range.start as usize..range.end as usize).ok_or(io::ErrorKind::UnexpectedEof.into())
    }
}

fn store() -> (Opener, Arc<AtomicUsize>) {
    let mut store = Memory::default();
    let public = folder().join("../../corpus");
    let mut put = |name: &str, bytes: Vec<u8>| store.objects.insert(format!("memory://{name}"), bytes.into());
    for name in ["fox.psk", "fox.psa", "fox.config", "fox.pyromod"] {
        put(&format!("mods/{name}"), std::fs::read(public.join(name)).unwrap());
    }
    put("mod.zip", file("archive/mod.zip"));
    put("signed.psa?key=s3cr3t", file("actorx/anim/classic.psa"));
    let requests = Arc::clone(&store.requests);
    (Opener::reading().with_store(Arc::new(store)), requests)
}

#[test]
fn addresses_of_an_own_store_are_opened_as_paths_are() {
    let (opener, requests) = store();
    let walk = Address::find("memory://mod.zip!/art/walk.psa").open(&opener).unwrap();
    assert!(Asset::parse(&walk).is_ok());
    // The end of the archive, the header before the data, and the data.
    assert!(requests.swap(0, SeqCst) <= 4);
    let animation = Address::find("memory://mods/fox.psa");
    assert_eq!(
        opener.open(animation.path()).unwrap()[..],
        std::fs::read(folder().join("../../corpus/fox.psa")).unwrap()
    );
    assert_eq!(requests.swap(0, SeqCst), 1);
    let side_car = SideCar::beside(&animation, &opener).unwrap().unwrap();
    assert_eq!(side_car.address.to_string(), "memory://mods/fox.config");
    assert_eq!(requests.swap(0, SeqCst), 1);
    let archive = OpenArchive::open("memory://mods/fox.pyromod", &opener, &Default::default()).unwrap();
    archive.prefetch(archive.entries());
    assert!(archive.entries().all(|entry| archive.open_entry(&entry).is_ok()));
}

#[test]
fn rows_of_an_own_store_are_those_of_its_objects_and_a_fault_has_the_code_of_the_store() {
    let (opener, requests) = store();
    let rows = |address: &str| {
        let sources = Sources::find(&[PathBuf::from(address)], &opener, &Default::default());
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

#[test]
fn an_address_is_shown_without_secrets_and_opened_with_them() {
    let (opener, _) = store();
    let address = Address::find("memory://signed.psa?key=s3cr3t");
    assert_eq!(address.to_string(), "memory://signed.psa");
    assert!(address.open(&opener).is_ok());
    let missing = Address::find("memory://none.psa?key=s3cr3t").open(&opener).unwrap_err().to_string();
    assert!(missing.contains("memory://none.psa") && !missing.contains("s3cr3t"), "{missing}");
    // Without a store too, a message has no secret.
    let missing = Opener::reading().open("https://me:s3cr3t@example.org/a.psa?s3cr3t").unwrap_err().to_string();
    assert!(missing.contains("https://***@example.org/a.psa") && !missing.contains("s3cr3t"), "{missing}");
    assert_eq!(shown("s3://bucket/a?b#c.psa"), "s3://bucket/a?b#c.psa", "a key has any characters");
    assert_eq!(shown("mods/a?b.psa"), "mods/a?b.psa");
    assert_eq!(without_secrets("no https://u:p@h/x?q: here"), "no https://***@h/x: here");
    for (text, expected) in
        [("gs://b/k", true), ("C://x", false), ("file:///x", false), ("a/b://c", false), ("x", false)]
    {
        assert_eq!(is_address(text), expected, "{text}");
    }
}
