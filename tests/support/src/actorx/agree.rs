//! The crate and the naive reader say the same about a file, down to the bits of every float.
//!
//! [`agree`] compares everything, [`agree_in_outline`] what a walk over the headers shows; [`exercise`] runs what reads all
//! the data but has no second implementation to compare with.

use skelmap::actorx::{AnimInfo, AnimKey, Bone, Chunk, Face, Faces, Psa, Psk, ScaleKey, Sequence};
use skelmap::model::Skeleton;
use skelmap::{Asset, Error, ErrorKind, Format, Quirk, SectionRange};

use super::naive;

/// A file by the parser of its own format; by the mesh's where it has none.
#[derive(Clone, Copy)]
pub enum View<'a> {
    Psk(Psk<'a>),
    Psa(Psa<'a>),
}

pub fn parse(bytes: &[u8]) -> Result<View<'_>, Error> {
    match Format::sniff(bytes) {
        Ok(Format::ActorxPsa) => Psa::parse(bytes).map(View::Psa),
        _ => Psk::parse(bytes).map(View::Psk),
    }
}

/// Everything: outcome, chunks, quirks, every record, every field.
pub fn agree(bytes: &[u8]) {
    match (parse(bytes), naive::read(bytes)) {
        (Ok(View::Psk(mesh)), Ok(naive::File::Psk(expected))) => {
            same_chunks(mesh.chunks(), &expected.chunks);
            same_sections(mesh.sections(), &expected.chunks);
            assert_eq!(codes(mesh.quirks()), expected.quirks);
            placed_quirks(mesh.quirks(), &expected.chunks);
            same_mesh(&mesh, &expected);
        }
        (Ok(View::Psa(animation)), Ok(naive::File::Psa(expected))) => {
            same_chunks(animation.chunks(), &expected.chunks);
            same_sections(animation.sections(), &expected.chunks);
            assert_eq!(codes(animation.quirks()), expected.quirks);
            placed_quirks(animation.quirks(), &expected.chunks);
            same_animation(&animation, &expected);
        }
        (Err(error), Err(expected)) => same_error(bytes, error, &expected),
        (Ok(_), Ok(_)) => panic!("one takes the file for a mesh, the other for an animation"),
        (Err(error), Ok(_)) => panic!("only the crate fails: {error}"),
        (Ok(_), Err(expected)) => panic!("only the naive reader fails: {expected:?}"),
    }
}

/// Compares everything, and runs what there is nothing to compare with.
pub fn agree_and_exercise(bytes: &[u8]) {
    agree(bytes);
    exercise(bytes);
}

/// What needs no record: outcome, chunks, the walk's quirks, and how many records each slice has.
pub fn agree_in_outline(bytes: &[u8]) {
    let expected = naive::outline(bytes);
    let (chunks, quirks) = match (parse(bytes), &expected) {
        (Err(error), Err(expected)) => return same_error(bytes, error, expected),
        (Err(error), Ok(_)) => panic!("only the crate fails: {error}"),
        (Ok(_), Err(expected)) => panic!("only the naive reader fails: {expected:?}"),
        (Ok(View::Psk(mesh)), Ok(expected)) => {
            assert!(expected.mesh);
            same_mesh_counts(&mesh, &expected.chunks);
            (mesh.chunks().collect::<Vec<_>>(), codes(mesh.quirks()))
        }
        (Ok(View::Psa(animation)), Ok(expected)) => {
            assert!(!expected.mesh);
            same_animation_counts(&animation, &expected.chunks);
            (animation.chunks().collect::<Vec<_>>(), codes(animation.quirks()))
        }
    };
    let expected = expected.unwrap();
    same_chunks(chunks.into_iter(), &expected.chunks);
    let (of_the_walk, of_the_records) = quirks.split_at(expected.quirks.len());
    assert_eq!(of_the_walk, expected.quirks);
    let known = ["count-mismatch", "frame-numbering", "scale-keys-partial", "scale-keys-ignored"];
    assert!(of_the_records.iter().all(|code| known.contains(code)), "{of_the_records:?}");
}

/// Runs what reads all the data; there is nothing to compare it with, but it must come back.
pub fn exercise(bytes: &[u8]) {
    let Ok(asset) = Asset::parse(bytes) else { return };
    let mut quirks = 0;
    quirks += asset.quirks().count();
    let walked = match asset {
        Asset::ActorxPsk(mesh) => mesh.quirks().count(),
        Asset::ActorxPsa(animation) => animation.quirks().count(),
        _ => return,
    };
    assert_eq!(quirks, walked);
    assert!(asset.summary().bones.is_some());
    for finding in asset.check() {
        assert!(finding.count >= 1 && finding.offset <= bytes.len() as u64, "{finding}");
        assert!(!finding.message.is_empty() && finding.to_string().contains(finding.code.name()));
    }
}

pub fn codes(quirks: impl Iterator<Item = Quirk>) -> Vec<&'static str> {
    quirks.map(|quirk| quirk.code.name()).collect()
}

fn same_error(bytes: &[u8], error: Error, expected: &naive::Bad) {
    assert_eq!(error.code().name(), expected.kind, "{error} against {expected:?}");
    assert_eq!(naive::text(error.section().as_bytes()), expected.section, "{error} against {expected:?}");
    assert_eq!(error.offset(), expected.offset, "{error} against {expected:?}");
    // What another family's parser makes of a file that is not ours is not said here.
    if !matches!(error.kind(), ErrorKind::OtherFormat { .. }) {
        assert_eq!(Asset::parse(bytes).unwrap_err(), error);
    }
}

/// Each at the header of its chunk, in file order, and then the wrong counts in file order; those about all sequences at
/// the chunk that is used, and last.
fn placed_quirks(quirks: impl Iterator<Item = Quirk>, chunks: &[naive::Chunk]) {
    let (mut at, mut miscounted_at) = (0, 0);
    for quirk in quirks {
        let id: &[u8] = match quirk.code.name() {
            "frame-numbering" => b"ANIMINFO",
            "scale-keys-partial" | "scale-keys-ignored" => b"SCALEKEYS",
            code => {
                let at = if code == "count-mismatch" { &mut miscounted_at } else { &mut at };
                let chunk = chunks.iter().find(|chunk| chunk.offset == quirk.offset);
                let chunk = chunk.unwrap_or_else(|| panic!("{quirk} is at no chunk"));
                assert_eq!(quirk.section.as_bytes(), chunk.id, "{quirk}");
                assert!(*at <= quirk.offset, "{quirk} comes too late");
                *at = quirk.offset;
                continue;
            }
        };
        let used = chunks.iter().find(|chunk| chunk.id == id && chunk.count > 0).unwrap();
        assert_eq!((quirk.section.as_bytes(), quirk.offset), (id, used.offset), "{quirk}");
        at = u64::MAX;
    }
}

/// The places of the records of each chunk.
fn same_sections(sections: impl Iterator<Item = SectionRange>, expected: &[naive::Chunk]) {
    let found: Vec<_> =
        sections.map(|own| (own.section.as_bytes().to_owned(), own.offset, own.record_size, own.bytes)).collect();
    let of = |chunk: &naive::Chunk| {
        (chunk.id.clone(), chunk.body.start as u64, chunk.record_size.into(), chunk.body.len() as u64)
    };
    assert_eq!(found, expected.iter().map(of).collect::<Vec<_>>());
}

pub fn same_chunks<'a>(chunks: impl Iterator<Item = Chunk<'a>>, expected: &[naive::Chunk]) {
    let mut found = 0;
    for (chunk, expected) in chunks.zip(expected) {
        assert_eq!(chunk.id.raw(), &expected.raw_id);
        assert_eq!(chunk.id.as_bytes(), expected.id);
        assert_eq!(chunk.offset, expected.offset, "{chunk:?}");
        assert_eq!(chunk.type_flag, expected.type_flag, "{chunk:?}");
        assert_eq!(chunk.declared_size, expected.declared_size, "{chunk:?}");
        assert_eq!(chunk.declared_count, expected.declared_count, "{chunk:?}");
        assert_eq!(chunk.record_size, expected.record_size, "{chunk:?}");
        assert_eq!(chunk.count, expected.count, "{chunk:?}");
        assert_eq!(chunk.body.len(), expected.body.len(), "{chunk:?}");
        assert_eq!(chunk.offset + 32, expected.body.start as u64, "{chunk:?}");
        found += 1;
    }
    assert_eq!(found, expected.len(), "number of chunks");
}

/// Records in the first chunk of these ids that has any.
fn counted(chunks: &[naive::Chunk], ids: &[&str]) -> usize {
    let used = chunks.iter().find(|chunk| chunk.count > 0 && ids.iter().any(|id| chunk.id == id.as_bytes()));
    used.map_or(0, |chunk| chunk.count as usize)
}

fn same_mesh_counts(mesh: &Psk<'_>, chunks: &[naive::Chunk]) {
    let of = |ids: &[&str]| counted(chunks, ids);
    assert_eq!(mesh.points().len(), of(&["PNTS0000"]));
    assert_eq!(mesh.wedges().len(), of(&["VTXW0000"]));
    assert_eq!(mesh.faces().len(), of(&["FACE0000", "FACE3200"]));
    assert_eq!(mesh.materials().len(), of(&["MATT0000"]));
    assert_eq!(mesh.bones().len(), of(&["REFSKELT", "REFSKEL0"]));
    assert_eq!(mesh.influences().len(), of(&["RAWWEIGHTS", "RAWW0000"]));
    let one_for_each = |id, owners| Some(of(&[id])).filter(|count| *count == of(&[owners])).unwrap_or(0);
    assert_eq!(mesh.colors().len(), one_for_each("VERTEXCOLOR", "VTXW0000"));
    assert_eq!(mesh.normals().len(), one_for_each("VTXNORMS", "PNTS0000"));
    assert_eq!(mesh.tangents().len(), one_for_each("VTXTANGS", "PNTS0000"));
    assert_eq!(mesh.morph_infos().len(), of(&["MRPHINFO"]));
    assert_eq!(mesh.morph_deltas().len(), of(&["MRPHDATA"]));
    assert_eq!(mesh.sockets().len(), of(&["SKELSOCK"]));
    let sets = chunks.iter().filter(|chunk| chunk.count > 0 && chunk.id.starts_with(b"EXTRAUV"));
    let wedges = of(&["VTXW0000"]);
    assert!(
        mesh.extra_uv_sets().map(<[_]>::len).eq(sets.map(|chunk| chunk.count as usize).filter(|set| *set == wedges))
    );
}

fn same_animation_counts(animation: &Psa<'_>, chunks: &[naive::Chunk]) {
    assert_eq!(animation.bones().len(), counted(chunks, &["BONENAMES"]));
    assert_eq!(animation.infos().len(), counted(chunks, &["ANIMINFO"]));
    assert_eq!(animation.keys().len(), counted(chunks, &["ANIMKEYS"]));
    assert_eq!(animation.scale_keys().len(), counted(chunks, &["SCALEKEYS"]));
    let curves = chunks.iter().filter(|chunk| chunk.id.ends_with(b":CUR"));
    let curves = curves.map(|chunk| chunk.count as usize);
    assert!(animation.curves().map(|chunk| chunk.curves().count()).eq(curves));
    assert_eq!(animation.sequences().count(), animation.infos().len());
}

/// Floats compare by their bits: NaN is itself, and zero has a sign.
pub fn bits<const N: usize>(floats: [f32; N]) -> [u32; N] {
    floats.map(f32::to_bits)
}

fn each_same<A, B, T: PartialEq + std::fmt::Debug>(
    found: &[A],
    expected: &[B],
    of_found: impl Fn(&A) -> T,
    of_expected: impl Fn(&B) -> T,
) {
    assert_eq!(found.len(), expected.len());
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(of_found(found), of_expected(expected), "record {index}");
    }
}

fn same_mesh(mesh: &Psk<'_>, expected: &naive::Psk) {
    each_same(mesh.points(), &expected.points, |point| bits(point.get()), |point| bits(*point));
    same_wedges(mesh, expected);
    same_faces(mesh.faces(), &expected.faces);
    each_same(
        mesh.materials(),
        &expected.materials,
        |m| {
            (
                *m.name().raw(),
                m.texture_index(),
                m.poly_flags(),
                m.aux_material(),
                m.aux_flags(),
                m.lod_bias(),
                m.lod_style(),
            )
        },
        |m| (m.name, m.texture_index, m.poly_flags, m.aux_material, m.aux_flags, m.lod_bias, m.lod_style),
    );
    same_bones(mesh.bones(), &expected.bones);
    same_skeleton(mesh.skeleton(), &expected.bones);
    each_same(
        mesh.influences(),
        &expected.weights,
        |w| (w.weight().to_bits(), w.point_index(), w.bone_index()),
        |w| (w.weight.to_bits(), w.point, w.bone),
    );
    each_same(mesh.colors(), &expected.colors, skelmap::actorx::Color::rgba, |color| *color);
    each_same(mesh.colors(), &expected.colors, |color| color.rgba_from_epic(), |&[b, g, r, a]| [r, g, b, a]);
    each_same(mesh.normals(), &expected.normals, |normal| bits(normal.get()), |normal| bits(*normal));
    each_same(mesh.tangents(), &expected.tangents, |tangent| bits(tangent.get()), |tangent| bits(*tangent));
    assert_eq!(mesh.extra_uv_sets().count(), expected.uv_sets.len());
    for (set, expected) in mesh.extra_uv_sets().zip(&expected.uv_sets) {
        each_same(set, expected, |uv| bits(uv.get()), |uv| bits(*uv));
    }
    same_morphs(mesh, expected);
    each_same(
        mesh.sockets(),
        &expected.sockets,
        |s| (*s.name().raw(), *s.bone_name().raw(), bits(s.location()), bits(s.pitch_yaw_roll()), bits(s.scale())),
        |s| (s.name, s.bone, bits(s.location), bits(s.rotation), bits(s.scale)),
    );
    assert_eq!(mesh.bone_count(), expected.bones.len());
    let sets = if expected.wedges.is_empty() { 0 } else { 1 + expected.uv_sets.len() };
    assert_eq!(mesh.uv_set_count(), sets);
    let summary = Asset::ActorxPsk(*mesh).summary();
    assert_eq!(summary.bones, Some(expected.bones.len() as u64));
    assert_eq!(summary.points, Some(expected.points.len() as u64));
    assert_eq!(summary.wedges, Some(expected.wedges.len() as u64));
    assert_eq!(summary.faces, Some(expected.faces.len() as u64));
    assert_eq!(summary.materials, Some(expected.materials.len() as u64));
    assert_eq!(summary.uv_sets, Some(sets as u64));
    assert_eq!((summary.sequences, summary.frames, summary.duration_s), (None, None, None));
}

fn same_wedges(mesh: &Psk<'_>, expected: &naive::Psk) {
    each_same(
        mesh.wedges(),
        &expected.wedges,
        |w| (mesh.point_index(w), w.point_index_32(), bits(w.uv()), w.material(), w.reserved(), w.padding()),
        |w| (w.point, w.raw_point, bits([w.u, w.v]), w.material, w.reserved, w.padding),
    );
    each_same(
        mesh.wedges(),
        &expected.wedges,
        |w| (w.point_index_16(), w.point_index_high()),
        |w| ((w.raw_point & 0xFFFF) as u16, (w.raw_point >> 16) as u16),
    );
    each_same(
        mesh.wedges(),
        &expected.wedges,
        |w| mesh.point_of(w).map(|point| bits(point.get())),
        |w| expected.points.get(w.point as usize).copied().map(bits),
    );
}

fn same_faces(faces: Faces<'_>, expected: &[naive::Face]) {
    let same = |face: Face, expected: &naive::Face| {
        assert_eq!(face.wedges, expected.wedges);
        assert_eq!(face.material, expected.material);
        assert_eq!(face.aux_material, expected.aux_material);
        assert_eq!(face.smoothing_groups, expected.smoothing_groups);
    };
    assert_eq!((faces.len(), faces.iter().len()), (expected.len(), expected.len()));
    assert_eq!(faces.is_empty(), expected.is_empty());
    assert_eq!(faces.get(expected.len()), None);
    for (index, (face, expected)) in faces.iter().zip(expected).enumerate() {
        same(face, expected);
        same(faces.get(index).unwrap(), expected);
    }
    for (face, expected) in faces.iter().rev().zip(expected.iter().rev()) {
        same(face, expected);
    }
}

fn same_bones(bones: &[Bone], expected: &[naive::Bone]) {
    each_same(
        bones,
        expected,
        |b| (*b.name().raw(), b.flags(), b.child_count(), b.parent_index(), bits(b.rotation()), bits(b.translation())),
        |b| (b.name, b.flags, b.children, b.parent, bits(b.rotation), bits(b.position)),
    );
    each_same(
        bones,
        expected,
        |b| (b.length().to_bits(), bits(b.size()), b.name().text().to_string()),
        |b| (b.length.to_bits(), bits(b.size), naive::text(naive::key(&b.name))),
    );
}

/// A bone's parent by the reference's rule.
pub fn parent_of(bones: &[i32], bone: usize) -> Option<usize> {
    let parent = usize::try_from(bones[bone]).ok()?;
    (parent != bone && parent < bones.len()).then_some(parent)
}

fn same_skeleton(skeleton: Skeleton<'_>, bones: &[naive::Bone]) {
    let parents: Vec<i32> = bones.iter().map(|bone| bone.parent).collect();
    for bone in 0..bones.len() {
        assert_eq!(skeleton.parent(bone), parent_of(&parents, bone));
    }
    assert_eq!(skeleton.parent(bones.len()), None);
    assert!(skeleton.roots().eq((0..bones.len()).filter(|bone| parent_of(&parents, *bone).is_none())));
}

fn same_morphs(mesh: &Psk<'_>, expected: &naive::Psk) {
    each_same(
        mesh.morph_infos(),
        &expected.morphs,
        |morph| (*morph.name().raw(), morph.vertex_count()),
        |morph| (morph.name, morph.count),
    );
    let delta = |d: &naive::Delta| (bits(d.position), bits(d.normal), d.point);
    let found = |d: &skelmap::actorx::MorphDelta| (bits(d.position()), bits(d.tangent_z()), d.point_index());
    each_same(mesh.morph_deltas(), &expected.deltas, found, delta);
    assert_eq!(mesh.morphs().count(), expected.morphs.len());
    let mut first = 0;
    for (morph, info) in mesh.morphs().zip(&expected.morphs) {
        let end = expected.deltas.len().min(first + usize::try_from(info.count).unwrap_or(0));
        assert_eq!(morph.info.name().raw(), &info.name);
        each_same(morph.deltas, &expected.deltas[first..end], found, delta);
        first = end;
    }
}

pub fn key_bits(key: &AnimKey) -> ([u32; 3], [u32; 4], u32) {
    (bits(key.translation()), bits(key.rotation()), key.time().to_bits())
}

fn naive_key_bits(key: &naive::Key) -> ([u32; 3], [u32; 4], u32) {
    (bits(key.position), bits(key.rotation), key.time.to_bits())
}

fn scale_bits(key: &ScaleKey) -> ([u32; 3], u32) {
    (bits(key.scale()), key.time().to_bits())
}

fn naive_scale_bits(key: &naive::ScaleKey) -> ([u32; 3], u32) {
    (bits(key.scale), key.time.to_bits())
}

fn same_animation(animation: &Psa<'_>, expected: &naive::Psa) {
    same_bones(animation.bones(), &expected.bones);
    assert_eq!(animation.bone_count(), expected.bones.len());
    same_skeleton(animation.skeleton(), &expected.bones);
    each_same(
        animation.infos(),
        &expected.infos,
        |i| (*i.name().raw(), *i.group().raw(), i.total_bones(), i.root_include(), i.key_compression_style()),
        |i| (i.name, i.group, i.total_bones, i.root_include, i.key_compression_style),
    );
    each_same(
        animation.infos(),
        &expected.infos,
        |i| (i.key_quotum(), bits([i.key_reduction(), i.track_time(), i.rate()]), i.start_bone(), i.first_raw_frame()),
        |i| (i.key_quotum, bits([i.key_reduction, i.track_time, i.rate]), i.start_bone, i.first_raw_frame),
    );
    each_same(animation.infos(), &expected.infos, AnimInfo::raw_frame_count, |i| i.num_raw_frames);
    each_same(animation.keys(), &expected.keys, key_bits, naive_key_bits);
    each_same(animation.scale_keys(), &expected.scale_keys, scale_bits, naive_scale_bits);
    assert_eq!(animation.sequences().len(), expected.sequences.len());
    for (index, (sequence, of)) in animation.sequences().zip(&expected.sequences).enumerate() {
        assert_eq!(sequence.index(), index);
        same_sequence(&sequence, of, expected);
    }
    assert!(animation.sequence_at(expected.sequences.len()).is_none());
    same_lookups(animation, expected);
    same_curves(animation, expected);
    let summary = Asset::ActorxPsa(*animation).summary();
    let rated = expected.sequences.iter().filter(|sequence| sequence.rate > 0.0 && sequence.rate.is_finite());
    let seconds: f64 = rated.map(|sequence| expected.held(sequence) as f64 / f64::from(sequence.rate)).sum();
    assert_eq!(summary.bones, Some(expected.bones.len() as u64));
    assert_eq!(summary.sequences, Some(expected.sequences.len() as u64));
    assert_eq!(summary.frames, Some(expected.sequences.iter().map(|sequence| expected.held(sequence)).sum()));
    assert!((summary.duration_s.unwrap() - seconds).abs() <= seconds * 1e-12);
    assert_eq!((summary.points, summary.wedges, summary.faces), (None, None, None));
    assert_eq!((summary.materials, summary.uv_sets), (None, None));
}

/// So many whole frames of `bones` records, as far as they exist.
fn frames_of<T>(records: &[T], first: u64, frames: u64, bones: usize) -> &[T] {
    let total = records.len().checked_div(bones).unwrap_or(0) as u64;
    let (start, end) = (first.min(total), (first + frames).min(total));
    &records[start as usize * bones..end as usize * bones]
}

fn same_sequence(sequence: &Sequence<'_>, of: &naive::Sequence, file: &naive::Psa) {
    let bones = file.bones.len();
    assert_eq!(sequence.info().name().raw().as_slice(), of.name);
    assert_eq!(sequence.name().to_string(), naive::text(naive::key(&of.name)));
    assert_eq!(sequence.first_frame(), of.first_frame);
    assert_eq!(u64::from(sequence.declared_frame_count()), of.frames);
    assert_eq!(sequence.bone_count(), bones);
    let rate = Some(f64::from(of.rate)).filter(|rate| *rate > 0.0 && rate.is_finite());
    assert_eq!(sequence.rate(), rate);
    assert_eq!(sequence.info().rate().to_bits(), of.rate.to_bits());
    let keys = frames_of(&file.keys, of.first_frame, of.frames, bones);
    each_same(sequence.keys(), keys, key_bits, naive_key_bits);
    let held = keys.len().checked_div(bones).unwrap_or(0);
    assert_eq!(sequence.frame_count(), held);
    let seconds = (of.rate > 0.0 && of.rate.is_finite()).then(|| held as f64 / f64::from(of.rate));
    assert_eq!(sequence.duration(), seconds);
    for frame in 0..held {
        let expected = &keys[frame * bones..(frame + 1) * bones];
        each_same(sequence.frame(frame).unwrap(), expected, key_bits, naive_key_bits);
        for (bone, key) in expected.iter().enumerate() {
            assert_eq!(sequence.key(frame, bone).map(key_bits), Some(naive_key_bits(key)));
        }
        assert!(sequence.key(frame, bones).is_none());
    }
    for past in [held, usize::MAX] {
        let kind = sequence.frame(past).unwrap_err().kind();
        assert_eq!(kind, ErrorKind::FrameOutOfRange { frame: past as u64, count: held as u64 });
        assert!(sequence.key(past, 0).is_none());
    }
    for bone in 0..bones {
        let expected = keys.iter().skip(bone).step_by(bones).map(naive_key_bits);
        let track = sequence.track(bone).unwrap();
        assert_eq!(track.is_empty(), held == 0);
        assert!(track.map(key_bits).eq(expected.clone()));
        assert!(sequence.track(bone).unwrap().rev().map(key_bits).eq(expected.rev()));
    }
    let kind = ErrorKind::BoneOutOfRange { bone: bones as u64, count: bones as u64 };
    assert_eq!(sequence.track(bones).unwrap_err().kind(), kind);
    assert_eq!(sequence.scale_track(bones).unwrap_err().kind(), kind);

    let scales = of
        .scale_first
        .map_or(&[][..], |first| frames_of(&file.scale_keys, first / (bones.max(1) as u64), of.frames, bones));
    assert_eq!(sequence.has_scale_keys(), !scales.is_empty());
    each_same(sequence.scale_keys(), scales, scale_bits, naive_scale_bits);
    for bone in 0..bones {
        let expected = scales.iter().skip(bone).step_by(bones).map(naive_scale_bits);
        assert!(sequence.scale_track(bone).unwrap().map(scale_bits).eq(expected));
        let last = scales.len() / bones;
        assert!(sequence.scale_key(last, bone).is_none());
        if let Some(last) = last.checked_sub(1) {
            let expected = naive_scale_bits(&scales[last * bones + bone]);
            assert_eq!(sequence.scale_key(last, bone).map(scale_bits), Some(expected));
        }
    }
}

fn same_lookups(animation: &Psa<'_>, expected: &naive::Psa) {
    let folded = |raw: &[u8]| naive::text(naive::key(raw)).to_ascii_lowercase();
    for sequence in expected.sequences.iter().take(16) {
        let name = naive::text(naive::key(&sequence.name));
        let first = expected.sequences.iter().position(|other| folded(&other.name) == name.to_ascii_lowercase());
        for spelt in [name.clone(), name.to_ascii_uppercase(), name.to_ascii_lowercase(), format!("{name}  ")] {
            assert_eq!(animation.sequence(&spelt).map(|sequence| sequence.index()), first, "{spelt:?}");
        }
    }
    for bone in expected.bones.iter().take(16) {
        let name = naive::text(naive::key(&bone.name));
        let first = expected.bones.iter().position(|other| folded(&other.name) == name.to_ascii_lowercase());
        assert_eq!(animation.skeleton().find(&name), first, "{name:?}");
    }
}

fn same_curves(animation: &Psa<'_>, expected: &naive::Psa) {
    assert_eq!(animation.curves().count(), expected.curves.len());
    for (found, expected) in animation.curves().zip(&expected.curves) {
        assert_eq!(found.chunk().id.as_bytes(), expected.id);
        assert_eq!(found.chunk().record_size, expected.record_size);
        assert_eq!(found.curves().count(), expected.curves.len());
        for (curve, (name, weights)) in found.curves().zip(&expected.curves) {
            assert_eq!(curve.name.raw().as_slice(), name);
            each_same(curve.weights, weights, |weight| weight.get().to_bits(), |weight| weight.to_bits());
            assert_eq!(curve.weights.len(), found.frame_count() as usize);
        }
    }
    let start = |sequence: &Sequence<'_>| {
        let key = naive::key(sequence.info().name().raw());
        key[..key.len().min(14)].to_vec()
    };
    for sequence in animation.sequences().take(16) {
        // Sequences that begin alike have their chunks in their own order.
        let alike =
            animation.sequences().take(sequence.index()).filter(|other| start(other) == start(&sequence)).count();
        let wanted = [&start(&sequence)[..], b":CUR"].concat();
        let of_this_id = (0..expected.curves.len()).filter(|index| expected.curves[*index].id == wanted);
        let expected = of_this_id.map(|index| animation.curves().nth(index).unwrap().chunk().offset).nth(alike);
        let found = animation.curves_of(&sequence).map(|curves| curves.chunk().offset);
        assert_eq!(found, expected, "{}", sequence.name());
    }
}
