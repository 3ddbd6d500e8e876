//! Rewrites Rust files so that each contains all its mutations, and a variable chooses one.
//!
//! `mutants rewrite PLAN` reads a plan in JSON: `{"root": FOLDER, "crates": [{"name": NAME, "lib": FILE, "files": [FILE, ...]}], "drop": [ID,
//! ...]}`, with files below the root. It rewrites them in place and prints the mutations in JSON. Numbers do not depend on what is dropped.
//!
//! `mutants locate` reads places in rewritten files as JSON, `[[FILE, LINE, COLUMN], ...]`, and prints the mutations at each of them.

mod locate;
mod rewrite;
mod values;

use std::io::{Read, stdin};

fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let mut text = String::new();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["rewrite", plan] => rewrite::rewrite(&serde_json::from_str(&std::fs::read_to_string(plan).unwrap()).unwrap()),
        ["locate"] => {
            stdin().read_to_string(&mut text).unwrap();
            locate::locate(&serde_json::from_str(&text).unwrap())
        }
        _ => panic!("mutants rewrite PLAN, or mutants locate"),
    };
    println!("{result}");
}
