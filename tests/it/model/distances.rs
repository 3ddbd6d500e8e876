//! How much an animation changes the distances between bones: numbers by hand, and those of another program for real files.

use skelmap::model::Distances;
use skelmap::{Asset, Match, Matcher, Verdict};

use test_support::pyrogenesis::build::{Pmd, Psa, State};

/// Places of bones, without rotations.
fn states(places: &[[f32; 3]]) -> Vec<State> {
    places.iter().map(|place| State { t: *place, ..State::REST }).collect()
}

fn rest(places: &[[f32; 3]]) -> Option<Distances> {
    let mesh = Pmd { bind: states(places), ..Pmd::grid(3, 3, places.len() as u32, 1) }.build().bytes;
    Distances::of_mesh(&Asset::parse(&mesh).expect("a mesh").mesh().expect("a mesh"))
}

fn moved(frames: &[&[[f32; 3]]]) -> Option<Distances> {
    let all = frames.iter().flat_map(|places| states(places)).collect();
    let bytes =
        Psa::new(frames.first().map_or(0, |places| places.len()) as u32, frames.len() as u32, all).build().bytes;
    let asset = Asset::parse(&bytes).expect("an animation");
    asset.clips().next().and_then(|clip| Distances::of_clip(&clip))
}

/// Two sides of a triangle: 3 and 4 long. The box around it has a diagonal of 5.
const REST: &[[f32; 3]] = &[[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [3.0, 4.0, 0.0]];

fn near(found: Option<f64>, expected: f64) -> bool {
    found.is_some_and(|found| (found - expected).abs() < 1e-6)
}

#[test]
fn two_thirds_of_the_bones_change_their_steadiest_distance_at_most_so_much() {
    let own = rest(REST).expect("distances");
    let turned: &[[f32; 3]] = &[[1.0, 1.0, 1.0], [1.0, 4.0, 1.0], [1.0, 4.0, 5.0]];
    assert!(
        near(own.change(&moved(&[REST, turned]).expect("distances")), 0.0),
        "a motion of the whole changes nothing"
    );
    // The third bone goes away and comes back: 4, 8 and 4 from the second. The first two keep their distance.
    let away: &[[f32; 3]] = &[[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [3.0, 8.0, 0.0]];
    let one_moves = moved(&[REST, away, REST]).expect("distances");
    assert!(near(own.change(&one_moves), 0.0));
    // Everything is twice as far: the steadiest distance of the first two bones changes by 3, of 5.
    let twice: &[[f32; 3]] = &[[0.0, 0.0, 0.0], [6.0, 0.0, 0.0], [6.0, 8.0, 0.0]];
    assert!(near(own.change(&moved(&[twice]).expect("distances")), 3.0 / 5.0));
}

#[test]
fn a_change_is_a_part_of_the_smaller_of_both_sizes() {
    let own = rest(REST).expect("distances");
    let half: &[[f32; 3]] = &[[0.0, 0.0, 0.0], [1.5, 0.0, 0.0], [1.5, 2.0, 0.0]];
    assert!(near(own.change(&moved(&[half]).expect("distances")), 1.5 / 2.5));
    // 2.5 and 7.5: 5 on the average of both frames, and the distances are those of the mesh.
    let more: &[[f32; 3]] = &[[0.0, 0.0, 0.0], [4.5, 0.0, 0.0], [4.5, 6.0, 0.0]];
    assert!(near(own.change(&moved(&[half, more]).expect("distances")), 0.0));
    // What has no size is no measure.
    assert!(near(own.change(&moved(&[&[[1.0; 3]; 3]]).expect("distances")), 3.0 / 5.0));
}

#[test]
fn with_parents_only_distances_to_neighbours_count() {
    let own = rest(REST).expect("distances");
    let away: &[[f32; 3]] = &[[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [3.0, 8.0, 0.0]];
    let away = moved(&[away]).expect("distances");
    // In a chain, the third bone has its parent, 4 further away, and the parent's parent: 8.544 away instead of 5.
    let chain = [None, Some(0), Some(1)];
    assert!(near(own.change_along(&away, &chain), (73_f64.sqrt() - 5.0) / 5.0));
    assert!(near(own.change_along(&away, &chain[..2]), 0.0), "the parents of two bones");
    assert_eq!(own.change_along(&away, &[None; 3]), None);
    assert_eq!(own.change_along(&away, &[Some(7); 1]), None, "a parent that is not there");
    // The first bone goes away from the two others, which are wheels of it; or an arm and its hand.
    let alone: &[[f32; 3]] = &[[-3.0, 0.0, 0.0], [3.0, 0.0, 0.0], [3.0, 4.0, 0.0]];
    let alone = moved(&[alone]).expect("distances");
    assert!(near(own.change_along(&alone, &[None, Some(0), Some(0)]), 0.0));
    assert!(near(own.change_along(&alone, &chain), 3.0 / 5.0));
}

/// Five bones on a line. In the other places, the first keeps its distance to the fourth, and the second to the fifth.
#[test]
fn two_bones_that_are_no_neighbours_are_no_evidence() {
    let line = |places: [f32; 5]| places.map(|x| [x, 0.0, 0.0]);
    let own = rest(&line([0.0, 1.0, 3.0, 7.0, 15.0])).expect("distances");
    let other = [[0.0, 0.0, 0.0], [0.0, 50.0, 0.0], [0.0, 0.0, 90.0], [7.0, 0.0, 0.0], [14.0, 50.0, 0.0]];
    let other = moved(&[&other]).expect("distances");
    assert!(near(own.change(&other), 0.0));
    let chain = [None, Some(0), Some(1), Some(2), Some(3)];
    assert!(own.change_along(&other, &chain).is_some_and(|change| change > 1.0));
}

#[test]
fn eight_frames_from_the_first_to_the_last_are_looked_at() {
    let own = rest(REST).expect("distances");
    let twice: &[[f32; 3]] = &[[0.0, 0.0, 0.0], [6.0, 0.0, 0.0], [6.0, 8.0, 0.0]];
    let mut frames = vec![REST; 15];
    // Every second one is looked at, so this one is not.
    frames[1] = twice;
    assert!(near(own.change(&moved(&frames).expect("distances")), 0.0));
    frames[14] = twice;
    assert!(near(own.change(&moved(&frames).expect("distances")), 3.0 / 5.0 / 8.0));
}

#[test]
fn what_cannot_be_measured_has_no_distances() {
    assert!(rest(&REST[..1]).is_none(), "one bone");
    assert!(rest(&[[0.0, 0.0, f32::NAN], [1.0, 0.0, 0.0]]).is_none());
    assert!(rest(&[[f32::MAX, 0.0, 0.0], [-f32::MAX, 0.0, 0.0]]).is_none(), "too far");
    let at_one_place = rest(&[[1.0, 1.0, 1.0]; 3]).expect("distances");
    assert_eq!(at_one_place.change(&moved(&[REST]).expect("distances")), None);
    assert_eq!(rest(REST).expect("distances").change(&moved(&[&REST[..2]]).expect("distances")), None);
    // More bones than anyone compares.
    let many = Psa::walk(Distances::MAX_BONES as u32 + 1, 1).build().bytes;
    let many = Asset::parse(&many).expect("an animation");
    assert!(many.clips().next().is_some_and(|clip| Distances::of_clip(&clip).is_none()));
    // Names decide in this format.
    let named = std::fs::read("corpus/fox.psk").expect("a file");
    assert!(Distances::of_mesh(&Asset::parse(&named).expect("a mesh").mesh().expect("a mesh")).is_none());
}

/// An animation, the verdict, and how much it changes the distances of the pig's bones.
const PIG: (&str, Verdict, f64) = ("animal_pig_death_01", Verdict::Fits, 0.001_310_412_480_742);
const ZEBU: (&str, Verdict, f64) = ("zebu_idle02", Verdict::SameCount, 0.032_359_262_437_514);

/// The numbers are those of another program with its own reader (double precision).
#[test]
fn a_zebu_is_no_pig_although_it_has_as_many_bones() {
    let Some(samples) = std::env::var_os("SKELMAP_SAMPLES") else {
        println!("skipped: SKELMAP_SAMPLES is not set");
        return;
    };
    let art = std::path::Path::new(&samples).join("pyrogenesis/public-a28/art");
    let read = |name: &str| std::fs::read(art.join(name)).expect("a sample");
    let pig = read("meshes/skeletal/pig.dae.cached.pmd");
    let pig = Asset::parse(&pig).expect("a mesh");
    let rest = pig.mesh().and_then(|mesh| Distances::of_mesh(&mesh));
    let matcher = Matcher::new(&pig).expect("a mesh");
    for (name, verdict, change) in [PIG, ZEBU] {
        let bytes = read(&format!("animation/quadraped/{name}.dae.cached.psa"));
        let animation = Asset::parse(&bytes).expect("an animation");
        let moved = animation.clips().next().and_then(|clip| Distances::of_clip(&clip));
        let found: Match = matcher.compare(&animation).expect("a match").measured(rest.as_ref(), moved.as_ref());
        assert_eq!((found.verdict(), found.matched), (verdict, 26), "{name}");
        assert!(found.length_change.is_some_and(|own| (own - change).abs() < 1e-6), "{:?}", found.length_change);
        assert_eq!(found.to_string().contains("probably does not fit: "), verdict == Verdict::SameCount, "{found}");
    }
}
