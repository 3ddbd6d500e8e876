//! The details of ActorX files.

use std::rc::Rc;

use skelmap::actorx::{Chunk, Chunks, Config, Psa, Psk};
use skelmap::archive::SideCar;

use super::details::{Details, bones};
use crate::report::{Cell, Rows, cells, integer, text};
use crate::row::seconds;

/// The chunks of a file, up to the first that is damaged.
pub(super) fn chunks(bytes: &[u8]) -> Rows<'_> {
    let columns = [
        text("id").titled("chunk"),
        integer("type_flag").titled("type flag"),
        integer("record_size").titled("record size"),
        integer("count"),
        integer("offset"),
        integer("bytes"),
    ];
    Rows::of(columns, move || {
        Chunks::new(bytes).map_while(Result::ok).map(|chunk| {
            let Chunk { id, type_flag, record_size, count, offset, body, .. } = chunk;
            cells![Cell::display(id), type_flag, record_size, count, offset, body.len()]
        })
    })
}

pub(super) fn mesh(mesh: Psk<'_>) -> Details<'_> {
    let materials = Rows::of([integer("index").titled("#"), text("name").titled("material")], move || {
        mesh.materials().iter().enumerate().map(|(index, material)| cells![index, material.name()])
    });
    let morphs = Rows::of([text("name").titled("morph"), integer("deltas")], move || {
        mesh.morphs().map(|morph| cells![morph.info.name(), morph.deltas.len()])
    });
    let sockets = Rows::of([text("name").titled("socket"), text("bone")], move || {
        mesh.sockets().iter().map(|socket| cells![socket.name(), socket.bone_name()])
    });
    let lists = vec![
        ("chunks", chunks(mesh.bytes())),
        ("bones", bones(mesh.skeleton())),
        ("materials", materials),
        ("morphs", morphs),
        ("sockets", sockets),
    ];
    Details { lists, ..Details::default() }
}

pub(super) fn animation<'a>(animation: Psa<'a>, side_car: Option<&'a SideCar>) -> Details<'a> {
    let resolved = side_car.map(|side_car| Rc::new(Config::new(&side_car.bytes).to_resolved(animation.bones())));
    let columns = [
        integer("index").titled("#"),
        text("name").titled("sequence"),
        integer("first_frame").titled("first frame"),
        integer("frames"),
        integer("rate").titled("fps"),
        seconds("duration_s"),
        text("scale_keys").titled("scale keys"),
        integer("tracks_from_mesh").titled("tracks from mesh"),
    ];
    let sequences = Rows::of(columns, move || {
        let resolved = resolved.clone();
        animation.sequences().map(move |sequence| {
            let (name, frames) = (sequence.name(), sequence.frame_count());
            let from_mesh = resolved.as_ref().map(|resolved| resolved.tracks_from_mesh(name));
            let (first, rate, seconds) = (sequence.first_frame(), sequence.rate(), sequence.duration());
            cells![sequence.index(), name, first, frames, rate, seconds, sequence.has_scale_keys(), from_mesh]
        })
    });
    let mut lists =
        vec![("chunks", chunks(animation.bytes())), ("sequences", sequences), ("bones", bones(animation.skeleton()))];
    lists.extend(side_car.map(|side_car| ("side_car", side_car_rows(side_car))));
    Details { lists, ..Details::default() }
}

fn side_car_rows(side_car: &SideCar) -> Rows<'_> {
    Rows::of([text("path").titled("file"), integer("bytes"), integer("lines")], move || {
        let lines = Config::new(&side_car.bytes).entries().count();
        std::iter::once(cells![side_car.address.to_string(), side_car.bytes.len(), lines])
    })
}
