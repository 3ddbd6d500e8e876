//! `skelmap match` with the parents of bones: from the mod of a mesh, or from mods that the user names.

#[cfg(unix)]
use std::collections::{BTreeMap, BTreeSet};
#[cfg(unix)]
use std::env;
#[cfg(unix)]
use std::process::Command;

use serde_json::Value;

use crate::run::{Folder, Ran, deflated, stored};
use test_support::pyrogenesis::build::{Pmd, Psa, State};

/// Five bones on a line.
const SNAKE: [[f32; 3]; 5] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [3.0, 0.0, 0.0], [7.0, 0.0, 0.0], [15.0, 0.0, 0.0]];
/// The first bone keeps its distance to the fourth, and the second to the fifth. No bone keeps that to the next.
const CRAB: [[f32; 3]; 5] = [[0.0, 0.0, 0.0], [0.0, 50.0, 0.0], [0.0, 0.0, 90.0], [7.0, 0.0, 0.0], [14.0, 50.0, 0.0]];

fn states(places: [[f32; 3]; 5]) -> Vec<State> {
    places.iter().map(|place| State { t: *place, ..State::REST }).collect()
}

fn mesh() -> Vec<u8> {
    Pmd { bind: states(SNAKE), ..Pmd::grid(3, 3, 5, 1) }.build().bytes
}

fn animation(places: [[f32; 3]; 5]) -> Vec<u8> {
    Psa::new(5, 1, states(places)).build().bytes
}

fn skeletons(all: &[(&str, &str)]) -> String {
    let one =
        |(id, bones): &(&str, &str)| format!("<standard_skeleton id='{id}' title='{id}'>{bones}</standard_skeleton>");
    format!("<skeletons>{}</skeletons>", all.iter().map(one).collect::<String>())
}

/// Each bone hangs on the one before.
const CHAIN: &str =
    "<bone name='a'><bone name='b'><bone name='c'><bone name='d'><bone name='e'/></bone></bone></bone></bone>";
/// The fourth bone hangs on the first, and the fifth on the second; the third moves freely.
const CROSSED: &str = "<bone name='a'><bone name='b'><bone name='c'/></bone></bone>";

/// A mod with the mesh and both animations, and no skeleton.
fn folder() -> Folder {
    let folder = Folder::new();
    folder.put("mod/art/meshes/snake.pmd", mesh());
    folder.put("mod/art/animation/snake.psa", animation(SNAKE));
    folder.put("mod/art/animation/crab.psa", animation(CRAB));
    folder
}

/// The name of the animation, the verdict and the skeleton of each row.
fn rows(ran: &Ran) -> Vec<[String; 3]> {
    let text = |value: &Value| value.as_str().unwrap_or("none").to_owned();
    let name = |row: &Value| {
        let path = text(if row["entry"].is_null() { &row["path"] } else { &row["entry"] });
        path.rsplit('/').next().unwrap_or_default().to_owned()
    };
    ran.lines().iter().map(|row| [name(row), text(&row["verdict"]), text(&row["skeleton"])]).collect()
}

fn expected(crab: &str, skeleton: &str) -> Vec<[String; 3]> {
    let row = |name: &str, verdict: &str| [name, verdict, skeleton].map(ToOwned::to_owned);
    vec![row("crab.psa", crab), row("snake.psa", "fits")]
}

#[test]
fn parents_come_from_the_mod_that_a_mesh_lies_in() {
    let folder = folder();
    let line = "match mod/art/meshes/snake.pmd mod/art/animation --format jsonl";
    assert_eq!(rows(&folder.says(0, line)), expected("fits", "none"), "no skeleton is known");
    let text = skeletons(&[("snake", CHAIN), ("short", CROSSED)]);
    let file = "art/skeletons/snake.xml";
    folder.put(format!("mod/{file}"), &text);
    let with_parents = expected("same-count", "snake");
    assert_eq!(rows(&folder.says(0, line)), with_parents);
    let table = folder.says(0, "match mod/art/meshes/snake.pmd mod/art/animation/snake.psa");
    assert!(table.text().contains("at the same distances (measured along skeleton snake)"), "{}", table.text());
    let (mesh, snake, crab) = (mesh(), animation(SNAKE), animation(CRAB));
    let entries: [(&str, &[u8]); 4] = [
        ("art/animation/crab.psa", &crab),
        ("art/animation/snake.psa", &snake),
        ("art/meshes/snake.pmd", &mesh),
        (file, text.as_bytes()),
    ];
    for archive in [stored(&entries), deflated(&entries)] {
        folder.put("mod.zip", archive);
        for line in ["match mod.zip!/art/meshes/snake.pmd mod.zip", "match mod.zip mod.zip", "match mod/art mod.zip"] {
            let ran = folder.says(0, &format!("{line} --format jsonl"));
            assert_eq!(rows(&ran), with_parents, "{line}");
        }
    }
}

#[test]
fn the_option_mod_names_the_mods_with_the_skeletons() {
    let folder = folder();
    folder.put("base/art/skeletons/one.xml", skeletons(&[("base", CHAIN)]));
    folder.put("base.zip", stored(&[("art/skeletons/one.xml", skeletons(&[("packed", CHAIN)]).as_bytes())]));
    folder.put("more/art/skeletons/one.xml", skeletons(&[("more", CHAIN)]));
    let line = "match mod/art/meshes/snake.pmd mod/art/animation --format jsonl";
    for (mods, skeleton) in [
        ("--mod base", "base"),
        ("--mod base.zip", "packed"),
        ("--mod base --mod more", "more"),
        ("--mod more --mod base.zip", "packed"),
    ] {
        assert_eq!(rows(&folder.says(0, &format!("{line} {mods}"))), expected("same-count", skeleton), "{mods}");
    }
    let none = folder.says(3, &format!("{line} --mod mod"));
    assert!(none.complaints.contains("no skeletons (art/skeletons/)"), "{}", none.complaints);
    folder.says(3, &format!("{line} --mod nowhere"));
}

#[test]
fn of_several_skeletons_the_one_counts_in_which_distances_change_least() {
    let folder = folder();
    // All bones hang on the first: it keeps its distance to the fourth alone.
    let star = "<bone name='a'><bone name='b'/><bone name='c'/><bone name='d'/><bone name='e'/></bone>";
    folder.put("mod/art/skeletons/all.xml", skeletons(&[("star", star), ("chain", CHAIN), ("again", CHAIN)]));
    folder.put("mod/art/skeletons/bad.xml", "<skeletons>");
    let ran = folder.says(0, "match mod/art/meshes/snake.pmd mod/art/animation --format jsonl");
    // In the star, the second and the fifth bone hang on the same one, and keep their distance.
    assert_eq!(rows(&ran), expected("fits", "star"));
}

/// An entry of a mesh and one of an animation.
#[cfg(unix)]
type Pair = (String, String);

/// The pairs that actors join, and for each mesh and animation the group of those that are joined, directly or through others.
#[cfg(unix)]
fn joined(rows: &[Value]) -> (BTreeSet<Pair>, BTreeMap<&str, usize>) {
    let mut actors: BTreeMap<&str, [BTreeSet<&str>; 2]> = BTreeMap::new();
    for row in rows.iter().filter(|row| row["bones"].as_u64().is_some_and(|bones| bones > 0)) {
        let (Some(actor), Some(entry)) = (row["actor"].as_str(), row["entry"].as_str()) else { continue };
        actors.entry(actor).or_default()[usize::from(row["kind"] == "animation")].insert(entry);
    }
    let mut pairs = BTreeSet::new();
    let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
    for [meshes, animations] in
        actors.values().filter(|[meshes, animations]| !meshes.is_empty() && !animations.is_empty())
    {
        let members: Vec<&str> = meshes.iter().chain(animations).copied().collect();
        let old: BTreeSet<usize> = members.iter().filter_map(|one| groups.get(one).copied()).collect();
        let own = old.first().copied().unwrap_or(groups.len());
        groups.values_mut().filter(|group| old.contains(group)).for_each(|group| *group = own);
        groups.extend(members.into_iter().map(|one| (one, own)));
        let all = meshes.iter().flat_map(|mesh| animations.iter().map(|one| ((*mesh).to_owned(), (*one).to_owned())));
        pairs.extend(all);
    }
    (pairs, groups)
}

/// The archive of release 26 (`public.zip`) is found through `SKELMAP_0AD`. What is joined says `art/actors/`; what fits, the bones.
#[cfg(unix)]
#[test]
fn in_release_26_changes_tell_pairs_of_actors_from_others() {
    let Some(path) = env::var_os("SKELMAP_0AD") else {
        println!("skipped: SKELMAP_0AD is not set");
        return;
    };
    // 256 MiB of memory of its own; maps of files do not count.
    let limit = if cfg!(target_os = "linux") { "ulimit -d 262144; " } else { "" };
    let run = |line: &str| {
        let script = format!("{limit}exec \"$0\" {line} --format jsonl");
        Ran::of(Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_skelmap")]).arg(&path))
    };
    let actors = run("mod \"$1\"").lines();
    let (joined, groups) = joined(&actors);
    let matched = run("match \"$1\" \"$1\"");
    assert_eq!(matched.status, 0, "{}", matched.complaints);
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for row in matched.lines() {
        let (Some(mesh), Some(entry)) = (row["mesh_entry"].as_str(), row["entry"].as_str()) else { continue };
        let (Some(one), Some(other)) = (groups.get(mesh), groups.get(entry)) else { continue };
        let change = row["length_change"].as_f64().unwrap_or(f64::INFINITY);
        if joined.contains(&(mesh.to_owned(), entry.to_owned())) {
            own.push(change);
        } else if one != other {
            others.push(change);
        }
    }
    // The numbers are those of a reader in Python. Nothing is taken out of the others, although some share a skeleton: the pony and the horse.
    assert_eq!((own.len(), others.len()), (5_335, 3_352));
    let part =
        |changes: &[f64]| changes.iter().filter(|change| **change <= 0.005).count() as f64 / changes.len() as f64;
    assert!(part(&own) >= 0.99, "{}", part(&own));
    assert!(part(&others) <= 0.05, "{}", part(&others));
    others.sort_by(f64::total_cmp);
    let worse = |change: f64| {
        let (below, up_to) =
            (others.partition_point(|other| *other < change), others.partition_point(|other| *other <= change));
        others.len() as f64 - f64::midpoint(below as f64, up_to as f64)
    };
    let area = own.iter().map(|change| worse(*change)).sum::<f64>() / (own.len() * others.len()) as f64;
    assert!(area >= 0.99, "{area}");
}
