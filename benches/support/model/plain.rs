//! The plain code that the model competes with: the same arithmetic over vectors that were parsed beforehand.

use skelmap::model::{Binding, Clip, Matrix, Mesh, Skin, Transform};

use super::scenes::INFLUENCES;

/// A parsed key.
#[derive(Clone, Copy)]
pub struct Key {
    translation: [f32; 3],
    rotation: [f32; 4],
}

/// A parsed animation: a key for each bone, frame after frame.
pub struct PlainClip {
    pub keys: Vec<Key>,
    pub bones: usize,
    frames: usize,
    rate: f64,
}

impl PlainClip {
    pub fn new(clip: &Clip<'_>) -> Self {
        let (bones, frames) = (clip.track_count(), clip.frame_count());
        let keys = (0..frames).flat_map(|frame| (0..bones).filter_map(move |track| clip.transform(frame, track)));
        let keys = keys.map(|Transform { translation, rotation, .. }| Key { translation, rotation }).collect();
        Self { keys, bones, frames, rate: clip.rate().expect("the clip has a rate") }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "the position is between 0 and the last frame"
    )]
    fn rows(&self, seconds: f64) -> (&[Key], &[Key], f32) {
        let last = self.frames - 1;
        let position = (seconds * self.rate).clamp(0.0, last as f64);
        let first = position as usize;
        let row = |frame: usize| &self.keys[frame * self.bones..][..self.bones];
        (row(first), row((first + 1).min(last)), (position - first as f64) as f32)
    }

    /// The transform of every bone.
    #[inline(never)]
    pub fn sample(&self, seconds: f64, out: &mut [Transform]) {
        let (first, second, weight) = self.rows(seconds);
        for (out, (first, second)) in out.iter_mut().zip(first.iter().zip(second)) {
            *out = blend(first, second, weight);
        }
    }

    /// The transform of every bone, as exact as the model gives it.
    #[inline(never)]
    pub fn sample_exact(&self, seconds: f64, out: &mut [Transform]) {
        let (first, second, weight) = self.rows(seconds);
        for (out, (first, second)) in out.iter_mut().zip(first.iter().zip(second)) {
            *out = blend_exactly(first, second, weight);
        }
    }

    /// The transform of every bone of a mesh.
    #[inline(never)]
    pub fn sample_bound(&self, table: &PlainTable, seconds: f64, out: &mut [Transform]) {
        let (first, second, weight) = self.rows(seconds);
        for (out, (track, bind)) in out.iter_mut().zip(table) {
            *out = track.map_or(*bind, |track| blend(&first[track], &second[track], weight));
        }
    }
}

/// For each bone its track, and its transform at rest.
pub type PlainTable = Vec<(Option<usize>, Transform)>;

pub fn table(binding: &Binding, skin: &Skin) -> PlainTable {
    (0..).map(|bone| binding.track_of(bone)).zip(skin.bind_pose().iter().copied()).collect()
}

/// Two keys, the shorter way, to unit length.
#[inline]
fn blend(first: &Key, second: &Key, weight: f32) -> Transform {
    let ([ax, ay, az, aw], [bx, by, bz, bw]) = (first.rotation, second.rotation);
    let a = 1.0 - weight;
    let b = weight.copysign(ax * bx + ay * by + az * bz + aw * bw);
    let [x, y, z, w] = [a * ax + b * bx, a * ay + b * by, a * az + b * bz, a * aw + b * bw];
    let scale = 1.0 / (x * x + y * y + z * z + w * w).sqrt();
    let ([ax, ay, az], [bx, by, bz]) = (first.translation, second.translation);
    Transform::new(
        [ax + (bx - ax) * weight, ay + (by - ay) * weight, az + (bz - az) * weight],
        [x * scale, y * scale, z * scale, w * scale],
    )
}

/// Two keys of any length, the shorter way on the arc, or on the line where the two are near.
#[inline]
fn blend_exactly(first: &Key, second: &Key, weight: f32) -> Transform {
    let unit = |rotation: [f32; 4]| {
        let scale = 1.0 / rotation.iter().map(|value| value * value).sum::<f32>().sqrt();
        rotation.map(|value| value * scale)
    };
    let (first_unit, second_unit) = (unit(first.rotation), unit(second.rotation));
    let cosine: f32 = first_unit.iter().zip(second_unit).map(|(a, b)| a * b).sum();
    let first = Key { rotation: first_unit, ..*first };
    let second = Key { rotation: second_unit, ..*second };
    if cosine.abs() > 0.9995 {
        return blend(&first, &second, weight);
    }
    let angle = cosine.abs().acos();
    let [a, b] = [1.0 - weight, weight].map(|weight| (weight * angle).sin() / angle.sin());
    let b = b.copysign(cosine);
    let rotation = std::array::from_fn(|at| a * first.rotation[at] + b * second.rotation[at]);
    Transform { rotation, ..blend(&first, &second, weight) }
}

/// A parsed mesh with its bones.
pub struct PlainMesh {
    pub parents: Vec<Option<usize>>,
    pub inverse_bind: Vec<Matrix>,
    pub points: Vec<[f32; 3]>,
    pub bones: Vec<[u16; INFLUENCES]>,
    pub weights: Vec<[f32; INFLUENCES]>,
}

impl PlainMesh {
    pub fn new(mesh: &Mesh<'_>, skin: &Skin) -> Self {
        let (bones, weights) = (skin.influences().bones(), skin.influences().weights());
        Self {
            parents: (0..mesh.bone_count()).map(|bone| mesh.skeleton().parent(bone)).collect(),
            inverse_bind: skin.inverse_bind().to_vec(),
            points: (0..mesh.point_count()).filter_map(|point| mesh.position(point)).collect(),
            bones: bones.chunks_exact(INFLUENCES).map(|row| [row[0], row[1], row[2], row[3]]).collect(),
            weights: weights.chunks_exact(INFLUENCES).map(|row| [row[0], row[1], row[2], row[3]]).collect(),
        }
    }

    /// The matrices of the model and those that move points. Every bone comes after its parent.
    #[inline(never)]
    pub fn matrices(&self, pose: &[Transform], model: &mut [Matrix], matrices: &mut [Matrix]) {
        for (bone, (pose, parent)) in pose.iter().zip(&self.parents).enumerate() {
            let local = pose.to_matrix();
            model[bone] = parent.map_or(local, |parent| product(&model[parent], &local));
        }
        for (out, (model, inverse)) in matrices.iter_mut().zip(model.iter().zip(&self.inverse_bind)) {
            *out = product(model, inverse);
        }
    }

    /// The points in a pose.
    #[inline(never)]
    pub fn skin(&self, matrices: &[Matrix], out: &mut [[f32; 3]]) {
        let rows = self.points.iter().zip(self.bones.iter().zip(&self.weights));
        for (out, (&[x, y, z], (bones, weights))) in out.iter_mut().zip(rows) {
            let mut sum = [0.0; 16];
            for (bone, weight) in bones.iter().zip(weights) {
                for (sum, value) in sum.iter_mut().zip(&matrices[usize::from(*bone)]) {
                    *sum += value * weight;
                }
            }
            *out = [0, 1, 2].map(|row| sum[row] * x + sum[4 + row] * y + sum[8 + row] * z + sum[12 + row]);
        }
    }

    /// Bytes that skinning reads and writes: points, bones and weights once, all matrices once, and the result.
    pub fn bytes(&self) -> usize {
        let points = size_of_val(self.points.as_slice());
        2 * points
            + size_of_val(self.bones.as_slice())
            + size_of_val(self.weights.as_slice())
            + size_of_val(self.inverse_bind.as_slice())
    }
}

/// The product of two affine transforms.
fn product(left: &Matrix, right: &Matrix) -> Matrix {
    let mut out = [0.0; 16];
    for (out, right) in out.chunks_exact_mut(4).zip(right.chunks_exact(4)) {
        for (row, out) in out.iter_mut().enumerate() {
            *out =
                left[row] * right[0] + left[4 + row] * right[1] + left[8 + row] * right[2] + left[12 + row] * right[3];
        }
    }
    out
}
