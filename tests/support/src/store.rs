//! A store in memory.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use skelmap::codes;
use skelmap::mapping::{Listed, Mapping, Object, Opener, Store, StoreError};

use crate::corpus::{file, folder};

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

/// A store with assets and archives, and the number of requests to it.
pub fn store() -> (Opener, Arc<AtomicUsize>) {
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
