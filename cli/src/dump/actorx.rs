//! The columns of the arrays of ActorX files.

use std::io;
use std::rc::Rc;

use skelmap::actorx::{AnimKey, Bone, Chunk, Config, Psa, Psk, ScaleKey, Sequence, Source};
use skelmap::archive::SideCar;
use skelmap::{Text, Vec3};

use super::arguments::{Dump, What};
use super::listed;
use crate::outcome::Failure;
use crate::report::Array;

pub(super) fn mesh<'a>(mesh: Psk<'a>, arguments: &Dump) -> Result<Option<Array<'a>>, Failure> {
    Ok(Some(match arguments.what {
        What::Chunks => chunks(move || mesh.chunks()),
        What::Points => vectors(mesh.points()),
        What::Normals => vectors(mesh.normals()),
        What::Tangents => Array::new(["index", "x", "y", "z", "w"], move || {
            mesh.tangents().iter().enumerate().map(|(index, tangent)| {
                let [x, y, z, w] = tangent.get();
                (index, x, y, z, w)
            })
        }),
        What::Wedges => Array::new(["index", "point", "u", "v", "material"], move || {
            mesh.wedges().iter().enumerate().map(move |(index, wedge)| {
                let [u, v] = wedge.uv();
                (index, mesh.point_index(wedge), u, v, wedge.material())
            })
        }),
        What::Faces => faces(mesh),
        What::Materials => materials(mesh),
        What::Bones => bones(mesh.bones()),
        What::Influences => Array::new(["index", "point", "bone", "weight"], move || {
            mesh.influences()
                .iter()
                .enumerate()
                .map(|(index, influence)| (index, influence.point_index(), influence.bone_index(), influence.weight()))
        }),
        What::Colors => Array::new(["wedge", "r", "g", "b", "a"], move || {
            mesh.colors().iter().enumerate().map(|(wedge, color)| {
                let [r, g, b, a] = color.rgba();
                (wedge, r, g, b, a)
            })
        }),
        What::Uvs => uvs(mesh, arguments.set)?,
        What::Morphs => Array::new(["index", "name", "deltas"], move || {
            mesh.morph_infos().iter().enumerate().map(|(index, info)| (index, info.name(), info.vertex_count()))
        }),
        What::Deltas => deltas(mesh, arguments.morph.as_deref())?,
        What::Sockets => sockets(mesh),
        _ => return Ok(None),
    }))
}

pub(super) fn animation<'a>(
    animation: Psa<'a>,
    arguments: &Dump,
    side_car: impl FnOnce() -> io::Result<Option<SideCar>>,
) -> Result<Option<Array<'a>>, Failure> {
    let choice = || Choice::new(&animation, arguments);
    Ok(Some(match arguments.what {
        What::Chunks => chunks(move || animation.chunks()),
        What::Bones => bones(animation.bones()),
        What::Sequences => sequences(animation),
        What::Keys => keys(animation, choice()?),
        What::ScaleKeys => scale_keys(animation, choice()?),
        What::Curves => curves(animation, choice()?),
        What::SideCar => {
            let found = side_car().map_err(Failure::findings)?;
            let missing = || Failure::usage("there is no side-car (.config) beside this file");
            tracks(animation, choice()?, &found.ok_or_else(missing)?)
        }
        _ => return Ok(None),
    }))
}

fn chunks<'a, I: Iterator<Item = Chunk<'a>> + 'a>(chunks: impl Fn() -> I + 'a) -> Array<'a> {
    Array::new(["id", "type_flag", "record_size", "count", "offset", "bytes"], move || {
        chunks().map(|chunk| {
            let Chunk { id, type_flag, record_size, count, offset, body, .. } = chunk;
            (Text::new(id.as_bytes()).to_string(), type_flag, record_size, count, offset, body.len())
        })
    })
}

fn vectors(vectors: &[Vec3]) -> Array<'_> {
    Array::new(["index", "x", "y", "z"], move || {
        vectors.iter().enumerate().map(|(index, vector)| {
            let [x, y, z] = vector.get();
            (index, x, y, z)
        })
    })
}

fn faces(mesh: Psk<'_>) -> Array<'_> {
    let keys = ["index", "wedge_0", "wedge_1", "wedge_2", "material", "aux_material", "smoothing_groups"];
    Array::new(keys, move || {
        mesh.faces().iter().enumerate().map(|(index, face)| {
            let [a, b, c] = face.wedges;
            (index, a, b, c, face.material, face.aux_material, face.smoothing_groups)
        })
    })
}

fn materials(mesh: Psk<'_>) -> Array<'_> {
    let keys = ["index", "name", "texture_index", "poly_flags", "aux_material", "aux_flags", "lod_bias", "lod_style"];
    Array::new(keys, move || {
        mesh.materials().iter().enumerate().map(|(index, material)| {
            let (texture, aux, style) = (material.texture_index(), material.aux_material(), material.lod_style());
            let (flags, aux_flags, bias) = (material.poly_flags(), material.aux_flags(), material.lod_bias());
            (index, material.name(), texture, flags, aux, aux_flags, bias, style)
        })
    })
}

fn bones(bones: &[Bone]) -> Array<'_> {
    let keys = [
        "index", "name", "flags", "children", "parent", "qx", "qy", "qz", "qw", "x", "y", "z", "length", "size_x",
        "size_y", "size_z",
    ];
    Array::new(keys, move || {
        bones.iter().enumerate().map(|(index, bone)| {
            let ([qx, qy, qz, qw], [x, y, z]) = (bone.rotation(), bone.translation());
            let (name, flags, [size_x, size_y, size_z]) = (bone.name(), bone.flags(), bone.size());
            let (children, parent, length) = (bone.child_count(), bone.parent_index(), bone.length());
            (index, name, flags, children, parent, qx, qy, qz, qw, x, y, z, length, size_x, size_y, size_z)
        })
    })
}

/// The UVs of the wedges themselves are set 0.
fn uvs(mesh: Psk<'_>, only: Option<usize>) -> Result<Array<'_>, Failure> {
    let sets = mesh.uv_set_count();
    if let Some(set) = only.filter(|set| *set >= sets) {
        return Err(Failure::usage(format!("there is no UV set {set}, the mesh has {sets}")));
    }
    let is_wanted = move |set: usize| only.is_none_or(|only| only == set);
    Ok(Array::new(["set", "wedge", "u", "v"], move || {
        let first = mesh.wedges().iter().enumerate().filter(move |_| is_wanted(0));
        let first = first.map(|(wedge, record)| (0, wedge, record.uv()));
        let sets = (1..).zip(mesh.extra_uv_sets()).filter(move |(set, _)| is_wanted(*set));
        let others = sets.flat_map(|(set, uvs)| uvs.iter().enumerate().map(move |(wedge, uv)| (set, wedge, uv.get())));
        first.chain(others).map(|(set, wedge, [u, v])| (set, wedge, u, v))
    }))
}

fn deltas<'a>(mesh: Psk<'a>, only: Option<&str>) -> Result<Array<'a>, Failure> {
    let find = |wanted: &str| {
        let found = mesh.morph_infos().iter().position(|info| info.name().matches(wanted));
        found.ok_or_else(|| Failure::usage(format!("there is no morph target {wanted:?}")))
    };
    let (first, most) = only.map(find).transpose()?.map_or((0, usize::MAX), |morph| (morph, 1));
    Ok(Array::new(["morph", "point", "dx", "dy", "dz", "nx", "ny", "nz"], move || {
        mesh.morphs().skip(first).take(most).flat_map(|morph| {
            morph.deltas.iter().map(move |delta| {
                let ([dx, dy, dz], [nx, ny, nz]) = (delta.position(), delta.tangent_z());
                (morph.info.name(), delta.point_index(), dx, dy, dz, nx, ny, nz)
            })
        })
    }))
}

fn sockets(mesh: Psk<'_>) -> Array<'_> {
    let keys = ["index", "name", "bone", "x", "y", "z", "pitch", "yaw", "roll", "scale_x", "scale_y", "scale_z"];
    Array::new(keys, move || {
        mesh.sockets().iter().enumerate().map(|(index, socket)| {
            let ([x, y, z], [pitch, yaw, roll]) = (socket.location(), socket.pitch_yaw_roll());
            let ([sx, sy, sz], name, bone) = (socket.scale(), socket.name(), socket.bone_name());
            (index, name, bone, x, y, z, pitch, yaw, roll, sx, sy, sz)
        })
    })
}

/// The sequences and bones that the arguments select.
#[derive(Clone)]
struct Choice<'a> {
    /// All, if it is empty: there may be a million.
    sequences: Rc<[Sequence<'a>]>,
    bones: Rc<[usize]>,
}

impl<'a> Choice<'a> {
    fn new(animation: &Psa<'a>, arguments: &Dump) -> Result<Self, Failure> {
        let find_sequence = |name: &String| {
            let missing = || Failure::usage(format!("there is no sequence {name:?} (`--what sequences` lists them)"));
            animation.sequence(name).ok_or_else(missing)
        };
        let find_bone = |name: &String| {
            let by_index = || name.parse().ok().filter(|index| *index < animation.bones().len());
            let missing = || Failure::usage(format!("there is no bone {name:?} (`--what bones` lists them)"));
            animation.skeleton().find(name).or_else(by_index).ok_or_else(missing)
        };
        let sequences = arguments.sequence.iter().map(find_sequence).collect::<Result<_, _>>()?;
        let bones = match arguments.bone.as_slice() {
            [] => (0..animation.bones().len()).collect(),
            names => names.iter().map(find_bone).collect::<Result<_, _>>()?,
        };
        Ok(Self { sequences, bones })
    }

    fn sequences(&self, animation: Psa<'a>) -> impl Iterator<Item = Sequence<'a>> + use<'a> {
        let all = self.sequences.is_empty().then(|| animation.sequences());
        listed(&self.sequences).chain(all.into_iter().flatten())
    }

    /// The selected bones with their index.
    fn bones(&self, animation: Psa<'a>) -> impl Iterator<Item = (usize, &'a Bone)> + use<'a> {
        listed(&self.bones).filter_map(move |index| Some((index, animation.bones().get(index)?)))
    }
}

fn sequences(animation: Psa<'_>) -> Array<'_> {
    let keys = [
        "index",
        "name",
        "group",
        "first_frame",
        "frames",
        "rate",
        "total_bones",
        "root_include",
        "key_compression_style",
        "key_quotum",
        "key_reduction",
        "track_time",
        "start_bone",
        "first_raw_frame",
    ];
    Array::new(keys, move || {
        animation.sequences().map(|sequence| {
            let info = sequence.info();
            let (index, name, group) = (sequence.index(), info.name(), info.group());
            let (first, frames, rate, bones) = (sequence.first_frame(), info.frames(), info.rate(), info.total_bones());
            let (root, style, quotum) = (info.root_include(), info.key_compression_style(), info.key_quotum());
            let (reduction, time) = (info.key_reduction(), info.track_time());
            let (start, raw) = (info.start_bone(), info.first_raw_frame());
            (index, name, group, first, frames, rate, bones, root, style, quotum, reduction, time, start, raw)
        })
    })
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
    let chosen = Rc::clone(&choice.bones);
    choice.sequences(animation).flat_map(move |own| {
        let (sequence, rate, bones) = (own.name(), own.rate(), animation.bones());
        let chosen = Rc::clone(&chosen);
        keys(&own).chunks(own.bone_count().max(1)).enumerate().flat_map(move |(frame, keys)| {
            listed(&chosen).filter_map(move |index| {
                let (bone, key) = (bones.get(index)?, keys.get(index)?);
                Some(Keyed { sequence, rate, frame, index, bone, key })
            })
        })
    })
}

#[expect(clippy::cast_precision_loss, reason = "no file has 2^53 frames")]
fn keys<'a>(animation: Psa<'a>, choice: Choice<'a>) -> Array<'a> {
    let keys = ["sequence", "frame", "bone_index", "bone", "x", "y", "z", "qx", "qy", "qz", "qw", "time", "seconds"];
    let row = |Keyed { sequence, rate, frame, index, bone, key }: &Keyed<'a, AnimKey>| {
        let ([x, y, z], [qx, qy, qz, qw]) = (key.translation(), key.rotation());
        let seconds = rate.map(|rate| *frame as f64 / rate);
        (*sequence, *frame, *index, bone.name(), x, y, z, qx, qy, qz, qw, key.time(), seconds)
    };
    Array::mapped(keys, move || keyed(animation, &choice, Sequence::keys), row)
}

fn scale_keys<'a>(animation: Psa<'a>, choice: Choice<'a>) -> Array<'a> {
    let row = |Keyed { sequence, frame, index, bone, key, .. }: &Keyed<'a, ScaleKey>| {
        let [x, y, z] = key.scale();
        (*sequence, *frame, *index, bone.name(), x, y, z, key.time())
    };
    let keys = ["sequence", "frame", "bone_index", "bone", "x", "y", "z", "time"];
    Array::mapped(keys, move || keyed(animation, &choice, Sequence::scale_keys), row)
}

fn curves<'a>(animation: Psa<'a>, choice: Choice<'a>) -> Array<'a> {
    Array::new(["chunk", "curve", "frame", "weight"], move || {
        let of_sequences = listed(&choice.sequences).filter_map(move |sequence| animation.curves_of(&sequence));
        let all = choice.sequences.is_empty().then(|| animation.curves());
        let chunks = of_sequences.chain(all.into_iter().flatten());
        chunks.flat_map(|chunk| {
            let id = Text::new(chunk.chunk().id.as_bytes()).to_string();
            chunk.curves().flat_map(move |curve| {
                let id = id.clone();
                let weights = curve.weights.iter().enumerate();
                weights.map(move |(frame, weight)| (id.clone(), curve.name, frame, weight.get()))
            })
        })
    })
}

/// Where each track's translation and rotation come from, by the side-car.
fn tracks<'a>(animation: Psa<'a>, choice: Choice<'a>, side_car: &SideCar) -> Array<'a> {
    let resolved = Rc::new(Config::new(&side_car.bytes).to_resolved(animation.bones()));
    let word = |source| if source == Source::Mesh { "mesh" } else { "animation" };
    Array::new(["sequence", "bone", "name", "translation", "rotation"], move || {
        let (resolved, choice) = (Rc::clone(&resolved), choice.clone());
        choice.sequences(animation).flat_map(move |sequence| {
            let sources = resolved.of_sequence(sequence.name());
            let tracks = choice.bones(animation).filter_map(|(index, bone)| {
                let track = sources.get(index)?;
                Some((sequence.name(), index, bone.name(), word(track.translation), word(track.rotation)))
            });
            tracks.collect::<Vec<_>>()
        })
    })
}
