//! Edits of SWAT 3 animations of any bytes: what is asked for changes, all else is read as it was.

use skelmap::swat3::{Frame as View, Gsa, GsaVersion, Quat};
use skelmap_write::edit::{EditError, GsaEdit};

use test_support::swat3::agree::ways;

/// The input is an animation, read in one of four ways.
pub fn gsa_edits(bytes: &[u8]) {
    let ways = ways();
    // One way for each input, so that all occur.
    let (options, _) = &ways[bytes.len() % ways.len()];
    if let Ok(animation) = Gsa::parse_with(bytes, options) {
        edits(&animation);
    }
}

/// What an edit must leave as it is, once per frame.
type Frame = (Vec<u8>, Vec<Vec<u8>>);

fn frames(animation: &Gsa<'_>) -> Vec<Frame> {
    let rotations = |frame: &View<'_>| {
        let floats = frame.rotations().iter().flat_map(Quat::get).chain(frame.origin());
        floats.flat_map(f32::to_le_bytes).collect()
    };
    let events = |frame: &View<'_>| frame.events().map(|event| event.as_bytes().to_vec()).collect();
    animation.frames().map(|frame| (rotations(&frame), events(&frame))).collect()
}

fn written(
    animation: &Gsa<'_>,
    ask: impl FnOnce(&mut GsaEdit<'_>) -> Result<(), EditError>,
) -> Result<Vec<u8>, EditError> {
    let (mut edit, mut out) = (GsaEdit::new(animation), Vec::new());
    ask(&mut edit)?;
    edit.write(&mut out).map(|_| out)
}

fn edits(animation: &Gsa<'_>) {
    let (bytes, count) = (animation.bytes(), animation.frame_count());
    // What changes nothing gives the same file.
    assert!(written(animation, |_| Ok(())).unwrap() == bytes, "an edit of nothing");
    assert!(written(animation, |edit| edit.trim(0..count).map(drop)).unwrap() == bytes, "all frames are kept");
    if let Some((_, event)) = animation.events().last() {
        let same = written(animation, |edit| edit.rename_events(event.as_bytes(), event.as_bytes()).map(drop));
        // An event whose text is the name of another one gets that name, too.
        let is_text =
            |own: skelmap::swat3::Event<'_>| own != event && own.text().to_string() == event.text().to_string();
        assert!(same.unwrap() == bytes || animation.events().any(|(_, own)| is_text(own)), "a name stays");
    }
    let before = frames(animation);

    reads_as(
        written(animation, |edit| {
            edit.clear_events();
            Ok(())
        }),
        animation,
        || before.iter().map(|(rotations, _)| (rotations.clone(), Vec::new())).collect(),
    );
    if count > 1 {
        reads_as(written(animation, |edit| edit.trim(1..count).map(drop)), animation, || before[1..].to_vec());
    }
    match written(animation, |edit| edit.add_event(count - 1, "sound=x").map(drop)) {
        Err(EditError::NoEvents(_)) => {
            assert!(animation.version() == GsaVersion::V4_1 || animation.event_count_words() == 0);
        }
        Err(EditError::TooManyEvents { .. }) => assert!(before[count - 1].1.len() == 65535),
        added => reads_as(added, animation, || {
            let mut frames = before.clone();
            frames.last_mut().unwrap().1.push(b"sound=x".to_vec());
            frames
        }),
    }
    for version in [GsaVersion::V4_1, GsaVersion::V4_2] {
        match written(animation, |edit| {
            edit.set_version(version);
            Ok(())
        }) {
            Err(EditError::HasEvents { .. }) => {
                assert!(version == GsaVersion::V4_1 && before.iter().any(|(_, events)| !events.is_empty()));
            }
            converted => reads_as(converted, animation, || before.clone()),
        }
    }
}

/// The edited file holds these frames, or the edit was refused: it takes away what tells one end of the skeleton from another.
fn reads_as(edited: Result<Vec<u8>, EditError>, before: &Gsa<'_>, expected: impl FnOnce() -> Vec<Frame>) {
    let bytes = match edited {
        Ok(bytes) => bytes,
        Err(EditError::NotReadBack(_) | EditError::OtherReading) => return,
        Err(error) => panic!("{error}"),
    };
    let after = Gsa::parse_with(&bytes, before.options()).expect("it was read back");
    assert_eq!((after.skeleton_bytes(), after.animated_ids()), (before.skeleton_bytes(), before.animated_ids()));
    assert!(frames(&after) == expected(), "an edit reads as something else");
}
