//! What `ActorX` files hold, in the terms of the naive evaluation.

use skelmap::model::{Relative, Space};

use super::build;
use super::naive::{self as actorx, File, Psa, Psk, Sequence, Socket};
use crate::model::any_bytes::MAX_BONES;
use crate::model::compare::{HUNDREDTH, Target, X, Y, Z, not};
use crate::model::naive::math::{IDENTITY, M4, Trs, multiply, wide};
use crate::model::naive::{Bone, Delta, Mesh, Motion, Rules, cut_cycles};

pub(super) static RULES: Rules = Rules {
    relative: Relative::Parent,
    has_names: true,
    has_side_car: true,
    model_is_bone: false,
    up: 2,
    targets,
    is_mirrored: Some(true),
};

pub(crate) fn targets() -> Vec<Target> {
    vec![
        Target::new("file", None, None, 1.0, [X, Y, Z]),
        Target::new("gltf, centimetres", Some(Space::GLTF), Some(0.01), HUNDREDTH, [X, Z, not(Y)]),
        Target::new("unreal, unit unknown", Some(Space::UNREAL), None, 1.0, [X, not(Y), Z]),
        Target::new("pyrogenesis, inches", Some(Space::PYROGENESIS), Some(0.0254), f64::from(0.0254_f32), [X, Z, Y]),
    ]
}

/// The mesh of a file; `None` for a file that is no mesh, or not readable.
pub(super) fn mesh(bytes: &[u8]) -> Option<Mesh> {
    match actorx::read(bytes) {
        Ok(File::Psk(file)) => Some(of_psk(&file)),
        _ => None,
    }
}

/// The clips of a file; `None` for a file that is no animation, or not readable.
pub(super) fn motions(bytes: &[u8]) -> Option<Vec<Motion>> {
    match actorx::read(bytes) {
        Ok(File::Psa(file)) => Some(file.sequences.iter().map(|sequence| of_sequence(&file, sequence)).collect()),
        _ => None,
    }
}

fn name_key(raw: &[u8]) -> Vec<u8> {
    actorx::key(raw).to_ascii_lowercase()
}

/// Of all bones but the first, the conjugate is stored.
fn of_bone(bone: usize, [x, y, z, w]: [f32; 4]) -> [f64; 4] {
    wide(if bone == 0 { [x, y, z, w] } else { [-x, -y, -z, w] })
}

fn of_psk(file: &Psk) -> Mesh {
    let count = file.bones.len();
    let stored = |bone: usize| usize::try_from(file.bones[bone].parent);
    let parents: Vec<_> =
        (0..count).map(|bone| stored(bone).ok().filter(|parent| *parent < count && *parent != bone)).collect();
    let (forest, cut) = cut_cycles(&parents);
    let bones = file.bones.iter().enumerate().map(|(index, bone)| Bone {
        name: name_key(&bone.name),
        stored_parent: parents[index],
        parent: forest[index],
        bind: Trs { t: wide(bone.position), q: of_bone(index, bone.rotation), ..Trs::IDENTITY },
    });
    let bones: Vec<Bone> = bones.collect();
    let normals = (!file.points.is_empty() && file.normals.len() == file.points.len()).then(|| file.normals.clone());
    let rest = (0..file.points.len())
        .map(|at| (wide(file.points[at]), normals.as_ref().map_or([0.0; 3], |normals| wide(normals[at]))));
    let attachments = file.sockets.iter().map(|socket| {
        let bone = bones.iter().position(|bone| bone.name == name_key(&socket.bone));
        (actorx::key(&socket.name).to_vec(), bone, socket_matrix(socket))
    });
    Mesh {
        rules: &RULES,
        cut,
        orphans: (1..count).filter(|bone| stored(*bone).is_ok_and(|parent| parent >= count)).collect(),
        points: file.points.clone(),
        rest: Some(rest.collect()),
        rest_size: 0.0,
        normals,
        influences: file.weights.iter().map(|own| (own.point.into(), own.bone.into(), own.weight)).collect(),
        vertices: file.wedges.iter().map(|wedge| wedge.point.into()).collect(),
        uvs: None,
        triangles: file.faces.iter().map(|face| (face.wedges, face.material.into())).collect(),
        morphs: morphs(file),
        attachments: attachments.collect(),
        bones,
    }
}

/// The y of morph targets has the other sign than the rest of the mesh.
fn morphs(file: &Psk) -> Vec<(Vec<u8>, Vec<Delta>)> {
    let mut next = 0;
    let own = |[x, y, z]: [f32; 3]| wide([x, -y, z]);
    let morphs = file.morphs.iter().map(|morph| {
        let end = file.deltas.len().min(next + usize::try_from(morph.count).unwrap_or(0));
        let deltas = file.deltas[next..end].iter().map(|delta| (delta.point, own(delta.position), own(delta.normal)));
        next = end;
        (actorx::key(&morph.name).to_vec(), deltas.collect())
    });
    morphs.collect()
}

/// Unreal's `FScaleRotationTranslationMatrix`: pitch, yaw and roll in degrees, the images of x, y and z as rows. Then y
/// changes its sign, in what goes in and what comes out. Turns that `f32` does not hold exactly enough are NaN: they are not
/// compared.
fn socket_matrix(socket: &Socket) -> M4 {
    if !socket.rotation.iter().all(|angle| angle.abs() <= 720.0) {
        return [[f64::NAN; 4]; 4];
    }
    let [(sp, cp), (sy, cy), (sr, cr)] = wide(socket.rotation).map(|angle| angle.to_radians().sin_cos());
    let images = [
        [cp * cy, cp * sy, sp],
        [sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, -sr * cp],
        [-(cr * sp * cy + sr * sy), cy * sr - cr * sp * sy, cr * cp],
    ];
    let (scale, place) = (wide(socket.scale), wide(socket.location));
    let mut out = IDENTITY;
    for row in 0..3 {
        for column in 0..3 {
            out[row][column] = images[column][row] * scale[column];
        }
        out[row][3] = place[row];
    }
    let mut mirror = IDENTITY;
    mirror[1][1] = -1.0;
    multiply(&mirror, &multiply(&out, &mirror))
}

fn of_sequence(file: &Psa, sequence: &Sequence) -> Motion {
    let bones = file.bones.len();
    let key = |frame: u64, bone: usize| {
        let at = (sequence.first_frame + frame) as usize * bones + bone;
        let scale =
            sequence.scale_first.and_then(|first| file.scale_keys.get(first as usize + frame as usize * bones + bone));
        Trs {
            t: wide(file.keys[at].position),
            q: of_bone(bone, file.keys[at].rotation),
            s: scale.map_or([1.0; 3], |key| wide(key.scale)),
        }
    };
    let frames = 0..if bones == 0 { 0 } else { file.held(sequence) };
    let rate = f64::from(sequence.rate);
    Motion {
        rules: &RULES,
        name: Some(actorx::key(&sequence.name).to_vec()),
        names: Some(file.bones.iter().map(|bone| name_key(&bone.name)).collect()),
        bones: (0..bones).collect(),
        frames: frames.map(|frame| (0..bones).map(|bone| key(frame, bone)).collect()).collect(),
        rate: (rate.is_finite() && rate > 0.0).then_some(rate),
        has_scale: sequence.scale_first.is_some(),
        unscaled: Vec::new(),
        missing: None,
        is_computed: false,
    }
}

/// The bones of a file as the builder has them.
fn built(bones: &[actorx::Bone]) -> Vec<build::Bone> {
    let built = |bone: &actorx::Bone| build::Bone {
        name: bone.name,
        ..build::Bone::new("", bone.parent, bone.position, bone.rotation)
    };
    bones.iter().map(built).collect()
}

/// An animation with the bones of a mesh.
pub(super) fn partner_of_mesh(mesh: &[u8]) -> Option<Vec<u8>> {
    let Ok(File::Psk(mesh)) = actorx::read(mesh) else { return None };
    let bones = built(&mesh.bones);
    (bones.len() <= MAX_BONES).then(|| build::Anim::sway(bones, &[("walk", 3, 10.0)]).chunks().into())
}

/// A mesh with the bones of an animation.
pub(super) fn partner_of_animation(animation: &[u8]) -> Option<Vec<u8>> {
    let Ok(File::Psa(animation)) = actorx::read(animation) else { return None };
    let bones = built(&animation.bones);
    let mesh = build::Mesh { bones, ..build::Mesh::sheet(3, 3, animation.bones.len().max(1) as u32) };
    (animation.bones.len() <= MAX_BONES).then(|| mesh.chunks().into())
}
