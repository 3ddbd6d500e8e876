//! Deep inputs: no recursion, so that a thread with next to no stack runs everything.

use std::thread;

use skelmap::ParseOptions;

use super::everything;
use test_support::FAMILIES;

/// A quarter of what the smallest of main threads has. A build without optimisation calls some forty functions for a chain of iterators.
const STACK: usize = 256 << 10;

#[test]
fn everything_runs_on_a_small_stack() {
    for worst in FAMILIES.iter().flat_map(|family| family.worst) {
        // Depth that a stack of this size cannot hold by recursion: a frame has sixteen bytes at the least.
        let bytes = (worst.of)(40_000);
        let run = move || everything(&bytes, &ParseOptions::default());
        let thread = thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread");
        assert!(thread.join().is_ok(), "{}", worst.name);
    }
}
