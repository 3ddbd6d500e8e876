//! What reading SWAT 3 files costs: parsing, which has to find the end of the skeleton first, also in files made to waste time;
//! bulk reads through the views against plain vectors; frames by number, and an edit.
//!
//! `cargo bench -p skelmap-bench --bench swat3` measures everything in less than a minute and ends with the table of ratios; with `-- parse` after
//! it, only what matches.

use std::hint::black_box;
use std::time::Duration;

use skelmap::swat3::{FrameIndex, Gsa, Quat};
use skelmap_write::edit::GsaEdit;

use skelmap_bench::compare::{Comparison, Side, Target};
use skelmap_bench::placed::{Placed, native};
use skelmap_bench::pyrogenesis::kernels::sum_one_by_one;
use skelmap_bench::run;
use skelmap_bench::swat3::build::{self, Frames};
use skelmap_bench::swat3::kernels::{self, NativeQuat};

/// Bones of the game's officers.
const BONES: u16 = 52;

/// About as many as a skeleton can have: long loops, whose time does not hang on how a processor predicts the ends of short ones.
const MANY_BONES: u16 = 1000;

/// Floats of a frame before its rotations.
const HEAD: usize = 10;

/// Bulk reads: as fast as a plain slice, but for the noise; also one byte further on, where a plain slice cannot be.
const AS_PLAIN: Target = Target::Speed(0.95);

/// All of a small file, read once.
const PARSED: Target = Target::Nanoseconds(5e3);

/// A file that is no animation, but all of which looks like the start of one.
const REJECTED: Target = Target::Nanoseconds(10e6);

type Comparisons<'a> = Vec<Comparison<'a>>;

fn main() {
    let files = Files::new(if run::measures() { 1 } else { 16 });
    let mut comparisons = Vec::new();
    files.compare_parsing(&mut comparisons);
    files.compare_rotations(&mut comparisons);
    files.compare_frames(&mut comparisons);
    files.compare_edits(&mut comparisons);
    run::run(comparisons, Duration::from_millis(200), Duration::from_millis(700));
}

/// Everything that is read.
struct Files {
    small: Vec<u8>,
    events: Vec<u8>,
    no_events: Vec<u8>,
    hostile: [(&'static str, Vec<u8>); 3],
    in_cache: Bulk,
    in_memory: Bulk,
    alike: Vec<u8>,
    varying: Vec<u8>,
    index: FrameIndex,
}

impl Files {
    /// Sizes are those that the ids tell, those of the large files divided by `divisor`.
    fn new(divisor: usize) -> Self {
        let (cached, large, hostile) = ((256 << 10) / divisor, (32 << 20) / divisor, 1_000_000 / divisor);
        let medium = |kind| build::Gsa { bones: BONES, frames: 20, kind }.build();
        let many_frames = |kind| build::Gsa::of_size(BONES, cached, kind).build();
        let varying = many_frames(Frames::Events);
        Self {
            small: build::Gsa { bones: BONES, frames: 4, kind: Frames::Plain }.build(),
            events: medium(Frames::Events),
            no_events: medium(Frames::NoEvents),
            hostile: [
                ("1MB-4.1", build::all_starts(1, hostile)),
                ("1MB-4.2", build::all_starts(2, hostile)),
                ("1MB-all-FF", build::all_markers(hostile)),
            ],
            in_cache: Bulk::new(cached),
            in_memory: Bulk::new(large),
            alike: many_frames(Frames::Plain),
            index: gsa(&varying).to_index().expect("frames differ in length"),
            varying,
        }
    }

    fn compare_parsing<'a>(&'a self, comparisons: &mut Comparisons<'a>) {
        let parse = |name, file: &'a [u8]| {
            assert!(Gsa::parse(file).is_ok(), "{name} is sound");
            Side::new(name, move || Gsa::parse(black_box(file)))
        };
        let reject = |(name, file): &'a (&'static str, Vec<u8>)| {
            assert!(Gsa::parse(file).is_err(), "{name} is no animation");
            Side::new(name, move || Gsa::parse(black_box(file))).promises(REJECTED)
        };
        comparisons
            .push(Comparison::new("parse/gsa/4.1", parse("6kB", &self.small).promises(PARSED)).over(&self.small));
        comparisons.push(
            Comparison::new("parse/gsa/4.2", parse("20kB-events", &self.events))
                .with(parse("20kB-no-events", &self.no_events))
                .over(&self.no_events),
        );
        let [plain, with_events, markers] = self.hostile.each_ref().map(reject);
        comparisons
            .push(Comparison::new("parse/gsa/hostile", plain).with(with_events).with(markers).over(&self.hostile[0].1));
        let animation = gsa(&self.small);
        let bones = animation.infer_layout().map(|inference| inference.bones);
        assert_eq!(bones, Ok(BONES.into()), "the layout can be inferred");
        let infer = Side::new("52-bones", move || black_box(&animation).infer_layout());
        comparisons.push(Comparison::new("infer/gsa", infer));
    }

    fn compare_rotations<'a>(&'a self, comparisons: &mut Comparisons<'a>) {
        for (path, bulk) in
            [("read/rotations/sum/256KiB", &self.in_cache), ("read/rotations/sum/32MiB", &self.in_memory)]
        {
            let sum_plain = || kernels::sum_of_frames(bulk.plain.chunks_exact(MANY_BONES.into()));
            let sum = |name, file: &'a [u8]| {
                let view = gsa(file);
                let sum = move || kernels::sum_of_frames(view.frames().map(|frame| frame.rotations()));
                assert_eq!(sum(), sum_plain(), "sums differ");
                Side::new(name, sum).promises(AS_PLAIN)
            };
            let [view, off] = &bulk.files;
            comparisons.push(
                Comparison::new(path, Side::new("native", sum_plain))
                    .with(sum("view", view))
                    .with(sum("view+1", off))
                    .over(&bulk.plain),
            );
        }
        let animation = gsa(&self.alike);
        let frames = floats(animation);
        let floats = frames.clone();
        let (bone, stride) = (animation.rotation_count() / 2, HEAD + 4 * animation.rotation_count());
        let track = move || sum_one_by_one(animation.track(bone).expect("the animation has this bone"));
        let strided = move || {
            let rotation = |frame: &[f32]| frame[HEAD + 4 * bone..].first_chunk::<4>().copied();
            sum_one_by_one(frames.chunks_exact(stride).filter_map(rotation))
        };
        assert_eq!(track(), strided(), "sums differ");
        comparisons.push(
            Comparison::new("read/track/one-bone", Side::new("native", strided))
                .with(Side::new("view", track).promises(AS_PLAIN)),
        );
        let whole = move || kernels::fold_by_turns(animation.track(bone).expect("the animation has this bone"));
        let strided = move || {
            let rotation = |frame: &[f32]| frame[HEAD + 4 * bone..].first_chunk::<4>().copied();
            kernels::fold_by_turns(floats.chunks_exact(stride).filter_map(rotation))
        };
        comparisons.push(
            Comparison::new("read/track/one-bone-fold", Side::new("native", strided))
                .with(Side::new("view", whole).promises(AS_PLAIN)),
        );
    }

    fn compare_frames<'a>(&'a self, comparisons: &mut Comparisons<'a>) {
        let [plain, varying] = [gsa(&self.alike), gsa(&self.varying).with_index(&self.index)];
        assert!(plain.frame_size().is_some() && varying.frame_size().is_none(), "events make frames differ in length");
        let count = u32::try_from(varying.frame_count()).expect("a short counts the frames");
        let walk = Side::new("4.2-events", move || kernels::walk(black_box(&varying)));
        comparisons.push(Comparison::new("read/frames/walk", walk).making(count, "frames"));
        let random = |name, animation: Gsa<'a>| {
            let mut next = scattered(animation.frame_count());
            Side::new(name, move || animation.frame(next()).map(|frame| frame.rotations()))
        };
        comparisons.push(Comparison::new("frame/random", random("4.1", plain)).with(random("4.2-indexed", varying)));
    }

    fn compare_edits<'a>(&'a self, comparisons: &mut Comparisons<'a>) {
        let animation = gsa(&self.events);
        let mut edited = Vec::with_capacity(2 * self.events.len());
        let add = Side::new("20kB", move || {
            edited.clear();
            let mut edit = GsaEdit::new(&animation);
            let added = edit.add_event(12, black_box("sound=cuff")).and_then(|edit| edit.write(&mut edited));
            assert!(added.is_ok(), "the event can be added");
            edited.len()
        });
        comparisons.push(Comparison::new("edit/add-event", add).over(&self.events));
    }
}

/// An animation in memory twice, aligned and one byte further on, and its rotations alone as a plain vector.
struct Bulk {
    files: [Placed; 2],
    plain: Vec<NativeQuat>,
}

impl Bulk {
    /// About so many bytes of frames.
    fn new(bytes: usize) -> Self {
        let files = Placed::twice(&build::Gsa::of_size(MANY_BONES, bytes, Frames::Plain).build());
        let frames: Vec<&[NativeQuat]> = gsa(&files[0]).frames().map(|frame| native(frame.rotations())).collect();
        Self { plain: frames.concat(), files }
    }
}

fn gsa(bytes: &[u8]) -> Gsa<'_> {
    Gsa::parse(bytes).expect("the animation is sound")
}

/// All frames as floats, of which each has as many.
fn floats(animation: Gsa<'_>) -> Vec<f32> {
    let frames = animation.frames().map(|frame| {
        let rotations = frame.rotations().iter().flat_map(Quat::get);
        let head = frame.head();
        head.origin().into_iter().chain(head.rotation()).chain(head.root_offset()).chain(rotations).collect()
    });
    frames.collect::<Vec<Vec<f32>>>().concat()
}

/// Numbers below a count, without order.
fn scattered(count: usize) -> impl FnMut() -> usize {
    let mut state = 1_usize;
    move || {
        state = state.wrapping_mul(0x5851_F42D).wrapping_add(0x3039) & 0xFFFF_FFFF;
        (state >> 8) % count
    }
}
