//! `ActorX`: the walk over chunks, meshes, animations and side-cars, each against its second reader.

use skelmap::actorx::{Chunks, Config, Entry, KeyParts, Psa, Psk, check_config};
use skelmap::actorx::{PsaBuf, PskBuf};

use super::agree::{agree, agree_in_outline, exercise};
use super::naive;
use super::naive::config as naive_config;
use crate::shifted::Shifted;

/// The walk over the chunks of a file, by itself and inside of the parsers.
pub fn chunks(bytes: &[u8]) {
    agree_in_outline(bytes);
    let mut walk = Chunks::new(bytes);
    let (mut at, mut failed) = (0, false);
    for chunk in walk.by_ref() {
        let Ok(chunk) = chunk else {
            failed = true;
            break;
        };
        assert_eq!(chunk.offset, at, "a chunk begins where the one before it ends");
        let size = u64::from(chunk.record_size) * u64::from(chunk.count);
        assert_eq!(chunk.body.len() as u64, size);
        at += 32 + size;
        assert!(at <= bytes.len() as u64);
    }
    assert!(walk.next().is_none(), "a walk ends with its first error");
    if let Ok(outline) = naive::outline(bytes) {
        assert!(!failed && Chunks::new(bytes).count() == outline.chunks.len());
    }
}

/// At an alignment that depends on the input, so that all occur.
fn shifted(bytes: &[u8]) -> Shifted {
    Shifted::by(bytes.len() % 4, bytes)
}

pub fn psk(bytes: &[u8]) {
    let shifted = shifted(bytes);
    let bytes = shifted.of(bytes.len());
    agree(bytes);
    exercise(bytes);
    match (Psk::parse(bytes), PskBuf::parse(bytes)) {
        (Ok(view), Ok(owned)) => assert_eq!(view.wedges().len(), owned.view().wedges().len()),
        (Err(view), Err(owned)) => assert_eq!(view, owned.error),
        _ => panic!("view and owned form differ"),
    }
}

pub fn psa(bytes: &[u8]) {
    let shifted = shifted(bytes);
    let bytes = shifted.of(bytes.len());
    agree(bytes);
    exercise(bytes);
    match (Psa::parse(bytes), PsaBuf::parse(bytes)) {
        (Ok(view), Ok(owned)) => assert_eq!(view.keys().len(), owned.view().keys().len()),
        (Err(view), Err(owned)) => assert_eq!(view, owned.error),
        _ => panic!("view and owned form differ"),
    }
}

/// The entries of a side-car, gathered as the naive reader gathers them.
pub fn gathered(text: &[u8]) -> naive_config::Config {
    let mut found = naive_config::Config::default();
    for (line, entry) in Config::new(text).entries() {
        match entry {
            Entry::RotationOnly(on) => found.rotation_only = on,
            Entry::UseTranslation(bone) => found.use_translation.push(bone.to_string()),
            Entry::ForceMeshTranslation(bone) => found.force_mesh.push(bone.to_string()),
            Entry::RemoveTrack { sequence, bone, parts } => {
                let what = match parts {
                    KeyParts::Translation => "trans",
                    KeyParts::Rotation => "rot",
                    KeyParts::Both => "all",
                };
                found.remove.push((sequence.to_string(), bone, what.to_owned()));
            }
            Entry::Unknown(_) => found.bad_lines.push(line),
            other => panic!("{other:?} is new"),
        }
    }
    found
}

/// Both readers find the same in a side-car.
pub fn same_side_car(text: &[u8]) {
    assert_eq!(gathered(text), naive_config::read(text), "{:?}", text.escape_ascii().to_string());
}

/// A side-car, by itself and for an animation of the corpus.
pub fn side_car(text: &[u8]) {
    same_side_car(text);
    let walk = super::corpus::sample::walk().chunks().build().bytes;
    let animation = Psa::parse(&walk).unwrap();
    let config = Config::new(text);
    for finding in check_config(&animation, &config) {
        assert!(finding.count >= 1 && !finding.message.is_empty());
    }
    let resolved = config.to_resolved(animation.bones());
    for sequence in animation.sequences() {
        let (sources, one_by_one) = (resolved.to_track_sources(sequence.name()), resolved.of_sequence(sequence.name()));
        assert_eq!(sources.len(), animation.bones().len());
        assert!((0..).zip(&sources).all(|(bone, own)| one_by_one.get(bone) == Some(*own)));
    }
}
