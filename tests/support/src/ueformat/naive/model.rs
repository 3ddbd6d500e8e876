//! `.uemodel`: levels, skeleton and hulls.

use super::cursor::Cursor;
use super::sections::{Known, Reader, Section};
use crate::ueformat::asset::{
    Bone, ColourSet, Delta, Hull, Lod, Material, Model, Morph, NEWEST, ONE, Skeleton, Socket, UvSet, Weight,
};

const OF_LOD: [&str; 9] =
    ["VERTICES", "NORMALS", "TANGENTS", "TEXCOORDS", "INDICES", "VERTEXCOLORS", "MATERIALS", "WEIGHTS", "MORPHTARGETS"];

impl Reader {
    pub(super) fn model(&mut self, mut root: Cursor<'_>) -> Result<Model, String> {
        let sections = self.set(&mut root)?;
        self.end(&root);
        if self.version < 4 {
            return self.model_of_one_level(sections);
        }
        let has_fault = (7..NEWEST).contains(&self.version);
        let names: &[&str] =
            if has_fault { &["LODS", "SKELETON", "COLLISION", "METADATA"] } else { &["LODS", "SKELETON", "COLLISION"] };
        let mut known = self.known(sections, names);
        // Of the skeleton, written to the wrong place.
        let path = match known.take("METADATA") {
            None => None,
            Some(mut section) => {
                self.odd("metadata-in-root", "METADATA");
                let path = section.data.name()?;
                self.end(&section.data);
                Some(path)
            }
        };
        let lods = match known.take("LODS") {
            None => Vec::new(),
            Some(section) => self.levels(&section)?,
        };
        let skeleton = match known.take("SKELETON") {
            None => None,
            Some(section) => Some(self.skeleton_section(section, path)?),
        };
        let hulls = self.hulls(known.take("COLLISION"))?;
        Ok(Model { lods, skeleton, hulls })
    }

    /// Versions 0 to 3: all sections lie in the root.
    fn model_of_one_level(&mut self, sections: Vec<Section<'_>>) -> Result<Model, String> {
        let mut names = OF_LOD.to_vec();
        names.extend(["BONES", "SOCKETS"]);
        if self.version == 3 {
            names.push("COLLISION");
        }
        let mut known = self.known(sections, &names);
        let (has_level, has_skeleton) = (known.has_any(&OF_LOD), known.has_any(&["BONES", "SOCKETS"]));
        let lod = self.lod(&mut known)?;
        let skeleton = self.skeleton(&mut known)?;
        let hulls = self.hulls(known.take("COLLISION"))?;
        let lods = if has_level { vec![lod] } else { Vec::new() };
        Ok(Model { lods, skeleton: has_skeleton.then_some(skeleton), hulls })
    }

    fn levels(&mut self, section: &Section<'_>) -> Result<Vec<Lod>, String> {
        let (lods, cursor) = self.elements(section, 8, |reader, cursor| {
            let own = cursor.path.replacen('#', "/", 1);
            cursor.path.clone_from(&own);
            let name = cursor.name()?;
            let sections = if reader.version >= NEWEST {
                reader.set(cursor)?
            } else {
                let size = cursor.size("size")?;
                reader.set(&mut cursor.part(own, size)?)?
            };
            let mut known = reader.known(sections, &OF_LOD);
            Ok(Lod { name, ..reader.lod(&mut known)? })
        })?;
        self.end(&cursor);
        Ok(lods)
    }

    fn lod(&mut self, known: &mut Known<'_>) -> Result<Lod, String> {
        let version = self.version;
        let vertices = self.array(known.take("VERTICES"), 12, |_, cursor| cursor.vector())?;
        let normals = self.array(known.take("NORMALS"), if version == 0 { 12 } else { 16 }, |_, cursor| {
            let sign = if version == 0 { 0.0 } else { cursor.f32()? };
            let [x, y, z] = cursor.vector()?;
            Ok([sign, x, y, z])
        })?;
        let tangents = self.array(known.take("TANGENTS"), 12, |_, cursor| cursor.vector())?;
        let least = if version >= NEWEST { 8 } else { 4 };
        let uvs = self.array(known.take("TEXCOORDS"), least, |_, cursor| {
            let name = if version >= NEWEST { cursor.name()? } else { Vec::new() };
            Ok(UvSet { name, uvs: cursor.list(8, Cursor::pair)? })
        })?;
        let indices = self.array(known.take("INDICES"), 4, |_, cursor| cursor.u32())?;
        let colours = known.take("VERTEXCOLORS");
        let colours = if version >= 2 {
            self.array(colours, 8, |_, cursor| {
                Ok(ColourSet { name: cursor.name()?, colours: cursor.list(4, Cursor::colour)? })
            })?
        } else {
            let colours = self.array(colours, 4, |_, cursor| cursor.colour())?;
            if colours.is_empty() { Vec::new() } else { vec![ColourSet { name: Vec::new(), colours }] }
        };
        let least = if version >= 6 { 16 } else { 12 };
        let materials = self.array(known.take("MATERIALS"), least, |_, cursor| {
            let name = cursor.name()?;
            let path = if version >= 6 { cursor.name()? } else { Vec::new() };
            Ok(Material { name, path, first_index: cursor.i32()?, face_count: cursor.i32()? })
        })?;
        let weights = self.array(known.take("WEIGHTS"), 10, |_, cursor| {
            Ok(Weight { bone: cursor.u16()?, vertex: cursor.i32()?, weight: cursor.f32()? })
        })?;
        let morphs = self.array(known.take("MORPHTARGETS"), 8, |_, cursor| {
            let name = cursor.name()?;
            let deltas = cursor.list(28, |cursor| {
                Ok(Delta { position: cursor.vector()?, normal: cursor.vector()?, vertex: cursor.u32()? })
            })?;
            Ok(Morph { name, deltas })
        })?;
        let name = Vec::new();
        Ok(Lod { name, vertices, normals, tangents, uvs, indices, colours, materials, weights, morphs })
    }

    fn skeleton_section(&mut self, mut section: Section<'_>, path: Option<Vec<u8>>) -> Result<Skeleton, String> {
        let sections = self.set(&mut section.data)?;
        self.end(&section.data);
        let mut names = vec!["BONES", "SOCKETS"];
        if self.version >= 5 {
            names.push("VIRTUALBONES");
        }
        if self.version >= 7 {
            names.push("METADATA");
        }
        let mut known = self.known(sections, &names);
        let own = match known.take("METADATA") {
            None => path.unwrap_or_default(),
            Some(mut section) => {
                let path = section.data.name()?;
                self.end(&section.data);
                path
            }
        };
        Ok(Skeleton { path: own, ..self.skeleton(&mut known)? })
    }

    fn skeleton(&mut self, known: &mut Known<'_>) -> Result<Skeleton, String> {
        let bones = match known.take("BONES") {
            None => Vec::new(),
            Some(section) => self.bones(&section)?,
        };
        let sockets = self.array(known.take("SOCKETS"), 48, |_, cursor| {
            Ok(Socket {
                name: cursor.name()?,
                bone: cursor.name()?,
                position: cursor.vector()?,
                rotation: cursor.rotation()?,
                scale: cursor.vector()?,
            })
        })?;
        let virtual_bones = self
            .array(known.take("VIRTUALBONES"), 12, |_, cursor| Ok([cursor.name()?, cursor.name()?, cursor.name()?]))?;
        Ok(Skeleton { path: Vec::new(), bones, sockets, virtual_bones })
    }

    /// Version 10 has bones of 36 bytes and of 48: that is right which ends where the section does, 48 first.
    fn bones(&mut self, section: &Section<'_>) -> Result<Vec<Bone>, String> {
        if self.version < NEWEST {
            let (bones, cursor) = self.elements(section, 36, |_, cursor| bone(cursor, 36))?;
            self.end(&cursor);
            self.bone_size = if bones.is_empty() { None } else { Some(36) };
            return Ok(bones);
        }
        let mut reasons = Vec::new();
        for size in [48, 36] {
            match self.elements(section, size, |_, cursor| bone(cursor, size)) {
                Ok((bones, cursor)) if cursor.left() == 0 => {
                    self.bone_size = if bones.is_empty() { None } else { Some(size) };
                    return Ok(bones);
                }
                Ok((_, cursor)) => reasons.push(format!("{} bytes are left", cursor.left())),
                Err(error) => reasons.push(error),
            }
        }
        let what = format!("not of bones with scale ({}), nor without ({})", reasons[0], reasons[1]);
        Err(section.data.error_at(section.start, what))
    }

    fn hulls(&mut self, section: Option<Section<'_>>) -> Result<Vec<Hull>, String> {
        self.array(section, 12, |_, cursor| {
            Ok(Hull {
                name: cursor.name()?,
                vertices: cursor.list(12, Cursor::vector)?,
                indices: cursor.list(4, Cursor::i32)?,
            })
        })
    }
}

fn bone(cursor: &mut Cursor<'_>, size: usize) -> Result<Bone, String> {
    Ok(Bone {
        name: cursor.name()?,
        parent: cursor.i32()?,
        position: cursor.vector()?,
        rotation: cursor.rotation()?,
        scale: if size == 48 { cursor.vector()? } else { ONE },
    })
}
