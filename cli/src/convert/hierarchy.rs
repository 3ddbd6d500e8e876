//! The skeletons of 0 A.D.: names and parents of bones, which PMD and PSA files do not have.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use skelmap::gltf::Bone;

use crate::outcome::Failure;

/// The largest file of skeletons. Those of the game have some kilobytes.
const LARGEST: u64 = 1 << 20;

/// The standard skeletons of a file.
#[derive(Debug, Default)]
pub(super) struct Skeletons(Vec<Vec<Bone>>);

impl Skeletons {
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let read = || {
            if !path.metadata()?.is_file() {
                return Err(io::Error::other("is no regular file"));
            }
            let mut text = String::new();
            File::open(path)?.take(LARGEST + 1).read_to_string(&mut text)?;
            Ok(text)
        };
        let text = read().map_err(|error| Failure::nothing_read(error).in_file(path))?;
        if text.len() as u64 > LARGEST {
            return Err(Failure::findings("is larger than 1 MiB, which no skeleton is").in_file(path));
        }
        Self::parse(&text).map_err(|message| Failure::findings(message).in_file(path))
    }

    /// Reads `standard_skeleton` elements with nested `bone` elements. The index of a bone is its place in depth-first order.
    fn parse(text: &str) -> Result<Self, String> {
        let mut reader = Reader::from_str(text);
        let mut skeletons: Vec<Vec<Bone>> = Vec::new();
        // For each open element inside of a skeleton: its bone, or the one around it.
        let mut open: Option<Vec<Option<usize>>> = None;
        loop {
            let event = reader.read_event().map_err(|error| format!("at byte {}: {error}", reader.error_position()))?;
            match event {
                Event::Eof => break,
                Event::Start(element) if element.name().as_ref() == b"standard_skeleton" => {
                    open = Some(Vec::new());
                    skeletons.push(Vec::new());
                }
                Event::End(element) if element.name().as_ref() == b"standard_skeleton" => open = None,
                Event::Start(element) => {
                    if let (Some(path), Some(bones)) = (&mut open, skeletons.last_mut()) {
                        let bone = add_bone(&element, path, bones)?;
                        path.push(bone);
                    }
                }
                Event::Empty(element) => {
                    if let (Some(path), Some(bones)) = (&mut open, skeletons.last_mut()) {
                        add_bone(&element, path, bones)?;
                    }
                }
                Event::End(_) => {
                    if let Some(path) = &mut open {
                        path.pop();
                    }
                }
                _ => {}
            }
        }
        if open.is_some() {
            return Err("ends inside of a <standard_skeleton>".to_owned());
        }
        skeletons.retain(|bones| !bones.is_empty());
        if skeletons.is_empty() {
            return Err("has no <standard_skeleton> with bones".to_owned());
        }
        Ok(Self(skeletons))
    }

    /// The skeleton with so many bones.
    pub(super) fn of_count(&self, bones: usize) -> Result<&[Bone], String> {
        let mut fitting = self.0.iter().filter(|skeleton| skeleton.len() == bones);
        match (fitting.next(), fitting.next()) {
            (Some(skeleton), None) => Ok(skeleton),
            (Some(_), Some(_)) => Err(format!("several skeletons of --skeleton have {bones} bones")),
            (None, _) => {
                let counts: Vec<_> = self.0.iter().map(|skeleton| skeleton.len().to_string()).collect();
                Err(format!("the mesh has {bones} bones, and the skeletons of --skeleton have {}", counts.join(", ")))
            }
        }
    }
}

fn add_bone(element: &BytesStart<'_>, path: &[Option<usize>], bones: &mut Vec<Bone>) -> Result<Option<usize>, String> {
    let parent = path.last().copied().flatten();
    if element.name().as_ref() != b"bone" {
        return Ok(parent);
    }
    let name = element.try_get_attribute("name").map_err(|error| error.to_string())?;
    let name = name.ok_or_else(|| format!("bone {} has no name", bones.len()))?;
    let name = name.normalized_value(XmlVersion::Implicit1_0).map_err(|error| error.to_string())?.into_owned();
    bones.push(Bone { name, parent });
    Ok(Some(bones.len() - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_of_a_bone_is_its_position_in_depth_first_order() {
        let text = r#"<?xml version="1.0"?><skeletons>
            <skeleton title="other" target="biped"><bone name="x"/></skeleton>
            <standard_skeleton title="Biped" id="biped">
              <bone name="root"><bone name="leg"><bone name="foot"/></bone><!-- --><bone name="arm"/></bone><bone name="free &amp; easy"/>
            </standard_skeleton></skeletons>"#;
        let skeletons = Skeletons::parse(text).expect("a skeleton");
        let bones = skeletons.of_count(5).expect("five bones");
        let bones: Vec<_> = bones.iter().map(|bone| (bone.name.as_str(), bone.parent)).collect();
        let expected = [("root", None), ("leg", Some(0)), ("foot", Some(1)), ("arm", Some(0)), ("free & easy", None)];
        assert_eq!(bones, expected);
        assert_eq!(skeletons.of_count(4).unwrap_err(), "the mesh has 4 bones, and the skeletons of --skeleton have 5");
    }

    #[test]
    fn sixty_thousand_nested_bones_are_read_and_entities_are_refused() {
        let (start, end) = ("<bone name='a'>".repeat(60_000), "</bone>".repeat(60_000));
        let deep = format!("<standard_skeleton>{start}{end}</standard_skeleton>");
        assert!(Skeletons::parse(&deep[..deep.len() - 30]).is_err(), "it has no end");
        let found = Skeletons::parse(&deep);
        assert!(found.is_ok_and(|skeletons| skeletons.of_count(60_000).is_ok()));
        let bomb = "<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><standard_skeleton><bone name='&b;'/></standard_skeleton>";
        assert!(Skeletons::parse(bomb).is_err(), "an entity is refused");
    }
}
