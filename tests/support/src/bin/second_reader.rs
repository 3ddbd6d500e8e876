//! Prints as JSON all values that the second reader of a family reads in the file on standard input, for tests in other languages.
//!
//! Records are packed as the reference lays them out, little-endian, and given in hexadecimal digits with the byte at which they begin.

use std::fmt::Write as _;
use std::io::{Read, Write as _};

use serde_json::{Map, Value, json};
use test_support::actorx::naive::{self as actorx, Bone, Chunk, File};
use test_support::pyrogenesis::naive::{self as pyrogenesis, Mode, State};
use test_support::swat3::naive as swat3;

fn main() {
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).expect("standard input");
    let values = match bytes.first_chunk::<4>() {
        Some(b"PSMD") => pmd(&bytes),
        Some(b"PSSA") => states(&bytes),
        Some(b"ACTR" | b"ANIM") => match actorx::read(&bytes).expect("a sound file") {
            File::Psk(mesh) => psk(&mesh),
            File::Psa(animation) => psa(&animation),
        },
        _ => gsa(&bytes),
    };
    std::io::stdout().write_all(values.to_string().as_bytes()).expect("standard output");
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        write!(text, "{byte:02x}").expect("memory");
    }
    text
}

/// A record as bytes.
#[derive(Default)]
struct Packed(Vec<u8>);

impl Packed {
    fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self
    }

    fn floats(self, floats: &[f32]) -> Self {
        floats.iter().fold(self, |packed, float| packed.bytes(&float.to_le_bytes()))
    }

    fn ints(self, ints: &[i32]) -> Self {
        ints.iter().fold(self, |packed, int| packed.bytes(&int.to_le_bytes()))
    }

    fn uints(self, ints: &[u32]) -> Self {
        ints.iter().fold(self, |packed, int| packed.bytes(&int.to_le_bytes()))
    }
}

fn rows<T>(offset: usize, records: &[T], pack: impl Fn(Packed, &T) -> Packed) -> Value {
    let packed = records.iter().fold(Packed::default(), pack);
    json!({ "offset": offset, "count": records.len(), "bytes": hex(&packed.0) })
}

/// Where the body of the first chunk with records and one of these ids begins.
fn body(chunks: &[Chunk], ids: &[&str]) -> usize {
    let is_one = |chunk: &&Chunk| chunk.count > 0 && ids.iter().any(|id| id.as_bytes() == chunk.id);
    chunks.iter().find(is_one).map_or(0, |chunk| chunk.body.start)
}

fn bone(packed: Packed, bone: &Bone) -> Packed {
    let packed = packed.bytes(&bone.name).uints(&[bone.flags]).ints(&[bone.children, bone.parent]);
    packed.floats(&bone.rotation).floats(&bone.position).floats(&[bone.length]).floats(&bone.size)
}

fn psk(mesh: &actorx::Psk) -> Value {
    let at = |ids: &[&str]| body(&mesh.chunks, ids);
    let mut parts = Map::new();
    let mut put = |name: &str, rows: Value| parts.insert(name.to_owned(), rows);
    put("points", rows(at(&["PNTS0000"]), &mesh.points, |packed, point| packed.floats(point)));
    put(
        "wedges",
        rows(at(&["VTXW0000"]), &mesh.wedges, |packed, wedge| {
            let packed = packed.uints(&[wedge.raw_point]).floats(&[wedge.u, wedge.v]);
            packed.bytes(&[wedge.material, wedge.reserved]).bytes(&wedge.padding.to_le_bytes())
        }),
    );
    let faces = mesh.chunks.iter().find(|chunk| chunk.count > 0 && chunk.id.starts_with(b"FACE"));
    let is_wide = faces.is_some_and(|chunk| chunk.id == b"FACE3200");
    put(
        "faces",
        rows(at(&["FACE0000", "FACE3200"]), &mesh.faces, |mut packed, face| {
            for wedge in face.wedges {
                packed = if is_wide {
                    packed.uints(&[wedge])
                } else {
                    packed.bytes(&u16::try_from(wedge).expect("a small index").to_le_bytes())
                };
            }
            packed.bytes(&[face.material, face.aux_material]).uints(&[face.smoothing_groups])
        }),
    );
    put(
        "materials",
        rows(at(&["MATT0000"]), &mesh.materials, |packed, material| {
            let packed = packed.bytes(&material.name).ints(&[material.texture_index]).uints(&[material.poly_flags]);
            let packed = packed.ints(&[material.aux_material]).uints(&[material.aux_flags]);
            packed.ints(&[material.lod_bias, material.lod_style])
        }),
    );
    put("bones", rows(at(&["REFSKELT", "REFSKEL0"]), &mesh.bones, bone));
    put(
        "influences",
        rows(at(&["RAWWEIGHTS", "RAWW0000"]), &mesh.weights, |packed, weight| {
            packed.floats(&[weight.weight]).ints(&[weight.point, weight.bone])
        }),
    );
    put("colors", rows(at(&["VERTEXCOLOR"]), &mesh.colors, |packed, color| packed.bytes(color)));
    put("normals", rows(at(&["VTXNORMS"]), &mesh.normals, |packed, normal| packed.floats(normal)));
    put("tangents", rows(at(&["VTXTANGS"]), &mesh.tangents, |packed, tangent| packed.floats(tangent)));
    put(
        "morph_infos",
        rows(at(&["MRPHINFO"]), &mesh.morphs, |packed, morph| packed.bytes(&morph.name).ints(&[morph.count])),
    );
    put(
        "morph_deltas",
        rows(at(&["MRPHDATA"]), &mesh.deltas, |packed, delta| {
            packed.floats(&delta.position).floats(&delta.normal).ints(&[delta.point])
        }),
    );
    put(
        "sockets",
        rows(at(&["SKELSOCK"]), &mesh.sockets, |packed, socket| {
            let packed = packed.bytes(&socket.name).bytes(&socket.bone).floats(&socket.location);
            packed.floats(&socket.rotation).floats(&socket.scale)
        }),
    );
    for (index, uvs) in mesh.uv_sets.iter().enumerate() {
        put(&format!("uvs{index}"), rows(0, uvs, |packed, uv| packed.floats(uv)));
    }
    json!({ "wide_faces": is_wide, "parts": parts })
}

fn psa(animation: &actorx::Psa) -> Value {
    let at = |id| body(&animation.chunks, &[id]);
    let bones = animation.bones.len() as u64;
    let info = |packed: Packed, info: &actorx::Info| {
        let packed = packed.bytes(&info.name).bytes(&info.group);
        let packed = packed.ints(&[info.total_bones, info.root_include, info.key_compression_style, info.key_quotum]);
        let packed = packed.floats(&[info.key_reduction, info.track_time, info.rate]);
        packed.ints(&[info.start_bone, info.first_raw_frame, info.num_raw_frames])
    };
    let sequence = |sequence: &actorx::Sequence| {
        json!({
            "name": hex(&sequence.name),
            "rate": hex(&sequence.rate.to_le_bytes()),
            "frames": animation.held(sequence),
            "first_key": sequence.first_frame * bones,
            "first_scale_key": sequence.scale_first,
        })
    };
    json!({
        "parts": {
            "bones": rows(at("BONENAMES"), &animation.bones, bone),
            "infos": rows(at("ANIMINFO"), &animation.infos, info),
            "keys": rows(at("ANIMKEYS"), &animation.keys, |packed, key| {
                packed.floats(&key.position).floats(&key.rotation).floats(&[key.time])
            }),
            "scale_keys": rows(at("SCALEKEYS"), &animation.scale_keys, |packed, key| packed.floats(&key.scale).floats(&[key.time])),
        },
        "sequences": animation.sequences.iter().map(sequence).collect::<Vec<_>>(),
    })
}

fn state(packed: Packed, state: &State) -> Packed {
    packed.floats(&state.t).floats(&state.q)
}

fn pmd(bytes: &[u8]) -> Value {
    let mesh = pyrogenesis::read_pmd(bytes, Mode::Strict).expect("a sound file");
    let vertices_at = if mesh.version >= 4 { 20 } else { 16 };
    let vertex = |packed: Packed, vertex: &pyrogenesis::Vertex| {
        let packed = packed.floats(&vertex.position).floats(&vertex.normal).floats(vertex.uvs.as_flattened());
        packed.bytes(&vertex.bones).floats(&vertex.weights)
    };
    let size = if mesh.vertices.is_empty() { 0 } else { 44 + 8 * mesh.uv_sets as usize };
    let faces_at = vertices_at + mesh.vertices.len() * size + 4;
    let face = |packed: Packed, face: &[u16; 3]| face.iter().fold(packed, |packed, at| packed.bytes(&at.to_le_bytes()));
    let prop = |prop: &pyrogenesis::Prop| json!({ "name": hex(&prop.name), "place": hex(&Packed::default().floats(&prop.position).floats(&prop.rotation).0), "bone": prop.bone });
    json!({
        "version": mesh.version,
        "uv_sets": mesh.uv_sets,
        "vertices": rows(vertices_at, &mesh.vertices, vertex),
        "faces": rows(faces_at, &mesh.faces, face),
        "bones": rows(faces_at + 6 * mesh.faces.len() + 4, &mesh.bind, state),
        "props": mesh.props.iter().map(prop).collect::<Vec<_>>(),
    })
}

fn states(bytes: &[u8]) -> Value {
    let animation = pyrogenesis::read_psa(bytes, Mode::Strict).expect("a sound file");
    json!({
        "name": hex(&animation.name),
        "frame_ms": hex(&animation.frame_length.to_le_bytes()),
        "bones": animation.bones,
        "frames": animation.frames,
        "states": rows(28 + animation.name.len(), &animation.states, state),
    })
}

fn gsa(bytes: &[u8]) -> Value {
    let animation = swat3::read(bytes, swat3::Options::default()).expect("a sound file");
    let frame = |frame: &swat3::Frame| {
        let head = Packed::default().floats(&frame.origin).floats(&frame.rotation).floats(&frame.root);
        json!({
            "offset": frame.offset,
            "head": hex(&head.0),
            "rotations": hex(&frame.rotations.iter().fold(Packed::default(), |packed, rotation| packed.floats(rotation)).0),
            "events": frame.events.iter().map(|event| hex(event)).collect::<Vec<_>>(),
        })
    };
    json!({
        "ids_at": animation.marker + 4,
        "ids": animation.ids,
        "tracks": animation.m,
        "frames": animation.frames.iter().map(frame).collect::<Vec<_>>(),
    })
}
