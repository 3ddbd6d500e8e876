//! `skelmap match`: which animations fit a mesh.

use std::path::PathBuf;

use clap::Args;
use skelmap::archive::Address;
use skelmap::catalog::{Fault, Item, Loaded, SCHEMA};
use skelmap::{Asset, Code, Matcher, Verdict, codes};

use crate::arguments::{Inputs, input};
use crate::files::{self, NO_ASSET, Source};
use crate::messages::summarize;
use crate::outcome::{Ended, Outcome};
use crate::output::complain;
use crate::report::{ARCHIVE, Field, Format, Look, PATH, Report, double, field, integer, text};
use crate::row::{archive, path, path_within};
use crate::text::counted;

/// Tell which animations fit a mesh: bones matched, missing and extra.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap match Grunt.psk Walk.psa
  skelmap match Grunt.psk animations/ --fits
  skelmap match 'public.zip!/art/horse.pmd' public.zip --fits --format csv

ActorX bones are matched by name (case and spaces at the end do not matter), Pyrogenesis and SWAT 3 bones by their number, as the \
games do. missing: bones of the mesh that the animation does not move; extra: bones of the animation that the mesh does not have. \
verdict: exact, fits, in-part, hardly or not.

JSON keys (schema 1): schema, path, entry, verdict, matched, missing, extra, reparented, by_name, percent_of_mesh, \
percent_of_animation, message.")]
pub(crate) struct Match {
    /// The mesh. SWAT 3 meshes cannot be read: give an animation that fits.
    #[arg(value_name = "MESH", value_parser = input())]
    mesh: PathBuf,
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Only animations with the verdict exact or fits.
    #[arg(long)]
    fits: bool,
    /// Format of the output.
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

/// An animation and how it fits.
pub(crate) struct Matched {
    address: Address,
    found: skelmap::Match,
}

/// The result for an input.
enum Answer {
    Matched(Matched),
    /// The message for a file that cannot be read, or for a path on the command line that is no animation.
    Failed(String),
    /// The message for a file that cannot be opened.
    Unreadable(String),
}

pub(crate) fn fields() -> Vec<Field<Matched>> {
    let percent = |title| double("").titled(title).look(Look::Percent).table();
    vec![
        field(integer("schema").json(), |_| SCHEMA.into()),
        field(text("path").data(), |row: &Matched| path(&row.address)),
        field(text("entry").data(), |row| row.address.entry().into()),
        field(text("verdict"), |row| row.found.verdict().code().into()),
        field(integer("matched"), |row| row.found.matched.into()),
        field(percent("of mesh").minor(2), |row| row.found.percent_of_mesh().into()),
        field(percent("of anim").minor(2), |row| row.found.percent_of_animation().into()),
        field(integer("missing").minor(1), |row| row.found.missing.into()),
        field(integer("extra").minor(1), |row| row.found.extra.into()),
        field(integer("reparented").data(), |row| row.found.reparented.into()),
        field(text("by_name").data(), |row| row.found.by_name.into()),
        field(double("percent_of_mesh").data(), |row| row.found.percent_of_mesh().into()),
        field(double("percent_of_animation").data(), |row| row.found.percent_of_animation().into()),
        field(text("message").titled("meaning").minor(3), |row| row.found.to_string().into()),
        field(ARCHIVE, |row| archive(&row.address)),
        field(PATH, |row| path_within(&row.address)),
    ]
}

pub(crate) fn run(arguments: &Match, source: &Source) -> Ended {
    let loaded = source.load(&arguments.mesh)?;
    let mesh = files::asset(&loaded, &arguments.mesh)?;
    let matcher = match mesh {
        Asset::ActorxPsk(_) | Asset::PyrogenesisPmd(_) | Asset::Swat3Gsa(_) => Matcher::new(&mesh),
        _ => None,
    };
    let matcher = matcher.ok_or_else(|| files::other_format(&arguments.mesh, mesh.format(), "a mesh"))?;
    let mut report = Report::new(fields(), arguments.format)?;
    let mut tally = Tally::default();
    let work = |item: &Item, opened| answer(&matcher, mesh.format(), item, opened);
    files::each_of(&source.find(&arguments.inputs)?, arguments.inputs.jobs, source, work, |answer| {
        match tally.count(answer) {
            Some((matched, is_fitting)) if is_fitting || !arguments.fits => report.row(&matched),
            _ => Ok(()),
        }
    })?;
    report.end()?;
    Ok(tally.outcome())
}

fn answer(matcher: &Matcher, mesh: skelmap::Format, item: &Item, opened: Result<Loaded, Fault>) -> Option<Answer> {
    let address = item.address();
    let loaded = match opened {
        Ok(loaded) => loaded,
        Err(fault) => return Some(Answer::Unreadable(format!("{address}: {}", fault.message))),
    };
    match loaded.asset() {
        Ok(animation) => match matcher.compare(&animation) {
            Some(found) => Some(Answer::Matched(Matched { address, found })),
            None => item.is_named().then(|| {
                let format = animation.format();
                Answer::Failed(format!("{address}: this is {format}, expected an animation of the family of {mesh}"))
            }),
        },
        // A file of another program may have such a name.
        Err(error) if !item.is_named() && is_foreign(error.code()) => None,
        Err(error) => Some(Answer::Failed(format!("{address}: {error}"))),
    }
}

/// Whether a code says that a file is of no format that is read.
fn is_foreign(code: Code) -> bool {
    [codes::UNKNOWN_FORMAT, codes::UNSUPPORTED_FORMAT].contains(&code)
}

/// The numbers of files, for the last line and the exit status.
#[derive(Default)]
struct Tally {
    animations: u64,
    fitting: u64,
    failed: u64,
    unreadable: u64,
}

impl Tally {
    /// Counts an answer and prints its message. Returns the animation and whether it fits.
    fn count(&mut self, answer: Answer) -> Option<(Matched, bool)> {
        self.unreadable += u64::from(matches!(answer, Answer::Unreadable(_)));
        match answer {
            Answer::Matched(matched) => {
                let is_fitting = matches!(matched.found.verdict(), Verdict::Exact | Verdict::Fits);
                self.animations += 1;
                self.fitting += u64::from(is_fitting);
                Some((matched, is_fitting))
            }
            Answer::Failed(message) | Answer::Unreadable(message) => {
                self.failed += 1;
                complain(message);
                None
            }
        }
    }

    fn outcome(&self) -> Outcome {
        let verb = if self.animations == 1 { "fits" } else { "fit" };
        summarize(format!("{} of {} {verb}", self.fitting, counted(self.animations, "animation")));
        if self.animations == 0 && self.failed == 0 {
            complain(NO_ASSET);
        }
        match (self.animations, self.fitting, self.failed) {
            (0, _, failed) if failed == self.unreadable => Outcome::NothingRead,
            (_, 0, _) | (_, _, 1..) => Outcome::Findings,
            _ => Outcome::Clean,
        }
    }
}
