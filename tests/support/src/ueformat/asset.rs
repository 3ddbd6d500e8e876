//! The contents of a UEFormat file as plain numbers: the builder writes it, and the naive reader returns it.
//!
//! Where a version stores no name or path, it is empty; where it stores no sign, the sign is 0, and no scale is 1.

/// A name as the file stores it: bytes that should be UTF-8.
pub type Name = Vec<u8>;
pub type Vector = [f32; 3];
/// x, y, z, w.
pub type Rotation = [f32; 4];

pub const IDENTITY: Rotation = [0.0, 0.0, 0.0, 1.0];
pub const ONE: Vector = [1.0; 3];

/// The first version in which values are in Unreal's own space.
pub const FIRST_UNMIRRORED: u8 = 8;
/// The version of attribute sets, and the newest.
pub const NEWEST: u8 = 10;

#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    Model(Model),
    Animation(Animation),
    Pose(Pose),
}

/// A `.uemodel`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    pub lods: Vec<Lod>,
    /// `None` for a static mesh.
    pub skeleton: Option<Skeleton>,
    pub hulls: Vec<Hull>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lod {
    pub name: Name,
    pub vertices: Vec<Vector>,
    /// The sign of the binormal, then x, y, z.
    pub normals: Vec<[f32; 4]>,
    pub tangents: Vec<Vector>,
    pub uvs: Vec<UvSet>,
    pub indices: Vec<u32>,
    pub colours: Vec<ColourSet>,
    pub materials: Vec<Material>,
    pub weights: Vec<Weight>,
    pub morphs: Vec<Morph>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct UvSet {
    pub name: Name,
    pub uvs: Vec<[f32; 2]>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ColourSet {
    pub name: Name,
    /// Red, green, blue, alpha.
    pub colours: Vec<[u8; 4]>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    pub name: Name,
    pub path: Name,
    pub first_index: i32,
    pub face_count: i32,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weight {
    pub bone: u16,
    pub vertex: i32,
    pub weight: f32,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Morph {
    pub name: Name,
    pub deltas: Vec<Delta>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Delta {
    pub position: Vector,
    pub normal: Vector,
    pub vertex: u32,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    pub path: Name,
    pub bones: Vec<Bone>,
    pub sockets: Vec<Socket>,
    /// Source, target, and the name of the virtual bone.
    pub virtual_bones: Vec<[Name; 3]>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    pub name: Name,
    /// -1 for a root.
    pub parent: i32,
    pub position: Vector,
    pub rotation: Rotation,
    pub scale: Vector,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Socket {
    pub name: Name,
    pub bone: Name,
    pub position: Vector,
    pub rotation: Rotation,
    pub scale: Vector,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hull {
    pub name: Name,
    pub vertices: Vec<Vector>,
    pub indices: Vec<i32>,
}

/// A `.ueanim`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animation {
    pub metadata: Option<Metadata>,
    pub tracks: Vec<Track>,
    pub curves: Vec<Curve>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    pub frame_count: i32,
    pub rate: f32,
    /// The path of the reference pose. Before version 7 the file has only the two numbers above.
    pub path: Name,
    pub additive: u8,
    pub base: u8,
    pub base_frame: i32,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    pub name: Name,
    pub positions: Vec<(i32, Vector)>,
    pub rotations: Vec<(i32, Rotation)>,
    pub scales: Vec<(i32, Vector)>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    pub name: Name,
    pub keys: Vec<(i32, f32)>,
}

/// A `.uepose`: a list of poses without time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pose {
    pub poses: Vec<NamedPose>,
    pub curves: Vec<Name>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct NamedPose {
    pub name: Name,
    pub keys: Vec<PoseKey>,
    /// Place of the curve in [`Pose::curves`], and how much of it.
    pub influences: Vec<(i32, f32)>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PoseKey {
    pub bone: Name,
    pub position: Vector,
    pub rotation: Rotation,
    pub scale: Vector,
}

impl Bone {
    pub fn new(name: impl AsRef<[u8]>, parent: i32, position: Vector, rotation: Rotation) -> Self {
        Self { name: name.as_ref().to_vec(), parent, position, rotation, scale: ONE }
    }
}

impl Socket {
    pub fn new(name: impl AsRef<[u8]>, bone: impl AsRef<[u8]>, position: Vector) -> Self {
        let (name, bone) = (name.as_ref().to_vec(), bone.as_ref().to_vec());
        Self { name, bone, position, rotation: IDENTITY, scale: ONE }
    }
}

impl Material {
    pub fn new(name: impl AsRef<[u8]>, path: impl AsRef<[u8]>, first_index: i32, face_count: i32) -> Self {
        Self { name: name.as_ref().to_vec(), path: path.as_ref().to_vec(), first_index, face_count }
    }
}

impl Content {
    /// The other reading of the space: from Unreal's to that of versions before 8, or back. The two rules are one rule.
    ///
    /// Scales of tracks are not mirrored; scales of sockets are (ueformat.md 4).
    #[must_use]
    pub fn mirrored(mut self) -> Self {
        match &mut self {
            Self::Model(model) => model.mirror(),
            Self::Animation(animation) => animation.tracks.iter_mut().for_each(Track::mirror),
            // Poses exist since version 9.
            Self::Pose(_) => {}
        }
        self
    }
}

fn negate_y(vector: &mut Vector) {
    vector[1] = -vector[1];
}

/// x, -y, z, -w.
fn mirror_rotation(rotation: &mut Rotation) {
    rotation[1] = -rotation[1];
    rotation[3] = -rotation[3];
}

impl Model {
    fn mirror(&mut self) {
        for lod in &mut self.lods {
            lod.vertices.iter_mut().for_each(negate_y);
            // The sign comes first.
            lod.normals.iter_mut().for_each(|normal| normal[2] = -normal[2]);
            lod.tangents.iter_mut().for_each(negate_y);
            for uv in lod.uvs.iter_mut().flat_map(|set| &mut set.uvs) {
                uv[1] = 1.0 - uv[1];
            }
            for delta in lod.morphs.iter_mut().flat_map(|morph| &mut morph.deltas) {
                negate_y(&mut delta.position);
                negate_y(&mut delta.normal);
            }
        }
        if let Some(skeleton) = &mut self.skeleton {
            for bone in &mut skeleton.bones {
                negate_y(&mut bone.position);
                mirror_rotation(&mut bone.rotation);
            }
            for socket in &mut skeleton.sockets {
                negate_y(&mut socket.position);
                mirror_rotation(&mut socket.rotation);
                negate_y(&mut socket.scale);
            }
        }
        self.hulls.iter_mut().flat_map(|hull| &mut hull.vertices).for_each(negate_y);
    }

    /// The parts that a version stores, as it stores them; `has_scale` is asked of version 10 only.
    #[must_use]
    pub fn stored(&self, version: u8, has_scale: bool) -> Self {
        let mut own = self.clone();
        if version < FIRST_UNMIRRORED {
            own.mirror();
        }
        if version < 4 {
            own.lods.truncate(1);
            own.lods.iter_mut().for_each(|lod| lod.name.clear());
        }
        for lod in &mut own.lods {
            if version < NEWEST {
                lod.uvs.iter_mut().for_each(|set| set.name.clear());
            }
            if version < 6 {
                lod.materials.iter_mut().for_each(|material| material.path.clear());
            }
            if version < 2 {
                lod.colours.truncate(1);
                lod.colours.iter_mut().for_each(|set| set.name.clear());
            }
            if version < 1 {
                lod.normals.iter_mut().for_each(|normal| normal[0] = 0.0);
            }
        }
        if version < 3 {
            own.hulls.clear();
        }
        if let Some(skeleton) = &mut own.skeleton {
            if version < 7 {
                skeleton.path.clear();
            }
            if version < 5 {
                skeleton.virtual_bones.clear();
            }
            if version < NEWEST || !has_scale {
                skeleton.bones.iter_mut().for_each(|bone| bone.scale = ONE);
            }
        }
        own
    }
}

impl Track {
    fn mirror(&mut self) {
        self.positions.iter_mut().for_each(|(_, position)| negate_y(position));
        self.rotations.iter_mut().for_each(|(_, rotation)| mirror_rotation(rotation));
    }
}

impl Animation {
    /// The parts that a version stores, as it stores them.
    #[must_use]
    pub fn stored(&self, version: u8) -> Self {
        let mut own = self.clone();
        if version < FIRST_UNMIRRORED {
            own.tracks.iter_mut().for_each(Track::mirror);
        }
        if version < 7 {
            let old = own.metadata.unwrap_or_default();
            let Metadata { frame_count, rate, .. } = old;
            own.metadata = Some(Metadata { frame_count, rate, ..Metadata::default() });
        }
        own
    }
}
