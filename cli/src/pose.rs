//! `skelmap pose` and `skelmap skin`: what the game computes from an animation, as numbers.

use std::io::{self, Write};
use std::path::Path;

use serde::ser::{Error as _, SerializeSeq};
use serde::{Serialize, Serializer};
use skelmap::pyrogenesis::{IDENTITY, Matrix, Playback, Pmd, Psa, SkinnedVertex};
use skelmap::{Asset, Error, ErrorKind, Format};

use crate::Outcome;
use crate::cli::{NumberFormat, Pose, Skin};
use crate::files::Source;
use crate::print;
use skelmap::archive::Address;
use skelmap::catalog::{Loaded, SCHEMA};

#[derive(Serialize)]
struct Poses<'a> {
    schema: u32,
    path: String,
    entry: Option<String>,
    #[serde(rename = "loop")]
    looped: bool,
    bones: usize,
    poses: &'a Times<'a>,
}

#[derive(Serialize)]
struct OnePose<'a> {
    at_ms: f32,
    matrices: &'a [Matrix],
}

#[derive(Serialize)]
struct Skinned {
    schema: u32,
    path: String,
    entry: Option<String>,
    animation: String,
    at_ms: f32,
    #[serde(rename = "loop")]
    looped: bool,
    vertices: Vec<VertexRow>,
}

#[derive(Serialize)]
struct VertexRow {
    position: [f32; 3],
    normal: [f32; 3],
}

/// Why there are no numbers: said already, with the exit status that it asks for.
type Done<T> = Result<T, Outcome>;

/// The poses of an animation at some times, computed one after the other: there may be many of either.
struct Times<'a> {
    animation: Psa<'a>,
    at: &'a [f32],
    playback: Playback,
}

impl Times<'_> {
    /// Hands out each time and its pose; `failed` makes an error of a time that has none.
    fn each<E>(
        &self,
        failed: impl Fn(Error) -> E,
        mut give: impl FnMut(f32, &[Matrix]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.animation.prove_playable().map_err(&failed)?;
        let mut pose = vec![IDENTITY; self.animation.bone_count()];
        self.at.iter().try_for_each(|at| {
            self.animation.pose(*at, self.playback, &mut pose).map_err(&failed)?;
            give(*at, &pose)
        })
    }
}

impl Serialize for Times<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut poses = serializer.serialize_seq(Some(self.at.len()))?;
        self.each(S::Error::custom, |at_ms, matrices| poses.serialize_element(&OnePose { at_ms, matrices }))?;
        poses.end()
    }
}

pub(crate) fn run_pose(arguments: &Pose, source: &Source) -> io::Result<Outcome> {
    let path = &arguments.path;
    let loaded = match open(path, source) {
        Ok(loaded) => loaded,
        Err(outcome) => return Ok(outcome),
    };
    let animation = match animation(path, &loaded) {
        Ok(animation) => animation,
        Err(outcome) => return Ok(outcome),
    };
    let times = Times { animation, at: &arguments.at, playback: playback(arguments.looped) };
    // Nothing is written where a later time has no pose.
    if let Err(outcome) = said(path, times.each(|error| error, |_, _| Ok(()))) {
        return Ok(outcome);
    }
    let mut out = print::output();
    match arguments.format {
        NumberFormat::F32 => {
            times.each(io::Error::other, |_, pose| write_floats(&mut out, pose.iter().flatten().copied()))?;
        }
        NumberFormat::Csv => write_poses(&mut out, &times)?,
        NumberFormat::Json => {
            let (looped, bones, path) = (arguments.looped, animation.bone_count(), path.display().to_string());
            let object = Poses { schema: SCHEMA, path, entry: None, looped, bones, poses: &times };
            print::json(&mut out, &object)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(Outcome::Clean)
}

pub(crate) fn run_skin(arguments: &Skin, source: &Source) -> io::Result<Outcome> {
    let opened = open(&arguments.path, source).and_then(|mesh| Ok((mesh, open(&arguments.anim, source)?)));
    let vertices = match opened.and_then(|(mesh, anim)| skinned(arguments, &mesh, &anim)) {
        Ok(vertices) => vertices,
        Err(outcome) => return Ok(outcome),
    };
    let mut out = print::output();
    match arguments.format {
        NumberFormat::F32 => {
            let floats = vertices.iter().flat_map(|vertex| vertex.position.into_iter().chain(vertex.normal));
            write_floats(&mut out, floats)?;
        }
        NumberFormat::Csv => write_vertices(&mut out, &vertices)?,
        NumberFormat::Json => {
            let rows = vertices.iter().map(|&SkinnedVertex { position, normal }| VertexRow { position, normal });
            let object = Skinned {
                schema: SCHEMA,
                path: arguments.path.display().to_string(),
                entry: None,
                animation: arguments.anim.display().to_string(),
                at_ms: arguments.at,
                looped: arguments.looped,
                vertices: rows.collect(),
            };
            print::json(&mut out, &object)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(Outcome::Clean)
}

fn skinned(arguments: &Skin, mesh: &Loaded, anim: &Loaded) -> Done<Vec<SkinnedVertex>> {
    let path = &arguments.path;
    let mesh = self::mesh(path, mesh)?;
    let animation = animation(&arguments.anim, anim)?;
    said(path, mesh.prove_bone_count(animation.bone_count()))?;
    said(&arguments.anim, animation.prove_playable())?;
    let mut pose = vec![IDENTITY; animation.bone_count()];
    said(&arguments.anim, animation.pose(arguments.at, playback(arguments.looped), &mut pose))?;
    said(path, skin(&mesh, &pose))
}

fn skin(mesh: &Pmd<'_>, pose: &[Matrix]) -> Result<Vec<SkinnedVertex>, Error> {
    let mut bind = vec![IDENTITY; mesh.bind_pose().len()];
    let mut matrices = vec![IDENTITY; mesh.skin_matrix_count()];
    let mut rest = vec![SkinnedVertex::default(); mesh.vertices().len()];
    let mut moved = rest.clone();
    mesh.to_model_space(&mut bind, &mut rest)?;
    mesh.inverse_bind_pose(&mut bind)?;
    mesh.skin_matrices(pose, &bind, &mut matrices)?;
    mesh.skin_rest(&rest, &matrices, &mut moved)?;
    Ok(moved)
}

const fn playback(looped: bool) -> Playback {
    if looped { Playback::Loop } else { Playback::Once }
}

fn open(path: &Path, source: &Source) -> Done<Loaded> {
    source.open(&Address::find(path)).map_err(|error| {
        print::complain(format_args!("{}", print::clean(error)));
        Outcome::NothingRead
    })
}

fn animation<'a>(path: &Path, loaded: &'a Loaded) -> Done<Psa<'a>> {
    match said(path, loaded.asset())? {
        Asset::PyrogenesisPsa(animation) => Ok(animation),
        other => wrong_kind(path, other.format(), "animation"),
    }
}

fn mesh<'a>(path: &Path, loaded: &'a Loaded) -> Done<Pmd<'a>> {
    match said(path, loaded.asset())? {
        Asset::PyrogenesisPmd(mesh) => Ok(mesh),
        other => wrong_kind(path, other.format(), "mesh"),
    }
}

fn wrong_kind<T>(path: &Path, format: Format, wanted: &str) -> Done<T> {
    print::complain(format_args!(
        "{}: this is {format}, expected a Pyrogenesis {wanted}",
        print::clean(path.display())
    ));
    Err(Outcome::Usage)
}

/// Says what is wrong with a file, if anything is.
fn said<T>(path: &Path, result: Result<T, Error>) -> Done<T> {
    result.map_err(|error| {
        print::complain(format_args!("{}: {error}", print::clean(path.display())));
        // A time without a pose is the user's, everything else the file's.
        if matches!(error.kind(), ErrorKind::Time { .. }) { Outcome::Usage } else { Outcome::Findings }
    })
}

fn write_floats(out: &mut impl Write, mut floats: impl Iterator<Item = f32>) -> io::Result<()> {
    floats.try_for_each(|float| out.write_all(&float.to_le_bytes()))
}

fn write_poses(out: &mut impl Write, times: &Times<'_>) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let columns = (0..16).map(|element| format!("m{element}"));
    print::written(csv.write_record(["at_ms".to_owned(), "bone".to_owned()].into_iter().chain(columns)))?;
    times.each(io::Error::other, |time, pose| {
        pose.iter().enumerate().try_for_each(|(bone, matrix)| {
            let record =
                [time.to_string(), bone.to_string()].into_iter().chain(matrix.map(|element| element.to_string()));
            print::written(csv.write_record(record))
        })
    })?;
    csv.flush()
}

fn write_vertices(out: &mut impl Write, vertices: &[SkinnedVertex]) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    print::written(csv.write_record(["vertex", "x", "y", "z", "nx", "ny", "nz"]))?;
    for (index, vertex) in vertices.iter().enumerate() {
        let floats = vertex.position.into_iter().chain(vertex.normal).map(|float| float.to_string());
        print::written(csv.write_record([index.to_string()].into_iter().chain(floats)))?;
    }
    csv.flush()
}
