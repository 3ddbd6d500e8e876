//! `skelmap mod`: what it says about mods of a few files, and about a release of the game.

#[cfg(unix)]
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::process::Command;

use serde_json::Value;
use test_support::pyrogenesis::build::{Pmd, Psa, State};

use crate::run::{Folder, Ran, corpus, deflated, stored};

/// An actor with a mesh and parts of a variant.
fn actor(mesh: &str, parts: &str) -> String {
    format!("<actor version='1'><group><variant><mesh>{mesh}</mesh>{parts}</variant></group></actor>")
}

fn animations(of: &[(&str, &str)]) -> String {
    let all: Vec<_> = of.iter().map(|(name, file)| format!("<animation name='{name}' file='{file}'/>")).collect();
    format!("<animations>{}</animations>", all.concat())
}

/// A mesh of three bones, an animation of three bones, and one of the fox.
fn models() -> [Vec<u8>; 3] {
    let fox = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpus/fox_walk.psa");
    [corpus("pyrogenesis/pmd/skinned.pmd"), corpus("pyrogenesis/psa/walk.psa"), std::fs::read(fox).expect("a file")]
}

/// The rows of a state: actor, kind, name, file.
fn of_state(ran: &Ran, state: &str) -> Vec<[String; 4]> {
    let rows = ran.lines().into_iter().filter(|row| row["state"] == state);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    rows.map(|row| ["actor", "kind", "name", "file"].map(|key| text(&row[key]))).collect()
}

fn owned(rows: &[[&str; 4]]) -> Vec<[String; 4]> {
    rows.iter().map(|row| row.map(ToOwned::to_owned)).collect()
}

/// A mod in a folder.
fn folder() -> Folder {
    let folder = Folder::new();
    let [mesh, walk, fox] = models();
    folder.put("base/mod.json", r#"{"name": "base", "version": "1", "dependencies": []}"#);
    folder.put("base/art/meshes/dog.dae.cached.pmd", &mesh);
    folder.put("base/art/meshes/old/cat.pmd", &mesh);
    folder.put("base/art/animation/walk.dae.cached.psa", walk);
    folder.put("base/art/animation/trot.dae.cached.psa", fox);
    folder.put("base/art/animation/raw.dae", "<COLLADA/>");
    folder.put("base/art/textures/skins/dog.png", "");
    let inherits = "<variant file='legs.xml'><props><prop actor='hat.xml' attachpoint='head'/></props></variant>";
    folder.put("base/art/variants/dog.xml", inherits);
    let legs = animations(&[("walk", "walk.dae"), ("run", "raw.dae")]);
    // It takes on itself, through the other.
    folder.put("base/art/variants/legs.xml", format!("<variant file='dog.xml'>{legs}</variant>"));
    let textures =
        "<textures><texture name='baseTex' file='dog.png'/><texture name='normTex' file='no.png'/></textures>";
    let text = actor("dog.dae", textures).replace("<variant>", "<variant file='dog.xml'>");
    folder.put("base/art/actors/dog.xml", text);
    folder
}

#[test]
fn parts_of_an_actor_come_from_its_variants_too() {
    let ran = folder().says(1, "mod base --format jsonl");
    let expected = [
        ["dog.xml", "mesh", "", "art/meshes/dog.dae"],
        ["dog.xml", "texture", "baseTex", "art/textures/skins/dog.png"],
        ["dog.xml", "variant", "", "art/variants/dog.xml"],
        ["dog.xml", "variant", "", "art/variants/legs.xml"],
        ["dog.xml", "animation", "walk", "art/animation/walk.dae"],
    ];
    let (mut found, mut expected) = (of_state(&ran, "fine"), owned(&expected));
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!(of_state(&ran, "source"), owned(&[["dog.xml", "animation", "run", "art/animation/raw.dae"]]));
    let missing = [
        ["dog.xml", "texture", "normTex", "art/textures/skins/no.png"],
        ["dog.xml", "prop", "head", "art/actors/hat.xml"],
    ];
    assert_eq!(of_state(&ran, "missing"), owned(&missing));
    let unused =
        [["", "mesh", "", "art/meshes/old/cat.pmd"], ["", "animation", "", "art/animation/trot.dae.cached.psa"]];
    assert_eq!(of_state(&ran, "unused"), owned(&unused));
    assert!(of_state(&ran, "misfit").is_empty());
}

#[test]
fn a_later_mod_hides_files_of_the_mods_before() {
    let folder = folder();
    let [_, _, fox] = models();
    let manifest = br#"{"name": "more", "dependencies": ["base>=1"]}"#;
    let entries: [(&str, &[u8]); 5] = [
        ("mod.json", manifest),
        ("art/animation/walk.dae.cached.psa", &fox),
        ("art/textures/skins/no.png.cached.dds", b""),
        ("art/actors/hat.xml", b"<actor/>"),
        ("art/meshes/old.DELETED", b""),
    ];
    for archive in [stored(&entries), deflated(&entries)] {
        folder.put("more.zip", archive);
        for options in ["", " --no-map"] {
            let ran = folder.says(1, &format!("mod base more.zip --format jsonl{options}"));
            assert!(of_state(&ran, "missing").is_empty());
            assert_eq!(of_state(&ran, "misfit"), owned(&[["dog.xml", "animation", "walk", "art/animation/walk.dae"]]));
            let row = ran.lines().into_iter().find(|row| row["state"] == "misfit").expect("a row");
            assert_eq!((&row["mesh"], &row["mesh_bones"]), (&"art/meshes/dog.dae".into(), &3.into()));
            assert_eq!(row["entry"], "art/animation/walk.dae.cached.psa");
            assert!(of_state(&ran, "unused").iter().all(|row| !row[3].contains("cat.pmd")), "it is deleted");
        }
        // In the other order, the animation of the base is the one, and a dependency is not there.
        let ran = folder.says(1, "mod more.zip base --format jsonl");
        assert!(of_state(&ran, "misfit").is_empty());
        assert_eq!(of_state(&ran, "missing"), owned(&[["", "mod", "", "base>=1"]]));
    }
}

#[test]
fn the_exit_status_says_whether_something_is_broken() {
    let folder = Folder::new();
    let [mesh, walk, _] = models();
    folder.put("art/meshes/dog.pmd", mesh);
    folder.put("art/animation/walk.psa", walk);
    folder.put("art/actors/dog.xml", actor("dog.dae", &animations(&[("walk", "walk.dae")])));
    let ran = folder.says(0, "mod .");
    assert!(
        ran.complaints.contains("1 actor; 1 pair of 1 mesh and 1 animation, 0 of these pairs incompatible"),
        "{}",
        ran.complaints
    );
    folder.put("mesh/art/meshes/dog.pmd", models()[0].clone());
    folder.put("mesh/art/actors/dog.xml", actor("dog.dae", ""));
    let ran = folder.says(0, "mod mesh");
    assert!(ran.complaints.contains("1 actor; no mesh with an animation; 0 files missing"), "{}", ran.complaints);
    std::fs::remove_dir_all(folder.at("mesh")).expect("removed");
    assert!(folder.says(0, "mod . --broken --format csv").text().lines().count() == 1);
    folder.put("art/actors/bad.xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><actor>&b;</actor>");
    let ran = folder.says(1, "mod . --broken --format jsonl");
    assert_eq!(of_state(&ran, "unreadable"), owned(&[["bad.xml", "actor", "", "art/actors/bad.xml"]]));
    assert!(folder.says(0, "mod . --actor dog --format jsonl").lines().iter().all(|row| row["actor"] == "dog.xml"));
    folder.says(3, "mod nowhere");
    folder.says(3, "mod art");
    folder.says(2, "mod");
}

/// Five thousand variants, each of which takes on the next, an actor that takes on all of them, and one that takes on ten.
#[test]
fn an_actor_of_too_many_files_is_named_and_the_others_are_read() {
    let folder = Folder::new();
    for index in 0..5_000 {
        folder.put(format!("art/variants/{index}.xml"), format!("<variant file='{}.xml'/>", index + 1));
    }
    let variant = |file: u32| format!("<actor><group><variant file='{file}.xml'/></group></actor>");
    folder.put("art/actors/long.xml", variant(0));
    folder.put("art/actors/short.xml", variant(4_990));
    let ran = folder.says(1, "mod . --broken --format jsonl");
    assert_eq!(of_state(&ran, "unreadable"), owned(&[["long.xml", "actor", "", "art/actors/long.xml"]]));
    assert_eq!(of_state(&ran, "missing"), owned(&[["short.xml", "variant", "", "art/variants/5000.xml"]]));
}

/// The archive of release 26 (`public.zip`) is found through `SKELMAP_0AD`. The numbers are those of a reader in Python.
#[cfg(unix)]
#[test]
fn in_release_26_four_pairs_do_not_fit_and_nothing_else_is_broken() {
    let Some(path) = env::var_os("SKELMAP_0AD") else {
        println!("skipped: SKELMAP_0AD is not set");
        return;
    };
    // 256 MiB of memory of its own; maps of files do not count.
    let limit = if cfg!(target_os = "linux") { "ulimit -d 262144; " } else { "" };
    let script = format!("{limit}exec \"$0\" mod \"$1\" --format jsonl");
    let mut command = Command::new("sh");
    let ran = Ran::of(command.args(["-c", &script, env!("CARGO_BIN_EXE_skelmap")]).arg(path));
    assert_eq!(ran.status, 1, "{}", ran.complaints);
    let rows = ran.lines();
    let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let mut broken = BTreeSet::new();
    for row in rows.iter().filter(|row| !["fine", "unused"].contains(&text(row, "state").as_str())) {
        assert_eq!(row["state"], "misfit", "{row}");
        let bones = [&row["bones"], &row["mesh_bones"]].map(|bones| bones.as_u64().expect("a number"));
        broken.insert((text(row, "file"), text(row, "mesh"), bones));
    }
    let (death, sling) = ("quadraped/pony_death", "mechanical/weap_sling_attack");
    let expected = [
        (sling, "props/weap_sling_a", [7, 0]),
        (death, "props/horse/pony_hair_mane_01", [30, 49]),
        (death, "props/horse/pony_hair_tail_01", [30, 49]),
        (death, "skeletal/pony", [30, 49]),
    ];
    let expected = expected.map(|(animation, mesh, bones)| {
        (format!("art/animation/{animation}.dae"), format!("art/meshes/{mesh}.dae"), bones)
    });
    assert_eq!(broken, BTreeSet::from(expected));
    assert_eq!(pairs(&rows), [5_339, 237, 1_004]);
    let unused = |kind| rows.iter().filter(|row| row["state"] == "unused" && row["kind"] == kind).count();
    assert_eq!([unused("mesh"), unused("animation")], [270, 191]);
    let said = "5232 actors; 5339 pairs of 237 meshes and 1004 animations, 4 of these pairs incompatible; 0 files missing, 0 unreadable";
    assert!(ran.complaints.contains(said), "{}", ran.complaints);
}

/// The pairs of a mesh and an animation of one actor, the meshes and the animations in them.
#[cfg(unix)]
fn pairs(rows: &[Value]) -> [usize; 3] {
    let mut actors: BTreeMap<&str, [BTreeSet<&str>; 2]> = BTreeMap::new();
    for row in rows {
        let (Some(actor), Some(file)) = (row["actor"].as_str(), row["file"].as_str()) else { continue };
        let sets = actors.entry(actor).or_default();
        match row["kind"].as_str() {
            Some("mesh") => sets[0].insert(file),
            Some("animation") => sets[1].insert(file),
            _ => false,
        };
    }
    let all: BTreeSet<(&str, &str)> = actors
        .values()
        .flat_map(|[meshes, animations]| meshes.iter().flat_map(|mesh| animations.iter().map(|one| (*mesh, *one))))
        .collect();
    let (meshes, animations): (BTreeSet<_>, BTreeSet<_>) = all.iter().copied().unzip();
    [all.len(), meshes.len(), animations.len()]
}

/// A skeleton of three bones.
fn skeleton(id: &str, bones: &str) -> String {
    format!("<skeletons><standard_skeleton id='{id}' title='The {id}'>{bones}</standard_skeleton></skeletons>")
}

/// Bone, name, parent, name of the parent, skeleton, whether that is decided.
fn bones(ran: &Ran) -> Vec<String> {
    let keys = ["bone", "bone_name", "parent", "parent_name", "skeleton", "decided"];
    let line = |row: Value| keys.map(|key| row[key].to_string().replace('"', "")).join(" ");
    ran.lines().into_iter().map(line).collect()
}

#[test]
fn names_of_bones_come_from_the_skeleton_of_their_number_or_from_one_of_these() {
    let folder = folder();
    let chain = |names: [&str; 3]| {
        let [one, two, three] = names;
        format!("<bone name='{one}'><bone name='{two}'><bone name='{three}'/></bone></bone>")
    };
    let line = "mod base --bones dog.dae --format jsonl";
    assert!(folder.says(1, line).complaints.contains("no standard skeleton has 3 bones"));
    folder.put("base/art/skeletons/dog.xml", skeleton("dog", &chain(["hip", "leg", "foot"])));
    folder.put("base/art/skeletons/two.xml", skeleton("two", "<bone name='a'/><bone name='b'/>"));
    let dog =
        |decided| ["0 hip null null dog", "1 leg 0 hip dog", "2 foot 1 leg dog"].map(|row| format!("{row} {decided}"));
    let ran = folder.says(0, line);
    assert_eq!(bones(&ran), dog(true));
    assert!(ran.complaints.contains("dog, the only skeleton of 3 bones"), "{}", ran.complaints);
    // The same parents: lengths tell nothing.
    folder.put("base/art/skeletons/ship.xml", skeleton("ship", &chain(["keel", "mast", "top"])));
    let ran = folder.says(0, line);
    assert_eq!(bones(&ran)[..3], dog(false));
    assert_eq!(bones(&ran)[5], "2 top 1 mast ship false");
    assert!(ran.complaints.contains("one of these"), "{}", ran.complaints);
    for name in ["dog", "The dog"] {
        let words = ["mod", "base", "--bones", "art/meshes/dog.dae", "--format", "jsonl", "--skeleton", name];
        assert_eq!(bones(&folder.ends(0, &words)), dog(true));
    }
    folder.says(2, &format!("{line} --skeleton two"));
    folder.says(2, "mod base --skeleton dog");
    folder.says(3, "mod base --bones no.dae");
    folder.put("base/art/skeletons/bad.xml", "<skeletons>");
    let bad = ["", "skeleton", "", "art/skeletons/bad.xml"];
    assert_eq!(of_state(&folder.says(1, "mod base --format jsonl"), "unreadable"), owned(&[bad]));
}

/// Bones at (1, 0, 0), (1, 4, 0) and (1, 4, 3): the box of the skeleton has the diagonal 5. In the animation, the last bone is `chain` away from the
/// second and `star` away from the first.
fn stretched(chain: f64, star: f64) -> [Vec<u8>; 2] {
    let y = (star * star - chain * chain + 16.0) / 8.0;
    let z = (star * star - y * y).sqrt();
    let at = |y: f64, z: f64| State::new([1.0, y as f32, z as f32], [0.0, 0.0, 0.0, 1.0]);
    let mut mesh = Pmd::grid(2, 2, 3, 1);
    mesh.bind = vec![at(0.0, 0.0), at(4.0, 0.0), at(4.0, 3.0)];
    let animation = Psa::new(3, 1, vec![at(0.0, 0.0), at(4.0, 0.0), at(y, z)]);
    [mesh.build().bytes, animation.build().bytes]
}

/// The mean change of a chain is 0.005 or 0.010 of the size, that of a star 0.015: three times as much decides, 1.5 times does not.
#[test]
fn a_skeleton_is_decided_if_the_next_one_changes_twice_as_much() {
    let folder = folder();
    folder.put(
        "base/art/skeletons/chain.xml",
        skeleton("chain", "<bone name='a'><bone name='b'><bone name='c'/></bone></bone>"),
    );
    folder
        .put("base/art/skeletons/star.xml", skeleton("star", "<bone name='a'><bone name='b'/><bone name='c'/></bone>"));
    for (chain, decided) in [(3.05, 3), (3.1, 0)] {
        let [mesh, animation] = stretched(chain, 5.15);
        folder.put("base/art/meshes/dog.dae.cached.pmd", mesh);
        folder.put("base/art/animation/walk.dae.cached.psa", animation);
        let rows = bones(&folder.says(0, "mod base --bones dog.dae --format jsonl"));
        let is_decided = |row: &&String| row.ends_with("chain true");
        assert_eq!(rows.iter().filter(is_decided).count(), decided, "{rows:?}");
    }
}

/// What `art/skeletons/horse.xml` says of bone 27; and a ram of eight bones, whose wheels any skeleton explains.
#[test]
fn in_release_26_lengths_decide_for_the_horse_and_not_for_a_ram() {
    let Some(path) = env::var_os("SKELMAP_0AD") else {
        println!("skipped: SKELMAP_0AD is not set");
        return;
    };
    let run = |mesh: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skelmap"));
        let ran = Ran::of(command.arg("mod").arg(&path).args(["--bones", mesh, "--format", "jsonl"]));
        assert_eq!(ran.status, 0, "{}", ran.complaints);
        ran
    };
    let horse = bones(&run("skeletal/horse.dae"));
    assert_eq!((horse.len(), horse[27].as_str()), (49, "27 l_leg 26 l_thigh Horse true"));
    let ram = run("structural/rome_ram.dae");
    assert_eq!(ram.lines().len(), 5 * 8, "five skeletons");
    assert!(ram.lines().iter().all(|row| row["decided"] == false));
}

#[test]
fn lines_of_a_mod_answer_questions_and_are_chosen_by_name() {
    let folder = folder();
    let files = |arguments: &[&str]| -> Vec<String> {
        let rows = folder.ends(1, &[&["mod", "base", "--format", "jsonl"], arguments].concat()).lines();
        rows.iter().map(|row| row["file"].as_str().expect("a file").to_owned()).collect()
    };
    let all = files(&[]);
    let textures: Vec<_> = all.iter().filter(|file| file.starts_with("art/textures/")).cloned().collect();
    assert_eq!(textures.len(), 2, "{all:?}");
    assert_eq!(files(&["--glob", "*.png"]), textures);
    assert_eq!(files(&["--glob", "*.PNG", "-i"]), textures);
    assert_eq!(files(&["--glob", "!*.png"]).len(), all.len() - 2);
    assert_eq!(files(&["--where", "kind == 'texture' && state == 'missing'"]), ["art/textures/skins/no.png"]);
    let mut sorted = all.clone();
    sorted.sort();
    assert_eq!(files(&["--sort", "file"]), sorted);
    assert_eq!(files(&["--sort", "file", "--limit", "1"]), sorted[..1]);
    assert_eq!(folder.says(1, "mod base --columns file --format csv").text().lines().next(), Some("file"));
    let bones = folder.says(2, "mod base --bones dog.dae --glob x");
    assert!(bones.complaints.contains("cannot be used with"), "{}", bones.complaints);
}
