//! What the families' files hold, in the terms of the naive evaluation.

use skelmap::swat3::{Gsa, Quat};

use super::math::{IDENTITY, M4, Trs, apply, length, multiply, rotation, translation, wide};
use super::{Bone, Family, Mesh, Motion, cut_cycles};
use crate::support::actorx::naive as actorx;
use crate::support::pyrogenesis::naive as pyrogenesis;

const NONE: u8 = 0xFF;

/// The mesh of a file; `None` for a file that is no mesh, or not readable.
pub fn mesh(bytes: &[u8]) -> Option<Mesh> {
    if bytes.starts_with(b"PSMD") {
        return pyrogenesis::read_pmd(bytes, pyrogenesis::Mode::Strict).ok().map(|file| of_pmd(&file));
    }
    match actorx::read(bytes) {
        Ok(actorx::File::Psk(file)) => Some(of_psk(&file)),
        _ => None,
    }
}

/// The clips of a file; `None` for a file that is no animation, or not readable.
pub fn motions(bytes: &[u8]) -> Option<Vec<Motion>> {
    if bytes.starts_with(b"PSSA") {
        return pyrogenesis::read_psa(bytes, pyrogenesis::Mode::Strict).ok().map(|file| vec![of_states(&file)]);
    }
    if let Ok(file) = Gsa::parse(bytes) {
        return Some(vec![of_gsa(&file)]);
    }
    match actorx::read(bytes) {
        Ok(actorx::File::Psa(file)) => {
            Some(file.sequences.iter().map(|sequence| of_sequence(&file, sequence)).collect())
        }
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

fn of_psk(file: &actorx::Psk) -> Mesh {
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
        family: Family::ActorX,
        cut,
        orphans: (1..count).filter(|bone| stored(*bone).is_ok_and(|parent| parent >= count)).collect(),
        points: file.points.clone(),
        rest: Some(rest.collect()),
        rest_size: 0.0,
        normals,
        influences: file.weights.iter().map(|own| (own.point.into(), own.bone.into(), own.weight)).collect(),
        vertices: file.wedges.iter().map(|wedge| wedge.point.into()).collect(),
        triangles: file.faces.iter().map(|face| (face.wedges, face.material.into())).collect(),
        morphs: morphs(file),
        attachments: attachments.collect(),
        bones,
    }
}

/// The y of morph targets has the other sign than the rest of the mesh.
fn morphs(file: &actorx::Psk) -> Vec<(Vec<u8>, Vec<super::Delta>)> {
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
fn socket_matrix(socket: &actorx::Socket) -> M4 {
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

fn of_state(state: &pyrogenesis::State) -> Trs {
    Trs { t: wide(state.t), q: wide(state.q), ..Trs::IDENTITY }
}

fn of_pmd(file: &pyrogenesis::Pmd) -> Mesh {
    let bones = file.bind.iter().map(|state| Bone {
        name: Vec::new(),
        stored_parent: None,
        parent: None,
        bind: of_state(state),
    });
    let used = |vertex: &pyrogenesis::Vertex| {
        let used = vertex.bones.into_iter().zip(vertex.weights).take_while(|(bone, _)| *bone != NONE);
        used.collect::<Vec<_>>()
    };
    let influences = file.vertices.iter().enumerate().flat_map(|(point, vertex)| {
        let is_lone = vertex.bones[1] == NONE;
        let own = move |(bone, weight): (u8, f32)| (point as i64, bone.into(), if is_lone { 1.0 } else { weight });
        used(vertex).into_iter().map(own)
    });
    let root = (b"root".to_vec(), None, IDENTITY);
    let attachments = file.props.iter().map(|prop| {
        let bone = Some(usize::from(prop.bone)).filter(|bone| prop.bone != NONE && *bone < file.bind.len());
        let place = multiply(&translation(wide(prop.position)), &rotation(wide(prop.rotation)));
        (prop.name.clone(), bone, place)
    });
    let is_relative = file.version <= 2 && !file.bind.is_empty();
    let mut rest_size = 0.0_f64;
    let mut rest_of = |vertex: &pyrogenesis::Vertex| {
        let (own, normal) = (wide(vertex.position), wide(vertex.normal));
        if !is_relative {
            return Some((own, normal));
        }
        if vertex.bones[0] == NONE {
            return None;
        }
        let (mut position, mut turned) = ([0.0; 3], [0.0; 3]);
        for (bone, weight) in used(vertex) {
            let (state, weight) = (file.bind.get(usize::from(bone))?, f64::from(weight));
            let matrix = of_state(state).matrix();
            // A product with zero may still be too large on the way.
            let stretch = 1.0 + 4.0 * length(wide(state.q)).powi(2);
            let sizes = stretch * (1.0 + length(own) + length(normal)) + length(wide(state.t));
            let size = weight.abs().max(1.0) * sizes;
            rest_size = if size.is_nan() { f64::INFINITY } else { rest_size.max(size) };
            let (moved, with) = (apply(&matrix, own, 1.0), apply(&matrix, normal, 0.0));
            for axis in 0..3 {
                position[axis] += moved[axis] * weight;
                turned[axis] += with[axis] * weight;
            }
        }
        if vertex.bones[1] != NONE {
            // The engine computes this length in 32 bits: the square of one outside of this range is lost, and so is the
            // direction.
            let is_kept = (1e-18..1e18).contains(&length(turned));
            turned = turned.map(|x| if is_kept { x / length(turned) } else { f64::NAN });
        }
        Some((position, turned))
    };
    Mesh {
        family: Family::Pyrogenesis,
        bones: bones.collect(),
        cut: Vec::new(),
        orphans: Vec::new(),
        points: file.vertices.iter().map(|vertex| vertex.position).collect(),
        normals: Some(file.vertices.iter().map(|vertex| vertex.normal).collect()),
        rest: file.vertices.iter().map(&mut rest_of).collect(),
        rest_size,
        influences: influences.collect(),
        vertices: (0..file.vertices.len() as u64).collect(),
        triangles: file.faces.iter().map(|face| (face.map(Into::into), 0)).collect(),
        morphs: Vec::new(),
        attachments: attachments.chain((file.version <= 2).then_some(root)).collect(),
    }
}

fn of_sequence(file: &actorx::Psa, sequence: &actorx::Sequence) -> Motion {
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
        family: Family::ActorX,
        name: Some(actorx::key(&sequence.name).to_vec()),
        names: Some(file.bones.iter().map(|bone| name_key(&bone.name)).collect()),
        bones: (0..bones).collect(),
        frames: frames.map(|frame| (0..bones).map(|bone| key(frame, bone)).collect()).collect(),
        rate: (rate.is_finite() && rate > 0.0).then_some(rate),
        has_scale: sequence.scale_first.is_some(),
    }
}

fn of_states(file: &pyrogenesis::Psa) -> Motion {
    let bones = file.bones as usize;
    let frames: Vec<Vec<Trs>> =
        file.states.chunks(bones.max(1)).map(|row| row.iter().map(of_state).collect()).collect();
    Motion {
        family: Family::Pyrogenesis,
        name: (!file.name.is_empty()).then(|| file.name.clone()),
        names: None,
        bones: (0..if frames.is_empty() { 0 } else { bones }).collect(),
        frames,
        rate: Some(1000.0 / f64::from(file.frame_length)),
        has_scale: false,
    }
}

fn of_gsa(file: &Gsa<'_>) -> Motion {
    let track = |rotation: &Quat| Trs { q: wide(rotation.get()), ..Trs::IDENTITY };
    let ids: Vec<usize> = file.animated_ids().iter().map(|id| id.get().into()).collect();
    Motion {
        family: Family::Swat3,
        name: None,
        names: None,
        bones: if ids.is_empty() { (0..file.rotation_count()).collect() } else { ids },
        frames: file.frames().map(|frame| frame.rotations().iter().map(track).collect()).collect(),
        rate: Some(10.0),
        has_scale: false,
    }
}
