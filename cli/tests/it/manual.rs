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
    let words = words.join(" ");
    let script = format!(
        "source all.bash; COMP_WORDS=({words}); COMP_CWORD={count}; _skelmap skelmap {last} skelmap; echo ${{COMPREPLY[@]}}"
    );
    let ran = Command::new("bash").args(["--norc", "-c", &script]).current_dir(folder.at("")).output().expect("bash");
    String::from_utf8(ran.stdout).expect("UTF-8").split_whitespace().map(str::to_owned).collect()
}

#[cfg(unix)]
#[test]
fn bash_completes_commands_and_options() {
    let folder = Folder::new();
    folder.put("all.bash", folder.says(0, "completions bash").out);
    assert_eq!(offered(&folder, &["skelmap", "conv"]), ["convert"]);
    assert_eq!(offered(&folder, &["skelmap", "ls", "--form"]), ["--format"]);
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
}
