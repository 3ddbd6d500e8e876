//! `skelmap catalog`: the rows it writes, its forms, and how it ends.

mod interrupted;
mod joins;
mod report;
mod resume;
mod rows;
mod shards;
mod sources;
#[cfg(feature = "tables")]
mod tables;

use serde_json::Value;

use crate::run::LS_KEYS;
use crate::run::{Folder, animation, corpus, deflated, keys_of, mesh, stored};

const JOINS_KEYS: [&str; 3] = ["sequence_names", "skeleton_hash", "content_hash"];

const SEQUENCE_KEYS: [&str; 5] =
    ["sequence_index", "sequence", "sequence_frames", "sequence_rate", "sequence_duration_s"];

/// Whether rows for sequences have a key: not what means all sequences of a file.
fn is_of_sequences(key: &&str) -> bool {
    !["frames", "duration_s"].contains(key)
}

const CSV_HEADING: &str = "schema,path,entry,address,format,bytes,bones,points,wedges,faces,materials,uv_sets,sequences,frames,\
    duration_s,quirks,error_kind,error_section,error_offset,error_message,sequence_names,skeleton_hash,content_hash,\
    sequence_index,sequence,sequence_frames,sequence_rate,sequence_duration_s";

const BONES: [(&str, i32); 2] = [("Root", 0), ("Pelvis", 0)];

/// An asset of every kind, loose and in archives, sound and not.
pub(super) fn mixed() -> Folder {
    let folder = Folder::new();
    let animation = animation(&BONES, &[("Walk, \"fast\"", 3, 30.0), ("Run", 2, 0.0), ("Still", 1, 2.5)]);
    folder.put("art/a.psk", mesh(&BONES));
    folder.put("art/b.psa", &animation);
    folder.put("art/c.psa", b"nothing");
    folder.put("art/d.zip", stored(&[("in/walk.psa", &animation), ("in/x.gsa", &corpus("swat3/gsa/plain.gsa"))]));
    folder
        .put("art/e.zip", deflated(&[("in/x.psa", &corpus("pyrogenesis/psa/march.psa")), ("in/y,z.psa", &animation)]));
    folder.put("art/f.pmd", corpus("pyrogenesis/pmd/one_bone.pmd"));
    folder.put("art/notes.txt", b"nothing");
    folder
}

#[test]
fn rows_have_the_columns_of_ls_and_the_columns_for_joins() {
    let folder = mixed();
    let ran = folder.says(1, "catalog art -o all.jsonl");
    assert!(
        ran.out.is_empty() && ran.complaints.starts_with("skelmap: 8 assets, 8 rows, 1 unreadable"),
        "{}",
        ran.complaints
    );
    let text = folder.text("all.jsonl");
    let keys = [LS_KEYS.as_slice(), &JOINS_KEYS].concat();
    assert!(text.ends_with('\n') && text.lines().all(|line| keys_of(line) == keys), "{text}");
    let listed = folder.says(1, "ls art --format jsonl").lines();
    let mut rows = folder.lines("all.jsonl");
    for row in &mut rows {
        let row = row.as_object_mut().expect("an object");
        assert_eq!(row["content_hash"], Value::Null);
        row.retain(|key, _| LS_KEYS.contains(&key.as_str()));
    }
    assert_eq!(rows, listed);
    let rows = folder.lines("all.jsonl");
    assert_eq!(rows[1]["sequence_names"], serde_json::json!(["Walk, \"fast\"", "Run", "Still"]));
    assert!(rows[1]["skeleton_hash"].is_string());
    assert!([0, 3, 6].iter().all(|index| rows[*index]["skeleton_hash"] == rows[1]["skeleton_hash"]));
    assert!(!folder.files().contains(&"all.jsonl.part".to_owned()));
}

#[test]
fn content_is_hashed_on_request() {
    let folder = mixed();
    folder.says(1, "catalog art -o all.jsonl --content-hash");
    let rows = folder.lines("all.jsonl");
    let hash = |index: usize| rows[index]["content_hash"].as_str().expect("a hash");
    assert!(rows.iter().all(|row| row["content_hash"].as_str().is_some_and(|hash| hash.len() == 32)));
    assert_eq!((hash(1), hash(1)), (hash(3), hash(6)), "the same asset loose, stored and deflated");
    assert_eq!(hash(5), format!("{:032x}", xxhash_rust::xxh3::xxh3_128(&corpus("pyrogenesis/psa/march.psa"))));
}

#[test]
fn a_row_of_a_missing_file_has_all_keys() {
    let folder = mixed();
    let keys = [LS_KEYS.as_slice(), &JOINS_KEYS].concat();
    folder.says(1, "catalog art/a.psk none.psk -o all.jsonl");
    let text = folder.text("all.jsonl");
    assert!(text.lines().all(|line| keys_of(line) == keys), "{text}");
    folder.says(1, "catalog art/a.psk none.psk -o seq.jsonl --per sequence");
    let text = folder.text("seq.jsonl");
    let keys = [keys.as_slice(), &SEQUENCE_KEYS].concat();
    let keys: Vec<_> = keys.into_iter().filter(is_of_sequences).collect();
    assert!(text.lines().all(|line| keys_of(line) == keys), "{text}");
}

#[test]
fn each_sequence_has_a_row_on_request() {
    let folder = mixed();
    let ran = folder.says(1, "catalog art -o all.jsonl --per sequence");
    assert!(ran.complaints.starts_with("skelmap: 8 assets, 14 rows, 1 unreadable"), "{}", ran.complaints);
    let text = folder.text("all.jsonl");
    let keys = [LS_KEYS.as_slice(), &JOINS_KEYS, &SEQUENCE_KEYS].concat();
    let keys: Vec<_> = keys.into_iter().filter(is_of_sequences).collect();
    assert!(text.lines().all(|line| keys_of(line) == keys), "{text}");
    let rows = folder.lines("all.jsonl");
    let sequence = |row: &Value| SEQUENCE_KEYS.map(|key| row[key].clone());
    let json = |value: Value| -> [Value; 5] { serde_json::from_value(value).expect("five") };
    let nothing = json(serde_json::json!([null, null, null, null, null]));
    let of_animation = [
        json(serde_json::json!([0, "Walk, \"fast\"", 3, 30.0, 0.1])),
        json(serde_json::json!([1, "Run", 2, 0.0, null])),
        json(serde_json::json!([2, "Still", 1, 2.5, 0.4])),
    ];
    assert_eq!(sequence(&rows[0]), nothing, "a mesh");
    assert_eq!([&rows[1], &rows[2], &rows[3]].map(sequence), of_animation);
    assert_eq!(sequence(&rows[4]), nothing, "a bad file");
    assert_eq!([&rows[5], &rows[6], &rows[7]].map(sequence), of_animation, "in an archive");
    let gsa = &rows[8];
    // Files of one sequence: the sums of `ls` are those of the sequence.
    let of_file = |row: &Value| {
        let all = folder.says(1, "ls art --format jsonl").lines();
        all.into_iter().find(|own| own["address"] == row["address"]).expect("a row")
    };
    assert_eq!((&gsa["sequence_index"], &gsa["sequence_frames"]), (&0.into(), &of_file(gsa)["frames"]));
    assert_eq!((&gsa["sequence_rate"], &gsa["sequence_duration_s"]), (&10.0.into(), &of_file(gsa)["duration_s"]));
    let states = &rows[9];
    assert_eq!((&states["sequence_index"], &states["sequence_frames"]), (&0.into(), &of_file(states)["frames"]));
    assert_eq!(states["sequence_duration_s"], of_file(states)["duration_s"]);
    assert_eq!(states["sequence"], Value::Null);
    assert_eq!(sequence(&rows[13]), nothing, "a mesh");
    // What is the asset's is the same in each of its rows.
    for key in LS_KEYS.iter().chain(&JOINS_KEYS) {
        assert!(rows[1][key] == rows[2][key] && rows[1][key] == rows[3][key], "{key}");
    }
}

/// Records of CSV, by the rules of RFC 4180.
pub(super) fn records(text: &str) -> Vec<Vec<String>> {
    let (mut records, mut record, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match (quoted, c) {
            (true, '"') if rest.next_if_eq(&'"').is_some() => cell.push('"'),
            (_, '"') => quoted = !quoted,
            (false, ',') => record.push(std::mem::take(&mut cell)),
            (false, '\n') => {
                record.push(std::mem::take(&mut cell));
                records.push(std::mem::take(&mut record));
            }
            _ => cell.push(c),
        }
    }
    assert!(!quoted && cell.is_empty() && record.is_empty(), "the last record ends");
    records
}

#[test]
fn csv_has_one_heading_and_the_values_of_json() {
    let folder = mixed();
    for per in ["asset", "sequence"] {
        folder.says(1, &format!("catalog art -o {per}.csv --per {per} --content-hash"));
        folder.says(1, &format!("catalog art -o {per}.jsonl --per {per} --content-hash"));
        let records = records(&folder.text(format!("{per}.csv")));
        let rows = folder.lines(format!("{per}.jsonl"));
        let heading: Vec<&str> = records[0].iter().map(String::as_str).collect();
        let expected = CSV_HEADING.split(',').filter(|key| per == "asset" || is_of_sequences(key));
        assert_eq!(heading, expected.collect::<Vec<_>>());
        assert_eq!(records.len(), rows.len() + 1);
        for (record, row) in records[1..].iter().zip(&rows) {
            assert_eq!(record.len(), heading.len());
            for (key, cell) in heading.iter().zip(record) {
                assert_eq!(*cell, in_csv(row, key), "{key} of {row}");
            }
        }
    }
}

/// What the cell of a key holds.
fn in_csv(row: &Value, key: &str) -> String {
    let value = match key.strip_prefix("error_") {
        Some(part) => &row["error"][part],
        None => &row[key],
    };
    match (key, value) {
        ("quirks", value) => {
            let codes = value.as_array().expect("codes").iter();
            codes.map(|code| code.as_str().expect("a code")).collect::<Vec<_>>().join(" ")
        }
        (_, Value::Null) => String::new(),
        (_, Value::String(text)) => text.clone(),
        // The shortest text that gives the number back, without a point where there is no fraction.
        (_, Value::Number(number)) => number.to_string().trim_end_matches(".0").to_owned(),
        (_, other) => other.to_string(),
    }
}

#[test]
fn the_extension_or_the_option_chooses_the_format() {
    let folder = mixed();
    folder.says(0, "catalog art/a.psk -o A.JSONL");
    folder.says(0, "catalog art/a.psk -o A.CSV");
    folder.says(0, "catalog art/a.psk -o plain --format csv");
    folder.says(0, "catalog art/a.psk -o odd.csv --format jsonl");
    assert_eq!(folder.read("plain"), folder.read("A.CSV"));
    assert_eq!(folder.read("odd.csv"), folder.read("A.JSONL"));
    let files = folder.files();
    for name in ["a.txt", "jsonl", "a.jsonl.gz", "csv."] {
        // Windows takes a dot at the end away, so that this name is refused with another message.
        if cfg!(windows) && name.ends_with('.') {
            continue;
        }
        let ran = folder.says(2, &format!("catalog art/a.psk -o {name}"));
        assert!(
            ran.complaints.starts_with(&format!("skelmap: {name}: expected a name in .jsonl")),
            "{}",
            ran.complaints
        );
    }
    assert_eq!(folder.files(), files, "nothing was written");
}

#[test]
fn a_file_that_exists_is_replaced_by_force_only() {
    let folder = mixed();
    folder.put("all.jsonl", b"precious");
    let ran = folder.says(5, "catalog art/a.psk -o all.jsonl");
    assert!(ran.complaints.contains("all.jsonl: exists already"), "{}", ran.complaints);
    folder.says(5, "catalog art/a.psk -o all.jsonl --resume");
    assert_eq!(folder.read("all.jsonl"), b"precious");
    folder.says(0, "catalog art/a.psk -o all.jsonl --force");
    assert_eq!(folder.lines("all.jsonl").len(), 1);
    assert!(!folder.files().contains(&"all.jsonl.part".to_owned()));
}

#[test]
fn the_exit_status_depends_on_the_result() {
    let folder = mixed();
    folder.put("empty/notes.txt", b"nothing");
    folder.says(0, "catalog art/a.psk -o 1.jsonl");
    folder.says(1, "catalog art/a.psk art/c.psa -o 2.jsonl");
    folder.says(1, "catalog art/a.psk none.psk -o 3.jsonl");
    folder.says(3, "catalog empty -o 4.jsonl");
    folder.says(2, "catalog -o 5.jsonl");
    folder.says(2, "catalog art");
    folder.says(2, "catalog art -o 6.jsonl --format xml");
    folder.says(2, "catalog art -o 7.jsonl --per bone");
    assert!(!folder.files().iter().any(|file| file.contains(".part")), "{:?}", folder.files());
}

#[test]
fn a_write_error_names_the_catalogue() {
    let folder = mixed();
    folder.put("file", b"");
    for output in ["file/new/all.jsonl", "file/all.csv"] {
        let ran = folder.says(5, &format!("catalog art -o {output}"));
        assert!(ran.complaints.starts_with(&format!("skelmap: {output}: ")), "{}", ran.complaints);
    }
}

#[test]
fn any_number_of_jobs_writes_the_same_catalogue() {
    let folder = mixed();
    for jobs in ["1", "2", "8"] {
        folder.says(1, &format!("catalog art -o {jobs}.jsonl --per sequence --jobs {jobs}"));
        assert_eq!(folder.read(format!("{jobs}.jsonl")), folder.read("1.jsonl"));
    }
    folder.says(1, "--no-map catalog art -o unmapped.jsonl --per sequence");
    assert_eq!(folder.read("unmapped.jsonl"), folder.read("1.jsonl"));
}

#[test]
fn a_catalogue_inside_its_own_folder_has_no_row_of_itself() {
    let folder = mixed();
    folder.says(1, "catalog art -o outside.csv");
    folder.says(1, "catalog art -o art/inside.csv");
    assert_eq!(folder.read("art/inside.csv"), folder.read("outside.csv"));
    folder.put("art/again.csv.part", &folder.read("outside.csv")[..1000]);
    folder.run(&["catalog", "art", "-o", "art/again.csv", "--resume"]);
    assert_eq!(folder.read("art/again.csv"), folder.read("outside.csv"));
}

/// What lies beyond the first bytes of a file is loaded for its row, by whatever name its chunk goes.
#[test]
fn a_row_from_headers_equals_the_row_of_the_whole_file_for_any_chunk_ids() {
    use test_support::actorx::build::Chunks;
    use test_support::actorx::corpus::sample::figure;
    let folder = Folder::new();
    for (file, name) in [("a.psk", "REFSKEL0"), ("b.psk", "REFSKELT"), ("c.psk", "REFSKEL0")] {
        let mesh = figure();
        let points = mesh.points.repeat(400);
        let bones = &mesh.bones[usize::from(file == "c.psk")..];
        let chunks = Chunks::new().empty("ACTRHEAD", 0).records("PNTS0000", &points).records("VTXW0000", &mesh.wedges);
        let chunks = mesh.faces_onto(chunks).records("MATT0000", &mesh.materials).records(name, bones);
        folder.put(format!("art/{file}"), chunks.build().bytes);
    }
    folder.says(0, "catalog art -o headers.jsonl --jobs 1");
    folder.says(0, "catalog art -o whole.jsonl --content-hash");
    let hashes =
        |file: &str| -> Vec<Value> { folder.lines(file).iter().map(|row| row["skeleton_hash"].clone()).collect() };
    let found = hashes("headers.jsonl");
    assert_eq!(found, hashes("whole.jsonl"));
    assert!(found[0] == found[1] && found[1] != found[2] && found.iter().all(Value::is_string), "{found:?}");
}

/// A byte of a stored model changes no count, but its archive knows.
#[test]
fn check_compares_checksums_in_archives() {
    use test_support::build_zip::{Entry, Zip};
    let folder = Folder::new();
    let mut bytes = Zip::of([Entry::stored("walk.psa", corpus("pyrogenesis/psa/walk.psa"))]).build().bytes;
    folder.put("good.zip", &bytes);
    folder.says(0, "check good.zip");
    let at = bytes.windows(4).position(|magic| magic == b"PSSA").expect("the model") + 60;
    bytes[at] ^= 1;
    folder.put("bad.zip", &bytes);
    let ran = folder.run(&["check", "bad.zip", "--format", "csv"]);
    assert_eq!(ran.status, 1);
    assert!(String::from_utf8_lossy(&ran.out).contains("zip-checksum"));
    folder.says(0, "ls bad.zip");
}

#[cfg(unix)]
#[test]
fn a_catalogue_does_not_replace_its_input_or_a_folder_or_a_link() {
    let folder = Folder::new();
    folder.put("a.psa", corpus("actorx/anim/classic.psa"));
    std::fs::create_dir(folder.at("dir.jsonl")).expect("made");
    std::os::unix::fs::symlink(folder.at("a.psa"), folder.at("link.jsonl")).expect("made");
    std::os::unix::fs::symlink(folder.at("a.psa"), folder.at("x.jsonl.part")).expect("made");
    for (status, output) in [(2, "a.psa --format jsonl"), (5, "dir.jsonl"), (5, "link.jsonl")] {
        folder.says(status, &format!("catalog a.psa -o {output} --force"));
    }
    folder.says(5, "catalog a.psa -o x.jsonl");
    assert_eq!(folder.read("a.psa"), corpus("actorx/anim/classic.psa"));
}

/// A row a sequence, not a list of all sequences in each.
#[test]
fn rows_of_sequences_do_not_repeat_all_names() {
    let folder = Folder::new();
    folder.put("a.psa", corpus("actorx/anim/curves.psa"));
    folder.says(0, "catalog a.psa -o rows.jsonl --per sequence");
    let rows = folder.lines("rows.jsonl");
    assert_eq!(rows.len(), 2);
    assert!(rows.iter().all(|row| row["sequence"].is_string() && row["sequence_names"] == serde_json::json!([])));
}
