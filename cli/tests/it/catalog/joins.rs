//! What tables are joined on, by the documented bytes hashed here.
//!
//! The hashes in hexadecimal are those of Python's `xxhash` 4.1.0.

use skelmap::Asset;
use skelmap_batch::items::{Joins, Options, Row};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::run::{Folder, animation, corpus, find, mesh, rows_of, stored};
use test_support::actorx::agree::parent_of;
use test_support::actorx::build::{Anim, Info, name};
use test_support::actorx::corpus::cases;
use test_support::actorx::naive::{self as actorx, File};

fn joins(bytes: &[u8]) -> Joins {
    let options = Options { joins: true, content_hash: true, ..Options::default() };
    Row::of(String::new(), None, bytes, &options).joins.expect("asked for")
}

fn skeleton(bytes: &[u8]) -> Option<String> {
    joins(bytes).skeleton_hash
}

/// As documented: lower-cased name, zero byte, parent, for each bone.
fn hashed<'a>(bones: impl IntoIterator<Item = (&'a [u8], i32)>) -> Option<String> {
    let mut bytes = Vec::new();
    for (name, parent) in bones {
        bytes.extend(name.iter().map(u8::to_ascii_lowercase));
        bytes.push(0);
        bytes.extend(parent.to_le_bytes());
    }
    (!bytes.is_empty()).then(|| format!("{:016x}", xxh3_64(&bytes)))
}

const SKELETON: [(&str, i32); 3] = [("Root", 0), ("Pelvis", 0), ("Spine", 1)];
const HASH: &str = "549267bd97cf48a8";

#[test]
fn a_skeleton_has_the_documented_hash_in_meshes_and_animations() {
    assert_eq!(skeleton(&mesh(&SKELETON)).as_deref(), Some(HASH));
    assert_eq!(skeleton(&animation(&SKELETON, &[("Walk", 3, 30.0)])).as_deref(), Some(HASH));
    assert_eq!(skeleton(&animation(&SKELETON, &[])).as_deref(), Some(HASH), "whatever it does");
    assert_eq!(skeleton(&mesh(&SKELETON[..1])).as_deref(), Some("8b45114b9cfb0c56"));
    let names: Vec<String> = (0..300).map(|bone| format!("Bone_{bone:04}")).collect();
    let chain: Vec<(&str, i32)> = names.iter().zip(-1..).map(|(name, parent)| (name.as_str(), parent)).collect();
    assert_eq!(skeleton(&mesh(&chain)).as_deref(), Some("a77709670b025119"), "longer than one block of the hash");
    assert_eq!(skeleton(&mesh(&[])), None);
}

#[test]
fn the_skeleton_hash_ignores_case_trailing_blanks_and_the_form_of_a_root() {
    let same = [
        [("ROOT", 0), ("pelvis", 0), ("sPINE", 1)],
        [("Root  ", 0), ("Pelvis ", 0), ("Spine", 1)],
        [("Root", -1), ("Pelvis", 0), ("Spine", 1)],
        [("Root", 99), ("Pelvis", 0), ("Spine", 1)],
    ];
    for bones in same {
        assert_eq!(skeleton(&mesh(&bones)).as_deref(), Some(HASH), "{bones:?}");
    }
}

#[test]
fn the_skeleton_hash_depends_on_names_order_parents_and_number_of_bones() {
    let other: [&[(&str, i32)]; 8] = [
        &[("Root", 0), ("Pelvis", 0), ("Spine", 0)],
        &[("Root", 0), ("Spine", 0), ("Pelvis", 1)],
        &[("Root", 0), ("Spine", 2), ("Pelvis", 0)],
        &[("Root", 0), ("Pelvis", 0), ("Spine1", 1)],
        &[("Root", 0), ("Pelvis", 0), (" Spine", 1)],
        &[("Root", 0), ("Pelvis", 1), ("Spine", 1)],
        &[("Root", 0), ("Pelvis", 0)],
        &[("Root", 0), ("Pelvis", 0), ("Spine", 1), ("Head", 2)],
    ];
    let mut hashes: Vec<String> = other.iter().map(|bones| skeleton(&mesh(bones)).expect("bones")).collect();
    hashes.push(HASH.to_owned());
    hashes.sort();
    hashes.dedup();
    assert_eq!(hashes.len(), other.len() + 1);
    // Only ASCII letters have a case here.
    assert_ne!(skeleton(&mesh(&[("É", 0)])), skeleton(&mesh(&[("é", 0)])));
}

#[test]
fn joins_of_the_corpus_equal_those_of_the_second_reader() {
    let mut compared = 0;
    for case in cases() {
        let found = joins(&case.bytes);
        assert_eq!(found.content_hash, Some(format!("{:032x}", xxh3_128(&case.bytes))), "{}", case.file);
        let Ok(file) = actorx::read(&case.bytes) else { continue };
        let (bones, sequences) = match &file {
            File::Psk(mesh) => (&mesh.bones, Vec::new()),
            File::Psa(animation) => {
                let names = animation.infos.iter().map(|info| actorx::text(actorx::key(&info.name)));
                (&animation.bones, names.collect())
            }
        };
        let parents: Vec<i32> = bones.iter().map(|bone| bone.parent).collect();
        let outlines = bones.iter().enumerate().map(|(index, bone)| {
            let parent = parent_of(&parents, index).map_or(-1, |parent| parent as i32);
            (actorx::key(&bone.name), parent)
        });
        assert_eq!(found.skeleton_hash, hashed(outlines), "{}", case.file);
        assert_eq!(found.sequence_names, sequences, "{}", case.file);
        compared += 1;
    }
    assert!(compared > 100);
}

#[test]
fn content_hashes_equal_those_of_another_program() {
    let cited = [
        ("actorx/mesh/classic.psk", "4fc691106b7f17c77ed85d56742387f8"),
        ("actorx/anim/sequences.psa", "1033d06b6c6ad90b1bfac9ed2ed21851"),
        ("pyrogenesis/psa/walk.psa", "4cd145851ac92f32760875734ce3a53f"),
    ];
    for (file, hash) in cited {
        assert_eq!(joins(&corpus(file)).content_hash.as_deref(), Some(hash), "{file}");
    }
}

#[test]
fn families_without_names_have_a_content_hash_only() {
    for file in ["pyrogenesis/psa/walk.psa", "pyrogenesis/pmd/no_props.pmd", "swat3/gsa/plain.gsa"] {
        let found = joins(&corpus(file));
        assert!(found.skeleton_hash.is_none() && found.sequence_names.is_empty(), "{file}");
        assert!(found.content_hash.is_some(), "{file}");
    }
}

#[test]
fn sequence_names_are_complete_and_in_file_order() {
    let bytes = animation(&SKELETON, &[("Walk", 2, 30.0), ("Run", 1, 30.0), ("walk", 1, 10.0), ("Walk", 1, 0.0)]);
    assert_eq!(joins(&bytes).sequence_names, ["Walk", "Run", "walk", "Walk"]);
    let mut odd = Anim::sway(crate::run::bones(&SKELETON), &[("x", 0, 1.0), ("y", 0, 1.0)]);
    odd.infos[0] = Info { name: name(b"Caf\xE9\x80"), ..odd.infos[0] };
    odd.infos[1] = Info { name: name("\u{30B7},\"\n;"), ..odd.infos[1] };
    assert_eq!(joins(&odd.chunks().build().bytes).sequence_names, ["Café€", "\u{30B7},\"\n;"]);
}

#[test]
fn rows_have_joins_on_request() {
    let folder = Folder::new();
    let asset = corpus("actorx/mesh/classic.psk");
    folder.put("a.psk", &asset);
    folder.put("b.zip", stored(&[("b.psk", &asset)]));
    let sources = find(&[folder.at("")]);
    let with = |joins, content_hash| rows_of(&sources, &Options { joins, content_hash, ..Options::default() });
    assert!(with(false, false).iter().all(|row| row.joins.is_none()));
    for content in [false, true] {
        let mut expected = joins(&asset);
        expected.content_hash = expected.content_hash.filter(|_| content);
        assert!(with(true, content).iter().all(|row| row.joins.as_ref() == Some(&expected)));
    }
}

#[test]
fn a_row_of_a_file_that_cannot_be_opened_has_empty_joins() {
    let folder = Folder::new();
    let options = Options { joins: true, ..Options::default() };
    let [row] = &rows_of(&find(&[folder.at("none.psk")]), &options)[..] else { panic!("one row") };
    assert!(row.is_unreadable());
    assert_eq!(row.joins, Some(Joins::default()));
}

#[test]
fn a_damaged_file_has_a_hash_of_its_content() {
    let bytes = corpus("actorx/damaged/record_too_wide.psa");
    assert!(Asset::parse(&bytes).is_err());
    let found = joins(&bytes);
    assert_eq!(found.content_hash, Some(format!("{:032x}", xxh3_128(&bytes))));
    assert_eq!(found.skeleton_hash, None);
}
