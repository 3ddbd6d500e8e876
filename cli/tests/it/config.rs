//! `skelmap.toml`: where it is looked for, what its keys do, and what is said about faults in it.

use std::path::Path;

use crate::run::{Folder, Ran};

/// A folder with a mesh and one that a key can leave out.
fn folder() -> Folder {
    let folder = Folder::new();
    let fox = std::fs::read(test_support::corpus::folder().join("../../corpus/fox.psk")).expect("a file");
    folder.put("art/fox.psk", &fox);
    folder.put("art/old/fox.psk", &fox);
    folder
}

/// Runs the words of a line in a folder of the folder.
fn run_in(folder: &Folder, below: &str, line: &str) -> Ran {
    Ran::of(folder.command(&line.split(' ').collect::<Vec<_>>()).current_dir(folder.at(below)))
}

/// The paths that `ls` has.
fn listed(ran: &Ran) -> Vec<String> {
    assert_eq!(ran.status, 0, "{}", ran.complaints);
    ran.lines().iter().map(|row| row["path"].as_str().expect("a path").replace('\\', "/")).collect()
}

#[test]
fn ignore_leaves_out_files_as_exclude_does() {
    let folder = folder();
    folder.put("skelmap.toml", "ignore = [\"old/\"]\n");
    assert_eq!(listed(&folder.says(0, "ls art --format jsonl")), ["art/fox.psk"]);
    assert_eq!(listed(&folder.says(0, "ls art --format jsonl --no-ignore")).len(), 2);
    assert_eq!(listed(&folder.says(0, "ls art --format jsonl --no-config")).len(), 2);
    // What the arguments leave out comes in addition.
    folder.put("art/new/fox.psk", folder.read("art/fox.psk"));
    assert_eq!(listed(&folder.says(0, "ls art --format jsonl --exclude new")), ["art/fox.psk"]);
}

/// As those of a `.gitignore`: continuous integration and hooks work in other folders than people.
#[test]
fn patterns_belong_to_the_folder_of_the_file() {
    let folder = folder();
    folder.put(".git/HEAD", "");
    folder.put("skelmap.toml", "ignore = [\"art/old/\", \"/art/a.psk\"]\n");
    folder.put("art/a.psk", folder.read("art/fox.psk"));
    for (below, paths) in [("", "."), ("", "art"), ("art", "."), ("art/old", ".."), ("art", "../art")] {
        let ran = run_in(&folder, below, &format!("ls {paths} --format jsonl"));
        let names: Vec<_> =
            listed(&ran).iter().map(|path| path.rsplit('/').next().unwrap_or(path).to_owned()).collect();
        assert_eq!(names, ["fox.psk"], "ls {paths} in {below:?}");
    }
    // As a line of a `.gitignore` says: a later one takes back, and nothing is said of what lies elsewhere.
    folder.put("skelmap.toml", "ignore = [\"*.psk\", \"!a.psk\", \" # none\"]\n");
    assert_eq!(listed(&folder.says(0, "ls art --format jsonl")), ["art/a.psk"]);
    folder.put("inner/skelmap.toml", "ignore = [\"**/art/**\", \"old/\", \"a.psk\"]\n");
    assert_eq!(listed(&run_in(&folder, "inner", "ls ../art --format jsonl")).len(), 3);
    folder.remove("inner/skelmap.toml");
    folder.put("skelmap.toml", "ignore = [\"art/old/\", \"/art/a.psk\"]\n");
    // What is named is wanted; what leaves everything out is named.
    assert_eq!(listed(&folder.says(0, "ls art/a.psk --format jsonl")).len(), 1);
    folder.put("skelmap.toml", "ignore = [\"art\"]\n");
    let ran = folder.says(3, "ls .");
    assert!(ran.complaints.contains("no asset left by ignore 'art'"), "{}", ran.complaints);
    // The user's patterns hold in each folder that is named.
    if !cfg!(windows) {
        folder.remove("skelmap.toml");
        folder.put(Path::new("skelmap").join("skelmap.toml"), "ignore = [\"/art/old\", \"/a.psk\"]\n");
        assert_eq!(listed(&folder.says(0, "ls . --format jsonl")), ["./art/a.psk", "./art/fox.psk"]);
        assert_eq!(listed(&folder.says(0, "ls art --format jsonl")).len(), 2);
    }
}

#[test]
fn color_and_jobs_are_defaults_of_options() {
    let folder = folder();
    folder.put("skelmap.toml", "color = \"always\"\njobs = 1\n");
    assert!(folder.says(0, "explain weight-sum").text().contains("\u{1b}["));
    assert!(!folder.says(0, "explain weight-sum --color never").text().contains("\u{1b}["));
    assert!(!folder.says(0, "explain weight-sum --no-config").text().contains("\u{1b}["));
    // A default is no option: it conflicts with nothing, and another value replaces it.
    folder.says(0, "ls art");
    folder.says(0, "ls art --jobs 3");
}

#[test]
fn the_file_is_that_of_the_folder_or_of_a_parent_in_the_repository_or_of_the_user() {
    let folder = folder();
    let fault = |name: &str| format!("{name} = 1\n");
    let said = |below: &str| run_in(&folder, below, "ls .").complaints;
    folder.put(Path::new("skelmap").join("skelmap.toml"), fault("of_user"));
    if !cfg!(windows) {
        assert!(said("art/old").contains("of_user"));
    }
    // Without a repository, a parent is that of a stranger.
    folder.put("skelmap.toml", fault("of_parent"));
    assert!(!said("art/old").contains("of_parent"));
    assert!(said("").contains("of_parent"));
    folder.put(".git/empty", "");
    assert!(!said("art/old").contains("of_parent"), "anybody can make a folder of this name");
    folder.put(".git/HEAD", "");
    assert!(said("art/old").contains("of_parent"));
    folder.put("art/skelmap.toml", fault("of_nearer"));
    assert!(said("art/old").contains("of_nearer"));
    // Nothing above the root of the repository.
    folder.put("art/old/.git", "gitdir: elsewhere");
    assert!(!said("art/old").contains("of_nearer"));
}

#[test]
fn a_fault_ends_the_run_with_the_name_the_line_and_the_fault() {
    let folder = folder();
    for (text, line, fault) in [
        ("jobs = 2\ncolour = \"never\"\n", 2, "unknown field `colour`, expected one of `ignore`, `color`, `jobs`"),
        ("\n\njobs = 0\n", 3, "expected a number from 1"),
        ("jobs = \"many\"\n", 1, "expected a number from 1"),
        ("ignore = [\"a\"]\ncolor = \"sometimes\"\n", 2, "expected \"auto\", \"always\" or \"never\""),
        ("jobs = 1\njobs = 2\n", 2, "duplicate key"),
        ("jobs = 1\nignore = [\"\"]\n", 2, "a pattern of ignore is empty"),
        ("ignore = [\" \"]\n", 1, "a pattern of ignore is empty"),
        ("jobs", 1, "key with no value"),
        ("jobs = 1\nignore = [\"{a\"]\n", 2, "a pattern of ignore: "),
    ] {
        folder.put("skelmap.toml", text);
        let ran = folder.says(2, "ls art");
        assert!(ran.complaints.contains(&format!("skelmap.toml, line {line}: ")), "{text}: {}", ran.complaints);
        assert!(ran.complaints.contains(fault) && ran.complaints.lines().count() == 1, "{text}: {}", ran.complaints);
        assert!(ran.out.is_empty());
        // Help, and what asks for no file.
        folder.says(0, "ls --help");
        folder.says(0, "explain weight-sum");
        folder.says(0, "ls art --no-config");
    }
    folder.put("skelmap.toml", " ".repeat(70_000));
    assert!(folder.says(2, "ls art").complaints.contains("has more than 64 KiB"));
    folder.remove("skelmap.toml");
    folder.put("skelmap.toml/a", "");
    assert!(folder.says(2, "ls art").complaints.contains("is no file"));
}

/// After `--`, an argument is a path.
#[test]
fn no_config_is_an_option_and_no_path() {
    let folder = folder();
    folder.put("skelmap.toml", "colour = 1\n");
    folder.says(0, "--no-config ls art");
    folder.says(2, "ls -- --no-config");
}

/// As on a disk: what is named is looked at, and the patterns are about what is in it.
#[test]
fn a_folder_of_an_archive_that_is_named_is_not_left_out() {
    let folder = folder();
    let fox = folder.read("art/fox.psk");
    folder.put("art/old/old/fox.psk", &fox);
    let names = ["art/fox.psk", "art/old/fox.psk", "art/old/old/fox.psk"];
    folder.put("mod.zip", crate::run::stored(&names.map(|name| (name, fox.as_slice()))));
    let count = |line: &str| listed(&folder.says(0, &format!("ls {line} --format jsonl"))).len();
    let counts = |options: &str| -> Vec<(usize, usize)> {
        let of = |place: &str| count(&format!("{place}{options}"));
        vec![(of("art"), of("mod.zip!/art")), (of("art/old"), of("mod.zip!/art/old/"))]
    };
    assert_eq!(counts(" --exclude old"), [(1, 1), (1, 1)]);
    assert_eq!(counts(" --exclude /old"), [(1, 1), (1, 1)]);
    for (pattern, expected) in [("old/", [(1, 1), (1, 1)]), ("/art/old", [(1, 1), (2, 2)]), ("/old", [(3, 3), (2, 2)])]
    {
        folder.put("skelmap.toml", format!("ignore = [\"{pattern}\"]\n"));
        assert_eq!(counts(""), expected, "{pattern}");
    }
    folder.remove("skelmap.toml");
    if !cfg!(windows) {
        folder.put(Path::new("skelmap").join("skelmap.toml"), "ignore = [\"/old\"]\n");
        assert_eq!(counts(""), [(1, 1), (1, 1)], "of the user: below each folder that is named");
    }
}

/// `>` of Windows PowerShell writes UTF-16, and Notepad can write a mark before UTF-8.
#[test]
fn the_file_is_utf8_with_or_without_a_mark_and_utf16_is_told() {
    let folder = folder();
    let text = "ignore = [\"old/\"]\n";
    folder.put("skelmap.toml", format!("\u{feff}{text}"));
    assert_eq!(listed(&folder.says(0, "ls art --format jsonl")), ["art/fox.psk"]);
    folder.put("skelmap.toml", "\u{feff}jobs = 2\njobs = 0\n");
    assert!(folder.says(2, "ls art").complaints.contains("skelmap.toml, line 2: "));
    for bytes_of in [u16::to_le_bytes, u16::to_be_bytes] {
        let utf16: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(bytes_of).collect();
        folder.put("skelmap.toml", utf16);
        let said = folder.says(2, "ls art").complaints;
        assert!(said.contains("skelmap.toml: is UTF-16 text: save it as UTF-8"), "{said}");
    }
    folder.put("skelmap.toml", b"ignore = [\"\xE9\"]\n");
    assert!(folder.says(2, "ls art").complaints.contains("skelmap.toml: is not UTF-8 text"));
}
