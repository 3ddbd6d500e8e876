//! The side-car: what its lines say, what beats what, and which tracks come from the mesh.

use proptest::prelude::*;
use skelmap::actorx::{Config, Entry, KeyParts, Psa, Source, TrackSources};

use test_support::actorx::any_bytes::{gathered, same_side_car as agrees};
use test_support::actorx::build::name;
use test_support::actorx::corpus::cases;
use test_support::actorx::corpus::sample::walk;
use test_support::corpus::samples;

#[test]
fn crate_and_naive_reader_agree_on_every_side_car_of_the_corpus() {
    let mut read = 0;
    for (file, text) in cases().iter().flat_map(|case| &case.extra) {
        println!("{file}");
        agrees(text);
        read += 1;
    }
    assert!(read >= 5);
}

#[test]
fn real_side_cars_remove_whole_tracks_of_their_sequence_and_nothing_else() {
    let Some(folder) = samples("actorx") else { return };
    // Lines of `=all`, counted with grep.
    let files = [
        ("psk_psa_py/psa/Carlos_StrafeLF90_2", 472),
        ("survarium/M1_GAZ-69_Driver_Aim_Offsets_Center", 41),
        ("survarium/MOB1_M1_Walk_Relaxed_R_Loop_IP", 22),
        ("survarium/MOB1_M1_jump_cling_D72_Up_R_end_01", 22),
        ("survarium/W2_Axe_Offsets_Up_90_01", 8),
        ("survarium/W2_M4A1_Sprint_01", 22),
    ];
    for (base, lines) in files {
        let text = std::fs::read(folder.join(format!("{base}.config"))).unwrap();
        let bytes = std::fs::read(folder.join(format!("{base}.psa"))).unwrap();
        let animation = Psa::parse(&bytes).unwrap();
        agrees(&text);
        let config = Config::new(&text);
        assert_eq!(skelmap::actorx::check_config(&animation, &config), [], "{base}");
        let whole = |entry: &Entry<'_>| matches!(entry, Entry::RemoveTrack { parts: KeyParts::Both, .. });
        assert!(config.entries().all(|(_, entry)| whole(&entry)), "{base}");
        assert_eq!(config.entries().count(), lines, "{base}");
        let sources = config.to_resolved(animation.bones()).to_track_sources(animation.sequence_at(0).unwrap().name());
        let mesh = sources.iter().filter(|from| from.translation == Source::Mesh && from.rotation == Source::Mesh);
        assert_eq!(mesh.count(), lines, "{base}");
        let none = config.to_resolved(animation.bones()).to_track_sources(skelmap::Text::new(b"Another"));
        assert!(none.iter().all(|from| *from == TrackSources::default()), "{base}");
    }
}

#[test]
fn the_value_is_after_the_last_equals_sign_and_the_bone_after_the_last_dot() {
    let text = b"[RemoveTracks]\nA.b=c.7=trans\n-x- y.0.3=rot\n a . 2 = ALL \n";
    let entries: Vec<_> = Config::new(text).entries().collect();
    let expected =
        [(2, "A.b=c", 7, KeyParts::Translation), (3, "-x- y.0", 3, KeyParts::Rotation), (4, "a", 2, KeyParts::Both)];
    assert_eq!(entries.len(), expected.len());
    for ((line, entry), (expected_line, name, number, what)) in entries.into_iter().zip(expected) {
        let Entry::RemoveTrack { sequence, bone, parts } = entry else { panic!("{entry:?}") };
        assert_eq!((line, sequence.as_bytes(), bone, parts), (expected_line, name.as_bytes(), number, what));
    }
}

#[test]
fn an_unknown_heading_and_the_lines_under_it_are_reported() {
    let text = b"[AnimSet]\nbAnimRotationOnly=1\n[Unheard]\nHead\n\n[usetranslationbonenames]\nHead\n";
    let unknown: Vec<_> = Config::new(text)
        .entries()
        .filter_map(
            |(line, entry)| if let Entry::Unknown(text) = entry { Some((line, text.to_string())) } else { None },
        )
        .collect();
    assert_eq!(unknown, [(3, "[Unheard]".to_owned()), (4, "Head".to_owned())]);
}

#[test]
fn lines_that_fit_no_rule_are_reported_with_their_number() {
    let text = b"stray\n[AnimSet]\nbAnimRotationOnly=2\nbAnimRotationOnly\n[RemoveTracks]\nWalk.1\nWalk=all\nWalk.-1=all\nWalk.+1=all\nWalk.1.5x=all\n.1=all\nWalk.=all\nWalk.1=none\nWalk.4294967296=all\nWalk.4294967295=all\n";
    let found = gathered(text);
    assert_eq!(found.bad_lines, [1, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
    assert_eq!(found.remove, [("Walk".to_owned(), u32::MAX, "all".to_owned())]);
    agrees(text);
}

#[test]
fn crlf_blank_lines_and_white_space_are_ignored() {
    let text = b"\r\n  [ AnimSet ]\t\r\n\r\n bAnimRotationOnly = 1 \r\n\x0C\r\n[UseTranslationBoneNames]\r\n  Left Hand \r\n[ForceMeshTranslationBoneNames]\r\nHead\r\n";
    let found: Vec<_> = Config::new(text).entries().collect();
    assert!(matches!(found[0], (4, Entry::RotationOnly(true))));
    assert!(matches!(found[1], (7, Entry::UseTranslation(bone)) if bone.as_bytes() == b"Left Hand"));
    assert!(matches!(found[2], (9, Entry::ForceMeshTranslation(bone)) if bone.as_bytes() == b"Head"));
    assert_eq!(found.len(), 3);
}

/// Where translation and rotation of the walk's four bones come from: `a`nimation or `m`esh, two letters a bone.
fn sources(text: &str) -> String {
    let bytes = walk().chunks().build().bytes;
    let animation = Psa::parse(&bytes).unwrap();
    let sequence = animation.sequence_at(0).unwrap();
    let letter = |source| if source == Source::Mesh { 'm' } else { 'a' };
    let sources = Config::new(text.as_bytes()).to_resolved(animation.bones()).to_track_sources(sequence.name());
    assert_eq!(sources.len(), 4);
    let pairs = sources.iter().map(|from| format!("{}{}", letter(from.translation), letter(from.rotation)));
    pairs.collect::<Vec<_>>().join(" ")
}

#[test]
fn an_empty_side_car_leaves_everything_to_the_animation() {
    assert_eq!(sources(""), "aa aa aa aa");
    assert_eq!(sources("\n[RemoveTracks]\n"), "aa aa aa aa");
    assert_eq!(sources("[AnimSet]\nbAnimRotationOnly=0\n"), "aa aa aa aa");
}

#[test]
fn rotation_only_takes_all_translations_but_the_roots_from_the_mesh() {
    assert_eq!(sources("[AnimSet]\nbAnimRotationOnly=1\n"), "aa ma ma ma");
    assert_eq!(sources("[AnimSet]\nbAnimRotationOnly=1\nbAnimRotationOnly=0\n"), "aa aa aa aa");
}

#[test]
fn use_translation_is_an_exception_to_rotation_only() {
    assert_eq!(sources("[AnimSet]\nbAnimRotationOnly=1\n[UseTranslationBoneNames]\nARM_l\n"), "aa ma aa ma");
    assert_eq!(sources("[UseTranslationBoneNames]\nArm_L\n[AnimSet]\nbAnimRotationOnly=1\n"), "aa ma aa ma");
}

#[test]
fn force_mesh_overrides_use_translation_in_any_order_and_applies_to_the_root() {
    let force = "[ForceMeshTranslationBoneNames]\nhead\nRoot\n";
    assert_eq!(sources(force), "ma aa aa ma");
    let exception = "[UseTranslationBoneNames]\nHead\nRoot\n";
    for text in [[force, exception].concat(), [exception, force].concat()] {
        assert_eq!(sources(&text), "ma aa aa ma", "{text}");
        assert_eq!(sources(&format!("[AnimSet]\nbAnimRotationOnly=1\n{text}")), "ma ma ma ma", "{text}");
    }
}

#[test]
fn removed_tracks_come_from_the_mesh_whatever_the_other_lines_are() {
    let remove = "[RemoveTracks]\nwalk.0=trans\nWALK.1=rot\nWalk.2=all\nRun.3=all\nWalk.4=all\n";
    assert_eq!(sources(remove), "ma am mm aa");
    assert_eq!(sources(&format!("{remove}[UseTranslationBoneNames]\nRoot\nArm_L\n")), "ma am mm aa");
    assert_eq!(sources("[RemoveTracks]\nWalk.1=rot\nWalk.1=trans\n"), "aa mm aa aa");
}

#[test]
fn a_side_car_in_another_encoding_names_the_same_bones_and_sequences() {
    let mut anim = walk();
    anim.bones[1].name = name(b"\xC9paule   ");
    anim.infos[0].name = name(b"\xDCben ");
    let bytes = anim.chunks().build().bytes;
    let animation = Psa::parse(&bytes).unwrap();
    let text = "[ForceMeshTranslationBoneNames]\nÉpaule\n[RemoveTracks]\nÜben.3=rot\n";
    let config = Config::new(text.as_bytes());
    assert_eq!(skelmap::actorx::check_config(&animation, &config), []);
    let sources = config.to_resolved(animation.bones()).to_track_sources(animation.sequence_at(0).unwrap().name());
    assert_eq!((sources[1].translation, sources[3].rotation), (Source::Mesh, Source::Mesh));
}

#[test]
fn a_line_applies_to_all_bones_of_the_same_name() {
    let mut anim = walk();
    anim.bones[3].name = name("SPINE");
    let bytes = anim.chunks().build().bytes;
    let animation = Psa::parse(&bytes).unwrap();
    let config = Config::new(b"[ForceMeshTranslationBoneNames]\nSpine\n");
    let sources = config.to_resolved(animation.bones()).to_track_sources(animation.sequence_at(0).unwrap().name());
    let mesh: Vec<usize> = (0..4).filter(|bone| sources[*bone].translation == Source::Mesh).collect();
    assert_eq!(mesh, [1, 3]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2048, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn crate_and_naive_reader_agree_on_any_lines(parts in prop::collection::vec(prop::sample::select(vec![
        "\n", "\n", "\n", "\r\n", "[", "]", "=", ".", " ", "\t", "[AnimSet]", "[RemoveTracks]", "[removetracks]\n",
        "[UseTranslationBoneNames]\n", "[ForceMeshTranslationBoneNames]\n", "[Else]", "bAnimRotationOnly", "=1", "=0",
        "Walk", "Walk.3", "=all", "=TRANS", "=rot", "-", "12", "99999999999", "ß",
    ]), 0..30)) {
        agrees(parts.concat().as_bytes());
    }
}

#[test]
fn a_byte_order_mark_does_not_disable_a_side_car() {
    let bytes = test_support::actorx::corpus::sample::walk().chunks().build().bytes;
    let animation = skelmap::actorx::Psa::parse(&bytes).unwrap();
    let config = Config::new(b"\xEF\xBB\xBF[AnimSet]\r\nbAnimRotationOnly=1\r\n");
    assert!(skelmap::actorx::check_config(&animation, &config).is_empty());
    let walk = animation.sequence_at(0).unwrap();
    let resolved = config.to_resolved(animation.bones());
    assert_eq!(resolved.to_track_sources(walk.name())[1].translation, skelmap::actorx::Source::Mesh);
}
