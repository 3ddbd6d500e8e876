//! Parts of a file: the same bytes as the whole file, at any offset and of any length, in few system calls.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use allocation_counter::measure;
use proptest::prelude::*;
use skelmap::mapping::FileParts;
use tempfile::{TempDir, tempdir};

fn written(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

/// Bytes that tell where they lie.
fn pattern(length: usize) -> Vec<u8> {
    (0..length).map(|at| (at.wrapping_mul(2_654_435_761) >> 7) as u8).collect()
}

/// The bytes of one read.
fn read(file: &FileParts, offset: u64, length: usize) -> Vec<u8> {
    let mut into = vec![0xEE; length];
    let read = file.read_at(offset, &mut into).unwrap();
    assert!(into[read..].iter().all(|byte| *byte == 0xEE), "bytes after the read ones are touched");
    into.truncate(read);
    into
}

/// Writes other bytes over a file, of the same length and in the same file.
fn change(path: &Path, offset: u64, bytes: &[u8]) {
    let mut file = OpenOptions::new().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start(offset)).unwrap();
    file.write_all(bytes).unwrap();
}

/// Reads as a parser has them: small ones close together, far ones, large ones, some after the end.
fn reads() -> impl Strategy<Value = Vec<(u64, usize)>> {
    let offset = prop_oneof![0..300_000_u64, 0..2000_u64, Just(u64::MAX), any::<u64>()];
    let length = prop_oneof![4 => 0..64_usize, 2 => 0..5000_usize, 1 => 60_000..200_000_usize];
    let run = (offset, proptest::collection::vec((0..40_u64, length), 1..12));
    let steps = |(start, steps): (u64, Vec<(u64, usize)>)| {
        let mut at = start;
        let step = move |(gap, length)| {
            let place = at;
            at = at.saturating_add(length as u64).saturating_add(gap);
            (place, length)
        };
        steps.into_iter().map(step).collect::<Vec<_>>()
    };
    proptest::collection::vec(run.prop_map(steps), 1..8).prop_map(|runs| runs.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn any_reads_give_the_bytes_of_the_file(length in prop_oneof![0..3000_usize, 0..300_000_usize], reads in reads()) {
        let bytes = pattern(length);
        let (_folder, path) = written(&bytes);
        let file = FileParts::open(&path).unwrap();
        prop_assert_eq!(file.size(), length as u64);
        for (offset, wanted) in reads {
            let start = usize::try_from(offset).unwrap_or(usize::MAX).min(length);
            let end = start.saturating_add(wanted).min(length);
            prop_assert!(read(&file, offset, wanted) == bytes[start..end], "{} bytes at {}", wanted, offset);
        }
    }
}

#[test]
fn debug_output_has_the_size() {
    let (_folder, path) = written(&pattern(1234));
    assert!(format!("{:?}", FileParts::open(&path).unwrap()).contains("size: 1234"));
}

#[test]
fn the_buffer_of_a_file_is_reused_for_the_next_file() {
    let bytes = pattern(3000);
    let (_folder, path) = written(&bytes);
    let file = FileParts::open(&path).unwrap();
    assert_eq!(read(&file, 0, 100), bytes[..100]);
    let buffer = file.into_buffer();
    let next = FileParts::open_with(&path, buffer).unwrap();
    let mut into = [0; 100];
    let info = measure(|| assert_eq!(next.read_at(100, &mut into).unwrap(), 100));
    assert_eq!((info.count_total, &into[..]), (0, &bytes[100..200]));
}

#[test]
fn a_read_is_short_at_the_end_only_and_empty_after_it() {
    let bytes = pattern(3000);
    let (_folder, path) = written(&bytes);
    let file = FileParts::open(&path).unwrap();
    for (offset, wanted, expected) in
        [(0, 3000, 3000), (0, 3001, 3000), (2999, 5, 1), (3000, 5, 0), (1_u64 << 40, 5, 0), (u64::MAX, 5, 0), (7, 0, 0)]
    {
        assert_eq!(read(&file, offset, wanted).len(), expected, "{wanted} at {offset}");
    }
}

/// The file has changed meanwhile: bytes that were read with their neighbours are the old ones.
#[test]
fn small_reads_that_lie_close_together_are_one_read_of_the_file() {
    let bytes = pattern(200_000);
    let (_folder, path) = written(&bytes);
    let file = FileParts::open(&path).unwrap();
    assert_eq!(read(&file, 0, 4), bytes[..4]);
    change(&path, 0, &[0; 4000]);
    // The first window: 1024 bytes.
    assert_eq!(read(&file, 4, 1020), bytes[4..1024]);
    // The next one, twice as large.
    assert_eq!(read(&file, 1024, 4), [0; 4]);
    change(&path, 0, &bytes[..4000]);
    assert_eq!(read(&file, 1028, 2044), [0; 2044]);
    assert_eq!(read(&file, 3072, 4), bytes[3072..3076]);
    // A large read does not touch the window.
    change(&path, 0, &[0; 4000]);
    assert_eq!(read(&file, 100_000, 70_000), bytes[100_000..170_000]);
    assert_eq!(read(&file, 3076, 900), bytes[3076..3976]);
    // A far read has a small window: nothing of it is left by a read at another place.
    assert_eq!(read(&file, 190_000, 4), bytes[190_000..190_004]);
    change(&path, 190_000, &[0; 200]);
    assert_eq!(read(&file, 190_004, 124), bytes[190_004..190_128]);
    assert_eq!(read(&file, 190_128, 4), [0; 4]);
    assert_eq!(read(&file, 190_000, 4), [0; 4]);
}

#[test]
fn a_file_has_the_size_that_it_had_when_it_was_opened() {
    let bytes = pattern(2000);
    let (_folder, path) = written(&bytes);
    let file = FileParts::open(&path).unwrap();
    let mut end = OpenOptions::new().append(true).open(&path).unwrap();
    end.write_all(&[7; 100]).unwrap();
    assert_eq!((file.size(), read(&file, 1990, 100)), (2000, bytes[1990..].to_vec()));
}

#[test]
fn a_truncated_file_ends_earlier() {
    let bytes = pattern(200_000);
    let (_folder, path) = written(&bytes);
    let file = FileParts::open(&path).unwrap();
    OpenOptions::new().write(true).open(&path).unwrap().set_len(100_000).unwrap();
    assert_eq!(read(&file, 99_990, 100), bytes[99_990..100_000]);
    assert_eq!(read(&file, 90_000, 100_000), bytes[90_000..100_000]);
    assert!(read(&file, 150_000, 100).is_empty());
    assert_eq!(file.size(), 200_000);
}

#[test]
fn one_buffer_serves_many_files_and_gives_no_bytes_of_an_earlier_file() {
    let (bytes, short) = (pattern(200_000), b"short".to_vec());
    let ((_folder, path), (_other_folder, other)) = (written(&bytes), written(&short));
    let mut buffer = Vec::new();
    for _ in 0..2 {
        let info = measure(|| {
            let file = FileParts::open_with(&path, std::mem::take(&mut buffer)).unwrap();
            let mut into = [0; 3000];
            for start in (0..60_000).step_by(3000) {
                file.read_at(start as u64, &mut into).unwrap();
                assert_eq!(into, bytes[start..start + 3000]);
            }
            buffer = file.into_buffer();
        });
        let file = FileParts::open_with(&other, std::mem::take(&mut buffer)).unwrap();
        assert_eq!((read(&file, 0, 3000), read(&file, 5, 10)), (short.clone(), Vec::new()));
        buffer = file.into_buffer();
        assert!(buffer.len() <= 64 << 10 && info.bytes_max <= 128 << 10, "{info:?}");
        // The second time all of it is there. Windows takes a copy of the path in an encoding of its own.
        let again =
            measure(|| buffer = FileParts::open_with(&path, std::mem::take(&mut buffer)).unwrap().into_buffer());
        assert!(again.count_total == 0 || (cfg!(windows) && again.count_total <= 2), "{again:?}");
    }
}

#[test]
fn a_file_can_be_read_by_another_thread() {
    let bytes = pattern(2000);
    let (_folder, path) = written(&bytes);
    let file = FileParts::open(&path).unwrap();
    assert_eq!(read(&file, 10, 5), bytes[10..15]);
    assert_eq!(std::thread::spawn(move || read(&file, 20, 5)).join().unwrap(), bytes[20..25]);
}

#[test]
fn a_missing_file_and_a_folder_give_an_error_or_no_bytes() {
    let folder = tempdir().unwrap();
    let error = FileParts::open(folder.path().join("nothing")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    // The folders of some file systems have a size: there the read is an error.
    for folder in [folder.path(), Path::new(env!("CARGO_MANIFEST_DIR")), Path::new("/")] {
        let folder = FileParts::open(folder);
        // A folder may state the size 0, which has no bytes.
        assert!(folder.and_then(|folder| folder.read_at(0, &mut [0; 4])).map_or(true, |read| read == 0));
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_has_no_size_and_is_an_error() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    // Open for both, so that neither side waits for the other.
    let _other = OpenOptions::new().read(true).write(true).open(&path).unwrap();
    assert_eq!(FileParts::open(&path).unwrap_err().kind(), ErrorKind::NotSeekable);
}
