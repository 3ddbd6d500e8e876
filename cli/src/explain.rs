//! `skelmap explain`: what a code means.

use std::io::Write;

use clap::Args;
use skelmap::{Code, Verdict};
use skelmap_batch::check::severities;
use skelmap_batch::codes;

use crate::outcome::{Ended, Outcome};
use crate::output::{BOLD, complain, styled_stdout, terminal_width};
use crate::report::{self, Cell, Field, Format, Values, field, text};
use crate::text::wrapped;

/// Explain codes that check, info and error messages print; without a code, list all.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  skelmap explain weight-sum
  skelmap explain
  skelmap explain --format jsonl | jq -r .code

`skelmap columns explain` lists the keys of JSON. The severity is the usual one of a finding with this code.")]
pub(crate) struct Explain {
    /// The code, such as weight-sum.
    #[arg(value_name = "CODE")]
    codes: Vec<String>,
    /// Format of the output.
    #[arg(long, value_parser = report::formats(), default_value = "table")]
    format: Format,
}

pub(crate) fn run(arguments: &Explain) -> Ended {
    let (mut found, mut verdicts, is_listed) = (Vec::new(), Vec::new(), arguments.codes.is_empty());
    let mut outcome = Outcome::Clean;
    for name in &arguments.codes {
        match codes::find_or_hint(name) {
            Ok(code) => found.push(code),
            Err(unknown) => match Verdict::ALL.into_iter().find(|verdict| verdict.code() == name) {
                Some(verdict) if arguments.format == Format::Table => verdicts.push(verdict),
                Some(_) => {
                    complain(format!("{name} is a verdict of `skelmap match`, and no code"));
                    outcome = Outcome::Usage;
                }
                None => {
                    complain(unknown);
                    outcome = Outcome::Usage;
                }
            },
        }
    }
    if arguments.format == Format::Table && !is_listed {
        write_text(&found, &verdicts)?;
        return Ok(outcome);
    }
    let mut report = report::print(fields(), arguments.format)?;
    let all = is_listed.then(codes::all).into_iter().flatten();
    all.chain(found).try_for_each(|code| report.row(&code))?;
    report.end()?;
    Ok(outcome)
}

pub(crate) fn fields() -> Vec<Field<Code>> {
    let severity =
        text("severity").of(Values::OneOf(severities)).means("the usual severity of a finding with this code");
    vec![
        field(text("code").means("the code"), |code: &Code| code.name().into()),
        field(severity, |code| Cell::display(code.severity())),
        field(text("meaning").means("the fault in a few words"), |code| code.sentence().into()),
        field(text("explanation").data().means("the cause, the effect and the remedy"), |code| {
            code.explanation().into()
        }),
    ]
}

/// What a verdict of `match` means.
const fn meaning(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Exact => "By name, the mesh and the animation have the same bones. The animation plays as it is.",
        Verdict::Fits => {
            "By name, every bone of the animation is in the mesh, or every bone of the mesh is in the animation. Without names, both have as many \
             bones, at the same distances. The animation plays; bones that it does not have stand still."
        }
        Verdict::InPart => {
            "By name, the mesh has at least half of the bones of the animation. From nine tenths on (--min-bones), the animation plays."
        }
        Verdict::SameCount => {
            "Bones without names, as many in both, which is all that the game compares. Where distances can be measured and change, the animation \
             probably has another skeleton, and does not play."
        }
        Verdict::Hardly => "By name, the mesh has fewer than half of the bones of the animation. It does not play.",
        Verdict::Not => {
            "No bone in common, or, for bones without names, another number of bones. The animation does not play."
        }
        _ => "A verdict of a later version.",
    }
}

fn write_text(codes: &[Code], verdicts: &[Verdict]) -> std::io::Result<()> {
    let mut out = styled_stdout();
    for (index, code) in codes.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let explanation = match terminal_width() {
            Some(width) => {
                code.explanation().lines().flat_map(|line| wrapped(line, width)).collect::<Vec<_>>().join("\n")
            }
            None => code.explanation().to_owned(),
        };
        writeln!(out, "{BOLD}{code}{BOLD:#} ({}): {}.\n\n{explanation}", code.severity(), code.sentence())?;
    }
    for (index, verdict) in verdicts.iter().enumerate() {
        if index + codes.len() > 0 {
            writeln!(out)?;
        }
        let lines = wrapped(meaning(*verdict), terminal_width().unwrap_or(usize::MAX)).join("\n");
        writeln!(out, "{BOLD}{}{BOLD:#} (a verdict of match)\n\n{lines}", verdict.code())?;
    }
    out.flush()
}
