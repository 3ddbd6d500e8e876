//! Whatever holds for any bytes holds for every file of the corpus, and for each input that a fuzzer found something with.

use std::fs;
use std::path::{Path, PathBuf};

use skelmap::actorx::{Psa, Psk};
use skelmap::archive::{Archive, Inflater};

use exhaustive::{catalog::loose, gltf::gltf, remote::remote, targets};
use test_support::corpus::{self, folder};

/// Every file of the corpus, in name order.
fn files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

#[test]
fn every_file_of_the_corpus_passes_every_target() {
    let files = files();
    assert!(files.len() > 500);
    for file in files {
        let bytes = fs::read(&file).unwrap();
        println!("{}: {} bytes", file.display(), bytes.len());
        for (_, target) in targets() {
            (target.run)(&bytes);
        }
    }
}

/// What fuzzing in this checkout has kept, if it has been run.
#[test]
fn every_input_that_fuzzing_kept_passes_its_target() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    for (_, target) in targets() {
        let Ok(entries) = fs::read_dir(root.join(target.name)) else {
            eprintln!("{}: nothing was fuzzed in this checkout, so there is nothing to read", target.name);
            continue;
        };
        for entry in entries {
            (target.run)(&fs::read(entry.unwrap().path()).unwrap());
        }
    }
}

/// An input that was found, kept below `tests/corpus/found`. It passes every target by the test above; what it was found for stands here.
fn found(file: &str) -> Vec<u8> {
    corpus::file(&format!("found/{file}"))
}

#[test]
fn an_id_that_only_begins_like_a_known_id_is_unknown() {
    // `WORLDACTORS::4` where the reference knows `::2` and `::3`: its body does not fit, so that it is no header, and the one
    // before it is of native longs.
    let bytes = found("psk-worldactors-4.psk");
    let error = Psk::parse(&bytes).unwrap_err();
    assert_eq!(
        (error.code().name(), error.section().to_string().as_str(), error.offset()),
        ("native-long", "MATT0000", 752)
    );
}

#[test]
fn a_row_from_headers_has_the_error_that_only_the_body_shows() {
    // After the bones comes no header; 124 bytes a bone, and there is one. The row of the headers was that of a sound file.
    let bytes = found("loose-native-long.psk");
    let error = Psk::parse(&bytes).unwrap_err();
    assert_eq!(
        (error.code().name(), error.section().to_string().as_str(), error.offset()),
        ("native-long", "REFSKELT", 960)
    );
    loose(&bytes);
}

#[test]
fn the_only_curve_chunk_of_two_sequences_without_names_belongs_to_the_first() {
    // The exporter writes a chunk for each sequence, in their order; the second reader gave both the first.
    let bytes = found("psa-curves-of-sequences-alike.psa");
    let animation = Psa::parse(&bytes).unwrap();
    let nameless = animation.sequences().filter(|sequence| sequence.name().as_bytes().is_empty());
    let places: Vec<Option<u64>> =
        nameless.map(|sequence| animation.curves_of(&sequence).map(|curves| curves.chunk().offset)).collect();
    assert_eq!(places, [Some(1064), None]);
}

#[test]
fn the_error_of_an_entry_does_not_depend_on_the_entries_before_it() {
    // Its second entry is damaged; the third one says that it has no bytes, and its data is damaged after the first byte. With the buffer of the
    // second entry, the third was inflated up to its damage.
    let archive = Archive::parse(found("catalog-errors-alike.zip")).unwrap();
    let mut shared = Inflater::new();
    let mut codes = Vec::new();
    for entry in archive.entries() {
        let after_others = archive.read(&entry, &mut shared).map(<[u8]>::to_vec).map_err(|error| error.to_string());
        let alone = archive.read(&entry, &mut Inflater::new()).map(<[u8]>::to_vec);
        codes.extend(alone.as_ref().err().map(|error| error.code().name()));
        assert_eq!(after_others, alone.map_err(|error| error.to_string()));
    }
    assert_eq!(codes, ["zip-local-header", "zip-deflate", "zip-size"]);
}

#[test]
fn a_morph_target_that_moves_no_vertex_of_a_material_still_has_bytes() {
    // glTF allows an accessor without bytes, and another reader refuses it.
    gltf(&found("gltf-target-moves-nothing.bin"));
}

#[test]
fn bones_that_are_too_far_apart_for_a_float_stand_at_their_parent() {
    // Two bones at opposite ends of the range of floats, in a hierarchy that somebody gives.
    gltf(&found("gltf-bones-too-far-apart.bin"));
}

#[test]
fn a_first_answer_with_another_range_than_asked_for_is_refused() {
    // A store sends bytes 0 to 2 as bytes 1 to 3.
    remote(&found("remote-other-range.bin"));
}
