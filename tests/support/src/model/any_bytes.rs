//! A mesh and an animation of any bytes: bound, sampled and skinned as by the naive evaluation, and never a panic.

use super::agree::{Effort, agree};
use crate::actorx::build as actorx;
use crate::actorx::naive as naive_actorx;
use crate::pyrogenesis::build as pyrogenesis;
use crate::pyrogenesis::naive as naive_pyrogenesis;

/// What animations begin with.
const ANIMATIONS: [&[u8]; 3] = [b"ANIMHEAD\0", b"PSSA", &crate::swat3::build::MAGIC];

/// Above this number of bytes, less is compared.
const LARGE: usize = 1 << 16;

/// More bones than this get no partner.
const MAX_BONES: usize = 512;

/// The input is a mesh, an animation, or a mesh with an animation behind it. One that is alone gets a partner with the same
/// bones. The last eight bytes are a position in frames too.
pub fn model(bytes: &[u8]) {
    let mut effort = if bytes.len() > LARGE { Effort::brief() } else { Effort::whole() };
    if let Some(last) = bytes.last_chunk() {
        let position = f64::from_le_bytes(*last);
        effort = Effort { frames: 4, clips: 3, widths: vec![bytes.len() % 10, 4], ..effort };
        effort.positions.truncate(6);
        effort.positions.extend([position, position % 16.0]);
    }
    match split(bytes) {
        (mesh, []) => agree(mesh, &partner_of_mesh(mesh).unwrap_or_default(), None, &effort),
        ([], animation) => agree(&partner_of_animation(animation).unwrap_or_default(), animation, None, &effort),
        (mesh, animation) => agree(mesh, animation, Some(SIDE_CAR), &effort),
    }
}

/// A mesh, and the animation behind it.
pub fn split(bytes: &[u8]) -> (&[u8], &[u8]) {
    let is_animation = |at: &usize| ANIMATIONS.iter().any(|magic| bytes[*at..].starts_with(magic));
    bytes.split_at((0..bytes.len()).find(is_animation).unwrap_or(bytes.len()))
}

/// A side-car with a line of each kind.
pub const SIDE_CAR: &[u8] = b"[AnimSet]\nbAnimRotationOnly=1\n[UseTranslationBoneNames]\nPelvis\n\
    [ForceMeshTranslationBoneNames]\nHead\n[RemoveTracks]\nwalk.1=rot\nWalk.2=all\n";

/// The bones of a file as the builder has them.
fn built(bones: &[naive_actorx::Bone]) -> Vec<actorx::Bone> {
    let built = |bone: &naive_actorx::Bone| actorx::Bone {
        name: bone.name,
        ..actorx::Bone::new("", bone.parent, bone.position, bone.rotation)
    };
    bones.iter().map(built).collect()
}

/// An animation with the bones of a mesh.
pub fn partner_of_mesh(mesh: &[u8]) -> Option<Vec<u8>> {
    if let Ok(naive_actorx::File::Psk(mesh)) = naive_actorx::read(mesh) {
        let bones = built(&mesh.bones);
        return (bones.len() <= MAX_BONES).then(|| actorx::Anim::sway(bones, &[("walk", 3, 10.0)]).chunks().into());
    }
    let mesh = naive_pyrogenesis::read_pmd(mesh, naive_pyrogenesis::Mode::Strict).ok()?;
    let bones = mesh.bind.len();
    (bones <= MAX_BONES).then(|| pyrogenesis::Psa::walk(bones as u32, 3).build().bytes)
}

/// A mesh with the bones of an animation.
pub fn partner_of_animation(animation: &[u8]) -> Option<Vec<u8>> {
    if let Ok(naive_actorx::File::Psa(animation)) = naive_actorx::read(animation) {
        let bones = built(&animation.bones);
        let mesh = actorx::Mesh { bones, ..actorx::Mesh::sheet(3, 3, animation.bones.len().max(1) as u32) };
        return (animation.bones.len() <= MAX_BONES).then(|| mesh.chunks().into());
    }
    let animation = naive_pyrogenesis::read_psa(animation, naive_pyrogenesis::Mode::Strict).ok()?;
    (animation.bones < 255).then(|| pyrogenesis::Pmd::grid(3, 3, animation.bones, 1).build().bytes)
}
