//! An entry of an archive gives every command what the loose file gives.

use serde_json::Value;

use crate::run::{Folder, corpus, deflated, stored};

/// A path and what the file there is in the corpus.
const FILES: [(&str, &str); 9] = [
    ("art/mesh.psk", "actorx/mesh/classic.psk"),
    ("art/mesh.pskx", "actorx/mesh/everything.pskx"),
    ("art/anim.psa", "actorx/anim/config_line.psa"),
    ("art/anim.config", "actorx/anim/config_line.config"),
    ("art/plain.psa", "actorx/anim/sequences.psa"),
    ("horse.pmd", "pyrogenesis/pmd/one_bone.pmd"),
    ("walk.psa", "pyrogenesis/psa/walk.psa"),
    ("a/gsa.gsa", "swat3/gsa/reload.gsa"),
    ("damaged.psk", "actorx/damaged/overrun.psk"),
];

/// The files loose, stored in `s.zip` and deflated in `d.zip`.
fn folder() -> Folder {
    let folder = Folder::new();
    let files = FILES.map(|(name, file)| (name, corpus(file)));
    for (name, bytes) in &files {
        folder.put(name, bytes);
    }
    let entries: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
    folder.put("s.zip", stored(&entries));
    folder.put("d.zip", deflated(&entries));
    folder
}

/// The text with every place written as that of the loose file.
fn loose(text: &str, zip: &str, name: &str) -> String {
    let json = format!("\"path\":\"{zip}\",\"entry\":\"{name}\"");
    let pretty = format!("\"path\": \"{zip}\",\n  \"entry\": \"{name}\"");
    let animation = format!("\"animation\":\"{zip}\",\"animation_entry\":\"{name}\"");
    text.replace(&json, &format!("\"path\":\"{name}\",\"entry\":null"))
        .replace(&animation, &format!("\"animation\":\"{name}\",\"animation_entry\":null"))
        .replace(&pretty, &format!("\"path\": \"{name}\",\n  \"entry\": null"))
        .replace(&format!("\n1,{zip},{name},"), &format!("\n1,{name},,"))
        .replace(&format!("\n{zip},{name},"), &format!("\n{name},,"))
        .replace(&format!("{zip}!/"), "")
        .replace(&format!("\"location\":\"{zip}\""), &format!("\"location\":\"{name}\""))
}

/// Runs the command on the loose file and on both entries.
fn same(folder: &Folder, line: &str, name: &str) {
    let of_file = folder.run(&line.replace('@', name).split(' ').collect::<Vec<_>>());
    assert!(of_file.status < 2, "{line}: {}", of_file.complaints);
    for zip in ["s.zip", "d.zip"] {
        let of_entry = folder.run(&line.replace('@', &format!("{zip}!/{name}")).split(' ').collect::<Vec<_>>());
        assert_eq!(of_entry.status, of_file.status, "{line} {zip}");
        if line.contains("f32") {
            assert!(of_entry.out == of_file.out, "{line} {zip}");
            continue;
        }
        let (found, expected) = (loose(of_entry.text(), zip, name), of_file.text());
        if line.contains("format") {
            assert_eq!(found, expected, "{line} {zip}");
        } else {
            // How wide a column is may depend on a path in it.
            assert!(found.split_whitespace().eq(expected.split_whitespace()), "{line} {zip}: {found}");
        }
        assert_eq!(loose(&of_entry.complaints, zip, name), of_file.complaints, "{line} {zip}");
    }
}

#[test]
fn info_check_and_ls_report_an_entry_like_a_loose_file() {
    let folder = folder();
    for (name, _) in FILES.iter().filter(|(name, _)| !name.ends_with("config")) {
        for line in [
            "info @",
            "info @ --format json",
            "check @ --level note --format jsonl",
            "check @ --level note --format csv",
            "ls @ --format jsonl",
            "ls @ --format csv",
        ] {
            same(&folder, line, name);
        }
    }
}

#[test]
fn dump_prints_an_entry_like_a_loose_file() {
    let folder = folder();
    for (name, what) in [
        ("art/mesh.psk", "points"),
        ("art/mesh.psk", "bones"),
        ("art/mesh.pskx", "deltas"),
        ("art/plain.psa", "keys"),
        ("art/plain.psa", "sequences"),
        ("art/anim.psa", "side-car"),
        ("horse.pmd", "vertices"),
        ("walk.psa", "states"),
        ("a/gsa.gsa", "rotations"),
        ("a/gsa.gsa", "events"),
    ] {
        for format in ["csv", "jsonl", "table"] {
            same(&folder, &format!("dump @ --what {what} --format {format}"), name);
        }
    }
}

#[test]
fn pose_and_skin_print_an_entry_like_a_loose_file() {
    let folder = folder();
    let skinned = test_support::pyrogenesis::build::Pmd::grid(4, 4, 3, 1).build().bytes;
    let walk = test_support::pyrogenesis::build::Psa::walk(3, 4).build().bytes;
    folder.put("grid.pmd", &skinned);
    folder.put("rock.psa", &walk);
    folder.put("s.zip", stored(&[("grid.pmd", &skinned), ("rock.psa", &walk)]));
    folder.put("d.zip", deflated(&[("grid.pmd", &skinned), ("rock.psa", &walk)]));
    for format in ["json", "csv", "f32"] {
        same(&folder, &format!("pose @ --at 0 --at 41.5ms --loop --format {format}"), "rock.psa");
        same(&folder, &format!("skin @ --anim rock.psa --at 41.5ms --format {format}"), "grid.pmd");
        same(&folder, &format!("skin grid.pmd --anim @ --at 41.5ms --format {format}"), "rock.psa");
    }
    let both = folder.says(0, "skin s.zip!/grid.pmd --anim d.zip!/rock.psa --at 50ms --format csv");
    assert_eq!(both.out, folder.says(0, "skin grid.pmd --anim rock.psa --at 50ms --format csv").out);
}

#[test]
fn gsa_events_match_and_catalog_accept_addresses() {
    let folder = folder();
    same(&folder, "gsa events @ --format jsonl", "a/gsa.gsa");
    same(&folder, "match art/mesh.psk @ --format jsonl", "art/plain.psa");
    folder.says(0, "catalog s.zip!/art/mesh.psk -o one.jsonl");
    folder.says(0, "catalog art/mesh.psk -o two.jsonl");
    assert_eq!(loose(&folder.text("one.jsonl"), "s.zip", "art/mesh.psk"), folder.text("two.jsonl"));
}

#[test]
fn a_side_car_is_found_in_the_archive_and_nowhere_else() {
    let folder = folder();
    let codes = |path: &str| -> Vec<Value> {
        let rows = folder.run(&["check", path, "--level", "note", "--format", "jsonl"]).lines();
        rows[0]["findings"].as_array().expect("findings").iter().map(|finding| finding["code"].clone()).collect()
    };
    assert_eq!(codes("art/anim.psa"), ["config-line"]);
    for zip in ["s.zip", "d.zip"] {
        assert_eq!(codes(&format!("{zip}!/art/anim.psa")), ["config-line"]);
        let rows = folder.run(&["check", zip, "--level", "note", "--format", "jsonl"]).lines();
        let row = rows.iter().find(|row| row["entry"] == "art/anim.psa").expect("a row");
        assert_eq!(row["findings"][0]["code"], "config-line", "with all of the archive");
    }
    let animation = corpus("actorx/anim/config_line.psa");
    let (config, sound) = (corpus("actorx/anim/config_line.config"), corpus("actorx/anim/config_rotation_only.config"));
    // Beside the archive, and in it but not beside the animation.
    folder.put("other.zip", stored(&[("art/anim.psa", &animation), ("anim.config", &config)]));
    folder.put("art/anim.config", &config);
    folder.put("anim.config", &config);
    assert!(!codes("other.zip!/art/anim.psa").contains(&"config-line".into()));
    folder.put("other.zip", stored(&[("art/anim.psa", &animation), ("art/anim.CONFIG", &config)]));
    assert_eq!(codes("other.zip!/art/anim.psa"), ["config-line"], "in another case");
    folder.put(
        "other.zip",
        stored(&[("art/anim.psa", &animation), ("art/anim.config", &sound), ("art/anim.CONFIG", &config)]),
    );
    assert!(!codes("other.zip!/art/anim.psa").contains(&"config-line".into()), "the usual case first");
    let info = folder.says(0, "info s.zip!/art/anim.psa --format json");
    let info: Value = serde_json::from_slice(&info.out).expect("JSON");
    let place = info["details"]["side_car"]["path"].as_str().expect("a place");
    assert!(place.contains("s.zip"), "{info}");
}

#[test]
fn a_side_car_that_cannot_be_read_is_an_error() {
    use test_support::build_zip::{Entry, Zip};

    let folder = Folder::new();
    let (animation, config) = (corpus("actorx/anim/config_line.psa"), corpus("actorx/anim/config_line.config"));
    let damaged = Entry::deflated("anim.config", &config).with(|entry| entry.body = Some(vec![7; 9]));
    folder.put("mod.zip", Zip::of([Entry::stored("anim.psa", &animation), damaged]).build().bytes);
    let ran = folder.run(&["check", "mod.zip!/anim.psa"]);
    assert_ne!(ran.status, 0);
    let said = format!("{}{}", ran.text(), ran.complaints);
    assert!(said.contains("anim.config"), "{said}");
}

#[test]
fn an_existing_file_decides_the_meaning_of_an_address() {
    let folder = Folder::new();
    let (mesh, animation) = (corpus("actorx/mesh/classic.psk"), corpus("actorx/anim/classic.psa"));
    let format = |path: &str| -> Value {
        let info = folder.says(0, &format!("info {path} --format json"));
        serde_json::from_slice::<Value>(&info.out).expect("JSON")["format"].take()
    };
    folder.put("odd!/x.bin", &mesh);
    assert_eq!(format("odd!/x.bin"), "actorx.psk", "a folder whose name ends so");
    folder.put("odd!/m.zip", stored(&[("x.bin", &animation), ("in!/y.bin", &mesh)]));
    assert_eq!(format("odd!/m.zip!/x.bin"), "actorx.psa", "an archive in it");
    assert_eq!(format("odd!/m.zip!/in!/y.bin"), "actorx.psk", "the first that is a file");
    folder.put("odd", stored(&[("x.bin", &animation), ("z.bin", &animation)]));
    assert_eq!(format("odd!/x.bin"), "actorx.psk", "the file that is there goes before the entry");
    assert_eq!(format("odd!/z.bin"), "actorx.psa");
    // An archive in an archive is none.
    folder.put("outer.zip", stored(&[("inner.zip", &stored(&[("x.psk", &mesh)]))]));
    folder.says(3, "info outer.zip!/inner.zip!/x.psk");
}

#[test]
fn an_error_names_the_missing_file_or_entry() {
    let folder = folder();
    for address in [
        "s.zip!/none.psk",
        "s.zip!/arts",
        "s.zip!/ART/mesh.psk",
        "s.zip!//art/mesh.psk",
        "none.zip!/art/mesh.psk",
        "art!/mesh.psk",
        "horse.pmd!/mesh.psk",
    ] {
        for command in ["info", "dump --what bones"] {
            let ran = folder.says(3, &format!("{command} {address}"));
            let (archive, entry) = address.split_once("!/").expect("an entry");
            let named = [address.to_owned(), format!("entry {entry:?}"), format!("skelmap: {archive}: ")];
            assert!(named.iter().any(|name| ran.complaints.contains(name)), "{}", ran.complaints);
        }
        let row = &folder.says(3, &format!("ls {address} --format jsonl")).lines()[0];
        assert!(row["error"]["kind"].is_string() && row["bytes"].is_null(), "{row}");
        folder.says(3, &format!("check {address}"));
    }
    let row = &folder.says(3, "ls s.zip!/none.psk --format jsonl").lines()[0];
    assert_eq!((&row["path"], &row["entry"]), (&"s.zip".into(), &"none.psk".into()));
    assert_eq!(row["error"]["kind"], "zip-no-such-entry");
    // The folder at the top is the archive.
    assert_eq!(folder.says(1, "ls s.zip!/ --format jsonl").lines().len(), 8);
}

#[test]
fn a_message_with_a_name_that_fills_a_terminal_has_no_middle() {
    let name = format!("s.zip!/{}.psk", "a".repeat(60_000));
    let complaints = folder().ends(3, &["info", &name]).complaints;
    assert!(complaints.starts_with("skelmap: s.zip!/aaa") && complaints.contains("aaa… ("), "{complaints:.300}");
    assert!(complaints.contains(" bytes left out) …aaa") && complaints.len() < 2_100, "{}", complaints.len());
}

#[test]
fn the_side_car_of_an_entry_lies_in_the_folder_of_the_entry() {
    let folder = Folder::new();
    let (animation, config) = (corpus("actorx/anim/config_line.psa"), corpus("actorx/anim/config_line.config"));
    let places = [("mods.v1/walk", "mods.config"), ("q/.psa", "q/.config"), ("q/walk.psa", "walk.config")];
    for (name, other) in places {
        folder.put("mod.zip", stored(&[(name, &animation), (other, &config)]));
        folder.says(0, &format!("check mod.zip!/{name}"));
    }
    folder.put("mod.zip", stored(&[("q.v1/walk.psa", &animation), ("q.v1/walk.config", &config)]));
    let ran = folder.says(1, "check mod.zip!/q.v1/walk.psa");
    assert!(ran.text().contains("[config-line]"), "{}", ran.text());
}

#[test]
fn a_side_car_that_is_too_large_is_refused_before_it_is_read() {
    let folder = Folder::new();
    folder.put("a.psa", corpus("actorx/anim/config_line.psa"));
    let config = std::fs::File::create(folder.at("a.config")).expect("created");
    // A sparse file: reading it would take a minute.
    config.set_len(1 << 40).expect("set");
    for command in ["check a.psa", "info a.psa", "dump a.psa --what side-car"] {
        let ran = folder.says(1, command);
        assert!(format!("{}{}", ran.text(), ran.complaints).contains("is larger than 64 MiB"), "{command}");
    }
}

#[test]
fn poses_and_skins_name_the_archive_and_the_entry() {
    let folder = Folder::new();
    let (mesh, animation) = (corpus("pyrogenesis/pmd/skinned.pmd"), corpus("pyrogenesis/psa/walk.psa"));
    folder.put("mod.zip", stored(&[("a.psa", &animation), ("a.pmd", &mesh)]));
    for (command, entry) in [("pose mod.zip!/a.psa --at 0", "a.psa"), ("skin mod.zip!/a.pmd", "a.pmd")] {
        let ran = folder.says(0, command);
        let found: Value = serde_json::from_slice(&ran.out).expect("JSON");
        assert_eq!((&found["path"], &found["entry"]), (&"mod.zip".into(), &entry.into()), "{command}");
    }
}

/// Names of other encodings look alike where they are shown, and each is given back exactly.
#[cfg(target_os = "linux")]
#[test]
fn a_path_that_is_no_unicode_is_printed_as_an_address_that_every_command_takes() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    let folder = Folder::new();
    let names = [&b"art/a\xFF%41 .psk"[..], b"art/a\xFE%41 .psk"];
    for (bones, name) in (1..).zip(names) {
        let all: Vec<(&str, i32)> = [("Root", 0), ("Hip", 0)][..bones].to_vec();
        folder.put(Path::new(OsStr::from_bytes(name)), crate::run::mesh(&all));
    }
    let rows = folder.says(0, "ls art --format jsonl").lines();
    let of = |escape: &str| {
        format!("file://{}/art/a%{escape}%2541%20.psk", folder.at("").display()).replace("//art", "/art")
    };
    let expected = [(of("FE"), 2), (of("FF"), 1)];
    for (row, (path, bones)) in rows.iter().zip(&expected) {
        assert_eq!((row["path"].as_str(), row["bones"].as_u64()), (Some(path.as_str()), Some(*bones)));
        let again = folder.ends(0, &["ls", path, "--format", "jsonl"]).lines();
        assert_eq!(again, std::slice::from_ref(row));
        let info = folder.ends(0, &["info", path, "--format", "json"]);
        assert!(info.text().contains(&format!("\"path\":\"{path}\"")) || info.text().contains(path), "{}", info.text());
        folder.ends(0, &["check", path]);
    }
    assert_eq!(rows.len(), 2);
    folder.says(3, "ls file:///nowhere%FF.psk");
    // A file of this very name comes first.
    folder.put("file:/nowhere%FF.psk", crate::run::mesh(&[("Root", 0)]));
    folder.says(0, "ls file:///nowhere%FF.psk");
}

/// Some programs for Windows write backslashes between folders.
#[test]
fn names_with_backslashes_are_listed_as_they_are_and_converted_into_folders() {
    let folder = Folder::new();
    folder.put("mod.zip", crate::run::stored(&[("art\\mesh.psk", &crate::run::mesh(&[("Root", 0)])), ("art\\", b"")]));
    let rows = folder.says(0, "ls mod.zip --format jsonl").lines();
    let entries: Vec<_> = rows.iter().map(|row| row["entry"].as_str().expect("an entry")).collect();
    assert_eq!(entries, ["art\\mesh.psk"]);
    folder.ends(0, &["info", "mod.zip!/art\\mesh.psk"]);
    folder.says(0, "convert mod.zip -o out");
    assert!(folder.at("out/art/mesh.glb").is_file());
}

/// Reports on mods name the sources, and every command takes the names.
#[test]
fn every_command_finds_what_the_game_has_made_of_a_source() {
    let folder = Folder::new();
    let mesh = std::fs::read(test_support::corpus::folder().join("../../corpus/fox.pmd")).expect("a file");
    folder.put("mod/art/fox.dae.cached.pmd", &mesh);
    folder.says(0, "pack mod -o mod.zip");
    for place in ["mod/art/fox.dae", "mod.zip!/art/fox.dae"] {
        for command in ["ls", "info", "skin", "check", "dump --what bones"] {
            assert!(
                !folder.says(0, &format!("{command} {place}")).out.is_empty() || command == "check",
                "{command} {place}"
            );
        }
        assert!(folder.says(0, &format!("cat {place}")).out == mesh, "{place}");
        let into = "mod/art/fox.dae.cached.pmd";
        for command in ["convert", "dump --what bones --format csv", "catalog --format csv"] {
            let ran =
                folder.run(&format!("{command} mod/art/fox.dae -o {into} --force").split(' ').collect::<Vec<_>>());
            assert!(ran.status != 0 && folder.read(into) == mesh, "{command}: {}", ran.complaints);
        }
        let none = place.replace("fox", "cow");
        assert!(folder.says(3, &format!("info {none}")).complaints.contains("cow.dae"));
    }
}
