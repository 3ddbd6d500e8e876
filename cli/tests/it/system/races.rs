//! Many runs at once into one catalogue, some of them killed: the final name never has a part of a catalogue.

use std::env;
use std::fs;
use std::process::{Child, Command, Stdio};

use crate::run::{Folder, corpus};

/// Trials in each run of the tests; `SKELMAP_RACES` asks for more.
const TRIALS: usize = 150;

/// Runs at once in a trial.
const RUNS: usize = 4;

fn start(folder: &Folder, art: &str, options: &[&str]) -> Child {
    let mut command: Command = folder.command(&["catalog", art, "-o", "o.jsonl", "--jobs", "1"]);
    command.args(options).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("started")
}

#[test]
fn the_final_name_has_a_whole_catalogue_after_every_successful_run() {
    let trials = env::var("SKELMAP_RACES").ok().and_then(|text| text.parse().ok()).unwrap_or(TRIALS);
    let folder = Folder::new();
    let mesh = corpus("actorx/mesh/classic.psk");
    for (art, files) in [("one", 700), ("two", 400)] {
        let first = folder.put(format!("{art}/0000.psk"), &mesh);
        for index in 1..files {
            fs::hard_link(&first, folder.at(format!("{art}/{index:04}.psk"))).expect("a link");
        }
    }
    let whole = ["one", "two"].map(|art| {
        folder.says(0, &format!("catalog {art} -o o.jsonl --force"));
        folder.read("o.jsonl")
    });
    assert!(whole[0].len() > whole[1].len() && whole[1].len() > 1 << 16);
    let mut written = 0;
    for trial in 0..trials {
        folder.remove("o.jsonl");
        // What a killed run left.
        folder.put("o.jsonl.part", &whole[0][..trial * 997 % whole[0].len()]);
        let mut runs: Vec<Child> = (0..RUNS)
            .map(|run| start(&folder, ["one", "two"][run % 2], if run == 3 { &["--resume"] } else { &["--force"] }))
            .collect();
        if trial % 3 == 0 {
            // One is killed at a different moment in each trial.
            std::thread::sleep(std::time::Duration::from_micros(trial as u64 * 37 % 9000));
            runs[trial % RUNS].kill().expect("a child");
        }
        for mut run in runs {
            let ended = run.wait().expect("a child");
            if ended.success() {
                // Another run may replace the whole catalogue by another whole one at any time.
                let found = folder.read("o.jsonl");
                assert!(whole.contains(&found), "trial {trial}: {} bytes", found.len());
                written += 1;
            }
        }
        if let Ok(found) = fs::read(folder.at("o.jsonl")) {
            assert!(whole.contains(&found), "trial {trial}: {} bytes are left", found.len());
        }
    }
    assert!(written >= trials / 2, "{written} of {trials}");
}
