//! Single fields, which the corpus has with one value only.

use skelmap::swat3::{EventKind, Gsa};

use test_support::swat3::agree::agree;
use test_support::swat3::build::{Frame, Gsa as Built, IDENTITY, Layout, biped};

fn built(event: &str) -> Built {
    let frames = vec![Frame::new(vec![IDENTITY; 3]).event(event), Frame::new(vec![IDENTITY; 3])];
    Built::new(2, Layout::Plain.skeleton(&biped(3)), &[], frames)
}

/// The reference, section 2: the game ignores the frame rate of the file and plays 10 frames per second.
#[test]
fn the_header_is_read_as_stored_and_ten_frames_are_a_second() {
    let file = Built { unknown: [7, 0x1234], frame_rate: 24, ..built("sound=a") }.build().bytes;
    let animation = Gsa::parse(&file).unwrap();
    assert_eq!((animation.unknown(), animation.frame_rate_field()), ([7, 0x1234], 24));
    assert_eq!((animation.rate(), animation.duration()), (Some(10.0), Some(0.2)));
}

#[test]
fn the_events_of_a_frame_are_counted_before_they_are_read() {
    let frame = || Frame::new(vec![IDENTITY; 3]);
    let frames = vec![frame().event("a").event("sound=b"), frame(), frame().event("c")];
    let file = Built::new(2, Layout::Plain.skeleton(&biped(3)), &[], frames).build().bytes;
    let animation = Gsa::parse(&file).unwrap();
    assert_eq!(animation.frames().map(|frame| frame.events().len()).collect::<Vec<_>>(), [2, 0, 1]);
    let shown = format!("{:?}", animation.frame(0).unwrap().events());
    assert!(shown.contains("sound=b"), "{shown}");
    let shown = format!("{:?}", animation.frame(0).unwrap());
    assert!(shown.contains("sound=b") && shown.contains("rotations"), "{shown}");
}

/// The reference, section 2.2: version 4.1 has no events, whatever follows a frame.
#[test]
fn a_file_of_version_4_1_has_no_events() {
    let frames = vec![Frame::new(vec![IDENTITY; 3]), Frame::new(vec![IDENTITY; 3]).event("sound=a")];
    for count_words in [1, 2] {
        let skeleton = Layout::Plain.skeleton(&biped(3));
        let built = Built { count_words, ..Built::new(1, skeleton, &[], frames.clone()) };
        let bytes = built.build().bytes;
        assert!(Gsa::parse(&bytes).is_err());
        agree(&bytes);
    }
}

#[test]
fn the_prefix_of_an_event_decides_its_kind() {
    for (text, code, value) in
        [("sound=cuff", "sound", "cuff"), ("itemsound=magout", "itemsound", "magout"), ("other=x", "other", "other=x")]
    {
        let file = built(text).build().bytes;
        let animation = Gsa::parse(&file).unwrap();
        let (_, event) = animation.events().next().unwrap();
        let kind: EventKind<'_> = event.kind();
        assert_eq!((kind.code(), kind.value().to_string().as_str()), (code, value));
    }
}
