//! Models at attachments of others: one file of several plans.

use std::collections::HashMap;
use std::num::NonZero;

use crate::document::Attached;
use crate::geometry::small;
use crate::json::Root;
use crate::plan::Plan;
use crate::report::{ExportReport, WriteError};
use skelmap::shared::to_usize;

impl<'p> Plan<'p> {
    /// Adds a model at an attachment: below the root if there is none of the name.
    pub(crate) fn attach(&mut self, attached: &'p Attached<'p>) -> Result<(), WriteError> {
        let mut plan = match Self::of(&attached.document, self.options, Some(self.spent)) {
            // Nothing to attach.
            Err(WriteError::Empty) => return Ok(()),
            plan => plan?,
        };
        let point = self.points.get(&attached.point).copied().or(self.armature);
        self.root.add(std::mem::take(&mut plan.root), point, self.length);
        self.length = self.length.saturating_add(plan.length);
        self.spent = plan.spent;
        self.report.add(&plan.report);
        self.attached.push(plan);
        Ok(())
    }
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
        add(&mut self.misplaced_bones, other.misplaced_bones);
        add(&mut self.misplaced_attachments, other.misplaced_attachments);
        add(&mut self.cut_bones, other.cut_bones);
        self.weaker_influences = self.weaker_influences.saturating_add(other.weaker_influences);
        self.dropped_influences = self.dropped_influences.saturating_add(other.dropped_influences);
        self.unweighted_points = self.unweighted_points.saturating_add(other.unweighted_points);
        self.unmatched_tracks = self.unmatched_tracks.max(other.unmatched_tracks);
        self.unmoved_bones = self.unmoved_bones.max(other.unmoved_bones);
    }
}

impl Root {
    /// Adds the content of another file, whose bytes begin at `start`, below a node. Nodes with a skin stay at the root: their place is that of
    /// their joints. Animations of one name, in any case, become one.
    fn add(&mut self, other: Self, parent: Option<u32>, start: u64) {
        let views = small(self.buffer_views.len());
        let accessors = small(self.accessors.len());
        let images = small(self.images.len());
        let textures = small(self.textures.len());
        let materials = small(self.materials.len());
        let meshes = small(self.meshes.len());
        let skins = small(self.skins.len());
        let nodes = small(self.nodes.len());
        let moved = |index: &mut u32, by: u32| *index = index.saturating_add(by);
        let each = |index: &mut Option<u32>, by: u32| index.iter_mut().for_each(|index| moved(index, by));
        self.buffer_views.extend(other.buffer_views.into_iter().map(|mut view| {
            view.byte_offset = NonZero::new(view.byte_offset.map_or(0, NonZero::get).saturating_add(start));
            view
        }));
        self.accessors.extend(other.accessors.into_iter().map(|mut accessor| {
            each(&mut accessor.buffer_view, views);
            if let Some(sparse) = &mut accessor.sparse {
                moved(&mut sparse.indices.buffer_view, views);
                moved(&mut sparse.values.buffer_view, views);
            }
            accessor
        }));
        self.images.extend(other.images.into_iter().map(|mut image| {
            moved(&mut image.buffer_view, views);
            image
        }));
        self.textures.extend(other.textures.into_iter().map(|mut texture| {
            moved(&mut texture.source, images);
            texture
        }));
        self.materials.extend(other.materials.into_iter().map(|mut material| {
            if let Some(texture) = &mut material.pbr_metallic_roughness.base_color_texture {
                moved(&mut texture.index, textures);
            }
            material
        }));
        self.meshes.extend(other.meshes.into_iter().map(|mut mesh| {
            for primitive in &mut mesh.primitives {
                moved(&mut primitive.indices, accessors);
                each(&mut primitive.material, materials);
                primitive.targets.iter_mut().for_each(|target| moved(&mut target.position, accessors));
                for (_, value) in &mut primitive.attributes {
                    if let Some(index) = value.as_u64() {
                        *value = index.saturating_add(accessors.into()).into();
                    }
                }
            }
            mesh
        }));
        self.skins.extend(other.skins.into_iter().map(|mut skin| {
            moved(&mut skin.inverse_bind_matrices, accessors);
            moved(&mut skin.skeleton, nodes);
            skin.joints.iter_mut().for_each(|joint| moved(joint, nodes));
            skin
        }));
        let shown = other.scenes.into_iter().flat_map(|scene| scene.nodes);
        for node in shown {
            let is_skinned = other.nodes.get(to_usize(node.into())).is_some_and(|node| node.skin.is_some());
            let node = node.saturating_add(nodes);
            let parent = parent.filter(|_| !is_skinned).and_then(|parent| self.nodes.get_mut(to_usize(parent.into())));
            match parent {
                Some(parent) => parent.children.push(node),
                None => self.show(node),
            }
        }
        self.nodes.extend(other.nodes.into_iter().map(|mut node| {
            node.children.iter_mut().for_each(|child| moved(child, nodes));
            each(&mut node.mesh, meshes);
            each(&mut node.skin, skins);
            node
        }));
        let numbered = self.animations.iter().enumerate();
        let names: HashMap<String, usize> = numbered.map(|(number, own)| (own.name.to_lowercase(), number)).collect();
        for mut animation in other.animations {
            let known = names.get(&animation.name.to_lowercase()).copied();
            let samplers =
                known.and_then(|known| self.animations.get(known)).map_or(0, |own| small(own.samplers.len()));
            for sampler in &mut animation.samplers {
                moved(&mut sampler.input, accessors);
                moved(&mut sampler.output, accessors);
            }
            for channel in &mut animation.channels {
                moved(&mut channel.sampler, samplers);
                moved(&mut channel.target.node, nodes);
            }
            match known.and_then(|known| self.animations.get_mut(known)) {
                Some(own) => {
                    own.samplers.append(&mut animation.samplers);
                    own.channels.append(&mut animation.channels);
                }
                None => self.animations.push(animation),
            }
        }
    }
}
