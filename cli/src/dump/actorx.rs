//! The columns of the arrays of ActorX files.

use skelmap::actorx::{Bone, Chunk, Config, Psa, Psk, Sequence, Source};
use skelmap::archive::Address;
use skelmap::mapping::Opener;

use super::writer::{Cell, Done, Failure, Writer, floats, integer, name, usage};
use crate::cli::{Dump, What};
use crate::files::side_car;

pub(super) fn of_mesh(mesh: &Psk<'_>, arguments: &Dump, out: &mut Writer) -> Done {
    match arguments.what {
        What::Chunks => chunks(mesh.chunks(), out),
        What::Points => vectors(["index", "x", "y", "z"], mesh.points().iter().map(skelmap::Vec3::get), out),
        What::Normals => vectors(["index", "x", "y", "z"], mesh.normals().iter().map(skelmap::Vec3::get), out),
        What::Tangents => vectors(["index", "x", "y", "z", "w"], mesh.tangents().iter().map(skelmap::Vec4::get), out),
        What::Wedges => wedges(mesh, out),
        What::Faces => faces(mesh, out),
        What::Materials => materials(mesh, out),
        What::Bones => bones(mesh.bones(), out),
        What::Influences => influences(mesh, out),
        What::Colors => colors(mesh, out),
        What::Uvs => uvs(mesh, arguments.set, out),
        What::Morphs => morphs(mesh, out),
        What::Deltas => deltas(mesh, arguments.morph.as_deref(), out),
        What::Sockets => sockets(mesh, out),
        _ => usage(
            "this is an ActorX mesh; it has chunks, points, wedges, faces, materials, bones, influences, colors, uvs, normals, \
             tangents, morphs, deltas and sockets"
                .to_owned(),
        ),
    }
}

fn chunks<'a>(chunks: impl Iterator<Item = Chunk<'a>>, out: &mut Writer) -> Done {
    out.heading(&["id", "type_flag", "record_size", "count", "offset", "bytes"])?;
    for chunk in chunks {
        out.record(&[
            Cell::Text(skelmap::Text::new(chunk.id.as_bytes())),
            integer(chunk.type_flag),
            integer(chunk.record_size),
            integer(chunk.count),
            integer(chunk.offset),
            integer(chunk.body.len()),
        ])?;
    }
    Ok(())
}

/// Vectors with their index in front.
fn vectors<const N: usize, const M: usize>(
    columns: [&'static str; M],
    records: impl Iterator<Item = [f32; N]>,
    out: &mut Writer,
) -> Done {
    out.heading(&columns)?;
    for (index, record) in records.enumerate() {
        let mut cells = [Cell::Nothing; M];
        cells.iter_mut().zip([integer(index)].into_iter().chain(floats(record))).for_each(|(to, from)| *to = from);
        out.record(&cells)?;
    }
    Ok(())
}

fn wedges(mesh: &Psk<'_>, out: &mut Writer) -> Done {
    out.heading(&["index", "point", "u", "v", "material"])?;
    for (index, wedge) in mesh.wedges().iter().enumerate() {
        let [u, v] = floats(wedge.uv());
        out.record(&[integer(index), integer(mesh.point_index(wedge)), u, v, integer(wedge.material())])?;
    }
    Ok(())
}

fn faces(mesh: &Psk<'_>, out: &mut Writer) -> Done {
    out.heading(&["index", "wedge_0", "wedge_1", "wedge_2", "material", "aux_material", "smoothing_groups"])?;
    for (index, face) in mesh.faces().iter().enumerate() {
        let [a, b, c] = face.wedges.map(integer);
        let smoothing = integer(face.smoothing_groups);
        out.record(&[integer(index), a, b, c, integer(face.material), integer(face.aux_material), smoothing])?;
    }
    Ok(())
}

fn materials(mesh: &Psk<'_>, out: &mut Writer) -> Done {
    out.heading(&[
        "index",
        "name",
        "texture_index",
        "poly_flags",
        "aux_material",
        "aux_flags",
        "lod_bias",
        "lod_style",
    ])?;
    for (index, material) in mesh.materials().iter().enumerate() {
        out.record(&[
            integer(index),
            name(material.name()),
            integer(material.texture_index()),
            integer(material.poly_flags()),
            integer(material.aux_material()),
            integer(material.aux_flags()),
            integer(material.lod_bias()),
            integer(material.lod_style()),
        ])?;
    }
    Ok(())
}

fn bones(bones: &[skelmap::actorx::Bone], out: &mut Writer) -> Done {
    out.heading(&[
        "index", "name", "flags", "children", "parent", "qx", "qy", "qz", "qw", "x", "y", "z", "length", "size_x",
        "size_y", "size_z",
    ])?;
    for (index, bone) in bones.iter().enumerate() {
        let ([qx, qy, qz, qw], [x, y, z]) = (floats(bone.rotation()), floats(bone.position()));
        let [size_x, size_y, size_z] = floats(bone.size());
        let (flags, children, parent) =
            (integer(bone.flags()), integer(bone.child_count()), integer(bone.parent_index()));
        let length = Cell::Float(bone.length());
        let (index, name) = (integer(index), name(bone.name()));
        out.record(&[index, name, flags, children, parent, qx, qy, qz, qw, x, y, z, length, size_x, size_y, size_z])?;
    }
    Ok(())
}

fn influences(mesh: &Psk<'_>, out: &mut Writer) -> Done {
    out.heading(&["index", "point", "bone", "weight"])?;
    for (index, influence) in mesh.influences().iter().enumerate() {
        let (point, bone) = (integer(influence.point_index()), integer(influence.bone_index()));
        out.record(&[integer(index), point, bone, Cell::Float(influence.weight())])?;
    }
    Ok(())
}

fn colors(mesh: &Psk<'_>, out: &mut Writer) -> Done {
    out.heading(&["wedge", "r", "g", "b", "a"])?;
    for (wedge, color) in mesh.colors().iter().enumerate() {
        let [r, g, b, a] = color.rgba().map(integer);
        out.record(&[integer(wedge), r, g, b, a])?;
    }
    Ok(())
}

/// The wedges' own UVs are set 0.
fn uvs(mesh: &Psk<'_>, only: Option<usize>, out: &mut Writer) -> Done {
    if let Some(set) = only.filter(|set| *set >= mesh.uv_set_count()) {
        return usage(format!("there is no UV set {set}, the mesh has {}", mesh.uv_set_count()));
    }
    out.heading(&["set", "wedge", "u", "v"])?;
    let mut write = |set: usize, wedge: usize, uv: [f32; 2]| -> Done {
        let [u, v] = floats(uv);
        Ok(out.record(&[integer(set), integer(wedge), u, v])?)
    };
    let wanted = |set: usize| only.is_none_or(|only| only == set);
    for (wedge, record) in mesh.wedges().iter().enumerate().filter(|_| wanted(0)) {
        write(0, wedge, record.uv())?;
    }
    for (set, uvs) in (1..).zip(mesh.extra_uv_sets()).filter(|(set, _)| wanted(*set)) {
        uvs.iter().enumerate().try_for_each(|(wedge, uv)| write(set, wedge, uv.get()))?;
    }
    Ok(())
}

fn morphs(mesh: &Psk<'_>, out: &mut Writer) -> Done {
    out.heading(&["index", "name", "deltas"])?;
    for (index, info) in mesh.morph_infos().iter().enumerate() {
        out.record(&[integer(index), name(info.name()), integer(info.vertex_count())])?;
    }
    Ok(())
}

fn deltas(mesh: &Psk<'_>, only: Option<&str>, out: &mut Writer) -> Done {
    let position = |wanted: &str| mesh.morph_infos().iter().position(|info| info.name().matches(wanted));
    let only = match only.map(|wanted| (wanted, position(wanted))) {
        Some((wanted, None)) => return usage(format!("there is no morph target {wanted:?}")),
        Some((_, found)) => found,
        None => None,
    };
    out.heading(&["morph", "point", "dx", "dy", "dz", "nx", "ny", "nz"])?;
    for (_, morph) in mesh.morphs().enumerate().filter(|(index, _)| only.is_none_or(|only| only == *index)) {
        for delta in morph.deltas {
            let ([dx, dy, dz], [nx, ny, nz]) = (floats(delta.position()), floats(delta.tangent_z()));
            out.record(&[name(morph.info.name()), integer(delta.point_index()), dx, dy, dz, nx, ny, nz])?;
        }
    }
    Ok(())
}

fn sockets(mesh: &Psk<'_>, out: &mut Writer) -> Done {
    out.heading(&["index", "name", "bone", "x", "y", "z", "pitch", "yaw", "roll", "scale_x", "scale_y", "scale_z"])?;
    for (index, socket) in mesh.sockets().iter().enumerate() {
        let ([x, y, z], [pitch, yaw, roll]) = (floats(socket.location()), floats(socket.pitch_yaw_roll()));
        let [scale_x, scale_y, scale_z] = floats(socket.scale());
        let (index, socket_name, bone) = (integer(index), name(socket.name()), name(socket.bone_name()));
        out.record(&[index, socket_name, bone, x, y, z, pitch, yaw, roll, scale_x, scale_y, scale_z])?;
    }
    Ok(())
}

pub(super) fn of_animation(animation: &Psa<'_>, arguments: &Dump, opener: &Opener, out: &mut Writer) -> Done {
    match arguments.what {
        What::Chunks => chunks(animation.chunks(), out),
        What::Bones => bones(animation.bones(), out),
        What::Sequences => sequences(animation, out),
        What::Keys => keys(animation, &Choice::of(animation, arguments)?, out),
        What::ScaleKeys => scale_keys(animation, &Choice::of(animation, arguments)?, out),
        What::Curves => curves(animation, &Choice::of(animation, arguments)?, out),
        What::SideCar => tracks(animation, arguments, opener, out),
        _ => usage(
            "this is an ActorX animation; it has chunks, bones, sequences, keys, scale-keys, curves and side-car"
                .to_owned(),
        ),
    }
}

/// The sequences and bones that are asked for.
struct Choice<'a> {
    sequence: Option<Sequence<'a>>,
    bone: Option<usize>,
}

impl<'a> Choice<'a> {
    fn of(animation: &Psa<'a>, arguments: &Dump) -> Result<Self, Failure> {
        let sequence = match &arguments.sequence {
            None => None,
            Some(name) => match animation.sequence(name) {
                None => return usage(format!("there is no sequence {name:?} (`--what sequences` lists them)")),
                found => found,
            },
        };
        let bone = match &arguments.bone {
            None => None,
            Some(name) => {
                let by_index = || name.parse().ok().filter(|index| *index < animation.bones().len());
                match animation.skeleton().find(name).or_else(by_index) {
                    None => return usage(format!("there is no bone {name:?} (`--what bones` lists them)")),
                    found => found,
                }
            }
        };
        Ok(Self { sequence, bone })
    }

    fn sequences(&self, animation: &Psa<'a>) -> impl Iterator<Item = Sequence<'a>> {
        let all = self.sequence.is_none().then(|| animation.sequences());
        self.sequence.into_iter().chain(all.into_iter().flatten())
    }

    /// The bones asked for, by their index.
    fn bones(&self, animation: &Psa<'a>) -> impl Iterator<Item = (usize, &'a Bone)> + use<'a> {
        let (first, count) = self.bone.map_or((0, usize::MAX), |bone| (bone, 1));
        animation.bones().iter().enumerate().skip(first).take(count)
    }
}

fn sequences(animation: &Psa<'_>, out: &mut Writer) -> Done {
    out.heading(&[
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
    ])?;
    for sequence in animation.sequences() {
        let info = sequence.info();
        out.record(&[
            integer(sequence.index()),
            name(info.name()),
            name(info.group()),
            integer(sequence.first_frame()),
            integer(info.frames()),
            Cell::Float(info.rate()),
            integer(info.total_bones()),
            integer(info.root_include()),
            integer(info.key_compression_style()),
            integer(info.key_quotum()),
            Cell::Float(info.key_reduction()),
            Cell::Float(info.track_time()),
            integer(info.start_bone()),
            integer(info.first_raw_frame()),
        ])?;
    }
    Ok(())
}

fn keys(animation: &Psa<'_>, choice: &Choice<'_>, out: &mut Writer) -> Done {
    out.heading(&["sequence", "frame", "bone_index", "bone", "x", "y", "z", "qx", "qy", "qz", "qw", "time"])?;
    for sequence in choice.sequences(animation) {
        let title = Cell::Text(sequence.name());
        for (frame, keys) in sequence.keys().chunks(sequence.bone_count().max(1)).enumerate() {
            for (index, bone) in choice.bones(animation) {
                let Some(key) = keys.get(index) else { break };
                let ([x, y, z], [qx, qy, qz, qw]) = (floats(key.position()), floats(key.rotation()));
                let time = Cell::Float(key.time());
                out.record(&[title, integer(frame), integer(index), name(bone.name()), x, y, z, qx, qy, qz, qw, time])?;
            }
        }
    }
    Ok(())
}

fn scale_keys(animation: &Psa<'_>, choice: &Choice<'_>, out: &mut Writer) -> Done {
    out.heading(&["sequence", "frame", "bone_index", "bone", "x", "y", "z", "time"])?;
    for sequence in choice.sequences(animation) {
        let title = Cell::Text(sequence.name());
        for (frame, keys) in sequence.scale_keys().chunks(sequence.bone_count().max(1)).enumerate() {
            for (index, bone) in choice.bones(animation) {
                let Some(key) = keys.get(index) else { break };
                let [x, y, z] = floats(key.scale());
                out.record(&[
                    title,
                    integer(frame),
                    integer(index),
                    name(bone.name()),
                    x,
                    y,
                    z,
                    Cell::Float(key.time()),
                ])?;
            }
        }
    }
    Ok(())
}

fn curves(animation: &Psa<'_>, choice: &Choice<'_>, out: &mut Writer) -> Done {
    out.heading(&["chunk", "curve", "frame", "weight"])?;
    let of_sequence = choice.sequence.map(|sequence| animation.curves_of(&sequence));
    let all = choice.sequence.is_none().then(|| animation.curves());
    for chunk in of_sequence.flatten().into_iter().chain(all.into_iter().flatten()) {
        let id = Cell::Text(skelmap::Text::new(chunk.chunk().id.as_bytes()));
        for curve in chunk.curves() {
            for (frame, weight) in curve.weights.iter().enumerate() {
                out.record(&[id, name(curve.name), integer(frame), Cell::Float(weight.get())])?;
            }
        }
    }
    Ok(())
}

/// Where each track's parts come from, as the side-car says.
fn tracks(animation: &Psa<'_>, arguments: &Dump, opener: &Opener, out: &mut Writer) -> Done {
    let Some(side_car) =
        side_car(&Address::find(&arguments.path), opener).map_err(|error| Failure::Unreadable(error.to_string()))?
    else {
        return usage("there is no side-car (.config) beside this file".to_owned());
    };
    let choice = Choice::of(animation, arguments)?;
    let resolved = Config::new(&side_car.bytes).to_resolved(animation.bones());
    out.heading(&["sequence", "bone", "name", "translation", "rotation"])?;
    let word = |source| {
        let word = if source == Source::Mesh { "mesh" } else { "animation" };
        Cell::Text(skelmap::Text::new(word.as_bytes()))
    };
    for sequence in choice.sequences(animation) {
        let sources = resolved.of_sequence(sequence.name());
        for (index, bone) in choice.bones(animation) {
            let Some(track) = sources.get(index) else { break };
            let title = Cell::Text(sequence.name());
            out.record(&[title, integer(index), name(bone.name()), word(track.translation), word(track.rotation)])?;
        }
    }
    Ok(())
}
