//! What a mesh shows as a whole: points far away from the rest, bones that do not lie where their points are, faces that face inwards.
//!
//! Each finding needs clear evidence: the limits lie far outside of what 4,010 meshes of 0 A.D. release 26 and the sample files show.

mod far;
mod rig;
mod winding;

use alloc::vec::Vec;

use self::far::Most;
use self::rig::Rig;
use super::bounds::Bounds;
use super::mesh::{Mesh, Rest};
use super::skinning::rest_matrices;
use super::transform::Matrix;
use crate::bytes::{Column, Vec3};
use crate::report::{Place, Report};

/// The sections that findings are about.
pub(crate) struct ShapePlaces {
    pub(crate) points: Place,
    pub(crate) faces: Place,
    pub(crate) bones: Place,
}

/// The points at rest.
enum Points<'m> {
    Stored(Column<'m, Vec3>),
    /// Brought into the space of the model, where the file stores them relative to bones.
    Rest(Rest),
}

impl Points<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Stored(column) => column.len(),
            Self::Rest(rest) => rest.len(),
        }
    }

    fn get(&self, point: usize) -> Option<[f32; 3]> {
        match self {
            Self::Stored(column) => column.get(point).map(Vec3::get),
            Self::Rest(rest) => rest.get(point).map(|(position, _)| *position),
        }
    }

    /// The box around all points.
    fn bounds(&self) -> Option<Bounds> {
        match self {
            Self::Stored(column) => Bounds::of(column.iter().map(Vec3::get)),
            Self::Rest(rest) => Bounds::of(rest.iter().map(|(position, _)| *position)),
        }
    }

    fn iter(&self) -> impl Iterator<Item = [f32; 3]> {
        (0..self.len()).filter_map(|point| self.get(point))
    }
}

/// Reports what a mesh shows as a whole. O(points + bones + influences); of the faces, at most some thousands are looked at.
pub(crate) fn check_shape(mesh: &Mesh<'_>, report: &mut Report, places: &ShapePlaces) {
    // A mesh whose points cannot be brought into its space has a finding of its own.
    let Ok(rest) = mesh.to_stored_rest() else { return };
    let points = rest.map_or_else(|| Points::Stored(mesh.positions().stored()), Points::Rest);
    let joints: Vec<[f32; 3]> = rest_matrices(&mesh.skeleton()).iter().map(place_of).collect();
    if let Some(most) = Most::of(&points, &joints) {
        most.check(&points, report, places.points);
        if let Some(rig) = Rig::of(mesh, &points, &joints, &most) {
            rig.check(report, places.bones);
        }
    }
    winding::check(mesh, &points, report, places.faces);
}

/// Where a matrix brings the origin.
const fn place_of(matrix: &Matrix) -> [f32; 3] {
    let [.., x, y, z, _] = *matrix;
    [x, y, z]
}
