//! Work on many assets: rows, as Arrow data in memory or as a file; findings as a file; conversions in a folder.

use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_schema::SchemaRef;
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use skelmap::Severity;
use skelmap_batch::catalogue::{Per, Rows};
use skelmap_batch::convert::ConvertOptions;
use skelmap_batch::{Counts, Outputs, Watch, Work};

use crate::file::Choices;
use crate::gltf::options_of;
use crate::mapping::Mode;
use crate::{error, long};

/// What to read, as Python gives it: `paths`, `shard`, `unreadable`, `jobs`, `mode` and the choices of the parse.
#[derive(Debug, FromPyObject)]
pub(crate) struct Reading(Vec<PathBuf>, Option<(u64, u64)>, String, Option<usize>, String, Choices);

impl Reading {
    pub(crate) fn into_work(self) -> PyResult<Work> {
        let Self(paths, shard, unreadable, jobs, mode, choices) = self;
        let all_readable = match unreadable.as_str() {
            "row" => false,
            "raise" => true,
            other => return Err(PyValueError::new_err(format!("unreadable is {other:?}, expected 'row' or 'raise'"))),
        };
        let (opener, parse) = (Mode::find(&mode)?.opener_of_many(), choices.to_options()?);
        let jobs = jobs.and_then(NonZeroUsize::new);
        Ok(Work { paths, opener, parse, shard, all_readable, jobs })
    }
}

/// What a catalogue has, as Python gives it: `per`, `content_hash` and `extent`.
#[derive(Debug, FromPyObject)]
pub(crate) struct Asked(String, bool, bool);

impl Asked {
    fn into_rows(self) -> PyResult<Rows> {
        let Self(per, content_hash, extent) = self;
        let per = match per.as_str() {
            "asset" => Per::Asset,
            "sequence" => Per::Sequence,
            other => return Err(PyValueError::new_err(format!("per is {other:?}, expected 'asset' or 'sequence'"))),
        };
        Ok(Rows { per, content_hash, extent })
    }
}

/// Does work. `progress` is called now and then with the numbers of items done and of all items. An exception stops the work.
pub(crate) fn watched<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    path: &str,
    work: impl FnOnce(&Watch) -> io::Result<T> + Send + 'static,
) -> PyResult<T> {
    let watch = Arc::new(Watch::default());
    let shared = Arc::clone(&watch);
    let look = || match &progress {
        Some(progress) if watch.progress().1 > 0 => progress.call1(py, watch.progress()).map(drop),
        _ => Ok(()),
    };
    let result = long::run_watched(py, look, || watch.stop(), move || work(&shared))?;
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
pub(crate) fn catalog(py: Python<'_>, reading: Reading, asked: Asked, progress: Option<Py<PyAny>>) -> PyResult<Table> {
    let (work, rows) = (reading.into_work()?, asked.into_rows()?);
    let (schema, batches, counts) = watched(py, progress, "catalog", move |watch| work.catalog(rows, watch))?;
    Ok(Table { schema, batches, counts })
}

/// The numbers of assets, of rows or findings, and of assets with an error; `None` if the file was there.
type Written = Option<(u64, u64, u64)>;

fn written(counts: Option<Counts>) -> Written {
    counts.map(|Counts { assets, rows, bad }| (assets, rows, bad))
}

/// Writes the rows of all assets to a file.
#[pyfunction]
pub(crate) fn catalog_to(
    py: Python<'_>,
    file: PathBuf,
    reading: Reading,
    asked: Asked,
    progress: Option<Py<PyAny>>,
) -> PyResult<Written> {
    let (work, rows, shown) = (reading.into_work()?, asked.into_rows()?, file.display().to_string());
    watched(py, progress, &shown, move |watch| work.catalog_to(&file, rows, watch)).map(written)
}

/// Reads all data and writes what is wrong with it to a file.
#[pyfunction]
pub(crate) fn check_to(
    py: Python<'_>,
    file: PathBuf,
    reading: Reading,
    level: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<Written> {
    let level = match level {
        "note" => Severity::Note,
        "warning" => Severity::Warning,
        "error" => Severity::Error,
        other => {
            let message = format!("level is {other:?}, expected 'note', 'warning' or 'error'");
            return Err(PyValueError::new_err(message));
        }
    };
    let (work, shown) = (reading.into_work()?, file.display().to_string());
    watched(py, progress, &shown, move |watch| work.check_to(&file, level, watch)).map(written)
}

/// Converts into a folder, and returns the numbers of outputs that were written, kept and skipped, and what failed.
#[pyfunction]
pub(crate) fn convert_to(
    py: Python<'_>,
    folder: PathBuf,
    reading: Reading,
    animations: Vec<PathBuf>,
    options: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<(u64, u64, u64, Vec<String>, Vec<String>)> {
    let (work, shown) = (reading.into_work()?, folder.display().to_string());
    let options: ConvertOptions = options_of(options)?;
    let convert = move |watch: &Watch| work.convert_to(&folder, &animations, &options, watch);
    let Outputs { written, kept, skipped, failures, unused } = watched(py, progress, &shown, convert)?;
    Ok((written, kept, skipped, failures, unused))
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

    /// The rows as a `polars.DataFrame`.
    fn to_polars<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("polars")?.call_method1("DataFrame", (this,))
    }

    /// The rows as a `pandas.DataFrame`.
    fn to_pandas<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("pandas")?.getattr("DataFrame")?.call_method1("from_arrow", (this,))
    }

    /// The rows as a `pyarrow.Table`.
    fn to_pyarrow<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        this.py().import("pyarrow")?.call_method1("table", (this,))
    }

    /// The counts, and the names of the columns, for a notebook.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let values = PyDict::new(py);
        values.set_item("rows", self.__len__())?;
        values.set_item("assets", self.counts.assets)?;
        values.set_item("bad", self.counts.bad)?;
        values.set_item("columns", self.columns().join(", "))?;
        Ok(py.import("skelmap._results")?.call_method1("to_html", ("skelmap.Table", values))?.unbind())
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
