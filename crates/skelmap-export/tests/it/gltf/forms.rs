//! The other forms: JSON with a binary file, and OBJ.

use skelmap::Asset;
use skelmap::model::Binding;
use skelmap_export::{Animation, Document, ExportOptions};

use super::{apart, good, options};
use test_support::glb::File;

#[test]
fn json_and_binary_file_hold_the_content_of_a_glb() {
    let (mesh, animation) = (good("fox.psk"), good("fox.psa"));
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let mesh = mesh.mesh().unwrap();
    let mut document = Document::of_mesh(&mesh);
    document.animations = animation.clips().map(|clip| Animation::new(&clip, Binding::new(&mesh, &clip))).collect();
    let (mut glb, mut json, mut binary) = (Vec::new(), Vec::new(), Vec::new());
    document.write_glb(&ExportOptions::default(), &mut glb).unwrap();
    document.write_gltf(&ExportOptions::default(), &mut json, "fox.bin", &mut binary).unwrap();
    let number = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    let length = number(12);
    let mut of_glb: serde_json::Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    let separate: serde_json::Value = serde_json::from_slice(&json).unwrap();
    of_glb["buffers"][0]["uri"] = "fox.bin".into();
    assert_eq!(separate, of_glb);
    assert_eq!(binary, glb[28 + length..]);
    assert_eq!(glb.len(), number(8));
}

/// The format says what is meant where nothing is said.
#[test]
fn json_does_not_say_that_something_is_not_so() {
    for compact in [false, true] {
        let (bytes, mut json) = (good("fox.pmd"), Vec::new());
        let asset = Asset::parse(&bytes).unwrap();
        let document = Document::of_mesh(&asset.mesh().unwrap());
        let change = options(|own| own.compact = compact);
        document.write_gltf(&change, &mut json, "fox.bin", &mut std::io::sink()).unwrap();
        let json = String::from_utf8(json).unwrap();
        assert_eq!((json.contains("true"), json.contains("false")), (compact, false), "{json}");
    }
}

/// The corners of the triangles of an OBJ, read from its lines.
fn obj_corners(text: &str) -> Vec<[f64; 3]> {
    let mut points: Vec<[f64; 3]> = Vec::new();
    let mut corners = Vec::new();
    for line in text.lines() {
        let mut words = line.split(' ');
        match words.next() {
            Some("v") => points.push(std::array::from_fn(|_| words.next().unwrap().parse().unwrap())),
            Some("f") => corners.extend(words.map(|word| {
                let parts: Vec<usize> = word.split('/').map(|part| part.parse().unwrap()).collect();
                assert!(parts.len() == 3 && parts.iter().all(|part| *part == parts[0]));
                points[parts[0] - 1]
            })),
            _ => {}
        }
    }
    corners
}

#[test]
fn an_obj_has_the_vertices_of_the_glb_at_rest_and_in_a_frame() {
    for (mesh, animation) in [("fox.psk", "fox.psa"), ("fox.pmd", "fox_walk.psa")] {
        let (mesh, animation) = (good(mesh), good(animation));
        let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
        let mesh = mesh.mesh().unwrap();
        let mut document = Document::of_mesh(&mesh);
        document.animations = animation.clips().map(|clip| Animation::new(&clip, Binding::new(&mesh, &clip))).collect();
        let mut glb = Vec::new();
        document.write_glb(&ExportOptions::default(), &mut glb).unwrap();
        let glb = File::read(&glb);
        let rate = document.animations[0].clip.rate().unwrap();
        for frame in [None, Some(0), Some(9)] {
            let mut obj = Vec::new();
            let pose = frame.map(|frame| (0, f64::from(frame)));
            document.write_obj(&ExportOptions::default(), pose, None, &mut obj).unwrap();
            let corners = obj_corners(std::str::from_utf8(&obj).unwrap());
            let expected = glb.corners(frame.map(|frame| (0, f64::from(frame) / rate)));
            assert!(apart(&corners, &expected) < 1e-5, "{frame:?}");
        }
    }
}

#[test]
fn a_name_of_a_material_in_an_obj_is_one_word() {
    let mut mesh = test_support::actorx::build::Mesh::sheet(3, 3, 1);
    mesh.materials[0] = test_support::actorx::build::Material::new("Two words", 0);
    let bytes = mesh.chunks().build().bytes;
    let asset = Asset::parse(&bytes).unwrap();
    let mut obj = Vec::new();
    let document = Document::of_mesh(&asset.mesh().unwrap());
    document.write_obj(&ExportOptions::default(), None, Some("a.mtl"), &mut obj).unwrap();
    let text = String::from_utf8(obj).unwrap();
    assert!(text.starts_with("mtllib a.mtl\n") && text.contains("\nusemtl Two_words_0\n"));
}

#[test]
fn names_of_materials_in_an_obj_are_unique() {
    let mut mesh = test_support::actorx::build::Mesh::sheet(3, 3, 1);
    mesh.materials =
        ["same", "same", "other", ""].map(|name| test_support::actorx::build::Material::new(name, 0)).to_vec();
    let bytes = mesh.chunks().build().bytes;
    let asset = Asset::parse(&bytes).unwrap();
    let mesh = asset.mesh().unwrap();
    let names = [0, 1, 2, 3, 4].map(|material| skelmap_export::obj_material(&mesh, material));
    assert_eq!(names, ["same", "same_1", "other", "material_3", "material_4"]);
}

/// The bytes of an index tell 256 materials apart, which is as far as names are compared.
#[test]
fn the_name_of_a_material_in_an_obj_is_unique_among_256() {
    use test_support::ueformat::build::{self, Lod, Material, Model, Style};

    let materials = (0..256).map(|index| Material::new(format!("m{}", index.min(254)), "", 0, 1)).collect();
    let (vertices, indices) = (vec![[0.0; 3], [5.0, 0.0, 0.0], [0.0, 5.0, 0.0]], vec![0, 1, 2]);
    let model = Model { lods: vec![Lod { vertices, indices, materials, ..Lod::default() }], ..Model::default() };
    let bytes = build::model(10, &model, Style::LIBRARY).build().bytes;
    let mesh = Asset::parse(&bytes).unwrap().mesh().unwrap();
    let names = [253, 254, 255].map(|material| skelmap_export::obj_material(&mesh, material));
    assert_eq!(names, ["m253", "m254", "m254_255"]);
}

/// The format asks for it.
#[test]
fn the_parts_of_a_glb_are_aligned_to_four_bytes() {
    let bytes = good("fox.pmd");
    let asset = Asset::parse(&bytes).unwrap();
    for letters in 0..8 {
        let mut document = Document::of_mesh(&asset.mesh().unwrap());
        document.name = "x".repeat(letters);
        let (mut glb, mut json) = (Vec::new(), Vec::new());
        document.write_glb(&ExportOptions::default(), &mut glb).unwrap();
        document.write_gltf(&ExportOptions::default(), &mut json, "", &mut Vec::new()).unwrap();
        let number = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
        let length = number(12);
        let text = std::str::from_utf8(&glb[20..20 + length]).unwrap();
        let spaces = length - text.trim_end_matches(' ').len();
        assert!(length % 4 == 0 && spaces < 4, "{length}, {spaces} spaces");
        assert_eq!(&glb[24 + length..28 + length], b"BIN\0");
        assert_eq!((glb.len(), number(20 + length) + 28 + length), (number(8), number(8)));
    }
}

#[test]
fn a_file_without_binary_data_has_no_buffer() {
    let mesh = test_support::actorx::build::Mesh {
        faces: Vec::new(),
        bones: Vec::new(),
        weights: Vec::new(),
        ..test_support::actorx::build::Mesh::sheet(2, 2, 1)
    };
    let bytes = mesh.chunks().build().bytes;
    let asset = Asset::parse(&bytes).unwrap();
    let mut glb = Vec::new();
    Document::of_mesh(&asset.mesh().unwrap()).write_glb(&ExportOptions::default(), &mut glb).unwrap();
    let number = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((glb.len(), number(8)), (20 + number(12), glb.len()), "one part");
    let json: serde_json::Value = serde_json::from_slice(&glb[20..]).unwrap();
    assert_eq!((json.get("buffers"), json.get("bufferViews")), (None, None));
}
