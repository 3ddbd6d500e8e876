//! The semantic check of meshes.

use alloc::{
    collections::{BTreeMap, BTreeSet},
    format,
    string::String,
    vec::Vec,
};
use core::cell::OnceCell;

use super::bones::{bone_of, check_bones};
use super::owners::Owners;
use super::{NameRules, check_names, check_unread};
use crate::actorx::codes;
use crate::actorx::layout::PskLayout;
use crate::actorx::psk::{Faces, Psk};
use crate::actorx::record::{Bone, Face, Face16, Face32, Material, MorphInfo, Socket, Wedge};
use crate::actorx::table::is_uv_id;
use crate::bytes::{Vec2, Vec3, Vec4, records, to_u64};
use crate::model::{ShapePlaces, check_shape};
use crate::report::codes as shared;
use crate::report::{
    Finding, Report, SectionStart, Short, WEIGHT_SUM_TOLERANCE, check_finite, is_unit, is_weight, listed, named, only,
    scan,
};

/// The maximum number of bones in a message.
const MAX_NAMES: usize = 3;

/// The bones that move a point: the first ones, and their number.
#[derive(Default)]
struct Movers {
    first: Vec<i32>,
    count: usize,
}

impl Movers {
    fn add(&mut self, bone: i32) {
        self.count = self.count.saturating_add(1);
        if self.first.len() < MAX_NAMES {
            self.first.push(bone);
        }
    }

    fn words(&self, bones: &[Bone]) -> String {
        let first: Vec<_> = self.first.iter().map(|bone| bone_of(bones, *bone)).collect();
        listed(&first, self.count)
    }
}

impl Psk<'_> {
    /// Reads the whole mesh and reports missing records, floats that are not finite, rotations and normals that are not of unit
    /// length, wrong counts, odd names, cycles of bones, and bones away from their points.
    ///
    /// Findings are ordered by severity; [`codes`](mod@crate::actorx::codes) explain them. O(file) in time; in memory, the
    /// weight sums of the points and the names of the bones.
    ///
    /// A finding for each record, as from [`Asset::check_each`](crate::Asset::check_each).
    pub fn check_each(&self, most: usize) -> Vec<Finding> {
        let mut report = Report::new(most);
        check_finite(&mut report, self.place("PNTS0000"), self.points(), |index| format!("point {index}"), Vec3::get);
        self.check_wedges(&mut report, self.place("VTXW0000"));
        let at_faces = self.place("FACE0000");
        match self.faces() {
            Faces::U16(faces) => self.check_faces(&mut report, at_faces, faces, Face16::get),
            Faces::U32(faces) => self.check_faces(&mut report, at_faces, faces, Face32::get),
        }
        let materials = NameRules { kind: "material", unique: None, present: true };
        check_names(&mut report, self.place("MATT0000"), self.materials().iter().map(Material::name), materials);
        check_bones(&mut report, self.place("REFSKELT"), self.bones(), false);
        self.check_influences(&mut report, self.place("RAWWEIGHTS"), self.place("PNTS0000"));
        self.check_uvs(&mut report);
        self.check_per_point(&mut report, self.place("VTXNORMS"), self.place("VTXTANGS"));
        self.check_morphs(&mut report, self.place("MRPHINFO"), self.place("MRPHDATA"));
        self.check_sockets(&mut report, self.place("SKELSOCK"));
        self.check_shape(&mut report);
        check_unread::<PskLayout>(&mut report, self.bytes());
        report.into_findings()
    }

    /// Checks of the mesh as a whole.
    fn check_shape(&self, report: &mut Report) {
        let bone_count = self.bones().len();
        if bone_count > 1 && self.influences().is_empty() && !self.points().is_empty() {
            let message = format!(
                "the mesh has {bone_count} bones, but none of them moves any of its {} points",
                self.points().len()
            );
            report.add_whole(codes::MESH_UNWEIGHTED, self.place("RAWWEIGHTS"), message);
        }
        let [points, faces, bones] = ["PNTS0000", "FACE0000", "REFSKELT"].map(|id| self.place(id));
        check_shape(&self.mesh(), report, &ShapePlaces { points, faces, bones });
    }

    fn check_wedges(&self, report: &mut Report, place: SectionStart) {
        let points = self.points().len();
        let exists = |index: u32| usize::try_from(index).is_ok_and(|index| index < points);
        let [mut lost, mut padding] = report.tallies(place, [codes::WEDGE_POINT, codes::WEDGE_PADDING]);
        let high_is_padding = self.has_16_bit_points();
        let is_padded = |wedge: &Wedge| wedge.padding() != 0 || high_is_padding && wedge.point_index_high() != 0;
        scan(
            self.wedges(),
            |wedge| exists(self.point_index(wedge)) && !is_padded(wedge),
            |index, wedge| {
                let point = self.point_index(wedge);
                lost.hit_if(!exists(point), index, || {
                    format!("wedge {index} refers to point {point}; the mesh has {}", only(points, "point", "points"))
                });
                padding.hit_if(is_padded(wedge), index, || format!("wedge {index} has garbage in its padding"));
            },
        );
        check_finite(report, place, self.wedges(), |index| format!("wedge {index}"), Wedge::uv);
        report.add([lost, padding]);
    }

    fn check_faces<T>(&self, report: &mut Report, place: SectionStart, faces: &[T], get: impl Fn(&T) -> Face) {
        let (wedges, materials) = (self.wedges().len(), self.materials().len());
        let exists = |index: u32| usize::try_from(index).is_ok_and(|index| index < wedges);
        let [mut lost, mut unknown, mut flat] =
            report.tallies(place, [codes::FACE_WEDGE, codes::FACE_MATERIAL, shared::FACE_DEGENERATE]);
        for (index, face) in faces.iter().map(get).enumerate() {
            let [a, b, c] = face.wedges;
            lost.hit_if(!(exists(a) && exists(b) && exists(c)), index, || {
                format!(
                    "face {index} refers to wedges {a}, {b} and {c}; the mesh has {}",
                    only(wedges, "wedge", "wedges")
                )
            });
            let material = face.material;
            unknown.hit_if(usize::from(material) >= materials, index, || {
                format!(
                    "face {index} refers to material {material}; the mesh has {}",
                    only(materials, "material", "materials")
                )
            });
            flat.hit_if(a == b || b == c || a == c, index, || {
                format!("face {index} uses a wedge twice: {a}, {b}, {c}")
            });
        }
        report.add([lost, unknown, flat]);
    }

    fn check_influences(&self, report: &mut Report, place: SectionStart, points_place: SectionStart) {
        let (points, bones) = (self.points().len(), self.bones());
        let [mut lost_point, mut lost_bone, mut value] =
            report.tallies(place, [codes::WEIGHT_POINT, shared::WEIGHT_BONE, shared::WEIGHT_VALUE]);
        let mut sums: Vec<Option<f32>> = alloc::vec![None; points];
        for (index, influence) in self.influences().iter().enumerate() {
            let (point, bone, weight) = (influence.point_index(), influence.bone_index(), influence.weight());
            match usize::try_from(point).ok().and_then(|point| sums.get_mut(point)) {
                Some(sum) => *sum = Some(sum.unwrap_or(0.0) + weight),
                None => lost_point.hit(index, || {
                    let bone = bone_of(bones, bone);
                    format!(
                        "influence {index} of {bone} refers to point {point}; the mesh has {}",
                        only(points, "point", "points")
                    )
                }),
            }
            let bone_exists = usize::try_from(bone).is_ok_and(|bone| bone < bones.len());
            lost_bone.hit_if(!bone_exists, index, || {
                format!(
                    "influence {index} on point {point} refers to bone {bone}; the mesh has {}",
                    only(bones.len(), "bone", "bones")
                )
            });
            value.hit_if(!is_weight(weight), index, || {
                format!("{} has the weight {weight}, expected 0 to 1", self.influence_at(index))
            });
        }
        let word = |index| self.influence_at(index);
        check_finite(report, place, self.influences(), word, |influence| [influence.weight()]);
        report.add([lost_point, lost_bone, value]);
        self.check_weight_sums(report, place, points_place, &sums);
    }

    /// An influence in a message.
    fn influence_at(&self, index: usize) -> String {
        self.influences().get(index).map_or_else(String::new, |influence| {
            let bone = bone_of(self.bones(), influence.bone_index());
            format!("influence {index} of {bone} on point {}", influence.point_index())
        })
    }

    /// `sums`: the sum of weights of each point; `None` for a point without influences.
    fn check_weight_sums(
        &self,
        report: &mut Report,
        place: SectionStart,
        points_place: SectionStart,
        sums: &[Option<f32>],
    ) {
        let is_off = |sum: f32| (sum - 1.0).abs() > WEIGHT_SUM_TOLERANCE;
        let mut off = report.tally(shared::WEIGHT_SUM, place);
        let mut none = report.tally(codes::POINT_UNWEIGHTED, points_place);
        let skinned = !self.bones().is_empty() && !self.influences().is_empty();
        let mut all_sound = true;
        for (point, sum) in sums.iter().enumerate() {
            match sum {
                Some(sum) => all_sound &= !is_off(*sum),
                None => none.hit_if(skinned, point, || format!("point {point} has no influence")),
            }
        }
        if !all_sound {
            let sums =
                sums.iter().enumerate().filter_map(|(point, sum)| Some((point, sum.filter(|sum| is_off(*sum))?)));
            let movers = self.movers(sums.clone().map(|(point, _)| point).take(report.most()));
            for (point, sum) in sums {
                off.hit(point, || {
                    let on = movers.get(&point).map_or_else(String::new, |movers| movers.words(self.bones()));
                    format!("the weights of point {point} sum to {sum}, expected 1 (on {on})")
                });
            }
        }
        report.add([off, none]);
    }

    /// The bones that move points. O(influences * log points).
    fn movers(&self, points: impl Iterator<Item = usize>) -> BTreeMap<usize, Movers> {
        let mut movers: BTreeMap<usize, Movers> = points.map(|point| (point, Movers::default())).collect();
        for influence in self.influences() {
            let point = usize::try_from(influence.point_index()).ok();
            if let Some(movers) = point.and_then(|point| movers.get_mut(&point)) {
                movers.add(influence.bone_index());
            }
        }
        movers
    }

    fn check_uvs(&self, report: &mut Report) {
        for chunk in self.chunks().filter(|chunk| is_uv_id(chunk.id.as_bytes()) && chunk.count > 0) {
            let word = |index| format!("wedge {index}");
            check_finite(report, chunk.place(), records::<Vec2>(chunk.body), word, Vec2::get);
        }
    }

    fn check_per_point(&self, report: &mut Report, normals_place: SectionStart, tangents_place: SectionStart) {
        let (normals, tangents) = (self.normals(), self.tangents());
        check_finite(report, normals_place, normals, |index| format!("normal {index}"), Vec3::get);
        check_finite(report, tangents_place, tangents, |index| format!("tangent {index}"), Vec4::get);
        let mut off = report.tally(shared::NORMAL_UNIT, normals_place);
        scan(
            normals,
            |normal| is_unit(normal.get()),
            |index, normal| off.hit(index, || format!("normal {index} is {normal:?}, which is not of unit length")),
        );
        report.add([off]);
    }

    fn check_morphs(&self, report: &mut Report, infos_place: SectionStart, deltas_place: SectionStart) {
        let (infos, deltas, points) = (self.morph_infos(), self.morph_deltas(), self.points().len());
        let rules = NameRules { kind: "morph target", unique: None, present: false };
        check_names(report, infos_place, infos.iter().map(MorphInfo::name), rules);
        let counted: i64 = infos.iter().map(|info| i64::from(info.vertex_count())).sum();
        let negative = infos.iter().any(|info| info.vertex_count() < 0);
        if negative || i64::try_from(deltas.len()) != Ok(counted) {
            let also = if negative { "; at least one count is negative" } else { "" };
            let message =
                format!("the morph targets count {counted} deltas in total; the file has {}{also}", deltas.len());
            report.add_whole(codes::MORPH_COUNT, infos_place, message);
        }
        let owners = OnceCell::new();
        let word = |index| self.delta_at(owners.get_or_init(|| self.owners_of_deltas()), index);
        check_finite(report, deltas_place, deltas, word, |delta| {
            let ([a, b, c], [d, e, f]) = (delta.position(), delta.tangent_z());
            [a, b, c, d, e, f]
        });
        let mut lost = report.tally(codes::MORPH_POINT, deltas_place);
        for (index, delta) in deltas.iter().enumerate() {
            let point = delta.point_index();
            let exists = usize::try_from(point).is_ok_and(|point| point < points);
            lost.hit_if(!exists, index, || {
                format!("{} refers to point {point}; the mesh has {}", word(index), only(points, "point", "points"))
            });
        }
        report.add([lost]);
    }

    /// The deltas of each morph target.
    fn owners_of_deltas(&self) -> Owners {
        let mut next = 0_u64;
        Owners::of(self.morphs().enumerate().map(|(owner, morph)| {
            let (first, count) = (next, to_u64(morph.deltas.len()));
            next = next.saturating_add(count);
            (owner, first, count)
        }))
    }

    /// A delta in a message.
    fn delta_at(&self, owners: &Owners, index: usize) -> String {
        let owner = owners.of_record(to_u64(index)).map(|(owner, _)| owner);
        match owner.and_then(|owner| Some((owner, self.morph_infos().get(owner)?))) {
            Some((owner, info)) => format!("delta {index} of {}", named("morph target", owner, info.name().text())),
            None => format!("delta {index}"),
        }
    }

    fn check_sockets(&self, report: &mut Report, place: SectionStart) {
        let sockets = self.sockets();
        let rules = NameRules { kind: "socket", unique: None, present: false };
        check_names(report, place, sockets.iter().map(Socket::name), rules);
        let name_of = |index: usize| sockets.get(index).map(|socket| socket.name().text()).unwrap_or_default();
        let word = |index: usize| named("socket", index, name_of(index));
        check_finite(report, place, sockets, word, |socket| {
            let ([a, b, c], [d, e, f], [g, h, i]) = (socket.location(), socket.pitch_yaw_roll(), socket.scale());
            [a, b, c, d, e, f, g, h, i]
        });
        let bones: BTreeSet<Vec<u8>> = self.bones().iter().map(|bone| bone.name().key().to_ascii_lowercase()).collect();
        let mut lost = report.tally(codes::SOCKET_BONE, place);
        for (index, socket) in sockets.iter().enumerate() {
            let bone = socket.bone_name();
            let known = bone.key().is_empty() || bones.contains(&bone.key().to_ascii_lowercase());
            lost.hit_if(!known, index, || {
                format!("{} refers to the bone {:?}, which does not exist", word(index), Short(bone.text()))
            });
        }
        report.add([lost]);
    }
}
