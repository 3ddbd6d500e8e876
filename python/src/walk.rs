//! The assets in files, folders and archives, one by one.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use skelmap::ParseOptions;
use skelmap::archive::Address;
use skelmap::mapping::{Mapping, Opener};
use skelmap_batch::items::{Fault, Sources};
use skelmap_batch::{Find, Source};

use crate::file::{Choices, File, Opened, copied};
use crate::mapping::Mode;
use crate::{error, long};

/// What all items of a walk share.
#[derive(Debug)]
struct Found {
    sources: Sources,
    mode: Mode,
    options: ParseOptions,
    lod: usize,
}

/// An iterator over the items.
#[pyclass(frozen, module = "skelmap._native")]
#[derive(Debug)]
pub(crate) struct Items {
    found: Arc<Found>,
    next: AtomicUsize,
}

/// One asset of a walk.
#[pyclass(frozen, module = "skelmap._native")]
#[derive(Debug)]
pub(crate) struct Item {
    found: Arc<Found>,
    index: usize,
}

/// Finds the assets at paths and addresses.
#[pyfunction]
pub(crate) fn walk(py: Python<'_>, paths: Vec<PathBuf>, mode: &str, choices: Choices) -> PyResult<Items> {
    let (mode, options, lod) = (Mode::find(mode)?, choices.to_options()?, choices.lod());
    let find = move || Find::all(&paths).sources(&Source::new(mode.opener_of_many(), options));
    let sources = long::run(py, usize::MAX, find)?.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(Items { found: Arc::new(Found { sources, mode, options, lod }), next: AtomicUsize::new(0) })
}

#[pymethods]
impl Items {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Item>> {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = self.found.sources.items().get(index) else {
                self.next.fetch_sub(1, Ordering::Relaxed);
                return Ok(None);
            };
            if py.detach(|| item.is_asset()) {
                return Ok(Some(Item { found: Arc::clone(&self.found), index }));
            }
            py.check_signals()?;
        }
    }
}

impl Item {
    fn item(&self) -> Option<&skelmap_batch::items::Item> {
        self.found.sources.items().get(self.index)
    }
}

#[pymethods]
impl Item {
    /// The path of the file or archive, and the name of the entry.
    fn place(&self) -> (OsString, Option<String>) {
        let address = self.item().map(skelmap_batch::items::Item::address);
        let place = |address: Address| (address.path().as_os_str().to_owned(), address.entry().map(ToOwned::to_owned));
        address.map(place).unwrap_or_default()
    }

    /// Bytes to read, as the directory of the archive or the file system says.
    fn size(&self) -> u64 {
        self.item().map_or(0, skelmap_batch::items::Item::size_hint)
    }

    /// Opens the asset.
    fn open(&self, py: Python<'_>) -> PyResult<File> {
        let (found, index) = (Arc::clone(&self.found), self.index);
        let Some(item) = self.item() else { return Err(PyRuntimeError::new_err("this item is of no walk")) };
        let Found { mode, options, lod, .. } = &*self.found;
        let (address, size) = (item.address(), self.size());
        let open = move |opener: &Opener| found.sources.items().get(index)?.open(opener);
        open_item(py, address, size, *mode, options, *lod, open)
    }
}

/// Opens an item by a function, which returns `None` for what is no asset any more.
pub(crate) fn open_item(
    py: Python<'_>,
    address: Address,
    size: u64,
    mode: Mode,
    options: &ParseOptions,
    lod: usize,
    open: impl FnOnce(&Opener) -> Option<Result<Mapping<'static>, Fault>> + Send + 'static,
) -> PyResult<File> {
    let is_entry = address.entry().is_some();
    let copy = move |bytes| if is_entry { copied(bytes, mode) } else { bytes };
    let work = move || open(&mode.opener()).map(|opened| opened.map(copy));
    // A pipe states no size, and may be waited for.
    let size = usize::try_from(size).ok().filter(|size| *size > 0).unwrap_or(usize::MAX);
    let shown = address.to_string();
    match long::run(py, size, work)? {
        Some(Ok(bytes)) => Ok(File(Arc::new(Opened::parse(bytes, Some(address), options, lod)?))),
        Some(Err(fault)) => Err(error::of_fault(&fault, &shown)),
        None => Err(error::format_error("unknown-format", None, None, "is no asset any more", Some(&shown))),
    }
}
