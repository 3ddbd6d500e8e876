//! Random files: what the builder put in is what comes out, and whatever is done to a file, both readers say the same.

use proptest::array::uniform24;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use skelmap::Float;
use skelmap::actorx::{CurveChunk, Psa, Psk};

use test_support::actorx::agree::{agree, bits, codes, exercise, key_bits};
use test_support::actorx::build::{
    Anim, Bone, Built, Chunks, Delta, Face, Info, Key, Material, Mesh, Morph, Name, ScaleKey, Socket, Wedge, Weight,
    to_bytes,
};
use test_support::actorx::corpus::cases;
use test_support::family;

/// So many cases, or as many as `PROPTEST_CASES` says if that is more.
fn config(cases: u32) -> ProptestConfig {
    let asked = ProptestConfig::default();
    ProptestConfig { cases: cases.max(asked.cases), failure_persistence: None, ..asked }
}

/// Any bits: denormals, infinities and every NaN.
fn float() -> impl Strategy<Value = f32> {
    any::<u32>().prop_map(f32::from_bits)
}

fn floats<const N: usize>() -> impl Strategy<Value = [f32; N]>
where
    [u32; N]: Arbitrary,
{
    any::<[u32; N]>().prop_map(|bits| bits.map(f32::from_bits))
}

/// Any name: short or filling its field, text or not, with garbage after the NUL.
fn any_name() -> impl Strategy<Value = Name> {
    let text = "[ -~]{0,64}".prop_map(String::into_bytes);
    prop_oneof![text, vec(any::<u8>(), 0..=64), vec(1..=255_u8, 64)].prop_map(|bytes| {
        let mut name = [0; 64];
        name[..bytes.len()].copy_from_slice(&bytes);
        name
    })
}

fn wedge() -> impl Strategy<Value = Wedge> {
    (any::<u32>(), floats(), any::<(u8, u8, u16)>()).prop_map(|(point, [u, v], (material, reserved, padding))| Wedge {
        point,
        u,
        v,
        material,
        reserved,
        padding,
    })
}

fn face(wide: bool) -> impl Strategy<Value = Face> {
    let limit = if wide { u32::MAX } else { 0xFFFF };
    ([0..=limit, 0..=limit, 0..=limit], any::<(u8, u8, u32)>()).prop_map(
        |(wedges, (material, aux_material, smoothing_groups))| Face {
            wedges,
            material,
            aux_material,
            smoothing_groups,
        },
    )
}

fn material() -> impl Strategy<Value = Material> {
    (any_name(), any::<(i32, u32, i32, u32, i32, i32)>()).prop_map(|(name, (a, b, c, d, e, f))| Material {
        name,
        texture_index: a,
        poly_flags: b,
        aux_material: c,
        aux_flags: d,
        lod_bias: e,
        lod_style: f,
    })
}

fn bone() -> impl Strategy<Value = Bone> {
    (any_name(), any::<(u32, i32)>(), -2..20_i32, floats(), floats(), float(), floats()).prop_map(
        |(name, (flags, children), parent, rotation, position, length, size)| Bone {
            name,
            flags,
            children,
            parent,
            rotation,
            position,
            length,
            size,
        },
    )
}

fn weight() -> impl Strategy<Value = Weight> {
    (float(), any::<(i32, i32)>()).prop_map(|(weight, (point, bone))| Weight { weight, point, bone })
}

fn morph() -> impl Strategy<Value = Morph> {
    (any_name(), -1..5_i32).prop_map(|(name, count)| Morph { name, count })
}

fn delta() -> impl Strategy<Value = Delta> {
    (floats(), floats(), any::<i32>()).prop_map(|(position, normal, point)| Delta { position, normal, point })
}

fn socket() -> impl Strategy<Value = Socket> {
    (any_name(), any_name(), floats(), floats(), floats()).prop_map(|(name, bone, location, rotation, scale)| Socket {
        name,
        bone,
        location,
        rotation,
        scale,
    })
}

/// A chunk that nobody knows: its id, record size and body.
type Extra = (String, usize, Vec<u8>);

fn extra() -> impl Strategy<Value = Extra> {
    ("X[A-Z0-9_]{3,18}", 1..200_usize, vec(any::<u8>(), 0..600)).prop_map(|(id, size, mut body)| {
        body.truncate(body.len() / size * size);
        (id, size, body)
    })
}

/// A mesh with all that one may have, and the order of its chunks.
#[derive(Clone, Debug)]
struct Whole {
    mesh: Mesh,
    colors: Vec<[u8; 4]>,
    normals: Vec<[f32; 3]>,
    tangents: Vec<[f32; 4]>,
    morphs: Vec<Morph>,
    deltas: Vec<Delta>,
    sockets: Vec<Socket>,
    uv_sets: Vec<Vec<[f32; 2]>>,
    extras: Vec<Extra>,
    /// What to add next, by what is left.
    order: [Index; 24],
}

fn whole() -> impl Strategy<Value = Whole> {
    any::<bool>().prop_flat_map(|wide_faces| {
        let classic = (
            vec(floats(), 0..6),
            vec(wedge(), 0..8),
            vec(face(wide_faces), 0..8),
            vec(material(), 0..4),
            vec(bone(), 0..6),
            vec(weight(), 0..8),
        );
        let more = (
            vec(any::<[u8; 4]>(), 0..5),
            vec(floats(), 0..5),
            vec(floats(), 0..5),
            vec(morph(), 0..4),
            vec(delta(), 0..8),
            vec(socket(), 0..3),
            vec(vec(floats(), 0..5), 0..5),
            vec(extra(), 0..4),
        );
        (classic, more, uniform24(any::<Index>())).prop_map(move |(classic, more, order)| {
            let (points, wedges, faces, materials, bones, weights) = classic;
            let mesh = Mesh { points, wedges, faces, materials, bones, weights, wide_faces };
            let (colors, normals, tangents, morphs, deltas, sockets, uv_sets, extras) = more;
            let (points, wedges) = (mesh.points.len(), mesh.wedges.len());
            let (colors, normals, tangents) =
                (fitted(colors, wedges), fitted(normals, points), fitted(tangents, points));
            let uv_sets = uv_sets.into_iter().map(|set| fitted(set, wedges)).collect();
            Whole { mesh, colors, normals, tangents, morphs, deltas, sockets, uv_sets, extras, order }
        })
    })
}

/// As many records as there are owners, for every second length; else the records as they are.
fn fitted<T: Clone>(records: Vec<T>, owners: usize) -> Vec<T> {
    if records.len() % 2 == 0 { records.iter().cycle().take(owners).cloned().collect() } else { records }
}

/// The records, if there is one for each owner.
fn one_for_each<T>(records: &[T], owners: usize) -> &[T] {
    if records.len() == owners { records } else { &[] }
}

/// One chunk that is yet to be added.
type Part<'a> = Box<dyn FnOnce(Chunks) -> Chunks + 'a>;

impl Whole {
    /// The file, and the UV sets in the order they got.
    fn build(&self) -> (Built, Vec<Vec<[f32; 2]>>) {
        let Mesh { points, wedges, materials, bones, weights, .. } = &self.mesh;
        let mut parts: Vec<(Option<usize>, Part<'_>)> = vec![
            (None, Box::new(|to| to.records("PNTS0000", points))),
            (None, Box::new(|to| to.records("VTXW0000", wedges))),
            (None, Box::new(|to| self.mesh.faces_onto(to))),
            (None, Box::new(|to| to.records("MATT0000", materials))),
            (None, Box::new(|to| to.records("REFSKELT", bones))),
            (None, Box::new(|to| to.records("RAWWEIGHTS", weights))),
            (None, Box::new(|to| to.records("VERTEXCOLOR", &self.colors))),
            (None, Box::new(|to| to.records("VTXNORMS", &self.normals))),
            (None, Box::new(|to| to.records("VTXTANGS", &self.tangents))),
            (None, Box::new(|to| to.records("MRPHINFO", &self.morphs))),
            (None, Box::new(|to| to.records("MRPHDATA", &self.deltas))),
            (None, Box::new(|to| to.records("SKELSOCK", &self.sockets))),
        ];
        for (index, set) in self.uv_sets.iter().enumerate() {
            let id = if index % 2 == 0 { format!("EXTRAUVS{index}") } else { "EXTRAUV0".to_owned() };
            parts.push((Some(index), Box::new(move |to| to.records(&id, set))));
        }
        for (id, size, body) in &self.extras {
            parts.push((None, Box::new(|to| to.chunk(id, *size, body))));
        }
        let (mut chunks, mut sets) = (Chunks::new().empty("ACTRHEAD", 0), Vec::new());
        for next in &self.order {
            if !parts.is_empty() {
                let (set, add) = parts.swap_remove(next.index(parts.len()));
                chunks = add(chunks);
                sets.extend(set.map(|set| self.uv_sets[set].clone()).filter(|set| !set.is_empty()));
            }
        }
        assert!(parts.is_empty());
        (chunks.build(), sets)
    }
}

/// Both sides as lists that compare and print.
macro_rules! same {
    ($found:expr, $expected:expr, $of_found:expr, $of_expected:expr $(,)?) => {
        let found: Vec<_> = $found.iter().map($of_found).collect();
        let expected: Vec<_> = $expected.iter().map($of_expected).collect();
        prop_assert_eq!(found, expected);
    };
}

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn a_mesh_reads_back_as_it_was_written(whole in whole()) {
        let (built, sets) = whole.build();
        let mesh = Psk::parse(&built.bytes).unwrap();
        let expected = &whole.mesh;
        same!(mesh.points(), expected.points, |p| bits(p.get()), |p| bits(*p));
        same!(
            mesh.wedges(),
            expected.wedges,
            |w| (mesh.point_index(w), bits(w.uv()), w.material(), w.reserved(), w.padding()),
            |w| (w.point & 0xFFFF, bits([w.u, w.v]), w.material, w.reserved, w.padding),
        );
        prop_assert_eq!(mesh.faces().len(), expected.faces.len());
        for (face, expected) in mesh.faces().iter().zip(&expected.faces) {
            prop_assert_eq!(face.wedges, expected.wedges);
            prop_assert_eq!((face.material, face.aux_material), (expected.material, expected.aux_material));
            prop_assert_eq!(face.smoothing_groups, expected.smoothing_groups);
        }
        same!(
            mesh.materials(),
            expected.materials,
            |m| (*m.name().raw(), m.texture_index(), m.poly_flags(), m.aux_material(), m.aux_flags(), m.lod_bias(), m.lod_style()),
            |m| (m.name, m.texture_index, m.poly_flags, m.aux_material, m.aux_flags, m.lod_bias, m.lod_style),
        );
        same!(
            mesh.bones(),
            expected.bones,
            |b| (*b.name().raw(), b.flags(), b.child_count(), b.parent_index(), bits(b.rotation()), bits(b.translation()), b.length().to_bits(), bits(b.size())),
            |b| (b.name, b.flags, b.children, b.parent, bits(b.rotation), bits(b.position), b.length.to_bits(), bits(b.size)),
        );
        same!(
            mesh.influences(),
            expected.weights,
            |w| (w.weight().to_bits(), w.point_index(), w.bone_index()),
            |w| (w.weight.to_bits(), w.point, w.bone),
        );
        let (points, wedges) = (expected.points.len(), expected.wedges.len());
        same!(mesh.colors(), one_for_each(&whole.colors, wedges), skelmap::actorx::Color::rgba, |c| *c);
        same!(mesh.normals(), one_for_each(&whole.normals, points), |n| bits(n.get()), |n| bits(*n));
        same!(mesh.tangents(), one_for_each(&whole.tangents, points), |t| bits(t.get()), |t| bits(*t));
        same!(mesh.morph_infos(), whole.morphs, |m| (*m.name().raw(), m.vertex_count()), |m| (m.name, m.count));
        same!(
            mesh.morph_deltas(),
            whole.deltas,
            |d| (bits(d.position()), bits(d.tangent_z()), d.point_index()),
            |d| (bits(d.position), bits(d.normal), d.point),
        );
        same!(
            mesh.sockets(),
            whole.sockets,
            |s| (*s.name().raw(), *s.bone_name().raw(), bits(s.location()), bits(s.pitch_yaw_roll()), bits(s.scale())),
            |s| (s.name, s.bone, bits(s.location), bits(s.rotation), bits(s.scale)),
        );
        let found: Vec<Vec<[u32; 2]>> =
            mesh.extra_uv_sets().map(|set| set.iter().map(|uv| bits(uv.get())).collect()).collect();
        let fitting = sets.iter().filter(|set| set.len() == whole.mesh.wedges.len());
        let expected: Vec<Vec<[u32; 2]>> = fitting.map(|set| set.iter().copied().map(bits).collect()).collect();
        prop_assert_eq!(found, expected);
        for (id, size, body) in &whole.extras {
            let found = mesh.chunks().any(|chunk| {
                chunk.id.as_bytes() == id.as_bytes() && chunk.record_size as usize == *size && chunk.body == body
            });
            prop_assert!(found, "{}", id);
        }
        let lengths = [(whole.colors.len(), wedges), (whole.normals.len(), points), (whole.tangents.len(), points)];
        let lengths = lengths.into_iter().chain(sets.iter().map(|set| (set.len(), wedges)));
        let miscounted = lengths.filter(|(length, owners)| *length > 0 && length != owners).count();
        prop_assert_eq!(codes(mesh.quirks()), vec!["count-mismatch"; miscounted]);
        agree(&built.bytes);
        exercise(&built.bytes);
    }
}

fn key() -> impl Strategy<Value = Key> {
    (floats(), floats(), float()).prop_map(|(position, rotation, time)| Key { position, rotation, time })
}

/// What kind of scale keys an animation has.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Scales {
    None,
    PerKey,
    Flagged,
}

/// An animation with what belongs beside it.
#[derive(Clone, Debug)]
struct Moves {
    anim: Anim,
    scales: Scales,
    /// A curve chunk of so many curves for each sequence that has one.
    curves: Vec<Option<usize>>,
    extra: Extra,
    order: [Index; 24],
}

/// Info fields that mean nothing to a reader, and the name.
fn info() -> impl Strategy<Value = Info> {
    (any_name(), any_name(), any::<(i32, i32, i32, i32)>(), floats(), any::<bool>()).prop_map(
        |(
            name,
            group,
            (total_bones, key_compression_style, key_quotum, start_bone),
            [key_reduction, track_time, rate],
            flagged,
        )| Info {
            name,
            group,
            total_bones,
            root_include: i32::from(flagged),
            key_compression_style,
            key_quotum,
            key_reduction,
            track_time,
            rate,
            start_bone,
            first_raw_frame: 0,
            num_raw_frames: 0,
        },
    )
}

fn moves() -> impl Strategy<Value = Moves> {
    let sequences = vec((info(), 0..4_i32, prop::option::of(0..3_usize)), 0..5);
    let scales = prop::sample::select(vec![Scales::None, Scales::PerKey, Scales::Flagged]);
    (vec(bone(), 0..4), sequences, 0..3_usize, scales, extra(), uniform24(any::<Index>())).prop_flat_map(
        |(bones, sequences, unused, scales, extra, order)| {
            let mut anim = Anim { bones, ..Anim::default() };
            let mut curves = Vec::new();
            let (mut frames, mut flagged) = (0, 0);
            for (index, (info, count, curve)) in sequences.into_iter().enumerate() {
                let mut info = Info { first_raw_frame: frames, num_raw_frames: count, ..info };
                if curve.is_some() {
                    // A name of its own, so that its curves are its own.
                    info.name = [0; 64];
                    info.name[..9].copy_from_slice(format!("Curved_{index:02}").as_bytes());
                }
                frames += count;
                flagged += count * info.root_include;
                curves.push(curve);
                anim.infos.push(info);
            }
            let keys = (frames as usize + unused) * anim.bones.len();
            let scale_keys = match scales {
                Scales::None => 0,
                Scales::PerKey => keys,
                Scales::Flagged => flagged as usize * anim.bones.len(),
            };
            let scale_key = (floats(), float()).prop_map(|(scale, time)| ScaleKey { scale, time });
            (vec(key(), keys), vec(scale_key, scale_keys)).prop_map(move |(keys, scale_keys)| Moves {
                anim: Anim { keys, scale_keys, ..anim.clone() },
                scales,
                curves: curves.clone(),
                extra: extra.clone(),
                order,
            })
        },
    )
}

/// The weights of a curve, by the number of the sequence and of the curve.
fn weights(sequence: usize, curve: usize, frames: usize) -> Vec<f32> {
    (0..frames).map(|frame| (100 * sequence + 10 * curve + frame) as f32).collect()
}

impl Moves {
    fn build(&self) -> Built {
        let Anim { bones, infos, keys, scale_keys } = &self.anim;
        let (id, size, body) = &self.extra;
        let mut parts: Vec<Part<'_>> = vec![
            Box::new(|to| to.records("BONENAMES", bones)),
            Box::new(|to| to.records("ANIMINFO", infos)),
            Box::new(|to| to.records("ANIMKEYS", keys)),
            Box::new(|to| to.chunk(id, *size, body)),
        ];
        if self.scales != Scales::None {
            parts.push(Box::new(|to| to.records("SCALEKEYS", scale_keys)));
        }
        for (index, curves) in self.curves.iter().enumerate() {
            let Some(curves) = *curves else { continue };
            let frames = infos[index].num_raw_frames as usize;
            parts.push(Box::new(move |to| {
                let curves: Vec<_> = (0..curves).map(|curve| ("Smile", weights(index, curve, frames))).collect();
                to.curves(&format!("Curved_{index:02}:CUR"), frames, &curves)
            }));
        }
        let mut chunks = Chunks::new().empty("ANIMHEAD", 0);
        for next in &self.order {
            if !parts.is_empty() {
                let add = parts.swap_remove(next.index(parts.len()));
                chunks = add(chunks);
            }
        }
        assert!(parts.is_empty());
        chunks.build()
    }
}

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn an_animation_reads_back_as_it_was_written(moves in moves()) {
        let built = moves.build();
        let animation = Psa::parse(&built.bytes).unwrap();
        let expected = &moves.anim;
        let bones = expected.bones.len();
        same!(animation.bones(), expected.bones, |b| *b.name().raw(), |b| b.name);
        same!(
            animation.infos(),
            expected.infos,
            |i| (*i.name().raw(), *i.group().raw(), i.total_bones(), i.root_include(), i.key_compression_style(), i.key_quotum(), i.start_bone()),
            |i| (i.name, i.group, i.total_bones, i.root_include, i.key_compression_style, i.key_quotum, i.start_bone),
        );
        same!(
            animation.infos(),
            expected.infos,
            |i| (bits([i.key_reduction(), i.track_time(), i.rate()]), i.first_raw_frame(), i.raw_frame_count()),
            |i| (bits([i.key_reduction, i.track_time, i.rate]), i.first_raw_frame, i.num_raw_frames),
        );
        let put = |key: &Key| (bits(key.position), bits(key.rotation), key.time.to_bits());
        same!(animation.keys(), expected.keys, key_bits, put);

        let mut flagged = 0;
        for ((index, info), sequence) in expected.infos.iter().enumerate().zip(animation.sequences()) {
            let (first, frames) = (info.first_raw_frame as usize, info.num_raw_frames as usize);
            let keys = &expected.keys[first * bones..(first + frames) * bones];
            same!(sequence.keys(), keys, key_bits, put);
            for (frame, keys) in keys.chunks_exact(bones.max(1)).enumerate() {
                same!(sequence.frame(frame).unwrap(), keys, key_bits, put);
            }
            for bone in 0..bones {
                let track: Vec<_> = sequence.track(bone).unwrap().map(key_bits).collect();
                let expected: Vec<_> = keys.iter().skip(bone).step_by(bones).map(put).collect();
                prop_assert_eq!(track, expected);
            }
            let scales = match moves.scales {
                Scales::None => &[][..],
                Scales::PerKey => &expected.scale_keys[first * bones..(first + frames) * bones],
                Scales::Flagged if info.root_include == 0 => &[],
                Scales::Flagged => &expected.scale_keys[flagged * bones..(flagged + frames) * bones],
            };
            flagged += frames * info.root_include as usize;
            let put = |key: &ScaleKey| (bits(key.scale), key.time.to_bits());
            same!(sequence.scale_keys(), scales, |k| (bits(k.scale()), k.time().to_bits()), put);

            let curves = animation.curves_of(&sequence);
            prop_assert_eq!(curves.is_some(), moves.curves[index].is_some());
            for (number, curve) in curves.iter().flat_map(CurveChunk::curves).enumerate() {
                prop_assert_eq!(curve.name.as_bytes(), b"Smile");
                let found: Vec<f32> = curve.weights.iter().map(Float::get).collect();
                prop_assert_eq!(found, weights(index, number, frames));
            }
            prop_assert_eq!(curves.map(|curves| curves.curves().count()), moves.curves[index]);
        }
        let flags_alone = moves.scales == Scales::Flagged && expected.scale_keys.len() != expected.keys.len();
        let partial = flags_alone && !expected.scale_keys.is_empty();
        let quirks: &[&str] = if partial { &["scale-keys-partial"] } else { &[] };
        prop_assert_eq!(codes(animation.quirks()), quirks);
        agree(&built.bytes);
        exercise(&built.bytes);
    }
}

/// Something done to the bytes of a file.
#[derive(Clone, Debug)]
enum Harm {
    /// Other bytes at one place.
    Overwrite(Index, Vec<u8>),
    /// A number in place of another.
    Number(Index, i32),
    /// Bytes taken out.
    Remove(Index, usize),
    /// Bytes put in.
    Insert(Index, Vec<u8>),
    /// A part copied to another place.
    Repeat(Index, Index, usize),
}

fn harm() -> impl Strategy<Value = Harm> {
    let number = prop_oneof![any::<i32>(), -2..200_i32, prop::sample::select(vec![i32::MAX, i32::MIN, 4096, 4097])];
    prop_oneof![
        4 => (any::<Index>(), vec(any::<u8>(), 1..5)).prop_map(|(at, bytes)| Harm::Overwrite(at, bytes)),
        4 => (any::<Index>(), number).prop_map(|(at, number)| Harm::Number(at, number)),
        1 => (any::<Index>(), 1..200_usize).prop_map(|(at, count)| Harm::Remove(at, count)),
        1 => (any::<Index>(), vec(any::<u8>(), 1..40)).prop_map(|(at, bytes)| Harm::Insert(at, bytes)),
        1 => any::<(Index, Index, u8)>().prop_map(|(from, to, count)| Harm::Repeat(from, to, count.into())),
    ]
}

fn harmed(mut bytes: Vec<u8>, harms: &[Harm]) -> Vec<u8> {
    for harm in harms.iter().cloned() {
        if bytes.is_empty() {
            return bytes;
        }
        let length = bytes.len();
        // Numbers lie at multiples of four.
        match harm {
            Harm::Overwrite(at, new) => {
                bytes[at.index(length)..].iter_mut().zip(new).for_each(|(byte, new)| *byte = new);
            }
            Harm::Number(at, number) => {
                let at = at.index(length) / 4 * 4;
                bytes[at..].iter_mut().zip(to_bytes(&[number])).for_each(|(byte, new)| *byte = new);
            }
            Harm::Remove(at, count) => {
                let at = at.index(length);
                bytes.drain(at..length.min(at + count));
            }
            Harm::Insert(at, new) => {
                let at = at.index(length);
                bytes.splice(at..at, new);
            }
            Harm::Repeat(from, to, count) => {
                let (from, to) = (from.index(length), to.index(length));
                let part = bytes[from..length.min(from + count)].to_vec();
                bytes.splice(to..to, part);
            }
        }
    }
    bytes
}

/// Any small file of the corpus.
fn corpus() -> impl Strategy<Value = Vec<u8>> {
    let files: Vec<Vec<u8>> = cases().into_iter().map(|case| case.bytes).filter(|bytes| bytes.len() < 10_000).collect();
    prop::sample::select(files)
}

proptest! {
    #![proptest_config(config(8192))]

    #[test]
    fn both_readers_agree_on_a_file_with_any_damage(bytes in corpus(), harms in vec(harm(), 1..6)) {
        let bytes = harmed(bytes, &harms);
        agree(&bytes);
        exercise(&bytes);
    }

    #[test]
    fn both_readers_agree_on_any_numbers_in_headers(
        bytes in corpus(),
        changes in vec((any::<Index>(), 24..32_usize, harm()), 1..4),
    ) {
        let mut bytes = bytes;
        if let Ok(outline) = test_support::actorx::naive::outline(&bytes) {
            for (chunk, field, harm) in changes {
                let header = outline.chunks[chunk.index(outline.chunks.len())].offset as usize;
                if let Harm::Number(_, number) = harm {
                    let at = header + field / 4 * 4;
                    bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
                }
            }
        }
        agree(&bytes);
        exercise(&bytes);
    }

    #[test]
    fn both_readers_agree_on_any_bytes_after_a_head(mesh: bool, mut body in vec(any::<u8>(), 0..300)) {
        let head = if mesh { "ACTRHEAD" } else { "ANIMHEAD" };
        let mut bytes = Chunks::new().empty(head, 0).build().bytes;
        bytes.append(&mut body);
        agree(&bytes);
        exercise(&bytes);
    }

    #[test]
    fn both_readers_agree_on_files_of_other_programs(
        first in prop::sample::select(&family::OF_OTHER_PROGRAMS),
        mut body in vec(any::<u8>(), 0..20),
        cut in 0_usize..2,
    ) {
        let mut bytes = first[..first.len() - cut].to_vec();
        bytes.append(&mut body);
        agree(&bytes);
    }

    #[test]
    fn any_bytes_give_an_error_or_a_value(bytes in vec(any::<u8>(), 0..200)) {
        agree(&bytes);
        exercise(&bytes);
    }
}

proptest! {
    #![proptest_config(config(512))]

    #[test]
    fn both_readers_agree_on_a_random_mesh_with_any_damage(whole in whole(), harms in vec(harm(), 1..6)) {
        let bytes = harmed(whole.build().0.bytes, &harms);
        agree(&bytes);
        exercise(&bytes);
    }

    #[test]
    fn both_readers_agree_on_a_random_animation_with_any_damage(moves in moves(), harms in vec(harm(), 1..6)) {
        let bytes = harmed(moves.build().bytes, &harms);
        agree(&bytes);
        exercise(&bytes);
    }
}
