//! Many assets at once: rows and what joins them, and the commands that write catalogues, take archives apart, pack
//! them and match animations with meshes.

mod addresses;
mod bulk;
mod command;
mod extract;
mod fits;
mod interrupted;
mod joins;
mod match_command;
mod pack;
#[cfg(feature = "tables")]
mod parquet;
mod report;
mod resume;
mod rows;
mod shards;
mod sources;

use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;
use skelmap::archive::Limits;
use skelmap::catalog::{Options, Row, Sources};
use skelmap::mapping::Opener;
use tempfile::TempDir;

use test_support::actorx::build::{Anim, Bone, IDENTITY, Mesh};
use test_support::build_zip::{Entry, Zip};
pub(crate) use test_support::corpus::file as corpus;

pub(crate) fn stored(entries: &[(&str, &[u8])]) -> Vec<u8> {
    Zip::of(entries.iter().map(|(name, data)| Entry::stored(name, data))).build().bytes
}

pub(crate) fn deflated(entries: &[(&str, &[u8])]) -> Vec<u8> {
    Zip::of(entries.iter().map(|(name, data)| Entry::deflated(name, data))).build().bytes
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

fn files_below(folder: &Path, prefix: &str, found: &mut Vec<String>) {
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
fn keys_of(line: &str) -> Vec<String> {
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

fn find(paths: &[PathBuf]) -> Sources {
    Sources::find(paths, &Opener::reading(), &Limits::default())
}

fn rows_of(sources: &Sources, options: &Options) -> Vec<Row> {
    sources.rows(options).collect()
}

/// Bones by name and parent.
fn bones(bones: &[(&str, i32)]) -> Vec<Bone> {
    bones.iter().map(|(name, parent)| Bone::new(name, *parent, [0.0, 1.0, 0.0], IDENTITY)).collect()
}

/// A mesh of nothing but bones.
pub(crate) fn mesh(of: &[(&str, i32)]) -> Vec<u8> {
    Mesh { bones: bones(of), ..Mesh::default() }.chunks().build().bytes
}

pub(crate) fn animation(of: &[(&str, i32)], sequences: &[(&str, i32, f32)]) -> Vec<u8> {
    Anim::sway(bones(of), sequences).chunks().build().bytes
}
