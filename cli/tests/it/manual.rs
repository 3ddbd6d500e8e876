//! Completions and manual pages.

#[cfg(unix)]
use std::process::Command;

use crate::run::Folder;

/// The commands that the help lists.
fn commands(folder: &Folder) -> Vec<String> {
    let help = folder.says(0, "--help");
    let listed =
        help.text().lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names.map(|line| line.split_whitespace().next().expect("a name").to_owned()).collect()
}

/// What bash offers for the last word of a line.
#[cfg(unix)]
fn offered(folder: &Folder, words: &[&str]) -> Vec<String> {
    let (last, count) = (words.last().expect("a word"), words.len() - 1);
    let before = words[count - 1];
    let words = words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ");
    let script = format!(
        "source all.bash; COMP_WORDS=({words}); COMP_CWORD={count}; $(complete -p skelmap | grep -o '_skelmap[a-z_]*') skelmap '{last}' {before}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    );
    let ran = Command::new("bash").args(["--norc", "-c", &script]).current_dir(folder.at("")).output().expect("bash");
    String::from_utf8(ran.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
}

#[cfg(unix)]
#[test]
fn bash_completes_commands_and_options() {
    let folder = Folder::new();
    folder.put("all.bash", folder.says(0, "completions bash").out);
    assert_eq!(offered(&folder, &["skelmap", "conv"]), ["convert"]);
    assert_eq!(offered(&folder, &["skelmap", "ls", "--form"]), ["--format"]);
}

/// Tried with zsh 5.9 and fish 3.6: `--columns path,en` is completed to `--columns path,entry`.
#[test]
fn zsh_and_fish_complete_behind_the_commas_of_a_list() {
    let folder = Folder::new();
    let zsh = folder.says(0, "completions zsh");
    let own = zsh.text().lines().find(|line| line.contains("--columns=[")).expect("the option");
    assert!(own.contains(":_sequence compadd - schema path entry ") && own.ends_with("' \\"), "{own}");
    let fish = folder.says(0, "completions fish");
    let own = fish.text().lines().find(|line| line.contains(" -l columns ")).expect("the option");
    assert!(own.contains("-a \"(__fish_complete_list , 'string split \\\"|\\\" \\\"schema|path|entry|"), "{own}");
    assert!(own.ends_with("\\\"')\""), "{own}");
    // Another option has one value.
    assert!(fish.text().contains("-l format ") && zsh.text().contains(":(table json jsonl"), "{}", zsh.text());
}

#[test]
fn every_shell_has_completions() {
    let folder = Folder::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let text = folder.says(0, &format!("completions {shell}"));
        for name in commands(&folder) {
            assert!(text.text().contains(&name), "{shell}, {name}");
        }
    }
    folder.says(2, "completions cmd");
}

#[test]
fn the_name_of_a_command_is_its_page_and_no_folder() {
    let folder = Folder::new();
    folder.says(0, "man ./convert");
    for name in ["convert", "gsa-events"] {
        let page = folder.says(0, &format!("man {name}"));
        assert_eq!(page.text(), folder.text(format!("convert/skelmap-{name}.1")));
    }
    assert_eq!(folder.says(0, "man Convert").text(), folder.text("convert/skelmap-convert.1"));
    assert_eq!(folder.says(0, "man completions").text(), folder.text("convert/skelmap.1"));
    assert!(!folder.at("gsa-events").exists());
    assert!(folder.files().iter().all(|file| file.starts_with("convert/skelmap")), "{:?}", folder.files());
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = Folder::new();
    std::fs::create_dir(folder.at("man1")).expect("a folder");
    folder.says(0, "man man1");
    let names = commands(&folder);
    assert!(names.len() > 10, "{names:?}");
    for name in names.iter().filter(|name| *name != "help") {
        let page = folder.text(format!("man1/skelmap-{name}.1"));
        assert!(page.contains(".TH") && page.contains(".SH DESCRIPTION"), "{name}: {page}");
    }
    assert_eq!(folder.text("man1/skelmap.1").matches(".TH").count(), 1);
    assert!(folder.says(0, "man").text().contains(".SH NAME"));
    folder.says(0, "man made/here");
    assert!(folder.text("made/here/skelmap-ls.1").contains(".TH"));
    folder.says(5, "man made/here/skelmap-ls.1");
    // A typing error is no folder.
    let meant = folder.says(2, "man covert").complaints;
    assert!(meant.contains("is convert meant? A folder is ./covert") && !folder.at("covert").exists(), "{meant}");
    for name in ["./covert", "pages", "manual"] {
        folder.says(0, &format!("man {name}"));
        assert!(folder.at(name).join("skelmap-ls.1").exists(), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn bash_completes_codes_columns_and_commands_with_columns() {
    let folder = Folder::new();
    folder.put("all.bash", folder.says(0, "completions bash").out);
    assert_eq!(offered(&folder, &["skelmap", "explain", "weight-s"]), ["weight-sum"]);
    assert_eq!(offered(&folder, &["skelmap", "explain", "in-p"]), ["in-part"]);
    assert_eq!(offered(&folder, &["skelmap", "check", "--ignore", "bone-cy"]), ["bone-cycle"]);
    assert_eq!(offered(&folder, &["skelmap", "check", "--fix", "wedge-"]), ["wedge-padding"]);
    assert_eq!(offered(&folder, &["skelmap", "ls", "--columns", "bon"]), ["bones"]);
    assert_eq!(offered(&folder, &["skelmap", "ls", "--sort", "fac"]), ["faces"]);
    assert_eq!(offered(&folder, &["skelmap", "check", "--sort", "sever"]), ["severity"]);
    assert_eq!(offered(&folder, &["skelmap", "stats", "--columns", "bon"]), ["bones"]);
    assert_eq!(offered(&folder, &["skelmap", "columns", "expl"]), ["explain"]);
}

/// For bash, `=` is a word of its own, and a comma is in the middle of one.
#[cfg(unix)]
#[test]
fn bash_completes_behind_commas_equals_signs_and_the_sign_of_an_order() {
    let folder = Folder::new();
    folder.put("all.bash", folder.says(0, "completions bash").out);
    assert_eq!(offered(&folder, &["skelmap", "ls", "--columns", "format,bon"]), ["format,bones"]);
    assert_eq!(offered(&folder, &["skelmap", "ls", "--columns", "=", "bon"]), ["bones"]);
    assert_eq!(offered(&folder, &["skelmap", "ls", "--columns", "=", "path,format,bon"]), ["path,format,bones"]);
    assert_eq!(offered(&folder, &["skelmap", "ls", "--sort", "-fac"]), ["-faces"]);
    assert_eq!(offered(&folder, &["skelmap", "ls", "--sort", "-bones,-fac"]), ["-bones,-faces"]);
    assert_eq!(offered(&folder, &["skelmap", "check", "--fix", "weight-sum,wedge-"]), ["weight-sum,wedge-padding"]);
    let all = offered(&folder, &["skelmap", "ls", "--color", "="]);
    assert!(all.len() == 3 && all.contains(&"never".to_owned()), "{all:?}");
    // Paths are left to bash, which knows of quotes, variables and spaces.
    folder.put("My fox.psk", "");
    assert_eq!(offered(&folder, &["skelmap", "view", "a", "--anim", "My"]), [""]);
    assert!(offered(&folder, &["skelmap", "ls", "--sort", "--form"]).contains(&"--format".to_owned()));
    // An option behind one that has a list is no value of it.
    assert_eq!(offered(&folder, &["skelmap", "ls", "--sort", "faces", "--form"]), ["--format"]);
}

/// Completions are lists of what is usual: the command has its own messages about other values.
#[test]
fn values_of_completions_are_no_rule_of_the_command() {
    let folder = Folder::new();
    assert!(folder.says(2, "explain weightsum").complaints.contains("did you mean weight-sum?"));
    folder.put("fox.psk", std::fs::read(test_support::corpus::folder().join("../../corpus/fox.psk")).expect("a file"));
    folder.says(0, "ls --sort -bones fox.psk");
    folder.says(0, "ls --columns bones,faces fox.psk");
}

#[test]
fn pages_of_the_manual_have_values_dots_and_the_meaning_of_every_option() {
    let folder = Folder::new();
    folder.says(0, "man pages");
    let page = folder.text("pages/skelmap-ls.1");
    assert!(page.contains(r"\fBskelmap ls\fR [OPTIONS] <PATH>..."), "{page}");
    assert!(page.contains(r"\fB\-\-glob\fR \fI<GLOB>\fR..."), "{page}");
    assert!(page.contains("\n<\\fIPATH\\fR>..."), "{page}");
    assert!(page.contains(r"\fB\-\-jobs\fR \fI<N>\fR") && !page.contains(r"\fI<N>\fR..."), "{page}");
    // Also of options that the short help has no room for.
    for name in folder.files().iter().filter(|name| name.starts_with("pages/")) {
        let page = folder.text(name);
        let lines: Vec<&str> = page.lines().collect();
        let empty: Vec<_> = lines.windows(3).filter(|lines| lines[0] == ".TP" && lines[2].is_empty()).collect();
        assert!(empty.is_empty(), "{name}: {empty:?}");
        assert!(page.contains(concat!("\"skelmap ", env!("CARGO_PKG_VERSION"), "\"")), "{name}: {page}");
    }
    let page = folder.text("pages/skelmap.1");
    assert!(!page.contains("Environment variables:") && page.contains("Exit status:"), "{page}");
    let help = folder.says(0, "--help").text().to_owned();
    let listed =
        help.split("Environment variables:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a list");
    assert!(listed.lines().count() > 5 && listed.lines().all(|line| line.len() < 90), "{listed}");
    for names in listed.lines().filter_map(|line| line.trim().split("  ").next()) {
        assert!(page.contains(&format!("\\fB{names}\\fR")), "{names}");
    }
    for text in [".SH ENVIRONMENT", r"\fBNO_COLOR\fR", ".SH FILES", r"\fBskelmap.toml\fR"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(page.contains(".SH FILES") && folder.text("pages/skelmap-gsa-events.1").contains(".SH SEE ALSO"));
}
