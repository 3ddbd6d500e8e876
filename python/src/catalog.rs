//! Rows of many assets, as Arrow data in memory or as a file.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_schema::SchemaRef;
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use skelmap_cli::bulk::{Counts, Request, Watch};

use crate::file::Choices;
use crate::mapping::Mode;
use crate::{error, long};

/// What to make rows of, as Python gives it: `paths`, `per`, `shard`, `content_hash`, `extent`, `jobs`, `mode` and the choices of the parse.
#[derive(Debug, FromPyObject)]
pub(crate) struct Work(Vec<PathBuf>, String, Option<(u64, u64)>, bool, bool, Option<usize>, String, Choices);

impl Work {
    fn into_request(self) -> PyResult<Request> {
        let Self(paths, per, shard, content_hash, extent, jobs, mode, choices) = self;
        let per_sequence = match per.as_str() {
            "asset" => false,
            "sequence" => true,
            other => return Err(PyValueError::new_err(format!("per is {other:?}, expected 'asset' or 'sequence'"))),
        };
        let (opener, parse) = (Mode::find(&mode)?.opener_of_many(), choices.to_options()?);
        let jobs = jobs.and_then(std::num::NonZeroUsize::new);
        Ok(Request { paths, opener, parse, per_sequence, shard, content_hash, extent, jobs })
    }
}

/// Works on a request. `progress` is called now and then with the numbers of items done and of all items. An exception stops the work.
fn watched<T: Send + 'static>(
    py: Python<'_>,
    request: Request,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(&Request, &Watch) -> std::io::Result<T> + Send + 'static,
    path: &str,
) -> PyResult<T> {
    let watch = Arc::new(Watch::default());
    let shared = Arc::clone(&watch);
    let look = || match &progress {
        Some(progress) if watch.progress().1 > 0 => progress.call1(py, watch.progress()).map(drop),
        _ => Ok(()),
    };
    let result = long::run_watched(py, look, || watch.stop(), move || work(&request, &shared))?;
    let result = result.map_err(|error| error::of_io(&error, path))?;
    look()?;
    Ok(result)
}

/// The rows of a catalogue.
#[pyclass(frozen, module = "skelmap")]
#[derive(Debug)]
pub(crate) struct Table {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    counts: Counts,
}

/// Reads the headers of all assets.
#[pyfunction]
pub(crate) fn catalog(py: Python<'_>, work: Work, progress: Option<Py<PyAny>>) -> PyResult<Table> {
    let request = work.into_request()?;
    let (schema, batches, counts) = watched(py, request, progress, Request::to_batches, "catalog")?;
    Ok(Table { schema, batches, counts })
}

/// Writes the rows of all assets to a file, and returns the numbers of assets, rows and assets with an error.
#[pyfunction]
pub(crate) fn catalog_to(
    py: Python<'_>,
    file: PathBuf,
    work: Work,
    progress: Option<Py<PyAny>>,
) -> PyResult<(u64, u64, u64)> {
    let (request, shown) = (work.into_request()?, file.display().to_string());
    let write = move |request: &Request, watch: &Watch| request.write(&file, watch);
    let Counts { assets, rows, bad } = watched(py, request, progress, write, &shown)?;
    Ok((assets, rows, bad))
}

#[pymethods]
impl Table {
    /// The rows as a stream of Arrow record batches (the `PyCapsule` interface of Arrow). The schema that a consumer asks for is not looked at:
    /// the consumer casts.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = self.batches.clone().into_iter().map(Ok);
        let reader = RecordBatchIterator::new(batches, Arc::clone(&self.schema));
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), c"arrow_array_stream")
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.schema.as_ref());
        let schema = schema.map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn __repr__(&self) -> String {
        format!(
            "<skelmap.Table rows={} columns={} bad={}>",
            self.__len__(),
            self.schema.fields().len(),
            self.counts.bad
        )
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The number of assets.
    #[getter]
    fn assets(&self) -> u64 {
        self.counts.assets
    }

    /// The number of assets with an error.
    #[getter]
    fn bad(&self) -> u64 {
        self.counts.bad
    }
}
