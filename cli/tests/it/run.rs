//! The command as the tests run it: in the folder of the corpus, or in a folder of its own; and what it prints, in parts.

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use skelmap::archive::Limits;
use skelmap::mapping::Opener;
use skelmap_batch::items::{Options, Row, Sources};
use tempfile::TempDir;

use test_support::actorx::build::{Anim, Bone, IDENTITY, Mesh};
use test_support::build_zip::{Entry, Zip};
pub(crate) use test_support::corpus::file as corpus;
use test_support::corpus::folder;

pub(crate) fn stored(entries: &[(&str, &[u8])]) -> Vec<u8> {
    Zip::of(entries.iter().map(|(name, data)| Entry::stored(name, data))).build().bytes
}

pub(crate) fn deflated(entries: &[(&str, &[u8])]) -> Vec<u8> {
    Zip::of(entries.iter().map(|(name, data)| Entry::deflated(name, data))).build().bytes
}

/// The path of an output as the system prints it.
pub(crate) fn native(path: &str) -> String {
    path.replace('/', std::path::MAIN_SEPARATOR_STR)
}

/// A folder of its own, in which the command runs: what it prints has no path of this machine in it.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().expect("a folder"))
    }

    pub(crate) fn at(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, and the folders that it is in.
    pub(crate) fn put(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.at(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        path
    }

    pub(crate) fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        let path = self.at(name);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub(crate) fn text(&self, name: impl AsRef<Path>) -> String {
        String::from_utf8(self.read(name)).expect("UTF-8")
    }

    /// The lines of a file, each a JSON object.
    pub(crate) fn lines(&self, name: impl AsRef<Path>) -> Vec<Value> {
        json_lines(&self.text(name))
    }

    pub(crate) fn remove(&self, name: impl AsRef<Path>) {
        match fs::remove_file(self.at(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => panic!("{error}"),
            _ => {}
        }
    }

    /// All files, by their path with `/` between its parts, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        files_below(self.0.path(), "", &mut found);
        found.sort();
        found
    }

    pub(crate) fn command(&self, arguments: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skelmap"));
        command.args(arguments).current_dir(self.0.path()).stdin(Stdio::null());
        // No defaults of the user.
        command.env("XDG_CONFIG_HOME", self.0.path());
        command
    }

    pub(crate) fn run(&self, arguments: &[impl AsRef<OsStr>]) -> Ran {
        Ran::of(&mut self.command(arguments))
    }

    /// Runs a command that ends with this status.
    pub(crate) fn ends(&self, status: i32, arguments: &[&str]) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.status, status, "{arguments:?}: {}", ran.complaints);
        ran
    }

    /// Runs the words of a line, of a command that ends with this status.
    pub(crate) fn says(&self, status: i32, line: &str) -> Ran {
        self.ends(status, &line.split(' ').collect::<Vec<_>>())
    }
}

pub(crate) fn files_below(folder: &Path, prefix: &str, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().expect("a kind").is_dir() {
            files_below(&entry.path(), &format!("{name}/"), found);
        } else {
            found.push(name);
        }
    }
}

/// How a command ended and what it said.
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) out: Vec<u8>,
    pub(crate) complaints: String,
}

impl Ran {
    pub(crate) fn of(command: &mut Command) -> Self {
        let output = command.output().expect("the command starts");
        Self {
            status: output.status.code().expect("no signal ended it"),
            out: output.stdout,
            complaints: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.out).expect("UTF-8")
    }

    pub(crate) fn lines(&self) -> Vec<Value> {
        json_lines(self.text())
    }
}

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

/// The keys of a JSON object as it is written, at the top.
pub(crate) fn keys_of(line: &str) -> Vec<String> {
    let (mut keys, mut depth, mut rest) = (Vec::new(), 0, line);
    while let Some(at) = rest.find(['{', '}', '[', ']', '"']) {
        let found = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        match found {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {
                let end = rest.find('"').expect("text ends, and has no quotes in it");
                if depth == 1 && rest[end + 1..].starts_with(':') {
                    keys.push(rest[..end].to_owned());
                }
                rest = &rest[end + 1..];
            }
        }
    }
    keys
}

pub(crate) fn find(paths: &[PathBuf]) -> Sources {
    Sources::find(paths, &Opener::reading(), &Limits::default())
}

pub(crate) fn rows_of(sources: &Sources, options: &Options) -> Vec<Row> {
    sources.rows(options).collect()
}

/// Bones by name and parent.
pub(crate) fn bones(bones: &[(&str, i32)]) -> Vec<Bone> {
    bones.iter().map(|(name, parent)| Bone::new(name, *parent, [0.0, 1.0, 0.0], IDENTITY)).collect()
}

/// A mesh of nothing but bones.
pub(crate) fn mesh(of: &[(&str, i32)]) -> Vec<u8> {
    Mesh { bones: bones(of), ..Mesh::default() }.chunks().build().bytes
}

pub(crate) fn animation(of: &[(&str, i32)], sequences: &[(&str, i32, f32)]) -> Vec<u8> {
    Anim::sway(bones(of), sequences).chunks().build().bytes
}

/// The command, to be given arguments.
pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skelmap"));
    command.current_dir(folder().parent().expect("the corpus lies in the checkout"));
    command.env("XDG_CONFIG_HOME", folder());
    command
}

/// Runs the command.
pub(crate) fn skelmap(arguments: &[&str]) -> Output {
    command().args(arguments).output().expect("the command starts")
}

/// The keys of a row of `ls`, in order.
pub(crate) const LS_KEYS: [&str; 17] = [
    "schema",
    "path",
    "entry",
    "address",
    "format",
    "bytes",
    "bones",
    "points",
    "wedges",
    "faces",
    "materials",
    "uv_sets",
    "sequences",
    "frames",
    "duration_s",
    "quirks",
    "error",
];

/// A mesh, an animation and a mesh with a fault (`ActorX`), a mesh and an animation (Pyrogenesis), and two animations (SWAT 3).
pub(crate) const PSK: &str = "corpus/actorx/mesh/classic.psk";
pub(crate) const PSA: &str = "corpus/actorx/anim/sequences.psa";
pub(crate) const DAMAGED: &str = "corpus/actorx/damaged/overrun.psk";
pub(crate) const PMD: &str = "corpus/pyrogenesis/pmd/skinned.pmd";
pub(crate) const WALK: &str = "corpus/pyrogenesis/psa/walk.psa";
pub(crate) const GSA: &str = "corpus/swat3/gsa/plain.gsa";
pub(crate) const RELOAD: &str = "corpus/swat3/gsa/reload.gsa";

pub(crate) fn status(output: &Output) -> i32 {
    output.status.code().expect("no signal ended it")
}

/// The status of a command with these arguments.
pub(crate) fn ended(arguments: &[&str]) -> i32 {
    status(&skelmap(arguments))
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// The lines of an output, each a JSON object.
pub(crate) fn objects(output: &Output) -> Vec<Value> {
    json_lines(&stdout(output))
}

/// The JSON that a command with these arguments prints.
pub(crate) fn json(arguments: &[&str]) -> Value {
    serde_json::from_slice(&skelmap(arguments).stdout).expect("JSON")
}
