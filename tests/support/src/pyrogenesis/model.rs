//! What the files of Pyrogenesis hold, in the terms of the naive evaluation.

use skelmap::model::{Relative, Space};

use super::build;
use super::naive::{self as pyrogenesis, Mode};
use crate::model::any_bytes::MAX_BONES;
use crate::model::compare::{HUNDREDTH, Target, X, Y, Z, not};
use crate::model::naive::math::{IDENTITY, Trs, apply, length, multiply, rotation, translation, wide};
use crate::model::naive::{Bone, Mesh, Motion, Rules};

const NONE: u8 = 0xFF;

pub(super) static RULES: Rules = Rules {
    relative: Relative::Model,
    has_names: false,
    has_side_car: false,
    model_is_bone: true,
    up: 1,
    targets,
    is_mirrored: None,
};

fn targets() -> Vec<Target> {
    vec![
        Target::new("file", None, None, 1.0, [X, Y, Z]),
        Target::new("gltf", Some(Space::GLTF), None, 1.0, [X, Y, not(Z)]),
        Target::new("unreal", Some(Space::UNREAL), None, 1.0 / HUNDREDTH, [X, not(Z), Y]),
    ]
}

/// The mesh of a file; `None` for a file that is no mesh, or not readable.
pub(super) fn mesh(bytes: &[u8]) -> Option<Mesh> {
    let is_mesh = bytes.starts_with(b"PSMD");
    is_mesh.then(|| pyrogenesis::read_pmd(bytes, Mode::Strict).ok()).flatten().map(|file| of_pmd(&file))
}

/// The clip of a file; `None` for a file that is no animation, or not readable.
pub(super) fn motions(bytes: &[u8]) -> Option<Vec<Motion>> {
    let is_animation = bytes.starts_with(b"PSSA");
    let file = is_animation.then(|| pyrogenesis::read_psa(bytes, Mode::Strict).ok()).flatten();
    file.map(|file| vec![of_states(&file)])
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
        rules: &RULES,
        bones: bones.collect(),
        cut: Vec::new(),
        orphans: Vec::new(),
        points: file.vertices.iter().map(|vertex| vertex.position).collect(),
        normals: Some(file.vertices.iter().map(|vertex| vertex.normal).collect()),
        rest: file.vertices.iter().map(&mut rest_of).collect(),
        rest_size,
        influences: influences.collect(),
        uvs: None,
        vertices: (0..file.vertices.len() as u64).collect(),
        triangles: file.faces.iter().map(|face| (face.map(Into::into), 0)).collect(),
        morphs: Vec::new(),
        attachments: attachments.chain((file.version <= 2).then_some(root)).collect(),
    }
}

fn of_states(file: &pyrogenesis::Psa) -> Motion {
    let bones = file.bones as usize;
    let frames: Vec<Vec<Trs>> =
        file.states.chunks(bones.max(1)).map(|row| row.iter().map(of_state).collect()).collect();
    Motion {
        rules: &RULES,
        name: (!file.name.is_empty()).then(|| file.name.clone()),
        names: None,
        bones: (0..if frames.is_empty() { 0 } else { bones }).collect(),
        frames,
        rate: Some(1000.0 / f64::from(file.frame_length)),
        has_scale: false,
        unscaled: Vec::new(),
        missing: None,
        is_computed: false,
    }
}

/// An animation with the bones of a mesh.
pub(super) fn partner_of_mesh(mesh: &[u8]) -> Option<Vec<u8>> {
    let bones = pyrogenesis::read_pmd(mesh, Mode::Strict).ok()?.bind.len();
    (bones <= MAX_BONES).then(|| build::Psa::walk(bones as u32, 3).build().bytes)
}

/// A mesh with the bones of an animation.
pub(super) fn partner_of_animation(animation: &[u8]) -> Option<Vec<u8>> {
    let animation = pyrogenesis::read_psa(animation, Mode::Strict).ok()?;
    (animation.bones < 255).then(|| build::Pmd::grid(3, 3, animation.bones, 1).build().bytes)
}
