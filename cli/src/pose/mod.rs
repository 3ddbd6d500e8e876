//! `skelmap pose` and `skelmap skin`: bones and points at any time, as numbers.

mod player;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use skelmap::archive::Address;
use skelmap::model::{IDENTITY, Matrix, Mesh, Skin as Prepared, Space};
use skelmap::pyrogenesis::{Pmd, SkinnedVertex};
use skelmap::{Asset, Error};

use self::player::{Player, Playing, Posable, Time, failure};
use crate::arguments::{NumberFormat, input, place};
use crate::files::{self, Source, asset};
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::stdout;
use crate::report::{
    Cell, Column, Format, Values, boolean, document, double, float, integer, list, nested, npy_header, text, writer_to,
};
use crate::sink::Sink;
use skelmap_batch::columns::{ADDRESS_COLUMN, ENTRY_COLUMN, PATH_COLUMN, SCHEMA_COLUMN, address_text, document_keys};
use skelmap_batch::path_and_entry;

/// Print the pose of an animation: a matrix for each bone.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap pose gallop.psa --at 250ms --loop
  skelmap pose gallop.psa --at 0 --at 33.3ms --at 66.7ms --format f32 > poses.bin
  skelmap pose Fox.psa --mesh Fox.psk --sequence walk --every-frame --format npy > walk.npy

Matrices are column-major: the translation is in m12, m13 and m14. Poses come in the order of all --at, then of all --frame. Pyrogenesis animations are in model space, bit for bit as in the game. \
ActorX animations are relative to the parent bone; with --mesh, their matrices are in model space, one for each bone of the mesh, and \
the side-car beside the animation is applied. What SWAT 3 rotations are relative to is not known.

f32: little-endian floats, [time][bone][16]. npy: the same with a header. In JSON, a float that is not finite is null: \
`skelmap columns pose` lists the keys and the columns.")]
pub(crate) struct Pose {
    /// The animation; - is standard input.
    #[arg(value_name = "ANIMATION", value_parser = input())]
    path: PathBuf,
    /// The mesh whose bones are posed (ActorX, UEFormat).
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
  skelmap skin horse.pmd --anim gallop.psa --at 250ms --loop --format csv
  skelmap skin Fox.psk --anim Fox.psa --sequence walk --frame 10 --space gltf --format npy > fox.npy

Without --anim: the rest pose in model space. Pyrogenesis meshes are moved bit for bit as in the game: the animation must have as many \
bones as the mesh, and meshes of versions 1 and 2, which store vertices relative to bones, are in model space. ActorX bones are \
matched by name, the side-car beside the animation is applied, and what has no partner stays in the bind pose; there is a row for each \
point, which wedges share.

f32: little-endian floats, [time][point][position 3, normal 3]; without normals in the file, the normals are NaN. npy: the same with a \
header. In JSON, a float that is not finite is null: `skelmap columns skin` lists the keys and the columns.")]
pub(crate) struct Skin {
    /// The mesh; - is standard input.
    #[arg(value_name = "MESH", value_parser = input())]
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
        ADDRESS_COLUMN,
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
        ADDRESS_COLUMN,
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

pub(crate) fn run_pose(arguments: &Pose, source: &Source) -> Ended {
    let Pose { path, mesh, playing, format } = arguments;
    playing.check_times()?;
    let (loaded, of_mesh) =
        (files::load(source, path)?, mesh.as_ref().map(|mesh| files::load(source, mesh)).transpose()?);
    let of_mesh = of_mesh.as_ref().zip(mesh.as_ref());
    let of_mesh = of_mesh.map(|(loaded, path)| Ok::<_, Failure>((asset(loaded, path)?, path))).transpose()?;
    let posable = of_mesh.as_ref().map(|(asset, path)| Posable::of(asset, path, playing, 1)).transpose()?;
    if let (Some(mesh), Ok(Asset::PyrogenesisPsa(_))) = (mesh, loaded.asset()) {
        let message = "--mesh is for ActorX: the bones of a Pyrogenesis animation are in model space already";
        return Err(Failure::usage(message).in_file(mesh));
    }
    let player = Player::new(path, &loaded, playing, posable.as_ref(), source)?;
    let numbers = Numbers {
        columns: &POSE,
        key: "matrices",
        cell: floats,
        rows: player.bone_count(),
        times: player.times(path, playing)?,
        player: Some(&player),
        at: &|time| player.pose(time?).ok(),
    };
    numbers.write(*format, || {
        let address = Address::find(path);
        let (path, entry) = path_and_entry(&address);
        let mut keys = document_keys(path);
        keys.extend([
            ("entry", entry.into()),
            ("address", address_text(&address).into()),
            ("sequence", player.name.clone().into()),
            ("loop", playing.looped.into()),
            ("space", playing.space.name().into()),
            ("relative", player.relative().into()),
            ("bones", player.bone_count().into()),
            ("bone_indices", Cell::list(|| (0..player.bone_count()).map(|row| player.bone_of(row)))),
            ("poses", numbers.poses()),
        ]);
        keys
    })
}

pub(crate) fn run_skin(arguments: &Skin, source: &Source) -> Ended {
    let Skin { path, anim, playing, influences, format } = arguments;
    let loaded = files::load(source, path)?;
    let file = asset(&loaded, path)?;
    let influences = influences.map_or(usize::MAX, std::num::NonZeroUsize::get);
    let posable = Posable::of(&file, path, playing, influences)?;
    if anim.is_some() {
        playing.check_times()?;
    } else if playing.has_times() || playing.sequence.is_some() || playing.looped {
        return Err(Failure::usage("times and sequences belong to an animation: name it with --anim"));
    }
    let animation = anim.as_ref().map(|anim| Ok::<_, Failure>((files::load(source, anim)?, anim))).transpose()?;
    let player = animation.as_ref().map(|(loaded, anim)| Player::new(anim, loaded, playing, Some(&posable), source));
    let player = player.transpose()?;
    let times = match (&player, anim) {
        (Some(player), Some(anim)) => player.times(anim, playing)?,
        _ => vec![None],
    };
    let skinned = |time: Option<Time>| {
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
    let first = skinned(times.first().copied().flatten())?;
    let numbers = Numbers {
        columns: &SKIN,
        key: "vertices",
        cell: |[x, y, z, nx, ny, nz]| {
            Cell::Object(vec![("position", floats([x, y, z])), ("normal", floats([nx, ny, nz]))])
        },
        rows: first.len(),
        times,
        player: player.as_ref(),
        at: &|time| skinned(time).ok(),
    };
    numbers.write(*format, || {
        let address = Address::find(path);
        let (path, entry) = path_and_entry(&address);
        let (animation, animation_entry) = anim.as_ref().map(|anim| path_and_entry(&Address::find(anim))).unzip();
        let mut keys = document_keys(path);
        keys.extend([
            ("entry", entry.into()),
            ("address", address_text(&address).into()),
            ("animation", animation.into()),
            ("animation_entry", animation_entry.flatten().into()),
            ("sequence", playing.sequence.clone().into()),
            ("loop", playing.looped.into()),
            ("space", playing.space.name().into()),
        ]);
        if let [time] = numbers.times.as_slice() {
            keys.extend([("at_ms", numbers.at_ms(*time)), ("vertices", numbers.cells(first))]);
        } else {
            keys.push(("poses", numbers.poses()));
        }
        keys
    })
}

/// Rows of `N` numbers at each time.
struct Numbers<'n, const N: usize> {
    /// The columns of CSV: the time, the index of the row, and the numbers.
    columns: &'n [Column],
    /// The key of the rows of a time in JSON.
    key: &'static str,
    /// A row in JSON.
    cell: fn([f32; N]) -> Cell<'n>,
    /// The number of rows at each time.
    rows: usize,
    times: Vec<Option<Time>>,
    player: Option<&'n Player<'n>>,
    /// The rows at a time.
    at: &'n (dyn Fn(Option<Time>) -> Option<Vec<[f32; N]>> + Sync),
}

impl<'n, const N: usize> Numbers<'n, N> {
    /// The rows of one time after the other: there may be many.
    fn each(&self) -> impl Iterator<Item = (Option<Time>, Vec<[f32; N]>)> {
        self.times.iter().filter_map(|time| Some((*time, (self.at)(*time)?)))
    }

    /// Writes all numbers to standard output. `document`: the keys of JSON.
    fn write<'d>(&self, format: NumberFormat, document_keys: impl FnOnce() -> Vec<(&'static str, Cell<'d>)>) -> Ended {
        match format {
            NumberFormat::F32 | NumberFormat::Npy => {
                Sink::Stdout.check_binary("> FILE")?;
                let mut out = stdout();
                if format == NumberFormat::Npy {
                    out.write_all(&npy_header("'<f4'", &[self.times.len(), self.rows, N].map(|length| length as u64)))?;
                }
                for number in self.each().flat_map(|(_, rows)| rows).flatten() {
                    out.write_all(&number.to_le_bytes())?;
                }
                out.flush()?;
            }
            NumberFormat::Csv => {
                let mut writer = writer_to(stdout(), self.columns, Format::Csv, false)?;
                for (time, rows) in self.each() {
                    for (index, numbers) in rows.into_iter().enumerate() {
                        let index = self.player.map_or(index, |player| player.bone_of(index));
                        let cells = [self.at_ms(time), index.into()].into_iter().chain(numbers.map(Cell::Float));
                        writer.row(&cells.collect::<Vec<_>>())?;
                    }
                }
                writer.end()?;
            }
            NumberFormat::Json => document(stdout(), &Cell::Object(document_keys()), false)?,
        }
        Ok(Outcome::Clean)
    }

    /// The milliseconds of a time: as they were given, or those of a frame.
    fn at_ms<'a>(&self, time: Option<Time>) -> Cell<'a> {
        match (time, self.player) {
            (Some(Time::Ms(ms)), _) => ms.into(),
            (Some(Time::Frame(frame)), Some(player)) => player.ms(frame).into(),
            _ => Cell::Absent,
        }
    }

    /// A JSON object for each time.
    fn poses(&'n self) -> Cell<'n> {
        Cell::list(|| {
            self.each().map(|(time, rows)| {
                let frame = match time {
                    Some(Time::Frame(frame)) => Some(frame),
                    _ => None,
                };
                Cell::Object(vec![("at_ms", self.at_ms(time)), ("frame", frame.into()), (self.key, self.cells(rows))])
            })
        })
    }

    fn cells(&self, rows: Vec<[f32; N]>) -> Cell<'n> {
        let (rows, cell): (Arc<[[f32; N]]>, _) = (rows.into(), self.cell);
        Cell::list(move || {
            let rows = Arc::clone(&rows);
            (0..rows.len()).filter_map(move |index| rows.get(index).copied().map(cell))
        })
    }
}

/// The position and the normal of a point.
type Point = [f32; 6];

fn to_point([x, y, z]: [f32; 3], [nx, ny, nz]: [f32; 3]) -> Point {
    [x, y, z, nx, ny, nz]
}

/// The points at rest, or moved by a pose.
fn skin(posable: &Posable<'_>, pose: Option<(&Player<'_>, Time)>) -> Result<Vec<Point>, Error> {
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
    Ok(positions.into_iter().zip(normals).map(|(position, normal)| to_point(position, normal)).collect())
}

/// The vertices at rest in model space, or moved by a pose of the file's space, as the engine moves them.
fn skin_as_engine(pmd: &Pmd<'_>, pose: Option<&[Matrix]>, mesh: &Mesh<'_>) -> Result<Vec<Point>, Error> {
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
    let changed = |vertex: SkinnedVertex| to_point(change.position(vertex.position), change.direction(vertex.normal));
    Ok(moved.into_iter().map(changed).collect())
}

fn floats<'a, const N: usize>(floats: [f32; N]) -> Cell<'a> {
    Cell::list(move || floats.into_iter())
}
