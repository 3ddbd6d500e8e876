//! Native twins: in place where the bytes are aligned, never otherwise, and equal in every value.

use std::borrow::Cow;

use skelmap::AsNative as _;
use skelmap::actorx::{Psa, Psk};

use test_support::actorx::agree::{bits, key_bits};
use test_support::actorx::build::ScaleKey;
use test_support::actorx::corpus::cases;
use test_support::actorx::corpus::sample::walk;
use test_support::shifted::Shifted;

fn corpus(file: &str) -> Vec<u8> {
    cases().into_iter().find(|case| case.file == file).unwrap().bytes
}

#[cfg(target_endian = "little")]
#[test]
fn aligned_records_have_twins_with_the_same_values() {
    let bytes = corpus("actorx/mesh/everything.pskx");
    let aligned = Shifted::by(0, &bytes);
    let mesh = Psk::parse(aligned.of(bytes.len())).unwrap();

    let points: &[[f32; 3]] = mesh.points().as_native().unwrap();
    assert!(points.iter().copied().map(bits).eq(mesh.points().iter().map(|point| bits(point.get()))));
    let tangents: &[[f32; 4]] = mesh.tangents().as_native().unwrap();
    assert!(tangents.iter().copied().map(bits).eq(mesh.tangents().iter().map(|tangent| bits(tangent.get()))));
    for set in mesh.extra_uv_sets() {
        let uvs: &[[f32; 2]] = set.as_native().unwrap();
        assert!(uvs.iter().copied().map(bits).eq(set.iter().map(|uv| bits(uv.get()))));
    }
    let wedges = mesh.wedges().as_native().unwrap();
    assert_eq!(wedges.len(), 24);
    for (twin, wedge) in wedges.iter().zip(mesh.wedges()) {
        assert_eq!((twin.point_index_32, bits(twin.uv)), (wedge.point_index_32(), bits(wedge.uv())));
        let rest = (wedge.material(), wedge.reserved(), wedge.padding());
        assert_eq!((twin.material, twin.reserved, twin.padding), rest);
    }
    let skelmap::actorx::Faces::U16(faces) = mesh.faces() else { panic!("faces of 16 bits") };
    for (twin, face) in faces.as_native().unwrap().iter().zip(mesh.faces()) {
        assert_eq!((twin.wedges.map(u32::from), twin.material), (face.wedges, face.material));
        assert_eq!((twin.aux_material, twin.smoothing_groups), (face.aux_material, face.smoothing_groups));
    }
    for (twin, influence) in mesh.influences().as_native().unwrap().iter().zip(mesh.influences()) {
        assert_eq!(twin.weight.to_bits(), influence.weight().to_bits());
        assert_eq!((twin.point_index, twin.bone_index), (influence.point_index(), influence.bone_index()));
    }
    for (twin, delta) in mesh.morph_deltas().as_native().unwrap().iter().zip(mesh.morph_deltas()) {
        assert_eq!((bits(twin.position), bits(twin.tangent_z)), (bits(delta.position()), bits(delta.tangent_z())));
        assert_eq!(twin.point_index, delta.point_index());
    }
    let colors: &[[u8; 4]] = mesh.colors().as_native().unwrap();
    assert!(colors.iter().copied().eq(mesh.colors().iter().map(skelmap::actorx::Color::rgba)));
}

#[test]
fn twins_are_borrowed_where_records_are_aligned_and_made_elsewhere() {
    let bytes = corpus("actorx/mesh/everything.pskx");
    for shift in [0, 1] {
        let shifted = Shifted::by(shift, &bytes);
        let mesh = Psk::parse(shifted.of(bytes.len())).unwrap();
        let twins = mesh.points().to_native();
        assert!(!twins.is_empty());
        assert!(twins.iter().copied().map(bits).eq(mesh.points().iter().map(|point| bits(point.get()))));
        let is_in_place = shift == 0 && cfg!(target_endian = "little");
        assert_eq!(matches!(twins, Cow::Borrowed(_)), is_in_place);
    }
}

#[cfg(target_endian = "little")]
#[test]
fn aligned_keys_can_be_uploaded_as_they_lie_in_the_file() {
    let mut anim = walk();
    anim.scale_keys = (0..20_u8).map(|index| ScaleKey { scale: [1.0, 2.0, f32::from(index)], time: 0.5 }).collect();
    let built = anim.chunks().build();
    let aligned = Shifted::by(0, &built.bytes);
    let animation = Psa::parse(aligned.of(built.bytes.len())).unwrap();

    let keys = animation.keys().as_native().unwrap();
    let twin_bits =
        |key: &skelmap::actorx::AnimKeyNative| (bits(key.translation), bits(key.rotation), key.time.to_bits());
    assert!(keys.iter().map(twin_bits).eq(animation.keys().iter().map(key_bits)));
    let upload: &[u8] = bytemuck::cast_slice(keys);
    assert_eq!(upload, &built.bytes[built.offset("ANIMKEYS.body")..built.offset("ANIMKEYS.end")]);
    assert_eq!(upload.as_ptr(), aligned.of(built.bytes.len())[built.offset("ANIMKEYS.body")..].as_ptr(), "in place");

    let scales = animation.scale_keys().as_native().unwrap();
    assert!(scales.iter().zip(0..20_u8).all(|(key, index)| key.scale == [1.0, 2.0, f32::from(index)]));
    assert!(scales.iter().all(|key| key.time.to_bits() == 0.5_f32.to_bits()));
    assert_eq!(bytemuck::cast_slice::<_, f32>(scales).len(), 80);

    // One frame of one sequence is as good as all.
    let frame = animation.sequence("Walk").unwrap().frame(3).unwrap();
    assert_eq!(frame.as_native().unwrap(), &keys[12..16]);
}

#[test]
fn misaligned_records_have_no_twins_and_nothing_panics() {
    let bytes = corpus("actorx/mesh/everything.pskx");
    for distance in 1..=3 {
        let shifted = Shifted::by(distance, &bytes);
        let mesh = Psk::parse(shifted.of(bytes.len())).unwrap();
        assert!(mesh.points().as_native().is_none());
        assert!(mesh.wedges().as_native().is_none());
        assert!(mesh.influences().as_native().is_none());
        assert!(mesh.morph_deltas().as_native().is_none());
        assert!(mesh.tangents().as_native().is_none());
        assert!(mesh.colors().as_native().is_some() || cfg!(target_endian = "big"), "bytes are always aligned");
    }
}

#[test]
fn records_after_an_odd_number_of_wide_faces_have_no_twins_in_an_aligned_file() {
    let bytes = corpus("actorx/mesh/face32_odd_count.pskx");
    let aligned = Shifted::by(0, &bytes);
    let mesh = Psk::parse(aligned.of(bytes.len())).unwrap();
    assert!(mesh.points().as_native().is_some() || cfg!(target_endian = "big"));
    assert!(mesh.influences().as_native().is_none());
    assert!(mesh.extra_uv_sets().all(|set| set.as_native().is_none()));
}
