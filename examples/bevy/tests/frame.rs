//! A frame that Bevy animates, without a window: its joints move the vertices to where the library skins the points.

use std::time::Duration;

use bevy_animation::{AnimationPlayer, AnimationPlugin};
use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetApp as _, AssetPlugin, AssetServer, Assets, Handle, LoadState};
use bevy_ecs::entity::Entity;
use bevy_ecs::system::Commands;
use bevy_ecs::world::CommandQueue;
use bevy_math::{Mat4, Vec3};
use bevy_mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy_mesh::{Mesh, VertexAttributeValues};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::{GlobalTransform, Transform};
use skelmap::actorx::Config;
use skelmap::model::{Binding, IDENTITY, Skin, Space, Wrap};
use skelmap_bevy_example::{Joint, Part, Skeletal, SkeletalPlugin, SkeletalSettings, Spawned};

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus");

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        TimePlugin,
        AssetPlugin { file_path: CORPUS.into(), ..AssetPlugin::default() },
        TransformPlugin,
        AnimationPlugin,
    ));
    app.init_asset::<Mesh>().init_asset::<SkinnedMeshInverseBindposes>().add_plugins(SkeletalPlugin);
    // Time stands still: clips are played by hand.
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
    app
}

fn loaded(app: &mut App, mesh: &'static str, animation: &'static str) -> Handle<Skeletal> {
    let settings = move |settings: &mut SkeletalSettings| settings.animation = Some(animation.into());
    let server = app.world().resource::<AssetServer>().clone();
    let handle = server.load_builder().with_settings(settings).load::<Skeletal>(mesh);
    loop {
        app.update();
        match server.load_state(&handle) {
            LoadState::Loaded => return handle,
            LoadState::Failed(error) => panic!("{mesh}: {error}"),
            _ => std::thread::yield_now(),
        }
    }
}

/// The positions of all vertices of a part: what a vertex shader computes.
fn skinned(app: &App, skeletal: &Skeletal, part: usize, joints: &[Entity]) -> Vec<Vec3> {
    let (world, part) = (app.world(), &skeletal.parts[part]);
    let mesh = world.resource::<Assets<Mesh>>().get(&part.mesh).unwrap();
    let poses = world.resource::<Assets<SkinnedMeshInverseBindposes>>();
    let poses = poses.get(part.inverse_bindposes.as_ref().unwrap()).unwrap();
    let places = part.joints.iter().map(|joint| world.get::<GlobalTransform>(joints[*joint]).unwrap().to_matrix());
    let matrices: Vec<Mat4> = places.zip(poses.iter()).map(|(place, pose)| place * *pose).collect();
    let Some(VertexAttributeValues::Float32x3(positions)) = mesh.attribute(Mesh::ATTRIBUTE_POSITION) else { panic!() };
    let Some(VertexAttributeValues::Uint16x4(rows)) = mesh.attribute(Mesh::ATTRIBUTE_JOINT_INDEX) else { panic!() };
    let weights = mesh.attribute(Mesh::ATTRIBUTE_JOINT_WEIGHT);
    let Some(VertexAttributeValues::Float32x4(weights)) = weights else { panic!() };
    let moved = positions.iter().zip(rows).zip(weights).map(|((position, row), weights)| {
        let place = |joint: &u16| matrices[usize::from(*joint)].transform_point3(Vec3::from(*position));
        row.iter().zip(weights).map(|(joint, weight)| place(joint) * *weight).sum()
    });
    moved.collect()
}

/// The points of the file, by the library.
fn expected(mesh: &str, animation: &str, clip: usize, seconds: f64) -> Vec<[f32; 3]> {
    let read = |name: &str| std::fs::read(format!("{CORPUS}/{name}")).unwrap();
    let side_car = std::fs::read(format!("{CORPUS}/{}", animation.replace(".psa", ".config"))).unwrap_or_default();
    let (mesh, animation) = (read(mesh), read(animation));
    let asset = skelmap::Asset::parse(&mesh).unwrap();
    let mesh = asset.mesh().unwrap().with_metres(0.01).in_space(Space::GLTF);
    let clip = skelmap::Asset::parse(&animation).unwrap().clips().nth(clip).unwrap();
    let binding = Binding::new(&mesh, &clip).with_sources(&Config::new(&side_car).to_sources(&clip));
    let skin = Skin::new(&mesh, 4).unwrap();
    let (mut pose, mut matrices) = (skin.bind_pose().to_vec(), vec![IDENTITY; skin.matrix_count()]);
    let mut positions = vec![[0.0; 3]; mesh.point_count()];
    binding.sample(&clip, seconds, Wrap::Clamp, &mut pose).unwrap();
    skin.matrices(&pose, &mut matrices).unwrap();
    skin.positions(&mesh, &matrices, &mut positions).unwrap();
    positions
}

#[test]
fn the_vertices_of_a_frame_are_where_the_library_skins_the_points() {
    for (mesh, animation) in [("fox.psk", "fox.psa"), ("fox.pmd", "fox_walk.psa")] {
        let mut app = app();
        let handle = loaded(&mut app, mesh, animation);
        let skeletal = app.world().resource::<Assets<Skeletal>>().get(&handle).unwrap().clone();
        let mut queue = CommandQueue::default();
        let Spawned { root, joints, parts } = skeletal.spawn(&mut Commands::new(&mut queue, app.world()));
        queue.apply(app.world_mut());
        assert!(!skeletal.clips.is_empty() && !parts.is_empty());
        for (clip, (name, _, node)) in skeletal.clips.iter().enumerate() {
            for seconds in [0.0, 0.21, 0.5] {
                let mut player = app.world_mut().get_mut::<AnimationPlayer>(root).unwrap();
                player.stop_all();
                player.start(*node).seek_to(seconds as f32).pause();
                app.update();
                app.update();
                let (expected, mut worst) = (expected(mesh, animation, clip, seconds), 0.0_f32);
                for (index, part) in skeletal.parts.iter().enumerate() {
                    let found = skinned(&app, &skeletal, index, &joints);
                    assert_eq!(found.len(), part.points.len());
                    for (found, point) in found.iter().zip(&part.points) {
                        worst = worst.max(found.distance(Vec3::from(expected[*point])));
                    }
                }
                assert!(worst < 1e-5, "{mesh}, {name} at {seconds}: {worst} m");
            }
        }
    }
}

/// A vertex of 0 A.D. that moves with no bone has a joint behind the last one.
#[test]
fn the_joint_of_the_model_is_the_root() {
    let mut app = app();
    let joint = Joint { name: "a".into(), parent: None, rest: Transform::IDENTITY };
    let (material, joints, points) = ("b".to_owned(), vec![1, 0], Vec::new());
    let (mesh, inverse_bindposes) = (Handle::default(), Some(Handle::default()));
    let parts = vec![Part { mesh, material, joints, inverse_bindposes, points }];
    let skeletal = Skeletal { parts, joints: vec![joint], ..Skeletal::default() };
    let mut queue = CommandQueue::default();
    let spawned = skeletal.spawn(&mut Commands::new(&mut queue, app.world()));
    queue.apply(app.world_mut());
    let skinned = app.world().get::<SkinnedMesh>(spawned.parts[0]).unwrap();
    assert_eq!(skinned.joints, [spawned.root, spawned.joints[0]]);
}
