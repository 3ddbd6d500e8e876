//! Meshes that can be read but do not add up: one finding each, or those that cannot come alone.

use super::super::build::{Face, Mesh, Socket, Weight};
use super::sample::{changed, colors, figure, figure_good, morphs, normals, uvs};
use super::{Case, ok};

pub fn cases() -> Vec<Case> {
    let mut cases = geometry();
    cases.extend(skeletons());
    cases.extend(influences());
    cases.extend(optional_chunks());
    cases
}

fn case(
    file: &'static str,
    about: &'static str,
    source: &'static str,
    bytes: impl Into<Vec<u8>>,
    findings: &[&'static str],
) -> Case {
    ok(file, about, source, bytes, figure_good().findings(findings))
}

fn geometry() -> Vec<Case> {
    vec![
        case(
            "actorx/mesh/point_nan.psk",
            "a point that is not a number",
            "actorx.md 3.1",
            changed(|mesh| mesh.points[3][1] = f32::from_bits(0x7FC0_0000)),
            &["not-finite"],
        ),
        case(
            "actorx/mesh/wedge_point.psk",
            "a wedge at a point that is not there",
            "actorx.md 7 (11)",
            changed(|mesh| mesh.wedges[5].point = 8),
            &["wedge-point"],
        ),
        case(
            "actorx/mesh/face_wedge.psk",
            "a face with a wedge that is not there",
            "actorx.md 7 (11)",
            changed(|mesh| mesh.faces[4].wedges[2] = 24),
            &["face-wedge"],
        ),
        case(
            "actorx/mesh/face_material.psk",
            "a face with a material that is not there",
            "actorx.md 7 (11)",
            changed(|mesh| mesh.faces[4].material = 2),
            &["face-material"],
        ),
        case(
            "actorx/mesh/face_degenerate.psk",
            "a face with the same wedge twice",
            "actorx.md 3.4",
            changed(|mesh| mesh.faces[4] = Face::new([8, 9, 8], 0)),
            &["face-degenerate"],
        ),
    ]
}

fn skeletons() -> Vec<Case> {
    vec![
        case(
            "actorx/mesh/parent_after_child.psk",
            "a bone that comes before its parent",
            "actorx.md 3.6",
            changed(|mesh| {
                mesh.bones[1].parent = 2;
                mesh.bones[2].parent = 0;
            }),
            &["bone-order"],
        ),
        case(
            "actorx/mesh/several_roots.psk",
            "a second bone without a parent",
            "actorx.md 3.6",
            changed(|mesh| mesh.bones[2].parent = -1),
            &["bone-extra-root"],
        ),
        case(
            "actorx/mesh/bone_cycle.psk",
            "two bones that are each other's parent",
            "actorx.md 3.6",
            changed(|mesh| {
                mesh.bones[2].parent = 3;
                mesh.bones[3].parent = 2;
            }),
            &["bone-cycle", "bone-order", "bone-unreachable"],
        ),
        case(
            "actorx/mesh/bone_unreachable.psk",
            "two bones below a second root",
            "actorx.md 3.6",
            changed(|mesh| mesh.bones[1].parent = -1),
            &["bone-extra-root", "bone-unreachable"],
        ),
        case(
            "actorx/mesh/bone_parent.psk",
            "a parent that is not there",
            "actorx.md 3.6",
            changed(|mesh| mesh.bones[3].parent = 4),
            &["bone-extra-root", "bone-parent"],
        ),
        case(
            "actorx/mesh/bone_own_parent.psk",
            "a bone other than the first that is its own parent",
            "actorx.md 3.6",
            changed(|mesh| mesh.bones[2].parent = 2),
            &["bone-extra-root", "bone-parent"],
        ),
        case(
            "actorx/mesh/rotation_zero.psk",
            "a rotation of all zeros",
            "actorx.md 4",
            changed(|mesh| mesh.bones[2].rotation = [0.0; 4]),
            &["rotation-zero"],
        ),
        case(
            "actorx/mesh/rotation_unit.psk",
            "a rotation that is not of unit length",
            "actorx.md 3.6",
            changed(|mesh| mesh.bones[2].rotation = [0.0, 0.0, 0.5, 1.0]),
            &["rotation-unit"],
        ),
    ]
}

fn influences() -> Vec<Case> {
    let extra = |point, bone| changed(|mesh: &mut Mesh| mesh.weights.push(Weight { weight: 0.0, point, bone }));
    vec![
        case(
            "actorx/mesh/weight_point.psk",
            "an influence on a point that is not there",
            "actorx.md 7 (11)",
            extra(8, 0),
            &["weight-point"],
        ),
        case(
            "actorx/mesh/weight_point_negative.psk",
            "an influence on a negative point",
            "actorx.md 3.7",
            extra(-1, 0),
            &["weight-point"],
        ),
        case(
            "actorx/mesh/weight_bone.psk",
            "an influence of a bone that is not there",
            "actorx.md 7 (11)",
            extra(0, 4),
            &["weight-bone"],
        ),
        case(
            "actorx/mesh/weight_sum.psk",
            "influences that do not add up to one",
            "actorx.md 3.7",
            changed(|mesh| mesh.weights[0].weight = 0.5),
            &["weight-sum"],
        ),
        case(
            "actorx/mesh/weight_value.psk",
            "influences outside 0 to 1 that add up to one all the same",
            "actorx.md 3.7",
            changed(|mesh| {
                mesh.weights[0].weight = 1.5;
                mesh.weights.push(Weight { weight: -0.5, point: 0, bone: 1 });
            }),
            &["weight-value"],
        ),
        case(
            "actorx/mesh/point_unweighted.psk",
            "a point that no bone moves",
            "actorx.md 3.7",
            changed(|mesh| {
                mesh.weights.remove(3);
            }),
            &["point-unweighted"],
        ),
    ]
}

fn optional_chunks() -> Vec<Case> {
    let mesh = figure();
    let mut flat = normals();
    flat[2] = [0.0; 3];
    let mut divided = normals();
    divided[2] = [f32::from_bits(0x7FC0_0000); 3];
    let (infos, deltas) = morphs();
    let mut astray = deltas.clone();
    astray[1].point = 8;
    let mut miscounted = infos.clone();
    miscounted[1].count = 2;
    vec![
        case(
            "actorx/mesh/normal_zero.pskx",
            "a normal of no length",
            "actorx.md 3.10",
            mesh.chunks().records("VTXNORMS", &flat),
            &["normal-unit"],
        ),
        case(
            "actorx/mesh/normal_nan.pskx",
            "a zero normal that was divided by its length",
            "actorx.md 3.10",
            mesh.chunks().records("VTXNORMS", &divided),
            &["not-finite"],
        ),
        ok(
            "actorx/mesh/count_colors.psk",
            "fewer colours than wedges",
            "actorx.md 3.8",
            mesh.chunks().records("VERTEXCOLOR", &colors()[..20]),
            figure_good().quirks(&["count-mismatch"]),
        ),
        ok(
            "actorx/mesh/count_uvs.psk",
            "fewer extra coordinates than wedges",
            "actorx.md 3.9",
            mesh.chunks().records("EXTRAUVS0", &uvs(0.5)[..23]),
            figure_good().quirks(&["count-mismatch"]),
        ),
        ok(
            "actorx/mesh/count_normals.pskx",
            "fewer normals than points",
            "actorx.md 3.10",
            mesh.chunks().records("VTXNORMS", &normals()[..7]),
            figure_good().quirks(&["count-mismatch"]),
        ),
        case(
            "actorx/mesh/morph_point.pskx",
            "a delta for a point that is not there",
            "actorx.md 3.11",
            mesh.chunks().records("MRPHINFO", &infos).records("MRPHDATA", &astray),
            &["morph-point"],
        ),
        case(
            "actorx/mesh/morph_count.pskx",
            "morphs that count one delta more than there are",
            "actorx.md 3.11",
            mesh.chunks().records("MRPHINFO", &miscounted).records("MRPHDATA", &deltas),
            &["morph-count"],
        ),
        case(
            "actorx/mesh/socket_bone.pskx",
            "a socket on a bone that is not there",
            "actorx.md 3.12",
            mesh.chunks().records("SKELSOCK", &[Socket::new("Hat", "Tail", [0.0; 3])]),
            &["socket-bone"],
        ),
        case(
            "actorx/mesh/socket_bone_case.pskx",
            "a socket that writes its bone in other letter case",
            "actorx.md 1.3",
            mesh.chunks().records("SKELSOCK", &[Socket::new("Hat", "HEAD", [0.0; 3])]),
            &[],
        ),
    ]
}
