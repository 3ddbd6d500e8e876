//! `skelmap pack`: the same files always give the same archive, whose data lies where it maps well.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::run::{Folder, corpus, files_below};

/// What lies in an archive.
#[derive(Debug, PartialEq)]
struct Packed {
    name: String,
    method: u16,
    at: usize,
    data: Vec<u8>,
}

fn number(bytes: &[u8], at: usize, size: usize) -> usize {
    bytes[at..at + size].iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

/// Reads a directory and the local headers by APPNOTE 4.3.7, 4.3.12 and 4.3.16.
fn packed(zip: &[u8]) -> Vec<Packed> {
    let end = zip.len() - 22;
    assert_eq!(&zip[end..end + 4], b"PK\x05\x06");
    let (count, mut at) = (number(zip, end + 10, 2), number(zip, end + 16, 4));
    let mut all = Vec::new();
    for _ in 0..count {
        assert_eq!(&zip[at..at + 4], b"PK\x01\x02");
        let lengths = [28, 30, 32].map(|field| number(zip, at + field, 2));
        let name = &zip[at + 46..at + 46 + lengths[0]];
        let (size, local) = (number(zip, at + 24, 4), number(zip, at + 42, 4));
        assert_eq!(&zip[local..local + 4], b"PK\x03\x04");
        assert_eq!(
            [8, 14, 18, 22].map(|field| number(zip, local + field, 2)),
            [10, 16, 20, 24].map(|field| number(zip, at + field, 2))
        );
        assert_eq!(&zip[local + 30..local + 30 + number(zip, local + 26, 2)], name);
        let data = local + 30 + number(zip, local + 26, 2) + number(zip, local + 28, 2);
        assert_eq!(number(zip, at + 16, 4) as u32, test_support::build_zip::crc32(&zip[data..data + size]));
        extras_are_whole(&zip[local + 30 + name.len()..data]);
        all.push(Packed {
            name: String::from_utf8(name.to_vec()).expect("UTF-8"),
            method: number(zip, at + 10, 2) as u16,
            at: data,
            data: zip[data..data + size].to_vec(),
        });
        at += 46 + lengths.iter().sum::<usize>();
    }
    assert_eq!(at, end, "the directory ends where its end begins");
    all
}

/// Padding is an extra field like any other (4.5.1).
fn extras_are_whole(mut extra: &[u8]) {
    while let [_, _, low, high, rest @ ..] = extra {
        extra = &rest[usize::from(u16::from_le_bytes([*low, *high]))..];
    }
    assert!(extra.is_empty(), "{} bytes that are no field", extra.len());
}

/// Names of every length, files of every size about the alignment.
fn sources() -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for length in 1..70_usize {
        files.insert(format!("art/{}", "n".repeat(length)), vec![length as u8; length * 3 % 71]);
    }
    files.insert("walk.psa".to_owned(), corpus("actorx/anim/sequences.psa"));
    files.insert("art/mesh.psk".to_owned(), corpus("actorx/mesh/classic.psk"));
    files.insert("art.x/mesh.pmd".to_owned(), corpus("pyrogenesis/pmd/one_bone.pmd"));
    files.insert("\u{30B7}/d e.gsa".to_owned(), corpus("swat3/gsa/plain.gsa"));
    files.insert("void".to_owned(), Vec::new());
    files
}

fn put_all<'a>(folder: &Folder, prefix: &str, files: impl Iterator<Item = (&'a String, &'a Vec<u8>)>) {
    for (name, data) in files {
        folder.put(format!("{prefix}/{name}"), data);
    }
}

#[test]
fn entries_are_stored_aligned_and_in_the_order_of_their_names() {
    let (folder, files) = (Folder::new(), sources());
    put_all(&folder, "mod", files.iter());
    for (align, option) in
        [(64, ""), (1, " --align 1"), (2, " --align 2"), (4096, " --align 4096"), (32768, " --align 32768")]
    {
        let ran = folder.says(0, &format!("pack mod -o {align}.zip{option}"));
        assert!(ran.out.is_empty() && ran.complaints.starts_with("skelmap: 74 files packed, "), "{}", ran.complaints);
        let found = packed(&folder.read(format!("{align}.zip")));
        assert!(found.iter().map(|entry| &entry.name).eq(files.keys()), "all, in order");
        for entry in &found {
            assert_eq!((entry.method, entry.at % align), (0, 0), "{} at {}", entry.name, entry.at);
            assert!(entry.data == files[&entry.name], "{}", entry.name);
        }
    }
    for align in ["0", "3", "65536", "-64", "a", ""] {
        folder.ends(2, &["pack", "mod", "-o", "bad.zip", &format!("--align={align}")]);
    }
    assert!(!folder.files().contains(&"bad.zip".to_owned()));
}

#[test]
fn the_same_files_give_the_same_archive() {
    let (folder, files) = (Folder::new(), sources());
    put_all(&folder, "one/mod", files.iter());
    put_all(&folder, "two/other", files.iter().rev());
    let mut below = Vec::new();
    files_below(&folder.at("two/other"), "", &mut below);
    for (file, seconds) in below.iter().zip(1..) {
        let file = File::options().write(true).open(folder.at("two/other").join(file)).expect("open");
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds * 100_000_000 % 4_000_000_000))
            .expect("set");
        #[cfg(unix)]
        file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600 | (seconds % 64) as u32)).expect("set");
    }
    folder.says(0, "pack one/mod -o 1.zip");
    folder.says(0, "pack two/other -o 2.zip");
    folder.says(0, "pack one/mod -o 3.zip");
    assert!(folder.read("1.zip") == folder.read("2.zip") && folder.read("1.zip") == folder.read("3.zip"));
}

#[test]
fn files_and_the_contents_of_folders_go_to_the_root() {
    let folder = Folder::new();
    folder.put("x/deep/a.psk", b"a");
    folder.put("y/in/b.psk", b"b");
    folder.put("c.psk", b"c");
    let names = |paths: &str| -> Vec<String> {
        folder.says(0, &format!("pack {paths} -o out/all.zip --force"));
        packed(&folder.read("out/all.zip")).into_iter().map(|entry| entry.name).collect()
    };
    fs::create_dir(folder.at("out")).expect("made");
    assert_eq!(names("y x c.psk"), ["c.psk", "deep/a.psk", "in/b.psk"]);
    assert_eq!(names("x/deep/a.psk ./c.psk"), ["a.psk", "c.psk"]);
    assert_eq!(names("./x/ y/."), ["deep/a.psk", "in/b.psk"]);
    let mut inside = folder.command(&["pack", ".", "-o", "../out/inside.zip"]);
    assert!(inside.current_dir(folder.at("x")).output().expect("run").status.success());
    assert_eq!(packed(&folder.read("out/inside.zip"))[0].name, "deep/a.psk");
}

#[test]
fn two_files_with_one_name_are_refused() {
    let folder = Folder::new();
    folder.put("x/in/a.psk", b"1");
    folder.put("y/in/a.psk", b"2");
    for paths in ["x y", "x/in/a.psk y/in/a.psk", "x x"] {
        let ran = folder.says(2, &format!("pack {paths} -o all.zip"));
        assert!(ran.complaints.contains("a.psk would both be "), "{}", ran.complaints);
    }
    assert_eq!(folder.files(), ["x/in/a.psk", "y/in/a.psk"]);
}

#[test]
fn an_archive_is_not_packed_into_itself() {
    let folder = Folder::new();
    folder.put("mod/a.psk", corpus("actorx/mesh/classic.psk"));
    folder.says(0, "pack mod -o mod/all.zip");
    let once = folder.read("mod/all.zip");
    folder.says(0, "pack mod -o mod/all.zip --force");
    assert!(folder.read("mod/all.zip") == once);
    assert_eq!(packed(&once).len(), 1);
    assert_eq!(folder.files(), ["mod/a.psk", "mod/all.zip"]);
}

#[test]
fn a_file_that_is_packed_is_not_replaced_by_the_archive() {
    let folder = Folder::new();
    folder.put("mod/a.psk", corpus("actorx/mesh/classic.psk"));
    folder.put("mod/b.txt", b"precious");
    for output in ["mod/a.psk", "mod/b.txt"] {
        let ran = folder.says(2, &format!("pack mod -o {output} --force"));
        assert_eq!(ran.complaints, format!("skelmap: {output}: is the output too\n"));
    }
    assert_eq!(folder.read("mod/b.txt"), b"precious");
    assert_eq!(folder.read("mod/a.psk"), corpus("actorx/mesh/classic.psk"));
}

#[test]
fn a_file_that_exists_is_replaced_by_force_only() {
    let folder = Folder::new();
    folder.put("mod/a.psk", b"a");
    folder.put("all.zip", b"precious");
    let ran = folder.says(5, "pack mod -o all.zip");
    assert!(ran.complaints.contains("all.zip: exists already"), "{}", ran.complaints);
    assert_eq!(folder.read("all.zip"), b"precious");
    folder.says(0, "pack mod -o all.zip --force");
    assert_eq!(packed(&folder.read("all.zip")).len(), 1);
    let ran = folder.says(5, "pack mod -o all.zip/new.zip");
    assert!(ran.complaints.starts_with("skelmap: all.zip/new.zip: "), "{}", ran.complaints);
}

#[test]
fn pack_without_files_is_wrong_usage() {
    let folder = Folder::new();
    fs::create_dir_all(folder.at("empty/er")).expect("made");
    folder.put("a", b"");
    for line in ["pack empty -o all.zip", "pack -o all.zip", "pack a"] {
        folder.says(2, line);
    }
    assert_eq!(folder.files(), ["a"]);
}

/// As for the other commands that read files: 3 if no file can be read, 1 if some can.
#[test]
fn a_path_that_is_not_there_is_a_file_that_cannot_be_read() {
    let folder = Folder::new();
    folder.put("a", b"");
    for (status, paths) in [(3, "none"), (3, "none nothing"), (5, "a none")] {
        let ran = folder.says(status, &format!("pack {paths} -o all.zip"));
        let reason = if cfg!(unix) { "No such file" } else { "" };
        assert!(ran.complaints.starts_with(&format!("skelmap: none: {reason}")), "{}", ran.complaints);
    }
    assert_eq!(folder.files(), ["a"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_unicode_is_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    let folder = Folder::new();
    folder.put(Path::new(OsStr::from_bytes(b"mod/a\xFF.psk")), b"a");
    folder.put("mod/b.psk", b"b");
    let ran = folder.says(2, "pack mod -o all.zip");
    assert!(ran.complaints.contains("not UTF-8"), "{}", ran.complaints);
    assert!(!folder.at("all.zip").exists());
}

#[test]
fn packed_files_have_the_rows_of_loose_files() {
    let (folder, files) = (Folder::new(), sources());
    put_all(&folder, "mod", files.iter());
    folder.says(0, "pack mod -o mod.zip");
    let rows = |path: &str| -> BTreeMap<String, Value> {
        let rows = folder.says(0, &format!("ls {path} --format jsonl")).lines();
        let named = rows.into_iter().map(|mut row| {
            let row_of = row.as_object_mut().expect("an object");
            let (path, entry) = (row_of["path"].take(), row_of["entry"].take());
            row_of.remove("address");
            let name = entry.as_str().or(path.as_str().and_then(|path| path.strip_prefix("mod/")));
            (name.expect("a name").to_owned(), row)
        });
        named.collect()
    };
    assert_eq!(rows("mod.zip").len(), 4);
    assert_eq!(rows("mod.zip"), rows("mod"));
    folder.says(0, "extract mod.zip -o out");
    for (name, data) in &files {
        assert!(folder.read(format!("out/{name}")) == *data, "{name}");
    }
}

#[test]
fn other_programs_read_packed_archives() {
    const READ: &str = "import sys, zipfile\n\
        with zipfile.ZipFile(sys.argv[1]) as z:\n assert z.testzip() is None\n for i in z.infolist():\n  \
        assert i.compress_type == 0 and i.date_time == (1980, 1, 1, 0, 0, 0)\n  \
        assert z.read(i) == open(sys.argv[2] + '/' + i.filename, 'rb').read()\n print(len(z.namelist()))";
    let (folder, files) = (Folder::new(), sources());
    put_all(&folder, "mod", files.iter());
    for align in ["64", "4096"] {
        folder.says(0, &format!("pack mod -o {align}.zip --align {align}"));
        let zip = folder.at(format!("{align}.zip"));
        match Command::new("python3").arg("-c").arg(READ).arg(&zip).arg(folder.at("mod")).output() {
            Ok(output) => {
                let complaints = String::from_utf8_lossy(&output.stderr);
                assert!(output.status.success(), "{complaints}");
                assert_eq!(output.stdout.trim_ascii(), b"74", "{complaints}");
            }
            Err(error) => println!("python3 was not asked: {error}"),
        }
        match Command::new("unzip").arg("-tqq").arg(&zip).output() {
            Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout)),
            Err(error) => println!("unzip was not asked: {error}"),
        }
    }
}
