//! Where bytes live: read, mapped or borrowed, with one type over all of them, and what the file system has beside files.

#![allow(unsafe_code, reason = "mapping a file is unsafe; these tests map files that only they know of")]

mod owners;
mod parts;
mod stores;

use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use skelmap::actorx::Psa;
use skelmap::mapping::MAP_FROM;
use skelmap::mapping::{Mapping, OpenError, Opener};
use tempfile::TempDir;

use test_support::actorx::corpus::sample::walk;

fn file(folder: &TempDir, name: &str, bytes: &[u8]) -> std::path::PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn map(path: &Path) -> Opened {
    // SAFETY: the file is this test's own, in a folder of its own, and no test truncates or changes a file it has mapped.
    unsafe { Mapping::map(path) }
}

/// For a file of the test's own, in a folder of its own, that the test does not change.
pub(crate) fn auto() -> Opener {
    // SAFETY: as for `map`.
    unsafe { Opener::auto() }
}

/// What a way to open a file gave.
type Opened = Result<Mapping<'static>, OpenError>;

/// Every way there is to open a file.
fn ways(path: &Path) -> [(&'static str, Opened); 4] {
    let (read, reading) = (Mapping::read(path), Opener::reading().open(path));
    [("read", read), ("reading", reading), ("map", map(path)), ("auto", auto().open(path))]
}

/// From 32 MiB on, files are read into memory of another kind.
#[test]
fn a_file_of_many_pages_is_read_to_its_last_byte() {
    const SIZE: u64 = (32 << 20) + 5;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("large");
    let mut large = fs::File::create(&path).unwrap();
    large.set_len(SIZE).unwrap();
    for place in [0, SIZE / 2, SIZE - 3] {
        large.seek(SeekFrom::Start(place)).unwrap();
        large.write_all(b"abc").unwrap();
    }
    let read = Mapping::read(&path).unwrap();
    assert!(!read.is_mapped());
    assert_eq!(*read, *fs::read(&path).unwrap());
    // The bytes are the process's own.
    large.set_len(0).unwrap();
    assert_eq!(read[read.len() - 3..], *b"abc");
}

#[test]
fn a_file_is_the_same_however_it_is_opened() {
    let folder = TempDir::new().unwrap();
    let bytes = walk().chunks().build().bytes;
    let path = file(&folder, "walk.psa", &bytes);
    for (way, opened) in ways(&path) {
        let opened = opened.unwrap();
        assert_eq!(*opened, *bytes, "{way}");
        assert_eq!(opened.as_ref(), bytes, "{way}");
        assert_eq!(Psa::parse(&opened).unwrap().keys().len(), 20, "{way}");
        assert_eq!(opened.is_mapped(), way == "map", "{way}");
    }
    let borrowed = Mapping::borrowed(&bytes);
    assert_eq!(Psa::parse(&borrowed).unwrap().keys().len(), 20);
    assert_eq!(borrowed.as_ptr(), bytes.as_ptr());
    assert!(!borrowed.is_mapped() && !Mapping::from(bytes.clone()).is_mapped());
    assert_eq!(*Mapping::from(bytes.as_slice()), *bytes);
    assert_eq!(format!("{:?}", Mapping::borrowed(&bytes)), "Mapping(1448 bytes borrowed)");
}

#[test]
fn an_empty_file_is_an_empty_slice() {
    let folder = TempDir::new().unwrap();
    let path = file(&folder, "empty.psa", b"");
    for (way, opened) in ways(&path) {
        let opened = opened.unwrap_or_else(|error| panic!("{way}: {error}"));
        assert!(opened.is_empty(), "{way}");
        assert_eq!(Psa::parse(&opened).unwrap_err().to_string(), "the file is empty");
    }
}

#[test]
fn a_folder_is_an_error_that_names_it() {
    let folder = TempDir::new().unwrap();
    for (way, opened) in ways(folder.path()) {
        let error = opened.unwrap_err();
        assert_eq!(error.path(), folder.path(), "{way}");
        assert_eq!(error.io().kind(), std::io::ErrorKind::IsADirectory, "{way}");
        assert_eq!(error.to_string(), format!("{}: is a directory", folder.path().display()), "{way}");
    }
}

#[test]
fn a_missing_file_is_an_error_that_names_it() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("nothing.psa");
    for (way, opened) in ways(&path) {
        let error = opened.unwrap_err();
        assert_eq!((error.path(), error.io().kind()), (path.as_path(), std::io::ErrorKind::NotFound), "{way}");
        assert!(error.to_string().starts_with(&format!("{}: ", path.display())), "{way}: {error}");
        // The message is a whole sentence, and the cause is at the end of the chain for whoever looks for it.
        assert!(error.to_string().ends_with(&error.io().to_string()), "{way}: {error}");
        let cause = std::error::Error::source(&error).and_then(|cause| cause.downcast_ref::<std::io::Error>());
        assert_eq!(cause.map(std::io::Error::kind), Some(std::io::ErrorKind::NotFound), "{way}");
    }
}

/// The docs of [`skelmap::mapping::UNSIZED_LIMIT`].
#[cfg(target_os = "linux")]
#[test]
fn a_device_without_an_end_is_an_error_after_a_gibibyte() {
    let error = Mapping::read("/dev/zero").unwrap_err();
    assert_eq!(error.to_string(), "/dev/zero: has no size and more than 1073741824 bytes, the limit for such a file");
}

#[test]
fn clones_share_their_bytes() {
    let folder = TempDir::new().unwrap();
    let path = file(&folder, "walk.psa", &walk().chunks().build().bytes);
    for (way, opened) in ways(&path) {
        let opened = opened.unwrap();
        let clone = opened.clone();
        assert_eq!(clone.as_ptr(), opened.as_ptr(), "{way}");
        drop(opened);
        assert!(Psa::parse(&clone).is_ok(), "{way}");
    }
}

#[test]
fn a_mapping_can_be_sent_to_other_threads() {
    fn anywhere<T: Send + Sync + Clone + 'static>() {}
    anywhere::<Mapping<'static>>();
    anywhere::<Opener>();
    let folder = TempDir::new().unwrap();
    let path = file(&folder, "walk.psa", &walk().chunks().build().bytes);
    for (way, opened) in ways(&path) {
        let animation = std::sync::Arc::new(skelmap::actorx::PsaBuf::parse(opened.unwrap()).unwrap());
        let there = std::sync::Arc::clone(&animation);
        let keys = std::thread::spawn(move || there.view().keys().len()).join().unwrap();
        assert_eq!(keys, 20, "{way}");
    }
}

#[test]
fn small_files_are_read_and_large_files_are_mapped() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("large");
    let file = fs::File::create(&path).unwrap();
    for (size, mapped) in [(MAP_FROM - 1, false), (MAP_FROM, true)] {
        file.set_len(size).unwrap();
        let opened = auto().open(&path).unwrap();
        assert_eq!((opened.is_mapped(), opened.len() as u64), (mapped, size));
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_is_replaced_or_deleted_keeps_its_old_bytes_while_it_is_mapped() {
    let folder = TempDir::new().unwrap();
    let path = file(&folder, "a.psa", &walk().chunks().build().bytes);
    let mapped = map(&path).unwrap();
    fs::rename(file(&folder, "b.psa", b"something else"), &path).unwrap();
    assert_eq!(*Mapping::read(&path).unwrap(), *b"something else");
    assert_eq!(Psa::parse(&mapped).unwrap().keys().len(), 20);
    let other = map(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(*other, *b"something else");
}

#[cfg(unix)]
mod unix {
    use super::{Opener, Path, TempDir, fs, walk, ways};
    use std::process::Command;
    use std::thread;

    /// The system maps no file below `/sys`, although each is a regular file with a size.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_the_system_does_not_map_is_an_error() {
        let path = Path::new("/sys/devices/system/cpu/possible");
        let Ok(metadata) = path.metadata() else {
            eprintln!("skipped: {} does not exist", path.display());
            return;
        };
        assert!(metadata.is_file() && metadata.len() > 0);
        assert!(super::map(path).is_err());
    }

    #[test]
    fn an_empty_device_is_read_and_not_mapped() {
        for (way, opened) in ways(Path::new("/dev/null")) {
            if way == "map" {
                let error = opened.unwrap_err().to_string();
                assert_eq!(error, "/dev/null: is not a regular file, so it cannot be mapped");
            } else {
                assert!(opened.unwrap().is_empty(), "{way}");
            }
        }
    }

    #[test]
    fn a_pipe_is_read_to_its_end() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let bytes = walk().chunks().build().bytes;
        let openers = [Opener::reading(), super::auto()];
        for opener in openers {
            let (to, content) = (path.clone(), bytes.clone());
            let writer = thread::spawn(move || fs::write(to, content).unwrap());
            let opened = opener.open(&path).unwrap();
            writer.join().unwrap();
            assert_eq!(*opened, *bytes, "{opener:?}");
            assert!(!opened.is_mapped());
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_of_proc_that_states_no_size_is_read_in_full_or_refused() {
        let path = Path::new("/proc/self/environ");
        assert_eq!(fs::metadata(path).unwrap().len(), 0);
        let expected = fs::read(path).unwrap();
        assert!(!expected.is_empty());
        for (way, opened) in ways(path) {
            match opened {
                Ok(opened) => assert_eq!(*opened, *expected, "{way}"),
                Err(error) => assert_eq!((way, error.path()), ("map", path)),
            }
        }
    }
}

#[cfg(target_pointer_width = "64")]
#[test]
fn offsets_past_4_gib_are_right_in_a_mapped_file() {
    use skelmap::ErrorKind;
    use std::io::{Seek, SeekFrom, Write};

    const HUGE: u64 = 0x7FFF_FFFF * 3;
    let built = walk().chunks().build();
    let (head, rest) = built.bytes.split_at(32);
    let header = test_support::actorx::build::Chunks::flagged(0, 0).declare("HUGE0000", i32::MAX, 3, &[]).build().bytes;

    let folder = TempDir::new().unwrap();
    let path = folder.path().join("huge.psa");
    let mut file = fs::File::create(&path).unwrap();
    file.write_all(head).unwrap();
    file.write_all(&header).unwrap();
    file.seek(SeekFrom::Start(64 + HUGE)).unwrap();
    file.write_all(rest).unwrap();
    drop(file);

    let opened = auto().open(&path).unwrap();
    assert!(opened.is_mapped());
    assert_eq!(opened.len() as u64, 64 + HUGE + rest.len() as u64);
    let animation = Psa::parse(&opened).unwrap();
    let offsets: Vec<u64> = animation.chunks().map(|chunk| chunk.offset).collect();
    let beyond = |chunk: &str| 32 + HUGE + built.offset(&format!("{chunk}.header")) as u64;
    let expected = [0, 32, beyond("BONENAMES"), beyond("ANIMINFO"), beyond("ANIMKEYS"), beyond("SCALEKEYS")];
    assert_eq!(offsets, expected);
    let huge = animation.chunks().nth(1).unwrap();
    assert_eq!((huge.record_size, huge.count, huge.body.len() as u64), (0x7FFF_FFFF, 3, HUGE));

    let sequence = animation.sequence("Walk").unwrap();
    let rotation = sequence.key(1, 2).unwrap().rotation();
    assert_eq!(rotation.map(f32::to_bits), [0.6_f32, 0.0, 0.0, 0.8].map(f32::to_bits));
    let error = sequence.frame(5).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::FrameOutOfRange { frame: 5, count: 5 }, beyond("ANIMKEYS")));
    assert!(animation.quirks().next().is_none());
}
