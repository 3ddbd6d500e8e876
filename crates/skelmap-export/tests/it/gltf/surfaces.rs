//! Materials, textures and attachments.

use std::borrow::Cow;

use gltf::material::AlphaMode;
use skelmap::Asset;
use skelmap_export::{Document, ExportOptions, Image, MediaType};

use super::{options, write};
use test_support::actorx::build::{Face, Material, Mesh, Socket, Wedge};
use test_support::pyrogenesis::build::{NONE, Pmd, Prop, State};

#[test]
fn materials_have_the_types_of_unreal_engine_1() {
    let mut mesh = Mesh::sheet(3, 3, 1);
    mesh.materials.clear();
    // Normal, two-sided, translucent, masked, modulated, and a placeholder; higher bits are of other things.
    for flags in [0, 1, 2, 3, 4, 8, 0x13] {
        let mut material = Material::new(format!("flags_{flags}").as_str(), 0);
        material.poly_flags = flags;
        mesh.materials.push(material);
    }
    mesh.faces = (0..7).map(|material| Face::new([0, 1, 4], material)).collect();
    let bytes = mesh.chunks().build().bytes;
    let asset = Asset::parse(&bytes).unwrap();
    let (file, _) = write(&Document::of_mesh(&asset.mesh().unwrap()), &ExportOptions::default());
    let materials: Vec<_> = file
        .document()
        .materials()
        .map(|own| (own.name().unwrap().to_owned(), own.double_sided(), own.alpha_mode()))
        .collect();
    let expected = [
        ("flags_0", false, AlphaMode::Opaque),
        ("flags_1", true, AlphaMode::Opaque),
        ("flags_2", true, AlphaMode::Blend),
        ("flags_3", true, AlphaMode::Mask),
        ("flags_4", true, AlphaMode::Opaque),
        ("flags_8", false, AlphaMode::Opaque),
        ("flags_19", true, AlphaMode::Mask),
    ];
    assert_eq!(materials, expected.map(|(name, is_two_sided, alpha)| (name.to_owned(), is_two_sided, alpha)));
}

#[test]
fn an_image_is_embedded_byte_for_byte_and_once() {
    let mut mesh = Mesh::sheet(3, 3, 1);
    mesh.materials = ["a", "b", "c"].map(|name| Material::new(name, 0)).to_vec();
    mesh.faces = (0..3).map(|material| Face::new([0, 1, 4], material)).collect();
    let bytes = mesh.chunks().build().bytes;
    let asset = Asset::parse(&bytes).unwrap();
    let image = |bytes: &'static [u8]| Image {
        name: "image".to_owned(),
        media_type: MediaType::of(bytes).unwrap(),
        bytes: Cow::Borrowed(bytes),
    };
    let (png, jpeg): (&[u8], &[u8]) = (b"\x89PNG\r\n\x1a\nand more", b"\xff\xd8\xff\xe0 some");
    let mut document = Document::of_mesh(&asset.mesh().unwrap());
    document.images = vec![image(jpeg), image(png), image(png)];
    // The third image is of no material.
    document.textures = vec![Some(1), None, Some(1), Some(2)];
    let (file, _) = write(&document, &ExportOptions::default());
    let textures: Vec<_> = file
        .document()
        .materials()
        .map(|own| own.pbr_metallic_roughness().base_color_texture().map(|info| info.texture().index()))
        .collect();
    assert_eq!(textures, [Some(0), None, Some(0)]);
    let images: Vec<_> = file.document().images().map(|image| image.source()).collect();
    let [gltf::image::Source::View { view, mime_type }] = images.as_slice() else { panic!("{}", images.len()) };
    assert_eq!(*mime_type, "image/png");
    assert_eq!(&file.binary()[view.offset()..view.offset() + view.length()], png);
    // Indices that lead nowhere do no harm.
    document.textures = vec![Some(9), Some(usize::MAX)];
    let (file, _) = write(&document, &ExportOptions::default());
    assert_eq!(file.document().textures().count(), 0);
}

#[test]
fn sockets_are_nodes_below_their_joints() {
    let mut mesh = Mesh::sheet(3, 3, 2);
    mesh.bones = test_support::actorx::build::chain(2);
    let socket = Socket::new("Hand", "Bone_0001", [10.0, 20.0, 30.0]);
    let lost = Socket { location: [f32::NAN; 3], ..Socket::new("Lost", "Bone_0001", [0.0; 3]) };
    let free = Socket::new("Free", "Nothing", [100.0, 0.0, 0.0]);
    let bytes = mesh.chunks().records("SKELSOCK", &[socket, lost, free]).build().bytes;
    let asset = Asset::parse(&bytes).unwrap();
    let (file, report) = write(&Document::of_mesh(&asset.mesh().unwrap()), &ExportOptions::default());
    assert_eq!(report.misplaced_attachments, 1);
    let node = |name: &str| file.document().nodes().find(|node| node.name() == Some(name)).unwrap();
    assert!(node("Bone_0001").children().any(|child| child.name() == Some("Hand")));
    assert!(node("armature").children().any(|child| child.name() == Some("Free")));
    // Unreal has y to the right and z up, glTF y up and z towards the viewer: y becomes z, and z becomes y.
    let (translation, rotation, _) = node("Hand").transform().decomposed();
    assert!(
        translation.iter().zip([0.1, 0.3, 0.2]).all(|(own, expected)| (own - expected).abs() < 1e-6),
        "{translation:?}"
    );
    // A yaw of 90 degrees turns x to y in Unreal, so x to z in glTF: about -y.
    let half = 0.5_f32.sqrt();
    let same = |sign: f32| {
        rotation.iter().zip([0.0, -half, 0.0, half]).all(|(own, expected)| (own * sign - expected).abs() < 1e-6)
    };
    assert!(same(1.0) || same(-1.0), "{rotation:?}");
    let extras = node("Hand").extras().as_ref().unwrap().get().to_owned();
    assert!(extras.starts_with(r#"{"translation":[10.0,-20.0,30.0],"rotation":"#), "{extras}");
}

/// In the space of the file, all numbers are finite; in metres, one is not.
#[test]
fn a_socket_beyond_the_range_of_the_output_is_left_out() {
    let mesh = Mesh::sheet(3, 3, 2);
    let sockets = [Socket::new("Near", "Bone_0001", [1.0; 3]), Socket::new("Far", "Bone_0001", [3e38, 0.0, 0.0])];
    let bytes = mesh.chunks().records("SKELSOCK", &sockets).build().bytes;
    let asset = Asset::parse(&bytes).unwrap();
    let (file, report) = write(&Document::of_mesh(&asset.mesh().unwrap()), &options(|own| own.metres = 10.0));
    assert_eq!(report.misplaced_attachments, 1);
    let has = |name: &str| file.document().nodes().any(|node| node.name() == Some(name));
    assert!(has("Near") && !has("Far"));
}

/// A yaw of 90 degrees turns z to x and x to -z, in the output and about y.
#[test]
fn attachments_that_follow_no_bone_turn_with_the_model() {
    let at = State { t: [1.0, 2.0, 3.0], ..State::REST };
    for bones in [0, 2] {
        let mesh = Pmd { props: vec![Prop::new("lamp", at, NONE)], ..Pmd::grid(2, 2, bones, 1) };
        let bytes = mesh.build().bytes;
        let asset = Asset::parse(&bytes).unwrap();
        let document = Document::of_mesh(&asset.mesh().unwrap());
        let place = |yaw: f32| {
            let (file, _) = write(&document, &options(|own| own.yaw = yaw));
            let places = file.places(None);
            places.iter().find(|(name, _)| name == "prop-lamp").unwrap().1
        };
        let (plain, turned) = (place(0.0), place(90.0));
        for (column, own) in plain.iter().enumerate() {
            let expected = [own[2], own[1], -own[0]];
            for (axis, expected) in expected.iter().enumerate() {
                assert!((turned[column][axis] - expected).abs() < 1e-6, "{bones}: {turned:?} {plain:?}");
            }
        }
        assert!(plain[3][..3].iter().map(|value| value.abs()).eq([1.0, 2.0, 3.0]), "{plain:?}");
    }
}

/// Positions, normals, texture coordinates, and corners of the one primitive.
type Surface = (Vec<[f32; 3]>, Vec<[f32; 3]>, Vec<[f32; 2]>, Vec<u32>);

fn surface(mesh: &Mesh) -> Surface {
    let mut options = ExportOptions::default();
    options.keep_unused = true;
    let bytes = mesh.chunks().build().bytes;
    let asset = Asset::parse(&bytes).unwrap();
    let (file, _) = write(&Document::of_mesh(&asset.mesh().unwrap()), &options);
    let mesh = file.document().meshes().next().unwrap();
    let primitive = mesh.primitives().next().unwrap();
    let reader = primitive.reader(|_| Some(file.binary()));
    (
        reader.read_positions().unwrap().collect(),
        reader.read_normals().unwrap().collect(),
        reader.read_tex_coords(0).unwrap().into_f32().collect(),
        reader.read_indices().unwrap().into_u32().collect(),
    )
}

/// A normal is the sum of the cross products of two edges, over the faces at its point with a smoothing group in common, here computed from
/// the positions and corners that were written.
#[test]
fn computed_normals_are_sums_over_the_faces_of_common_smoothing_groups_weighted_by_area() {
    let all = [[1, 1, 1], [1, 2, 4], [1, 3, 2], [3, 2, 6], [0, 0, 0], [0, 1, 1], [0, 3, 0], [7, 8, 3]];
    for groups in all {
        let mut mesh = Mesh::sheet(2, 2, 1);
        mesh.points = vec![[1.0, 2.0, 3.0], [4.0, 2.5, 3.0], [1.5, 7.0, 2.0], [0.5, 1.0, 9.0]];
        // Three faces around the first point, each with its own wedges.
        let points = [0, 1, 2, 0, 2, 3, 0, 3, 1];
        let wedge = |(at, point): (usize, &u32)| Wedge::new(*point, [at as f32 / 16.0, 0.25], 0);
        mesh.wedges = points.iter().enumerate().map(wedge).collect();
        mesh.weights.retain(|weight| weight.point < 4);
        mesh.faces = (0..3).map(|face| Face::new([face * 3, face * 3 + 1, face * 3 + 2], 0)).collect();
        mesh.faces.iter_mut().zip(groups).for_each(|(face, groups)| face.smoothing_groups = groups);
        let (positions, normals, uvs, corners) = surface(&mesh);
        assert_eq!(corners.len(), 9, "{groups:?}");
        let faces: Vec<[usize; 3]> = corners.chunks(3).map(|face| [0, 1, 2].map(|at| face[at] as usize)).collect();
        // Which of the faces one is, by the texture coordinates of its wedges; V is from the top in both.
        let own = |face: &[usize; 3]| (uvs[face[0]][0] * 16.0) as usize / 3;
        assert!(uvs.iter().all(|[_, v]| *v == 0.25));
        let area = |face: &[usize; 3]| {
            let [a, b, c] = face.map(|vertex| positions[vertex].map(f64::from));
            let [u, v] = [b, c].map(|end| [0, 1, 2].map(|axis| end[axis] - a[axis]));
            [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        };
        // If all faces have the same groups, they say nothing.
        let varies = groups.iter().any(|own| *own != groups[0]);
        for face in &faces {
            for vertex in face {
                let mut sum = [0.0; 3];
                for other in &faces {
                    let at_point = other.iter().any(|corner| positions[*corner] == positions[*vertex]);
                    if at_point && (!varies || own(other) == own(face) || groups[own(other)] & groups[own(face)] != 0) {
                        // Two faces without a group are not smooth with each other.
                        sum.iter_mut().zip(area(other)).for_each(|(sum, part)| *sum += part);
                    }
                }
                let length = sum.iter().map(|value| value * value).sum::<f64>().sqrt();
                for (found, expected) in normals[*vertex].into_iter().zip(sum.map(|value| value / length)) {
                    assert!((f64::from(found) - expected).abs() < 1e-6, "{groups:?}: {found} {expected}");
                }
            }
        }
    }
}

#[test]
fn a_point_whose_faces_have_no_area_has_a_normal_of_length_1() {
    let mut mesh = Mesh::sheet(2, 2, 1);
    mesh.points = vec![[1.0, 1.0, 1.0]; 4];
    let (_, normals, ..) = surface(&mesh);
    for [x, y, z] in normals {
        assert!((x * x + y * y + z * z - 1.0).abs() < 1e-6);
    }
}

/// A sheet of 3 x 3 points whose second triangles have corners of their own, with other texture coordinates: what differs makes a vertex.
#[test]
fn corners_of_a_point_that_differ_in_nothing_are_one_vertex() {
    let mut mesh = Mesh::sheet(3, 3, 1);
    for wedge in mesh.wedges.clone() {
        mesh.wedges.push(Wedge { u: wedge.u + 1.0, ..wedge });
    }
    for face in mesh.faces.iter_mut().skip(1).step_by(2) {
        face.wedges = face.wedges.map(|wedge| wedge + 9);
    }
    let bytes = mesh.chunks().build().bytes;
    let asset = Asset::parse(&bytes).unwrap();
    let document = Document::of_mesh(&asset.mesh().unwrap());
    let counts = |keep_unused| {
        let (file, report) = write(&document, &options(|own| own.keep_unused = keep_unused));
        let mesh = file.document().meshes().next().unwrap();
        let primitive = mesh.primitives().next().unwrap();
        let reader = primitive.reader(|_| Some(file.binary()));
        let positions: Vec<_> = reader.read_positions().unwrap().collect();
        let corners: Vec<_> = reader.read_indices().unwrap().into_u32().map(|own| positions[own as usize]).collect();
        assert_eq!((report.triangles, report.dropped_triangles), (8, 0));
        (positions.len(), corners)
    };
    let ((without, drawn), (with, same)) = (counts(false), counts(true));
    let corners: std::collections::BTreeSet<u32> = mesh.faces.iter().flat_map(|face| face.wedges).collect();
    assert_eq!((without, with), (9, corners.len()));
    assert_eq!(drawn, same);
}

/// The only triangle of the first material has two corners of one point, which become one.
#[test]
fn a_material_that_loses_its_triangles_leaves_no_vertices_behind() {
    let mut mesh = Mesh { materials: vec![Material::new("a", 0), Material::new("b", 1)], ..Mesh::default() };
    mesh.points = vec![[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [0.0, 20.0, 0.0]];
    let wedge = |(material, point)| Wedge::new(point, [0.5, 0.5], material);
    mesh.wedges = [(0, 0), (0, 0), (0, 1), (1, 0), (1, 1), (1, 2)].map(wedge).to_vec();
    mesh.faces = vec![Face::new([0, 1, 2], 0), Face::new([3, 4, 5], 1)];
    let bytes = mesh.chunks().build().bytes;
    let asset = Asset::parse(&bytes).unwrap();
    let (file, report) = write(&Document::of_mesh(&asset.mesh().unwrap()), &ExportOptions::default());
    file.check();
    assert_eq!((report.triangles, report.dropped_triangles), (1, 1));
    let primitives: Vec<_> = file.document().meshes().flat_map(|own| own.primitives().collect::<Vec<_>>()).collect();
    assert_eq!(primitives.len(), 1);
    let positions = primitives[0].get(&gltf::Semantic::Positions).unwrap();
    assert_eq!((positions.offset(), positions.count()), (0, 3));
    let mut lengths: Vec<f64> = file.corners(None).iter().map(|[x, y, z]| (x * x + y * y + z * z).sqrt()).collect();
    lengths.sort_by(f64::total_cmp);
    for (length, expected) in lengths.iter().zip([0.0, 0.1, 0.2]) {
        assert!((length - expected).abs() < 1e-6, "{lengths:?}");
    }
}
