//! Models in the space of glTF.

use skelmap::model::maths::{NO_TURN, Rotation, about, rotation_product};
use skelmap::model::{Axis, Clip, Mesh, Space};

use crate::options::ExportOptions;

/// A mesh in the space of glTF.
pub fn placed<'m>(mesh: Mesh<'m>, options: &ExportOptions) -> Mesh<'m> {
    let mesh = if mesh.space().metres().is_none() { mesh.with_metres(options.metres) } else { mesh };
    mesh.in_space(Space::GLTF)
}

/// A clip in the space of glTF.
pub(crate) fn placed_clip<'c>(clip: &Clip<'c>, options: &ExportOptions) -> Clip<'c> {
    clip.with_metres(options.metres).in_space(Space::GLTF)
}

/// The rotation that the options request: first the shortest rotation of the up axis, then the yaw.
pub fn turn(space: Option<Space>, options: &ExportOptions) -> Rotation {
    let mut turn = NO_TURN;
    if let (Some((axis, is_negative)), Some(space)) = (options.up, space) {
        let of_file = match axis {
            Axis::X => [1.0, 0.0, 0.0],
            Axis::Y => [0.0, 1.0, 0.0],
            Axis::Z => [0.0, 0.0, 1.0],
        };
        let [x, y, z] = space.change_to(&Space::GLTF).direction(of_file);
        let [x, y, z] = if is_negative { [-x, -y, -z] } else { [x, y, z] };
        // Axes map to axes: the angle is 0, 90 or 180 degrees.
        turn = match y {
            y if y > 0.5 => NO_TURN,
            y if y < -0.5 => [1.0, 0.0, 0.0, 0.0],
            _ => about([-z, 0.0, x], core::f32::consts::FRAC_PI_2),
        };
    }
    if options.yaw.is_finite() && options.yaw != 0.0 {
        turn = rotation_product(about([0.0, 1.0, 0.0], (options.yaw % 360.0).to_radians()), turn);
    }
    turn
}
