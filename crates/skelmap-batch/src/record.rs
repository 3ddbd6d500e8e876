//! What runs have written into a folder of outputs, so that a later run can go on: `.skelmap-convert.jsonl` there, a line for each output.
//!
//! The runs for parts of the work (`bulk`) have a file each, because appending from several machines is not safe everywhere. Every run reads
//! the files of all.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use crate::catalogue::Shard;
use crate::lines::each_line;
use crate::path_text;
use serde::{Deserialize, Serialize};
use skelmap::ParseOptions;
use skelmap::archive::Address;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64, xxh3_128};

use crate::save::check_own;

/// The beginning and the end of the names of records.
const START: &str = ".skelmap-convert";
const END: &str = ".jsonl";

/// The longest line of a record that is read: an output has a few files.
const MAX_LINE: u64 = 16 << 20;

/// A file of an output: its name below the folder, its size, and the hash of its content.
pub(crate) type Made<P> = (P, u64, String);

/// A line: what an output was made from, and its files.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Line {
    /// Empty before the files have their names: a run that was killed then may have left some of them.
    stamp: String,
    /// The asset by which the output is named.
    input: String,
    files: Vec<Made<String>>,
}

/// The record of a folder.
#[derive(Debug)]
pub(crate) struct Record {
    folder: PathBuf,
    /// The file of this run.
    path: PathBuf,
    /// The last line of each output, by its first file.
    known: HashMap<String, Line>,
    /// All files of outputs: name, input, content.
    files: HashSet<[String; 3]>,
    /// Opened for the first output of this run.
    out: Mutex<Option<File>>,
    /// The bytes of the file of this run when it was read, and those that were added.
    length: AtomicU64,
}

impl Record {
    /// Reads the records of a folder. Lines that cannot be read say nothing: a run may have been killed while it wrote one.
    pub(crate) fn read(folder: &Path, shard: Option<Shard>) -> Self {
        let part = shard.map(|shard| format!("-{shard}")).unwrap_or_default();
        let path = folder.join(format!("{START}{part}{END}"));
        let length = path.metadata().map_or(0, |metadata| metadata.len());
        let (mut known, mut files) = (HashMap::new(), HashSet::new());
        let names = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
        let is_record =
            |name: &OsString| name.to_str().is_some_and(|name| name.starts_with(START) && name.ends_with(END));
        let mut names: Vec<OsString> = names.filter(is_record).collect();
        names.sort_unstable();
        // An output that two records state in two ways was written twice, and nothing says which came last.
        let mut doubtful = HashSet::new();
        for path in names.iter().map(|name| folder.join(name)) {
            let mut own: HashMap<String, Line> = HashMap::new();
            if !path.metadata().is_ok_and(|metadata| metadata.is_file()) {
                continue;
            }
            // What cannot be read says nothing.
            let _ = each_line(&path, MAX_LINE, |_, line| {
                let Ok(line) = serde_json::from_slice::<Line>(line) else { return Ok(()) };
                files.extend(line.files.iter().map(|(name, _, hash)| [name.clone(), line.input.clone(), hash.clone()]));
                if let Some((first, ..)) = line.files.first() {
                    own.insert(first.clone(), line);
                }
                Ok(())
            });
            for (name, line) in own {
                if known.get(&name).is_some_and(|other: &Line| other.stamp != line.stamp) {
                    doubtful.insert(name);
                } else {
                    known.insert(name, line);
                }
            }
        }
        known.retain(|name, _| !doubtful.contains(name));
        Self { folder: folder.to_owned(), path, known, files, out: Mutex::new(None), length: AtomicU64::new(length) }
    }

    /// Whether another run writes into the folder: it has added to the record.
    pub(crate) fn is_busy(&self) -> bool {
        // No line is being added meanwhile.
        let _out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        self.path.metadata().is_ok_and(|metadata| metadata.len() > self.length.load(Ordering::Relaxed))
    }

    /// The name of a file, as lines have it: from the folder, also to files beside it, as those of a mod are. The folder that a process works in
    /// says nothing to the next one.
    fn name(&self, path: &Path) -> String {
        if let Ok(below) = path.strip_prefix(&self.folder) {
            return below.to_string_lossy().into_owned();
        }
        let (folder, path) = (resolved(&self.folder), resolved(path));
        let shared = folder.components().zip(path.components()).take_while(|(one, other)| one == other).count();
        let up = folder.components().skip(shared).map(|_| Component::ParentDir);
        let name: PathBuf = up.chain(path.components().skip(shared)).collect();
        name.to_string_lossy().into_owned()
    }

    /// Whether an output was made from the same, which a stamp that is not empty says, and all its files are there with their content.
    pub(crate) fn has(&self, output: &Path, stamp: &str) -> bool {
        let folder = resolved(&self.folder);
        let is_there = |(name, size, hash): &Made<String>| {
            let path = folder.join(name);
            path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() == *size)
                && File::open(path).and_then(|file| content_hash(&file)).is_ok_and(|found| found == *hash)
        };
        self.known.get(&self.name(output)).is_some_and(|line| line.stamp == stamp && line.files.iter().all(is_there))
    }

    /// Whether a run has written the content of this file from this input. A record alone proves nothing: who writes one may not know what
    /// the file has. A file that a loss of power has left empty is nobody's.
    pub(crate) fn knows(&self, path: &Path, input: &str) -> bool {
        let Some(metadata) = path.symlink_metadata().ok().filter(Metadata::is_file) else { return false };
        let own = |hash| self.files.contains(&[self.name(path), input.to_owned(), hash]);
        metadata.len() == 0 || File::open(path).and_then(|file| content_hash(&file)).is_ok_and(own)
    }

    /// Adds an output: its files, the first one by which it is found. Without a stamp: before the files have their names.
    pub(crate) fn add(&self, stamp: &str, input: &str, files: &[Made<PathBuf>]) -> io::Result<()> {
        let files = files.iter().map(|(path, size, hash)| (self.name(path), *size, hash.clone())).collect();
        let mut line = serde_json::to_string(&Line { stamp: stamp.to_owned(), input: input.to_owned(), files })?;
        line.push('\n');
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        let out = match &mut *out {
            Some(out) => out,
            none => none.insert(self.open()?),
        };
        self.length.fetch_add(line.len() as u64, Ordering::Relaxed);
        // One call for each line, so that two runs do not mix them.
        out.write_all(line.as_bytes())
    }

    /// Opens the file of this run behind its last whole line.
    fn open(&self) -> io::Result<File> {
        let options = || OpenOptions::new().read(true).append(true).to_owned();
        // A new file is made through no link. What is there may be a link, or another name of a file of the user.
        let mut file = match options().create_new(true).open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                check_own(&self.path)?;
                options().open(&self.path)?
            }
            made => made?,
        };
        let mut last = [b'\n'];
        if file.metadata()?.len() > 0 {
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)?;
        }
        if last != [b'\n'] {
            // A killed run has left half a line.
            self.length.fetch_add(1, Ordering::Relaxed);
            file.write_all(b"\n")?;
        }
        Ok(file)
    }
}

/// A path from the root, without links on the way to the file.
fn resolved(path: &Path) -> PathBuf {
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let found =
        whole.parent().zip(whole.file_name()).and_then(|(folder, name)| Some(folder.canonicalize().ok()?.join(name)));
    found.unwrap_or(whole)
}

/// The hash of all bytes of a file.
pub(crate) fn content_hash(mut file: &File) -> io::Result<String> {
    file.rewind()?;
    let (mut hash, mut part) = (Xxh3Default::new(), Vec::new());
    while file.take(1 << 16).read_to_end(&mut part)? > 0 {
        hash.update(&part);
        part.clear();
    }
    Ok(format!("{:032x}", hash.digest128()))
}

/// The version, the options and what the parsers accept, for [`Stamp::new`]: as JSON, whose form is that of the options and of nothing else. `files`: those that the
/// options name.
pub(crate) fn settings<'f>(
    options: &impl Serialize,
    files: impl IntoIterator<Item = &'f PathBuf>,
    parse: &ParseOptions,
) -> String {
    let changed = |path: &PathBuf| Some(nanoseconds(path.metadata().ok()?.modified().ok()?));
    let files: Vec<_> = files.into_iter().map(|file| (path_text(file), changed(file))).collect();
    // A path that is not UTF-8 has no JSON, and nothing is kept then.
    serde_json::to_string(&(env!("CARGO_PKG_VERSION"), options, files, parse)).unwrap_or_default()
}

/// The nanoseconds of a time since 1970, or before it.
fn nanoseconds(time: SystemTime) -> (bool, u128) {
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => (true, after.as_nanos()),
        Err(before) => (false, before.duration().as_nanos()),
    }
}

/// Everything that an output depends on.
#[derive(Debug)]
pub(crate) struct Stamp {
    text: String,
    /// The asset by which the output is named, in the record: a hash of where it lies.
    pub(crate) input: String,
    /// The files that the output is made from, archives for their entries.
    pub(crate) inputs: Vec<PathBuf>,
    /// Whether a change of each input would show.
    is_certain: bool,
}

impl Stamp {
    /// `settings`: those of [`settings`]; empty if they have no form. `first`: the asset by which the output is named.
    pub(crate) fn new(settings: &str, first: &Address) -> Self {
        let path = first.path().canonicalize().unwrap_or_else(|_| first.path().to_owned());
        let place = serde_json::json!([path_text(&path), first.entry()]).to_string();
        let input = format!("{:016x}", xxh3_64(place.as_bytes()));
        Self { text: format!("{settings}\n"), input, inputs: Vec::new(), is_certain: !settings.is_empty() }
    }

    /// A file, or an entry of an archive: its name, and the size and time of the file. Nothing is known of the time of an object in a store.
    pub(crate) fn input(&mut self, address: &Address) {
        let metadata = address.path().metadata();
        let time = metadata.as_ref().ok().and_then(|metadata| metadata.modified().ok()).map(nanoseconds);
        self.is_certain &= time.is_some();
        let size = metadata.ok().map(|metadata| metadata.len());
        self.text.push_str(&serde_json::json!([path_text(address.path()), address.entry(), size, time]).to_string());
        self.text.push('\n');
        self.inputs.push(address.path().to_owned());
    }

    /// An input that other files belong to, whose changes do not show.
    pub(crate) fn doubt(&mut self) {
        self.is_certain = false;
    }

    /// What the mod of the mesh says: its files may change alone.
    pub(crate) fn told(&mut self, told: &serde_json::Value) {
        self.text.push_str(&told.to_string());
        self.text.push('\n');
    }

    /// The texture of the next material.
    pub(crate) fn texture(&mut self, address: Option<&Address>) {
        match address {
            Some(address) => self.input(address),
            None => self.text.push_str("no texture\n"),
        }
    }

    /// The hash, together with what tells outputs of one job apart; `None` if an input may change without a sign of it.
    pub(crate) fn hash(&self, part: &str) -> Option<String> {
        self.is_certain.then(|| format!("{:032x}", xxh3_128(format!("{}{part}", self.text).as_bytes())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(record: &Record, output: &Path, stamp: &str) {
        let hash = content_hash(&File::open(output).expect("a file")).expect("read");
        record.add(stamp, "input", &[(output.to_owned(), 1, hash)]).expect("written");
    }

    #[test]
    fn only_records_are_read_and_two_that_do_not_agree_say_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        let output = path("a.glb");
        fs::write(&output, "x").expect("written");
        let has = |stamp: &str| Record::read(folder.path(), None).has(&output, stamp);
        add(&Record::read(folder.path(), None), &output, "one");
        assert!(has("one") && !has("two"));
        fs::write(&output, "y").expect("written");
        assert!(!has("one"), "another content");
        fs::write(&output, "x").expect("written");
        for name in ["other.jsonl", ".skelmap-convert.txt"] {
            fs::rename(path(".skelmap-convert.jsonl"), path(name)).expect("renamed");
            assert!(!has("one"), "{name} is no record");
            fs::rename(path(name), path(".skelmap-convert.jsonl")).expect("renamed");
        }
        let of_shard = || Record::read(folder.path(), Shard::new(2, 2));
        add(&of_shard(), &output, "one");
        assert!(has("one"), "both say the same");
        add(&of_shard(), &output, "two");
        assert!(!has("one") && !has("two"), "nobody knows which came last");
    }

    #[test]
    fn a_line_behind_half_a_line_of_a_killed_run_is_a_line_of_its_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let (output, own) = (folder.path().join("a.glb"), folder.path().join(".skelmap-convert.jsonl"));
        fs::write(&output, "x").expect("written");
        for (before, lines) in [("", 1), ("{\"stamp\"", 2), ("{}\n", 2)] {
            fs::write(&own, before).expect("written");
            let record = Record::read(folder.path(), None);
            add(&record, &output, "one");
            assert!(!record.is_busy(), "nobody else has added anything");
            let text = fs::read_to_string(&own).expect("a record");
            assert_eq!((text.lines().count(), text.ends_with('\n')), (lines, true), "{text}");
            assert!(Record::read(folder.path(), None).has(&output, "one"), "{text}");
        }
    }

    #[test]
    fn the_hash_of_a_file_is_that_of_all_its_bytes_wherever_it_was_read_to() {
        let folder = tempfile::tempdir().expect("a folder");
        for length in [0_u32, 1, 1 << 16, (1 << 16) + 1, 200_000] {
            let bytes: Vec<u8> = (0..length).map(|index| index.to_le_bytes()[index as usize % 3]).collect();
            let path = folder.path().join("a");
            fs::write(&path, &bytes).expect("written");
            let mut file = File::open(&path).expect("opened");
            file.seek(SeekFrom::Start(7)).expect("moved");
            assert_eq!(content_hash(&file).expect("read"), format!("{:032x}", xxh3_128(&bytes)), "{length} bytes");
        }
    }

    /// From the folder of the outputs: below it, and beside it.
    #[test]
    fn lines_name_files_from_the_folder_of_the_outputs() {
        let root = tempfile::tempdir().expect("a folder");
        let path = |name: &str| root.path().join(name);
        for folder in ["mods/out/art", "mods/own"] {
            fs::create_dir_all(path(folder)).expect("made");
        }
        let record = Record::read(&path("mods/out"), None);
        let name = |own: &str| record.name(&path(own)).replace('\\', "/");
        assert_eq!([name("mods/out/a.glb"), name("mods/out/art/a.glb")], ["a.glb", "art/a.glb"]);
        assert_eq!([name("mods/own/a.xml"), name("mods/a.xml")], ["../own/a.xml", "../a.xml"]);
        assert_eq!(name("a.xml"), "../../a.xml");
    }

    #[test]
    fn times_are_told_in_nanoseconds_after_1970_or_before_it() {
        let (epoch, length) = (SystemTime::UNIX_EPOCH, std::time::Duration::new(3, 500_000_000));
        assert_eq!(nanoseconds(epoch), (true, 0));
        assert_eq!(nanoseconds(epoch + length), (true, 3_500_000_000));
        assert_eq!(nanoseconds(epoch - length), (false, 3_500_000_000));
    }

    #[test]
    fn a_stamp_has_no_hash_if_an_input_may_change_without_a_sign() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.psk");
        fs::write(&path, "x").expect("written");
        let (there, gone) = (Address::of_file(path), Address::of_file(folder.path().join("none")));
        let stamp = |settings: &str, input: &Address| {
            let mut stamp = Stamp::new(settings, &there);
            stamp.input(input);
            stamp
        };
        let mut own = stamp("{}", &there);
        let hash = own.hash("a");
        assert!(hash.is_some() && hash != own.hash("b") && hash != stamp("[]", &there).hash("a"));
        assert_eq!(hash, stamp("{}", &there).hash("a"));
        own.doubt();
        assert_eq!((own.hash("a"), own.hash("b")), (None, None));
        assert_eq!((stamp("{}", &gone).hash("a"), stamp("", &there).hash("a")), (None, None));
    }
}
