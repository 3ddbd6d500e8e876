//! `skelmap pose` and `skelmap skin`: what the game computes from an animation, as numbers.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use clap::Args;
use skelmap::archive::Address;
use skelmap::catalog::Loaded;
use skelmap::pyrogenesis::{IDENTITY, Matrix, Playback, Pmd, Psa, SkinnedVertex};
use skelmap::{Asset, Error, ErrorKind};

use crate::arguments::NumberFormat;
use crate::files::{Source, asset, other_format};
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::stdout;
use crate::report::{Cell, Format, Rows, cells, document, write_rows};
use crate::row::{document_keys, path_and_entry};

/// Print the pose of a Pyrogenesis animation: a matrix for each bone, as the game computes it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap pose gallop.psa --at 250 --loop
  skelmap pose gallop.psa --at 0 --at 33.3 --at 66.7 --format f32 > poses.bin

Matrices are in model space and in columns: the translation is in m12, m13 and m14. f32: little-endian floats, [time][bone][16]. \
JSON keys (schema 1): schema, path, entry, loop, bones, poses [{at_ms, matrices [bone][16]}]; a float that is not finite is null.")]
pub(crate) struct Pose {
    /// The animation.
    #[arg(value_name = "PSA")]
    path: PathBuf,
    /// Time in milliseconds; can be given several times.
    #[arg(long, value_name = "MS", required = true, allow_negative_numbers = true)]
    at: Vec<f32>,
    /// Blend the last frame into the first. Without it, the last frame stands still for its length, and then time starts again.
    #[arg(long = "loop")]
    looped: bool,
    /// Format of the output.
    #[arg(long, value_enum, default_value_t = NumberFormat::Json)]
    format: NumberFormat,
}

/// Print the vertices of a Pyrogenesis mesh at rest, or moved by an animation, as the game computes them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap skin horse.pmd --format csv
  skelmap skin horse.pmd --anim gallop.psa --at 250 --loop --format csv
  skelmap skin horse.pmd --anim gallop.psa --at 250 --format f32 > vertices.bin

Without --anim: the rest pose in model space. Meshes of versions 1 and 2 store vertices relative to bones; the game moves them to \
model space first. The animation must have as many bones as the mesh, as in the game.

f32: little-endian floats, [vertex][position 3, normal 3]. JSON keys (schema 1): schema, path, entry, animation, at_ms, loop, \
vertices [{position, normal}]; a float that is not finite is null.")]
pub(crate) struct Skin {
    /// The mesh.
    #[arg(value_name = "PMD")]
    path: PathBuf,
    /// The animation [default: none, the rest pose].
    #[arg(long, value_name = "PSA", requires = "at")]
    anim: Option<PathBuf>,
    /// Time in milliseconds.
    #[arg(long, value_name = "MS", allow_negative_numbers = true, requires = "anim")]
    at: Option<f32>,
    /// Blend the last frame into the first. Without it, the last frame stands still for its length, and then time starts again.
    #[arg(long = "loop", requires = "anim")]
    looped: bool,
    /// Format of the output.
    #[arg(long, value_enum, default_value_t = NumberFormat::Json)]
    format: NumberFormat,
}

/// An animation to be posed.
#[derive(Clone, Copy)]
struct Player<'a> {
    animation: Psa<'a>,
    playback: Playback,
}

impl<'a> Player<'a> {
    fn new(path: &Path, loaded: &'a Loaded, looped: bool) -> Result<Self, Failure> {
        let animation = match asset(loaded, path)? {
            Asset::PyrogenesisPsa(animation) => animation,
            other => return Err(other_format(path, other.format(), "a Pyrogenesis animation")),
        };
        animation.prove_playable().map_err(|error| failure(path, error))?;
        Ok(Self { animation, playback: if looped { Playback::Loop } else { Playback::Once } })
    }

    fn pose(&self, at_ms: f32) -> Result<Vec<Matrix>, Error> {
        let mut pose = vec![IDENTITY; self.animation.bone_count()];
        self.animation.pose(at_ms, self.playback, &mut pose)?;
        Ok(pose)
    }
}

/// The end of a command that has no numbers to print.
fn failure(path: &Path, error: Error) -> Failure {
    // A time without a pose is the fault of the arguments, all else of the file.
    let is_time = matches!(error.kind(), ErrorKind::Time { .. });
    if is_time { Failure::usage(error).in_file(path) } else { Failure::findings(error).in_file(path) }
}

pub(crate) fn run_pose(arguments: &Pose, source: &Source) -> Ended {
    let Pose { path, at, looped, format } = arguments;
    let loaded = source.load(path)?;
    let player = Player::new(path, &loaded, *looped)?;
    // Nothing is printed if a later time has no pose.
    at.iter().try_for_each(|at| player.pose(*at).map(drop)).map_err(|error| failure(path, error))?;
    // One pose at a time: there may be many, and many bones.
    let poses = move || at.iter().filter_map(move |at| Some((*at, player.pose(*at).ok()?)));
    match format {
        NumberFormat::F32 => {
            let mut out = stdout();
            poses().try_for_each(|(_, pose)| write_floats(&mut out, pose.iter().flatten()))?;
            out.flush()?;
        }
        NumberFormat::Csv => {
            let keys = [
                "at_ms", "bone", "m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m10", "m11", "m12",
                "m13", "m14", "m15",
            ];
            let rows = Rows::new(keys, move || {
                poses().flat_map(|(at, pose)| {
                    pose.into_iter().enumerate().map(move |(bone, matrix)| {
                        let mut cells = cells![at, bone].into_iter().chain(matrix.map(Cell::Float));
                        std::array::from_fn(|_| cells.next().into())
                    })
                })
            });
            write_rows(&rows, Format::Csv)?;
        }
        NumberFormat::Json => {
            let (path, entry) = path_and_entry(&Address::find(path));
            let mut keys = document_keys(path);
            let poses = move || {
                poses().map(|(at, pose)| {
                    let pose: Rc<[Matrix]> = pose.into();
                    let matrices = move || {
                        let pose = Rc::clone(&pose);
                        (0..pose.len()).filter_map(move |bone| pose.get(bone).map(|matrix| floats(*matrix)))
                    };
                    Cell::Object(vec![("at_ms", at.into()), ("matrices", Cell::list(matrices))])
                })
            };
            keys.extend([
                ("entry", entry.into()),
                ("loop", (*looped).into()),
                ("bones", player.animation.bone_count().into()),
                ("poses", Cell::list(poses)),
            ]);
            document(stdout(), &Cell::Object(keys), false)?;
        }
    }
    Ok(Outcome::Clean)
}

pub(crate) fn run_skin(arguments: &Skin, source: &Source) -> Ended {
    let Skin { path, anim, at, looped, format } = arguments;
    let loaded = source.load(path)?;
    let mesh = match asset(&loaded, path)? {
        Asset::PyrogenesisPmd(mesh) => mesh,
        other => return Err(other_format(path, other.format(), "a Pyrogenesis mesh")),
    };
    let vertices = match anim.as_ref().zip(*at) {
        Some((anim, at)) => {
            let loaded = source.load(anim)?;
            let player = Player::new(anim, &loaded, *looped)?;
            mesh.prove_bone_count(player.animation.bone_count()).map_err(|error| failure(path, error))?;
            let pose = player.pose(at).map_err(|error| failure(anim, error))?;
            skin(&mesh, Some(&pose))
        }
        None => skin(&mesh, None),
    };
    let vertices = vertices.map_err(|error| failure(path, error))?;
    match format {
        NumberFormat::F32 => {
            let mut out = stdout();
            vertices.iter().try_for_each(|SkinnedVertex { position, normal }| {
                write_floats(&mut out, position.iter().chain(normal))
            })?;
            out.flush()?;
        }
        NumberFormat::Csv => {
            let rows = || {
                vertices.iter().enumerate().map(|(index, &SkinnedVertex { position, normal })| {
                    let ([x, y, z], [nx, ny, nz]) = (position, normal);
                    cells![index, x, y, z, nx, ny, nz]
                })
            };
            write_rows(&Rows::new(["vertex", "x", "y", "z", "nx", "ny", "nz"], rows), Format::Csv)?;
        }
        NumberFormat::Json => {
            let (path, entry) = path_and_entry(&Address::find(path));
            let mut keys = document_keys(path);
            let rows = || {
                vertices.iter().map(|&SkinnedVertex { position, normal }| {
                    Cell::Object(vec![("position", floats(position)), ("normal", floats(normal))])
                })
            };
            keys.extend([
                ("entry", entry.into()),
                ("animation", anim.as_ref().map(|anim| anim.display().to_string()).into()),
                ("at_ms", (*at).into()),
                ("loop", (*looped).into()),
                ("vertices", Cell::list(rows)),
            ]);
            document(stdout(), &Cell::Object(keys), false)?;
        }
    }
    Ok(Outcome::Clean)
}

/// The vertices at rest in model space, or moved by a pose.
fn skin(mesh: &Pmd<'_>, pose: Option<&[Matrix]>) -> Result<Vec<SkinnedVertex>, Error> {
    let mut bind = vec![IDENTITY; mesh.bones().len()];
    let mut rest = vec![SkinnedVertex::default(); mesh.vertices().len()];
    mesh.to_model_space(&mut bind, &mut rest)?;
    let Some(pose) = pose else { return Ok(rest) };
    let mut matrices = vec![IDENTITY; mesh.skin_matrix_count()];
    let mut moved = rest.clone();
    mesh.inverse_bind_pose(&mut bind)?;
    mesh.skin_matrices(pose, &bind, &mut matrices)?;
    mesh.skin_rest(&rest, &matrices, &mut moved)?;
    Ok(moved)
}

fn floats<'a, const N: usize>(floats: [f32; N]) -> Cell<'a> {
    Cell::list(move || floats.into_iter())
}

fn write_floats<'a>(out: &mut impl Write, mut floats: impl Iterator<Item = &'a f32>) -> std::io::Result<()> {
    floats.try_for_each(|float| out.write_all(&float.to_le_bytes()))
}
