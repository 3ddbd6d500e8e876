//! The command over the second family: the common commands, and `pose` and `skin`.

use std::process::Output;

use serde_json::Value;

use crate::command::skelmap;
use test_support::corpus::samples;

const MESH: &str = "corpus/pyrogenesis/pmd/skinned.pmd";
const WALK: &str = "corpus/pyrogenesis/psa/walk.psa";

fn status(arguments: &[&str]) -> Option<i32> {
    skelmap(arguments).status.code()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_slice(&skelmap(arguments).stdout).expect("JSON")
}

fn floats(output: &Output) -> Vec<f32> {
    output.stdout.chunks_exact(4).map(|float| f32::from_le_bytes(float.try_into().expect("four bytes"))).collect()
}

#[test]
fn ls_and_info_know_both_formats() {
    let rows = json(&["ls", "--format", "json", MESH, WALK]);
    assert_eq!((&rows[0]["format"], &rows[0]["bones"]), (&"pyrogenesis.pmd".into(), &3.into()));
    assert_eq!((&rows[1]["format"], &rows[1]["frames"]), (&"pyrogenesis.psa".into(), &8.into()));
    assert_eq!((&rows[1]["sequences"], &rows[1]["points"]), (&1.into(), &Value::Null));
    assert!((rows[1]["duration_s"].as_f64().expect("seconds") - 8.0 / 30.0).abs() < 1e-6);
    let info = json(&["info", "--format", "json", MESH]);
    assert_eq!(info["details"]["version"], 4);
    let sections: Vec<_> = info["details"]["sections"].as_array().expect("sections").iter().collect();
    assert_eq!(
        sections.iter().map(|section| &section["section"]).collect::<Vec<_>>(),
        ["vertices", "faces", "bind pose", "prop points"]
    );
    assert_eq!(info["details"]["props"][0]["name"], "root");
}

#[test]
fn the_option_engine_reads_odd_files_as_the_game_does() {
    let odd = "corpus/pyrogenesis/psa/version_2.psa";
    assert_eq!(status(&["ls", odd]), Some(1));
    let row = json(&["ls", "--engine", "--format", "json", odd]);
    assert_eq!(row[0]["quirks"], serde_json::json!(["unknown-version"]));
}

#[test]
fn check_reports_faults() {
    assert_eq!(status(&["check", MESH, WALK]), Some(0));
    let found = json(&["check", "--format", "json", "corpus/pyrogenesis/pmd/face_vertex.pmd"]);
    assert_eq!(found[0]["findings"][0]["code"], "face-vertex");
}

#[test]
fn every_array_can_be_dumped() {
    let of_mesh = ["vertices", "uvs", "faces", "bones", "influences", "props"].map(|what| (MESH, what));
    for (file, what) in of_mesh.into_iter().chain([(WALK, "states")]) {
        let csv = String::from_utf8(skelmap(&["dump", file, "--what", what]).stdout).expect("UTF-8");
        let lines = json(&["dump", file, "--what", what, "--format", "json"]);
        assert!(csv.lines().count() > 1, "{what}");
        assert_eq!(lines.as_array().map(Vec::len), Some(csv.lines().count() - 1), "{what}");
    }
    assert_eq!(status(&["dump", WALK, "--what", "points"]), Some(2));
    assert_eq!(status(&["dump", WALK, "--what", "states", "--bone", "3"]), Some(2));
}

/// The header of the fox's walk says 33.333332 ms for each frame.
#[test]
fn states_have_seconds() {
    let walk = "../corpus/fox_walk.psa";
    let csv = String::from_utf8(skelmap(&["dump", walk, "--what", "states", "--bone", "5"]).stdout).expect("UTF-8");
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("frame,bone,x,y,z,qx,qy,qz,qw,seconds"));
    for (frame, line) in lines.enumerate() {
        let seconds: f64 = line.rsplit(',').next().expect("a cell").parse().expect("a number");
        assert!((seconds - frame as f64 * 0.033_333_332).abs() < 1e-6, "{line}");
    }
    assert_eq!(csv.lines().count(), 31);
}

#[test]
fn pose_gives_the_same_numbers_in_every_format() {
    let arguments = ["pose", WALK, "--at", "0", "--at", "40.5", "--loop", "--format"];
    let run = |format| skelmap(&[&arguments[..], &[format]].concat());
    let plain = floats(&run("f32"));
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
    assert_eq!(status(&["pose", WALK]), Some(2));
    assert_eq!(status(&["pose", WALK, "--at", "-1"]), Some(2));
    assert_eq!(status(&["pose", WALK, "--at", "NaN"]), Some(2));
    assert_eq!(status(&["pose", WALK, "--at", "1e30"]), Some(2));
    let huge = "corpus/pyrogenesis/damaged/no_frames_many_bones.psa";
    assert_eq!(status(&["pose", "--engine", huge, "--at", "0"]), Some(1));
    assert_eq!(status(&["ls", "--engine", huge]), Some(0));
    assert_eq!(status(&["dump", "--engine", huge, "--what", "states"]), Some(0));
    assert_eq!(status(&["pose", MESH, "--at", "0"]), Some(2));
    assert_eq!(status(&["pose", "no such file", "--at", "0"]), Some(3));
    assert_eq!(status(&["skin", MESH, "--anim", "corpus/pyrogenesis/psa/no_bones.psa", "--at", "0"]), Some(1));
    assert_eq!(status(&["skin", WALK, "--anim", WALK, "--at", "0"]), Some(2));
}

#[test]
fn skin_moves_the_vertices_of_old_versions() {
    for mesh in [MESH, "corpus/pyrogenesis/pmd/version_1.pmd", "corpus/pyrogenesis/pmd/static.pmd"] {
        let animation = if mesh.ends_with("static.pmd") { "corpus/pyrogenesis/psa/no_bones.psa" } else { WALK };
        let arguments = ["skin", mesh, "--anim", animation, "--at", "40.5", "--format"];
        let run = |format| skelmap(&[&arguments[..], &[format]].concat());
        let plain = floats(&run("f32"));
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
        skelmap(&["skin", &mesh, "--anim", &animation, "--at", "117.6606216430664", "--loop", "--format", "f32"]);
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
    let plain = floats(&skelmap(&["skin", mesh, "--format", "f32"]));
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
    assert_eq!(status(&["skin", mesh, "--at", "0"]), Some(2));
    assert_eq!(status(&["skin", mesh, "--anim", WALK]), Some(2));
}
