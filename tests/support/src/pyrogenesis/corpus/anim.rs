//! Animations that can be read, sound or not.

use super::super::build::{Psa, State};
use super::{Case, Good, fault, long, ok, seconds, walk, walk_good, walk_with};

const SOURCE: &str = "pyrogenesis.md 2";

pub fn cases() -> Vec<Case> {
    let mut cases = shapes();
    cases.extend(names());
    cases.extend(findings());
    cases
}

fn shapes() -> Vec<Case> {
    let march = (0_u8..6).map(|index| State { t: [f32::from(index), 0.0, 0.0], ..State::REST }).collect();
    let boneless = Good { bones: Some(0), frames: Some(0), duration_s: None, ..walk_good() }.quirks(&["no-bones"]);
    vec![
        ok(
            "pyrogenesis/psa/walk.psa",
            "what the converter writes: small turns, large turns and sign changes",
            SOURCE,
            walk().build(),
            walk_good(),
        ),
        fault(
            "pyrogenesis/psa/version_2.psa",
            "a version nobody has defined, which the engine reads as the first",
            "pyrogenesis.md 0 (8)",
            walk_with(|psa| psa.version = 2),
            ("version", "header", 0),
        ),
        ok(
            "pyrogenesis/psa/one_frame.psa",
            "a pose rather than a motion",
            SOURCE,
            Psa::walk(3, 1).build(),
            Good { frames: Some(1), duration_s: Some(seconds(1.0, 1000.0 / 30.0)), ..walk_good() },
        ),
        ok(
            "pyrogenesis/psa/march.psa",
            "2 bones that only move",
            SOURCE,
            Psa::new(2, 3, march).build(),
            Good { bones: Some(2), frames: Some(3), duration_s: Some(seconds(3.0, 1000.0 / 30.0)), ..walk_good() },
        ),
        ok("pyrogenesis/psa/no_bones.psa", "frames of nothing", SOURCE, Psa::walk(0, 3).build(), boneless.clone()),
        ok(
            "pyrogenesis/psa/no_bones_many_frames.psa",
            "as many frames of nothing as can be counted",
            SOURCE,
            Psa::new(0, u32::MAX, Vec::new()).build(),
            boneless,
        ),
        ok(
            "pyrogenesis/psa/frame_length.psa",
            "another frame length than the converter's",
            "pyrogenesis.md 0 (6)",
            walk_with(|psa| psa.frame_length = 62.5),
            Good { duration_s: Some(0.5), ..walk_good() },
        ),
    ]
}

fn names() -> Vec<Case> {
    let named = |name: &[u8]| walk_with(|psa| psa.name = name.to_vec());
    let mut legacy = walk();
    legacy.name = b"God Knows".to_vec();
    legacy.frame_length = 33.0;
    let case = |file, about, name: &[u8]| ok(file, about, SOURCE, named(name), walk_good());
    vec![
        case("pyrogenesis/psa/named_1.psa", "states 1 byte off alignment", b"W"),
        case("pyrogenesis/psa/named_2.psa", "states 2 bytes off alignment", b"Wa"),
        case("pyrogenesis/psa/named_3.psa", "states 3 bytes off alignment", b"Wal"),
        case("pyrogenesis/psa/named_4.psa", "a name, and aligned states", b"Walk"),
        ok(
            "pyrogenesis/psa/name_legacy.psa",
            "what the first exporter wrote: its name for everything, 33 ms",
            SOURCE,
            legacy.build(),
            Good { duration_s: Some(0.264), ..walk_good() },
        ),
        case("pyrogenesis/psa/name_nul.psa", "a name that ends in NUL", b"abc\0"),
        case("pyrogenesis/psa/name_nul_inside.psa", "a name that NUL does not end", b"ab\0cd"),
        case("pyrogenesis/psa/name_cp1252.psa", "a name in Windows-1252", b"Gal\xE8re"),
    ]
}

fn findings() -> Vec<Case> {
    let case = |file, about, change: fn(&mut Psa), codes: &[&'static str]| {
        let good = Good { findings: codes.to_vec(), ..walk_good() };
        ok(file, about, SOURCE, walk_with(change), good)
    };
    let nan = |psa: &mut Psa| psa.states.fill(State::new([f32::NAN; 3], [f32::NAN; 4]));
    vec![
        case("pyrogenesis/psa/not_finite.psa", "one rotation that is no number", nan_rotation, &["not-finite"]),
        case(
            "pyrogenesis/psa/not_finite_translation.psa",
            "one infinite translation",
            |psa| psa.states[23].t[2] = f32::NEG_INFINITY,
            &["not-finite"],
        ),
        case("pyrogenesis/psa/not_finite_all.psa", "nothing that is a number", nan, &["not-finite"]),
        case(
            "pyrogenesis/psa/rotation_zero.psa",
            "a rotation of no length",
            |psa| psa.states[7].q = [0.0, -0.0, 0.0, 0.0],
            &["rotation-zero"],
        ),
        case(
            "pyrogenesis/psa/rotation_unit.psa",
            "a rotation twice as long as it should be",
            |psa| psa.states[7].q = long(2.0),
            &["rotation-unit"],
        ),
        case(
            "pyrogenesis/psa/rotation_near_unit.psa",
            "a rotation too long by less than matters",
            |psa| psa.states[7].q = long(1.004),
            &[],
        ),
        case(
            "pyrogenesis/psa/all_findings.psa",
            "one state each of everything that can be wrong",
            |psa| {
                nan_rotation(psa);
                psa.states[0].q = [0.0; 4];
                psa.states[1].q = long(0.5);
            },
            &["not-finite", "rotation-unit", "rotation-zero"],
        ),
    ]
}

fn nan_rotation(psa: &mut Psa) {
    psa.states[4].q[3] = f32::NAN;
}
