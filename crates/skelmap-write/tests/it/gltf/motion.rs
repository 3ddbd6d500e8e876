//! Animations: interpolation between keys, against a computation by hand. What a file for 0 A.D. has in a frame shows the place of a joint.

use serde_json::{Value, json};
use skelmap::pyrogenesis::Psa;
use skelmap_write::Gltf;
use skelmap_write::actorx::ClipKeys;
use skelmap_write::pyrogenesis::{Frames, Rigging, Rules, write_animation};
use test_support::with;

use super::build::Glb;

/// A mesh of one joint, which is moved along x with this sampler and these keys.
fn moved(times: &[f32], values: &[[f32; 3]], interpolation: &str) -> Glb {
    let mut glb = Glb::new();
    let mesh = glb.triangle([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let joint = glb.root(json!({"name": "bone"}));
    let skin = glb.add("skins", json!({"joints": [joint]}));
    glb.root(json!({"mesh": mesh, "skin": skin}));
    let times: Vec<[f32; 1]> = times.iter().map(|time| [*time]).collect();
    let (input, output) = (glb.floats(&times), glb.floats(values));
    let channel = json!({"sampler": 0, "target": {"node": joint, "path": "translation"}});
    let sampler = json!({"input": input, "output": output, "interpolation": interpolation});
    glb.add("animations", json!({"name": "Walk", "channels": [channel], "samplers": [sampler]}));
    glb
}

/// The x of the bone in each frame.
fn frames(glb: &Glb, frames: Frames) -> Vec<f32> {
    let bytes = glb.to_bytes();
    let gltf = Gltf::parse(&bytes).unwrap();
    let model = gltf.to_model(None).unwrap();
    let axes = Some(skelmap_write::pyrogenesis::JointAxes::Game);
    let rigging = Rigging::new(&model, &with(Rules::default(), |rules| rules.axes = axes)).unwrap();
    let clip = gltf.clip(0, None).unwrap().expect("a clip");
    let mut file = Vec::new();
    let report = write_animation(&rigging, &clip, frames, &mut file).unwrap();
    let animation = Psa::parse(&file).unwrap();
    assert_eq!((report.frames, report.bones), (animation.frame_count(), 1));
    animation.states().iter().map(|state| state.translation()[0]).collect()
}

/// Times of frames.
fn at(frames: &[f32]) -> Vec<f32> {
    frames.iter().map(|frame| frame / 30.0).collect()
}

#[test]
fn linear_keys_are_joined_by_lines_and_steps_stay() {
    let keys = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
    let found = frames(&moved(&at(&[0.0, 4.0, 5.0]), &keys, "LINEAR"), Frames::All);
    for (found, expected) in found.iter().zip([0.0, 1.0, 2.0, 3.0, 4.0, 1.0]) {
        assert!((found - expected).abs() < 1e-5);
    }
    assert_eq!(frames(&moved(&at(&[0.0, 4.0, 5.0]), &keys, "STEP"), Frames::All), [0.0, 0.0, 0.0, 0.0, 4.0, 1.0]);
}

#[test]
fn splines_are_those_of_hermite() {
    // Each key: tangent in, value, tangent out.
    let (length, out, into) = (4.0 / 30.0, 6.0_f32, -3.0_f32);
    let keys = [[0.0; 3], [1.0, 0.0, 0.0], [out, 0.0, 0.0], [into, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0; 3]];
    let found = frames(&moved(&at(&[0.0, 4.0]), &keys, "CUBICSPLINE"), Frames::All);
    for (frame, found) in found.iter().enumerate() {
        let t = frame as f32 / 4.0;
        let expected = (2.0 * t.powi(3) - 3.0 * t.powi(2) + 1.0)
            + length * (t.powi(3) - 2.0 * t.powi(2) + t) * out
            + (3.0 * t.powi(2) - 2.0 * t.powi(3)) * 2.0
            + length * (t.powi(3) - t.powi(2)) * into;
        assert!((found - expected).abs() < 1e-5, "frame {frame}: {found} {expected}");
    }
    assert_eq!(found.len(), 5);
}

#[test]
fn a_clip_begins_at_its_first_key_and_has_the_frames_that_are_asked_for() {
    let keys = [[0.0; 3], [3.0, 0.0, 0.0], [0.0; 3]];
    let glb = moved(&at(&[10.0, 13.0, 16.0]), &keys, "LINEAR");
    let x = |count| frames(&glb, count);
    let expected = [0.0, 1.0, 2.0, 3.0, 2.0, 1.0, 0.0];
    for (count, length) in [(Frames::All, 7), (Frames::Loop, 6), (Frames::Auto, 6), (Frames::Engine, 5)] {
        let found = x(count);
        assert_eq!(found.len(), length, "{count:?}");
        assert!(found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-5));
    }
    let open = moved(&at(&[0.0, 3.0]), &keys[..2], "LINEAR");
    assert_eq!(frames(&open, Frames::Auto).len(), 4, "its last frame is not the first");
}

#[test]
fn a_rotation_goes_along_the_shorter_arc_at_constant_speed() {
    let mut glb = moved(&at(&[0.0, 4.0]), &[[0.0; 3]; 2], "LINEAR");
    let half = 0.5_f32.sqrt();
    // From 0 to 90 degrees about z, the second with the other sign.
    let output = glb.floats(&[[0.0, 0.0, 0.0, 1.0], [0.0, 0.0, -half, -half]]);
    glb.json["animations"][0]["samplers"][0]["output"] = output.into();
    glb.json["animations"][0]["channels"][0]["target"]["path"] = "rotation".into();
    let bytes = glb.to_bytes();
    let gltf = Gltf::parse(&bytes).unwrap();
    let model = gltf.to_model(None).unwrap();
    let axes = Some(skelmap_write::pyrogenesis::JointAxes::Game);
    let rigging = Rigging::new(&model, &with(Rules::default(), |rules| rules.axes = axes)).unwrap();
    let mut file = Vec::new();
    write_animation(&rigging, &gltf.clip(0, None).unwrap().unwrap(), Frames::All, &mut file).unwrap();
    for (frame, state) in Psa::parse(&file).unwrap().states().iter().enumerate() {
        let [_, _, z, w] = state.rotation();
        // The vector of a rotation about z keeps its sign, and w is not positive.
        let angle = (z / w).atan() * 2.0;
        assert!((angle - (frame as f32 * 22.5).to_radians()).abs() < 1e-6, "frame {frame}");
        assert!(w <= 0.0);
    }
}

#[test]
fn what_an_animation_lacks_is_an_error_of_its_channel() {
    let glb = moved(&at(&[0.0, 1.0]), &[[0.0; 3]; 2], "LINEAR");
    let error = |change: fn(&mut Value)| {
        let mut glb = Glb { json: glb.json.clone(), binary: glb.binary.clone() };
        change(&mut glb.json);
        let bytes = glb.to_bytes();
        let error = Gltf::parse(&bytes).unwrap().clip(0, None).unwrap_err();
        error.to_string()
    };
    let found = error(|json| json["animations"][0]["channels"][0]["sampler"] = 7.into());
    assert_eq!(found, "animations[0].channels[0]: is 7, but there are 1 samplers");
    let found = error(|json| json["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE".into());
    assert_eq!(found, "animations[0].channels[0]: has fewer values than times");
    let found = error(|json| {
        json["animations"][0]["samplers"][0]["input"] = json["animations"][0]["samplers"][0]["output"].clone();
    });
    assert_eq!(found, "accessors[2]: has elements of another type than glTF allows there");
    let found = error(|json| json["animations"][0]["channels"][0]["target"]["path"] = "colour".into());
    assert!(found.starts_with("animations[0]"), "{found}");
}

/// Of a clip that stands still, writers keep the first and the last key: they tell its length and no rate.
#[test]
fn the_keys_tell_the_rate_of_a_clip_of_actorx() {
    let rate = |times: &[f32]| {
        let values: Vec<_> = times.iter().map(|time| [*time, 0.0, 0.0]).collect();
        let bytes = moved(times, &values, "LINEAR").to_bytes();
        let gltf = Gltf::parse(&bytes).unwrap();
        let clip = gltf.clip(0, None).unwrap().unwrap();
        ClipKeys::new(&clip).rate
    };
    assert_eq!(rate(&[0.0, 1.0 / 6.0]), 30.0);
    assert_eq!(rate(&[0.0, 1.0 / 24.0, 2.0 / 24.0]), 24.0);
    assert_eq!(rate(&[0.0, 0.1, 0.3]), 10.0);
    assert_eq!(rate(&[0.0, 0.1, 0.133]), 30.0, "a key between frames of the smallest distance");
}
