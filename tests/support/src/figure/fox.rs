//! The fox: its bones, and its skin of tubes about them.

use super::math::{Rotation, Vector, add, cross, scale, subtract, unit};
use super::{Bone, Corner, Figure, Place, Point};

pub const MATERIALS: [&str; 2] = ["fox_coat", "fox_socks"];
const COAT: u8 = 0;
const SOCKS: u8 = 1;

/// Name, parent, where it begins and where it ends: x and z, and y.
type BoneRow = (&'static str, &'static str, [f64; 2], [f64; 2], f64);

const TRUNK: [BoneRow; 9] = [
    ("root", "", [0.0, 0.0], [0.2, 0.0], 0.0),
    ("pelvis", "root", [-0.30, 0.55], [-0.10, 0.56], 0.0),
    ("spine", "pelvis", [-0.10, 0.56], [0.12, 0.55], 0.0),
    ("chest", "spine", [0.12, 0.55], [0.32, 0.58], 0.0),
    ("neck", "chest", [0.32, 0.58], [0.43, 0.73], 0.0),
    ("head", "neck", [0.43, 0.73], [0.69, 0.74], 0.0),
    ("tail_1", "pelvis", [-0.39, 0.57], [-0.56, 0.55], 0.0),
    ("tail_2", "tail_1", [-0.56, 0.55], [-0.74, 0.49], 0.0),
    ("tail_3", "tail_2", [-0.74, 0.49], [-0.92, 0.48], 0.0),
];

/// Of the left; the right is its mirror image.
const LIMBS: [(BoneRow, &str); 7] = [
    (("ear_l", "head", [0.46, 0.82], [0.445, 0.94], 0.045), "ear_r"),
    (("shoulder_l", "chest", [0.24, 0.50], [0.22, 0.33], 0.09), "shoulder_r"),
    (("elbow_l", "shoulder_l", [0.22, 0.33], [0.24, 0.09], 0.09), "elbow_r"),
    (("paw_l", "elbow_l", [0.24, 0.09], [0.28, 0.01], 0.09), "paw_r"),
    (("thigh_l", "pelvis", [-0.29, 0.50], [-0.23, 0.34], 0.09), "thigh_r"),
    (("shin_l", "thigh_l", [-0.23, 0.34], [-0.34, 0.19], 0.09), "shin_r"),
    (("foot_l", "shin_l", [-0.34, 0.19], [-0.29, 0.01], 0.09), "foot_r"),
];

/// Where the middle of a ring is (x and z), its half width and half height, and the bones that move it: the share of the second.
type Ring = ([f64; 2], [f64; 2], &'static str, &'static str, f64);

struct Tube {
    rings: &'static [Ring],
    /// The points that close it: x and z.
    ends: [[f64; 2]; 2],
    sides: usize,
    /// From this ring on it has the second material.
    socks: usize,
    /// Left, top, width and height of its part of the texture.
    uv: [f64; 4],
}

const BODY: Tube = Tube {
    rings: &[
        ([-0.38, 0.55], [0.05, 0.06], "pelvis", "pelvis", 0.0),
        ([-0.32, 0.545], [0.095, 0.11], "pelvis", "spine", 0.1),
        ([-0.20, 0.54], [0.105, 0.115], "pelvis", "spine", 0.4),
        ([-0.05, 0.535], [0.095, 0.11], "spine", "pelvis", 0.2),
        ([0.08, 0.53], [0.10, 0.125], "spine", "chest", 0.4),
        ([0.20, 0.535], [0.105, 0.135], "chest", "spine", 0.2),
        ([0.29, 0.57], [0.085, 0.115], "chest", "neck", 0.4),
        ([0.36, 0.64], [0.062, 0.09], "neck", "chest", 0.3),
        ([0.41, 0.70], [0.058, 0.08], "neck", "head", 0.4),
        ([0.46, 0.755], [0.078, 0.075], "head", "neck", 0.2),
        ([0.53, 0.765], [0.068, 0.062], "head", "head", 0.0),
        ([0.60, 0.745], [0.036, 0.036], "head", "head", 0.0),
        ([0.68, 0.735], [0.02, 0.02], "head", "head", 0.0),
    ],
    ends: [[-0.40, 0.55], [0.70, 0.733]],
    sides: 10,
    socks: 11,
    uv: [0.0, 0.0, 1.0, 0.5],
};

const TAIL: Tube = Tube {
    rings: &[
        ([-0.40, 0.572], [0.025, 0.03], "pelvis", "tail_1", 0.5),
        ([-0.49, 0.565], [0.042, 0.042], "tail_1", "pelvis", 0.1),
        ([-0.57, 0.545], [0.06, 0.06], "tail_1", "tail_2", 0.5),
        ([-0.67, 0.51], [0.062, 0.062], "tail_2", "tail_1", 0.1),
        ([-0.76, 0.488], [0.048, 0.048], "tail_2", "tail_3", 0.5),
        ([-0.85, 0.482], [0.03, 0.03], "tail_3", "tail_2", 0.1),
    ],
    ends: [[-0.37, 0.575], [-0.93, 0.48]],
    sides: 8,
    socks: 4,
    uv: [0.5, 0.5, 0.5, 0.25],
};

const FORELEG: Tube = Tube {
    rings: &[
        ([0.24, 0.56], [0.04, 0.07], "chest", "shoulder_l", 0.5),
        ([0.235, 0.46], [0.042, 0.06], "shoulder_l", "chest", 0.2),
        ([0.225, 0.37], [0.034, 0.044], "shoulder_l", "elbow_l", 0.4),
        ([0.225, 0.27], [0.027, 0.03], "elbow_l", "shoulder_l", 0.2),
        ([0.235, 0.15], [0.022, 0.024], "elbow_l", "paw_l", 0.1),
        ([0.24, 0.08], [0.024, 0.028], "elbow_l", "paw_l", 0.5),
        ([0.255, 0.025], [0.03, 0.045], "paw_l", "paw_l", 0.0),
    ],
    ends: [[0.24, 0.60], [0.265, 0.0]],
    sides: 6,
    socks: 3,
    uv: [0.0, 0.5, 0.25, 0.5],
};

const HIND_LEG: Tube = Tube {
    rings: &[
        ([-0.29, 0.56], [0.04, 0.085], "pelvis", "thigh_l", 0.5),
        ([-0.275, 0.46], [0.048, 0.08], "thigh_l", "pelvis", 0.2),
        ([-0.245, 0.37], [0.038, 0.055], "thigh_l", "shin_l", 0.4),
        ([-0.275, 0.28], [0.028, 0.04], "shin_l", "thigh_l", 0.2),
        ([-0.325, 0.20], [0.022, 0.028], "shin_l", "foot_l", 0.5),
        ([-0.33, 0.11], [0.02, 0.023], "foot_l", "shin_l", 0.1),
        ([-0.305, 0.025], [0.03, 0.045], "foot_l", "foot_l", 0.0),
    ],
    ends: [[-0.29, 0.60], [-0.295, 0.0]],
    sides: 6,
    socks: 4,
    uv: [0.25, 0.5, 0.25, 0.5],
};

const EAR: Tube = Tube {
    rings: &[
        ([0.465, 0.80], [0.03, 0.016], "head", "ear_l", 0.4),
        ([0.46, 0.85], [0.027, 0.013], "ear_l", "head", 0.2),
        ([0.452, 0.90], [0.014, 0.008], "ear_l", "ear_l", 0.0),
    ],
    ends: [[0.467, 0.78], [0.445, 0.945]],
    sides: 6,
    socks: 1,
    uv: [0.5, 0.75, 0.5, 0.25],
};

pub fn fox() -> Figure {
    let mut figure = Figure::default();
    for row in &TRUNK {
        bone(&mut figure, row.0, row.1, row, 1.0);
    }
    for (row, right) in &LIMBS {
        bone(&mut figure, row.0, row.1, row, 1.0);
        let parent = LIMBS.iter().find(|(left, _)| left.0 == row.1).map_or(row.1, |(_, right)| right);
        bone(&mut figure, right, parent, row, -1.0);
    }
    tube(&mut figure, &BODY, 0.0);
    tube(&mut figure, &TAIL, 0.0);
    for (limb, y) in [(FORELEG, 0.075), (HIND_LEG, 0.075), (EAR, 0.042)] {
        tube(&mut figure, &limb, y);
        tube(&mut figure, &limb, -y);
    }
    figure.smooth();
    figure
}

fn find(figure: &Figure, name: &str) -> Option<usize> {
    figure.bones.iter().position(|bone| bone.name == name)
}

fn bone(figure: &mut Figure, name: &'static str, parent: &str, row: &BoneRow, side: f64) {
    let (_, _, [x, z], [end_x, end_z], y) = *row;
    let rest = Place { t: [x, side * y, z], q: along(unit([end_x - x, 0.0, end_z - z])) };
    let parent = find(figure, parent);
    assert_eq!(parent.is_none(), name == "root", "{name}");
    figure.bones.push(Bone { name, parent, rest });
}

/// About the y axis, so that the x axis comes to lie along a direction in the plane of x and z.
fn along([x, _, z]: Vector) -> Rotation {
    let half = ((1.0 - x) * 0.5).max(0.0).sqrt();
    [0.0, if z > 0.0 { -half } else { half }, 0.0, ((1.0 + x) * 0.5).max(0.0).sqrt()]
}

/// The name of the bone on the other side.
fn mirrored(name: &str) -> &str {
    LIMBS.iter().find(|(left, _)| left.0 == name).map_or(name, |(_, right)| right)
}

/// Rings of points about a line, closed at both ends; what is right of the middle is moved by the bones there.
fn tube(figure: &mut Figure, tube: &Tube, y: f64) {
    let of = |name: &'static str| find(figure, if y < 0.0 { mirrored(name) } else { name }).expect("a bone");
    let weights = |ring: &Ring| match ring {
        (_, _, first, _, 0.0) => vec![(of(first), 1.0)],
        (_, _, first, second, share) => vec![(of(first), 1.0 - share), (of(second), *share)],
    };
    let middle = |[x, z]: [f64; 2]| [x, y, z];
    let (count, sides) = (tube.rings.len(), tube.sides);
    let middles: Vec<Vector> = [tube.ends[0]]
        .into_iter()
        .chain(tube.rings.iter().map(|ring| ring.0))
        .chain([tube.ends[1]])
        .map(middle)
        .collect();
    let point = |position, ring| Point { position, normal: [0.0; 3], weights: weights(ring) };
    let mut points = vec![point(middles[0], &tube.rings[0])];
    for (index, ring) in tube.rings.iter().enumerate() {
        let along = unit(subtract(middles[index + 2], middles[index]));
        let (left, up) = ([0.0, 1.0, 0.0], cross(along, [0.0, 1.0, 0.0]));
        let [width, height] = ring.1;
        for side in 0..sides {
            let at = side as f64 / sides as f64;
            let offset = add(scale(up, height * super::cosine(at)), scale(left, width * super::sine(at)));
            points.push(point(add(middles[index + 1], offset), ring));
        }
    }
    points.push(point(middles[count + 1], &tube.rings[count - 1]));
    let (first, last) = (figure.points.len(), figure.points.len() + points.len() - 1);
    figure.points.extend(points);

    // The corner of a ring, counted from the closing point, at a side; the last side is the first again, at the texture's other edge.
    let [left, top, width, height] = tube.uv;
    let mut corner = |ring: usize, side: usize, shift: f64, material: u8| {
        let point = match ring {
            0 => first,
            ring if ring > count => last,
            ring => first + 1 + (ring - 1) * sides + side % sides,
        };
        let (u, v) = ((side as f64 + shift) / sides as f64, ring as f64 / (count + 1) as f64);
        let corner = Corner { point, uv: [left + width * u, top + height * v], material };
        figure.corners.iter().position(|known| *known == corner).unwrap_or_else(|| {
            figure.corners.push(corner);
            figure.corners.len() - 1
        })
    };
    for ring in 0..=count {
        let material = if ring > tube.socks { SOCKS } else { COAT };
        for side in 0..sides {
            let shift = if ring == 0 || ring == count { 0.5 } else { 0.0 };
            if ring > 0 && ring < count {
                let quad = [(ring, side), (ring + 1, side), (ring + 1, side + 1), (ring, side + 1)];
                let [a, b, c, d] = quad.map(|(ring, side)| corner(ring, side, shift, material));
                figure.triangles.extend([[a, b, c], [a, c, d]]);
            } else if ring == 0 {
                let (a, b) = (corner(0, side, shift, material), corner(1, side, 0.0, material));
                figure.triangles.push([a, b, corner(1, side + 1, 0.0, material)]);
            } else {
                let (a, b) = (corner(count, side, 0.0, material), corner(count + 1, side, shift, material));
                figure.triangles.push([a, b, corner(count, side + 1, 0.0, material)]);
            }
        }
    }
}
