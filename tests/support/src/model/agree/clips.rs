//! Clips: what they hold, their values at any time, and their binding to a mesh.

use skelmap::ErrorKind;
use skelmap::actorx::Config;
use skelmap::model::{Binding, Clip, Skin, Source, Transform, Wrap};

use super::super::compare::{ROUNDING, Target, is_near, matrix_of, same_bits, same_in_target};
use super::super::naive::math::{Trs, length, multiply, rotation, scaling, translation, wide};
use super::super::naive::pose::{self, Blend, FromMesh};
use super::super::naive::{self, Motion};
use super::{Both, Effort, skins, spread};

const WRAPS: [(Wrap, bool); 2] = [(Wrap::Clamp, false), (Wrap::Loop, true)];

pub(super) fn same_clip(clip: &Clip<'_>, motion: &Motion, effort: &Effort) {
    assert_eq!((clip.track_count(), clip.frame_count()), (motion.bones.len(), motion.frames.len()));
    assert_eq!(clip.name().map(|name| name.as_bytes().to_vec()), motion.name);
    assert_eq!(clip.rate(), motion.rate);
    let seconds = motion.rate.map(|rate| motion.frames.len() as f64 / rate);
    assert_eq!(clip.duration(), seconds);
    assert!((0..motion.bones.len()).all(|track| clip.bone_of(track) == Some(motion.bones[track])));
    assert_eq!(clip.bone_of(motion.bones.len()), None);
    let rules = motion.rules;
    let parts = clip.parts();
    let is_scaled = motion.has_scale && !motion.frames.is_empty();
    let (mut is_placed, mut is_turned) = (rules.has_places(), true);
    if let Some(missing) = &motion.missing {
        is_placed = missing.iter().any(|(translation, _)| !translation);
        is_turned = missing.iter().any(|(_, rotation)| !rotation);
    }
    assert_eq!((parts.translation, parts.rotation, parts.scale), (is_placed, is_turned, is_scaled));
    assert_eq!((clip.relative(), clip.space().is_some()), (rules.relative, rules.has_places()));
    for target in (rules.targets)() {
        same_values(&target.clip(clip), motion, &target, effort);
    }
}

fn same_values(clip: &Clip<'_>, motion: &Motion, target: &Target, effort: &Effort) {
    let (frames, tracks) = (motion.frames.len(), motion.bones.len());
    for frame in spread(frames, effort.frames) {
        for (track, own) in motion.frames[frame].iter().enumerate() {
            let found = clip.transform(frame, track).unwrap();
            if motion.is_computed {
                same_blend(&found.with_unit_rotation(), &Blend::of(*own), target, "a key");
            } else if motion.rules.has_places() {
                same_in_target(&found, own, target, "a key");
            } else {
                same_bits(found.rotation, own.q, "a rotation");
            }
        }
        assert_eq!(clip.transform(frame, tracks), None);
    }
    assert_eq!(clip.transform(frames, 0), None);

    let mut out = vec![Transform::IDENTITY; tracks];
    for position in positions(motion, effort) {
        for (wrap, looped) in WRAPS {
            let sampled = clip.sample_frame(position, wrap, &mut out);
            if frames == 0 {
                assert_eq!(sampled.unwrap_err().kind(), ErrorKind::NoFrames);
                continue;
            }
            sampled.unwrap();
            let what = format!("frame {position} of {frames}, {wrap:?}, {}", target.name);
            for (found, expected) in out.iter().zip(pose::sample(motion, position, looped)) {
                same_blend(found, &expected, target, &what);
            }
            same_seconds(clip, motion, position, wrap, &out);
        }
    }
}

/// What is asked in seconds is what is asked in frames, at that rate.
fn same_seconds(clip: &Clip<'_>, motion: &Motion, seconds: f64, wrap: Wrap, scratch: &[Transform]) {
    let (mut by_time, mut by_frame) = (scratch.to_vec(), scratch.to_vec());
    match (clip.sample(seconds, wrap, &mut by_time), motion.rate) {
        (Ok(()), Some(rate)) => {
            clip.sample_frame(seconds * rate, wrap, &mut by_frame).unwrap();
            for (found, expected) in by_time.iter().zip(&by_frame) {
                same_bits(found.translation, wide(expected.translation), "a translation");
                same_bits(found.rotation, wide(expected.rotation), "a rotation");
            }
        }
        (Err(error), None) => assert_eq!(error.kind(), ErrorKind::NoRate),
        (found, rate) => panic!("{found:?} at {rate:?} frames per second"),
    }
}

/// Those of the effort, and those at the end of the clip.
fn positions(motion: &Motion, effort: &Effort) -> Vec<f64> {
    let count = motion.frames.len() as f64;
    effort.positions.iter().copied().chain([count - 1.0, count - 0.5, count, count + 0.25]).collect()
}

/// A blend, by the matrix: as one of the rotations that it may have.
#[track_caller]
fn same_blend(found: &Transform, expected: &Blend, target: &Target, what: &str) {
    let unit = length(wide(found.rotation));
    assert!((unit - 1.0).abs() < 1e-5, "{what}: a rotation of length {unit}");
    if !expected.is_moderate {
        return;
    }
    let linear = 2.0 * ROUNDING * length(expected.s).max(expected.size);
    let moved = ROUNDING * expected.size * target.scale;
    let is_same = |q: &[f64; 4]| {
        let own = multiply(&translation(expected.t), &multiply(&rotation(*q), &scaling(expected.s)));
        is_near(&matrix_of(found), &target.matrix(&own), linear, moved)
    };
    assert!(expected.rotations.iter().any(is_same), "{what}: {found:?} and {expected:?}");
}

pub(super) fn same_binding(both: &Both<'_>, side_car: Option<&[u8]>, effort: &Effort) {
    let Both { mesh, model, clip, motion } = both;
    let tracks = pose::bind(model, motion);
    let from_mesh = side_car.map(|side_car| pose::from_mesh(side_car, motion)).or_else(|| motion.missing.clone());
    for target in (model.rules.targets)() {
        let own = target.mesh(*mesh);
        let binding = Binding::new(&own, clip);
        let binding = match side_car {
            Some(side_car) => binding.with_sources(&Config::new(side_car).to_sources(clip)),
            None => binding,
        };
        let found: Vec<_> = (0..model.bones.len()).map(|bone| binding.track_of(bone)).collect();
        assert_eq!(found, tracks);
        same_sources(&binding, &tracks, from_mesh.as_ref());
        let unmatched = (0..motion.bones.len()).filter(|track| !tracks.contains(&Some(*track)));
        assert_eq!(binding.to_unmatched_tracks(), unmatched.collect::<Vec<_>>());
        let matched = tracks.iter().flatten().count();
        if std::ptr::eq(model.rules, motion.rules) && motion.names.is_some() {
            let all = binding.found();
            let extra = motion.bones.len() - matched;
            let missing = model.bones.len() - matched;
            assert_eq!((all.matched, all.missing, all.extra), (matched as u64, missing as u64, extra as u64));
        }
        same_additive(both, &binding, from_mesh.as_ref());
        same_poses(both, &binding, from_mesh.as_ref(), &target, effort);
    }
}

fn same_sources(binding: &Binding, tracks: &[Option<usize>], from_mesh: Option<&FromMesh>) {
    for (bone, track) in tracks.iter().enumerate() {
        let expected = track.and_then(|track| from_mesh?.get(track).copied()).unwrap_or_default();
        let found = binding.sources_of(bone).unwrap();
        assert_eq!((found.translation == Source::Mesh, found.rotation == Source::Mesh), expected, "bone {bone}");
    }
    assert_eq!(binding.sources_of(tracks.len()), None);
}

/// At least 80 % of the tracks hold next to nothing where the bind pose has a translation. Where a translation is as long
/// as the limit, either answer will do.
fn same_additive(both: &Both<'_>, binding: &Binding, from_mesh: Option<&FromMesh>) {
    let Both { model, clip, motion, .. } = both;
    let (mut all, mut without) = (0_usize, 0_usize);
    for (bone, track) in pose::bind(model, motion).into_iter().enumerate() {
        let Some(track) = track else { continue };
        let (bind, kept) = (model.bones[bone].bind, !from_mesh.is_some_and(|all| all[track].0));
        let keys: Vec<Trs> = motion.frames.iter().map(|frame| frame[track]).collect();
        if !bind.t.iter().chain(keys.iter().flat_map(|key| &key.t)).all(|x| naive::math::is_moderate(*x)) {
            return;
        }
        let longest = keys.iter().map(|key| length(key.t)).fold(0.0, f64::max) / length(bind.t);
        if (0.999e-3..=1.001e-3).contains(&longest) {
            return;
        }
        if kept && length(bind.t) > 0.0 {
            all += 1;
            without += usize::from(longest < 1e-3);
        }
    }
    let expected = all > 0 && !motion.frames.is_empty() && without * 5 >= all * 4;
    assert_eq!(binding.is_additive(clip), expected, "{without} of {all}");
}

fn same_poses(both: &Both<'_>, binding: &Binding, from_mesh: Option<&FromMesh>, target: &Target, effort: &Effort) {
    let Both { model, clip, motion, .. } = both;
    let mesh = target.mesh(both.mesh);
    let mut out = vec![Transform::IDENTITY; model.bones.len()];
    let skin = Skin::new(&mesh, effort.widths.last().copied().unwrap_or(4)).ok();
    for (at, position) in positions(motion, effort).into_iter().enumerate() {
        for (wrap, looped) in WRAPS {
            let sampled = binding.sample_frame(clip, position, wrap, &mut out);
            if motion.frames.is_empty() {
                assert_eq!(sampled.unwrap_err().kind(), ErrorKind::NoFrames);
                continue;
            }
            sampled.unwrap();
            let what = format!("bound, frame {position}, {wrap:?}, {}", target.name);
            for (found, expected) in out.iter().zip(pose::pose(model, motion, from_mesh, position, looped)) {
                same_blend(found, &expected, target, &what);
            }
        }
        if let Some(skin) = skin.as_ref().filter(|_| at % 4 == 1 && (effort.all_spaces || !target.is_file())) {
            skins::same_skinning(&mesh, model, skin, &out, target, effort.widths.last().copied().unwrap_or(4));
        }
    }
}
