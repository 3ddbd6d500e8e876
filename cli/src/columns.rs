//! `skelmap columns`: the columns and keys of reports, as they are declared beside their writers.

use clap::Args;
use skelmap::Format as FileFormat;
use skelmap_batch::arrays::arrays_of;
use skelmap_batch::columns;
use skelmap_batch::{check, convert, diff, game, mods, stats};

use crate::outcome::{Ended, Failure, Outcome};
use crate::output::stdout;
use crate::report::{self, Column, Definition, Field, Format, Place, Shown, columns_of, document, field, schema, text};
use crate::{explain, gsa, info, matching, pose};

/// List the columns of every table and the keys of its JSON, with type, unit and meaning.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap columns ls
  skelmap columns --format csv > columns.csv
  skelmap columns dump
  skelmap columns --format schema > schema.json

A key of an object in another key is written as error.kind, or as findings[].code if there is a list of objects. formats: the formats that \
have the column; all, if it is empty. Parquet has the columns of CSV. --format schema prints a JSON Schema of the JSON of every command, \
for programs; it is docs/schema.json.")]
pub(crate) struct Columns {
    /// Only the columns of this command, such as ls or gsa events.
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
    /// Format of the output.
    #[arg(long, value_parser = report::one_of(FORMATS), default_value = "table")]
    format: Output,
}

/// The format of the output.
#[derive(Clone, Copy, Debug)]
enum Output {
    Report(Format),
    Schema,
}

const FORMATS: [(&str, Output); 5] = [
    ("table", Output::Report(Format::Table)),
    ("json", Output::Report(Format::Json)),
    ("jsonl", Output::Report(Format::Jsonl)),
    ("csv", Output::Report(Format::Csv)),
    ("schema", Output::Schema),
];

/// A column of a command.
struct Listed {
    command: &'static str,
    array: Option<String>,
    name: String,
    shown: Vec<Shown>,
    column: Column,
}

impl Listed {
    /// The formats that have the column; `None` for all.
    fn formats(&self) -> Option<String> {
        let formats = [(Format::Table, "table"), (Format::Json, "json"), (Format::Csv, "csv")];
        let has = |format: Format| self.shown.iter().any(|shown| format.has(&Column { shown: *shown, ..self.column }));
        let own: Vec<_> = formats.iter().filter(|(format, _)| has(*format)).map(|(_, name)| *name).collect();
        (own.len() < formats.len()).then(|| own.join(" "))
    }
}

fn fields() -> Vec<Field<Listed>> {
    vec![
        field(text("command").means("the command"), |listed: &Listed| listed.command.into()),
        field(text("array").nullable().means("of dump: the format and the array"), |listed| {
            listed.array.as_ref().into()
        }),
        field(text("column").means("the key in JSON, and the heading in CSV"), |listed| listed.name.as_str().into()),
        field(text("heading").nullable().means("the heading in tables, if it is another"), |listed| {
            Some(listed.column.title).filter(|title| *title != listed.column.name()).into()
        }),
        field(text("formats").nullable().means("the formats that have the column; null for all"), |listed| {
            listed.formats().into()
        }),
        field(text("type").means("the type of the values in JSON"), |listed| {
            let Column { values, is_nullable, .. } = listed.column;
            format!("{}{}", values.in_words(), if is_nullable { " or null" } else { "" }).into()
        }),
        field(text("unit").nullable().means("the unit of the values"), |listed| listed.column.unit.into()),
        field(text("meaning").means("the meaning of the values"), |listed| listed.column.meaning.into()),
    ]
}

pub(crate) fn run(arguments: &Columns) -> Ended {
    let definitions = definitions();
    let Output::Report(format) = arguments.format else {
        if arguments.command.is_empty() {
            document(stdout(), &schema(&definitions), true)?;
            return Ok(Outcome::Clean);
        }
        return Err(Failure::usage("the schema describes all commands: leave the name out"));
    };
    let asked = arguments.command.join(" ");
    let is_asked =
        |command: &str| command.strip_prefix(&asked).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    let mut listed: Vec<Listed> = Vec::new();
    for Definition { command, columns, .. } in &definitions {
        add(&mut listed, command, None, "", columns);
    }
    add(&mut listed, "dump", None, "", &Place::COLUMNS);
    for format in FileFormat::ALL {
        for table in arrays_of(*format) {
            add(&mut listed, "dump", Some(&format!("{format} {}", table.name)), "", &table.columns());
        }
    }
    listed.retain(|listed| asked.is_empty() || is_asked(listed.command));
    if listed.is_empty() {
        return Err(Failure::usage(format!("no command {asked:?} has columns (`skelmap columns` lists all)")));
    }
    let mut report = report::print(fields(), format)?;
    listed.iter().try_for_each(|listed| report.row(listed))?;
    report.end()?;
    Ok(Outcome::Clean)
}

/// The commands that have columns, each once.
pub(crate) fn commands() -> Vec<String> {
    let mut commands: Vec<String> = Vec::new();
    for Definition { command, .. } in definitions() {
        // The words of `gsa events` are two arguments.
        let word = command.split(' ').next().unwrap_or_default();
        if !commands.iter().any(|own| own == word) {
            commands.push(word.to_owned());
        }
    }
    commands
}

/// The columns of a command by which its rows can be sorted and chosen.
pub(crate) fn names(command: &str) -> Vec<String> {
    // Statistics are about the columns of the catalogue.
    let command = if command == "stats" { "catalog" } else { command };
    let mut listed = Vec::new();
    for Definition { command: own, columns, .. } in definitions() {
        if own == command || own.strip_prefix(command).is_some_and(|rest| rest.starts_with(" --")) {
            add(&mut listed, own, None, "", &columns);
        }
    }
    let mut names: Vec<String> = Vec::new();
    for Listed { name, .. } in listed {
        if !name.contains('.') && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Adds the columns of a command, each name once, and the keys of objects in them.
fn add(all: &mut Vec<Listed>, command: &'static str, array: Option<&str>, before: &str, columns: &[Column]) {
    for column in columns {
        let name = format!("{before}{}", column.name());
        let is_same = |own: &&mut Listed| own.command == command && own.array.as_deref() == array && own.name == name;
        if let Some(own) = all.iter_mut().rev().find(is_same) {
            own.shown.push(column.shown);
            continue;
        }
        let is_list = column.values.in_words().starts_with("list");
        let inner = format!("{name}{}.", if is_list { "[]" } else { "" });
        all.push(Listed { command, array: array.map(str::to_owned), name, shown: vec![column.shown], column: *column });
        if let Some(keys) = column.values.keys() {
            let keys: Vec<_> = keys.into_iter().filter(Column::is_in_json).map(Column::json).collect();
            add(all, command, array, &inner, &keys);
        }
    }
}

/// The outputs of all commands.
fn definitions() -> Vec<Definition> {
    let of = |name, command, meaning, columns| Definition { name, command, meaning, columns };
    vec![
        of(
            "ls",
            "ls",
            "A line of `ls --format jsonl`, or an element of `ls --format json`.",
            columns_of(&columns::fields()),
        ),
        of(
            "ls-sequence",
            "ls --per sequence",
            "A line of `ls --per sequence --format jsonl`.",
            columns_of(&columns::sequence_fields()),
        ),
        of(
            "catalog",
            "catalog",
            "A line of `catalog -o FILE.jsonl`.",
            columns_of(&columns::catalogue_fields(false, true)),
        ),
        of(
            "catalog-sequence",
            "catalog --per sequence",
            "A line of `catalog --per sequence -o FILE.jsonl`.",
            columns_of(&columns::catalogue_fields(true, true)),
        ),
        of(
            "check",
            "check",
            "A line of `check --format jsonl`, or an element of `check --format json`.",
            // CSV has a row for each finding.
            [
                columns_of(&check::file_fields()),
                columns_of(&check::finding_fields()).into_iter().map(Column::flat).collect(),
            ]
            .concat(),
        ),
        of(
            "check-finding",
            "check --where",
            "A line of `check --format jsonl` with --where, --sort or --limit.",
            columns_of(&check::row_fields()),
        ),
        of(
            "stats",
            "stats",
            "A line of `stats --format jsonl`: a column with values in the assets of a format.",
            columns_of(&stats::fields()),
        ),
        of("diff", "diff", "A line of `diff --format jsonl`: one difference.", columns_of(&diff::fields())),
        of("match", "match", "A line of `match --format jsonl`.", columns_of(&matching::fields())),
        of("mod", "mod", "A line of `mod --format jsonl`.", columns_of(&mods::fields())),
        of(
            "mod-bones",
            "mod --bones",
            "A line of `mod --bones MESH --format jsonl`: a bone in a standard skeleton that the mesh may have.",
            columns_of(&mods::bone_fields()),
        ),
        of("convert", "convert", "A line of `convert --format jsonl`.", columns_of(&convert::fields())),
        of(
            "convert-game",
            "convert --to pmd",
            "A line of `convert --to pmd --format jsonl`.",
            columns_of(&game::fields()),
        ),
        of("explain", "explain", "A line of `explain --format jsonl`.", columns_of(&explain::fields())),
        of("gsa-events", "gsa events", "A line of `gsa events --format jsonl`.", columns_of(&gsa::fields())),
        of("info", "info", "The document of `info --format json`.", info::info_columns()),
        of("pose", "pose", "The document of `pose --format json`.", pose::pose_columns()),
        of("skin", "skin", "The document of `skin --format json`.", pose::skin_columns()),
        of(
            "dump",
            "dump",
            "A line of `dump --format jsonl`: the columns of the array, which `skelmap columns dump` lists.",
            Vec::new(),
        ),
    ]
}
