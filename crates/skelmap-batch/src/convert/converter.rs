//! One conversion: the files of a mesh and its animations, or of an animation alone.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use skelmap::Asset;
use skelmap::archive::{Address, SideCar};
use skelmap::model::{Binding, Mesh, TrackSources};
use skelmap::swat3::{Gsa, PLAYBACK_FPS};
use skelmap_export::{Additive, Animation, AnimationEvent, Document, ExportReport};

use super::error::OutputError;
use super::hierarchy::Skeletons;
use super::jobs::{Base, Found, Job, Opened};
use super::names::{Taken, numbered, part};
use super::options::ConvertOptions;
use super::record::{Record, Stamp, input_of};
use super::target::Target;
use super::textures::{Places, Textures};
use crate::Source;
use crate::save::Work;

/// How the note on the animations of an output begins.
pub(super) const FROM: &str = "from ";

/// What all conversions of a run have in common.
pub(super) struct Converter<'s> {
    pub(super) source: &'s Source,
    pub(super) options: &'s ConvertOptions,
    /// The options and the version, for the record.
    pub(super) settings: String,
    /// The paths of the arguments, below which the names of outputs begin.
    pub(super) inputs: &'s [PathBuf],
    pub(super) target: Target,
    pub(super) textures: Option<Textures<'s>>,
    pub(super) skeletons: Option<Skeletons>,
    pub(super) resume: bool,
    pub(super) force: bool,
    /// What attempts at the same outputs have in common.
    pub(super) work: Work,
    /// Whether an output could not be written, because the disk is full or the folder is read-only.
    pub(super) is_unwritable: AtomicBool,
    /// What was written into the folder of outputs; none for a file or standard output.
    pub(super) record: Option<Record>,
    /// The sequences of the arguments that were found.
    pub(super) found_sequences: Mutex<HashSet<String>>,
}

/// The result for one output.
#[derive(Debug)]
#[non_exhaustive]
pub struct Converted {
    /// The asset by which the output is named.
    pub address: Address,
    /// The file that was written, or that was there; `None` for standard output.
    pub output: Option<PathBuf>,
    /// What became of it.
    pub done: Result<Done, OutputError>,
    /// What people should know.
    pub notes: Vec<String>,
}

/// An output that is there, or that need not be.
#[derive(Debug)]
#[expect(clippy::exhaustive_enums, reason = "a fourth end is for every caller to know")]
pub enum Done {
    /// An earlier run has made it from the same.
    Kept,
    /// There is nothing to write.
    Skipped,
    /// It was written.
    Written {
        /// What the file has, and what was left out.
        report: ExportReport,
        /// The size of all files; `None` for standard output.
        bytes: Option<u64>,
        /// The number of images.
        textures: usize,
    },
}

/// What an output is made from.
pub(super) struct Origin {
    pub(super) stamp: Stamp,
    /// The asset by which the output is named.
    pub(super) input: String,
}

/// What a page says beside its picture.
pub(super) struct About<'d> {
    pub(super) asset: Option<&'d Asset<'d>>,
    pub(super) address: &'d Address,
    /// For each animation, the name of its file.
    pub(super) sources: Vec<String>,
    pub(super) notes: Vec<String>,
}

/// A document, and what the report says of it.
struct Prepared<'d> {
    document: Document<'d>,
    sources: Vec<String>,
    notes: Vec<String>,
}

impl Converter<'_> {
    /// Removes what killed runs for the same outputs have left.
    pub(super) fn remove_orphans(&self, jobs: &[Job<'_>]) {
        let outputs = jobs.iter().filter_map(|job| self.target.path(&job.base(self.inputs).ok()?.name));
        let by_folder: HashMap<_, _> = outputs.map(|output| (output.parent().map(Path::to_owned), output)).collect();
        for output in by_folder.values() {
            self.work.remove_orphans(output);
        }
    }

    /// Converts a mesh or an animation alone: to one file, or to one for each clip.
    pub(super) fn convert(&self, job: &Job<'_>) -> Vec<Converted> {
        let mut notes = Vec::new();
        let base = job.base(self.inputs);
        if let Ok(Base { wanted: Some(wanted), .. }) = &base {
            notes.push(format!("numbered, because another output has the name {}", wanted.display()));
        }
        notes.extend(job.note());
        let base = base.map(|base| base.name);
        let output = base.as_ref().ok().and_then(|base| self.target.path(base));
        let result = base.and_then(|base| self.convert_job(job, &base, &mut notes));
        result
            .unwrap_or_else(|error| vec![Converted { address: job.first().address(), output, done: Err(error), notes }])
    }

    fn convert_job(&self, job: &Job<'_>, base: &Path, notes: &mut Vec<String>) -> Result<Vec<Converted>, OutputError> {
        let (first, address) = (job.first(), job.first().address());
        let opened = job.mesh().map(|mesh| mesh.load(self.source)).transpose()?;
        let model = opened.as_ref().map(Opened::asset).transpose()?;
        let mesh = model.as_ref().map(|asset| asset.mesh().ok_or(OutputError::NoMesh)).transpose()?;
        let places = self.textures.as_ref().zip(mesh.as_ref()).map(|(textures, mesh)| textures.places(mesh, &address));
        let side_cars = job.animations().iter().map(|own| own.item.side_car()).collect::<Result<Vec<_>, _>>();
        let side_cars = side_cars.map_err(OutputError::SideCar)?;
        let origin = Origin { stamp: self.stamp(job, &side_cars, places.as_ref()), input: input_of(&address) };
        let converted = |output, done, notes: &[String]| Converted {
            address: address.clone(),
            output,
            done,
            notes: notes.to_vec(),
        };
        if !self.options.each_clip && self.is_kept(base, &origin, "") {
            // The run that made it has said which of them there are.
            self.found_sequences().extend(self.options.sequences.iter().cloned());
            return Ok(vec![converted(self.target.path(base), Ok(Done::Kept), notes)]);
        }
        job.found().for_each(|found| found.item.prefetch());
        let mut loaded = Vec::new();
        for own in job.animations() {
            loaded.push(
                own.load(self.source)
                    .map_err(|fault| OutputError::Animation { address: own.address(), fault: fault.into() })?,
            );
        }
        let assets = loaded.iter().map(Opened::asset).collect::<Result<Vec<_>, _>>()?;
        let animations: Vec<_> = job
            .animations()
            .iter()
            .copied()
            .zip(&assets)
            .zip(&side_cars)
            .map(|((own, asset), text)| (own, asset, text))
            .collect();
        let Prepared { mut document, sources, notes: more } = self.prepare(first, mesh.as_ref(), &animations)?;
        notes.extend(more);
        if let Some((textures, places)) = self.textures.as_ref().zip(places.as_ref()) {
            let found = textures.read(places);
            (document.images, document.textures) = (found.images, found.textures);
            notes.extend(found.faults);
        }
        let about =
            About { asset: model.as_ref().or(assets.first()), address: &address, sources, notes: notes.clone() };
        if !self.options.each_clip {
            let done = self.write(base, &document, &about, &origin, "");
            return Ok(vec![converted(self.target.path(base), done, notes)]);
        }
        let mut animations = std::mem::take(&mut document.animations);
        let all = animations.len();
        animations.retain(|animation| self.is_worth_a_file(&document, animation));
        if animations.len() < all {
            let left_out = crate::text::counted((all - animations.len()) as u64, "sequence");
            notes.push(format!("{left_out} left out: additive, or without frames"));
        }
        if animations.is_empty() {
            notes.push("no sequence for a file of its own".to_owned());
            return Ok(vec![converted(None, Ok(Done::Skipped), notes)]);
        }
        let about = About { sources: Vec::new(), ..about };
        let (mut taken, mut rows) = (Taken::default(), Vec::new());
        for animation in animations {
            let wanted = PathBuf::from(format!("{}@{}", base.display(), part(&animation.name)));
            let own = numbered(&wanted, taken.add(&wanted));
            let mut notes = notes.clone();
            if own != wanted {
                notes.push(format!("numbered, because another output has the name {}", wanted.display()));
            }
            let name = animation.name.clone();
            let done = if self.is_kept(&own, &origin, &name) {
                Ok(Done::Kept)
            } else {
                document.animations = vec![animation];
                self.write(&own, &document, &about, &origin, &name)
            };
            rows.push(converted(self.target.path(&own), done, &notes));
        }
        Ok(rows)
    }

    /// Whether a file with this animation alone has an animation.
    fn is_worth_a_file(&self, document: &Document<'_>, animation: &Animation<'_>) -> bool {
        let is_skipped = self.options.gltf.additive == Additive::Skip;
        let is_additive = document.mesh.is_some() && animation.binding.is_additive(&animation.clip);
        animation.clip.frame_count() > 0 && !(is_skipped && is_additive)
    }

    /// What the outputs of a job depend on.
    fn stamp(&self, job: &Job<'_>, side_cars: &[Option<SideCar>], places: Option<&Places>) -> Stamp {
        let mut stamp = Stamp::new(&self.settings);
        if let Some(mesh) = job.mesh() {
            stamp.input(&mesh.address());
        }
        for (found, side_car) in job.animations().iter().zip(side_cars) {
            stamp.input(&found.address());
            if let Some(side_car) = side_car {
                stamp.input(&side_car.address);
            }
        }
        if let Some((places, mesh)) = places.zip(job.mesh()) {
            places.of_materials(&mesh.address()).for_each(|address| stamp.texture(address.as_ref()));
        }
        stamp
    }

    /// Whether an output is there, made by an earlier run from the same.
    fn is_kept(&self, base: &Path, origin: &Origin, part: &str) -> bool {
        let Some(record) = self.record.as_ref().filter(|_| self.resume) else { return false };
        let made = self.target.path(base).zip(origin.stamp.hash(part));
        made.is_some_and(|(output, stamp)| record.has(&output, &stamp))
    }

    /// Whether a file may be replaced: with `--force`, or if an earlier run has written it from the same input.
    pub(super) fn may_replace(&self, path: &Path, origin: &Origin) -> bool {
        let is_known = |record: &Record| record.knows(path, &origin.input);
        self.force || (self.resume && self.record.as_ref().is_some_and(is_known))
    }

    /// Binds the clips of the animations.
    fn prepare<'d>(
        &self,
        first: &Found<'_>,
        mesh: Option<&Mesh<'d>>,
        animations: &[(&Found<'_>, &Asset<'d>, &Option<SideCar>)],
    ) -> Result<Prepared<'d>, OutputError> {
        let mut document = Document { mesh: mesh.copied(), ..Document::default() };
        let (mut notes, mut sources) = (Vec::new(), Vec::new());
        for (found, asset, side_car) in animations {
            let own_name = found.name();
            // The clips of an animation share a binding, unless the side-car tells them apart.
            let mut known: Option<(Vec<TrackSources>, Arc<Binding>)> = None;
            for clip in asset.clips() {
                let is_left_out = clip.name().is_some_and(|name| self.is_left_out(&name.to_string()));
                let is_base = |base: &String| clip.name().is_some_and(|name| name.matches(base));
                let is_base =
                    document.additive_base.is_none() && self.options.additive_base.as_ref().is_some_and(is_base);
                if is_left_out && !is_base {
                    continue;
                }
                let mut animation = match mesh {
                    Some(mesh) => {
                        let sources = side_car.as_ref().map(|side_car: &SideCar| side_car.to_sources(&clip));
                        let sources = sources.unwrap_or_default();
                        if known.as_ref().is_none_or(|(own, _)| *own != sources) {
                            let binding = Arc::new(Binding::new(mesh, &clip).with_sources(&sources));
                            known = Some((sources, binding));
                        }
                        let Some((_, binding)) = &known else { continue };
                        Animation::new(&clip, Arc::clone(binding))
                    }
                    None => Animation::of_clip(&clip),
                };
                if animation.name.is_empty() {
                    animation.name.clone_from(&own_name);
                }
                if let Asset::Swat3Gsa(gsa) = asset {
                    animation.events = events(gsa);
                }
                if is_base {
                    document.additive_base = Some(animation.clone());
                }
                if !is_left_out {
                    document.animations.push(animation);
                    sources.push(own_name.clone());
                }
            }
        }
        let is_additive = |own: &Animation<'_>| mesh.is_some() && own.binding.is_additive(&own.clip);
        if let Some(base) = self.options.additive_base.as_ref().filter(|_| document.additive_base.is_none()) {
            if document.animations.iter().any(is_additive) {
                return Err(OutputError::NoAdditiveBase(base.clone()));
            }
        }
        if self.options.frame.is_some() && document.animations.iter().any(is_additive) {
            return Err(OutputError::AdditiveObj);
        }
        if mesh.is_some()
            && !animations.is_empty()
            && document.animations.is_empty()
            && !self.options.sequences.is_empty()
        {
            notes.push(format!("no sequence {}", self.options.sequences.join(" or ")));
        }
        let is_nameless = mesh.is_some_and(|mesh| mesh.bone_count() > 0 && !mesh.skeleton().has_names());
        if let Some(skeletons) = self.skeletons.as_ref().filter(|_| is_nameless) {
            let bones = mesh.map_or(0, Mesh::bone_count);
            document.hierarchy = skeletons.of_count(bones)?.to_vec();
        }
        if mesh.is_none() && document.animations.is_empty() {
            return Err(OutputError::NoSequence(first.name()));
        }
        if !animations.is_empty() {
            notes.push(format!("{FROM}{}", crate::text::counted(animations.len() as u64, "animation file")));
        }
        Ok(Prepared { document, sources, notes })
    }

    fn is_left_out(&self, name: &str) -> bool {
        let is_name = |wanted: &&String| wanted.trim_end().eq_ignore_ascii_case(name.trim_end());
        let Some(wanted) = self.options.sequences.iter().find(is_name) else {
            return !self.options.sequences.is_empty();
        };
        self.found_sequences().insert(wanted.clone());
        false
    }

    fn found_sequences(&self) -> MutexGuard<'_, HashSet<String>> {
        self.found_sequences.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The events of an animation of SWAT 3, each at the time of its frame.
fn events(gsa: &Gsa<'_>) -> Vec<AnimationEvent> {
    let event = |(frame, event): (usize, skelmap::swat3::Event<'_>)| AnimationEvent {
        time: position(frame) / PLAYBACK_FPS,
        name: String::from_utf8_lossy(event.as_bytes()).into_owned(),
    };
    gsa.events().map(event).collect()
}

/// A frame as a position in frames.
#[expect(clippy::cast_precision_loss, reason = "no file has 2^53 frames")]
pub const fn position(frame: usize) -> f64 {
    frame as f64
}
