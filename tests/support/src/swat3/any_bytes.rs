//! SWAT 3: the search for the end of the skeleton and all that follows from it against the second reader; layouts as text.

use skelmap::swat3::{BoneLayout, Gsa, Options, SkeletonOption};

use super::agree::{agree_in, ways};

pub fn gsa(bytes: &[u8]) {
    let ways = ways();
    // One way for each input, so that all occur.
    let way = &ways[bytes.len() % ways.len()];
    agree_in(bytes, way);
    if let Ok(animation) = Gsa::parse_with(bytes, &way.0) {
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
