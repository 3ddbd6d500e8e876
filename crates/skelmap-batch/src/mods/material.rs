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
    use tempfile::TempDir;

    use super::*;

    fn folder() -> TempDir {
        let root = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(root.path().join(FOLDER)).expect("a folder");
        root
    }

    /// A material with so many bytes.
    fn write(root: &TempDir, name: &str, text: &str, bytes: u64) {
        let path = root.path().join(FOLDER).join(name);
        fs::write(&path, text).expect("written");
        fs::File::options().write(true).open(path).expect("a file").set_len(bytes).expect("a sparse file");
    }

    fn transparent<'n>(root: &TempDir, names: &[&'n str]) -> Vec<&'n str> {
        let mods = Mods::open(&[root.path().to_owned()], &Opener::reading(), &Limits::default()).expect("a mod");
        let materials = Materials::of(&mods);
        names.iter().copied().filter(|name| materials.is_transparent(name)).collect()
    }

    const BLENDING: &str = "<material><alpha_blending/></material>";

    #[test]
    fn a_material_of_at_most_64_kib_with_blending_is_transparent() {
        let root = folder();
        let (opaque, most) = ("<material><define/></material>", 64 << 10);
        write(&root, "opaque.xml", opaque, opaque.len() as u64);
        write(&root, "blending.xml", BLENDING, BLENDING.len() as u64);
        write(&root, "large.xml", BLENDING, most);
        write(&root, "too_large.xml", BLENDING, most + 1);
        let names = ["", "none.xml", "opaque.xml", "blending.xml", "large.xml", "too_large.xml"];
        assert_eq!(transparent(&root, &names), ["blending.xml", "large.xml"]);
    }

    #[test]
    fn materials_have_16_mib_together() {
        let root = folder();
        (0..255).for_each(|index| write(&root, &format!("{index:03}.xml"), "<material/>", 64 << 10));
        write(&root, "x.xml", BLENDING, 64 << 10);
        write(&root, "y.xml", BLENDING, 64);
        assert_eq!(transparent(&root, &["x.xml", "y.xml"]), ["x.xml"]);
    }
}
