//! `skelmap match`: which animations fit a mesh.

use std::io::{self, Write};

use serde::Serialize;
use skelmap::archive::Address;
use skelmap::catalog::{Fault, Item, Loaded, SCHEMA};
use skelmap::{Asset, Match, Matcher, Verdict};

use crate::Outcome;
use crate::cli::{self, Format};
use crate::files::{self, Source};
use crate::print::{self, Json, clean, or_blank};
use crate::row::{named, shown};
use crate::table::Table;

/// An animation and how it fits. The order of the fields is the order of the keys.
#[derive(Serialize)]
struct Matched {
    schema: u32,
    path: String,
    entry: Option<String>,
    verdict: Verdict,
    #[serde(flatten)]
    found: Match,
    percent_of_mesh: f64,
    percent_of_animation: f64,
    message: String,
}

/// What came of an input.
enum Answer {
    Fits(Matched),
    /// Why there is no answer for something that was named.
    Failed(String),
    /// The same, of what could not even be opened.
    Unreadable(String),
}

pub(crate) fn run(arguments: &cli::Match, source: &Source) -> io::Result<Outcome> {
    let address = Address::find(&arguments.mesh);
    let loaded = match source.open(&address) {
        Ok(loaded) => loaded,
        Err(error) => {
            print::complain(format_args!("{}", clean(error)));
            return Ok(Outcome::NothingRead);
        }
    };
    let mesh = match loaded.asset() {
        Ok(mesh @ (Asset::ActorxPsk(_) | Asset::PyrogenesisPmd(_) | Asset::Swat3Gsa(_))) => mesh,
        Ok(other) => {
            print::complain(format_args!("{}: this is {}, expected a mesh", clean(&address), other.format()));
            return Ok(Outcome::Usage);
        }
        Err(error) => {
            print::complain(format_args!("{}: {error}", clean(&address)));
            return Ok(Outcome::Findings);
        }
    };
    let Some(matcher) = Matcher::new(&mesh) else { return Ok(Outcome::Usage) };
    let mut report = Report::new(arguments)?;
    let sources = source.find(&arguments.inputs);
    let work = |item: &Item, opened| answer(&matcher, mesh.format(), item, opened);
    files::each_of(&sources, arguments.inputs.jobs, source, work, |answer| report.add(answer))?;
    report.end()
}

fn answer(matcher: &Matcher<'_>, mesh: skelmap::Format, item: &Item, opened: Result<Loaded, Fault>) -> Option<Answer> {
    let address = item.address();
    let failed = |message: &str| Some(Answer::Failed(format!("{address}: {message}")));
    let loaded = match opened {
        Ok(loaded) => loaded,
        Err(fault) => return Some(Answer::Unreadable(format!("{address}: {}", fault.message))),
    };
    match loaded.asset() {
        Ok(animation) => match matcher.matched(&animation) {
            Some(found) => {
                let (path, entry) = named(&address);
                Some(Answer::Fits(Matched {
                    schema: SCHEMA,
                    path,
                    entry,
                    verdict: found.verdict(),
                    found,
                    percent_of_mesh: found.percent_of_mesh(),
                    percent_of_animation: found.percent_of_animation(),
                    message: found.to_string(),
                }))
            }
            None if item.is_named() => {
                failed(&format!("this is {}, expected an animation of the family of {}", animation.format(), mesh))
            }
            None => None,
        },
        Err(error) if item.is_named() => failed(&error.to_string()),
        Err(_) => None,
    }
}

/// Prints answers as they come.
struct Report<'a> {
    arguments: &'a cli::Match,
    out: print::Output,
    json: Option<Json>,
    csv: Option<csv::Writer<print::Output>>,
    table: Table,
    animations: u64,
    fitting: u64,
    failed: u64,
    unreadable: u64,
}

const CSV_HEADING: [&str; 11] = [
    "path",
    "entry",
    "verdict",
    "matched",
    "missing",
    "extra",
    "reparented",
    "by_name",
    "percent_of_mesh",
    "percent_of_animation",
    "message",
];

impl<'a> Report<'a> {
    fn new(arguments: &'a cli::Match) -> io::Result<Self> {
        let mut csv = (arguments.format == Format::Csv).then(|| csv::Writer::from_writer(print::output()));
        if let Some(csv) = &mut csv {
            print::written(csv.write_record(CSV_HEADING))?;
        }
        let json = Json::new(arguments.format);
        let heading = ["verdict", "matched", "of mesh", "of anim", "missing", "extra", "path", "meaning"];
        let table = Table::new(&heading).aligned_right(1..6);
        Ok(Self {
            arguments,
            out: print::output(),
            json,
            csv,
            table,
            animations: 0,
            fitting: 0,
            failed: 0,
            unreadable: 0,
        })
    }

    fn add(&mut self, answer: Answer) -> io::Result<()> {
        self.unreadable += u64::from(matches!(answer, Answer::Unreadable(_)));
        self.failed += u64::from(!matches!(answer, Answer::Fits(_)));
        let matched = match answer {
            Answer::Fits(matched) => matched,
            Answer::Failed(message) | Answer::Unreadable(message) => {
                print::complain(format_args!("{}", clean(message)));
                return Ok(());
            }
        };
        let fits = matches!(matched.verdict, Verdict::Exact | Verdict::Fits);
        self.animations += 1;
        self.fitting += u64::from(fits);
        if self.arguments.fits && !fits {
            return Ok(());
        }
        let Matched { found, percent_of_mesh, percent_of_animation, .. } = &matched;
        match (&mut self.json, &mut self.csv) {
            (Some(json), _) => json.value(&mut self.out, &matched),
            (_, Some(csv)) => {
                let entry = or_blank(matched.entry.as_ref());
                let counts =
                    [found.matched, found.missing, found.extra, found.reparented].map(|count| count.to_string());
                let rest = [found.by_name.to_string(), percent_of_mesh.to_string(), percent_of_animation.to_string()];
                let first = [matched.path.as_str(), &entry, matched.verdict.code()];
                let cells = first.into_iter().chain(counts.iter().chain(&rest).map(String::as_str));
                print::written(csv.write_record(cells.chain([matched.message.as_str()])))
            }
            _ => {
                let cells = [
                    matched.verdict.code().to_owned(),
                    found.matched.to_string(),
                    format!("{percent_of_mesh:.0} %"),
                    format!("{percent_of_animation:.0} %"),
                    found.missing.to_string(),
                    found.extra.to_string(),
                    clean(shown(&matched.path, matched.entry.as_deref())),
                    matched.message.clone(),
                ];
                self.table.row(&mut self.out, cells)
            }
        }
    }

    fn end(mut self) -> io::Result<Outcome> {
        match (self.json, self.csv) {
            (Some(json), _) => json.end(&mut self.out)?,
            (_, Some(mut csv)) => csv.flush()?,
            _ if !self.table.is_empty() => self.table.end(&mut self.out)?,
            _ => {}
        }
        self.out.flush()?;
        let animations = print::counted(self.animations, "animation");
        print::complain(format_args!("{} of {animations} fit", self.fitting));
        Ok(match (self.animations, self.fitting, self.failed) {
            (0, _, failed) if failed == self.unreadable => Outcome::NothingRead,
            (_, 0, _) | (_, _, 1..) => Outcome::Findings,
            _ => Outcome::Clean,
        })
    }
}
