//! One struct per chunk, as the bytes lie in the file: alignment 1, little-endian fields, accessors in native values.
//!
//! Layouts are those of the ActorX reference, sections 3 and 4. Views over whole files live in `psk` and `psa`.

use zerocopy::little_endian::{F32, I32, U16, U32};
use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout, Unaligned};

use crate::record::{Name, Vec2, Vec3, Vec4};

/// A position, in file units. Chunk `PNTS0000`, 12 bytes (ActorX reference, section 3.1).
pub type Point = Vec3;
/// A vertex normal, one per point. Chunk `VTXNORMS`, 12 bytes (section 3.10).
pub type Normal = Vec3;
/// A vertex tangent, one per point. Chunk `VTXTANGS`, 16 bytes (section 3.10).
pub type Tangent = Vec4;
/// A texture coordinate of an extra UV set, one per wedge. Chunks `EXTRAUVS<n>` and `EXTRAUV<n>`, 8 bytes (section 3.9).
pub type Uv = Vec2;

/// A corner of faces: a point and its texture coordinate. Chunk `VTXW0000`, 16 bytes (ActorX reference, section 3.2).
///
/// The point index has 16 or 32 bits by the number of **points**, which only the mesh knows; ask
/// [`Psk::point_index`](super::Psk::point_index).
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Wedge {
    point: [U16; 2],
    uv: Vec2,
    material: u8,
    reserved: u8,
    padding: U16,
}

const _: () = assert!(size_of::<Wedge>() == 16 && align_of::<Wedge>() == 1);

impl Wedge {
    /// The low 16 bits of the point index: the whole index where a mesh has at most 65,536 points.
    #[inline]
    pub const fn point_index_16(&self) -> u16 {
        let [low, _] = &self.point;
        low.get()
    }

    /// The high 16 bits of the point index where a mesh has more than 65,536 points, else padding that may hold garbage.
    #[inline]
    pub const fn point_index_high(&self) -> u16 {
        let [_, high] = &self.point;
        high.get()
    }

    /// All 32 bits of the point index: right where a mesh has more than 65,536 points, else the high half may be garbage.
    #[inline]
    pub const fn point_index_32(&self) -> u32 {
        let [a, b] = self.point_index_16().to_le_bytes();
        let [c, d] = self.point_index_high().to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    }

    /// Texture coordinate u, v of the first UV set; v counts from the top.
    #[inline]
    pub const fn uv(&self) -> [f32; 2] {
        self.uv.get()
    }

    /// The wedge's material index. Faces carry their own, and theirs is the one to use (section 3.5).
    #[inline]
    pub const fn material(&self) -> u8 {
        self.material
    }

    /// A reserved byte, 0 in every file seen.
    pub const fn reserved(&self) -> u8 {
        self.reserved
    }

    /// The last two bytes, which may hold garbage.
    pub const fn padding(&self) -> u16 {
        self.padding.get()
    }
}

/// A triangle with 16-bit wedge indices. Chunk `FACE0000`, 12 bytes (ActorX reference, section 3.3).
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Face16 {
    wedges: [U16; 3],
    material: u8,
    aux_material: u8,
    smoothing_groups: U32,
}

const _: () = assert!(size_of::<Face16>() == 12 && align_of::<Face16>() == 1);

/// A triangle with 32-bit wedge indices. Chunk `FACE3200`, 18 bytes without padding (ActorX reference, section 3.4).
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Face32 {
    wedges: [U32; 3],
    material: u8,
    aux_material: u8,
    smoothing_groups: U32,
}

const _: () = assert!(size_of::<Face32>() == 18 && align_of::<Face32>() == 1);

/// A triangle of either width, in native values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Face {
    /// Wedge indices in file order: clockwise seen from outside (see [`space`](super::space)).
    pub wedges: [u32; 3],
    /// Material index. May be out of range in damaged files.
    pub material: u8,
    /// A second material index that nothing uses; garbage in old files.
    pub aux_material: u8,
    /// A bit mask: faces that share a bit are smooth across their edge. 1 everywhere from some writers.
    pub smoothing_groups: u32,
}

impl Face16 {
    /// The face in native values.
    #[inline]
    pub fn get(&self) -> Face {
        let [a, b, c] = &self.wedges;
        Face {
            wedges: [a.get().into(), b.get().into(), c.get().into()],
            material: self.material,
            aux_material: self.aux_material,
            smoothing_groups: self.smoothing_groups.get(),
        }
    }
}

impl Face32 {
    /// The face in native values.
    #[inline]
    pub const fn get(&self) -> Face {
        let [a, b, c] = &self.wedges;
        Face {
            wedges: [a.get(), b.get(), c.get()],
            material: self.material,
            aux_material: self.aux_material,
            smoothing_groups: self.smoothing_groups.get(),
        }
    }
}

/// A material slot. Chunk `MATT0000`, 88 bytes (ActorX reference, section 3.5). Names are not unique.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Material {
    name: Name<64>,
    texture_index: I32,
    poly_flags: U32,
    aux_material: I32,
    aux_flags: U32,
    lod_bias: I32,
    lod_style: I32,
}

const _: () = assert!(size_of::<Material>() == 88 && align_of::<Material>() == 1);

impl Material {
    /// The material's name.
    pub const fn name(&self) -> &Name<64> {
        &self.name
    }

    /// Usually the slot's own index.
    pub const fn texture_index(&self) -> i32 {
        self.texture_index.get()
    }

    /// Flags of the old engine: the low four bits a type (1 two-sided, 2 translucent, 3 masked, 4 modulate, 8 placeholder),
    /// then 0x10 unlit, 0x20 flat, 0x40 environment, 0x80 no smoothing.
    pub const fn poly_flags(&self) -> u32 {
        self.poly_flags.get()
    }

    /// A second material, unused.
    pub const fn aux_material(&self) -> i32 {
        self.aux_material.get()
    }

    /// Further flags, unused.
    pub const fn aux_flags(&self) -> u32 {
        self.aux_flags.get()
    }

    /// Level-of-detail bias.
    pub const fn lod_bias(&self) -> i32 {
        self.lod_bias.get()
    }

    /// Level-of-detail style.
    pub const fn lod_style(&self) -> i32 {
        self.lod_style.get()
    }
}

/// A bone with its bind pose. Chunks `REFSKELT` and `BONENAMES`, 120 bytes (ActorX reference, section 3.6).
///
/// In animations only the name is to be trusted: some writers leave hierarchy and pose at zero (section 4).
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Bone {
    name: Name<64>,
    flags: U32,
    child_count: I32,
    parent_index: I32,
    rotation: Vec4,
    position: Vec3,
    length: F32,
    size: Vec3,
}

const _: () = assert!(size_of::<Bone>() == 120 && align_of::<Bone>() == 1);

impl Bone {
    /// The bone's name. Not unique in some files.
    pub const fn name(&self) -> &Name<64> {
        &self.name
    }

    /// Flags, 0 in every file seen.
    pub const fn flags(&self) -> u32 {
        self.flags.get()
    }

    /// Number of children as stored; some writers leave 0.
    pub const fn child_count(&self) -> i32 {
        self.child_count.get()
    }

    /// Parent as stored: 0 or -1 for the root. [`Skeleton`](super::Skeleton) gives the parents in their meaning.
    #[inline]
    pub const fn parent_index(&self) -> i32 {
        self.parent_index.get()
    }

    /// Rotation relative to the parent, x, y, z, w as stored. Every bone's but the first is the conjugate of what a
    /// column-vector chain `parent * local` wants; see [`space::local_rotation`](super::space::local_rotation).
    #[inline]
    pub const fn rotation(&self) -> [f32; 4] {
        self.rotation.get()
    }

    /// Position relative to the parent, in file units.
    #[inline]
    pub const fn position(&self) -> [f32; 3] {
        self.position.get()
    }

    /// Length of the bone, 1 from many writers.
    pub const fn length(&self) -> f32 {
        self.length.get()
    }

    /// Size of the bone; the scale from CUE4Parse.
    pub const fn size(&self) -> [f32; 3] {
        self.size.get()
    }
}

/// How much a bone moves a point. Chunk `RAWWEIGHTS`, 12 bytes, in no particular order (ActorX reference, section 3.7).
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Influence {
    weight: F32,
    point_index: I32,
    bone_index: I32,
}

const _: () = assert!(size_of::<Influence>() == 12 && align_of::<Influence>() == 1);

impl Influence {
    /// The weight, 0 to 1. A point's weights usually sum to one, but need not.
    #[inline]
    pub const fn weight(&self) -> f32 {
        self.weight.get()
    }

    /// Index of the **point** (not the wedge).
    #[inline]
    pub const fn point_index(&self) -> i32 {
        self.point_index.get()
    }

    /// Index of the bone.
    #[inline]
    pub const fn bone_index(&self) -> i32 {
        self.bone_index.get()
    }
}

/// A vertex colour, one per wedge. Chunk `VERTEXCOLOR`, 4 bytes (ActorX reference, section 3.8).
///
/// Nearly all writers store red, green, blue, alpha; Epic's own exporters store blue first, and nothing in the file tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(transparent)]
pub struct Color([u8; 4]);

impl Color {
    /// Red, green, blue, alpha, as nearly all writers store them.
    #[inline]
    pub const fn rgba(self) -> [u8; 4] {
        self.0
    }

    /// Red, green, blue, alpha of a file by Epic's exporters for Max or Maya, which store blue first.
    #[inline]
    pub const fn rgba_from_epic(self) -> [u8; 4] {
        let [b, g, r, a] = self.0;
        [r, g, b, a]
    }
}

/// A morph target's name and number of deltas. Chunk `MRPHINFO`, 68 bytes (ActorX reference, section 3.11).
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct MorphInfo {
    name: Name<64>,
    vertex_count: I32,
}

const _: () = assert!(size_of::<MorphInfo>() == 68 && align_of::<MorphInfo>() == 1);

impl MorphInfo {
    /// The morph target's name.
    pub const fn name(&self) -> &Name<64> {
        &self.name
    }

    /// Number of deltas as stored; they follow those of the targets before it.
    pub const fn vertex_count(&self) -> i32 {
        self.vertex_count.get()
    }
}

/// How a morph target moves one point. Chunk `MRPHDATA`, 28 bytes (ActorX reference, section 3.11).
///
/// Unlike everything else in a mesh, these vectors are **not** mirrored in y.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct MorphDelta {
    position: Vec3,
    tangent_z: Vec3,
    point_index: I32,
}

const _: () = assert!(size_of::<MorphDelta>() == 28 && align_of::<MorphDelta>() == 1);

impl MorphDelta {
    /// What is added to the point's position, in file units, y not mirrored.
    #[inline]
    pub const fn position(&self) -> [f32; 3] {
        self.position.get()
    }

    /// What is added to the normal, y not mirrored.
    #[inline]
    pub const fn tangent_z(&self) -> [f32; 3] {
        self.tangent_z.get()
    }

    /// Index of the point.
    #[inline]
    pub const fn point_index(&self) -> i32 {
        self.point_index.get()
    }
}

/// An attachment socket. Chunk `SKELSOCK`, 164 bytes (ActorX reference, section 3.12). Not mirrored.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct Socket {
    name: Name<64>,
    bone_name: Name<64>,
    location: Vec3,
    pitch: F32,
    yaw: F32,
    roll: F32,
    scale: Vec3,
}

const _: () = assert!(size_of::<Socket>() == 164 && align_of::<Socket>() == 1);

impl Socket {
    /// The socket's name.
    pub const fn name(&self) -> &Name<64> {
        &self.name
    }

    /// Name of the bone it hangs on; empty for static meshes.
    pub const fn bone_name(&self) -> &Name<64> {
        &self.bone_name
    }

    /// Location relative to the bone, in file units.
    pub const fn location(&self) -> [f32; 3] {
        self.location.get()
    }

    /// Pitch, yaw and roll relative to the bone, in degrees.
    pub const fn pitch_yaw_roll(&self) -> [f32; 3] {
        [self.pitch.get(), self.yaw.get(), self.roll.get()]
    }

    /// Scale relative to the bone.
    pub const fn scale(&self) -> [f32; 3] {
        self.scale.get()
    }
}

/// A sequence's entry in an animation. Chunk `ANIMINFO`, 168 bytes (ActorX reference, section 4.1).
///
/// Raw: [`Sequence`](super::Sequence) gives the frames in their meaning.
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct AnimInfo {
    name: Name<64>,
    group: Name<64>,
    total_bones: I32,
    root_include: I32,
    key_compression_style: I32,
    key_quotum: I32,
    key_reduction: F32,
    track_time: F32,
    rate: F32,
    start_bone: I32,
    first_raw_frame: I32,
    raw_frame_count: I32,
}

const _: () = assert!(size_of::<AnimInfo>() == 168 && align_of::<AnimInfo>() == 1);

impl AnimInfo {
    /// The sequence's name.
    pub const fn name(&self) -> &Name<64> {
        &self.name
    }

    /// The group's name, `None` in every file seen.
    pub const fn group(&self) -> &Name<64> {
        &self.group
    }

    /// Number of bones as stored; the bone chunk is what counts.
    pub const fn total_bones(&self) -> i32 {
        self.total_bones.get()
    }

    /// 1 where the sequence has scale keys, by Epic's convention; other writers set it at random.
    #[inline]
    pub const fn root_include(&self) -> i32 {
        self.root_include.get()
    }

    /// Key compression, 0.
    pub const fn key_compression_style(&self) -> i32 {
        self.key_compression_style.get()
    }

    /// Number of keys as stored: frames times bones.
    pub const fn key_quotum(&self) -> i32 {
        self.key_quotum.get()
    }

    /// Key reduction, 0 or 1.
    pub const fn key_reduction(&self) -> f32 {
        self.key_reduction.get()
    }

    /// Frames or seconds, depending on the writer: not to be used. See [`Sequence::duration`](super::Sequence::duration).
    pub const fn track_time(&self) -> f32 {
        self.track_time.get()
    }

    /// Frames per second.
    #[inline]
    pub const fn rate(&self) -> f32 {
        self.rate.get()
    }

    /// First bone, 0.
    pub const fn start_bone(&self) -> i32 {
        self.start_bone.get()
    }

    /// First frame as stored, wrong from one old writer. See [`Sequence::first_frame`](super::Sequence::first_frame).
    #[inline]
    pub const fn first_raw_frame(&self) -> i32 {
        self.first_raw_frame.get()
    }

    /// Number of frames as stored.
    #[inline]
    pub const fn raw_frame_count(&self) -> i32 {
        self.raw_frame_count.get()
    }

    /// Number of frames, with a negative one read as none.
    #[inline]
    pub fn frames(&self) -> u32 {
        u32::try_from(self.raw_frame_count()).unwrap_or(0)
    }
}

/// One bone in one frame. Chunk `ANIMKEYS`, 32 bytes, frame after frame (ActorX reference, section 4.2).
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct AnimKey {
    position: Vec3,
    rotation: Vec4,
    time: F32,
}

const _: () = assert!(size_of::<AnimKey>() == 32 && align_of::<AnimKey>() == 1);

impl AnimKey {
    /// Position relative to the parent bone, in file units.
    #[inline]
    pub const fn position(&self) -> [f32; 3] {
        self.position.get()
    }

    /// Rotation relative to the parent bone, x, y, z, w as stored; see
    /// [`space::local_rotation`](super::space::local_rotation).
    #[inline]
    pub const fn rotation(&self) -> [f32; 4] {
        self.rotation.get()
    }

    /// Time as stored: 1, seconds per frame or 0, depending on the writer. Keys are evenly spaced at the sequence's rate.
    #[inline]
    pub const fn time(&self) -> f32 {
        self.time.get()
    }
}

/// One bone's scale in one frame. Chunk `SCALEKEYS`, 16 bytes (ActorX reference, section 4.3).
#[derive(Clone, Copy, Debug, FromBytes, IntoBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub struct ScaleKey {
    scale: Vec3,
    time: F32,
}

const _: () = assert!(size_of::<ScaleKey>() == 16 && align_of::<ScaleKey>() == 1);

impl ScaleKey {
    /// Scale along x, y and z.
    #[inline]
    pub const fn scale(&self) -> [f32; 3] {
        self.scale.get()
    }

    /// Time as stored, of no meaning.
    #[inline]
    pub const fn time(&self) -> f32 {
        self.time.get()
    }
}
