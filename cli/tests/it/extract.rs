//! `skelmap extract`: entries as files, below one folder and nowhere else.

#[cfg(unix)]
use crate::run::corpus;
use crate::run::{Folder, deflated, native, stored};
use test_support::build_zip::{ENCRYPTED, Entry, Zip};

fn put(folder: &Folder, entries: impl IntoIterator<Item = Entry>) {
    folder.put("mod.zip", Zip::of(entries).build().bytes);
}

/// The files below the folder `out`.
fn extracted(folder: &Folder) -> Vec<String> {
    folder.files().iter().filter_map(|file| file.strip_prefix("out/")).map(str::to_owned).collect()
}

#[test]
fn everything_is_extracted_as_it_was_packed() {
    let folder = Folder::new();
    let long: Vec<u8> = (0..100_000_u32).flat_map(|index| (index / 7).to_le_bytes()).collect();
    let files: [(&str, &[u8]); 5] = [
        ("a.psk", b"mesh"),
        ("art/b.psa", &long),
        ("art/deep/er/c", b""),
        ("d e.txt", b"\0\n"),
        ("\u{30B7}/\u{E9}.x", b"\xE9"),
    ];
    for archive in [stored(&files), deflated(&files)] {
        folder.put("mod.zip", archive);
        let ran = folder.says(0, "extract mod.zip -o out/new --force");
        assert!(ran.out.is_empty() && ran.complaints.starts_with("skelmap: 5 files extracted, "), "{}", ran.complaints);
        for (name, data) in files {
            assert!(folder.read(format!("out/new/{name}")) == data, "{name}");
        }
        assert_eq!(extracted(&folder).len(), files.len(), "and nothing else");
    }
}

#[test]
fn folders_are_created_for_files_only() {
    let folder = Folder::new();
    put(&folder, [Entry::folder("empty/"), Entry::folder("art/"), Entry::stored("art/a", b"x")]);
    folder.says(0, "extract mod.zip -o out");
    assert_eq!(extracted(&folder), ["art/a"]);
    assert!(!folder.at("out/empty").exists());
    put(&folder, [Entry::folder("empty/")]);
    folder.says(3, "extract mod.zip -o out");
}

#[test]
fn one_star_matches_inside_a_folder_and_two_stars_match_across_folders() {
    let folder = Folder::new();
    let names = ["a.psa", "art/b.psa", "art/c.psk", "art/deep/d.psa", "art/deep/er/e.PSA", "b/[x].psa"];
    put(&folder, names.map(|name| Entry::stored(name, name)));
    let matched = |patterns: &[&str]| {
        folder.ends(0, &[&["extract", "mod.zip", "-o", "out"], patterns].concat());
        let found = extracted(&folder);
        std::fs::remove_dir_all(folder.at("out")).expect("removed");
        found
    };
    assert_eq!(matched(&["/*.psa"]), ["a.psa"], "whole names");
    assert_eq!(matched(&["/*/*.psa"]), ["art/b.psa", "b/[x].psa"]);
    // Wherever it matches, as people type it.
    assert_eq!(matched(&["*.psa"]), ["a.psa", "art/b.psa", "art/deep/d.psa", "b/[x].psa"]);
    assert_eq!(matched(&["deep/*"]), ["art/deep/d.psa"]);
    assert_eq!(matched(&["*ee*"]), ["art/deep/d.psa", "art/deep/er/e.PSA"], "all below a folder of that name");
    assert_eq!(matched(&["-i", "*.PSA"]).len(), 5);
    assert_eq!(matched(&["--ignore-case", "ART/C.psk"]), ["art/c.psk"]);
    assert_eq!(matched(&["art/**/*.psa"]), ["art/b.psa", "art/deep/d.psa"]);
    assert_eq!(matched(&["**/*.psa"]), ["a.psa", "art/b.psa", "art/deep/d.psa", "b/[x].psa"]);
    assert_eq!(matched(&["art/**"]), ["art/b.psa", "art/c.psk", "art/deep/d.psa", "art/deep/er/e.PSA"]);
    assert_eq!(matched(&["**"]).len(), names.len());
    assert_eq!(matched(&["/?.psa", "art/c.*"]), ["a.psa", "art/c.psk"], "any of the patterns");
    assert_eq!(matched(&["b/[[]x].psa"]), ["b/[x].psa"]);
    assert_eq!(matched(&["art/*.{psa,psk}"]), ["art/b.psa", "art/c.psk"]);
    assert_eq!(matched(&["art/deep/d.psa"]), ["art/deep/d.psa"], "a name is a pattern");
    let none = folder.ends(3, &["extract", "mod.zip", "deep/*.x", "DEEP/*", "-o", "out"]);
    assert!(none.complaints.contains("skelmap: mod.zip: no entry matches \"deep/*.x\""), "{}", none.complaints);
    assert!(none.complaints.contains("\"DEEP/*\"; with --ignore-case, 1 entry would"), "{}", none.complaints);
    let refused = folder.ends(2, &["extract", "mod.zip", "art/[", "-o", "out"]);
    assert!(refused.complaints.contains("art/["), "{}", refused.complaints);
    assert!(!folder.at("out").exists());
}

#[test]
fn names_that_lead_out_of_the_folder_are_refused_and_the_rest_is_extracted() {
    let unsafe_names = [
        "../up.txt",
        "..",
        "a/../../up.txt",
        "a/..",
        "fine/../fine.txt",
        "/absolute.txt",
        "//host/share.txt",
        "C:/drive.txt",
        "C:drive.txt",
        "C:\\drive.txt",
        "..\\up.txt",
        "a\\..\\..\\up.txt",
        "\\absolute.txt",
        "stream.txt:hidden",
        "line\nbreak.txt",
        "nul\0.txt",
        "dots.../a.txt",
        "a/NUL.txt",
        "",
        ".",
        "./",
    ];
    let folder = Folder::new();
    for name in unsafe_names {
        put(
            &folder,
            [Entry::stored("fine.txt", b"fine"), Entry::stored(name, b"bad"), Entry::stored("z/fine", b"fine")],
        );
        // A name in `/` is a folder's: passed over.
        let status = i32::from(!name.ends_with('/'));
        let ran = folder.says(status, "extract mod.zip -o deep/out --force");
        assert_eq!(folder.files(), ["deep/out/fine.txt", "deep/out/z/fine", "mod.zip"], "{name:?}");
        let shown = format!("skelmap: mod.zip: entry {name:?}: the name is not safe as a path: ");
        assert_eq!(ran.complaints.starts_with(&shown), status == 1, "{name:?}: {}", ran.complaints);
        assert_eq!(folder.read("deep/out/fine.txt"), b"fine");
    }
    assert!(!std::path::Path::new("/absolute.txt").exists());
}

#[test]
fn odd_but_harmless_names_are_normalised() {
    let folder = Folder::new();
    put(&folder, ["./a", "b//c", "d/./e", "..f", "g..h/i"].map(|name| Entry::stored(name, name)));
    folder.says(0, "extract mod.zip -o out");
    assert_eq!(extracted(&folder), ["..f", "a", "b/c", "d/e", "g..h/i"]);
}

#[cfg(unix)]
#[test]
fn extract_follows_no_links_inside_of_the_folder() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new();
    folder.put("elsewhere/target", b"precious");
    folder.put("out/kept", b"");
    symlink(folder.at("elsewhere"), folder.at("out/folder")).expect("a link");
    symlink(folder.at("elsewhere/target"), folder.at("out/file")).expect("a link");
    symlink(folder.at("elsewhere/new"), folder.at("out/dangling")).expect("a link");
    put(&folder, ["folder/in", "folder/deep/in", "file", "dangling", "fine"].map(|name| Entry::stored(name, b"bad")));
    for force in ["", " --force"] {
        let ran = folder.says(1, &format!("extract mod.zip -o out{force}"));
        assert!(ran.complaints.contains("1 file extracted, 3 B, 4 failed"), "{}", ran.complaints);
        assert_eq!(folder.read("elsewhere/target"), b"precious");
        assert_eq!(std::fs::read_dir(folder.at("elsewhere")).expect("a folder").count(), 1);
        folder.remove("out/fine");
    }
    // The folder itself may be one: that is what the user said.
    symlink(folder.at("elsewhere"), folder.at("linked")).expect("a link");
    folder.says(0, "extract mod.zip fine -o linked");
    assert_eq!(folder.read("elsewhere/fine"), b"bad");
}

/// Conversions, thumbnails and pages are written below their folder as extracted entries are.
#[cfg(unix)]
#[test]
fn no_output_is_written_through_a_link_inside_of_its_folder() {
    use std::os::unix::fs::symlink;

    for line in
        ["convert mods -o out", "convert mods -o out --force", "sheet mods --thumbs out", "view mods -o out --each"]
    {
        let folder = Folder::new();
        folder.put("mods/a/fox.psk", corpus("actorx/mesh/classic.psk"));
        folder.put("elsewhere/kept", b"");
        folder.put("out/kept", b"");
        symlink(folder.at("elsewhere"), folder.at("out/a")).expect("a link");
        folder.put("out/thumbs/kept", b"");
        symlink(folder.at("elsewhere"), folder.at("out/thumbs/a")).expect("a link");
        let ran = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert_ne!(ran.status, 0, "{line}");
        assert!(ran.complaints.contains("is not a folder"), "{line}: {}", ran.complaints);
        assert_eq!(std::fs::read_dir(folder.at("elsewhere")).expect("a folder").count(), 1, "{line}");
    }
}

/// The record of a conversion is appended to: a link, or a second name of another file, would change that file.
#[cfg(unix)]
#[test]
fn the_record_of_a_conversion_is_no_link_and_no_second_name() {
    type Link = fn(&std::path::Path, &std::path::Path) -> std::io::Result<()>;
    let links: [Link; 2] = [|to, from| std::os::unix::fs::symlink(to, from), |to, from| std::fs::hard_link(to, from)];
    for link in links {
        let folder = Folder::new();
        folder.put("fox.psk", corpus("actorx/mesh/classic.psk"));
        let precious = folder.put("precious", b"alias ls=x\n");
        folder.put("out/kept", b"");
        link(&precious, &folder.at("out/.skelmap-convert.jsonl")).expect("a link");
        let ran = folder.run(&["convert", "fox.psk", "-o", "out"]);
        assert_ne!(ran.status, 0, "{}", ran.complaints);
        assert_eq!(folder.read("precious"), b"alias ls=x\n");
    }
    // A link to nothing makes no file there.
    let folder = Folder::new();
    folder.put("fox.psk", corpus("actorx/mesh/classic.psk"));
    folder.put("out/kept", b"");
    std::os::unix::fs::symlink(folder.at("made"), folder.at("out/.skelmap-convert.jsonl")).expect("a link");
    assert_ne!(folder.run(&["convert", "fox.psk", "-o", "out"]).status, 0);
    assert!(!folder.at("made").exists());
}

#[test]
fn an_archive_brings_no_file_that_the_command_makes_for_itself() {
    let folder = Folder::new();
    let names = [".skelmap-convert.jsonl", "a/.Skelmap-convert.jsonl", ".skelmap-1-2.part", "fine"];
    put(&folder, names.map(|name| Entry::stored(name, b"bad")));
    let ran = folder.says(1, "extract mod.zip -o out");
    assert!(ran.complaints.contains("1 file extracted, 3 B, 3 failed"), "{}", ran.complaints);
    assert_eq!(extracted(&folder), ["fine"]);
}

#[test]
fn a_file_that_exists_is_kept_unless_forced() {
    let folder = Folder::new();
    folder.put("out/a", b"old");
    put(&folder, [Entry::stored("a", b"new"), Entry::stored("b", b"new")]);
    let ran = folder.says(5, "extract mod.zip -o out");
    assert!(ran.complaints.contains("entry \"a\": exists already (--force replaces it)"), "{}", ran.complaints);
    assert!(ran.complaints.contains("1 file there already: --resume skips those"), "{}", ran.complaints);
    assert_eq!((folder.read("out/a"), folder.read("out/b")), (b"old".to_vec(), b"new".to_vec()));
    folder.says(0, "extract mod.zip -o out --force");
    assert_eq!(folder.read("out/a"), b"new");
    assert_eq!(extracted(&folder), ["a", "b"]);
}

#[test]
fn an_entry_does_not_replace_a_file_by_a_folder_or_a_folder_by_a_file() {
    let folder = Folder::new();
    put(
        &folder,
        [Entry::stored("a", b"1"), Entry::stored("a/b", b"2"), Entry::stored("c/d", b"3"), Entry::stored("c", b"4")],
    );
    let ran = folder.says(1, "extract mod.zip -o out --force");
    assert!(
        ran.complaints.contains("entry \"a/b\": ") && ran.complaints.contains("entry \"c\": "),
        "{}",
        ran.complaints
    );
    assert!(ran.complaints.contains("2 files extracted, 2 B, 2 failed"), "{}", ran.complaints);
    assert_eq!(extracted(&folder), ["a", "c/d"]);
    folder.put("file", b"");
    let ran = folder.says(5, "extract mod.zip -o file");
    assert_eq!((folder.read("file").len(), ran.complaints.contains("0 files extracted")), (0, true));
}

#[test]
fn of_two_entries_with_one_name_the_last_is_extracted_and_the_first_is_reported() {
    let folder = Folder::new();
    put(&folder, [Entry::stored("a", b"first"), Entry::stored("a", b"second")]);
    for options in ["", " --force", " --resume"] {
        let ran = folder.says(1, &format!("extract mod.zip -o out{options}"));
        assert!(ran.complaints.contains("entry \"a\": a later entry has the same name"), "{}", ran.complaints);
        assert_eq!(folder.read("out/a"), b"second");
    }
}

#[test]
fn damage_is_refused_and_leaves_no_file() {
    let folder = Folder::new();
    let data = b"some data to be damaged, some data to be damaged";
    for entry in [Entry::stored("bad", data), Entry::deflated("bad", data)] {
        let built = Zip::of([Entry::stored("fine", data), entry]).build();
        let crc = u32::from_le_bytes(built.bytes[built.offset("central#1.crc")..][..4].try_into().expect("four"));
        folder.put("mod.zip", built.patch_u32("central#1.crc", crc ^ 1).patch_u32("local#1.crc", crc ^ 1).bytes);
        let ran = folder.says(1, "extract mod.zip -o out --force");
        assert!(ran.complaints.starts_with("skelmap: mod.zip: entry \"bad\": its checksum is "), "{}", ran.complaints);
        assert_eq!(extracted(&folder), ["fine"], "and no half of it");
    }
    let others = [
        Entry::stored("bad", data).with(|entry| entry.flags = ENCRYPTED),
        Entry::stored("bad", data).with(|entry| entry.method = 12),
        Entry::deflated("bad", data).with(|entry| entry.body = Some(vec![7; 20])),
        Entry::stored("bad", data).with(|entry| entry.local_name = Some(b"fun".to_vec())),
    ];
    for entry in others {
        put(&folder, [entry, Entry::stored("fine", data)]);
        let ran = folder.says(1, "extract mod.zip -o out --force");
        assert!(ran.complaints.starts_with("skelmap: mod.zip: entry \"bad\": "), "{}", ran.complaints);
        assert_eq!(extracted(&folder), ["fine"]);
    }
}

#[test]
fn the_exit_status_depends_on_the_result() {
    let folder = Folder::new();
    put(&folder, [Entry::stored("a", b"x")]);
    folder.put("notes.txt", b"nothing");
    folder.says(0, "extract mod.zip -o out");
    folder.says(5, "extract mod.zip -o out");
    folder.says(2, "extract mod.zip");
    folder.says(2, "extract -o out");
    for (path, name) in [("none.zip", "none.zip: "), ("notes.txt", "notes.txt: "), ("out", "out: ")] {
        let ran = folder.says(3, &format!("extract {path} -o new"));
        assert!(ran.complaints.starts_with(&format!("skelmap: {name}")), "{}", ran.complaints);
    }
    let cut = stored(&[("a", b"x")]);
    folder.put("cut.zip", &cut[..cut.len() - 5]);
    folder.says(3, "extract cut.zip -o new");
    folder.put("void.zip", stored(&[]));
    folder.says(3, "extract void.zip -o new");
    assert!(!folder.at("new").exists());
}

#[test]
fn a_pattern_without_an_entry_is_named_and_the_rest_is_extracted() {
    let folder = Folder::new();
    put(&folder, ["art/horse.pmd", "art/dog.pmd"].map(|name| Entry::stored(name, name)));
    let ran = folder.ends(1, &["extract", "mod.zip", "*dog*", "*horze*", "-o", "out"]);
    assert!(ran.complaints.contains("no entry matches \"*horze*\"; near: \"art/horse.pmd\""), "{}", ran.complaints);
    assert_eq!(extracted(&folder), ["art/dog.pmd"]);
    // A slash at the end is a folder with all that is in it.
    for pattern in ["art/", "/art/"] {
        folder.ends(0, &["extract", "mod.zip", pattern, "-o", "out", "--force"]);
        assert_eq!(extracted(&folder), ["art/dog.pmd", "art/horse.pmd"], "{pattern}");
        std::fs::remove_file(folder.at("out/art/horse.pmd")).expect("removed");
    }
}

#[test]
fn of_thousands_of_files_that_exist_three_are_named_with_what_to_do() {
    let folder = Folder::new();
    let names: Vec<String> = (0..1000).map(|index| format!("art/{index}")).collect();
    put(&folder, names.iter().map(|name| Entry::stored(name, name)));
    folder.says(0, "extract mod.zip -o out");
    let ran = folder.says(5, "extract mod.zip -o out");
    assert_eq!(ran.complaints.matches("exists already").count(), 3, "{}", ran.complaints);
    assert!(ran.complaints.contains("1000 files there already: --resume skips those"), "{}", ran.complaints);
    folder.says(0, "extract mod.zip -o out --resume");
}

#[test]
fn a_dry_run_prints_the_paths_and_writes_nothing() {
    let folder = Folder::new();
    put(&folder, ["art/a", "art/b/c", "../up"].map(|name| Entry::stored(name, b"12")));
    folder.put("out/art/a", b"old");
    let ran = folder.says(5, "extract mod.zip -o out --dry-run");
    assert_eq!(ran.text(), native("out/art/b/c\n"));
    assert!(ran.complaints.contains("entry \"art/a\": exists already"), "{}", ran.complaints);
    assert!(ran.complaints.ends_with("1 file to extract, 2 B, 2 failed\n"), "{}", ran.complaints);
    assert_eq!(folder.files(), ["mod.zip", "out/art/a"]);
    let ran = folder.says(1, "extract mod.zip -o out --dry-run --force");
    assert_eq!(ran.text(), native("out/art/a\nout/art/b/c\n"));
    assert_eq!(folder.read("out/art/a"), b"old");
    folder.says(1, "extract mod.zip -o new --dry-run");
    assert!(!folder.at("new").exists());
}

#[test]
fn a_flat_folder_has_no_folders_and_loses_no_file() {
    let folder = Folder::new();
    let entries: [(&str, &[u8]); 4] =
        [("a/x.psa", b"one"), ("b/y.psa", b"two"), ("c/x.psa", b"one"), ("d/y.psa", b"other")];
    put(&folder, entries.map(|(name, data)| Entry::stored(name, data)));
    let ran = folder.says(1, "extract mod.zip -o out --flat");
    let message = "entry \"d/y.psa\": entry \"b/y.psa\" has the same file name and other content";
    assert!(ran.complaints.contains(message), "{}", ran.complaints);
    assert!(ran.complaints.ends_with("2 files extracted, 6 B, 1 there already, 1 failed\n"), "{}", ran.complaints);
    assert_eq!(extracted(&folder), ["x.psa", "y.psa"]);
    assert_eq!((folder.read("out/x.psa"), folder.read("out/y.psa")), (b"one".to_vec(), b"two".to_vec()));
}

#[test]
fn an_address_is_an_entry_or_what_is_below_a_folder() {
    let folder = Folder::new();
    put(&folder, ["art/a.psa", "art/b/c.psa", "artful.psa"].map(|name| Entry::stored(name, name)));
    let of = |address: &str| {
        folder.ends(0, &["extract", address, "-o", "out"]);
        let found = extracted(&folder);
        std::fs::remove_dir_all(folder.at("out")).expect("removed");
        found
    };
    assert_eq!(of("mod.zip!/art/b/c.psa"), ["art/b/c.psa"]);
    assert_eq!(of("mod.zip!/art/"), ["art/a.psa", "art/b/c.psa"]);
    assert_eq!(of("mod.zip!/art"), ["art/a.psa", "art/b/c.psa"]);
    let none = folder.ends(3, &["extract", "mod.zip!/art/bb.psa", "-o", "out"]);
    assert!(none.complaints.starts_with("skelmap: mod.zip: there is no entry \"art/bb.psa\""), "{}", none.complaints);
    assert!(!folder.at("out").exists());
}

#[test]
fn backslashes_between_folders_are_taken_for_slashes_and_counted() {
    let folder = Folder::new();
    put(&folder, ["art\\a.psa", "art/b.psa", "art\\deep\\c.psa"].map(|name| Entry::stored(name, name)));
    let ran = folder.says(0, "extract mod.zip -o out");
    assert!(
        ran.complaints.contains("3 files extracted")
            && ran.complaints.contains(", 2 names with backslashes for folders,"),
        "{}",
        ran.complaints
    );
    assert_eq!(extracted(&folder), ["art/a.psa", "art/b.psa", "art/deep/c.psa"]);
}

#[test]
fn cat_writes_the_bytes_of_entries_and_files_and_names_what_it_cannot_read() {
    let folder = Folder::new();
    let data = b"some data";
    let built = Zip::of([Entry::stored("a", data), Entry::deflated("b", b"more"), Entry::stored("bad", data)]).build();
    let crc = u32::from_le_bytes(built.bytes[built.offset("central#2.crc")..][..4].try_into().expect("four"));
    folder.put("mod.zip", built.patch_u32("central#2.crc", crc ^ 1).bytes);
    folder.put("file", b"\0\xFF");
    let ran = folder.says(0, "cat mod.zip!/b mod.zip!/a file");
    assert_eq!(ran.out, b"moresome data\0\xFF");
    let ran = folder.says(1, "cat mod.zip!/bad mod.zip!/a none mod.zip!/c");
    assert_eq!(ran.out, data);
    for start in ["mod.zip!/bad: ", "none: ", "mod.zip!/c: "] {
        assert!(ran.complaints.contains(&format!("skelmap: {start}")), "{}", ran.complaints);
    }
    assert!(folder.says(3, "cat mod.zip!/bad").out.is_empty());
    assert_eq!(folder.says(0, "cat mod.zip").out, folder.read("mod.zip"));
}

/// Where case counts, two names are two files, also the second time.
#[cfg(target_os = "linux")]
#[test]
fn names_that_differ_in_case_alone_are_extracted_again_and_again() {
    let folder = Folder::new();
    let fox = corpus("actorx/mesh/classic.psk");
    folder.put("mod.zip", stored(&[("A/Fox.psk", &fox), ("a/fox.psk", &fox)]));
    for _ in 0..2 {
        folder.says(0, "extract mod.zip -o out --force");
    }
    assert_eq!(folder.files(), ["mod.zip", "out/A/Fox.psk", "out/a/fox.psk"]);
}

/// As in all other commands.
#[test]
fn the_name_of_a_source_is_the_file_that_the_game_has_made_of_it() {
    let folder = Folder::new();
    let entries = ["art/horse.dae.cached.pmd", "art/horse.png.cached.dds", "art/cow.dae", "art/cow.dae.cached.pmd"];
    put(&folder, entries.map(|name| Entry::stored(name, name)));
    for (source, made) in [("horse.dae", entries[0]), ("horse.png", entries[1]), ("cow.dae", entries[2])] {
        folder.says(0, &format!("extract mod.zip!/art/{source} -o out/{source}"));
        assert_eq!(folder.text(format!("out/{source}/{made}")), made, "{source}");
    }
    assert_eq!(extracted(&folder).len(), 3);
    let none = folder.says(3, "extract mod.zip!/art/dog.dae -o out").complaints;
    assert!(none.contains("there is no entry \"art/dog.dae\""), "{none}");
    // A folder with an entry goes before what the game has made of a source, in all commands.
    let files = ["x.dae/a.psk", "x.dae.cached.pmd"].map(|name| Entry::stored(name, name));
    put(&folder, files.into_iter().chain([Entry::folder("x.dae/")]));
    folder.says(0, "extract mod.zip!/x.dae -o below");
    assert_eq!(folder.text("below/x.dae/a.psk"), "x.dae/a.psk");
    assert!(!folder.at("below/x.dae.cached.pmd").exists());
    let listed = folder.says(1, "ls mod.zip!/x.dae");
    assert!(listed.text().contains("mod.zip!/x.dae/a.psk") && !listed.text().contains("cached"));
    // The file in the folder is none.
    assert!(folder.says(1, "dump mod.zip!/x.dae --what points").complaints.contains("mod.zip!/x.dae/a.psk: "));
    for command in ["info", "cat", "skin"] {
        assert!(folder.says(3, &format!("{command} mod.zip!/x.dae")).complaints.contains("x.dae"), "{command}");
    }
    put(&folder, entries.map(|name| Entry::stored(name, name)));
    // A glob is compared with names alone.
    let glob = folder.says(3, "extract mod.zip horse.dae -o out").complaints;
    assert!(glob.contains("near: \"art/horse.dae.cached.pmd\""), "{glob}");
}
