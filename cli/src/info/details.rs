//! What `info` prints besides the row of a file, in the same form for all families.

use skelmap::model::Skeleton;
use skelmap::{Asset, SectionRange};
use skelmap_batch::items::Extent;

use crate::report::{Cell, Column, Rows, cells, integer, text};

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

/// The lists of all families: key, title and shape.
pub(super) const SECTIONS: [(&str, &str, Shape); 11] = [
    ("chunks", "Chunks", Shape::Objects),
    ("sequences", "Sequences", Shape::Objects),
    ("bones", "Bones", Shape::Objects),
    ("materials", "Materials", Shape::Values),
    ("morphs", "Morph targets", Shape::Objects),
    ("sockets", "Sockets", Shape::Objects),
    ("sections", "Sections", Shape::Objects),
    ("props", "Prop points", Shape::Objects),
    ("events", "Events", Shape::Absent),
    ("side_car", "Side-car", Shape::One),
    ("quirks", "Quirks", Shape::Objects),
];

/// The values of all families.
const VALUES: [&str; 7] = ["version", "name", "frame_length_ms", "bounds", "height", "space", "gsa"];

impl<'a> Details<'a> {
    /// Adds the space of an asset, and the room that a mesh takes.
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
        for (key, _, shape) in SECTIONS {
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
        for key in VALUES {
            let at = self.values.iter().position(|(own, _)| *own == key);
            keys.push((key, at.map(|at| self.values.swap_remove(at).1).into()));
        }
        Cell::Object(keys)
    }
}

/// The sections of a file that has no chunks.
pub(super) fn sections<'a>(sections: impl IntoIterator<Item = SectionRange>) -> Rows<'a> {
    let sections: Vec<SectionRange> = sections.into_iter().collect();
    let columns = [
        text("section"),
        integer("record_size").titled("record size"),
        integer("count"),
        integer("offset"),
        integer("bytes"),
    ];
    Rows::of(columns, move || {
        sections.clone().into_iter().map(|range| {
            let SectionRange { section, offset, record_size, bytes, .. } = range;
            cells![Cell::display(section), record_size, range.count(), offset, bytes]
        })
    })
}

/// The columns of a bone: JSON has the index of the parent, people get its name too.
pub(super) const BONE: [Column; 4] =
    [integer("index").titled("#"), text("name").titled("bone"), integer("parent").data(), text("parent").table()];

/// The bones with the index of the parent, which people get by its name.
pub(super) fn bones(skeleton: Skeleton<'_>) -> Rows<'_> {
    Rows::of(BONE, move || {
        (0..skeleton.bone_count()).map(move |index| {
            let parent = skeleton.parent(index);
            let named = parent.and_then(|parent| Some(format!("{parent} {}", skeleton.name(parent)?)));
            cells![index, skeleton.name(index), parent, named]
        })
    })
}
