//! A mesh and an animation of any bytes: bound, sampled and skinned as by the naive evaluation, and never a panic.

use skelmap::Asset;
use skelmap::model::{Binding, Hierarchy, Transform, VertexOptions, Wrap, pose};

use super::agree::{Effort, agree};
use crate::{FAMILIES, with};

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
    vertices(split(bytes).0, bytes.len());
    skeletons(split(bytes).1, bytes.last_chunk().map_or(0.5, |last| f64::from_le_bytes(*last)));
    match split(bytes) {
        (mesh, []) => agree(mesh, &partner_of_mesh(mesh).unwrap_or_default(), None, &effort),
        ([], animation) => agree(&partner_of_animation(animation).unwrap_or_default(), animation, None, &effort),
        (mesh, animation) => agree(mesh, animation, Some(SIDE_CAR), &effort),
    }
}

/// Vertices for renderers of any mesh: arrays of one length, indices and joints that exist, numbers that are finite.
fn vertices(bytes: &[u8], choice: usize) {
    let Some(mesh) = Asset::parse(bytes).ok().and_then(|asset| asset.mesh()) else { return };
    let options = with(VertexOptions::default(), |own| {
        own.influences = [0, 4, 8][choice % 3];
        own.max_joints = [None, Some(1)][choice % 2];
        (own.tangents, own.weld) = (choice % 5 < 3, choice % 7 < 5);
    });
    let Ok(vertices) = mesh.to_vertices(&options) else { return };
    let count = vertices.positions.len();
    let lengths = [vertices.normals.len(), vertices.sources.len()];
    assert!(lengths.into_iter().chain(vertices.uvs.iter().map(Vec::len)).all(|length| length == count));
    assert!(
        vertices.joints.iter().map(Vec::len).chain(vertices.weights.iter().map(Vec::len)).all(|length| length == count)
    );
    assert!(vertices.tangents.is_empty() || vertices.tangents.len() == count);
    assert!(vertices.colors.is_empty() || vertices.colors.len() == count);
    let floats = vertices.positions.iter().chain(&vertices.normals).flatten();
    let floats = floats.chain(vertices.tangents.iter().flatten()).chain(vertices.uvs.iter().flatten().flatten());
    assert!(floats.chain(vertices.weights.iter().flatten().flatten()).all(|value| value.is_finite()));
    let (mut end, mut triangles) = (0, 0);
    for part in &vertices.parts {
        assert_eq!(part.vertices.start, end);
        end = part.vertices.end;
        triangles += part.indices.len() / 3;
        assert!(part.indices.iter().all(|index| (index as usize) < part.vertices.len()));
        let joints = vertices.palettes.get(part.palette).map_or(0, |palette| palette.joints.len());
        let rows = vertices.joints.iter().flat_map(|set| &set[part.vertices.clone()]).flatten();
        assert!(rows.copied().all(|joint| usize::from(joint) < joints));
    }
    assert_eq!((end, triangles), (count, vertices.counts.triangles));
    assert_eq!(triangles + vertices.counts.dropped_triangles, mesh.triangle_count());
}

/// Poses of any clip without a mesh: one bone as all, places in order, and no panic.
fn skeletons(bytes: &[u8], position: f64) {
    let Ok(asset) = Asset::parse(bytes) else { return };
    for clip in asset.clips().filter(|clip| clip.track_count() <= MAX_BONES).take(2) {
        let (binding, hierarchy) = (Binding::of_clip(&clip), Hierarchy::of_clip(&clip));
        let (mut pose, mut places) = (binding.to_rest(), binding.to_rest());
        assert_eq!(hierarchy.bone_count(), pose.len());
        let mut is_placed = vec![false; pose.len()];
        for (bone, parent) in hierarchy.bones() {
            assert!(parent.is_none_or(|parent| is_placed[parent]) && !is_placed[bone]);
            is_placed[bone] = true;
        }
        for wrap in [Wrap::Clamp, Wrap::Loop] {
            let sampled = binding.sample_frame(&clip, position, wrap, &mut pose);
            for (bone, own) in pose.iter().enumerate() {
                let alone = binding.sample_bone_frame(&clip, position, wrap, bone);
                assert_eq!(alone.as_ref().err(), sampled.as_ref().err());
                assert!(alone.is_err() || alone.is_ok_and(|alone| bits(&alone) == bits(own)));
            }
            if let Ok(motion) = binding.root_motion(&clip, 0, 0.1, position, wrap) {
                let length: f32 = motion.rotation.iter().map(|part| part * part).sum();
                assert!((length - 1.0).abs() < 1e-3, "{motion:?}");
            }
        }
        hierarchy.model_transforms(&pose, &mut places).unwrap();
        let mut sum = pose.clone();
        hierarchy.add_in_model_space(&pose, &places, 0.5, &[], &mut sum).unwrap();
        pose::blend(&mut sum, &places, 0.5, &[]).unwrap();
        pose::align(&mut sum, &pose).unwrap();
    }
}

/// The numbers of a transform, so that those that are none are equal too.
fn bits(own: &Transform) -> Vec<u32> {
    own.translation.iter().chain(&own.rotation).chain(&own.scale).map(|part| part.to_bits()).collect()
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
