//! Tracks that stand still, and bones that move points.

use std::fs;

use skelmap::Asset;
use skelmap::model::{Clip, still_tracks};

use super::parts::{figure, frames_of};
use crate::support::actorx::build::{Anim, Info, Weight};
use crate::support::corpus::samples;

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
