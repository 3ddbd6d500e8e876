//! Whether faces face the way of the normals of their points.

use alloc::format;

use super::Points;
use crate::model::{Handedness, Mesh, Winding};
use crate::report::codes::MESH_WINDING;
use crate::report::{Place, Report};

/// At most so many faces are looked at.
const SAMPLES: usize = 4096;

/// Fewer faces with an area show nothing.
const LEAST_FACES: u32 = 12;

/// Reports a mesh nearly all of whose faces face against the normals of their points: at least 19 of 20.
pub(super) fn check(mesh: &Mesh<'_>, points: &Points<'_>, report: &mut Report, place: Place) {
    if mesh.normals().is_none() {
        return;
    }
    let outwards = match (mesh.winding(), mesh.space().handedness()) {
        (Winding::CounterClockwise, Handedness::Right) | (Winding::Clockwise, Handedness::Left) => 1.0,
        _ => -1.0,
    };
    let (mut faces, mut against) = (0_u32, 0_u32);
    let step = mesh.triangle_count().div_ceil(SAMPLES).max(1);
    for face in (0..mesh.triangle_count()).step_by(step) {
        // A face without an area and one with normals to both sides face nowhere.
        let Some(facing) = facing(mesh, points, face).filter(|facing| *facing != 0.0) else { continue };
        faces = faces.saturating_add(1);
        against = against.saturating_add(u32::from(facing * outwards < 0.0));
    }
    if faces >= LEAST_FACES && faces.saturating_sub(against) <= against.checked_div(19).unwrap_or(0) {
        let message = format!(
            "of {faces} faces, {against} face against the normals of their points: their corners are in the other order"
        );
        report.add_whole(MESH_WINDING, place, message);
    }
}

/// Above 0 where the corners of a face go round its normals as those of a right-handed space do.
fn facing(mesh: &Mesh<'_>, points: &Points<'_>, face: usize) -> Option<f64> {
    let corners = mesh.triangle(face)?.vertices;
    let (mut places, mut normal) = ([[0.0; 3]; 3], [0.0; 3]);
    for (place, corner) in places.iter_mut().zip(corners) {
        let point = mesh.point_of(usize::try_from(corner).ok()?)?;
        *place = points.get(point)?.map(f64::from);
        normal.iter_mut().zip(mesh.normal(point)?).for_each(|(sum, value)| *sum += f64::from(value));
    }
    let [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = places;
    let ([ux, uy, uz], [vx, vy, vz]) = ([bx - ax, by - ay, bz - az], [cx - ax, cy - ay, cz - az]);
    let [x, y, z] = normal;
    let facing = (uy * vz - uz * vy) * x + (uz * vx - ux * vz) * y + (ux * vy - uy * vx) * z;
    facing.is_finite().then_some(facing)
}
