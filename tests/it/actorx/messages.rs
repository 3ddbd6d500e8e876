//! The sentences that users read, word for word.

use skelmap::actorx::{Psa, Psk};
use skelmap::{Asset, Error};

use crate::support::actorx::corpus::cases;
use crate::support::actorx::corpus::sample::walk;

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
        ("git_lfs.psk", "this is a Git LFS pointer and not the file itself (run `git lfs pull`)"),
        ("trailing.psk", "at byte 1672 (chunk header): needs 32 bytes, 5 are left"),
        ("negative_count.psk", "at byte 160 (VTXW0000): the record count is -1, expected 0 or more"),
        ("negative_size.psk", "at byte 1472 (RAWWEIGHTS): the record size is -12, expected 0 or more"),
        ("overrun.psa", "at byte 744 (ANIMKEYS): 22 records of 32 bytes need 704 bytes, 672 are left"),
        (
            "overrun_huge.psk",
            "at byte 32 (PNTS0000): 2147483647 records of 12 bytes need 25769803764 bytes, 1608 are left",
        ),
        ("record_too_small.psk", "at byte 32 (PNTS0000): records of 8 bytes, expected 12"),
        (
            "record_too_wide.psa",
            "at byte 744 (ANIMKEYS): records of 36 bytes, expected 32; skelmap reads no longer records",
        ),
        (
            "native_long_bones.psk",
            "at byte 960 (REFSKELT): the header says 120 bytes a record, the body has 124: an old Blender exporter wrote 64-bit integers; export the file again",
        ),
        ("no_keys.psa", "at byte 744 (ANIMKEYS): the chunk is missing"),
        (
            "crlf.psk",
            "the file looks damaged by a conversion of line ends to CR LF (every 0A byte follows a 0D); fetch it again as binary; from byte 752 on, nothing can be read",
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
    assert_eq!(Psk::parse(&animation).unwrap_err().to_string(), "this is an ActorX animation (`ANIMHEAD`)");
    assert_eq!(Psa::parse(&mesh).unwrap_err().to_string(), "this is an ActorX mesh (`ACTRHEAD`)");
    assert_eq!(Psa::parse(&pyrogenesis).unwrap_err().to_string(), "this is a Pyrogenesis animation (`PSSA`)");
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
    let built = crate::support::actorx::corpus::sample::figure().chunks().declare("file", 4, -1, &[]).build();
    let error = Psk::parse(&built.bytes).unwrap_err();
    assert_eq!(error.to_string(), "at byte 1672 (file): the record count is -1, expected 0 or more");
}

#[test]
fn errors_about_missing_frames_and_bones_state_how_many_exist() {
    let bytes = walk().chunks().build().bytes;
    let sequence = Psa::parse(&bytes).unwrap().sequence("Walk").unwrap();
    let frame = sequence.frame(5).unwrap_err().to_string();
    assert_eq!(frame, "at byte 744 (ANIMKEYS): frame 5 was asked for, 5 exist");
    let bone = sequence.track(4).unwrap_err().to_string();
    assert_eq!(bone, "at byte 744 (ANIMKEYS): bone 4 was asked for, 4 exist");
}

#[test]
fn quirks_state_how_the_file_was_read() {
    let sentences = [
        (
            "mesh/face32_size20.pskx",
            "at byte 576 (FACE3200): the header says 20 bytes a face, the body has 18; read as 18",
        ),
        (
            "mesh/extrauv_size16.pskx",
            "at byte 1672 (EXTRAUV0): the header says 16 bytes a record, the body has 8; read as 8",
        ),
        (
            "mesh/morph_short.pskx",
            "at byte 1672 (MRPHINFO): the header counts more records than the body has; only those before the next header are read",
        ),
        ("mesh/duplicate_head.psk", "at byte 32 (ACTRHEAD): a second head chunk; ignored"),
        ("mesh/duplicate_chunk.psk", "at byte 1672 (MATT0000): the chunk comes a second time; the first is used"),
        ("mesh/type_flag.psk", "at byte 32 (PNTS0000): no known writer uses this type flag; ignored"),
        (
            "anim/frame_numbering.psa",
            "at byte 544 (ANIMINFO): the stored first frames cannot be right; each sequence begins where the one before it ends",
        ),
        (
            "anim/scale_keys_partial.psa",
            "at byte 1968 (SCALEKEYS): only the sequences with `RootInclude` 1 have scale keys; the keys go to those in order",
        ),
        (
            "anim/scale_keys_ignored.psa",
            "at byte 1968 (SCALEKEYS): the number of scale keys fits no convention; they are ignored",
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
    use crate::support::actorx::corpus::sample::figure;

    let mut mesh = figure();
    mesh.faces[3].wedges = [4, 99, 7];
    mesh.faces[5].wedges = [4, 99, 7];
    mesh.faces[6].wedges = [4, 99, 7];
    mesh.weights[2].bone = -1;
    let bytes = mesh.chunks().build().bytes;
    let findings: Vec<String> = Psk::parse(&bytes).unwrap().check().iter().map(ToString::to_string).collect();
    let expected = [
        "error [face-wedge] at byte 576 (FACE0000): face 3 refers to wedges 4, 99 and 7, there are 24 (and 2 more)",
        "error [weight-bone] at byte 1472 (RAWWEIGHTS): influence 2 refers to bone -1, there are 4",
    ];
    assert_eq!(findings, expected);
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
