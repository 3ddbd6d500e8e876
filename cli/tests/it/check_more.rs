//! What `check` says of a whole mod: names of files, and sounds.

use crate::catalog::{Folder, corpus};

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
}
