//! Compares files of 0 A.D. with the tolerances of the reference for writing (section 6).

use skelmap::Vec2;
use skelmap::pyrogenesis::{BoneState, NO_BONE, Pmd, Psa};

/// A vertex: position, normal, texture coordinates, the weight of each bone.
#[derive(Clone, Debug)]
struct Vertex {
    position: [f32; 3],
    normal: [f32; 3],
    uvs: Vec<[f32; 2]>,
    weights: Vec<f32>,
}

/// What differs the most.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Worst {
    pub(super) position: f32,
    pub(super) normal: f32,
    pub(super) uv: f32,
    pub(super) weight: f32,
    pub(super) bone: f32,
    pub(super) degrees: f64,
    pub(super) prop: f32,
    pub(super) prop_degrees: f64,
}

fn vertices(mesh: &Pmd<'_>) -> Vec<Vertex> {
    let vertex = |index: usize| {
        let vertex = mesh.vertices().get(index).expect("a vertex");
        let mut weights = vec![0.0; mesh.bone_count() + 1];
        let blend = vertex.blend();
        for (bone, weight) in blend.bones().into_iter().zip(blend.weights()) {
            if bone != NO_BONE {
                weights[usize::from(bone).min(mesh.bone_count())] += weight;
            }
        }
        let uvs = vertex.uvs().iter().map(Vec2::get).collect();
        Vertex { position: vertex.position(), normal: vertex.normal(), uvs, weights }
    };
    (0..mesh.vertices().len()).map(vertex).collect()
}

fn distance<const N: usize>(one: [f32; N], other: [f32; N]) -> f32 {
    one.into_iter().zip(other).map(|(one, other)| (one - other).abs()).fold(0.0, f32::max)
}

/// The largest edge of the box around the mesh, or 1.
pub(super) fn size(mesh: &Pmd<'_>) -> f32 {
    let (mut low, mut high) = ([f32::MAX; 3], [f32::MIN; 3]);
    for vertex in mesh.vertices() {
        for (axis, value) in vertex.position().into_iter().enumerate() {
            (low[axis], high[axis]) = (low[axis].min(value), high[axis].max(value));
        }
    }
    low.into_iter().zip(high).map(|(low, high)| high - low).fold(1.0, f32::max)
}

impl Vertex {
    /// What differs: position, normal, texture coordinates, weights.
    fn differences(&self, other: &Self) -> [f32; 4] {
        let uvs = self.uvs.iter().zip(&other.uvs).map(|(one, other)| distance(*one, *other)).fold(0.0, f32::max);
        let weights = self.weights.iter().zip(&other.weights).map(|(one, other)| (one - other).abs());
        [distance(self.position, other.position), distance(self.normal, other.normal), uvs, weights.fold(0.0, f32::max)]
    }
}

/// The first of the vertices that is the same within the tolerances, and the differences.
fn same(vertex: &Vertex, others: &[Vertex], limits: [f32; 4]) -> Option<(usize, [f32; 4])> {
    let mut found = others.iter().map(|other| vertex.differences(other)).enumerate();
    found.find(|(_, differences)| differences.iter().zip(limits).all(|(value, limit)| *value <= limit))
}

/// The corners of each triangle from the smallest on, all sorted.
fn triangles(mesh: &Pmd<'_>, names: &[usize]) -> Vec<[usize; 3]> {
    let mut all: Vec<[usize; 3]> = mesh
        .faces()
        .iter()
        .map(|face| {
            let [a, b, c] = face.vertices().map(|vertex| names[usize::from(vertex)]);
            let turns = [[a, b, c], [b, c, a], [c, a, b]];
            turns.into_iter().min().expect("three turns")
        })
        .collect();
    all.sort_unstable();
    all
}

/// The angle between two rotations, in degrees.
pub(super) fn degrees(one: [f32; 4], other: [f32; 4]) -> f64 {
    let unit = |rotation: [f32; 4]| {
        let rotation = rotation.map(f64::from);
        let length = rotation.iter().map(|value| value * value).sum::<f64>().sqrt();
        rotation.map(|value| value / length)
    };
    // By the chord: near 0, the arc cosine has no digits.
    let (one, other) = (unit(one), unit(other));
    let chord = |sign: f64| one.iter().zip(other).map(|(a, b)| (a - sign * b).powi(2)).sum::<f64>().sqrt();
    (chord(1.0).min(chord(-1.0)) / 2.0).asin().to_degrees() * 4.0
}

/// Whether two states are equal within the tolerances for bones, and what differs.
fn state(one: &BoneState, other: &BoneState) -> (f32, f64) {
    (distance(one.translation(), other.translation()), degrees(one.rotation(), other.rotation()))
}

/// What is allowed and known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowed {
    /// How far a normal may be from the expected one.
    pub(super) normal: f32,
    /// Bones that the game cannot name.
    pub(super) but_bones: &'static [usize],
    /// Of prop points, what the game calls otherwise: our name and its own.
    pub(super) names: &'static [(&'static str, &'static str)],
}

impl Default for Allowed {
    fn default() -> Self {
        Self { normal: 2e-4, but_bones: &[], names: &[] }
    }
}

/// Asserts that a mesh is the expected one.
pub(super) fn mesh(found: &Pmd<'_>, expected: &Pmd<'_>, allowed: &Allowed) -> Worst {
    let (size, mut worst) = (size(expected), Worst::default());
    let limits = [1e-5 * size, allowed.normal, 2e-6, 1e-5];
    let (mine, theirs) = (vertices(found), vertices(expected));
    assert_eq!(found.uv_set_count(), expected.uv_set_count());
    let mut of_mine = Vec::new();
    for vertex in &mine {
        let (index, [position, normal, uv, weight]) =
            same(vertex, &theirs, limits).unwrap_or_else(|| panic!("no vertex is {vertex:?}"));
        of_mine.push(index);
        worst.position = worst.position.max(position);
        worst.normal = worst.normal.max(normal);
        worst.uv = worst.uv.max(uv);
        worst.weight = worst.weight.max(weight);
    }
    for vertex in &theirs {
        assert!(same(vertex, &mine, limits).is_some(), "nothing is {vertex:?}");
    }
    // Of their vertices that are the same within the tolerances, the first.
    let of_theirs: Vec<usize> = theirs.iter().map(|vertex| same(vertex, &theirs, limits).expect("itself").0).collect();
    assert_eq!(found.faces().len(), expected.faces().len(), "triangles");
    assert_eq!(triangles(found, &of_mine), triangles(expected, &of_theirs), "triangles");
    assert_eq!(found.bone_count(), expected.bone_count(), "bones");
    for (index, (one, other)) in found.bones().iter().zip(expected.bones()).enumerate() {
        if allowed.but_bones.contains(&index) {
            continue;
        }
        let (translation, degrees) = state(one, other);
        assert!(translation <= 1e-5 * size && degrees <= 1e-3, "bone {index}: {one:?} {other:?}");
        (worst.bone, worst.degrees) = (worst.bone.max(translation), worst.degrees.max(degrees));
    }
    let name = |name: String| {
        allowed.names.iter().find(|(own, _)| *own == name).map_or(name, |(_, other)| (*other).to_owned())
    };
    let props = |mesh: &Pmd<'_>| {
        let mut all: Vec<_> = mesh.props().map(|prop| (name(prop.name.to_string()), *prop.transform)).collect();
        all.sort_by(|(one, _), (other, _)| one.cmp(other));
        all
    };
    let (mine, theirs) = (props(found), props(expected));
    let listed = |props: &[(String, _)]| props.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    assert_eq!(listed(&mine), listed(&theirs), "prop points");
    for ((name, one), (_, other)) in mine.iter().zip(&theirs) {
        assert_eq!(one.bone(), other.bone(), "{name}");
        let (moved, turned) =
            (distance(one.translation(), other.translation()), degrees(one.rotation(), other.rotation()));
        assert!(moved <= 1e-5 * size && turned <= 1e-3, "{name}: {one:?} {other:?}");
        (worst.prop, worst.prop_degrees) = (worst.prop.max(moved), worst.prop_degrees.max(turned));
    }
    worst
}

/// Asserts that an animation is the expected one. Returns what differs the most.
pub(super) fn animation(found: &Psa<'_>, expected: &Psa<'_>, size: f32, but_bones: &[usize]) -> (f32, f64) {
    assert_eq!(found.frame_count(), expected.frame_count(), "frames");
    assert_eq!(found.bone_count(), expected.bone_count(), "bones");
    assert_eq!(found.frame_length_ms().to_bits(), expected.frame_length_ms().to_bits());
    let mut worst = (0.0_f32, 0.0_f64);
    for frame in 0..found.frame_count() {
        let states = found.frame(frame).expect("a frame").iter().zip(expected.frame(frame).expect("a frame"));
        for (index, (one, other)) in states.enumerate().filter(|(index, _)| !but_bones.contains(index)) {
            let (translation, degrees) = state(one, other);
            assert!(translation <= 1e-4 * size && degrees <= 0.01, "frame {frame}, bone {index}: {one:?} {other:?}");
            worst = (worst.0.max(translation), worst.1.max(degrees));
        }
    }
    worst
}
