//! Random files read back as they were built, and random damage is taken alike by both readers.

use proptest::prelude::*;
use skelmap::swat3::{Event, Gsa};

use test_support::swat3::agree::{agree, agree_in, given_by, strict};
use test_support::swat3::build::Layout;
use test_support::swat3::build::random::{self, random_file};
use test_support::swat3::corpus::cases;

fn layout() -> impl Strategy<Value = Layout> {
    prop::sample::select(Layout::ALL.to_vec())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_random_file_reads_back_as_it_was_built(seed in any::<u64>(), layout in layout(), minor in 1_u8..=2) {
        let (bytes, expected) = random_file(&mut random::Rng::new(seed), layout, minor);
        let animation = Gsa::parse(&bytes).unwrap();
        prop_assert_eq!(animation.marker_offset(), expected.marker as u64);
        prop_assert_eq!(animation.animated_ids().iter().map(skelmap::swat3::BoneId::get).collect::<Vec<_>>(), expected.ids);
        prop_assert_eq!(animation.frame_count(), expected.frames.len());
        for (found, built) in animation.frames().zip(&expected.frames) {
            prop_assert_eq!(found.origin(), built.origin);
            prop_assert_eq!(found.rotation(), built.rotation);
            prop_assert_eq!(found.root_offset(), built.root);
            let rotations: Vec<_> = found.rotations().iter().map(skelmap::swat3::Quat::get).collect();
            prop_assert_eq!(&rotations, &built.rotations);
            // The builder's have their NUL.
            let events = built.events.iter().filter_map(|event| event.strip_suffix(&[0]));
            prop_assert!(found.events().map(Event::as_bytes).eq(events));
        }
    }

    #[test]
    fn both_readers_agree_on_random_damage(
        at in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in 0_usize..8,
    ) {
        let cases = cases();
        let mut bytes = cases[at.index(cases.len())].bytes.clone();
        if bytes.is_empty() {
            return Ok(());
        }
        for (index, value) in changes {
            let index = index.index(bytes.len());
            bytes[index] = value;
        }
        bytes.truncate(bytes.len().saturating_sub(cut));
        agree(&bytes);
        agree_in(&bytes, &given_by(Layout::Plain).unwrap());
    }

    #[test]
    fn both_readers_agree_on_random_bytes_after_a_header(minor in 1_u8..=2, tail in prop::collection::vec(
        prop::sample::select(vec![0_u8, 0, 0, 1, 2, 3, 0x3F, 0x80, 0xFF, 0xFF, 0xFF, b'a']), 0..300,
    )) {
        let mut bytes = vec![0xCF, 0xD0, 0x09, 0xA8, 0x2A, 0x1F, 0xD2, 0x11, 0x87, 0x49, 0x00, 0x20, 0xAF, 0xE6, 0x36, 0xEE];
        bytes.extend([minor, 4, 0, 0, 10, 0, 0, 0]);
        bytes.extend(tail);
        agree_in(&bytes, &strict());
    }
}
