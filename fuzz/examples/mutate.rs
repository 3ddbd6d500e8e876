//! Damages real files at random and gives them to a built `skelmap check`, thirty-two to a process.
//!
//! `mutate COMMAND SAMPLES COUNT [SEED]`: the command, a folder of real files, how many mutations, and a number to begin with. Says
//! what came of them, and keeps each input that ended in anything but an answer below `artifacts/mutate`. Where a process ends
//! oddly, or takes longer than one file may, its files are given one by one.

use std::error::Error;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};

/// No file may take longer, in time of the processor: what else the machine does is no fault of the file's.
const MAX: Duration = Duration::from_millis(100);

const EXTENSIONS: [&str; 6] = ["psk", "pskx", "psa", "pmd", "gsa", "zip"];

/// Files to a process, which costs more to start than it takes to read one.
const BATCH: usize = 32;

/// What a damaged number likes to be.
const NUMBERS: [u32; 12] =
    [0, 1, 2, 0x7F, 0xFF, 0xFFFF, 0x1_0000, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF, 0x7FC0_0000];

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [command, samples, count, seed @ ..] = arguments.as_slice() else {
        return Err("expected the command, a folder of samples, and a number of mutations".into());
    };
    let (count, seed) = (count.parse::<u64>()?, seed.first().map_or(Ok(1), |seed| seed.parse())?);
    let folder = tempfile::tempdir()?;
    let mut files = Vec::new();
    for path in samples_below(Path::new(samples))? {
        files.push(Sample::new(&path, folder.path(), files.len())?);
    }
    if files.is_empty() {
        return Err("there is no sample".into());
    }
    let mut random = Random(seed | 1);
    let mut tally = Tally::default();
    while tally.files < count {
        // Any of them, each at most once.
        let first = random.below(files.len());
        let batch: Vec<&Sample> =
            (0..BATCH.min(files.len())).map(|step| &files[(first + step * 7) % files.len()]).collect();
        for sample in &batch {
            sample.damage(&mut random)?;
        }
        let together = run(command, &batch)?;
        if together.is_answer() {
            tally.count(&together);
        } else {
            for sample in &batch {
                let alone = run(command, &[sample])?;
                if alone.is_answer() { tally.count(&alone) } else { tally.keep(&alone, sample)? }
            }
        }
        for sample in &batch {
            sample.mend()?;
        }
    }
    println!("{tally}");
    Ok(if tally.findings == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn samples_below(root: &Path) -> std::io::Result<Vec<PathBuf>> {
    let (mut found, mut folders) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
            if path.is_dir() {
                folders.push(path);
            } else if EXTENSIONS.iter().any(|known| extension == *known) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// A real file, and the copy of it that is damaged and mended again.
struct Sample {
    bytes: Vec<u8>,
    copy: PathBuf,
    file: File,
}

impl Sample {
    fn new(path: &Path, folder: &Path, number: usize) -> std::io::Result<Self> {
        let bytes = fs::read(path)?;
        let copy = folder.join(format!("{number}")).with_extension(path.extension().unwrap_or_default());
        let mut file = File::options().create_new(true).read(true).write(true).open(&copy)?;
        file.write_all(&bytes)?;
        Ok(Self { bytes, copy, file })
    }

    /// One to eight changes: a byte, a number where numbers lie, a copy of another part, an end too early, or more after the end.
    fn damage(&self, random: &mut Random) -> std::io::Result<()> {
        let length = self.bytes.len().max(4);
        for _ in 0..=random.below(8) {
            // Headers are most of what can be damaged, and little of a file.
            let reach = if random.below(2) == 0 { length.min(4096) } else { length };
            let at = random.below(reach - 3);
            match random.below(16) {
                0..5 => self.put(at, &[random.byte()])?,
                5..10 => self.put(at & !3, &NUMBERS[random.below(NUMBERS.len())].to_le_bytes())?,
                10..12 => self.put(at & !3, &random.number().to_le_bytes())?,
                12 | 13 => {
                    let from = random.below(length);
                    let to = (from + random.below(256)).min(self.bytes.len());
                    self.put(at, self.bytes.get(from..to).unwrap_or_default())?;
                }
                14 => self.file.set_len(at as u64)?,
                _ => self.file.set_len((length + random.below(64)) as u64)?,
            }
        }
        Ok(())
    }

    fn put(&self, at: usize, bytes: &[u8]) -> std::io::Result<()> {
        self.file.write_all_at(bytes, at as u64)
    }

    /// Makes the copy what it was. Only the parts that differ are written, so that large files cost little.
    fn mend(&self) -> std::io::Result<()> {
        self.file.set_len(self.bytes.len() as u64)?;
        let mut found = vec![0; self.bytes.len()];
        self.file.read_exact_at(&mut found, 0)?;
        for (index, (found, sound)) in found.chunks(4096).zip(self.bytes.chunks(4096)).enumerate() {
            if found != sound {
                self.put(index * 4096, sound)?;
            }
        }
        Ok(())
    }
}

struct Run {
    files: u64,
    code: Option<i32>,
    signal: Option<i32>,
    said: String,
    took: Duration,
}

impl Run {
    /// Whether it ended as it should, in the time that one file may take.
    fn is_answer(&self) -> bool {
        matches!(self.code, Some(0 | 1)) && self.took <= MAX && !self.said.contains("panicked")
    }
}

fn run(command: &str, files: &[&Sample]) -> Result<Run, Box<dyn Error>> {
    let before = children_took()?;
    let output = Command::new(command)
        .args(["check", "--format", "jsonl"])
        .args(files.iter().map(|sample| &sample.copy))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .output()?;
    Ok(Run {
        files: files.len() as u64,
        code: output.status.code(),
        signal: output.status.signal(),
        said: String::from_utf8_lossy(&output.stderr).into_owned(),
        took: children_took()?.saturating_sub(before),
    })
}

/// The processor's time of all children that have ended.
fn children_took() -> Result<Duration, Box<dyn Error>> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let of = |time: nix::sys::time::TimeVal| {
        Duration::new(time.tv_sec().try_into().unwrap_or(0), u32::try_from(time.tv_usec()).unwrap_or(0) * 1000)
    };
    Ok(of(usage.user_time()) + of(usage.system_time()))
}

#[derive(Default)]
struct Tally {
    files: u64,
    findings: u64,
    longest: Duration,
}

impl Tally {
    fn count(&mut self, run: &Run) {
        self.files += run.files;
        self.longest = self.longest.max(run.took);
    }

    fn keep(&mut self, run: &Run, sample: &Sample) -> std::io::Result<()> {
        self.count(run);
        self.findings += 1;
        let folder = Path::new("artifacts/mutate");
        fs::create_dir_all(folder)?;
        let kept = folder.join(format!("{}-{}", self.findings, sample.copy.file_name().unwrap_or_default().display()));
        fs::copy(&sample.copy, &kept)?;
        println!(
            "{}: status {:?}, signal {:?}, {:.1} ms: {}",
            kept.display(),
            run.code,
            run.signal,
            run.took.as_secs_f64() * 1e3,
            run.said.trim()
        );
        Ok(())
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { files, findings, longest } = self;
        let longest = longest.as_secs_f64() * 1e3;
        write!(f, "{files} damaged files, {findings} findings; the longest run took {longest:.1} ms of the processor")
    }
}

/// Marsaglia's xorshift: the same numbers for the same seed.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() >> 16).unwrap_or(0) % end.max(1)
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[3]
    }

    fn number(&mut self) -> u32 {
        (self.next() >> 20) as u32
    }
}
