//! Levels of detail: programs that know `MSFT_lod` show a node in place of another, and the others show the finest alone.

use serde_json::{Value, json};
use skelmap::Asset;
use skelmap_export::{Document, ExportOptions, ExportReport};

use super::{options, write};
use test_support::glb::File;
use test_support::ueformat::build::{self, Bone, IDENTITY, Lod, Model, Skeleton, Style, Weight};
use test_support::with;

/// A mesh of four levels, of which one is empty, of fewer triangles each, on three bones or on none.
fn mesh(has_bones: bool) -> Vec<u8> {
    let bone = |at: i32| Bone::new(format!("b{at}"), at - 1, [0.0, 0.0, 10.0], IDENTITY);
    let lod = |corners: u32| Lod {
        vertices: (0..corners).map(|at| [at as f32, (at * at) as f32, corners as f32]).collect(),
        indices: (2..corners).flat_map(|at| [0, at - 1, at]).collect(),
        weights: (0..corners as i32 * i32::from(has_bones))
            .map(|vertex| Weight { bone: 1, vertex, weight: 1.0 })
            .collect(),
        ..Lod::default()
    };
    let skeleton = has_bones.then(|| Skeleton { bones: (0..3).map(bone).collect(), ..Skeleton::default() });
    let model = Model { lods: vec![lod(6), lod(4), Lod::default(), lod(3)], skeleton, ..Model::default() };
    build::model(10, &model, Style::LIBRARY).build().bytes
}

fn converted(has_bones: bool, from: usize, options: &ExportOptions) -> (File, Value, ExportReport) {
    let bytes = mesh(has_bones);
    let asset = Asset::parse(&bytes).unwrap();
    let document = with(Document::of_mesh(&asset.mesh().unwrap().level(from)), |own| {
        "fox".clone_into(&mut own.name);
        own.level_of_detail = (from > 0).then_some(from as u32);
    });
    let mut out = Vec::new();
    document.write_glb(options, &mut out).unwrap();
    let length = u32::from_le_bytes(out[12..16].try_into().unwrap()) as usize;
    let root = serde_json::from_slice(&out[20..20 + length]).unwrap();
    let (file, report) = write(&document, options);
    (file, root, report)
}

/// The name, the triangles and the level of each node with a mesh.
fn nodes(root: &Value) -> Vec<(String, u64, Value)> {
    let all = root["nodes"].as_array().unwrap().iter().filter(|node| node["mesh"].is_u64());
    all.map(|node| {
        let mesh = &root["meshes"][node["mesh"].as_u64().unwrap() as usize];
        let indices = mesh["primitives"][0]["indices"].as_u64().unwrap() as usize;
        let triangles = root["accessors"][indices]["count"].as_u64().unwrap() / 3;
        (node["name"].as_str().unwrap().to_owned(), triangles, mesh["extras"]["levelOfDetail"].clone())
    })
    .collect()
}

#[test]
fn coarser_levels_are_nodes_of_no_scene_that_the_finest_names() {
    for has_bones in [false, true] {
        for compact in [false, true] {
            let (file, root, report) =
                converted(has_bones, 0, &options(|own| (own.levels, own.compact) = (true, compact)));
            let named = [("fox", 4, Value::Null), ("fox_LOD1", 2, json!(1)), ("fox_LOD2", 1, json!(3))];
            assert_eq!(nodes(&root), named.map(|(name, triangles, level)| (name.to_owned(), triangles, level)));
            let place =
                |name: &str| root["nodes"].as_array().unwrap().iter().position(|node| node["name"] == name).unwrap();
            let ids = &root["nodes"][place("fox")]["extensions"]["MSFT_lod"]["ids"];
            assert_eq!(*ids, json!([place("fox_LOD1"), place("fox_LOD2")]));
            assert!(root["extensionsUsed"].as_array().unwrap().contains(&json!("MSFT_lod")));
            assert!(!root["extensionsRequired"].as_array().is_some_and(|all| all.contains(&json!("MSFT_lod"))));
            // In no scene, and below no node.
            let shown = root["scenes"][0]["nodes"].as_array().unwrap();
            let children = root["nodes"].as_array().unwrap().iter().filter_map(|node| node["children"].as_array());
            let reached: Vec<_> = shown.iter().chain(children.flatten()).collect();
            assert!(reached.contains(&&json!(place("fox"))));
            assert!(["fox_LOD1", "fox_LOD2"].iter().all(|name| !reached.contains(&&json!(place(name)))));
            // Each has a skin of its own, of the same joints: in small numbers, their matrices differ.
            let skins: Vec<_> =
                file.document().skins().map(|skin| skin.joints().map(|own| own.index()).collect::<Vec<_>>()).collect();
            assert_eq!(skins.len(), if has_bones { 3 } else { 0 });
            assert!(skins.windows(2).all(|own| own[0] == own[1]));
            // The empty level.
            assert_eq!((report.levels, report.dropped_levels, report.triangles), (2, 1, 4));
        }
    }
}

#[test]
fn levels_begin_at_the_one_that_is_asked_for_and_are_left_out_unless_they_are_asked_for() {
    let (_, root, report) = converted(true, 1, &options(|own| own.levels = true));
    assert_eq!(nodes(&root), [("fox".to_owned(), 2, json!(1)), ("fox_LOD1".to_owned(), 1, json!(3))]);
    assert_eq!((report.levels, report.dropped_levels), (1, 1));
    let (_, root, report) = converted(true, 0, &ExportOptions::default());
    assert_eq!(nodes(&root), [("fox".to_owned(), 4, Value::Null)]);
    assert_eq!((report.levels, report.dropped_levels, root["extensionsUsed"].is_null()), (0, 0, true));
}

/// Levels of triangles, each with a bone of its own.
fn levels(triangles: &[i32]) -> Vec<u8> {
    let bone = |at: i32| Bone::new(format!("b{at}"), at - 1, [0.0, 0.0, 1.0], IDENTITY);
    let lod = |count: &i32| Lod {
        vertices: (0..count * 3).map(|at| [(at % 3) as f32, (at * at % 3) as f32, (at / 3) as f32]).collect(),
        indices: (0..count * 3).map(|at| at as u32).collect(),
        weights: (0..count * 3).map(|vertex| Weight { bone: (vertex / 3) as u16, vertex, weight: 1.0 }).collect(),
        ..Lod::default()
    };
    let most = triangles.iter().max().unwrap();
    let skeleton = Some(Skeleton { bones: (0..*most).map(bone).collect(), ..Skeleton::default() });
    let model = Model { lods: triangles.iter().map(lod).collect(), skeleton, ..Model::default() };
    build::model(10, &model, Style::LIBRARY).build().bytes
}

#[test]
fn a_mesh_has_at_most_32_coarser_levels_and_each_has_one_skin() {
    let few = options(|own| (own.levels, own.max_joints) = (true, Some(32)));
    for (triangles, written, dropped, skins) in [
        // A level for each, and two more than the limit.
        (vec![1; 33], 32, 0, 33),
        (vec![1; 35], 32, 2, 33),
        // What has 33 joints needs two skins: as the finest no other takes its place, and as another it takes no place.
        (vec![33, 1], 0, 1, 2),
        (vec![2, 33, 1], 1, 1, 2),
        (vec![32, 1], 1, 0, 2),
    ] {
        let bytes = levels(&triangles);
        let asset = Asset::parse(&bytes).unwrap();
        let (file, report) = write(&Document::of_mesh(&asset.mesh().unwrap()), &few);
        assert_eq!((report.levels, report.dropped_levels), (written, dropped), "{triangles:?}");
        assert_eq!(file.document().skins().count(), skins, "{triangles:?}");
    }
}
