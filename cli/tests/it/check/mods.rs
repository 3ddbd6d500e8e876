//! What `check` says of a whole mod: names of files, and sounds.

use crate::run::{Folder, corpus};

fn codes(folder: &Folder, command: &str) -> Vec<(String, String)> {
    let rows = folder.ends(1, &command.split(' ').collect::<Vec<_>>());
    let rows = rows.lines();
    let findings = rows.iter().flat_map(|row| {
        let path = row["entry"].as_str().or(row["path"].as_str()).unwrap().to_owned();
        let findings = row["findings"].as_array().unwrap().clone();
        findings.into_iter().map(move |finding| (path.clone(), finding["code"].as_str().unwrap().to_owned()))
    });
    findings.collect()
}

#[test]
fn a_file_with_the_extension_of_another_format_is_reported() {
    let folder = Folder::new();
    let (mesh, animation) = (corpus("actorx/mesh/classic.psk"), corpus("actorx/anim/classic.psa"));
    folder.put("mesh.psk", &mesh);
    folder.put("mesh.PSKX", &mesh);
    folder.put("mesh.bin", &mesh);
    folder.put("walk.psa", &animation);
    folder.put("engine.psa", corpus("pyrogenesis/psa/march.psa"));
    folder.put("wrong/mesh.psa", &mesh);
    folder.put("wrong/walk.psk", &animation);
    let found = codes(&folder, "check . --format jsonl");
    let is = |path: &str| (path.to_owned(), "extension".to_owned());
    assert_eq!(found, [is("./wrong/mesh.psa"), is("./wrong/walk.psk")]);
}

#[test]
fn a_sound_that_no_file_of_the_mod_has_is_a_note() {
    let folder = Folder::new();
    // Events: sound=cuff, itemsound=magout and itemsound=magin.
    folder.put("mod/reload.gsa", corpus("swat3/gsa/event_sound.gsa"));
    let check = "check mod --level note --format jsonl --ignore frame-rate";
    // Nothing is known of sounds.
    folder.says(0, check);
    folder.put("mod/sounds/cuff.WAV", b"RIFF");
    assert_eq!(codes(&folder, check), [("mod/reload.gsa".to_owned(), "sound-missing".to_owned())]);
    folder.put("mod/other.txt", b"magout_1911 magin_1911");
    assert_eq!(codes(&folder, check), [("mod/reload.gsa".to_owned(), "sound-missing".to_owned())]);
    folder.put("mod/modsounds.dat", b"MagOut_1911 = a.wav\r\nmagin_mk23_s = b.wav");
    folder.says(0, check);
    // Of these words, none is cuff.
    folder.put("words/reload.gsa", corpus("swat3/gsa/event_sound.gsa"));
    folder.put("words/modsounds.dat", "cuff_2 cuff-2 cuff\u{e9} magout magin".as_bytes());
    let missing = codes(&folder, &check.replace("check mod", "check words"));
    assert_eq!(missing, [("words/reload.gsa".to_owned(), "sound-missing".to_owned())]);
}

/// An ActorX animation whose first track stands still in the one sequence that it has.
fn with_still_root(mut animation: Vec<u8>) -> Vec<u8> {
    let at = |id: &[u8]| animation.windows(id.len()).position(|bytes| bytes == id).unwrap();
    let (bones, keys) = (at(b"BONENAMES"), at(b"ANIMKEYS") + 32);
    let tracks = animation[bones + 28];
    let first = animation[keys..keys + 28].to_vec();
    animation[keys..].chunks_exact_mut(32 * usize::from(tracks)).for_each(|frame| frame[..28].copy_from_slice(&first));
    animation
}

#[test]
fn a_bone_with_weights_that_no_animation_of_the_mod_moves_is_a_note() {
    let folder = Folder::new();
    let animation = corpus("actorx/anim/classic.psa");
    folder.put("mod/mesh.psk", corpus("actorx/mesh/classic.psk"));
    let check = "check mod --level note --format jsonl";
    // Nothing is known of animations.
    folder.says(0, check);
    folder.put("mod/walk.psa", with_still_root(animation.clone()));
    assert_eq!(codes(&folder, check), [("mod/mesh.psk".to_owned(), "weights-still".to_owned())]);
    folder.says(0, "check mod --format jsonl");
    folder.says(0, "check mod/mesh.psk --level note --format jsonl");
    folder.put("mod/run.psa", animation);
    folder.says(0, check);
}
