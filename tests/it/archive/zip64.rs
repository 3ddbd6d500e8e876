//! Numbers of 64 bits that say what is not so.

use skelmap::archive::{Archive, ArchiveErrorKind, Inflater};

use super::{noise, read_all, refused, survey};
use test_support::build_zip::{Built, End, Entry, Zip, extra};

const ABSURD: [u64; 8] = [1 << 32, 1 << 40, 1 << 62, i64::MAX as u64, 1 << 63, u64::MAX - 30, u64::MAX - 1, u64::MAX];

fn built(end: End) -> Built {
    let entry = |name: &str| Entry::stored(name, noise(10, 1)).with(|entry| entry.zip64 = true);
    Zip::of([entry("a"), entry("b")]).with(|zip| zip.end = end).build()
}

/// The kind of the error for the last entry, whose number at a place in its ZIP64 field is changed.
fn last_with(field: usize, value: u64) -> ArchiveErrorKind {
    let mut built = built(End::Zip64);
    let at = built.offset("central#1.zip64") + 4 + 8 * field;
    built.bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
    let archive = Archive::parse(&built.bytes).unwrap();
    assert_eq!(archive.stored(&archive.get(0).unwrap()).unwrap().unwrap(), noise(10, 1));
    let error = archive.read(&archive.get(1).unwrap(), &mut Inflater::new()).unwrap_err();
    assert_eq!(error.entry(), Some("b"));
    error.kind().clone()
}

#[test]
fn absurd_sizes_and_offsets_of_an_entry_are_refused() {
    let local = built(End::Zip64).offset("local#1") as u64;
    for value in ABSURD {
        assert!(matches!(last_with(0, value), ArchiveErrorKind::Size { stated, .. } if stated == value));
        assert_eq!(last_with(1, value), ArchiveErrorKind::LocalHeader { offset: local });
        assert_eq!(last_with(2, value), ArchiveErrorKind::LocalHeader { offset: value });
    }
}

#[test]
fn an_absurd_deflated_size_is_too_large() {
    for value in ABSURD {
        let entry = Entry::deflated("a", noise(10, 2)).with(|entry| entry.zip64 = true);
        let mut built = Zip::of([entry]).build();
        let at = built.offset("central#0.zip64") + 4;
        built.bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
        assert_eq!(refused(&built.bytes), ("zip-too-large", Some("a".to_owned())));
    }
}

#[test]
fn an_absurd_size_before_other_entries_overlaps_them() {
    for value in ABSURD {
        let mut built = built(End::Zip64);
        let at = built.offset("central#0.zip64") + 4 + 8;
        built.bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
        assert_eq!(Archive::parse(&built.bytes).unwrap_err().code().name(), "zip-overlap");
    }
}

#[test]
fn absurd_counts_are_refused() {
    for value in ABSURD {
        let built = built(End::Zip64).patch_u64("end64.entries", value).patch_u64("end64.entries_here", value);
        let error = Archive::parse(&built.bytes).unwrap_err();
        assert_eq!(error.kind(), &ArchiveErrorKind::TooManyEntries { count: value, limit: 1 << 20 });
    }
    for value in [0, 1, 3, 65_538, 1 << 20] {
        let built = built(End::Zip64).patch_u64("end64.entries", value).patch_u64("end64.entries_here", value);
        let error = Archive::parse(&built.bytes).unwrap_err();
        assert_eq!(error.kind(), &ArchiveErrorKind::EntryCount { stated: value, found: 2 });
    }
}

/// A count of 64 bits does not overflow as a short does.
#[test]
fn a_zip64_count_is_exact() {
    let zip = Zip::of((0..65_541_u32).map(|number| Entry::stored(format!("{number:x}"), [])))
        .with(|zip| zip.end = End::Zip64);
    let built = zip.build().patch_u64("end64.entries", 5).patch_u64("end64.entries_here", 5);
    let error = Archive::parse(&built.bytes).map(|_| ()).unwrap_err();
    assert_eq!(error.kind(), &ArchiveErrorKind::EntryCount { stated: 5, found: 65_541 });
}

#[test]
fn absurd_places_of_the_directory_are_refused() {
    for end in [End::Zip64, End::Both] {
        for value in ABSURD {
            let built = built(end).patch_u64("end64.directory_offset", value);
            let (code, entry) = refused(&built.bytes);
            assert!(matches!(code, "zip-no-directory" | "zip-directory") && entry.is_none(), "{end:?}: {code}");
        }
    }
}

/// Where the ZIP64 record is not where it should be, there is none; the plain one has no numbers.
#[test]
fn absurd_places_of_the_zip64_record_are_refused() {
    let directory = built(End::Zip64).offset("directory") as u64;
    for value in ABSURD.into_iter().chain([0, 1, directory]) {
        let built = built(End::Zip64).patch_u64("locator.offset", value);
        assert_eq!(refused(&built.bytes), ("zip-no-directory", None));
    }
    for value in ABSURD.into_iter().chain([0, 43]) {
        let built = built(End::Zip64).patch_u64("end64.length", value);
        assert_eq!(refused(&built.bytes), ("zip-no-directory", None));
    }
}

/// A size of the directory that no reader needs.
#[test]
fn an_absurd_size_of_the_directory_does_not_lead_out_of_the_archive() {
    let mut inflater = Inflater::new();
    for value in ABSURD.into_iter().chain([0, 1]) {
        survey(&built(End::Zip64).patch_u64("end64.directory_size", value).bytes, &mut inflater);
        survey(&built(End::Both).patch_u64("end64.directory_size", value).bytes, &mut inflater);
    }
}

/// A number that is in the ZIP64 field, where there is no such field or it is too short.
#[test]
fn an_entry_without_its_zip64_field_is_refused() {
    let sizes = [10_u64, 10].map(u64::to_le_bytes).concat();
    for field in [Vec::new(), extra(1, &[]), extra(1, &sizes[..7]), extra(2, &sizes), extra(1, &sizes)[..8].to_vec()] {
        let entry = || Entry::stored("a", noise(10, 1)).with(|entry| entry.central_extra.clone_from(&field));
        let built = Zip::of([entry()]).build().patch_u32("central#0.size", u32::MAX);
        assert_eq!(refused(&built.bytes), ("zip-size", Some("a".to_owned())));
        let built = Zip::of([entry()]).build().patch_u32("central#0.packed", u32::MAX);
        let code = refused(&built.patch_u32("central#0.size", u32::MAX).bytes);
        assert_eq!(code, ("zip-local-header", Some("a".to_owned())));
    }
    // One that has the sizes but not the offset.
    let entry = Entry::stored("a", noise(10, 1)).with(|entry| entry.central_extra = extra(1, &sizes));
    let built = Zip::of([entry]).build();
    let built = ["size", "packed", "offset"]
        .iter()
        .fold(built, |built, field| built.patch_u32(&format!("central#0.{field}"), u32::MAX));
    assert_eq!(refused(&built.bytes), ("zip-local-header", Some("a".to_owned())));
}

/// A ZIP64 field that nothing refers to is an extra field like any other.
#[test]
fn a_needless_zip64_field_is_ignored() {
    let lies = [u64::MAX; 3].map(u64::to_le_bytes).concat();
    let entry = Entry::stored("a", noise(10, 1)).with(|entry| {
        entry.central_extra = extra(1, &lies);
        entry.local_extra = extra(1, &lies);
    });
    assert_eq!(read_all(&Zip::of([entry]).build().bytes).unwrap()[0].1, noise(10, 1));
}

#[test]
fn a_zip64_record_that_contradicts_the_plain_record_is_refused() {
    let sound = built(End::Both);
    let lying = sound.clone().patch_u64("end64.directory_offset", sound.offset("central#1") as u64);
    let mut inflater = Inflater::new();
    assert!(survey(&sound.bytes, &mut inflater));
    assert!(Archive::parse(&lying.bytes).is_err());
}
