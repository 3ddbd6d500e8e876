//! The records of a body, all of alignment 1 (UEFormat reference, sections 5 and 6), and the items with names inside.

use zerocopy::little_endian::U32;

use crate::bytes::{Text, Vec2, Vec3, record, value};

value! {
    /// The index of a vertex, 4 bytes.
    #[derive(PartialEq, Eq, Hash)]
    Index(U32) as u32,
    /// The native number.
    get = |index| index.get()
}

record! {
    /// A normal and the sign of the binormal, 16 bytes: version 1 and later.
    pub struct SignedNormal[16] as SignedNormalNative {
        /// 1 or -1: the binormal is this times normal x tangent. 0 occurs.
        binormal_sign: F32,
        /// The direction. NaN where the writer divided by a length of 0.
        normal: Vec3,
    }
}

record! {
    /// The influence of a bone on a vertex, 10 bytes.
    pub struct Influence[10] {
        /// The index of the bone.
        bone: U16,
        /// The index of the vertex.
        vertex: I32,
        /// The weight, 0 to 1.
        weight: F32,
    }
}

record! {
    /// The offset of a vertex in a morph target, 28 bytes.
    pub struct MorphDelta[28] as MorphDeltaNative {
        /// The offset of the position.
        position: Vec3,
        /// The offset of the normal.
        normal: Vec3,
        /// The index of the vertex.
        vertex: U32,
    }
}

record! {
    /// A position or a scale in a frame, 16 bytes.
    pub struct VectorKey[16] as VectorKeyNative {
        /// The frame.
        frame: I32,
        /// The value.
        value: Vec3,
    }
}

record! {
    /// A rotation in a frame, 20 bytes.
    pub struct RotationKey[20] as RotationKeyNative {
        /// The frame.
        frame: I32,
        /// The quaternion x, y, z, w, relative to the parent bone.
        value: Vec4,
    }
}

record! {
    /// A value of a curve in a frame, 8 bytes.
    pub struct CurveKey[8] as CurveKeyNative {
        /// The frame: several keys may have the same one, and it may lie outside of the frames of the animation.
        frame: I32,
        /// The value.
        value: F32,
    }
}

record! {
    /// The value of a curve in a pose, 8 bytes.
    pub struct CurveInfluence[8] as CurveInfluenceNative {
        /// The index of the curve in [`Pose::curves`](super::Pose::curves).
        curve: I32,
        /// The value.
        influence: F32,
    }
}

record! {
    /// A bone after its name, without its scale.
    pub(super) struct BoneHead[32] {
        parent: I32,
        position: Vec3,
        rotation: Vec4,
    }
}

record! {
    /// The place of a socket, or of a bone in a pose.
    pub(super) struct Place[40] {
        position: Vec3,
        rotation: Vec4,
        scale: Vec3,
    }
}

record! {
    /// A material after its names.
    pub(super) struct MaterialRange[8] {
        first_index: I32,
        face_count: I32,
    }
}

record! {
    /// The first fields of the metadata of an animation; before version 7, the first fields of the body.
    pub(super) struct Timing[8] {
        frames: I32,
        rate: F32,
    }
}

record! {
    /// The last fields of the metadata of an animation.
    pub(super) struct Additive[6] {
        kind: u8,
        base: u8,
        frame: I32,
    }
}

/// A bone of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Bone<'a> {
    /// The name. Upper and lower case are equal.
    pub name: Text<'a>,
    /// The index of the parent as stored; -1 for a root.
    pub parent: i32,
    /// The position, relative to the parent.
    pub position: [f32; 3],
    /// The rotation x, y, z, w, relative to the parent.
    pub rotation: [f32; 4],
    /// The scale, where the file has it: some files of version 10.
    pub scale: Option<[f32; 3]>,
}

/// A socket: a place where a game attaches another model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Socket<'a> {
    /// The name.
    pub name: Text<'a>,
    /// The name of the bone, which may not exist.
    pub bone: Text<'a>,
    /// The position, relative to the bone.
    pub position: [f32; 3],
    /// The rotation x, y, z, w, relative to the bone.
    pub rotation: [f32; 4],
    /// The scale as stored. Before version 8, y is negated by a fault of the writer.
    pub scale: [f32; 3],
}

/// A virtual bone: it follows `target`, relative to `source`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct VirtualBone<'a> {
    /// The name of the bone that the virtual bone is relative to.
    pub source: Text<'a>,
    /// The name of the bone that the virtual bone follows.
    pub target: Text<'a>,
    /// The name of the virtual bone itself.
    pub name: Text<'a>,
}

/// A material and its triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Material<'a> {
    /// The name of the slot. Not always unique; may be empty.
    pub name: Text<'a>,
    /// The path of the asset; `None` before version 6. May be empty.
    pub path: Option<Text<'a>>,
    /// The first of the indices. Not checked against the indices.
    pub first_index: i32,
    /// The number of triangles. Not checked against the indices.
    pub face_count: i32,
}

/// A UV set: a texture coordinate for each vertex.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct UvSet<'a> {
    /// The name, such as `UV0`; `None` before version 10.
    pub name: Option<Text<'a>>,
    /// The coordinates. From version 8 on, v counts from the top, before it from the bottom.
    pub uvs: &'a [Vec2],
}

/// A set of colours: red, green, blue, alpha for each vertex.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ColorSet<'a> {
    /// The name, such as `COL0`; `None` before version 2.
    pub name: Option<Text<'a>>,
    /// The colours.
    pub colors: &'a [[u8; 4]],
}

/// A morph target.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Morph<'a> {
    /// The name.
    pub name: Text<'a>,
    /// The offsets of the vertices that the target moves.
    pub deltas: &'a [MorphDelta],
}

/// A convex hull for collisions.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Hull<'a> {
    /// The name; `None` (the word) where it has none.
    pub name: Text<'a>,
    /// The corners.
    pub vertices: &'a [Vec3],
    /// Three indices of corners for each triangle.
    pub indices: &'a [Index],
}

/// The keys of a bone: only for frames in which a value changes.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct BoneTrack<'a> {
    /// The name of the bone.
    pub name: Text<'a>,
    /// The positions, relative to the parent.
    pub positions: &'a [VectorKey],
    /// The rotations, relative to the parent.
    pub rotations: &'a [RotationKey],
    /// The scales.
    pub scales: &'a [VectorKey],
}

/// The keys of a curve: of a morph target, or of anything.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Curve<'a> {
    /// The name.
    pub name: Text<'a>,
    /// The keys.
    pub keys: &'a [CurveKey],
}

/// A bone in a pose: differences to the reference pose.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PoseBone<'a> {
    /// The name.
    pub name: Text<'a>,
    /// The difference of the position.
    pub position: [f32; 3],
    /// The difference of the rotation, x, y, z, w.
    pub rotation: [f32; 4],
    /// The difference of the scale: 0 is none.
    pub scale: [f32; 3],
}
