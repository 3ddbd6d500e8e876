//! The row of every file of the corpus, wherever it lies, is what the second readers and the manifest say.

use std::collections::BTreeMap;
use std::path::Path;

use skelmap::Summary;
use skelmap_batch::items::{Options, Row, SCHEMA};

use crate::run::{Folder, find, rows_of};
use test_support::build_zip::{Entry, Zip};
use test_support::corpus::cases;
use test_support::corpus::{Case, Expect};
use test_support::family::{self, Counts};

/// Names that rows of archives are told by.
fn promises(name: &str) -> bool {
    let kind = Path::new(name).extension().expect("every file of the corpus has one").to_str().expect("ASCII");
    ["psk", "pskx", "psa", "pmd", "gsa", "uemodel", "ueanim", "uepose"].contains(&kind)
}

/// The corpus five times: in a folder, stored, deflated, and in archives of other names further down.
fn tree(cases: &[Case]) -> Folder {
    let folder = Folder::new();
    for case in cases {
        folder.put(Path::new("loose").join(case.file), &case.bytes);
    }
    let stored = || cases.iter().map(|case| Entry::stored(case.file, &case.bytes));
    let deflated = || cases.iter().map(|case| Entry::deflated(case.file, &case.bytes));
    folder.put("stored.zip", Zip::of(stored()).build().bytes);
    folder.put("deflated.zip", Zip::of(deflated()).build().bytes);
    folder.put("nested/a/b/mod.pyromod", Zip::of(stored()).build().bytes);
    folder.put("nested/a/DATA.RES", Zip::of(deflated()).build().bytes);
    folder
}

/// The place and the name of a row.
fn placed(folder: &Folder, row: &Row) -> (String, String) {
    let path = Path::new(&row.path).strip_prefix(folder.at("")).expect("below the folder");
    let path = path.to_str().expect("UTF-8").replace('\\', "/");
    match (&row.entry, path.strip_prefix("loose/")) {
        (Some(entry), None) => (path, entry.clone()),
        (None, Some(name)) => ("loose".to_owned(), name.to_owned()),
        _ => panic!("{row:?}"),
    }
}

const PLACES: [&str; 5] = ["deflated.zip", "loose", "nested/a/DATA.RES", "nested/a/b/mod.pyromod", "stored.zip"];

#[test]
fn rows_are_in_the_order_of_names_and_of_directories() {
    let cases = cases();
    let folder = tree(&cases);
    let rows = rows_of(&find(&[folder.at("")]), &Options::default());
    let mut places: Vec<String> = rows.iter().map(|row| placed(&folder, row).0).collect();
    places.dedup();
    assert_eq!(places, PLACES);
    let names = |place: &str| -> Vec<String> {
        let all = rows.iter().map(|row| placed(&folder, row));
        all.filter(|(at, _)| at == place).map(|(_, name)| name).collect()
    };
    let directory: Vec<&str> = cases.iter().map(|case| case.file).filter(|file| promises(file)).collect();
    for place in PLACES.into_iter().filter(|place| *place != "loose") {
        assert_eq!(names(place), directory, "{place}");
    }
    let loose = names("loose");
    assert!(loose.is_sorted_by_key(|name| name.split('/').collect::<Vec<_>>()), "{loose:?}");
    assert!(directory.iter().all(|name| loose.contains(&(*name).to_owned())));
}

#[test]
fn an_asset_has_the_same_row_wherever_it_lies() {
    let cases = cases();
    let folder = tree(&cases);
    let mut same: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for mut row in rows_of(&find(&[folder.at("")]), &Options::default()) {
        let (_, name) = placed(&folder, &row);
        (row.path, row.entry) = (String::new(), None);
        same.entry(name).or_default().push(row);
    }
    for case in &cases {
        let Some(rows) = same.remove(case.file) else {
            assert!(!promises(case.file), "{} has no row", case.file);
            continue;
        };
        let places = if promises(case.file) { PLACES.len() } else { 1 };
        assert_eq!(rows.len(), places, "{}", case.file);
        assert!(rows.iter().all(|row| *row == rows[0]), "{}", case.file);
        is_told(case, &rows[0]);
    }
    assert!(same.is_empty());
}

/// The row says what the manifest and the second readers say.
fn is_told(case: &Case, row: &Row) {
    let file = case.file;
    assert_eq!((row.schema, row.bytes), (SCHEMA, Some(case.bytes.len() as u64)), "{file}");
    assert!(row.joins.is_none() && !row.is_unreadable(), "{file}");
    // The row has only the header of a compressed file; the manifest says what the body holds.
    if row.quirks.contains(&"compressed") {
        assert!(file.starts_with("ueformat/") && row.summary == Summary::default(), "{file}");
        return;
    }
    match &case.expect {
        Expect::Error { kind: "other-format", .. } => assert!(row.format.is_some(), "{file}"),
        Expect::Error { kind, section, offset } => {
            let error = row.error.as_ref().unwrap_or_else(|| panic!("{file} can be read"));
            let section = if section.is_empty() { "no name" } else { section };
            let found = (error.kind, error.section.as_deref(), error.offset);
            assert_eq!(found, (*kind, Some(section), Some(*offset)), "{file}");
            assert_eq!((row.summary, row.quirks.len()), (Summary::default(), 0), "{file}");
        }
        Expect::Ok(good) => {
            assert_eq!((row.format, &row.error), (Some(good.format), &None), "{file}");
            assert_eq!(row.summary.duration_s, good.duration_s, "{file}");
            assert_eq!(row.summary.materials, good.materials, "{file}");
            let mut quirks = row.quirks.clone();
            quirks.sort_unstable();
            assert_eq!(quirks, good.quirks, "{file}");
            counted(case, row);
        }
    }
}

/// The row's counts and quirks are those of the second reader.
fn counted(case: &Case, row: &Row) {
    let expected = (family::of(case.file).count)(case);
    let s = row.summary;
    let mut once: Vec<&str> = Vec::new();
    for quirk in &expected.quirks {
        if !once.contains(quirk) {
            once.push(quirk);
        }
    }
    assert_eq!(row.quirks, once, "{}: each once, in the order met", case.file);
    let found = Counts {
        bones: s.bones,
        points: s.points,
        wedges: s.wedges,
        faces: s.faces,
        uv_sets: s.uv_sets,
        sequences: s.sequences,
        frames: s.frames,
        quirks: expected.quirks.clone(),
    };
    assert_eq!(found, expected, "{}", case.file);
}

#[test]
fn rows_do_not_depend_on_the_number_of_threads() {
    let cases = cases();
    let folder = tree(&cases);
    let options = Options { joins: true, content_hash: true, ..Options::default() };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| rows_of(&find(&[folder.at("")]), &options))
    };
    let one = on(1);
    assert!(one.len() > 2 * 1024, "more than two rounds of work");
    assert!(one == on(2) && one == on(8));
}

#[test]
fn a_caller_may_stop_reading_rows() {
    let folder = Folder::new();
    let data = crate::run::corpus("actorx/mesh/classic.psk");
    for index in 0..5 {
        folder.put(format!("{index}.psk"), &data);
    }
    let sources = find(&[folder.at("")]);
    let third = sources.rows(&Options::default()).nth(2).expect("five rows");
    assert!(third.path.ends_with("2.psk"), "{}", third.path);
}

/// Takes a file out of the page cache. Where the system keeps it all the same, the rows come from memory.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "the standard library has no advice for the system")]
fn evict(path: &Path) {
    use std::os::fd::AsRawFd;
    let file = std::fs::File::open(path).expect("a file");
    file.sync_all().expect("synced");
    // SAFETY: the descriptor is open; the call changes no memory of this process.
    let refused = unsafe { libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED) };
    assert_eq!(refused, 0);
}

/// Headers that are not in memory are read from the file and not through the map, on more threads.
#[cfg(target_os = "linux")]
#[test]
#[allow(unsafe_code, reason = "archives are mapped")]
fn rows_are_the_same_whether_the_files_are_in_memory_or_not() {
    use skelmap::archive::Limits;
    use skelmap::mapping::Opener;
    use skelmap_batch::items::Sources;

    let cases = cases();
    let folder = tree(&cases);
    // The system reads around the directory at the end of an archive, so that small archives come into memory as a whole.
    let padding = vec![0; 8 << 20];
    let entries = cases.iter().map(|case| Entry::stored(case.file, &case.bytes));
    folder.put("long.zip", Zip::of(entries.chain([Entry::stored("padding", &padding)])).build().bytes);
    let options = Options { joins: true, ..Options::default() };
    // SAFETY: nothing changes the files of this test's own folder while they are mapped.
    let mapping = unsafe { Opener::auto() };
    let rows = |opener: &Opener| -> Vec<Row> {
        Sources::find(&[folder.at("")], opener, &Limits::default()).rows(&options).collect()
    };
    let warm = rows(&Opener::reading());
    for _ in 0..3 {
        for name in folder.files() {
            evict(&folder.at(name));
        }
        assert!(rows(&mapping) == warm);
    }
}
