//! What people see in a terminal: tables that fit it, colours, and no more than they ask for. `script` makes the terminal.

use crate::run::{Folder, animation, corpus, stored};

use super::shell;

/// What a command prints on a terminal that is so wide. Messages are left out.
fn shown(folder: &Folder, columns: usize, arguments: &str) -> String {
    shown_with(folder, columns, "-u NO_COLOR", arguments)
}

/// The same with other variables.
fn shown_with(folder: &Folder, columns: usize, variables: &str, arguments: &str) -> String {
    let line = format!(
        "env -u CLICOLOR_FORCE {variables} TERM=xterm COLUMNS={columns} SHELL=/bin/sh \
         script -qc \"'$0' {arguments} 2>messages\" log </dev/null"
    );
    let ran = shell(folder, &line);
    assert_eq!(ran.complaints, "", "{arguments}");
    ran.text().replace("\r\n", "\n")
}

/// The text without colours.
fn plain(text: &str) -> String {
    let mut pieces = text.split('\u{1b}');
    let first = pieces.next().unwrap_or_default().to_owned();
    first + &pieces.map(|piece| piece.split_once('m').expect("a colour").1).collect::<String>()
}

const LONG: &str = "folder/of/a/very/long/name/that/no/terminal/has/room/for/and/so/is/cut/figure.psk";

fn folder() -> Folder {
    let folder = Folder::new();
    let (mesh, animation) = (corpus("actorx/mesh/classic.psk"), corpus("actorx/anim/sequences.psa"));
    let odd = corpus("actorx/mesh/duplicate_chunk.psk");
    folder.put("in/a.zip", stored(&[("art/mesh.psk", &mesh), ("art/walk.psa", &animation)]));
    folder.put("in/broken.psk", corpus("actorx/damaged/overrun.psk"));
    folder.put("in/odd.psk", odd);
    folder.put("in/wrong.psk", corpus("actorx/mesh/point_nan.psk"));
    folder.put(format!("in/{LONG}"), &mesh);
    folder
}

#[test]
fn a_table_fits_the_terminal_and_shows_an_archive_once() {
    let folder = folder();
    for columns in [40, 60, 80, 120] {
        let table = plain(&shown(&folder, columns, "ls in"));
        assert!(table.lines().all(|line| line.chars().count() <= columns), "{columns}: {table}");
        if columns < 60 {
            continue;
        }
        let lines: Vec<&str> = table.lines().collect();
        assert!(lines[0].starts_with("format") && lines[0].ends_with(" address"), "{table}");
        assert_eq!(lines[1], "in/a.zip", "{table}");
        assert!(lines[2].ends_with("  art/mesh.psk") && lines[3].ends_with("  art/walk.psa"), "{table}");
        assert!(lines[4].starts_with("ERROR ") && lines[4].ends_with(" in/broken.psk"), "{table}");
        assert!(lines[5].starts_with("      at byte 1472 (RAWWEIGHTS): "), "{table}");
        let long = lines.iter().find(|line| line.ends_with("/figure.psk")).expect("a shortened path");
        assert!(long.contains(" in/…/") || long.contains(" …/"), "{long}");
        assert_eq!(
            lines.iter().position(|line| line.ends_with(" in/odd.psk")).map(|at| lines[at + 1]),
            Some("      quirks: duplicate-chunk")
        );
        assert_eq!(table.matches("a.zip").count(), 1);
    }
    // More columns on a wider terminal, but the most telling ones on any.
    let heading = |columns| plain(&shown(&folder, columns, "ls in")).lines().next().map(str::to_owned);
    assert_eq!(heading(60).as_deref(), Some("format     bones faces seconds address"));
    assert_eq!(
        heading(120).as_deref(),
        Some("format         size bones points wedges faces mats seqs frames seconds address")
    );
}

#[test]
fn errors_are_red_and_quirks_yellow() {
    let table = shown(&folder(), 80, "ls in");
    assert!(table.contains("\u{1b}[1m\u{1b}[31mERROR\u{1b}[0m "), "{table:?}");
    assert!(table.contains("\u{1b}[33mquirks: duplicate-chunk\u{1b}[0m"), "{table:?}");
    assert!(table.contains("\u{1b}[1min/a.zip\u{1b}[0m"), "{table:?}");
    // Any background will do: no colour but red and yellow, none behind the text.
    let codes = table.split("\u{1b}[").skip(1).map(|piece| piece.split('m').next().expect("a code"));
    assert!(codes.into_iter().all(|code| ["0", "1", "2", "31", "33"].contains(&code)), "{table:?}");
}

#[test]
fn elsewhere_a_row_is_one_line_with_its_whole_path_at_the_end() {
    let folder = folder();
    let ran = folder.says(1, "ls in");
    let lines: Vec<&str> = ran.text().lines().collect();
    assert_eq!(lines.len(), 7, "{}", ran.text());
    assert!(!ran.text().contains('\u{1b}'));
    let ends = [" address", " in/a.zip!/art/mesh.psk", " in/a.zip!/art/walk.psa", " in/broken.psk"];
    assert!(lines.iter().zip(ends).all(|(line, end)| line.ends_with(end)), "{}", ran.text());
    assert!(
        lines[3].starts_with("ERROR at byte 1472 (RAWWEIGHTS): 15 records of 12 bytes need 180 bytes, but the file has only 168 left: it is cut off or damaged  ")
    );
    assert!(lines[4].ends_with(&format!(" in/{LONG}")));
    assert!(lines[5].ends_with(" duplicate-chunk in/odd.psk"));
}

#[test]
fn tables_of_other_commands_fit_too() {
    let folder = folder();
    folder.put("fox.psk", corpus("actorx/mesh/classic.psk"));
    let lines = ["match fox.psk in", "convert in --force -o out", "check in --level note"];
    for (columns, arguments) in [40, 60, 80].into_iter().flat_map(|columns| lines.map(|line| (columns, line))) {
        let table = plain(&shown(&folder, columns, arguments));
        assert!(table.lines().count() >= 3, "{arguments}: {table}");
        assert!(table.lines().all(|line| line.chars().count() <= columns), "{arguments}: {table}");
    }
}

#[test]
fn check_names_a_file_once_above_its_findings() {
    let folder = folder();
    let text = shown(&folder, 60, "check in --level note");
    let expected = "\
in/broken.psk
  error [records-overrun] at byte 1472 (RAWWEIGHTS): 15
    records of 12 bytes need 180 bytes, but the file has
    only 168 left: it is cut off or damaged
in/odd.psk
";
    assert!(plain(&text).starts_with(expected), "{text}");
    assert!(text.contains("  \u{1b}[1m\u{1b}[31merror\u{1b}[0m [not-finite] at byte 32"), "{text:?}");
    let piped = folder.says(1, "check in --level note");
    assert!(piped.text().starts_with("in/broken.psk: error [records-overrun] at byte 1472 (RAWWEIGHTS): 15 records"));
}

#[test]
fn a_dump_of_many_rows_counts_them_where_nobody_sees_them() {
    let folder = Folder::new();
    folder.put("big.psa", animation(&[("Root", 0)], &[("walk", 1_000_000, 30.0)]));
    let on_terminal = |line: &str| {
        shell(&folder, &format!("TERM=xterm SHELL=/bin/sh script -qc \"{line}\" log </dev/null")).text().to_owned()
    };
    assert!(on_terminal("'$0' dump big.psa --what keys >/dev/null").contains(" rows\u{1b}[K"));
    assert!(!on_terminal("'$0' dump big.psa --what keys -q >/dev/null").contains(" rows"));
}

#[test]
fn binary_formats_refuse_a_terminal() {
    let folder = folder();
    for line in [
        "dump in/odd.psk --what points --format f32",
        "dump in/odd.psk --what points --format npy",
        "skin in/odd.psk --format f32",
        "cat in/odd.psk",
    ] {
        let ran = shell(&folder, &format!("TERM=xterm SHELL=/bin/sh script -qec \"'$0' {line}\" log </dev/null"));
        assert_eq!(ran.status, 2, "{line}: {}", ran.text());
        assert!(ran.text().contains("terminal") && ran.out.len() < 400, "{line}: {}", ran.text());
    }
}

#[test]
fn colours_are_where_they_are_asked_for() {
    let folder = folder();
    let is_coloured = |text: &str| text.contains('\u{1b}');
    assert!(is_coloured(folder.says(1, "ls --color always in").text()));
    assert!(!is_coloured(folder.says(1, "ls --color auto in").text()));
    assert!(!is_coloured(&shown(&folder, 80, "ls --color never in")));
    assert!(is_coloured(&shown(&folder, 80, "ls --color auto in")));
    assert!(!is_coloured(&shown_with(&folder, 80, "NO_COLOR=1", "ls in")));
    assert!(is_coloured(&shown_with(&folder, 80, "NO_COLOR=1", "ls --color always in")));
    folder.says(2, "ls --color red in");
}

#[test]
fn quiet_leaves_out_summaries_and_no_error() {
    let folder = folder();
    folder.put("fox.psk", corpus("actorx/mesh/classic.psk"));
    for line in ["ls in", "check in", "match fox.psk in/a.zip", "catalog in/odd.psk -o x.jsonl", "pack in -o x.zip"] {
        let loud = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert!(loud.complaints.starts_with("skelmap: "), "{line}");
        let quiet = format!("-q {line} {}", if line.contains(" -o ") { "--force" } else { "" });
        let ran = folder.says(loud.status, quiet.trim_end());
        assert_eq!((ran.complaints.as_str(), ran.out), ("", loud.out), "{line}");
    }
    let ran = folder.says(1, "match fox.psk in -q");
    assert!(ran.complaints.starts_with("skelmap: in/broken.psk: at byte 1472"), "{}", ran.complaints);
    assert_eq!(ran.complaints.lines().count(), 1, "{}", ran.complaints);
    assert_eq!(folder.says(3, "ls nothing.psk -q").complaints, "");
    folder.says(2, "ls -q -v in");
}

#[test]
fn verbose_says_how_many_files_and_how_long() {
    let ran = folder().says(1, "check -v in");
    let last = ran.complaints.lines().last().expect("a line");
    assert!(last.starts_with("skelmap: 6 files looked at, in ") && last.ends_with(" s"), "{last}");
    let info = folder().says(0, "info in/odd.psk -v");
    assert!(info.complaints.starts_with("skelmap: 1 file looked at, in "), "{}", info.complaints);
}

/// A bar that is drawn again for each row makes a terminal flicker.
#[test]
fn progress_is_drawn_a_few_times_a_second_however_many_rows_there_are() {
    let folder = Folder::new();
    for index in 0..400 {
        folder.put(format!("in/{index}.psk"), corpus("actorx/damaged/overrun.psk"));
    }
    let begin = std::time::Instant::now();
    let line = "TERM=xterm SHELL=/bin/sh script -qc \"'$0' match in/0.psk in; '$0' check in --jobs 1; '$0' ls in\" log </dev/null";
    let shown = shell(&folder, line).text().to_owned();
    assert!(shown.matches("overrun").count() >= 400, "{shown}");
    // A drawing and a clearing each eighth of a second, in each of three commands.
    let most = usize::try_from(begin.elapsed().as_millis() / 125).expect("a number") + 3;
    assert!(shown.matches("\u{1b}[K").count() <= 2 * most, "{shown:?}");
}

/// Two long values: each gets its part of what there is.
#[test]
fn a_difference_fits_the_terminal_and_shows_both_values() {
    let folder = Folder::new();
    let mesh = corpus("actorx/mesh/classic.psk");
    let (before, after) = ("art/meshes/skeletal/animals/quadrupeds/", "art/meshes/props/shields/decorations/");
    folder.put("one.zip", stored(&[(&format!("{before}horse.psk"), &mesh)]));
    folder.put("two.zip", stored(&[(&format!("{after}a_shield_of_a_horse.psk"), &mesh)]));
    for columns in [60, 80, 100] {
        let table = plain(&shown(&folder, columns, "diff one.zip two.zip --deep"));
        assert!(table.lines().count() > 1, "{table}");
        assert!(table.lines().all(|line| line.chars().count() <= columns), "{columns}: {table}");
    }
}
