//! The arguments of `pose` and `skin`, and the animation that they pose: by the engine's own arithmetic (Pyrogenesis), or as a clip (every other family).

use std::path::Path;

use clap::Args;
use skelmap::archive::{Address, SideCar};
use skelmap::model::{Binding, Change, Clip, Distances, IDENTITY, Matrix, Mesh, Skin, Space, Transform, Wrap};
use skelmap::pyrogenesis::{Playback, Psa};
use skelmap::{Asset, Error, ErrorKind, Format, Match, Verdict};
use skelmap_batch::items::Loaded;

use crate::arguments::{Parsing, UNIT, metres};
use crate::files::{Source, asset, find_clip, names_of, other_format};
use crate::outcome::Failure;
use crate::output::complain;
use crate::text::{counted, first_names, short};

/// The space of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum OutputSpace {
    /// As in the file.
    File,
    /// glTF: right-handed, y up, metres.
    Gltf,
    /// Unreal Engine: left-handed, z up, centimetres.
    Unreal,
}

impl OutputSpace {
    pub(super) const fn target(self) -> Option<Space> {
        match self {
            Self::File => None,
            Self::Gltf => Some(Space::GLTF),
            Self::Unreal => Some(Space::UNREAL),
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Gltf => "gltf",
            Self::Unreal => "unreal",
        }
    }
}

/// Which sequence, at which times, in which space.
#[derive(Debug, Args)]
pub(crate) struct Playing {
    /// The sequence of an animation that has several.
    #[arg(long, value_name = "NAME")]
    pub(super) sequence: Option<String>,
    /// Time with its unit, such as 0.5s or 500ms; can be given several times.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, value_parser = milliseconds)]
    pub(super) at: Vec<f32>,
    /// Frame, counted from 0; can be given several times.
    #[arg(long, value_name = "N")]
    pub(super) frame: Vec<usize>,
    /// Every frame.
    #[arg(long, conflicts_with_all = ["at", "frame"])]
    pub(super) every_frame: bool,
    /// Blend the last frame into the first. Without it, the pose stays that of the last frame. (Pyrogenesis: for the length of one
    /// frame; then time starts again, as in the game.)
    #[arg(long = "loop")]
    pub(super) looped: bool,
    /// Space of the output.
    #[arg(long, value_enum, default_value_t = OutputSpace::File)]
    pub(super) space: OutputSpace,
    /// How many metres one unit of an ActorX or UEFormat file is, which the file does not say; for --space gltf and unreal.
    #[arg(long, value_name = "METRES", default_value_t = UNIT, value_parser = metres)]
    pub(super) scale: f32,
    #[command(flatten)]
    pub(crate) parsing: Parsing,
}

/// The milliseconds of a time that can have a pose. The message has the time as it was given.
fn milliseconds(text: &str) -> Result<f32, String> {
    let unit = |end: &str, ms: f64| text.strip_suffix(end).map(|number| (number, ms));
    let (number, ms) = unit("ms", 1.0).or_else(|| unit("s", 1000.0)).unwrap_or((text, 0.0));
    let number: f64 = number.parse().map_err(|_| "expected a time, such as 0.5s or 500ms".to_owned())?;
    if ms == 0.0 && number != 0.0 {
        return Err(format!("expected a unit: {text}s or {text}ms"));
    }
    #[expect(clippy::cast_possible_truncation, reason = "a time of the engine is an `f32`")]
    let time = (number * ms) as f32;
    let is_time = time.is_finite() && number >= 0.0;
    is_time.then_some(time).ok_or_else(|| format!("there is no pose at {text}: expected a time from 0 to 3.4e38 ms"))
}

impl Playing {
    pub(super) fn has_times(&self) -> bool {
        self.every_frame || !self.at.is_empty() || !self.frame.is_empty()
    }

    pub(super) fn check_times(&self) -> Result<(), Failure> {
        if self.has_times() {
            Ok(())
        } else {
            Err(Failure::usage("choose a time: --at TIME, --frame N or --every-frame"))
        }
    }

    /// A mesh in the space of the output.
    pub(super) fn placed<'m>(&self, mesh: &Mesh<'m>) -> Mesh<'m> {
        match self.space.target() {
            Some(space) if mesh.space().metres().is_none() => mesh.with_metres(self.scale).in_space(space),
            Some(space) => mesh.in_space(space),
            None => *mesh,
        }
    }
}

/// A time of a pose.
#[derive(Clone, Copy)]
pub(super) enum Time {
    Ms(f32),
    Frame(usize),
}

/// Up to so many transforms in all frames of a sequence, it does not matter how few of them have keys.
const MAX_INFLATED: usize = 1 << 18;

/// An animation, and how it is posed.
pub(super) struct Player<'a> {
    how: How<'a>,
    /// The name of the sequence, if it has one.
    pub(super) name: Option<String>,
    frames: usize,
    /// Whether the sequence states far more frames than it has keys.
    is_inflated: bool,
    /// Milliseconds of a frame, if there is a rate.
    frame_ms: Option<f64>,
}

enum How<'a> {
    Engine { animation: Psa<'a>, playback: Playback, change: Change },
    Clip { clip: Clip<'a>, wrap: Wrap },
    Bound { clip: Clip<'a>, wrap: Wrap, binding: Box<(Binding, Skin)> },
}

/// A mesh and the bones that an animation moves.
pub(super) struct Posable<'a> {
    pub(super) mesh: Mesh<'a>,
    pub(super) format: Format,
    pub(super) influences: usize,
}

impl<'a> Posable<'a> {
    /// The mesh of an asset in the space of the output.
    pub(super) fn of(asset: &Asset<'a>, path: &Path, playing: &Playing, influences: usize) -> Result<Self, Failure> {
        let format = asset.format();
        let mesh = asset.mesh().ok_or_else(|| other_format(path, format, "a mesh"))?;
        Ok(Self { mesh: playing.placed(&mesh), format, influences })
    }
}

impl<'a> Player<'a> {
    /// Chooses the sequence of an animation, and binds it to a mesh if there is one.
    pub(super) fn new(
        path: &Path,
        loaded: &'a Loaded,
        playing: &Playing,
        mesh: Option<&Posable<'_>>,
        source: &Source,
    ) -> Result<Self, Failure> {
        let animation = asset(loaded, path)?;
        let format = animation.format();
        let clips: Vec<Clip<'a>> = animation.clips().collect();
        if animation.mesh().is_some() {
            return Err(other_format(path, format, "an animation"));
        }
        if let Some(mesh) = mesh.filter(|mesh| !mesh.format.is_related_to(format)) {
            let expected = format!("an animation of the family of {}", mesh.format);
            return Err(other_format(path, format, &expected));
        }
        let clip = choose(path, &clips, playing.sequence.as_deref())?;
        let target = playing.space.target();
        if target.is_some() && clip.space().is_none() {
            return Err(
                Failure::usage(format!("the space of {format} is not known, so --space cannot be used")).in_file(path)
            );
        }
        let unit = |clip: Clip<'a>| {
            if clip.space().is_some_and(|own| own.metres().is_none()) { clip.with_metres(playing.scale) } else { clip }
        };
        let frame_ms = clip.rate().map(|rate| 1000.0 / rate);
        let (frames, is_inflated) = (clip.frame_count(), clip.is_inflated(MAX_INFLATED));
        let wrap = if playing.looped { Wrap::Loop } else { Wrap::Clamp };
        let how = match (animation, mesh) {
            (Asset::PyrogenesisPsa(animation), _) => {
                animation.check_playable().map_err(|error| failure(path, error))?;
                let playback = if playing.looped { Playback::Loop } else { Playback::Once };
                let change = target.map_or(Change::NONE, |target| Space::PYROGENESIS.change_to(&target));
                How::Engine { animation, playback, change }
            }
            (_, Some(mesh)) => How::Bound { clip, wrap, binding: Box::new(bind(path, &clip, mesh, source)?) },
            (_, None) => How::Clip { clip: target.map_or(clip, |target| unit(clip).in_space(target)), wrap },
        };
        Ok(Self { how, name: clip.name().map(|name| name.to_string()), frames, is_inflated, frame_ms })
    }

    /// The times that the arguments ask for, each of which has a pose: nothing is printed if a later one has none.
    pub(super) fn times(&self, path: &Path, playing: &Playing) -> Result<Vec<Option<Time>>, Failure> {
        if playing.every_frame && self.frames == 0 {
            return Err(Failure::findings("the sequence has no frames").in_file(path));
        }
        if playing.every_frame && self.is_inflated {
            let message = format!(
                "the sequence states {} frames and has far fewer keys: choose some (--frame, --at)",
                self.frames
            );
            return Err(Failure::findings(message).in_file(path));
        }
        let frames = if playing.every_frame { (0..self.frames).collect() } else { playing.frame.clone() };
        if let Some(frame) = frames.iter().find(|frame| **frame >= self.frames) {
            let kind = ErrorKind::FrameOutOfRange { frame: *frame as u64, count: self.frames as u64 };
            return Err(Failure::usage(kind).in_file(path));
        }
        let times = playing.at.iter().map(|ms| Time::Ms(*ms)).chain(frames.into_iter().map(Time::Frame));
        let has_pose = |time| self.pose_in_file(time).map(|_| Some(time)).map_err(|error| failure(path, error));
        times.map(has_pose).collect()
    }

    /// The bone that a matrix is for. In a SWAT 3 file only some bones have tracks.
    pub(super) fn bone_of(&self, row: usize) -> usize {
        match &self.how {
            How::Clip { clip, .. } => clip.bone_of(row).unwrap_or(row),
            How::Engine { .. } | How::Bound { .. } => row,
        }
    }

    /// The milliseconds of a frame, if there is a rate.
    #[expect(clippy::cast_precision_loss, reason = "no file has 2^53 frames")]
    pub(super) fn ms(&self, frame: usize) -> Option<f64> {
        self.frame_ms.map(|ms| frame as f64 * ms)
    }

    /// What the matrices are relative to.
    pub(super) const fn relative(&self) -> &'static str {
        match &self.how {
            How::Engine { .. } | How::Bound { .. } => "model",
            How::Clip { clip, .. } => clip.relative().code(),
        }
    }

    /// Number of matrices in a pose.
    pub(super) fn bone_count(&self) -> usize {
        match &self.how {
            How::Engine { animation, .. } => animation.bone_count(),
            How::Clip { clip, .. } => clip.track_count(),
            How::Bound { binding, .. } => binding.1.bone_count(),
        }
    }

    /// A matrix for each bone, in the space of the output.
    pub(super) fn pose(&self, time: Time) -> Result<Vec<Matrix>, Error> {
        let mut pose = self.pose_in_file(time)?;
        if let How::Engine { change, .. } = &self.how {
            if *change != Change::NONE {
                for matrix in &mut pose {
                    *matrix = change.matrix(matrix);
                }
            }
        }
        Ok(pose)
    }

    /// A matrix for each bone; of the engine, in the space of the file.
    pub(super) fn pose_in_file(&self, time: Time) -> Result<Vec<Matrix>, Error> {
        let mut pose = vec![IDENTITY; self.bone_count()];
        match &self.how {
            How::Engine { animation, playback, .. } => match time {
                Time::Ms(ms) => animation.pose(ms, *playback, &mut pose)?,
                Time::Frame(frame) => animation.frame_pose(frame, &mut pose)?,
            },
            How::Clip { clip, wrap } => {
                let mut transforms = vec![Transform::IDENTITY; pose.len()];
                clip.sample_frame(position(clip, time)?, *wrap, &mut transforms)?;
                pose = transforms.iter().map(Transform::to_matrix).collect();
            }
            How::Bound { binding, .. } => binding.1.model_matrices(&self.transforms(time)?, &mut pose)?,
        }
        Ok(pose)
    }

    /// The transforms of a bound clip.
    fn transforms(&self, time: Time) -> Result<Vec<Transform>, Error> {
        let How::Bound { clip, wrap, binding } = &self.how else { return Ok(Vec::new()) };
        let mut transforms = vec![Transform::IDENTITY; binding.1.bone_count()];
        binding.0.sample_frame(clip, position(clip, time)?, *wrap, &mut transforms)?;
        Ok(transforms)
    }

    /// The skin of a bound clip, and the matrices that move its points.
    pub(super) fn skin(&self, time: Time) -> Result<Option<(&Skin, Vec<Matrix>)>, Error> {
        let How::Bound { binding, .. } = &self.how else { return Ok(None) };
        let mut matrices = vec![IDENTITY; binding.1.matrix_count()];
        binding.1.matrices(&self.transforms(time)?, &mut matrices)?;
        Ok(Some((&binding.1, matrices)))
    }
}

/// The position of a time in the frames of a clip.
#[expect(clippy::cast_precision_loss, reason = "no file has 2^53 frames")]
fn position(clip: &Clip<'_>, time: Time) -> Result<f64, Error> {
    match time {
        Time::Ms(ms) => clip.position_of(f64::from(ms) / 1000.0),
        Time::Frame(frame) => Ok(frame as f64),
    }
}

/// The clip of a name, or the only one.
fn choose<'a>(path: &Path, clips: &[Clip<'a>], name: Option<&str>) -> Result<Clip<'a>, Failure> {
    let message = match (name, clips) {
        (Some(name), _) => return find_clip(path, clips, name),
        (None, [clip]) => return Ok(*clip),
        (None, []) => "there is no sequence".to_owned(),
        (None, _) => {
            let sequences = counted(clips.len() as u64, "sequence");
            let names = names_of(clips);
            format!(
                "there are {sequences}: choose one with --sequence ({})",
                first_names(names.iter().map(short), names.len())
            )
        }
    };
    Err(Failure::usage(message).in_file(path))
}

/// Binds a clip to a mesh, with the side-car beside the animation.
fn bind(path: &Path, clip: &Clip<'_>, mesh: &Posable<'_>, source: &Source) -> Result<(Binding, Skin), Failure> {
    let skin = Skin::new(&mesh.mesh, mesh.influences).map_err(|error| failure(path, error))?;
    let dropped = skin.influences().dropped();
    if mesh.influences > 1 && dropped.out_of_range > 0 {
        complain(format!(
            "{} of points or bones that do not exist are left out",
            counted(dropped.out_of_range, "influence")
        ));
    }
    let mut binding = Binding::new(&mesh.mesh, clip);
    let side_car = SideCar::beside(&Address::find(path), &source.opener)
        .map_err(|error| Failure::findings(error).in_file(path))?;
    if let Some(side_car) = side_car {
        binding = binding.with_sources(&side_car.to_sources(clip));
    }
    let (rest, moved) = (Distances::of_mesh(&mesh.mesh), Distances::of_clip(clip));
    let found = binding.found().clone().measured(rest.as_ref(), moved.as_ref());
    match found.verdict() {
        Verdict::Exact => {}
        _ if found.is_counted() && found.can_play(Match::MIN_PERCENT) => {}
        Verdict::Not => return Err(Failure::findings(binding.found()).in_file(path)),
        _ => complain(format!("{}: {found}", Address::find(path))),
    }
    if binding.is_additive(clip) {
        complain(format!(
            "{}: the sequence looks additive: it is to be played on top of another one",
            Address::find(path)
        ));
    }
    Ok((binding, skin))
}

/// The end of a command that has no numbers to print.
pub(super) fn failure(path: &Path, error: Error) -> Failure {
    // A time without a pose is the fault of the arguments, all else of the file.
    let is_time = matches!(error.kind(), ErrorKind::Time { .. });
    if is_time { Failure::usage(error).in_file(path) } else { Failure::findings(error).in_file(path) }
}
