//! What sampling, posing and skinning cost against `ozz-animation-rs`: the same keys, the same times, one thread.
//!
//! `cargo +nightly bench` in this folder; see `benches/README.md`.

use std::fs;
use std::path::Path;
use std::time::Duration;

use glam::{Mat4, Vec3};
use ozz_animation_rs::{
    Animation, Archive, LocalToModelJobRef, SamplingContext, SamplingJobRef, Skeleton, SkinningJobRef, SoaTransform,
};
use skelmap::Asset;
use skelmap::model::{Binding, Clip, IDENTITY, Mesh, Skin, Transform, Wrap};
use skelmap_against_ozz::{self as archive, Local};

use skelmap_bench::compare::{Comparison, Side, Target};
use skelmap_bench::model::scenes::{self, INFLUENCES};
use skelmap_bench::run;

/// At least as fast as ozz.
const AS_OZZ: Target = Target::Speed(1.0);

/// Seconds between two intermediate frames, as the tools of ozz write them.
const INTERVAL: f64 = 10.0;

type Comparisons<'a> = Vec<Comparison<'a>>;

fn main() {
    let small = read(&scenes::animation_of_58_bones());
    let large = scenes::pair_of_481_bones().map(|path| read(&path));
    let skinned = scenes::pair_of_10_000_vertices().map(|path| read(&path));

    let small = parse(&small);
    let [animation, mesh] = large.each_ref().map(|file| parse(file));
    let large = Bound::new(&animation, &mesh);
    let [animation, mesh] = skinned.each_ref().map(|file| parse(file));
    let skinned = Bound::new(&animation, &mesh);

    let small = clip_of(&small);
    let small_keys: Vec<Transform> = (0..small.frame_count())
        .flat_map(|frame| (0..small.track_count()).filter_map(move |track| small.transform(frame, track)))
        .collect();
    let sample_small = |seconds: f64, out: &mut [Transform]| small.sample(seconds, Wrap::Clamp, out).expect("valid");
    let sample_large =
        |seconds: f64, out: &mut [Transform]| large.binding.sample(&large.clip, seconds, Wrap::Clamp, out).expect("valid");

    let imported = Imported::new(&skinned.clip, &skinned.keys(), skinned.mesh.bone_count(), false);
    let mut comparisons = Vec::new();
    let bones = small.track_count();
    compare_samplers(["ozz/random/58-bones", "ozz/playback/58-bones"], &small, &small_keys, bones, &sample_small, &mut comparisons);
    let large_keys = large.keys();
    let bones = large.mesh.bone_count();
    compare_samplers(["ozz/random/481-bones", "ozz/playback/481-bones"], &large.clip, &large_keys, bones, &sample_large, &mut comparisons);
    compare_skinning(&skinned, &imported, &mut comparisons);
    run::run(comparisons, Duration::from_millis(200), Duration::from_millis(700));
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).expect("the file can be read")
}

fn parse(bytes: &[u8]) -> Asset<'_> {
    Asset::parse(bytes).expect("the file is sound")
}

fn clip_of<'a>(asset: &Asset<'a>) -> Clip<'a> {
    asset.clips().next().expect("the animation has a clip")
}

/// An animation bound to a mesh.
struct Bound<'a> {
    clip: Clip<'a>,
    mesh: Mesh<'a>,
    binding: Binding,
    skin: Skin,
}

impl<'a> Bound<'a> {
    fn new(animation: &Asset<'a>, mesh: &'a Asset<'a>) -> Self {
        let (clip, mesh) = (clip_of(animation), mesh.mesh().expect("the file has a mesh"));
        let skin = Skin::new(&mesh, INFLUENCES).expect("the mesh can be skinned");
        Self { binding: Binding::new(&mesh, &clip), clip, mesh, skin }
    }

    /// The poses of all frames.
    fn keys(&self) -> Vec<Transform> {
        let mut pose = vec![Transform::IDENTITY; self.mesh.bone_count()];
        let poses = (0..self.clip.frame_count()).map(|frame| {
            self.binding.sample_frame(&self.clip, frame as f64, Wrap::Clamp, &mut pose).expect("valid");
            pose.clone()
        });
        poses.collect::<Vec<_>>().concat()
    }
}

/// An animation after ozz has imported it.
struct Imported {
    animation: Animation,
    /// Seconds from the first to the last frame.
    length: f32,
}

impl Imported {
    /// With intermediate frames as the tools of ozz write them, or one at every frame.
    fn new(clip: &Clip<'_>, keys: &[Transform], bones: usize, every_frame: bool) -> Self {
        let rate = clip.rate().expect("the clip has a rate");
        let locals: Vec<Local> =
            keys.iter().map(|key| Local { translation: key.translation, rotation: key.rotation }).collect();
        let interval = if every_frame { 1 } else { (INTERVAL * rate) as usize };
        let bytes = archive::animation(&locals, bones, rate as f32, interval);
        let mut archive = Archive::from_slice(&bytes).expect("the archive has a head");
        let animation = Animation::from_archive(&mut archive).expect("ozz reads the archive");
        Self { length: animation.duration(), animation }
    }

    fn sampler<'a>(&'a self, context: &'a mut SamplingContext, out: &'a mut [SoaTransform]) -> SamplingJobRef<'a> {
        let mut job: SamplingJobRef<'a> = SamplingJobRef::default();
        job.set_animation(&self.animation);
        job.set_context(context);
        job.set_output(out);
        job
    }
}

fn compare_samplers<'a>(
    [random, playback]: [&'static str; 2],
    clip: &Clip<'_>,
    keys: &[Transform],
    bones: usize,
    sample: &'a (impl Fn(f64, &mut [Transform]) + 'a),
    comparisons: &mut Comparisons<'a>,
) {
    // Each lives as long as the program.
    let imported = Imported::new(clip, keys, bones, false);
    let seconds = f64::from(imported.length);
    let imported: [&'static Imported; 2] =
        [imported, Imported::new(clip, keys, bones, true)].map(|imported| &*Box::leak(Box::new(imported)));
    for (path, times) in [(random, scenes::random_times(seconds)), (playback, scenes::playback_times(seconds))] {
        let ozz = imported.map(|imported| {
            let out = Box::leak(vec![SoaTransform::default(); bones.div_ceil(4)].into_boxed_slice());
            let context = Box::leak(Box::new(SamplingContext::from_animation(&imported.animation)));
            let mut job = imported.sampler(context, out);
            let times = times.clone();
            move || {
                for &seconds in &times {
                    job.set_ratio(seconds as f32 / imported.length);
                    job.run().expect("the job is valid");
                }
            }
        });
        check_alike(imported, bones, &times, sample);
        let mut out = vec![Transform::IDENTITY; bones];
        let count = u32::try_from(times.len() * bones).expect("some thousands");
        let own = times.clone();
        let view = move || own.iter().for_each(|&seconds| sample(seconds, &mut out));
        let [ozz, every_frame] = ozz;
        let every_frame = Side::new("ozz-starts", every_frame).promises(Target::Speed(0.0));
        comparisons.push(
            Comparison::new(path, Side::new("ozz", ozz))
                .with(Side::new("view", view).promises(AS_OZZ))
                .with(every_frame)
                .making(count, "bones"),
        );
    }
}

/// Keys of ozz have 15 bits for each component of a rotation and 11 for each of a translation.
fn check_alike(imported: [&Imported; 2], bones: usize, times: &[f64], sample: impl Fn(f64, &mut [Transform])) {
    let mut own = vec![Transform::IDENTITY; bones];
    for imported in imported {
        let mut out = vec![SoaTransform::default(); bones.div_ceil(4)];
        let mut context = SamplingContext::from_animation(&imported.animation);
        for &seconds in times {
            let mut job = imported.sampler(&mut context, &mut out);
            job.set_ratio(seconds as f32 / imported.length);
            job.run().expect("the job is valid");
            drop(job);
            sample(seconds, &mut own);
            for (bone, own) in own.iter().enumerate() {
                let other = out[bone / 4];
                let cosine = other.rotation.quat(bone % 4).dot(glam::Quat::from_array(own.rotation)).abs();
                let distance = other.translation.vec3(bone % 4).distance(Vec3::from(own.translation));
                let size = Vec3::from(own.translation).length().max(1.0);
                assert!(cosine > 0.999 && distance < 0.01 * size, "{bone} at {seconds}: {own:?}, {other:?}");
            }
        }
    }
}

fn compare_skinning<'a>(bound: &'a Bound<'a>, imported: &'a Imported, comparisons: &mut Comparisons<'a>) {
    let Bound { clip, mesh, binding, skin } = bound;
    let (bones, points) = (mesh.bone_count(), mesh.point_count());
    let parents: Vec<_> = (0..bones).map(|bone| mesh.skeleton().parent(bone)).collect();
    let bytes = archive::skeleton(&parents);
    let mut archive = Archive::from_slice(&bytes).expect("the archive has a head");
    let skeleton = Skeleton::from_archive(&mut archive).expect("ozz reads the archive");
    let inverse: Vec<Mat4> = skin.inverse_bind().iter().map(Mat4::from_cols_array).collect();
    let indices = skin.influences().bones().to_vec();
    // ozz restores the last weight of each vertex.
    let weights = skin.influences().weights().chunks_exact(INFLUENCES).flat_map(|row| row[..INFLUENCES - 1].to_vec());
    let weights: Vec<f32> = weights.collect();
    let positions: Vec<Vec3> = (0..points).filter_map(|point| mesh.position(point)).map(Vec3::from).collect();
    let times = scenes::random_times(imported.length.into());

    let mut context = SamplingContext::from_animation(&imported.animation);
    let mut locals = vec![SoaTransform::default(); bones.div_ceil(4)];
    let (mut models, mut matrices) = (vec![Mat4::IDENTITY; bones], vec![Mat4::IDENTITY; bones]);
    let mut out = vec![Vec3::ZERO; points];
    let sample = move |seconds: f64, matrices: &mut Vec<Mat4>| {
        let mut job = imported.sampler(&mut context, &mut locals);
        job.set_ratio(seconds as f32 / imported.length);
        job.run().expect("the job is valid");
        drop(job);
        let mut job: LocalToModelJobRef<'_> = LocalToModelJobRef::default();
        job.set_skeleton(&skeleton);
        job.set_input(&locals);
        job.set_output(&mut models);
        job.run().expect("the job is valid");
        drop(job);
        for (out, (model, inverse)) in matrices.iter_mut().zip(models.iter().zip(&inverse)) {
            *out = *model * *inverse;
        }
    };
    let skin_ozz = move |matrices: &[Mat4], out: &mut [Vec3]| {
        let mut job: SkinningJobRef<'_> = SkinningJobRef::default();
        job.set_vertex_count(points);
        job.set_influences_count(INFLUENCES);
        job.set_joint_matrices(matrices);
        job.set_joint_indices(&indices);
        job.set_joint_weights(&weights);
        job.set_in_positions(&positions);
        job.set_out_positions(out);
        job.run().expect("the job is valid");
    };
    let mut pose = vec![Transform::IDENTITY; bones];
    let mut own_matrices = vec![IDENTITY; skin.matrix_count()];
    let mut own_out = vec![[0.0; 3]; points];
    let own_sample = |seconds: f64, pose: &mut [Transform], matrices: &mut [skelmap::model::Matrix]| {
        binding.sample(clip, seconds, Wrap::Clamp, pose).expect("valid");
        skin.matrices(pose, matrices).expect("valid");
    };
    let own_skin = |matrices: &[skelmap::model::Matrix], out: &mut [[f32; 3]]| {
        skin.positions(mesh, matrices, out).expect("valid");
    };

    let mut sample = sample;
    for &seconds in &times {
        sample(seconds, &mut matrices);
        skin_ozz(&matrices, &mut out);
        own_sample(seconds, &mut pose, &mut own_matrices);
        own_skin(&own_matrices, &mut own_out);
        let differ = |(own, other): (&[f32; 3], &Vec3)| Vec3::from(*own).distance(*other) > 0.5;
        assert!(!own_out.iter().zip(&out).any(differ), "positions differ");
    }

    let (skin_only, matrices_only, mut out_only) = (skin_ozz.clone(), matrices.clone(), out.clone());
    let ozz = Side::new("ozz", move || skin_only(&matrices_only, &mut out_only));
    let (matrices_only, mut out_only) = (own_matrices.clone(), own_out.clone());
    let view = Side::new("view", move || own_skin(&matrices_only, &mut out_only));
    let count = u32::try_from(points).expect("some thousands");
    comparisons.push(Comparison::new("ozz/skin/10k-vertices", ozz).with(view.promises(AS_OZZ)).making(count, "vertices"));

    let mut next = times.clone().into_iter().cycle();
    let ozz = Side::new("ozz", move || {
        sample(next.next().unwrap_or(0.0), &mut matrices);
        skin_ozz(&matrices, &mut out);
    });
    let mut next = times.into_iter().cycle();
    let view = Side::new("view", move || {
        own_sample(next.next().unwrap_or(0.0), &mut pose, &mut own_matrices);
        own_skin(&own_matrices, &mut own_out);
    });
    comparisons.push(
        Comparison::new("ozz/sample-and-skin/10k-vertices", ozz).with(view.promises(AS_OZZ)).making(count, "vertices"),
    );
}
