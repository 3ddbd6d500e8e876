//! The asset, and its entities.

use bevy_animation::graph::{AnimationGraph, AnimationGraphHandle, AnimationNodeIndex};
use bevy_animation::{AnimatedBy, AnimationClip, AnimationPlayer, AnimationTargetId};
use bevy_asset::{Asset, Handle};
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::name::Name;
use bevy_ecs::system::Commands;
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Mesh, Mesh3d};
use bevy_reflect::TypePath;
use bevy_transform::components::Transform;

/// A mesh with its joints and clips.
#[derive(Asset, TypePath, Clone, Debug, Default)]
pub struct Skeletal {
    /// A mesh for each material, and for each palette of 256 joints.
    pub parts: Vec<Part>,
    /// The bones.
    pub joints: Vec<Joint>,
    /// Names, clips, and their nodes in the graph.
    pub clips: Vec<(String, Handle<AnimationClip>, AnimationNodeIndex)>,
    /// All clips, side by side.
    pub graph: Option<Handle<AnimationGraph>>,
}

/// A mesh of one material.
#[derive(Clone, Debug)]
pub struct Part {
    /// The mesh.
    pub mesh: Handle<Mesh>,
    /// The name of the material.
    pub material: String,
    /// The joints of the palette; the number of joints stands for the model.
    pub joints: Vec<usize>,
    /// Their inverse bind poses.
    pub inverse_bindposes: Option<Handle<SkinnedMeshInverseBindposes>>,
    /// The point of the file of each vertex.
    pub points: Vec<usize>,
}

/// A bone.
#[derive(Clone, Debug)]
pub struct Joint {
    /// The name, as stored.
    pub name: String,
    /// The index of the parent.
    pub parent: Option<usize>,
    /// The transform at rest.
    pub rest: Transform,
}

/// The entities of a [`Skeletal`].
#[derive(Clone, Debug)]
pub struct Spawned {
    /// The entity with the player.
    pub root: Entity,
    /// The joints.
    pub joints: Vec<Entity>,
    /// The parts.
    pub parts: Vec<Entity>,
}

impl Skeletal {
    /// The target of the curves of a joint: its number and its name, because two bones can have one name.
    pub fn target(&self, joint: usize) -> AnimationTargetId {
        let names = [Name::new(joint.to_string()), Name::new(self.joints[joint].name.clone())];
        AnimationTargetId::from_names(names.iter())
    }

    /// Spawns an entity with an [`AnimationPlayer`], below it the joints and the parts, which have the names of their materials.
    pub fn spawn(&self, commands: &mut Commands<'_, '_>) -> Spawned {
        let root = commands.spawn((Transform::IDENTITY, AnimationPlayer::default())).id();
        if let Some(graph) = &self.graph {
            commands.entity(root).insert(AnimationGraphHandle(graph.clone()));
        }
        let joint = |(index, joint): (usize, &Joint)| {
            commands.spawn((Name::new(joint.name.clone()), joint.rest, self.target(index), AnimatedBy(root))).id()
        };
        let joints: Vec<Entity> = self.joints.iter().enumerate().map(joint).collect();
        for (entity, joint) in joints.iter().zip(&self.joints) {
            commands.entity(*entity).insert(ChildOf(joint.parent.map_or(root, |parent| joints[parent])));
        }
        let mut parts = Vec::new();
        for part in &self.parts {
            let name = Name::new(part.material.clone());
            let mut entity = commands.spawn((name, Mesh3d(part.mesh.clone()), Transform::IDENTITY, ChildOf(root)));
            if let Some(inverse_bindposes) = part.inverse_bindposes.clone() {
                // A joint behind the last bone is the model itself: some vertices of 0 A.D. do not move with a bone.
                let joints = part.joints.iter().map(|joint| joints.get(*joint).copied().unwrap_or(root)).collect();
                entity.insert(SkinnedMesh { inverse_bindposes, joints });
            }
            parts.push(entity.id());
        }
        Spawned { root, joints, parts }
    }
}
