//! The rows of one item: the asset and its sequences.

use crate::items::{Item, Options};
use skelmap::Asset;
use skelmap::mapping::Opener;
use skelmap::model::Clip;

use super::Per;
use crate::columns::{Entry, SEQUENCE_SCHEMA, Sequence, row};

/// The rows of one item; `None` if it is skipped.
pub fn entry(item: &Item, opener: &Opener, options: &Options, per: Per) -> Option<Entry> {
    if per == Per::Asset {
        return item.row(opener, options).map(Entry::from);
    }
    let opened = item.load(opener, &options.parse)?;
    let mut row = row(&item.address(), &opened, options);
    row.schema = SEQUENCE_SCHEMA;
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

#[expect(clippy::cast_possible_truncation, reason = "rates are `f32` in files")]
fn sequences(asset: &Asset<'_>) -> Vec<Sequence> {
    let sequence = |(index, clip): (usize, Clip<'_>)| Sequence {
        index: Some(index),
        name: clip.name().map(|name| name.to_string()),
        frames: u64::try_from(clip.frame_count()).ok(),
        rate: Some(clip.stored_rate() as f32).filter(|rate| rate.is_finite()),
        duration_s: clip.duration(),
    };
    asset.clips().enumerate().map(sequence).collect()
}
