//! Broken files that are read all the same: what is done, and that it is said.

use skelmap::ErrorKind;
use skelmap::actorx::{Psa, Psk, codes};

use test_support::actorx::agree::codes;
use test_support::actorx::build::{Chunks, Face, Mesh, Record, Socket, Wedge, to_bytes};
use test_support::actorx::corpus::sample::{figure, morphs, sockets, uvs, walk};

/// The figure up to its wedges.
fn until_faces(mesh: &Mesh) -> Chunks {
    Chunks::new().empty("ACTRHEAD", 0).records("PNTS0000", &mesh.points).records("VTXW0000", &mesh.wedges)
}

#[test]
fn faces_of_18_bytes_that_are_stated_as_20_are_read_as_18() {
    let mesh = figure();
    let built = until_faces(&mesh)
        .declare_records("FACE3200", 20, 12, &mesh.faces)
        .records("MATT0000", &mesh.materials)
        .build();
    let parsed = Psk::parse(&built.bytes).unwrap();
    assert!(parsed.faces().iter().map(|face| face.wedges).eq(mesh.faces.iter().map(|face| face.wedges)));
    assert_eq!(parsed.materials().len(), 2);
    let quirk = parsed.quirks().next().unwrap();
    assert_eq!((quirk.code, quirk.offset), (codes::FACE_RECORD_SIZE, built.offset("FACE3200.header") as u64));
    let chunk = parsed.chunks().nth(3).unwrap();
    assert_eq!((chunk.declared_size, chunk.record_size, chunk.count), (20, 18, 12));
}

#[test]
fn faces_at_the_end_of_the_file_are_recovered() {
    let mesh = figure();
    let built = until_faces(&mesh).declare_records("FACE3200", 20, 12, &mesh.faces).build();
    assert_eq!(Psk::parse(&built.bytes).unwrap().faces().len(), 12);
}

/// Whether 18-byte faces that are stated as 20 bytes are recovered before a chunk with this header.
fn recovers_before(id: &[u8], size: i32, count: i32, body: usize) -> bool {
    let mut raw = [0; 20];
    raw[..id.len()].copy_from_slice(id);
    let mesh = figure();
    let chunks = until_faces(&mesh).declare_records("FACE3200", 20, 12, &mesh.faces);
    let built = chunks.raw("next", raw, 0, size, count, &vec![0; body]).build();
    match Psk::parse(&built.bytes) {
        Ok(mesh) => mesh.faces().len() == 12 && codes(mesh.quirks())[0] == "face-record-size",
        Err(_) => false,
    }
}

#[test]
fn a_body_is_recovered_only_before_bytes_that_look_like_a_header() {
    assert!(recovers_before(b"ANY_id: 9", 4, 5, 20));
    // An id of 4 to 19 letters, digits, spaces, colons and underscores.
    assert!(recovers_before(b"FOUR", 4, 5, 20) && !recovers_before(b"TRE", 4, 5, 20));
    assert!(recovers_before(b"NINETEEN_LETTERS_IN", 4, 5, 20) && !recovers_before(b"TWENTY_LETTERS_IN_ID", 4, 5, 20));
    assert!(!recovers_before(b"DA-SH", 4, 5, 20) && !recovers_before(b"UML\xC4UT", 4, 5, 20));
    // Records of up to 4096 bytes, which are all there.
    assert!(recovers_before(b"LARGE", 4096, 1, 4096) && !recovers_before(b"LARGE", 4097, 1, 4097));
    // A curve chunk may have any record size and almost any name.
    assert!(recovers_before(b"A-\xC4:CUR", 4097, 1, 4097) && !recovers_before(b"\x01:CUR", 4, 5, 20));
    assert!(recovers_before(b"EMPTY", 4096, 0, 0) && !recovers_before(b"EMPTY", -1, 0, 0));
}

#[test]
fn a_broken_body_before_another_broken_body_is_recovered() {
    let mesh = figure();
    let (infos, _) = morphs();
    let built = until_faces(&mesh)
        .declare_records("FACE3200", 20, 12, &mesh.faces)
        .declare_records("MRPHINFO", 68, 500, &infos)
        .empty("MRPHDATA", 28)
        .declare_records("EXTRAUV0", 16, 24, &uvs(0.5))
        .declare_records("SKELSOCK", 164, 100, &sockets())
        .build();
    let parsed = Psk::parse(&built.bytes).unwrap();
    assert_eq!(codes(parsed.quirks()), ["face-record-size", "short-body", "uv-record-size", "short-body"]);
    assert_eq!((parsed.faces().len(), parsed.morph_infos().len(), parsed.sockets().len()), (12, 2, 2));
}

#[test]
fn faces_that_really_have_20_bytes_are_an_error() {
    let mesh = figure();
    let body = [0; 240];
    let built = until_faces(&mesh).chunk("FACE3200", 20, &body).records("MATT0000", &mesh.materials).build();
    assert_eq!(Psk::parse(&built.bytes).unwrap_err().kind(), ErrorKind::RecordSize { size: 20, known: 18 });
}

#[test]
fn coordinates_of_8_bytes_that_are_stated_as_16_are_read_as_8_twice() {
    let built = figure()
        .chunks()
        .declare_records("EXTRAUV0", 16, 24, &uvs(0.5))
        .declare_records("EXTRAUV0", 16, 24, &uvs(0.25))
        .build();
    let mesh = Psk::parse(&built.bytes).unwrap();
    let second: Vec<[f32; 2]> = mesh.extra_uv_sets().map(|set| set[1].get()).collect();
    assert_eq!(second, [[0.5, 0.0], [0.25, 0.0]]);
    let quirks: Vec<_> = mesh.quirks().map(|quirk| (quirk.code, quirk.offset)).collect();
    let at = |chunk: &str| (codes::UV_RECORD_SIZE, built.offset(&format!("{chunk}.header")) as u64);
    assert_eq!(quirks, [at("EXTRAUV0"), at("EXTRAUV0#2")]);
}

#[test]
fn morph_targets_that_were_counted_but_not_written_are_left_out() {
    let (infos, deltas) = morphs();
    let built = figure().chunks().declare_records("MRPHINFO", 68, 9, &infos).records("MRPHDATA", &deltas).build();
    let mesh = Psk::parse(&built.bytes).unwrap();
    assert!(mesh.morphs().map(|morph| morph.deltas.len()).eq([3, 1]));
    assert_eq!(codes(mesh.quirks()), ["short-body"]);
    let chunk = mesh.chunks().nth(7).unwrap();
    assert_eq!((chunk.declared_count, chunk.count), (9, 2));
}

#[test]
fn a_file_may_count_morph_targets_and_hold_none() {
    let built = figure().chunks().declare("MRPHINFO", 68, 2, &[]).empty("MRPHDATA", 28).build();
    let mesh = Psk::parse(&built.bytes).unwrap();
    assert_eq!((mesh.morph_infos().len(), mesh.morph_deltas().len()), (0, 0));
    assert_eq!(codes(mesh.quirks()), ["short-body"]);
}

#[test]
fn sockets_that_were_counted_but_not_written_are_left_out() {
    let mesh = figure();
    let last = mesh.chunks().declare_records("SKELSOCK", 164, 5, &sockets()).build();
    let between =
        until_faces(&mesh).declare_records("SKELSOCK", 164, 3, &sockets()).records("REFSKELT", &mesh.bones).build();
    for bytes in [&last.bytes, &between.bytes] {
        let parsed = Psk::parse(bytes).unwrap();
        assert_eq!(parsed.sockets().len(), 2);
        assert_eq!(parsed.sockets()[0].bone_name().text().as_str(), Some("Head"));
        assert_eq!(parsed.bones().len(), 4);
        assert_eq!(codes(parsed.quirks()), ["short-body"]);
    }
}

/// The name of a socket and the zeros after it look like the header of an empty chunk.
#[test]
fn a_socket_with_the_name_of_a_chunk_is_a_socket() {
    let named = [Socket::new("Hat", "Head", [0.0; 3]), Socket::new("PNTS0000", "Neck", [0.0; 3])];
    let built = figure().chunks().declare_records("SKELSOCK", 164, 5, &named).build();
    let mesh = Psk::parse(&built.bytes).unwrap();
    let names: Vec<_> = mesh.sockets().iter().map(|socket| socket.name().text().to_string()).collect();
    assert_eq!(names, ["Hat", "PNTS0000"]);
    assert_eq!(codes(mesh.quirks()), ["short-body"]);
}

#[test]
fn sockets_do_not_end_at_an_unknown_header() {
    let built = figure().chunks().declare_records("SKELSOCK", 164, 3, &sockets()).empty("WHATSTHIS", 0).build();
    let kind = Psk::parse(&built.bytes).unwrap_err().kind();
    assert_eq!(kind, ErrorKind::RecordsOverrun { count: 3, size: 164, left: 2 * 164 + 32 });
    let full = figure().chunks().declare_records("SKELSOCK", 164, 3, &sockets()).chunk("WHATSTHIS", 4, &[1; 8]).build();
    let kind = Psk::parse(&full.bytes).unwrap_err().kind();
    assert_eq!(kind, ErrorKind::RecordsOverrun { count: 3, size: 164, left: 2 * 164 + 32 + 8 });
}

#[test]
fn a_second_head_is_ignored_at_any_place() {
    let mesh = figure();
    let built = mesh.onto(Chunks::new().empty("ACTRHEAD", 0)).empty("ACTRHEAD", 0).empty("ANIMHEAD", 0).build();
    let parsed = Psk::parse(&built.bytes).unwrap();
    assert_eq!(parsed.points().len(), 8);
    assert_eq!(codes(parsed.quirks()), ["duplicate-head"; 3]);
}

#[test]
fn garbage_in_headers_is_reported_chunk_by_chunk() {
    let garbage = [0x80, 0xF7, 0x77, 0, 0x11];
    let built = Chunks::flagged(1_999_801, 0x2E)
        .id_garbage(&garbage)
        .empty("ACTRHEAD", 0)
        .records("PNTS0000", &figure().points)
        .build();
    let mesh = Psk::parse(&built.bytes).unwrap();
    assert_eq!(mesh.points().len(), 8);
    let quirks: Vec<_> = mesh.quirks().map(|quirk| (quirk.code.name(), quirk.offset)).collect();
    assert_eq!(quirks, [("id-garbage", 0), ("id-garbage", 32), ("type-flag", 32)]);
}

#[test]
fn every_type_flag_of_the_reference_is_known() {
    for flag in [1_999_801, 2_003_321, 20_090_127, 20_100_422, 20_210_917, 20_220_723, 0] {
        let built = Chunks::flagged(flag, flag).empty("ACTRHEAD", 0).build();
        assert_eq!(codes(Psk::parse(&built.bytes).unwrap().quirks()), [""; 0], "{flag}");
    }
    for flag in [0x2E, 0x0012_F2BC, 0x0012_F2F0, u32::MAX] {
        let built = Chunks::flagged(flag, 0).empty("ACTRHEAD", 0).build();
        assert_eq!(codes(Psk::parse(&built.bytes).unwrap().quirks()), ["type-flag"], "{flag}");
    }
}

#[test]
fn records_of_64_bit_longs_are_recognised_and_refused() {
    let mesh = figure();
    let narrow: Vec<_> = mesh.faces.iter().map(Face::narrow).collect();
    let built = until_faces(&mesh)
        .declare("FACE0000", 12, 12, &padded(&narrow, 4))
        .records("MATT0000", &mesh.materials)
        .build();
    let error = Psk::parse(&built.bytes).unwrap_err();
    assert_eq!(error.code(), codes::NATIVE_LONG);
    assert!(error.to_string().contains("the chunk header says 12 bytes per record, but the data has 16"), "{error}");
}

fn padded<R: Record>(records: &[R], more: usize) -> Vec<u8> {
    records.iter().flat_map(|record| [to_bytes(std::slice::from_ref(record)), vec![0; more]].concat()).collect()
}

/// What a checkout that takes the file for text makes of it.
fn with_crlf(bytes: &[u8]) -> Vec<u8> {
    let out: Vec<u8> =
        bytes.iter().flat_map(|byte| if *byte == b'\n' { vec![b'\r', b'\n'] } else { vec![*byte] }).collect();
    assert!(out.len() > bytes.len());
    out
}

#[test]
fn line_ends_are_the_reason_of_a_failed_walk_only_without_a_bare_line_feed() {
    let mut mesh = figure();
    mesh.wedges[0] = Wedge::new(0x0A0A, [0.0; 2], 0);
    let built = mesh.chunks().build();
    let damaged = with_crlf(&built.bytes);
    assert_eq!(Psk::parse(&damaged).unwrap_err().kind(), ErrorKind::CrlfDamaged);
    let mut bare = damaged.clone();
    let last = bare.len() - 1;
    bare[last] = b'\n';
    let kind = Psk::parse(&bare).unwrap_err().kind();
    assert!(!matches!(kind, ErrorKind::CrlfDamaged), "{kind}");
}

#[test]
fn a_line_feed_far_into_a_file_is_found() {
    let points = Chunks::new().empty("ACTRHEAD", 0).records("PNTS0000", &[[1.0_f32; 3]; 1000]).build().bytes;
    assert!(!points.contains(&b'\n'));
    let cut = &points[..points.len() - 10];
    let kind = |end: &[u8]| Psk::parse(&[cut, end].concat()).unwrap_err().kind();
    assert_eq!(kind(b"\r\n"), ErrorKind::CrlfDamaged);
    assert_eq!(kind(b"\r\n\n"), ErrorKind::RecordsOverrun { count: 1000, size: 12, left: 12_000 - 10 + 3 });
}

#[test]
fn line_ends_are_not_the_reason_in_a_file_without_line_feeds() {
    let bytes = Chunks::new().empty("ACTRHEAD", 0).records("PNTS0000", &[[1.0_f32; 3]]).build().bytes;
    assert!(!bytes.contains(&b'\n'));
    let kind = Psk::parse(&bytes[..bytes.len() - 1]).unwrap_err().kind();
    assert_eq!(kind, ErrorKind::RecordsOverrun { count: 1, size: 12, left: 11 });
}

#[test]
fn a_readable_file_has_no_error_about_line_ends() {
    let mut anim = walk();
    for key in &mut anim.keys {
        key.time = f32::from_le_bytes(*b"\r\n\r\n");
    }
    let bytes = anim.chunks().build().bytes;
    assert_eq!(Psa::parse(&bytes).unwrap().keys().len(), 20);
}
