//! Vertices for renderers: against the triangles of the file, and against tangents, skins and boxes that are computed here.

use std::collections::BTreeMap;

use skelmap::model::{
    Binding, Handedness, IDENTITY, Indices, Matrix, Mesh, PosedPoints, Skin, Space, Transform, UvOrigin,
    VertexAttribute, VertexOptions, Vertices, Winding, Wrap,
};
use skelmap::{Asset, ErrorKind};

use super::parts::{changed_pmd, figure};
use test_support::actorx::build::{self as actorx, Face, Wedge};
use test_support::actorx::corpus::sample;
use test_support::corpus::samples;

fn options(change: impl FnOnce(&mut VertexOptions)) -> VertexOptions {
    let mut options = VertexOptions::default();
    change(&mut options);
    options
}

/// Meshes of both families, small and real.
fn files() -> Vec<Vec<u8>> {
    let corpus = ["fox.psk", "fox.pmd"].map(|name| std::fs::read(format!("corpus/{name}")).unwrap());
    let mut all = corpus.to_vec();
    all.extend([figure(|_| {}), changed_pmd(3, |_| {}), actorx::Mesh::sheet(40, 9, 70).chunks().into()]);
    // Materials that take turns, and triangles with two equal corners.
    let mut sheet = actorx::Mesh::sheet(20, 9, 70);
    (0..).zip(&mut sheet.faces).for_each(|(index, face)| face.material = (index / 3 % 3) as u8);
    for (face, [to, from]) in [(4, [0, 1]), (11, [1, 2]), (17, [2, 0])] {
        sheet.faces[face].wedges[to] = sheet.faces[face].wedges[from];
    }
    all.push(sheet.chunks().into());
    all.push(sample::figure().chunks().records("VERTEXCOLOR", &sample::colors()).build().bytes);
    if let Some(folder) = samples("actorx") {
        for name in ["psk_psa_py/psk/Shrek.psk", "psk_psa_py/psk/carlos_head_carlos.psk", "hp2/skBeaterMesh.psk"] {
            all.push(std::fs::read(folder.join(name)).unwrap());
        }
    }
    all
}

/// A corner: position, texture coordinates of all sets, colour.
type Corner = (Vec<u32>, Vec<[u32; 2]>, [u8; 4]);

/// The first corner of a triangle is the least.
fn ordered(mut corners: Vec<Corner>) -> Vec<Corner> {
    let least = corners.iter().enumerate().min_by(|one, other| one.1.cmp(other.1)).unwrap().0;
    corners.rotate_left(least);
    corners
}

/// How often each material has each triangle.
type Triangles = BTreeMap<(u32, Vec<Corner>), usize>;

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// The triangles as the file has them: three different vertices, in the order that is counterclockwise from outside.
fn of_file(mesh: &Mesh<'_>, is_welded: bool) -> Triangles {
    let mut found = Triangles::new();
    for triangle in (0..mesh.triangle_count()).filter_map(|index| mesh.triangle(index)) {
        let [a, b, c] = triangle.vertices;
        if a == b || b == c || c == a {
            continue;
        }
        let vertices = if mesh.winding() == Winding::CounterClockwise { [a, b, c] } else { [a, c, b] };
        let corner = |vertex: u32| {
            let vertex = vertex as usize;
            let position = mesh.position(mesh.point_of(vertex).unwrap()).unwrap();
            let uv = |set| {
                let [u, v] = mesh.uvs(set).unwrap().get(vertex).unwrap().get();
                [u, if mesh.uv_origin() == UvOrigin::Bottom { 1.0 - v } else { v }].map(f32::to_bits)
            };
            let color = mesh.colors().map_or([255; 4], |colors| *colors.get(vertex).unwrap());
            (bits(&position), (0..mesh.uv_set_count()).map(uv).collect(), color)
        };
        let corners: Vec<Corner> = vertices.into_iter().map(corner).collect();
        let points = vertices.map(|vertex| mesh.point_of(vertex as usize));
        let equal = |one: usize, other: usize| points[one] == points[other] && corners[one] == corners[other];
        if !(is_welded && (equal(0, 1) || equal(1, 2) || equal(2, 0))) {
            *found.entry((triangle.material, ordered(corners))).or_default() += 1;
        }
    }
    found
}

fn of_vertices(vertices: &Vertices) -> Triangles {
    let mut found = Triangles::new();
    for part in &vertices.parts {
        assert!(part.indices.iter().all(|index| (index as usize) < part.vertices.len()));
        for triangle in part.indices.triangles() {
            let corner = |index: u32| {
                let vertex = part.vertices.start + index as usize;
                let uvs = vertices.uvs.iter().map(|uvs| uvs[vertex].map(f32::to_bits)).collect();
                (bits(&vertices.positions[vertex]), uvs, vertices.colors.get(vertex).copied().unwrap_or([255; 4]))
            };
            *found.entry((part.material, ordered(triangle.map(corner).to_vec()))).or_default() += 1;
        }
    }
    found
}

#[test]
fn triangles_and_attributes_are_those_of_the_file() {
    for bytes in files() {
        let stored = Asset::parse(&bytes).unwrap().mesh().unwrap();
        for mesh in [stored, stored.with_metres(0.01).in_space(Space::GLTF)] {
            for (weld, tangents, max_joints) in [
                (true, false, None),
                (false, false, None),
                (true, true, None),
                (true, false, Some(32)),
                (true, true, Some(32)),
            ] {
                let asked = options(|own| (own.weld, own.tangents, own.max_joints) = (weld, tangents, max_joints));
                let vertices = mesh.to_vertices(&asked).unwrap();
                let expected = of_file(&mesh, weld);
                assert_eq!(of_vertices(&vertices), expected, "{mesh:?} {asked:?}");
                let triangles: usize = expected.values().sum();
                assert_eq!(vertices.counts.triangles, triangles);
                assert_eq!(vertices.counts.dropped_triangles, mesh.triangle_count() - triangles);
                check_lengths(&mesh, &vertices, &asked);
            }
        }
    }
}

/// Every array has an element for each vertex, and the parts follow one another.
fn check_lengths(mesh: &Mesh<'_>, vertices: &Vertices, asked: &VertexOptions) {
    let count = vertices.positions.len();
    assert_eq!((vertices.normals.len(), vertices.sources.len()), (count, count));
    assert_eq!(vertices.uvs.iter().map(Vec::len).collect::<Vec<_>>(), vec![count; mesh.uv_set_count()]);
    assert_eq!(vertices.colors.len(), if mesh.colors().is_some() { count } else { 0 });
    assert_eq!(vertices.tangents.len(), if asked.tangents && mesh.uv_set_count() > 0 { count } else { 0 });
    let sets = usize::from(mesh.bone_count() > 0);
    assert_eq!(vertices.joints.iter().map(Vec::len).collect::<Vec<_>>(), vec![count; sets]);
    assert_eq!(vertices.weights.iter().map(Vec::len).collect::<Vec<_>>(), vec![count; sets]);
    let mut end = 0;
    for part in &vertices.parts {
        assert_eq!(part.vertices.start, end);
        end = part.vertices.end;
        let own = &vertices.positions[part.vertices.clone()];
        for axis in 0..3 {
            assert_eq!(part.bounds.min[axis], own.iter().map(|position| position[axis]).fold(f32::INFINITY, f32::min));
            assert_eq!(
                part.bounds.max[axis],
                own.iter().map(|position| position[axis]).fold(f32::NEG_INFINITY, f32::max)
            );
        }
        let mut used: Vec<u32> = part.indices.iter().collect();
        used.sort_unstable();
        used.dedup();
        assert_eq!(used.len(), part.vertices.len(), "each vertex has a triangle");
    }
    assert_eq!(end, count);
    for (vertex, source) in vertices.sources.iter().enumerate() {
        let position = mesh.position(mesh.point_of(*source as usize).unwrap()).unwrap();
        assert_eq!(bits(&position), bits(&vertices.positions[vertex]));
    }
    for [x, y, z] in &vertices.normals {
        assert!((x * x + y * y + z * z - 1.0).abs() < 1e-5);
    }
}

#[test]
fn equal_vertices_of_a_point_become_one_and_others_stay() {
    // Two triangles with wedges of their own. Point 0 is used twice with equal coordinates, point 1 with others, point 2 with another colour.
    let mesh = actorx::Mesh {
        points: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]],
        wedges: vec![
            Wedge::new(0, [0.0, 0.0], 0),
            Wedge::new(1, [1.0, 0.0], 0),
            Wedge::new(2, [0.0, 1.0], 0),
            Wedge::new(0, [0.0, 0.0], 0),
            Wedge::new(2, [0.0, 1.0], 0),
            Wedge::new(1, [0.5, 0.0], 0),
            // Another point at the same place.
            Wedge::new(3, [0.0, 0.0], 0),
        ],
        faces: vec![Face::new([0, 1, 2], 0), Face::new([3, 5, 4], 0), Face::new([6, 1, 2], 0), Face::new([0, 3, 1], 0)],
        ..sample::figure()
    };
    let mesh = actorx::Mesh { weights: Vec::new(), ..mesh };
    let mut colors = [[9_u8, 9, 9, 9]; 7];
    colors[4] = [1, 2, 3, 4];
    for (bytes, expected, triangles) in
        [(mesh.chunks().build().bytes, 5, 3), (mesh.chunks().records("VERTEXCOLOR", &colors).build().bytes, 6, 3)]
    {
        let mesh = Asset::parse(&bytes).unwrap().mesh().unwrap();
        let vertices = mesh.to_vertices(&options(|own| own.weld = true)).unwrap();
        let points: Vec<_> = vertices.sources.iter().map(|source| mesh.point_of(*source as usize).unwrap()).collect();
        assert_eq!((points.len(), vertices.counts.triangles), (expected, triangles), "{points:?}");
        assert_eq!(vertices.counts.dropped_triangles, 1, "the last triangle has one point twice");
        assert_eq!(vertices.counts.unused_vertices, 0);
        let all = mesh.to_vertices(&options(|own| own.weld = false)).unwrap();
        assert_eq!((all.positions.len(), all.counts.triangles), (7, 4));
    }
}

/// Multiplies a point by a weighted sum of matrices, in `f64`.
fn moved(matrices: &[(Matrix, f32)], [x, y, z]: [f32; 3]) -> [f64; 3] {
    let mut out = [0.0; 3];
    for (matrix, weight) in matrices {
        for (row, out) in out.iter_mut().enumerate() {
            let [a, b, c, d] = [0, 4, 8, 12].map(|column| f64::from(matrix[column + row]));
            *out += f64::from(*weight) * (a * f64::from(x) + b * f64::from(y) + c * f64::from(z) + d);
        }
    }
    out
}

fn product(left: &Matrix, right: &Matrix) -> Matrix {
    let mut out = [0.0; 16];
    for column in 0..4 {
        for row in 0..4 {
            out[column * 4 + row] = (0..4).map(|k| left[k * 4 + row] * right[column * 4 + k]).sum();
        }
    }
    out
}

#[test]
fn influences_have_a_fixed_width_and_move_vertices_as_the_skin_does() {
    for bytes in files() {
        let mesh = Asset::parse(&bytes).unwrap().mesh().unwrap().with_metres(0.01).in_space(Space::GLTF);
        for (influences, sets, max_joints) in [
            (0, 0, None),
            (1, 1, None),
            (4, 1, None),
            (5, 2, None),
            (8, 2, None),
            (100, 8, None),
            (4, 1, Some(1)),
            (8, 2, Some(32)),
            (4, 1, Some(64)),
        ] {
            let asked = options(|own| (own.influences, own.max_joints) = (influences, max_joints));
            let vertices = mesh.to_vertices(&asked).unwrap();
            assert_eq!((vertices.joints.len(), vertices.weights.len()), (sets, sets), "{asked:?}");
            if sets == 0 {
                assert!(vertices.palettes.is_empty());
                continue;
            }
            let most = max_joints.map_or(usize::MAX, |most: u16| usize::from(most.max(32)));
            assert!(vertices.palettes.iter().all(|palette| palette.joints.len() <= most));
            assert!(max_joints.is_some() || vertices.palettes.len() == 1);
            if mesh.bone_count() > most {
                assert!(vertices.palettes.len() > 1, "the sheet and the head need all of their bones");
            }
            check_skin(&mesh, &vertices, sets);
        }
    }
}

fn check_skin(mesh: &Mesh<'_>, vertices: &Vertices, sets: usize) {
    let skin = Skin::new(mesh, sets * 4).unwrap();
    let mut pose = skin.bind_pose().to_vec();
    for (bone, transform) in pose.iter_mut().enumerate() {
        let half = bone as f32 * 0.1;
        *transform =
            Transform::new(transform.translation.map(|value| value * 1.25 + 0.01), [0.0, half.sin(), 0.0, half.cos()]);
    }
    let (mut matrices, mut world) = (vec![IDENTITY; skin.matrix_count()], vec![IDENTITY; skin.bone_count()]);
    let mut positions = vec![[0.0; 3]; mesh.point_count()];
    skin.matrices(&pose, &mut matrices).unwrap();
    skin.model_matrices(&pose, &mut world).unwrap();
    // The model.
    world.push(IDENTITY);
    skin.positions(mesh, &matrices, &mut positions).unwrap();
    let size =
        positions.iter().flatten().filter(|value| value.is_finite()).fold(1.0_f32, |most, value| most.max(value.abs()));
    for part in &vertices.parts {
        let palette = &vertices.palettes[part.palette];
        assert_eq!(palette.joints.len(), palette.inverse_bind.len());
        let mut matrices = vec![IDENTITY; palette.joints.len()];
        palette.matrices(&world[..skin.bone_count()], &mut matrices).unwrap();
        for ((matrix, joint), inverse_bind) in matrices.iter().zip(&palette.joints).zip(&palette.inverse_bind) {
            assert_eq!(*matrix, product(&world[usize::from(*joint)], inverse_bind), "bone {joint}");
        }
        matrices.push(IDENTITY);
        assert!(palette.matrices(&world[..skin.bone_count()], &mut matrices).is_err(), "one matrix too many");
        assert!(palette.matrices(&world, &mut matrices[1..]).is_err(), "the model is no bone");
        assert!(palette.joints.windows(2).all(|pair| pair[0] < pair[1]));
        for vertex in part.vertices.clone() {
            let (mut all, mut sum, mut last) = (Vec::new(), 0.0, f32::INFINITY);
            for set in 0..sets {
                for lane in 0..4 {
                    let (joint, weight) = (vertices.joints[set][vertex][lane], vertices.weights[set][vertex][lane]);
                    assert!(weight <= last + 1e-6 && (weight > 0.0 || joint == 0), "the strongest first, then zeros");
                    (last, sum) = (weight, sum + weight);
                    if weight > 0.0 {
                        let joint = usize::from(joint);
                        let bone = usize::from(palette.joints[joint]);
                        all.push((product(&world[bone], &palette.inverse_bind[joint]), weight));
                    }
                }
            }
            assert!((sum - 1.0).abs() < 1e-5);
            let point = mesh.point_of(vertices.sources[vertex] as usize).unwrap();
            for (own, expected) in moved(&all, vertices.positions[vertex]).into_iter().zip(positions[point]) {
                assert!((own - f64::from(expected)).abs() < f64::from(size) * 1e-4, "{own} {expected}");
            }
        }
    }
}

#[test]
fn vertices_of_a_pose_are_where_the_skin_moves_them() {
    let (bytes, animation) = (std::fs::read("corpus/fox.psk").unwrap(), std::fs::read("corpus/fox.psa").unwrap());
    let (asset, animation) = (Asset::parse(&bytes).unwrap(), Asset::parse(&animation).unwrap());
    let (mesh, clip) = (asset.mesh().unwrap(), animation.clips().next().unwrap());
    let (skin, binding) = (Skin::new(&mesh, 4).unwrap(), Binding::new(&mesh, &clip));
    let (mut pose, mut matrices) = (skin.bind_pose().to_vec(), vec![IDENTITY; skin.matrix_count()]);
    binding.sample(&clip, 0.3, Wrap::Loop, &mut pose).unwrap();
    skin.matrices(&pose, &mut matrices).unwrap();
    let points = PosedPoints::in_pose(&mesh, &skin, &matrices).unwrap();
    let mut positions = vec![[0.0; 3]; mesh.point_count()];
    skin.positions(&mesh, &matrices, &mut positions).unwrap();
    let vertices = Vertices::of_points(&mesh, &points, &options(|_| {})).unwrap();
    assert!(positions.iter().enumerate().any(|(point, position)| mesh.position(point).unwrap() != *position));
    for (vertex, source) in vertices.sources.iter().enumerate() {
        assert_eq!(vertices.positions[vertex], positions[mesh.point_of(*source as usize).unwrap()]);
    }
    // Half a turn about z.
    let turned = Vertices::of_points(&mesh, &points.rotated([0.0, 0.0, 1.0, 0.0]), &options(|_| {})).unwrap();
    for ([x, y, z], [tx, ty, tz]) in vertices.positions.iter().zip(&turned.positions) {
        assert!((x + tx).abs() < 1e-4 && (y + ty).abs() < 1e-4 && (z - tz).abs() < 1e-4);
    }
    for ([x, y, z], [tx, ty, tz]) in vertices.normals.iter().zip(&turned.normals) {
        assert!((x + tx).abs() < 1e-5 && (y + ty).abs() < 1e-5 && (z - tz).abs() < 1e-5);
    }
    let wrong = PosedPoints::in_pose(&mesh, &skin, &matrices[1..]).map(|_| ()).unwrap_err();
    assert!(matches!(wrong.kind(), ErrorKind::BufferSize { .. }));
}

#[test]
fn the_winding_and_the_origin_of_textures_are_the_requested_ones() {
    for bytes in files() {
        let mesh = Asset::parse(&bytes).unwrap().mesh().unwrap().in_space(Space::GLTF);
        let usual = mesh.to_vertices(&VertexOptions::default()).unwrap();
        let other = mesh
            .to_vertices(&options(|own| (own.winding, own.uv_origin) = (Winding::Clockwise, UvOrigin::Bottom)))
            .unwrap();
        // The same outside: stored and computed normals are the same.
        let triangles = |vertices: &Vertices, reversed: bool| -> BTreeMap<Vec<Vec<u32>>, usize> {
            let mut found = BTreeMap::new();
            for part in &vertices.parts {
                for [a, b, c] in part.indices.triangles() {
                    let corner = |index: u32| {
                        let vertex = part.vertices.start + index as usize;
                        [bits(&vertices.positions[vertex]), bits(&vertices.normals[vertex])].concat()
                    };
                    let mut corners = if reversed { [c, b, a] } else { [a, b, c] }.map(corner).to_vec();
                    let least = (0..3).min_by_key(|at| corners[*at].clone()).unwrap();
                    corners.rotate_left(least);
                    *found.entry(corners).or_default() += 1;
                }
            }
            found
        };
        if usual.counts.computed_normals == 0 {
            assert_eq!(triangles(&usual, false), triangles(&other, true), "{mesh:?}");
        }
        let facing = |vertices: &Vertices| -> f64 {
            let mut sum = 0.0;
            for part in &vertices.parts {
                for corners in part.indices.triangles() {
                    let at = corners.map(|index| part.vertices.start + index as usize);
                    let [a, b, c] = at.map(|vertex| vertices.positions[vertex].map(f64::from));
                    let normal = vertices.normals[at[0]].map(f64::from);
                    let (p, q) = ([0, 1, 2].map(|axis| b[axis] - a[axis]), [0, 1, 2].map(|axis| c[axis] - a[axis]));
                    let cross = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
                    sum += (0..3).map(|axis| cross[axis] * normal[axis]).sum::<f64>();
                }
            }
            sum
        };
        assert!(facing(&usual) > 0.0 && facing(&other) < 0.0, "{mesh:?}");
        let flipped: Vec<_> = usual.uvs.iter().flatten().map(|[u, v]| [*u, 1.0 - v]).collect();
        let close = |one: &[[f32; 2]], other: &[[f32; 2]]| {
            let of = |all: &[[f32; 2]]| {
                let mut all: Vec<_> = all.iter().map(|uv| uv.map(|value| (value * 1e4).round() as i64)).collect();
                all.sort_unstable();
                all.dedup();
                all
            };
            of(one) == of(other)
        };
        let sets: Vec<_> = other.uvs.iter().flatten().copied().collect();
        assert!(close(&flipped, &sets), "{mesh:?}");
    }
}

/// Two triangles that share an edge; the texture of the second may be mirrored.
fn strip(uvs: [[f32; 2]; 4]) -> Vec<u8> {
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
    let mesh = actorx::Mesh {
        points: points.to_vec(),
        wedges: (0..).zip(uvs).map(|(point, uv)| Wedge::new(point, uv, 0)).collect(),
        faces: vec![Face::new([0, 2, 1], 0), Face::new([1, 2, 3], 0)],
        weights: Vec::new(),
        ..sample::figure()
    };
    mesh.chunks().into()
}

#[test]
fn tangents_run_along_u_and_vertices_between_mirrored_textures_are_two() {
    let tangents = |bytes: &[u8]| {
        let mesh = Asset::parse(bytes).unwrap().mesh().unwrap();
        assert!(mesh.to_vertices(&VertexOptions::default()).unwrap().tangents.is_empty());
        mesh.to_vertices(&options(|own| own.tangents = true)).unwrap()
    };
    let rounded = |all: &[[f32; 4]]| -> Vec<[i32; 4]> {
        all.iter().map(|own| own.map(|value| (value * 100.0).round() as i32)).collect()
    };
    // u runs along x.
    let along = tangents(&strip([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]));
    assert_eq!(along.positions.len(), 4);
    let [x, y, z, w] = rounded(&along.tangents)[0];
    assert_eq!([x, y, z], [100, 0, 0]);
    assert!(rounded(&along.tangents).iter().all(|own| *own == [x, y, z, w]));
    // v runs down in images, and along y here: their top is at -y. The bitangent is `w * cross(normal, tangent)`.
    let normal = along.normals[0].map(|value| value.round() as i32);
    assert_eq!(w / 100 * normal[2], -1, "cross(z, x) is y");
    // The other way round.
    let against = tangents(&strip([[1.0, 0.0], [0.0, 0.0], [1.0, 1.0], [0.0, 1.0]]));
    assert_eq!(rounded(&against.tangents), [[-100, 0, 0, -w]; 4]);
    // The second triangle runs back: the vertices of the edge are two each.
    let both = tangents(&strip([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 1.0]]));
    assert_eq!((both.positions.len(), both.counts.triangles, both.counts.unused_vertices), (6, 2, 0));
    let signs: Vec<f32> = both.tangents.iter().map(|[.., w]| *w).collect();
    assert_eq!(signs.iter().filter(|sign| **sign > 0.0).count(), 3, "{signs:?}");
    // The texture of the second triangle has no area, so it runs no other way.
    let line = strip([[1.0, 0.0], [0.0, 0.0], [1.0, 1.0], [0.5, 0.5]]);
    for winding in [Winding::CounterClockwise, Winding::Clockwise] {
        let mesh = Asset::parse(&line).unwrap().mesh().unwrap();
        let options = options(|own| (own.tangents, own.winding) = (true, winding));
        assert_eq!(mesh.to_vertices(&options).unwrap().positions.len(), 4, "{winding:?}");
    }
    // A texture without an area: some direction across the normal.
    let flat = tangents(&strip([[0.5, 0.5]; 4]));
    for ([x, y, z, w], [nx, ny, nz]) in flat.tangents.iter().zip(&flat.normals) {
        assert!((x * x + y * y + z * z - 1.0).abs() < 1e-6 && (x * nx + y * ny + z * nz).abs() < 1e-6 && *w == 1.0);
    }
}

/// In every space, with every winding and origin: the cross product of two edges, by the hand of the space, shows whether the corners run as
/// requested seen from outside, where the stored normals of a closed figure point; and the bitangent points to where v falls from the top.
#[test]
fn outside_is_outside_in_spaces_of_either_hand_and_bitangents_point_to_the_top_of_the_image() {
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    for name in ["fox.pmd", "fox.psk"] {
        let bytes = std::fs::read(format!("corpus/{name}")).unwrap();
        let stored = Asset::parse(&bytes).unwrap().mesh().unwrap();
        for space in [Space::GLTF, Space::ACTORX, Space::PYROGENESIS, Space::UNREAL] {
            let mesh = stored.in_space(space);
            let is_right = space.handedness() == Handedness::Right;
            // Outside of the whole: the volume that the triangles of the file enclose is above 0 if their normals point outwards.
            for (winding, uv_origin) in [
                (Winding::CounterClockwise, UvOrigin::Top),
                (Winding::Clockwise, UvOrigin::Top),
                (Winding::CounterClockwise, UvOrigin::Bottom),
                (Winding::Clockwise, UvOrigin::Bottom),
            ] {
                let asked = options(|own| (own.winding, own.uv_origin, own.tangents) = (winding, uv_origin, true));
                let vertices = mesh.to_vertices(&asked).unwrap();
                let (mut volume, mut agree, mut rising, mut falling) = (0.0, 0, 0, 0);
                for part in &vertices.parts {
                    for corners in part.indices.triangles() {
                        let at = corners.map(|index| part.vertices.start + index as usize);
                        let place = at.map(|vertex| vertices.positions[vertex].map(f64::from));
                        let uv = at.map(|vertex| vertices.uvs[0][vertex].map(f64::from));
                        let edge = |to: usize| [0, 1, 2].map(|axis| place[to][axis] - place[0][axis]);
                        let face = cross(edge(1), edge(2));
                        volume += dot(place[0], cross(place[1], place[2]));
                        let normal = vertices.normals[at[0]].map(f64::from);
                        agree += if dot(face, normal) > 0.0 { 1 } else { -1 };
                        // The change of place where v grows by one and u stays.
                        let ((u1, v1), (u2, v2)) =
                            ((uv[1][0] - uv[0][0], uv[1][1] - uv[0][1]), (uv[2][0] - uv[0][0], uv[2][1] - uv[0][1]));
                        let determinant = u1 * v2 - u2 * v1;
                        if determinant.abs() < 1e-9 {
                            continue;
                        }
                        let along_v = [0, 1, 2].map(|axis| (edge(2)[axis] * u1 - edge(1)[axis] * u2) / determinant);
                        let to_top = if uv_origin == UvOrigin::Top { along_v.map(|value| -value) } else { along_v };
                        let [x, y, z, w] = vertices.tangents[at[0]].map(f64::from);
                        let bitangent = cross(normal, [x, y, z]).map(|value| value * w);
                        *(if dot(bitangent, to_top) > 0.0 { &mut rising } else { &mut falling }) += 1;
                    }
                }
                // By the right hand, counterclockwise from outside is outwards; by the left hand, clockwise is.
                let is_outward = (winding == Winding::CounterClockwise) == is_right;
                let what = format!("{name} {space:?} {winding:?} {uv_origin:?}: {volume} {agree} {rising} {falling}");
                assert_eq!(volume > 0.0, is_outward, "{what}");
                assert_eq!(agree > 0, is_outward, "{what}");
                assert!(rising > falling * 20, "{what}");
            }
        }
    }
}

/// For each corner, the direction of u in the plane of its triangle, laid into the plane of the normal, weighs as the angle of the corner there. Computed
/// here by solving for the gradient of u with barycentric coordinates.
#[test]
fn tangents_are_averages_over_the_corners_of_a_vertex_weighted_by_angle() {
    let mut sheet = actorx::Mesh::sheet(7, 6, 3);
    for (index, wedge) in sheet.wedges.iter_mut().enumerate() {
        let t = index as f32;
        (wedge.u, wedge.v) = (wedge.u + 0.03 * (t * 1.7).sin(), wedge.v + 0.03 * (t * 2.3).cos());
    }
    let mut all = vec![sheet.chunks().into(), std::fs::read("corpus/fox.psk").unwrap()];
    if let Some(folder) = samples("actorx") {
        all.push(std::fs::read(folder.join("hp2/skBeaterMesh.psk")).unwrap());
    }
    for bytes in all {
        let mesh = Asset::parse(&bytes).unwrap().mesh().unwrap();
        let vertices = mesh.to_vertices(&options(|own| own.tangents = true)).unwrap();
        let mut sums = vec![[0.0_f64; 3]; vertices.positions.len()];
        let sub = |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|axis| a[axis] - b[axis]);
        let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        let unit = |a: [f64; 3]| a.map(|value| value / dot(a, a).sqrt());
        for part in &vertices.parts {
            for corners in part.indices.triangles() {
                let at = corners.map(|index| part.vertices.start + index as usize);
                let place = at.map(|vertex| vertices.positions[vertex].map(f64::from));
                let uv = at.map(|vertex| vertices.uvs[0][vertex].map(f64::from));
                // The point of the triangle with u greater by one and the same v: weights sum to 0, v to 0, u to 1.
                let [(u1, v1), (u2, v2)] = [1, 2].map(|at| (uv[at][0] - uv[0][0], uv[at][1] - uv[0][1]));
                let determinant = u1 * v2 - u2 * v1;
                let (one, two) = (v2 / determinant, -v1 / determinant);
                let along = [0, 1, 2]
                    .map(|axis| one * (place[1][axis] - place[0][axis]) + two * (place[2][axis] - place[0][axis]));
                for own in 0..3 {
                    let normal = vertices.normals[at[own]].map(f64::from);
                    let flat = |vector: [f64; 3]| unit(sub(vector, normal.map(|value| value * dot(normal, vector))));
                    let [next, last] = [1, 2].map(|step| flat(sub(place[(own + step) % 3], place[own])));
                    let angle = dot(next, last).clamp(-1.0, 1.0).acos();
                    let along = flat(along);
                    if along.iter().all(|value| value.is_finite()) && angle.is_finite() {
                        (0..3).for_each(|axis| sums[at[own]][axis] += along[axis] * angle);
                    }
                }
            }
        }
        let mut compared = 0;
        for (sum, [x, y, z, _]) in sums.iter().zip(&vertices.tangents) {
            if dot(*sum, *sum).sqrt() < 1e-3 {
                continue;
            }
            let expected = unit(*sum);
            let away = sub([*x, *y, *z].map(f64::from), expected);
            assert!(dot(away, away).sqrt() < 1e-4, "{mesh:?} {expected:?} {:?}", [x, y, z]);
            compared += 1;
        }
        assert!(compared * 10 > vertices.positions.len() * 9);
    }
}

#[test]
fn indices_are_as_small_as_the_number_of_vertices_allows() {
    for (columns, rows, is_small) in [(255, 257, true), (256, 256, false)] {
        let bytes: Vec<u8> = actorx::Mesh::sheet(columns, rows, 2).chunks().into();
        let vertices = Asset::parse(&bytes).unwrap().mesh().unwrap().to_vertices(&VertexOptions::default()).unwrap();
        assert_eq!(vertices.positions.len(), (columns * rows) as usize);
        let indices = &vertices.parts[0].indices;
        assert_eq!(matches!(indices, Indices::U16(_)), is_small);
        assert_eq!(indices.len(), vertices.counts.triangles * 3);
        assert_eq!(indices.iter().max(), Some(columns * rows - 1));
        assert_eq!(
            (indices.get(0), indices.get(indices.len()), indices.is_empty()),
            (indices.iter().next(), None, false)
        );
    }
}

#[test]
fn attributes_are_interleaved_into_a_buffer_of_the_caller() {
    use VertexAttribute as Attribute;
    let bytes = sample::figure().chunks().records("VERTEXCOLOR", &sample::colors()).build().bytes;
    let mesh = Asset::parse(&bytes).unwrap().mesh().unwrap();
    let vertices = mesh.to_vertices(&options(|own| (own.tangents, own.influences) = (true, 8))).unwrap();
    let layout = [
        Attribute::Joints(1),
        Attribute::Position,
        Attribute::Tangent,
        Attribute::Color,
        Attribute::Uv(0),
        Attribute::Weights(0),
        Attribute::Normal,
        Attribute::Joints(0),
        Attribute::Weights(9),
        Attribute::Uv(9),
    ];
    let stride = 8 + 12 + 16 + 4 + 8 + 16 + 12 + 8 + 16 + 8;
    assert_eq!(layout.iter().map(|attribute| attribute.size()).sum::<usize>(), stride);
    let mut expected = Vec::new();
    for vertex in 3..9 {
        let floats = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let shorts = |values: &[u16]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        expected.extend(shorts(&vertices.joints[1][vertex]));
        expected.extend(floats(&vertices.positions[vertex]));
        expected.extend(floats(&vertices.tangents[vertex]));
        expected.extend(vertices.colors[vertex]);
        expected.extend(floats(&vertices.uvs[0][vertex]));
        expected.extend(floats(&vertices.weights[0][vertex]));
        expected.extend(floats(&vertices.normals[vertex]));
        expected.extend(shorts(&vertices.joints[0][vertex]));
        expected.extend([0; 24]);
    }
    let mut out = vec![7; 6 * stride];
    vertices.interleave_into(3..9, &layout, &mut out).unwrap();
    assert_eq!(out, expected);
    let wrong = vertices.interleave_into(3..9, &layout, &mut out[1..]).unwrap_err();
    assert_eq!(wrong.kind(), ErrorKind::BufferSize { needed: 6 * stride as u64, given: 6 * stride as u64 - 1 });
    vertices.interleave_into(0..usize::MAX, &[], &mut []).unwrap();
    assert!(vertices.interleave_into(0..usize::MAX, &layout, &mut out).is_err());
    // What does not exist.
    let mut beyond = [7; 16];
    vertices.interleave_into(1 << 20..(1 << 20) + 1, &[Attribute::Position, Attribute::Color], &mut beyond).unwrap();
    assert_eq!(beyond, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255]);
}

#[test]
fn triangles_with_two_equal_corners_are_left_out_and_counted() {
    let mut sheet = actorx::Mesh::sheet(3, 3, 1);
    for (face, wedges) in [(0, [4, 4, 1]), (1, [4, 1, 1]), (2, [1, 4, 1]), (3, [4, 4, 4])] {
        sheet.faces[face].wedges = wedges;
    }
    let bytes: Vec<u8> = sheet.chunks().into();
    let mesh = Asset::parse(&bytes).unwrap().mesh().unwrap();
    let vertices = mesh.to_vertices(&VertexOptions::default()).unwrap();
    assert_eq!((vertices.counts.triangles, vertices.counts.dropped_triangles), (4, 4));
    let indices = &vertices.parts[0].indices;
    assert_eq!((indices.len(), indices.is_empty()), (12, false));
    assert!(Indices::U16(Vec::new()).is_empty() && Indices::U32(Vec::new()).is_empty());
}

/// The products of edges are far beyond a float of 32 bits, and so are those of the smallest edges below it.
#[test]
fn normals_are_computed_for_meshes_of_any_size() {
    let normals = |scale: f32| {
        let mut sheet = actorx::Mesh::sheet(5, 4, 1);
        sheet.points.iter_mut().flatten().for_each(|value| *value *= scale);
        let bytes: Vec<u8> = sheet.chunks().into();
        let mesh = Asset::parse(&bytes).unwrap().mesh().unwrap();
        mesh.to_vertices(&VertexOptions::default()).unwrap().normals
    };
    let expected = normals(1.0);
    for scale in [1e25, 1e36, 1e-17] {
        let found = normals(scale);
        let is_near = found.as_flattened().iter().zip(expected.as_flattened()).all(|(a, b)| (a - b).abs() < 1e-5);
        assert!(is_near, "{scale}: {found:?} {expected:?}");
    }
}

/// The product of two edges, against the normals of the file.
#[test]
fn faces_point_outwards_by_the_right_hand_or_not() {
    for space in [None, Some(Space::GLTF), Some(Space::UNREAL)] {
        for name in ["fox.psk", "fox.pmd"] {
            let bytes = std::fs::read(format!("corpus/{name}")).unwrap();
            let asset = Asset::parse(&bytes).unwrap();
            let mesh = asset.mesh().unwrap();
            let mesh = space.map_or(mesh, |space| asset.mesh().unwrap().in_space(space));
            let centre = [0, 1, 2].map(|axis| {
                mesh.positions().iter().map(|place| f64::from(place[axis])).sum::<f64>() / mesh.point_count() as f64
            });
            // The volume, of tetrahedra from the middle.
            let mut volume = 0.0;
            for triangle in (0..mesh.triangle_count()).filter_map(|index| mesh.triangle(index)) {
                let place = |vertex: u32| mesh.position(mesh.point_of(vertex as usize).unwrap()).unwrap();
                let [a, b, c] = triangle.vertices.map(|vertex| {
                    let place = place(vertex);
                    [0, 1, 2].map(|axis| f64::from(place[axis]) - centre[axis])
                });
                let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
                volume += a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2];
            }
            assert_eq!(mesh.has_outward_faces(), volume > 0.0, "{name} {space:?}");
        }
    }
}

/// Of a mesh without normals, the normals in a pose are computed from the faces in the pose.
#[test]
fn points_in_a_pose_have_the_normals_of_the_file_or_none() {
    for (name, has_normals) in [("fox.psk", false), ("fox.pmd", true)] {
        let bytes = std::fs::read(format!("corpus/{name}")).unwrap();
        let mesh = Asset::parse(&bytes).unwrap().mesh().unwrap();
        assert_eq!(mesh.normals().is_some(), has_normals, "{name}");
        let skin = Skin::new(&mesh, 4).unwrap();
        let mut matrices = vec![IDENTITY; skin.matrix_count()];
        skin.matrices(skin.bind_pose(), &mut matrices).unwrap();
        let points = PosedPoints::in_pose(&mesh, &skin, &matrices).unwrap();
        assert_eq!(points.normals().len(), if has_normals { mesh.point_count() } else { 0 }, "{name}");
    }
}

#[test]
fn a_palette_of_many_influences_has_room_for_a_triangle() {
    // Each point has 32 bones of its own: a triangle has 96.
    let mut sheet = actorx::Mesh::sheet(4, 3, 12 * 32);
    sheet.weights.clear();
    for point in 0..12 {
        let weight = |bone| actorx::Weight { weight: 1.0 / 32.0, point, bone: point * 32 + bone };
        sheet.weights.extend((0..32).map(weight));
    }
    let bytes: Vec<u8> = sheet.chunks().into();
    let mesh = Asset::parse(&bytes).unwrap().mesh().unwrap();
    let vertices = mesh.to_vertices(&options(|own| (own.influences, own.max_joints) = (32, Some(1)))).unwrap();
    assert!(vertices.palettes.iter().all(|palette| palette.joints.len() == 96), "12 triangles of three points each");
    check_skin(&mesh, &vertices, 8);
}

#[test]
fn texture_coordinates_that_are_no_number_are_0_and_points_that_are_none_have_no_triangle() {
    let bytes = figure(|mesh| {
        mesh.wedges[0].u = f32::NAN;
        mesh.points[1] = [f32::INFINITY, 0.0, 0.0];
    });
    let mesh = Asset::parse(&bytes).unwrap().mesh().unwrap();
    let vertices = mesh.to_vertices(&VertexOptions::default()).unwrap();
    assert!(vertices.positions.iter().flatten().chain(vertices.uvs[0].as_flattened()).all(|value| value.is_finite()));
    let lost = (0..mesh.triangle_count()).filter_map(|index| mesh.triangle(index));
    let lost = lost
        .filter(|triangle| triangle.vertices.iter().any(|vertex| mesh.point_of(*vertex as usize) == Some(1)))
        .count();
    assert!(lost > 0);
    assert_eq!(vertices.counts.dropped_triangles, lost);
    assert!(vertices.counts.unused_vertices > 0);
}

#[test]
fn points_of_another_mesh_are_refused_and_vertices_that_welding_leaves_behind_go() {
    let (one, other) = (figure(|_| {}), actorx::Mesh::sheet(5, 4, 2).chunks().build().bytes);
    let (one, other) = (Asset::parse(&one).unwrap().mesh().unwrap(), Asset::parse(&other).unwrap().mesh().unwrap());
    let points = PosedPoints::at_rest(&other).unwrap();
    let refused = Vertices::of_points(&one, &points, &VertexOptions::default()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::BufferSize { needed: 8, given: 20 });
    // Wedges 0 and 3 are equal: the second triangle has no area, and nothing else uses wedge 4.
    let mesh = actorx::Mesh {
        points: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [5.0, 5.0, 0.0]],
        wedges: [0, 1, 2, 0, 3].map(|point| Wedge::new(point, [point as f32, 0.0], 0)).to_vec(),
        faces: vec![Face::new([0, 1, 2], 0), Face::new([0, 3, 4], 0)],
        weights: Vec::new(),
        ..sample::figure()
    };
    let bytes: Vec<u8> = mesh.chunks().into();
    let vertices = Asset::parse(&bytes).unwrap().mesh().unwrap().to_vertices(&VertexOptions::default()).unwrap();
    assert_eq!((vertices.positions.len(), vertices.counts.triangles, vertices.counts.dropped_triangles), (3, 1, 1));
    assert_eq!(vertices.parts[0].bounds.max, [1.0, 1.0, 0.0]);
    // Without texture coordinates there are no tangents, and no vertices are split for them.
    let bytes = strip([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 1.0]]);
    let mesh = Asset::parse(&bytes).unwrap().mesh().unwrap();
    let vertices = mesh.to_vertices(&options(|own| (own.tangents, own.uv_sets) = (true, 0))).unwrap();
    assert_eq!((vertices.positions.len(), vertices.tangents.len(), vertices.uvs.len()), (4, 0, 0));
}

/// Four points of a wedge each, of which triangles of two materials, or of one, use all but the first.
fn triangles(materials: [u8; 2], first: f32) -> Vec<u8> {
    let mesh = actorx::Mesh {
        points: vec![[first, 9.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [5.0, 5.0, 0.0], [6.0, 1.0, 3.0]],
        wedges: [0, 1, 2, 3, 4].map(|point| Wedge::new(point, [point as f32, (point * point) as f32], 0)).to_vec(),
        faces: vec![Face::new([4, 3, 2], materials[0]), Face::new([3, 2, 1], materials[1])],
        weights: Vec::new(),
        ..sample::figure()
    };
    mesh.chunks().into()
}

#[test]
fn all_vertices_of_a_file_stay_in_its_order_where_that_is_asked_for_and_can_be() {
    let of = |bytes: &[u8], change: &dyn Fn(&mut VertexOptions)| {
        let mesh = Asset::parse(bytes).unwrap().mesh().unwrap();
        let vertices = mesh.to_vertices(&options(|own| change(own))).unwrap();
        (vertices.sources, vertices.counts.unused_vertices)
    };
    let sorted = |(mut sources, unused): (Vec<u32>, usize)| {
        sources.sort_unstable();
        (sources, unused)
    };
    let keep = |own: &mut VertexOptions| (own.keep_order, own.weld) = (true, false);
    let (one, two) = (triangles([0, 0], 7.0), triangles([0, 1], 7.0));
    assert_eq!(of(&one, &keep).0, [0, 1, 2, 3, 4], "also what no triangle uses");
    // The order of the triangles: of both corners that begin them, neither is the first of the file.
    let used = (vec![1, 2, 3, 4], 1);
    let plain = of(&one, &|own| own.weld = false);
    assert_eq!((plain.0[3], sorted(plain)), (1, used.clone()), "not asked for");
    assert_eq!(of(&one, &|own| (own.keep_order, own.weld) = (true, true)).0[3], 1, "welded");
    let with_tangents = of(&one, &|own| (own.keep_order, own.weld, own.tangents) = (true, false, true));
    assert_eq!((with_tangents.0.contains(&0), with_tangents.1), (false, 1), "parts for tangents");
    assert_eq!(sorted(of(&two, &keep)), (vec![1, 2, 2, 3, 3, 4], 1), "two materials");
    assert_eq!(sorted(of(&triangles([0, 0], f32::NAN), &keep)), used, "a point without a place");
}
