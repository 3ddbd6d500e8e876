//! What the manifest says of a file in strict mode is tested with the rest of the corpus; this is the engine's verdict.

use std::collections::BTreeMap;
use std::path::Path;

use skelmap::pyrogenesis::{Options, Pmd, Psa, Strictness};

use test_support::corpus::Expect;
use test_support::pyrogenesis::build::Psa as Built;
use test_support::pyrogenesis::corpus::{cases, engine_verdicts};
use test_support::pyrogenesis::naive;

type Verdict = Result<Vec<&'static str>, (String, String, u64)>;

/// The verdict on a file by its extension: quirk codes or the error.
fn verdict(file: &str, bytes: &[u8], strictness: Strictness) -> Verdict {
    let codes = if Path::new(file).extension().is_some_and(|kind| kind == "pmd") {
        Pmd::parse_with(bytes, &Options::new(strictness))
            .map(|mesh| mesh.quirks().map(|quirk| quirk.code.name()).collect())
    } else {
        Psa::parse_with(bytes, &Options::new(strictness))
            .map(|animation| animation.quirks().map(|quirk| quirk.code.name()).collect())
    };
    codes.map_err(|error| (error.code().name().to_owned(), error.section().to_string(), error.offset()))
}

fn owned((kind, section, offset): (&str, &str, u64)) -> (String, String, u64) {
    (kind.to_owned(), section.to_owned(), offset)
}

#[test]
fn engine_mode_reads_the_files_that_the_engine_reads_and_no_others() {
    let others: BTreeMap<_, _> = engine_verdicts().into_iter().collect();
    assert!(others.len() > 10);
    for case in cases() {
        let strict: Verdict = match &case.expect {
            Expect::Ok(good) => Ok(good.quirks.clone()),
            Expect::Error { kind, section, offset } => Err(owned((kind, section, *offset))),
        };
        let engine = match others.get(case.file) {
            Some(Ok(quirks)) => Ok(quirks.clone()),
            Some(Err(fault)) => Err(owned(*fault)),
            None => strict.clone(),
        };
        assert_eq!(verdict(case.file, &case.bytes, Strictness::Strict), strict, "{}", case.file);
        assert_eq!(verdict(case.file, &case.bytes, Strictness::Engine), engine, "{}", case.file);
    }
}

/// Without frames there is nothing that bones could lack: one quirk, in both readers.
#[test]
fn an_animation_without_frames_and_bones_has_one_quirk() {
    let bytes = Built::new(0, 0, Vec::new()).build().bytes;
    assert_eq!(verdict("nothing.psa", &bytes, Strictness::Engine), Ok(vec!["no-frames"]));
    assert_eq!(naive::read_psa(&bytes, naive::Mode::Engine).unwrap().quirks, ["no-frames"]);
}
