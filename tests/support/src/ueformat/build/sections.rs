//! The sections of each kind of file, by the tables of the reference.

use super::{Body, Level, Marked, Section, Style, Ue};
use crate::ueformat::asset::{
    Animation, Bone, Curve, Delta, Hull, Lod, Metadata, Model, NEWEST, NamedPose, Pose, PoseKey, Skeleton, Socket,
    Track,
};

/// A `.uemodel` of a version, from values in Unreal's own space.
///
/// Before version 4 the first level alone is written, with the bones in the root.
pub fn model(version: u8, model: &Model, style: Style) -> Ue {
    let model = model.stored(version, style.has_bone_scale);
    let mut out = Sections::new(version, style);
    if version >= 4 {
        let levels: Vec<Level> = model.lods.iter().map(|lod| level(lod, version, style)).collect();
        if !levels.is_empty() || style.writes_empty {
            out.list.push(Section::new("LODS", levels.len(), Body::Levels(levels)));
        }
        if let Some(skeleton) = &model.skeleton {
            let sections = of_skeleton(skeleton, version, style);
            out.list.push(Section::new("SKELETON", sections.len(), Body::Set(sections)));
        }
    } else {
        model.lods.iter().for_each(|lod| out.list.extend(level(lod, version, style).sections));
        if let Some(skeleton) = &model.skeleton {
            out.list.extend(of_skeleton(skeleton, version, style));
        }
    }
    if version >= 3 {
        out.array("COLLISION", &model.hulls, |out, Hull { name, vertices, indices }| {
            out.name(name).mark(".vertices").count(vertices).f32s(vertices.as_flattened());
            out.mark(".indices").count(indices);
            for index in indices {
                out.i32(*index);
            }
        });
    }
    Ue::new("UEMODEL", version, out.list)
}

/// A `.ueanim` of a version, from values in Unreal's own space.
///
/// Before version 7 number of frames and rate stand before the sections, whether there are any or not.
pub fn animation(version: u8, animation: &Animation, style: Style) -> Ue {
    let Animation { metadata, tracks, curves } = animation.stored(version);
    let mut out = Sections::new(version, style);
    let mut preamble = Marked::default();
    if let Some(Metadata { frame_count, rate, path, additive, base, base_frame }) = metadata {
        let mut fields = Marked::default();
        fields.mark(".frame_count").i32(frame_count).mark(".rate").f32s(&[rate]);
        if version < 7 {
            preamble = fields;
        } else {
            fields.mark(".path").name(&path).mark(".additive").u8(additive).mark(".base").u8(base);
            fields.mark(".base_frame").i32(base_frame);
            out.list.push(Section::new("METADATA", 1, Body::Record(fields)));
        }
    }
    out.array("TRACKS", &tracks, |out, Track { name, positions, rotations, scales }| {
        out.name(name);
        keys(out, ".positions", positions);
        keys(out, ".rotations", rotations);
        keys(out, ".scales", scales);
    });
    out.array("CURVES", &curves, |out, Curve { name, keys }| {
        out.name(name).mark(".keys").count(keys);
        for (frame, value) in keys {
            out.i32(*frame).f32s(&[*value]);
        }
    });
    Ue { preamble, ..Ue::new("UEANIM", version, out.list) }
}

/// A `.uepose`; there are some since version 9.
pub fn pose(version: u8, pose: &Pose, style: Style) -> Ue {
    let mut out = Sections::new(version, style);
    out.array("POSES", &pose.poses, |out, NamedPose { name, keys, influences }| {
        out.name(name).mark(".keys").count(keys);
        for PoseKey { bone, position, rotation, scale } in keys {
            out.name(bone).f32s(position).f32s(rotation).f32s(scale);
        }
        out.mark(".influences").count(influences);
        for (curve, influence) in influences {
            out.i32(*curve).f32s(&[*influence]);
        }
    });
    out.array("CURVES", &pose.curves, |out, curve| _ = out.name(curve));
    Ue::new("UEPOSE", version, out.list)
}

fn keys<const N: usize>(out: &mut Marked, name: &str, keys: &[(i32, [f32; N])]) {
    out.mark(name).count(keys);
    for (frame, value) in keys {
        out.i32(*frame).f32s(value);
    }
}

fn level(lod: &Lod, version: u8, style: Style) -> Level {
    let mut out = Sections::new(version, style);
    out.array("VERTICES", &lod.vertices, |out, vertex| _ = out.f32s(vertex));
    out.array("NORMALS", &lod.normals, |out, normal| _ = out.f32s(if version == 0 { &normal[1..] } else { normal }));
    out.array("TANGENTS", &lod.tangents, |out, tangent| _ = out.f32s(tangent));
    out.array("TEXCOORDS", &lod.uvs, |out, set| {
        if version >= NEWEST {
            out.name(&set.name);
        }
        out.mark(".uvs").count(&set.uvs).f32s(set.uvs.as_flattened());
    });
    out.array("INDICES", &lod.indices, |out, index| _ = out.u32(*index));
    if version >= 2 {
        out.array("VERTEXCOLORS", &lod.colours, |out, set| {
            out.name(&set.name).mark(".colours").count(&set.colours).raw(set.colours.as_flattened());
        });
    } else {
        let first = lod.colours.first().map_or(&[][..], |set| &set.colours);
        out.array("VERTEXCOLORS", first, |out, colour| _ = out.raw(colour));
    }
    out.array("MATERIALS", &lod.materials, |out, material| {
        out.name(&material.name);
        if version >= 6 {
            out.mark(".path").name(&material.path);
        }
        out.mark(".first_index").i32(material.first_index).mark(".face_count").i32(material.face_count);
    });
    out.array("WEIGHTS", &lod.weights, |out, weight| {
        out.u16(weight.bone).mark(".vertex").i32(weight.vertex).mark(".weight").f32s(&[weight.weight]);
    });
    out.array("MORPHTARGETS", &lod.morphs, |out, morph| {
        out.name(&morph.name).mark(".deltas").count(&morph.deltas);
        for Delta { position, normal, vertex } in &morph.deltas {
            out.f32s(position).f32s(normal).u32(*vertex);
        }
    });
    Level { name: lod.name.clone(), sections: out.list }
}

fn of_skeleton(skeleton: &Skeleton, version: u8, style: Style) -> Vec<Section> {
    let mut out = Sections::new(version, style);
    if version >= 7 && (style.writes_empty || !skeleton.path.is_empty()) {
        let mut fields = Marked::default();
        fields.mark(".path").name(&skeleton.path);
        out.list.push(Section::new("METADATA", 1, Body::Record(fields)));
    }
    out.array("BONES", &skeleton.bones, |out, Bone { name, parent, position, rotation, scale }| {
        out.name(name).mark(".parent").i32(*parent).mark(".position").f32s(position).mark(".rotation").f32s(rotation);
        if version >= NEWEST && style.has_bone_scale {
            out.mark(".scale").f32s(scale);
        }
    });
    out.array("SOCKETS", &skeleton.sockets, |out, Socket { name, bone, position, rotation, scale }| {
        out.name(name).mark(".bone").name(bone).mark(".position").f32s(position).f32s(rotation).f32s(scale);
    });
    if version >= 5 {
        out.array("VIRTUALBONES", &skeleton.virtual_bones, |out, names| {
            for name in names {
                out.name(name);
            }
        });
    }
    out.list
}

struct Sections {
    version: u8,
    style: Style,
    list: Vec<Section>,
}

impl Sections {
    fn new(version: u8, style: Style) -> Self {
        Self { version, style, list: Vec::new() }
    }

    fn array<T>(&mut self, name: &str, elements: &[T], mut write: impl FnMut(&mut Marked, &T)) {
        if elements.is_empty() && !self.style.writes_empty {
            return;
        }
        let mut out = Marked::default();
        for (at, element) in elements.iter().enumerate() {
            let mut own = Marked::default();
            own.mark("");
            write(&mut own, element);
            // Marks of millions of vertices would be of no use.
            if at >= 64 {
                own.marks.clear();
            }
            out.nested(&format!("#{at}"), &own);
        }
        self.list.push(Section::new(name, elements.len(), Body::Array(out)));
    }
}
