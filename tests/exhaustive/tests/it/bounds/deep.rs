//! Deep inputs: no recursion, so that a thread with next to no stack runs everything.

use std::thread;

use skelmap::ParseOptions;

use super::everything;
use test_support::FAMILIES;

/// A sixteenth of what the smallest of main threads has, a hundredth of what threads usually get.
const STACK: usize = 64 << 10;

#[test]
fn everything_runs_on_a_stack_of_64_kib() {
    for worst in FAMILIES.iter().flat_map(|family| family.worst) {
        // Depth that a stack of this size cannot hold by recursion: a frame has sixteen bytes at the least.
        let bytes = (worst.of)(10_000);
        let run = move || everything(&bytes, &ParseOptions::default());
        let thread = thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread");
        assert!(thread.join().is_ok(), "{}", worst.name);
    }
}
