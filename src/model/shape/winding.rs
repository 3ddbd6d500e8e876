//! Whether faces agree with the normals of their points.

use alloc::format;

use super::Points;
use crate::model::Mesh;
use crate::model::maths::{cross64, dot64};
use crate::report::codes::MESH_WINDING;
use crate::report::{Report, SectionStart};

/// Sample sizes: first pass; second pass, if at least half of the first face inwards.
const FIRST: usize = 64;
const SAMPLES: usize = 4096;

/// Fewer faces with an area are no evidence.
const MIN_FACES: u32 = 12;

/// Reports a mesh if at least 95 % of its faces point against the normals of their points.
pub(super) fn check(mesh: &Mesh<'_>, points: &Points<'_>, report: &mut Report, place: SectionStart) {
    if mesh.normals().is_none() {
        return;
    }
    let (faces, against) = count(mesh, points, FIRST);
    if against.saturating_mul(2) < faces {
        return;
    }
    let (faces, against) = count(mesh, points, SAMPLES);
    if faces >= MIN_FACES && faces.saturating_sub(against) <= against.checked_div(19).unwrap_or(0) {
        let message = format!(
            "corners of faces are in the wrong order: {against} of {faces} faces point against the normals of their points; flip the faces"
        );
        report.add_whole(MESH_WINDING, place, message);
    }
}

/// Samples at most `most` faces. Returns how many have an area and normals to one side, and how many of these face inwards.
fn count(mesh: &Mesh<'_>, points: &Points<'_>, most: usize) -> (u32, u32) {
    let is_outwards = mesh.has_outward_faces();
    let step = mesh.triangle_count().div_ceil(most).max(1);
    let facing = (0..mesh.triangle_count()).step_by(step).filter_map(|face| facing(mesh, points, face));
    facing.filter(|facing| *facing != 0.0).fold((0, 0), |(faces, against): (u32, u32), facing| {
        (faces.saturating_add(1), against.saturating_add(u32::from((facing < 0.0) == is_outwards)))
    })
}

/// Positive if the corners of a face are counterclockwise around its normals in a right-handed space.
fn facing(mesh: &Mesh<'_>, points: &Points<'_>, face: usize) -> Option<f64> {
    let corners = mesh.triangle(face)?.vertices;
    let (mut places, mut normal) = ([[0.0; 3]; 3], [0.0; 3]);
    for (place, corner) in places.iter_mut().zip(corners) {
        let point = mesh.point_of(usize::try_from(corner).ok()?)?;
        *place = points.get(point)?.map(f64::from);
        normal.iter_mut().zip(mesh.normal(point)?).for_each(|(sum, value)| *sum += f64::from(value));
    }
    let [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = places;
    let facing = dot64(cross64([bx - ax, by - ay, bz - az], [cx - ax, cy - ay, cz - az]), normal);
    facing.is_finite().then_some(facing)
}
