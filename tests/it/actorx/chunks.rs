//! What the chunks of a mesh mean: which of several counts, how wide an index is, what is skipped.

use skelmap::actorx::{Faces, MorphDelta, Psk};
use skelmap::{Error, ErrorKind};

use test_support::actorx::agree::codes;
use test_support::actorx::build::{Built, Chunks, Face, Material, Mesh, Record, Wedge, to_bytes};
use test_support::actorx::corpus::sample::{figure, morphs, tangents, uvs};

/// Points enough for the wedges' indices to be read in one width or the other, and three wedges with a high half.
fn points_and_wedges(points: usize) -> Built {
    let wedges = [
        Wedge::new(0x1ACE_0002, [0.25, 0.5], 0),
        Wedge::new(0x0001_0000, [0.0, 1.0], 0),
        Wedge::new(0x0000_FFFF, [1.0, 0.0], 0),
    ];
    let points: Vec<[f32; 3]> = (0..points).map(|index| [index as f32, 0.0, 0.0]).collect();
    Mesh { points, wedges: wedges.to_vec(), ..Mesh::default() }.chunks().build()
}

fn indices(mesh: &Psk<'_>) -> Vec<u32> {
    mesh.wedges().iter().map(|wedge| mesh.point_index(wedge)).collect()
}

fn x_of(mesh: &Psk<'_>, wedge: usize) -> Option<f32> {
    mesh.point_of(&mesh.wedges()[wedge]).map(|point| point.get()[0])
}

#[test]
fn wedges_of_65536_points_have_16_bit_indices_and_garbage_in_the_upper_half() {
    let built = points_and_wedges(65_536);
    let mesh = Psk::parse(&built.bytes).unwrap();
    assert_eq!(indices(&mesh), [2, 0, 0xFFFF]);
    assert_eq!(x_of(&mesh, 0), Some(2.0));
    assert_eq!(x_of(&mesh, 2), Some(65_535.0));
    assert_eq!(mesh.wedges()[0].point_index_high(), 0x1ACE);
}

#[test]
fn wedges_of_65537_points_have_32_bit_indices() {
    let built = points_and_wedges(65_537);
    let mesh = Psk::parse(&built.bytes).unwrap();
    assert_eq!(indices(&mesh), [0x1ACE_0002, 0x1_0000, 0xFFFF]);
    assert_eq!(x_of(&mesh, 0), None, "a garbage index has no point");
    assert_eq!(x_of(&mesh, 1), Some(65_536.0));
}

#[test]
fn the_number_of_points_and_not_of_wedges_decides_the_width_of_an_index() {
    let wedges = vec![Wedge::new(0xABCD_0000, [0.0; 2], 0); 70_000];
    let mesh = Mesh { points: vec![[1.0; 3]], wedges, ..Mesh::default() };
    let built = mesh.chunks().build();
    let mesh = Psk::parse(&built.bytes).unwrap();
    assert!(indices(&mesh).iter().all(|index| *index == 0));
}

#[test]
fn the_chunk_id_and_not_the_number_of_wedges_decides_the_width_of_faces() {
    for wide_faces in [false, true] {
        let built = Mesh { wide_faces, ..figure() }.chunks().build();
        let mesh = Psk::parse(&built.bytes).unwrap();
        assert_eq!(matches!(mesh.faces(), Faces::U32(_)), wide_faces);
        assert_eq!(mesh.faces().get(3).unwrap().wedges, [4, 6, 7]);
        assert_eq!(mesh.faces().get(3).unwrap().smoothing_groups, 1);
        assert_eq!(mesh.faces().get(12), None);
    }
}

#[test]
fn an_empty_chunk_of_wide_faces_does_not_change_the_width_of_narrow_faces() {
    let mesh = figure();
    let built = mesh.onto(Chunks::new().empty("ACTRHEAD", 0).empty("FACE3200", 18)).empty("FACE3200", 18).build();
    let faces = Psk::parse(&built.bytes).unwrap().faces();
    assert!(matches!(faces, Faces::U16(_)));
    assert!(faces.iter().map(|face| face.wedges).eq(mesh.faces.iter().map(|face| face.wedges)));
}

#[test]
fn wide_faces_hold_indices_of_more_than_16_bits() {
    let mesh = Mesh { faces: vec![Face::new([70_000, 1, 4_000_000_000], 200)], wide_faces: true, ..Mesh::default() };
    let built = mesh.chunks().build();
    let face = Psk::parse(&built.bytes).unwrap().faces().get(0).unwrap();
    assert_eq!((face.wedges, face.material), ([70_000, 1, 4_000_000_000], 200));
}

#[test]
fn odd_face32_count_leaves_later_chunks_readable() {
    let mut mesh = Mesh { wide_faces: true, ..figure() };
    mesh.faces.truncate(7);
    let built = mesh.chunks().records("EXTRAUVS0", &uvs(0.5)).build();
    assert_eq!(built.offset("MATT0000.body") % 4, 2);
    let parsed = Psk::parse(&built.bytes).unwrap();
    assert_eq!(parsed.faces().len(), 7);
    assert_eq!(parsed.materials()[1].name().text().as_str(), Some("Cloth"));
    assert_eq!(parsed.bones()[3].translation().map(f32::to_bits), [0.0_f32, 0.0, 20.0].map(f32::to_bits));
    assert_eq!(parsed.influences().len(), mesh.weights.len());
    let set = parsed.extra_uv_sets().next().unwrap();
    assert!(set.iter().map(|uv| uv.get().map(f32::to_bits)).eq(uvs(0.5).iter().map(|uv| uv.map(f32::to_bits))));
}

#[test]
fn an_iterator_over_faces_runs_from_both_ends_and_knows_its_length() {
    for wide_faces in [false, true] {
        let built = Mesh { wide_faces, ..figure() }.chunks().build();
        let faces = Psk::parse(&built.bytes).unwrap().faces();
        let mut both = faces.iter();
        assert_eq!(both.len(), 12);
        assert_eq!(both.next(), faces.get(0));
        assert_eq!(both.next_back(), faces.get(11));
        assert_eq!(both.nth(2), faces.get(3));
        assert_eq!(both.len(), 7);
        assert_eq!(both.nth(7), None);
        assert_eq!((both.next(), both.next_back(), both.len()), (None, None, 0));
        assert_eq!(faces.into_iter().count(), 12);
    }
}

#[test]
fn extra_uv_sets_keep_file_order_whatever_their_numbers() {
    let set = |u: f32| vec![[u, 0.0]; 24];
    let built = figure()
        .chunks()
        .records("EXTRAUVS2", &set(2.0))
        .records("EXTRAUV0", &set(3.0))
        .empty("EXTRAUVS7", 8)
        .records("EXTRAUV0", &set(4.0))
        .records("EXTRAUVS11", &set(5.0))
        .build();
    let mesh = Psk::parse(&built.bytes).unwrap();
    assert!(mesh.extra_uv_sets().map(|set| set[7].get()[0]).eq([2.0, 3.0, 4.0, 5.0]));
    assert_eq!(mesh.uv_set_count(), 5);
    assert_eq!(codes(mesh.quirks()), [""; 0]);
}

#[test]
fn a_mesh_without_wedges_has_no_uv_set() {
    let built = Chunks::new().empty("ACTRHEAD", 0).records("EXTRAUVS0", &uvs(1.0)).build();
    let mesh = Psk::parse(&built.bytes).unwrap();
    assert_eq!((mesh.uv_set_count(), mesh.extra_uv_sets().count()), (0, 0));
    assert_eq!(codes(mesh.quirks()), ["count-mismatch"]);
}

#[test]
fn morph_targets_split_the_deltas_in_order() {
    let (infos, deltas) = morphs();
    let built = figure().chunks().records("MRPHDATA", &deltas).records("MRPHINFO", &infos).build();
    let mesh = Psk::parse(&built.bytes).unwrap();
    let found: Vec<(String, Vec<i32>)> = mesh
        .morphs()
        .map(|morph| (morph.info.name().text().to_string(), morph.deltas.iter().map(MorphDelta::point_index).collect()))
        .collect();
    assert_eq!(found, [("Smile".into(), vec![4, 5, 6]), ("Blink".into(), vec![7])]);
    assert_eq!(mesh.morph_deltas()[1].position().map(f32::to_bits), [0.0_f32, 0.5, 1.0].map(f32::to_bits));
}

#[test]
fn a_morph_target_with_a_wrong_count_gets_the_remaining_deltas() {
    let (mut infos, deltas) = morphs();
    infos.push(infos[0]);
    for (counts, expected) in [([3, 9, 2], [3, 1, 0]), ([-5, 2, 2], [0, 2, 2]), ([i32::MAX, 1, 1], [4, 0, 0])] {
        for (info, count) in infos.iter_mut().zip(counts) {
            info.count = count;
        }
        let built = figure().chunks().records("MRPHINFO", &infos).records("MRPHDATA", &deltas).build();
        let mesh = Psk::parse(&built.bytes).unwrap();
        assert!(mesh.morphs().map(|morph| morph.deltas.len()).eq(expected), "{counts:?}");
    }
}

#[test]
fn colours_begin_with_red_and_colours_of_epic_begin_with_blue() {
    let built = figure().chunks().records("VERTEXCOLOR", &[[1_u8, 2, 3, 4]; 24]).build();
    let color = Psk::parse(&built.bytes).unwrap().colors()[0];
    assert_eq!(color.rgba(), [1, 2, 3, 4]);
    assert_eq!(color.rgba_from_epic(), [3, 2, 1, 4]);
}

#[test]
fn unknown_chunks_are_listed_and_skipped() {
    let built = figure().onto(Chunks::new()).chunk("NEWSTUFF", 5, &[9; 15]).records("VTXTANGS", &tangents()).build();
    let mesh = Psk::parse(&built.bytes).unwrap();
    assert_eq!(mesh.tangents().len(), 8);
    let chunk = mesh.chunks().nth(7).unwrap();
    assert_eq!((chunk.id.to_string(), chunk.record_size, chunk.count), ("NEWSTUFF".into(), 5, 3));
    assert_eq!((chunk.offset, chunk.body), (1672, &[9_u8; 15][..]));
}

#[test]
fn ids_of_animations_mean_nothing_in_a_mesh() {
    let built = figure().chunks().chunk("ANIMKEYS", 5, &[0; 15]).chunk("Walk:CUR", 1, &[0; 3]).build();
    let mesh = Psk::parse(&built.bytes).unwrap();
    assert_eq!(mesh.chunks().count(), 9);
    assert_eq!(codes(mesh.quirks()), [""; 0]);
}

#[test]
fn a_slice_borrows_the_file_and_outlives_the_view() {
    let built = figure().chunks().build();
    let points = {
        let mesh = Psk::parse(&built.bytes).unwrap();
        mesh.points()
    };
    assert_eq!(points.as_ptr().cast::<u8>(), built.bytes[built.offset("PNTS0000.body")..].as_ptr());
}

/// Records with `more` bytes of `filler` after each.
fn widened<R: Record>(records: &[R], more: usize, filler: u8) -> Vec<u8> {
    let widened =
        records.iter().flat_map(|record| [to_bytes(std::slice::from_ref(record)), vec![filler; more]].concat());
    widened.collect()
}

/// A figure whose points, faces and bones carry more than the format has.
fn wide_figure() -> Built {
    let mesh = figure();
    let narrow: Vec<_> = mesh.faces.iter().map(Face::narrow).collect();
    Chunks::new()
        .empty("ACTRHEAD", 0)
        .chunk("PNTS0000", 20, &widened(&mesh.points, 8, 0xEE))
        .records("VTXW0000", &mesh.wedges)
        .chunk("FACE0000", 15, &widened(&narrow, 3, 0xEE))
        .records("MATT0000", &mesh.materials)
        .chunk("REFSKELT", 121, &widened(&mesh.bones, 1, 0xEE))
        .chunk("NEWSTUFF", 101, &[7; 202])
        .records("RAWWEIGHTS", &mesh.weights)
        .build()
}

#[test]
fn records_wider_than_those_of_the_format_give_an_error_with_both_sizes() {
    let error: Error = Psk::parse(&wide_figure().bytes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::RecordSize { size: 20, known: 12 });
    assert_eq!((error.section().as_bytes(), error.offset()), (b"PNTS0000".as_slice(), 32));
}

#[test]
fn a_repeated_chunk_is_read_once_and_only_the_second_is_reported() {
    let mesh = figure();
    let built = mesh.chunks().records("MATT0000", &[Material::new("Other", 9)]).build();
    let parsed = Psk::parse(&built.bytes).unwrap();
    assert_eq!(parsed.materials().len(), 2);
    let quirk = parsed.quirks().next().unwrap();
    assert_eq!((quirk.code.name(), quirk.offset), ("duplicate-chunk", built.offset("MATT0000#2.header") as u64));
    assert_eq!(parsed.quirks().count(), 1);
}
