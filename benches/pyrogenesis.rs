//! What reading Pyrogenesis files costs: parsing, bulk reads through the views against plain slices, poses and skinning against
//! plain loops over parsed structs.
//!
//! `cargo bench -p skelmap-bench --bench pyrogenesis` measures everything in about a minute and ends with tables of ratios and rates; with
//! `-- skin` after it, only what matches.

use std::hint::black_box;
use std::time::Duration;

use skelmap::pyrogenesis::{BoneState, IDENTITY, Matrix, Playback, Pmd, Psa, SkinnedVertex, Triangle};
use zerocopy::FromBytes;

use skelmap_bench::compare::{Comparison, Side, Target};
use skelmap_bench::placed::{Placed, native};
use skelmap_bench::pyrogenesis::kernels::{self, NativeState, NativeVertex};
use skelmap_bench::pyrogenesis::parsed::{Animation, Mesh};
use skelmap_bench::run;
use test_support::pyrogenesis::build;

/// Bones of the largest animations in the game's current release.
const BONES: u32 = 58;

/// Bulk reads: as fast as a plain slice, but for the noise; also one byte further on, where a plain slice cannot be.
const AS_PLAIN: Target = Target::Speed(0.95);

/// Computing: no slower than a plain loop over parsed structs, but for the noise.
const AS_PARSED: Target = Target::Speed(0.95);

/// A header and a few counts.
const PARSED: Target = Target::Nanoseconds(100.0);

/// A few frames and a bit, so that every call falls into another frame and place.
const TIME_STEP: f32 = 40.7;

type Comparisons<'a> = Vec<Comparison<'a>>;

fn main() {
    let files = Files::new(if run::measures() { 1 } else { 16 });
    let mut comparisons = Vec::new();
    files.compare_parsing(&mut comparisons);
    files.compare_states(&mut comparisons);
    files.compare_vertices(&mut comparisons);
    files.compare_poses(&mut comparisons);
    files.compare_skins(&mut comparisons);
    run::run(comparisons, Duration::from_millis(200), Duration::from_millis(700));
}

/// Everything that is read. Files that are compared with themselves one byte further on lie in memory twice.
struct Files {
    walk: [Placed; 2],
    in_cache: [Placed; 2],
    in_memory: [Placed; 2],
    no_props: Vec<u8>,
    few_props: Vec<u8>,
    many_props: Vec<u8>,
    meshes: [Placed; 2],
    skins: [(&'static str, [Placed; 2]); 3],
}

impl Files {
    /// Sizes are those that the ids tell, divided by `divisor`.
    fn new(divisor: u32) -> Self {
        let frames = |bytes: u32| bytes / divisor / (BONES * 28);
        let animation = |frames| build::Psa::walk(BONES, frames).build().bytes;
        let with_props = |count| {
            let mut mesh = build::Pmd::grid(32, 32, BONES, 1);
            mesh.props.truncate(count);
            mesh.build().bytes
        };
        let side = 256 / divisor;
        let skin = |influences: usize| {
            let mut mesh = build::Pmd::grid(100 / divisor, 100, BONES, 1);
            for (index, vertex) in (0..).zip(&mut mesh.vertices) {
                let bones = [0, 1, 2, 3].map(|nth: u32| u8::try_from((index + 7 * nth) % BONES).unwrap_or(build::NONE));
                vertex.bones = [build::NONE; 4];
                vertex.bones[..influences].copy_from_slice(&bones[..influences]);
                vertex.weights = [0.5, 0.25, 0.125, 0.125];
            }
            Placed::twice(&mesh.build().bytes)
        };
        Self {
            walk: Placed::twice(&animation(30)),
            in_cache: Placed::twice(&animation(frames(256 << 10))),
            in_memory: Placed::twice(&animation(frames(32 << 20))),
            no_props: with_props(0),
            few_props: with_props(6),
            many_props: with_props(59),
            meshes: Placed::twice(&build::Pmd::grid(side, 256, BONES, 1).build().bytes),
            skins: [
                ("skin/10k-vertices/one-bone", skin(1)),
                ("skin/10k-vertices/two-bones", skin(2)),
                ("skin/10k-vertices/four-bones", skin(4)),
            ],
        }
    }

    fn compare_parsing<'a>(&'a self, comparisons: &mut Comparisons<'a>) {
        let file: &[u8] = &self.walk[0];
        let animation = Side::new("58-bones", move || Psa::parse(black_box(file))).promises(PARSED);
        comparisons.push(Comparison::new("parse/psa", animation));
        let parse = |name, file: &'a [u8]| Side::new(name, move || Pmd::parse(black_box(file)));
        comparisons.push(
            Comparison::new("parse/pmd", parse("no-props", &self.no_props).promises(PARSED))
                .with(parse("6-props", &self.few_props))
                .with(parse("59-props", &self.many_props)),
        );
    }

    fn compare_states<'a>(&'a self, comparisons: &mut Comparisons<'a>) {
        for (path, files) in [("read/states/sum/256KiB", &self.in_cache), ("read/states/sum/32MiB", &self.in_memory)] {
            let [view, off] = files.each_ref().map(|file| psa(file).states());
            let native: &[NativeState] = native(view);
            let sum = |name, view: &'a [BoneState]| Side::new(name, move || kernels::sum(view)).promises(AS_PLAIN);
            comparisons.push(
                Comparison::new(path, Side::new("native", move || kernels::sum(native)))
                    .with(sum("view", view))
                    .with(sum("view+1", off))
                    .over(view),
            );
        }
        let animation = psa(&self.in_cache[0]);
        let native: &[NativeState] = native(animation.states());
        let (bones, bone) = (animation.bone_count(), animation.bone_count() / 2);
        let every = move || native.chunks_exact(bones).map(move |frame| &frame[bone]);
        let track = move || animation.track(bone).expect("the animation has this bone");
        comparisons.push(
            Comparison::new("read/track/one-bone", Side::new("native", move || kernels::sum_one_by_one(every())))
                .with(Side::new("view", move || kernels::sum_one_by_one(track())).promises(AS_PLAIN)),
        );
    }

    fn compare_vertices<'a>(&'a self, comparisons: &mut Comparisons<'a>) {
        let [mesh, off] = self.meshes.each_ref().map(|file| pmd(file));
        let native_vertices = native_vertices(mesh);
        let [view, view_off] = [mesh, off].map(|mesh| mesh.vertices_with::<1>().expect("the mesh has one UV set"));
        comparisons.push(
            Comparison::new("read/vertices/sum", Side::new("native", move || kernels::sum(native_vertices)))
                .with(Side::new("view", move || kernels::sum(view)).promises(AS_PLAIN))
                .with(Side::new("view+1", move || kernels::sum(view_off)).promises(AS_PLAIN))
                .over(native_vertices),
        );
        let strided = |name, mesh: Pmd<'a>| {
            Side::new(name, move || kernels::sum_one_by_one(mesh.vertices().iter())).promises(AS_PLAIN)
        };
        let one_by_one = Side::new("native", move || kernels::sum_one_by_one(native_vertices.iter()));
        comparisons.push(
            Comparison::new("read/vertices/one-by-one", one_by_one)
                .with(Side::new("view", move || kernels::sum_one_by_one(view.iter())).promises(AS_PLAIN))
                .with(strided("strided", mesh))
                .with(strided("strided+1", off))
                .over(native_vertices),
        );
        let faces: &[[u16; 3]] = native(mesh.faces());
        let largest = |name, mesh: Pmd<'a>| {
            Side::new(name, move || kernels::max_index(mesh.faces(), Triangle::vertices)).promises(AS_PLAIN)
        };
        comparisons.push(
            Comparison::new(
                "read/faces/max-index",
                Side::new("native", move || kernels::max_index(faces, |face| *face)),
            )
            .with(largest("view", mesh))
            .with(largest("view+1", off))
            .over(faces),
        );
    }

    fn compare_poses<'a>(&'a self, comparisons: &mut Comparisons<'a>) {
        let [file, off] = self.walk.each_ref().map(|file| psa(file));
        let parsed = Animation::new(&file);
        let pose = |name, file: Psa<'a>| {
            each_time(name, move |time, out| file.pose(time, Playback::Loop, out).is_ok()).promises(AS_PARSED)
        };
        let [mut ours, mut theirs] = [(); 2].map(|()| vec![IDENTITY; file.bone_count()]);
        for time in [0.0, 0.5, 250.0, 999.0] {
            parsed.pose(time, &mut theirs);
            assert!(file.pose(time, Playback::Loop, &mut ours).is_ok() && ours == theirs, "poses differ at {time} ms");
        }
        let plain = each_time("parsed", move |time, out| parsed.pose(time, out));
        comparisons.push(
            Comparison::new("pose/58-bones", plain)
                .with(pose("view", file))
                .with(pose("view+1", off))
                .making(BONES, "bones"),
        );
    }

    fn compare_skins<'a>(&'a self, comparisons: &mut Comparisons<'a>) {
        let matrices = skin_matrices(psa(&self.walk[0]), pmd(&self.skins[0].1[0]));
        for (path, files) in &self.skins {
            let [mesh, off] = files.each_ref().map(|file| pmd(file));
            let parsed = Mesh::new(&mesh);
            let buffer = vec![SkinnedVertex::default(); mesh.vertices().len()];
            let count = u32::try_from(buffer.len()).expect("a mesh has fewer than 2^32 vertices");
            let [mut ours, mut theirs] = [buffer.clone(), buffer.clone()];
            parsed.skin(&matrices, &mut theirs);
            assert!(mesh.skin(&matrices, &mut ours).is_ok() && ours == theirs, "skins differ");
            let skin = |name, mesh: Pmd<'a>| {
                let (matrices, mut out) = (matrices.clone(), buffer.clone());
                Side::new(name, move || mesh.skin(&matrices, &mut out).is_ok()).promises(AS_PARSED)
            };
            let (view, view_off) = (skin("view", mesh), skin("view+1", off));
            let (matrices, mut out) = (matrices.clone(), buffer);
            let plain = Side::new("parsed", move || parsed.skin(&matrices, &mut out));
            comparisons.push(Comparison::new(path, plain).with(view).with(view_off).making(count, "vertices"));
        }
    }
}

fn psa(bytes: &[u8]) -> Psa<'_> {
    Psa::parse(bytes).expect("the animation is sound")
}

fn pmd(bytes: &[u8]) -> Pmd<'_> {
    Pmd::parse(bytes).expect("the mesh is sound")
}

/// The vertices as a plain slice, over the same memory.
fn native_vertices(mesh: Pmd<'_>) -> &[NativeVertex] {
    let [vertices, ..] = mesh.sections();
    let [start, length] =
        [vertices.offset, vertices.bytes].map(|number| usize::try_from(number).expect("it is in memory"));
    <[NativeVertex]>::ref_from_bytes(&mesh.bytes()[start..][..length]).expect("the first copy of each file is aligned")
}

/// A side that computes one pose after the other of a loop, each into the same buffer.
fn each_time<'a, T>(name: &'static str, mut pose: impl FnMut(f32, &mut [Matrix]) -> T + 'a) -> Side<'a> {
    let (mut time, mut out) = (0.0, [IDENTITY; BONES as usize]);
    Side::new(name, move || {
        time = if time < 900.0 { time + TIME_STEP } else { 0.0 };
        pose(time, &mut out)
    })
}

/// The matrices of a pose, for a mesh.
fn skin_matrices(animation: Psa<'_>, mesh: Pmd<'_>) -> Vec<Matrix> {
    let [mut pose, mut inverse_bind] = [(); 2].map(|()| vec![IDENTITY; animation.bone_count()]);
    let mut matrices = vec![IDENTITY; mesh.skin_matrix_count()];
    animation
        .pose(250.0, Playback::Loop, &mut pose)
        .and_then(|()| mesh.inverse_bind_pose(&mut inverse_bind))
        .and_then(|()| mesh.skin_matrices(&pose, &inverse_bind, &mut matrices))
        .expect("mesh and animation have as many bones");
    matrices
}
