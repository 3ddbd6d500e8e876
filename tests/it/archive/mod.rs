//! Archives read in place: what a builder, Python's zipfile and Info-ZIP wrote, and what was made to do harm.

mod allocation;
mod counts;
mod directory;
mod foreign;
mod inflate;
mod lies;
mod messages;
mod mod_zip;
mod models;
mod names;
mod open;
mod overlap;
mod owned;
mod property;
mod second;
mod sound;
mod zip64;

use skelmap::archive::{Archive, ArchiveError, Inflater, Method};

use test_support::any_bytes::archive::survey;
use test_support::build_zip::{DEFLATED, STORED, Zip, noise, text};

/// The archive holds the builder's entries, in its order, each where the builder put it.
fn reads_back(zip: &Zip) {
    let built = zip.build();
    let archive = Archive::parse(&built.bytes).unwrap();
    let own: Vec<usize> = (0..zip.entries.len()).collect();
    let order = zip.order.as_ref().unwrap_or(&own);
    assert_eq!((archive.len(), archive.is_empty()), (order.len(), order.is_empty()));
    assert_eq!(archive.entries().len(), order.len());
    assert!(std::ptr::eq(archive.bytes(), built.bytes.as_slice()));
    let mut inflater = Inflater::new();
    for (index, (entry, number)) in archive.entries().zip(order).enumerate() {
        let expected = &zip.entries[*number];
        let body = expected.body();
        assert_eq!(entry.name().as_bytes(), expected.name);
        assert_eq!((entry.index(), entry.size()), (index, expected.data.len() as u64));
        assert_eq!(entry.compressed_size(), body.len() as u64);
        assert_eq!(archive.get(index).unwrap().name(), entry.name());
        let place = built.data(*number);
        let raw = archive.raw(&entry).unwrap();
        assert_eq!(raw.as_ptr(), built.bytes[place.clone()].as_ptr());
        assert!(raw == body, "entry {number}");
        match expected.method {
            STORED => {
                assert_eq!(entry.method(), Method::Stored);
                assert!(std::ptr::eq(archive.stored(&entry).unwrap().unwrap(), raw));
                assert!(std::ptr::eq(archive.read(&entry, &mut inflater).unwrap(), raw));
                assert_eq!(archive.stored_range(&entry).unwrap(), Some(place));
            }
            DEFLATED => {
                assert_eq!(entry.method(), Method::Deflated);
                assert_eq!(archive.stored(&entry).unwrap(), None);
                assert_eq!(archive.stored_range(&entry).unwrap(), None);
            }
            other => panic!("{other} is not read back"),
        }
        let data = archive.read(&entry, &mut inflater).unwrap();
        assert!(data == expected.data, "entry {number}");
        archive.check(&entry, data).unwrap();
        let error = archive.check(&entry, &[data, b"more"].concat()).unwrap_err();
        assert_eq!(error.code().name(), "zip-checksum");
    }
    assert!(archive.get(order.len()).is_none());
}

/// All entries with their data, each with the right checksum; or the first error.
fn read_all(bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>, ArchiveError> {
    let archive = Archive::parse(bytes)?;
    let mut inflater = Inflater::new();
    let read = |entry: skelmap::archive::Entry<'_>| {
        let data = archive.read(&entry, &mut inflater)?.to_vec();
        archive.check(&entry, &data)?;
        Ok((entry.name().to_string(), data))
    };
    archive.entries().map(read).collect()
}

/// The code of the first error, and the entry it names.
fn refused(bytes: &[u8]) -> (&'static str, Option<String>) {
    let error = read_all(bytes).expect_err("it can be read");
    (error.code().name(), error.entry().map(str::to_owned))
}
