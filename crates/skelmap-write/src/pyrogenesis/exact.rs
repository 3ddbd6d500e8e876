//! Puts back the numbers that glTF has in another form, where a file brings the records that it was made from.
//!
//! A record counts only where it is what the glTF says: the position bit for bit, the rest but for rounding. What was edited stays edited.

use skelmap::pyrogenesis::{Blend, BoneState, NO_BONE};
use zerocopy::FromBytes;

/// How far a normal or a weight may be from what its record becomes in glTF.
const MAX_ROUNDING: f32 = 4e-6;

/// The same of a state, of which chains of bones add up: of the size of its translation, and in the components of its rotation.
const MAX_DISTANCE: f32 = 2e-5;

/// The bytes of a vertex before its texture coordinates, and of a set of those.
const HEAD: usize = 24;
const SET: usize = 8;

/// The arrays of a mesh, one element for each vertex.
pub(super) struct Arrays<'m> {
    pub(super) positions: &'m [[f32; 3]],
    pub(super) normals: &'m mut [[f32; 3]],
    pub(super) uvs: &'m mut [Vec<[f32; 2]>],
    pub(super) blends: &'m mut [Blend],
}

impl Arrays<'_> {
    /// Takes over the records of vertices that agree. Without as many records as vertices, nothing. O(vertices).
    pub(super) fn restore(&mut self, records: &[u8]) {
        let stride = HEAD.saturating_add(self.uvs.len().saturating_mul(SET)).saturating_add(size_of::<Blend>());
        if records.len() != stride.saturating_mul(self.positions.len()) {
            return;
        }
        for (vertex, record) in records.chunks_exact(stride).enumerate() {
            self.restore_vertex(vertex, record);
        }
    }

    fn restore_vertex(&mut self, vertex: usize, record: &[u8]) -> Option<()> {
        let (head, rest) = record.split_at_checked(HEAD)?;
        let (sets, blend) = rest.split_at_checked(self.uvs.len().saturating_mul(SET))?;
        let [x, y, z, normal @ ..] = floats::<6>(head)?;
        let position = self.positions.get(vertex)?;
        if [x, y, z].map(f32::to_bits) != position.map(f32::to_bits) {
            return None;
        }
        let own = self.normals.get_mut(vertex)?;
        let length = normal.iter().map(|part| f64::from(*part).powi(2)).sum::<f64>().sqrt();
        // A normal without length says nothing, and glTF has another.
        let agrees = |part: f32, own: f32| (f64::from(part) / length - f64::from(own)).abs() <= f64::from(MAX_ROUNDING);
        if length == 0.0 || normal.iter().zip(*own).all(|(part, own)| agrees(*part, own)) {
            *own = normal;
        }
        for (set, record) in self.uvs.iter_mut().zip(sets.chunks_exact(SET)) {
            let ([u, v], own) = (floats::<2>(record)?, set.get_mut(vertex)?);
            let turned = 1.0 - (1.0 - v);
            if [u, turned].map(f32::to_bits) == own.map(f32::to_bits) {
                *own = [u, v];
            }
        }
        let stored = Blend::read_from_bytes(blend).ok()?;
        let own = self.blends.get_mut(vertex)?;
        if is_same_blend(&stored, own) {
            *own = stored;
        }
        Some(())
    }
}

/// Whether two lists of influences move a vertex alike: the shares of each bone.
fn is_same_blend(stored: &Blend, own: &Blend) -> bool {
    let sum: f32 = stored.influences().map(|(_, weight)| weight).sum();
    if stored.influences().next().is_none() || own.influences().next().is_none() {
        return stored.influences().next().is_none() && own.influences().next().is_none();
    }
    let share = |blend: &Blend, sum: f32, bone: u8| {
        blend.influences().filter(|(other, _)| *other == bone).map(|(_, weight)| weight / sum).sum::<f32>()
    };
    let bones = stored.bones().into_iter().chain(own.bones()).filter(|bone| *bone != NO_BONE);
    sum > 0.0 && bones.into_iter().all(|bone| (share(stored, sum, bone) - share(own, 1.0, bone)).abs() <= MAX_ROUNDING)
}

/// Takes over the records of states that agree. Without as many records as states, nothing. O(states).
pub(super) fn restore_states(states: &mut [BoneState], records: &[u8]) {
    if records.len() != size_of_val(states) {
        return;
    }
    for (state, record) in states.iter_mut().zip(records.chunks_exact(size_of::<BoneState>())) {
        if let Some(stored) = BoneState::read_from_bytes(record).ok().filter(|stored| is_same_state(stored, state)) {
            *state = stored;
        }
    }
}

/// Whether two states differ by no more than rounding. A rotation and its opposite are one.
fn is_same_state(one: &BoneState, other: &BoneState) -> bool {
    let size = other.translation().into_iter().map(f32::abs).fold(1.0, f32::max);
    let mut places = one.translation().into_iter().zip(other.translation());
    let near = |sign: f32| {
        let mut parts = one.rotation().into_iter().zip(other.rotation());
        parts.all(|(one, other)| (one - sign * other).abs() <= MAX_DISTANCE)
    };
    places.all(|(one, other)| (one - other).abs() <= MAX_DISTANCE * size) && (near(1.0) || near(-1.0))
}

/// Little-endian floats.
fn floats<const N: usize>(bytes: &[u8]) -> Option<[f32; N]> {
    let mut found = [0.0; N];
    for (value, bytes) in found.iter_mut().zip(bytes.chunks_exact(size_of::<f32>())) {
        *value = f32::from_le_bytes(bytes.try_into().ok()?);
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record with a normal of another length, a `v` that 1 - v rounds, and weights whose sum is not 1.
    fn record() -> Vec<u8> {
        let blend = Blend::default().with_bones([3, 1, NO_BONE, 7]).with_weights([0.5, 0.25, 9.0, 9.0]);
        let floats = [1.0_f32, -0.0, 3.0, 0.0, 2.0, 0.0, 0.25, 0.1];
        floats.iter().flat_map(|value| value.to_le_bytes()).chain(blend.as_bytes().iter().copied()).collect()
    }

    fn restored(change: impl FnOnce(&mut [f32; 3], &mut [f32; 3], &mut [f32; 2], &mut Blend)) -> (Vec<u8>, usize) {
        let (mut position, mut normal) = ([1.0, -0.0, 3.0], [0.0, 1.0, 0.0]);
        let mut uv = [0.25, 1.0 - (1.0 - 0.1_f32)];
        let mut blend =
            Blend::default().with_bones([3, 1, NO_BONE, NO_BONE]).with_weights([0.5 / 0.75, 0.25 / 0.75, 0.0, 0.0]);
        change(&mut position, &mut normal, &mut uv, &mut blend);
        let (mut normals, mut uvs, mut blends) = ([normal], [vec![uv]], [blend]);
        let mut arrays = Arrays { positions: &[position], normals: &mut normals, uvs: &mut uvs, blends: &mut blends };
        arrays.restore(&record());
        let floats = position.into_iter().chain(normals[0]).chain(uvs[0][0]);
        let bytes: Vec<u8> = floats.flat_map(f32::to_le_bytes).chain(blends[0].as_bytes().iter().copied()).collect();
        let same = bytes.iter().zip(record()).filter(|(one, other)| **one == *other).count();
        (bytes, same)
    }

    #[test]
    fn a_record_that_agrees_comes_back_bit_by_bit() {
        assert_eq!(restored(|_, _, _, _| {}).0, record());
    }

    #[test]
    fn what_was_edited_stays_edited() {
        let kept = |change: fn(&mut [f32; 3], &mut [f32; 3], &mut [f32; 2], &mut Blend), from: usize, to: usize| {
            let (bytes, _) = restored(change);
            assert_ne!(bytes[from..to], record()[from..to]);
            bytes
        };
        // A vertex that was moved is another one.
        let moved = kept(|position, _, _, _| position[0] = 2.0, 0, 4);
        assert_eq!(moved[12..24], [0.0_f32, 1.0, 0.0].map(f32::to_le_bytes).concat());
        let turned = kept(|_, normal, _, _| *normal = [1.0, 0.0, 0.0], 12, 24);
        assert_eq!(turned[24..], record()[24..]);
        kept(|_, _, uv, _| uv[1] = 0.5, 28, 32);
        kept(|_, _, _, blend| *blend = blend.with_bones([3, 2, NO_BONE, NO_BONE]), 32, 36);
        kept(|_, _, _, blend| *blend = blend.with_weights([0.7, 0.3, 0.0, 0.0]), 36, 44);
    }

    #[test]
    fn states_come_back_with_their_sign() {
        let stored = BoneState::default().with_translation([1.0, -0.0, 2.0]).with_rotation([0.0, 0.6, 0.0, 0.8]);
        let written = BoneState::default().with_translation([1.0, 0.0, 2.0]).with_rotation([0.0, -0.6, 0.0, -0.8]);
        let other = written.with_translation([1.001, 0.0, 2.0]);
        let mut states = [written, other];
        let records: Vec<u8> = [stored, stored].iter().flat_map(|state| state.as_bytes().to_vec()).collect();
        restore_states(&mut states, &records);
        assert_eq!(states[0].as_bytes(), stored.as_bytes());
        assert_eq!(states[1].as_bytes(), other.as_bytes());
        restore_states(&mut states, &records[1..]);
        assert_eq!(states[1].as_bytes(), other.as_bytes());
    }
}
