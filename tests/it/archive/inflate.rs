//! The buffer that deflated entries go through, and the checksum of what comes out.

use allocation_counter::measure;
use skelmap::archive::{Archive, ArchiveErrorKind, Inflater, Limits};

use super::{noise, text};
use test_support::build_zip::{DEFLATED, Entry, Zip, crc32, deflate};
use test_support::with;

#[test]
fn the_buffer_is_reused() {
    let entries = [text(500), text(20), Vec::new(), noise(900, 1), text(499)];
    let bytes = Zip::of(entries.iter().map(|data| Entry::deflated("a", data))).build().bytes;
    let archive = Archive::parse(&bytes).unwrap();
    let mut inflater = Inflater::new();
    assert!(archive.read(&archive.get(0).unwrap(), &mut inflater).unwrap() == entries[0]);
    let info = measure(|| {
        for (entry, expected) in archive.entries().zip(&entries) {
            assert!(archive.read(&entry, &mut inflater).unwrap() == expected);
        }
    });
    assert_eq!(info.count_total, 0);
    let buffer = inflater.into_buffer();
    assert!(buffer == entries[4] && buffer.capacity() <= entries[0].len() + 64);
}

#[test]
fn the_buffer_is_not_larger_than_the_stated_size() {
    for data in [text(1), text(3000), noise(70_000, 2)] {
        let bytes = Zip::of([Entry::deflated("a", &data)]).build().bytes;
        let archive = Archive::parse(&bytes).unwrap();
        let mut inflater = Inflater::default();
        archive.read(&archive.get(0).unwrap(), &mut inflater).unwrap();
        assert!(inflater.into_buffer().capacity() <= data.len() + 64);
    }
}

#[test]
fn a_stored_entry_does_not_use_the_buffer() {
    let bytes = Zip::of([Entry::stored("a", noise(5000, 3))]).build().bytes;
    let archive = Archive::parse(&bytes).unwrap();
    let mut inflater = Inflater::new();
    let info = measure(|| assert_eq!(archive.read(&archive.get(0).unwrap(), &mut inflater).unwrap().len(), 5000));
    assert_eq!((info.count_total, inflater.into_buffer().capacity()), (0, 0));
}

/// Stored blocks, fixed codes, and codes of its own: what deflate can do, by hand where flate2 would not choose it.
#[test]
fn every_kind_of_block_is_inflated() {
    let stored = |last: u8, data: &[u8]| {
        let length = data.len() as u16;
        [&[last][..], &length.to_le_bytes(), &(!length).to_le_bytes(), data].concat()
    };
    let bodies: [(Vec<u8>, Vec<u8>); 5] = [
        // RFC 1951, 3.2.4: the second block is the last.
        ([stored(0, b"hello, "), stored(1, b"world")].concat(), b"hello, world".to_vec()),
        ([stored(0, &noise(65_535, 4)), stored(0, &[]), stored(1, &[])].concat(), noise(65_535, 4)),
        // 3.2.6: fixed codes, `a` (0x61 is code 0x91), then the end.
        (vec![0x4B, 0x04, 0x00], b"a".to_vec()),
        (deflate(&text(100)), text(100)),
        (deflate(&vec![0; 1 << 20]), vec![0; 1 << 20]),
    ];
    for (body, data) in bodies {
        let zip = Zip::of([Entry::deflated("a", &data).with(|entry| entry.body = Some(body))]);
        super::reads_back(&zip);
    }
}

/// The state of one entry has no bearing on the next.
#[test]
fn an_inflater_works_after_an_error() {
    let data = text(50);
    let cut = deflate(&data)[..40].to_vec();
    let bytes = Zip::of([
        Entry::deflated("cut", &data).with(|entry| entry.body = Some(cut)),
        Entry::deflated("garbage", noise(400, 5)).with(|entry| entry.body = Some(noise(390, 6))),
        Entry::deflated("sound", &data),
    ])
    .build()
    .bytes;
    let archive = Archive::parse(&bytes).unwrap();
    let mut inflater = Inflater::new();
    for bad in ["cut", "garbage", "cut"] {
        let error = archive.read(&archive.entry(bad).unwrap(), &mut inflater).unwrap_err();
        assert_eq!((error.kind(), error.entry()), (&ArchiveErrorKind::Deflate, Some(bad)));
        assert!(archive.read(&archive.entry("sound").unwrap(), &mut inflater).unwrap() == data);
    }
}

#[test]
fn an_entry_larger_than_the_limit_is_not_inflated() {
    let (data, stored) = (text(100), noise(5000, 7));
    let size = data.len() as u64;
    let bytes = Zip::of([Entry::deflated("a", &data), Entry::stored("b", &stored)]).build().bytes;
    for (limit, allowed) in [(size, true), (size - 1, false), (0, false)] {
        let archive = Archive::parse_with(&bytes, &with(Limits::default(), |own| own.inflated = limit)).unwrap();
        let (entry, mut inflater) = (archive.entry("a").unwrap(), Inflater::new());
        let found = archive.read(&entry, &mut inflater);
        if allowed {
            assert!(found.unwrap() == data);
        } else {
            let error = found.unwrap_err();
            assert_eq!((error.kind(), error.entry()), (&ArchiveErrorKind::TooLarge { size, limit }, Some("a")));
            assert_eq!(inflater.into_buffer().capacity(), 0);
        }
        // What is stored is there already.
        assert!(archive.stored(&archive.entry("b").unwrap()).unwrap().unwrap() == stored);
    }
}

#[test]
fn the_checksum_comes_from_the_directory() {
    for entry in [Entry::stored("a", noise(99, 8)), Entry::deflated("a", text(9)), Entry::stored("a", [])] {
        let (data, right) = (entry.data.clone(), crc32(&entry.data));
        let built = Zip::of([entry]).build().patch_u32("local#0.crc", 1);
        let wrong = built.clone().patch_u32("central#0.crc", !right);
        let archive = Archive::parse(&built.bytes).unwrap();
        archive.check(&archive.get(0).unwrap(), &data).unwrap();
        let archive = Archive::parse(&wrong.bytes).unwrap();
        let entry = archive.get(0).unwrap();
        assert!(archive.read(&entry, &mut Inflater::new()).unwrap() == data);
        let error = archive.check(&entry, &data).unwrap_err();
        assert_eq!(error.kind(), &ArchiveErrorKind::Checksum { stated: !right, found: right });
        assert_eq!(error.entry(), Some("a"));
    }
}

#[test]
fn the_builder_deflates_noise_and_zeros() {
    assert!(deflate(&noise(1000, 9)).len() > 900);
    assert!(deflate(&vec![0; 1 << 20]).len() < 2000);
    assert_eq!(Entry::deflated("a", b"a").method, DEFLATED);
}

/// A byte of deflate data gives at most 1032 bytes (258 bytes for 2 bits), so a larger size is a lie that costs no memory.
#[test]
fn a_size_that_no_deflate_data_can_give_is_refused_before_memory_is_reserved() {
    let archive = |stated: u32| {
        let zip = Zip::of([Entry::deflated("a", b"some data to deflate, some data to deflate")]).build();
        zip.patch_u32("central#0.size", stated).patch_u32("local#0.size", stated).bytes
    };
    let compressed = Archive::parse(&archive(42)).unwrap().get(0).unwrap().compressed_size() as u32;
    let error = |stated: u32| {
        let bytes = archive(stated);
        let archive = Archive::parse(&bytes).unwrap();
        let mut inflater = Inflater::new();
        let error = archive.read(&archive.get(0).unwrap(), &mut inflater).unwrap_err().to_string();
        (error, inflater.into_buffer().capacity())
    };
    let (message, room) = error(compressed * 1032 + 1);
    assert!(
        message.ends_with(&format!("the data has at most {}: the archive is damaged", compressed * 1032)),
        "{message}"
    );
    assert_eq!(room, 0);
    let (message, _) = error(compressed * 1032);
    assert!(message.ends_with("the data has 42: the archive is damaged"), "{message}");
}
