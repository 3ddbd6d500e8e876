//! The text of a page beside the picture, as its script reads it.

use serde::Serialize;

use crate::content::Page;
use skelmap::Asset;
use skelmap::Finding;
use skelmap::model::{Bounds, Element, Mesh, PosedPoints};
use skelmap_export::ExportOptions;
use skelmap_export::shape::{placed, turn};

/// The maximum number of listed quirks: a hostile file can have many more.
const MAX_QUIRKS: usize = 200;

/// The JSON of a page.
#[derive(Serialize)]
pub(crate) struct Info {
    title: String,
    path: String,
    format: Option<&'static str>,
    size: Option<usize>,
    facts: Vec<(String, String)>,
    unit: String,
    bounds: Option<Bounds>,
    findings: Vec<Fault>,
    quirks: Vec<Oddity>,
    notes: Vec<String>,
    error: Option<String>,
    clips: Vec<Played>,
}

/// A finding, and its location.
#[derive(Serialize)]
struct Fault {
    severity: &'static str,
    code: &'static str,
    message: String,
    count: u64,
    bone: Option<usize>,
    /// The location at rest: a point, or the corners of a triangle.
    points: Option<Vec<[f32; 3]>>,
}

#[derive(Serialize)]
struct Oddity {
    code: &'static str,
    message: String,
}

/// An animation.
#[derive(Serialize)]
struct Played {
    name: String,
    source: Option<String>,
    frames: usize,
    rate: Option<f64>,
    seconds: Option<f64>,
}

impl Info {
    pub(crate) fn of(page: &Page<'_>) -> Self {
        let mesh = page.asset.and_then(Asset::mesh);
        let places = mesh.as_ref().map(|mesh| Places::new(mesh, &page.options));
        let findings = page.asset.map(Asset::check).unwrap_or_default();
        let quirks = page.asset.into_iter().flat_map(Asset::quirks).take(MAX_QUIRKS);
        let is_measured = mesh.is_some_and(|mesh| mesh.space().metres().is_some());
        Self {
            title: page.title.clone(),
            path: page.path.clone(),
            format: page.asset.map(|asset| asset.format().code()),
            size: page.asset.map(|asset| asset.bytes().len()),
            facts: page.asset.map(facts).unwrap_or_default(),
            unit: if is_measured {
                "metres".to_owned()
            } else {
                format!("metres, if a unit of the file is {} m", page.options.metres)
            },
            bounds: places.as_ref().and_then(|places| Bounds::of(places.rest.as_ref()?.positions().iter().copied())),
            findings: findings.iter().map(|finding| Fault::of(finding, places.as_ref())).collect(),
            quirks: quirks.map(|quirk| Oddity { code: quirk.code.name(), message: quirk.to_string() }).collect(),
            notes: page.notes.iter().cloned().chain(unknown(page)).collect(),
            error: page.error.clone(),
            clips: played(page),
        }
    }
}

/// A note on an animation without a mesh that cannot be drawn completely.
fn unknown(page: &Page<'_>) -> Option<String> {
    let document = page.document.filter(|document| document.mesh.is_none())?;
    let clip = document.animations.first()?.clip;
    if !clip.parts().translation {
        return Some(
            "the file has rotations only: the positions of the bones are unknown, so their axes are drawn in rows"
                .to_owned(),
        );
    }
    let is_flat = document.hierarchy.is_empty() && !clip.skeleton().has_names();
    is_flat.then(|| "the file has neither names nor parents of bones: each bone is drawn as a point".to_owned())
}

/// The counts that a format has.
fn facts(asset: &Asset<'_>) -> Vec<(String, String)> {
    let counts = serde_json::to_value(asset.summary()).unwrap_or_default();
    let counts = counts.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
    counts.map(|(key, value)| (key.replace("duration_s", "seconds").replace('_', " "), shown(value))).collect()
}

/// A count, or seconds with three decimals.
fn shown(value: &serde_json::Value) -> String {
    match value.as_f64() {
        Some(seconds) if value.is_f64() => format!("{seconds:.3}"),
        _ => value.to_string(),
    }
}

fn played(page: &Page<'_>) -> Vec<Played> {
    let animations = page.document.into_iter().flat_map(|document| &document.animations);
    let sources = page.sources.iter().map(Some).chain(std::iter::repeat(None));
    animations
        .zip(sources)
        .map(|(animation, source)| Played {
            name: animation.name.clone(),
            source: source.cloned(),
            frames: animation.clip.frame_count(),
            rate: animation.clip.rate(),
            seconds: animation.clip.duration(),
        })
        .collect()
}

/// The points of a mesh at rest.
struct Places<'m> {
    mesh: &'m Mesh<'m>,
    /// None if they are not known.
    rest: Option<PosedPoints>,
}

impl<'m> Places<'m> {
    fn new(mesh: &'m Mesh<'m>, options: &ExportOptions) -> Self {
        let turn = turn(Some(mesh.space()), options);
        let points = PosedPoints::at_rest(&placed(*mesh, options)).map(|points| points.rotated(turn));
        Self { mesh, rest: points.ok() }
    }

    /// The position of a point; `None` if it is not finite.
    fn point(&self, point: usize) -> Option<[f32; 3]> {
        self.rest.as_ref()?.positions().get(point).copied().filter(|place| place.iter().all(|value| value.is_finite()))
    }

    fn vertex(&self, vertex: usize) -> Option<[f32; 3]> {
        self.point(self.mesh.point_of(vertex)?)
    }

    /// The positions of the corners that exist.
    fn triangle(&self, triangle: usize) -> Vec<[f32; 3]> {
        let vertices = self.mesh.triangle(triangle).map(|triangle| triangle.vertices);
        let known = vertices.into_iter().flatten().filter_map(|vertex| usize::try_from(vertex).ok());
        known.filter_map(|vertex| self.vertex(vertex)).collect()
    }
}

impl Fault {
    fn of(finding: &Finding, places: Option<&Places<'_>>) -> Self {
        let (mut bone, mut points) = (None, Vec::new());
        if let Some((places, element)) = places.and_then(|places| Some((places, places.mesh.element_of(finding)?))) {
            match element {
                Element::Bone(own) => bone = Some(own),
                Element::Point(point) => points.extend(places.point(point)),
                Element::Vertex(vertex) => points.extend(places.vertex(vertex)),
                Element::Triangle(triangle) => points = places.triangle(triangle),
                // Elements without a position.
                _ => {}
            }
        }
        Self {
            severity: finding.severity.code(),
            code: finding.code.name(),
            message: finding.message.clone(),
            count: finding.count,
            bone,
            points: Some(points).filter(|points| !points.is_empty()),
        }
    }
}
