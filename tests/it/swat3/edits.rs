//! Edits: what is asked for changes, every other byte stays, and what cannot be is refused.

use skelmap::swat3::edit::{self, EditError};
use skelmap::swat3::{Gsa, GsaVersion};

use super::corpus;
use test_support::swat3::build::{Frame, Gsa as Built, Layout, biped, random::Rng};
use test_support::swat3::corpus::cases;
use test_support::swat3::naive;

/// Frames of three bones, some of them with events, as the builder has them.
fn built(minor: u8, events: &[(usize, &str)]) -> Built {
    let mut rng = Rng::new(11);
    let frames = (0..6).map(|index| {
        let mut frame = Frame::new(rng.rotations(3));
        frame.root = [index as f32, -1.0, 0.5];
        events.iter().filter(|(at, _)| *at == index).fold(frame, |frame, (_, name)| frame.event(name))
    });
    Built::new(minor, Layout::Plain.skeleton(&biped(5)), &[0, 2, 4], frames.collect())
}

fn file(minor: u8, events: &[(usize, &str)]) -> Vec<u8> {
    built(minor, events).build().bytes
}

/// What an edit of a file gives.
fn edited(
    bytes: &[u8],
    edit: impl FnOnce(&Gsa<'_>, &mut Vec<u8>) -> Result<(), EditError>,
) -> Result<Vec<u8>, EditError> {
    let mut out = Vec::new();
    edit(&Gsa::parse(bytes).unwrap(), &mut out).map(|()| out)
}

const EVENTS: [(usize, &str); 4] = [(1, "sound=step"), (3, "itemsound=magout"), (3, "sound=step"), (5, "other")];

#[test]
fn edits_that_change_nothing_give_the_same_file() {
    for case in cases() {
        let Ok(animation) = Gsa::parse(&case.bytes) else { continue };
        let all = animation.frame_count();
        let same = |written: Result<Vec<u8>, EditError>| assert!(written.unwrap() == case.bytes, "{}", case.file);
        let bytes = case.bytes.as_slice();
        same(edited(bytes, |animation, out| edit::add_events(animation, &[], out)));
        same(edited(bytes, |animation, out| edit::remove_events(animation, |_, _| false, out)));
        same(edited(bytes, |animation, out| edit::rename_events(animation, |_, _| None, out)));
        let as_is = |_, event: skelmap::swat3::Event<'_>| Some(event.as_bytes().to_vec());
        same(edited(bytes, |animation, out| edit::rename_events(animation, as_is, out)));
        same(edited(bytes, |animation, out| edit::trim(animation, 0..all, out)));
        if animation.quirks().all(|quirk| quirk.code.name() != "event-count-words") {
            same(edited(bytes, |animation, out| edit::to_version(animation, animation.version(), out)));
        }
    }
}

#[test]
fn events_are_added_to_the_end_of_their_frame() {
    let added: [(usize, &[u8]); 3] = [(3, b"sound=new"), (0, b"itemsound=x"), (3, b"")];
    let found = edited(&file(2, &EVENTS), |animation, out| edit::add_events(animation, &added, out)).unwrap();
    let with = [(0, "itemsound=x"), EVENTS[0], EVENTS[1], EVENTS[2], (3, "sound=new"), (3, ""), EVENTS[3]];
    assert_eq!(found, file(2, &with));
}

/// Version 4.1 has no events, and frames without a number of events have no place for them.
#[test]
fn events_are_added_to_frames_of_version_4_2_with_a_number_of_events_only() {
    for (minor, words, version) in [(1, 0, GsaVersion::V4_1), (1, 1, GsaVersion::V4_1), (2, 0, GsaVersion::V4_2)] {
        let mut odd = built(minor, &[]);
        odd.count_words = words;
        let added = edited(&odd.build().bytes, |animation, out| edit::add_events(animation, &[(0, b"x")], out));
        assert!(matches!(added, Err(EditError::NoEvents(found)) if found == version), "{minor} {words}: {added:?}");
    }
}

#[test]
fn events_are_removed_by_frame_and_name() {
    let all = |animation: &Gsa<'_>, out: &mut Vec<u8>| edit::remove_events(animation, |_, _| true, out);
    assert_eq!(edited(&file(2, &EVENTS), all).unwrap(), file(2, &[]));
    let some = |animation: &Gsa<'_>, out: &mut Vec<u8>| {
        edit::remove_events(animation, |frame, event| frame == 3 && event.as_bytes() == b"sound=step", out)
    };
    assert_eq!(edited(&file(2, &EVENTS), some).unwrap(), file(2, &[EVENTS[0], EVENTS[1], EVENTS[3]]));
}

#[test]
fn events_are_renamed() {
    let rename = |animation: &Gsa<'_>, out: &mut Vec<u8>| {
        let step = |_, event: skelmap::swat3::Event<'_>| {
            (event.as_bytes() == b"sound=step").then(|| b"sound=a much longer name".to_vec())
        };
        edit::rename_events(animation, step, out)
    };
    let expected = [(1, "sound=a much longer name"), EVENTS[1], (3, "sound=a much longer name"), EVENTS[3]];
    assert_eq!(edited(&file(2, &EVENTS), rename).unwrap(), file(2, &expected));
}

#[test]
fn each_version_is_converted_to_the_other() {
    let to = |version| move |animation: &Gsa<'_>, out: &mut Vec<u8>| edit::to_version(animation, version, out);
    let (old, new) = (file(1, &[]), file(2, &[]));
    assert_eq!(new.len(), old.len() + 2 * 6, "two bytes a frame");
    assert_eq!(edited(&old, to(GsaVersion::V4_2)).unwrap(), new);
    assert_eq!(edited(&new, to(GsaVersion::V4_1)).unwrap(), old);
    let error = edited(&file(2, &EVENTS), to(GsaVersion::V4_1)).unwrap_err();
    assert_eq!(error.to_string(), "frame 1 has events, which version 4.1 cannot hold; remove them first");
}

#[test]
fn a_conversion_corrects_the_number_of_event_counts() {
    let mut odd = built(2, &EVENTS);
    odd.count_words = 2;
    let odd = odd.build().bytes;
    assert_eq!(Gsa::parse(&odd).unwrap().event_count_words(), 2);
    let mend = |animation: &Gsa<'_>, out: &mut Vec<u8>| edit::to_version(animation, GsaVersion::V4_2, out);
    assert_eq!(edited(&odd, mend).unwrap(), file(2, &EVENTS));
    // Other edits leave the oddity as it is.
    let clear = |animation: &Gsa<'_>, out: &mut Vec<u8>| edit::remove_events(animation, |_, _| true, out);
    assert_eq!(Gsa::parse(&edited(&odd, clear).unwrap()).unwrap().event_count_words(), 2);
}

#[test]
fn frames_are_trimmed() {
    let trim = |animation: &Gsa<'_>, out: &mut Vec<u8>| edit::trim(animation, 2..5, out);
    let bytes = edited(&file(2, &EVENTS), trim).unwrap();
    let mut expected = built(2, &EVENTS);
    expected.frames.drain(5..);
    expected.frames.drain(..2);
    assert_eq!(bytes, expected.build().bytes);
    for range in [0..0, 3..3, 5..7, 6..7, 0..usize::MAX] {
        let refused = edited(&file(2, &EVENTS), |animation, out| edit::trim(animation, range.clone(), out));
        assert!(matches!(refused, Err(EditError::Frames { count: 6, .. })), "{range:?}");
    }
}

#[test]
fn edits_that_the_format_cannot_store_are_refused() {
    let add = |bytes: &[u8], at: usize, name: &[u8]| {
        edited(bytes, |animation, out| edit::add_events(animation, &[(at, name)], out)).unwrap_err().to_string()
    };
    assert_eq!(
        add(&file(1, &[]), 0, b"sound=x"),
        "the frames of this file, of version 4.1, cannot hold events; convert it to version 4.2 first"
    );
    let new = file(2, &[]);
    assert_eq!(add(&new, 6, b"sound=x"), "frame 6 does not exist; the animation has only frames 0 to 5");
    let no_name = "cannot be stored: expected fewer than 65535 bytes and no control character";
    assert!(add(&new, 0, b"sound=\0").ends_with(no_name));
    assert!(add(&new, 0, b"sound=\n").ends_with(no_name));
    assert!(add(&new, 0, &vec![b'a'; 65535]).ends_with(no_name));
    let longest = vec![b'a'; 65534];
    let added = edited(&new, |animation, out| edit::add_events(animation, &[(0, &longest)], out)).unwrap();
    assert_eq!(Gsa::parse(&added).unwrap().events().next().unwrap().1.as_bytes(), longest);
    let many = vec![(0, b"x".as_slice()); 65536];
    let refused = edited(&new, |animation, out| edit::add_events(animation, &many, out));
    assert!(matches!(refused, Err(EditError::TooManyEvents { frame: 0 })));
    let most = edited(&new, |animation, out| edit::add_events(animation, &many[1..], out)).unwrap();
    assert_eq!(Gsa::parse(&most).unwrap().events().count(), 65535);
}

#[test]
fn a_full_disk_is_reported() {
    struct Full;
    impl std::io::Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let bytes = corpus("gsa/plain.gsa");
    let error = edit::trim(&Gsa::parse(&bytes).unwrap(), 0..1, &mut Full).unwrap_err();
    assert!(matches!(error, EditError::Write(_)));
}

/// The second reader reads what the edits wrote, frame by frame.
#[test]
fn both_readers_agree_on_edited_files_of_the_corpus() {
    for case in cases() {
        let Ok(animation) = Gsa::parse(&case.bytes) else { continue };
        let clear = |animation: &Gsa<'_>, out: &mut Vec<u8>| edit::remove_events(animation, |_, _| true, out);
        let cleared = edited(&case.bytes, clear).unwrap();
        let (before, after) =
            (naive::read(&case.bytes, naive::Options::default()), naive::read(&cleared, naive::Options::default()));
        let (before, after) = (before.unwrap(), after.unwrap_or_else(|bad| panic!("{}: {bad:?}", case.file)));
        assert_eq!((after.skeleton, after.ids, after.unknown), (before.skeleton, before.ids, before.unknown));
        assert_eq!(after.frames.len(), animation.frame_count());
        for (frame, old) in after.frames.iter().zip(&before.frames) {
            assert_eq!((frame.rotations.len(), frame.events.len()), (old.rotations.len(), 0));
        }
    }
}
