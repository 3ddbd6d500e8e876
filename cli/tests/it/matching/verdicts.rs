//! How the bones of a mesh and of an animation go together.

use skelmap::{Asset, Match, Verdict};

use crate::run::{animation, corpus, mesh};
use test_support::pyrogenesis::build::{Pmd, Psa};

type Bones<'a> = &'a [(&'a str, i32)];

fn found(of_mesh: Bones, of_animation: Bones) -> Match {
    let (mesh, animation) = (mesh(of_mesh), animation(of_animation, &[("Walk", 2, 30.0)]));
    let (mesh, animation) = (Asset::parse(&mesh).expect("a mesh"), Asset::parse(&animation).expect("an animation"));
    Match::of(&mesh, &animation).expect("of one family")
}

/// Matched, missing, extra, reparented.
fn counts(found: &Match) -> [u64; 4] {
    [found.matched, found.missing, found.extra, found.reparented]
}

const MESH: Bones = &[("a", 0), ("b", 0), ("c", 1), ("d", 2)];

#[test]
fn verdicts_are_as_documented() {
    let all: [(Bones, Verdict, [u64; 4]); 10] = [
        (MESH, Verdict::Exact, [4, 0, 0, 0]),
        (&[("a", 0), ("b", 0), ("d", 3), ("c", 1)], Verdict::Exact, [4, 0, 0, 0]),
        (&[("a", 0), ("b", 0)], Verdict::Fits, [2, 2, 0, 0]),
        (&[("a", 0)], Verdict::Fits, [1, 3, 0, 0]),
        (&[("a", 0), ("b", 0), ("c", 1), ("d", 2), ("e", 3), ("f", 3)], Verdict::Fits, [4, 0, 2, 0]),
        (&[("a", 0), ("b", 0), ("x", 0)], Verdict::InPart, [2, 2, 1, 0]),
        (&[("a", 0), ("x", 0)], Verdict::InPart, [1, 3, 1, 0]),
        (&[("a", 0), ("x", 0), ("y", 0)], Verdict::Hardly, [1, 3, 2, 0]),
        (&[("x", 0), ("y", 0)], Verdict::Not, [0, 4, 2, 0]),
        (&[], Verdict::Not, [0, 4, 0, 0]),
    ];
    for (bones, verdict, expected) in all {
        let found = found(MESH, bones);
        assert_eq!((found.verdict(), counts(&found)), (verdict, expected), "{bones:?}");
        assert!(found.by_name);
        let sentence = found.to_string();
        assert!(!sentence.is_empty() && !sentence.ends_with('.'), "{sentence}");
    }
}

#[test]
fn every_verdict_has_a_name_and_verdicts_are_ordered_from_best_to_worst() {
    let all = [Verdict::Exact, Verdict::Fits, Verdict::InPart, Verdict::SameCount, Verdict::Hardly, Verdict::Not];
    assert_eq!(all.map(Verdict::code), ["exact", "fits", "in-part", "same-count", "hardly", "not"]);
    assert!(all.is_sorted());
    assert_eq!(serde_json::to_value(all).expect("JSON"), serde_json::json!(all.map(Verdict::code)));
}

#[test]
fn names_are_compared_in_any_case_and_without_blanks_at_the_end() {
    let found_in = |bones| found(MESH, bones).verdict();
    assert_eq!(found_in(&[("A", 0), ("B  ", 0), ("c ", 1), ("D", 2)]), Verdict::Exact);
    assert_eq!(found_in(&[(" a", 0), ("x", 0)]), Verdict::Not);
    assert_eq!(found(&[("A ", 0), ("B", 0)], &[("a", 0), ("b ", 0)]).verdict(), Verdict::Exact);
    assert_eq!(found(&[("É", 0)], &[("é", 0)]).verdict(), Verdict::Not);
}

#[test]
fn each_bone_matches_the_first_bone_of_its_name() {
    let twice: Bones = &[("a", 0), ("b", 0), ("B", 1)];
    let once: Bones = &[("a", 0), ("b", 0)];
    assert_eq!(counts(&found(twice, once)), [2, 1, 0, 0]);
    assert_eq!(counts(&found(once, twice)), [2, 0, 1, 0]);
    // The parent that is compared is the first one's, too.
    assert_eq!(
        counts(&found(&[("a", 0), ("b", 0), ("c", 1), ("c", 0)], &[("a", 0), ("b", 0), ("c", 1)])),
        [3, 1, 0, 0]
    );
}

#[test]
fn bones_with_another_parent_are_counted_and_change_no_verdict() {
    let reparented = |bones| {
        let found = found(MESH, bones);
        assert_eq!(found.verdict(), Verdict::Exact);
        assert_eq!(found.to_string().contains("parent"), found.reparented > 0, "{found}");
        found.reparented
    };
    assert_eq!(reparented(&[("a", 0), ("b", 0), ("c", 0), ("d", 2)]), 1);
    // Without any hierarchy, that is said once.
    let flat = found(MESH, &[("a", 0), ("b", 0), ("c", 0), ("d", 0)]);
    assert_eq!((flat.verdict(), flat.is_flat, flat.reparented), (Verdict::Exact, true, 0));
    assert!(flat.to_string().contains("no hierarchy"), "{flat}");
    let flat = |of_mesh, of_animation| found(of_mesh, of_animation).is_flat;
    assert!(!flat(&[("a", 0), ("b", 0), ("c", 0)], &[("a", 0), ("b", 0), ("c", 0)]), "the mesh is as flat");
    assert!(!flat(MESH, &[("a", 0), ("b", 0), ("c", 1), ("d", 0)]), "one bone has a different parent");
    assert_eq!(reparented(&[("b", 0), ("a", 0), ("c", 0), ("d", 2)]), 2, "another root");
    assert_eq!(reparented(&[("a", -1), ("b", 0), ("c", 1), ("d", 2)]), 0, "roots are roots");
    assert_eq!(reparented(&[("A ", 0), ("B", 0), ("c", 1), ("d", 2)]), 0, "parents go by name, too");
    // The parent is a bone that the mesh does not have.
    assert_eq!(counts(&found(MESH, &[("a", 0), ("twist", 0), ("b", 1)])), [2, 2, 1, 1]);
}

#[test]
fn percentages_refer_to_the_bones_of_each_side() {
    let found = found(MESH, &[("a", 0), ("b", 0), ("c", 1), ("w", 0), ("x", 0), ("y", 0), ("z", 0), ("v", 0)]);
    assert_eq!((found.percent_of_mesh(), found.percent_of_animation()), (75.0, 37.5));
    let none = super::verdicts::found(&[], &[]);
    assert_eq!((none.percent_of_mesh(), none.percent_of_animation()), (100.0, 100.0));
    assert_eq!(none.verdict(), Verdict::Not);
}

#[test]
fn pyrogenesis_bones_match_by_their_number_alone() {
    let mesh = Pmd::grid(3, 3, 5, 1).build().bytes;
    let mesh = Asset::parse(&mesh).expect("a mesh");
    for (bones, verdict, expected) in
        [(5, Verdict::SameCount, [5, 0, 0, 0]), (4, Verdict::Not, [0, 5, 4, 0]), (6, Verdict::Not, [0, 5, 6, 0])]
    {
        let animation = Psa::walk(bones, 2).build().bytes;
        let found = Match::of(&mesh, &Asset::parse(&animation).expect("an animation")).expect("of one family");
        assert_eq!((found.verdict(), counts(&found), found.by_name), (verdict, expected, false));
        assert_eq!(found, Match::by_count(5, bones as usize));
    }
}

#[test]
fn pairs_of_other_kinds_have_no_match() {
    let files = [
        "actorx/mesh/classic.psk",
        "actorx/anim/classic.psa",
        "pyrogenesis/pmd/one_bone.pmd",
        "pyrogenesis/psa/walk.psa",
        "swat3/gsa/plain.gsa",
    ];
    let bytes = files.map(corpus);
    for (one, first) in files.iter().zip(&bytes) {
        for (other, second) in files.iter().zip(&bytes) {
            let answer = Match::of(&Asset::parse(first).expect("sound"), &Asset::parse(second).expect("sound"));
            // An animation of SWAT 3 stands in for the mesh that it is known to fit.
            let pair = [(0, 1), (2, 3), (4, 4)].iter().any(|(a, b)| (*one, *other) == (files[*a], files[*b]));
            assert_eq!(answer.is_some(), pair, "{one} and {other}");
        }
    }
}

#[test]
fn swat_3_animations_match_by_the_number_of_their_bones_where_it_is_known() {
    use test_support::swat3::build::{Frame, Gsa, Layout, biped};

    let gsa = |bones: usize| {
        let skeleton = Layout::Plain.skeleton(&biped(bones));
        let frames = vec![Frame::new(vec![[0.0, 0.0, 0.0, 1.0]; bones]); 2];
        Gsa::new(1, skeleton, &[], frames).build().bytes
    };
    let of =
        |one: &[u8], other: &[u8]| Match::of(&Asset::parse(one).expect("sound"), &Asset::parse(other).expect("sound"));
    assert_eq!(
        of(&gsa(5), &gsa(5)).map(|found| (found.clone(), found.verdict())),
        Some((Match::by_count(5, 5), Verdict::SameCount))
    );
    assert_eq!(
        of(&gsa(5), &gsa(6)).map(|found| (found.clone(), found.verdict())),
        Some((Match::by_count(5, 6), Verdict::Not))
    );
    let unknown = corpus("swat3/gsa/nested.gsa");
    assert_eq!(Asset::parse(&unknown).expect("sound").summary().bones, None);
    assert_eq!(of(&unknown, &unknown), None);
}
