//! Bytes that come back.

use skelmap::actorx::{Psa, Psk};
use skelmap_write::edit::{Merge, PsaEdit, PskEdit, Split, merge, split};

use super::files;

#[test]
fn nothing_asked_of_an_animation_gives_its_bytes() {
    let mut count = 0;
    for (name, bytes) in files(&["psa", "psax"]) {
        let Ok(psa) = Psa::parse(&bytes) else { continue };
        let mut out = Vec::new();
        let report = PsaEdit::new(&psa).write(&mut out).unwrap();
        assert!(out == bytes, "{name}");
        assert_eq!(report.dropped_chunks + report.dropped_sequences + report.mended_sequences, 0, "{name}");
        count += 1;
    }
    println!("{count} animations");
    assert!(count >= 38);
}

#[test]
fn nothing_asked_of_a_mesh_gives_its_bytes() {
    let mut count = 0;
    for (name, bytes) in files(&["psk", "pskx"]) {
        let Ok(psk) = Psk::parse(&bytes) else { continue };
        let mut out = Vec::new();
        let report = PskEdit::new(&psk).write(&mut out).unwrap();
        assert!(out == bytes, "{name}");
        assert_eq!(report.bytes, out.len() as u64);
        assert_eq!((report.dropped_chunks, report.mended_headers, report.scaled), (0, 0, 0), "{name}");
        count += 1;
    }
    println!("{count} meshes");
    assert!(count >= 60);
}

/// Files that a split and a merge do not give back, and what they lose or gain.
const NOT_EQUAL: &[(&str, &str)] = &[
    ("actorx/anim/frame_numbering_many.psa", "wrong first frames are corrected"),
    ("actorx/anim/frame_numbering_negative.psa", "wrong first frames are corrected"),
    ("actorx/anim/scale_keys_ignored.psa", "scale keys that belong to no sequence are left out"),
    ("actorx/anim/sequence_overlap.psa", "each of two sequences gets the frames that they share"),
    ("actorx/anim/sequence_range.psa", "a number of frames that the file does not have is corrected"),
    (
        "found/psa-curves-of-sequences-alike.psa",
        "made by a fuzzer: numbers of frames that the file does not have are corrected",
    ),
];

/// The files of a split.
fn parts(psa: &Psa<'_>) -> Vec<Vec<u8>> {
    let all = Split::new(psa).unwrap();
    (0..all.len())
        .map(|index| {
            let mut out = Vec::new();
            let report = all.write(index, &mut out).unwrap();
            assert_eq!(report.bytes, out.len() as u64);
            let mut same = Vec::new();
            split(psa, index).unwrap().write(&mut same).unwrap();
            assert!(out == same, "an edit that keeps one sequence gives the file of the split");
            out
        })
        .collect()
}

fn merged(parts: &[Vec<u8>]) -> Vec<u8> {
    let parts: Vec<_> = parts.iter().map(|part| Psa::parse(part).unwrap()).collect();
    let (mut out, mut kept) = (Vec::new(), Vec::new());
    match merge(&parts, &mut out) {
        Ok(report) => assert_eq!(report.bytes, out.len() as u64),
        Err(error) => {
            assert!(error.to_string().starts_with("two sequences would have the name"), "{error}");
            Merge::new(&parts).keep_duplicates().write(&mut kept).unwrap();
            return kept;
        }
    }
    out
}

#[test]
fn a_split_and_a_merge_give_the_bytes_back() {
    let (mut equal, mut not_equal, mut several) = (0, Vec::new(), 0);
    for (name, bytes) in files(&["psa", "psax"]) {
        let Ok(psa) = Psa::parse(&bytes) else { continue };
        let parts = parts(&psa);
        if parts.is_empty() {
            continue;
        }
        several += usize::from(parts.len() > 1);
        let whole = merged(&parts);
        // Whatever was lost, what readers see is the same.
        let again = Psa::parse(&whole).unwrap();
        assert_eq!(again.sequences().len(), psa.sequences().len(), "{name}");
        for (one, other) in psa.sequences().zip(again.sequences()) {
            let bytes = |keys: &[skelmap::actorx::AnimKey]| {
                keys.iter().flat_map(|key| *<&[u8; 32]>::try_from(key.as_bytes()).unwrap()).collect::<Vec<_>>()
            };
            assert!(bytes(one.keys()) == bytes(other.keys()), "{name}: {}", one.name());
            assert_eq!(one.scale_keys().len(), other.scale_keys().len(), "{name}: {}", one.name());
            let weights =
                |curves: Option<skelmap::actorx::CurveChunk<'_>>| curves.map(|curves| curves.chunk().body.to_vec());
            assert_eq!(weights(psa.curves_of(&one)), weights(again.curves_of(&other)), "{name}: {}", one.name());
        }
        // And it comes back to the byte from then on.
        assert!(merged(&self::parts(&again)) == whole, "{name}");
        if whole == bytes {
            equal += 1;
        } else {
            not_equal.push(name);
        }
    }
    println!("{equal} animations came back, {several} files have several sequences; not equal: {not_equal:?}");
    let expected: Vec<_> = NOT_EQUAL.iter().map(|(name, _)| *name).collect();
    assert_eq!(not_equal, expected);
    assert!(equal >= 36 && several >= 19);
}
