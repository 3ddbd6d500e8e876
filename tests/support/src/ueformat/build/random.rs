//! Random assets: a seed always gives the same ones.

use super::{
    Animation, Bone, ColourSet, Curve, Delta, Hull, Lod, Material, Metadata, Model, Morph, Name, NamedPose, Pose,
    PoseKey, Skeleton, Socket, Track, UvSet, Weight,
};
pub use crate::swat3::build::Rng;

const NAMES: [&str; 6] = ["Root", "spine_01", "VB \u{fc}n\u{ef}code", "", "Hand_R", "a name with spaces"];

fn name(rng: &mut Rng) -> Name {
    let stem = NAMES[rng.below(NAMES.len())];
    if rng.chance(60) { format!("{stem}{}", rng.below(100)).into_bytes() } else { stem.as_bytes().to_vec() }
}

fn list<T>(rng: &mut Rng, end: usize, mut one: impl FnMut(&mut Rng) -> T) -> Vec<T> {
    (0..rng.below(end)).map(|_| one(rng)).collect()
}

/// An eighth from 0 to 1: what is exact when it is taken from 1.
fn eighth(rng: &mut Rng) -> f32 {
    rng.below(9) as f32 / 8.0
}

fn vertex(rng: &mut Rng) -> [f32; 3] {
    rng.vector(100.0)
}

fn lod(rng: &mut Rng) -> Lod {
    Lod {
        name: name(rng),
        // Before version 4 a level is there when one of its sections is.
        vertices: (0..=rng.below(20)).map(|_| vertex(rng)).collect(),
        normals: list(rng, 9, |rng| {
            let [x, y, z] = rng.vector(1.0);
            [if rng.chance(50) { 1.0 } else { -1.0 }, x, y, z]
        }),
        tangents: list(rng, 9, vertex),
        uvs: list(rng, 4, |rng| UvSet { name: name(rng), uvs: list(rng, 9, |rng| [eighth(rng), eighth(rng)]) }),
        indices: list(rng, 20, |rng| rng.bits() as u32),
        colours: (0..=rng.below(3))
            .map(|_| ColourSet {
                name: name(rng),
                colours: (0..=rng.below(5)).map(|_| (rng.bits() as u32).to_le_bytes()).collect(),
            })
            .collect(),
        materials: list(rng, 4, |rng| Material::new(name(rng), name(rng), rng.bits() as i32, rng.bits() as i32)),
        weights: list(rng, 20, |rng| Weight {
            bone: rng.bits() as u16,
            vertex: rng.bits() as i32,
            weight: eighth(rng),
        }),
        morphs: list(rng, 4, |rng| Morph {
            name: name(rng),
            deltas: list(rng, 6, |rng| Delta {
                position: vertex(rng),
                normal: rng.vector(1.0),
                vertex: rng.bits() as u32,
            }),
        }),
    }
}

/// Up to two levels and up to 11 bones; indices are any numbers.
pub fn model(rng: &mut Rng) -> Model {
    let skeleton = |rng: &mut Rng| Skeleton {
        path: name(rng),
        bones: (0..=rng.below(11))
            .map(|at| Bone {
                scale: rng.vector(2.0),
                ..Bone::new(name(rng), at as i32 - 1, rng.vector(40.0), rng.rotation())
            })
            .collect(),
        sockets: list(rng, 3, |rng| Socket {
            rotation: rng.rotation(),
            scale: rng.vector(2.0),
            ..Socket::new(name(rng), name(rng), rng.vector(10.0))
        }),
        virtual_bones: list(rng, 3, |rng| std::array::from_fn(|_| name(rng))),
    };
    Model {
        lods: (0..=rng.below(2)).map(|_| lod(rng)).collect(),
        skeleton: rng.chance(80).then(|| skeleton(rng)),
        hulls: list(rng, 3, |rng| Hull {
            name: name(rng),
            vertices: list(rng, 9, vertex),
            indices: list(rng, 13, |rng| rng.bits() as i32),
        }),
    }
}

fn keys<T>(rng: &mut Rng, value: impl Fn(&mut Rng) -> T) -> Vec<(i32, T)> {
    let mut frame = 0;
    list(rng, 8, |rng| {
        frame += rng.below(5) as i32;
        (frame, value(rng))
    })
}

/// Up to 9 tracks of up to 7 keys in each channel.
pub fn animation(rng: &mut Rng) -> Animation {
    let metadata = Metadata {
        frame_count: rng.below(40) as i32,
        rate: 30.0,
        path: name(rng),
        additive: rng.below(3) as u8,
        base: rng.below(5) as u8,
        base_frame: rng.below(3) as i32,
    };
    Animation {
        metadata: Some(metadata),
        tracks: list(rng, 10, |rng| Track {
            name: name(rng),
            positions: keys(rng, vertex),
            rotations: keys(rng, Rng::rotation),
            scales: keys(rng, |rng| rng.vector(2.0)),
        }),
        curves: list(rng, 4, |rng| Curve { name: name(rng), keys: keys(rng, eighth) }),
    }
}

/// Up to 4 poses of up to 5 bones.
pub fn pose(rng: &mut Rng) -> Pose {
    let poses = list(rng, 5, |rng| NamedPose {
        name: name(rng),
        keys: list(rng, 6, |rng| PoseKey {
            bone: name(rng),
            position: vertex(rng),
            rotation: rng.rotation(),
            scale: rng.vector(1.0),
        }),
        influences: list(rng, 4, |rng| (rng.below(3) as i32, eighth(rng))),
    });
    Pose { poses, curves: list(rng, 4, name) }
}
