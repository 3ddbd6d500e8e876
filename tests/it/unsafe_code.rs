//! `unsafe` stands in the modules named `mapping` and nowhere else, and the lints that see to it are on.

use std::fs;
use std::path::{Path, PathBuf};

/// Every source file of the library and of the command, by its path below `src`, with its text.
fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut folders, mut found) = (vec![root.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push((path.strip_prefix(&root).unwrap().to_owned(), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}

/// The words of a text that are neither in a comment nor, as far as a line shows, in a string.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let unquoted = code.flat_map(|line| line.split('"').step_by(2));
    unquoted.flat_map(|part| part.split(|letter: char| !letter.is_alphanumeric() && letter != '_'))
}

/// Where one of these words is code: the modules, each by its path without the ending.
fn modules_with(wanted: &[&str]) -> Vec<PathBuf> {
    let with = |(_, text): &(PathBuf, String)| words(text).any(|word| wanted.contains(&word));
    let module = |path: PathBuf| {
        if path.starts_with("mapping") { PathBuf::from("mapping") } else { path.with_extension("") }
    };
    let mut modules: Vec<PathBuf> = sources().into_iter().filter(with).map(|(path, _)| module(path)).collect();
    modules.dedup();
    modules
}

#[test]
fn unsafe_code_is_in_the_modules_named_mapping_alone() {
    let mapping = [Path::new("bin/skelmap/mapping"), Path::new("mapping")];
    assert_eq!(modules_with(&["unsafe"]), mapping);
    // Nor does another module, or a crate's root for all of its modules, allow it.
    assert_eq!(modules_with(&["unsafe_code"]), mapping);
    assert_eq!(modules_with(&["undocumented_unsafe_blocks", "restriction"]), Vec::<PathBuf>::new());
}

#[test]
fn the_crate_denies_unsafe_code_and_blocks_without_a_proof() {
    let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    for (table, lint) in [("[lints.rust]", "unsafe_code"), ("[lints.clippy]", "undocumented_unsafe_blocks")] {
        let mut lines =
            manifest.lines().skip_while(|line| *line != table).skip(1).take_while(|line| !line.starts_with('['));
        assert!(lines.any(|line| line == format!("{lint} = \"deny\"")), "{lint} is not denied in {table}");
    }
}

#[test]
fn the_words_of_a_text_are_those_of_its_code() {
    let text = "fn a() { // unsafe\n/// unsafe\n    \"zip-unsafe-name\"; unsafe_name();\n    unsafe { b() }\n}";
    assert_eq!(words(text).filter(|word| *word == "unsafe").count(), 1);
    assert!(words(text).any(|word| word == "unsafe_name"));
}
