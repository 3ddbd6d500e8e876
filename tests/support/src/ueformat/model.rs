//! What UEFormat files hold, in the terms of the naive evaluation.

use skelmap::model::{Relative, Space};

use super::agree::has_too_many;
use super::asset::{self, Animation, Content, Pose, Track};
use super::build::{self, Style};
use super::codes::{key, text};
use super::naive;
use crate::model::any_bytes::MAX_BONES;
use crate::model::compare::{HUNDREDTH, Target, X, Y, Z, not};
use crate::model::naive::math::{Trs, V3, wide};
use crate::model::naive::{Bone, Mesh, Motion, Rules, cut_cycles};

/// Version 8 and later: the space of Unreal.
static UNREAL: Rules = Rules {
    relative: Relative::Parent,
    has_names: true,
    has_side_car: false,
    model_is_bone: false,
    up: 2,
    targets: of_unreal,
    is_mirrored: Some(false),
};

/// Before version 8: y negated, which is the space of `ActorX`.
static MIRRORED: Rules = Rules {
    relative: Relative::Parent,
    has_names: true,
    has_side_car: false,
    model_is_bone: false,
    up: 2,
    targets: crate::actorx::targets,
    is_mirrored: Some(true),
};

fn of_unreal() -> Vec<Target> {
    vec![
        Target::new("file", None, None, 1.0, [X, Y, Z]),
        Target::new("gltf, centimetres", Some(Space::GLTF), Some(0.01), HUNDREDTH, [X, Z, Y]),
        Target::new("actorx, unit unknown", Some(Space::ACTORX), None, 1.0, [X, not(Y), Z]),
        Target::new(
            "pyrogenesis, inches",
            Some(Space::PYROGENESIS),
            Some(0.0254),
            f64::from(0.0254_f32),
            [X, Z, not(Y)],
        ),
    ]
}

fn rules(version: u8) -> &'static Rules {
    if version < asset::FIRST_UNMIRRORED { &MIRRORED } else { &UNREAL }
}

/// The content of a file that is not compressed, with its version and its name: a view is of such a file only.
fn read(bytes: &[u8]) -> Option<(Content, u8, Vec<u8>)> {
    let file = naive::read(bytes).ok().filter(|file| file.header.compression.is_none())?;
    if has_too_many(&file.content) {
        return None;
    }
    Some((file.content, file.header.version, file.header.name))
}

/// The mesh of a file; `None` for a file that is no mesh, or not readable.
pub(super) fn mesh(bytes: &[u8]) -> Option<Mesh> {
    match read(bytes)? {
        (Content::Model(model), version, _) => Some(of_model(&model, version)),
        _ => None,
    }
}

/// The clips of a file; `None` for a file that is no animation, or not readable.
pub(super) fn motions(bytes: &[u8]) -> Option<Vec<Motion>> {
    match read(bytes)? {
        (Content::Animation(own), version, name) => Some(vec![of_animation(&own, version, &name)]),
        (Content::Pose(own), version, _) => Some(of_poses(&own, version)),
        (Content::Model(_), ..) => None,
    }
}

fn of_model(model: &asset::Model, version: u8) -> Mesh {
    let lod = model.lods.first().cloned().unwrap_or_default();
    let skeleton = model.skeleton.clone().unwrap_or_default();
    let count = skeleton.bones.len();
    let stored = |bone: usize| usize::try_from(skeleton.bones[bone].parent);
    let parents: Vec<_> =
        (0..count).map(|bone| stored(bone).ok().filter(|parent| *parent < count && *parent != bone)).collect();
    let (forest, cut) = cut_cycles(&parents);
    let bones = skeleton.bones.iter().enumerate().map(|(index, bone)| Bone {
        name: key(&bone.name),
        stored_parent: parents[index],
        parent: forest[index],
        bind: Trs { t: wide(bone.position), q: wide(bone.rotation), s: wide(bone.scale) },
    });
    let bones: Vec<Bone> = bones.collect();
    let normals: Vec<[f32; 3]> = lod.normals.iter().map(|[_, x, y, z]| [*x, *y, *z]).collect();
    let normals = (!normals.is_empty() && normals.len() == lod.vertices.len()).then_some(normals);
    let rest = lod
        .vertices
        .iter()
        .enumerate()
        .map(|(at, point)| (wide(*point), normals.as_ref().map_or([0.0; 3], |normals| wide(normals[at]))));
    let triangles = lod.indices.chunks_exact(3).zip(0_i64..).map(|(face, at)| {
        let index = 3 * at;
        let has = |own: &asset::Material| {
            let first = i64::from(own.first_index);
            index >= first && index < first + 3 * i64::from(own.face_count)
        };
        ([face[0], face[1], face[2]], lod.materials.iter().position(has).unwrap_or(0) as u32)
    });
    let attachments = skeleton.sockets.iter().map(|socket| {
        let [x, y, z] = wide(socket.scale);
        // A fault of the writer (reference, section 4).
        let scale = if version < asset::FIRST_UNMIRRORED { [x, -y, z] } else { [x, y, z] };
        let place = Trs { t: wide(socket.position), q: wide(socket.rotation), s: scale };
        let bone = bones.iter().position(|bone| bone.name == key(&socket.bone));
        (text(&socket.name).to_vec(), bone, place.matrix())
    });
    let morphs = lod.morphs.iter().map(|morph| {
        let deltas = morph.deltas.iter().map(|own| (own.vertex as i32, wide(own.position), wide(own.normal)));
        (text(&morph.name).to_vec(), deltas.collect())
    });
    // A bone that does not exist is none, and not the model.
    let bone_of = |bone: u16| if usize::from(bone) < count { i64::from(bone) } else { -1 };
    Mesh {
        rules: rules(version),
        cut,
        orphans: (1..count).filter(|bone| stored(*bone).is_ok_and(|parent| parent >= count)).collect(),
        points: lod.vertices.clone(),
        rest: Some(rest.collect()),
        rest_size: 0.0,
        influences: lod.weights.iter().map(|own| (own.vertex.into(), bone_of(own.bone), own.weight)).collect(),
        vertices: (0..lod.vertices.len() as u64).collect(),
        uvs: Some(lod.uvs.iter().map(|set| set.uvs.len()).collect()),
        triangles: triangles.collect(),
        morphs: morphs.collect(),
        attachments: attachments.collect(),
        normals,
        bones,
    }
}

/// The value in a frame: the last key in or before it, else the first key. NaN where keys do not ascend: any of them may be found.
fn held<const N: usize>(keys: &[(i32, [f32; N])], frame: i32, rest: [f64; N]) -> [f64; N] {
    if !keys.is_sorted_by_key(|(frame, _)| *frame) {
        return [f64::NAN; N];
    }
    let before = keys.iter().rev().find(|(own, _)| *own <= frame);
    before.or(keys.first()).map_or(rest, |(_, value)| wide(*value))
}

fn of_animation(animation: &Animation, version: u8, name: &[u8]) -> Motion {
    let metadata = animation.metadata.clone().unwrap_or_default();
    let rest = Trs::IDENTITY;
    let row = |frame: i32| {
        let value = |track: &Track| Trs {
            t: held(&track.positions, frame, rest.t),
            q: held(&track.rotations, frame, rest.q),
            s: held(&track.scales, frame, rest.s),
        };
        animation.tracks.iter().map(value).collect::<Vec<Trs>>()
    };
    let is_computed = {
        let all = animation.tracks.iter();
        all.clone().any(|track| !track.rotations.is_sorted_by_key(|(frame, _)| *frame))
            || all
                .flat_map(|track| [&track.positions, &track.scales])
                .any(|keys| !keys.is_sorted_by_key(|(frame, _)| *frame))
    };
    let rate = f64::from(metadata.rate);
    let frames = 0..metadata.frame_count.clamp(0, 1 << 20);
    // The comparison skips clips of more values.
    let frames = if animation.tracks.len() * frames.len() > crate::model::agree::MAX_VALUES { 0..0 } else { frames };
    Motion {
        rules: rules(version),
        name: Some(text(name).to_vec()).filter(|name| !name.is_empty()),
        names: Some(animation.tracks.iter().map(|track| key(&track.name)).collect()),
        bones: (0..animation.tracks.len()).collect(),
        frames: frames.map(row).collect(),
        rate: (rate.is_finite() && rate > 0.0).then_some(rate),
        has_scale: animation.tracks.iter().any(|track| !track.scales.is_empty()),
        unscaled: animation.tracks.iter().map(|track| track.scales.is_empty()).collect(),
        missing: Some(
            animation.tracks.iter().map(|track| (track.positions.is_empty(), track.rotations.is_empty())).collect(),
        ),
        is_computed,
    }
}

fn of_poses(poses: &Pose, version: u8) -> Vec<Motion> {
    let motion = |pose: &asset::NamedPose| {
        let key_of = |key: &asset::PoseKey| Trs { t: wide(key.position), q: wide(key.rotation), ..Trs::IDENTITY };
        Motion {
            rules: rules(version),
            name: Some(text(&pose.name).to_vec()).filter(|name| !name.is_empty()),
            names: Some(pose.keys.iter().map(|own| key(&own.bone)).collect()),
            bones: (0..pose.keys.len()).collect(),
            frames: vec![pose.keys.iter().map(key_of).collect()],
            rate: None,
            has_scale: false,
            unscaled: Vec::new(),
            missing: None,
            is_computed: false,
        }
    };
    poses.poses.iter().map(motion).collect()
}

/// Some offset of a bone that no other has.
fn shifted([x, y, z]: [f32; 3], by: f32) -> [f32; 3] {
    [x + by, y - by, z]
}

/// An animation with the bones of a mesh: each sways, with keys in some frames.
pub(super) fn partner_of_mesh(mesh: &[u8]) -> Option<Vec<u8>> {
    let (Content::Model(model), version, _) = read(mesh)? else { return None };
    let skeleton = model.skeleton.unwrap_or_default();
    let turned: [f32; 4] = [0.6, 0.0, 0.0, 0.8];
    let track = |(at, bone): (usize, &asset::Bone)| Track {
        name: bone.name.clone(),
        positions: vec![(0, bone.position), (2, shifted(bone.position, at as f32))],
        rotations: if at % 5 == 3 { Vec::new() } else { vec![(0, bone.rotation), (1, turned)] },
        scales: if at % 3 == 0 { vec![(1, [1.0, 1.5, 0.75])] } else { Vec::new() },
    };
    let metadata = Some(asset::Metadata { frame_count: 4, rate: 10.0, ..Default::default() });
    let tracks = skeleton.bones.iter().enumerate().map(track).collect();
    let animation = Animation { metadata, tracks, curves: Vec::new() };
    (skeleton.bones.len() <= MAX_BONES).then(|| build::animation(version, &animation, Style::LIBRARY).build().into())
}

/// A mesh with the bones of an animation: a chain, and a point at each.
pub(super) fn partner_of_animation(animation: &[u8]) -> Option<Vec<u8>> {
    let (content, version, _) = read(animation)?;
    let names: Vec<Vec<u8>> = match content {
        Content::Animation(own) => own.tracks.into_iter().map(|track| track.name).collect(),
        Content::Pose(own) => own.poses.into_iter().next()?.keys.into_iter().map(|key| key.bone).collect(),
        Content::Model(_) => return None,
    };
    if names.len() > MAX_BONES {
        return None;
    }
    let bone = |(at, name): (usize, &Vec<u8>)| {
        asset::Bone::new(name, at as i32 - 1, shifted([1.0, 2.0, 3.0], at as f32), [0.0, 0.6, 0.0, 0.8])
    };
    let vertices: Vec<[f32; 3]> = (0..names.len().max(3)).map(|at| shifted([0.5, 0.25, 1.0], at as f32)).collect();
    let weight = |at: usize| asset::Weight { bone: at as u16, vertex: at as i32, weight: 1.0 };
    let lod = asset::Lod {
        name: b"LOD0".to_vec(),
        normals: vertices.iter().map(|_| [1.0, 0.0, 0.6, 0.8]).collect(),
        indices: vec![0, 1, 2],
        weights: (0..names.len()).map(weight).collect(),
        vertices,
        ..Default::default()
    };
    let skeleton = asset::Skeleton { bones: names.iter().enumerate().map(bone).collect(), ..Default::default() };
    let model = asset::Model { lods: vec![lod], skeleton: Some(skeleton), hulls: Vec::new() };
    Some(build::model(version, &model, Style::LIBRARY).build().into())
}

/// The motion in the space that is its mirror image: y negated, and rotations as x, -y, z, -w.
pub(crate) fn mirrored(motion: &Motion, rules: &'static Rules) -> Motion {
    let vector = |[x, y, z]: V3| [x, -y, z];
    let own = |key: &Trs| {
        let [x, y, z, w] = key.q;
        Trs { t: vector(key.t), q: [x, -y, z, -w], s: key.s }
    };
    let frames = motion.frames.iter().map(|row| row.iter().map(own).collect()).collect();
    Motion { rules, frames, ..motion.clone() }
}
