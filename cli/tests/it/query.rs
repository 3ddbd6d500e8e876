//! Questions to the rows of many assets: which rows, in which order, with which columns.

use serde_json::Value;

use crate::run::{Folder, corpus, native, stored};

/// An archive with two folders, one of which has a name that begins with the name of the other.
fn archive() -> Folder {
    let folder = Folder::new();
    let mesh = corpus("pyrogenesis/pmd/one_bone.pmd");
    let animation = corpus("pyrogenesis/psa/walk.psa");
    let entries: [(&str, &[u8]); 5] = [
        ("art/meshes/", b""),
        ("art/meshes/horse.pmd", &mesh),
        ("art/meshes/skeletal/elephant.pmd", &mesh),
        ("art/meshes_old/horse.pmd", &mesh),
        ("art/animation/gallop.psa", &animation),
    ];
    folder.put("mod.zip", stored(&entries));
    folder
}

fn texts(rows: &[Value], key: &str) -> Vec<String> {
    rows.iter().map(|row| row[key].as_str().expect("a text").to_owned()).collect()
}

fn entries(folder: &Folder, line: &str) -> Vec<String> {
    texts(&folder.says(0, &format!("{line} --format jsonl")).lines(), "entry")
}

#[test]
fn a_folder_of_an_archive_is_an_address() {
    let folder = archive();
    let meshes = ["art/meshes/horse.pmd", "art/meshes/skeletal/elephant.pmd"];
    for command in ["ls", "check"] {
        assert_eq!(entries(&folder, &format!("{command} mod.zip!/art/meshes/")), meshes);
        assert_eq!(entries(&folder, &format!("{command} mod.zip!/art/meshes")), meshes);
        // This folder has no entry of its own.
        assert_eq!(entries(&folder, &format!("{command} mod.zip!/art/animation/")), ["art/animation/gallop.psa"]);
        assert_eq!(entries(&folder, &format!("{command} mod.zip!/")).len(), 4);
    }
    folder.says(0, "catalog mod.zip!/art/meshes -o all.jsonl");
    assert_eq!(texts(&folder.lines("all.jsonl"), "entry"), meshes);
    for place in ["mod.zip!/art/meshes/", "mod.zip!/art/meshes"] {
        let dumped = folder.says(0, &format!("dump {place} --what bones --format jsonl")).lines();
        assert_eq!(texts(&dumped, "entry"), meshes);
        let converted = folder.says(0, &format!("convert {place} -o out --force --format jsonl")).lines();
        assert_eq!(texts(&converted, "entry"), meshes);
    }
    let missing = folder.says(3, "ls mod.zip!/art/mesh --format jsonl").lines();
    assert_eq!(missing[0]["error"]["kind"], "zip-no-such-entry");
}

/// Meshes and an animation with the numbers that the corpus states.
fn numbers() -> Folder {
    let folder = Folder::new();
    for (name, file) in [
        ("a/one.pmd", "pyrogenesis/pmd/one_bone.pmd"),
        ("a/horse.psk", "actorx/mesh/classic.psk"),
        ("b/walk.psa", "pyrogenesis/psa/walk.psa"),
        ("b/horse.psa", "actorx/anim/sequences.psa"),
        ("b/broken.psk", "actorx/damaged/overrun.psk"),
    ] {
        folder.put(name, corpus(file));
    }
    folder
}

/// The paths of the rows that a question leaves.
fn paths(folder: &Folder, arguments: &[&str]) -> Vec<String> {
    let ran = folder.run(&[&["ls", "a", "b", "--format", "jsonl"], arguments].concat());
    assert!(ran.status < 2, "{}", ran.complaints);
    texts(&ran.lines(), "path")
}

/// The same question as an expression, asked of a row as JSON.
type Test<'t> = &'t dyn Fn(&Value) -> bool;

#[test]
fn where_keeps_the_rows_for_which_the_expression_holds() {
    let folder = numbers();
    let all = folder.says(1, "ls a b --format jsonl").lines();
    let asked = |text: &str| paths(&folder, &["--where", text]);
    // The same question, asked of all rows here.
    let expected = |test: &dyn Fn(&Value) -> bool| -> Vec<String> {
        texts(&all.iter().filter(|row| test(row)).cloned().collect::<Vec<_>>(), "path")
    };
    let number = |row: &Value, key: &str| row[key].as_f64();
    let cases: [(&str, Test<'_>); 20] = [
        ("bones > 1", &|row| number(row, "bones") > Some(1.0)),
        ("1 < bones", &|row| number(row, "bones") > Some(1.0)),
        ("bones == 1 || sequences >= 1", &|row| {
            number(row, "bones") == Some(1.0) || number(row, "sequences") >= Some(1.0)
        }),
        ("bytes > 1K && faces", &|row| number(row, "bytes") > Some(1024.0) && !row["faces"].is_null()),
        // && binds more than ||.
        ("faces || frames && bones < 0", &|row| !row["faces"].is_null()),
        ("(faces || frames) && bones < 0", &|_| false),
        ("path ~ \"HORSE\"", &|row| row["path"].as_str().is_some_and(|path| path.contains("horse"))),
        ("path ~ 'A/*.p??'", &|row| row["path"].as_str().is_some_and(|path| path.starts_with("a/"))),
        ("path !~ 'horse'", &|row| row["path"].as_str().is_some_and(|path| !path.contains("horse"))),
        ("path == 'b/horse.psa'", &|row| row["path"] == "b/horse.psa"),
        ("format == \"actorx.psk\"", &|row| row["format"] == "actorx.psk"),
        ("format != \"actorx.psk\"", &|row| !row["format"].is_null() && row["format"] != "actorx.psk"),
        ("error", &|row| !row["error"].is_null()),
        ("!error", &|row| row["error"].is_null()),
        ("error == null && !!bones", &|row| row["error"].is_null() && !row["bones"].is_null()),
        ("error != null", &|row| !row["error"].is_null()),
        ("error_kind == 'records-overrun'", &|row| row["error"]["kind"] == "records-overrun"),
        // A null is neither above nor below a number, nor unequal to it.
        ("faces < 0 || faces >= 0 || faces != 7", &|row| !row["faces"].is_null()),
        ("!(faces >= 0)", &|row| row["faces"].is_null()),
        // The heading of a table.
        ("seconds > 0", &|row| number(row, "duration_s") > Some(0.0)),
    ];
    for (text, test) in cases {
        assert_eq!(asked(text), expected(test), "{text}");
    }
}

#[test]
fn one_text_of_a_list_is_enough() {
    let folder = Folder::new();
    folder.put("walk.psa", corpus("actorx/anim/sequences.psa"));
    let names = &folder.says(0, "catalog walk.psa -o - --format jsonl").lines()[0]["sequence_names"];
    let first = names[0].as_str().expect("a name");
    let rows = |text: &str| {
        folder.ends(0, &["catalog", "walk.psa", "-o", "-", "--format", "jsonl", "--where", text]).lines().len()
    };
    assert_eq!(rows(&format!("sequence_names == '{first}'")), 1);
    assert_eq!(rows(&format!("sequence_names != '{first}'")), 0);
    assert_eq!(rows(&format!("sequence_names ~ '{}*'", first.to_uppercase())), 1);
    assert_eq!(rows("sequence_names !~ 'no such name'"), 1);
    assert_eq!(rows("quirks"), 0);
}

#[test]
fn the_path_of_an_entry_is_its_address() {
    let folder = archive();
    let rows =
        |text: &str| texts(&folder.ends(0, &["ls", "mod.zip", "--format", "jsonl", "--where", text]).lines(), "entry");
    assert_eq!(rows("path ~ 'horse'"), ["art/meshes/horse.pmd", "art/meshes_old/horse.pmd"]);
    assert_eq!(rows("path ~ 'mod.zip!/art/anim'"), ["art/animation/gallop.psa"]);
    assert_eq!(rows("entry == 'art/meshes/horse.pmd'"), ["art/meshes/horse.pmd"]);
}

#[test]
fn a_wrong_question_is_wrong_usage_and_says_what_is_meant() {
    let folder = numbers();
    let says = |option: &str, text: &str, expected: &str| {
        let ran = folder.ends(2, &["ls", "a", option, text]);
        assert!(ran.out.is_empty(), "{text}");
        assert!(ran.complaints.contains(expected), "{text}: {}", ran.complaints);
    };
    for option in ["--where", "--sort", "--columns"] {
        says(
            option,
            "bone",
            "there is no column \"bone\"; did you mean bones? (columns: schema, path, entry, address, format, bytes,",
        );
    }
    says("--where", "bones = 5", "\"=\" means nothing here; did you mean ==?");
    says("--where", "bones > 'a'", "a number is compared with a text (>)");
    says("--where", "bones ~ 'a'", "~ compares texts, and the left side is none");
    says("--where", "path ~ 5", "expected a text after ~");
    says("--where", "path ~ '[a'", "unclosed character class");
    says("--where", "(bones > 5", "a ( has no )");
    says("--where", "bones > 5 faces", "expected && or || before faces");
    says("--where", "bones > 5 and faces", "and is written as &&");
    says("--where", "!bones > 5", "parentheses: !(bones > 5)");
    says("--where", "bones >", "expected a column at the end");
    says("--where", "", "expected a column at the end");
    says("--where", "5", "a value alone asks nothing");
    says("--where", "bones > null", "null is compared as in error == null");
    says("--where", "path == 'a", "has no second '");
    says("--where", "bones > 5.5.5", "is no number");
    says("--where", "format == 'psa'", "format ~ \"psa\" asks for a part of it");
    // A command line on Windows has 32767 characters at most.
    let many = if cfg!(windows) { 20_000 } else { 100_000 };
    says("--where", &"(".repeat(many), "more than 64 parentheses and ! in each other");
    says("--where", &"!".repeat(many), "more than 64 parentheses and ! in each other");
    says("--limit", "-1", "unexpected argument");
    says("--glob", "[a", "--glob: error parsing glob '[a'");
    // Long, but not deep.
    let long = vec!["bones > 0"; many / 10].join(" && ");
    assert_eq!(folder.ends(0, &["ls", "a", "--where", &long, "--format", "jsonl"]).lines().len(), 2);
}

#[test]
fn rows_are_sorted_with_nulls_last_and_a_limit_keeps_the_first() {
    let folder = numbers();
    let all = folder.says(1, "ls a b --format jsonl").lines();
    let with = |key: &str| all.iter().filter(|row| !row[key].is_null()).cloned().collect::<Vec<_>>();
    let mut sorted = with("bytes");
    sorted.sort_by_key(|row| row["bytes"].as_u64());
    let expected = texts(&sorted, "path");
    let nulls: Vec<String> = texts(&all, "path").into_iter().filter(|path| !expected.contains(path)).collect();
    assert_eq!(paths(&folder, &["--sort", "bytes"]), [expected, nulls.clone()].concat());
    sorted.sort_by_key(|row| std::cmp::Reverse(row["bytes"].as_u64()));
    let expected = texts(&sorted, "path");
    assert_eq!(paths(&folder, &["--sort", "-bytes"]), [expected.clone(), nulls].concat());
    assert_eq!(paths(&folder, &["--sort", "-size", "--limit", "2"]), expected[..2]);
    assert_eq!(paths(&folder, &["--sort", "-bytes", "--limit", "0"]), [""; 0]);
    // Equal rows stay in their order, and the second column decides between them.
    let by_format = paths(&folder, &["--sort", "error_kind,-path", "--where", "!error"]);
    assert_eq!(by_format, ["b/walk.psa", "b/horse.psa", "a/one.pmd", "a/horse.psk"]);
    assert_eq!(paths(&folder, &["--sort", "error_kind", "--where", "!error"]), paths(&folder, &["--where", "!error"]));
}

#[test]
fn a_limit_ends_reading_with_the_last_row() {
    let folder = numbers();
    // The damaged file is the first of its folder.
    assert_eq!(folder.says(1, "ls b a --limit 9 --format jsonl").lines().len(), 5);
    let ran = folder.says(0, "ls a b --limit 1 --format jsonl");
    assert_eq!((texts(&ran.lines(), "path"), ran.complaints.as_str()), (vec!["a/horse.psk".to_owned()], ""));
    assert_eq!(folder.says(0, "ls a b --limit 0 --format csv").text().lines().count(), 1, "the heading");
    assert_eq!(folder.says(0, "ls a b --limit 0 --format json").text(), "[]\n");
    // Rows that --where drops are read: the last file is among them.
    let ran = folder.ends(1, &["ls", "a", "b", "--where", "bones > 1000000", "--format", "jsonl"]);
    assert!(ran.out.is_empty() && ran.complaints.contains("1 of 5 files cannot be read"), "{}", ran.complaints);
}

#[test]
fn columns_are_chosen_and_ordered() {
    let folder = archive();
    assert_eq!(
        folder.says(0, "ls mod.zip --columns bones,format,entry --limit 1 --format csv").text(),
        "bones,format,entry\n1,pyrogenesis.pmd,art/meshes/horse.pmd\n"
    );
    assert_eq!(
        folder.says(0, "ls mod.zip --columns bones,error_kind,bones --limit 1 --format jsonl").text(),
        "{\"schema\":1,\"bones\":1,\"error_kind\":null}\n"
    );
    // A table has the address last, and columns that people chose although they are empty.
    assert_eq!(
        folder.says(0, "ls mod.zip --columns address,sequences,bones --limit 1").text(),
        "seqs bones address\n         1 mod.zip!/art/meshes/horse.pmd\n"
    );
    // A path is the same in every format: the archive of an entry.
    let path = |format: &str| folder.says(0, &format!("ls mod.zip --columns path --limit 1 --format {format}"));
    assert_eq!((path("table").text(), path("csv").text()), ("path\nmod.zip\n", "path\nmod.zip\n"));
}

#[test]
fn globs_choose_files_of_folders_and_entries_of_archives() {
    let folder = archive();
    folder.put("horse/one.pmd", corpus("pyrogenesis/pmd/one_bone.pmd"));
    let old = ["art/meshes/horse.pmd", "art/meshes_old/horse.pmd"];
    assert_eq!(entries(&folder, "ls mod.zip --glob *horse*"), old);
    assert_eq!(
        entries(&folder, "check mod.zip --glob meshes/*.pmd --glob *.psa"),
        [old[0], "art/animation/gallop.psa"]
    );
    assert_eq!(entries(&folder, "ls mod.zip --glob /art/*/*.pmd"), old);
    // The name of the folder that is given does not count, and a file that is given stays.
    assert!(folder.says(3, "ls horse --glob *horse* --format jsonl").out.is_empty());
    assert_eq!(folder.says(0, "ls horse/one.pmd --glob *.psa --format jsonl").lines().len(), 1);
}

#[test]
fn check_and_match_answer_questions_too() {
    let folder = numbers();
    let all = folder.says(1, "check a b --level note --format csv").text().lines().count() - 1;
    let rows =
        folder.ends(1, &["check", "a", "b", "--level", "note", "--where", "count >= 1", "--format", "jsonl"]).lines();
    assert_eq!(rows.len(), all);
    let errors = folder.ends(1, &["check", "a", "b", "--where", "severity == 'error'", "--format", "jsonl"]).lines();
    assert_eq!(errors.len(), 1);
    assert_eq!((&errors[0]["schema"], &errors[0]["path"]), (&Value::from(1), &Value::from("b/broken.psk")));
    let keys: Vec<&String> = errors[0].as_object().expect("an object").keys().collect();
    assert_eq!(
        keys.iter().map(|key| key.as_str()).collect::<std::collections::BTreeSet<_>>(),
        ["schema", "path", "entry", "address", "severity", "code", "section", "offset", "index", "count", "message"]
            .into()
    );
    let table = folder.says(1, "check a b --sort -severity --columns code,path");
    assert!(table.text().starts_with("code ") && table.text().contains("b/broken.psk"), "{}", table.text());

    let matched = |text: &str| {
        folder.run(&["match", "a/one.pmd", "b/walk.psa", "--where", text, "--format", "jsonl"]).lines().len()
    };
    assert_eq!((matched("missing == 1 && extra == 3"), matched("missing > 1"), matched("verdict == 'not'")), (1, 0, 1));
}

#[test]
fn a_catalogue_has_the_rows_that_are_asked_for_and_is_not_resumed() {
    let folder = numbers();
    folder.ends(
        1,
        &["catalog", "a", "b", "-o", "all.jsonl", "--where", "bones", "--sort", "-path", "--columns", "path,bones"],
    );
    assert_eq!(texts(&folder.lines("all.jsonl"), "path"), ["b/walk.psa", "b/horse.psa", "a/one.pmd", "a/horse.psk"]);
    assert!(folder.lines("all.jsonl").iter().all(|row| row.as_object().is_some_and(|row| row.len() == 3)));
    let refused = folder.says(2, "catalog a b -o new.jsonl --resume --limit 1");
    assert!(refused.complaints.contains("--resume continues a file of all rows"), "{}", refused.complaints);
    assert!(!folder.files().iter().any(|file| file.contains("part") || file.contains("new")), "{:?}", folder.files());
}

#[test]
fn patterns_leave_out_entries_of_archives_as_they_leave_out_files() {
    let folder = archive();
    folder.put("folder/x.zip", folder.read("mod.zip"));
    let [horse, elephant, old, gallop] = [
        "art/meshes/horse.pmd",
        "art/meshes/skeletal/elephant.pmd",
        "art/meshes_old/horse.pmd",
        "art/animation/gallop.psa",
    ];
    for place in ["mod.zip", "folder"] {
        for (options, expected) in [
            ("--exclude *.psa", vec![horse, elephant, old]),
            ("--exclude meshes", vec![old, gallop]),
            ("--exclude /art/meshes/skeletal --exclude gallop.psa", vec![horse, old]),
            ("--exclude /meshes", vec![horse, elephant, old, gallop]),
            ("--glob !*.psa", vec![horse, elephant, old]),
            ("--glob *horse* --glob !meshes_old", vec![horse]),
            ("-i --glob *HORSE*", vec![horse, old]),
            ("--ignore-case --exclude *.PMD", vec![gallop]),
            ("--exclude *.PMD", vec![horse, elephant, old, gallop]),
            ("-i --glob !*.Pmd", vec![gallop]),
        ] {
            assert_eq!(entries(&folder, &format!("ls {place} {options}")), expected, "{place} {options}");
        }
    }
    // An entry that is named stays, and so does the folder of an archive as the place below which names count.
    assert_eq!(entries(&folder, &format!("ls mod.zip!/{gallop} --exclude *.psa")), [gallop]);
    assert_eq!(entries(&folder, "check mod.zip!/art/meshes/ --exclude skeletal"), [horse]);
    let extracted = folder.says(0, "extract mod.zip *horse* !meshes_old -o out --dry-run");
    assert!(
        extracted.text().contains(&native(horse)) && !extracted.text().contains(&native(old)),
        "{}",
        extracted.text()
    );
    let only = folder.says(0, "extract mod.zip !*.pmd -o out --dry-run");
    assert!(only.text().contains(&native(gallop)) && !only.text().contains(&native(horse)), "{}", only.text());
}

#[test]
fn a_filter_that_leaves_nothing_is_named() {
    let folder = archive();
    for (line, filter) in [
        ("ls mod.zip --glob *.psk", "--glob '*.psk'"),
        ("check mod.zip --glob *.psk --exclude *.psa", "--glob '*.psk'"),
        ("catalog mod.zip -o - --format csv --exclude art", "--exclude 'art'"),
        ("stats mod.zip --exclude *.pmd --glob *.pmd", "--glob '*.pmd'"),
        ("ls mod.zip --exclude *.pmd --exclude *.psa --glob *.ps*", "--exclude '*.pmd' --exclude '*.psa'"),
        ("ls mod.zip --exclude art --glob *.psk", "--exclude 'art' --glob '*.psk'"),
    ] {
        let ran = folder.says(3, line);
        assert!(ran.complaints.ends_with(&format!("no asset left by {filter}\n")), "{line}: {}", ran.complaints);
    }
    let ran = folder.says(3, "ls mod.zip --glob horse");
    assert!(ran.complaints.contains("--glob 'horse': it is compared with whole names; '*a*'"), "{}", ran.complaints);
    folder.put("notes/a.txt", "nothing");
    let ran = folder.says(3, "ls notes --glob *.txt");
    assert!(ran.complaints.contains("no asset found"), "{}", ran.complaints);
    let ran = folder.ends(0, &["ls", "mod.zip", "--where", "bones > 1000"]);
    assert_eq!(
        (ran.text(), ran.complaints.as_str()),
        ("", "skelmap: no row left by --where 'bones > 1000' of 4 rows\n")
    );
    assert_eq!(folder.ends(0, &["ls", "mod.zip", "--where", "bones >= 1"]).complaints, "");
}
