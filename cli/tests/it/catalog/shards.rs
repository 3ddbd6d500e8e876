//! Parts of the work: together they are everything, in order and once.

use super::mixed;
use crate::run::{Folder, animation, mesh};

/// The rows of every shard, one after the other.
fn sharded(folder: &Folder, count: usize, arguments: &str) -> Vec<String> {
    let mut all = Vec::new();
    for index in 1..=count {
        let output = format!("{index}-of-{count}.jsonl");
        let line = format!("catalog {arguments} -o {output} --shard {index}/{count}");
        folder.run(&line.split(' ').collect::<Vec<_>>());
        all.extend(folder.text(&output).lines().map(str::to_owned));
        folder.remove(output);
    }
    all
}

#[test]
fn shards_are_disjoint_and_together_everything_in_order() {
    let folder = mixed();
    for arguments in ["art", "art --per sequence", "art/e.zip art/a.psk none.psk art/a.psk"] {
        folder.says(1, &format!("catalog {arguments} -o all.jsonl")).lines();
        let all: Vec<String> = folder.text("all.jsonl").lines().map(str::to_owned).collect();
        folder.remove("all.jsonl");
        for count in [1, 2, 3, 9, 40] {
            assert_eq!(sharded(&folder, count, arguments), all, "{arguments} in {count}");
        }
    }
}

#[test]
fn shards_are_about_equal_in_bytes() {
    let folder = Folder::new();
    let bones = [("Root", 0)];
    // One large asset among many small ones.
    for index in 0..90 {
        folder.put(format!("art/{index:02}.psk"), mesh(&bones));
    }
    folder.put("art/45.psa", animation(&bones, &[("Long", 60_000, 30.0)]));
    let mut counts = Vec::new();
    for index in 1..=4 {
        folder.run(&["catalog", "art", "-o", &format!("{index}.jsonl"), "--shard", &format!("{index}/4")]);
        let rows = folder.lines(format!("{index}.jsonl"));
        counts.push((rows.len(), rows.iter().any(|row| row["bytes"].as_u64() > Some(1_000_000))));
    }
    assert_eq!(counts.iter().map(|count| count.0).sum::<usize>(), 91);
    assert_eq!(counts.iter().filter(|count| count.1).count(), 1);
    let bytes: Vec<usize> = counts.iter().map(|(rows, large)| rows * 4400 + usize::from(*large) * 1_920_000).collect();
    // The large one is alone, or in company that is small beside it.
    assert!(bytes.iter().all(|bytes| *bytes < 2_400_000), "{bytes:?}");
    for index in 0..90 {
        folder.remove(format!("{index}.jsonl"));
    }
    folder.remove("art/45.psa");
    for index in 1..=3 {
        folder.says(0, &format!("catalog art -o {index}.jsonl --shard {index}/3"));
        assert_eq!(folder.lines(format!("{index}.jsonl")).len(), 30);
    }
}

#[test]
fn an_invalid_shard_is_refused() {
    let folder = mixed();
    for shard in ["0/3", "4/3", "1/0", "1", "1/3/5", "-1/3", "a/b", "/", "1.5/3", ""] {
        folder.ends(2, &["catalog", "art", "-o", "all.jsonl", &format!("--shard={shard}")]);
    }
    assert!(!folder.files().contains(&"all.jsonl".to_owned()));
}

#[test]
fn the_last_of_very_many_shards_is_not_too_large() {
    let folder = mixed();
    let most = u64::MAX;
    folder.run(&["catalog", "art", "-o", "1.jsonl", "--shard", &format!("{most}/{most}")]);
    folder.run(&["catalog", "art", "-o", "2.jsonl", "--shard", &format!("1/{most}")]);
    assert!(folder.lines("1.jsonl").len() + folder.lines("2.jsonl").len() <= 2);
}
