//! What the files of SWAT 3 hold, in the terms of the naive evaluation. Rotations come from the crate's frames, because the second reader
//! is slow on purpose.

use skelmap::model::{Relative, Space};
use skelmap::swat3::{Gsa, Quat};

use crate::model::compare::{Target, X, Y, Z};
use crate::model::naive::math::{Trs, wide};
use crate::model::naive::{Motion, Rules};

/// Nothing is known of the space.
pub(super) static RULES: Rules = Rules {
    relative: Relative::Unknown,
    has_names: false,
    has_side_car: false,
    model_is_bone: false,
    up: 2,
    targets,
    is_mirrored: None,
};

fn targets() -> Vec<Target> {
    vec![
        Target::new("file", None, None, 1.0, [X, Y, Z]),
        Target::new("gltf", Some(Space::GLTF), Some(0.01), 1.0, [X, Y, Z]),
    ]
}

/// The clip of a file; `None` for a file that is no animation, or not readable.
pub(super) fn motions(bytes: &[u8]) -> Option<Vec<Motion>> {
    Gsa::parse(bytes).ok().map(|file| vec![of_gsa(&file)])
}

fn of_gsa(file: &Gsa<'_>) -> Motion {
    let track = |rotation: &Quat| Trs { q: wide(rotation.get()), ..Trs::IDENTITY };
    let ids: Vec<usize> = file.animated_ids().iter().map(|id| id.get().into()).collect();
    Motion {
        rules: &RULES,
        name: None,
        names: None,
        bones: if ids.is_empty() { (0..file.rotation_count()).collect() } else { ids },
        frames: file.frames().map(|frame| frame.rotations().iter().map(track).collect()).collect(),
        rate: Some(10.0),
        has_scale: false,
        unscaled: Vec::new(),
        missing: None,
        is_computed: false,
    }
}
