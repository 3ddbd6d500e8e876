//! Bytes that `NumPy` may look at.

use std::any::Any;
use std::fmt::{self, Debug, Formatter};

use bytemuck::NoUninit;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use skelmap::mapping::Mapping;

/// The bytes of a file, or the values that were computed, for `numpy.asarray`. The array keeps them alive.
#[pyclass(frozen, module = "skelmap._native")]
pub(crate) struct Memory {
    /// Keeps the bytes where they are.
    _owner: Box<dyn Any + Send + Sync>,
    address: usize,
    size: usize,
    is_read_only: bool,
    of: &'static str,
}

impl Debug for Memory {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("size", &self.size).field("of", &self.of).finish_non_exhaustive()
    }
}

impl Memory {
    /// The bytes of a file, which nobody may write to.
    pub(crate) fn of_file(bytes: &Mapping<'static>) -> Self {
        let (address, size) = (bytes.as_ptr().expose_provenance(), bytes.len());
        Self { _owner: Box::new(bytes.clone()), address, size, is_read_only: true, of: "|u1" }
    }

    /// Values of this type, such as `<f4`. The array that shows them is their only user.
    pub(crate) fn of_values<T: NoUninit + Send + Sync + 'static>(mut values: Vec<T>, of: &'static str) -> Self {
        let (address, size) = (values.as_mut_ptr().expose_provenance(), size_of_val(values.as_slice()));
        Self { _owner: Box::new(values), address, size, is_read_only: false, of }
    }
}

#[pymethods]
impl Memory {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        let width = if self.of == "|u1" { 1 } else { 4 };
        interface.set_item("shape", (self.size.checked_div(width).unwrap_or(0),))?;
        interface.set_item("typestr", self.of)?;
        interface.set_item("data", (self.address, self.is_read_only))?;
        interface.set_item("version", 3)?;
        Ok(interface)
    }
}
