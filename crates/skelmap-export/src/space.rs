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

#[cfg(test)]
mod tests {
    use super::*;

    use skelmap::model::maths::turned;
    use test_support::with;

    /// Of the two rotations that bring one axis to another, the shorter one: a half turn of one that points down, else a quarter.
    #[test]
    fn the_up_axis_is_turned_up_the_short_way() {
        let half = 0.5_f32.sqrt();
        for (axis, is_negative, expected) in [
            (Axis::X, false, [0.0, 0.0, half, half]),
            (Axis::X, true, [0.0, 0.0, -half, half]),
            (Axis::Y, false, [0.0, 0.0, 0.0, 1.0]),
            (Axis::Y, true, [1.0, 0.0, 0.0, 0.0]),
            (Axis::Z, false, [-half, 0.0, 0.0, half]),
            (Axis::Z, true, [half, 0.0, 0.0, half]),
        ] {
            let up = with(ExportOptions::default(), |own| own.up = Some((axis, is_negative)));
            let found = turn(Some(Space::GLTF), &up);
            let apart = found.iter().zip(expected).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max);
            assert!(apart < 1e-6, "{axis:?} {is_negative}: {found:?}");
        }
        let up = with(ExportOptions::default(), |own| own.up = Some((Axis::X, false)));
        assert_eq!(turn(None, &up), NO_TURN, "axes of an unknown space are not known");
        assert_eq!(turn(Some(Space::GLTF), &ExportOptions::default()), NO_TURN);
    }

    #[test]
    fn whole_turns_of_the_yaw_change_no_bit() {
        let of = |yaw: f32| turn(None, &with(ExportOptions::default(), |own| own.yaw = yaw));
        assert_eq!([90.0 + 360.0, 90.0 + 3600.0].map(of), [of(90.0); 2]);
        assert_eq!(of(-90.0 - 360.0), of(-90.0));
    }

    /// After the up axis is up. Seen from above, x turns to -z.
    #[test]
    fn the_yaw_turns_about_the_axis_that_is_up() {
        for (yaw, expected) in [
            (90.0, [0.0, 0.0, -1.0]),
            (-90.0, [0.0, 0.0, 1.0]),
            (450.0, [0.0, 0.0, -1.0]),
            (180.0, [-1.0, 0.0, 0.0]),
            (0.0, [1.0, 0.0, 0.0]),
            (360.0, [1.0, 0.0, 0.0]),
            (f32::INFINITY, [1.0, 0.0, 0.0]),
            (f32::NAN, [1.0, 0.0, 0.0]),
        ] {
            // What points down in the file is up.
            let own = with(ExportOptions::default(), |own| (own.up, own.yaw) = (Some((Axis::Y, true)), yaw));
            let turn = turn(Some(Space::GLTF), &own);
            for (from, to) in [([0.0, -1.0, 0.0], [0.0, 1.0, 0.0]), ([1.0, 0.0, 0.0], expected)] {
                let apart = turned(turn, from).into_iter().zip(to).map(|(one, other)| (one - other).abs());
                assert!(apart.fold(0.0, f32::max) < 1e-6, "{yaw}");
            }
        }
    }
}
