//! UEFormat: models, animations and poses against the second reader, and what is compressed.

use skelmap::ueformat::{self, AnimationBuf, ModelBuf, PoseBuf};

use super::agree::{agree, limits};
use super::naive;
use crate::shifted::Shifted;
use crate::show::Nowhere;

/// At an alignment that depends on the input, so that all occur.
fn shifted(bytes: &[u8]) -> Shifted {
    Shifted::by(bytes.len() % 4, bytes)
}

/// Both readers, and everything that an asset can be asked.
fn any(bytes: &[u8]) {
    let shifted = shifted(bytes);
    let bytes = shifted.of(bytes.len());
    agree(bytes);
    if let Ok(asset) = skelmap::Asset::parse(bytes) {
        super::read_all::read_all(&asset);
        super::show_all::show_all(&asset, &mut Nowhere);
    }
}

pub fn model(bytes: &[u8]) {
    any(bytes);
    if let Ok(own) = ModelBuf::parse(bytes) {
        let (view, again) = (own.view(), ueformat::Model::parse(bytes).unwrap());
        assert_eq!((view.summary(), view.level_count()), (again.summary(), again.level_count()));
    }
}

pub fn animation(bytes: &[u8]) {
    any(bytes);
    if let Ok(own) = AnimationBuf::parse(bytes) {
        let (view, again) = (own.view(), ueformat::Animation::parse(bytes).unwrap());
        assert_eq!((view.summary(), view.track_count()), (again.summary(), again.track_count()));
    }
}

pub fn pose(bytes: &[u8]) {
    any(bytes);
    if let Ok(own) = PoseBuf::parse(bytes) {
        let (view, again) = (own.view(), ueformat::Pose::parse(bytes).unwrap());
        assert_eq!((view.summary(), view.pose_count()), (again.summary(), again.pose_count()));
    }
}

/// What is unpacked stays within the limit, has the size that the header states, and is not compressed.
pub fn unpack(bytes: &[u8]) {
    agree(bytes);
    let limits = limits();
    let Ok(Some(plain)) = ueformat::unpack(bytes, &limits) else { return };
    let header = naive::header(bytes).expect("unpacked");
    assert!(header.unpacked_size as u64 <= limits.inflated);
    // What follows the frame follows the body, also where the header counts it as compressed.
    assert!((header.flag + 1 + header.unpacked_size..=bytes.len() + header.unpacked_size).contains(&plain.len()));
    assert_eq!(plain[..header.flag], bytes[..header.flag]);
    assert_eq!((plain[header.flag], ueformat::unpack(&plain, &limits)), (0, Ok(None)));
}
