//! Every direct dependency has a reason in `deny.toml`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
        .unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The names in the tables of dependencies of a `Cargo.toml`. `dev`: those of `dev-dependencies`, else the others.
fn dependencies(manifest: &str, dev: bool) -> BTreeSet<String> {
    let ending = if dev { "dev-dependencies]" } else { "dependencies]" };
    let mut names = BTreeSet::new();
    let mut is_inside = false;
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            is_inside = line.ends_with(ending) && line.ends_with("dev-dependencies]") == dev;
            assert!(!line.contains("dependencies."), "{line}: write the dependency as one line");
        } else if let (true, Some((name, _))) = (is_inside, line.split_once('=')) {
            names.insert(name.trim().to_owned());
        }
    }
    names
}

/// The names with a reason under a heading of `deny.toml`.
fn reasons(deny: &str, heading: &str) -> BTreeSet<String> {
    let start = format!("# {heading}");
    let mut lines = deny.lines().skip_while(|line| !line.starts_with(&start));
    assert!(lines.next().is_some(), "{heading}");
    let mut names = BTreeSet::new();
    for line in lines.map_while(|line| line.strip_prefix("#   ")) {
        if let Some((_, list)) = line.split_once("and of those above: ") {
            names.extend(list.split(", ").map(str::to_owned));
        } else {
            let (name, reason) = line.split_once(' ').unwrap_or((line, ""));
            assert!(reason.trim().len() > 10, "{name} has no reason");
            names.insert(name.to_owned());
        }
    }
    names
}

#[test]
fn every_dependency_has_a_reason_and_every_reason_a_dependency() {
    let deny = read("deny.toml");
    let (library, command) = (read("Cargo.toml"), read("cli/Cargo.toml"));
    assert_eq!(dependencies(&library, false), reasons(&deny, "library"));
    assert_eq!(dependencies(&read("crates/skelmap-export/Cargo.toml"), false), reasons(&deny, "export"));
    assert_eq!(dependencies(&read("crates/skelmap-stores/Cargo.toml"), false), reasons(&deny, "stores"));
    assert_eq!(dependencies(&read("crates/skelmap-preview/Cargo.toml"), false), reasons(&deny, "preview"));
    assert_eq!(dependencies(&read("crates/skelmap-batch/Cargo.toml"), false), reasons(&deny, "batch"));
    assert_eq!(dependencies(&command, false), reasons(&deny, "command"));
    assert_eq!(dependencies(&read("python/Cargo.toml"), false), reasons(&deny, "python"));
    let mut of_tests = dependencies(&library, true);
    of_tests.extend(dependencies(&command, true));
    for folder in ["crates/skelmap-batch", "crates/skelmap-export", "crates/skelmap-preview", "crates/skelmap-stores"] {
        of_tests.extend(dependencies(&read(&format!("{folder}/Cargo.toml")), true));
    }
    for folder in ["benches", "fuzz", "tests/support", "tests/exhaustive"] {
        let manifest = read(&format!("{folder}/Cargo.toml"));
        of_tests.extend(dependencies(&manifest, false));
        of_tests.extend(dependencies(&manifest, true));
    }
    assert_eq!(of_tests, reasons(&deny, "tests"));
}

#[test]
fn a_dependency_is_found_in_every_table_of_a_manifest() {
    let manifest = "[package]\nname = 1\n[dependencies]\na = \"1\"\n\n[target.'cfg(unix)'.dependencies]\nb-c = { version = 1 }\n\
        [dev-dependencies]\nd = 1\n[target.'cfg(unix)'.dev-dependencies]\ne = 1\n[features]\nf = []\n";
    let names = |dev| dependencies(manifest, dev).into_iter().collect::<Vec<_>>();
    assert_eq!(names(false), ["a", "b-c"]);
    assert_eq!(names(true), ["d", "e"]);
}
