//! Random files and random damage are taken alike by both readers, by themselves and as meshes and clips.

use proptest::prelude::*;

use test_support::any_bytes::target;
use test_support::ueformat::agree::agree;
use test_support::ueformat::build::random::{self, Rng};
use test_support::ueformat::build::{self, Style};
use test_support::ueformat::corpus::cases;

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_readers_agree_on_random_files(seed in any::<u64>(), version in 0_u8..=10, is_library in any::<bool>()) {
        let rng = &mut Rng::new(seed);
        let style = if is_library { Style::LIBRARY } else { Style::CUE4PARSE };
        let model = target("model");
        for bytes in [
            build::model(version, &random::model(rng), style).build().bytes,
            build::animation(version, &random::animation(rng), style).build().bytes,
            build::pose(version.max(9), &random::pose(rng), style).build().bytes,
        ] {
            agree(&bytes);
            (model.run)(&bytes);
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
        (target("model").run)(&bytes);
    }
}
