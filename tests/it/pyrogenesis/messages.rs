//! Errors in the words that a user meets, prop points by name, sections.

use skelmap::pyrogenesis::{Pmd, Psa};

use super::corpus;

fn of_animation(file: &str) -> String {
    Psa::parse(&corpus(file)).unwrap_err().to_string()
}

#[test]
fn errors_say_what_where_and_what_was_expected() {
    assert_eq!(of_animation("psa/version_2.psa"), "at byte 0 (header): version 2 is not known");
    assert_eq!(
        of_animation("damaged/frame_length_zero.psa"),
        "at byte 16 (frame length): the frame length is 0 ms, expected a number above 0"
    );
    assert_eq!(
        of_animation("damaged/no_frames.psa"),
        "at byte 20 (counts): there are no frames, expected at least one"
    );
    assert_eq!(of_animation("damaged/short_11.psa"), "at byte 0 (header): needs 12 bytes, 11 are left");
    assert!(of_animation("damaged/stray.psa").starts_with("at byte 0 (header): the header says "));
    assert_eq!(of_animation("damaged/mesh.psa"), "this is a Pyrogenesis mesh (`PSMD`)");
    assert_eq!(of_animation("damaged/actorx.psa"), "this is an ActorX animation (`ANIMHEAD`)");
}

#[test]
fn the_first_prop_point_of_a_name_is_found_and_case_matters() {
    let bytes = corpus("pmd/name_duplicate.pmd");
    let mesh = Pmd::parse(&bytes).unwrap();
    let names: Vec<_> = mesh.props().map(|prop| prop.name.to_string()).collect();
    let repeated = names.iter().find(|name| names.iter().filter(|other| other == name).count() > 1).unwrap();
    let first = mesh.props().find(|prop| prop.name.matches(repeated)).unwrap();
    assert_eq!(mesh.prop(repeated).unwrap().transform.translation(), first.transform.translation());
    assert!(mesh.prop(&repeated.to_uppercase()).is_none());
    assert!(mesh.prop("no such prop point").is_none());
}

#[test]
fn old_versions_have_a_root_that_is_not_in_the_file() {
    let count = |file: &str| {
        let bytes = corpus(file);
        let mesh = Pmd::parse(&bytes).unwrap();
        let last = mesh.engine_props().last().map(|prop| (prop.name.to_string(), prop.transform.bone()));
        (mesh.engine_props().count() - mesh.props().len(), last)
    };
    let root = Some(("root".to_owned(), None));
    assert_eq!(count("pmd/version_1.pmd"), (1, root.clone()));
    assert_eq!(count("pmd/version_2.pmd"), (1, root));
    assert_eq!(count("pmd/version_3_no_props.pmd"), (0, None));
}

#[test]
fn sections_tile_the_file() {
    let bytes = corpus("psa/walk.psa");
    let [name, states] = Psa::parse(&bytes).unwrap().sections();
    assert_eq!((name.offset, name.bytes), (16, 0));
    assert_eq!((states.offset, states.record_size, states.count()), (28, 28, 24));
    assert_eq!(states.offset + states.bytes, bytes.len() as u64);
    let bytes = corpus("pmd/skinned.pmd");
    let [vertices, faces, bind, props] = Pmd::parse(&bytes).unwrap().sections();
    assert_eq!((vertices.offset, vertices.record_size), (20, 52));
    assert_eq!(faces.offset, vertices.offset + vertices.bytes + 4);
    assert_eq!(bind.offset, faces.offset + faces.bytes + 4);
    assert_eq!((bind.record_size, bind.count()), (28, 3));
    assert_eq!(props.offset, bind.offset + bind.bytes + 4);
    assert_eq!(props.offset + props.bytes, bytes.len() as u64);
}
