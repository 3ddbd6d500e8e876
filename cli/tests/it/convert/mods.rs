//! `convert` of mods of 0 A.D.: actors and skeletons say what a mesh wears, how it moves, and what its bones are called.

use std::fs;

use super::{complaint, convert, glb};
use crate::run::{Folder, deflated, native, stored};
use test_support::glb::File;
use test_support::pyrogenesis::build::{Pmd, Prop, Psa, State};

/// Bones at (1, 0, 0), (1, 4, 0) and (1, 4, 3).
fn bind() -> Vec<State> {
    [[1.0, 0.0, 0.0], [1.0, 4.0, 0.0], [1.0, 4.0, 3.0]].map(|place| State::new(place, [0.0, 0.0, 0.0, 1.0])).to_vec()
}

fn mesh() -> Vec<u8> {
    let mut mesh = Pmd::grid(2, 2, 3, 1);
    mesh.bind = bind();
    mesh.build().bytes
}

/// A PNG of one pixel whose colours nobody reads.
fn png() -> Vec<u8> {
    let chunk = |kind: &[u8], body: &[u8]| [&(body.len() as u32).to_be_bytes(), kind, body, &[0; 4]].concat();
    let header = [1_u32.to_be_bytes(), 1_u32.to_be_bytes()].concat();
    let header = [header.as_slice(), &[8, 0, 0, 0, 0]].concat();
    let all = [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(b"IHDR", &header), chunk(b"IDAT", &[0; 12]), chunk(b"IEND", &[])];
    all.concat()
}

const CHAIN: &str =
    "<skeletons><standard_skeleton id='chain'><bone name='hip'><bone name='leg'><bone name='foot'/></bone></bone>
    </standard_skeleton></skeletons>";

/// Two actors of three meshes. The cat has a texture of its own variant; the cow has none, and the first actor's first is that of the dog.
const ACTOR: &str = "<actor version='1'><group>
    <variant><mesh>dog.dae</mesh><textures><texture name='normTex' file='bumps.png'/><texture name='baseTex' file='dog.png'/></textures>
        <animations><animation name='Walk' file='walk.dae'/><animation name='attack' file='bite.psa'/>
        <animation name='attack' file='scratch.psa'/><animation name='Idle' file='stand.dae'/></animations></variant>
    <variant><mesh>cat.dae</mesh><textures><texture name='baseTex' file='cat.png'/></textures></variant>
    <variant><mesh>cow.dae</mesh></variant></group></actor>";
const LATER: &str = "<actor version='1'><group><variant><mesh>dog.dae</mesh><textures><texture name='baseTex' file='cow.png'/></textures>
    </variant></group></actor>";

/// The files of a mod, below its folder.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let animation = Psa::new(3, 1, bind()).build().bytes;
    let mut files: Vec<(&str, Vec<u8>)> = vec![
        ("art/actors/a.xml", ACTOR.into()),
        ("art/actors/b.xml", LATER.into()),
        ("art/skeletons/s.xml", CHAIN.into()),
    ];
    for name in ["art/meshes/dog.dae.cached.pmd", "art/meshes/cat.pmd", "art/meshes/cow.pmd"] {
        files.push((name, mesh()));
    }
    for name in ["walk.dae.cached.psa", "bite.psa", "scratch.psa", "stand.dae.cached.psa"] {
        files.push((Box::leak(format!("art/animation/{name}").into_boxed_str()), animation.clone()));
    }
    for name in ["bumps", "dog", "cat", "cow"] {
        files.push((Box::leak(format!("art/textures/skins/{name}.png").into_boxed_str()), png()));
    }
    files
}

/// The names of the clips, of the joints with their parents, and of the images.
fn told(file: &File) -> [Vec<String>; 3] {
    let document = file.document();
    let joints: Vec<_> = document.skins().next().expect("a skin").joints().collect();
    let name = |node: &gltf::Node<'_>| node.name().unwrap_or_default().to_owned();
    let parent = |child: &gltf::Node<'_>| {
        joints.iter().find(|node| node.children().any(|own| own.index() == child.index())).map(name)
    };
    let bones = joints.iter().map(|node| format!("{} < {}", name(node), parent(node).unwrap_or_default())).collect();
    let images = document.images().map(|image| image.name().unwrap_or_default().to_owned()).collect();
    [super::clips(file), bones, images]
}

#[test]
fn a_mesh_of_a_mod_comes_out_dressed_moving_and_named() {
    let folder = Folder::new();
    for (name, bytes) in files() {
        folder.put(format!("base/{name}"), bytes);
    }
    folder.put("mod.zip", stored(&files().iter().map(|(name, bytes)| (*name, &bytes[..])).collect::<Vec<_>>()));
    for input in ["base", "mod.zip"] {
        let output = convert(&folder.at(""), &[input, "-o", &format!("out-{input}")]);
        assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
        let read = |name: &str| told(&glb(&folder.at(format!("out-{input}/art/meshes")).join(name)));
        // What a unit stands in comes first; then the order of the actor.
        let clips = ["Idle", "Walk", "attack", "attack-2"];
        let bones = ["hip < ", "leg < hip", "foot < leg"];
        assert_eq!(
            read("dog.glb"),
            [clips.map(str::to_owned).to_vec(), bones.map(str::to_owned).to_vec(), vec!["dog".into()]]
        );
        assert_eq!(read("cat.glb")[2], ["cat"], "the texture of its own variant");
        assert_eq!(read("cow.glb")[2], ["dog"], "the first texture of the actor");
    }
}

#[test]
fn what_a_report_on_a_mod_names_is_found_by_its_name() {
    let folder = Folder::new();
    let mut all = files();
    all.push(("art/textures/skins/fur.png.cached.dds", png()));
    for (name, bytes) in &all {
        folder.put(format!("base/{name}"), bytes);
    }
    folder.put("mod.zip", stored(&all.iter().map(|(name, bytes)| (*name, &bytes[..])).collect::<Vec<_>>()));
    for (start, number) in [("base/", 1), ("mod.zip!/", 2)] {
        let [mesh, animation, skeleton, texture] =
            ["meshes/dog.dae", "animation/walk.dae", "skeletons/s.xml", "textures/skins/fur.png"]
                .map(|name| format!("{start}art/{name}"));
        let out = format!("{number}.glb");
        let line = [&mesh, "--anim", &animation, "--skeleton", &skeleton, "--texture", &texture, "-o", &out];
        let output = convert(&folder.at(""), &line);
        assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
        let [clips, bones, images] = told(&glb(&folder.at(out)));
        assert_eq!((clips, bones[0].as_str(), images), (vec!["Walk".to_owned()], "hip < ", vec!["fur".to_owned()]));
    }
    let missing = ["base/art/meshes/dog.dae", "--texture", "base/art/textures/skins/no.png", "-o", "3.glb"];
    assert_eq!(convert(&folder.at(""), &missing).status.code(), Some(3));
}

/// A horse with a rider at its second bone, who has a hat and wants a horse. The name of a variant, the frequency, and the order of groups decide.
const RIDDEN: &str = "<actor version='1'>
    <group><variant name='rare' frequency='0'><mesh>cat.dae</mesh></variant>
        <variant name='usual' frequency='1' file='horse.xml'/><variant name='Festive' frequency='0' file='horse.xml'>
        <textures><texture name='baseTex' file='cow.png'/></textures></variant></group>
    <group><variant><props><prop actor='rider.xml' attachpoint='saddle'/><prop actor='' attachpoint='head'/>
        <prop actor='hat.xml' attachpoint='projectile'/></props></variant></group></actor>";
const HORSE: &str = "<variant><mesh>horse.dae</mesh><textures><texture name='baseTex' file='dog.png'/></textures>
    <animations><animation name='walk' file='walk.dae'/><animation name='idle' file='stand.dae'/></animations>
    <props><prop actor='hat.xml' attachpoint='head'/></props></variant>";
const RIDER: &str = "<actor version='1'><group><variant><mesh>dog.dae</mesh><textures><texture name='baseTex' file='cat.png'/></textures>
    <animations><animation name='Walk' file='walk.dae'/></animations>
    <props><prop actor='hat.xml' attachpoint='head'/><prop actor='ridden.xml' attachpoint='head'/></props></variant></group></actor>";
const HAT: &str = "<actor version='1'><group><variant><mesh>hat.dae</mesh></variant></group></actor>";

/// A node, and its place in the model.
fn place(file: &File, name: &str) -> [f32; 3] {
    fn find(node: &gltf::Node<'_>, name: &str, above: [f32; 3]) -> Option<[f32; 3]> {
        let own = node.transform().decomposed().0;
        let place = [0, 1, 2].map(|axis| above[axis] + own[axis]);
        let here = (node.name() == Some(name)).then_some(place);
        here.or_else(|| node.children().find_map(|child| find(&child, name, place)))
    }
    let scene = file.document().default_scene().expect("a scene");
    scene.nodes().find_map(|node| find(&node, name, [0.0; 3])).unwrap_or_else(|| panic!("no node {name}"))
}

#[test]
fn an_actor_is_one_file_with_what_its_variants_put_on_its_prop_points() {
    let folder = Folder::new();
    for (name, bytes) in files() {
        folder.put(format!("base/{name}"), bytes);
    }
    let point = |name: &str, place, bone| Prop::new(name, State::new(place, [0.0, 0.0, 0.0, 1.0]), bone);
    let mut horse = Pmd::grid(2, 2, 3, 1);
    (horse.bind, horse.props) = (bind(), vec![point("saddle", [0.0, 2.0, 0.0], 1), point("head", [0.0; 3], 2)]);
    for name in ["horse", "cat"] {
        folder.put(format!("base/art/meshes/{name}.pmd"), horse.clone().build().bytes);
    }
    let mut hat = Pmd::grid(2, 2, 0, 1);
    (hat.bind, hat.props) = (Vec::new(), Vec::new());
    folder.put("base/art/meshes/hat.pmd", hat.build().bytes);
    let mut rider = Pmd::grid(2, 2, 3, 1);
    (rider.bind, rider.props) = (bind(), vec![point("head", [0.0; 3], 1)]);
    folder.put("base/art/meshes/dog.pmd", rider.build().bytes);
    folder.remove("base/art/meshes/dog.dae.cached.pmd");
    for (name, text) in
        [("actors/ridden", RIDDEN), ("actors/rider", RIDER), ("actors/hat", HAT), ("variants/horse", HORSE)]
    {
        folder.put(format!("base/art/{name}.xml"), text);
    }
    let run = |line: &[&str]| {
        let output = convert(&folder.at(""), &[&["base", "--actor"], line].concat());
        assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
        output
    };
    run(&["ridden", "-o", "out"]);
    let file = glb(&folder.at("out/art/actors/ridden.glb"));
    // The horse, the rider with a hat, and again, until props are too deep: eight levels.
    assert_eq!(file.document().skins().count(), 9);
    let images: Vec<_> = file.document().images().filter_map(|own| own.name()).take(3).collect();
    assert_eq!(images, ["dog", "cat"], "of the taken variant, and of the rider");
    assert_eq!(super::clips(&file), ["idle", "walk"]);
    let walk = file.document().animations().nth(1).expect("walk");
    let moved: std::collections::BTreeSet<_> = walk.channels().map(|own| own.target().node().index()).collect();
    let joints: Vec<_> =
        file.document().skins().take(2).map(|own| own.joints().next().expect("a hip").index()).collect();
    assert!(joints.iter().all(|joint| moved.contains(joint)), "the rider's clip plays with the horse's");
    // The second bone, and two units above it; z is turned for glTF.
    assert_eq!(place(&file, "prop-saddle"), [1.0, 6.0, 0.0].map(|value| value));
    let rows = run(&["ridden", "-o", "dressed", "--variant", "festive", "--format", "jsonl"]);
    assert_eq!(told(&glb(&folder.at("dressed/art/actors/ridden.glb")))[2][0], "cow");
    let notes = super::rows(&rows)[0]["notes"].to_string();
    assert!(notes.contains("too many props"), "{notes}");
    let rare = run(&["actors/rid*", "-o", "rare", "--variant", "rare", "--format", "jsonl"]);
    let names: Vec<_> = super::rows(&rare).iter().map(|row| row["path"].to_string()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert_eq!(told(&glb(&folder.at("rare/art/actors/ridden.glb")))[2][0], "cat", "the rider of a cat");
    let line = ["base", "--actor", "nobody", "-o", "none"];
    assert_eq!(convert(&folder.at(""), &line).status.code(), Some(2));
    let two = convert(&folder.at(""), &["base", "--actor", "hat", "--actor", "nobody", "-o", "two"]);
    assert_eq!((two.status.code(), complaint(&two).contains("no actor is called nobody")), (Some(1), true));
    assert!(folder.at("two/art/actors/hat.glb").exists());
    // All have a file, and a second run keeps them.
    let all = ["base", "--actors", "-o", "all", "--resume"];
    let first = convert(&folder.at(""), &all);
    assert_eq!((first.status.code(), super::files(&folder.at("all")).len()), (Some(0), 6), "{}", complaint(&first));
    assert!(complaint(&convert(&folder.at(""), &all)).contains("5 kept"));
    // The same props in another tree: the hat is the horse's now.
    let tree = |text: &str| {
        folder.put("base/art/actors/tree.xml", text);
        complaint(&convert(&folder.at(""), &["base", "--actor", "tree", "-o", "tree", "--resume"]))
    };
    let prop = |actor: &str, point: &str| format!("<prop actor='{actor}.xml' attachpoint='{point}'/>");
    let model = |mesh: &str, props: &str| {
        format!("<actor><group><variant><mesh>{mesh}.dae</mesh><props>{props}</props></variant></group></actor>")
    };
    folder.put("base/art/actors/worn.xml", model("dog", &prop("hat", "head")));
    folder.put("base/art/actors/bare.xml", model("dog", ""));
    assert!(tree(&model("horse", &prop("worn", "saddle"))).contains("1 file written"));
    assert!(tree(&model("horse", &(prop("hat", "head") + &prop("bare", "saddle")))).contains("1 file written"));
    for name in ["tree", "worn", "bare"] {
        fs::remove_file(folder.at(format!("base/art/actors/{name}.xml"))).expect("removed");
    }
    folder.put("base/art/actors/hat.xml", HAT.replace("hat.dae", "cow.dae"));
    let again = complaint(&convert(&folder.at(""), &all));
    assert!(again.contains("2 kept"), "{again}");
}

#[test]
fn a_dry_run_writes_nothing_and_tells_what_belongs_to_what_and_why() {
    let folder = Folder::new();
    for (name, bytes) in files() {
        folder.put(format!("base/{name}"), bytes);
    }
    let line = ["base", "-o", "out", "--dry-run", "--format", "jsonl"];
    let output = convert(&folder.at(""), &line);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    assert!(!folder.at("out").exists());
    let rows = super::rows(&output);
    assert_eq!(rows.len(), 3);
    let dog = rows.iter().find(|row| row["output"] == native("out/art/meshes/dog.glb")).expect("a row");
    let inputs = mesh().len() + 4 * Psa::new(3, 1, bind()).build().bytes.len();
    assert_eq!((&dog["status"], &dog["bytes"], &dog["animations"]), (&"planned".into(), &inputs.into(), &4.into()));
    assert_eq!(dog["notes"][0], "Idle: stand.dae.cached.psa (actor)");
    assert!(complaint(&output).contains("3 files to write, from "), "{}", complaint(&output));
}

/// As in the game: props take the variants that were chosen for the model around, but not that of a group of one; a prop without an actor takes
/// away another; nothing is at a point that the mesh does not have; each action is an animation.
#[test]
fn props_follow_their_models() {
    let folder = Folder::new();
    for (name, bytes) in files() {
        folder.put(format!("base/{name}"), bytes);
    }
    let point = |name: &str| Prop::new(name, State::new([0.0; 3], [0.0, 0.0, 0.0, 1.0]), 1);
    let mut horse = Pmd::grid(2, 2, 3, 1);
    (horse.bind, horse.props) = (bind(), vec![point("head"), point("back")]);
    folder.put("base/art/meshes/horse.pmd", horse.build().bytes);
    let actor = |text: &str| format!("<actor version='1'><material>trans.xml</material>{text}</actor>");
    let mesh = |group: &str, name: &str| {
        format!(
            "<variant name='{name}' frequency='{}'><mesh>{name}.dae</mesh>{group}</variant>",
            i32::from(name == "dog")
        )
    };
    let animations =
        "<animations><animation name='idle' file='walk.dae'/><animation name='attack' file='walk.dae'/></animations>";
    let props = "<props><prop actor='pet.xml' attachpoint='head'/><prop actor='pet.xml' attachpoint='back'/>
        <prop actor='pet.xml' attachpoint='hoof'/></props>";
    let away = "<group><variant name='cow'><props><prop actor='' attachpoint='back'/></props></variant></group>";
    let chosen = "<group><variant name='rare' frequency='0'/><variant name='cat' frequency='2'/></group>";
    let horse = format!("<group><variant><mesh>horse.dae</mesh>{animations}{props}</variant></group>{chosen}{away}");
    folder.put("base/art/actors/horse.xml", actor(&horse));
    let pet = format!("<group>{}{}{}</group>", mesh("", "dog"), mesh("", "cow"), mesh("", "cat"));
    folder.put("base/art/actors/pet.xml", actor(&pet));
    folder.put("base/art/materials/trans.xml", "<material><alpha_blending/></material>");
    let skin = "<textures><texture name='baseTex' file='dog.png'/></textures>";
    folder.put("base/art/actors/skin.xml", actor(&format!("<group>{}</group>", mesh(skin, "sheep"))));
    folder.put("base/art/meshes/sheep.pmd", self::mesh());
    let ran = convert(&folder.at(""), &["base", "--actor", "horse", "-o", "out", "--format", "jsonl"]);
    assert_eq!(ran.status.code(), Some(0), "{}", complaint(&ran));
    let file = glb(&folder.at("out/art/actors/horse.glb"));
    let names: Vec<_> = file.document().nodes().filter(|own| own.mesh().is_some()).map(|own| own.name()).collect();
    assert_eq!(names, [Some("horse"), Some("cat")], "the cat at the head alone");
    assert_eq!(super::clips(&file), ["idle", "attack"]);
    let rows = super::rows(&ran);
    assert_eq!(rows[0]["animations"], 2);
    assert_eq!(
        rows[0]["notes"].as_array().expect("notes").last().expect("a note"),
        "cat is left out: horse has no prop point hoof"
    );
    let masked = |path: &str| {
        let file = glb(&folder.at(path));
        file.document().materials().all(|own| own.alpha_mode() == gltf::material::AlphaMode::Mask)
    };
    assert!(masked("out/art/actors/horse.glb"));
    assert_eq!(convert(&folder.at(""), &["base/art/meshes/sheep.pmd", "-o", "sheep.glb"]).status.code(), Some(0));
    assert!(masked("sheep.glb"));
    let ran = convert(&folder.at(""), &["base", "--actor", "horse", "--variant", "cov", "-o", "two"]);
    assert!(complaint(&ran).contains("no actor has a variant cov"), "{}", complaint(&ran));
    let ran = convert(&folder.at(""), &["base", "--actor", "horse", "--sequence", "Attack", "-o", "one"]);
    assert_eq!(ran.status.code(), Some(0), "{}", complaint(&ran));
    assert_eq!(super::clips(&glb(&folder.at("one/art/actors/horse.glb"))), ["attack"]);
}

/// A hat on a head, and a feather at the `root` of the hat, which has neither bones nor such a point.
#[test]
fn a_prop_at_the_root_of_a_prop_without_bones_is_where_that_is() {
    let folder = Folder::new();
    let mut horse = Pmd::grid(2, 2, 3, 1);
    let head = Prop::new("head", State::new([0.0, 2.0, 0.0], [0.0, 0.0, 0.0, 1.0]), 1);
    (horse.bind, horse.props) = (bind(), vec![head]);
    let mut hat = Pmd::grid(2, 2, 0, 1);
    (hat.bind, hat.props) = (Vec::new(), Vec::new());
    for (name, mesh) in [("horse", horse), ("hat", hat.clone()), ("feather", hat)] {
        folder.put(format!("base/art/meshes/{name}.pmd"), mesh.build().bytes);
    }
    for (name, prop) in [("horse", "hat' attachpoint='head"), ("hat", "feather' attachpoint='root"), ("feather", "")] {
        let prop = prop.replacen('\'', ".xml'", 1);
        let text = format!(
            "<actor version='1'><group><variant><mesh>{name}.dae</mesh><props><prop actor='{prop}'/></props></variant></group></actor>"
        );
        folder.put(format!("base/art/actors/{name}.xml"), text);
    }
    let ran = convert(&folder.at(""), &["base", "--actor", "horse", "-o", "out"]);
    assert_eq!(ran.status.code(), Some(0), "{}", complaint(&ran));
    let file = glb(&folder.at("out/art/actors/horse.glb"));
    let point = file.document().nodes().find(|node| node.name() == Some("prop-head")).expect("a head");
    assert_eq!(
        point.children().filter_map(|node| node.name().map(str::to_owned)).collect::<Vec<_>>(),
        ["hat", "feather"]
    );
}

/// A small archive in which an actor plays a large animation on 300 meshes: 17 GB would be read for an archive of some kilobytes.
#[test]
fn an_archive_that_asks_for_far_more_than_it_has_is_refused() {
    let folder = Folder::new();
    let large = Psa::new(3, 700_000, vec![State::REST; 2_100_000]).build().bytes;
    let mut variants = String::new();
    let mut all: Vec<(String, Vec<u8>)> = vec![("art/animation/walk.psa".to_owned(), large)];
    for index in 0..300 {
        variants.extend(["<variant><mesh>", &index.to_string(), ".dae</mesh></variant>"]);
        all.push((format!("art/meshes/{index}.pmd"), mesh()));
    }
    let walk = "<variant><animations><animation name='walk' file='walk.psa'/></animations></variant>";
    let actor = format!("<actor version='1'><group>{variants}</group><group>{walk}</group></actor>");
    all.push(("art/actors/a.xml".to_owned(), actor.into_bytes()));
    // Ten props of 59 MB each, at one point; and one of them ten times.
    let actor = |mesh: usize, more: &str| {
        format!("<actor version='1'><group><variant><mesh>{mesh}.dae</mesh>{more}</variant></group>")
    };
    let prop = |number: usize| format!("<prop actor='one{number}.xml' attachpoint='root'/>");
    let props = |all: String| actor(99, &format!("<props>{all}</props>")) + "</actor>";
    for number in 0..10 {
        let walk = walk.replace("walk.psa", &format!("walk{number}.psa"));
        let text = actor(number, "") + &format!("<group>{walk}</group></actor>");
        all.push((format!("art/actors/one{number}.xml"), text.into_bytes()));
    }
    for (name, text) in [("same", props(prop(0).repeat(10))), ("ten", props((0..10).map(prop).collect()))] {
        all.push((format!("art/actors/{name}.xml"), text.into_bytes()));
    }
    let more: Vec<_> = (0..10).map(|number| format!("art/animation/walk{number}.psa")).collect();
    let entries: Vec<_> = all.iter().map(|(name, bytes)| (name.as_str(), &bytes[..])).collect();
    let large = entries[0].1;
    folder.put("more.zip", deflated(&more.iter().map(|name| (name.as_str(), large)).collect::<Vec<_>>()));
    let archive = folder.put("mod.zip", deflated(&entries));
    assert!(archive.metadata().expect("written").len() < 1 << 20);
    let output = convert(&folder.at(""), &["mod.zip", "-o", "out"]);
    assert_eq!(output.status.code(), Some(2), "{}", complaint(&output));
    assert!(complaint(&output).contains("the outputs would be made of 16."), "{}", complaint(&output));
    assert!(!folder.at("out").exists());
    assert_eq!(convert(&folder.at(""), &["mod.zip", "-o", "out", "--dry-run"]).status.code(), Some(0));
    let output = convert(&folder.at(""), &["mod.zip", "more.zip", "--actor", "ten", "-o", "out"]);
    assert!(complaint(&output).contains("the props of the actor have more than 512 MiB"), "{}", complaint(&output));
    assert_eq!(output.status.code(), Some(5));
    let output = convert(&folder.at(""), &["mod.zip", "more.zip", "--actor", "same", "-o", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    let file = glb(&folder.at("out/art/actors/same.glb"));
    assert_eq!(
        (file.document().skins().count(), file.document().meshes().count()),
        (11, 2),
        "what is equal is there once: the props are one file, and their wearer another"
    );
}
