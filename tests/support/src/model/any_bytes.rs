//! A mesh and an animation of any bytes: bound, sampled and skinned as by the naive evaluation, and never a panic.

use super::agree::{Effort, agree};
use crate::FAMILIES;

/// Above this number of bytes, less is compared.
const LARGE: usize = 1 << 16;

/// More bones than this get no partner.
pub const MAX_BONES: usize = 512;

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
    let magics = FAMILIES.iter().flat_map(|family| family.animations);
    let is_animation = |at: &usize| magics.clone().any(|magic| bytes[*at..].starts_with(magic));
    bytes.split_at((0..bytes.len()).find(is_animation).unwrap_or(bytes.len()))
}

/// A side-car with a line of each kind.
pub const SIDE_CAR: &[u8] = b"[AnimSet]\nbAnimRotationOnly=1\n[UseTranslationBoneNames]\nPelvis\n\
    [ForceMeshTranslationBoneNames]\nHead\n[RemoveTracks]\nwalk.1=rot\nWalk.2=all\n";

/// An animation with the bones of a mesh.
pub fn partner_of_mesh(mesh: &[u8]) -> Option<Vec<u8>> {
    FAMILIES.iter().find_map(|family| (family.partner_of_mesh)(mesh))
}

/// A mesh with the bones of an animation.
pub fn partner_of_animation(animation: &[u8]) -> Option<Vec<u8>> {
    FAMILIES.iter().find_map(|family| (family.partner_of_animation)(animation))
}
