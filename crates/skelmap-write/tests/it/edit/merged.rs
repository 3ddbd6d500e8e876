//! Files of several animations.

use skelmap::actorx::Psa;
use skelmap::model::{Transform, Wrap};
use skelmap_write::edit::{EditError, Merge, MergeReport, merge};
use test_support::actorx::build::{Anim, Bone, Chunks, Key, ScaleKey, chain, name, to_bytes};

use super::{body, info_int, three, walk};

fn file(anim: &Anim) -> Vec<u8> {
    anim.chunks().into()
}

fn parsed(files: &[Vec<u8>]) -> Vec<Psa<'_>> {
    files.iter().map(|file| Psa::parse(file).unwrap()).collect()
}

fn merged(files: &[Vec<u8>]) -> (Vec<u8>, MergeReport) {
    let mut out = Vec::new();
    let report = merge(&parsed(files), &mut out).unwrap();
    assert_eq!(report.bytes, out.len() as u64);
    Psa::parse(&out).unwrap();
    (out, report)
}

fn refused(files: &[Vec<u8>]) -> String {
    let mut out = Vec::new();
    let error = merge(&parsed(files), &mut out).unwrap_err();
    assert!(out.is_empty());
    error.to_string()
}

/// An animation with a sequence, whose bones have these names and whose keys count from a number.
fn named(bones: &[&str], sequence: &str, frames: i32, from: u16) -> Anim {
    let bones = bones
        .iter()
        .enumerate()
        .map(|(index, text)| Bone::new(text, 0, [100.0 + index as f32, 0.0, 0.0], [0.1, 0.2, 0.3, 0.4]));
    let mut anim = Anim::sway(bones.collect(), &[(sequence, frames, 30.0)]);
    for (index, key) in anim.keys.iter_mut().enumerate() {
        let number = f32::from(from) + index as f32;
        *key = Key { position: [number, 0.0, 0.0], rotation: [number, 1.0, -2.0, 3.0], time: number };
    }
    anim
}

#[test]
fn equal_bones_give_their_keys_as_they_are() {
    let (one, mut other) = (named(&["Root", "Arm"], "a", 3, 0), named(&["ROOT", "arm "], "b", 2, 50));
    // What the other file says about the hierarchy does not count.
    other.bones[1].parent = -1;
    let first = Chunks::flagged(5, 6).id_garbage(b"garbage");
    let files = [one.onto(first).into(), file(&other)];
    let (out, report) = merged(&files);
    assert_eq!((report.files, report.sequences, report.frames, report.bones), (2, 2, 5, 2));
    assert_eq!((report.mapped_files, report.filled_keys), (0, 0));
    other.infos[0].first_raw_frame = 3;
    let whole = Anim {
        bones: one.bones,
        infos: [one.infos, other.infos].concat(),
        keys: [one.keys, other.keys].concat(),
        scale_keys: vec![],
    };
    assert!(out == Vec::from(whole.onto(Chunks::flagged(5, 6).id_garbage(b"garbage"))));
}

#[test]
fn other_bones_are_found_by_name_and_filled_with_the_rest_pose() {
    let one = named(&["Root", "Arm", "Hand"], "a", 1, 0);
    let other = named(&["hand", "ROOT", "Tail"], "b", 2, 50);
    let (out, report) = merged(&[file(&one), file(&other)]);
    let counts = (report.mapped_files, report.dropped_tracks, report.filled_tracks, report.filled_keys);
    assert_eq!(counts, (1, 1, 1, 2));
    // `hand` was the first track, and `ROOT` becomes it: both rules of rotations change.
    assert_eq!((report.conjugated_tracks, report.tracks_without_rest), (2, 0));
    let conjugated = |key: &Key| {
        let [x, y, z, w] = key.rotation;
        Key { rotation: [-x, -y, -z, w], ..*key }
    };
    let rest = Key { position: [101.0, 0.0, 0.0], rotation: [0.1, 0.2, 0.3, 0.4], time: 1.0 };
    let keys = &other.keys;
    let frame = |at: usize| [conjugated(&keys[at + 1]), rest, conjugated(&keys[at])];
    let expected = [one.keys.clone(), frame(0).to_vec(), frame(3).to_vec()].concat();
    assert!(body(&out, "ANIMKEYS") == to_bytes(&expected));
    assert_eq!((info_int(&out, 1, 128), info_int(&out, 1, 140), info_int(&out, 1, 160)), (3, 6, 1));
    // The same through the common model, which knows the rule: rotations of `hand` in both.
    let (psa, own) = (Psa::parse(&out).unwrap(), file(&other));
    let own = Psa::parse(&own).unwrap();
    let rotation = |psa: &Psa<'_>, sequence: &str, bone: usize| {
        let mut pose = [Transform::default(); 3];
        psa.sequence(sequence).unwrap().clip().sample(0.0, Wrap::Clamp, &mut pose).unwrap();
        pose[bone].rotation
    };
    assert_eq!(rotation(&psa, "b", 2), rotation(&own, "b", 0));
    assert_eq!(rotation(&psa, "b", 0), rotation(&own, "b", 1));
}

#[test]
fn an_empty_rest_pose_fills_without_a_rotation() {
    let mut one = named(&["Root", "Arm"], "a", 1, 0);
    (one.bones[1].position, one.bones[1].rotation) = ([0.0; 3], [0.0; 4]);
    let (out, report) = merged(&[file(&one), file(&named(&["Root"], "b", 1, 9))]);
    assert_eq!((report.filled_tracks, report.tracks_without_rest), (1, 1));
    let filled = Psa::parse(&out).unwrap().sequence("b").unwrap().key(0, 1).unwrap().rotation();
    assert_eq!(filled, [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn bones_of_one_name_are_told_by_their_order() {
    let one = named(&["Root", "Arm", "Arm"], "a", 1, 0);
    let other = named(&["Root", "arm", "x", "arm"], "b", 1, 50);
    let (out, report) = merged(&[file(&one), file(&other)]);
    assert_eq!((report.dropped_tracks, report.filled_tracks), (1, 0));
    let keys = [&other.keys[..2], &other.keys[3..]].concat();
    assert!(body(&out, "ANIMKEYS")[96..] == to_bytes(&keys));
}

#[test]
fn names_that_two_files_have_are_refused_numbered_or_kept() {
    let files = [file(&three()), file(&three()), file(&three())];
    assert_eq!(refused(&files), "two sequences would have the name \"Walk\"");
    let names = |merge: Merge<'_>| {
        let mut out = Vec::new();
        let report = merge.write(&mut out).unwrap();
        let psa = Psa::parse(&out).unwrap();
        (psa.sequences().map(|one| one.name().to_string()).collect::<Vec<_>>(), report.numbered_sequences)
    };
    let numbered = ["Walk", "Run", "Idle", "Walk_2", "Run_2", "Idle_2", "Walk_3", "Run_3", "Idle_3"];
    assert_eq!(names(Merge::new(&parsed(&files)).number_duplicates()), (numbered.map(String::from).to_vec(), 6));
    assert_eq!(names(Merge::new(&parsed(&files)).keep_duplicates()).0[3], "Walk");
    // A number that a later name has is left out, and a long name is cut at a character.
    let long = format!("x{}", "é".repeat(31));
    let few = |names: [&str; 2]| file(&Anim::sway(chain(1), &[(names[0], 1, 1.0), (names[1], 1, 1.0)]));
    let files = [few(["a", &long]), few(["A", &long]), few(["A_2", "z"])];
    let (names, _) = names(Merge::new(&parsed(&files)).number_duplicates());
    assert_eq!(names, ["a", &long, "A_3", &format!("x{}_2", "é".repeat(25)), "A_2", "z"]);
}

#[test]
fn scale_keys_are_filled_where_others_have_them() {
    let mut one = named(&["Root"], "a", 2, 0);
    let mut other = named(&["Root"], "b", 1, 9);
    other.scale_keys = vec![ScaleKey { scale: [2.0; 3], time: 7.0 }];
    // HP2 flags sequences without scale keys: the flag alone says nothing.
    one.infos[0].root_include = 1;
    let (out, report) = merged(&[file(&one), file(&other)]);
    assert_eq!(report.filled_scale_keys, 2);
    let no_scale = ScaleKey { scale: [1.0; 3], time: 1.0 };
    let expected = [no_scale, no_scale, other.scale_keys[0]];
    assert!(body(&out, "SCALEKEYS") == to_bytes(&expected));
    // Epic's way, where it says it all.
    (one.infos[0].root_include, other.infos[0].root_include) = (0, 1);
    let (out, report) = merged(&[file(&one), file(&other)]);
    assert_eq!(report.filled_scale_keys, 0);
    assert!(body(&out, "SCALEKEYS") == to_bytes(&other.scale_keys));
    assert_eq!(Psa::parse(&out).unwrap().sequence("b").unwrap().scale_keys().len(), 1);
    // A first file without the chunk gets it after its keys.
    let plain = Chunks::new().empty("ANIMHEAD", 0).records("BONENAMES", &one.bones);
    let plain = plain.records("ANIMINFO", &one.infos).records("ANIMKEYS", &one.keys).chunk("LAST", 1, b"x");
    let (out, _) = merged(&[plain.into(), file(&other)]);
    let ids: Vec<_> = walk(&out).into_iter().map(|chunk| chunk.id).collect();
    assert_eq!(ids, ["ANIMHEAD", "BONENAMES", "ANIMINFO", "ANIMKEYS", "SCALEKEYS", "LAST"]);
}

#[test]
fn curves_and_unknown_chunks_of_further_files() {
    let with = |text: &str, last: &[u8]| -> Vec<u8> {
        let anim = named(&["Root"], text, 1, 0);
        anim.chunks().curves(&format!("{text}:CUR"), 1, &[(text, vec![1.0])]).chunk("NOTE", 1, last).into()
    };
    let (out, report) = merged(&[with("a", b"same"), with("b", b"same"), with("c", b"other")]);
    let ids: Vec<_> = walk(&out).into_iter().map(|chunk| chunk.id).collect();
    assert_eq!(ids[5..], ["a:CUR", "b:CUR", "c:CUR", "NOTE"]);
    assert_eq!(report.dropped_chunks, 1, "the note of the third file");
}

#[test]
fn what_cannot_be_merged_is_refused() {
    assert_eq!(merge(&[], &mut Vec::new()).unwrap_err().to_string(), "there is no file to merge");
    let (one, other) = (named(&["Root"], "a", 1, 0), named(&["Wheel"], "b", 1, 0));
    assert_eq!(refused(&[file(&one), file(&other)]), "file 2 of the list has no bone of the first file");
    // Curves whose id says too little: the first sequence without curves would get those of the second.
    let (one, other) = (named(&["Root"], "Walk_Forward_1", 1, 0), named(&["Root"], "Walk_Forward_12", 1, 0));
    let curves: Vec<u8> = other.chunks().curves("Walk_Forward_1:CUR", 1, &[]).into();
    let error = merge(&parsed(&[file(&one), curves]), &mut Vec::new()).unwrap_err();
    assert!(matches!(error, EditError::Curves { .. }), "{error}");
}

#[test]
fn one_file_stays_as_it_is() {
    let mut anim = three();
    anim.infos[2].name = name("Walk");
    anim.infos[1].first_raw_frame = 99;
    let stored = file(&anim);
    let (out, report) = merged(std::slice::from_ref(&stored));
    assert!(out == stored);
    assert_eq!((report.files, report.frames), (1, 12));
}
