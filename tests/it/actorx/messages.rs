//! The sentences that users read, word for word.

use skelmap::actorx::{Psa, Psk};
use skelmap::{Asset, Error};

use test_support::actorx::corpus::cases;
use test_support::actorx::corpus::sample::walk;

fn corpus(file: &str) -> Vec<u8> {
    cases().into_iter().find(|case| case.file == file).unwrap_or_else(|| panic!("no {file}")).bytes
}

fn error(file: &str) -> Error {
    Asset::parse(&corpus(file)).unwrap_err()
}

#[test]
fn an_error_is_one_sentence_with_the_chunk_the_byte_and_the_numbers() {
    let sentences = [
        ("empty.psk", "the file is empty"),
        ("git_lfs.psk", "this is a Git LFS pointer, not the file itself (run `git lfs pull`)"),
        (
            "trailing.psk",
            "at byte 1672 (chunk header): this part needs 32 bytes, but the file has only 5 left: it is cut off or damaged",
        ),
        ("negative_count.psk", "at byte 160 (VTXW0000): the record count is -1, expected 0 or more"),
        ("negative_size.psk", "at byte 1472 (RAWWEIGHTS): the size is -12, expected 0 or more"),
        (
            "overrun.psa",
            "at byte 744 (ANIMKEYS): 22 records of 32 bytes need 704 bytes, but the file has only 672 left: it is cut off or damaged",
        ),
        (
            "overrun_huge.psk",
            "at byte 32 (PNTS0000): 2147483647 records of 12 bytes need 25769803764 bytes, but the file has only 1608 left: it is cut off or damaged",
        ),
        ("record_too_small.psk", "at byte 32 (PNTS0000): records of 8 bytes, expected 12"),
        (
            "record_too_wide.psa",
            "at byte 744 (ANIMKEYS): records of 36 bytes, expected 32; skelmap does not read longer records",
        ),
        (
            "native_long_bones.psk",
            "at byte 960 (REFSKELT): the chunk header says 120 bytes per record, but the data has 124: an old Blender exporter wrote 64-bit integers; export the file again",
        ),
        ("no_keys.psa", "at byte 744 (ANIMKEYS): the file ends without this chunk, which each animation needs"),
        (
            "crlf.psk",
            "the file looks damaged by a conversion of line endings to CR LF, such as by Git or FTP (every 0A byte follows a 0D); fetch it again as binary; from byte 752 on, nothing can be read",
        ),
        (
            "anixhead.psa",
            "this is an animation in a private dialect of ActorX (`ANIXHEAD`), which skelmap does not read",
        ),
        (
            "photoshop.psa",
            "not a known model or animation format: it begins with `8BPS\\x00\\x01\\x00\\x00` (38 42 50 53 00 01 00 00)",
        ),
    ];
    for (file, sentence) in sentences {
        assert_eq!(error(&format!("actorx/damaged/{file}")).to_string(), sentence, "{file}");
    }
}

#[test]
fn the_parser_of_one_format_names_the_other_format_that_it_was_given() {
    let (mesh, animation) = (corpus("actorx/mesh/classic.psk"), corpus("actorx/anim/classic.psa"));
    let pyrogenesis = corpus("actorx/damaged/pyrogenesis.psa");
    assert_eq!(
        Psk::parse(&animation).unwrap_err().to_string(),
        "this is an ActorX animation (`ANIMHEAD`), not a file of the requested format"
    );
    assert_eq!(
        Psa::parse(&mesh).unwrap_err().to_string(),
        "this is an ActorX mesh (`ACTRHEAD`), not a file of the requested format"
    );
    assert_eq!(
        Psa::parse(&pyrogenesis).unwrap_err().to_string(),
        "this is a Pyrogenesis animation of 0 A.D. (`PSSA`), not a file of the requested format"
    );
    for error in [Psk::parse(&animation).unwrap_err(), Psa::parse(&pyrogenesis).unwrap_err()] {
        assert_eq!(
            (error.code().name(), error.section().to_string(), error.offset()),
            ("other-format", "file".into(), 0)
        );
    }
}

#[test]
fn an_error_about_a_short_file_shows_only_the_bytes_of_the_file() {
    let sentence = error("actorx/damaged/three_bytes.psa").to_string();
    assert!(sentence.contains("(41 4E 49)"), "{sentence}");
}

#[test]
fn an_error_in_a_chunk_with_the_id_file_has_the_offset_of_the_chunk() {
    let built = test_support::actorx::corpus::sample::figure().chunks().declare("file", 4, -1, &[]).build();
    let error = Psk::parse(&built.bytes).unwrap_err();
    assert_eq!(error.to_string(), "at byte 1672 (file): the record count is -1, expected 0 or more");
}

#[test]
fn errors_about_missing_frames_and_bones_state_how_many_exist() {
    let bytes = walk().chunks().build().bytes;
    let sequence = Psa::parse(&bytes).unwrap().sequence("Walk").unwrap();
    let frame = sequence.frame(5).unwrap_err().to_string();
    assert_eq!(frame, "frame 5 does not exist; the animation has only frames 0 to 4");
    let bone = sequence.track(4).unwrap_err().to_string();
    assert_eq!(bone, "bone 4 does not exist; the file has only bones 0 to 3");
}

#[test]
fn quirks_state_how_the_file_was_read() {
    let sentences = [
        (
            "mesh/face32_size20.pskx",
            "at byte 576 (FACE3200): the chunk header says 20 bytes per face, but the data has 18; skelmap reads 18",
        ),
        (
            "mesh/extrauv_size16.pskx",
            "at byte 1672 (EXTRAUV0): the chunk header says 16 bytes per record, but the data has 8; skelmap reads 8",
        ),
        (
            "mesh/morph_short.pskx",
            "at byte 1672 (MRPHINFO): the chunk header counts more records than the chunk has; skelmap reads the records before the next header",
        ),
        ("mesh/duplicate_head.psk", "at byte 32 (ACTRHEAD): the file has a second header chunk, which is ignored"),
        ("mesh/duplicate_chunk.psk", "at byte 1672 (MATT0000): the chunk is repeated; the first one is used"),
        ("mesh/type_flag.psk", "at byte 32 (PNTS0000): no known writer uses this type flag; ignored"),
        (
            "anim/frame_numbering.psa",
            "at byte 544 (ANIMINFO): the start frames of the sequences are wrong; skelmap reads the sequences one after another",
        ),
        (
            "anim/scale_keys_partial.psa",
            "at byte 1968 (SCALEKEYS): only the sequences whose field `RootInclude` is 1 have scale keys; skelmap gives them the keys in file order",
        ),
        (
            "anim/scale_keys_ignored.psa",
            "at byte 1968 (SCALEKEYS): the number of scale keys matches no known convention; skelmap ignores the scale keys",
        ),
    ];
    for (file, sentence) in sentences {
        let bytes = corpus(&format!("actorx/{file}"));
        let mut first = None;
        Asset::parse(&bytes).unwrap().quirks().for_each(|quirk| first = first.or(Some(quirk)));
        assert_eq!(first.map(|quirk| quirk.to_string()).as_deref(), Some(sentence), "{file}");
    }
}

#[test]
fn findings_state_severity_code_place_and_numbers() {
    use test_support::actorx::corpus::sample::figure;

    let mut mesh = figure();
    mesh.faces[3].wedges = [4, 99, 7];
    mesh.faces[5].wedges = [4, 99, 7];
    mesh.faces[6].wedges = [4, 99, 7];
    mesh.weights[2].bone = -1;
    let bytes = mesh.chunks().build().bytes;
    let findings: Vec<String> = Psk::parse(&bytes).unwrap().check().iter().map(ToString::to_string).collect();
    let expected = [
        "error [face-wedge] at byte 576 (FACE0000): face 3 refers to wedges 4, 99 and 7; the mesh has only wedges 0 to 23 (and 2 more like this)",
        "error [weight-bone] at byte 1472 (RAWWEIGHTS): influence 2 on point 2 refers to bone -1; the mesh has only bones 0 to 3",
    ];
    assert_eq!(findings, expected);
}

/// The messages of the findings, without code and place.
fn messages(bytes: &[u8]) -> Vec<String> {
    Asset::parse(bytes).unwrap().check_each(9).into_iter().map(|finding| finding.message).collect()
}

#[test]
fn findings_name_bones_materials_and_morph_targets_with_their_index() {
    let is =
        |file: &str, expected: &[&str]| assert_eq!(messages(&corpus(&format!("actorx/{file}"))), expected, "{file}");
    is("mesh/rotation_zero.psk", &["bone 2 \"Arm_L\" has an invalid rotation, the quaternion 0, 0, 0, 0"]);
    is("mesh/parent_after_child.psk", &["bone 1 \"Spine\" comes before its parent, bone 2 \"Arm_L\""]);
    is("mesh/several_roots.psk", &["bone 2 \"Arm_L\" has no parent, so it is another root beside bone 0 \"Root\""]);
    is("mesh/weight_sum.psk", &["the weights of point 0 sum to 0.5, expected 1 (on bone 0 \"Root\")"]);
    is(
        "mesh/weight_point.psk",
        &["influence 14 of bone 0 \"Root\" refers to point 8; the mesh has only points 0 to 7"],
    );
    is(
        "mesh/morph_point.pskx",
        &["delta 1 of morph target 0 \"Smile\" refers to point 8; the mesh has only points 0 to 7"],
    );
    is("mesh/name_empty.psk", &["the name \"\" of material 1 is empty"]);
    is("mesh/point_nan.psk", &["point 3 holds [10.0, NaN, 0.0]"]);
    is(
        "mesh/name_duplicate.psk",
        &["bone 3 \"Head\" has the name of bone 2 \"HEAD\"; in most programs, an animation moves the first only"],
    );
    is("anim/name_duplicate.psa", &["sequence 1 \"walk\" has the name of sequence 0 \"Walk\""]);
    let cycle = messages(&corpus("actorx/mesh/bone_cycle.psk"));
    assert_eq!(
        cycle[0],
        "the parents of bone 2 \"Arm_L\" form a cycle: its parent is bone 3 \"Head\", whose parents lead back to bone 2"
    );
    let lost = messages(&corpus("actorx/mesh/bone_parent.psk"));
    assert_eq!(lost[0], "bone 3 \"Head\" has parent 4, but the file has 4 bones; read as a root");
}

#[test]
fn a_finding_about_weights_names_three_bones_at_most() {
    use test_support::actorx::build::Weight;
    use test_support::actorx::corpus::sample::figure;

    let said = |bones: &[i32]| {
        let mut mesh = figure();
        mesh.weights.retain(|weight| weight.point != 7);
        mesh.weights.extend(bones.iter().map(|&bone| Weight { weight: 0.125, point: 7, bone }));
        messages(&mesh.chunks().build().bytes).remove(0)
    };
    assert_eq!(
        said(&[1, 2]),
        "the weights of point 7 sum to 0.25, expected 1 (on bone 1 \"Spine\" and bone 2 \"Arm_L\")"
    );
    assert_eq!(
        said(&[3, 0, 1, 2, 3]),
        "the weights of point 7 sum to 0.625, expected 1 (on bone 3 \"Head\", bone 0 \"Root\", bone 1 \"Spine\" and 2 more)"
    );
}

#[test]
fn findings_about_keys_name_sequence_frame_and_bone() {
    use test_support::actorx::build::ScaleKey;
    use test_support::actorx::corpus::sample::{moves, walk_and_run};

    let mut anim = walk_and_run();
    // Frame 5 of the file is frame 0 of the second sequence.
    anim.keys[6].rotation = [0.0; 4];
    anim.keys[5 * 4 + 3].rotation = [0.0; 4];
    let expected = [
        "key 6 (sequence \"Walk\", frame 1, bone 2 \"Arm_L\") has an invalid rotation, the quaternion 0, 0, 0, 0",
        "key 23 (sequence \"Run\", frame 0, bone 3 \"Head\") has an invalid rotation, the quaternion 0, 0, 0, 0",
    ];
    assert_eq!(messages(&anim.chunks().build().bytes), expected);

    // Scale keys of the second sequence only.
    let mut anim = walk_and_run();
    anim.infos[1].root_include = 1;
    anim.scale_keys = (0..12).map(|_| ScaleKey { scale: [1.0; 3], time: 1.0 }).collect();
    anim.scale_keys[9].time = f32::INFINITY;
    let expected = "scale key 9 (sequence \"Run\", frame 2, bone 1 \"Spine\") holds [1.0, 1.0, 1.0, inf]";
    assert_eq!(messages(&anim.chunks().build().bytes), [expected]);

    // The long sequence holds frames that come after the short one.
    let mut anim = moves(&[("Long", 6, 10.0), ("Short", 2, 10.0), ("End", 1, 10.0)]);
    for (info, (first, frames)) in anim.infos.iter_mut().zip([(0, 6), (1, 2), (6, 1)]) {
        (info.first_raw_frame, info.num_raw_frames, info.key_quotum) = (first, frames, frames * 4);
    }
    anim.keys[16].rotation = [0.0; 4];
    anim.keys[32].rotation = [0.0; 4];
    let zeros = messages(&anim.chunks().build().bytes);
    let zeros: Vec<_> = zeros.iter().filter(|message| message.ends_with("0, 0, 0, 0")).collect();
    assert_eq!(
        zeros[0],
        "key 16 (sequence \"Long\", frame 4, bone 0 \"Root\") has an invalid rotation, the quaternion 0, 0, 0, 0"
    );
    assert_eq!(zeros[1], "key 32 (outside of all sequences) has an invalid rotation, the quaternion 0, 0, 0, 0");
}

#[test]
fn a_long_name_in_a_message_is_cut() {
    let said = messages(&corpus("actorx/mesh/name_unterminated.psk")).remove(0);
    assert!(said.starts_with("the name \"Arm_L_that") && said.contains("\"… of bone 2 fills"), "{said}");
}

#[test]
fn an_error_can_be_compared_copied_and_boxed() {
    let first = error("actorx/damaged/overrun.psa");
    let copy = first;
    assert_eq!(first, copy);
    assert_ne!(first, error("actorx/damaged/overrun.psk"));
    let boxed: Box<dyn std::error::Error + Send + Sync> = Box::new(first);
    assert!(boxed.downcast_ref::<Error>().is_some_and(|error| *error == copy));
}
