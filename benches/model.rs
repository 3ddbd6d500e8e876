//! What sampling, posing and skinning cost through the model of all families, against plain loops over parsed vectors.
//!
//! `cargo bench -p skelmap-bench --bench model` measures everything in about a minute and ends with the tables. `SKELMAP_SAMPLES` names a
//! folder with real files; without it, files of the same shape are generated. The program in `benches/ozz` measures the
//! same against `ozz-animation-rs`.

use std::cell::RefCell;
use std::path::Path;
use std::time::Duration;

use skelmap::actorx::{AnimKey, Psa};
use skelmap::mapping::Mapping;
use skelmap::model::{Binding, Clip, IDENTITY, Matrix, Mesh, Skin, Transform, Wrap};
use skelmap::{Asset, Track};

use skelmap_bench::compare::{Comparison, Side, Target};
use skelmap_bench::model::plain::{self, PlainClip, PlainMesh, PlainTable};
use skelmap_bench::model::scenes::{self, INFLUENCES, MANY_FRAMES};
use skelmap_bench::{open, run};

/// As fast as the plain loop, but for the noise.
const AS_PLAIN: Target = Target::Speed(0.95);

/// Any part of the speed of a copy: the figure says which.
const OF_COPY: Target = Target::Speed(0.0);

/// More than caches hold.
const MEMORY: usize = 128 << 20;

type Comparisons<'a> = Vec<Comparison<'a>>;

fn main() {
    let small = map(&scenes::animation_of_58_bones());
    let large = scenes::pair_of_481_bones().map(|path| map(&path));
    let skinned = scenes::pair_of_10_000_vertices().map(|path| map(&path));
    let long = map(&scenes::animation_of_many_frames());

    let small = parse(&small);
    let small = clip_of(&small);
    let [animation, mesh] = large.each_ref().map(|file| parse(file));
    let large = Bound::new(&animation, &mesh);
    let [animation, mesh] = skinned.each_ref().map(|file| parse(file));
    let skinned = Bound::new(&animation, &mesh);

    let mut comparisons = Vec::new();
    compare_clip(["sample/58-bones", "sample-exact/58-bones"], &small, &mut comparisons);
    compare_clip(["sample/547-tracks", "sample-exact/547-tracks"], &large.clip, &mut comparisons);
    compare_binding("sample/481-bones", &large, &mut comparisons);
    compare_skinning(&skinned, &mut comparisons);
    compare_tracks(&long, &mut comparisons);
    run::run(comparisons, Duration::from_millis(200), Duration::from_millis(700));
}

fn map(path: &Path) -> Mapping<'static> {
    open::map(path)
}

fn parse(bytes: &[u8]) -> Asset<'_> {
    Asset::parse(bytes).expect("the file is sound")
}

fn clip_of<'a>(asset: &Asset<'a>) -> Clip<'a> {
    asset.clips().next().expect("the animation has a clip")
}

/// An animation bound to a mesh, and both parsed.
struct Bound<'a> {
    clip: Clip<'a>,
    mesh: Mesh<'a>,
    binding: Binding,
    skin: Skin,
    plain_clip: PlainClip,
    plain_table: PlainTable,
    plain_mesh: PlainMesh,
}

impl<'a> Bound<'a> {
    fn new(animation: &Asset<'a>, mesh: &'a Asset<'a>) -> Self {
        let (clip, mesh) = (clip_of(animation), mesh.mesh().expect("the file has a mesh"));
        let skin = Skin::new(&mesh, INFLUENCES).expect("the mesh can be skinned");
        assert_eq!(skin.influences().width(), INFLUENCES, "points have as many influences");
        let binding = Binding::new(&mesh, &clip);
        Self {
            plain_clip: PlainClip::new(&clip),
            plain_table: plain::table(&binding, &skin),
            plain_mesh: PlainMesh::new(&mesh, &skin),
            clip,
            mesh,
            binding,
            skin,
        }
    }

    fn pose(&self) -> Vec<Transform> {
        vec![Transform::IDENTITY; self.mesh.bone_count()]
    }

    fn random_times(&self) -> Vec<f64> {
        random_times(&self.clip)
    }
}

fn random_times(clip: &Clip<'_>) -> Vec<f64> {
    scenes::random_times(clip.duration().expect("the clip has a rate"))
}

fn compare_clip<'a>([path, exact]: [&'static str; 2], clip: &'a Clip<'a>, comparisons: &mut Comparisons<'a>) {
    let parsed = PlainClip::new(clip);
    let same = PlainClip::new(clip);
    let bones = vec![Transform::IDENTITY; clip.track_count()];
    let sample = move |seconds, out: &mut [Transform]| clip.sample(seconds, Wrap::Clamp, out).expect("valid");
    let plain = move |seconds, out: &mut [Transform]| parsed.sample(seconds, out);
    comparisons.push(compare_samplers(path, random_times(clip), &bones, plain, sample));
    let plain = move |seconds, out: &mut [Transform]| same.sample_exact(seconds, out);
    comparisons.push(compare_samplers(exact, random_times(clip), &bones, plain, sample));
}

fn compare_binding<'a>(path: &'static str, bound: &'a Bound<'a>, comparisons: &mut Comparisons<'a>) {
    let Bound { clip, binding, plain_clip, plain_table, .. } = bound;
    let sample = |seconds, out: &mut [Transform]| binding.sample(clip, seconds, Wrap::Clamp, out).expect("valid");
    let plain = |seconds, out: &mut [Transform]| plain_clip.sample_bound(plain_table, seconds, out);
    comparisons.push(compare_samplers(path, bound.random_times(), &bound.pose(), plain, sample));
}

/// Both ways to sample at many times.
fn compare_samplers<'a>(
    path: &'static str,
    times: Vec<f64>,
    bones: &[Transform],
    plain: impl Fn(f64, &mut [Transform]) + 'a,
    view: impl Fn(f64, &mut [Transform]) + 'a,
) -> Comparison<'a> {
    let [mut own, mut other] = [bones.to_vec(), bones.to_vec()];
    for &seconds in &times {
        view(seconds, &mut own);
        plain(seconds, &mut other);
        check_alike(&own, &other);
    }
    let count = u32::try_from(times.len() * bones.len()).expect("some thousands");
    let other_times = times.clone();
    let plain = Side::new("parsed", move || other_times.iter().for_each(|&seconds| plain(seconds, &mut other)));
    let view = Side::new("view", move || times.iter().for_each(|&seconds| view(seconds, &mut own)));
    Comparison::new(path, plain).with(view.promises(AS_PLAIN)).making(count, "bones")
}

/// The plain loop takes the line between two rotations for the arc.
fn check_alike(own: &[Transform], other: &[Transform]) {
    for (own, other) in own.iter().zip(other) {
        let cosine: f32 = own.rotation.iter().zip(other.rotation).map(|(own, other)| own * other).sum();
        assert!(cosine.abs() > 0.999, "rotations differ: {own:?}, {other:?}");
        let differ = |(own, other): (f32, f32)| (own - other).abs() > 1e-3 * own.abs().max(1.0);
        assert!(!own.translation.into_iter().zip(other.translation).any(differ), "translations differ");
    }
}

fn compare_skinning<'a>(bound: &'a Bound<'a>, comparisons: &mut Comparisons<'a>) {
    let Bound { clip, mesh, binding, skin, plain_clip, plain_mesh, .. } = bound;
    let points = u32::try_from(mesh.point_count()).expect("some thousands");
    let state = || {
        let matrices = vec![IDENTITY; skin.matrix_count()];
        RefCell::new(State {
            pose: bound.pose(),
            model: matrices.clone(),
            matrices,
            out: vec![[0.0; 3]; points as usize],
        })
    };
    let view = |state: &mut State, seconds| {
        binding.sample(clip, seconds, Wrap::Clamp, &mut state.pose).expect("valid");
        skin.matrices(&state.pose, &mut state.matrices).expect("valid");
    };
    let plain = |state: &mut State, seconds| {
        plain_clip.sample(seconds, &mut state.pose);
        plain_mesh.matrices(&state.pose, &mut state.model, &mut state.matrices);
    };
    let skin_view = |state: &mut State| skin.positions(mesh, &state.matrices, &mut state.out).expect("valid");
    let skin_plain = |state: &mut State| plain_mesh.skin(&state.matrices, &mut state.out);
    let times = bound.random_times();

    let (own, other) = (state(), state());
    for &seconds in &times {
        let (own, other) = (&mut *own.borrow_mut(), &mut *other.borrow_mut());
        view(own, seconds);
        skin_view(own);
        plain(other, seconds);
        skin_plain(other);
        let same =
            |(own, other): (&[f32; 3], &[f32; 3])| own.iter().zip(other).all(|(own, other)| (own - other).abs() < 0.01);
        assert!(own.out.iter().zip(&other.out).all(same), "positions differ");
    }

    // Every run takes the next time.
    let mut next = times.clone().into_iter().cycle();
    let mut whole = own.clone().into_inner();
    let view_whole = Side::new("view", move || {
        view(&mut whole, next.next().unwrap_or(0.0));
        skin_view(&mut whole);
    });
    let mut next = times.into_iter().cycle();
    let mut whole = other.clone().into_inner();
    let plain_whole = Side::new("parsed", move || {
        plain(&mut whole, next.next().unwrap_or(0.0));
        skin_plain(&mut whole);
    });
    comparisons.push(
        Comparison::new("sample-and-skin/10k-vertices", plain_whole)
            .with(view_whole.promises(AS_PLAIN))
            .making(points, "vertices"),
    );

    let skin_side = |name, from: &RefCell<State>| {
        let mut state = from.clone().into_inner();
        Side::new(name, move || skin_view(&mut state))
    };
    let mut state = other.clone().into_inner();
    comparisons.push(
        Comparison::new("skin/10k-vertices", Side::new("parsed", move || skin_plain(&mut state)))
            .with(skin_side("view", &own).promises(AS_PLAIN))
            .making(points, "vertices"),
    );
    // A copy reads as much as it writes: once within the cache, where skinning works, once through main memory.
    let bytes = plain_mesh.bytes() / 2;
    for (path, size) in [("cache/10k-vertices", bytes), ("memory/10k-vertices", MEMORY)] {
        let from = vec![1_u8; size];
        let mut to = from.clone();
        let mut at = 0;
        let copy = move || {
            at = if at + 2 * bytes > size { 0 } else { at + bytes };
            to[at..][..bytes].copy_from_slice(&std::hint::black_box(&from)[at..][..bytes]);
            std::hint::black_box(&mut to);
        };
        comparisons
            .push(Comparison::new(path, Side::new("copy", copy)).with(skin_side("skin", &own).promises(OF_COPY)));
    }
}

/// What skinning writes to.
#[derive(Clone)]
struct State {
    pose: Vec<Transform>,
    model: Vec<Matrix>,
    matrices: Vec<Matrix>,
    out: Vec<[f32; 3]>,
}

fn compare_tracks<'a>(file: &'a [u8], comparisons: &mut Comparisons<'a>) {
    let sequence = Psa::parse(file).expect("sound").sequence_at(0).expect("the animation has a sequence");
    assert_eq!(sequence.frame_count(), usize::from(MANY_FRAMES));
    let bones = sequence.bone_count();
    let keys: Vec<[f32; 8]> = sequence.keys().iter().map(lanes).collect();
    let bone = bones / 2;
    let track = move || sequence.track(bone).expect("the animation has this bone");
    let strided = move || sum(keys.chunks_exact(bones).map(|frame| frame[bone]));
    assert_eq!(sum(track().map(lanes)), strided(), "sums differ");
    comparisons.push(
        Comparison::new("track/34001-frames", Side::new("strided", strided))
            .with(Side::new("view", move || sum_of_track(track())).promises(AS_PLAIN))
            .making(MANY_FRAMES.into(), "keys"),
    );
}

#[inline(never)]
fn sum_of_track(track: Track<'_, AnimKey>) -> [f32; 8] {
    sum(track.map(lanes))
}

#[inline]
fn lanes(key: &AnimKey) -> [f32; 8] {
    let ([x, y, z], [i, j, k, w]) = (key.translation(), key.rotation());
    [x, y, z, i, j, k, w, key.time()]
}

#[inline]
fn sum(keys: impl Iterator<Item = [f32; 8]>) -> [f32; 8] {
    keys.fold([0.0; 8], |mut sums, key| {
        sums.iter_mut().zip(key).for_each(|(sum, value)| *sum += value);
        sums
    })
}
