//! Edits of `ActorX` and SWAT 3 files on the disk, complete or not at all: an `ActorX` animation with its side-car (`.config`). What can be asked of an edit, and what it does to
//! bytes, is in [`skelmap_write::edit`].

use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use skelmap::actorx::{Config, Psa};
use skelmap::archive::Address;
use skelmap::mapping::{Mapping, Opener};
use skelmap::shared::to_u64;
use skelmap::{Asset, Code};
use skelmap_write::edit::{
    EditError, Exec, GsaEdit, GsaEditReport, Merge, MergeReport, PsaEdit, PsaEditReport, PskEdit, PskEditReport, Split,
};
use skelmap_write::{FixReport, fix};

use crate::OutputLimit;
use crate::names::{Taken, numbered, part};
use crate::originals::Originals;
use crate::place::{Place, joined};
use crate::regular::real_path;
use crate::save::{Saver, Work, Written, discard, folder_of, persist, sync_folder, to_disk};
use crate::unfinished::create_folders;

/// The extension of the side-car of an animation.
const SIDE_CAR: &str = "config";

/// What is said of the side-car of another animation beside an output.
const FOREIGN: &str =
    "is there, and would be taken for the side-car of the output, which has none: remove it, or choose another name";

/// An output whose bytes are counted.
struct Counted<W> {
    out: W,
    bytes: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes = self.bytes.saturating_add(to_u64(written));
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// An edit that was not saved. The files are as they were.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SaveError {
    /// The edit asks for something impossible.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// An output that cannot have this name.
    #[error("{}: {why}", Address::find(path))]
    Name {
        /// The output.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// The lines of `#exec` would replace the input, the output or a side-car of these.
    #[error("{}: the lines of #exec need a file of their own, not the input, the output or their side-cars", Address::find(.0))]
    Exec(PathBuf),
    /// An output that cannot be written.
    #[error("{}: {error}", Address::find(path))]
    File {
        /// The output.
        path: PathBuf,
        /// The error of the system, or the reason.
        error: io::Error,
    },
}

/// Where an edit is saved: the outputs get their names when all are complete, and none of them otherwise.
///
/// Files are written under a temporary name and then renamed, so that the output may be the file that the edit reads and maps.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "the caller makes it")]
pub struct Saving<'s> {
    /// The output. The side-car of an animation is written beside it.
    pub path: &'s Path,
    /// Whether outputs that exist are replaced.
    pub force: bool,
    /// The files that the edit reads. The output of an edit of one may be that file; `#exec` lines replace none of them.
    pub inputs: &'s [PathBuf],
    /// The file for the lines of [`Exec`] that import the output.
    pub exec: Option<&'s Path>,
    /// Opens the edited animation, of which the lines are made.
    pub opener: &'s Opener,
}

impl Saving<'_> {
    /// Saves an edited animation and its edited side-car.
    ///
    /// # Errors
    /// [`SaveError`]; a side-car of another animation beside the output, if this one has none.
    pub fn animation(&self, edit: &PsaEdit<'_>, side_car: Option<&[u8]>) -> Result<PsaEditReport, SaveError> {
        self.check_extension(&["psa"], "this is an animation: expected a name in .psa")?;
        self.check_archives()?;
        let config = side_car.map(|bytes| {
            let mut config = Vec::new();
            edit.write_config(&Config::new(bytes), &mut config).map(|()| config)
        });
        let config = config.transpose()?;
        let originals = Originals::new(self.inputs.iter().cloned());
        // An animation that is changed in its place has its side-car changed too.
        if originals.check(self.path).is_ok() {
            self.check_side_car(&originals, config.is_some())?;
        }
        let mut outputs = self.begin()?;
        self.check_beside(config.is_some())?;
        let report = outputs.add(self.path, |mut out| edit.write(&mut out))?;
        outputs.add_config(self.path, config.as_deref())?;
        if let Some(exec) = self.exec {
            // Of what was written: names, frames and rates are those of the output.
            let bytes = outputs.read_first(self.opener).map_err(|error| self.fault(error))?;
            let edited = Psa::parse(&bytes).map_err(|error| self.fault(io::Error::other(error.to_string())))?;
            let name = stem(self.path);
            let lines = Exec::default().animation(&name, &self.path.to_string_lossy()).sequences(&edited).to_lines()?;
            outputs.add_bytes(exec, lines.as_bytes())?;
        }
        outputs.persist()?;
        Ok(report)
    }

    /// Saves an edited mesh.
    ///
    /// # Errors
    /// [`SaveError`].
    pub fn mesh(&self, edit: &PskEdit<'_>) -> Result<PskEditReport, SaveError> {
        self.check_extension(&["psk", "pskx"], "this is a mesh: expected a name in .psk or .pskx")?;
        self.check_archives()?;
        let mut outputs = self.begin()?;
        let report = outputs.add(self.path, |mut out| edit.write(&mut out))?;
        if let Some(exec) = self.exec {
            let lines = Exec::default().mesh(&stem(self.path), &self.path.to_string_lossy()).to_lines()?;
            outputs.add_bytes(exec, lines.as_bytes())?;
        }
        outputs.persist()?;
        Ok(report)
    }

    /// Saves an edited SWAT 3 animation. It has no side-car, and no lines of `#exec` import it: [`exec`](Self::exec) is not used. Any
    /// name is allowed.
    ///
    /// # Errors
    /// [`SaveError`].
    pub fn gsa(&self, edit: &GsaEdit<'_>) -> Result<GsaEditReport, SaveError> {
        let mut outputs = self.files();
        let report = outputs.add(self.path, |mut out| edit.write(&mut out))?;
        outputs.persist()?;
        Ok(report)
    }

    /// Saves a merged animation and the merged side-cars, of which there is one for each input, or none. The output is none of the inputs.
    ///
    /// # Errors
    /// [`SaveError`]; a side-car of another animation beside the output, if no input has one.
    pub fn merged(&self, merge: &Merge<'_>, side_cars: &[Option<&[u8]>]) -> Result<MergeReport, SaveError> {
        let originals = Originals::new(self.inputs.iter().cloned());
        let name = |error: io::Error| SaveError::Name { path: self.path.to_owned(), why: error.to_string() };
        originals.check(self.path).map_err(name)?;
        let configs: Vec<_> = side_cars.iter().map(|bytes| bytes.map(Config::new)).collect();
        let mut config = None;
        if configs.iter().any(Option::is_some) {
            merge.write_config(&configs, config.get_or_insert_with(Vec::new))?;
        }
        self.check_side_car(&originals, config.is_some())?;
        let mut outputs = self.begin()?;
        self.check_beside(config.is_some())?;
        let report = outputs.add(self.path, |mut out| merge.write(&mut out))?;
        outputs.add_config(self.path, config.as_deref())?;
        outputs.persist()?;
        Ok(report)
    }

    /// Saves a file with the findings of some codes mended. Without a side-car: nothing in it changes.
    ///
    /// # Errors
    /// [`SaveError`].
    pub fn mended(&self, asset: &Asset<'_>, codes: &[Code]) -> Result<FixReport, SaveError> {
        let expected = format!("this is {}: expected a name with its extension", asset.format().title());
        self.check_extension(asset.format().extensions(), &expected)?;
        self.check_archives()?;
        let mut outputs = self.begin()?;
        let report = outputs.add(self.path, |mut out| Ok(fix(asset, codes, &mut out)?))?;
        outputs.persist()?;
        Ok(report)
    }

    fn begin(&self) -> Result<Files, SaveError> {
        // A file that is not there yet lies in a folder that is.
        let real = |path: &Path| {
            let folder = || Some(real_path(folder_of(path)).ok()?.join(path.file_name()?));
            real_path(path).ok().or_else(folder).unwrap_or_else(|| path.to_owned())
        };
        let side_car = self.path.with_extension(SIDE_CAR);
        if real(&side_car) == real(self.path) {
            let why = "this is the name of its own side-car: choose another extension".to_owned();
            return Err(SaveError::Name { path: self.path.to_owned(), why });
        }
        if let Some(exec) = self.exec {
            let inputs = self.inputs.iter().flat_map(|input| [input.clone(), input.with_extension(SIDE_CAR)]);
            let mut others = inputs.chain([self.path.to_owned(), side_car]);
            if others.any(|other| real(&other) == real(exec)) {
                return Err(SaveError::Exec(exec.to_owned()));
            }
        }
        Ok(self.files())
    }

    fn files(&self) -> Files {
        Files { files: Vec::new(), work: Work::of(self.path), force: self.force }
    }

    /// Checks that the side-car of the output, if it has one, is that of no input.
    fn check_side_car(&self, originals: &Originals, has_side_car: bool) -> Result<(), SaveError> {
        let path = self.path.with_extension(SIDE_CAR);
        let checked = if has_side_car { originals.check(&path) } else { Ok(()) };
        checked.map_err(|error| SaveError::File { path, error })
    }

    /// Checks that the output is no archive that an input is an entry of.
    fn check_archives(&self) -> Result<(), SaveError> {
        let archives = self.inputs.iter().map(Address::find);
        let archives = archives.filter(|input| input.entry().is_some()).map(|input| input.path().to_owned());
        let name = |error: io::Error| SaveError::Name { path: self.path.to_owned(), why: error.to_string() };
        Originals::new(archives).check(self.path).map_err(name)
    }

    fn check_extension(&self, known: &[&str], expected: &str) -> Result<(), SaveError> {
        let extension = self.path.extension().unwrap_or_default();
        if known.iter().any(|known| extension.eq_ignore_ascii_case(known)) {
            return Ok(());
        }
        Err(SaveError::Name { path: self.path.to_owned(), why: expected.to_owned() })
    }

    /// Checks that an output without a side-car gets none that is there: it is about another file, and would be taken for its own.
    fn check_beside(&self, has_side_car: bool) -> Result<(), SaveError> {
        let beside = self.path.with_extension(SIDE_CAR);
        if has_side_car || beside.symlink_metadata().is_err() {
            return Ok(());
        }
        Err(SaveError::File { path: beside, error: io::Error::other(FOREIGN) })
    }

    fn fault(&self, error: io::Error) -> SaveError {
        SaveError::File { path: self.path.to_owned(), error }
    }
}

/// Makes a file for each sequence of an animation, below a folder, with the lines of the side-car that are about it. Names that collide are numbered. The
/// files are made one after the other: after an error, those before it are there.
///
/// `input`: the file that is read, which no output replaces. Returns the files in the order of the sequences, and their bytes together.
///
/// # Errors
/// [`SaveError`].
pub fn split(
    animation: &Psa<'_>,
    side_car: Option<&[u8]>,
    input: Option<&Path>,
    folder: &Path,
    force: bool,
) -> Result<(Vec<PathBuf>, u64), SaveError> {
    let split = Split::new(animation)?;
    let side_cars = side_car.map(|bytes| split.side_cars(&Config::new(bytes)));
    create_folders(folder).map_err(|error| SaveError::File { path: folder.to_owned(), error })?;
    let originals = Originals::new(input.map(Path::to_owned));
    let (mut saver, mut taken) = (Saver::new(Work::new(b"split")), Taken::default());
    let (mut files, mut bytes) = (Vec::new(), 0_u64);
    // Each file repeats the bones and what a side-car says of all sequences.
    let limit = OutputLimit::new(None);
    limit.add_input(animation.bytes().len().saturating_add(side_car.map_or(0, <[u8]>::len)));
    for index in 0..split.len() {
        let Some(sequence) = split.sequence(index) else { break };
        let wanted = PathBuf::from(part(&sequence.name().to_string()));
        let name = numbered(&wanted, taken.add(&wanted));
        let own = joined(folder, format!("{}.{SIDE_CAR}", name.display()).as_ref());
        if side_car.is_none() && own.symlink_metadata().is_ok() {
            return Err(SaveError::File { path: own, error: io::Error::other(FOREIGN) });
        }
        // Neither is there without the other.
        let mut both = Files { files: Vec::new(), work: Work::new(b"split"), force };
        let mut put = |extension: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>| {
            let file = PathBuf::from(format!("{}.{extension}", name.display()));
            let shown = joined(folder, &file);
            let place = originals.check(&shown).and_then(|()| Place::below(folder, &file));
            let written = place.and_then(|place| {
                saver.begin(&place, force, |out| {
                    let mut counted = Counted { out: limit.to(out), bytes: 0 };
                    write(&mut counted)?;
                    bytes = bytes.saturating_add(counted.bytes);
                    Ok(())
                })
            });
            both.files.push(written.map_err(|error| SaveError::File { path: shown.clone(), error })?);
            Ok::<_, SaveError>(shown)
        };
        files.push(put("psa", &mut |mut out| split.write(index, &mut out).map(drop).map_err(into_io))?);
        if let Some(side_cars) = &side_cars {
            put(SIDE_CAR, &mut |mut out| side_cars.write(index, &mut out).map_err(into_io))?;
        }
        let named = persist(std::mem::take(&mut both.files));
        named.map_err(|(path, error)| SaveError::File { path, error })?;
    }
    Ok((files, bytes))
}

fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn into_io(error: EditError) -> io::Error {
    match error {
        EditError::Write(error) => error,
        other => io::Error::other(other.to_string()),
    }
}

/// Files that get their names when all are complete.
struct Files {
    files: Vec<Written>,
    work: Work,
    force: bool,
}

impl Drop for Files {
    fn drop(&mut self) {
        discard(std::mem::take(&mut self.files));
    }
}

impl Files {
    /// Adds a file under a temporary name.
    fn add<T>(
        &mut self,
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> Result<T, EditError>,
    ) -> Result<T, SaveError> {
        self.work.remove_orphans(path);
        let mut done = None;
        let file = Written::new(&self.work, &Place::of(path), self.force, |out| {
            match write(out) {
                Ok(report) => done = Some(Ok(report)),
                Err(EditError::Write(error)) => return Err(error),
                Err(error) => {
                    done = Some(Err(error));
                    return Err(io::Error::other("nothing is written"));
                }
            }
            to_disk(out)
        });
        match (done, file) {
            (Some(Ok(report)), Ok(file)) => {
                self.files.push(file);
                Ok(report)
            }
            (Some(Err(error)), _) => Err(error.into()),
            (_, Err(error)) => Err(SaveError::File { path: path.to_owned(), error }),
            (None, Ok(_)) => {
                Err(SaveError::File { path: path.to_owned(), error: io::Error::other("nothing is written") })
            }
        }
    }

    fn add_bytes(&mut self, path: &Path, bytes: &[u8]) -> Result<(), SaveError> {
        self.add(path, |out| Ok(out.write_all(bytes)?))
    }

    /// Adds the side-car of an animation, if it has one.
    fn add_config(&mut self, animation: &Path, config: Option<&[u8]>) -> Result<(), SaveError> {
        config.map_or(Ok(()), |config| self.add_bytes(&animation.with_extension(SIDE_CAR), config))
    }

    /// The bytes of the first file, before it has its name.
    fn read_first(&self, opener: &Opener) -> io::Result<Mapping<'static>> {
        let missing = || io::Error::other("nothing is written");
        let mut file = self.files.first().ok_or_else(missing)?.file().try_clone()?;
        file.seek(SeekFrom::Start(0))?;
        opener.open_file(file)
    }

    /// Gives the files their names.
    fn persist(mut self) -> Result<(), SaveError> {
        let files = std::mem::take(&mut self.files);
        let paths: Vec<PathBuf> = files.iter().map(|own| own.path().to_owned()).collect();
        persist(files).map_err(|(path, error)| SaveError::File { path, error })?;
        for path in paths {
            sync_folder(&path).map_err(|error| SaveError::File { path, error })?;
        }
        Ok(())
    }
}
