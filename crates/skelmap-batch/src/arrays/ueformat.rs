//! The columns of the arrays of UEFormat files.

use std::sync::Arc;

use skelmap::ueformat::{Animation, BoneTrack, Level, Model, Pose};
use skelmap::{Float, Text, Vec3};

use super::{
    ArrayError, ArrayTable, BONE_POSITION, FRAME, INDEX, MATERIAL, POSITION, Part, Parts, ROTATION, SECONDS, SET, U, V,
    axes, check_set, indexed, listed, name, number, position, stored,
};
use crate::report::{Column, Records, float, integer, records, text};

/// The arrays of models: those of vertices are of the first level of detail.
pub(super) const MODEL: &[ArrayTable] = &[
    ArrayTable::new("levels", &[&LEVEL]),
    ArrayTable::new("vertices", &[&[INDEX], &POSITION]).aliases(&["points"]),
    ArrayTable::new("normals", &[&[INDEX], &axes!(number, "", "the normal", ""), &[SIGN]]),
    ArrayTable::new("tangents", &[&[INDEX], &axes!(number, "", "the tangent", "")]),
    ArrayTable::new("uvs", &[&[SET, VERTEX, U, V]]).parts(&[Part::Set]),
    ArrayTable::new("colors", &[&[SET, VERTEX], &COLOR]).aliases(&["colours"]).parts(&[Part::Set]),
    ArrayTable::new("faces", &[&FACE]),
    ArrayTable::new("materials", &[&MATERIALS]),
    ArrayTable::new("influences", &[&INFLUENCE]).aliases(&["weights"]),
    ArrayTable::new("morphs", &[&MORPH]),
    ArrayTable::new("deltas", DELTA).parts(&[Part::Morph]),
    ArrayTable::new("bones", BONE),
    ArrayTable::new("sockets", SOCKET),
    ArrayTable::new("virtual-bones", &[&VIRTUAL]),
    ArrayTable::new("hulls", &[&HULL]),
];

/// The arrays of animations.
pub(super) const ANIMATION: &[ArrayTable] = &[
    ArrayTable::new("tracks", &[&TRACK]),
    ArrayTable::new("keys", &[&KEY, &BONE_POSITION, &ROTATION, &SCALE, &[SECONDS]]).parts(&[Part::Bone]),
    ArrayTable::new("positions", &[&KEY, &BONE_POSITION]).parts(&[Part::Bone]),
    ArrayTable::new("rotations", &[&KEY, &ROTATION]).parts(&[Part::Bone]),
    ArrayTable::new("scales", &[&KEY, &SCALE]).parts(&[Part::Bone]),
    ArrayTable::new("curves", &[&CURVE]),
];

/// The arrays of lists of poses.
pub(super) const POSE: &[ArrayTable] = &[
    ArrayTable::new("poses", &[&NAMED_POSE]),
    ArrayTable::new("bones", &[&[POSE_NAME, name("the name of the bone")], &BONE_POSITION, &ROTATION, &SCALE]),
    ArrayTable::new("influences", &[&CURVE_INFLUENCE]),
];

const SIGN: Column = float("w").nullable().means("the sign of the binormal; null in version 0");
const VERTEX: Column = integer("vertex").means("the index of the vertex");
const LEVEL: [Column; 4] = [
    INDEX,
    name("the name of the level of detail"),
    integer("vertices").means("the number of vertices"),
    integer("faces").means("the number of triangles"),
];
const FACE: [Column; 5] = [
    INDEX,
    integer("vertex_0").means("the index of the first vertex of the face"),
    integer("vertex_1").means("the index of the second vertex"),
    integer("vertex_2").means("the index of the third vertex"),
    MATERIAL,
];
const MATERIALS: [Column; 5] = [
    INDEX,
    name("the name of the slot"),
    text("path").nullable().means("the path of the asset; null before version 6"),
    stored("first_index", "the first of the indices of its triangles"),
    stored("faces", "the number of its triangles"),
];
const INFLUENCE: [Column; 4] = [
    INDEX,
    stored("vertex", "the index of the vertex"),
    integer("bone").means("the index of the bone"),
    float("weight").means("the weight of the bone for the vertex, from 0 to 1"),
];
const COLOR: [Column; 4] = [
    integer("r").means("red, from 0 to 255"),
    integer("g").means("green, from 0 to 255"),
    integer("b").means("blue, from 0 to 255"),
    integer("a").means("opacity, from 0 to 255"),
];
const MORPH: [Column; 3] = [
    INDEX,
    name("the name of the morph target"),
    stored("deltas", "the number of vertices that the morph target moves"),
];
const DELTA: &[&[Column]] = &[
    &[text("morph").means("the name of the morph target"), integer("vertex").means("the index of the vertex")],
    &axes!(position, "d", "the movement of the vertex", ""),
    &axes!(number, "n", "the change of the normal", ""),
];
const BONE: &[&[Column]] = &[
    &[INDEX, name("the name of the bone"), stored("parent", "the index of the parent bone; -1 for a root")],
    &ROTATION,
    &BONE_POSITION,
    &[
        float("scale_x").nullable().means("the factor along x; null where bones have no scale"),
        float("scale_y").nullable().means("the factor along y"),
        float("scale_z").nullable().means("the factor along z"),
    ],
];
const SOCKET: &[&[Column]] = &[
    &[INDEX, name("the name of the socket"), text("bone").means("the name of the bone")],
    &axes!(position, "", "the position", ", relative to the bone"),
    &ROTATION,
    &SCALE,
];
const SCALE: [Column; 3] = axes!(number, "scale_", "the factor", "");
const VIRTUAL: [Column; 4] = [
    INDEX,
    name("the name of the virtual bone"),
    text("source").means("the bone that it is relative to"),
    text("target").means("the bone that it follows"),
];
const HULL: [Column; 4] = [
    INDEX,
    name("the name of the hull"),
    integer("vertices").means("the number of corners"),
    integer("faces").means("the number of triangles"),
];
const KEY: [Column; 3] = [
    FRAME.of(crate::report::Values::Integer),
    integer("bone_index").means("the index of the bone, from 0"),
    text("bone").means("the name of the bone"),
];
const TRACK: [Column; 5] = [
    INDEX,
    name("the name of the bone"),
    integer("positions").means("the number of keys of the position"),
    integer("rotations").means("the number of keys of the rotation"),
    integer("scales").means("the number of keys of the scale"),
];
const CURVE: [Column; 3] = [
    text("curve").means("the name of the curve"),
    FRAME.of(crate::report::Values::Integer),
    float("weight").means("the value of the curve in the frame"),
];
const POSE_NAME: Column = text("pose").means("the name of the pose");
const NAMED_POSE: [Column; 4] = [
    INDEX,
    name("the name of the pose"),
    integer("bones").means("the number of bones that the pose moves"),
    integer("curves").means("the number of curves to which the pose gives a value"),
];
const CURVE_INFLUENCE: [Column; 4] = [
    POSE_NAME,
    stored("curve_index", "the index of the curve"),
    text("curve").nullable().means("the name of the curve; null for one that does not exist"),
    float("weight").means("the value of the curve"),
];

pub(super) fn model<'a>(model: &Model<'a>, name: &str, parts: &Parts) -> Result<Option<Records<'a>>, ArrayError> {
    let model = *model;
    let level = move || model.first_level();
    Ok(Some(match name {
        "levels" => records(
            move || model.levels().enumerate(),
            |(index, level), record| {
                record.add(*index).add(level.name()).add(level.positions().len()).add(level.indices().len() / 3);
            },
        ),
        "vertices" => indexed(level().map(|own| own.positions()).unwrap_or_default(), |vertex, record| {
            record.all(vertex.get());
        }),
        "normals" => normals(level()),
        "tangents" => indexed(level().map(|own| own.tangents()).unwrap_or_default(), |tangent, record| {
            record.all(tangent.get());
        }),
        "uvs" => uvs(level(), parts.set)?,
        "colors" => colors(level(), parts.set)?,
        "faces" => {
            let mesh = model.mesh();
            records(
                move || (0..mesh.triangle_count()).filter_map(move |index| Some((index, mesh.triangle(index)?))),
                |(index, face), record| {
                    record.add(*index).all(face.vertices).add(face.material);
                },
            )
        }
        "materials" => records(
            move || level().into_iter().flat_map(|own| own.materials()).enumerate(),
            |(index, own), record| {
                record.add(*index).add(own.name).add(own.path).add(own.first_index).add(own.face_count);
            },
        ),
        "influences" => indexed(level().map(|own| own.influences()).unwrap_or_default(), |influence, record| {
            record.add(influence.vertex()).add(influence.bone()).add(influence.weight());
        }),
        "morphs" => records(
            move || level().into_iter().flat_map(|own| own.morphs()).enumerate(),
            |(index, own), record| {
                record.add(*index).add(own.name).add(own.deltas.len());
            },
        ),
        "deltas" => deltas(level(), parts.morph.as_deref())?,
        "bones" => records(
            move || model.bones().enumerate(),
            |(index, bone), record| {
                record.add(*index).add(bone.name).add(bone.parent).all(bone.rotation).all(bone.position);
                record.all(bone.scale.map_or([None; 3], |scale| scale.map(Some)));
            },
        ),
        "sockets" => records(
            move || model.sockets().enumerate(),
            |(index, own), record| {
                record.add(*index).add(own.name).add(own.bone);
                record.all(own.position).all(own.rotation).all(own.scale);
            },
        ),
        "virtual-bones" => records(
            move || model.virtual_bones().enumerate(),
            |(index, own), record| {
                record.add(*index).add(own.name).add(own.source).add(own.target);
            },
        ),
        "hulls" => records(
            move || model.hulls().enumerate(),
            |(index, own), record| {
                record.add(*index).add(own.name).add(own.vertices.len()).add(own.indices.len() / 3);
            },
        ),
        _ => return Ok(None),
    }))
}

fn normals(level: Option<Level<'_>>) -> Records<'_> {
    let items = move || level.into_iter().flat_map(|own| (0..own.normals().len()).map(move |index| (index, own)));
    records(items, |(index, level), record| {
        let normal = level.normals().get(*index).map_or([0.0; 3], Vec3::get);
        record.add(*index).all(normal).add(level.binormal_signs().get(*index).map(Float::get));
    })
}

fn uvs(level: Option<Level<'_>>, only: Option<usize>) -> Result<Records<'_>, ArrayError> {
    check_set(only, level.map_or(0, |own| own.uv_sets().len()))?;
    let items = move || {
        let sets = level.into_iter().flat_map(|own| own.uv_sets()).enumerate();
        let sets = sets.filter(move |(set, _)| only.is_none_or(|only| only == *set));
        sets.flat_map(|(set, own)| own.uvs.iter().enumerate().map(move |(vertex, uv)| (set, vertex, uv)))
    };
    Ok(records(items, |(set, vertex, uv), record| {
        record.add(*set).add(*vertex).all(uv.get());
    }))
}

fn colors(level: Option<Level<'_>>, only: Option<usize>) -> Result<Records<'_>, ArrayError> {
    check_set(only, level.map_or(0, |own| own.color_sets().len()))?;
    let items = move || {
        let sets = level.into_iter().flat_map(|own| own.color_sets()).enumerate();
        let sets = sets.filter(move |(set, _)| only.is_none_or(|only| only == *set));
        sets.flat_map(|(set, own)| own.colors.iter().enumerate().map(move |(vertex, color)| (set, vertex, color)))
    };
    Ok(records(items, |(set, vertex, color), record| {
        record.add(*set).add(*vertex).all(**color);
    }))
}

fn deltas<'a>(level: Option<Level<'a>>, only: Option<&str>) -> Result<Records<'a>, ArrayError> {
    let morphs = move || level.into_iter().flat_map(|own| own.morphs());
    let find = |wanted: &str| {
        let found = morphs().position(|own| own.name.matches(wanted));
        found.ok_or_else(|| ArrayError::Morph(wanted.to_owned()))
    };
    let (first, most) = only.map(find).transpose()?.map_or((0, usize::MAX), |morph| (morph, 1));
    let items = move || {
        let chosen = morphs().skip(first).take(most);
        chosen.flat_map(|own| own.deltas.iter().map(move |delta| (own.name, delta)))
    };
    Ok(records(items, |(morph, delta), record| {
        record.add(*morph).add(delta.vertex()).all(delta.position()).all(delta.normal());
    }))
}

/// The tracks that are asked for, with their indices, in file order.
fn wanted<'a>(animation: Animation<'a>, bones: &[usize]) -> impl Iterator<Item = (usize, BoneTrack<'a>)> + use<'a> {
    let mut is_wanted = vec![false; animation.track_count()];
    for bone in bones {
        is_wanted.get_mut(*bone).into_iter().for_each(|wanted| *wanted = true);
    }
    animation.tracks().enumerate().filter(move |(index, _)| is_wanted.get(*index) == Some(&true))
}

/// The indices of the tracks that are asked for.
fn chosen(animation: &Animation<'_>, parts: &Parts) -> Result<Arc<[usize]>, ArrayError> {
    let count = animation.track_count();
    let find = |name: &String| {
        let by_index = || name.parse().ok().filter(|index| *index < count);
        animation.skeleton().find(name).or_else(by_index).ok_or_else(|| ArrayError::Bone(name.clone()))
    };
    match parts.bones.as_slice() {
        [] => Ok((0..count).collect()),
        names => names.iter().map(find).collect(),
    }
}

pub(super) fn animation<'a>(
    animation: Animation<'a>,
    name: &str,
    parts: &Parts,
) -> Result<Option<Records<'a>>, ArrayError> {
    let tracks = move || animation.tracks().enumerate();
    Ok(Some(match name {
        "tracks" => records(tracks, |(index, own), record| {
            record.add(*index).add(own.name).add(own.positions.len()).add(own.rotations.len()).add(own.scales.len());
        }),
        "keys" => keys(animation, chosen(&animation, parts)?)?,
        "positions" | "scales" => {
            let (bones, is_scale) = (chosen(&animation, parts)?, name == "scales");
            let items = move || {
                wanted(animation, &bones).flat_map(move |(index, own)| {
                    let keys = if is_scale { own.scales } else { own.positions };
                    keys.iter().map(move |key| (index, own.name, key))
                })
            };
            records(items, |(index, bone, key), record| {
                record.add(key.frame()).add(*index).add(*bone).all(key.value());
            })
        }
        "rotations" => {
            let bones = chosen(&animation, parts)?;
            let items = move || {
                wanted(animation, &bones)
                    .flat_map(|(index, own)| own.rotations.iter().map(move |key| (index, own.name, key)))
            };
            records(items, |(index, bone, key), record| {
                record.add(key.frame()).add(*index).add(*bone).all(key.value());
            })
        }
        "curves" => {
            let items = move || animation.curves().flat_map(|own| own.keys.iter().map(move |key| (own.name, key)));
            records(items, |(curve, key), record| {
                record.add(*curve).add(key.frame()).add(key.value());
            })
        }
        _ => return Ok(None),
    }))
}

/// Up to so many rows, it does not matter how few of them have keys.
const FEW: usize = 1 << 18;

/// The transform of each chosen bone in each frame: that of the keys before it.
#[expect(clippy::cast_precision_loss, reason = "a clip has at most 2^20 frames")]
fn keys(animation: Animation<'_>, bones: Arc<[usize]>) -> Result<Records<'_>, ArrayError> {
    let (clip, skeleton, rate) = (animation.clip(), animation.skeleton(), animation.rate());
    if clip.is_inflated(FEW) {
        return Err(ArrayError::Frames { frames: clip.frame_count() });
    }
    let starts: Arc<[u32]> = clip.to_starts().into();
    let names: Arc<[_]> = skeleton.bones().map(|bone| bone.name).collect();
    let items = move || {
        let (bones, starts, names) = (Arc::clone(&bones), Arc::clone(&starts), Arc::clone(&names));
        (0..clip.frame_count()).flat_map(move |frame| {
            let (starts, names) = (Arc::clone(&starts), Arc::clone(&names));
            listed(&bones).filter_map(move |bone| {
                Some((frame, bone, names.get(bone).copied()??, clip.listed(&starts).transform(frame, bone)?))
            })
        })
    };
    Ok(records(items, move |(frame, bone, name, key), record| {
        record.add(*frame).add(*bone).add(*name);
        record.all(key.translation).all(key.rotation).all(key.scale);
        record.add(rate.map(|rate| *frame as f64 / rate));
    }))
}

pub(super) fn pose<'a>(pose: Pose<'a>, name: &str) -> Option<Records<'a>> {
    Some(match name {
        "poses" => records(
            move || pose.poses().enumerate(),
            |(index, own), record| {
                record.add(*index).add(own.name()).add(own.bones().len()).add(own.influences().len());
            },
        ),
        "bones" => records(
            move || pose.poses().flat_map(|own| own.bones().map(move |bone| (own.name(), bone))),
            |(pose, bone), record| {
                record.add(*pose).add(bone.name).all(bone.position).all(bone.rotation).all(bone.scale);
            },
        ),
        "influences" => {
            let curves: Arc<[Text<'a>]> = pose.curves().collect();
            let items = move || {
                let curves = Arc::clone(&curves);
                let values = pose.poses().flat_map(|own| own.influences().iter().map(move |value| (own.name(), value)));
                values.map(move |(pose, own)| {
                    let curve = usize::try_from(own.curve()).ok().and_then(|curve| curves.get(curve));
                    (pose, own, curve.copied())
                })
            };
            records(items, |(pose, own, curve), record| {
                record.add(*pose).add(own.curve()).add(*curve).add(own.influence());
            })
        }
        _ => return None,
    })
}
