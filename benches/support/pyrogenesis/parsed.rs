//! The usual way to use such a file: field by field into structs, then plain loops over them.
//!
//! The formulas are those of the Pyrogenesis reference, sections 2 and 3, written down without the crate.

use skelmap::pyrogenesis::{Matrix, Pmd, Psa, SkinnedVertex};

/// A bone index that names nothing.
const NONE: u8 = 0xFF;

struct State {
    translation: [f32; 3],
    rotation: [f32; 4],
}

pub struct Animation {
    frame_length: f32,
    bones: usize,
    frames: usize,
    states: Vec<State>,
}

impl Animation {
    pub fn new(file: &Psa<'_>) -> Self {
        let states =
            file.states().iter().map(|state| State { translation: state.translation(), rotation: state.rotation() });
        Self {
            frame_length: file.frame_length_ms(),
            bones: file.bone_count(),
            frames: file.frame_count(),
            states: states.collect(),
        }
    }

    /// The pose at a time of a loop.
    #[inline(never)]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "as there"
    )]
    pub fn pose(&self, time: f32, out: &mut [Matrix]) {
        let at = time / self.frame_length;
        let whole = at as i32;
        let between = at - whole as f32;
        let frame = whole as usize % self.frames;
        let next = (frame + 1) % self.frames;
        let start = &self.states[frame * self.bones..][..self.bones];
        let end = &self.states[next * self.bones..][..self.bones];
        for ((out, a), b) in out.iter_mut().zip(start).zip(end) {
            let [ax, ay, az] = a.translation;
            let [bx, by, bz] = b.translation;
            let translation = [ax + (bx - ax) * between, ay + (by - ay) * between, az + (bz - az) * between];
            *out = matrix(slerp(a.rotation, b.rotation, between), translation);
        }
    }
}

fn slerp([ax, ay, az, aw]: [f32; 4], [mut bx, mut by, mut bz, mut bw]: [f32; 4], between: f32) -> [f32; 4] {
    let mut cosine = ax * bx + ay * by + az * bz + aw * bw;
    if cosine < 0.0 {
        cosine = -cosine;
        (bx, by, bz, bw) = (-bx, -by, -bz, -bw);
    }
    let (mut s, mut t) = (1.0 - between, between);
    if 1.0 - cosine > 0.0001 {
        let angle = cosine.acos();
        let sine = angle.sin();
        s = (s * angle).sin() / sine;
        t = (t * angle).sin() / sine;
    }
    [s * ax + t * bx, s * ay + t * by, s * az + t * bz, s * aw + t * bw]
}

fn matrix([x, y, z, w]: [f32; 4], [tx, ty, tz]: [f32; 3]) -> Matrix {
    let (xx, yy, zz) = (x * x * 2.0, y * y * 2.0, z * z * 2.0);
    let (xy, xz, yz) = (x * y * 2.0, x * z * 2.0, y * z * 2.0);
    let (xw, yw, zw) = (x * w * 2.0, y * w * 2.0, z * w * 2.0);
    let first = [1.0 - (yy + zz), xy + zw, xz - yw, 0.0];
    let second = [xy - zw, 1.0 - (xx + zz), yz + xw, 0.0];
    let third = [xz + yw, yz - xw, 1.0 - (xx + yy), 0.0];
    let [[a, b, c, d], [e, f, g, h], [i, j, k, l]] = [first, second, third];
    [a, b, c, d, e, f, g, h, i, j, k, l, tx, ty, tz, 1.0]
}

struct Vertex {
    position: [f32; 3],
    normal: [f32; 3],
    bones: [u8; 4],
    weights: [f32; 4],
}

pub struct Mesh {
    vertices: Vec<Vertex>,
}

impl Mesh {
    pub fn new(file: &Pmd<'_>) -> Self {
        let vertices = file.vertices().iter().map(|vertex| Vertex {
            position: vertex.position(),
            normal: vertex.normal(),
            bones: vertex.blend().bones(),
            weights: vertex.blend().weights(),
        });
        Self { vertices: vertices.collect() }
    }

    #[inline(never)]
    pub fn skin(&self, matrices: &[Matrix], out: &mut [SkinnedVertex]) {
        for (out, vertex) in out.iter_mut().zip(&self.vertices) {
            let first = &matrices[usize::from(vertex.bones[0])];
            if vertex.bones[1] == NONE {
                *out = SkinnedVertex {
                    position: transformed(first, vertex.position),
                    normal: rotated(first, vertex.normal),
                };
                continue;
            }
            let mut matrix = first.map(|element| element * vertex.weights[0]);
            for (bone, weight) in vertex.bones.into_iter().zip(vertex.weights).skip(1) {
                if bone == NONE {
                    break;
                }
                for (sum, element) in matrix.iter_mut().zip(&matrices[usize::from(bone)]) {
                    *sum += element * weight;
                }
            }
            let [x, y, z] = rotated(&matrix, vertex.normal);
            let scale = 1.0 / (x * x + y * y + z * z).sqrt();
            *out = SkinnedVertex {
                position: transformed(&matrix, vertex.position),
                normal: [x * scale, y * scale, z * scale],
            };
        }
    }
}

fn transformed(matrix: &Matrix, vector: [f32; 3]) -> [f32; 3] {
    let [x, y, z] = rotated(matrix, vector);
    [x + matrix[12], y + matrix[13], z + matrix[14]]
}

fn rotated(matrix: &Matrix, [x, y, z]: [f32; 3]) -> [f32; 3] {
    let [a0, a1, a2, _, b0, b1, b2, _, c0, c1, c2, ..] = *matrix;
    [a0 * x + b0 * y + c0 * z, a1 * x + b1 * y + c1 * z, a2 * x + b2 * y + c2 * z]
}
