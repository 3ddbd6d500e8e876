//! Meshes with what belongs to them.

use std::ffi::OsString;
use std::sync::Arc;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use skelmap::ParseOptions;
use skelmap::mapping::Opener;
use skelmap_batch::convert::{self, ConvertOptions};
use skelmap_batch::items::{Fault, Item};
use skelmap_batch::pair::stem_of;
use skelmap_export::MediaType;

use crate::catalog::{Reading, watched};
use crate::file::{Choices, File, text_of};
use crate::gltf::options_of;
use crate::mapping::Mode;
use crate::preview::check_edge;
use crate::walk::open_item;
use crate::{error, long};

/// The sets of some paths.
#[pyclass(frozen, module = "skelmap._native")]
#[derive(Debug)]
pub(crate) struct Sets {
    found: Arc<convert::Sets>,
    mode: Mode,
    options: ParseOptions,
    lod: usize,
}

/// Finds meshes and what belongs to each. `options`: those of a conversion as JSON.
#[pyfunction]
pub(crate) fn sets(
    py: Python<'_>,
    reading: Reading,
    mode: &str,
    choices: Choices,
    options: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<Sets> {
    let (work, options) = (reading.into_work()?, options_of::<ConvertOptions>(options)?);
    let shown = work.paths.first().map(|path| path.display().to_string()).unwrap_or_default();
    let found = Arc::new(watched(py, progress, &shown, move |watch| work.sets(&options, watch))?);
    Ok(Sets { found, mode: Mode::find(mode)?, options: choices.to_options()?, lod: choices.lod() })
}

/// A mesh (or not), its address and the name in it, its animations with their names, the names and parents of its bones, and what was left out.
type Set = (
    bool,
    (OsString, String),
    Vec<(OsString, Vec<String>)>,
    Option<Vec<(String, Option<usize>)>>,
    bool,
    Option<String>,
);
/// An image: its name, its address, its kind, its bytes.
type Image<'py> = (String, OsString, &'static str, Bound<'py, PyBytes>);
/// The images of a mesh; for each material its image; what cannot be used.
type Clothes<'py> = (Vec<Image<'py>>, Vec<Option<usize>>, Vec<String>);

impl Sets {
    fn set(&self, index: usize) -> PyResult<&convert::Set> {
        self.found.sets().get(index).ok_or_else(|| PyRuntimeError::new_err("there is no such set"))
    }

    fn item(&self, number: usize) -> PyResult<&Item> {
        self.found.item(number).ok_or_else(|| PyRuntimeError::new_err("there is no such file"))
    }

    fn text(&self, number: usize) -> PyResult<OsString> {
        Ok(text_of(&self.item(number)?.address()))
    }

    fn fault(&self, fault: &Fault, set: &convert::Set) -> PyErr {
        self.item(set.first).map_or_else(|error| error, |item| error::of_fault(fault, &item.address().to_string()))
    }
}

#[pymethods]
impl Sets {
    fn __len__(&self) -> usize {
        self.found.sets().len()
    }

    fn set_at(&self, index: usize) -> PyResult<Set> {
        let set = self.set(index)?;
        let animation = |(number, names): &(usize, Vec<String>)| Ok((self.text(*number)?, names.clone()));
        let animations = set.animations.iter().map(animation).collect::<PyResult<_>>()?;
        let skeleton = set.dress.skeleton.as_ref();
        let bones = skeleton.map(|own| own.bones.iter().map(|bone| (bone.name.clone(), bone.parent)).collect());
        let address = self.item(set.first)?.address();
        Ok((
            set.is_mesh,
            (text_of(&address), stem_of(&address)),
            animations,
            bones,
            set.dress.is_transparent,
            set.note.clone(),
        ))
    }

    /// The files that cannot be read, and the animations that belong to no mesh.
    fn rest(&self) -> (Vec<String>, Vec<OsString>) {
        (self.found.faults().to_vec(), self.found.unused().iter().map(text_of).collect())
    }

    /// Opens the first of a set, or one of its animations.
    fn open(&self, py: Python<'_>, index: usize, animation: Option<usize>) -> PyResult<File> {
        let set = self.set(index)?;
        let number = match animation {
            None => Some(set.first),
            Some(animation) => set.animations.get(animation).map(|(number, _)| *number),
        };
        let number = number.ok_or_else(|| PyRuntimeError::new_err("there is no such animation"))?;
        let item = self.item(number)?;
        let sets = Arc::clone(&self.found);
        let open = move |opener: &Opener| sets.item(number)?.open(opener);
        open_item(py, item.address(), item.size_hint(), self.mode, &self.options, self.lod, open)
    }

    fn clothes<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Clothes<'py>> {
        let (sets, set) = (Arc::clone(&self.found), self.set(index)?);
        let work = move || sets.sets().get(index).map(|set| sets.clothes(set)).transpose();
        let clothes = long::run(py, usize::MAX, work)?.map_err(|fault| self.fault(&fault, set))?.unwrap_or_default();
        let kind = |media_type| if media_type == MediaType::Png { "image/png" } else { "image/jpeg" };
        let images = clothes.images.into_iter().map(|(image, address)| {
            (image.name, text_of(&address), kind(image.media_type), PyBytes::new(py, &image.bytes))
        });
        Ok((images.collect(), clothes.of_materials, clothes.faults))
    }

    /// A picture of a set as a PNG file; `None` for what shows nothing.
    fn draw<'py>(&self, py: Python<'py>, index: usize, size: u32) -> PyResult<Option<Bound<'py, PyBytes>>> {
        check_edge(size)?;
        let (sets, set) = (Arc::clone(&self.found), self.set(index)?);
        let work = move || {
            let picture = sets.sets().get(index).map(|set| sets.picture(set, size)).transpose();
            picture.map(|picture| picture.flatten().map(|picture| picture.to_png()))
        };
        let png = long::run(py, usize::MAX, work)?.map_err(|fault| self.fault(&fault, set))?;
        Ok(png.map(|png| PyBytes::new(py, &png)))
    }
}
