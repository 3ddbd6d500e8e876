//! One conversion: the files of a mesh and its animations, or of an animation alone.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use skelmap::Asset;
use skelmap::archive::Address;
use skelmap::catalog::SideCar;
use skelmap::gltf::{Animation, Document, Event, Options, Report, WriteError};
use skelmap::model::{Binding, Mesh};
use skelmap::swat3::{Gsa, PLAYBACK_FPS};

use super::Target;
use super::hierarchy::Skeletons;
use super::jobs::{Found, Job, Opened};
use super::names::{Taken, part};
use super::textures::{self, Textures};
use crate::files::Source;
use crate::save;

/// The kind of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Kind {
    /// Binary glTF: one file.
    Glb,
    /// glTF as JSON, with a .bin beside it.
    Gltf,
    /// Wavefront OBJ: a shape without bones.
    Obj,
}

impl Kind {
    pub(super) const fn extension(self) -> &'static str {
        match self {
            Self::Glb => "glb",
            Self::Gltf => "gltf",
            Self::Obj => "obj",
        }
    }
}

/// What all conversions of a run have in common.
pub(super) struct Converter<'s> {
    pub(super) source: &'s Source,
    pub(super) options: Options,
    pub(super) target: Target,
    pub(super) textures: Option<Textures<'s>>,
    pub(super) skeletons: Option<Skeletons>,
    /// The names of the sequences that are converted; empty for all.
    pub(super) sequences: Vec<String>,
    /// The frame of an OBJ.
    pub(super) frame: Option<usize>,
    pub(super) each_clip: bool,
    pub(super) resume: bool,
    pub(super) force: bool,
}

/// The result for one output.
pub(super) struct Converted {
    pub(super) address: Address,
    pub(super) output: Option<PathBuf>,
    pub(super) done: Result<Done, String>,
    /// What people should know.
    pub(super) notes: Vec<String>,
}

/// An output that is there.
pub(super) enum Done {
    /// It was there already, and is not older than its inputs.
    Kept,
    Written {
        report: Report,
        bytes: Option<u64>,
        textures: usize,
    },
}

/// A document, and what the report says of it.
struct Prepared<'d> {
    document: Document<'d>,
    notes: Vec<String>,
}

impl Converter<'_> {
    /// Converts a mesh or an animation alone: to one file, or to one for each clip.
    pub(super) fn convert(&self, job: &Job<'_>) -> Vec<Converted> {
        let Some(first) = job.mesh.or(job.animations.first().copied()) else { return Vec::new() };
        let of = |output, done, notes| Converted { address: first.address.clone(), output, done, notes };
        let base = match &job.base {
            Ok(base) => base,
            Err(message) => return vec![of(None, Err(message.clone()), Vec::new())],
        };
        let mut notes = Vec::new();
        if let Some(wanted) = &job.wanted {
            notes.push(format!("numbered, because another output has the name {}", wanted.display()));
        }
        let output = self.target.path(base);
        if let Some(output) = output.as_ref().filter(|output| !self.each_clip && self.is_done(output, job)) {
            return vec![of(Some(output.clone()), Ok(Done::Kept), notes)];
        }
        let mesh = job.mesh.map(|mesh| mesh.load(self.source)).transpose();
        let loaded: Result<Vec<_>, _> =
            job.animations.iter().map(|own| own.load(self.source).map_err(|fault| (*own, fault))).collect();
        let result = match (&mesh, &loaded) {
            (Err(fault), _) => Err(fault.message.clone()),
            (_, Err((own, fault))) => Err(format!("{}: {}", own.address, fault.message)),
            (Ok(mesh), Ok(loaded)) => self.convert_opened(job, mesh.as_ref(), loaded, (base, &notes)),
        };
        result.unwrap_or_else(|message| vec![of(output, Err(message), notes)])
    }

    fn convert_opened(
        &self,
        job: &Job<'_>,
        mesh: Option<&Opened<'_>>,
        loaded: &[Opened<'_>],
        (base, notes): (&Path, &[String]),
    ) -> Result<Vec<Converted>, String> {
        let Some(first) = job.mesh.or(job.animations.first().copied()) else { return Ok(Vec::new()) };
        let mesh = mesh.map(Opened::asset).transpose().map_err(|fault| fault.message)?;
        let of_mesh = mesh.as_ref().map(|asset| asset.mesh().ok_or("holds no mesh")).transpose()?;
        let assets = loaded.iter().map(Opened::asset).collect::<Result<Vec<_>, _>>().map_err(|fault| fault.message)?;
        let animations: Vec<_> = job.animations.iter().copied().zip(&assets).collect();
        let Prepared { mut document, notes: more } = self.prepare(first, of_mesh, &animations)?;
        let notes = [notes, &more].concat();
        let mut found = textures::Found::default();
        if let (Some(textures), Some(mesh)) = (&self.textures, &of_mesh) {
            found = textures.find(mesh, &first.address);
        }
        let textures::Found { images, textures, faults } = found;
        (document.images, document.textures) = (images, textures);
        let notes = [notes, faults].concat();
        let written = |base: &Path, document: &Document<'_>| {
            let output = self.target.path(base);
            let done = self.write(output.as_deref(), document);
            Converted { address: first.address.clone(), output, done, notes: notes.clone() }
        };
        if !self.each_clip {
            return Ok(vec![written(base, &document)]);
        }
        let animations = std::mem::take(&mut document.animations);
        let (mut taken, mut all) = (Taken::default(), Vec::new());
        for animation in animations {
            let name = part(&animation.name);
            let own = taken.add(Path::new(&format!("{}@{name}", base.display())));
            let output = self.target.path(&own);
            if let Some(output) = output.filter(|output| self.is_done(output, job)) {
                let address = first.address.clone();
                all.push(Converted { address, output: Some(output), done: Ok(Done::Kept), notes: notes.clone() });
                continue;
            }
            document.animations = vec![animation];
            all.push(written(&own, &document));
        }
        if all.is_empty() {
            return Err("has no sequence for --each-clip".to_owned());
        }
        Ok(all)
    }

    /// Binds the clips of the animations.
    fn prepare<'d>(
        &self,
        first: &Found<'_>,
        mesh: Option<Mesh<'d>>,
        animations: &[(&Found<'_>, &Asset<'d>)],
    ) -> Result<Prepared<'d>, String> {
        let mut document = Document { mesh, ..Document::default() };
        let mut notes = Vec::new();
        for (found, asset) in animations {
            let side_car = found.item.side_car().map_err(|error| error.to_string())?;
            let own_name = found.name();
            for clip in asset.clips() {
                if clip.name().is_some_and(|name| self.is_left_out(&name.to_string())) {
                    continue;
                }
                let mut animation = match &mesh {
                    Some(mesh) => {
                        let sources = side_car.as_ref().map(|side_car: &SideCar| side_car.to_sources(&clip));
                        let binding = Binding::new(mesh, &clip).with_sources(&sources.unwrap_or_default());
                        Animation::new(&clip, binding)
                    }
                    None => Animation::of_clip(&clip),
                };
                if animation.name.is_empty() {
                    animation.name.clone_from(&own_name);
                }
                if let Asset::Swat3Gsa(gsa) = asset {
                    animation.events = events(gsa);
                }
                document.animations.push(animation);
            }
        }
        if !self.sequences.is_empty() && document.animations.is_empty() {
            return Err(format!("no animation has a sequence {}", self.sequences.join(" or ")));
        }
        let is_nameless = mesh.is_some_and(|mesh| mesh.bone_count() > 0 && !mesh.skeleton().has_names());
        if let Some(skeletons) = self.skeletons.as_ref().filter(|_| is_nameless) {
            let bones = mesh.map_or(0, |mesh| mesh.bone_count());
            document.hierarchy = skeletons.of_count(bones)?.to_vec();
        }
        if mesh.is_none() && document.animations.is_empty() {
            return Err(format!("{} has no sequence", first.name()));
        }
        if mesh.is_some() && !animations.is_empty() {
            notes.push(crate::text::counted(animations.len() as u64, "animation file"));
        }
        Ok(Prepared { document, notes })
    }

    fn is_left_out(&self, name: &str) -> bool {
        let is_name = |wanted: &String| wanted.trim_end().eq_ignore_ascii_case(name.trim_end());
        !self.sequences.is_empty() && !self.sequences.iter().any(is_name)
    }

    /// Whether an output is there from an earlier run, and none of its inputs is newer.
    fn is_done(&self, output: &Path, job: &Job<'_>) -> bool {
        let time = |path: &Path| path.metadata().ok().filter(fs::Metadata::is_file)?.modified().ok();
        let inputs = job.mesh.iter().chain(&job.animations).map(|found| found.address.path());
        let newest = inputs.map(time).try_fold(None, |newest, own| Some(newest.max(Some(own?))));
        let newest = newest.flatten();
        self.resume && time(output).is_some_and(|output| newest.is_some_and(|newest| output >= newest))
    }

    fn write(&self, output: Option<&Path>, document: &Document<'_>) -> Result<Done, String> {
        let pose = self.frame.map(|frame| (0, position(frame)));
        if pose.is_some() && document.animations.len() != 1 {
            let found = crate::text::counted(document.animations.len() as u64, "sequence");
            return Err(format!("--frame needs one sequence, and there are {found}: choose one with --sequence"));
        }
        let frames = document.animations.first().map_or(0, |animation| animation.clip.frame_count());
        if let Some(frame) = self.frame.filter(|frame| *frame >= frames) {
            return Err(format!("frame {frame} was asked for, {frames} exist"));
        }
        let text = |error: WriteError| error.to_string();
        let options = &self.options;
        let textures = document.images.len();
        let Some(path) = output else {
            let out = io::stdout().lock();
            let report = match self.target.kind() {
                Kind::Obj => document.write_obj(options, pose, None, out),
                _ => document.write_glb(options, out),
            };
            return report.map(|report| Done::Written { report, bytes: None, textures }).map_err(text);
        };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder {
            fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        }
        let mut report = Report::default();
        match self.target.kind() {
            Kind::Glb => self.save(path, |out| {
                report = document.write_glb(options, out).map_err(into_io)?;
                Ok(())
            })?,
            Kind::Gltf => {
                let binary = path.with_extension("bin");
                let uri = binary.file_name().unwrap_or_default().to_string_lossy();
                let mut json = Vec::new();
                self.save(&binary, |out| {
                    report = document.write_gltf(options, &mut json, &to_uri(&uri), out).map_err(into_io)?;
                    Ok(())
                })?;
                self.save(path, |out| out.write_all(&json))?;
            }
            Kind::Obj => {
                let library = self.save_materials(path, document)?;
                self.save(path, |out| {
                    report = document.write_obj(options, pose, library.as_deref(), out).map_err(into_io)?;
                    Ok(())
                })?;
            }
        }
        let bytes = path.metadata().ok().map(|metadata| metadata.len());
        Ok(Done::Written { report, bytes, textures })
    }

    fn save(
        &self,
        path: &Path,
        write: impl FnOnce(&mut io::BufWriter<&mut fs::File>) -> io::Result<()>,
    ) -> Result<(), String> {
        // An output that is older than its inputs is written again.
        save::save(path, self.force || self.resume, write).map_err(|error| error.to_string())
    }

    /// Writes the material file of an OBJ and its images, if there are textures. Returns the name of the file.
    fn save_materials(&self, path: &Path, document: &Document<'_>) -> Result<Option<String>, String> {
        let Some(mesh) = document.mesh.filter(|_| !document.images.is_empty()) else { return Ok(None) };
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut names = Vec::new();
        for (index, image) in document.images.iter().enumerate() {
            let extension = image.media_type.extension();
            let name = format!("{}-{index}.{extension}", stem.replace(char::is_whitespace, "_"));
            self.save(&path.with_file_name(&name), |out| out.write_all(&image.bytes))?;
            names.push(name);
        }
        let library = format!("{}.mtl", stem.replace(char::is_whitespace, "_"));
        self.save(&path.with_file_name(&library), |out| {
            for (material, texture) in (0..).zip(&document.textures) {
                writeln!(out, "newmtl {}", skelmap::gltf::obj_material(&mesh, material))?;
                if let Some(name) = texture.and_then(|index| names.get(index)) {
                    writeln!(out, "map_Kd {name}")?;
                }
            }
            Ok(())
        })?;
        Ok(Some(library))
    }
}

/// The events of an animation of SWAT 3, each at the time of its frame.
fn events(gsa: &Gsa<'_>) -> Vec<Event> {
    let event = |(frame, event): (usize, skelmap::swat3::Event<'_>)| Event {
        time: position(frame) / PLAYBACK_FPS,
        name: String::from_utf8_lossy(event.as_bytes()).into_owned(),
    };
    gsa.events().map(event).collect()
}

/// A frame as a position in frames.
#[expect(clippy::cast_precision_loss, reason = "no file has 2^53 frames")]
const fn position(frame: usize) -> f64 {
    frame as f64
}

fn into_io(error: WriteError) -> io::Error {
    match error {
        WriteError::Output(error) => error,
        other => io::Error::other(other.to_string()),
    }
}

/// The name of a file as a relative address.
fn to_uri(name: &str) -> String {
    let mut uri = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~@".contains(&byte) {
            uri.push(byte.into());
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}
