//! The details of ActorX files.

use std::sync::Arc;

use skelmap::actorx::{Chunk, Chunks, Config, Psa, Psk};
use skelmap::archive::SideCar;
use skelmap::model::{Bone, Skeleton};
use skelmap_batch::arrays::CHUNK;

use super::details::{BONE, Details};
use crate::report::{Cell, Column, Rows, Values, boolean, cells, double, integer, text};
use skelmap_batch::columns::seconds;

pub(super) const MATERIAL: [Column; 2] = [integer("index").titled("#"), text("name").titled("material")];
pub(super) const MORPH: [Column; 2] = [
    text("name").titled("morph").means("the name of the morph target"),
    integer("deltas").means("the number of points that the morph target moves"),
];
pub(super) const SOCKET: [Column; 2] =
    [text("name").titled("socket").means("the name of the socket"), text("bone").means("the name of the bone")];
pub(super) const SEQUENCE: [Column; 8] = [
    integer("index").titled("#").means("the index of the sequence, from 0"),
    text("name").titled("sequence").means("the name of the sequence"),
    integer("first_frame")
        .of(Values::Integer)
        .titled("first frame")
        .means("the frame of the file with which the sequence begins"),
    integer("frames").means("the number of frames"),
    double("rate").titled("fps").nullable().unit("frames per second").means("the rate, as stored"),
    seconds("duration_s").nullable().means("the duration"),
    boolean("scale_keys").titled("scale keys").means("whether the sequence has scale keys"),
    integer("tracks_from_mesh")
        .titled("tracks from mesh")
        .nullable()
        .means("tracks that the side-car takes from the mesh"),
];
pub(super) const SIDE_CAR: [Column; 3] = [
    text("path").titled("file").means("the file or entry"),
    integer("bytes").unit("bytes").means("the size of the file"),
    integer("lines").means("the number of lines with a setting"),
];

/// The chunks of a file, up to the first that is damaged.
pub(super) fn chunks(bytes: &[u8]) -> Rows<'_> {
    Rows::of(CHUNK, move || {
        Chunks::new(bytes).map_while(Result::ok).map(|chunk| {
            let Chunk { id, type_flag, record_size, count, offset, body, .. } = chunk;
            cells![Cell::display(id), type_flag, record_size, count, offset, body.len()]
        })
    })
}

pub(super) fn mesh(mesh: Psk<'_>) -> Details<'_> {
    let materials = Rows::of(MATERIAL, move || {
        mesh.materials().iter().enumerate().map(|(index, material)| cells![index, material.name()])
    });
    let morphs = Rows::of(MORPH, move || mesh.morphs().map(|morph| cells![morph.info.name(), morph.deltas.len()]));
    let sockets =
        Rows::of(SOCKET, move || mesh.sockets().iter().map(|socket| cells![socket.name(), socket.bone_name()]));
    let lists =
        vec![("chunks", chunks(mesh.bytes())), ("materials", materials), ("morphs", morphs), ("sockets", sockets)];
    Details { lists, ..Details::default() }
}

pub(super) fn animation<'a>(animation: Psa<'a>, side_car: Option<&'a SideCar>) -> Details<'a> {
    let resolved = side_car.map(|side_car| Arc::new(Config::new(&side_car.bytes).to_resolved(animation.bones())));
    let sequences = Rows::of(SEQUENCE, move || {
        let resolved = resolved.clone();
        animation.sequences().map(move |sequence| {
            let (name, frames) = (sequence.name(), sequence.frame_count());
            let from_mesh = resolved.as_ref().map(|resolved| resolved.tracks_from_mesh(name));
            let (first, rate, seconds) = (sequence.first_frame(), sequence.rate(), sequence.duration());
            cells![sequence.index(), name, first, frames, rate, seconds, sequence.has_scale_keys(), from_mesh]
        })
    });
    let mut lists = vec![("chunks", chunks(animation.bytes())), ("sequences", sequences)];
    lists.extend(side_car.map(|side_car| ("side_car", side_car_rows(side_car))));
    Details { lists, ..Details::default() }
}

/// The bones with the index of the parent, which people get by its name.
pub(super) fn bones(skeleton: Skeleton<'_>) -> Rows<'_> {
    Rows::of(BONE, move || {
        let names: Vec<_> = skeleton.bones().map(|bone| bone.name).collect();
        skeleton.bones().enumerate().map(move |(index, Bone { name, parent, .. })| {
            let named = parent.and_then(|parent| Some(format!("{parent} {}", names.get(parent).copied().flatten()?)));
            cells![index, name, parent, named]
        })
    })
}

fn side_car_rows(side_car: &SideCar) -> Rows<'_> {
    Rows::of(SIDE_CAR, move || {
        let lines = Config::new(&side_car.bytes).entries().count();
        std::iter::once(cells![side_car.address.to_string(), side_car.bytes.len(), lines])
    })
}
