//! Sizes, offsets and headers that say what is not so. Each is refused by its name.

use skelmap::archive::{Archive, ArchiveErrorKind, Inflater, Limits};

use super::{noise, read_all, refused, text};
use test_support::build_zip::{Built, ENCRYPTED, Entry, Zip, deflate};
use test_support::with;

fn stored() -> Built {
    Zip::of([Entry::stored("a", noise(10, 1))]).build()
}

fn deflated() -> Built {
    Zip::of([Entry::deflated("a", text(10))]).build()
}

/// The archive can be indexed, and its only entry cannot be read.
fn entry_error(built: &Built) -> ArchiveErrorKind {
    let archive = Archive::parse(&built.bytes).unwrap();
    let error = archive.read(&archive.get(0).unwrap(), &mut Inflater::new()).unwrap_err();
    assert_eq!(error.entry(), Some("a"));
    error.kind().clone()
}

#[test]
fn a_stored_entry_has_the_size_of_its_data() {
    for stated in [0, 9, 11, u32::MAX - 1, u32::MAX] {
        let built = stored().patch_u32("central#0.size", stated);
        let ArchiveErrorKind::Size { stated: found, .. } = entry_error(&built) else { panic!("{stated}") };
        assert_eq!(found, u64::from(stated));
        let archive = Archive::parse(&built.bytes).unwrap();
        let entry = archive.get(0).unwrap();
        assert_eq!(archive.stored(&entry).unwrap_err().code().name(), "zip-size");
        assert_eq!(archive.stored_range(&entry).unwrap_err().code().name(), "zip-size");
        assert_eq!(archive.raw(&entry).unwrap(), noise(10, 1));
    }
}

#[test]
fn a_stored_entry_that_states_four_gibibytes_is_refused() {
    for size in [u32::MAX - 1, 1 << 31, 11] {
        let built = stored().patch_u32("central#0.size", size).patch_u32("central#0.packed", size);
        assert_eq!(entry_error(&built), ArchiveErrorKind::LocalHeader { offset: 0 });
    }
}

#[test]
fn an_entry_whose_data_overlaps_the_directory_is_refused() {
    for distance in [1, 46, 60] {
        let built = stored().patch_u32("central#0.size", 10 + distance).patch_u32("central#0.packed", 10 + distance);
        assert_eq!(entry_error(&built), ArchiveErrorKind::LocalHeader { offset: 0 });
    }
    let built = stored();
    let extra = built.clone().patch_u16("local#0.extra_length", 1);
    assert_eq!(entry_error(&extra), ArchiveErrorKind::LocalHeader { offset: 0 });
    let extra = built.patch_u16("local#0.extra_length", u16::MAX);
    assert_eq!(entry_error(&extra), ArchiveErrorKind::LocalHeader { offset: 0 });
}

#[test]
fn deflated_data_must_give_as_many_bytes_as_stated() {
    let size = text(10).len() as u32;
    for stated in [0, 1, size - 1, size + 1, size * 2, size * 100] {
        let built = deflated().patch_u32("central#0.size", stated);
        let ArchiveErrorKind::Size { stated: found, .. } = entry_error(&built) else { panic!("{stated}") };
        assert_eq!(found, u64::from(stated));
    }
    // As an inflater finds it that has room for more.
    let big = Zip::of([Entry::deflated("big", text(1000)), Entry::deflated("a", text(10))]).build();
    let built = big.patch_u32("central#1.size", size - 1);
    let archive = Archive::parse(&built.bytes).unwrap();
    let mut inflater = Inflater::new();
    archive.read(&archive.get(0).unwrap(), &mut inflater).unwrap();
    let error = archive.read(&archive.get(1).unwrap(), &mut inflater).unwrap_err();
    assert_eq!((error.code().name(), error.entry()), ("zip-size", Some("a")));
}

/// Four gibibytes of ten bytes: more than deflate can make of them, whatever the limit.
#[test]
fn a_size_that_deflate_cannot_give_reserves_no_memory() {
    let body = deflate(&[0; 10]);
    let entry = Entry::deflated("a", [0; 10]).with(|entry| entry.body = Some(body));
    let built = Zip::of([entry]).build().patch_u32("central#0.size", u32::MAX - 1);
    assert_eq!(entry_error(&built), ArchiveErrorKind::TooLarge { size: u64::from(u32::MAX - 1), limit: 256 << 20 });
    let archive = Archive::parse_with(&built.bytes, &with(Limits::default(), |own| own.inflated = u64::MAX)).unwrap();
    let mut inflater = Inflater::new();
    let error = archive.read(&archive.get(0).unwrap(), &mut inflater).unwrap_err();
    assert_eq!((error.code().name(), error.entry()), ("zip-size", Some("a")));
    assert!(inflater.into_buffer().capacity() < 100_000);
}

#[test]
fn a_bomb_is_bounded_by_what_it_states_and_by_the_limit() {
    let zeros = vec![0; 8 << 20];
    let zip = Zip::of([Entry::deflated("a", &zeros)]);
    let built = zip.build();
    assert!(built.bytes.len() < 10_000);
    let mut limits = Limits::default();
    limits.inflated = (8 << 20) - 1;
    let archive = Archive::parse_with(&built.bytes, &limits).unwrap();
    let error = archive.read(&archive.get(0).unwrap(), &mut Inflater::new()).unwrap_err();
    assert_eq!(error.kind(), &ArchiveErrorKind::TooLarge { size: 8 << 20, limit: (8 << 20) - 1 });
    // One that states less gives no more than that.
    let built = built.patch_u32("central#0.size", 1000);
    let archive = Archive::parse_with(&built.bytes, &limits).unwrap();
    let mut inflater = Inflater::new();
    let error = archive.read(&archive.get(0).unwrap(), &mut inflater).unwrap_err();
    assert_eq!((error.code().name(), error.entry()), ("zip-size", Some("a")));
    assert!(inflater.into_buffer().capacity() < 2000);
}

#[test]
fn damaged_deflate_data_is_named() {
    let body = deflate(&text(10));
    let cut = |length: usize| body[..length].to_vec();
    for body in [cut(body.len() - 1), cut(20), vec![0xFF; 60], vec![0, 5, 0, 5, 0, 1, 2, 3, 4, 5], vec![7; 40]] {
        let entry = Entry::deflated("a", text(10)).with(|entry| entry.body = Some(body));
        assert_eq!(entry_error(&Zip::of([entry]).build()), ArchiveErrorKind::Deflate);
    }
}

/// Nothing at all is no deflate data, for even an empty file is two bytes.
#[test]
fn a_deflated_entry_without_data_is_an_error() {
    let entry = Entry::deflated("a", []).with(|entry| entry.body = Some(Vec::new()));
    assert_eq!(entry_error(&Zip::of([entry]).build()), ArchiveErrorKind::Deflate);
    let entry = Entry::deflated("a", text(1)).with(|entry| entry.body = Some(Vec::new()));
    assert_eq!(refused(&Zip::of([entry]).build().bytes), ("zip-size", Some("a".to_owned())));
}

#[test]
fn a_local_header_must_be_at_the_offset_in_the_directory() {
    let built = stored();
    let directory = built.offset("directory") as u32;
    for offset in [1, 5, 30, directory - 30, directory - 1, directory, directory + 1, 1 << 20, u32::MAX - 1, u32::MAX] {
        let kind = entry_error(&built.clone().patch_u32("central#0.offset", offset));
        assert_eq!(kind, ArchiveErrorKind::LocalHeader { offset: u64::from(offset) });
    }
    for signature in [b"PK\x03\x03", b"PK\x01\x02", b"\0\0\0\0"] {
        let kind = entry_error(&built.clone().patch("local#0", signature));
        assert_eq!(kind, ArchiveErrorKind::LocalHeader { offset: 0 });
    }
}

#[test]
fn a_local_header_must_have_the_name_in_the_directory() {
    for local in ["b", "aa", "", "A", "../a"] {
        let entry = Entry::stored("a", noise(10, 1)).with(|entry| entry.local_name = Some(local.into()));
        let built = Zip::of([entry]).build();
        let ArchiveErrorKind::LocalName { local: found } = entry_error(&built) else { panic!("{local}") };
        assert_eq!(found.trim_matches('"'), local);
    }
    let entry = Entry::stored("a", noise(10, 1)).with(|entry| entry.local_name = Some(vec![0x82]));
    let ArchiveErrorKind::LocalName { local } = entry_error(&Zip::of([entry]).build()) else { panic!() };
    assert_eq!(local.trim_matches('"'), "é");
}

/// Local headers repeat sizes, flags and method; what counts is the directory, as for descriptors.
#[test]
fn other_fields_of_local_headers_are_ignored() {
    for built in [stored(), deflated()] {
        let expected = read_all(&built.bytes).unwrap();
        for (field, value) in [("crc", 1), ("packed", 0), ("packed", u32::MAX), ("size", 0), ("size", 7)] {
            let built = built.clone().patch_u32(&format!("local#0.{field}"), value);
            assert_eq!(read_all(&built.bytes).unwrap(), expected, "{field}");
        }
        let built = built.patch_u16("local#0.version", u16::MAX);
        assert_eq!(read_all(&built.bytes).unwrap(), expected);
    }
}

#[test]
fn encrypted_entries_are_not_read() {
    for built in [stored(), deflated()] {
        for flags in [ENCRYPTED, ENCRYPTED | 1 << 6, 0xFFFF] {
            let built = built.clone().patch_u16("central#0.flags", flags);
            let ArchiveErrorKind::Unsupported { method } = entry_error(&built) else { panic!("{flags:#X}") };
            assert_eq!(&*method, "encrypted");
            let archive = Archive::parse(&built.bytes).unwrap();
            assert_eq!(archive.raw(&archive.get(0).unwrap()).unwrap_err().code().name(), "zip-unsupported");
        }
    }
}

#[test]
fn errors_name_other_methods_and_their_raw_data_can_be_read() {
    use skelmap::archive::Method;
    for method in [1, 6, 9, 12, 14, 93, 95, 98, 99, 1000, 0xFFFF] {
        let built = stored().patch_u16("central#0.method", method);
        assert_eq!(entry_error(&built).code().name(), "zip-unsupported");
        let archive = Archive::parse(&built.bytes).unwrap();
        let entry = archive.get(0).unwrap();
        assert_eq!(entry.method(), Method::Other(method));
        assert_eq!(archive.raw(&entry).unwrap(), noise(10, 1));
        assert_eq!((archive.stored(&entry).unwrap(), archive.stored_range(&entry).unwrap()), (None, None));
        let error = archive.read(&entry, &mut Inflater::new()).unwrap_err();
        assert!(error.to_string().contains(&method.to_string()), "{error}");
    }
}

/// An error is that of one entry: the others read on.
#[test]
fn one_bad_entry_does_not_affect_the_others() {
    let entries = ["a", "b", "c"].map(|name| Entry::stored(name, name.repeat(40)));
    let built = Zip::of(entries).build().patch("local#1", b"XX");
    let archive = Archive::parse(&built.bytes).unwrap();
    let offset = built.offset("local#1") as u64;
    let error = archive.stored(&archive.entry("b").unwrap()).unwrap_err();
    assert_eq!((error.kind(), error.entry()), (&ArchiveErrorKind::LocalHeader { offset }, Some("b")));
    for name in ["a", "c"] {
        let entry = archive.entry(name).unwrap();
        assert_eq!(archive.stored(&entry).unwrap().unwrap(), name.repeat(40).as_bytes());
    }
}
