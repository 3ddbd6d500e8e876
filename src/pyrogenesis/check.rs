//! The semantic checks of both formats: they read all the data and report what is wrong with it.

use alloc::format;
use alloc::vec::Vec;
use std::collections::HashSet;

use super::pmd::{BIND_POSE, FACES, PROPS, Pmd, VERTICES};
use super::psa::{Psa, STATES};
use super::record::{BoneState, NO_BONE};
use crate::finding::{
    Finding, FindingCode, Place, Report, Severity, Short, Tally, WEIGHT_SUM_TOLERANCE, all_finite, check_finite,
    check_rotations, is_unit, is_weight,
};
use crate::section::Section;

impl Psa<'_> {
    /// Reads all states and reports what is wrong with them: floats that are no numbers, rotations that are zero or not of unit
    /// length. Findings are the gravest first; their codes are listed at [`FindingCode`]. O(file).
    pub fn check(&self) -> Vec<Finding> {
        let mut report = Report::default();
        check_states(&mut report, Place { section: STATES, offset: self.states_offset() }, self.states());
        report.into_findings()
    }
}

fn check_states(report: &mut Report, place: Place, states: &[BoneState]) {
    check_finite(report, place, states, |state| {
        let ([a, b, c], [d, e, f, g]) = (state.translation(), state.rotation());
        [a, b, c, d, e, f, g]
    });
    check_rotations(report, place, Severity::Warning, states, BoneState::rotation);
}

impl Pmd<'_> {
    /// Reads the whole mesh and reports what is wrong with it: indices without a record, floats that are no numbers, rotations
    /// and normals that are not of unit length, weights that do not sum to one, odd prop points.
    ///
    /// Findings are the gravest first; their codes are listed at [`FindingCode`]. O(file); memory for the prop points' names.
    pub fn check(&self) -> Vec<Finding> {
        let mut report = Report::default();
        self.check_vertices(&mut report);
        self.check_faces(&mut report);
        check_states(&mut report, self.place(BIND_POSE), self.bind_pose());
        self.check_props(&mut report);
        report.into_findings()
    }

    fn place(&self, section: Section) -> Place {
        Place { section, offset: self.offset_of(section) }
    }

    fn check_vertices(&self, report: &mut Report) {
        let place = self.place(VERTICES);
        let bones = self.bind_pose().len();
        let [mut broken, mut lost, mut value, mut sum, mut loose, mut model, mut normals] = <[Tally; 7]>::default();
        for (index, vertex) in self.vertices().iter().enumerate() {
            let ([x, y, z], [nx, ny, nz], weights) = (vertex.position(), vertex.normal(), vertex.blend().weights());
            let uvs_are_finite = vertex.uvs().iter().fold(true, |all, uv| all & all_finite(uv.get()));
            broken.hit_if(!(all_finite([x, y, z, nx, ny, nz]) && all_finite(weights) && uvs_are_finite), index, || {
                format!("vertex {index} holds a value that is no number: position {x} {y} {z}, normal {nx} {ny} {nz}")
            });
            normals.hit_if(!is_unit([nx, ny, nz]), index, || {
                format!("vertex {index} has the normal {nx} {ny} {nz}, which is not of unit length")
            });
            if bones == 0 {
                continue;
            }
            let blend = vertex.blend();
            let [first, ..] = blend.bones();
            loose.hit_if(first == NO_BONE, index, || format!("no bone moves vertex {index}"));
            let mut total = 0.0;
            for (bone, weight) in blend.influences() {
                total += weight;
                // Where vertices are relative to the bind pose, the model itself is no bone.
                let past = if self.is_bind_relative() { bones } else { bones.saturating_add(1) };
                lost.hit_if(usize::from(bone) >= past, index, || {
                    format!("vertex {index} refers to bone {bone}, there are {bones}")
                });
                model.hit_if(usize::from(bone) == bones && past > bones, index, || {
                    format!("vertex {index} moves with the model and with no bone (index {bone})")
                });
                value.hit_if(!is_weight(weight), index, || {
                    format!("vertex {index} has the weight {weight}, expected 0 to 1")
                });
            }
            let off = first != NO_BONE && (total - 1.0).abs() > WEIGHT_SUM_TOLERANCE;
            sum.hit_if(off, index, || format!("the weights of vertex {index} sum to {total}, expected 1"));
        }
        report.add(Severity::Error, FindingCode::NotFinite, place, broken);
        report.add(Severity::Error, FindingCode::WeightBone, place, lost);
        report.add(Severity::Warning, FindingCode::WeightValue, place, value);
        report.add(Severity::Warning, FindingCode::WeightSum, place, sum);
        report.add(Severity::Error, FindingCode::VertexUnweighted, place, loose);
        report.add(Severity::Warning, FindingCode::NormalUnit, place, normals);
        report.add(Severity::Note, FindingCode::ModelBound, place, model);
        if self.uv_set_count() == 0 && !self.vertices().is_empty() {
            report.add_whole(Severity::Warning, FindingCode::NoUvs, place, "the vertices have no UV set".into());
        }
    }

    fn check_faces(&self, report: &mut Report) {
        let place = self.place(FACES);
        let vertices = self.vertices().len();
        let (mut lost, mut flat) = (Tally::default(), Tally::default());
        for (index, face) in self.faces().iter().enumerate() {
            let [a, b, c] = face.vertices();
            let exist = [a, b, c].iter().all(|vertex| usize::from(*vertex) < vertices);
            lost.hit_if(!exist, index, || {
                format!("face {index} refers to vertices {a}, {b} and {c}, there are {vertices}")
            });
            let degenerate = a == b || b == c || a == c;
            flat.hit_if(degenerate, index, || format!("face {index} uses a vertex twice: {a}, {b}, {c}"));
        }
        report.add(Severity::Error, FindingCode::FaceVertex, place, lost);
        report.add(Severity::Note, FindingCode::FaceDegenerate, place, flat);
    }

    fn check_props(&self, report: &mut Report) {
        let place = self.place(PROPS);
        let bones = self.bind_pose().len();
        let [mut broken, mut zero, mut rotations, mut lost, mut repeated, mut encoding, mut empty] =
            <[Tally; 7]>::default();
        let mut seen = HashSet::new();
        for (index, prop) in self.props().enumerate() {
            let name = prop.name;
            let shown = Short(name);
            let ([x, y, z], rotation) = (prop.transform.position(), prop.transform.rotation());
            broken.hit_if(!(all_finite([x, y, z]) && all_finite(rotation)), index, || {
                format!("prop point {index} {shown:?} holds a value that is no number: {x} {y} {z}, {rotation:?}")
            });
            if rotation == [0.0; 4] {
                zero.hit(index, || format!("prop point {index} {shown:?} has the rotation 0, 0, 0, 0"));
            } else {
                rotations.hit_if(!is_unit(rotation), index, || {
                    format!("prop point {index} {shown:?} has the rotation {rotation:?}, which is not of unit length")
                });
            }
            if let Some(bone) = prop.transform.bone() {
                lost.hit_if(usize::from(bone) >= bones, index, || {
                    format!("prop point {index} {shown:?} hangs on bone {bone}, there are {bones}")
                });
            }
            repeated.hit_if(!seen.insert(name.as_bytes()), index, || {
                format!("prop point {index}: the name {shown:?} is the name of an earlier one, which the engine uses")
            });
            encoding.hit_if(name.as_str().is_none(), index, || {
                format!("prop point {index}: the name {shown:?} is not UTF-8; shown as Windows-1252")
            });
            empty.hit_if(name.as_bytes().is_empty(), index, || format!("prop point {index}: the name is empty"));
        }
        report.add(Severity::Error, FindingCode::NotFinite, place, broken);
        report.add(Severity::Error, FindingCode::PropBone, place, lost);
        report.add(Severity::Warning, FindingCode::RotationZero, place, zero);
        report.add(Severity::Warning, FindingCode::RotationUnit, place, rotations);
        report.add(Severity::Note, FindingCode::NameDuplicate, place, repeated);
        report.add(Severity::Note, FindingCode::NameEncoding, place, encoding);
        report.add(Severity::Note, FindingCode::NameEmpty, place, empty);
    }
}
