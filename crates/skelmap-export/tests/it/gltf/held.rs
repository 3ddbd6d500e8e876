//! Keys in the middle of equal ones, which say nothing.

use skelmap::Asset;
use skelmap::model::Binding;
use skelmap_export::{Animation, Document, ExportOptions};

use super::write;
use test_support::actorx::build::{Anim, Mesh};
use test_support::glb::File;

/// The place of the bone along x in each of so many frames, with the scale of the output.
fn places(frame: usize) -> f32 {
    match frame {
        0..=9 => 4.0,
        10..=40 => frame as f32,
        _ => -3.0,
    }
}

/// An animation of one bone, whose key in a frame is at a place.
fn animated(frames: usize, places: impl Fn(usize) -> f32) -> File {
    let mesh = Mesh::sheet(2, 2, 1);
    let mut anim = Anim::sway(mesh.bones.clone(), &[("walk", i32::try_from(frames).unwrap(), 30.0)]);
    for (frame, key) in anim.keys.iter_mut().enumerate() {
        key.position = [places(frame), 0.0, 0.0];
        key.rotation = [0.0, 0.0, 0.0, 1.0];
    }
    let (mesh, animation) = (mesh.chunks().build().bytes, anim.chunks().build().bytes);
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let mesh = mesh.mesh().unwrap();
    let animations = animation.clips().map(|clip| Animation::new(&clip, Binding::new(&mesh, &clip))).collect();
    let mut document = Document::of_mesh(&mesh);
    document.animations = animations;
    write(&document, &ExportOptions::default()).0
}

fn times(file: &File) -> Vec<f32> {
    let animation = file.document().animations().next().unwrap();
    let channel =
        animation.channels().find(|own| own.target().property() == gltf::animation::Property::Translation).unwrap();
    channel.reader(|_| Some(file.binary())).read_inputs().unwrap().collect()
}

#[test]
fn keys_between_equal_ones_are_left_out_and_every_frame_is_the_same() {
    let file = animated(120, places);
    // Both ends of what stands still, and all that moves.
    let expected: Vec<f32> = [0].into_iter().chain(9..=41).chain([119]).map(|frame| frame as f32 / 30.0).collect();
    assert_eq!(times(&file), expected);
    for frame in 0..120 {
        let places_now = file.places(Some((0, f64::from(frame) / 30.0)));
        let (_, place) = places_now.iter().find(|(name, _)| name == "Bone_0000").unwrap();
        let x = place[3][0] * 100.0;
        assert!((x.abs() - f64::from(places(frame as usize)).abs()).abs() < 1e-4, "frame {frame}: {x}");
    }
}

/// Times of their own take room too.
#[test]
fn a_channel_that_would_not_get_smaller_has_a_key_for_each_frame() {
    assert_eq!(times(&animated(30, places)).len(), 30);
}

/// A key of its own time takes 16 bytes and others 12, and the list takes 140 more: four of 17 save nothing, four of 18 do.
#[test]
fn keys_are_left_out_where_that_saves_bytes() {
    let step = |frame: usize| if frame < 8 { 4.0 } else { -3.0 };
    assert_eq!(times(&animated(17, step)).len(), 17);
    let expected: Vec<f32> = [0, 7, 8, 17].map(|frame| frame as f32 / 30.0).to_vec();
    assert_eq!(times(&animated(18, step)), expected);
}

/// Equal keys are looked for in three places: at the start, in the middle and at the end.
#[test]
fn equal_keys_in_the_middle_are_found_and_those_of_a_quarter_are_not() {
    let held = |from: usize, to: usize| move |frame: usize| if frame < from { frame } else { frame.max(to) } as f32;
    let expected: Vec<f32> = (0..=40).chain(90..120).map(|frame| frame as f32 / 30.0).collect();
    assert_eq!(times(&animated(120, held(40, 90))), expected);
    assert_eq!(times(&animated(120, held(8, 52))).len(), 120);
}

/// A place has four frames, and three equal ones are looked for. Where they are met, all that is held is found.
#[test]
fn three_equal_keys_of_four_in_one_of_three_places_are_met() {
    // In no place.
    let quarter = (8, 52);
    // The places of 120 frames begin at 0, 58 and 116.
    for (own, is_met) in [
        ((1, 3), true),
        ((2, 4), false),
        ((58, 60), true),
        ((57, 59), false),
        ((59, 61), true),
        ((60, 62), false),
        ((117, 119), true),
        ((115, 117), false),
        ((116, 118), true),
    ] {
        let held = |frame: usize| {
            let start = [quarter, own].into_iter().find(|(from, to)| (*from..=*to).contains(&frame));
            start.map_or(frame, |(from, _)| from) as f32
        };
        let is_inner = |(from, to): (usize, usize), frame: usize| from < frame && frame < to;
        let needed = |frame: &usize| !is_met || !is_inner(quarter, *frame) && !is_inner(own, *frame);
        let expected: Vec<f32> = (0..120).filter(needed).map(|frame| frame as f32 / 30.0).collect();
        assert_eq!(times(&animated(120, held)), expected, "{own:?}");
    }
}
