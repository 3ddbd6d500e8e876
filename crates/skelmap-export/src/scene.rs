//! The nodes of a file: each model where it is, below the root or at an attachment of another.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use skelmap::model::Transform;
use skelmap::model::maths::NO_TURN;
use skelmap::shared::{to_u32, to_usize};

use crate::animations::MAX_CHANNELS;
use crate::document::Document;
use crate::json::{self, NodeExtras, Root};
use crate::motion::path;
use crate::plan::{Model, Plan, Played, Skin};
use crate::report::{ExportReport, WriteError};

/// The most models of a file, and the most nodes that they add to those of the first. Documents share what is attached to them, so that a few
/// can ask for any number.
const MAX_MODELS: usize = 1 << 16;
const MAX_NODES: usize = 1 << 18;

/// The extension of nodes that a program shows in place of another, far away.
const LEVELS: &str = "MSFT_lod";

impl<'p> Plan<'p> {
    /// Adds a model and all that is attached to it. What several attachments share is prepared once.
    pub(crate) fn add_models(&mut self, document: &'p Document<'p>) -> Result<(), WriteError> {
        let first = self.add_model(document, false)?;
        let (mut indices, mut count, mut cost) = (HashMap::new(), 1_usize, 0_usize);
        let mut rest = vec![(first, document.name.as_str(), None)];
        while let Some((index, name, parent)) = rest.pop() {
            let Some(model) = self.models.get(index) else { continue };
            let document = model.document;
            let turn = model.turn;
            let own = model.node_cost();
            cost = cost.saturating_add(own);
            if index > first && cost > MAX_NODES {
                return Err(WriteError::TooManyModels);
            }
            let (points, armature) = self.place(index, name, parent);
            let (mut attached, mut turned) = (Vec::new(), None);
            for own in &document.attached {
                let known = indices.get(&Arc::as_ptr(&own.document)).copied();
                let model = match known.map_or_else(|| self.add_model(&own.document, true), Ok) {
                    // Nothing to attach.
                    Err(WriteError::Empty) => continue,
                    model => model?,
                };
                indices.insert(Arc::as_ptr(&own.document), model);
                // Without a node of the name: where the model itself is.
                let mut place = points.get(&own.point).copied().or(armature).or(parent);
                if place.is_none() && turn != NO_TURN {
                    let node = || json::Node { rotation: Some(turn), ..json::Node::default() };
                    place = Some(*turned.get_or_insert_with(|| {
                        let node = self.root.add_node(node());
                        self.root.show(node);
                        node
                    }));
                }
                attached.push((model, own.name.as_str(), place));
            }
            count = count.saturating_add(attached.len());
            if count > MAX_MODELS {
                return Err(WriteError::TooManyModels);
            }
            // In their order.
            rest.extend(attached.into_iter().rev());
        }
        Ok(())
    }

    /// Adds the nodes of a model below another node, its skin and its animations. Returns the nodes of attachments and that of the armature.
    fn place(&mut self, index: usize, name: &str, parent: Option<u32>) -> (HashMap<String, u32>, Option<u32>) {
        let (mut points, Some(model)) = (HashMap::new(), self.models.get(index)) else {
            return (HashMap::new(), None);
        };
        let (root, report) = (&mut self.root, &mut self.report);
        report.add(&model.report);
        let skeleton = add_skeleton(root, model, parent);
        let (mut mesh_node, mut finest, mut ids) = (None, None, Vec::new());
        let mut skin = skeleton.and_then(|(_, first)| first);
        for (level, shape) in std::iter::once(&model.shape).chain(&model.coarser).enumerate() {
            for (index, mesh) in shape.meshes.iter().enumerate() {
                let name = if level == 0 { name_of_part(name, index) } else { format!("{name}_LOD{level}") };
                // A mesh in small numbers is in a cube: its matrices place the joints in the cube, or its node does.
                let place = shape.cube.filter(|_| skin.is_none()).map(|cube| cube.place()).unwrap_or_default();
                let node = json::Node { mesh: Some(*mesh), skin, ..node_at(name, &place) };
                let node = root.add_node(node);
                skin = skin.map(|skin| skin.saturating_add(1));
                if level > 0 {
                    // In no scene: a program shows it in place of the finest.
                    ids.push(node);
                    continue;
                }
                // A node with a skin stays at the root: its place is that of its joints.
                root.hang(node, parent.filter(|_| skin.is_none()));
                // What is attached to a mesh without bones moves with its node, unless that has the scale of a cube.
                mesh_node = mesh_node.or(Some(node).filter(|_| shape.cube.is_none()));
                finest = Some(node);
            }
        }
        if let Some(finest) =
            finest.filter(|_| !ids.is_empty()).and_then(|node| root.nodes.get_mut(to_usize(node.into())))
        {
            finest.extensions = Some(json::NodeExtensions { levels: Some(json::Levels { ids }) });
            if !root.extensions_used.contains(&LEVELS) {
                root.extensions_used.push(LEVELS);
            }
        }
        let armature = skeleton.map(|(armature, _)| armature);
        let first_bone = armature.map_or(0, |armature| armature.saturating_add(1));
        for point in &model.points {
            let extras = Some(NodeExtras::Attachment(point.stored));
            let node = root.add_node(json::Node { extras, ..node_at(point.own_name.clone(), &point.place) });
            points.entry(point.name.clone()).or_insert(node);
            let bone = point.bone.map(|bone| first_bone.saturating_add(to_u32(bone)));
            root.hang(node, bone.or(armature).or(mesh_node).or(parent));
        }
        let mut taken = HashSet::new();
        for Played { name, extras, samplers, channels } in &model.motions {
            if self.spent.placed.saturating_add(channels.len()) > MAX_CHANNELS {
                report.clips_beyond_limits = report.clips_beyond_limits.saturating_add(1);
                continue;
            }
            self.spent.placed = self.spent.placed.saturating_add(channels.len());
            let key = name.to_lowercase();
            // Models play animations of one name, in any case, together. Each animation takes one of a model.
            let known = self.names.get(&key).copied().filter(|own| !taken.contains(own));
            let number = known.unwrap_or(root.animations.len());
            if known.is_none() {
                let (name, extras) = (name.clone(), extras.clone());
                root.animations.push(json::Animation { name, extras, ..json::Animation::default() });
                self.names.entry(key).or_insert(number);
            }
            taken.insert(number);
            let Some(animation) = root.animations.get_mut(number) else { continue };
            let first = to_u32(animation.samplers.len());
            animation.samplers.extend(samplers);
            animation.channels.extend(channels.iter().zip(first..).map(|((bone, part), sampler)| {
                let node = first_bone.saturating_add(to_u32(*bone));
                json::Channel { sampler, target: json::ChannelTarget { node, path: path(*part) } }
            }));
        }
        (points, armature)
    }
}

impl Model<'_> {
    /// What its nodes take of the limit of a file: long names count as several nodes.
    fn node_cost(&self) -> usize {
        let names = self.rig.names.iter().chain(self.points.iter().map(|point| &point.own_name));
        let bytes = names.fold(0_usize, |sum, name| sum.saturating_add(name.len()));
        let shapes = || std::iter::once(&self.shape).chain(&self.coarser);
        let skins = shapes().flat_map(|shape| &shape.skins);
        let joints = skins.fold(0_usize, |sum, skin| sum.saturating_add(skin.joints.len()));
        let meshes = shapes().fold(0_usize, |sum, shape| sum.saturating_add(shape.meshes.len()));
        let nodes = self.rig.bone_count().saturating_add(self.points.len()).saturating_add(meshes);
        nodes.saturating_add(joints / 8).saturating_add(bytes / 64)
    }
}

/// Adds the armature and its joints, and the skins if their places are known. Returns the armature and the first skin.
fn add_skeleton(root: &mut Root, model: &Model<'_>, parent: Option<u32>) -> Option<(u32, Option<u32>)> {
    let bones = to_u32(model.rig.bone_count());
    if bones == 0 {
        return None;
    }
    let rotation = Some(model.turn).filter(|turn| *turn != NO_TURN);
    let armature = root.add_node(json::Node { name: "armature".to_owned(), rotation, ..json::Node::default() });
    let first = armature.saturating_add(1);
    root.hang(armature, parent);
    for (name, bind) in model.rig.names.iter().zip(&model.rig.bind) {
        root.nodes.push(node_at(name.clone(), bind));
    }
    for (child, parent) in (first..).zip(&model.rig.parents) {
        root.hang(child, Some(parent.map_or(armature, |parent| first.saturating_add(to_u32(parent)))));
    }
    if model.shape.skins.is_empty() {
        for (bone, node) in root.nodes.iter_mut().skip(to_usize(first.into())).enumerate() {
            node.extras = Some(NodeExtras::Bone { bone });
        }
        return Some((armature, None));
    }
    let mut nodes: Vec<u32> = (first..first.saturating_add(bones)).collect();
    if model.has_model_joint {
        let node = root.add_node(json::Node { name: "bind_shape".to_owned(), ..json::Node::default() });
        root.hang(node, Some(armature));
        nodes.push(node);
    }
    // Blender takes the matrices for places relative to the skeleton. In a cube, they are not.
    let skeleton = Some(armature).filter(|_| model.shape.cube.is_none());
    let first = to_u32(root.skins.len());
    let skins = model.shape.skins.iter().chain(model.coarser.iter().flat_map(|shape| &shape.skins));
    root.skins.extend(skins.map(|Skin { inverse_bind, joints }| {
        let joints = joints.iter().filter_map(|joint| nodes.get(*joint).copied()).collect();
        json::Skin { inverse_bind_matrices: *inverse_bind, skeleton, joints }
    }));
    Some((armature, Some(first)))
}

impl Root {
    fn add_node(&mut self, node: json::Node) -> u32 {
        self.nodes.push(node);
        to_u32(self.nodes.len().saturating_sub(1))
    }

    /// Puts a node below another, or at the root.
    fn hang(&mut self, node: u32, parent: Option<u32>) {
        match parent.and_then(|parent| self.nodes.get_mut(to_usize(parent.into()))) {
            Some(parent) => parent.children.push(node),
            None => self.show(node),
        }
    }
}

/// The name of a part of a mesh: those with a skin of their own have numbers, but for the first.
pub(crate) fn name_of_part(name: &str, index: usize) -> String {
    if index == 0 { name.to_owned() } else { format!("{name}-{}", index.saturating_add(1)) }
}

/// A node with a transform.
fn node_at(name: String, place: &Transform) -> json::Node {
    let rotation = Some(place.rotation).filter(|rotation| *rotation != NO_TURN);
    let translation = Some(place.translation).filter(|translation| *translation != [0.0; 3]);
    // The product of two rotations may be a little longer than 1.
    let rotation = rotation.map(|rotation| rotation.map(|part| part.clamp(-1.0, 1.0)));
    let scale = Some(place.scale).filter(|scale| *scale != [1.0; 3]);
    json::Node { name, translation, rotation, scale, ..json::Node::default() }
}

impl ExportReport {
    fn add(&mut self, other: &Self) {
        let add = |one: &mut usize, other: usize| *one = one.saturating_add(other);
        add(&mut self.bones, other.bones);
        add(&mut self.triangles, other.triangles);
        add(&mut self.dropped_triangles, other.dropped_triangles);
        add(&mut self.unused_vertices, other.unused_vertices);
        add(&mut self.computed_normals, other.computed_normals);
        add(&mut self.clips_without_frames, other.clips_without_frames);
        add(&mut self.clips_without_rate, other.clips_without_rate);
        add(&mut self.clips_beyond_limits, other.clips_beyond_limits);
        add(&mut self.dropped_morphs, other.dropped_morphs);
        add(&mut self.additive_clips, other.additive_clips);
        add(&mut self.skipped_clips, other.skipped_clips);
        add(&mut self.broken_keys, other.broken_keys);
        add(&mut self.misplaced_bones, other.misplaced_bones);
        add(&mut self.misplaced_attachments, other.misplaced_attachments);
        add(&mut self.cut_bones, other.cut_bones);
        add(&mut self.added_skins, other.added_skins);
        add(&mut self.unused_uv_sets, other.unused_uv_sets);
        add(&mut self.levels, other.levels);
        add(&mut self.dropped_levels, other.dropped_levels);
        add(&mut self.clips_not_reduced, other.clips_not_reduced);
        add(&mut self.clips_beyond_tolerance, other.clips_beyond_tolerance);
        self.skin_error = self.skin_error.max(other.skin_error);
        self.weaker_influences = self.weaker_influences.saturating_add(other.weaker_influences);
        self.dropped_influences = self.dropped_influences.saturating_add(other.dropped_influences);
        self.unweighted_points = self.unweighted_points.saturating_add(other.unweighted_points);
        self.unmatched_tracks = self.unmatched_tracks.max(other.unmatched_tracks);
        self.unmoved_bones = self.unmoved_bones.max(other.unmoved_bones);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_of_a_rotation_is_beyond_one() {
        let place = Transform { rotation: [0.0, 0.0, 0.001, 1.000_000_1], ..Transform::IDENTITY };
        assert_eq!(node_at(String::new(), &place).rotation, Some([0.0, 0.0, 0.001, 1.0]));
    }
}
