//! The thumbnails of a report: of the models that it names.

use std::collections::HashMap;
use std::path::Path;

use rayon::prelude::*;
use skelmap::archive::Address;
use skelmap_preview::{Camera, Figure, Renderer};

use super::survey::Survey;
use crate::Source;

/// Pixels of each edge.
const SIZE: u32 = 112;

/// Pictures as addresses of a browser, by the name of the model.
pub(crate) type Pictures = HashMap<String, String>;

/// Draws the models that a report names; none for animations, and for what cannot be drawn.
pub(crate) fn draw(survey: &Survey, source: &Source) -> Pictures {
    let mut names = survey.named();
    names.sort_unstable();
    names.dedup();
    let drawn = names.into_par_iter().filter_map(|name| {
        let place = survey.places.get(name).cloned().unwrap_or_else(|| Address::find(Path::new(name)));
        Some((name.to_owned(), picture(&place, source)?))
    });
    drawn.collect()
}

fn picture(place: &Address, source: &Source) -> Option<String> {
    let loaded = source.open(place).ok()?;
    let figure = Figure::of_mesh(&loaded.asset().ok()?.mesh()?).ok()?;
    Some(Renderer::new(SIZE, SIZE).draw(&figure, &Camera::around(&figure)).to_data_url())
}
