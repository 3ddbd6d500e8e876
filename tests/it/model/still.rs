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
