//! The pages of many models: the lines of the input are names of files, entries, bones, materials and sequences. A page has the elements
//! and attributes of the same page of harmless names, its own scripts and no other, and each link leads to a file of the output.

#![no_main]
#![cfg(unix)]

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use html5gum::{Token, Tokenizer};
use test_support::actorx::build::{Anim, Mesh, chain};
use test_support::build_zip::{Entry, Zip};

/// A name of a file may have 255 bytes; a number goes before it, an ending behind it.
const MAX_NAME: usize = 200;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| pages(bytes));

/// What an input names.
struct Names {
    file: Vec<u8>,
    entry: Vec<u8>,
    bone: Vec<u8>,
    material: Vec<u8>,
    sequence: Vec<u8>,
}

impl Names {
    fn new(bytes: &[u8]) -> Self {
        let mut lines = bytes.split(|byte| *byte == b'\n').map(|line| line.get(..MAX_NAME).unwrap_or(line).to_vec());
        let mut next = || lines.next().unwrap_or_default();
        Self { file: next(), entry: next(), bone: next(), material: next(), sequence: next() }
    }

    /// The same names without the punctuation that markup is made of. What decides whether a name is a safe path, stays.
    fn harmless(&self) -> Self {
        let plain = |name: &[u8]| {
            let is_markup = |byte: &u8| byte.is_ascii_punctuation() && !b"._-:\\".contains(byte);
            name.iter().map(|byte| if is_markup(byte) { b'x' } else { *byte }).collect()
        };
        let Self { file, entry, bone, material, sequence } = self;
        Self {
            file: plain(file),
            entry: plain(entry),
            bone: plain(bone),
            material: plain(material),
            sequence: plain(sequence),
        }
    }
}

fn pages(bytes: &[u8]) {
    let names = Names::new(bytes);
    let (found, expected) = (Made::new(&names), Made::new(&names.harmless()));
    assert_eq!(found.statuses, expected.statuses);
    assert_eq!(found.pages.len(), expected.pages.len());
    for ((path, found), (_, expected)) in found.pages.iter().zip(&expected.pages) {
        assert_eq!(found.markup, expected.markup, "{}", path.display());
        for link in &found.links {
            check_link(path, link);
        }
    }
}

/// The pages that the command makes of names, in the order of the numbers before the names.
struct Made {
    statuses: Vec<u8>,
    pages: Vec<(PathBuf, Markup)>,
    _place: tempfile::TempDir,
}

impl Made {
    fn new(names: &Names) -> Self {
        let place = tempfile::tempdir().expect("a folder");
        let (input, output) = (place.path().join("in"), place.path().join("out"));
        fs::create_dir_all(&input).expect("made");
        fs::create_dir_all(&output).expect("made");
        write_inputs(&input, names);
        let line = |words: &[&str], path: &Path| {
            let words = words.iter().map(OsString::from).chain(["-o".into(), path.into(), input.clone().into()]);
            skelmap_cli::run([OsString::from("skelmap")].into_iter().chain(words))
        };
        let report = output.join("report.html");
        let report = ["catalog", "--jobs", "1", "--report", report.to_str().expect("a path of ours")];
        let rows = output.join("rows.jsonl");
        let statuses = vec![line(&["view", "--each"], &output), line(&report, &rows)];
        let mut pages = Vec::new();
        let mut folders = vec![output];
        while let Some(folder) = folders.pop() {
            let mut entries: Vec<_> = fs::read_dir(folder).expect("ours").flatten().map(|entry| entry.path()).collect();
            entries.sort();
            for path in entries {
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|kind| kind == "html") {
                    let markup = Markup::read(&fs::read_to_string(&path).expect("a page is UTF-8"));
                    pages.push((path, markup));
                }
            }
        }
        Self { statuses, pages, _place: place }
    }
}

fn write_inputs(folder: &Path, names: &Names) {
    let mut mesh = Mesh::sheet(3, 3, 2);
    mesh.bones[1].name = field(&names.bone);
    mesh.materials[0].name = field(&names.material);
    let mesh = mesh.chunks().build().bytes;
    let mut motion = Anim::sway(chain(2), &[("", 2, 30.0)]);
    motion.infos[0].name = field(&names.sequence);
    let motion = motion.chunks().build().bytes;
    let name = |number: &str, name: &[u8], kind: &str| {
        let mut whole = number.as_bytes().to_vec();
        whole.extend(name.iter().map(|byte| if [b'/', 0].contains(byte) { b'x' } else { *byte }));
        whole.extend(kind.as_bytes());
        OsString::from_vec(whole)
    };
    fs::write(folder.join(name("0", &names.file, ".psk")), &mesh).expect("written");
    fs::write(folder.join(name("0", &names.file, ".psa")), &motion).expect("written");
    fs::write(folder.join(name("1", &names.entry, ".psk")), b"ACTRHEAD and nothing").expect("written");
    let entry = name("2", &names.entry, ".psk");
    let archive = Zip::of([Entry::stored(entry.as_bytes(), &mesh)]).build().bytes;
    fs::write(folder.join("3.zip"), archive).expect("written");
}

/// A name in the 64 bytes of a record.
fn field(name: &[u8]) -> [u8; 64] {
    std::array::from_fn(|at| name.get(at).copied().unwrap_or_default())
}

/// What a browser sees of a page: the elements with their attributes, and where it leads.
#[derive(Default)]
struct Markup {
    markup: Vec<(Vec<u8>, Vec<Vec<u8>>)>,
    links: Vec<String>,
}

impl Markup {
    fn read(page: &str) -> Self {
        let mut read = Self::default();
        let mut emitter = html5gum::emitters::default::DefaultEmitter::default();
        // The texts of scripts and styles are no elements.
        emitter.naively_switch_states(true);
        for Ok(token) in Tokenizer::new_with_emitter(page, emitter) {
            let Token::StartTag(tag) = token else { continue };
            for (name, value) in &tag.attributes {
                if [b"href".as_slice(), b"src"].contains(&name.as_slice()) {
                    read.links.push(String::from_utf8_lossy(value).into_owned());
                }
            }
            read.markup.push((tag.name.to_vec(), tag.attributes.keys().map(|name| name.to_vec()).collect()));
        }
        read
    }
}

/// A link is one inside of the page, data in the page, or the path of a file that the command wrote.
fn check_link(page: &Path, link: &str) {
    if link.starts_with('#') || link.starts_with("data:image/") || link.starts_with("https://github.com/") {
        return;
    }
    let mut path = Vec::new();
    let mut rest = link.bytes();
    while let Some(byte) = rest.next() {
        path.push(match byte {
            b'%' => {
                let digits = [rest.next().expect("two digits"), rest.next().expect("two digits")];
                u8::from_str_radix(std::str::from_utf8(&digits).expect("digits"), 16).expect("digits")
            }
            b'?' | b'#' | b':' | b'\\' => panic!("{link} is more than a path"),
            byte => byte,
        });
    }
    assert!(!path.starts_with(b"/"), "{link} leads out");
    let path = page.parent().expect("a folder").join(OsString::from_vec(path));
    assert!(path.exists(), "{link} leads to nothing");
}
