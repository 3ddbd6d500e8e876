//! What runs have written into a folder of outputs, so that a later run can go on: `.skelmap-convert.jsonl` there, a line for each output.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use skelmap::archive::Address;
use xxhash_rust::xxh3::xxh3_128;

/// The name of the record.
const NAME: &str = ".skelmap-convert.jsonl";

/// A line: what an output was made from, and its files with their sizes.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Line {
    stamp: String,
    files: Vec<(String, u64)>,
}

/// The record of a folder.
#[derive(Debug)]
pub(super) struct Record {
    folder: PathBuf,
    /// The last line of each output, by its first file.
    known: HashMap<String, Line>,
    /// All files of outputs.
    files: HashSet<String>,
    /// Opened for the first output of this run.
    out: Mutex<Option<File>>,
}

impl Record {
    /// Reads the record of a folder. Lines that cannot be read say nothing: a run may have been killed while it wrote one.
    pub(super) fn read(folder: &Path) -> Self {
        let (mut known, mut files) = (HashMap::new(), HashSet::new());
        let path = folder.join(NAME);
        if let Some(file) = path.metadata().ok().filter(Metadata::is_file).and_then(|_| File::open(&path).ok()) {
            for line in BufReader::new(file).lines().map_while(Result::ok) {
                let Ok(line) = serde_json::from_str::<Line>(&line) else { continue };
                files.extend(line.files.iter().map(|(name, _)| name.clone()));
                if let Some((first, _)) = line.files.first() {
                    known.insert(first.clone(), line);
                }
            }
        }
        Self { folder: folder.to_owned(), known, files, out: Mutex::new(None) }
    }

    /// The name of a file in the folder, as lines have it.
    fn name(&self, path: &Path) -> String {
        path.strip_prefix(&self.folder).unwrap_or(path).to_string_lossy().into_owned()
    }

    /// Whether an output was made from the same, and all its files are there in their sizes.
    pub(super) fn has(&self, output: &Path, stamp: &str) -> bool {
        let is_there = |(name, size): &(String, u64)| {
            self.folder.join(name).metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() == *size)
        };
        self.known.get(&self.name(output)).is_some_and(|line| line.stamp == stamp && line.files.iter().all(is_there))
    }

    /// Whether a run has written this file.
    pub(super) fn knows(&self, path: &Path) -> bool {
        self.files.contains(&self.name(path))
    }

    /// Adds an output: its files, the first one by which it is found.
    pub(super) fn add(&self, stamp: &str, files: &[(PathBuf, u64)]) -> io::Result<()> {
        let files = files.iter().map(|(path, size)| (self.name(path), *size)).collect();
        let mut line = serde_json::to_string(&Line { stamp: stamp.to_owned(), files })?;
        line.push('\n');
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let out = match &mut *out {
            Some(out) => out,
            none => none.insert(OpenOptions::new().create(true).append(true).open(self.folder.join(NAME))?),
        };
        // One call for each line, so that two runs do not mix them.
        out.write_all(line.as_bytes())
    }
}

/// Everything that an output depends on.
#[derive(Debug, Default)]
pub(super) struct Stamp(String);

impl Stamp {
    /// Options and the like.
    pub(super) fn value(&mut self, value: &impl std::fmt::Debug) {
        let _ = writeln!(self.0, "{value:?}");
    }

    /// A file, or an entry of an archive: its name, and the size and time of the file.
    pub(super) fn input(&mut self, address: &Address) {
        let metadata = address.path().metadata();
        let time = metadata.as_ref().ok().and_then(|metadata| metadata.modified().ok());
        self.value(&(address.path(), address.entry(), metadata.ok().map(|metadata| metadata.len()), time));
    }

    /// The hash, together with what tells outputs of one job apart.
    pub(super) fn hash(&self, part: &str) -> String {
        format!("{:032x}", xxh3_128(format!("{}{part}", self.0).as_bytes()))
    }
}
