//! What the checks report: severity, code, place, first record and number of records, each by hand.

use skelmap::Severity::{self, Error, Note, Warning};
use skelmap::actorx::{Config, Psa, Psk, check_config_each};
use skelmap::{Asset, Finding};

use test_support::actorx::build::{Anim, Chunks, Mesh, name};
use test_support::actorx::corpus::cases;
use test_support::actorx::corpus::sample::{figure, morphs, moves, sockets, walk, walk_and_run};
use test_support::actorx::corpus::shape::snake;

/// Severity, code, section, offset, first record, number of records.
type Row = (Severity, &'static str, String, u64, Option<u64>, u64);

fn rows(findings: &[Finding]) -> Vec<Row> {
    let row = |finding: &Finding| {
        let section = finding.section.to_string();
        (finding.severity, finding.code.name(), section, finding.offset, finding.index, finding.count)
    };
    findings.iter().map(row).collect()
}

fn row(severity: Severity, code: &'static str, section: &str, offset: u64, index: u64, count: u64) -> Row {
    (severity, code, section.to_owned(), offset, Some(index), count)
}

/// The one finding about a figure with one thing changed.
fn mesh_is(expected: Row, change: impl FnOnce(&mut Mesh)) {
    let mut mesh = figure();
    change(&mut mesh);
    let bytes = mesh.chunks().build().bytes;
    assert_eq!(rows(&Psk::parse(&bytes).unwrap().check()), [expected]);
}

/// The one finding about a walk and a run with one thing changed.
fn animation_is(expected: Row, change: impl FnOnce(&mut Anim)) {
    let mut anim = walk_and_run();
    change(&mut anim);
    let bytes = anim.chunks().build().bytes;
    assert_eq!(rows(&Psa::parse(&bytes).unwrap().check()), [expected]);
}

#[test]
fn indices_past_the_end_give_errors_that_name_the_first_record() {
    mesh_is(row(Error, "wedge-point", "VTXW0000", 160, 5, 2), |mesh| {
        mesh.wedges[5].point = 8;
        mesh.wedges[23].point = 0xFFFF;
    });
    mesh_is(row(Error, "face-wedge", "FACE0000", 576, 11, 1), |mesh| mesh.faces[11].wedges = [21, 22, 24]);
    mesh_is(row(Error, "weight-bone", "RAWWEIGHTS", 1472, 0, 2), |mesh| {
        mesh.weights[0].bone = 4;
        mesh.weights[1].bone = -1;
    });
    mesh_is(row(Warning, "face-material", "FACE0000", 576, 2, 1), |mesh| mesh.faces[2].material = 2);
}

#[test]
fn floats_that_are_not_finite_are_errors() {
    mesh_is(row(Error, "not-finite", "PNTS0000", 32, 3, 2), |mesh| {
        mesh.points[3][2] = f32::NAN;
        mesh.points[7][0] = f32::NEG_INFINITY;
    });
    mesh_is(row(Error, "not-finite", "VTXW0000", 160, 9, 1), |mesh| mesh.wedges[9].v = f32::INFINITY);
    mesh_is(row(Error, "not-finite", "REFSKELT", 960, 1, 1), |mesh| mesh.bones[1].size[2] = f32::NAN);
    animation_is(row(Error, "not-finite", "ANIMKEYS", 912, 31, 1), |anim| anim.keys[31].time = f32::NAN);
    animation_is(row(Error, "not-finite", "ANIMINFO", 544, 1, 1), |anim| anim.infos[1].track_time = f32::NAN);
}

#[test]
fn a_texture_coordinate_of_an_extra_set_that_is_not_finite_is_an_error() {
    let mut uvs = vec![[0.5_f32; 2]; figure().wedges.len()];
    uvs[7][1] = f32::NAN;
    let built = figure().chunks().records("EXTRAUVS0", &uvs).build();
    let place = (built.bytes.len() - size_of_val(uvs.as_slice()) - 32) as u64;
    let found = rows(&Psk::parse(&built.bytes).unwrap().check());
    assert_eq!(found, [row(Error, "not-finite", "EXTRAUVS0", place, 7, 1)]);
}

#[test]
fn check_reads_every_one_of_many_records() {
    for wrong in [0, 63, 64, 65, 127, 199] {
        let mut mesh = Mesh { points: vec![[1.0; 3]; 200], ..Mesh::default() };
        mesh.points[wrong] = [f32::NAN; 3];
        let bytes = mesh.chunks().build().bytes;
        let expected = row(Error, "not-finite", "PNTS0000", 32, wrong as u64, 1);
        assert_eq!(rows(&Psk::parse(&bytes).unwrap().check()), [expected]);
    }
}

#[test]
fn weights_may_be_off_by_a_hundredth() {
    mesh_is(row(Warning, "weight-sum", "RAWWEIGHTS", 1472, 4, 1), |mesh| mesh.weights[4].weight -= 0.011);
    let mut mesh = figure();
    mesh.weights[4].weight -= 0.009;
    let bytes = mesh.chunks().build().bytes;
    assert_eq!(Psk::parse(&bytes).unwrap().check(), []);
}

#[test]
fn rotations_may_be_off_by_a_hundredth() {
    let by = |factor: f32| move |rotation: [f32; 4]| rotation.map(|x| x * factor);
    mesh_is(row(Warning, "rotation-unit", "REFSKELT", 960, 2, 1), |mesh| {
        mesh.bones[2].rotation = by(1.01)(mesh.bones[2].rotation);
    });
    mesh_is(row(Warning, "rotation-zero", "REFSKELT", 960, 2, 1), |mesh| {
        mesh.bones[2].rotation = [0.0, -0.0, 0.0, 0.0];
    });
    animation_is(row(Note, "rotation-zero", "BONENAMES", 32, 2, 1), |anim| anim.bones[2].rotation = [0.0; 4]);
    animation_is(row(Warning, "rotation-zero", "ANIMKEYS", 912, 2, 1), |anim| anim.keys[2].rotation = [0.0; 4]);
    let mut mesh = figure();
    mesh.bones[2].rotation = by(1.004)(mesh.bones[2].rotation);
    let bytes = mesh.chunks().build().bytes;
    assert_eq!(Psk::parse(&bytes).unwrap().check(), []);
}

#[test]
fn hierarchies_are_checked_bone_by_bone() {
    // Root and Spine are each other's parents: the lower one is where the circle is cut, and it comes before its parent.
    let mut mesh = figure();
    mesh.bones[0].parent = 1;
    let bytes = mesh.chunks().build().bytes;
    let expected = [row(Error, "bone-cycle", "REFSKELT", 960, 0, 1), row(Note, "bone-order", "REFSKELT", 960, 0, 1)];
    assert_eq!(rows(&Psk::parse(&bytes).unwrap().check()), expected);
    mesh_is(row(Note, "bone-extra-root", "REFSKELT", 960, 2, 1), |mesh| mesh.bones[2].parent = -1);
    mesh_is(row(Note, "bone-order", "REFSKELT", 960, 2, 1), |mesh| mesh.bones[2].parent = 3);
    mesh_is(row(Note, "bone-duplicate", "REFSKELT", 960, 3, 1), |mesh| mesh.bones[3].name = name("SPINE"));
}

/// No importer reads the parents of an animation: it takes those of the mesh.
#[test]
fn a_cycle_of_parents_is_an_error_in_a_mesh_and_a_note_in_an_animation() {
    use test_support::actorx::build::{Anim, Bone, IDENTITY};

    let bones: Vec<_> =
        [0, 2, 1, 2].iter().map(|parent| Bone::new(&format!("B{parent}"), *parent, [0.0; 3], IDENTITY)).collect();
    let of = |findings: Vec<Finding>, wanted: &str| -> Vec<_> {
        findings.iter().filter(|own| own.code.name() == wanted).map(|own| own.severity).collect()
    };
    let mesh = Chunks::new().empty("ACTRHEAD", 0).records("REFSKELT", &bones).build().bytes;
    let mesh = Psk::parse(&mesh).unwrap();
    assert_eq!([of(mesh.check(), "bone-cycle"), of(mesh.check(), "bone-unreachable")], [[Error], [Warning]]);
    let animation = Anim::sway(bones, &[("Walk", 2, 30.0)]).chunks().build().bytes;
    let animation = Psa::parse(&animation).unwrap();
    assert_eq!([of(animation.check(), "bone-cycle"), of(animation.check(), "bone-unreachable")], [[Note], [Note]]);
    assert!(animation.check().iter().all(|finding| finding.severity == Note));
}

#[test]
fn a_bone_that_is_not_below_bone_zero_is_a_note_and_a_warning_where_its_parents_have_no_end() {
    use test_support::actorx::build::{Bone, IDENTITY};

    // 2 and 3 hang on the second root 1; 5 is in a circle with 4, and 6 hangs on it; 8 hangs on 7, whose parent is missing.
    let parents = [0, -1, 1, 2, 5, 4, 5, 99, 7, 0];
    let bones = parents.iter().enumerate();
    let bones: Vec<_> =
        bones.map(|(index, parent)| Bone::new(&format!("B{index}"), *parent, [0.0; 3], IDENTITY)).collect();
    let bytes = Chunks::new().empty("ACTRHEAD", 0).records("REFSKELT", &bones).build().bytes;
    let mesh = Psk::parse(&bytes).unwrap();
    let lost = |most| -> Vec<_> {
        let findings = mesh.check_each(most).into_iter().filter(|finding| finding.code.name() == "bone-unreachable");
        findings.map(|finding| (finding.severity, finding.index.unwrap(), finding.count)).collect()
    };
    let all = [(Warning, 5, 1), (Warning, 6, 1), (Warning, 8, 1), (Note, 2, 1), (Note, 3, 1)];
    assert_eq!(lost(9), all);
    assert_eq!(lost(1), [(Warning, 2, 5)], "the highest severity of all");
    let said: Vec<_> = mesh.check_each(9).into_iter().map(|finding| finding.message).collect();
    for message in [
        "bone 3 \"B3\" does not descend from bone 0 \"B0\"; its parent is bone 2 \"B2\"",
        "bone 6 \"B6\" does not descend from bone 0 \"B0\"; its parent is bone 5 \"B5\", and its ancestors form a cycle",
        "bone 8 \"B8\" does not descend from bone 0 \"B0\"; its parent is bone 7 \"B7\", and one of its ancestors does not exist",
    ] {
        assert!(said.iter().any(|said| said == message), "{message}: {said:#?}");
    }
}

#[test]
fn morph_targets_must_count_all_deltas() {
    let (mut infos, deltas) = morphs();
    infos[1].count = 2;
    let bytes = figure().chunks().records("MRPHINFO", &infos).records("MRPHDATA", &deltas).build().bytes;
    let expected: Row = (Error, "morph-count", "MRPHINFO".into(), 1672, None, 1);
    assert_eq!(rows(&Psk::parse(&bytes).unwrap().check()), [expected]);
}

#[test]
fn sequences_are_checked_one_by_one() {
    animation_is(row(Warning, "sequence-rate", "ANIMINFO", 544, 0, 2), |anim| {
        anim.infos[0].rate = 0.0;
        anim.infos[1].rate = f32::NAN;
    });
    animation_is(row(Warning, "sequence-bones", "ANIMINFO", 544, 1, 1), |anim| anim.infos[1].total_bones = 5);
    animation_is(row(Note, "key-quotum", "ANIMINFO", 544, 1, 1), |anim| anim.infos[1].key_quotum = 0);
    animation_is(row(Note, "name-duplicate", "ANIMINFO", 544, 1, 1), |anim| anim.infos[1].name = name("WALK"));
}

#[test]
fn overlaps_are_counted_once_for_each_sequence_that_begins_inside_another() {
    let mut anim = moves(&[("A", 6, 10.0), ("B", 1, 10.0), ("C", 1, 10.0), ("D", 1, 10.0)]);
    for (info, (first, frames)) in anim.infos.iter_mut().zip([(0, 6), (1, 2), (5, 3), (8, 1)]) {
        (info.first_raw_frame, info.num_raw_frames, info.key_quotum) = (first, frames, frames * 4);
    }
    let bytes = anim.chunks().build().bytes;
    let findings = rows(&Psa::parse(&bytes).unwrap().check());
    assert_eq!(findings.last(), Some(&row(Note, "sequence-overlap", "ANIMINFO", 544, 1, 2)));
}

#[test]
fn errors_come_first_and_each_code_occurs_once() {
    let mut mesh = figure();
    mesh.wedges[3].padding = 7;
    mesh.faces[0].material = 9;
    mesh.points[0][0] = f32::NAN;
    let bytes = mesh.chunks().records("SKELSOCK", &sockets()).build().bytes;
    let findings = rows(&Psk::parse(&bytes).unwrap().check());
    let codes: Vec<_> = findings.iter().map(|row| row.1).collect();
    assert_eq!(codes, ["not-finite", "face-material", "wedge-padding"]);
}

#[test]
fn each_wrong_record_has_a_finding_and_the_last_one_counts_the_rest() {
    let mut mesh = figure();
    for wedge in [3, 5, 8, 13, 21] {
        mesh.wedges[wedge].point = 99;
    }
    mesh.faces[2].material = 9;
    let bytes = mesh.chunks().build().bytes;
    let mesh = Psk::parse(&bytes).unwrap();
    let lost = |index, count| row(Error, "wedge-point", "VTXW0000", 160, index, count);
    let unknown = row(Warning, "face-material", "FACE0000", 576, 2, 1);
    let all = [lost(3, 1), lost(5, 1), lost(8, 1), lost(13, 1), lost(21, 1), unknown.clone()];
    assert_eq!(rows(&mesh.check_each(5)), all);
    assert_eq!(rows(&mesh.check_each(usize::MAX)), all);
    assert_eq!(rows(&mesh.check_each(3)), [lost(3, 1), lost(5, 1), lost(8, 3), unknown.clone()]);
    assert!(mesh.check_each(3)[2].to_string().ends_with(" (and 2 more like this)"));
    assert_eq!(rows(&mesh.check_each(1)), [lost(3, 5), unknown]);
    assert_eq!((mesh.check_each(1), mesh.check_each(0)), (mesh.check(), mesh.check()));
}

#[test]
fn each_chunk_that_no_view_reads_has_its_own_place() {
    let built = figure().chunks().chunk("NEWSTUFF", 3, &[0; 6]).chunk("MORESTUF", 1, &[0; 2]).build();
    let findings = rows(&Psk::parse(&built.bytes).unwrap().check_each(9));
    let places: Vec<_> = findings.iter().map(|row| (row.2.as_str(), row.3)).collect();
    assert_eq!(places, [("NEWSTUFF", 1672), ("MORESTUF", 1672 + 32 + 6)]);
}

#[test]
fn each_line_of_a_side_car_that_fits_no_rule_has_a_finding() {
    let bytes = walk().chunks().build().bytes;
    let config = Config::new(b"[AnimSet]\nodd\n\nmore odd\n");
    let animation = Psa::parse(&bytes).unwrap();
    let lines = |most| -> Vec<_> {
        let findings = check_config_each(&animation, &config, most);
        findings.iter().map(|finding| (finding.code.name(), finding.index, finding.count)).collect()
    };
    assert_eq!(lines(9), [("config-line", Some(2), 1), ("config-line", Some(4), 1)]);
    assert_eq!(lines(1), [("config-line", Some(2), 2)]);
}

/// Whether no two findings are about the same fault of the same section.
fn each_kind_once(findings: &[Finding]) -> bool {
    let key = |finding: &Finding| (finding.code, finding.section.to_string(), finding.offset);
    let keys: std::collections::BTreeSet<_> = findings.iter().map(key).collect();
    keys.len() == findings.len()
}

#[test]
fn records_of_one_section_with_one_fault_are_one_finding_in_the_corpus() {
    for case in cases() {
        let Ok(asset) = Asset::parse(&case.bytes) else { continue };
        assert!(each_kind_once(&asset.check()), "{}", case.file);
    }
}

#[test]
fn curves_of_one_chunk_with_one_fault_are_one_finding() {
    let bad = |text| (text, vec![0.0, f32::NAN, 0.0, 0.0, 0.0]);
    let good = ("Good", vec![0.0; 5]);
    let built = walk().chunks().curves("Walk:CUR", 5, &[good, bad("Smile"), bad("Blink")]).build();
    let findings = Psa::parse(&built.bytes).unwrap().check();
    assert_eq!(rows(&findings), [row(Error, "not-finite", "Walk:CUR", 1448, 1, 2)]);
}

#[test]
fn a_finding_about_a_chunk_without_records_names_the_place_of_its_header() {
    let mut anim = walk();
    anim.keys.clear();
    let built = anim.chunks().build();
    let findings = Psa::parse(&built.bytes).unwrap().check();
    let count = findings.iter().find(|finding| finding.code.name() == "key-count").unwrap();
    assert_eq!(
        (count.section.as_bytes(), count.offset),
        (b"ANIMKEYS".as_slice(), built.offset("ANIMKEYS.header") as u64)
    );
}

#[test]
fn a_sound_file_of_every_kind_has_no_finding() {
    let (infos, deltas) = morphs();
    let mesh = figure().onto(Chunks::new()).records("MRPHINFO", &infos).records("MRPHDATA", &deltas).build().bytes;
    assert_eq!(Psk::parse(&mesh).unwrap().check(), []);
    let animation = walk_and_run().chunks().build().bytes;
    assert_eq!(Psa::parse(&animation).unwrap().check(), []);
}

#[test]
fn a_negative_morph_count_is_found_even_where_the_sum_is_right() {
    let (mut infos, deltas) = morphs();
    let total = i32::try_from(deltas.len()).unwrap();
    assert!(infos.len() > 1);
    for info in &mut infos {
        info.count = 0;
    }
    infos[0].count = total + 3;
    infos[1].count = -3;
    let bytes = figure().onto(Chunks::new()).records("MRPHINFO", &infos).records("MRPHDATA", &deltas).build().bytes;
    let findings = Psk::parse(&bytes).unwrap().check();
    assert_eq!(findings[0].code.name(), "morph-count");
}

#[test]
fn chunks_that_no_view_reads_are_one_note() {
    let bytes = figure().chunks().chunk("NEWSTUFF", 3, &[0; 6]).chunk("MORESTUF", 1, &[0; 2]).build().bytes;
    let findings = Psk::parse(&bytes).unwrap().check();
    assert_eq!(findings.len(), 1);
    assert_eq!((findings[0].code.name(), findings[0].severity, findings[0].count), ("unread-chunk", Note, 2));
}

/// The codes of the findings about a mesh.
fn codes(mesh: &Mesh) -> Vec<&'static str> {
    let bytes = mesh.chunks().build().bytes;
    Psk::parse(&bytes).unwrap().check().iter().map(|finding| finding.code.name()).collect()
}

/// The points of real models reach five sizes of the rest beyond the rest. The figure is a box of 20 x 20 x 40.
#[test]
fn a_point_is_far_from_twenty_sizes_of_the_model_on() {
    for (sizes, is_far) in [(10.0, false), (30.0, true)] {
        let mut mesh = figure();
        mesh.points[3][1] = sizes * 49.0;
        assert_eq!(codes(&mesh).contains(&"point-far"), is_far, "{sizes} sizes");
    }
}

/// The agreement of bones with points is the cosine of the two as vectors of all coordinates, each about its mean. With Y and Z exchanged,
/// the points of the snake agree with 1. Points 30 to the sides of their bones agree with 0.6: this is no evidence.
#[test]
fn axes_are_exchanged_only_where_bones_agree_with_their_points() {
    for (aside, is_exchanged) in [(0.0, true), (30.0, false)] {
        let mut mesh = snake();
        for (index, point) in mesh.points.iter_mut().enumerate() {
            let side = [1.0, -1.0, -1.0, 1.0][index / 3 % 4];
            *point = [point[0] + side * aside, point[2], point[1]];
        }
        assert_eq!(codes(&mesh).contains(&"mesh-axes"), is_exchanged, "{aside}");
    }
}
