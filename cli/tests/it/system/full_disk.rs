//! A disk that is full: a message, a status that is not 0, and nothing half-written under a final name.

use std::fs;
use std::process::Stdio;

use super::{leftovers, shell};
use crate::run::{Folder, corpus};

const FULL: &str = "No space left on device (os error 28)";

/// Files may not grow beyond so many blocks of 512 bytes; what is written beyond that fails.
fn limited(folder: &Folder, blocks: u32, arguments: &str) -> crate::run::Ran {
    shell(folder, &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" {arguments}"))
}

#[test]
fn every_command_that_prints_reports_a_full_disk() {
    let folder = Folder::new();
    for (name, file) in [
        ("a.psk", "actorx/mesh/face_wedge.psk"),
        ("a.psa", "actorx/anim/sequences.psa"),
        ("m.pmd", "pyrogenesis/pmd/skinned.pmd"),
        ("m.psa", "pyrogenesis/psa/walk.psa"),
        ("r.gsa", "swat3/gsa/reload.gsa"),
    ] {
        folder.put(name, corpus(file));
    }
    let forms = |line: &str, forms: &[&str]| -> Vec<String> {
        forms.iter().map(|form| format!("{line} --format {form}")).collect()
    };
    let every = ["table", "json", "jsonl", "csv"];
    let mut lines = Vec::new();
    for line in [
        "ls a.psk",
        "check a.psk",
        "info a.psk",
        "info a.psa",
        "info m.pmd",
        "info r.gsa",
        "dump a.psk --what points",
        "dump r.gsa --what events",
        "match a.psk a.psa",
        "gsa events r.gsa",
    ] {
        lines.extend(forms(line, &every));
    }
    lines.extend(forms("pose m.psa --at 0 --loop", &["json", "csv", "f32"]));
    lines.extend(forms("skin m.pmd --anim m.psa --at 0", &["json", "csv", "f32"]));
    lines.extend(forms("dump a.psk --what points", &["npy", "f32"]));
    lines.extend(forms("catalog a.psk -o -", &["csv", "jsonl"]));
    #[cfg(feature = "tables")]
    lines.extend(
        ["dump a.psk --what points --format parquet", "catalog a.psk -o - --format parquet"].map(str::to_owned),
    );
    lines.extend(["info --layout r.gsa", "--help", "--version", "ls --help"].map(str::to_owned));
    for line in lines {
        // It prints something where there is room.
        let free = shell(&folder, &format!("exec \"$0\" {line}"));
        assert!(!free.out.is_empty(), "{line}");
        let ran = shell(&folder, &format!("exec \"$0\" {line} > /dev/full"));
        assert_eq!(ran.status, 5, "{line}: {}", ran.complaints);
        let said = ran.complaints.lines().filter(|line| *line == format!("skelmap: cannot write the output: {FULL}"));
        assert_eq!(said.count(), 1, "{line}: {}", ran.complaints);
    }
}

#[test]
fn a_full_disk_for_standard_error_does_not_change_the_status() {
    let folder = Folder::new();
    folder.put("a.psk", corpus("actorx/mesh/classic.psk"));
    for (status, line) in [(0, "ls a.psk"), (1, "ls a.psk none"), (3, "ls none"), (2, "ls"), (0, "pack a.psk -o a.zip")]
    {
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &format!("exec \"$0\" {line} 2> /dev/full"), env!("CARGO_BIN_EXE_skelmap")]);
        let ended = command.current_dir(folder.at("")).stdout(Stdio::null()).status().expect("run");
        assert_eq!(ended.code(), Some(status), "{line}");
    }
}

/// Enough rows that they do not fit.
fn many() -> Folder {
    let folder = Folder::new();
    for index in 0..200 {
        folder.put(format!("art/{index:03}.psk"), corpus("actorx/mesh/classic.psk"));
    }
    folder.put("art/last.bin", vec![7; 100_000]);
    folder
}

#[test]
fn a_catalogue_on_a_full_disk_gets_no_final_name() {
    let folder = many();
    for (kind, options) in [("jsonl", ""), ("csv", ""), ("csv", " --shard 1/2"), ("jsonl", " --per sequence")] {
        let line = format!("catalog art -o all.{kind}{options}");
        let ran = limited(&folder, 8, &line);
        assert_eq!(ran.status, 5, "{line}: {}", ran.complaints);
        let told = format!("skelmap: all.{kind}: File too large (os error 27) (--resume continues all.{kind}.part)\n");
        assert_eq!(ran.complaints, told, "{line}");
        assert!(!folder.at(format!("all.{kind}")).exists(), "{line}");
        // With room, it goes on from what there is to what it would have been.
        let ran = folder.says(0, &format!("{line} --resume"));
        assert!(ran.complaints.contains("done before"), "{}", ran.complaints);
        folder.says(0, &format!("catalog art -o whole.{kind}{options}"));
        assert!(folder.read(format!("all.{kind}")) == folder.read(format!("whole.{kind}")), "{line}");
        folder.remove(format!("all.{kind}"));
        folder.remove(format!("whole.{kind}"));
    }
    // The old one stays as it is, and nothing is left where there is nothing to go on from.
    folder.put("all.jsonl", b"old");
    let ran = limited(&folder, 0, "catalog art -o all.jsonl --force");
    assert_eq!((ran.status, folder.read("all.jsonl")), (5, b"old".to_vec()));
    assert_eq!(ran.complaints, "skelmap: all.jsonl: File too large (os error 27)\n");
    assert!(leftovers(&folder).is_empty(), "{:?}", leftovers(&folder));
}

#[cfg(feature = "tables")]
mod tables {
    use super::*;

    #[test]
    fn a_parquet_catalogue_on_a_full_disk_leaves_no_file() {
        let folder = many();
        folder.put("old.parquet", b"old");
        for output in ["all.parquet", "old.parquet --force"] {
            for blocks in [0, 1, 4] {
                let ran = limited(&folder, blocks, &format!("catalog art -o {output}"));
                assert_eq!(ran.status, 5, "{output}: {}", ran.complaints);
                assert_eq!(ran.complaints.lines().count(), 1, "{}", ran.complaints);
                assert!(ran.complaints.contains("File too large"), "{}", ran.complaints);
                assert!(leftovers(&folder).is_empty(), "{:?}", leftovers(&folder));
            }
        }
        assert!(!folder.at("all.parquet").exists());
        assert_eq!(folder.read("old.parquet"), b"old");
        folder.says(0, "catalog art -o all.parquet");
    }
}

#[test]
fn pack_on_a_full_disk_leaves_no_file_and_prints_one_message() {
    let folder = many();
    folder.put("old.zip", b"old");
    // In the first entry, in a later one, in the directory at the end.
    folder.says(0, "pack art -o whole.zip");
    let length = folder.read("whole.zip").len() as u32;
    for blocks in [0, 1, 100, length / 512 - 10, length / 512 - 1] {
        for output in ["new.zip", "old.zip --force"] {
            let ran = limited(&folder, blocks, &format!("pack art -o {output}"));
            assert_eq!(ran.status, 5, "{blocks}, {output}: {}", ran.complaints);
            let name = output.split(' ').next().expect("a name");
            assert_eq!(ran.complaints, format!("skelmap: {name}: File too large (os error 27)\n"), "{blocks}");
            assert!(leftovers(&folder).is_empty(), "{:?}", leftovers(&folder));
        }
    }
    assert!(!folder.at("new.zip").exists());
    assert_eq!(folder.read("old.zip"), b"old");
}

#[test]
fn extract_on_a_full_disk_names_the_entry_and_leaves_no_part_of_it() {
    let folder = many();
    folder.says(0, "pack art -o all.zip");
    let ran = limited(&folder, 100, "extract all.zip -o out");
    assert_eq!(ran.status, 5, "{}", ran.complaints);
    let told = "skelmap: all.zip: entry \"last.bin\": File too large (os error 27)\nskelmap: 200 files extracted, ";
    assert!(ran.complaints.starts_with(told) && ran.complaints.ends_with(", 1 failed\n"), "{}", ran.complaints);
    assert!(!folder.at("out/last.bin").exists() && leftovers(&folder).is_empty(), "{:?}", leftovers(&folder));
    let ran = folder.says(0, "extract all.zip -o out --resume");
    assert!(
        ran.complaints.ends_with("1 file extracted, 97.66 KiB, 200 there already, 0 failed\n"),
        "{}",
        ran.complaints
    );
    assert_eq!(folder.read("out/last.bin"), folder.read("art/last.bin"));
}

#[test]
fn an_edit_on_a_full_disk_keeps_the_old_file() {
    let folder = Folder::new();
    folder.put("a.gsa", corpus("swat3/gsa/reload.gsa"));
    for output in ["new.gsa", "a.gsa --force"] {
        let ran = limited(&folder, 0, &format!("gsa edit a.gsa -o {output} --clear"));
        let name = output.split(' ').next().expect("a name");
        assert_eq!((ran.status, ran.complaints), (5, format!("skelmap: {name}: File too large (os error 27)\n")));
        assert_eq!(folder.files(), ["a.gsa"]);
    }
    assert_eq!(folder.read("a.gsa"), corpus("swat3/gsa/reload.gsa"));
}

#[test]
fn a_dump_on_a_full_disk_leaves_no_file() {
    let folder = many();
    let formats =
        if cfg!(feature = "tables") { &["csv", "json", "npy", "f32", "parquet"][..] } else { &["csv", "npy"] };
    for format in formats {
        let old = format!("old.{format}");
        folder.put(&old, b"old");
        for output in [format!("new.{format}"), format!("{old} --force")] {
            let ran = limited(&folder, 4, &format!("dump art --what wedges -o {output}"));
            assert_eq!(ran.status, 5, "{output}: {}", ran.complaints);
            assert_eq!(ran.complaints.lines().count(), 1, "{}", ran.complaints);
            assert!(ran.complaints.contains("File too large"), "{}", ran.complaints);
            assert!(leftovers(&folder).is_empty(), "{:?}", leftovers(&folder));
        }
        assert!(!folder.at(format!("new.{format}")).exists());
        assert_eq!(folder.read(old), b"old");
    }
}

#[test]
fn a_full_device_is_named() {
    let folder = many();
    for line in ["dump art --what wedges --format csv", "dump art/000.psk --what points", "catalog art --format jsonl"]
    {
        let ran = folder.says(5, &format!("{line} -o /dev/full"));
        assert_eq!(ran.complaints, format!("skelmap: /dev/full: {FULL}\n"), "{line}");
    }
}

#[test]
fn outputs_that_cannot_be_written_are_counted_and_three_are_named() {
    let folder = many();
    let ran = limited(&folder, 0, "convert art -o out --format csv");
    assert_eq!(ran.status, 5, "{}", ran.complaints);
    // Three outputs, the number of files, and the number of outputs that cannot be written.
    assert_eq!(ran.complaints.lines().count(), 5, "{}", ran.complaints);
    assert!(ran.complaints.ends_with("skelmap: 200 outputs cannot be written\n"), "{}", ran.complaints);
}

/// A disk of 64 KiB, where the system gives users disks of their own.
#[test]
fn a_conversion_ends_where_the_disk_is_full() {
    let folder = many();
    fs::create_dir(folder.at("out")).expect("made");
    let disk = "mount -t tmpfs -o size=64k none out";
    if shell(&folder, &format!("unshare -Urm sh -c '{disk}'")).status != 0 {
        println!("skipped: no disk of its own");
        return;
    }
    let convert = format!("unshare -Urm sh -c '{disk}; exec \"$0\" convert art -o out --jobs 1 --format jsonl' \"$0\"");
    let ran = shell(&folder, &convert);
    assert_eq!(ran.status, 5, "{}", ran.complaints);
    let rows = ran.lines();
    let failed = rows.iter().filter(|row| row["status"] == "failed");
    assert!(rows.len() > 3 && rows.len() < 200 && failed.count() == 1, "{} rows", rows.len());
    assert!(ran.complaints.lines().count() == 3 && ran.complaints.contains(FULL), "{}", ran.complaints);
    // What other threads have made by then is told too.
    let convert = "\"$0\" convert art -o out --jobs 3 --format jsonl; status=$?; find out -name \"*.glb\" | wc -l >count; exit $status";
    let ran = shell(&folder, &format!("unshare -Urm sh -c '{disk}; {convert}' \"$0\""));
    assert_eq!(ran.status, 5, "{}", ran.complaints);
    let count = fs::read_to_string(folder.at("count")).expect("a count");
    let written = ran.lines().iter().filter(|row| row["status"] == "written").count();
    assert_eq!(count.trim(), written.to_string());
}
