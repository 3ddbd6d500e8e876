//! The semantic checks of both formats.

use alloc::{collections::BTreeSet, format, vec::Vec};

use zerocopy::IntoBytes as _;
use zerocopy::little_endian::U16;

use super::codes;
use super::pmd::{BIND_POSE, FACES, PROPS, Pmd, VERTICES, VertexRef};
use super::psa::{Psa, STATES};
use super::record::{Blend, BoneState, NO_BONE, Triangle, Vertex};
use crate::bytes::records;
use crate::model::{ShapePlaces, check_motion, check_shape};
use crate::report::Section;
use crate::report::codes as shared;
use crate::report::{
    Finding, Report, SectionStart, Severity, Short, WEIGHT_SUM_TOLERANCE, all_finite, check_transforms,
    has_unit_length, is_unit, is_weight, listed, only, scan,
};

impl Psa<'_> {
    /// Reads all states and reports floats that are not finite, rotations that are zero or not of unit length, and an animation
    /// without motion.
    ///
    /// Findings are ordered by severity; [`codes`] and [`report codes`](shared) explain them. O(file).
    ///
    /// A finding for each record, as from [`Asset::check_each`](crate::Asset::check_each).
    pub fn check_each(&self, most: usize) -> Vec<Finding> {
        let mut report = Report::new(most);
        let place = SectionStart { section: STATES, offset: self.states_offset() };
        check_states(&mut report, place, self.states(), Some(self.bone_count()));
        check_motion(self.clips(), self.states().len(), &mut report, place);
        report.into_findings()
    }
}

/// `bones`: the number of bones in a frame; `None` for a bind pose.
fn check_states(report: &mut Report, place: SectionStart, states: &[BoneState], bones: Option<usize>) {
    let word = |index: usize| {
        let in_frame = bones.and_then(|bones| Some((index.checked_div(bones)?, index.checked_rem(bones)?)));
        in_frame.map_or_else(|| format!("bone {index}"), |(frame, bone)| format!("frame {frame}, bone {bone}"))
    };
    let (others, rotation) = (BoneState::translation, BoneState::rotation);
    check_transforms(report, place, Severity::Warning, states, word, others, rotation);
}

/// Whether a vertex of a static mesh has no fault. Without branches: most vertices have none.
#[inline]
fn is_sound<const U: usize>(vertex: &Vertex<U>) -> bool {
    let uvs_are_finite = vertex.uvs().iter().fold(true, |all, uv| all & all_finite(uv.get()));
    // A normal of unit length is finite.
    has_unit_length(vertex.normal())
        & all_finite(vertex.position())
        & uvs_are_finite
        & all_finite(vertex.blend().weights())
}

/// Whether the influences of a vertex, whose weights are finite, have no fault. Without branches.
#[inline]
fn is_sound_blend(blend: &Blend, bones: u8) -> bool {
    let (mut is_used, mut sound, mut total) = (true, true, 0.0);
    for (bone, weight) in blend.bones().into_iter().zip(blend.weights()) {
        is_used &= bone != NO_BONE;
        sound &= !is_used | ((bone < bones) & is_weight(weight));
        total += if is_used { weight } else { 0.0 };
    }
    let [first, ..] = blend.bones();
    (first != NO_BONE) & sound & ((total - 1.0).abs() <= WEIGHT_SUM_TOLERANCE)
}

/// The maximum number of bones in a message.
const MAX_NAMES: usize = 3;

/// Faces in a block, which is tested without branches, and their indices.
const FACES_AT_ONCE: usize = 16;
const INDICES: usize = 3 * FACES_AT_ONCE;

/// A bit mask with all bits set for the indices of a face whose index `distance` further on belongs to the same face.
const fn marks(distance: usize) -> [u16; INDICES] {
    let mut marks = [0; INDICES];
    let mut rest: &mut [u16] = &mut marks;
    while let [first, second, _, after @ ..] = rest {
        (*first, *second) = (u16::MAX, if distance == 1 { u16::MAX } else { 0 });
        rest = after;
    }
    marks
}

const HAS_NEXT: [u16; INDICES] = marks(1);
const HAS_SECOND: [u16; INDICES] = marks(2);

/// Whether the faces of these indices use existing vertices, and no vertex twice. Compares every index with the next two;
/// `false` if fewer than two indices follow the faces.
fn are_sound_faces(indices: &[U16], vertices: usize) -> bool {
    let windows = [indices.get(..), indices.get(1..), indices.get(2..)];
    let [Some(here), Some(next), Some(second)] = windows.map(|window| window?.first_chunk::<INDICES>()) else {
        return false;
    };
    let (mut same, mut most) = (0, 0);
    let marks = HAS_NEXT.iter().zip(&HAS_SECOND);
    for (((here, next), second), (has_next, has_second)) in here.iter().zip(next).zip(second).zip(marks) {
        same |= if here.get() == next.get() { *has_next } else { 0 };
        same |= if here.get() == second.get() { *has_second } else { 0 };
        most = here.get().max(most);
    }
    same == 0 && usize::from(most) < vertices
}

impl<'a> Pmd<'a> {
    /// Reads the whole mesh and reports missing records, floats that are not finite, rotations and normals that are not of unit
    /// length, weights that do not sum to 1, odd prop points, and bones away from their points.
    ///
    /// Findings are ordered by severity; [`codes`] explain them. O(file); in memory, the names of the prop points.
    ///
    /// A finding for each record, as from [`Asset::check_each`](crate::Asset::check_each).
    pub fn check_each(&self, most: usize) -> Vec<Finding> {
        let mut report = Report::new(most);
        self.check_vertices(&mut report);
        self.check_faces(&mut report);
        check_states(&mut report, self.place(BIND_POSE), self.bones(), None);
        self.check_props(&mut report);
        let [points, faces, bones] = [VERTICES, FACES, BIND_POSE].map(|section| self.place(section));
        check_shape(&self.mesh(), &mut report, &ShapePlaces { points, faces, bones });
        report.into_findings()
    }

    fn place(&self, section: Section) -> SectionStart {
        SectionStart { section, offset: self.offset_of(section) }
    }

    /// Calls `check` for the vertices that may have a fault. Returns `false` if the mesh does not have `U` UV sets.
    fn scan<const U: usize>(&self, mut check: impl FnMut(usize, VertexRef<'a>)) -> bool {
        let Some(vertices) = self.vertices_with::<U>() else { return false };
        let check = |index, _: &Vertex<U>| {
            if let Some(vertex) = self.vertices().get(index) {
                check(index, vertex);
            }
        };
        match u8::try_from(self.bones().len()).unwrap_or(NO_BONE) {
            0 => scan(vertices, is_sound, check),
            bones => scan(vertices, |vertex| is_sound(vertex) & is_sound_blend(vertex.blend(), bones), check),
        }
        true
    }

    fn check_vertices(&self, report: &mut Report) {
        let place = self.place(VERTICES);
        let bones = self.bones().len();
        let [mut broken, mut lost, mut value, mut sum] =
            report.tallies(place, [shared::NOT_FINITE, shared::WEIGHT_BONE, shared::WEIGHT_VALUE, shared::WEIGHT_SUM]);
        let [mut loose, mut normals, mut model] =
            report.tallies(place, [codes::VERTEX_UNWEIGHTED, shared::NORMAL_UNIT, codes::MODEL_BOUND]);
        let mut check = |index: usize, vertex: VertexRef<'_>| {
            let ([x, y, z], [nx, ny, nz], weights) = (vertex.position(), vertex.normal(), vertex.blend().weights());
            let uvs_are_finite = vertex.uvs().iter().fold(true, |all, uv| all & all_finite(uv.get()));
            broken.hit_if(!(all_finite([x, y, z, nx, ny, nz]) && all_finite(weights) && uvs_are_finite), index, || {
                format!(
                    "vertex {index} holds a value that is not a number: position {x} {y} {z}, normal {nx} {ny} {nz}"
                )
            });
            normals.hit_if(!is_unit([nx, ny, nz]), index, || {
                format!("vertex {index} has the normal {nx} {ny} {nz}, which is not of unit length")
            });
            if bones == 0 {
                return;
            }
            let blend = vertex.blend();
            let [first, ..] = blend.bones();
            loose.hit_if(first == NO_BONE, index, || format!("no bone moves vertex {index}"));
            let mut total = 0.0;
            for (bone, weight) in blend.influences() {
                total += weight;
                // If vertices are relative to the bind pose, the model itself is not a valid bone.
                let past = if self.is_bind_relative() { bones } else { bones.saturating_add(1) };
                lost.hit_if(usize::from(bone) >= past, index, || {
                    format!("vertex {index} refers to bone {bone}; the mesh has {}", only(bones, "bone", "bones"))
                });
                model.hit_if(usize::from(bone) == bones && past > bones, index, || {
                    format!("vertex {index} moves with the model, not with a bone (index {bone})")
                });
                value.hit_if(!is_weight(weight), index, || {
                    format!("vertex {index} has the weight {weight} of bone {bone}, expected 0 to 1")
                });
            }
            let off = first != NO_BONE && (total - 1.0).abs() > WEIGHT_SUM_TOLERANCE;
            sum.hit_if(off, index, || {
                let bones: Vec<_> = blend.influences().map(|(bone, _)| format!("bone {bone}")).collect();
                let first = bones.get(..MAX_NAMES).unwrap_or(&bones);
                format!("the weights of vertex {index} sum to {total}, expected 1 (on {})", listed(first, bones.len()))
            });
        };
        if !(self.scan::<1>(&mut check) || self.scan::<2>(&mut check)) {
            self.vertices().enumerate().for_each(|(index, vertex)| check(index, vertex));
        }
        report.add([broken, lost, value, sum, loose, normals, model]);
        if self.uv_set_count() == 0 && !self.vertices().is_empty() {
            report.add_whole(codes::NO_UVS, place, "the vertices have no UV set".into());
        }
    }

    fn check_faces(&self, report: &mut Report) {
        let place = self.place(FACES);
        let vertices = self.vertices().len();
        let [mut lost, mut flat] = report.tallies(place, [codes::FACE_VERTEX, shared::FACE_DEGENERATE]);
        let mut check = |index: usize, face: &Triangle| {
            let [a, b, c] = face.vertices();
            let exist = [a, b, c].iter().all(|vertex| usize::from(*vertex) < vertices);
            lost.hit_if(!exist, index, || {
                format!(
                    "face {index} refers to vertices {a}, {b} and {c}; the mesh has {}",
                    only(vertices, "vertex", "vertices")
                )
            });
            let degenerate = a == b || b == c || a == c;
            flat.hit_if(degenerate, index, || format!("face {index} uses a vertex twice: {a}, {b}, {c}"));
        };
        let mut indices: &[U16] = records(self.faces().as_bytes());
        for (block, faces) in self.faces().chunks(FACES_AT_ONCE).enumerate() {
            if !are_sound_faces(indices, vertices) {
                let first = block.saturating_mul(FACES_AT_ONCE);
                faces.iter().enumerate().for_each(|(index, face)| check(first.saturating_add(index), face));
            }
            indices = indices.get(INDICES..).unwrap_or_default();
        }
        report.add([lost, flat]);
    }

    fn check_props(&self, report: &mut Report) {
        let place = self.place(PROPS);
        let bones = self.bones().len();
        let [mut broken, mut lost, mut zero, mut rotations] =
            report.tallies(place, [shared::NOT_FINITE, codes::PROP_BONE, shared::ROTATION_ZERO, shared::ROTATION_UNIT]);
        let [mut repeated, mut encoding, mut empty] =
            report.tallies(place, [shared::NAME_DUPLICATE, shared::NAME_ENCODING, shared::NAME_EMPTY]);
        let mut seen = BTreeSet::new();
        for (index, prop) in self.props().enumerate() {
            let name = prop.name;
            let shown = Short(name);
            let ([x, y, z], rotation) = (prop.transform.translation(), prop.transform.rotation());
            broken.hit_if(!(all_finite([x, y, z]) && all_finite(rotation)), index, || {
                format!("prop point {index} {shown:?} holds a value that is not a number: {x} {y} {z}, {rotation:?}")
            });
            if rotation == [0.0; 4] {
                zero.hit(index, || {
                    format!("prop point {index} {shown:?} has an invalid rotation, the quaternion 0, 0, 0, 0")
                });
            } else {
                rotations.hit_if(!is_unit(rotation), index, || {
                    format!("prop point {index} {shown:?} has the rotation {rotation:?}, which is not of unit length")
                });
            }
            if let Some(bone) = prop.transform.bone() {
                lost.hit_if(usize::from(bone) >= bones, index, || {
                    format!(
                        "prop point {index} {shown:?} refers to bone {bone}; the mesh has {}",
                        only(bones, "bone", "bones")
                    )
                });
            }
            repeated.hit_if(!seen.insert(name.as_bytes()), index, || {
                format!("prop point {index}: an earlier one also has the name {shown:?}, and the engine uses that one")
            });
            encoding.hit_if(name.as_str().is_none(), index, || {
                format!("prop point {index}: the name {shown:?} is not UTF-8; shown as Windows-1252")
            });
            empty.hit_if(name.as_bytes().is_empty(), index, || format!("prop point {index}: the name is empty"));
        }
        report.add([broken, lost, zero, rotations, repeated, encoding, empty]);
    }
}
