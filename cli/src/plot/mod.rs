//! `skelmap plot`: how bones move over time, as a picture or as text.

mod curves;
mod svg;
mod terminal;

use std::path::{Path, PathBuf};

use clap::Args;
use skelmap::archive::Address;
use skelmap::model::Clip;

use self::curves::{Motion, Plot};
use crate::arguments::{Parsing, input, local};
use crate::files::{self, Source};
use crate::messages::summarize;
use crate::outcome::{Ended, Failure, Outcome};
use crate::sink::{Sink, is_stdout};
use crate::text::{counted, nearest};

/// The most bones of a plot: more cannot be told apart.
const MAX_BONES: usize = 8;

/// Plot the position, rotation and speed of bones over time: as text, or as SVG.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap plot Walk.psa --bone Pelvis
  skelmap plot Walk.psa --sequence Walk --bone Foot_L --bone Foot_R -o feet.svg

Positions are relative to what the file has them relative to: the parent of the bone (ActorX) or the model (Pyrogenesis), in the axes and \
units of the file. Rotation is the angle in degrees between a frame and the first one. Speed is the distance from one frame to the next, \
times the frames in a second; without a rate in the file, there is none. SWAT 3 has rotations only.

A long animation is drawn by the least and the greatest value of each column. Values that are not finite, or far away from all others, \
are left out, and their number is printed.")]
pub(crate) struct PlotArguments {
    /// An animation: a file, an entry of an archive, an address of an object; - is standard input.
    #[arg(value_name = "FILE", value_parser = input())]
    path: PathBuf,
    /// A bone: its name in any case, or its index; can be given several times [default: the first].
    #[arg(long, value_name = "NAME|INDEX")]
    bone: Vec<String>,
    /// The sequence, by its name in any case [default: the first].
    #[arg(long, value_name = "NAME")]
    sequence: Option<String>,
    /// Write an SVG file; - is SVG on standard output.
    #[arg(short, long, value_name = "FILE", value_parser = local())]
    output: Option<PathBuf>,
    /// Replace FILE if it exists.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    pub(crate) parsing: Parsing,
}

pub(crate) fn run(arguments: &PlotArguments, source: &Source) -> Ended {
    let sink = Sink::new(arguments.output.as_deref().filter(|output| !is_stdout(output)));
    sink.check_extension(&["svg"], "expected a name in .svg")?;
    sink.check(arguments.force, std::slice::from_ref(&arguments.path))?;
    let loaded = files::load(source, &arguments.path)?;
    let asset = files::asset(&loaded, &arguments.path)?;
    let clips: Vec<Clip<'_>> = asset.clips().collect();
    let clip = match (clips.first(), &arguments.sequence) {
        (None, _) => return Err(files::other_format(&arguments.path, asset.format(), "an animation")),
        (Some(first), None) => *first,
        (_, Some(name)) => files::find_clip(&arguments.path, &clips, name)?,
    };
    if clip.frame_count() == 0 {
        return Err(Failure::findings("the sequence has no frames").in_file(&arguments.path));
    }
    let tracks = tracks(&clip, &arguments.bone)?;
    let motions: Vec<Motion> = tracks.iter().map(|(track, name)| Motion::new(&clip, *track, name.clone())).collect();
    let plot = Plot::new(title(&arguments.path, &clip), &clip, motions);
    if arguments.sequence.is_none() && clips.len() > 1 {
        let name = clip.name().map(|name| name.to_string()).unwrap_or_default();
        summarize(format!("{}: the first, {name}, is plotted (--sequence)", counted(clips.len() as u64, "sequence")));
    }
    if !clip.parts().translation {
        summarize("the file has rotations only: places and speeds are not known");
    }
    if plot.left_out > 0 {
        summarize(format!("{} left out: not finite, or far away from the others", counted(plot.left_out, "value")));
    }
    let text = if arguments.output.is_some() { svg::write(&plot) } else { terminal::write(&plot) };
    sink.write_bytes(arguments.force, text.as_bytes())?;
    Ok(Outcome::Clean)
}

/// The tracks of bones with their names.
fn tracks(clip: &Clip<'_>, bones: &[String]) -> Result<Vec<(usize, String)>, Failure> {
    let skeleton = clip.skeleton();
    let name_of = |bone: usize| skeleton.name(bone).map_or_else(|| format!("bone {bone}"), |name| name.to_string());
    if bones.is_empty() {
        return Ok(clip.bone_of(0).map(|bone| (0, name_of(bone))).into_iter().collect());
    }
    if bones.len() > MAX_BONES {
        return Err(Failure::usage(format!("at most {MAX_BONES} bones can be told apart in one plot")));
    }
    let find = |wanted: &String| {
        let bone = skeleton.find(wanted).or_else(|| wanted.parse().ok());
        let track = bone.and_then(|bone| (0..clip.track_count()).find(|track| clip.bone_of(*track) == Some(bone)));
        let names: Vec<String> = (0..skeleton.bone_count()).map(name_of).collect();
        let hint =
            if let Some(near) = nearest(wanted, names.iter().map(String::as_str)).filter(|_| skeleton.has_names()) {
                format!("did you mean {near:?}? `skelmap info` lists the bones")
            } else if skeleton.has_names() {
                "`skelmap info` lists the bones".to_owned()
            } else {
                format!("they have no names: give an index below {}", clip.track_count())
            };
        let missing = || Failure::usage(format!("there is no bone {wanted:?} ({hint})"));
        bone.zip(track).map(|(bone, track)| (track, name_of(bone))).ok_or_else(missing)
    };
    bones.iter().map(find).collect()
}

fn title(path: &Path, clip: &Clip<'_>) -> String {
    let file = files::stem_of(&Address::find(path));
    clip.name().map_or_else(|| file.clone(), |name| format!("{file}: {name}"))
}
