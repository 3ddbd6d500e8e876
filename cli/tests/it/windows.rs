//! What Windows has of its own: forms of paths, names of devices, mapped files that nothing replaces.

use crate::run::{Folder, corpus, stored};

/// More than is read into memory: such a file is mapped.
fn large() -> Vec<u8> {
    let mut bytes = corpus("../../corpus/fox.psa");
    // A chunk that no reader knows.
    let mut chunk = [0; 32];
    chunk[..4].copy_from_slice(b"MINE");
    chunk[24..28].copy_from_slice(&1_u32.to_le_bytes());
    chunk[28..].copy_from_slice(&(3_u32 << 20).to_le_bytes());
    bytes.extend(chunk);
    bytes.extend(vec![0; 3 << 20]);
    bytes
}

#[test]
fn a_path_of_any_form_leads_to_the_file() {
    let folder = Folder::new();
    folder.put("art/fox.psk", corpus("actorx/mesh/classic.psk"));
    let native = folder.at("art").to_str().expect("UTF-8").replace('/', "\\");
    let path = folder.at("art").canonicalize().expect("a path");
    let verbatim = path.to_str().expect("UTF-8");
    assert!(verbatim.starts_with(r"\\?\"), "{verbatim}");
    for (given, shown) in [
        (native.as_str(), format!("{}/fox.psk", native.replace('\\', "/"))),
        (&native.replace('\\', "/"), format!("{}/fox.psk", native.replace('\\', "/"))),
        (verbatim, format!(r"{verbatim}\fox.psk")),
        ("art", "art/fox.psk".to_owned()),
        (r".\art", "./art/fox.psk".to_owned()),
    ] {
        let rows = folder.ends(0, &["ls", given, "--format", "jsonl"]).lines();
        assert_eq!((rows.len(), rows[0]["path"].as_str()), (1, Some(shown.as_str())), "{given}");
        folder.ends(0, &["info", &shown]);
        let out = format!(r"{given}\out");
        folder.ends(0, &["convert", given, "-o", &out, "--force"]);
        assert!(folder.at(&out).join("fox.glb").is_file(), "{out}");
        std::fs::remove_dir_all(folder.at(&out)).expect("removed");
    }
}

#[test]
fn a_folder_that_is_named_in_place_of_a_file_is_said_to_be_one() {
    let folder = Folder::new();
    folder.put("art/fox.psk", b"");
    let ran = folder.ends(3, &["pose", "art", "--frame", "0"]);
    assert!(ran.complaints.contains("art: is a directory"), "{}", ran.complaints);
}

#[test]
fn devices_and_streams_of_files_are_no_outputs() {
    let folder = Folder::new();
    folder.put("fox.psk", corpus("actorx/mesh/classic.psk"));
    for output in ["NUL", "con.glb", "out/aux.glb", "fox.psk:a.glb", "out./fox.glb", "COM1"] {
        let ran = folder.ends(2, &["convert", "fox.psk", "-o", output, "--force"]);
        assert!(ran.complaints.contains("Windows gives a name in this path another meaning"), "{}", ran.complaints);
    }
    assert_eq!(folder.files(), ["fox.psk"]);
}

#[test]
fn a_file_that_would_be_mapped_is_replaced_by_its_edit() {
    let folder = Folder::new();
    folder.put("fox.psa", large());
    let before = folder.read("fox.psa").len();
    folder.says(0, "edit fox.psa -o fox.psa --force --keep walk");
    assert!(folder.read("fox.psa").len() != before);
    assert_eq!(folder.files(), ["fox.psa"]);
}

#[test]
fn outputs_that_are_there_are_replaced_again_and_again() {
    let folder = Folder::new();
    folder.put("in/fox.psa", large());
    folder.put("in/fox.psk", corpus("../../corpus/fox.psk"));
    for _ in 0..2 {
        folder.says(0, "convert in -o out --force");
    }
    assert_eq!(folder.files(), ["in/fox.psa", "in/fox.psk", "out/.skelmap-convert.jsonl", "out/fox.glb"]);
}

/// A terminal of Windows shows colours by the same codes as others; what is no terminal gets none.
#[test]
fn text_that_is_redirected_has_no_colours() {
    let folder = Folder::new();
    folder.put("bad.psk", b"x");
    folder.put("fox.psk", corpus("actorx/mesh/face_material.psk"));
    for line in [&["ls", "."][..], &["check", "."], &["help"], &["nothing"]] {
        let ran = folder.run(line);
        assert!(!ran.text().contains('\x1b') && !ran.complaints.contains('\x1b'), "{line:?}: {}", ran.complaints);
    }
}

#[test]
fn an_entry_is_named_with_either_separator() {
    let folder = Folder::new();
    folder.put("mod.pyromod", corpus("../../corpus/fox.pyromod"));
    for entry in
        ["!/art/meshes/skeletal/fox.pmd", "!\\art\\meshes\\skeletal\\fox.pmd", "!\\art/meshes\\skeletal/fox.pmd"]
    {
        let ran = folder.ends(0, &["ls", &format!("mod.pyromod{entry}"), "--format", "jsonl"]);
        assert_eq!(ran.lines()[0]["entry"], "art/meshes/skeletal/fox.pmd", "{entry}");
    }
}

/// Wine, and some volumes of Windows, do not tell the real path of these files.
#[test]
fn inputs_with_long_paths_are_not_replaced() {
    let folder = Folder::new();
    let long = ["deep"; 60].join("/");
    let (fox, outer) = (format!("{long}/fox.psk"), format!("{long}/outer.zip"));
    folder.put(&fox, corpus("../../corpus/fox.psk"));
    folder.put(&outer, corpus("../../corpus/fox.pyromod"));
    let upper = fox.replace("fox", "FOX");
    for (status, line) in [
        (5, &["convert", fox.as_str(), "-o", fox.as_str(), "--for", "ut2004", "--force"][..]),
        (5, &["convert", &fox, "-o", &upper, "--for", "ut2004", "--force"]),
        (2, &["pack", &long, "-o", &fox, "--force"]),
        (2, &["pack", &long, "-o", &upper, "--force"]),
    ] {
        folder.ends(status, line);
        assert!(folder.read(&fox) == corpus("../../corpus/fox.psk"), "{line:?}");
    }
    let ran = folder.ends(0, &["pack", &long, "-o", "new.zip"]);
    assert!(!ran.complaints.contains("a link to a file outside"), "{}", ran.complaints);
}

/// One of two entries whose names differ in case alone would replace the other.
#[test]
fn entries_whose_names_are_one_file_are_told_of() {
    let folder = Folder::new();
    let fox = corpus("actorx/mesh/classic.psk");
    folder.put("mod.zip", stored(&[("A/Fox.psk", &fox), ("a/fox.psk", &corpus("actorx/mesh/face_material.psk"))]));
    let ran = folder.ends(1, &["extract", "mod.zip", "-o", "out", "--force"]);
    assert!(ran.complaints.contains("the name of another entry"), "{}", ran.complaints);
    assert_eq!(folder.files().len(), 2);
    assert!(folder.read("out/A/Fox.psk") == fox);
}

#[test]
fn addresses_of_files_and_patterns_are_those_of_the_system() {
    let folder = Folder::new();
    for name in ["a.psk", "sub/b.psk", "sub/c.psk"] {
        folder.put(name, corpus("actorx/mesh/classic.psk"));
    }
    let whole = folder.at("a.psk");
    let address = format!("file:///{}", whole.to_str().expect("UTF-8").replace('\\', "/"));
    assert_eq!(folder.ends(0, &["ls", &address, "--format", "jsonl"]).lines().len(), 1);
    let left = folder.ends(0, &["ls", ".", "--format", "jsonl", "--exclude", r"sub\b.psk"]);
    assert_eq!(left.lines().len(), 2);
}
