//! A mesh in the space of the game, checked and written.

use std::io::Write;

use skelmap::pyrogenesis::{Blend, BoneState, Header, NO_BONE, PropTransform, Triangle};
use skelmap::shared::{to_u32, to_usize};
use skelmap::{Vec2, Vec3};

use super::PyrogenesisError;

/// The maximum number of vertices. Indices have 16 bits, and graphics interfaces reserve the last.
pub const MAX_VERTICES: usize = 65_535;

/// The maximum number of bones that the game draws. Before release 28 it was 63.
pub const MAX_BONES: usize = 191;

/// The version of meshes: with any number of UV sets.
const VERSION: u32 = 4;

/// The maximum number of triangles, which keeps a file far below the 4 GiB that its header can state.
const MAX_TRIANGLES: usize = 1 << 24;

/// The maximum length of the name of a prop point, in bytes.
const MAX_NAME: usize = 255;

/// The maximum number of UV sets and prop points. The game uses two sets; its models have at most some 50 prop points.
const MAX_UV_SETS: usize = 8;
const MAX_PROPS: usize = 4096;

/// A mesh in the space of the game: left-handed, y up, metres, v = 0 at the bottom of the image. All arrays of vertices have one element for each.
///
/// ```
/// use skelmap::pyrogenesis::{Blend, Pmd};
/// use skelmap_write::pyrogenesis::MeshParts;
///
/// let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let mut parts = MeshParts::default();
/// (parts.positions, parts.normals) = (&positions, &[[0.0, 0.0, -1.0]; 3]);
/// parts.triangles = &[[0, 1, 2]];
/// let mut file = Vec::new();
/// parts.write(&mut file)?;
/// assert_eq!(Pmd::parse(&file)?.vertices().len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct MeshParts<'p> {
    /// Positions.
    pub positions: &'p [[f32; 3]],
    /// Normals of unit length.
    pub normals: &'p [[f32; 3]],
    /// For each set: texture coordinates.
    pub uvs: &'p [Vec<[f32; 2]>],
    /// The bones that move each vertex. Empty for a mesh without bones.
    pub blends: &'p [Blend],
    /// The triangles: indices of vertices.
    pub triangles: &'p [[u32; 3]],
    /// The bones in their bind pose.
    pub bones: &'p [BoneState],
    /// The prop points. The game expects `root` first.
    pub props: &'p [Prop],
}

/// A prop point.
#[derive(Clone, Debug)]
#[expect(clippy::exhaustive_structs, reason = "callers make them")]
pub struct Prop {
    /// The name.
    pub name: String,
    /// The transform, and the bone.
    pub transform: PropTransform,
}

/// How many elements a mesh has: for programs that check this before they make the arrays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "callers make them")]
pub struct MeshCounts {
    /// Vertices.
    pub vertices: usize,
    /// Triangles.
    pub triangles: usize,
    /// Bones.
    pub bones: usize,
    /// UV sets.
    pub uv_sets: usize,
    /// Prop points.
    pub props: usize,
}

impl MeshCounts {
    /// Checks the limits of the format and of the game. O(1).
    ///
    /// # Errors
    /// [`PyrogenesisError::TooMany`].
    pub fn check(&self) -> Result<(), PyrogenesisError> {
        let limits = [
            (self.vertices, "vertices", MAX_VERTICES),
            (self.bones, "bones", MAX_BONES),
            (self.uv_sets, "UV sets", MAX_UV_SETS),
            (self.props, "prop points", MAX_PROPS),
            (self.triangles, "triangles", MAX_TRIANGLES),
        ];
        match limits.into_iter().find(|(count, _, limit)| count > limit) {
            Some((count, what, limit)) => Err(PyrogenesisError::TooMany { count, what, limit }),
            None => Ok(()),
        }
    }
}

impl MeshParts<'_> {
    /// Checks what the format and the game can hold. O(parts).
    ///
    /// # Errors
    /// [`PyrogenesisError`].
    pub fn check(&self) -> Result<(), PyrogenesisError> {
        let vertices = self.positions.len();
        let counts = MeshCounts {
            vertices,
            triangles: self.triangles.len(),
            bones: self.bones.len(),
            uv_sets: self.uvs.len(),
            props: self.props.len(),
        };
        counts.check()?;
        let lengths = std::iter::once(("the list of normals", self.normals.len()))
            .chain(self.uvs.iter().map(|uvs| ("a UV set", uvs.len())))
            .chain((!self.blends.is_empty()).then_some(("the list of blends", self.blends.len())));
        for (what, count) in lengths {
            if count != vertices {
                return Err(PyrogenesisError::Length { what, count, expected: vertices });
            }
        }
        self.check_numbers()?;
        self.check_indices()
    }

    fn check_numbers(&self) -> Result<(), PyrogenesisError> {
        for (index, (position, normal)) in self.positions.iter().zip(self.normals).enumerate() {
            let uvs = self.uvs.iter().filter_map(|uvs| uvs.get(index)).flatten().copied();
            let weights = self.blends.get(index).map(Blend::weights).unwrap_or_default();
            let all = position.iter().chain(normal).copied().chain(uvs).chain(weights);
            check_finite(all, "vertex", index)?;
        }
        for (index, bone) in self.bones.iter().enumerate() {
            check_finite(bone.translation().into_iter().chain(bone.rotation()), "bone", index)?;
        }
        for (index, prop) in self.props.iter().enumerate() {
            let transform = prop.transform;
            check_finite(transform.translation().into_iter().chain(transform.rotation()), "prop point", index)?;
        }
        Ok(())
    }

    fn check_indices(&self) -> Result<(), PyrogenesisError> {
        let missing = |what, index, named: usize, count| Err(PyrogenesisError::Missing { what, index, named, count });
        for (index, triangle) in self.triangles.iter().enumerate() {
            for vertex in triangle.map(|vertex| to_usize(vertex.into())) {
                if vertex >= self.positions.len() {
                    return missing("triangle", index, vertex, self.positions.len());
                }
            }
        }
        for (index, blend) in self.blends.iter().enumerate() {
            // The number of bones stands for the model itself.
            for (bone, _) in blend.influences() {
                if usize::from(bone) > self.bones.len() {
                    return missing("vertex", index, bone.into(), self.bones.len());
                }
            }
        }
        for (index, prop) in self.props.iter().enumerate() {
            if let Some(bone) = prop.transform.bone().filter(|bone| usize::from(*bone) >= self.bones.len()) {
                return missing("prop point", index, bone.into(), self.bones.len());
            }
            if prop.name.len() > MAX_NAME {
                return Err(PyrogenesisError::TooMany {
                    count: prop.name.len(),
                    what: "bytes in the name of a prop point",
                    limit: MAX_NAME,
                });
            }
        }
        Ok(())
    }

    /// Checks the mesh, then writes it as version 4. Equal parts give equal bytes. O(parts); nothing is written after a failed check.
    ///
    /// # Errors
    /// [`PyrogenesisError`].
    pub fn write(&self, out: &mut impl Write) -> Result<(), PyrogenesisError> {
        self.check()?;
        let mut payload = Vec::new();
        let bytes = &mut payload;
        add_count(bytes, self.positions.len());
        add_count(bytes, self.uvs.len());
        let unmoved = static_blend();
        for (vertex, (position, normal)) in self.positions.iter().zip(self.normals).enumerate() {
            add(bytes, &Vec3::new(*position));
            add(bytes, &Vec3::new(*normal));
            for uvs in self.uvs {
                add(bytes, &Vec2::new(uvs.get(vertex).copied().unwrap_or_default()));
            }
            bytes.extend(self.blends.get(vertex).unwrap_or(&unmoved).as_bytes());
        }
        add_count(bytes, self.triangles.len());
        for triangle in self.triangles {
            add(bytes, &Triangle::new(triangle.map(|vertex| u16::try_from(vertex).unwrap_or_default())));
        }
        add_count(bytes, self.bones.len());
        self.bones.iter().for_each(|bone| bytes.extend(bone.as_bytes()));
        add_count(bytes, self.props.len());
        for Prop { name, transform } in self.props {
            add_count(bytes, name.len());
            bytes.extend(name.as_bytes());
            bytes.extend(transform.as_bytes());
        }
        out.write_all(header(*b"PSMD", VERSION, payload.len()).as_bytes())?;
        Ok(out.write_all(&payload)?)
    }
}

/// The influences of a vertex of a mesh without bones.
pub(super) fn static_blend() -> Blend {
    Blend::default().with_bones([NO_BONE; 4])
}

/// Checks the numbers of an element.
fn check_finite(
    mut values: impl Iterator<Item = f32>,
    what: &'static str,
    index: usize,
) -> Result<(), PyrogenesisError> {
    if values.all(f32::is_finite) { Ok(()) } else { Err(PyrogenesisError::NotFinite { what, index }) }
}

/// Checks that a rotation has unit length, as `skelmap check` does. One with a number that is not finite is for another check.
pub(super) fn check_rotation(rotation: [f32; 4], what: &'static str, index: usize) -> Result<(), PyrogenesisError> {
    const MAX_ERROR: f32 = 0.01;
    let squared: f32 = rotation.iter().map(|value| value * value).sum();
    if squared.is_nan() || (squared - 1.0).abs() <= MAX_ERROR {
        return Ok(());
    }
    Err(PyrogenesisError::Rotation { what, index, length: squared.sqrt() })
}

/// The header of a file. Callers have checked the size.
pub(super) fn header(magic: [u8; 4], version: u32, size: usize) -> Header {
    Header::default().with_magic(magic).with_version(version).with_data_size(to_u32(size))
}

fn add(bytes: &mut Vec<u8>, record: &(impl zerocopy::IntoBytes + zerocopy::Immutable)) {
    bytes.extend(record.as_bytes());
}

fn add_count(bytes: &mut Vec<u8>, count: usize) {
    bytes.extend(to_u32(count).to_le_bytes());
}
