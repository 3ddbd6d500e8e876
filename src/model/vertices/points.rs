//! Positions and normals of the points of a mesh: at rest, or in a pose.

use alloc::{vec, vec::Vec};

use super::to_usize;
use crate::model::maths::{NO_TURN, Rotation, turned};
use crate::model::{Matrix, Mesh, Skin};
use crate::report::Error;

/// Positions and normals of the points of a mesh: at rest, or in a pose. [`Vertices::of_points`](super::Vertices::of_points) takes them.
///
/// ```
/// use skelmap::{Asset, model::{IDENTITY, PosedPoints, Skin, VertexOptions, Vertices}};
///
/// let bytes = std::fs::read("corpus/fox.psk")?;
/// let mesh = Asset::parse(&bytes)?.mesh().ok_or("no mesh")?;
/// let skin = Skin::new(&mesh, 4)?;
/// let mut matrices = vec![IDENTITY; skin.matrix_count()];
/// skin.matrices(skin.bind_pose(), &mut matrices)?; // or a pose of a `Binding`
/// let points = PosedPoints::in_pose(&mesh, &skin, &matrices)?;
/// let vertices = Vertices::of_points(&mesh, &points, &VertexOptions::default())?;
/// assert_eq!(vertices.positions.len(), vertices.normals.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PosedPoints {
    positions: Vec<[f32; 3]>,
    /// Of any length; empty for a mesh without normals.
    normals: Vec<[f32; 3]>,
}

impl PosedPoints {
    /// The points at rest. O(points).
    ///
    /// # Errors
    /// A Pyrogenesis mesh of version 1 or 2 with a vertex whose bone does not exist.
    pub fn at_rest(mesh: &Mesh<'_>) -> Result<Self, Error> {
        Ok(match mesh.to_rest()? {
            Some(rest) => {
                let (positions, normals) = rest.into_iter().unzip();
                Self { positions, normals }
            }
            None => Self {
                positions: mesh.positions().iter().collect(),
                normals: (0..mesh.point_count()).map_while(|point| mesh.normal(point)).collect(),
            },
        })
    }

    /// The points in a pose, given as the matrices of [`Skin::matrices`]. O(points).
    ///
    /// # Errors
    /// [`BufferSize`](crate::ErrorKind::BufferSize) if skin or matrices are not of this mesh.
    pub fn in_pose(mesh: &Mesh<'_>, skin: &Skin, matrices: &[Matrix]) -> Result<Self, Error> {
        let mut positions = vec![[0.0; 3]; mesh.point_count()];
        let mut normals = positions.clone();
        skin.positions(mesh, matrices, &mut positions)?;
        if !skin.normals(mesh, matrices, &mut normals)? {
            normals.clear();
        }
        Ok(Self { positions, normals })
    }

    /// The points, rotated about the origin by a quaternion x, y, z, w of unit length.
    #[must_use]
    pub fn rotated(mut self, rotation: Rotation) -> Self {
        if rotation != NO_TURN {
            self.positions.iter_mut().chain(&mut self.normals).for_each(|vector| *vector = turned(rotation, *vector));
        }
        self
    }

    /// The positions, one for each point of the mesh.
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.positions
    }

    /// The normals, of any length: one for each point of the mesh, or none.
    pub fn normals(&self) -> &[[f32; 3]] {
        &self.normals
    }

    /// The position of a vertex of the mesh.
    pub(super) fn position_of(&self, mesh: &Mesh<'_>, vertex: u32) -> [f32; 3] {
        let point = mesh.point_of(to_usize(vertex));
        point.and_then(|point| self.positions.get(point).copied()).unwrap_or_default()
    }
}
