//! Every field of a mesh or an animation as text, whatever the bytes behind a view have become.

use skelmap::Asset;
use skelmap::actorx::{Psa, Psk};
use skelmap::model::Skeleton;

use crate::show::{Out, places, show};

pub(super) fn show_all(asset: &Asset<'_>, out: Out<'_>) {
    match asset {
        Asset::ActorxPsk(mesh) => show_mesh(out, mesh),
        Asset::ActorxPsa(animation) => show_animation(out, animation),
        _ => {}
    }
}

fn show_skeleton(out: Out<'_>, skeleton: &Skeleton<'_>) {
    show(out, skeleton.to_order());
    show(out, skeleton.roots().collect::<Vec<_>>());
    show(out, (skeleton.find("b"), skeleton.find("")));
    for bone in places(skeleton.bone_count()) {
        show(out, (skeleton.parent(bone), skeleton.children(bone).collect::<Vec<_>>()));
        show(out, skeleton.ancestors(bone).collect::<Vec<_>>());
    }
}

fn show_mesh(out: Out<'_>, mesh: &Psk<'_>) {
    show(out, mesh.chunks().collect::<Vec<_>>());
    show(out, (mesh.points(), mesh.wedges(), mesh.materials(), mesh.bones(), mesh.influences()));
    show(out, (mesh.colors(), mesh.normals(), mesh.tangents(), mesh.sockets(), mesh.uv_set_count()));
    show(out, (mesh.morph_infos(), mesh.morph_deltas(), mesh.morphs().collect::<Vec<_>>()));
    show(out, mesh.extra_uv_sets().collect::<Vec<_>>());
    show(out, mesh.wedges().iter().map(|wedge| (mesh.point_index(wedge), mesh.point_of(wedge))).collect::<Vec<_>>());
    show(out, (mesh.faces().iter().collect::<Vec<_>>(), mesh.faces().iter().rev().collect::<Vec<_>>()));
    places(mesh.faces().len()).for_each(|face| show(out, mesh.faces().get(face)));
    show_skeleton(out, &mesh.skeleton());
}

fn show_animation(out: Out<'_>, animation: &Psa<'_>) {
    show(out, animation.chunks().collect::<Vec<_>>());
    show(out, (animation.bones(), animation.infos(), animation.keys(), animation.scale_keys()));
    show_skeleton(out, &animation.skeleton());
    show(out, animation.curves().map(|chunk| (chunk, chunk.curves().collect::<Vec<_>>())).collect::<Vec<_>>());
    show(out, animation.sequence("Walk"));
    places(animation.infos().len()).for_each(|index| show(out, animation.sequence_at(index)));
    for sequence in animation.sequences().collect::<Vec<_>>() {
        show(out, (sequence.name(), sequence.first_frame(), sequence.duration(), sequence.rate(), sequence.info()));
        show(out, (sequence.keys().len(), sequence.scale_keys().len(), sequence.declared_frame_count()));
        show(out, animation.curves_of(&sequence));
        for frame in places(sequence.frame_count()) {
            show(out, sequence.frame(frame));
            show(
                out,
                (sequence.key(frame, 1), sequence.scale_key(frame, 1), animation.key(sequence.index(), frame, 0)),
            );
        }
        for bone in places(sequence.bone_count()) {
            show(out, sequence.track(bone).map(|track| (track.get(1), track.rev().count())));
            show(out, sequence.track(bone).map(Iterator::collect::<Vec<_>>));
            show(out, sequence.scale_track(bone).map(Iterator::collect::<Vec<_>>));
        }
    }
}
