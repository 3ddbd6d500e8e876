//! The arrays of a program as a mesh of the game: what the format needs is computed, cut and counted.

use skelmap::pyrogenesis::{Blend, BoneState, NO_BONE};
use skelmap::shared::{UNIT_TOLERANCE, WEIGHT_SUM_TOLERANCE, to_u32, to_usize};

use super::PyrogenesisError;
use super::mesh::{MAX_INFLUENCES, MIN_WEIGHT, OLD_BONES, or_x, put_root_first, reduced, unmoved};
use super::parts::{MeshCounts, MeshParts, Prop, check_rotation};
use crate::model::Influences;
use crate::weld::fill_normals;

/// How far the sum of weights is from 1 that were rounded to a float each.
const ROUNDING: f32 = 1e-6;

/// The arrays of a program, in the space of the game: left-handed, y up, metres, v = 0 at the bottom of the image. All arrays of vertices have one
/// element for each.
///
/// Unlike [`MeshParts`], which are the parts of the file, arrays may lack normals and texture coordinates, and have any influences.
///
/// ```
/// use skelmap::pyrogenesis::Pmd;
/// use skelmap_write::pyrogenesis::MeshArrays;
///
/// let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let mut arrays = MeshArrays::default();
/// (arrays.positions, arrays.triangles) = (&positions, &[[0, 1, 2]]);
/// let mut file = Vec::new();
/// let report = arrays.write(&mut file)?;
/// assert_eq!(report.computed_normals, 3);
/// assert_eq!(Pmd::parse(&file)?.vertices().get(0).map(|vertex| vertex.normal()), Some([0.0, 0.0, -1.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct MeshArrays<'p> {
    /// Positions.
    pub positions: &'p [[f32; 3]],
    /// Normals. Those that are zero are computed from the triangles, and all of them if there is none.
    pub normals: &'p [[f32; 3]],
    /// For each set: texture coordinates. Without any, there is a set of zeros, because the game refuses a mesh without a set.
    pub uvs: &'p [Vec<[f32; 2]>],
    /// The bones that move each vertex; the number of bones stands for the model. `None` for a mesh without bones.
    pub influences: Option<&'p Influences>,
    /// The triangles: indices of vertices; corners a, b, c counterclockwise, seen from outside. (The cross product of b - a and c - a points inwards, because the
    /// space is left-handed.)
    pub triangles: &'p [[u32; 3]],
    /// The bones in their bind pose.
    pub bones: &'p [BoneState],
    /// The prop points. `root`, which the game expects first, is put there, and added if there is none.
    pub props: &'p [Prop],
}

/// What writing arrays computed, cut and added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct ArraysReport {
    /// Vertices.
    pub vertices: usize,
    /// Triangles.
    pub triangles: usize,
    /// Bones.
    pub bones: usize,
    /// Prop points, with `root`.
    pub props: usize,
    /// Vertices with computed normals.
    pub computed_normals: usize,
    /// Normals that were not of unit length, and are now.
    pub normalized_normals: usize,
    /// Vertices without texture coordinates, which get zeros.
    pub vertices_without_uvs: usize,
    /// Vertices with more than four influences, of which the strongest four are kept.
    pub cut_vertices: usize,
    /// Influences with a weight below 0.001, which are left out.
    pub weak_influences: usize,
    /// Vertices whose weights did not add up to 1 within 0.01, and do now.
    pub renormalized_vertices: usize,
    /// Vertices without influences, which follow the model.
    pub unmoved_vertices: usize,
    /// Whether the prop point `root` was added.
    pub has_new_root: bool,
    /// Whether releases before 28 cannot draw the mesh: it has more than 63 bones.
    pub has_many_bones: bool,
}

impl MeshArrays<'_> {
    /// Writes the arrays as a mesh (`.pmd`, version 4). Equal arrays give equal bytes, and the arrays of a file of the game that file. O(arrays); nothing
    /// is written after an error of the arrays.
    ///
    /// # Errors
    /// [`PyrogenesisError`].
    pub fn write(&self, out: &mut impl std::io::Write) -> Result<ArraysReport, PyrogenesisError> {
        self.check()?;
        let mut report = ArraysReport::default();
        let vertices = self.positions.len();
        let normals = self.filled_normals(&mut report);
        let zeros;
        let mut uvs = self.uvs;
        if uvs.is_empty() {
            report.vertices_without_uvs = vertices;
            zeros = [vec![[0.0; 2]; vertices]];
            uvs = &zeros;
        }
        let blends = self.influences.map(|influences| self.reduced_blends(influences, &mut report)).unwrap_or_default();
        let mut props = self.props.to_vec();
        report.has_new_root = put_root_first(&mut props, !self.bones.is_empty());
        let parts = MeshParts {
            positions: self.positions,
            normals: &normals,
            uvs,
            blends: &blends,
            triangles: self.triangles,
            bones: self.bones,
            props: &props,
        };
        parts.write(out)?;
        (report.vertices, report.triangles) = (vertices, self.triangles.len());
        (report.bones, report.props) = (self.bones.len(), props.len());
        report.has_many_bones = self.bones.len() > OLD_BONES;
        Ok(report)
    }

    /// Checks what [`MeshParts::check`] does not see, before anything is made of the arrays.
    fn check(&self) -> Result<(), PyrogenesisError> {
        let counts = MeshCounts {
            vertices: self.positions.len(),
            triangles: self.triangles.len(),
            bones: self.bones.len(),
            uv_sets: self.uvs.len(),
            props: self.props.len(),
        };
        counts.check()?;
        let normals = (!self.normals.is_empty()).then_some(("the list of normals", self.normals.len()));
        let influences = self.influences.map(|influences| ("the list of influences", influences.len()));
        for (what, count) in normals.into_iter().chain(influences) {
            if count != counts.vertices {
                return Err(PyrogenesisError::Length { what, count, expected: counts.vertices });
            }
        }
        if self.influences.is_some() == self.bones.is_empty() && counts.vertices > 0 {
            return Err(PyrogenesisError::HalfSkin { bones: counts.bones });
        }
        for vertex in 0..self.influences.map_or(0, Influences::len) {
            for (bone, weight) in self.influences.map(|all| all.of(vertex)).unwrap_or_default() {
                let bone = to_usize((*bone).into());
                if bone > counts.bones {
                    return Err(PyrogenesisError::Missing {
                        what: "vertex",
                        index: vertex,
                        named: bone,
                        count: counts.bones,
                    });
                }
                if !(weight.is_finite() && *weight >= 0.0) {
                    return Err(PyrogenesisError::Weight { vertex, weight: *weight });
                }
            }
        }
        for (index, bone) in self.bones.iter().enumerate() {
            check_rotation(bone.rotation(), "bone", index)?;
        }
        for (index, prop) in self.props.iter().enumerate() {
            check_rotation(prop.transform.rotation(), "prop point", index)?;
        }
        Ok(())
    }

    /// The normals, all of unit length but those with a number that is not finite, which an error names.
    fn filled_normals(&self, report: &mut ArraysReport) -> Vec<[f32; 3]> {
        let mut normals = self.normals.to_vec();
        normals.resize(self.positions.len(), [0.0; 3]);
        report.computed_normals = fill_normals(&mut normals, self.positions, self.triangles.iter().copied(), true);
        for normal in &mut normals {
            *normal = or_x(*normal);
            let squared: f64 = normal.iter().map(|value| f64::from(*value).powi(2)).sum();
            if squared.is_finite() && (squared - 1.0).abs() > f64::from(UNIT_TOLERANCE) {
                let length = squared.sqrt();
                *normal = crate::affine::narrowed(normal.map(|value| f64::from(value) / length));
                report.normalized_normals = report.normalized_normals.saturating_add(1);
            }
        }
        normals
    }

    fn reduced_blends(&self, influences: &Influences, report: &mut ArraysReport) -> Vec<Blend> {
        let of_model = u8::try_from(self.bones.len()).unwrap_or(NO_BONE);
        let mut blends = Vec::with_capacity(self.positions.len());
        for vertex in 0..influences.len() {
            let all = influences.of(vertex);
            let (mut bones, mut weights) = ([NO_BONE; MAX_INFLUENCES], [0.0; MAX_INFLUENCES]);
            let changed;
            let found = if is_ready(all) {
                all
            } else {
                let sum: f32 = all.iter().map(|(_, weight)| weight).sum();
                let is_off = sum > 0.0 && (sum - 1.0).abs() > WEIGHT_SUM_TOLERANCE;
                report.renormalized_vertices = report.renormalized_vertices.saturating_add(is_off.into());
                // Of weights of any sum, as parts of it.
                let parts: Vec<_> = all.iter().map(|(bone, weight)| (*bone, weight / sum)).collect();
                changed = if sum > 0.0 && sum.is_finite() {
                    reduced(&parts, &mut report.cut_vertices, &mut report.weak_influences)
                } else {
                    Vec::new()
                };
                &changed
            };
            if found.is_empty() {
                report.unmoved_vertices = report.unmoved_vertices.saturating_add(1);
                (bones, weights) = unmoved(of_model);
            }
            for ((bone, weight), (own, part)) in bones.iter_mut().zip(&mut weights).zip(found) {
                (*bone, *weight) = (u8::try_from(*own).unwrap_or(NO_BONE), *part);
            }
            blends.push(Blend::default().with_bones(bones).with_weights(weights));
        }
        blends
    }
}

/// Whether influences are as the game's own files have them. They are then written as they are.
fn is_ready(all: &[(u32, f32)]) -> bool {
    let sum: f32 = all.iter().map(|(_, weight)| weight).sum();
    (1..=MAX_INFLUENCES).contains(&all.len())
        && (sum - 1.0).abs() <= ROUNDING
        && all.iter().all(|(_, weight)| *weight >= MIN_WEIGHT)
        && all.is_sorted_by(|(_, one), (_, other)| one >= other)
}

impl Influences {
    /// A table of influences: a row of `width` bones and weights for each vertex. Influences of weight 0 are left out, and what follows the bone
    /// [`NO_BONE`], as in the vertices of a file.
    pub fn of_rows(bones: &[u32], weights: &[f32], width: usize) -> Self {
        let mut influences = Self::default();
        let width = width.max(1);
        for (bones, weights) in bones.chunks(width).zip(weights.chunks(width)) {
            let row = bones.iter().copied().zip(weights.iter().copied());
            let used = row.take_while(|(bone, _)| *bone != to_u32(NO_BONE.into()));
            influences.push(used.filter(|(_, weight)| *weight != 0.0));
        }
        influences
    }
}
