//! Files that end too early or have a byte changed: both readers agree, and what reads can be checked and posed.

use skelmap::pyrogenesis::{IDENTITY, Options, Playback, SkinnedVertex, Strictness};
use skelmap::{Asset, ParseOptions};

use test_support::pyrogenesis::agree::agree;
use test_support::pyrogenesis::corpus::cases;
use test_support::with;

/// What reads all the data but has no second implementation to compare with.
fn exercise(bytes: &[u8]) {
    for strictness in [Strictness::Strict, Strictness::Engine] {
        let Ok(asset) =
            Asset::parse_with(bytes, &with(ParseOptions::default(), |own| own.pyrogenesis = Options::new(strictness)))
        else {
            continue;
        };
        asset.summary();
        asset.quirks().for_each(drop);
        {
            asset.check();
            pose(&asset);
        }
    }
}

/// A file with its payload size put right, so that what comes after the header is looked at.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let mut sealed = bytes.to_vec();
    let payload = u32::try_from(bytes.len().saturating_sub(12)).unwrap();
    if let Some(size) = sealed.get_mut(8..12) {
        size.copy_from_slice(&payload.to_le_bytes());
    }
    sealed
}

#[test]
fn both_readers_agree_on_a_file_cut_at_any_byte() {
    for case in cases() {
        println!("{}", case.file);
        for length in 0..case.bytes.len() {
            let cut = &case.bytes[..length];
            agree(cut);
            let cut = sealed(cut);
            agree(&cut);
            exercise(&cut);
        }
    }
}

/// Changes every byte up to `limit` to every other value.
fn change_all(limit: usize, only: impl Fn(&str) -> bool) {
    let mut changes = 0_usize;
    for case in cases().into_iter().filter(|case| only(case.file)) {
        println!("{}", case.file);
        let mut bytes = case.bytes;
        for at in 0..bytes.len().min(limit) {
            let byte = bytes[at];
            for value in (0..=u8::MAX).filter(|value| *value != byte) {
                bytes[at] = value;
                agree(&bytes);
                changes += 1;
            }
            for value in [byte.wrapping_add(1), byte ^ 0x80, 0, 0xFF] {
                bytes[at] = value;
                exercise(&bytes);
            }
            bytes[at] = byte;
        }
    }
    assert!(changes > 10_000, "{changes} changes");
}

/// The fixed part of an animation ends at byte 28 where it has no name.
#[test]
fn both_readers_agree_on_an_animation_with_any_changed_header_byte() {
    change_all(40, |file| file.starts_with("pyrogenesis/psa/"));
}

#[test]
fn both_readers_agree_on_a_mesh_with_any_changed_header_byte() {
    change_all(20, |file| file.starts_with("pyrogenesis/pmd/"));
}

#[test]
fn both_readers_agree_on_a_damaged_file_with_any_changed_header_byte() {
    change_all(40, |file| file.starts_with("pyrogenesis/damaged/"));
}

/// All counts of a mesh and all names and bones of its prop points, not only those in the header.
#[test]
fn both_readers_agree_on_a_mesh_with_any_changed_byte() {
    change_all(usize::MAX, |file| file.ends_with("/skinned.pmd"));
}

/// Runs everything on a file that may hold anything: it must end without a panic.
fn pose(asset: &Asset<'_>) {
    match asset {
        Asset::PyrogenesisPsa(animation) if animation.states().len() < 10_000 => {
            let mut pose = vec![IDENTITY; animation.states().len().max(animation.bone_count().min(10_000))];
            animation.frame_poses(pose.get_mut(..animation.states().len()).unwrap()).unwrap();
            for time in [0.0, 40.0, 1e9, 1e30, f32::NAN, -1.0, f32::INFINITY] {
                for playback in [Playback::Loop, Playback::Once] {
                    let bones = animation.bone_count().min(pose.len());
                    let _ = animation.pose(time, playback, &mut pose[..bones]);
                }
            }
        }
        Asset::PyrogenesisPmd(mesh) => {
            let mut bind = vec![IDENTITY; mesh.bones().len()];
            let mut matrices = vec![IDENTITY; mesh.skin_matrix_count()];
            let mut rest = vec![SkinnedVertex::default(); mesh.vertices().len()];
            mesh.inverse_bind_pose(&mut bind).unwrap();
            mesh.skin_matrices(&bind.clone(), &bind, &mut matrices).unwrap();
            let _ = mesh.to_model_space(&mut bind, &mut rest);
            let mut out = rest.clone();
            let _ = mesh.skin_rest(&rest, &matrices, &mut out);
            let _ = mesh.skin(&matrices, &mut out);
        }
        _ => {}
    }
}
