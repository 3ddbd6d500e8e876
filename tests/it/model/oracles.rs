//! Skinned positions that another program computed from the same files, in 4x4 matrices of `f64`: eight pairs, at up to
//! five times each, found through `SKELMAP_SAMPLES`; without it these tests say so and pass.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use skelmap::Asset;
use skelmap::actorx::Config;
use skelmap::model::{Binding, Bounds, Clip, IDENTITY, Mesh, Skin, Space, Transform, UvOrigin, Winding, Wrap};

use test_support::corpus::sha256;

type Point = [f32; 3];

/// The sampled corners of an oracle, and what is asked of them.
struct Oracle {
    json: Value,
    folder: PathBuf,
}

impl Oracle {
    fn read(folder: &Path, name: &str) -> Self {
        let packed = fs::read(folder.join(format!("gltf/oracle/{name}.json.xz"))).unwrap();
        let mut text = Vec::new();
        lzma_rs::xz_decompress(&mut packed.as_slice(), &mut text).unwrap();
        Self { json: serde_json::from_slice(&text).unwrap(), folder: folder.to_owned() }
    }

    /// The file that an entry of `inputs` names, by its SHA-256.
    fn input(&self, entry: &Value) -> Vec<u8> {
        let (name, hash) = (entry[0].as_str().unwrap(), entry[1].as_str().unwrap());
        let found = ["actorx", "pyrogenesis"].iter().find_map(|family| find(&self.folder.join(family), name, hash));
        found.unwrap_or_else(|| panic!("no file {name} with the hash {hash}"))
    }

    fn number(&self, path: &str) -> f64 {
        self.json.pointer(path).and_then(Value::as_f64).unwrap()
    }

    fn floats<const N: usize>(values: &Value) -> Vec<[f32; N]> {
        let row = |row: &Value| -> [f32; N] { std::array::from_fn(|at| row[at].as_f64().unwrap() as f32) };
        values.as_array().unwrap().iter().map(row).collect()
    }
}

fn find(folder: &Path, name: &str, hash: &str) -> Option<Vec<u8>> {
    fs::read_dir(folder).unwrap().find_map(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            return find(&path, name, hash);
        }
        let bytes = (path.file_name()?.to_str()? == name).then(|| fs::read(&path).unwrap())?;
        let digits = sha256(&bytes);
        (digits == hash).then_some(bytes)
    })
}

fn distance(a: Point, b: Point) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt()
}

/// The positions of all points in a pose.
fn posed(mesh: &Mesh<'_>, skin: &Skin, pose: &[Transform]) -> Vec<Point> {
    let mut matrices = vec![IDENTITY; skin.matrix_count()];
    let mut positions = vec![[f32::NAN; 3]; mesh.point_count()];
    skin.matrices(pose, &mut matrices).unwrap();
    skin.positions(mesh, &matrices, &mut positions).unwrap();
    positions
}

/// For each sampled triangle the points of its corners: the triangle of the mesh at the same place, in the same winding
/// and with the same texture coordinates.
fn match_triangles(oracle: &Oracle, mesh: &Mesh<'_>, rest: &[Point]) -> HashMap<usize, usize> {
    let expected: Vec<Point> = Oracle::floats(&oracle.json["corners"]["rest"]);
    let uvs: Vec<[f32; 2]> = Oracle::floats(&oracle.json["corners"]["uv"]);
    let tolerance = (oracle.number("/tolerance/match") * oracle.number("/size")) as f32;
    let coordinates = mesh.uvs(0).unwrap();
    let uv = |vertex: usize| {
        let [u, v] = coordinates.get(vertex).unwrap().get();
        [u, if mesh.uv_origin() == UvOrigin::Bottom { 1.0 - v } else { v }]
    };
    let triangles: Vec<[usize; 3]> = (0..mesh.triangle_count())
        .map(|index| {
            let [a, b, c] = mesh.triangle(index).unwrap().vertices.map(|vertex| vertex as usize);
            if mesh.winding() == Winding::Clockwise { [c, b, a] } else { [a, b, c] }
        })
        .collect();
    let mut points = HashMap::new();
    for corners in oracle.json["triangles"].as_array().unwrap() {
        let corners: [usize; 3] = std::array::from_fn(|at| corners[at].as_u64().unwrap() as usize);
        let fits = |[a, b, c]: [usize; 3]| {
            [a, b, c].iter().zip(corners).all(|(vertex, corner)| {
                let point = mesh.point_of(*vertex).unwrap();
                let same_uv = uv(*vertex).iter().zip(uvs[corner]).all(|(a, b)| (a - b).abs() < 1e-5);
                same_uv && distance(rest[point], expected[corner]) <= tolerance
            })
        };
        let turned = triangles.iter().flat_map(|[a, b, c]| [[*a, *b, *c], [*b, *c, *a], [*c, *a, *b]]);
        let found = turned.into_iter().find(|turned| fits(*turned)).expect("no such triangle");
        for (corner, vertex) in corners.into_iter().zip(found) {
            points.insert(corner, mesh.point_of(vertex).unwrap());
        }
    }
    points
}

fn clip_of<'a>(oracle: &Oracle, animation: &Asset<'a>) -> Clip<'a> {
    let name = oracle.json["clip"].as_str().unwrap();
    let clips: Vec<Clip<'_>> = animation.clips().collect();
    match clips.as_slice() {
        [clip] => *clip,
        clips => *clips.iter().find(|clip| clip.name().is_some_and(|own| own.matches(name))).unwrap(),
    }
}

/// Evaluates the pair in glTF's space and compares it with the oracle: positions, boxes and bones.
fn meets(name: &str) {
    let Some(folder) = test_support::corpus::samples("") else { return };
    let oracle = Oracle::read(&folder, name);
    let inputs = &oracle.json["inputs"];
    let (mesh, animation) = (oracle.input(&inputs["mesh"]), inputs["animations"].get(0));
    let animation = animation.map(|animation| oracle.input(animation));
    let (mesh, animation) =
        (Asset::parse(&mesh).unwrap(), animation.as_ref().map(|animation| Asset::parse(animation).unwrap()));
    let mesh = mesh.mesh().unwrap().with_metres(oracle.json["options"]["scale"].as_f64().unwrap_or(1.0) as f32);
    let mesh = mesh.in_space(Space::GLTF);
    let skin = Skin::new(&mesh, 4).unwrap();
    let rest = posed(&mesh, &skin, skin.bind_pose());
    let points = match_triangles(&oracle, &mesh, &rest);
    assert!(points.len() > 100, "{name}: {} corners", points.len());
    assert_eq!(mesh.bone_count() as u64, oracle.json["counts"]["joints"].as_u64().unwrap());

    let clip = animation.as_ref().map(|animation| clip_of(&oracle, animation));
    let binding = clip.map(|clip| {
        let side_car = inputs.get("config").map(|config| oracle.input(config));
        let sources = side_car.map(|side_car| Config::new(&side_car).to_sources(&clip));
        let binding = Binding::new(&mesh, &clip);
        match sources {
            Some(sources) => binding.with_sources(&sources),
            None => binding,
        }
    });
    if let Some(clip) = &clip {
        assert_eq!(clip.frame_count() as u64, oracle.json["clip_frames"].as_u64().unwrap());
        assert!(binding.as_ref().is_some_and(|binding| !binding.is_additive(clip)));
    }
    let tolerance = oracle.number("/tolerance/position") as f32;
    let used: Vec<usize> = (0..mesh.triangle_count())
        .flat_map(|index| mesh.triangle(index).unwrap().vertices)
        .map(|vertex| mesh.point_of(vertex as usize).unwrap())
        .collect();
    for (at, time) in oracle.json["times"].as_array().unwrap().iter().enumerate() {
        let seconds = time.as_f64().unwrap();
        let mut pose = skin.bind_pose().to_vec();
        if let Some((binding, clip)) = binding.as_ref().zip(clip) {
            binding.sample(&clip, seconds, Wrap::Clamp, &mut pose).unwrap();
        }
        let positions = posed(&mesh, &skin, &pose);
        let key = |values: &Value| values.get(at).or_else(|| values.as_object()?.values().nth(at)).unwrap().clone();
        let expected: Vec<Point> = Oracle::floats(&key(&oracle.json["corners"]["pos"]));
        let worst = points.iter().map(|(corner, point)| distance(positions[*point], expected[*corner]));
        let worst = worst.fold(0.0, f32::max);
        println!("{name} at {seconds} s: {worst:.2e} m, tolerance {tolerance:.2e} m");
        assert!(worst <= tolerance, "{name} at {seconds} s: {worst} m");

        let bounds = Bounds::of(used.iter().map(|point| positions[*point])).unwrap();
        let expected: Vec<Point> = Oracle::floats(&oracle.json["boxes"][at]);
        assert!(distance(bounds.min, expected[0]).max(distance(bounds.max, expected[1])) <= tolerance, "{bounds:?}");

        let mut matrices = vec![IDENTITY; skin.bone_count()];
        skin.model_matrices(&pose, &mut matrices).unwrap();
        let bones: Vec<Point> = Oracle::floats(&key(&oracle.json["bones"]["pos"]));
        for (bone, expected) in bones.iter().enumerate() {
            let [.., x, y, z, _] = matrices[bone];
            assert!(distance([x, y, z], *expected) <= tolerance, "{name}: bone {bone} at {seconds} s");
        }
    }
}

#[test]
fn duplicate_influences_and_renumbered_frames_agree_with_another_program() {
    meets("cue4_grunt");
}

#[test]
fn a_rest_pose_of_74_280_wedges_agrees_with_another_program() {
    meets("cue4_sarge_rest");
}

#[test]
fn points_with_six_influences_agree_with_another_program_that_uses_four() {
    meets("hp2_beater");
}

#[test]
fn a_deer_agrees_with_the_engine() {
    meets("pyro_deer_death");
}

#[test]
fn a_mesh_relative_to_its_bind_pose_agrees_with_the_engine() {
    meets("pyro_horse_v2_gallop");
}

#[test]
fn vertices_bound_to_the_model_agree_with_the_engine() {
    meets("pyro_sail_pseudobone");
}

#[test]
fn removed_tracks_agree_with_another_program() {
    meets("surv_hazmat_sprint");
}

#[test]
fn a_mesh_of_481_bones_agrees_with_another_program() {
    meets("ue_carlos");
}
