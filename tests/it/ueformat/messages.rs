//! Errors, quirks and findings in the words that a user meets.

use skelmap::ueformat::{Animation, Model, Pose};
use skelmap::{Asset, Error};

use test_support::ueformat::agree::unpacked;

use super::file;

fn error_of(path: &str) -> Error {
    let bytes = file(path);
    match unpacked(&bytes) {
        Err(error) => error,
        Ok(plain) => Asset::parse(&plain).unwrap_err(),
    }
}

/// The message without its place.
fn said(path: &str) -> String {
    let text = error_of(path).to_string();
    text.split_once("): ").map_or(text.clone(), |(_, message)| message.to_owned())
}

#[test]
fn errors_state_the_fault_the_place_and_the_expected_value() {
    let bytes = file("model/gzip.uemodel");
    let error = Model::parse(&bytes).unwrap_err().to_string();
    let size = unpacked(&bytes).unwrap().len() - test_support::ueformat::naive::header(&bytes).unwrap().flag - 1;
    assert_eq!(
        error,
        format!(
            "at byte 0 (header): the body is compressed, {size} bytes when unpacked: unpack it with `Mapping::unpacked` or \
             `ueformat::unpack`"
        )
    );
    assert_eq!(
        said("packed/oodle.uemodel"),
        "the body is compressed as `Oodle`, which skelmap cannot unpack; GZIP and ZSTD it can"
    );
    assert_eq!(
        said("packed/hidden_bomb.uemodel"),
        "the header states 1000 bytes for the unpacked body, but it has more"
    );
    assert!(said("packed/bomb.uemodel").ends_with(" compressed bytes, which is over the limit"));
    assert!(said("packed/bomb.uemodel").starts_with("the header states 1073741824 bytes for a body of "));
    assert_eq!(said("packed/crc.uemodel"), "the compressed data is damaged");
    assert_eq!(
        said("packed/gzip_as_zstd.uemodel"),
        "the compressed data is damaged, or it is gzip data under the name of Zstandard"
    );
    assert_eq!(
        said("packed/zstd_as_gzip.uemodel"),
        "the compressed data is damaged, or it is Zstandard data under the name of gzip"
    );
    assert_eq!(said("damaged/version_11.uemodel"), "version 11 is not known");
    assert_eq!(said("damaged/name_negative.uemodel"), "the size is -5, expected 0 or more");
    assert_eq!(said("damaged/minus_root.uemodel"), "the record count is -1, expected 0 or more");
    assert_eq!(said("damaged/bones_left.uemodel"), "the bones have neither 36 nor 48 bytes and a name each");
    // 9 vertices of 12 bytes, in a section with 8 of them.
    assert_eq!(
        said("damaged/more_vertices.uemodel"),
        "this needs 108 bytes, but the section around it has only 96 left"
    );
    assert!(
        said("damaged/kind_world.uemodel")
            .contains("a UEFormat world of 2023 (`UEWORLD`), which skelmap does not read")
    );
    assert!(said("damaged/kind_lower.uemodel").contains("skelmap reads `UEMODEL`, `UEANIM` and `UEPOSE`"));
}

#[test]
fn another_kind_of_the_family_is_named() {
    let told = Animation::parse(&file("model/v10.uemodel")).unwrap_err().to_string();
    assert_eq!(told, "this is a UEFormat model (`UEMODEL`), not a file of the requested format");
    let told = Model::parse(&file("pose/v10.uepose")).unwrap_err().to_string();
    assert_eq!(told, "this is a list of UEFormat poses (`UEPOSE`), not a file of the requested format");
    let told = Pose::parse(&file("animation/v10.ueanim")).unwrap_err().to_string();
    assert_eq!(told, "this is a UEFormat animation (`UEANIM`), not a file of the requested format");
}

/// The message of the finding with this code.
fn finding(path: &str, code: &str) -> String {
    let bytes = file(path);
    let findings = Asset::parse(&bytes).unwrap().check();
    let found = findings.iter().find(|finding| finding.code.name() == code);
    found.unwrap_or_else(|| panic!("{path}: no {code} in {findings:#?}")).message.clone()
}

#[test]
fn findings_about_models_name_records_and_numbers() {
    let said = |path: &str, code: &str| finding(&format!("model/{path}.uemodel"), code);
    // The eighth index of the arm is the second corner of triangle 2: 4, 6, 7, with 6 replaced.
    assert_eq!(
        said("index_8", "face-vertex"),
        "face 2 refers to vertices 4, 8 and 7; the mesh has only vertices 0 to 7"
    );
    assert_eq!(said("face_degenerate", "face-degenerate"), "face 1 uses a vertex twice: 0, 0, 2");
    assert_eq!(said("indices_35", "indices-rest"), "there are 35 indices");
    assert_eq!(
        said("indices_35", "material-range"),
        "material 1 \"hand\" has 4 triangles from index 24 on; the mesh has only triangles 0 to 10"
    );
    assert_eq!(said("normals_7", "column-length"), "there are 7 normals; the mesh has only vertices 0 to 7");
    assert_eq!(said("tangents_9", "column-length"), "there are 9 tangents; the mesh has only vertices 0 to 7");
    assert!(said("material_gap", "material-gap").ends_with(" belongs to no material"));
    assert!(said("weight_bone_3", "weight-bone").ends_with(" refers to bone 3; the mesh has only bones 0 to 2"));
    assert!(
        said("weight_vertex_8", "weight-vertex").ends_with(" refers to vertex 8; the mesh has only vertices 0 to 7")
    );
    assert!(said("morph_vertex", "morph-point").ends_with(" refers to vertex 8; the mesh has only vertices 0 to 7"));
    assert_eq!(
        said("hull_vertex_8", "face-vertex"),
        "hull 1 \"lid\" refers to a corner that does not exist; it has only corners 0 to 7"
    );
    assert!(said("socket_bone", "socket-bone").ends_with(", which does not exist"));
    assert_eq!(said("levels_one_name", "level-name"), "level 1 \"LOD0\" has the name of level 0");
    assert!(
        said("bone_rotation_zero", "rotation-zero").ends_with(" has an invalid rotation, the quaternion 0, 0, 0, 0")
    );
    assert!(said("bone_rotation_long", "rotation-unit").ends_with(", which is not of unit length"));
    assert!(said("parent_own", "bone-parent").ends_with(" is its own parent; read as a root"));
}

#[test]
fn findings_about_animations_and_poses_name_tracks_and_frames() {
    let said = |path: &str, code: &str| finding(&format!("animation/{path}.ueanim"), code);
    assert_eq!(said("rate_zero", "sequence-rate"), "the file states 0 frames per second");
    assert_eq!(said("rate_nan", "sequence-rate"), "the file states NaN frames per second");
    assert_eq!(said("additive_9", "additive-type"), "the additive type is 9 and the type of its base 0");
    assert_eq!(said("base_5", "additive-type"), "the additive type is 0 and the type of its base 5");
    assert!(said("key_8", "key-outside").ends_with(": a key lies in frame 8; the animation has only frames 0 to 7"));
    assert!(said("keys_fall", "key-order").contains(" comes after frame "));
    assert!(said("duplicate_keys", "key-repeated").ends_with(" has several keys"));
    assert!(said("curve_nan", "not-finite").ends_with(" has a value that is not a number"));
    assert!(said("name_duplicate", "track-duplicate").contains(" has the name of track "));
    assert_eq!(
        finding("pose/curve_2.uepose", "pose-curve"),
        "pose 1 \"clenched\" refers to curve 2; the file has only curves 0 to 1"
    );
}

/// The quirk with this code: its section and what lies at its offset.
fn quirk(path: &str, code: &str) -> (String, usize) {
    let bytes = file(path);
    let asset = Asset::parse(&bytes).unwrap();
    let found = asset.quirks().find(|quirk| quirk.code.name() == code);
    let found = found.unwrap_or_else(|| panic!("{path}: no {code}"));
    (found.section.to_string(), found.offset as usize)
}

#[test]
fn quirks_have_the_place_of_the_header_of_their_section() {
    // A name begins with its length.
    let begins = |path: &str, offset: usize, name: &str| {
        let bytes = file(path);
        assert_eq!(bytes[offset..][..4], (name.len() as u32).to_le_bytes(), "{path}");
        assert_eq!(&bytes[offset + 4..][..name.len()], name.as_bytes(), "{path}");
    };
    for (path, code, name) in [
        ("model/twice_v10.uemodel", "duplicate-section", "VERTICES"),
        ("model/left_vertices.uemodel", "section-rest", "VERTICES"),
        ("model/morph_count_v5.uemodel", "count-high", "MORPHTARGETS"),
        ("model/socket_count_v9.uemodel", "count-high", "SOCKETS"),
        ("model/root_metadata_v8.uemodel", "root-metadata", "METADATA"),
    ] {
        let (section, offset) = quirk(path, code);
        assert_eq!(section, name, "{path}");
        begins(path, offset, name);
    }
    let (section, offset) = quirk("model/trailing.uemodel", "trailing-bytes");
    assert_eq!(section, "body");
    assert!(offset < file("model/trailing.uemodel").len());
    assert_eq!(quirk("animation/frames_negative.ueanim", "frames-negative").0, "METADATA");
    assert_eq!(quirk("animation/frames_max_v5.ueanim", "frames-unlikely").0, "body");
}
