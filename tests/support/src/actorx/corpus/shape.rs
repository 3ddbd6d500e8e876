//! Meshes and animations that are odd as a whole.

use super::super::build::{Anim, Bone, Face, IDENTITY, Info, Key, Mesh, Wedge, Weight};
use super::sample::{changed, figure, figure_good, walk, walk_good};
use super::{Case, Good, ok};

/// Bones of the snake.
const BONES: u8 = 8;

const SOURCE: &str = "actorx.md 3.6";

/// Where a bone of the snake is: it winds up, to the left and to the right.
fn place(bone: u8) -> [f32; 3] {
    let side = [0.0, 4.0, 6.0, 4.0][usize::from(bone % 4)];
    [side, f32::from(bone), 10.0 * f32::from(bone)]
}

fn snake_bones() -> Vec<Bone> {
    let bone = |bone: u8| {
        let parent = bone.saturating_sub(1);
        let (own, of_parent) = (place(bone), if bone == 0 { [0.0; 3] } else { place(parent) });
        let offset = [own[0] - of_parent[0], own[1] - of_parent[1], own[2] - of_parent[2]];
        Bone::new(&format!("Part{bone}"), parent.into(), offset, IDENTITY)
    };
    (0..BONES).map(bone).collect()
}

/// A triangle around each of eight bones, which all moves with the bone.
pub fn snake() -> Mesh {
    let mut mesh = Mesh { bones: snake_bones(), materials: figure().materials, ..Mesh::default() };
    for bone in 0..BONES {
        let [x, y, z] = place(bone);
        let first = 3 * u32::from(bone);
        for (corner, [dx, dy]) in (0..).zip([[2.0, -1.0], [-2.0, -1.0], [0.0, 2.0]]) {
            mesh.points.push([x + dx, y + dy, z]);
            mesh.wedges.push(Wedge::new(first + corner, [0.0, 0.0], 0));
            mesh.weights.push(Weight { weight: 1.0, point: (first + corner) as i32, bone: bone.into() });
        }
        mesh.faces.push(Face::new([first, first + 1, first + 2], 0));
    }
    mesh
}

fn snake_good() -> Good {
    Good { bones: Some(8), points: Some(24), wedges: Some(24), faces: Some(8), ..figure_good() }
}

fn changed_snake(change: impl Fn(&mut [f32; 3])) -> Mesh {
    let mut mesh = snake();
    mesh.points.iter_mut().for_each(change);
    mesh
}

pub fn cases() -> Vec<Case> {
    let corner = |point: &[f32; 3]| point.map(|value| if value > 0.0 { 0.577_350_26 } else { -0.577_350_26 });
    let normals: Vec<[f32; 3]> = figure().points.iter().map(|[x, y, z]| corner(&[*x, *y, z - 20.0])).collect();
    let inside_out = changed(|mesh| mesh.faces.iter_mut().for_each(|face| face.wedges.swap(1, 2)));
    let mut still = walk();
    let first = still.keys[..4].to_vec();
    still.keys.chunks_mut(4).for_each(|frame| frame.clone_from_slice(&first));
    let mut additive = Anim { bones: snake_bones(), infos: vec![Info::new("Lean", 8, 0, 2, 20.0)], ..Anim::default() };
    for frame in 0..2 {
        let rotation = if frame == 0 { IDENTITY } else { [0.6, 0.0, 0.0, 0.8] };
        additive.keys.extend((0..BONES).map(|_| Key { position: [0.0; 3], rotation, time: 1.0 }));
    }
    let lean_good = Good { bones: Some(8), frames: Some(2), duration_s: Some(0.1), ..walk_good() };
    vec![
        ok(
            "actorx/mesh/snake.psk",
            "eight bones in the middle of their points",
            SOURCE,
            snake().chunks(),
            snake_good(),
        ),
        ok(
            "actorx/mesh/point_far.psk",
            "a point that is 1e30 away",
            "actorx.md 3.1",
            changed(|mesh| mesh.points[3][1] = 1e30),
            figure_good().findings(&["point-far"]),
        ),
        ok(
            "actorx/mesh/mesh_unweighted.psk",
            "bones that move nothing",
            "actorx.md 3.7",
            changed(|mesh| mesh.weights.clear()),
            figure_good().findings(&["mesh-unweighted"]),
        ),
        ok(
            "actorx/mesh/mesh_scale.psk",
            "points in centimetres on bones in metres",
            SOURCE,
            changed_snake(|point| *point = point.map(|value| value * 100.0)).chunks(),
            snake_good().findings(&["mesh-scale"]),
        ),
        ok(
            "actorx/mesh/mesh_axes.psk",
            "points with Y up on bones with Z up",
            SOURCE,
            changed_snake(|[_, y, z]| std::mem::swap(y, z)).chunks(),
            snake_good().findings(&["mesh-axes"]),
        ),
        ok(
            "actorx/mesh/mesh_winding.pskx",
            "faces that face inwards, normals that point outwards",
            "actorx.md 3.10",
            inside_out.records("VTXNORMS", &normals),
            figure_good().findings(&["mesh-winding"]),
        ),
        ok(
            "actorx/anim/no_motion.psa",
            "five frames of one pose",
            "actorx.md 4.2",
            still.chunks(),
            walk_good().findings(&["no-motion"]),
        ),
        ok(
            "actorx/anim/additive.psa",
            "bones without length, which are turned from rest",
            "actorx.md 4.2",
            additive.chunks(),
            lean_good.findings(&["additive"]),
        ),
    ]
}
