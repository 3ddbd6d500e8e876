//! Findings about values that are readable.

use std::collections::{BTreeMap, BTreeSet};

use super::{File, Odd};
use crate::ueformat::asset::{Animation, Content, Lod, Metadata, Model, Name, Pose, Rotation, Skeleton, Track};

/// More frames than any clip has: the number is not believed.
pub(super) const MAX_FRAMES: i32 = 1 << 20;

/// The words of all that is odd, structure and values.
pub fn words(file: &File) -> BTreeSet<&'static str> {
    findings(file).into_iter().map(|odd| odd.word).collect()
}

/// All that is odd, each once: structure in the order of the file, then values.
///
/// | word | what |
/// |---|---|
/// | `trailing-bytes` | bytes after the body, after the compressed data, or after the elements of a section |
/// | `section-unknown`, `section-twice` | a section that is skipped |
/// | `count-too-high` | fault of CUE4Parse: MORPHTARGETS or SOCKETS end before their count |
/// | `metadata-in-root` | fault of CUE4Parse |
/// | `name-encoding` | a name that is not UTF-8 |
/// | `name-duplicate` | bones, tracks, curves, morphs of a level, or poses whose names differ in case at most |
/// | `lod-name` | levels of one name |
/// | `name-empty` | a bone or a track without a name |
/// | `vertex-count` | a normal, tangent, UV or colour for some vertices only |
/// | `index-count` | indices that make no whole triangle |
/// | `face-vertex`, `face-degenerate` | a triangle with a vertex that is not there, or with one vertex twice |
/// | `material-range` | triangles of a material beyond the indices, or from within one |
/// | `material-gap`, `material-overlap` | triangles of no material, or of several |
/// | `weight-bone`, `weight-vertex`, `morph-vertex`, `hull-vertex` | one that is not there |
/// | `weight-value`, `weight-sum`, `vertex-unweighted` | weights outside of 0 to 1, or that do not add up to 1, or none |
/// | `not-finite` | NaN or infinity |
/// | `rotation-zero`, `rotation-unit` | a rotation of no length, or not of length 1 |
/// | `parent-range`, `parent-cycle`, `parent-order` | a parent that is not there, that is a descendant, or that stands later |
/// | `socket-bone`, `virtual-bone` | a bone that is not there |
/// | `frame-count`, `frame-rate`, `additive`, `base-pose` | a field of METADATA without meaning |
/// | `no-metadata` | an animation without number of frames and rate |
/// | `key-order`, `key-duplicate`, `key-range`, `key-late` | frames of keys that fall, repeat, are beyond the clip, or begin after 0 |
/// | `curve-order`, `curve-range` | frames of a curve that fall, or are beyond the clip |
/// | `pose-curve` | an influence of a curve that is not there |
pub fn findings(file: &File) -> Vec<Odd> {
    let mut found = Found { odd: file.odd.clone() };
    found.name("header", &file.header.name);
    file.header.path.iter().for_each(|path| found.name("header", path));
    match &file.content {
        Content::Model(model) => found.model(model),
        Content::Animation(animation) => found.animation(animation),
        Content::Pose(pose) => found.pose(pose),
    }
    found.odd
}

struct Found {
    odd: Vec<Odd>,
}

/// Names are matched in any case.
fn folded(name: &[u8]) -> Name {
    name.to_ascii_lowercase()
}

fn has_duplicates<'n>(names: impl IntoIterator<Item = &'n Name>) -> bool {
    let mut seen = BTreeSet::new();
    !names.into_iter().all(|name| seen.insert(folded(name)))
}

impl Found {
    fn when(&mut self, is_odd: bool, word: &'static str, section: &str) {
        let odd = Odd { word, section: section.to_owned() };
        if is_odd && !self.odd.contains(&odd) {
            self.odd.push(odd);
        }
    }

    fn name(&mut self, section: &str, name: &[u8]) {
        self.when(std::str::from_utf8(name).is_err(), "name-encoding", section);
    }

    fn names<'n>(&mut self, section: &str, names: impl IntoIterator<Item = &'n Name>) {
        names.into_iter().for_each(|name| self.name(section, name));
    }

    fn finite<'f>(&mut self, section: &str, numbers: impl IntoIterator<Item = &'f f32>) {
        let all = numbers.into_iter().all(|number| number.is_finite());
        self.when(!all, "not-finite", section);
    }

    fn rotation(&mut self, section: &str, rotation: &Rotation) {
        self.finite(section, rotation);
        if rotation.iter().all(|number| number.is_finite()) {
            let square: f64 = rotation.iter().map(|number| f64::from(*number).powi(2)).sum();
            self.when(square == 0.0, "rotation-zero", section);
            self.when(square != 0.0 && (square - 1.0).abs() > 0.02, "rotation-unit", section);
        }
    }

    fn model(&mut self, model: &Model) {
        let bones = model.skeleton.as_ref().map_or(0, |skeleton| skeleton.bones.len());
        let has_skeleton = model.skeleton.is_some();
        for (at, lod) in model.lods.iter().enumerate() {
            self.lod(&format!("LODS/{at}"), lod, bones, has_skeleton);
        }
        self.when(has_duplicates(model.lods.iter().map(|lod| &lod.name)), "lod-name", "LODS");
        model.skeleton.iter().for_each(|skeleton| self.skeleton(skeleton));
        for hull in &model.hulls {
            self.name("COLLISION", &hull.name);
            self.finite("COLLISION", hull.vertices.as_flattened());
            let is_there = |index: &i32| usize::try_from(*index).is_ok_and(|index| index < hull.vertices.len());
            self.when(!hull.indices.iter().all(is_there), "hull-vertex", "COLLISION");
            self.when(hull.indices.len() % 3 != 0, "index-count", "COLLISION");
        }
    }

    fn lod(&mut self, path: &str, lod: &Lod, bones: usize, has_skeleton: bool) {
        let at = |name: &str| format!("{path}/{name}");
        let count = lod.vertices.len();
        self.name(path, &lod.name);
        self.finite(&at("VERTICES"), lod.vertices.as_flattened());
        self.finite(&at("NORMALS"), lod.normals.as_flattened());
        self.finite(&at("TANGENTS"), lod.tangents.as_flattened());
        let differs = |own: usize| own != 0 && own != count;
        self.when(differs(lod.normals.len()), "vertex-count", &at("NORMALS"));
        self.when(differs(lod.tangents.len()), "vertex-count", &at("TANGENTS"));
        for set in &lod.uvs {
            self.name(&at("TEXCOORDS"), &set.name);
            self.finite(&at("TEXCOORDS"), set.uvs.as_flattened());
            self.when(differs(set.uvs.len()), "vertex-count", &at("TEXCOORDS"));
        }
        for set in &lod.colours {
            self.name(&at("VERTEXCOLORS"), &set.name);
            self.when(differs(set.colours.len()), "vertex-count", &at("VERTEXCOLORS"));
        }
        self.when(lod.indices.len() % 3 != 0, "index-count", &at("INDICES"));
        for index in &lod.indices {
            self.when(*index as usize >= count, "face-vertex", &at("INDICES"));
        }
        for face in lod.indices.chunks_exact(3) {
            let is_flat = face[0] == face[1] || face[1] == face[2] || face[2] == face[0];
            self.when(is_flat, "face-degenerate", &at("INDICES"));
        }
        self.materials(&at("MATERIALS"), lod);
        self.weights(&at("WEIGHTS"), lod, bones, has_skeleton);
        let morphs = at("MORPHTARGETS");
        for morph in &lod.morphs {
            self.name(&morphs, &morph.name);
            for delta in &morph.deltas {
                self.finite(&morphs, &delta.position);
                self.finite(&morphs, &delta.normal);
                self.when(delta.vertex as usize >= count, "morph-vertex", &morphs);
            }
        }
        self.when(has_duplicates(lod.morphs.iter().map(|morph| &morph.name)), "name-duplicate", &morphs);
    }

    fn materials(&mut self, path: &str, lod: &Lod) {
        let mut owners = vec![0_u32; lod.indices.len() / 3];
        for material in &lod.materials {
            self.name(path, &material.name);
            self.name(path, &material.path);
            let (first, faces) = (i64::from(material.first_index), i64::from(material.face_count));
            let fits = first >= 0 && faces >= 0 && first % 3 == 0 && first + 3 * faces <= lod.indices.len() as i64;
            self.when(!fits, "material-range", path);
            for (face, owner) in (0_i64..).zip(&mut owners) {
                let index = 3 * face;
                if index >= first && index < first + 3 * faces {
                    *owner += 1;
                }
            }
        }
        if !lod.materials.is_empty() {
            self.when(owners.contains(&0), "material-gap", path);
            self.when(owners.iter().any(|owner| *owner > 1), "material-overlap", path);
        }
    }

    fn weights(&mut self, path: &str, lod: &Lod, bones: usize, has_skeleton: bool) {
        let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
        for weight in &lod.weights {
            self.when(usize::from(weight.bone) >= bones, "weight-bone", path);
            let vertex = usize::try_from(weight.vertex).ok().filter(|vertex| *vertex < lod.vertices.len());
            self.when(vertex.is_none(), "weight-vertex", path);
            self.finite(path, [&weight.weight]);
            if weight.weight.is_finite() {
                self.when(!(-0.001..=1.001).contains(&weight.weight), "weight-value", path);
            }
            if let Some(vertex) = vertex {
                *sums.entry(vertex).or_default() += f64::from(weight.weight);
            }
        }
        if has_skeleton {
            self.when(sums.len() < lod.vertices.len(), "vertex-unweighted", path);
        }
        self.when(sums.values().any(|sum| (sum - 1.0).abs() > 0.01), "weight-sum", path);
    }

    fn skeleton(&mut self, skeleton: &Skeleton) {
        self.name("SKELETON/METADATA", &skeleton.path);
        let (path, bones) = ("SKELETON/BONES", &skeleton.bones);
        for (at, bone) in bones.iter().enumerate() {
            self.name(path, &bone.name);
            self.when(bone.name.is_empty(), "name-empty", path);
            self.finite(path, &bone.position);
            self.finite(path, &bone.scale);
            self.rotation(path, &bone.rotation);
            let parent = |bone: usize| usize::try_from(bones[bone].parent).ok().filter(|parent| *parent < bones.len());
            self.when(bone.parent != -1 && parent(at).is_none(), "parent-range", path);
            // As many steps as there are bones lead to a root, or around.
            let mut place = Some(at);
            for _ in 0..bones.len() {
                place = place.and_then(parent);
            }
            self.when(place.is_some(), "parent-cycle", path);
            let is_later = parent(at).is_some_and(|parent| parent > at);
            self.when(is_later && place.is_none(), "parent-order", path);
        }
        self.when(has_duplicates(bones.iter().map(|bone| &bone.name)), "name-duplicate", path);
        let known: BTreeSet<Name> = bones.iter().map(|bone| folded(&bone.name)).collect();
        let path = "SKELETON/SOCKETS";
        for socket in &skeleton.sockets {
            self.names(path, [&socket.name, &socket.bone]);
            self.finite(path, &socket.position);
            self.finite(path, &socket.scale);
            self.rotation(path, &socket.rotation);
            self.when(!known.contains(&folded(&socket.bone)), "socket-bone", path);
        }
        let path = "SKELETON/VIRTUALBONES";
        for names in &skeleton.virtual_bones {
            self.names(path, names);
            let is_there = names[..2].iter().all(|name| known.contains(&folded(name)));
            self.when(!is_there, "virtual-bone", path);
        }
    }

    fn animation(&mut self, animation: &Animation) {
        let path = "METADATA";
        let Metadata { frame_count, rate, path: reference, additive, base, .. } =
            animation.metadata.clone().unwrap_or(Metadata { rate: 1.0, ..Metadata::default() });
        self.when(animation.metadata.is_none(), "no-metadata", path);
        self.when(!(0..=MAX_FRAMES).contains(&frame_count), "frame-count", path);
        self.when(!(rate.is_finite() && rate > 0.0), "frame-rate", path);
        self.when(additive > 2, "additive", path);
        self.when(base > 4, "base-pose", path);
        self.name(path, &reference);
        let count = animation.metadata.as_ref().map(|metadata| metadata.frame_count);
        animation.tracks.iter().for_each(|track| self.track(track, count));
        self.when(has_duplicates(animation.tracks.iter().map(|track| &track.name)), "name-duplicate", "TRACKS");
        for curve in &animation.curves {
            self.name("CURVES", &curve.name);
            self.finite("CURVES", curve.keys.iter().map(|(_, value)| value));
            let frames: Vec<i32> = curve.keys.iter().map(|(frame, _)| *frame).collect();
            self.when(!frames.is_sorted(), "curve-order", "CURVES");
            self.when(frames.iter().any(|frame| is_beyond(*frame, count)), "curve-range", "CURVES");
        }
        self.when(has_duplicates(animation.curves.iter().map(|curve| &curve.name)), "name-duplicate", "CURVES");
    }

    fn track(&mut self, track: &Track, count: Option<i32>) {
        let path = "TRACKS";
        self.name(path, &track.name);
        self.when(track.name.is_empty(), "name-empty", path);
        track.positions.iter().chain(&track.scales).for_each(|(_, value)| self.finite(path, value));
        track.rotations.iter().for_each(|(_, rotation)| self.rotation(path, rotation));
        let frames = |keys: &[(i32, [f32; 3])]| keys.iter().map(|(frame, _)| *frame).collect::<Vec<i32>>();
        let rotations = track.rotations.iter().map(|(frame, _)| *frame).collect();
        for frames in [frames(&track.positions), rotations, frames(&track.scales)] {
            self.when(!frames.is_sorted(), "key-order", path);
            let distinct: BTreeSet<i32> = frames.iter().copied().collect();
            self.when(distinct.len() < frames.len(), "key-duplicate", path);
            self.when(frames.iter().any(|frame| is_beyond(*frame, count)), "key-range", path);
            self.when(distinct.first().is_some_and(|first| *first > 0), "key-late", path);
        }
    }

    fn pose(&mut self, pose: &Pose) {
        let path = "POSES";
        for one in &pose.poses {
            self.name(path, &one.name);
            for key in &one.keys {
                self.name(path, &key.bone);
                self.finite(path, &key.position);
                self.finite(path, &key.scale);
                self.rotation(path, &key.rotation);
            }
            self.finite(path, one.influences.iter().map(|(_, influence)| influence));
            let is_there = |curve: i32| usize::try_from(curve).is_ok_and(|curve| curve < pose.curves.len());
            self.when(!one.influences.iter().all(|(curve, _)| is_there(*curve)), "pose-curve", path);
        }
        self.when(has_duplicates(pose.poses.iter().map(|pose| &pose.name)), "name-duplicate", path);
        self.names("CURVES", &pose.curves);
        self.when(has_duplicates(&pose.curves), "name-duplicate", "CURVES");
    }
}

/// Before the first frame, or after the last one that is stated.
fn is_beyond(frame: i32, count: Option<i32>) -> bool {
    frame < 0 || count.is_some_and(|count| frame >= count.max(0))
}
