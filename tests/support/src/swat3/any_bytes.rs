//! SWAT 3: the search for the end of the skeleton and all that follows from it against the second reader; edits; layouts as text.

use skelmap::Error;
use skelmap::swat3::edit::{self, EditError};
use skelmap::swat3::{BoneLayout, Gsa, GsaVersion, Options, SkeletonOption};

use super::agree::{agree_in, ways};

pub fn gsa(bytes: &[u8]) {
    let ways = ways();
    // One way for each input, so that all occur.
    let way = &ways[bytes.len() % ways.len()];
    agree_in(bytes, way);
    if let Ok(animation) = Gsa::parse_with(bytes, &way.0) {
        edits(&animation, &way.0);
        indexed(&animation);
    }
}

/// With an index everything is as without one.
fn indexed(animation: &Gsa<'_>) {
    let Some(index) = animation.to_index() else { return };
    let with = animation.with_index(&index);
    for frame in 0..animation.frame_count() {
        let (a, b) = (animation.frame(frame).unwrap(), with.frame(frame).unwrap());
        assert!(a.events().map(|event| event.as_bytes().len()).eq(b.events().map(|event| event.as_bytes().len())));
        assert!(std::ptr::eq(a.rotations(), b.rotations()));
    }
}

/// What an edit must leave as it is, once per frame.
type Frame = (Vec<u8>, Vec<Vec<u8>>);

fn frames(animation: &Gsa<'_>) -> Vec<Frame> {
    let rotations = |frame: &skelmap::swat3::Frame<'_>| {
        let floats = frame.rotations().iter().flat_map(skelmap::swat3::Quat::get).chain(frame.origin());
        floats.flat_map(f32::to_le_bytes).collect()
    };
    let events = |frame: &skelmap::swat3::Frame<'_>| frame.events().map(|event| event.as_bytes().to_vec()).collect();
    animation.frames().map(|frame| (rotations(&frame), events(&frame))).collect()
}

fn written(edit: impl FnOnce(&mut Vec<u8>) -> Result<(), EditError>) -> Result<Vec<u8>, EditError> {
    let mut out = Vec::new();
    edit(&mut out).map(|()| out)
}

fn edits(animation: &Gsa<'_>, options: &Options) {
    let (bytes, count) = (animation.bytes(), animation.frame_count());
    // What changes nothing gives the same file.
    let same = |result: Result<Vec<u8>, EditError>| assert!(result.unwrap() == bytes, "an edit of nothing");
    same(written(|out| edit::add_events(animation, &[], out)));
    same(written(|out| edit::remove_events(animation, |_, _| false, out)));
    same(written(|out| edit::rename_events(animation, |_, _| None, out)));
    same(written(|out| edit::trim(animation, 0..count, out)));
    let before = frames(animation);

    let cleared = written(|out| edit::remove_events(animation, |_, _| true, out)).unwrap();
    reads_as(&cleared, animation, options, || {
        before.iter().map(|(rotations, _)| (rotations.clone(), Vec::new())).collect()
    });
    if count > 1 {
        let kept = written(|out| edit::trim(animation, 1..count, out)).unwrap();
        reads_as(&kept, animation, options, || before.iter().skip(1).cloned().collect());
    }
    match written(|out| edit::add_events(animation, &[(count - 1, b"sound=x")], out)) {
        Ok(added) => reads_as(&added, animation, options, || {
            let mut frames = before.clone();
            frames.last_mut().unwrap().1.push(b"sound=x".to_vec());
            frames
        }),
        Err(EditError::NoEvents(_)) => {
            assert!(animation.version() == GsaVersion::V4_1 || animation.event_count_words() == 0);
        }
        Err(error) => assert!(matches!(error, EditError::TooManyEvents { .. }), "{error}"),
    }
    for version in [GsaVersion::V4_1, GsaVersion::V4_2] {
        match written(|out| edit::to_version(animation, version, out)) {
            Ok(converted) => reads_as(&converted, animation, options, || before.clone()),
            Err(error) => {
                assert!(matches!(error, EditError::HasEvents { .. }) && version == GsaVersion::V4_1, "{error}");
                assert!(before.iter().any(|(_, events)| !events.is_empty()));
            }
        }
    }
}

/// The edited file, if its skeleton is found to end where it did, holds these frames. (That it is found is no promise of the
/// library's: an edit may take away what told one end from another. The command checks it before it writes.)
fn reads_as(bytes: &[u8], before: &Gsa<'_>, options: &Options, expected: impl FnOnce() -> Vec<Frame>) {
    let read: Result<Gsa<'_>, Error> = Gsa::parse_with(bytes, options);
    let Ok(after) = read else { return };
    if (after.marker_offset(), after.rotation_count()) == (before.marker_offset(), before.rotation_count())
        && after.event_count_words() == usable_words(&after)
    {
        assert_eq!(after.skeleton_bytes(), before.skeleton_bytes());
        assert!(frames(&after) == expected(), "an edit reads as something else");
    }
}

/// How often a file of this version stores its number of events. Files that differ may be read in two ways.
fn usable_words(animation: &Gsa<'_>) -> u8 {
    u8::from(animation.version() == GsaVersion::V4_2)
}

/// A layout as people write it: what is read is written so that it reads the same, and serves to read any file.
pub fn layout(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match text.parse::<BoneLayout>() {
        Ok(layout) => {
            let told = layout.to_string();
            assert_eq!(told.parse::<BoneLayout>().as_ref(), Ok(&layout), "{told}");
            let mut options = Options::default();
            options.skeleton = SkeletonOption::Given(layout);
            let file = super::build::random_file(&mut super::build::Rng::new(7), super::build::Layout::Plain, 2);
            if let Ok(animation) = Gsa::parse_with(&file.0, &options) {
                assert!(animation.bones().is_ok_and(|bones| bones.clone().count() == bones.len()));
            }
        }
        Err(error) => assert!(!error.to_string().is_empty() && error.line <= text.lines().count()),
    }
}
