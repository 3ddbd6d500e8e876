//! What a mesh holds: the hierarchy, the bind pose, points, corners, morph targets, attachments and the box.

use skelmap::model::{Bounds, Mesh};

use super::super::compare::{ROUNDING, Target, matrix_of, same_bits, same_in_target, same_matrix, same_vector};
use super::super::naive;
use super::super::naive::math::{apply, is_moderate, length, wide};

pub(super) fn same_mesh(mesh: &Mesh<'_>, model: &naive::Mesh) {
    same_hierarchy(mesh, model);
    same_corners(mesh, model);
    for target in (model.rules.targets)() {
        same_values(&target.mesh(*mesh), model, &target);
    }
}

fn same_hierarchy(mesh: &Mesh<'_>, model: &naive::Mesh) {
    let skeleton = mesh.skeleton();
    assert_eq!((mesh.bone_count(), skeleton.bone_count()), (model.bones.len(), model.bones.len()));
    assert_eq!(skeleton.has_names(), model.rules.has_names);
    assert_eq!(skeleton.relative(), model.rules.relative);
    for (index, bone) in model.bones.iter().enumerate() {
        assert_eq!(skeleton.parent(index), bone.stored_parent, "the parent of bone {index}");
        let name = skeleton.name(index).map(|name| name.as_bytes().to_ascii_lowercase());
        assert_eq!(name.unwrap_or_default(), bone.name);
    }
    let order = skeleton.to_order();
    let wide = |bones: &[u32]| bones.iter().map(|bone| *bone as usize).collect::<Vec<_>>();
    assert_eq!((wide(&order.cut), wide(&order.orphans)), (model.cut.clone(), model.orphans.clone()));
    let mut places = vec![None; model.bones.len()];
    for (place, bone) in wide(&order.parents_first).into_iter().enumerate() {
        assert_eq!(places[bone].replace(place), None, "bone {bone} comes once");
    }
    for (index, bone) in model.bones.iter().enumerate() {
        assert!(places[index].is_some() && bone.parent.is_none_or(|parent| places[parent] < places[index]));
    }
}

fn same_corners(mesh: &Mesh<'_>, model: &naive::Mesh) {
    assert_eq!(mesh.point_count(), model.points.len());
    assert_eq!(mesh.vertex_count(), model.vertices.len());
    assert!(
        model.vertices.iter().enumerate().all(|(at, point)| mesh.point_of(at).map(|own| own as u64) == Some(*point))
    );
    assert_eq!(mesh.point_of(model.vertices.len()), None);
    assert_eq!(mesh.triangle_count(), model.triangles.len());
    for (at, (vertices, material)) in model.triangles.iter().enumerate() {
        let found = mesh.triangle(at).unwrap();
        assert_eq!((found.vertices, found.material), (*vertices, *material));
    }
    assert_eq!(mesh.triangle(model.triangles.len()), None);
    assert!(mesh.position(model.points.len()).is_none() && mesh.normal(model.points.len()).is_none());
    assert_eq!(mesh.normals().is_some(), model.normals.is_some());
    for set in 0..mesh.uv_set_count() {
        let length = model.uvs.as_ref().map_or(model.vertices.len(), |uvs| uvs[set]);
        assert_eq!(mesh.uvs(set).unwrap().len(), length);
    }
    assert!(model.uvs.as_ref().is_none_or(|uvs| uvs.len() == mesh.uv_set_count()));
    assert!(mesh.uvs(mesh.uv_set_count().max(1)).is_none());
}

/// A point or an offset in a target.
fn same_point(found: [f32; 3], expected: [f64; 3], target: &Target, what: &str) {
    if target.is_file() {
        same_bits(found, expected, what);
    } else if expected.iter().all(|x| is_moderate(*x)) {
        let error = ROUNDING * length(expected) * target.scale;
        same_vector(found, apply(&target.change, expected, 0.0), error, what);
    }
}

/// A direction in a target: as a point, but not scaled.
fn same_direction(found: [f32; 3], expected: [f64; 3], target: &Target, what: &str) {
    if target.is_file() {
        same_bits(found, expected, what);
    } else if expected.iter().all(|x| is_moderate(*x)) {
        let turned = apply(&target.change, expected, 0.0).map(|x| x / target.scale);
        same_vector(found, turned, ROUNDING * length(expected), what);
    }
}

fn same_values(mesh: &Mesh<'_>, model: &naive::Mesh, target: &Target) {
    for (at, point) in model.points.iter().enumerate() {
        same_point(mesh.position(at).unwrap(), wide(*point), target, "a position");
    }
    for (at, normal) in model.normals.iter().flatten().enumerate() {
        same_direction(mesh.normal(at).unwrap(), wide(*normal), target, "a normal");
    }
    let skeleton = mesh.skeleton();
    for (at, bone) in model.bones.iter().enumerate() {
        same_in_target(&skeleton.bind(at).unwrap(), &bone.bind, target, "a bind transform");
    }
    assert!(skeleton.bind(model.bones.len()).is_none());

    let morphs = mesh.to_morphs();
    assert_eq!(morphs.len(), model.morphs.len());
    for (morph, (name, deltas)) in morphs.iter().zip(&model.morphs) {
        assert_eq!((morph.name().as_bytes(), morph.deltas().len()), (name.as_slice(), deltas.len()));
        for (found, (point, position, normal)) in morph.deltas().zip(deltas) {
            assert_eq!(found.point, *point);
            same_point(found.position, *position, target, "a morph delta");
            same_direction(found.normal, *normal, target, "the normal of a morph delta");
        }
    }

    let attachments = mesh.to_attachments();
    assert_eq!(attachments.len(), model.attachments.len());
    for (found, (name, bone, matrix)) in attachments.iter().zip(&model.attachments) {
        assert_eq!((found.name.as_bytes(), found.bone), (name.as_slice(), *bone));
        let size = matrix.iter().flatten().fold(1.0_f64, |size, x| size.max(x.abs()));
        if matrix.iter().flatten().all(|x| x.is_finite()) && size < 1e6 {
            let (expected, moved) = (target.matrix(matrix), ROUNDING * size * 4.0 * target.scale);
            same_matrix(&matrix_of(&found.transform), &expected, ROUNDING * size * 4.0, moved, "an attachment");
        }
    }
    same_box(mesh, model, target);
}

fn same_box(mesh: &Mesh<'_>, model: &naive::Mesh, target: &Target) {
    let bounds = mesh.bounds();
    // Points relative to bones that do not exist have no place.
    let Some(rest) = &model.rest else { return assert!(bounds.is_none()) };
    let finite: Vec<_> = rest.iter().filter(|(point, _)| point.iter().all(|x| x.is_finite())).collect();
    if model.rest_size > 1e6 || finite.iter().any(|(point, _)| point.iter().any(|x| !is_moderate(*x))) {
        return;
    }
    let moved: Vec<_> = finite.iter().map(|(point, _)| apply(&target.change, *point, 1.0)).collect();
    let Some(Bounds { min, max }) = bounds else { return assert!(moved.is_empty()) };
    for axis in 0..3 {
        let axis_of = || moved.iter().map(|point| point[axis]);
        let (least, most) = (axis_of().fold(f64::INFINITY, f64::min), axis_of().fold(f64::NEG_INFINITY, f64::max));
        let error = ROUNDING * least.abs().max(most.abs()).max(model.rest_size * target.scale);
        assert!((f64::from(min[axis]) - least).abs() <= error && (f64::from(max[axis]) - most).abs() <= error);
    }
    if target.is_file() {
        let up = model.rules.up;
        assert_eq!(bounds.unwrap().height(&mesh.space()), max[up] - min[up]);
    }
}
