//! The channels of a clip: which bones move in it, which keys they need, and the values of these keys.

use crate::model::{Binding, Clip, Transform};

/// A clip to be written, and the binding of its tracks to the bones of the mesh.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion<'c> {
    pub(super) clip: &'c Clip<'c>,
    pub(super) binding: &'c Binding,
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
    pub(super) const ALL: [Self; 3] = [Self::Translation, Self::Rotation, Self::Scale];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Translation => "translation",
            Self::Rotation => "rotation",
            Self::Scale => "scale",
        }
    }

    /// The components of this part, and their number.
    pub(super) fn of(self, transform: &Transform) -> ([f32; 4], usize) {
        let three = |[x, y, z]: [f32; 3]| ([x, y, z, 0.0], 3);
        match self {
            Self::Translation => three(transform.translation),
            Self::Rotation => (transform.rotation, 4),
            Self::Scale => three(transform.scale),
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keys {
    /// One for each frame.
    Every,
    /// One at the start: the value does not change.
    First,
    /// The same value at the start and at the end, so that the clip has its length.
    Ends,
}

impl Keys {
    /// A number to tell the kinds apart.
    pub(super) const fn number(self) -> u8 {
        match self {
            Self::Every => 0,
            Self::First => 1,
            Self::Ends => 2,
        }
    }
}

/// Below this difference of each component, two values are the same.
const SAME: f32 = 1e-6;

impl Motion<'_> {
    /// Number of keys of a channel that has all.
    pub(super) fn frame_count(&self) -> usize {
        self.clip.frame_count().saturating_add(usize::from(self.loops))
    }

    /// The channels that the clip needs. O(frames * bones), no copy of keys.
    pub(super) fn channels(&self, bind: &[Transform]) -> Vec<Channel> {
        let mut channels = Vec::new();
        for (bone, bind) in bind.iter().enumerate() {
            if self.binding.track_of(bone).is_none() {
                continue;
            }
            for path in Path::ALL {
                let mut values = Values::new(self, bone, bind, path);
                let Some(first) = values.next() else { continue };
                let keys = if values.all(|value| is_same(value, first)) { Keys::First } else { Keys::Every };
                let (rest, _) = path.of(bind);
                let is_rest = is_same(first, rest);
                if keys == Keys::Every || !is_rest {
                    channels.push(Channel { bone, path, keys });
                }
            }
        }
        let is_long = self.frame_count() > 1;
        if !channels.iter().any(|channel| channel.keys == Keys::Every) {
            // The length of the clip would be lost.
            let keys = if is_long { Keys::Ends } else { Keys::First };
            match channels.first_mut() {
                Some(channel) => channel.keys = keys,
                None if !bind.is_empty() => channels.push(Channel { bone: 0, path: Path::Rotation, keys }),
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
    pub(super) fn values<'m>(
        &'m self,
        channel: &Channel,
        bind: &'m Transform,
    ) -> impl Iterator<Item = [f32; 4]> + use<'m> {
        let mut values = Values::new(self, channel.bone, bind, channel.path);
        let (count, moves) = (self.key_count(channel.keys), channel.keys == Keys::Every);
        let mut last = channel.path.of(bind).0;
        (0..count).map(move |key| {
            if key == 0 || moves {
                last = values.next().unwrap_or(last);
            }
            last
        })
    }
}

/// The values of one part of a bone, frame after frame, with rotations of continuous sign.
struct Values<'m> {
    motion: Motion<'m>,
    bone: usize,
    bind: &'m Transform,
    path: Path,
    frame: usize,
    last: Option<[f32; 4]>,
}

impl<'m> Values<'m> {
    const fn new(motion: &'m Motion<'m>, bone: usize, bind: &'m Transform, path: Path) -> Self {
        Self { motion: *motion, bone, bind, path, frame: 0, last: None }
    }
}

impl Iterator for Values<'_> {
    type Item = [f32; 4];

    fn next(&mut self) -> Option<[f32; 4]> {
        let Motion { clip, binding, .. } = self.motion;
        if self.frame >= self.motion.frame_count() {
            return None;
        }
        // The frame after the last is the first one again.
        let frame = if self.frame == clip.frame_count() { 0 } else { self.frame };
        self.frame = self.frame.saturating_add(1);
        let transform = binding.transform(clip, frame, self.bone).unwrap_or(*self.bind);
        let (value, _) = self.path.of(&transform);
        let (rest, _) = self.path.of(self.bind);
        let value = if value.iter().all(|part| part.is_finite()) { value } else { self.last.unwrap_or(rest) };
        let turned = self.path == Path::Rotation && dot(value, self.last.unwrap_or(rest)) < 0.0;
        let value = if turned { value.map(|part| -part) } else { value };
        self.last = Some(value);
        Some(value)
    }
}

fn dot(a: [f32; 4], b: [f32; 4]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn is_same(a: [f32; 4], b: [f32; 4]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() <= SAME)
}
