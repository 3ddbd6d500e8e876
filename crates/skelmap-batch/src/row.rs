//! The columns of a row of the catalogue, each listed once: `ls`, `info` and `catalog` print the same rows.

use std::collections::HashMap;
use std::path::Path;

use crate::items::{Fault, Joins, Loaded, Options, Row, SCHEMA};
use crate::path_text;
use skelmap::Quirk;
use skelmap::archive::Address;
use skelmap::model::Bounds;

use crate::cells;
use crate::report::{ARCHIVE, Cell, Column, ERROR, Field, Kind, Look, PATH, Rows, double, field, integer, text};

/// An asset and its sequences.
#[derive(Debug)]
#[expect(clippy::exhaustive_structs, reason = "a row and its parts")]
pub struct Entry {
    /// The row of the asset.
    pub row: Row,
    /// The sequences that have rows of their own: at least one, or `None` if the asset has a single row.
    pub sequences: Option<Vec<Sequence>>,
    /// The sequence that the next row is for.
    pub current: usize,
}

/// The columns of a sequence. All are empty for an asset without sequences.
#[derive(Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "made by struct update from its default")]
pub struct Sequence {
    /// The index of the sequence.
    pub index: Option<usize>,
    /// Its name.
    pub name: Option<String>,
    /// Its frames.
    pub frames: Option<u64>,
    /// Frames in a second, as stored.
    pub rate: Option<f32>,
    /// Its seconds.
    pub duration_s: Option<f64>,
}

impl From<Row> for Entry {
    fn from(row: Row) -> Self {
        Self { row, sequences: None, current: 0 }
    }
}

impl Entry {
    /// Calls a function once for each row of the asset.
    ///
    /// # Errors
    /// Those of `each`.
    pub fn each_row<E>(mut self, mut each: impl FnMut(&Self) -> Result<(), E>) -> Result<(), E> {
        (0..self.sequences.as_ref().map_or(1, Vec::len)).try_for_each(|current| {
            self.current = current;
            each(&self)
        })
    }

    fn sequence(&self) -> Option<&Sequence> {
        self.sequences.as_ref()?.get(self.current)
    }

    fn joins(&self) -> Option<&Joins> {
        self.row.joins.as_ref()
    }

    fn error(&self) -> Option<&Fault> {
        self.row.error.as_ref()
    }
}

/// A count of something, which may be unknown.
const fn count(noun: &'static str, key: &'static str) -> Column {
    integer(key).noun(noun)
}

/// The columns of an asset.
pub fn fields() -> Vec<Field<Entry>> {
    vec![
        field(integer("schema").data(), |entry| entry.row.schema.into()),
        field(text("path").data(), |entry| Cell::from(&entry.row.path)),
        field(text("entry").data(), |entry| entry.row.entry.as_ref().into()),
        field(text("format"), |entry| entry.row.format.into()),
        field(integer("bytes").titled("size").look(Look::Size).minor(2), |entry| entry.row.bytes.into()),
        field(count("bone", "bones"), |entry| entry.row.summary.bones.into()),
        field(count("point", "points").minor(5), |entry| entry.row.summary.points.into()),
        field(count("wedge", "wedges").minor(7), |entry| entry.row.summary.wedges.into()),
        field(count("face", "faces"), |entry| entry.row.summary.faces.into()),
        field(count("material", "materials").titled("mats").minor(6), |entry| entry.row.summary.materials.into()),
        field(count("UV set", "uv_sets").titled("uvs").minor(8), |entry| entry.row.summary.uv_sets.into()),
        field(count("sequence", "sequences").titled("seqs").minor(4), |entry| entry.row.summary.sequences.into()),
        field(count("frame", "frames").minor(3), |entry| entry.row.summary.frames.into()),
        field(seconds("duration_s").minor(1), |entry| entry.row.summary.duration_s.into()),
        field(texts("quirks").look(Look::Words), |entry| Cell::list(|| entry.row.quirks.iter().copied())),
        field(text("error").json(), |entry| fault(entry.error())),
        field(text("error_kind").flat(), |entry| entry.error().map(|error| error.kind).into()),
        field(text("error_section").flat(), |entry| entry.error().and_then(|error| error.section.as_ref()).into()),
        field(integer("error_offset").flat(), |entry| entry.error().and_then(|error| error.offset).into()),
        field(text("error_message").flat(), |entry| entry.error().map(|error| &error.message).into()),
        field(ERROR, |entry| entry.error().map(|error| &error.message).into()),
        field(text("quirks").look(Look::Notes).table(), |entry| entry.row.quirks.join(" ").into()),
        field(ARCHIVE, |entry| entry.row.entry.as_ref().map(|_| &entry.row.path).into()),
        field(PATH, |entry| entry.row.entry.as_ref().unwrap_or(&entry.row.path).into()),
    ]
}

/// The columns of the bounding box of a mesh.
fn extent_fields() -> [Field<Entry>; 10] {
    [
        field(Column::new("min", Kind::Float).json(), |entry| corner(entry, |bounds| bounds.min)),
        field(Column::new("max", Kind::Float).json(), |entry| corner(entry, |bounds| bounds.max)),
        field(extent("min_x").flat(), |entry| coordinate(entry, |bounds| bounds.min, 0)),
        field(extent("min_y").flat(), |entry| coordinate(entry, |bounds| bounds.min, 1)),
        field(extent("min_z").flat(), |entry| coordinate(entry, |bounds| bounds.min, 2)),
        field(extent("max_x").flat(), |entry| coordinate(entry, |bounds| bounds.max, 0)),
        field(extent("max_y").flat(), |entry| coordinate(entry, |bounds| bounds.max, 1)),
        field(extent("max_z").flat(), |entry| coordinate(entry, |bounds| bounds.max, 2)),
        field(extent("height"), |entry| entry.row.extent.map(|extent| extent.height).into()),
        field(extent("metres"), |entry| entry.row.extent.and_then(|extent| extent.metres).into()),
    ]
}

/// The columns that a catalogue has besides. `with_sequences`: rows are for sequences, which JSON has no keys for otherwise.
pub fn catalogue_fields(with_sequences: bool, with_extent: bool) -> Vec<Field<Entry>> {
    let of_sequence = |column: Column| if with_sequences { column } else { column.flat() };
    let (rate, duration) = (Column::new("sequence_rate", Kind::Float), double("sequence_duration_s"));
    let mut fields = fields();
    fields.extend([
        field(texts("sequence_names"), |entry: &Entry| {
            Cell::list(|| entry.joins().into_iter().flat_map(|joins| &joins.sequence_names))
        }),
        field(text("skeleton_hash"), |entry| entry.joins().and_then(|joins| joins.skeleton_hash.as_ref()).into()),
        field(text("content_hash"), |entry| entry.joins().and_then(|joins| joins.content_hash.as_ref()).into()),
        field(of_sequence(integer("sequence_index")), |entry| entry.sequence().and_then(|own| own.index).into()),
        field(of_sequence(text("sequence")), |entry| entry.sequence().and_then(|own| own.name.as_ref()).into()),
        field(of_sequence(integer("sequence_frames")), |entry| entry.sequence().and_then(|own| own.frames).into()),
        field(of_sequence(rate), |entry| entry.sequence().and_then(|own| own.rate).into()),
        field(of_sequence(duration), |entry| entry.sequence().and_then(|own| own.duration_s).into()),
    ]);
    if with_extent {
        fields.extend(extent_fields());
    }
    fields
}

const fn extent(key: &'static str) -> Column {
    Column::new(key, Kind::Float)
}

/// A corner of the box around a mesh.
fn corner<'a>(entry: &Entry, corner: fn(Bounds) -> [f32; 3]) -> Cell<'a> {
    entry.row.extent.map(|extent| Cell::list(move || corner(extent.bounds).into_iter())).into()
}

/// One coordinate of a corner of the box around a mesh.
fn coordinate<'a>(entry: &Entry, corner: fn(Bounds) -> [f32; 3], axis: usize) -> Cell<'a> {
    entry.row.extent.and_then(|extent| corner(extent.bounds).get(axis).copied()).into()
}

fn texts(key: &'static str) -> Column {
    Column::new(key, Kind::Texts).data()
}

/// A column of seconds.
pub const fn seconds(key: &'static str) -> Column {
    double(key).titled("seconds").look(Look::Decimals(3))
}

/// An error as a JSON object.
pub fn fault(fault: Option<&Fault>) -> Cell<'_> {
    let Some(Fault { kind, section, offset, message }) = fault else { return Cell::Absent };
    Cell::Object(vec![
        ("kind", (*kind).into()),
        ("section", section.as_ref().into()),
        ("offset", (*offset).into()),
        ("message", message.into()),
    ])
}

/// The path and the entry of an address, as rows have them.
pub fn path_and_entry(address: &Address) -> (String, Option<String>) {
    (path_text(address.path()).into_owned(), address.entry().map(ToOwned::to_owned))
}

/// The name of the file or entry at an address.
pub fn name_of(address: &Address) -> String {
    let path = address.entry().map_or_else(|| address.path(), Path::new);
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The archive that an address leads into.
pub fn archive(address: &Address) -> Cell<'_> {
    address.entry().map(|_| Cell::display(address.path().display())).into()
}

/// The path of an address in its archive, or of a file.
pub fn path_within(address: &Address) -> Cell<'_> {
    address.entry().map_or_else(|| path(address), Cell::from)
}

/// The path of an address.
pub fn path(address: &Address) -> Cell<'_> {
    Cell::display(path_text(address.path()))
}

/// The row of a file that was opened, or not.
pub fn row(address: &Address, opened: &Result<Loaded, Fault>, options: &Options) -> Row {
    let (path, entry) = path_and_entry(address);
    match opened {
        Ok(loaded) => Row::of(path, entry, loaded.bytes(), options),
        Err(fault) => {
            let mut row = Row::unreadable(path, entry, fault.clone());
            row.joins = options.joins.then(Joins::default);
            row
        }
    }
}

/// The path and the entry of a row as one address.
pub fn shown(path: &str, entry: Option<&str>) -> String {
    match entry {
        Some(entry) => format!("{path}!/{entry}"),
        None => path.to_owned(),
    }
}

/// The keys that documents begin with.
pub fn document_keys<'a>(path: impl Into<Cell<'a>>) -> Vec<(&'static str, Cell<'a>)> {
    vec![("schema", SCHEMA.into()), ("path", path.into())]
}

/// Groups quirks of one kind and section: the first of them, and their number.
pub fn counted_quirks(quirks: impl Iterator<Item = Quirk>) -> Vec<(Quirk, u64)> {
    let mut counted: Vec<(Quirk, u64)> = Vec::new();
    let mut places = HashMap::new();
    for quirk in quirks {
        let at = *places.entry((quirk.code, quirk.section)).or_insert(counted.len());
        match counted.get_mut(at) {
            Some((_, count)) => *count += 1,
            None => counted.push((quirk, 1)),
        }
    }
    counted
}

/// The columns of [`counted_quirks`].
pub fn quirk_rows(quirks: &[(Quirk, u64)]) -> Rows<'_> {
    let columns = [
        text("code").titled("quirk"),
        text("section"),
        integer("offset"),
        integer("count").data(),
        text("message").data(),
        text("meaning").table(),
    ];
    Rows::of(columns, move || {
        quirks.iter().map(|(quirk, count)| {
            let message = quirk.code.sentence();
            let meaning = format!("{message}{}", crate::text::and_more(*count));
            cells![quirk.code.name(), Cell::display(quirk.section), quirk.offset, *count, message, meaning]
        })
    })
}
