//! Tangents, averaged over the triangles of a vertex as `MikkTSpace` weighs them.

use alloc::{vec, vec::Vec};

use super::faces::{Draft, DraftPart, uv_area};
use super::to_usize;
use crate::model::maths::{acos64, cross64, dot64, narrowed, sqrt64};

/// The tangent of each vertex of the draft. Each triangle has the direction of u in its plane. For each corner, that direction goes into the plane of the
/// normal, with the angle of the corner as weight. O(vertices + triangles).
pub(super) fn to_tangents(
    draft: &Draft,
    position: impl Fn(u32) -> [f32; 3],
    normals: &[[f32; 3]],
    uvs: &[[f32; 2]],
) -> Vec<[f32; 4]> {
    let number = |vertex: u32| draft.numbers.get(to_usize(vertex)).copied().map(to_usize);
    let normal = |vertex: u32| normals.get(number(vertex)?).map(|normal| normal.map(f64::from));
    let place = |vertex: u32| draft.sources.get(number(vertex)?).map(|source| position(*source).map(f64::from));
    let uv = |vertex: u32| uvs.get(number(vertex)?).copied();
    let mut sums = vec![[0.0_f64; 3]; draft.numbers.len()];
    for corners in draft.parts.iter().flat_map(DraftPart::triangles) {
        let ([Some(a), Some(b), Some(c)], [Some(of_a), Some(of_b), Some(of_c)]) = (corners.map(place), corners.map(uv))
        else {
            continue;
        };
        let area = uv_area([of_a, of_b, of_c]);
        if area == 0.0 {
            // A texture without an area has no direction.
            continue;
        }
        let ([_, v], [_, v1], [_, v2]) = (of_a, of_b, of_c);
        let [t1, t2] = [v1, v2].map(|own| f64::from(own) - f64::from(v));
        let (one, two) = (minus(b, a), minus(c, a));
        let along = minus(one.map(|value| value * t2), two.map(|value| value * t1));
        let along = if area < 0.0 { along.map(|value| -value) } else { along };
        for (corner, (own, [next, last])) in corners.into_iter().zip([(a, [b, c]), (b, [c, a]), (c, [a, b])]) {
            let (Some(normal), Some(sum)) = (normal(corner), sums.get_mut(to_usize(corner))) else { continue };
            let flat = |vector| unit(minus(vector, normal.map(|value| value * dot64(normal, vector))));
            let (Some(along), Some(next), Some(last)) = (flat(along), flat(minus(next, own)), flat(minus(last, own)))
            else {
                continue;
            };
            let angle = acos64(dot64(next, last).clamp(-1.0, 1.0));
            sum.iter_mut().zip(along).for_each(|(sum, value)| *sum += value * angle);
        }
    }
    let tangent = |(vertex, sum): (u32, &[f64; 3])| {
        let normal = normal(vertex).unwrap_or([0.0, 0.0, 1.0]);
        let [x, y, z] = narrowed(unit(*sum).unwrap_or_else(|| any_across(normal)));
        let is_mirrored = number(vertex).and_then(|number| draft.mirrored.get(number)) == Some(&true);
        [x, y, z, if is_mirrored { -1.0 } else { 1.0 }]
    };
    (0..).zip(&sums).map(tangent).collect()
}

fn minus([ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3]) -> [f64; 3] {
    [ax - bx, ay - by, az - bz]
}

fn unit(vector: [f64; 3]) -> Option<[f64; 3]> {
    let length = sqrt64(dot64(vector, vector));
    (length.is_finite() && length > 1e-30).then(|| vector.map(|value| value / length))
}

/// A vector across a normal, where the texture has no direction.
fn any_across(normal: [f64; 3]) -> [f64; 3] {
    let [x, ..] = normal;
    let axis = if x.abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    unit(cross64(cross64(normal, axis), normal)).unwrap_or([1.0, 0.0, 0.0])
}
