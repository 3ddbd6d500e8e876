//! One conversion: the files of a mesh and its animations, or of an animation alone.

use std::collections::{HashMap, HashSet};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use skelmap::Asset;
use skelmap::actorx::{Config, ResolvedConfig};
use skelmap::archive::{Address, AddressError, SideCar};
use skelmap::model::{Alpha, Binding, Mesh, TrackSources};
use skelmap::pyrogenesis::skeleton::StandardSkeleton;
use skelmap::swat3::{Gsa, PLAYBACK_FPS};
use skelmap_export::{Additive, Animation, AnimationEvent, Attached, Document, ExportReport, HierarchyBone, Origin};

use super::error::{ConvertError, OutputError};
use super::jobs::Job;
use super::names::{Taken, numbered, part};
use super::options::ConvertOptions;
use super::output::{Target, is_page};
use super::record::{Record, Stamp};
use super::textures::{Places, Textures};
use super::{Conversion, Replace};
use crate::items::Loaded;
use crate::mods::parse_skeletons;
use crate::pair::{Found, Member, stem};
use crate::regular::read_regular;
use crate::save::Work;
use crate::text::counted;
use crate::{OutputLimit, Source};

/// How the note on the animations of an output begins.
pub(super) const FROM: &str = "from ";

/// What all conversions of a run have in common.
pub(super) struct Converter<'s> {
    pub(super) source: &'s Source,
    pub(super) conversion: &'s Conversion<'s>,
    pub(super) options: &'s ConvertOptions,
    /// The options and the version, for the record.
    pub(super) settings: String,
    pub(super) target: Target,
    pub(super) textures: Option<Textures<'s>>,
    /// Names and parents of bones, which PMD and PSA files do not have.
    pub(super) skeletons: Option<Vec<StandardSkeleton>>,
    /// What attempts at the same outputs have in common.
    pub(super) work: Work,
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
    Written(Output),
    /// It would be written.
    Planned {
        /// The bytes of its inputs.
        bytes: u64,
        /// The number of its animation files.
        animations: usize,
    },
}

/// An output that was written.
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "a report and two numbers")]
pub struct Output {
    /// What the file has, and what was left out.
    pub report: ExportReport,
    /// The size of all files; `None` for standard output.
    pub bytes: Option<u64>,
    /// The number of images.
    pub textures: usize,
}

/// The most bytes of the meshes, animations and images of all props of an actor, each counted once.
const MAX_ATTACHED: usize = 512 << 20;

const NO_MESH: &str = "holds no mesh";

/// A model at a prop point, and its files.
struct Opened<'j> {
    prop: &'j Job<'j>,
    mesh: Arc<Loaded>,
    animations: Vec<Arc<Loaded>>,
}

/// The models at prop points, by their jobs.
type Documents<'d> = HashMap<*const Job<'d>, Arc<Document<'d>>>;

/// What an output is made from, and what a page says beside its picture.
pub(super) struct Content<'d> {
    pub(super) document: Document<'d>,
    pub(super) asset: Option<&'d Asset<'d>>,
    pub(super) address: &'d Address,
    /// For each animation, the name of its file.
    pub(super) sources: Vec<String>,
    pub(super) notes: Vec<String>,
    pub(super) stamp: Stamp,
    /// That of all files together.
    pub(super) limit: OutputLimit,
}

impl Converter<'_> {
    /// Removes what killed runs for the same outputs have left.
    pub(super) fn remove_orphans(&self, jobs: &[Job<'_>]) {
        let outputs = jobs.iter().filter_map(|job| self.target.path(&job.base(self.conversion.paths).ok()?.0));
        for output in one_of_each_folder(outputs) {
            self.work.remove_orphans(&output);
        }
    }

    /// Converts a mesh or an animation alone: to one file, or to one for each clip.
    pub(super) fn convert(&self, job: &Job<'_>) -> Vec<Converted> {
        let mut notes = Vec::new();
        let base = job.base(self.conversion.paths);
        if let Ok((_, Some(wanted))) = &base {
            notes.push(numbered_note(wanted));
        }
        notes.extend(job.note());
        notes.extend(job.notes.iter().cloned());
        let base = base.map(|(base, _)| base);
        let output = base.as_ref().ok().and_then(|base| self.target.path(base));
        let result = base.and_then(|base| self.convert_job(job, &base, &mut notes));
        result.unwrap_or_else(|error| vec![Converted { address: job.address(), output, done: Err(error), notes }])
    }

    fn convert_job(&self, job: &Job<'_>, base: &Path, notes: &mut Vec<String>) -> Result<Vec<Converted>, OutputError> {
        let address = job.address();
        let opened = job.mesh.map(|mesh| self.open(job, mesh)).transpose()?;
        let parse = |(loaded, own)| parsed(loaded, own, job);
        let model = opened.as_ref().zip(job.mesh).map(parse).transpose()?;
        let mesh = model.as_ref().map(|asset| asset.mesh().ok_or_else(|| OutputError::new(NO_MESH))).transpose()?;
        let places = self.textures.as_ref().zip(mesh.as_ref()).map(|(textures, mesh)| textures.places(mesh, job));
        let side_cars = job.animations.iter().map(|own| own.animation.item.side_car()).collect::<Result<Vec<_>, _>>();
        let side_cars = side_cars.map_err(OutputError::new)?;
        let stamp = self.stamp(job, &side_cars, places.as_ref());
        let converted = |output, done, notes: &[String]| Converted {
            address: address.clone(),
            output,
            done,
            notes: notes.to_vec(),
        };
        if !self.options.each_clip && self.is_kept(base, &stamp, "") {
            // The run that made it has said which of them there are.
            self.found_sequences().extend(self.options.sequences.iter().cloned());
            return Ok(vec![converted(self.target.path(base), Ok(Done::Kept), notes)]);
        }
        job.found().for_each(|found| found.item.prefetch());
        let members = job.animations.iter().map(|member| member.animation);
        let loaded = members.clone().map(|own| self.open(job, own)).collect::<Result<Vec<_>, _>>()?;
        let assets = loaded.iter().zip(members).map(parse).collect::<Result<Vec<_>, _>>()?;
        let (mut document, sources) = self.prepare(job, mesh.as_ref(), &assets, &side_cars, notes)?;
        if let Some((textures, places)) = self.textures.as_ref().zip(places.as_ref()) {
            notes.extend(textures.read(places, &mut document));
        }
        let limit = OutputLimit::new(self.options.max_output);
        let mut left = MAX_ATTACHED;
        let props = self.open_props(job, notes, &mut left)?;
        let documents = self.documents(job, &props, notes, &mut left)?;
        document.attached = attached(job, &documents, mesh.as_ref(), notes);
        let inputs = job
            .mesh
            .zip(opened.as_ref())
            .into_iter()
            .chain(job.animations.iter().map(|member| member.animation).zip(&loaded));
        for (found, own) in inputs {
            let wrong = |error| OutputError::new(format!("{}: {error}", found.address()));
            found.item.check_checksum(own.bytes()).map_err(wrong)?;
        }
        opened.iter().chain(&loaded).for_each(|own| limit.add_input(own.bytes().len()));
        side_cars.iter().flatten().for_each(|own| limit.add_input(own.bytes.len()));
        document.images.iter().for_each(|own| limit.add_input(own.bytes.len()));
        let asset = model.as_ref().or(assets.first());
        let mut content = Content { document, asset, address: &address, sources, notes: notes.clone(), stamp, limit };
        if !self.options.each_clip {
            let done = self.write(base, &content, "");
            return Ok(vec![converted(self.target.path(base), done, notes)]);
        }
        content.sources.clear();
        let mut animations = std::mem::take(&mut content.document.animations);
        let all = animations.len();
        animations.retain(|animation| self.is_worth_a_file(&content.document, animation));
        if animations.len() < all {
            let left_out = counted((all - animations.len()) as u64, "sequence");
            notes.push(format!("{left_out} left out: additive, or without frames"));
        }
        if animations.is_empty() {
            notes.push("no sequence for a file of its own".to_owned());
            return Ok(vec![converted(None, Ok(Done::Skipped), notes)]);
        }
        let (mut taken, mut rows) = (Taken::default(), Vec::new());
        for animation in animations {
            let wanted = PathBuf::from(format!("{}@{}", base.display(), part(&animation.name)));
            let own = numbered(&wanted, taken.add(&wanted));
            let mut notes = notes.clone();
            if own != wanted {
                notes.push(numbered_note(&wanted));
            }
            let name = animation.name.clone();
            let done = if self.is_kept(&own, &content.stamp, &name) {
                Ok(Done::Kept)
            } else {
                content.document.animations = vec![animation];
                self.write(&own, &content, &name)
            };
            rows.push(converted(self.target.path(&own), done, &notes));
        }
        Ok(rows)
    }

    /// Opens a file of a job.
    fn open(&self, job: &Job<'_>, own: &Found<'_>) -> Result<Arc<Loaded>, OutputError> {
        own.load(self.source).map_err(|fault| of_file(job, own, fault.message))
    }

    /// Opens the models at prop points, each once and after its own. One with a damaged file is left out, which a note says.
    fn open_props<'j>(
        &self,
        job: &'j Job<'j>,
        notes: &mut Vec<String>,
        left: &mut usize,
    ) -> Result<Vec<Opened<'j>>, OutputError> {
        let mut opened = Vec::new();
        for prop in job.all_props() {
            match self.open_prop(job, prop) {
                Ok(own) => {
                    for loaded in own.animations.iter().chain([&own.mesh]) {
                        *left = left.checked_sub(loaded.bytes().len()).ok_or_else(too_much)?;
                    }
                    opened.push(own);
                }
                Err(error) => notes.push(prop_note(&error)),
            }
        }
        Ok(opened)
    }

    fn open_prop<'j>(&self, job: &Job<'_>, prop: &'j Job<'j>) -> Result<Opened<'j>, OutputError> {
        let open = |own: &Found<'_>| {
            let loaded = self.open(job, own)?;
            own.item.check_checksum(loaded.bytes()).map_err(|error| of_file(job, own, error))?;
            Ok::<_, OutputError>(loaded)
        };
        let animations = prop.animations.iter().map(|own| open(own.animation)).collect::<Result<_, _>>()?;
        Ok(Opened { prop, mesh: open(prop.first)?, animations })
    }

    /// The models at prop points, with those at their own.
    fn documents<'d>(
        &self,
        job: &Job<'_>,
        opened: &'d [Opened<'d>],
        notes: &mut Vec<String>,
        left: &mut usize,
    ) -> Result<Documents<'d>, OutputError> {
        let mut documents = Documents::new();
        for own in opened {
            let mut document = match self.document(job, own, notes) {
                Ok(document) => document,
                Err(error) => {
                    notes.push(prop_note(&error));
                    continue;
                }
            };
            for image in &document.images {
                *left = left.checked_sub(image.bytes.len()).ok_or_else(too_much)?;
            }
            document.attached = attached(own.prop, &documents, document.mesh.as_ref(), notes);
            documents.insert(std::ptr::from_ref(own.prop), Arc::new(document));
        }
        Ok(documents)
    }

    /// A model at a prop point, without those at its own.
    fn document<'d>(
        &self,
        job: &Job<'_>,
        own: &'d Opened<'d>,
        notes: &mut Vec<String>,
    ) -> Result<Document<'d>, OutputError> {
        let prop = own.prop;
        let model = parsed(&own.mesh, prop.first, job)?;
        let mesh = model.mesh().ok_or_else(|| of_file(job, prop.first, NO_MESH))?;
        let members = own.animations.iter().zip(prop.animations.iter().map(|member| member.animation));
        let assets = members.map(|(loaded, own)| parsed(loaded, own, job)).collect::<Result<Vec<_>, _>>()?;
        let no_side_cars = vec![None; assets.len()];
        let prepared = self.prepare(prop, Some(&mesh), &assets, &no_side_cars, &mut Vec::new());
        let (mut document, _) = prepared.map_err(|error| of_file(job, prop.first, error))?;
        if let Some(textures) = &self.textures {
            notes.extend(textures.read(&textures.places(&mesh, prop), &mut document));
        }
        Ok(document)
    }

    /// Whether a file with this animation alone has an animation.
    fn is_worth_a_file(&self, document: &Document<'_>, animation: &Animation<'_>) -> bool {
        let is_skipped = self.options.gltf.additive == Additive::Skip;
        let is_additive = document.mesh.is_some() && animation.binding.is_additive(&animation.clip);
        animation.clip.frame_count() > 0 && !(is_skipped && is_additive)
    }

    /// What the outputs of a job depend on.
    fn stamp(&self, job: &Job<'_>, side_cars: &[Option<SideCar>], places: Option<&Places>) -> Stamp {
        let mut stamp = Stamp::new(&self.settings, &job.address());
        let bones = |skeleton: &StandardSkeleton| {
            let bones = skeleton.bones.iter().map(|bone| (&bone.name, bone.parent));
            bones.map(|bone| serde_json::json!(bone)).collect::<serde_json::Value>()
        };
        // The points and the numbers of what is there tell the tree.
        let props = job.all_props();
        let numbers: HashMap<*const Job<'_>, usize> =
            props.iter().map(|prop| std::ptr::from_ref(*prop)).zip(0..).collect();
        let points = |job: &Job<'_>| {
            let points = job.props.iter().map(|(point, prop)| (point, numbers.get(&Arc::as_ptr(prop))));
            points.map(|point| serde_json::json!(point)).collect::<serde_json::Value>()
        };
        for prop in &props {
            stamp.told(&prop.dress.skeleton.as_deref().map(bones).into());
            let names: Vec<_> = prop.animations.iter().map(|own| &own.names).collect();
            stamp.told(&serde_json::json!([points(prop), names, prop.dress.is_transparent]));
            prop.found().for_each(|own| stamp.input(&own.address()));
            stamp.texture(prop.dress.texture.as_ref());
        }
        if !props.is_empty() {
            stamp.told(&points(job));
            let given = self.textures.iter().flat_map(Textures::given_images);
            given.for_each(|image| stamp.texture(Some(&image)));
        }
        if let Some(mesh) = job.mesh {
            stamp.input(&mesh.address());
        }
        stamp.told(&job.dress.skeleton.as_deref().map(bones).into());
        stamp.told(&job.dress.is_transparent.into());
        for (member, side_car) in job.animations.iter().zip(side_cars) {
            stamp.input(&member.animation.address());
            if !member.names.is_empty() {
                stamp.told(&serde_json::json!(member.names));
            }
            if let Some(side_car) = side_car {
                stamp.input(&side_car.address);
            }
        }
        if let Some((places, mesh)) = places.zip(job.mesh) {
            places.of_materials(&mesh.address()).for_each(|address| stamp.texture(address.as_ref()));
        }
        stamp
    }

    /// Whether an output is there, made by an earlier run from the same.
    fn is_kept(&self, base: &Path, stamp: &Stamp, part: &str) -> bool {
        let Some(record) = self.record.as_ref().filter(|_| self.conversion.resume) else { return false };
        let made = self.target.path(base).zip(stamp.hash(part));
        made.is_some_and(|(output, stamp)| record.has(&output, &stamp))
    }

    /// Whether a file may be replaced: as the caller says, or if an earlier run has written it from the same input.
    pub(super) fn may_replace(&self, path: &Path, stamp: &Stamp) -> bool {
        let is_known = |record: &Record| record.knows(path, &stamp.input);
        let is_replaced = match self.conversion.replace {
            Replace::Nothing => false,
            Replace::Pages => is_page(path),
            Replace::Everything => true,
        };
        is_replaced || (self.conversion.resume && self.record.as_ref().is_some_and(is_known))
    }

    /// Binds the clips of the animations. Returns the name of the file of each clip too.
    fn prepare<'d>(
        &self,
        job: &Job<'_>,
        mesh: Option<&Mesh<'d>>,
        assets: &[Asset<'d>],
        side_cars: &[Option<SideCar>],
        notes: &mut Vec<String>,
    ) -> Result<(Document<'d>, Vec<String>), OutputError> {
        let (mut document, mut sources) = (Document { mesh: mesh.copied(), ..Document::default() }, Vec::new());
        for ((member, asset), side_car) in job.animations.iter().zip(assets).zip(side_cars) {
            let own_name = member.animation.name();
            let config = match (asset, side_car) {
                (Asset::ActorxPsa(psa), Some(own)) => Some(Config::new(&own.bytes).to_resolved(psa.bones())),
                _ => None,
            };
            // The clips of an animation share a binding, unless the side-car tells them apart.
            let mut known: Option<(Vec<TrackSources>, Arc<Binding>)> = None;
            for clip in asset.clips() {
                let own_names =
                    clip.name().map(|name| name.to_string()).into_iter().chain(member.names.iter().cloned());
                let is_left_out = self.is_left_out(own_names);
                let is_base = |base: &String| clip.name().is_some_and(|name| name.matches(base));
                let is_base =
                    document.additive_base.is_none() && self.options.additive_base.as_ref().is_some_and(is_base);
                if is_left_out && !is_base {
                    continue;
                }
                let mut animation = match mesh {
                    Some(mesh) => {
                        let of_clip = |own: &ResolvedConfig| own.to_track_sources(clip.name().unwrap_or_default());
                        let sources = config.as_ref().map(of_clip).unwrap_or_default();
                        if known.as_ref().is_none_or(|(own, _)| *own != sources) {
                            let binding = Arc::new(Binding::new(mesh, &clip).with_sources(&sources));
                            known = Some((sources, binding));
                        }
                        let Some((_, binding)) = &known else { continue };
                        Animation::new(&clip, Arc::clone(binding))
                    }
                    None => Animation::of_clip(&clip),
                };
                animation.origin = Origin {
                    file: crate::columns::name_of(&member.animation.address()),
                    sequence: animation.name.clone(),
                    actions: member.names.clone(),
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
                if is_left_out {
                    continue;
                }
                // Models of an actor play one action together: each action of a file is an animation.
                let own = clip.name().map(|name| name.to_string());
                let is_asked = |name: &String| !self.is_left_out([name.clone()].into_iter());
                let mut actions: Vec<String> = member.names.clone();
                if job.is_of_actor {
                    actions.retain(|action| own.as_ref().is_some_and(is_asked) || is_asked(action));
                } else {
                    actions.truncate(1);
                }
                if actions.is_empty() {
                    actions.push(animation.name.clone());
                }
                for name in actions {
                    animation.name = name;
                    document.animations.push(animation.clone());
                    sources.push(own_name.clone());
                }
            }
        }
        tell_apart(&mut document.animations);
        let is_additive = |own: &Animation<'_>| mesh.is_some() && own.binding.is_additive(&own.clip);
        let has_additive = document.animations.iter().any(is_additive);
        if let Some(base) =
            self.options.additive_base.as_ref().filter(|_| document.additive_base.is_none() && has_additive)
        {
            let message = format!("no animation has the sequence {base}, which additive ones are to be played on");
            return Err(OutputError::new(message));
        }
        if self.options.frame.is_some() && has_additive {
            let message = "the sequence is additive: alone it tears the mesh, and OBJ has no base";
            return Err(OutputError::new(message));
        }
        if let Some(mesh) = mesh.filter(|mesh| mesh.bone_count() > 0 && !mesh.skeleton().has_names()) {
            let own = job.dress.skeleton.as_deref().filter(|own| own.bones.len() == mesh.bone_count());
            let given = self.skeletons.as_ref().map(|skeletons| fitting(skeletons, mesh.bone_count())).transpose()?;
            document.hierarchy = given.or(own).map(hierarchy).unwrap_or_default();
        }
        // Edges as sharp as those of the game, and no order to sort by.
        document.alpha = job.dress.is_transparent.then_some(Alpha::Masked);
        let has_clips = !document.animations.is_empty();
        if mesh.is_none() && !has_clips {
            return Err(OutputError::new(format!("{} has no such sequence", job.first.name())));
        }
        if mesh.is_some() && !assets.is_empty() && !has_clips && !self.options.sequences.is_empty() {
            notes.push(format!("no sequence {}", self.options.sequences.join(" or ")));
        }
        if !assets.is_empty() {
            notes.push(format!("{FROM}{}", counted(assets.len() as u64, "animation file")));
        }
        Ok((document, sources))
    }

    /// Whether a clip is left out that has these names.
    fn is_left_out(&self, mut names: impl Iterator<Item = String>) -> bool {
        let Some(first) = names.next().filter(|_| !self.options.sequences.is_empty()) else { return false };
        let names: Vec<String> = names.chain([first]).collect();
        let is_name =
            |wanted: &&String| names.iter().any(|name| wanted.trim_end().eq_ignore_ascii_case(name.trim_end()));
        let found: Vec<&String> = self.options.sequences.iter().filter(is_name).collect();
        self.found_sequences().extend(found.iter().copied().cloned());
        found.is_empty()
    }

    fn found_sequences(&self) -> MutexGuard<'_, HashSet<String>> {
        self.found_sequences.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is wrong with a file of a job. It is named, unless the output is named after it.
fn of_file(job: &Job<'_>, own: &Found<'_>, error: impl Display) -> OutputError {
    match own.address() {
        address if address == job.address() => OutputError::new(error),
        address => OutputError::new(format!("{address}: {error}")),
    }
}

fn parsed<'d>(loaded: &'d Arc<Loaded>, own: &Found<'_>, job: &Job<'_>) -> Result<Asset<'d>, OutputError> {
    loaded.asset().map_err(|error| of_file(job, own, error))
}

fn too_much() -> OutputError {
    OutputError::new("the props of the actor have more than 512 MiB")
}

fn prop_note(error: &OutputError) -> String {
    format!("a prop is left out: {}", error.message)
}

/// The models at the prop points of a mesh, without those that were left out. As in the game, nothing is at a point that the mesh does not have.
fn attached<'d>(
    job: &Job<'_>,
    documents: &Documents<'d>,
    mesh: Option<&Mesh<'_>>,
    notes: &mut Vec<String>,
) -> Vec<Attached<'d>> {
    let points = mesh.iter().flat_map(|mesh| mesh.to_attachments()).map(|own| own.name.to_string());
    let points: HashSet<String> = points.chain(["root".to_owned()]).collect();
    let attached = |(point, prop): &(String, Arc<Job<'_>>)| {
        let document = Arc::clone(documents.get(&Arc::as_ptr(prop).cast())?);
        if points.contains(point) {
            return Some(Attached { point: point.clone(), name: prop.first.name(), document });
        }
        let note = format!("{} is left out: {} has no prop point {point}", prop.first.name(), job.first.name());
        if !notes.contains(&note) {
            notes.push(note);
        }
        None
    };
    job.props.iter().filter_map(attached).collect()
}

/// What would be written for a job, and from what.
pub(super) fn planned(job: &Job<'_>, inputs: &[PathBuf], target: &Target) -> Converted {
    let mut notes: Vec<String> = job.note().into_iter().chain(job.notes.iter().cloned()).collect();
    let of_member = |own: &Member<'_>| {
        let file = crate::columns::name_of(&own.animation.address());
        let name = own.names.first().map(|name| format!("{name}: ")).unwrap_or_default();
        format!("{name}{file} ({})", own.evidence.code())
    };
    notes.extend(job.animations.iter().map(of_member));
    notes.extend(job.props.iter().map(|(point, prop)| format!("{point}: {}", prop.first.address())));
    let (output, done) = match job.base(inputs) {
        Ok((base, _)) => {
            let done = Done::Planned { bytes: job.size_hint(), animations: job.animations.len() };
            (target.path(&base), Ok(done))
        }
        Err(error) => (None, Err(error)),
    };
    Converted { address: job.address(), output, done, notes }
}

/// Gives the animations of a document names of their own: the first of a name keeps it. One of another file gets the name of its file too;
/// one of the same file, and an action of a game, gets a number.
fn tell_apart(animations: &mut [Animation<'_>]) {
    let mut taken: HashMap<String, (String, u32)> = HashMap::new();
    for animation in animations {
        let Animation { name, origin, .. } = animation;
        let is_action = origin.actions.contains(name);
        if taken.get(name).is_some_and(|(file, _)| *file != origin.file) && !is_action {
            *name = format!("{}: {name}", stem(Path::new(&origin.file)));
        }
        while let Some((_, count)) = taken.get_mut(name) {
            *count = count.saturating_add(1);
            *name = numbered(Path::new(name), *count).to_string_lossy().into_owned();
        }
        taken.insert(name.clone(), (origin.file.clone(), 1));
    }
}

fn numbered_note(wanted: &Path) -> String {
    format!("numbered, because another output has the name {}", wanted.display())
}

/// The bytes of a file of skeletons that are read. The largest one has fewer.
const MAX_BYTES: u64 = (1 << 20) + 1;

/// Reads the standard skeletons of a file.
pub(super) fn read_skeletons(path: &Path, source: &Source) -> Result<Vec<StandardSkeleton>, ConvertError> {
    let address = Address::find(path);
    let read = if address.entry().is_some() {
        address.open(&source.opener).map(|bytes| bytes.to_vec()).map_err(AddressError::into_io)
    } else {
        read_regular(path, MAX_BYTES)
    };
    let bytes = read.map_err(|error| ConvertError::SkeletonFile { path: path.to_owned(), error })?;
    let fault = match parse_skeletons(&bytes) {
        Ok(skeletons) if !skeletons.is_empty() => return Ok(skeletons),
        Ok(_) => "has no <standard_skeleton> with bones".to_owned(),
        Err(error) => format!("at byte {}: {}", error.offset, error.message),
    };
    Err(ConvertError::Skeletons { path: path.to_owned(), error: fault })
}

fn hierarchy(skeleton: &StandardSkeleton) -> Vec<HierarchyBone> {
    let bones = skeleton.bones.iter();
    bones.map(|bone| HierarchyBone { name: bone.name.clone(), parent: bone.parent }).collect()
}

/// The only skeleton with this number of bones.
fn fitting(skeletons: &[StandardSkeleton], bones: usize) -> Result<&StandardSkeleton, OutputError> {
    let mut fitting = skeletons.iter().filter(|skeleton| skeleton.bones.len() == bones);
    match (fitting.next(), fitting.next()) {
        (Some(skeleton), None) => Ok(skeleton),
        (Some(_), Some(_)) => Err(OutputError::new(format!("several standard skeletons have {bones} bones"))),
        (None, _) => {
            let counts: Vec<_> = skeletons.iter().map(|skeleton| skeleton.bones.len().to_string()).collect();
            let message = format!("the mesh has {bones} bones, and the standard skeletons have {}", counts.join(", "));
            Err(OutputError::new(message))
        }
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

/// One path of each folder: what is done for a folder is not done for each of its files.
fn one_of_each_folder(paths: impl Iterator<Item = PathBuf>) -> impl Iterator<Item = PathBuf> {
    let by_folder: HashMap<_, _> = paths.map(|path| (path.parent().map(Path::to_owned), path)).collect();
    by_folder.into_values()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_many_outputs_is_there_once() {
        let outputs = (0..1000).map(|index| PathBuf::from(format!("out/{}/{index}.html", index % 3)));
        let outputs = outputs.chain(["alone.html".into()]);
        let mut folders: Vec<_> =
            one_of_each_folder(outputs).map(|path| path.parent().expect("a folder").to_owned()).collect();
        folders.sort();
        assert_eq!(folders, ["", "out/0", "out/1", "out/2"].map(PathBuf::from));
    }
}
