//! One thumbnail: the pictures of a model, and what is written below them.

use std::cell::RefCell;

use skelmap::archive::Address;
use skelmap::model::{Binding, Clip, IDENTITY, Mesh, Skin, Space, TrackSources, Wrap};
use skelmap::{Asset, Error, Severity};
use skelmap_batch::items::Fault;
use skelmap_preview::{Camera, Figure, Picture, Renderer};

use crate::files::{Source, stem_of};
use crate::text::counted;
use skelmap_batch::check::findings_of;
use skelmap_batch::pair::{Found, Unread};

/// The pictures of a model and the lines below.
pub(crate) struct Thumb {
    /// None for a file that cannot be read.
    pub(crate) pictures: Vec<Picture>,
    pub(crate) name: String,
    pub(crate) counts: String,
    /// Errors and warnings of the check; or why the file cannot be read.
    pub(crate) faults: Option<(Severity, String)>,
}

/// How thumbnails are drawn.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    /// Pixels of each edge.
    pub(crate) size: u32,
    /// Frames of a film; none for one picture at rest.
    pub(crate) frames: Option<u32>,
}

thread_local! {
    /// A renderer for each thread, which keeps its memory.
    static RENDERER: RefCell<Option<(u32, Renderer)>> = const { RefCell::new(None) };
}

impl Thumb {
    pub(crate) fn draw(model: &Found<'_>, animation: Option<&Found<'_>>, look: Look, source: &Source) -> Self {
        let drawn = draw(model, animation, look, source);
        drawn.unwrap_or_else(|fault| Self::bad(&model.address(), fault.message))
    }

    pub(crate) fn of_unread(unread: &Unread) -> Self {
        Self::bad(&unread.address, unread.message.clone())
    }

    fn bad(address: &Address, message: String) -> Self {
        let (name, faults) = (stem_of(address), Some((Severity::Error, message)));
        Self { pictures: Vec::new(), name, counts: String::new(), faults }
    }
}

fn draw(model: &Found<'_>, animation: Option<&Found<'_>>, look: Look, source: &Source) -> Result<Thumb, Fault> {
    let opened = model.load(source)?;
    let asset = opened.asset()?;
    let moved = animation.map(|found| found.load(source)).transpose()?;
    let moved = moved.as_ref().map(|opened| opened.asset()).transpose()?;
    let clip = first_clip(moved.as_ref().unwrap_or(&asset));
    let figures = match (asset.mesh(), clip, look.frames) {
        (Some(mesh), Some(clip), Some(frames)) => {
            let side_car = animation.map(|found| found.item.side_car()).transpose()?.flatten();
            let sources = side_car.map(|side_car| side_car.to_sources(&clip)).unwrap_or_default();
            film(&mesh.in_space(Space::GLTF), &clip, &sources, frames)?
        }
        (Some(mesh), ..) => vec![Figure::of_mesh(&mesh)?],
        (None, Some(clip), frames) => {
            let figures = places(&clip, frames.unwrap_or(1)).map(|frame| Figure::of_clip(&clip, frame));
            figures.collect::<Result<_, _>>()?
        }
        (None, None, _) => {
            let message = "no sequence has a frame".to_owned();
            return Err(Fault { kind: "", section: None, offset: None, message });
        }
    };
    let camera = Camera::around_all(&figures);
    let pictures = RENDERER.with_borrow_mut(|own| {
        let renderer = match own {
            Some((size, renderer)) if *size == look.size => renderer,
            _ => &mut own.insert((look.size, Renderer::new(look.size, look.size))).1,
        };
        figures.iter().map(|figure| renderer.draw(figure, &camera)).collect()
    });
    Ok(Thumb { pictures, name: stem_of(&model.address()), counts: counts(&asset), faults: faults(model, &asset) })
}

/// The first sequence with a frame.
fn first_clip<'a>(asset: &Asset<'a>) -> Option<Clip<'a>> {
    asset.clips().find(|clip| clip.frame_count() > 0)
}

/// A mesh in some frames of a sequence.
fn film(mesh: &Mesh<'_>, clip: &Clip<'_>, sources: &[TrackSources], frames: u32) -> Result<Vec<Figure>, Error> {
    let (skin, binding) = (Skin::new(mesh, 4)?, Binding::new(mesh, clip).with_sources(sources));
    let (mut pose, mut matrices) = (skin.bind_pose().to_vec(), vec![IDENTITY; skin.matrix_count()]);
    let mut figures = Vec::new();
    for frame in places(clip, frames) {
        binding.sample_frame(clip, frame, Wrap::Clamp, &mut pose)?;
        skin.matrices(&pose, &mut matrices)?;
        figures.push(Figure::posed(mesh, &skin, &matrices)?);
    }
    Ok(figures)
}

/// Positions of frames, evenly from the first to the last.
fn places(clip: &Clip<'_>, count: u32) -> impl Iterator<Item = f64> + use<> {
    let last = skelmap_batch::convert::position(clip.frame_count().saturating_sub(1));
    let parts = f64::from(count.saturating_sub(1).max(1));
    (0..count).map(move |index| last * f64::from(index) / parts)
}

fn counts(asset: &Asset<'_>) -> String {
    let summary = asset.summary();
    let counts = [(summary.faces, "tri"), (summary.bones, "bone"), (summary.frames, "frame")];
    let words: Vec<String> = counts.iter().filter_map(|(count, noun)| Some(counted((*count)?, noun))).collect();
    words.join(", ")
}

/// The errors and warnings of the check, counted, with the code of the first of the worst.
fn faults(model: &Found<'_>, asset: &Asset<'_>) -> Option<(Severity, String)> {
    let findings = findings_of(asset, None, Some(&model.address()), 1);
    let of = |severity| findings.iter().filter(move |finding| finding.severity == severity);
    let found = [Severity::Error, Severity::Warning].into_iter().filter(|severity| of(*severity).next().is_some());
    let words: Vec<String> =
        found.clone().map(|severity| counted(of(severity).count() as u64, &severity.to_string())).collect();
    let worst = found.clone().next()?;
    Some((worst, format!("{}: {}", words.join(", "), of(worst).next()?.code.name())))
}
