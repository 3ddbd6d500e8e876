//! `.ueanim` and `.uepose`: tracks, curves and poses.

use super::cursor::Cursor;
use super::sections::Reader;
use crate::ueformat::asset::{Animation, Curve, Metadata, NamedPose, Pose, PoseKey, Track};

impl Reader {
    pub(super) fn animation(&mut self, mut root: Cursor<'_>) -> Result<Animation, String> {
        let mut metadata = None;
        let mut names = vec!["TRACKS", "CURVES"];
        if self.version < 7 {
            metadata = Some(Metadata { frame_count: root.i32()?, rate: root.f32()?, ..Metadata::default() });
        } else {
            names.push("METADATA");
        }
        let sections = self.set(&mut root)?;
        self.end(&root);
        let mut known = self.known(sections, &names);
        if let Some(section) = known.take("METADATA") {
            let mut data = section.data;
            metadata = Some(Metadata {
                frame_count: data.i32()?,
                rate: data.f32()?,
                path: data.name()?,
                additive: data.u8()?,
                base: data.u8()?,
                base_frame: data.i32()?,
            });
            self.end(&data);
        }
        let tracks = self.array(known.take("TRACKS"), 16, |_, cursor| {
            let name = named(cursor)?;
            let positions = cursor.list(16, |cursor| Ok((cursor.i32()?, cursor.vector()?)))?;
            let rotations = cursor.list(20, |cursor| Ok((cursor.i32()?, cursor.rotation()?)))?;
            let scales = cursor.list(16, |cursor| Ok((cursor.i32()?, cursor.vector()?)))?;
            Ok(Track { name, positions, rotations, scales })
        })?;
        let curves = self.array(known.take("CURVES"), 8, |_, cursor| {
            let name = named(cursor)?;
            Ok(Curve { name, keys: cursor.list(8, |cursor| Ok((cursor.i32()?, cursor.f32()?)))? })
        })?;
        Ok(Animation { metadata, tracks, curves })
    }

    pub(super) fn pose(&mut self, mut root: Cursor<'_>) -> Result<Pose, String> {
        let sections = self.set(&mut root)?;
        self.end(&root);
        let mut known = self.known(sections, &["POSES", "CURVES"]);
        let poses = self.array(known.take("POSES"), 12, |_, cursor| {
            let name = named(cursor)?;
            let keys = cursor.list(44, |cursor| {
                Ok(PoseKey {
                    bone: cursor.name()?,
                    position: cursor.vector()?,
                    rotation: cursor.rotation()?,
                    scale: cursor.vector()?,
                })
            })?;
            let influences = cursor.list(8, |cursor| Ok((cursor.i32()?, cursor.f32()?)))?;
            Ok(NamedPose { name, keys, influences })
        })?;
        let curves = self.array(known.take("CURVES"), 4, |_, cursor| cursor.name())?;
        Ok(Pose { poses, curves })
    }
}

/// A name, which errors then say.
fn named(cursor: &mut Cursor<'_>) -> Result<Vec<u8>, String> {
    let name = cursor.name()?;
    cursor.path = format!("{} ({})", cursor.path, String::from_utf8_lossy(&name));
    Ok(name)
}
