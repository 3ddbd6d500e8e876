//! One thumbnail: the pictures of a model, and what is written below them.

use std::cell::RefCell;
use std::sync::Arc;

use skelmap::archive::Address;
use skelmap::model::{Binding, Clip, IDENTITY, Mesh, Skin, Space, TrackSources, Wrap};
use skelmap::{Asset, Error, Severity};
use skelmap_batch::items::{Fault, Loaded};
use skelmap_preview::{Camera, Figure, Picture, Renderer};

use super::{Drawing, Model};
use crate::files::{Source, names_of, stem_of};
use crate::text::{counted, near_names};
use skelmap_batch::check::findings_of;
use skelmap_batch::pair::{Found, Member, Unread};

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
    pub(crate) fn draw(model: &Model<'_>, drawing: &Drawing<'_>) -> Self {
        let drawn = draw(model, drawing);
        drawn.unwrap_or_else(|fault| Self::bad(&model.found.address(), fault.message))
    }

    pub(crate) fn of_unread(unread: &Unread) -> Self {
        Self::bad(&unread.address, unread.message.clone())
    }

    fn bad(address: &Address, message: String) -> Self {
        let (name, faults) = (stem_of(address), Some((Severity::Error, message)));
        Self { pictures: Vec::new(), name, counts: String::new(), faults }
    }
}

fn draw(model: &Model<'_>, drawing: &Drawing<'_>) -> Result<Thumb, Fault> {
    let Drawing { look, sequence: asked, source, .. } = *drawing;
    let Model { found, animations, dress } = model;
    let opened = found.load(source)?;
    let asset = opened.asset()?;
    let member = playing(animations, asked, source)?;
    let moved = member.as_ref().map(|(_, opened)| opened.asset()).transpose()?;
    let animation = member.as_ref().map(|(member, _)| member.animation);
    // The name of an action stands for the first sequence.
    let is_action = |name: &str| member.as_ref().is_some_and(|(member, _)| is_action(member, name));
    let sequence = asked.filter(|name| !is_action(name));
    let clip = moved.as_ref().unwrap_or(&asset).clips().find(|clip| clip.frame_count() > 0 && has_name(clip, sequence));
    let shown = clip.filter(|_| look.frames.is_some() && asset.mesh().is_some());
    // An action has the name that the arguments give it, a sequence its own.
    let shown = shown.map(|clip| {
        name_of_clip(&clip).filter(|_| sequence.is_some() || asked.is_none()).or_else(|| asked.map(str::to_owned))
    });
    let mut figures = match (asset.mesh(), clip, look.frames) {
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
            return Err(fault("no sequence has a frame".to_owned()));
        }
    };
    if let Some(mesh) = asset.mesh() {
        let textures = drawing.painter.textures(&mesh, &found.address(), dress);
        figures = figures.into_iter().map(|figure| figure.with_textures(textures.clone())).collect();
    }
    let camera = Camera::around_all(&figures);
    let pictures = RENDERER.with_borrow_mut(|own| {
        let renderer = match own {
            Some((size, renderer)) if *size == look.size => renderer,
            _ => &mut own.insert((look.size, Renderer::new(look.size, look.size))).1,
        };
        figures.iter().map(|figure| renderer.draw(figure, &camera)).collect()
    });
    let counts = counts(&asset, shown.flatten());
    Ok(Thumb { pictures, name: stem_of(&found.address()), counts, faults: faults(found, &asset) })
}

/// The animation of a film: the first one, or the first with a sequence or an action of a name.
fn playing<'m>(
    animations: &'m [Member<'m>],
    sequence: Option<&str>,
    source: &Source,
) -> Result<Option<(&'m Member<'m>, Arc<Loaded>)>, Fault> {
    for member in animations {
        let loaded = member.animation.load(source)?;
        let has_sequence = loaded.asset()?.clips().any(|clip| has_name(&clip, sequence));
        if has_sequence || sequence.is_some_and(|name| is_action(member, name)) {
            return Ok(Some((member, loaded)));
        }
    }
    match sequence.filter(|_| !animations.is_empty()) {
        Some(name) => Err(fault(format!("no animation has the sequence {name:?}{}", known(name, animations, source)?))),
        None => Ok(None),
    }
}

/// Whether actors play an animation under a name.
fn is_action(member: &Member<'_>, name: &str) -> bool {
    member.names.iter().any(|own| own.eq_ignore_ascii_case(name))
}

/// The names of some sequences and actions, those first that are most like a name, in brackets.
fn known(name: &str, animations: &[Member<'_>], source: &Source) -> Result<String, Fault> {
    const MAX_READ: usize = 4;
    let mut names = Vec::new();
    for member in animations.iter().take(MAX_READ) {
        let loaded = member.animation.load(source)?;
        names.extend(names_of(&loaded.asset()?.clips().collect::<Vec<_>>()));
        names.extend(member.names.iter().cloned());
    }
    let more = if animations.len() > MAX_READ { ", ..." } else { "" };
    let near = near_names(name, names.iter().map(String::as_str));
    Ok(if names.is_empty() { String::new() } else { format!(" ({near}{more})") })
}

fn has_name(clip: &Clip<'_>, name: Option<&str>) -> bool {
    name.is_none_or(|name| clip.name().is_some_and(|own| own.matches(name)))
}

fn name_of_clip(clip: &Clip<'_>) -> Option<String> {
    clip.name().map(|name| name.to_string())
}

const fn fault(message: String) -> Fault {
    Fault { kind: "", section: None, offset: None, message }
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

/// `sequence`: the name of what a film shows.
fn counts(asset: &Asset<'_>, sequence: Option<String>) -> String {
    let summary = asset.summary();
    let counts = [(summary.faces, "tri"), (summary.bones, "bone"), (summary.frames, "frame")];
    let words = counts.iter().filter_map(|(count, noun)| Some(counted((*count)?, noun)));
    let words: Vec<String> = sequence.into_iter().chain(words).collect();
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
