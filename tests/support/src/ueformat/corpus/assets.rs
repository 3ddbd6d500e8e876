//! The assets that the files hold, each with every section of its kind and nothing odd.

use super::super::asset::{
    Animation, Bone, ColourSet, Curve, Delta, Hull, IDENTITY, Lod, Material, Metadata, Model, Morph, Name, NamedPose,
    ONE, Pose, PoseKey, Skeleton, Socket, Track, UvSet, Weight,
};
use super::super::build::{self, Style, Ue};

/// A rotation of 90 degrees about z.
pub const TURN: [f32; 4] = [0.0, 0.0, 0.707_106_77, 0.707_106_77];

/// The corners of a box; the bits of a corner's number are x, y, z.
fn corners(size: [f32; 3]) -> Vec<[f32; 3]> {
    (0_u8..8)
        .map(|corner| {
            let choose = |axis: usize| if corner >> axis & 1 == 0 { 0.0 } else { size[axis] };
            [choose(0), choose(1), choose(2)]
        })
        .collect()
}

/// Counter-clockwise from outside, in a left-handed space.
const FACES: [u32; 36] =
    [0, 1, 3, 0, 3, 2, 4, 6, 7, 4, 7, 5, 0, 4, 5, 0, 5, 1, 2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 5, 7, 1, 7, 3];

fn text(text: &str) -> Name {
    text.as_bytes().to_vec()
}

/// A level: 8 vertices, 12 triangles of two materials, two UV sets, one colour set.
fn level(name: &str) -> Lod {
    let vertices = corners([30.0, 4.0, 6.0]);
    let uvs = |name: &str, shift: f32| UvSet {
        name: text(name),
        uvs: vertices.iter().map(|[x, _, z]| [(x / 60.0) + shift, z / 24.0]).collect(),
    };
    Lod {
        name: text(name),
        normals: vertices
            .iter()
            .map(|[x, y, _]| [1.0, if *x == 0.0 { -0.6 } else { 0.6 }, if *y == 0.0 { -0.8 } else { 0.8 }, 0.0])
            .collect(),
        tangents: vertices.iter().map(|_| [0.0, 0.0, 1.0]).collect(),
        uvs: vec![uvs("UV0", 0.0), uvs("UV1", 0.5)],
        indices: FACES.to_vec(),
        colours: vec![ColourSet { name: text("COL0"), colours: (0..8).map(|at| [at, 127, 255 - at, 255]).collect() }],
        materials: vec![
            Material::new("sleeve", "/Game/M_Sleeve.M_Sleeve", 0, 8),
            Material::new("hand", "/Game/M_Hand.M_Hand", 24, 4),
        ],
        vertices,
        ..Lod::default()
    }
}

/// A skeletal mesh: three bones, two influences for each vertex near the elbow, two morph targets, sockets, a virtual bone.
pub fn arm() -> Model {
    let mut lod = level("LOD0");
    for vertex in 0..8 {
        let weight = |bone, weight| Weight { bone, vertex, weight };
        match vertex % 4 {
            0 => lod.weights.push(weight(0, 1.0)),
            1 => lod.weights.extend([weight(1, 0.75), weight(2, 0.25)]),
            2 => lod.weights.extend([weight(0, 0.5), weight(1, 0.5)]),
            _ => lod.weights.push(weight(2, 1.0)),
        }
    }
    let delta = |vertex| Delta { position: [0.0, 1.5, 0.25], normal: [0.0, 0.125, -0.5], vertex };
    lod.morphs = vec![
        Morph { name: text("bulge"), deltas: vec![delta(1), delta(3), delta(5)] },
        Morph { name: text("fist"), deltas: vec![delta(7)] },
    ];
    Model { lods: vec![lod], skeleton: Some(skeleton()), hulls: Vec::new() }
}

fn skeleton() -> Skeleton {
    Skeleton {
        path: text("/Game/SK_Arm.SK_Arm"),
        bones: vec![
            Bone::new("Root", -1, [0.0; 3], IDENTITY),
            Bone::new("Elbow", 0, [15.0, 1.0, 0.5], TURN),
            Bone::new("Hand", 1, [12.0, -2.0, 0.25], [0.5, -0.5, 0.5, 0.5]),
        ],
        sockets: vec![
            Socket { rotation: TURN, scale: [1.0, 2.0, 0.5], ..Socket::new("Grip", "Hand", [1.0, 2.0, 3.0]) },
            // Names are matched in any case.
            Socket::new("Patch", "elbow", [0.0, 0.5, 0.0]),
        ],
        virtual_bones: vec![[text("Root"), text("Hand"), text("VB Root_Hand")]],
    }
}

/// A static mesh: no skeleton, two hulls.
pub fn box_with_hull() -> Model {
    let hull = |name: &str, size: f32| Hull {
        name: text(name),
        vertices: corners([size, size, 2.0 * size]),
        indices: FACES.iter().map(|index| *index as i32).collect(),
    };
    Model { lods: vec![level("LOD0")], skeleton: None, hulls: vec![hull("None", 4.0), hull("lid", 1.5)] }
}

/// The arm's bones without a mesh.
pub fn skeleton_only() -> Model {
    let skeleton = Skeleton { sockets: Vec::new(), ..skeleton() };
    Model { lods: Vec::new(), skeleton: Some(skeleton), hulls: Vec::new() }
}

/// A clip of 8 frames for the arm: keys where a value changes, one scale track that moves, one curve.
pub fn wave() -> Animation {
    let still = |name: &str, position: [f32; 3], rotation| Track {
        name: text(name),
        positions: vec![(0, position)],
        rotations: vec![(0, rotation)],
        scales: vec![(0, ONE)],
    };
    let mut elbow = still("Elbow", [15.0, 1.0, 0.5], TURN);
    elbow.rotations.extend([(3, IDENTITY), (4, [0.6, 0.0, 0.0, 0.8]), (7, TURN)]);
    let mut hand = still("Hand", [12.0, -2.0, 0.25], [0.5, -0.5, 0.5, 0.5]);
    hand.positions.push((5, [12.0, -2.5, 0.25]));
    hand.scales.push((6, [1.0, 1.25, 1.0]));
    Animation {
        metadata: Some(Metadata { frame_count: 8, rate: 30.0, ..Metadata::default() }),
        tracks: vec![still("Root", [0.0; 3], IDENTITY), elbow, hand],
        curves: vec![Curve { name: text("bulge"), keys: vec![(0, 0.0), (4, 1.0), (4, 0.75), (7, 0.0)] }],
    }
}

/// Three poses of the arm: of bones, of bones and curves, of curves.
pub fn faces() -> Pose {
    let key = |bone: &str| PoseKey { bone: text(bone), position: [0.5, -0.25, 0.0], rotation: TURN, scale: [0.0; 3] };
    Pose {
        poses: vec![
            NamedPose { name: text("bent"), keys: vec![key("Elbow"), key("Hand")], influences: Vec::new() },
            NamedPose { name: text("clenched"), keys: vec![key("Hand")], influences: vec![(0, 0.5), (1, -0.25)] },
            NamedPose { name: text("curves"), keys: Vec::new(), influences: vec![(1, 1.0)] },
        ],
        curves: vec![text("bulge"), text("fist")],
    }
}

/// As the author's library writes: every section, no scale.
pub fn arm_of(version: u8) -> Ue {
    build::model(version, &arm(), Style::LIBRARY)
}

/// The arm with one thing changed, before it is written.
pub fn arm_with(version: u8, change: impl FnOnce(&mut Model)) -> Ue {
    build::model(version, &crate::with(arm(), change), Style::LIBRARY)
}

/// The arm with its first level changed.
pub fn lod_with(version: u8, change: impl FnOnce(&mut Lod)) -> Ue {
    arm_with(version, |model| change(&mut model.lods[0]))
}

/// The arm with its skeleton changed.
pub fn skeleton_with(version: u8, change: impl FnOnce(&mut Skeleton)) -> Ue {
    arm_with(version, |model| change(model.skeleton.get_or_insert_default()))
}

pub fn wave_of(version: u8) -> Ue {
    build::animation(version, &wave(), Style::LIBRARY)
}

/// The clip with one thing changed, before it is written.
pub fn wave_with(version: u8, change: impl FnOnce(&mut Animation)) -> Ue {
    build::animation(version, &crate::with(wave(), change), Style::LIBRARY)
}

pub fn faces_of(version: u8) -> Ue {
    build::pose(version, &faces(), Style::LIBRARY)
}

/// The poses with one thing changed, before they are written.
pub fn faces_with(version: u8, change: impl FnOnce(&mut Pose)) -> Ue {
    build::pose(version, &crate::with(faces(), change), Style::LIBRARY)
}
