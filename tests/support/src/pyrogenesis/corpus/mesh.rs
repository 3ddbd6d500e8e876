//! Meshes that can be read, sound or not.

use super::super::build::{NONE, Pmd, Prop, State};
use super::{Case, Good, figure, figure_good, figure_with, long, ok, stone, stone_good, stone_with, uv_sets};

const SOURCE: &str = "pyrogenesis.md 3";

pub fn cases() -> Vec<Case> {
    let mut cases = shapes();
    cases.extend(versions());
    cases.extend(geometry());
    cases.extend(influences());
    cases.extend(bind_pose());
    cases.extend(props());
    cases
}

/// The figure, changed, with what that makes a reader find.
fn skinned(file: &'static str, about: &'static str, change: impl FnOnce(&mut Pmd), codes: &[&'static str]) -> Case {
    ok(file, about, SOURCE, figure_with(change), Good { findings: codes.to_vec(), ..figure_good() })
}

/// The box without bones, changed, with what that makes a reader find.
fn fixed(file: &'static str, about: &'static str, change: impl FnOnce(&mut Pmd), codes: &[&'static str]) -> Case {
    ok(file, about, SOURCE, stone_with(change), Good { findings: codes.to_vec(), ..stone_good() })
}

fn shapes() -> Vec<Case> {
    let with_uvs = |sets: u16| Good { uv_sets: Some(sets.into()), ..figure_good() };
    let no_uvs = |pmd: &mut Pmd| uv_sets(pmd, 0);
    let empty = |uv_sets| Pmd { uv_sets, vertices: Vec::new(), faces: Vec::new(), ..stone() };
    let empty_good = || Good { points: Some(0), faces: Some(0), uv_sets: Some(0), ..stone_good() };
    vec![
        skinned("pyrogenesis/pmd/skinned.pmd", "vertices on one to four bones, a prop on a bone", |_| {}, &[]),
        fixed("pyrogenesis/pmd/static.pmd", "no bones", |_| {}, &[]),
        ok(
            "pyrogenesis/pmd/uv_sets_0.pmd",
            "no texture coordinates",
            SOURCE,
            figure_with(no_uvs),
            Good { findings: vec!["no-uvs"], ..with_uvs(0) },
        ),
        ok(
            "pyrogenesis/pmd/uv_sets_2.pmd",
            "two texture coordinates per vertex",
            SOURCE,
            figure_with(|pmd| uv_sets(pmd, 2)),
            with_uvs(2),
        ),
        ok(
            "pyrogenesis/pmd/uv_sets_3.pmd",
            "three texture coordinates per vertex",
            SOURCE,
            figure_with(|pmd| uv_sets(pmd, 3)),
            with_uvs(3),
        ),
        ok(
            "pyrogenesis/pmd/odd_faces.pmd",
            "an odd number of faces, so that all that follows is off alignment",
            "pyrogenesis.md 0 (5)",
            figure_with(|pmd| pmd.faces.truncate(11)),
            Good { faces: Some(11), ..figure_good() },
        ),
        ok(
            "pyrogenesis/pmd/one_bone.pmd",
            "a single bone that moves everything",
            SOURCE,
            figure_with(|pmd| {
                pmd.bind.truncate(1);
                pmd.props.truncate(1);
                for vertex in &mut pmd.vertices {
                    (vertex.bones, vertex.weights) = ([0, NONE, NONE, NONE], [1.0, 0.0, 0.0, 0.0]);
                }
            }),
            Good { bones: Some(1), ..figure_good() },
        ),
        ok(
            "pyrogenesis/pmd/no_faces.pmd",
            "vertices that no face uses",
            SOURCE,
            stone_with(|pmd| pmd.faces.clear()),
            Good { faces: Some(0), ..stone_good() },
        ),
        ok("pyrogenesis/pmd/no_vertices.pmd", "no mesh, only a prop point", SOURCE, empty(1).build(), empty_good()),
        ok(
            "pyrogenesis/pmd/no_vertices_no_uvs.pmd",
            "texture coordinates that nothing misses",
            SOURCE,
            empty(0).build(),
            empty_good(),
        ),
        ok(
            "pyrogenesis/pmd/no_vertices_many_uvs.pmd",
            "more texture coordinates than a vertex could have, in none",
            SOURCE,
            empty(u32::MAX).build(),
            empty_good(),
        ),
    ]
}

fn versions() -> Vec<Case> {
    let old = |mut pmd: Pmd, version| {
        pmd.version = version;
        pmd.props.retain(|prop| prop.name != b"root");
        pmd.build()
    };
    let bare = |mut pmd: Pmd| {
        pmd.version = 3;
        pmd.props.clear();
        pmd.build()
    };
    vec![
        ok(
            "pyrogenesis/pmd/version_1.pmd",
            "vertices relative to the bind pose, no prop points",
            SOURCE,
            old(figure(), 1),
            figure_good(),
        ),
        ok(
            "pyrogenesis/pmd/version_1_static.pmd",
            "the first version, without bones",
            SOURCE,
            old(stone(), 1),
            stone_good(),
        ),
        ok(
            "pyrogenesis/pmd/version_2.pmd",
            "vertices relative to the bind pose, no root",
            SOURCE,
            old(figure(), 2),
            figure_good(),
        ),
        ok(
            "pyrogenesis/pmd/version_2_static.pmd",
            "the second version, without bones",
            SOURCE,
            old(stone(), 2),
            stone_good(),
        ),
        ok(
            "pyrogenesis/pmd/version_3.pmd",
            "vertices in model space",
            SOURCE,
            figure_with(|pmd| pmd.version = 3),
            figure_good(),
        ),
        ok(
            "pyrogenesis/pmd/version_3_no_props.pmd",
            "a root that neither the file nor the engine has",
            SOURCE,
            bare(figure()),
            figure_good(),
        ),
    ]
}

fn geometry() -> Vec<Case> {
    vec![
        fixed(
            "pyrogenesis/pmd/not_finite_position.pmd",
            "a vertex that is nowhere",
            |pmd| pmd.vertices[3].position[1] = f32::NAN,
            &["not-finite"],
        ),
        fixed(
            "pyrogenesis/pmd/not_finite_normal.pmd",
            "a zero normal that was divided by its length",
            |pmd| pmd.vertices[3].normal = [f32::NAN; 3],
            &["not-finite"],
        ),
        fixed(
            "pyrogenesis/pmd/not_finite_uv.pmd",
            "an infinite texture coordinate",
            |pmd| pmd.vertices[7].uvs[0][1] = f32::INFINITY,
            &["not-finite"],
        ),
        skinned(
            "pyrogenesis/pmd/not_finite_weight.pmd",
            "a weight that is no number",
            |pmd| pmd.vertices[4].weights[1] = f32::NAN,
            &["not-finite"],
        ),
        fixed(
            "pyrogenesis/pmd/normal_long.pmd",
            "a normal twice as long as it should be",
            |pmd| pmd.vertices[2].normal = [0.0, 2.0, 0.0],
            &["normal-unit"],
        ),
        fixed(
            "pyrogenesis/pmd/normal_zero.pmd",
            "a normal of no length",
            |pmd| pmd.vertices[2].normal = [0.0; 3],
            &["normal-unit"],
        ),
        fixed(
            "pyrogenesis/pmd/face_vertex.pmd",
            "a face past the last vertex",
            |pmd| pmd.faces[5][1] = 8,
            &["face-vertex"],
        ),
        fixed(
            "pyrogenesis/pmd/face_degenerate.pmd",
            "a face that uses a vertex twice",
            |pmd| pmd.faces[5] = [0, 3, 0],
            &["face-degenerate"],
        ),
        fixed(
            "pyrogenesis/pmd/static_bone.pmd",
            "a mesh without bones whose vertices name one",
            |pmd| (pmd.vertices[0].bones, pmd.vertices[0].weights) = ([9, 0, 1, 2], [0.5, 3.0, 0.0, 0.0]),
            &[],
        ),
    ]
}

fn influences() -> Vec<Case> {
    let blend = |file, about, bones: [u8; 4], weights: [f32; 4], codes: &[&'static str]| {
        let change = |pmd: &mut Pmd| (pmd.vertices[4].bones, pmd.vertices[4].weights) = (bones, weights);
        skinned(file, about, change, codes)
    };
    vec![
        blend(
            "pyrogenesis/pmd/model_bound.pmd",
            "a vertex that the whole model moves, and no bone",
            [3, NONE, NONE, NONE],
            [1.0, 0.0, 0.0, 0.0],
            &["model-bound"],
        ),
        blend(
            "pyrogenesis/pmd/model_bound_blend.pmd",
            "a vertex that the whole model moves, and a bone",
            [1, 3, NONE, NONE],
            [0.5, 0.5, 0.0, 0.0],
            &["model-bound"],
        ),
        blend(
            "pyrogenesis/pmd/weight_bone.pmd",
            "a vertex on a bone that is not there",
            [1, 4, NONE, NONE],
            [0.5, 0.5, 0.0, 0.0],
            &["weight-bone"],
        ),
        blend(
            "pyrogenesis/pmd/weight_gap.pmd",
            "leftovers after the first absent bone, which nobody reads",
            [1, NONE, 200, 0],
            [1.0, 0.0, 0.25, 0.0],
            &[],
        ),
        blend(
            "pyrogenesis/pmd/weight_gap_sum.pmd",
            "weight lost to the first absent bone",
            [1, NONE, 2, NONE],
            [0.75, 0.0, 0.25, 0.0],
            &["weight-sum"],
        ),
        blend(
            "pyrogenesis/pmd/weight_sum.pmd",
            "weights of 0.75 in all",
            [1, 2, NONE, NONE],
            [0.5, 0.25, 0.0, 0.0],
            &["weight-sum"],
        ),
        blend(
            "pyrogenesis/pmd/weight_sum_single.pmd",
            "one influence of 0.5, which the engine takes for 1",
            [1, NONE, NONE, NONE],
            [0.5, 0.0, 0.0, 0.0],
            &["weight-sum"],
        ),
        blend(
            "pyrogenesis/pmd/weight_sum_near.pmd",
            "weights that miss 1 by less than matters",
            [1, 2, NONE, NONE],
            [0.5, 0.495, 0.0, 0.0],
            &[],
        ),
        blend(
            "pyrogenesis/pmd/weight_value.pmd",
            "weights outside of 0 to 1 that sum to 1",
            [1, 2, NONE, NONE],
            [1.5, -0.5, 0.0, 0.0],
            &["weight-value"],
        ),
        blend(
            "pyrogenesis/pmd/vertex_unweighted.pmd",
            "a vertex that nothing moves",
            [NONE; 4],
            [0.0; 4],
            &["vertex-unweighted"],
        ),
    ]
}

fn bind_pose() -> Vec<Case> {
    vec![
        skinned(
            "pyrogenesis/pmd/not_finite_bind.pmd",
            "a bone that is nowhere",
            |pmd| pmd.bind[1].t[0] = f32::INFINITY,
            &["not-finite"],
        ),
        skinned(
            "pyrogenesis/pmd/rotation_zero.pmd",
            "a bone's rotation of no length",
            |pmd| pmd.bind[1].q = [0.0; 4],
            &["rotation-zero"],
        ),
        skinned(
            "pyrogenesis/pmd/rotation_unit.pmd",
            "a bone's rotation half as long as it should be",
            |pmd| pmd.bind[1].q = long(0.5),
            &["rotation-unit"],
        ),
    ]
}

fn props() -> Vec<Case> {
    let hook = |name: &[u8], bone| Prop::new(name, State::new([0.0, 1.0, 0.0], [0.6, 0.0, 0.0, 0.8]), bone);
    vec![
        skinned(
            "pyrogenesis/pmd/no_props.pmd",
            "the newest version, and no root all the same",
            |pmd| pmd.props.clear(),
            &[],
        ),
        skinned(
            "pyrogenesis/pmd/prop_names.pmd",
            "names of 1 to 5 bytes, each transform on another alignment",
            |pmd| {
                for name in [b"e".as_slice(), b"ey", b"eye", b"eyes", b"eyes2"] {
                    pmd.props.push(hook(name, 1));
                }
            },
            &[],
        ),
        skinned(
            "pyrogenesis/pmd/prop_name_case.pmd",
            "names that differ in letter case alone",
            |pmd| pmd.props.push(hook(b"HEAD", 1)),
            &[],
        ),
        skinned(
            "pyrogenesis/pmd/prop_name_nul.pmd",
            "a name with a NUL in it, other than the one before",
            |pmd| pmd.props.push(hook(b"head\0", 1)),
            &[],
        ),
        skinned(
            "pyrogenesis/pmd/name_duplicate.pmd",
            "two prop points of one name",
            |pmd| pmd.props.push(hook(b"head", 0)),
            &["name-duplicate"],
        ),
        skinned(
            "pyrogenesis/pmd/name_empty.pmd",
            "a prop point without a name",
            |pmd| pmd.props.push(hook(b"", 0)),
            &["name-empty"],
        ),
        skinned(
            "pyrogenesis/pmd/name_encoding.pmd",
            "a name in Windows-1252",
            |pmd| pmd.props.push(hook(b"t\xEAte", 2)),
            &["name-encoding"],
        ),
        skinned(
            "pyrogenesis/pmd/prop_bone.pmd",
            "a prop point on the bone after the last",
            |pmd| pmd.props[1].bone = 3,
            &["prop-bone"],
        ),
        fixed(
            "pyrogenesis/pmd/prop_bone_static.pmd",
            "a prop point on a bone of a mesh without any",
            |pmd| pmd.props[0].bone = 0,
            &["prop-bone"],
        ),
        fixed(
            "pyrogenesis/pmd/not_finite_prop.pmd",
            "a prop point that is nowhere",
            |pmd| pmd.props[0].at.t[2] = f32::NAN,
            &["not-finite"],
        ),
        fixed(
            "pyrogenesis/pmd/prop_rotation_zero.pmd",
            "a prop point's rotation of no length",
            |pmd| pmd.props[0].at.q = [0.0; 4],
            &["rotation-zero"],
        ),
        fixed(
            "pyrogenesis/pmd/prop_rotation_unit.pmd",
            "a prop point's rotation half as long again as it should be",
            |pmd| pmd.props[0].at.q = long(1.5),
            &["rotation-unit"],
        ),
    ]
}
