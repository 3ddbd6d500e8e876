//! Checks look at many records at once; what they find is what a test of one record after the other finds.

use std::collections::BTreeMap;

use proptest::prelude::*;
use skelmap::Finding;

use test_support::pyrogenesis::build::{NONE, Pmd, Psa, State};

/// For each section and code: the records.
type Found = BTreeMap<(String, &'static str), Vec<u64>>;

/// Compares the findings of the check, about the first record each, and those about each record.
fn same(check: &[Finding], each: &[Finding], expected: &Found) {
    let mut firsts = BTreeMap::new();
    for finding in check {
        let Some(index) = finding.index else { continue };
        let earlier = firsts.insert((finding.section.to_string(), finding.code.name()), (index, finding.count));
        assert_eq!(earlier, None, "one finding for each section and code");
    }
    let first = |records: &Vec<u64>| (records[0], records.len() as u64);
    let expected_firsts = expected.iter().map(|(key, records)| (key.clone(), first(records))).collect();
    assert_eq!(firsts, expected_firsts);
    let mut found = Found::new();
    for finding in each {
        let Some(index) = finding.index else { continue };
        assert_eq!(finding.count, 1);
        found.entry((finding.section.to_string(), finding.code.name())).or_default().push(index);
    }
    assert_eq!(found, *expected);
}

#[derive(Default)]
struct Expected(Found);

impl Expected {
    fn add_if(&mut self, wrong: bool, section: &str, code: &'static str, index: usize) {
        if wrong {
            self.0.entry((section.to_owned(), code)).or_default().push(index as u64);
        }
    }

    fn add_states(&mut self, section: &str, states: &[State]) {
        for (index, State { t, q }) in states.iter().enumerate() {
            let is_zero = q.iter().all(|part| *part == 0.0);
            self.add_if(!are_finite(t) || !are_finite(q), section, "not-finite", index);
            self.add_if(is_zero, section, "rotation-zero", index);
            self.add_if(are_finite(q) && !is_zero && !has_unit_length(q), section, "rotation-unit", index);
        }
    }

    /// What the docs of the codes say of a mesh without prop points.
    fn of_mesh(mesh: &Pmd) -> Found {
        let mut expected = Self::default();
        let bones = mesh.bind.len();
        for (index, vertex) in mesh.vertices.iter().enumerate() {
            let mut add = |wrong, code| expected.add_if(wrong, "vertices", code, index);
            let uvs = vertex.uvs.as_flattened();
            let parts: [&[f32]; 4] = [&vertex.position, &vertex.normal, &vertex.weights, uvs];
            add(!parts.iter().all(|part| are_finite(part)), "not-finite");
            add(are_finite(&vertex.normal) && !has_unit_length(&vertex.normal), "normal-unit");
            if bones == 0 {
                continue;
            }
            add(vertex.bones[0] == NONE, "vertex-unweighted");
            let used = vertex.bones.iter().position(|bone| *bone == NONE).unwrap_or(4);
            let mut total = 0.0;
            for at in 0..used {
                let (bone, weight) = (usize::from(vertex.bones[at]), vertex.weights[at]);
                add(bone > bones || bone == bones && mesh.version <= 2, "weight-bone");
                add(bone == bones && mesh.version > 2, "model-bound");
                add(!weight.is_nan() && !(-0.001..=1.001).contains(&weight), "weight-value");
                total += weight;
            }
            add(used > 0 && (total - 1.0).abs() > 0.01, "weight-sum");
        }
        for (index, [a, b, c]) in mesh.faces.iter().enumerate() {
            let is_past = |vertex: &u16| usize::from(*vertex) >= mesh.vertices.len();
            expected.add_if([a, b, c].into_iter().any(is_past), "faces", "face-vertex", index);
            expected.add_if(a == b || b == c || c == a, "faces", "face-degenerate", index);
        }
        expected.add_states("bind pose", &mesh.bind);
        expected.0
    }
}

fn are_finite(floats: &[f32]) -> bool {
    floats.iter().all(|float| !float.is_nan() && float.abs() != f32::INFINITY)
}

fn has_unit_length(vector: &[f32]) -> bool {
    let mut squared = 0.0;
    for part in vector {
        squared += part * part;
    }
    (squared - 1.0_f32).abs() <= 0.01
}

const ODD: [f32; 11] =
    [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, -f32::MAX, 0.0, -0.0, 0.5, 1.002, -0.002, 1e-40];

/// Changes one number of a mesh. `at` counts over all records of a kind.
fn change(mesh: &mut Pmd, kind: u8, at: usize, value: usize) {
    let float = ODD[value % ODD.len()];
    let vertex = at % mesh.vertices.len().max(1);
    let face = at % mesh.faces.len().max(1);
    let bone = at % mesh.bind.len().max(1);
    let uv = value % mesh.uv_sets.max(1) as usize;
    let bones = mesh.bind.len() as u8;
    let past = mesh.vertices.len() as u16;
    match (kind, mesh.vertices.get_mut(vertex), mesh.faces.get_mut(face), mesh.bind.get_mut(bone)) {
        (0, Some(vertex), ..) => vertex.position[at % 3] = float,
        (1, Some(vertex), ..) => vertex.normal[at % 3] = float,
        (2, Some(vertex), ..) => vertex.weights[at % 4] = float,
        (3, Some(vertex), ..) => vertex.bones[at % 4] = [bones, NONE, bones.wrapping_add(1), 0][value % 4],
        (4, Some(vertex), ..) if mesh.uv_sets > 0 => vertex.uvs[uv][at % 2] = float,
        (5, _, Some(face), _) => face[at % 3] = face[(at + 1) % 3],
        (6, _, Some(face), _) => face[at % 3] = [past, u16::MAX, past.wrapping_sub(1), 0][value % 4],
        (7, .., Some(state)) => state.t[at % 3] = float,
        (8, .., Some(state)) => state.q[at % 4] = float,
        (9, .., Some(state)) => state.q = [0.0; 4],
        _ => {}
    }
}

fn compare(mesh: &Pmd) {
    let bytes = mesh.build().bytes;
    let read = skelmap::pyrogenesis::Pmd::parse(&bytes).unwrap();
    // Those about the mesh as a whole have tests of their own.
    let is_of_record =
        |finding: &Finding| !["point-far", "mesh-scale", "mesh-axes", "mesh-winding"].contains(&finding.code.name());
    let [first, each] = [read.check(), read.check_each(usize::MAX)]
        .map(|found| found.into_iter().filter(is_of_record).collect::<Vec<_>>());
    same(&first, &each, &Expected::of_mesh(mesh));
}

fn mesh(vertices: u32, version: u32, uv_sets: u32, bones: u32) -> Pmd {
    let uv_sets = if version < 4 { 1 } else { uv_sets };
    let mut mesh = Pmd::grid(vertices.div_ceil(3), 3, bones, uv_sets);
    (mesh.version, mesh.props) = (version, Vec::new());
    mesh
}

/// A fault in each record of a mesh whose records are no whole number of blocks.
#[test]
fn one_fault_in_any_record_is_found() {
    for (uv_sets, bones) in [(0, 0), (1, 0), (2, 0), (3, 0), (1, 3), (2, 5)] {
        let sound = mesh(141, 4, uv_sets, bones);
        compare(&sound);
        for kind in 0..10 {
            for at in 0..sound.faces.len().max(sound.vertices.len()) {
                let mut mesh = sound.clone();
                change(&mut mesh, kind, at, at);
                compare(&mesh);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn findings_of_a_mesh_are_those_of_a_test_of_each_record(
        size in 1_u32..200,
        version in 1_u32..=4,
        (uv_sets, bones) in (0_u32..4, prop::sample::select(vec![0_u32, 0, 1, 3, 254])),
        changes in prop::collection::vec((0_u8..10, any::<usize>(), any::<usize>()), 0..12),
    ) {
        let mut mesh = mesh(size, version, uv_sets, bones);
        for (kind, at, value) in changes {
            change(&mut mesh, kind, at, value);
        }
        compare(&mesh);
    }

    #[test]
    fn findings_of_an_animation_are_those_of_a_test_of_each_record(
        bones in 1_u32..40,
        frames in 1_u32..9,
        changes in prop::collection::vec((any::<usize>(), 0_usize..9, 0..ODD.len()), 0..12),
    ) {
        let mut animation = Psa::walk(bones, frames);
        let count = animation.states.len();
        for (at, part, value) in changes {
            let State { t, q } = &mut animation.states[at % count];
            match part {
                0..3 => t[part] = ODD[value],
                3..7 => q[part - 3] = ODD[value],
                _ => *q = [0.0; 4],
            }
        }
        let bytes = animation.build().bytes;
        let read = skelmap::pyrogenesis::Psa::parse(&bytes).unwrap();
        let mut expected = Expected::default();
        expected.add_states("bone states", &animation.states);
        let poses: Vec<_> = animation.states.chunks(bones as usize).map(|frame| {
            frame.iter().map(|State { t, q }| (*t, *q)).collect::<Vec<_>>()
        }).collect();
        let is_still = poses.len() > 1 && poses.iter().all(|pose| *pose == poses[0]);
        // The number of the animation, which is alone.
        expected.add_if(is_still, "bone states", "no-motion", 0);
        same(&read.check(), &read.check_each(usize::MAX), &expected.0);
    }
}
