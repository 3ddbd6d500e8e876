//! What `info` prints besides the row of a file, in the same form for all families.

use skelmap::{Asset, SectionRange};
use skelmap_batch::arrays::CHUNK;
use skelmap_batch::items::Extent;

use super::{actorx, pyrogenesis, swat3, ueformat};
use crate::gsa::EVENT;
use crate::report::{Cell, Column, Rows, Values, cells, columns_of, float, integer, list, nested, text};
use skelmap_batch::columns::{QUIRKS_COLUMN, corner_column, fields};

/// What only `info` prints of a file.
#[derive(Default)]
pub(super) struct Details<'a> {
    /// Lines for people.
    pub(super) facts: Vec<String>,
    /// Single values, by their key in JSON.
    pub(super) values: Vec<(&'static str, Cell<'a>)>,
    /// Lists, by their key in [`SECTIONS`].
    pub(super) lists: Vec<(&'static str, Rows<'a>)>,
}

/// How JSON has a list.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    Objects,
    /// A list of the values of the last column.
    Values,
    /// One object, or null.
    One,
    /// Not at all.
    Absent,
}

/// The lists of all families: key, title, shape, columns and meaning.
pub(super) const SECTIONS: [(&str, &str, Shape, &[Column], &str); 16] = [
    ("chunks", "Chunks", Shape::Objects, &CHUNK, "the chunks (ActorX)"),
    ("sequences", "Sequences", Shape::Objects, &actorx::SEQUENCE, "the sequences (ActorX)"),
    ("bones", "Bones", Shape::Objects, &BONE, "the bones"),
    ("materials", "Materials", Shape::Values, &actorx::MATERIAL, "the names of the materials"),
    ("levels", "Levels of detail", Shape::Objects, &ueformat::LEVEL, "the levels of detail (UEFormat)"),
    ("morphs", "Morph targets", Shape::Objects, &actorx::MORPH, "the morph targets"),
    ("sockets", "Sockets", Shape::Objects, &actorx::SOCKET, "the sockets"),
    ("virtual_bones", "Virtual bones", Shape::Objects, &ueformat::VIRTUAL_BONE, "the virtual bones (UEFormat)"),
    ("hulls", "Hulls", Shape::Objects, &ueformat::HULL, "the convex hulls for collisions (UEFormat)"),
    ("curves", "Curves", Shape::Objects, &ueformat::CURVE, "the curves (UEFormat)"),
    ("poses", "Poses", Shape::Objects, &ueformat::POSE, "the poses (UEFormat)"),
    ("sections", "Sections", Shape::Objects, &SECTION, "the sections (Pyrogenesis and SWAT 3)"),
    (
        "props",
        "Prop points",
        Shape::Objects,
        &pyrogenesis::PROP,
        "points where other models are attached (Pyrogenesis)",
    ),
    ("events", "Events", Shape::Absent, &EVENT, ""),
    ("side_car", "Side-car", Shape::One, &actorx::SIDE_CAR, "the .config file beside an ActorX animation"),
    ("quirks", "Quirks", Shape::Objects, &[], ""),
];

/// The keys of `details`.
fn columns() -> Vec<Column> {
    let section = |(key, _, shape, columns, meaning): (&'static str, _, Shape, &'static [Column], &'static str)| {
        Some(match shape {
            Shape::Absent => return None,
            _ if columns.is_empty() => QUIRKS_COLUMN,
            Shape::Objects => text(key).of(Values::Rows(columns)).means(meaning),
            Shape::Values => list(key, columns.last()?).means(meaning),
            Shape::One => text(key).of(Values::Row(columns)).nullable().means(meaning),
        })
    };
    SECTIONS.into_iter().filter_map(section).chain(VALUES).collect()
}

/// The columns of `info`.
pub(crate) fn info_columns() -> Vec<Column> {
    let details = nested("details", columns).optional();
    let details = details.means("what the row does not say; lists of other families are empty, and their keys null");
    columns_of(&fields()).into_iter().chain([details]).collect()
}

/// The values of all families.
const VALUES: [Column; 9] = [
    integer("version").nullable().means("the version of the format (Pyrogenesis and UEFormat)"),
    text("name").nullable().means("the name that is stored in the file (Pyrogenesis and UEFormat)"),
    float("frame_length_ms").nullable().unit("milliseconds").means("the duration of a frame (Pyrogenesis)"),
    text("object_path").nullable().means("the path of the asset in the game (UEFormat)"),
    text("additive")
        .of(Values::Row(&ADDITIVE))
        .nullable()
        .means("what the animation says of differences to another pose (UEFormat)"),
    text("bounds").of(Values::Row(&BOUNDS)).nullable().means("the box around the mesh in its bind pose"),
    float("height")
        .nullable()
        .unit("units of the file")
        .means("the height of the mesh in its bind pose: its extent along the up axis"),
    text("space").of(Values::Row(&SPACE)).nullable().means("the axes and the unit of the file"),
    text("gsa")
        .of(Values::Row(&swat3::GSA))
        .nullable()
        .means("the header, the layout of the bones and the events (SWAT 3)"),
];
const ADDITIVE: [Column; 4] = [
    integer("type").means("0 no differences, 1 in local space, 2 rotations in the space of the mesh"),
    integer("base")
        .means("0 no base, 1 the reference pose, 2 and 3 another animation, 4 a frame of the animation itself"),
    integer("base_frame").of(Values::Integer).means("the frame of the base"),
    text("base_path").means("the path of the base"),
];
const BOUNDS: [Column; 2] = [corner_column("min", "the lowest corner"), corner_column("max", "the highest corner")];
const SPACE: [Column; 3] = [
    text("handedness").of(Values::OneOf(|| vec!["left", "right"])).means("the handedness of the axes"),
    text("up").of(Values::OneOf(|| vec!["x", "y", "z"])).means("the up axis"),
    float("metres").nullable().means("the metres of a unit; null if the file does not say"),
];
const SECTION: [Column; 5] = [
    text("section").means("the name of the section"),
    integer("record_size").titled("record size").unit("bytes").means("the size of a record"),
    integer("count").means("the number of records"),
    integer("offset").means("the byte of the file at which the section begins"),
    integer("bytes").unit("bytes").means("the size of the section"),
];

impl<'a> Details<'a> {
    /// Adds the space of an asset, and the bounding box of a mesh.
    pub(super) fn add_extent(&mut self, asset: &Asset<'_>) {
        let mesh = asset.mesh();
        let space = mesh.map(|mesh| mesh.space()).or_else(|| asset.clips().find_map(|clip| clip.space()));
        let Some(space) = space else { return };
        let (up, sign) = space.up();
        let up = format!("{}{}", if sign < 0.0 { "-" } else { "" }, up.code());
        let unit = space.metres().map_or("unit not known".to_owned(), |metres| format!("{metres} m per unit"));
        self.facts.push(format!("{}-handed, {up} up, {unit}", space.handedness().code()));
        let space = vec![
            ("handedness", space.handedness().code().into()),
            ("up", up.into()),
            ("metres", space.metres().into()),
        ];
        self.values.push(("space", Cell::Object(space)));
        if let Some(Extent { bounds, height, .. }) = mesh.and_then(|mesh| Extent::of(&mesh)) {
            let corner = |corner: [f32; 3]| corner.map(|value| value.to_string()).join(" ");
            self.facts.push(format!("box {} to {}, height {height}", corner(bounds.min), corner(bounds.max)));
            let corner = |corner: [f32; 3]| Cell::list(move || corner.into_iter());
            let corners = vec![("min", corner(bounds.min)), ("max", corner(bounds.max))];
            self.values.extend([("bounds", Cell::Object(corners)), ("height", height.into())]);
        }
    }

    /// The JSON object, which has all keys of all families.
    pub(super) fn into_cell(mut self) -> Cell<'a> {
        let mut keys = Vec::new();
        for (key, _, shape, ..) in SECTIONS {
            let at = self.lists.iter().position(|(own, _)| *own == key);
            let rows = at.map(|at| self.lists.swap_remove(at).1);
            let none = || Cell::list(std::iter::empty::<Cell<'a>>);
            let cell = match shape {
                Shape::Objects => rows.map_or_else(none, |rows| Cell::list(rows.objects())),
                Shape::Values => {
                    rows.map_or_else(none, |rows| Cell::list(move || (rows.rows)().filter_map(|mut row| row.pop())))
                }
                Shape::One => rows.and_then(|rows| rows.objects()().next()).into(),
                Shape::Absent => continue,
            };
            keys.push((key, cell));
        }
        for key in VALUES.map(|column| column.key) {
            let at = self.values.iter().position(|(own, _)| *own == key);
            keys.push((key, at.map(|at| self.values.swap_remove(at).1).into()));
        }
        Cell::Object(keys)
    }
}

/// The sections of a file that has no chunks.
pub(super) fn sections<'a>(sections: impl IntoIterator<Item = SectionRange>) -> Rows<'a> {
    let sections: Vec<SectionRange> = sections.into_iter().collect();
    Rows::of(SECTION, move || {
        sections.clone().into_iter().map(|range| {
            let SectionRange { section, offset, record_size, bytes, .. } = range;
            cells![Cell::display(section), record_size, range.count(), offset, bytes]
        })
    })
}

/// The columns of a bone: JSON has the index of the parent, people get its name too.
pub(super) const BONE: [Column; 4] = [
    integer("index").titled("#").means("the index of the bone, from 0"),
    text("name").titled("bone").nullable().means("the name of the bone"),
    integer("parent").nullable().data().means("the index of the parent bone; null for a root"),
    text("parent").table(),
];
