//! The thumbnails of a report: of the models that it names.

use std::collections::HashMap;
use std::path::Path;

use rayon::prelude::*;
use skelmap::archive::Address;
use skelmap_preview::{Camera, Figure, Renderer};

use super::survey::Survey;
use crate::Source;
use crate::items::Fault;

/// Pixels of each edge.
const SIZE: u32 = 112;

/// Pictures as addresses of a browser, by the name of the model.
pub(crate) type Pictures = HashMap<String, String>;

/// Draws the models that a report names; none for animations, and for what cannot be drawn. Also the names of those that were read for the
/// report and cannot be read again.
pub(crate) fn draw(survey: &Survey, source: &Source) -> (Pictures, Vec<(String, Fault)>) {
    let mut names = survey.named();
    names.sort_unstable();
    names.dedup();
    let drawn = names.into_par_iter().map(|name| {
        let place = survey.places.get(name).cloned().unwrap_or_else(|| Address::find(Path::new(name)));
        (name.to_owned(), picture(&place, source))
    });
    let (mut pictures, mut faults) = (Pictures::new(), Vec::new());
    for (name, picture) in drawn.collect::<Vec<_>>() {
        match picture {
            Ok(Some(picture)) => drop(pictures.insert(name, picture)),
            Ok(None) => {}
            Err(fault) => faults.push((name, fault)),
        }
    }
    (pictures, faults)
}

fn picture(place: &Address, source: &Source) -> Result<Option<String>, Fault> {
    let loaded = source.open(place)?;
    let Some(mesh) = loaded.asset().ok().and_then(|asset| asset.mesh()) else { return Ok(None) };
    let figure = Figure::of_mesh(&mesh).ok();
    Ok(figure.map(|figure| Renderer::new(SIZE, SIZE).draw(&figure, &Camera::around(&figure)).to_data_url()))
}

#[cfg(test)]
mod tests {
    use test_support::corpus::folder;

    use super::super::survey::Top;
    use super::*;

    #[test]
    fn models_are_drawn_animations_are_not_and_what_is_gone_is_told() {
        let path = |name: &str| folder().join(name).to_str().expect("a text").to_owned();
        let [mesh, animation, gone] = ["actorx/mesh/classic.psk", "actorx/anim/classic.psa", "gone.psk"].map(path);
        let named = [&mesh, &animation, &gone, &mesh].map(|name| (1.0, name.clone()));
        let survey = Survey { largest: Top(named.to_vec()), ..Survey::default() };
        let (pictures, faults) = draw(&survey, &Source::default());
        assert_eq!(pictures.keys().collect::<Vec<_>>(), [&mesh]);
        assert!(pictures[&mesh].starts_with("data:image/png;base64,"), "{}", pictures[&mesh]);
        assert_eq!(faults.iter().map(|(name, fault)| (name, fault.kind)).collect::<Vec<_>>(), [(&gone, "not-found")]);
    }
}
