//! Skins: influences, the bind pose and its inverse, and points and normals in a pose.

use skelmap::model::{Mesh, Skin, Transform};

use super::super::compare::{ROUNDING, Target, is_moderate, matrix_of, rows_of, same_matrix, same_vector};
use super::super::naive;
use super::super::naive::math::{M4, V3, apply, inverse, length, multiply, unit_or_identity};
use super::super::naive::pose::{Size, World, world};
use super::super::naive::rows::rows;
use super::Effort;

pub(super) fn same_skins(mesh: &Mesh<'_>, model: &naive::Mesh, effort: &Effort) {
    for (at, target) in (model.rules.targets)().iter().enumerate() {
        let own = target.mesh(*mesh);
        // All spaces with the last width, all widths in one space.
        for width in effort.widths.iter().rev().take(if at == 1 { effort.widths.len() } else { 1 }) {
            let Ok(skin) = Skin::new(&own, *width) else {
                assert!(model.rest.is_none(), "all bones of all points exist");
                continue;
            };
            assert!(model.rest.is_some(), "a point names a bone that does not exist");
            same_influences(&skin, model, *width);
            same_bind(&own, model, &skin, target);
            same_skinning(&own, model, &skin, skin.bind_pose(), target, *width);
            same_skinning(&own, model, &skin, &some_pose(skin.bind_pose()), target, *width);
        }
    }
}

fn same_influences(skin: &Skin, model: &naive::Mesh, width: usize) {
    let (found, expected) = (skin.influences(), rows(model, width));
    let dropped = found.dropped();
    assert_eq!((dropped.out_of_range, dropped.weightless), (expected.out_of_range, expected.weightless));
    assert_eq!((dropped.merged, dropped.weaker), (expected.merged, expected.weaker));
    assert_eq!(dropped.unweighted_points, expected.unweighted_points);
    let longest = expected.rows.iter().map(Vec::len).max().unwrap_or(1);
    assert_eq!(found.width(), longest);
    assert_eq!(found.bones().len(), longest * model.points.len());
    let found = found.bones().chunks(longest).zip(found.weights().chunks(longest));
    for ((bones, weights), row) in found.zip(&expected.rows) {
        let own = || bones.iter().zip(weights);
        assert!(own().zip(row).all(|((bone, _), (expected, _))| usize::from(*bone) == *expected), "{bones:?} {row:?}");
        let near =
            |((_, weight), (_, expected)): ((&u16, &f32), &(usize, f64))| (f64::from(*weight) - expected).abs() < 1e-6;
        assert!(own().zip(row).all(near), "{weights:?} {row:?}");
        assert!(own().skip(row.len()).all(|(bone, weight)| (*bone, *weight) == (0, 0.0)));
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{weights:?}");
    }
}

/// Some pose that is far from the bind pose: turned, moved, and stretched by another factor along each axis.
fn some_pose(bind: &[Transform]) -> Vec<Transform> {
    let pose = bind.iter().enumerate().map(|(bone, own)| {
        let at = (bone % 7) as f32;
        let [x, y, z, w] = own.rotation;
        let turned = unit_or_identity([y + 0.3 * at, -x, w + 0.1, z].map(f64::from));
        Transform {
            translation: own.translation.map(|x| x * 0.75 + 0.1 * at),
            rotation: turned.map(|x| x as f32),
            scale: [1.0, 1.0 - 0.0625 * at, 1.0 + 0.03125 * at],
        }
    });
    pose.collect()
}

fn bind_world(model: &naive::Mesh, target: &Target) -> Option<World> {
    // Next to no scale has no inverse.
    let has_inverse = |scale: &f64| (0.01..=100.0).contains(&scale.abs());
    let is_sound = model.bones.iter().all(|bone| is_moderate(&bone.bind) && bone.bind.s.iter().all(has_inverse));
    let local = model.bones.iter().map(|bone| target.matrix(&bone.bind.with_unit_rotation().matrix()));
    is_sound.then(|| world(model, &local.collect::<Vec<M4>>()))
}

fn same_bind(mesh: &Mesh<'_>, model: &naive::Mesh, skin: &Skin, target: &Target) {
    let count = model.bones.len();
    assert_eq!((skin.bone_count(), skin.matrix_count(), skin.bind_pose().len()), (count, count + 1, count));
    if let Some(bind) = bind_world(model, target) {
        for bone in 0..count {
            let Size { reach, depth, .. } = bind.sizes[bone];
            let expected = inverse(&bind.matrices[bone]).unwrap();
            let found = rows_of(&skin.inverse_bind()[bone]);
            same_matrix(&found, &expected, ROUNDING * depth, ROUNDING * depth * reach, "an inverse bind matrix");
        }
    }
    let mut rest = vec![[f32::NAN; 3]; model.points.len()];
    skin.rest_positions(mesh, &mut rest).unwrap();
    for (found, (expected, _)) in rest.iter().zip(model.rest.iter().flatten()) {
        let error = if model.rest_size == 0.0 { 0.0 } else { ROUNDING * model.rest_size };
        if error.is_finite() && model.rest_size < 1e12 && expected.iter().all(|x| naive::math::is_moderate(*x)) {
            same_vector(*found, *expected, error, "a position at rest");
        }
    }
}

/// Model matrices, skinning matrices, points and normals of a pose.
pub(super) fn same_skinning(
    mesh: &Mesh<'_>,
    model: &naive::Mesh,
    skin: &Skin,
    pose: &[Transform],
    target: &Target,
    width: usize,
) {
    let count = model.bones.len();
    // What the buffers held before does not count.
    let garbage = [f32::NAN; 16];
    let (mut places, mut matrices) = (vec![garbage; count], vec![garbage; count + 1]);
    skin.model_matrices(pose, &mut places).unwrap();
    skin.matrices(pose, &mut matrices).unwrap();
    let mut positions = vec![[f32::NAN; 3]; model.points.len()];
    let mut normals = positions.clone();
    skin.positions(mesh, &matrices, &mut positions).unwrap();
    let has_normals = skin.normals(mesh, &matrices, &mut normals).unwrap();
    assert_eq!(has_normals, model.normals.is_some());
    same_from(skin, mesh, &matrices, &positions);

    let numbers = pose.iter().flat_map(|own| own.translation.into_iter().chain(own.scale));
    let is_moderate_pose = numbers.into_iter().all(|x| naive::math::is_moderate(f64::from(x) / target.scale));
    let Some(bind) = bind_world(model, target).filter(|_| is_moderate_pose) else { return };
    let posed = world(model, &pose.iter().map(matrix_of).collect::<Vec<_>>());
    if posed.sizes.iter().any(|size| size.stretch > 1e12 || size.reach > 1e12 || size.depth > 2000.0) {
        return;
    }
    // Each bone, and the model.
    let mut moves: Vec<(M4, Size)> = Vec::new();
    for bone in 0..count {
        let (own, rest) = (posed.sizes[bone], bind.sizes[bone]);
        let (linear, moved) = (ROUNDING * own.depth * own.stretch, ROUNDING * own.depth * own.reach);
        same_matrix(&rows_of(&places[bone]), &posed.matrices[bone], linear, moved, "a bone in the model");
        let size = Size {
            stretch: own.stretch,
            reach: own.reach + own.stretch * rest.reach,
            depth: own.depth + rest.depth + 1.0,
        };
        let back = inverse(&bind.matrices[bone]).expect("a rotation and a translation");
        let matrix = multiply(&multiply(&posed.matrices[bone], &back), &target.change);
        let (linear, moved) = (ROUNDING * size.depth * size.stretch, ROUNDING * size.depth * size.reach);
        same_matrix(&rows_of(&matrices[bone]), &matrix, linear * target.scale, moved, "a skinning matrix");
        moves.push((matrix, size));
    }
    moves.push((target.change, Size { stretch: 1.0, reach: 0.0, depth: 1.0 }));
    same_matrix(&rows_of(&matrices[count]), &target.change, ROUNDING * target.scale, 0.0, "the matrix of the model");

    let rest = model.rest.as_ref().expect("a skin was made of it");
    let rows = rows(model, width).rows;
    for (point, (position, normal)) in rest.iter().enumerate() {
        let is_sound =
            |v: &V3| v.iter().all(|x| naive::math::is_moderate(*x) || x.abs() < 1e-6) && model.rest_size < 1e9;
        let mut sum = [0.0; 3];
        let mut turned = [0.0; 3];
        let (mut error, mut turn_error) = (0.0, 0.0);
        for (bone, weight) in &rows[point] {
            let (matrix, size) = &moves[*bone];
            let (moved, with) = (apply(matrix, *position, 1.0), apply(matrix, *normal, 0.0));
            for axis in 0..3 {
                sum[axis] += weight * moved[axis];
                turned[axis] += weight * with[axis] / target.scale;
            }
            let length_of = length(*position) + model.rest_size;
            error += ROUNDING * (size.depth + 2.0) * (size.reach + size.stretch * target.scale * length_of);
            turn_error += ROUNDING * (size.depth + 2.0) * size.stretch * (length(*normal) + model.rest_size);
        }
        if is_sound(position) {
            same_vector(positions[point], sum, error, "a point in a pose");
        }
        // A normal that nearly vanishes has no direction.
        if has_normals && is_sound(normal) && length(*normal) > 1e-6 && turn_error < 0.01 * length(turned) {
            let unit = turned.map(|x| x / length(turned));
            same_vector(normals[point], unit, 2.0 * turn_error / length(turned) + ROUNDING, "a normal in a pose");
        }
    }
}

/// The positions at rest, given by the caller, move as the mesh does.
fn same_from(skin: &Skin, mesh: &Mesh<'_>, matrices: &[[f32; 16]], expected: &[[f32; 3]]) {
    let mut rest = vec![[0.0; 3]; expected.len()];
    let mut found = rest.clone();
    skin.rest_positions(mesh, &mut rest).unwrap();
    skin.positions_from(&rest, matrices, &mut found).unwrap();
    let bits = |positions: &[[f32; 3]]| crate::any_bytes::comparable(positions.as_flattened());
    assert_eq!(bits(&found), bits(expected));
}
