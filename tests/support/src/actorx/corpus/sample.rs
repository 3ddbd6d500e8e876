//! The clean figure and walk cycle that every case starts from.
//!
//! Only exact arithmetic: the files must come out the same on every machine.

use super::super::build::{
    Anim, Bone, Chunks, Delta, Face, IDENTITY, Info, Key, Material, Mesh, Morph, Socket, Wedge, Weight, name,
};
use super::Good;

// Unit quaternions without rounding errors to speak of.
const TURNS: [[f32; 4]; 4] = [IDENTITY, [0.6, 0.0, 0.0, 0.8], [0.0, 0.28, 0.0, 0.96], [0.5, 0.5, 0.5, 0.5]];

// Corners as seen from outside, clockwise, as every writer winds its faces.
const SIDES: [[u32; 4]; 6] = [[5, 7, 3, 1], [3, 7, 6, 2], [6, 7, 5, 4], [2, 6, 4, 0], [4, 5, 1, 0], [1, 3, 2, 0]];

pub fn bones() -> Vec<Bone> {
    let mut bones = vec![
        Bone::new("Root", 0, [0.0, 0.0, 0.0], TURNS[0]),
        Bone::new("Spine", 0, [0.0, 0.0, 20.0], TURNS[1]),
        Bone::new("Arm_L", 1, [0.0, 10.0, 5.0], TURNS[2]),
        Bone::new("Head", 1, [0.0, 0.0, 20.0], TURNS[3]),
    ];
    bones[0].children = 1;
    bones[1].children = 2;
    bones
}

/// A box of 8 points, 24 wedges, 12 faces and 2 materials, skinned to 4 bones.
pub fn figure() -> Mesh {
    let mut mesh = Mesh { bones: bones(), ..Mesh::default() };
    for corner in 0..8 {
        let side = |bit: u32| if corner & bit == 0 { -10.0 } else { 10.0 };
        let height = if corner & 4 == 0 { 0.0 } else { 40.0 };
        mesh.points.push([side(1), side(2), height]);
    }
    for (side, corners) in (0..).zip(SIDES) {
        let material = side % 2;
        for (corner, uv) in corners.into_iter().zip([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) {
            mesh.wedges.push(Wedge::new(corner, uv, material));
        }
        let first = u32::from(side) * 4;
        mesh.faces.push(Face::new([first, first + 1, first + 2], material));
        mesh.faces.push(Face::new([first, first + 2, first + 3], material));
    }
    mesh.materials = vec![Material::new("Skin", 0), Material::new("Cloth", 1)];
    for point in 0..8 {
        let shares: &[(i32, f32)] = match point {
            0..4 => &[(0, 1.0)],
            4..6 => &[(1, 0.75), (3, 0.25)],
            _ => &[(1, 0.5), (2, 0.25), (3, 0.25)],
        };
        for &(bone, weight) in shares {
            mesh.weights.push(Weight { weight, point, bone });
        }
    }
    mesh
}

/// The figure with one thing changed.
pub fn changed(change: impl FnOnce(&mut Mesh)) -> Chunks {
    let mut mesh = figure();
    change(&mut mesh);
    mesh.chunks()
}

pub fn figure_good() -> Good {
    Good {
        format: "actorx.psk",
        bones: Some(4),
        points: Some(8),
        wedges: Some(24),
        faces: Some(12),
        materials: Some(2),
        uv_sets: Some(1),
        ..Good::default()
    }
}

/// A UV set for the figure's wedges.
pub fn uvs(scale: f32) -> Vec<[f32; 2]> {
    figure().wedges.iter().map(|wedge| [wedge.u * scale, wedge.v * scale]).collect()
}

pub fn colors() -> Vec<[u8; 4]> {
    (0..24).map(|wedge| [255, 10 * wedge, 40, 255]).collect()
}

pub fn normals() -> Vec<[f32; 3]> {
    figure().points.iter().map(|point| [0.06 * point[0], 0.0, if point[2] > 0.0 { 0.8 } else { -0.8 }]).collect()
}

pub fn tangents() -> Vec<[f32; 4]> {
    figure().points.iter().map(|_| [0.0, 1.0, 0.0, -1.0]).collect()
}

/// Two morphs, of three deltas and one.
pub fn morphs() -> (Vec<Morph>, Vec<Delta>) {
    let infos = vec![Morph { name: name("Smile"), count: 3 }, Morph { name: name("Blink"), count: 1 }];
    let delta = |point, rise| Delta { position: [0.0, 0.5, rise], normal: [0.0; 3], point };
    (infos, vec![delta(4, 1.0), delta(5, 1.0), delta(6, 0.5), delta(7, -0.5)])
}

/// One socket on a bone and one on none, as static meshes have them.
pub fn sockets() -> Vec<Socket> {
    vec![Socket::new("Hat", "Head", [0.0, 0.0, 5.0]), Socket::new("Base", "", [0.0; 3])]
}

/// An animation of the figure: `(name, frames, rate)` per sequence.
pub fn moves(sequences: &[(&str, i32, f32)]) -> Anim {
    let mut anim = Anim { bones: bones(), ..Anim::default() };
    let mut first = 0;
    for &(text, frames, rate) in sequences {
        anim.infos.push(Info::new(text, 4, first, frames, rate));
        first += frames;
        let turns = TURNS.iter().cycle().take(usize::try_from(frames).unwrap());
        for turn in turns {
            for bone in &anim.bones {
                anim.keys.push(Key { position: bone.position, rotation: *turn, time: 1.0 });
            }
        }
    }
    anim
}

/// One sequence of 5 frames at 20 per second.
pub fn walk() -> Anim {
    moves(&[("Walk", 5, 20.0)])
}

/// Two sequences: 5 frames at 20 per second, and 3 at 12.
pub fn walk_and_run() -> Anim {
    moves(&[("Walk", 5, 20.0), ("Run", 3, 12.0)])
}

pub fn walk_good() -> Good {
    Good {
        format: "actorx.psa",
        bones: Some(4),
        sequences: Some(1),
        frames: Some(5),
        duration_s: Some(0.25),
        ..Good::default()
    }
}

pub fn walk_and_run_good() -> Good {
    Good { sequences: Some(2), frames: Some(8), duration_s: Some(0.5), ..walk_good() }
}
