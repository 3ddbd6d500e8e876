//! A store of the user's own: rows of its objects.

use std::path::PathBuf;
use std::sync::atomic::Ordering::SeqCst;

use skelmap::archive::Limits;
use skelmap_batch::items::{Options, Sources};
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
