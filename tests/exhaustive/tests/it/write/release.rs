//! All meshes and animations of a release of 0 A.D., written as glTF and back. `SKELMAP_0AD` names its `public.zip`; without it these tests say so and
//! pass.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use skelmap::archive::{Archive, Inflater};
use skelmap::mapping::Mapping;
use skelmap::model::Binding;
use skelmap::pyrogenesis::{NO_BONE, Pmd, Psa, Triangle};
use skelmap::{Asset, Format};
use skelmap_export::{Animation, Document, ExportOptions};
use skelmap_write::Gltf;
use skelmap_write::pyrogenesis::{Frames, Rigging, Rules, write_animation};

use test_support::with;

use super::compare::degrees;

fn release() -> Option<PathBuf> {
    let found = std::env::var_os("SKELMAP_0AD").map(PathBuf::from);
    if found.is_none() {
        println!("skipped: SKELMAP_0AD names no public.zip of 0 A.D.");
    }
    found
}

/// The files of a format, by name.
fn files(path: &Path, format: Format) -> Vec<(String, Vec<u8>)> {
    let archive = Archive::parse(Mapping::read(path).unwrap()).unwrap();
    let (mut all, mut inflater) = (Vec::new(), Inflater::default());
    for entry in archive.entries() {
        let name = entry.name().to_string();
        let extension = Path::new(&name).extension().unwrap_or_default();
        if extension != "pmd" && extension != "psa" {
            continue;
        }
        let bytes = archive.read(&entry, &mut inflater).unwrap().to_vec();
        if Format::sniff(&bytes).ok() == Some(format) {
            all.push((name, bytes));
        }
    }
    all
}

/// What differs, counted over all files.
#[derive(Default, Debug)]
struct Differences {
    files: usize,
    counts: BTreeMap<&'static str, usize>,
    worst: BTreeMap<&'static str, f32>,
    names: BTreeMap<&'static str, Vec<String>>,
}

impl Differences {
    fn count(&mut self, what: &'static str, name: &str) {
        *self.counts.entry(what).or_default() += 1;
        let names = self.names.entry(what).or_default();
        if names.len() < 3 {
            names.push(name.to_owned());
        }
    }

    fn measure(&mut self, what: &'static str, value: f32) {
        let worst = self.worst.entry(what).or_default();
        *worst = worst.max(value);
    }
}

fn glb(document: &Document<'_>) -> Vec<u8> {
    let mut file = Vec::new();
    let options = with(ExportOptions::default(), |own| (own.keep_unused, own.keep_degenerate) = (true, true));
    document.write_glb(&options, &mut file).unwrap();
    file
}

fn distance<const N: usize>(one: [f32; N], other: [f32; N]) -> f32 {
    one.into_iter().zip(other).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max)
}

fn compare_mesh(name: &str, one: &Pmd<'_>, other: &Pmd<'_>, all: &mut Differences) {
    all.files += 1;
    if one.bytes() == other.bytes() {
        all.count("bytes equal", name);
    }
    if one.vertices().len() != other.vertices().len() || one.uv_set_count() != other.uv_set_count() {
        all.count("another number of vertices", name);
        return;
    }
    let faces = |mesh: &Pmd<'_>| mesh.faces().iter().map(Triangle::vertices).collect::<Vec<_>>();
    let (mine, theirs) = (faces(one), faces(other));
    if mine != theirs {
        let whole = |faces: &[[u16; 3]]| faces.iter().filter(|[a, b, c]| a != b && b != c && a != c).count();
        let kind = if mine.len() == whole(&theirs) { "triangles with a repeated index" } else { "other triangles" };
        all.count(kind, name);
    }
    let bits = |values: [f32; 3]| values.map(f32::to_bits);
    for (mine, theirs) in one.vertices().zip(other.vertices()) {
        if bits(mine.position()) != bits(theirs.position()) {
            all.count("positions", name);
        }
        all.measure("normal", distance(mine.normal(), theirs.normal()));
        for (mine, theirs) in mine.uvs().iter().zip(theirs.uvs()) {
            let ([u, v], [own_u, own_v]) = (mine.get(), theirs.get());
            if u.to_bits() != own_u.to_bits() {
                all.count("u", name);
            }
            // 1 - v has the last bit of the greater of the two.
            all.measure("v", (v - own_v).abs() / own_v.abs().max(1.0));
        }
        let weights = |blend: &skelmap::pyrogenesis::Blend| {
            let mut weights = [0.0; 256];
            for (bone, weight) in blend.bones().into_iter().zip(blend.weights()) {
                weights[usize::from(bone)] += if bone == NO_BONE { 0.0 } else { weight };
            }
            weights
        };
        all.measure("weight", distance(weights(mine.blend()), weights(theirs.blend())));
    }
    if one.bone_count() != other.bone_count() {
        all.count("another number of bones", name);
    }
    for (mine, theirs) in one.bones().iter().zip(other.bones()) {
        if mine.translation() != theirs.translation() {
            all.count("translations of bones", name);
        }
        all.measure("rotation of a bone", rotation(mine.rotation(), theirs.rotation()));
    }
    let props = |mesh: &Pmd<'_>| {
        mesh.props().map(|prop| (prop.name.to_string(), prop.transform.as_bytes().to_vec())).collect::<Vec<_>>()
    };
    if props(one) != props(other) {
        all.count("prop points", name);
        for (mine, theirs) in one.props().zip(other.props()) {
            if mine.name != theirs.name || mine.transform.as_bytes() != theirs.transform.as_bytes() {
                println!("{name} {:?} {:?}\n    {:?} {:?}", mine.name, mine.transform, theirs.name, theirs.transform);
            }
        }
    }
}

/// The greatest difference between the components of two rotations, of which one and its opposite are the same.
fn rotation(one: [f32; 4], other: [f32; 4]) -> f32 {
    distance(one, other).min(distance(one.map(|value| -value), other))
}

#[test]
fn the_meshes_of_a_release_come_back_from_gltf() {
    let Some(path) = release() else { return };
    let all = Mutex::new(Differences::default());
    let files = files(&path, Format::PyrogenesisPmd);
    std::thread::scope(|scope| {
        for half in files.chunks(files.len().div_ceil(2)) {
            let all = &all;
            scope.spawn(move || {
                for (name, bytes) in half {
                    let asset = Asset::parse(bytes).unwrap();
                    let glb = glb(&Document::of_mesh(&asset.mesh().unwrap()));
                    let model = Gltf::parse(&glb).unwrap().to_model(None).unwrap();
                    let mut file = Vec::new();
                    Rigging::new(&model, &Rules::default()).unwrap().write_mesh(&model, &mut file).unwrap();
                    let mut all = all.lock().unwrap();
                    compare_mesh(name, &Pmd::parse(&file).unwrap(), &Pmd::parse(bytes).unwrap(), &mut all);
                }
            });
        }
    });
    let all = all.into_inner().unwrap();
    println!("{all:#?}");
    assert!(all.files > 0 && all.counts.keys().all(|what| *what == "bytes equal"), "only numbers are rounded");
    assert!(all.worst.values().all(|worst| *worst <= 2e-7), "by the last bit of a float");
}

#[test]
fn the_animations_of_a_release_come_back_from_gltf() {
    let Some(path) = release() else { return };
    let meshes = files(&path, Format::PyrogenesisPmd);
    let mut by_count: BTreeMap<usize, &Vec<u8>> = BTreeMap::new();
    for (_, bytes) in &meshes {
        by_count.entry(Pmd::parse(bytes).unwrap().bone_count()).or_insert(bytes);
    }
    let mut all = Differences::default();
    for (name, bytes) in files(&path, Format::PyrogenesisPsa) {
        let stored = Psa::parse(&bytes).unwrap();
        let Some(mesh) = by_count.get(&stored.bone_count()) else {
            all.count("no mesh has so many bones", &name);
            continue;
        };
        let (mesh, animation) = (Asset::parse(mesh).unwrap(), Asset::parse(&bytes).unwrap());
        let mesh = mesh.mesh().unwrap();
        let mut document = Document::of_mesh(&mesh);
        document.animations = animation.clips().map(|clip| Animation::new(&clip, Binding::new(&mesh, &clip))).collect();
        let glb = glb(&document);
        let gltf = Gltf::parse(&glb).unwrap();
        let model = gltf.to_model(None).unwrap();
        let rigging = Rigging::new(&model, &Rules::default()).unwrap();
        let Some(clip) = gltf.clip(0, None).unwrap() else {
            all.count("no clip", &name);
            continue;
        };
        let mut file = Vec::new();
        write_animation(&rigging, &clip, Frames::All, &mut file).unwrap();
        let found = Psa::parse(&file).unwrap();
        all.files += 1;
        if found.frame_count() != stored.frame_count() {
            all.count("another number of frames", &name);
            println!("{name}: {} {}", found.frame_count(), stored.frame_count());
            continue;
        }
        if found.frame_length_ms().to_bits() != stored.frame_length_ms().to_bits() {
            all.count("another length of a frame", &name);
        }
        let mut is_equal = true;
        for (mine, theirs) in found.states().iter().zip(stored.states()) {
            is_equal &= mine.translation() == theirs.translation();
            all.measure("translation", distance(mine.translation(), theirs.translation()));
            all.measure("rotation", rotation(mine.rotation(), theirs.rotation()));
            all.measure("degrees", degrees(mine.rotation(), theirs.rotation()) as f32);
        }
        if is_equal {
            all.count("translations equal", &name);
        }
    }
    println!("{all:#?}");
    let known = ["no clip", "no mesh has so many bones", "translations equal"];
    assert!(all.files > 0 && all.counts.keys().all(|what| known.contains(what)), "the same frames");
    assert!(all.worst.get("translation") <= Some(&1e-6) && all.worst.get("degrees") <= Some(&0.01));
}
