//! The table of ratios that ends a run, in the form that the README takes over.

use std::env;
use std::fs;
use std::path::PathBuf;

use super::compare::{Comparison, Target, Turns};
use crate::target;

/// Measures all comparisons in turns and prints a line per promise.
pub(crate) fn print(comparisons: &mut [Comparison<'_>]) {
    println!(
        "\nRatios are medians of sides that take turns, in brackets their quartiles; then the ratio of criterion's medians.\n"
    );
    println!("| benchmark | time | against | time | ratio | criterion | target | met |");
    println!("|---|--:|---|--:|--:|--:|--:|---|");
    for comparison in &mut *comparisons {
        let turns = comparison.take_turns();
        for side in comparison.measured_sides() {
            let turns = turns.iter().find(|turns| turns.side == side.name);
            for target in &side.targets {
                if let Some(line) = line(comparison, side.name, turns, *target) {
                    println!("{line}");
                }
            }
        }
    }
    print_rates(comparisons);
}

/// What each side makes in a second by criterion's median, where a comparison says what it makes.
fn print_rates(comparisons: &[Comparison<'_>]) {
    let rates = comparisons.iter().flat_map(|comparison| {
        let path = comparison.path;
        comparison.measured_sides().filter_map(move |side| {
            let items = comparison.items?;
            let rate = f64::from(items.count) * 1e3 / criterion_median(path, side.name)?;
            Some(format!("| `{path}/{}` | {rate:.1} million {} |", side.name, items.unit))
        })
    });
    for (index, rate) in rates.enumerate() {
        if index == 0 {
            println!("\n| benchmark | per second |\n|---|--:|");
        }
        println!("{rate}");
    }
}

fn line(comparison: &Comparison<'_>, side: &str, turns: Option<&Turns>, target: Target) -> Option<String> {
    let path = comparison.path;
    let reference = comparison.reference.name;
    let alone = criterion_median(path, side)?;
    let (times, ratio, criterion, wanted, met) = match target {
        Target::Nanoseconds(limit) => {
            let times = format!("{} | | ", time(alone));
            (times, String::new(), String::new(), format!("≤ {}", time(limit)), alone <= limit)
        }
        Target::Speed(_) | Target::Time(_) => {
            let turns = turns?;
            let (own, other) = turns.times();
            let [low, median, high] = turns.ratios();
            let by_criterion = alone / criterion_median(path, reference)?;
            let times = format!("{} | {reference} | {}", time(own), time(other));
            match target {
                Target::Speed(least) => {
                    let [low, median, high, by_criterion] = [high, median, low, by_criterion].map(f64::recip);
                    (
                        times,
                        spread(low, median, high),
                        format!("{by_criterion:.2}"),
                        format!("≥ {least}"),
                        median >= least,
                    )
                }
                Target::Time(most) | Target::Nanoseconds(most) => (
                    times,
                    spread(low, median, high),
                    format!("{by_criterion:.2}"),
                    format!("≤ {most}"),
                    median <= most,
                ),
            }
        }
    };
    let met = if met { "yes" } else { "no" };
    Some(format!("| `{path}/{side}` | {times} | {ratio} | {criterion} | {wanted} | {met} |"))
}

fn spread(low: f64, median: f64, high: f64) -> String {
    format!("{median:.2} ({low:.2}–{high:.2})")
}

fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        ..1e3 => format!("{nanoseconds:.0} ns"),
        ..1e6 => format!("{:.1} µs", nanoseconds / 1e3),
        _ => format!("{:.1} ms", nanoseconds / 1e6),
    }
}

/// The median that criterion estimated in this run, in nanoseconds.
fn criterion_median(path: &str, side: &str) -> Option<f64> {
    let file = criterion_home().join(path.replace('/', "_")).join(side).join("new/estimates.json");
    let estimates: serde_json::Value = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
    estimates.get("median")?.get("point_estimate")?.as_f64()
}

/// Where criterion puts its estimates: it looks at the same variables, then asks cargo for the target folder.
fn criterion_home() -> PathBuf {
    env::var_os("CRITERION_HOME").map_or_else(|| target::folder().join("criterion"), PathBuf::from)
}
