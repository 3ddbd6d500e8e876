//! What reading `ActorX` files costs: opening, parsing, and bulk reads through the views against plain slices.
//!
//! `cargo bench -p skelmap-bench --bench actorx` measures everything in about three minutes and ends with a table of
//! ratios; with `-- read/wedges` after it, only what matches. A file of 1 GiB is written once, into the target folder.

use std::hint::black_box;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use skelmap::Track;
use skelmap::actorx::{AnimKey, Psa, Psk, Sequence};
use skelmap::mapping::Mapping;

use skelmap_bench::compare::{Comparison, Side, Target};
use skelmap_bench::files::{self, BONES};
use skelmap_bench::kernels::{self, NativeKey};
use skelmap_bench::placed::{Placed, native};
use skelmap_bench::{open, parsed, run};

/// Bulk reads: as fast as a plain slice, but for the noise.
const AS_PLAIN: Target = Target::Speed(0.95);

/// One byte further on, where a plain slice cannot be. The instructions are the same; some processors load a little slower.
const OFF_BY_ONE: Target = Target::Speed(0.95);

/// A few chunk headers, whatever the size of the chunks.
const PARSED: Target = Target::Nanoseconds(500.0);

type Comparisons<'a> = Vec<Comparison<'a>>;

fn main() {
    let files = Files::new(if run::measures() { 1 } else { 256 }).expect("the target folder can be written to");
    let mut comparisons = Vec::new();
    files.compare_opening(&mut comparisons);
    files.compare_parsing(&mut comparisons);
    files.compare_keys(&mut comparisons);
    files.compare_frames_and_tracks(&mut comparisons);
    files.compare_meshes(&mut comparisons);
    run::run(comparisons, Duration::from_millis(300), Duration::from_secs(1));
}

/// Everything that is read. Files that are compared with themselves one byte further on lie in memory twice.
struct Files {
    large_path: PathBuf,
    large: Mapping<'static>,
    one_sequence: Vec<u8>,
    small: Vec<u8>,
    in_cache: [Placed; 2],
    in_memory: [Placed; 2],
    meshes: [Placed; 2],
    mesh_of_16_bit_points: [Placed; 2],
    indices: Vec<usize>,
}

impl Files {
    /// Sizes are those that the ids tell, divided by `divisor`.
    fn new(divisor: usize) -> io::Result<Self> {
        let size = |size: usize| size / divisor;
        let large_path = files::animation_file(&format!("{}-MiB.psa", size(1024)), size(1 << 30))?;
        let in_memory = files::animation(size(64 << 20));
        let indices = files::random_indices(size(1 << 20), psa(&in_memory).keys().len());
        let side = if divisor == 1 { 1024 } else { 64 };
        Ok(Self {
            large: open::map(&large_path),
            large_path,
            one_sequence: files::animation(30 * BONES * size_of::<AnimKey>()),
            small: files::animation(1 << 20),
            in_cache: Placed::twice(&files::animation(256 << 10)),
            in_memory: Placed::twice(&in_memory),
            meshes: Placed::twice(&files::mesh(side)),
            mesh_of_16_bit_points: Placed::twice(&files::mesh_of_16_bit_points(side * side)),
            indices,
        })
    }

    fn compare_opening<'a>(&'a self, comparisons: &mut Comparisons<'a>) {
        let path = &self.large_path;
        let skelmap = Side::new("skelmap", || Psa::parse(&open::map(path)).is_ok()).promises(Target::Time(1.2));
        let bare = Side::new("bare", || open::bare(path).is_some());
        comparisons.push(Comparison::new("open/psa/1GiB", bare).with(skelmap));
    }

    fn compare_parsing<'a>(&'a self, comparisons: &mut Comparisons<'a>) {
        let parse = |name, bytes: &'a [u8]| Side::new(name, move || Psa::parse(black_box(bytes))).promises(PARSED);
        let animations = Comparison::new("parse/psa", parse("1MiB", &self.small))
            .with(parse("one-sequence", &self.one_sequence))
            .with(parse("1GiB", &self.large).promises(Target::Time(1.1)));
        let mesh: &[u8] = &self.meshes[0];
        let meshes = Side::new("1M-points", move || Psk::parse(black_box(mesh))).promises(PARSED);
        comparisons.extend([animations, Comparison::new("parse/psk", meshes)]);
    }

    fn compare_keys<'a>(&'a self, comparisons: &mut Comparisons<'a>) {
        let [cached, cached_off] = self.in_cache.each_ref().map(|file| psa(file).keys());
        let [keys, keys_off] = self.in_memory.each_ref().map(|file| psa(file).keys());
        let large = psa(&self.large).keys();
        let indices = self.indices.as_slice();

        let sums = |path, view: &'a [AnimKey]| {
            let native: &[NativeKey] = native(view);
            Comparison::new(path, Side::new("native", move || kernels::sum(native)))
                .with(Side::new("view", move || kernels::sum(view)).promises(AS_PLAIN))
                .over(view)
        };
        let sum_off = |view| Side::new("view+1", move || kernels::sum(view)).promises(OFF_BY_ONE);
        comparisons.push(sums("read/keys/sum/256KiB", cached).with(sum_off(cached_off)));
        comparisons.push(sums("read/keys/sum/64MiB", keys).with(sum_off(keys_off)));
        comparisons.push(sums("read/keys/sum/1GiB", large));

        let native: &[NativeKey] = native(keys);
        comparisons.push(
            Comparison::new("read/keys/minmax/64MiB", Side::new("native", move || kernels::min_max(native)))
                .with(Side::new("view", move || kernels::min_max(keys)).promises(AS_PLAIN))
                .with(Side::new("view+1", move || kernels::min_max(keys_off)).promises(OFF_BY_ONE))
                .over(keys),
        );
        comparisons.push(
            Comparison::new("read/keys/random/64MiB", Side::new("native", move || kernels::gather(native, indices)))
                .with(Side::new("view", move || kernels::gather(keys, indices)).promises(AS_PLAIN))
                .with(Side::new("view+1", move || kernels::gather(keys_off, indices)).promises(OFF_BY_ONE)),
        );

        let path = &self.large_path;
        let parsed = Side::new("parse-into-vec", || parsed::read_keys(path).map(|keys| kernels::sum(&keys)));
        let mapped = Side::new("map-and-view", || kernels::sum(psa(&open::map(path)).keys()));
        comparisons.push(
            Comparison::new("read/file/sum/1GiB", parsed).with(mapped.promises(Target::Speed(10.0))).over(large).slow(),
        );
    }

    fn compare_frames_and_tracks<'a>(&'a self, comparisons: &mut Comparisons<'a>) {
        for (frames, track, file) in [
            ("read/frames/1MiB", "read/track/one-bone/1MiB", self.small.as_slice()),
            ("read/frames/64MiB", "read/track/one-bone/64MiB", &self.in_memory[0]),
        ] {
            let sequence = sequence(file);
            let native: &[NativeKey] = native(sequence.keys());
            comparisons.push(
                Comparison::new(
                    frames,
                    Side::new("native", move || kernels::sum_of_frames(native.chunks_exact(BONES))),
                )
                .with(Side::new("view", move || kernels::sum_of_frames(frames_of(sequence))).promises(AS_PLAIN))
                .over(native),
            );
            let bone = BONES / 2;
            let every = move || native.chunks_exact(BONES).map(move |frame| &frame[bone]);
            comparisons.push(
                Comparison::new(track, Side::new("native", move || kernels::sum_of_track(every()))).with(
                    Side::new("view", move || kernels::sum_of_track(track_of(sequence, bone))).promises(AS_PLAIN),
                ),
            );
        }
    }

    fn compare_meshes<'a>(&'a self, comparisons: &mut Comparisons<'a>) {
        let [mesh, off] = self.meshes.each_ref().map(|file| psk(file));
        let points: &[[f32; 3]] = native(mesh.points());
        comparisons.push(
            Comparison::new("read/points/sum/1M", Side::new("native", move || kernels::sum_points(points)))
                .with(Side::new("view", move || kernels::sum_points(mesh.points())).promises(AS_PLAIN))
                .with(Side::new("view+1", move || kernels::sum_points(off.points())).promises(OFF_BY_ONE))
                .over(points),
        );
        let wedges: &[[u32; 4]] = native(mesh.wedges());
        let largest = move || kernels::max_index(wedges, |[index, ..]| *index);
        comparisons.push(
            Comparison::new("read/wedges/max-index/32-bit", Side::new("native", largest))
                .with(Side::new("view", move || kernels::max_point_index(&mesh)).promises(AS_PLAIN))
                .with(Side::new("view+1", move || kernels::max_point_index(&off)).promises(OFF_BY_ONE))
                .over(wedges),
        );
        let [mesh, off] = self.mesh_of_16_bit_points.each_ref().map(|file| psk(file));
        let wedges: &[[u16; 8]] = native(mesh.wedges());
        let largest = move || kernels::max_index(wedges, |[index, ..]| u32::from(*index));
        comparisons.push(
            Comparison::new("read/wedges/max-index/16-bit", Side::new("native", largest))
                .with(Side::new("view", move || kernels::max_point_index(&mesh)).promises(AS_PLAIN))
                .with(Side::new("view+1", move || kernels::max_point_index(&off)).promises(OFF_BY_ONE))
                .over(wedges),
        );
    }
}

fn psa(bytes: &[u8]) -> Psa<'_> {
    Psa::parse(bytes).expect("the animation is sound")
}

fn psk(bytes: &[u8]) -> Psk<'_> {
    Psk::parse(bytes).expect("the mesh is sound")
}

fn sequence(bytes: &[u8]) -> Sequence<'_> {
    psa(bytes).sequence_at(0).expect("the animation has a sequence")
}

fn frames_of(sequence: Sequence<'_>) -> impl Iterator<Item = &[AnimKey]> {
    (0..sequence.frame_count()).filter_map(move |frame| sequence.frame(frame).ok())
}

fn track_of(sequence: Sequence<'_>, bone: usize) -> Track<'_, AnimKey> {
    sequence.track(bone).expect("the animation has this bone")
}
