//! What the actors of a mod join: which animations a mesh plays, under which names, and which textures it wears.

use std::collections::HashMap;

use skelmap::archive::Address;

use super::{PartKind, Survey};

/// Names that actors give an animation on a mesh, at most so many.
const MAX_NAMES: usize = 16;

/// A mesh and an animation that an actor joins.
#[derive(Debug)]
#[non_exhaustive]
pub struct Join {
    /// The mesh.
    pub mesh: Address,
    /// The animation.
    pub animation: Address,
    /// The names under which actors play it, in the order of the actors: `Walk`.
    pub names: Vec<String>,
}

impl Survey<'_> {
    /// The pairs of a mesh and an animation that actors join, each once, in the order of the actors. O(pairs of each actor).
    pub fn joins(&self) -> Vec<Join> {
        let mut known: HashMap<(&str, &str), usize> = HashMap::new();
        let mut joins: Vec<Join> = Vec::new();
        for unit in &self.units {
            let files = |kind| unit.of_kind(kind).filter_map(|part| Some((part, self.file(part)?)));
            for (_, mesh) in files(PartKind::Mesh) {
                for (part, animation) in files(PartKind::Animation) {
                    let index = *known.entry((mesh.name, animation.name)).or_insert_with(|| {
                        let (mesh, animation) = (mesh.address(), animation.address());
                        joins.push(Join { mesh, animation, names: Vec::new() });
                        joins.len() - 1
                    });
                    let Some(join) = joins.get_mut(index).filter(|join| join.names.len() < MAX_NAMES) else { continue };
                    if !part.name.is_empty() && !join.names.contains(&part.name) {
                        join.names.push(part.name.clone());
                    }
                }
            }
        }
        joins
    }
}
