//! The columns of the arrays of ActorX files.

use std::io;
use std::sync::Arc;

use skelmap::actorx::{AnimKey, Bone, Chunk, Config, Psa, Psk, ScaleKey, Sequence, Source};
use skelmap::archive::SideCar;
use skelmap::{Text, Vec3};

use super::{
    ArrayError, ArrayTable, BONE_POSITION, FRAME, INDEX, MATERIAL, POSITION, Part, Parts, ROTATION, SECONDS, SET, U, V,
    axes, check_set, indexed, listed, name, number, position, stored,
};
use crate::report::{Column, Records, float, integer, records, text};

/// The arrays of meshes.
pub(super) const MESH: &[ArrayTable] = &[
    ArrayTable::new("chunks", &[&CHUNK]),
    ArrayTable::new("points", &[&[INDEX], &POSITION]),
    ArrayTable::new("wedges", &[&[INDEX, integer("point").means("the index of the point"), U, V, MATERIAL]]),
    ArrayTable::new("faces", &[&FACE]),
    ArrayTable::new("materials", &[&MATERIALS]),
    ArrayTable::new("bones", BONE),
    ArrayTable::new("influences", &[&INFLUENCE]).aliases(&["weights"]),
    ArrayTable::new("colors", &[&COLOR]).aliases(&["colours"]),
    ArrayTable::new("uvs", &[&[SET, WEDGE_INDEX, U, V]]).parts(&[Part::Set]),
    ArrayTable::new("normals", &[&[INDEX], &axes!(number, "", "the normal", "")]),
    ArrayTable::new("tangents", &[&[INDEX], &axes!(number, "", "the tangent", ""), &[SIGN]]),
    ArrayTable::new("morphs", &[&MORPH]),
    ArrayTable::new("deltas", DELTA).parts(&[Part::Morph]),
    ArrayTable::new("sockets", SOCKET),
];

/// The arrays of animations.
pub(super) const ANIMATION: &[ArrayTable] = &[
    ArrayTable::new("chunks", &[&CHUNK]),
    ArrayTable::new("bones", BONE),
    ArrayTable::new("sequences", &[&SEQUENCE]),
    ArrayTable::new("keys", &[&KEY, &BONE_POSITION, &ROTATION, &[TIME, SECONDS]]).parts(&[Part::Sequence, Part::Bone]),
    ArrayTable::new("scale-keys", &[&KEY, &FACTORS, &[TIME]]).parts(&[Part::Sequence, Part::Bone]),
    ArrayTable::new("curves", &[&CURVE]).parts(&[Part::Sequence]),
    ArrayTable::new("side-car", &[&TRACK]).parts(&[Part::Sequence, Part::Bone]),
];

/// The columns of chunks, also in `info`.
pub const CHUNK: [Column; 6] = [
    text("id").titled("chunk").means("the id of the chunk"),
    stored("type_flag", "the flag in the header of the chunk").titled("type flag"),
    stored("record_size", "the size of a record, as the header says").titled("record size").unit("bytes"),
    stored("count", "the number of records, as the header says"),
    integer("offset").means("the byte of the file at which the chunk begins"),
    integer("bytes").unit("bytes").means("the size of the records"),
];
const SIGN: Column = float("w").means("the sign of the bitangent");
const FACE: [Column; 7] = [
    INDEX,
    integer("wedge_0").means("the index of the first wedge of the face"),
    integer("wedge_1").means("the index of the second wedge"),
    integer("wedge_2").means("the index of the third wedge"),
    MATERIAL,
    integer("aux_material").means("a second material, which no known program uses"),
    integer("smoothing_groups").means("bits: faces with a bit in common are smooth at their common edge"),
];
const MATERIALS: [Column; 8] = [
    INDEX,
    name("the name of the material"),
    stored("texture_index", "the index of the texture, usually that of the material"),
    integer("poly_flags").means("flags of the engine: two-sided, translucent, masked and so on"),
    stored("aux_material", "a second material, which no known program uses"),
    integer("aux_flags").means("further flags, which no known program uses"),
    stored("lod_bias", "the bias of the level of detail"),
    stored("lod_style", "the style of the level of detail"),
];
const BONE: &[&[Column]] = &[
    &[
        INDEX,
        name("the name of the bone"),
        integer("flags").means("the flags of the bone"),
        stored("children", "the number of children, as stored"),
        stored("parent", "the index of the parent bone; of a root, its own index or 0"),
    ],
    &ROTATION,
    &BONE_POSITION,
    &[position("length", "the length of the bone")],
    &axes!(position, "size_", "the size of the bone", ""),
];
const INFLUENCE: [Column; 4] = [
    INDEX,
    stored("point", "the index of the point"),
    stored("bone", "the index of the bone"),
    float("weight").means("the weight of the bone for the point, from 0 to 1"),
];
const COLOR: [Column; 5] = [
    WEDGE_INDEX,
    integer("r").means("red, from 0 to 255"),
    integer("g").means("green, from 0 to 255"),
    integer("b").means("blue, from 0 to 255"),
    integer("a").means("opacity, from 0 to 255"),
];
const WEDGE_INDEX: Column = integer("wedge").means("the index of the wedge");
const MORPH: [Column; 3] =
    [INDEX, name("the name of the morph target"), stored("deltas", "the number of points that the morph target moves")];
const DELTA: &[&[Column]] = &[
    &[text("morph").means("the name of the morph target"), stored("point", "the index of the point")],
    &axes!(position, "d", "the movement of the point", ""),
    &axes!(number, "n", "the change of the normal", ""),
];
const SOCKET: &[&[Column]] = &[
    &[INDEX, name("the name of the socket"), text("bone").means("the name of the bone")],
    &axes!(position, "", "the position", ", relative to the bone"),
    &[
        float("pitch").unit("degrees").means("the rotation about the side axis, relative to the bone"),
        float("yaw").unit("degrees").means("the rotation about the up axis"),
        float("roll").unit("degrees").means("the rotation about the front axis"),
    ],
    &axes!(number, "scale_", "the factor", ""),
];
const SEQUENCE: [Column; 14] = [
    INDEX,
    name("the name of the sequence"),
    text("group").means("the name of its group"),
    integer("first_frame").means("the frame of the file with which the sequence begins"),
    stored("frames", "the number of frames of the sequence"),
    float("rate").unit("frames per second").means("the rate of the sequence, as stored"),
    stored("total_bones", "the number of bones, as stored"),
    stored("root_include", "1 for a sequence with scale keys; any number from some programs"),
    stored("key_compression_style", "0 in every file seen"),
    stored("key_quotum", "the number of keys, as stored: frames times bones"),
    float("key_reduction").means("0 or 1"),
    float("track_time").means("frames or seconds, by the program that wrote it"),
    stored("start_bone", "0 in every file seen"),
    stored("first_raw_frame", "the first frame, as stored"),
];
const SEQUENCE_NAME: Column = text("sequence").means("the name of the sequence");
const TIME: Column = float("time").means("the time field of the key, in which writers disagree");
const KEY: [Column; 4] = [
    SEQUENCE_NAME,
    FRAME,
    integer("bone_index").means("the index of the bone, from 0"),
    text("bone").means("the name of the bone"),
];
const FACTORS: [Column; 3] = axes!(number, "", "the factor", "");
const CURVE: [Column; 4] = [
    text("chunk").means("the chunk that has the curve"),
    text("curve").means("the name of the curve"),
    FRAME,
    float("weight").means("the value of the curve in the frame"),
];
const TRACK: [Column; 5] = [
    SEQUENCE_NAME,
    integer("bone").means("the index of the bone, from 0"),
    name("the name of the bone"),
    text("translation")
        .means("the source of the translations: the track in the animation, or the bind pose of the mesh"),
    text("rotation").means("the source of the rotations: animation or mesh"),
];

pub(super) fn mesh<'a>(mesh: Psk<'a>, name: &str, parts: &Parts) -> Result<Option<Records<'a>>, ArrayError> {
    Ok(Some(match name {
        "chunks" => chunks(move || mesh.chunks()),
        "points" => vectors(mesh.points()),
        "normals" => vectors(mesh.normals()),
        "tangents" => indexed(mesh.tangents(), |tangent, record| {
            record.all(tangent.get());
        }),
        "wedges" => indexed(mesh.wedges(), move |wedge, record| {
            record.add(mesh.point_index(wedge)).all(wedge.uv()).add(wedge.material());
        }),
        "faces" => records(
            move || mesh.faces().iter().enumerate(),
            |(index, face), record| {
                record
                    .add(*index)
                    .all(face.wedges)
                    .add(face.material)
                    .add(face.aux_material)
                    .add(face.smoothing_groups);
            },
        ),
        "materials" => indexed(mesh.materials(), |material, record| {
            record.add(material.name()).add(material.texture_index()).add(material.poly_flags());
            record.add(material.aux_material()).add(material.aux_flags()).add(material.lod_bias());
            record.add(material.lod_style());
        }),
        "bones" => bones(mesh.bones()),
        "influences" => indexed(mesh.influences(), |influence, record| {
            record.add(influence.point_index()).add(influence.bone_index()).add(influence.weight());
        }),
        "colors" => indexed(mesh.colors(), |color, record| {
            record.all(color.rgba());
        }),
        "uvs" => uvs(mesh, parts.set)?,
        "morphs" => indexed(mesh.morph_infos(), |info, record| {
            record.add(info.name()).add(info.vertex_count());
        }),
        "deltas" => deltas(mesh, parts.morph.as_deref())?,
        "sockets" => indexed(mesh.sockets(), |socket, record| {
            record.add(socket.name()).add(socket.bone_name());
            record.all(socket.location()).all(socket.pitch_yaw_roll()).all(socket.scale());
        }),
        _ => return Ok(None),
    }))
}

pub(super) fn animation<'a>(
    animation: Psa<'a>,
    name: &str,
    parts: &Parts,
    side_car: impl FnOnce() -> io::Result<Option<SideCar>>,
) -> Result<Option<Records<'a>>, ArrayError> {
    let choice = || Choice::new(&animation, parts);
    Ok(Some(match name {
        "chunks" => chunks(move || animation.chunks()),
        "bones" => bones(animation.bones()),
        "sequences" => sequences(animation),
        "keys" => keys(animation, choice()?),
        "scale-keys" => scale_keys(animation, choice()?),
        "curves" => curves(animation, choice()?),
        "side-car" => tracks(animation, choice()?, &side_car()?.ok_or(ArrayError::NoSideCar)?),
        _ => return Ok(None),
    }))
}

fn chunks<'a, I: Iterator<Item = Chunk<'a>> + 'a>(chunks: impl Fn() -> I + Send + Sync + 'a) -> Records<'a> {
    records(chunks, |chunk, record| {
        record.add(Text::new(chunk.id.as_bytes())).add(chunk.type_flag).add(chunk.record_size);
        record.add(chunk.count).add(chunk.offset).add(chunk.body.len());
    })
}

fn vectors(vectors: &[Vec3]) -> Records<'_> {
    indexed(vectors, |vector, record| {
        record.all(vector.get());
    })
}

fn bones(bones: &[Bone]) -> Records<'_> {
    indexed(bones, |bone, record| {
        record.add(bone.name()).add(bone.flags()).add(bone.child_count()).add(bone.parent_index());
        record.all(bone.rotation()).all(bone.translation()).add(bone.length()).all(bone.size());
    })
}

/// The UVs of the wedges themselves are set 0.
fn uvs(mesh: Psk<'_>, only: Option<usize>) -> Result<Records<'_>, ArrayError> {
    check_set(only, mesh.uv_set_count())?;
    let is_wanted = move |set: usize| only.is_none_or(|only| only == set);
    let items = move || {
        let first = mesh.wedges().iter().enumerate().filter(move |_| is_wanted(0));
        let first = first.map(|(wedge, record)| (0, wedge, record.uv()));
        let sets = (1..).zip(mesh.extra_uv_sets()).filter(move |(set, _)| is_wanted(*set));
        first.chain(sets.flat_map(|(set, uvs)| uvs.iter().enumerate().map(move |(wedge, uv)| (set, wedge, uv.get()))))
    };
    Ok(records(items, |(set, wedge, uv), record| {
        record.add(*set).add(*wedge).all(*uv);
    }))
}

fn deltas<'a>(mesh: Psk<'a>, only: Option<&str>) -> Result<Records<'a>, ArrayError> {
    let find = |wanted: &str| {
        let found = mesh.morph_infos().iter().position(|info| info.name().matches(wanted));
        found.ok_or_else(|| ArrayError::Morph(wanted.to_owned()))
    };
    let (first, most) = only.map(find).transpose()?.map_or((0, usize::MAX), |morph| (morph, 1));
    let items = move || {
        let morphs = mesh.morphs().skip(first).take(most);
        morphs.flat_map(|morph| morph.deltas.iter().map(move |delta| (morph.info, delta)))
    };
    Ok(records(items, |(info, delta), record| {
        record.add(info.name()).add(delta.point_index()).all(delta.position()).all(delta.tangent_z());
    }))
}

/// The sequences and bones that the arguments select.
#[derive(Clone)]
struct Choice<'a> {
    /// All, if it is empty: there may be a million.
    sequences: Arc<[Sequence<'a>]>,
    bones: Arc<[usize]>,
}

impl<'a> Choice<'a> {
    fn new(animation: &Psa<'a>, parts: &Parts) -> Result<Self, ArrayError> {
        let find_sequence = |name: &String| animation.sequence(name).ok_or_else(|| ArrayError::Sequence(name.clone()));
        let find_bone = |name: &String| {
            let by_index = || name.parse().ok().filter(|index| *index < animation.bones().len());
            animation.skeleton().find(name).or_else(by_index).ok_or_else(|| ArrayError::Bone(name.clone()))
        };
        let sequences = parts.sequences.iter().map(find_sequence).collect::<Result<_, _>>()?;
        let bones = match parts.bones.as_slice() {
            [] => (0..animation.bones().len()).collect(),
            names => names.iter().map(find_bone).collect::<Result<_, _>>()?,
        };
        Ok(Self { sequences, bones })
    }

    fn sequences(&self, animation: Psa<'a>) -> impl Iterator<Item = Sequence<'a>> + use<'a> {
        let all = self.sequences.is_empty().then(|| animation.sequences());
        listed(&self.sequences).chain(all.into_iter().flatten())
    }
}

fn sequences(animation: Psa<'_>) -> Records<'_> {
    records(
        move || animation.sequences(),
        |sequence, record| {
            let info = sequence.info();
            record.add(sequence.index()).add(info.name()).add(info.group()).add(sequence.first_frame());
            record.add(info.frames()).add(info.rate()).add(info.total_bones()).add(info.root_include());
            record.add(info.key_compression_style()).add(info.key_quotum()).add(info.key_reduction());
            record.add(info.track_time()).add(info.start_bone()).add(info.first_raw_frame());
        },
    )
}

/// The key of a bone in a frame. There are millions of them.
#[derive(Clone, Copy)]
struct Keyed<'a, K> {
    sequence: Text<'a>,
    rate: Option<f64>,
    frame: usize,
    index: usize,
    bone: &'a Bone,
    key: &'a K,
}

/// The key of each selected bone in each frame of the selected sequences, out of all keys of a sequence.
fn keyed<'a, K: 'a>(
    animation: Psa<'a>,
    choice: &Choice<'a>,
    keys: fn(&Sequence<'a>) -> &'a [K],
) -> impl Iterator<Item = Keyed<'a, K>> + use<'a, K> {
    let chosen = Arc::clone(&choice.bones);
    choice.sequences(animation).flat_map(move |own| {
        let (sequence, rate, bones) = (own.name(), own.rate(), animation.bones());
        let chosen = Arc::clone(&chosen);
        keys(&own).chunks(own.bone_count().max(1)).enumerate().flat_map(move |(frame, keys)| {
            listed(&chosen).filter_map(move |index| {
                let (bone, key) = (bones.get(index)?, keys.get(index)?);
                Some(Keyed { sequence, rate, frame, index, bone, key })
            })
        })
    })
}

#[expect(clippy::cast_precision_loss, reason = "no file has 2^53 frames")]
fn keys<'a>(animation: Psa<'a>, choice: Choice<'a>) -> Records<'a> {
    let items = move || keyed(animation, &choice, Sequence::keys);
    records(items, |Keyed { sequence, rate, frame, index, bone, key }: &Keyed<'a, AnimKey>, record| {
        record.add(*sequence).add(*frame).add(*index).add(bone.name());
        record.all(key.translation()).all(key.rotation()).add(key.time());
        record.add(rate.map(|rate| *frame as f64 / rate));
    })
}

fn scale_keys<'a>(animation: Psa<'a>, choice: Choice<'a>) -> Records<'a> {
    let items = move || keyed(animation, &choice, Sequence::scale_keys);
    records(items, |Keyed { sequence, frame, index, bone, key, .. }: &Keyed<'a, ScaleKey>, record| {
        record.add(*sequence).add(*frame).add(*index).add(bone.name()).all(key.scale()).add(key.time());
    })
}

fn curves<'a>(animation: Psa<'a>, choice: Choice<'a>) -> Records<'a> {
    let items = move || {
        let of_sequences = listed(&choice.sequences).filter_map(move |sequence| animation.curves_of(&sequence));
        let all = choice.sequences.is_empty().then(|| animation.curves());
        of_sequences.chain(all.into_iter().flatten()).flat_map(|chunk| {
            let id = Text::new(chunk.chunk().id.as_bytes());
            chunk.curves().flat_map(move |curve| {
                curve.weights.iter().enumerate().map(move |(frame, weight)| (id, curve.name, frame, weight.get()))
            })
        })
    };
    records(items, |(id, name, frame, weight), record| {
        record.add(*id).add(*name).add(*frame).add(*weight);
    })
}

/// Where each track's translation and rotation come from, by the side-car.
fn tracks<'a>(animation: Psa<'a>, choice: Choice<'a>, side_car: &SideCar) -> Records<'a> {
    let resolved = Arc::new(Config::new(&side_car.bytes).to_resolved(animation.bones()));
    let items = move || {
        let (resolved, chosen) = (Arc::clone(&resolved), Arc::clone(&choice.bones));
        choice.sequences(animation).flat_map(move |sequence| {
            let sources = resolved.of_sequence(sequence.name());
            let track = |index| Some((sequence.name(), index, animation.bones().get(index)?, sources.get(index)?));
            listed(&chosen).filter_map(track).collect::<Vec<_>>()
        })
    };
    let word = |source| if source == Source::Mesh { "mesh" } else { "animation" };
    records(items, move |(sequence, index, bone, track), record| {
        record.add(*sequence).add(*index).add(bone.name()).add(word(track.translation)).add(word(track.rotation));
    })
}
