//! The arrays that the files of each format have: names, columns and records. A family has a table of its arrays in a module of its own.

mod actorx;
mod pyrogenesis;
mod swat3;
mod ueformat;

use std::io;

use skelmap::archive::SideCar;
use skelmap::{Asset, Format};

pub use self::actorx::CHUNK;
pub use self::swat3::{EVENT_KIND, EVENT_NAME};
use crate::report::{Array, Column, Kind, Record, Records, Values, double, float, integer, listed, records, text};

/// An array of a format: its name, its columns and the parts that can be chosen.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ArrayTable {
    /// The name.
    pub name: &'static str,
    /// Further names.
    pub aliases: &'static [&'static str],
    columns: &'static [&'static [Column]],
    /// The parts that can be chosen.
    pub parts: &'static [Part],
}

/// A part of an array that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// Some sequences.
    Sequence,
    /// Some bones.
    Bone,
    /// A UV set.
    Set,
    /// A morph target.
    Morph,
}

impl ArrayTable {
    const fn new(name: &'static str, columns: &'static [&'static [Column]]) -> Self {
        Self { name, aliases: &[], columns, parts: &[] }
    }

    const fn aliases(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    const fn parts(self, parts: &'static [Part]) -> Self {
        Self { parts, ..self }
    }

    /// The columns.
    pub fn columns(&self) -> Vec<Column> {
        self.columns.concat()
    }

    /// Whether the array has a name.
    pub fn is(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }
}

/// The arrays that files of a format have.
pub const fn arrays_of(format: Format) -> &'static [ArrayTable] {
    match format {
        Format::ActorxPsk => actorx::MESH,
        Format::ActorxPsa => actorx::ANIMATION,
        Format::PyrogenesisPmd => pyrogenesis::MESH,
        Format::PyrogenesisPsa => pyrogenesis::ANIMATION,
        Format::Swat3Gsa => swat3::ANIMATION,
        Format::UeformatModel => ueformat::MODEL,
        Format::UeformatAnimation => ueformat::ANIMATION,
        Format::UeformatPose => ueformat::POSE,
        _ => &[],
    }
}

/// The parts of an array that are asked for: all, if a list is empty.
#[derive(Clone, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "made by struct update from its default")]
pub struct Parts {
    /// Names of sequences.
    pub sequences: Vec<String>,
    /// Names or indices of bones.
    pub bones: Vec<String>,
    /// A UV set.
    pub set: Option<usize>,
    /// The name of a morph target.
    pub morph: Option<String>,
}

/// The columns of the arrays with this name that files of some formats have, each key once. A column that not all of them have can be empty.
/// A column that some have as numbers and some as names is a text.
pub fn columns_of_all(name: &str, formats: &[Format]) -> Vec<Column> {
    let tables = || formats.iter().flat_map(|format| arrays_of(*format)).filter(|table| table.is(name));
    let mut columns: Vec<Column> = Vec::new();
    for column in tables().flat_map(ArrayTable::columns) {
        match columns.iter_mut().find(|own| own.key == column.key) {
            Some(own) => {
                let is_nullable = own.is_nullable | column.is_nullable;
                if column.kind == Kind::Text {
                    *own = column.titled(column.key);
                }
                own.is_nullable = is_nullable;
            }
            None => columns.push(column.titled(column.key)),
        }
    }
    for column in &mut columns {
        column.is_nullable |= !tables().all(|table| table.columns().iter().any(|own| own.key == column.key));
    }
    columns
}

/// A part of an array that a file does not have.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArrayError {
    /// A UV set.
    #[error("there is no UV set {set}, the mesh has {sets}")]
    Set {
        /// The set that is asked for.
        set: usize,
        /// The number of sets.
        sets: usize,
    },
    /// A morph target.
    #[error("there is no morph target {0:?}")]
    Morph(String),
    /// A sequence.
    #[error("there is no sequence {0:?} (`--what sequences` lists them)")]
    Sequence(String),
    /// A bone of a file with names.
    #[error("there is no bone {0:?} (`--what bones` lists them)")]
    Bone(String),
    /// A bone of a file without names.
    #[error("there is no bone {bone:?}: these bones have no names, and there are {count}")]
    Unnamed {
        /// The bone that is asked for.
        bone: String,
        /// The number of bones.
        count: usize,
    },
    /// A bone of a file whose names may not be known.
    #[error("there is no bone {0:?}: give its id, or its name if the layout of the bones is known")]
    Id(String),
    /// A bone without rotations.
    #[error("bone {0} is not among the animated ones")]
    NotAnimated(u16),
    /// Bones without a known layout.
    #[error("the layout of the bones is not known: {0}")]
    Layout(skelmap::swat3::NotInferred),
    /// An animation that states far more frames than it has keys for.
    #[error(
        "the animation states {frames} frames, far more than it has keys for: the arrays positions, rotations and scales have its keys"
    )]
    Frames {
        /// The number of frames.
        frames: usize,
    },
    /// A file without a side-car.
    #[error("there is no side-car (.config) beside this file")]
    NoSideCar,
    /// A side-car that cannot be read.
    #[error(transparent)]
    SideCar(#[from] io::Error),
}

/// The array of an asset with a name; `None` if files of its format do not have it.
///
/// # Errors
/// [`ArrayError`].
pub fn array_of<'a>(
    asset: &Asset<'a>,
    name: &str,
    parts: &Parts,
    side_car: impl FnOnce() -> io::Result<Option<SideCar>>,
) -> Result<Option<Array<'a>>, ArrayError> {
    let Some(table) = arrays_of(asset.format()).iter().find(|table| table.is(name)) else { return Ok(None) };
    let records = match asset {
        Asset::ActorxPsk(mesh) => actorx::mesh(*mesh, table.name, parts),
        Asset::ActorxPsa(animation) => actorx::animation(*animation, table.name, parts, side_car),
        Asset::PyrogenesisPmd(mesh) => pyrogenesis::mesh(*mesh, table.name, parts),
        Asset::PyrogenesisPsa(animation) => pyrogenesis::animation(*animation, parts).map(Some),
        Asset::Swat3Gsa(animation) => swat3::animation(*animation, table.name, parts),
        Asset::UeformatModel(model) => ueformat::model(model, table.name, parts),
        Asset::UeformatAnimation(animation) => ueformat::animation(*animation, table.name, parts),
        Asset::UeformatPose(pose) => Ok(ueformat::pose(*pose, table.name)),
        _ => Ok(None),
    };
    let columns = table.columns().into_iter().map(|column| column.titled(column.key)).collect();
    Ok(records?.map(|records| Array { columns, records }))
}

/// The records of a file with their index.
fn indexed<'a, T: Sync>(
    all: &'a [T],
    record: impl for<'i> Fn(&'i T, &mut Record<'i>) + Copy + Send + Sync + 'a,
) -> Records<'a> {
    records(
        move || all.iter().enumerate(),
        move |(index, own): &(usize, &T), cells| {
            cells.add(*index);
            record(own, cells);
        },
    )
}

/// Checks that a mesh has a UV set.
fn check_set(only: Option<usize>, sets: usize) -> Result<(), ArrayError> {
    only.filter(|set| *set >= sets).map_or(Ok(()), |set| Err(ArrayError::Set { set, sets }))
}

const UNITS: &str = "units of the file";

/// The index of a record.
const INDEX: Column = integer("index").means("the index of the record, from 0");
const FRAME: Column = integer("frame").means("the frame, from 0");
const SECONDS: Column =
    double("seconds").nullable().unit("seconds").means("the frame divided by the rate of the sequence");
const MATERIAL: Column = integer("material").means("the index of the material");
const SET: Column = integer("set").means("the UV set, from 0");
const U: Column = float("u").means("the texture coordinate to the right, 1 for the width of the texture");
const V: Column = float("v").means("the texture coordinate downwards, 1 for the height of the texture");

/// A coordinate of a position.
const fn position(key: &'static str, meaning: &'static str) -> Column {
    float(key).unit(UNITS).means(meaning)
}

/// A number without a unit.
const fn number(key: &'static str, meaning: &'static str) -> Column {
    float(key).means(meaning)
}

/// The columns of a vector: how each is made, and what stands around the name of the axis in its key and its meaning.
macro_rules! axes {
    ($column:ident, $key:literal, $before:literal, $after:literal) => {
        [
            $column(concat!($key, "x"), concat!($before, " along x", $after)),
            $column(concat!($key, "y"), concat!($before, " along y", $after)),
            $column(concat!($key, "z"), concat!($before, " along z", $after)),
        ]
    };
}

/// The columns of a rotation.
macro_rules! rotation {
    ($column:ident) => {
        [
            $column("qx", "the x of the rotation, a quaternion"),
            $column("qy", "the y of the rotation"),
            $column("qz", "the z of the rotation"),
            $column("qw", "the w of the rotation, its real part"),
        ]
    };
}

use {axes, rotation};

const POSITION: [Column; 3] = axes!(position, "", "the position", "");
/// The position of a bone or of a key.
const BONE_POSITION: [Column; 3] = axes!(position, "", "the position", ", relative to the parent bone");
const ROTATION: [Column; 4] = rotation!(number);

/// A whole number that is printed as stored.
const fn stored(key: &'static str, meaning: &'static str) -> Column {
    integer(key).of(Values::Integer).means(meaning)
}

/// The name of a record.
const fn name(meaning: &'static str) -> Column {
    text("name").means(meaning)
}

#[cfg(test)]
mod tests {
    use skelmap::archive::Address;
    use skelmap::mapping::Opener;
    use test_support::actorx::build::{Anim, chain};
    use test_support::actorx::corpus::sample::{figure, uvs};
    use test_support::corpus::folder;
    use test_support::pyrogenesis::build::Pmd;
    use test_support::swat3::build::{Frame, Gsa, IDENTITY, Layout, biped};

    use super::*;
    use crate::report::{Cell, RowWriter};

    #[test]
    fn columns_with_one_key_have_one_kind_or_a_text_in_all_arrays_with_a_name() {
        let tables = || Format::ALL.iter().flat_map(|format| arrays_of(*format));
        for table in tables() {
            for other in tables().filter(|other| other.is(table.name)) {
                for column in table.columns() {
                    let same = other.columns().into_iter().find(|own| own.key == column.key);
                    let mut kinds = same.map(|own| [own.kind, column.kind]).into_iter().flatten();
                    let is_common =
                        same.is_none_or(|own| own.kind == column.kind) || kinds.any(|kind| kind == Kind::Text);
                    assert!(is_common, "{} {}", table.name, column.key);
                }
            }
        }
    }

    /// Takes the cells of each record, as CSV has them.
    struct Taken(Vec<Vec<String>>);

    impl RowWriter for Taken {
        fn row(&mut self, cells: &[Cell<'_>]) -> io::Result<()> {
            self.0.push(cells.iter().map(ToString::to_string).collect());
            Ok(())
        }

        fn end(self: Box<Self>) -> io::Result<()> {
            Ok(())
        }
    }

    /// The columns with these keys of an array of a file.
    pub(super) fn rows_of(
        bytes: impl Into<Vec<u8>>,
        name: &str,
        parts: &Parts,
        keys: &[&str],
    ) -> Result<Vec<Vec<String>>, ArrayError> {
        let bytes = bytes.into();
        let asset = Asset::parse(&bytes).expect("sound");
        let beside = || SideCar::beside(&Address::of_file(folder().join("../../corpus/fox.psa")), &Opener::reading());
        let array = array_of(&asset, name, parts, beside)?.expect("an array");
        let chosen = |key: &&str| array.columns.iter().copied().find(|column| column.key == *key).expect("a column");
        let columns = keys.iter().map(chosen).collect();
        let mut taken = Taken(Vec::new());
        taken.array(None, &array.with_columns(columns), &|_| ()).expect("no error");
        Ok(taken.0)
    }

    #[test]
    fn a_column_that_some_arrays_do_not_have_or_have_empty_can_be_empty() {
        let columns = columns_of_all("keys", &[Format::ActorxPsa, Format::Swat3Gsa]);
        let of = |key: &str| columns.iter().find(|column| column.key == key).expect("a column");
        let nullable = ["sequence", "frame", "bone_index", "bone", "x", "qx", "seconds"].map(|key| of(key).is_nullable);
        assert_eq!(nullable, [true, false, false, true, true, false, true]);
        // The first array says what a column means.
        assert_eq!(of("bone_index").meaning, "the index of the bone, from 0");
        // Not every layout of SWAT 3 says where a bone is.
        for formats in [[Format::ActorxPsa, Format::Swat3Gsa], [Format::Swat3Gsa, Format::ActorxPsa]] {
            let columns = columns_of_all("bones", &formats);
            assert!(columns.iter().any(|column| column.key == "x" && column.is_nullable));
            assert!(columns.iter().any(|column| column.key == "name" && !column.is_nullable));
        }
    }

    #[test]
    fn a_set_is_chosen_among_those_that_the_mesh_has() {
        let psk = || figure().chunks().records("EXTRAUVS0", &uvs(0.5));
        let pmd = || Pmd::grid(2, 2, 1, 2).build();
        let sets = |bytes: Vec<u8>, set| {
            let parts = Parts { set, ..Parts::default() };
            rows_of(bytes, "uvs", &parts, &["set"]).map(|rows| rows.concat())
        };
        for (bytes, vertices) in [(psk().into(), 24), (pmd().into(), 4)] {
            let bytes: Vec<u8> = bytes;
            for set in [0, 1] {
                assert_eq!(sets(bytes.clone(), Some(set)).expect("a set"), vec![set.to_string(); vertices]);
            }
            assert_eq!(sets(bytes.clone(), None).expect("all sets").len(), 2 * vertices);
            assert!(matches!(sets(bytes, Some(2)), Err(ArrayError::Set { set: 2, sets: 2 })));
        }
    }

    #[test]
    fn the_second_of_a_key_is_its_frame_divided_by_the_rate() {
        let seconds =
            |bytes: Vec<u8>, name: &str| rows_of(bytes, name, &Parts::default(), &["frame", "seconds"]).expect("keys");
        let psa = Anim::sway(chain(1), &[("walk", 3, 4.0)]).chunks();
        assert_eq!(seconds(psa.into(), "keys"), [["0", "0"], ["1", "0.25"], ["2", "0.5"]]);
        // The game plays ten frames in a second.
        let frames = vec![Frame::new(vec![IDENTITY]); 3];
        let gsa = Gsa::new(2, Layout::Plain.skeleton(&biped(2)), &[1], frames).build();
        assert_eq!(seconds(gsa.into(), "rotations"), [["0", "0"], ["1", "0.1"], ["2", "0.2"]]);
    }

    #[test]
    fn a_bone_is_chosen_by_its_name_or_an_index_below_their_number() {
        let psa = || Anim::sway(chain(3), &[("walk", 1, 4.0)]).chunks();
        let bones = |bone: &str| {
            let parts = Parts { bones: vec![bone.to_owned()], ..Parts::default() };
            rows_of(psa(), "keys", &parts, &["bone"]).map(|rows| rows.concat())
        };
        assert_eq!(bones("2").expect("a bone"), ["Bone_0002"]);
        assert_eq!(bones("bone_0001").expect("a bone"), ["Bone_0001"]);
        assert!(matches!(bones("3"), Err(ArrayError::Bone(bone)) if bone == "3"));
    }

    /// The side-car of the fox takes rotations only, but for the pelvis; the root always moves.
    #[test]
    fn tracks_come_from_where_the_side_car_says() {
        let fox = std::fs::read(folder().join("../../corpus/fox.psa")).expect("a fox");
        let keys = ["bone", "name", "translation", "rotation"];
        let tracks = rows_of(fox, "side-car", &Parts::default(), &keys).expect("tracks");
        assert!(tracks.iter().any(|track| track[1] == "pelvis") && tracks.iter().any(|track| track[0] == "2"));
        for track in tracks {
            let from = if track[0] == "0" || track[1] == "pelvis" { "animation" } else { "mesh" };
            assert_eq!(track[2..], [from, "animation"], "{track:?}");
        }
    }
}
