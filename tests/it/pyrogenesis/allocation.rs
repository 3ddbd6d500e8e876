//! Parsing, reading, posing and skinning allocate nothing.

use std::hint::black_box;

use allocation_counter::measure;
use skelmap::pyrogenesis::{Options, Pmd, Psa, Strictness};

use test_support::pyrogenesis::corpus::cases;

fn allocates_nothing(what: &str, run: impl FnOnce()) {
    let info = measure(run);
    assert_eq!((info.count_total, info.bytes_total), (0, 0), "{what}");
}

#[test]
fn parsing_and_reading_allocate_nothing() {
    for case in cases() {
        for strictness in [Strictness::Strict, Strictness::Engine] {
            allocates_nothing(case.file, || {
                if let Ok(animation) = Psa::parse_with(&case.bytes, &Options::new(strictness)) {
                    black_box((animation.states(), animation.name(), animation.quirks().count(), animation.sections()));
                    for frame in 0..animation.frame_count().min(100) {
                        black_box(animation.frame(frame).map(<[_]>::len)).ok();
                    }
                    for bone in 0..animation.bone_count().min(100) {
                        black_box(animation.track(bone).map(Iterator::count)).ok();
                    }
                }
                if let Ok(mesh) = Pmd::parse_with(&case.bytes, &Options::new(strictness)) {
                    black_box((mesh.faces(), mesh.bones(), mesh.quirks().count(), mesh.sections()));
                    black_box(mesh.vertices().iter().map(|vertex| vertex.blend().influences().count()).sum::<usize>());
                    black_box((mesh.engine_props().count(), mesh.prop("root").is_some()));
                }
            });
        }
    }
}

#[test]
fn posing_and_skinning_allocate_nothing() {
    use skelmap::pyrogenesis::{IDENTITY, Playback, SkinnedVertex};

    let (mesh, animation) = (super::corpus("pmd/skinned.pmd"), super::corpus("psa/walk.psa"));
    let (mesh, animation) = (Pmd::parse(&mesh).unwrap(), Psa::parse(&animation).unwrap());
    let mut bind = vec![IDENTITY; mesh.bones().len()];
    let mut pose = vec![IDENTITY; animation.bone_count()];
    let mut matrices = vec![IDENTITY; mesh.skin_matrix_count()];
    let mut rest = vec![SkinnedVertex::default(); mesh.vertices().len()];
    let mut vertices = rest.clone();
    allocates_nothing("posing and skinning", || {
        mesh.to_model_space(&mut bind, &mut rest).unwrap();
        mesh.inverse_bind_pose(&mut bind).unwrap();
        animation.pose(40.0, Playback::Loop, &mut pose).unwrap();
        mesh.skin_matrices(&pose, &bind, &mut matrices).unwrap();
        mesh.skin(&matrices, &mut vertices).unwrap();
        mesh.skin_rest(&rest, &matrices, &mut vertices).unwrap();
    });
}
