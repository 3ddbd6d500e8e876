//! A clip of a file as a clip of Bevy.

use bevy_animation::animation_curves::{AnimatableCurve, AnimatableKeyframeCurve};
use bevy_animation::{AnimationClip, AnimationTargetId, animated_field};
use bevy_math::Quat;
use bevy_transform::components::Transform;
use skelmap::model::{self, Binding, Clip};

/// Frames per second, for a clip that does not state them.
const USUAL_RATE: f64 = 30.0;

pub(crate) fn transform_of(own: &model::Transform) -> Transform {
    let model::Transform { translation, rotation, scale } = own.with_unit_rotation();
    Transform { translation: translation.into(), rotation: Quat::from_array(rotation), scale: scale.into() }
}

/// Three curves for each bone that the clip moves.
pub(crate) fn clip_of(clip: &Clip<'_>, binding: &Binding, targets: &[AnimationTargetId]) -> AnimationClip {
    let mut made = AnimationClip::default();
    let rate = clip.rate().unwrap_or(USUAL_RATE);
    for (bone, target) in targets.iter().enumerate() {
        let keys: Vec<(f32, Transform)> = (0..clip.frame_count())
            .filter_map(|frame| {
                Some(((frame as f64 / rate) as f32, transform_of(&binding.transform(clip, frame, bone)?)))
            })
            .collect();
        // A curve has two keys at least. A bone without keys stays at rest.
        let keys = match keys.as_slice() {
            [] => continue,
            [(time, key)] => vec![(*time, *key), (time + (1.0 / rate) as f32, *key)],
            _ => keys,
        };
        let translations = AnimatableKeyframeCurve::new(keys.iter().map(|(time, key)| (*time, key.translation)));
        let rotations = AnimatableKeyframeCurve::new(keys.iter().map(|(time, key)| (*time, key.rotation)));
        let scales = AnimatableKeyframeCurve::new(keys.iter().map(|(time, key)| (*time, key.scale)));
        if let (Ok(translations), Ok(rotations), Ok(scales)) = (translations, rotations, scales) {
            made.add_curve_to_target(
                *target,
                AnimatableCurve::new(animated_field!(Transform::translation), translations),
            );
            made.add_curve_to_target(*target, AnimatableCurve::new(animated_field!(Transform::rotation), rotations));
            if clip.parts().scale {
                made.add_curve_to_target(*target, AnimatableCurve::new(animated_field!(Transform::scale), scales));
            }
        }
    }
    made
}
