//! The crate and the second readers say the same about every file of the corpus.

use test_support::FAMILIES;
use test_support::shifted::Shifted;

#[test]
fn every_file_of_the_corpus_reads_the_same_in_both_readers() {
    for family in FAMILIES {
        for case in (family.cases)() {
            println!("{}", case.file);
            (family.agree)(&case.bytes);
        }
    }
}

#[test]
fn every_file_of_the_corpus_reads_the_same_at_any_alignment() {
    for family in FAMILIES {
        for case in (family.cases)() {
            for distance in 1..=3 {
                println!("{} at +{distance}", case.file);
                (family.agree)(Shifted::by(distance, &case.bytes).of(case.bytes.len()));
            }
        }
    }
}
