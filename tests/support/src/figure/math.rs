//! Vectors, rotations (x, y, z, w) and sines that have the same bits on every machine: sums, products and square roots alone.

pub type Vector = [f64; 3];
pub type Rotation = [f64; 4];

pub fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub fn subtract(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub fn scale(a: Vector, by: f64) -> Vector {
    a.map(|component| component * by)
}

pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn unit(a: Vector) -> Vector {
    scale(a, 1.0 / dot(a, a).sqrt())
}

pub fn product(a: Rotation, b: Rotation) -> Rotation {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (a, b);
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

pub fn conjugate([x, y, z, w]: Rotation) -> Rotation {
    [-x, -y, -z, w]
}

pub fn rotate(q: Rotation, v: Vector) -> Vector {
    let [x, y, z, _] = product(product(q, [v[0], v[1], v[2], 0.0]), conjugate(q));
    [x, y, z]
}

/// About an axis of length 1, by a small angle in radians.
pub fn turn(axis: Vector, angle: f64) -> Rotation {
    let sine = sine(angle / 2.0 / std::f64::consts::TAU);
    let [x, y, z] = scale(axis, sine);
    [x, y, z, (1.0 - sine * sine).sqrt()]
}

/// The sine of so many full turns.
pub fn sine(turns: f64) -> f64 {
    let turns = turns - turns.floor();
    let (turns, sign) = if turns < 0.5 { (turns, 1.0) } else { (turns - 0.5, -1.0) };
    let x = if turns < 0.25 { turns } else { 0.5 - turns } * std::f64::consts::TAU;
    let terms = (1..10).rev().fold(1.0, |sum, term| {
        let n = f64::from(2 * term);
        1.0 - sum * x * x / (n * (n + 1.0))
    });
    sign * x * terms
}

pub fn cosine(turns: f64) -> f64 {
    sine(turns + 0.25)
}
