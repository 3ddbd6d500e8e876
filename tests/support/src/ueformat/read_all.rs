//! Everything that a model, an animation or a list of poses can be asked; each step is to be linear in the file.

use std::hint::black_box;

use skelmap::Asset;
use skelmap::ueformat::{Animation, AnimationBuf, Model, ModelBuf, Pose, PoseBuf};

pub(super) fn read_all(asset: &Asset<'_>) {
    match asset {
        Asset::UeformatModel(model) => read_model(model),
        Asset::UeformatAnimation(animation) => read_animation(animation),
        Asset::UeformatPose(pose) => read_pose(pose),
        _ => {}
    }
}

fn read_model(model: &Model<'_>) {
    black_box((model.name(), model.path(), model.skeleton_path(), model.version(), model.quirks().count()));
    for level in model.levels() {
        black_box((level.name(), level.positions(), level.tangents(), level.indices(), level.influences()));
        black_box((level.normals().iter().count(), level.binormal_signs().iter().count()));
        black_box(level.uv_sets().map(|set| set.uvs.len()).sum::<usize>());
        black_box(level.color_sets().map(|set| set.colors.len()).sum::<usize>());
        black_box((level.materials().count(), level.morphs().map(|morph| morph.deltas.len()).sum::<usize>()));
    }
    black_box((model.bones().count(), model.sockets().count(), model.virtual_bones().count(), model.hulls().count()));
    black_box(ModelBuf::parse(model.bytes())).ok();
}

fn read_animation(animation: &Animation<'_>) {
    black_box((animation.name(), animation.path(), animation.base_path(), animation.quirks().count()));
    let keys = animation.tracks().map(|track| track.positions.len() + track.rotations.len() + track.scales.len());
    black_box((keys.sum::<usize>(), animation.curves().map(|curve| curve.keys.len()).sum::<usize>()));
    black_box(AnimationBuf::parse(animation.bytes())).ok();
}

fn read_pose(pose: &Pose<'_>) {
    black_box((pose.name(), pose.path(), pose.quirks().count(), pose.curves().count()));
    black_box(pose.poses().map(|own| own.bones().count() + own.influences().len()).sum::<usize>());
    black_box(PoseBuf::parse(pose.bytes())).ok();
}
