//! Entries that share bytes, as in an archive made to blow up.

use std::io::Read as _;

use skelmap::archive::{Archive, ArchiveErrorKind};

use super::{noise, text};
use test_support::build_zip::{Built, Entry, Zip, deflate};

/// The two entries that an archive is refused for, sorted.
fn overlapping(bytes: &[u8]) -> [String; 2] {
    let error = Archive::parse(bytes).expect_err("entries overlap");
    assert_eq!(error.code().name(), "zip-overlap");
    let ArchiveErrorKind::Overlap { other } = error.kind() else { panic!("{error}") };
    let mut names = [error.entry().unwrap().to_owned(), other.trim_matches('"').to_owned()];
    names.sort();
    names
}

fn three() -> Zip {
    Zip::of([Entry::stored("a", noise(200, 1)), Entry::deflated("b", text(20)), Entry::stored("c", noise(50, 2))])
}

/// The archive with one entry's offset moved to a place and a distance from it.
fn moved(zip: &Zip, entry: usize, place: &str, distance: isize) -> Built {
    let built = zip.build();
    let at = built.offset(place).checked_add_signed(distance).unwrap();
    built.patch_u32(&format!("central#{entry}.offset"), at as u32)
}

#[test]
fn overlapping_entries_are_refused_in_the_order_of_the_directory() {
    for distance in [0, 1, 100, 199] {
        assert_eq!(overlapping(&moved(&three(), 1, "data#0", distance).bytes), ["a", "b"]);
    }
    assert_eq!(overlapping(&moved(&three(), 2, "data#1", 0).bytes), ["b", "c"]);
    assert_eq!(overlapping(&moved(&three(), 1, "local#0", 0).bytes), ["a", "b"]);
    assert_eq!(overlapping(&moved(&three(), 1, "local#0", 1).bytes), ["a", "b"]);
}

#[test]
fn overlapping_entries_that_are_stored_in_another_order_are_refused() {
    for order in [vec![1, 0, 2], vec![2, 1, 0], vec![1, 2, 0], vec![2, 0, 1], vec![0, 2, 1]] {
        let zip = three().with(|zip| zip.order = Some(order.clone()));
        Archive::parse(&zip.build().bytes).unwrap();
        assert_eq!(overlapping(&moved(&zip, 1, "data#0", 7).bytes), ["a", "b"], "{order:?}");
        assert_eq!(overlapping(&moved(&zip, 2, "data#1", 1).bytes), ["b", "c"], "{order:?}");
        assert_eq!(overlapping(&moved(&zip, 0, "data#1", 1).bytes), ["a", "b"], "{order:?}");
    }
}

/// The last byte of one is the first of the other.
#[test]
fn entries_with_one_byte_in_common_are_refused() {
    let zip = three();
    assert_eq!(overlapping(&moved(&zip, 1, "local#1", -1).bytes), ["a", "b"]);
    let zip = zip.with(|zip| zip.order = Some(vec![2, 1, 0]));
    assert_eq!(overlapping(&moved(&zip, 1, "local#1", -1).bytes), ["a", "b"]);
    // Larger sizes do it as well.
    let built = three().build().patch_u32("central#0.packed", 201).patch_u32("central#0.size", 201);
    assert_eq!(overlapping(&built.bytes), ["a", "b"]);
}

#[test]
fn two_entries_over_one_local_header_are_refused() {
    for (order, names) in [(vec![0, 1], ["a", "b"]), (vec![1, 0], ["a", "b"])] {
        let same = Entry::deflated("b", text(5)).with(|entry| entry.shares = Some(0));
        let zip = Zip::of([Entry::deflated("a", text(5)), same]).with(|zip| zip.order = Some(order));
        assert_eq!(overlapping(&zip.build().bytes), names);
    }
    // Even of one name, or empty.
    for data in [text(5), Vec::new()] {
        let same = Entry::stored("a", &data).with(|entry| entry.shares = Some(0));
        assert_eq!(overlapping(&Zip::of([Entry::stored("a", &data), same]).build().bytes), ["a", "a"]);
    }
}

/// As "A better zip bomb" has it: the data of each entry quotes the local headers after it in stored blocks, and ends in
/// one kernel that all of them share.
#[test]
fn a_bomb_of_quoted_headers_is_refused() {
    let zeros = vec![0; 1 << 20];
    let mut data = zeros.clone();
    let mut body = deflate(&zeros);
    let mut inside: Vec<(Entry, usize)> = Vec::new();
    for number in 0..9 {
        let entry = Entry::deflated(number.to_string(), &data).with(|entry| entry.body = Some(body.clone()));
        let built = Zip::of([entry.clone()]).build();
        let header = built.bytes[..built.offset("data#0")].to_vec();
        let length = header.len() as u16;
        inside.push((entry.with(|entry| entry.shares = Some(0)), body.len() + header.len()));
        data.splice(0..0, header.iter().copied());
        let quoted = [&[0][..], &length.to_le_bytes(), &(!length).to_le_bytes(), &header].concat();
        body.splice(0..0, quoted);
    }
    let mut inflated = Vec::new();
    flate2::read::DeflateDecoder::new(body.as_slice()).read_to_end(&mut inflated).unwrap();
    assert!(inflated == data, "the bomb works");
    inside.reverse();
    let first = Entry::deflated("first", &data).with(|entry| entry.body = Some(body.clone()));
    let zip = Zip::of(std::iter::once(first).chain(inside.iter().map(|(entry, _)| entry.clone())));
    let mut built = zip.build();
    let end = built.offset("data#0.end");
    for (index, (_, from_the_end)) in inside.iter().enumerate() {
        built = built.patch_u32(&format!("central#{}.offset", index + 1), (end - from_the_end) as u32);
    }
    assert!(built.bytes.len() < 5000);
    overlapping(&built.bytes);
    // Any two of them are a bomb.
    let two = |order: Vec<usize>| {
        let mut two = zip.clone().with(|zip| zip.order = Some(order)).build();
        two = two.patch_u32("central#5.offset", (end - inside[4].1) as u32);
        overlapping(&two.bytes)
    };
    assert_eq!(two(vec![0, 5]), ["4", "first"]);
    assert_eq!(two(vec![5, 0]), ["4", "first"]);
}

/// The directory does not show how long a local header's extra fields are, so data may begin in the next entry. But no byte
/// can be paid for twice: what is read is never longer than the archive.
#[test]
fn extra_fields_in_local_headers_do_not_multiply_data() {
    let count: usize = 20;
    let entries = |name: usize| Entry::stored(name.to_string(), noise(100, name as u32));
    let mut built = Zip::of((0..count).map(entries)).build();
    let last = built.data(count - 1).start;
    for entry in 0..count {
        let extra = last - built.data(entry).start;
        built = built.patch_u16(&format!("local#{entry}.extra_length"), extra as u16);
    }
    let archive = Archive::parse(&built.bytes).unwrap();
    let total: usize = archive.entries().filter_map(|entry| archive.raw(&entry).ok()).map(<[u8]>::len).sum();
    assert!(total <= built.bytes.len());
    // The checksums tell.
    let sound = archive.entries().filter(|entry| archive.check(entry, archive.raw(entry).unwrap()).is_ok()).count();
    assert_eq!(sound, 1);
}

#[test]
fn touching_entries_do_not_overlap() {
    let zip = three();
    let built = zip.build();
    assert_eq!(built.data(0).end, built.offset("local#1"));
    super::reads_back(&zip);
}

#[test]
fn many_overlapping_entries_are_refused_at_the_first_pair() {
    let one = Entry::stored("a", noise(10, 3));
    let rest = (0..50_000).map(|_| Entry::stored("a", noise(10, 3)).with(|entry| entry.shares = Some(0)));
    let built = Zip::of(std::iter::once(one).chain(rest)).build();
    assert_eq!(overlapping(&built.bytes), ["a", "a"]);
}
