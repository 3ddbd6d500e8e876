//! The XML files of mods: actors, variants and standard skeletons.

use std::fs;
use std::path::Path;

use skelmap::ParseOptions;
use skelmap::archive::Limits;
use skelmap::mapping::Opener;
use skelmap_batch::mods::{Actor, LineCounts, Mods, Part, PartKind, State, Survey, Wardrobe, lines, parse_skeletons};
use test_support::build_zip::{Built, Entry, Zip};

/// The names and parents of the bones of the first skeleton.
fn bones(text: &str) -> Vec<(String, Option<usize>)> {
    let skeletons = parse_skeletons(text.as_bytes()).expect("skeletons");
    skeletons
        .standard
        .into_iter()
        .next()
        .expect("a skeleton")
        .bones
        .into_iter()
        .map(|bone| (bone.name, bone.parent))
        .collect()
}

fn parts(parts: &[Part]) -> Vec<(PartKind, &str, &str)> {
    parts.iter().map(|part| (part.kind, part.name.as_str(), part.file.as_str())).collect()
}

#[test]
fn the_index_of_a_bone_is_its_position_in_depth_first_order() {
    let text = r#"<?xml version="1.0"?><skeletons>
        <skeleton title="other" target="biped"><bone name="x"/></skeleton>
        <standard_skeleton title="Biped" id="biped">
          <bone name="root"><bone name="leg"><bone name="foot"/></bone><!-- --><bone name="arm"/></bone><bone name="free &amp; easy"/>
        </standard_skeleton></skeletons>"#;
    let bones = bones(text);
    let bones: Vec<_> = bones.iter().map(|(name, parent)| (name.as_str(), *parent)).collect();
    let expected = [("root", None), ("leg", Some(0)), ("foot", Some(1)), ("arm", Some(0)), ("free & easy", None)];
    assert_eq!(bones, expected);
}

#[test]
fn the_bones_of_a_program_name_those_of_the_game() {
    let text = r#"<skeletons><skeleton title="A rig" target="biped"><identifier><root> Rig </root></identifier>
        <bone name="Hips"><target>root</target><bone name="Twist"/><bone name="Leg"><target>l<![CDATA[eg]]></target></bone></bone>
        </skeleton><standard_skeleton id="none"/></skeletons>"#;
    let file = parse_skeletons(text.as_bytes()).expect("skeletons");
    assert!(file.standard.is_empty());
    let [rig] = file.mapped.as_slice() else { panic!("one rig") };
    assert_eq!((rig.title.as_str(), rig.target.as_str(), rig.root.as_str()), ("A rig", "biped", "Rig"));
    let bones: Vec<_> =
        rig.bones.iter().map(|bone| (bone.name.as_str(), bone.parent, bone.target.as_deref())).collect();
    assert_eq!(bones, [("Hips", None, Some("root")), ("Twist", Some(0), None), ("Leg", Some(0), Some("leg"))]);
}

#[test]
fn forty_five_thousand_nested_bones_are_read() {
    let (start, end) = ("<bone name='a'>".repeat(45_000), "</bone>".repeat(45_000));
    let deep = format!("<standard_skeleton>{start}{end}</standard_skeleton>");
    assert!(parse_skeletons(&deep.as_bytes()[..deep.len() - 30]).is_err(), "it has no end");
    assert_eq!(bones(&deep).len(), 45_000);
    assert_eq!(bones(&deep)[44_999].1, Some(44_998));
}

#[test]
fn entities_and_document_types_are_refused() {
    let bomb = "<!DOCTYPE x [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><standard_skeleton><bone name='&b;'/></standard_skeleton>";
    assert!(parse_skeletons(bomb.as_bytes()).is_err());
    let actor = |mesh: &str| format!("<actor><group><variant><mesh>{mesh}</mesh></variant></group></actor>");
    assert!(Actor::parse(actor("&a;").as_bytes()).is_err());
    assert!(Actor::parse(format!("<!DOCTYPE actor SYSTEM 'file:///etc/passwd'>{}", actor("a")).as_bytes()).is_err());
    let parsed = Actor::parse(actor(" a&amp;b&#46;dae\n").as_bytes()).expect("an actor");
    assert_eq!(parts(&parsed.variants[0].parts), [(PartKind::Mesh, "", "art/meshes/a&b.dae")]);
}

#[test]
fn a_file_of_more_than_a_mebibyte_is_refused() {
    let long = format!("<variant>{}</variant>", " ".repeat(1 << 20));
    assert!(Actor::parse_variant(long.as_bytes()).is_err());
    assert!(Actor::parse_variant(&long.as_bytes()[..8]).is_err());
    assert!(Actor::parse_variant(b"<variant></variant>").is_ok());
}

/// The level of an element and the element around it decide, as in the game.
#[test]
fn only_parts_of_a_variant_are_read() {
    let text = r#"<qualitylevels version="1"><actor quality="low" version="1"><group><variant><mesh>low.dae</mesh></variant></group></actor>
        <actor quality="medium" file="other.xml"/><actor inline=""/><inline version="1"><mesh>outside.dae</mesh><group>
        <variant name="a" file="base.xml"><props><prop actor="helmet.xml" attachpoint="head"/><prop attachpoint="shield"/></props>
        <textures><texture file="a.png" name="baseTex"/></textures><animations><animation name="idle" speed="100"/>
        <prop actor="not.xml" attachpoint="head"/></animations></variant><variant name="b"/></group></inline></qualitylevels>"#;
    let actor = Actor::parse(text.as_bytes()).expect("an actor");
    assert_eq!(parts(&actor.levels), [(PartKind::Level, "", "art/actors/other.xml")]);
    let [low, a, b] = &actor.variants[..] else { panic!("{:?}", actor.variants) };
    assert_eq!(parts(&low.parts), [(PartKind::Mesh, "", "art/meshes/low.dae")]);
    let of_a = [
        (PartKind::Texture, "baseTex", "art/textures/skins/a.png"),
        (PartKind::Prop, "head", "art/actors/helmet.xml"),
        (PartKind::Prop, "shield", "art/actors/"),
        (PartKind::Variant, "", "art/variants/base.xml"),
    ];
    assert_eq!(parts(&a.parts), of_a, "an animation without a file is none; a prop without one takes away another");
    assert_eq!(a.parts.iter().map(Part::is_nothing).collect::<Vec<_>>(), [false, false, true, false]);
    assert!(b.parts.is_empty());
    let named = [low, a, b].map(|own| (own.name.as_str(), own.group));
    assert_eq!(named, [("", 1), ("a", 2), ("b", 2)], "inline groups are their own");
    let fault = |text: &[u8]| Actor::parse(text).expect_err("no actor").message;
    assert_eq!(fault(b"<variant/>"), "is not an actor");
    assert_eq!(Actor::parse_variant(b"<actor/>").expect_err("no variant").message, "is not a variant");
    assert!(Actor::parse(b"<actor/><actor/>").is_err());
}

/// The game sets the material and the mesh anew at each element that names one.
#[test]
fn of_several_materials_or_meshes_the_last_one_counts() {
    let text = "<actor>a<material>a.xml</material>b<material>b.xml</material>c<group><variant><mesh>a.dae</mesh><mesh>b.dae</mesh>
        <animations><texture name='walk' file='walk.psa'/></animations></variant></group></actor>";
    let actor = Actor::parse(text.as_bytes()).expect("an actor");
    assert_eq!(actor.material, "b.xml");
    let [variant] = &actor.variants[..] else { panic!("{:?}", actor.variants) };
    assert_eq!(parts(&variant.parts), [(PartKind::Mesh, "", "art/meshes/b.dae")], "a texture is no animation");
}

/// The number of files that each actor of a mod names, and the code of its fault.
fn units(root: &Path) -> Vec<(String, usize, Option<&'static str>)> {
    let mods = Mods::open(&[root.to_owned()], &Opener::reading(), &Limits::default()).expect("a mod");
    let units = Survey::of(&mods, &ParseOptions::default()).units;
    units.into_iter().map(|unit| (unit.actor, unit.parts.len(), unit.fault.map(|fault| fault.kind))).collect()
}

fn write_mod(variants: &[(&str, String)], actors: &[(String, String)]) -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a folder");
    for folder in ["art/variants", "art/actors"] {
        fs::create_dir_all(root.path().join(folder)).expect("a folder");
    }
    for (name, text) in variants {
        fs::write(root.path().join("art/variants").join(name), text).expect("a variant");
    }
    for (name, text) in actors {
        fs::write(root.path().join("art/actors").join(name), text).expect("an actor");
    }
    root
}

/// The work of a survey is the number of names that are looked at: those of a variant for each actor that takes it on. What a variant repeats
/// counts once.
#[test]
fn names_that_actors_take_on_are_counted() {
    let variant = |files: std::ops::Range<usize>, repeats: usize| {
        let names = files.map(|file| format!(r#"<animation name="a" file="{file}.psa"/>"#).repeat(repeats));
        format!("<variant><animations>{}</animations></variant>", names.collect::<String>())
    };
    let actor = |variant: &str| format!(r#"<actor><group><variant file="{variant}"/></group></actor>"#);
    let variants =
        [("few.xml", variant(0..4095, 1)), ("many.xml", variant(0..4096, 1)), ("repeated.xml", variant(0..2, 10_000))];
    let actors = variants.each_ref().map(|(name, _)| ((*name).to_owned(), actor(name)));
    let root = write_mod(&variants, &actors);
    let found = units(root.path());
    let found: Vec<_> = found.iter().map(|(name, parts, fault)| (name.as_str(), *parts, *fault)).collect();
    let expected = [
        ("art/actors/few.xml", 4096, None),
        ("art/actors/many.xml", 4096, Some("too-many-parts")),
        ("art/actors/repeated.xml", 3, None),
    ];
    assert_eq!(found, expected);

    // 1,048,576 names for all actors: 4,096 for each of the first 255, and none for the actor that reaches the limit and those after it.
    let actors: Vec<_> = (0..1500).map(|index| (format!("{index:04}.xml"), actor("few.xml"))).collect();
    let found = units(write_mod(&[("few.xml", variant(0..4095, 1))], &actors).path());
    let good = found.iter().take_while(|(_, parts, fault)| (*parts, *fault) == (4096, None)).count();
    assert_eq!(good, 255);
    assert!(found[good..].iter().all(|(_, parts, fault)| (*parts, *fault) == (0, Some("too-many-parts"))));
}

/// A text that is too long is refused, and takes nothing from what the others may have.
#[test]
fn a_text_of_more_than_a_mebibyte_leaves_the_other_actors() {
    let text = "<actor><group><variant><mesh>a.dae</mesh></variant></group></actor>".to_owned();
    let root = write_mod(&[], &[("b.xml".into(), text)]);
    let large = fs::File::create(root.path().join("art/actors/a.xml")).expect("a file");
    large.set_len(300 << 20).expect("a sparse file");
    let found = units(root.path());
    assert_eq!(found[0].1, 0);
    assert!(found[0].2.is_some_and(|kind| kind != "too-many-parts"));
    assert_eq!(found[1], ("art/actors/b.xml".to_owned(), 1, None));
}

/// A variant of 4,000 textures that many actors take on: a model has too many files if it takes on two such variants, and all have too many.
/// What is made of an actor is made once.
#[test]
fn models_of_actors_name_a_limited_number_of_files() {
    let textures: Vec<_> = (0..4000).map(|index| format!("<texture name='t{index}' file='a.png'/>")).collect();
    let textures = textures.concat();
    let variant = format!("<variant><mesh>a.dae</mesh><textures>{textures}</textures></variant>");
    let taken = "<group><variant file='many.xml'/></group>";
    let actor = |groups: &str| format!("<actor version='1'>{groups}</actor>");
    let one = (0..540).map(|index| (format!("one{index}.xml"), actor(taken)));
    let actors: Vec<_> = one.chain([("two.xml".to_owned(), actor(&taken.repeat(2)))]).collect();
    let root = write_mod(&[("many.xml", variant)], &actors);
    let mods = Mods::open(&[root.path().to_owned()], &Opener::reading(), &Limits::default()).expect("a mod");
    let mut wardrobe = Wardrobe::new(&mods, &[]);
    let mut fault = |actor: &str| wardrobe.figure(&format!("art/actors/{actor}.xml")).err().map(|fault| fault.message);
    assert_eq!(fault("two").as_deref(), Some("names more than 4,096 files"));
    let made = (0..540).take_while(|index| fault(&format!("one{index}")).is_none()).count();
    // The actor, its variant, the one that it takes on, its mesh, and its textures.
    assert_eq!(made, (1_usize << 21) / 4004);
    let last = format!("one{made}");
    assert_eq!(fault(&last).as_deref(), Some("all actors name more than 2,097,152 variants and files"));
    assert!((0..made).all(|index| fault(&format!("one{index}")).is_none()));
}

/// An actor whose mesh is there, in a mod with other actors and files.
fn write_whole_mod(variants: &[(&str, String)], actors: &[(&str, String)], files: &[&str]) -> tempfile::TempDir {
    let actors: Vec<_> = actors.iter().map(|(name, text)| ((*name).to_owned(), text.clone())).collect();
    let root = write_mod(variants, &actors);
    for file in files.iter().chain(&["art/meshes/a.pmd"]) {
        let path = root.path().join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, "").expect("written");
    }
    root
}

fn open(root: &tempfile::TempDir) -> Mods {
    Mods::open(&[root.path().to_owned()], &Opener::reading(), &Limits::default()).expect("a mod")
}

/// What the game throws is no prop before it is thrown.
#[test]
fn props_are_in_the_order_of_their_points_and_the_base_texture_is_worn() {
    let prop = |actor: &str, point: &str| format!("<prop actor='{actor}' attachpoint='{point}'/>");
    let props =
        [prop("p.xml", "b"), prop("p.xml", "a"), prop("", "c"), prop("p.xml", "projectile"), prop("no.xml", "d")];
    let textures = "<texture name='baseTex' file='a.png'/><texture name='normTex' file='b.png'/>";
    let own = actor_of(&format!("<textures>{textures}</textures><props>{}</props>", props.concat()));
    let files = ["a.png", "b.png"].map(|name| format!("art/textures/skins/{name}"));
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let root = write_whole_mod(&[], &[("own.xml", own), ("p.xml", actor_of(""))], &files);
    let mods = open(&root);
    let figure = Wardrobe::new(&mods, &[]).figure("art/actors/own.xml").expect("a figure");
    assert_eq!(figure.props.iter().map(|(point, _)| point.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(figure.texture.map(|texture| texture.name), Some("art/textures/skins/a.png"));
    assert_eq!(figure.faults, ["art/actors/no.xml: is missing"]);
}

#[test]
fn an_actor_has_1024_models_and_all_have_262144() {
    let props =
        |count| actor_of(&format!("<props>{}</props>", "<prop actor='leaf.xml' attachpoint='a'/>".repeat(count)));
    let root =
        write_whole_mod(&[], &[("all.xml", props(1023)), ("more.xml", props(1024)), ("leaf.xml", actor_of(""))], &[]);
    let mods = open(&root);
    let mut wardrobe = Wardrobe::new(&mods, &[]);
    let figure = wardrobe.figure("art/actors/all.xml").expect("a figure");
    assert_eq!((figure.props.len(), figure.faults.len()), (1023, 0));
    assert!((1..256).all(|_| wardrobe.figure("art/actors/all.xml").is_ok()));
    let fault = wardrobe.figure("art/actors/all.xml").expect_err("too many");
    assert_eq!(fault.message, "all actors have more than 262,144 models");
    let figure = Wardrobe::new(&mods, &[]).figure("art/actors/more.xml").expect("a figure");
    assert_eq!((figure.props.len(), figure.faults.len()), (1023, 1));
}

#[test]
fn an_actor_has_16384_animations_and_all_have_1048576() {
    let names: Vec<String> = (0..128).map(|index| format!("{index}.psa")).collect();
    let animations =
        names.iter().map(|name| format!("<animation name='a' file='{name}'/>")).collect::<Vec<_>>().concat();
    let animations = format!("<animations>{animations}</animations>");
    let props = "<prop actor='own.xml' attachpoint='a'/>".repeat(127);
    let all = actor_of(&format!("{animations}<props>{props}</props>"));
    let files: Vec<String> = names.iter().map(|name| format!("art/animation/{name}")).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let root = write_whole_mod(&[], &[("all.xml", all), ("own.xml", actor_of(&animations))], &files);
    let mods = open(&root);
    let mut wardrobe = Wardrobe::new(&mods, &[]);
    let figure = wardrobe.figure("art/actors/all.xml").expect("a figure");
    assert_eq!((figure.props.len(), figure.animations.len(), figure.faults.len()), (127, 128, 0));
    assert!((1..64).all(|_| wardrobe.figure("art/actors/all.xml").is_ok()));
    let fault = wardrobe.figure("art/actors/all.xml").expect_err("too many");
    assert_eq!(fault.message, "all actors have more than 1,048,576 animations");
}

/// 300 times a MiB would be more than all texts may have.
#[test]
fn a_variant_that_an_actor_takes_on_often_is_read_once() {
    let text = format!("<variant><mesh>a.dae</mesh><!--{}--></variant>", " ".repeat((1 << 20) - 48));
    let actor = format!("<actor>{}</actor>", "<group><variant file='long.xml'/></group>".repeat(300));
    let root = write_whole_mod(&[("long.xml", text)], &[("own.xml", actor)], &[]);
    let mods = open(&root);
    let figure = Wardrobe::new(&mods, &[]).figure("art/actors/own.xml").expect("a figure");
    assert_eq!((figure.mesh.is_some(), figure.faults.len()), (true, 0));
}

/// The directory states a MiB for each text: 256 of them are all that is read. None has as much as that.
#[test]
fn texts_of_a_survey_have_a_limited_size_together() {
    let entries = (0..300).map(|index| Entry::deflated(format!("art/actors/{index:03}.xml"), "<actor/>"));
    let stated = |zip, entry| Built::patch_u32(zip, &format!("central#{entry}.size"), 1 << 20);
    let root = tempfile::tempdir().expect("a folder");
    let path = root.path().join("mod.zip");
    fs::write(&path, (0..300).fold(Zip::of(entries).build(), stated).bytes).expect("written");
    let faults: Vec<_> = units(&path).into_iter().map(|(_, _, fault)| fault.expect("it cannot be read")).collect();
    assert_eq!(faults.iter().take_while(|fault| **fault != "too-many-parts").count(), 256);
    assert!(faults[256..].iter().all(|fault| *fault == "too-many-parts"));
}

#[test]
fn files_that_are_missing_or_cannot_be_read_are_counted_once() {
    let variant = "<variant file='broken.xml'><mesh>bad.dae</mesh></variant>";
    let actor = format!("<actor><group>{variant}<variant><mesh>gone.dae</mesh></variant></group></actor>");
    let actors = [("a.xml", actor.clone()), ("b.xml", actor)];
    let root = write_whole_mod(&[("broken.xml", "<variant".to_owned())], &actors, &["art/meshes/bad.pmd"]);
    let mods = open(&root);
    let survey = Survey::of(&mods, &ParseOptions::default());
    let (mut counts, mut told) = (LineCounts::default(), Vec::new());
    for line in lines(&survey).filter(|line| line.state != State::Unused) {
        counts.count(&line);
        told.push((line.state, line.file));
    }
    let of_one = [
        (State::Unreadable, "art/meshes/bad.dae".to_owned()),
        (State::Unreadable, "art/variants/broken.xml".to_owned()),
        (State::Missing, "art/meshes/gone.dae".to_owned()),
    ];
    assert_eq!(told, [of_one.clone(), of_one].concat());
    assert_eq!(counts.broken, 6);
    assert!(counts.summary(&survey).contains("; 1 file missing, 2 unreadable; "), "{}", counts.summary(&survey));
}

#[test]
fn the_later_mod_decides_between_a_source_and_what_the_game_made_of_it() {
    let (source, cached) = ("art/meshes/horse.dae", "art/meshes/horse.dae.cached.pmd");
    let found = |mods: &[&[&str]]| {
        let roots: Vec<_> = mods.iter().map(|files| write_whole_mod(&[], &[], files)).collect();
        let paths: Vec<_> = roots.iter().map(|root| root.path().to_owned()).collect();
        let mods = Mods::open(&paths, &Opener::reading(), &Limits::default()).expect("mods");
        mods.built(source, "pmd").map(|file| file.name.to_owned())
    };
    assert_eq!(found(&[&[cached], &[source]]).as_deref(), Some(source));
    assert_eq!(found(&[&[source], &[cached]]).as_deref(), Some(cached));
    assert_eq!(found(&[&[source, cached]]).as_deref(), Some(cached));
}

#[test]
fn a_mod_needs_no_folder_of_files_and_no_file_is_in_its_place() {
    let root = tempfile::tempdir().expect("a folder");
    fs::write(root.path().join("mod.json"), r#"{"name": "own"}"#).expect("written");
    let mods = open(&root);
    assert_eq!(mods.manifests()[0].name.as_deref(), Some("own"));
    assert_eq!(mods.file("mod.json").map(|file| file.size()), Some(15));
    fs::write(root.path().join("art"), "").expect("written");
    assert!(Mods::open(&[root.path().to_owned()], &Opener::reading(), &Limits::default()).is_err());
}

/// An actor with three props, each of which is the actor: a tree of 731 models is made of nine. Below the first two levels all are there; there, a third prop would make more than 1,024.
#[test]
fn props_that_are_their_own_props_are_a_limited_number_of_models() {
    let props = "<prop actor='own.xml' attachpoint='one'/>".repeat(3);
    let text = format!(
        "<actor version='1'><group><variant><mesh>a.dae</mesh><props>{props}</props></variant></group></actor>"
    );
    let root = write_mod(&[], &[("own.xml".to_owned(), text)]);
    let mods = Mods::open(&[root.path().to_owned()], &Opener::reading(), &Limits::default()).expect("a mod");
    let figure = Wardrobe::new(&mods, &[]).figure("art/actors/own.xml").expect("a figure");
    let (mut count, mut models, mut cut) = (0, std::collections::HashSet::new(), false);
    let mut rest = vec![&figure];
    while let Some(figure) = rest.pop() {
        count += 1;
        models.insert(std::sync::Arc::as_ptr(figure));
        cut |= figure.faults.iter().any(|fault| fault == "art/actors/own.xml is left out: too many props");
        rest.extend(figure.props.iter().map(|(_, prop)| prop));
    }
    assert_eq!((count, models.len(), cut), (731, 9, true));
}

/// Props take on the names of the variants that were chosen above them: each counts by its bytes.
#[test]
fn names_that_props_take_on_are_counted_by_their_bytes() {
    // Two variants in each of 400 groups; a thousand props.
    let actor = |letters: usize| {
        let variant = |name: &str| format!("<variant name='{name}' frequency='1'/>");
        let group =
            |index: usize| format!("<group>{}{}</group>", variant(&format!("{index:0>letters$}")), variant("x"));
        let prop = |index: usize| format!("<prop actor='p{index}.xml' attachpoint='{index}'/>");
        let props: String = (0..1000).map(prop).collect();
        let groups: String = (0..400).map(group).collect();
        format!("<actor>{groups}<group><variant><props>{props}</props></variant></group></actor>")
    };
    let props = |letters: usize| {
        let mut actors: Vec<_> = (0..1000).map(|index| (format!("p{index}.xml"), actor_of(""))).collect();
        actors.extend(["a.xml", "b.xml"].map(|name| (name.to_owned(), actor(letters))));
        let root = write_mod(&[], &actors);
        let mods = Mods::open(&[root.path().to_owned()], &Opener::reading(), &Limits::default()).expect("a mod");
        let mut wardrobe = Wardrobe::new(&mods, &[]);
        ["a.xml", "b.xml"].map(|name| wardrobe.figure(&format!("art/actors/{name}")).expect("an actor").props.len())
    };
    // 2 x 1,000 x 400 names count 800,000, and five times as much with 256 bytes each: more than 2,097,152.
    assert_eq!(props(60), [1000, 1000]);
    let [first, second] = props(256);
    assert!(first == 1000 && second < 100, "{second}");
}

/// 300 actors of a MiB, of which the last 44 are not read.
#[test]
fn texts_of_actors_have_a_limited_size_together() {
    let text = format!("<actor version='1'><group><variant/></group><!--{}--></actor>", " ".repeat((1 << 20) - 59));
    assert_eq!(text.len(), 1 << 20);
    let entries = (0..300).map(|index| Entry::deflated(format!("art/actors/{index}.xml"), text.as_bytes()));
    let root = tempfile::tempdir().expect("a folder");
    let path = root.path().join("mod.zip");
    fs::write(&path, Zip::of(entries).build().bytes).expect("written");
    let mods = Mods::open(&[path], &Opener::reading(), &Limits::default()).expect("a mod");
    let mut wardrobe = Wardrobe::new(&mods, &[]);
    let mut is_read = |index: &usize| wardrobe.figure(&format!("art/actors/{index}.xml")).is_ok();
    assert_eq!((0..300).filter(&mut is_read).count(), 256);
    assert!(is_read(&0), "what is kept needs no reading");
}

/// An actor with a mesh, whose parts are texts of its variant.
fn actor_of(parts: &str) -> String {
    format!("<actor version='1'><group><variant><mesh>a.dae</mesh>{parts}</variant></group></actor>")
}

/// A part is a name and a path, of at most 1 KiB each.
#[test]
fn long_texts_of_actors_are_refused() {
    let long = "x".repeat(1 << 20);
    let animation = |name: &str| format!("<animations><animation name='{name}' file='a.psa'/></animations>");
    assert!(Actor::parse(actor_of(&animation(&long[..1024])).as_bytes()).is_ok());
    let fault = Actor::parse(actor_of(&animation(&long[..1025])).as_bytes()).expect_err("a long name");
    assert_eq!(fault.message, "has a name of 1025 bytes, more than 1,024");
    let mesh = format!("<actor><group><variant><mesh>{}</mesh></variant></group></actor>", &long[..1025]);
    assert!(Actor::parse(mesh.as_bytes()).is_err());
    assert!(Actor::parse(mesh.replacen('x', "", 1).as_bytes()).is_ok());
}

/// The bytes of parts count: what is taken on many times is in memory many times.
#[test]
fn long_texts_of_actors_are_counted() {
    let long = "x".repeat(996);
    // A variant with 4,000 names of 1,000 bytes counts 16 times as much as one with short names.
    let names: String =
        (0..4000).map(|index| format!("<texture name='{long}{index:04}' file='a.png'/>")).collect::<Vec<_>>().concat();
    let variants = ["", "2", "3", "4", "5"].map(|end| format!("many{end}.xml"));
    let few: Vec<String> = names.split_inclusive("/>").collect::<Vec<_>>().chunks(800).map(<[_]>::concat).collect();
    let texts = few.iter().map(|names| format!("<variant><textures>{names}</textures></variant>"));
    let variants: Vec<(&str, String)> = variants.iter().map(String::as_str).zip(texts).collect();
    let groups: Vec<_> = variants.iter().map(|(name, _)| format!("<group><variant file='{name}'/></group>")).collect();
    let groups = groups.concat();
    let actors: Vec<_> =
        (0..100).map(|index| (format!("{index:02}.xml"), format!("<actor>{groups}</actor>"))).collect();
    let root = write_mod(&variants, &actors);
    let mods = Mods::open(&[root.path().to_owned()], &Opener::reading(), &Limits::default()).expect("a mod");
    let mut wardrobe = Wardrobe::new(&mods, &[]);
    let mut is_made = |index: &usize| wardrobe.figure(&format!("art/actors/{index:02}.xml")).is_ok();
    let made = (0..100).take_while(&mut is_made).count();
    // 2,097,152 of 4,000 parts, each of which counts 1 + (1000 + 27) / 64, and some more.
    assert_eq!(made, (1 << 21) / (4000 * 17));
}

/// The animations of a model are counted wherever it stands.
#[test]
fn props_with_many_animations_are_left_out() {
    let animations: Vec<_> = (0..100).map(|index| format!("<animation name='a' file='{index}.psa'/>")).collect();
    let own = actor_of(&format!("<animations>{}</animations>", animations.concat()));
    let props = "<prop actor='own.xml' attachpoint='one'/>".repeat(200);
    let all = actor_of(&format!("<props>{props}</props>"));
    let root = write_mod(&[], &[("all.xml".to_owned(), all), ("own.xml".to_owned(), own)]);
    fs::create_dir_all(root.path().join("art/animation")).expect("a folder");
    for index in 0..100 {
        fs::write(root.path().join(format!("art/animation/{index}.psa")), "").expect("written");
    }
    let mods = Mods::open(&[root.path().to_owned()], &Opener::reading(), &Limits::default()).expect("a mod");
    let figure = Wardrobe::new(&mods, &[]).figure("art/actors/all.xml").expect("a figure");
    // 16,384 animations, 100 for each.
    assert_eq!(figure.props.len(), 163);
    assert!(figure.faults.iter().any(|fault| fault == "art/actors/own.xml is left out: too many props"));
}

/// Sources that the game has not converted are named, and links that lead out of a mod are not followed.
#[cfg(unix)]
#[test]
fn sources_are_named_and_links_are_not_followed() {
    let parts = "<animations><animation name='walk' file='w.dae'/><animation name='run' file='r.psa'/>
        <animation name='walk' file='b.psa' speed='1'/><animation name='walk' file='b.psa' speed='2'/></animations>";
    let root = write_mod(&[], &[("one.xml".to_owned(), actor_of(parts))]);
    let outside = tempfile::tempdir().expect("a folder");
    fs::write(outside.path().join("r.psa"), "").expect("written");
    for folder in ["meshes", "animation"] {
        fs::create_dir_all(root.path().join("art").join(folder)).expect("a folder");
    }
    for file in ["meshes/a.dae", "animation/w.dae", "animation/b.psa"] {
        fs::write(root.path().join("art").join(file), "").expect("written");
    }
    std::os::unix::fs::symlink(outside.path().join("r.psa"), root.path().join("art/animation/r.psa")).expect("a link");
    std::os::unix::fs::symlink("/", root.path().join("art/root")).expect("a link");
    std::os::unix::fs::symlink("circle", root.path().join("art/circle")).expect("a link");
    let mods = Mods::open(&[root.path().to_owned()], &Opener::reading(), &Limits::default()).expect("a mod");
    let figure = Wardrobe::new(&mods, &[]).figure("art/actors/one.xml").expect("a figure");
    assert!(figure.mesh.is_none());
    let mut faults = figure.faults.clone();
    faults.sort();
    let expected = [
        "art/animation/r.psa is missing",
        "art/animation/w.dae is a source, of which the game has not made a .psa yet",
        "art/meshes/a.dae is a source, of which the game has not made a .pmd yet",
    ];
    assert_eq!(faults, expected);
    let animations: Vec<_> = figure.animations.iter().map(|(name, file)| (name.as_str(), file.name)).collect();
    assert_eq!(animations, [("walk", "art/animation/b.psa")], "one file under one name is one animation");
}
