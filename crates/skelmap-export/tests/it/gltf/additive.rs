//! Additive clips: each rotation of the result against products of matrices in `f64`.

use skelmap::Asset;
use skelmap::model::Binding;
use skelmap_export::{Additive, Animation, Document, ExportOptions};

use super::{options, write};
use test_support::actorx::build::{Anim, Info, Key, Mesh, chain};
use test_support::glb::{File, Matrix, product};

const BONES: usize = 3;

/// The rotation about an axis, as a quaternion of a column-vector chain.
fn about(axis: usize, degrees: f32) -> [f32; 4] {
    let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
    let mut rotation = [0.0, 0.0, 0.0, cos];
    rotation[axis] = sin;
    rotation
}

/// The same as a matrix, in columns.
fn matrix(axis: usize, degrees: f64) -> Matrix {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let (next, after) = ((axis + 1) % 3, (axis + 2) % 3);
    let mut matrix = [[0.0; 4]; 4];
    (matrix[axis][axis], matrix[3][3]) = (1.0, 1.0);
    (matrix[next][next], matrix[next][after]) = (cos, sin);
    (matrix[after][next], matrix[after][after]) = (-sin, cos);
    matrix
}

/// A file stores the conjugate for every bone but the first.
fn stored(bone: usize, [x, y, z, w]: [f32; 4]) -> [f32; 4] {
    if bone == 0 { [x, y, z, w] } else { [-x, -y, -z, w] }
}

/// The rotations of the base and of the delta: an axis of the file and degrees for each bone.
const BASE: [(usize, f32); BONES] = [(2, 20.0), (0, 50.0), (1, -35.0)];
const DELTA: [(usize, f32); BONES] = [(1, 10.0), (2, 30.0), (0, 25.0)];

/// A mesh, and an animation with a base and a delta.
fn files() -> (Vec<u8>, Vec<u8>) {
    let mut mesh = Mesh::sheet(3, 3, BONES as u32);
    mesh.bones = chain(BONES as u32);
    let mut anim = Anim { bones: chain(BONES as u32), ..Anim::default() };
    anim.infos.push(Info::new("Base", BONES, 0, 1, 30.0));
    anim.infos.push(Info::new("Delta", BONES, 1, 2, 30.0));
    for (bone, (axis, degrees)) in BASE.into_iter().enumerate() {
        anim.keys.push(Key { position: [0.0, 1.0, 5.0], rotation: stored(bone, about(axis, degrees)), time: 1.0 });
    }
    // A first frame that changes nothing, then the delta. Additive clips have no translations.
    for bone in 0..BONES {
        anim.keys.push(Key { position: [0.0; 3], rotation: stored(bone, about(0, 0.0)), time: 1.0 });
    }
    for (bone, (axis, degrees)) in DELTA.into_iter().enumerate() {
        anim.keys.push(Key { position: [0.0; 3], rotation: stored(bone, about(axis, degrees)), time: 1.0 });
    }
    (mesh.chunks().build().bytes, anim.chunks().build().bytes)
}

/// From the axes of the file to those of glTF: x, z, -y.
const CHANGE: Matrix = [[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

fn transposed(matrix: &Matrix) -> Matrix {
    std::array::from_fn(|column| std::array::from_fn(|row| matrix[row][column]))
}

/// The rotation of each bone in the model, in the axes of glTF.
fn found(additive: Additive, has_base: bool) -> [Matrix; BONES] {
    let (mesh, animation) = files();
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let mesh = mesh.mesh().unwrap();
    let mut document = Document::of_mesh(&mesh);
    document.animations = animation.clips().map(|clip| Animation::new(&clip, Binding::new(&mesh, &clip))).collect();
    // The base need not be written itself.
    document.additive_base = has_base.then(|| document.animations.remove(0));
    let index = document.animations.len() - 1;
    let (file, report) = write(&document, &options(|own| own.additive = additive));
    assert_eq!((report.additive_clips, report.animations), (1, index + 1));
    // The file says of which kind the last one is, and nothing of others.
    let extras =
        |index| file.document().animations().nth(index).and_then(|own| own.extras().as_ref().map(ToString::to_string));
    let kind = if additive == Additive::Mesh { "mesh" } else { "local" };
    assert_eq!(extras(index), Some(format!(r#"{{"additive":"{kind}"}}"#)));
    assert!(index == 0 || extras(0).is_none());
    rotations_at(&file, index)
}

/// The rotation of each bone in the model, in the second frame of an animation.
fn rotations_at(file: &File, animation: usize) -> [Matrix; BONES] {
    let places = file.places(Some((animation, 1.0 / 30.0)));
    std::array::from_fn(|bone| {
        let name = format!("Bone_{bone:04}");
        let mut place = places.iter().find(|(own, _)| *own == name).unwrap().1;
        place[3] = [0.0, 0.0, 0.0, 1.0];
        place
    })
}

fn check_alike(found: &[Matrix; BONES], expected: &[Matrix; BONES]) {
    for (bone, (found, expected)) in found.iter().zip(expected).enumerate() {
        // C M C^-1.
        let expected = product(&product(&CHANGE, expected), &transposed(&CHANGE));
        let apart =
            found.iter().flatten().zip(expected.iter().flatten()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-6, "bone {bone}: {apart}");
    }
}

fn turn((axis, degrees): (usize, f32)) -> Matrix {
    matrix(axis, degrees.into())
}

#[test]
fn a_local_delta_follows_the_base_in_the_space_of_the_parent() {
    let mut of_model = matrix(0, 0.0);
    let expected: [Matrix; BONES] = std::array::from_fn(|bone| {
        of_model = product(&of_model, &product(&turn(DELTA[bone]), &turn(BASE[bone])));
        of_model
    });
    check_alike(&found(Additive::Local, true), &expected);
}

#[test]
fn a_delta_of_the_mesh_follows_the_base_in_the_space_of_the_mesh() {
    let mut of_base = matrix(0, 0.0);
    let expected: [Matrix; BONES] = std::array::from_fn(|bone| {
        of_base = product(&of_base, &turn(BASE[bone]));
        product(&turn(DELTA[bone]), &of_base)
    });
    check_alike(&found(Additive::Mesh, true), &expected);
}

#[test]
fn the_bind_pose_is_the_base_if_no_base_is_given() {
    let mut of_model = matrix(0, 0.0);
    let expected: [Matrix; BONES] = std::array::from_fn(|bone| {
        of_model = product(&of_model, &turn(DELTA[bone]));
        of_model
    });
    check_alike(&found(Additive::Local, false), &expected);
}

/// The last bone has no track in the clip: its base stays, relative to its parent or to the mesh.
#[test]
fn a_bone_that_the_clip_does_not_know_has_its_base() {
    let (mesh, _) = files();
    let mut anim = Anim { bones: chain(BONES as u32), ..Anim::default() };
    anim.infos.push(Info::new("Base", BONES, 0, 1, 30.0));
    for (bone, (axis, degrees)) in BASE.into_iter().enumerate() {
        anim.keys.push(Key { position: [0.0, 1.0, 5.0], rotation: stored(bone, about(axis, degrees)), time: 1.0 });
    }
    let mut delta = Anim { bones: chain(BONES as u32 - 1), ..Anim::default() };
    delta.infos.push(Info::new("Delta", BONES - 1, 0, 2, 30.0));
    for frame in 0..2 {
        for (bone, (axis, degrees)) in DELTA.into_iter().take(BONES - 1).enumerate() {
            let rotation = stored(bone, about(axis, if frame == 0 { 0.0 } else { degrees }));
            delta.keys.push(Key { position: [0.0; 3], rotation, time: 1.0 });
        }
    }
    let (base, delta) = (anim.chunks().build().bytes, delta.chunks().build().bytes);
    let (mesh, base, delta) =
        (Asset::parse(&mesh).unwrap(), Asset::parse(&base).unwrap(), Asset::parse(&delta).unwrap());
    let mesh = mesh.mesh().unwrap();
    let [base, delta] = [&base, &delta].map(|own| {
        let clip = own.clips().next().unwrap();
        Animation::new(&clip, Binding::new(&mesh, &clip))
    });
    let mut document = Document::of_mesh(&mesh);
    (document.animations, document.additive_base) = (vec![delta], Some(base));
    let turns = |bone: usize| if bone + 1 < BONES { turn(DELTA[bone]) } else { matrix(0, 0.0) };
    for additive in [Additive::Local, Additive::Mesh] {
        let (file, report) = write(&document, &options(|own| own.additive = additive));
        assert_eq!((report.additive_clips, report.unmoved_bones), (1, 1));
        let (mut of_base, mut of_model) = (matrix(0, 0.0), matrix(0, 0.0));
        let expected: [Matrix; BONES] = std::array::from_fn(|bone| {
            of_base = product(&of_base, &turn(BASE[bone]));
            of_model = product(&of_model, &product(&turns(bone), &turn(BASE[bone])));
            if additive == Additive::Mesh { product(&turns(bone), &of_base) } else { of_model }
        });
        check_alike(&rotations_at(&file, 0), &expected);
    }
}

#[test]
fn additive_clips_are_left_out_unless_their_kind_is_given() {
    let (mesh, animation) = files();
    let (mesh, animation) = (Asset::parse(&mesh).unwrap(), Asset::parse(&animation).unwrap());
    let mesh = mesh.mesh().unwrap();
    let mut document = Document::of_mesh(&mesh);
    document.animations = animation.clips().map(|clip| Animation::new(&clip, Binding::new(&mesh, &clip))).collect();
    let (file, report) = write(&document, &ExportOptions::default());
    assert_eq!((report.additive_clips, report.animations), (1, 1));
    assert_eq!(
        file.document().animations().filter_map(|own| own.name().map(str::to_owned)).collect::<Vec<_>>(),
        ["Base"]
    );
}
