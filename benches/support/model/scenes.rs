//! The files that are sampled and skinned: real ones where `SKELMAP_SAMPLES` has them, else generated ones of the same
//! shape.

use std::env;
use std::f32::consts::TAU;
use std::path::{Path, PathBuf};

use crate::target;
use test_support::actorx::build::{Bone, Chunks, Info, Key, Mesh, Weight};

/// The mesh and the animation whose skinning is measured: always generated, with four influences for each vertex.
pub const VERTICES: u32 = 10_000;
pub const INFLUENCES: usize = 4;
pub const BONES: u16 = 58;

/// Frames of the animation of which one bone is read.
pub const MANY_FRAMES: u16 = 34_001;

/// Times in a run, and how many seconds they are apart in playback.
const TIMES: u32 = 64;
const STEP: f64 = 1.0 / 60.0;

/// An animation of 58 bones: an elephant of 0 A.D.
pub fn animation_of_58_bones() -> PathBuf {
    let elephant = "pyrogenesis/public-a28/art/animation/quadraped/elephant_asian_support_build.dae.cached.psa";
    sample(elephant).unwrap_or_else(|| written("58-bones.psa", || animation(BONES, 102)))
}

/// An animation for 481 bones, and the mesh that has them.
pub fn pair_of_481_bones() -> [PathBuf; 2] {
    let carlos = ["psa/Carlos_StrafeLF90_2.psa", "psk/carlos_head_carlos.psk"];
    let [animated, skinned] = carlos.map(|file| sample(&format!("actorx/psk_psa_py/{file}")));
    match animated.zip(skinned) {
        Some((animation, mesh)) => [animation, mesh],
        None => [written("481-bones.psa", || animation(481, 61)), written("481-bones.psk", || mesh(481, 10_807))],
    }
}

/// An animation of 58 bones, and a mesh of 10,000 vertices that it moves.
pub fn pair_of_10_000_vertices() -> [PathBuf; 2] {
    [written("58-bones.psa", || animation(BONES, 102)), written("10k-vertices.psk", || mesh(BONES, VERTICES))]
}

/// An animation of many frames.
pub fn animation_of_many_frames() -> PathBuf {
    written("34001-frames.psa", || animation(BONES, MANY_FRAMES))
}

/// A mesh, and an animation for it of so many sequences and frames of each: rotations move, and translations do not but for the
/// root's, as in most animations of Unreal.
pub fn set_of_sequences(name: &str, bones: u16, points: u32, sequences: u16, frames: u16) -> [PathBuf; 2] {
    let mesh = written(&format!("{name}.psk"), || mesh(bones, points));
    [written(&format!("{name}.psa"), || still_animation(bones, sequences, frames)), mesh]
}

/// Times in a clip of this length, in no order.
pub fn random_times(seconds: f64) -> Vec<f64> {
    // The golden ratio spreads them.
    (1..=TIMES).map(|index| (f64::from(index) * 0.618_033_988_749_895).fract() * seconds).collect()
}

/// The times of frames of a screen, over and over the clip.
pub fn playback_times(seconds: f64) -> Vec<f64> {
    (0..TIMES).map(|index| (f64::from(index) * STEP) % seconds).collect()
}

fn sample(file: &str) -> Option<PathBuf> {
    let path = Path::new(&env::var_os("SKELMAP_SAMPLES")?).join(file);
    path.exists().then_some(path)
}

/// A generated file in the target folder.
fn written(name: &str, build: impl FnOnce() -> Vec<u8>) -> PathBuf {
    let path = target::file(name);
    target::write(&path, &build()).expect("the target folder can be written to");
    path
}

/// Bones in four limbs, each bone under the one before it in its limb.
fn bones(count: u16) -> Vec<Bone> {
    let bone = |index: u16| {
        let parent = i32::from(index.saturating_sub(4));
        Bone::new(&format!("Bone_{index:04}"), parent, [0.0, f32::from(index % 4), 5.0], rotation(index, 0.0))
    };
    (0..count).map(bone).collect()
}

/// Every bone sways about an axis of its own, at most 2.5 degrees in a frame, as bodies do.
pub fn animation(bones: u16, frames: u16) -> Vec<u8> {
    let mut keys = Vec::with_capacity(usize::from(bones) * usize::from(frames));
    for frame in 0..frames {
        let turn = f32::from(frame % 60) / 60.0;
        for bone in 0..bones {
            let position = [0.0, f32::from(bone % 4), 5.0 + 0.1 * (TAU * turn).sin()];
            keys.push(Key { position, rotation: rotation(bone, turn), time: 1.0 });
        }
    }
    Chunks::new()
        .empty("ANIMHEAD", 0)
        .records("BONENAMES", &self::bones(bones))
        .records("ANIMINFO", &[Info::new("Sway", bones.into(), 0, frames.into(), 30.0)])
        .records("ANIMKEYS", &keys)
        .empty("SCALEKEYS", 16)
        .build()
        .bytes
}

/// An animation of so many sequences, as [`set_of_sequences`] has it.
pub fn still_animation(bones: u16, sequences: u16, frames: u16) -> Vec<u8> {
    let own = self::bones(bones);
    let mut keys = Vec::with_capacity(usize::from(bones) * usize::from(frames) * usize::from(sequences));
    let mut infos = Vec::new();
    for sequence in 0..sequences {
        let first = i32::from(sequence) * i32::from(frames);
        infos.push(Info::new(format!("Sequence_{sequence}"), bones.into(), first, frames.into(), 30.0));
        for frame in 0..frames {
            let turn = f32::from(frame % 60) / 60.0 + f32::from(sequence) * 0.1;
            for (bone, at) in (0..bones).zip(&own) {
                let lift = if bone == 0 { (TAU * turn).sin() } else { 0.0 };
                let [x, y, z] = at.position;
                keys.push(Key { position: [x, y, z + lift], rotation: rotation(bone, turn), time: 1.0 });
            }
        }
    }
    Chunks::new()
        .empty("ANIMHEAD", 0)
        .records("BONENAMES", &own)
        .records("ANIMINFO", &infos)
        .records("ANIMKEYS", &keys)
        .empty("SCALEKEYS", 16)
        .build()
        .bytes
}

fn rotation(bone: u16, turn: f32) -> [f32; 4] {
    let phase = 0.37 * f32::from(bone);
    let (sin, cos) = (0.2 * (TAU * turn + phase).sin() + 0.1).sin_cos();
    let (a, b) = phase.sin_cos();
    [sin * a * 0.6, sin * b, sin * a * 0.8, cos]
}

/// A sheet of points, each moved by four bones.
pub fn mesh(bones: u16, points: u32) -> Vec<u8> {
    let side = points.isqrt();
    let mut mesh = Mesh::sheet(side, points.div_ceil(side), 1);
    mesh.bones = self::bones(bones);
    mesh.weights.clear();
    let points = i32::try_from(mesh.points.len()).expect("the points of a file fit its counter");
    for point in 0..points {
        for (weight, step) in [(0.4, 0), (0.3, 5), (0.2, 11), (0.1, 17)] {
            // Neighbours share bones, as in meshes.
            mesh.weights.push(Weight { weight, point, bone: (point / 16 + step) % i32::from(bones) });
        }
    }
    mesh.chunks().build().bytes
}
