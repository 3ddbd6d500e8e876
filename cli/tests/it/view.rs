//! `view`: one page for one model, whatever the file is.

use std::fs;
use std::process::Stdio;

use serde_json::Value;

use crate::convert::{complaint, good};
use crate::run::{command, native};
use test_support::corpus::file;

/// What `view` prints, says and ends with, in a folder.
struct Seen {
    status: Option<i32>,
    out: String,
    said: String,
}

fn view(place: &std::path::Path, arguments: &[&str]) -> Seen {
    let output = command().current_dir(place).arg("view").args(arguments).output().expect("the command starts");
    Seen {
        status: output.status.code(),
        said: complaint(&output),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
    }
}

fn info(html: &str) -> Value {
    let (_, rest) = html.split_once("id=\"info\">").expect("a page");
    serde_json::from_str(rest.split_once("</script>").expect("an end").0).expect("JSON")
}

/// A folder with the good files and a damaged one.
fn place() -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a folder");
    for name in [
        "fox.psk",
        "fox.psa",
        "fox.config",
        "fox.pmd",
        "fox_walk.psa",
        "fox_idle.psa",
        "officer_walk.gsa",
        "fox.pyromod",
    ] {
        fs::copy(good(name), place.path().join(name)).expect("copied");
    }
    fs::write(place.path().join("finding.psk"), file("actorx/mesh/face_degenerate.psk")).expect("written");
    fs::write(place.path().join("cut.psk"), &file("actorx/mesh/classic.psk")[..100]).expect("written");
    place
}

#[test]
fn a_page_is_named_after_its_model_and_its_path_is_printed() {
    let place = place();
    let seen = view(place.path(), &["fox.psk", "fox.psa"]);
    assert_eq!((seen.status, seen.out.as_str(), seen.said.as_str()), (Some(0), "fox.html\n", ""));
    let page = info(&fs::read_to_string(place.path().join("fox.html")).expect("a page"));
    let names: Vec<&str> =
        page["clips"].as_array().expect("a list").iter().map(|clip| clip["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["walk", "idle"]);
    assert_eq!(
        (&page["clips"][0]["source"], &page["path"], &page["format"]),
        (&"fox".into(), &"fox.psk".into(), &"actorx.psk".into())
    );
    // Only what was asked for.
    let seen = view(place.path(), &["fox.psk", "--anim", "fox.psa", "--sequence", "idle", "-o", "-"]);
    assert_eq!(seen.status, Some(0));
    assert_eq!(info(&seen.out)["clips"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_page_of_skelmap_is_replaced_and_other_files_are_not() {
    let place = place();
    assert_eq!(view(place.path(), &["fox.psk"]).status, Some(0));
    assert_eq!(view(place.path(), &["fox.psk", "fox.psa"]).status, Some(0));
    let page = fs::read_to_string(place.path().join("fox.html")).expect("a page");
    assert_eq!(info(&page)["clips"].as_array().map(Vec::len), Some(2));
    fs::write(place.path().join("fox.html"), "my own page").expect("written");
    let seen = view(place.path(), &["fox.psk"]);
    assert_eq!(seen.status, Some(5), "{}", seen.said);
    assert!(seen.said.contains("fox.html: exists already"), "{}", seen.said);
    assert_eq!(fs::read_to_string(place.path().join("fox.html")).expect("a file"), "my own page");
    assert_eq!(view(place.path(), &["fox.psk", "--force"]).status, Some(0));
    // A pipe is no page, and nobody waits for its reader.
    if cfg!(unix) {
        let pipe = place.path().join("pipe.html");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
        let seen = view(place.path(), &["fox.psk", "-o", "pipe.html", "--force"]);
        assert_eq!(seen.status, Some(5), "{}", seen.said);
    }
    // An input is no output, whatever was asked for.
    let seen = view(place.path(), &["fox.psk", "-o", "fox.psk", "--force"]);
    assert_ne!(seen.status, Some(0));
    assert_eq!(fs::read(place.path().join("fox.psk")).expect("a file"), fs::read(good("fox.psk")).expect("a file"));
}

#[test]
fn a_page_has_the_findings_and_their_places() {
    let place = place();
    let seen = view(place.path(), &["finding.psk"]);
    assert_eq!(seen.status, Some(0), "{}", seen.said);
    let page = info(&fs::read_to_string(place.path().join("finding.html")).expect("a page"));
    assert_eq!(page["findings"][0]["code"], "face-degenerate");
    assert_eq!(page["findings"][0]["points"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_broken_file_gives_a_page_that_says_why() {
    let place = place();
    let seen = view(place.path(), &["cut.psk"]);
    assert_eq!((seen.status, seen.out.as_str()), (Some(1), "cut.html\n"));
    let page = info(&fs::read_to_string(place.path().join("cut.html")).expect("a page"));
    let error = page["error"].as_str().expect("an error");
    assert!(seen.said.contains(error) && error.contains("bytes"), "{error}: {}", seen.said);
    let seen = view(place.path(), &["missing.psk"]);
    assert_eq!((seen.status, seen.out.as_str()), (Some(3), ""), "{}", seen.said);
    // The mesh has its page, and what is missing is said.
    let seen = view(place.path(), &["fox.psk", "missing.psa"]);
    assert_eq!((seen.status, seen.out.as_str()), (Some(1), "fox.html\n"), "{}", seen.said);
    let seen = view(place.path(), &["fox.psk", "fox.psa", "--sequence", "fly"]);
    assert!(seen.status == Some(1) && seen.said.contains("no animation has a sequence fly"), "{}", seen.said);
    assert_eq!(view(place.path(), &["fox.psk", "-o", "fox.psa"]).status, Some(2));
}

#[test]
fn animations_alone_entries_and_other_families_have_pages() {
    let place = place();
    for (arguments, words) in [
        (&["officer_walk.gsa"][..], "rotations only"),
        (&["fox_walk.psa"], "neither names nor parents"),
        (&["fox.pmd", "fox_walk.psa", "fox_idle.psa"], ""),
        (&["fox.pyromod!/art/meshes/skeletal/fox.pmd"], ""),
    ] {
        let seen = view(place.path(), &[arguments, &["-o", "-"]].concat());
        assert_eq!(seen.status, Some(0), "{arguments:?}: {}", seen.said);
        let notes = info(&seen.out)["notes"].to_string();
        assert!(notes.contains(words), "{notes}");
    }
}

#[test]
fn a_page_that_would_be_too_large_is_refused() {
    let place = place();
    let seen = view(place.path(), &["fox.psk", "fox.psa", "--max-size", "10K"]);
    assert_eq!(seen.status, Some(1));
    assert!(seen.said.contains("more than 10240 bytes"), "{}", seen.said);
    assert_eq!(view(place.path(), &["fox.psk", "--open", "-o", "-"]).status, Some(2));
}

/// The page is what was asked for: as with `cargo doc --open`, a machine without a browser is no failure. On Windows
/// a program that opens pages is found without `PATH`.
#[cfg(unix)]
#[test]
fn without_a_browser_the_page_is_written_and_the_status_is_0() {
    let place = place();
    let mut view = command();
    let view = view.current_dir(place.path()).env("PATH", "").env_remove("BROWSER");
    let output = view.args(["view", "fox.psk", "-o", "fox.html", "--open"]).output().expect("the command starts");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(complaint(&output), "skelmap: fox.html: no browser could be started: open the page by hand\n");
    assert!(place.path().join("fox.html").is_file());
}

#[test]
fn convert_writes_pages_of_many_models() {
    let place = place();
    let output = command()
        .current_dir(place.path())
        .args(["convert", "fox.psk", "fox.psa", "fox.pmd", "fox_walk.psa", "--to", "html", "-o", "pages"])
        .output();
    let output = output.expect("the command starts");
    assert!(output.status.success(), "{}", complaint(&output));
    let names = crate::convert::files(&place.path().join("pages"));
    assert!(names.contains("fox.html") && names.contains("fox-2.html"), "{names:?}");
}

#[test]
fn an_index_has_a_thumbnail_and_a_page_for_each_model_and_names_what_is_broken() {
    let place = place();
    let mods = place.path().join("mods/a b");
    fs::create_dir_all(&mods).expect("a folder");
    for name in ["fox.psk", "fox.psa", "fox.pyromod"] {
        fs::copy(good(name), mods.join(name)).expect("copied");
    }
    // No name on Windows has `<` or `>`.
    let broken = if cfg!(windows) { "cut&.psk" } else { "<i>cut&.psk" };
    fs::write(mods.join(broken), &file("actorx/mesh/classic.psk")[..100]).expect("written");
    let seen = view(place.path(), &["mods", "-o", "pages", "--each"]);
    assert_eq!((seen.status, seen.out.as_str()), (Some(1), native("pages/index.html\n").as_str()), "{}", seen.said);
    let html = fs::read_to_string(place.path().join("pages/index.html")).expect("an index");
    assert_eq!(html.matches("<li>").count(), 3);
    assert!(
        html.contains(&broken.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"))
            && !html.contains(broken)
            && html.contains("class=\"error\""),
        "{html}"
    );
    let links = |start: &str| -> Vec<String> {
        let rest = html.split(start).skip(1).map(|rest| rest.split_once('"').expect("an end").0);
        rest.map(|link| link.replace("%20", " ")).collect()
    };
    assert_eq!(links("<img src=\"").len(), 2);
    for link in links("<img src=\"").into_iter().chain(links("href=\"")) {
        assert!(place.path().join("pages").join(&link).is_file(), "{link}");
    }
    // The page of a model that has the name of the index has another one.
    fs::copy(good("fox.pmd"), mods.parent().expect("a folder").join("index.pmd")).expect("copied");
    assert_eq!(view(place.path(), &["mods", "-o", "pages", "--each"]).status, Some(1));
    let pages = crate::convert::files(&place.path().join("pages"));
    assert!(pages.contains("index.html") && pages.contains("index-2.html"), "{pages:?}");
    fs::remove_file(mods.parent().expect("a folder").join("index.pmd")).expect("removed");
    // Again: what skelmap has made is replaced, and what somebody else has put there is not.
    assert_eq!(view(place.path(), &["mods", "-o", "pages", "--each"]).status, Some(1));
    let own = place.path().join("pages/a b/fox.html");
    fs::write(&own, "my own page").expect("written");
    let seen = view(place.path(), &["mods", "-o", "pages", "--each"]);
    assert_eq!(seen.status, Some(5), "{}", seen.said);
    assert_eq!(fs::read_to_string(&own).expect("a file"), "my own page");
    assert_eq!(view(place.path(), &["mods"]).status, Some(2));
}

#[test]
fn the_browser_runs_the_script_of_the_index_and_no_other() {
    use base64::Engine as _;
    use sha2::Digest as _;

    let place = place();
    assert_eq!(view(place.path(), &["fox.psk", "-o", "pages"]).status, Some(0));
    let html = fs::read_to_string(place.path().join("pages/index.html")).expect("an index");
    let between = |start: &str, end: &str| {
        html.split_once(start).expect("a start").1.split_once(end).expect("an end").0.to_owned()
    };
    let hash = sha2::Sha256::digest(between("<script>", "</script>"));
    let hash = base64::engine::general_purpose::STANDARD.encode(hash);
    assert_eq!(between("script-src '", "'"), format!("sha256-{hash}"));
    assert_eq!(html.matches("<script").count(), 1);
}

#[test]
fn a_page_for_a_reader_that_has_gone_ends_without_a_word() {
    let place = place();
    for line in [&["view", "fox.psk", "-o", "-"][..], &["convert", "fox.psk", "-o", "-"]] {
        let mut page = command();
        page.current_dir(place.path()).args(line).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut page = page.spawn().expect("started");
        drop(page.stdout.take());
        let ended = page.wait_with_output().expect("ended");
        assert_eq!((ended.status.code(), complaint(&ended).as_str()), (Some(0), ""), "{line:?}");
    }
}

#[test]
fn models_of_an_index_are_chosen_and_ordered() {
    let place = place();
    let titles = |arguments: &[&str]| -> Vec<String> {
        let seen = view(place.path(), &[&[".", "-o", "pages", "--force"], arguments].concat());
        assert!(seen.status < Some(3), "{}", seen.said);
        let html = fs::read_to_string(place.path().join("pages/index.html")).expect("a page");
        let parts = html.split("<li><div title=\"").skip(1).map(|part| part.split('"').next().expect("a title"));
        parts.map(|title| title.trim_start_matches("./").to_owned()).collect()
    };
    let size = |name: &str| fs::metadata(place.path().join(name)).expect("a file").len();
    assert!(size("fox.psk") < size("fox.pmd"));
    let files = ["--glob", "fox.*", "--exclude", "*.pyromod", "--sort"];
    assert_eq!(titles(&[files.as_slice(), &["bytes"]].concat()), ["fox.psk", "fox.pmd"]);
    assert_eq!(titles(&[files.as_slice(), &["-bytes"]].concat()), ["fox.pmd", "fox.psk"]);
    assert_eq!(titles(&[files.as_slice(), &["-bytes", "--limit", "1", "--where", "faces > 0"]].concat()), ["fox.pmd"]);
    assert_eq!(
        titles(&["--where", "points > 200", "--exclude", "*.pyromod", "--sort", "path"]),
        ["fox.pmd", "fox.psk"]
    );
    assert_eq!(titles(&["--glob", "FINDING.*", "-i"]), ["finding.psk"]);
    for (arguments, filter) in
        [(["--glob", "*.nothing"], "--glob '*.nothing'"), (["--where", "faces > 100000"], "--where 'faces > 100000'")]
    {
        let seen = view(place.path(), &[&[".", "-o", "pages", "--force"], arguments.as_slice()].concat());
        assert_eq!((seen.status, seen.out.as_str()), (Some(3), ""), "{}", seen.said);
        assert!(seen.said.contains(&format!("no model left by {filter}")), "{}", seen.said);
    }
}

#[test]
#[cfg(unix)]
fn thumbnails_are_not_written_where_a_link_in_the_folder_leads() {
    let place = place();
    for folder in ["mods", "pages", "victim"] {
        fs::create_dir_all(place.path().join(folder)).expect("a folder");
    }
    fs::copy(good("fox.psk"), place.path().join("mods/fox.psk")).expect("copied");
    std::os::unix::fs::symlink("../victim", place.path().join("pages/thumbs")).expect("a link");
    let seen = view(place.path(), &["mods", "-o", "pages", "--force"]);
    assert_eq!(seen.status, Some(5), "{}", seen.said);
    assert!(seen.said.contains("thumbs exists and is not a folder"), "{}", seen.said);
    assert_eq!(fs::read_dir(place.path().join("victim")).expect("a folder").count(), 0);
}

#[test]
fn a_page_has_the_name_of_a_page() {
    let place = place();
    fs::copy(good("fox.psk"), place.path().join("fox.psk")).expect("copied");
    let seen = view(place.path(), &["fox.psk", "-o", "fox.txt"]);
    assert_eq!(seen.status, Some(2), "{}", seen.said);
    assert!(seen.said.contains("expected a name in .html, or a folder"), "{}", seen.said);
    assert_eq!(view(place.path(), &["fox.psk", "-o", "fox.txt/"]).status, Some(0), "a folder, as its slash says");
}

#[test]
fn a_model_is_one_page_also_with_a_folder_in_which_its_animations_are() {
    let place = place();
    fs::create_dir(place.path().join("mods")).expect("a folder");
    fs::copy(good("fox.psk"), place.path().join("fox.psk")).expect("copied");
    for name in ["fox.psa", "fox.pmd"] {
        fs::copy(good(name), place.path().join("mods").join(name)).expect("copied");
    }
    let _ = fs::remove_file(place.path().join("fox.psa"));
    let seen = view(place.path(), &["fox.psk", "mods", "-o", "fox.html"]);
    assert_eq!((seen.status, seen.out.as_str()), (Some(0), "fox.html\n"), "{}", seen.said);
    let html = fs::read_to_string(place.path().join("fox.html")).expect("a page");
    assert_eq!(info(&html)["clips"][0]["name"], "walk");
    assert_eq!(view(place.path(), &["mods", "-o", "fox.html"]).status, Some(2), "no model is named");
}

#[test]
fn a_model_whose_files_cannot_be_written_is_told_once_and_the_others_have_theirs() {
    let place = tempfile::tempdir().expect("a folder");
    for folder in ["in/art", "in/more"] {
        fs::create_dir_all(place.path().join(folder)).expect("made");
        fs::copy(good("fox.psk"), place.path().join(folder).join("fox.psk")).expect("copied");
    }
    for folder in ["out", "out/thumbs"] {
        fs::create_dir_all(place.path().join(folder)).expect("made");
        // A file has the name of the folder.
        fs::write(place.path().join(folder).join("art"), b"").expect("written");
    }
    let seen = view(place.path(), &["in", "--each", "-o", "out"]);
    assert!(
        seen.said.starts_with("skelmap: in/art/fox.psk: ") && seen.said.contains(&native("out/art")),
        "{}",
        seen.said
    );
    assert_eq!(seen.said.matches("in/art/fox.psk").count(), 1, "{}", seen.said);
    assert_ne!(seen.status, Some(0));
    for made in ["out/more/fox.html", "out/thumbs/more/fox.png", "out/index.html"] {
        assert!(place.path().join(made).exists(), "{made}: {}", seen.said);
    }
}

#[test]
fn a_sequence_that_no_model_of_a_folder_has_is_told() {
    let place = place();
    let seen = view(place.path(), &["fox.psk", "fox.psa", "--each", "-o", "out", "--sequence", "nope"]);
    assert_eq!(seen.status, Some(1), "{}", seen.said);
    assert_eq!(seen.said.matches("no animation has a sequence nope (idle, walk)").count(), 1, "{}", seen.said);
}

/// Whatever the order of the files is.
#[test]
fn each_file_that_cannot_be_read_is_told_and_the_worst_decides() {
    let place = place();
    for files in [["nope.psk", "cut.psk"], ["cut.psk", "nope.psk"]] {
        let seen = view(place.path(), &[files[0], files[1], "-o", "e.html"]);
        assert_eq!(seen.status, Some(3), "{}", seen.said);
        assert!(files.iter().all(|file| seen.said.contains(&format!("{file}: "))), "{}", seen.said);
        assert!(!place.path().join("e.html").exists());
    }
    fs::create_dir(place.path().join("art")).expect("made");
    fs::copy(good("fox.psk"), place.path().join("art/fox.psk")).expect("copied");
    let seen = view(place.path(), &["art", "-o", "pages", "--each", "--anim", "fox.psa", "--anim", "nope.psa"]);
    assert_eq!(seen.status, Some(1), "{}", seen.said);
    assert!(seen.said.contains("nope.psa: ") && seen.said.contains("1 model, 0 failed"), "{}", seen.said);
    // Thumbnails play nothing.
    for option in ["--anim", "--sequence"] {
        let seen = view(place.path(), &["art", "-o", "more", option, "nope.psa"]);
        assert_eq!(seen.status, Some(2), "{}", seen.said);
        assert!(seen.said.contains("add --each") && !place.path().join("more").exists(), "{}", seen.said);
    }
}

/// Pages are given to others: the folders of this machine are nobody's business.
#[test]
fn pages_have_no_absolute_path() {
    let place = place();
    fs::create_dir_all(place.path().join("mods/art")).expect("made");
    for name in ["fox.psk", "cut.psk", "fox.pyromod"] {
        fs::copy(place.path().join(name), place.path().join("mods/art").join(name)).expect("copied");
    }
    let folder = place.path().join("mods").to_string_lossy().into_owned();
    let archive = place.path().join("fox.pyromod").to_string_lossy().into_owned();
    let above = place.path().file_name().expect("a name").to_string_lossy().into_owned();
    // A folder has the name of a side-car.
    fs::create_dir_all(place.path().join("cars/fox.config")).expect("made");
    fs::copy(good("fox.psa"), place.path().join("cars/fox.psa")).expect("copied");
    let animation = place.path().join("cars/fox.psa").to_string_lossy().into_owned();
    let seen = view(place.path(), &[&animation, "-o", "error.html"]);
    let html =
        fs::read_to_string(place.path().join("error.html")).unwrap_or_else(|error| panic!("{error}: {}", seen.said));
    assert!(html.contains("side-car fox.config: ") && !html.contains(&above), "{}", seen.said);
    // A folder of textures lies elsewhere, and one of them is no image.
    fs::create_dir(place.path().join("looks")).expect("made");
    fs::write(place.path().join("looks/fox_coat.png"), "no image").expect("written");
    let looks = place.path().join("looks").to_string_lossy().into_owned();
    let seen = view(place.path(), &["mods/art/fox.psk", "--texture-dir", &looks, "-o", "looks.html"]);
    let html =
        fs::read_to_string(place.path().join("looks.html")).unwrap_or_else(|error| panic!("{error}: {}", seen.said));
    assert!(html.contains("texture fox_coat.png: ") && !html.contains(&above), "{}", seen.said);
    // Nor does a page that says why there is no model, whatever it is about.
    let page = |arguments: &[&str]| {
        let seen = view(place.path(), &[arguments, &["-o", "why.html", "--force"]].concat());
        let html = fs::read_to_string(place.path().join("why.html"));
        assert!(!html.unwrap_or_else(|error| panic!("{error}: {}", seen.said)).contains(&above), "{}", seen.said);
    };
    page(&["mods/art/fox.psk", "--anim", &animation]);
    let cut = place.path().join("mods/art/cut.psk").to_string_lossy().into_owned();
    page(&["mods/art/fox.psk", "--anim", &cut]);
    let output = command().current_dir(place.path()).args(["catalog", &folder, "--report", "report.html"]).output();
    let report = fs::read_to_string(place.path().join("report.html"));
    let said = complaint(&output.expect("the command starts"));
    let report = report.unwrap_or_else(|error| panic!("{error}: {said}"));
    assert!(native(&report).contains(&native("<bdi>art/fox.psk")) && !report.contains(&above), "{report}");
    for (paths, shown) in [
        (vec![&*folder], "title=\"art/fox.psk\""),
        (vec![&*archive], "title=\"fox.pyromod!/art/meshes/skeletal/fox.pmd\""),
        (vec![&*folder, &*archive], "title=\"mods/art/fox.psk\""),
    ] {
        let seen = view(place.path(), &[&paths[..], &["--each", "-o", "pages", "--force"]].concat());
        assert!(seen.status < Some(2), "{}", seen.said);
        let pages = crate::convert::files(&place.path().join("pages"));
        for page in pages.iter().filter(|name| name.contains(".html")) {
            let html = fs::read_to_string(place.path().join("pages").join(page)).expect("a page");
            assert!(!html.contains(&above), "{page} of {paths:?}");
        }
        let index = fs::read_to_string(place.path().join("pages/index.html")).expect("an index");
        assert!(native(&index).contains(&native(shown)), "{index}");
    }
}
