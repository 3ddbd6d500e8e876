//! How often the self-check finds the end of the skeleton, over files made at random: always, and never elsewhere.

use skelmap::swat3::{Gsa, Options, Uniqueness};

use test_support::swat3::build::Layout;
use test_support::swat3::build::random::{Rng, random_file};

const FILES: usize = 1200;

#[test]
fn the_search_finds_only_the_true_place_in_24_000_files_of_ten_layouts() {
    let (mut rng, mut files) = (Rng::new(2026), 0);
    for layout in Layout::ALL {
        for minor in [1, 2] {
            for _ in 0..FILES {
                let (bytes, expected) = random_file(&mut rng, layout, minor);
                let animation = Gsa::parse(&bytes).unwrap_or_else(|error| panic!("{layout:?} 4.{minor}: {error}"));
                assert_eq!(animation.marker_offset(), expected.marker as u64, "{layout:?} 4.{minor}");
                assert_eq!(animation.frames_offset(), expected.first as u64);
                let (rotations, frames) = (animation.rotation_count(), animation.frame_count());
                assert_eq!((rotations, frames), (expected.m, expected.frames.len()));
                files += 1;
            }
        }
    }
    assert_eq!(files, 24_000);
}

/// Section 6.1: in all files of the reference the first survivor by offset was the true one.
#[test]
fn the_first_place_that_fits_is_the_true_one_in_10_000_files() {
    let mut rng = Rng::new(4);
    let mut options = Options::default();
    options.uniqueness = Uniqueness::First;
    let layouts = Layout::ALL.into_iter().filter(|layout| *layout != Layout::Hostile);
    for layout in layouts.cycle().take(10_000) {
        let minor = if rng.chance(50) { 1 } else { 2 };
        let (bytes, expected) = random_file(&mut rng, layout, minor);
        let animation = Gsa::parse_with(&bytes, &options).unwrap();
        assert_eq!(animation.marker_offset(), expected.marker as u64, "{layout:?} 4.{minor}");
    }
}

/// Section 6.1: uniform random bytes after a sound header.
#[test]
fn the_search_finds_nothing_in_20_000_files_of_random_bytes() {
    let mut rng = Rng::new(9);
    let mut markers = 0;
    for file in 0..20_000_usize {
        let mut bytes =
            vec![0xCF, 0xD0, 0x09, 0xA8, 0x2A, 0x1F, 0xD2, 0x11, 0x87, 0x49, 0x00, 0x20, 0xAF, 0xE6, 0x36, 0xEE];
        bytes.extend([1 + (file % 2) as u8, 4, 0, 0, 10, 0, 0, 0]);
        bytes.extend((0..375).flat_map(|_| rng.bits().to_le_bytes()));
        markers += bytes.windows(2).filter(|pair| *pair == [0xFF, 0xFF]).count();
        let error = Gsa::parse(&bytes).unwrap_err();
        assert_eq!(error.code().name(), "marker-not-found");
    }
    assert!(markers > 500, "{markers} places to be mistaken about");
}

/// Section 6.2: exact for the constant records with lengths in two bytes, and nothing but silence for the others.
#[test]
fn layouts_are_inferred_exactly_or_not_at_all() {
    let mut rng = Rng::new(7);
    for layout in Layout::ALL {
        let (mut inferred, mut tried) = (0, 0);
        for _ in 0..1000 {
            let (bytes, expected) = random_file(&mut rng, layout, 1);
            let found = Gsa::parse(&bytes).unwrap().infer_layout();
            if expected.bones.len() < 3 {
                assert!(found.is_err(), "{layout:?}: two names check nothing");
                continue;
            }
            tried += 1;
            let Ok(found) = found else { continue };
            inferred += 1;
            assert_eq!(found.bones, expected.bones.len(), "{layout:?}");
            let record = layout.record().unwrap_or_else(|| panic!("{layout:?} has no one record"));
            let sizes =
                (usize::from(found.layout.prologue), usize::from(found.layout.pre), usize::from(found.layout.post));
            assert_eq!(sizes, (record.prologue, record.pre, record.post), "{layout:?}");
        }
        println!("{layout:?}: {inferred} of {tried}");
        match layout {
            Layout::Plain
            | Layout::NameFirst
            | Layout::Counted
            | Layout::Children
            | Layout::Matrix
            | Layout::Hostile => {
                assert_eq!(inferred, tried, "{layout:?}");
            }
            Layout::Nested | Layout::ByteLengths | Layout::FixedNames | Layout::TwoSkeletons => {
                assert_eq!(inferred, 0, "{layout:?}");
            }
        }
    }
}
