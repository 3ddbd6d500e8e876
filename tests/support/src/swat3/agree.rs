//! The crate and the naive reader say the same about a file, down to the bits of every float.

use skelmap::swat3::{
    BoneId, BoneLayout, Field, Gsa, GsaVersion, NameForm, NotInferred, Options, Quat, SkeletonOption, Uniqueness,
};
use skelmap::{Error, Quirk};

use super::build::Layout;
use super::naive::{self as naive, Search};

/// Both readers' ways to take a file.
type Way = (Options, naive::Options);

pub fn strict() -> Way {
    (Options::default(), naive::Options::default())
}

fn way(uniqueness: Uniqueness, search: Search, trailing_zeros: bool) -> Way {
    let mut options = Options::default();
    options.uniqueness = uniqueness;
    options.trailing_zeros = trailing_zeros;
    (options, naive::Options { search, trailing_zeros })
}

/// A layout, for both readers.
fn given(prologue: usize, pre: usize, name: naive::NameForm, post: usize) -> Way {
    let small = |size: usize| u16::try_from(size).unwrap();
    let form = match name {
        naive::NameForm::U8 => NameForm::U8,
        naive::NameForm::U16 => NameForm::U16,
        naive::NameForm::Fixed(size) => NameForm::Fixed(small(size)),
    };
    let mut layout = BoneLayout::new(small(pre), form, small(post));
    layout.prologue = small(prologue);
    let mut options = Options::default();
    options.skeleton = SkeletonOption::Given(layout);
    let search = Search::Given(naive::Layout { prologue, pre, name, post });
    (options, naive::Options { search, trailing_zeros: false })
}

/// The layout of a corpus file's bones, for both readers, where it is the same for all bones.
pub fn given_by(layout: Layout) -> Option<Way> {
    use super::build::NameForm as Built;
    let record = layout.record()?;
    let name = match record.name {
        Built::U8 => naive::NameForm::U8,
        Built::U16 => naive::NameForm::U16,
        Built::Fixed(size) => naive::NameForm::Fixed(size),
    };
    Some(given(record.prologue, record.pre, name, record.post))
}

/// Every way without a layout.
pub fn ways() -> [Way; 4] {
    [
        strict(),
        way(Uniqueness::First, Search::First, false),
        way(Uniqueness::Strict, Search::Strict, true),
        way(Uniqueness::First, Search::First, true),
    ]
}

/// Every way, with and without a layout.
pub fn agree_in_every_way(bytes: &[u8]) {
    every_way().for_each(|way| agree_in(bytes, &way));
}

fn every_way() -> impl Iterator<Item = Way> {
    ways().into_iter().chain(Layout::ALL.into_iter().filter_map(given_by))
}

/// Every way without a layout, one after the other.
pub fn agree(bytes: &[u8]) {
    for way in &ways() {
        agree_in(bytes, way);
    }
}

pub fn agree_in(bytes: &[u8], (options, naive): &Way) {
    match (Gsa::parse_with(bytes, options), naive::read(bytes, *naive)) {
        (Ok(animation), Ok(expected)) => same(&animation, &expected),
        (Err(error), Err(expected)) => same_error(error, &expected),
        (crate_says, naive_says) => panic!("{options:?}: {crate_says:?} and {:?}", naive_says.map(|gsa| gsa.marker)),
    }
}

fn same_error(error: Error, expected: &naive::Bad) {
    let found = (error.code().name(), error.section().to_string(), error.offset());
    assert_eq!(found, (expected.kind, expected.section.to_owned(), expected.offset), "{error}");
}

fn told(quirk: Quirk) -> (&'static str, String, u64) {
    (quirk.code.name(), quirk.section.to_string(), quirk.offset)
}

fn bits<const N: usize>(floats: [f32; N]) -> [u32; N] {
    floats.map(f32::to_bits)
}

fn all_bits<'a>(rotations: impl IntoIterator<Item = &'a Quat>) -> Vec<[u32; 4]> {
    rotations.into_iter().map(|rotation| bits(rotation.get())).collect()
}

fn same(animation: &Gsa<'_>, expected: &naive::Gsa) {
    let version = if expected.minor == 1 { GsaVersion::V4_1 } else { GsaVersion::V4_2 };
    assert_eq!((animation.version(), animation.version().numbers()), (version, (4, expected.minor)));
    assert_eq!((animation.unknown(), animation.frame_rate_field()), (expected.unknown, expected.frame_rate));
    assert_eq!(animation.skeleton_offset(), expected.start as u64);
    assert_eq!(animation.marker_offset(), expected.marker as u64);
    assert_eq!(animation.skeleton_bytes(), expected.skeleton);
    assert_eq!(animation.animated_ids().iter().map(BoneId::get).collect::<Vec<_>>(), expected.ids);
    assert_eq!(animation.rotation_count(), expected.m);
    assert_eq!(animation.frames_offset(), expected.first as u64);
    assert_eq!(usize::from(animation.event_count_words()), expected.count_words);
    let quirks: Vec<_> =
        expected.quirks.iter().map(|(code, section, at)| (*code, (*section).to_owned(), *at)).collect();
    assert_eq!(animation.quirks().map(told).collect::<Vec<_>>(), quirks);
    same_frames(animation, expected);
    same_tracks(animation, expected);
    same_inference(animation, expected);
    {
        // Findings about names, which the naive reader has no opinion on.
        let of_names = ["name-duplicate", "bone-names"];
        let found: std::collections::BTreeSet<_> = animation
            .check()
            .iter()
            .map(|finding| finding.code.name())
            .filter(|code| !of_names.contains(code))
            .collect();
        let mut expected = naive::findings(expected);
        expected.remove("name-duplicate");
        assert_eq!(found, expected);
    }
}

fn same_frames(animation: &Gsa<'_>, expected: &naive::Gsa) {
    assert_eq!(animation.frame_count(), expected.frames.len());
    assert_eq!(animation.frames().len(), expected.frames.len());
    for (found, frame) in animation.frames().zip(&expected.frames) {
        assert_eq!(bits(found.origin()), bits(frame.origin));
        assert_eq!(bits(found.rotation()), bits(frame.rotation));
        assert_eq!(bits(found.root_offset()), bits(frame.root));
        assert_eq!(all_bits(found.rotations()), frame.rotations.iter().copied().map(bits).collect::<Vec<_>>());
        assert!(found.events().map(skelmap::swat3::Event::as_bytes).eq(frame.events.iter().map(Vec::as_slice)));
    }
    let events = expected.frames.iter().enumerate();
    let events = events.flat_map(|(at, frame)| frame.events.iter().map(move |event| (at, event.as_slice())));
    assert!(animation.events().map(|(frame, event)| (frame, event.as_bytes())).eq(events));
    let ends = expected.frames.iter().skip(1).map(|frame| frame.offset).chain([expected.end]);
    let mut sizes: Vec<_> = expected.frames.iter().zip(ends).map(|(frame, end)| end - frame.offset).collect();
    sizes.dedup();
    let alike = if let [size] = sizes.as_slice() { Some(*size) } else { None };
    assert_eq!(animation.frame_size(), alike);
    // Walking up to every frame of many would take long.
    let step = (expected.frames.len() / 100).max(1);
    for (at, frame) in expected.frames.iter().enumerate().step_by(step) {
        assert_eq!(bits(animation.frame(at).unwrap().root_offset()), bits(frame.root));
    }
    assert!(animation.frame(expected.frames.len()).is_err());
}

fn same_tracks(animation: &Gsa<'_>, expected: &naive::Gsa) {
    for at in [0, expected.m / 2, expected.m - 1] {
        let rotations: Vec<_> = expected.frames.iter().map(|frame| bits(frame.rotations[at])).collect();
        assert_eq!(all_bits(animation.track(at).unwrap()), rotations);
    }
    assert!(animation.track(expected.m).is_err());
}

fn same_inference(animation: &Gsa<'_>, expected: &naive::Gsa) {
    let (found, inferred) = (animation.infer_layout(), naive::infer(expected));
    let (Ok(found), Some(inferred)) = (&found, &inferred) else {
        assert!(found.is_err() && inferred.is_none(), "{found:?} and {inferred:?}");
        assert_ne!(found, Err(NotInferred::Opaque));
        return;
    };
    let layout = found.layout;
    let sizes = (usize::from(layout.prologue), usize::from(layout.pre), usize::from(layout.post));
    assert_eq!(sizes, (inferred.prologue, inferred.pre, inferred.post));
    let field = |place: Option<(naive::infer::Place, usize)>| {
        place.map(|(place, at)| match place {
            naive::infer::Place::Pre => Field::Pre(u16::try_from(at).unwrap()),
            naive::infer::Place::Post => Field::Post(u16::try_from(at).unwrap()),
        })
    };
    assert_eq!((layout.id, layout.parent), (field(inferred.id), field(inferred.parent)));
    assert_eq!(layout.rotation, inferred.rotation.map(|at| Field::Post(u16::try_from(at).unwrap())));
    assert_eq!(layout.translation, None);
    assert_eq!(found.bones, inferred.bones.len());
    // A view with a given layout has the bones of that one.
    let Ok(bones) = animation.bones() else { panic!("inferred and not there") };
    if *bones.layout() != layout {
        return;
    }
    assert_eq!(bones.clone().count(), inferred.bones.len());
    for (bone, expected) in bones.clone().zip(&inferred.bones) {
        assert_eq!(bone.name().as_bytes(), expected.name);
        assert_eq!((bone.id(), bone.parent()), (expected.id, expected.parent));
        assert_eq!(bone.rotation().map(bits), expected.rotation.map(bits));
    }
}
