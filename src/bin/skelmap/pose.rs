//! `skelmap pose` and `skelmap skin`: what the game computes from an animation, as numbers.

use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;
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
    poses: Vec<OnePose<'a>>,
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

pub(crate) fn run_pose(arguments: &Pose, source: &Source) -> io::Result<Outcome> {
    let loaded = match open(&arguments.path, source) {
        Ok(loaded) => loaded,
        Err(outcome) => return Ok(outcome),
    };
    let (animation, poses) = match animation(&arguments.path, &loaded)
        .and_then(|animation| Ok((animation, posed(&animation, arguments, &arguments.path)?)))
    {
        Ok(done) => done,
        Err(outcome) => return Ok(outcome),
    };
    let bones = animation.bone_count();
    let mut out = print::output();
    match arguments.format {
        NumberFormat::F32 => write_floats(&mut out, poses.iter().flatten().copied())?,
        NumberFormat::Csv => write_poses(&mut out, &arguments.at, &poses, bones)?,
        NumberFormat::Json => {
            let each = arguments.at.iter().zip(poses.chunks(bones.max(1)));
            let poses = each.map(|(at_ms, matrices)| OnePose { at_ms: *at_ms, matrices }).collect();
            let path = arguments.path.display().to_string();
            let object = Poses { schema: SCHEMA, path, entry: None, looped: arguments.looped, bones, poses };
            serde_json::to_writer(&mut out, &object)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(Outcome::Clean)
}

fn posed(animation: &Psa<'_>, arguments: &Pose, path: &Path) -> Done<Vec<Matrix>> {
    said(path, animation.prove_playable())?;
    let mut poses = vec![IDENTITY; arguments.at.len().saturating_mul(animation.bone_count())];
    said(path, animation.poses(&arguments.at, playback(arguments.looped), &mut poses))?;
    Ok(poses)
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
            serde_json::to_writer(&mut out, &object)?;
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

fn write_poses(out: &mut impl Write, times: &[f32], poses: &[Matrix], bones: usize) -> io::Result<()> {
    let mut csv = csv::Writer::from_writer(out);
    let columns = (0..16).map(|element| format!("m{element}"));
    print::written(csv.write_record(["at_ms".to_owned(), "bone".to_owned()].into_iter().chain(columns)))?;
    for (time, pose) in times.iter().zip(poses.chunks(bones.max(1))) {
        for (bone, matrix) in pose.iter().enumerate() {
            let record =
                [time.to_string(), bone.to_string()].into_iter().chain(matrix.map(|element| element.to_string()));
            print::written(csv.write_record(record))?;
        }
    }
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
