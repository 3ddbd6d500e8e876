//! Pyrogenesis: meshes, animations, poses and skinning against the second reader, in both modes.

use skelmap::pyrogenesis::{IDENTITY, Matrix, Options, Playback, Pmd, Psa, SkinnedVertex, Strictness};

use super::agree::agree;
use super::naive::{self as naive, Mode};
use crate::any_bytes::comparable;

/// Times on frames, between them, far past the last, and such as there are none.
const TIMES: [f32; 7] = [0.0, 8.25, 33.333_332, 12_345.6, 1e30, -1.0, f32::NAN];

/// More than this is not posed: without states a file may have any number of bones.
const MAX_BONES: usize = 1 << 12;

pub fn pyrogenesis_psa(bytes: &[u8]) {
    agree(bytes);
    for (strictness, mode) in [(Strictness::Strict, Mode::Strict), (Strictness::Engine, Mode::Engine)] {
        let (Ok(animation), Ok(expected)) =
            (Psa::parse_with(bytes, &Options::new(strictness)), naive::read_psa(bytes, mode))
        else {
            continue;
        };
        same_poses(&animation, &expected);
        let mut poses = vec![IDENTITY; animation.states().len()];
        animation.frame_poses(&mut poses).unwrap();
        for finding in animation.check() {
            assert!(finding.count >= 1 && !finding.message.is_empty());
        }
    }
}

fn same_poses(animation: &Psa<'_>, expected: &naive::Psa) {
    if animation.bone_count() > MAX_BONES {
        return;
    }
    let mut pose = vec![IDENTITY; animation.bone_count()];
    for time in TIMES {
        for (playback, looping) in [(Playback::Loop, true), (Playback::Once, false)] {
            match (animation.pose(time, playback, &mut pose), naive::pose(expected, time, looping)) {
                (Ok(()), Ok(expected)) => {
                    assert_eq!(comparable(pose.as_flattened()), comparable(expected.as_flattened()), "at {time}");
                }
                (Err(error), Err(expected)) => assert_eq!(error.code().name(), expected, "at {time}"),
                (found, expected) => panic!("at {time}: {found:?} and {expected:?}"),
            }
            // A clock gives a time or none, never a panic.
            let _ = animation.play_time(time, playback);
        }
    }
}

pub fn pmd(bytes: &[u8]) {
    agree(bytes);
    for (strictness, mode) in [(Strictness::Strict, Mode::Strict), (Strictness::Engine, Mode::Engine)] {
        let (Ok(mesh), Ok(expected)) =
            (Pmd::parse_with(bytes, &Options::new(strictness)), naive::read_pmd(bytes, mode))
        else {
            continue;
        };
        same_skinning(&mesh, &expected);
        for prop in mesh.props() {
            // Of several with one name, the engine takes one; there is one.
            let name = prop.name.as_str();
            assert!(name.is_none_or(|name| mesh.prop(name).is_some()));
        }
        for finding in mesh.check() {
            assert!(finding.count >= 1 && !finding.message.is_empty());
        }
    }
}

/// Where skinning is defined, it is the naive reader's; where not, it is an error.
fn same_skinning(mesh: &Pmd<'_>, expected: &naive::Pmd) {
    let mut bind = vec![IDENTITY; mesh.bones().len()];
    let mut rest = vec![SkinnedVertex::default(); mesh.vertices().len()];
    let is_moved = mesh.to_model_space(&mut bind, &mut rest).is_ok();
    mesh.inverse_bind_pose(&mut bind).unwrap();
    let found = bind.iter().flatten();
    assert_eq!(comparable(found), comparable(naive::inverse_bind(expected).as_flattened()));
    // A pose of the mesh's own bones, each somewhere else.
    let pose: Vec<Matrix> = (0..mesh.bones().len())
        .map(|bone| {
            let mut matrix = IDENTITY;
            matrix[12] = bone as f32;
            matrix
        })
        .collect();
    let mut matrices = vec![IDENTITY; mesh.skin_matrix_count()];
    mesh.skin_matrices(&pose, &bind, &mut matrices).unwrap();
    let mut out = rest.clone();
    let skinned = mesh.skin_rest(&rest, &matrices, &mut out);
    let mut straight = rest.clone();
    let skinned_straight = mesh.skin(&matrices, &mut straight);
    assert!(skinned_straight.is_err() || !mesh.is_bind_relative() || mesh.vertices().is_empty());
    // The engine reads past its matrices where a bone does not exist; there is nothing to compare with.
    let bones = mesh.bones().len();
    let is_sound = expected.vertices.iter().all(|vertex| {
        let used = vertex.bones.iter().take_while(|bone| **bone != 0xFF);
        vertex.bones[0] != 0xFF && used.into_iter().all(|bone| usize::from(*bone) <= bones)
    });
    if !is_moved || skinned.is_err() || !is_sound {
        return;
    }
    same_vertices(&rest, &naive::rest(expected));
    same_vertices(&out, &naive::skin(expected, &pose));
    if skinned_straight.is_ok() {
        same_vertices(&straight, &naive::skin(expected, &pose));
    }
}

fn same_vertices(found: &[SkinnedVertex], expected: &[([f32; 3], [f32; 3])]) {
    let found = found.iter().flat_map(|vertex| vertex.position.iter().chain(&vertex.normal));
    let expected = expected.iter().flat_map(|(position, normal)| position.iter().chain(normal));
    assert_eq!(comparable(found), comparable(expected));
}
