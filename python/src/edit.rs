//! Edits of `ActorX` files, which keep every byte that is not asked about.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use skelmap::Asset;
use skelmap::actorx::{Psa, Psk};
use skelmap_batch::edit::{self, SaveError, Saving};
use skelmap_write::edit::{EditError, Merge, PsaEdit, PskEdit};

use crate::file::{File, Opened, json};
use crate::mapping::Mode;
use crate::{error, long};

/// A request. All names are those of the file, so that each is checked alone.
#[derive(Clone, Debug)]
enum Request {
    Keep(Vec<String>),
    Rename(String, String),
    Rate(String, f32),
    Trim(String, usize, usize),
    RenameBone(String, String),
    DropBone(String),
    RenameMaterial(String, String),
    Scale(f32),
    DropChunk(String),
    DropExtras,
}

/// Asks all this of an animation. What is about meshes is not asked: Python has a class for each.
fn of_animation<'a>(animation: &Psa<'a>, requests: &[Request]) -> Result<PsaEdit<'a>, EditError> {
    let mut edit = PsaEdit::new(animation);
    for request in requests {
        match request {
            Request::Keep(names) => edit.keep(names)?,
            Request::Rename(old, new) => edit.rename(old, new)?,
            Request::Rate(name, rate) => edit.set_rate(name, *rate)?,
            Request::Trim(name, start, end) => edit.trim(name, *start..*end)?,
            Request::RenameBone(old, new) => edit.rename_bone(old, new)?,
            Request::DropBone(name) => edit.drop_bone(name)?,
            Request::RenameMaterial(..) | Request::Scale(_) | Request::DropChunk(_) | Request::DropExtras => &mut edit,
        };
    }
    Ok(edit)
}

/// Asks all this of a mesh.
fn of_mesh<'a>(mesh: &Psk<'a>, requests: &[Request]) -> Result<PskEdit<'a>, EditError> {
    let mut edit = PskEdit::new(mesh);
    for request in requests {
        match request {
            Request::RenameBone(old, new) => edit.rename_bone(old, new)?,
            Request::RenameMaterial(old, new) => edit.rename_material(old, new)?,
            Request::Scale(factor) => edit.scale(*factor)?,
            Request::DropChunk(id) => edit.drop_chunk(id)?,
            Request::DropExtras => edit.drop_extras(),
            Request::Keep(_) | Request::Rename(..) | Request::Rate(..) | Request::Trim(..) | Request::DropBone(_) => {
                &mut edit
            }
        };
    }
    Ok(edit)
}

fn other_format() -> PyErr {
    PyValueError::new_err("expected an ActorX mesh or animation")
}

fn animation_of(opened: &Opened) -> PyResult<Psa<'_>> {
    match opened.asset() {
        Asset::ActorxPsa(animation) => Ok(animation),
        _ => Err(other_format()),
    }
}

/// The file or archive that was opened.
fn path_of(opened: &Opened) -> Option<PathBuf> {
    opened.address.as_ref().map(|address| address.path().to_owned())
}

fn asked(error: EditError) -> PyErr {
    error::of_save(&SaveError::Edit(error))
}

/// An edit of a file, and what was asked of it.
#[pyclass(frozen, module = "skelmap._native")]
#[derive(Debug)]
pub(crate) struct Edit {
    opened: Arc<Opened>,
    requests: Mutex<Vec<Request>>,
}

impl Edit {
    /// Adds a request, if the file has what it names.
    fn add(&self, request: Request) -> PyResult<()> {
        let one = std::slice::from_ref(&request);
        let checked = match self.opened.asset() {
            Asset::ActorxPsa(animation) => of_animation(&animation, one).map(drop),
            Asset::ActorxPsk(mesh) => of_mesh(&mesh, one).map(drop),
            _ => return Err(other_format()),
        };
        checked.map_err(asked)?;
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).push(request);
        Ok(())
    }

    fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[pymethods]
impl Edit {
    #[new]
    fn new(file: &File) -> Self {
        Self { opened: Arc::clone(&file.0), requests: Mutex::default() }
    }

    /// Asks for something that names alone say.
    fn ask(&self, what: &str, names: Vec<String>) -> PyResult<()> {
        let names_of = |count: usize| PyValueError::new_err(format!("{what}: expected {count} names"));
        let one = |names: Vec<String>| <[String; 1]>::try_from(names).map_err(|_| names_of(1));
        let two = |names: Vec<String>| <[String; 2]>::try_from(names).map_err(|_| names_of(2));
        self.add(match what {
            "keep" => Request::Keep(names),
            "rename" => two(names).map(|[old, new]| Request::Rename(old, new))?,
            "rename_bone" => two(names).map(|[old, new]| Request::RenameBone(old, new))?,
            "rename_material" => two(names).map(|[old, new]| Request::RenameMaterial(old, new))?,
            "drop_bone" => one(names).map(|[name]| Request::DropBone(name))?,
            "drop_chunk" => one(names).map(|[id]| Request::DropChunk(id))?,
            "drop_extras" => Request::DropExtras,
            other => return Err(PyValueError::new_err(format!("there is no request {other:?}"))),
        })
    }

    fn rate(&self, name: String, rate: f32) -> PyResult<()> {
        self.add(Request::Rate(name, rate))
    }

    fn trim(&self, name: String, start: usize, end: usize) -> PyResult<()> {
        self.add(Request::Trim(name, start, end))
    }

    fn scale(&self, factor: f32) -> PyResult<()> {
        self.add(Request::Scale(factor))
    }

    /// The edited file, without its side-car.
    fn to_bytes<'py>(&self, py: Python<'py>, copy_shared: bool) -> PyResult<Bound<'py, PyBytes>> {
        let (opened, requests) = (Arc::clone(&self.opened), self.requests());
        let work = move || {
            let mut bytes = Vec::new();
            // With the code that writes to files.
            let mut out: &mut dyn Write = &mut bytes;
            match opened.asset() {
                Asset::ActorxPsa(animation) => {
                    let mut edit = of_animation(&animation, &requests).map_err(asked)?;
                    if copy_shared {
                        edit.copy_shared_frames();
                    }
                    edit.write(&mut out).map_err(asked)?;
                }
                Asset::ActorxPsk(mesh) => {
                    of_mesh(&mesh, &requests).and_then(|edit| edit.write(&mut out)).map_err(asked)?;
                }
                _ => return Err(other_format()),
            }
            Ok(bytes)
        };
        Ok(PyBytes::new(py, &long::run(py, self.opened.asset.bytes().len(), work)??))
    }

    /// Saves the edited file and its side-car, and returns the report as JSON.
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        force: bool,
        copy_shared: bool,
        exec: Option<PathBuf>,
        mode: &str,
    ) -> PyResult<String> {
        let (opened, requests, mode) = (Arc::clone(&self.opened), self.requests(), Mode::find(mode)?);
        let work = move || {
            let inputs = Vec::from_iter(path_of(&opened));
            let saving = Saving { path: &path, force, inputs: &inputs, exec: exec.as_deref(), opener: &mode.opener() };
            match opened.asset() {
                Asset::ActorxPsa(animation) => {
                    let mut edit = of_animation(&animation, &requests).map_err(asked)?;
                    if copy_shared {
                        edit.copy_shared_frames();
                    }
                    let side_car = opened.side_car(mode)?;
                    let config = side_car.as_ref().map(|side_car| &*side_car.bytes);
                    json(&saving.animation(&edit, config).map_err(|error| error::of_save(&error))?)
                }
                Asset::ActorxPsk(mesh) => {
                    let edit = of_mesh(&mesh, &requests).map_err(asked)?;
                    json(&saving.mesh(&edit).map_err(|error| error::of_save(&error))?)
                }
                _ => Err(other_format()),
            }
        };
        long::run(py, self.opened.asset.bytes().len(), work)?
    }
}

/// Makes one animation of several, each with the mode that it was opened in, and returns the report as JSON.
#[pyfunction]
pub(crate) fn merge(
    py: Python<'_>,
    files: Vec<(File, String)>,
    path: PathBuf,
    force: bool,
    number: bool,
    copy_shared: bool,
) -> PyResult<String> {
    let files = files.into_iter().map(|(file, mode)| Ok((file.0, Mode::find(&mode)?)));
    let files = files.collect::<PyResult<Vec<(Arc<Opened>, Mode)>>>()?;
    let bytes = files.iter().map(|(opened, _)| opened.asset.bytes().len()).fold(0, usize::saturating_add);
    let work = move || {
        let animations: Vec<Psa<'_>> =
            files.iter().map(|(opened, _)| animation_of(opened)).collect::<Result<_, _>>()?;
        let side_cars: Vec<_> = files.iter().map(|(opened, mode)| opened.side_car(*mode)).collect::<Result<_, _>>()?;
        let configs: Vec<_> = side_cars.iter().map(|own| own.as_ref().map(|own| &*own.bytes)).collect();
        let inputs: Vec<PathBuf> = files.iter().filter_map(|(opened, _)| path_of(opened)).collect();
        let mut merge = Merge::new(&animations);
        if number {
            merge = merge.number_duplicates();
        }
        if copy_shared {
            merge = merge.copy_shared_frames();
        }
        let saving = Saving { path: &path, force, inputs: &inputs, exec: None, opener: &Mode::Read.opener() };
        json(&saving.merged(&merge, &configs).map_err(|error| error::of_save(&error))?)
    };
    long::run(py, bytes, work)?
}

/// Makes a file for each sequence, and returns their paths.
#[pyfunction]
pub(crate) fn split(py: Python<'_>, file: &File, folder: PathBuf, force: bool, mode: &str) -> PyResult<Vec<PathBuf>> {
    let (opened, mode) = (Arc::clone(&file.0), Mode::find(mode)?);
    let work = move || {
        let (side_car, input) = (opened.side_car(mode)?, path_of(&opened));
        let config = side_car.as_ref().map(|side_car| &*side_car.bytes);
        let files = edit::split(&animation_of(&opened)?, config, input.as_deref(), Path::new(&folder), force);
        files.map(|(files, _)| files).map_err(|error| error::of_save(&error))
    };
    long::run(py, file.0.asset.bytes().len(), work)?
}
