//! The ten hottest operations, alone: `hot OPERATION COUNT` makes the files and runs the operation as often as `COUNT` says.
//!
//! `.ci/instructions/run` counts the instructions of two runs of different counts; the difference is that of the operation. Time is not measured, so
//! the load of the machine does not matter.

use std::hint::black_box;

use skelmap::archive::Archive;
use skelmap::model::{Binding, IDENTITY, Skin, Transform, VertexOptions, Wrap};
use skelmap::{Asset, Headers, ParseOptions};
use skelmap_bench::model::scenes::{self, BONES, VERTICES};
use skelmap_export::{Animation, Document, ExportOptions};
use test_support::build_zip::{Entry, Zip};

/// The operations, with the number of times in the shorter run.
const OPERATIONS: [(&str, u32); 10] = [
    ("parse", 1_000),
    ("headers", 1_000),
    ("directory", 20),
    ("sample-58-bones", 200),
    ("sample-one-bone", 2_000),
    ("matrices-58-bones", 200),
    ("positions-10000", 5),
    ("vertices-10000", 1),
    ("check-10000", 1),
    ("gltf-19-clips", 1),
];

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let (Some(name), Some(count)) = (arguments.next(), arguments.next().and_then(|count| count.parse().ok())) else {
        return OPERATIONS.iter().for_each(|(name, count)| println!("{name} {count}"));
    };
    run(&name, count);
}

fn run(name: &str, count: u32) {
    let (animation, mesh) = (scenes::animation(BONES, 102), scenes::mesh(BONES, VERTICES));
    let (moving, still) = (Asset::parse(&animation).expect("sound"), Asset::parse(&mesh).expect("sound"));
    let (clip, mesh) = (moving.clips().next().expect("a clip"), still.mesh().expect("a mesh"));
    let (binding, skin) = (Binding::new(&mesh, &clip), Skin::new(&mesh, 4).expect("a skin"));
    let mut pose = vec![Transform::IDENTITY; mesh.bone_count()];
    let (mut matrices, mut positions) = (vec![IDENTITY; skin.matrix_count()], vec![[0.0; 3]; mesh.point_count()]);
    binding.sample(&clip, 0.5, Wrap::Loop, &mut pose).expect("a pose");
    skin.matrices(&pose, &mut matrices).expect("matrices");
    let entries = (0..1_000).map(|index| Entry::stored(format!("art/animation/entry_{index:04}.psa"), [0; 4]));
    let zip = Zip::of(entries).build().bytes;
    let set = (name == "gltf-19-clips").then(|| (scenes::still_animation(BONES, 19, 36), scenes::mesh(BONES, 3_000)));
    let times = scenes::random_times(clip.duration().expect("a duration"));
    let mut times = times.iter().copied().cycle();
    let mut out = Vec::new();
    for _ in 0..count {
        let time = times.next().expect("times");
        match name {
            "parse" => drop(black_box(Asset::parse(black_box(&animation)).expect("sound"))),
            "headers" => drop(black_box(
                Headers::read(black_box(animation.as_slice()), &ParseOptions::default()).expect("sound"),
            )),
            "directory" => drop(black_box(Archive::parse(black_box(zip.as_slice())).expect("sound"))),
            "sample-58-bones" => binding.sample(&clip, time, Wrap::Loop, black_box(&mut pose)).expect("a pose"),
            "sample-one-bone" => {
                let _ = black_box(binding.sample_bone(&clip, black_box(time), Wrap::Loop, 40).expect("a bone"));
            }
            "matrices-58-bones" => skin.matrices(black_box(&pose), black_box(&mut matrices)).expect("matrices"),
            "positions-10000" => skin.positions(&mesh, &matrices, black_box(&mut positions)).expect("positions"),
            "vertices-10000" => drop(black_box(mesh.to_vertices(&VertexOptions::default()).expect("vertices"))),
            "check-10000" => drop(black_box(still.check())),
            "gltf-19-clips" => {
                let Some((animation, mesh)) = &set else { return };
                let (animation, mesh) = (Asset::parse(animation).expect("sound"), Asset::parse(mesh).expect("sound"));
                let mesh = mesh.mesh().expect("a mesh");
                let mut document = Document::of_mesh(&mesh);
                let added = animation.clips().map(|clip| Animation::new(&clip, Binding::new(&mesh, &clip)));
                document.animations = added.collect();
                out.clear();
                document.write_glb(&ExportOptions::default(), &mut out).expect("a file");
                black_box(&out);
            }
            _ => panic!("no such operation: {name}"),
        }
    }
}
