//! Bones: what a stored parent means, and an order that every hierarchy has, cyclic ones included.

use skelmap::actorx::{Psa, Psk};

use test_support::actorx::build::{Anim, Bone, Chunks, IDENTITY, chain};

/// A mesh that is nothing but bones with these parents.
fn skeleton(parents: &[i32]) -> Vec<u8> {
    let bones: Vec<Bone> = parents.iter().map(|parent| Bone::new("Bone", *parent, [0.0; 3], IDENTITY)).collect();
    Chunks::new().empty("ACTRHEAD", 0).records("REFSKELT", &bones).build().bytes
}

fn parents(stored: &[i32]) -> Vec<Option<usize>> {
    let bytes = skeleton(stored);
    let skeleton = Psk::parse(&bytes).unwrap().skeleton();
    (0..stored.len()).map(|bone| skeleton.parent(bone)).collect()
}

#[test]
fn the_first_bone_is_a_root_if_its_parent_is_zero_or_negative() {
    for stored in [0, -1, -2, i32::MIN] {
        assert_eq!(parents(&[stored, 0]), [None, Some(0)], "{stored}");
    }
}

#[test]
fn a_parent_past_the_last_bone_makes_a_root() {
    for stored in [2, 3, i32::MAX] {
        assert_eq!(parents(&[stored, 0]), [None, Some(0)], "{stored}");
        assert_eq!(parents(&[0, stored]), [None, None], "{stored}");
    }
}

#[test]
fn a_later_bone_that_is_its_own_parent_is_a_further_root() {
    assert_eq!(parents(&[0, 1, 1, -1, 2]), [None, None, Some(1), None, Some(2)]);
}

#[test]
fn roots_and_children_come_in_index_order() {
    let bytes = skeleton(&[0, 3, -1, 0, 0, 2, 6]);
    let skeleton = Psk::parse(&bytes).unwrap().skeleton();
    assert!(skeleton.roots().eq([0, 2, 6]));
    assert!(skeleton.children(0).eq([3, 4]));
    assert!(skeleton.children(3).eq([1]));
    assert!(skeleton.children(6).next().is_none());
    assert!(skeleton.ancestors(1).eq([3, 0]));
    assert!(skeleton.ancestors(0).next().is_none());
}

#[test]
fn bones_that_do_not_exist_have_no_relatives() {
    let bytes = skeleton(&[0, 0]);
    let skeleton = Psk::parse(&bytes).unwrap().skeleton();
    for bone in [2, usize::MAX] {
        assert_eq!(skeleton.parent(bone), None);
        assert_eq!((skeleton.ancestors(bone).count(), skeleton.children(bone).count()), (0, 0));
    }
}

#[test]
fn the_ancestors_of_a_bone_in_a_cycle_are_finite() {
    let bytes = skeleton(&[1, 2, 0, 0]);
    let skeleton = Psk::parse(&bytes).unwrap().skeleton();
    assert!(skeleton.ancestors(3).count() <= 4);
    assert!(skeleton.ancestors(3).take(3).eq([0, 1, 2]));
}

#[test]
fn an_animation_has_the_hierarchy_of_its_bones() {
    let bytes = Anim { bones: chain(3), ..Anim::default() }.chunks().build().bytes;
    let animation = Psa::parse(&bytes).unwrap();
    assert!(animation.skeleton().ancestors(2).eq([1, 0]));
    assert_eq!(animation.skeleton().find("BONE_0001"), Some(1));
}

mod order {
    use super::skeleton;
    use proptest::prelude::*;
    use skelmap::actorx::{Psa, Psk};
    use skelmap::model::Skeleton;
    use test_support::actorx::agree::parent_of;
    use test_support::actorx::corpus::cases;
    use test_support::actorx::naive::{File, read};

    /// The lowest bone of every cycle: by walking from each bone as many steps as there are bones, and then around.
    fn lowest_of_cycles(parents: &[i32]) -> Vec<u32> {
        let mut lowest = Vec::new();
        for bone in 0..parents.len() {
            let step = |bone| parent_of(parents, bone);
            let Some(inside) = (0..parents.len()).try_fold(bone, |bone, _| step(bone)) else { continue };
            let around = std::iter::successors(step(inside), |bone| step(*bone)).take_while(|bone| *bone != inside);
            lowest.push(around.chain([inside]).min().unwrap() as u32);
        }
        lowest.sort_unstable();
        lowest.dedup();
        lowest
    }

    /// A permutation, parents first but for the cut bones; `cut` is left to the caller.
    fn is_sound(skeleton: Skeleton<'_>, parents: &[i32]) -> Vec<u32> {
        let order = skeleton.to_order();
        let mut place = vec![None; parents.len()];
        assert_eq!(order.parents_first.len(), parents.len());
        for (index, bone) in order.parents_first.iter().enumerate() {
            assert!(place[*bone as usize].replace(index).is_none(), "bone {bone} comes twice");
        }
        assert!(order.cut.is_sorted_by(|a, b| a < b));
        for bone in 0..parents.len() {
            if order.cut.binary_search(&(bone as u32)).is_err() {
                let parent = parent_of(parents, bone);
                assert!(parent.is_none_or(|parent| place[parent] < place[bone]), "bone {bone} is before its parent");
            }
        }
        order.cut
    }

    fn cut_of(parents: &[i32]) -> Vec<u32> {
        let bytes = skeleton(parents);
        let cut = is_sound(Psk::parse(&bytes).unwrap().skeleton(), parents);
        assert_eq!(cut, lowest_of_cycles(parents));
        cut
    }

    #[test]
    fn a_skeleton_without_bones_has_an_empty_order() {
        assert!(cut_of(&[]).is_empty());
    }

    #[test]
    fn a_forest_is_never_cut() {
        for parents in [&[0][..], &[-1, 0, 1], &[0, 2, 0, 1], &[3, 0, 1, -1], &[0, 1, 2, 3], &[9, 9, 0]] {
            assert_eq!(cut_of(parents), [0; 0], "{parents:?}");
        }
    }

    #[test]
    fn cycles_are_cut_at_their_lowest_bone() {
        assert_eq!(cut_of(&[0, 2, 1]), [1]);
        assert_eq!(cut_of(&[1, 0]), [0]);
        assert_eq!(cut_of(&[0, 5, 4, 1, 3, 2]), [1]);
    }

    #[test]
    fn bones_below_a_cycle_come_after_the_cycle() {
        // 2 -> 6 -> 4 -> 3 -> 5 -> 2 is the cycle; 1, 7, 8 and 9 hang off it.
        assert_eq!(cut_of(&[0, 4, 6, 5, 3, 2, 4, 1, 7, 2]), [2]);
    }

    #[test]
    fn each_of_several_cycles_is_cut_once() {
        assert_eq!(cut_of(&[3, 2, 1, 0, 4, 6, 5, 5]), [0, 1, 5]);
    }

    #[test]
    fn skeletons_of_the_corpus_have_the_order_of_their_hierarchies() {
        let mut cyclic = 0;
        for case in cases() {
            let (parents, cut): (Vec<i32>, _) = match read(&case.bytes) {
                Ok(File::Psk(mesh)) => {
                    let parents: Vec<i32> = mesh.bones.iter().map(|bone| bone.parent).collect();
                    let cut = is_sound(Psk::parse(&case.bytes).unwrap().skeleton(), &parents);
                    (parents, cut)
                }
                Ok(File::Psa(animation)) => {
                    let parents: Vec<i32> = animation.bones.iter().map(|bone| bone.parent).collect();
                    let cut = is_sound(Psa::parse(&case.bytes).unwrap().skeleton(), &parents);
                    (parents, cut)
                }
                Err(_) => continue,
            };
            assert_eq!(cut, lowest_of_cycles(&parents), "{}", case.file);
            cyclic += cut.len();
        }
        assert!(cyclic > 0, "a file of the corpus has a cycle");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn any_parents_give_an_order(parents in prop::collection::vec(-2..12_i32, 0..12)) {
            cut_of(&parents);
        }

        #[test]
        fn every_bone_is_below_bone_zero_or_has_one_finding(parents in prop::collection::vec(-2..12_i32, 0..12)) {
            let mut reached = vec![0];
            for _ in &parents {
                let is_below = |bone: &usize| parent_of(&parents, *bone).is_some_and(|parent| reached.contains(&parent));
                let below: Vec<_> = (0..parents.len()).filter(is_below).collect();
                reached.extend(below);
                reached.sort_unstable();
                reached.dedup();
            }
            let others: Vec<_> = (0..parents.len()).filter(|bone| !reached.contains(bone)).collect();
            let bytes = skeleton(&parents);
            let mut found: Vec<_> = Psk::parse(&bytes).unwrap().check_each(99).into_iter().filter_map(|finding| {
                let codes = ["bone-unreachable", "bone-extra-root", "bone-cycle"];
                codes.contains(&finding.code.name()).then(|| finding.index.unwrap() as usize)
            }).collect();
            found.sort_unstable();
            // A circle through bone 0 is a finding about bone 0.
            found.retain(|bone| *bone != 0);
            prop_assert_eq!(found, others);
        }
    }

    /// Many bones, each the child of the next: a climb from the first passes all of them.
    const MANY: i32 = 100_000;

    #[test]
    fn a_long_chain_in_reverse_order_is_ordered_parents_first() {
        let parents: Vec<i32> = (1..=MANY).map(|next| if next == MANY { -1 } else { next }).collect();
        let bytes = skeleton(&parents);
        let order = Psk::parse(&bytes).unwrap().skeleton().to_order();
        assert!(order.parents_first.iter().copied().eq((0..MANY as u32).rev()));
        assert!(order.cut.is_empty());
    }

    #[test]
    fn a_long_cycle_is_cut_once_at_bone_zero() {
        let parents: Vec<i32> = (1..=MANY).map(|next| next % MANY).collect();
        let bytes = skeleton(&parents);
        let order = Psk::parse(&bytes).unwrap().skeleton().to_order();
        assert_eq!(order.cut, [0]);
        assert_eq!(order.parents_first[0], 0);
        assert!(order.parents_first[1..].iter().copied().eq((1..MANY as u32).rev()));
    }

    #[test]
    fn an_order_takes_memory_in_proportion_to_the_bones() {
        let of = |bones: i32| {
            let parents: Vec<i32> = (1..=bones).map(|next| next % bones).collect();
            let bytes = skeleton(&parents);
            let mesh = Psk::parse(&bytes).unwrap();
            allocation_counter::measure(|| drop(mesh.skeleton().to_order())).bytes_max
        };
        assert!(of(MANY) <= 11 * of(MANY / 10), "{} against {}", of(MANY), of(MANY / 10));
    }
}
