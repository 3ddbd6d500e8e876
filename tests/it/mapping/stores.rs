//! A store of the user's own: its addresses work where paths do, in few requests, and no part that may be secret is shown.

use std::sync::atomic::Ordering::SeqCst;

use skelmap::Asset;
use skelmap::archive::{Address, Limits, OpenArchive, SideCar};
use skelmap::mapping::{Opener, is_address, shown, without_secrets};
use test_support::corpus::folder;
use test_support::store::store;

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
    let archive = OpenArchive::open("memory://mods/fox.pyromod", &opener, &Limits::default()).unwrap();
    archive.prefetch(archive.entries());
    assert!(archive.entries().all(|entry| archive.open_entry(entry).is_ok()));
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
