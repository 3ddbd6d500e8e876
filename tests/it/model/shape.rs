//! Findings about a mesh as a whole, at their limits: points far away, a skeleton of another size, exchanged axes, faces inside out.

use skelmap::{Asset, Finding};

use test_support::actorx::build::{Bone, Face, IDENTITY, Material, Mesh, Wedge, Weight};

/// A mesh of these points, each a wedge, with a face and a root at the origin.
fn cloud(points: Vec<[f32; 3]>) -> Mesh {
    Mesh {
        wedges: (0..points.len() as u32).map(|point| Wedge::new(point, [0.0; 2], 0)).collect(),
        points,
        faces: vec![Face::new([0, 1, 2], 0)],
        materials: vec![Material::new("Skin", 0)],
        bones: vec![Bone::new("Root", 0, [0.0; 3], IDENTITY)],
        ..Mesh::default()
    }
}

/// A bone at each place. The points that follow it are there too, after a change: four of them, whose mean is that place.
fn rigged(places: &[[f32; 3]], change: impl Fn([f32; 3]) -> [f32; 3]) -> Mesh {
    let moved = places.iter().map(|place| change(*place));
    let mut mesh = cloud(moved.flat_map(|[x, y, z]| [0.5, 0.5, 1.5, 1.5].map(|by| [x * by, y * by, z * by])).collect());
    // All are children of the first, which is at the origin.
    mesh.bones = (0..).zip(places).map(|(at, place)| Bone::new(&format!("b{at}"), 0, *place, IDENTITY)).collect();
    mesh.weights = (0..4 * places.len() as i32).map(|point| Weight { weight: 0.25, point, bone: point / 4 }).collect();
    mesh
}

/// The one finding of a code, if there is one.
fn finding(mesh: &Mesh, code: &str) -> Option<Finding> {
    let bytes = mesh.chunks().build().bytes;
    Asset::parse(&bytes).unwrap().check().into_iter().find(|finding| finding.code.name() == code)
}

/// A box of 3 x 4 x 0, whose diagonal is 5, and a point.
fn box_and(point: [f32; 3]) -> Mesh {
    let [near, far] = [[0.0; 3], [3.0, 4.0, 0.0]];
    cloud(vec![near, near, near, far, far, far, far, point])
}

#[test]
fn a_point_is_far_if_it_is_more_than_twenty_diagonals_from_the_box_in_any_direction() {
    let sides = [
        |by: f32| [3.0 + by, 4.0, 0.0],
        |by: f32| [-by, 4.0, 0.0],
        |by: f32| [3.0, 4.0 + by, 0.0],
        |by: f32| [3.0, -by, 0.0],
        |by: f32| [3.0, 4.0, by],
        |by: f32| [3.0, 4.0, -by],
    ];
    for (side, place) in sides.iter().enumerate() {
        assert_eq!(finding(&box_and(place(100.0)), "point-far"), None, "side {side}");
        let far = finding(&box_and(place(101.0)), "point-far").unwrap();
        assert_eq!((far.index, far.count), (Some(7), 1), "side {side}");
    }
    for (by, times) in [(150.0, "30"), (49_990.0, "9998"), (50_000.0, "1.0e4"), (75_000.0, "1.5e4")] {
        let far = finding(&box_and([3.0, 4.0, by]), "point-far").unwrap();
        assert!(far.message.contains(&format!(" is {times} times the size of the model away")), "{}", far.message);
    }
}

#[test]
fn a_point_that_is_not_finite_is_not_far_even_beside_one_that_is() {
    let mut mesh = box_and([3.0, 4.0, 500.0]);
    mesh.points.push([f32::INFINITY, 4.0, 0.0]);
    let far = finding(&mesh, "point-far").unwrap();
    assert_eq!((far.index, far.count), (Some(7), 1));
}

#[test]
fn without_a_size_of_the_rest_no_point_is_far() {
    let mut points = vec![[0.0; 3]; 8];
    points[7] = [100.0, 0.0, 0.0];
    assert_eq!(finding(&cloud(points.clone()), "point-far"), None);
    points[..4].fill([3.0, 4.0, 0.0]);
    // Seven points are no evidence.
    points[7] = [500.0, 0.0, 0.0];
    assert!(finding(&cloud(points.clone()), "point-far").is_some());
    assert_eq!(finding(&cloud(points.split_off(1)), "point-far"), None);
}

#[test]
fn at_most_a_twentieth_of_the_points_is_far_on_a_side() {
    for (far, expected) in [(2, Some(2)), (3, None)] {
        let mut points = [[[0.0; 3]; 20], [[3.0, 4.0, 0.0]; 20]].concat();
        points[40 - far..].fill([500.0, 4.0, 0.0]);
        assert_eq!(finding(&cloud(points), "point-far").map(|finding| finding.count), expected, "{far} of 40");
    }
}

#[test]
fn the_size_of_the_rest_is_that_of_256_points_at_most() {
    // Every other point lies elsewhere. Of twice as many, every second one is looked at for the size, but all are compared with it.
    for (half, expected) in [(128, None), (256, Some(256))] {
        let points = (0..half).flat_map(|at| [if at % 2 == 0 { [0.0; 3] } else { [3.0, 4.0, 0.0] }, [500.0, 4.0, 0.0]]);
        let found = finding(&cloud(points.collect()), "point-far");
        assert_eq!(found.map(|finding| finding.count), expected, "{half} points and as many elsewhere");
    }
}

/// Six places around the origin, the first there.
const SIX: [[f32; 3]; 6] =
    [[0.0; 3], [30.0, 0.0, 0.0], [-30.0, 0.0, 0.0], [0.0, 10.0, 0.0], [0.0, -10.0, 0.0], [0.0, 0.0, 20.0]];

#[test]
fn points_are_at_most_ten_times_as_far_apart_as_six_bones_and_thirty_times_as_fewer() {
    let scaled = |bones: usize, points: f32, by: f32| {
        let places: Vec<_> = SIX[..bones].iter().map(|place| place.map(|value| value * by)).collect();
        finding(&rigged(&places, |place| place.map(|value| value / by * points)), "mesh-scale")
    };
    for (bones, most) in [(6, 10.0), (5, 30.0), (4, 30.0), (3, 30.0)] {
        for (points, by) in [(1.0, 1.0), (most, 1.0), (1.0, most)] {
            assert_eq!(scaled(bones, points, by), None, "{bones} bones, {points} and {by}");
        }
        let found = scaled(bones, most + 1.0, 1.0).unwrap();
        assert!(
            found
                .message
                .starts_with(&format!("the points are {} times as far apart as the {bones} bones", most + 1.0))
        );
        let found = scaled(bones, 1.0, most + 1.0).unwrap();
        let expected = format!("the points are {} times closer together than the {bones} bones", most + 1.0);
        assert!(found.message.starts_with(&expected), "{}", found.message);
    }
    assert_eq!(scaled(2, 40.0, 1.0), None, "two bones are no evidence");
}

#[test]
fn where_points_and_bones_are_does_not_matter_for_their_sizes() {
    let aside = |place: [f32; 3]| [place[0] + 1000.0, place[1], place[2]];
    assert_eq!(finding(&rigged(&SIX, aside), "mesh-scale"), None);
    let places = SIX.map(aside);
    let mut mesh = rigged(&places, |place| place);
    for (at, point) in mesh.points.iter_mut().enumerate() {
        *point = SIX[at / 4];
    }
    mesh.bones[0].position = places[0];
    mesh.bones.iter_mut().zip(SIX).skip(1).for_each(|(bone, place)| bone.position = place);
    assert_eq!(finding(&mesh, "mesh-scale"), None);
}

#[test]
fn only_bones_that_move_points_and_points_that_are_sound_count_for_the_sizes() {
    let twenty = || rigged(&SIX, |place| place.map(|value| value * 20.0));
    let count = |mesh: &Mesh| {
        let message = finding(mesh, "mesh-scale").unwrap().message;
        assert!(message.starts_with("the points are 20 times as far apart as the 6 bones that move them"), "{message}");
    };
    count(&twenty());
    // A bone without points, and one that is nowhere.
    let mut mesh = twenty();
    mesh.bones.push(Bone::new("idle", 0, [500.0, 0.0, 0.0], IDENTITY));
    mesh.bones.push(Bone::new("lost", 0, [f32::NAN, 0.0, 0.0], IDENTITY));
    mesh.weights.push(Weight { weight: 1.0, point: 3, bone: 7 });
    count(&mesh);
    // Weights and points that are not numbers, and a point far away.
    for weight in [f32::INFINITY, f32::NAN, -1.0, 0.0] {
        let mut mesh = twenty();
        mesh.weights.push(Weight { weight, point: 3, bone: 4 });
        count(&mesh);
    }
    for place in [f32::NAN, f32::INFINITY, 1e9] {
        let mut mesh = twenty();
        mesh.points.push([place, 0.0, 0.0]);
        mesh.weights.push(Weight { weight: 1.0, point: 24, bone: 4 });
        count(&mesh);
    }
    // Of three bones, two move points.
    let mut mesh = rigged(&SIX[..3], |place| place.map(|value| value * 40.0));
    assert!(finding(&mesh, "mesh-scale").is_some());
    mesh.weights.retain(|weight| weight.bone != 2);
    assert_eq!(finding(&mesh, "mesh-scale"), None);
}

#[test]
fn bones_or_points_in_one_place_have_no_size() {
    let mut mesh = rigged(&SIX, |place| place);
    mesh.bones.iter_mut().for_each(|bone| bone.position = [0.0; 3]);
    assert_eq!(finding(&mesh, "mesh-scale"), None);
    let mut mesh = rigged(&SIX, |place| place);
    mesh.points.iter_mut().for_each(|point| *point = [7.0; 3]);
    assert_eq!(finding(&mesh, "mesh-scale"), None);
}

/// Bones on the x axis and on the y axis. With Y and Z exchanged, they agree with their points; as stored, only those on the x axis do:
/// these are this part of the sum of all squares.
fn exchanged(on_x: [f32; 3], on_y: [f32; 3], signs: [f32; 2]) -> Option<Finding> {
    let both = |values: [f32; 3], axis: usize| {
        values.into_iter().filter(|value| *value != 0.0).flat_map(move |value| {
            [value, -value].map(|value| {
                let mut place = [0.0; 3];
                place[axis] = value;
                place
            })
        })
    };
    let places: Vec<[f32; 3]> = std::iter::once([0.0; 3]).chain(both(on_x, 0)).chain(both(on_y, 1)).collect();
    finding(&rigged(&places, |[x, y, z]| [x, signs[0] * z, signs[1] * y]), "mesh-axes")
}

#[test]
fn bones_agree_better_by_a_tenth_with_y_and_z_exchanged_if_the_axes_are() {
    // Squares of 9 to 1 give 0.9 as stored.
    for signs in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]] {
        let found = exchanged([3.0, 0.0, 0.0], [1.0, 0.0, 0.0], signs);
        assert_eq!(found, None, "five bones are no evidence");
        let found = exchanged([9.0, 9.0, 0.0], [6.0, 3.0, 0.0], signs).unwrap();
        let expected =
            "the bones fit their points with Y and Z exchanged (agreement 1.00 of 1), but not as stored (0.78)";
        assert_eq!(found.message, expected);
        assert!(exchanged([12.0, 6.0, 0.0], [4.0, 2.0, 0.0], signs).is_some(), "0.9");
        assert_eq!(exchanged([12.0, 6.5, 0.0], [4.0, 2.0, 0.0], signs), None, "above 0.9");
        assert_eq!(exchanged([12.0, 6.0, 0.0], [0.0; 3], signs), None, "there is nothing to exchange");
    }
    // Not on the y axis, but along it: y becomes z.
    let places = [
        [0.0; 3],
        [0.0, 5.0, 0.0],
        [0.0, -5.0, 0.0],
        [0.0, 4.0, 0.0],
        [0.0, -4.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
    ];
    assert!(finding(&rigged(&places, |[x, y, z]| [x, z, y]), "mesh-axes").is_some());
    let six = [[0.0; 3], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, -2.0, 0.0], [0.0, 0.0, 0.0]];
    assert!(finding(&rigged(&six, |[x, y, z]| [x, z, y]), "mesh-axes").is_some(), "six bones are enough");
}

#[test]
fn axes_are_exchanged_with_any_signs() {
    // The sums of squares are 50 along x, 200 along y and 200 along z. As stored, bones agree with their points along x alone: 50 of 450.
    let places = [
        [0.0; 3],
        [5.0, 0.0, 0.0],
        [-5.0, 0.0, 0.0],
        [0.0, 10.0, 0.0],
        [0.0, -10.0, 0.0],
        [0.0, 0.0, 10.0],
        [0.0, 0.0, -10.0],
    ];
    for (new_y, new_z) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
        let found = finding(&rigged(&places, |[x, y, z]| [x, new_y * z, new_z * y]), "mesh-axes").unwrap();
        let expected =
            "the bones fit their points with Y and Z exchanged (agreement 1.00 of 1), but not as stored (0.11)";
        assert_eq!(found.message, expected, "{new_y} {new_z}");
    }
}

#[test]
fn bones_must_agree_with_four_fifths_of_their_points_in_exchanged_axes() {
    // Each point is (4 exchanged + 3 aside) / 5 of its bone, where aside is a quarter turn about x: the agreement is 4/5.
    let places = [
        [0.0; 3],
        [0.0, 5.0, 0.0],
        [0.0, -5.0, 0.0],
        [0.0, 10.0, 0.0],
        [0.0, -10.0, 0.0],
        [0.0, 15.0, 0.0],
        [0.0, -15.0, 0.0],
    ];
    for (exchanged, aside, is_found) in [(4.0, 3.0, true), (3.0, 4.0, false)] {
        let mesh = rigged(&places, |[_, y, _]| [aside * y / 5.0, 0.0, exchanged * y / 5.0]);
        assert_eq!(finding(&mesh, "mesh-axes").is_some(), is_found, "{exchanged}");
    }
}

/// Whether a mesh is reported whose faces have these corners, each with the normal of its face.
fn are_inside_out(faces: impl Iterator<Item = ([[f32; 3]; 3], [f32; 3])>) -> bool {
    let mut mesh = cloud(Vec::new());
    let mut normals: Vec<[f32; 3]> = Vec::new();
    mesh.faces.clear();
    for (face, (corners, normal)) in (0..).zip(faces) {
        mesh.points.extend(corners);
        normals.extend([normal; 3]);
        mesh.faces.push(Face::new([face * 3, face * 3 + 1, face * 3 + 2], 0));
    }
    mesh.wedges = (0..mesh.points.len() as u32).map(|point| Wedge::new(point, [0.0; 2], 0)).collect();
    let bytes = mesh.chunks().records("VTXNORMS", &normals).build().bytes;
    Asset::parse(&bytes).unwrap().check().iter().any(|finding| finding.code.name() == "mesh-winding")
}

/// So many faces. Those that are told are turned against their normals.
fn faces(count: u32, is_against: impl Fn(u32) -> bool) -> bool {
    are_inside_out((0..count).map(|face| {
        // Faces in the planes x = y + 1, y = z + 1, z = x + 1: their normals are (1, -1, 0) and so on.
        let shift = face as f32 * 3.0 + 2.0;
        let corners =
            [[2.0, 1.0, 1.0], [2.0, 1.0, 6.0], [4.0, 3.0, 1.0]].map(|corner| corner.map(|value| value + shift));
        let turned = |mut vector: [f32; 3]| {
            vector.rotate_right(face as usize % 3);
            vector
        };
        let normal = if is_against(face) { [-1.0, 1.0, 0.0] } else { [1.0, -1.0, 0.0] };
        (corners.map(turned), turned(normal))
    }))
}

#[test]
fn faces_are_inside_out_if_nineteen_of_twenty_point_against_their_normals() {
    assert!(faces(12, |_| true) && !faces(11, |_| true), "eleven faces are no evidence");
    assert!(!faces(12, |_| false));
    assert!(!faces(19, |face| face != 7) && faces(20, |face| face != 7));
    assert!(!faces(39, |face| face > 1) && faces(40, |face| face > 1));
}

/// In an ActorX file, the corners of a face run clockwise around its normal: against the cross product of its edges.
#[test]
fn faces_along_all_axes_are_inside_out_if_their_normals_are_along_the_cross_products_of_their_edges() {
    for sign in [1.0, -1.0] {
        // A right angle at (2, 3, 4), with an edge of 1 along an axis and one along another, in both directions.
        let pairs = [(0, 1), (1, 2), (2, 0)].into_iter().flat_map(|(a, b)| [(a, b, 1.0), (b, a, -1.0)]);
        let all = pairs.flat_map(|pair| [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)].map(|by| (pair, by)));
        let corners = all.map(|((first, second, turn), (along, across))| {
            let (mut corners, mut normal) = ([[2.0, 3.0, 4.0]; 3], [0.0; 3]);
            corners[1][first] += along;
            corners[2][second] += across;
            normal[3 - first - second] = along * across * turn * sign;
            (corners, normal)
        });
        assert_eq!(are_inside_out(corners), sign > 0.0);
    }
}

#[test]
fn all_faces_are_looked_at_if_half_of_64_are_inside_out() {
    // Of 1280 faces, every twentieth is looked at first. More than nineteen of twenty are inside out.
    for (right, expected) in [(0, true), (31, true), (32, true), (33, false)] {
        assert_eq!(faces(1280, |face| face % 20 > 0 || face >= 20 * right), expected, "{right} of 64 are not");
    }
}
