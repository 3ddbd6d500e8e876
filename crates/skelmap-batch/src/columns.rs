//! The columns of a row of the catalogue, each listed once: `ls`, `info` and `catalog` print the same rows.

use std::collections::HashMap;
use std::path::Path;

use crate::items::{Fault, Joins, Loaded, Options, Row, SCHEMA};
use crate::{path_and_entry, path_text};
use skelmap::archive::Address;
use skelmap::model::Bounds;
use skelmap::shared::to_u64;
use skelmap::{Format, Quirk};

use crate::cells;
use crate::report::{
    ARCHIVE, Cell, Column, ERROR, Field, Look, PATH, Rows, Values, double, field, float, integer, list, text, texts,
};

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

/// The number of the schema.
pub const SCHEMA_COLUMN: Column = integer("schema")
    .of(Values::Exactly(SCHEMA as u64))
    .means("the number of this schema for rows; it rises when a key changes its meaning or is removed");
/// The path of a row.
pub const PATH_COLUMN: Column = text("path").means(
    "the file, or the archive of an entry; a path that is not Unicode is a file: address, which every command takes",
);
/// The entry of a row.
pub const ENTRY_COLUMN: Column = text("entry").nullable().means("the name in the archive");
/// The path and the entry of a row together.
pub const ADDRESS_COLUMN: Column =
    text("address").means("the file, or path!/entry for an entry of an archive, as every command takes it");
/// The format of an asset.
pub const FORMAT_COLUMN: Column = text("format")
    .of(Values::OneOf(formats))
    .nullable()
    .means("the format by content; null for a file of no known format");
/// The error of a row, as JSON has it.
pub const ERROR_COLUMN: Column =
    text("error").of(Values::Shared("fault", fault_columns)).nullable().json().means("why the file cannot be read");
const KIND: Column =
    text("kind").means("the code of the error (skelmap explain CODE), or a kind of error of the system");
const SECTION: Column = text("section").nullable().means("the section of the file");
const OFFSET: Column = integer("offset").nullable().means("the byte of the file");
const MESSAGE: Column = text("message").means("the error in words");

fn fault_columns() -> Vec<Column> {
    vec![KIND, SECTION, OFFSET, MESSAGE]
}

/// The codes of all formats.
pub fn formats() -> Vec<&'static str> {
    Format::ALL.iter().map(|format| format.code()).collect()
}

/// A count of something, which may be unknown.
const fn count(noun: &'static str, key: &'static str) -> Column {
    integer(key).noun(noun).nullable()
}

const BYTES: Column =
    integer("bytes").titled("size").look(Look::Size).nullable().unit("bytes").means("the size of the file");
const QUIRKS: Column = texts("quirks")
    .look(Look::Words)
    .data()
    .means("codes of the faults that were recovered while the file was read (skelmap explain CODE)");

/// The columns of an asset.
pub fn fields() -> Vec<Field<Entry>> {
    let points =
        count("point", "points").drop_order(5).means("the number of points; the vertices of a Pyrogenesis mesh");
    let wedges = count("wedge", "wedges").drop_order(7).means("the number of wedges: corners with UVs of their own");
    let materials = count("material", "materials").titled("mats").drop_order(6).means("the number of materials");
    let uv_sets = count("UV set", "uv_sets").titled("uvs").drop_order(8).means("the number of UV sets");
    let sequences = count("sequence", "sequences").titled("seqs").drop_order(4).means("the number of sequences");
    let frames = count("frame", "frames").drop_order(3).means("the number of stored frames of all sequences");
    let duration =
        seconds("duration_s").drop_order(1).nullable().means("the duration of all sequences, each at its own rate");
    vec![
        field(SCHEMA_COLUMN.data(), |entry: &Entry| entry.row.schema.into()),
        field(PATH_COLUMN.data(), |entry| Cell::from(&entry.row.path)),
        field(ENTRY_COLUMN.data(), |entry| entry.row.entry.as_ref().into()),
        field(ADDRESS_COLUMN.data(), |entry| shown(&entry.row.path, entry.row.entry.as_deref()).into()),
        field(FORMAT_COLUMN, |entry| entry.row.format.into()),
        field(BYTES.drop_order(2), |entry| entry.row.bytes.into()),
        field(count("bone", "bones").means("the number of bones"), |entry| entry.row.summary.bones.into()),
        field(points, |entry| entry.row.summary.points.into()),
        field(wedges, |entry| entry.row.summary.wedges.into()),
        field(count("face", "faces").means("the number of triangles"), |entry| entry.row.summary.faces.into()),
        field(materials, |entry| entry.row.summary.materials.into()),
        field(uv_sets, |entry| entry.row.summary.uv_sets.into()),
        field(sequences, |entry| entry.row.summary.sequences.into()),
        field(frames, |entry| entry.row.summary.frames.into()),
        field(duration, |entry| entry.row.summary.duration_s.into()),
        field(QUIRKS, |entry| Cell::list(|| entry.row.quirks.iter().copied())),
        field(ERROR_COLUMN, |entry| fault(entry.error())),
        field(KIND.keyed("error_kind").nullable().flat(), |entry| entry.error().map(|error| error.kind).into()),
        field(SECTION.keyed("error_section").flat(), |entry| {
            entry.error().and_then(|error| error.section.as_ref()).into()
        }),
        field(OFFSET.keyed("error_offset").flat(), |entry| entry.error().and_then(|error| error.offset).into()),
        field(MESSAGE.keyed("error_message").nullable().flat(), |entry| {
            entry.error().map(|error| &error.message).into()
        }),
        field(ERROR, |entry| entry.error().map(|error| &error.message).into()),
        field(text("quirks").look(Look::Notes).table(), |entry| entry.row.quirks.join(" ").into()),
        field(ARCHIVE, |entry| entry.row.entry.as_ref().map(|_| &entry.row.path).into()),
        field(PATH, |entry| entry.row.entry.as_ref().unwrap_or(&entry.row.path).into()),
    ]
}

const NUMBER: Column = float("");
const LOWEST: Column = corner_column("min", "the lowest corner of the box around the mesh in its bind pose (--extent)");
const HIGHEST: Column =
    corner_column("max", "the highest corner of the box around the mesh in its bind pose (--extent)");

/// A corner of the box around a mesh.
pub const fn corner_column(key: &'static str, meaning: &'static str) -> Column {
    float(key).of(Values::Array(3, &NUMBER)).unit("units of the file").means(meaning)
}

/// The columns of the box around a mesh.
fn extent_fields() -> [Field<Entry>; 10] {
    const fn side(key: &'static str, meaning: &'static str) -> Column {
        float(key).nullable().unit("units of the file").means(meaning)
    }
    let corner_of = |column: Column| column.nullable().optional().json();
    let height = side("height", "the height of the mesh in its bind pose: its extent along the up axis (--extent)");
    let metres = float("metres").nullable().means("the metres of a unit; null if the file does not say (--extent)");
    [
        field(corner_of(LOWEST), |entry: &Entry| corner(entry, |bounds| bounds.min)),
        field(corner_of(HIGHEST), |entry| corner(entry, |bounds| bounds.max)),
        field(side("min_x", "the lowest x of the mesh in its bind pose").flat(), |entry| {
            coordinate(entry, |bounds| bounds.min, 0)
        }),
        field(side("min_y", "the lowest y").flat(), |entry| coordinate(entry, |bounds| bounds.min, 1)),
        field(side("min_z", "the lowest z").flat(), |entry| coordinate(entry, |bounds| bounds.min, 2)),
        field(side("max_x", "the highest x").flat(), |entry| coordinate(entry, |bounds| bounds.max, 0)),
        field(side("max_y", "the highest y").flat(), |entry| coordinate(entry, |bounds| bounds.max, 1)),
        field(side("max_z", "the highest z").flat(), |entry| coordinate(entry, |bounds| bounds.max, 2)),
        field(height.optional(), |entry| entry.row.extent.map(|extent| extent.height).into()),
        field(metres.optional(), |entry| entry.row.extent.and_then(|extent| extent.metres).into()),
    ]
}

/// The number of the schema of rows for sequences.
pub const SEQUENCE_SCHEMA: u32 = 2;
/// Columns that mean all sequences of an asset: rows for sequences do not have them.
const OF_ALL_SEQUENCES: [&str; 2] = ["frames", "duration_s"];

/// The columns of an asset in the row of a sequence.
fn shared_fields() -> Vec<Field<Entry>> {
    let mut fields = fields();
    fields.retain(|field| !OF_ALL_SEQUENCES.contains(&field.column.key));
    for field in fields.iter_mut().filter(|field| field.column.key == SCHEMA_COLUMN.key) {
        field.column = field.column.of(Values::Exactly(SEQUENCE_SCHEMA.into()));
    }
    fields
}

/// The columns of a sequence.
fn fields_of_sequence() -> [Field<Entry>; 5] {
    let index =
        integer("sequence_index").means("the index of the sequence, from 0; null for an asset without sequences");
    let name = text("sequence").means("the name of the sequence");
    let frames =
        integer("sequence_frames").titled("frames").drop_order(3).means("the number of frames of the sequence");
    let rate = float("sequence_rate").titled("rate").drop_order(4).unit("frames per second");
    let rate = rate.means("the rate of the sequence, as stored");
    let duration = seconds("sequence_duration_s").drop_order(1).means("the duration of the sequence");
    [
        field(index.nullable().data(), |entry: &Entry| entry.sequence().and_then(|own| own.index).into()),
        field(name.nullable(), |entry| entry.sequence().and_then(|own| own.name.as_ref()).into()),
        field(frames.nullable(), |entry| entry.sequence().and_then(|own| own.frames).into()),
        field(rate.nullable(), |entry| entry.sequence().and_then(|own| own.rate).into()),
        field(duration.nullable(), |entry| entry.sequence().and_then(|own| own.duration_s).into()),
    ]
}

/// The columns of a list of sequences: those of the asset, and those of the sequence before what people read last.
pub fn sequence_fields() -> Vec<Field<Entry>> {
    let mut fields = shared_fields();
    let at = fields.iter().position(|field| field.column.key == QUIRKS.key).unwrap_or(0);
    fields.splice(at..at, fields_of_sequence());
    fields
}

/// The columns that a catalogue has besides. `with_sequences`: rows are for sequences, which JSON has no keys for otherwise.
pub fn catalogue_fields(with_sequences: bool, with_extent: bool) -> Vec<Field<Entry>> {
    let names = texts("sequence_names").data().means("the names of the sequences; empty with --per sequence");
    let skeleton = text("skeleton_hash").means("equal for skeletons with the same names and parents in the same order");
    let content = text("content_hash").means("a hash of the bytes (XXH3, 128 bits), with --content-hash");
    let mut fields = if with_sequences { shared_fields() } else { fields() };
    fields.extend([
        field(names, |entry: &Entry| Cell::list(|| entry.joins().into_iter().flat_map(|joins| &joins.sequence_names))),
        field(skeleton.nullable(), |entry| entry.joins().and_then(|joins| joins.skeleton_hash.as_ref()).into()),
        field(content.nullable(), |entry| entry.joins().and_then(|joins| joins.content_hash.as_ref()).into()),
    ]);
    let kept =
        |field: Field<Entry>| if with_sequences { field } else { Field { column: field.column.flat(), ..field } };
    fields.extend(fields_of_sequence().map(kept));
    if with_extent {
        fields.extend(extent_fields());
    }
    fields
}

/// A corner of the box around a mesh.
fn corner<'a>(entry: &Entry, corner: fn(Bounds) -> [f32; 3]) -> Cell<'a> {
    entry.row.extent.map(|extent| Cell::list(move || corner(extent.bounds).into_iter())).into()
}

/// One coordinate of a corner of the box around a mesh.
fn coordinate<'a>(entry: &Entry, corner: fn(Bounds) -> [f32; 3], axis: usize) -> Cell<'a> {
    entry.row.extent.and_then(|extent| corner(extent.bounds).get(axis).copied()).into()
}

/// A column of seconds.
pub const fn seconds(key: &'static str) -> Column {
    double(key).titled("seconds").look(Look::Decimals(3)).unit("seconds")
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

/// An address as text that every command takes.
pub fn address_text(address: &Address) -> String {
    shown(&path_text(address.path()), address.entry())
}

/// An address.
pub fn address_cell(address: &Address) -> Cell<'_> {
    address_text(address).into()
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
        Ok(loaded) => {
            let row = Row::of(path, entry, loaded.bytes(), options);
            Row { bytes: Some(to_u64(loaded.stored().len())), ..row }
        }
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

const QUIRK: [Column; 5] = [
    text("code").titled("quirk").means("the code of the quirk (skelmap explain CODE)"),
    text("section").means("the section of the file"),
    integer("offset").means("the byte of the file"),
    integer("count").data().means("the number of records with this quirk in the section"),
    text("message").data().means("the quirk in words"),
];

/// A column of lists of quirks.
pub const QUIRKS_COLUMN: Column = list("quirks", const { &text("").of(Values::Shared("quirk", || QUIRK.to_vec())) })
    .means("faults that were recovered while the file was read");

/// The columns of [`counted_quirks`].
pub fn quirk_rows(quirks: &[(Quirk, u64)]) -> Rows<'_> {
    let [code, section, offset, count, message] = QUIRK;
    Rows::of([code, section, offset, count, message, text("meaning").table()], move || {
        quirks.iter().map(|(quirk, count)| {
            let message = quirk.code.sentence();
            let meaning = format!("{message}{}", crate::text::and_more(*count));
            cells![quirk.code.name(), Cell::display(quirk.section), quirk.offset, *count, message, meaning]
        })
    })
}
