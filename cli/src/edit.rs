//! `skelmap edit`, `merge` and `split`: lossless edits of ActorX files and of SWAT 3 animations. Outputs appear complete or not at all.

use std::path::{Path, PathBuf};

use clap::Args;
use skelmap::Asset;
use skelmap::actorx::{Psa, Psk};
use skelmap::archive::{Address, SideCar};
use skelmap::swat3::Gsa;
use skelmap_batch::edit::{self, SaveError, Saving};
use skelmap_batch::items::Loaded;
use skelmap_write::edit::{EditError, Merge, PsaEdit, PsaEditReport, PskEdit};

use crate::arguments::{Parsing, local, number, place};
use crate::files::{self, Source};
use crate::gsa;
use crate::messages::summarize;
use crate::outcome::{Ended, Failure, Outcome};
use crate::saved::{unsaved, written};
use crate::sink::Sink;
use crate::text::{counted, size};

/// Edit an ActorX file or a SWAT 3 animation. All other bytes stay.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap edit Anims.psa -o Few.psa --keep walk,run --rename walk=Walk --trim walk=0..20
  skelmap edit Body.psk -o Small.psk --scale 0.5 --rename-bone Bip01=Root --drop-extras
  skelmap edit Anims.psa -o Anims.psa --force --rate walk=24
  skelmap edit Reload.GSA -o New.GSA --add-event 11:itemsound=magout --add-event 19:itemsound=magin
  skelmap edit Old.GSA -o New.GSA --to-version 4.2 --add-event 12:sound=cuff
  skelmap edit Walk.GSA -o Quiet.GSA --remove-event 'sound=step' --remove-event 4:sound=cough
  skelmap edit Walk.GSA -o New.GSA --rename-event sound=step sound=step_metal
  skelmap edit Walk.GSA -o Still.GSA --from 3 --to 3

ActorX: all names are those of FILE, and match in any case; of several elements of one name, --keep means all, and the others mean the first. Frames are counted from 0; the end of a range is not kept. --drop-bone leaves out a track: the mesh \
has the pose of its bone then. The side-car (.config) beside an animation is edited with it, and written beside OUT. What is not asked about stays byte \
for byte: order and flags of chunks, records, keys, garbage behind names, unknown chunks.

SWAT 3: frames and events are those of FILE. Events are written as in the file (itemsound=magout) or, if the file is not UTF-8, as they are shown. Removed \
events get no new name, and added ones come last. The result is read back before it is written: an edit after which other bytes would be read \
otherwise is refused.

OUT appears complete or not at all: it is written as .skelmap-*.part and renamed. A replaced file keeps its permissions, but not its owner, links and \
attributes.")]
pub(crate) struct Edit {
    /// A mesh (.psk, .pskx) or an animation (.psa, .gsa).
    #[arg(value_name = "FILE", value_parser = place())]
    path: PathBuf,
    /// The file to write; - is standard output.
    #[arg(short, long, value_name = "OUT", value_parser = local())]
    output: PathBuf,
    /// Replace OUT if it exists; it may be FILE itself.
    #[arg(long)]
    force: bool,
    /// Keep only the sequences of these names, separated by commas.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    keep: Vec<String>,
    /// Give a sequence a new name; can be given several times.
    #[arg(long, value_name = "OLD=NEW")]
    rename: Vec<String>,
    /// Give a sequence another number of frames per second.
    ///
    /// Can be given several times.
    #[arg(long, value_name = "NAME=FPS")]
    rate: Vec<String>,
    /// Keep a range of frames of a sequence; can be given several times.
    #[arg(long, value_name = "NAME=FROM..END")]
    trim: Vec<String>,
    /// Give a bone a new name; can be given several times.
    #[arg(long, value_name = "OLD=NEW")]
    rename_bone: Vec<String>,
    /// Leave out a bone of an animation and its track.
    ///
    /// Can be given several times.
    #[arg(long, value_name = "NAME")]
    drop_bone: Vec<String>,
    /// Give the materials of this name a new one.
    ///
    /// Can be given several times.
    #[arg(long, value_name = "OLD=NEW")]
    rename_material: Vec<String>,
    /// Scale a mesh: its points, bones, sockets and morph targets.
    #[arg(long, value_name = "FACTOR", value_parser = number("expected a number above 0", |factor: &f32| factor.is_finite() && *factor > 0.0))]
    scale: Option<f32>,
    /// Leave out a chunk of a mesh that the classic format does not have (VTXNORMS, 'EXTRAUVS*'); can be given several times.
    #[arg(long, value_name = "ID", hide_short_help = true)]
    drop_chunk: Vec<String>,
    /// Leave out all chunks that are not of the classic format of meshes.
    #[arg(long)]
    drop_extras: bool,
    /// Give each of several sequences that share frames its own copy, where frames or bones are left out.
    #[arg(long, hide_short_help = true)]
    copy_shared: bool,
    /// Write the `#exec` lines with which the compiler of Unreal Engine 1 and 2 imports OUT to this file.
    #[arg(long, value_name = "UC", value_parser = local(), hide_short_help = true)]
    exec: Option<PathBuf>,
    #[command(flatten)]
    events: gsa::Requests,
    #[command(flatten)]
    pub(crate) parsing: Parsing,
}

impl Edit {
    /// Where the edit is saved.
    fn saving<'s>(&'s self, path: &'s Path, inputs: &'s [PathBuf], source: &'s Source) -> Saving<'s> {
        Saving { path, force: self.force, inputs, exec: self.exec.as_deref(), opener: &source.opener }
    }
}

/// Make one animation of several.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap merge Walk.psa Run.psa -o Anims.psa
  skelmap merge one/walk.psa one/idle.psa -o All.psa
  skelmap merge Fox.psa Wolf.psa -o Both.psa --number

The first file gives the chunks and the bones. Files with the same bones give their keys as they are; of others, tracks are found by name, and bones \
without a track get the rest pose of the first file. Side-cars (.config) are merged too. The way back from `skelmap split` gives the bytes of the \
original.")]
pub(crate) struct MergeFiles {
    /// Animations (.psa).
    #[arg(required = true, value_name = "FILE", value_parser = place())]
    paths: Vec<PathBuf>,
    /// The file to write; - is standard output.
    #[arg(short, long, value_name = "OUT", value_parser = local())]
    output: PathBuf,
    /// Replace OUT if it exists.
    #[arg(long)]
    force: bool,
    /// Number sequences whose name an earlier one has.
    #[arg(long)]
    number: bool,
    /// Give each of several sequences that share frames its own copy.
    #[arg(long)]
    copy_shared: bool,
}

/// Make a file for each sequence of an animation.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap split Anims.psa -o one/
  skelmap split Anims.psa -o one/ --force
  skelmap split 'mod.zip!/anims/Anims.psa' -o one/

Each file has all bones, and the lines of the side-car (.config) that are about it. `skelmap merge` of all of them, in the order of the original (not that of \
their names, which a shell gives for one/*.psa), is the way back. Names that collide are numbered.")]
pub(crate) struct SplitFile {
    /// The animation (.psa).
    #[arg(value_name = "FILE", value_parser = place())]
    path: PathBuf,
    /// The folder to write to.
    #[arg(short, long, value_name = "DIR", value_parser = local())]
    output: PathBuf,
    /// Replace files that exist.
    #[arg(long)]
    force: bool,
}

pub(crate) fn edit(arguments: &Edit, source: &Source) -> Ended {
    let sink = Sink::new(Some(&arguments.output));
    sink.check_binary("-o FILE or > FILE")?;
    let path = &arguments.path;
    let loaded = files::load(source, path)?;
    let said = match files::asset(&loaded, path)? {
        Asset::ActorxPsa(animation) => edit_animation(arguments, &animation, source, sink)?,
        Asset::ActorxPsk(mesh) => edit_mesh(arguments, &mesh, source, sink)?,
        Asset::Swat3Gsa(animation) => edit_events(arguments, &animation, source, sink)?,
        other => {
            let expected = "an ActorX mesh or animation, or a SWAT 3 animation";
            return Err(files::other_format(path, other.format(), expected));
        }
    };
    summarize(said);
    Ok(Outcome::Clean)
}

/// Edits an animation and its side-car. Returns what is said of it.
fn edit_animation(arguments: &Edit, animation: &Psa<'_>, source: &Source, sink: Sink<'_>) -> Result<String, Failure> {
    let of_mesh = [
        (!arguments.rename_material.is_empty(), "--rename-material"),
        (arguments.scale.is_some(), "--scale"),
        (!arguments.drop_chunk.is_empty(), "--drop-chunk"),
        (arguments.drop_extras, "--drop-extras"),
    ];
    refuse(&of_mesh, "this is an animation, and it is about meshes")?;
    refuse(&arguments.events.given(), "this is an ActorX animation, and it is about SWAT 3 animations")?;
    let mut edit = PsaEdit::new(animation);
    let usage = |error: EditError| Failure::usage(error).in_file(&arguments.path);
    for (old, new) in pairs(&arguments.rename, "--rename", "OLD=NEW")? {
        edit.rename(old, new).map_err(usage)?;
    }
    for (name, rate) in pairs(&arguments.rate, "--rate", "NAME=FPS")? {
        let rate = rate.parse().map_err(|_| expected("--rate", "NAME=FPS"))?;
        edit.set_rate(name, rate).map_err(usage)?;
    }
    for (name, range) in pairs(&arguments.trim, "--trim", "NAME=FROM..END")? {
        let range = range.split_once("..").and_then(|(from, end)| Some(from.parse().ok()?..end.parse().ok()?));
        edit.trim(name, range.ok_or_else(|| expected("--trim", "NAME=FROM..END"))?).map_err(usage)?;
    }
    for (old, new) in pairs(&arguments.rename_bone, "--rename-bone", "OLD=NEW")? {
        edit.rename_bone(old, new).map_err(usage)?;
    }
    for name in &arguments.drop_bone {
        edit.drop_bone(name).map_err(usage)?;
    }
    if !arguments.keep.is_empty() {
        edit.keep(&arguments.keep).map_err(usage)?;
    }
    if arguments.copy_shared {
        edit.copy_shared_frames();
    }
    let side_car = side_car(&arguments.path, source)?;
    let side_car = side_car.as_ref().map(|side_car| &*side_car.bytes);
    let Sink::File(path) = sink else {
        check_alone(side_car.is_some(), arguments.exec.is_some())?;
        let report = written(sink, |mut out| edit.write(&mut out))?;
        return Ok(said(&report));
    };
    let saved = arguments.saving(path, std::slice::from_ref(&arguments.path), source).animation(&edit, side_car);
    saved.map(|report| said(&report)).map_err(|error| unsaved(error, Some(&arguments.path)))
}

/// What is said of an edited animation.
fn said(report: &PsaEditReport) -> String {
    format!("{} of {} bones, {}", counted(report.sequences as u64, "sequence"), report.bones, size(report.bytes))
}

fn edit_mesh(arguments: &Edit, mesh: &Psk<'_>, source: &Source, sink: Sink<'_>) -> Result<String, Failure> {
    let of_animation = [
        (!arguments.keep.is_empty(), "--keep"),
        (!arguments.rename.is_empty(), "--rename"),
        (!arguments.rate.is_empty(), "--rate"),
        (!arguments.trim.is_empty(), "--trim"),
        (!arguments.drop_bone.is_empty(), "--drop-bone"),
    ];
    refuse(&of_animation, "this is a mesh, and it is about animations")?;
    refuse(&arguments.events.given(), "this is a mesh, and it is about SWAT 3 animations")?;
    let mut edit = PskEdit::new(mesh);
    let usage = |error: EditError| Failure::usage(error).in_file(&arguments.path);
    for (old, new) in pairs(&arguments.rename_bone, "--rename-bone", "OLD=NEW")? {
        edit.rename_bone(old, new).map_err(usage)?;
    }
    for (old, new) in pairs(&arguments.rename_material, "--rename-material", "OLD=NEW")? {
        edit.rename_material(old, new).map_err(usage)?;
    }
    if let Some(factor) = arguments.scale {
        edit.scale(factor).map_err(usage)?;
    }
    for id in &arguments.drop_chunk {
        edit.drop_chunk(id).map_err(usage)?;
    }
    if arguments.drop_extras {
        edit.drop_extras();
    }
    let Sink::File(path) = sink else {
        check_alone(false, arguments.exec.is_some())?;
        return Ok(size(written(sink, |mut out| edit.write(&mut out))?.bytes));
    };
    let saved = arguments.saving(path, std::slice::from_ref(&arguments.path), source).mesh(&edit);
    saved.map(|report| size(report.bytes)).map_err(|error| unsaved(error, Some(&arguments.path)))
}

/// Edits a SWAT 3 animation. Returns what is said of it.
fn edit_events(arguments: &Edit, animation: &Gsa<'_>, source: &Source, sink: Sink<'_>) -> Result<String, Failure> {
    refuse(&[(!arguments.rename.is_empty(), "--rename")], "this is a SWAT 3 animation: --rename-event renames events")?;
    refuse(&[(!arguments.trim.is_empty(), "--trim")], "this is a SWAT 3 animation: --from and --to keep frames")?;
    let of_actorx = [
        (!arguments.keep.is_empty(), "--keep"),
        (!arguments.rate.is_empty(), "--rate"),
        (!arguments.rename_bone.is_empty(), "--rename-bone"),
        (!arguments.drop_bone.is_empty(), "--drop-bone"),
        (!arguments.rename_material.is_empty(), "--rename-material"),
        (arguments.scale.is_some(), "--scale"),
        (!arguments.drop_chunk.is_empty(), "--drop-chunk"),
        (arguments.drop_extras, "--drop-extras"),
        (arguments.copy_shared, "--copy-shared"),
        (arguments.exec.is_some(), "--exec"),
    ];
    refuse(&of_actorx, "this is a SWAT 3 animation, and it is about ActorX files")?;
    let edit = arguments.events.asked(animation, &[]).map_err(|failure| failure.in_file(&arguments.path))?;
    gsa::save(&edit, &arguments.path, sink, arguments.force, source)
}

pub(crate) fn merge(arguments: &MergeFiles, source: &Source) -> Ended {
    let sink = Sink::new(Some(&arguments.output));
    sink.check_binary("-o FILE or > FILE")?;
    sink.check(arguments.force, &arguments.paths)?;
    let loaded: Vec<Loaded> = arguments.paths.iter().map(|path| files::load(source, path)).collect::<Result<_, _>>()?;
    let mut animations = Vec::new();
    for (path, loaded) in arguments.paths.iter().zip(&loaded) {
        match files::asset(loaded, path)? {
            Asset::ActorxPsa(animation) => animations.push(animation),
            other => return Err(files::other_format(path, other.format(), "an ActorX animation")),
        }
    }
    let merge = Merge::new(&animations);
    let merge = if arguments.number { merge.number_duplicates() } else { merge };
    let merge = if arguments.copy_shared { merge.copy_shared_frames() } else { merge };
    let side_cars: Vec<_> = arguments.paths.iter().map(|path| side_car(path, source)).collect::<Result<_, _>>()?;
    let report = if let Sink::File(path) = sink {
        let configs: Vec<_> = side_cars.iter().map(|own| own.as_ref().map(|own| &*own.bytes)).collect();
        let (force, inputs) = (arguments.force, arguments.paths.as_slice());
        let saving = Saving { path, force, inputs, exec: None, opener: &source.opener };
        saving.merged(&merge, &configs).map_err(|error| match error {
            SaveError::Edit(error @ EditError::Taken { .. }) => {
                Failure::usage(format!("{error}: --number gives the later one a number"))
            }
            error => unsaved(error, None),
        })?
    } else {
        check_alone(side_cars.iter().any(Option::is_some), false)?;
        written(sink, |mut out| merge.write(&mut out))?
    };
    let mut said =
        vec![format!("{} of {}", counted(report.sequences as u64, "sequence"), counted(report.files as u64, "file"))];
    for (count, noun, what) in [
        (report.numbered_sequences, "sequence", "numbered"),
        (report.dropped_tracks, "track", "without a bone of the first file left out"),
        (report.filled_tracks, "track", "of the rest pose added"),
    ] {
        if count > 0 {
            said.push(format!("{} {what}", counted(count as u64, noun)));
        }
    }
    said.push(size(report.bytes));
    summarize(said.join("; "));
    Ok(Outcome::Clean)
}

pub(crate) fn split(arguments: &SplitFile, source: &Source) -> Ended {
    let path = &arguments.path;
    let loaded = files::load(source, path)?;
    let animation = match files::asset(&loaded, path)? {
        Asset::ActorxPsa(animation) => animation,
        other => return Err(files::other_format(path, other.format(), "an ActorX animation")),
    };
    let side_car = side_car(path, source)?;
    let side_car = side_car.as_ref().map(|own| &*own.bytes);
    let made = edit::split(&animation, side_car, Some(path), &arguments.output, arguments.force);
    let (files, bytes) = made.map_err(|error| match error {
        SaveError::Edit(error) => Failure::findings(error).in_file(path),
        other => unsaved(other, None),
    })?;
    summarize(format!("{}, {}", counted(files.len() as u64, "file"), size(bytes)));
    Ok(Outcome::Clean)
}

/// Refuses what is not about this kind of file.
fn refuse(given: &[(bool, &str)], why: &str) -> Result<(), Failure> {
    match given.iter().find(|(is_given, _)| *is_given) {
        Some((_, name)) => Err(Failure::usage(format!("{name}: {why}"))),
        None => Ok(()),
    }
}

fn expected(option: &str, form: &str) -> Failure {
    Failure::usage(format!("{option}: expected {form}"))
}

/// The two sides of each `A=B`. The last `=` counts where a name may have one.
fn pairs<'a>(texts: &'a [String], option: &str, form: &str) -> Result<Vec<(&'a str, &'a str)>, Failure> {
    texts.iter().map(|text| text.rsplit_once('=').ok_or_else(|| expected(option, form))).collect()
}

/// The side-car beside an input.
fn side_car(path: &Path, source: &Source) -> Result<Option<SideCar>, Failure> {
    SideCar::beside(&Address::find(path), &source.opener).map_err(Failure::nothing_read)
}

/// What has no place beside an output that is no file.
fn check_alone(has_side_car: bool, has_exec: bool) -> Result<(), Failure> {
    if has_exec {
        return Err(Failure::usage("--exec names the file of OUT, and OUT is no file"));
    }
    if has_side_car {
        summarize("the side-car (.config) of the input is not written: the output is no file".to_owned());
    }
    Ok(())
}
