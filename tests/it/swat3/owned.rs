//! The owned form: stored, shared, sent, and taken as asked.

use std::sync::Arc;

use skelmap::swat3::GsaBuf;
use skelmap::swat3::Options;

use super::corpus;

#[test]
fn an_owned_form_can_be_shared_between_threads() {
    let animation = Arc::new(GsaBuf::parse(corpus("gsa/reload.gsa")).unwrap());
    let there = Arc::clone(&animation);
    let counted =
        std::thread::spawn(move || (there.view().frame_count(), there.view().events().count())).join().unwrap();
    assert_eq!(counted, (animation.view().frame_count(), animation.view().events().count()));
    assert!(counted.1 > 0);
}

#[test]
fn an_owned_form_is_parsed_with_the_given_options() {
    let bytes = corpus("damaged/trailing_zeros_2.gsa");
    assert!(GsaBuf::parse(bytes.clone()).is_err());
    let mut options = Options::default();
    options.trailing_zeros = true;
    let animation = GsaBuf::parse_with(bytes, &options).unwrap();
    assert!(animation.view().quirks().any(|quirk| quirk.code.name() == "trailing-bytes"));
}
