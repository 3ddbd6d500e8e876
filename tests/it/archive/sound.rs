//! Sound archives, with every oddity that a sound one may have.

use skelmap::archive::Archive;

use super::{noise, read_all, reads_back, text};
use test_support::build_zip::{Descriptor, END, End, Entry, UNIX, UTF8, Zip, crc32, extra};

/// One of each kind.
fn entries() -> Vec<Entry> {
    vec![
        Entry::folder("art/"),
        Entry::stored("art/noise.bin", noise(77, 1)),
        Entry::deflated("art/text.txt", text(30)),
        Entry::stored("art/empty", []),
        Entry::deflated("art/empty.deflated", []),
    ]
}

fn all_with(change: impl Fn(&mut Entry)) -> Zip {
    Zip::of(entries().into_iter().map(|entry| entry.with(&change)))
}

/// The check value of CRC-32/ISO-HDLC in the catalogue of CRC algorithms.
#[test]
fn the_builder_computes_the_right_checksum() {
    assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
}

#[test]
fn stored_and_deflated_entries_and_folders_read_back() {
    reads_back(&Zip::of(entries()));
}

#[test]
fn an_archive_without_entries_is_read() {
    let built = Zip::of([]).build();
    assert_eq!(built.bytes.len(), 22);
    reads_back(&Zip::of([]));
    reads_back(&Zip::of([]).with(|zip| zip.comment = b"nothing here".to_vec()));
    reads_back(&Zip::of([]).with(|zip| zip.prefix = noise(50, 9)));
    reads_back(&Zip::of([]).with(|zip| (zip.prefix, zip.end) = (noise(50, 9), End::Zip64)));
}

#[test]
fn data_descriptors_are_ignored() {
    for descriptor in [Descriptor::Bare, Descriptor::Signed] {
        for zip64 in [false, true] {
            reads_back(&all_with(|entry| (entry.descriptor, entry.zip64) = (descriptor, zip64)));
        }
    }
}

/// A descriptor that looks like what follows one, or like a record of its own.
#[test]
fn data_that_looks_like_records_is_data() {
    let look_alike =
        [b"PK\x07\x08".as_slice(), b"PK\x03\x04", &[0; 30], b"PK\x01\x02", &[0; 46], b"PK\x06\x06"].concat();
    reads_back(&Zip::of([
        Entry::stored("a", &look_alike).with(|entry| entry.descriptor = Descriptor::Signed),
        Entry::stored("b", &look_alike).with(|entry| entry.descriptor = Descriptor::Bare),
        Entry::stored("c", Zip::of(entries()).build().bytes),
    ]));
}

#[test]
fn extra_fields_may_differ_between_local_header_and_directory() {
    let lengths = [(0, 9), (9, 0), (9, 4), (4, 3000), (3000, 4), (65_531, 65_531)];
    for (local, central) in lengths {
        reads_back(&all_with(|entry| {
            entry.local_extra = extra(0x5455, &noise(local, 2));
            entry.central_extra = extra(0x7875, &noise(central, 3));
        }));
    }
    // Several, and one that is no extra field at all.
    reads_back(&all_with(|entry| {
        entry.local_extra = [extra(0x5455, &[1, 2, 3, 4, 5]), extra(0xCAFE, &[]), vec![1, 2, 3]].concat();
        entry.central_extra = [extra(0xCAFE, &[]), vec![9; 3]].concat();
    }));
}

#[test]
fn names_may_be_utf_8_with_a_flag_or_without_or_code_page_437() {
    let names: [(&[u8], &str); 3] = [
        ("héros/モデル.psk".as_bytes(), "héros/モデル.psk"),
        (b"h\x82ros/\xE4\xB1.psk", "héros/Σ▒.psk"),
        (b"\xFE", "■"),
    ];
    for (stored, shown) in names {
        for flags in [0, UTF8] {
            let zip = Zip::of([Entry::stored(stored, b"data").with(|entry| entry.flags = flags)]);
            reads_back(&zip);
            assert_eq!(read_all(&zip.build().bytes).unwrap(), [(shown.to_owned(), b"data".to_vec())]);
        }
    }
}

#[test]
fn comments_of_entries_and_of_the_archive_are_ignored() {
    reads_back(&all_with(|entry| entry.comment = b"of an entry".to_vec()));
    reads_back(&all_with(|entry| entry.comment = noise(65_535, 4)));
    for comment in [b"of the archive".to_vec(), vec![0; 17], vec![0; 65_535], noise(65_535, 5)] {
        reads_back(&Zip::of(entries()).with(|zip| zip.comment.clone_from(&comment)));
    }
}

/// As in a self-extractor: offsets count from the file's start, or from the archive's.
#[test]
fn bytes_before_the_archive_are_ignored() {
    let another = Zip::of([Entry::stored("another", noise(31, 9))]).build().bytes;
    for prefix in [b"#!/bin/sh\n".to_vec(), noise(100_000, 6), another] {
        for counts in [true, false] {
            for change in [|_: &mut Entry| {}, |entry: &mut Entry| entry.zip64 = true] {
                reads_back(&all_with(change).with(|zip| {
                    zip.prefix.clone_from(&prefix);
                    zip.prefix_counts = counts;
                    zip.comment = vec![0; 8];
                }));
            }
        }
    }
    for end in [End::Zip64, End::Both] {
        reads_back(&Zip::of(entries()).with(|zip| (zip.prefix, zip.end) = (noise(99, 7), end)));
    }
}

#[test]
fn bytes_between_entries_are_ignored() {
    reads_back(&all_with(|entry| entry.gap = noise(13, 8)));
}

#[test]
fn entries_may_lie_in_another_order_than_in_the_directory() {
    for order in [vec![4, 3, 2, 1, 0], vec![2, 0, 4, 1, 3], vec![0, 1, 2, 4, 3]] {
        reads_back(&all_with(|entry| entry.gap = vec![7; 3]).with(|zip| zip.order = Some(order.clone())));
    }
}

#[test]
fn entries_that_the_directory_does_not_list_do_not_exist() {
    let zip = Zip::of(entries()).with(|zip| zip.order = Some(vec![1, 3]));
    reads_back(&zip);
    let built = zip.build();
    let error = Archive::parse(&built.bytes).unwrap().entry("art/text.txt").unwrap_err();
    assert_eq!((error.code().name(), error.entry()), ("zip-no-such-entry", Some("art/text.txt")));
}

#[test]
fn zip64_may_be_used_for_small_files() {
    for end in [End::Plain, End::Zip64, End::Both] {
        for zip64 in [false, true] {
            reads_back(&all_with(|entry| entry.zip64 = zip64).with(|zip| zip.end = end));
        }
    }
}

#[test]
fn a_zip64_field_may_come_after_others() {
    let built = Zip::of([Entry::stored("a", b"some data")]).build();
    let sizes = [9_u64, 9, 0].map(u64::to_le_bytes).concat();
    let zip = Zip::of([Entry::stored("a", b"some data").with(|entry| {
        entry.central_extra = [extra(0x5455, &[1, 0, 0, 0, 0]), extra(1, &sizes)].concat();
    })]);
    let found = zip.build();
    let found = ["packed", "size", "offset"]
        .iter()
        .fold(found, |built, field| built.patch_u32(&format!("central#0.{field}"), u32::MAX));
    assert_eq!(read_all(&found.bytes).unwrap(), read_all(&built.bytes).unwrap());
}

#[test]
fn data_may_have_any_alignment() {
    for residue in 0..64 {
        let zip = all_with(|entry| entry.aligned = Some((64, residue)));
        let built = zip.build();
        (0..zip.entries.len()).for_each(|entry| assert_eq!(built.data(entry).start % 64, residue));
        reads_back(&zip);
    }
}

#[test]
fn makers_and_versions_are_ignored() {
    for (made_by, version, attributes) in [(UNIX, 10, 0o100_644 << 16), (UNIX, 63, 0o40_755 << 16), (0xFFFF, 0xFFFF, 1)]
    {
        reads_back(&all_with(|entry| {
            (entry.made_by, entry.version, entry.attributes) = (made_by, version, attributes);
        }));
    }
}

#[test]
fn a_signature_may_end_the_directory() {
    let signature = [b"PK\x05\x05".as_slice(), &[3, 0, 1, 2, 3]].concat();
    reads_back(&Zip::of(entries()).with(|zip| zip.after_directory.clone_from(&signature)));
}

#[test]
fn the_last_of_several_entries_of_a_name_is_found() {
    let zip = Zip::of([
        Entry::stored("twice", b"first"),
        Entry::stored("once", b"only"),
        Entry::deflated("twice", b"second"),
        Entry::stored("Twice", b"another name"),
    ]);
    reads_back(&zip);
    let bytes = zip.build().bytes;
    let archive = Archive::parse(&bytes).unwrap();
    let index = |name| archive.entry(name).unwrap().index();
    assert_eq!((index("twice"), index("once"), index("Twice")), (2, 1, 3));
    for absent in ["", "twic", "twice/", "/twice", "TWICE"] {
        assert_eq!(archive.entry(absent).unwrap_err().code().name(), "zip-no-such-entry", "{absent}");
    }
    // In the directory's order, whatever that of the data.
    let bytes = zip.with(|zip| zip.order = Some(vec![2, 1, 0, 3])).build().bytes;
    let archive = Archive::parse(&bytes).unwrap();
    let found = archive.entry("twice").unwrap();
    assert_eq!((found.index(), archive.stored(&found).unwrap().unwrap()), (2, b"first".as_slice()));
}

#[test]
fn entries_can_be_walked_from_both_ends() {
    let bytes = Zip::of(entries()).build().bytes;
    let archive = Archive::parse(&bytes).unwrap();
    let mut walk = archive.entries();
    let mut next = || (walk.next().map(|entry| entry.index()), walk.next_back().map(|entry| entry.index()), walk.len());
    assert_eq!(next(), (Some(0), Some(4), 3));
    assert_eq!(next(), (Some(1), Some(3), 1));
    assert_eq!(next(), (Some(2), None, 0));
    assert_eq!(next(), (None, None, 0));
}

#[test]
fn bytes_after_the_archive_are_ignored() {
    let mut bytes = Zip::of(entries()).build().bytes;
    let expected = read_all(&bytes).unwrap();
    bytes.extend(vec![0; 1000]);
    assert_eq!(read_all(&bytes).unwrap(), expected);
    assert_eq!(bytes.windows(4).filter(|bytes| *bytes == END).count(), 1);
}

/// What the directory's reader does not find its way in: rare, and refused rather than misread.
#[test]
fn archives_with_wrong_offsets_are_refused() {
    let first = Zip::of(entries()).build().bytes;
    let uncounted =
        |zip: Zip, prefix: &[u8]| zip.with(|zip| (zip.prefix, zip.prefix_counts) = (prefix.to_vec(), false));
    let odd = [
        // No entry, and a long end at the very start of the file.
        Zip::of([]).with(|zip| zip.end = End::Zip64),
        // Something in front that is not counted: before nothing, before a long end, and an archive before an archive.
        uncounted(Zip::of([]), &noise(99, 7)),
        uncounted(Zip::of(entries()).with(|zip| zip.end = End::Zip64), &noise(99, 7)),
        uncounted(Zip::of(entries()), &first),
    ];
    for zip in odd {
        let error = Archive::parse(&zip.build().bytes).unwrap_err();
        assert!(matches!(error.code().name(), "zip-directory" | "zip-no-directory"), "{error}");
    }
}
