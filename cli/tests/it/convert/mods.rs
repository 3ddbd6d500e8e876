//! `convert` of mods of 0 A.D.: actors and skeletons say what a mesh wears, how it moves, and what its bones are called.

use super::{complaint, convert, glb};
use crate::run::{Folder, stored};
use test_support::glb::File;
use test_support::pyrogenesis::build::{Pmd, Psa, State};

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
