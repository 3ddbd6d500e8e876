//! The model of the crate agrees with the naive evaluation on every file there is: of the corpus, good to look at, real and
//! generated.

use std::fs;
use std::path::PathBuf;

use proptest::prelude::*;
use skelmap::{Asset, Match, Verdict};

use test_support::actorx::build as actorx;
use test_support::corpus::{below, cases, samples};
use test_support::model::agree::{Effort, agree, agree_about_clips, agree_about_mesh};
use test_support::model::any_bytes::{SIDE_CAR, partner_of_animation, partner_of_mesh};
use test_support::pyrogenesis::build as pyrogenesis;
use test_support::{FAMILIES, swat3};

/// The effort that a file of this size is worth.
fn effort(bytes: usize) -> Effort {
    if bytes > 50_000 { Effort::brief() } else { Effort::whole() }
}

#[test]
fn every_file_of_the_corpus_agrees_alone_and_with_a_partner_of_the_same_bones() {
    for case in cases() {
        println!("{}", case.file);
        let (bytes, effort) = (&case.bytes, effort(case.bytes.len()));
        let side_car = case.extra.first().map_or(SIDE_CAR, |(_, text)| text);
        if let Some(animation) = partner_of_mesh(bytes) {
            agree(bytes, &animation, Some(side_car), &effort);
        } else if let Some(mesh) = partner_of_animation(bytes) {
            agree(&mesh, bytes, Some(side_car), &effort);
        } else {
            agree_about_mesh(bytes, &effort);
            agree_about_clips(bytes, &effort);
        }
    }
}

#[test]
fn all_pairs_of_good_files_agree() {
    let files: Vec<_> = FAMILIES.iter().flat_map(|family| (family.good)()).collect();
    let is = |name: &str, extensions: &[&str]| extensions.iter().any(|extension| name.ends_with(extension));
    let side_car = files.iter().find(|(name, _)| is(name, &[".config"])).map(|(_, text)| text.as_slice());
    let effort = Effort { frames: 8, positions: vec![0.5, 3.25, -1.75], ..Effort::whole() };
    for (mesh, mesh_bytes) in files.iter().filter(|(name, _)| is(name, &[".psk", ".pmd"])) {
        for (animation, bytes) in files.iter().filter(|(name, _)| is(name, &[".psa", ".gsa"])) {
            println!("{mesh} and {animation}");
            agree(mesh_bytes, bytes, side_car, &effort);
        }
    }
}

/// Larger files would take longer than all tests.
const MAX: u64 = 16 << 20;

/// The files of a family, each with its parsed bones to match by.
fn real(family: &str, extensions: &[&str]) -> Option<Vec<(PathBuf, Vec<u8>)>> {
    let folder = samples(family)?;
    let small = below(&folder, extensions).into_iter().filter(|path| fs::metadata(path).unwrap().len() <= MAX);
    Some(small.map(|path| (path.clone(), fs::read(path).unwrap())).collect())
}

/// Compares each mesh with as many of the animations that fit it, and says how many pairs there were.
fn pairs(meshes: &[(PathBuf, Vec<u8>)], animations: &[(PathBuf, Vec<u8>)], most: usize) -> usize {
    let mut count = 0;
    for (mesh_path, mesh) in meshes {
        let Ok(asset) = Asset::parse(mesh) else { continue };
        agree_about_mesh(mesh, &Effort::brief());
        let fits = |bytes: &[u8]| {
            let animation = Asset::parse(bytes).ok();
            let found = animation.and_then(|animation| Match::of(&asset, &animation));
            found.is_some_and(|found| found.verdict() <= Verdict::SameCount)
        };
        // Spread over all that fit, and others for each mesh.
        let fitting: Vec<_> = animations.iter().filter(|(_, bytes)| fits(bytes)).collect();
        let step = (fitting.len() / most).max(1);
        for (path, animation) in fitting.iter().skip(count % step).step_by(step).take(most) {
            println!("{} and {}", mesh_path.display(), path.display());
            let side_car = fs::read(path.with_extension("config")).ok();
            agree(mesh, animation, side_car.as_deref(), &effort(mesh.len() + animation.len()));
            count += 1;
        }
    }
    count
}

#[test]
fn real_actorx_pairs_agree_with_and_without_their_side_cars() {
    let Some(animations) = real("actorx", &["psa"]) else { return };
    let meshes = real("actorx", &["psk", "pskx"]).unwrap();
    let count = pairs(&meshes, &animations, 6);
    assert!(count >= 12, "{count} pairs");
}

#[test]
fn real_pyrogenesis_pairs_agree() {
    let Some(animations) = real("pyrogenesis", &["psa"]) else { return };
    let meshes: Vec<_> = real("pyrogenesis", &["pmd"]).unwrap().into_iter().step_by(2).collect();
    let count = pairs(&meshes, &animations, 3);
    assert!(count >= 40, "{count} pairs");
}

#[test]
fn real_swat3_animations_agree() {
    let Some(animations) = real("swat3", &["gsa"]) else { return };
    assert!(animations.len() >= 5);
    for (path, bytes) in animations {
        println!("{}", path.display());
        agree_about_clips(&bytes, &Effort::whole());
    }
}

/// A number that models have, and now and then one that they do not.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![8 => -2.0_f32..2.0, 2 => Just(0.0), 1 => -500.0_f32..500.0, 1 => any::<f32>()]
}

fn rotation() -> impl Strategy<Value = [f32; 4]> {
    prop_oneof![
        4 => [-1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0],
        1 => Just([0.0; 4]),
        1 => Just([0.0, 0.0, 0.0, 1.0]),
        1 => Just([1.0, 0.0, 0.0, 0.0]),
        1 => [number(), number(), number(), number()],
    ]
}

fn vector() -> impl Strategy<Value = [f32; 3]> {
    [number(), number(), number()]
}

fn bone() -> impl Strategy<Value = actorx::Bone> {
    // Few names, so that some are duplicates, in both cases and with blanks behind.
    ("[AaBb]{1,2} {0,2}", -2_i32..9, vector(), rotation())
        .prop_map(|(name, parent, position, rotation)| actorx::Bone::new(&name, parent, position, rotation))
}

fn actorx_mesh() -> impl Strategy<Value = Vec<u8>> {
    let weight = (number(), -1_i32..7, -1_i32..9);
    let weights = prop::collection::vec(weight, 0..24);
    let morphs = prop::collection::vec((vector(), vector(), -1_i32..7), 0..6);
    let sockets = prop::collection::vec(("[AaBb]{1,2}", vector(), vector()), 0..3);
    let points = prop::collection::vec((vector(), vector()), 0..6);
    (points, prop::collection::vec(bone(), 0..8), weights, morphs, sockets).prop_map(
        |(points, bones, weights, deltas, sockets)| {
            let (points, normals): (Vec<_>, Vec<_>) = points.into_iter().unzip();
            let weights = weights.into_iter().map(|(weight, point, bone)| actorx::Weight { weight, point, bone });
            let mesh = actorx::Mesh { points, bones, weights: weights.collect(), ..actorx::Mesh::default() };
            let count = deltas.len() as i32;
            let deltas = deltas.into_iter().map(|(position, normal, point)| actorx::Delta { position, normal, point });
            let sockets = sockets.into_iter().map(|(bone, location, rotation)| actorx::Socket {
                rotation: rotation.map(|angle| angle * 90.0 % 720.0),
                ..actorx::Socket::new("hand", &bone, location)
            });
            let names = [(count / 2, "first"), (count - count / 2 + 1, "second")];
            let morphs = names.map(|(count, name)| actorx::Morph { name: actorx::name(name), count });
            let chunks = mesh.chunks().records("VTXNORMS", &normals).records("MRPHINFO", &morphs);
            let chunks = chunks.records("MRPHDATA", &deltas.collect::<Vec<_>>());
            chunks.records("SKELSOCK", &sockets.collect::<Vec<_>>()).into()
        },
    )
}

fn actorx_animation() -> impl Strategy<Value = Vec<u8>> {
    let rate = prop_oneof![4 => 1.0_f32..60.0, 1 => Just(0.0), 1 => number()];
    (prop::collection::vec(bone(), 0..6), 0_usize..5, rate, any::<bool>()).prop_flat_map(
        |(bones, frames, rate, has_scale)| {
            let count = bones.len() * frames;
            let keys = prop::collection::vec((vector(), rotation(), vector()), count);
            keys.prop_map(move |keys| {
                let info = actorx::Info::new("walk", bones.len(), 0, frames as i32, rate);
                let scale = |&(_, _, scale): &([f32; 3], [f32; 4], [f32; 3])| actorx::ScaleKey { scale, time: 1.0 };
                let scale_keys = if has_scale { keys.iter().map(scale).collect() } else { Vec::new() };
                let keys = keys.iter().map(|&(position, rotation, _)| actorx::Key { position, rotation, time: 1.0 });
                let infos = vec![info];
                actorx::Anim { bones: bones.clone(), infos, keys: keys.collect(), scale_keys }.chunks().into()
            })
        },
    )
}

fn state() -> impl Strategy<Value = pyrogenesis::State> {
    (vector(), rotation()).prop_map(|(t, q)| pyrogenesis::State::new(t, q))
}

/// A mesh and an animation, mostly of the same number of bones.
fn pyrogenesis_pair() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    (1_u32..=4, 0_usize..5, 1_u32..5, prop_oneof![6 => Just(0_usize), 1 => 0_usize..2]).prop_flat_map(
        |(version, bones, frames, more)| {
            let bone = prop_oneof![6 => 0..=(bones as u8), 1 => Just(0xFF_u8), 1 => any::<u8>()];
            let vertex = (vector(), vector(), [bone.clone(), bone.clone(), bone.clone(), bone], rotation());
            let tracks = bones + more;
            let states = prop::collection::vec(state(), tracks * frames as usize);
            let prop_point = (state(), any::<u8>());
            let props = prop::collection::vec(prop_point, if version < 2 { 0..1_usize } else { 0..3 });
            let parts = (prop::collection::vec(vertex, 0..6), prop::collection::vec(state(), bones), states, props);
            parts.prop_map(move |(vertices, bind, states, props)| {
                let vertex = |(position, normal, bones, weights)| pyrogenesis::Vertex {
                    position,
                    normal,
                    uvs: vec![[0.0; 2]],
                    bones,
                    weights,
                };
                let vertices = vertices.into_iter().map(vertex).collect();
                let props = props.into_iter().map(|(at, bone)| pyrogenesis::Prop::new("hand", at, bone % 6)).collect();
                let mesh = pyrogenesis::Pmd { version, uv_sets: 1, vertices, faces: Vec::new(), bind, props };
                (mesh.build().bytes, pyrogenesis::Psa::new(tracks as u32, frames, states).build().bytes)
            })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_actorx_pairs_agree(mesh in actorx_mesh(), animation in actorx_animation(), at in any::<f64>()) {
        let mut effort = Effort::whole();
        effort.positions.push(at);
        agree(&mesh, &animation, Some(SIDE_CAR), &effort);
    }

    #[test]
    fn random_pyrogenesis_pairs_agree((mesh, animation) in pyrogenesis_pair(), at in any::<f64>()) {
        let mut effort = Effort::whole();
        effort.positions.push(at);
        agree(&mesh, &animation, None, &effort);
    }

    #[test]
    fn random_swat3_animations_agree(seed in any::<u64>(), minor in 1_u8..=2) {
        use swat3::build::{Layout, random};
        let (bytes, _) = random::random_file(&mut random::Rng::new(seed), Layout::Plain, minor);
        agree_about_clips(&bytes, &Effort::whole());
    }
}
