//! Poses: a clip at a time, bound to a mesh, and the place of each bone in the model.

use std::collections::HashMap;

use super::math::{M4, Quat, Trs, V3, multiply, slerp, unit};
use super::{Mesh, Motion};

/// A pose of one bone: a translation, a scale, and the rotations that it may have.
#[derive(Clone, Debug)]
pub struct Blend {
    pub t: V3,
    pub s: V3,
    pub rotations: Vec<Quat>,
    /// Whether the keys that have a weight have a direction; else the rotation is the identity, and in a pose of a mesh that at rest.
    pub has_direction: bool,
    /// The largest number in the two keys, without the rotations.
    pub size: f64,
    /// Whether the numbers of both keys allow a comparison.
    pub is_moderate: bool,
}

impl Blend {
    pub fn of(own: Trs) -> Self {
        Self::between(&own, &own, 0.0)
    }

    fn between(a: &Trs, b: &Trs, part: f64) -> Self {
        let on_line = |a: V3, b: V3| std::array::from_fn(|axis| a[axis] * (1.0 - part) + b[axis] * part);
        let numbers = [a.t, b.t, a.s, b.s].concat();
        let is_moderate = numbers.iter().all(|x| super::math::is_moderate(*x))
            && [a, b].iter().all(|key| super::math::is_moderate_rotation(key.q))
            && (part == 0.0 || (1e-6..=1.0 - 1e-6).contains(&part));
        let size = numbers.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
        let has_direction = (part < 1.0 && unit(a.q).is_some()) || (part > 0.0 && unit(b.q).is_some());
        let (t, s, rotations) = (on_line(a.t, b.t), on_line(a.s, b.s), slerp(a.q, b.q, part));
        Self { t, s, rotations, has_direction, size, is_moderate }
    }
}

/// The frames around a position, and the part of the second.
pub fn around(position: f64, count: usize, looped: bool) -> (usize, usize, f64) {
    let (last, length) = (count - 1, count as f64);
    if position.is_nan() || (looped && position.is_infinite()) {
        return (0, if looped { 1 % count } else { 1.min(last) }, 0.0);
    }
    if !looped {
        let position = position.clamp(0.0, last as f64);
        let first = position.floor();
        return (first as usize, (first as usize + 1).min(last), position - first);
    }
    let rest = position % length;
    let rest = if rest < 0.0 { rest + length } else { rest };
    let first = rest.floor();
    (first as usize % count, (first as usize + 1) % count, rest - first)
}

/// The blend of each track at a position in frames.
pub fn sample(motion: &Motion, position: f64, looped: bool) -> Vec<Blend> {
    let (first, second, part) = around(position, motion.frames.len(), looped);
    let keys = motion.frames[first].iter().zip(&motion.frames[second]);
    keys.map(|(a, b)| Blend::between(a, b, part)).collect()
}

/// Which track moves each bone of the mesh.
pub fn bind(mesh: &Mesh, motion: &Motion) -> Vec<Option<usize>> {
    let count = mesh.bones.len();
    let nothing = vec![None; count];
    if !std::ptr::eq(mesh.rules, motion.rules) {
        return nothing;
    }
    let Some(names) = &motion.names else {
        return if motion.bones.len() == count { (0..count).map(Some).collect() } else { nothing };
    };
    let mut bones: HashMap<&[u8], std::collections::VecDeque<usize>> = HashMap::new();
    for (index, bone) in mesh.bones.iter().enumerate() {
        bones.entry(&bone.name).or_default().push_back(index);
    }
    let mut tracks = nothing;
    for (track, name) in names.iter().enumerate() {
        // The k-th of a name to the k-th of that name.
        if let Some(bone) = bones.get_mut(name.as_slice()).and_then(std::collections::VecDeque::pop_front) {
            tracks[bone] = Some(track);
        }
    }
    tracks
}

/// For each track, whether its translation and its rotation come from the mesh.
pub type FromMesh = Vec<(bool, bool)>;

/// What a side-car says of the tracks of a clip.
pub fn from_mesh(side_car: &[u8], motion: &Motion) -> FromMesh {
    use crate::actorx::naive::{config, text};
    let config = config::read(side_car);
    let is = |one: &str, other: &str| one.eq_ignore_ascii_case(other);
    let own_name = motion.name.as_deref().map(text).unwrap_or_default();
    let names = motion.names.clone().unwrap_or_default();
    let track = |(index, name): (usize, &Vec<u8>)| {
        let name = text(name);
        let is_named = |list: &[String]| list.iter().any(|own| is(own.trim_end_matches(' '), &name));
        let mut translation = if is_named(&config.force_mesh) {
            true
        } else {
            !is_named(&config.use_translation) && config.rotation_only && index > 0
        };
        let mut rotation = false;
        for (sequence, bone, parts) in &config.remove {
            if is(sequence.trim_end_matches(' '), &own_name) && *bone as usize == index {
                translation |= parts != "rot";
                rotation |= parts != "trans";
            }
        }
        (translation, rotation)
    };
    names.iter().enumerate().map(track).collect()
}

/// The pose of each bone of the mesh at a position in frames.
pub fn pose(mesh: &Mesh, motion: &Motion, from_mesh: Option<&FromMesh>, position: f64, looped: bool) -> Vec<Blend> {
    let blends = sample(motion, position, looped);
    let bones = mesh.bones.iter().zip(bind(mesh, motion));
    let of_bone = |(bone, track): (&super::Bone, Option<usize>)| {
        let is_moderate = Blend::of(bone.bind).is_moderate;
        let rest = Blend { is_moderate, ..Blend::of(bone.bind.with_unit_rotation()) };
        let Some(track) = track else { return rest };
        let (translation, rotation) = from_mesh.and_then(|all| all.get(track)).copied().unwrap_or_default();
        let mut own = blends[track].clone();
        if translation {
            (own.t, own.size) = (rest.t, own.size.max(rest.size));
        }
        if rotation || !own.has_direction {
            own.rotations = rest.rotations;
        }
        if !motion.has_scale || motion.unscaled.get(track).is_some_and(|unscaled| *unscaled) {
            (own.s, own.size) = (rest.s, own.size.max(rest.size));
        }
        own.is_moderate &= rest.is_moderate;
        own
    };
    bones.map(of_bone).collect()
}

/// The place of each bone in the model, and how far rounding may have gone there.
pub struct World {
    pub matrices: Vec<M4>,
    pub sizes: Vec<Size>,
}

/// The largest factor of lengths, the largest translation, and the number of products.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub stretch: f64,
    pub reach: f64,
    pub depth: f64,
}

/// Multiplies matrices down the hierarchy: each bone after its parent.
pub fn world(mesh: &Mesh, local: &[M4]) -> World {
    let mut children = vec![Vec::new(); local.len()];
    let mut next: std::collections::VecDeque<usize> = std::collections::VecDeque::new();
    for (bone, own) in mesh.bones.iter().enumerate() {
        match own.parent {
            Some(parent) => children[parent].push(bone),
            None => next.push_back(bone),
        }
    }
    let mut matrices = local.to_vec();
    let mut sizes: Vec<Size> = local.iter().map(size).collect();
    while let Some(bone) = next.pop_front() {
        if let Some(parent) = mesh.bones[bone].parent {
            matrices[bone] = multiply(&matrices[parent], &local[bone]);
            let (above, own) = (sizes[parent], sizes[bone]);
            sizes[bone] = Size {
                stretch: above.stretch * own.stretch,
                reach: above.reach + above.stretch * own.reach,
                depth: above.depth + 1.0,
            };
        }
        next.extend(&children[bone]);
    }
    World { matrices, sizes }
}

/// Of a rotation and a scale, which the columns have as their lengths.
fn size(m: &M4) -> Size {
    let column = |k: usize| super::math::length([m[0][k], m[1][k], m[2][k]]);
    let stretch = (0..3).map(column).fold(0.0, f64::max);
    Size { stretch: stretch.max(1.0), reach: column(3), depth: 1.0 }
}
