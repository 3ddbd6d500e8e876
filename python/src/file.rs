//! A file or entry, opened and parsed once.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use serde::Serialize;
use skelmap::archive::{Address, AddressError, Limits, SideCar};
use skelmap::mapping::Mapping;
use skelmap::model::{Bone, Mesh, Summary};
use skelmap::pyrogenesis::Strictness;
use skelmap::swat3::SkeletonOption;
use skelmap::{Asset, AssetBuf, ParseOptions, pyrogenesis, swat3};
use skelmap_batch::check::findings_of;
use skelmap_batch::pair::stem_of;

use crate::mapping::Mode;
use crate::memory::Memory;
use crate::parts::{Part, Parts, parts};
use crate::{error, long, ueformat};

/// The choices of a parse, as Python gives them: `engine`, `trailing_zeros`, `gsa_layout`, `lod`. A tuple, because the names of a dictionary are
/// made under a lock, which a process that forks meanwhile would never get.
#[derive(Clone, Debug, FromPyObject)]
pub(crate) struct Choices(bool, bool, Option<String>, usize);

impl Choices {
    pub(crate) fn to_options(&self) -> PyResult<ParseOptions> {
        let Self(engine, trailing_zeros, gsa_layout, _) = self;
        let layout =
            |text: &String| text.parse().map_err(|error| PyValueError::new_err(format!("gsa_layout: {error}")));
        let skeleton = gsa_layout.as_ref().map(layout).transpose()?;
        let skeleton = skeleton.map_or(SkeletonOption::Auto, SkeletonOption::Given);
        let strictness = if *engine { Strictness::Engine } else { Strictness::Strict };
        let mut options = ParseOptions::default();
        options.pyrogenesis = pyrogenesis::Options::new(strictness);
        (options.swat3.skeleton, options.swat3.trailing_zeros) = (skeleton, *trailing_zeros);
        Ok(options)
    }

    /// The level of detail of a mesh.
    pub(crate) const fn lod(&self) -> usize {
        self.3
    }
}

/// A parsed file, where it came from, and the level of detail of its mesh.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) asset: AssetBuf<Mapping<'static>>,
    pub(crate) address: Option<Address>,
    pub(crate) lod: usize,
}

impl Opened {
    pub(crate) fn parse(
        bytes: Mapping<'static>,
        address: Option<Address>,
        options: &ParseOptions,
        lod: usize,
    ) -> PyResult<Self> {
        let unpacked = bytes.unpacked(&Limits::default());
        match unpacked.and_then(|bytes| AssetBuf::parse_with(bytes, options)) {
            Ok(asset) => Ok(Self { asset, address, lod }),
            Err(failed) => {
                let path = address.map(|address| address.to_string());
                Err(error::of_format(&failed.error, path.as_deref()))
            }
        }
    }

    pub(crate) fn asset(&self) -> Asset<'_> {
        self.asset.view()
    }

    /// The mesh at the level of detail that was chosen, or at the last one.
    pub(crate) fn mesh(&self) -> Option<Mesh<'_>> {
        let mesh = self.asset().mesh()?;
        Some(if self.lod == 0 { mesh } else { mesh.level(self.lod) })
    }

    /// The counts of the file, of a model those of the level of detail that was chosen.
    fn summary(&self) -> Summary {
        let mut summary = self.asset().summary();
        if let Some(level) = ueformat::level_of(self).filter(|_| self.lod > 0) {
            let counts =
                [level.positions().len(), level.indices().len() / 3, level.materials().len(), level.uv_sets().len()];
            [summary.points, summary.faces, summary.materials, summary.uv_sets] =
                counts.map(|count| u64::try_from(count).ok());
        }
        summary
    }

    /// The side-car beside the file, which only ActorX animations have.
    pub(crate) fn side_car(&self, mode: Mode) -> PyResult<Option<SideCar>> {
        let (Asset::ActorxPsa(_), Some(address)) = (self.asset(), &self.address) else { return Ok(None) };
        let found = SideCar::beside(address, &mode.opener_of_many());
        found.map_err(|error| error::of_io(&error, &address.to_string()))
    }
}

/// A file or entry. The classes of Python are made of it.
#[pyclass(frozen, from_py_object, module = "skelmap._native")]
#[derive(Clone, Debug)]
pub(crate) struct File(pub(crate) Arc<Opened>);

/// Opens the file or entry at an address.
#[pyfunction]
pub(crate) fn open(py: Python<'_>, address: PathBuf, mode: &str, choices: Choices) -> PyResult<File> {
    let (mode, options, lod) = (Mode::find(mode)?, choices.to_options()?, choices.lod());
    let address = Address::find(address);
    let bytes = if let Some((file, size)) = regular_file(&address) {
        let size = if mode == Mode::Read { size } else { 0 };
        let opened = long::run(py, size, move || mode.opener().open_file(file))?;
        opened.map_err(|error| error::of_io(&error, &address.to_string()))?
    } else {
        // A pipe may be waited for.
        let found = address.clone();
        let opened = long::run(py, usize::MAX, move || read(&found, mode))?;
        opened.map_err(|error| error::of_address(&error, &address))?
    };
    Ok(File(Arc::new(Opened::parse(bytes, Some(address), &options, lod)?)))
}

/// The file at an address, opened without waiting, and its size; `None` for an entry, a pipe, and what cannot be opened.
fn regular_file(address: &Address) -> Option<(fs::File, usize)> {
    if address.entry().is_some() {
        return None;
    }
    let mut options = fs::File::options();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let file = options.open(address.path()).ok()?;
    let metadata = file.metadata().ok().filter(fs::Metadata::is_file)?;
    Some((file, usize::try_from(metadata.len()).unwrap_or(usize::MAX)))
}

/// The bytes at an address. In the mode `read`, an entry is copied out of the map of its archive, which ends with this call.
fn read(address: &Address, mode: Mode) -> Result<Mapping<'static>, AddressError> {
    match address.entry() {
        None => address.open(&mode.opener()),
        Some(_) => Ok(copied(address.open(&mode.opener_of_many())?, mode)),
    }
}

/// The bytes of an entry, copied in the mode `read`.
pub(crate) fn copied(bytes: Mapping<'static>, mode: Mode) -> Mapping<'static> {
    if mode == Mode::Read { Mapping::from(bytes.to_vec()) } else { bytes }
}

/// Parses bytes without a copy.
#[pyfunction]
pub(crate) fn parse(data: PyBackedBytes, choices: Choices) -> PyResult<File> {
    let (bytes, options) = (Mapping::from_owner(data), choices.to_options()?);
    Ok(File(Arc::new(Opened::parse(bytes, None, &options, choices.lod())?)))
}

/// The severity, the sentence and the explanation of a code; `None` for any other text.
#[pyfunction]
pub(crate) fn explain(code: &str) -> Option<(&'static str, &'static str, &'static str)> {
    let code = skelmap_batch::codes::find(code)?;
    Some((code.severity().code(), code.sentence(), code.explanation()))
}

/// A value as JSON, which Python reads faster than it makes objects one by one.
pub(crate) fn json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// An address as [`open`] takes it.
pub(crate) fn text_of(address: &Address) -> OsString {
    let mut text = address.path().as_os_str().to_owned();
    if let Some(entry) = address.entry() {
        text.push("!/");
        text.push(entry);
    }
    text
}

/// Name, kind and value of an event, and the frame that it is in.
type Event = (usize, &'static str, String);
/// Name, bone, translation, rotation and scale of an attachment.
type Attachment = (String, Option<usize>, (f32, f32, f32), (f32, f32, f32, f32), (f32, f32, f32));

#[pymethods]
impl File {
    #[getter]
    fn format(&self) -> &'static str {
        self.0.asset().format().code()
    }

    #[getter]
    fn is_mesh(&self) -> bool {
        self.0.asset().format().is_mesh()
    }

    /// Where the file was opened; `None` for bytes.
    #[getter]
    fn address(&self) -> Option<OsString> {
        self.0.address.as_ref().map(text_of)
    }

    /// The name in the address.
    #[getter]
    fn stem(&self) -> Option<String> {
        self.0.address.as_ref().map(stem_of)
    }

    #[getter]
    fn size(&self) -> usize {
        self.0.asset.bytes().len()
    }

    #[getter]
    fn is_mapped(&self) -> bool {
        self.0.asset.bytes().is_mapped()
    }

    fn memory(&self) -> Memory {
        Memory::of_file(self.0.asset.bytes())
    }

    fn parts(&self) -> Parts {
        parts(&self.0)
    }

    /// The place of some records; `None` if the file does not have them.
    fn part(&self, name: &str) -> Option<Part> {
        parts(&self.0).into_iter().find_map(|(own, part)| (own == name).then_some(part))
    }

    fn summary(&self) -> PyResult<String> {
        json(&self.0.summary())
    }

    fn quirks(&self) -> PyResult<String> {
        json(&self.0.asset().quirks().collect::<Vec<_>>())
    }

    /// The findings of the file, and of the side-car beside it.
    fn check(&self, py: Python<'_>, mode: &str) -> PyResult<String> {
        let (opened, mode) = (Arc::clone(&self.0), Mode::find(mode)?);
        let work = move || {
            let side_car = opened.side_car(mode)?;
            let place = opened.address.as_ref();
            json(&findings_of(&opened.asset(), side_car.as_ref(), place, 1))
        };
        long::run(py, self.size(), work)?
    }

    /// The names of the bones; `None` for a format without names.
    fn bone_names(&self) -> Option<Vec<String>> {
        let skeleton = self.0.asset().skeleton().filter(skelmap::model::Skeleton::has_names)?;
        Some(skeleton.bones().filter_map(|bone| bone.name).map(|name| name.to_string()).collect())
    }

    /// The parents of the bones, -1 for a root; `None` for a format without names.
    fn parents(&self) -> Option<Vec<i64>> {
        let skeleton = self.0.asset().skeleton().filter(skelmap::model::Skeleton::has_names)?;
        let parent = |bone: Bone<'_>| bone.parent.and_then(|parent| i64::try_from(parent).ok()).unwrap_or(-1);
        Some(skeleton.bones().map(parent).collect())
    }

    /// The names of the materials that triangles can have, in their order.
    fn materials(&self) -> Vec<String> {
        let mesh = self.0.mesh();
        let names =
            |mesh: Mesh<'_>| (0..).map_while(|index| mesh.material(index).map(|name| name.to_string())).collect();
        mesh.map(names).unwrap_or_default()
    }

    /// The first vertex index, in the order of `triangles`, of three for each triangle.
    fn triangles(&self) -> Memory {
        let mesh = self.0.mesh();
        let corners = mesh.iter().flat_map(|mesh| (0..mesh.triangle_count()).filter_map(|index| mesh.triangle(index)));
        Memory::of_values(corners.flat_map(|triangle| triangle.vertices).collect::<Vec<u32>>(), "<u4")
    }

    /// The index of the point of each vertex; that of the first point for a vertex whose point does not exist.
    fn vertex_points(&self) -> Memory {
        let mesh = self.0.mesh();
        let point = |mesh: &Mesh<'_>, vertex| {
            mesh.point_of(vertex)
                .filter(|point| *point < mesh.point_count())
                .and_then(|point| u32::try_from(point).ok())
        };
        let points =
            mesh.iter().flat_map(|mesh| (0..mesh.vertex_count()).map(|vertex| point(mesh, vertex).unwrap_or(0)));
        Memory::of_values(points.collect::<Vec<u32>>(), "<u4")
    }

    /// Whether faces are counterclockwise, seen from outside in a right-handed space, and whether v counts from the top.
    fn conventions(&self) -> (bool, bool) {
        let of = |mesh: Mesh<'_>| (mesh.has_outward_faces(), mesh.uv_origin() == skelmap::model::UvOrigin::Top);
        self.0.mesh().map(of).unwrap_or_default()
    }

    /// For each morph target its name and its deltas.
    fn morphs(&self) -> Vec<(String, Part)> {
        match self.0.asset() {
            Asset::ActorxPsk(psk) => psk
                .morphs()
                .map(|morph| (morph.info.name().text().to_string(), Part::of(psk.bytes(), morph.deltas)))
                .collect(),
            Asset::UeformatModel(_) => ueformat::morphs(&self.0),
            _ => Vec::new(),
        }
    }

    /// For each material, whether both sides are visible, and what the alpha of its texture means.
    fn surfaces(&self) -> Vec<(bool, &'static str)> {
        let of = |mesh: Mesh<'_>| {
            let surfaces = (0..).map_while(|index| mesh.material(index).map(|_| mesh.surface(index)));
            surfaces.map(|surface| (surface.is_two_sided, surface.alpha.code())).collect()
        };
        self.0.mesh().map(of).unwrap_or_default()
    }

    fn attachments(&self) -> Vec<Attachment> {
        let attachments = self.0.mesh().map(|mesh| mesh.to_attachments()).unwrap_or_default();
        let place = |place: &skelmap::model::Attachment<'_>| {
            let skelmap::model::Transform { translation, rotation, scale } = place.transform;
            (place.name.to_string(), place.bone, translation.into(), rotation.into(), scale.into())
        };
        attachments.iter().map(place).collect()
    }

    /// The events of an animation.
    fn events(&self) -> Vec<Event> {
        match self.0.asset() {
            Asset::Swat3Gsa(gsa) => {
                let event = |(frame, event): (usize, swat3::Event<'_>)| {
                    let kind = event.kind();
                    (frame, kind.code(), kind.value().to_string())
                };
                gsa.events().map(event).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The rotations of a frame, where frames differ in length.
    fn rotations_of(&self, frame: usize) -> PyResult<Option<Part>> {
        match self.0.asset() {
            Asset::Swat3Gsa(gsa) => {
                let frame = gsa.frame(frame).map_err(|error| error::of_use(&error))?;
                Ok(Some(Part::of(gsa.bytes(), frame.rotations())))
            }
            _ => Ok(None),
        }
    }

    /// Handedness, the axis that points up, its sign, and metres in a unit; `None` where the space is not known.
    fn space(&self) -> Option<(&'static str, &'static str, f32, Option<f32>)> {
        let asset = self.0.asset();
        let of_mesh = asset.mesh().map(|mesh| mesh.space());
        let space = of_mesh.or_else(|| asset.clips().next()?.space())?;
        let (up, sign) = space.up();
        Some((space.handedness().code(), up.code(), sign, space.metres()))
    }
}
