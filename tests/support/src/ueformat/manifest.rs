//! The corpus in the words of the manifest: what the files hold is counted by the second reader, and its words and reasons, which the
//! corpus has by hand, become codes.

use std::collections::BTreeSet;

use super::asset::{Content, Lod};
use super::build::{self, Style};
use super::codes::{QUIRKS, of_error, of_file};
use super::corpus::{self as own, arm, wave};
use super::naive::{self, File};
use crate::corpus::{Case, Expect, Good};

/// What a check finds in files beside that for which the second reader has a word, by hand: each with the reason.
const ALSO: &[(&str, &[&str])] = &[
    // All keys of a track are the first one.
    ("ueformat/animation/dense.ueanim", &["no-motion"]),
    // A bone that is read as a root and is not bone 0, and the bone below it.
    ("ueformat/model/parent_own.uemodel", &["bone-extra-root", "bone-unreachable"]),
    ("ueformat/model/parent_3.uemodel", &["bone-extra-root"]),
    // Parents below 0.
    ("ueformat/model/parent_min.uemodel", &["bone-extra-root"]),
    ("ueformat/model/roots_3.uemodel", &["bone-extra-root"]),
    // Bones 1 and 2 are each other's parents.
    ("ueformat/model/parent_cycle.uemodel", &["bone-order", "bone-unreachable"]),
    // The parents are whatever the other layout has there.
    ("ueformat/model/both_layouts.uemodel", &["bone-extra-root", "bones-unclear"]),
];

/// Errors that the library gives where the second reader meets another one first, or none: the code, the section and where it lies, by hand.
type Other = (&'static str, &'static str, &'static str, fn() -> usize);
const OTHER: &[Other] = &[
    // The library reads each list as it comes, the second reader all headers first. The reference (12, number 11) names the list.
    ("ueformat/damaged/size_less.uemodel", "section-end", "VERTICES", || in_arm("LODS/0/VERTICES#0")),
    // As many bones as there may be have more than 32 bits of bytes in both layouts, so that both give one error.
    ("ueformat/damaged/bones_max.uemodel", "section-end", "BONES", || in_arm("SKELETON/BONES#0")),
    // The two numbers before the sections are one record.
    ("ueformat/damaged/cut_preamble.ueanim", "truncated", "body", || {
        build::animation(5, &wave(), Style::LIBRARY).build().offset("body")
    }),
    // The second reader has no limits.
    ("ueformat/damaged/uv_sets_65.uemodel", "too-many-records", "TEXCOORDS", || in_arm("LODS/0/TEXCOORDS")),
    ("ueformat/damaged/name_4097.ueanim", "name-length", "TRACKS", || {
        build::animation(10, &wave(), Style::LIBRARY).build().offset("TRACKS#0")
    }),
];

/// The offset of a part of the arm.
fn in_arm(part: &str) -> usize {
    build::model(10, &arm(), Style::LIBRARY).build().offset(part)
}

pub(super) fn cases() -> Vec<Case> {
    own::cases().into_iter().map(case).collect()
}

fn case(own: own::Case) -> Case {
    let other = OTHER.iter().find(|(file, ..)| *file == own.file);
    let expect = match (naive::read(&own.bytes), other) {
        (_, Some((_, kind, section, offset))) => Expect::Error { kind, section, offset: offset() as u64 },
        (Ok(file), None) => Expect::Ok(good(own.file, &file)),
        (Err(error), None) => {
            let fault = of_error(&own.bytes, &error);
            // As long as the program, as all names of sections are.
            Expect::Error { kind: fault.code, section: fault.section.leak(), offset: fault.offset }
        }
    };
    Case { file: own.file, about: own.about, source: own.source, bytes: own.bytes, extra: Vec::new(), expect }
}

fn good(name: &str, file: &File) -> Good {
    let count = |length: usize| Some(length as u64);
    let opinion = of_file(file);
    let also = ALSO.iter().filter(|(own, _)| *own == name).flat_map(|(_, codes)| codes.iter().copied());
    let codes: BTreeSet<&str> = opinion.must.iter().copied().chain(also).collect();
    let (quirks, findings): (Vec<_>, Vec<_>) = codes.into_iter().partition(|code| QUIRKS.contains(code));
    let good = Good { quirks, findings, ..Good::default() };
    match &file.content {
        Content::Model(model) => {
            let none = Lod::default();
            let lod = model.lods.first().unwrap_or(&none);
            Good {
                format: "ueformat.uemodel",
                bones: count(model.skeleton.as_ref().map_or(0, |skeleton| skeleton.bones.len())),
                points: count(lod.vertices.len()),
                faces: count(lod.indices.len() / 3),
                materials: count(lod.materials.len()),
                uv_sets: count(lod.uvs.len()),
                ..good
            }
        }
        Content::Animation(animation) => {
            let metadata = animation.metadata.clone().unwrap_or_default();
            let frames = metadata.frame_count.clamp(0, 1 << 20);
            let rate = f64::from(metadata.rate);
            Good {
                format: "ueformat.ueanim",
                bones: count(animation.tracks.len()),
                sequences: Some(1),
                frames: Some(frames as u64),
                duration_s: Some(if rate.is_finite() && rate > 0.0 { f64::from(frames) / rate } else { 0.0 }),
                ..good
            }
        }
        Content::Pose(pose) => Good {
            format: "ueformat.uepose",
            bones: count(pose.poses.iter().map(|pose| pose.keys.len()).max().unwrap_or(0)),
            sequences: count(pose.poses.len()),
            frames: count(pose.poses.len()),
            duration_s: Some(0.0),
            ..good
        },
    }
}
