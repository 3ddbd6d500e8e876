//! Names: where they end, how they are spelt, what counts as the same one.

use proptest::prelude::*;
use skelmap::Text;
use skelmap::actorx::{Chunks, Psa, Psk};

use test_support::actorx::build::{self, Bone, IDENTITY, Info, Name, name};
use test_support::actorx::corpus::sample::walk;

/// A mesh of bones with these names, nothing else.
fn bones(names: &[Name]) -> Vec<u8> {
    let bones: Vec<Bone> =
        names.iter().map(|field| Bone { name: *field, ..Bone::new("", -1, [0.0; 3], IDENTITY) }).collect();
    build::Chunks::new().empty("ACTRHEAD", 0).records("REFSKELT", &bones).build().bytes
}

#[test]
fn a_name_ends_at_its_first_nul_and_the_bytes_after_it_are_its_tail() {
    let bytes = bones(&[name(b"Head\0\x12\0tail")]);
    let found = Psk::parse(&bytes).unwrap().bones()[0].name();
    assert_eq!((found.as_bytes(), found.key()), (b"Head".as_slice(), b"Head".as_slice()));
    assert!(found.tail().starts_with(b"\x12\0tail\0"));
    assert_eq!((found.tail().len(), found.raw().len()), (59, 64));
    assert!(found.is_terminated());
}

/// The hash is that of the standard library without a key: the same in each run.
#[test]
fn different_names_have_different_hashes() {
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
    let bytes = bones(&[name("Head"), name("HEAD "), name("Neck")]);
    let mesh = Psk::parse(&bytes).unwrap();
    let hashes: Vec<u64> =
        mesh.bones().iter().map(|bone| BuildHasherDefault::<DefaultHasher>::default().hash_one(bone.name())).collect();
    assert_eq!(hashes[0], hashes[1]);
    assert_ne!(hashes[0], hashes[2]);
}

#[test]
fn a_name_may_fill_all_64_bytes() {
    let full = [b'x'; 64];
    let bytes = bones(&[full]);
    let found = Psk::parse(&bytes).unwrap().bones()[0].name();
    assert_eq!(found.as_bytes(), full);
    assert!(!found.is_terminated() && found.tail().is_empty());
    assert_eq!(found.text().to_string(), "x".repeat(64));
}

#[test]
fn a_name_without_a_byte_is_empty() {
    let bytes = bones(&[name("")]);
    let found = Psk::parse(&bytes).unwrap().bones()[0].name();
    assert_eq!((found.as_bytes().len(), found.tail().len(), found.text().to_string()), (0, 63, String::new()));
    assert!(found.matches("") && found.matches("  ") && !found.matches("x"));
}

#[test]
fn padding_stays_in_the_bytes_and_out_of_the_key() {
    let bytes = bones(&[name("Bip01 Pelvis                   ")]);
    let mesh = Psk::parse(&bytes).unwrap();
    let (found, skeleton) = (mesh.bones()[0].name(), mesh.skeleton());
    assert_eq!(found.as_bytes().len(), 31);
    assert_eq!(found.key(), b"Bip01 Pelvis");
    assert_eq!(skeleton.name(0).map(Text::as_bytes), Some(&b"Bip01 Pelvis"[..]));
    for spelt in ["Bip01 Pelvis", "bip01 pelvis", "BIP01 PELVIS  "] {
        assert_eq!(skeleton.find(spelt), Some(0), "{spelt:?}");
    }
    for other in ["Bip01  Pelvis", " Bip01 Pelvis", "Bip01"] {
        assert_eq!(skeleton.find(other), None, "{other:?}");
    }
}

#[test]
fn bytes_that_are_not_utf8_are_shown_as_windows_1252() {
    let bytes = bones(&[name(b"\xC9p\xE9e_\x80"), name("Épée_€"), name("Kopf_groß")]);
    let bones = Psk::parse(&bytes).unwrap().bones();
    assert_eq!(bones[0].name().text().to_string(), "Épée_€");
    assert_eq!(bones[0].name().text().as_str(), None);
    assert_eq!(bones[1].name().text().as_str(), Some("Épée_€"));
    assert!(bones[0].name().matches("Épée_€") && bones[1].name().matches("Épée_€"));
    assert!(!bones[0].name().matches("épée_€"), "only ASCII letters match in either case");
    assert!(bones[2].name().matches("KOPF_GROß"));
    assert!(bones[0].name().eq(bones[0].name()) && !bones[0].name().eq(bones[1].name()));
}

#[test]
fn utf8_that_is_cut_inside_a_character_is_shown_as_windows_1252() {
    let long = "_".to_owned() + &"ß".repeat(32);
    let mut field = [0; 64];
    field.copy_from_slice(&long.as_bytes()[..64]);
    let bytes = bones(&[field]);
    let text = Psk::parse(&bytes).unwrap().bones()[0].name().text().to_string();
    assert_eq!(text, "_".to_owned() + &"ÃŸ".repeat(31) + "Ã");
}

#[test]
fn the_first_of_several_equal_names_is_found() {
    let bytes = bones(&[name("Root"), name("head "), name("HEAD"), name("Head")]);
    let mesh = Psk::parse(&bytes).unwrap();
    assert_eq!(mesh.skeleton().find("Head"), Some(1));
    assert!(mesh.bones()[1].name().eq(mesh.bones()[2].name()));
}

#[test]
fn sequences_are_found_by_name_like_bones() {
    let mut anim = walk();
    let info = anim.infos[0];
    anim.infos.push(Info { name: name(b"\xDCben  "), ..info });
    anim.infos.push(Info { name: name("WALK"), ..info });
    let bytes = anim.chunks().build().bytes;
    let animation = Psa::parse(&bytes).unwrap();
    let index = |name: &str| animation.sequence(name).map(|sequence| sequence.index());
    assert_eq!((index("walk"), index("Üben"), index("ÜBEN "), index("Wal")), (Some(0), Some(1), Some(1), None));
}

#[test]
fn a_name_of_64_bytes_before_a_group_is_complete() {
    let mut anim = walk();
    anim.infos[0].name = [b'n'; 64];
    anim.infos[0].group = name(b"None\0A");
    let bytes = anim.chunks().build().bytes;
    let animation = Psa::parse(&bytes).unwrap();
    assert_eq!(animation.infos()[0].name().as_bytes().len(), 64);
    assert_eq!(animation.infos()[0].group().as_bytes(), b"None");
    assert!(animation.sequence(&"N".repeat(64)).is_some());
}

#[test]
fn text_is_padded_and_cut_by_characters_in_both_encodings() {
    let (utf8, windows) = (Text::new("Épée".as_bytes()), Text::new(b"\xC9p\xE9e"));
    assert_eq!(format!("{utf8:<8}|{utf8:>8}|{utf8:.2}|"), "Épée    |    Épée|Ép|");
    assert_eq!(format!("{windows:<8}|{windows:>8}|{windows:.2}|"), "Épée    |    Épée|Ép|");
}

#[test]
fn text_is_escaped_for_debugging_only() {
    let text = Text::new(b"a\"b\x1b\xC9\n");
    assert_eq!(format!("{text:?}"), "\"a\\\"b\\u{1b}É\\n\"");
    assert_eq!(text.to_string(), "a\"b\u{1b}É\n");
}

#[test]
fn debug_output_has_names_chunks_and_numbers_of_keys() {
    let bytes = walk().chunks().build().bytes;
    let animation = Psa::parse(&bytes).unwrap();
    let info = animation.infos()[0];
    assert_eq!(format!("{:?}", info.name()), "\"Walk\"");
    let chunk = animation.chunks().nth(1).unwrap();
    assert_eq!(format!("{:?}", chunk.id), "ChunkId(BONENAMES)");
    let shown = format!("{chunk:?}");
    assert!(shown.contains("ChunkId(BONENAMES)") && shown.contains(&format!("count: {}", chunk.count)), "{shown}");
    assert!(format!("{:?}", Chunks::new(&bytes)).contains("failed: false"));
    let sequence = animation.sequences().next().unwrap();
    let track = sequence.track(0).unwrap();
    assert!(format!("{track:?}").contains(&format!("len: {}", sequence.frame_count())), "{track:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_give_the_text_that_an_independent_decoder_gives(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        let expected = match std::str::from_utf8(&bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(&bytes).0.into_owned(),
        };
        let text = Text::new(&bytes);
        prop_assert_eq!(text.to_string(), &*expected);
        prop_assert!(text.chars().eq(expected.chars()));
        prop_assert!(text.matches(&expected.to_ascii_uppercase()));
    }

    #[test]
    fn any_64_bytes_are_a_name(field in prop::array::uniform32(any::<[u8; 2]>())) {
        let mut raw = [0; 64];
        raw.copy_from_slice(field.as_flattened());
        let bytes = bones(&[raw]);
        let found = Psk::parse(&bytes).unwrap().bones()[0].name();
        let end = raw.iter().position(|byte| *byte == 0);
        prop_assert_eq!(found.as_bytes(), &raw[..end.unwrap_or(64)]);
        prop_assert_eq!(found.tail(), end.map_or(&[][..], |end| &raw[end + 1..]));
        prop_assert_eq!(found.is_terminated(), end.is_some());
    }
}
