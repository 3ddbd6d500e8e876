//! Mappings over bytes that the program has already: no copy, whoever owns them.

use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

use allocation_counter::measure;
use skelmap::mapping::Mapping;

use test_support::actorx::corpus::sample::walk;

static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| walk().chunks().build().bytes);

/// Every owner, with the address of its bytes.
fn owners(bytes: &'static [u8]) -> Vec<(&'static str, *const u8, Mapping<'static>)> {
    let (shared, vector, foreign) = (Arc::<[u8]>::from(bytes), bytes.to_vec(), bytes::Bytes::copy_from_slice(bytes));
    vec![
        ("slice", bytes.as_ptr(), Mapping::from(bytes)),
        ("vector", vector.as_ptr(), Mapping::from(vector)),
        ("arc", shared.as_ptr(), Mapping::from(shared)),
        ("bytes", foreign.as_ptr(), Mapping::from_owner(foreign)),
        ("static", bytes.as_ptr(), Mapping::from_owner(bytes)),
    ]
}

#[test]
fn bytes_of_any_owner_are_not_moved() {
    let bytes: &'static [u8] = &BYTES;
    for (owner, place, mapping) in owners(bytes) {
        assert_eq!((mapping.as_ptr(), &*mapping), (place, bytes), "{owner}");
        assert!(!mapping.is_mapped(), "{owner}");
        let part = mapping.part(32..100).unwrap();
        drop(mapping);
        assert_eq!((part.as_ptr(), &*part), (place.wrapping_add(32), &bytes[32..100]), "{owner}");
        let part = part.part(8..68).unwrap();
        assert_eq!((part.as_ptr(), part.len()), (place.wrapping_add(40), 60), "{owner}");
        assert!(part.part(0..61).is_none() && part.part(60..60).unwrap().is_empty(), "{owner}");
    }
}

#[test]
fn an_asset_can_be_parsed_from_any_owner_and_keep_it() {
    let bytes: &'static [u8] = &BYTES;
    for (owner, _, mapping) in owners(bytes) {
        let animation = skelmap::actorx::PsaBuf::parse(mapping).unwrap();
        let keys = std::thread::spawn(move || animation.view().keys().len()).join().unwrap();
        assert_eq!(keys, 20, "{owner}");
    }
}

#[test]
fn the_owner_lives_as_long_as_its_last_part() {
    static IS_DROPPED: AtomicBool = AtomicBool::new(false);
    struct Owner(Vec<u8>);
    impl AsRef<[u8]> for Owner {
        fn as_ref(&self) -> &[u8] {
            &self.0
        }
    }
    impl Drop for Owner {
        fn drop(&mut self) {
            IS_DROPPED.store(true, Ordering::SeqCst);
        }
    }
    let mapping = Mapping::from_owner(Owner(vec![1, 2, 3]));
    let part = mapping.part(1..2).unwrap();
    drop(mapping);
    assert!(!IS_DROPPED.load(Ordering::SeqCst));
    assert_eq!(*part, [2]);
    drop(part);
    assert!(IS_DROPPED.load(Ordering::SeqCst));
}

/// A strange owner is not trusted: each access is checked.
#[test]
fn an_owner_whose_bytes_become_shorter_gives_no_bytes() {
    struct Shrinks(AtomicBool);
    impl AsRef<[u8]> for Shrinks {
        fn as_ref(&self) -> &[u8] {
            if self.0.swap(true, Ordering::SeqCst) { b"ab" } else { b"abcdef" }
        }
    }
    let mapping = Mapping::from_owner(Shrinks(AtomicBool::new(false)));
    assert!(mapping.is_empty());
    assert_eq!(*mapping.part(1..2).unwrap(), *b"b");
}

#[test]
fn a_megabyte_of_any_owner_is_shared_and_not_copied() {
    let (shared, foreign) = (Arc::<[u8]>::from(vec![7; 1 << 20]), bytes::Bytes::from(vec![7; 1 << 20]));
    let made = measure(|| {
        let both = [Mapping::from(shared.clone()), Mapping::from_owner(foreign.clone())];
        assert!(both.iter().all(|mapping| mapping.part(5..9).is_some_and(|part| *part == [7; 4])));
    });
    assert!(made.bytes_total < 256, "{made:?}");
}

#[test]
fn a_file_that_is_read_takes_its_size_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, vec![7; 1 << 20]).unwrap();
    let read = measure(|| assert_eq!(Mapping::read(&path).unwrap().len(), 1 << 20));
    assert!(read.bytes_max < (1 << 20) + 1024, "{read:?}");
}
