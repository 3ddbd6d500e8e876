//! `skelmap info`: everything about one file but its bulk data. The details of each family are in a module of its own.

mod actorx;
mod details;
mod overview;
mod pyrogenesis;
mod swat3;
mod ueformat;

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use skelmap::archive::{Address, SideCar};
use skelmap::model::Skeleton;
use skelmap::{Asset, Quirk};
use skelmap_batch::items::{Fault, Loaded, Options};

use crate::arguments::{Parsing, input};
use crate::files::{self, Source};
use crate::outcome::{Ended, Failure, Outcome};
use crate::output::{BOLD, complain, stdout, styled_stdout};
use crate::report::{self, Cell, Format, document, object, write_section};
use crate::text::{clean, counted, size};
pub(crate) use details::info_columns;
use details::{Details, SECTIONS};
use overview::Overview;
use skelmap_batch::columns::{Entry, counted_quirks, fields, quirk_rows, row, shown};

/// Describe files: chunks, counts, bones, materials, sequences, quirks, side-car.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap info Walk.psa
  skelmap info --format json Walk.psa | jq '.details.sequences[].name'
  skelmap info --layout Stand.GSA > bones.layout; skelmap ls --gsa-layout bones.layout SWAT3/

JSON has the keys of `ls`, and `details`: `skelmap columns info` lists them.

The bone layout of SWAT 3 skeletons is not documented. --layout prints the layout that the names in the file give, and the evidence for \
each part. You can edit it and pass it to --gsa-layout. README says how to help with the layout.")]
pub(crate) struct Info {
    /// Files, entries of archives; of folders and archives, what is in them. - is standard input.
    #[arg(required = true, value_name = "FILE", value_parser = input())]
    paths: Vec<PathBuf>,
    /// Format of the output (csv: the row of `ls`).
    #[arg(long, value_parser = report::formats(), default_value = "table")]
    format: Format,
    /// Only the bone layout of a SWAT 3 animation, in the form that --gsa-layout reads.
    #[arg(long)]
    layout: bool,
    #[command(flatten)]
    pub(crate) parsing: Parsing,
}

pub(crate) fn run(arguments: &Info, source: &Source) -> Ended {
    if !arguments.layout && arguments.format != Format::Table {
        // Before anything is printed.
        let kind_of = |path: &PathBuf| Overview::readable_kind(path, source);
        if let Some((path, kind)) = arguments.paths.iter().find_map(|path| Some((path, kind_of(path)?))) {
            let message = format!("is a {kind}: `skelmap ls` prints a row for each file in it");
            return Err(Failure::usage(message).in_file(path));
        }
    }
    let is_list = arguments.format == Format::Json && arguments.paths.len() > 1;
    let (mut outcome, mut is_read) = (Outcome::Clean, false);
    for (index, path) in arguments.paths.iter().enumerate() {
        let before = match (is_list, index) {
            (true, 0) => "[\n",
            (true, _) => ",\n",
            (false, 1..) if arguments.format == Format::Table => "\n",
            _ => "",
        };
        print(before)?;
        let own = describe(path, arguments, source)?;
        is_read |= own != Outcome::NothingRead;
        outcome = outcome.max(own);
    }
    // As of all commands for many files: something was read.
    if is_read && outcome == Outcome::NothingRead {
        outcome = Outcome::Findings;
    }
    if is_list {
        print("]\n")?;
    }
    Ok(outcome)
}

fn print(text: &str) -> io::Result<()> {
    let mut out = stdout();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Describes a file, or says what is in a folder or an archive.
fn describe(path: &PathBuf, arguments: &Info, source: &Source) -> Ended {
    let fault = Overview::fault(path, source);
    if !arguments.layout && arguments.format == Format::Table {
        if let Some(fault) = fault {
            complain(format!("{}: {}", path.display(), fault.message));
            return Ok(Outcome::NothingRead);
        }
        if let Some(overview) = Overview::of(path, source)? {
            overview.write(path)?;
            return Ok(overview.outcome());
        }
    }
    let address = Address::find(path);
    let opened = fault.map_or_else(|| source.open(&address).map_err(Fault::from), Err);
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
        if let Err(error) = source.check(&address, loaded.stored()) {
            complain(format!("{address}: {}", error.message));
            outcome = outcome.max(Outcome::Findings);
        }
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
            Some(loaded) if row.error.is_none() => swat3::write_layout(path, arguments.format, loaded),
            _ => Ok(outcome),
        };
    }
    let quirks = loaded.map_or_else(Vec::new, |loaded| {
        loaded.asset().map_or_else(|_| Vec::new(), |asset| counted_quirks(asset.quirks()))
    });
    let details = loaded.map_or_else(Details::default, |loaded| details_of(loaded, side_car.as_ref(), &quirks));
    match arguments.format {
        Format::Table => write_text(&entry, &details)?,
        Format::Json | Format::Jsonl => {
            let mut keys = object(&fields(), &entry);
            keys.push(("details", details.into_cell()));
            document(stdout(), &Cell::Object(keys), arguments.format == Format::Json)?;
        }
        format => {
            let mut report = report::print(fields(), format)?;
            report.row(&entry)?;
            report.end()?;
        }
    }
    Ok(outcome)
}

/// The details of a file. The families add what only they have.
fn details_of<'a>(loaded: &'a Loaded, side_car: Option<&'a SideCar>, quirks: &'a [(Quirk, u64)]) -> Details<'a> {
    let Ok(asset) = loaded.asset() else {
        let is_chunked = matches!(loaded.format(), Some(skelmap::Format::ActorxPsk | skelmap::Format::ActorxPsa));
        let lists = if is_chunked { vec![("chunks", actorx::chunks(loaded.bytes()))] } else { Vec::new() };
        return Details { lists, ..Details::default() };
    };
    let mut details = match asset {
        Asset::ActorxPsk(mesh) => actorx::mesh(mesh),
        Asset::ActorxPsa(animation) => actorx::animation(animation, side_car),
        Asset::PyrogenesisPmd(mesh) => pyrogenesis::mesh(mesh),
        Asset::PyrogenesisPsa(animation) => pyrogenesis::animation(animation),
        Asset::Swat3Gsa(animation) => swat3::animation(animation),
        Asset::UeformatModel(model) => ueformat::model(&model),
        Asset::UeformatAnimation(animation) => ueformat::animation(animation),
        Asset::UeformatPose(pose) => ueformat::pose(pose),
        _ => Details::default(),
    };
    let skeleton = asset.skeleton().filter(Skeleton::has_names);
    details.lists.extend(skeleton.map(|skeleton| ("bones", actorx::bones(skeleton))));
    details.lists.push(("quirks", quirk_rows(quirks)));
    details.add_extent(&asset);
    details
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
    for (key, title, ..) in SECTIONS {
        if let Some((_, rows)) = details.lists.iter().find(|(own, _)| *own == key) {
            write_section(&mut out, title, rows)?;
        }
    }
    out.flush()
}
