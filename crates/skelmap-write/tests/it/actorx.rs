//! ActorX: the fox of the corpus, written as glTF and back, and meshes that other programs could not read.

use serde_json::json;
use skelmap::Asset;
use skelmap::actorx::{Psa, Psk};
use skelmap::model::{Binding, VertexOptions};
use skelmap_export::{Animation, Document, ExportOptions};
use skelmap_write::Gltf;
use skelmap_write::actorx::{ActorxOptions, Armature, ClipKeys, write_animation};
use skelmap_write::pyrogenesis::JointAxes;
use test_support::with;

use crate::gltf::build::Glb;

/// A mesh and an animation as GLB.
fn glb(mesh: &[u8], animation: &[u8]) -> Vec<u8> {
    let (mesh, animation) = (Asset::parse(mesh).unwrap(), Asset::parse(animation).unwrap());
    let mesh = mesh.mesh().unwrap();
    let mut document = Document::of_mesh(&mesh);
    document.animations = animation.clips().map(|clip| Animation::new(&clip, Binding::new(&mesh, &clip))).collect();
    let mut file = Vec::new();
    let options = with(ExportOptions::default(), |options| options.keep_unused = true);
    document.write_glb(&options, &mut file).unwrap();
    file
}

/// A GLB as a mesh and an animation.
fn back(glb: &[u8], options: &ActorxOptions) -> (Vec<u8>, Vec<u8>) {
    let gltf = Gltf::parse(glb).unwrap();
    let model = gltf.to_model(None).unwrap();
    let armature = Armature::new(&model, options).unwrap();
    let (mut mesh, mut animation) = (Vec::new(), Vec::new());
    armature.write_mesh(&model, options, &mut mesh).unwrap();
    let clips: Vec<_> = (0..gltf.clip_count()).map(|index| gltf.clip(index, None).unwrap().unwrap()).collect();
    let clips: Vec<_> = clips.iter().map(ClipKeys::new).collect();
    write_animation(&armature, &clips, &mut animation).unwrap();
    (mesh, animation)
}

fn fox(name: &str) -> Vec<u8> {
    std::fs::read(format!("../../corpus/{name}")).unwrap()
}

/// The greatest difference between two lists of numbers.
fn distance(one: impl IntoIterator<Item = f32>, other: impl IntoIterator<Item = f32>) -> f32 {
    one.into_iter().zip(other).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max)
}

/// The difference between two rotations, of which one and its opposite are the same.
fn turned(one: [f32; 4], other: [f32; 4]) -> f32 {
    distance(one, other).min(distance(one.map(|value| -value), other))
}

#[test]
fn a_mesh_comes_back_with_its_bones_points_and_faces() {
    let (mesh, animation) = (fox("fox.psk"), fox("fox.psa"));
    for extras in [false, true] {
        let options = with(ActorxOptions::default(), |options| options.extras = extras);
        let (found, _) = back(&glb(&mesh, &animation), &options);
        let (found, expected) = (Psk::parse(&found).unwrap(), Psk::parse(&mesh).unwrap());
        assert_eq!(found.quirks().count(), 0);
        for (one, other) in found.bones().iter().zip(expected.bones()) {
            assert_eq!((one.name(), one.parent_index()), (other.name(), other.parent_index()));
            assert!(distance(one.translation(), other.translation()) < 1e-4, "{one:?} {other:?}");
            assert!(turned(one.rotation(), other.rotation()) < 1e-6, "{one:?} {other:?}");
        }
        assert_eq!(found.bones().len(), expected.bones().len());
        // Each corner of each face has a place, a texture coordinate and weights.
        let corners = |mesh: &Psk<'_>| {
            let mut all = Vec::new();
            // In glTF, the triangles of a material are together.
            let mut faces: Vec<_> = mesh.faces().iter().collect();
            faces.sort_by_key(|face| face.material);
            for face in faces {
                for wedge in face.wedges {
                    let wedge = wedge as usize;
                    let point = mesh.point_index(&mesh.wedges()[wedge]) as usize;
                    let mut weights = vec![0.0; mesh.bones().len()];
                    for influence in mesh.influences().iter().filter(|own| own.point_index() as usize == point) {
                        weights[influence.bone_index() as usize] += influence.weight();
                    }
                    all.push((mesh.points()[point].get(), mesh.wedges()[wedge].uv(), weights));
                }
            }
            all
        };
        let (mine, theirs) = (corners(&found), corners(&expected));
        assert_eq!(mine.len(), theirs.len());
        for ((place, uv, weights), (own_place, own_uv, own_weights)) in mine.into_iter().zip(theirs) {
            assert!(distance(place, own_place) < 1e-4, "{place:?} {own_place:?}");
            assert!(distance(uv, own_uv) < 1e-6 && distance(weights, own_weights) < 1e-6);
        }
        let ids: Vec<_> = found.chunks().map(|chunk| chunk.id.to_string()).collect();
        let classic = ["ACTRHEAD", "PNTS0000", "VTXW0000", "FACE0000", "MATT0000", "REFSKELT", "RAWWEIGHTS"];
        assert_eq!(ids[..7], classic);
        assert_eq!(ids.len() > 7, extras, "{ids:?}");
    }
}

#[test]
fn an_animation_comes_back_with_its_sequences_and_keys() {
    let (mesh, animation) = (fox("fox.psk"), fox("fox.psa"));
    let (_, found) = back(&glb(&mesh, &animation), &ActorxOptions::default());
    let (found, expected) = (Psa::parse(&found).unwrap(), Psa::parse(&animation).unwrap());
    assert_eq!(found.quirks().count(), 0);
    let mut count = 0;
    for (one, other) in found.sequences().zip(expected.sequences()) {
        assert_eq!(one.info().name(), other.info().name());
        assert_eq!((one.frame_count(), one.info().rate()), (other.frame_count(), other.info().rate()));
        for bone in 0..found.bone_count() {
            let name = found.bones()[bone].name().text().to_string();
            let own = expected.bones().iter().position(|bone| bone.name().matches(&name)).expect("the bone");
            for frame in 0..one.frame_count() {
                let (one, other) = (one.key(frame, bone).unwrap(), other.key(frame, own).unwrap());
                assert!(distance(one.translation(), other.translation()) < 1e-4, "{name} {frame}: {one:?} {other:?}");
                assert!(turned(one.rotation(), other.rotation()) < 1e-5, "{name} {frame}: {one:?} {other:?}");
                count += 1;
            }
        }
    }
    assert!(count > 500 && found.sequences().len() == expected.sequences().len());
}

/// With the axes of Blender, the skinned positions are the same: the axes of a bone move nothing.
#[test]
fn both_axes_skin_alike() {
    let (mesh, animation) = (fox("fox.psk"), fox("fox.psa"));
    let glb = glb(&mesh, &animation);
    let skinned = |axes| {
        let options = with(ActorxOptions::default(), |options| options.axes = Some(axes));
        let (mesh, animation) = back(&glb, &options);
        let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
        let (mesh, clip) = (mesh.mesh().unwrap(), animation.clips().next().unwrap());
        let binding = Binding::new(&mesh, &clip);
        let skin = skelmap::model::Skin::new(&mesh, 4).unwrap();
        let mut pose = skin.bind_pose().to_vec();
        binding.sample(&clip, 0.3, skelmap::model::Wrap::Loop, &mut pose).unwrap();
        let mut matrices = vec![skelmap::model::IDENTITY; skin.matrix_count()];
        skin.matrices(&pose, &mut matrices).unwrap();
        let mut positions = vec![[0.0; 3]; mesh.point_count()];
        skin.positions(&mesh, &matrices, &mut positions).unwrap();
        positions
    };
    let (one, other) = (skinned(JointAxes::Game), skinned(JointAxes::Blender));
    assert_eq!(one.len(), other.len());
    for (one, other) in one.into_iter().zip(other) {
        assert!(distance(one, other) < 1e-3, "{one:?} {other:?}");
    }
}

/// Two squares on one joint: corners with their normals, and triangles.
fn squares(corners: &[([f32; 3], [f32; 3])], triangles: &[u16]) -> Vec<u8> {
    let mut glb = Glb::new();
    let (places, normals): (Vec<_>, Vec<_>) = corners.iter().copied().unzip();
    let weights = glb.floats(&vec![[1.0, 0.0, 0.0, 0.0]; corners.len()]);
    let view = glb.view(&vec![0; corners.len() * 4]);
    let joints = json!({"bufferView": view, "componentType": 5121, "count": corners.len(), "type": "VEC4"});
    let joints = glb.add("accessors", joints);
    let (position, normal) = (glb.floats(&places), glb.floats(&normals));
    let indices = glb.indices(triangles);
    let attributes = json!({"POSITION": position, "NORMAL": normal, "JOINTS_0": joints, "WEIGHTS_0": weights});
    let mesh = glb.add("meshes", json!({"primitives": [{"attributes": attributes, "indices": indices}]}));
    let joint = glb.root(json!({"name": "root"}));
    let skin = glb.add("skins", json!({"joints": [joint]}));
    glb.root(json!({"mesh": mesh, "skin": skin}));
    glb.to_bytes()
}

#[test]
fn the_sides_of_a_leaf_and_hard_edges_keep_their_normals() {
    const PLACES: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    let side = |z: f32| PLACES.map(|place| (place, [0.0, 0.0, z]));
    let leaf: Vec<_> = side(1.0).into_iter().chain(side(-1.0)).collect();
    let leaf = squares(&leaf, &[0, 1, 2, 0, 2, 3, 4, 6, 5, 4, 7, 6]);
    // A floor and a wall that meet at a hard edge.
    let floor = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 0.0, 0.0]].map(|at| (at, [0.0, 1.0, 0.0]));
    let wall = PLACES.map(|place| (place, [0.0, 0.0, 1.0]));
    let room: Vec<_> = floor.into_iter().chain(wall).collect();
    let room = squares(&room, &[0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7]);
    let options = with(ActorxOptions::default(), |options| options.axes = Some(JointAxes::Game));
    for (glb, points, expected) in
        [(leaf, 8, [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]]), (room, 6, [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])]
    {
        let gltf = Gltf::parse(&glb).unwrap();
        let model = gltf.to_model(None).unwrap();
        let mut file = Vec::new();
        let report = Armature::new(&model, &options).unwrap().write_mesh(&model, &options, &mut file).unwrap();
        assert_eq!((report.points, report.wedges, report.shared_groups), (points, 8, 0));
        // What this reader computes of the groups.
        let mesh = Psk::parse(&file).unwrap().mesh().in_space(skelmap::model::Space::GLTF);
        let vertices = mesh.to_vertices(&VertexOptions::default()).unwrap();
        assert_eq!(vertices.normals.len(), 8);
        for normal in expected {
            let same = vertices.normals.iter().filter(|own| distance(**own, normal) < 1e-6).count();
            assert_eq!(same, 4, "{:?}", vertices.normals);
        }
    }
}
