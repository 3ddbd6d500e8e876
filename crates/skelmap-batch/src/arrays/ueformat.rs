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

#[cfg(test)]
mod tests {
    use test_support::ueformat::build::{Style, animation, model, pose};
    use test_support::ueformat::corpus::{arm, box_with_hull, faces, wave};

    use super::super::tests::rows_of;
    use super::super::{ArrayError, Parts};

    /// The rows of an array of the arm with these columns, as CSV has them, in lines.
    fn of_arm(name: &str, parts: &Parts, keys: &[&str]) -> Result<Vec<String>, ArrayError> {
        let rows = rows_of(model(10, &arm(), Style::LIBRARY).build().bytes, name, parts, keys)?;
        Ok(rows.iter().map(|row| row.join(" ")).collect())
    }

    fn all(name: &str, keys: &[&str]) -> Vec<String> {
        of_arm(name, &Parts::default(), keys).expect("an array")
    }

    fn of_wave(name: &str, bone: Option<&str>, keys: &[&str]) -> Result<Vec<String>, ArrayError> {
        let parts = Parts { bones: bone.map(str::to_owned).into_iter().collect(), ..Parts::default() };
        let rows = rows_of(animation(10, &wave(), Style::LIBRARY).build().bytes, name, &parts, keys)?;
        Ok(rows.iter().map(|row| row.join(" ")).collect())
    }

    // The values are those that `ueformat::corpus` gives to the builder.

    #[test]
    fn the_arrays_of_a_model_have_what_was_put_into_its_first_level() {
        assert_eq!(all("levels", &["index", "name", "vertices", "faces"]), ["0 LOD0 8 12"]);
        let vertices = all("vertices", &["index", "x", "y", "z"]);
        assert_eq!((vertices.len(), &*vertices[1], &*vertices[7]), (8, "1 30 0 0", "7 30 4 6"));
        let normals = all("normals", &["index", "x", "y", "z", "w"]);
        assert_eq!((normals.len(), &*normals[0], &*normals[3]), (8, "0 -0.6 -0.8 0 1", "3 0.6 0.8 0 1"));
        let tangents = all("tangents", &["index", "x", "y", "z"]);
        assert_eq!((tangents.len(), &*tangents[7]), (8, "7 0 0 1"));
        let materials = all("materials", &["index", "name", "path", "first_index", "faces"]);
        assert_eq!(materials, ["0 sleeve /Game/M_Sleeve.M_Sleeve 0 8", "1 hand /Game/M_Hand.M_Hand 24 4"]);
        let influences = all("influences", &["index", "vertex", "bone", "weight"]);
        assert_eq!(influences.len(), 12);
        assert_eq!(influences[..4], ["0 0 0 1", "1 1 1 0.75", "2 1 2 0.25", "3 2 0 0.5"]);
        let faces = all("faces", &["index", "vertex_0", "vertex_1", "vertex_2", "material"]);
        assert_eq!((faces.len(), &*faces[0], &*faces[8]), (12, "0 0 1 3 0", "8 0 2 6 1"));
    }

    #[test]
    fn a_set_of_a_model_is_chosen_among_those_that_it_has() {
        let keys = ["set", "vertex", "u", "v"];
        let uvs = |set| of_arm("uvs", &Parts { set, ..Parts::default() }, &keys);
        let second = uvs(Some(1)).expect("a set");
        assert_eq!((second.len(), &*second[0], &*second[7]), (8, "1 0 0.5 0", "1 7 1 0.25"));
        assert_eq!(uvs(None).expect("all sets").len(), 16);
        assert!(matches!(uvs(Some(2)), Err(ArrayError::Set { set: 2, sets: 2 })));
        let colors = |set| of_arm("colors", &Parts { set, ..Parts::default() }, &["set", "vertex", "r", "g", "b", "a"]);
        let first = colors(Some(0)).expect("a set");
        assert_eq!((first.len(), &*first[3]), (8, "0 3 3 127 252 255"));
        assert!(matches!(colors(Some(1)), Err(ArrayError::Set { set: 1, sets: 1 })));
    }

    #[test]
    fn the_morph_targets_of_a_model_are_all_or_that_of_a_name() {
        assert_eq!(all("morphs", &["index", "name", "deltas"]), ["0 bulge 3", "1 fist 1"]);
        let keys = ["morph", "vertex", "dx", "dy", "dz", "nx", "ny", "nz"];
        let vertices: Vec<_> = all("deltas", &["vertex"]);
        assert_eq!(vertices, ["1", "3", "5", "7"]);
        let of = |morph: &str| of_arm("deltas", &Parts { morph: Some(morph.to_owned()), ..Parts::default() }, &keys);
        assert_eq!(of("fist").expect("a morph target"), ["fist 7 0 1.5 0.25 0 0.125 -0.5"]);
        assert_eq!(of("bulge").expect("a morph target").len(), 3);
        assert!(matches!(of("none"), Err(ArrayError::Morph(name)) if name == "none"));
    }

    #[test]
    fn the_arrays_of_a_model_have_its_bones_sockets_and_hulls() {
        let bones = all("bones", &["index", "name", "parent", "x", "y", "z", "qx", "qy", "qz", "qw", "scale_x"]);
        assert_eq!(bones[0], "0 Root -1 0 0 0 0 0 0 1 ");
        assert_eq!(
            bones[1..],
            ["1 Elbow 0 15 1 0.5 0 0 0.70710677 0.70710677 ", "2 Hand 1 12 -2 0.25 0.5 -0.5 0.5 0.5 "]
        );
        let sockets = all("sockets", &["index", "name", "bone", "x", "y", "z", "qz", "scale_x", "scale_y", "scale_z"]);
        assert_eq!(sockets, ["0 Grip Hand 1 2 3 0.70710677 1 2 0.5", "1 Patch elbow 0 0.5 0 0 1 1 1"]);
        assert_eq!(all("virtual-bones", &["index", "name", "source", "target"]), ["0 VB Root_Hand Root Hand"]);
        let hulls = model(10, &box_with_hull(), Style::LIBRARY).build().bytes;
        let hulls = rows_of(hulls, "hulls", &Parts::default(), &["index", "name", "vertices", "faces"]).expect("hulls");
        assert_eq!(hulls, [["0", "None", "8", "12"], ["1", "lid", "8", "12"]]);
        // Bones have a scale where the program that writes them gives one.
        let scaled = model(10, &arm(), Style::CUE4PARSE).build().bytes;
        let scaled = rows_of(scaled, "bones", &Parts::default(), &["scale_x", "scale_y", "scale_z"]).expect("bones");
        assert_eq!(scaled[2], ["1", "1", "1"]);
    }

    #[test]
    fn the_arrays_of_an_animation_have_its_keys_as_they_are_and_in_each_frame() {
        let tracks = of_wave("tracks", None, &["index", "name", "positions", "rotations", "scales"]);
        assert_eq!(tracks.expect("tracks"), ["0 Root 1 1 1", "1 Elbow 1 4 1", "2 Hand 2 1 2"]);
        let keys = |name: &str, bone, value: &[&str]| {
            of_wave(name, bone, &[&["frame", "bone_index", "bone"], value].concat()).expect("keys")
        };
        let positions = keys("positions", Some("Hand"), &["x", "y", "z"]);
        assert_eq!(positions, ["0 2 Hand 12 -2 0.25", "5 2 Hand 12 -2.5 0.25"]);
        assert_eq!(keys("positions", None, &["x"]).len(), 4);
        let scales = keys("scales", Some("2"), &["scale_x", "scale_y", "scale_z"]);
        assert_eq!(scales, ["0 2 Hand 1 1 1", "6 2 Hand 1 1.25 1"]);
        let rotations = keys("rotations", Some("elbow"), &["qx", "qz"]);
        assert_eq!(rotations, ["0 1 Elbow 0 0.70710677", "3 1 Elbow 0 0", "4 1 Elbow 0.6 0", "7 1 Elbow 0 0.70710677"]);
        assert_eq!(of_wave("keys", None, &["frame"]).expect("keys").len(), 24);
        let all = of_wave("keys", Some("1"), &["frame", "bone_index", "bone", "x", "qx", "scale_y", "seconds"]);
        let all = all.expect("keys");
        assert_eq!(
            (all.len(), &*all[0], &*all[4]),
            (8, "0 1 Elbow 15 0 1 0", "4 1 Elbow 15 0.6 1 0.13333333333333333")
        );
        assert!(matches!(of_wave("keys", Some("3"), &["frame"]), Err(ArrayError::Bone(name)) if name == "3"));
        let curves = of_wave("curves", None, &["curve", "frame", "weight"]);
        assert_eq!(curves.expect("curves"), ["bulge 0 0", "bulge 4 1", "bulge 4 0.75", "bulge 7 0"]);
    }

    #[test]
    fn a_small_file_is_not_written_as_millions_of_rows() {
        let mut wave = wave();
        wave.metadata.as_mut().expect("there").frame_count = 1 << 19;
        let long = animation(10, &wave, Style::LIBRARY).build().bytes;
        let rows = |name: &str| rows_of(long.clone(), name, &Parts::default(), &["frame"]);
        assert!(matches!(rows("keys"), Err(ArrayError::Frames { frames: 524_288 })));
        assert_eq!(rows("positions").expect("the keys that are there").len(), 4);
    }

    #[test]
    fn the_arrays_of_poses_have_their_bones_and_curves() {
        let rows = |name: &str, keys: &[&str]| -> Vec<String> {
            let rows = rows_of(pose(10, &faces(), Style::LIBRARY).build().bytes, name, &Parts::default(), keys)
                .expect("an array");
            rows.iter().map(|row| row.join(" ")).collect()
        };
        let poses = rows("poses", &["index", "name", "bones", "curves"]);
        assert_eq!(poses, ["0 bent 2 0", "1 clenched 1 2", "2 curves 0 1"]);
        let bones = rows("bones", &["pose", "name", "x", "y", "z", "qw", "scale_x"]);
        let key = "0.5 -0.25 0 0.70710677 0";
        assert_eq!(bones, [format!("bent Elbow {key}"), format!("bent Hand {key}"), format!("clenched Hand {key}")]);
        let influences = rows("influences", &["pose", "curve_index", "curve", "weight"]);
        assert_eq!(influences, ["clenched 0 bulge 0.5", "clenched 1 fist -0.25", "curves 1 fist 1"]);
    }
}
