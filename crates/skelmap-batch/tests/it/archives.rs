//! Rows of many archives that are read in parts or mapped.

use std::fs;
#[cfg(target_os = "linux")]
use std::path::PathBuf;

#[cfg(target_os = "linux")]
use skelmap::Format;
use skelmap::archive::Limits;
use skelmap::mapping::Opener;
#[cfg(target_os = "linux")]
use skelmap_batch::items::Need;
use skelmap_batch::items::{Options, Row, Sources};
use tempfile::TempDir;

#[cfg(target_os = "linux")]
use crate::mapping;
use test_support::build_zip::{Entry, Zip};
use test_support::corpus::file;

#[test]
fn an_archive_of_another_size_in_the_place_of_the_opened_one_is_an_error() {
    let folder = TempDir::new().unwrap();
    // The first 64 archives of a run keep their files.
    for index in 0..65 {
        fs::write(folder.path().join(format!("{index:02}.zip")), zip_of_assets()).unwrap();
    }
    let sources = Sources::find(&[folder.path().to_owned()], &Opener::reading(), &Limits::default());
    let path = folder.path().join("64.zip");
    fs::remove_file(&path).unwrap();
    fs::write(&path, [zip_of_assets(), vec![0]].concat()).unwrap();
    let rows: Vec<Row> = sources.rows(&Options::default()).collect();
    let errors: Vec<&Row> = rows.iter().filter(|row| row.error.is_some()).collect();
    assert_eq!((rows.len(), errors.len()), (65 * 2, 2));
    for row in errors {
        assert_eq!(row.path, path.to_str().unwrap().replace(std::path::MAIN_SEPARATOR, "/"));
        let message = &row.error.as_ref().unwrap().message;
        assert!(message.contains("the archive was replaced while it was read"), "{message}");
    }
}

fn zip_of_assets() -> Vec<u8> {
    let (mesh, animation) = (file("actorx/mesh/classic.psk"), file("actorx/anim/classic.psa"));
    Zip::of([Entry::stored("a.psk", mesh), Entry::deflated("b.psa", animation)]).build().bytes
}

/// A process may have 1,024 files open, on most systems.
#[cfg(target_os = "linux")]
#[test]
fn at_most_64_archives_keep_their_files_open_and_the_rows_are_the_same() {
    const ARCHIVES: usize = 70;
    let folder = TempDir::new().unwrap();
    for index in 0..ARCHIVES {
        fs::write(folder.path().join(format!("{index:02}.zip")), zip_of_assets()).unwrap();
    }
    let is_below = |link: &PathBuf| link.starts_with(folder.path());
    let open_files = || {
        let all = fs::read_dir("/proc/self/fd").unwrap();
        all.filter_map(|entry| fs::read_link(entry.unwrap().path()).ok()).filter(is_below).count()
    };
    for opener in [Opener::reading(), mapping::auto()] {
        let sources = Sources::find(&[folder.path().to_owned()], &opener, &Limits::default());
        assert_eq!(open_files(), 64);
        let rows: Vec<Row> = sources.rows(&Options::default()).collect();
        let expected = [("a.psk", Format::ActorxPsk), ("b.psa", Format::ActorxPsa)];
        assert_eq!(rows.len(), ARCHIVES * expected.len());
        for (row, (name, format)) in rows.iter().zip(expected.into_iter().cycle()) {
            assert_eq!((row.entry.as_deref(), row.format, &row.error), (Some(name), Some(format.code()), &None));
        }
        drop(sources);
        assert_eq!(open_files(), 0);
    }
}

/// Batches that are not in memory run on 64 threads, if the pool has a thread for each processor.
#[cfg(target_os = "linux")]
#[test]
fn a_mapped_archive_that_is_in_memory_needs_no_further_threads() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.zip");
    let entries = (0..4).map(|index| Entry::stored(format!("{index}.psk"), file("actorx/mesh/classic.psk")));
    fs::write(&path, Zip::of(entries).build().bytes).unwrap();
    let sources = Sources::find(&[path], &mapping::auto(), &Limits::default());
    let usual = std::thread::available_parallelism().unwrap().get();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(usual).build().unwrap();
    let threads = || sources.map(Need::Headers, |_| Some(rayon::current_num_threads())).collect::<Vec<_>>();
    assert_eq!(pool.install(threads), [usual; 4]);
}
