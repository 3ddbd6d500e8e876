//! Checks of a mesh as a whole: outlying points, bones away from their points, inverted faces.
//!
//! Each finding needs clear evidence: the limits are far outside of the values of 4,010 meshes of 0 A.D. release 26 and the
//! sample files.

mod far;
mod rig;
mod winding;

use alloc::vec::Vec;

use self::far::Most;
use self::rig::Rig;
use super::bounds::Bounds;
use super::matrix::Matrix;
use super::mesh::{Mesh, Rest};
use super::skinning::rest_matrices;
use crate::bytes::{Column, Vec3};
use crate::report::{Report, SectionStart};

/// The sections that findings are about.
pub(crate) struct ShapePlaces {
    pub(crate) points: SectionStart,
    pub(crate) faces: SectionStart,
    pub(crate) bones: SectionStart,
}

/// The points at rest.
enum Points<'m> {
    Stored(Column<'m, Vec3>),
    /// Converted to model space, if the file stores points relative to bones.
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

/// Checks a mesh as a whole. O(points + bones + influences); at most some thousands of faces are read.
pub(crate) fn check_shape(mesh: &Mesh<'_>, report: &mut Report, places: &ShapePlaces) {
    // Another check reports a mesh whose points cannot be converted.
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

/// The position to which a matrix moves the origin.
const fn place_of(matrix: &Matrix) -> [f32; 3] {
    let [.., x, y, z, _] = *matrix;
    [x, y, z]
}
