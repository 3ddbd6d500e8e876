//! Once a mesh and a clip are prepared, nothing allocates.

use std::hint::black_box;

use allocation_counter::measure;
use skelmap::model::{Binding, Clip, IDENTITY, Mesh, Skin, Space, Transform, Wrap};
use skelmap::{Asset, AssetBuf};

use super::parts::{changed_pmd, figure, walk};
use test_support::pyrogenesis::build as pyrogenesis;
use test_support::swat3::build::{Gsa, Layout, biped, random::Rng};

fn allocates_nothing(what: &str, run: impl FnOnce()) {
    let info = measure(run);
    assert_eq!((info.count_total, info.bytes_total), (0, 0), "{what}");
}

const WRAPS: [Wrap; 2] = [Wrap::Clamp, Wrap::Loop];

fn read_clip(what: &str, clip: &Clip<'_>) {
    let mut out = vec![Transform::IDENTITY; clip.track_count()];
    allocates_nothing(what, || {
        for wrap in WRAPS {
            clip.sample(0.123, wrap, &mut out).unwrap();
            clip.sample_frame(1.5, wrap, &mut out).unwrap();
        }
        for track in 0..=clip.track_count() {
            black_box(clip.bone_of(track));
            for frame in 0..=clip.frame_count() {
                black_box(clip.transform(frame, track));
            }
        }
        black_box((clip.name(), clip.duration(), clip.parts(), clip.relative(), clip.space()));
        clip.sample(0.1, Wrap::Clamp, &mut []).unwrap_err();
    });
}

fn skin_mesh(what: &str, mesh: &Mesh<'_>, clip: &Clip<'_>) {
    for width in [1, 2, 4, 8] {
        let (skin, binding) = (Skin::new(mesh, width).unwrap(), Binding::new(mesh, clip));
        let mut pose = vec![Transform::IDENTITY; mesh.bone_count()];
        let (mut places, mut matrices) = (vec![IDENTITY; skin.bone_count()], vec![IDENTITY; skin.matrix_count()]);
        let mut positions = vec![[0.0; 3]; mesh.point_count()];
        let mut moved = positions.clone();
        let morphs = mesh.to_morphs();
        allocates_nothing(what, || {
            for wrap in WRAPS {
                binding.sample(clip, 0.123, wrap, &mut pose).unwrap();
                binding.sample_frame(clip, 1.5, wrap, &mut pose).unwrap();
            }
            skin.model_matrices(&pose, &mut places).unwrap();
            skin.matrices(&pose, &mut matrices).unwrap();
            skin.positions(mesh, &matrices, &mut positions).unwrap();
            skin.rest_positions(mesh, &mut moved).unwrap();
            for morph in &morphs {
                morph.add_to(0.5, &mut moved);
            }
            skin.positions_from(&moved, &matrices, &mut positions).unwrap();
            black_box(skin.normals(mesh, &matrices, &mut positions).unwrap());
            black_box((binding.is_additive(clip), binding.track_of(0), binding.sources_of(1)));
        });
    }
    allocates_nothing(what, || {
        black_box((mesh.winding(), mesh.uv_origin(), mesh.in_space(Space::GLTF), mesh.bone_count()));
        for point in 0..=mesh.point_count() {
            black_box((mesh.position(point), mesh.normal(point)));
        }
        for vertex in 0..=mesh.vertex_count() {
            black_box(mesh.point_of(vertex));
        }
        for triangle in 0..=mesh.triangle_count() {
            black_box((mesh.triangle(triangle), mesh.material(triangle)));
        }
        for set in 0..=mesh.uv_set_count() {
            black_box(mesh.uvs(set).map(|uvs| uvs.len()));
        }
        let skeleton = mesh.skeleton();
        for bone in 0..=mesh.bone_count() {
            black_box((skeleton.bind(bone), skeleton.parent(bone), skeleton.name(bone)));
        }
        black_box(mesh.colors());
    });
}

fn swat3(minor: u8) -> Vec<u8> {
    let mut rng = Rng::new(3);
    let frame = |at: usize, rotations| {
        let frame = test_support::swat3::build::Frame::new(rotations);
        if minor == 2 && at == 1 { frame.event("sound=step") } else { frame }
    };
    let frames = (0..4).map(|at| frame(at, rng.rotations(3))).collect();
    Gsa::new(minor, Layout::Plain.skeleton(&biped(3)), &[], frames).build().bytes
}

#[test]
fn sampling_posing_and_skinning_allocate_nothing_in_any_family_and_space() {
    let pairs = [
        (figure(|_| {}), walk()),
        (changed_pmd(4, |_| {}), pyrogenesis::Psa::walk(4, 5).build().bytes),
        (changed_pmd(2, |_| {}), pyrogenesis::Psa::walk(4, 5).build().bytes),
    ];
    for (mesh, animation) in &pairs {
        let (mesh, animation) = (Asset::parse(mesh).unwrap(), Asset::parse(animation).unwrap());
        let clip = animation.clips().next().unwrap();
        for space in [mesh.mesh().unwrap().space(), Space::GLTF, Space::UNREAL] {
            read_clip("a clip", &clip.in_space(space));
            skin_mesh("a mesh", &mesh.mesh().unwrap().in_space(space), &clip);
        }
    }
}

#[test]
fn rotations_of_swat3_are_sampled_without_allocation_with_and_without_an_index() {
    for minor in [1, 2] {
        let bytes = swat3(minor);
        read_clip("walked", &Asset::parse(&bytes).unwrap().clips().next().unwrap());
        let owned = AssetBuf::parse(bytes).unwrap();
        read_clip("indexed", &owned.view().clips().next().unwrap());
    }
}

#[test]
fn the_clips_of_a_file_are_counted_without_allocation() {
    for bytes in [walk(), pyrogenesis::Psa::walk(4, 5).build().bytes, swat3(1)] {
        allocates_nothing("clips", || {
            let asset = Asset::parse(&bytes).unwrap();
            assert_eq!(black_box(asset.clips().count()), 1);
            black_box(asset.mesh().is_some());
        });
    }
}
