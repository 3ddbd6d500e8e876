//! Every field of a mesh or an animation as text, whatever the bytes behind a view have become.

use skelmap::Asset;
use skelmap::pyrogenesis::{IDENTITY, Playback, Pmd, Psa, SkinnedVertex};

use crate::show::{Out, places, show};

pub(super) fn show_all(asset: &Asset<'_>, out: Out<'_>) {
    match asset {
        Asset::PyrogenesisPmd(mesh) => show_pmd(out, mesh),
        Asset::PyrogenesisPsa(animation) => show_states(out, animation),
        _ => {}
    }
}

fn show_pmd(out: Out<'_>, mesh: &Pmd<'_>) {
    show(out, (mesh.version(), mesh.uv_set_count(), mesh.faces(), mesh.bones(), mesh.sections()));
    show(out, mesh.vertices_with::<1>().map(<[_]>::len));
    for vertex in mesh.vertices().iter().collect::<Vec<_>>() {
        show(out, (vertex.position(), vertex.normal(), vertex.uvs(), vertex.blend()));
    }
    show(out, mesh.vertices().iter().rev().count());
    places(mesh.vertices().len()).for_each(|vertex| show(out, mesh.vertices().get(vertex)));
    show(out, (mesh.props().collect::<Vec<_>>(), mesh.engine_props().collect::<Vec<_>>(), mesh.prop("root")));
    let bones = mesh.bones().len();
    let (pose, mut inverse) = (vec![IDENTITY; bones], vec![IDENTITY; bones]);
    let mut matrices = vec![IDENTITY; mesh.skin_matrix_count()];
    let mut rest = vec![SkinnedVertex::default(); mesh.vertices().len()];
    let mut moved = rest.clone();
    show(out, mesh.inverse_bind_pose(&mut inverse));
    show(out, mesh.skin_matrices(&pose, &inverse, &mut matrices));
    show(out, mesh.skin(&matrices, &mut moved));
    show(out, mesh.to_model_space(&mut inverse, &mut rest));
    show(out, mesh.skin_rest(&rest, &matrices, &mut moved));
}

fn show_states(out: Out<'_>, animation: &Psa<'_>) {
    show(out, (animation.name(), animation.frame_length_ms(), animation.duration(), animation.states()));
    show(out, (animation.sections(), animation.check_playable()));
    places(animation.frame_count()).for_each(|frame| show(out, animation.frame(frame)));
    places(animation.bone_count()).for_each(|bone| show(out, animation.track(bone).map(Iterator::collect::<Vec<_>>)));
    // Without frames there may be any number of bones, and no bytes for them.
    if animation.frame_count() == 0 {
        return;
    }
    let mut pose = vec![IDENTITY; animation.bone_count()];
    for time in [0.0, 1.0, 33.4, 250.0, 1e9, -1.0, f32::NAN] {
        for playback in [Playback::Loop, Playback::Once] {
            show(out, (animation.pose(time, playback, &mut pose), animation.play_time(time, playback)));
        }
    }
    let mut frames = vec![IDENTITY; animation.bone_count() * animation.frame_count()];
    show(out, animation.frame_poses(&mut frames));
}
