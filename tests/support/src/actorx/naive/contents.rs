//! What the chunks hold, copied out field by field.

use super::{
    Bone, Chunk, CurveChunk, Delta, Face, Info, Key, Material, Morph, Psa, Psk, ScaleKey, Sequence, Socket, Wedge,
    Weight,
};

fn u16_at(b: &[u8], o: usize) -> u16 {
    u16::from_le_bytes([b[o], b[o + 1]])
}

fn u32_at(b: &[u8], o: usize) -> u32 {
    u32::from_le_bytes([b[o], b[o + 1], b[o + 2], b[o + 3]])
}

fn i32_at(b: &[u8], o: usize) -> i32 {
    i32::from_le_bytes([b[o], b[o + 1], b[o + 2], b[o + 3]])
}

fn f32_at(b: &[u8], o: usize) -> f32 {
    f32::from_le_bytes([b[o], b[o + 1], b[o + 2], b[o + 3]])
}

fn f32x2(b: &[u8], o: usize) -> [f32; 2] {
    [f32_at(b, o), f32_at(b, o + 4)]
}

fn f32x3(b: &[u8], o: usize) -> [f32; 3] {
    [f32_at(b, o), f32_at(b, o + 4), f32_at(b, o + 8)]
}

fn f32x4(b: &[u8], o: usize) -> [f32; 4] {
    [f32_at(b, o), f32_at(b, o + 4), f32_at(b, o + 8), f32_at(b, o + 12)]
}

fn name64(b: &[u8], o: usize) -> [u8; 64] {
    let mut name = [0; 64];
    name.copy_from_slice(&b[o..o + 64]);
    name
}

/// The chunk that counts among those of one kind: the first that holds anything.
fn first<'c>(chunks: &'c [Chunk], ids: &[&str]) -> Option<&'c Chunk> {
    chunks.iter().find(|chunk| chunk.count > 0 && ids.iter().any(|id| chunk.id == id.as_bytes()))
}

fn each<T>(b: &[u8], chunk: Option<&Chunk>, copy: impl Fn(&[u8]) -> T) -> Vec<T> {
    let mut records = Vec::new();
    if let Some(chunk) = chunk {
        let size = chunk.record_size as usize;
        for index in 0..chunk.count as usize {
            let start = chunk.body.start + index * size;
            records.push(copy(&b[start..start + size]));
        }
    }
    records
}

pub(super) fn mesh(b: &[u8], chunks: Vec<Chunk>, mut quirks: Vec<&'static str>) -> Psk {
    let points = each(b, first(&chunks, &["PNTS0000"]), |r| f32x3(r, 0));
    let few_points = points.len() <= 65_536;
    let wedges = each(b, first(&chunks, &["VTXW0000"]), |r| Wedge {
        point: if few_points { u32::from(u16_at(r, 0)) } else { u32_at(r, 0) },
        raw_point: u32_at(r, 0),
        u: f32_at(r, 4),
        v: f32_at(r, 8),
        material: r[12],
        reserved: r[13],
        padding: u16_at(r, 14),
    });
    let face_chunk = first(&chunks, &["FACE0000", "FACE3200"]);
    let narrow = face_chunk.is_some_and(|chunk| chunk.id == b"FACE0000");
    let faces = each(b, face_chunk, |r| if narrow { narrow_face(r) } else { wide_face(r) });
    let materials = each(b, first(&chunks, &["MATT0000"]), |r| Material {
        name: name64(r, 0),
        texture_index: i32_at(r, 64),
        poly_flags: u32_at(r, 68),
        aux_material: i32_at(r, 72),
        aux_flags: u32_at(r, 76),
        lod_bias: i32_at(r, 80),
        lod_style: i32_at(r, 84),
    });
    let weights = each(b, first(&chunks, &["RAWWEIGHTS", "RAWW0000"]), |r| Weight {
        weight: f32_at(r, 0),
        point: i32_at(r, 4),
        bone: i32_at(r, 8),
    });
    // What is one per wedge or point is nobody's if there are more or fewer.
    let mut uv_sets = Vec::new();
    let [mut colors, mut normals, mut tangents] = [None; 3];
    for chunk in chunks.iter().filter(|chunk| chunk.count > 0) {
        let is_first = first(&chunks, &[std::str::from_utf8(&chunk.id).unwrap_or("?")])
            .is_some_and(|first| first.offset == chunk.offset);
        let (owners, slot) = match chunk.id.as_slice() {
            id if id.starts_with(b"EXTRAUV") => (wedges.len(), None),
            b"VERTEXCOLOR" if is_first => (wedges.len(), Some(&mut colors)),
            b"VTXNORMS" if is_first => (points.len(), Some(&mut normals)),
            b"VTXTANGS" if is_first => (points.len(), Some(&mut tangents)),
            _ => continue,
        };
        match slot {
            _ if chunk.count as usize != owners => quirks.push("count-mismatch"),
            Some(slot) => *slot = Some(chunk),
            None => uv_sets.push(each(b, Some(chunk), |r| f32x2(r, 0))),
        }
    }
    Psk {
        points,
        wedges,
        faces,
        materials,
        bones: each(b, first(&chunks, &["REFSKELT", "REFSKEL0"]), bone),
        weights,
        colors: each(b, colors, |r| [r[0], r[1], r[2], r[3]]),
        uv_sets,
        normals: each(b, normals, |r| f32x3(r, 0)),
        tangents: each(b, tangents, |r| f32x4(r, 0)),
        morphs: each(b, first(&chunks, &["MRPHINFO"]), |r| Morph { name: name64(r, 0), count: i32_at(r, 64) }),
        deltas: each(b, first(&chunks, &["MRPHDATA"]), |r| Delta {
            position: f32x3(r, 0),
            normal: f32x3(r, 12),
            point: i32_at(r, 24),
        }),
        sockets: each(b, first(&chunks, &["SKELSOCK"]), |r| Socket {
            name: name64(r, 0),
            bone: name64(r, 64),
            location: f32x3(r, 128),
            rotation: f32x3(r, 140),
            scale: f32x3(r, 152),
        }),
        chunks,
        quirks,
    }
}

fn narrow_face(r: &[u8]) -> Face {
    Face {
        wedges: [u32::from(u16_at(r, 0)), u32::from(u16_at(r, 2)), u32::from(u16_at(r, 4))],
        material: r[6],
        aux_material: r[7],
        smoothing_groups: u32_at(r, 8),
    }
}

fn wide_face(r: &[u8]) -> Face {
    Face {
        wedges: [u32_at(r, 0), u32_at(r, 4), u32_at(r, 8)],
        material: r[12],
        aux_material: r[13],
        smoothing_groups: u32_at(r, 14),
    }
}

fn bone(r: &[u8]) -> Bone {
    Bone {
        name: name64(r, 0),
        flags: u32_at(r, 64),
        children: i32_at(r, 68),
        parent: i32_at(r, 72),
        rotation: f32x4(r, 76),
        position: f32x3(r, 92),
        length: f32_at(r, 104),
        size: f32x3(r, 108),
    }
}

pub(super) fn animation(b: &[u8], chunks: Vec<Chunk>, mut quirks: Vec<&'static str>) -> Psa {
    let bones = each(b, first(&chunks, &["BONENAMES"]), bone);
    let infos = each(b, first(&chunks, &["ANIMINFO"]), |r| Info {
        name: name64(r, 0),
        group: name64(r, 64),
        total_bones: i32_at(r, 128),
        root_include: i32_at(r, 132),
        key_compression_style: i32_at(r, 136),
        key_quotum: i32_at(r, 140),
        key_reduction: f32_at(r, 144),
        track_time: f32_at(r, 148),
        rate: f32_at(r, 152),
        start_bone: i32_at(r, 156),
        first_raw_frame: i32_at(r, 160),
        num_raw_frames: i32_at(r, 164),
    });
    let keys = each(b, first(&chunks, &["ANIMKEYS"]), |r| Key {
        position: f32x3(r, 0),
        rotation: f32x4(r, 12),
        time: f32_at(r, 28),
    });
    let scale_keys = each(b, first(&chunks, &["SCALEKEYS"]), |r| ScaleKey { scale: f32x3(r, 0), time: f32_at(r, 12) });
    let mut curves = Vec::new();
    for chunk in &chunks {
        if chunk.id.ends_with(b":CUR") {
            curves.push(curve_chunk(b, chunk));
        }
    }
    let mut sequences = number_frames(&infos, bones.len(), keys.len(), &mut quirks);
    let counts = (bones.len() as u64, keys.len() as u64, scale_keys.len() as u64);
    place_scale_keys(&mut sequences, &infos, counts, &mut quirks);
    Psa { chunks, bones, infos, keys, scale_keys, curves, sequences, quirks }
}

fn curve_chunk(b: &[u8], chunk: &Chunk) -> CurveChunk {
    CurveChunk {
        id: chunk.id.clone(),
        record_size: chunk.record_size,
        curves: each(b, Some(chunk), |r| {
            let mut weights = Vec::new();
            for index in 0..(r.len() - 128) / 4 {
                weights.push(f32_at(r, 128 + 4 * index));
            }
            (r[..128].to_vec(), weights)
        }),
    }
}

/// Trusts `FirstRawFrame` unless it cannot be right; then sequences follow one another.
fn number_frames(infos: &[Info], bones: usize, keys: usize, quirks: &mut Vec<&'static str>) -> Vec<Sequence> {
    let total = i64::try_from(keys.checked_div(bones).unwrap_or(0)).unwrap();
    let frames_of = |info: &Info| i64::from(info.num_raw_frames.max(0));
    // What one writer did for two years: the number of frames in place of the number of the first.
    // Sequences without frames tell nothing.
    let mistaken = |info: &Info| info.first_raw_frame == info.num_raw_frames;
    let telling: Vec<&Info> = infos.iter().filter(|info| info.num_raw_frames > 0).collect();
    let mut stored = telling.is_empty() || !telling.iter().all(|info| mistaken(info));
    for info in telling {
        let first = i64::from(info.first_raw_frame);
        if first < 0 || first + frames_of(info) > total {
            stored = false;
        }
    }
    let mut sequences = Vec::new();
    let mut running = 0;
    let mut differs = false;
    for info in infos {
        let first = if stored { i64::from(info.first_raw_frame) } else { running };
        differs |= first != i64::from(info.first_raw_frame) && info.num_raw_frames > 0;
        running += frames_of(info);
        sequences.push(Sequence {
            name: info.name.to_vec(),
            first_frame: u64::try_from(first).unwrap_or(0),
            frames: frames_of(info).unsigned_abs(),
            rate: info.rate,
            scale_first: None,
        });
    }
    if differs {
        quirks.push("frame-numbering");
    }
    sequences
}

/// Epic writes scale keys only for flagged sequences, everybody else one per key.
fn place_scale_keys(
    sequences: &mut [Sequence],
    infos: &[Info],
    (bones, keys, scale_keys): (u64, u64, u64),
    quirks: &mut Vec<&'static str>,
) {
    if scale_keys == 0 {
        return;
    }
    if scale_keys == keys {
        for sequence in sequences {
            sequence.scale_first = Some(sequence.first_frame * bones);
        }
        return;
    }
    let mut running = 0;
    let mut firsts = Vec::new();
    for (sequence, info) in sequences.iter().zip(infos) {
        if info.root_include == 1 {
            firsts.push(Some(running));
            running += sequence.frames * bones;
        } else {
            firsts.push(None);
        }
    }
    if running != scale_keys {
        quirks.push("scale-keys-ignored");
        return;
    }
    quirks.push("scale-keys-partial");
    for (sequence, first) in sequences.iter_mut().zip(firsts) {
        sequence.scale_first = first;
    }
}
