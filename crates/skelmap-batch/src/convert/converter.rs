//! One conversion: the files of a mesh and its animations, or of an animation alone.

use std::collections::{HashMap, HashSet};
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use skelmap::Asset;
use skelmap::archive::{Address, AddressError, SideCar};
use skelmap::model::{Clip, Mesh};
use skelmap::pyrogenesis::skeleton::StandardSkeleton;
use skelmap_export::{Additive, Animation, Document, ExportReport, MediaType, Stored};

use super::asked::{Asked, names_of};
use super::attached::{MAX_ATTACHED, attached};
use super::error::{ConvertError, OutputError};
use super::jobs::Job;
use super::options::{ConvertOptions, Kind};
use super::output::{NO_SHAPE, check_one};
use super::target::Target;
use super::textures::{Places, Textures};
use super::{Conversion, Event, Listener, Replace};
use crate::items::Loaded;
use crate::mods::parse_skeletons;
use crate::names::{Roots, Taken, numbered, part};
use crate::originals::{Originals, is_page};
use crate::pair::{Found, Member};
use crate::record::{Record, Stamp};
use crate::regular::read_regular;
use crate::save::{self, Work};
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
    pub(super) roots: Roots,
    pub(super) originals: Originals,
    pub(super) target: Target,
    pub(super) textures: Option<Textures>,
    /// Names and parents of bones, which PMD and PSA files do not have.
    pub(super) skeletons: Option<Vec<StandardSkeleton>>,
    /// The sequences that the options name.
    pub(super) asked: Asked<'s>,
    /// What attempts at the same outputs have in common.
    pub(super) work: Work,
    /// What was written into the folder of outputs; none for a file or standard output.
    pub(super) record: Option<Record>,
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
    Written(Box<Output>),
    /// It would be written.
    Planned {
        /// The bytes of its inputs.
        bytes: u64,
        /// The number of its sequences that are asked for, before the output leaves any out.
        animations: usize,
    },
}

/// An output that was written.
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "a report, two numbers and names")]
pub struct Output {
    /// What the file has, and what was left out.
    pub report: ExportReport,
    /// The size of all files; `None` for standard output.
    pub bytes: Option<u64>,
    /// The number of images.
    pub textures: usize,
    /// The names of the animations.
    pub animations: Vec<String>,
}

pub(super) const NO_MESH: &str = "holds no mesh";

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
        let outputs = jobs.iter().filter_map(|job| self.target.path(&job.base(&self.roots).ok()?.0));
        for output in one_of_each_folder(outputs) {
            self.work.remove_orphans(&output);
        }
    }

    /// Converts a mesh or an animation alone: to one file, or to one for each clip.
    pub(super) fn convert(&self, job: &Job<'_>) -> Vec<Converted> {
        let mut notes = Vec::new();
        let base = self.base_of(job);
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

    /// The path of the output of a job without its extension, and the one that it would have if no other output had it.
    fn base_of(&self, job: &Job<'_>) -> Result<(PathBuf, Option<PathBuf>), OutputError> {
        // Where the output has a name, that of the input need not be safe.
        let is_named = !self.target.is_folder();
        job.base(&self.roots).or_else(|error| if is_named { Ok(<_>::default()) } else { Err(error) })
    }

    /// What a run without `--resume` would do: a file that is there may be in its way.
    fn planned(&self, output: Option<&Path>, bytes: u64, animations: usize) -> Result<Done, OutputError> {
        if let Some(path) = output.filter(|_| !self.conversion.resume) {
            let is_free = save::replaceable(path, self.is_replaced(path)).and_then(|_| self.originals.check(path));
            is_free.map_err(|error| OutputError::of(path.display(), &error))?;
        }
        Ok(Done::Planned { bytes, animations })
    }

    fn convert_job(&self, job: &Job<'_>, base: &Path, notes: &mut Vec<String>) -> Result<Vec<Converted>, OutputError> {
        let address = job.address();
        let opened = job.mesh.map(|mesh| self.open(job, mesh)).transpose()?;
        let parse = |(loaded, own)| parsed(loaded, own, job);
        let model = opened.as_ref().zip(job.mesh).map(parse).transpose()?;
        let mesh = model.as_ref().map(|asset| self.mesh_of(asset, notes)).transpose()?;
        let places = self.textures.as_ref().zip(mesh.as_ref()).map(|(textures, mesh)| textures.places(mesh, job));
        let places = places.filter(|_| !job.is_library);
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
            self.asked.note_all();
            return Ok(vec![converted(self.target.path(base), Ok(Done::Kept), notes)]);
        }
        job.found().for_each(|found| found.item.prefetch());
        let members = job.animations.iter().map(|member| member.animation);
        let loaded = members.clone().map(|own| self.open(job, own)).collect::<Result<Vec<_>, _>>()?;
        let assets = loaded.iter().zip(members).map(parse).collect::<Result<Vec<_>, _>>()?;
        let (mut document, sources) = self.prepare(job, mesh.as_ref(), &assets, &side_cars, notes)?;
        document.stored = model.as_ref().and_then(Stored::of);
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
            found.item.check_checksum(own.stored()).map_err(|error| of_file(job, found, error))?;
        }
        opened.iter().chain(&loaded).for_each(|own| limit.add_input(own.bytes().len()));
        side_cars.iter().flatten().for_each(|own| limit.add_input(own.bytes.len()));
        document.images.iter().for_each(|own| limit.add_input(own.bytes.len()));
        limit.add_input(MAX_ATTACHED.saturating_sub(left));
        let asset = model.as_ref().or(assets.first());
        let mut content = Content { document, asset, address: &address, sources, notes: notes.clone(), stamp, limit };
        if !self.options.each_clip {
            let done = self.check_keys(base, &content, 0).and_then(|_| self.write(base, &content, ""));
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
        let (mut taken, mut rows, mut keys) = (Taken::default(), Vec::new(), 0);
        for animation in animations {
            let wanted = path_of_clip(base, &animation.name);
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
                let checked = self.check_keys(&own, &content, keys).map(|all| keys = all);
                checked.and_then(|()| self.write(&own, &content, &name))
            };
            rows.push(converted(self.target.path(&own), done, &notes));
        }
        Ok(rows)
    }

    /// The mesh of a file, at the level of detail that is asked for.
    fn mesh_of<'a>(&self, asset: &Asset<'a>, notes: &mut Vec<String>) -> Result<Mesh<'a>, OutputError> {
        let (mesh, wanted) = (asset.mesh().ok_or_else(|| OutputError::new(NO_MESH))?, self.options.lod);
        if wanted == 0 {
            return Ok(mesh);
        }
        let count = mesh.levels().take(wanted.saturating_add(1)).count();
        if count <= wanted {
            let have = counted(count as u64, "level");
            notes.push(format!("there is no level of detail {wanted}: the mesh has {have}, and the last is used"));
        }
        Ok(mesh.level(wanted))
    }

    /// Opens a file of a job.
    pub(super) fn open(&self, job: &Job<'_>, own: &Found<'_>) -> Result<Arc<Loaded>, OutputError> {
        own.load(self.source).map_err(|fault| of_file(job, own, fault.message))
    }

    /// Whether a file with this animation alone has an animation.
    fn is_worth_a_file(&self, document: &Document<'_>, animation: &Animation<'_>) -> bool {
        let is_skipped = self.options.gltf.additive == Additive::Skip;
        let is_additive = document.mesh.is_some() && animation.binding.is_additive(&animation.clip);
        animation.clip.frame_count() > 0 && !(is_skipped && is_additive)
    }

    /// Checks the keys of an output and those that the outputs before it have read, and returns the sum. Sequences may share keys, and equal ones
    /// are written once: what is read is counted, not what is left of it.
    fn check_keys(&self, base: &Path, content: &Content<'_>, before: u64) -> Result<u64, OutputError> {
        if self.target.kind() == Kind::Obj {
            return Ok(before);
        }
        let all = before.saturating_add(key_count(&content.document));
        let place = self.target.path(base).unwrap_or_else(|| base.to_owned());
        let is_within = content.limit.check(all.saturating_mul(MIN_KEY_BYTES));
        is_within.map(|()| all).map_err(|error| OutputError::of(place.display(), &error))
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
        if let Some(places) = places {
            stamp.told(&serde_json::json!(places.of_materials()));
            places.images().for_each(|address| stamp.texture(Some(&address)));
        }
        stamp
    }

    /// Whether an output is there, made by an earlier run from the same.
    fn is_kept(&self, base: &Path, stamp: &Stamp, part: &str) -> bool {
        let Some(record) = self.record.as_ref().filter(|_| self.conversion.resume) else { return false };
        let made = self.target.path(base).zip(stamp.hash(part));
        made.is_some_and(|(output, stamp)| record.has(&output, &stamp))
    }

    /// Whether the caller says that a file may be replaced.
    fn is_replaced(&self, path: &Path) -> bool {
        match self.conversion.replace {
            Replace::Nothing => false,
            Replace::Pages => is_page(path),
            Replace::Everything => true,
        }
    }

    /// Whether a file may be replaced: as the caller says, or if an earlier run has written it from the same input.
    pub(super) fn may_replace(&self, path: &Path, stamp: &Stamp) -> bool {
        let is_known = |record: &Record| record.knows(path, &stamp.input);
        // A picture beside the inputs may be the texture of another mesh.
        if has_picture(path) && self.originals.has_above(path) && !self.record.as_ref().is_some_and(is_known) {
            return false;
        }
        self.is_replaced(path) || (self.conversion.resume && self.record.as_ref().is_some_and(is_known))
    }
}

/// The bytes that a key takes in glTF at least: a rotation of four 16-bit numbers.
const MIN_KEY_BYTES: u64 = 8;

/// The keys of all sequences of a document and of what is attached to it: those that several share, for each. A model at several attachments
/// is written once.
fn key_count(document: &Document<'_>) -> u64 {
    let (mut left, mut known, mut count) = (vec![document], HashSet::new(), 0_u64);
    while let Some(own) = left.pop() {
        if known.insert(std::ptr::from_ref(own)) {
            count = own.animations.iter().fold(count, |sum, own| sum.saturating_add(own.clip.key_count() as u64));
            left.extend(own.attached.iter().map(|own| &*own.document));
        }
    }
    count
}

fn has_picture(path: &Path) -> bool {
    let kinds = [MediaType::Png, MediaType::Jpeg];
    kinds.iter().any(|kind| path.extension().is_some_and(|own| own == kind.extension()))
}

/// What is wrong with a file of a job. It is named, unless the output is named after it.
pub(super) fn of_file(job: &Job<'_>, own: &Found<'_>, error: impl Display) -> OutputError {
    match own.address() {
        address if address == job.address() => OutputError::new(error),
        address => OutputError::new(format!("{address}: {error}")),
    }
}

pub(super) fn parsed<'d>(loaded: &'d Arc<Loaded>, own: &Found<'_>, job: &Job<'_>) -> Result<Asset<'d>, OutputError> {
    loaded.asset().map_err(|error| of_file(job, own, error))
}

/// What would be written, and from what.
pub(super) struct Planner<'p> {
    converter: &'p Converter<'p>,
    /// The names of the sequences of an animation, under its names in an actor, that are asked for. Each animation is read once.
    names: HashMap<(Address, Vec<String>), Vec<String>>,
}

impl<'p> Planner<'p> {
    pub(super) fn new(converter: &'p Converter<'p>) -> Self {
        Self { converter, names: HashMap::new() }
    }

    /// Says what would be written for each job.
    pub(super) fn tell(&mut self, jobs: &[Job<'_>], listener: &mut Listener<'_>) -> io::Result<()> {
        jobs.iter().flat_map(|job| self.plan(job)).try_for_each(|row| listener(Event::Output(&row)))
    }

    fn plan(&mut self, job: &Job<'_>) -> Vec<Converted> {
        let mut notes: Vec<String> = job.note().into_iter().chain(job.notes.iter().cloned()).collect();
        let of_member = |own: &Member<'_>| {
            let file = crate::columns::name_of(&own.animation.address());
            let name = own.names.first().map(|name| format!("{name}: ")).unwrap_or_default();
            format!("{name}{file} ({})", own.evidence.code())
        };
        notes.extend(job.animations.iter().map(of_member));
        notes.extend(job.props.iter().map(|(point, prop)| format!("{point}: {}", prop.first.address())));
        let converted = |output, done| Converted { address: job.address(), output, done, notes: notes.clone() };
        let Converter { target, options, .. } = self.converter;
        let base = match self.converter.base_of(job) {
            Ok((base, _)) => base,
            Err(error) => return vec![converted(None, Err(error))],
        };
        if options.each_clip {
            let names: Vec<String> = job.animations.iter().flat_map(|own| self.names_of(own, job)).collect();
            let (bytes, mut taken) = (job.size_hint().checked_div(names.len() as u64), Taken::default());
            let mut row = |name: &String| {
                let wanted = path_of_clip(&base, name);
                let output = target.path(&numbered(&wanted, taken.add(&wanted)));
                let done = self.converter.planned(output.as_deref(), bytes.unwrap_or_default(), 1);
                converted(output, done)
            };
            let rows: Vec<_> = names.iter().map(&mut row).collect();
            return if rows.is_empty() { vec![converted(None, Ok(Done::Skipped))] } else { rows };
        }
        let animations: usize = job.animations.iter().map(|own| self.count(own, job)).sum();
        let output = target.path(&base);
        let is_shape = target.kind() == Kind::Obj;
        let checked = match options.frame {
            _ if job.mesh.is_none() && animations == 0 => Err(no_sequence(job)),
            _ if job.mesh.is_none() && is_shape => Err(OutputError::new(NO_SHAPE)),
            Some(_) => check_one(animations),
            None => Ok(()),
        };
        let animations = if is_shape && options.frame.is_none() { 0 } else { animations };
        let done = checked.and_then(|()| self.converter.planned(output.as_deref(), job.size_hint(), animations));
        vec![converted(output, done)]
    }

    /// The number of the sequences of an animation that are asked for.
    fn count(&mut self, own: &Member<'_>, job: &Job<'_>) -> usize {
        let is_all = self.converter.asked.is_all() && !job.is_of_actor;
        own.animation.sequences().filter(|_| is_all).unwrap_or_else(|| self.names_of(own, job).len())
    }

    /// The names that the sequences of an animation would have. Headers have no names, and those of compressed files no number. What cannot be
    /// read any more is told by the run.
    fn names_of(&mut self, own: &Member<'_>, job: &Job<'_>) -> Vec<String> {
        let Converter { asked, source, .. } = self.converter;
        let of_clip = |clip: Clip<'_>| {
            let names = names_of(&clip, own);
            if clip.frame_count() == 0 || !asked.has(&names) {
                return Vec::new();
            }
            let of_file = clip.name().map(|name| name.to_string());
            let usual = of_file.clone().unwrap_or_else(|| own.animation.name());
            asked.aliases(of_file.as_ref(), &own.names, job.is_of_actor, usual).map(|alias| alias.name).collect()
        };
        let read = || {
            let Ok(loaded) = own.animation.load(source) else { return Vec::new() };
            loaded.asset().map_or_else(|_| Vec::new(), |asset: Asset<'_>| asset.clips().flat_map(of_clip).collect())
        };
        self.names.entry((own.animation.address(), own.names.clone())).or_insert_with(read).clone()
    }
}

/// The path of the output of a sequence, below the folder of outputs.
fn path_of_clip(base: &Path, name: &str) -> PathBuf {
    PathBuf::from(format!("{}@{}", base.display(), part(name)))
}

/// What becomes of an animation alone of which nothing is asked for.
pub(super) fn no_sequence(job: &Job<'_>) -> OutputError {
    OutputError::new(format!("{} has no such sequence", job.first.name()))
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
        Ok(file) if !file.standard.is_empty() => return Ok(file.standard),
        Ok(_) => "has no <standard_skeleton> with bones".to_owned(),
        Err(error) => format!("at byte {}: {}", error.offset, error.message),
    };
    Err(ConvertError::Skeletons { path: path.to_owned(), error: fault })
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

    #[test]
    fn a_fault_names_the_file_that_the_output_is_not_named_after() {
        let root = tempfile::tempdir().expect("a folder");
        let paths = ["a.pmd", "b.psa"].map(|name| root.path().join(name));
        for path in &paths {
            std::fs::write(path, "").expect("written");
        }
        let source = Source::default();
        let sources = crate::items::Sources::find(&paths, &source.opener, &source.limits);
        let found: Vec<_> = sources.items().iter().filter_map(Found::of_mod).collect();
        let job = Job::of_actor(&found[0], Box::new([Member::alone(&found[1])]), crate::pair::Dress::default());
        assert_eq!(of_file(&job, &found[0], "is empty").message, "is empty");
        assert_eq!(of_file(&job, &found[1], "is empty").message, format!("{}: is empty", paths[1].display()));
    }

    #[test]
    fn a_file_of_skeletons_has_one_at_least() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("s.xml");
        let read = |text: &str| {
            std::fs::write(&path, text).expect("written");
            let read = read_skeletons(&path, &Source::default()).map(|skeletons| skeletons.len());
            read.map_err(|error| error.to_string())
        };
        assert_eq!(read("<s><standard_skeleton id='a'><bone name='b'/></standard_skeleton></s>"), Ok(1));
        assert_eq!(read("<s></s>"), Err(format!("{}: has no <standard_skeleton> with bones", path.display())));
    }
}
