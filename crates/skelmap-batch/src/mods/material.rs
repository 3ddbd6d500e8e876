//! Materials of 0 A.D. (`art/materials/*.xml`): which of them let through what is behind.

use std::collections::HashSet;

use super::list::Mods;
use super::xml::{Node, Nodes, XmlError};

/// The materials of mods that are transparent. The game has 60 materials.
#[derive(Debug)]
pub(super) struct Materials<'m>(HashSet<&'m str>);

/// The folder of materials.
const FOLDER: &str = "art/materials/";

/// The largest material that is read, and the most bytes of all. The game has 60 materials of less than 2 KiB.
const MAX_MATERIAL: u64 = 64 << 10;
const MAX_MATERIALS: u64 = 16 << 20;

impl<'m> Materials<'m> {
    /// Reads all materials. What cannot be read, or is far larger than materials are, is not transparent.
    pub(super) fn of(mods: &'m Mods) -> Self {
        let mut left = MAX_MATERIALS;
        let files =
            mods.files(FOLDER, ".xml").into_iter().filter(|file| file.size() <= MAX_MATERIAL).take_while(|file| {
                left = left.saturating_sub(file.size());
                left > 0
            });
        let is_transparent = |bytes: &[u8]| has_blending(bytes).unwrap_or(false);
        let found = files.filter(|file| mods.read(*file).is_ok_and(|bytes| is_transparent(&bytes)));
        Self(found.map(|file| file.name).collect())
    }

    /// Whether a material, named as in an actor, is transparent.
    pub(super) fn is_transparent(&self, material: &str) -> bool {
        !material.is_empty() && self.0.contains(format!("{FOLDER}{material}").as_str())
    }
}

/// Whether a material has an element `alpha_blending`.
fn has_blending(bytes: &[u8]) -> Result<bool, XmlError> {
    let mut nodes = Nodes::new(bytes)?;
    while let Some(node) = nodes.next()? {
        if matches!(&node, Node::Start(element) if element.name() == b"alpha_blending") {
            return Ok(true);
        }
    }
    Ok(false)
}
