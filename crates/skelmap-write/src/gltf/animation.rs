//! Animations: channels of nodes, and the places of joints at any time.

use std::collections::HashMap;
use std::sync::Arc;

use skelmap::shared::{to_u32, to_u64, to_usize};

use super::Gltf;
use super::error::{GltfError, GltfErrorKind};
use super::json::parts;
use super::nodes::{Local, Nodes};
use crate::affine::{Affine, Place, Quaternion, rotation_product, unit, unit_of};

/// How near a time must be to that of a key to give its value, in seconds. Programs write the times of frames with the rounding of floats.
const SNAP: f64 = 1.5e-5;

/// What a node of a clip counts as: its place and its channels.
const NUMBERS_OF_NODE: u64 = 64;

/// The most places of nodes that a clip is sampled for: a minute of five hundred nodes has a million.
const MAX_PLACES: u64 = 1 << 26;

/// An animation of the joints of a mesh.
#[derive(Debug)]
pub struct GltfClip<'g> {
    name: String,
    /// The joints, and all nodes above them, each after its parent.
    needed: Vec<Needed>,
    /// For each joint, its number among the nodes that are needed.
    joints: Vec<usize>,
    /// The first and the last time of a key.
    range: Option<(f64, f64)>,
    /// The states of the file that the clip was made from, where the source has them.
    pub(crate) stored: &'g [u8],
}

/// A node that moves joints.
#[derive(Debug)]
struct Needed {
    local: Local,
    parent: Option<usize>,
    translation: Option<Channel<3>>,
    rotation: Option<Channel<4>>,
    scale: Option<Channel<3>>,
}

/// What is between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Interpolation {
    Linear,
    Step,
    CubicSpline,
}

/// The keys of a part of a node.
#[derive(Clone, Debug)]
struct Channel<const N: usize> {
    times: Arc<[f32]>,
    /// One for each time; of a spline three: tangent, value, tangent.
    values: Vec<[f32; N]>,
    interpolation: Interpolation,
}

/// A clip that is sampled: it remembers where the last time was.
#[derive(Debug)]
pub(crate) struct Sampler<'c> {
    clip: &'c GltfClip<'c>,
    /// For each needed node, the keys before the last time.
    cursors: Vec<[usize; 3]>,
    worlds: Vec<World>,
}

/// The place of a node: its matrix, and its rotation where no scale distorts.
#[derive(Clone, Copy, Debug)]
struct World {
    matrix: Affine,
    rotation: Option<Quaternion>,
}

impl Gltf<'_> {
    /// Number of animations.
    pub fn clip_count(&self) -> usize {
        self.root.animations.len()
    }

    /// An animation of the joints of a mesh node, which is named as in [`to_model`](Self::to_model). `None` if it moves none of them, or there is no such
    /// animation. O(keys).
    ///
    /// # Errors
    /// [`GltfError`] of the mesh node, and of what the animation names.
    pub fn clip(&self, index: usize, object: Option<&str>) -> Result<Option<GltfClip<'_>>, GltfError> {
        let (node, found) = self.object(object)?;
        let joints = match found.skin {
            Some(skin) => self.skin(skin, &format!("nodes[{node}]"))?.joints,
            None => return Ok(None),
        };
        if index >= self.clip_count() {
            return Ok(None);
        }
        // A clip has a place for each node that moves joints.
        let cost = to_u64(self.nodes.nodes.len()).saturating_mul(NUMBERS_OF_NODE);
        self.spend(cost, &format!("animations[{index}]"))?;
        let animation = parts((&self.root.animations, "animations"), to_u32(index), "")?;
        let (mut clip, numbers) = GltfClip::new(&self.nodes, &joints, animation.name.clone().unwrap_or_default());
        let samplers = &animation.samplers;
        let mut known: HashMap<u32, Arc<[f32]>> = HashMap::new();
        let mut moves_any = false;
        for (number, channel) in animation.channels.iter().enumerate() {
            let path = format!("animations[{index}].channels[{number}]");
            let channel = self.root.read(channel, path.clone())?;
            let channel = channel.fields()?;
            let Some(target) = channel.object("target")? else { continue };
            let node = target.index("node")?.and_then(|node| numbers.get(&node));
            let Some(node) = node.and_then(|node| clip.needed.get_mut(*node)) else { continue };
            let sampler = channel.index("sampler")?.unwrap_or(u32::MAX);
            let Some(raw) = samplers.get(to_usize(sampler.into())) else {
                let (index, count) = (sampler.into(), samplers.len());
                return Err(GltfErrorKind::Missing { index, list: "samplers", count }.at(path));
            };
            let sampler = self.root.read(raw, format!("animations[{index}].samplers[{sampler}]"))?;
            let sampler = sampler.fields()?;
            let interpolation = match sampler.text("interpolation") {
                None | Some("LINEAR") => Interpolation::Linear,
                Some("STEP") => Interpolation::Step,
                Some("CUBICSPLINE") => Interpolation::CubicSpline,
                Some(_) => return Err(GltfErrorKind::Invalid("has an interpolation that glTF does not have").at(path)),
            };
            let missing = || GltfErrorKind::Invalid("has a sampler without input or output").at(&path);
            let input = sampler.index("input")?.ok_or_else(missing)?;
            let output = sampler.index("output")?.ok_or_else(missing)?;
            let times = if let Some(times) = known.get(&input) {
                Arc::clone(times)
            } else {
                let times = self.times(input, &path)?;
                known.insert(input, Arc::clone(&times));
                times
            };
            if matches!(node.local, Local::Matrix(_)) {
                return Err(GltfErrorKind::Invalid("moves a node that has a matrix").at(path));
            }
            let keys = (times, interpolation);
            match target.text("path") {
                Some("translation") => node.translation = Some(self.channel(keys, output, &path)?),
                Some("rotation") => node.rotation = Some(self.channel(keys, output, &path)?),
                Some("scale") => node.scale = Some(self.channel(keys, output, &path)?),
                Some("weights" | "pointer") => continue,
                _ => return Err(GltfErrorKind::Invalid("has a path that glTF does not have").at(path)),
            }
            moves_any = true;
        }
        clip.range = clip.to_range();
        if let Some(states) = animation.stored().states.filter(|_| self.is_ours()) {
            clip.stored = self.view(states, &format!("animations[{index}].extras.stored"))?.0;
        }
        Ok(Some(clip).filter(|_| moves_any))
    }

    fn times(&self, accessor: u32, path: &str) -> Result<Arc<[f32]>, GltfError> {
        let times: Vec<[f32; 1]> = self.numbers(accessor, path)?.to_floats()?;
        let times: Arc<[f32]> = times.into_iter().map(|[time]| time).collect();
        let ascend = times.windows(2).all(|pair| matches!(pair, [before, after] if before < after));
        if times.is_empty() || !ascend || times.iter().any(|time| !(time.is_finite() && *time >= 0.0)) {
            return Err(
                GltfErrorKind::Invalid("has times that do not ascend").at(format_args!("accessors[{accessor}]"))
            );
        }
        Ok(times)
    }

    fn channel<const N: usize>(
        &self,
        (times, interpolation): (Arc<[f32]>, Interpolation),
        output: u32,
        path: &str,
    ) -> Result<Channel<N>, GltfError> {
        let values: Vec<[f32; N]> = self.numbers(output, path)?.to_floats()?;
        let rows = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        if values.len() < times.len().saturating_mul(rows) {
            return Err(GltfErrorKind::Invalid("has fewer values than times").at(path));
        }
        if values.iter().flatten().any(|value| !value.is_finite()) {
            return Err(GltfErrorKind::Invalid("has a value that is not finite").at(path));
        }
        Ok(Channel { times, values, interpolation })
    }
}

impl GltfClip<'_> {
    /// Without keys, and the number of each node that is needed.
    fn new(nodes: &Nodes, joints: &[u32], name: String) -> (Self, HashMap<u32, usize>) {
        let mut is_needed = vec![false; nodes.nodes.len()];
        for joint in joints {
            for node in std::iter::once(*joint).chain(nodes.ancestors(*joint)) {
                match is_needed.get_mut(to_usize(node.into())) {
                    Some(is_needed) if !*is_needed => *is_needed = true,
                    // The nodes above it are needed already.
                    _ => break,
                }
            }
        }
        let mut numbers: HashMap<u32, usize> = HashMap::new();
        let mut needed = Vec::new();
        for index in &nodes.order {
            let (true, Some(node)) = (is_needed.get(to_usize((*index).into())) == Some(&true), nodes.get(*index))
            else {
                continue;
            };
            let parent = node.parent.and_then(|parent| numbers.get(&parent).copied());
            numbers.insert(*index, needed.len());
            needed.push(Needed { local: node.local, parent, translation: None, rotation: None, scale: None });
        }
        let joints = joints.iter().map(|joint| numbers.get(joint).copied().unwrap_or(usize::MAX)).collect();
        (Self { name, needed, joints, range: None, stored: &[] }, numbers)
    }

    fn to_range(&self) -> Option<(f64, f64)> {
        let times = self.times().filter_map(|times| Some((*times.first()?, *times.last()?)));
        let range = times.reduce(|(start, end), (first, last)| (start.min(first), end.max(last)));
        range.map(|(start, end)| (start.into(), end.into()))
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The times of the first and the last key, in seconds.
    pub fn range(&self) -> (f64, f64) {
        self.range.unwrap_or_default()
    }

    /// The times of the keys of each channel.
    fn times(&self) -> impl Iterator<Item = &[f32]> {
        self.needed.iter().flat_map(|node| {
            let own = [
                node.translation.as_ref().map(|channel| &channel.times),
                node.rotation.as_ref().map(|channel| &channel.times),
                node.scale.as_ref().map(|channel| &channel.times),
            ];
            own.into_iter().flatten().map(AsRef::as_ref)
        })
    }

    /// Whether each key has the time of a frame at this rate, counted from the first.
    pub(crate) fn is_on_grid(&self, rate: f64) -> bool {
        let (start, _) = self.range();
        self.times().flatten().all(|time| {
            let frame = (f64::from(*time) - start) * rate;
            (frame - frame.round()).abs() < 1e-2
        })
    }

    /// The smallest distance between two keys of a channel, in seconds.
    pub(crate) fn smallest_step(&self) -> Option<f64> {
        let steps = self.times().flat_map(|times| {
            times.windows(2).filter_map(|pair| match pair {
                [before, after] => Some(f64::from(*after) - f64::from(*before)),
                _ => None,
            })
        });
        steps.reduce(f64::min)
    }

    /// Whether so many frames can be sampled.
    pub(crate) fn has_bounded_work(&self, frames: usize) -> bool {
        to_u64(self.needed.len()).saturating_mul(to_u64(frames)) <= MAX_PLACES
    }

    pub(crate) fn sampler(&self) -> Sampler<'_> {
        let world = World { matrix: Affine::IDENTITY, rotation: None };
        Sampler { clip: self, cursors: vec![[0; 3]; self.needed.len()], worlds: vec![world; self.needed.len()] }
    }
}

impl Sampler<'_> {
    /// Writes the places of the joints at a time, in the scene. Amortized O(nodes) where times ascend.
    pub(crate) fn sample(&mut self, seconds: f64, places: &mut Vec<Place>) {
        for (index, node) in self.clip.needed.iter().enumerate() {
            let mut cursor = self.cursors.get(index).copied().unwrap_or_default();
            let (own, rotation) = node.at(seconds, &mut cursor);
            let parent = node.parent.and_then(|parent| self.worlds.get(parent).copied());
            let world = match parent {
                Some(parent) => World {
                    matrix: parent.matrix.product(&own),
                    rotation: Option::zip(parent.rotation, rotation).map(|(parent, own)| rotation_product(parent, own)),
                },
                None => World { matrix: own, rotation },
            };
            self.worlds.get_mut(index).into_iter().for_each(|place| *place = world);
            self.cursors.get_mut(index).into_iter().for_each(|place| *place = cursor);
        }
        places.clear();
        places.extend(self.clip.joints.iter().map(|joint| match self.worlds.get(*joint) {
            Some(World { matrix, rotation: Some(rotation) }) => {
                Place { translation: matrix.translation, rotation: unit(*rotation).unwrap_or(*rotation) }
            }
            Some(World { matrix, rotation: None }) => Place::of(matrix),
            None => Place::IDENTITY,
        }));
    }
}

impl Needed {
    /// The matrix at a time, and the rotation where the node is not scaled.
    fn at(&self, seconds: f64, [first, second, third]: &mut [usize; 3]) -> (Affine, Option<Quaternion>) {
        let Local::Parts { translation, rotation, scale } = self.local else {
            let matrix = self.local.to_affine();
            return (matrix, None);
        };
        let translation = match &self.translation {
            Some(channel) => channel.at(seconds, first, linear),
            None => translation.map(f64::from),
        };
        let rotation = match &self.rotation {
            Some(channel) => unit(channel.at(seconds, second, slerp)).unwrap_or(crate::affine::NO_TURN),
            None => unit_of(rotation),
        };
        let scale = match &self.scale {
            Some(channel) => channel.at(seconds, third, linear),
            None => scale.map(f64::from),
        };
        let is_plain = scale == [1.0; 3];
        (Affine::of_parts(translation, rotation, scale), is_plain.then_some(rotation))
    }
}

impl<const N: usize> Channel<N> {
    /// The value at a time. `cursor`: a key before it, from the time before.
    fn at(&self, seconds: f64, cursor: &mut usize, between: fn([f64; N], [f64; N], f64) -> [f64; N]) -> [f64; N] {
        let time = |key: usize| self.times.get(key).copied().map(f64::from);
        if time(*cursor).is_some_and(|before| before > seconds + SNAP) {
            *cursor = 0;
        }
        while time(cursor.saturating_add(1)).is_some_and(|next| next <= seconds + SNAP) {
            *cursor = cursor.saturating_add(1);
        }
        let (key, next) = (*cursor, cursor.saturating_add(1));
        let value = |key: usize, row: usize| {
            let index = if self.is_spline() { key.saturating_mul(3).saturating_add(row) } else { key };
            self.values.get(index).copied().unwrap_or([0.0; N]).map(f64::from)
        };
        let (Some(from), Some(to)) = (time(key), time(next)) else { return value(key, 1) };
        if seconds <= from + SNAP || self.interpolation == Interpolation::Step {
            return value(key, 1);
        }
        let (length, part) = (to - from, (seconds - from) / (to - from));
        if !self.is_spline() {
            return between(value(key, 1), value(next, 1), part);
        }
        let (square, cube) = (part * part, part * part * part);
        let factors = [
            2.0 * cube - 3.0 * square + 1.0,
            length * (cube - 2.0 * square + part),
            3.0 * square - 2.0 * cube,
            length * (cube - square),
        ];
        let rows = [value(key, 1), value(key, 2), value(next, 1), value(next, 0)];
        let mut sum = [0.0; N];
        for (factor, row) in factors.into_iter().zip(rows) {
            sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += factor * value);
        }
        sum
    }

    fn is_spline(&self) -> bool {
        self.interpolation == Interpolation::CubicSpline
    }
}

fn linear<const N: usize>(from: [f64; N], to: [f64; N], part: f64) -> [f64; N] {
    let mut found = from;
    found.iter_mut().zip(to).for_each(|(value, to)| *value += (to - *value) * part);
    found
}

/// Along the shorter arc between two rotations.
fn slerp(from: Quaternion, to: Quaternion, part: f64) -> Quaternion {
    let (Some(from), Some(to)) = (unit(from), unit(to)) else { return linear(from, to, part) };
    let cosine: f64 = from.iter().zip(to).map(|(one, other)| one * other).sum();
    let (to, cosine) = if cosine < 0.0 { (to.map(|value| -value), -cosine) } else { (to, cosine) };
    if cosine > 1.0 - 1e-12 {
        return linear(from, to, part);
    }
    let angle = cosine.min(1.0).acos();
    let (one, other) = (((1.0 - part) * angle).sin() / angle.sin(), (part * angle).sin() / angle.sin());
    let mut found = from.map(|value| value * one);
    found.iter_mut().zip(to).for_each(|(value, to)| *value += to * other);
    found
}
