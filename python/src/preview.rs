//! Pictures of meshes.

use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use skelmap_preview::{Camera, Figure, Renderer};

use crate::file::File;
use crate::model::mesh_of;
use crate::{error, long};

/// The most pixels of each edge.
const MAX_EDGE: u32 = 4096;

pub(crate) fn check_edge(size: u32) -> PyResult<()> {
    if (1..=MAX_EDGE).contains(&size) {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("size is {size}, expected 1 to {MAX_EDGE}")))
}

/// Draws a mesh at rest: a PNG file.
#[pyfunction]
pub(crate) fn draw<'py>(py: Python<'py>, file: &File, size: u32) -> PyResult<Bound<'py, PyBytes>> {
    check_edge(size)?;
    let opened = Arc::clone(&file.0);
    let work = move || {
        let figure = Figure::of_mesh(&mesh_of(&opened)?).map_err(|error| error::of_use(&error))?;
        Ok::<_, PyErr>(Renderer::new(size, size).draw(&figure, &Camera::around(&figure)).to_png())
    };
    Ok(PyBytes::new(py, &long::run(py, file.0.asset().bytes().len(), work)??))
}
