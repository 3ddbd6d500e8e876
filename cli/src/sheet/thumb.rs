//! One thumbnail: the pictures of a model, and what is written below them.

use std::cell::RefCell;

use skelmap::model::{Binding, Clip, IDENTITY, Mesh, Skin, Space, Wrap};
use skelmap::{Asset, Severity};
use skelmap_batch::items::Fault;
use skelmap_preview::{Camera, Figure, Picture, Renderer};

use crate::files::Source;
use crate::text::counted;
use skelmap_batch::convert::{Found, Opened, Unread};

/// What a thumbnail shows.
pub(crate) enum Subject<'s> {
    /// A mesh, with the animation that a film shows; or an animation alone.
    Model(&'s Found<'s>, Option<&'s Found<'s>>),
    Bad(&'s Unread),
}

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

impl Subject<'_> {
    pub(crate) fn draw(&self, look: Look, source: &Source) -> Thumb {
        let (model, animation) = match self {
            Self::Bad(unread) => return Thumb::bad(name_of(&unread.address), unread.message.clone()),
            Self::Model(model, animation) => (model, animation),
        };
        let drawn = draw(model, *animation, look, source);
        drawn.unwrap_or_else(|message| Thumb::bad(name_of(&model.address()), message))
    }
}

impl Thumb {
    fn bad(name: String, message: String) -> Self {
        Self { pictures: Vec::new(), name, counts: String::new(), faults: Some((Severity::Error, message)) }
    }
}

fn name_of(address: &skelmap::archive::Address) -> String {
    skelmap_batch::convert::stem(address.entry().map_or_else(|| address.path(), std::path::Path::new))
}

fn draw(model: &Found<'_>, animation: Option<&Found<'_>>, look: Look, source: &Source) -> Result<Thumb, String> {
    let message = |fault: Fault| fault.message;
    let opened = model.load(source).map_err(message)?;
    let asset = opened.asset().map_err(message)?;
    let moved = animation.map(|found| found.load(source)).transpose().map_err(message)?;
    let moved = moved.as_ref().map(Opened::asset).transpose().map_err(message)?;
    let figures = match asset.mesh() {
        Some(mesh) => of_mesh(&mesh, moved.as_ref(), animation, look)?,
        None => of_animation(&asset, look)?,
    };
    let camera = Camera::around_all(&figures);
    let pictures = RENDERER.with_borrow_mut(|own| {
        let renderer = match own {
            Some((size, renderer)) if *size == look.size => renderer,
            _ => &mut own.insert((look.size, Renderer::new(look.size, look.size))).1,
        };
        figures.iter().map(|figure| renderer.draw(figure, &camera)).collect()
    });
    Ok(Thumb { pictures, name: name_of(&model.address()), counts: counts(&asset), faults: faults(&asset) })
}

/// A mesh at rest, or in some frames of the first sequence of an animation.
fn of_mesh(
    mesh: &Mesh<'_>,
    animation: Option<&Asset<'_>>,
    found: Option<&Found<'_>>,
    look: Look,
) -> Result<Vec<Figure>, String> {
    let clip = animation.and_then(|asset| asset.clips().find(|clip| clip.frame_count() > 0));
    let (Some(frames), Some(clip)) = (look.frames, clip) else {
        return Ok(vec![Figure::of_mesh(mesh).map_err(|error| error.to_string())?]);
    };
    let mesh = mesh.in_space(Space::GLTF);
    let film = || {
        let side_car = found.and_then(|found| found.item.side_car().ok().flatten());
        let sources = side_car.map(|side_car| side_car.to_sources(&clip)).unwrap_or_default();
        let (skin, binding) = (Skin::new(&mesh, 4)?, Binding::new(&mesh, &clip).with_sources(&sources));
        let (mut pose, mut matrices) = (skin.bind_pose().to_vec(), vec![IDENTITY; skin.matrix_count()]);
        let mut figures = Vec::new();
        for frame in places(&clip, frames) {
            binding.sample_frame(&clip, frame, Wrap::Clamp, &mut pose)?;
            skin.matrices(&pose, &mut matrices)?;
            figures.push(Figure::posed(&mesh, &skin, &matrices)?);
        }
        Ok(figures)
    };
    film().map_err(|error: skelmap::Error| error.to_string())
}

/// The bones of the first sequence.
fn of_animation(asset: &Asset<'_>, look: Look) -> Result<Vec<Figure>, String> {
    let Some(clip) = asset.clips().find(|clip| clip.frame_count() > 0) else {
        return Err("no sequence has a frame".to_owned());
    };
    let figures = places(&clip, look.frames.unwrap_or(1)).map(|frame| Figure::of_clip(&clip, frame));
    figures.collect::<Result<_, _>>().map_err(|error| error.to_string())
}

/// Positions of frames, evenly from the first to the last.
fn places(clip: &Clip<'_>, count: u32) -> impl Iterator<Item = f64> + use<> {
    let last = skelmap_batch::convert::position(clip.frame_count().saturating_sub(1));
    let parts = f64::from(count.saturating_sub(1).max(1));
    (0..count).map(move |index| last * f64::from(index) / parts)
}

fn counts(asset: &Asset<'_>) -> String {
    let summary = asset.summary();
    let mut parts = Vec::new();
    let counts = [(summary.faces, "tri"), (summary.bones, "bone"), (summary.frames, "frame")];
    parts.extend(counts.into_iter().filter_map(|(count, noun)| count.map(|count| counted(count, noun))));
    parts.join(", ")
}

/// The errors and warnings of the check, counted.
fn faults(asset: &Asset<'_>) -> Option<(Severity, String)> {
    let findings = asset.check();
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count() as u64;
    let counts =
        [(Severity::Error, count(Severity::Error), "error"), (Severity::Warning, count(Severity::Warning), "warning")];
    let found: Vec<_> = counts.into_iter().filter(|(_, count, _)| *count > 0).collect();
    let worst = found.first()?.0;
    let codes = findings.iter().find(|finding| finding.severity == worst).map(|finding| finding.code.name());
    let text: Vec<String> = found.iter().map(|(_, count, noun)| counted(*count, noun)).collect();
    Some((worst, format!("{}: {}", text.join(", "), codes.unwrap_or_default())))
}
