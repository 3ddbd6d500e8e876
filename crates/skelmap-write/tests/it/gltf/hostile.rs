//! Files that lie. Each is an error that names its element; none costs more than its bytes stand for.

use serde_json::{Value, json};
use skelmap_write::Gltf;
use test_support::build_glb::glb;

use super::build::Glb;

/// A mesh of one joint.
fn skinned() -> Glb {
    let mut glb = Glb::new();
    let position = glb.floats(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let joints = glb.view(&[0; 12]);
    let joints = glb.add("accessors", json!({"bufferView": joints, "componentType": 5121, "count": 3, "type": "VEC4"}));
    let weights = glb.floats(&[[1.0, 0.0, 0.0, 0.0]; 3]);
    let attributes = json!({"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights});
    let mesh = glb.add("meshes", json!({"primitives": [{"attributes": attributes}]}));
    let joint = glb.root(json!({"name": "bone"}));
    let skin = glb.add("skins", json!({"joints": [joint]}));
    glb.root(json!({"mesh": mesh, "skin": skin}));
    glb
}

fn error(glb: &Glb) -> String {
    let bytes = glb.to_bytes();
    let found = Gltf::parse(&bytes).and_then(|gltf| gltf.to_model(None).map(drop));
    found.unwrap_err().to_string()
}

#[test]
fn each_lie_is_an_error_that_names_its_element() {
    type Lie = fn(&mut Value);
    let lies: [(Lie, &str); 16] = [
        (|json| json["asset"]["version"] = "1.0".into(), "asset.version: has version 1.0; only version 2 is supported"),
        (
            |json| json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]),
            "extensionsRequired: needs the extension KHR_draco_mesh_compression, which is not supported",
        ),
        (|json| json["accessors"][0]["count"] = 4.into(), "accessors[0]: reaches byte 48 of 36"),
        (
            |json| json["accessors"][0]["byteOffset"] = u64::MAX.into(),
            "accessors[0]: reaches byte 18446744073709551615 of 36",
        ),
        (
            |json| json["accessors"][0]["bufferView"] = 9.into(),
            "accessors[0].bufferView: is 9, but there are 3 bufferViews",
        ),
        (
            |json| json["bufferViews"][0]["byteStride"] = 4.into(),
            "accessors[0]: has a stride that is smaller than its elements",
        ),
        (|json| json["bufferViews"][0]["buffer"] = 1.into(), "bufferViews[0].buffer: is 1, but there are 1 buffers"),
        (|json| json["bufferViews"][0]["byteLength"] = 1000.into(), "bufferViews[0]: reaches byte 1000 of 96"),
        (
            |json| json["accessors"][0]["componentType"] = 1.into(),
            "accessors[0].componentType: is a value that glTF does not have",
        ),
        (|json| json["accessors"][1]["componentType"] = 5126.into(), "accessors[1]: reaches byte 48 of 12"),
        (
            |json| json["accessors"][2]["count"] = 2.into(),
            "meshes[0].primitives[0].attributes.JOINTS_0: has another number of elements than POSITION",
        ),
        (|json| json["nodes"][1]["mesh"] = 3.into(), "nodes[1].mesh: is 3, but there are 1 meshes"),
        (|json| json["nodes"][1]["skin"] = 3.into(), "nodes[1].skin: is 3, but there are 1 skins"),
        (|json| json["skins"][0]["joints"] = json!([5]), "skins[0].joints: is 5, but there are 2 nodes"),
        (|json| json["nodes"][0]["children"] = json!([0]), "nodes[0]: is below two nodes, or below itself"),
        (|json| json["nodes"][0]["scale"] = json!([1e40, 1, 1]), "nodes[0]: has a transform that is not finite"),
    ];
    for (lie, expected) in lies {
        let mut glb = skinned();
        lie(&mut glb.json);
        assert_eq!(error(&glb), expected);
    }
}

#[test]
fn a_file_that_is_cut_anywhere_is_an_error() {
    let bytes = skinned().to_bytes();
    for length in 0..bytes.len() {
        assert!(Gltf::parse(&bytes[..length]).is_err(), "{length}");
    }
    assert!(Gltf::parse(&bytes).is_ok());
    assert!(Gltf::parse(b"PSMD").is_err());
    assert!(Gltf::parse(&glb(b"[]", b"")).is_err());
}

#[test]
fn the_same_numbers_are_not_read_any_number_of_times() {
    let mut glb = Glb::new();
    let position = glb.floats(&vec![[0.0; 3]; 9_999]);
    let indices = glb.indices(&vec![0; 9_999]);
    // Primitives of one set of attributes have their vertices once; another normal makes each another one.
    let mut normals = Vec::new();
    for _ in 0..1_000 {
        let accessor = glb.json["accessors"][position].clone();
        normals.push(glb.add("accessors", accessor));
    }
    let of = |normal: &usize| json!({"attributes": {"POSITION": position, "NORMAL": normal}});
    let vertices: Vec<Value> = normals.iter().map(of).collect();
    let mesh = glb.add("meshes", json!({"primitives": vertices}));
    let node = glb.root(json!({"mesh": mesh}));
    assert!(error(&glb).ends_with("vertices for the bytes of the file"), "{}", error(&glb));
    let triangles = vec![json!({"attributes": {"POSITION": position}, "indices": indices}); 1_000];
    let mesh = glb.add("meshes", json!({"primitives": triangles}));
    glb.json["nodes"][node]["mesh"] = mesh.into();
    assert!(error(&glb).ends_with("triangles for the bytes of the file"), "{}", error(&glb));
    let mut attributes = json!({"POSITION": position});
    for set in 0..9 {
        attributes[format!("TEXCOORD_{set}")] = position.into();
    }
    let mesh = glb.add("meshes", json!({"primitives": [{"attributes": attributes}]}));
    glb.json["nodes"][node]["mesh"] = mesh.into();
    assert_eq!(error(&glb), "meshes[2].primitives[0]: is more than the limit of 8 sets of attributes");
}

#[test]
fn an_animation_of_keys_that_all_are_the_same_ends() {
    let mut glb = skinned();
    let keys = 9_999;
    let times: Vec<[f32; 1]> = (0..keys).map(|key| [key as f32]).collect();
    let (input, output) = (glb.floats(&times), glb.floats(&vec![[0.0; 3]; keys]));
    let sampler = json!({"input": input, "output": output});
    let channel = json!({"sampler": 0, "target": {"node": 0, "path": "translation"}});
    glb.add("animations", json!({"channels": vec![channel; 1_500], "samplers": [sampler]}));
    let bytes = glb.to_bytes();
    let found = Gltf::parse(&bytes).unwrap().clip(0, None).unwrap_err().to_string();
    assert!(found.ends_with("is more than the limit of 64 numbers for each byte of the file"), "{found}");
}

#[test]
fn zeros_without_a_view_are_limited() {
    let mut glb = Glb::new();
    let position = glb.add("accessors", json!({"componentType": 5126, "count": 1_u64 << 40, "type": "VEC3"}));
    let mesh = glb.add("meshes", json!({"primitives": [{"attributes": {"POSITION": position}}]}));
    glb.root(json!({"mesh": mesh}));
    assert!(error(&glb).starts_with("accessors[0]: is more than the limit"), "{}", error(&glb));
}

#[test]
fn a_chain_of_a_hundred_thousand_nodes_is_walked() {
    let mut glb = Glb::new();
    let mesh = glb.triangle([[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let count = 100_000;
    for node in 1..count {
        glb.add("nodes", json!({"children": [node]}));
    }
    glb.add("nodes", json!({"mesh": mesh}));
    glb.json["scenes"][0]["nodes"] = json!([0]);
    let bytes = glb.to_bytes();
    assert_eq!(Gltf::parse(&bytes).unwrap().to_model(None).unwrap().positions.len(), 3);
}

#[test]
fn an_element_that_many_others_name_is_not_read_without_end() {
    let mut glb = skinned();
    let input = glb.floats(&[[0.0], [1.0]]);
    let clip = json!({"samplers": [{"input": input, "output": 0, "name": "z".repeat(1 << 20)}],
        "channels": vec![json!({"sampler": 0, "target": {"node": 0, "path": "weights"}}); 2000]});
    glb.json["animations"] = json!([clip]);
    let bytes = glb.to_bytes();
    let gltf = Gltf::parse(&bytes).unwrap();
    let found = gltf.clip(0, None).unwrap_err().to_string();
    assert!(found.contains("bytes of elements for each byte of JSON"), "{found}");
}

#[test]
fn many_animations_of_many_nodes_are_an_error() {
    let mut glb = skinned();
    for _ in 0..5000 {
        glb.root(json!({}));
    }
    glb.json["animations"] = vec![json!({}); 5000].into();
    let bytes = glb.to_bytes();
    let gltf = Gltf::parse(&bytes).unwrap();
    let found = (0..gltf.clip_count()).find_map(|index| gltf.clip(index, None).err()).expect("a limit");
    assert!(found.to_string().contains("numbers for each byte of the file"), "{found}");
}

#[test]
fn names_in_errors_are_short() {
    let mut glb = skinned();
    let long = "x".repeat(100_000);
    glb.root(json!({"mesh": 0, "name": long.clone()}));
    assert!(error(&glb).len() < 300);
    let mut glb = skinned();
    glb.json["extensionsRequired"] = json!([long]);
    assert!(error(&glb).len() < 300);
}

#[test]
fn a_file_that_many_buffers_name_is_read_once() {
    let glb = skinned();
    let mut json = glb.json.clone();
    let length = glb.binary.len();
    json["buffers"] = vec![json!({"byteLength": length, "uri": "a%62.bin"}), json!({"byteLength": 4, "uri": "ab.bin"})]
        .into_iter()
        .cycle()
        .take(100)
        .collect::<Vec<_>>()
        .into();
    let text = json.to_string();
    let mut reads = Vec::new();
    let read = |uri: &str, bytes: u64| {
        reads.push((uri.to_owned(), bytes));
        Ok(glb.binary.clone())
    };
    Gltf::parse_with(text.as_bytes(), read).unwrap().to_model(None).unwrap();
    assert_eq!(reads, [("a%62.bin".to_owned(), length as u64)]);
}
