//! Whether time is linear in the worst input that could be thought of: every operation over a file and one of four times its size.
//!
//! `cargo bench --bench bounds --features cli` measures everything in about ten minutes and prints a table; without `cli` it leaves out
//! the commands. Growth is the ratio of the two times, each the least of some rounds: 4 where time is linear, 16 where it is the square.
//! What is below 8, as far from the one as from the other, is taken for linear: tables double, sorting costs a little more, and the
//! larger file does not fit into the cache. Times are those that processors spent (Linux), so that what else the machine does is
//! not in them; elsewhere they are the clock's.

#[path = "../tests/it/support/mod.rs"]
mod support;

use std::env;
use std::fs;
use std::hint::black_box;
use std::io::sink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use skelmap::actorx::{Config, Psa, check_config};
use skelmap::archive::{Address, Archive, ArchiveError, Limits};
use skelmap::catalog::{Options, Row, Sources};
use skelmap::mapping::Mapping;
use skelmap::swat3::edit;
use skelmap::{Asset, Match};

use support::FAMILIES;
use support::actorx::worst::{animation, info};
use support::worst::{ARCHIVES, Worst, numbered};

/// Records of the smaller file. Without `--bench`, as under `cargo test`, a few do.
fn records() -> usize {
    if env::args().any(|argument| argument == "--bench") { 200_000 } else { 50 }
}

/// The most growth that is taken for linear.
const LINEAR: f64 = 8.0;

const ROUNDS: usize = 3;

/// What it is called, and what is done with one asset, whose bytes are there already: copying them is no part of it.
type Operation = (&'static str, fn(&Mapping<'static>));

const OPERATIONS: [Operation; 5] = [
    ("parse, summary, quirks", |bytes| {
        let asset = Asset::parse(bytes);
        black_box(asset.map(|asset| (asset.summary(), asset.quirks().count()))).ok();
    }),
    ("check", |bytes| {
        black_box(Asset::parse(bytes).map(|asset| asset.check().len())).ok();
    }),
    ("match", |bytes| {
        black_box(Asset::parse(bytes).map(|asset| Match::of(&asset, &asset))).ok();
    }),
    ("row", |bytes| {
        let options = Options { joins: true, content_hash: true, ..Options::default() };
        black_box(Row::of(String::new(), None, bytes, &options));
    }),
    ("look-ups, edits", look_up),
];

fn look_up(bytes: &Mapping<'static>) {
    match Asset::parse(bytes) {
        Ok(Asset::ActorxPsk(mesh)) => {
            black_box((mesh.skeleton().to_order(), mesh.skeleton().find("no such bone"), mesh.morphs().count()));
        }
        Ok(Asset::ActorxPsa(animation)) => {
            let last = animation.sequences().last();
            black_box(last.map(|last| animation.curves_of(&last).is_some()));
            black_box((animation.sequence("no such sequence").is_some(), animation.skeleton().to_order()));
        }
        Ok(Asset::PyrogenesisPmd(mesh)) => {
            black_box(mesh.prop("no such point"));
        }
        Ok(Asset::Swat3Gsa(animation)) => {
            black_box((animation.infer_layout().is_ok(), animation.to_index()));
            black_box(edit::add_events(&animation, &[(0, b"sound=cuff")], &mut sink())).ok();
        }
        _ => {}
    }
}

fn main() {
    println!("| operation | input | size | time | 4 times the size | time | growth | ≤ {LINEAR} |");
    println!("|---|---|--:|--:|--:|--:|--:|---|");
    for worst in FAMILIES.iter().flat_map(|family| family.worst) {
        let files = both(worst);
        for (operation, run) in OPERATIONS {
            line(operation, worst.name, files.each_ref().map(|file| (file.len(), move || run(file))));
        }
    }
    side_cars();
    for worst in ARCHIVES {
        archives(&worst);
    }
    separators();
    // The command, if `cargo build --release` has built it.
    let command = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("release").join("skelmap");
    if command.is_file() {
        commands(&command);
    }
}

fn both(worst: &Worst) -> [Mapping<'static>; 2] {
    [records(), 4 * records()].map(|count| Mapping::from((worst.of)(count)))
}

/// As many lines as sequences and as bones.
fn side_cars() {
    let files = [records(), 4 * records()].map(|count| {
        let infos: Vec<u8> = (0..count).flat_map(|at| info(&numbered(at), 0, 0, 0)).collect();
        let lines = (0..count).flat_map(|at| format!("{}.{at}=all\n", numbered(at)).into_bytes());
        (animation(count, 0, infos, &[]), b"[RemoveTracks]\n".iter().copied().chain(lines).collect::<Vec<u8>>())
    });
    let input = "config/lines-and-sequences";
    let runs = files.each_ref().map(|(file, text)| (file.len() + text.len(), move || check_side_car(file, text)));
    line("check", input, runs);
    let runs = files.each_ref().map(|(file, text)| (file.len() + text.len(), move || count_tracks(file, text)));
    line("tracks from the mesh", input, runs);
}

fn check_side_car(file: &[u8], text: &[u8]) {
    let animation = Psa::parse(file).expect("the animation is sound");
    black_box(check_config(&animation, &Config::new(text)));
}

fn count_tracks(file: &[u8], text: &[u8]) {
    let animation = Psa::parse(file).expect("the animation is sound");
    let resolved = Config::new(text).to_resolved(animation.bones());
    black_box(animation.sequences().map(|sequence| resolved.tracks_from_mesh(sequence.name())).sum::<usize>());
}

fn archives(worst: &Worst) {
    let files = both(worst);
    let index = |bytes: &[u8]| Archive::parse(bytes).map(|archive| archive.entries().count());
    line("index", worst.name, files.each_ref().map(|file| (file.len(), move || _ = black_box(index(file)))));
    let rows = |bytes: &Mapping<'static>| {
        let sources = Sources::of_archive("mod.zip", bytes.clone(), &Limits::default())?;
        let options = Options { joins: true, ..Options::default() };
        Ok::<usize, ArchiveError>(sources.rows(&options).count())
    };
    line("rows", worst.name, files.each_ref().map(|file| (file.len(), move || _ = black_box(rows(file)))));
}

fn separators() {
    let texts = [records(), 4 * records()].map(|count| "!/".repeat(40 * count));
    line(
        "address",
        "separators",
        texts.each_ref().map(|text| (text.len(), move || _ = black_box(Address::find(text)))),
    );
}

/// The commands over some of the files, their output thrown away.
fn commands(command: &Path) {
    let run = |arguments: &[&str], path: &Path| {
        let mut command = Command::new(command);
        command.args(arguments).arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        black_box(command.status()).expect("the command starts");
    };
    let all = |start: &str| {
        FAMILIES.iter().flat_map(|family| family.worst).chain(&ARCHIVES).find(|worst| worst.name == start)
    };
    let asked: [(&str, &[&[&str]]); 5] = [
        (
            "psk/odd-chunks",
            &[&["info"], &["check", "--level", "note"], &["dump", "--what", "chunks", "--format", "table"]],
        ),
        ("psk/bones/chain", &[&["info"], &["dump", "--what", "bones"]]),
        ("psa/distinct-names", &[&["info"], &["dump", "--what", "sequences", "--format", "table"]]),
        ("gsa/events", &[&["info"], &["gsa", "events"]]),
        ("zip/distinct-names", &[&["ls"], &["ls", "--format", "csv"], &["check"]]),
    ];
    for (name, arguments) in asked {
        let Some(worst) = all(name) else { continue };
        let extension = name.split('/').next().unwrap_or_default();
        let names = [format!("bounds.{extension}"), format!("bounds-4.{extension}")];
        let paths: Vec<PathBuf> = both(worst).iter().zip(&names).map(|(file, name)| put(name, file)).collect();
        for arguments in arguments {
            let runs = sized(&paths).map(|(size, path)| (size, move || run(arguments, path)));
            line(&format!("skelmap {}", arguments.join(" ")), name, runs);
        }
    }
}

fn put(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).expect("the target folder can be written to");
    path
}

fn sized(paths: &[PathBuf]) -> [(usize, &Path); 2] {
    let [small, large] = paths else { panic!("two files") };
    [small, large].map(|path| {
        let length = fs::metadata(path).map_or(0, |metadata| metadata.len());
        (usize::try_from(length).unwrap_or(usize::MAX), path.as_path())
    })
}

/// Measures one operation over both files, in turns, and prints its line.
fn line<F: Fn()>(operation: &str, input: &str, [(size, small), (large_size, large)]: [(usize, F); 2]) {
    let clock = Clock::new();
    let mut least = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        for (least, run) in least.iter_mut().zip([&small, &large]) {
            let begun = clock.read();
            run();
            *least = clock.read().saturating_sub(begun).min(*least);
        }
    }
    let [short, long] = least.map(|time| time.as_secs_f64() * 1e3);
    #[expect(clippy::cast_precision_loss, reason = "sizes are small")]
    let [size, large_size] = [size, large_size].map(|size| size as f64 / 1e6);
    // Sizes are not quite as one to four, because of headers, and where a format has a most.
    let growth = long / short * 4.0 * size / large_size;
    let is_linear = if growth <= LINEAR { "yes" } else { "no" };
    println!(
        "| {operation} | `{input}` | {size:.1} MB | {short:.2} ms | {large_size:.1} MB | {long:.2} ms | {growth:.1} | {is_linear} |"
    );
}

/// The time that processors spent on this process and its children.
struct Clock {
    begun: Instant,
}

impl Clock {
    fn new() -> Self {
        Self { begun: Instant::now() }
    }

    fn read(&self) -> Duration {
        // The system counts up when it takes the processor away, and else a few hundred times a second.
        thread::sleep(Duration::from_micros(1));
        spent().unwrap_or_else(|| self.begun.elapsed())
    }
}

/// That of the threads in nanoseconds, and of children that have ended in hundredths of a second; `None` but on Linux.
fn spent() -> Option<Duration> {
    let mut all = Duration::ZERO;
    for thread in fs::read_dir("/proc/self/task").ok()? {
        // A thread that has ended meanwhile is none of those that work.
        let Ok(text) = fs::read_to_string(thread.ok()?.path().join("schedstat")) else { continue };
        all += Duration::from_nanos(text.split(' ').next()?.parse().ok()?);
    }
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the command, in brackets, may have blanks in it; the times of children are the 14th and 15th word after it.
    let ticks = text.rsplit(')').next()?.split_whitespace().skip(13).take(2).map(str::parse::<u64>);
    let ticks = ticks.sum::<Result<u64, _>>().ok()?;
    Some(all + Duration::from_millis(10 * ticks))
}
