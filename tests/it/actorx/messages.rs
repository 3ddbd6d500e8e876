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
fn errors_are_one_sentence_with_chunk_byte_and_numbers() {
    let sentences = [
        ("empty.psk", "the file is empty"),
        ("git_lfs.psk", "this is a Git LFS pointer and not the file itself (run `git lfs pull`)"),
        ("trailing.psk", "chunk header at byte 1672: needs 32 bytes, 5 are left"),
        ("negative_count.psk", "VTXW0000 at byte 160: the record count is -1, expected 0 or more"),
        ("negative_size.psk", "RAWWEIGHTS at byte 1472: the record size is -12, expected 0 or more"),
        ("overrun.psa", "ANIMKEYS at byte 744: 22 records of 32 bytes need 704 bytes, 672 are left"),
        (
            "overrun_huge.psk",
            "PNTS0000 at byte 32: 2147483647 records of 12 bytes need 25769803764 bytes, 1608 are left",
        ),
        ("record_too_small.psk", "PNTS0000 at byte 32: records of 8 bytes, expected 12"),
        (
            "record_too_wide.psa",
            "ANIMKEYS at byte 744: records of 36 bytes carry 4 more than the 32 of the format, so no slice can view them in place",
        ),
        (
            "native_long_bones.psk",
            "REFSKELT at byte 960: the header says 120 bytes a record, the body has 124: an old Blender exporter wrote 64-bit integers; export the file again",
        ),
        ("no_keys.psa", "ANIMKEYS at byte 744: the chunk is missing"),
        (
            "crlf.psk",
            "(no name) at byte 752: the file looks damaged by a conversion of line ends to CR LF (every 0A byte follows a 0D); fetch it again as binary",
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
fn the_parser_of_one_format_says_which_other_it_was_handed() {
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
fn a_file_of_a_few_bytes_shows_no_bytes_that_it_does_not_have() {
    let sentence = error("actorx/damaged/three_bytes.psa").to_string();
    assert!(sentence.contains("(41 4E 49)"), "{sentence}");
}

#[test]
fn a_chunk_that_is_called_file_is_a_chunk() {
    let built = crate::support::actorx::corpus::sample::figure().chunks().declare("file", 4, -1, &[]).build();
    let error = Psk::parse(&built.bytes).unwrap_err();
    assert_eq!(error.to_string(), "file at byte 1672: the record count is -1, expected 0 or more");
}

#[test]
fn questions_without_an_answer_name_what_exists() {
    let bytes = walk().chunks().build().bytes;
    let sequence = Psa::parse(&bytes).unwrap().sequence("Walk").unwrap();
    let frame = sequence.frame(5).unwrap_err().to_string();
    assert_eq!(frame, "ANIMKEYS at byte 744: frame 5 was asked for, 5 exist");
    let bone = sequence.track(4).unwrap_err().to_string();
    assert_eq!(bone, "ANIMKEYS at byte 744: bone 4 was asked for, 4 exist");
}

#[test]
fn quirks_say_what_was_done() {
    let sentences = [
        (
            "mesh/face32_size20.pskx",
            "FACE3200 at byte 576: the header says 20 bytes a face, the body has 18; read as 18",
        ),
        (
            "mesh/extrauv_size16.pskx",
            "EXTRAUV0 at byte 1672: the header says 16 bytes a record, the body has 8; read as 8",
        ),
        (
            "mesh/morph_short.pskx",
            "MRPHINFO at byte 1672: the header counts more records than the body has; cut at the next header",
        ),
        ("mesh/duplicate_head.psk", "ACTRHEAD at byte 32: a second head chunk; ignored"),
        ("mesh/duplicate_chunk.psk", "MATT0000 at byte 1672: the chunk comes a second time; the first is used"),
        ("mesh/type_flag.psk", "PNTS0000 at byte 32: no known writer uses this type flag; ignored"),
        (
            "anim/frame_numbering.psa",
            "ANIMINFO at byte 544: the stored first frames cannot be right; the frames of the sequences are counted up instead",
        ),
        (
            "anim/scale_keys_partial.psa",
            "SCALEKEYS at byte 1968: only the flagged sequences have scale keys; assigned to those in order",
        ),
        (
            "anim/scale_keys_ignored.psa",
            "SCALEKEYS at byte 1968: the number of scale keys fits no convention; they are ignored",
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
fn findings_say_severity_code_place_and_numbers() {
    use crate::support::actorx::corpus::sample::figure;

    let mut mesh = figure();
    mesh.faces[3].wedges = [4, 99, 7];
    mesh.faces[5].wedges = [4, 99, 7];
    mesh.faces[6].wedges = [4, 99, 7];
    mesh.weights[2].bone = -1;
    let bytes = mesh.chunks().build().bytes;
    let findings: Vec<String> = Psk::parse(&bytes).unwrap().check().iter().map(ToString::to_string).collect();
    let expected = [
        "error [face-wedge] FACE0000 at byte 576: face 3 refers to wedges 4, 99 and 7, there are 24 (and 2 more)",
        "error [weight-bone] RAWWEIGHTS at byte 1472: influence 2 refers to bone -1, there are 4",
    ];
    assert_eq!(findings, expected);
}

#[test]
fn an_error_compares_copies_and_is_an_error() {
    let first = error("actorx/damaged/overrun.psa");
    let copy = first;
    assert_eq!(first, copy);
    assert_ne!(first, error("actorx/damaged/overrun.psk"));
    let boxed: Box<dyn std::error::Error + Send + Sync> = Box::new(first);
    assert!(boxed.downcast_ref::<Error>().is_some_and(|error| *error == copy));
}
