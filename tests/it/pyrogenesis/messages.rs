//! Errors in the words that a user meets, prop points by name, sections.

use skelmap::pyrogenesis::{Options, Pmd, Psa};

use super::corpus;
use test_support::pyrogenesis::build::Psa as Built;
use test_support::pyrogenesis::corpus::cases;

fn of_animation(file: &str) -> String {
    Psa::parse(&corpus(file)).unwrap_err().to_string()
}

#[test]
fn errors_state_the_fault_the_place_and_the_expected_value() {
    assert_eq!(of_animation("psa/version_2.psa"), "at byte 0 (header): version 2 is not known");
    assert_eq!(
        of_animation("damaged/frame_length_zero.psa"),
        "at byte 16 (frame length): the frame length is 0 ms, expected a number above 0"
    );
    assert_eq!(
        of_animation("damaged/no_frames.psa"),
        "at byte 20 (counts): there are no frames, expected at least one"
    );
    assert_eq!(
        of_animation("damaged/short_11.psa"),
        "at byte 0 (header): this part needs 12 bytes, but the file has only 11 left: it is cut off or damaged"
    );
    assert!(of_animation("damaged/stray.psa").starts_with("at byte 0 (header): the header says "));
    assert_eq!(
        of_animation("damaged/mesh.psa"),
        "this is a Pyrogenesis mesh of 0 A.D. (`PSMD`), not a file of the requested format"
    );
    assert_eq!(
        of_animation("damaged/actorx.psa"),
        "this is an ActorX animation (`ANIMHEAD`), not a file of the requested format"
    );
}

#[test]
fn an_error_about_a_frame_has_the_offset_of_the_states() {
    let built = Built::walk(3, 2).build();
    let error = Psa::parse(&built.bytes).unwrap().frame(2).unwrap_err();
    assert_eq!(error.offset(), built.offset("states") as u64);
}

/// The size of the header and that of the file, which has more than the 12 bytes of a header.
#[test]
fn an_error_about_the_size_states_both_sizes() {
    let mut bytes = corpus("psa/walk.psa");
    let payload = bytes.len() - 12;
    bytes.truncate(12 + 100);
    let message = Psa::parse(&bytes).unwrap_err().to_string();
    assert!(message.contains(&payload.to_string()) && message.contains("100"), "{message}");
}

#[test]
fn a_rate_is_a_second_divided_by_the_length_of_a_frame() {
    let rate =
        |length: f32| Psa::parse(&Built { frame_length: length, ..Built::walk(3, 2) }.build().bytes).unwrap().rate();
    assert_eq!(rate(62.5), Some(16.0));
    assert_eq!(rate(250.0), Some(4.0));
}

#[test]
fn a_loop_lasts_as_long_as_its_frames_together() {
    let bytes = Built { frame_length: 250.0, ..Built::walk(3, 6) }.build().bytes;
    assert_eq!(Psa::parse(&bytes).unwrap().duration(), Some(1.5));
}

#[test]
fn a_finding_about_a_mesh_has_the_offset_of_its_section() {
    let mut findings = 0;
    for case in cases() {
        let Ok(mesh) = Pmd::parse_with(&case.bytes, &Options::ENGINE) else { continue };
        for finding in mesh.check() {
            let range = mesh.sections().into_iter().find(|range| range.section == finding.section).unwrap();
            assert!(
                finding.offset >= range.offset && finding.offset <= case.bytes.len() as u64,
                "{}: {finding}",
                case.file
            );
            findings += 1;
        }
    }
    assert!(findings > 5);
}

#[test]
fn findings_name_frames_and_bones() {
    let said = |file: &str| -> Vec<String> {
        let bytes = corpus(file);
        let findings = skelmap::Asset::parse(&bytes).unwrap().check();
        findings.into_iter().map(|finding| finding.message).collect()
    };
    assert_eq!(said("psa/rotation_zero.psa"), ["frame 2, bone 1 has an invalid rotation, the quaternion 0, 0, 0, 0"]);
    assert_eq!(said("pmd/rotation_zero.pmd"), ["bone 1 has an invalid rotation, the quaternion 0, 0, 0, 0"]);
    assert_eq!(said("pmd/weight_sum.pmd"), ["the weights of vertex 4 sum to 0.75, expected 1 (on bone 1 and bone 2)"]);
    assert_eq!(said("pmd/weight_value.pmd"), ["vertex 4 has the weight 1.5 of bone 1, expected 0 to 1"]);
}

#[test]
fn a_name_finds_its_first_prop_point_and_case_matters() {
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
fn sections_follow_each_other_to_the_end_of_the_file() {
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
