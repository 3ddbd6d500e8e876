//! What the conventions and the side-car are for: a mesh that is posed by an animation keeps its shape.
//!
//! A small skinning evaluation by the reference's rules (section 5): column vectors, `world = parent * local`, every bone's
//! rotation but the first one's conjugated, the animation's bones mapped to the mesh's by name.

use std::collections::{BTreeSet, HashMap};
use std::fs;

use skelmap::actorx::{Config, Psa, Psk, Sequence, Source, TrackSources, space};
use test_support::corpus::samples;

/// A rotation and a translation.
#[derive(Clone, Copy)]
struct Pose {
    rotation: [f32; 4],
    position: [f32; 3],
}

fn rotated([x, y, z, w]: [f32; 4], [a, b, c]: [f32; 3]) -> [f32; 3] {
    let t = [2.0 * (y * c - z * b), 2.0 * (z * a - x * c), 2.0 * (x * b - y * a)];
    [a + w * t[0] + y * t[2] - z * t[1], b + w * t[1] + z * t[0] - x * t[2], c + w * t[2] + x * t[1] - y * t[0]]
}

fn product([ax, ay, az, aw]: [f32; 4], [bx, by, bz, bw]: [f32; 4]) -> [f32; 4] {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

fn sum(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt()
}

impl Pose {
    /// As stored, for the bone of this index.
    fn stored(bone: usize, rotation: [f32; 4], position: [f32; 3]) -> Self {
        let unit = rotation.iter().map(|x| x * x).sum::<f32>().sqrt();
        Self { rotation: space::local_rotation(bone, rotation).map(|x| x / unit), position }
    }

    fn then(self, child: Self) -> Self {
        let position = sum(self.position, rotated(self.rotation, child.position));
        Self { rotation: product(self.rotation, child.rotation), position }
    }

    fn inverse(self) -> Self {
        let rotation = space::conjugated(self.rotation);
        Self { rotation, position: rotated(rotation, self.position).map(|x| -x) }
    }

    fn apply(self, point: [f32; 3]) -> [f32; 3] {
        sum(self.position, rotated(self.rotation, point))
    }
}

fn bind_pose(mesh: &Psk<'_>) -> Vec<Pose> {
    let bones = mesh.bones().iter().enumerate();
    bones.map(|(index, bone)| Pose::stored(index, bone.rotation(), bone.translation())).collect()
}

fn in_the_world(mesh: &Psk<'_>, local: &[Pose]) -> Vec<Pose> {
    let skeleton = mesh.skeleton();
    let mut world = local.to_vec();
    for bone in skeleton.to_order().parents_first {
        let bone = bone as usize;
        if let Some(parent) = skeleton.parent(bone) {
            world[bone] = world[parent].then(local[bone]);
        }
    }
    world
}

/// The local poses of a frame: the animation's where it has that bone and nothing says otherwise, else the mesh's.
fn frame_pose(
    mesh: &Psk<'_>,
    sequence: &Sequence<'_>,
    names: &[usize],
    frame: usize,
    from: &[TrackSources],
) -> Vec<Pose> {
    let mut local = bind_pose(mesh);
    for (track, key) in sequence.frame(frame).unwrap().iter().enumerate() {
        let Some(pose) = names.get(track).and_then(|bone| local.get_mut(*bone)) else { continue };
        let animated = Pose::stored(track, key.rotation(), key.translation());
        if from[track].rotation == Source::Animation {
            pose.rotation = animated.rotation;
        }
        if from[track].translation == Source::Animation {
            pose.position = animated.position;
        }
    }
    local
}

/// How much longer the edges of the mesh's faces are in a pose than in the bind pose, in ascending order.
fn stretches(mesh: &Psk<'_>, local: &[Pose]) -> Vec<f32> {
    let bind = in_the_world(mesh, &bind_pose(mesh));
    let posed = in_the_world(mesh, local);
    let moved: Vec<Pose> = posed.iter().zip(&bind).map(|(posed, bind)| posed.then(bind.inverse())).collect();
    let mut points = vec![([0.0_f32; 3], 0.0_f32); mesh.points().len()];
    for influence in mesh.influences() {
        let point = influence.point_index() as usize;
        let weight = influence.weight();
        let at = moved[influence.bone_index() as usize].apply(mesh.points()[point].get());
        let (sum_of_points, sum_of_weights) = &mut points[point];
        *sum_of_points = sum(*sum_of_points, at.map(|x| x * weight));
        *sum_of_weights += weight;
    }
    let mut edges = BTreeSet::new();
    for face in mesh.faces() {
        let [a, b, c] = face.wedges.map(|wedge| mesh.point_index(&mesh.wedges()[wedge as usize]) as usize);
        edges.extend([(a, b), (b, c), (c, a)].map(|(a, b)| (a.min(b), a.max(b))));
    }
    let mut stretches: Vec<f32> = edges
        .into_iter()
        .filter(|(a, b)| points[*a].1 > 0.0 && points[*b].1 > 0.0)
        .filter_map(|(a, b)| {
            let before = distance(mesh.points()[a].get(), mesh.points()[b].get());
            let at = |point: usize| points[point].0.map(|x| x / points[point].1);
            (before > 1e-6).then(|| distance(at(a), at(b)) / before)
        })
        .collect();
    stretches.sort_by(f32::total_cmp);
    stretches
}

fn percentile(ascending: &[f32], percent: usize) -> f32 {
    ascending[(ascending.len() - 1) * percent / 100]
}

/// Which bone of the mesh each track of the animation moves, by name; past the end where it has none of that name.
fn by_name(mesh: &Psk<'_>, animation: &Psa<'_>) -> Vec<usize> {
    let mut bones = HashMap::new();
    for (index, bone) in mesh.bones().iter().enumerate() {
        bones.entry(bone.name().key().to_ascii_lowercase()).or_insert(index);
    }
    let tracks = animation.bones().iter().map(|bone| bone.name().key().to_ascii_lowercase());
    tracks.map(|name| bones.get(&name).copied().unwrap_or(usize::MAX)).collect()
}

#[test]
fn a_real_animation_tears_its_mesh_only_without_the_side_car() {
    let Some(folder) = samples("actorx") else { return };
    let read = |file: &str| fs::read(folder.join("psk_psa_py").join(file)).unwrap();
    let (mesh, animation) = (read("psk/carlos_head_carlos.psk"), read("psa/Carlos_StrafeLF90_2.psa"));
    let side_car = read("psa/Carlos_StrafeLF90_2.config");
    let (mesh, animation) = (Psk::parse(&mesh).unwrap(), Psa::parse(&animation).unwrap());
    let sequence = animation.sequence("Carlos_StrafeLF90_2").unwrap();
    let names = by_name(&mesh, &animation);
    assert_eq!(names.iter().filter(|bone| **bone < usize::MAX).count(), 481, "all bones of the mesh have a track");

    let sources = Config::new(&side_car).to_resolved(animation.bones()).to_track_sources(sequence.name());
    let nothing = vec![TrackSources::default(); animation.bones().len()];
    for frame in [0, 15, 30, 45, 60] {
        let stretch = |from: &[TrackSources]| {
            let stretches = stretches(&mesh, &frame_pose(&mesh, &sequence, &names, frame, from));
            percentile(&stretches, 99)
        };
        let (with, without) = (stretch(&sources), stretch(&nothing));
        println!(
            "frame {frame}: one edge in a hundred is {without} times as long without the side-car, {with} with it"
        );
        assert!(without > 5.0, "{without}");
        assert!((1.0..1.5).contains(&with), "{with}");
    }
}

#[test]
fn a_mesh_in_its_bind_pose_keeps_the_length_of_every_edge() {
    let Some(folder) = samples("actorx") else { return };
    let bytes = fs::read(folder.join("psk_psa_py/psk/carlos_head_carlos.psk")).unwrap();
    let mesh = Psk::parse(&bytes).unwrap();
    let stretches = stretches(&mesh, &bind_pose(&mesh));
    assert!(stretches.len() > 30_000);
    assert!(stretches[0] > 0.97 && *stretches.last().unwrap() < 1.03, "{} {:?}", stretches[0], stretches.last());
}
