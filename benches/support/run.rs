//! How a list of comparisons is run: criterion over all of them, then the table.

use std::env;
use std::time::Duration;

use criterion::Criterion;

use super::compare::Comparison;
use super::table;

/// Whether this run is to measure. Without `--bench` criterion runs everything once, as a test; small files do for that.
pub fn measures() -> bool {
    let asks = |flag| env::args().any(|argument| argument == flag);
    asks("--bench") && !asks("--test") && !asks("--list")
}

/// Lets criterion measure every side for so long, and prints the table of ratios where anything is measured.
pub fn run(mut comparisons: Vec<Comparison<'_>>, warm_up: Duration, measurement: Duration) {
    let mut criterion = Criterion::default()
        .warm_up_time(warm_up)
        .measurement_time(measurement)
        .sample_size(20)
        .nresamples(10_000)
        .without_plots()
        .configure_from_args();
    for comparison in &mut comparisons {
        comparison.bench(&mut criterion);
    }
    criterion.final_summary();
    if measures() {
        table::print(&mut comparisons);
    }
}
