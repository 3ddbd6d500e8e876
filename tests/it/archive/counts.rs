//! The end of the directory: where it is, how many entries it counts, and how many are allowed.

use skelmap::archive::{Archive, ArchiveErrorKind, Limits};

use super::{noise, read_all, reads_back, refused};
use test_support::build_zip::{Built, End, Entry, Zip};
use test_support::with;

fn three() -> Built {
    Zip::of(["a", "b", "c"].map(|name| Entry::stored(name, name.repeat(60)))).build()
}

fn kind(bytes: &[u8]) -> ArchiveErrorKind {
    let error = Archive::parse(bytes).unwrap_err();
    assert_eq!(error.entry(), None);
    error.kind().clone()
}

#[test]
fn bytes_that_are_not_an_archive_have_no_directory() {
    let psk = b"ACTRHEAD".repeat(40);
    let gzip = [&[0x1F, 0x8B, 8, 0], noise(300, 1).as_slice()].concat();
    for bytes in
        [&[][..], b"P", b"PK\x05\x06", b"PK\x03\x04", &[0; 22], &[0; 4000], &psk, &gzip, b"PK\x05\x06 and little"]
    {
        assert_eq!(kind(bytes), ArchiveErrorKind::NoDirectory);
    }
    let mut bytes = three().bytes;
    bytes.truncate(three().offset("end"));
    assert_eq!(kind(&bytes), ArchiveErrorKind::NoDirectory);
}

#[test]
fn an_archive_with_a_truncated_comment_is_truncated() {
    let bytes = Zip::of([Entry::stored("a", b"a")]).with(|zip| zip.comment = vec![b'!'; 40]).build().bytes;
    for length in bytes.len() - 40..bytes.len() {
        assert_eq!(kind(&bytes[..length]), ArchiveErrorKind::NoDirectory);
    }
}

#[test]
fn the_end_counts_the_entries() {
    for stated in [0, 1, 2, 4, 1000, u16::MAX] {
        let built = three().patch_u16("end.entries", stated).patch_u16("end.entries_here", stated);
        assert_eq!(kind(&built.bytes), ArchiveErrorKind::EntryCount { stated: stated.into(), found: 3 });
    }
}

#[test]
fn a_directory_with_a_wrong_offset_is_damaged_or_miscounted() {
    let built = three();
    let [directory, second, end] = ["directory", "central#1", "end"].map(|name| built.offset(name) as u32);
    // A record is there, but not the first one.
    let found = built.clone().patch_u32("end.directory_offset", second).patch_u32("end.directory_size", end - second);
    assert_eq!(kind(&found.bytes), ArchiveErrorKind::EntryCount { stated: 3, found: 2 });
    // No record is there, nor where the size says.
    for offset in [0, 1, directory - 1, directory + 1, end] {
        let built = built.clone().patch_u32("end.directory_offset", offset).patch_u32("end.directory_size", 7);
        assert!(matches!(refused(&built.bytes), ("zip-directory" | "zip-entry-count", None)), "{offset}");
    }
    for offset in [end + 1, end + 1000, u32::MAX - 1, u32::MAX] {
        for size in [7, u32::MAX] {
            let built = built.clone().patch_u32("end.directory_offset", offset).patch_u32("end.directory_size", size);
            assert!(matches!(refused(&built.bytes), ("zip-directory" | "zip-no-directory", None)), "{offset}");
        }
    }
}

#[test]
fn an_error_in_the_directory_states_the_number_of_entries_before_it() {
    let built = three();
    for (record, entries) in [("central#0", 0), ("central#1", 1), ("central#2", 2)] {
        let broken = built.clone().patch(record, b"PK\x01\x03");
        if entries > 0 {
            assert!(
                matches!(kind(&broken.bytes), ArchiveErrorKind::Directory { entries: found, .. } if found == entries)
            );
        } else {
            assert_eq!(kind(&broken.bytes).code().name(), "zip-directory");
        }
        for field in ["name_length", "extra_length", "comment_length"] {
            let long = built.clone().patch_u16(&format!("{record}.{field}"), u16::MAX);
            let kind = kind(&long.bytes);
            assert!(matches!(kind, ArchiveErrorKind::Directory { entries: found, .. } if found == entries), "{kind}");
        }
    }
}

#[test]
fn more_entries_than_the_limit_are_refused_before_they_are_read() {
    let bytes = three().bytes;
    let parse = |bytes: &[u8], entries| {
        Archive::parse_with(bytes, &with(Limits::default(), |own| own.entries = entries)).map(|_| ())
    };
    parse(&bytes, 3).unwrap();
    for limit in 0..3 {
        let error = parse(&bytes, limit).unwrap_err();
        assert_eq!(error.kind(), &ArchiveErrorKind::TooManyEntries { count: 3, limit });
        assert_eq!(error.entry(), None);
    }
    // The end may say less than is there.
    let lying = three().patch_u16("end.entries", 1).patch_u16("end.entries_here", 1).bytes;
    let error = parse(&lying, 2).unwrap_err();
    assert_eq!(error.kind(), &ArchiveErrorKind::TooManyEntries { count: 3, limit: 2 });
    assert_eq!(parse(&Zip::of([]).build().bytes, 0), Ok(()));
}

/// The count has 16 bits. Old writers let it overflow; ZIP64 has another.
#[test]
fn more_entries_than_a_short_can_count_are_read() {
    for count in [65_534, 65_535, 65_536, 65_541] {
        let entries = || (0..count).map(|number: u32| Entry::stored(format!("{number:x}"), number.to_le_bytes()));
        for end in [End::Plain, End::Zip64] {
            let zip = Zip::of(entries()).with(|zip| (zip.end, zip.is_named) = (end, false));
            let bytes = zip.build().bytes;
            let archive = Archive::parse(&bytes).unwrap();
            assert_eq!(archive.len(), count as usize);
            for number in [0, 1, count / 2, count - 1] {
                let entry = archive.get(number as usize).unwrap();
                assert_eq!(archive.stored(&entry).unwrap().unwrap(), number.to_le_bytes());
                assert_eq!(archive.entry(&format!("{number:x}")).unwrap().index(), number as usize);
            }
        }
    }
    let few = Zip::of((0..65_541).map(|_| Entry::stored("", []))).with(|zip| zip.is_named = false).build();
    let few = few.patch_u16("end.entries", 6).patch_u16("end.entries_here", 6);
    assert_eq!(kind(&few.bytes), ArchiveErrorKind::EntryCount { stated: 6, found: 65_541 });
}

#[test]
fn the_longest_name_and_the_longest_fields_are_read() {
    let entry = Entry::stored(noise(65_535, 2), b"data").with(|entry| {
        entry.comment = noise(65_535, 3);
        entry.central_extra = noise(65_535, 4);
        entry.local_extra = noise(65_535, 5);
    });
    reads_back(&Zip::of([entry, Entry::stored("é".repeat(32_767), b"more")]));
}

/// The last end there is counts: an archive in the last entry's data is not taken for the whole.
#[test]
fn an_archive_inside_does_not_hide_the_outer_one() {
    let inner = three().bytes;
    let outer = Zip::of([Entry::stored("inner.zip", &inner)]).build().bytes;
    assert_eq!(read_all(&outer).unwrap(), [("inner.zip".to_owned(), inner)]);
}
