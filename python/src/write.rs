//! Meshes and animations of 0 A.D. from arrays.

use std::fs;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use skelmap::pyrogenesis::{BoneState, NO_BONE, PropTransform};
use skelmap_batch::place::Place;
use skelmap_batch::save::{Saver, Work};
use skelmap_write::Influences;
use skelmap_write::pyrogenesis::{AnimationCounts, AnimationParts, MeshArrays, MeshCounts, Prop, PyrogenesisError};

use crate::file::json;
use crate::{error, long};

/// Rows of `N` values. Python has checked the shape and the type.
fn rows<T: Element, const N: usize>(py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<Vec<[T; N]>> {
    Ok(values(py, array)?.as_chunks().0.to_vec())
}

fn values<T: Element>(py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<Vec<T>> {
    PyBuffer::<T>::get(array)?.to_vec(py)
}

fn translation_and_rotation([tx, ty, tz, x, y, z, w]: [f32; 7]) -> ([f32; 3], [f32; 4]) {
    ([tx, ty, tz], [x, y, z, w])
}

fn states(py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<Vec<BoneState>> {
    let state = |row| {
        let (translation, rotation) = translation_and_rotation(row);
        BoneState::default().with_translation(translation).with_rotation(rotation)
    };
    Ok(rows(py, array)?.into_iter().map(state).collect())
}

fn of_content(error: &PyrogenesisError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Writes a file that appears when it is complete.
fn saved<T>(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut BufWriter<&mut fs::File>) -> Result<T, PyrogenesisError>,
) -> PyResult<T> {
    let mut done = None;
    let saved = Saver::new(Work::of(path)).save(&Place::of(path), force, |out| {
        done = Some(match write(out) {
            Err(PyrogenesisError::Write(error)) => return Err(error),
            other => other,
        });
        if matches!(done, Some(Err(_))) { Err(io::Error::other("nothing is written")) } else { Ok(()) }
    });
    match (done, saved) {
        (Some(Err(error)), _) => Err(of_content(&error)),
        (_, Err(error)) => Err(error::of_io(&error, &path.display().to_string())),
        (Some(Ok(made)), Ok(())) => Ok(made),
        (None, Ok(())) => Err(PyValueError::new_err("nothing is written")),
    }
}

/// Checks the limits of a mesh before its arrays are converted: numbers of vertices, triangles, bones, UV sets and prop points.
#[pyfunction]
pub(crate) fn check_mesh_counts(
    vertices: usize,
    triangles: usize,
    bones: usize,
    uv_sets: usize,
    props: usize,
) -> PyResult<()> {
    MeshCounts { vertices, triangles, bones, uv_sets, props }.check().map_err(|error| of_content(&error))
}

/// The same of an animation: numbers of frames and bones.
#[pyfunction]
pub(crate) fn check_animation_counts(frames: usize, bones: usize) -> PyResult<()> {
    AnimationCounts { frames, bones }.check().map_err(|error| of_content(&error))
}

/// The names of prop points, their bones, and a row of seven floats for each.
#[derive(FromPyObject)]
pub(crate) struct Props<'py>(Vec<String>, Vec<Option<usize>>, Bound<'py, PyAny>);

impl Props<'_> {
    fn to_props(&self, py: Python<'_>, bone_count: usize) -> PyResult<Vec<Prop>> {
        let Self(names, bones, transforms) = self;
        let mut props = Vec::new();
        for (index, ((name, bone), row)) in names.iter().zip(bones).zip(rows(py, transforms)?).enumerate() {
            let number = match *bone {
                None => NO_BONE,
                Some(bone) => u8::try_from(bone).ok().filter(|number| *number != NO_BONE).ok_or_else(|| {
                    let what = "prop point";
                    of_content(&PyrogenesisError::Missing { what, index, named: bone, count: bone_count })
                })?,
            };
            let (translation, rotation) = translation_and_rotation(row);
            let transform = PropTransform::default().with_translation(translation).with_rotation(rotation);
            props.push(Prop { name: name.clone(), transform: transform.with_bone_index(number) });
        }
        Ok(props)
    }
}

/// Writes arrays as a mesh, and returns the report as JSON. `influences`: bones, weights, and the number of them for each vertex.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arrays of a mesh")]
pub(crate) fn write_pmd(
    py: Python<'_>,
    path: PathBuf,
    force: bool,
    positions: &Bound<'_, PyAny>,
    triangles: &Bound<'_, PyAny>,
    normals: Option<&Bound<'_, PyAny>>,
    uvs: Vec<Bound<'_, PyAny>>,
    influences: Option<(Bound<'_, PyAny>, Bound<'_, PyAny>, usize)>,
    bones: &Bound<'_, PyAny>,
    props: Props<'_>,
) -> PyResult<String> {
    let (positions, triangles) = (rows(py, positions)?, rows(py, triangles)?);
    let normals = normals.map(|normals| rows(py, normals)).transpose()?;
    let uvs = uvs.iter().map(|set| rows(py, set)).collect::<PyResult<Vec<_>>>()?;
    let influences = influences
        .map(|(bones, weights, width)| {
            Ok::<_, PyErr>(Influences::of_rows(&values(py, &bones)?, &values(py, &weights)?, width))
        })
        .transpose()?;
    let bones = states(py, bones)?;
    let props = props.to_props(py, bones.len())?;
    let work = move || {
        let mut arrays = MeshArrays::default();
        (arrays.positions, arrays.triangles, arrays.uvs) = (&positions, &triangles, &uvs);
        (arrays.normals, arrays.influences) = (normals.as_deref().unwrap_or_default(), influences.as_ref());
        (arrays.bones, arrays.props) = (&bones, &props);
        json(&saved(&path, force, |out| arrays.write(out))?)
    };
    long::run(py, 0, work)?
}

/// Writes states as an animation, and returns the number of frames.
#[pyfunction]
pub(crate) fn write_psa(
    py: Python<'_>,
    path: PathBuf,
    force: bool,
    states: &Bound<'_, PyAny>,
    bones: usize,
    frame_ms: f32,
    name: String,
) -> PyResult<usize> {
    let states = self::states(py, states)?;
    let bytes = size_of_val(states.as_slice());
    let work = move || {
        let mut parts = AnimationParts::default();
        (parts.name, parts.frame_ms, parts.bones, parts.states) = (&name, frame_ms, bones, &states);
        saved(&path, force, |out| parts.write(out))
    };
    long::run(py, bytes, work)?
}
