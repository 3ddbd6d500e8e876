//! Layouts of bones: given instead of inferred, as text, and what is refused.

use skelmap::swat3::{BoneLayout, Field, Gsa, NameForm, NotInferred, Options, SkeletonOption, is_event_name};

use super::corpus;
use test_support::swat3::build::random::{Rng, random_file};
use test_support::swat3::build::{Frame, Gsa as File, Layout, NameForm as Built, biped};
use test_support::with;

fn given(layout: BoneLayout) -> Options {
    with(Options::default(), |own| own.skeleton = SkeletonOption::Given(layout))
}

/// The layout that the builder writes.
fn built(layout: Layout) -> Option<BoneLayout> {
    let record = layout.record()?;
    let small = |size: usize| u16::try_from(size).unwrap();
    let name = match record.name {
        Built::U8 => NameForm::U8,
        Built::U16 => NameForm::U16,
        Built::Fixed(size) => NameForm::Fixed(small(size)),
    };
    let mut found = BoneLayout::new(small(record.pre), name, small(record.post));
    found.prologue = small(record.prologue);
    Some(found)
}

/// Section 6.3: parsing by a layout and searching agree.
#[test]
fn a_given_layout_and_the_search_find_the_same_end() {
    let mut rng = Rng::new(63);
    let mut named = 0;
    for layout in Layout::ALL.into_iter().filter(|layout| built(*layout).is_some()) {
        for minor in [1, 2] {
            for _ in 0..100 {
                let (bytes, expected) = random_file(&mut rng, layout, minor);
                let found = Gsa::parse(&bytes).unwrap();
                let by_layout = Gsa::parse_with(&bytes, &given(built(layout).unwrap())).unwrap();
                assert_eq!(by_layout.marker_offset(), expected.marker as u64, "{layout:?}");
                assert_eq!(by_layout.marker_offset(), found.marker_offset());
                assert_eq!(by_layout.rotation_count(), found.rotation_count());
                assert_eq!(by_layout.bone_count(), Some(expected.bones.len()));
                let names: Vec<_> = by_layout.bones().unwrap().map(|bone| bone.name().as_bytes()).collect();
                assert_eq!(names, expected.bones.iter().map(|bone| bone.name.as_slice()).collect::<Vec<_>>());
                named += names.len();
            }
        }
    }
    assert!(named > 10_000, "{named} names");
}

/// A list of ids can name 1,024 bones, and no layout has more.
#[test]
fn a_layout_is_inferred_for_1024_bones_and_not_for_1025() {
    for (count, expected) in [(1024_u16, Ok(1024)), (1025, Err(NotInferred::NoRun))] {
        let bones = biped(count.into());
        let ids: Vec<u16> = (0..count.min(1024)).collect();
        let frame = Frame::new(vec![[0.0, 0.0, 0.0, 1.0]; ids.len()]);
        let bytes = File::new(2, Layout::Plain.skeleton(&bones), &ids, vec![frame]).build().bytes;
        let animation = Gsa::parse(&bytes).unwrap();
        assert_eq!(animation.infer_layout().map(|found| found.bones), expected, "{count}");
        assert_eq!(animation.skeleton().map(|skeleton| skeleton.bone_count()), expected.ok(), "{count}");
    }
}

/// The lengths of 16 bits but the largest.
#[test]
fn an_event_has_at_most_65534_bytes() {
    let name = vec![b'a'; 65_535];
    assert!(is_event_name(&name[1..]) && !is_event_name(&name));
}

#[test]
fn a_given_layout_decides_the_meaning_of_the_fields() {
    let bytes = corpus("gsa/plain.gsa");
    let text = "# as the generator writes it\npre = 4\nname = u16\npost = 28\n\nid = pre 0\nparent=pre 2 # -1: root\nposition = post 0\nrotation = post 12\n";
    let layout: BoneLayout = text.parse().unwrap();
    let animation = Gsa::parse_with(&bytes, &given(layout)).unwrap();
    let bones = animation.bones().unwrap();
    let inferred = Gsa::parse(&bytes).unwrap().infer_layout().unwrap();
    assert_eq!(bones.len(), inferred.bones);
    for (index, bone) in bones.enumerate() {
        assert_eq!((bone.index(), bone.id()), (index, i16::try_from(index).ok()));
        // As the builder places bones.
        assert_eq!(bone.translation(), Some([2.5 * index as f32, 0.0, -0.75]));
        assert_eq!((bone.pre().len(), bone.post().len()), (4, 28));
    }
    // All but the position is what the tests check by themselves.
    let mut proven = layout;
    proven.translation = None;
    assert_eq!(inferred.layout, proven);
}

/// A file whose skeleton cannot be inferred, and whose rotations the search would not believe, is readable by its layout.
#[test]
fn a_given_layout_reads_files_that_the_search_refuses() {
    let bytes = corpus("damaged/rotations_zero.gsa");
    assert!(Gsa::parse(&bytes).is_err());
    let layout = built(Layout::Plain).unwrap();
    let animation = Gsa::parse_with(&bytes, &given(layout)).unwrap();
    assert!(animation.frames().all(|frame| frame.rotations().iter().all(|rotation| rotation.get() == [0.0; 4])));
}

/// Section 6.3: where the number of bones is known, each id is below it.
#[test]
fn the_id_of_a_bone_that_a_given_layout_does_not_have_is_refused() {
    let frames = |ids: &[u16]| {
        let frame = Frame::new(Rng::new(3).rotations(ids.len()));
        let bytes = File::new(1, Layout::Plain.skeleton(&biped(3)), ids, vec![frame]).build().bytes;
        Gsa::parse_with(&bytes, &given(built(Layout::Plain).unwrap())).map(|animation| animation.frame_count())
    };
    assert_eq!(frames(&[0, 2]), Ok(1));
    assert_eq!(frames(&[0, 3]).unwrap_err().code().name(), "marker-not-found");
}

/// Where no bone comes before the marker, nothing says that the layout is right.
#[test]
fn a_marker_before_the_first_bone_is_no_end_by_a_given_layout() {
    let mut bytes = corpus("gsa/plain.gsa")[..24].to_vec();
    // No ids, one frame, and the bytes of a frame without rotations.
    bytes.extend([0xFF, 0xFF, 0, 0, 1, 0]);
    bytes.extend([0; 40]);
    let layout = BoneLayout::new(0, NameForm::U16, 28);
    assert_eq!(Gsa::parse_with(&bytes, &given(layout)).unwrap_err().code().name(), "bone-layout");
}

#[test]
fn an_error_about_a_layout_that_does_not_fit_has_the_place() {
    let bytes = corpus("gsa/plain.gsa");
    let wrong = BoneLayout::new(6, NameForm::U16, 28);
    let error = Gsa::parse_with(&bytes, &given(wrong)).unwrap_err();
    assert_eq!((error.code().name(), error.offset()), ("bone-layout", 24));
    assert_eq!(
        error.to_string(),
        "at byte 24 (skeleton): with the given layout, the skeleton has no end: after 0 bones, neither another bone nor the end mark follows"
    );
    // Bones of no size would go on for ever.
    let nothing = BoneLayout::new(0, NameForm::Fixed(0), 0);
    assert!(Gsa::parse_with(&bytes, &given(nothing)).is_err());
    let mut far = BoneLayout::new(0, NameForm::U16, 28);
    far.prologue = u16::MAX;
    assert_eq!(Gsa::parse_with(&bytes, &given(far)).unwrap_err().code().name(), "bone-layout");
}

#[test]
fn a_skeleton_is_bytes_without_bones_on_request() {
    let bytes = corpus("gsa/plain.gsa");
    let mut options = Options::default();
    options.skeleton = SkeletonOption::Opaque;
    let animation = Gsa::parse_with(&bytes, &options).unwrap();
    assert_eq!(animation.bones().unwrap_err(), NotInferred::Opaque);
    assert_eq!(animation.skeleton_bytes(), Gsa::parse(&bytes).unwrap().skeleton_bytes());
}

#[test]
fn the_text_of_a_layout_reads_back() {
    let mut layout = BoneLayout::new(4, NameForm::U8, 60);
    layout.prologue = 7;
    layout.id = Some(Field::Pre(2));
    layout.translation = Some(Field::Post(48));
    for name in [NameForm::U8, NameForm::U16, NameForm::Fixed(32)] {
        layout.name = name;
        assert_eq!(layout.to_string().parse(), Ok(layout));
    }
}

#[test]
fn an_error_about_the_text_of_a_layout_has_the_line() {
    let refused = |text: &str| text.parse::<BoneLayout>().unwrap_err().to_string();
    let sound = "pre = 4\nname = u16\npost = 28\n";
    assert_eq!(refused("pre 4"), "line 1: expected `key = value`");
    assert_eq!(refused("pre = four"), "line 1: expected a number from 0 to 65535");
    assert_eq!(refused("\npost = 65536"), "line 2: expected a number from 0 to 65535");
    assert_eq!(refused("name = 0"), "line 1: expected `u8`, `u16` or a number of bytes");
    assert_eq!(refused("id = 3"), "line 1: expected `pre` or `post` and a number of bytes");
    assert_eq!(refused("id = after 3"), "line 1: expected `pre` or `post` and a number of bytes");
    assert!(refused("bones = 3").starts_with("line 1: expected one of the keys"));
    assert_eq!(refused("pre = 4\npost = 28"), "the keys `pre`, `name` and `post` are required");
    assert_eq!(refused("pre = 4\npre = 4"), "line 2: the key is repeated");
    assert!(format!("\u{FEFF}{sound}").parse::<BoneLayout>().is_ok(), "a byte-order mark");
    let outside = "a field lies outside of the bytes before or after the name";
    for field in ["id = pre 3", "parent = post 27", "position = post 17", "rotation = post 13", "rotation = pre 0"] {
        assert_eq!(refused(&format!("{sound}{field}")), outside, "{field}");
    }
    for field in ["id = pre 2", "parent = post 26", "position = post 16", "rotation = post 12"] {
        assert!(format!("{sound}{field}").parse::<BoneLayout>().is_ok(), "{field}");
    }
}

/// A matrix has rows of unit length; beside a coordinate that is zero in all bones, such a row is no rotation.
#[test]
fn a_row_of_a_matrix_is_not_read_as_a_rotation() {
    let bytes = corpus("gsa/matrix_all.gsa");
    assert_eq!(Gsa::parse(&bytes).unwrap().infer_layout().unwrap().layout.rotation, None);
}

#[test]
fn a_layout_is_read_and_printed() {
    test_support::swat3::any_bytes::layout(
        b"prologue = 0\npre = 4\nname = u16\npost = 28\nid = pre 0\nparent = pre 2\nrotation = post 12\n",
    );
}
