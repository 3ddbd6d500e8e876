//! What actors join: the animations that a mesh plays, with their names, and the texture that it wears.

use super::material::Materials;
use super::{ModFile, PartKind, Survey};

/// A mesh and an animation that an actor joins.
#[derive(Debug)]
#[non_exhaustive]
pub struct Join<'m, 's> {
    /// The mesh.
    pub mesh: ModFile<'m>,
    /// The animation.
    pub animation: ModFile<'m>,
    /// The name under which the actor plays it: `Walk`.
    pub name: &'s str,
}

/// The texture that an actor gives a mesh.
#[derive(Debug)]
#[non_exhaustive]
pub struct Skin<'m> {
    /// The mesh.
    pub mesh: ModFile<'m>,
    /// The texture.
    pub texture: ModFile<'m>,
    /// Whether the texture lets through what is behind.
    pub is_transparent: bool,
}

impl<'m> Survey<'m> {
    /// The pairs of a mesh and an animation that actors join, in the order of the actors. A pair comes again for each actor and each name, in
    /// all at most 1,048,576 times: of an actor that joins more, there are none.
    pub fn joins(&self) -> impl Iterator<Item = Join<'m, '_>> {
        self.units.iter().flat_map(move |unit| {
            let files = move |kind| unit.of_kind(kind).filter_map(|part| Some((part, self.file(part)?)));
            files(PartKind::Mesh).flat_map(move |(_, mesh)| {
                files(PartKind::Animation).map(move |(part, animation)| Join { mesh, animation, name: &part.name })
            })
        })
    }

    /// The meshes with the texture that an actor gives them: of a mesh that comes again, the first one is worn.
    pub fn skins(&self) -> impl Iterator<Item = Skin<'m>> {
        let materials = Materials::of(self.mods);
        let skins = self.units.iter().flat_map(move |unit| {
            let is_transparent = materials.is_transparent(&unit.material);
            unit.skins().map(move |(mesh, texture)| (mesh, texture, is_transparent))
        });
        skins.filter_map(|(mesh, texture, is_transparent)| {
            Some(Skin { mesh: self.file(mesh)?, texture: self.file(texture)?, is_transparent })
        })
    }
}
