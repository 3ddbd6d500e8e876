//! Meshes and animations as glTF.

use std::fs::File as OutputFile;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use serde::de::DeserializeOwned;
use skelmap::model::Clip;
use skelmap_batch::columns;
use skelmap_batch::convert::{OptionError, options_of_json};
use skelmap_export::{Animation, Document, ExportOptions, Origin, Stored, WriteError};

use crate::file::{File, Opened, json};
use crate::model::{Binding, mesh_of};
use crate::{error, long};

/// Options from the JSON of Python's.
pub(crate) fn options_of<T: DeserializeOwned>(json: &str) -> PyResult<T> {
    options_of_json(json).map_err(|error: OptionError| {
        if error.is_type { PyTypeError::new_err(error.to_string()) } else { PyValueError::new_err(error.to_string()) }
    })
}

/// A sequence of a document.
type Part = (Arc<Opened>, usize, Option<Arc<skelmap::model::Binding>>);

/// Writes a mesh with bound sequences, or sequences alone, and returns the report as JSON. With `binary`, the path is that of the JSON, and
/// `uri` the name by which the JSON finds the other file. `options`: those of [`ExportOptions`] as JSON.
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
    options: &str,
) -> PyResult<String> {
    let options: ExportOptions = options_of(options)?;
    let of_bound = |binding: &Py<Binding>| {
        let binding = binding.get();
        (Arc::clone(&binding.animation), binding.index, Some(Arc::clone(&binding.bound)))
    };
    let parts: Vec<Part> =
        bound.iter().map(of_bound).chain(free.into_iter().map(|(file, index)| (file.0, index, None))).collect();
    let shown = path.display().to_string();
    let work = move || {
        let asset = mesh.as_ref().map(|mesh| mesh.0.asset());
        let mut document = Document::default();
        document.mesh = mesh.as_ref().map(|mesh| mesh_of(&mesh.0)).transpose()?;
        let address = mesh.as_ref().and_then(|mesh| mesh.0.address.as_ref());
        document.stored = asset.as_ref().and_then(Stored::of);
        document.name = address.map(skelmap_batch::pair::stem_of).unwrap_or_default();
        // The sequences of a file follow each other, and only the first of them is found at a cost.
        let mut clips: Vec<(*const Opened, Vec<Clip<'_>>)> = Vec::new();
        for (opened, index, binding) in &parts {
            let file = Arc::as_ptr(opened);
            if clips.last().is_none_or(|(last, _)| *last != file) {
                clips.push((file, opened.asset().clips().collect()));
            }
            let found = clips.last().and_then(|(_, clips)| clips.get(*index)).copied();
            let clip = found.ok_or_else(|| PyValueError::new_err(format!("there is no sequence {index}")))?;
            let mut animation = match binding {
                Some(binding) => Animation::new(&clip, Arc::clone(binding)),
                None => Animation::of_clip(&clip),
            };
            animation.stored = Stored::of(&opened.asset());
            animation.origin = Origin {
                file: opened.address.as_ref().map(columns::name_of).unwrap_or_default(),
                sequence: animation.name.clone(),
                actions: Vec::new(),
            };
            document.animations.push(animation);
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
