//! A second reader of directories, rawzip, finds the same entries in any archive, and faults in the same ones.

use proptest::prelude::*;
use rawzip::ZipArchive;
use skelmap::archive::{Archive, Limits, Method};

use super::{noise, text};
use test_support::build_zip::{End, Entry, Zip, extra};

/// What both say of an entry.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    name: Vec<u8>,
    sizes: [u64; 2],
    local: u64,
    method: u16,
}

/// The entries by rawzip, and the count at the end; `None` for a fault.
fn expected(bytes: &[u8]) -> Option<(Vec<Row>, u64)> {
    let archive = ZipArchive::from_slice(bytes).ok()?;
    let row = |entry: rawzip::ZipFileHeaderRecord<'_>| Row {
        name: entry.file_path().as_ref().to_vec(),
        sizes: [entry.uncompressed_size_hint(), entry.compressed_size_hint()],
        local: entry.local_header_offset(),
        method: entry.compression_method().as_u16(),
    };
    let rows = archive.entries().map(|entry| entry.map(row)).collect::<Result<Vec<_>, _>>().ok()?;
    Some((rows, archive.entries_hint()))
}

/// Compares the readers. Where rawzip reads, only a wrong count and shared bytes are faults.
fn compare(bytes: &[u8]) {
    let mut limits = Limits::default();
    limits.entries = u64::MAX;
    match (expected(bytes), Archive::parse_with(bytes, &limits)) {
        (Some((rows, _)), Ok(archive)) => {
            let found: Vec<Row> = archive
                .entries()
                .map(|entry| Row {
                    name: entry.name().as_bytes().to_vec(),
                    sizes: [entry.size(), entry.compressed_size()],
                    local: entry.header_offset(),
                    method: match entry.method() {
                        Method::Stored => 0,
                        Method::Deflated => 8,
                        Method::Other(other) => other,
                        other => panic!("{other:?}"),
                    },
                })
                .collect();
            assert_eq!(found, rows);
        }
        (Some((rows, count)), Err(error)) => match error.code().name() {
            "zip-entry-count" => assert_ne!(rows.len() as u64, count),
            "zip-overlap" => assert!(rows.len() > 1),
            code => panic!("{code}: {rows:?}"),
        },
        (None, found) => {
            let error = found.expect_err("rawzip finds a fault");
            assert!(matches!(error.code().name(), "zip-no-directory" | "zip-directory"), "{error}");
        }
    }
}

fn archives() -> Vec<Zip> {
    let entries = || [Entry::stored("a", noise(9, 1)), Entry::deflated("b", text(2)), Entry::folder("c/")];
    let long = || {
        entries().map(|entry| {
            entry.with(|entry| {
                entry.zip64 = true;
                entry.central_extra = extra(0xCAFE, &[1, 2, 3]);
            })
        })
    };
    let mut zips = vec![
        Zip::of([]),
        Zip::of(entries()),
        Zip::of(entries()).with(|zip| (zip.prefix, zip.prefix_counts) = (noise(30, 2), false)),
        Zip::of(entries()).with(|zip| zip.after_directory = b"PK\x05\x05\x02\0ab".to_vec()),
    ];
    for end in [End::Plain, End::Zip64, End::Both] {
        zips.push(Zip::of(long()).with(|zip| (zip.end, zip.comment) = (end, b"PK\x06\x07PK".to_vec())));
    }
    zips
}

#[test]
fn a_changed_byte_or_field_changes_the_entries_for_both_readers() {
    for zip in archives() {
        let built = zip.build();
        let mut bytes = built.bytes.clone();
        let length = bytes.len() as u64;
        let [end, long] = [22, 42].map(|before| length.saturating_sub(before));
        for at in built.offset("directory")..bytes.len() {
            for width in [1, 2, 4, 8] {
                let Some(sound) = bytes.get(at..at + width).map(<[u8]>::to_vec) else { continue };
                for value in [0, 1, 2, 8, 0x7F, 0xFE, length, end, long, u64::MAX - 1, u64::MAX] {
                    bytes[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
                    compare(&bytes);
                }
                bytes[at..at + width].copy_from_slice(&sound);
            }
        }
    }
}

#[test]
fn archives_cut_at_either_end_are_the_same_for_both_readers() {
    for zip in archives() {
        let bytes = zip.build().bytes;
        for at in 0..=bytes.len() {
            compare(&bytes[at..]);
            compare(&bytes[..at]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn random_changes_are_the_same_for_both_readers(
        which in 0_usize..7,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 1_usize..9), 1..6),
    ) {
        let built = archives()[which].build();
        let (start, mut bytes) = (built.offset("directory"), built.bytes);
        for (index, value, count) in changes {
            let at = start + index.index(bytes.len() - start);
            bytes.iter_mut().skip(at).take(count).for_each(|byte| *byte = value);
        }
        compare(&bytes);
    }
}
