//! Scenes of Blender: as GLB, and as the game's converter answers to the same scene in Collada.

use std::fs;
use std::path::Path;

use skelmap::pyrogenesis::skeleton::SkeletonFile;
use skelmap::pyrogenesis::{Pmd, Psa};
use skelmap_batch::mods::parse_skeletons;
use skelmap_write::Gltf;
use skelmap_write::pyrogenesis::{Frames, JointAxes, Rigging, Rules, UnknownBones, write_animation};
use test_support::with;

use super::compare::{self, Allowed};

/// A bone that the game does not find: its name has a dot.
const FOX_TAIL: &[usize] = &[35];

fn skeletons(folder: &Path) -> SkeletonFile {
    let mut all = SkeletonFile::default();
    let mut files: Vec<_> =
        fs::read_dir(folder.join("skeletons")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for path in files {
        let file = parse_skeletons(&fs::read(path).unwrap()).unwrap();
        all.standard.extend(file.standard);
        all.mapped.extend(file.mapped);
    }
    all
}

/// The mesh and the animations of a GLB.
fn converted(glb: &[u8], rules: &Rules<'_>, frames: Frames) -> (Vec<u8>, Vec<(String, Vec<u8>)>) {
    let gltf = Gltf::parse(glb).unwrap();
    let model = gltf.to_model(None).unwrap();
    let rigging = Rigging::new(&model, rules).unwrap();
    let (mut mesh, mut animations) = (Vec::new(), Vec::new());
    let report = rigging.write_mesh(&model, &mut mesh).unwrap();
    println!("  {report:?} {:?}", model.report);
    for index in 0..gltf.clip_count() {
        let Some(clip) = gltf.clip(index, None).unwrap() else { continue };
        let mut animation = Vec::new();
        write_animation(&rigging, &clip, frames, &mut animation).unwrap();
        animations.push((clip.name().to_owned(), animation));
    }
    (mesh, animations)
}

#[test]
fn each_scene_becomes_what_the_converter_of_the_game_makes_of_it() {
    let Some(folder) = test_support::corpus::samples("zeroad") else { return };
    let skeletons = skeletons(&folder);
    let index = fs::read_to_string(folder.join("INDEX.tsv")).unwrap();
    let mut count = 0;
    for line in index.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (name, glb, mesh, animation) = (fields[0], fields[1], fields[2], fields[3]);
        println!("{name}");
        let unknown = if name == "s12_unknown_bones" { UnknownBones::Drop } else { UnknownBones::Parent };
        let rules = with(Rules::default(), |rules| {
            (rules.skeletons, rules.axes, rules.unknown) = (Some(&skeletons), Some(JointAxes::Blender), unknown);
        });
        let (found, animations) = converted(&fs::read(folder.join(glb)).unwrap(), &rules, Frames::Engine);
        let expected = fs::read(folder.join(mesh)).unwrap();
        let expected = Pmd::parse(&expected).unwrap();
        let but_bones = if name == "r1_fox" { FOX_TAIL } else { &[] };
        // The game keeps what Blender adds to a name; we take it off.
        let names: &[_] = if name == "s02_props" { &[("arrow_001", "arrow")] } else { &[] };
        let allowed = Allowed { but_bones, names, ..Allowed::default() };
        let worst = compare::mesh(&Pmd::parse(&found).unwrap(), &expected, &allowed);
        println!("  {worst:?}");
        if animation != "-" {
            let (_, clip) = name.split_once('@').unwrap_or_default();
            let (_, found) = animations.iter().find(|(own, _)| clip.is_empty() || own == clip).expect("the clip");
            let expected_animation = fs::read(folder.join(animation)).unwrap();
            let expected_animation = Psa::parse(&expected_animation).unwrap();
            let size = compare::size(&expected);
            let worst = compare::animation(&Psa::parse(found).unwrap(), &expected_animation, size, but_bones);
            println!("  {worst:?}");
        }
        count += 1;
    }
    assert_eq!(count, 14, "as many as the list has");
}

/// Models of the game that went through this project's glTF and through Blender.
#[test]
fn models_of_the_game_come_back_from_blender_with_their_own_axes() {
    let Some(folder) = test_support::corpus::samples("zeroad") else { return };
    let skeletons = skeletons(&folder);
    // Blender keeps the normals of a mesh as two angles in 16 bits each.
    let allowed = Allowed { normal: 2e-3, ..Allowed::default() };
    for name in ["r1_fox", "r2_chicken", "r4_static"] {
        println!("{name}");
        let read = |file: &str| fs::read(folder.join(file)).unwrap();
        let expected = read(&format!("{name}.a28.pmd"));
        let expected = Pmd::parse(&expected).unwrap();
        let glb = read(&format!("{name}.glb"));
        let mut rules = with(Rules::default(), |rules| rules.skeletons = Some(&skeletons));
        if name == "r2_chicken" {
            // Its bones do not touch: two of 15 children happen to lie along +y.
            let model = Gltf::parse(&glb).unwrap().to_model(None).unwrap();
            let error = Rigging::new(&model, &rules).unwrap_err().to_string();
            assert!(error.contains("2 of 15 children lie along +y of their joint"), "{error}");
            rules.like = Some(expected.bones());
        }
        let (found, animations) = converted(&glb, &rules, Frames::All);
        println!("  {:?}", compare::mesh(&Pmd::parse(&found).unwrap(), &expected, &allowed));
        if let [(_, found)] = animations.as_slice() {
            let animation = read(&format!("{name}.a28.psa"));
            let animation = Psa::parse(&animation).unwrap();
            let worst = compare::animation(&Psa::parse(found).unwrap(), &animation, compare::size(&expected), &[]);
            println!("  {worst:?}");
        }
    }
}
