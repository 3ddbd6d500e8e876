//! Real files. They are found through `SKELMAP_SAMPLES`, a folder with an `actorx` in it; without it these tests say so and
//! pass.
//!
//! Counts, names and keys below are what psk-psa-py 0.0.4, an independent reader, reads from the same files.

use std::fs;
use std::path::PathBuf;

use skelmap::actorx::{Psa, Psk};

use test_support::actorx::agree::{agree, bits, exercise, key_bits};
use test_support::shifted::Shifted;

/// The folder of the real files, or `None` (and a message) where there is none.
fn folder() -> Option<PathBuf> {
    test_support::corpus::samples("actorx")
}

struct Mesh {
    file: &'static str,
    points: usize,
    wedges: usize,
    faces: usize,
    materials: usize,
    bones: usize,
    influences: usize,
    colors: usize,
    extra_uvs: &'static [usize],
    normals: usize,
    morphs: (usize, usize),
    /// The largest point index of any wedge.
    last_point: u32,
    /// All wedge indices of all faces, summed.
    corners: u64,
}

const MESHES: [Mesh; 11] = [
    Mesh {
        file: "psk_psa_py/psk/Bat.psk",
        points: 1340,
        wedges: 2174,
        faces: 2674,
        materials: 3,
        bones: 40,
        influences: 1589,
        last_point: 1339,
        corners: 9_244_184,
        ..NONE
    },
    Mesh {
        file: "psk_psa_py/psk/CS_Sarge_S0_Skelmesh.pskx",
        points: 30260,
        wedges: 74280,
        faces: 50807,
        materials: 4,
        bones: 266,
        influences: 55424,
        colors: 74280,
        extra_uvs: &[74280],
        normals: 30260,
        last_point: 30259,
        corners: 6_216_877_200,
        ..NONE
    },
    Mesh {
        file: "psk_psa_py/psk/Grunt_Preview_LOD0.psk",
        points: 4045,
        wedges: 4045,
        faces: 7882,
        materials: 1,
        bones: 136,
        influences: 7012,
        normals: 4045,
        last_point: 4044,
        corners: 48_069_904,
        ..NONE
    },
    Mesh {
        file: "psk_psa_py/psk/MAXIM_TURRET_EXT.psk",
        points: 2517,
        wedges: 2606,
        faces: 2103,
        materials: 1,
        bones: 15,
        influences: 2517,
        last_point: 2516,
        corners: 8_284_030,
        ..NONE
    },
    Mesh {
        file: "psk_psa_py/psk/Shrek.psk",
        points: 1100,
        wedges: 1428,
        faces: 2066,
        materials: 2,
        bones: 64,
        influences: 2175,
        last_point: 1099,
        corners: 4_251_612,
        ..NONE
    },
    Mesh {
        file: "psk_psa_py/psk/Slurp_Monster_Axe_LOD0.psk",
        points: 490,
        wedges: 738,
        faces: 976,
        materials: 1,
        bones: 4,
        influences: 490,
        colors: 738,
        extra_uvs: &[738],
        normals: 490,
        morphs: (5, 2080),
        last_point: 489,
        corners: 1_235_996,
    },
    Mesh {
        file: "psk_psa_py/psk/Suzanne.psk",
        points: 507,
        wedges: 555,
        faces: 968,
        materials: 1,
        bones: 1,
        last_point: 506,
        corners: 778_349,
        ..NONE
    },
    Mesh {
        file: "psk_psa_py/psk/carlos_head_carlos.psk",
        points: 10807,
        wedges: 12367,
        faces: 20907,
        materials: 5,
        bones: 481,
        influences: 37194,
        colors: 12367,
        extra_uvs: &[12367],
        last_point: 10806,
        corners: 379_663_600,
        ..NONE
    },
    Mesh {
        file: "psk_psa_py/psk/player_body.psk",
        points: 11801,
        wedges: 13662,
        faces: 21378,
        materials: 8,
        bones: 225,
        influences: 23084,
        last_point: 11800,
        corners: 431_916_430,
        ..NONE
    },
    Mesh {
        file: "survarium/SK_Male_HazmatArmorMK1_01.psk",
        points: 1036,
        wedges: 1200,
        faces: 1810,
        materials: 1,
        bones: 70,
        influences: 2875,
        colors: 1200,
        last_point: 1035,
        corners: 3_178_877,
        ..NONE
    },
    Mesh {
        file: "survarium/SK_Male_TShirt_01_Lod3.psk",
        points: 117,
        wedges: 150,
        faces: 204,
        materials: 1,
        bones: 70,
        influences: 397,
        last_point: 116,
        corners: 43_675,
        ..NONE
    },
];

const NONE: Mesh = Mesh {
    file: "",
    points: 0,
    wedges: 0,
    faces: 0,
    materials: 0,
    bones: 0,
    influences: 0,
    colors: 0,
    extra_uvs: &[],
    normals: 0,
    morphs: (0, 0),
    last_point: 0,
    corners: 0,
};

/// Eight floats of a key by their bits: position, rotation x y z w, time.
type KeyBits = [u32; 8];

struct Animation {
    file: &'static str,
    bones: usize,
    /// The first bone's name and the last one's.
    ends: (&'static str, &'static str),
    sequence: &'static str,
    frames: usize,
    rate: f32,
    scale_keys: usize,
    /// Frame, bone and the key there.
    keys: [(usize, usize, KeyBits); 3],
}

/// One, minus one and minus zero.
const ONE: u32 = 0x3F80_0000;
const NEG: u32 = 0xBF80_0000;
const NIL: u32 = 0x8000_0000;

// The last bones of most files have no track; what they hold is a dummy: no position, no rotation.
const DUMMY: KeyBits = [0, NIL, 0, 0, NIL, 0, NEG, ONE];

const ANIMATIONS: [Animation; 8] = [
    Animation {
        file: "psk_psa_py/psa/AS_chr_omega_chara_select_decision.psa",
        bones: 50,
        ends: ("bone_root", "Props4"),
        sequence: "AS_chr_omega_chara_select_decision",
        frames: 161,
        rate: 60.375,
        scale_keys: 8050,
        keys: [
            (0, 0, [0, NIL, 0, 0xBF35_036A, NIL, 0, 0xBF35_067C, ONE]),
            (80, 16, [0x4133_D70B, 0x40AD_C291, 0x41F1_C28F, 0xBE92_6D25, 0xBD62_61C5, 0x3E04_D90A, 0x3F72_A304, ONE]),
            (160, 49, [0, NIL, 0, 0, NIL, 0, ONE, ONE]),
        ],
    },
    Animation {
        file: "psk_psa_py/psa/Carlos_StrafeLF90_2.psa",
        bones: 547,
        ends: ("Align", "RightArm_down_arm_helper"),
        sequence: "Carlos_StrafeLF90_2",
        frames: 61,
        rate: 24.4,
        scale_keys: 0,
        keys: [
            (0, 0, [0xB580_0000, 0x38B0_8000, 0, 0xBF35_036A, NIL, 0, 0xBF35_067C, ONE]),
            (30, 182, DUMMY),
            (60, 546, DUMMY),
        ],
    },
    Animation {
        file: "psk_psa_py/psa/grunt_hh_grabplayer_crouch_SEQ0.psa",
        bones: 89,
        ends: ("Root", "RightForeArmRoll3"),
        sequence: "grunt_hh_grabplayer_crouch",
        frames: 101,
        rate: 30.300_001,
        scale_keys: 8989,
        keys: [
            (0, 0, [0xA730_7D7E, NIL, 0xA820_0000, 0, NIL, 0, NEG, ONE]),
            (50, 29, [0x3722_0000, 0xB6B8_0000, 0x3FF3_AE3A, 0xB8F4_5F35, 0x38F5_5C00, 0x3F34_EE91, 0x3F35_1B53, ONE]),
            (100, 88, [0xB780_0000, 0xB780_0000, 0xC1D3_5C5C, 0x32F5_F380, 0xB313_E39E, 0x3DFF_9135, 0xBF7D_FFBA, ONE]),
        ],
    },
    Animation {
        file: "survarium/M1_GAZ-69_Driver_Aim_Offsets_Center.psa",
        bones: 92,
        ends: ("root", "eyebrow_r"),
        sequence: "M1_GAZ-69_Driver_Aim_Offsets_Center",
        frames: 1,
        rate: 30.476_192,
        scale_keys: 0,
        keys: [
            (0, 0, DUMMY),
            (0, 30, [0, NIL, 0, 0xBC07_2B81, 0x3C89_E205, 0x3B3C_0581, 0xBF7F_F437, ONE]),
            (0, 91, DUMMY),
        ],
    },
    Animation {
        file: "survarium/MOB1_M1_Walk_Relaxed_R_Loop_IP.psa",
        bones: 92,
        ends: ("root", "eyebrow_r"),
        sequence: "MOB1_M1_Walk_Relaxed_R_Loop_IP",
        frames: 33,
        rate: 30.937_498,
        scale_keys: 0,
        keys: [
            (0, 0, [0, NIL, 0, 0xA40D_3132, NIL, 0, NEG, ONE]),
            (16, 30, [0xC1DB_B8BC, 0x3640_0000, 0xB6C0_0000, 0xBF58_014D, 0xBE4A_EB76, 0xBE12_9F3E, 0xBEF4_A0A3, ONE]),
            (32, 91, DUMMY),
        ],
    },
    Animation {
        file: "survarium/MOB1_M1_jump_cling_D72_Up_R_end_01.psa",
        bones: 92,
        ends: ("root", "eyebrow_r"),
        sequence: "MOB1_M1_jump_cling_D72_Up_R_end_01",
        frames: 45,
        rate: 30.681_818,
        scale_keys: 0,
        keys: [
            (0, 0, [0, NIL, 0, 0xA523_4C4C, NIL, 0, NEG, ONE]),
            (22, 30, [0xC1DB_B8AF, 0x363F_FFFD, 0, 0xBEB8_3322, 0xBDB3_32E4, 0xBEC8_B706, 0xBF57_97C0, ONE]),
            (44, 91, DUMMY),
        ],
    },
    Animation {
        file: "survarium/W2_Axe_Offsets_Up_90_01.psa",
        bones: 92,
        ends: ("root", "eyebrow_r"),
        sequence: "W2_Axe_Offsets_Up_90_01",
        frames: 5,
        rate: 37.499_996,
        scale_keys: 0,
        keys: [
            (0, 0, DUMMY),
            (2, 30, [0, NIL, 0, 0xBF35_04FA, 0xB751_8002, 0xB719_8001, 0xBF35_04EC, ONE]),
            (4, 91, [0, NIL, 0, 0xBF35_CF4C, 0xBA52_D158, 0x3A3C_8D3F, 0xBF34_39A9, ONE]),
        ],
    },
    Animation {
        file: "survarium/W2_M4A1_Sprint_01.psa",
        bones: 92,
        ends: ("root", "eyebrow_r"),
        sequence: "W2_M4A1_Sprint_01",
        frames: 18,
        rate: 31.764_706,
        scale_keys: 0,
        keys: [
            (0, 0, [0, NIL, 0, 0xA523_4C4C, NIL, 0, NEG, ONE]),
            (9, 30, [0xC1DB_B8AD, 0x367F_FFFC, 0x367F_FFFC, 0xBF40_7874, 0x3E8A_FB21, 0x3D75_0A22, 0xBF19_0F94, ONE]),
            (17, 91, DUMMY),
        ],
    },
];

fn every_file() -> impl Iterator<Item = &'static str> {
    MESHES.iter().map(|mesh| mesh.file).chain(ANIMATIONS.iter().map(|animation| animation.file))
}

#[test]
fn meshes_have_the_values_that_another_reader_gives() {
    let Some(folder) = folder() else { return };
    for expected in &MESHES {
        let bytes = fs::read(folder.join(expected.file)).unwrap();
        let mesh = Psk::parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", expected.file));
        println!("{}", expected.file);
        assert_eq!(mesh.points().len(), expected.points);
        assert_eq!(mesh.wedges().len(), expected.wedges);
        assert_eq!(mesh.faces().len(), expected.faces);
        assert_eq!(mesh.materials().len(), expected.materials);
        assert_eq!(mesh.bones().len(), expected.bones);
        assert_eq!(mesh.influences().len(), expected.influences);
        assert_eq!(mesh.colors().len(), expected.colors);
        assert_eq!(mesh.extra_uv_sets().map(<[_]>::len).collect::<Vec<_>>(), expected.extra_uvs);
        assert_eq!(mesh.normals().len(), expected.normals);
        assert_eq!((mesh.morph_infos().len(), mesh.morph_deltas().len()), expected.morphs);
        assert_eq!(mesh.wedges().iter().map(|wedge| mesh.point_index(wedge)).max(), Some(expected.last_point));
        assert_eq!(mesh.faces().iter().flat_map(|face| face.wedges).map(u64::from).sum::<u64>(), expected.corners);
    }
}

#[test]
fn animations_have_the_values_that_another_reader_gives() {
    let Some(folder) = folder() else { return };
    for expected in &ANIMATIONS {
        let bytes = fs::read(folder.join(expected.file)).unwrap();
        let animation = Psa::parse(&bytes).unwrap_or_else(|error| panic!("{}: {error}", expected.file));
        println!("{}", expected.file);
        assert_eq!(animation.bones().len(), expected.bones);
        let (first, last) = (animation.bones().first().unwrap(), animation.bones().last().unwrap());
        assert_eq!(
            (first.name().text().as_str(), last.name().text().as_str()),
            (Some(expected.ends.0), Some(expected.ends.1))
        );
        assert_eq!(animation.infos().len(), 1);
        let sequence = animation.sequence(expected.sequence).unwrap();
        assert_eq!(sequence.name().as_str(), Some(expected.sequence));
        assert_eq!((sequence.first_frame(), sequence.frame_count()), (0, expected.frames));
        assert_eq!(sequence.info().rate().to_bits(), expected.rate.to_bits());
        assert_eq!(sequence.keys().len(), expected.frames * expected.bones);
        assert_eq!(sequence.scale_keys().len(), expected.scale_keys);
        for (frame, bone, key) in expected.keys {
            let [a, b, c, d, e, f, g, time] = key;
            let found = sequence.key(frame, bone).map(key_bits);
            assert_eq!(found, Some(([a, b, c], [d, e, f, g], time)), "frame {frame}, bone {bone}");
        }
        if let Some(key) = sequence.scale_keys().last() {
            assert_eq!((bits(key.scale()), key.time().to_bits()), ([ONE; 3], ONE));
        }
    }
}

#[test]
fn real_files_have_the_quirks_that_the_reference_names() {
    let Some(folder) = folder() else { return };
    for file in every_file() {
        let bytes = fs::read(folder.join(file)).unwrap();
        let mut quirks = Vec::new();
        skelmap::Asset::parse(&bytes).unwrap().quirks().for_each(|quirk| quirks.push(quirk.code.name()));
        let expected: &[&str] = match file {
            // Written by CUE4Parse before September 2023 (reference, section 4.2).
            "psk_psa_py/psa/grunt_hh_grabplayer_crouch_SEQ0.psa" => &["frame-numbering"],
            _ => &[],
        };
        assert_eq!(quirks, expected, "{file}");
    }
}

#[test]
fn crate_and_naive_reader_agree_on_every_value_of_the_real_files() {
    let Some(folder) = folder() else { return };
    for file in every_file() {
        println!("{file}");
        let bytes = fs::read(folder.join(file)).unwrap();
        agree(&bytes);
        exercise(&bytes);
        for distance in 1..=3 {
            agree(Shifted::by(distance, &bytes).of(bytes.len()));
        }
    }
}

#[test]
fn checks_of_real_files_find_the_oddities_of_the_reference_and_no_error() {
    let Some(folder) = folder() else { return };
    for file in every_file() {
        let bytes = fs::read(folder.join(file)).unwrap();
        let findings = skelmap::Asset::parse(&bytes).unwrap().check();
        let found: Vec<_> = findings.iter().map(|finding| (finding.code.name(), finding.count)).collect();
        let expected: &[(&str, u64)] = match file {
            // Bone names are not unique (section 1.3).
            "psk_psa_py/psk/Bat.psk" => &[("bone-duplicate", 1)],
            // "65 of 4 045" (section 3.7).
            "psk_psa_py/psk/Grunt_Preview_LOD0.psk" => &[("weight-sum", 65)],
            // UModel leaves the pose of an animation's bones at zero (section 4).
            // Both hold aim offsets: of 91 bones besides the root, 89 have no translation, as an independent walk counts.
            "survarium/M1_GAZ-69_Driver_Aim_Offsets_Center.psa" => &[("rotation-zero", 92), ("additive", 1)],
            // All of its five frames are the same.
            "survarium/W2_Axe_Offsets_Up_90_01.psa" => &[("rotation-zero", 92), ("no-motion", 1), ("additive", 1)],
            _ => &[],
        };
        assert_eq!(found, expected, "{file}: {findings:#?}");
        assert!(findings.iter().all(|finding| finding.severity < skelmap::Severity::Error), "{file}");
    }
}
