//! Files of 0 A.D. from arrays and from models: what is checked, cut and counted.

use serde_json::json;
use skelmap::pyrogenesis::{Blend, BoneState, NO_BONE, Pmd, PropTransform, Psa};
use skelmap_write::pyrogenesis::{
    AnimationParts, FRAME_MS, JointAxes, MeshArrays, MeshParts, Prop, PyrogenesisError, Rigging, Rules,
};
use skelmap_write::{Gltf, Influences};
use test_support::with;

use crate::gltf::build::Glb;

const CORNERS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

#[test]
fn what_a_mesh_cannot_hold_is_an_error_and_nothing_is_written() {
    const NORMALS: [[f32; 3]; 3] = [[0.0, 0.0, 1.0]; 3];
    let parts = with(MeshParts::default(), |parts| {
        (parts.positions, parts.normals, parts.triangles) = (&CORNERS, &NORMALS, &[[0, 1, 2]]);
    });
    let error = |parts: MeshParts<'_>| {
        let mut file = Vec::new();
        let error = parts.write(&mut file).unwrap_err();
        assert!(file.is_empty());
        error.to_string()
    };
    assert!(parts.write(&mut Vec::new()).is_ok());
    let found = error(with(parts, |parts| parts.triangles = &[[0, 1, 3]]));
    assert_eq!(found, "triangle 0 names 3, and there are 3");
    let found = error(with(parts, |parts| parts.normals = &[]));
    assert_eq!(found, "the list of normals has 0 elements, and there are 3 vertices");
    let found = error(with(parts, |parts| parts.positions = &[[f32::NAN; 3]; 3]));
    assert_eq!(found, "vertex 0 has a number that is not finite");
    let many = vec![[0.0; 3]; 65_536];
    let found = error(with(parts, |parts| (parts.positions, parts.normals) = (&many, &many)));
    assert_eq!(found, "65536 vertices: the limit is 65535");
    let bones = vec![BoneState::default(); 192];
    assert_eq!(error(with(parts, |parts| parts.bones = &bones)), "192 bones: the limit is 191");
    let blends = [Blend::default().with_bones([1, NO_BONE, NO_BONE, NO_BONE]); 3];
    assert_eq!(error(with(parts, |parts| parts.blends = &blends)), "vertex 0 names 1, and there are 0");
    let props = [Prop { name: "x".to_owned(), transform: PropTransform::default() }];
    assert_eq!(error(with(parts, |parts| parts.props = &props)), "prop point 0 names 0, and there are 0");
}

/// A mesh of three joints in a row, whose first vertex has these influences.
fn weighted(influences: &[(u8, f32)]) -> Glb {
    let mut glb = Glb::new();
    let position = glb.floats(&CORNERS);
    let mut attributes = json!({"POSITION": position});
    for (set, rows) in influences.chunks(4).enumerate() {
        let mut joints = [0; 12];
        let mut weights = [[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]];
        weights[0] = [0.0; 4];
        for (slot, (joint, weight)) in rows.iter().enumerate() {
            (joints[slot], weights[0][slot]) = (*joint, *weight);
        }
        let view = glb.view(&joints);
        let joints = json!({"bufferView": view, "componentType": 5121, "count": 3, "type": "VEC4"});
        attributes[format!("JOINTS_{set}")] = glb.add("accessors", joints).into();
        attributes[format!("WEIGHTS_{set}")] = glb.floats(&weights).into();
    }
    let mesh = glb.add("meshes", json!({"primitives": [{"attributes": attributes}]}));
    let joints: Vec<usize> = (0..6).map(|joint| glb.root(json!({"name": format!("bone{joint}")}))).collect();
    let skin = glb.add("skins", json!({"joints": joints}));
    glb.root(json!({"mesh": mesh, "skin": skin}));
    glb
}

/// The bones and weights of the first vertex.
fn first_vertex(glb: &Glb) -> Vec<(u8, f32)> {
    let bytes = glb.to_bytes();
    let model = Gltf::parse(&bytes).unwrap().to_model(None).unwrap();
    let axes = Some(JointAxes::Game);
    let rigging = Rigging::new(&model, &with(Rules::default(), |rules| rules.axes = axes)).unwrap();
    let mut file = Vec::new();
    rigging.write_mesh(&model, &mut file).unwrap();
    let mesh = Pmd::parse(&file).unwrap();
    let vertex = mesh.vertices().get(0).unwrap();
    vertex.blend().influences().collect()
}

#[test]
fn influences_are_summed_cut_and_divided_as_the_game_does() {
    // The sum of a joint that is named twice; then the four strongest; then those from 0.001 on; then a sum of 1.
    let found = first_vertex(&weighted(&[(3, 0.2), (1, 0.1), (3, 0.2), (0, 0.4), (2, 0.3), (4, 0.0005)]));
    let expected = [(0, 0.4 / 1.2), (3, 0.4 / 1.2), (2, 0.3 / 1.2), (1, 0.1 / 1.2)];
    assert_eq!(found.len(), 4);
    for ((bone, weight), (own, expected)) in found.iter().zip(expected) {
        assert_eq!(*bone, own, "of equal weights, the lower joint comes first: {found:?}");
        assert!((weight - expected).abs() < 1e-6);
    }
    assert_eq!(first_vertex(&weighted(&[(2, 0.0005), (1, 0.5)])), [(1, 1.0)], "a weak influence is left out");
    assert_eq!(first_vertex(&weighted(&[(2, 0.0)])), [(6, 1.0)], "without influences, a vertex follows the model");
}

#[test]
fn two_joints_with_one_name_are_two_bones_in_their_own_order() {
    let mut glb = weighted(&[(1, 0.25), (2, 0.75)]);
    for node in glb.json["nodes"].as_array_mut().unwrap().iter_mut().filter(|node| node["mesh"].is_null()) {
        node["name"] = "tip".into();
    }
    assert_eq!(first_vertex(&glb), [(2, 0.75), (1, 0.25)]);
}

#[test]
fn axes_that_nothing_tells_are_an_error_that_says_what_was_counted() {
    let bytes = weighted(&[(0, 1.0)]).to_bytes();
    let model = Gltf::parse(&bytes).unwrap().to_model(None).unwrap();
    let error = Rigging::new(&model, &Rules::default()).unwrap_err();
    assert!(matches!(error, PyrogenesisError::Axes(_)), "{error}");
    let mut glb = weighted(&[(0, 1.0)]);
    glb.json["asset"]["generator"] = "skelmap 0.1.0".into();
    let bytes = glb.to_bytes();
    let model = Gltf::parse(&bytes).unwrap().to_model(None).unwrap();
    assert_eq!(Rigging::new(&model, &Rules::default()).unwrap().axes(), JointAxes::Game);
}

const UPRIGHT: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

#[test]
fn the_arrays_of_a_file_of_the_game_give_the_file() {
    let bytes = std::fs::read("../../corpus/fox.pmd").unwrap();
    let pmd = Pmd::parse(&bytes).unwrap();
    let positions: Vec<_> = pmd.vertices().map(|vertex| vertex.position()).collect();
    let normals: Vec<_> = pmd.vertices().map(|vertex| vertex.normal()).collect();
    let uvs = [pmd.vertices().map(|vertex| vertex.uvs()[0].get()).collect()];
    let triangles: Vec<_> = pmd.faces().iter().map(|face| face.vertices().map(u32::from)).collect();
    let bones: Vec<u32> = pmd.vertices().flat_map(|vertex| vertex.blend().bones().map(u32::from)).collect();
    let weights: Vec<f32> = pmd.vertices().flat_map(|vertex| vertex.blend().weights()).collect();
    let influences = Influences::of_rows(&bones, &weights, 4);
    let props: Vec<_> =
        pmd.engine_props().map(|prop| Prop { name: prop.name.to_string(), transform: *prop.transform }).collect();
    let arrays = with(MeshArrays::default(), |arrays| {
        (arrays.positions, arrays.normals, arrays.uvs) = (&positions, &normals, &uvs);
        (arrays.triangles, arrays.influences) = (&triangles, Some(&influences));
        (arrays.bones, arrays.props) = (pmd.bones(), &props);
    });
    let mut file = Vec::new();
    let report = arrays.write(&mut file).unwrap();
    assert!(file == bytes && report.vertices == 605 && !report.has_new_root, "{report:?}");
}

#[test]
fn arrays_that_cannot_be_a_mesh_are_an_error_and_nothing_is_written() {
    let bones = [BoneState::default().with_rotation(UPRIGHT)];
    let of = |bone: u32, weight: f32| Influences::of_rows(&[bone; 3], &[weight; 3], 1);
    let arrays = with(MeshArrays::default(), |arrays| {
        (arrays.positions, arrays.triangles) = (&CORNERS, &[[0, 1, 2]]);
    });
    let error = |arrays: MeshArrays<'_>| {
        let mut file = Vec::new();
        let error = arrays.write(&mut file).unwrap_err();
        assert!(file.is_empty());
        error.to_string()
    };
    let skinned = |influences: &Influences, bones: &[BoneState]| {
        error(with(arrays, |arrays| (arrays.influences, arrays.bones) = (Some(influences), bones)))
    };
    assert_eq!(skinned(&of(2, 1.0), &bones), "vertex 0 names 2, and there are 1");
    assert_eq!(skinned(&of(0, -1.0), &bones), "vertex 0 has the weight -1: expected a finite number, 0 or more");
    assert_eq!(skinned(&of(0, f32::NAN), &bones), "vertex 0 has the weight NaN: expected a finite number, 0 or more");
    let short = Influences::of_rows(&[0], &[1.0], 1);
    assert_eq!(skinned(&short, &bones), "the list of influences has 1 elements, and there are 3 vertices");
    let zero = [BoneState::default()];
    assert!(skinned(&of(0, 1.0), &zero).starts_with("bone 0 has a rotation of length 0"));
    assert!(skinned(&of(0, 1.0), &[]).ends_with("it has no bones"));
    assert!(error(with(arrays, |arrays| arrays.bones = &bones)).ends_with("it has no influences"));
}

#[test]
fn an_animation_has_the_states_of_its_arrays_or_is_an_error() {
    let states = [[0.0_f32, 1.0, 2.0], [3.0, 4.0, 5.0]]
        .map(|place| BoneState::default().with_translation(place).with_rotation(UPRIGHT));
    let parts = with(AnimationParts::default(), |parts| (parts.bones, parts.states) = (1, &states));
    let mut file = Vec::new();
    assert_eq!(parts.write(&mut file).unwrap(), 2);
    let psa = Psa::parse(&file).unwrap();
    assert_eq!((psa.frame_count(), psa.bone_count(), psa.frame_length_ms()), (2, 1, FRAME_MS));
    assert_eq!(psa.states()[1].translation(), [3.0, 4.0, 5.0]);
    let error = |parts: AnimationParts<'_>| {
        let mut file = Vec::new();
        let error = parts.write(&mut file).unwrap_err();
        assert!(file.is_empty());
        error.to_string()
    };
    let of = |bones, states: &[BoneState]| error(with(parts, |parts| (parts.bones, parts.states) = (bones, states)));
    assert_eq!(of(3, &states), "2 states are not one or more frames of 3 bones");
    assert_eq!(of(1, &[]), "0 states are not one or more frames of 1 bones");
    assert_eq!(of(0, &states), "2 states are not one or more frames of 0 bones");
    assert_eq!(of(192, &[states[0]; 192]), "192 bones: the limit is 191");
    let bad = states[0].with_translation([0.0, f32::INFINITY, 0.0]);
    assert_eq!(of(2, &[states[0], bad]), "bone 1 has a number that is not finite");
    assert_eq!(
        of(1, &[states[0].with_rotation([2.0, 0.0, 0.0, 0.0])]),
        "state 0 has a rotation of length 2: expected a quaternion x, y, z, w of length 1"
    );
    assert_eq!(error(with(parts, |parts| parts.frame_ms = 0.0)), "a frame of 0 ms: expected a finite number above 0");
    let name = "x".repeat(256);
    assert_eq!(error(with(parts, |parts| parts.name = &name)), "256 bytes in the name: the limit is 255");
}
