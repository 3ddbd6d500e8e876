//! A window makes the small reads of headers few.

use std::cell::Cell;
use std::convert::Infallible;

use skelmap::{Headers, ParseOptions, ReadAt, Windowed};

use test_support::corpus::folder;

/// A source that counts its reads.
struct Counted {
    bytes: Vec<u8>,
    reads: Cell<usize>,
}

impl ReadAt for Counted {
    type Error = Infallible;

    fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<usize, Infallible> {
        self.reads.set(self.reads.get() + 1);
        self.bytes.as_slice().read_at(offset, into)
    }
}

#[test]
fn the_headers_of_a_file_take_at_most_three_reads_through_a_window() {
    let (corpus, options) = (folder().join("../../corpus"), ParseOptions::default());
    let count = |name: &str| {
        let bytes = std::fs::read(corpus.join(name)).unwrap();
        let source = Counted { bytes, reads: Cell::new(0) };
        let plain = Headers::read(&source, &options).unwrap().summary;
        let reads = source.reads.replace(0);
        assert_eq!(Headers::read(&Windowed::new(&source), &options).unwrap().summary, plain, "{name}");
        (reads, source.reads.get())
    };
    let names = ["fox.psk", "fox.psa", "fox.pmd", "officer_walk.gsa"];
    let counts = names.map(count);
    println!("{counts:?}");
    assert!(counts.iter().all(|(plain, windowed)| *windowed <= 3 && windowed < plain), "{counts:?}");
}

#[test]
fn a_window_changes_no_byte_of_what_is_read() {
    let bytes: Vec<u8> = (0..200_000_u32).map(|at| at.wrapping_mul(2_654_435_761).to_le_bytes()[3]).collect();
    let windowed = Windowed::new(bytes.as_slice());
    assert_eq!(windowed.size(), 200_000);
    for (at, length) in
        [(0, 10), (5, 5000), (4090, 20), (100_000, 1), (99_999, 70_000), (199_990, 50), (200_000, 5), (7, 0)]
    {
        let mut into = vec![0; length];
        let read = windowed.read_at(at as u64, &mut into).unwrap();
        assert_eq!(into[..read], bytes[at..(at + length).min(bytes.len())], "{length} bytes at {at}");
    }
}
