//! The codes of the library for the words and the reasons of the second reader.

use std::collections::BTreeSet;

use super::asset::{Animation, Content, Lod, Model, Name};
use super::naive::{self, File, Header, Odd};
use crate::family::stranger;

/// The codes of structure that a parser notes. All others are findings of a check.
pub const QUIRKS: [&str; 9] = [
    "bones-unclear",
    "count-high",
    "duplicate-section",
    "frames-negative",
    "frames-unlikely",
    "root-metadata",
    "section-rest",
    "trailing-bytes",
    "unknown-section",
];

/// Findings about a mesh or a clip as a whole, about normals and about further roots: the second reader has no word for them.
const WITHOUT_WORD: [&str; 10] = [
    "additive",
    "bone-extra-root",
    "bone-unreachable",
    "mesh-axes",
    "mesh-scale",
    "mesh-winding",
    "no-motion",
    "normal-unit",
    "point-far",
    "weights-still",
];

/// What the library must find in a file, and what it may find too.
#[derive(Debug, Default)]
pub struct Opinion {
    pub must: BTreeSet<&'static str>,
    pub may: BTreeSet<&'static str>,
}

impl Opinion {
    /// The part of these codes that the second reader has an opinion on.
    pub fn judged<'c>(&self, found: &BTreeSet<&'c str>) -> BTreeSet<&'c str> {
        found.iter().copied().filter(|code| !self.may.contains(code)).collect()
    }
}

/// The codes of all that is odd in a file.
pub fn of_file(file: &File) -> Opinion {
    let mut opinion = Opinion { must: BTreeSet::new(), may: WITHOUT_WORD.into() };
    for odd in naive::findings(file) {
        add(&mut opinion, file, &odd);
    }
    match &file.content {
        Content::Model(model) => of_model(&mut opinion, model, file.header.version),
        Content::Animation(animation) => of_animation(&mut opinion, animation),
        Content::Pose(pose) => {
            if pose.poses.iter().any(|pose| key(&pose.name).is_empty()) {
                opinion.must.insert("name-empty");
            }
            if has_twice(pose.poses.iter().map(|pose| key(&pose.name))) {
                opinion.must.insert("name-duplicate");
            }
            edges(&mut opinion, pose.poses.iter().flat_map(|pose| pose.keys.iter().map(|key| key.rotation)));
        }
    }
    let Opinion { must, may } = &mut opinion;
    may.retain(|code| !must.contains(code));
    opinion
}

/// The place of a word: the section without its list and without those around it.
fn section(odd: &Odd) -> &str {
    last(&odd.section)
}

fn last(path: &str) -> &str {
    let own = path.split('#').next().unwrap_or_default();
    let mut parts = own.rsplit('/');
    let end = parts.next().unwrap_or_default();
    // Levels have a number.
    if end.bytes().all(|digit| digit.is_ascii_digit()) { parts.next().unwrap_or(end) } else { end }
}

fn add(opinion: &mut Opinion, file: &File, odd: &Odd) {
    let code = match (odd.word, section(odd)) {
        ("trailing-bytes", "root" | "body") => "trailing-bytes",
        ("trailing-bytes", _) => "section-rest",
        ("section-unknown", _) => "unknown-section",
        ("section-twice", _) => "duplicate-section",
        ("count-too-high", _) => "count-high",
        ("metadata-in-root", _) => "root-metadata",
        // The library judges the names of things, and of references only whether they exist.
        ("name-encoding", _) => {
            let own = if is_own_name_odd(&file.content) { &mut opinion.must } else { &mut opinion.may };
            own.insert("name-encoding");
            return;
        }
        ("name-duplicate", "BONES") => "bone-duplicate",
        ("name-duplicate", "TRACKS") => "track-duplicate",
        ("name-duplicate", "POSES") => "name-duplicate",
        // The second reader compares names of levels in any case.
        ("lod-name", _) => {
            opinion.may.insert("level-name");
            return;
        }
        ("vertex-count", _) => "column-length",
        ("index-count", "INDICES") => "indices-rest",
        ("face-vertex", _) => {
            // The rest behind the last triangle is none of the library's triangles.
            let is_rest = matches!(&file.content, Content::Model(model) if model.lods.iter().any(|lod| lod.indices.len() % 3 != 0));
            if is_rest { &mut opinion.may } else { &mut opinion.must }.insert("face-vertex");
            return;
        }
        ("hull-vertex", _) => "face-vertex",
        ("morph-vertex", _) => "morph-point",
        ("material-gap", _) => {
            // With a range that does not exist, triangles are counted in another way.
            opinion.must.insert("material-gap");
            return;
        }
        ("parent-range", _) => "bone-parent",
        ("parent-cycle", _) => "bone-cycle",
        ("parent-order", _) => "bone-order",
        ("frame-count", _) => match &file.content {
            Content::Animation(Animation { metadata: Some(own), .. }) if own.frame_count < 0 => "frames-negative",
            _ => "frames-unlikely",
        },
        ("frame-rate" | "no-metadata", _) => "sequence-rate",
        ("additive" | "base-pose", _) => "additive-type",
        ("key-duplicate", _) => "key-repeated",
        ("key-range", _) => "key-outside",
        ("socket-bone", _) => {
            // A socket without a bone belongs to the model.
            let is_named = matches!(&file.content, Content::Model(model) if lost_sockets(model));
            if is_named {
                opinion.must.insert("socket-bone");
            }
            return;
        }
        (
            word @ ("face-degenerate" | "material-range" | "weight-bone" | "weight-vertex" | "weight-value"
            | "weight-sum" | "rotation-zero" | "rotation-unit" | "key-order" | "pose-curve" | "name-empty"
            | "not-finite"),
            _,
        ) => word,
        // The library has no code for these: names that others share, faces of two materials, points without weights, bones of virtual
        // bones, and frames of curves.
        (
            "name-duplicate" | "index-count" | "material-overlap" | "vertex-unweighted" | "virtual-bone"
            | "curve-order" | "curve-range" | "key-late",
            _,
        ) => return,
        (word, section) => panic!("no code for {word} in {section}"),
    };
    opinion.must.insert(code);
}

/// Without the zero bytes at its end, up to 16, which are not part of a name.
pub fn text(name: &[u8]) -> &[u8] {
    let zeros = name.iter().rev().take_while(|byte| **byte == 0).count();
    &name[..name.len() - zeros.min(16)]
}

fn is_own_name_odd(content: &Content) -> bool {
    let odd = |name: &Name| std::str::from_utf8(name).is_err();
    match content {
        Content::Model(model) => {
            let bones = model.skeleton.iter().flat_map(|own| own.bones.iter().map(|bone| &bone.name));
            let sockets = model.skeleton.iter().flat_map(|own| own.sockets.iter().map(|socket| &socket.name));
            let virtual_bones = model.skeleton.iter().flat_map(|own| own.virtual_bones.iter().map(|names| &names[2]));
            let materials = model.lods.iter().flat_map(|lod| lod.materials.iter().map(|own| &own.name));
            let morphs = model.lods.iter().flat_map(|lod| lod.morphs.iter().map(|own| &own.name));
            bones.chain(sockets).chain(virtual_bones).chain(materials).chain(morphs).any(odd)
        }
        Content::Animation(own) => {
            own.tracks.iter().map(|track| &track.name).chain(own.curves.iter().map(|curve| &curve.name)).any(odd)
        }
        Content::Pose(own) => own.poses.iter().map(|pose| &pose.name).chain(&own.curves).any(odd),
    }
}

/// A name as names are compared: in any case, and without spaces at its end.
pub fn key(name: &[u8]) -> Vec<u8> {
    trimmed(text(name)).to_ascii_lowercase()
}

/// Without the spaces at its end.
pub fn trimmed(name: &[u8]) -> &[u8] {
    let spaces = name.iter().rev().take_while(|byte| **byte == b' ').count();
    &name[..name.len() - spaces]
}

fn lost_sockets(model: &Model) -> bool {
    let Some(skeleton) = &model.skeleton else { return false };
    let known: BTreeSet<_> = skeleton.bones.iter().map(|bone| key(&bone.name)).collect();
    skeleton.sockets.iter().map(|socket| key(&socket.bone)).any(|bone| !bone.is_empty() && !known.contains(&bone))
}

fn has_twice<T: Ord>(names: impl Iterator<Item = T>) -> bool {
    let mut seen = BTreeSet::new();
    names.into_iter().any(|name| !seen.insert(name))
}

/// What the words say in another way than the library.
fn of_model(opinion: &mut Opinion, model: &Model, version: u8) {
    let Opinion { must, may } = opinion;
    if version >= 4 && has_twice(model.lods.iter().map(|lod| text(&lod.name))) {
        must.insert("level-name");
    }
    if must.contains("bone-cycle") && !must.contains("bone-order") {
        // Some bone of a cycle comes before its parent; the second reader has one word for both.
        may.insert("bone-order");
    }
    // The second reader does not say whether bones without a scale would fit too.
    may.insert("bones-unclear");
    if must.contains("material-range") && !must.contains("material-gap") {
        may.insert("material-gap");
    }
    let names = || model.skeleton.iter().flat_map(|own| own.bones.iter().map(|bone| key(&bone.name)));
    if names().any(|name| name.is_empty()) {
        must.insert("name-empty");
    }
    if has_twice(names()) {
        must.insert("bone-duplicate");
    }
    // A bone that is its own parent is read as a root. Only bone 0 is one by its nature.
    let bones = || model.skeleton.iter().flat_map(|own| own.bones.iter().zip(0_i64..));
    if bones().any(|(bone, index)| i64::from(bone.parent) == index) {
        must.remove("bone-cycle");
        may.insert("bone-cycle");
        if bones().any(|(bone, index)| index > 0 && i64::from(bone.parent) == index) {
            must.insert("bone-parent");
        }
    }
    // A parent below -1 is none.
    let count = bones().count() as i64;
    if !bones().any(|(bone, index)| i64::from(bone.parent) >= count || (index > 0 && i64::from(bone.parent) == index)) {
        must.remove("bone-parent");
    }
    let is_weight_broken = |lod: &Lod| lod.weights.iter().any(|own| !own.weight.is_finite());
    if model.lods.iter().any(is_weight_broken) {
        // An infinite weight is not from 0 to 1 either, and its sum is not 1.
        may.extend(["weight-value", "weight-sum"]);
        must.retain(|code| *code != "weight-sum");
    }
    // Signs of binormals are not judged.
    let signs = model.lods.iter().flat_map(|lod| lod.normals.iter().map(|normal| normal[0]));
    if signs.into_iter().any(|sign| !sign.is_finite()) {
        must.remove("not-finite");
        may.insert("not-finite");
    }
    // Sums of 32 and of 64 bits differ at the edge, and so do squares of lengths.
    let is_edge = |found: f64, limit: f64| ((found - 1.0).abs() - limit).abs() < 1e-5;
    for lod in &model.lods {
        for vertex in 0..lod.vertices.len() as i32 {
            let own = lod.weights.iter().filter(|own| own.vertex == vertex);
            if is_edge(own.map(|own| f64::from(own.weight)).sum(), 0.01) {
                must.remove("weight-sum");
                may.insert("weight-sum");
            }
        }
    }
    let rotations = model.skeleton.iter().flat_map(|own| {
        own.bones.iter().map(|bone| bone.rotation).chain(own.sockets.iter().map(|socket| socket.rotation))
    });
    edges(opinion, rotations);
}

/// Rotations at the edge of unit length: the library allows 0.01 of the square, the second reader 0.02.
fn edges(opinion: &mut Opinion, rotations: impl Iterator<Item = [f32; 4]>) {
    let off = |rotation: [f32; 4]| {
        let square: f64 = rotation.iter().map(|own| f64::from(*own).powi(2)).sum();
        (square - 1.0).abs()
    };
    if rotations.map(off).any(|off| (0.009_99..=0.020_01).contains(&off)) {
        opinion.must.remove("rotation-unit");
        opinion.may.insert("rotation-unit");
    }
}

fn of_animation(opinion: &mut Opinion, animation: &Animation) {
    let Opinion { must, may } = opinion;
    if animation.tracks.iter().any(|track| key(&track.name).is_empty()) {
        must.insert("name-empty");
    }
    if has_twice(animation.tracks.iter().map(|track| key(&track.name))) {
        must.insert("track-duplicate");
    }
    if animation.metadata.is_none() {
        // No frame is known, so that all keys lie outside.
        must.remove("key-outside");
        may.insert("key-outside");
        must.insert("sequence-rate");
    }
    if must.contains("frames-unlikely") {
        may.insert("key-outside");
    }
    if must.contains("key-order") && must.remove("key-repeated") {
        // The library compares neighbours.
        may.insert("key-repeated");
    }
    edges(opinion, animation.tracks.iter().flat_map(|track| track.rotations.iter().map(|(_, rotation)| *rotation)));
}

/// An error: the code, the section and the offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub code: &'static str,
    pub section: String,
    pub offset: u64,
}

/// The error that the library should give for one of the second reader.
pub fn of_error(bytes: &[u8], error: &str) -> Fault {
    if !naive::begins(bytes) {
        return Fault { code: stranger(bytes), section: "file".into(), offset: 0 };
    }
    // The same number is below 0 in both layouts of bones.
    if let Some((_, both)) = error.split_once("not of bones with scale (") {
        let (one, _) = both.split_once("), nor without").expect("two reasons");
        if one.contains("negative count") {
            return of_error(bytes, one);
        }
    }
    let (what, place) = error.rsplit_once(", at byte ").expect("every error has a place");
    let (offset, end) = place.split_once(" of ").expect("every error has an end");
    let (offset, end): (u64, usize) = (offset.parse().unwrap(), end.parse().unwrap());
    let (path, what) = what.split_once(": ").expect("every error has a section");
    let packed = naive::header(bytes).ok().filter(|header| header.compression.is_some());
    let length = packed.as_ref().map_or(bytes.len(), |header| unpacked_length(header, bytes));
    // A section can have the name of the whole.
    let is_packed_body = path == "body" && packed.as_ref().is_some_and(|header| offset == packed_at(header) as u64);
    let is_last = end >= length;
    let mut section = match last(path) {
        "root" => "body",
        other => other,
    };
    let code = if what.starts_with("unsupported compression") {
        // First, because its name may have any words.
        section = "header";
        "compression"
    } else if what.contains("is newer than") {
        "version"
    } else if what.contains("nor without") {
        "bone-size"
    } else if what.contains("negative count") {
        "negative-count"
    } else if what.contains("negative") {
        "negative-size"
    } else if what.contains("gzip:") || what.contains("zstd:") {
        "compressed-data"
    } else if what.contains("are stated") {
        "unpacked-size"
    } else if what.contains("are more than") {
        "unpacked-limit"
    } else if is_packed_body {
        // More compressed bytes than there are.
        section = "header";
        "truncated"
    } else if !is_last {
        "section-end"
    } else if what.contains("elements need") {
        "records-overrun"
    } else {
        "truncated"
    };
    Fault { code, section: section.into(), offset }
}

/// The length of the file with an unpacked body.
fn unpacked_length(header: &Header, bytes: &[u8]) -> usize {
    header.flag + 1 + header.unpacked_size + bytes.len().saturating_sub(packed_at(header) + header.packed_size)
}

/// The first byte of a packed body.
fn packed_at(header: &Header) -> usize {
    header.flag + 1 + header.compression.as_ref().map_or(0, |name| 4 + name.len() + 8)
}
