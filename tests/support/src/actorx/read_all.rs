//! Everything that a mesh or an animation can be asked; each step is to be linear in the file.

use std::hint::black_box;

use skelmap::Asset;
use skelmap::actorx::{AnimKey, Psa, Psk};

pub(super) fn read_all(asset: &Asset<'_>) {
    match asset {
        Asset::ActorxPsk(mesh) => read_mesh(mesh),
        Asset::ActorxPsa(animation) => read_animation(animation),
        _ => {}
    }
}

fn read_mesh(mesh: &Psk<'_>) {
    black_box(mesh.chunks().count());
    black_box(mesh.wedges().iter().filter_map(|wedge| mesh.point_of(wedge)).count());
    black_box(mesh.faces().iter().map(|face| face.wedges[0]).max());
    black_box(mesh.morphs().map(|morph| morph.deltas.len()).sum::<usize>());
    black_box(mesh.extra_uv_sets().map(<[_]>::len).sum::<usize>());
    read_skeleton(mesh.skeleton());
    black_box(skelmap::actorx::PskBuf::parse(mesh.bytes())).ok();
}

fn read_skeleton(skeleton: skelmap::model::Skeleton<'_>) {
    let order = skeleton.to_order();
    assert_eq!(order.parents_first.len(), skeleton.bone_count());
    let last = skeleton.bone_count().saturating_sub(1);
    black_box((skeleton.roots().count(), skeleton.children(0).count(), skeleton.find("no such bone")));
    black_box((skeleton.ancestors(0).count(), skeleton.ancestors(last).count()));
}

fn read_animation(animation: &Psa<'_>) {
    let mut last = None;
    for sequence in animation.sequences() {
        black_box((sequence.name().chars().count(), sequence.duration(), sequence.keys().len()));
        black_box((sequence.frame(0).map(<[_]>::len).ok(), sequence.track(0).map(|track| track.len()).ok()));
        last = Some(sequence);
    }
    if let Some(last) = last {
        black_box(last.keys().iter().map(AnimKey::time).sum::<f32>());
        black_box(animation.curves_of(&last).map(|curves| curves.curves().count()));
        black_box(animation.key(last.index(), 0, 0));
    }
    black_box((animation.sequence("no such sequence").is_none(), animation.curves().count()));
    read_skeleton(animation.skeleton());
    black_box(skelmap::actorx::PsaBuf::parse(animation.bytes())).ok();
}
