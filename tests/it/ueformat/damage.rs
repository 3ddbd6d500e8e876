//! Files that end too early or have bytes changed, at a few places each: both readers agree on every one of them. The exhaustive tests
//! have all places.

use test_support::swat3::build::Rng;
use test_support::ueformat::agree::agree;
use test_support::ueformat::corpus::cases;

#[test]
fn both_readers_agree_on_files_cut_at_some_bytes() {
    let mut rng = Rng::new(11);
    for case in cases().iter().filter(|case| !case.bytes.is_empty()) {
        println!("{}", case.file);
        for _ in 0..8 {
            agree(&case.bytes[..rng.below(case.bytes.len())]);
        }
    }
}

#[test]
fn both_readers_agree_on_files_with_a_changed_byte() {
    let mut rng = Rng::new(12);
    for case in cases().iter().filter(|case| !case.bytes.is_empty()) {
        let mut bytes = case.bytes.clone();
        for _ in 0..20 {
            let at = rng.below(bytes.len());
            let byte = bytes[at];
            let value = [0, 1, 0x7F, 0xFF, byte ^ 1, byte ^ 0x80][rng.below(6)];
            println!("{}: {value} at byte {at}", case.file);
            bytes[at] = value;
            agree(&bytes);
            bytes[at] = byte;
        }
    }
}
