//! The walk over chunks by itself.

use skelmap::actorx::Chunks;

use test_support::actorx::agree::same_chunks;
use test_support::actorx::corpus::cases;
use test_support::actorx::naive::outline;
use test_support::corpus::case;

#[test]
fn the_walk_alone_lists_the_chunks_of_the_views() {
    for case in cases() {
        let Ok(outline) = outline(&case.bytes) else { continue };
        same_chunks(Chunks::new(&case.bytes).map(Result::unwrap), &outline.chunks);
    }
}

#[test]
fn a_walk_ends_with_its_first_error() {
    let truncated = case("actorx/damaged/truncated_body.psk");
    let mut walk = Chunks::new(&truncated.bytes);
    assert_eq!(walk.by_ref().flatten().count(), 2);
    assert!(walk.next().is_none());
    let mut walk = Chunks::new(&truncated.bytes).skip(2);
    assert!(walk.next().unwrap().is_err());
    assert!(walk.next().is_none() && walk.next().is_none());
}
