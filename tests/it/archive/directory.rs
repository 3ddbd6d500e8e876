//! Directories of archives in stores: how many reads they take, and stores that lie, end too early or fail.

use std::cell::{Cell, RefCell};
use std::fs;

use allocation_counter::measure;
use skelmap::ReadAt;
use skelmap::archive::{ArchiveErrorKind, Directory, DirectoryError, Inflater, Limits};

use super::{noise, survey, text};
use test_support::any_bytes::archive::{Store, fault};
use test_support::build_zip::{END, End, Entry, Zip};
use test_support::corpus::folder;

/// A store that notes the reads.
struct Noting<'a> {
    bytes: &'a [u8],
    reads: RefCell<Vec<(u64, usize)>>,
}

impl<'a> Noting<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, reads: RefCell::default() }
    }
}

impl ReadAt for Noting<'_> {
    type Error = std::convert::Infallible;

    fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize, Self::Error> {
        assert!(!into.is_empty(), "a request for nothing");
        self.reads.borrow_mut().push((offset, into.len()));
        self.bytes.read_at(offset, into)
    }
}

/// The reads that a directory takes.
fn reads(bytes: &[u8]) -> Vec<(u64, usize)> {
    let store = Noting::new(bytes);
    let directory = Directory::read(&store, &Limits::default()).unwrap();
    let inside = |(offset, length): &(u64, usize)| offset + *length as u64 <= bytes.len() as u64;
    assert!(!directory.is_empty() && store.reads.borrow().iter().all(inside));
    store.reads.into_inner()
}

fn many() -> Zip {
    let entry = |number: u32| Entry::stored(format!("art/{number}.psa"), number.to_le_bytes());
    Zip::of((0..20_000).map(entry)).with(|zip| zip.is_named = false)
}

#[test]
fn a_directory_takes_one_read_of_a_small_archive_and_two_of_a_large_one() {
    let small = Zip::of([Entry::stored("a", b"data")]);
    let comment = vec![b'!'; 65_535];
    for end in [End::Plain, End::Zip64, End::Both] {
        for zip in [small.clone(), small.clone().with(|zip| zip.comment.clone_from(&comment))] {
            let bytes = zip.with(|zip| zip.end = end).build().bytes;
            assert_eq!(reads(&bytes).len(), 1, "{end:?}");
        }
        for comment in [&[][..], &comment] {
            let zip = many().with(|zip| (zip.end, zip.comment) = (end, comment.to_vec()));
            let built = zip.build();
            let found = reads(&built.bytes);
            let tail = built.bytes.len() - (66 << 10);
            let directory = built.offset("directory");
            assert_eq!(found, [(tail as u64, 66 << 10), (directory as u64, tail - directory)], "{end:?}");
        }
    }
}

#[test]
fn a_directory_takes_three_reads_where_bytes_lie_before_or_after_the_archive() {
    let prefixed = many().with(|zip| (zip.prefix, zip.prefix_counts) = (noise(99, 1), false)).build().bytes;
    assert_eq!(reads(&prefixed).len(), 4, "two of them are of 46 bytes");
    let counted = many().with(|zip| zip.prefix = noise(99, 1)).build().bytes;
    assert_eq!(reads(&counted).len(), 2);
    let followed = [many().build().bytes, vec![0; 100_000]].concat();
    assert_eq!(reads(&followed).len(), 3);
    for bytes in [prefixed, counted, followed] {
        assert!(survey(&bytes, &mut Inflater::new()));
    }
}

#[test]
fn an_archive_is_searched_in_a_mebibyte_at_the_end() {
    let zip = Zip::of([Entry::stored("a", b"data")]).build().bytes;
    let room = (1 << 20) - 22;
    for (after, is_found) in [(65_535, true), (room, true), (room + 1, false)] {
        let bytes = [zip.as_slice(), &vec![0; after]].concat();
        let directory = Directory::read(&Store(&bytes), &Limits::default()).map_err(fault);
        assert_eq!(directory.is_ok(), is_found, "{after}");
        survey(&bytes, &mut Inflater::new());
    }
}

/// An extensible part of the ZIP64 end, as long as the tail that is read.
#[test]
fn a_long_zip64_end_is_read_where_it_begins() {
    let built = many().with(|zip| zip.end = End::Zip64).build();
    let (record, locator) = (built.offset("end64"), built.offset("locator"));
    for length in [1_usize, 1000, 70_000, 300_000] {
        let mut bytes = built.bytes.clone();
        bytes.splice(locator..locator, noise(length, 2));
        bytes[record + 4..record + 12].copy_from_slice(&(44 + length as u64).to_le_bytes());
        assert_eq!(bytes.windows(4).filter(|bytes| *bytes == END).count(), 1);
        let store = Store(&bytes);
        assert_eq!(Directory::read(&store, &Limits::default()).unwrap().len(), 20_000, "{length}");
        assert!(survey(&bytes, &mut Inflater::new()));
    }
}

#[test]
fn archives_of_the_corpus_read_the_same_from_a_store() {
    let foreign = fs::read_dir(folder().join("archive/foreign")).unwrap().map(|entry| entry.unwrap().path());
    let archives = foreign.filter(|path| path.extension().is_some_and(|extension| extension == "zip"));
    let archives: Vec<_> = archives.chain([folder().join("archive/mod.zip")]).collect();
    assert!(archives.len() > 20);
    for path in archives {
        survey(&fs::read(path).unwrap(), &mut Inflater::new());
    }
}

#[test]
fn memory_is_that_of_the_directory() {
    let built = many().build();
    let size = (built.offset("end") - built.offset("directory")) as u64;
    let info = measure(|| assert_eq!(Directory::read(&Store(&built.bytes), &Limits::default()).unwrap().len(), 20_000));
    assert!(info.bytes_max <= size + 4 * 20_000 + (66 << 10) + 256, "{info:?} for {size}");
    let directory = Directory::read(&Store(&built.bytes), &Limits::default()).unwrap();
    assert_eq!(measure(|| drop(directory.clone())).count_total, 0);
}

#[test]
fn a_directory_can_be_sent_to_another_thread() {
    fn anywhere<T: Send + Sync + Clone + 'static>() {}
    anywhere::<Directory>();
}

/// A source of any size with an archive's end, and zeros before it.
struct Sparse {
    size: u64,
    end: Vec<u8>,
}

impl ReadAt for Sparse {
    type Error = std::convert::Infallible;

    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize, Self::Error> {
        into.fill(0);
        let start = self.size - self.end.len() as u64;
        for (at, byte) in (start..).zip(&self.end) {
            if let Some(place) = at.checked_sub(offset).and_then(|at| into.get_mut(at as usize)) {
                *place = *byte;
            }
        }
        Ok(into.len().min((self.size - offset) as usize))
    }
}

/// An end record, and a ZIP64 end before it, of a directory of so many bytes in a source of so many.
fn ending(size: u64, directory: u64) -> Sparse {
    let built = Zip::of([Entry::stored("a", b"")]).with(|zip| zip.end = End::Zip64).build();
    let end64 = built.offset("end64");
    let at = size - (built.bytes.len() - end64) as u64;
    let built = built
        .patch_u64("end64.directory_offset", at - directory)
        .patch_u64("end64.directory_size", directory)
        .patch_u64("locator.offset", at);
    Sparse { size, end: built.bytes[end64..].to_vec() }
}

/// Five terabytes, and a directory of any part of them.
#[test]
fn a_directory_that_is_too_large_allocates_nothing() {
    for (directory, limit, expected) in [
        (5_u64 << 40, 256 << 20, 256 << 20),
        ((256 << 20) + 1, 256 << 20, 256 << 20),
        (1 << 32, u64::MAX, u64::from(u32::MAX)),
        (100, 99, 99),
    ] {
        let source = ending((5 << 40) + 4096, directory);
        let mut limits = Limits::default();
        limits.directory = limit;
        let info = measure(|| {
            let error = Directory::read(&source, &limits).map_err(fault).unwrap_err();
            let kind = ArchiveErrorKind::DirectoryTooLarge { size: directory, limit: expected };
            assert_eq!((error.kind(), error.entry()), (&kind, None));
        });
        assert!(info.bytes_max < 100_000, "{info:?}");
    }
    let error = Directory::read(&ending(1 << 40, 1 << 20), &Limits::default()).map_err(fault).unwrap_err();
    assert_eq!(error.code().name(), "zip-directory", "zeros are no records");
}

/// A store whose object is shorter than it says, or becomes shorter between two reads.
#[test]
fn a_source_that_has_fewer_bytes_than_it_states_has_no_directory() {
    struct Short<'a> {
        bytes: &'a [u8],
        stated: u64,
        /// Reads that give all bytes.
        whole: Cell<u32>,
    }
    impl ReadAt for Short<'_> {
        type Error = std::convert::Infallible;

        fn size(&self) -> u64 {
            self.stated
        }

        fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize, Self::Error> {
            match self.whole.get().checked_sub(1) {
                Some(left) => self.whole.set(left),
                None => return Ok(self.bytes.read_at(offset, into)?.min(into.len() - 1)),
            }
            self.bytes.read_at(offset, into)
        }
    }
    let bytes = many().build().bytes;
    let length = bytes.len() as u64;
    for (stated, whole) in [(length, 0), (length, 1), (length + 1, 9), (length + (1 << 30), 9), (u64::MAX, 9)] {
        let source = Short { bytes: &bytes, stated, whole: Cell::new(whole) };
        let error = Directory::read(&source, &Limits::default()).map_err(fault).unwrap_err();
        assert_eq!(error.kind(), &ArchiveErrorKind::NoDirectory, "{stated}, {whole}");
    }
}

#[test]
fn an_error_of_the_source_is_returned_at_each_read() {
    struct Failing<'a> {
        bytes: &'a [u8],
        left: Cell<u32>,
    }
    impl ReadAt for Failing<'_> {
        type Error = &'static str;

        fn size(&self) -> u64 {
            self.bytes.len() as u64
        }

        fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize, Self::Error> {
            self.left.set(self.left.get().checked_sub(1).ok_or("503")?);
            let Ok(read) = self.bytes.read_at(offset, into);
            Ok(read)
        }
    }
    let zip = many().with(|zip| (zip.prefix, zip.prefix_counts) = (text(3), false)).build().bytes;
    let source = |left| Failing { bytes: &zip, left: Cell::new(left) };
    for left in 0..4 {
        let error = Directory::read(&source(left), &Limits::default()).unwrap_err();
        assert_eq!((&error, error.to_string().as_str()), (&DirectoryError::Source("503"), "cannot read: 503"));
    }
    let directory = Directory::read(&source(4), &Limits::default()).unwrap();
    let entry = directory.get(7).unwrap();
    for left in 0..2 {
        assert_eq!(directory.data_range(&entry, &source(left)), Err(DirectoryError::Source("503")));
        assert_eq!(directory.stored_range(&entry, &source(left)), Err(DirectoryError::Source("503")));
    }
    assert_eq!(directory.stored_range(&entry, &source(2)), directory.data_range(&entry, &source(2)).map(Some));
}
