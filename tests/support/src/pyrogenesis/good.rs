//! The files of `corpus/` that are good to look at: the fox, what it does, and a mod that holds them.
//!
//! Left-handed, x to its right, y up, z forward, in metres; bind pose and states are in model space, and v runs upwards.

use super::build::{NONE, Pmd, Prop, Psa, State, Vertex};
use crate::build_zip::{Entry, Zip};
use crate::figure::math::Vector;
use crate::figure::{Corner, Figure, Motion, Place, fox};

const MOD: &str = r#"{
  "name": "fox",
  "version": "0.1.0",
  "label": "A fox",
  "description": "A fox that walks and stands, made by skelmap's tests.",
  "dependencies": []
}
"#;

pub fn files() -> Vec<(&'static str, Vec<u8>)> {
    let fox = fox();
    let mesh = mesh(&fox).build().bytes;
    let [walk, idle] = [Motion::Walk, Motion::Idle].map(|motion| animation(&fox, motion).build().bytes);
    // Stored, so that the bytes are those of no version of a compressor.
    let zip = Zip::of([
        Entry::stored("mod.json", MOD),
        Entry::stored("art/meshes/skeletal/fox.pmd", &mesh),
        Entry::stored("art/animation/quadruped/fox_walk.psa", &walk),
        Entry::stored("art/animation/quadruped/fox_idle.psa", &idle),
    ]);
    vec![("fox.pmd", mesh), ("fox_walk.psa", walk), ("fox_idle.psa", idle), ("fox.pyromod", zip.build().bytes)]
}

fn vector([x, y, z]: Vector) -> [f32; 3] {
    [-y, z, x].map(|number| number as f32)
}

/// The axis of a rotation turns about in a mirrored space.
fn state(place: Place) -> State {
    let [x, y, z, w] = place.q;
    State::new(vector(place.t), [y, -z, -x, w].map(|number| number as f32))
}

fn mesh(fox: &Figure) -> Pmd {
    let bind: Vec<State> = fox.bones.iter().map(|bone| state(bone.rest)).collect();
    let head = fox.bones.iter().position(|bone| bone.name == "head").expect("a head");
    let vertex = |corner: &Corner| {
        let point = &fox.points[corner.point];
        let (mut bones, mut weights) = ([NONE; 4], [0.0; 4]);
        for (slot, (bone, weight)) in point.weights.iter().enumerate() {
            (bones[slot], weights[slot]) = (*bone as u8, *weight as f32);
        }
        let [u, v] = corner.uv;
        Vertex {
            position: vector(point.position),
            normal: vector(point.normal),
            uvs: vec![[u as f32, (1.0 - v) as f32]],
            bones,
            weights,
        }
    };
    Pmd {
        version: 4,
        uv_sets: 1,
        vertices: fox.corners.iter().map(vertex).collect(),
        faces: fox.triangles.iter().map(|face| face.map(|corner| corner as u16)).collect(),
        bind,
        props: vec![Prop::root(), Prop::new("head", State::new([0.0, 0.1, 0.0], State::REST.q), head as u8)],
    }
}

fn animation(fox: &Figure, motion: Motion) -> Psa {
    let states = (0..Motion::FRAMES).flat_map(|frame| fox.in_model(&fox.pose(motion, frame)));
    let states = states.map(state).collect();
    Psa { frame_length: 1000.0 / motion.rate(), ..Psa::new(fox.bones.len() as u32, Motion::FRAMES, states) }
}
