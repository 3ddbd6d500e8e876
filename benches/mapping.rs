//! What opening a file costs, by each way: read, mapped, mapped under a lease; and what a lease costs once somebody wants to write.
//!
//! `cargo bench -p skelmap-bench --bench mapping` measures everything in about two minutes and ends with the table of ratios; with `-- open/10MB`
//! after it, only what matches. Files of up to 1 GiB are written once, into the target folder; where that keeps no leases, leased
//! files are read, and the run says so.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::time::Duration;

use skelmap::mapping::{Mapping, Opener};

use skelmap_bench::compare::{Comparison, Side, Target};
use skelmap_bench::{mapping, run};

/// From 10 MB on a map costs next to nothing beside reading, under a lease too. Below [`skelmap::mapping::MAP_FROM`] reading may win.
const BY_SIZE: [Target; 3] = [Target::Speed(0.1), Target::Speed(5.0), Target::Speed(100.0)];

/// Who wants to write waits for a thread that has to wake up and for memory that is new, besides the reading.
const COPIED: Target = Target::Time(10.0);

type Comparisons<'a> = Vec<Comparison<'a>>;

fn main() {
    let divisor = if run::measures() { 1 } else { 256 };
    let sizes = [
        ("open/100kB", "wanted/100kB", 100_000),
        ("open/10MB", "wanted/10MB", 10_000_000),
        ("open/1GiB", "wanted/1GiB", 1 << 30),
    ];
    let files = sizes.map(|(open, wanted, size)| {
        let size = size / divisor;
        let file = mapping::file(size);
        (open, wanted, file.expect("the target folder can be written to"))
    });
    let openers = Openers { map: mapping::mapping(), lease: mapping::leasing().for_parts() };
    if !openers.lease.open(&files[0].2).is_ok_and(|file| file.is_leased()) {
        println!("no lease is to be had in the target folder: leased files are read");
    }
    let mut comparisons = Vec::new();
    for ((open, wanted, path), target) in files.iter().zip(BY_SIZE) {
        compare_opening(open, path, target, &openers, &mut comparisons);
        compare_wanted(wanted, path, &openers, &mut comparisons);
    }
    run::run(comparisons, Duration::from_millis(200), Duration::from_millis(700));
}

/// Ways to open a file of any size.
struct Openers {
    map: Opener,
    lease: Opener,
}

/// Opened and closed, and a byte at each end looked at.
fn compare_opening<'a>(
    id: &'static str,
    path: &'a PathBuf,
    target: Target,
    openers: &'a Openers,
    comparisons: &mut Comparisons<'a>,
) {
    let open = |opener: &'a Opener| move || ends(&opener.open(path).expect("the file is there"));
    let reading = Opener::reading();
    let read = move || ends(&reading.open(path).expect("the file is there"));
    comparisons.push(large(
        id,
        Comparison::new(id, Side::new("read", read))
            .with(Side::new("map", open(&openers.map)).promises(target))
            .with(Side::new("lease", open(&openers.lease)).promises(target)),
    ));
}

/// Opened by lease, and then by somebody for writing, who waits for the copy.
fn compare_wanted<'a>(id: &'static str, path: &'a PathBuf, openers: &'a Openers, comparisons: &mut Comparisons<'a>) {
    let write = |path: &Path| OpenOptions::new().write(true).open(path).expect("the file can be written to");
    let reading = Opener::reading();
    let read = move || {
        let file = reading.open(path).expect("the file is there");
        (ends(&file), write(path))
    };
    let lease = move || {
        let file = openers.lease.open(path).expect("the file is there");
        let written = write(path);
        assert!(!file.is_mapped(), "who may write has waited for the copy");
        (ends(&file), written)
    };
    comparisons
        .push(large(id, Comparison::new(id, Side::new("read", read)).with(Side::new("lease", lease).promises(COPIED))));
}

/// What takes long is measured less often.
fn large<'a>(id: &str, comparison: Comparison<'a>) -> Comparison<'a> {
    if id.ends_with("GiB") { comparison.slow() } else { comparison }
}

fn ends(file: &Mapping<'_>) -> Option<(u8, u8)> {
    Some((*file.first()?, *file.last()?))
}
