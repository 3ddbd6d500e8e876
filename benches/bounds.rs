//! Time and memory for the worst inputs that we could think of. The commands are measured if `cargo build --release` has built them.
//!
//! `cargo bench -p skelmap-bench --bench bounds -- --memory` measures memory in about a minute, by operation: the most bytes in use for a file of one record,
//! and how many more are in use for each byte of a file of 200,000 records. In this process the allocator counts. For a command the system
//! states the peak (Linux), which is read every millisecond; the pages of a mapped file are in it. Of a command that ends sooner, the figure of
//! one record is too low: the table of README leaves it out.
//!
//! `cargo bench -p skelmap-bench --bench bounds` measures time in about ten minutes: every operation over a file and one of four times its size. Growth is the ratio of the two times, each the least of some rounds: 4 where time is linear, 16 where it is the square.
//! What is below 8, as far from the one as from the other, is taken for linear: tables double, sorting costs a little more, and the
//! larger file does not fit into the cache. Times are those that processors spent (Linux), so that what else the machine does is
//! not in them; elsewhere they are the clock's.

use std::cell::RefCell;
use std::env;
use std::fs;
use std::hint::black_box;
use std::io::sink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use allocation_counter::measure;
use skelmap::actorx::{Config, Psa, check_config};
use skelmap::archive::{Address, Archive, ArchiveError, Limits};
use skelmap::mapping::Mapping;
use skelmap::model::{IDENTITY, Skin};
use skelmap::{Asset, Match};
use skelmap_batch::items::{Options, Row, Sources};
use skelmap_export::{Animation, Document, ExportOptions};
use skelmap_write::edit::GsaEdit;

use test_support::FAMILIES;
use test_support::actorx::worst::{animation, info};
use test_support::worst::{ARCHIVES, Worst, numbered};

fn has_argument(wanted: &str) -> bool {
    env::args().any(|argument| argument == wanted)
}

/// Records of the smaller and of the larger file. Without `--bench`, as under `cargo test`, a few do.
fn records() -> [usize; 2] {
    match (has_argument("--bench"), has_argument("--memory")) {
        (true, true) => [1, 200_000],
        (true, false) => [200_000, 800_000],
        (false, _) => [50, 200],
    }
}

/// The most growth that is taken for linear.
const LINEAR: f64 = 8.0;

const ROUNDS: usize = 3;

/// What it is called, and what is done with one asset, whose bytes are there already: copying them is no part of it.
type Operation = (&'static str, fn(&Mapping<'static>));

const OPERATIONS: [Operation; 7] = [
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
    ("skin", |bytes| {
        let Ok(asset) = Asset::parse(bytes) else { return };
        let Some(mesh) = asset.mesh() else { return };
        let Ok(skin) = Skin::new(&mesh, 4) else { return };
        let (mut matrices, mut points) = (vec![IDENTITY; skin.matrix_count()], vec![[0.0; 3]; mesh.point_count()]);
        skin.matrices(skin.bind_pose(), &mut matrices).expect("as many matrices");
        skin.positions(&mesh, &matrices, &mut points).expect("as many points");
        black_box((points.len(), mesh.bounds(), mesh.to_attachments().len()));
    }),
    ("glTF", |bytes| {
        let Ok(asset) = Asset::parse(bytes) else { return };
        let animations = asset.clips().map(|clip| Animation::of_clip(&clip)).collect();
        let mut document = Document::default();
        document.mesh = asset.mesh();
        document.animations = animations;
        black_box(document.write_glb(&ExportOptions::default(), sink())).ok();
    }),
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
            let mut edit = GsaEdit::new(&animation);
            black_box(edit.add_event(0, "sound=cuff").and_then(|edit| edit.write(&mut sink()))).ok();
        }
        _ => {}
    }
}

fn main() {
    if !has_argument("--memory") {
        println!("| operation | input | size | time | 4 times the size | time | growth | ≤ {LINEAR} |");
        println!("|---|---|--:|--:|--:|--:|--:|---|");
    }
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
    print_memory();
}

fn both(worst: &Worst) -> [Mapping<'static>; 2] {
    records().map(|count| Mapping::from((worst.of)(count)))
}

/// As many lines as sequences and as bones.
fn side_cars() {
    let files = records().map(|count| {
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
    // The rows are made by other threads, whose memory is not counted here; see `skelmap catalog`.
    if !has_argument("--memory") {
        line("rows", worst.name, files.each_ref().map(|file| (file.len(), move || _ = black_box(rows(file)))));
    }
}

fn separators() {
    let texts = records().map(|count| "!/".repeat(40 * count));
    line(
        "address",
        "separators",
        texts.each_ref().map(|text| (text.len(), move || _ = black_box(Address::find(text)))),
    );
}

/// Where commands write.
fn output(name: &str) -> String {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).display().to_string()
}

/// The commands over some of the files, their output thrown away. `FILE` is the file.
fn commands(program: &Path) {
    let all = |start: &str| {
        FAMILIES.iter().flat_map(|family| family.worst).chain(&ARCHIVES).find(|worst| worst.name == start)
    };
    let (rows, archive, folder) = (output("bounds.jsonl"), output("bounds-packed.zip"), output("bounds"));
    let (glb, gsa) = (output("bounds.glb"), output("bounds-edited.gsa"));
    let convert: &[&str] = &["convert", "FILE", "--force", "-o", &glb];
    let asked: [(&str, &[&[&str]]); 10] = [
        (
            "psk/odd-chunks",
            &[
                &["info", "FILE"],
                &["check", "--level", "note", "FILE"],
                &["dump", "--what", "chunks", "--format", "table", "FILE"],
            ],
        ),
        (
            "psk/bones/chain",
            &[&["info", "FILE"], &["dump", "--what", "bones", "FILE"], &["match", "FILE", "FILE"], convert],
        ),
        ("psk/skin", &[&["skin", "FILE", "--format", "f32"], convert]),
        ("psa/keys", &[convert]),
        ("psa/many-bones", &[&["pose", "FILE", "--at", "0", "--format", "f32"], convert]),
        ("pmd/vertices", &[&["skin", "FILE", "--format", "f32"], convert]),
        ("gsa/frames", &[convert]),
        ("psa/distinct-names", &[&["info", "FILE"], &["dump", "--what", "sequences", "--format", "table", "FILE"]]),
        (
            "gsa/events",
            &[
                &["info", "FILE"],
                &["gsa", "events", "FILE"],
                &["gsa", "edit", "FILE", "--clear", "--force", "-o", &gsa],
                &["pack", "FILE", "--force", "-o", &archive],
            ],
        ),
        (
            "zip/distinct-names",
            &[
                &["ls", "FILE"],
                &["ls", "--format", "csv", "FILE"],
                &["check", "FILE"],
                &["catalog", "FILE", "--force", "-o", &rows],
                &["extract", "FILE", "art/7.psa", "--force", "-o", &folder],
            ],
        ),
    ];
    for (name, arguments) in asked {
        let Some(worst) = all(name) else { continue };
        let extension = name.split('/').next().unwrap_or_default();
        let names = [format!("bounds.{extension}"), format!("bounds-4.{extension}")];
        let paths: Vec<PathBuf> = both(worst).iter().zip(&names).map(|(file, name)| put(name, file)).collect();
        for arguments in arguments {
            let start = |path: &Path| {
                let mut command = Command::new(program);
                command.args(
                    arguments
                        .iter()
                        .map(|argument| if *argument == "FILE" { path.as_os_str() } else { argument.as_ref() }),
                );
                command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
                command.spawn().expect("the command starts")
            };
            let title = arguments.iter().take_while(|argument| !["FILE", "--force"].contains(argument));
            let title = format!("skelmap {}", title.copied().collect::<Vec<_>>().join(" "));
            let sizes = sized(&paths);
            if has_argument("--memory") {
                note_memory(&title, name, sizes.map(|(size, path)| (size, peak(start(path)))));
            } else {
                line(&title, name, sizes.map(|(size, path)| (size, move || _ = black_box(start(path).wait()))));
            }
        }
    }
}

/// The most memory that a process had, as the system states it while the process runs; 0 where it does not.
fn peak(mut process: std::process::Child) -> u64 {
    let path = format!("/proc/{}/status", process.id());
    let mut most = 0;
    loop {
        let text = fs::read_to_string(&path).unwrap_or_default();
        let kibibytes =
            text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        most = most.max(1024 * kibibytes.unwrap_or(0_u64));
        if process.try_wait().expect("the process is ours").is_some() {
            return most;
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// The most memory of an operation for files of one record, and for each byte that a file is larger; and which file that was.
struct Memory {
    operation: String,
    input: String,
    least: u64,
    multiple: f64,
}

thread_local!(static MEMORY: RefCell<Vec<Memory>> = const { RefCell::new(Vec::new()) });

/// Keeps the sizes of two files and the memory of an operation over each.
fn note_memory(operation: &str, input: &str, [(_, least), (size, bytes)]: [(usize, u64); 2]) {
    #[expect(clippy::cast_precision_loss, reason = "sizes are small")]
    let multiple = bytes.saturating_sub(least) as f64 / size.max(1) as f64;
    let new = || Memory { operation: operation.to_owned(), input: input.to_owned(), least, multiple };
    MEMORY.with_borrow_mut(|all| match all.iter_mut().find(|old| old.operation == operation) {
        Some(old) => {
            let least = old.least.max(least);
            if old.multiple < multiple {
                *old = new();
            }
            old.least = least;
        }
        None => all.push(new()),
    });
}

fn print_memory() {
    MEMORY.with_borrow(|all| {
        if !all.is_empty() {
            println!("| operation | worst input | one record | memory for each byte |\n|---|---|--:|--:|");
        }
        for memory in all {
            #[expect(clippy::cast_precision_loss, reason = "sizes are small")]
            let kibibytes = memory.least as f64 / 1024.0;
            println!("| {} | `{}` | {kibibytes:.1} KiB | {:.2} |", memory.operation, memory.input, memory.multiple);
        }
    });
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

/// Measures one operation over both files, in turns, and prints its line; or its memory over the larger file.
fn line<F: Fn()>(operation: &str, input: &str, [(size, small), (large_size, large)]: [(usize, F); 2]) {
    if has_argument("--memory") {
        return note_memory(
            operation,
            input,
            [(size, measure(&small).bytes_max), (large_size, measure(&large).bytes_max)],
        );
    }
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
