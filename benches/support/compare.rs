//! Sides that do the same thing in different ways, and how they are measured: by criterion each on its own, then in turns.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, SamplingMode, Throughput};

/// Turns that two sides take, and those that slow sides take.
const ROUNDS: usize = 41;
const SLOW_ROUNDS: usize = 15;

/// What a side does in one turn lasts at least this long, so that the clock does not matter.
const TURN: Duration = Duration::from_millis(4);

/// What a side promises.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// At least this many times as fast as the reference.
    Speed(f64),
    /// At most this many times as long as the reference takes.
    Time(f64),
    /// At most this many nanoseconds.
    Nanoseconds(f64),
}

impl Target {
    /// Whether this is about the reference, too.
    fn is_relative(&self) -> bool {
        !matches!(self, Self::Nanoseconds(_))
    }
}

/// One way to do it.
pub struct Side<'a> {
    pub name: &'static str,
    pub targets: Vec<Target>,
    run: Box<dyn FnMut() + 'a>,
    measured: bool,
}

impl<'a> Side<'a> {
    pub fn new<T>(name: &'static str, mut run: impl FnMut() -> T + 'a) -> Self {
        let run = Box::new(move || drop(black_box(run())));
        Self { name, targets: Vec::new(), run, measured: false }
    }

    pub fn promises(mut self, target: Target) -> Self {
        self.targets.push(target);
        self
    }

    /// Time per run over `runs` runs.
    fn time(&mut self, runs: u32) -> f64 {
        let start = Instant::now();
        for _ in 0..runs {
            (self.run)();
        }
        start.elapsed().as_secs_f64() * 1e9 / f64::from(runs)
    }

    /// Number of runs that fill a turn.
    fn runs(&mut self) -> u32 {
        let mut runs = 1;
        while self.time(runs) * f64::from(runs) < TURN.as_secs_f64() * 1e9 && runs < 1 << 20 {
            runs *= 2;
        }
        runs
    }
}

/// What a run makes.
#[derive(Clone, Copy, Debug)]
pub struct Items {
    pub count: u32,
    pub unit: &'static str,
}

/// Sides of one benchmark: ids are `path/side`.
pub struct Comparison<'a> {
    pub path: &'static str,
    pub reference: Side<'a>,
    pub others: Vec<Side<'a>>,
    bytes: Option<u64>,
    pub items: Option<Items>,
    slow: bool,
}

impl<'a> Comparison<'a> {
    pub fn new(path: &'static str, reference: Side<'a>) -> Self {
        Self { path, reference, others: Vec::new(), bytes: None, items: None, slow: false }
    }

    pub fn with(mut self, side: Side<'a>) -> Self {
        self.others.push(side);
        self
    }

    /// How many bytes each side reads, for criterion to state a throughput.
    pub fn over<T>(mut self, records: &[T]) -> Self {
        self.bytes = Some(size_of_val(records) as u64);
        self
    }

    /// How many items each side makes in a run, for the last table to state a rate.
    pub fn making(mut self, count: u32, unit: &'static str) -> Self {
        self.items = Some(Items { count, unit });
        self
    }

    /// As few samples as criterion takes, for what lasts a second.
    pub fn slow(mut self) -> Self {
        self.slow = true;
        self
    }

    /// Lets criterion measure every side that its command line asks for.
    pub fn bench(&mut self, criterion: &mut Criterion) {
        let mut group = criterion.benchmark_group(self.path);
        group.sampling_mode(SamplingMode::Flat);
        if self.slow {
            group.sample_size(10);
        }
        if let Some(bytes) = self.bytes {
            group.throughput(Throughput::Bytes(bytes));
        }
        for side in self.others.iter_mut().chain([&mut self.reference]) {
            group.bench_function(side.name, |bencher| {
                bencher.iter(&mut side.run);
                side.measured = true;
            });
        }
        group.finish();
    }

    /// Measures each side in turns with the reference, where criterion measured both.
    pub fn take_turns(&mut self) -> Vec<Turns> {
        let Self { reference, others, .. } = self;
        let rounds = if self.slow { SLOW_ROUNDS } else { ROUNDS };
        if !reference.measured {
            return Vec::new();
        }
        let compares = |side: &&mut Side<'_>| side.measured && side.targets.iter().any(Target::is_relative);
        others.iter_mut().filter(compares).map(|side| Turns::of(side, reference, rounds)).collect()
    }

    pub fn measured_sides(&self) -> impl Iterator<Item = &Side<'a>> {
        self.others.iter().chain([&self.reference]).filter(|side| side.measured)
    }
}

/// How long a side and the reference took, in nanoseconds per run, round by round.
///
/// On a machine that others use, two things that are measured seconds apart differ by what the others did meanwhile. In turns,
/// both meet the same conditions, and the median of the rounds' ratios is stable to a few percent.
pub struct Turns {
    pub side: &'static str,
    rounds: Vec<(f64, f64)>,
}

impl Turns {
    fn of(side: &mut Side<'_>, reference: &mut Side<'_>, rounds: usize) -> Self {
        let name = side.name;
        let (runs, reference_runs) = (side.runs(), reference.runs());
        let rounds = (0..rounds).map(|round| {
            // Each goes first every other time: what one leaves in the caches must not always favour the same.
            if round % 2 == 0 {
                let time = side.time(runs);
                (time, reference.time(reference_runs))
            } else {
                let reference_time = reference.time(reference_runs);
                (side.time(runs), reference_time)
            }
        });
        Self { side: name, rounds: rounds.collect() }
    }

    /// The side's median time and the reference's.
    pub fn times(&self) -> (f64, f64) {
        let median = |times: Vec<f64>| quartiles(times)[1];
        (
            median(self.rounds.iter().map(|(time, _)| *time).collect()),
            median(self.rounds.iter().map(|(_, reference)| *reference).collect()),
        )
    }

    /// The quartiles of side time by reference time.
    pub fn ratios(&self) -> [f64; 3] {
        quartiles(self.rounds.iter().map(|(time, reference)| time / reference).collect())
    }
}

fn quartiles(mut values: Vec<f64>) -> [f64; 3] {
    values.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| values[(values.len() - 1) * quarter / 4])
}
