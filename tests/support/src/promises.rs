//! The tables of promises in `SECURITY.md`: each names the tests that hold it.

use std::path::Path;
use std::process::Command;

/// The tests that the tables name, as paths of modules or tests: those with the mark of a package, `(b)` of `skelmap-batch`, `(c)` of the command, `(l)` of its
/// long tests, `(e)` of the exhaustive tests, `(g)` of `skelmap-export`, `(p)` of `skelmap-preview`, `(s)` of `skelmap-stores`, `(w)` of
/// `skelmap-write`; without one, those of the library.
pub fn named(mark: Option<&str>) -> Vec<String> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = package.ancestors().map(|folder| folder.join("SECURITY.md")).find(|page| page.is_file()).unwrap();
    let text = std::fs::read_to_string(page).unwrap();
    let promises = text.lines().filter(|line| line.starts_with("| ") && line.matches('|').count() == 3);
    let held_by = promises.filter_map(|line| line.trim_end_matches(" |").rsplit_once("| ")).map(|(_, held_by)| held_by);
    let mut names = Vec::new();
    for cell in held_by {
        let mut parts = cell.split('`');
        parts.next();
        while let (Some(name), Some(after)) = (parts.next(), parts.next()) {
            let found = after
                .trim_start()
                .split_inclusive(')')
                .next()
                .filter(|mark| ["(b)", "(c)", "(e)", "(g)", "(l)", "(p)", "(s)", "(w)"].contains(mark));
            if name.contains("::") && found == mark {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// The names that no test of this program has.
pub fn missing(names: &[String]) -> Vec<&str> {
    let program = std::env::current_exe().unwrap();
    let list = Command::new(program).args(["--list", "--format", "terse"]).output().unwrap().stdout;
    let list = String::from_utf8(list).unwrap();
    let exists = |name: &&str| list.lines().any(|test| test.strip_suffix(": test").unwrap_or(test).starts_with(name));
    names.iter().map(String::as_str).filter(|name| !exists(name)).collect()
}
