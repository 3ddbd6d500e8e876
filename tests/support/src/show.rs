//! Everything that an asset says, as text: to compare, or only to have read it.

use std::fmt::{self, Debug, Write};

use skelmap::{Asset, Match};

use super::FAMILIES;

/// Where the text goes.
pub type Out<'a> = &'a mut dyn Write;

/// Nobody reads it.
pub struct Nowhere;

impl Write for Nowhere {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        std::hint::black_box(text);
        Ok(())
    }
}

/// Shows every field of something.
pub fn show(out: Out<'_>, thing: impl Debug) {
    write!(out, "{thing:?} ").unwrap();
}

/// So many places, some of them past the end.
pub fn places(count: usize) -> impl Iterator<Item = usize> {
    (0..count.min(40)).chain([count.saturating_sub(1), count, count + 1, usize::MAX])
}

/// Shows an asset of any family.
pub fn show_asset(out: Out<'_>, asset: &Asset<'_>) {
    show(out, (asset.format(), asset.summary()));
    show(out, asset.quirks().collect::<Vec<_>>());
    show(out, asset.check());
    show(out, Match::of(asset, asset));
    for family in FAMILIES {
        (family.show_all)(asset, out);
    }
}
