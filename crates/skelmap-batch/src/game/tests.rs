//! What is made of glTF files, what is said of it, and what is not made.

use std::fs;

use skelmap::Asset;
use skelmap::actorx::{Psa, Psk};
use skelmap_write::pyrogenesis::JointAxes;
use tempfile::TempDir;
use test_support::actorx::build::{Anim, chain};
use test_support::build_glb::Glb;
use test_support::build_zip::{Entry, Zip};
use test_support::pyrogenesis::build::Pmd;

use super::*;

/// A joint along this axis of the one above it points as bones of Blender do; along x, nothing tells whose axes the joints have.
const UP: [f32; 3] = [0.0, 1.0, 0.0];
const SIDEWAYS: [f32; 3] = [1.0, 0.0, 0.0];

/// A folder of its own.
struct Place(TempDir);

/// A file that was made, or not.
#[derive(Debug)]
struct Row {
    output: PathBuf,
    /// The error.
    error: Option<String>,
    notes: Vec<String>,
    is_unread: bool,
}

impl Row {
    fn of(file: &GameFile) -> Self {
        Self {
            output: file.output.clone(),
            error: file.done.as_ref().err().map(|error| error.message.clone()),
            notes: file.notes.clone(),
            is_unread: file.is_unread,
        }
    }
}

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.at(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, bytes).expect("written");
        path
    }

    /// Makes files of a file.
    fn make(&self, glb: &Glb, output: &str, options: &GameOptions) -> Vec<Row> {
        let input = self.put("in.glb", glb.to_bytes());
        self.make_all(&[input], output, options).expect("options that fit")
    }

    /// The only file that is made of a file.
    fn only(&self, glb: &Glb, output: &str, options: &GameOptions) -> Row {
        let mut rows = self.make(glb, output, options);
        assert_eq!(rows.len(), 1, "{rows:?}");
        rows.remove(0)
    }

    fn make_all(&self, paths: &[PathBuf], output: &str, options: &GameOptions) -> Result<Vec<Row>, GameError> {
        let output = self.at(output);
        let mut rows = Vec::new();
        let mut listener = |file: &GameFile| {
            rows.push(Row::of(file));
            Ok(())
        };
        make(&making(paths, &output, options), &Source::default(), None, &mut listener)?;
        Ok(rows)
    }

    /// Makes files of a file of another family.
    fn of_asset(&self, path: PathBuf, output: &str, options: &GameOptions) -> Result<Vec<Row>, GameError> {
        let (paths, output, source) = ([path], self.at(output), Source::default());
        let sources = Sources::find(&paths, &source.opener, &source.limits);
        let mut rows = Vec::new();
        let mut listener = |file: &GameFile| {
            rows.push(Row::of(file));
            Ok(())
        };
        make_from_assets(&making(&paths, &output, options), &sources, &source, None, &mut listener)?;
        Ok(rows)
    }
}

fn making<'m>(paths: &'m [PathBuf], output: &'m Path, options: &'m GameOptions) -> Making<'m> {
    // Nothing of it is changed.
    static WALK: std::sync::LazyLock<Walk> = std::sync::LazyLock::new(Walk::all);
    let jobs = NonZeroUsize::new(1);
    Making { paths, walk: &WALK, glob: &[], output, options, jobs, sources: &[], force: true, resume: false }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Joints are bones in their own order.
fn in_order() -> GameOptions {
    GameOptions { joint_order: true, ..GameOptions::default() }
}

/// A file with a standard skeleton of bones below each other.
fn skeleton(bones: &[&str]) -> String {
    let start = format!("<bone name='{}'>", bones.join("'><bone name='"));
    let end = "</bone>".repeat(bones.len());
    format!("<skeletons><standard_skeleton title='Own' id='own'>{start}{end}</standard_skeleton></skeletons>")
}

#[test]
fn the_option_for_one_of_several_meshes_is_named_where_there_are_several() {
    let (place, mut glb) = (Place::new(), Glb::still(&["skin"]));
    let other = GameOptions { object: Some("other".to_owned()), ..GameOptions::default() };
    let row = place.only(&glb, "out.pmd", &other);
    assert_eq!(row.error.as_deref(), Some("no single mesh node is named \"other\": body"));
    glb.root(serde_json::json!({"name": "head", "mesh": 0}));
    let row = place.only(&glb, "out.pmd", &GameOptions::default());
    let expected = "has 2 mesh nodes, and one must be chosen: body, head (--object)";
    assert_eq!((row.error.as_deref(), row.is_unread), (Some(expected), false));
    let row = place.only(&Glb::new(), "out.pmd", &GameOptions::default());
    assert_eq!(row.error.as_deref(), Some("has no mesh in its scene"));
}

#[test]
fn a_note_tells_of_materials_that_become_one() {
    let place = Place::new();
    for (materials, notes) in [
        (["skin"].as_slice(), [].as_slice()),
        (&["skin", "fur"], &["2 materials become one: a mesh of the game has one"]),
        (&["skin", "fur", "eye"], &["3 materials become one: a mesh of the game has one"]),
    ] {
        let row = place.only(&Glb::still(materials), "out.pmd", &GameOptions::default());
        assert_eq!((row.error, row.notes), (None, names(notes)));
    }
}

/// Each animation of 0 A.D. is a file; in ActorX, all are in one file.
#[test]
fn of_more_than_256_animations_no_file_of_0ad_is_made() {
    let place = Place::new();
    let mut glb = Glb::chain(&names(&["a", "b"]), UP, &[(0, 1.0)]);
    glb.clips((0..256).map(|number| format!("c{number}")));
    assert_eq!(place.make(&glb, "most/out.pmd", &in_order()).len(), 1 + 256);
    for count in [257, 258] {
        glb.clips(std::iter::once(format!("c{}", count - 1)));
        let row = place.only(&glb, "more/out.pmd", &in_order());
        let error = row.error.expect("an error");
        assert!(error.starts_with("has more than 256 animations, which can be written at a time"), "{error}");
        assert!(!place.at("more/out.pmd").exists(), "of such an input nothing is written");
    }
    let rows = place.make(&glb, "out.psk", &GameOptions::default());
    assert!(rows.len() == 2 && rows.iter().all(|row| row.error.is_none()), "{rows:?}");
    let bytes = fs::read(place.at("out.psa")).expect("an animation");
    assert_eq!(Psa::parse(&bytes).expect("an animation").sequences().len(), 258);
}

#[test]
fn an_actor_outside_of_a_mod_is_told_that_the_game_does_not_find_it() {
    let (place, glb) = (Place::new(), Glb::still(&["skin"]));
    let options = GameOptions { new_actor: true, ..GameOptions::default() };
    let notes = |mesh: &str, expected: &str| {
        let rows = place.make(&glb, mesh, &options);
        let [_, actor] = rows.as_slice() else { panic!("{rows:?}") };
        assert_eq!((&actor.error, &actor.output), (&None, &place.at(expected)));
        actor.notes.clone()
    };
    let texture = "without a texture: the actor has a line to fill in, <textures>";
    let outside = "outside of art/meshes: the game does not find it, nor the paths in it";
    assert_eq!(notes("mod/art/meshes/animal/fox.pmd", "mod/art/actors/animal/fox.xml"), [texture]);
    assert_eq!(notes("mod/fox.pmd", "mod/fox.xml"), [texture, outside]);
}

/// Chunks after the seven of a classic mesh.
#[test]
fn a_second_uv_set_is_kept_in_pskx_and_for_umodel() {
    let (place, mut glb) = (Place::new(), Glb::chain(&names(&["a", "b"]), UP, &[(0, 1.0)]));
    let attributes = &mut glb.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["TEXCOORD_1"] = attributes["TEXCOORD_0"].clone();
    for (output, target, has_extras) in [
        ("out.psk", None, false),
        ("out.psk", Some(Target::Ut99), false),
        ("out.psk", Some(Target::Blender), false),
        ("out.psk", Some(Target::Umodel), true),
        ("out.pskx", None, true),
        ("out.pskx", Some(Target::Blender), true),
    ] {
        let row = place.only(&glb, output, &GameOptions { target, ..GameOptions::default() });
        assert_eq!(row.error, None);
        let bytes = fs::read(place.at(output)).expect("a mesh");
        let mesh = Psk::parse(&bytes).expect("a mesh");
        let has_set = mesh.chunks().any(|chunk| chunk.id.as_bytes() == b"EXTRAUVS0");
        assert_eq!(has_set, has_extras, "{output}, {target:?}");
    }
}

#[test]
fn what_keeps_joints_from_being_bones_is_told_with_the_option_that_helps() {
    let (place, sideways) = (Place::new(), Glb::chain(&names(&["a", "b"]), SIDEWAYS, &[(0, 1.0)]));
    let error = |options: &GameOptions| place.only(&sideways, "out.pmd", options).error.expect("an error");
    let found = error(&in_order());
    assert!(found.starts_with("cannot tell whose axes the joints have: 0 of 1 children lie along +y"), "{found}");
    assert!(found.ends_with(" (--axes blender or game; --like with a mesh of the game tells them too)"), "{found}");
    let skeletons = vec![place.put("other.xml", skeleton(&["hip", "leg"]))];
    let found = error(&GameOptions { skeletons, ..GameOptions::default() });
    assert!(found.ends_with(" (--joint-order for a new creature)"), "{found}");
}

#[test]
fn the_axes_of_joints_are_told_unless_they_are_given_or_there_are_no_joints() {
    let (place, chain) = (Place::new(), Glb::chain(&names(&["a", "b"]), UP, &[(0, 1.0)]));
    let row = place.only(&chain, "out.pmd", &in_order());
    assert_eq!((row.error, row.notes), (None, names(&["joints with the axes of Blender"])));
    let game = Glb::chain(&names(&["a", "b"]), [0.0, 0.0, -1.0], &[(0, 1.0)]);
    let row = place.only(&game, "out.pmd", &in_order());
    assert_eq!((row.error, row.notes), (None, names(&["joints with the axes of the game"])));
    for axes in [JointAxes::Blender, JointAxes::Game] {
        let given = GameOptions { axes: Some(axes), ..in_order() };
        let row = place.only(&chain, "out.pmd", &given);
        assert_eq!((row.error, row.notes), (None, names(&[])), "{axes}");
    }
    let row = place.only(&Glb::still(&["skin"]), "out.pmd", &in_order());
    assert_eq!((row.error, row.notes), (None, names(&[])));
}

#[test]
fn joints_that_the_skeleton_does_not_have_are_named() {
    let place = Place::new();
    let glb = Glb::chain(&names(&["hip", "leg", "toe"]), UP, &[(0, 1.0)]);
    let found = |bones: &[&str]| {
        let skeletons = vec![place.put("own.xml", skeleton(bones))];
        let row = place.only(&glb, "out.pmd", &GameOptions { skeletons, ..GameOptions::default() });
        assert_eq!(row.error, None);
        row.notes
    };
    let (own, axes) = ("skeleton own", "joints with the axes of Blender");
    assert_eq!(found(&["hip", "leg", "toe"]), [own, axes]);
    let unknown =
        "joints that are no bones of the skeleton (toe): the nearest joint above that is one moves their vertices";
    assert_eq!(found(&["hip", "leg"]), [own, axes, unknown]);
}

/// The folder that has `art` is chosen by whoever names the output, and what a mod has in it is not.
#[cfg(unix)]
#[test]
fn no_link_in_a_mod_leads_an_animation_elsewhere() {
    let (place, mut glb) = (Place::new(), Glb::chain(&names(&["a", "b"]), UP, &[(0, 1.0)]));
    glb.clips(["walk".to_owned()]);
    for folder in ["mod/art/meshes", "elsewhere"] {
        fs::create_dir_all(place.at(folder)).expect("made");
    }
    std::os::unix::fs::symlink(place.at("elsewhere"), place.at("mod/art/animation")).expect("a link");
    let row = place.only(&glb, "mod/art/meshes/fox.pmd", &in_order());
    let error = row.error.expect("an error");
    assert!(error.ends_with("mod/art/animation exists and is not a folder"), "{error}");
    let count = |folder: &str| fs::read_dir(place.at(folder)).expect("a folder").count();
    assert_eq!((count("elsewhere"), count("mod/art/meshes")), (0, 0));
    // Other games have no such folders: a path leads where it leads.
    std::os::unix::fs::symlink(place.at("elsewhere"), place.at("mod/art/link")).expect("a link");
    let rows = place.make(&glb, "mod/art/link/fox.psk", &GameOptions::default());
    assert!(rows.len() == 2 && rows.iter().all(|row| row.error.is_none()), "{rows:?}");
    assert!(place.at("elsewhere/fox.psk").exists() && place.at("elsewhere/fox.psa").exists());
}

#[test]
fn a_file_is_made_of_one_file() {
    let place = Place::new();
    fs::create_dir(place.at("in")).expect("made");
    let folder = [place.at("in")];
    let error = place.make_all(&folder, "out.pmd", &in_order()).expect_err("no input");
    assert!(matches!(error, GameError::NoInput), "{error}");
    place.put("in/a.glb", Glb::still(&["skin"]).to_bytes());
    assert_eq!(place.make_all(&folder, "out.pmd", &in_order()).expect("one").len(), 1);
    place.put("in/b.glb", Glb::still(&["skin"]).to_bytes());
    let error = place.make_all(&folder, "out.pmd", &in_order()).expect_err("two");
    assert!(matches!(error, GameError::ManyIntoFile { count: 2 }), "{error}");
    assert_eq!(place.make_all(&folder, "out", &in_order()).expect("a folder").len(), 2);
}

/// A mesh of 0 A.D. has no names of bones.
#[test]
fn one_file_of_skeletons_names_the_bones_and_a_folder_or_an_archive_does_not() {
    let place = Place::new();
    let mesh = place.put("fox.pmd", Pmd::grid(2, 2, 2, 1).build().bytes);
    let file = place.put("mod/art/skeletons/own.xml", skeleton(&["hip", "leg"]));
    let zip = Zip::of([Entry::stored("art/skeletons/own.xml", skeleton(&["hip", "leg"]))]);
    let archive = place.put("mod.zip", zip.build().bytes);
    let bones = |skeletons: PathBuf| {
        let options = GameOptions { skeletons: vec![skeletons], ..GameOptions::default() };
        let rows = place.of_asset(mesh.clone(), "out.psk", &options).expect("options that fit");
        assert!(rows.len() == 1 && rows[0].error.is_none(), "{rows:?}");
        let bytes = fs::read(place.at("out.psk")).expect("a mesh");
        let mesh = Asset::parse(&bytes).expect("a mesh");
        let skeleton = mesh.skeleton().expect("bones");
        skeleton.bones().filter_map(|bone| bone.name).map(|name| name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(bones(file), ["hip", "leg"]);
    for many in [archive, place.at("mod/art/skeletons")] {
        // Without names, nothing is known of parents either: a root is added above both.
        let found = bones(many);
        assert!(found.len() == 3 && found[0] == "ROOT", "{found:?}");
        assert!(!found.iter().any(|name| name == "hip" || name == "leg"), "{found:?}");
    }
}

#[test]
fn a_file_of_another_family_that_cannot_be_read_is_told() {
    let place = Place::new();
    let broken = place.put("fox.pmd", b"PSMD");
    let rows = place.of_asset(broken, "out", &GameOptions { to: Some(GameKind::Psk), ..in_order() }).expect("told");
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    assert!(row.is_unread && row.error.is_some() && row.output == Path::new(""), "{row:?}");
}

/// It becomes no glTF, and so no file of a game.
#[test]
fn an_animation_without_the_sequence_that_is_asked_for_is_told() {
    let place = Place::new();
    let bytes: Vec<u8> = Anim::sway(chain(2), &[("walk", 2, 10.0)]).chunks().into();
    let path = place.put("fox.psa", bytes);
    let options = GameOptions { to: Some(GameKind::Psk), sequences: names(&["run"]), ..GameOptions::default() };
    let rows = place.of_asset(path, "out", &options).expect("told");
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    let error = row.error.as_deref().expect("an error");
    assert!(error.ends_with("has no such sequence"), "{error}");
    assert_eq!((row.is_unread, row.output.as_path()), (true, Path::new("")));
    assert!(!place.at("out").exists());
}
