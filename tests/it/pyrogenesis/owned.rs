//! Owned forms: stored, shared, sent; and what a view says about itself.

use std::sync::Arc;

use skelmap::pyrogenesis::{Options, PmdBuf, PsaBuf};

use super::corpus;

#[test]
fn owned_forms_can_be_shared_between_threads() {
    let mesh = Arc::new(PmdBuf::parse(corpus("pmd/skinned.pmd")).unwrap());
    let animation = Arc::new(PsaBuf::parse(corpus("psa/walk.psa")).unwrap());
    let (there, with) = (Arc::clone(&mesh), Arc::clone(&animation));
    let counts = std::thread::spawn(move || (there.view().bones().len(), with.view().bone_count())).join().unwrap();
    assert_eq!(counts, (3, 3));
    assert_eq!(mesh.view().vertices().len(), mesh.view().vertices_with::<1>().unwrap().len());
    assert_eq!(animation.view().states().len(), 24);
}

#[test]
fn owned_forms_are_parsed_with_the_given_strictness() {
    let bytes = corpus("psa/version_2.psa");
    assert!(PsaBuf::parse(bytes.clone()).is_err());
    let animation = PsaBuf::parse_with(bytes, &Options::ENGINE).unwrap();
    assert_eq!(animation.view().version(), 2);
    let bytes = corpus("damaged/trailing.pmd");
    assert!(PmdBuf::parse(bytes.clone()).is_err());
    assert!(PmdBuf::parse_with(bytes, &Options::ENGINE).unwrap().view().trailing_bytes() > 0);
}
