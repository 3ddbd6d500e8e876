//! Frames by number and rotations of one bone, with and without an index, from both kinds of file.

use skelmap::swat3::{EventKind, Gsa};

use super::corpus;
use test_support::swat3::build::Frame;
use test_support::swat3::build::{Gsa as Built, Layout, biped, random::Rng};

/// Frames of three bones, whose root offset is their number; events on some.
fn file(minor: u8, frames: usize) -> Vec<u8> {
    let mut rng = Rng::new(1);
    let frames = (0..frames).map(|index| {
        let mut frame = Frame::new(rng.rotations(3));
        frame.root = [index as f32, 0.0, 0.0];
        if minor == 2 && index % 3 == 1 { frame.event(format!("sound={index}")) } else { frame }
    });
    Built::new(minor, Layout::Plain.skeleton(&biped(3)), &[], frames.collect()).build().bytes
}

#[test]
fn an_index_finds_every_frame_of_differing_length() {
    let bytes = file(2, 100);
    let animation = Gsa::parse(&bytes).unwrap();
    assert_eq!(animation.frame_size(), None);
    let index = animation.to_index().unwrap();
    let indexed = animation.with_index(&index);
    let owned = skelmap::swat3::GsaBuf::parse(bytes.clone()).unwrap();
    for at in (0..100).rev() {
        for view in [animation, indexed, owned.view()] {
            let frame = view.frame(at).unwrap();
            assert_eq!(frame.root_offset(), [at as f32, 0.0, 0.0]);
            let events: Vec<_> = frame.events().map(|event| event.text().to_string()).collect();
            assert_eq!(events, if at % 3 == 1 { vec![format!("sound={at}")] } else { Vec::new() });
        }
    }
    assert!(indexed.frame(100).is_err());
}

#[test]
fn an_index_of_another_file_is_not_used() {
    let (long, short) = (file(2, 100), file(2, 40));
    let other = Gsa::parse(&long).unwrap().to_index().unwrap();
    let animation = Gsa::parse(&short).unwrap().with_index(&other);
    for at in 0..40 {
        assert_eq!(animation.frame(at).unwrap().root_offset(), [at as f32, 0.0, 0.0]);
    }
    assert!(animation.frame(40).is_err());
}

/// A file of frames with one event each, of so many letters. The root offset of a frame is its number.
fn with_events(letters: &[usize]) -> Vec<u8> {
    let rotations = Rng::new(1).rotations(3);
    let frames = letters.iter().enumerate().map(|(at, letters)| {
        let mut frame = Frame::new(rotations.clone()).event("x".repeat(*letters));
        frame.root = [at as f32, 0.0, 0.0];
        frame
    });
    Built::new(2, Layout::Plain.skeleton(&biped(3)), &[], frames.collect()).build().bytes
}

/// The frames of a file that has the index of another file.
fn check_frames(letters: &[usize], other: &[u8]) {
    let bytes = with_events(letters);
    let index = Gsa::parse(other).unwrap().to_index().unwrap();
    let animation = Gsa::parse(&bytes).unwrap().with_index(&index);
    for (at, letters) in letters.iter().enumerate() {
        let frame = animation.frame(at).unwrap();
        assert_eq!(frame.root_offset(), [at as f32, 0.0, 0.0]);
        assert_eq!(frame.events().map(|event| event.as_bytes().len()).collect::<Vec<_>>(), [*letters]);
    }
}

/// As many frames, in another file at another place.
#[test]
fn an_index_of_a_file_with_as_many_frames_is_not_used() {
    check_frames(&[2, 5], &with_events(&[40, 3]));
}

/// Another number of frames, at the same place and in as many bytes.
#[test]
fn an_index_of_a_file_of_the_same_size_with_fewer_frames_is_not_used() {
    let (two, three) = (with_events(&[40, 59]), with_events(&[1, 2, 3]));
    assert_eq!(two.len(), three.len());
    check_frames(&[1, 2, 3], &two);
    check_frames(&[40, 59], &three);
}

/// The docs of the index: four bytes for each frame.
#[test]
fn an_index_has_four_bytes_for_each_frame() {
    let bytes = file(2, 100);
    let animation = Gsa::parse(&bytes).unwrap();
    let mut index = None;
    let info = allocation_counter::measure(|| index = animation.to_index());
    assert!(index.is_some());
    assert_eq!(info.bytes_current, 4 * 100);
}

#[test]
fn frames_of_one_length_need_no_index() {
    for minor in [1, 2] {
        let bytes =
            Built::new(minor, Layout::Plain.skeleton(&biped(3)), &[], vec![Frame::new(Rng::new(3).rotations(3)); 9]);
        let bytes = bytes.build().bytes;
        let animation = Gsa::parse(&bytes).unwrap();
        assert_eq!(animation.frame_size(), Some(if minor == 1 { 88 } else { 90 }));
        assert!(animation.to_index().is_none());
    }
}

#[test]
fn a_track_gives_the_rotations_of_a_bone_by_step_and_by_number() {
    for minor in [1, 2] {
        let bytes = file(minor, 30);
        let animation = Gsa::parse(&bytes).unwrap();
        for bone in 0..3 {
            let mut track = animation.track(bone).unwrap();
            assert_eq!(track.as_strided().is_some(), minor == 1);
            assert_eq!(track.len(), 30);
            let expected: Vec<_> = animation.frames().map(|frame| frame.rotations()[bone].get()).collect();
            for (at, rotation) in expected.iter().enumerate() {
                assert_eq!(track.get(at).unwrap().get(), *rotation);
            }
            assert!(track.get(30).is_none());
            // What is left is counted from its own front.
            assert_eq!(track.next().unwrap().get(), expected[0]);
            assert_eq!(track.nth(3).unwrap().get(), expected[4]);
            assert_eq!((track.len(), track.get(0).unwrap().get()), (25, expected[5]));
            assert!(track.get(25).is_none());
            assert_eq!(track.last().unwrap().get(), expected[29]);
        }
    }
}

#[test]
fn a_bone_is_found_by_its_id() {
    let all = corpus("gsa/plain_all.gsa");
    let animation = Gsa::parse(&all).unwrap();
    assert_eq!(animation.rotation_of(1), Some(1));
    assert_eq!(animation.rotation_of(u16::try_from(animation.rotation_count()).unwrap()), None);
    let some = Built::new(1, Layout::Plain.skeleton(&biped(9)), &[7, 2, 5], vec![Frame::new(Rng::new(3).rotations(3))]);
    let some = some.build().bytes;
    let animation = Gsa::parse(&some).unwrap();
    assert_eq!([7, 2, 5, 0].map(|id| animation.rotation_of(id)), [Some(0), Some(1), Some(2), None]);
}

#[test]
fn events_of_all_frames_have_the_kinds_of_their_prefixes() {
    let frame = Frame::new(Rng::new(3).rotations(3))
        .event("sound=cuff")
        .event("itemsound=magout")
        .event("footstep")
        .event("")
        .event("Sound=x");
    let bytes = Built::new(2, Layout::Plain.skeleton(&biped(3)), &[], vec![frame]).build().bytes;
    let animation = Gsa::parse(&bytes).unwrap();
    let events: Vec<_> = animation.events().map(|(frame, event)| (frame, event.kind())).collect();
    let text = |name: &'static str| skelmap::Text::new(name.as_bytes());
    let expected = [
        EventKind::Sound(text("cuff")),
        EventKind::ItemSound(text("magout")),
        EventKind::Other(text("footstep")),
        EventKind::Other(text("")),
        EventKind::Other(text("Sound=x")),
    ];
    assert_eq!(events, expected.map(|kind| (0, kind)));
}
