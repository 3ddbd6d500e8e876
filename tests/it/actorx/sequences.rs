//! Sequences: which frames are theirs, which scale keys, which curves, and how one bone's keys are run through.

use skelmap::actorx::{Psa, Sequence};
use skelmap::{ErrorKind, Float, Headers, ParseOptions};

use test_support::actorx::agree::codes;
use test_support::actorx::build::{Anim, Chunks, ScaleKey};
use test_support::actorx::corpus::sample::moves;

/// Sequences of these (first, count) frames over as many frames as `total`, of two bones; a key's x is its own number.
fn numbered(sequences: &[(i32, i32)], total: usize) -> Anim {
    let names = ["A", "B", "C", "D"];
    let mut anim = moves(&names[..sequences.len()].iter().map(|name| (*name, 1, 10.0)).collect::<Vec<_>>());
    for (info, (first, count)) in anim.infos.iter_mut().zip(sequences) {
        (info.first_raw_frame, info.num_raw_frames) = (*first, *count);
    }
    anim.bones.truncate(2);
    let key = anim.keys[0];
    anim.keys = (0..total * 2)
        .map(|index| test_support::actorx::build::Key { position: [index as f32, 0.0, 0.0], ..key })
        .collect();
    anim
}

fn build(anim: &Anim) -> Vec<u8> {
    anim.chunks().build().bytes
}

/// The numbers of a sequence's keys.
fn keys(sequence: &Sequence<'_>) -> Vec<usize> {
    sequence.keys().iter().map(|key| key.translation()[0] as usize).collect()
}

/// First frame, keys and scale keys of every sequence.
fn firsts(animation: &Psa<'_>) -> Vec<u64> {
    animation.sequences().map(|sequence| sequence.first_frame()).collect()
}

#[test]
fn sequences_begin_at_their_first_frame() {
    let bytes = build(&numbered(&[(2, 1), (0, 2)], 3));
    let animation = Psa::parse(&bytes).unwrap();
    assert_eq!(firsts(&animation), [2, 0]);
    assert_eq!(keys(&animation.sequence("A").unwrap()), [4, 5]);
    assert_eq!(keys(&animation.sequence("B").unwrap()), [0, 1, 2, 3]);
    assert_eq!(codes(animation.quirks()), [""; 0]);
}

#[test]
fn first_frames_that_repeat_the_number_of_frames_are_renumbered() {
    let bytes = build(&numbered(&[(2, 2), (1, 1), (3, 3)], 6));
    let animation = Psa::parse(&bytes).unwrap();
    assert_eq!(firsts(&animation), [0, 2, 3]);
    assert_eq!(keys(&animation.sequence("B").unwrap()), [4, 5]);
    assert_eq!(codes(animation.quirks()), ["frame-numbering"]);
}

/// A file without scale keys has nothing odd about scale keys, whether the chunk is there or not.
#[test]
fn headers_without_scale_keys_have_no_quirk() {
    let anim = numbered(&[(0, 2), (2, 1)], 3);
    let tables = || {
        Chunks::new()
            .empty("ANIMHEAD", 0)
            .records("BONENAMES", &anim.bones)
            .records("ANIMINFO", &anim.infos)
            .records("ANIMKEYS", &anim.keys)
    };
    for chunks in [tables(), tables().empty("SCALEKEYS", 16)] {
        let bytes = chunks.build().bytes;
        let animation = Psa::parse(&bytes).unwrap();
        assert_eq!(codes(animation.quirks()), [""; 0]);
        assert!(animation.sequences().all(|sequence| sequence.scale_keys().is_empty()));
        assert_eq!(Headers::read(bytes.as_slice(), &ParseOptions::default()).unwrap().quirks, []);
    }
}

/// Of several chunks of a kind, the first with records counts, else the first.
#[test]
fn the_error_of_a_frame_has_the_offset_of_the_first_empty_chunk_of_keys() {
    let anim = numbered(&[(0, 2)], 2);
    let built = Chunks::new()
        .empty("ANIMHEAD", 0)
        .records("BONENAMES", &anim.bones)
        .records("ANIMINFO", &anim.infos)
        .empty("ANIMKEYS", 32)
        .empty("ANIMKEYS", 32)
        .build();
    let animation = Psa::parse(&built.bytes).unwrap();
    let error = animation.sequence("A").unwrap().frame(0).unwrap_err();
    assert_eq!(error.offset(), built.offset("ANIMKEYS.header") as u64);
}

#[test]
fn quirks_of_sequences_name_the_chunk_that_is_used() {
    let mut anim = numbered(&[(2, 2), (1, 1)], 3);
    anim.scale_keys = vec![ScaleKey { scale: [1.0; 3], time: 0.0 }];
    let chunks = Chunks::new().empty("ANIMHEAD", 0).empty("ANIMINFO", 168).empty("SCALEKEYS", 0);
    let built = anim.onto(chunks).build();
    let quirks: Vec<_> =
        Psa::parse(&built.bytes).unwrap().quirks().map(|quirk| (quirk.code.name(), quirk.offset)).collect();
    let expected = [
        ("duplicate-head", built.offset("ANIMHEAD#2.header") as u64),
        ("frame-numbering", built.offset("ANIMINFO#2.header") as u64),
        ("scale-keys-ignored", built.offset("SCALEKEYS#2.header") as u64),
    ];
    assert_eq!(quirks, expected);
}

#[test]
fn one_range_past_the_keys_makes_the_reader_renumber_all_sequences() {
    for wrong in [(5, 2), (-1, 2), (i32::MAX, 2)] {
        let bytes = build(&numbered(&[(1, 2), wrong, (4, 2)], 6));
        let animation = Psa::parse(&bytes).unwrap();
        assert_eq!(firsts(&animation), [0, 2, 4], "{wrong:?}");
        assert_eq!(codes(animation.quirks()), ["frame-numbering"]);
    }
}

#[test]
fn the_first_frame_of_a_sequence_without_frames_is_no_quirk() {
    let bytes = build(&numbered(&[(0, 2), (5, 0), (2, 9)], 6));
    let animation = Psa::parse(&bytes).unwrap();
    assert_eq!(firsts(&animation), [0, 2, 2]);
    assert_eq!(codes(animation.quirks()), [""; 0]);
}

#[test]
fn a_repair_that_changes_nothing_is_not_a_quirk() {
    let bytes = build(&numbered(&[(0, 2), (2, 9)], 6));
    let animation = Psa::parse(&bytes).unwrap();
    assert_eq!(firsts(&animation), [0, 2]);
    assert_eq!(codes(animation.quirks()), [""; 0]);
    let last = animation.sequence("B").unwrap();
    assert_eq!((last.declared_frame_count(), last.frame_count()), (9, 4));
    assert_eq!(keys(&last), [4, 5, 6, 7, 8, 9, 10, 11]);
    assert_eq!(last.frame(4).unwrap_err().kind(), ErrorKind::FrameOutOfRange { frame: 4, count: 4 });
}

#[test]
fn a_first_sequence_without_frames_does_not_cause_a_renumbering() {
    let bytes = build(&numbered(&[(0, 0), (3, 2)], 6));
    let animation = Psa::parse(&bytes).unwrap();
    assert_eq!(firsts(&animation), [0, 3]);
    assert_eq!(codes(animation.quirks()), [""; 0]);
}

#[test]
fn a_negative_number_of_frames_counts_as_zero() {
    let bytes = build(&numbered(&[(0, -3), (1, 2)], 3));
    let animation = Psa::parse(&bytes).unwrap();
    let first = animation.sequence("A").unwrap();
    assert_eq!((first.frame_count(), first.keys().len()), (0, 0));
    assert_eq!(keys(&animation.sequence("B").unwrap()), [2, 3, 4, 5]);
}

#[test]
fn keys_of_an_incomplete_frame_belong_to_no_frame() {
    let mut anim = numbered(&[(0, 3)], 3);
    anim.keys.truncate(5);
    let bytes = build(&anim);
    let animation = Psa::parse(&bytes).unwrap();
    let sequence = animation.sequence_at(0).unwrap();
    assert_eq!((animation.keys().len(), keys(&sequence)), (5, vec![0, 1, 2, 3]));
    assert!(sequence.key(2, 0).is_none());
    assert_eq!(sequence.track(0).unwrap().len(), 2);
}

#[test]
fn keys_are_frame_major() {
    let bytes = build(&numbered(&[(1, 3)], 4));
    let animation = Psa::parse(&bytes).unwrap();
    let sequence = animation.sequence_at(0).unwrap();
    assert_eq!(sequence.bone_count(), 2);
    let x = |frame, bone| sequence.key(frame, bone).map(|key| key.translation()[0] as usize);
    assert_eq!([x(0, 0), x(0, 1), x(2, 0), x(2, 1)], [Some(2), Some(3), Some(6), Some(7)]);
    assert_eq!([x(3, 0), x(0, 2), x(usize::MAX, 1), x(1, usize::MAX)], [None; 4]);
    let frame: Vec<f32> = sequence.frame(1).unwrap().iter().map(|key| key.translation()[0]).collect();
    assert_eq!(frame, [4.0, 5.0]);
    assert_eq!(animation.key(0, 1, 1).map(|key| key.translation()[0]), Some(5.0));
    assert!(animation.key(1, 0, 0).is_none());
}

#[test]
fn a_track_iterates_from_both_ends_has_a_length_and_random_access() {
    let bytes = build(&numbered(&[(0, 6)], 6));
    let animation = Psa::parse(&bytes).unwrap();
    let track = animation.sequence_at(0).unwrap().track(1).unwrap();
    let x = |key: Option<&skelmap::actorx::AnimKey>| key.map(|key| key.translation()[0] as usize);
    let mut both = track.clone();
    assert_eq!((both.len(), both.size_hint()), (6, (6, Some(6))));
    assert_eq!(
        [x(both.next()), x(both.next_back()), x(both.get(0)), x(both.get(3))],
        [Some(1), Some(11), Some(3), Some(9)]
    );
    assert_eq!((both.len(), x(both.get(4))), (4, None));
    assert_eq!(x(both.nth(1)), Some(5));
    assert_eq!(x(both.nth_back(1)), Some(7));
    assert!(both.is_empty() && both.next().is_none() && both.next_back().is_none() && both.get(0).is_none());
    assert_eq!(x(track.clone().nth(usize::MAX)), None);
    assert_eq!(x(track.clone().nth_back(usize::MAX)), None);
    assert!(track.clone().rev().map(|key| key.translation()[0] as usize).eq([11, 9, 7, 5, 3, 1]));
    assert!(track.step_by(4).map(|key| key.translation()[0] as usize).eq([1, 9]));
}

#[test]
fn a_rate_that_is_not_a_positive_number_gives_no_duration() {
    let mut anim = numbered(&[(0, 3), (0, 3), (0, 3), (0, 3)], 3);
    for (info, rate) in anim.infos.iter_mut().zip([0.0, -30.0, f32::NAN, f32::INFINITY]) {
        info.rate = rate;
    }
    let bytes = build(&anim);
    assert!(Psa::parse(&bytes).unwrap().sequences().all(|sequence| sequence.duration().is_none()));
    anim.infos[0].rate = 12.5;
    let bytes = build(&anim);
    assert_eq!(Psa::parse(&bytes).unwrap().sequence_at(0).unwrap().duration(), Some(0.24));
}

#[test]
fn an_empty_animation_lasts_zero_seconds_and_not_minus_zero() {
    let bytes = build(&Anim::default());
    let summary = skelmap::Asset::parse(&bytes).unwrap().summary();
    assert_eq!(format!("{:?}", summary.duration_s), "Some(0.0)");
}

/// Sequences A, B, C of 2, 1 and 2 frames of two bones, those of `flagged` with Epic's flag, and so many scale keys.
fn scaled(flagged: &[usize], scale_keys: u8) -> Vec<u8> {
    let mut anim = numbered(&[(0, 2), (2, 1), (3, 2)], 5);
    for index in flagged {
        anim.infos[*index].root_include = 1;
    }
    anim.scale_keys = (0..scale_keys).map(|index| ScaleKey { scale: [f32::from(index); 3], time: 0.0 }).collect();
    build(&anim)
}

/// The numbers of the scale keys of every sequence.
fn scales(animation: &Psa<'_>) -> Vec<Vec<usize>> {
    let of = |sequence: Sequence<'_>| sequence.scale_keys().iter().map(|key| key.scale()[1] as usize).collect();
    animation.sequences().map(of).collect()
}

#[test]
fn as_many_scale_keys_as_keys_lie_at_the_same_places_whatever_the_flags() {
    for flagged in [&[][..], &[1], &[0, 1, 2]] {
        let bytes = scaled(flagged, 10);
        let animation = Psa::parse(&bytes).unwrap();
        assert_eq!(scales(&animation), [vec![0, 1, 2, 3], vec![4, 5], vec![6, 7, 8, 9]]);
        assert_eq!(codes(animation.quirks()), [""; 0]);
        let sequence = animation.sequence("C").unwrap();
        assert_eq!(sequence.scale_key(1, 0).map(|key| key.scale()[0]), Some(8.0));
        assert!(sequence.scale_track(1).unwrap().map(|key| key.scale()[0]).eq([7.0, 9.0]));
    }
}

#[test]
fn scale_keys_of_flagged_sequences_only_are_assigned_in_order() {
    let bytes = scaled(&[0, 2], 8);
    let animation = Psa::parse(&bytes).unwrap();
    assert_eq!(scales(&animation), [vec![0, 1, 2, 3], vec![], vec![4, 5, 6, 7]]);
    assert_eq!(codes(animation.quirks()), ["scale-keys-partial"]);
    let without = animation.sequence("B").unwrap();
    assert!(!without.has_scale_keys() && without.scale_key(0, 0).is_none());
    assert!(without.scale_track(1).unwrap().is_empty());
    let kind = without.scale_track(2).unwrap_err().kind();
    assert_eq!(kind, ErrorKind::BoneOutOfRange { bone: 2, count: 2 });
}

#[test]
fn scale_keys_that_fit_no_convention_are_assigned_to_no_sequence() {
    for (flagged, count) in [(&[][..], 8), (&[0, 2], 7), (&[1], 8)] {
        let bytes = scaled(flagged, count);
        let animation = Psa::parse(&bytes).unwrap();
        assert!(animation.sequences().all(|sequence| !sequence.has_scale_keys()));
        assert_eq!(animation.scale_keys().len(), usize::from(count));
        assert_eq!(codes(animation.quirks()), ["scale-keys-ignored"]);
    }
}

#[test]
fn flags_without_scale_keys_are_not_a_quirk() {
    let bytes = scaled(&[0, 1, 2], 0);
    let animation = Psa::parse(&bytes).unwrap();
    assert_eq!(scales(&animation), [vec![0; 0], vec![], vec![]]);
    assert_eq!(codes(animation.quirks()), [""; 0]);
}

#[test]
fn scale_keys_follow_a_repaired_numbering() {
    let mut anim = numbered(&[(2, 2), (1, 1)], 3);
    anim.scale_keys = (0..6_u8).map(|index| ScaleKey { scale: [f32::from(index); 3], time: 0.0 }).collect();
    let bytes = build(&anim);
    let animation = Psa::parse(&bytes).unwrap();
    assert_eq!(scales(&animation), [vec![0, 1, 2, 3], vec![4, 5]]);
}

#[test]
fn curves_belong_to_the_sequence_whose_name_begins_like_their_id() {
    let mut anim = moves(&[("WalkForwardLeftAndRight", 2, 20.0), ("Run", 1, 20.0), ("run", 1, 20.0)]);
    anim.infos[1].name[3..6].copy_from_slice(b"   ");
    let bytes = anim
        .chunks()
        .curves("WalkForwardLef:CUR", 2, &[("Smile", vec![0.25, 0.5]), ("Blink", vec![1.0, 0.0])])
        .curves("Run:CUR", 1, &[])
        .build()
        .bytes;
    let animation = Psa::parse(&bytes).unwrap();
    let of = |index| animation.curves_of(&animation.sequence_at(index).unwrap());
    let walk = of(0).unwrap();
    assert_eq!(walk.frame_count(), 2);
    let found: Vec<(String, Vec<f32>)> = walk
        .curves()
        .map(|curve| (curve.name.text().to_string(), curve.weights.iter().map(Float::get).collect()))
        .collect();
    assert_eq!(found, [("Smile".into(), vec![0.25, 0.5]), ("Blink".into(), vec![1.0, 0.0])]);
    assert_eq!(of(1).unwrap().curves().count(), 0);
    assert_eq!(animation.curves().count(), 2);
}

#[test]
fn an_animation_without_bones_has_no_frame() {
    let mut anim = numbered(&[(0, 3)], 3);
    anim.bones.clear();
    let bytes = build(&anim);
    let animation = Psa::parse(&bytes).unwrap();
    let sequence = animation.sequence_at(0).unwrap();
    assert_eq!((sequence.declared_frame_count(), sequence.frame_count(), sequence.keys().len()), (3, 0, 0));
    assert!(sequence.track(0).is_err() && sequence.key(0, 0).is_none());
}

#[test]
fn an_error_about_an_animation_without_keys_has_the_offset_of_their_chunk() {
    let mut anim = moves(&[("Walk", 5, 20.0)]);
    anim.keys.clear();
    let built = anim.onto(Chunks::new()).build();
    let animation = Psa::parse(&built.bytes).unwrap();
    let error = animation.sequence_at(0).unwrap().frame(0).unwrap_err();
    assert_eq!(error.section().as_bytes(), b"ANIMKEYS");
    assert_eq!(error.offset(), built.offset("ANIMKEYS.header") as u64);
}

#[test]
fn sequences_that_are_stored_out_of_order_keep_their_frames() {
    // The second comes first, and the first happens to begin at its own count: the stored places tile the frames.
    let bytes = build(&numbered(&[(5, 5), (0, 5)], 10));
    let animation = Psa::parse(&bytes).unwrap();
    let firsts: Vec<u64> = animation.sequences().map(|sequence| sequence.first_frame()).collect();
    assert_eq!(firsts, [5, 0]);
    assert_eq!(codes(animation.quirks()), [""; 0]);
    assert_eq!(animation.key(0, 0, 0).unwrap().translation()[0], 10.0);
}

#[test]
fn a_sequence_without_frames_does_not_renumber_the_others() {
    let bytes = build(&numbered(&[(0, 2), (-1, 0), (2, 3)], 5));
    let animation = Psa::parse(&bytes).unwrap();
    let firsts: Vec<u64> = animation.sequences().map(|sequence| sequence.first_frame()).collect();
    assert_eq!(firsts, [0, 0, 2]);
    assert_eq!(codes(animation.quirks()), [""; 0]);
}

#[test]
fn a_sequence_has_a_stored_and_a_declared_number_of_frames() {
    let bytes = build(&numbered(&[(0, 2), (2, 5)], 4));
    let animation = Psa::parse(&bytes).unwrap();
    let counts: Vec<_> =
        animation.sequences().map(|sequence| (sequence.declared_frame_count(), sequence.frame_count())).collect();
    assert_eq!(counts, [(2, 2), (5, 2)]);
    // The sums count what the file holds too: 4 frames, the second sequence at 10 per second.
    assert_eq!(animation.summary().frames, Some(4));
    let last = animation.sequence_at(1).unwrap();
    assert!(last.frame(1).is_ok() && last.frame(2).is_err());
}

#[test]
fn curves_of_sequences_with_the_same_start_of_the_name_are_assigned_in_order() {
    let anim = moves(&[("LongSequenceName_A", 2, 10.0), ("LongSequenceName_B", 3, 10.0)]);
    let bytes = anim
        .chunks()
        .curves("LongSequenceNa:CUR", 2, &[("First", vec![0.0, 1.0])])
        .curves("LongSequenceNa:CUR", 3, &[("Second", vec![0.0, 0.5, 1.0])])
        .build()
        .bytes;
    let animation = Psa::parse(&bytes).unwrap();
    let of = |name: &str| {
        let curves = animation.curves_of(&animation.sequence(name).unwrap()).unwrap();
        (curves.frame_count(), curves.curves().next().unwrap().name.text().to_string())
    };
    assert_eq!(of("LongSequenceName_A"), (2, "First".to_owned()));
    assert_eq!(of("LongSequenceName_B"), (3, "Second".to_owned()));
    assert!(animation.check().iter().all(|finding| finding.code.name() != "curve-size"));
}

#[test]
fn a_sequence_is_the_first_of_its_name_in_any_case() {
    let mut anim = moves(&[("Walk", 1, 10.0), ("Run", 2, 10.0), ("WALK", 3, 10.0), ("", 1, 10.0)]);
    let bytes = build(&anim);
    let animation = Psa::parse(&bytes).unwrap();
    let frames = |found: Option<Sequence<'_>>| found.map(|sequence| sequence.frame_count());
    assert_eq!(animation.sequences().map(|sequence| sequence.frame_count()).collect::<Vec<_>>(), [1, 2, 3, 1]);
    assert_eq!((frames(animation.sequence_at(2)), frames(animation.sequence_at(4))), (Some(3), None));
    for (name, expected) in [("walk", Some(1)), ("RUN", Some(2)), ("", Some(1)), ("Wal", None), ("Walks", None)] {
        assert_eq!(frames(animation.sequence(name)), expected, "{name:?}");
    }
    assert_eq!(animation.sequence("run").unwrap().first_frame(), 1);
    anim.infos.clear();
    let bytes = build(&anim);
    let animation = Psa::parse(&bytes).unwrap();
    assert_eq!(animation.sequences().count(), 0);
    assert!(animation.sequence("Walk").is_none());
}
