//! Skinning of a mesh of any family: data prepared once for a mesh, and results for each pose.

use alloc::vec::Vec;

use super::hierarchy::Hierarchy;
use super::influences::Influences;
use super::maths::{dot, inverse, normalized, product};
use super::matrix::{IDENTITY, Matrix};
use super::mesh::{Mesh, Rest};
use super::skeleton::Skeleton;
use super::space::Change;
use super::transform::Transform;
use crate::bytes::Vec3;
use crate::report::{Error, ErrorKind, Section};

/// A mesh prepared for skinning: the order of its bones, the inverse of its bind pose and the table of influences.
///
/// Made once for a mesh; nothing allocates afterwards. It does not borrow the file, so it can be stored beside an
/// [`AssetBuf`](crate::AssetBuf).
///
/// ```
/// use skelmap::{Asset, model::{Binding, Bounds, IDENTITY, Skin, Transform, Wrap}};
///
/// let (mesh, animation) =
///     (std::fs::read("tests/corpus/actorx/mesh/classic.psk")?, std::fs::read("tests/corpus/actorx/anim/classic.psa")?);
/// let (mesh, animation) = (Asset::parse(&mesh)?, Asset::parse(&animation)?);
/// let mesh = mesh.mesh().ok_or("no mesh")?;
/// let clip = animation.clips().next().ok_or("no clip")?;
/// // Once:
/// let (skin, binding) = (Skin::new(&mesh, 4)?, Binding::new(&mesh, &clip));
/// let mut pose = vec![Transform::IDENTITY; mesh.bone_count()];
/// let mut matrices = vec![IDENTITY; skin.matrix_count()];
/// let mut positions = vec![[0.0; 3]; mesh.point_count()];
/// // For each time:
/// binding.sample(&clip, 0.05, Wrap::Clamp, &mut pose)?;
/// skin.matrices(&pose, &mut matrices)?;
/// skin.positions(&mesh, &matrices, &mut positions)?;
/// println!("{:?}", Bounds::of(positions));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Skin {
    hierarchy: Hierarchy,
    bind: Vec<Transform>,
    /// From points in the space of the mesh to the space of each bone.
    inverse_bind: Vec<Matrix>,
    /// From stored points to the space of each bone.
    to_bones: Vec<Matrix>,
    /// From stored points to the space of the mesh.
    of_model: Matrix,
    influences: Influences,
    /// Positions and normals in model space, if the file stores others.
    rest: Option<Rest>,
    points: usize,
}

const SKIN: Section = Section::named("skinning");

/// The model matrix of each bone at rest. O(bones).
pub(super) fn rest_matrices(skeleton: &Skeleton<'_>) -> Vec<Matrix> {
    let bind: Vec<_> = skeleton.bones().map(|bone| bone.rest()).collect();
    let mut out = alloc::vec![IDENTITY; bind.len()];
    Hierarchy::new(skeleton).write(&bind, &mut out);
    out
}

impl Skin {
    /// Prepares a mesh with at most `influences` influences for each point. O(bones + influences * log influences).
    ///
    /// A bind transform that flattens space has no inverse; the identity replaces it.
    ///
    /// # Errors
    /// A Pyrogenesis mesh of version 1 or 2 with a vertex whose bone does not exist.
    pub fn new(mesh: &Mesh<'_>, influences: usize) -> Result<Self, Error> {
        let (skeleton, change) = (mesh.skeleton(), mesh.change());
        let of_model = if change == Change::NONE { IDENTITY } else { change.to_matrix() };
        let inverse_bind: Vec<_> = rest_matrices(&skeleton).iter().map(inverse).collect();
        Ok(Self {
            hierarchy: Hierarchy::new(&skeleton),
            bind: skeleton.bones().map(|bone| bone.rest()).collect(),
            to_bones: inverse_bind.iter().map(|inverse| product(inverse, &of_model)).collect(),
            inverse_bind,
            of_model,
            influences: Influences::new(mesh, influences),
            rest: mesh.to_stored_rest()?,
            points: mesh.point_count(),
        })
    }

    /// Number of bones.
    pub fn bone_count(&self) -> usize {
        self.bind.len()
    }

    /// Number of matrices of a pose: one for each bone, and a last one for the model.
    pub fn matrix_count(&self) -> usize {
        self.bind.len().saturating_add(1)
    }

    /// The bind pose: a transform for each bone.
    pub fn bind_pose(&self) -> &[Transform] {
        &self.bind
    }

    /// For each bone, the matrix from points in the space of the mesh, as [`Mesh::position`] returns them, to the space of the
    /// bone at rest. [`matrices`](Skin::matrices) are those of stored points instead.
    pub fn inverse_bind(&self) -> &[Matrix] {
        &self.inverse_bind
    }

    /// The influences.
    pub const fn influences(&self) -> &Influences {
        &self.influences
    }

    /// The bones, each after its parent.
    pub const fn hierarchy(&self) -> &Hierarchy {
        &self.hierarchy
    }

    /// [`Hierarchy::model_matrices`] of the bones of the mesh.
    ///
    /// # Errors
    /// [`BufferSize`](crate::ErrorKind::BufferSize) if the pose does not have a transform for each bone, or `out` not a matrix for each.
    pub fn model_matrices(&self, pose: &[Transform], out: &mut [Matrix]) -> Result<(), Error> {
        self.hierarchy.model_matrices(pose, out)
    }

    /// The matrices that move stored points to a pose: one for each bone, and a last one for the model. O(bones), no
    /// allocation.
    ///
    /// They are for [`positions`](Skin::positions) and [`normals`](Skin::normals), which read the points of the file. The vertices of
    /// [`to_vertices`](Mesh::to_vertices), which may be in another space, are moved by [`Palette::matrices`](super::Palette::matrices).
    ///
    /// # Errors
    /// [`BufferSize`](crate::ErrorKind::BufferSize) if the pose does not have a transform for each bone, or `out` not
    /// [`matrix_count`](Skin::matrix_count) matrices.
    pub fn matrices(&self, pose: &[Transform], out: &mut [Matrix]) -> Result<(), Error> {
        check(pose.len(), self.bone_count())?;
        check(out.len(), self.matrix_count())?;
        self.hierarchy.write(pose, out);
        for (out, to_bone) in out.iter_mut().zip(&self.to_bones) {
            *out = product(out, to_bone);
        }
        out.last_mut().into_iter().for_each(|model| *model = self.of_model);
        Ok(())
    }

    /// The positions of all points in a pose, in the space of the mesh. `mesh` must be the mesh of [`new`](Skin::new).
    /// O(points), no allocation.
    ///
    /// # Errors
    /// [`BufferSize`](crate::ErrorKind::BufferSize) if there are not [`matrix_count`](Skin::matrix_count) matrices, or if `out` does not
    /// have one position for each point of the mesh.
    pub fn positions(&self, mesh: &Mesh<'_>, matrices: &[Matrix], out: &mut [[f32; 3]]) -> Result<(), Error> {
        self.check_points(mesh, matrices, out.len())?;
        match &self.rest {
            Some(rest) => self.skin(rest.iter().map(|(position, _)| *position), matrices, out, moved_point),
            None => self.skin(mesh.positions().stored().iter().map(Vec3::get), matrices, out, moved_point),
        }
        Ok(())
    }

    /// [`positions`](Skin::positions) of other points, such as those that a morph target has moved: as stored in the file, or
    /// as [`rest_positions`](Skin::rest_positions) returns them.
    ///
    /// # Errors
    /// Those of [`positions`](Skin::positions); `from` must have one position for each point.
    pub fn positions_from(&self, from: &[[f32; 3]], matrices: &[Matrix], out: &mut [[f32; 3]]) -> Result<(), Error> {
        check(matrices.len(), self.matrix_count())?;
        check(from.len(), self.points)?;
        check(out.len(), self.points)?;
        self.skin(from.iter().copied(), matrices, out, moved_point);
        Ok(())
    }

    /// The positions that [`positions_from`](Skin::positions_from) moves: relative to the model, in the space of the file
    /// and before any pose. O(points), no allocation.
    ///
    /// # Errors
    /// [`BufferSize`](crate::ErrorKind::BufferSize) if `out` does not have one position for each point of the mesh.
    pub fn rest_positions(&self, mesh: &Mesh<'_>, out: &mut [[f32; 3]]) -> Result<(), Error> {
        check(mesh.point_count(), self.points)?;
        check(out.len(), self.points)?;
        match &self.rest {
            Some(rest) => out.iter_mut().zip(rest).for_each(|(out, (position, _))| *out = *position),
            None => out.iter_mut().zip(mesh.positions().stored()).for_each(|(out, position)| *out = position.get()),
        }
        Ok(())
    }

    /// The normals of all points in a pose, of unit length, in the space of the mesh. O(points), no allocation.
    ///
    /// Normals move as points do, without the translation: exact unless a bone has a different scale per axis. A normal without
    /// length has no direction: its components are not finite. For a mesh without normals, as most PSKs are, `out` is not changed, and the
    /// result is `false`: [`PosedPoints::in_pose`](super::PosedPoints::in_pose) and [`Vertices::of_points`](super::Vertices::of_points) compute
    /// normals in a pose.
    ///
    /// # Errors
    /// Those of [`positions`](Skin::positions).
    pub fn normals(&self, mesh: &Mesh<'_>, matrices: &[Matrix], out: &mut [[f32; 3]]) -> Result<bool, Error> {
        self.check_points(mesh, matrices, out.len())?;
        match (&self.rest, mesh.normals()) {
            (Some(rest), _) => self.skin(rest.iter().map(|(_, normal)| *normal), matrices, out, moved_normal),
            (None, Some(normals)) => self.skin(normals.stored().iter().map(Vec3::get), matrices, out, moved_normal),
            (None, None) => return Ok(false),
        }
        for normal in out {
            *normal = unit(*normal);
        }
        Ok(true)
    }

    /// Moves points by the bones of their rows.
    fn skin(
        &self,
        points: impl Iterator<Item = [f32; 3]>,
        matrices: &[Matrix],
        out: &mut [[f32; 3]],
        moved: impl Fn(Columns, [f32; 3]) -> Lanes,
    ) {
        match self.influences.width() {
            4 => self.skin_rows(points, out, moved, |bones, weights| sum_of_four(bones, weights, matrices)),
            _ => self.skin_rows(points, out, moved, |bones, weights| Some(sum_of(bones, weights, matrices))),
        }
    }

    /// [`skin`](Skin::skin) with the matrix of each row.
    ///
    /// Each result is written as four floats, and the next point overwrites the last of them: then the compiler keeps the
    /// columns of matrices in vectors.
    #[inline]
    fn skin_rows(
        &self,
        points: impl Iterator<Item = [f32; 3]>,
        out: &mut [[f32; 3]],
        moved: impl Fn(Columns, [f32; 3]) -> Lanes,
        matrix: impl Fn(&[u16], &[f32]) -> Option<Columns>,
    ) {
        let (bones, weights, width) = (self.influences.bones(), self.influences.weights(), self.influences.width());
        let rows = bones.chunks_exact(width).zip(weights.chunks_exact(width));
        let mut left = out.as_flattened_mut();
        for (point, (bones, weights)) in points.zip(rows) {
            let Some(matrix) = matrix(bones, weights) else { continue };
            let lanes = moved(matrix, point);
            let Some(four) = left.first_chunk_mut() else {
                // The last point.
                left.iter_mut().zip(lanes).for_each(|(out, value)| *out = value);
                break;
            };
            *four = lanes;
            left = core::mem::take(&mut left).get_mut(3..).unwrap_or_default();
        }
    }

    fn check_points(&self, mesh: &Mesh<'_>, matrices: &[Matrix], given: usize) -> Result<(), Error> {
        check(matrices.len(), self.matrix_count())?;
        check(mesh.point_count(), self.points)?;
        check(given, self.points)
    }
}

fn check(given: usize, needed: usize) -> Result<(), Error> {
    ErrorKind::check_buffer(given, needed).map_err(|kind| Error::new(kind, SKIN, 0))
}

/// A vector of length 1. A vector whose square leaves the range of a float is scaled first.
#[inline]
fn unit(vector: [f32; 3]) -> [f32; 3] {
    if dot(vector, vector).is_normal() {
        return normalized(vector);
    }
    let largest = vector.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
    normalized(vector.map(|value| value / largest))
}

/// A column of a matrix, and four of them.
type Lanes = [f32; 4];
type Columns = [Lanes; 4];

#[inline]
fn columns(matrix: &Matrix) -> Columns {
    let [a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3] = *matrix;
    [[a0, a1, a2, a3], [b0, b1, b2, b3], [c0, c1, c2, c3], [d0, d1, d2, d3]]
}

#[inline]
fn scaled(lanes: Lanes, factor: f32) -> Lanes {
    lanes.map(|value| value * factor)
}

#[inline]
fn added([a0, a1, a2, a3]: Lanes, [b0, b1, b2, b3]: Lanes) -> Lanes {
    [a0 + b0, a1 + b1, a2 + b2, a3 + b3]
}

/// The weighted sum of the matrices of a row.
#[inline]
fn sum_of(bones: &[u16], weights: &[f32], matrices: &[Matrix]) -> Columns {
    let mut sum = [[0.0; 4]; 4];
    for (bone, weight) in bones.iter().zip(weights) {
        let Some(matrix) = matrices.get(usize::from(*bone)) else { continue };
        for (sum, column) in sum.iter_mut().zip(columns(matrix)) {
            *sum = added(*sum, scaled(column, *weight));
        }
    }
    sum
}

/// [`sum_of`] for rows of four, in a form that the compiler vectorises. The table only names bones that exist.
#[expect(clippy::inline_always, reason = "a call would pass the columns through memory")]
#[inline(always)]
fn sum_of_four(bones: &[u16], weights: &[f32], matrices: &[Matrix]) -> Option<Columns> {
    let (&[a, b, c, d], &[p, q, r, s]) = (bones.first_chunk()?, weights.first_chunk()?);
    let matrix = |bone: u16| matrices.get(usize::from(bone)).map(columns);
    let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (matrix(a)?, matrix(b)?);
    let ([c0, c1, c2, c3], [d0, d1, d2, d3]) = (matrix(c)?, matrix(d)?);
    let sum = |a, b, c, d| added(added(added(scaled(a, p), scaled(b, q)), scaled(c, r)), scaled(d, s));
    Some([sum(a0, b0, c0, d0), sum(a1, b1, c1, d1), sum(a2, b2, c2, d2), sum(a3, b3, c3, d3)])
}

/// A point moved by a matrix.
#[inline]
fn moved_point([a, b, c, d]: Columns, [x, y, z]: [f32; 3]) -> Lanes {
    // The translation comes first: a sum of two products makes the compiler mix their lanes.
    added(added(added(d, scaled(a, x)), scaled(b, y)), scaled(c, z))
}

/// A normal rotated by a matrix.
#[inline]
fn moved_normal([a, b, c, _]: Columns, normal: [f32; 3]) -> Lanes {
    moved_point([a, b, c, [0.0; 4]], normal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_whose_square_is_lost_gets_unit_length_too() {
        for size in [1e-38_f32, 1e-30, 1e-3, 1.0, 1e30] {
            let found = unit([3.0 * size, -4.0 * size, 0.0]);
            assert!(found.iter().zip([0.6, -0.8, 0.0]).all(|(own, expected)| (own - expected).abs() < 1e-6), "{size}");
        }
        assert!(unit([0.0; 3]).iter().all(|value| value.is_nan()), "without a direction");
    }
}
