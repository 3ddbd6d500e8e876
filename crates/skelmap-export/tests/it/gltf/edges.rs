//! Limits of rules: the last number that a rule holds for, and the first one that it does not.

use skelmap::Asset;
use skelmap::model::{Binding, Source, TrackSources};
use skelmap_export::{Animation, Document, ExportOptions, InfluenceCount};

use super::{keys, options, write};
use gltf::Semantic;
use gltf::animation::Property;
use test_support::actorx::build::{Anim, Face, Mesh, Weight, chain};
use test_support::pyrogenesis::build::Pmd;
use test_support::ueformat::build::{self, Lod, Model, Style, UvSet};

const STRAIGHT: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// A clip in which no bone moves.
fn still(bones: u32, frames: i32) -> Anim {
    let mut anim = Anim::sway(chain(bones), &[("still", frames, 30.0)]);
    anim.keys.iter_mut().for_each(|key| key.rotation = STRAIGHT);
    anim
}

/// Differences up to a millionth count as none.
#[test]
fn a_bone_that_moves_by_less_than_a_millionth_stands_still() {
    for (x, count) in [(0.75e-6, 0), (1.5e-6, 2)] {
        let mut anim = still(1, 2);
        anim.keys[1].position[0] = x;
        document!(document, Mesh::sheet(3, 3, 1).chunks().into(), anim.chunks().into());
        let (file, _) = write(&document, &options(|own| own.metres = 1.0));
        assert_eq!(keys(&file, "Bone_0000", Property::Translation).len(), count, "{x}");
    }
}

#[test]
fn the_only_rotation_of_a_bone_is_counted_if_it_is_no_number() {
    for (value, broken) in [(f32::NAN, 1), (0.5, 0)] {
        let mut anim = still(1, 1);
        anim.keys[0].rotation[0] = value;
        document!(document, Mesh::sheet(3, 3, 1).chunks().into(), anim.chunks().into());
        assert_eq!(write(&document, &ExportOptions::default()).1.broken_keys, broken, "{value}");
    }
}

/// On another mesh the bones may be elsewhere. What comes from the mesh there comes from the mesh here.
#[test]
fn a_clip_of_several_meshes_has_a_key_for_all_that_comes_from_it() {
    let (mesh, animation): (Vec<u8>, Vec<u8>) = (Mesh::sheet(3, 3, 2).chunks().into(), still(2, 1).chunks().into());
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let (mesh, clip) = (mesh.mesh().unwrap(), animation.clips().next().unwrap());
    let mut own = TrackSources::default();
    own.translation = Source::Mesh;
    let all = vec![("Bone_0000", "t"), ("Bone_0000", "r"), ("Bone_0001", "t"), ("Bone_0001", "r")];
    let some = vec![("Bone_0000", "t"), ("Bone_0000", "r"), ("Bone_0001", "r")];
    for (sources, is_shared, expected) in [
        ([TrackSources::default(); 2], true, all),
        ([TrackSources::default(), own], true, some),
        // Something has to keep the length.
        ([TrackSources::default(); 2], false, vec![("Bone_0000", "r")]),
    ] {
        let mut document = Document::of_mesh(&mesh);
        document.animations = vec![Animation::new(&clip, Binding::new(&mesh, &clip).with_sources(&sources))];
        document.is_shared = is_shared;
        let (file, _) = write(&document, &ExportOptions::default());
        let channels: Vec<_> = file.document().animations().next().unwrap().channels().collect();
        let found = channels.iter().map(|own| {
            let part = if own.target().property() == Property::Translation { "t" } else { "r" };
            (own.target().node().name().unwrap().to_owned(), part)
        });
        let expected: Vec<_> = expected.into_iter().map(|(bone, part)| (bone.to_owned(), part)).collect();
        assert_eq!(found.collect::<Vec<_>>(), expected, "{is_shared}");
    }
}

#[test]
fn a_mesh_without_bones_has_no_animations() {
    let mesh = Mesh { bones: Vec::new(), weights: Vec::new(), ..Mesh::sheet(3, 3, 1) };
    document!(document, mesh.chunks().into(), Anim::sway(chain(2), &[("sway", 3, 30.0)]).chunks().into());
    let (file, report) = write(&document, &ExportOptions::default());
    assert_eq!((document.animations.len(), report.animations), (1, 0));
    assert_eq!((file.document().animations().count(), report.bones), (0, 0));
}

/// What no option asks for is dropped; either option keeps it.
#[test]
fn triangles_that_use_a_vertex_twice_are_kept_for_two_options() {
    let mut pmd = Pmd::grid(3, 3, 1, 1);
    pmd.faces.push([4, 4, 5]);
    let mut sheet = Mesh::sheet(3, 3, 1);
    sheet.faces.push(Face::new([4, 4, 5], 0));
    for bytes in [pmd.build().bytes, sheet.chunks().into()] {
        let asset = Asset::parse(&bytes).unwrap();
        let document = Document::of_mesh(&asset.mesh().unwrap());
        for (keep, exact, dropped) in [(false, false, 1), (true, false, 0), (false, true, 0), (true, true, 0)] {
            let change = options(|own| (own.keep_degenerate, own.exact) = (keep, exact));
            let report = write(&document, &change).1;
            assert_eq!((report.triangles, report.dropped_triangles), (9 - dropped, dropped), "{keep} {exact}");
        }
    }
}

#[test]
fn a_vertex_has_at_most_eight_uv_sets() {
    let set = UvSet { name: Vec::new(), uvs: vec![[0.0; 2]; 3] };
    for (stored, wanted, written) in [(7, 20, 7), (8, 20, 8), (10, 20, 8), (10, 3, 3)] {
        let lod = Lod {
            vertices: vec![[0.0; 3], [5.0, 0.0, 0.0], [0.0, 5.0, 0.0]],
            indices: vec![0, 1, 2],
            uvs: vec![set.clone(); stored],
            ..Lod::default()
        };
        let model = Model { lods: vec![lod], ..Model::default() };
        let bytes = build::model(10, &model, Style::LIBRARY).build().bytes;
        let asset = Asset::parse(&bytes).unwrap();
        let change = options(|own| (own.keep_unused, own.uv_sets) = (true, wanted));
        let (file, _) = write(&Document::of_mesh(&asset.mesh().unwrap()), &change);
        let primitive = file.document().meshes().next().unwrap().primitives().next().unwrap();
        let sets = primitive.attributes().filter(|(semantic, _)| matches!(semantic, Semantic::TexCoords(_)));
        assert_eq!(sets.count(), written, "{stored} {wanted}");
    }
}

/// Ten bones pull at each point, of which the last two are the weakest.
#[test]
fn a_vertex_has_at_most_eight_influences_in_glb_and_obj() {
    let sheet = |bones: i32| {
        let mut sheet = Mesh::sheet(3, 3, 10);
        sheet.weights.clear();
        for point in 0..9 {
            sheet.weights.extend((0..bones).map(|bone| Weight { weight: 1.0 / (2 + bone) as f32, point, bone }));
        }
        Vec::from(sheet.chunks())
    };
    let eight = options(|own| own.influences = InfluenceCount::Eight);
    let [all, strongest] = [(10, 2 * 9), (8, 0)].map(|(bones, weaker)| {
        document!(document, sheet(bones), Anim::sway(chain(10), &[("sway", 5, 30.0)]).chunks().into());
        let (file, report) = write(&document, &eight);
        assert_eq!(report.weaker_influences, weaker);
        let primitive = file.document().meshes().next().unwrap().primitives().next().unwrap();
        let sets = primitive.attributes().filter(|(semantic, _)| matches!(semantic, Semantic::Weights(_)));
        assert_eq!(sets.count(), 2);
        let mut obj = Vec::new();
        document.write_obj(&eight, Some((0, 3.0)), None, &mut obj).unwrap();
        obj
    });
    assert!(all == strongest, "the weakest move nothing");
}
