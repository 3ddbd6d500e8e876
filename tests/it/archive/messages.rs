//! Errors are one sentence each, fit to follow a path, with the number or name that explains them.

use std::collections::BTreeSet;

use skelmap::archive::{Archive, ArchiveError, EntryName, Inflater, Limits};

use super::{noise, read_all, text};
use test_support::build_zip::{Entry, Zip};

fn archive_with(limits: Limits, bytes: &[u8]) -> ArchiveError {
    let read = |bytes: &[u8]| {
        let archive = Archive::parse_with(bytes, &limits)?;
        let mut inflater = Inflater::new();
        for entry in archive.entries() {
            let data = archive.read(&entry, &mut inflater)?;
            archive.check(&entry, data)?;
        }
        Ok(())
    };
    read(bytes).unwrap_err()
}

/// An error of every kind with the entry's name, and words that its sentence has.
fn errors() -> Vec<(&'static str, ArchiveError, Option<&'static str>, Vec<&'static str>)> {
    let stored = || Zip::of([Entry::stored("a \"b\"", noise(10, 1))]).build();
    let deflated = || Zip::of([Entry::deflated("é", text(9))]).build();
    let two = Zip::of([Entry::stored("a", b"a"), Entry::stored("b", b"b")]).build();
    let error = |bytes: &[u8]| read_all(bytes).unwrap_err();
    let mut none = Limits::default();
    none.entries = 0;
    let mut narrow = Limits::default();
    narrow.directory = 93;
    let mut small = Limits::default();
    small.inflated = 5;
    let named = Entry::stored("a", b"a").with(|entry| entry.local_name = Some(b"other".to_vec()));
    let cut = Entry::deflated("cut", text(9)).with(|entry| entry.body = Some(vec![0xFF; 40]));
    let quoted = Some("a \"b\"");
    let no_such_entry = Archive::parse(&two.bytes).unwrap().entry("c").unwrap_err();
    vec![
        ("zip-no-directory", error(b""), None, vec!["at the end) is missing"]),
        (
            "zip-directory",
            error(&two.clone().patch("central#1", b"X").bytes),
            None,
            vec!["after 1 entries", "begins with 02014b58"],
        ),
        ("zip-entry-count", error(&two.clone().patch_u16("end.entries", 7).bytes), None, vec!["states 7", "2 entries"]),
        ("zip-too-many-entries", archive_with(none, &two.bytes), None, vec!["2 entries", "limit of 0"]),
        ("zip-directory-too-large", archive_with(narrow, &two.bytes), None, vec!["94 bytes", "limit of 93"]),
        ("zip-overlap", error(&two.patch_u32("central#1.offset", 1).bytes), Some("b"), vec!["\"a\""]),
        ("zip-local-header", error(&stored().patch("local#0", b"X").bytes), quoted, vec!["byte 0"]),
        ("zip-local-name", error(&Zip::of([named]).build().bytes), Some("a"), vec!["\"other\""]),
        ("zip-unsupported", error(&stored().patch_u16("central#0.method", 14).bytes), quoted, vec!["14"]),
        ("zip-unsupported", error(&stored().patch_u16("central#0.flags", 1).bytes), quoted, vec!["encrypted"]),
        ("zip-too-large", archive_with(small, &deflated().bytes), Some("é"), vec!["limit of 5"]),
        ("zip-size", error(&stored().patch_u32("central#0.size", 11).bytes), quoted, vec!["states 11", "data has 10"]),
        ("zip-size", error(&deflated().patch_u32("central#0.size", 11).bytes), Some("é"), vec!["states 11"]),
        ("zip-deflate", error(&Zip::of([cut]).build().bytes), Some("cut"), vec!["damaged"]),
        ("zip-checksum", error(&stored().patch_u32("central#0.crc", 0xAB).bytes), quoted, vec!["expected 000000AB"]),
        ("zip-no-such-entry", no_such_entry, Some("c"), vec!["no such entry"]),
    ]
}

/// The numbers and names of the specification of ZIP (4.4.5).
#[test]
fn a_compression_that_is_not_read_is_named() {
    let names = ["SHRUNK", "REDUCE1", "REDUCE2", "REDUCE3", "REDUCE4", "IMPLODED", "UNKNOWN"];
    let others = [(9, "DEFLATE64"), (12, "BZIP2"), (14, "LZMA"), (93, "ZSTD"), (95, "XZ"), (98, "PPMD"), (99, "AES")];
    for (method, name) in (1..).zip(names).chain(others) {
        let built = Zip::of([Entry::stored("a", b"a")]).build().patch_u16("central#0.method", method);
        let error = read_all(&built.bytes).unwrap_err().to_string();
        assert!(error.contains(&format!("compressed by {method} ({name})")), "{error}");
    }
}

#[test]
fn an_archive_may_have_as_much_as_each_limit_allows() {
    let two = Zip::of([Entry::stored("a", b"a"), Entry::stored("b", b"b")]).build();
    let mut limits = Limits::default();
    limits.entries = 2;
    limits.directory = 94;
    limits.inflated = 1;
    assert_eq!(Archive::parse_with(&two.bytes, &limits).unwrap().len(), 2);
}

#[test]
fn every_error_has_its_code_its_entry_and_its_reason() {
    for (code, error, entry, words) in errors() {
        assert_eq!((error.code().name(), error.entry()), (code, entry), "{error}");
        for word in words {
            assert!(error.to_string().contains(word), "{error}: no {word}");
        }
        if let Some(entry) = entry {
            assert_eq!(error.to_string(), format!("entry {entry:?}: {}", error.kind()));
        } else {
            assert_eq!(error.to_string(), error.kind().to_string());
        }
    }
}

#[test]
fn every_error_is_one_sentence_without_a_full_stop() {
    for (_, error, _, _) in errors() {
        let text = error.to_string();
        assert!(text.starts_with(char::is_lowercase) && !text.ends_with('.') && !text.contains('\n'), "{text}");
    }
}

#[test]
fn codes_are_distinct() {
    let mut codes: BTreeSet<&str> = errors().into_iter().map(|(code, ..)| code).collect();
    let bytes = Zip::of([Entry::stored("..", b"")]).build().bytes;
    let archive = Archive::parse(&bytes).unwrap();
    codes.insert(
        archive.get(0).map(|entry| entry.name()).map(EntryName::to_safe_path).unwrap().unwrap_err().code().name(),
    );
    assert_eq!(codes.len(), 15);
    assert!(codes.iter().all(|code| code.starts_with("zip-")));
}

/// A name is shown so that it cannot drive a terminal.
#[test]
fn names_in_errors_are_escaped() {
    let built = Zip::of([Entry::stored("\x1B[2J\n", b"data")]).build().patch("local#0", b"X");
    let error = read_all(&built.bytes).unwrap_err();
    assert_eq!(error.entry(), Some("\x1B[2J\n"));
    assert!(!error.to_string().contains(char::is_control), "{error}");
}

#[test]
fn debug_output_has_the_size_of_an_archive_and_the_names_of_entries() {
    let bytes = Zip::of([Entry::stored("a.psk", b"data")]).build().bytes;
    let archive = Archive::parse(&bytes).unwrap();
    assert!(format!("{archive:?}").contains(&bytes.len().to_string()));
    for shown in [format!("{:?}", archive.get(0).unwrap()), format!("{:?}", archive.entries())] {
        assert!(shown.contains("a.psk"), "{shown}");
    }
    assert!(format!("{:?}", Inflater::new()).contains('0'));
}
