//! Edits of SWAT 3 animations: what is asked for changes, every other byte stays, and what cannot be is refused.

use skelmap::swat3::{Gsa, GsaVersion, Options};
use skelmap_write::edit::{EditError, GsaEdit, GsaEditReport};
use test_support::corpus;
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
fn edited(bytes: &[u8], ask: impl FnOnce(&mut GsaEdit<'_>) -> Result<(), EditError>) -> Result<Vec<u8>, EditError> {
    reported(&Gsa::parse(bytes).unwrap(), ask).map(|(out, _)| out)
}

fn reported(
    animation: &Gsa<'_>,
    ask: impl FnOnce(&mut GsaEdit<'_>) -> Result<(), EditError>,
) -> Result<(Vec<u8>, GsaEditReport), EditError> {
    let mut edit = GsaEdit::new(animation);
    ask(&mut edit)?;
    let mut out = Vec::new();
    let written = edit.write(&mut out);
    assert!(written.is_ok() || out.is_empty(), "nothing is written after an error");
    let report = written?;
    assert_eq!(report.bytes, out.len() as u64);
    Ok((out, report))
}

const EVENTS: [(usize, &str); 4] = [(1, "sound=step"), (3, "itemsound=magout"), (3, "sound=step"), (5, "other")];

#[test]
fn edits_that_change_nothing_give_the_same_file() {
    for case in cases() {
        let Ok(animation) = Gsa::parse(&case.bytes) else { continue };
        let all = animation.frame_count();
        let same = |written: Result<Vec<u8>, EditError>| assert!(written.unwrap() == case.bytes, "{}", case.file);
        let bytes = case.bytes.as_slice();
        same(edited(bytes, |_| Ok(())));
        same(edited(bytes, |edit| edit.trim(0..all).map(drop)));
        for (_, event) in animation.events() {
            same(edited(bytes, |edit| edit.rename_events(event.as_bytes(), event.as_bytes()).map(drop)));
        }
        if animation.quirks().all(|quirk| quirk.code.name() != "event-count-words") {
            same(edited(bytes, |edit| {
                edit.set_version(animation.version());
                Ok(())
            }));
        }
    }
}

#[test]
fn events_are_added_to_the_end_of_their_frame() {
    let found = edited(&file(2, &EVENTS), |edit| {
        edit.add_event(3, "sound=new")?.add_event(0, b"itemsound=x")?.add_event(3, "").map(drop)
    });
    let with = [(0, "itemsound=x"), EVENTS[0], EVENTS[1], EVENTS[2], (3, "sound=new"), (3, ""), EVENTS[3]];
    assert_eq!(found.unwrap(), file(2, &with));
}

/// Version 4.1 has no events, and frames without a number of events have no place for them.
#[test]
fn events_are_added_to_frames_of_version_4_2_with_a_number_of_events_only() {
    for (minor, words, version) in [(1, 0, GsaVersion::V4_1), (1, 1, GsaVersion::V4_1), (2, 0, GsaVersion::V4_2)] {
        let mut odd = built(minor, &[]);
        odd.count_words = words;
        let odd = odd.build().bytes;
        let added = edited(&odd, |edit| edit.add_event(0, "x").map(drop));
        assert!(matches!(added, Err(EditError::NoEvents(found)) if found == version), "{minor} {words}: {added:?}");
        // One edit converts and adds.
        let converted = edited(&odd, |edit| edit.add_event(0, "x")?.set_version(GsaVersion::V4_2).trim(0..6).map(drop));
        assert_eq!(converted.unwrap(), file(2, &[(0, "x")]));
    }
}

#[test]
fn events_are_removed_by_frame_and_name() {
    let clear = |edit: &mut GsaEdit<'_>| {
        edit.clear_events();
        Ok(())
    };
    assert_eq!(edited(&file(2, &EVENTS), clear).unwrap(), file(2, &[]));
    let some = edited(&file(2, &EVENTS), |edit| edit.remove_events_at(3, "sound=step").map(drop));
    assert_eq!(some.unwrap(), file(2, &[EVENTS[0], EVENTS[1], EVENTS[3]]));
    let each = edited(&file(2, &EVENTS), |edit| edit.remove_events("sound=step").map(drop));
    assert_eq!(each.unwrap(), file(2, &[EVENTS[1], EVENTS[3]]));
}

#[test]
fn events_are_renamed() {
    let long = "sound=a much longer name";
    let renamed = edited(&file(2, &EVENTS), |edit| edit.rename_events("sound=step", long).map(drop));
    assert_eq!(renamed.unwrap(), file(2, &[(1, long), EVENTS[1], (3, long), EVENTS[3]]));
}

/// All requests are about the file, in whatever order they come.
#[test]
fn one_edit_removes_renames_adds_and_trims() {
    let bytes = file(2, &EVENTS);
    let ask = |edit: &mut GsaEdit<'_>| {
        edit.trim(1..4)?.add_event(2, "sound=step")?.rename_events("sound=step", "other")?;
        edit.remove_events_at(3, "sound=step")?.remove_events("other").map(drop)
    };
    let (out, report) = reported(&Gsa::parse(&bytes).unwrap(), ask).unwrap();
    let mut expected = built(2, &[(1, "other"), (2, "sound=step"), (3, "itemsound=magout")]);
    expected.frames.drain(4..);
    expected.frames.drain(..1);
    assert_eq!(out, expected.build().bytes);
    let counts = (report.frames, report.added_events, report.removed_events, report.renamed_events);
    assert_eq!(counts, (3, 1, 1, 1), "what is in frames that are dropped is not counted");
}

#[test]
fn each_version_is_converted_to_the_other() {
    let to = |version| {
        move |edit: &mut GsaEdit<'_>| {
            edit.set_version(version);
            Ok(())
        }
    };
    let (old, new) = (file(1, &[]), file(2, &[]));
    assert_eq!(new.len(), old.len() + 2 * 6, "two bytes a frame");
    assert_eq!(edited(&old, to(GsaVersion::V4_2)).unwrap(), new);
    assert_eq!(edited(&new, to(GsaVersion::V4_1)).unwrap(), old);
    let error = edited(&file(2, &EVENTS), to(GsaVersion::V4_1)).unwrap_err();
    assert_eq!(error.to_string(), "frame 1 has events, which version 4.1 cannot hold; remove them first");
    // Events that the edit itself removes or does not keep are no obstacle; one that it adds is.
    let cleared =
        edited(&file(2, &EVENTS), |edit| edit.set_version(GsaVersion::V4_1).clear_events().trim(0..6).map(drop));
    assert_eq!(cleared.unwrap(), old);
    assert!(edited(&file(2, &EVENTS), |edit| edit.set_version(GsaVersion::V4_1).trim(0..1).map(drop)).is_ok());
    let added = edited(&new, |edit| edit.set_version(GsaVersion::V4_1).add_event(2, "x").map(drop));
    assert!(matches!(added, Err(EditError::HasEvents { frame: 2 })), "{added:?}");
}

#[test]
fn a_conversion_corrects_the_number_of_event_counts() {
    let mut odd = built(2, &EVENTS);
    odd.count_words = 2;
    let odd = odd.build().bytes;
    assert_eq!(Gsa::parse(&odd).unwrap().event_count_words(), 2);
    let mend = |edit: &mut GsaEdit<'_>| {
        edit.set_version(GsaVersion::V4_2);
        Ok(())
    };
    assert_eq!(edited(&odd, mend).unwrap(), file(2, &EVENTS));
    // Other edits leave the oddity as it is.
    let kept = edited(&odd, |edit| edit.remove_events("other").map(drop)).unwrap();
    assert_eq!(Gsa::parse(&kept).unwrap().event_count_words(), 2);
}

#[test]
fn frames_are_trimmed() {
    let bytes = edited(&file(2, &EVENTS), |edit| edit.trim(2..5).map(drop)).unwrap();
    let mut expected = built(2, &EVENTS);
    expected.frames.drain(5..);
    expected.frames.drain(..2);
    assert_eq!(bytes, expected.build().bytes);
    for range in [0..0, 3..3, 5..7, 6..7, 0..usize::MAX] {
        let refused = edited(&file(2, &EVENTS), |edit| edit.trim(range.clone()).map(drop));
        assert!(matches!(refused, Err(EditError::FrameRange { count: 6, .. })), "{range:?}");
    }
}

#[test]
fn edits_that_the_format_cannot_store_are_refused() {
    let add = |bytes: &[u8], at: usize, name: &[u8]| {
        edited(bytes, |edit| edit.add_event(at, name).map(drop)).unwrap_err().to_string()
    };
    assert_eq!(
        add(&file(1, &[]), 0, b"sound=x"),
        "the frames of this file, of version 4.1, cannot hold events; convert it to version 4.2 first"
    );
    let new = file(2, &[]);
    assert_eq!(add(&new, 6, b"sound=x"), "frame 6 does not exist, the last one is frame 5");
    let no_name = "cannot be stored: expected fewer than 65535 bytes and no control character";
    assert!(add(&new, 0, b"sound=\0").ends_with(no_name));
    assert!(add(&new, 0, b"sound=\n").ends_with(no_name));
    assert!(add(&new, 0, &vec![b'a'; 65535]).ends_with(no_name));
    let longest = vec![b'a'; 65534];
    let added = edited(&new, |edit| edit.add_event(0, &longest).map(drop)).unwrap();
    assert_eq!(Gsa::parse(&added).unwrap().events().next().unwrap().1.as_bytes(), longest);
    let many = |edit: &mut GsaEdit<'_>, count| (0..count).try_for_each(|_| edit.add_event(0, "x").map(drop));
    let refused = edited(&new, |edit| many(edit, 65536));
    assert!(matches!(refused, Err(EditError::TooManyEvents { frame: 0 })));
    let most = edited(&new, |edit| many(edit, 65535)).unwrap();
    assert_eq!(Gsa::parse(&most).unwrap().events().count(), 65535);
    let dropped = edited(&new, |edit| edit.add_event(5, "x")?.trim(0..5).map(drop));
    assert!(matches!(dropped, Err(EditError::DroppedFrame { frame: 5 })), "{dropped:?}");
}

/// A typo does not look like an edit.
#[test]
fn events_that_the_file_does_not_have_are_named_with_those_that_it_has() {
    let bytes = file(2, &EVENTS);
    let told = |ask: fn(&mut GsaEdit<'_>) -> Result<(), EditError>| edited(&bytes, ask).unwrap_err().to_string();
    let known = "it has \"sound=step\", \"itemsound=magout\", \"other\"";
    assert_eq!(told(|edit| edit.remove_events("step").map(drop)), format!("the file has no event \"step\"; {known}"));
    assert_eq!(
        told(|edit| edit.rename_events("Other", "x").map(drop)),
        format!("the file has no event \"Other\"; {known}")
    );
    assert_eq!(
        told(|edit| edit.remove_events_at(5, "sound=step").map(drop)),
        "frame 5 has no event \"sound=step\"; it has \"other\""
    );
    assert_eq!(told(|edit| edit.remove_events_at(0, "x").map(drop)), "frame 0 has no event \"x\"; it has none");
    assert!(matches!(
        edited(&bytes, |edit| edit.remove_events_at(6, "x").map(drop)),
        Err(EditError::NoFrame { frame: 6, count: 6 })
    ));
}

#[test]
fn an_event_that_is_not_utf_8_is_named_by_its_bytes_or_its_text() {
    let bytes = corpus::file("swat3/gsa/event_cp1252.gsa");
    let animation = Gsa::parse(&bytes).unwrap();
    let (frame, event) = animation.events().find(|(_, event)| event.text().as_str().is_none()).unwrap();
    let left = |out: Vec<u8>| Gsa::parse(&out).unwrap().events().any(|(_, own)| own == event);
    for name in [event.as_bytes().to_vec(), event.text().to_string().into_bytes()] {
        assert!(!left(edited(&bytes, |edit| edit.remove_events(&name).map(drop)).unwrap()));
        assert!(!left(edited(&bytes, |edit| edit.rename_events(&name, "sound=x").map(drop)).unwrap()));
        let here = edited(&bytes, |edit| edit.remove_events_at(frame, &name).map(drop)).unwrap();
        assert_eq!(Gsa::parse(&here).unwrap().events().count(), animation.events().count() - 1);
    }
}

/// Each event has at least three bytes, and a name up to 65,534.
#[test]
fn an_output_that_is_far_larger_than_its_input_is_refused() {
    let events: Vec<(usize, &str)> = (0..6).flat_map(|frame| [(frame, "x"); 500]).collect();
    let long = vec![b'a'; 65_534];
    let refused = edited(&file(2, &events), |edit| edit.rename_events("x", &long).map(drop));
    assert!(matches!(refused, Err(EditError::TooLarge { .. })), "{refused:?}");
}

/// Two zeros after a single frame are read as its number of events.
#[test]
fn an_edit_after_which_other_bytes_would_be_read_otherwise_is_refused() {
    let mut rng = Rng::new(5);
    let frames = vec![Frame::new(rng.rotations(1)), Frame::new(rng.rotations(1))];
    let mut bytes = Built::new(1, Layout::Plain.skeleton(&biped(5)), &[2], frames).build().bytes;
    bytes.extend([0, 0]);
    let mut options = Options::default();
    options.trailing_zeros = true;
    let animation = Gsa::parse_with(&bytes, &options).unwrap();
    let same = reported(&animation, |_| Ok(()));
    assert_eq!(same.unwrap().0, bytes, "it is read back as it was read");
    let refused = reported(&animation, |edit| edit.trim(0..1).map(drop));
    assert!(matches!(refused, Err(EditError::OtherReading)), "{refused:?}");
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
    let bytes = corpus::file("swat3/gsa/plain.gsa");
    let error = GsaEdit::new(&Gsa::parse(&bytes).unwrap()).write(&mut Full).unwrap_err();
    assert!(matches!(error, EditError::Write(_)));
}

/// The second reader reads what the edits wrote, frame by frame.
#[test]
fn both_readers_agree_on_edited_files_of_the_corpus() {
    for case in cases() {
        let Ok(animation) = Gsa::parse(&case.bytes) else { continue };
        let cleared = edited(&case.bytes, |edit| {
            edit.clear_events();
            Ok(())
        });
        let cleared = cleared.unwrap();
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
