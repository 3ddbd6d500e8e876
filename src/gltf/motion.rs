//! The channels of a clip: which bones move in it, which keys they need, and the values of these keys.

use super::additive::Base;
use super::rig::Rig;
use super::turn::{NO_TURN, Quaternion, seen_from};
use crate::model::{Binding, Clip, Transform};

/// A clip to be written, and the binding of its tracks to the bones of the mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion<'c> {
    pub(super) clip: &'c Clip<'c>,
    pub(super) binding: &'c Binding,
    pub(super) rig: &'c Rig,
    /// The pose that the clip is added to, if it is additive.
    pub(super) base: Option<&'c Base>,
    pub(super) loops: bool,
}

/// A part of a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Path {
    Translation,
    Rotation,
    Scale,
}

impl Path {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
        }
    }

    /// The components of this part; a fourth one of 0 where there are three.
    fn of(self, transform: &Transform) -> [f32; 4] {
        let three = |[x, y, z]: [f32; 3]| [x, y, z, 0.0];
        match self {
            Self::Translation => three(transform.translation),
            Self::Rotation => transform.rotation,
            Self::Scale => three(transform.scale),
        }
    }

    /// The number of components.
    pub(super) const fn size(self) -> usize {
        match self {
            Self::Rotation => 4,
            Self::Translation | Self::Scale => 3,
        }
    }
}

/// A part of a bone's transform that a clip changes, and the number of its keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Channel {
    pub(super) bone: usize,
    pub(super) path: Path,
    pub(super) keys: Keys,
}

/// The keys of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Keys {
    /// One for each frame.
    Every,
    /// One at the start: the value does not change.
    First,
    /// The same value at the start and at the end, so that the clip has its length.
    Ends,
}

/// Below this difference of each component, two values are the same.
const SAME: f32 = 1e-6;

impl<'c> Motion<'c> {
    /// Number of keys of a channel that has all.
    pub(super) fn frame_count(&self) -> usize {
        self.clip.frame_count().saturating_add(usize::from(self.loops))
    }

    /// The channels that the clip needs. O(frames * bones), no copy of keys.
    pub(super) fn channels(&self) -> Vec<Channel> {
        let mut channels = Vec::new();
        let parts = self.clip.parts();
        let paths =
            [(Path::Translation, parts.translation), (Path::Rotation, parts.rotation), (Path::Scale, parts.scale)];
        let moves_all = self.base.is_some_and(Base::moves_children);
        for (bone, bind) in self.rig.bind.iter().enumerate() {
            if self.binding.track_of(bone).is_none() && !moves_all {
                continue;
            }
            for (path, _) in paths.into_iter().filter(|(_, is_there)| *is_there) {
                let mut values = self.all_values(bone, path);
                let Some(first) = values.next() else { continue };
                let keys = if values.all(|value| is_same(value, first)) { Keys::First } else { Keys::Every };
                if keys == Keys::Every || !is_same(first, path.of(bind)) {
                    channels.push(Channel { bone, path, keys });
                }
            }
        }
        if !channels.iter().any(|channel| channel.keys == Keys::Every) {
            // The length of the clip would be lost.
            let keys = if self.frame_count() > 1 { Keys::Ends } else { Keys::First };
            match channels.first_mut() {
                Some(channel) => channel.keys = keys,
                None if self.rig.bone_count() > 0 => channels.push(Channel { bone: 0, path: Path::Rotation, keys }),
                None => {}
            }
        }
        channels
    }

    /// Number of keys of a channel.
    pub(super) fn key_count(&self, keys: Keys) -> usize {
        match keys {
            Keys::Every => self.frame_count(),
            Keys::First => 1,
            Keys::Ends => 2,
        }
    }

    /// The values of a channel, key after key.
    pub(super) fn values(&self, channel: &Channel) -> impl Iterator<Item = [f32; 4]> + use<'c> {
        let mut values = self.all_values(channel.bone, channel.path);
        let (count, moves) = (self.key_count(channel.keys), channel.keys == Keys::Every);
        let mut last = values.rest;
        (0..count).map(move |key| {
            if key == 0 || moves {
                last = values.next().unwrap_or(last);
            }
            last
        })
    }

    fn all_values(&self, bone: usize, path: Path) -> Values<'c> {
        let rest = path.of(&self.rig.bind.get(bone).copied().unwrap_or_default());
        let parent = self.rig.parents.get(bone).copied().flatten();
        Values { motion: *self, bone, parent, path, frame: 0, rest, last: rest }
    }

    /// The transform of a bone in a frame, relative to its parent.
    fn transform(&self, frame: usize, bone: usize, parent: Option<usize>) -> Option<Transform> {
        let key = |bone| self.binding.transform(self.clip, frame, bone);
        if let Some(base) = self.base {
            let still = Transform { scale: [1.0; 3], ..Transform::IDENTITY };
            let of_parent = parent.and_then(key).map_or(NO_TURN, |parent: Transform| parent.rotation);
            return Some(base.add(bone, parent, &key(bone).unwrap_or(still), of_parent));
        }
        match parent.filter(|_| self.rig.is_regrouped) {
            // In such a family, all bones have tracks or none has.
            Some(parent) => Some(seen_from(&key(parent)?, &key(bone)?)),
            None => key(bone),
        }
    }
}

/// The values of one part of a bone, frame after frame, with rotations of unit length and continuous sign.
struct Values<'m> {
    motion: Motion<'m>,
    bone: usize,
    parent: Option<usize>,
    path: Path,
    frame: usize,
    rest: [f32; 4],
    last: [f32; 4],
}

impl Iterator for Values<'_> {
    type Item = [f32; 4];

    #[inline]
    fn next(&mut self) -> Option<[f32; 4]> {
        let Motion { clip, binding, rig, base, .. } = self.motion;
        if self.frame >= self.motion.frame_count() {
            return None;
        }
        // The frame after the last is the first one again.
        let frame = if self.frame == clip.frame_count() { 0 } else { self.frame };
        self.frame = self.frame.saturating_add(1);
        let value = if base.is_none() && !rig.is_regrouped {
            let key = binding.key(clip, frame, self.bone);
            key.map(|key| self.path.of(&key)).map(|value| self.unit(value))
        } else {
            let key = self.motion.transform(frame, self.bone, self.parent);
            key.map(|key| self.path.of(&key))
        };
        let value = value.unwrap_or(self.rest);
        let value = if value.iter().all(|part| part.is_finite()) { value } else { self.last };
        let is_turned = self.path == Path::Rotation && dot(value, self.last) < 0.0;
        self.last = if is_turned { value.map(|part| -part) } else { value };
        Some(self.last)
    }
}

impl Values<'_> {
    /// A rotation of unit length. One without length is that of the pose at rest.
    #[inline]
    fn unit(&self, value: Quaternion) -> Quaternion {
        if self.path != Path::Rotation {
            return value;
        }
        if value == [0.0; 4] {
            return self.rest;
        }
        Transform { rotation: value, ..Transform::IDENTITY }.with_unit_rotation().rotation
    }
}

#[inline]
fn dot(a: [f32; 4], b: [f32; 4]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[inline]
fn is_same(a: [f32; 4], b: [f32; 4]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= SAME)
}
