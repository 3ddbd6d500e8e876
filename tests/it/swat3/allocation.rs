//! Parsing and reading allocate nothing; an index is one allocation, made where frames differ in length only.

use std::hint::black_box;

use allocation_counter::measure;
use skelmap::swat3::Gsa;

use test_support::swat3::agree::ways;
use test_support::swat3::corpus::cases;

fn read(animation: &Gsa<'_>) {
    black_box((animation.skeleton_bytes(), animation.animated_ids(), animation.unknown(), animation.sections()));
    black_box((animation.events().count(), animation.quirks().count(), animation.bone_count()));
    black_box(animation.bones().map(Iterator::count)).ok();
    for frame in animation.frames() {
        black_box((frame.rotations(), frame.events().count()));
    }
    for at in 0..animation.frame_count().min(50) {
        black_box(animation.frame(at)).ok();
    }
    for rotation in 0..animation.rotation_count().min(50) {
        black_box(animation.track(rotation).map(Iterator::count)).ok();
    }
}

#[test]
fn parsing_and_reading_allocate_nothing() {
    for case in cases() {
        let info = measure(|| {
            for (options, _) in ways() {
                if let Ok(animation) = Gsa::parse_with(&case.bytes, &options) {
                    read(&animation);
                }
            }
        });
        assert_eq!(info.count_total, 0, "{}", case.file);
    }
}

#[test]
fn an_owned_form_allocates_only_an_index_and_only_if_frames_differ_in_length() {
    let (mut with, mut without) = (0, 0);
    for case in cases() {
        let Ok(animation) = Gsa::parse(&case.bytes) else { continue };
        let expected = u64::from(animation.frame_size().is_none());
        assert!(expected == 0 || animation.version() == skelmap::swat3::GsaVersion::V4_2);
        let mut owned = None;
        let info = measure(|| owned = Some(skelmap::swat3::GsaBuf::parse(case.bytes.as_slice()).unwrap()));
        assert_eq!(info.count_total, expected, "{}", case.file);
        let owned = owned.unwrap();
        let info = measure(|| read(&owned.view()));
        assert_eq!(info.count_total, 0, "{}", case.file);
        if expected == 0 { without += 1 } else { with += 1 }
    }
    assert!(with > 3 && without > 20, "{with} and {without}");
}
