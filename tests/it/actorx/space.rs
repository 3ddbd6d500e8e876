//! The conventions as functions: mirrored and conjugated rotations.

use skelmap::actorx::Psk;
use skelmap::actorx::space::{local_rotation, mirrored, mirrored_rotation};

/// v' = q v q*, written out for a unit quaternion.
fn rotate([x, y, z, w]: [f32; 4], [a, b, c]: [f32; 3]) -> [f32; 3] {
    let t = [2.0 * (y * c - z * b), 2.0 * (z * a - x * c), 2.0 * (x * b - y * a)];
    [a + w * t[0] + y * t[2] - z * t[1], b + w * t[1] + z * t[0] - x * t[2], c + w * t[2] + x * t[1] - y * t[0]]
}

#[test]
fn a_mirrored_rotation_of_a_mirrored_vector_gives_the_mirrored_result() {
    let q = [0.5, -0.1, 0.7, 0.5];
    let v = [1.0, 2.0, 3.0];
    assert_eq!(mirrored(rotate(q, v)), rotate(mirrored_rotation(q), mirrored(v)));
}

#[test]
fn only_the_first_bone_keeps_its_rotation() {
    let stored = [0.1, 0.2, 0.3, 0.9];
    assert_eq!(local_rotation(0, stored), stored);
    assert_eq!(local_rotation(1, stored), [-0.1, -0.2, -0.3, 0.9]);
}

/// The signed volume of a closed mesh is positive if its faces run counter-clockwise seen from outside, in a right-handed
/// space.
#[test]
fn counter_clockwise_faces_enclose_a_positive_volume() {
    let bytes = std::fs::read("corpus/fox.psk").unwrap();
    let mesh = Psk::parse(&bytes).unwrap();
    let volume = |turn: fn([u32; 3]) -> [u32; 3]| -> f64 {
        let corner = |wedge: u32| mesh.point_of(&mesh.wedges()[wedge as usize]).unwrap().get().map(f64::from);
        let six_times = mesh.faces().iter().map(|face| {
            let [[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = turn(face.wedges).map(corner);
            ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
        });
        six_times.sum::<f64>() / 6.0
    };
    let [stored, turned] = [volume(|face| face), volume(|[a, b, c]| [a, c, b])];
    assert!(turned > 0.0 && stored < 0.0, "{stored} {turned}");
}
