//! Meshes and animations as glTF.

use std::fs::File as OutputFile;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use skelmap_export::{Additive, Animation, Colors, Document, ExportOptions, InfluenceCount, WriteError};
use skelmap::model::{Axis, Clip};

use crate::file::{File, Opened, json};
use crate::model::{Binding, mesh_of};
use crate::{error, long};

/// The options of a conversion, as Python gives them: `metres`, `up`, `yaw`, `influences`, `colors`, `uv_sets`; and `morphs`, `attachments`,
/// `loops`, `short_rotations`, `additive`.
#[derive(Clone, Debug, FromPyObject)]
pub(crate) struct Choices((f32, Option<String>, f32, usize, String, usize), (bool, bool, bool, bool, String));

fn one_of<T>(name: &str, value: &str, known: &[(&str, T)]) -> PyResult<T>
where
    T: Copy,
{
    let found = known.iter().find(|(known, _)| *known == value).map(|(_, meaning)| *meaning);
    found.ok_or_else(|| {
        let known: Vec<_> = known.iter().map(|(known, _)| format!("{known:?}")).collect();
        PyValueError::new_err(format!("{name} is {value:?}, expected one of {}", known.join(", ")))
    })
}

impl Choices {
    fn to_options(&self) -> PyResult<ExportOptions> {
        let Self((metres, up, yaw, influences, colors, uv_sets), rest) = self;
        let (morphs, attachments, loops, short_rotations, additive) = rest;
        let axes = [
            ("x", (Axis::X, false)),
            ("y", (Axis::Y, false)),
            ("z", (Axis::Z, false)),
            ("-x", (Axis::X, true)),
            ("-y", (Axis::Y, true)),
            ("-z", (Axis::Z, true)),
        ];
        let known_colors = [("masks", Colors::Masks), ("paint", Colors::Paint), ("none", Colors::None)];
        let kinds = [("skip", Additive::Skip), ("local", Additive::Local), ("mesh", Additive::Mesh)];
        if !(metres.is_finite() && *metres > 0.0 && yaw.is_finite()) {
            return Err(PyValueError::new_err("metres must be a number above 0, and yaw a number of degrees"));
        }
        Ok(ExportOptions {
            metres: *metres,
            up: up.as_deref().map(|up| one_of("up", up, &axes)).transpose()?,
            yaw: *yaw,
            influences: match influences {
                4 => InfluenceCount::Four,
                8 => InfluenceCount::Eight,
                other => return Err(PyValueError::new_err(format!("influences is {other}, expected 4 or 8"))),
            },
            colors: one_of("colors", colors, &known_colors)?,
            uv_sets: *uv_sets,
            morphs: *morphs,
            attachments: *attachments,
            loops: *loops,
            short_rotations: *short_rotations,
            additive: one_of("additive", additive, &kinds)?,
        })
    }
}

/// A sequence of a document.
type Part = (Arc<Opened>, usize, Option<Arc<skelmap::model::Binding>>);

/// Writes a mesh with bound sequences, or sequences alone, and returns the report as JSON. With `binary`, the path is that of the JSON, and
/// `uri` the name by which the JSON finds the other file.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python gives them by name")]
pub(crate) fn write_gltf(
    py: Python<'_>,
    mesh: Option<File>,
    bound: Vec<Py<Binding>>,
    free: Vec<(File, usize)>,
    path: PathBuf,
    binary: Option<PathBuf>,
    uri: String,
    choices: Choices,
) -> PyResult<String> {
    let options = choices.to_options()?;
    let of_bound = |binding: &Py<Binding>| {
        let binding = binding.get();
        (Arc::clone(&binding.animation), binding.index, Some(Arc::clone(&binding.bound)))
    };
    let parts: Vec<Part> =
        bound.iter().map(of_bound).chain(free.into_iter().map(|(file, index)| (file.0, index, None))).collect();
    let shown = path.display().to_string();
    let work = move || {
        let asset = mesh.as_ref().map(|mesh| mesh.0.asset());
        let mut document = Document { mesh: asset.as_ref().map(mesh_of).transpose()?, ..Document::default() };
        // The sequences of a file follow each other, and only the first of them is found at a cost.
        let mut clips: Vec<(*const Opened, Vec<Clip<'_>>)> = Vec::new();
        for (opened, index, binding) in &parts {
            let file = Arc::as_ptr(opened);
            if clips.last().is_none_or(|(last, _)| *last != file) {
                clips.push((file, opened.asset().clips().collect()));
            }
            let found = clips.last().and_then(|(_, clips)| clips.get(*index)).copied();
            let clip = found.ok_or_else(|| PyValueError::new_err(format!("there is no sequence {index}")))?;
            document.animations.push(match binding {
                Some(binding) => Animation::new(&clip, Arc::clone(binding)),
                None => Animation::of_clip(&clip),
            });
        }
        let write = || -> Result<_, WriteError> {
            let mut out = BufWriter::new(OutputFile::create(&path)?);
            let report = match &binary {
                None => document.write_glb(&options, &mut out)?,
                Some(binary) => {
                    let mut second = BufWriter::new(OutputFile::create(binary)?);
                    let report = document.write_gltf(&options, &mut out, &uri, &mut second)?;
                    second.flush()?;
                    report
                }
            };
            out.flush()?;
            Ok(report)
        };
        json(&write().map_err(|error| error::of_write(&error, &shown))?)
    };
    long::run(py, usize::MAX, work)?
}
