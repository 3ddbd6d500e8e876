//! Whatever holds for any bytes: the one target that `SKELMAP_TARGET` names, or without it the list of them, each with the folder of its
//! seeds and its longest input.

#![no_main]

use std::process;
use std::sync::OnceLock;

use exhaustive::{target, targets};
use test_support::any_bytes::Target;

static TARGET: OnceLock<Target> = OnceLock::new();

fn chosen() -> Target {
    let Ok(name) = std::env::var("SKELMAP_TARGET") else {
        targets().for_each(|(folder, target)| println!("{} {folder} {}", target.name, target.longest));
        process::exit(0);
    };
    target(&name)
}

libfuzzer_sys::fuzz_target!(
    init: {
        TARGET.get_or_init(chosen);
    },
    |bytes: &[u8]| (TARGET.get_or_init(chosen).run)(bytes)
);
