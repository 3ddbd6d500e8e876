//! Both ends of the line to a child: what a test asks, and what the child does.

use std::env;
use std::hint::black_box;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{self, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use skelmap::mapping::{Mapping, OpenError, Opener};

use super::{drain, tell};

/// Says to the test binary that it is a child, and how it is to open files.
const WAY: &str = "SKELMAP_TEST_CHILD";

/// The test that every child runs.
const ENTRANCE: &str = "hazards::an_unchanged_file_is_the_same_in_another_process";

/// What begins an answer, between what the test harness prints.
const ANSWER: &str = "answer: ";

/// A process that has files open.
pub(super) struct Child {
    process: process::Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    said: ChildStderr,
}

impl Child {
    pub(super) fn open(way: &str, paths: &[&Path]) -> Self {
        Self::run(Command::new(env::current_exe().unwrap()), way, paths)
    }

    /// The same for a command that ends up as this program with the arguments that follow.
    pub(super) fn run(mut command: Command, way: &str, paths: &[&Path]) -> Self {
        let mut process = command
            .args(["--exact", ENTRANCE, "--nocapture"])
            .env(WAY, way)
            // Where the system keeps an image of what was killed, not in the working folder.
            .current_dir(env::temp_dir())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (process.stdin.take().unwrap(), BufReader::new(process.stdout.take().unwrap()));
        let said = process.stderr.take().unwrap();
        let mut child = Self { process, to, from, said };
        for path in paths {
            child.ask(&format!("open {}", escape(path)));
        }
        child
    }

    pub(super) fn tell(&mut self, line: &str) {
        tell(&mut self.to, line);
    }

    /// Tells something and gives the answer.
    pub(super) fn ask(&mut self, line: &str) -> String {
        self.tell(line);
        loop {
            let mut answer = String::new();
            let read = self.from.read_line(&mut answer).unwrap();
            assert!(read > 0, "the child ended at {line:?}: {}", drain(&mut self.said));
            if let Some((_, answer)) = answer.split_once(ANSWER) {
                return answer.trim_end().to_owned();
            }
        }
    }

    pub(super) fn signal(&self, signal: i32) {
        let id = i32::try_from(self.process.id()).unwrap();
        // SAFETY: sends a signal to a child that was not waited for, so that the number is its own.
        assert_eq!(unsafe { libc::kill(id, signal) }, 0);
    }

    /// Stops the process, and is back when all of it stands still.
    pub(super) fn stop(&self) {
        self.signal(libc::SIGSTOP);
        let (id, mut status) = (i32::try_from(self.process.id()).unwrap(), 0);
        // SAFETY: writes the status of a child, which is stopped and not taken away.
        let changed = unsafe { libc::waitpid(id, &raw mut status, libc::WUNTRACED) };
        assert!(changed == id && libc::WIFSTOPPED(status), "the child was to stop: {status}");
    }

    pub(super) fn go_on(&self) {
        self.signal(libc::SIGCONT);
    }

    /// Ends the line and waits.
    pub(super) fn end(self) -> ExitStatus {
        let Self { mut process, to, from, said } = self;
        drop(to);
        drain(from);
        drain(said);
        process.wait().unwrap()
    }
}

/// A path on one line.
fn escape(path: &Path) -> String {
    path.to_str().unwrap().replace('\n', "\\n")
}

/// What tells bytes apart. Reads each.
pub(super) fn fingerprint(bytes: &[u8]) -> String {
    let sum = bytes.iter().fold(0xCBF2_9CE4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(*black_box(byte))).wrapping_mul(0x0100_0000_01B3)
    });
    format!("{} bytes, {sum:016x}", bytes.len())
}

/// In a child, does what it is told until the line ends, and says that it was one.
pub(super) fn serve() -> bool {
    let Ok(way) = env::var(WAY) else { return false };
    let (mut files, mut readers) = (Vec::new(), Readers::default());
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let answer = match line.as_str() {
            "state" => {
                let states: Vec<&str> = files.iter().map(state).collect();
                assert!(states.windows(2).all(|pair| pair[0] == pair[1]), "{states:?}");
                states[0].to_owned()
            }
            "states" => files.iter().map(state).collect::<Vec<_>>().join(", "),
            "sum" if files.len() == 1 => fingerprint(&files[0]),
            "sum" => fingerprint(&files.iter().flat_map(|file| file.to_vec()).collect::<Vec<u8>>()),
            "keep a part" => {
                files = files.iter().map(|file| file.clone().part(10..20).unwrap()).collect();
                String::new()
            }
            "drop" => {
                files.clear();
                String::new()
            }
            "use up memory" => limit_memory(1),
            "give memory back" => limit_memory(libc::RLIM_INFINITY),
            "fork" => fork_a_sleeper().to_string(),
            "read on" => {
                readers = Readers::of(&files[0]);
                String::new()
            }
            "stop reading" => readers.stop(),
            "views of changed bytes" => super::stale::look_at_changed_bytes(),
            other => {
                let path = other.strip_prefix("open ").unwrap_or_else(|| panic!("what is {other:?}?"));
                files.push(open(&way, Path::new(&path.replace("\\n", "\n"))).unwrap());
                String::new()
            }
        };
        println!("\n{ANSWER}{answer}");
    }
    // Threads that read on were never told to stop: the file is gone, and one of them is to fault yet.
    readers.join();
    true
}

/// Limits what this process may map from now on.
fn limit_memory(most: libc::rlim_t) -> String {
    let limit = libc::rlimit { rlim_cur: most, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: reads a whole `rlimit`.
    assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) }, 0);
    String::new()
}

/// A child of this one that has all of its files open, and lives until it is killed, or for a minute.
fn fork_a_sleeper() -> i32 {
    // SAFETY: the child calls nothing but what may be called between a fork and an exec.
    unsafe {
        let child = libc::fork();
        if child == 0 {
            libc::alarm(60);
            libc::pause();
            libc::_exit(0);
        }
        child
    }
}

fn open(way: &str, path: &Path) -> Result<Mapping<'static>, OpenError> {
    match way {
        "read" => Mapping::read(path),
        // SAFETY: that others truncate and change the file is what is tested; this process keeps to safe reads of bytes.
        "map" => unsafe { Mapping::map(path) },
        // SAFETY: a child is stopped for much less than 45 seconds, and does not fork.
        "lease" => unsafe { Opener::leasing() }.for_parts().open(path),
        other => panic!("there is no way {other}"),
    }
}

fn state(file: &Mapping<'_>) -> &'static str {
    match (file.is_mapped(), file.is_leased()) {
        (true, true) => "leased",
        (true, false) => "mapped",
        (false, false) => "in memory",
        (false, true) => "a lease on nothing",
    }
}

/// Threads that read a file over and over.
#[derive(Default)]
struct Readers {
    over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<bool>>,
}

impl Readers {
    /// Is back when each has read the file once.
    fn of(file: &Mapping<'static>) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let first = fingerprint(file);
        let (tell, told) = mpsc::channel();
        let threads: Vec<JoinHandle<bool>> = (0..3)
            .map(|_| {
                let (file, first, over, tell) = (file.clone(), first.clone(), Arc::clone(&over), tell.clone());
                thread::spawn(move || {
                    let mut same = fingerprint(&file) == first;
                    tell.send(()).unwrap();
                    while !over.load(Ordering::Acquire) {
                        same &= fingerprint(&file) == first;
                    }
                    same
                })
            })
            .collect();
        for _ in &threads {
            told.recv().unwrap();
        }
        Self { over, threads }
    }

    fn stop(&mut self) -> String {
        self.over.store(true, Ordering::Release);
        if self.join() { "always the same" } else { "not always the same" }.to_owned()
    }

    fn join(&mut self) -> bool {
        self.threads.drain(..).all(|thread| thread.join().unwrap())
    }
}
