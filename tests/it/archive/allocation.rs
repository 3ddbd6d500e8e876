//! What an archive merely claims is never allocated.

use allocation_counter::measure;
use skelmap::archive::{Archive, Inflater, Limits};

use super::{noise, survey, text};
use test_support::build_zip::{End, Entry, Zip};

/// The most bytes that indexing an archive, sound or not, has in use at a time.
fn most(bytes: &[u8]) -> u64 {
    measure(|| drop(Archive::parse(bytes))).bytes_max
}

/// A record of 46 bytes has 4 in the index and 16 in the proof that entries are disjoint; a vector that grows has its old
/// bytes beside its new ones.
fn allowed(bytes: &[u8]) -> u64 {
    bytes.len() as u64 + 4096
}

fn sound(count: u32) -> Zip {
    Zip::of((0..count).map(|number| Entry::stored(format!("{number}"), number.to_le_bytes())))
}

#[test]
fn an_index_has_few_bytes_for_each_entry() {
    for count in [0, 1, 10, 1000, 60_000] {
        let bytes = sound(count).build().bytes;
        let info = measure(|| drop(Archive::parse(&bytes)));
        assert!(info.count_total <= 4, "{count}: {info:?}");
        assert!(info.bytes_max <= 4 * u64::from(count) + 256, "{count}: {info:?}");
    }
}

#[test]
fn walking_and_reading_stored_entries_allocates_nothing() {
    let bytes = sound(1000).build().bytes;
    let archive = Archive::parse(&bytes).unwrap();
    let info = measure(|| {
        for (number, entry) in (0_u32..).zip(archive.entries()) {
            assert_eq!(archive.stored(&entry).unwrap().unwrap(), number.to_le_bytes());
            assert!(entry.name().extension().is_empty() && !entry.name().is_folder());
            archive.check(&entry, &number.to_le_bytes()).unwrap();
        }
        assert_eq!(archive.entry("999").unwrap().index(), 999);
    });
    assert_eq!(info.count_total, 0);
}

#[test]
fn wrong_counts_allocate_nothing() {
    let zip = sound(3);
    for count in [4, 1000, u16::MAX] {
        let built = zip.build().patch_u16("end.entries", count).patch_u16("end.entries_here", count);
        assert!(most(&built.bytes) <= allowed(&built.bytes));
    }
    for count in [4, 1 << 20, 1 << 32, u64::MAX] {
        let built = zip.clone().with(|zip| zip.end = End::Zip64).build();
        let built = built.patch_u64("end64.entries", count).patch_u64("end64.entries_here", count);
        assert!(most(&built.bytes) <= allowed(&built.bytes));
        // Nor with a limit that allows anything.
        let mut limits = Limits::default();
        limits.entries = u64::MAX;
        limits.inflated = u64::MAX;
        limits.directory = u64::MAX;
        let info = measure(|| drop(Archive::parse_with(&built.bytes, &limits)));
        assert!(info.bytes_max <= allowed(&built.bytes), "{info:?}");
    }
}

/// Nothing but a directory, of records as short as can be, whose end says that there are few: the index has to grow.
#[test]
fn a_directory_of_the_shortest_records_allocates_a_small_multiple_of_itself() {
    let shared = |number: u32| Entry::stored("", []).with(|entry| entry.shares = (number > 0).then_some(0));
    for count in [1000_u32, 65_541, 131_073] {
        let built = Zip::of((0..count).map(shared)).build();
        assert!(built.bytes.len() < 47 * count as usize + 100);
        assert!(most(&built.bytes) <= allowed(&built.bytes), "{count}");
        // All apart from each other, the last first, beyond the archive's end: nothing overlaps, and all has to be proved.
        let mut apart = built;
        for number in 0..count {
            apart = apart.patch_u32(&format!("central#{number}.offset"), (count - number) * 30);
        }
        assert!(most(&apart.bytes) <= allowed(&apart.bytes), "{count}");
        let archive = Archive::parse(&apart.bytes).unwrap();
        assert_eq!(archive.len(), count as usize);
    }
}

/// Every number of every header at its largest, one at a time.
#[test]
fn wrong_numbers_allocate_a_small_multiple_of_the_archive() {
    let entry = |entry: Entry| entry.with(|entry| entry.zip64 = true);
    let zips = [
        Zip::of([Entry::stored("a", noise(50, 1)), Entry::deflated("b", text(5))]),
        Zip::of([Entry::stored("a", noise(50, 1)), Entry::deflated("b", text(5))].map(entry))
            .with(|zip| zip.end = End::Zip64),
    ];
    let mut inflater = Inflater::new();
    for zip in zips {
        let built = zip.build();
        survey(&built.bytes, &mut inflater);
        for at in 0..built.bytes.len() {
            for width in [1, 2, 4, 8] {
                for value in [0xFF, 0x7F, 0xF0] {
                    let mut bytes = built.bytes.clone();
                    bytes.iter_mut().skip(at).take(width).for_each(|byte| *byte = value);
                    let info = measure(|| drop(Archive::parse(&bytes)));
                    assert!(info.bytes_max <= allowed(&bytes), "{at}: {info:?}");
                    // What is inflated is bounded by what there is to inflate.
                    let info = measure(|| _ = survey(&bytes, &mut inflater));
                    assert!(info.bytes_max <= 1100 * bytes.len() as u64, "{at}: {info:?}");
                }
            }
        }
    }
}

#[test]
fn a_bomb_allocates_what_it_states_and_no_more() {
    let bytes = Zip::of([Entry::deflated("a", vec![0; 4 << 20])]).build();
    for (stated, most) in
        [(4_u32 << 20, (4 << 20) + 200_000), (100, 200_000), (u32::MAX - 1, 200_000), (200 << 20, 200_000)]
    {
        let built = bytes.clone().patch_u32("central#0.size", stated);
        let info = measure(|| _ = survey(&built.bytes, &mut Inflater::new()));
        assert!(info.bytes_max <= most, "{stated}: {info:?}");
    }
}

/// An error of each of many entries costs no walk over the others.
#[test]
fn an_archive_with_60000_bad_entries_takes_linear_time() {
    let zip = sound(60_000);
    let mut built = zip.build();
    for number in 0..zip.entries.len() {
        let at = built.offset(&format!("local#{number}"));
        built.bytes[at] = 0;
    }
    let archive = Archive::parse(&built.bytes).unwrap();
    assert!(archive.entries().all(|entry| archive.stored(&entry).is_err()));
}
