//! Animations of every writer, sound or repaired while they are read.

use super::super::build::{Bone, CLASSIC, Chunks, Info, ScaleKey};
use super::sample::{moves, walk, walk_and_run, walk_and_run_good, walk_good};
use super::{Case, Good, ok};

pub fn cases() -> Vec<Case> {
    let mut cases = writers();
    cases.extend(numbering());
    cases.extend(scale_keys());
    cases.extend(curves());
    cases
}

fn scales(count: u16) -> Vec<ScaleKey> {
    (0..count).map(|index| ScaleKey { scale: [1.0, 1.0, 1.0 + f32::from(index % 4) * 0.25], time: 1.0 }).collect()
}

fn writers() -> Vec<Case> {
    let anim = walk();
    let mut seconds = walk();
    for info in &mut seconds.infos {
        info.root_include = 1;
        info.key_reduction = 1.0;
        info.track_time = 0.25;
    }
    let head = || Chunks::new().empty("ANIMHEAD", 0);
    vec![
        ok(
            "actorx/anim/classic.psa",
            "the five chunks, one sequence",
            "actorx.md 1.4",
            anim.onto(Chunks::flagged(CLASSIC, CLASSIC)),
            walk_good(),
        ),
        ok(
            "actorx/anim/sequences.psa",
            "three sequences, one after another",
            "actorx.md 4.1",
            moves(&[("Walk", 5, 20.0), ("Run", 3, 12.0), ("Idle", 4, 2.0)]).chunks(),
            Good { sequences: Some(3), frames: Some(12), duration_s: Some(2.5), ..walk_good() },
        ),
        ok(
            "actorx/anim/no_scale_keys.psa",
            "written before scale keys were invented",
            "actorx.md 1.4",
            head().records("BONENAMES", &anim.bones).records("ANIMINFO", &anim.infos).records("ANIMKEYS", &anim.keys),
            walk_good(),
        ),
        ok(
            "actorx/anim/track_time_seconds.psa",
            "scale keys flagged but absent, track time in seconds, record size 0",
            "actorx.md 4.1, 9",
            Chunks::flagged(CLASSIC, CLASSIC)
                .empty("ANIMHEAD", 0)
                .records("BONENAMES", &seconds.bones)
                .records("ANIMINFO", &seconds.infos)
                .records("ANIMKEYS", &seconds.keys)
                .empty("SCALEKEYS", 0),
            walk_good(),
        ),
        ok(
            "actorx/anim/shuffled.psa",
            "keys before the sequences they belong to",
            "actorx.md 1.4",
            head()
                .records("SCALEKEYS", &scales(20))
                .records("ANIMKEYS", &anim.keys)
                .records("ANIMINFO", &anim.infos)
                .records("BONENAMES", &anim.bones),
            walk_good(),
        ),
        ok(
            "actorx/anim/flags.psax",
            "the one-byte track flags of 2010",
            "actorx.md 2",
            anim.chunks().chunk("ANIMFLAGS", 1, &[0, 1, 1, 3]),
            walk_good().findings(&["unread-chunk"]),
        ),
        ok(
            "actorx/anim/type_flag.psa",
            "uninitialised type flags",
            "actorx.md 1.2",
            anim.onto(Chunks::flagged(0x2E, 0x0012_F2F0)),
            walk_good().quirks(&["type-flag"]),
        ),
        ok(
            "actorx/anim/nothing.psa",
            "all chunks there and all of them empty",
            "actorx.md 1.1",
            head().empty("BONENAMES", 120).empty("ANIMINFO", 168).empty("ANIMKEYS", 32).empty("SCALEKEYS", 16),
            Good { bones: Some(0), sequences: Some(0), frames: Some(0), duration_s: Some(0.0), ..walk_good() },
        ),
        ok(
            "actorx/anim/name_overflow.psa",
            "a sequence name of 70 bytes that ran into the group before the group was written",
            "actorx.md 1.3",
            name_overflow(),
            walk_good().findings(&["name-unterminated"]),
        ),
        ok(
            "actorx/anim/zero_pose.psa",
            "bones without a pose, all children of the first",
            "actorx.md 4",
            {
                let mut anim = walk();
                anim.bones = (0..).zip(anim.bones).map(|(index, bone)| zero_pose(index, bone)).collect();
                anim.chunks()
            },
            walk_good().findings(&["rotation-zero"]),
        ),
    ]
}

fn zero_pose(index: i32, bone: Bone) -> Bone {
    Bone {
        children: 0,
        parent: if index > 0 { 0 } else { -1 },
        rotation: [0.0; 4],
        position: [0.0; 3],
        length: 1.0,
        size: [0.0; 3],
        ..bone
    }
}

fn name_overflow() -> Chunks {
    let long = b"ThirdPerson_Jump_Start_From_Standing_Still_With_Rifle_Lowered_To_Hip_A";
    assert_eq!(long.len(), 70);
    let mut anim = walk();
    let info: &mut Info = &mut anim.infos[0];
    info.name.copy_from_slice(&long[..64]);
    info.group = [0; 64];
    info.group[..6].copy_from_slice(&long[64..]);
    info.group[..5].copy_from_slice(b"None\0");
    anim.chunks()
}

fn numbering() -> Vec<Case> {
    let first_is_count = |sequences: &[(&str, i32, f32)]| {
        let mut anim = moves(sequences);
        for info in &mut anim.infos {
            info.first_raw_frame = info.num_raw_frames;
        }
        anim.chunks()
    };
    let mut overlap = walk_and_run();
    overlap.infos[1].first_raw_frame = 3;
    vec![
        ok(
            "actorx/anim/frame_numbering.psa",
            "the first frame's number is the number of frames",
            "actorx.md 4.2",
            first_is_count(&[("Walk", 5, 20.0)]),
            walk_good().quirks(&["frame-numbering"]),
        ),
        ok(
            "actorx/anim/frame_numbering_many.psa",
            "the same, in three sequences",
            "actorx.md 4.2",
            first_is_count(&[("Walk", 5, 20.0), ("Run", 3, 12.0), ("Idle", 4, 2.0)]),
            Good { sequences: Some(3), frames: Some(12), duration_s: Some(2.5), ..walk_good() }
                .quirks(&["frame-numbering"]),
        ),
        ok(
            "actorx/anim/frame_numbering_negative.psa",
            "a negative first frame",
            "actorx.md 4.2",
            {
                let mut anim = walk_and_run();
                anim.infos[1].first_raw_frame = -1;
                anim.chunks()
            },
            walk_and_run_good().quirks(&["frame-numbering"]),
        ),
        ok(
            "actorx/anim/sequence_overlap.psa",
            "two sequences that share frames, and frames that none has",
            "actorx.md 4.2",
            overlap.chunks(),
            walk_and_run_good().findings(&["sequence-overlap"]),
        ),
    ]
}

fn scale_keys() -> Vec<Case> {
    let with = |count| {
        let mut anim = walk_and_run();
        anim.scale_keys = scales(count);
        anim
    };
    let mut partial = with(12);
    partial.infos[1].root_include = 1;
    vec![
        ok(
            "actorx/anim/scale_keys.psa",
            "a scale key per key",
            "actorx.md 4.3",
            with(32).chunks(),
            walk_and_run_good(),
        ),
        ok(
            "actorx/anim/scale_keys_partial.psa",
            "scale keys for the second sequence only",
            "actorx.md 4.3",
            partial.chunks(),
            walk_and_run_good().quirks(&["scale-keys-partial"]),
        ),
        ok(
            "actorx/anim/scale_keys_ignored.psa",
            "a number of scale keys that fits nothing",
            "actorx.md 4.3",
            with(7).chunks(),
            walk_and_run_good().quirks(&["scale-keys-ignored"]),
        ),
    ]
}

fn curves() -> Vec<Case> {
    let anim = moves(&[("WalkForwardLeft", 5, 20.0), ("Run", 3, 12.0)]);
    let flagged = || anim.onto(Chunks::flagged(20_090_127, 20_090_127));
    let smile = ("Smile", vec![0.0, 0.25, 0.5, 0.75, 1.0]);
    let blink = ("Blink", vec![0.0, 1.0, 0.0, 1.0, 0.0]);
    vec![
        ok(
            "actorx/anim/curves.psa",
            "blend curves: two for the first sequence, whose name is cut, and none for the second",
            "actorx.md 4.4",
            flagged().curves("WalkForwardLef:CUR", 5, &[smile.clone(), blink]).curves("Run:CUR", 3, &[]),
            walk_and_run_good(),
        ),
        ok(
            "actorx/anim/curve_size.psa",
            "a curve one frame longer than its sequence",
            "actorx.md 4.4",
            flagged().curves("Run:CUR", 4, &[("Smile", vec![0.0, 0.5, 1.0, 1.0])]),
            walk_and_run_good().findings(&["curve-size"]),
        ),
        ok(
            "actorx/anim/curve_stray.psa",
            "a curve of a sequence that is not there",
            "actorx.md 4.4",
            flagged().curves("Jump:CUR", 5, &[smile]),
            walk_and_run_good().findings(&["curve-size"]),
        ),
    ]
}
