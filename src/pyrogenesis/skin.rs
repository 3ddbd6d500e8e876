//! Skinning on the CPU, bit for bit as in the engine.

use super::codes;
use super::pmd::Pmd;
use super::pose::of_state;
use super::record::{Blend, NO_BONE};
use crate::bytes::to_u64;
use crate::model::maths::{normalized, product, rotated, transformed, translated};
use crate::model::{IDENTITY, Matrix, rotation_matrix};
use crate::report::{Error, ErrorKind, Section};

const SKIN: Section = Section::named("skinning");

/// A vertex after skinning. Plain floats: a slice can be uploaded directly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "bytemuck", derive(bytemuck::Pod, bytemuck::Zeroable))]
#[repr(C)]
pub struct SkinnedVertex {
    /// Position in model space.
    pub position: [f32; 3],
    /// Normal in model space.
    pub normal: [f32; 3],
}

impl Pmd<'_> {
    /// Number of matrices for [`skin`](Pmd::skin): one for each bone and one for the model.
    pub fn skin_matrix_count(&self) -> usize {
        self.bones().len().saturating_add(1)
    }

    /// The inverse of the bind pose, one matrix for each bone: computed once for a mesh, and used for every pose.
    ///
    /// Rotations are assumed to have unit length, as in the engine. O(bones), no allocation.
    ///
    /// # Errors
    /// [`ErrorKind::BufferSize`] if `out` does not have one matrix for each bone.
    pub fn inverse_bind_pose(&self, out: &mut [Matrix]) -> Result<(), Error> {
        self.check_buffer(out.len(), self.bones().len())?;
        for (matrix, state) in out.iter_mut().zip(self.bones()) {
            let ([x, y, z], [qx, qy, qz, qw]) = (state.translation(), state.rotation());
            let away = translated(IDENTITY, [-x, -y, -z]);
            *matrix = product(&rotation_matrix([-qx, -qy, -qz, qw]), &away);
        }
        Ok(())
    }

    /// The matrices from the bind pose to a pose: for each bone its pose times its inverse bind pose, and the identity for the
    /// model. O(bones), no allocation.
    ///
    /// # Errors
    /// [`ErrorKind::BoneCount`] if the pose has a different number of bones: the engine does not play such an animation on the
    /// mesh. [`ErrorKind::BufferSize`] if `inverse_bind` does not have one matrix for each bone, or `out` not
    /// [`skin_matrix_count`](Pmd::skin_matrix_count) matrices.
    pub fn skin_matrices(&self, pose: &[Matrix], inverse_bind: &[Matrix], out: &mut [Matrix]) -> Result<(), Error> {
        self.check_bone_count(pose.len())?;
        self.check_buffer(inverse_bind.len(), self.bones().len())?;
        self.check_buffer(out.len(), self.skin_matrix_count())?;
        for ((out, pose), inverse) in out.iter_mut().zip(pose).zip(inverse_bind) {
            *out = product(pose, inverse);
        }
        if let Some(model) = out.last_mut() {
            *model = IDENTITY;
        }
        Ok(())
    }

    /// Checks that the engine plays an animation with this number of bones on the mesh: both numbers must be equal. Animations
    /// of other skeletons may pass too (Pyrogenesis reference, section 2).
    ///
    /// # Errors
    /// [`ErrorKind::BoneCount`] if the numbers differ.
    pub fn check_bone_count(&self, bones: usize) -> Result<(), Error> {
        let mesh = self.bones().len();
        if bones == mesh {
            return Ok(());
        }
        let kind = ErrorKind::BoneCount { mesh: to_u64(mesh), animation: to_u64(bones) };
        Err(self.skin_error(kind))
    }

    /// Moves every vertex by its bones. O(vertices), no allocation.
    ///
    /// Vertices of a mesh without bones are not moved. A vertex with one bone uses the matrix of that bone, whatever the
    /// weight. A vertex with several bones uses the weighted sum of their matrices, and its normal is normalised (Pyrogenesis
    /// reference, section 3).
    ///
    /// ```
    /// use skelmap::pyrogenesis::{IDENTITY, Playback, Pmd, Psa, SkinnedVertex};
    ///
    /// let (mesh, animation) = (
    ///     std::fs::read("tests/corpus/pyrogenesis/pmd/skinned.pmd")?,
    ///     std::fs::read("tests/corpus/pyrogenesis/psa/walk.psa")?,
    /// );
    /// let (mesh, animation) = (Pmd::parse(&mesh)?, Psa::parse(&animation)?);
    /// mesh.check_bone_count(animation.bone_count())?;
    /// // Once for the mesh:
    /// let mut inverse_bind = vec![IDENTITY; mesh.bones().len()];
    /// mesh.inverse_bind_pose(&mut inverse_bind)?;
    /// // For each time:
    /// let mut pose = vec![IDENTITY; animation.bone_count()];
    /// let mut matrices = vec![IDENTITY; mesh.skin_matrix_count()];
    /// let mut vertices = vec![SkinnedVertex::default(); mesh.vertices().len()];
    /// animation.pose(250.0, Playback::Loop, &mut pose)?;
    /// mesh.skin_matrices(&pose, &inverse_bind, &mut matrices)?;
    /// mesh.skin(&matrices, &mut vertices)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`BIND_RELATIVE`](codes::BIND_RELATIVE) for a mesh of version 1 or 2 with bones: call
    /// [`to_model_space`](Pmd::to_model_space), then [`skin_rest`](Pmd::skin_rest). [`ErrorKind::BufferSize`] for a buffer of
    /// the wrong length. [`VERTEX_BONE`](codes::VERTEX_BONE) for a bone index above that of the model,
    /// [`VERTEX_UNWEIGHTED`](codes::VERTEX_UNWEIGHTED) for a vertex without a bone in a mesh with bones: there, the engine
    /// reads out of bounds. Vertices before the error are written.
    pub fn skin(&self, matrices: &[Matrix], out: &mut [SkinnedVertex]) -> Result<(), Error> {
        if self.is_bind_relative() {
            return Err(self.skin_error(codes::BIND_RELATIVE.with([])));
        }
        let vertices = self.vertices();
        self.check_buffer(out.len(), vertices.len())?;
        self.skin_each(
            vertices.iter().map(|vertex| (vertex.position(), vertex.normal(), vertex.blend())),
            matrices,
            out,
        )
    }

    /// [`skin`](Pmd::skin) for given rest positions, from [`to_model_space`](Pmd::to_model_space).
    ///
    /// # Errors
    /// Those of [`skin`](Pmd::skin) except `BIND_RELATIVE`.
    pub fn skin_rest(
        &self,
        rest: &[SkinnedVertex],
        matrices: &[Matrix],
        out: &mut [SkinnedVertex],
    ) -> Result<(), Error> {
        let vertices = self.vertices();
        self.check_buffer(rest.len(), vertices.len())?;
        self.check_buffer(out.len(), vertices.len())?;
        let given = rest.iter().zip(vertices).map(|(rest, vertex)| (rest.position, rest.normal, vertex.blend()));
        self.skin_each(given, matrices, out)
    }

    /// The vertices at rest in model space: transformed as in the engine for versions 1 and 2 with bones, as stored for all
    /// others. O(vertices), no allocation.
    ///
    /// `bind_pose` is a buffer with one matrix for each bone, for the bind pose.
    ///
    /// # Errors
    /// [`ErrorKind::BufferSize`] for a buffer of the wrong length; [`VERTEX_BONE`](codes::VERTEX_BONE) or
    /// [`VERTEX_UNWEIGHTED`](codes::VERTEX_UNWEIGHTED) for a vertex of versions 1 and 2 with a bone that does not exist
    /// or without a bone. The index of the model is not allowed there.
    pub fn to_model_space(&self, bind_pose: &mut [Matrix], out: &mut [SkinnedVertex]) -> Result<(), Error> {
        let vertices = self.vertices();
        self.check_buffer(bind_pose.len(), self.bones().len())?;
        self.check_buffer(out.len(), vertices.len())?;
        for (matrix, state) in bind_pose.iter_mut().zip(self.bones()) {
            *matrix = of_state(state);
        }
        let relative = self.is_bind_relative();
        let matrices = reachable(bind_pose);
        let moved = out.iter_mut().zip(vertices).try_for_each(|(out, vertex)| {
            let (position, normal, blend) = (vertex.position(), vertex.normal(), vertex.blend());
            *out = if relative {
                let normal = weighted(blend, matrices, rotated, normal)?;
                let normal = if blend.is_blended() { normalized(normal) } else { normal };
                SkinnedVertex { position: weighted(blend, matrices, transformed, position)?, normal }
            } else {
                SkinnedVertex { position, normal }
            };
            Some(())
        });
        moved.ok_or_else(|| self.bone_error(matrices.len()))
    }

    fn skin_each<'a>(
        &self,
        vertices: impl Iterator<Item = ([f32; 3], [f32; 3], &'a Blend)>,
        matrices: &[Matrix],
        out: &mut [SkinnedVertex],
    ) -> Result<(), Error> {
        self.check_buffer(matrices.len(), self.skin_matrix_count())?;
        // The engine does not animate a mesh without bones.
        if self.bones().is_empty() {
            for (out, (position, normal, _)) in out.iter_mut().zip(vertices) {
                *out = SkinnedVertex { position, normal };
            }
            return Ok(());
        }
        let matrices = reachable(matrices);
        let skinned = out.iter_mut().zip(vertices).try_for_each(|(out, (position, normal, blend))| {
            *out = if blend.is_blended() {
                let matrix = blended(blend, matrices)?;
                SkinnedVertex { position: transformed(&matrix, position), normal: normalized(rotated(&matrix, normal)) }
            } else {
                let [bone, _, _, _] = blend.bones();
                let matrix = matrices.get(usize::from(bone))?;
                SkinnedVertex { position: transformed(matrix, position), normal: rotated(matrix, normal) }
            };
            Some(())
        });
        skinned.ok_or_else(|| self.bone_error(matrices.len()))
    }

    /// The error about the first vertex whose bone has no matrix.
    #[cold]
    fn bone_error(&self, matrices: usize) -> Error {
        let lost = |blend: &Blend| {
            let [first, _, _, _] = blend.bones();
            let past = |bone: &u8| usize::from(*bone) >= matrices;
            if first == NO_BONE { Some(first) } else { blend.influences().map(|(bone, _)| bone).find(past) }
        };
        let mut vertices = self.vertices().iter().map(|vertex| lost(vertex.blend())).enumerate();
        let (index, bone) = vertices.find_map(|(index, bone)| Some((index, bone?))).unwrap_or((0, NO_BONE));
        // The file counts vertices and bones in 32 bits.
        let small = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let kind = match bone {
            NO_BONE => codes::VERTEX_UNWEIGHTED.with([small(index)]),
            bone => codes::VERTEX_BONE.with([small(index), bone.into(), small(self.bone_count())]),
        };
        let [range, ..] = self.sections();
        Error::new(kind, SKIN, range.offset.saturating_add(range.record_size.saturating_mul(to_u64(index))))
    }

    fn check_buffer(&self, given: usize, needed: usize) -> Result<(), Error> {
        ErrorKind::check_buffer(given, needed).map_err(|kind| self.skin_error(kind))
    }

    fn skin_error(&self, kind: ErrorKind) -> Error {
        Error::new(kind, SKIN, self.offset_of(super::pmd::VERTICES))
    }
}

/// The weighted sum of the matrices of a vertex's bones; `None` if a matrix is missing. Weights are not normalised.
#[inline]
fn blended(blend: &Blend, matrices: &[Matrix]) -> Option<Matrix> {
    let mut influences = blend.influences();
    let (bone, weight) = influences.next()?;
    let mut sum = matrices.get(usize::from(bone))?.map(|element| element * weight);
    for (bone, weight) in influences {
        let matrix = matrices.get(usize::from(bone))?;
        sum.iter_mut().zip(matrix).for_each(|(sum, element)| *sum += element * weight);
    }
    Some(sum)
}

/// The weighted sum of a vector transformed by each bone; `None` without a bone, or if a matrix is missing.
fn weighted(
    blend: &Blend,
    matrices: &[Matrix],
    moved: fn(&Matrix, [f32; 3]) -> [f32; 3],
    vector: [f32; 3],
) -> Option<[f32; 3]> {
    let [first, _, _, _] = blend.bones();
    matrices.get(usize::from(first))?;
    let mut sum = [0.0; 3];
    for (bone, weight) in blend.influences() {
        let [x, y, z] = moved(matrices.get(usize::from(bone))?, vector);
        let [sx, sy, sz] = sum;
        sum = [sx + x * weight, sy + y * weight, sz + z * weight];
    }
    Some(sum)
}

/// The matrices that a bone index can refer to: [`NO_BONE`] never has one.
fn reachable(matrices: &[Matrix]) -> &[Matrix] {
    matrices.get(..usize::from(NO_BONE)).unwrap_or(matrices)
}
