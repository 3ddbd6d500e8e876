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
                let rest = left.checked_sub(file.size());
                left = rest.unwrap_or(0);
                rest.is_some()
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

#[cfg(test)]
mod tests {
    use std::fs;

    use skelmap::archive::Limits;
    use skelmap::mapping::Opener;
    use test_support::build_zip::{Entry, Zip};

    use super::*;

    /// Those of these materials that are transparent, in a mod of materials with such texts, made as long with blanks.
    fn transparent<'n>(names: &[&'n str], files: &[(&str, &str, usize)]) -> Vec<&'n str> {
        let entry = |(name, text, bytes): &(&str, &str, usize)| {
            let rest = " ".repeat(bytes.saturating_sub(text.len()));
            Entry::stored(format!("{FOLDER}{name}"), format!("{text}{rest}"))
        };
        let root = tempfile::tempdir().expect("a folder");
        let path = root.path().join("mod.zip");
        fs::write(&path, Zip::of(files.iter().map(entry)).build().bytes).expect("written");
        let mods = Mods::open(&[path], &Opener::reading(), &Limits::default()).expect("a mod");
        let materials = Materials::of(&mods);
        names.iter().copied().filter(|name| materials.is_transparent(name)).collect()
    }

    const BLENDING: &str = "<material><alpha_blending/></material>";
    const OPAQUE: &str = "<material><define/></material>";

    #[test]
    fn a_material_of_at_most_64_kib_with_blending_is_transparent() {
        let files = [
            ("opaque.xml", OPAQUE, 0),
            ("blending.xml", BLENDING, 0),
            ("large.xml", BLENDING, 64 << 10),
            ("too_large.xml", BLENDING, (64 << 10) + 1),
        ];
        let names = ["", "none.xml", "opaque.xml", "blending.xml", "large.xml", "too_large.xml"];
        assert_eq!(transparent(&names, &files), ["blending.xml", "large.xml"]);
    }

    #[test]
    fn materials_have_16_mib_together() {
        let names: Vec<String> = (0..255).map(|index| format!("{index:03}.xml")).collect();
        let mut files: Vec<_> = names.iter().map(|name| (name.as_str(), BLENDING, 64 << 10)).collect();
        files.extend([("x.xml", BLENDING, 64 << 10), ("y.xml", BLENDING, 64)]);
        assert_eq!(transparent(&["x.xml", "y.xml"], &files), ["x.xml"]);
    }
}
