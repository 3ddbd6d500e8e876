//! The columns of the arrays of Pyrogenesis files.

use std::sync::Arc;

use skelmap::pyrogenesis::{Pmd, Psa};

use super::{
    ArrayError, ArrayTable, FRAME, INDEX, POSITION, Part, Parts, ROTATION, SECONDS, SET, U, V, axes, check_set,
    indexed, listed, name, number, position,
};
use crate::report::{Column, Records, float, integer, records};

/// The arrays of meshes.
pub(super) const MESH: &[ArrayTable] = &[
    ArrayTable::new("vertices", &[&[INDEX], &POSITION, &axes!(number, "n", "the normal", ""), &BLEND])
        .aliases(&["points"]),
    ArrayTable::new("uvs", &[&[SET, VERTEX_INDEX, U, V]]).parts(&[Part::Set]),
    ArrayTable::new("faces", &[&FACE]),
    ArrayTable::new("bones", &[&[INDEX], &POSITION, &ROTATION]),
    ArrayTable::new("influences", &[&[VERTEX_INDEX, BONE_INDEX, WEIGHT]]).aliases(&["weights"]),
    ArrayTable::new("props", &[&PROP, &axes!(position, "", "the position", ", relative to the bone"), &ROTATION]),
];

/// The arrays of animations.
pub(super) const ANIMATION: &[ArrayTable] =
    &[ArrayTable::new("states", &[&[FRAME, KEY_BONE], &POSITION, &ROTATION, &[SECONDS]])
        .aliases(&["keys"])
        .parts(&[Part::Bone])];

const VERTEX_INDEX: Column = integer("vertex").means("the index of the vertex");
const FACE: [Column; 4] = [
    INDEX,
    integer("vertex_0").means("the index of the first vertex of the face"),
    integer("vertex_1").means("the index of the second vertex"),
    integer("vertex_2").means("the index of the third vertex"),
];
const BONE_INDEX: Column = integer("bone").means("the index of the bone, from 0");
/// The bone of a key.
const KEY_BONE: Column = integer("bone_index").means("the index of the bone, from 0");
const WEIGHT: Column = float("weight").means("the weight of the bone for the vertex, from 0 to 1");
const PROP: [Column; 3] = [INDEX, name("the name of the prop point"), BONE_INDEX.nullable()];
const BLEND: [Column; 8] = [
    integer("bone_0").nullable().means("the first bone that moves the vertex; null if there is none"),
    integer("bone_1").nullable().means("the second bone"),
    integer("bone_2").nullable().means("the third bone"),
    integer("bone_3").nullable().means("the fourth bone"),
    float("weight_0").means("the weight of the first bone, from 0 to 1"),
    float("weight_1").means("the weight of the second bone"),
    float("weight_2").means("the weight of the third bone"),
    float("weight_3").means("the weight of the fourth bone"),
];

pub(super) fn mesh<'a>(mesh: Pmd<'a>, name: &str, parts: &Parts) -> Result<Option<Records<'a>>, ArrayError> {
    Ok(Some(match name {
        "vertices" => records(
            move || mesh.vertices().iter().enumerate(),
            |(index, vertex), record| {
                record.add(*index).all(vertex.position()).all(vertex.normal());
                record.all(vertex.blend().bones()).all(vertex.blend().weights());
            },
        ),
        "uvs" => uvs(mesh, parts.set)?,
        "faces" => indexed(mesh.faces(), |face, record| {
            record.all(face.vertices());
        }),
        "bones" => indexed(mesh.bones(), |state, record| {
            record.all(state.translation()).all(state.rotation());
        }),
        // As the engine reads them: up to the first unused one.
        "influences" => {
            let items = move || {
                let of_vertices = mesh.vertices().iter().enumerate();
                of_vertices.flat_map(|(index, vertex)| vertex.blend().influences().map(move |own| (index, own)))
            };
            records(items, |(index, (bone, weight)), record| {
                record.add(*index).add(*bone).add(*weight);
            })
        }
        "props" => records(
            move || mesh.props().enumerate(),
            |(index, prop), record| {
                record.add(*index).add(prop.name).add(prop.transform.bone());
                record.all(prop.transform.translation()).all(prop.transform.rotation());
            },
        ),
        _ => return Ok(None),
    }))
}

#[expect(clippy::cast_precision_loss, reason = "no file has 2^53 frames")]
pub(super) fn animation<'a>(animation: Psa<'a>, parts: &Parts) -> Result<Records<'a>, ArrayError> {
    let count = animation.bone_count();
    let find = |index: &String| {
        let found = index.parse().ok().filter(|index| *index < count);
        found.ok_or_else(|| ArrayError::Unnamed { bone: index.clone(), count })
    };
    let bones: Arc<[usize]> = match parts.bones.as_slice() {
        [] => (0..count).collect(),
        chosen => chosen.iter().map(find).collect::<Result<_, _>>()?,
    };
    let rate = animation.rate();
    let items = move || {
        let bones = Arc::clone(&bones);
        animation.states().chunks(count.max(1)).enumerate().flat_map(move |(frame, states)| {
            listed(&bones).filter_map(move |bone| Some((frame, bone, states.get(bone)?)))
        })
    };
    Ok(records(items, move |(frame, bone, state), record| {
        record.add(*frame).add(*bone).all(state.translation()).all(state.rotation());
        record.add(rate.map(|rate| *frame as f64 / rate));
    }))
}

fn uvs(mesh: Pmd<'_>, only: Option<usize>) -> Result<Records<'_>, ArrayError> {
    check_set(only, mesh.uv_set_count())?;
    let items = move || {
        mesh.vertices().iter().enumerate().flat_map(move |(index, vertex)| {
            let wanted = move |(set, _): &(usize, _)| only.is_none_or(|only| only == *set);
            vertex.uvs().iter().enumerate().filter(wanted).map(move |(set, uv)| (set, index, uv))
        })
    };
    Ok(records(items, |(set, index, uv), record| {
        record.add(*set).add(*index).all(uv.get());
    }))
}
