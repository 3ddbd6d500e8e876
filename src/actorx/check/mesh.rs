//! The semantic check of meshes.

use alloc::{collections::BTreeSet, format, vec::Vec};

use super::{NameRules, check_bones, check_names, check_unread, place_of};
use crate::actorx::codes;
use crate::actorx::layout::PskLayout;
use crate::actorx::psk::{Faces, Psk};
use crate::actorx::record::{Face, Face16, Face32, Material, MorphInfo, Socket, Wedge};
use crate::actorx::table::is_uv_id;
use crate::bytes::{Vec2, Vec3, Vec4, records};
#[cfg(feature = "std")]
use crate::model::{Mesh, ShapePlaces, check_shape};
use crate::report::codes as shared;
use crate::report::{
    Finding, Place, Report, Severity, Tally, WEIGHT_SUM_TOLERANCE, check_finite, is_unit, is_weight, scan,
};

impl Psk<'_> {
    /// Reads the whole mesh and reports indices without a record, floats that are not finite, rotations and normals
    /// that are not of unit length, counts that do not match, odd names, cycles of bones, and bones and points that do not lie together.
    ///
    /// Findings come in order of severity; [`codes`](mod@crate::actorx::codes) explain them. O(file) in time; memory for the weight sums of the
    /// points and the names of the bones.
    pub fn check(&self) -> Vec<Finding> {
        let mut report = Report::default();
        let at = |ids: &[&str]| place_of(self.chunks(), ids);
        check_finite(&mut report, at(&["PNTS0000"]), self.points(), Vec3::get);
        self.check_wedges(&mut report, at(&["VTXW0000"]));
        match self.faces() {
            Faces::U16(faces) => self.check_faces(&mut report, at(&["FACE0000"]), faces, Face16::get),
            Faces::U32(faces) => self.check_faces(&mut report, at(&["FACE3200"]), faces, Face32::get),
        }
        let materials = self.materials().iter().map(Material::name);
        check_names(&mut report, at(&["MATT0000"]), materials, NameRules { unique: false, present: true });
        check_bones(&mut report, at(&["REFSKELT", "REFSKEL0"]), self.bones(), Severity::Warning);
        self.check_influences(&mut report, at(&["RAWWEIGHTS", "RAWW0000"]), at(&["PNTS0000"]));
        self.check_uvs(&mut report);
        self.check_per_point(&mut report, at(&["VTXNORMS"]), at(&["VTXTANGS"]));
        self.check_morphs(&mut report, at(&["MRPHINFO"]), at(&["MRPHDATA"]));
        self.check_sockets(&mut report, at(&["SKELSOCK"]));
        self.check_shape(&mut report);
        check_unread::<PskLayout>(&mut report, self.bytes());
        report.into_findings()
    }

    /// What the mesh shows as a whole.
    fn check_shape(&self, report: &mut Report) {
        let at = |ids: &[&str]| place_of(self.chunks(), ids);
        let bone_count = self.bones().len();
        if bone_count > 1 && self.influences().is_empty() && !self.points().is_empty() {
            let message = format!(
                "the mesh has {bone_count} bones, and none of them moves one of its {} points",
                self.points().len()
            );
            report.add_whole(codes::MESH_UNWEIGHTED, at(&["RAWWEIGHTS", "RAWW0000"]), message);
        }
        #[cfg(feature = "std")]
        {
            let faces = at(match self.faces() {
                Faces::U16(_) => &["FACE0000"],
                Faces::U32(_) => &["FACE3200"],
            });
            let (points, bones) = (at(&["PNTS0000"]), at(&["REFSKELT", "REFSKEL0"]));
            check_shape(&Mesh::new(self), report, &ShapePlaces { points, faces, bones });
        }
    }

    fn check_wedges(&self, report: &mut Report, place: Place) {
        let points = self.points().len();
        let exists = |index: u32| usize::try_from(index).is_ok_and(|index| index < points);
        let (mut lost, mut padding) = (Tally::default(), Tally::default());
        let high_is_padding = self.has_16_bit_points();
        let is_padded = |wedge: &Wedge| wedge.padding() != 0 || high_is_padding && wedge.point_index_high() != 0;
        scan(
            self.wedges(),
            |wedge| exists(self.point_index(wedge)) && !is_padded(wedge),
            |index, wedge| {
                let point = self.point_index(wedge);
                lost.hit_if(!exists(point), index, || {
                    format!("wedge {index} refers to point {point}, there are {points}")
                });
                padding.hit_if(is_padded(wedge), index, || format!("wedge {index} has garbage in its padding"));
            },
        );
        check_finite(report, place, self.wedges(), Wedge::uv);
        report.add(codes::WEDGE_POINT, place, lost);
        report.add(codes::WEDGE_PADDING, place, padding);
    }

    fn check_faces<T>(&self, report: &mut Report, place: Place, faces: &[T], get: impl Fn(&T) -> Face) {
        let (wedges, materials) = (self.wedges().len(), self.materials().len());
        let exists = |index: u32| usize::try_from(index).is_ok_and(|index| index < wedges);
        let (mut lost, mut unknown, mut flat) = (Tally::default(), Tally::default(), Tally::default());
        for (index, face) in faces.iter().map(get).enumerate() {
            let [a, b, c] = face.wedges;
            lost.hit_if(!(exists(a) && exists(b) && exists(c)), index, || {
                format!("face {index} refers to wedges {a}, {b} and {c}, there are {wedges}")
            });
            let material = face.material;
            unknown.hit_if(usize::from(material) >= materials, index, || {
                format!("face {index} refers to material {material}, there are {materials}")
            });
            flat.hit_if(a == b || b == c || a == c, index, || {
                format!("face {index} uses a wedge twice: {a}, {b}, {c}")
            });
        }
        report.add(codes::FACE_WEDGE, place, lost);
        report.add(codes::FACE_MATERIAL, place, unknown);
        report.add(shared::FACE_DEGENERATE, place, flat);
    }

    fn check_influences(&self, report: &mut Report, place: Place, points_place: Place) {
        let (points, bones) = (self.points().len(), self.bones().len());
        let (mut lost_point, mut lost_bone, mut value) = (Tally::default(), Tally::default(), Tally::default());
        let mut sums: Vec<Option<f32>> = alloc::vec![None; points];
        for (index, influence) in self.influences().iter().enumerate() {
            let (point, bone, weight) = (influence.point_index(), influence.bone_index(), influence.weight());
            match usize::try_from(point).ok().and_then(|point| sums.get_mut(point)) {
                Some(sum) => *sum = Some(sum.unwrap_or(0.0) + weight),
                None => {
                    lost_point.hit(index, || format!("influence {index} refers to point {point}, there are {points}"));
                }
            }
            let bone_exists = usize::try_from(bone).is_ok_and(|bone| bone < bones);
            lost_bone
                .hit_if(!bone_exists, index, || format!("influence {index} refers to bone {bone}, there are {bones}"));
            value.hit_if(!is_weight(weight), index, || {
                format!("influence {index} has the weight {weight}, expected 0 to 1")
            });
        }
        check_finite(report, place, self.influences(), |influence| [influence.weight()]);
        let (mut off, mut none) = (Tally::default(), Tally::default());
        let skinned = bones > 0 && !self.influences().is_empty();
        for (point, sum) in sums.iter().enumerate() {
            match sum {
                Some(sum) if (sum - 1.0).abs() > WEIGHT_SUM_TOLERANCE => {
                    off.hit(point, || format!("the weights of point {point} sum to {sum}, expected 1"));
                }
                None if skinned => none.hit(point, || format!("point {point} has no influence")),
                _ => {}
            }
        }
        report.add(codes::WEIGHT_POINT, place, lost_point);
        report.add(shared::WEIGHT_BONE, place, lost_bone);
        report.add(shared::WEIGHT_VALUE, place, value);
        report.add(shared::WEIGHT_SUM, place, off);
        report.add(codes::POINT_UNWEIGHTED, points_place, none);
    }

    fn check_uvs(&self, report: &mut Report) {
        for chunk in self.chunks().filter(|chunk| is_uv_id(chunk.id.as_bytes()) && chunk.count > 0) {
            check_finite(report, chunk.place(), records::<Vec2>(chunk.body), Vec2::get);
        }
    }

    fn check_per_point(&self, report: &mut Report, normals_place: Place, tangents_place: Place) {
        let (normals, tangents) = (self.normals(), self.tangents());
        check_finite(report, normals_place, normals, Vec3::get);
        check_finite(report, tangents_place, tangents, Vec4::get);
        let mut off = Tally::default();
        scan(
            normals,
            |normal| is_unit(normal.get()),
            |index, normal| off.hit(index, || format!("normal {index} is {normal:?}, which is not of unit length")),
        );
        report.add(shared::NORMAL_UNIT, normals_place, off);
    }

    fn check_morphs(&self, report: &mut Report, infos_place: Place, deltas_place: Place) {
        let (infos, deltas, points) = (self.morph_infos(), self.morph_deltas(), self.points().len());
        check_names(
            report,
            infos_place,
            infos.iter().map(MorphInfo::name),
            NameRules { unique: false, present: false },
        );
        let counted: i64 = infos.iter().map(|info| i64::from(info.vertex_count())).sum();
        let negative = infos.iter().any(|info| info.vertex_count() < 0);
        if negative || i64::try_from(deltas.len()) != Ok(counted) {
            let also = if negative { "; at least one count is below 0" } else { "" };
            let message =
                format!("the morph targets count {counted} deltas in all, the file has {}{also}", deltas.len());
            report.add_whole(codes::MORPH_COUNT, infos_place, message);
        }
        check_finite(report, deltas_place, deltas, |delta| {
            let ([a, b, c], [d, e, f]) = (delta.position(), delta.tangent_z());
            [a, b, c, d, e, f]
        });
        let mut lost = Tally::default();
        for (index, delta) in deltas.iter().enumerate() {
            let point = delta.point_index();
            let exists = usize::try_from(point).is_ok_and(|point| point < points);
            lost.hit_if(!exists, index, || format!("delta {index} refers to point {point}, there are {points}"));
        }
        report.add(codes::MORPH_POINT, deltas_place, lost);
    }

    fn check_sockets(&self, report: &mut Report, place: Place) {
        let sockets = self.sockets();
        check_names(report, place, sockets.iter().map(Socket::name), NameRules { unique: false, present: false });
        check_finite(report, place, sockets, |socket| {
            let ([a, b, c], [d, e, f], [g, h, i]) = (socket.location(), socket.pitch_yaw_roll(), socket.scale());
            [a, b, c, d, e, f, g, h, i]
        });
        let bones: BTreeSet<Vec<u8>> = self.bones().iter().map(|bone| bone.name().key().to_ascii_lowercase()).collect();
        let mut lost = Tally::default();
        for (index, socket) in sockets.iter().enumerate() {
            let bone = socket.bone_name();
            let known = bone.key().is_empty() || bones.contains(&bone.key().to_ascii_lowercase());
            lost.hit_if(!known, index, || {
                format!("socket {index} refers to the bone {:?}, which does not exist", bone.text())
            });
        }
        report.add(codes::SOCKET_BONE, place, lost);
    }
}
