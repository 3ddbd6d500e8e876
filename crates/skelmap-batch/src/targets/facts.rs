//! What the rules of targets are about: counts and names of a model or an animation.

use skelmap::model::{Influences, Skeleton};
use skelmap::shared::to_u64;
use skelmap::{Asset, Text};
use skelmap_write::Model;

/// Counts and names. A file without a mesh has none of the counts of a mesh.
#[derive(Debug, Default)]
pub(super) struct Facts<'a> {
    pub(super) mesh: Option<MeshFacts>,
    pub(super) bones: Option<u64>,
    /// The kind and the name of bones, materials and sequences.
    pub(super) names: Vec<(&'static str, Text<'a>)>,
}

#[derive(Debug, Default)]
pub(super) struct MeshFacts {
    /// What the indices of faces count: wedges of ActorX.
    pub(super) vertices: u64,
    pub(super) materials: u64,
    /// Influences of a point beyond those that the target keeps.
    pub(super) weaker: u64,
}

impl<'a> Facts<'a> {
    /// `width`: the influences of a point that the target keeps.
    pub(super) fn of(asset: &Asset<'a>, width: Option<usize>) -> Self {
        let mut facts = Self::default();
        let skeleton = asset.skeleton();
        facts.bones = skeleton.as_ref().map(|skeleton| to_u64(skeleton.bone_count()));
        let bones = skeleton.iter().flat_map(Skeleton::bones).filter_map(|bone| bone.name);
        facts.names.extend(bones.map(|name| ("bone", name)));
        facts.names.extend(asset.clips().filter_map(|clip| Some(("sequence", clip.name()?))));
        if let Some(mesh) = asset.mesh() {
            let dropped = Influences::new(&mesh, width.unwrap_or(Influences::MAX_WIDTH)).dropped();
            let materials = (0..).map_while(|index| mesh.material(index));
            let first = facts.names.len();
            facts.names.extend(materials.map(|name| ("material", name)));
            facts.mesh = Some(MeshFacts {
                vertices: to_u64(mesh.vertex_count()),
                materials: to_u64(facts.names.len().saturating_sub(first)),
                weaker: if width.is_some() { dropped.weaker } else { 0 },
            });
        }
        facts
    }

    /// The same of a model that was read from glTF.
    pub(super) fn of_model(model: &'a Model, width: Option<usize>) -> Self {
        let influences = (0..model.positions.len()).map(|vertex| model.influences.of(vertex));
        let mut mesh = MeshFacts { vertices: to_u64(model.positions.len()), ..MeshFacts::default() };
        // A writer makes a material where there is none.
        mesh.materials = to_u64(model.materials.len().max(1));
        for own in influences {
            let count = own.iter().filter(|(_, weight)| *weight > 0.0).count();
            let beyond = width.map_or(0, |width| count.saturating_sub(width));
            mesh.weaker = mesh.weaker.saturating_add(to_u64(beyond));
        }
        let bones = model.joints.iter().map(|joint| ("bone", joint.name.as_str()));
        let materials = model.materials.iter().map(|material| ("material", material.name.as_str()));
        // A writer makes a name where there is none.
        let names = bones.chain(materials).filter(|(_, name)| !name.is_empty());
        let names = names.map(|(kind, name)| (kind, Text::new(name.as_bytes()))).collect();
        Self { mesh: Some(mesh), bones: Some(to_u64(model.joints.len())), names }
    }
}

#[cfg(test)]
mod tests {
    use skelmap_write::Material;

    use super::*;

    #[test]
    fn the_facts_of_a_model_are_its_counts_and_its_names() {
        let mut model = Model::default();
        for influences in [
            [(0, 0.5), (1, 0.5), (2, 0.0), (3, 0.0)].as_slice(),
            &[(0, 0.4), (1, 0.3), (2, 0.2), (3, 0.1)],
            &[(0, 1.0)],
        ] {
            model.positions.push([0.0; 3]);
            model.influences.push(influences.iter().copied());
        }
        for name in ["", "fur"] {
            let mut material = Material::default();
            name.clone_into(&mut material.name);
            model.materials.push(material);
        }
        // Four of the second vertex, of which two are kept; those of no weight move nothing.
        for (width, expected) in [(Some(2), 2), (Some(1), 1 + 3), (Some(4), 0), (None, 0)] {
            let facts = Facts::of_model(&model, width);
            let mesh = facts.mesh.expect("a mesh");
            assert_eq!((mesh.vertices, mesh.materials, mesh.weaker), (3, 2, expected), "{width:?}");
            assert_eq!(facts.bones, Some(0));
            let names: Vec<_> = facts.names.iter().map(|(kind, name)| (*kind, name.as_bytes())).collect();
            assert_eq!(names, [("material", b"fur".as_slice())]);
        }
        model.materials.clear();
        // A writer makes one.
        assert_eq!(Facts::of_model(&model, None).mesh.expect("a mesh").materials, 1);
    }
}
