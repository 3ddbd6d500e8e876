//! Conversions: what is written, kept, left out and told.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;
use skelmap_batch::Source;
use skelmap_batch::catalogue::Shard;
use skelmap_batch::convert::{
    AnimationFiles, Cause, Conversion, ConvertError, ConvertOptions, Done, Event, Kind, Missing, Replace, convert,
};
use skelmap_batch::items::Sources;
use tempfile::TempDir;
use test_support::actorx::build::{Anim, Bone, Face, IDENTITY, Key, Mesh, Wedge, chain};
use test_support::build_zip::{Entry, Zip};
use test_support::glb::File as Glb;
use test_support::pyrogenesis::build::{Pmd, Psa};
use test_support::ueformat::build as ueformat;
use test_support::ueformat::corpus as ueformat_assets;
use test_support::with;

/// A folder of its own.
struct Place(TempDir);

/// What is asked for beside the inputs, the output and the options.
#[derive(Default)]
struct Asked<'a> {
    animations: &'a [&'a str],
    shard: Option<Shard>,
    resume: bool,
    dry_run: bool,
    source: Source,
    /// Called before the first output.
    at_begin: Option<&'a (dyn Fn() -> io::Result<()> + Sync)>,
}

/// The bytes that outputs are made of, and those of the inputs.
type Bytes = Option<(u64, u64)>;

/// What a conversion says.
#[derive(Debug, Default)]
struct Said {
    rows: Vec<Row>,
    /// If a run is told of as large.
    large: Bytes,
    /// What the options name, and what no output has.
    missing: Vec<String>,
    /// Animations that no mesh plays.
    unused: Vec<PathBuf>,
}

#[derive(Debug)]
struct Row {
    /// The path below the folder.
    output: String,
    status: &'static str,
    /// The number of animations.
    animations: usize,
    /// The number of images.
    textures: usize,
    fault: Option<(Cause, String)>,
    notes: Vec<String>,
}

impl Place {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a file, and the folders that it is in.
    fn put(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.at(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// Converts, with what is asked for; what is said until it ends, and how it ends.
    fn ask(
        &self,
        inputs: &[&str],
        output: &str,
        options: &ConvertOptions,
        asked: &Asked<'_>,
    ) -> (Said, Result<(), ConvertError>) {
        let [paths, animations] =
            [inputs, asked.animations].map(|names| names.iter().map(|name| self.at(name)).collect::<Vec<_>>());
        let find = |paths: &[PathBuf]| Sources::find(paths, &asked.source.opener, &asked.source.limits);
        let conversion = Conversion {
            paths: &paths,
            sources: &find(&paths),
            animations: &animations,
            given: &find(&animations),
            output: &self.at(output),
            options,
            jobs: None,
            dry_run: asked.dry_run,
            resume: asked.resume,
            replace: Replace::Nothing,
            shard: asked.shard,
        };
        let mut said = Said::default();
        let ended = convert(&conversion, &asked.source, None, &mut |event| {
            match event {
                Event::Begin { .. } => asked.at_begin.map_or(Ok(()), |begin| begin())?,
                Event::Large { made, read } => said.large = Some((made, read)),
                Event::Missing(missing) => said.missing.push(missing.to_string()),
                Event::Output(own) => said.rows.push(Row {
                    output: own.output.iter().map(|path| self.name(path)).collect(),
                    status: match &own.done {
                        Ok(Done::Kept) => "kept",
                        Ok(Done::Skipped) => "skipped",
                        Ok(Done::Written(_)) => "written",
                        Ok(Done::Planned { .. }) => "planned",
                        Err(_) => "failed",
                    },
                    animations: match &own.done {
                        Ok(Done::Written(output)) => output.report.animations,
                        Ok(Done::Planned { animations, .. }) => *animations,
                        _ => 0,
                    },
                    textures: if let Ok(Done::Written(output)) = &own.done { output.textures } else { 0 },
                    fault: own.done.as_ref().err().map(|error| (error.cause, error.message.clone())),
                    notes: own.notes.clone(),
                }),
                _ => {}
            }
            Ok(())
        });
        let ended = ended.map(|unused| said.unused = unused.iter().map(|own| own.path().to_owned()).collect());
        (said, ended)
    }

    /// The path of an output below the folder, with `/` on every system.
    fn name(&self, path: &Path) -> String {
        path.strip_prefix(self.0.path()).unwrap().to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/")
    }

    /// Converts, which does not end before its last output.
    fn convert(&self, inputs: &[&str], output: &str, options: &ConvertOptions, asked: &Asked<'_>) -> Said {
        let (said, ended) = self.ask(inputs, output, options, asked);
        ended.unwrap_or_else(|error| panic!("{error}: {said:?}"));
        said
    }

    /// Converts to one output, and returns its row.
    fn row(&self, inputs: &[&str], output: &str, options: &ConvertOptions) -> Row {
        let mut rows = self.convert(inputs, output, options, &Asked::default()).rows;
        assert_eq!(rows.len(), 1, "{rows:?}");
        rows.remove(0)
    }
}

impl Said {
    /// The outputs, and what became of them.
    fn outputs(&self) -> Vec<(&str, &str)> {
        self.rows.iter().map(|row| (row.output.as_str(), row.status)).collect()
    }
}

impl Row {
    fn has_note(&self, start: &str) -> bool {
        self.notes.iter().any(|note| note.starts_with(start))
    }
}

fn options(change: impl FnOnce(&mut ConvertOptions)) -> ConvertOptions {
    with(ConvertOptions::default(), change)
}

fn psk(mesh: &Mesh) -> Vec<u8> {
    mesh.chunks().build().bytes
}

fn psa(sequences: &[(&str, i32, f32)]) -> Vec<u8> {
    Anim::sway(chain(2), sequences).chunks().build().bytes
}

/// A mesh of two bones, and an animation of it.
fn pair(sequences: &[(&str, i32, f32)]) -> Place {
    let place = Place::new();
    place.put("m.psk", psk(&Mesh::sheet(3, 3, 2)));
    place.put("m.psa", psa(sequences));
    place
}

#[test]
fn sequences_without_frames_have_no_file_and_are_counted() {
    let each = options(|own| own.each_clip = true);
    let one = [("a", 2, 30.0), ("b", 0, 30.0), ("c", 0, 30.0), ("d", 0, 30.0)];
    let said = pair(&one).convert(&["m.psk", "m.psa"], "out", &each, &Asked::default());
    assert_eq!(said.outputs(), [("out/m@a.glb", "written")]);
    assert!(said.rows[0].has_note("3 sequences left out: additive, or without frames"), "{said:?}");
    let said = pair(&[("a", 2, 30.0), ("b", 1, 30.0)]).convert(&["m.psk", "m.psa"], "out", &each, &Asked::default());
    assert_eq!(said.outputs(), [("out/m@a.glb", "written"), ("out/m@b.glb", "written")]);
    assert!(said.rows.iter().all(|row| !row.notes.iter().any(|note| note.contains("left out"))), "{said:?}");
}

/// Two sequences whose names no file can have, so that the same name stands for both.
#[test]
fn a_number_in_the_name_of_the_file_of_a_sequence_is_noted() {
    let place = pair(&[("a:b", 2, 30.0), ("a?b", 2, 30.0)]);
    let each = options(|own| own.each_clip = true);
    let said = place.convert(&["m.psk", "m.psa"], "out", &each, &Asked::default());
    assert_eq!(said.outputs(), [("out/m@a_b.glb", "written"), ("out/m@a_b-2.glb", "written")]);
    let is_noted: Vec<_> = said.rows.iter().map(|row| row.has_note("numbered, because another output has")).collect();
    assert_eq!(is_noted, [false, true], "{said:?}");
}

/// The name of an unfinished file of a run for all outputs. Its number is the XXH3 of no bytes, of the reference of XXH3.
#[test]
fn what_a_killed_run_has_left_is_removed_from_the_folders_of_outputs() {
    let place = Place::new();
    place.put("in/a.psk", psk(&Mesh::sheet(2, 2, 1)));
    place.put("in/sub/b.psk", psk(&Mesh::sheet(2, 2, 1)));
    let left = ["out/", "out/sub/"].map(|folder| format!("{folder}.skelmap-2d06800538d394c2-killed.part"));
    for name in &left {
        place.put(name, "half");
    }
    let said = place.convert(&["in"], "out", &ConvertOptions::default(), &Asked::default());
    assert_eq!(said.outputs(), [("out/a.glb", "written"), ("out/sub/b.glb", "written")]);
    assert!(left.iter().all(|name| !place.at(name).exists()));
}

/// A folder of pages has an index. One of other outputs has none, so that a mesh may have this name.
#[test]
fn the_name_of_the_index_is_taken_only_among_pages() {
    let place = Place::new();
    place.put("index.psk", psk(&Mesh::sheet(2, 2, 1)));
    let dry_run = Asked { dry_run: true, ..Asked::default() };
    for (kind, output) in [(Kind::Glb, "out/index.glb"), (Kind::Html, "out/index-2.html")] {
        let said = place.convert(&["index.psk"], "out", &options(|own| own.to = Some(kind)), &dry_run);
        assert_eq!(said.outputs(), [(output, "planned")]);
    }
}

#[test]
fn a_plan_has_the_outputs_of_its_run() {
    type Change<'c> = &'c dyn Fn(&mut ConvertOptions);
    let place = pair(&[("a", 1, 30.0), ("b", 2, 30.0)]);
    place.put("alone.psa", psa(&[("c", 1, 30.0)]));
    place.put("names.json", br#"{"A": "first", "none": "x"}"#);
    let renamed = || Some(place.at("names.json"));
    let cases: [(&[&str], Change<'_>); 10] = [
        (&["m.psk", "m.psa"], &|_| {}),
        (&["m.psk", "m.psa"], &|own| own.each_clip = true),
        (&["m.psk", "m.psa"], &|own| (own.each_clip, own.sequences) = (true, vec!["b".to_owned(), "z".to_owned()])),
        (&["m.psk", "m.psa"], &|own| own.rename = renamed()),
        (&["m.psk", "m.psa"], &|own| (own.each_clip, own.rename) = (true, renamed())),
        (&["m.psk", "m.psa"], &|own| own.to = Some(Kind::Obj)),
        (&["alone.psa"], &|own| own.sequences = vec!["z".to_owned()]),
        (&["alone.psa"], &|own| own.to = Some(Kind::Obj)),
        (&["m.psk", "m.psa"], &|own| (own.to, own.frame) = (Some(Kind::Obj), Some(1))),
        (&["m.psk"], &|own| (own.to, own.frame) = (Some(Kind::Obj), Some(1))),
    ];
    for (case, (inputs, change)) in cases.into_iter().enumerate() {
        let (output, options) = (format!("out{case}"), options(|own| change(own)));
        // What is there is in the way of a second run.
        for _ in 0..2 {
            let [planned, written] = [true, false].map(|dry_run| {
                let said = place.convert(inputs, &output, &options, &Asked { dry_run, ..Asked::default() });
                let rows: Vec<_> = said.rows.into_iter().map(|row| (row.output, row.animations, row.fault)).collect();
                (rows, said.missing)
            });
            assert_eq!(planned, written, "{case}");
        }
    }
}

/// Three meshes of one size: each part of three has one.
#[test]
fn a_part_of_the_work_has_its_outputs_and_does_not_tell_what_others_may_have() {
    let place = Place::new();
    for name in ["a", "b", "c"] {
        place.put(&format!("in/{name}.psk"), psk(&Mesh::sheet(2, 2, 1)));
    }
    let missing = options(|own| own.sequences = vec!["fly".to_owned()]);
    for (index, output) in (1..).zip(["out/a.glb", "out/b.glb", "out/c.glb"]) {
        let part = Asked { shard: Shard::new(index, 3), ..Asked::default() };
        let said = place.convert(&["in"], "out", &missing, &part);
        assert_eq!(said.outputs(), [(output, "written")]);
        assert!(said.missing.is_empty(), "{said:?}");
    }
    let said = place.convert(&["in"], "all", &missing, &Asked::default());
    assert_eq!((said.rows.len(), said.missing), (3, vec![Missing::Sequence("fly", "").to_string()]));
}

#[test]
fn options_that_exclude_each_other_are_errors() {
    let place = pair(&[("a", 1, 30.0)]);
    let error = |output: &str, change: &dyn Fn(&mut ConvertOptions)| {
        place.ask(&["m.psk"], output, &options(change), &Asked::default()).1.expect_err("an error")
    };
    let actors = |own: &mut ConvertOptions| own.actors = vec!["a".to_owned()];
    let library = |own: &mut ConvertOptions| own.animation_files = AnimationFiles::Library;
    let is_of_actors = |error: ConvertError| error.to_string().starts_with("an actor is one file of glTF");
    assert!(is_of_actors(error("out", &|own| {
        actors(own);
        own.each_clip = true;
    })));
    for kind in [Kind::Obj, Kind::Html] {
        assert!(is_of_actors(error("out", &|own| {
            actors(own);
            own.to = Some(kind);
        })));
    }
    let is_of_library = |error: ConvertError| matches!(error, ConvertError::Library);
    assert!(is_of_library(error("a.glb", &library)));
    for change in
        [&actors as &dyn Fn(&mut ConvertOptions), &|own| own.each_clip = true, &|own| own.to = Some(Kind::Obj)]
    {
        assert!(is_of_library(error("out", &|own| {
            library(own);
            change(own);
        })));
    }
}

/// Animations that are given and are of another family than the mesh.
#[test]
fn an_animation_that_is_given_is_never_converted_alone() {
    let place = Place::new();
    place.put("m.pmd", Pmd::grid(2, 2, 2, 1).build().bytes);
    place.put("m.psa", psa(&[("a", 1, 30.0)]));
    let given = Asked { animations: &["m.psa"], dry_run: true, ..Asked::default() };
    let said = place.convert(&["m.pmd"], "out", &ConvertOptions::default(), &given);
    assert_eq!(said.outputs(), [("out/m.glb", "planned")]);
    assert_eq!(said.unused, [place.at("m.psa")]);
    let found = Asked { dry_run: true, ..Asked::default() };
    // Beside one mesh that is asked about, what belongs to none is not worth a word.
    let said = place.convert(&["m.pmd", ""], "one.glb", &ConvertOptions::default(), &found);
    assert_eq!((said.outputs(), said.unused.len()), (vec![("one.glb", "planned")], 0));
    let said = place.convert(&["m.pmd", "m.psa"], "out", &ConvertOptions::default(), &found);
    assert_eq!(said.outputs(), [("out/m.glb", "planned"), ("out/m-2.glb", "planned")]);
}

/// The vertices of an OBJ.
fn vertices(text: &str) -> Vec<[f64; 3]> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("v "));
    let vertex = |line: &str| {
        let numbers: Vec<f64> = line.split(' ').map(|number| number.parse().unwrap()).collect();
        [numbers[0], numbers[1], numbers[2]]
    };
    lines.map(vertex).collect()
}

/// A triangle at (0, 0, 0), (1, 0, 0) and (0, 1, 0) on one bone, which the second frame moves by three along x. A position (x, y, z) becomes
/// (x, z, -y) times 0.01: reference of glTF, 1.
#[test]
fn an_obj_of_a_frame_shows_that_frame_and_no_frame_behind_the_last() {
    let place = Place::new();
    let mut mesh = Mesh::sheet(3, 1, 1);
    mesh.points = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    mesh.wedges = (0..3).map(|point| Wedge::new(point, [0.0; 2], 0)).collect();
    mesh.faces = vec![Face::new([0, 1, 2], 0)];
    mesh.bones = vec![Bone::new("root", 0, [0.0, 0.0, 5.0], IDENTITY)];
    let mut anim = Anim::sway(mesh.bones.clone(), &[("a", 2, 30.0)]);
    let key = |x| Key { position: [x, 0.0, 5.0], rotation: IDENTITY, time: 1.0 };
    anim.keys = vec![key(0.0), key(3.0)];
    place.put("m.psk", psk(&mesh));
    place.put("m.psa", anim.chunks().build().bytes);
    let run = |frame| place.row(&["m.psk", "m.psa"], &format!("{frame:?}.obj"), &options(|own| own.frame = frame));
    let obj = |frame| {
        assert_eq!(run(frame).status, "written");
        vertices(&place.text(&format!("{frame:?}.obj")))
    };
    for (frame, by) in [(None, 0.0), (Some(0), 0.0), (Some(1), 0.03)] {
        let mut found = obj(frame);
        found.sort_by(|one, other| one[0].total_cmp(&other[0]).then(one[2].total_cmp(&other[2])));
        let expected = [[by, 0.0, -0.01], [by, 0.0, 0.0], [by + 0.01, 0.0, 0.0]];
        let is_near = |(one, other): (&f64, &f64)| (one - other).abs() < 1e-6;
        assert!(found.len() == 3 && found.as_flattened().iter().zip(expected.as_flattened()).all(is_near), "{found:?}");
    }
    for frame in [2, 3] {
        let message = format!("frame {frame} does not exist; the animation has only frames 0 to 1");
        let fault = run(Some(frame)).fault.unwrap();
        assert!(fault.0 == Cause::Content && fault.1.contains(&message), "{fault:?}");
    }
}

/// A PNG of one pixel. Its checksums and its data are nobody's concern here.
const PNG: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0....\0\0\0\x01IDATx....\0\0\0\0IEND....";

/// The names in the material file have no blanks. A name without them may be that of another output.
#[test]
fn the_images_of_an_output_are_counted_and_have_names_of_their_own() {
    let place = Place::new();
    for name in ["my fox", "my_fox"] {
        place.put(&format!("in/{name}.psk"), psk(&Mesh::sheet(2, 2, 1)));
    }
    // The name of the material of both.
    place.put("in/Sheet.png", PNG);
    for kind in [Kind::Glb, Kind::Obj] {
        let out = kind.extension();
        let said = place.convert(&["in"], out, &options(|own| own.to = Some(kind)), &Asked::default());
        let names = ["my fox", "my_fox"].map(|name| format!("{out}/{name}.{out}"));
        assert_eq!(said.outputs(), names.each_ref().map(|name| (name.as_str(), "written")), "{said:?}");
        assert!(said.rows.iter().all(|row| row.textures == 1), "{said:?}");
    }
    let mut libraries = ["obj/my fox.obj", "obj/my_fox.obj"].map(|name| {
        let text = place.text(name);
        text.lines().find_map(|line| line.strip_prefix("mtllib ")).unwrap().to_owned()
    });
    assert_eq!(libraries[1], "my_fox.mtl");
    for library in &libraries {
        assert!(place.at(&format!("obj/{library}")).is_file() && !library.contains(' '), "{library}");
    }
    libraries.sort();
    assert!(libraries[0] != libraries[1]);
}

/// Another run has added to the record since this one read it, and has written an output.
#[test]
fn an_output_that_is_there_is_that_of_another_run_only_while_a_folder_is_gone_on_with() {
    for (resume, cause) in [(false, Cause::Existing), (true, Cause::Busy)] {
        let place = pair(&[("a", 1, 30.0)]);
        fs::create_dir(place.at("out")).unwrap();
        let at_begin = || {
            fs::write(place.at("out/m.glb"), "of another run")?;
            fs::write(place.at("out/.skelmap-convert.jsonl"), "{}\n")
        };
        let asked = Asked { resume, at_begin: Some(&at_begin), ..Asked::default() };
        let said = place.convert(&["m.psk"], "out", &ConvertOptions::default(), &asked);
        assert_eq!(said.rows[0].fault.as_ref().map(|(cause, _)| *cause), Some(cause), "{said:?}");
        assert_eq!(place.text("out/m.glb"), "of another run");
    }
}

/// The bones that each animation of a glTF moves.
fn moved(json: &Value) -> Vec<(String, Vec<String>)> {
    let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let bone = |channel: &Value| {
        let node = usize::try_from(channel["target"]["node"].as_u64().unwrap()).unwrap();
        name(&json["nodes"][node])
    };
    let bones = |animation: &Value| {
        let mut bones: Vec<String> = list(&animation["channels"]).iter().map(bone).collect();
        bones.sort();
        bones.dedup();
        bones
    };
    list(&json["animations"]).iter().map(|animation| (name(animation), bones(animation))).collect()
}

/// The side-car takes the second bone out of the second sequence: reference of ActorX, 6.1.
#[test]
fn a_side_car_tells_the_sequences_of_an_animation_apart() {
    let place = pair(&[("a", 3, 30.0), ("b", 3, 30.0), ("c", 3, 30.0)]);
    place.put("m.config", "[RemoveTracks]\nb.1=all\n");
    let sparse = options(|own| own.gltf.sparse = true);
    assert_eq!(place.row(&["m.psk", "m.psa"], "m.gltf", &sparse).status, "written");
    let found = moved(&serde_json::from_str(&place.text("m.gltf")).unwrap());
    let [root, tip] = ["Bone_0000", "Bone_0001"].map(str::to_owned);
    let own = |name: &str, bones: &[&String]| (name.to_owned(), bones.iter().map(|own| (*own).clone()).collect());
    assert_eq!(found, [own("a", &[&root, &tip]), own("b", &[&root]), own("c", &[&root, &tip])]);
}

const THREE_BONES: &str =
    "<skeletons><standard_skeleton id='s'><bone name='a'><bone name='b'><bone name='c'/></bone></bone>
    </standard_skeleton></skeletons>";

/// A file of skeletons names bones that have no names: a mesh of none, or one that has its own, needs no skeleton.
#[test]
fn skeletons_that_are_given_are_for_bones_without_names() {
    let place = pair(&[("a", 1, 30.0)]);
    place.put("s.xml", THREE_BONES);
    let mut still = Pmd::grid(2, 2, 0, 1);
    (still.bind, still.props) = (Vec::new(), Vec::new());
    place.put("still.pmd", still.build().bytes);
    place.put("two.pmd", Pmd::grid(2, 2, 2, 1).build().bytes);
    place.put("three.pmd", Pmd::grid(2, 2, 3, 1).build().bytes);
    let given = options(|own| own.skeleton = Some(place.at("s.xml")));
    for (mesh, status) in
        [("m.psk", "written"), ("still.pmd", "written"), ("three.pmd", "written"), ("two.pmd", "failed")]
    {
        let row = place.row(&[mesh], &format!("{mesh}.glb"), &given);
        assert_eq!(row.status, status, "{mesh}: {row:?}");
    }
}

#[test]
fn an_output_says_what_animations_it_has_and_which_sequences_they_do_not_have() {
    let place = pair(&[("walk", 1, 30.0)]);
    let asked = |name: &str| options(|own| own.sequences = vec![name.to_owned()]);
    let (both, none) = (&["m.psk", "m.psa"][..], ConvertOptions::default());
    let cases = [
        (both, none.clone(), [false, true]),
        (both, asked("walk"), [false, true]),
        (both, asked("fly"), [true, true]),
        (&["m.psk"], none, [false, false]),
        (&["m.psk"], asked("fly"), [false, false]),
    ];
    for (index, (inputs, options, expected)) in cases.into_iter().enumerate() {
        let row = place.row(inputs, &format!("{index}.glb"), &options);
        let found = ["no sequence fly", "from 1 animation file"].map(|note| row.has_note(note));
        assert_eq!((found, row.status), (expected, "written"), "{inputs:?}: {row:?}");
    }
}

/// A mod with a horse, whose actor plays one file under two names and has a hat.
fn horse() -> Place {
    let place = Place::new();
    for name in ["horse", "hat"] {
        place.put(&format!("mod/art/meshes/{name}.pmd"), Pmd::grid(2, 2, 3, 1).build().bytes);
    }
    place.put("mod/art/animation/walk.psa", Psa::walk(3, 2).build().bytes);
    place.put("mod/art/actors/hat.xml", "<actor><group><variant><mesh>hat.dae</mesh></variant></group></actor>");
    put_horse(&place, ["walk", "run"], "hook_001");
    place
}

fn put_horse(place: &Place, [one, two]: [&str; 2], point: &str) {
    let animation = |name: &str| format!("<animation name='{name}' file='walk.psa'/>");
    let text = format!(
        "<actor><group><variant><mesh>horse.dae</mesh><animations>{}{}</animations>
        <props><prop actor='hat.xml' attachpoint='{point}'/></props></variant></group></actor>",
        animation(one),
        animation(two)
    );
    place.put("mod/art/actors/horse.xml", text);
}

/// What the texts of a mod say of an actor is none of its files.
#[test]
fn a_run_that_goes_on_sees_that_an_actor_has_changed() {
    let place = horse();
    let actor = options(|own| own.actors = vec!["horse".to_owned()]);
    let resume = Asked { resume: true, ..Asked::default() };
    let status = || {
        let said = place.convert(&["mod"], "out", &actor, &resume);
        assert!(said.rows.len() == 1 && said.rows[0].output == "out/art/actors/horse.glb", "{said:?}");
        said.rows[0].status
    };
    assert_eq!([status(), status()], ["written", "kept"]);
    put_horse(&place, ["walk", "run"], "hook_002");
    assert_eq!([status(), status()], ["written", "kept"], "the hat is elsewhere");
    put_horse(&place, ["walk", "flee"], "hook_002");
    assert_eq!([status(), status()], ["written", "kept"], "the animation has another name");
}

/// An actor has an animation for each action. A mesh has the file once, and its actions are told.
#[test]
fn an_animation_tells_the_actions_that_it_is_played_for() {
    let place = horse();
    let actions = |name: &str| {
        let json: Value = serde_json::from_str(&place.text(name)).unwrap();
        let animations = json["animations"].as_array().unwrap().clone();
        let told = |own: &Value| format!("{}: {}", own["name"].as_str().unwrap(), own["extras"]["actions"]);
        animations.iter().map(told).collect::<Vec<_>>()
    };
    let gltf = options(|own| own.to = Some(Kind::Gltf));
    place.convert(&["mod"], "meshes", &gltf, &Asked::default());
    assert_eq!(actions("meshes/art/meshes/horse.gltf"), [r#"walk: ["walk","run"]"#]);
    let actor = options(|own| (own.to, own.actors) = (Some(Kind::Gltf), vec!["horse".to_owned()]));
    place.convert(&["mod"], "actors", &actor, &Asked::default());
    assert_eq!(actions("actors/art/actors/horse.gltf"), [r#"walk: ["walk"]"#, r#"run: ["run"]"#]);
}

#[test]
fn a_prop_with_a_damaged_mesh_is_left_out_and_noted() {
    let place = horse();
    place.put("mod/art/meshes/hat.pmd", "PSMD");
    let actor = options(|own| own.actors = vec!["horse".to_owned()]);
    let said = place.convert(&["mod"], "out", &actor, &Asked::default());
    assert_eq!(said.outputs(), [("out/art/actors/horse.glb", "written")]);
    let prop = place.at("mod/art/meshes/hat.pmd").to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
    let start = format!("a prop is left out: {prop}: ");
    assert!(said.rows[0].has_note(&start), "{said:?}");
}

/// Actors with one mesh, a sparse file of so many bytes that nobody reads: each output is made of it. The run ends before the first output.
/// What is told as large, and what is refused.
#[cfg(target_os = "linux")]
fn of_one_mesh(actors: u64, bytes: u64) -> (Bytes, Bytes) {
    let place = Place::new();
    place.put("mod/art/meshes/a.pmd", "");
    let mesh = fs::OpenOptions::new().write(true).open(place.at("mod/art/meshes/a.pmd")).unwrap();
    mesh.set_len(bytes).unwrap();
    drop(mesh);
    for index in 0..actors {
        let text = "<actor><group><variant><mesh>a.dae</mesh></variant></group></actor>";
        place.put(&format!("mod/art/actors/{index}.xml"), text);
    }
    let at_begin = || Err(io::ErrorKind::Interrupted.into());
    let source = Source::new(crate::mapping::auto(), skelmap::ParseOptions::default());
    let asked = Asked { at_begin: Some(&at_begin), source, ..Asked::default() };
    let (said, ended) = place.ask(&["mod"], "out", &options(|own| own.actors = vec!["**".to_owned()]), &asked);
    match ended.expect_err("the end") {
        ConvertError::TooLarge { made, read } => (said.large, Some((made, read))),
        ConvertError::Io(error) if error.kind() == io::ErrorKind::Interrupted => (said.large, None),
        other => panic!("{other}"),
    }
}

/// The docs of the limits: more than four times the inputs and 256 MiB are told, more than 64 times the inputs and 16 GiB are refused.
#[cfg(target_os = "linux")]
#[test]
fn outputs_that_are_made_of_far_more_bytes_than_the_inputs_are_told_or_refused() {
    const MIB: u64 = 1 << 20;
    let told = |actors: u64, bytes: u64| (Some((actors * bytes, bytes)), None);
    assert_eq!(of_one_mesh(5, 64 * MIB), told(5, 64 * MIB));
    assert_eq!(of_one_mesh(4, 65 * MIB), (None, None), "four times the inputs");
    assert_eq!(of_one_mesh(8, 32 * MIB), (None, None), "256 MiB");
    assert_eq!(of_one_mesh(8, 32 * MIB + 1), told(8, 32 * MIB + 1));
    assert_eq!(of_one_mesh(8, 1), (None, None), "few bytes");
    assert_eq!(of_one_mesh(64, 256 * MIB), told(64, 256 * MIB), "16 GiB, and 64 times the inputs");
    assert_eq!(of_one_mesh(65, 256 * MIB), (None, Some((65 * 256 * MIB, 256 * MIB))));
    assert_eq!(of_one_mesh(65, 128 * MIB), told(65, 128 * MIB), "less than 16 GiB");
    assert_eq!(of_one_mesh(64, 257 * MIB), told(64, 257 * MIB), "64 times the inputs");
}

/// The arm of the corpus with a second level of one triangle.
fn two_levels() -> ueformat::Model {
    with(ueformat_assets::arm(), |model| {
        let coarse = with(model.lods[0].clone(), |own| {
            own.name = b"LOD1".to_vec();
            own.indices.truncate(3);
            own.materials.truncate(1);
            own.materials[0].face_count = 1;
            own.morphs.clear();
        });
        model.lods.push(coarse);
    })
}

#[test]
fn the_level_of_detail_that_is_asked_for_is_written_and_the_last_one_of_a_mesh_with_fewer() {
    let place = Place::new();
    let model = two_levels();
    place.put("m.uemodel", ueformat::model(10, &model, ueformat::Style::CUE4PARSE).build().bytes);
    for (lod, level, note) in [(0, 0, false), (1, 1, false), (2, 1, true), (7, 1, true)] {
        let name = format!("{lod}.glb");
        let row = place.row(&["m.uemodel"], &name, &options(|own| own.lod = lod));
        assert_eq!((row.status, row.has_note(&format!("there is no level of detail {lod}"))), ("written", note));
        let file = Glb::read(&fs::read(place.at(&name)).unwrap());
        file.check();
        assert_eq!(file.corners(None).len(), model.lods[level].indices.len(), "{lod}");
    }
}

/// Values that both families store, each in its own space: the binding converts them.
#[test]
fn an_animation_of_ueformat_moves_a_mesh_of_actorx_and_the_other_way_round() {
    let place = Place::new();
    let turn = [0.6, 0.0, 0.0, 0.8];
    let mut mesh = Mesh::sheet(3, 3, 2);
    mesh.bones = vec![Bone::new("Root", 0, [0.0; 3], IDENTITY), Bone::new("Arm", 0, [1.0, 2.0, 3.0], IDENTITY)];
    let mut anim = Anim::sway(mesh.bones.clone(), &[("a", 1, 30.0)]);
    // All but the first rotation are conjugates, and y is negated: (0.6, 0, 0, 0.8) in Unreal is (-0.6, 0, 0, 0.8) with y negated, and its conjugate.
    let key = |position, rotation| Key { position, rotation, time: 1.0 };
    anim.keys = vec![key([0.0; 3], IDENTITY), key([4.0, -5.0, 6.0], turn)];
    let bone = |name: &str, parent, position| ueformat::Bone::new(name, parent, position, ueformat::IDENTITY);
    let model = with(ueformat_assets::arm(), |model| {
        let skeleton = model.skeleton.as_mut().unwrap();
        skeleton.bones = vec![bone("root", -1, [0.0; 3]), bone("arm", 0, [1.0, -2.0, 3.0])];
        skeleton.sockets.clear();
        model.lods[0].weights.iter_mut().for_each(|own| own.bone = 1);
    });
    let track = |name: &str, position, rotation| ueformat::Track {
        name: name.into(),
        positions: vec![(0, position)],
        rotations: vec![(0, rotation)],
        scales: Vec::new(),
    };
    let wave = ueformat::Animation {
        metadata: Some(ueformat::Metadata { frame_count: 1, rate: 30.0, ..ueformat::Metadata::default() }),
        tracks: vec![track("ROOT", [0.0; 3], IDENTITY), track("ARM", [4.0, 5.0, 6.0], turn)],
        curves: Vec::new(),
    };
    place.put("m.psk", psk(&mesh));
    place.put("a.psa", anim.chunks().build().bytes);
    place.put("m.uemodel", ueformat::model(10, &model, ueformat::Style::LIBRARY).build().bytes);
    place.put("new.ueanim", ueformat::animation(10, &wave, ueformat::Style::LIBRARY).build().bytes);
    place.put("old.ueanim", ueformat::animation(5, &wave, ueformat::Style::LIBRARY).build().bytes);
    let mut places_of_up = Vec::new();
    // x, z and y in centimetres: reference of glTF, 1.
    let expected = [0.04, 0.06, 0.05];
    for mesh in ["m.psk", "m.uemodel"] {
        for animation in ["a.psa", "new.ueanim", "old.ueanim"] {
            let name = format!("{mesh}-{animation}.glb");
            let given = Asked { animations: &[animation], ..Asked::default() };
            let said = place.convert(&[mesh], &name, &ConvertOptions::default(), &given);
            assert_eq!(said.outputs(), [(name.as_str(), "written")]);
            let file = Glb::read(&fs::read(place.at(&name)).unwrap());
            let (_, arm) =
                file.places(Some((0, 0.0))).into_iter().find(|(own, _)| own.eq_ignore_ascii_case("arm")).unwrap();
            let found = test_support::glb::transformed(&arm, [0.0; 3]);
            assert!(
                found.iter().zip(expected).all(|(one, other): (&f64, f64)| (one - other).abs() < 1e-6),
                "{name}: {found:?}"
            );
            let up = test_support::glb::transformed(&arm, [0.0, 0.0, 1.0]);
            places_of_up.push(up.map(|value| (value * 1e4).round() / 1e4));
        }
    }
    places_of_up.dedup();
    assert_eq!(places_of_up.len(), 1, "one rotation for all pairs: {places_of_up:?}");
}

#[test]
fn a_compressed_file_in_an_archive_has_the_checksum_of_what_is_stored() {
    let place = Place::new();
    let built = ueformat::model(9, &ueformat_assets::arm(), ueformat::Style::LIBRARY).build();
    let packed = ueformat::pack(&built, ueformat::Packing::Gzip).bytes;
    for (name, entry) in
        [("deflated", Entry::deflated("m.uemodel", &packed)), ("stored", Entry::stored("m.uemodel", &packed))]
    {
        let archive = format!("{name}.zip");
        place.put(&archive, Zip::of([entry]).build().bytes);
        let row = place.row(&[&archive], &format!("{name}.glb"), &ConvertOptions::default());
        assert_eq!((row.status, row.fault), ("written", None));
        Glb::read(&fs::read(place.at(&format!("{name}.glb"))).unwrap()).check();
    }
}

#[test]
fn the_animations_of_compressed_files_are_planned_as_they_are_written() {
    let place = Place::new();
    let wave = ueformat::animation(9, &ueformat_assets::wave(), ueformat::Style::LIBRARY).build();
    place.put("m.uemodel", ueformat::model(9, &ueformat_assets::arm(), ueformat::Style::LIBRARY).build().bytes);
    place.put("m.ueanim", ueformat::pack(&wave, ueformat::Packing::Gzip).bytes);
    let dry_run = Asked { dry_run: true, ..Asked::default() };
    let planned = place.convert(&["m.uemodel", "m.ueanim"], "out", &ConvertOptions::default(), &dry_run);
    let written = place.convert(&["m.uemodel", "m.ueanim"], "out", &ConvertOptions::default(), &Asked::default());
    assert_eq!([&planned, &written].map(|said| said.rows[0].animations), [1, 1], "{written:?}");
    // A list of poses has as many sequences as poses.
    let faces = ueformat::pose(9, &ueformat_assets::faces(), ueformat::Style::LIBRARY).build();
    place.put("m.uepose", ueformat::pack(&faces, ueformat::Packing::Gzip).bytes);
    let planned = place.convert(&["m.uemodel", "m.uepose"], "new", &ConvertOptions::default(), &dry_run);
    assert_eq!(planned.rows[0].animations, 3, "{planned:?}");
    // What is there is in the way of a run, and of a plan.
    let planned = place.convert(&["m.uemodel", "m.uepose"], "out", &ConvertOptions::default(), &dry_run);
    assert_eq!(planned.outputs(), [("out/m.glb", "failed")]);
}
