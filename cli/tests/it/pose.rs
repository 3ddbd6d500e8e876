//! `pose` and `skin` over every family: which sequence, which times, which space, which form.

use std::process::Output;

use serde_json::Value;

use crate::run::{PMD, WALK, ended, json, skelmap, status, stderr, stdout};
use test_support::corpus::samples;

const FOX: &str = "../corpus/fox.psk";
const FOX_CLIPS: &str = "../corpus/fox.psa";
const CLASSIC: &str = "corpus/actorx/anim/classic.psa";

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|float| f32::from_le_bytes(float.try_into().expect("four bytes"))).collect()
}

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The shape in the header of an array, and its floats.
fn npy(bytes: &[u8]) -> (Vec<usize>, Vec<f32>) {
    assert_eq!(bytes.get(..8), Some(b"\x93NUMPY\x01\x00".as_slice()));
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!((10 + length) % 64, 0, "the floats are aligned");
    let header = std::str::from_utf8(&bytes[10..10 + length]).expect("ASCII");
    assert!(header.starts_with("{'descr': '<f4', 'fortran_order': False, 'shape': (") && header.ends_with('\n'));
    let shape = header.split(['(', ')']).nth(1).expect("a shape");
    let shape = shape.split(',').filter(|length| !length.trim().is_empty());
    (shape.map(|length| length.trim().parse().expect("a number")).collect(), floats(&bytes[10 + length..]))
}

#[test]
fn a_numpy_array_has_the_floats_of_the_plain_format_and_their_shape() {
    let arguments =
        ["skin", FOX, "--anim", FOX_CLIPS, "--sequence", "walk", "--frame", "0", "--at", "50ms", "--format"];
    let plain = floats(&skelmap(&[arguments.as_slice(), &["f32"]].concat()).stdout);
    let (shape, same) = npy(&skelmap(&[arguments.as_slice(), &["npy"]].concat()).stdout);
    assert_eq!(shape, [2, 398, 6], "times, points, position and normal");
    assert_eq!(plain.len(), 2 * 398 * 6);
    assert!(plain.iter().zip(&same).all(|(one, other)| one.to_bits() == other.to_bits()));

    let poses = ["pose", FOX_CLIPS, "--mesh", FOX, "--sequence", "WALK", "--every-frame", "--format", "npy"];
    let (shape, matrices) = npy(&skelmap(&poses).stdout);
    assert_eq!((shape.as_slice(), matrices.len()), ([30, 23, 16].as_slice(), 30 * 23 * 16));
}

#[test]
fn documents_have_the_path_and_the_entry_of_each_file() {
    use crate::run::{Folder, corpus, stored};

    let folder = Folder::new();
    let (mesh, walk) = (corpus("pyrogenesis/pmd/skinned.pmd"), corpus("pyrogenesis/psa/walk.psa"));
    folder.put("mod.zip", stored(&[("x/m.pmd", &mesh), ("x/w.psa", &walk)]));
    folder.put("m.pmd", &mesh);
    folder.put("w.psa", &walk);
    let document = |line: &str| -> Value { serde_json::from_slice(&folder.says(0, line).out).expect("JSON") };
    for (line, path, entry) in
        [("pose w.psa --at 0", "w.psa", Value::Null), ("pose mod.zip!/x/w.psa --at 0", "mod.zip", "x/w.psa".into())]
    {
        let found = document(line);
        assert_eq!((&found["path"], &found["entry"]), (&path.into(), &entry), "{line}");
    }
    let found = document("skin mod.zip!/x/m.pmd --anim mod.zip!/x/w.psa --at 0");
    assert_eq!((&found["path"], &found["entry"]), (&"mod.zip".into(), &"x/m.pmd".into()));
    assert_eq!((&found["animation"], &found["animation_entry"]), (&"mod.zip".into(), &"x/w.psa".into()));
    let found = document("skin m.pmd --anim w.psa --at 0");
    assert_eq!((&found["path"], &found["entry"]), (&"m.pmd".into(), &Value::Null));
    assert_eq!((&found["animation"], &found["animation_entry"]), (&"w.psa".into(), &Value::Null));
}

#[test]
fn a_pose_states_what_it_is_relative_to() {
    let local = json(&["pose", CLASSIC, "--sequence", "Walk", "--frame", "1"]);
    assert_eq!((&local["relative"], &local["space"]), (&"parent".into(), &"file".into()));
    let model = json(&["pose", FOX_CLIPS, "--mesh", FOX, "--sequence", "walk", "--at", "0", "--space", "gltf"]);
    assert_eq!((&model["relative"], &model["space"], &model["bones"]), (&"model".into(), &"gltf".into(), &23.into()));
    let unknown = json(&["pose", "../corpus/officer_walk.gsa", "--frame", "0"]);
    assert_eq!(unknown["relative"], "unknown");
    let refused = skelmap(&["pose", "../corpus/officer_walk.gsa", "--frame", "0", "--space", "gltf"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(complaint(&refused).contains("the space of swat3.gsa is not known"), "{}", complaint(&refused));
}

#[test]
fn an_error_names_the_missing_or_wrong_argument() {
    let cases: [(&[&str], &str); 9] = [
        (&["pose", FOX_CLIPS, "--at", "0"], "choose one with --sequence (walk, idle)"),
        (&["pose", FOX_CLIPS, "--sequence", "fly", "--at", "0"], "there is no sequence \"fly\" (walk, idle)"),
        (&["pose", FOX_CLIPS, "--sequence", "idel", "--at", "0"], "there is no sequence \"idel\" (idle, walk)"),
        (&["pose", FOX_CLIPS, "--sequence", "walk"], "choose a time: --at TIME, --frame N or --every-frame"),
        (
            &["pose", FOX_CLIPS, "--sequence", "walk", "--frame", "30"],
            "frame 30 does not exist; the animation has only frames 0 to 29",
        ),
        (&["pose", FOX_CLIPS, "--sequence", "walk", "--at", "-1s"], "there is no pose at -1s"),
        (&["pose", FOX_CLIPS, "--sequence", "walk", "--at", "1e308ms"], "there is no pose at 1e308ms"),
        (&["pose", FOX, "--at", "0"], "expected an animation"),
        (
            &["skin", FOX, "--anim", "../corpus/fox_walk.psa", "--at", "0"],
            "expected an animation of the family of actorx.psk",
        ),
    ];
    for (arguments, expected) in cases {
        let refused = skelmap(arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(complaint(&refused).contains(expected), "{arguments:?}: {}", complaint(&refused));
        assert!(refused.stdout.is_empty());
    }
}

#[test]
fn the_extent_of_a_row_is_the_box_around_the_dumped_points() {
    let csv = String::from_utf8(skelmap(&["dump", FOX, "--what", "points"]).stdout).expect("UTF-8");
    let points = csv
        .lines()
        .skip(1)
        .map(|line| -> Vec<f64> { line.split(',').skip(1).map(|value| value.parse().expect("a number")).collect() });
    let points: Vec<Vec<f64>> = points.collect();
    let of_axis = |pick: fn(f64, f64) -> f64| -> Vec<f64> {
        (0..3).map(|axis| points.iter().map(|point| point[axis]).reduce(pick).expect("a point")).collect()
    };
    let folder = tempfile::tempdir().expect("a folder");
    let rows = folder.path().join("rows.jsonl");
    let rows = rows.to_str().expect("UTF-8");
    assert_eq!(skelmap(&["catalog", FOX, FOX_CLIPS, "--extent", "-o", rows]).status.code(), Some(0));
    let text = std::fs::read_to_string(rows).expect("rows");
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let corner = |key: &str| -> Vec<f64> {
        rows[0][key].as_array().expect("a corner").iter().map(|value| value.as_f64().expect("a number")).collect()
    };
    assert_eq!((corner("min"), corner("max")), (of_axis(f64::min), of_axis(f64::max)));
    assert_eq!(rows[0]["height"].as_f64().expect("a height"), of_axis(f64::max)[2] - of_axis(f64::min)[2]);
    assert_eq!(rows[0]["metres"], Value::Null, "ActorX files do not say their unit");
    assert_eq!((&rows[1]["min"], &rows[1]["height"]), (&Value::Null, &Value::Null), "an animation");

    let info = json(&["info", "--format", "json", FOX]);
    assert_eq!(info["details"]["bounds"]["max"], rows[0]["max"]);
    assert_eq!(info["details"]["space"]["up"], "z");
}

#[test]
fn skinned_points_have_the_bounds_that_another_program_gives() {
    let Some(folder) = samples("") else { return };
    let pairs = [
        (
            "surv_hazmat_sprint",
            "actorx/survarium/SK_Male_HazmatArmorMK1_01.psk",
            "actorx/survarium/W2_M4A1_Sprint_01.psa",
        ),
        ("hp2_beater", "actorx/hp2/skBeaterMesh.psk", "actorx/hp2/skBeaterAnims.psa"),
    ];
    for (name, mesh, animation) in pairs {
        let packed = std::fs::read(folder.join(format!("gltf/oracle/{name}.json.xz"))).expect("an oracle");
        let mut text = Vec::new();
        lzma_rs::xz_decompress(&mut packed.as_slice(), &mut text).expect("an archive");
        let oracle: Value = serde_json::from_slice(&text).expect("JSON");
        let tolerance = oracle["tolerance"]["position"].as_f64().expect("a number");
        let (mesh, animation) = (folder.join(mesh), folder.join(animation));
        for (at, time) in oracle["times"].as_array().expect("times").iter().enumerate() {
            let time = format!("{}s", time.as_f64().expect("seconds"));
            let (mesh, animation) = (mesh.to_str().expect("UTF-8"), animation.to_str().expect("UTF-8"));
            let sequence = oracle["clip"].as_str().expect("a name");
            let arguments =
                ["skin", mesh, "--anim", animation, "--sequence", sequence, "--at", &time, "--space", "gltf"];
            let output = skelmap(&[arguments.as_slice(), &["--influences", "4", "--format", "f32"]].concat());
            let points = floats(&output.stdout);
            let points: Vec<&[f32]> = points.chunks_exact(6).collect();
            for axis in 0..3 {
                let values = || points.iter().map(|point| f64::from(point[axis]));
                let found = [values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max)];
                for (corner, found) in found.into_iter().enumerate() {
                    let expected = oracle["boxes"][at][corner][axis].as_f64().expect("a number");
                    assert!((found - expected).abs() <= tolerance, "{name} at {time}: {found}, expected {expected}");
                }
            }
        }
    }
}

#[test]
fn pose_gives_the_same_numbers_in_every_format() {
    let arguments = ["pose", WALK, "--at", "0", "--at", "40.5ms", "--loop", "--format"];
    let run = |format| skelmap(&[&arguments[..], &[format]].concat());
    let plain = floats(&run("f32").stdout);
    assert_eq!(plain.len(), 2 * 3 * 16);
    let json: Value = serde_json::from_slice(&run("json").stdout).expect("JSON");
    assert_eq!((&json["schema"], &json["bones"], &json["loop"]), (&1.into(), &3.into(), &true.into()));
    let matrices =
        json["poses"].as_array().expect("poses").iter().flat_map(|pose| pose["matrices"].as_array().expect("bones"));
    let elements: Vec<Value> = matrices.flat_map(|matrix| matrix.as_array().expect("sixteen").clone()).collect();
    #[expect(clippy::cast_possible_truncation, reason = "what is read is what was written")]
    let from_json: Vec<f32> = elements.iter().map(|element| element.as_f64().expect("a number") as f32).collect();
    assert_eq!(from_json, plain);
    let csv = String::from_utf8(run("csv").stdout).expect("UTF-8");
    let cells = csv.lines().skip(1).flat_map(|line| line.split(',').skip(2));
    assert_eq!(cells.map(|cell| cell.parse::<f32>().expect("a number")).collect::<Vec<_>>(), plain);
}

#[test]
fn pose_and_skin_refuse_requests_without_a_pose() {
    assert_eq!(ended(&["pose", WALK]), 2);
    assert_eq!(ended(&["pose", WALK, "--at", "-1ms"]), 2);
    assert_eq!(ended(&["pose", WALK, "--at", "NaNs"]), 2);
    assert_eq!(ended(&["pose", WALK, "--at", "1e30ms"]), 2);
    let huge = "corpus/pyrogenesis/damaged/no_frames_many_bones.psa";
    assert_eq!(ended(&["pose", "--engine", huge, "--at", "0"]), 1);
    assert_eq!(ended(&["ls", "--engine", huge]), 0);
    assert_eq!(ended(&["dump", "--engine", huge, "--what", "states"]), 0);
    assert_eq!(ended(&["pose", PMD, "--at", "0"]), 2);
    assert_eq!(ended(&["pose", "no such file", "--at", "0"]), 3);
    assert_eq!(ended(&["skin", PMD, "--anim", "corpus/pyrogenesis/psa/no_bones.psa", "--at", "0"]), 1);
    assert_eq!(ended(&["skin", WALK, "--anim", WALK, "--at", "0"]), 2);
}

#[test]
fn skin_moves_the_vertices_of_old_versions() {
    for mesh in [PMD, "corpus/pyrogenesis/pmd/version_1.pmd", "corpus/pyrogenesis/pmd/static.pmd"] {
        let animation = if mesh.ends_with("static.pmd") { "corpus/pyrogenesis/psa/no_bones.psa" } else { WALK };
        let arguments = ["skin", mesh, "--anim", animation, "--at", "40.5ms", "--format"];
        let run = |format| skelmap(&[&arguments[..], &[format]].concat());
        let plain = floats(&run("f32").stdout);
        let vertices = json(&[&arguments[..], &["json"]].concat())["vertices"].as_array().map(Vec::len);
        assert_eq!(vertices, Some(plain.len() / 6), "{mesh}");
        assert!(!plain.is_empty());
        let csv = String::from_utf8(run("csv").stdout).expect("UTF-8");
        assert_eq!(csv.lines().count() - 1, plain.len() / 6);
    }
}

#[test]
fn the_bytes_of_the_command_equal_the_bytes_of_the_engine() {
    let Some(folder) = samples("pyrogenesis") else { return };
    let path = |file: &str| folder.join(file).to_str().expect("UTF-8").to_owned();
    let mesh = path("public-a28/art/meshes/skeletal/deer_mesh.dae.cached.pmd");
    let animation = path("public-a28/art/animation/quadraped/deer_death_02.dae.cached.psa");
    let output =
        skelmap(&["skin", &mesh, "--anim", &animation, "--at", "117.6606216430664ms", "--loop", "--format", "f32"]);
    assert_eq!(output.stdout, std::fs::read(folder.join("oracle/skin_00.f32")).expect("the oracle"));
}

/// The engine moves the vertices of versions 1 and 2 from bones to model space when it loads a mesh.
#[test]
fn skin_without_an_animation_gives_the_rest_pose_of_the_engine() {
    let Some(folder) = samples("pyrogenesis") else { return };
    for name in ["horse", "sphere"] {
        let kind = if name == "horse" { "pmd-to-gltf" } else { "engine-tests" };
        let mesh = folder.join(kind).join(format!("{name}.pmd"));
        let output = skelmap(&["skin", mesh.to_str().expect("UTF-8"), "--format", "f32"]);
        let expected = std::fs::read(folder.join(format!("oracle/rest_{name}.f32"))).expect("the oracle");
        // Behind the vertices, the oracle has the matrices of bones and props.
        assert!(!output.stdout.is_empty() && expected.starts_with(&output.stdout), "{name}");
        let vertices = json(&["info", "--format", "json", mesh.to_str().expect("UTF-8")])["points"].as_u64();
        assert_eq!(vertices, Some(output.stdout.len() as u64 / 24), "{name}");
    }
}

#[test]
fn the_rest_pose_has_the_same_numbers_in_every_format() {
    let mesh = "corpus/pyrogenesis/pmd/version_1.pmd";
    let plain = floats(&skelmap(&["skin", mesh, "--format", "f32"]).stdout);
    assert!(!plain.is_empty());
    let object = json(&["skin", mesh]);
    assert_eq!((&object["animation"], &object["at_ms"], &object["loop"]), (&Value::Null, &Value::Null, &false.into()));
    let vertices = object["vertices"].as_array().expect("vertices");
    let parts = vertices.iter().flat_map(|vertex| [&vertex["position"], &vertex["normal"]]);
    let elements = parts.flat_map(|part| part.as_array().expect("three").clone());
    assert_eq!(elements.map(|element| element.as_f64().expect("a number") as f32).collect::<Vec<_>>(), plain);
    let csv = String::from_utf8(skelmap(&["skin", mesh, "--format", "csv"]).stdout).expect("UTF-8");
    let cells = csv.lines().skip(1).flat_map(|line| line.split(',').skip(2));
    assert_eq!(cells.map(|cell| cell.parse::<f32>().expect("a number")).collect::<Vec<_>>(), plain);
    assert_eq!(ended(&["skin", mesh, "--at", "0"]), 2);
    assert_eq!(ended(&["skin", mesh, "--anim", WALK]), 2);
}

#[test]
fn a_time_has_a_unit() {
    let pose = |time: &str| skelmap(&["pose", WALK, "--at", time, "--format", "f32"]);
    let half = pose("0.04s").stdout;
    assert!(!half.is_empty());
    assert_eq!(half, pose("40ms").stdout);
    assert_ne!(half, pose("0s").stdout);
    assert_eq!(pose("0").stdout, pose("0ms").stdout);
    let bare = pose("40");
    assert_eq!(status(&bare), 2);
    assert!(stderr(&bare).contains("expected a unit: 40s or 40ms"), "{}", stderr(&bare));
    assert!(stderr(&pose("4m")).contains("expected a time, such as 0.5s or 500ms"));
}

#[test]
fn an_option_has_one_meaning() {
    let has = |command: &str, option: &str| {
        let help = stdout(&skelmap(&[command, "--help"]));
        help.lines().any(|line| line.trim_start().split([' ', ',', '=']).any(|word| word == option))
    };
    // All other files.
    let commands =
        ["ls", "check", "diff", "pose", "skin", "sheet", "match", "convert", "view", "mod", "stats", "catalog"];
    assert_eq!(commands.into_iter().filter(|own| has(own, "--all")).collect::<Vec<_>>(), ["ls", "diff"]);
    // The columns of a table.
    assert!(!has("sheet", "--columns") && has("sheet", "--per-row") && has("ls", "--columns"));
    assert!(has("check", "--every-record") && has("pose", "--every-frame") && has("sheet", "--animations"));
}
