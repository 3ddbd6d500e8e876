//! Animations that can be read but do not add up.

use super::super::build::{Anim, Name};
use super::sample::{walk, walk_and_run, walk_and_run_good, walk_good};
use super::{Case, Good, ok};

pub fn cases() -> Vec<Case> {
    let mut cases = sequences();
    cases.extend(keys());
    cases
}

fn two(
    file: &'static str,
    about: &'static str,
    source: &'static str,
    change: impl FnOnce(&mut Anim),
    findings: &[&'static str],
) -> Case {
    let mut anim = walk_and_run();
    change(&mut anim);
    ok(file, about, source, anim.chunks(), walk_and_run_good().findings(findings))
}

fn sequences() -> Vec<Case> {
    let mut stopped = walk_and_run();
    stopped.infos[1].rate = 0.0;
    let mut cut = walk_and_run();
    cut.keys.truncate(28);
    let mut negative = walk_and_run();
    negative.infos[1].num_raw_frames = -3;
    negative.infos[1].key_quotum = 0;
    negative.keys.truncate(20);
    vec![
        two(
            "actorx/anim/name_duplicate.psa",
            "two sequences whose names differ in case only",
            "actorx.md 1.3",
            |anim| anim.infos[1].name = lower(&anim.infos[0].name),
            &["name-duplicate"],
        ),
        ok(
            "actorx/anim/zero_rate.psa",
            "a sequence without a frame rate",
            "actorx.md 4.1",
            stopped.chunks(),
            Good { duration_s: Some(0.25), ..walk_and_run_good() }.findings(&["sequence-rate"]),
        ),
        two(
            "actorx/anim/sequence_bones.psa",
            "a sequence for another number of bones",
            "actorx.md 4.1",
            |anim| anim.infos[1].total_bones = 3,
            &["sequence-bones"],
        ),
        two(
            "actorx/anim/key_quotum.psa",
            "a sequence that miscounts its keys",
            "actorx.md 4.1",
            |anim| anim.infos[1].key_quotum = 13,
            &["key-quotum"],
        ),
        ok(
            "actorx/anim/negative_frames.psa",
            "a sequence of a negative number of frames",
            "actorx.md 4.1",
            negative.chunks(),
            Good { frames: Some(5), duration_s: Some(0.25), ..walk_and_run_good() }.findings(&["sequence-range"]),
        ),
        ok(
            "actorx/anim/sequence_range.psa",
            "keys that end in the middle of the last sequence",
            "actorx.md 4.2",
            cut.chunks(),
            Good { frames: Some(7), duration_s: Some(0.25 + 2.0 / 12.0), ..walk_and_run_good() }
                .findings(&["key-count", "sequence-range"]),
        ),
    ]
}

fn lower(name: &Name) -> Name {
    name.map(|byte| byte.to_ascii_lowercase())
}

fn keys() -> Vec<Case> {
    let mut odd = walk();
    odd.keys.push(odd.keys[0]);
    let mut resting = walk();
    resting.keys[6].rotation = [0.0; 4];
    let mut stretched = walk();
    stretched.keys[6].rotation = [0.0, 0.0, 1.0, 1.0];
    let mut endless = walk();
    endless.keys[6].position[2] = f32::INFINITY;
    vec![
        ok(
            "actorx/anim/key_count.psa",
            "a key more than the bones can share",
            "actorx.md 4.2",
            odd.chunks(),
            walk_good().findings(&["key-count"]),
        ),
        ok(
            "actorx/anim/key_rotation_zero.psa",
            "a key with a rotation of all zeros",
            "actorx.md 4",
            resting.chunks(),
            walk_good().findings(&["rotation-zero"]),
        ),
        ok(
            "actorx/anim/key_rotation_unit.psa",
            "a key with a rotation that is not of unit length",
            "actorx.md 4.2",
            stretched.chunks(),
            walk_good().findings(&["rotation-unit"]),
        ),
        ok(
            "actorx/anim/key_infinite.psa",
            "a key infinitely far away",
            "actorx.md 4.2",
            endless.chunks(),
            walk_good().findings(&["not-finite"]),
        ),
    ]
}
