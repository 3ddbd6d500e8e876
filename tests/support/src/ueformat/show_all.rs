//! Every field of a model, an animation or a list of poses as text, whatever the bytes behind a view have become.

use skelmap::Asset;
use skelmap::model::{Binding, Transform, Wrap};
use skelmap::ueformat::{Animation, Level, Model, Pose};

use crate::show::{Out, places, show};

/// More bones than this are not bound and posed: without keys, a file of any size has thousands of tracks.
const MAX_BONES: usize = 512;

pub(super) fn show_all(asset: &Asset<'_>, out: Out<'_>) {
    match asset {
        Asset::UeformatModel(model) => show_model(out, model),
        Asset::UeformatAnimation(animation) => show_animation(out, animation),
        Asset::UeformatPose(pose) => show_pose(out, pose),
        _ => {}
    }
    show_clips(out, asset);
}

fn show_model(out: Out<'_>, model: &Model<'_>) {
    show(out, (model.version(), model.name(), model.path(), model.skeleton_path()));
    show(out, (model.level_count(), model.bone_count(), model.has_bone_scales()));
    show(out, model.bones().collect::<Vec<_>>());
    show(out, (model.sockets().collect::<Vec<_>>(), model.virtual_bones().collect::<Vec<_>>()));
    show(out, model.hulls().collect::<Vec<_>>());
    model.levels().take(40).for_each(|level| show_level(out, &level));
    let (mesh, skeleton) = (model.mesh(), model.skeleton());
    places(model.bone_count())
        .for_each(|bone| show(out, (skeleton.name(bone), skeleton.parent(bone), skeleton.bind(bone))));
    show(out, (mesh.level_name(), mesh.to_morphs().len(), mesh.to_attachments().len(), mesh.bounds()));
    places(mesh.triangle_count()).for_each(|face| show(out, mesh.triangle(face)));
    places(mesh.vertex_count()).for_each(|vertex| show(out, (mesh.position(vertex), mesh.normal(vertex))));
    for level in mesh.levels().take(40) {
        show(
            out,
            (level.level_name(), level.point_count(), level.triangle_count(), level.uv_set_count(), level.colors()),
        );
        show(out, (level.uvs(0), level.material(0), level.to_weighted_bones().len()));
    }
}

fn show_level(out: Out<'_>, level: &Level<'_>) {
    show(out, (level.name(), level.positions(), level.tangents(), level.indices(), level.influences()));
    show(out, (level.normals().iter().collect::<Vec<_>>(), level.binormal_signs().iter().collect::<Vec<_>>()));
    show(out, (level.uv_sets().collect::<Vec<_>>(), level.color_sets().collect::<Vec<_>>()));
    show(out, (level.materials().collect::<Vec<_>>(), level.morphs().collect::<Vec<_>>()));
}

fn show_animation(out: Out<'_>, animation: &Animation<'_>) {
    show(out, (animation.version(), animation.name(), animation.path(), animation.base_path()));
    show(out, (animation.declared_frame_count(), animation.frame_count(), animation.stored_rate(), animation.rate()));
    show(out, (animation.additive_type(), animation.base_type(), animation.base_frame(), animation.track_count()));
    show(out, (animation.tracks().collect::<Vec<_>>(), animation.curves().collect::<Vec<_>>()));
    let skeleton = animation.skeleton();
    places(animation.track_count()).for_each(|track| show(out, skeleton.name(track)));
}

fn show_pose(out: Out<'_>, pose: &Pose<'_>) {
    show(out, (pose.version(), pose.name(), pose.path(), pose.pose_count(), pose.skeleton().bone_count()));
    for own in pose.poses() {
        show(out, (own.name(), own.bones().collect::<Vec<_>>(), own.influences()));
    }
    show(out, pose.curves().collect::<Vec<_>>());
}

/// The clips at several times, by themselves and as poses of their own bones.
fn show_clips(out: Out<'_>, asset: &Asset<'_>) {
    for clip in asset.clips().take(40).filter(|clip| clip.track_count() <= MAX_BONES) {
        let binding = Binding::of_clip(&clip);
        let (mut tracks, mut bones) = (vec![Transform::IDENTITY; clip.track_count()], binding.to_rest());
        for time in [0.0, 0.1, 1e9, -1.0, f64::NAN] {
            for wrap in [Wrap::Clamp, Wrap::Loop] {
                show(out, (clip.sample(time, wrap, &mut tracks), clip.sample_frame(time, wrap, &mut tracks)));
                show(out, binding.sample_frame(&clip, time, wrap, &mut bones));
            }
        }
        places(clip.frame_count()).for_each(|frame| show(out, clip.transform(frame, 0)));
        show(out, (clip.parts(), clip.duration(), clip.is_inflated(0), clip.missing().count()));
    }
}
