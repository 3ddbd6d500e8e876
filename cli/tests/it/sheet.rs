//! `sheet`: a picture of many models, and a picture for each.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::convert::{complaint, files, good};
use crate::run::{command, native};
use test_support::corpus::file;

fn sheet(place: &Path, arguments: &[&str]) -> Output {
    command().current_dir(place).arg("sheet").args(arguments).output().expect("the command starts")
}

/// The width, the height and the pixels of a PNG file, three or four bytes each.
fn pixels(bytes: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().expect("a PNG file");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut pixels).expect("pixels");
    (info.width, info.height, pixels)
}

fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a folder");
    for name in ["fox.psk", "fox.psa", "fox.pmd", "fox_walk.psa", "officer_walk.gsa", "fox.pyromod"] {
        fs::copy(good(name), place.path().join(name)).expect("copied");
    }
    place
}

#[test]
fn a_sheet_has_a_thumbnail_of_each_mesh() {
    let place = place();
    let output = sheet(
        place.path(),
        &["fox.psk", "fox.pmd", "fox.pyromod", "-o", "sheet.png", "--size", "100", "--per-row", "3"],
    );
    assert!(output.status.success(), "{}", complaint(&output));
    assert_eq!(complaint(&output), "skelmap: 3 models drawn, 0 failed\n");
    let (width, height, rgb) = pixels(&fs::read(place.path().join("sheet.png")).expect("a sheet"));
    // Three pictures of 100 pixels with 8 between and around them; three lines of 14 pixels below.
    assert_eq!((width, height), (3 * 108 + 8, 100 + 3 * 14 + 2 * 8));
    for column in 0..3 {
        let (left, mut drawn) = (8 + column * 108, 0);
        for y in 8..108 {
            for x in left..left + 100 {
                drawn += usize::from(rgb[((y * width + x) * 3) as usize] != 250);
            }
        }
        assert!(drawn > 1000, "thumbnail {column}: {drawn} pixels");
    }
}

#[test]
fn thumbnails_are_files_named_after_their_models() {
    let place = place();
    let output = sheet(place.path(), &["fox.psk", "fox.pyromod", "--thumbs", "thumbs", "--size", "64"]);
    assert!(output.status.success(), "{}", complaint(&output));
    let names = files(&place.path().join("thumbs"));
    assert_eq!(names.iter().map(String::as_str).collect::<Vec<_>>(), ["art/meshes/skeletal/fox.png", "fox.png"]);
    let (width, height, rgba) = pixels(&fs::read(place.path().join("thumbs/fox.png")).expect("a picture"));
    assert_eq!((width, height), (64, 64));
    assert!(rgba.chunks(4).any(|pixel| pixel[3] == 0) && rgba.chunks(4).any(|pixel| pixel[3] == 255));
    let again = sheet(place.path(), &["fox.psk", "--thumbs", "thumbs"]);
    assert_eq!(again.status.code(), Some(5), "{}", complaint(&again));
}

#[test]
fn a_film_has_frames_of_the_animation_that_fits() {
    let place = place();
    let output = sheet(place.path(), &["fox.psk", "fox.psa", "--film", "4", "--size", "64", "--thumbs", "film"]);
    assert!(output.status.success(), "{}", complaint(&output));
    let names = files(&place.path().join("film"));
    assert_eq!(
        names.iter().map(String::as_str).collect::<Vec<_>>(),
        ["fox-0.png", "fox-1.png", "fox-2.png", "fox-3.png"]
    );
    let frames: Vec<_> =
        names.iter().map(|name| fs::read(place.path().join("film").join(name)).expect("a frame")).collect();
    assert!(frames.windows(2).all(|two| two[0] != two[1]), "the fox walks");
    // The film of a sequence is not that of another, and the first is the one that nobody has to name.
    let film = |options: &[&str], folder: &str| {
        let line = [&["fox.psk", "fox.psa", "--film", "4", "--size", "64", "--thumbs", folder], options].concat();
        let output = sheet(place.path(), &line);
        (output.status.code(), fs::read(place.path().join(folder).join("fox-1.png")).ok())
    };
    assert_eq!(film(&["--sequence", "walk"], "walk"), (Some(0), Some(frames[1].clone())));
    let (status, idle) = film(&["--sequence", "idle"], "idle");
    assert!(status == Some(0) && idle.is_some_and(|idle| idle != frames[1]));
    assert_eq!(film(&["--sequence", "IDLE"], "upper").1, fs::read(place.path().join("idle/fox-1.png")).ok());
    assert_eq!(film(&["--sequence", "swim"], "swim"), (Some(1), None));
    let line = ["fox.psk", "fox.psa", "--film", "4", "--sequence", "swim", "-o", "swim.png"];
    let told = complaint(&sheet(place.path(), &line));
    assert!(told.contains("no animation has the sequence \"swim\" (walk, idle)"), "{told}");
}

/// As `convert`: with one output and one mesh that the arguments name, other places are searched for its animations.
#[test]
fn a_film_of_one_mesh_does_not_show_the_meshes_of_an_archive() {
    let place = place();
    let output = sheet(place.path(), &["fox.pmd", "fox.pyromod", "--film", "4", "--size", "64", "-o", "one.png"]);
    assert!(output.status.success(), "{}", complaint(&output));
    let own = sheet(place.path(), &["fox.pmd", "fox_walk.psa", "--film", "4", "--size", "64", "-o", "own.png"]);
    assert!(own.status.success(), "{}", complaint(&own));
    let size = |name: &str| {
        let (width, height, _) = pixels(&fs::read(place.path().join(name)).expect("a sheet"));
        (width, height)
    };
    assert_eq!(size("one.png"), size("own.png"));
    // Without a film, all are drawn.
    let all = sheet(place.path(), &["fox.pmd", "fox.pyromod", "--size", "64", "-o", "all.png"]);
    assert!(complaint(&all).contains("2 models drawn"), "{}", complaint(&all));
}

#[test]
fn files_that_cannot_be_read_come_first_and_give_status_1() {
    let place = tempfile::tempdir().expect("a folder");
    fs::copy(good("fox.psk"), place.path().join("a.psk")).expect("copied");
    fs::write(place.path().join("z.psk"), &file("actorx/mesh/classic.psk")[..100]).expect("written");
    let output = sheet(place.path(), &[".", "-o", "sheet.png", "--per-row", "2", "--size", "100"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(complaint(&output).contains("z.psk: "), "{}", complaint(&output));
    assert!(complaint(&output).ends_with("skelmap: 1 model drawn, 1 failed\n"), "{}", complaint(&output));
    let (width, _, rgb) = pixels(&fs::read(place.path().join("sheet.png")).expect("a sheet"));
    let is_red = |x: u32, y: u32| rgb[((y * width + x) * 3) as usize..][..3] == [190, 24, 32];
    let reds = |columns: std::ops::Range<u32>| {
        columns.flat_map(|x| (0..108).map(move |y| (x, y))).filter(|(x, y)| is_red(*x, *y)).count()
    };
    assert!(reds(8..108) > 50 && reds(116..216) == 0, "the first thumbnail says in red what is wrong");
}

#[test]
fn without_meshes_the_animations_are_drawn() {
    let place = place();
    for name in ["fox.psa", "fox_walk.psa", "officer_walk.gsa"] {
        let output = sheet(place.path(), &[name, "-o", "-", "--size", "100"]);
        assert!(output.status.success(), "{name}: {}", complaint(&output));
        let (_, _, rgb) = pixels(&output.stdout);
        assert!(rgb.chunks(3).filter(|pixel| **pixel != [250, 250, 251]).count() > 200, "{name}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let place = place();
    for size in ["16", "300"] {
        let output = sheet(place.path(), &["fox.psk", "-o", "/dev/full", "--size", size]);
        assert_eq!(output.status.code(), Some(5), "{}", complaint(&output));
    }
}

#[test]
fn sheets_that_nobody_can_look_at_are_refused() {
    let place = place();
    for (arguments, words) in [
        (&["fox.psk", "-o", "x.png", "--size", "9"][..], "16..=2048"),
        (&["fox.psk"], "--output"),
        (&["fox.psk", "-o", "x.jpg"], ".png"),
        (&["fox.psk", "--thumbs", "fox.psa"], "expected a folder"),
        (&["fox.psk", "fox.psa", "-o", "x.png", "--size", "2048", "--film", "64"], "--thumbs"),
    ] {
        let output = sheet(place.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", complaint(&output));
        assert!(complaint(&output).contains(words), "{}", complaint(&output));
    }
    assert_eq!(sheet(place.path(), &["missing", "-o", "x.png"]).status.code(), Some(3));
    assert!(!place.path().join("x.png").exists());
}

/// 255 bytes are a name, and no room for an extension.
#[test]
fn a_model_with_a_name_that_no_file_can_have_gets_no_thumbnail_and_the_others_do() {
    let place = tempfile::tempdir().expect("a folder");
    let mesh = fs::read(good("fox.psk")).expect("a file");
    let long = format!("{}.psk", "a".repeat(251));
    let zip = test_support::build_zip::Zip::of(
        [("fox.psk", &mesh), (long.as_str(), &mesh)]
            .map(|(name, bytes)| test_support::build_zip::Entry::stored(name, bytes)),
    );
    fs::write(place.path().join("mod.zip"), zip.build().bytes).expect("written");
    let output = sheet(place.path(), &["mod.zip", "--thumbs", "thumbs", "--size", "64"]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("no file: "),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(place.path().join("thumbs/fox.png").is_file());
}

/// The channels that the pixels of a thumbnail have, where it covers something.
#[cfg(feature = "textures")]
fn channels(thumb: &Path) -> [bool; 3] {
    let (_, _, rgba) = pixels(&fs::read(thumb).expect("a thumbnail"));
    let seen: Vec<&[u8]> = rgba.chunks_exact(4).filter(|pixel| pixel[3] > 0).collect();
    assert!(seen.len() > 50, "{} pixels", seen.len());
    [0, 1, 2].map(|channel| seen.iter().any(|pixel| pixel[channel] > 0))
}

#[cfg(feature = "textures")]
#[test]
fn thumbnails_wear_the_textures_that_a_conversion_gives() {
    use crate::convert::textures::{dressed, tga};

    let place = dressed(&["Body"]);
    let path = |name: &str| place.path().join(name);
    fs::write(path("Textures/Body.tga"), tga([0, 200, 0])).expect("written");
    fs::create_dir(path("Unused")).expect("made");
    fs::write(path("Unused/Body.tga"), tga([0, 0, 90])).expect("written");
    let only = |channel: usize| [0, 1, 2].map(|own| own == channel);
    for (arguments, expected) in [
        (&[][..], only(1)),
        (&["--texture-dir", "Unused"], only(2)),
        (&["--texture", "Body=Unused/Body.tga"], only(2)),
        (&["--no-textures"], [true; 3]),
    ] {
        let output = sheet(place.path(), &[&["Mesh", "--thumbs", "thumbs", "--force"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
        assert_eq!(channels(&path("thumbs/M.png")), expected, "{arguments:?}");
    }
    let output =
        command().current_dir(place.path()).args(["view", "Mesh", "-o", "pages", "-q"]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    assert_eq!(channels(&path("pages/thumbs/M.png")), only(1), "thumbnails of an index");
    // An image that cannot be read leaves the colours of materials.
    fs::write(path("Textures/Body.tga"), b"nothing").expect("written");
    let output = sheet(place.path(), &["Mesh", "--thumbs", "thumbs", "--force"]);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    assert_eq!(channels(&path("thumbs/M.png")), [true; 3]);
}

#[cfg(feature = "textures")]
#[test]
fn thumbnails_of_a_mod_wear_the_textures_of_its_actors() {
    use test_support::pyrogenesis::build::Pmd;

    let actor = "<actor version='1'><group><variant><mesh>dog.dae</mesh><textures><texture name='baseTex' file='dog.png'/></textures>
        </variant></group></actor>";
    let mesh = Pmd::grid(3, 3, 0, 1).build().bytes;
    let entries = [
        ("art/actors/a.xml", actor.as_bytes()),
        ("art/meshes/dog.dae.cached.pmd", &mesh),
        // Five bits of blue.
        ("art/textures/skins/dog.png.cached.dds", &crate::convert::textures::dds(0x1F)),
    ];
    let place = tempfile::tempdir().expect("a folder");
    fs::write(place.path().join("mod.zip"), crate::run::stored(&entries)).expect("written");
    let output = sheet(place.path(), &["mod.zip", "--thumbs", "thumbs"]);
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    assert_eq!(channels(&place.path().join("thumbs/art/meshes/dog.png")), [false, false, true]);
}

/// As in `convert`: each output that cannot be written is told, and the others are written.
#[test]
fn a_thumbnail_that_cannot_be_written_is_told_and_the_others_are_written() {
    let place = tempfile::tempdir().expect("a folder");
    for folder in ["in/art", "in/more"] {
        fs::create_dir_all(place.path().join(folder)).expect("made");
        fs::copy(good("fox.psk"), place.path().join(folder).join("fox.psk")).expect("copied");
    }
    fs::create_dir(place.path().join("out")).expect("made");
    // A file has the name of the folder.
    fs::write(place.path().join("out/art"), b"").expect("written");
    let output = sheet(place.path(), &["in", "--thumbs", "out", "--size", "16"]);
    let told = complaint(&output);
    assert_eq!(files(&place.path().join("out")), crate::convert::set(&["art", "more/fox.png"]), "{told}");
    let own = crate::convert::convert(place.path(), &["in", "-o", "out"]);
    assert_eq!([output.status.code(), own.status.code()], [Some(5); 2], "{told}{}", complaint(&own));
    assert!(
        told.starts_with(&format!("skelmap: in/art/fox.psk: {}", native("out/art"))) && told.lines().count() == 2,
        "{told}"
    );
    assert!(told.ends_with("1 model drawn, 1 failed\n"), "{told}");
    // One that is there already is another such one.
    fs::remove_file(place.path().join("out/art")).expect("removed");
    let again = sheet(place.path(), &["in", "--thumbs", "out", "--size", "16"]);
    assert_eq!(again.status.code(), Some(5), "{}", complaint(&again));
    assert!(
        complaint(&again).contains(&format!("in/more/fox.psk: {}: exists already", native("out/more/fox.png"))),
        "{}",
        complaint(&again)
    );
    assert!(place.path().join("out/art/fox.png").exists());
}
