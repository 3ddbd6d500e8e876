//! What UEFormat files have besides arrays: names between the records, levels of detail, sparse keys.

use pyo3::prelude::*;
use skelmap::ueformat::{Level, Model};
use skelmap::{Asset, Text};

use crate::file::{File, Opened};
use crate::memory::Memory;
use crate::parts::{Part, Parts};

/// The level of detail that was chosen, or the last one; `None` for a model without levels and for other files.
pub(crate) fn level_of(opened: &Opened) -> Option<Level<'_>> {
    levels_of(opened).into_iter().flatten().take(opened.lod.saturating_add(1)).last()
}

fn model_of(opened: &Opened) -> Option<Model<'_>> {
    if let Asset::UeformatModel(model) = opened.asset() { Some(model) } else { None }
}

fn levels_of(opened: &Opened) -> Option<impl Iterator<Item = Level<'_>>> {
    model_of(opened).map(|model| model.levels())
}

/// The arrays of the level of detail. `signed_normals` are there in files whose normals have a sign.
pub(crate) fn parts(opened: &Opened) -> Parts {
    let Some(level) = level_of(opened) else { return Parts::new() };
    let file = opened.asset.bytes();
    let (normals, signs) = (level.normals(), level.binormal_signs());
    let stride = if signs.is_empty() { 12 } else { 16 };
    let mut parts = vec![
        ("positions", Part::of(file, level.positions())),
        ("normals", Part::of_parts(file, normals.get(0), normals.len(), stride)),
        ("tangents", Part::of(file, level.tangents())),
        ("indices", Part::of(file, level.indices())),
        ("influences", Part::of(file, level.influences())),
    ];
    // The sign is the first value of a record.
    if !signs.is_empty() {
        parts.push(("signed_normals", Part::of_parts(file, signs.get(0), signs.len(), stride)));
    }
    parts
}

/// For each morph target its name and its deltas.
pub(crate) fn morphs(opened: &Opened) -> Vec<(String, Part)> {
    let file = opened.asset.bytes();
    let morphs = level_of(opened).map(|level| level.morphs()).into_iter().flatten();
    morphs.map(|morph| (morph.name.to_string(), Part::of(file, morph.deltas))).collect()
}

fn text_of(text: Option<Text<'_>>) -> Option<String> {
    text.map(|text| text.to_string())
}

/// The version of a file, the name of the object and its path.
#[pyfunction]
pub(crate) fn ue_head(file: &File) -> (u8, String, String) {
    let (version, name, path) = match file.0.asset() {
        Asset::UeformatModel(own) => (own.version(), own.name(), own.path()),
        Asset::UeformatAnimation(own) => (own.version(), own.name(), own.path()),
        Asset::UeformatPose(own) => (own.version(), own.name(), own.path()),
        _ => return Default::default(),
    };
    (version, name.to_string(), path.to_string())
}

#[pyfunction]
pub(crate) fn ue_skeleton_path(file: &File) -> String {
    model_of(&file.0).map(|model| model.skeleton_path().to_string()).unwrap_or_default()
}

/// For each level of detail its name, and its numbers of vertices, triangles, influences, UV sets, colour sets, materials and morph targets.
#[pyfunction]
pub(crate) fn ue_levels(file: &File) -> Vec<(String, [usize; 7])> {
    let count = |level: Level<'_>| {
        let counts = [
            level.positions().len(),
            level.indices().len() / 3,
            level.influences().len(),
            level.uv_sets().len(),
            level.color_sets().len(),
            level.materials().len(),
            level.morphs().len(),
        ];
        (level.name().to_string(), counts)
    };
    levels_of(&file.0).into_iter().flatten().map(count).collect()
}

/// Named arrays of a level of detail.
type Sets = Vec<(Option<String>, Part)>;

#[pyfunction]
pub(crate) fn ue_uv_sets(file: &File) -> Sets {
    let bytes = file.0.asset.bytes();
    let sets = level_of(&file.0).map(|level| level.uv_sets()).into_iter().flatten();
    sets.map(|set| (text_of(set.name), Part::of(bytes, set.uvs))).collect()
}

#[pyfunction]
pub(crate) fn ue_color_sets(file: &File) -> Sets {
    let bytes = file.0.asset.bytes();
    let sets = level_of(&file.0).map(|level| level.color_sets()).into_iter().flatten();
    sets.map(|set| (text_of(set.name), Part::of(bytes, set.colors))).collect()
}

/// For each material its name, its path, the first of its indices and the number of its triangles.
#[pyfunction]
pub(crate) fn ue_materials(file: &File) -> Vec<(String, Option<String>, i32, i32)> {
    let materials = level_of(&file.0).map(|level| level.materials()).into_iter().flatten();
    materials.map(|own| (own.name.to_string(), text_of(own.path), own.first_index, own.face_count)).collect()
}

/// The names of the bones, and their parents, positions, rotations and scales.
type Bones = (Vec<String>, Memory, Memory, Memory, Option<Memory>);

#[pyfunction]
pub(crate) fn ue_bones(file: &File) -> Bones {
    let bones: Vec<_> = model_of(&file.0).map(|model| model.bones()).into_iter().flatten().collect();
    let scales = || bones.iter().map(|bone| bone.scale.unwrap_or([1.0; 3])).collect::<Vec<_>>();
    let has_scales = model_of(&file.0).is_some_and(|model| model.has_bone_scales());
    (
        bones.iter().map(|bone| bone.name.to_string()).collect(),
        Memory::of_values(bones.iter().map(|bone| bone.parent).collect::<Vec<_>>(), "<i4"),
        Memory::of_values(bones.iter().map(|bone| bone.position).collect::<Vec<_>>(), "<f4"),
        Memory::of_values(bones.iter().map(|bone| bone.rotation).collect::<Vec<_>>(), "<f4"),
        has_scales.then(|| Memory::of_values(scales(), "<f4")),
    )
}

/// A place in the space of a bone: position, rotation and scale.
type Place = ((f32, f32, f32), (f32, f32, f32, f32), (f32, f32, f32));

/// For each socket its name, the name of its bone and its place.
#[pyfunction]
pub(crate) fn ue_sockets(file: &File) -> Vec<(String, String, Place)> {
    let sockets = model_of(&file.0).map(|model| model.sockets()).into_iter().flatten();
    let place =
        |position: [f32; 3], rotation: [f32; 4], scale: [f32; 3]| (position.into(), rotation.into(), scale.into());
    sockets
        .map(|own| (own.name.to_string(), own.bone.to_string(), place(own.position, own.rotation, own.scale)))
        .collect()
}

/// For each virtual bone the names of its source, its target and itself.
#[pyfunction]
pub(crate) fn ue_virtual_bones(file: &File) -> Vec<(String, String, String)> {
    let bones = model_of(&file.0).map(|model| model.virtual_bones()).into_iter().flatten();
    bones.map(|own| (own.source.to_string(), own.target.to_string(), own.name.to_string())).collect()
}

/// For each hull its name, its corners and its indices.
#[pyfunction]
pub(crate) fn ue_hulls(file: &File) -> Vec<(String, Part, Part)> {
    let bytes = file.0.asset.bytes();
    let hulls = model_of(&file.0).map(|model| model.hulls()).into_iter().flatten();
    hulls.map(|own| (own.name.to_string(), Part::of(bytes, own.vertices), Part::of(bytes, own.indices))).collect()
}

/// Frames and rate as stored; type, base, frame of the base and path of the base of an additive animation.
#[pyfunction]
pub(crate) fn ue_metadata(file: &File) -> (i32, f32, u8, u8, i32, String) {
    let Asset::UeformatAnimation(own) = file.0.asset() else { return Default::default() };
    let (frames, rate, path) = (own.declared_frame_count(), own.stored_rate(), own.base_path().to_string());
    (frames, rate, own.additive_type(), own.base_type(), own.base_frame(), path)
}

/// For each track the name of its bone, and its positions, rotations and scales.
#[pyfunction]
pub(crate) fn ue_tracks(file: &File) -> Vec<(String, Part, Part, Part)> {
    let Asset::UeformatAnimation(own) = file.0.asset() else { return Vec::new() };
    let bytes = own.bytes();
    let vectors = |keys| Part::of(bytes, keys);
    let tracks = own.tracks();
    tracks
        .map(|own| (own.name.to_string(), vectors(own.positions), Part::of(bytes, own.rotations), vectors(own.scales)))
        .collect()
}

/// For each curve of an animation its name and its keys.
#[pyfunction]
pub(crate) fn ue_curves(file: &File) -> Vec<(String, Part)> {
    let Asset::UeformatAnimation(own) = file.0.asset() else { return Vec::new() };
    own.curves().map(|curve| (curve.name.to_string(), Part::of(own.bytes(), curve.keys))).collect()
}

/// For each pose its name, the names of its bones, ten floats for each of them, and its values of curves.
#[pyfunction]
pub(crate) fn ue_poses(file: &File) -> Vec<(String, Vec<String>, Memory, Part)> {
    let Asset::UeformatPose(own) = file.0.asset() else { return Vec::new() };
    let describe = |pose: skelmap::ueformat::NamedPose<'_>| {
        let names = pose.bones().map(|bone| bone.name.to_string()).collect();
        let mut values: Vec<f32> = Vec::new();
        for bone in pose.bones() {
            let parts: [&[f32]; 3] = [&bone.position, &bone.rotation, &bone.scale];
            values.extend(parts.into_iter().flatten());
        }
        (pose.name().to_string(), names, Memory::of_values(values, "<f4"), Part::of(own.bytes(), pose.influences()))
    };
    own.poses().map(describe).collect()
}

/// The names of the bones of a pose.
#[pyfunction]
pub(crate) fn ue_pose_bones(file: &File, index: usize) -> Option<Vec<String>> {
    let Asset::UeformatPose(own) = file.0.asset() else { return None };
    let pose = own.poses().nth(index)?;
    Some(pose.bones().map(|bone| bone.name.to_string()).collect())
}

/// The names of the curves of a list of poses.
#[pyfunction]
pub(crate) fn ue_pose_curves(file: &File) -> Vec<String> {
    let Asset::UeformatPose(own) = file.0.asset() else { return Vec::new() };
    own.curves().map(|name| name.to_string()).collect()
}
