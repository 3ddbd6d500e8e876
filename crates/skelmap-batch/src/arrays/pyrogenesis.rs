//! The columns of the arrays of Pyrogenesis files.

use std::rc::Rc;

use skelmap::pyrogenesis::{Pmd, Psa};

use super::{
    ArrayError, ArrayTable, FRAME, INDEX, NX, NY, NZ, Part, Parts, QW, QX, QY, QZ, SECONDS, SET, U, V, X, Y, Z, listed,
    name, position,
};
use crate::report::{Array, Column, float, integer};

/// The arrays of meshes.
pub(super) const MESH: &[ArrayTable] = &[
    ArrayTable::new("vertices", &VERTEX).aliases(&["points"]),
    ArrayTable::new("uvs", &UV).parts(&[Part::Set]),
    ArrayTable::new("faces", &FACE),
    ArrayTable::new("bones", &BONE),
    ArrayTable::new("influences", &INFLUENCE).aliases(&["weights"]),
    ArrayTable::new("props", &PROP),
];

/// The arrays of animations.
pub(super) const ANIMATION: &[ArrayTable] =
    &[ArrayTable::new("states", &STATE).aliases(&["keys"]).parts(&[Part::Bone])];

const VERTEX_INDEX: Column = integer("vertex").means("the index of the vertex");
const UV: [Column; 4] = [SET, VERTEX_INDEX, U, V];
const FACE: [Column; 4] = [
    INDEX,
    integer("vertex_0").means("the index of the first vertex of the face"),
    integer("vertex_1").means("the index of the second vertex"),
    integer("vertex_2").means("the index of the third vertex"),
];
const BONE: [Column; 8] = [INDEX, X, Y, Z, QX, QY, QZ, QW];
const BONE_INDEX: Column = integer("bone").means("the index of the bone, from 0");
const INFLUENCE: [Column; 3] =
    [VERTEX_INDEX, BONE_INDEX, float("weight").means("the weight of the bone for the vertex, from 0 to 1")];
const PROP: [Column; 10] = [
    INDEX,
    name("the name of the prop point"),
    BONE_INDEX.nullable(),
    position("x", "the position along x, relative to the bone"),
    position("y", "the position along y, relative to the bone"),
    position("z", "the position along z, relative to the bone"),
    QX,
    QY,
    QZ,
    QW,
];
const STATE: [Column; 10] = [FRAME, BONE_INDEX, X, Y, Z, QX, QY, QZ, QW, SECONDS];
const VERTEX: [Column; 15] = [
    INDEX,
    X,
    Y,
    Z,
    NX,
    NY,
    NZ,
    integer("bone_0").nullable().means("the first bone that moves the vertex; null if there is none"),
    integer("bone_1").nullable().means("the second bone"),
    integer("bone_2").nullable().means("the third bone"),
    integer("bone_3").nullable().means("the fourth bone"),
    float("weight_0").means("the weight of the first bone, from 0 to 1"),
    float("weight_1").means("the weight of the second bone"),
    float("weight_2").means("the weight of the third bone"),
    float("weight_3").means("the weight of the fourth bone"),
];

pub(super) fn mesh<'a>(mesh: Pmd<'a>, name: &str, parts: &Parts) -> Result<Option<Array<'a>>, ArrayError> {
    Ok(Some(match name {
        "vertices" => vertices(mesh),
        "uvs" => uvs(mesh, parts.set)?,
        "faces" => Array::new(FACE, move || {
            mesh.faces().iter().enumerate().map(|(index, face)| {
                let [a, b, c] = face.vertices();
                (index, a, b, c)
            })
        }),
        "bones" => Array::new(BONE, move || {
            mesh.bones().iter().enumerate().map(|(index, state)| {
                let ([x, y, z], [qx, qy, qz, qw]) = (state.translation(), state.rotation());
                (index, x, y, z, qx, qy, qz, qw)
            })
        }),
        // As the engine reads them: up to the first unused one.
        "influences" => Array::new(INFLUENCE, move || {
            mesh.vertices().iter().enumerate().flat_map(|(index, vertex)| {
                vertex.blend().influences().map(move |(bone, weight)| (index, bone, weight))
            })
        }),
        "props" => Array::new(PROP, move || {
            mesh.props().enumerate().map(|(index, prop)| {
                let ([x, y, z], [qx, qy, qz, qw]) = (prop.transform.translation(), prop.transform.rotation());
                (index, prop.name, prop.transform.bone(), x, y, z, qx, qy, qz, qw)
            })
        }),
        _ => return Ok(None),
    }))
}

#[expect(clippy::cast_precision_loss, reason = "no file has 2^53 frames")]
pub(super) fn animation<'a>(animation: Psa<'a>, parts: &Parts) -> Result<Array<'a>, ArrayError> {
    let count = animation.bone_count();
    let find = |index: &String| {
        let found = index.parse().ok().filter(|index| *index < count);
        found.ok_or_else(|| ArrayError::Unnamed { bone: index.clone(), count })
    };
    let bones: Rc<[usize]> = match parts.bones.as_slice() {
        [] => (0..count).collect(),
        chosen => chosen.iter().map(find).collect::<Result<_, _>>()?,
    };
    let rate = animation.rate();
    Ok(Array::new(STATE, move || {
        let bones = Rc::clone(&bones);
        animation.states().chunks(count.max(1)).enumerate().flat_map(move |(frame, states)| {
            let seconds = rate.map(|rate| (frame as f64) / rate);
            listed(&bones).filter_map(move |bone| {
                let state = states.get(bone)?;
                let ([x, y, z], [qx, qy, qz, qw]) = (state.translation(), state.rotation());
                Some((frame, bone, x, y, z, qx, qy, qz, qw, seconds))
            })
        })
    }))
}

fn vertices(mesh: Pmd<'_>) -> Array<'_> {
    Array::new(VERTEX, move || {
        mesh.vertices().iter().enumerate().map(|(index, vertex)| {
            let ([x, y, z], [nx, ny, nz]) = (vertex.position(), vertex.normal());
            let ([b0, b1, b2, b3], [w0, w1, w2, w3]) = (vertex.blend().bones(), vertex.blend().weights());
            (index, x, y, z, nx, ny, nz, b0, b1, b2, b3, w0, w1, w2, w3)
        })
    })
}

fn uvs(mesh: Pmd<'_>, only: Option<usize>) -> Result<Array<'_>, ArrayError> {
    let sets = mesh.uv_set_count();
    if let Some(set) = only.filter(|set| *set >= sets) {
        return Err(ArrayError::Set { set, sets });
    }
    Ok(Array::new(UV, move || {
        mesh.vertices().iter().enumerate().flat_map(move |(index, vertex)| {
            let wanted = move |(set, _): &(usize, _)| only.is_none_or(|only| only == *set);
            vertex.uvs().iter().enumerate().filter(wanted).map(move |(set, uv)| {
                let [u, v] = uv.get();
                (set, index, u, v)
            })
        })
    }))
}
