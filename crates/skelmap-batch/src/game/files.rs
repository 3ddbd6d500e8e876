//! The files of one input.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use skelmap::archive::Address;
use skelmap::mapping::Mapping;
use skelmap::{Asset, Severity};
use skelmap_write::actorx::{self, ActorxError, ActorxOptions, Armature, ClipKeys};
use skelmap_write::gltf::GltfErrorKind;
use skelmap_write::pyrogenesis::{PyrogenesisError, Rigging, Rules, UnknownBones, write_animation};
use skelmap_write::{Gltf, GltfClip, Model};

use super::actor::actor;
use super::paths::{ACTORS, CACHED, MESHES, actor_path, animation_path, moved};
use super::skeletons::Known;
use super::{GameFile, GameKind, GameOptions, Made};
use crate::convert::OutputError;
use crate::names::{Taken, numbered};
use crate::originals::Originals;
use crate::place::Place;
use crate::record::{Record, Stamp, content_hash};
use crate::save::{self, Work, Written};
use crate::text::first_names;
use crate::unfinished::create_folders;
use crate::{Limited, OutputLimit};
use crate::{Source, Target};

/// The most animations of a mesh: each is a file that stays open until all are complete, and systems give a program a thousand.
const MAX_CLIPS: usize = 256;

/// The end of the name of a mesh.
pub(super) fn end(options: &GameOptions, kind: GameKind) -> String {
    let extension = kind.extension();
    if options.replaces { format!("{CACHED}.{extension}") } else { format!(".{extension}") }
}

/// What all inputs of a run have in common.
pub(super) struct Maker<'m> {
    pub(super) kind: GameKind,
    pub(super) options: &'m GameOptions,
    pub(super) known: &'m Known,
    pub(super) source: &'m Source,
    pub(super) originals: Originals,
    pub(super) work: Work,
    /// The folder of all outputs; none for a file.
    pub(super) folder: Option<&'m Path>,
    /// For each output of this run, the input that makes it.
    pub(super) claimed: Mutex<HashMap<PathBuf, PathBuf>>,
    /// The folders of which the unfinished files of killed runs are removed.
    pub(super) cleaned: Mutex<HashSet<PathBuf>>,
    /// What earlier runs wrote into the folder.
    pub(super) record: Option<Record>,
    /// The options and the version, for the record.
    pub(super) settings: String,
    pub(super) force: bool,
    pub(super) resume: bool,
}

/// The files of an input that are complete under other names.
struct Ready {
    input: PathBuf,
    stamp: Stamp,
    files: Vec<Written>,
    rows: Vec<(PathBuf, Made, u64, Vec<String>)>,
    /// That of all files together.
    limit: OutputLimit,
    /// Whether the input was read: what fails then is about the output.
    is_read: bool,
}

impl Maker<'_> {
    /// Makes the files of an input. If one of them cannot be written, none is, and what was there stays.
    pub(super) fn make(&self, input: &Path, mesh: &Path) -> Vec<GameFile> {
        let limit = OutputLimit::new(self.options.max_output);
        let stamp = self.stamp(input);
        let hash = stamp.hash("");
        let is_kept = |record: &Record| hash.as_ref().is_some_and(|hash| record.has(mesh, hash));
        if self.resume && self.record.as_ref().is_some_and(is_kept) {
            let (input, output, done) = (input.to_owned(), mesh.to_owned(), Ok((Made::Kept, 0)));
            return vec![GameFile { input, output, done, notes: Vec::new(), is_unread: false }];
        }
        let mut ready =
            Ready { input: input.to_owned(), stamp, files: Vec::new(), rows: Vec::new(), limit, is_read: false };
        let made = self.make_all(input, mesh, &mut ready);
        let made = self.finish(made, &ready.stamp, &hash.unwrap_or_default(), ready.files);
        let input = input.to_owned();
        if let Err(error) = made {
            let is_unread = !ready.is_read;
            return vec![GameFile { input, output: mesh.to_owned(), done: Err(error), notes: Vec::new(), is_unread }];
        }
        let file = |(output, made, bytes, notes)| GameFile {
            input: input.clone(),
            output,
            done: Ok((made, bytes)),
            notes,
            is_unread: false,
        };
        ready.rows.into_iter().map(file).collect()
    }

    /// Everything that the files of an input depend on. A glTF file in JSON has others, whose changes do not show here.
    fn stamp(&self, input: &Path) -> Stamp {
        let address = Address::of_file(input.to_owned());
        let mut stamp = Stamp::new(&self.settings, &address);
        stamp.input(&address);
        if !input.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("glb")) {
            stamp.doubt();
        }
        stamp
    }

    /// Gives the files their names, and notes them in the record: before that without a hash, so that a run which is killed meanwhile leaves no file that
    /// nobody made.
    fn finish(
        &self,
        made: Result<(), OutputError>,
        stamp: &Stamp,
        hash: &str,
        files: Vec<Written>,
    ) -> Result<(), OutputError> {
        let content =
            |own: &Written| self.record.as_ref().and_then(|_| content_hash(own.file()).ok()).unwrap_or_default();
        let names: Vec<_> = files.iter().map(|own| (own.path().to_owned(), own.size(), content(own))).collect();
        let note = |hash: &str| {
            let added = self.record.as_ref().map_or(Ok(()), |record| record.add(hash, &stamp.input, &names));
            added.map_err(|error| OutputError::new(format!("the record of the folder: {error}")))
        };
        if let Err(error) = made.and_then(|()| note("")) {
            save::discard(files);
            return Err(error);
        }
        save::persist(files).map_err(|(path, error)| OutputError::of(path.display(), &error))?;
        note(hash)
    }

    fn make_all(&self, input: &Path, mesh: &Path, ready: &mut Ready) -> Result<(), OutputError> {
        let bytes = self.source.opener.open(input).map_err(OutputError::new)?;
        let folder = input.parent().unwrap_or(Path::new(""));
        let gltf = Gltf::parse_in(&bytes, folder).map_err(OutputError::new)?;
        let object = self.options.object.as_deref();
        ready.is_read = true;
        let model = gltf.to_model(object).map_err(|error| match &error.kind {
            GltfErrorKind::Objects(objects) if objects.count > 1 => OutputError::new(format!("{error} (--object)")),
            _ => OutputError::new(error),
        })?;
        ready.limit.add_input(bytes.len());
        if self.kind == GameKind::Pmd {
            self.make_pyrogenesis(&gltf, &model, mesh, ready)?;
        } else {
            self.make_actorx(&gltf, &model, mesh, ready)?;
        }
        drop::<Mapping<'_>>(bytes);
        Ok(())
    }

    /// A mesh, a file for each animation, and an actor.
    fn make_pyrogenesis(
        &self,
        gltf: &Gltf<'_>,
        model: &Model,
        mesh: &Path,
        ready: &mut Ready,
    ) -> Result<(), OutputError> {
        let (rigging, mut notes) = self.rigging(model)?;
        let materials: HashSet<_> = model.triangles.iter().map(|triangle| triangle.material).collect();
        if materials.len() > 1 {
            notes.push(format!("{} materials become one: a mesh of the game has one", materials.len()));
        }
        self.add(mesh, ready, notes, |out| {
            let report = rigging.write_mesh(model, out).map_err(into_io)?;
            Ok(Made::Mesh(model.report, report))
        })?;
        let clips = self.clips(gltf)?;
        if clips.len() > MAX_CLIPS {
            return Err(OutputError::new(format!(
                "has more than {MAX_CLIPS} animations, which can be written at a time: choose some (--sequence)"
            )));
        }
        let (mut taken, mut animations) = (Taken::default(), Vec::new());
        for clip in &clips {
            let path = animation_path(mesh, clip.name());
            let path = numbered_file(&path, &mut taken);
            self.add(&path, ready, Vec::new(), |out| {
                Ok(Made::Animation(write_animation(&rigging, clip, self.options.frames, out).map_err(into_io)?))
            })?;
            animations.push((clip.name().to_owned(), path));
        }
        if self.options.new_actor {
            let text = actor(mesh, &animations, model);
            let mut notes = vec!["without a texture: the actor has a line to fill in, <textures>".to_owned()];
            if moved(mesh, ACTORS) == mesh {
                notes.push("outside of art/meshes: the game does not find it, nor the paths in it".to_owned());
            }
            self.add(&actor_path(mesh), ready, notes, |out| out.write_all(text.as_bytes()).map(|()| Made::Actor))?;
        }
        Ok(())
    }

    /// A mesh, and one file with all animations.
    fn make_actorx(&self, gltf: &Gltf<'_>, model: &Model, mesh: &Path, ready: &mut Ready) -> Result<(), OutputError> {
        let mut options = ActorxOptions::default();
        (options.metres, options.axes) = (self.options.metres, self.options.axes);
        options.extras = self.kind == GameKind::Pskx || self.options.target == Some(Target::Umodel);
        let armature = Armature::new(model, &options).map_err(OutputError::new)?;
        let notes = vec![format!("joints with the axes of {}", armature.axes())];
        self.add(mesh, ready, notes, |out| {
            let report = armature.write_mesh(model, &options, out).map_err(of_actorx)?;
            Ok(Made::Psk(model.report, report))
        })?;
        let clips = self.clips(gltf)?;
        if clips.is_empty() {
            return Ok(());
        }
        let keys: Vec<ClipKeys<'_>> = clips.iter().map(ClipKeys::new).collect();
        self.add(&mesh.with_extension("psa"), ready, Vec::new(), |out| {
            Ok(Made::Psa(actorx::write_animation(&armature, &keys, out).map_err(of_actorx)?))
        })
    }

    /// Which bone each joint is, and how that was decided.
    fn rigging(&self, model: &Model) -> Result<(Rigging, Vec<String>), OutputError> {
        let mut rules = Rules::default();
        rules.skeletons = self.known.skeletons.as_ref();
        rules.like = self.known.like.as_deref();
        (rules.axes, rules.unknown) = (self.options.axes, self.options.unknown);
        // Those that lie near may be meant for other models.
        rules.needs_skeleton = !self.options.skeletons.is_empty();
        let is_ours = model.is_ours();
        let has_order = self.options.joint_order || is_ours || model.joints.is_empty();
        if rules.skeletons.is_none() && !has_order {
            return Err(OutputError::new(
                "no file of skeletons says which bone each joint is: name one (--skeleton), or take the joints in their own order (--joint-order)",
            ));
        }
        let rigging = Rigging::new(model, &rules).map_err(|error| match error {
            PyrogenesisError::Axes(_) => OutputError::new(format!(
                "{error} (--axes blender or game; --like with a mesh of the game tells them too)"
            )),
            PyrogenesisError::NoSkeleton { .. } => {
                OutputError::new(format!("{error} (--joint-order for a new creature)"))
            }
            error => OutputError::new(error),
        })?;
        let mut notes = Vec::new();
        if let Some(skeleton) = rigging.skeleton() {
            notes.push(format!("skeleton {skeleton}"));
        }
        if rigging.differs_from_like() {
            notes.push("the bones of the mesh of --like have other rotations: it does not tell the axes".to_owned());
        }
        if rigging.bone_count() > 0 && self.options.axes.is_none() {
            notes.push(format!("joints with the axes of {}", rigging.axes()));
        }
        let unknown = rigging.unknown_joints();
        if !unknown.is_empty() {
            let names = first_names(unknown.iter(), unknown.len());
            let rule = match self.options.unknown {
                UnknownBones::Parent => "the nearest joint above that is one moves their vertices",
                UnknownBones::Drop | UnknownBones::Refuse => "their influences are lost",
            };
            notes.push(format!("joints that are no bones of the skeleton ({names}): {rule}"));
        }
        Ok((rigging, notes))
    }

    /// The animations of the mesh that are asked for.
    fn clips<'g>(&self, gltf: &'g Gltf<'_>) -> Result<Vec<GltfClip<'g>>, OutputError> {
        let mut clips = Vec::new();
        for index in 0..gltf.clip_count() {
            let clip = gltf.clip(index, self.options.object.as_deref()).map_err(OutputError::new)?;
            let wanted = &self.options.sequences;
            // One more than can be written says that there are too many.
            if self.kind == GameKind::Pmd && clips.len() > MAX_CLIPS {
                break;
            }
            let is_wanted = |clip: &GltfClip<'_>| {
                wanted.is_empty() || wanted.iter().any(|name| name.eq_ignore_ascii_case(clip.name()))
            };
            clips.extend(clip.filter(is_wanted));
        }
        Ok(clips)
    }

    /// Adds a file under a temporary name.
    fn add(
        &self,
        path: &Path,
        ready: &mut Ready,
        mut notes: Vec<String>,
        write: impl FnOnce(&mut Limited<&mut io::BufWriter<&mut fs::File>>) -> io::Result<Made>,
    ) -> Result<(), OutputError> {
        let fault = |error: &io::Error| OutputError::of_place(path.display(), error);
        let mut claimed = self.claimed.lock().unwrap_or_else(PoisonError::into_inner);
        let owner = claimed.entry(path.to_owned()).or_insert_with(|| ready.input.clone());
        if *owner != ready.input {
            let text =
                format!("{}: {} makes this file too: rename one of the animations", path.display(), owner.display());
            return Err(OutputError::new(text));
        }
        drop(claimed);
        let place = self.place(path).map_err(|error| fault(&error))?;
        let mut cleaned = self.cleaned.lock().unwrap_or_else(PoisonError::into_inner);
        if cleaned.insert(save::folder_of(path).to_owned()) {
            self.work.remove_orphans(path);
        }
        drop(cleaned);
        let is_known = |record: &Record| record.knows(path, &ready.stamp.input);
        let may_replace = self.force || self.resume && self.record.as_ref().is_some_and(is_known);
        save::replaceable(place.held(), may_replace)
            .and_then(|_| self.originals.check(path))
            .map_err(|error| fault(&error))?;
        let mut made = None;
        let written = Written::new(&self.work, &place, may_replace, |out| {
            made = Some(write(&mut ready.limit.to(out))?);
            Ok(())
        });
        let written = written.map_err(|error| if made.is_none() { content(&error, path) } else { fault(&error) })?;
        let told = if matches!(made, Some(Made::Actor)) { Ok(Vec::new()) } else { self.told_by_target(&written) };
        let size = written.size();
        ready.files.push(written);
        notes.extend(told?);
        ready.rows.extend(made.map(|made| (path.to_owned(), made, size, notes)));
        Ok(())
    }

    /// What the target would spoil of a file that is complete; an error if the target would refuse the file.
    fn told_by_target(&self, written: &Written) -> Result<Vec<String>, OutputError> {
        let Some(target) = self.options.target else { return Ok(Vec::new()) };
        let fault = |error: io::Error| OutputError::of(written.path().display(), &error);
        let mut file = written.file().try_clone().map_err(fault)?;
        file.rewind().map_err(fault)?;
        let bytes = self.source.opener.open_file(file).map_err(fault)?;
        let mut complaints = target.check(&Asset::parse(&bytes).map_err(OutputError::new)?);
        // The report has the rest.
        complaints.retain(|complaint| complaint.severity > Severity::Note);
        let (refused, spoiled): (Vec<_>, Vec<_>) =
            complaints.into_iter().partition(|complaint| complaint.severity == Severity::Error);
        match refused.into_iter().next() {
            Some(complaint) => Err(OutputError::new(complaint.message)),
            None => Ok(spoiled.into_iter().map(|complaint| complaint.message).collect()),
        }
    }

    /// The place of an output. Folders below that of all outputs are made, and no link there is followed.
    fn place(&self, path: &Path) -> io::Result<Place> {
        if let Some(below) = self.folder.and_then(|folder| Some((folder, path.strip_prefix(folder).ok()?))) {
            return Place::below(below.0, below.1);
        }
        // Of a mod, the folder that has `art`: no link in it leads animations and actors elsewhere.
        let parts: Vec<_> = path.iter().collect();
        let root =
            parts.iter().rposition(|part| *part == MESHES[0]).map(|at| parts.iter().take(at).collect::<PathBuf>());
        match root.filter(|_| self.kind == GameKind::Pmd) {
            Some(root) => {
                create_folders(&root)?;
                let below = path.strip_prefix(&root).unwrap_or(path);
                Place::below(if root.as_os_str().is_empty() { Path::new(".") } else { &root }, below)
            }
            None => Ok(Place::of(path)),
        }
    }
}

/// The error of what was to be written, or of the system.
fn content(error: &io::Error, path: &Path) -> OutputError {
    let is_own = error.get_ref().is_some_and(|own| own.is::<PyrogenesisError>() || own.is::<ActorxError>());
    if is_own { OutputError::new(error) } else { OutputError::of(path.display(), error) }
}

fn of_actorx(error: ActorxError) -> io::Error {
    match error {
        ActorxError::Write(error) => error,
        other => io::Error::other(other),
    }
}

fn into_io(error: PyrogenesisError) -> io::Error {
    match error {
        PyrogenesisError::Write(error) => error,
        other => io::Error::other(other),
    }
}

/// A path that no other output of an input has.
fn numbered_file(path: &Path, taken: &mut Taken) -> PathBuf {
    let (base, extension) = (path.with_extension(""), path.extension().unwrap_or_default().to_owned());
    let mut found = numbered(&base, taken.add(&base)).into_os_string();
    found.push(".");
    found.push(extension);
    found.into()
}

#[cfg(test)]
mod tests {
    use test_support::actorx::build::{Material, Mesh};

    use super::*;
    use crate::convert::Cause;

    /// What is said of a file that is complete.
    fn told(target: Option<Target>, bytes: &[u8]) -> Result<Vec<String>, String> {
        let (folder, source) = (tempfile::tempdir().expect("a folder"), Source::default());
        let options = GameOptions { target, ..GameOptions::default() };
        let known = Known { skeletons: None, like: None, files: Vec::new() };
        let maker = Maker {
            kind: GameKind::Psk,
            options: &options,
            known: &known,
            source: &source,
            originals: Originals::new([]),
            work: Work::new(b"test"),
            folder: None,
            claimed: Mutex::default(),
            cleaned: Mutex::default(),
            record: None,
            settings: String::new(),
            force: false,
            resume: false,
        };
        let place = Place::of(&folder.path().join("out.psk"));
        let written = Written::new(&maker.work, &place, false, |out| out.write_all(bytes)).expect("written");
        let told = maker.told_by_target(&written).map_err(|error| error.message);
        save::discard(vec![written]);
        told
    }

    #[test]
    fn a_target_refuses_an_error_tells_a_warning_and_leaves_a_note_to_the_report() {
        let mut mesh = Mesh::sheet(2, 2, 2);
        let clean: Vec<u8> = mesh.chunks().into();
        assert_eq!(told(Some(Target::Ut99), &clean), Ok(Vec::new()));
        // A chunk after the seven is a note.
        let odd: Vec<u8> = mesh.chunks().chunk("OTHER", 4, &[0; 4]).into();
        assert_eq!(told(Some(Target::Ut99), &odd), Ok(Vec::new()));
        mesh.materials[0] = Material::new("a.b", 0);
        let named: Vec<u8> = mesh.chunks().into();
        let message = "material a.b: Unreal Engine 1 takes letters, digits, `_` and spaces in names".to_owned();
        assert_eq!(told(Some(Target::Ut99), &named), Ok(vec![message]));
        assert_eq!(told(None, &named), Ok(Vec::new()));
        let refused = told(Some(Target::ZeroAd), &clean).expect_err("another family");
        assert!(refused.starts_with("0 A.D. does not read this format"), "{refused}");
    }

    #[test]
    fn an_error_of_what_was_to_be_written_has_no_path_and_that_of_the_system_its_own() {
        let path = Path::new("out.psk");
        for own in [
            content(&into_io(PyrogenesisError::NoSkin), path),
            content(&of_actorx(ActorxError::NotPositive("the unit")), path),
        ] {
            assert!(own.cause == Cause::Content && !own.message.contains("out.psk"), "{own:?}");
        }
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        for error in [into_io(PyrogenesisError::Write(full())), of_actorx(ActorxError::Write(full()))] {
            assert_eq!(error.kind(), io::ErrorKind::StorageFull);
            let own = content(&error, path);
            assert!(own.cause == Cause::Full && own.message.starts_with("out.psk: "), "{own:?}");
        }
    }

    #[test]
    fn clips_of_one_name_get_numbers_that_no_other_has() {
        let mut taken = Taken::default();
        let paths = ["m_walk.psa", "m_walk.psa", "m_walk-2.psa", "m.dae.cached.psa"].map(Path::new);
        let found = paths.map(|path| numbered_file(path, &mut taken));
        assert_eq!(found, ["m_walk.psa", "m_walk-2.psa", "m_walk-2-2.psa", "m.dae.cached.psa"].map(PathBuf::from));
    }
}
