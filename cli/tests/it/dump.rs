//! `dump` of several bones, sequences and files, and as numbers for programs.

use std::fs;
use std::process::Stdio;

use serde_json::Value;

use crate::convert::limits::shared_keys;
use crate::run::{
    Folder, GSA, PMD, PSK, RELOAD, Ran, WALK, command, corpus, ended, json, objects, skelmap, status, stderr, stdout,
    stored,
};

const SEQUENCES: &str = "actorx/anim/sequences.psa";

fn inputs() -> Folder {
    let folder = Folder::new();
    folder.put("a.psa", corpus("actorx/anim/classic.psa"));
    folder.put("b.psa", corpus(SEQUENCES));
    folder.put("m.psk", corpus("actorx/mesh/classic.psk"));
    folder.put("mod.zip", stored(&[("x/a.psa", &corpus("actorx/anim/classic.psa")), ("m.psk", &folder.read("m.psk"))]));
    folder
}

/// The records of CSV without its heading. No field has quotes.
fn records(ran: &Ran) -> Vec<String> {
    ran.text().lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn several_bones_and_sequences_are_the_rows_of_each() {
    let folder = inputs();
    let all = records(&folder.says(0, "dump b.psa --what keys"));
    let names: Vec<String> = records(&folder.says(0, "dump b.psa --what sequences"))
        .iter()
        .map(|row| row.split(',').nth(1).expect("a name").to_owned())
        .collect();
    let field = |row: &str, at: usize| row.split(',').nth(at).expect("a field").to_owned();
    let [first, .., last] = names.as_slice() else { panic!("{names:?}") };
    let line = format!("dump b.psa --what keys --bone 1 --bone 0 --sequence {last} --sequence {first}");
    let found = records(&folder.says(0, &line));
    let mut expected = Vec::new();
    for name in [last, first] {
        let of_sequence: Vec<&String> = all.iter().filter(|row| field(row, 0) == *name).collect();
        let frames = of_sequence.iter().map(|row| field(row, 1).parse::<usize>().expect("a frame")).max();
        for frame in 0..=frames.expect("frames") {
            for bone in ["1", "0"] {
                let is_wanted = |row: &&&String| field(row, 1) == frame.to_string() && field(row, 2) == bone;
                expected.extend(of_sequence.iter().filter(is_wanted).map(|row| (*row).clone()));
            }
        }
    }
    assert!(found.len() > 2 && found == expected, "{found:?}");
    let ran = folder.says(2, "dump b.psa --what keys --bone 0 --bone nobody");
    assert!(ran.complaints.contains("there is no bone \"nobody\"") && ran.out.is_empty(), "{}", ran.complaints);
}

#[test]
fn bones_of_every_family_can_be_chosen_together() {
    let folder = Folder::new();
    folder.put("w.psa", corpus("pyrogenesis/psa/walk.psa"));
    folder.put("r.gsa", corpus("swat3/gsa/plain_all.gsa"));
    for (file, what) in [("w.psa", "states"), ("r.gsa", "rotations")] {
        let all = records(&folder.says(0, &format!("dump {file} --what {what}")));
        let both = records(&folder.says(0, &format!("dump {file} --what {what} --bone 0 --bone 1")));
        let is_wanted = |row: &&String| ["0", "1"].contains(&row.split(',').nth(1).expect("a bone"));
        assert!(!both.is_empty());
        assert_eq!(both.iter().collect::<Vec<_>>(), all.iter().filter(is_wanted).collect::<Vec<_>>());
    }
}

#[test]
fn rows_of_several_files_begin_with_path_and_entry() {
    let folder = inputs();
    let alone = folder.says(0, "dump a.psa --what keys");
    let other = records(&folder.says(0, "dump b.psa --what keys"));
    let ran = folder.says(0, "dump a.psa mod.zip!/x/a.psa b.psa --what keys");
    let heading = alone.text().lines().next().expect("a heading");
    assert_eq!(ran.text().lines().next(), Some(format!("path,entry,address,format,{heading}").as_str()));
    let own = records(&alone);
    let expected = own.iter().map(|row| format!("a.psa,,a.psa,actorx.psa,{row}"));
    let expected = expected.chain(own.iter().map(|row| format!("mod.zip,x/a.psa,mod.zip!/x/a.psa,actorx.psa,{row}")));
    let expected: Vec<String> =
        expected.chain(other.iter().map(|row| format!("b.psa,,b.psa,actorx.psa,{row}"))).collect();
    assert_eq!(records(&ran), expected);
    // An archive, and what of it has the array.
    let ran = folder.says(0, "dump mod.zip --what keys --format jsonl");
    assert_eq!(ran.complaints, "");
    let rows = ran.lines();
    assert_eq!(rows.len(), own.len());
    assert!(rows.iter().all(|row| row["path"] == "mod.zip" && row["entry"] == "x/a.psa"));
    // One entry is one file.
    assert_eq!(folder.says(0, "dump mod.zip!/x/a.psa --what keys").out, alone.out);
}

#[test]
fn a_listed_file_without_the_array_is_named_and_the_others_are_written() {
    let folder = inputs();
    let alone = records(&folder.says(0, "dump a.psa --what keys"));
    let ran = folder.says(1, "dump m.psk a.psa --what keys");
    assert_eq!(records(&ran), alone.iter().map(|row| format!("a.psa,,a.psa,actorx.psa,{row}")).collect::<Vec<_>>());
    assert!(
        ran.complaints.starts_with("skelmap: m.psk: this is an ActorX mesh; it has chunks, points"),
        "{}",
        ran.complaints
    );
    assert_eq!(ran.complaints.lines().count(), 1);
    let ran = folder.says(1, "dump a.psa none.psa b.psa --what keys --sequence Walk --bone 0");
    assert!(ran.complaints.contains("skelmap: none.psa: "), "{}", ran.complaints);
    // Named alone, it is a wrong question.
    let ran = folder.says(2, "dump m.psk --what keys");
    assert!(ran.complaints.starts_with("skelmap: m.psk: this is an ActorX mesh; it has "), "{}", ran.complaints);
    // Nothing at all is written where nothing is there to write.
    for (status, line) in [
        (1, "dump m.psk m.psk --what keys"),
        (3, "dump none.psa no.psa --what keys"),
        (3, "dump mod.zip --what states"),
    ] {
        for output in ["", " -o new.csv", " --format npy"] {
            let ran = folder.says(status, &format!("{line}{output}"));
            assert!(ran.out.is_empty() && !ran.complaints.is_empty(), "{line}{output}");
            assert!(!folder.at("new.csv").exists());
        }
    }
}

#[test]
fn a_dump_to_a_file_has_the_format_of_its_name() {
    let folder = inputs();
    for format in ["csv", "jsonl", "json", "npy", "f32"] {
        let printed = folder.says(0, &format!("dump a.psa --what keys --format {format}"));
        let ran = folder.says(0, &format!("dump a.psa --what keys -o keys.{format}"));
        assert!(ran.out.is_empty() && ran.complaints.is_empty(), "{}", ran.complaints);
        assert!(folder.read(format!("keys.{format}")) == printed.out && !printed.out.is_empty(), "{format}");
        let ran = folder.says(5, &format!("dump b.psa --what keys -o keys.{format}"));
        assert_eq!(ran.complaints, format!("skelmap: keys.{format}: exists already (--force replaces it)\n"));
        assert!(folder.read(format!("keys.{format}")) == printed.out, "{format}");
        let other = folder.says(0, &format!("dump b.psa --what keys --format {format}"));
        folder.says(0, &format!("dump b.psa --what keys -o keys.{format} --force"));
        assert!(folder.read(format!("keys.{format}")) == other.out, "{format}");
        // The argument says more than the name.
        folder.says(0, &format!("dump a.psa --what keys -o other.{format} --format csv"));
        assert_eq!(folder.read(format!("other.{format}")), folder.says(0, "dump a.psa --what keys").out);
    }
    let ran = folder.says(2, "dump a.psa --what keys -o keys.txt");
    let expected = "expected a name in .csv, .jsonl, .json, .npy, .parquet or .f32, or --format";
    assert_eq!(ran.complaints, format!("skelmap: keys.txt: {expected}\n"));
    let ran = folder.says(2, "dump a.psa --what keys -o a.psa --force --format csv");
    assert_eq!(ran.complaints, "skelmap: a.psa: is one of the inputs\n");
    // A dump that fails replaces nothing.
    let before = folder.read("keys.csv");
    folder.says(2, "dump a.psa --what states -o keys.csv --force");
    folder.says(2, "dump a.psa --what keys --bone nobody -o keys.csv --force");
    assert_eq!(folder.read("keys.csv"), before);
}

/// The numbers of CSV, by the standard library.
fn numbers(row: &str, columns: std::ops::Range<usize>) -> Vec<u32> {
    let fields: Vec<&str> = row.split(',').collect();
    fields[columns].iter().map(|field| field.parse::<f32>().expect("a float").to_bits()).collect()
}

#[test]
fn floats_alone_are_those_of_csv() {
    let folder = inputs();
    for (line, columns) in [("a.psa --what keys", 4..12), ("m.psk --what points", 1..4), ("m.psk --what wedges", 2..4)]
    {
        let csv = records(&folder.says(0, &format!("dump {line}")));
        let bytes = folder.says(0, &format!("dump {line} --format f32")).out;
        let found: Vec<u32> =
            bytes.chunks_exact(4).map(|float| u32::from_le_bytes(float.try_into().expect("four bytes"))).collect();
        let expected: Vec<u32> = csv.iter().flat_map(|row| numbers(row, columns.clone())).collect();
        assert!(!found.is_empty() && found == expected, "{line}");
    }
    let ran = folder.says(2, "dump m.psk --what faces --format f32");
    assert!(ran.complaints.contains("this array has no floats of 32 bits"), "{}", ran.complaints);
}

/// The fields of a record of `NumPy` with their types, and the records.
fn npy(bytes: &[u8]) -> (Vec<(String, String)>, usize, &[u8]) {
    assert_eq!(bytes.get(..8), Some(b"\x93NUMPY\x01\x00".as_slice()));
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!((10 + length) % 64, 0);
    let header = std::str::from_utf8(&bytes[10..10 + length]).expect("ASCII");
    let (descr, rest) =
        header.strip_prefix("{'descr': [(").and_then(|rest| rest.split_once(")], ")).expect("a list of fields");
    let rows = rest.strip_prefix("'fortran_order': False, 'shape': (").and_then(|rest| rest.split_once(",), }"));
    let field = |field: &str| {
        let (name, kind) = field.split_once(", ").expect("a pair");
        (name.trim_matches('\'').to_owned(), kind.trim_matches('\'').to_owned())
    };
    let fields = descr.split("), (").map(field).collect();
    (fields, rows.expect("rows").0.parse().expect("a number"), &bytes[10 + length..])
}

/// A value of a record as CSV has it, and the bytes after it.
fn shown<'b>(kind: &str, bytes: &'b [u8]) -> (String, &'b [u8]) {
    let length = match kind {
        "<f4" => 4,
        "<i8" | "<f8" => 8,
        text => 4 * text.strip_prefix("<U").expect("a text").parse::<usize>().expect("a width"),
    };
    let (value, rest) = bytes.split_at(length);
    let text = match kind {
        "<f4" => f32::from_le_bytes(value.try_into().expect("four bytes")).to_string(),
        "<f8" => f64::from_le_bytes(value.try_into().expect("eight bytes")).to_string(),
        "<i8" => i64::from_le_bytes(value.try_into().expect("eight bytes")).to_string(),
        _ => {
            let letters =
                value.chunks_exact(4).map(|letter| u32::from_le_bytes(letter.try_into().expect("four bytes")));
            letters.filter(|letter| *letter != 0).map(|letter| char::from_u32(letter).expect("a character")).collect()
        }
    };
    (text, rest)
}

#[test]
fn a_numpy_array_has_the_fields_and_values_of_csv() {
    let folder = inputs();
    folder.put("e.pskx", corpus("actorx/mesh/everything.pskx"));
    for line in [
        "a.psa --what keys",
        "a.psa b.psa mod.zip!/x/a.psa --what keys",
        "b.psa --what sequences",
        "m.psk --what bones",
        "e.pskx --what sockets",
        "e.pskx --what colors",
        "e.pskx --what uvs",
        "e.pskx m.psk --what materials",
    ] {
        let csv = folder.says(0, &format!("dump {line}"));
        let bytes = folder.says(0, &format!("dump {line} --format npy")).out;
        let (fields, rows, mut rest) = npy(&bytes);
        let heading: Vec<&str> = csv.text().lines().next().expect("a heading").split(',').collect();
        assert_eq!(fields.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), heading, "{line}");
        let expected = records(&csv);
        assert_eq!(rows, expected.len(), "{line}");
        for row in expected {
            let values: Vec<String> = fields
                .iter()
                .map(|(_, kind)| {
                    let (text, after) = shown(kind, rest);
                    rest = after;
                    text
                })
                .collect();
            assert_eq!(values.join(","), row, "{line}");
        }
        assert!(rest.is_empty(), "{line}");
    }
}

#[cfg(feature = "tables")]
mod tables {
    use super::*;

    #[test]
    fn a_parquet_dump_has_the_kinds_and_values_of_json() {
        use parquet::file::reader::SerializedFileReader;
        use parquet::record::Field;

        let folder = inputs();
        for line in ["a.psa --what keys", "m.psk --what bones", "a.psa b.psa --what keys"] {
            let expected = folder.says(0, &format!("dump {line} --format jsonl")).lines();
            folder.says(0, &format!("dump {line} -o rows.parquet --force"));
            let file = std::fs::File::open(folder.at("rows.parquet")).expect("written");
            let rows: Vec<_> =
                SerializedFileReader::new(file).expect("Parquet").into_iter().map(|row| row.expect("a row")).collect();
            assert_eq!(rows.len(), expected.len());
            for (row, expected) in rows.iter().zip(&expected) {
                assert_eq!(row.len(), expected.as_object().expect("an object").len());
                for (key, found) in row.get_column_iter() {
                    let found: serde_json::Value = match found {
                        Field::Null => serde_json::Value::Null,
                        Field::Long(number) => (*number).into(),
                        // By its own digits: as a double it has others.
                        Field::Float(number) => serde_json::from_str(&format!("{number:?}")).expect("a number"),
                        Field::Double(number) => (*number).into(),
                        Field::Str(text) => text.as_str().into(),
                        other => panic!("{key}: {other:?}"),
                    };
                    assert_eq!(found, expected[key], "{key}");
                }
            }
        }
    }
}

#[test]
fn dump_prints_the_keys_of_one_bone() {
    let csv = stdout(&skelmap(&["dump", "corpus/actorx/anim/classic.psa", "--what", "keys", "--bone", "1"]));
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("sequence,frame,bone_index,bone,x,y,z,qx,qy,qz,qw,time,seconds"));
    let frames: Vec<&str> = lines.map(|line| line.split(',').nth(1).expect("a frame")).collect();
    assert!(frames.len() > 1);
    assert!(frames.iter().enumerate().all(|(index, frame)| *frame == index.to_string()), "{frames:?}");
}

#[test]
fn every_array_can_be_dumped_in_every_format() {
    let mesh = [
        "chunks",
        "points",
        "wedges",
        "faces",
        "materials",
        "bones",
        "influences",
        "colors",
        "uvs",
        "normals",
        "morphs",
        "deltas",
        "sockets",
    ];
    let animation = ["chunks", "bones", "sequences", "keys", "scale-keys"];
    let of_mesh = mesh.map(|what| ("corpus/actorx/mesh/everything.pskx", what));
    let of_animation = animation.map(|what| ("corpus/actorx/anim/scale_keys.psa", what));
    let others = [("corpus/actorx/anim/curves.psa", "curves"), ("corpus/actorx/anim/config_case.psa", "side-car")];
    for (file, what) in of_mesh.into_iter().chain(of_animation).chain(others) {
        let dump = |format| skelmap(&["dump", file, "--what", what, "--format", format]);
        let csv = stdout(&dump("csv"));
        let records = csv.lines().count() - 1;
        assert!(records > 0, "{what}: nothing");
        let lines = objects(&dump("jsonl"));
        assert_eq!(lines.len(), records, "{what}");
        let heading: Vec<&str> = csv.lines().next().expect("a heading").split(',').collect();
        assert!(heading.iter().all(|column| lines[0].get(column).is_some()), "{what}: {heading:?}");
        let json: Value = serde_json::from_slice(&dump("json").stdout).expect("JSON");
        assert_eq!(json.as_array().map(Vec::len), Some(records), "{what}");
        assert_eq!(stdout(&dump("table")).lines().count(), records + 1, "{what}");
    }
}

#[test]
fn a_float_that_is_not_finite_is_null_in_json() {
    let dump = |format| skelmap(&["dump", "corpus/actorx/mesh/point_nan.psk", "--what", "points", "--format", format]);
    assert!(
        objects(&dump("jsonl"))
            .iter()
            .any(|point| point["x"].is_null() || point["y"].is_null() || point["z"].is_null())
    );
    assert!(stdout(&dump("csv")).contains("NaN"));
}

#[test]
fn a_closed_pipe_ends_the_command_without_a_message() {
    for format in ["csv", "jsonl", "table"] {
        let mut child = command()
            .args(["dump", "corpus/actorx/mesh/wide_points.pskx", "--what", "points", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(stderr(&output), "", "{format}");
        assert_eq!(status(&output), 0, "{format}");
    }
}

#[test]
fn an_option_that_does_not_apply_is_refused() {
    for option in [["--sequence", "Walk"], ["--bone", "0"], ["--set", "0"], ["--morph", "smile"]] {
        let output = skelmap(&[&["dump", PSK, "--what", "points"][..], &option].concat());
        assert_eq!(status(&output), 2, "{option:?}");
        assert!(stderr(&output).contains(option[0]));
        assert_eq!(stdout(&output), "");
    }
}

#[test]
fn every_array_of_pyrogenesis_can_be_dumped() {
    let of_mesh = ["vertices", "uvs", "faces", "bones", "influences", "props"].map(|what| (PMD, what));
    for (file, what) in of_mesh.into_iter().chain([(WALK, "states")]) {
        let csv = String::from_utf8(skelmap(&["dump", file, "--what", what]).stdout).expect("UTF-8");
        let lines = json(&["dump", file, "--what", what, "--format", "json"]);
        assert!(csv.lines().count() > 1, "{what}");
        assert_eq!(lines.as_array().map(Vec::len), Some(csv.lines().count() - 1), "{what}");
    }
    assert_eq!(ended(&["dump", WALK, "--what", "points"]), 2);
    assert_eq!(ended(&["dump", WALK, "--what", "states", "--bone", "3"]), 2);
}

/// The header of the fox's walk says 33.333332 ms for each frame.
#[test]
fn states_have_seconds() {
    let walk = "../corpus/fox_walk.psa";
    let csv = String::from_utf8(skelmap(&["dump", walk, "--what", "states", "--bone", "5"]).stdout).expect("UTF-8");
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("frame,bone_index,x,y,z,qx,qy,qz,qw,seconds"));
    for (frame, line) in lines.enumerate() {
        let seconds: f64 = line.rsplit(',').next().expect("a cell").parse().expect("a number");
        assert!((seconds - frame as f64 * 0.033_333_332).abs() < 1e-6, "{line}");
    }
    assert_eq!(csv.lines().count(), 31);
}

#[test]
fn dump_prints_rotations_frames_and_events() {
    let of_bone = |bone: &str| {
        let file = "corpus/swat3/gsa/plain_all.gsa";
        stdout(&skelmap(&["dump", "--what", "rotations", "--bone", bone, file]))
    };
    let (rotations, by_id) = (of_bone("Bip01 pelvis"), of_bone("1"));
    assert_eq!(rotations, by_id);
    assert!(rotations.lines().skip(1).all(|line| line.split(',').nth(1) == Some("1")) && rotations.lines().count() > 1);
    assert_eq!(ended(&["dump", "--what", "rotations", "--bone", "nobody", GSA]), 2);
    assert_eq!(ended(&["dump", "--what", "frames", GSA]), 0);
    assert_eq!(ended(&["dump", "--what", "points", GSA]), 2);
    let bytes = corpus("swat3/gsa/reload.gsa");
    let expected = skelmap::swat3::Gsa::parse(&bytes).expect("sound").events().count();
    assert_eq!(stdout(&skelmap(&["dump", "--what", "events", RELOAD])).lines().count(), expected + 1);
}

/// Where all bones are animated their rotations are in the order of the skeleton, whatever their ids.
#[test]
fn a_name_selects_the_index_of_the_bone_if_all_bones_are_animated() {
    use test_support::swat3::build::{Frame, Gsa as Built, Layout, biped, random::Rng};
    let folder = tempfile::tempdir().expect("a folder");
    let [file, layout] =
        ["ids.gsa", "layout"].map(|name| folder.path().join(name).to_str().expect("a path").to_owned());
    let mut bones = biped(7);
    (bones[0].id, bones[6].id) = (6, 0);
    let rotations = Rng::new(8).rotations(7);
    let bytes = Built::new(1, Layout::Plain.skeleton(&bones), &[], vec![Frame::new(rotations.clone())]).build().bytes;
    fs::write(&file, bytes).expect("written");
    fs::write(&layout, "pre = 4\nname = u16\npost = 28\nid = pre 0\n").expect("written");
    let name = String::from_utf8(bones[6].name.clone()).expect("UTF-8");
    let dumped = stdout(&skelmap(&["dump", "--gsa-layout", &layout, "--what", "rotations", "--bone", &name, &file]));
    let [x, y, z, w] = rotations[6];
    assert_eq!(dumped.lines().nth(1), Some(format!("0,6,{x},{y},{z},{w},0").as_str()));
}

/// The rows of CSV, each cell by its column. No field has quotes.
fn cells(ran: &Ran) -> Vec<std::collections::BTreeMap<String, String>> {
    let mut lines = ran.text().lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let heading = lines.next().expect("a heading");
    lines.map(|line| heading.iter().cloned().zip(line).collect()).collect()
}

#[test]
fn files_of_all_families_are_dumped_together_with_the_columns_of_each() {
    let folder = Folder::new();
    folder.put("mod/1.psa", corpus("pyrogenesis/psa/walk.psa"));
    folder.put("mod/2.psa", corpus("actorx/anim/classic.psa"));
    folder.put("mod/3.gsa", corpus("swat3/gsa/plain_all.gsa"));
    folder.put("mod/4.zip", stored(&[("x.psa", &corpus(SEQUENCES))]));
    folder.put("x.psa", corpus(SEQUENCES));
    let ran = folder.says(0, "dump mod --what keys");
    assert_eq!(ran.complaints, "");
    let heading: Vec<&str> = ran.text().lines().next().expect("a heading").split(',').collect();
    let unique: std::collections::BTreeSet<_> = heading.iter().collect();
    assert_eq!(unique.len(), heading.len(), "{heading:?}");
    // Each row has the cells that its file has alone, and no others.
    let mut expected = Vec::new();
    for (path, entry, alone) in [
        ("mod/1.psa", "", "mod/1.psa"),
        ("mod/2.psa", "", "mod/2.psa"),
        ("mod/3.gsa", "", "mod/3.gsa"),
        ("mod/4.zip", "x.psa", "x.psa"),
    ] {
        for row in cells(&folder.says(0, &format!("dump {alone} --what keys"))) {
            expected.push((path.to_owned(), entry.to_owned(), row));
        }
    }
    let found: Vec<_> = cells(&ran)
        .into_iter()
        .map(|mut row| {
            let (path, entry) = (row.remove("path").expect("a path"), row.remove("entry").expect("an entry"));
            let alone = expected.iter().find(|(own, ..)| *own == path).expect("a file");
            row.retain(|key, cell| {
                !["address", "format"].contains(&key.as_str()) && (alone.2.contains_key(key) || !cell.is_empty())
            });
            (path, entry, row)
        })
        .collect();
    assert!(found.len() > 50 && found == expected, "{} rows, not {}", found.len(), expected.len());
    // Bones have ids in one family alone.
    let bones = folder.says(0, "dump mod --what bones --format jsonl").lines();
    assert!(
        bones.iter().any(|row| row["format"] == "swat3.gsa") && bones.iter().any(|row| row["format"] == "actorx.psa")
    );
    assert!(bones.iter().all(|row| row.get("id").is_some_and(|id| row["format"] == "swat3.gsa" || id.is_null())));
    // A folder of one family has the columns of that family.
    folder.remove("mod/1.psa");
    folder.remove("mod/3.gsa");
    let alone = folder.says(0, "dump x.psa --what keys");
    let own = alone.text().lines().next().expect("a heading");
    assert!(folder.says(0, "dump mod --what keys").text().lines().next().expect("a heading").ends_with(own));
    // Formats that say the number of rows first.
    folder.put("mod/1.psa", corpus("pyrogenesis/psa/walk.psa"));
    let rows = folder.says(0, "dump mod --what keys --format jsonl").lines();
    let npy = folder.says(0, "dump mod --what keys --format npy").out;
    let head = String::from_utf8_lossy(&npy[..600]).into_owned();
    assert!(head.contains(&format!("'shape': ({},)", rows.len())), "{head}");
    assert!(rows.iter().any(|row| row["sequence"].is_null()) && rows.iter().any(|row| row["sequence"].is_string()));
    // A bone has a name in one family, and a number in all.
    assert!(rows.iter().all(|row| row["bone_index"].is_u64() && row["format"].is_string()), "{rows:?}");
    assert!(rows.iter().all(|row| row["bone"].is_string() == (row["format"] == "actorx.psa")), "{rows:?}");
}

#[test]
fn a_hundred_files_that_lack_the_same_take_one_line() {
    let folder = Folder::new();
    for number in 0..100 {
        folder.put(format!("mod/{number:02}.psa"), corpus("actorx/anim/classic.psa"));
    }
    let ran = folder.says(1, "dump mod --what keys --bone nobody");
    let expected = "skelmap: mod/00.psa, mod/01.psa, mod/02.psa and 97 more files: there is no bone \"nobody\" ";
    assert!(ran.complaints.starts_with(expected), "{}", ran.complaints);
    assert_eq!(ran.complaints.lines().count(), 1);
}

#[test]
fn a_small_file_whose_sequences_share_keys_is_not_dumped_above_the_limit() {
    let folder = Folder::new();
    folder.put("a.psa", shared_keys());
    let told = "[output-limit] the output would have more than 67108864 bytes, the limit for ";
    for more in ["-o keys.csv", "-o keys.npy", "--format jsonl"] {
        let ran = folder.says(5, &format!("dump a.psa --what keys {more}"));
        assert!(ran.complaints.contains(told), "{}", ran.complaints);
        assert!(ran.out.len() <= 64 << 20 && folder.files() == ["a.psa"]);
    }
    // A folder has the limit of all its files.
    folder.put("b/a.psa", shared_keys());
    folder.put("b/b.psa", shared_keys());
    let ran = folder.says(5, "dump b --what keys -o keys.csv --max-output 3M");
    assert!(ran.complaints.contains("more than 3145728 bytes, the limit: see --max-output"), "{}", ran.complaints);
    let whole = folder.says(0, "dump a.psa --what keys --sequence s1 --sequence s2 --max-output 2M");
    assert_eq!(whole.text().lines().count(), 18_801);
}

#[test]
fn a_sequence_that_does_not_exist_is_told_with_the_names_of_those_that_do() {
    let folder = Folder::new();
    for name in ["fox.psa", "other.psa"] {
        folder.put(name, fs::read(crate::convert::good("fox.psa")).expect("a file"));
    }
    let one = folder.says(2, "dump fox.psa --what keys --sequence idel").complaints;
    assert!(one.contains("fox.psa: there is no sequence \"idel\" (idle, walk)"), "{one}");
    // One message for all of many files.
    let many = folder.says(1, "dump fox.psa other.psa --what keys --sequence idel").complaints;
    assert_eq!(many.matches("no sequence \"idel\" (`--what sequences` lists them)").count(), 2, "{many}");
}
