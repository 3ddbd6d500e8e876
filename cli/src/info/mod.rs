//! `skelmap info`: everything about one file but its bulk data. The details of each family are in a module of its own.

mod actorx;
mod pyrogenesis;
mod swat3;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use skelmap::archive::Address;
use skelmap::catalog::{Extent, Fault, Loaded, Options, SideCar};
use skelmap::{Asset, Quirk, SectionRange};

use crate::files::{self, Source};
use crate::outcome::{Ended, Outcome};
use crate::output::{BOLD, complain, stdout, styled_stdout};
use crate::report::{Cell, Column, Format, Report, Rows, cells, document, integer, object, text, write_section};
use crate::row::{Entry, counted_quirks, fields, quirk_rows, row, shown};
use crate::text::{clean, counted, size};

/// Describe one file: chunks, counts, bones, materials, sequences, quirks, side-car.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap info Walk.psa
  skelmap info --format json Walk.psa | jq '.details.sequences[].name'
  skelmap info --layout Stand.GSA > bones.layout; skelmap ls --gsa-layout bones.layout SWAT3/

JSON: the keys of `skelmap ls --help`, and `details` with chunks, bones, materials, sequences, quirks, side_car, space \
{handedness, up, metres}, bounds {min, max}, height and gsa. Lengths are in units of the file; metres: in a unit, if the file says it.

The bone layout of SWAT 3 skeletons is not documented. --layout prints the layout that the names in the file give, and the evidence for \
each part. You can edit it and pass it to --gsa-layout. README says how to help with the layout.")]
pub(crate) struct Info {
    /// The file.
    #[arg(value_name = "FILE")]
    path: PathBuf,
    /// Format of the output (csv: the row of `ls`).
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Only the bone layout of a SWAT 3 animation, in the form that --gsa-layout reads.
    #[arg(long)]
    layout: bool,
}

/// What only `info` prints of a file.
#[derive(Default)]
struct Details<'a> {
    /// Lines for people.
    facts: Vec<String>,
    /// Single values, by their key in JSON.
    values: Vec<(&'static str, Cell<'a>)>,
    /// Lists, by their key in [`SECTIONS`].
    lists: Vec<(&'static str, Rows<'a>)>,
}

/// How JSON has a list.
#[derive(Clone, Copy)]
enum Shape {
    Objects,
    /// A list of the values of the last column.
    Values,
    /// One object, or null.
    One,
    /// Not at all.
    Absent,
}

/// The lists of all families: key, title and shape.
const SECTIONS: [(&str, &str, Shape); 11] = [
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

pub(crate) fn run(arguments: &Info, source: &Source) -> Ended {
    let address = Address::find(&arguments.path);
    let opened = source.open(&address).map_err(|error| Fault::from(&error));
    let entry = Entry::from(row(&address, &opened, &Options { parse: source.parse, ..Options::default() }));
    let row = &entry.row;
    let mut outcome = Outcome::Clean;
    if let Some(error) = &row.error {
        complain(format!("{address}: {}", error.message));
        outcome = if row.is_unreadable() { Outcome::NothingRead } else { Outcome::Findings };
    }
    let loaded = opened.as_ref().ok();
    let mut side_car = None;
    if let Some(loaded) = loaded {
        match files::side_car_of(loaded, &address, &source.opener) {
            Ok(found) => side_car = found,
            Err(error) => {
                complain(error);
                outcome = outcome.max(Outcome::Findings);
            }
        }
    }
    if arguments.layout {
        return match loaded {
            Some(loaded) if row.error.is_none() => swat3::write_layout(&arguments.path, arguments.format, loaded),
            _ => Ok(outcome),
        };
    }
    let quirks = loaded.map_or_else(Vec::new, |loaded| {
        loaded.asset().map_or_else(|_| Vec::new(), |asset| counted_quirks(asset.quirks()))
    });
    let details = loaded.map_or_else(Details::default, |loaded| Details::new(loaded, side_car.as_ref(), &quirks));
    match arguments.format {
        Format::Table => write_text(&entry, &details)?,
        Format::Json | Format::Jsonl => {
            let mut keys = object(&fields(), &entry);
            keys.push(("details", details.into_cell()));
            document(stdout(), &Cell::Object(keys), arguments.format == Format::Json)?;
        }
        format => {
            let mut report = Report::new(fields(), format)?;
            report.row(&entry)?;
            report.end()?;
        }
    }
    Ok(outcome)
}

impl<'a> Details<'a> {
    fn new(loaded: &'a Loaded, side_car: Option<&'a SideCar>, quirks: &'a [(Quirk, u64)]) -> Self {
        let Ok(asset) = loaded.asset() else {
            let is_chunked = skelmap::Format::sniff(loaded.bytes())
                .is_ok_and(|format| matches!(format, skelmap::Format::ActorxPsk | skelmap::Format::ActorxPsa));
            let lists = if is_chunked { vec![("chunks", actorx::chunks(loaded.bytes()))] } else { Vec::new() };
            return Self { lists, ..Self::default() };
        };
        let mut details = match asset {
            Asset::ActorxPsk(mesh) => actorx::mesh(mesh),
            Asset::ActorxPsa(animation) => actorx::animation(animation, side_car),
            Asset::PyrogenesisPmd(mesh) => pyrogenesis::mesh(mesh),
            Asset::PyrogenesisPsa(animation) => pyrogenesis::animation(animation),
            Asset::Swat3Gsa(animation) => swat3::animation(animation),
            _ => Self::default(),
        };
        details.lists.push(("quirks", quirk_rows(quirks)));
        details.add_extent(&asset);
        details
    }

    /// Adds the space of an asset, and the room that a mesh takes.
    fn add_extent(&mut self, asset: &Asset<'_>) {
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
    fn into_cell(mut self) -> Cell<'a> {
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

fn write_text(entry: &Entry, details: &Details<'_>) -> io::Result<()> {
    let mut out = styled_stdout();
    let row = &entry.row;
    writeln!(out, "{BOLD}{}{BOLD:#}", clean(shown(&row.path, row.entry.as_deref())))?;
    let Some(bytes) = row.bytes else { return out.flush() };
    writeln!(out, "{}, {} ({bytes} bytes)", row.format.unwrap_or("unknown format"), size(bytes))?;
    let counts = fields().into_iter().filter_map(|field| match (field.column.noun, (field.get)(entry)) {
        (Some(noun), Cell::Count(count)) => Some(counted(count, noun)),
        _ => None,
    });
    let counts: Vec<String> = counts.collect();
    if !counts.is_empty() {
        writeln!(out, "{}", counts.join(", "))?;
    }
    details.facts.iter().try_for_each(|fact| writeln!(out, "{}", clean(fact)))?;
    for (key, title, _) in SECTIONS {
        if let Some((_, rows)) = details.lists.iter().find(|(own, _)| *own == key) {
            write_section(&mut out, title, rows)?;
        }
    }
    out.flush()
}

/// The sections of a file that has no chunks.
fn sections<'a>(sections: impl IntoIterator<Item = SectionRange>) -> Rows<'a> {
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
const BONE: [Column; 4] =
    [integer("index").titled("#"), text("name").titled("bone"), integer("parent").data(), text("parent").table()];
