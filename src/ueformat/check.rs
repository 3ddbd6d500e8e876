//! The semantic checks of the three kinds.

use alloc::{collections::BTreeMap, collections::BTreeSet, format, string::String, vec::Vec};

use super::animation::{Animation, CURVES, TRACKS};
use super::codes;
use super::extent::Extent;
use super::level::{COLORS, INDICES, MATERIALS, NORMALS, TANGENTS, UVS, VERTICES, WEIGHTS};
use super::model::{BONES, Level, Model, VIRTUAL_BONES};
use super::part::{MORPHS, SOCKETS};
use super::pose::{self, Pose};
use super::record::{Index, RotationKey, VectorKey};
use crate::bytes::{Text, Vec2, Vec3, to_u64};
use crate::model::{ShapePlaces, check_hierarchy, check_motion, check_shape};
use crate::report::codes as shared;
use crate::report::{
    Code, Finding, RecordTally, Report, Section, SectionStart, Severity, Short, WEIGHT_SUM_TOLERANCE, all_finite,
    check_finite, is_unit, is_weight, named, only, scan,
};

const HULLS: Section = Section::named("COLLISION");
const HEADER: Section = Section::named("header");

fn place_of(section: Section, extent: Extent) -> SectionStart {
    at(section, extent.start())
}

const fn at(section: Section, offset: u64) -> SectionStart {
    SectionStart { section, offset }
}

/// Reports names that are empty, not UTF-8 or not unique. As everywhere, spaces at the end are not part of a name.
fn check_names<'a>(
    report: &mut Report,
    place: SectionStart,
    kind: &str,
    names: impl Iterator<Item = Text<'a>>,
    unique: Option<Code>,
) {
    let [mut encoding, mut empty] = report.tallies(place, [shared::NAME_ENCODING, shared::NAME_EMPTY]);
    let mut repeated = unique.map(|code| report.tally(code, place));
    let mut seen: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    for (index, name) in names.enumerate() {
        encoding.hit_if(name.as_str().is_none(), index, || {
            format!("the name {:?} of {kind} {index} is not UTF-8; shown as Windows-1252", Short(name))
        });
        if let Some(repeated) = &mut repeated {
            let own = name.trimmed().as_bytes();
            empty.hit_if(own.is_empty(), index, || format!("the name of {kind} {index} is empty"));
            let first = *seen.entry(own.to_ascii_lowercase()).or_insert(index);
            repeated.hit_if(first != index, index, || {
                format!("{} has the name of {kind} {first}", named(kind, index, name))
            });
        }
    }
    report.add(repeated.into_iter().chain([encoding, empty]));
}

impl Model<'_> {
    /// Reads the whole model, all levels, and reports records that do not exist, floats that are not finite, rotations and normals that
    /// are not of unit length, weights that do not sum to 1, lists of the wrong length, and odd bones, names and materials.
    ///
    /// Findings are ordered by severity; [`codes`](mod@crate::ueformat::codes) and [`codes` of all families](mod@crate::codes) explain
    /// them. O(file); in memory, the names of bones and a sum for each vertex.
    ///
    /// A finding for each record, as from [`Asset::check_each`](crate::Asset::check_each).
    pub fn check_each(&self, most: usize) -> Vec<Finding> {
        let mut report = Report::new(most);
        self.check_skeleton(&mut report);
        let mut names = report.tally(codes::LEVEL_NAME, at(Section::named("LODS"), 0));
        let mut seen = BTreeMap::new();
        for (index, level) in self.levels().enumerate() {
            if self.version() >= 4 {
                let first = *seen.entry(level.name().as_bytes()).or_insert(index);
                names.hit_if(first != index, index, || {
                    format!("{} has the name of level {first}", named("level", index, level.name()))
                });
            }
            level.check(&mut report, self.bone_count());
        }
        report.add([names]);
        self.check_hulls(&mut report);
        if let Some(level) = self.first_level() {
            let [points, faces] = [(VERTICES, level.layout.vertices), (INDICES, level.layout.indices)]
                .map(|(section, extent)| at(section, extent.start()));
            let bones = at(BONES, self.bones_offset());
            check_shape(&self.mesh(), &mut report, &ShapePlaces { points, faces, bones });
        }
        report.into_findings()
    }

    fn check_skeleton(&self, report: &mut Report) {
        let place = at(BONES, self.bones_offset());
        let names = || self.bones().map(|bone| bone.name);
        check_names(report, place, "bone", names(), Some(shared::BONE_DUPLICATE));
        let [mut broken, mut zero, mut off] =
            report.tallies(place, [shared::NOT_FINITE, shared::ROTATION_ZERO, shared::ROTATION_UNIT]);
        for (index, bone) in self.bones().enumerate() {
            let (position, rotation, scale) = (bone.position, bone.rotation, bone.scale.unwrap_or([1.0; 3]));
            let word = || named("bone", index, bone.name);
            broken.hit_if(!(all_finite(position) && all_finite(rotation) && all_finite(scale)), index, || {
                format!("{} holds {position:?}, the rotation {rotation:?} and the scale {scale:?}", word())
            });
            check_rotation(&mut zero, &mut off, rotation, index, word);
        }
        report.add([broken, zero, off]);
        check_hierarchy(report, place, &self.skeleton(), |severity| severity);
        let key = |name: Text<'_>| name.trimmed().as_bytes().to_ascii_lowercase();
        let known: BTreeSet<Vec<u8>> = names().map(key).collect();
        let is_known = |name: Text<'_>| known.contains(&key(name));
        let [sockets, virtual_bones, _] = self.items_of().map(|items| items.extent.start());
        self.check_sockets(report, at(SOCKETS, sockets), is_known);
        let place = at(VIRTUAL_BONES, virtual_bones);
        check_names(report, place, "virtual bone", self.virtual_bones().map(|bone| bone.name), None);
    }

    fn check_sockets(&self, report: &mut Report, place: SectionStart, is_known: impl Fn(Text<'_>) -> bool) {
        check_names(report, place, "socket", self.sockets().map(|socket| socket.name), None);
        let [mut lost, mut broken] = report.tallies(place, [shared::SOCKET_BONE, shared::NOT_FINITE]);
        let [mut zero, mut off] = report.tallies(place, [shared::ROTATION_ZERO, shared::ROTATION_UNIT]);
        for (index, socket) in self.sockets().enumerate() {
            let word = || named("socket", index, socket.name);
            lost.hit_if(!socket.bone.trimmed().as_bytes().is_empty() && !is_known(socket.bone), index, || {
                format!("{} refers to the bone {:?}, which does not exist", word(), Short(socket.bone))
            });
            let is_finite = all_finite(socket.position) && all_finite(socket.rotation) && all_finite(socket.scale);
            broken.hit_if(!is_finite, index, || {
                format!("{} holds {:?}, {:?} and {:?}", word(), socket.position, socket.rotation, socket.scale)
            });
            check_rotation(&mut zero, &mut off, socket.rotation, index, word);
        }
        report.add([lost, broken, zero, off]);
    }

    fn check_hulls(&self, report: &mut Report) {
        let [_, _, hulls] = self.items_of();
        let place = at(HULLS, hulls.extent.start());
        let [mut broken, mut lost] = report.tallies(place, [shared::NOT_FINITE, shared::FACE_VERTEX]);
        for (index, hull) in self.hulls().enumerate() {
            let word = || named("hull", index, hull.name);
            broken.hit_if(!hull.vertices.iter().all(|own| all_finite(own.get())), index, || {
                format!("{} has a corner that is not a number", word())
            });
            let count = hull.vertices.len();
            lost.hit_if(hull.indices.iter().any(|own| !exists(*own, count)), index, || {
                format!(
                    "{} refers to a corner that does not exist; it has {}",
                    word(),
                    only(count, "corner", "corners")
                )
            });
        }
        report.add([broken, lost]);
    }
}

fn exists(index: Index, count: usize) -> bool {
    usize::try_from(index.get()).is_ok_and(|index| index < count)
}

/// Counts a rotation that is zero or not of unit length.
fn check_rotation(
    zero: &mut RecordTally,
    off: &mut RecordTally,
    rotation: [f32; 4],
    index: usize,
    word: impl Fn() -> String,
) {
    if rotation == [0.0; 4] {
        zero.hit(index, || format!("{} has an invalid rotation, the quaternion 0, 0, 0, 0", word()));
    } else {
        off.hit_if(!is_unit(rotation), index, || {
            format!("{} has the rotation {rotation:?}, which is not of unit length", word())
        });
    }
}

impl Level<'_> {
    fn check(&self, report: &mut Report, bones: usize) {
        let layout = &self.layout;
        let vertices = self.positions().len();
        let place = place_of(VERTICES, layout.vertices);
        check_finite(report, place, self.positions(), |index| format!("vertex {index}"), Vec3::get);
        self.check_normals(report, vertices);
        self.check_columns(report, vertices);
        self.check_indices(report, vertices);
        self.check_materials(report);
        self.check_influences(report, vertices, bones);
        self.check_morphs(report, vertices);
    }

    fn check_normals(&self, report: &mut Report, vertices: usize) {
        let (normals, place) = (self.normals(), place_of(NORMALS, self.layout.normals));
        let [mut broken, mut off] = report.tallies(place, [shared::NOT_FINITE, shared::NORMAL_UNIT]);
        // The writer divides a vector of length 0 by its length: no normal, and no fault of the export.
        broken = broken.with_severity(Severity::Warning);
        for (index, normal) in normals.iter().map(Vec3::get).enumerate() {
            broken.hit_if(!all_finite(normal), index, || format!("normal {index} is {normal:?}"));
            off.hit_if(!is_unit(normal), index, || {
                format!("normal {index} is {normal:?}, which is not of unit length")
            });
        }
        report.add([broken, off]);
        check_length(report, place, "normals", normals.len(), vertices);
        let (tangents, place) = (self.tangents(), place_of(TANGENTS, self.layout.tangents));
        check_finite(report, place, tangents, |index| format!("tangent {index}"), Vec3::get);
        check_length(report, place, "tangents", tangents.len(), vertices);
    }

    fn check_columns(&self, report: &mut Report, vertices: usize) {
        let place = place_of(UVS, self.layout.uvs.extent);
        for (set, own) in self.uv_sets().enumerate() {
            check_finite(report, place, own.uvs, |index| format!("vertex {index} of UV set {set}"), Vec2::get);
            check_length(report, place, &format!("texture coordinates of set {set}"), own.uvs.len(), vertices);
        }
        let place = place_of(COLORS, self.layout.colors.extent);
        let mut off = report.tally(codes::COLUMN_LENGTH, place);
        for (set, own) in self.color_sets().enumerate() {
            let count = own.colors.len();
            off.hit_if(count > 0 && count != vertices, set, || {
                format!("set {set} has {count} colours; the mesh has {}", only(vertices, "vertex", "vertices"))
            });
        }
        report.add([off]);
    }

    fn check_indices(&self, report: &mut Report, vertices: usize) {
        let (indices, place) = (self.indices(), place_of(INDICES, self.layout.indices));
        let [mut lost, mut flat] = report.tallies(place, [shared::FACE_VERTEX, shared::FACE_DEGENERATE]);
        let faces = indices.chunks_exact(3);
        let rest = faces.remainder();
        for (index, face) in faces.enumerate() {
            let [a, b, c] = face else { continue };
            let [a, b, c] = [a, b, c].map(Index::get);
            lost.hit_if(!face.iter().all(|own| exists(*own, vertices)), index, || {
                format!(
                    "face {index} refers to vertices {a}, {b} and {c}; the mesh has {}",
                    only(vertices, "vertex", "vertices")
                )
            });
            flat.hit_if(a == b || b == c || a == c, index, || {
                format!("face {index} uses a vertex twice: {a}, {b}, {c}")
            });
        }
        report.add([lost, flat]);
        if !rest.is_empty() {
            report.add_whole(codes::INDICES_REST, place, format!("there are {} indices", indices.len()));
        }
    }

    fn check_materials(&self, report: &mut Report) {
        let place = place_of(MATERIALS, self.layout.materials.extent);
        check_names(report, place, "material", self.materials().map(|own| own.name), None);
        let triangles = i64::try_from(self.indices().len() / 3).unwrap_or(i64::MAX);
        let mut range = report.tally(codes::MATERIAL_RANGE, place);
        let mut parts: Vec<(i64, i64)> = Vec::new();
        for (index, own) in self.materials().enumerate() {
            let (first, count) = (i64::from(own.first_index), i64::from(own.face_count));
            let end = first.saturating_add(count.saturating_mul(3));
            let is_good =
                first >= 0 && first.checked_rem(3) == Some(0) && count >= 0 && end <= triangles.saturating_mul(3);
            range.hit_if(!is_good, index, || {
                format!(
                    "{} has {count} triangles from index {first} on; the mesh has {}",
                    named("material", index, own.name),
                    only(triangles, "triangle", "triangles")
                )
            });
            parts.push((first, end));
        }
        report.add([range]);
        // Without materials, no triangle misses one.
        if parts.is_empty() {
            return;
        }
        // The triangles that no material has.
        parts.sort_unstable();
        let mut reached = 0;
        let mut gap = None;
        for (first, end) in parts.into_iter().chain([(triangles.saturating_mul(3), 0)]) {
            if first > reached && gap.is_none() {
                gap = Some(reached);
            }
            reached = end.max(reached);
        }
        if let Some(index) = gap {
            let message = format!("triangle {} belongs to no material", index.checked_div(3).unwrap_or(0));
            report.add_whole(codes::MATERIAL_GAP, place, message);
        }
    }

    fn check_influences(&self, report: &mut Report, vertices: usize, bones: usize) {
        let (influences, place) = (self.influences(), place_of(WEIGHTS, self.layout.weights));
        let [mut lost, mut none, mut value, mut broken] = report
            .tallies(place, [codes::WEIGHT_VERTEX, shared::WEIGHT_BONE, shared::WEIGHT_VALUE, shared::NOT_FINITE]);
        let mut sums: Vec<Option<f32>> = alloc::vec![None; if influences.is_empty() { 0 } else { vertices }];
        for (index, own) in influences.iter().enumerate() {
            let (vertex, bone, weight) = (own.vertex(), own.bone(), own.weight());
            match usize::try_from(vertex).ok().and_then(|vertex| sums.get_mut(vertex)) {
                Some(sum) => *sum = Some(sum.unwrap_or(0.0) + weight),
                None => lost.hit(index, || {
                    format!(
                        "influence {index} refers to vertex {vertex}; the mesh has {}",
                        only(vertices, "vertex", "vertices")
                    )
                }),
            }
            none.hit_if(usize::from(bone) >= bones, index, || {
                format!(
                    "influence {index} on vertex {vertex} refers to bone {bone}; the mesh has {}",
                    only(bones, "bone", "bones")
                )
            });
            value.hit_if(!is_weight(weight), index, || {
                format!("influence {index} on vertex {vertex} has the weight {weight}, expected 0 to 1")
            });
            broken.hit_if(!weight.is_finite(), index, || {
                format!("influence {index} on vertex {vertex} has the weight {weight}")
            });
        }
        report.add([broken, lost, none, value]);
        let mut off = report.tally(shared::WEIGHT_SUM, place);
        for (vertex, sum) in sums.iter().enumerate().filter_map(|(vertex, sum)| Some((vertex, (*sum)?))) {
            off.hit_if((sum - 1.0).abs() > WEIGHT_SUM_TOLERANCE, vertex, || {
                format!("the weights of vertex {vertex} sum to {sum}, expected 1")
            });
        }
        report.add([off]);
    }

    fn check_morphs(&self, report: &mut Report, vertices: usize) {
        let place = place_of(MORPHS, self.layout.morphs.extent);
        check_names(report, place, "morph target", self.morphs().map(|own| own.name), None);
        let [mut broken, mut lost] = report.tallies(place, [shared::NOT_FINITE, shared::MORPH_POINT]);
        for (index, own) in self.morphs().enumerate() {
            let word = |delta: usize| format!("delta {delta} of {}", named("morph target", index, own.name));
            scan(
                own.deltas,
                |delta| all_finite(delta.position()) & all_finite(delta.normal()),
                |at, delta| {
                    broken.hit(index, || format!("{} holds {:?} and {:?}", word(at), delta.position(), delta.normal()));
                },
            );
            scan(
                own.deltas,
                |delta| usize::try_from(delta.vertex()).is_ok_and(|vertex| vertex < vertices),
                |at, delta| {
                    lost.hit(index, || {
                        let count = only(vertices, "vertex", "vertices");
                        format!("{} refers to vertex {}; the mesh has {count}", word(at), delta.vertex())
                    });
                },
            );
        }
        report.add([broken, lost]);
    }
}

/// Reports a list that is there and does not have one value for each vertex.
fn check_length(report: &mut Report, place: SectionStart, what: &str, count: usize, vertices: usize) {
    if count > 0 && count != vertices {
        let message = format!("there are {count} {what}; the mesh has {}", only(vertices, "vertex", "vertices"));
        report.add_whole(codes::COLUMN_LENGTH, place, message);
    }
}

/// A key of a track or a curve.
trait Key {
    fn frame(&self) -> i32;
}

impl Key for VectorKey {
    fn frame(&self) -> i32 {
        self.frame()
    }
}

impl Key for RotationKey {
    fn frame(&self) -> i32 {
        self.frame()
    }
}

impl Animation<'_> {
    /// Reads all keys and reports floats that are not finite, rotations that are zero or not of unit length, keys out of order or outside
    /// of the frames, odd names, an odd rate, unknown additive types, and an animation without motion.
    ///
    /// Findings are ordered by severity; [`codes`](mod@crate::ueformat::codes) and [`codes` of all families](mod@crate::codes) explain
    /// them. In `TRACKS`, the index of a finding is that of the track. O(file); in memory, the names of the tracks.
    ///
    /// A finding for each record, as from [`Asset::check_each`](crate::Asset::check_each).
    pub fn check_each(&self, most: usize) -> Vec<Finding> {
        let mut report = Report::new(most);
        let header = at(HEADER, 0);
        if self.rate().is_none() {
            let message = format!("the file states {} frames per second", self.stored_rate());
            report.add_whole(shared::SEQUENCE_RATE, header, message);
        }
        if self.additive_type() > 2 || self.base_type() > 4 {
            let message =
                format!("the additive type is {} and the type of its base {}", self.additive_type(), self.base_type());
            report.add_whole(codes::ADDITIVE_TYPE, header, message);
        }
        let place = at(TRACKS, self.tracks_offset());
        check_names(&mut report, place, "track", self.tracks().map(|track| track.name), Some(codes::TRACK_DUPLICATE));
        let keys = self.check_tracks(&mut report, place);
        self.check_curves(&mut report);
        check_motion(self.clips(), keys, &mut report, place);
        report.into_findings()
    }

    /// Returns the number of keys.
    fn check_tracks(&self, report: &mut Report, place: SectionStart) -> usize {
        let [mut broken, mut zero, mut off] =
            report.tallies(place, [shared::NOT_FINITE, shared::ROTATION_ZERO, shared::ROTATION_UNIT]);
        let mut order = Order::new(report, place);
        let (frames, mut count) = (self.frame_count(), 0_usize);
        for (index, track) in self.tracks().enumerate() {
            let word = || named("track", index, track.name);
            for (keys, what) in [(track.positions, "position"), (track.scales, "scale")] {
                count = count.saturating_add(keys.len());
                order.check(keys, frames, index, || format!("{}, {what}s", word()));
                let is_broken = |key: &&VectorKey| !all_finite(key.value());
                if let Some(key) = keys.iter().find(is_broken) {
                    broken
                        .hit(index, || format!("{} has the {what} {:?} in frame {}", word(), key.value(), key.frame()));
                }
            }
            count = count.saturating_add(track.rotations.len());
            order.check(track.rotations, frames, index, || format!("{}, rotations", word()));
            if let Some(key) = track.rotations.iter().find(|key| !all_finite(key.value())) {
                broken.hit(index, || format!("{} has the rotation {:?} in frame {}", word(), key.value(), key.frame()));
            }
            if let Some(key) = track.rotations.iter().find(|key| key.value() == [0.0; 4]) {
                zero.hit(index, || {
                    format!("{} has an invalid rotation, the quaternion 0, 0, 0, 0, in frame {}", word(), key.frame())
                });
            }
            let is_off = |key: &&RotationKey| key.value() != [0.0; 4] && !is_unit(key.value());
            if let Some(key) = track.rotations.iter().find(is_off) {
                off.hit(index, || {
                    format!(
                        "{} has the rotation {:?} in frame {}, which is not of unit length",
                        word(),
                        key.value(),
                        key.frame()
                    )
                });
            }
        }
        report.add([broken, zero, off]);
        order.end(report);
        count
    }

    fn check_curves(&self, report: &mut Report) {
        let place = at(CURVES, self.curves_offset());
        check_names(report, place, "curve", self.curves().map(|curve| curve.name), None);
        let mut broken = report.tally(shared::NOT_FINITE, place);
        for (index, curve) in self.curves().enumerate() {
            broken.hit_if(!curve.keys.iter().all(|key| key.value().is_finite()), index, || {
                format!("{} has a value that is not a number", named("curve", index, curve.name))
            });
        }
        report.add([broken]);
    }
}

/// Counts tracks with keys out of order.
struct Order {
    order: RecordTally,
    repeated: RecordTally,
    outside: RecordTally,
}

impl Order {
    fn new(report: &Report, place: SectionStart) -> Self {
        let [order, repeated, outside] =
            report.tallies(place, [codes::KEY_ORDER, codes::KEY_REPEATED, codes::KEY_OUTSIDE]);
        Self { order, repeated, outside }
    }

    /// At most one finding of each code for the keys of a channel.
    fn check<K: Key>(&mut self, keys: &[K], frames: usize, index: usize, word: impl Fn() -> String) {
        let pairs = || keys.iter().zip(keys.iter().skip(1)).map(|(one, next)| (one.frame(), next.frame()));
        if let Some((one, next)) = pairs().find(|(one, next)| next < one) {
            self.order.hit(index, || format!("{}: frame {next} comes after frame {one}", word()));
        }
        if let Some((one, _)) = pairs().find(|(one, next)| next == one) {
            self.repeated.hit(index, || format!("{}: frame {one} has several keys", word()));
        }
        let is_outside = |frame: i32| usize::try_from(frame).map_or(true, |frame| frame >= frames);
        if let Some(frame) = keys.iter().map(Key::frame).find(|frame| is_outside(*frame)) {
            self.outside.hit(index, || {
                format!(
                    "{}: a key lies in frame {frame}; the animation has {}",
                    word(),
                    only(to_u64(frames), "frame", "frames")
                )
            });
        }
    }

    fn end(self, report: &mut Report) {
        report.add([self.order, self.repeated, self.outside]);
    }
}

impl Pose<'_> {
    /// Reads all poses and reports floats that are not finite, rotations that are zero or not of unit length, odd names, and curves that
    /// do not exist.
    ///
    /// Findings are ordered by severity; [`codes`](mod@crate::ueformat::codes) and [`codes` of all families](mod@crate::codes) explain
    /// them. In `POSES`, the index of a finding is that of the pose. O(file); in memory, the names of the poses.
    ///
    /// A finding for each record, as from [`Asset::check_each`](crate::Asset::check_each).
    pub fn check_each(&self, most: usize) -> Vec<Finding> {
        let mut report = Report::new(most);
        let place = at(pose::POSES, self.poses_offset());
        check_names(&mut report, place, "pose", self.poses().map(|pose| pose.name()), Some(shared::NAME_DUPLICATE));
        let curves = self.curves().len();
        let [mut broken, mut zero, mut off, mut lost] = report
            .tallies(place, [shared::NOT_FINITE, shared::ROTATION_ZERO, shared::ROTATION_UNIT, codes::POSE_CURVE]);
        for (index, pose) in self.poses().enumerate() {
            for bone in pose.bones() {
                let word = || format!("bone {:?} of {}", Short(bone.name), named("pose", index, pose.name()));
                let is_finite = all_finite(bone.position) && all_finite(bone.rotation) && all_finite(bone.scale);
                broken.hit_if(!is_finite, index, || {
                    format!("{} holds {:?}, {:?} and {:?}", word(), bone.position, bone.rotation, bone.scale)
                });
                check_rotation(&mut zero, &mut off, bone.rotation, index, word);
            }
            for own in pose.influences() {
                let is_there = usize::try_from(own.curve()).is_ok_and(|curve| curve < curves);
                lost.hit_if(!is_there, index, || {
                    let (pose, count) = (named("pose", index, pose.name()), only(curves, "curve", "curves"));
                    format!("{pose} refers to curve {}; the file has {count}", own.curve())
                });
                broken.hit_if(!own.influence().is_finite(), index, || {
                    format!(
                        "{} gives curve {} the value {}",
                        named("pose", index, pose.name()),
                        own.curve(),
                        own.influence()
                    )
                });
            }
        }
        report.add([broken, lost, zero, off]);
        let place = at(pose::CURVES, self.curves_offset());
        check_names(&mut report, place, "curve", self.curves(), None);
        report.into_findings()
    }
}
