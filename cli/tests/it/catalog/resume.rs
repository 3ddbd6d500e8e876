//! A catalogue that was cut anywhere goes on to the very file that it would have been.

use std::collections::BTreeSet;

use super::mixed;
use crate::run::Folder;

/// Places to cut: the start and the end of every line, in its first bytes and in its middle.
fn cuts(text: &[u8]) -> BTreeSet<usize> {
    let mut cuts = BTreeSet::from([0, 1, 100, 240, 300, text.len() - 1, text.len()]);
    let mut start = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let end = start + line.len();
        cuts.extend([start, start + 12, start + line.len() / 2, end - 30, end - 1]);
        start = end;
    }
    cuts.retain(|cut| *cut <= text.len());
    cuts
}

/// Cuts the catalogue of these arguments everywhere and resumes it.
fn resumes(folder: &Folder, arguments: &str, kind: &str) {
    folder.run(&format!("catalog {arguments} -o whole.{kind}").split(' ').collect::<Vec<_>>());
    let whole = folder.read(format!("whole.{kind}"));
    let output = format!("cut.{kind}");
    for cut in cuts(&whole) {
        folder.put(format!("{output}.part"), &whole[..cut]);
        let ran = folder.run(&format!("catalog {arguments} -o {output} --resume").split(' ').collect::<Vec<_>>());
        assert!([0, 1].contains(&ran.status), "{arguments}, {cut}: {}", ran.complaints);
        let found = folder.read(&output);
        assert!(found == whole, "{arguments}, cut at {cut}:\n{}", String::from_utf8_lossy(&found));
        folder.remove(&output);
        assert!(!folder.files().contains(&format!("{output}.part")));
    }
    folder.remove(format!("whole.{kind}"));
}

#[test]
fn json_lines_cut_at_any_byte_are_resumed() {
    resumes(&mixed(), "art", "jsonl");
}

#[test]
fn csv_cut_at_any_byte_is_resumed() {
    resumes(&mixed(), "art", "csv");
}

#[test]
fn rows_of_sequences_cut_at_any_byte_are_resumed() {
    let folder = mixed();
    resumes(&folder, "art --per sequence", "jsonl");
    resumes(&folder, "art --per sequence", "csv");
}

#[test]
fn a_shard_is_resumed() {
    resumes(&mixed(), "art --shard 2/2 --content-hash", "jsonl");
}

#[test]
fn an_asset_that_is_named_twice_is_resumed_as_two() {
    let folder = mixed();
    resumes(&folder, "art/a.psk art/a.psk art/b.psa", "jsonl");
    resumes(&folder, "art/a.psk art/b.psa art/b.psa art/f.pmd --per sequence", "csv");
    resumes(&folder, "art/a.psk art/f.pmd art/a.psk art/f.pmd", "jsonl");
}

#[cfg(unix)]
#[test]
fn names_with_special_characters_are_resumed() {
    let folder = Folder::new();
    let mesh = crate::run::mesh(&[("Root", 0)]);
    for name in ["a,b.psk", "c\"d.psk", "e\nf.psk", "g.psk", "\u{30B7}.psk"] {
        folder.put(format!("art/{name}"), &mesh);
    }
    resumes(&folder, "art", "csv");
    resumes(&folder, "art", "jsonl");
}

#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_unicode_are_resumed() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    let folder = Folder::new();
    let mesh = crate::run::mesh(&[("Root", 0)]);
    for name in [&b"art/a\xFF.psk"[..], b"art/b\xFE.psk", b"art/c.psk"] {
        folder.put(Path::new(OsStr::from_bytes(name)), &mesh);
    }
    resumes(&folder, "art", "jsonl");
}

#[test]
fn resume_without_a_partial_file_writes_all_rows() {
    let folder = mixed();
    folder.says(1, "catalog art -o whole.csv");
    folder.says(1, "catalog art -o resumed.csv --resume");
    assert_eq!(folder.read("resumed.csv"), folder.read("whole.csv"));
}

#[test]
fn a_partial_file_is_discarded_only_on_request() {
    let folder = mixed();
    folder.says(1, "catalog art -o whole.csv");
    folder.put("again.csv.part", "x".repeat(100_000));
    let refused = folder.run(&["catalog", "art", "-o", "again.csv"]);
    assert_eq!(refused.status, 5);
    assert!(refused.complaints.contains("is there from an earlier run"), "{}", refused.complaints);
    assert_eq!(folder.read("again.csv.part").len(), 100_000);
    folder.says(1, "catalog art -o again.csv --force");
    assert_eq!(folder.read("again.csv"), folder.read("whole.csv"));
}

#[test]
fn rows_of_the_earlier_run_are_counted_and_not_made_again() {
    let folder = mixed();
    folder.says(1, "catalog art -o whole.jsonl");
    let text = folder.text("whole.jsonl");
    // A row that no run would make.
    let text = text.replacen("\"quirks\":[]", "\"quirks\":[\"kept\"]", 1);
    folder.put("cut.jsonl.part", first_lines(&text, 5));
    let ran = folder.run(&["catalog", "art", "-o", "cut.jsonl", "--resume"]);
    assert!(ran.complaints.ends_with("after 4 done before\n"), "{}", ran.complaints);
    assert_eq!(folder.text("cut.jsonl"), text);
    // Unless somebody asks for it.
    folder.put("again.jsonl.part", first_lines(&text, 5));
    let ran = folder.run(&["catalog", "art", "-o", "again.jsonl", "--resume", "--rehash"]);
    assert!(!ran.complaints.contains("done before"), "{}", ran.complaints);
    assert_eq!(folder.text("again.jsonl"), folder.text("whole.jsonl"));
    // A file that is complete is made again as well.
    folder.put("again.jsonl", first_lines(&text, 5));
    folder.run(&["catalog", "art", "-o", "again.jsonl", "--resume", "--rehash"]);
    assert_eq!(folder.text("again.jsonl"), folder.text("whole.jsonl"));
}

fn first_lines(text: &str, count: usize) -> &str {
    let length: usize = text.split_inclusive('\n').take(count).map(str::len).sum();
    &text[..length]
}

/// A file that was written to, a file that another one with an old date was moved to, and an archive.
#[test]
fn rows_of_files_that_changed_since_are_made_again() {
    let folder = mixed();
    folder.says(1, "catalog art -o whole.jsonl --content-hash");
    let five = first_lines(&folder.text("whole.jsonl"), 5).to_owned();
    let of = |row: &str| serde_json::from_str::<serde_json::Value>(row).expect("JSON")["path"].clone();
    let paths: Vec<_> = five.lines().map(of).collect();
    assert_eq!(paths[..3], ["art/a.psk", "art/b.psa", "art/c.psa"]);
    let later = || std::thread::sleep(std::time::Duration::from_millis(20));
    let proves = |changed: &str, kept: usize| {
        let ran = folder.run(&["catalog", "art", "-o", "cut.jsonl", "--resume", "--content-hash"]);
        let message =
            format!("skelmap: {changed}: changed since the earlier run; its row and those after it are made again\n");
        assert!(ran.complaints.contains(&message), "{}", ran.complaints);
        let before = if kept > 0 { format!(" after {kept} done before\n") } else { " unreadable\n".to_owned() };
        assert!(ran.complaints.ends_with(&before), "{}", ran.complaints);
        folder.run(&["catalog", "art", "-o", "new.jsonl", "--force", "--content-hash"]);
        assert_eq!(folder.text("cut.jsonl"), folder.text("new.jsonl"), "{changed}");
        folder.remove("cut.jsonl");
    };
    folder.put("cut.jsonl.part", &five);
    later();
    // The same number of bytes.
    let mut bytes = folder.read("art/b.psa");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    folder.put("art/b.psa", bytes);
    proves("art/b.psa", 1);

    let other = folder.put("other.psk", folder.read("art/a.psk"));
    let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    let set = std::fs::File::options().write(true).open(&other).and_then(|file| file.set_modified(old));
    set.expect("an old date");
    folder.put("cut.jsonl.part", first_lines(&folder.text("new.jsonl"), 5));
    later();
    std::fs::rename(&other, folder.at("art/a.psk")).expect("moved");
    if cfg!(unix) {
        proves("art/a.psk", 0);
    }
    let lines = folder.text("new.jsonl");
    let at = lines.lines().position(|row| of(row) == "art/d.zip").expect("an archive");
    folder.put("cut.jsonl.part", first_lines(&lines, at + 3));
    later();
    folder.put("art/d.zip", folder.read("art/d.zip"));
    let entry = serde_json::from_str::<serde_json::Value>(lines.lines().nth(at).expect("a row")).expect("JSON");
    proves(&format!("art/d.zip!/{}", entry["entry"].as_str().expect("an entry")), at);
}

#[test]
fn a_finished_catalogue_says_what_changed_since_and_is_not_one_with_other_options() {
    let folder = mixed();
    for kind in ["jsonl", "csv"] {
        folder.says(1, &format!("catalog art -o all.{kind}"));
        for option in ["--content-hash", "--extent", "--per sequence"] {
            let ran =
                folder.run(&format!("catalog art -o all.{kind} --resume {option}").split(' ').collect::<Vec<_>>());
            assert_eq!(ran.status, if (kind, option) == ("csv", "--extent") { 5 } else { 2 }, "{}", ran.complaints);
            assert!(ran.complaints.contains("--force replaces it"), "{}", ran.complaints);
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
        folder.put("art/a.psk", folder.read("art/a.psk"));
        let ran = folder.says(0, &format!("catalog art -o all.{kind} --resume"));
        assert!(ran.complaints.contains("complete since an earlier run; 1 asset changed since"), "{}", ran.complaints);
    }
}

#[test]
fn rows_of_other_files_are_refused_and_kept() {
    let folder = mixed();
    for kind in ["jsonl", "csv"] {
        folder.run(&["catalog", "art", "-o", &format!("other.{kind}")]);
        let rows = folder.read(format!("other.{kind}"));
        let partial = format!("new.{kind}.part");
        folder.put(&partial, &rows);
        let ran = folder.says(2, &format!("catalog art/d.zip art/f.pmd -o new.{kind} --resume"));
        assert!(ran.complaints.starts_with(&format!("skelmap: {partial}: ")), "{}", ran.complaints);
        assert!(!folder.files().contains(&format!("new.{kind}")));
        assert!(folder.read(&partial) == rows, "{kind}: what was refused is as it was");
    }
}

#[test]
fn resume_leaves_out_no_asset() {
    let folder = mixed();
    folder.says(1, "catalog art -o whole.jsonl");
    // What a run over less, or another shard, left: the first assets are not in it.
    let later = ["art/d.zip", "art/e.zip", "art/f.pmd"];
    folder.ends(0, &[["catalog", "-o", "later.jsonl"].as_slice(), &later].concat());
    let rows = folder.read("later.jsonl");
    folder.put("cut.jsonl.part", &rows);
    let ran = folder.run(&["catalog", "art", "-o", "cut.jsonl", "--resume"]);
    if ran.status == 2 {
        assert!(folder.read("cut.jsonl.part") == rows, "what was refused is as it was");
    } else {
        assert_eq!(folder.text("cut.jsonl"), folder.text("whole.jsonl"));
    }
}

#[test]
fn the_exit_status_counts_bad_files_of_the_earlier_run() {
    let folder = mixed();
    folder.says(1, "catalog art/c.psa art/a.psk art/b.psa -o whole.jsonl");
    folder.put("cut.jsonl.part", folder.read("whole.jsonl"));
    folder.says(1, "catalog art/c.psa art/a.psk art/b.psa -o cut.jsonl --resume");
}

#[test]
fn a_finished_catalogue_has_nothing_to_resume() {
    let folder = mixed();
    for kind in ["jsonl", "csv"] {
        let line = format!("catalog art -o all.{kind} --resume");
        folder.says(1, &line);
        let rows = folder.read(format!("all.{kind}"));
        let ran = folder.says(0, &line);
        assert_eq!(
            ran.complaints,
            format!("skelmap: all.{kind}: complete since an earlier run (--force makes it anew)\n")
        );
        assert!(folder.read(format!("all.{kind}")) == rows && !folder.at(format!("all.{kind}.part")).exists());
    }
}

/// A nightly run over another folder, or over a file that is none, must not pass for done.
#[test]
fn a_finished_catalogue_of_other_files_or_with_a_cut_row_is_refused() {
    let folder = mixed();
    for kind in ["jsonl", "csv"] {
        let output = format!("all.{kind}");
        folder.says(0, &format!("catalog art/f.pmd -o {output}"));
        let ran = folder.says(2, &format!("catalog art/a.psk art/b.psa -o {output} --resume"));
        assert!(ran.complaints.contains("this catalogue was written for different files"), "{}", ran.complaints);
        let whole = folder.read(&output);
        folder.put(&output, [whole.as_slice(), b"{\"schema\":1,"].concat());
        if kind == "jsonl" {
            let ran = folder.says(2, &format!("catalog art/f.pmd -o {output} --resume"));
            assert!(ran.complaints.contains("the last row of this catalogue is incomplete"), "{}", ran.complaints);
        }
        folder.put(&output, whole);
        let ran = folder.says(0, &format!("catalog art/f.pmd art/a.psk -o {output} --resume"));
        assert!(ran.complaints.contains("since an earlier run; 1 asset new since"), "{}", ran.complaints);
    }
    folder.put("empty.jsonl", b"");
    folder.says(2, "catalog art -o empty.jsonl --resume");
    folder.says(3, "catalog nothing -o nothing.jsonl --resume");
    folder.says(3, "catalog nothing -o nothing.jsonl --resume");
}

/// The system drops the lock a moment after the process was killed.
#[test]
fn a_run_waits_for_the_lock_of_a_run_that_ends() {
    let folder = mixed();
    folder.says(1, "catalog art -o whole.jsonl");
    let part = std::fs::File::create(folder.at("all.jsonl.part")).expect("created");
    fs4::FileExt::lock(&part).expect("locked");
    let run = folder.command(&["catalog", "art", "-o", "all.jsonl", "--resume"]).spawn().expect("started");
    std::thread::sleep(std::time::Duration::from_millis(200));
    drop(part);
    let ended = run.wait_with_output().expect("ended");
    assert_eq!(ended.status.code(), Some(1), "{}", String::from_utf8_lossy(&ended.stderr));
    assert_eq!(folder.read("all.jsonl"), folder.read("whole.jsonl"));
}
