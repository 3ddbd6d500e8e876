//! Everything that a mesh or an animation can be asked; each step is to be linear in the file.

use std::hint::black_box;

use skelmap::Asset;
use skelmap::pyrogenesis::{self, IDENTITY, Playback, Pmd, SkinnedVertex};

pub(super) fn read_all(asset: &Asset<'_>) {
    match asset {
        Asset::PyrogenesisPmd(mesh) => read_pmd(mesh),
        Asset::PyrogenesisPsa(animation) => read_states(animation),
        _ => {}
    }
}

fn read_pmd(mesh: &Pmd<'_>) {
    black_box(mesh.vertices().iter().map(|vertex| vertex.uvs().len()).sum::<usize>());
    black_box((mesh.engine_props().count(), mesh.prop("no such point").is_none(), mesh.sections()));
    let bones = mesh.bones().len();
    let (mut bind, mut matrices) = (vec![IDENTITY; bones], vec![IDENTITY; mesh.skin_matrix_count()]);
    let mut vertices = vec![SkinnedVertex::default(); mesh.vertices().len()];
    black_box(mesh.to_model_space(&mut bind, &mut vertices)).ok();
    black_box(mesh.inverse_bind_pose(&mut bind)).ok();
    let pose = bind.clone();
    black_box(mesh.skin_matrices(&pose, &bind, &mut matrices)).ok();
    black_box(mesh.skin(&matrices, &mut vertices)).ok();
    black_box(skelmap::pyrogenesis::PmdBuf::parse(mesh.bytes())).ok();
}

fn read_states(animation: &pyrogenesis::Psa<'_>) {
    black_box((animation.name().chars().count(), animation.sections(), animation.play_time(1e30, Playback::Loop)));
    black_box(animation.track(0).map(Iterator::count)).ok();
    // As many matrices as there are states: a file without frames may state any number of bones.
    let mut poses = vec![IDENTITY; animation.states().len()];
    black_box(animation.frame_poses(&mut poses)).ok();
    let bones = animation.frame(0).map_or(0, <[_]>::len);
    poses.resize(bones, IDENTITY);
    for time in [0.0, 40.0, 1e9] {
        black_box(animation.pose(time, Playback::Loop, &mut poses)).ok();
    }
    black_box(skelmap::pyrogenesis::PsaBuf::parse(animation.bytes())).ok();
}
