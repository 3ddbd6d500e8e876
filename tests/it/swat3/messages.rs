//! Errors, quirks and reasons in the words that a user meets.

use skelmap::swat3::Gsa;

use super::corpus;

fn refused(file: &str) -> String {
    Gsa::parse(&corpus(file)).unwrap_err().to_string()
}

#[test]
fn errors_state_the_fault_the_place_and_the_expected_value() {
    assert_eq!(
        refused("damaged/header_20.gsa"),
        "at byte 0 (header): this part needs 24 bytes, but the file has only 20 left: it is cut off or damaged"
    );
    assert_eq!(
        refused("damaged/doubled_29.gsa"),
        "at byte 0 (header): this part needs 30 bytes, but the file has only 29 left: it is cut off or damaged"
    );
    assert_eq!(
        refused("damaged/version_4_3.gsa"),
        "at byte 16 (header): version 4.3 is not known, expected 4.1 or 4.2"
    );
    let not_found = "at byte 24 (skeleton): the end of the skeleton was not found: ";
    assert!(refused("damaged/byte_missing.gsa").starts_with(not_found));
    assert!(
        refused("damaged/byte_missing.gsa").ends_with("which is cut off, has extra bytes at its end or is damaged")
    );
    // The parent of the root, which is -1, and the rotations of the four bones that almost are the identity.
    assert!(
        refused("damaged/marker_none.gsa")
            .starts_with(&format!("{not_found}5 candidates, but none fits the rest of the file"))
    );
    assert_eq!(
        refused("damaged/two_markers.gsa"),
        "at byte 24 (skeleton): 2 interpretations of the file fit: the skeleton could end at byte 157, 173"
    );
    assert_eq!(
        refused("damaged/pyrogenesis.gsa"),
        "this is a Pyrogenesis animation of 0 A.D. (`PSSA`), not a file of the requested format"
    );
}

#[test]
fn a_layout_that_is_not_inferred_has_a_reason() {
    let reason = |file: &str| Gsa::parse(&corpus(file)).unwrap().infer_layout().unwrap_err().to_string();
    let no_run = "no sequence of names with lengths, at a constant distance, ends at the end of the skeleton";
    assert_eq!(reason("gsa/byte_lengths.gsa"), no_run);
    assert_eq!(reason("gsa/fixed_names.gsa"), no_run);
    assert_eq!(reason("gsa/two_skeletons.gsa"), "the skeleton has several sequences of names");
    assert_eq!(reason("gsa/prologue_36.gsa"), "the skeleton has several sequences of names");
    assert!(reason("gsa/ids_beyond_bones.gsa").starts_with("the skeleton has "));
}

#[test]
fn a_finding_about_a_rotation_names_its_bone() {
    let said = |file: &str| Gsa::parse(&corpus(file)).unwrap().check().remove(0).message;
    assert_eq!(
        said("gsa/rotation_unit.gsa"),
        "frame 1 has the rotation [0.0, 0.0, 0.0, 1.0075] of bone 4 \"Bip01 Spine2\", which is not of unit length"
    );
    assert_eq!(said("gsa/root_nan.gsa"), "frame 1 holds a value that is not a number in the offset of the root");
    assert_eq!(said("gsa/name_duplicate.gsa"), "bone 3 \"Bip01 Spine\" has the name of bone 2 \"Bip01 Spine\"");
}

#[test]
fn sections_have_the_places_of_the_file() {
    let bytes = corpus("gsa/plain.gsa");
    let animation = Gsa::parse(&bytes).unwrap();
    let [skeleton, ids, frames] = animation.sections();
    assert_eq!((skeleton.offset, skeleton.bytes), (24, animation.marker_offset() - 24));
    assert_eq!((ids.offset, ids.count()), (animation.marker_offset() + 4, animation.animated_ids().len() as u64));
    assert_eq!((frames.offset, frames.count()), (ids.offset + ids.bytes + 2, animation.frame_count() as u64));
    assert_eq!(frames.offset + frames.bytes, bytes.len() as u64);
}
