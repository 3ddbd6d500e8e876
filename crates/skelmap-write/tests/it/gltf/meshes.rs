//! Meshes: numbers in all forms, primitives, materials, objects.

use serde_json::json;
use skelmap_write::{Gltf, Model};

use super::build::Glb;

const CORNERS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

fn model(glb: &Glb) -> Model {
    let bytes = glb.to_bytes();
    Gltf::parse(&bytes).unwrap().to_model(None).unwrap()
}

#[test]
fn a_triangle_without_normals_gets_those_of_its_face() {
    let mut glb = Glb::new();
    let mesh = glb.triangle(CORNERS);
    glb.root(json!({"mesh": mesh, "name": "Flag"}));
    let model = model(&glb);
    assert_eq!((model.name.as_str(), model.positions.as_slice()), ("Flag", CORNERS.as_slice()));
    assert_eq!(model.normals, [[0.0, 0.0, 1.0]; 3]);
    assert_eq!((model.report.computed_normals, model.report.vertices_without_uvs), (3, 3));
    assert_eq!(model.triangles[0].vertices, [0, 1, 2]);
}

#[test]
fn the_transforms_of_all_nodes_above_place_a_mesh_without_a_skin() {
    let mut glb = Glb::new();
    let mesh = glb.triangle(CORNERS);
    let child = glb.add("nodes", json!({"mesh": mesh, "translation": [1.0, 0.0, 0.0]}));
    let half = 0.5_f32.sqrt();
    // A quarter turn about z, then twice the size.
    glb.root(json!({"children": [child], "rotation": [0.0, 0.0, half, half], "scale": [2.0, 2.0, 2.0]}));
    let model = model(&glb);
    for (found, expected) in model.positions.iter().zip([[0.0, 2.0, 0.0], [0.0, 4.0, 0.0], [-2.0, 2.0, 0.0]]) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6, "{:?}", model.positions);
        }
    }
}

#[test]
fn strides_small_numbers_and_sparse_elements_are_read() {
    let mut glb = Glb::new();
    // Two vertices of 12 bytes: a position of three normalized shorts, 2 bytes of padding, a texture coordinate of two normalized bytes, 2 of padding.
    let mut bytes = Vec::new();
    for (position, uv) in [([0_i16, 32767, -32768], [0_u8, 255]), ([16384, 0, 0], [51, 102]), ([0, 0, 32767], [255, 0])]
    {
        bytes.extend(position.iter().flat_map(|value| value.to_le_bytes()));
        bytes.extend([0, 0]);
        bytes.extend(uv);
        bytes.extend([0, 0]);
    }
    let view = glb.view(&bytes);
    glb.json["bufferViews"][view]["byteStride"] = 12.into();
    let indices = glb.view(&[2]);
    let values = glb.view(&[255, 127, 255, 127, 255, 127]);
    let position = glb.add(
        "accessors",
        json!({"bufferView": view, "componentType": 5122, "normalized": true, "count": 3, "type": "VEC3", "sparse": {
            "count": 1, "indices": {"bufferView": indices, "componentType": 5121}, "values": {"bufferView": values}}}),
    );
    let uv = glb.add(
        "accessors",
        json!({"bufferView": view, "byteOffset": 8, "componentType": 5121, "normalized": true, "count": 3, "type": "VEC2"}),
    );
    let primitive = json!({"attributes": {"POSITION": position, "TEXCOORD_0": uv}});
    let mesh = glb.add("meshes", json!({"primitives": [primitive]}));
    glb.root(json!({"mesh": mesh}));
    let model = model(&glb);
    assert_eq!(model.positions, [[0.0, 1.0, -1.0], [16384.0 / 32767.0, 0.0, 0.0], [1.0, 1.0, 1.0]]);
    assert_eq!(model.uvs, [vec![[0.0, 1.0], [0.2, 0.4], [1.0, 0.0]]]);
}

#[test]
fn equal_vertices_are_welded_between_primitives_and_not_inside_of_one() {
    let mut glb = Glb::new();
    // The first primitive has a vertex twice; the second shares an edge with it.
    let first = glb.floats(&[CORNERS[0], CORNERS[1], CORNERS[2], CORNERS[0]]);
    let second = glb.floats(&[CORNERS[2], CORNERS[1], [1.0, 1.0, 0.0]]);
    let (normals, more) = (glb.floats(&[[0.0, 0.0, 1.0]; 4]), glb.floats(&[[0.0, 0.0, 1.0]; 3]));
    let indices = glb.indices(&[0, 1, 2, 3, 1, 2]);
    let materials = ["Red", "Blue"].map(|name| glb.add("materials", json!({"name": name, "alphaMode": "MASK"})));
    let mesh = glb.add(
        "meshes",
        json!({"primitives": [
            {"attributes": {"POSITION": first, "NORMAL": normals}, "indices": indices, "material": materials[1]},
            {"attributes": {"POSITION": second, "NORMAL": more}, "material": materials[0]}]}),
    );
    glb.root(json!({"mesh": mesh}));
    let model = model(&glb);
    assert_eq!((model.positions.len(), model.report.welded_vertices, model.report.unused_vertices), (5, 2, 0));
    let triangles: Vec<_> = model.triangles.iter().map(|triangle| (triangle.vertices, triangle.material)).collect();
    assert_eq!(triangles, [([0, 1, 2], 0), ([3, 1, 2], 0), ([2, 1, 4], 1)]);
    assert_eq!(model.materials.iter().map(|material| material.name.as_str()).collect::<Vec<_>>(), ["Blue", "Red"]);
}

#[test]
fn primitives_that_share_their_vertices_have_them_once_and_unused_ones_go() {
    let mut glb = Glb::new();
    let position = glb.floats(&[[9.0; 3], CORNERS[0], CORNERS[1], CORNERS[2], [1.0, 1.0, 0.0]]);
    let (one, other) = (glb.indices(&[3, 1, 2]), glb.indices(&[4, 3, 2]));
    let attributes = json!({"POSITION": position});
    let mesh = glb.add(
        "meshes",
        json!({"primitives": [{"attributes": attributes, "indices": one}, {"attributes": attributes, "indices": other}]}),
    );
    glb.root(json!({"mesh": mesh}));
    let model = model(&glb);
    assert_eq!(model.report.unused_vertices, 1);
    // In the order of their first use.
    assert_eq!(model.positions, [CORNERS[2], CORNERS[0], CORNERS[1], [1.0, 1.0, 0.0]]);
    assert_eq!(model.triangles[1].vertices, [3, 0, 2]);
}

#[test]
fn one_object_is_chosen_by_its_mark_or_its_name() {
    let mut glb = Glb::new();
    let mesh = glb.triangle(CORNERS);
    for name in ["Body", "Cloak"] {
        glb.root(json!({"mesh": mesh, "name": name}));
    }
    let bytes = glb.to_bytes();
    let gltf = Gltf::parse(&bytes).unwrap();
    let error = gltf.to_model(None).unwrap_err().to_string();
    assert_eq!(error, "has 2 mesh nodes, and one must be chosen: Body, Cloak");
    let error = gltf.to_model(Some("Hat")).unwrap_err().to_string();
    assert_eq!(error, "no single mesh node is named \"Hat\": Body, Cloak");
    assert_eq!(gltf.to_model(Some("Cloak")).unwrap().name, "Cloak");
    glb.json["nodes"][1]["extras"] = json!({"export": 1});
    let bytes = glb.to_bytes();
    assert_eq!(Gltf::parse(&bytes).unwrap().to_model(None).unwrap().name, "Cloak");
}

#[test]
fn buffers_are_read_from_text_and_from_the_folder_alone() {
    let mut glb = Glb::new();
    let mesh = glb.triangle(CORNERS);
    glb.root(json!({"mesh": mesh}));
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a b.bin"), &glb.binary).unwrap();
    glb.json["buffers"][0] = json!({"byteLength": glb.binary.len(), "uri": "a%20b.bin"});
    let text = glb.json.to_string();
    let gltf = Gltf::parse_in(text.as_bytes(), folder.path()).unwrap();
    assert_eq!(gltf.to_model(None).unwrap().positions, CORNERS);
    for uri in ["../a b.bin", "/etc/passwd", "%2e%2e/a b.bin", "file:///etc/passwd", "", "a\\b"] {
        glb.json["buffers"][0]["uri"] = uri.into();
        let text = glb.json.to_string();
        let error = Gltf::parse_in(text.as_bytes(), folder.path()).unwrap_err().to_string();
        assert!(error.ends_with("only files of the folder, and of those in it, are read"), "{uri}: {error}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/dev/zero", folder.path().join("zeros")).unwrap();
        std::os::unix::fs::symlink(folder.path(), folder.path().join("here")).unwrap();
        std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
        for (uri, fault) in [("zeros", "is a link"), ("here/a%20b.bin", "is a link"), ("socket", "is no regular file")]
        {
            glb.json["buffers"][0]["uri"] = uri.into();
            let text = glb.json.to_string();
            let error = Gltf::parse_in(text.as_bytes(), folder.path()).unwrap_err().to_string();
            assert!(error.contains(fault), "{uri}: {error}");
        }
    }
    // 36 bytes of zeros.
    let data = "A".repeat(48);
    glb.json["buffers"][0]["uri"] = format!("data:application/octet-stream;base64,{data}").into();
    let text = glb.json.to_string();
    assert_eq!(Gltf::parse(text.as_bytes()).unwrap().to_model(None).unwrap().positions, [[0.0; 3]; 3]);
}

#[test]
fn numbers_that_mean_nothing_are_zero_and_counted() {
    let mut glb = Glb::new();
    let position = glb.floats(&CORNERS);
    let uv = glb.floats(&[[f32::NAN, 0.5], [f32::INFINITY, 1.0], [0.25, 0.5]]);
    let color = glb.floats(&[[1.0, f32::NAN, 0.0, 1.0]; 3]);
    let joints = glb.view(&[0; 12]);
    let joints = glb.add("accessors", json!({"bufferView": joints, "componentType": 5121, "count": 3, "type": "VEC4"}));
    let weights = glb.floats(&[[0.5, f32::NAN, 0.25, 0.0], [-0.5, 1.0, 0.0, 0.0], [f32::INFINITY, 0.0, 0.0, 0.0]]);
    let attributes =
        json!({"POSITION": position, "TEXCOORD_0": uv, "COLOR_0": color, "JOINTS_0": joints, "WEIGHTS_0": weights});
    let mesh = glb.add("meshes", json!({"primitives": [{"attributes": attributes}]}));
    let joint = glb.root(json!({"name": "bone"}));
    let skin = glb.add("skins", json!({"joints": [joint]}));
    glb.root(json!({"mesh": mesh, "skin": skin}));
    let model = model(&glb);
    assert_eq!(model.uvs, [vec![[0.0, 0.5], [0.0, 1.0], [0.25, 0.5]]]);
    assert_eq!(model.colors, [[255, 0, 0, 255]; 3]);
    let influences: Vec<_> = (0..3).map(|vertex| model.influences.of(vertex)).collect();
    assert_eq!(influences, [&[(0, 0.5), (0, 0.25)][..], &[(0, 1.0)], &[]]);
    // Two of the texture coordinates, one of each colour, three of the weights.
    assert_eq!(model.report.zeroed_numbers, 8);
}
