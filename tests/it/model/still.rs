//! Tracks that stand still, and bones that move points.

use std::fs;

use skelmap::model::{Clip, MovedBones, still_tracks};
use skelmap::{Asset, Severity};

use super::parts::{changed_pmd, figure, frames_of};
use test_support::actorx::build::{self, Anim, Info, Weight};
use test_support::corpus::samples;
use test_support::pyrogenesis::build::{Psa, State};

fn still(animation: &Anim) -> Option<Vec<bool>> {
    let bytes: Vec<u8> = animation.chunks().into();
    still_tracks(Asset::parse(&bytes).unwrap().clips())
}

#[test]
fn a_track_stands_still_if_no_sequence_moves_it() {
    // Every track moves; four tracks of six frames, in two sequences of three.
    let mut animation = frames_of(6, 10.0);
    animation.infos = vec![Info::new("one", 4, 0, 3, 10.0), Info::new("other", 4, 3, 3, 10.0)];
    assert_eq!(still(&animation), Some(vec![false; 4]));
    for frame in 0..6 {
        let [first, second, third] = [0, 1, 2].map(|track| frame * 4 + track);
        animation.keys[first].position = [7.0; 3];
        // Another place in the other sequence, and no motion in any.
        animation.keys[second].position = [if frame < 3 { 1.0 } else { 2.0 }; 3];
        animation.keys[third].position = [if frame < 5 { 1.0 } else { 2.0 }; 3];
    }
    assert_eq!(still(&animation), Some(vec![true, true, false, false]));
}

#[test]
fn clips_of_one_frame_do_not_tell_what_stands_still() {
    assert_eq!(still(&frames_of(1, 10.0)), None);
    let mut animation = frames_of(3, 10.0);
    animation.infos = vec![Info::new("pose", 4, 0, 1, 10.0), Info::new("moves", 4, 1, 2, 10.0)];
    assert_eq!(still(&animation), Some(vec![false; 4]));
    assert_eq!(still_tracks(std::iter::empty::<Clip<'_>>()), None);
}

#[test]
fn a_bone_moves_points_if_a_weight_for_it_is_above_0() {
    let weighted = |change: fn(&mut Vec<Weight>)| {
        let bytes = figure(|mesh| change(&mut mesh.weights));
        let asset = Asset::parse(&bytes).unwrap();
        asset.mesh().unwrap().to_weighted_bones()
    };
    assert_eq!(weighted(|_| {}), [true; 4]);
    assert_eq!(weighted(|weights| weights.retain(|weight| weight.bone != 2)), [true, true, false, true]);
    let without = |weights: &mut Vec<Weight>| {
        for weight in weights.iter_mut().filter(|weight| weight.bone == 3) {
            weight.weight = 0.0;
        }
        weights.push(Weight { weight: 1.0, point: 0, bone: 4 });
    };
    assert_eq!(weighted(without), [true, true, true, false]);
}

/// As an independent walk over the raw chunks counts them.
#[test]
fn bones_of_real_files_that_stand_still_are_as_many_as_in_an_independent_count() {
    let Some(samples) = samples("actorx") else { return };
    let all = [
        ("hp2/skBeaterAnims.psa", 63, 22),
        ("survarium/W2_M4A1_Sprint_01.psa", 92, 81),
        ("survarium/MOB1_M1_Walk_Relaxed_R_Loop_IP.psa", 92, 41),
    ];
    for (animation, tracks, expected) in all {
        let bytes = fs::read(samples.join(animation)).unwrap();
        let found = still_tracks(Asset::parse(&bytes).unwrap().clips()).unwrap();
        let counted = found.iter().filter(|is_still| **is_still).count();
        assert_eq!((found.len(), counted), (tracks, expected), "{animation}");
    }
}

/// The bones of the figure that `check_still` names, with these animations: bone 0 carries 1, which carries 2 and 3; all have weights.
fn named(animations: &[Anim]) -> Vec<Option<u64>> {
    let mut moved = MovedBones::default();
    for animation in animations {
        let bytes: Vec<u8> = animation.chunks().into();
        moved.add(&Asset::parse(&bytes).unwrap());
    }
    let mesh = figure(|_| ());
    let findings = Asset::parse(&mesh).unwrap().check_still(&moved);
    assert!(
        findings.iter().all(|finding| finding.code.name() == "weights-still" && finding.severity == Severity::Note)
    );
    assert!(findings.iter().all(|finding| finding.section.as_bytes() == b"REFSKELT" && finding.offset == 960));
    findings.iter().map(|finding| finding.index).collect()
}

/// An animation of the figure that moves these tracks.
fn moving(tracks: &[usize]) -> Anim {
    let mut animation = frames_of(3, 10.0);
    for (at, key) in animation.keys.iter_mut().enumerate().filter(|(at, _)| !tracks.contains(&(at % 4))) {
        key.position = [at as f32 % 4.0; 3];
    }
    animation
}

#[test]
fn a_weighted_bone_that_no_animation_moves_is_a_note() {
    // One finding counts all bones; a moved bone carries those below it.
    assert_eq!(named(&[moving(&[2])]), [Some(0)]);
    assert_eq!(named(&[moving(&[1])]), [Some(0)]);
    assert_eq!(named(&[moving(&[0])]), []);
    assert_eq!(named(&[moving(&[1]), moving(&[0])]), []);
    // Nothing is known: no animation, one that moves nothing, one of another skeleton.
    assert_eq!(named(&[]), []);
    assert_eq!(named(&[moving(&[])]), []);
    let mut other = moving(&[1]);
    other.bones.iter_mut().for_each(|bone| bone.name = build::name("other"));
    assert_eq!(named(&[other]), []);
}

#[test]
fn bones_without_weights_may_stand_still() {
    let mut moved = MovedBones::default();
    let bytes: Vec<u8> = moving(&[1]).chunks().into();
    moved.add(&Asset::parse(&bytes).unwrap());
    let mesh = figure(|mesh| mesh.weights.retain(|weight| weight.bone != 0));
    assert_eq!(Asset::parse(&mesh).unwrap().check_still(&moved), []);
    assert_eq!(Asset::parse(&bytes).unwrap().check_still(&moved), []);
}

#[test]
fn bones_without_names_are_those_of_animations_with_as_many() {
    let pmd = changed_pmd(3, |_| ());
    let asset = Asset::parse(&pmd).unwrap();
    let weighted = asset.mesh().unwrap().to_weighted_bones();
    assert!(weighted.len() == 4 && weighted[0]);
    let mut moved = MovedBones::default();
    // An ActorX animation of four bones is none of this family.
    let other: Vec<u8> = moving(&[1]).chunks().into();
    moved.add(&Asset::parse(&other).unwrap());
    assert_eq!(asset.check_still(&moved), []);
    for (bones, expected) in [(5, vec![]), (4, vec![(Some(0), 1)])] {
        let place = |at: u32| if at % bones == 0 { [0.0; 3] } else { [at as f32; 3] };
        let states = (0..bones * 3).map(|at| State::new(place(at), [0.0, 0.0, 0.0, 1.0])).collect();
        moved.add(&Asset::parse(&Psa::new(bones, 3, states).build().bytes).unwrap());
        let found: Vec<_> = asset.check_still(&moved).iter().map(|finding| (finding.index, finding.count)).collect();
        assert_eq!(found, expected, "{bones} bones");
    }
}

#[test]
fn a_bone_that_one_of_two_animations_moves_is_moved() {
    // Nothing is below bone 2. The first animation moves it, the second does not.
    assert_eq!(named(&[moving(&[2]), moving(&[1])]), [Some(0)]);
    assert_eq!(named(&[moving(&[2, 1]), moving(&[3])]), [Some(0)]);
    assert_eq!(named(&[moving(&[2]), moving(&[])]), [Some(0)]);
}

/// An animation that moves its track 1, whose tracks after the first two have other names.
fn renamed(others: usize, text: &str) -> Vec<u8> {
    let mut animation = moving(&[1]);
    animation.bones.truncate(2);
    let parent = animation.bones[0];
    animation.bones.extend((0..others).map(|at| build::Bone {
        name: build::name(format!("{text}{at}")),
        parent: 0,
        ..parent
    }));
    let count = animation.bones.len();
    animation.infos = vec![Info::new("moves", count, 0, 3, 10.0)];
    let key = |at: usize| {
        let mut key = animation.keys[0];
        key.position = [if at % count == 1 { at as f32 } else { 0.0 }; 3];
        key
    };
    animation.keys = (0..3 * count).map(key).collect();
    animation.chunks().into()
}

#[test]
fn an_animation_counts_if_the_mesh_has_half_of_its_bones() {
    for (others, expected) in [(0, vec![Some(0)]), (2, vec![Some(0)]), (3, vec![])] {
        let mut moved = MovedBones::default();
        moved.add(&Asset::parse(&renamed(others, "other")).unwrap());
        let mesh = figure(|_| ());
        let findings = Asset::parse(&mesh).unwrap().check_still(&moved);
        let found: Vec<_> = findings.iter().map(|finding| finding.index).collect();
        assert_eq!(found, expected, "{others} bones that the mesh does not have");
    }
}

#[test]
fn more_than_4096_skeletons_leave_all_bones_unknown() {
    let mesh = figure(|_| ());
    let mesh = Asset::parse(&mesh).unwrap();
    let mut moved = MovedBones::default();
    // The same skeleton again and again is one skeleton, with names and without.
    let (same, pmd) = (renamed(1, "same"), changed_pmd(3, |_| ()));
    let (same, pmd) = (Asset::parse(&same).unwrap(), Asset::parse(&pmd).unwrap());
    let states =
        (0..12_u8).map(|at| State::new([if at % 4 == 0 { 0.0 } else { at.into() }; 3], [0.0, 0.0, 0.0, 1.0])).collect();
    let nameless = Psa::new(4, 3, states).build().bytes;
    let nameless = Asset::parse(&nameless).unwrap();
    for _ in 0..4100 {
        moved.add(&same);
        moved.add(&nameless);
    }
    for number in 2..4096 {
        moved.add(&Asset::parse(&renamed(1, &format!("other{number}-"))).unwrap());
    }
    assert_eq!((mesh.check_still(&moved).len(), pmd.check_still(&moved).len()), (1, 1));
    moved.add(&Asset::parse(&renamed(1, "last")).unwrap());
    assert_eq!((mesh.check_still(&moved), pmd.check_still(&moved)), (vec![], vec![]));
}

/// Whether a first frame whose tracks have these translations is said to be that of an additive animation.
fn is_additive(lengths: &[f32]) -> bool {
    let bone = |at: usize| build::Bone::new(&format!("b{at}"), 0, [0.0; 3], build::IDENTITY);
    let mut animation = Anim::sway((0..lengths.len()).map(bone).collect(), &[("lean", 2, 10.0)]);
    animation.keys.iter_mut().zip(lengths).for_each(|(key, length)| key.position = [0.0, -length, 0.0]);
    let bytes: Vec<u8> = animation.chunks().into();
    Asset::parse(&bytes).unwrap().check().iter().any(|finding| finding.code.name() == "additive")
}

#[test]
fn an_animation_looks_additive_if_nineteen_of_twenty_bones_below_the_root_have_no_length() {
    assert!(is_additive(&[0.0; 6]) && !is_additive(&[0.0; 5]), "five tracks are no evidence");
    assert!(is_additive(&[5.0, 0.0, 0.0, 0.0, 0.0, 0.0]), "the root does not count");
    for (length, expected) in [(0.0006, true), (0.000_999, true), (0.001, false), (0.0015, false)] {
        assert_eq!(is_additive(&[length; 6]), expected, "{length}");
    }
    for (tracks, own, expected) in [(20, 1, false), (21, 1, true), (21, 2, false), (41, 2, true), (41, 3, false)] {
        let lengths: Vec<f32> = (0..tracks).map(|at| if at >= tracks - own { 5.0 } else { 0.0 }).collect();
        assert_eq!(is_additive(&lengths), expected, "{own} of {tracks}");
    }
}

#[test]
fn places_in_the_model_tell_nothing_about_the_lengths_of_bones() {
    let states = (0..16).map(|_| State::new([0.0; 3], [0.0, 0.0, 0.0, 1.0])).collect();
    let bytes = Psa::new(8, 2, states).build().bytes;
    assert!(!Asset::parse(&bytes).unwrap().check().iter().any(|finding| finding.code.name() == "additive"));
}
