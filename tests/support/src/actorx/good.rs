//! The files of `corpus/` that are good to look at: the fox, what it does, and which of it takes translations from the animation.
//!
//! Right-handed, x forward, z up, in centimetres, as every writer stores what Unreal mirrors in y. Rotations are conjugated but for
//! the root's; triangles run clockwise.

use super::build::{Anim, Bone, Chunks, Face, Info, Key, Material, Mesh, Wedge, Weight};
use crate::figure::math::{conjugate, dot, subtract};
use crate::figure::{Figure, MATERIALS, Motion, Place, fox};

pub fn files() -> Vec<(&'static str, Vec<u8>)> {
    let fox = fox();
    let config = "[AnimSet]\r\nbAnimRotationOnly=1\r\n\r\n[UseTranslationBoneNames]\r\npelvis\r\n";
    vec![
        ("fox.psk", mesh(&fox).chunks().build().bytes),
        ("fox.psa", animation(&fox).onto(Chunks::new()).build().bytes),
        ("fox.config", config.into()),
    ]
}

fn single<const N: usize>(numbers: [f64; N]) -> [f32; N] {
    numbers.map(|number| number as f32)
}

fn stored(index: usize, local: Place) -> ([f32; 3], [f32; 4]) {
    let rotation = if index == 0 { local.q } else { conjugate(local.q) };
    (single(local.t.map(|metres| metres * 100.0)), single(rotation))
}

fn bones(fox: &Figure) -> Vec<Bone> {
    let bone = |(index, (bone, local))| {
        let bone: &crate::figure::Bone = bone;
        let (position, rotation) = stored(index, local);
        let children = fox.bones.iter().filter(|child| child.parent == Some(index));
        let ends = children.clone().map(|child| subtract(child.rest.t, bone.rest.t)).map(|end| dot(end, end).sqrt());
        Bone {
            children: children.count() as i32,
            length: ends.fold(0.0, f64::max) as f32 * 100.0,
            ..Bone::new(bone.name, bone.parent.unwrap_or(0) as i32, position, rotation)
        }
    };
    fox.bones.iter().zip(fox.rest()).enumerate().map(bone).collect()
}

fn mesh(fox: &Figure) -> Mesh {
    let mut mesh = Mesh { bones: bones(fox), ..Mesh::default() };
    for (index, point) in fox.points.iter().enumerate() {
        mesh.points.push(single(point.position.map(|metres| metres * 100.0)));
        let weight =
            |&(bone, weight): &(usize, f64)| Weight { weight: weight as f32, point: index as i32, bone: bone as i32 };
        mesh.weights.extend(point.weights.iter().map(weight));
    }
    let wedge = |corner: &crate::figure::Corner| Wedge::new(corner.point as u32, single(corner.uv), corner.material);
    mesh.wedges = fox.corners.iter().map(wedge).collect();
    let face = |&[a, b, c]: &[usize; 3]| Face::new([a, c, b].map(|corner| corner as u32), fox.corners[a].material);
    mesh.faces = fox.triangles.iter().map(face).collect();
    mesh.materials = MATERIALS.iter().zip(0..).map(|(name, index)| Material::new(name, index)).collect();
    mesh
}

fn animation(fox: &Figure) -> Anim {
    let mut anim = Anim { bones: bones(fox), ..Anim::default() };
    for (motion, first) in [Motion::Walk, Motion::Idle].into_iter().zip((0..).step_by(Motion::FRAMES as usize)) {
        anim.infos.push(Info::new(motion.name(), fox.bones.len(), first, Motion::FRAMES as i32, motion.rate()));
        for frame in 0..Motion::FRAMES {
            for (index, local) in fox.pose(motion, frame).into_iter().enumerate() {
                let (position, rotation) = stored(index, local);
                anim.keys.push(Key { position, rotation, time: 1.0 });
            }
        }
    }
    anim
}
