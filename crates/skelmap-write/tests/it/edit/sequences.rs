//! Sequences and bones of one animation.

use skelmap::actorx::Psa;
use test_support::actorx::build::{Anim, Bone, Chunks, IDENTITY, ScaleKey, chain, to_bytes};

use super::{body, edited, info_float, info_int, refused, three, walk};

/// `RootInclude`, `KeyQuotum` and so on in a record of a sequence.
const TOTAL_BONES: usize = 128;
const QUOTUM: usize = 140;
const TRACK_TIME: usize = 148;
const RATE: usize = 152;
const FIRST: usize = 160;
const FRAMES: usize = 164;

fn file(anim: &Anim) -> Vec<u8> {
    anim.chunks().into()
}

#[test]
fn dropped_sequences_take_their_keys_and_scale_keys() {
    let mut anim = three();
    anim.scale_keys = (0..36).map(|index| ScaleKey { scale: [index as f32, 1.0, 1.0], time: 1.0 }).collect();
    let (out, report) = edited(&file(&anim), |edit| edit.keep(&["idle", "WALK"]).map(drop));
    assert_eq!((report.sequences, report.dropped_sequences, report.frames, report.bones), (2, 1, 9, 3));
    // Walk has the keys 0 to 11, Run 12 to 20, Idle 21 to 35.
    let keys = [&anim.keys[..12], &anim.keys[21..]].concat();
    let scales = [&anim.scale_keys[..12], &anim.scale_keys[21..]].concat();
    anim.infos.remove(1);
    anim.infos[1].first_raw_frame = 4;
    let expected = Anim { keys, scale_keys: scales, ..anim };
    assert!(out == file(&expected));
}

#[test]
fn a_new_name_changes_64_bytes() {
    let stored = file(&three());
    let (out, report) = edited(&stored, |edit| edit.rename("run", "Sprint").map(drop));
    assert_eq!(report.renamed_sequences, 1);
    let mut anim = three();
    anim.infos[1].name = test_support::actorx::build::name("Sprint");
    assert!(out == file(&anim));
}

#[test]
fn names_are_those_of_the_file_whatever_else_is_asked() {
    let (out, _) = edited(&file(&three()), |edit| {
        edit.rename("Walk", "Run")?.rename("Run", "Walk")?.set_rate("Walk", 5.0)?.keep(&["Walk", "Run"])?;
        Ok(())
    });
    let psa = Psa::parse(&out).unwrap();
    let names: Vec<_> = psa.sequences().map(|sequence| sequence.name().to_string()).collect();
    assert_eq!(names, ["Run", "Walk"]);
    assert_eq!(info_float(&out, 0, RATE), 5.0);
}

#[test]
fn a_name_that_is_taken_is_refused_in_any_case() {
    let file = file(&three());
    let error = refused(&file, |edit| edit.rename("Walk", "rUN").map(drop));
    assert_eq!(error, "two sequences would have the name \"Run\"");
    let error = refused(&file, |edit| edit.rename("Walk", "x")?.rename("Run", "X").map(drop));
    assert_eq!(error, "two sequences would have the name \"X\"");
    // The other sequence is not there any more.
    edited(&file, |edit| edit.rename("Walk", "Run")?.keep(&["Walk", "Idle"]).map(drop));
    // Its own name, in other letters.
    edited(&file, |edit| edit.rename("Walk", "WALK").map(drop));
    let error = refused(&file, |edit| edit.rename_bone("Bone_0001", "bone_0002").map(drop));
    assert_eq!(error, "two bones would have the name \"Bone_0002\"");
}

#[test]
fn names_that_repeat_stay_unless_they_are_asked_about() {
    let mut anim = three();
    anim.infos[2].name = anim.infos[0].name;
    let (out, _) = edited(&file(&anim), |edit| edit.set_rate("walk", 1.5)?.keep(&["walk"]).map(drop));
    assert_eq!(Psa::parse(&out).unwrap().sequences().len(), 2, "all of a name are kept");
    assert_eq!((info_float(&out, 0, RATE), info_float(&out, 1, RATE)), (1.5, 10.0), "the first is meant");
}

#[test]
fn a_name_that_no_field_holds_is_refused() {
    let file = file(&three());
    for name in ["", " x", "x ", "a\nb", "a\0b", &"x".repeat(64), &"é".repeat(32)] {
        let error = refused(&file, |edit| edit.rename("Walk", name).map(drop));
        assert!(error.ends_with("expected 1 to 63 bytes, no control character and no space at either end"), "{error}");
    }
    let longest = "é".repeat(31) + "x";
    let (out, _) = edited(&file, |edit| edit.rename("Walk", &longest).map(drop));
    assert!(Psa::parse(&out).unwrap().sequence(&longest).is_some());
}

#[test]
fn unknown_names_say_which_there_are() {
    let file = file(&Anim::sway(chain(2), &[("a", 1, 1.0), ("b", 1, 1.0), ("c", 1, 1.0)]));
    let error = refused(&file, |edit| edit.keep(&["a", "x"]).map(drop));
    assert_eq!(error, r#"the file has no sequence "x"; it has "a", "b", "c""#);
    let many = Anim::sway(chain(7), &[("a", 1, 1.0)]);
    let names: Vec<_> = many
        .bones
        .iter()
        .map(|bone| format!("{:?}", String::from_utf8_lossy(&bone.name).trim_end_matches('\0')))
        .collect();
    let error = refused(&super::sequences::file(&many), |edit| edit.drop_bone("nose").map(drop));
    assert_eq!(error, format!("the file has no bone \"nose\"; it has {} and 2 more", names[..5].join(", ")));
    let empty: Vec<u8> = Anim { bones: chain(1), ..Anim::default() }.chunks().into();
    assert_eq!(
        refused(&empty, |edit| edit.set_rate("x", 1.0).map(drop)),
        r#"the file has no sequence "x"; it has none"#
    );
    assert_eq!(
        refused(&file, |edit| {
            edit.keep_if(|_| false);
            Ok(())
        }),
        "no sequence would be left"
    );
}

#[test]
fn track_time_stays_in_its_unit() {
    // Frames, as most writers; seconds, as HP2 (8 frames at 30 say 0.2667); and a number that follows no rule.
    let mut anim =
        Anim::sway(chain(2), &[("frames", 8, 30.0), ("seconds", 8, 30.0), ("odd", 8, 30.0), ("one", 8, 1.0)]);
    anim.infos[1].track_time = 8.0 / 30.0;
    anim.infos[2].track_time = 77.0;
    let ask = |edit: &mut skelmap_write::edit::PsaEdit<'_>| {
        for name in ["frames", "seconds", "odd"] {
            edit.set_rate(name, 24.0)?;
        }
        Ok(())
    };
    let (out, report) = edited(&file(&anim), ask);
    assert_eq!(report.rated_sequences, 3);
    let times = |out: &[u8]| [0, 1, 2].map(|index| info_float(out, index, TRACK_TIME));
    assert_eq!(times(&out), [8.0, 8.0 / 24.0, 77.0]);
    assert_eq!([0, 1, 2, 3].map(|index| info_float(&out, index, RATE)), [24.0, 24.0, 24.0, 1.0]);
    let (out, _) = edited(&file(&anim), |edit| {
        for name in ["frames", "seconds", "odd"] {
            edit.trim(name, 2..5)?;
        }
        Ok(())
    });
    assert_eq!(times(&out), [3.0, 3.0 / 30.0, 77.0]);
    // At one frame per second, the rest of the file decides.
    let mut seconds = anim.clone();
    seconds.infos.swap(0, 1);
    let (out, _) = edited(&file(&seconds), |edit| edit.set_rate("one", 4.0).map(drop));
    assert_eq!(info_float(&out, 3, TRACK_TIME), 2.0);
    let (out, _) = edited(&file(&anim), |edit| edit.set_rate("one", 4.0).map(drop));
    assert_eq!(info_float(&out, 3, TRACK_TIME), 8.0);
}

#[test]
fn a_trim_keeps_whole_frames_and_counts_them() {
    let anim = three();
    let (out, report) = edited(&file(&anim), |edit| edit.trim("Walk", 1..3)?.trim("Idle", 4..5).map(drop));
    assert_eq!((report.trimmed_sequences, report.frames), (2, 6));
    // Frames 1 and 2 of Walk, all of Run, the last of Idle: three keys each.
    let keys = [&anim.keys[3..9], &anim.keys[12..21], &anim.keys[33..36]].concat();
    assert!(body(&out, "ANIMKEYS") == to_bytes(&keys));
    assert_eq!([0, 1, 2].map(|index| info_int(&out, index, FIRST)), [0, 2, 5]);
    assert_eq!([0, 1, 2].map(|index| info_int(&out, index, FRAMES)), [2, 3, 1]);
    assert_eq!([0, 1, 2].map(|index| info_int(&out, index, QUOTUM)), [6, 9, 3]);
    for range in [0..0, 4..4, 3..5, 9..10] {
        let error = refused(&file(&anim), |edit| edit.trim("Walk", range).map(drop));
        assert!(error.ends_with("of \"Walk\" do not exist; the sequence has 4"), "{error}");
    }
    // A trim to all frames changes nothing.
    assert!(edited(&file(&anim), |edit| edit.trim("Walk", 0..4).map(drop)).0 == file(&anim));
}

#[test]
fn scale_keys_of_flagged_sequences_have_an_offset_of_their_own() {
    let mut anim = three();
    // Epic stores them for flagged sequences alone: Walk (12 keys) and Idle (15).
    (anim.infos[0].root_include, anim.infos[2].root_include) = (1, 1);
    anim.scale_keys = (0..27).map(|index| ScaleKey { scale: [index as f32; 3], time: 0.0 }).collect();
    let scales = |out: &[u8]| body(out, "SCALEKEYS");
    let (out, _) = edited(&file(&anim), |edit| edit.keep(&["Run", "Idle"]).map(drop));
    assert!(scales(&out) == to_bytes(&anim.scale_keys[12..]));
    assert_eq!(Psa::parse(&out).unwrap().sequence("Idle").unwrap().scale_keys().len(), 15);
    let (out, _) = edited(&file(&anim), |edit| edit.trim("Idle", 1..2).map(drop));
    assert!(scales(&out) == to_bytes(&[&anim.scale_keys[..12], &anim.scale_keys[15..18]].concat()));
    let (out, _) = edited(&file(&anim), |edit| edit.keep(&["Run"]).map(drop));
    let chunk = walk(&out).pop().unwrap();
    assert_eq!((chunk.id.as_str(), chunk.size, chunk.count), ("SCALEKEYS", 16, 0));
}

#[test]
fn the_record_size_of_an_empty_chunk_stays() {
    let anim = three();
    for size in [0, 16] {
        let chunks = Chunks::flagged(7, 9).empty("ANIMHEAD", 0).records("BONENAMES", &anim.bones);
        let chunks = chunks.records("ANIMINFO", &anim.infos).records("ANIMKEYS", &anim.keys).empty("SCALEKEYS", size);
        let (out, _) = edited(&Vec::from(chunks), |edit| edit.keep(&["Run"]).map(drop));
        let chunks = walk(&out);
        assert_eq!(chunks[4].size, size);
        assert_eq!(chunks.iter().map(|chunk| chunk.flag).collect::<Vec<_>>(), [7, 9, 9, 9, 9]);
    }
}

#[test]
fn unknown_chunks_and_garbage_behind_ids_stay() {
    let chunks = Chunks::new().id_garbage(&[0xAB; 19]);
    let chunks = three().onto(chunks).chunk("MYCHUNK", 3, b"abcdef").empty("ANIMHEAD", 5);
    let stored: Vec<u8> = chunks.into();
    let (out, report) = edited(&stored, |edit| edit.keep(&["Idle"]).map(drop));
    assert_eq!(report.dropped_chunks, 0);
    let (before, after) = (walk(&stored), walk(&out));
    assert_eq!(before.len(), after.len());
    assert_eq!(before[5..], after[5..]);
    // The bytes of ids and flags of all chunks, also of those with other counts.
    let ids = |file: &[u8]| {
        let mut at = 0;
        let starts = walk(file).into_iter().map(|chunk| {
            let start = at;
            at += 32 + chunk.body.len();
            file[start..start + 24].to_vec()
        });
        starts.collect::<Vec<_>>()
    };
    assert_eq!(ids(&stored), ids(&out));
}

#[test]
fn curves_go_with_their_sequence() {
    // The first 14 bytes are equal: the chunks belong to the sequences in order.
    let names = ["Walk_Forward_A", "Walk_Forward_AB", "Other"];
    let anim = Anim::sway(chain(2), &[(names[0], 2, 1.0), (names[1], 3, 1.0), (names[2], 2, 1.0)]);
    let file: Vec<u8> = anim
        .chunks()
        .curves("Walk_Forward_A:CUR", 2, &[("smile", vec![1.0, 2.0])])
        .curves("Other:CUR", 2, &[])
        .curves("Walk_Forward_A:CUR", 3, &[("smile", vec![3.0, 4.0, 5.0]), ("frown", vec![6.0, 7.0, 8.0])])
        .into();
    let curves = |out: &[u8]| {
        let chunks = walk(out).split_off(5);
        chunks.into_iter().map(|chunk| (chunk.id, chunk.size, chunk.count, chunk.body)).collect::<Vec<_>>()
    };
    let stored = curves(&file);
    let (out, report) = edited(&file, |edit| edit.keep(&[names[1]]).map(drop));
    assert_eq!(curves(&out), stored[2..]);
    assert_eq!(report.dropped_chunks, 2);
    let (out, _) =
        edited(&file, |edit| edit.rename(names[1], "Stroll")?.trim(names[1], 1..3)?.trim("Other", 0..1).map(drop));
    let cut = |name: &str, weights: [f32; 2]| {
        let mut curve = [0; 128].to_vec();
        curve[..name.len()].copy_from_slice(name.as_bytes());
        curve.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
        curve
    };
    let two = [cut("smile", [4.0, 5.0]), cut("frown", [7.0, 8.0])].concat();
    let expected = [stored[0].clone(), ("Other:CUR".into(), 132, 0, vec![]), ("Stroll:CUR".into(), 136, 2, two)];
    assert_eq!(curves(&out), expected);
    // A sequence without curves would take those of the next.
    let error = refused(&file, |edit| edit.rename("Other", "Walk_Forward_ABC").map(drop));
    assert!(error.starts_with("the curves of \"Walk_Forward_AB"), "{error}");
}

/// Pelvis, with a thigh and a foot below it, and a spine.
fn limbs() -> Anim {
    let mut bones: Vec<Bone> = ["Pelvis", "Thigh", "Foot", "Spine"]
        .into_iter()
        .zip([0, 0, 1, 0])
        .map(|(name, parent)| Bone::new(name, parent, [1.0, 2.0, 3.0], IDENTITY))
        .collect();
    for (bone, children) in bones.iter_mut().zip([2, 1, 0, 0]) {
        bone.children = children;
    }
    let mut anim = Anim::sway(bones, &[("Walk", 2, 30.0), ("Run", 1, 30.0)]);
    for (index, key) in anim.keys.iter_mut().enumerate() {
        key.position = [index as f32, 0.0, 0.0];
    }
    anim
}

#[test]
fn a_dropped_bone_takes_its_track() {
    let mut anim = limbs();
    anim.scale_keys = (0..12).map(|index| ScaleKey { scale: [index as f32; 3], time: 0.0 }).collect();
    let flags: Vec<u8> = (0..8).collect();
    let stored: Vec<u8> = anim.chunks().chunk("ANIMFLAGS", 1, &flags).into();
    let (out, report) = edited(&stored, |edit| edit.drop_bone("thigh").map(drop));
    assert_eq!((report.dropped_bones, report.bones), (1, 3));
    let kept = |index: &usize| index % 4 != 1;
    let pick = |count: usize| (0..count).filter(kept).collect::<Vec<_>>();
    assert!(body(&out, "ANIMKEYS") == to_bytes(&pick(12).iter().map(|index| anim.keys[*index]).collect::<Vec<_>>()));
    let scales: Vec<_> = pick(12).iter().map(|index| anim.scale_keys[*index]).collect();
    assert!(body(&out, "SCALEKEYS") == to_bytes(&scales));
    assert_eq!(body(&out, "ANIMFLAGS"), [0, 2, 3, 4, 6, 7]);
    let mut bones = [anim.bones[0], anim.bones[2], anim.bones[3]];
    // The foot is now below the pelvis, which keeps two children.
    (bones[1].parent, bones[0].children) = (0, 2);
    assert!(body(&out, "BONENAMES") == to_bytes(&bones));
    assert_eq!([0, 1].map(|index| info_int(&out, index, TOTAL_BONES)), [3, 3]);
    assert_eq!([0, 1].map(|index| info_int(&out, index, QUOTUM)), [6, 3]);
    assert_eq!([0, 1].map(|index| info_int(&out, index, FIRST)), [0, 2]);
    let error = refused(&stored, |edit| edit.drop_bone("PELVIS").map(drop));
    assert_eq!(error, "the first bone, \"PELVIS\", cannot be dropped: its rotations follow a rule of their own");
    let (out, _) = edited(&stored, |edit| edit.drop_bone("Foot")?.drop_bone("Spine").map(drop));
    let mut bones = [anim.bones[0], anim.bones[1]];
    (bones[0].children, bones[1].children) = (1, 0);
    assert!(body(&out, "BONENAMES") == to_bytes(&bones));
}

#[test]
fn parents_of_odd_files_survive_a_dropped_bone() {
    // UModel: -1 and 0 without numbers of children. Roots that name themselves, cycles, and numbers that no bone has.
    let parents = [-1, 0, 2, 4, 3, 99, -7, 3, 1];
    let bones =
        parents.iter().enumerate().map(|(index, parent)| Bone::new(&format!("b{index}"), *parent, [0.0; 3], IDENTITY));
    let anim = Anim::sway(bones.collect(), &[("a", 1, 1.0)]);
    let (out, _) = edited(&file(&anim), |edit| edit.drop_bone("b1")?.drop_bone("b3").map(drop));
    let after: Vec<_> =
        body(&out, "BONENAMES").chunks(120).map(|bone| i32::from_le_bytes(bone[72..76].try_into().unwrap())).collect();
    // b2 names itself; b4 was below the dropped half of a cycle; b7 was below it too, and is now below b4; b8 climbs to b0.
    assert_eq!(after, [-1, 1, -1, 99, -7, 2, 0]);
    let children = body(&out, "BONENAMES").chunks(120).map(|bone| bone[68]).collect::<Vec<_>>();
    assert_eq!(children, [0; 7], "numbers that were not true stay");
}

#[test]
fn spaces_that_pad_a_name_pad_the_new_one() {
    let mut anim = limbs();
    anim.bones[1].name = test_support::actorx::build::name(format!("{:<31}", "Thigh"));
    anim.bones[1].name[40..44].copy_from_slice(b"junk");
    let (out, report) = edited(&file(&anim), |edit| edit.rename_bone("thigh", "Upper Leg").map(drop));
    assert_eq!(report.renamed_bones, 1);
    anim.bones[1].name = test_support::actorx::build::name(format!("{:<31}", "Upper Leg"));
    assert!(out == file(&anim));
}

#[test]
fn a_name_without_an_end_gets_one() {
    let stored = test_support::corpus::file("actorx/anim/name_overflow.psa");
    let psa = Psa::parse(&stored).unwrap();
    let long = psa.sequences().find(|sequence| !sequence.info().name().is_terminated()).unwrap();
    let (out, _) = edited(&stored, |edit| edit.rename(&long.name().to_string(), "short").map(drop));
    let at = long.index() * 168;
    let (before, after) = (body(&stored, "ANIMINFO"), body(&out, "ANIMINFO"));
    assert_eq!(&after[at..at + 64], test_support::actorx::build::name("short"));
    assert_eq!(before[at + 64..at + 168], after[at + 64..at + 168], "the group stays");
}

#[test]
fn wrong_first_frames_stay_until_keys_move() {
    let stored = test_support::corpus::file("actorx/anim/frame_numbering_many.psa");
    let psa = Psa::parse(&stored).unwrap();
    let names: Vec<_> = psa.sequences().map(|sequence| sequence.name().to_string()).collect();
    let firsts = |out: &[u8]| (0..names.len()).map(|index| info_int(out, index, FIRST)).collect::<Vec<_>>();
    let (out, _) = edited(&stored, |edit| edit.set_rate(&names[0], 3.0).map(drop));
    assert_eq!(firsts(&out), firsts(&stored));
    let (out, _) = edited(&stored, |edit| edit.keep(&names[1..]).map(drop));
    let frames: Vec<_> = (0..names.len()).map(|index| info_int(&stored, index, FRAMES)).collect();
    let mut sum = 0;
    for (index, frames) in frames[1..].iter().enumerate() {
        assert_eq!(info_int(&out, index, FIRST), sum);
        sum += frames;
    }
    let keys = body(&stored, "ANIMKEYS");
    let row = 32 * psa.bone_count();
    assert!(body(&out, "ANIMKEYS") == keys[frames[0] as usize * row..]);
}

#[test]
fn rates_that_are_no_rates_are_refused() {
    for rate in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let error = refused(&file(&three()), |edit| edit.set_rate("Walk", rate).map(drop));
        assert_eq!(error, format!("{rate} is no rate: expected a finite number above 0"));
    }
}

#[test]
fn a_report_is_plain_data() {
    let (_, report) = edited(&file(&three()), |edit| edit.keep(&["Run"]).map(drop));
    let json = serde_json::to_value(report).unwrap();
    assert_eq!((&json["sequences"], &json["dropped_sequences"]), (&1.into(), &2.into()));
}

#[test]
fn a_real_file_in_seconds_stays_in_seconds() {
    let Some(folder) = test_support::corpus::samples("actorx") else { return };
    let stored = std::fs::read(folder.join("hp2/skBeaterAnims.psa")).unwrap();
    let psa = Psa::parse(&stored).unwrap();
    let names: Vec<_> = psa.sequences().map(|sequence| sequence.name().to_string()).collect();
    assert!(names.len() > 1);
    let (out, report) = edited(&stored, |edit| {
        for (index, name) in names.iter().enumerate() {
            edit.set_rate(name, info_float(&stored, index, RATE) * 2.0)?;
        }
        Ok(())
    });
    assert_eq!(report.rated_sequences, names.len());
    for index in 0..names.len() {
        let (before, after) = (info_float(&stored, index, TRACK_TIME), info_float(&out, index, TRACK_TIME));
        assert!(before < info_int(&stored, index, FRAMES) as f32, "seconds");
        assert_eq!(after, before / 2.0);
    }
    // And back, to the bit.
    let (back, _) = edited(&out, |edit| {
        for (index, name) in names.iter().enumerate() {
            edit.set_rate(name, info_float(&stored, index, RATE))?;
        }
        Ok(())
    });
    assert!(back == stored);
    // The rate that it has is no change.
    let (same, report) = edited(&stored, |edit| edit.set_rate(&names[0], info_float(&stored, 0, RATE)).map(drop));
    assert!(same == stored && report.rated_sequences == 0);
}

#[test]
fn a_track_of_a_real_file_is_dropped_and_all_others_stay() {
    let Some(folder) = test_support::corpus::samples("actorx") else { return };
    let stored = std::fs::read(folder.join("hp2/skBeaterAnims.psa")).unwrap();
    let psa = Psa::parse(&stored).unwrap();
    let bones = psa.bone_count();
    for dropped in 1..bones {
        let (out, _) =
            edited(&stored, |edit| edit.drop_bone(&psa.bones()[dropped].name().text().to_string()).map(drop));
        let keys = body(&stored, "ANIMKEYS");
        let expected: Vec<u8> = keys
            .chunks(32)
            .enumerate()
            .filter(|(key, _)| key % bones != dropped)
            .flat_map(|(_, key)| key)
            .copied()
            .collect();
        assert!(body(&out, "ANIMKEYS") == expected);
        // The hierarchy that is left: each parent is the nearest of the old ones that is kept.
        let after = Psa::parse(&out).unwrap();
        for (index, bone) in psa.bones().iter().enumerate().filter(|(index, _)| *index != dropped) {
            let mut parent = bone.parent_index() as usize;
            if parent == dropped {
                parent = psa.bones()[dropped].parent_index() as usize;
            }
            let number = |index: usize| index - usize::from(index > dropped);
            let own = &after.bones()[number(index)];
            assert_eq!(own.parent_index() as usize, number(parent));
            let children =
                (1..after.bone_count()).filter(|child| after.bones()[*child].parent_index() as usize == number(index));
            let was = (1..bones).filter(|child| psa.bones()[*child].parent_index() as usize == index).count();
            if bone.child_count() as usize == was {
                assert_eq!(own.child_count() as usize, children.count());
            }
        }
    }
}

#[test]
fn curves_of_a_sequence_with_missing_frames_stay_until_keys_move() {
    let mut anim = three();
    // Idle declares five frames; the file has three of them.
    anim.keys.truncate(30);
    let weights = vec![1.0, 2.0, 3.0, 4.0, 5.0];
    let stored: Vec<u8> = anim.chunks().curves("Idle:CUR", 5, &[("smile", weights)]).into();
    let curves = |out: &[u8]| walk(out).pop().unwrap();
    let (out, report) = edited(&stored, |edit| edit.rename("Idle", "Rest").map(drop));
    let chunk = curves(&out);
    assert_eq!((chunk.id.as_str(), chunk.size, report.mended_sequences), ("Rest:CUR", 148, 0));
    assert_eq!(chunk.body, curves(&stored).body);
    let (out, report) = edited(&stored, |edit| edit.keep(&["Idle"]).map(drop));
    assert_eq!((curves(&out).size, info_int(&out, 0, FRAMES), report.mended_sequences), (140, 3, 1));
    assert_eq!(curves(&out).body, curves(&stored).body[..140]);
}

#[test]
fn curves_of_no_sequence_keep_their_place() {
    let anim = three();
    let stored: Vec<u8> = anim
        .chunks()
        .curves("Nobody:CUR", 1, &[])
        .curves("Run:CUR", 3, &[])
        .chunk("NOTE", 1, b"x")
        .curves("Nobody2:CUR", 1, &[])
        .curves("Walk:CUR", 4, &[])
        .into();
    let (out, _) = edited(&stored, |edit| edit.keep(&["Walk", "Idle"]).map(drop));
    let ids: Vec<_> = walk(&out).split_off(5).into_iter().map(|chunk| chunk.id).collect();
    assert_eq!(ids, ["Nobody:CUR", "NOTE", "Nobody2:CUR", "Walk:CUR"]);
}

#[test]
fn the_chunk_that_readers_use_is_edited() {
    let anim = three();
    let chunks = Chunks::new().empty("ANIMHEAD", 0).records("BONENAMES", &anim.bones).empty("ANIMINFO", 0);
    let chunks = chunks.records("ANIMINFO", &anim.infos).empty("ANIMKEYS", 0).records("ANIMKEYS", &anim.keys);
    let stored: Vec<u8> = chunks.records("ANIMINFO", &anim.infos[..1]).into();
    let (out, report) = edited(&stored, |edit| edit.keep(&["Run"]).map(drop));
    let counts: Vec<_> = walk(&out).into_iter().map(|chunk| (chunk.id, chunk.size, chunk.count)).collect();
    let expected = [
        ("ANIMHEAD", 0, 0),
        ("BONENAMES", 120, 3),
        ("ANIMINFO", 0, 0),
        ("ANIMINFO", 168, 1),
        ("ANIMKEYS", 0, 0),
        ("ANIMKEYS", 32, 9),
    ];
    assert_eq!(counts, expected.map(|(id, size, count)| (id.to_owned(), size, count)));
    assert_eq!(report.dropped_chunks, 1, "the records that no one reads");
    // Where nothing moves, they stay.
    let (out, report) = edited(&stored, |edit| edit.rename("Run", "Sprint").map(drop));
    assert_eq!((walk(&out).len(), report.dropped_chunks), (7, 0));
}
