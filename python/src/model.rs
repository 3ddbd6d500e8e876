//! Poses and skinned meshes at many times.

use std::sync::Arc;

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyValueError};
use pyo3::prelude::*;
use skelmap::actorx::Config;
use skelmap::model::{self, Clip, Distances, IDENTITY, Matrix, Mesh, Skin, TrackSources, Transform, Wrap};
use skelmap::{Asset, Error, Match};

use crate::file::{File, Opened, json};
use crate::mapping::Mode;
use crate::memory::Memory;
use crate::parts::Part;
use crate::{error, long};

/// What follows the last frame.
fn wrap_of(name: &str) -> PyResult<Wrap> {
    match name {
        "clamp" => Ok(Wrap::Clamp),
        "loop" => Ok(Wrap::Loop),
        "closed" => Ok(Wrap::Closed),
        _ => Err(PyValueError::new_err(format!("wrap is {name:?}, expected 'clamp', 'loop' or 'closed'"))),
    }
}

/// The clip of an index.
pub(crate) fn clip_of<'a>(asset: &Asset<'a>, index: usize) -> PyResult<Clip<'a>> {
    asset.clips().nth(index).ok_or_else(|| PyIndexError::new_err(format!("there is no sequence {index}")))
}

/// The mesh of a file that was opened as one.
pub(crate) fn mesh_of(opened: &Opened) -> PyResult<Mesh<'_>> {
    opened.mesh().ok_or_else(|| PyValueError::new_err("this file has no mesh"))
}

/// The times at which a clip is sampled.
struct Times {
    values: Vec<f64>,
    /// Whether the values are positions in frames, and not seconds.
    in_frames: bool,
    wrap: Wrap,
}

impl Times {
    fn of(py: Python<'_>, values: &Bound<'_, PyAny>, in_frames: bool, wrap: &str) -> PyResult<Self> {
        Ok(Self { values: PyBuffer::<f64>::get(values)?.to_vec(py)?, in_frames, wrap: wrap_of(wrap)? })
    }

    /// The transforms of `width` bones at each time: of a clip, or of what a clip is bound to.
    fn sample(
        self,
        py: Python<'_>,
        opened: &Arc<Opened>,
        index: usize,
        width: usize,
        as_matrices: bool,
        sample: impl Fn(&Clip<'_>, f64, Wrap, &mut [Transform]) -> Result<(), Error> + Send + Sync + 'static,
    ) -> PyResult<Memory> {
        let opened = Arc::clone(opened);
        let bytes = bytes_of(self.values.len(), width);
        let work = move || {
            let mut rows = room(self.values.len(), width, Transform::IDENTITY)?;
            let clip = clip_of(&opened.asset(), index)?;
            let sampled = long::split(&mut rows, width, self.values.len(), |part, rows| {
                let mut rows = rows.chunks_exact_mut(width.max(1));
                self.values.get(part).unwrap_or_default().iter().try_for_each(|time| {
                    let position = if self.in_frames { *time } else { clip.position_of(*time)? };
                    sample(&clip, position, self.wrap, rows.next().unwrap_or_default())
                })
            });
            sampled.map_err(|error| error::of_use(&error))?;
            Ok(values(rows, as_matrices))
        };
        long::run(py, bytes, work)?
    }
}

/// Bytes of so many transforms for each of so many times.
fn bytes_of(times: usize, bones: usize) -> usize {
    times.saturating_mul(bones).saturating_mul(size_of::<Transform>())
}

/// Room for `each` values of so many rows.
fn room<T: Clone>(rows: usize, each: usize, value: T) -> PyResult<Vec<T>> {
    let short = || PyMemoryError::new_err(format!("{rows} times {each} values are too many for the memory"));
    let count = rows.checked_mul(each).ok_or_else(short)?;
    let mut values = Vec::new();
    values.try_reserve_exact(count).map_err(|_| short())?;
    values.resize(count, value);
    Ok(values)
}

/// Transforms for Python: ten floats each, or a matrix of sixteen.
fn values(rows: Vec<Transform>, as_matrices: bool) -> Memory {
    if as_matrices {
        Memory::of_values(rows.iter().map(Transform::to_matrix).collect::<Vec<Matrix>>(), "<f4")
    } else {
        Memory::of_values(rows, "<f4")
    }
}

/// A sequence: its name, frames, tracks and rate, and where its keys and scale keys lie.
type Sequence = (Option<String>, usize, usize, Option<f64>, Option<Part>, Option<Part>);

/// The sequences of a file, in their order.
#[pyfunction]
pub(crate) fn sequences(file: &File) -> Vec<Sequence> {
    let asset = file.0.asset();
    let (mut of_actorx, of_pyrogenesis) = match asset {
        Asset::ActorxPsa(psa) => (Some(psa.sequences()), None),
        Asset::PyrogenesisPsa(psa) => (None, Some(Part::of(asset.bytes(), psa.states()))),
        _ => (None, None),
    };
    let describe = |clip: Clip<'_>| {
        let stored = of_actorx.as_mut().and_then(Iterator::next);
        let keys = stored.map(|stored| Part::of(asset.bytes(), stored.keys())).or(of_pyrogenesis);
        let scales = stored.map(|stored| stored.scale_keys()).filter(|scales| !scales.is_empty());
        let scales = scales.map(|scales| Part::of(asset.bytes(), scales));
        let name = clip.name().map(|name| name.to_string());
        (name, clip.frame_count(), clip.track_count(), clip.rate(), keys, scales)
    };
    asset.clips().map(describe).collect()
}

/// Up to so many transforms in all frames of a sequence, it does not matter how few of them have keys.
const FEW: usize = 1 << 18;

/// Whether all frames of a sequence would take far more memory than its file: sparse keys do not limit the number of frames.
#[pyfunction]
pub(crate) fn is_inflated(file: &File, index: usize) -> PyResult<bool> {
    Ok(clip_of(&file.0.asset(), index)?.is_inflated(FEW))
}

/// The transforms of all tracks at each time.
#[pyfunction]
pub(crate) fn sample(
    py: Python<'_>,
    file: &File,
    index: usize,
    times: &Bound<'_, PyAny>,
    in_frames: bool,
    wrap: &str,
    as_matrices: bool,
) -> PyResult<Memory> {
    let times = Times::of(py, times, in_frames, wrap)?;
    let tracks = clip_of(&file.0.asset(), index)?.track_count();
    let sample = |clip: &Clip<'_>, at: f64, wrap: Wrap, row: &mut [Transform]| clip.sample_frame(at, wrap, row);
    times.sample(py, &file.0, index, tracks, as_matrices, sample)
}

/// A mesh that is prepared for skinning.
#[pyclass(frozen, module = "skelmap._native")]
#[derive(Debug)]
pub(crate) struct Rig {
    opened: Arc<Opened>,
    skin: Arc<Skin>,
}

/// Computes the values of one pose.
type Write<T> = fn(&Skin, &Mesh<'_>, &[Transform], &mut [Matrix], &mut [T]) -> Result<(), Error>;

impl Rig {
    /// Computes `width` values for each of the poses that Python gives: ten floats for each bone of each pose.
    fn each_pose<T: bytemuck::NoUninit + Send + Sync>(
        &self,
        py: Python<'_>,
        poses: &Bound<'_, PyAny>,
        width: usize,
        value: T,
        write: Write<T>,
    ) -> PyResult<Memory> {
        let buffer = PyBuffer::<f32>::get(poses)?;
        let count = buffer.shape().first().copied().unwrap_or(0);
        let bones = self.skin.bone_count();
        if *buffer.shape() != [count, bones, 10] {
            let message = format!("poses have the shape {:?}, expected (poses, {bones}, 10)", buffer.shape());
            return Err(PyValueError::new_err(message));
        }
        let poses = buffer.to_vec(py)?;
        let (opened, skin) = (Arc::clone(&self.opened), Arc::clone(&self.skin));
        let bytes = count.saturating_mul(width).saturating_mul(size_of::<T>());
        let work = move || {
            let mut out = room(count, width, value)?;
            let mesh = mesh_of(&opened)?;
            let transforms: &[Transform] = bytemuck::try_cast_slice(&poses).unwrap_or_default();
            let written = long::split(&mut out, width, count, |part, rows| {
                let mut poses = transforms.chunks_exact(bones.max(1)).skip(part.start);
                let mut matrices = vec![IDENTITY; skin.matrix_count()];
                let mut rows = rows.chunks_exact_mut(width.max(1));
                part.into_iter().try_for_each(|_| {
                    let (pose, row) = (poses.next().unwrap_or_default(), rows.next().unwrap_or_default());
                    write(&skin, &mesh, pose, &mut matrices, row)
                })
            });
            written.map_err(|error| error::of_use(&error))?;
            Ok(Memory::of_values(out, "<f4"))
        };
        long::run(py, bytes, work)?
    }
}

#[pymethods]
impl Rig {
    #[new]
    fn new(py: Python<'_>, file: &File, influences: usize) -> PyResult<Self> {
        let opened = Arc::clone(&file.0);
        let work = move || Skin::new(&mesh_of(&opened)?, influences).map_err(|error| error::of_use(&error));
        let skin = long::run(py, file.0.asset.bytes().len(), work)??;
        Ok(Self { opened: Arc::clone(&file.0), skin: Arc::new(skin) })
    }

    #[getter]
    fn bone_count(&self) -> usize {
        self.skin.bone_count()
    }

    /// The bind pose: a transform for each bone.
    fn bind_pose(&self) -> Memory {
        Memory::of_values(self.skin.bind_pose().to_vec(), "<f4")
    }

    /// For each bone the matrix from points, as the file stores them, to the space of the bone at rest.
    fn inverse_bind(&self) -> Memory {
        Memory::of_values(self.skin.inverse_bind().to_vec(), "<f4")
    }

    /// The number of influences that are weaker than the kept ones.
    fn weaker(&self) -> u64 {
        self.skin.influences().dropped().weaker
    }

    /// For each point the bones that move it, and their weights: rows of `width` values.
    fn influences(&self) -> (Memory, Memory, usize) {
        let influences = self.skin.influences();
        let bones: Vec<u32> = influences.bones().iter().copied().map(u32::from).collect();
        (Memory::of_values(bones, "<u4"), Memory::of_values(influences.weights().to_vec(), "<f4"), influences.width())
    }

    /// The positions of all points in each pose.
    fn positions(&self, py: Python<'_>, poses: &Bound<'_, PyAny>) -> PyResult<Memory> {
        let points = mesh_of(&self.opened)?.point_count();
        self.each_pose(py, poses, points, [0.0_f32; 3], |skin, mesh, pose, matrices, row| {
            skin.matrices(pose, matrices)?;
            skin.positions(mesh, matrices, row)
        })
    }

    /// The normals of all points in each pose.
    fn normals(&self, py: Python<'_>, poses: &Bound<'_, PyAny>) -> PyResult<Memory> {
        let points = mesh_of(&self.opened)?.point_count();
        self.each_pose(py, poses, points, [0.0_f32; 3], |skin, mesh, pose, matrices, row| {
            skin.matrices(pose, matrices)?;
            skin.normals(mesh, matrices, row).map(drop)
        })
    }

    /// The place of each bone in the model, in each pose.
    fn model_matrices(&self, py: Python<'_>, poses: &Bound<'_, PyAny>) -> PyResult<Memory> {
        self.each_pose(py, poses, self.skin.bone_count(), IDENTITY, |skin, _, pose, _, row| {
            skin.model_matrices(pose, row)
        })
    }
}

/// A sequence, bound to the bones of a mesh.
#[pyclass(frozen, module = "skelmap._native")]
#[derive(Debug)]
pub(crate) struct Binding {
    mesh: Arc<Opened>,
    pub(crate) animation: Arc<Opened>,
    pub(crate) index: usize,
    pub(crate) bound: Arc<model::Binding>,
    bones: usize,
    /// The binding of a list of poses as differences, and the bind pose that they are added to.
    added: Option<Arc<(model::Binding, Vec<Transform>)>>,
}

/// The side-car of an animation: one that Python gives, else the one beside the file.
fn sources_of(animation: &Opened, clip: &Clip<'_>, config: Option<&[u8]>, mode: Mode) -> PyResult<Vec<TrackSources>> {
    if let Some(config) = config {
        return Ok(Config::new(config).to_sources(clip));
    }
    Ok(animation.side_car(mode)?.map(|side_car| side_car.to_sources(clip)).unwrap_or_default())
}

#[pymethods]
impl Binding {
    #[new]
    fn new(mesh: &File, animation: &File, index: usize, config: Option<&[u8]>, mode: &str) -> PyResult<Self> {
        let opened = Arc::clone(&mesh.0);
        let (mesh, asset) = (mesh_of(&mesh.0)?, animation.0.asset());
        let clip = clip_of(&asset, index)?;
        let sources = sources_of(&animation.0, &clip, config, Mode::find(mode)?)?;
        let binding = model::Binding::new(&mesh, &clip).with_sources(&sources);
        let bones = mesh.bone_count();
        let is_difference = matches!(asset, Asset::UeformatPose(_));
        let added = is_difference.then(|| Arc::new((binding.clone().as_differences(), binding.to_rest())));
        Ok(Self { mesh: opened, animation: Arc::clone(&animation.0), index, bound: Arc::new(binding), bones, added })
    }

    /// How the bones match, the verdict, and whether the animation can play on the mesh.
    fn found(&self) -> PyResult<(String, &'static str, bool, Vec<Option<u32>>)> {
        let asset = self.animation.asset();
        let (rest, moved) =
            (Distances::of_mesh(&mesh_of(&self.mesh)?), Distances::of_clip(&clip_of(&asset, self.index)?));
        let found = self.bound.found().clone().measured(rest.as_ref(), moved.as_ref());
        Ok((json(&found)?, found.verdict().code(), found.can_play(Match::MIN_PERCENT), found.bones))
    }

    /// The transforms of the bones of the mesh at each time.
    fn sample(
        &self,
        py: Python<'_>,
        times: &Bound<'_, PyAny>,
        in_frames: bool,
        wrap: &str,
        as_matrices: bool,
    ) -> PyResult<Memory> {
        let (binding, added) = (Arc::clone(&self.bound), self.added.clone());
        let sample = move |clip: &Clip<'_>, at: f64, wrap: Wrap, row: &mut [Transform]| {
            let Some((differences, rest)) = added.as_deref() else { return binding.sample_frame(clip, at, wrap, row) };
            differences.sample_frame(clip, at, wrap, row)?;
            let mut pose = rest.clone();
            model::pose::add(&mut pose, row, 1.0, &[])?;
            row.copy_from_slice(&pose);
            Ok(())
        };
        Times::of(py, times, in_frames, wrap)?.sample(py, &self.animation, self.index, self.bones, as_matrices, sample)
    }
}
