//! The rows of one item: the asset and its sequences.

use skelmap::Asset;
use skelmap::catalog::{Item, Options};

use crate::files::Source;
use crate::row::{Entry, Sequence, row};

/// The rows of one item; `None` if it is skipped.
pub(super) fn entry(item: &Item, source: &Source, per_sequence: bool, content_hash: bool) -> Option<Entry> {
    if !per_sequence {
        let options = Options { parse: source.parse, joins: true, content_hash };
        return item.row(&source.opener, &options).map(Entry::from);
    }
    let opened = item.load(&source.opener, &source.parse)?;
    let options = Options { parse: source.parse, joins: true, content_hash };
    let mut row = row(&item.address(), &opened, &options);
    if let Some(joins) = &mut row.joins {
        // All names in each of the rows would take the square of their number.
        joins.sequence_names = Vec::new();
    }
    let asset = opened.as_ref().ok().and_then(|loaded| loaded.asset().ok());
    let mut found = asset.map_or_else(Vec::new, |asset| sequences(&asset));
    if found.is_empty() {
        found.push(Sequence::default());
    }
    Some(Entry { row, sequences: Some(found), current: 0 })
}

fn sequences(asset: &Asset<'_>) -> Vec<Sequence> {
    let single = |frames: usize, rate: Option<f32>, duration_s: Option<f64>| {
        vec![Sequence { index: Some(0), name: None, frames: u64::try_from(frames).ok(), rate, duration_s }]
    };
    match asset {
        Asset::ActorxPsa(animation) => {
            let sequences = animation.sequences().map(|sequence| Sequence {
                index: Some(sequence.index()),
                name: Some(sequence.name().to_string()),
                frames: u64::try_from(sequence.frame_count()).ok(),
                rate: Some(sequence.info().rate()),
                duration_s: sequence.duration(),
            });
            sequences.collect()
        }
        Asset::PyrogenesisPsa(animation) => {
            let rate = Some(1000.0 / animation.frame_length_ms()).filter(|rate| rate.is_finite());
            single(animation.frame_count(), rate, animation.duration())
        }
        Asset::Swat3Gsa(animation) => single(animation.frame_count(), Some(10.0), animation.duration()),
        _ => Vec::new(),
    }
}
