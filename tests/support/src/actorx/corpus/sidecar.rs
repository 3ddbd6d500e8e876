//! Animations with a `.config` beside them.

use super::super::build::{Chunks, IDENTITY};
use super::sample::{moves, walk, walk_and_run_good, walk_good};
use super::{Case, ok};

pub fn cases() -> Vec<Case> {
    vec![
        ok(
            "actorx/anim/config_rotation_only.psa",
            "translation from the mesh but for the listed bones",
            "actorx.md 6.1",
            walk().chunks(),
            walk_good(),
        )
        .beside(
            "actorx/anim/config_rotation_only.config",
            "[AnimSet]\nbAnimRotationOnly=1\n\n[UseTranslationBoneNames]\nHead\n\n[ForceMeshTranslationBoneNames]\nArm_L\n",
        ),
        ok(
            "actorx/anim/config_remove_tracks.psa",
            "tracks without keys, of sequences whose names hold dots, dashes and spaces",
            "actorx.md 6.1",
            removed_tracks(),
            walk_and_run_good(),
        )
        .beside(
            "actorx/anim/config_remove_tracks.config",
            "\n[RemoveTracks]\nWalk.Fwd-45 B.1=trans\nWalk.Fwd-45 B.2=rot\nIdle-2.0.3=all\n",
        ),
        ok(
            "actorx/anim/config_crlf.psa",
            "a side-car with CRLF line ends",
            "actorx.md 6.1",
            walk().chunks(),
            walk_good(),
        )
        .beside(
            "actorx/anim/config_crlf.config",
            "[AnimSet]\r\nbAnimRotationOnly=0\r\n\r\n[RemoveTracks]\r\nWalk.3=all\r\n",
        ),
        ok(
            "actorx/anim/config_case.psa",
            "a side-car in other letter case",
            "actorx.md 6.1",
            walk().chunks(),
            walk_good(),
        )
        .beside(
            "actorx/anim/config_case.config",
            "[animset]\nbanimrotationonly=1\n[usetranslationbonenames]\nHEAD\n[removetracks]\nwalk.3=All\n",
        ),
        ok(
            "actorx/anim/config_empty.psa",
            "a side-car that says nothing",
            "actorx.md 6.1",
            walk().chunks(),
            walk_good(),
        )
        .beside("actorx/anim/config_empty.config", "\n"),
        ok(
            "actorx/anim/config_line.psa",
            "side-car lines no rule covers",
            "actorx.md 6.1",
            walk().chunks(),
            walk_good().findings(&["config-line"]),
        )
        .beside(
            "actorx/anim/config_line.config",
            "bAnimRotationOnly=1\n[AnimSet]\nbAnimRotationOnly=maybe\nbOther=1\n[RemoveTracks]\nWalk=all\nWalk.3=some\nWalk.x=all\n[Unheard]\n",
        ),
        ok(
            "actorx/anim/config_sequence.psa",
            "a side-car for a sequence that is not there",
            "actorx.md 6.1",
            walk().chunks(),
            walk_good().findings(&["config-sequence"]),
        )
        .beside("actorx/anim/config_sequence.config", "[RemoveTracks]\nWalk.1=rot\nSwim.1=rot\n"),
        ok(
            "actorx/anim/config_bone_index.psa",
            "a side-car for a bone index that is not there",
            "actorx.md 6.1",
            walk().chunks(),
            walk_good().findings(&["config-bone"]),
        )
        .beside("actorx/anim/config_bone_index.config", "[RemoveTracks]\nWalk.4=all\n"),
        ok(
            "actorx/anim/config_bone_name.psa",
            "a side-car for a bone name that is not there",
            "actorx.md 6.1",
            walk().chunks(),
            walk_good().findings(&["config-bone"]),
        )
        .beside("actorx/anim/config_bone_name.config", "[UseTranslationBoneNames]\nHead\nTail\n"),
    ]
}

/// What a writer leaves in place of the keys it does not have.
fn removed_tracks() -> Chunks {
    let mut anim = moves(&[("Walk.Fwd-45 B", 5, 20.0), ("Idle-2.0", 3, 12.0)]);
    for (index, key) in anim.keys.iter_mut().enumerate() {
        let (frame, bone) = (index / 4, index % 4);
        let idle = frame >= 5;
        if (!idle && bone == 1) || (idle && bone == 3) {
            key.position = [0.0; 3];
        }
        if (!idle && bone == 2) || (idle && bone == 3) {
            key.rotation = IDENTITY;
        }
    }
    anim.chunks()
}
