//! Files that somebody made to do harm, and outputs that fail.

use std::io::{self, Write};

use skelmap::actorx::Psa;
use skelmap_write::edit::{EditError, Merge, PsaEdit, Split, merge};
use test_support::actorx::build::{Anim, Bone, Chunks, IDENTITY, Info, chain};

use super::{edited, refused, three};

/// Many sequences of the same frames.
fn shared(sequences: i32, frames: i32, bones: u32) -> Vec<u8> {
    let mut anim = Anim::sway(chain(bones), &[("a", frames, 1.0)]);
    anim.infos = (0..sequences).map(|index| Info::new(format!("s{index}"), bones as usize, 0, frames, 1.0)).collect();
    anim.chunks().into()
}

#[test]
fn sequences_that_share_frames_do_not_grow_without_a_question() {
    let file = shared(3, 4, 2);
    let error = refused(&file, |edit| edit.trim("s0", 0..3).map(drop));
    assert_eq!(error, "sequences share frames: the file has 4, the output would have 11");
    // Renaming moves no key.
    edited(&file, |edit| edit.rename("s0", "x").map(drop));
    // One of them has no more frames than the file.
    edited(&file, |edit| edit.keep(&["s1"]).map(drop));
    let (out, report) = edited(&file, |edit| edit.copy_shared_frames().trim("s0", 0..3).map(drop));
    assert_eq!(report.frames, 11);
    assert_eq!(Psa::parse(&out).unwrap().keys().len(), 22);
    let psa = Psa::parse(&file).unwrap();
    let error = merge(&[psa, Psa::parse(&three().chunks().build().bytes).unwrap()], &mut Vec::new()).unwrap_err();
    assert!(matches!(error, EditError::SharedFrames { stored: 4, needed: 12 }), "{error}");
}

#[test]
fn a_split_that_would_fill_a_disk_is_refused() {
    // 4 MB: 20,000 sequences of 100 frames with 10 bones, which would be 960 MB.
    let file = shared(20_000, 100, 10);
    let error = Split::new(&Psa::parse(&file).unwrap()).unwrap_err();
    assert!(matches!(error, EditError::TooLarge { .. }), "{error}");
    // A chunk that all files would have.
    let mut anim = Anim::sway(chain(1), &[]);
    anim.infos = (0..5_000).map(|index| Info::new(format!("s{index}"), 1, 0, 0, 1.0)).collect();
    let file: Vec<u8> = anim.chunks().chunk("UNKNOWN", 1, &vec![0; 1 << 20]).into();
    assert!(matches!(Split::new(&Psa::parse(&file).unwrap()), Err(EditError::TooLarge { .. })));
}

#[test]
fn copies_of_shared_frames_are_written_up_to_64_times_those_of_the_file() {
    // 7 MB: 20,000 sequences of 100 frames with 50 bones, which would be 3.2 GB.
    let file = shared(20_000, 100, 50);
    let psa = Psa::parse(&file).unwrap();
    let mut out = Vec::new();
    let error = Merge::new(&[psa, psa]).number_duplicates().copy_shared_frames().write(&mut out).unwrap_err();
    assert!(matches!(error, EditError::TooLarge { needed: 3_200_000_000, limit: 134_217_728 }), "{error}");
    assert!(out.is_empty());
}

#[test]
fn bones_that_one_file_has_do_not_grow_another_without_limit() {
    // One bone in common: 100,000 frames of 1,000 bones are 3.2 GB.
    let wide: Vec<u8> = Anim::sway(chain(1_000), &[("a", 1, 1.0)]).chunks().into();
    let long: Vec<u8> = Anim::sway(chain(1), &[("b", 100_000, 1.0)]).chunks().into();
    let files = [Psa::parse(&wide).unwrap(), Psa::parse(&long).unwrap()];
    let mut out = Vec::new();
    let error = merge(&files, &mut out).unwrap_err();
    assert!(matches!(error, EditError::TooLarge { .. }), "{error}");
    assert!(out.is_empty());
}

/// `.ci/growth` counts the work.
#[test]
fn nothing_grows_with_the_product_of_two_numbers() {
    let count = 20_000;
    let mut anim = Anim::sway(chain(1), &[]);
    let name = |index: i32| format!("{:0>14}{index}", "x");
    anim.infos = (0..count).map(|index| Info::new(name(index), 1, 0, 0, 1.0)).collect();
    let mut chunks = anim.chunks();
    // Each has curves, and all ids are equal. `Chunks` looks up labels, so these have one of their own.
    for index in 0..count {
        let mut id = [0; 20];
        id[..18].copy_from_slice(format!("{:0>14}:CUR", "x").as_bytes());
        chunks = chunks.raw(&index.to_string(), id, 0, 128, 0, &[]);
    }
    let file: Vec<u8> = chunks.into();
    let psa = Psa::parse(&file).unwrap();
    let split = Split::new(&psa).unwrap();
    let mut out = Vec::new();
    for index in 0..split.len() {
        out.clear();
        split.write(index, &mut out).unwrap();
    }
    let mut edit = PsaEdit::new(&psa);
    for index in 0..count {
        edit.rename(&name(index), &format!("{index}")).unwrap();
    }
    out.clear();
    edit.write(&mut out).unwrap();
    // Numbers for names that are all equal in the letters that stay.
    let mut anim = Anim::sway(chain(1), &[]);
    anim.infos = (0..count).map(|index| Info::new(format!("{}{index:0>7}", "n".repeat(56)), 1, 0, 0, 1.0)).collect();
    let file: Vec<u8> = anim.chunks().into();
    let psa = Psa::parse(&file).unwrap();
    out.clear();
    let report = Merge::new(&[psa, psa]).number_duplicates().write(&mut out).unwrap();
    assert_eq!(report.numbered_sequences, count as usize);
    let mut names: Vec<_> = Psa::parse(&out).unwrap().sequences().map(|one| one.name().to_string()).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 2 * count as usize);
}

#[test]
fn a_long_chain_of_dropped_bones_is_walked_once() {
    let count = 20_000;
    let mut anim = Anim::sway(chain(count), &[("a", 1, 1.0)]);
    for (index, bone) in anim.bones.iter_mut().enumerate() {
        *bone = Bone::new(&format!("b{index}"), index.saturating_sub(1) as i32, [0.0; 3], IDENTITY);
    }
    let file: Vec<u8> = anim.chunks().into();
    let (out, report) = edited(&file, |edit| {
        for index in 1..count - 1 {
            edit.drop_bone(&format!("b{index}"))?;
        }
        Ok(())
    });
    assert_eq!(report.bones, 2);
    assert_eq!(Psa::parse(&out).unwrap().bones()[1].parent_index(), 0);
}

/// Takes some bytes, then fails.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        if taken == 0 { Err(io::Error::other("the disk is full")) } else { Ok(taken) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_output_that_fails_is_an_error_at_every_byte() {
    let file: Vec<u8> = three().chunks().into();
    let psa = Psa::parse(&file).unwrap();
    for length in 0..file.len() {
        let error = PsaEdit::new(&psa).write(&mut Full(length)).unwrap_err();
        assert_eq!(error.to_string(), "cannot write: the disk is full");
    }
    PsaEdit::new(&psa).write(&mut Full(file.len())).unwrap();
}

#[test]
fn any_change_of_a_byte_is_edited_without_a_panic() {
    let anim = three();
    let file: Vec<u8> = anim
        .onto(Chunks::new())
        .curves("Walk:CUR", 4, &[("smile", vec![0.0; 4])])
        .chunk("ANIMFLAGS", 1, &[0; 9])
        .into();
    let mut edits = 0;
    for at in 0..file.len() {
        // Of keys, one stands for all.
        if at > 1_100 && at + 1_000 < file.len() {
            continue;
        }
        for value in [0, 0x7F, 0xFF] {
            let mut changed = file.clone();
            changed[at] = value;
            let Ok(psa) = Psa::parse(&changed) else { continue };
            let mut edit = PsaEdit::new(&psa);
            let _ = edit.drop_bone(&psa.bones().last().map(|bone| bone.name().text().to_string()).unwrap_or_default());
            let _ = edit.trim("Idle", 1..2);
            let _ = edit.rename("Run", "Sprint").map(drop);
            edit.keep_if(|sequence| sequence.index() != 0);
            let mut out = Vec::new();
            if edit.write(&mut out).is_ok() {
                assert!(out.len() <= file.len() + 256);
                Psa::parse(&out).unwrap();
                edits += 1;
            }
            if let Ok(split) = Split::new(&psa) {
                for index in 0..split.len() {
                    let _ = split.write(index, &mut io::sink());
                }
            }
            let _ = merge(&[psa, Psa::parse(&file).unwrap()], &mut io::sink());
        }
    }
    assert!(edits > 1_000, "{edits}");
}
