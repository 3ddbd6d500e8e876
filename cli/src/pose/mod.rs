//! `skelmap pose` and `skelmap skin`: bones and points at any time, as numbers.

mod numbers;
mod player;
mod playing;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use skelmap::archive::Address;
use skelmap::model::{IDENTITY, Matrix, Mesh, Skin as Prepared, Space};
use skelmap::pyrogenesis::{Pmd, SkinnedVertex};
use skelmap::{Asset, Error};

use self::numbers::{float_output, write_floats};
use self::player::{Player, Posable, Time, failure};
use self::playing::Playing;
use crate::arguments::{NumberFormat, place};
use crate::files::{Source, asset, other_format};
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::stdout;
use crate::report::{
    Cell, Column, Format, Rows, Values, boolean, cells, document, double, float, integer, list, nested, text,
    write_rows,
};
use skelmap_batch::columns::{ENTRY_COLUMN, PATH_COLUMN, SCHEMA_COLUMN, document_keys, path_and_entry};

/// Print the pose of an animation: a matrix for each bone.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap pose gallop.psa --at 250 --loop
  skelmap pose gallop.psa --at 0 --at 33.3 --at 66.7 --format f32 > poses.bin
  skelmap pose Fox.psa --mesh Fox.psk --sequence walk --all --space gltf --format npy > walk.npy

Matrices are column-major: the translation is in m12, m13 and m14. Poses come in the order of all --at, then of all --frame. Pyrogenesis animations are in model space, bit for bit as in the game. \
ActorX animations are relative to the parent bone; with --mesh, their matrices are in model space, one for each bone of the mesh, and \
the side-car beside the animation is applied. What SWAT 3 rotations are relative to is not known.

f32: little-endian floats, [time][bone][16]. npy: the same with a header. In JSON, a float that is not finite is null: \
`skelmap columns pose` lists the keys and the columns.")]
pub(crate) struct Pose {
    /// The animation.
    #[arg(value_name = "ANIMATION", value_parser = place())]
    path: PathBuf,
    /// The mesh whose bones are posed (ActorX).
    #[arg(long, value_name = "MESH", value_parser = place())]
    mesh: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) playing: Playing,
    /// Format of the output.
    #[arg(long, value_enum, default_value_t = NumberFormat::Json)]
    format: NumberFormat,
}

/// Print the points of a mesh at rest, or moved by an animation.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap skin horse.pmd --format csv
  skelmap skin horse.pmd --anim gallop.psa --at 250 --loop --format csv
  skelmap skin Fox.psk --anim Fox.psa --sequence walk --frame 10 --space gltf --format npy > fox.npy

Without --anim: the rest pose in model space. Pyrogenesis meshes are moved bit for bit as in the game: the animation must have as many \
bones as the mesh, and meshes of versions 1 and 2, which store vertices relative to bones, are in model space. ActorX bones are \
matched by name, the side-car beside the animation is applied, and what has no partner stays in the bind pose; there is a row for each \
point, which wedges share.

f32: little-endian floats, [time][point][position 3, normal 3]; without normals in the file, the normals are NaN. npy: the same with a \
header. In JSON, a float that is not finite is null: `skelmap columns skin` lists the keys and the columns.")]
pub(crate) struct Skin {
    /// The mesh.
    #[arg(value_name = "MESH", value_parser = place())]
    path: PathBuf,
    /// The animation [default: none, the rest pose].
    #[arg(long, value_name = "ANIMATION", value_parser = place())]
    anim: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) playing: Playing,
    /// Influences for each point of ActorX meshes: the strongest, with weights that add up to 1 [default: all, at most 32].
    #[arg(long, value_name = "N")]
    influences: Option<std::num::NonZeroUsize>,
    /// Format of the output.
    #[arg(long, value_enum, default_value_t = NumberFormat::Json)]
    format: NumberFormat,
}

const AT_MS: Column = double("at_ms").unit("milliseconds").means("the time from the beginning of the sequence");

/// A number of a matrix.
const fn element(key: &'static str, meaning: &'static str) -> Column {
    float(key).means(meaning)
}

/// The columns of CSV.
const POSE: [Column; 18] = [
    AT_MS,
    integer("bone").means("the index of the bone"),
    element("m0", "the matrix of the bone, column by column: the x axis of the bone along x"),
    element("m1", "the x axis along y"),
    element("m2", "the x axis along z"),
    element("m3", "0"),
    element("m4", "the y axis along x"),
    element("m5", "the y axis along y"),
    element("m6", "the y axis along z"),
    element("m7", "0"),
    element("m8", "the z axis along x"),
    element("m9", "the z axis along y"),
    element("m10", "the z axis along z"),
    element("m11", "0"),
    element("m12", "the position of the bone along x").unit(UNITS),
    element("m13", "the position along y").unit(UNITS),
    element("m14", "the position along z").unit(UNITS),
    element("m15", "1"),
];
const UNITS: &str = "units of the space";

/// The columns of CSV.
const SKIN: [Column; 8] = [
    AT_MS,
    integer("vertex").means("the index of the point or vertex"),
    float("x").unit(UNITS).means("the position along x"),
    float("y").unit(UNITS).means("the position along y"),
    float("z").unit(UNITS).means("the position along z"),
    float("nx").means("the normal along x; NaN if the mesh has none"),
    float("ny").means("the normal along y"),
    float("nz").means("the normal along z"),
];

const FINITE: Column = float("").nullable().means("null if it is not finite");
const MATRIX: Column = text("").of(Values::Array(16, &FINITE));
const AT: Column = AT_MS.nullable();
const FRAME: Column = integer("frame").nullable().means("the frame, if it was asked for by --frame");
const SEQUENCE: Column = text("sequence").nullable().means("the name of the sequence");
const LOOP: Column = boolean("loop").means("whether the last frame is followed by the first (--loop)");
const SPACE: Column =
    text("space").of(Values::OneOf(|| vec!["file", "gltf", "unreal"])).means("the space of the numbers (--space)");

/// The keys of JSON, and the columns of CSV.
pub(crate) fn pose_columns() -> Vec<Column> {
    const BONE: Column = integer("");
    const ONE: Column =
        nested("", || vec![AT, FRAME, list("matrices", &MATRIX).means("a matrix for each bone, column by column")]);
    let relative = text("relative").of(Values::OneOf(|| vec!["model", "parent", "unknown"]));
    let keys = [
        SCHEMA_COLUMN,
        PATH_COLUMN,
        ENTRY_COLUMN,
        SEQUENCE,
        LOOP,
        SPACE,
        relative.means("the origin of the matrices: the model or the parent bone"),
        integer("bones").means("the number of bones"),
        list("bone_indices", &BONE).means("the index of each bone"),
        list("poses", &ONE).means("a pose for each time"),
    ];
    keys.map(Column::json).into_iter().chain(POSE.map(Column::flat)).collect()
}

/// The keys of JSON, and the columns of CSV.
pub(crate) fn skin_columns() -> Vec<Column> {
    const VECTOR: Column = text("").of(Values::Array(3, &FINITE));
    const VERTEX: Column = text("").of(Values::Shared("vertex", || {
        vec![VECTOR.keyed("position").means("the position of the point"), VECTOR.keyed("normal").means("the normal")]
    }));
    const VERTICES: Column = list("vertices", &VERTEX).means("each point or vertex");
    const ONE: Column = nested("", || vec![AT, FRAME, VERTICES]);
    let keys = [
        SCHEMA_COLUMN,
        PATH_COLUMN,
        ENTRY_COLUMN,
        text("animation").nullable().means("the file or archive of the animation; null for the rest pose"),
        text("animation_entry").nullable().means("the name of the animation in the archive"),
        SEQUENCE,
        LOOP,
        SPACE,
        AT.optional(),
        VERTICES.optional(),
        list("poses", &ONE).optional().means("the points at each of several times, in place of at_ms and vertices"),
    ];
    keys.map(Column::json).into_iter().chain(SKIN.map(Column::flat)).collect()
}

/// The mesh of an asset.
fn mesh_of<'m>(asset: &'m Asset<'_>, path: &Path) -> Result<Mesh<'m>, Failure> {
    asset.mesh().ok_or_else(|| other_format(path, asset.format(), "a mesh"))
}

pub(crate) fn run_pose(arguments: &Pose, source: &Source) -> Ended {
    let Pose { path, mesh, playing, format } = arguments;
    playing.check_times()?;
    let (loaded, of_mesh) = (source.load(path)?, mesh.as_ref().map(|mesh| source.load(mesh)).transpose()?);
    let of_mesh = of_mesh.as_ref().zip(mesh.as_ref());
    let of_mesh = of_mesh.map(|(loaded, path)| Ok::<_, Failure>((asset(loaded, path)?, path))).transpose()?;
    let posable = of_mesh.as_ref().map(|(asset, path)| {
        let mesh = playing.placed(&mesh_of(asset, path)?);
        Ok::<_, Failure>(Posable { mesh, format: asset.format(), influences: 1 })
    });
    let posable = posable.transpose()?;
    if let (Some(mesh), Ok(Asset::PyrogenesisPsa(_))) = (mesh, loaded.asset()) {
        let message = "--mesh is for ActorX: the bones of a Pyrogenesis animation are in model space already";
        return Err(Failure::usage(message).in_file(mesh));
    }
    let player = Player::new(path, &loaded, playing, posable.as_ref(), source)?;
    let times = player.times(playing).map_err(|failure| failure.in_file(path))?;
    // Nothing is printed if a later time has no pose.
    times.iter().try_for_each(|time| player.pose(*time).map(drop)).map_err(|error| failure(path, error))?;
    // One pose at a time: there may be many, and many bones.
    let (player, times) = (&player, &times);
    let poses = move || times.iter().filter_map(move |time| Some((*time, player.pose(*time).ok()?)));
    match format {
        NumberFormat::F32 | NumberFormat::Npy => {
            let mut out = float_output(*format, &[times.len(), player.bone_count(), IDENTITY.len()])?;
            poses().try_for_each(|(_, pose)| write_floats(&mut out, pose.iter().flatten()))?;
            out.flush()?;
        }
        NumberFormat::Csv => {
            let rows = Rows::of(POSE, move || {
                poses().flat_map(move |(time, pose)| {
                    pose.into_iter().enumerate().map(move |(bone, matrix)| {
                        let mut cells = cells![at_ms(player, time), player.bone_of(bone)]
                            .into_iter()
                            .chain(matrix.map(Cell::Float));
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
                poses().map(move |(time, pose)| {
                    let pose: Arc<[Matrix]> = pose.into();
                    let matrices = move || {
                        let pose = Arc::clone(&pose);
                        (0..pose.len()).filter_map(move |bone| pose.get(bone).map(|matrix| floats(*matrix)))
                    };
                    let [at, frame] = time_keys(player, time);
                    Cell::Object(vec![at, frame, ("matrices", Cell::list(matrices))])
                })
            };
            keys.extend([
                ("entry", entry.into()),
                ("sequence", player.sequence().into()),
                ("loop", playing.looped.into()),
                ("space", playing.space_name().into()),
                ("relative", player.relative().into()),
                ("bones", player.bone_count().into()),
                ("bone_indices", Cell::list(move || (0..player.bone_count()).map(|row| player.bone_of(row)))),
                ("poses", Cell::list(poses)),
            ]);
            document(stdout(), &Cell::Object(keys), false)?;
        }
    }
    Ok(Outcome::Clean)
}

/// The milliseconds of a time: as they were given, or those of a frame.
fn at_ms<'a>(player: &Player<'_>, time: Time) -> Cell<'a> {
    match time {
        Time::Ms(ms) => ms.into(),
        Time::Frame(_) => player.ms(time).into(),
    }
}

fn time_keys<'a>(player: &Player<'_>, time: Time) -> [(&'static str, Cell<'a>); 2] {
    let frame = match time {
        Time::Ms(_) => None,
        Time::Frame(frame) => Some(frame),
    };
    [("at_ms", at_ms(player, time)), ("frame", frame.into())]
}

pub(crate) fn run_skin(arguments: &Skin, source: &Source) -> Ended {
    let Skin { path, anim, playing, influences, format } = arguments;
    let loaded = source.load(path)?;
    let file = asset(&loaded, path)?;
    let mesh = playing.placed(&mesh_of(&file, path)?);
    let influences = influences.map_or(usize::MAX, std::num::NonZeroUsize::get);
    if anim.is_some() {
        playing.check_times()?;
    } else if playing.has_times() || playing.sequence.is_some() || playing.looped {
        return Err(Failure::usage("times and sequences belong to an animation: name it with --anim"));
    }
    let animation = anim.as_ref().map(|anim| Ok::<_, Failure>((source.load(anim)?, anim))).transpose()?;
    let posable = Posable { mesh, format: file.format(), influences };
    let player = animation.as_ref().map(|(loaded, anim)| Player::new(anim, loaded, playing, Some(&posable), source));
    let player = player.transpose()?;
    let times = match (&player, anim) {
        (Some(player), Some(anim)) => {
            let times = player.times(playing).map_err(|failure| failure.in_file(anim))?;
            times.into_iter().map(Some).collect()
        }
        _ => vec![None],
    };
    let skinned = |time: Option<Time>| -> Result<Vec<SkinnedVertex>, Failure> {
        let pose = player.as_ref().zip(time);
        match file {
            Asset::PyrogenesisPmd(pmd) => {
                let in_anim = |error| failure(anim.as_ref().unwrap_or(path), error);
                let pose = pose.map(|(player, time)| player.pose_in_file(time)).transpose().map_err(in_anim)?;
                skin_as_engine(&pmd, pose.as_deref(), &posable.mesh).map_err(|error| failure(path, error))
            }
            _ => skin(&posable, pose).map_err(|error| failure(path, error)),
        }
    };
    // Nothing is printed if a later time has no pose.
    if let (Some(player), Some(anim)) = (&player, anim) {
        for time in times.iter().flatten() {
            player.pose_in_file(*time).map_err(|error| failure(anim, error))?;
        }
    }
    let first = skinned(times.first().copied().flatten())?;
    let (times, skinned, player) = (&times, &skinned, player.as_ref());
    let poses = move || times.iter().filter_map(move |time| Some((*time, skinned(*time).ok()?)));
    match format {
        NumberFormat::F32 | NumberFormat::Npy => {
            let mut out = float_output(*format, &[times.len(), first.len(), 6])?;
            poses().try_for_each(|(_, vertices)| {
                vertices.iter().try_for_each(|SkinnedVertex { position, normal }| {
                    write_floats(&mut out, position.iter().chain(normal))
                })
            })?;
            out.flush()?;
        }
        NumberFormat::Csv => {
            let rows = move || {
                poses().flat_map(move |(time, vertices)| {
                    vertices.into_iter().enumerate().map(move |(index, SkinnedVertex { position, normal })| {
                        let ([x, y, z], [nx, ny, nz]) = (position, normal);
                        let at = time.zip(player).map_or(Cell::Absent, |(time, player)| at_ms(player, time));
                        cells![at, index, x, y, z, nx, ny, nz]
                    })
                })
            };
            write_rows(&Rows::of(SKIN, rows), Format::Csv)?;
        }
        NumberFormat::Json => {
            let (path, entry) = path_and_entry(&Address::find(path));
            let (animation, animation_entry) = anim.as_ref().map(|anim| path_and_entry(&Address::find(anim))).unzip();
            let mut keys = document_keys(path);
            keys.extend([
                ("entry", entry.into()),
                ("animation", animation.into()),
                ("animation_entry", animation_entry.flatten().into()),
                ("sequence", playing.sequence.clone().into()),
                ("loop", playing.looped.into()),
                ("space", playing.space_name().into()),
            ]);
            if let [time] = times.as_slice() {
                let at = time.zip(player).map_or(Cell::Absent, |(time, player)| at_ms(player, time));
                keys.extend([("at_ms", at), ("vertices", vertex_cells(first))]);
            } else {
                let poses = move || {
                    poses().map(move |(time, vertices)| {
                        let mut keys: Vec<_> =
                            time.zip(player).map(|(time, player)| time_keys(player, time).into()).unwrap_or_default();
                        keys.push(("vertices", vertex_cells(vertices)));
                        Cell::Object(keys)
                    })
                };
                keys.push(("poses", Cell::list(poses)));
            }
            document(stdout(), &Cell::Object(keys), false)?;
        }
    }
    Ok(Outcome::Clean)
}

fn vertex_cells<'a>(vertices: Vec<SkinnedVertex>) -> Cell<'a> {
    let vertices: Arc<[SkinnedVertex]> = vertices.into();
    Cell::list(move || {
        let vertices = Arc::clone(&vertices);
        (0..vertices.len()).filter_map(move |index| {
            let SkinnedVertex { position, normal } = vertices.get(index)?;
            Some(Cell::Object(vec![("position", floats(*position)), ("normal", floats(*normal))]))
        })
    })
}

/// The points at rest, or moved by a pose.
fn skin(posable: &Posable<'_>, pose: Option<(&Player<'_>, Time)>) -> Result<Vec<SkinnedVertex>, Error> {
    let mesh = &posable.mesh;
    let bound = pose.map(|(player, time)| player.skin(time)).transpose()?.flatten();
    let prepared;
    let (skin, matrices) = if let Some(bound) = bound {
        bound
    } else {
        prepared = Prepared::new(mesh, posable.influences)?;
        let mut matrices = vec![IDENTITY; prepared.matrix_count()];
        prepared.matrices(prepared.bind_pose(), &mut matrices)?;
        (&prepared, matrices)
    };
    let mut positions = vec![[0.0; 3]; mesh.point_count()];
    let mut normals = vec![[f32::NAN; 3]; mesh.point_count()];
    skin.positions(mesh, &matrices, &mut positions)?;
    skin.normals(mesh, &matrices, &mut normals)?;
    let both = positions.into_iter().zip(normals);
    Ok(both.map(|(position, normal)| SkinnedVertex { position, normal }).collect())
}

/// The vertices at rest in model space, or moved by a pose of the file's space, as the engine moves them.
fn skin_as_engine(pmd: &Pmd<'_>, pose: Option<&[Matrix]>, mesh: &Mesh<'_>) -> Result<Vec<SkinnedVertex>, Error> {
    let mut bind = vec![IDENTITY; pmd.bones().len()];
    let mut rest = vec![SkinnedVertex::default(); pmd.vertices().len()];
    pmd.to_model_space(&mut bind, &mut rest)?;
    let mut moved = rest.clone();
    if let Some(pose) = pose {
        pmd.check_bone_count(pose.len())?;
        let mut matrices = vec![IDENTITY; pmd.skin_matrix_count()];
        pmd.inverse_bind_pose(&mut bind)?;
        pmd.skin_matrices(pose, &bind, &mut matrices)?;
        pmd.skin_rest(&rest, &matrices, &mut moved)?;
    }
    let change = Space::PYROGENESIS.change_to(&mesh.space());
    for vertex in &mut moved {
        (vertex.position, vertex.normal) = (change.position(vertex.position), change.direction(vertex.normal));
    }
    Ok(moved)
}

fn floats<'a, const N: usize>(floats: [f32; N]) -> Cell<'a> {
    Cell::list(move || floats.into_iter())
}
