//! What a match says, and what a change of space does to boxes and matrices.

use skelmap::model::{Binding, Bounds, Distances, IDENTITY, Matrix, Space, Transform, maths};
use skelmap::{Asset, Matcher, Verdict};

use test_support::actorx::build::{Anim, Bone, IDENTITY as REST, Info, Key, Mesh};
use test_support::pyrogenesis::build::{Pmd, Psa, State};

fn bones(all: &[(&str, i32)]) -> Vec<Bone> {
    all.iter().map(|(name, parent)| Bone::new(name, *parent, [0.0, 0.0, 5.0], REST)).collect()
}

fn said(mesh: &[(&str, i32)], animation: &[(&str, i32)]) -> (Verdict, String) {
    let mesh = Mesh { bones: bones(mesh), ..Mesh::sheet(2, 2, 1) };
    let mut anim = Anim { bones: bones(animation), ..Anim::default() };
    anim.infos = vec![Info::new("stand", animation.len(), 0, 1, 30.0)];
    anim.keys = vec![Key { position: [0.0, 0.0, 5.0], rotation: REST, time: 1.0 }; animation.len()];
    let (mesh, animation): (Vec<u8>, Vec<u8>) = (mesh.chunks().into(), anim.chunks().into());
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let found = Matcher::new(&mesh).unwrap().compare(&animation).unwrap();
    (found.verdict(), found.to_string())
}

#[test]
fn a_match_by_names_is_said_in_a_sentence() {
    let chain = [("root", 0), ("a", 0), ("b", 1), ("c", 2), ("d", 3)];
    let words = |animation: &[(&str, i32)]| said(&chain, animation);
    assert_eq!(words(&chain), (Verdict::Exact, "fits exactly: all 5 bone names are the same".to_owned()));
    let mut other = chain;
    other[4].1 = 2;
    let one = "fits: all 5 bone names are the same, and 1 bone has another parent";
    assert_eq!(words(&other), (Verdict::Exact, one.to_owned()));
    other[3].1 = 1;
    let two = "fits: all 5 bone names are the same, and 2 of the bones have other parents";
    assert_eq!(words(&other), (Verdict::Exact, two.to_owned()));
    let flat = chain.map(|(name, _)| (name, 0));
    let all =
        "fits: all 5 bone names are the same; the animation has no hierarchy: all bones are children of the first one";
    assert_eq!(words(&flat), (Verdict::Exact, all.to_owned()));
    let more = [&chain[..], &[("e", 4)]].concat();
    assert_eq!(words(&more).1, "fits: the mesh does not have 1 bone of the animation");
    let more = [&chain[..], &[("e", 4), ("f", 4)]].concat();
    assert_eq!(words(&more).1, "fits: the mesh does not have 2 bones of the animation");
    assert_eq!(words(&chain[..4]).1, "fits: the animation leaves 1 bone of the mesh in the bind pose");
    assert_eq!(words(&chain[..3]).1, "fits: the animation leaves 2 bones of the mesh in the bind pose");
    let strangers = [("x", 0), ("y", 0)];
    assert_eq!(words(&strangers), (Verdict::Not, "does not fit: no bone in common".to_owned()));
    let few = [("root", 0), ("x", 0), ("y", 1), ("z", 2), ("w", 3), ("v", 4), ("u", 5)];
    assert_eq!(
        words(&few),
        (Verdict::Hardly, "hardly fits: the mesh has only 1 of the 7 bones of the animation".to_owned())
    );
    let half = [("root", 0), ("a", 0), ("b", 1), ("x", 2)];
    let part = "fits in part: the mesh does not have 1 bone of the animation, which leaves 2 bones of the mesh in the bind pose";
    assert_eq!(words(&half), (Verdict::InPart, part.to_owned()));
    // Two bones are no hierarchy, so their parents are said.
    let roots =
        "fits: the animation leaves 3 bones of the mesh in the bind pose, and 2 of the bones have other parents";
    assert_eq!(words(&[("b", 0), ("d", -1)]), (Verdict::Fits, roots.to_owned()));
}

#[test]
fn a_mesh_and_an_animation_of_two_families_with_as_many_bones_do_not_fit() {
    let mesh = Pmd::grid(3, 3, 4, 1).build().bytes;
    let strangers = Mesh { bones: bones(&[("a", 0), ("b", 0), ("c", 0), ("d", 0)]), ..Mesh::sheet(2, 2, 1) };
    let strangers: Vec<u8> = strangers.chunks().into();
    let animation = Psa::walk(4, 1).build().bytes;
    let [mesh, strangers, animation] = [&mesh, &strangers, &animation].map(|bytes| Asset::parse(bytes).unwrap());
    let clip = animation.clips().next().unwrap();
    let words = |mesh: &Asset<'_>| Binding::new(&mesh.mesh().unwrap(), &clip).found().to_string();
    assert_eq!(words(&strangers), "does not fit: the files are of different families");
    assert!(words(&mesh).starts_with("may fit: both have 4 bones"), "{}", words(&mesh));
}

/// Places of bones, without rotations.
fn states(places: &[[f32; 3]]) -> Vec<State> {
    places.iter().map(|place| State { t: *place, ..State::REST }).collect()
}

#[test]
fn a_match_by_the_number_of_bones_is_said_in_a_sentence() {
    let rest: &[[f32; 3]] = &[[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [3.0, 4.0, 0.0]];
    let words = |mesh: &[[f32; 3]], animation: &[[f32; 3]]| {
        let mesh = Pmd { bind: states(mesh), ..Pmd::grid(3, 3, mesh.len() as u32, 1) }.build().bytes;
        let animation = Psa::new(animation.len() as u32, 1, states(animation)).build().bytes;
        let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
        let (of_mesh, clip) = (Distances::of_mesh(&mesh.mesh().unwrap()), animation.clips().next().unwrap());
        let found = Matcher::new(&mesh).unwrap().compare(&animation).unwrap();
        let found = found.measured(of_mesh.as_ref(), Distances::of_clip(&clip).as_ref());
        (found.verdict(), found.to_string())
    };
    assert_eq!(words(rest, rest), (Verdict::Fits, "fits: both have 3 bones, at the same distances".to_owned()));
    let fewer = "does not fit: the mesh has 3 bones, the animation 2";
    assert_eq!(words(rest, &rest[..2]), (Verdict::Not, fewer.to_owned()));
    // The distances change by three fifths of the size: see `distances`.
    let twice: &[[f32; 3]] = &[[0.0, 0.0, 0.0], [6.0, 0.0, 0.0], [6.0, 8.0, 0.0]];
    let (verdict, text) = words(rest, twice);
    assert_eq!(verdict, Verdict::SameCount);
    let start = "probably does not fit: both have 3 bones, which is all that the game compares, but the distances between them differ by 60.0 % of the skeleton's size";
    assert!(text.starts_with(start), "{text}");
    let (verdict, text) = words(&rest[..1], &rest[..1]);
    assert_eq!(verdict, Verdict::SameCount);
    let start = "may fit: both have 1 bone, which is all that the game compares, but the distances between the bones are not known";
    assert_eq!(text, start);
}

#[test]
fn a_matrix_moves_points_of_the_other_space_as_it_moved_those_of_the_first() {
    let spaces = [Space::ACTORX.with_metres(0.01), Space::GLTF, Space::PYROGENESIS, Space::ACTORX];
    let mut matrix: Matrix = IDENTITY;
    for (index, value) in matrix.iter_mut().enumerate().filter(|(index, _)| index % 4 != 3) {
        *value = (index as f32 * 1.7).sin() * 2.0;
    }
    let points = [[1.0, 2.0, 3.0], [-4.0, 0.5, 2.0], [0.0; 3]];
    for from in spaces {
        for to in spaces {
            let change = from.change_to(&to);
            let changed = change.matrix(&matrix);
            for point in points {
                let (expected, found) = (
                    change.position(maths::transformed(&matrix, point)),
                    maths::transformed(&changed, change.position(point)),
                );
                let near = |axis: usize| (expected[axis] - found[axis]).abs() < 1e-4 * expected[axis].abs().max(1.0);
                assert!((0..3).all(near), "{from:?} {to:?}: {expected:?} {found:?}");
            }
        }
    }
}

#[test]
fn a_transform_is_the_same_in_other_crates() {
    // A rotation of length 2.
    let own = Transform { translation: [1.0, 2.0, 3.0], rotation: [0.4, -0.8, 1.6, 0.8], scale: [3.0, 2.0, 0.5] };
    let expected = Transform { rotation: [0.2, -0.4, 0.8, 0.4], ..own }.to_matrix();
    let near = |found: [f32; 16]| found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-6);
    assert!(near(glam_033::Mat4::from(own).to_cols_array()));
    assert!(near(glam_034::Mat4::from(own).to_cols_array()));
    assert!(near(glam_033::Mat4::from(glam_033::Affine3A::from(own)).to_cols_array()));
    assert!(near(glam_034::Mat4::from(glam_034::Affine3A::from(own)).to_cols_array()));
    assert!(near(mint_05::ColumnMatrix4::from(own).into()));
}

#[test]
fn a_box_has_three_edges_and_one_of_them_is_up() {
    let bounds = Bounds::of([[1.0, -2.0, 3.0], [4.0, 5.0, 10.0], [2.0, 0.0, 5.0]]).unwrap();
    assert_eq!(bounds.size(), [3.0, 7.0, 7.0]);
    assert_eq!((bounds.height(&Space::GLTF), bounds.height(&Space::ACTORX)), (7.0, 7.0));
    let bounds = Bounds::of([[1.0, -2.0, 3.0], [4.0, 5.0, 11.0]]).unwrap();
    assert_eq!((bounds.height(&Space::GLTF), bounds.height(&Space::ACTORX)), (7.0, 8.0));
}
